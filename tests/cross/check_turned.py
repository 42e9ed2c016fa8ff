"""A machine that is moved and turned as an assembly, with gravity, moves as before.

    python3 check_turned.py CRANK FOLDER

Every file of the folder is run on its own and as an assembly at another place, turned by each of TURNS, in absolute and in joint
coordinates. All columns of joints and forces are compared, reactions in joint axes, kinetic energy, and places of bodies, turned
back: they are the same within LIMIT tolerances of the column's own size, which is one unit and its largest value. What a file says of
the ground, `first` and `second` of joints included, is meant in axes of the file.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import glob
import math
import os
import subprocess
import sys
import tempfile

COMMAND, FOLDER = sys.argv[1:3]
TOL = 1e-9
LIMIT = 3e5  # ten times the worst, which corners of stops leave of the error control
TURNS = {3: [((1.0, 2.0, 3.0), 70.0), ((0.0, 0.0, 1.0), 90.0)], 2: [((0.0, 0.0, 1.0), 70.0), ((0.0, 0.0, 1.0), -120.0)]}
AT = [0.4, -0.7, 0.3]


def matrix(axis, degrees):
    size = math.sqrt(sum(c * c for c in axis))
    x, y, z = (c / size for c in axis)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def times(R, v):
    return [sum(R[i][k] * v[k] for k in range(3)) for i in range(3)]


def wrapper(path, dimension, axis, degrees):
    R = matrix(axis, degrees)
    gravity = times(R, [0.0, -9.81, 0.0] if dimension == 2 else [0.0, 0.0, -9.81])
    turn = "%r deg" % degrees if dimension == 2 else "{axis: %r, angle: %r deg}" % (list(axis), degrees)
    return ("crank: mechanism\ndimension: %d\ngravity: %r\nreactions: joint\nassemblies: {m: {use: %s, at: %r, orientation: %s}}\n"
            "simulate: {t_end: 0.5, every: 0.02, rtol: %r, atol: %r}\n"
            % (dimension, gravity[:dimension], path, AT[:dimension], turn, TOL, TOL))


def run(folder, text, coordinates):
    name = os.path.join(folder, "turned.yaml")
    with open(name, "w", encoding="utf-8") as out:
        out.write(text)
    result = os.path.join(folder, "turned.csv")
    done = subprocess.run([COMMAND, "run", name, "--coordinates", coordinates, "--quiet", "--out", result], capture_output=True,
                          text=True, check=False, timeout=300)
    if done.returncode:
        return done.stderr.strip(), []
    with open(result, encoding="utf-8", newline="") as rows:
        lines = list(csv.reader(rows))
    return lines[0], [[float(cell) for cell in line] for line in lines[1:]]


def places(names, rows, axis, degrees):
    """Positions of bodies in axes of the file."""
    R = matrix(axis, -degrees)
    for name in names:
        if name.startswith("body.m.") and name.endswith(".x") and name.count(".") == 3:
            at = [names.index(name[:-1] + c) if name[:-1] + c in names else None for c in "xyz"]
            for row in rows:
                v = times(R, [0.0 if k is None else row[k] - AT[i] for i, k in enumerate(at)])
                for i, k in enumerate(at):
                    if k is not None:
                        row[k] = v[i]


def compared(name):
    if ".unique." in name:
        return False
    return name.startswith(("joint.", "force.")) or name == "energy.kinetic" or (
        name.startswith("body.") and name.rsplit(".", 1)[1] in ("x", "y", "z"))


def main():
    failed = checks = 0
    for path in sorted(glob.glob(os.path.join(os.path.abspath(FOLDER), "*.yaml"))):
        with open(path, encoding="utf-8") as text:
            dimension = 2 if "dimension: 2" in text.read() else 3
        with tempfile.TemporaryDirectory() as folder:
            still = ((0.0, 0.0, 1.0), 0.0)
            for coordinates in ("absolute", "joint"):
                names, rows = run(folder, wrapper(path, dimension, *still), coordinates)
                if not rows:
                    sys.exit("%s: %s" % (path, names))
                places(names, rows, *still)
                for turn in TURNS[dimension]:
                    others, turned = run(folder, wrapper(path, dimension, *turn), coordinates)
                    what = "%s, %s, turned by %g deg" % (os.path.basename(path), coordinates, turn[1])
                    checks += 1
                    if others != names or len(rows) != len(turned):
                        failed += 1
                        print("%s: %s" % (what, others))
                        continue
                    places(others, turned, *turn)
                    for k, name in enumerate(names):
                        size = 1.0 + max(abs(row[k]) for row in rows)
                        off = max(abs(a[k] - b[k]) for a, b in zip(rows, turned)) / size
                        if compared(name) and not off <= LIMIT * TOL:
                            failed += 1
                            print("%s: %s differs by %.2g of its size" % (what, name, off))
    print("%d machines turned, %d failures" % (checks, failed))
    sys.exit(1 if failed or not checks else 0)


main()
