"""Reference of the free chain: place of the first rod, quaternions, angular velocities in axes of the rods.

Rod i has its joints at +-L/2 along its x axis. With f_j the force in joint j on the rod before it, minus that on the one after,
    m_i x_i'' = f_i - f_(i-1),   J w_i' = J w_i x w_i + c x R^T (f_i + f_(i-1)),   c = (L/2, 0, 0)
and the joints x_i'' + (c_i)'' = x_(i+1)'' - (c_(i+1))'' are linear equations for the forces. The other rods follow from the
first by the joints, so that nothing drifts. Integrated by extrapolation in double precision at two tolerances; momentum,
angular momentum and energy must stay.

Run in this directory: python3 reference.py. Needs mpmath (reference_tools).
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from math import cos, sin
from reference_tools import (agree, cross, dot, eliminate, extrapolate, quaternion_rate, rotation, turned,
                             turned_back, write)

COUNT, L = 4, 0.3
MASS = [0.6 * (1 + i / 10) for i in range(1, COUNT + 1)]
J = [5e-4, 4.6e-3, 5e-3]
HALF = [L / 2, 0.0, 0.0]


def parts(y):
    """Quaternions and angular velocities; y = (x_1, v_1, q_1, w_1, q_2, w_2, ...)."""
    return [(y[6 + 7 * i:10 + 7 * i], y[10 + 7 * i:13 + 7 * i]) for i in range(COUNT)]


def places(y):
    """Rods: centre, velocity, rotation matrix, angular velocity in body axes."""
    out = []
    for i, (q, w) in enumerate(parts(y)):
        matrix = rotation(q)
        arm, arm_d = turned(matrix, HALF), turned(matrix, cross(w, HALF))
        if i == 0:
            x, v = y[:3], y[3:6]
        else:
            x = [a + b for a, b in zip(joint, arm)]
            v = [a + b for a, b in zip(joint_d, arm_d)]
        joint, joint_d = [a + b for a, b in zip(x, arm)], [a + b for a, b in zip(v, arm_d)]
        out.append((x, v, matrix, w))
    return out


def end_mobility(matrix, mass, sign):
    """Acceleration of one end of a rod per force at the same (sign 1) or the other end (-1), in world axes."""
    local = [1 / mass, 1 / mass + sign * HALF[0] ** 2 / J[2], 1 / mass + sign * HALF[0] ** 2 / J[1]]
    return [[sum(matrix[r][k] * local[k] * matrix[c][k] for k in range(3)) for c in range(3)] for r in range(3)]


def accelerations(y):
    """Of the first rod's centre, and w' of all."""
    rods = places(y)
    gyro = []
    for _, _, _, w in rods:
        torque = cross([a * b for a, b in zip(J, w)], w)
        gyro.append([a / b for a, b in zip(torque, J)])
    # acceleration of the end at +c without forces (that at -c is its opposite)
    bias = [turned(matrix, [a + b for a, b in zip(cross(g, HALF), cross(w, cross(w, HALF)))])
            for (_, _, matrix, w), g in zip(rods, gyro)]
    size = 3 * (COUNT - 1)
    rows, right = [[0.0] * size for _ in range(size)], []
    for j in range(COUNT - 1):
        for i, sign in ((j, 1), (j + 1, -1)):
            same, other = (end_mobility(rods[i][2], MASS[i], s) for s in (1, -1))
            for joint in (i - 1, i):
                if not 0 <= joint < COUNT - 1:
                    continue
                block = same if joint == j else other
                # forces act on the rod before a joint as they are, on the one after with the other sign
                factor = sign * (1 if joint == i else -1)
                for r in range(3):
                    for c in range(3):
                        rows[3 * j + r][3 * joint + c] += factor * block[r][c]
        right += [-a - b for a, b in zip(bias[j], bias[j + 1])]
    flat = eliminate(rows, right)
    zero = [0.0] * 3
    force = [zero] + [flat[3 * j:3 * j + 3] for j in range(COUNT - 1)] + [zero]
    first = [a / MASS[0] for a in force[1]]
    rates = []
    for i, (_, _, matrix, _) in enumerate(rods):
        torque = cross(HALF, turned_back(matrix, [a + b for a, b in zip(force[i + 1], force[i])]))
        rates.append([a + b / c for a, b, c in zip(gyro[i], torque, J)])
    return first, rates


def rate(_, y):
    first, rates = accelerations(y)
    out = list(y[3:6]) + first
    for (q, w), w_d in zip(parts(y), rates):
        out += quaternion_rate(q, w) + w_d
    return out


def kept(y):
    """Energy, momentum, angular momentum about the origin."""
    energy, momentum, turn = 0.0, [0.0] * 3, [0.0] * 3
    for (x, v, matrix, w), mass in zip(places(y), MASS):
        spin = [a * b for a, b in zip(J, w)]
        energy += (mass * dot(v, v) + dot(spin, w)) / 2
        momentum = [a + mass * b for a, b in zip(momentum, v)]
        turn = [a + mass * b + c for a, b, c in zip(turn, cross(x, v), turned(matrix, spin))]
    return [energy] + momentum + turn


def columns(y):
    out = []
    for (x, v, matrix, w), (q, _) in zip(places(y), parts(y)):
        out += list(x) + list(q) + list(v) + turned(matrix, w)
    return out


def end_rate(i):
    """Velocity of the joint after rod i at the start, along y and z."""
    return 0.2 + 0.6 * sin(1.3 * i), -0.1 + 0.5 * cos(2.1 * i)


state = [L / 2, 0.0, 0.0, 0.4] + [(a + b) / 2 for a, b in zip(end_rate(0), end_rate(1))]
for i in range(1, COUNT + 1):
    (y0, z0), (y1, z1) = end_rate(i - 1), end_rate(i)
    state += [1.0, 0.0, 0.0, 0.0, 4 * sin(i), -(z1 - z0) / L, (y1 - y0) / L]
check, begin, rows = state, kept(state), []
for i in range(21):
    t = i / 10
    if i > 0:
        state = extrapolate(rate, (i - 1) / 10, state, t, "1e-13", 10, float)
        check = extrapolate(rate, (i - 1) / 10, check, t, "1e-11", 10, float)
    agree(begin, kept(state), 1e-11)
    rows.append([t] + columns(state))
print("two tolerances differ by", agree(state, check, 1e-8))
names = ["x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz"]
write("reference.csv", ["body.rod%d.%s" % (i, name) for i in range(1, COUNT + 1) for name in names], rows, 13)
