"""An arch of N links on two hinges, a loop in joint coordinates.

    python3 make_arch.py N [--t-end T]
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import math

LENGTH = 0.1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--t-end", type=float, default=1.0)
    given = parser.parse_args()
    count, radius = given.count, given.count * LENGTH / math.pi
    ends = [(-radius * math.cos(math.pi * i / count), -radius * math.sin(math.pi * i / count)) for i in range(count + 1)]
    print("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nbodies:")
    for i, ((x, y), (u, v)) in enumerate(zip(ends, ends[1:])):
        print("  l%d: {mass: 0.1, inertia: 1e-4, position: [%.17g, %.17g], angle: %.17g}"
              % (i, (x + u) / 2, (y + v) / 2, math.atan2(v - y, u - x)))
    print("joints:")
    for i, (x, y) in enumerate(ends):
        one, two = ("ground", "l0") if i == 0 else ("ground", "l%d" % (count - 1)) if i == count else ("l%d" % (i - 1), "l%d" % i)
        print("  p%d: {type: revolute, between: [%s, %s], at: [%.17g, %.17g]}" % (i, one, two, x, y))
    print("simulate: {t_end: %g, rtol: 1e-6, atol: 1e-6}" % given.t_end)


main()
