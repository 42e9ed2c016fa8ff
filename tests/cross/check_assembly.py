"""Mechanisms without places: every assembly that a second simulator can close is closed, in the nearest turn.

    python3 check_assembly.py CRANK FIRST LAST [SEED ...] [-v] [--loops]

Seeds of random_assembly.py (--loops: of random_loops.py), those from FIRST to LAST and others. What `crank init` finds is measured by the equations of tests/cross/independent. Where it finds
nothing, that simulator tries to assemble the mechanism itself, from many random guesses; it must not succeed, but where bodies
that the file places would have to move far. Where the file turns no body but one, none may stand the wrong way round: hinges have parallel axes
(else crank says so), and what sliders hold is not turned (half a turn about their axes fulfils their equations, too). Exits with 1 if anything fails.
"""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from independent.algebra import H, add, mul, norm, of_quaternion, product, rodrigues, rot, solve, sub
from independent.model import Model
from random_assembly import Assembly
from random_loops import Loops

COMMAND, FIRST, LAST = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
MAKE = Loops if "--loops" in sys.argv else Assembly
TRIES, STEPS = 40, 60  # of the second simulator
CLOSED = 1e-9          # residual in sizes of the mechanism, some orders above rounding of either side


def placed(model, values):
    """Placements of bodies, centres of mass, from names and numbers of crank."""
    S = model.start()
    for b in model.moving:
        get = lambda what, b=b: values["body.%s.%s" % (b.name, what)]
        if model.planar:
            x, R = (get("x"), get("y"), 0.0), rodrigues((0, 0, get("angle")))
        else:
            x, R = tuple(map(get, "xyz")), of_quaternion([get("q%d" % i) for i in range(4)])
        S[b.name] = (add(x, rot(R, b.center)), R)
    return S


def residual(model, S, size):
    """Rows are lengths, or sines of angles, or angles; screws may be at any turn."""
    out = []
    for j in model.joints.values():
        for y, kind in zip(j.rows(S, [], 0.0), kinds(j)):
            if kind == "s":
                y -= j.data["pitch"] * round(y.real / j.data["pitch"])
            out.append(y if kind == "r" else y / size)
    return out


def kinds(joint):
    """t: lengths, r: sines and angles, s: lengths but for any number of pitches."""
    points = {"revolute": 2 if joint.planar else 3, "spherical": 3, "universal": 3, "fixed": 2 if joint.planar else 3,
              "prismatic": 1 if joint.planar else 2, "cylindrical": 2, "point_on_line": 2, "parallel_axes": 0}.get(joint.type, 1)
    rows = {"revolute": 0 if joint.planar else 2, "spherical": 0, "universal": 1, "fixed": 1 if joint.planar else 3,
            "prismatic": 1 if joint.planar else 3, "cylindrical": 2, "parallel_axes": 2, "planar": 2}.get(joint.type, 0)
    if joint.type == "screw":
        return "ttrrs"
    return "t" * points + "r" * rows + ("t" if joint.type == "prismatic" or "drive_length" in joint.data else "r")


# -- assembly by the second simulator --

def close(model, S, movable, size):
    """Damped Gauss-Newton steps of least size; None: they end elsewhere."""
    columns = [(b, k) for b in model.moving for k in b.dofs if (b.name, k >= 3) in movable]
    damping, r = 1e-3, residual(model, S, size)
    for _ in range(STEPS):
        value = sum(a * a for a in r)
        if value < CLOSED ** 2:
            return S
        J = []
        for b, k in columns:
            e = [0.0] * 3
            e[k % 3] = size if k < 3 else 1.0
            p = model.point(0.0, S, {})
            T = p.nudged(b.name, e if k < 3 else (0, 0, 0), e if k >= 3 else (0, 0, 0))
            J.append([y.imag / H if isinstance(y, complex) else 0.0 for y in residual(model, T, size)])
        m = len(r)
        A = [[sum(c[i] * c[j] for c in J) + (damping if i == j else 0.0) for j in range(m)] for i in range(m)]
        z = [a[0] for a in solve(A, [[-a] for a in r])]
        y = [sum(c[i] * z[i] for i in range(m)) for c in J]
        longest = max(map(abs, y), default=0.0)
        y = [a * min(1.0, 0.7 / longest) for a in y] if longest > 0 else y
        T = dict(S)
        for name in {b.name for b, _ in columns}:
            d = [0.0] * 6
            for (b, k), a in zip(columns, y):
                if b.name == name:
                    d[k] = a
            x, R = S[name]
            T[name] = (add(x, mul(size, d[:3])), product(rodrigues(d[3:]), R))
        new = residual(model, T, size)
        if sum(a * a for a in new) < value:
            S, r, damping = T, new, max(damping / 5, 1e-12)
        else:
            damping *= 8
            if damping > 1e6:
                return None
    return None


