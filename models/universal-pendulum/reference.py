"""Reference of the pendulum on a universal joint: alpha about the fixed axis x, beta about the plate's y.

In the plate's axes its angular velocity is (alpha' cos beta, beta', alpha' sin beta), so that
    T = (A(beta) alpha'^2 + B beta'^2)/2,  A = (Ix + m l^2) cos^2 beta + Iz sin^2 beta,  B = Iy + m l^2
    V = -m grav l cos alpha cos beta
    A alpha'' + A' alpha' beta' + V_alpha = 0,   B beta'' - A'/2 alpha'^2 + V_beta = 0,
integrated by extrapolation; the energy must stay.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpf, sin
from reference_tools import agree, extrapolate, write

m, l, grav = mpf(2), mpf("0.4"), mpf("9.81")
across, along, B = mpf("0.05") + m * l**2, mpf("0.06"), mpf("0.02") + m * l**2


def rate(_, y):
    alpha, beta, alpha_d, beta_d = y
    s, c = sin(beta), cos(beta)
    A, slope = across * c**2 + along * s**2, 2 * (along - across) * s * c
    return [alpha_d, beta_d, (-slope * alpha_d * beta_d - m * grav * l * sin(alpha) * c) / A,
            (slope / 2 * alpha_d**2 - m * grav * l * cos(alpha) * s) / B]


def energy(y):
    alpha, beta, alpha_d, beta_d = y
    A = across * cos(beta) ** 2 + along * sin(beta) ** 2
    return (A * alpha_d**2 + B * beta_d**2) / 2 - m * grav * l * cos(alpha) * cos(beta)


mp.dps = 40
state = check = [mpf(0), mpf(0), mpf(6), mpf(3)]
begin, rows = energy(state), [[mpf(0)] + state]
for i in range(1, 41):
    t = mpf(i) / 4
    state = extrapolate(rate, t - mpf(1) / 4, state, t, "1e-26")
    check = extrapolate(rate, t - mpf(1) / 4, check, t, "1e-23")
    agree([begin], [energy(state)], mpf("1e-20"))
    rows.append([t] + state)
agree(state, check, mpf("1e-16"))
write("reference.csv", ["alpha", "beta", "alpha_d", "beta_d"], rows)
