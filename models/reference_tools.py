"""What the reference.py scripts of the models share: extrapolation in many digits, linear algebra, CSV.

Nothing here knows crank: references come from exact formulas, or from equations in independent
coordinates (or of index 1) integrated by extrapolation of the modified midpoint rule in 30 to 50
digits, at two tolerances which must agree. Where that takes too long, in double precision, the tolerances
well below the errors that are looked for.

Needs Python 3 and mpmath (Debian: python3-mpmath, faster with python3-gmpy2).
"""
# SPDX-License-Identifier: BSD-3-Clause
from mpmath import mp, mpc, mpf, lu_solve, matrix, nstr


def midpoint(f, t, y, h, n):
    """Modified midpoint rule with n substeps over h (Gragg), smoothed at the end."""
    step = h / n
    before, now = y, [a + step * b for a, b in zip(y, f(t, y))]
    for i in range(1, n):
        rate = f(t + i * step, now)
        before, now = now, [a + 2 * step * b for a, b in zip(before, rate)]
    rate = f(t + h, now)
    return [(a + b + step * c) / 2 for a, b, c in zip(before, now, rate)]


def extrapolate(f, t, y, t_end, tolerance, columns=14, real=mpf):
    """y(t_end) of y' = f(t, y) by extrapolation to the limit; the step is halved or grown to fit.
    real: kind of the numbers, mpf or float."""
    tolerance = real(tolerance)
    t, t_end = real(t), real(t_end)
    h = (t_end - t) / 8
    while t < t_end:
        h = min(h, t_end - t)
        table, done = [], False
        for j in range(columns):
            row = [midpoint(f, t, y, h, 2 * (j + 1))]
            for k in range(j):
                ratio = (real(j + 1) / (j - k)) ** 2 - 1
                row.append([a + (a - b) / ratio for a, b in zip(row[k], table[j - 1][k])])
            table.append(row)
            if j > 2:
                error = max(abs(a - b) / (1 + abs(a)) for a, b in zip(row[-1], row[-2]))
                if error < tolerance:
                    t, y, done = t + h, row[-1], True
                    h = h * (2 if j < columns - 4 else 1)
                    break
        if not done:
            h = h / 2
    return y


def stiff_jacobian(rate, y):
    """Of two angles p and their rates w, y = (p, w): the lower half of df/dy, by the complex step; the upper half is (0 I)."""
    step = mpf("1e-25")
    columns = []
    for j in range(4):
        z = list(y)
        z[j] = mpc(y[j], step)
        columns.append([x.imag / step for x in rate(z)[2:]])
    return [[columns[j][i] for j in range(4)] for i in range(2)]


def stiff_euler(rate, y, J, h, n):
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


def extrapolate_stiff(rate, y, t, t_end, h, tolerance, columns=14):
    """y(t_end) of y' = rate(y), y = (p, w) of two angles, by extrapolation of the linearly implicit Euler rule; and the
    step size to go on with."""
    while t < t_end:
        step = min(h, t_end - t)
        J, table, done = stiff_jacobian(rate, y), [], False
        for j in range(columns):
            row = [stiff_euler(rate, y, J, step, j + 1)]
            for k in range(j):
                ratio = mpf(j + 1) / (j - k) - 1
                row.append([x + (x - z) / ratio for x, z in zip(row[k], table[j - 1][k])])
            table.append(row)
            if j > 2 and max(abs(x - z) / (1 + abs(x)) for x, z in zip(row[-1], row[-2])) < tolerance:
                t, y, done = t + step, row[-1], True
                h = step * 2 if j < columns - 3 and step == h else max(h, step)
                break
        if not done:
            h = step / 2
    return y, h


def solve(rows, right):
    """x of rows x = right."""
    return list(lu_solve(matrix(rows), matrix(right)))


def eliminate(rows, right):
    """x of rows x = right in any kind of numbers, pivots by columns."""
    n = len(right)
    a = [list(row) + [b] for row, b in zip(rows, right)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[pivot] = a[pivot], a[k]
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            if factor:
                a[i][k:] = [x - factor * y for x, y in zip(a[i][k:], a[k][k:])]
    for k in range(n - 1, -1, -1):
        a[k][n] = (a[k][n] - sum(a[k][j] * a[j][n] for j in range(k + 1, n))) / a[k][k]
    return [row[n] for row in a]


def multipliers(mass, force, gradient, curvature):
    """(v', lambda) of [M G^T; G 0] (v'; lambda) = (f; -curvature)."""
    n, m = len(force), len(curvature)
    rows = [list(mass[i]) + [gradient[k][i] for k in range(m)] for i in range(n)]
    rows += [list(gradient[k]) + [mpf(0)] * m for k in range(m)]
    x = solve(rows, list(force) + [-c for c in curvature])
    return x[:n], x[n:]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotation(q):
    """Matrix of a quaternion of any length, by rows: body axes to world axes."""
    w, x, y, z = q
    n = w * w + x * x + y * y + z * z
    return [[(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
            [2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n],
            [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n]]


def turned(matrix, a):
    return [dot(row, a) for row in matrix]


def turned_back(matrix, a):
    return [dot([row[k] for row in matrix], a) for k in range(3)]


def quaternion_rate(q, omega):
    """q' for the angular velocity omega in body axes."""
    w, x, y, z = q
    return [(-x * omega[0] - y * omega[1] - z * omega[2]) / 2, (w * omega[0] + y * omega[2] - z * omega[1]) / 2,
            (w * omega[1] + z * omega[0] - x * omega[2]) / 2, (w * omega[2] + x * omega[1] - y * omega[0]) / 2]


def agree(first, second, tolerance):
    """Largest relative difference of two results; an error if above the tolerance."""
    worst = max(abs(a - b) / (1 + abs(a)) for a, b in zip(first, second))
    if worst > tolerance:
        raise SystemExit("two routes differ by %s" % nstr(worst, 3))
    return worst


def number(a, digits):
    """Decimal text; what is round-off of the many digits becomes zero."""
    if abs(a) < mpf("1e-30"):
        return "0"
    text = nstr(a, digits, min_fixed=-5, max_fixed=8)
    return text[:-2] if text.endswith(".0") else text


def write(path, names, rows, digits=20):
    """Rows (time first) as CSV."""
    with open(path, "w", encoding="ascii") as out:
        out.write(",".join(["time"] + list(names)) + "\n")
        for row in rows:
            out.write(",".join(number(mpf(a), digits) for a in row) + "\n")


mp.dps = 40
