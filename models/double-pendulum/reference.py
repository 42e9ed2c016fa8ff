"""Reference of the double pendulum: the two angles, a stiff ODE.

    [ 4/3 m L^2          m L^2/2 cos(p1-p2) ] (p1'')   (-m L^2/2 sin(p1-p2) p2'^2 - 3/2 m grav L cos p1 - d1 p1' + d2 (p2'-p1'))
    [ m L^2/2 cos(p1-p2)        m L^2/3     ] (p2'') = ( m L^2/2 sin(p1-p2) p1'^2 - 1/2 m grav L cos p2 - d2 (p2'-p1')         )

integrated by extrapolation of the linearly implicit Euler rule with exact Jacobian, at two tolerances.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpf, pi, sin
from reference_tools import agree, extrapolate_stiff, write

m, L, grav, d1, d2 = mpf(1), mpf(1), mpf("9.81"), mpf(10), mpf(10000)


def rate(y):
    p1, p2, w1, w2 = y
    s, c = sin(p1 - p2), cos(p1 - p2)
    f1 = -m * L**2 / 2 * s * w2**2 - 3 * m * grav * L / 2 * cos(p1) - d1 * w1 + d2 * (w2 - w1)
    f2 = m * L**2 / 2 * s * w1**2 - m * grav * L / 2 * cos(p2) - d2 * (w2 - w1)
    a, b, d = 4 * m * L**2 / 3, m * L**2 * c / 2, m * L**2 / 3
    det = a * d - b * b
    return [w1, w2, (d * f1 - b * f2) / det, (a * f2 - b * f1) / det]


mp.dps = 30
start = [mpf(0), pi / 3, mpf(0), mpf(0)]
results = []
for tolerance in ("1e-19", "1e-17"):
    y, h, rows = start, mpf("1e-6"), [[mpf(0)] + start]
    for i in range(1, 41):
        y, h = extrapolate_stiff(rate, y, mpf(i - 1) / 4, mpf(i) / 4, h, mpf(tolerance))
        rows.append([mpf(i) / 4] + y)
    results.append(rows)
for first, second in zip(*results):
    agree(first, second, mpf("1e-14"))
write("reference.csv", ["phi1", "phi2", "phi1_d", "phi2_d"], results[0], 15)
