"""Runs the models with the command and compares with their references.

    python3 check_models.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with
"N passed, N failed"; exit 1 if any failed. PATTERN keeps the checks whose line contains it.
Needs Python 3 alone.

Limits: an end value may be off by 1000 rtol (1 + |reference|): tolerances bound the local error, and over
these times it adds up to less than that. Adams' method: ten times that, since local errors of a multistep method point the
same way in step after step. Residuals of position and velocity level are round-off: 1e-12 relative to the
row's scale, acceleration level 1e-10.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import json
import os
import subprocess
import sys
import tempfile

from check_convergence import error_of, largest, largest_named, read_csv

# model file, reference, end time, rtol = atol, method (None: the file's own), further arguments
END_VALUES = [
    ("pendulum/pendulum.yaml", "pendulum/reference.csv", 10, 1e-7, None, ()),
    ("pendulum/pendulum.yaml", "pendulum/reference.csv", 10, 1e-10, "psf-radau", ()),
    ("pendulum/pendulum.yaml", "pendulum/reference.csv", 10, 1e-7, "peom1-radau", ()),
    ("pendulum/pendulum.yaml", "pendulum/reference.csv", 10, 1e-7, "gmkssol", ()),
    ("pendulum/pendulum.yaml", "pendulum/reference.csv", 10, 1e-10, "dopri8", ()),
    ("pendulum/pendulum.yaml", "pendulum/reference.csv", 10, 1e-8, "dopri5", ()),
    ("pendulum/pendulum.yaml", "pendulum/reference.csv", 10, 1e-10, "adams", ()),
    ("pendulum/pendulum-energy.yaml", "pendulum/reference.csv", 10, 1e-9, "adams", ()),
    ("pendulum/pendulum-energy.yaml", "pendulum/reference.csv", 10, 1e-7, None, ()),
    ("pendulum/pendulum-energy.yaml", "pendulum/reference.csv", 10, 1e-9, "dopri8", ()),
    ("pendulum/pendulum-selector.yaml", "pendulum/reference-selector.csv", 5, 1e-7, None, ()),
    ("pendulum/pendulum-selector.yaml", "pendulum/reference-selector-2.9.csv", 5, 1e-7, None,
     ("--set", "vx=2.9")),
    ("bouncing-ball/bouncing-ball.yaml", "bouncing-ball/reference.csv", 4, 1e-8, None, ()),
    ("bouncing-ball/bouncing-ball.yaml", "bouncing-ball/reference.csv", 4, 1e-8, "dopri8", ()),
    ("lolly/lolly.yaml", "lolly/reference.csv", 10, 1e-8, None, ()),
    ("lolly/lolly.yaml", "lolly/reference.csv", 10, 1e-8, None, ("--set", "beta=140")),
    ("lolly/lolly.yaml", "lolly/reference.csv", 10, 1e-8, "gmkssol", ()),
    ("lolly/lolly-energy.yaml", "lolly/reference.csv", 10, 1e-8, None, ()),
    ("lolly/lolly-energy.yaml", "lolly/reference.csv", 10, 1e-8, None, ("--set", "beta=140")),
    ("lolly/lolly-energy.yaml", "lolly/reference.csv", 10, 1e-8, "dopri8", ()),
    ("slider-crank/slider-crank.yaml", "slider-crank/reference.csv", 10, 1e-8, None, ()),
    ("slider-crank/slider-crank.yaml", "slider-crank/reference.csv", 100, 1e-10, None, ()),
    ("slider-crank/slider-crank.yaml", "slider-crank/reference.csv", 10, 1e-8, "gmkssol", ()),
    ("slider-crank/slider-crank.yaml", "slider-crank/reference.csv", 10, 1e-9, "dopri8", ()),
    ("slider-crank/slider-crank.yaml", "slider-crank/reference.csv", 10, 1e-9, "adams", ()),
    ("slider-crank/redundant.yaml", "slider-crank/reference.csv", 5, 1e-9, None, ()),
    ("slider-crank/redundant.yaml", "slider-crank/reference.csv", 5, 1e-9, "gmkssol", ()),
    ("slider-crank/duplicated.yaml", "slider-crank/reference.csv", 5, 1e-9, None, ()),
    ("four-joint/four-joint.yaml", "four-joint/reference.csv", 5, 1e-9, None, ()),
    ("skateboard/skateboard.yaml", "skateboard/reference.csv", 10, 1e-8, None, ()),
    ("skateboard/set-2.yaml", "skateboard/reference-set-2.csv", 10, 1e-8, None, ()),
    ("skateboard/set-2.yaml", "skateboard/reference-set-2.csv", 10, 1e-8, "peom1-radau", ()),
    ("inclined-skate/inclined-skate.yaml", "inclined-skate/reference.csv", 10, 1e-8, None, ()),
    ("academic/academic.yaml", "academic/reference.csv", 1.5, 1e-7, None, ()),
    ("academic/academic.yaml", "academic/reference.csv", 1.5, 1e-10, None, ()),
    ("academic/academic.yaml", "academic/reference.csv", 2, 1e-10, None, ("--option", "singular=pass")),
    ("andrews/andrews.yaml", "andrews/reference.csv", 0.03, 1e-7, None, ()),
    ("andrews/andrews.yaml", "andrews/reference.csv", 0.03, 1e-9, None, ()),
    ("andrews/andrews.yaml", "andrews/reference.csv", 0.03, 1e-9, "dopri8", ()),
    ("andrews/andrews.yaml", "andrews/reference.csv", 0.03, 1e-9, "adams", ()),
    ("elastic-slider-crank/elastic-slider-crank.yaml", "elastic-slider-crank/reference.csv", 0.1, 1e-7,
     None, ()),
    ("flyball-governor/equations.yaml", "flyball-governor/reference.csv", 10, 1e-9, None, ()),
    ("gyroscope-loop/equations.yaml", "gyroscope-loop/reference.csv", 0.6, 1e-9, None, ()),
    ("swashplate/equations.yaml", "swashplate/reference.csv", 0.5, 1e-9, None, ()),
    ("chain/chain-10.yaml", "chain/reference.csv", 1, 1e-8, None, ()),
    ("chain/chain-10.yaml", "chain/reference.csv", 1, 1e-8, None, ("--option", "linear_algebra=sparse")),
]
# columns whose reference is that of another column: not unique, or named otherwise
RENAMED = {"slider-crank/duplicated.yaml": {"lambda.slider": "force"}}
# levels kept at every row, by method; the published options end a step without correction
NO_RESIDUALS = ("pendulum/pendulum-selector.yaml",)


class Checks:
    def __init__(self, command, models, pattern):
        self.command, self.models, self.pattern = command, models, pattern
        self.passed = self.failed = 0

    def report(self, good, text):
        print("%-4s %s" % ("ok" if good else "FAIL", text), flush=True)
        self.passed += good
        self.failed += not good

    def run(self, model, *arguments):
        """Exit status, messages, header, rows of numbers, statistics."""
        with tempfile.TemporaryDirectory() as place:
            out, stats = os.path.join(place, "out.csv"), os.path.join(place, "stats.json")
            line = [self.command, "run", os.path.join(self.models, model), "--out", out, "--stats", stats]
            done = subprocess.run(line + list(arguments), capture_output=True, text=True, check=False,
                                  timeout=120)
            header, rows = read_csv(out) if os.path.exists(out) else ([], [])
            counters = {}
            if os.path.exists(stats):
                with open(stats, encoding="utf-8") as text:
                    counters = json.load(text)
        return done.returncode, done.stderr.strip(), header, rows, counters


def reference_row(path, t):
    header, rows = read_csv(path)
    for row in rows:
        if abs(row[0] - t) <= 1e-12 * max(1.0, abs(t)):
            return dict(zip(header, row))
    raise SystemExit("%s has no row at t = %g" % (path, t))


def is_multiplier(name):
    return name.startswith(("lambda.", "mu."))


def largest_error(row, reference, renamed):
    """Largest |value - reference|/(1 + |reference|) over the reference's columns, and its name."""
    columns = {renamed.get(name, name): expected for name, expected in reference.items()}
    missing = [column for column in columns if column not in row]
    if missing:
        return float("inf"), "no column " + missing[0]
    return largest_named((error_of(row[column], expected), column) for column, expected in columns.items())


