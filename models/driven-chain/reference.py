"""Reference of the driven chain: Lagrange's equations of the angles, in double precision.

Angles a_i of the rods from hanging, masses n_i = N + 1 - i at and below rod i (i from 0), driven point (X, Y):
    sum_j n_max(i,j) L (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) + n_i (X'' cos a_i + (Y'' + g) sin a_i) = 0
integrated by extrapolation at two tolerances.

Run in this directory: python3 reference.py (some minutes). Needs Python 3 and mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import sys

sys.path.insert(0, "..")
from reference_tools import eliminate, extrapolate  # noqa: E402

N, L, G, OMEGA, REACH, LIFT = 16, 1.0, 9.81, 2 * math.pi * 0.05, 0.3, 0.2
RODS = N + 1


def rates(t, y):
    angle, rate = y[:RODS], y[RODS:]
    x, z = (-a * OMEGA**2 * math.sin(OMEGA * t) for a in (REACH, LIFT))
    rows, right = [], []
    for i in range(RODS):
        row, b = [], -(RODS - i) * (x * math.cos(angle[i]) + (z + G) * math.sin(angle[i]))
        for j in range(RODS):
            below = (RODS - max(i, j)) * L
            row.append(below * math.cos(angle[i] - angle[j]))
            b -= below * math.sin(angle[i] - angle[j]) * rate[j]**2
        rows.append(row)
        right.append(b)
    return rate + eliminate(rows, right)


def main():
    coarse = fine = [0.0] * (2 * RODS)
    names = ["body.rod%d.%s" % (i, a) for i in range(RODS) for a in ("angle", "rate")]
    with open("reference.csv", "w", encoding="ascii") as out:
        out.write(",".join(["time"] + names) + "\n")
        for k in range(11):
            if k:
                coarse = extrapolate(rates, 2.0 * (k - 1), coarse, 2.0 * k, 1e-10, real=float)
                fine = extrapolate(rates, 2.0 * (k - 1), fine, 2.0 * k, 1e-12, real=float)
                print(2 * k, max(abs(a - b) for a, b in zip(coarse, fine)), flush=True)
            values = [v for i in range(RODS) for v in (fine[i], fine[RODS + i])]
            out.write(",".join(["%.12g" % a for a in [2 * k] + values]) + "\n")


main()
