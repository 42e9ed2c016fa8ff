"""Random mechanisms (random_mechanism.py) by several methods, against a second simulator and against their twins.

    python3 check_random.py CRANK FIRST LAST [--also SEED ...] [--jobs N] [--limit SECONDS] [--keep DIR] [--json FILE]

Runs the seeds FIRST to LAST, and some others, at rtol = atol = 1e-8 by METHODS. Rules:

  finish   where any method finishes, psf-radau and auto do, and ode-dopri8 unless it says that the equations are stiff
           (not in time, where bodies turn by FAST and more: methods of order 5 take that many steps; errors of phases
           add up to what tighter runs would have to tell, so that rows are not compared either)
  agree    rows of two methods differ by at most 1e-5 of the size of their kind of quantity, or by less than 0.15 of
           that where both run at 1e-10 (FALLS), or there by at most 100 times what start velocities off by that grow to;
           where errors grow so much that they are large still at 1e-10, differences fall from there to 1e-12
  second   at three rows the second simulator (independent/) finds the same accelerations, reactions, coordinates,
           energies, and constraints that hold
  loads    crank warns that a motion is a matter of the method (friction under a load that is not unique) where the second
           simulator finds such loads, and only there; such motions are not compared any further
  poles    where a torsional spring has a pole (half a turn across its axis), all methods stop and name it
  refusal  what all methods refuse the second simulator finds wrong, too, by ranks: independent/rank.py (what none finishes in
           time, where bodies turn by FAST, is not refused)
  named    refusals at singular positions are named as such, and stops there by all methods; where a freedom loses its inertia, or
           friction locks, all methods stop in time, and say so; ode-dopri8 may say before, with stiffness, that it cannot come to
           where a damped freedom loses its inertia, if the second simulator sees that there
  units    in two other systems of units, drawn by the seed, the mechanism finishes and has the same rows
  steps    there it takes as many steps, within 2 % (or in the mean, where rounding decides that), and has the same rows as in SI units with tolerances by kinds,
           within ten tolerances, twice the error or three times what rounding makes of it (without actuators, whose
           variables may be of any kind); where errors
           grow to the size of the motion (LOST), which rounding alone makes another one then, over as much of the time as
           they have not
  space    a planar mechanism written as a spatial one finishes and has the same rows, from the same velocities
  start    in other units it begins with the same velocities (if not, rule units is tried from the same ones)

Failures of ggl-radau and psf-bdf, and of ode-dopri8 where it sees stiffness, are listed with their causes: counts and
first seeds. Ends with counts by class and reason, the seeds that break a rule, and exit 1 if there are any. --keep
writes their model files with those of their twins to DIR, --json the outcome of every seed. Needs Python 3 alone.

Kinds of quantities are lengths, angles, their rates, accelerations, forces, torques, energies; the size of a kind is
one SI unit plus its largest value in any row: tolerances are absolute in SI units, and the mechanisms are of order one.
At 1e-10 stiff forces and what they accelerate may differ by what ten times the tolerance is in them.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import collections
import json
import math
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback

from check_convergence import Run
from check_independent import Worst, compare_row, point_of
from independent.model import Model
from independent.rank import Start, basis, weakest
from random_mechanism import Maker, generate, written
from random_units import (ACCELERATION, FORCE, LENGTH, NONE, RATE, SI, SPEED, SPIN_UP, TORQUE, TWINS, Quantity, factor,
                          Units, has_spatial_twin, plain, spatial)

METHODS = ("psf-radau", "auto", "ode-dopri8", "ggl-radau", "psf-bdf")
MUST_FINISH = ("psf-radau", "auto", "ode-dopri8")
TOLERANCE, TIGHT, FINEST = 1e-8, 1e-10, 1e-12
DIFFERENCE, POINT, RESIDUAL = 1e-5, 1e-5, 1e-9
# Multipliers of the index 2 form by Radau IIA are of order 3 [HW96, VII.4], the error estimate of p and v is of order 4, and the
# tolerances used are the power 2/3 of those given: tol^(1/2). Of order 2 they would fall as tol^(1/3); the limit is between.
FALLS = (TIGHT / TOLERANCE) ** (5 / 12)
STIFF = "equations are stiff"
OPEN = "that redundant constraints leave open"
DISTURBED, MEANT = 16, 64
# of a kind's size: motions that differ by so much have nothing in common
LOST = 0.1
# radians; at 1e-8 Radau IIA takes some ten steps for each, 5000 of a small model in a second: more than half of the time limit
FAST = 1e4


# ---- kinds of columns ----

LAST = {"x": LENGTH, "y": LENGTH, "z": LENGTH, "vx": SPEED, "vy": SPEED, "vz": SPEED, "wx": RATE, "wy": RATE,
        "wz": RATE, "rate": RATE, "angle_acceleration": SPIN_UP, "ax": ACCELERATION, "ay": ACCELERATION,
        "az": ACCELERATION,
        "dwx": SPIN_UP, "dwy": SPIN_UP, "dwz": SPIN_UP, "fx": FORCE, "fy": FORCE, "fz": FORCE, "tx": TORQUE,
        "ty": TORQUE, "tz": TORQUE, "force": FORCE, "torque": TORQUE, "load": FORCE, "deflection": LENGTH,
        "kinetic": TORQUE,
        "potential": TORQUE, "dissipated": TORQUE, "supplied": TORQUE, "height": LENGTH}


def kind_of(column):
    """Dimension of a column, None where it depends on the model (efforts, states of actuators: not compared)."""
    last = column.rsplit(".", 1)[-1]
    if ".unique." in column:
        return None
    if not column.startswith(("body.", "joint.", "force.", "energy.")):
        last = last.split("_", 1)[-1]  # outputs: b1_ax
    if re.fullmatch(r"length\d?", last):
        return LENGTH
    if re.fullmatch(r"length\d?_rate", last):
        return SPEED
    if re.fullmatch(r"angle\d?|q[0-3]|s\d?|rx|ry|rz", last):
        return NONE
    if re.fullmatch(r"(angle|s)\d?_rate", last):
        return RATE
    return LAST.get(last)


def comparable(run, i, column):
    unique = column.replace(column.rsplit(".", 1)[-1], "unique." + column.rsplit(".", 1)[-1]) if "." in column else ""
    return unique not in run.at_name or run.rows[i][run.at_name[unique]] > 0.5


# ---- runs ----

class Outcome:
    """done, refused (exit 2, 3), stopped (exit 1), late, or crashed; why, and the time that is named, if a step has led across
    the place; the rows at the times of the grid, if done, and those that were seen."""

    def __init__(self, run, t_end, late):
        self.rows, self.why, self.last, self.named = [], "", {}, None
        self.at_name = {n: i for i, n in enumerate(run.header)}
        self.seen = on_grid(run.rows, t_end)
        self.open, self.stiff = OPEN in run.message, STIFF in run.message
        if late:
            self.end, self.why = "late", "time limit"
            return
        lines = [line for line in run.message.split("\n") if line and not line.startswith("  ")]
        self.last = run.row(-1) if run.rows else {}
        if run.status == 0 and run.reached(t_end):
            self.end, self.steps = "done", run.stats["steps"]
            self.rows = self.seen
            if any(math.isnan(a) for row in self.rows for a in row):
                self.end, self.why = "crashed", "rows with nan"
            return
        self.end = {1: "stopped", 2: "refused", 3: "refused"}.get(run.status, "crashed")
        stopped = [line for line in lines if "stopped at" in line]
        named = re.findall(r"(?:passed|inertia) at t = ([0-9.e+-]*[0-9])", stopped[0]) if stopped else []
        self.named = float(named[0]) if named else None
        self.why = reason(stopped[0] if stopped else lines[0] if self.end != "refused" else lines[-1]) if lines else \
            "exit %d" % run.status

    def row(self, i):
        return {n: self.rows[i][k] for n, k in self.at_name.items() if not n.startswith(("step.", "residual."))}


# parts of messages, and what they are counted as
CAUSES = (("needs independent constraints", "needs independent constraints"), ("accumulates", "events accumulate"),
          ("not determined: neither mass", "motion not determined: neither mass nor joints resist"),
          ("contradict each other", "constraints contradict each other"),
          ("start is a singular", "the start is a singular position"),
          ("the wheel lies flat", "singular position: a disc lies flat"),
          ("became dependent on", "singular position: a constraint became dependent on others"),
          ("rank of the constraints drops", "singular position: the rank of the constraints drops"),
          ("half a turn across its axis", "pole of a torsional spring"),
          ("half a turn of its ends", "pole of a bushing"),
          ("loses its inertia", "a freedom loses its inertia"), ("locks at t", "friction locks"),
          ("cannot be corrected onto", "a row cannot be corrected onto the constraints"),
          ("auxiliary equations do not determine", "auxiliary equations do not determine an acceleration"),
          ("cannot be satisfied near", "a constraint cannot be satisfied near the start values"),
          ("dependent rows:", "dependent rows; d_w, c_s or the constraints are singular"))


def reason(line):
    """Without places, names and numbers, so that equal causes are equal texts."""
    for part, text in CAUSES:
        if part in line:
            return text
    line = re.sub(r"^(crank: )?(\S+\.yaml:(\d+:\d+:)? )?", "", line)
    line = re.sub(r"stopped at t = \S+: |; look at the model.*", "", line)
    line = re.sub(r'"[^"]*"', '""', line)
    return re.sub(r"[-+]?\b\d+(\.\d+)?(e[-+]?\d+)?\b", "N", line)[:200]


def on_grid(rows, t_end, points=10):
    """Of each time of the grid the last row: events add rows of their own."""
    found = {}
    for row in rows:
        k = round(row[0] / t_end * points)
        if abs(row[0] - k * t_end / points) <= 1e-9 * t_end:
            found[k] = row
    return [found[k] for k in sorted(found)]


class Runner:
    def __init__(self, command, place, limit):
        self.command, self.place, self.limit = command, place, limit

    def run(self, name, text, t_end, method, arguments=(), tol=TOLERANCE):
        model = os.path.join(self.place, name + ".yaml")
        with open(model, "w", encoding="utf-8") as out:
            out.write(text)
        out, stats = os.path.join(self.place, "out.csv"), os.path.join(self.place, "stats.json")
        for old in (out, stats):
            if os.path.exists(old):
                os.remove(old)
        line = [self.command, "run", model, "--method", method, "--out", out, "--stats", stats, "--rtol", repr(tol)]
        line += arguments or ["--atol", repr(tol)]
        late = False
        with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
            try:
                said = run.communicate(timeout=self.limit * max(1.0, (TOLERANCE / tol) ** 0.2))[1]  # order 5
            except subprocess.TimeoutExpired:
                late = True
                run.terminate()  # what was found so far is written
                said = run.communicate()[1]
        return Outcome(Run(subprocess.CompletedProcess(line, run.returncode, "", said), out, stats), t_end, late)


# ---- comparison ----

def in_space(column):
    """Name of a planar model's column in its spatial twin."""
    return re.sub(r"^(body\..*)\.rate$", r"\1.wz", column)


