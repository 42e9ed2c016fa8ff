#!/usr/bin/env python3
# Inline integration (methods inline-..., theory 13): the structure of what is generated for the examples
# of [EOC95], the C itself, numbers against the formulation that does not translate, orders, a change of states in the
# run, pivots that vanish.
#
#     check_inline.py CRANK MODELS
# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

crank, models = sys.argv[1], Path(sys.argv[2])
failures = []
directory = Path(tempfile.mkdtemp())


def expect(condition, text):
    if not condition:
        failures.append(text)


def call(*arguments):
    return subprocess.run([crank, *map(str, arguments)], capture_output=True, text=True, check=False)


def model(name, text):
    path = directory / f"{name}.mo"
    path.write_text(text)
    return path


def rows(path, *arguments):
    result = call("run", path, *arguments, "--quiet")
    expect(result.returncode == 0, f"{path.name} {arguments}: {result.stderr}")
    return list(csv.DictReader(io.StringIO(result.stdout)))


def dump(path, which):
    result = call("compile", path, "--dump", which)
    expect(result.returncode == 0, f"{path.name}, {which}: {result.stderr}")
    return result.stdout


def worst(one, other, columns):
    expect(len(one) == len(other) > 1, f"{len(one)} and {len(other)} rows")
    return max(abs(float(a[c]) - float(b[c])) / max(1.0, max(abs(float(y[c])) for y in other))
               for a, b in zip(one, other) for c in columns)


filters = model("Filters", """model Filters
  parameter Real T1 = 0.1, T2 = 0.3;
  Real u, x1(start = 0, fixed = true), x2(start = 0, fixed = true);
equation
  u = sin(3*time);
  T1*der(x1) + x1 = u;
  T2*der(x2) + x2 = x1;
  annotation(experiment(StopTime = 2));
end Filters;
""")
second = model("Second", """model Second
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true);
equation
  der(x1) = x2;
  der(x2) = -sin(x1) - x2^3 + cos(time);
  annotation(experiment(StopTime = 5));
end Second;
""")
plant = model("Plant", """model Plant
  parameter Real w = 5, D = 0.7, k = 3;
  Real x(start = 0.2, fixed = true), u, y, x1(start = 0, fixed = true), x2(start = 0, fixed = true);
equation
  der(x) = -x^3 + 0.5*u + 1;
  y = x + 0.1*x^3;
  der(x1) = x2;
  der(x2) = -2*w*D*x2 - w^2*x1 + w^2*y;
  u = -k*x1;
  annotation(experiment(StopTime = 5));
end Plant;
""")
pendulum = model("Pendulum", """model Pendulum
  parameter Real L = 1, g = 9.81;
  Real x(start = 0, fixed = true), y(start = -1), vx(start = 8, fixed = true), vy(start = 0), lambda;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda*x;
  der(vy) = -lambda*y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 5));
end Pendulum;
""")
loop = model("CapacitorLoop", """model CapacitorLoop "two capacitors beside each other: one state"
  parameter Real C1 = 1e-3, C2 = 2e-3, R = 100;
  Real v1(start = 0, fixed = true), v2, i1, i2;
equation
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  v1 = v2 + 0*time;
  i1 + i2 = (10*sin(20*time) - v1)/R;
  annotation(experiment(StopTime = 1));
end CapacitorLoop;
""")
fourbar = model("FourBar", """model FourBar "angles of three bars, closed in the plane; unit masses at the joints"
  parameter Real a = 1, b = 2.5, c = 2, d = 2.2, g = 9.81;
  Real p(start = 1, fixed = true), q(start = 0.5), r(start = 1.8), wp(start = 2, fixed = true), wq, wr, l1, l2;
equation
  der(p) = wp;
  der(q) = wq;
  der(r) = wr;
  der(wp)*a^2 = -g*a*cos(p) + l1*a*sin(p) - l2*a*cos(p);
  der(wq)*b^2/3 = l1*b*sin(q) - l2*b*cos(q);
  der(wr)*c^2 = -g*c*cos(r) - l1*c*sin(r) + l2*c*cos(r);
  a*cos(p) + b*cos(q) - c*cos(r) - d = 0;
  a*sin(p) + b*sin(q) - c*sin(r) = 0;
  annotation(experiment(StopTime = 2));
end FourBar;
""")
vanishing = model("Vanishing", """model Vanishing "z follows from w but where s passes zero; both together always follow"
  Real x(start = 0.3, fixed = true), s, w, z(start = 1);
equation
  s = (time - 3)^3/54;
  s*z + sin(w) = x;
  z^3 + w^3 + z + w = 2;
  der(x) = 0.3*w - x;
  annotation(experiment(StopTime = 6));
end Vanishing;
""")


