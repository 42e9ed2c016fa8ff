"""Random mechanisms (random_mechanism.py) in joint coordinates against absolute ones, by psf-radau.

    python3 check_coordinates_random.py CRANK FIRST LAST [--also SEED ...] [--keep DIR]

Seeds FIRST to LAST, and some others. Rules:

  finish   both finish, or neither does
  agree    rows differ by at most 1000 tolerances of the size of their kind of quantity (check_random.py), or by less than
           0.15 of that where both run at 1e-10 (FALLS, the order of multipliers): errors of the method, not of equations; motions
           so irregular that absolute coordinates alone are as far apart at the two tolerances must finish, no more

Friction under loads that redundant constraints leave open is a matter of the method, as crank warns in both: such motions must
finish, no more. Seeds that break a rule are listed, --keep writes their files; exit 1 if there are any. Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import os
import sys
import tempfile

from check_convergence import Checks, tolerance
from check_random import DIFFERENCE, FALLS, OPEN, TIGHT, TOLERANCE, comparable, kind_of
from random_mechanism import generate


class Pair:
    """A mechanism in both coordinates."""

    def __init__(self, checks, model, tol):
        arguments = ("--method", "psf-radau", *tolerance(tol))
        self.runs = [checks.run(model, *arguments, "--coordinates", c) for c in ("absolute", "joint")]
        for run in self.runs:
            run.at_name = {name: i for i, name in enumerate(run.header)}

    def differ(self):
        return differ(*self.runs)


def differ(one, two):
    """largest difference beside the size of its kind, and what differs"""
    if len(one.rows) != len(two.rows) or one.header != two.header:
        return float("inf"), "%d rows, %d in joint coordinates" % (len(one.rows), len(two.rows))
    kinds = [(i, kind_of(name)) for i, name in enumerate(one.header) if kind_of(name) is not None]
    size = {}
    for row in one.rows:
        for i, kind in kinds:
            size[kind] = max(size.get(kind, 1.0), 1.0 + abs(row[i]))
    worst = (0.0, "")
    for k, (a, b) in enumerate(zip(one.rows, two.rows)):
        for i, kind in kinds:
            if comparable(one, k, one.header[i]):
                worst = max(worst, (abs(a[i] - b[i]) / size[kind], one.header[i]))
    return worst


def check(checks, seed, model):
    """None, or the rule that is broken; then what was found"""
    pair = Pair(checks, model, TOLERANCE)
    status = [run.status for run in pair.runs]
    if status != [0, 0]:
        broken = None if 0 not in status else "finish"
        return broken, pair.runs[status.index(max(status))].reason()
    if OPEN in pair.runs[0].message:
        return None, "open loads"
    value, column = pair.differ()
    if value <= DIFFERENCE:
        return None, "%s differs by %.1e" % (column, value)
    closer = Pair(checks, model, TIGHT)
    tight = closer.differ()
    limit = FALLS * value
    if tight[0] > limit and differ(pair.runs[0], closer.runs[0])[0] > limit:
        return None, "%s differs by %.1e: irregular, in absolute coordinates as much between two tolerances" % (column, value)
    return (None if tight[0] <= limit else "agree",
            "%s differs by %.1e, at 1e-10 by %.1e, at most %.1e" % (column, value, tight[0], limit))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("crank")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--also", type=int, nargs="*", default=[])
    parser.add_argument("--keep")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        checks = Checks(given.crank, place)
        for seed in [*range(given.first, given.last + 1), *given.also]:
            name, text = "%d.yaml" % seed, generate(seed)
            with open(os.path.join(place, name), "w", encoding="utf-8") as out:
                out.write(text)
            broken, found = check(checks, seed, name)
            checks.report(broken is None, "%d: %s%s" % (seed, broken + ": " if broken else "", found))
            if broken and given.keep:
                with open(os.path.join(given.keep, name), "w", encoding="utf-8") as out:
                    out.write(text)
        checks.finish()


if __name__ == "__main__":
    sys.exit(main())
