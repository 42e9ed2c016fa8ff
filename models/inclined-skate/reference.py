"""Reference of the skate on the inclined plane: exact.

    u1 = sin(alpha) sin^2(t)/2,  u2 = sin(alpha) (t - sin(2t)/2)/2,  mu = -2 sin(alpha) sin(t).

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mpf, sin
from reference_tools import write

a = sin(mpf("0.8"))
rows = []
for text in ["0", "1", "2", "5", "10"]:
    t = mpf(text)
    rows.append([t, a * sin(t) ** 2 / 2, a * (t - sin(2 * t) / 2) / 2, a * sin(t) * cos(t),
                 a * sin(t) ** 2, -2 * a * sin(t)])
write("reference.csv", ["u1", "u2", "v1", "v2", "mu.edge"], rows)
