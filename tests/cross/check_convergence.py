"""What the models must show beyond single runs: errors that fall with the tolerance, constraints
and invariants over a long time, redundant constraints, dense against sparse, singular positions.

    python3 check_convergence.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with
"N passed, N failed"; exit 1 if any failed. PATTERN keeps the checks whose label contains it.
Needs Python 3 alone.

Errors are |x - reference|/(1 + |reference|), the largest of a group, at several ends: a single one may be
small by chance. With rtol = atol = tol the least-squares slope of log error over log tol, where errors
are above a floor, is at least 2/3: the estimate is of order 4 (h ~ tol'^(1/4)) and tolerances are
transformed (tol' ~ tol^(2/3)), so that a method of order k has errors ~ tol^(k/6): 5/6 for Radau IIA, 1/2 if two
orders were lost; the limit lies between. There is no upper limit: steeper only says that the loose
runs are less accurate than the tight ones, and they have a limit of their own. Every error is at most 1000
tol or below the floor: 1e-11, multipliers 1e-9.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

DENSE = ("--option", "linear_algebra=dense")
SPARSE = ("--option", "linear_algebra=sparse")
CARRY = SPARSE + ("--option", "accelerations=carry")
WORDS = {DENSE: "dense", SPARSE: "sparse", CARRY: "sparse, accelerations carried", (): "default",
         ("--method", "gmkssol"): "gmkssol"}
FLOOR, MULTIPLIER_FLOOR = 1e-11, 1e-9
SLOPE = 2 / 3
FACTOR = 1000  # errors are at most FACTOR tol

ANDREWS, ELASTIC = "andrews/andrews.yaml", "elastic-slider-crank/elastic-slider-crank.yaml"
ACADEMIC, SKATEBOARD = "academic/academic.yaml", "skateboard/skateboard.yaml"
# psf-radau: model, end times, exponents of the tolerances, realisation, whether slopes are checked. The
# academic example: a dozen steps whose length Newton's iteration bounds are 100 times more
# accurate than 1e-3 and 1e-4 ask for, which makes the slope flat.
SWEEPS = [
    (ANDREWS, (0.01, 0.02, 0.03), range(4, 12), DENSE, True),
    (ANDREWS, (0.01, 0.02, 0.03), range(4, 12), CARRY, True),
    (ELASTIC, (0.1,), range(4, 12), DENSE, True),
    (ELASTIC, (0.1,), range(4, 12), CARRY, True),
    (ACADEMIC, (0.5, 1, 1.5), range(3, 12), DENSE, False),
    (ACADEMIC, (1.5,), range(3, 12), SPARSE, False),
    (SKATEBOARD, (10,), range(4, 12), DENSE, False),
    (SKATEBOARD, (10,), range(4, 12), SPARSE, False),
]
# end times for comparing realisations where the model's own is too long for a comparison: phase
# errors grow with time
SHORTER = {"pendulum/pendulum-energy.yaml": 10}
SINGULAR = "slider-crank/singular.yaml"


class Checks:
    def __init__(self, command, models, pattern=""):
        self.command, self.models, self.pattern = command, models, pattern
        self.passed = self.failed = 0

    def wanted(self, label):
        return self.pattern in label

    def report(self, good, text):
        print("%-4s %s" % ("ok" if good else "FAIL", text), flush=True)
        self.passed += bool(good)
        self.failed += not good

    def limit(self, label, what, value, limit):
        self.report(value <= limit, "%s: %s %.1e, limit %.0e" % (label, what, value, limit))

    def finish(self):
        print("%d passed, %d failed" % (self.passed, self.failed))
        sys.exit(1 if self.failed or not self.passed else 0)

    def path(self, name):
        return os.path.join(self.models, name)

    def check(self, model):
        """The report of crank check."""
        done = subprocess.run([self.command, "check", self.path(model)], capture_output=True,
                              text=True, check=False, timeout=120)
        return done.returncode, done.stdout

    def run(self, model, *arguments, timeout=3600):
        with tempfile.TemporaryDirectory() as place:
            out, stats = os.path.join(place, "out.csv"), os.path.join(place, "stats.json")
            line = [self.command, "run", self.path(model), "--out", out, "--stats", stats]
            done = subprocess.run(line + list(arguments), capture_output=True, text=True,
                                  check=False, timeout=timeout)
            return Run(done, out, stats)


class Run:
    """Exit status, messages, columns, rows of numbers, statistics."""

    def __init__(self, done, out, stats):
        self.status, self.message = done.returncode, done.stderr.strip()
        self.header, self.rows = read_csv(out) if os.path.exists(out) else ([], [])
        self.stats = {}
        if os.path.exists(stats):
            with open(stats, encoding="utf-8") as text:
                self.stats = json.load(text)

    def reached(self, t):
        return self.status == 0 and self.rows and abs(self.rows[-1][0] - t) <= 1e-12 * abs(t)

    def row(self, i):
        """Values of the model by name, without those of the step and the residuals."""
        return {name: value for name, value in zip(self.header, self.rows[i])
                if not name.startswith(("step.", "residual."))}

    def at(self, t):
        return next(dict(zip(self.header, r)) for r in self.rows if abs(r[0] - t) <= 1e-9)

    def columns(self, *names):
        """Per row, the values of these columns."""
        where = [self.header.index(name) for name in names]
        return [[row[i] for i in where] for row in self.rows]

    def reason(self):
        message = self.message[-300:].replace("\n", " | ")
        return "exit %d, %d rows: %s" % (self.status, len(self.rows), message)


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as text:
        lines = list(csv.reader(text))
    return lines[0], [[float(a) for a in line] for line in lines[1:] if line]


def reference_rows(checks, model, name="reference.csv"):
    header, rows = read_csv(checks.path(os.path.join(os.path.dirname(model), name)))
    return [dict(zip(header, row)) for row in rows]


def reference_at(checks, model, t):
    rows = reference_rows(checks, model)
    return next(row for row in rows if abs(row["time"] - t) <= 1e-12 * max(1.0, abs(t)))


def tolerance(tol):
    return "--rtol", repr(tol), "--atol", repr(tol)


def error_of(value, expected):
    return abs(value - expected) / (1 + abs(expected))


def largest(values):
    """The maximum; NaN if there is one."""
    values = list(values)
    return math.nan if any(math.isnan(v) for v in values) else max(values)


def largest_named(pairs):
    """The pair (value, name) with the largest value; one with NaN if there is one."""
    return max(pairs, key=lambda pair: (math.isnan(pair[0]), pair[0]))


def slope(points):
    """Of the least-squares line through (log tol, log error)."""
    x, y = [math.log(p[0]) for p in points], [math.log(p[1]) for p in points]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def section_names(path, section):
    """The keys of a section of a model file, one to a line."""
    names, inside = [], False
    with open(path, encoding="utf-8") as text:
        for line in text:
            inside = line.startswith(section + ":") or (inside and line[:1] in " #\n")
            key = re.match(r"  (\w+):", line) if inside else None
            names += [key.group(1)] if key else []
    return names


def groups_of(checks, model, columns):
    """Name of the group, floor of its errors, its columns."""
    positions = section_names(checks.path(model), "positions")
    velocities = section_names(checks.path(model), "velocities")
    kinds = {name: "positions" for name in positions}
    kinds.update({name: "velocities" for name in velocities})
    groups = {}
    for name in columns:
        multiplier = name.startswith(("lambda.", "mu."))
        kind = "multipliers" if multiplier else kinds.get(name, "other unknowns")
        if name != "time":
            groups.setdefault(kind, []).append(name)
    return [(kind, MULTIPLIER_FLOOR if kind == "multipliers" else FLOOR, names)
            for kind, names in groups.items()]


def check_sweep(checks, sweep):
    """Errors at the ends over tolerances: the slope and the factor to the tolerance."""
    model, ends, exponents, realisation, with_slope = sweep
    label = "%s convergence, %s" % (model, WORDS[realisation])
    if not checks.wanted(label):
        return
    expected = {t_end: reference_at(checks, model, t_end) for t_end in ends}
    groups = groups_of(checks, model, expected[ends[0]])
    points = {kind: [] for kind, _, _ in groups}
    for exponent in exponents:
        tol = float("1e-%d" % exponent)
        runs = {t_end: checks.run(model, "--t-end", repr(t_end), "--points", "1", *tolerance(tol),
                                  "--method", "psf-radau", *realisation) for t_end in ends}
        for t_end, run in runs.items():
            if not run.reached(t_end):
                checks.report(False, "%s tol=%g: %s" % (label, tol, run.reason()))
                return
        for kind, _, names in groups:
            points[kind].append((tol, largest(error_of(run.row(-1)[n], expected[t_end][n])
                                              for t_end, run in runs.items() for n in names)))
    for kind, floor, _ in groups:
        errors = " ".join("%.1e" % error for _, error in points[kind])
        ratio = largest(error / tol if error > floor else 0.0 for tol, error in points[kind])
        checks.report(ratio <= FACTOR, "%s: %s off by at most %.2g tol, limit %d tol: %s"
                      % (label, kind, ratio, FACTOR, errors))
        above = [point for point in points[kind] if point[1] > floor]
        if with_slope:
            rate = slope(above) if len(above) >= 3 else math.nan
            checks.report(rate >= SLOPE, "%s: slope of %s %.2f over %d tolerances, at least %.2f"
                          % (label, kind, rate, len(above), SLOPE))


def check_skateboard(checks):
    """The nonholonomic constraints, also computed from the columns, are round-off on every row."""
    for realisation in (DENSE, SPARSE):
        label = "%s wheels roll, %s" % (SKATEBOARD, WORDS[realisation])
        if not checks.wanted(label):
            continue
        run = checks.run(SKATEBOARD, "--every", "0.013", *realisation)
        if not run.reached(10):
            checks.report(False, "%s: %s" % (label, run.reason()))
            continue
        worst = 0.0
        for x1, y1, x2, y2, th, u1, w1, u2, w2 in run.columns(
                "x1", "y1", "x2", "y2", "theta", "x1_d", "y1_d", "x2_d", "y2_d"):
            for angle, u, w in ((math.pi / 2 - 11 * th, u1, w1), (math.pi / 2 + 11 * th, u2, w2)):
                dx, dy, c, s = x1 - x2, y1 - y2, math.cos(angle), math.sin(angle)
                worst = largest((worst, abs((dx * c - dy * s) * u + (dx * s + dy * c) * w)))
        checks.limit(label, "nonholonomic residual of %d rows" % len(run.rows), worst, 1e-12)
        checks.limit(label, "max_residual_velocity", run.stats["max_residual_velocity"], 1e-12)


def pendulum_levels(run):
    """Largest residuals of position, velocity, acceleration; the last relative to its terms."""
    position = velocity = acceleration = 0.0
    for x, y, u, v, force in run.columns("x", "y", "vx", "vy", "lambda.length"):
        position = largest((position, abs(x * x + y * y - 1)))
        velocity = largest((velocity, abs(2 * (x * u + y * v))))
        terms = (u * u, v * v, -2 * x * x * force, -13.75 * y, -2 * y * y * force)
        acceleration = largest((acceleration, abs(sum(terms)) / sum(abs(a) for a in terms)))
    return ("position", position, 1e-12), ("velocity", velocity, 1e-12), \
           ("acceleration", acceleration, 1e-10)


def check_pendulum(checks):
    """1000 s at 1e-7: all levels on every row, step ends and rows between; the energy as invariant.

    Near the turning points, here where the speed is below 0.05 of 5.2, its gradient vanishes."""
    for model, energy_kept in (("pendulum/pendulum.yaml", False),
                               ("pendulum/pendulum-energy.yaml", True)):
        for rows in (("--steps",), ("--every", "0.037")):
            label = "%s t=1000 rtol=1e-07 %s" % (model, " ".join(rows))
            if not checks.wanted(label):
                continue
            run = checks.run(model, "--t-end", "1000", *tolerance(1e-7), *rows)
            if not run.reached(1000):
                checks.report(False, "%s: %s" % (label, run.reason()))
                continue
            for level, value, limit in pendulum_levels(run):
                checks.limit(label, "%s residual of %d rows" % (level, len(run.rows)), value, limit)
            if energy_kept:
                check_energy(checks, label, run)


def check_energy(checks, label, run):
    first, elsewhere, turning = None, 0.0, 0.0
    for y, u, v in run.columns("y", "vx", "vy"):
        energy = (u * u + v * v) / 2 + 13.75 * y
        first = energy if first is None else first
        if math.hypot(u, v) < 0.05 * 5.2:
            turning = largest((turning, abs(energy - first)))
        else:
            elsewhere = largest((elsewhere, abs(energy - first)))
    checks.limit(label, "energy off by", elsewhere, 1e-11)
    checks.limit(label, "energy near turning points off by", turning, 1e-8)


def check_redundant(checks):
    """The motion is that of the regular mechanism: at rtol 1e-9 over [0, 5] within 1e-6."""
    arguments = ("--t-end", "5", "--every", "0.05", *tolerance(1e-9))
    names = ("p1", "p2", "v1", "v2")
    regular = checks.run("slider-crank/slider-crank.yaml", *arguments)
    for model in ("slider-crank/redundant.yaml", "slider-crank/duplicated.yaml"):
        for realisation in ((), CARRY, ("--method", "gmkssol")):
            label = "%s motion, %s" % (model, WORDS[realisation])
            if not checks.wanted(label):
                continue
            run = checks.run(model, *arguments, *realisation)
            if not run.reached(5) or len(run.rows) != len(regular.rows):
                checks.report(False, "%s: %s" % (label, run.reason()))
                continue
            worst = largest(abs(a - b) for mine, theirs in
                            zip(run.columns(*names), regular.columns(*names))
                            for a, b in zip(mine, theirs))
            checks.limit(label, "%d rows differ from the regular ones by" % len(run.rows), worst,
                         1e-6)


def check_four_joint(checks):
    """Against the exact parallelogram motion, which stays away from the singular position."""
    model = "four-joint/four-joint.yaml"
    for realisation in ((), CARRY, ("--method", "gmkssol")):
        label = "%s, %s" % (model, WORDS[realisation])
        if not checks.wanted(label):
            continue
        run = checks.run(model, "--t-end", "5", "--every", "0.1", *tolerance(1e-9), *realisation)
        if not run.reached(5):
            checks.report(False, "%s: %s" % (label, run.reason()))
            continue
        for expected in reference_rows(checks, model):
            row = run.at(expected["time"])
            worst = largest(error_of(row[name], value) for name, value in expected.items())
            checks.limit(label, "t=%g off by" % expected["time"], worst, 1e-6)


def not_unique(report):
    """The multipliers that the report of crank check calls not unique."""
    line = next((a for a in report.split("\n") if a.startswith("multipliers")), "")
    return set(re.findall(r"(?:lambda|mu)\.\w+", line)) if "not unique" in line else set()


def redundant_rows(report):
    """The rows that open a line of the report's part "redundant"."""
    part = re.search(r"^redundant .*\n(?: .*\n)*", report, re.MULTILINE)
    text = part.group() if part else ""
    return set(re.findall(r'^\S* +holonomic "(\w+)"', text, re.MULTILINE))


