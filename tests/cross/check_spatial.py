"""Bodies in space: spinning top, gyroscope with a loop, free chain, universal joint, platform on legs, swashplate, excavator.

    python3 check_spatial.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with
"N passed, N failed"; exit 1 if any failed. PATTERN keeps the checks whose label contains it.
Needs Python 3 alone.

Besides the references, which come by other routes (models/*/reference.py), what theory keeps is checked: of the top the angular
momenta about its own axis and about the vertical, of the chain momentum, angular momentum and the straight way of its
centre of mass. At rtol 1e-10 a quantity may change by 1e-7 of its size, the limit that SERIES have for the energy.
The quantities are computed here from the bodies' columns, not taken from outputs of the models.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import sys

from check_convergence import Checks, largest, tolerance
from check_mechanisms import ONE_FREEDOM, Series, check_series, check_structure

TOP, CHAIN = "spinning-top/spinning-top.yaml", "free-chain/free-chain.yaml"
GYROSCOPE, SWASHPLATE = "gyroscope-loop/gyroscope-loop.yaml", "swashplate/swashplate.yaml"
EXCAVATOR = "excavator/excavator.yaml"
SERIES = [
    Series(TOP, tol=1e-11),
    Series(GYROSCOPE),
    Series(CHAIN),
    Series("universal-pendulum/universal-pendulum.yaml", tol=1e-12),  # irregular: its error grows 1e4 times in 10 s
    Series("stewart-platform/stewart-platform.yaml"),
    Series(SWASHPLATE),
    Series(EXCAVATOR),
    Series(EXCAVATOR, further=("--coordinates", "joint")),
]
TWO = ONE_FREEDOM.replace("1 degree", "2 degrees")
STRUCTURE = [
    (TOP, (TWO.replace("2", "3"), r"rank +3 of 3", r"norms of 1 quaternion")),
    (GYROSCOPE, (TWO.replace("2", "3"), r"rank +21 of 21", r"redundant +none", r"loops +1 ")),
    (CHAIN, (TWO.replace("2", "15"), r"rank +9 of 9", r"loops +0 ")),
    ("universal-pendulum/universal-pendulum.yaml", (TWO, r"rank +4 of 4")),
    ("stewart-platform/stewart-platform.yaml", (TWO.replace("2", "6"),)),
    (EXCAVATOR, (TWO.replace("2", "4"), r"rank +68 of 68", r"redundant +none", r"loops +4 ")),
    (SWASHPLATE, (TWO, r"rank +28 of 28", r"redundant +none", r"loops +3 ")),
]
KEPT = 1e-7


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotation(q):
    """By rows; the quaternion's length is one to round-off, which is checked."""
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def spin(q, w, inertia):
    """Angular momentum about the centre of mass, world axes."""
    matrix = rotation(q)
    local = [sum(matrix[r][k] * w[r] for r in range(3)) * inertia[k] for k in range(3)]
    return [sum(matrix[r][k] * local[k] for k in range(3)) for r in range(3)]


def body(run, name):
    """Per row x, q, v, w."""
    columns = ["x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz"]
    return [(row[:3], row[3:7], row[7:10], row[10:])
            for row in run.columns(*("body.%s.%s" % (name, column) for column in columns))]


def change(values, scale):
    """Largest change of lists of numbers from the first, relative."""
    return largest(abs(a - b) for row in values for a, b in zip(row, values[0])) / scale


def check_norm(checks, label, bodies):
    worst = largest(abs(math.fsum(a * a for a in q) - 1) for rows in bodies for _, q, _, _ in rows)
    checks.limit(label, "norms of quaternions off one by", worst, 1e-13)


def check_top(checks, further):
    label = "%s kept %s" % (TOP, " ".join(further))
    run = checks.run(TOP, *tolerance(1e-10), *further)
    if not run.reached(2):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    rows = body(run, "top")
    check_norm(checks, label, [rows])
    own, upright = [], []
    for x, q, v, w in rows:
        turn = [a + b for a, b in zip(spin(q, w, (6e-4, 6e-4, 4e-4)), cross(x, [0.5 * a for a in v]))]
        axis = [row[2] for row in rotation(q)]
        own.append([sum(a * b for a, b in zip(turn, axis))])
        upright.append([turn[2]])
    checks.limit(label, "p_psi = %.3g changes by" % own[0][0], change(own, abs(own[0][0])), KEPT)
    checks.limit(label, "p_phi = %.3g changes by" % upright[0][0], change(upright, abs(own[0][0])), KEPT)
    outputs = run.columns("p_psi", "p_phi")
    checks.limit(label, "outputs p_psi, p_phi off by",
                 largest(abs(a - b[0]) / abs(own[0][0]) for row, p, f in zip(outputs, own, upright)
                         for a, b in zip(row, (p, f))), 1e-12)


def check_chain(checks, count):
    label = "%s kept N=%d" % (CHAIN, count)
    run = checks.run(CHAIN, *tolerance(1e-10), "--set", "N=%d" % count)
    if not run.reached(2):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    rods = [body(run, "rod%d" % i) for i in range(1, count + 1)]
    masses = [0.6 * (1 + i / 10) for i in range(1, count + 1)]
    check_norm(checks, label, rods)
    momenta, turns, middles = [], [], []
    for (t,), *parts in zip(run.columns("time"), *rods):
        momentum, turn, middle = [0.0] * 3, [0.0] * 3, [0.0] * 3
        for (x, q, v, w), mass in zip(parts, masses):
            momentum = [a + mass * b for a, b in zip(momentum, v)]
            turn = [a + mass * b + c for a, b, c in zip(turn, cross(x, v), spin(q, w, (5e-4, 4.6e-3, 5e-3)))]
            middle = [a + mass * b for a, b in zip(middle, x)]
        momenta.append(momentum)
        turns.append(turn)
        middles.append([a - t * b for a, b in zip(middle, momenta[0])])
    checks.limit(label, "momentum changes by", change(momenta, math.hypot(*momenta[0])), KEPT)
    checks.limit(label, "angular momentum changes by", change(turns, math.hypot(*turns[0])), KEPT)
    checks.limit(label, "centre of mass off its straight way by", change(middles, sum(masses) * 0.3 * count), KEPT)


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    checks = Checks(*sys.argv[1:])
    jobs = [(case.label(), check_series, (case,)) for case in SERIES]
    jobs += [("%s check" % item[0], check_structure, item) for item in STRUCTURE]
    # upright start: a sleeping top, and one that hangs, besides the one of the file
    for further in ((), ("--set", "tilt=0", "--set", "precession=0"), ("--set", "tilt=2.5", "--set", "spin=20")):
        jobs.append((TOP + " kept", check_top, (further,)))
    jobs += [(CHAIN + " kept", check_chain, (count,)) for count in (2, 4, 10)]
    for label, check, arguments in jobs:
        if checks.wanted(label):
            check(checks, *arguments)
    checks.finish()


if __name__ == "__main__":
    main()
