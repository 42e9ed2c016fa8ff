"""Reference of the skateboard: minimal coordinates and velocities, integrated in 40 digits.

Midpoint (x, y), heading phi, lean theta; the two edges allow u (speed along the board) and theta' only:
    x' = u cos phi, y' = u sin phi, phi' = k u, k = -(2/L1) tan(a theta).
In board axes (along, left) the velocities are
    axles (u, +-k u L1/2), rider (u (1 + L3 k sin theta), -L3 theta' cos theta), up -L3 theta' sin theta;
the principle of virtual power gives two equations for u' and theta''. The multipliers follow from the
rows of the axles, the board and the rider. Two tolerances are compared.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpf, sin, tan
from reference_tools import agree, extrapolate, solve, write

m1 = m2 = mpf(1)
m3, J1, J2, L1, L3, a, c, grav = mpf(80), mpf("0.001"), mpf("0.001"), mpf("0.5"), mpf("1.5"), 11, 0, mpf("9.81")
NAMES = ["x1", "y1", "x2", "y2", "phi", "x3", "y3", "z3", "theta", "x1_d", "y1_d", "x2_d", "y2_d", "phi_d",
         "x3_d", "y3_d", "z3_d", "theta_d", "lambda.board_x", "lambda.board_y", "lambda.rider_x",
         "lambda.rider_y", "lambda.rider_z", "mu.front", "mu.rear"]


def terms(theta, u, w, d):
    """Per scalar velocity: mass, partial velocities to u and w, bias acceleration, force."""
    k = -2 / L1 * tan(a * theta)
    kt = -2 / L1 * a * w / cos(a * theta) ** 2  # dk/dt
    s, co = sin(theta), cos(theta)
    turn = k * u

    def plane(mass, along, along_t, left_u, left_w, left_u_t, left_w_t):
        """Velocity along*u e + (left_u u + left_w w) n; the axes turn at the rate turn."""
        left = left_u * u + left_w * w
        return [(mass, along, 0, along_t * u - turn * left, -d * along * u),
                (mass, left_u, left_w, left_u_t * u + left_w_t * w + turn * along * u, -d * left)]

    rows = plane(m1, mpf(1), 0, k * L1 / 2, 0, kt * L1 / 2, 0)
    rows += plane(m2, mpf(1), 0, -k * L1 / 2, 0, -kt * L1 / 2, 0)
    rows += plane(m3, 1 + L3 * k * s, L3 * (kt * s + k * co * w), 0, -L3 * co, 0, L3 * s * w)
    rows.append((m3, 0, -L3 * s, -L3 * co * w * w, d * L3 * s * w - m3 * grav))
    rows.append((J1, k, 0, kt * u, -d * k * u))
    rows.append((J2, 0, 1, 0, -c * theta - d * w))
    return rows, k


def accelerations(theta, u, w, d):
    rows, k = terms(theta, u, w, d)
    auu = sum(m * pu * pu for m, pu, pw, b, f in rows)
    auw = sum(m * pu * pw for m, pu, pw, b, f in rows)
    aww = sum(m * pw * pw for m, pu, pw, b, f in rows)
    ru = sum(pu * (f - m * b) for m, pu, pw, b, f in rows)
    rw = sum(pw * (f - m * b) for m, pu, pw, b, f in rows)
    det = auu * aww - auw * auw
    return (ru * aww - rw * auw) / det, (auu * rw - auw * ru) / det, rows, k


def rate(d):
    def f(_, y):
        ut, wt, _, k = accelerations(y[3], y[4], y[5], d)
        return [y[4] * cos(y[2]), y[4] * sin(y[2]), k * y[4], y[5], ut, wt]
    return f


def row(y, d):
    x, yy, phi, theta, u, w = y
    ut, wt, rows, k = accelerations(theta, u, w, d)
    e, n = (cos(phi), sin(phi)), (-sin(phi), cos(phi))
    v = [pu * u + pw * w for m, pu, pw, b, f in rows]
    excess = [f - m * (pu * ut + pw * wt + b) for m, pu, pw, b, f in rows]  # = G^T lambda + H^T mu
    world = lambda p, q: (p * e[0] + q * n[0], p * e[1] + q * n[1])
    f1, f2, f3 = world(*excess[0:2]), world(*excess[2:4]), world(*excess[4:6])
    l3, l4, l5 = -f3[0], -f3[1], -excess[6]
    dx, dy, al = L1 * e[0], L1 * e[1], a * theta
    h1 = (dx * sin(al) - dy * cos(al), dx * cos(al) + dy * sin(al))
    h2 = (-dx * sin(al) - dy * cos(al), dx * cos(al) - dy * sin(al))
    turning = excess[7] - L3 * sin(theta) * (l3 * e[0] + l4 * e[1])
    l1, l2, mu1, mu2 = solve([[-1, 0, h1[0], 0], [0, -1, h1[1], 0], [1, 0, 0, h2[0]], [0, 1, 0, h2[1]],
                              [-dy, dx, 0, 0]],  # five rows that agree
                             [f1[0] - l3 / 2, f1[1] - l4 / 2, f2[0] - l3 / 2, f2[1] - l4 / 2, turning])
    position = [x + dx / 2, yy + dy / 2, x - dx / 2, yy - dy / 2, phi, x - L3 * sin(theta) * n[0],
                yy - L3 * sin(theta) * n[1], L3 * cos(theta), theta]
    velocity = [*world(*v[0:2]), *world(*v[2:4]), k * u, *world(*v[4:6]), v[6], w]
    return position + velocity + [l1, l2, l3, l4, l5, mu1, mu2]


mp.dps = 40
start = [mpf(0), mpf(0), mpf(0), mpf(0), mpf("0.5"), mpf("0.001")]
print("multipliers at the start, d = 0.001:", [mp.nstr(b, 8) for b in row(start, mpf("0.001"))[18:]])
for name, c, damping, speed in [("reference.csv", 0, "0.01", "0.5"), ("reference-set-2.csv", 1, "0.005", "1")]:
    d, rows, before = mpf(damping), [], mpf(0)
    y = z = start[:4] + [mpf(speed), start[5]]
    for text in ["0", "1", "2", "5", "10"]:
        t = mpf(text)
        y = extrapolate(rate(d), before, y, t, "1e-25")
        z = extrapolate(rate(d), before, z, t, "1e-21")
        agree(y, z, mpf("1e-17"))
        rows.append([t] + row(y, d))
        before = t
    write(name, NAMES, rows)
