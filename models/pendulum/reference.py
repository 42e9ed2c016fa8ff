"""Reference of the pendulum: the exact motion by Jacobi's elliptic functions, in 40 digits.

With theta from the lowest point, w = sqrt(grav/L), k = v0/(2 L w) < 1:
    sin(theta/2) = k sn(w t, k),  theta' = 2 k w cn(w t, k),  lambda = m (v^2 - grav y)/(2 L^2).
Checked against the angle equation theta'' = -grav/L sin(theta), integrated by extrapolation.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import asin, cos, ellipfun, mp, mpf, sin, sqrt
from reference_tools import agree, extrapolate, write

NAMES = ["x", "y", "vx", "vy", "lambda.length"]


def exact(grav, v0, t):
    w = sqrt(grav)
    k = v0 / (2 * w)
    theta = 2 * asin(k * ellipfun("sn", w * t, m=k * k))
    rate = 2 * k * w * ellipfun("cn", w * t, m=k * k)
    x, y, vx, vy = sin(theta), -cos(theta), rate * cos(theta), rate * sin(theta)
    return [x, y, vx, vy, (rate * rate - grav * y) / 2], theta, rate


def check(grav, v0, t):
    """The elliptic functions against the angle equation at t."""
    state = extrapolate(lambda _, y: [y[1], -grav * sin(y[0])], 0, [mpf(0), v0], t, "1e-25")
    theta, rate = exact(grav, v0, t)[1:]
    agree([sin(theta), cos(theta), rate], [sin(state[0]), cos(state[0]), state[1]], mpf("1e-22"))


def table(path, grav, v0, times):
    grav, v0 = mpf(grav), mpf(v0)
    check(grav, v0, mpf(5))
    write(path, NAMES, [[t] + exact(grav, v0, mpf(t))[0] for t in times])


mp.dps = 40
table("reference.csv", "13.75", "5.24411510858424", ["0", "0.5", "1", "2", "5", "10", "100", "1000"])
table("reference-selector.csv", "13.75", "2.8", ["0", "1", "2", "5"])
table("reference-selector-2.9.csv", "13.75", "2.9", ["0", "1", "2", "5"])
