"""Reference of the chain: angles of the links and forces in the pins, without closed loops, in double precision.

Links with centres C_i, unit vectors e_i and n_i (n = e turned by a right angle), half length l. With the force f_i on link
i at its first pin (f_N+1 = 0),
    m C_i'' = f_i - f_i+1 + m grav,   J theta_i'' = -l n_i.(f_i + f_i+1)
and the pins C_i'' - l (theta_i'' n_i - theta_i'^2 e_i) = C_i-1'' + l (theta_i-1'' n_i-1 - theta_i-1'^2 e_i-1): a block
tridiagonal system for the forces, solved link by link. Only the angles are integrated, by extrapolation at two tolerances.

Run in this directory: python3 reference.py (about a minute). Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math

N, LENGTH, MASS, GRAV = 100, 0.1, 0.1, 9.81
HALF = LENGTH / 2
J = MASS * LENGTH**2 / 12


def mobility(n, sign_first, sign_second):
    """Acceleration of a pin of a link per force at a pin of it: 1/m + l^2 n n^T/J (same end), 1/m - ... (other)."""
    k = HALF * HALF / J * sign_first * sign_second
    return [[1 / MASS + k * n[0] * n[0], k * n[0] * n[1]], [k * n[0] * n[1], 1 / MASS + k * n[1] * n[1]]]


def accelerations(theta, rate):
    e = [(math.cos(a), math.sin(a)) for a in theta]
    n = [(-s, c) for c, s in e]
    # pins: D_i f_i = b_i + O_i-1 f_i-1 + O_i f_i+1, forward elimination
    diagonal, upper, right = [], [], []
    for i in range(N):
        same, other = mobility(n[i], 1, 1), mobility(n[i], 1, -1)
        d = [row[:] for row in same]
        # first pin of link i: gravity + l rate^2 e_i; last pin of link i - 1: gravity - l rate^2 e_i-1
        b = [-HALF * rate[i]**2 * e[i][k] for k in (0, 1)]
        if i:
            before = mobility(n[i - 1], 1, 1)
            link = mobility(n[i - 1], 1, -1)
            for k in (0, 1):
                b[k] -= HALF * rate[i - 1]**2 * e[i - 1][k]
                for j in (0, 1):
                    d[k][j] += before[k][j]
            # eliminate f_i-1: D_i -= link D_i-1^-1 link
            p, q = diagonal[-1], right[-1]
            det = p[0][0] * p[1][1] - p[0][1] * p[1][0]
            inverse = [[p[1][1] / det, -p[0][1] / det], [-p[1][0] / det, p[0][0] / det]]
            factor = [[sum(link[k][j] * inverse[j][c] for j in (0, 1)) for c in (0, 1)] for k in (0, 1)]
            for k in (0, 1):
                b[k] += sum(factor[k][j] * q[j] for j in (0, 1))
                for c in (0, 1):
                    d[k][c] -= sum(factor[k][j] * link[j][c] for j in (0, 1))
        else:
            b[1] += GRAV  # the hook does not move: f_1/m + ... - GRAV = 0
        diagonal.append(d)
        upper.append(other)
        right.append(b)
    force = [None] * N + [(0.0, 0.0)]
    for i in range(N - 1, -1, -1):
        b = [right[i][k] + sum(upper[i][k][j] * force[i + 1][j] for j in (0, 1)) for k in (0, 1)]
        p = diagonal[i]
        det = p[0][0] * p[1][1] - p[0][1] * p[1][0]
        force[i] = ((p[1][1] * b[0] - p[0][1] * b[1]) / det, (p[0][0] * b[1] - p[1][0] * b[0]) / det)
    return [-HALF / J * (n[i][0] * (force[i][0] + force[i + 1][0]) + n[i][1] * (force[i][1] + force[i + 1][1]))
            for i in range(N)]


def midpoint(y, h, count):
    step = h / count

    def f(z):
        return z[N:] + accelerations(z[:N], z[N:])

    before, now = y, [a + step * b for a, b in zip(y, f(y))]
    for _ in range(1, count):
        before, now = now, [a + 2 * step * b for a, b in zip(before, f(now))]
    return [(a + b + step * c) / 2 for a, b, c in zip(before, now, f(now))]


def integrate(y, t, t_end, tolerance):
    h = (t_end - t) / 4
    while t < t_end - 1e-13:
        h = min(h, t_end - t)
        table = []
        for j in range(9):
            row = [midpoint(y, h, 2 * (j + 1))]
            for k in range(j):
                ratio = ((j + 1) / (j - k))**2 - 1
                row.append([a + (a - b) / ratio for a, b in zip(row[k], table[j - 1][k])])
            table.append(row)
            if j > 2 and max(abs(a - b) / (1 + abs(a)) for a, b in zip(row[-1], row[-2])) < tolerance:
                t, y = t + h, row[-1]
                h *= 1.5 if j < 7 else 1
                break
        else:
            h /= 2
    return y


def columns(y):
    """Place of some links' centres, angles, rates."""
    x, z, out = 0.0, 0.0, []
    for i in range(N):
        c, s = math.cos(y[i]), math.sin(y[i])
        if i + 1 in (1, 25, 50, 75, 100):
            out += [x + HALF * c, z + HALF * s, y[i], y[N + i]]
        x, z = x + LENGTH * c, z + LENGTH * s
    return out


def main():
    coarse = fine = [0.0] * (2 * N)
    names = ["body.link%d.%s" % (i, a) for i in (1, 25, 50, 75, 100) for a in ("x", "y", "angle", "rate")]
    with open("reference.csv", "w", encoding="ascii") as out:
        out.write(",".join(["time"] + names) + "\n")
        for k in range(11):
            if k:
                coarse = integrate(coarse, (k - 1) / 10, k / 10, 1e-11)
                fine = integrate(fine, (k - 1) / 10, k / 10, 1e-13)
                print(k / 10, max(abs(a - b) / (1 + abs(a)) for a, b in zip(coarse, fine)), flush=True)
            out.write(",".join(["%.12g" % a for a in [k / 10] + columns(fine)]) + "\n")


main()
