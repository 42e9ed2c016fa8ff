"""Reference of the Chaplygin sleigh, exact.

With the velocity v of the edge along itself and the rate w: v' = a w^2, J w' = -m a v w, J = I + m a^2; the energy
E = (m v^2 + J w^2)/2 is constant, so v = V tanh(k t + c), w = W/cosh(k t + c), V = sqrt(2 E/m), W = sqrt(2 E/J), k = a W^2/V.
The heading is W/k (gd(k t + c) - gd(c)) with the Gudermannian gd; the place follows by quadrature.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import atan, atanh, cos, cosh, mpf, quad, sin, sinh, sqrt, tanh
from reference_tools import write

m, I, a, v0, w0 = mpf(2), mpf("0.3"), mpf("0.5"), mpf("-1.2"), mpf("0.8")
J = I + m * a**2
E = (m * v0**2 + J * w0**2) / 2
V, W = sqrt(2 * E / m), sqrt(2 * E / J)
k, c = a * W**2 / V, atanh(v0 / V)


def speed(t):
    return V * tanh(k * t + c)


def heading(t):
    return W / k * (atan(sinh(k * t + c)) - atan(sinh(c)))


assert abs(W / cosh(c) - w0) < mpf("1e-30")
x = y = mpf(0)
rows = []
for i in range(21):
    t = mpf(i) / 2
    if i:
        x += quad(lambda s: speed(s) * cos(heading(s)), [t - mpf("0.5"), t])
        y += quad(lambda s: speed(s) * sin(heading(s)), [t - mpf("0.5"), t])
    v, w, phi = speed(t), W / cosh(k * t + c), heading(t)
    # sideways force of the edge: m (v w + a w') at right angles to the edge
    side = m * (v * w - m * a**2 / J * v * w)
    rows.append([t, x, y, phi, v * cos(phi), v * sin(phi), w, -side * sin(phi), side * cos(phi)])
write("reference.csv", ["body.sleigh.x", "body.sleigh.y", "body.sleigh.angle", "body.sleigh.vx", "body.sleigh.vy",
                        "body.sleigh.rate", "joint.edge.fx", "joint.edge.fy"], rows)