def with_velocities(tree, row):
    """The model with the start velocities of a row."""
    bodies = {}
    for name, b in tree["bodies"].items():
        has = lambda c, name=name: row.get("body.%s.%s" % (name, c), 0.0)
        b = {**b, "velocity": [Quantity(has(c), SPEED) for c in ("vx", "vy", "vz")[:len(b["position"])]]}
        if tree.get("dimension") == 2 and b.get("type") != "point":
            b["rate"] = Quantity(has("rate"), RATE)
        elif b.get("type") != "point":
            spin = ("wx", "wy", "wz") if "body.%s.wx" % name in row else ("none", "none", "rate")
            b["angular_velocity"] = [Quantity(has(c), RATE) for c in spin]
        bodies[name] = b
    return {**tree, "bodies": bodies}


def stiffness_sizes(data, share=10 * TIGHT / DIFFERENCE):
    """For each kind how much an error of positions and rates is worth, as part of its size; share: the error over what
    differences are compared with."""
    line = turn = 0.0
    for f in data["forces"].values():
        for key in ("stiffness", "damping"):
            k = f.get(key, 0.0)
            n = 2 if data.get("dimension") == 2 else 3
            linear, about = (k[:n], k[n:]) if isinstance(k, list) else ([k], [])
            if f["type"] == "torsion":
                linear, about = [], linear
            line, turn = max([line] + linear), max([turn] + about)
    mass = min([b["mass"] for b in data["bodies"].values() if b.get("mass")] + [1.0])
    inertia = min([1.0] + [a for b in data["bodies"].values() for a in diagonal(b.get("inertia", 0.0)) if a > 0.0])
    both = line + turn
    return {FORCE: share * both, TORQUE: share * both, ACCELERATION: share * both * (1 / mass + 1 / inertia),
            SPIN_UP: share * both * (1 / mass + 1 / inertia)}


