"""The dominant eigenvalue of the standing car, of the velocities: power iteration.

    python3 eigenvalue.py [CRANK]

J = dv'/dv is applied to a change d of the velocities by a step of 1e-9 s from v + d: v' = (v(1e-9) - v(0))/1e-9, which vanishes in
equilibrium without d. The quotient (d, J d)/(d, d) tends to the eigenvalue of largest size, here of an upper arm that turns against its
bushings; their springs make a difference of k/c = 10 1/s.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import math
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CRANK = sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "build/crank"
BODIES = ["chassis", "rack"] + [part + corner for corner in "1234" for part in ("upper", "lower", "spindle")]
NAMES = [f"body.{body}.{part}" for body in BODIES for part in ("vx", "vy", "vz", "wx", "wy", "wz")]
SPEED, STEP, SIZE, ROUNDS = 4.4704, 1e-9, 1e-3, 16


def rates(place, change):
    """The change of velocities as the constraints permit it, and its rate."""
    given = []
    for name, value in zip(NAMES, change):
        given += ["--set", "%s=%r" % (name, value + (SPEED if name.endswith("vx") else 0.0))]
    subprocess.run([CRANK, "run", HERE / "hmmwv.yaml", "--method", "ode-dopri8", "--option", f"h_start={STEP}", "--t-end", str(STEP),
                    "--points", "1", "--quiet", "--set", "met=100", "--only", "body.*.[vw]?", "--out", place / "out.csv", *given],
                   check=True)
    with open(place / "out.csv", encoding="utf-8") as file:
        first, last = list(csv.DictReader(line for line in file if not line.startswith("#")))
    start = [float(first[name]) - (SPEED if name.endswith("vx") else 0.0) for name in NAMES]
    return start, [(float(last[name]) - float(first[name])) / STEP for name in NAMES]


def main():
    random.seed(1)
    change = [SIZE * random.uniform(-1, 1) if "upper" in name and ".w" in name else 0.0 for name in NAMES]
    with tempfile.TemporaryDirectory() as name:
        for _ in range(ROUNDS):
            start, rate = rates(pathlib.Path(name), change)
            value = sum(a * b for a, b in zip(start, rate)) / sum(a * a for a in start)
            size = math.sqrt(sum(a * a for a in rate))
            change = [SIZE * a / size for a in rate]
    print("%.3e 1/s" % value)


main()
