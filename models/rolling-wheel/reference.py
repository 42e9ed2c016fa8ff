"""References of the rolling wheel: its own equations in 25 digits, and the published series thinned.

State: centre (x, y), quaternion, angular velocity w (world axes). With the axle e and the upright n, the point of
contact lies at rho = -r (n - (n.e) e)/|n - (n.e) e| from the centre and rests, so v = -w x rho; moments about
the centre, with the force m (v' - grav) at the point of contact, are three linear equations for w':
    J w' + w x J w = rho x m (-w' x rho - w x rho' - grav),   J = I_long + (I_axis - I_long) e e^T

The published angles turn the world first about z, then about the new y (the axle), then about the new x:
R = Rz(a1) Ry(a2) Rx(a3), so the third axis turns with the wheel, and the rates give w as below.

Run in this directory: python3 reference.py [RollingWheel.csv]. With the published file it also writes
published.csv (every 25th row) and prints how far the two are apart. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpf, sin, sqrt
from reference_tools import agree, extrapolate, solve, write

mp.dps = 25
m, r, I_axis, I_long, grav = mpf(2), mpf("0.3"), mpf("0.06"), mpf("0.12"), mpf("9.80665")


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def axle(q):
    q0, q1, q2, q3 = q
    n = dot(q, q)
    return [2 * (q1 * q2 - q0 * q3) / n, 1 - 2 * (q1 * q1 + q3 * q3) / n, 2 * (q2 * q3 + q0 * q1) / n]


def contact(e, e_rate):
    """rho and its rate."""
    c, c_rate = e[2], e_rate[2]
    s = sqrt(1 - c * c)
    s_rate = -c * c_rate / s
    up = [-c * e[0], -c * e[1], 1 - c * e[2]]
    up_rate = [-c_rate * a - c * b for a, b in zip(e, e_rate)]
    return [-r * a / s for a in up], [-r * (b / s - a * s_rate / s**2) for a, b in zip(up, up_rate)]


def rates(_, y):
    q0, q1, q2, q3 = y[2:6]
    w = y[6:9]
    e = axle(y[2:6])
    rho, rho_rate = contact(e, cross(w, e))
    J = [[(I_axis - I_long) * e[i] * e[j] + (I_long if i == j else 0) for j in range(3)] for i in range(3)]
    bias = [-a for a in cross(w, rho_rate)]
    bias[2] += grav
    right = [m * a - b for a, b in zip(cross(rho, bias), cross(w, [dot(row, w) for row in J]))]
    left = [[J[i][j] + m * ((r * r if i == j else 0) - rho[i] * rho[j]) for j in range(3)] for i in range(3)]
    v = cross(rho, w)
    return [v[0], v[1], (-w[0] * q1 - w[1] * q2 - w[2] * q3) / 2, (w[0] * q0 + w[1] * q3 - w[2] * q2) / 2,
            (w[1] * q0 + w[2] * q1 - w[0] * q3) / 2, (w[2] * q0 + w[0] * q2 - w[1] * q1) / 2] + solve(left, right)


def published(row):
    """x, y, quaternion and angular velocity from angles and rates."""
    a, b, c, a_rate, b_rate, c_rate, x, y = row
    ca, sa, cb, sb, cc, sc = cos(a / 2), sin(a / 2), cos(b / 2), sin(b / 2), cos(c / 2), sin(c / 2)
    q = [ca * cb * cc + sa * sb * sc, ca * cb * sc - sa * sb * cc, ca * sb * cc + sa * cb * sc,
         sa * cb * cc - ca * sb * sc]
    w = [c_rate * cos(b) * cos(a) - b_rate * sin(a), c_rate * cos(b) * sin(a) + b_rate * cos(a),
         a_rate - c_rate * sin(b)]
    return [x, y] + q + w


NAMES = ["body.wheel." + a for a in ("x", "y", "q0", "q1", "q2", "q3", "wx", "wy", "wz")]
rows = []
coarse = fine = [mpf("0.2"), mpf("0.2"), mpf(1), mpf(0), mpf(0), mpf(0), mpf(1), mpf(5), mpf(0)]
for i in range(201):
    if i:
        coarse = extrapolate(rates, mpf(i - 1) / 50, coarse, mpf(i) / 50, "1e-15")
        fine = extrapolate(rates, mpf(i - 1) / 50, fine, mpf(i) / 50, "1e-18")
        agree(coarse, fine, mpf("1e-12"))
    rows.append([mpf(i) / 50] + fine)
write("reference.csv", NAMES, rows[::10], 16)

if len(sys.argv) > 1:
    with open(sys.argv[1], encoding="ascii") as text:
        lines = list(csv.reader(text))[1:5002]
    thin = []
    for line, mine in zip(lines[::25], rows):
        row = [float(a) for a in line]
        assert abs(row[0] - mine[0]) < 1e-12
        other = published(row[1:])
        if dot(other[2:6], mine[3:7]) < 0:
            other[2:6] = [-a for a in other[2:6]]
        thin.append([line[0]] + other)
    write("published.csv", NAMES, thin, 12)
    for end in (0.5, 1, 1.5, 2, 3, 4):
        gap = [max(abs(a[j] - b[j]) for a, b in zip(thin, rows) if a[0] and float(a[0]) <= end + 1e-9)
               for j in range(1, 10)]
        print("until %g: place %.1e, quaternion %.1e, angular velocity %.1e"
              % (end, max(gap[:2]), max(gap[2:6]), max(gap[6:])))
