"""Robots of other programs' formats: the parallelogram arm in each dialect in which loops are closed, the humanoid in both formats.

    python3 check_robots.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with "N passed, N failed"; exit 1 if any failed.
PATTERN keeps the checks whose label contains it. Needs Python 3 alone.

Limits: two runs of the same motion at rtol = atol = 1e-12 are within 1000 tolerances of each other, and within ten times that once
the arm has met its stop, whose push begins with a corner and throws it back several times; closed loops hold to 1e-12 of
lengths; a bushing is off by force over stiffness, which is computed here from the loads of the hard loop.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import subprocess
import sys
import tempfile

from check_convergence import Checks

TOLERANCE = 1e-12
MOTION, BOUNCED, CLOSURE = 1000 * TOLERANCE, 10000 * TOLERANCE, 1e-12
ARM = "parallelogram-arm/dialects/"
DIALECTS = ("constraint.urdf", "loop.urdf", "loop-misspelt.urdf", "loop-joint.urdf", "ball.urdf", "arm.xml")


def table(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split(",") for line in file]
    return {name: [float(row[i]) for row in lines[1:]] for i, name in enumerate(lines[0])}


def run(checks, model, *arguments):
    """Columns of a run."""
    with tempfile.TemporaryDirectory() as place:
        out = os.path.join(place, "out.csv")
        done = subprocess.run([checks.command, "run", model, "--quiet", "--rtol", str(TOLERANCE), "--atol", str(TOLERANCE), "--points", "50",
                               "--out", out, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            checks.report(False, f"{model}: {done.stderr.strip()}")
            return None
        return table(out)


def apart(one, other, columns, until=float("inf")):
    return max(abs(x - y) / (1 + abs(y)) for name in columns for x, y, t in zip(one[name], other[name], other["time"]) if t <= until)


def check_dialects(checks):
    columns = ["joint.lift.angle", "joint.lift.angle_rate", "joint.turn.angle", "joint.elbow.angle", "body.boom.x", "body.boom.vz"]
    first = run(checks, checks.path(ARM + "constraint.urdf"))
    moved = max(first["joint.lift.angle"]) - min(first["joint.lift.angle"])
    checks.report(moved > 0.5, f"{ARM}: the arm moves by {moved:.2f} rad")
    with tempfile.TemporaryDirectory() as place:
        side = os.path.join(place, "side.yaml")
        subprocess.run([checks.command, "import", checks.path(ARM + "side.urdf"), "--loops", checks.path(ARM + "side.yaml"), "-o", side], check=True)
        for name in DIALECTS + ("side",):
            rows = run(checks, side if name == "side" else checks.path(ARM + name))
            if rows is not None:
                free = min(t for t, q in zip(first["time"], first["joint.lift.angle"]) if q > 0.6 or t == first["time"][-1]) - 0.02
                checks.limit(ARM + name, f"motion apart up to {free:.2f} s", apart(rows, first, columns, free), MOTION)
                if name != "arm.xml":  # MJCF says nothing of how hard stops are
                    checks.limit(ARM + name, "motion apart", apart(rows, first, columns), BOUNCED)
                checks.limit(ARM + name, "closure", max(rows["residual.position"]), CLOSURE)
    # a soft loop is open by load over stiffness; where it is hard the load is known
    soft = run(checks, checks.path(ARM + "bushing.urdf"))
    load = max(sum(first[f"joint.closing.f{axis}"][i] ** 2 for axis in "xyz") ** 0.5 for i in range(len(first["time"])))
    gap = max(sum(soft[f"force.bushing_1.{axis}"][i] ** 2 for axis in "xyz") ** 0.5 for i in range(len(soft["time"])))
    checks.limit(ARM + "bushing", "gap over load/stiffness", gap / (load / 1e7), 4)


def check_humanoid(checks):
    """The same robot in both formats, thrown with turning joints."""
    names = ("left_knee", "right_hip_pitch", "waist_yaw", "neck_pitch", "left_elbow")
    tables = []
    with tempfile.TemporaryDirectory() as place:
        for ending in ("urdf", "xml"):
            model = os.path.join(place, "thrown.yaml")
            start = "".join(f"    {name}: {{angle_rate: {1 + i / 2}}}\n" for i, name in enumerate(names))
            with open(model, "w", encoding="utf-8") as file:
                file.write(f"crank: mechanism\ninclude: [{os.path.abspath(checks.path('humanoid/humanoid.' + ending))}]\n"
                           f"simulate: {{t_end: 0.3, coordinates: joint}}\ninitial:\n  joints:\n{start}")
            tables.append(run(checks, model))
    columns = [name for name in tables[0] if name.startswith(("joint.", "body."))]
    checks.report(set(columns) == {name for name in tables[1] if name.startswith(("joint.", "body."))}, "humanoid: names")
    checks.limit("humanoid", "URDF and MJCF apart", apart(*tables, columns), 1e-9)
    moved = max(abs(tables[0][f"joint.{name}.angle"][-1]) for name in names)
    checks.report(moved > 0.05, f"humanoid: it moves by {moved:.2f} rad")


def main():
    checks = Checks(*sys.argv[1:4])
    for label, check in (("dialects", check_dialects), ("humanoid", check_humanoid)):
        if checks.wanted(label):
            check(checks)
    checks.finish()


if __name__ == "__main__":
    main()
