"""Reference of the spinning top, exact: Euler angles phi, theta, psi by elliptic functions and quadratures.

About the tip A = I1 + m l^2; with p_psi = I3 w3 and p_phi constant, u = cos theta obeys
    u'^2 = (alpha - beta u) (1 - u^2) - (b - a u)^2,   a = p_psi/A, b = p_phi/A, beta = 2 m grav l/A
with roots u1 < u2 < 1 < u3. Begun at the upper end u2 of the nodding, with K the quarter period,
    u = u1 + (u2 - u1) sn^2(K + t sqrt(beta (u3 - u1))/2, k),   k^2 = (u2 - u1)/(u3 - u1)
    phi' = (b - a u)/(1 - u^2),   psi' = w3 - u phi'
(F. Klein, A. Sommerfeld, Ueber die Theorie des Kreisels, 1897). A second route, the Euler angles integrated by
extrapolation, must agree.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, ellipfun, ellipk, mp, mpf, pi, polyroots, quad, sin, sqrt
from reference_tools import agree, extrapolate, write

m, l, grav = mpf("0.5"), mpf("0.06"), mpf("9.81")
I1, I3, w3 = mpf("6e-4"), mpf("4e-4"), mpf(150)
tilt, precession = pi / 6, mpf(-2)
A = I1 + m * l**2
a = I3 * w3 / A
b = precession * sin(tilt) ** 2 + a * cos(tilt)
beta = 2 * m * grav * l / A
alpha = beta * cos(tilt) + precession**2 * sin(tilt) ** 2

mp.dps = 40
# (alpha - beta u)(1 - u^2) - (b - a u)^2 by falling powers
roots = sorted(polyroots([beta, -alpha - a**2, 2 * a * b - beta, alpha - b**2], maxsteps=200, extraprec=200),
               key=lambda root: root.real)
u1, u2, u3 = [root.real for root in roots]
agree([u2], [cos(tilt)], mpf("1e-35"))
k2 = (u2 - u1) / (u3 - u1)
K, pace = ellipk(k2), sqrt(beta * (u3 - u1)) / 2


def height(t):
    """u and u'."""
    x = K + pace * t
    sn, cn, dn = (ellipfun(name, x, m=k2) for name in ("sn", "cn", "dn"))
    return u1 + (u2 - u1) * sn**2, 2 * (u2 - u1) * pace * sn * cn * dn


def round_rate(t):
    u = height(t)[0]
    return (b - a * u) / (1 - u * u)


def angles(_, y):
    """Rates of (phi, theta, psi, theta')."""
    u, s = cos(y[1]), sin(y[1])
    rate = (b - a * u) / s**2
    return [rate, y[3], w3 - u * rate, rate**2 * s * u - a * rate * s + beta / 2 * s]


def state(phi, theta, psi, phi_d, theta_d, psi_d):
    """Place of the centre of mass, quaternion, velocity, angular velocity in world axes."""
    axis = [sin(phi) * sin(theta), -cos(phi) * sin(theta), cos(theta)]
    quaternion = [cos(theta / 2) * cos((phi + psi) / 2), sin(theta / 2) * cos((phi - psi) / 2),
                  sin(theta / 2) * sin((phi - psi) / 2), cos(theta / 2) * sin((phi + psi) / 2)]
    w = [theta_d * cos(phi) + psi_d * axis[0], theta_d * sin(phi) + psi_d * axis[1], phi_d + psi_d * axis[2]]
    x = [l * c for c in axis]
    v = [w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2], w[0] * x[1] - w[1] * x[0]]
    return x + quaternion + v + w


phi, psi, check, rows = mpf(0), mpf(0), [mpf(0), tilt, mpf(0), mpf(0)], []
for i in range(21):
    t = mpf(i) / 10
    if i > 0:
        phi += quad(round_rate, [t - mpf(1) / 10, t - mpf(1) / 20, t])
        psi += quad(lambda s: w3 - height(s)[0] * round_rate(s), [t - mpf(1) / 10, t - mpf(1) / 20, t])
        check = extrapolate(angles, t - mpf(1) / 10, check, t, "1e-27")
    u, u_d = height(t)
    theta = mp.acos(u)
    rate = round_rate(t)
    theta_d = -u_d / sin(theta)
    agree([phi, theta, psi, theta_d], check, mpf("1e-22"))
    rows.append([t] + state(phi, theta, psi, rate, theta_d, w3 - u * rate))
names = ["x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz"]
write("reference.csv", ["body.top." + name for name in names], rows)