# a start from which one matrix leads nowhere if x' is guessed to the wrong side
cubic = model("Cubic", """model Cubic
  Real x(start = 1, fixed = true);
equation
  der(x)^3 + der(x) = -x;
  annotation(experiment(StopTime = 1));
end Cubic;
""")


# ---- structure ----
def check_robot():
    """one nonlinear system of 6, limiters and friction included; drives by assignments: filters of first and second order
    in closed form"""
    robot = models / "modelica" / "robot-r3.mo"
    for name, states in (("R3.Robot", 36), ("R3.Robot66", 66)):
        text = call("compile", robot, "--model", name, "--dump", "states").stdout
        expect(f"states: {states}:" in text, f"{name}: not {states} states: {text[:200]}")
        text = call("compile", robot, "--model", name, "--dump", "tearing").stdout
        expect(re.findall(r"(?:non)?linear system of \d+", text) == ["nonlinear system of 6"], f"{name}: {text[:3000]}")
        expect("may vanish" not in text, f"{name}: divides by what may vanish")
    for axis in (4, 5, 6):  # of the last one
        for state, slope in (("first.x", "-0.0002 - h"), ("tacho.x", "1 - h"), ("smooth.x", "1 - h")):
            name = re.escape(f"axis{axis}.controller.{state}")
            expect(re.search(rf"^  der\({name}\) := .*/\({re.escape(slope)}.*$", text, re.M),
                   f"axis {axis}: {state} is not solved for in closed form")


def check_structure():
    text = dump(filters, "tearing")
    expect("system" not in text, f"filters in series iterate: {text}")
    expect(len(re.findall(r"^  (der\()?x[12]\)? :=", text, re.M)) == 4, f"filters: not four assignments: {text}")
    expect("(-0.1 - h" in text or "0.1 + h" in text, f"filters: not divided by T + h: {text}")
    text = dump(second, "tearing")
    expect(text.count("system of 1 ") == 1 and "block of 4" in text, f"x1' = x2: not n = 1: {text}")
    text = dump(plant, "tearing")
    expect(len(re.findall("system of", text)) == 1 and "nonlinear system of 1 " in text, f"plant: {text}")
    check_robot()
    text = dump(pendulum, "states")
    expect("index: 3" in text and "states: 2" in text and "1 of y, x" in text.replace("x, y", "y, x"),
           f"pendulum: {text}")
    # pivots of one sign, x^2 + y^2, are preferred to those that pass zero as the pendulum turns
    for path in (pendulum, models / "flyball-governor/equations.yaml"):
        expect("vanishes" not in call("run", path, "--method", "inline-bdf").stderr, f"{path.name} falls back")
    expect("nonlinear system of 4 in" in dump(pendulum, "tearing"), f"pendulum: {dump(pendulum, 'tearing')}")
    expect("index: 2" in dump(loop, "states") or "states: 1" in dump(loop, "states"), "capacitor loop: not one state")


# ---- C ----
def check_c():
    for path in (filters, plant, pendulum, fourbar, vanishing):
        text = dump(path, "c")
        expect(text == dump(path, "c"), f"{path.name}: the C is another one the second time")
        source = directory / "model.c"
        source.write_text(text)
        if shutil.which("cc"):
            result = subprocess.run(["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-c", source,
                                     "-o", directory / "model.o"], capture_output=True, text=True, check=False)
            expect(result.returncode == 0, f"{path.name}: {result.stderr}")
        expect(re.findall(r'#include.*', text) == ["#include <math.h>"], f"{path.name}: needs more than math.h")
        longest = max(len(f.split("\n")) for f in text.split("\nstatic void ")[1:-1])
        expect(longest < 600, f"{path.name}: a function of {longest} lines")
    text = call("compile", models / "modelica" / "robot-r3.mo", "--model", "R3.Robot66", "--dump", "c").stdout
    expect("/* Rotational.mo line " in text and "/* line 5 */" in dump(filters, "c"), "statements do not say where they come from")
    lines = {name: len(list((models / "modelica" / "Crank" / name).open())) for name in ("Rotational.mo", "Blocks.mo")}
    for name, line in re.findall(r"/\* (Rotational.mo|Blocks.mo) line (\d+) \*/", text):
        expect(int(line) <= lines[name], f"{name} has no line {line}")
    evil = model("Evil", """model Evil "*/ int x; /* "
  Real 'a*/ system(0); /*'(start = 1, fixed = true);
equation
  der('a*/ system(0); /*') = -'a*/ system(0); /*';
end Evil;
""")
    bare = re.sub(r'"[^"\n]*"', '""', dump(evil, "c"))
    expect("system(" not in bare, "a name of the model is C")


