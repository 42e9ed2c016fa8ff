"""Every mechanism file of the models in other units: the same motion in the same steps.

    python3 check_units.py CRANK MODELS [all] [PATTERN]

Each file is rewritten by the dimension of its keys (model_units.py) and run at rtol 1e-6 with tolerances by kinds, rescaled,
by METHODS in two systems of units, which change from model to model (in joint coordinates in that one which changes lengths alone); `all`: by those of MORE, too, and in all of TWINS. Rules:

  end     it ends as in the file's units: finished, or refused with the same words
  steps   it takes as many steps, within 2 % or two steps
  rows    its rows are the same within ten tolerances of the size of their kind of quantity, which is one SI unit plus the
          largest value in any row (outputs: each by itself)
  check   `crank check` says the same

Rounding alone may make larger differences (knots of tables that explicit steps meet by chance, stiff springs at the limit of
stability, decisions near their limits). What it makes shows in units that differ by parts of 1e-11: over DISTURBED such
systems the mean numbers of steps must agree as above, or within three standard errors of their difference, and rows may differ by three times as much as those of either system do.

Equations files do not say what their unknowns are: the unit of each is 1, and tolerances are by groups (docs/formats.md). A
pendulum shows that norms and steps follow those, with powers of h in norms (theory 4.24), too.
"""
# SPDX-License-Identifier: BSD-3-Clause
import glob
import os
import re
import subprocess
import sys
import tempfile

from check_convergence import Checks, Run
from check_random import comparable, kind_of
from model_units import rewrite
from random_units import FORCE, NONE, SI, TORQUE, TWINS, Units, factor

TOL = 1e-6
# in the coordinates that the file asks for, or in joint coordinates
METHODS, MORE = ("psf-radau", "auto", "ggl-radau"), ("auto joint", "ode-dopri8", "psf-radau joint", "ode-dopri8 joint", "ggl-bdf joint")
DISTURBED = 16
PENDULUM = """crank: equations
parameters: {m: %r, L: %r, grav: %r}
positions: {x: {start: L, fixed: true}, y: {start: 0, fixed: true}}
velocities: {vx: {of: x, start: 0}, vy: {of: y, start: 0}}
mass: [[m, 0], [0, m]]
forces: [0, -m*grav]
holonomic: {length: x^2 + y^2 - L^2}
simulate: {t_end: %r, every: %r}
"""
PENDULUM_METHODS = ("psf-radau", "ode-dopri8", "ggl-radau", "index1-radau", "index2-radau", "index3-radau")


def tolerances(units):
    force, work = factor(FORCE, units), factor(TORQUE, units)
    sizes = {"length": units.l, "angle": 1.0, "speed": units.l / units.t, "spin": 1.0 / units.t, "force": force,
             "torque": work, "energy": work}
    return [a for k, size in sizes.items() for a in ("--option", "atol_%s=%r" % (k, TOL * size))]


def crank(command, *arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True, check=False, timeout=300)


class Twin:
    """A model in some units: what `crank check` says, its runs, and runs in units that differ by rounding."""

    def __init__(self, command, path, units):
        self.command, self.path, self.units, self.runs, self.near = command, path, units, {}, {}

    def check(self, *arguments):
        with tempfile.TemporaryDirectory() as place:
            done = crank(self.command, "check", rewrite(self.path, place, self.units), *arguments)
        lines = re.findall(r"^(?:size|freedom|loops|rank|redundant|reactions|derivatives|verdict).*$", done.stdout, re.M)
        # without numbers that are rounding
        return [done.returncode] + [re.sub(r"; smallest singular value.*|(?<=agree with differences) to .*", "", line) for line in lines]

    def run(self, method):
        if method not in self.runs:
            with tempfile.TemporaryDirectory() as place:
                model, out, stats = rewrite(self.path, place, self.units), place + "/out.csv", place + "/stats.json"
                name, *coordinates = method.split()
                way = [a for c in coordinates for a in ("--coordinates", c)]
                done = crank(self.command, "run", model, "--method", name, *way, "--rtol", repr(TOL), "--out", out, "--stats",
                             stats, *tolerances(self.units))
                run = Run(done, out, stats)
            run.at_name = {n: i for i, n in enumerate(run.header)}
            self.runs[method] = run
        return self.runs[method]

    def disturbed(self, method):
        """Mean number of steps, the square of its standard error, and the largest difference of rows."""
        if method not in self.near:
            steps, rows = [], 0.0
            for k in range(1, DISTURBED + 1):
                l, m, t = (1 + k * d for d in (1e-13, 3e-13, 7e-13))
                other = Twin(self.command, self.path, Units(l * self.units.l, m * self.units.m, t * self.units.t))
                run = other.run(method)
                steps.append(run.stats["steps"])
                rows = max(rows, difference(self.run(method), run, Units(l, m, t))[0])
            mean = sum(steps) / DISTURBED
            spread = sum((n - mean) ** 2 for n in steps) / (DISTURBED - 1)
            self.near[method] = mean, spread / DISTURBED, rows
        return self.near[method]


def words(message):
    """Of a refusal, without places and numbers."""
    return re.sub(r"\S*/\S*|[-+]?\b\d+(\.\d+)?(e[-+]?\d+)?\b", "", message)


def columns_of(run):
    """Of each column that is compared: its place, its dimension, and what it shares its size with."""
    for name, i in run.at_name.items():
        if name.startswith(("body.", "joint.", "force.", "energy.")):
            if kind_of(name) is not None:
                yield name, i, kind_of(name), kind_of(name)
        elif name != "time" and not name.startswith(("step.", "residual.")):
            yield name, i, NONE, name


