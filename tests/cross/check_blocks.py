#!/usr/bin/env python3
# Mechanism blocks (theory 13.7): trees of mechanism files as components of Modelica models. Coordinates against those of the
# mechanism itself, both by methods that do not translate and inlined; a robot whose motors are Modelica against the one
# whose motors are forces of the file; the size of what is torn; what is refused, by name.
#
#     check_blocks.py CRANK MODELS
# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import re
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


def write(name, text):
    (directory / name).write_text(text, encoding="utf-8")
    return directory / name


def block(name, file, more="", equations=""):
    """A model with one block of the file."""
    return write(f"{name}.mo", f"""model {name}
  model Block
    annotation(__crank(mechanism = "{file}"));
  end Block;
  Block m;
{more}equation
{equations}  annotation(experiment(StopTime = 0.4));
end {name};
""")


def last(path, *arguments):
    result = call("run", path, "--points", 2, "--rtol", "1e-8", "--atol", "1e-8", "--quiet", *arguments)
    expect(result.returncode == 0, f"{path.name} {arguments}: {result.stderr}")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    return rows[-1] if rows else {}


def compare(name, mine, theirs, pairs, limit=2e-6):
    for own, other in pairs.items():
        a, b = float(mine.get(own, "nan")), float(theirs.get(other, "nan"))
        expect(abs(a - b) <= limit * (1 + abs(b)), f"{name}: {own} is {a}, {other} is {b}")


# turns and slides about any axis, several in a joint, side branches, what is fixed, a rotor, speeds at the start
write("tree.yaml", """crank: mechanism
gravity: [0.3, -0.2, -9.81]
bodies:
  car: {mass: 3, inertia: [0.3, 0.2, 0.1], position: [0.1, 0, 0], center: [0.05, 0.1, 0]}
  arm:
    mass: 2
    inertia: [[0.3, 0.02, 0.01], [0.02, 0.25, 0.03], [0.01, 0.03, 0.2]]
    position: [0.2, 0.1, 0]
    center: [0.5, 0, 0.1]
    orientation: {axis: [1, 2, 3], angle: 0.4}
  cylinder: {mass: 1, inertia: [0.03, 0.02, 0.01], position: [0.7, 0.1, 0.2], center: [0, 0.2, 0.1]}
  tip: {mass: 0.5, inertia: [0.003, 0.002, 0.001], position: [1, 0.3, 0.2], center: [0.1, 0, 0]}
  second: {mass: 0.7, inertia: [0.03, 0.02, 0.03], position: [0.3, -0.3, 0.2], center: [0.1, 0.1, 0]}
  plate: {mass: 0.3, inertia: [0.01, 0.02, 0.03], position: [0.5, -0.3, 0.2], center: [0.1, 0.1, 0.1]}
joints:
  slide: {type: prismatic, between: [ground, car], at: [0, 0, 0], axis: [1, 0, 1]}
  hinge: {type: revolute, between: [car, arm], at: [0.2, 0.1, 0], axis: [0.3, 1, -0.2], rotor: {inertia: 0.01, ratio: 5}}
  both: {type: cylindrical, between: [arm, cylinder], at: [0.7, 0.1, 0.2], axis: [1, 0, 0.5]}
  end: {type: universal, between: [cylinder, tip], at: [1, 0.3, 0.2], axes: [[1, 0, 0], [0, 1, 0]]}
  other: {type: revolute, between: [second, car], at: [0.3, -0.3, 0.2], axis: [0, 0, 1]}
  fix: {type: fixed, between: [second, plate], at: [0.5, -0.3, 0.2]}
initial:
  joints: {hinge: {angle_rate: 1.5}, other: {angle_rate: -2}, slide: {length: 0.1}}
simulate: {t_end: 0.4}
""")
tree = block("Tree", "tree.yaml")
pairs = {"m.slide.s": "joint.slide.length", "m.hinge.phi": "joint.hinge.angle", "m.both_1.s": "joint.both.length",
         "m.both_2.phi": "joint.both.angle", "m.'end_1'.phi": "joint.end.angle1",
         "m.'end_2'.phi": "joint.end.angle2", "m.other.phi": "joint.other.angle"}
reference = last(directory / "tree.yaml")
for method in ("auto", "inline-radau"):
    compare(f"tree by {method}", last(tree, "--method", method), reference, pairs)
text = call("check", tree).stdout
expect("nonlinear system of 7 in" in text, f"tree: other than one block torn to its 7 coordinates:\n{text}")

