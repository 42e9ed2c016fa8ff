"""Reference of the double pendulum: the two angles, a stiff ODE.

    [ 4/3 m L^2          m L^2/2 cos(p1-p2) ] (p1'')   (-m L^2/2 sin(p1-p2) p2'^2 - 3/2 m grav L cos p1 - d1 p1' + d2 (p2'-p1'))
    [ m L^2/2 cos(p1-p2)        m L^2/3     ] (p2'') = ( m L^2/2 sin(p1-p2) p1'^2 - 1/2 m grav L cos p2 - d2 (p2'-p1')         )

integrated by extrapolation of the linearly implicit Euler rule with exact Jacobian, at two tolerances.

Run in this directory: python3 reference.py. Needs mpmath.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpc, mpf, pi, sin
from reference_tools import agree, write

m, L, grav, d1, d2 = mpf(1), mpf(1), mpf("9.81"), mpf(10), mpf(10000)


def rate(y):
    p1, p2, w1, w2 = y
    s, c = sin(p1 - p2), cos(p1 - p2)
    f1 = -m * L**2 / 2 * s * w2**2 - 3 * m * grav * L / 2 * cos(p1) - d1 * w1 + d2 * (w2 - w1)
    f2 = m * L**2 / 2 * s * w1**2 - m * grav * L / 2 * cos(p2) - d2 * (w2 - w1)
    a, b, d = 4 * m * L**2 / 3, m * L**2 * c / 2, m * L**2 / 3
    det = a * d - b * b
    return [w1, w2, (d * f1 - b * f2) / det, (a * f2 - b * f1) / det]


def jacobian(y):
    """The lower half of df/dy, by the complex step; the upper half is (0 I)."""
    step = mpf("1e-25")
    columns = []
    for j in range(4):
        z = list(y)
        z[j] = mpc(y[j], step)
        columns.append([a.imag / step for a in rate(z)[2:]])
    return [[columns[j][i] for j in range(4)] for i in range(2)]


def euler(y, J, h, n):
    """n linearly implicit Euler steps of h/n: (I - h J) (dp, dw) = h (w, a)."""
    h = h / n
    A = [[(i == j) - h * J[i][2 + j] - h * h * J[i][j] for j in range(2)] for i in range(2)]
    det = A[0][0] * A[1][1] - A[0][1] * A[1][0]
    for _ in range(n):
        f = rate(y)
        # dp = h (w + dw) leaves two equations for dw
        r = [h * f[2 + i] + h * h * (J[i][0] * y[2] + J[i][1] * y[3]) for i in range(2)]
        dw = [(A[1][1] * r[0] - A[0][1] * r[1]) / det, (A[0][0] * r[1] - A[1][0] * r[0]) / det]
        y = [y[0] + h * (y[2] + dw[0]), y[1] + h * (y[3] + dw[1]), y[2] + dw[0], y[3] + dw[1]]
    return y


def integrate(y, t, t_end, h, tolerance, columns=14):
    """y(t_end) and the step size to go on with."""
    while t < t_end:
        step = min(h, t_end - t)
        J, table, done = jacobian(y), [], False
        for j in range(columns):
            row = [euler(y, J, step, j + 1)]
            for k in range(j):
                ratio = mpf(j + 1) / (j - k) - 1
                row.append([a + (a - b) / ratio for a, b in zip(row[k], table[j - 1][k])])
            table.append(row)
            if j > 2 and max(abs(a - b) / (1 + abs(a)) for a, b in zip(row[-1], row[-2])) < tolerance:
                t, y, done = t + step, row[-1], True
                h = step * 2 if j < columns - 3 and step == h else max(h, step)
                break
        if not done:
            h = step / 2
    return y, h


mp.dps = 30
start = [mpf(0), pi / 3, mpf(0), mpf(0)]
results = []
for tolerance in ("1e-19", "1e-17"):
    y, h, rows = start, mpf("1e-6"), [[mpf(0)] + start]
    for i in range(1, 41):
        y, h = integrate(y, mpf(i - 1) / 4, mpf(i) / 4, h, mpf(tolerance))
        rows.append([mpf(i) / 4] + y)
    results.append(rows)
for first, second in zip(*results):
    agree(first, second, mpf("1e-14"))
write("reference.csv", ["phi1", "phi2", "phi1_d", "phi2_d"], results[0], 15)
