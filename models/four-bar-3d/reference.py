"""Reference of the four-bar linkage: one degree of freedom, the crank angle.

Angles are positive about y, which turns z towards x. With A turned by phi, B lies where the circles about
A and C meet; the rates of coupler and rocker per crank rate solve the loop's velocity equation. They give
the reduced mass R(phi) of T = R phi'^2/2 and
    R phi'' + R'/2 phi'^2 + V' = 0,
integrated by extrapolation. R', V' by the complex step.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import atan2, cos, mp, mpc, mpf, pi, sin, sqrt
from reference_tools import agree, extrapolate, write

density, radius, grav, omega0 = mpf(2700), mpf("0.02"), mpf("9.81"), mpf(4)
A0, B0, C = (mpf(0), mpf("0.4")), (mpf("1.1"), mpf(1)), (mpf(1), mpf(0))


def length(a, b):
    return sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def rod(a, b):
    """Mass and inertia about the middle, across the axis, of the cylinder between two joints."""
    h = length(a, b)
    mass = density * pi * radius**2 * h
    return mass, mass * (3 * radius**2 + h**2) / 12


CRANK, COUPLER, ROCKER = rod((mpf(0), mpf(0)), A0), rod(A0, B0), rod(B0, C)
COUPLER_LENGTH, ROCKER_LENGTH = length(A0, B0), length(B0, C)


def linkage(phi):
    """B, rates of coupler and rocker per crank rate, reduced mass, potential energy."""
    a = (A0[0] * cos(phi) + A0[1] * sin(phi), -A0[0] * sin(phi) + A0[1] * cos(phi))
    dx, dz = C[0] - a[0], C[1] - a[1]
    d2 = dx * dx + dz * dz
    along = (COUPLER_LENGTH**2 - ROCKER_LENGTH**2 + d2) / (2 * d2)
    aside = sqrt(COUPLER_LENGTH**2 / d2 - along**2)
    b = (a[0] + along * dx - aside * dz, a[1] + along * dz + aside * dx)
    # a point at (x, z) turning by w about y moves with w (z, -x): v_a + k (b - a)^ = q (b - c)^
    p, q = (b[0] - a[0], b[1] - a[1]), (b[0] - C[0], b[1] - C[1])
    det = p[1] * q[0] - p[0] * q[1]
    k = (-a[1] * q[0] + a[0] * q[1]) / det
    w = (p[1] * a[0] - p[0] * a[1]) / det
    va = (a[1], -a[0])
    middle = (va[0] + k * p[1] / 2, va[1] - k * p[0] / 2)
    mass = (CRANK[1] + CRANK[0] * (a[0] ** 2 + a[1] ** 2) / 4
            + COUPLER[0] * (middle[0] ** 2 + middle[1] ** 2) + COUPLER[1] * k**2
            + (ROCKER[1] + ROCKER[0] * ROCKER_LENGTH**2 / 4) * w**2)
    height = (CRANK[0] * a[1] + COUPLER[0] * (a[1] + b[1]) + ROCKER[0] * (b[1] + C[1])) / 2
    return b, k, w, mass, grav * height


def rate(_, y):
    step = mpf("1e-30")
    mass = linkage(y[0])[3]
    _, _, _, mass_i, potential_i = linkage(mpc(y[0], step))
    return [y[1], -(mass_i.imag / 2 * y[1] ** 2 + potential_i.imag) / step / mass]


mp.dps = 40
agree(linkage(mpf(0))[0], B0, mpf("1e-30"))
state = check = [mpf(0), omega0]
energy = linkage(state[0])[3] * state[1] ** 2 / 2 + linkage(state[0])[4]
rows = []
for i in range(0, 41):
    t = mpf(i) / 4
    if i > 0:
        state = extrapolate(rate, t - mpf(1) / 4, state, t, "1e-26")
        check = extrapolate(rate, t - mpf(1) / 4, check, t, "1e-23")
    b, k, w, mass, potential = linkage(state[0])
    turned = atan2(b[0] - C[0], b[1] - C[1]) - atan2(B0[0] - C[0], B0[1] - C[1])
    rows.append([t, state[0], state[1], turned, w * state[1]])
    agree([energy], [mass * state[1] ** 2 / 2 + potential], mpf("1e-20"))
agree(state, check, mpf("1e-18"))
write("reference.csv", ["crank", "crank_rate", "rocker", "rocker_rate"], rows)
