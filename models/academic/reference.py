"""Reference of the academic example: its exact solution.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mpf, sin
from reference_tools import write

NAMES = ["p1", "p2", "p3", "v1", "v2", "v3", "r1", "r2", "w", "s1", "s2", "lambda.product", "lambda.circle"]
rows = []
for text in ["0", "0.5", "1", "1.5", "2"]:
    t = mpf(text)
    c, s = cos(t), sin(t)
    rows.append([t, (1 + t) * c, s, c, c - (1 + t) * s, c, -s, -2 * c, -4 * t - t * t, -2 * c,
                 1 + t, t * c, c, -t])
write("reference.csv", NAMES, rows)
