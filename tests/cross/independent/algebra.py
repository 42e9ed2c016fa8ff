"""Vectors, matrices, linear equations, expressions of model files, tables."""
# SPDX-License-Identifier: BSD-3-Clause
import cmath
import math
import re

H = 1e-30  # complex step
EYE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


# ---- vectors and matrices ----

def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def mul(k, a):
    return (k * a[0], k * a[1], k * a[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return dot(a, a) ** 0.5


def unit(a):
    return mul(1 / norm(a), a)


def rot(R, a):
    return (dot(R[0], a), dot(R[1], a), dot(R[2], a))


def back(R, a):
    """R^T a"""
    return tuple(R[0][i] * a[0] + R[1][i] * a[1] + R[2][i] * a[2] for i in range(3))


def product(A, B):
    return tuple(tuple(sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def transposed(A):
    return tuple(zip(*A))


def rodrigues(w):
    """Rotation by the vector w."""
    angle = norm(w)
    if angle == 0:
        return EYE
    n, c, s = unit(w), math.cos(angle), math.sin(angle)
    K = ((0, -n[2], n[1]), (n[2], 0, -n[0]), (-n[1], n[0], 0))
    return tuple(tuple((c if i == j else 0) + s * K[i][j] + (1 - c) * n[i] * n[j] for j in range(3)) for i in range(3))


def of_quaternion(q):
    n = math.sqrt(sum(a * a for a in q))
    v, angle = (q[1], q[2], q[3]), 2 * math.atan2(norm(q[1:4]), q[0])
    return rodrigues(mul(angle / norm(v), v)) if norm(v) > 1e-300 * n else EYE


def to_quaternion(R):
    """(w, x, y, z) up to the sign, also for complex steps: from the largest component, so that no digits are lost."""
    trace = R[0][0] + R[1][1] + R[2][2]
    i = max(range(3), key=lambda i: R[i][i].real)
    j, k = (i + 1) % 3, (i + 2) % 3
    if trace.real > R[i][i].real:
        w = (1 + trace) ** 0.5 / 2
        return (w, (R[2][1] - R[1][2]) / (4 * w), (R[0][2] - R[2][0]) / (4 * w), (R[1][0] - R[0][1]) / (4 * w))
    q = [0, 0, 0, 0]
    q[1 + i] = (1 + R[i][i] - R[j][j] - R[k][k]) ** 0.5 / 2
    q[0] = (R[k][j] - R[j][k]) / (4 * q[1 + i])
    q[1 + j] = (R[j][i] + R[i][j]) / (4 * q[1 + i])
    q[1 + k] = (R[k][i] + R[i][k]) / (4 * q[1 + i])
    return tuple(q)


def nudge(R, w):
    """(1 + i H w x) R"""
    c = [cross(w, (R[0][j], R[1][j], R[2][j])) for j in range(3)]
    return tuple(tuple(R[i][j] + 1j * H * c[j][i] for j in range(3)) for i in range(3))


def angle_of(y, x):
    """atan2 for complex steps."""
    a = math.atan2(y.real, x.real)
    if isinstance(y, complex) or isinstance(x, complex):
        a += 1j * (x.real * y.imag - y.real * x.imag) / (x.real ** 2 + y.real ** 2)
    return a


def across(a):
    """Any unit vector at right angles to a."""
    return unit(cross(a, min(EYE, key=lambda e: abs(dot(a, e)))))


def solve(A, B):
    """A x = b by elimination with row pivoting, for several b at once (B: list of rows)."""
    n, m = len(A), len(B[0]) if B else 0
    A = [list(a) + list(b) for a, b in zip(A, B)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(A[i][k]))
        A[k], A[p] = A[p], A[k]
        top = A[k]
        for i in range(k + 1, n):
            f = A[i][k] / top[k] if A[i][k] != 0 else 0
            if f:
                row = A[i]
                for j in range(k, n + m):
                    row[j] -= f * top[j]
    for k in reversed(range(n)):
        row = A[k]
        for c in range(n, n + m):
            row[c] = (row[c] - sum(row[j] * A[j][c] for j in range(k + 1, n))) / row[k]
    return [row[n:] for row in A]


def independent_rows(G, tolerance=1e-7):
    """Rows of G in a basis of its row space, by orthogonalisation with pivoting."""
    left = {i: list(row) for i, row in enumerate(G)}
    chosen, largest = [], None
    while left:
        i = max(left, key=lambda i: sum(a * a for a in left[i]))
        size = math.sqrt(sum(a * a for a in left[i]))
        largest = largest or size
        if size <= tolerance * (largest or 1):
            break
        e = [a / size for a in left.pop(i)]
        chosen.append(i)
        for row in left.values():
            for _ in range(2):
                c = sum(a * b for a, b in zip(row, e))
                row[:] = [a - c * b for a, b in zip(row, e)]
    return sorted(chosen)


def dependencies(G, chosen):
    """Vectors n with n G = 0, one for each row that is not chosen."""
    out = []
    basis = [G[i] for i in chosen]
    gram = [[sum(a * b for a, b in zip(x, y)) for y in basis] for x in basis]
    rest = [i for i in range(len(G)) if i not in chosen]
    if not rest:
        return []
    right = [[sum(a * b for a, b in zip(x, G[i])) for i in rest] for x in basis]
    factor = solve(gram, right) if basis else []
    for k, i in enumerate(rest):
        n = [0.0] * len(G)
        n[i] = 1.0
        for c, j in zip(factor, chosen):
            n[j] = -c[k]
        out.append(n)
    return out


# ---- expressions ----

FUNCTIONS = {name: getattr(cmath, name) for name in
             ("sin", "cos", "tan", "exp", "sqrt", "log", "tanh", "sinh", "cosh", "pi")}
QUANTITY = re.compile(r"\b(?:body|joint|force)\.[A-Za-z0-9_.]+")


class Expression:
    def __init__(self, text):
        text = str(text).strip()
        if text.endswith(" deg"):
            text = "(%s)*pi/180" % text[:-4]
        self.code = compile(QUANTITY.sub(lambda m: "Q('%s')" % m.group(0), text).replace("^", "**"), text, "eval")

    def __call__(self, quantity, **names):
        v = eval(self.code, {"__builtins__": {}}, {**FUNCTIONS, "Q": quantity, **names})  # pylint: disable=eval-used
        return v if isinstance(v, complex) and v.imag else v.real


class Table:
    """Function through points by cubics from the slopes at both ends of each piece."""

    def __init__(self, data, interpolation="spline", outside="extrapolate"):
        if isinstance(data, dict):
            interpolation, outside = data.get("interpolation", interpolation), data.get("outside", outside)
            data = data["points"]
        self.x, self.y = zip(*data)
        self.outside = outside
        n = len(self.x) - 1
        h = [self.x[i + 1] - self.x[i] for i in range(n)]
        d = [(self.y[i + 1] - self.y[i]) / h[i] for i in range(n)]
        if interpolation == "linear":
            self.slope = [(a, a) for a in d]
        else:
            s = self.smooth(h, d) if interpolation == "spline" else self.monotone(h, d)
            self.slope = [(s[i], s[i + 1]) for i in range(n)]

    def smooth(self, h, d):
        """Slopes that make the second derivative continuous; it is zero at the ends of tables that go on straight."""
        n = len(h)
        A, b = [[0.0] * (n + 1) for _ in range(n + 1)], [[0.0] for _ in range(n + 1)]
        for i in range(n + 1):
            if self.outside != "repeat" and i in (0, n):
                A[i][i], A[i][1 if i == 0 else n - 1] = (1, 0) if self.outside == "hold" else (2, 1)
                b[i] = [0.0 if self.outside == "hold" else 3 * d[0 if i == 0 else n - 1]]
                continue
            if i == n:
                A[n][n], A[n][0] = 1, -1
                continue
            for piece, other in ((i - 1, (i - 1) % n), (i, i + 1)):  # piece -1 is the last one
                A[i][other] += 1 / h[piece]
                A[i][i] += 2 / h[piece]
                b[i][0] += 3 * d[piece] / h[piece]
        return [a[0] for a in solve(A, b)]

    def monotone(self, h, d):
        n = len(h)

        def inner(i, j):
            if d[i] * d[j] <= 0:
                return 0.0
            w = (2 * h[j] + h[i], h[j] + 2 * h[i])
            return sum(w) / (w[0] / d[i] + w[1] / d[j])

        def end(i, j):
            s = ((2 * h[i] + h[j]) * d[i] - h[i] * d[j]) / (h[i] + h[j])
            if s * d[i] <= 0:
                return 0.0
            return 3 * d[i] if d[i] * d[j] <= 0 and abs(s) > 3 * abs(d[i]) else s
        if n == 1:
            return [d[0], d[0]]
        ends = [inner(n - 1, 0)] * 2 if self.outside == "repeat" else [end(0, 1), end(n - 1, n - 2)]
        return [ends[0]] + [inner(i - 1, i) for i in range(1, n)] + [ends[1]]

    def __call__(self, x):
        first, last = self.x[0], self.x[-1]
        if self.outside == "repeat":
            x = x - (last - first) * math.floor((x.real - first) / (last - first))
        i = max(0, min(len(self.x) - 2, sum(a <= x.real for a in self.x) - 1))
        h, (s, e) = self.x[i + 1] - self.x[i], self.slope[i]
        if not first <= x.real <= last:
            at = first if x.real < first else last
            value, slope = (self.y[0], s) if x.real < first else (self.y[-1], e)
            return value + (x - at) * slope if self.outside == "extrapolate" else value + 0 * x
        u = (x - self.x[i]) / h
        return self.y[i] * (1 + 2 * u) * (1 - u) ** 2 + self.y[i + 1] * u * u * (3 - 2 * u) + \
            h * u * (1 - u) * (s * (1 - u) - e * u)
