#!/usr/bin/env python3
# models/modelica: each model against an exact solution, or against the same model as `crank: dae`, whose equations
# are written by hand; structure of the passes; the command's arguments.
#
#     check_modelica_models.py CRANK MODELS [long]: the whole series of the robot
# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import math
import subprocess
import sys
import tempfile
from pathlib import Path

crank, models = sys.argv[1], Path(sys.argv[2])
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def call(*arguments):
    return subprocess.run([crank, *map(str, arguments)], capture_output=True, text=True, check=False)


def rows(*arguments):
    result = call("run", *arguments, "--quiet")
    expect(result.returncode == 0, f"run {arguments}: {result.stderr}")
    table = list(csv.DictReader(io.StringIO(result.stdout)))
    return [row for row, after in zip(table, [*table[1:], {}]) if row["time"] != after.get("time")]  # behind events


def compare(name, one, other, columns, tolerance):
    """columns: name in one -> name in the other, or with a leading - its negative"""
    expect(len(one) == len(other) and len(one) > 1, f"{name}: {len(one)} and {len(other)} rows")
    for a, b in columns.items():
        sign = -1 if b.startswith("-") else 1
        worst = max(abs(float(x[a]) - sign * float(y[b.lstrip("-")])) for x, y in zip(one, other))
        scale = max(abs(float(y[b.lstrip("-")])) for y in other)
        expect(worst <= tolerance * (1 + scale), f"{name}: {a} is off {b} by {worst:g}")


def exact(name, table, column, function, tolerance):
    worst = max(abs(float(r[column]) - function(float(r["time"]))) for r in table)
    expect(worst <= tolerance, f"{name}: {column} is off by {worst:g}")


def twin(text, *arguments):
    """the rows of a model given here as YAML"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "twin.yaml"
        path.write_text(text, encoding="utf-8")
        return rows(path, *arguments)


def pendulums():
    at = ("--points", 20, "--t-end", 2, "--rtol", 1e-10, "--atol", 1e-10)
    reference = rows(models / "pendulum-dae/pendulum-dae.yaml", *at)
    names = ("x", "y", "vx", "vy", "lambda")
    # both runs are of the tolerance 1e-10; the motion over two seconds loses a factor of some hundreds
    compare("pendulum.mo", rows(models / "modelica/pendulum.mo", *at), reference, {n: n for n in (*names, "energy")}, 1e-7)
    base = dict(zip(("mass.r[1]", "mass.r[2]", "mass.v[1]", "mass.v[2]", "rod.lambda"), names))
    compare("pendulum.bmo", rows(models / "modelica/pendulum.bmo", *at), reference, base, 1e-7)
    for method in ("psf-radau", "psf-bdf", "ode-dopri8"):
        compare(f"pendulum.mo by {method}", rows(models / "modelica/pendulum.mo", "--method", method, *at), reference,
                {n: n for n in names}, 1e-6)
    # it turns over: no coordinate is left out
    turning = rows(models / "modelica/pendulum.mo", "--set", "vx=9", "--t-end", 20)
    worst = max(abs(float(r["x"])**2 + float(r["y"])**2 - 1) for r in turning)
    expect(worst < 1e-12, f"pendulum.mo: off the circle by {worst:g}")
    expect(max(float(r["y"]) for r in turning) > 0.99, "pendulum.mo with vx = 9 does not turn over")


def units():
    """events are where they are in other units of length and time, if atol is: bounces, and a body that friction stops"""
    text = """model Units
  parameter Real L = 1, T = 1, g = 9.81*L/T^2, mu = 0.3;
  Real x(start = L, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = true), u(start = 2*L/T, fixed = true);
  discrete Real bounce(start = 0, fixed = true), rest(start = 0, fixed = true);
  Boolean slides(start = true, fixed = true);
equation
  der(x) = v;
  der(v) = -g;
  when x < 0 then
    reinit(v, -0.8*pre(v));
    bounce = time;
  end when;
  der(s) = u;
  der(u) = if slides then -mu*g else 0;
  slides = pre(slides) and u > 0;
  when not slides then
    reinit(u, 0);
    rest = time;
  end when;
