"""Reference of the swashplate pump: angles of the flywheel, p, and of the plate, q.

A piston at the angle a_i of the circle of bores stands at z_i = -R tan(slant) cos(a_i - q), so that with z' = dz/dq
    J_wheel p'' = -T,   (J_plate + m sum z'^2) q'' + m sum z' z'' q'^2 = T - sum (load z' q' + k_i z) z'
    T = kt (p - q) + dt (p' - q')
integrated by extrapolation in double precision at two tolerances.

Run in this directory: python3 reference.py. Needs mpmath (reference_tools).
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from math import cos, pi, sin, tan
from reference_tools import agree, extrapolate, write

COUNT, R, m = 3, 0.05, 0.2
reach = R * tan(pi / 9)
J_plate, J_wheel, kt, dt = 2e-4, 0.02, 5000.0, 2.0
load, springs = 300.0, [12000.0, 4000.0, 4000.0]
places = [2 * pi * (i + 1) / COUNT for i in range(COUNT)]


def rate(_, y):
    p, q, p_d, q_d = y
    mass, force = J_plate, 0.0
    for place, k in zip(places, springs):
        z, slope = -reach * cos(place - q), -reach * sin(place - q)
        mass += m * slope**2
        force -= (load * slope * q_d + k * z) * slope + m * slope * -z * q_d**2
    torque = kt * (p - q) + dt * (p_d - q_d)
    return [p_d, q_d, -torque / J_wheel, (torque + force) / mass]


state = check = [0.0, 0.0, 100.0, 100.0]
rows = []
for i in range(26):
    t = i / 50
    if i > 0:
        state = extrapolate(rate, (i - 1) / 50, state, t, "1e-13", 10, float)
        check = extrapolate(rate, (i - 1) / 50, check, t, "1e-11", 10, float)
    rows.append([t] + state + [-reach * cos(places[0] - state[1])])
print("two tolerances differ by", agree(state, check, 1e-9))
write("reference.csv", ["wheel", "plate", "wheel_d", "plate_d", "z1"], rows, 13)
