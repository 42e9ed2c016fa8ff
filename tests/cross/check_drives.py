"""Truck, quarter car, gears and cam, chain of a hundred links, chain of driven pendulums.

    python3 check_drives.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with
"N passed, N failed"; exit 1 if any failed. PATTERN keeps the checks whose label contains it.
Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys

from check_convergence import Checks, largest, read_csv, tolerance
from check_mechanisms import Series, check_pair, check_residuals, check_series, check_structure, energy_error

SERIES = [
    Series("quarter-car/quarter-car.yaml", tol=1e-9, limit=1e-6),
    # jumps of the table's third derivative: errors fall slower than the tolerance; energy as in check_energy.py
    Series("gears-and-cam/gears-and-cam.yaml", tol=1e-11, limit=1e-6, energy=2240 * 0.1 * 1e-11 ** (2 / 3)),
    Series("chain-100/chain-100.yaml", tol=1e-8, limit=1e-5),
    # the work of the drives is not counted in the file: the balance varies
    Series("driven-chain/driven-chain.yaml", tol=1e-9, limit=1e-5, energy=float("inf")),
]
TRUCK = "truck/truck.yaml"
COLUMNS = {"p1": "rear.y", "p2": "chassis.y", "p3": "chassis.angle", "p4": "front.y", "p5": "cabin.y",
           "p6": "cabin.angle", "p7": "area.x", "p8": "area.y", "p9": "area.angle", "v1": "rear.vy",
           "v2": "chassis.vy", "v3": "chassis.rate", "v4": "front.vy", "v5": "cabin.vy", "v6": "cabin.rate",
           "v7": "area.vx", "v8": "area.vy", "v9": "area.rate"}
FORCES = {"lambda.along": "joint.coupling.fx", "lambda.up": "joint.coupling.fy"}
STRUCTURE = [
    (TRUCK, (r"\b7 degrees of freedom",)),
    ("gears-and-cam/gears-and-cam.yaml", (r"\b1 degrees? of freedom", r"redundant\s+none")),
    ("chain-100/chain-100.yaml", (r"\b100 degrees of freedom",)),
    ("driven-chain/driven-chain.yaml", (r"\b17 degrees of freedom",)),
    ("quarter-car/quarter-car.yaml", (r"\b2 degrees of freedom",)),
]


def check_truck(checks, model, names):
    """A truck against the reference; forces relative to the weight of the loading area."""
    header, rows = read_csv(checks.path("truck/reference.csv"))
    run = checks.run(model, *tolerance(1e-9), "--t-end", "20", "--points", str(len(rows) - 1))
    if not run.reached(20):
        checks.report(False, "%s: %s" % (model, run.reason()))
        return
    found = run.columns(*(names[name] for name in header))
    for word, scale, chosen in (("coordinates", 1.0, COLUMNS), ("forces in the coupling", 1.1e5, FORCES)):
        places = [header.index(name) for name in chosen]
        checks.limit(model, word + " off by", largest(abs(a[k] - b[k]) for a, b in zip(found, rows) for k in places)
                     / scale, 1e-6)
    check_residuals(checks, model, run)
    if "energy.kinetic" in run.header:
        checks.limit(model, "energy balance", energy_error(run), 1e-6)


def check_trucks(checks):
    own = {name: name for name in ("time", *COLUMNS, *FORCES)}
    check_truck(checks, "truck/equations.yaml", own)
    check_truck(checks, TRUCK, {"time": "time", **{name: "body." + c for name, c in COLUMNS.items()}, **FORCES})
    check_pair(checks, TRUCK, (), "truck/equations.yaml", 20, {name: "body." + c for name, c in COLUMNS.items()})


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    checks = Checks(*sys.argv[1:])
    for case in SERIES:
        if checks.wanted(case.label()):
            check_series(checks, case)
    if checks.wanted(TRUCK):
        check_trucks(checks)
    for model, patterns in STRUCTURE:
        if checks.wanted(model + " check"):
            check_structure(checks, model, patterns)
    checks.finish()


if __name__ == "__main__":
    main()
