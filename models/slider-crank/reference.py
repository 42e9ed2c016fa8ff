"""Reference of the slider crank: one degree of freedom, periodic, so quadrature gives the period.

With p2 = asin(l1/l2 sin p1), s = dp2/dp1 = l1 cos p1/(l2 cos p2) and the reduced mass
    R(p1) = (m1+m2) l1^2 - 2 m2 l1 l2 cos(p1+p2) s + m2 l2^2 s^2
the energy is R v1^2/2 + m1 grav l1 sin p1 = 0: the crank swings between p1 = 0 and p1 = -pi with the
period 2 int sqrt(R/(-2 m1 grav l1 sin p1)) dp1. The state at t is that at t mod period, integrated in
p1 by extrapolation (R p1'' + R'/2 p1'^2 + m1 grav l1 cos p1 = 0). lambda from the saddle point system.
Singular set (l2 = l1): the time at which p1 = -pi/2 is reached, by the same quadrature.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import asin, cos, mp, mpf, pi, quad, sin, sqrt
from reference_tools import agree, extrapolate, multipliers, write

m1, m2, l1, grav = mpf(1), mpf("1.8"), mpf(1), mpf("9.81")
NAMES = ["p1", "p2", "v1", "v2", "lambda.slider"]


def second(p1, l2):
    """p2, dp2/dp1, d2p2/dp1^2."""
    p2 = asin(l1 / l2 * sin(p1))
    s = l1 * cos(p1) / (l2 * cos(p2))
    return p2, s, (-l1 * sin(p1) + l2 * sin(p2) * s * s) / (l2 * cos(p2))


def reduced(p1, l2):
    """R and dR/dp1."""
    p2, s, ds = second(p1, l2)
    r = (m1 + m2) * l1**2 - 2 * m2 * l1 * l2 * cos(p1 + p2) * s + m2 * l2**2 * s**2
    dr = (2 * m2 * l1 * l2 * (sin(p1 + p2) * (1 + s) * s - cos(p1 + p2) * ds)
          + 2 * m2 * l2**2 * s * ds)
    return r, dr


def rate(_, y, l2=mpf(3)):
    r, dr = reduced(y[0], l2)
    return [y[1], -(dr / 2 * y[1] ** 2 + m1 * grav * l1 * cos(y[0])) / r]


def duration(origin, sign, l2):
    """Time from p1 = origin, at rest, to -pi/2; p1 = origin + sign q^2 removes the root at the start."""
    def integrand(q):
        p1 = origin + sign * q * q
        mass = reduced(p1, l2)[0] if l2 != l1 else \
            (m1 + 2 * m2) * l1**2 - 2 * m2 * l1**2 * cos(2 * p1)
        return 2 * q * sqrt(mass / (-2 * m1 * grav * l1 * sin(p1)))
    return quad(integrand, [0, sqrt(pi / 2) / 2, sqrt(pi / 2)])


def row(p1, v1, l2):
    p2, s, _ = second(p1, l2)
    v2 = s * v1
    c, sn = cos(p1 + p2), sin(p1 + p2)
    mass = [[(m1 + m2) * l1**2, -m2 * l1 * l2 * c], [-m2 * l1 * l2 * c, m2 * l2**2]]
    force = [-(m1 + m2) * grav * l1 * cos(p1) - m2 * l1 * l2 * v2**2 * sn,
             m2 * grav * l2 * cos(p2) - m2 * l1 * l2 * v1**2 * sn]
    curvature = [-l1 * sin(p1) * v1**2 + l2 * sin(p2) * v2**2]
    return [p1, p2, v1, v2] + multipliers(mass, force, [[l1 * cos(p1), -l2 * cos(p2)]], curvature)[1]


def state(t, period, l2):
    t = mpf(t)
    t -= period * int(t / period)
    y = extrapolate(rate, 0, [mpf(0), mpf(0)], t, "1e-26")
    agree(y, extrapolate(rate, 0, [mpf(0), mpf(0)], t, "1e-23"), mpf("1e-20"))
    return row(y[0], y[1], l2)


mp.dps = 40
period = 2 * (duration(mpf(0), -1, mpf(3)) + duration(-pi, 1, mpf(3)))
half = extrapolate(rate, 0, [mpf(0), mpf(0)], period / 2, "1e-26")
agree(half, [-pi, mpf(0)], mpf("1e-20"))
print("period", mp.nstr(period, 20))
times = ["0", "0.5", "1", "1.5", "5", "10", "100", "1000", "10000"]
write("reference.csv", NAMES, [[t] + state(t, period, mpf(3)) for t in times])
singular = duration(mpf(0), -1, l1)
write("reference-singular.csv", ["p1", "p2"], [[singular, -pi / 2, -pi / 2]])