def can_close(model, data, seed, size):
    """A placement that the second simulator finds, without moving what is given far; None: it finds none."""
    draw = random.Random(seed)
    movable = set()
    for b in model.moving:
        given = data["bodies"][b.name]
        fixed = given.get("fixed", [])
        for turn, words in ((False, ("position",)), (True, ("angle", "orientation"))):
            if not any(w in fixed for w in words):
                movable.add((b.name, turn))
    for _ in range(TRIES if any(not b.placed for b in model.moving) else 1):
        S = model.start()
        for b in model.moving:
            x, R = S[b.name]
            if not b.placed or "position" in data["bodies"][b.name].get("free", []):
                x = mul(size, [draw.uniform(-2, 2) for _ in range(2)] + [0.0 if model.planar else draw.uniform(-2, 2)])
            if not b.placed:
                R = rodrigues((0, 0, draw.uniform(-3, 3))) if model.planar else of_quaternion([draw.gauss(0, 1) for _ in range(4)])
            S[b.name] = (x, R)
        found = close(model, S, movable, size)
        if found is not None and not moved_far(model, data, found, size):
            return found
    return None


def moved_far(model, data, S, size):
    """Beyond what crank allows bodies that are placed (half the mechanism's size, 1.25 rad), with room for other measures."""
    for b in model.moving:
        if b.placed and "position" in data["bodies"][b.name]:
            x, R = S[b.name]
            turned = product(R, tuple(zip(*b.R0)))
            cosine = max(-1.0, min(1.0, (turned[0][0] + turned[1][1] + turned[2][2] - 1) / 2))
            if norm(sub(x, b.x0)) > 0.4 * size or math.acos(cosine) > 1.0:
                return True
    return False


# -- crank --

def init(place, tree):
    path = os.path.join(place, "model.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(tree, file)
    done = subprocess.run([COMMAND, "init", path, "--all"], capture_output=True, text=True, check=False, timeout=120)
    rows = re.findall(r"^(body\.\S+) +(?:free|fixed|preferred)? *(\S+) +(\S+)(?: +\S+)?$", done.stdout, re.M)
    return done, {n: float(a) for n, a, _ in rows}, {n: float(b) for n, _, b in rows}


def check(seed, place):
    """A word for the count, and what is wrong or None."""
    made = MAKE(seed)
    tree = made.tree()
    model = Model(tree)
    done, given, found = init(place, tree)
    if done.returncode == 0:
        off = max(map(abs, residual(model, placed(model, found), made.size)))
        if not off <= CLOSED:
            return "open", "joints are open by %.1e" % off
        held = any(j["type"] == "prismatic" for j in tree["joints"].values())
        for b in model.moving:
            name = "body.%s.angle" % b.name
            if model.planar and not b.placed and abs(found[name] - given[name]) > math.pi * (2 if held else 1) + 1e-9:
                return "wound", "%s goes from %g to %g" % (name, given[name], found[name])
        wrong = half_turn(made, tree, placed(model, found), done.stderr)
        return "turned" if wrong else "closed", wrong
    reason = done.stderr.strip().splitlines()[-1]
    if MAKE is Loops:  # closed where it was made
        return "failed", made.kind + ": " + reason[-250:]
    if can_close(model, tree, seed, made.size) is not None:
        return "failed", "the second simulator assembles it; %s" % reason[-150:]
    return "neither", None


def half_turn(made, tree, S, said):
    """What stands the wrong way round; bodies at both ends of sliders were made with the same orientation."""
    if made.planar or MAKE is Loops or made.style not in ("nowhere", "first"):
        return None
    for name, j in tree["joints"].items():
        one, two = (S[b][1] if b != "ground" else rodrigues((0, 0, 0)) for b in j["between"])
        if j["type"] == "prismatic" and sum(a * b for r, s in zip(one, two) for a, b in zip(r, s)) < 3 - CLOSED:
            return "the bodies of %s are turned against each other" % name
    return said.strip().splitlines()[0] if "wrong way round" in said else None


def main():
    counts, failures = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as place:
        for seed in [*range(FIRST, LAST + 1), *(int(word) for word in sys.argv[4:] if not word.startswith("-"))]:
            word, wrong = check(seed, place)
            counts[word] += 1
            if word == "neither" and "-v" in sys.argv:
                print("neither", seed)
            if wrong:
                failures += 1
                print("FAIL seed %d (%s): %s" % (seed, MAKE(seed).style, wrong))
    print(", ".join("%d %s" % (n, w) for w, n in counts.most_common()))
    sys.exit(failures > 0)


main()