def check_program():
    """model.c and main.c: steps of one length by backward Euler, of order 1"""
    if not shutil.which("cc"):
        return
    out = directory / "program"
    result = call("compile", filters, "-o", out)
    expect(result.returncode == 0, f"-o: {result.stderr}")
    expect(len((out / "main.c").read_text().split("\n")) <= 31, "main.c is longer than 30 lines")
    built = subprocess.run(["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", out / "main.c", "-o",
                            out / "run", "-lm"], capture_output=True, text=True, check=False)
    expect(built.returncode == 0, f"main.c: {built.stderr}")
    ran = subprocess.run([out / "run"], capture_output=True, text=True, check=False)
    last = list(csv.DictReader(io.StringIO(ran.stdout)))[-1]
    exact = rows(filters, "--method", "psf-radau", "--rtol", 1e-9, "--atol", 1e-9)[-1]
    off = abs(float(last["x2"]) - float(exact["x2"]))
    # h/2 x'' of steps of 2 ms, with x'' up to 9
    expect(1e-6 < off < 9e-3 and "at most 1 evaluation" in ran.stderr, f"program: off by {off}; {ran.stderr}")


def check_program_events():
    """what a program with steps of one length would go through in silence is refused with its line"""
    for name, model_name, line in (("ball.mo", None, "ball.mo:9:"), ("robot-r3.mo", "R3.Robot", ".mo:")):
        arguments = ("compile", models / "modelica" / name, *(("--model", model_name) if model_name else ()))
        result = call(*arguments, "-o", directory / "none")
        expect(result.returncode == 3 and "has no events" in result.stderr and line in result.stderr, f"{name}: {result.stderr}")
        expect(not (directory / "none").exists(), f"{name}: files are written")
        expect(call(*arguments, "--dump", "c").returncode == 0, f"{name}: no C")


# ---- numbers: as near to the solution as the same method without translation ----
TWIN = {"inline-bdf": "psf-bdf", "inline-sdirk": "psf-sdirk416", "inline-sdirk2": "psf-sdirk2",
        "inline-trapezoidal": "psf-trapezoidal", "inline-radau": "psf-radau"}


def check_numbers():
    for path, columns in ((cubic, ("x",)), (filters, ("x1", "x2")), (second, ("x1", "x2")), (plant, ("x", "u", "y")),
                          (pendulum, ("x", "y", "vx", "vy")), (loop, ("v1", "v2")), (fourbar, ("p", "q", "r", "wp"))):
        exact = rows(path, "--method", "psf-radau", "--rtol", 1e-10, "--atol", 1e-10)
        for method, twin in TWIN.items():
            asked = ("--rtol", 1e-6, "--atol", 1e-6)
            off = worst(rows(path, "--method", method, *asked), exact, columns)
            # Local errors of 1e-6 add up over some hundred steps; formulas of order 2 are off by more where a single
            # coordinate of a circle is integrated, whose third derivative does not vanish as that along it does.
            limit = max((30 if method == "inline-sdirk2" else 10)
                        * worst(rows(path, "--method", twin, *asked), exact, columns), 300e-6)
            expect(off < limit, f"{path.name} by {method}: off by {off:.2g}, more than {limit:.2g}")