end Units;
"""
    fall, g = math.sqrt(2 / 9.81), 9.81
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Units.mo"
        path.write_text(text, encoding="utf-8")
        for length, time in ((1, 1), (1e-9, 1), (1e6, 1), (1, 1e-6), (1e3, 1e3)):
            for method in ("auto", "inline-bdf", "inline-radau"):
                last = rows(path, *(("--method", method) if method != "auto" else ()), "--set", f"L={length}", "--set", f"T={time}", "--t-end", 0.9 * time,
                            "--rtol", 1e-9, "--atol", 1e-9 * length * min(1, 1 / time))[-1]
                at = f"in units of {length:g} m, {time:g} s by {method}"
                # the tolerance, and a factor for what steps add up to
                expect(abs(float(last["bounce"]) / time - fall) < 1e-7, f"{at}: bounce at {last['bounce']}")
                expect(abs(float(last["rest"]) / time - 2 / (0.3 * g)) < 1e-7, f"{at}: rest at {last['rest']}")
                expect(abs(float(last["s"]) / length - 4 / (2 * 0.3 * g)) < 1e-7, f"{at}: s = {last['s']}")
        small = rows(path, "--set", "L=1e-9", "--t-end", 0.9, "--rtol", 1e-9, "--atol", 1e-18)
        loose = [float(r["x"]) for r in small]
        expect(min(loose) > -1e-15, f"the ball falls {min(loose):g} m below the ground of a model of 1e-9 m")


def circuits():
    at = ("--points", 60, "--rtol", 1e-9, "--atol", 1e-11)
    file = models / "modelica/electrical.mo"
    compare("RC", rows(file, "--model", "Electrical.RC", *at), rows(models / "circuits/index1.yaml", *at),
            {"source.p.v": "e1", "c.v": "e2", "source.p.i": "i", "r.i": "-i"}, 1e-7)
    compare("CapacitorLoop", rows(file, "--model", "Electrical.CapacitorLoop", *at), rows(models / "circuits/index2.yaml", *at),
            {"source.p.v": "e1", "coil.v": "e2", "source.p.i": "iV", "coil.i": "iL"}, 1e-7)


def others():
    at = ("--points", 20)
    table = rows(models / "modelica/filters.mo", *at)
    exact("filters", table, "first.y", lambda t: 1 - math.exp(-t / 0.1), 1e-6)
    exact("filters", table, "second.y", lambda t: 1 - (0.1 * math.exp(-t / 0.1) - 0.02 * math.exp(-t / 0.02)) / 0.08, 1e-6)
    table = rows(models / "modelica/sorting.mo", *at)
    exact("sorting", table, "x", lambda t: 2 * t + math.exp(-t), 1e-6)
    exact("sorting", table, "z", lambda t: 3 * math.exp(-t) - (2 * t + math.exp(-t))**2, 1e-5)
    compare("plant", rows(models / "modelica/plant.mo", *at), twin("""
crank: dae
variables: {x: 1, x1: 0, x2: 0, u: 0}
equations: ["x' = 0.5*u - sqrt(x)", "x1' = x2", "x2' = -7*x2 - 25*x1 + 25*(x - 2)", "u = -3*x1"]
simulate: {t_end: 10, rtol: 1e-8, atol: 1e-8}
""", *at), {"plant.x": "x", "plant.u": "u", "controller.x1": "x1"}, 1e-5)
    compare("drive", rows(models / "modelica/drive.mo", *at), twin("""
