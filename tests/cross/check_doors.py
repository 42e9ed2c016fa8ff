"""Doors on redundant hinges, and a coupler without mass.

    python3 check_doors.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with
"N passed, N failed"; exit 1 if any failed. PATTERN keeps the checks whose label contains it.
Needs Python 3 alone.

Hinges at heights h_i share a line z. Forces and torques that keep each other in balance (sum of f_i = 0, sum of
h_i z x f_i + tau_i = 0) can be added at will: what they cannot contain is unique. So with
  full hinges       nothing but the torque about z, which is zero
  two balls         forces across the line; along it the two share the weight at will
  a ball and guides the force along the line; across it, with two guides or more, nothing
The sum of all forces is always unique.
"""
# SPDX-License-Identifier: BSD-3-Clause
import re
import sys

from check_convergence import Checks, largest, read_csv, tolerance
from check_mechanisms import Series, check_residuals, check_series, check_structure, energy_error

TWO, THREE = "door-two-hinges/", "door-three-hinges/"
PARTS = ("fx", "fy", "fz", "tx", "ty", "tz")
# model, joints, what is unique by joint ("": all joints), columns of the reference that it has, redundant rows
DOORS = [
    (TWO + "door-two-hinges.yaml", ("lower", "upper"), {"": ("tz",)}, (), 5),
    (TWO + "balls.yaml", ("lower", "upper"), {"": ("fx", "fy", "tx", "ty", "tz")},
     ("joint.lower.fx", "joint.lower.fy", "joint.upper.fx", "joint.upper.fy"), 1),
    (TWO + "determinate.yaml", ("lower", "upper"), {"": PARTS},
     ("joint.lower.fx", "joint.lower.fy", "joint.upper.fx", "joint.upper.fy"), 0),
    (THREE + "door-three-hinges.yaml", ("lower", "middle", "upper"), {"": ("tz",)}, (), 10),
    (THREE + "guided.yaml", ("lower", "middle", "upper"), {"": ("fz", "tx", "ty", "tz")}, (), 2),
]
SERIES = [
    Series("massless-coupler/massless-coupler.yaml", tol=1e-9, limit=1e-6),
    Series("massless-coupler/spatial.yaml", "reference-spatial.csv", tol=1e-9, limit=1e-6),
]


def check_door(checks, model, joints, unique, columns, redundant):
    header, rows = read_csv(checks.path(model.split("/", maxsplit=1)[0] + "/reference.csv"))
    expected = [dict(zip(header, row)) for row in rows]
    run = checks.run(model, *tolerance(1e-9), "--t-end", "10", "--points", str(len(rows) - 1))
    if not run.reached(10):
        checks.report(False, "%s: %s" % (model, run.reason()))
        return
    found = [run.row(i) for i in range(len(run.rows))]

    def compare(what, name, value, limit):
        checks.limit(model, what + " off by", largest(abs(value(row) - ref[name]) / (1 + abs(ref[name]))
                                                      for row, ref in zip(found, expected)), limit)

    compare("angle", "theta", lambda row: row["theta"], 1e-6)
    compare("rate", "body.door.wz", lambda row: row["body.door.wz"], 1e-6)
    for name in ("fx", "fy", "fz"):
        if "sum." + name in header:
            compare("sum of " + name, "sum." + name,
                    lambda row, name=name: sum(row["joint.%s.%s" % (joint, name)] for joint in joints), 1e-5)
    for name in columns:
        compare(name, name, lambda row, name=name: row[name], 1e-5)
    check_residuals(checks, model, run)
    checks.limit(model, "energy balance", energy_error(run), 1e-7)
    wrong, absent = [], -1.0 if redundant else 1.0  # marks are there if rows are redundant
    for joint in joints:
        for part in PARTS:
            column = "joint.%s.unique.%s" % (joint, part)
            right = 1.0 if part in unique.get(joint, unique[""]) else 0.0
            if any(row.get(column, absent) != right for row in found):
                wrong.append(column)
    checks.report(not wrong, "%s: marks of unique reactions %s" % (model, ", ".join(wrong) or "right"))
    check_structure(checks, model, [r"\b1 degree of freedom in position, 1 in velocity"])
    named = re.findall(r'joint "\w+": (?:translation along|rotation about) \w repeats "\w+"', checks.check(model)[1])
    checks.report(len(named) == redundant, "%s: crank check names %d redundant rows for %d"
                  % (model, len(named), redundant))


def check_shares(checks):
    """How hinges share what they carry is found to rounding: two runs differ by ten tolerances at most, in every row."""
    model = THREE + "door-three-hinges.yaml"
    if not checks.wanted(model + " shares"):
        return
    runs = [checks.run(model, *tolerance(tol), "--method", method, "--t-end", "1.4", "--every", "0.0004")
            for method, tol in (("ode-dopri8", 1e-10), ("psf-radau", 1e-12))]
    rows = [[run.row(i) for i in range(len(run.rows))] for run in runs]
    for name in ("joint.lower.fx", "joint.lower.fy", "joint.middle.ty"):
        size = 1 + largest(abs(row[name]) for row in rows[1])
        checks.limit(model, "shares of %s differ by" % name,
                     largest(abs(a[name] - b[name]) / size for a, b in zip(*rows)), 1e-9)


def check_undetermined(checks):
    """Between two balls the spin of the coupler is not determined: it is named, with its direction (from A to B)."""
    model = "massless-coupler/undetermined.yaml"
    if not checks.wanted(model):
        return
    status, report = checks.check(model)
    named = re.search(r'not determined +(body "coupler": rotation about \(0\.835, 0\.547, -0\.0496\))\n', report)
    checks.report(status != 0 and bool(named), "%s: crank check, exit %d: %s"
                  % (model, status, named.group(1) if named else "does not name it"))
    run = checks.run(model)
    checks.report(run.status != 0 and "coupler" in run.message, "%s: crank run, %s" % (model, run.reason()))


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    checks = Checks(*sys.argv[1:])
    for door in DOORS:
        if checks.wanted(door[0]):
            check_door(checks, *door)
    for case in SERIES:
        if checks.wanted(case.label()):
            check_series(checks, case)
    check_shares(checks)
    check_undetermined(checks)
    checks.finish()


if __name__ == "__main__":
    main()