def check_reports(checks):
    """crank check lists the dependent rows and the multipliers that are not unique."""
    # model, rows that may be called dependent, how many are, multipliers that are not unique
    four = {"middle_x", "middle_y", "end_x", "end_y"}
    for model, rows, count, multipliers in (
            ("slider-crank/slider-crank.yaml", set(), 0, set()),
            ("slider-crank/redundant.yaml", {"nothing1", "nothing2"}, 2, {"nothing1", "nothing2"}),
            ("slider-crank/duplicated.yaml", {"slider", "again"}, 1, {"slider", "again"}),
            ("four-joint/four-joint.yaml", four, 1, four)):
        label = "%s crank check" % model
        if not checks.wanted(label):
            continue
        status, report = checks.check(model)
        found, open_ones = redundant_rows(report), not_unique(report)
        checks.report(status == 0 and len(found) == count and found <= rows,
                      "%s: dependent rows %s, expected %d of %s"
                      % (label, sorted(found), count, sorted(rows)))
        checks.report(open_ones == {"lambda." + name for name in multipliers},
                      "%s: multipliers not unique %s" % (label, sorted(open_ones)))


def kind_of(path):
    """What the file is: equations or mechanism."""
    with open(path, encoding="utf-8") as text:
        return re.search(r"^crank:\s*(\w+)", text.read(), re.MULTILINE).group(1)


