"""Reference of the platform: Newton's and Euler's equations of one body on six legs.

    m x'' = sum f_i + F - m grav k,   J w' = J w x w + sum c_i x R^T f_i + c x R^T F   (w in axes of the body)
    f_i = -(k (s - s0) + d s') u_i,   s u_i = x + R c_i - b_i
integrated by extrapolation in double precision at two tolerances. The energy is no check here, the dampers take it.

Run in this directory: python3 reference.py. Needs mpmath (reference_tools).
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from math import cos, pi, sin, sqrt
from reference_tools import (agree, cross, dot, extrapolate, quaternion_rate, rotation, turned, turned_back,
                             write)

m, J, grav = 50.0, [4.0, 4.0, 7.0], 9.81
k, d, h, R, r = 10000.0, 5000.0, 0.6, 0.8, 0.5
LEGS = []
for i in range(3):
    for side in (1, -1):
        base, top = 2 * pi * (i + 1) / 3 + side * pi / 12, 2 * pi * (i + 1) / 3 + side * 2 * pi / 9
        foot, head = [R * cos(base), R * sin(base), 0.0], [r * cos(top), r * sin(top), 0.0]
        length = sqrt((head[0] - foot[0]) ** 2 + (head[1] - foot[1]) ** 2 + h**2)
        LEGS.append((foot, head, length))


def rate(t, y):
    x, q, v, w = y[:3], y[3:7], y[7:10], y[10:]
    matrix = rotation(q)
    force, torque = [0.0, 0.0, -m * grav], cross([a * b for a, b in zip(J, w)], w)
    acting = [([r, 0.0, 0.1], [600 * cos(4 * t), 600 * sin(4 * t), -800.0])]
    for foot, head, rest in LEGS:
        leg = [a + b - c for a, b, c in zip(x, turned(matrix, head), foot)]
        leg_d = [a + b for a, b in zip(v, turned(matrix, cross(w, head)))]
        length = sqrt(dot(leg, leg))
        pull = (k * (length - rest) + d * dot(leg, leg_d) / length) / length
        acting.append((head, [-pull * a for a in leg]))
    for place, f in acting:
        force = [a + b for a, b in zip(force, f)]
        torque = [a + b for a, b in zip(torque, cross(place, turned_back(matrix, f)))]
    return list(v) + quaternion_rate(q, w) + [a / m for a in force] + [a / b for a, b in zip(torque, J)]


state = [0.0, 0.0, h, 1.0, 0.0, 0.0, 0.0, 1.0, -2.0, 0.5, 4.0, 2.0, 6.0]
check, rows = state, []
for i in range(21):
    t = i / 10
    if i > 0:
        state = extrapolate(rate, (i - 1) / 10, state, t, "1e-13", 10, float)
        check = extrapolate(rate, (i - 1) / 10, check, t, "1e-11", 10, float)
    rows.append([t] + state[:10] + turned(rotation(state[3:7]), state[10:]))
print("two tolerances differ by", agree(state, check, 1e-9))
names = ["x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz"]
write("reference.csv", ["body.platform." + name for name in names], rows, 13)