def diagonal(inertia):
    if not isinstance(inertia, list):
        return [inertia]
    return [row[i] if isinstance(row, list) else row for i, row in enumerate(inertia)]


def difference(one, two, units=SI, rename=str, rows=None, more=None):
    """Largest difference over the size of its kind, in SI units, and where; two: in `units`, its columns renamed; more:
    added to the sizes of kinds."""
    columns = []
    for c, i in one.at_name.items():
        kind = kind_of(c)
        if kind is not None and rename(c) in two.at_name:
            columns.append((c, i, two.at_name[rename(c)], kind, factor(kind, units)))
    size = collections.defaultdict(lambda: 1.0)
    for _, i, _, kind, _ in columns:
        size[kind] = max([size[kind]] + [1.0 + abs(row[i]) for row in one.rows])
    for kind, value in (more or {}).items():
        size[kind] += value
    worst = (0.0, "")
    if len(one.rows) != len(two.rows):
        return math.inf, "%d rows and %d" % (len(one.rows), len(two.rows))
    for r, (a, b) in enumerate(zip(one.rows[:rows], two.rows)):
        for c, i, k, kind, scale in columns:
            d = abs(a[i] - b[k] / scale) / size[kind]
            if not d <= worst[0] and comparable(one, r, c) and comparable(two, r, rename(c)):
                worst = (d, "%s at t = %g: %.9g and %.9g" % (c, a[0], a[i], b[k] / scale))
    return worst


