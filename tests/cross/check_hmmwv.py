"""The stiff vehicle of [Neg98] in kind: counts, equilibrium, eigenvalue, momentum, and methods against the reference.

    python3 check_hmmwv.py CRANK MODELS

One line a check; exit 1 if one fails.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import subprocess
import sys
import tempfile

from check_convergence import read_csv

CRANK, MODELS = sys.argv[1], os.path.join(sys.argv[2], "hmmwv")
MASSES = {"chassis": 2086.52, "rack": 9.072, "upper": 5.813, "lower": 23.965, "spindle": 90.555}
BODIES = ["chassis", "rack"] + [part + corner for corner in "1234" for part in ("upper", "lower", "spindle")]
failed = 0


def report(good, text):
    global failed
    print("%-4s %s" % ("ok" if good else "FAIL", text), flush=True)
    failed += not good


def run(model, *arguments):
    """Status, messages, rows as dictionaries."""
    with tempfile.TemporaryDirectory() as place:
        out = os.path.join(place, "out.csv")
        done = subprocess.run([CRANK, "run", os.path.join(MODELS, model), "--quiet", "--out", out, *arguments], capture_output=True,
                              text=True, check=False, timeout=600)
        header, rows = read_csv(out) if done.returncode == 0 else ([], [])
        return done.returncode, done.stderr.strip(), [dict(zip(header, row)) for row in rows]


def mass_of(body):
    return MASSES[body.rstrip("1234")]


def check_counts():
    text = subprocess.run([CRANK, "check", os.path.join(MODELS, "hmmwv.yaml")], capture_output=True, text=True, check=True).stdout
    sizes = [int(n) for n in re.search(r"(\d+) positions, (\d+) velocities, (\d+) holonomic constraints, (\d+) inv", text).groups()]
    free = int(re.search(r"(\d+) degrees of freedom in position", text).group(1))
    counted = (sizes[0], sizes[2] + sizes[3], free)
    report(counted == (98, 80, 18), "coordinates, constraints with norms, degrees of freedom: %s" % (counted,))
    text = subprocess.run([CRANK, "check", os.path.join(MODELS, "rigid.yaml"), "--coordinates", "joint"], capture_output=True,
                          text=True, check=True).stdout
    sizes = [int(n) for n in re.search(r"(\d+) velocities, (\d+) holonomic constraints", text).groups()]
    free = int(re.search(r"(\d+) degrees of freedom in position", text).group(1))
    report((*sizes, free) == (27, 16, 11), "rigid hinges, joint coordinates: %s" % ((*sizes, free),))


def check_equilibrium():
    status, message, rows = run("hmmwv.yaml", "--set", "met=100", "--t-end", "5", "--points", "5", "--rtol", "1e-8", "--atol", "1e-8")
    if status != 0:
        report(False, "equilibrium: " + message)
        return
    # loads have six decimals, 1e-6 of 300 kN/m
    off = max(abs(row[name] - rows[0][name]) for row in rows for name in ("height", "pitch", "wheel1", "wheel2", "wheel3", "wheel4"))
    report(off <= 1e-8, "the standing car moves by %.1e" % off)
    weight = 9.81 * sum(map(mass_of, BODIES))
    load = sum(rows[0]["force.tyre%d.force" % i] for i in range(1, 5))
    report(abs(load - weight) <= 1e-8 * weight, "tyres carry %.6f of the weight" % (load / weight))


def check_eigenvalue():
    text = subprocess.run([sys.executable, os.path.join(MODELS, "eigenvalue.py"), CRANK], capture_output=True, text=True,
                          check=True).stdout
    value = float(text.split()[0])
    report(abs(value / -2.6e5 - 1) <= 0.02, "dominant eigenvalue %.3g 1/s" % value)


def compare(label, rows, reference, tolerance):
    """Places, in metres, and pitch, in radians, within one tolerance: the car forgets its errors within a second."""
    limit = {"height": 1.0, "pitch": 57.3, "wheel1": 1.0, "wheel2": 1.0, "wheel3": 1.0, "wheel4": 1.0}
    worst = max((abs(row[name] - exact[name]) / (limit[name] * tolerance), name) for row, exact in zip(rows, reference)
                for name in limit)
    report(abs(rows[-1]["time"] - reference[len(rows) - 1]["time"]) < 1e-9 and worst[0] <= 1, "%s: %s off by %.2g tolerances" % (label, worst[1], worst[0]))


def main():
    check_counts()
    check_equilibrium()
    check_eigenvalue()
    header, rows = read_csv(os.path.join(MODELS, "reference.csv"))
    reference = [dict(zip(header, row)) for row in rows]
    for method, tolerance, further in (("index2-radau", 1e-3, ()), ("ggl-bdf", 1e-3, ()), ("psf-radau", 1e-3, ()), ("auto", 1e-3, ()),
                                       ("index2-radau", 1e-5, ()), ("ggl-bdf", 1e-5, ()), ("psf-radau", 1e-5, ()),
                                       ("auto", 1e-5, ()), ("psf-radau", 1e-6, ("--coordinates", "joint")),
                                       # does not evaluate at the ends of steps: these ended on the bump without seeing it
                                       ("psf-rosenbrock", 1e-3, ("--t-end", "1")), ("psf-rosenbrock", 1e-3, ("--t-end", "1.5")),
                                       ("psf-rosenbrock", 1e-3, ())):
        status, message, rows = run("hmmwv.yaml", "--method", method, "--rtol", str(tolerance), "--atol", str(tolerance), *further)
        label = " ".join((method, "at %g" % tolerance) + further)
        if status != 0:
            report(False, "%s: %s" % (label, message))
            continue
        compare(label, rows, reference, tolerance)
        if tolerance == 1e-6:
            # all forces on the car are upright
            momentum = [sum(mass_of(body) * row["body.%s.vx" % body] for body in BODIES) for row in rows]
            off = max(abs(value / momentum[0] - 1) for value in momentum)
            report(off <= 1e-6, "momentum along the road changes by %.1e" % off)
    sys.exit(1 if failed else 0)


main()
