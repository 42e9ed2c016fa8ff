"""A chain of N point masses on massless rods as a crank equations file, written to stdout.

    python3 make_chain.py N [--bend ANGLE] [--t-end T] > chain.yaml

Masses of 1 kg, rods of 1 m, hung at the origin, at rest. Rod i points ANGLE*i/N below the horizontal
(default 0.1 rad). Needs nothing but Python 3.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import math


def chain(count, bend, t_end):
    lines = ["# %d point masses on massless rods, hung at the origin; made by make_chain.py %d." % (count, count),
             "crank: equations", "title: Chain of %d point masses" % count, "parameters: {m: 1, L: 1, grav: 9.81}", "positions:"]
    x = y = 0.0
    for i in range(1, count + 1):
        x += math.cos(bend * i / count)
        y -= math.sin(bend * i / count)
        lines += ["  x%d: {start: %.17g}" % (i, x), "  y%d: {start: %.17g}" % (i, y)]
    lines.append("velocities:")
    for i in range(1, count + 1):
        lines += ["  vx%d: {of: x%d, start: 0}" % (i, i), "  vy%d: {of: y%d, start: 0}" % (i, i)]
    lines += ["mass:", "  diagonal:"] + ["    - m"] * (2 * count)
    lines += ["forces:"] + ["  - 0", "  - -m*grav"] * count
    lines += ["holonomic:", "  rod1: x1^2 + y1^2 - L^2"]
    for i in range(2, count + 1):
        lines.append("  rod%d: (x%d - x%d)^2 + (y%d - y%d)^2 - L^2" % (i, i, i - 1, i, i - 1))
    lines.append("simulate: {t_end: %g, rtol: 1e-6, atol: 1e-6, points: 50}" % t_end)
    lines += ["view:", "  bodies:"]
    for i in range(1, count + 1):
        lines.append('    mass%d: {x: x%d, y: y%d, color: "#f58518", shapes: [{sphere: 0.18}]}' % (i, i, i))
    points = ", ".join("[x%d, y%d]" % (i, i) for i in range(1, count + 1))
    lines += ["  lines:", '    rods: {points: [[0, 0], %s], width: 0.06, color: "#4c78a8"}' % points,
              "  plots: [[x%d, y%d], [lambda.rod1]]" % (count, count), "  phase: [[x%d, y%d]]" % (count, count)]
    return "\n".join(lines)


parser = argparse.ArgumentParser(description="a chain of point masses as a crank equations file")
parser.add_argument("count", type=int, metavar="N")
parser.add_argument("--bend", type=float, default=0.1, help="angle of the last rod below the horizontal, rad")
parser.add_argument("--t-end", type=float, default=1.0, help="end time, s")
arguments = parser.parse_args()
if arguments.count < 1:
    parser.error("N must be at least 1")
print(chain(arguments.count, arguments.bend, arguments.t_end))
