"""Reference of the lolly: the uniform circle, exact for every beta.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mpf, sin
from reference_tools import write

NAMES = ["p1", "p2", "p3", "v1", "v2", "v3", "lambda.circle", "lambda.ridge"]
rows = []
for t in ["0", "1", "5", "10", "100"]:
    c, s = cos(mpf(t)), sin(mpf(t))
    rows.append([t, c, s, 0, -s, c, 0, mpf("0.5"), mpf("9.81")])
write("reference.csv", NAMES, rows)
