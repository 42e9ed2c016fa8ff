"""References of the massless coupler: it is a rod of fixed length between two pendulums.

    J1 phi1'' = ..., J2 phi2'' = ...,  0 = (|D|^2 - c^2)/2,  D = B(phi2) - A(phi1)
in two angles with one multiplier, of index 1, integrated in 30 digits at two tolerances; the rod pulls the second
pendulum with -lambda D. The plane (reference.csv) and two planes at right angles (reference-spatial.csv).

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import atan2, cos, mp, mpf, pi, sin
from reference_tools import agree, extrapolate, multipliers, write

mp.dps = 30
grav, L1, L2, m1, m2 = mpf("9.81"), mpf(1), mpf("1.2"), mpf(2), mpf(3)
J1, J2 = m1 * L1**2 / 3, m2 * L2**2 / 3


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def motion(ends):
    """Accelerations, lambda and D from y; ends(phi1, phi2): A, A', A'', B, B', B'' (by their angles), moments."""
    def solve_at(y):
        a, a1, a2, b, b1, b2, moment1, moment2 = ends(y[0], y[1])
        d = [p - q for p, q in zip(b, a)]
        d_rate = [p * y[3] - q * y[2] for p, q in zip(b1, a1)]
        gradient = [-dot(d, a1), dot(d, b1)]
        curvature = dot(d_rate, d_rate) + dot(d, [p * y[3]**2 - q * y[2]**2 for p, q in zip(b2, a2)])
        acceleration, force = multipliers([[J1, 0], [0, J2]], [moment1, moment2], [gradient], [curvature])
        return acceleration, force[0], d
    return solve_at


def plane(phi1, phi2):
    base = mpf("1.5")
    a, a1 = [L1 * cos(phi1), L1 * sin(phi1)], [-L1 * sin(phi1), L1 * cos(phi1)]
    b, b1 = [L2 * cos(phi2), L2 * sin(phi2)], [-L2 * sin(phi2), L2 * cos(phi2)]
    return (a, a1, [-x for x in a], [base + b[0], b[1]], b1, [-x for x in b],
            -m1 * grav * L1 / 2 * cos(phi1), -m2 * grav * L2 / 2 * cos(phi2))


def space(alpha, beta):
    a, a1 = [L1 * cos(alpha), 0, -L1 * sin(alpha)], [-L1 * sin(alpha), 0, -L1 * cos(alpha)]
    b, b1 = [0, L2 * sin(beta), -L2 * cos(beta)], [0, L2 * cos(beta), L2 * sin(beta)]
    return (a, a1, [-x for x in a], [mpf("1.4"), mpf("0.5") + b[1], b[2]], b1, [-x for x in b],
            m1 * grav * L1 / 2 * cos(alpha), -m2 * grav * L2 / 2 * sin(beta))


def series(ends, start):
    solve_at = motion(ends)

    def rates(_, y):
        return [y[2], y[3]] + solve_at(y)[0]

    coarse = fine = start + [mpf(0), mpf(0)]
    for i in range(21):
        t = mpf(i) / 2
        if i:
            coarse = extrapolate(rates, t - mpf("0.5"), coarse, t, "1e-18")
            fine = extrapolate(rates, t - mpf("0.5"), fine, t, "1e-21")
            agree(coarse, fine, mpf("1e-14"))
        yield t, fine, solve_at(fine)


rows, turn = [], mpf(0)
for t, y, (_, force, d) in series(plane, [-5 * pi / 6, -7 * pi / 18]):
    rows.append([t] + y + [atan2(d[1], d[0]), -force * d[0], -force * d[1], -force * d[0], -force * d[1]])
write("reference.csv", ["body.crank.angle", "body.rocker.angle", "body.crank.rate", "body.rocker.rate",
                        "body.coupler.angle", "joint.crank_pin.fx", "joint.crank_pin.fy", "joint.rocker_pin.fx",
                        "joint.rocker_pin.fy"], rows)
rows = []
for t, y, (_, force, d) in series(space, [7 * pi / 9, 5 * pi / 18]):
    rows.append([t] + y + [-force * x for x in d])
write("reference-spatial.csv", ["alpha", "beta", "body.first.wy", "body.second.wx", "joint.ball.fx", "joint.ball.fy",
                                "joint.ball.fz"], rows)
