"""Reference of the rolling disc: steady precession, exact.

With tilt th, precession P and spin w3 the axis turns about the vertical by psi = P t, the disc about its axis
by phi = (w3 - P cos th) t, and the centre runs on a circle of radius r w3/P. The condition between
th, P and w3 is the balance of moments about the point of contact.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mpf, pi, sin
from reference_tools import write

m, r, grav, th, P = mpf(1), mpf("0.5"), mpf("9.81"), pi / 3, mpf(2)
I1, I3 = m * r**2 / 4, m * r**2 / 2
w3 = (I1 * P**2 * sin(th) - m * grav * r) * cos(th) / ((I3 + m * r**2) * P * sin(th))
own = w3 - P * cos(th)
moment = (I3 + m * r**2) * w3 * P * sin(th) - I1 * P**2 * sin(th) * cos(th) + m * grav * r * cos(th)
assert abs(moment) < mpf("1e-35")

NAMES = ["body.disc." + a for a in ("x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz")]
NAMES += ["joint.ground." + a for a in ("fx", "fy", "fz")]
rows = []
for i in range(41):
    t = mpf(i) / 2
    psi, phi, rho = P * t, own * t, r * w3 / P  # the centre is at rho (-sin psi, cos psi) from that of the circle
    x, y = -rho * sin(psi), r * cos(th) - rho + rho * cos(psi)
    q = [cos(th / 2) * cos((psi + phi) / 2), sin(th / 2) * cos((psi - phi) / 2),
         sin(th / 2) * sin((psi - phi) / 2), cos(th / 2) * sin((psi + phi) / 2)]
    v = [-rho * P * cos(psi), -rho * P * sin(psi), 0]
    axis = [sin(th) * sin(psi), -sin(th) * cos(psi), cos(th)]
    w = [own * axis[0], own * axis[1], P + own * axis[2]]
    # the ground carries the weight and turns the velocity
    force = [-m * P * v[1], m * P * v[0], m * grav]
    rows.append([t, x, y, r * sin(th)] + q + v + w + force)
write("reference.csv", NAMES, rows)
