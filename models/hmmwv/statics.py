"""Loads of the standing car: tyres, springs and bushings such that nothing accelerates where car.yaml places the bodies.

    python3 statics.py [CRANK]

Accelerations at the start are an affine function of the eight loads (front and rear; left and right are alike): nine runs of no
length give it, least squares the loads. Prints them as lines of car.yaml and hmmwv.yaml, with the largest acceleration that is left.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CRANK = sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "build/crank"
LOADS = {"tyre_front": 6000.0, "tyre_rear": 6600.0, "spring_front": 13000.0, "spring_rear": 14000.0, "push_front": 0.0,
         "lift_front": 0.0, "push_rear": 0.0, "lift_rear": 0.0}
BODIES = ["chassis"] + [part + corner for part in ("upper", "lower", "spindle") for corner in "13"]
STEP = 100.0  # N


def accelerations(place, loads):
    """Of the bodies' centres of mass at the start."""
    text = (HERE / "hmmwv.yaml").read_text(encoding="utf-8")
    names = [f"a{axis}_{body}" for body in BODIES for axis in "xyz"]
    wanted = "".join(f"  a{axis}_{body}: body.{body}.a{axis}\n" for body in BODIES for axis in "xyz")
    text = text.replace("include: car.yaml", f"include: {HERE / 'car.yaml'}") + "outputs:\n" + wanted
    (place / "model.yaml").write_text(text, encoding="utf-8")
    given = [word for name, value in loads.items() for word in ("--set", f"{name}={value!r}")]
    # the bump is far away
    subprocess.run([CRANK, "run", place / "model.yaml", "--t-end", "1e-9", "--points", "1", "--quiet", "--set", "met=1e6", "--out",
                    place / "out.csv", *given], check=True)
    with open(place / "out.csv", encoding="utf-8") as file:
        row = next(csv.DictReader(line for line in file if not line.startswith("#")))
    return [float(row[name]) for name in names]


def solve(matrix, right):
    """By Gauss with row pivots."""
    n = len(right)
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def main():
    loads = dict(LOADS)
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        for _ in range(2):  # the second time for what rounding leaves
            a = accelerations(place, loads)
            columns = []
            for load in loads:
                moved = accelerations(place, {**loads, load: loads[load] + STEP})
                columns.append([(y - x) / STEP for x, y in zip(a, moved)])
            normal = [[sum(p * q for p, q in zip(c, d)) for d in columns] for c in columns]
            change = solve(normal, [-sum(p * q for p, q in zip(c, a)) for c in columns])
            loads = {load: loads[load] + d for load, d in zip(loads, change)}
        left = max(map(abs, accelerations(place, loads)))
    for load, value in loads.items():
        print("  %s: %.6f" % (load, value))
    print("# accelerations left: %.1e m/s^2" % left)


main()