def check_realisations(checks):
    """Dense and sparse agree at the end of every equations model within 1e-6 at rtol 1e-10: each is off by at most 1000
    tolerances, a tenth of that."""
    paths = sorted(glob.glob(os.path.join(checks.models, "*", "*.yaml")))
    paths = [path for path in paths if kind_of(path) == "equations"]
    for model in (os.path.relpath(path, checks.models).replace(os.sep, "/") for path in paths):
        label = "%s dense and sparse" % model
        if model == SINGULAR or not checks.wanted(label):
            continue
        # the published options (method geoms) ask for dense decompositions
        arguments = ["--method", "psf-radau", "--points", "1", *tolerance(1e-10)]
        arguments += ["--t-end", repr(SHORTER[model])] if model in SHORTER else []
        dense, sparse = (checks.run(model, *arguments, *a) for a in (DENSE, SPARSE))
        if sparse.status != 0 and "accelerations=carry" in sparse.message:  # M is not diagonal
            sparse = checks.run(model, *arguments, *CARRY)
        if dense.status != 0 or sparse.status != 0:
            checks.report(False, "%s: dense %s; sparse %s"
                          % (label, dense.reason(), sparse.reason()))
            continue
        skipped = not_unique(checks.check(model)[1])
        one, other = dense.row(-1), sparse.row(-1)
        forces = max((abs(one[name]) for name in one if name.startswith("lambda.")), default=0.0)
        worst, where = largest_named(  # multipliers against the largest of them
            (abs(other[name] - one[name]) / (1 + forces) if name.startswith("lambda.")
             else error_of(other[name], one[name]), name) for name in one if name not in skipped)
        checks.limit(label, "ends at t=%g, %s, differ by" % (one["time"], where), worst, 1e-6)


