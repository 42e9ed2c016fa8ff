"""Reference of the skate on an inclined plane, exact (Neimark and Fufaev).

Heading w t; along the blade v' = grav sin(slope) cos(w t), so v = grav sin(slope) sin(w t)/w; the blade carries
2 m grav sin(slope) sin(w t) sideways.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mpf, sin
from reference_tools import write

m, w = mpf(3), mpf(2)
pull = mpf("9.81") * sin(mpf("0.8"))
rows = []
for i in range(11):
    a = w * i
    v, side = pull * sin(a) / w, 2 * m * pull * sin(a)
    rows.append([i, pull * sin(a)**2 / (2 * w**2), pull * (a - sin(2 * a) / 2) / (2 * w**2), cos(a / 2),
                 sin(a / 2), v * cos(a), v * sin(a), -side * sin(a), side * cos(a)])
write("reference.csv", ["body.skate.x", "body.skate.y", "body.skate.q0", "body.skate.q3", "body.skate.vx",
                        "body.skate.vy", "joint.blade.fx", "joint.blade.fy"], rows)
