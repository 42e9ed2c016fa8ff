"""Reference of the spatial slider crank: one degree of freedom, the crank angle theta.

    B = (0, ya - r sin theta, za + r cos theta),  C = (x, 0, 0),  x^2 = L^2 - By^2 - Bz^2
The rod's direction is u = (C - B)/L; the universal joint keeps the guide's direction i perpendicular to
an axis j of the rod, so j is along i x u and the rod's angular velocity has no part along n = i x j:
    omega = u x u' + alpha u,   0 = n . omega
With all rates taken per theta' this gives the reduced mass R(theta) of T = R theta'^2/2 and
    R theta'' + R'/2 theta'^2 + V' = 0,
integrated by extrapolation. R', V' by the complex step.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpc, mpf, sin, sqrt
from reference_tools import agree, extrapolate, write

r, L, ya, za, grav = mpf("0.08"), mpf("0.3"), mpf("0.1"), mpf("0.12"), mpf("9.81")
m_crank, m_rod, m_slider = mpf("0.12"), mpf("0.5"), mpf(2)
I_crank, I_along, I_across = mpf("1e-4"), mpf("4e-4"), mpf("4e-3")


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def geometry(theta):
    """x, dx/dtheta, reduced mass and potential energy."""
    b = [mpf(0), ya - r * sin(theta), za + r * cos(theta)]
    db = [mpf(0), -r * cos(theta), -r * sin(theta)]
    x = sqrt(L**2 - b[1] ** 2 - b[2] ** 2)
    dx = -(b[1] * db[1] + b[2] * db[2]) / x
    u = [x / L, -b[1] / L, -b[2] / L]
    du = [dx / L, -db[1] / L, -db[2] / L]
    swing = cross(u, du)
    n = cross([1, 0, 0], cross([1, 0, 0], u))
    alpha = -dot(n, swing) / dot(n, u)
    middle = [dx / 2, db[1] / 2, db[2] / 2]
    mass = (I_crank + m_crank * r**2 / 4 + m_rod * dot(middle, middle) + I_across * dot(swing, swing)
            + I_along * alpha**2 + m_slider * dx**2)
    height = m_crank * (za + r * cos(theta) / 2) + m_rod * b[2] / 2
    return x, dx, mass, grav * height


def rate(_, y):
    step = mpf("1e-30")
    _, _, mass, _ = geometry(y[0])
    _, _, mass_i, potential_i = geometry(mpc(y[0], step))
    return [y[1], -(mass_i.imag / 2 * y[1] ** 2 + potential_i.imag) / step / mass]


mp.dps = 40
state = check = [mpf(0), mpf(6)]
energy = geometry(state[0])[2] * state[1] ** 2 / 2 + geometry(state[0])[3]
rows = []
for i in range(0, 51):
    t = mpf(i) / 10
    if i > 0:
        state = extrapolate(rate, t - mpf(1) / 10, state, t, "1e-26")
        check = extrapolate(rate, t - mpf(1) / 10, check, t, "1e-23")
    x, dx, mass, potential = geometry(state[0])
    rows.append([t, x, dx * state[1], state[0], state[1]])
    agree([energy], [mass * state[1] ** 2 / 2 + potential], mpf("1e-20"))
agree(state, check, mpf("1e-18"))
write("reference.csv", ["x", "vx", "theta", "theta_d"], rows)