def check_end(checks, case):
    model, reference, t_end, rtol, method, further = case
    label = "%s t=%g rtol=%g %s" % (model, t_end, rtol, " ".join((method or "",) + further))
    if checks.pattern not in label:
        return
    arguments = ["--t-end", repr(t_end), "--rtol", repr(rtol), "--atol", repr(rtol), "--points", "10", *further]
    arguments += ["--method", method] if method else []
    status, message, header, rows, stats = checks.run(model, *arguments)
    if status != 0 or not rows or abs(rows[-1][0] - t_end) > 1e-12 * t_end:
        checks.report(False, "%s: exit %d, %d rows: %s" % (label, status, len(rows), message[-300:]))
        return
    expected = reference_row(os.path.join(checks.models, reference), t_end)
    renamed = RENAMED.get(model, {})
    limit = (10000 if method == "adams" else 1000) * rtol
    groups = [("state", {k: v for k, v in expected.items() if not is_multiplier(k)}),
              ("multipliers", {k: v for k, v in expected.items() if is_multiplier(k)})]
    for word, part in groups:
        if part:
            worst, where = largest_error(dict(zip(header, rows[-1])), part, renamed)
            checks.report(worst <= limit, "%s: %s at the end off by %.1e (%s), limit %.0e; %s steps"
                          % (label, word, worst, where, limit, stats.get("steps")))
    begin = reference_row(os.path.join(checks.models, reference), rows[0][0])
    worst, where = largest_error(dict(zip(header, rows[0])), begin, renamed)
    if method != "peom1-radau":  # which leaves the multipliers at the start to the caller
        checks.report(worst <= 1e-9, "%s: start with multipliers off by %.1e (%s), limit 1e-09"
                      % (label, worst, where))
    if model not in NO_RESIDUALS:
        check_residuals(checks, label, stats, method)


