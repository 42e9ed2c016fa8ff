"""Reference of gears and cam: a natural spline through angle.csv gives every motion but the pendulum's.

With the motor's angle a(t): shaft ratio a, rack pinion ratio a, nut -pitch a/(2 pi) (the nut does not turn, the
screw turns inside it), follower r(pi/2 - ratio a). The pendulum's point of suspension moves with the rack:
    (J + m L^2/4) swing'' = -m L/2 (grav sin swing - x'' cos swing)     (swing about y: the bob is at -sin swing)
integrated from knot to knot in 30 digits at two tolerances.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpf, pi, sin
from reference_tools import agree, extrapolate, solve, write

mp.dps = 30
grav, ratio, pinion, pitch, L, m = mpf("9.81"), mpf("-0.5"), mpf("0.2"), mpf("0.05"), mpf("0.6"), mpf("0.8")
J = m * L**2 / 12 + m * L**2 / 4

with open("angle.csv", encoding="ascii") as text:
    lines = list(csv.reader(text))[1:]
T, A = [mpf(a) for a, _ in lines], [mpf(b) for _, b in lines]
n = len(T)
# second derivatives C of the spline: zero at both ends
left = [[mpf(0)] * n for _ in range(n)]
right = [mpf(0)] * n
left[0][0] = left[n - 1][n - 1] = mpf(1)
for i in range(1, n - 1):
    before, after = T[i] - T[i - 1], T[i + 1] - T[i]
    left[i][i - 1:i + 2] = [before / 6, (before + after) / 3, after / 6]
    right[i] = (A[i + 1] - A[i]) / after - (A[i] - A[i - 1]) / before
C = solve(left, right)


def angle(i, t):
    """Value and two derivatives in the interval i."""
    h = T[i + 1] - T[i]
    p, q = (T[i + 1] - t) / h, (t - T[i]) / h
    value = p * A[i] + q * A[i + 1] + ((p**3 - p) * C[i] + (q**3 - q) * C[i + 1]) * h**2 / 6
    rate = (A[i + 1] - A[i]) / h + ((3 * q**2 - 1) * C[i + 1] - (3 * p**2 - 1) * C[i]) * h / 6
    return value, rate, p * C[i] + q * C[i + 1]


def cam(s):
    return mpf("0.12") + mpf("0.02") * cos(s) + mpf("0.03") * cos(2 * s)


def rates(i):
    def f(t, y):
        shift = pinion * ratio * angle(i, t)[2]
        return [y[1], -m * L / 2 * (grav * sin(y[0]) - shift * cos(y[0])) / J]
    return f


def row(i, t, y):
    a, a_rate, _ = angle(i, t)
    return [t, a, ratio * a, a_rate, ratio * a_rate, mpf("0.3") + pinion * ratio * a,
            mpf("0.4") - pitch * a / (2 * pi), cam(pi / 2 - ratio * a)] + y


coarse = fine = [pi / 6, mpf(0)]
rows = [row(0, T[0], fine)]
for i in range(n - 1):
    coarse = extrapolate(rates(i), T[i], coarse, T[i + 1], "1e-18")
    fine = extrapolate(rates(i), T[i], fine, T[i + 1], "1e-22")
    agree(coarse, fine, mpf("1e-15"))
    rows.append(row(i, T[i + 1], fine))
write("reference.csv", ["joint.motor_bearing.angle", "joint.shaft_bearing.angle", "body.motor.wz", "body.shaft.wz",
                        "body.rack.x", "body.nut.z", "body.follower.y", "swing", "body.pendulum.wy"], rows)