# ---- what the model says of tearing ----
def check_told():
    text = """model Told
  Real x(start = 0.5, fixed = true), y(start = 0.4), z(start = 0.3), w;
equation
  der(x) = -x + y{0};
  y = 0.5*cos(z){1};
  z = 0.5*sin(y) + 0.1*x{2};
  w = -y{3};
end Told;
"""
    plain = rows(model("Told", text.format("", "", "", "")), "--method", "inline-bdf", "--rtol", 1e-9, "--atol", 1e-9)
    said = {"residue": (("", " + residue(y)", "", ""), ("nonlinear system of 1 in y", "residual: y - 0.5*cos(z)  // line 5")),
            "other": (("", "", " - residue(z)", ""), ("nonlinear system of 1 in z", "  // line 6")),
            "alias": (("", " + residue(w)", "", ""), ("nonlinear system of 1 in y", "  // line 5")),
            "both": (("", " + residue(y)", " + residue(z)", ""), ("nonlinear system of 2 in y, z", "  // line 6")),
            "not": (("", "", "", " + donottear(der(x))"), ("nonlinear system of 1 in ",)),
            "neither": (("", "", " + donottear(x)", " + donottear(der(x)) - donottear(y)"), ("nonlinear system of 1 in z",))}
    for name, (terms, wanted) in said.items():
        path = model("Told", text.format(*terms))
        found = dump(path, "states") + dump(path, "tearing")
        for part in wanted:
            expect(part in found, f"told {name}: no '{part}' in {found}")
        expect("not" not in name or "system of 1 in der(x)" not in found, f"told {name}: {found}")
        off = worst(rows(path, "--method", "inline-bdf", "--rtol", 1e-9, "--atol", 1e-9), plain, ("x", "y", "z"))
        expect(off < 1e-7, f"told {name}: off by {off:.2g}")
    linear = """model Linear
  Real x(start = 1, fixed = true), a, b, c, s(start = 1);
equation
  der(x) = -x - 0.1*s;
  s^3 + s = a + 0.1*a^3 + x;
  a + 0.5*b = x + s{0};
  b + 0.3*c = a{1};
  c - 0.2*a = b + s{2};
end Linear;
"""
    plain = rows(model("Linear", linear.format("", "", "")), "--method", "inline-bdf")
    for number, unknown in enumerate("ab"):  # from c alone the others do not follow
        terms = ["", "", ""]
        terms[number] = f" + linresidue({unknown})"
        path = model("Linear", linear.format(*terms))
        first = re.search(r"^  ([abc]) := ", dump(path, "tearing"), re.M).group(1)
        expect(first == unknown, f"linresidue({unknown}): the system begins with {first}")
        expect(worst(rows(path, "--method", "inline-bdf"), plain, ("x", "a", "b", "c", "s")) < 1e-5, f"linresidue({unknown})")
    wrong = {"linresidue(z): the equation is not linear in it": ("", " + linresidue(z)", "", ""),
             "a Real variable, or der() of one, is expected": ("", " + residue(2*y)", "", ""),
             "an equation has one residual": ("", " + residue(y) + residue(z)", "", ""),
             "stands in an equation of a model": (" + noEvent(if x > 0 then 1 else residue(y))", "", "", "")}
    for message, terms in wrong.items():
        result = call("run", model("Told", text.format(*terms)), "--method", "inline-bdf", "--quiet")
        expect(message in result.stderr or result.returncode == 0 and "stands" in message, f"{message}: {result.stderr}")


# ---- the pendulum turns over: states change, nothing drifts ----
def check_turning():
    for method in ("inline-bdf", "inline-radau"):
        result = rows(pendulum, "--method", method, "--rtol", 1e-6, "--atol", 1e-6, "--t-end", 50)
        off = max(abs(float(r["x"]) ** 2 + float(r["y"]) ** 2 - 1) for r in result)
        expect(off < 1e-9, f"turning pendulum by {method}: length is off by {off:.2g}")
        energy = [0.5 * (float(r["vx"]) ** 2 + float(r["vy"]) ** 2) + 9.81 * float(r["y"]) for r in result]
        drift = max(abs(e - energy[0]) for e in energy)
        expect(drift < 0.05, f"turning pendulum by {method}: energy is off by {drift:.2g}")
        expect(min(float(r["y"]) for r in result) < -0.99 < 0.99 < max(float(r["y"]) for r in result),
               "the pendulum does not turn over")


