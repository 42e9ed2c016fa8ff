"""Robots of other programs' formats: the parallelogram arm in each dialect in which loops are closed, the humanoid in both formats, a delta robot, a Stewart
platform, a closing joint with all that a joint can have, a biped leg whose loops are cut elsewhere, and robots written and read again.

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


def check_stewart(checks):
    """Six degrees of freedom on 18 rows; the legs' forces at rest by virtual work, and those of a motion give it back."""
    stewart = checks.path("stewart-robot/stewart.urdf")
    told = subprocess.run([checks.command, "check", stewart], capture_output=True, text=True, check=False)
    checks.report("6 degrees of freedom in position" in told.stdout and "18 of 18 holonomic" in told.stdout and "inside out" not in told.stderr, "stewart-robot: freedom")
    rest = [word for leg in range(1, 7) for word in ("--drive", f"leg{leg}=0")]
    with tempfile.TemporaryDirectory() as place:
        efforts, again = os.path.join(place, "efforts.csv"), os.path.join(place, "again.yaml")
        subprocess.run([checks.command, "inverse", stewart, *rest, "--t-end", "0.1", "--points", "1", "-o", efforts, "--quiet"], check=True)
        rows = table(efforts)
        # all legs longer by dL lift the platform by L/H dL; centres of cylinders are at 0.25 along a leg, those of pistons at L - 0.25
        height, across = 0.75, math.dist([0.6 * math.cos(math.radians(12)), 0.6 * math.sin(math.radians(12))],
                                         [0.45 * math.cos(math.radians(48)), 0.45 * math.sin(math.radians(48))])
        length = math.hypot(height, across)
        slope = 1 / height - height / length ** 2  # of H/L
        force = 9.81 * (40 / 6 * length / height + 4 * 0.25 * slope + 2 * (length / height - 0.25 * slope))
        off = max(abs(rows[f"joint.leg{leg}.effort"][0] - force) for leg in range(1, 7)) / force
        checks.limit("stewart-robot", "forces at rest apart from virtual work", off, 1e-12)
        motion = [word for leg in range(1, 7) for word in ("--drive", f"leg{leg}={0.01 * leg}*sin({3 + leg}*t)")]
        subprocess.run([checks.command, "inverse", stewart, *motion, "--t-end", "0.5", "--points", "300", "--replay", again, "--quiet"], check=True)
        rows = run(checks, again, "--t-end", "0.5")
    off = max(abs(x - 0.01 * leg * math.sin((3 + leg) * t)) for leg in range(1, 7) for x, t in zip(rows[f"joint.leg{leg}.length"], rows["time"]))
    checks.limit("stewart-robot", "motion by its forces apart", off, 1e-8)  # of a table of 300 intervals
    checks.limit("stewart-robot", "closure", max(rows["residual.position"]), CLOSURE)
    turn = max(abs(x) for axis in "123" for x in rows[f"body.platform.q{axis}"])
    checks.report(turn > 0.02, f"stewart-robot: the platform turns, {turn:.2f}")


CLOSING = """crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0.02, position: [0, 0], center: [0.15, 0.2]}
  b: {mass: 2, inertia: 0.2, position: [0.3, 0.4], center: [0.4, 0.05]}
  c: {mass: 1.5, inertia: 0.05, position: [1, 0], center: [0.05, 0.25]}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0]}
  B: {type: revolute, between: [a, b], at: [0.3, 0.4]}
  C: {type: revolute, between: [b, c], at: [1.1, 0.5]}
  D: {type: revolute, between: [ground, c], at: [1, 0]}
inputs:
  way: 0.4*sin(3*t)
forces:
  spring: {type: torsion, joint: C, stiffness: 8, damping: 0.1, angle: 0.5}
  servo: {type: actuator, joint: C, reference: way, kp: 60, kd: 3, limit: 8}
  rub: {type: friction, joint: C, level: 0.4, slip: 0.01}
  stop: {type: stop, joint: C, lower: -0.2, upper: 0.3, stiffness: 400, damping: 0.5}
initial:
  joints: {C: {angle: 0.1, angle_rate: 0.5}}
simulate: {t_end: 2, coordinates: joint}
"""


def check_closing(checks):
    """A joint with spring, drive of limited effort, friction, stops and a start of its own, which closes the loop or does not."""
    tables = {}
    with tempfile.TemporaryDirectory() as place:
        for cut in ("C", "A", "B", "absolute"):
            model = os.path.join(place, f"{cut}.yaml")
            text = CLOSING.replace("coordinates: joint", "coordinates: absolute") if cut == "absolute" else CLOSING
            with open(model, "w", encoding="utf-8") as file:
                file.write("".join(line.replace("}", ", tree: cut}") if line.startswith(f"  {cut}:") else line for line in text.splitlines(True)))
            tables[cut] = run(checks, model)
    one = tables["C"]
    columns = [name for name in one if name.startswith(("joint.", "force.")) and ".unique." not in name]
    for cut in ("A", "B", "absolute"):
        sizes = {name: max(1.0, *map(abs, one[name])) for name in columns}
        off = max(abs(x - y) / sizes[name] for name in columns for x, y in zip(one[name], tables[cut][name]))
        checks.limit("closing joint", f"motion, forces and reactions apart from cut {cut}", off, 1e-8)
    checks.limit("closing joint", "closure", max(one["residual.position"]), CLOSURE)
    reached = {name: max(map(abs, one[f"force.{name}.torque"])) for name in ("spring", "servo", "rub", "stop")}
    checks.report(reached["spring"] > 1 and abs(reached["servo"] - 8) < 1e-9 and reached["rub"] > 0.39 and reached["stop"] > 1,
                  "closing joint: all of them act, " + ", ".join(f"{name} {value:.2f}" for name, value in reached.items()))
    checks.limit("closing joint", "its own start", abs(one["joint.C.angle"][0] - 0.1) + abs(one["joint.C.angle_rate"][0] - 0.5), 1e-12)


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
    for label, check in (("dialects", check_dialects), ("humanoid", check_humanoid), ("delta", check_delta), ("stewart", check_stewart), ("closing", check_closing), ("leg", check_leg),
                         ("round", check_round_trips)):
        if checks.wanted(label):
            check(checks)
    checks.finish()


if __name__ == "__main__":
    main()