def check_singular(checks):
    """Exit 1 within 2e-3 of the singular position, the row named, the trajectory on disk."""
    place = reference_rows(checks, SINGULAR, "reference-singular.csv")[0]
    for realisation in (DENSE, CARRY, ("--method", "gmkssol")):
        for exponent in range(4, 11):
            tol = float("1e-%d" % exponent)
            label = "%s %s rtol=%g" % (SINGULAR, WORDS[realisation], tol)
            if not checks.wanted(label):
                continue
            run = checks.run(SINGULAR, *tolerance(tol), "--every", "0.01", *realisation)
            reason = run.message.split("\n", maxsplit=1)[0]
            if run.status != 1 or not run.rows:
                checks.report(False, "%s: expected exit 1: %s" % (label, run.reason()))
                continue
            reached = run.stats["t_reached"]
            checks.limit(label, "stopped at %.6f, from the singular position" % reached,
                         abs(reached - place["time"]), 2e-3)
            checks.report('"slider"' in reason, "%s: names the dependent row: %s" % (label, reason))
            last = run.row(-1)
            kept = len(run.rows) >= 1 + int(reached / 0.01) and last["time"] == reached
            before = 1.5468 * (place["time"] - last["time"])  # p1 moves with this speed there
            near = abs(last["p1"] - place["p1"] - before) <= 1e-3
            checks.report(kept and near, "%s: %d rows on disk, the last at %.6f with p1 = %.4f"
                          % (label, len(run.rows), last["time"], last["p1"]))


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    checks = Checks(*sys.argv[1:])
    for sweep in SWEEPS:
        check_sweep(checks, sweep)
    for part in (check_skateboard, check_pendulum, check_redundant, check_four_joint,
                 check_reports, check_realisations, check_singular):
        part(checks)
    checks.finish()


if __name__ == "__main__":
    main()