# ---- orders: fixed steps, errors of two step sizes ----
def check_orders():
    exact = float(rows(second, "--method", "psf-radau", "--rtol", 1e-12, "--atol", 1e-12)[-1]["x1"])
    for method, order, coarse in (("inline-trapezoidal", 2, 0.05), ("inline-sdirk2", 2, 0.05),
                                  ("inline-sdirk", 4, 0.1), ("inline-radau", 5, 0.2)):
        errors = []
        # iterations end at newton_tolerance times atol, 1e-12: what they leave adds up over stages and steps, and must
        # stay below the errors of the formulas, which are down to 1e-8
        for h in (coarse, coarse / 2):
            last = rows(second, "--method", method, "--rtol", 1e-2, "--atol", 1e3, "--option", f"h_start={h}",
                        "--option", f"h_max={h}", "--option", "newton_tolerance=1e-15")[-1]
            errors.append(abs(float(last["x1"]) - exact))
        seen = math.log2(errors[0] / errors[1])
        expect(abs(seen - order) < 0.4, f"{method}: order {seen:.2f}, not {order} ({errors})")


# ---- the robot's 66 states: the same motion by integrators that iterate on all of them, or on all unknowns ----
def check_standard():
    robot = models / "modelica" / "robot-r3.mo"
    asked = ("--model", "R3.Robot66", "--t-end", 0.01, "--every", 0.001, "--rtol", 1e-6, "--atol", 1e-6)
    one = rows(robot, *asked, "--method", "inline-bdf")
    columns = [c for c in one[0] if re.fullmatch(r"mechanics\.r\d\.(phi|w)|axis\d\.motor\.La\.i|axis\d\..*\.x", c)]
    expect(len(columns) > 30, f"robot: columns {columns}")
    for method in ("inline-ode-bdf", "inline-dae-bdf", "inline-dae-radau"):
        other = rows(robot, *asked, "--method", method)
        times = {r["time"] for r in one} & {r["time"] for r in other}  # those of events differ by rounding
        off = worst([r for r in one if r["time"] in times], [r for r in other if r["time"] in times], columns)
        expect(off < 1e-4, f"robot by {method}: off by {off:.2g}")
    exact = rows(plant, "--method", "psf-radau", "--rtol", 1e-10, "--atol", 1e-10)
    for method in ("inline-dae-bdf", "inline-dae-radau"):
        off = worst(rows(plant, "--method", method, "--rtol", 1e-6, "--atol", 1e-6), exact, ("x", "u", "y"))
        expect(off < 300e-6, f"plant by {method}: off by {off:.2g}")
    told = call("run", pendulum, "--method", "inline-dae-bdf").stderr
    expect("states are chosen in the run" in told, f"inline-dae of the pendulum: {told}")


# ---- where nothing can be torn: Newton on all states, or on all rates and algebraic unknowns ----
def check_worst_cases():
    ode = model("Ode", """model Ode "every rate by every state, none linearly"
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), z(start = -0.5, fixed = true);
equation
  der(x) = sin(time) - 30*sin(x + y + 0.5*z);
  der(y) = exp(-x*x) - 2*atan(x + 3*y - z);
  der(z) = cos(x*y) - 5*tanh(z + y - 0.3*x);
  annotation(experiment(StopTime = 5));
end Ode;
""")
    loop_of_all = model("Loop", """model Loop "all unknowns in all equations, none linearly"
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), w(start = 0.2);
equation
  sinh(der(x) + w/5) + atan(der(y) + x) + 30*sin(x + y) + w*w/20 = sin(time);
  atan(der(x) - w/5)/3 + sinh(der(y)) + 2*atan(x + 3*y) + sin(w) = 0.3;
  sinh(w) + atan(der(x))/5 + sin(der(y))/4 + x*y/3 = cos(time)/2;
  annotation(experiment(StopTime = 5));
end Loop;
""")
    for path, columns in ((ode, ("x", "y", "z")), (loop_of_all, ("x", "y", "w"))):
        text = dump(path, "tearing")
        expect(text.count("system of 3 ") == 1, f"{path.name}: {text}")
        asked = ("--rtol", 1e-6, "--atol", 1e-6, "--points", 5)
        exact = rows(path, "--method", "psf-radau", "--rtol", 1e-9, "--atol", 1e-9, "--points", 5)
        for method in ("inline-bdf", "inline-radau"):
            off = worst(rows(path, "--method", method, *asked), exact, columns)
            expect(off < 1e-4, f"{path.name} by {method}: off by {off:.2g}")
            found = []
            for name in (method, TWIN[method]):
                told = call("run", path, "--method", name, *asked, "--points", 1, "--out", directory / "x.csv", "--option",
                            "newton_tolerance=0.1").stderr
                found.append([int(n) for n in re.search(r"steps +(\d+),.* (\d+) Newton", told).groups()])
            (steps, iterations), (others, standard) = found
            expect(steps <= 1.1 * others, f"{path.name} by {method}: {steps} steps, {others} with the standard interface")
            expect(method != "inline-bdf" or path is not ode or iterations <= 1.3 * standard,
                   f"{path.name}: {iterations} iterations, {standard} with the standard interface")


