"""Reference of the chain with ten masses: the angles of the rods as minimal coordinates.

With a_i the angle of rod i, x_k = sum_{i<=k} cos a_i, y_k = sum_{i<=k} sin a_i (m = L = 1) and
n_ij = N + 1 - max(i, j):
    sum_j n_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) = -n_ii grav cos a_i,
integrated by extrapolation at two tolerances. Rod k carries the tension 2 lambda_k (L = 1), found by
summing the accelerations below it.

Run in this directory: python3 reference.py. Needs mpmath; takes a minute.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
sys.path.insert(0, "..")
from mpmath import cos, mp, mpf, sin
from reference_tools import agree, extrapolate, solve, write

N, GRAV, BEND = 10, mpf("9.81"), mpf("0.1")


def second(a, w):
    """a'' from the mass matrix in the angles."""
    count = lambda i, j: N - max(i, j)
    mass = [[count(i, j) * cos(a[i] - a[j]) for j in range(N)] for i in range(N)]
    right = [-sum(count(i, j) * sin(a[i] - a[j]) * w[j] ** 2 for j in range(N))
             - count(i, i) * GRAV * cos(a[i]) for i in range(N)]
    return solve(mass, right)


def rate(_, y):
    return y[N:] + second(y[:N], y[N:])


def row(state):
    a, w = state[:N], state[N:]
    wd = second(a, w)
    x = y = vx = vy = ax = ay = mpf(0)
    position, velocity, acceleration = [], [], []
    for i in range(N):
        c, s = cos(a[i]), sin(a[i])
        x, y, vx, vy = x + c, y + s, vx - s * w[i], vy + c * w[i]
        ax, ay = ax - s * wd[i] - c * w[i] ** 2, ay + c * wd[i] - s * w[i] ** 2
        position += [x, y]
        velocity += [vx, vy]
        acceleration.append((ax, ay))
    tension, force = [], (mpf(0), mpf(0))  # what rods k, ... carry: sum of (a - gravity) from k on
    for i in reversed(range(N)):
        force = (force[0] + acceleration[i][0], force[1] + acceleration[i][1] + GRAV)
        tension.insert(0, -(force[0] * cos(a[i]) + force[1] * sin(a[i])) / 2)
    return position + velocity + tension


mp.dps = 30
NAMES = sum([["x%d" % i, "y%d" % i] for i in range(1, N + 1)], [])
NAMES += sum([["vx%d" % i, "vy%d" % i] for i in range(1, N + 1)], [])
NAMES += ["lambda.rod%d" % i for i in range(1, N + 1)]
start = [-BEND * (i + 1) / N for i in range(N)] + [mpf(0)] * N
rows, y, z, before = [], start, start, mpf(0)
for text in ["0", "0.5", "1"]:
    t = mpf(text)
    y = extrapolate(rate, before, y, t, "1e-20")
    z = extrapolate(rate, before, z, t, "1e-17")
    agree(y, z, mpf("1e-13"))
    rows.append([t] + row(y))
    before = t
write("reference.csv", NAMES, rows)