crank: dae
variables: {phi: 0, w: 0, load: 0, wl: 0}
let: {torque: 500*(load - phi/10) + 2*(wl - w/10)}
equations: ["phi' = w", "load' = wl", "0.01*w' = if(t < 0.5, 10, 0) + torque/10", "4*wl' = -torque"]
simulate: {t_end: 1, rtol: 1e-8, atol: 1e-8}
""", *at), {"motor.phi": "phi", "motor.w": "w", "load.phi": "load", "load.w": "wl"}, 1e-5)


def one_axis():
    """the series of the Modelica Standard Library: every quantity to ten times the tolerance of the run, and each mode of friction"""
    path = Path(__file__).resolve().parent / "modelica/reference/one_axis.csv"
    reference = list(csv.DictReader(line for line in path.read_text(encoding="utf-8").splitlines() if line[0] != "#"))
    names = [name for name in reference[0] if name != "time"]
    got = rows(models / "modelica/one-axis.mo", "--every", 0.008, "--t-end", 1.496)
    at = {round(float(row["time"]) / 0.008): row for row in got if abs(float(row["time"]) / 0.008 % 1 - 0.5) > 0.5 - 1e-9}
    one = [at[i] for i in range(len(reference))]
    for name in names:
        size = max(abs(float(row[name])) for row in reference)
        worst = max(abs(float(a[name]) - float(b[name])) for a, b in zip(one, reference))
        expect(worst <= 1e-5 * size, f"one-axis: {name} is off by {worst:g} of {size:g}")


def full_robot(t_end, tolerance, limit):
    """the published series of the whole robot: six joints and drives, friction that breaks away in each of them"""
    path = Path(__file__).resolve().parent / "modelica/reference/full_robot.csv"
    reference = list(csv.DictReader(line for line in path.read_text(encoding="utf-8").splitlines() if line[0] != "#"))
    reference = [row for row in reference if float(row["time"]) < t_end + 1e-9]
    got = rows(models / "modelica/robot-r3.mo", "--model", "R3.Robot", "--method", "inline-bdf", "--every", 0.02, "--t-end", t_end,
               "--rtol", tolerance, "--atol", tolerance)
    at = {round(float(row["time"]) / 0.02): row for row in got if abs(float(row["time"]) / 0.02 % 1 - 0.5) > 0.5 - 1e-9}
    one = [at[i] for i in range(len(reference))]
    for name in reference[0]:
        if name != "time":
            size = max(abs(float(row[name])) for row in reference)
            worst = max(abs(float(a[name]) - float(b[name])) for a, b in zip(one, reference))
            expect(worst <= limit * max(size, 1e-6), f"robot-r3: {name} is off by {worst:g} of {size:g}")
    text = call("compile", models / "modelica/robot-r3.mo", "--model", "R3.Robot", "--dump", "states").stdout
    expect("states: 36:" in text, f"robot-r3: not 36 states: {text[:200]}")


def ball():
    g, e, drop = 9.81, 0.8, 0.9
    first = math.sqrt(2 * drop / g)
    times = [first]
    for n in range(1, 4):
        times.append(times[-1] + 2 * e**n * g * first / g)
    table = rows(models / "modelica/ball.mo", "--steps")
    jumps = [float(b["time"]) for a, b in zip(table, table[1:]) if a["bounces"] != b["bounces"]]
    expect(len(jumps) == sum(t < 2 for t in times), f"ball: {len(jumps)} bounces")
    for got, wanted in zip(jumps, times):
        expect(abs(got - wanted) < 1e-8, f"ball: bounces at {got}, exactly {wanted}")


    # beyond the limit of its bounces there is no motion, and none is made up: 0.4283 s to the floor, 1.6/0.2 of it after that
    result = call("run", models / "modelica/ball.mo", "--t-end", 6, "--quiet", "--out", "/dev/null")
    limit = first * (1 + 2 * e / (1 - e))
    expect(result.returncode == 1 and "ball.mo:9:10" in result.stderr and "accumulate" in result.stderr, result.stderr)
    for tolerance in (None, 1e-3, 1e-6, 1e-10, 1e-12):  # and it never falls through, whatever is resolved
        given = ("--rtol", tolerance, "--atol", tolerance) if tolerance else ()
        for method in ((), ("--method", "inline-bdf")):
            result = call("run", models / "modelica/ball.mo", "--t-end", 6, "--quiet", "--out", "/dev/null", *given, *method)
            expect(result.returncode == 1 and "stopped at t = " in result.stderr, f"ball {given} {method}: {result.stderr}")
            told = float((result.stderr + "stopped at t = 0:").split("stopped at t = ")[1].split(":")[0])
            # where it is not resolved any more: bounces of twice the band of 2e-4 of the tolerance, and all that would follow;
            # by BDF energy is off by the tolerance, too, which is another limit
            near = 1e-5 + math.sqrt(8 * 4e-4 * (tolerance or 1e-9) / g) / (1 - e)
            near += 3 * (tolerance or 1e-9)**0.5 + 1e-3 if method else 0
            expect(abs(told - limit) < near, f"ball {given} {method}: stops at {told}, bounces accumulate at {limit}")


def messages():
    """what stops a run is told with its place"""
    cases = {
        "division": ("model M\n  Real x(start = 0), y;\nequation\n  der(x) = 1;\n  y = 1/x;\nend M;\n",
                     '"y" is infinite at t = 0', "division.mo:2:22"),
        "root": ("model M\n  Real x(start = 1, fixed = true), y;\nequation\n  der(x) = -1;\n  y = sqrt(x);\n"
                 "  annotation(experiment(StopTime = 2));\nend M;\n", '"y" is no number at t = 1.01', "root.mo:2:36"),
        "chatter": ("model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = if x > 0 then -1 else 1;\n"
                    "  annotation(experiment(StopTime = 3));\nend M;\n", "at t = 1 this relation chatters", "chatter.mo:4:17"),
        "index": ("model M\n  parameter Real a[2] = {1, 2};\n  Integer i(start = 1, fixed = true);\n  Real x(start = 0, fixed = true);\n"
                  "equation\n  der(x) = a[i];\n  when time > 0.5 then\n    i = 3;\n  end when;\nend M;\n", "not finite at t = 0.5", "line 6"),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, said, place) in cases.items():
            path = Path(folder) / f"{name}.mo"
            path.write_text(text, encoding="utf-8")
            result = call("run", path, "--quiet", "--out", "/dev/null")
            expect(result.returncode == 1 and said in result.stderr and place in result.stderr, f"{name}: {result.returncode} {result.stderr}")


def structure():
    text = call("compile", models / "modelica/sorting.mo", "--dump=blt").stdout
    order = [line.split("[")[1].split("]")[0] for line in text.splitlines()[1:]]
    expect("4 equations in 4 blocks, the largest of 1" in text and order[:3] == ["x", "z", "y"], f"sorting: {text}")
    text = call("compile", models / "modelica/electrical.mo", "--model", "Electrical.RC").stdout
    expect("4 equations in 4 blocks" in text, f"RC: {text}")
    text = call("compile", models / "modelica/pendulum.mo").stdout
    expect("5 of 6" in text and "x^2 + y^2 = 1" in text, f"pendulum: {text}")
    text = call("compile", models / "modelica/filters.mo", "--dump", "flat").stdout
    expect("first.T*der(first.x) = first.u - first.x" in text, f"filters: {text}")
    text = call("compile", models / "modelica/filters.mo", "--dump", "lexer").stdout
    expect("2:1: keyword block\n2:7: name Filter\n" in text, f"filters: {text[:200]}")


def arguments():
    file = models / "modelica/electrical.mo"
    result = call("run", file, "--model", "Electrical.Pin")
    expect(result.returncode == 2 and "a model or block is wanted" in result.stderr, result.stderr)
    result = call("run", file, "--model", "Electrical.RLC")
    expect(result.returncode == 2 and 'no model "Electrical.RLC"' in result.stderr, result.stderr)
    result = call("run", file, "--set", "coil.K=2")
    expect(result.returncode == 2 and 'did you mean "coil.L"' in result.stderr, result.stderr)
    result = call("run", file, "--set", "r.R=-2")
    expect(result.returncode == 2 and "its min is 0" in result.stderr, result.stderr)
    table = rows(models / "modelica/filters.mo", "--set", "first.T=2*second.T", "--points", 4)
    exact("filters, set", table, "first.y", lambda t: 1 - math.exp(-t / 0.04), 1e-6)
    result = call("check", file)
    expect(result.returncode == 0 and "differentiation index 2" in result.stdout and "fine" in result.stdout, result.stdout)
    result = call("compile", models / "four-bar/four-bar.yaml")
    expect(result.returncode == 2 and "passes are for files of equations" in result.stderr, result.stderr)
    with tempfile.TemporaryDirectory() as folder:
        page, csv_file = Path(folder) / "p.html", Path(folder) / "p.csv"
        result = call("run", models / "modelica/ball.mo", "--quiet", "--out", csv_file)
        expect(result.returncode == 0 and csv_file.exists() and not page.exists(), result.stderr)


if "long" in sys.argv:
    full_robot(1.84, 1e-8, 2e-5)  # the series itself is of a tolerance of about 1e-6
else:
    for part in (pendulums, units, circuits, others, one_axis, ball, messages, structure, arguments):
        part()
    full_robot(0.1, 1e-6, 1e-4)
for text in failures:
    print(text)
sys.exit(1 if failures else 0)