# ---- pivots ----
def check_pivots():
    text = dump(vanishing, "tearing")
    expect("may vanish" in text, f"no pivot that may vanish: {text}")
    result = call("run", vanishing, "--method", "inline-bdf", "--rtol", 1e-7, "--atol", 1e-7)
    expect("vanishes" in result.stderr, f"the fall-back is not told: {result.stderr}")
    given = rows(vanishing, "--method", "inline-bdf", "--rtol", 1e-7, "--atol", 1e-7)
    exact = rows(vanishing, "--method", "psf-radau", "--rtol", 1e-9, "--atol", 1e-9)
    off = worst(given, exact, ("x", "w", "z"))
    expect(off < 1e-4, f"vanishing pivot: off by {off:.2g}")


# ---- structure is regular, numbers are not: another formulation, told ----
def check_roads():
    hidden = model("Hidden", """model Hidden "structure sees index 1, numbers index 2: c is a + b"
  Real x(start = 1, fixed = true), y, a, b, c;
equation
  der(x) = -x + a;
  der(y) = -y + b;
  c = a + b;
  a + x + y = cos(time) + c - b;
  x - y + a - b = 1;
end Hidden;
""")
    result = call("run", hidden, "--method", "inline-bdf")
    expect(result.returncode == 0 and "not inlined" in result.stderr and "psf takes the place" in result.stderr,
           f"the fall-back is not told: {result.stderr}")
    expect(rows(hidden, "--method", "inline-bdf") == rows(hidden, "--method", "psf-bdf"), "the fall-back is not psf-bdf")
    lonely = model("Lonely", """model Lonely "no states"
  Real x(start = 1);
equation
  x^3 + x = 1 + time;
end Lonely;
""")
    result = call("run", lonely, "--method", "inline-bdf")
    expect(result.returncode == 0 and "no states" in result.stderr, f"no states: {result.stderr}")


# ---- equations and dae files ----
# limits: ten times the worst of the three methods at 1e-6, relative to the largest value of a column
files = {"pendulum/pendulum": 4e-3, "pendulum-dae/pendulum-dae": 4e-3, "truck/equations": 7e-3, "flyball-governor/equations": 5e-4,
         "andrews/andrews": 4e-4, "chain/chain-10": 4e-4, "circuits/index2": 1e-4, "swashplate/equations": 2e-4,
         "skateboard/skateboard": 2e-3, "varying-rank/varying-rank": 5e-5}


def motion(row):
    return [c for c in row if not c.startswith(("step.", "residual.")) and c != "time"]


def check_files():
    for name, limit in files.items():
        path = models / f"{name}.yaml"
        exact = rows(path, "--method", "psf-radau", "--rtol", 1e-9, "--atol", 1e-9, "--points", 20)
        for method in ("inline-bdf", "inline-sdirk", "inline-radau"):
            arguments = ("--method", method, "--rtol", 1e-6, "--atol", 1e-6, "--points", 20)
            result = call("run", path, *arguments)
            expect("not inlined" not in result.stderr, f"{name} {method}: {result.stderr}")
            given = rows(path, *arguments)
            expect(set(motion(exact[0])) == set(motion(given[0])), f"{name}: other columns")
            off = worst(given, exact, motion(exact[0]))
            expect(off < limit, f"{name} {method}: off by {off:.2g}")
    result = call("run", models / "bouncing-ball/bouncing-ball.yaml", "--method", "inline-bdf")
    expect(result.returncode == 0 and "an impact is an impulse" in result.stderr, f"impact: {result.stderr}")
    result = call("run", models / "slider-crank/redundant.yaml", "--method", "inline-bdf")
    expect(result.returncode == 0 and "psf takes the place" in result.stderr, f"redundant: {result.stderr}")
    result = call("run", models / "four-bar/four-bar.yaml", "--method", "inline-bdf")
    expect(result.returncode == 2 and "body by body" in result.stderr, f"mechanism: {result.stderr}")
    expect("structural index 3" in call("check", models / "pendulum-dae/pendulum-dae.yaml").stdout, "check of a dae file")
    expect("lambda.along :=" in dump(models / "truck/equations.yaml", "tearing"), "tearing of the truck")


