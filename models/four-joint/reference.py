"""Reference of the double four-joint mechanism: the parallelogram motion f1 = f2 = f3 = f, f4 = 0.

With J_i = m_i L^2 the motion is the pendulum L f'' = -grav cos f released at rest from f = -1; with
theta = f + pi/2, k = sin(theta0/2), w = sqrt(grav/L):
    sin(theta/2) = k sn(u, k),  theta' = 2 k w cn(u, k),  u = K(k) + w t,
and the row of the bar gives bar_moment = (G^T lambda)_4 = -m4 L4/2 (grav + L cos f f'' - L sin f f'^2).

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import asin, cos, ellipfun, ellipk, mpf, pi, sin, sqrt
from reference_tools import agree, extrapolate, write

L, L4, m4, grav = mpf(1), mpf(2), mpf(4), mpf("9.81")
NAMES = ["f1", "f2", "f3", "f4", "w1", "w2", "w3", "w4", "bar_moment"]
w, k = sqrt(grav / L), sin((pi / 2 - 1) / 2)
rows = []
for t in ["0", "0.3", "0.6", "1", "2", "5"]:
    u = ellipk(k * k) + w * mpf(t)
    f = 2 * asin(k * ellipfun("sn", u, m=k * k)) - pi / 2
    v = 2 * k * w * ellipfun("cn", u, m=k * k)
    other = extrapolate(lambda _, y: [y[1], -grav / L * cos(y[0])], 0, [mpf(-1), mpf(0)], mpf(t), "1e-25")
    agree([f, v], other, mpf("1e-21"))
    moment = -m4 * L4 / 2 * (grav - cos(f) * grav * cos(f) - L * sin(f) * v * v)
    rows.append([t, f, f, f, 0, v, v, v, 0, moment])
write("reference.csv", NAMES, rows)
