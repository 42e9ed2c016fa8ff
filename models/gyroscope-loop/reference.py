"""Reference of the gyroscope with a loop: angles phi of the outer, theta of the inner gimbal, psi of the rotor.

The rotor's axis is e = (sin phi sin theta, -cos phi sin theta, cos theta). The rod from P = r e to the fixed A, which never
turns about itself, has the kinetic energy of a point of a third of its mass in P; that it keeps its length is 0 = g = e.A - const. With h = I3 (psi' +
phi' cos theta), which is constant, and M(theta) = C + B sin^2 theta + D cos^2 theta
    M phi'' + M' theta' phi' - h sin theta theta' = -g_phi lambda
    N theta'' - M'/2 phi'^2 + h sin theta phi' - m grav r/2 sin theta = -g_theta lambda
with g differentiated twice (index 1), integrated by extrapolation; energy and g must stay.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpf, pi, sin
from reference_tools import agree, extrapolate, multipliers, write

grav, spin, swing, r, m = mpf("9.81"), mpf(200), mpf(3), mpf("0.2"), mpf("0.3")
A = [mpf("0.25"), mpf("-0.3"), mpf("0.05")]
I1, I3 = mpf("8e-4"), mpf("1.5e-3")
C, B, D = mpf("1.2e-3"), mpf("4e-4") + I1 + m * r**2 / 3, mpf("9e-4")
N = mpf("5e-4") + I1 + m * r**2 / 3


def gradient(phi, theta):
    s, c, st, ct = sin(phi), cos(phi), sin(theta), cos(theta)
    return [c * st * A[0] + s * st * A[1], s * ct * A[0] - c * ct * A[1] - st * A[2]]


def rate(_, y):
    phi, theta, _, phi_d, theta_d = y
    s, c, st, ct = sin(phi), cos(phi), sin(theta), cos(theta)
    mass, slope = C + B * st**2 + D * ct**2, 2 * (B - D) * st * ct
    force = [-slope * theta_d * phi_d + h * st * theta_d,
             slope / 2 * phi_d**2 - h * st * phi_d + m * grav * r / 2 * st]
    level = -s * st * A[0] + c * st * A[1]
    curvature = (level * phi_d**2 + 2 * (c * ct * A[0] + s * ct * A[1]) * phi_d * theta_d
                 + (level - ct * A[2]) * theta_d**2)
    a, _ = multipliers([[mass, mpf(0)], [mpf(0), N]], force, [gradient(phi, theta)], [curvature])
    return [phi_d, theta_d, h / I3 - phi_d * ct] + a


def kept(y):
    """Energy, and e.A."""
    phi, theta, _, phi_d, theta_d = y
    st, ct = sin(theta), cos(theta)
    energy = ((C + B * st**2 + D * ct**2) * phi_d**2 + N * theta_d**2) / 2 + m * grav * r * ct / 2
    return [energy, sin(phi) * st * A[0] - cos(phi) * st * A[1] + ct * A[2]]


mp.dps = 40
slopes = gradient(mpf(0), pi / 2)
h = I3 * spin  # at the start cos theta = 0
state = check = [mpf(0), pi / 2, mpf(0), swing, -slopes[0] / slopes[1] * swing]
begin, rows = kept(state), []
for i in range(13):
    t = mpf(i) / 20
    if i > 0:
        state = extrapolate(rate, t - mpf(1) / 20, state, t, "1e-26")
        check = extrapolate(rate, t - mpf(1) / 20, check, t, "1e-23")
    agree(begin, kept(state), mpf("1e-20"))
    rows.append([t] + state[:3] + rate(t, state)[:3])
agree(state, check, mpf("1e-18"))
write("reference.csv", ["phi", "theta", "psi", "phi_d", "theta_d", "psi_d"], rows)
