"""Reference of the doors: a physical pendulum, exact; reactions where equilibrium determines them.

    J theta'' = -m l grav sin(lean) sin theta,  J = m l^2 + m (width^2 + thickness^2)/12,  l = width/2
    sin(theta/2) = k sn(K + w t, k), theta' = 2 k w cn(K + w t, k),  k = sin(opening/2), w^2 = m l grav sin(lean)/J
With r along the door, t across it, z along the hinges, and heights h_i of the hinges above the middle,
    sum f_r = -m l theta'^2 - m grav_r      sum h_i f_r,i = -l sum f_z
    sum f_t =  m l theta'' - m grav_t       sum h_i f_t,i = 0          sum f_z = m grav cos(lean)
which are the five equations there are. Two hinges without torques: forces along r and t follow.

Run in this directory: python3 reference.py. Needs mpmath. Also writes ../door-three-hinges/reference.csv.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import asin, cos, ellipfun, ellipk, mpf, pi, sin, sqrt
from reference_tools import write

grav, lean, opening = mpf("9.81"), pi / 9, 2 * pi / 3
width, height, thickness, m = mpf("0.9"), mpf(2), mpf("0.04"), mpf(25)
l = width / 2
J = m * l**2 + m * (width**2 + thickness**2) / 12
k, w = sin(opening / 2), sqrt(m * l * grav * sin(lean) / J)
lower, upper = mpf("0.3") - height / 2, mpf("1.7") - height / 2

two, three = [], []
for i in range(21):
    t = mpf(i) / 2
    u = ellipk(k**2) + w * t
    theta, rate = 2 * asin(k * ellipfun("sn", u, m=k**2)), 2 * k * w * ellipfun("cn", u, m=k**2)
    acceleration = -w**2 * sin(theta)
    along = -m * l * rate**2 - m * grav * sin(lean) * cos(theta)
    across = m * l * acceleration + m * grav * sin(lean) * sin(theta)
    up = m * grav * cos(lean)
    turn = -l * up
    # f_1 + f_2 = sum, h_1 f_1 + h_2 f_2 = moment
    pair = [((along * upper - turn) / (upper - lower), across * upper / (upper - lower)),
            ((turn - along * lower) / (upper - lower), -across * lower / (upper - lower))]
    world = [(a * cos(theta) - b * sin(theta), a * sin(theta) + b * cos(theta)) for a, b in pair]
    total = (along * cos(theta) - across * sin(theta), along * sin(theta) + across * cos(theta))
    two.append([t, theta, rate, world[0][0], world[0][1], world[1][0], world[1][1], up])
    three.append([t, theta, rate, total[0], total[1], up])
write("reference.csv", ["theta", "body.door.wz", "joint.lower.fx", "joint.lower.fy", "joint.upper.fx",
                        "joint.upper.fy", "sum.fz"], two)
write("../door-three-hinges/reference.csv", ["theta", "body.door.wz", "sum.fx", "sum.fy", "sum.fz"], three)