def check_file_events():
    path = directory / "brake.yaml"
    path.write_text("""crank: equations
parameters: {k: 0, limit: 0.5}
positions: {x: {start: 0}}
velocities: {v: {of: x, start: 1}}
mass: {diagonal: [2]}
forces: {v: -k*v}
dynamic: {n: {start: 0, rate: 1}}
events:
  brake: {when: x - limit, direction: rising, actions: [set: {k: 4}, reset: {n: n/2}, message: brakes]}
  end: {when: t - 1.5, direction: rising, actions: [reset: {v: -v}, stop]}
outputs: {momentum: 2*v}
simulate: {t_end: 3, rtol: 1e-8, atol: 1e-8}
""")
    for method in ("inline-bdf", "inline-radau"):
        result = call("run", path, "--method", method)
        expect("brakes" in result.stderr and "not inlined" not in result.stderr, f"events: {result.stderr}")
        last = rows(path, "--method", method)[-1]
        for name, value in (("time", 1.5), ("x", 0.5 + (1 - math.exp(-2))/2), ("v", -math.exp(-2)), ("n", 1.25),
                            ("momentum", -2*math.exp(-2))):
            expect(abs(float(last[name]) - value) < 1e-6, f"events, {method}: {name} = {last[name]}")
    last = rows(path, "--method", "inline-bdf", "--set", "k=1", "--set", "limit=9")[-1]
    expect(abs(float(last["v"]) + math.exp(-0.75)) < 1e-6, f"--set: v = {last['v']}")


# ---- steps that are tiny ----
def check_tiny():
    last = rows(pendulum, "--method", "inline-bdf", "--option", "h_start=1e-12", "--option", "h_max=1e-12",
                "--t-end", 1e-10)[-1]
    expect(abs(float(last["x"]) - 8e-10) < 1e-17, f"steps of 1e-12 s: x = {last['x']}")


# ---- rates that jump, at no event: in the long steps of simple motions before any stage ----
def check_jumps():
    edge = model("Edge", """model Edge
  parameter Real edge = 0.5;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = noEvent(if y > edge then 0.1 else 1.0);
  der(y) = 1;
  annotation(experiment(StopTime = 2));
end Edge;
""")
    swing = model("Swing", """model Swing
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -noEvent(sign(x));
  annotation(experiment(StopTime = 10));
end Swing;
""")
    rest = 10 - 4*math.sqrt(2)                  # behind a period; then to x = -1, and back through zero
    back = rest - 3*math.sqrt(2)
    exact = math.sqrt(2)*back - back*back/2
    for method in ("inline-sdirk", "inline-sdirk2", "inline-trapezoidal", "inline-bdf", "inline-radau"):
        for place in (0.05, 0.13, 0.37, 0.5, 0.71, 1.02, 1.31, 1.66):
            last = rows(edge, "--method", method, "--set", f"edge={place}", "--rtol", 1e-6, "--atol", 1e-6, "--points", 1)[-1]
            off = abs(float(last["x"]) - (place + 0.1*(2 - place)))
            expect(off < 3e-4, f"an edge at {place}, {method}: off by {off:.2g}")
        last = rows(swing, "--method", method, "--rtol", 1e-8, "--atol", 1e-8, "--points", 1)[-1]
        off = abs(float(last["x"]) - exact)
        expect(off < 1e-4, f"swing, {method}: off by {off:.2g}")


check_structure()
check_c()
check_program()
check_program_events()
check_numbers()
check_told()
check_turning()
check_orders()
check_standard()
check_worst_cases()
check_pivots()
check_roads()
check_files()
check_file_events()
check_tiny()
check_jumps()
for failure in failures:
    print(failure)
shutil.rmtree(directory)
sys.exit(bool(failures))
