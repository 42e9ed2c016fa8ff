"""The energy balance of every mechanism file below MODELS.

    python3 check_energy.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, value and limit. Ends with "N passed, N failed"; exit 1 if any
failed. PATTERN keeps the models whose path contains it. Needs Python 3 alone.

The files are found, not listed: a new model is checked without a line here. They are copied, and `energy: true` is
added to those that do not say so, so that dissipated and supplied work are integrated in all of them. Each runs
over its own time span at rtol = atol = 1e-10; kinetic + potential + dissipated - supplied may change by 1e-6 of the largest
kinetic energy: the tolerance of a step, 0.1 rtol^(2/3) = 2e-8, fifty times.

Tables are different: their third derivative jumps at the knots, and what a step over a knot does wrong is seen by its estimate or
not, by chance. Measured at 15 tolerances from 1e-8 to 6e-13 and with two kinds of rounding: at most 224 tolerances of a step, in
most runs below 80. The limit is ten times that, 5e-5; supplied work that is wrong by a thousandth gives 6e-4.
A model whose motion is not determined must be refused as that.
"""
# SPDX-License-Identifier: BSD-3-Clause
import glob
import os
import re
import shutil
import sys
import tempfile

from check_convergence import Checks, tolerance
from check_mechanisms import energy_error

TOLERANCE, LIMIT = 1e-10, 1e-6
TABLE_LIMIT = 2240 * 0.1 * TOLERANCE ** (2 / 3)
COLUMNS = ("energy.kinetic", "energy.potential", "energy.dissipated", "energy.supplied")


def with_energy(path):
    """The limit of its balance if the file is of a mechanism, or None; says `energy: true` from now on."""
    with open(path, encoding="utf-8") as text:
        lines = text.read()
    if not re.search(r"^crank: *mechanism\b", lines, re.MULTILINE):
        return None
    lines = re.sub(r"^energy:.*\n", "", lines, flags=re.MULTILINE)
    with open(path, "w", encoding="utf-8") as text:
        text.write(lines.rstrip("\n") + "\nenergy: true\n")
    return TABLE_LIMIT if re.search(r"\btable:", lines) else LIMIT


def check_balance(checks, model, limit):
    run = checks.run(model, *tolerance(TOLERANCE), "--only", "energy.*")
    if "undetermined" in model:
        checks.report(run.status == 3 and "is not determined" in run.message, "%s: to be refused, its motion is not "
                      "determined: exit %d" % (model, run.status))
        return
    missing = [name for name in COLUMNS if name not in run.header]
    if run.status != 0 or missing:
        checks.report(False, "%s: %s %s" % (model, run.reason(), " ".join(missing)))
        return
    checks.limit(model, "energy balance", energy_error(run), limit)


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as place:
        copy = os.path.join(place, "models")
        shutil.copytree(sys.argv[2], copy)
        checks = Checks(sys.argv[1], copy, *sys.argv[3:])
        for path in sorted(glob.glob(os.path.join(copy, "*", "*.yaml"))):
            model = os.path.relpath(path, copy)
            limit = with_energy(path)
            if limit and checks.wanted(model):
                check_balance(checks, model, limit)
        checks.finish()


if __name__ == "__main__":
    main()
