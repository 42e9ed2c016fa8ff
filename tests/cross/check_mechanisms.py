"""Models from bodies and joints against their references and against the same mechanisms as equations.

    python3 check_mechanisms.py CRANK MODELS [short|long|all] [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with
"N passed, N failed"; exit 1 if any failed. PATTERN keeps the models whose label contains it.
Needs Python 3 alone.

SERIES: a run against a reference series, its columns at all its times. Errors are
|x - reference|/(1 + |reference|). With it: residuals of position and velocity level at round-off
(1e-12 of the row's scale), and the energy balance kinetic + potential + dissipated - supplied,
relative to the largest kinetic energy. A new model is one line more.
PAIRS: mechanism against equations file.
REALISATIONS: dense against sparse linear algebra.
LOOSE: redundant models keep their rank and their rows at loose tolerances, too.
STRUCTURE: what `crank check` must say.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import random
import re
import subprocess
import sys

from check_convergence import DENSE, SPARSE, Checks, largest, largest_named, read_csv, tolerance

RESIDUAL = 1e-12


class Series:
    """Model, reference, rtol = atol, limit of the error, of the energy balance, further arguments of the command."""

    def __init__(self, model, reference="reference.csv", tol=1e-10, limit=1e-6, energy=1e-7, further=()):
        self.model, self.reference, self.tol, self.limit = model, reference, tol, limit
        self.energy, self.further = energy, tuple(further)

    def label(self):
        return "%s %s %s" % (self.model, self.reference, " ".join(self.further))


def turned(seed):
    """A rotation at random, all directions alike."""
    draw = random.Random(seed)
    return [word for i in range(4) for word in ("--set", "q%d=%.6f" % (i, draw.gauss(0, 1)))]


# the five IFToMM problems (specs: 1e-6, the pendulum over 2000 s: 1e-3), then others
SERIES = [
    Series("iftomm-pendulum/iftomm-pendulum.yaml"),
    Series("iftomm-pendulum/bar.yaml"),
    Series("iftomm-pendulum/iftomm-pendulum.yaml", "reference-2000.csv", limit=1e-3,
           further=("--set", "x0=1"), energy=1e-5),
    Series("four-bar/four-bar.yaml", "reference-2.csv"),
    Series("four-bar/four-bar.yaml", "reference-40.csv", further=("--set", "N=40")),
    Series("andrews-mechanism/andrews-mechanism.yaml"),
    Series("bricard/bricard.yaml"),
    Series("flyball-governor/flyball-governor.yaml"),
    Series("spatial-slider-crank/spatial-slider-crank.yaml"),
    Series("four-bar-3d/four-bar-3d.yaml"),
    Series("four-bar-3d/four-bar-3d.yaml", further=turned(1)),
    Series("four-bar-3d/four-bar-3d.yaml", further=turned(2)),
    Series("four-bar-3d/four-bar-3d.yaml", further=turned(3)),
    Series("double-pendulum/double-pendulum.yaml"),
]

# mechanism, its arguments, equations file, end time, columns (equations: mechanism, "-": with the other sign). The
# multipliers of loops are the reactions of the joints that close them.
PAIRS = [
    ("iftomm-pendulum/iftomm-pendulum.yaml",
     ("--set", "grav=13.75", "--set", "x0=0", "--set", "y0=-1", "--set", "vx0=5.24411510858424"),
     "pendulum/pendulum.yaml", 10, {"x": "x", "y": "y", "vx": "body.bob.vx", "vy": "body.bob.vy"}),
    ("slider-crank/mechanism.yaml", (), "slider-crank/slider-crank.yaml", 10,
     {"p1": "p1", "p2": "p2", "v1": "v1", "v2": "v2", "x": "x", "lambda.slider": "-joint.guide.fy"}),
    ("andrews-mechanism/andrews-mechanism.yaml", ("--set", "beta0=-0.0617138900142764496358948458001"),
     "andrews/andrews.yaml", 0.03,
     {**{name + rate: name + rate for name in ("beta", "theta", "gamma", "phi", "delta", "omega", "eps")
         for rate in ("", "_d")},
      **{"lambda.loop%d_%s" % (i + 1, axis): "joint.E%s.f%s" % (body, axis)
         for i, body in enumerate("346") for axis in "xy"}}),
]
PAIR_TOLERANCE, PAIR_LIMIT, PAIR_POINTS = 1e-9, 1e-6, 100

LOOSE = [("bricard/bricard.yaml", ()), ("four-bar-3d/four-bar-3d.yaml", turned(2))]
LOOSE_TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5)

ONE_FREEDOM = r"freedom +1 degree of freedom in position"
# model, what the report of `crank check` must contain: regular expressions
STRUCTURE = [
    ("four-bar/four-bar.yaml", (ONE_FREEDOM, r"redundant +none", r"loops +2 ")),
    ("bricard/bricard.yaml",
     (ONE_FREEDOM, r"rank +29 of 30", r'redundant +joint "P\d": \w+ (about|along) \w+ repeats [^\n]+',
      r"consistent: they agree", r'not unique: joint "P\d": [^\n]+')),
    ("four-bar-3d/four-bar-3d.yaml", (ONE_FREEDOM, r"rank +17 of 20", r"consistent: they agree")),
    ("andrews-mechanism/andrews-mechanism.yaml", (ONE_FREEDOM, r"redundant +none", r"loops +3 ")),
    ("spatial-slider-crank/spatial-slider-crank.yaml", (ONE_FREEDOM, r"rank +17 of 17", r"redundant +none")),
    ("iftomm-pendulum/bar.yaml", (ONE_FREEDOM, r'body "bar" has no mass')),
]


# models of which dense and sparse linear algebra must give the same columns, within 1e-6 at rtol 1e-9; on the governor auto
# would be psf-radau with dense and index2-radau, projected, with sparse matrices, whose forces of stiff dampers are off by 1e-5
REALISATIONS = [("iftomm-pendulum/iftomm-pendulum.yaml", ()), ("andrews-mechanism/andrews-mechanism.yaml", ()),
                ("bricard/bricard.yaml", ()), ("flyball-governor/flyball-governor.yaml", ("--method", "psf-radau")),
                ("four-bar/four-bar.yaml", ()), ("four-bar-3d/four-bar-3d.yaml", ())]


def energy_error(run):
    """Largest change of the balance over the largest kinetic energy; what events take or give (between two rows of
    one time) is left out."""
    signs = {"energy.kinetic": 1, "energy.potential": 1, "energy.dissipated": 1, "energy.supplied": -1}
    there = {name: sign for name, sign in signs.items() if name in run.header}
    if "energy.kinetic" not in there or "energy.potential" not in there:
        return float("nan")
    rows = run.columns(*there)
    balance = [sum(sign * value for sign, value in zip(there.values(), row)) for row in rows]
    kinetic = max(row[0] for row in run.columns("energy.kinetic"))
    times = [row[0] for row in run.rows]
    jump, changes = 0.0, [0.0]
    for i in range(1, len(balance)):
        if times[i] == times[i - 1]:
            jump += balance[i] - balance[i - 1]
        changes.append(abs(balance[i] - balance[0] - jump))
    return largest(changes) / kinetic


def series_error(run, header, rows):
    """Largest error over all columns and rows of the reference, and where."""
    at = {name: i for i, name in enumerate(run.header)}
    missing = [name for name in header if name not in at]
    if missing:
        return float("nan"), "no column " + missing[0]
    if len(rows) != len(run.rows):
        return float("nan"), "%d rows for %d" % (len(run.rows), len(rows))
    return largest_named((abs(row[at[name]] - value) / (1 + abs(value)), "%s at %g" % (name, expected[0]))
                         for expected, row in zip(rows, run.rows) for name, value in zip(header, expected))


def check_residuals(checks, label, run, limit=RESIDUAL):
    for level in ("position", "velocity"):
        checks.limit(label, level + " residual", run.stats.get("max_residual_" + level, float("nan")), limit)


def check_series(checks, case):
    label = case.label()
    header, rows = read_csv(checks.path("%s/%s" % (case.model.split("/", maxsplit=1)[0], case.reference)))
    t_end = rows[-1][0]
    run = checks.run(case.model, *tolerance(case.tol), "--t-end", repr(t_end), "--points", str(len(rows) - 1),
                     *case.further)
    if not run.reached(t_end):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    worst, where = series_error(run, header, rows)
    checks.report(worst <= case.limit, "%s: off by %.1e (%s), limit %.0e; %s steps, %.2f s"
                  % (label, worst, where, case.limit, run.stats.get("steps"), run.stats.get("seconds", float("nan"))))
    check_residuals(checks, label, run)
    checks.limit(label, "energy balance", energy_error(run), case.energy)


def check_pair(checks, mechanism, further, equations, t_end, columns):
    label = "%s as %s" % (mechanism, equations)
    arguments = (*tolerance(PAIR_TOLERANCE), "--t-end", repr(t_end), "--points", str(PAIR_POINTS))
    first, second = checks.run(mechanism, *arguments, *further), checks.run(equations, *arguments)
    for run in (first, second):
        if not run.reached(t_end):
            checks.report(False, "%s: %s" % (label, run.reason()))
            return
    names = [name.lstrip("-") for name in columns.values()]
    signs = [-1 if name.startswith("-") else 1 for name in columns.values()]
    missing = [name for name in names if name not in first.header]
    if missing:
        checks.report(False, "%s: no column %s" % (label, missing[0]))
        return
    expected, found = second.columns(*columns), first.columns(*names)
    worst, where = largest_named((abs(sign * a - b) / (1 + abs(b)), name) for x, y in zip(found, expected)
                                 for sign, a, b, name in zip(signs, x, y, names))
    checks.limit(label, "%s differs by" % where, worst, PAIR_LIMIT)


def check_realisation(checks, model, method):
    label = "%s dense and sparse" % model
    dense, sparse = (checks.run(model, *tolerance(PAIR_TOLERANCE), "--points", "1", *method, *a) for a in (DENSE, SPARSE))
    if dense.status != 0 or sparse.status != 0:
        checks.report(False, "%s: dense %s; sparse %s" % (label, dense.reason(), sparse.reason()))
        return
    one, other = dense.row(-1), sparse.row(-1)
    names = [name for name in one if not name.startswith(("joint.", "lambda.", "mu."))]
    worst, where = largest_named((abs(one[name] - other[name]) / (1 + abs(one[name])), name) for name in names)
    checks.limit(label, "%s differ by" % where, worst, PAIR_LIMIT)


def check_loose(checks, model, further):
    for tol in LOOSE_TOLERANCES:
        label = "%s rtol=%g %s" % (model, tol, " ".join(further))
        run = checks.run(model, *tolerance(tol), "--t-end", "10", "--every", "0.01", *further)
        checks.report(run.reached(10), "%s: %s" % (label, run.reason() if run.status else "reaches its end"))
        check_residuals(checks, label, run)


def check_convergence_failures(checks):
    """Where Newton's iteration limits the steps, it is not tried again and again with longer ones: after a failure steps
    stay below 0.7 of the failing one and come back by 5 % a step, so that failures are log(1/0.7)/log(1.05) = 7.3 steps apart
    at least (theory 4.5; most are foreseen, and do not happen at all)."""
    model = "flyball-governor/flyball-governor.yaml"
    steps = failures = 0
    for tol in (1e-3, 1e-4, 1e-5):
        run = checks.run(model, *tolerance(tol), "--method", "psf-radau")
        checks.report(run.reached(10) and run.stats["rejected_error"] < 0.01 * run.stats["steps"],
                      "%s rtol=%.0e: convergence limits the steps, not their error" % (model, tol))
        steps, failures = steps + run.stats["steps"], failures + run.stats["rejected_convergence"]
    checks.limit(model, "failures of Newton's iteration per step", failures / steps, math.log(1.05) / math.log(1 / 0.7))


def check_structure(checks, model, patterns):
    status, report = checks.check(model)
    checks.report(status == 0, "%s: crank check, exit %d" % (model, status))
    for pattern in patterns:
        found = re.search(pattern, report)
        checks.report(bool(found), "%s: crank check says %s"
                      % (model, '"%s"' % found.group(0) if found else "nothing like " + pattern))


def check_tension(checks):
    """The bar without mass passes on what the point needs: three times its weight along the bar, times cos."""
    label = "iftomm-pendulum/bar.yaml reactions"
    run = checks.run("iftomm-pendulum/bar.yaml", *tolerance(1e-10))
    if not run.reached(10):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    rows = run.columns("x", "y", "joint.tip.fx", "joint.tip.fy", "joint.hinge.fx", "joint.hinge.fy")
    worst = largest(abs(error) for x, y, fx, fy, hx, hy in rows
                    for error in (fx - 3 * 9.81 * y * x, fy - 3 * 9.81 * y * y, fx - hx, fy - hy))
    checks.limit(label, "off by", worst, 1e-6)


def check_turned(checks, seed):
    """100 s of the linkage in space, turned: constraints kept, the redundant rows named."""
    model, rotation = "four-bar-3d/four-bar-3d.yaml", turned(seed)
    label = "%s 100 s %s" % (model, " ".join(rotation))
    run = checks.run(model, *tolerance(1e-8), "--t-end", "100", "--every", "0.5", *rotation)
    checks.report(run.reached(100), "%s: %s" % (label, "%s steps, %.2f s" % (
        run.stats.get("steps"), run.stats.get("seconds", float("nan"))) if run.reached(100) else run.reason()))
    check_residuals(checks, label, run, 1e-10)
    done = subprocess.run([checks.command, "check", checks.path(model), *rotation], capture_output=True,
                          text=True, check=False, timeout=120)
    named = re.findall(r'joint "bar\.[OABC]": \w+ (?:about|along) [^\n]* repeats [^\n]*', done.stdout)
    checks.report(len(named) == 3, "%s: crank check names %d redundant rows: %s"
                  % (label, len(named), "; ".join(sorted(named))))


def main():
    if len(sys.argv) not in (3, 4, 5):
        raise SystemExit(__doc__)
    which = sys.argv[3] if len(sys.argv) > 3 else "short"
    checks = Checks(sys.argv[1], sys.argv[2], sys.argv[4] if len(sys.argv) > 4 else "")
    short, long = which in ("short", "all"), which in ("long", "all")
    jobs = []
    if short:
        jobs += [(case.label(), check_series, (case,)) for case in SERIES]
        jobs += [("%s as %s" % (pair[0], pair[2]), check_pair, pair) for pair in PAIRS]
        jobs += [("iftomm-pendulum/bar.yaml reactions", check_tension, ())]
        jobs += [("%s dense and sparse" % model, check_realisation, (model, method)) for model, method in REALISATIONS]
        jobs += [("%s loose" % loose[0], check_loose, loose) for loose in LOOSE]
        jobs += [("flyball-governor failures", check_convergence_failures, ())]
        jobs += [("%s check" % item[0], check_structure, item) for item in STRUCTURE]
    seeds = ([4] if short else []) + (list(range(5, 15)) if long else [])
    jobs += [("four-bar-3d/four-bar-3d.yaml 100 s", check_turned, (seed,)) for seed in seeds]
    for label, check, arguments in jobs:
        if checks.wanted(label):
            check(checks, *arguments)
    checks.finish()


if __name__ == "__main__":
    main()