def check_residuals(checks, label, stats, method):
    levels = [("position", 1e-12), ("velocity", 1e-12), ("acceleration", 1e-10)]
    for level, limit in levels[:2] if method == "peom1-radau" else levels:
        value = stats.get("max_residual_" + level)
        checks.report(value is not None and value <= limit, "%s: %s residual %s, limit %.0e"
                      % (label, level, value, limit))


def check_energy(checks):
    """The invariant at every row; 1e-8 near the turning points, where its gradient vanishes."""
    label = "pendulum/pendulum-energy.yaml energy"
    if checks.pattern not in label:
        return
    status, message, header, rows, _ = checks.run("pendulum/pendulum-energy.yaml", "--t-end", "20",
                                                  "--every", "0.05")
    if status != 0:
        checks.report(False, "%s: exit %d: %s" % (label, status, message[-300:]))
        return
    at = {name: i for i, name in enumerate(header)}
    energy = [(r[at["vx"]] ** 2 + r[at["vy"]] ** 2) / 2 + 13.75 * r[at["y"]] for r in rows]
    worst = largest(abs(e - energy[0]) for e in energy)
    checks.report(worst <= 1e-8, "%s: off by %.1e, limit 1e-08" % (label, worst))


def check_singular(checks, rtol):
    """Stops within 2e-3 of the singular position, says where and which row, keeps the trajectory."""
    label = "slider-crank/singular.yaml rtol=%g" % rtol
    if checks.pattern not in label:
        return
    _, times = read_csv(os.path.join(checks.models, "slider-crank/reference-singular.csv"))
    status, message, _, rows, stats = checks.run("slider-crank/singular.yaml", "--rtol", repr(rtol), "--atol",
                                                 repr(rtol))
    checks.report(status == 1, "%s: exit %d, expected 1" % (label, status))
    reason = message.split("\n", maxsplit=1)[0]
    checks.report('"slider"' in reason, "%s: names the dependent row: %s" % (label, reason))
    reached = stats.get("t_reached", rows[-1][0] if rows else float("nan"))
    checks.report(abs(reached - times[0][0]) <= 2e-3, "%s: stopped at %.6f, singular at %.6f, limit 2e-03"
                  % (label, reached, times[0][0]))
    checks.report(bool(rows) and rows[-1][0] >= 1.0, "%s: trajectory kept up to %g"
                  % (label, rows[-1][0] if rows else float("nan")))


def check_counters(checks):
    """The six published runs: steps within 10 %, identities exactly, the pattern of selector updates."""
    with open(os.path.join(checks.models, "pendulum/published-counters.csv"), encoding="ascii") as text:
        published = list(csv.DictReader(text))
    for run in published:
        label = "pendulum/pendulum-selector.yaml counters vx=%s tol=%s" % (run["vx"], run["tol"])
        if checks.pattern not in label:
            continue
        status, message, _, _, s = checks.run("pendulum/pendulum-selector.yaml", "--set", "vx=" + run["vx"],
                                              "--rtol", run["tol"], "--atol", run["tol"])
        if status != 0:
            checks.report(False, "%s: exit %d: %s" % (label, status, message[-300:]))
            continue
        steps, expected = s["steps"], int(run["accepted"])
        checks.report(abs(steps - expected) <= 0.1 * expected, "%s: %d accepted steps, published %d, limit 10 %%"
                      % (label, steps, expected))
        rejected = s["rejected_error"] + s["rejected_convergence"]
        identities = {"evaluations": 3 * s["newton_iterations"] + steps, "jacobians": steps,
                      "predecompositions": steps, "factorizations": steps + rejected}
        if s["mass_evaluations"] != 0:  # M = I is known without an evaluation; published: one
            identities["mass_evaluations"] = 1
        wrong = ["%s %d for %d" % (k, s[k], v) for k, v in identities.items() if s[k] != v]
        checks.report(not wrong, "%s: identities of the counters %s" % (label, "; ".join(wrong) or "hold"))
        changes = s["selector_updates"] - 1 - s["rejected_convergence"]
        wanted = int(run["selector_updates"]) - 1 - int(run["rejected_convergence"])
        checks.report(changes == wanted, "%s: %d changes of pivots, published %d" % (label, changes, wanted))


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    checks = Checks(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "")
    for case in END_VALUES:
        check_end(checks, case)
    check_energy(checks)
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        check_singular(checks, rtol)
    check_counters(checks)
    print("%d passed, %d failed" % (checks.passed, checks.failed))
    sys.exit(1 if checks.failed or not checks.passed else 0)


main()