def difference(one, two, units):
    """Largest difference over the size of its kind, and where; two: in units."""
    columns = list(columns_of(one))
    size = {}
    for _, i, _, kind in columns:
        size[kind] = max([size.get(kind, 1.0)] + [1.0 + abs(row[i]) for row in one.rows])
    worst = (0.0, "")
    if len(one.rows) != len(two.rows):
        return float("inf"), "%d rows and %d" % (len(one.rows), len(two.rows))
    for r, (a, b) in enumerate(zip(one.rows, two.rows)):
        for name, i, dimension, kind in columns:
            value = b[two.at_name[name]] / factor(dimension, units)
            d = abs(a[i] - value) / size[kind]
            if not d <= worst[0] and comparable(one, r, name) and comparable(two, r, name):
                worst = (d, " (%s at t = %g: %.9g and %.9g)" % (name, a[0], a[i], value))
    return worst


def alike(steps, other, by_chance=0):
    return abs(other - steps) <= max(2, 0.02 * steps, by_chance)


class Model:
    def __init__(self, checks, path):
        self.checks, self.path = checks, path
        self.name = os.path.relpath(path, checks.models)
        self.plain = Twin(checks.command, path, SI)

    def compare(self, names, methods, joint):
        """joint: the systems of units in which runs in joint coordinates are compared, too"""
        ways = ((), ("--coordinates", "joint"))
        said = [self.plain.check(*way) for way in ways]
        for name in names:
            twin = Twin(self.checks.command, self.path, TWINS[name])
            for way, here in zip(ways, said):
                there = twin.check(*way)
                self.checks.report(there == here, " ".join(("%s in %s: crank check" % (self.name, name), *way, "says the same")) +
                                   ("" if there == here else ": %s, not %s" % (there, here)))
            for method in methods:
                if name in joint or not method.endswith("joint"):
                    self.compare_runs(twin, name, method)

    def compare_runs(self, twin, name, method):
        one, two = self.plain.run(method), twin.run(method)
        label = "%s in %s by %s" % (self.name, name, method)
        if one.status != 0 or two.status != 0:
            same = one.status == two.status and words(one.message) == words(two.message)
            self.checks.report(same, "%s: %s" % (label, "ends alike" if same else "%s; in SI units %s" %
                                                 (two.reason(), one.reason())))
            return
        steps, other, most = one.stats["steps"], two.stats["steps"], 10 * TOL
        off, where = difference(one, two, twin.units)
        by_chance = 0
        if not alike(steps, other):
            (steps, square, _), (other, other_square, _) = self.plain.disturbed(method), twin.disturbed(method)
            by_chance = 3 * (square + other_square) ** 0.5
        for system in (self.plain, twin):
            if off > most:
                most = max(most, 3 * system.disturbed(method)[2])
        self.checks.report(alike(steps, other, by_chance) and off <= most, "%s: %.6g steps and %.6g, rows differ by %.1e%s, limit %.1e" %
                           (label, steps, other, off, where if off > TOL else "", most))


def run_pendulum(command, units, method):
    """Positions, velocities and the multiplier, whose constraint is a square of lengths, at the end; steps."""
    l, m, t = units
    kinds = {"p": l, "v": l / t, "lambda": m / t ** 2}
    with tempfile.TemporaryDirectory() as place:
        model, out, stats = place + "/pendulum.yaml", place + "/out.csv", place + "/stats.json"
        with open(model, "w", encoding="utf-8") as text:
            text.write(PENDULUM % (0.7 * m, 0.4 * l, 9.81 * l / t ** 2, 3 * t, 0.1 * t))
        tolerance = [a for k, size in kinds.items() for a in ("--option", "atol_%s=%r" % (k, TOL * size))]
        run = Run(crank(command, "run", model, "--method", method, "--rtol", repr(TOL), "--out", out, "--stats", stats,
                        *tolerance), out, stats)
    sizes = {"x": l, "y": l, "vx": l / t, "vy": l / t, "lambda.length": m / t ** 2}
    return run, [[row[k] / size for k, size in sizes.items()] for row in map(run.row, range(len(run.rows)))]


def check_pendulum(checks):
    for method in PENDULUM_METHODS:
        one, rows = run_pendulum(checks.command, SI, method)
        for name, units in TWINS.items():
            two, others = run_pendulum(checks.command, units, method)
            steps = [r.stats.get("steps", 0) for r in (one, two)]
            off = max((abs(a - b) / (1 + abs(a)) for x, y in zip(rows, others) for a, b in zip(x, y)), default=1.0)
            good = one.status == two.status == 0 and len(rows) == len(others) and alike(*steps) and off <= 10 * TOL
            checks.report(good, "a pendulum by equations in %s by %s: %d steps and %d, rows differ by %.1e%s" %
                          (name, method, *steps, off, "" if two.status == 0 else ": " + two.reason()))


def is_mechanism(path):
    with open(path, encoding="utf-8") as text:
        return re.search(r"^crank: mechanism", text.read(), re.M)


def main():
    everything = "all" in sys.argv[3:]
    checks = Checks(sys.argv[1], sys.argv[2], "".join(a for a in sys.argv[3:] if a != "all"))
    parts = ("hmmwv/car.yaml",)  # of others, which are run
    paths = [p for p in sorted(glob.glob(checks.path("*/*.yaml"))) if is_mechanism(p) and not p.endswith(parts)]
    names = list(TWINS)
    lengths, others = names[:3], names[3:]
    for i, path in enumerate(paths):
        if checks.wanted(path):
            some = [lengths[i % 3], others[i % 5]]
            Model(checks, path).compare(names if everything else some, METHODS + MORE if everything else METHODS,
                                        names if everything else lengths)
    if checks.wanted("pendulum"):
        check_pendulum(checks)
    checks.finish()


if __name__ == "__main__":
    main()