def tolerances(units, tol=TOLERANCE):
    """By kinds of quantities, so that they are the same in all units; r are energies, w forces (but of actuators)."""
    force = factor(FORCE, units)
    sizes = {"length": units.l, "angle": 1.0, "speed": units.l / units.t, "spin": 1.0 / units.t, "force": force,
             "torque": force * units.l, "r": force * units.l, "w": force}
    return ["--atol", repr(tol)] + [a for k, size in sizes.items() for a in ("--option", "atol_%s=%r" % (k, tol * size))]


def until(t_end):
    return ["--t-end", repr(t_end)]


def alike(one, two):
    """Two runs' numbers of steps."""
    return abs(two.steps - one.steps) <= max(1, 0.02 * one.steps)


class Seed:
    """One mechanism, all rules."""

    def __init__(self, command, seed, limit, place):
        self.seed, self.maker, self.runner = seed, Maker(seed), Runner(command, place, limit)
        self.text, self.data = generate(seed), plain(self.maker.tree)
        self.t_end = self.data["simulate"]["t_end"]
        self.broken, self.notes, self.causes, self.files = [], [], {}, {"": self.text}
        self.in_si = None  # the run with tolerances by kinds
        self.fast = False  # bodies turn by FAST
        self.open = False  # the motion is a matter of the method, as crank says

    def breaks(self, rule, text):
        self.broken.append((rule, text))

    def check(self):
        began = time.time()
        ends = {m: self.runner.run("model", self.text, self.t_end, m) for m in METHODS}
        done = {m: o for m, o in ends.items() if o.end == "done"}
        self.ends = {m: o.end for m, o in ends.items()}
        self.causes = {m: o.why for m, o in ends.items() if o.end != "done"}
        self.open = any(o.open for o in ends.values())
        for m, o in ends.items():
            if o.end == "crashed":
                self.breaks("crash", "%s: %s" % (m, o.why))
        if done:
            self.fast = self.turned(done) > FAST
            self.finish(ends)
            first = next(iter(done))
            self.loads(done[first])
            if self.open:
                self.notes.append(("friction under a load that is not unique", "not compared"))
            else:
                self.second(done[first], first)
            if self.fast:
                self.notes.append(("fast", "rows are not compared"))
            elif not self.open:
                self.agree(done, first)
            if first == "psf-radau" and not self.fast and not self.open:  # the method of the twins
                self.units(done[first])
                if self.maker.planar and has_spatial_twin(self.maker.tree):
                    self.space(done[first])
        elif all(o.end == "late" for o in ends.values()) and self.turned(ends) > FAST:
            self.notes.append(("fast", "no method finishes in time"))
        else:
            self.refusal(ends)
        return {"seed": self.seed, "class": self.maker.kind, "planar": self.maker.planar,
                "what": self.maker.description(), "ends": self.ends, "causes": self.causes, "broken": self.broken,
                "notes": self.notes, "files": self.files if self.broken else {},
                "seconds": round(time.time() - began, 2)}

    def finish(self, ends):
        for m in MUST_FINISH:
            o = ends[m]
            if o.end == "done" or m == "ode-dopri8" and o.end != "crashed" and o.stiff:
                continue
            if o.end == "late" and self.fast:
                self.notes.append(("fast", "%s is late" % m))
            elif o.end == "stopped" and self.pole(Model(self.data), self.last_step(m)):
                done = [k for k, other in ends.items() if other.end == "done"]
                self.breaks("poles", "%s stops at a pole (%s), %s steps over it" % (m, o.why, ", ".join(done)))
            else:
                self.breaks("finish", "%s %s: %s" % (m, o.end, o.why))

    @staticmethod
    def turned(ends):
        """By how much a body turns, in radians, as rows let expect."""
        most = 0.0
        for o in ends.values():
            rates = [i for c, i in o.at_name.items() if kind_of(c) == RATE]
            largest = [max([abs(row[i]) for i in rates] + [0.0]) for row in o.seen]
            most = max([most] + [sum((b[0] - a[0]) * (x + y) / 2 for a, b, x, y in
                                     zip(o.seen, o.seen[1:], largest, largest[1:]))])
        return most

    def last_step(self, method):
        return self.runner.run("model", self.text, self.t_end, method, ["--atol", repr(TOLERANCE), "--steps"]).last

    def named_place(self, outcome, method):
        """The row at the time that a stop names, if a step has led across the place; else none."""
        if outcome.named is None:
            return {}
        last = self.runner.run("model", self.text, self.t_end, method, ["--atol", repr(TOLERANCE), "--steps"] +
                               until(outcome.named)).last
        return last if last and abs(last["time"] - outcome.named) <= 1e-9 * self.t_end else {}

    @staticmethod
    def pole(model, row):
        """Is a torsional spring between bodies near a half turn across its axis, where its angle is not defined?"""
        return bool(row) and any(f.regular(point_of(model, row).S) < 0.01 for f in model.forces.values())

    def growth(self):
        """What a disturbance of the start velocities by the tight tolerance grows to, in kinds' sizes."""
        runs = [self.runner.run("model", self.text, self.t_end, "psf-radau", tol=TIGHT)]
        for sign in (1, -1):
            row = {k: v + sign * 10 * TIGHT * (1 + abs(v)) if k.startswith("body.") else v
                   for k, v in runs[0].row(0).items()} if runs[0].rows else {}
            text = written(plain(with_velocities(self.maker.tree, row)), "disturbed")
            runs.append(self.runner.run("model", text, self.t_end, "psf-radau", tol=TIGHT))
        return max(difference(runs[0], r)[0] for r in runs[1:]) / 10 if all(r.rows for r in runs) else 0.0

    def agree(self, done, first):
        for m in list(done)[1:]:
            d, where = difference(done[first], done[m])
            if d <= DIFFERENCE:
                continue
            tight = [self.runner.run("model", self.text, self.t_end, k, tol=TIGHT) for k in (first, m)]
            if any(o.end != "done" for o in tight):
                late = [k for k, o in zip((first, m), tight) if o.end != "done"]
                self.breaks("agree", "%s and %s differ by %.1e (%s); at 1e-10 %s does not finish: %s" %
                            (first, m, d, where, late[0], [o.why for o in tight if o.end != "done"][0]))
                continue
            fine, where_fine = difference(*tight, more=stiffness_sizes(self.data))
            wrong = [k for k, o in ((first, done[first]), (m, done[m])) if
                     difference(tight[0], o)[0] > DIFFERENCE and difference(tight[1], o)[0] > DIFFERENCE]
            text = "%s and %s differ by %.1e (%s), at 1e-10 by %.1e; off: %s" % \
                (first, m, d, where, fine, ", ".join(wrong))
            if fine <= FALLS * d or fine <= DIFFERENCE:
                self.notes.append(("falls", text))
            elif fine <= 100 * self.growth() or self.converges(first, m, fine):
                self.notes.append(("sensitive", text))
            else:
                self.breaks("agree", text + " (%s)" % where_fine)

    def converges(self, one, two, fine):
        """Do both methods come closer where the tolerance is finer still? Motions that differ by LOST count as all of it."""
        finest = [self.runner.run("model", self.text, self.t_end, k, tol=FINEST) for k in (one, two)]
        return all(o.end == "done" for o in finest) and \
            difference(*finest, more=stiffness_sizes(self.data))[0] <= FALLS * (fine if fine < LOST else 1.0)

    def second(self, outcome, method):
        model, worst, residual = Model(self.data), Worst(), Worst()
        last = len(outcome.rows) - 1
        knots = [x for j in model.joints.values() for x, _ in j.data.get("table", [])]
        for i in sorted({0, last // 2, last}):
            row = outcome.row(i)
            if any(abs(row["time"] - x) < 1e-3 for x in knots):
                continue  # a spline bends there otherwise on each side, which the second simulator's differences mix
            one = self.compared(model, row, residual)
            worst = one if not one.value <= worst.value else worst
        if not worst.value <= POINT:
            self.breaks("second", "%s off by %.1e (%s)" % (method, worst.value, worst.where))
        if not residual.value <= RESIDUAL:
            self.breaks("second", "%s residual %.1e (%s)" % (method, residual.value, residual.where))

    @staticmethod
    def compared(model, row, residual):
        """The second simulator differentiates by differences: where the motion is fast, with shorter ones."""
        best = None
        for model.step in (3e-3, 3e-4, 3e-5):
            found = Worst()
            compare_row(model, row, found, residual)
            best = found if best is None or found.value < best.value else best
            if best.value <= POINT:
                break
        return best

    def loads(self, outcome):
        """Does crank warn of loads that are not unique where the second simulator finds some?"""
        model = Model(self.data)
        point = point_of(model, outcome.row(0))
        found = self.open_loads(model, point, model.solve(point))
        if bool(found) != self.open:
            self.breaks("loads", "crank %s, the second simulator finds friction under loads that are not unique in: %s" %
                        ("warns" if self.open else "does not warn", ", ".join(found) or "no force"))

    @staticmethod
    def open_loads(model, point, solution):
        """Forces of friction under the load of a joint to which redundant rows can add without effect on the motion."""
        return [f.name for f in model.forces.values() if "coefficient" in f.data and
                any(max(map(abs, F)) > 1e-6 for F, _ in model.open_reactions(point, solution, f.joint))]

    def units(self, outcome):
        names = list(TWINS)
        lengths, others = names[:3], names[3:]
        for name in (lengths[self.seed % 3], others[self.seed // 3 % 5]):
            self.twin("units", name, outcome, self.maker.tree, TWINS[name])

    def space(self, outcome):
        self.twin("space", "in space", outcome, spatial(self.maker.tree), SI)

    def twin(self, rule, name, outcome, tree, units):
        """As it is, and if that starts otherwise, from the velocities of the first row."""
        twin, rename = self.run_twin(name, tree, units), in_space if rule == "space" else str
        start, where = difference(outcome, twin, units, rename, 1) if twin.end == "done" else (0.0, "")
        ends = rule == "space" and twin.end == "stopped"  # it may have started otherwise
        if ends or start > (TOLERANCE if rule == "space" else DIFFERENCE):
            text = "%s starts otherwise, by %.1e (%s)" % (name, start, where)
            if rule == "units":
                self.breaks("start", text)
            else:
                self.notes.append(("start in space", text))  # nearest velocities: more joints, another measure
            tree = with_velocities(tree, outcome.row(0))
            twin = self.run_twin(name, tree, units)
        if twin.end != "done":
            text = "%s %s: %s" % (name, twin.end, twin.why)
            if self.follows(outcome, name, tree, units, rename):
                self.notes.append(("sensitive", text))
            else:
                self.breaks(rule, text)
            return
        if rule == "units" and start <= DIFFERENCE:
            self.steps(name, twin, units)
        d, where = difference(outcome, twin, units, rename)
        if d <= DIFFERENCE:
            return
        tight = self.runner.run("model", self.text, self.t_end, "psf-radau", tol=TIGHT)
        twin = self.run_twin(name, tree, units, TIGHT)
        fine = math.inf
        if tight.end == twin.end == "done":
            fine = difference(tight, twin, units, rename, more=stiffness_sizes(self.data))[0]
        text = "%s differs by %.1e (%s), at 1e-10 by %.1e" % (name, d, where, fine)
        if fine <= DIFFERENCE or fine <= 0.1 * d:
            self.notes.append(("falls", text))
        elif fine <= 100 * self.growth():
            self.notes.append(("sensitive", text))
        else:
            self.breaks(rule, text)

    def follows(self, outcome, name, tree, units, rename):
        """Is the run at 1e-8 another motion than that at 1e-12, where the twin takes part in it?"""
        finest = self.runner.run("model", self.text, self.t_end, "psf-radau", tol=FINEST)
        twin = self.run_twin(name, tree, units, FINEST)
        if finest.end != "done" or twin.end != "done":
            return False
        error = difference(finest, outcome)[0]
        return error > DIFFERENCE and difference(finest, twin, units, rename)[0] <= FALLS * error

    def steps(self, name, twin, units):
        if any(f["type"] == "actuator" for f in self.data["forces"].values()):
            return
        if self.in_si is None:
            self.in_si = self.runner.run("model", self.text, self.t_end, "psf-radau", tolerances(SI))
        if self.in_si.end != "done":
            self.breaks("steps", "tolerances by kinds: %s" % self.in_si.why)
            return
        one, t_end = self.in_si, self.t_end
        while not alike(one, twin) and self.error(one, t_end) > LOST:
            t_end /= 10
            one = self.runner.run("model", self.text, t_end, "psf-radau", tolerances(SI) + until(t_end))
            twin = self.run_twin(name, self.maker.tree, units, t_end=t_end)
            self.notes.append(("sensitive", "%s: steps compared until t = %g" % (name, t_end)))
        d, where = difference(one, twin, units, more=stiffness_sizes(self.data, 1.0))
        if not alike(one, twin):
            means = [self.mean_steps(u, t_end) for u in (SI, units)]
            text = "%s takes %d steps, not %d; %.1f and %.1f in the mean" % (name, twin.steps, one.steps, *means)
            if abs(means[1] - means[0]) > max(1, 0.02 * means[0]):
                self.breaks("steps", text)
            else:
                self.notes.append(("steps that rounding decides", text))
        elif d > 10 * TOLERANCE and d > 2 * self.error(one, t_end) and d > 3 * self.disturbed(one, t_end):
            self.breaks("steps", "%s differs by %.1e (%s)" % (name, d, where))

    def error(self, one, t_end):
        """Of the run with tolerances by kinds, against the tight one. Runs with errors of that size are up to twice as far apart:
        rounding is enough for other steps, where stiff forces without damping keep what errors were made."""
        tight = self.runner.run("model", self.text, t_end, "psf-radau", tolerances(SI, TIGHT) + until(t_end), TIGHT)
        return difference(one, tight, more=stiffness_sizes(self.data, 1.0))[0] if tight.end == "done" else 0.0

    def mean_steps(self, around, t_end):
        """Where a decision is near its limit (does Newton's iteration converge in time?) rounding makes it: the mean number of
        steps in units that differ from `around` by parts of 1e-11, as in check_units.py."""
        ends = [self.run_twin("disturbed", self.maker.tree, Units(*(u * (1 + k * d) for u, d in
                                                                    zip((around.l, around.m, around.t), (1e-13, 3e-13, 7e-13)))),
                              t_end=t_end) for k in range(1, MEANT + 1)]
        return sum(o.steps if o.end == "done" else math.inf for o in ends) / MEANT

    def disturbed(self, one, t_end):
        """What rounding alone makes of it: as in check_units.py the largest difference in units that differ by parts of 1e-11."""
        worst = 0.0
        for k in range(1, DISTURBED + 1):
            units = Units(*(1 + k * d for d in (1e-13, 3e-13, 7e-13)))
            other = self.run_twin("disturbed", self.maker.tree, units, t_end=t_end)
            worst = max(worst, difference(one, other, units, more=stiffness_sizes(self.data, 1.0))[0])
        return worst

    def run_twin(self, name, tree, units, tol=TOLERANCE, t_end=None):
        text = written(plain(tree, units), "seed %d: %s" % (self.seed, name))
        t_end = (t_end or self.t_end) * units.t
        self.files[name] = text
        return self.runner.run("twin", text, t_end, "psf-radau", tolerances(units, tol) + until(t_end), tol)

    def refusal(self, ends):
        """What no method runs is to be no mechanism that moves."""
        why = next(iter(ends.values())).why
        if all("accumulate" in o.why for o in ends.values()):
            self.notes.append(("refused", "%s []" % why))
            return
        try:
            model = Model(self.data)
            start = Start(model)
            found = self.wrong(start, model)
            if not found and any(o.end == "stopped" for o in ends.values()):
                found = self.wrong_at_stop(start, model, ends["psf-radau"])
        except (ZeroDivisionError, OverflowError) as error:
            self.breaks("refusal", "the second simulator fails (%r): %s" % (error, why))
            return
        if found:
            self.notes.append(("refused", "%s [%s]" % (why, found)))
            if re.search("rank drops|dead centre", found) and "singular" not in why and \
                    not re.search("velocities|without mass", found):
                self.breaks("named", "%s, where the second simulator finds: %s" % (why, found))
            for cause, word, bad in (("singular position at the stop|lies flat", "singular", ("stopped",)),
                                     ("friction locks", "friction locks", ("stopped", "late")),
                                     ("loses its inertia", "loses its inertia", ("stopped", "late"))):
                for m, o in ends.items():
                    if re.search(cause, found) and o.end in bad and word not in o.why and \
                            not self.falls_short(start, model, o):
                        self.breaks("named", "%s by %s, where the second simulator finds: %s" % (o.why, m, found))
        else:
            self.breaks("refusal", "%s; second simulator: rank %d of %d, nothing wrong" %
                        (why, start.rank(), len(start.rows)))

    def wrong(self, start, model):
        """What the second simulator finds wrong at the start."""
        rank, near, loose, found = start.rank(), start.nearby(), start.undetermined(), []
        if loose:
            found.append("freedoms without mass")
        if start.velocity > 1e-6:
            found.append("velocities contradict")
        elif start.acceleration > 1e-6:
            found.append("accelerations contradict")
        if near is not None and near != rank:
            found.append("rank drops at the start")
        elif start.shaky():
            found.append("dead centre at the start")
        elif start.touches():
            found.append("constraints touch at the start: rank drops where they do")
        solution = model.solve(start.point) if not found else None
        if solution and self.open_loads(model, start.point, solution):
            found.append("friction under a load that is not unique")
        return ", ".join(found)

    def wrong_at_stop(self, start, model, outcome):
        """What the second simulator finds wrong at the last step, or else at the place that the stop names."""
        last = self.last_step("psf-radau")
        return self.wrong_at(start, model, last) or self.wrong_at(start, model, self.named_place(outcome, "psf-radau"))

    def falls_short(self, start, model, outcome):
        """Does an explicit method say that it cannot come to where a damped freedom loses its inertia, as the second simulator
        sees, where the others go on (theory 2.8)?"""
        return outcome.stiff and "loses its inertia" in outcome.why and \
            "loses its inertia" in self.wrong_at(start, model, self.named_place(outcome, "psf-radau"))

    def wrong_at(self, start, model, row):
        """Weakest constraint and inertia of a row, relative to the start."""
        if not row:
            return ""
        if self.pole(model, row):
            return "pole of a torsional spring at the stop"
        p = point_of(model, row)
        for j in model.joints.values():
            j.turns = {n: row.get("joint.%s.%s" % (j.name, n), 0.0) for n in ("angle", "angle1", "angle2")}
        rows = start.scaled(model.constraints(p)[0])
        if weakest(rows, start.rows) < 0.03 * weakest(start.rows):
            return "singular position at the stop"
        if any(j.upright(p.S) < 0.03 for j in model.joints.values()):
            return "a disc lies flat at the stop"
        if model.solve(p).gain > 0.9:  # at one each reaction needs more friction than it causes
            return "friction locks at the stop"
        before, after = start.inertia(start.rows, start.point.S), start.inertia(rows, p.S)
        lost = len(basis(after)[0]) < len(basis(before)[0]) or weakest(after, before) < 1e-3 * weakest(before)
        return "a freedom loses its inertia at the stop" if lost else ""


def check_seed(job):
    command, seed, limit = job
    with tempfile.TemporaryDirectory() as place:
        try:
            return Seed(command, seed, limit, place).check()
        except Exception as error:  # pylint: disable=broad-except
            where = " / ".join(line.strip() for line in traceback.format_exc().split("\n")[-4:-2])
            return {"seed": seed, "class": "checker", "planar": False, "what": "", "ends": {}, "causes": {},
                    "notes": [], "files": {}, "seconds": 0.0, "broken": [("checker", "%r: %s" % (error, where))]}


# ---- report ----

def summary(results):
    classes, reasons = collections.Counter(), collections.defaultdict(list)
    for r in results:
        for m, end in r["ends"].items():
            classes[r["class"], m, end] += 1
        for m, why in r["causes"].items():
            reasons[m, r["ends"][m], why].append(r["seed"])
    print("\nclass        " + "".join("%12s" % m for m in METHODS) + "   done of all")
    for kind in sorted({r["class"] for r in results}):
        number = sum(r["class"] == kind for r in results)
        print("%-13s" % kind + "".join("%12s" % ("%d of %d" % (classes[kind, m, "done"], number)) for m in METHODS))
    print("\ncauses of runs that did not finish: method, end, number of seeds, first ones")
    for (m, end, why), seeds in sorted(reasons.items(), key=lambda item: (item[0][0], -len(item[1]))):
        print("  %-11s %-8s %4d  %s  [%s]" % (m, end, len(seeds), why, " ".join(map(str, seeds[:4]))))
    counts = collections.defaultdict(dict)  # of seeds, in order
    for r in results:
        for kind, text in r["notes"]:
            counts[kind + " " + text if kind == "refused" else kind][r["seed"]] = True
    for text, seeds in sorted(counts.items()):
        print("%s: %d seeds [%s]" % (text, len(seeds), " ".join(map(str, list(seeds)[:8]))))
    rules = collections.defaultdict(set)
    for r in results:
        for rule, _ in r["broken"]:
            rules[rule].add(r["seed"])
    for rule, seeds in sorted(rules.items()):
        print("rule %s broken by %d seeds: %s" % (rule, len(seeds), " ".join(map(str, sorted(seeds)))))


def keep(place, result):
    """The model files of a seed that breaks a rule, twins included."""
    os.makedirs(place, exist_ok=True)
    for name, text in result.pop("files").items():
        file = "-".join([str(result["seed"])] + re.findall(r"\w+", name)) + ".yaml"
        with open(os.path.join(place, file), "w", encoding="utf-8") as out:
            out.write(text)


def main():
    parser = argparse.ArgumentParser(description="random mechanisms by several methods")
    parser.add_argument("command")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--also", type=int, nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=30.0)
    parser.add_argument("--keep")
    parser.add_argument("--json")
    a = parser.parse_args()
    jobs = [(os.path.abspath(a.command), seed, a.limit) for seed in [*range(a.first, a.last + 1), *a.also]]
    results, failed = [], 0
    with multiprocessing.Pool(a.jobs) as pool:
        for r in pool.imap(check_seed, jobs):
            results.append(r)
            for rule, text in r["broken"]:
                print("FAIL seed %d (%s): %s: %s" % (r["seed"], r["what"], rule, text), flush=True)
            failed += bool(r["broken"])
            if a.keep:
                keep(a.keep, r)
    if a.json:
        with open(a.json, "w", encoding="utf-8") as out:
            json.dump(results, out, indent=0)
    summary(results)
    print("%d passed, %d failed" % (len(results) - failed, failed))
    sys.exit(1 if failed or not results else 0)


if __name__ == "__main__":
    main()
