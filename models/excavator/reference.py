"""Reference of the excavator: Lagrange's equations of four angles.

The arm stays in a plane through the axis of the swing, turned by psi. In it, bodies have their centre of mass at (r, z) and are
inclined by theta, functions of the inclinations of boom, stick and rocker alone, a = (b, s, k): cylinders and the bucket's four-bar
follow by geometry. One principal axis of each body is across the plane, so that with the moments of inertia J_1 (along), J_2
(across), J_3

    2 T = sum m (r'^2 + z'^2) + J_2 theta'^2 + psi'^2 I,   I = sum m r^2 + J_1 sin^2 theta + J_3 cos^2 theta
    a:    sum m (r_a r'' + z_a (z'' + g)) + J_2 theta_a theta'' - psi'^2 I_a/2 = sum F_c L_a,c
    psi:  I psi'' + psi' I' = M
with the forces F of cylinders of length L. Derivatives by a, first and second, are carried along with every number.
Integrated by extrapolation in double precision at two tolerances.

Run in this directory: python3 reference.py. Needs mpmath (reference_tools).
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import sys
sys.path.insert(0, "..")
from reference_tools import agree, extrapolate, write

GRAV = 9.81
END = 4.0


class Jet:
    """A number with its derivatives by three variables."""

    __slots__ = ("f", "g", "h")

    def __init__(self, f, g=(0.0, 0.0, 0.0), h=(0.0,) * 6):
        self.f, self.g, self.h = f, g, h  # h: 11, 12, 13, 22, 23, 33

    def chain(self, f, d, dd):
        """f(self), with its derivatives d and dd."""
        a, b, c = self.g
        p, q, r, s, t, u = self.h
        return Jet(f, (d * a, d * b, d * c), (d * p + dd * a * a, d * q + dd * a * b, d * r + dd * a * c, d * s + dd * b * b,
                                              d * t + dd * b * c, d * u + dd * c * c))

    def __add__(self, o):
        if not isinstance(o, Jet):
            return Jet(self.f + o, self.g, self.h)
        return Jet(self.f + o.f, tuple(x + y for x, y in zip(self.g, o.g)), tuple(x + y for x, y in zip(self.h, o.h)))

    def __mul__(self, o):
        if not isinstance(o, Jet):
            return Jet(self.f * o, tuple(o * x for x in self.g), tuple(o * x for x in self.h))
        f, F, (a, b, c), (A, B, C) = self.f, o.f, self.g, o.g
        cross = (2 * a * A, a * B + b * A, a * C + c * A, 2 * b * B, b * C + c * B, 2 * c * C)
        return Jet(f * F, tuple(f * y + F * x for x, y in zip(self.g, o.g)),
                   tuple(f * y + F * x + z for x, y, z in zip(self.h, o.h, cross)))

    def __sub__(self, o):
        return self + o * -1.0

    __radd__, __rmul__ = __add__, __mul__


def sqrt(x):
    f = math.sqrt(x.f)
    return x.chain(f, 0.5 / f, -0.25 / (f * x.f))


def inverse(x):
    return x.chain(1.0 / x.f, -1.0 / x.f ** 2, 2.0 / x.f ** 3)


def sin(x):
    return x.chain(math.sin(x.f), math.cos(x.f), -math.sin(x.f))


def cos(x):
    return x.chain(math.cos(x.f), -math.sin(x.f), -math.cos(x.f))


def angle(x, z):
    """Inclination of (x, z): turned back by its value it is small, where atan has the derivatives 1 and 0."""
    f = math.atan2(z.f, x.f)
    across = z * math.cos(f) - x * math.sin(f)
    along = x * math.cos(f) + z * math.sin(f)
    small = across * inverse(along)
    return Jet(f) + small.chain(0.0, 1.0, 0.0)


def at(origin, tilt, point):
    """A point of a body that is inclined by tilt, at its place from the origin (along, across)."""
    c, s = cos(tilt), sin(tilt)
    return origin[0] + c * point[0] - s * point[1], origin[1] + s * point[0] + c * point[1]


def number(v):
    return Jet(v[0]), Jet(v[1])


# the machine, as its file says; bodies: mass, (along, across) of the centre of mass, moments of inertia
DEG = math.pi / 180
FOOT, BOOM, STICK, TIP = (0.2, 1.8), 5.7, 2.9, 1.5
CYLINDER1, HEAD1 = (0.95, 1.35), (2.6, 0.45)  # on the carriage; on the boom
CYLINDER2, HEAD2 = (3.1, 0.95), (-0.75, 0.25)  # on the boom; on the stick
CYLINDER3 = (0.25, 0.65)  # on the stick
ROCKER_FOOT, ROCKER = (2.45, 0.0), 0.62
PIN = (-0.05, 0.45)  # of the link, on the bucket
B0, S0, K0, T0 = 42 * DEG, -62 * DEG, 10 * DEG, -95 * DEG  # inclinations of boom, stick, rocker, bucket at the start
CARRIAGE = 14000.0  # about the axis of the swing
BODIES = {
    "boom": (1500.0, (2.7, 0.35), (160.0, 4200.0, 4200.0)),
    "stick": (850.0, (1.0, 0.1), (45.0, 1050.0, 1050.0)),
    "bucket": (1100.0, (0.7, 0.25), (380.0, 260.0, 330.0)),
    "rocker": (60.0, (0.31, 0.0), (0.6, 2.2, 2.2)),
    "link": (80.0, (0.25, 0.0), (0.8, 2.5, 2.5)),
}
# barrel and rod: mass, distance of the centre of mass from its own end, moments of inertia; stiffness, damping of the drive
CYLINDERS = {
    "boom": ((190.0, 0.75, (2.0, 38.0, 38.0)), (130.0, 0.8, (1.0, 30.0, 30.0)), 2.4e7, 8e5),
    "stick": ((170.0, 0.8, (1.8, 36.0, 36.0)), (110.0, 0.8, (0.8, 26.0, 26.0)), 1.6e7, 3e5),
    "bucket": ((110.0, 0.6, (1.0, 15.0, 15.0)), (70.0, 0.6, (0.5, 10.0, 10.0)), 1.2e7, 1.5e5),
}
SWING = 2e6, 8e5
CYCLE = 2 * math.pi / 8  # of the drives


def references(t):
    """What the drives are to do, and its rate: strokes of the cylinders, angle of the swing."""
    u, w = CYCLE * t, CYCLE
    one, rise = (1 - math.cos(u)) / 2, w * math.sin(u) / 2
    return ((0.2 * math.sin(2 * u), 0.4 * w * math.cos(2 * u)), (0.42 * one, 0.42 * rise), (0.3 * one, 0.3 * rise),
            (1.2 * one ** 2, 2.4 * one * rise))


def geometry(b, s, k):
    """Centres of mass and inclinations of all bodies, lengths of the cylinders, inclination of the bucket."""
    boom, stick = number(FOOT), at(number(FOOT), b, (BOOM, 0.0))
    rocker, bucket = at(stick, s, ROCKER_FOOT), at(stick, s, (STICK, 0.0))
    pin = at(rocker, k, (ROCKER, 0.0))
    x, z = pin[0] - bucket[0], pin[1] - bucket[1]  # the bucket's pin: where two circles meet, ahead of the stick
    square = x * x + z * z
    part = (square + (math.hypot(*PIN) ** 2 - LINK ** 2)) * inverse(square) * 0.5
    height = sqrt(inverse(square) * math.hypot(*PIN) ** 2 - part * part)
    end = bucket[0] + x * part + z * height * SIDE, bucket[1] + z * part - x * height * SIDE
    tilt = angle(end[0] - bucket[0], end[1] - bucket[1]) + -math.atan2(PIN[1], PIN[0])
    link = angle(end[0] - pin[0], end[1] - pin[1])
    places = []
    for name, origin, theta in (("boom", boom, b), ("stick", stick, s), ("bucket", bucket, tilt), ("rocker", rocker, k),
                                ("link", pin, link)):
        mass, centre, inertia = BODIES[name]
        places.append((mass, inertia, *at(origin, theta, centre), theta))
    lengths = []
    for name, foot, head in (("boom", number(CYLINDER1), at(boom, b, HEAD1)), ("stick", at(boom, b, CYLINDER2), at(stick, s, HEAD2)),
                             ("bucket", at(stick, s, CYLINDER3), pin)):
        dx, dz = head[0] - foot[0], head[1] - foot[1]
        theta = angle(dx, dz)
        (mass, reach, inertia), (mass2, reach2, inertia2) = CYLINDERS[name][:2]
        places.append((mass, inertia, *at(foot, theta, (reach, 0.0)), theta))
        places.append((mass2, inertia2, *at(head, theta, (-reach2, 0.0)), theta))
        lengths.append(sqrt(dx * dx + dz * dz))
    return places, lengths, tilt


# the link's length and the side on which its pin is, from the start
_bucket = [p.f for p in at(at(number(FOOT), Jet(B0), (BOOM, 0.0)), Jet(S0), (STICK, 0.0))]
_pin = [p.f for p in at(at(at(number(FOOT), Jet(B0), (BOOM, 0.0)), Jet(S0), ROCKER_FOOT), Jet(K0), (ROCKER, 0.0))]
_end = [p.f for p in at(number(_bucket), Jet(T0), PIN)]
LINK = math.hypot(_end[0] - _pin[0], _end[1] - _pin[1])
SIDE = math.copysign(1.0, (_end[0] - _bucket[0]) * (_pin[1] - _bucket[1]) - (_end[1] - _bucket[1]) * (_pin[0] - _bucket[0]))


def twice(jet, v):
    """v^T H v"""
    p, q, r, s, t, u = jet.h
    a, b, c = v
    return p * a * a + s * b * b + u * c * c + 2 * (q * a * b + r * a * c + t * b * c)


def solve(A, b):
    """Gauss with pivots."""
    n = len(b)
    A = [list(row) + [x] for row, x in zip(A, b)]
    for i in range(n):
        k = max(range(i, n), key=lambda r: abs(A[r][i]))
        A[i], A[k] = A[k], A[i]
        for r in range(i + 1, n):
            f = A[r][i] / A[i][i]
            A[r] = [x - f * y for x, y in zip(A[r], A[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (A[i][n] - sum(A[i][j] * x[j] for j in range(i + 1, n))) / A[i][i]
    return x


def variables(values):
    return [Jet(value, tuple(float(i == j) for j in range(3))) for i, value in enumerate(values)]


def efforts(t, y, lengths):
    wanted = references(t)
    forces = []
    for (name, (_, _, k, d)), length, start, (reach, rate) in zip(CYLINDERS.items(), lengths, START, wanted):
        speed = sum(g * v for g, v in zip(length.g, y[4:7]))
        forces.append(k * (reach - (length.f - start)) + d * (rate - speed))
    return forces, SWING[0] * (wanted[3][0] - y[3]) + SWING[1] * (wanted[3][1] - y[7])


def rate(t, y):
    places, lengths, _ = geometry(*variables(y[:3]))
    v, spin = y[4:7], y[7]
    M, f = [[0.0] * 3 for _ in range(3)], [0.0] * 3
    I, I_a = CARRIAGE, [0.0] * 3
    for mass, (J1, J2, J3), r, z, theta in places:
        for i in range(3):
            for j in range(3):
                M[i][j] += mass * (r.g[i] * r.g[j] + z.g[i] * z.g[j]) + J2 * theta.g[i] * theta.g[j]
            f[i] -= mass * (r.g[i] * twice(r, v) + z.g[i] * (twice(z, v) + GRAV)) + J2 * theta.g[i] * twice(theta, v)
            I_a[i] += 2 * mass * r.f * r.g[i] + (J1 - J3) * math.sin(2 * theta.f) * theta.g[i]
        I += mass * r.f ** 2 + J1 * math.sin(theta.f) ** 2 + J3 * math.cos(theta.f) ** 2
    forces, moment = efforts(t, y, lengths)
    for i in range(3):
        f[i] += spin ** 2 * I_a[i] / 2 + sum(F * length.g[i] for F, length in zip(forces, lengths))
    return list(v) + [spin] + solve(M, f) + [(moment - spin * sum(g * w for g, w in zip(I_a, v))) / I]


START = [length.f for length in geometry(*variables((B0, S0, K0)))[1]]


def row(t, y):
    _, lengths, tilt = geometry(*variables(y[:3]))
    rate_of = [sum(g * v for g, v in zip(x.g, y[4:7])) for x in (*lengths, tilt)]
    forces, moment = efforts(t, y, lengths)
    return [t, y[3], y[0] - B0, y[1] - S0 - (y[0] - B0), tilt.f - T0 - (y[1] - S0), y[7], y[4], y[5] - y[4], rate_of[3] - y[5],
            *(length.f - start for length, start in zip(lengths, START)), *rate_of[:3], *forces, moment]


def main():
    state = [B0, S0, K0, 0.0, 0.0, 0.0, 0.0, 0.0]
    check, rows = state, [row(0.0, state)]
    steps = 40
    for i in range(1, steps + 1):
        before, t = END * (i - 1) / steps, END * i / steps
        state = extrapolate(rate, before, state, t, "1e-13", 10, float)
        check = extrapolate(rate, before, check, t, "1e-11", 10, float)
        rows.append(row(t, state))
    print("two tolerances differ by", agree(state, check, 1e-9))
    joints, cylinders = ("swing", "boom_foot", "stick_foot", "bucket_foot"), ("boom", "stick", "bucket")
    write("reference.csv", ["joint.%s.angle" % j for j in joints] + ["joint.%s.angle_rate" % j for j in joints] +
          ["joint.%s_rod.length" % c for c in cylinders] + ["joint.%s_rod.length_rate" % c for c in cylinders] +
          ["force.%s_drive.force" % c for c in cylinders] + ["force.swing_drive.torque"], rows, 13)


if __name__ == "__main__":
    main()
