"""Robots of other programs' formats: the parallelogram arm in each dialect in which loops are closed, the humanoid in both formats, a delta robot, a biped leg
whose loops are cut elsewhere, and robots written and read again.

    python3 check_robots.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with "N passed, N failed"; exit 1 if any failed.
PATTERN keeps the checks whose label contains it. Needs Python 3 alone.

Limits: two runs of the same motion at rtol = atol = 1e-12 are within 1000 tolerances of each other, and within ten times that once
the arm has met its stop, whose push begins with a corner and throws it back several times; closed loops hold to 1e-12 of
lengths; a bushing is off by force over stiffness, which is computed here from the loads of the hard loop.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
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


def check_delta(checks):
    """Three degrees of freedom, all of translation; efforts of a motion give it back."""
    delta = checks.path("delta-robot/delta.urdf")
    told = subprocess.run([checks.command, "check", delta], capture_output=True, text=True, check=False).stdout
    checks.report("3 degrees of freedom in position" in told and "redundant        none" in told and '"platform" has no mass' not in told, "delta-robot: freedom")
    rows = run(checks, delta, "--t-end", "0.2", "--set", "motor1_command=0.5")
    checks.limit("delta-robot", "turn of the platform", max(abs(x) for axis in "123" for x in rows[f"body.platform.q{axis}"]), 1e-9)
    checks.limit("delta-robot", "closure", max(rows["residual.position"]), CLOSURE)
    # of 0.3 sin 4t, 0.2 sin 5t and 0.1 t^2, from a table of 300 intervals
    motion = {"shoulder1": lambda t: 0.3 * math.sin(4 * t), "shoulder2": lambda t: 0.2 * math.sin(5 * t), "shoulder3": lambda t: 0.1 * t * t}
    with tempfile.TemporaryDirectory() as place:
        again = os.path.join(place, "again.yaml")
        subprocess.run([checks.command, "inverse", delta, "--drive", "shoulder1=0.3*sin(4*t)", "--drive", "shoulder2=0.2*sin(5*t)", "--drive",
                        "shoulder3=0.1*t^2", "--t-end", "0.5", "--points", "300", "--replay", again, "--quiet"], check=True)
        rows = run(checks, again, "--t-end", "0.5")
    off = max(abs(x - q(t)) for name, q in motion.items() for x, t in zip(rows[f"joint.{name}.angle"], rows["time"]))
    checks.limit("delta-robot", "motion by its efforts apart", off, 1e-9)


def check_leg(checks):
    """Joints that close loops have limits, friction and damping; reactions do not depend on which ones they are."""
    leg, other = (run(checks, checks.path(f"biped-leg/swing/{name}.yaml"), "--t-end", "1") for name in ("leg", "leg-other-cuts"))
    marks = [name for name in leg if ".unique." in name and name in other]
    compared, off = 0, 0.0
    for mark in marks:
        name = mark.replace(".unique", "")
        size = max(1.0, max(map(abs, leg[name])))
        for i, unique in enumerate(leg[mark]):
            if unique == 1 and other[mark][i] == 1:
                compared += 1
                off = max(off, abs(leg[name][i] - other[name][i]) / size)
    checks.report(compared > 500, f"biped-leg: {compared} reactions are unique with both cuts")
    checks.limit("biped-leg", "reactions apart", off, 1e-8)
    checks.report("joint.knee_pin.angle" in leg and max(map(abs, leg["force.knee_pin_friction.torque"])) > 0.05, "biped-leg: friction where a loop is closed")
    with tempfile.TemporaryDirectory() as place:
        out = os.path.join(place, "long.csv")
        subprocess.run([checks.command, "run", checks.path("biped-leg/swing/leg.yaml"), "--quiet", "--out", out], check=True)
        rows = table(out)
    checks.limit("biped-leg", "closure in 10 s", max(rows["residual.position"]), CLOSURE)
    largest = max(map(abs, rows["force.knee_servo.torque"]))
    checks.report(29.99 < largest <= 30, f"biped-leg: the knee's motor reaches its limit, {largest:.3f}")


def check_round_trips(checks):
    for name, ending in (("humanoid/humanoid.urdf", "urdf"), ("humanoid/humanoid.xml", "xml"), (ARM + "constraint.urdf", "urdf"), (ARM + "arm.xml", "xml"),
                         ("delta-robot/delta.urdf", "urdf"), ("biped-leg/swing/leg.urdf", "urdf"), ("humanoid/humanoid.urdf", "xml")):
        with tempfile.TemporaryDirectory() as place:
            one, robot, other = (os.path.join(place, x) for x in ("one.yaml", "robot." + ending, "other.yaml"))
            for arguments in (("import", checks.path(name), "-o", one), ("export", one, "-o", robot), ("import", robot, "-o", other)):
                subprocess.run([checks.command, *arguments, "--quiet"], check=True)
            a, b = (run(checks, path, "--t-end", "0.2") for path in (one, other))
        columns = [c for c in a if c.startswith(("joint.", "body.")) and ".unique." not in c]
        checks.report(all(c in b for c in columns), f"{name} to {ending} and back: names")
        unique = [c for c in columns if not (c.split(".")[-1] in ("fx", "fy", "fz", "tx", "ty", "tz"))]
        checks.limit(f"{name} to {ending} and back", "apart", apart(a, b, unique), 1e-9)


def main():
    checks = Checks(*sys.argv[1:4])
    for label, check in (("dialects", check_dialects), ("humanoid", check_humanoid), ("delta", check_delta), ("leg", check_leg),
                         ("round", check_round_trips)):
        if checks.wanted(label):
            check(checks)
    checks.finish()


if __name__ == "__main__":
    main()