write("planar.yaml", """crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  cart: {mass: 2, inertia: 0.1, position: [0, 0]}
  rod: {mass: 1, inertia: 0.2, position: [0.3, 0.1], angle: 0.7, center: [0.4, 0.05]}
  end: {mass: 0.5, inertia: 0.05, position: [0.9, 0.2], center: [0.1, 0]}
joints:
  rail: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0.2]}
  pin: {type: revolute, between: [cart, rod], at: [0.1, 0]}
  knee: {type: revolute, between: [rod, end], at: [0.9, 0.2]}
simulate: {t_end: 0.4}
""")
reference = last(directory / "planar.yaml")
for method in ("auto", "inline-bdf"):
    compare(f"planar by {method}", last(block("Planar", "planar.yaml"), "--method", method), reference,
            {"m.rail.s": "joint.rail.length", "m.pin.phi": "joint.pin.angle", "m.knee.phi": "joint.knee.angle"}, 2e-5)

# the six-axis robot: motors of the file, and the same ones as components
robot = (models / "six-axis-robot/six-axis-robot.yaml").read_text(encoding="utf-8")
write("arm.yaml", robot[:robot.index("inputs:")] + "simulate: {t_end: 0.4}\n")
with_motors = write("motors.yaml", robot[:robot.index("outputs:")] + "simulate: {t_end: 0.4}\n")
paths = ["75*sin(u - sin(2*u)/2)", "35*(1 - cos(u))^2/4", "-45*(1 - cos(2*u))/2", "60*sin(u - sin(2*u)/2)",
         "70*(1 - cos(u))/2", "180*sin(u - sin(2*u)/2)"]
inertia = [60, 60, 25, 1.2, 1.2, 0.35]
motors = "".join(f"  Motor motor{i + 1}(J = {J});\n" for i, J in enumerate(inertia))
drives = block("Robot", "arm.yaml", """  model Motor
    Crank.Rotational.Flange flange;
    parameter Real J, w = 12*acos(-1), zeta = 0.7;
    Real path;
  equation
    -flange.tau = J*w^2*(path - flange.phi) + 2*zeta*w*J*(der(path) - der(flange.phi));
  end Motor;
""" + motors + "  Real u = acos(-1)*time;\n",
               "".join(f"  motor{i + 1}.path = {p}*acos(-1)/180;\n  connect(motor{i + 1}.flange, m.axis{i + 1});\n"
                       for i, p in enumerate(paths)))
compare("robot", last(drives, "--method", "inline-radau"), last(with_motors),
        {f"m.axis{i}.phi": f"joint.axis{i}.angle" for i in range(1, 7)}, 2e-5)
text = call("check", drives).stdout
sizes = [int(n) for n in re.findall(r"nonlinear system of (\d+)", text)]
expect(sizes == [6], f"robot: nonlinear systems of {sizes}, expected one of 6:\n{text}")

# ---- refused ----


def refused(name, old, new, message, text=None):
    source = (directory / "planar.yaml").read_text(encoding="utf-8") if text is None else text
    assert old in source
    write(f"{name}.yaml", source.replace(old, new))
    result = call("run", block(name.capitalize(), f"{name}.yaml"), "--quiet")
    expect(result.returncode == 3 and message in result.stderr and re.search(r"\.mo:\d+:\d+: ", result.stderr),
           f"{name}: expected '{message}', got {result.returncode}: {result.stderr}")


refused("force", "simulate:", "forces:\n  spring: {type: spring, between: [ground, end], from: [0, 1], to: [0.9, 0.2], stiffness: 10, length: 1}\nsimulate:",
        'force "spring"')
refused("loop", "simulate:", "  loop: {type: revolute, between: [ground, end], at: [1, 0.2]}\nsimulate:", "closes a loop")
refused("wrong", "mass: 2", "masse: 2", "masse")
refused("dae", "crank: mechanism", "crank: dae", "no mechanism", "crank: mechanism\nvariables: {x: 1}\nequations: [x' = -x]\n")
refused("ball", "type: universal", "type: spherical", "ball",
        re.sub(r", axes: \[\[1, 0, 0\], \[0, 1, 0\]\]", "", (directory / "tree.yaml").read_text(encoding="utf-8")))
result = call("run", block("Missing", "nowhere.yaml"), "--quiet")
expect(result.returncode == 3 and result.stderr.count("nowhere.yaml") == 1, f"missing file: {result.returncode} {result.stderr}")
# equations of a block stand where the class is, no line of a text that nobody sees
result = call("run", block("Twice", "planar.yaml", equations="  m.pin.phi = 0;\n" * 2), "--quiet")
expect(result.returncode == 3 and "line 3 (m)" in result.stderr and "planar.yaml line" not in result.stderr, f"places: {result.stderr}")
inside = write("Inside.mo", """model Inside
  Real x(start = 0);
equation
  der(x) = 1;
  annotation(__crank(mechanism = "planar.yaml"));
end Inside;
""")
result = call("run", inside, "--quiet")
expect(result.returncode == 3 and "without anything else" in result.stderr, f"block with equations: {result.stderr}")

for text in failures:
    print(text)
sys.exit(1 if failures else 0)
