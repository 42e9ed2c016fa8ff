"""Reference of Negrut's double pendulum: the two angles, a stiff ODE. With d = th2 - th1

    [ a        b cos d ] (th1'')   ( -k1 (th1 - 3 pi/2) - c1 th1' + k2 d + c2 d' - (m1 + 2 m2) grav L1 cos th1 + b sin d th2'^2 )
    [ b cos d        c ] (th2'') = ( -k2 d - c2 d' - m2 grav L2 cos th2 - b sin d th1'^2                                       )

    a = m1 L1^2 4/3 + 4 m2 L1^2,   b = 2 m2 L1 L2,   c = m2 L2^2 4/3,

integrated by extrapolation of the linearly implicit Euler rule with exact Jacobian, at two tolerances. Rows: every 0.05 s, and the
sixteen instants of [Neg98, tables 20-23].

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpf, pi, sin
from reference_tools import agree, extrapolate_stiff, write

mp.dps = 30
m1, L1, k1, c1 = mpf(3), mpf(1), mpf(400), mpf(15)
m2, L2, k2, c2, grav = mpf("0.3"), mpf("1.5"), mpf(300000), mpf(50000), mpf("9.81")
a, b, c = 4 * m1 * L1**2 / 3 + 4 * m2 * L1**2, 2 * m2 * L1 * L2, 4 * m2 * L2**2 / 3
PRINTED = ("0.351082", "0.413557", "0.425395", "0.592127", "0.599954", "0.626135", "1.065146", "1.084304",
           "0.136235", "0.186183", "0.217757", "0.291094", "0.373114", "0.551010", "0.578444", "0.795548")


def rate(y):
    p1, p2, w1, w2 = y
    d, dd = p2 - p1, w2 - w1
    s, e = b * sin(d), b * cos(d)
    f1 = -k1 * (p1 - 3 * pi / 2) - c1 * w1 + k2 * d + c2 * dd - (m1 + 2 * m2) * grav * L1 * cos(p1) + s * w2**2
    f2 = -k2 * d - c2 * dd - m2 * grav * L2 * cos(p2) - s * w1**2
    det = a * c - e * e
    return [w1, w2, (c * f1 - e * f2) / det, (a * f2 - e * f1) / det]


times = sorted([mpf(i) / 20 for i in range(1, 41)] + [mpf(text) for text in PRINTED])
start = [2 * pi, 23 * pi / 12, mpf(0), mpf(0)]
results = []
for tolerance in ("1e-17", "1e-15"):
    y, h, rows, t = start, mpf("1e-7"), [[mpf(0)] + start], mpf(0)
    for end in times:
        y, h = extrapolate_stiff(rate, y, t, end, h, mpf(tolerance))
        t = end
        rows.append([t] + y)
    results.append(rows)
for first, second in zip(*results):
    agree(first, second, mpf("1e-13"))
write("reference.csv", ["th1", "th2", "th1d", "th2d"], results[0], 14)
