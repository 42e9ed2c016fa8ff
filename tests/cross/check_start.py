"""Starts of random mechanisms with loops: placed bodies stay where guesses can do it, coordinates given within loops are met.

    python3 check_start.py CRANK FIRST LAST [SEED ...]

Seeds of random_assembly.py, those from FIRST to LAST and others. First the same mechanism with nothing placed but one body, off its true place by 1e-6 of the
mechanism's size: it must not move by more than 2e-3. (Guesses may close a loop where it can only just be closed, so that the body
turns a little; crank begins elsewhere only where that is more than half a unit of the third digit, by lever arms, which are smaller
than two sizes.) Then with nothing placed (odd seeds: but that body, at its true
place) and the true value of one joint's coordinate as `initial`: it must be assembled. Mechanisms with and without loops, placed as the
seed has it, then get springs and torsion springs without rest values between bodies and on coordinates of joints, and rods without a
length: they must start, and each spring without force or torque. Last, with guesses of the places of all bodies, off by 0.01 of
the size, and of no orientation: the start must be at most twice as far from them as the
true places are. Exits with 1 if anything fails.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from independent.algebra import add, to_quaternion
from random_assembly import Assembly

COMMAND, FIRST, LAST = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
OFF, MOST = 1e-6, 2e-3
ROUGH = 0.01
NONE = 1e-7  # of stiffness times size: what searches leave of forces at rest


def body(made, name, off=None):
    """off: from its true place; None: it is not placed."""
    inertia = made.size ** 2
    b = {"mass": 1.0, "inertia": inertia if made.planar else [inertia] * 3}
    if off is not None:
        b["position"] = made.cut(add(made.x[name], (off, -off, 0.0 if made.planar else off)))
        b.update({"angle": made.angle[name]} if made.planar else {"orientation": list(to_quaternion(made.R[name]))})
    return b


def crank(place, made, bodies, *arguments, **more):
    path = os.path.join(place, "model.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"crank": "mechanism", "dimension": made.n, "bodies": bodies, "joints": made.joints,
                   "simulate": {"t_end": 1e-9, "points": 1}, **more}, file)
    return subprocess.run([COMMAND, arguments[0], path, *arguments[1:]], capture_output=True, text=True, check=False, timeout=120)


def check_near(made, place):
    off = OFF * made.size
    done = crank(place, made, {n: body(made, n, off if n == "b0" else None) for n in made.names}, "init")
    if done.returncode != 0:
        return done.stderr.strip()[-200:]
    found = re.search(r'^body "b0" +(\S+) +(\S+)', done.stdout, re.M)
    moved = max(float(found.group(1)) / made.size, float(found.group(2))) if found else 0.0
    return None if moved <= MOST else "b0 is off by %g and moves by %g" % (OFF, moved)


def first_row(out):
    with open(out, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return dict(zip(rows[0], map(float, rows[1])))


def springs(made, r):
    """Without rest values: between bodies, and on coordinates of joints; k: 1 for lengths, size^2 for angles."""
    names, forces = ["ground", *made.names], {}
    for i in range(3):
        spring = {"between": r.sample(names, 2), "at": {"first": made.cut(made.vector()), "second": made.cut(made.vector())}}
        forces["s%d" % i] = {"type": "spring", "stiffness": 1.0, **spring}
        axis = {} if made.planar else {"axis": made.cut(made.direction())}
        forces["t%d" % i] = {"type": "torsion", "between": r.sample(names, 2), "stiffness": made.size ** 2, **axis}
    for name, joint in made.joints.items():
        kinds = {"revolute": ["torsion"], "prismatic": ["spring"], "cylindrical": ["torsion", "spring"]}.get(joint["type"], [])
        for kind in kinds:
            more = {"coordinate": "angle" if kind == "torsion" else "length"} if len(kinds) > 1 else {}
            forces[name + kind] = {"type": kind, "joint": name, "stiffness": made.size ** 2 if kind == "torsion" else 1.0, **more}
    return forces


def rods(made, r):
    rod = {"type": "distance", "between": r.sample(["ground", *made.names], 2)}
    return {"rod": {**rod, "at": {"first": made.cut(made.vector()), "second": made.cut(made.vector())}}}


def check_rests(made, seed, place):
    r = random.Random(seed)
    bodies, out = {n: made.body(n) for n in made.names}, os.path.join(place, "x.csv")
    options = ("run", "--out", out, "--coordinates", r.choice(("absolute", "joint")))
    if crank(place, made, bodies, *options).returncode != 0:
        return None  # check_assembly.py looks at those
    joints, forces = made.joints, springs(made, r)
    if r.random() < 0.5:
        made.joints = {**joints, **rods(made, r)}
    done = crank(place, made, bodies, *options, forces=forces)
    made.joints = joints
    if done.returncode != 0:
        return "without rest values: " + done.stderr.strip()[-200:]
    for name, value in first_row(out).items():
        if re.fullmatch(r"force\.\w+\.(force|torque)", name):
            size = made.size if name.endswith("force") else made.size ** 2
            if not abs(value) <= NONE * size:
                return "%s = %g at the start" % (name, value)
    return None


def check_coordinate(made, seed, place):
    out = os.path.join(place, "x.csv")
    done = crank(place, made, {n: body(made, n, 0.0) for n in made.names}, "run", "--out", out)
    if done.returncode != 0:
        return "at its true place: " + done.stderr.strip()[-200:]
    values = first_row(out)
    names = [n for n in values if re.fullmatch(r"joint\.\w+\.(angle|length)", n)]
    if not names:
        return None
    name = random.Random(seed).choice(names)
    _, joint, what = name.split(".")
    bodies = {n: body(made, n, 0.0 if n == "b0" and seed % 2 else None) for n in made.names}
    done = crank(place, made, bodies, "init", initial={"joints": {joint: {what: values[name]}}})
    return None if done.returncode == 0 else "%s = %.17g: %s" % (name, values[name], done.stderr.strip()[-200:])


def check_places(made, seed, place):
    r = random.Random(seed)
    axes, bodies = "xyz"[:made.n], {n: body(made, n) for n in made.names}
    for b in bodies.values():
        b["free"] = True
    for name, b in bodies.items():
        b["position"] = [v + r.gauss(0, ROUGH) * made.size for v in made.x[name][:made.n]]
    done = crank(place, made, bodies, "init", "--all")
    if done.returncode != 0:
        return "with rough places: " + done.stderr.strip()[-200:]
    words = [line.split() for line in done.stdout.splitlines()]
    x = {w[0]: float(w[2]) for w in words if len(w) > 2 and w[0].startswith("body.")}

    def off(point):
        return sum(math.dist(point(n), b["position"]) ** 2 for n, b in bodies.items()) ** 0.5 / made.size

    found, true = off(lambda n: [x["body.%s.%s" % (n, a)] for a in axes]), off(lambda n: made.x[n][:made.n])
    return None if found <= 2 * true else "it starts %g from rough places, the true ones are at %g" % (found, true)


def main():
    failures = count = 0
    with tempfile.TemporaryDirectory() as place:
        for seed in [*range(FIRST, LAST + 1), *map(int, sys.argv[4:])]:
            made = Assembly(seed)
            count += 1
            checks = [check_rests(made, seed, place)]
            if len(made.joints) > len(made.names):  # with loops
                checks += [check_near(made, place), check_coordinate(made, seed, place), check_places(made, seed, place)]
            for wrong in checks:
                if wrong:
                    failures += 1
                    print("FAIL seed %d: %s" % (seed, wrong))
    print("%d mechanisms, %d failures" % (count, failures))
    sys.exit(failures > 0)


main()
