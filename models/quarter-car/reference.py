"""Reference of the quarter car: two linear equations for the heights, integrated in 30 digits.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import exp, mp, mpf
from reference_tools import agree, extrapolate, write

mp.dps = 30
GRAV, BODY, WHEEL, K, D = mpf("9.81"), mpf(320), mpf(40), mpf(22000), mpf(1600)
K_TYRE, D_TYRE, RADIUS, REST = mpf(200000), mpf(120), mpf("0.3"), mpf("0.5")
SPEED, BUMP, PLACE, WIDTH = mpf(10), mpf("0.06"), mpf(5), mpf("0.7")


def forces(t, y):
    """Forces of tyre and suspension, pushing."""
    s = (SPEED * t - PLACE) / WIDTH
    road = BUMP * exp(-s * s)
    road_rate = -2 * s * road * SPEED / WIDTH
    tyre = K_TYRE * (RADIUS - y[0] + road) - D_TYRE * (y[2] - road_rate)
    spring = K * (REST - y[1] + y[0]) - D * (y[3] - y[2])
    return tyre, spring


def rates(t, y):
    tyre, spring = forces(t, y)
    return [y[2], y[3], (tyre - spring) / WHEEL - GRAV, spring / BODY - GRAV]


rows = []
wheel = RADIUS - (BODY + WHEEL) * GRAV / K_TYRE
coarse = fine = [wheel, wheel + REST - BODY * GRAV / K, mpf(0), mpf(0)]
for i in range(31):
    t = mpf(i) / 10
    if i:
        coarse = extrapolate(rates, t - mpf("0.1"), coarse, t, "1e-18")
        fine = extrapolate(rates, t - mpf("0.1"), fine, t, "1e-22")
        agree(coarse, fine, mpf("1e-16"))
    rows.append([t, fine[0], fine[1], fine[2], fine[3]])
write("reference.csv", ["body.wheel.y", "body.body.y", "body.wheel.vy", "body.body.vy"], rows)
