"""A second simulator of mechanism models, made to check the first: slow, plain, by other formulas.

Bodies in maximal coordinates: centre of mass x, unit quaternion q, velocity x', angular velocity w in WORLD axes;
planar bodies and points are spatial ones with fewer freedoms. Contact parameters s are coordinates without mass.
Constraints are written as vector equations between points and axes of the two bodies (more rows than need be where that
is simplest); G comes from complex steps, (G u)' u from differences of complex steps along the motion with constant
velocities. Accelerations and multipliers solve

    M u' - G^T l = f,   G u' = -(G' u + ...)

with rows of G that depend on others left out. Integrated by extrapolation of the midpoint rule. Models are the same
mappings that crank reads as JSON; their expressions are evaluated as Python.
"""
# SPDX-License-Identifier: BSD-3-Clause
import cmath
import math
import re

H = 1e-30  # complex step
EYE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SPATIAL, PLANAR, POINT, PLANAR_POINT = (0, 1, 2, 3, 4, 5), (0, 1, 5), (0, 1, 2), (0, 1)


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
    """Natural cubic spline through points, from its second derivatives; linear beyond the ends."""

    def __init__(self, points):
        self.x, self.y = zip(*points)
        n = len(self.x)
        A, b = [[float(i == j) for j in range(n)] for i in range(n)], [[0.0] for _ in range(n)]
        for i in range(1, n - 1):
            h, k = self.x[i] - self.x[i - 1], self.x[i + 1] - self.x[i]
            A[i][i - 1:i + 2] = [h / 6, (h + k) / 3, k / 6]
            b[i] = [(self.y[i + 1] - self.y[i]) / k - (self.y[i] - self.y[i - 1]) / h]
        self.m = [a[0] for a in solve(A, b)]

    def __call__(self, x):
        i = max(0, min(len(self.x) - 2, sum(a <= x.real for a in self.x) - 1))
        h = self.x[i + 1] - self.x[i]
        inside = min(max(x.real, self.x[i]), self.x[i + 1])
        inside = x if inside == x.real else inside

        def value(z):
            a, b = (self.x[i + 1] - z) / h, (z - self.x[i]) / h
            return a * self.y[i] + b * self.y[i + 1] + \
                ((a ** 3 - a) * self.m[i] + (b ** 3 - b) * self.m[i + 1]) * h * h / 6
        if inside is x:
            return value(x)
        return value(inside) + (x - inside) * value(inside + 1j * H).imag / H


# ---- bodies ----

def vector(a, default=(0.0, 0.0, 0.0)):
    return tuple(float(x) for x in a) + (0.0,) * (3 - len(a)) if a is not None else default


def orientation(o, planar=False):
    if o is None:
        return EYE
    if planar or not isinstance(o, (dict, list)):
        return rodrigues((0, 0, float(o)))
    if isinstance(o, dict):
        return rodrigues(mul(float(o["angle"]), unit(vector(o["axis"]))))
    return of_quaternion(o)


def solid(shape, density, mass):
    """Mass and principal moments by integrating slices across z: area A, moments of a slice from its own."""
    (kind, size), = shape.items()
    size = size if isinstance(size, list) else [size]
    if kind == "rod":
        m = density * size[0] if mass is None else mass
        return m, (m * size[0] ** 2 / 12, m * size[0] ** 2 / 12, 0.0)
    if kind == "box":
        a, b, c = size
        slices, low, high = (lambda z: (a * b, a * b ** 3 / 12, a ** 3 * b / 12)), -c / 2, c / 2
    else:
        r = size[0]
        h = size[1] if len(size) > 1 else 0.0
        low, high = {"cylinder": (0, h), "cone": (0, h), "sphere": (-r, r), "capsule": (-r, h + r)}[kind]

        def radius2(z):
            if kind == "cone":
                return (r * (1 - z / h)) ** 2
            outside = -z if z < 0 else z - h if z > h else 0.0
            return r * r - outside * outside

        def slices(z):
            a2 = radius2(z)
            return math.pi * a2, math.pi * a2 * a2 / 4, math.pi * a2 * a2 / 4
    volume = first = second = ix = iy = 0.0
    cuts = [low] + [c for c in (0.0, size[1] if kind == "capsule" else 0.0) if low < c < high] + [high]
    nodes = [(x, w) for x, w in ((0.0, 128 / 225), (0.5384693101056831, 0.47862867049936647),
                                 (0.9061798459386640, 0.23692688505618908))]
    nodes += [(-x, w) for x, w in nodes[1:]]
    for near, far in zip(cuts, cuts[1:]):
        for x, w in nodes:
            z, w = (near + far) / 2 + (far - near) / 2 * x, w * (far - near) / 2
            A, jx, jy = slices(z)
            volume, first, second = volume + w * A, first + w * A * z, second + w * A * z * z
            ix, iy = ix + w * jx, iy + w * jy
    second -= first ** 2 / volume
    m = density * volume if mass is None else mass
    k = m / volume
    return m, (k * (ix + second), k * (iy + second), k * (ix + iy))


class Body:
    def __init__(self, name, data, planar):
        self.name, point = name, data.get("type") == "point"
        self.dofs = (PLANAR_POINT if point else PLANAR) if planar else (POINT if point else SPATIAL)
        self.center = vector(data.get("center"))
        self.R0 = rodrigues((0, 0, data.get("angle", 0.0))) if planar else orientation(data.get("orientation"))
        self.origin0 = vector(data.get("position"))
        self.x0 = add(self.origin0, rot(self.R0, self.center))
        mass, inertia = data.get("mass"), data.get("inertia")
        principal = (0.0, 0.0, 0.0)
        if "shape" in data:
            shape = data["shape"]
            if planar and len(shape.get("box", [])) == 2:
                shape = {"box": shape["box"] + [1.0]}
            mass, principal = solid(shape, data.get("density"), mass)
            if planar and "rod" in shape:
                principal = principal[::-1]
        self.mass = mass or 0.0
        self.inertia = tuple(mul(principal[i], EYE[i]) for i in range(3))
        if inertia is not None:
            about, axes = None, None
            if isinstance(inertia, dict):
                about, axes, inertia = inertia.get("about"), inertia.get("axes"), inertia["tensor"]
            if planar:
                inertia = [0.0, 0.0, inertia]
            T = tuple(tuple(map(float, r)) for r in inertia) if isinstance(inertia[0], list) else \
                tuple(mul(float(inertia[i]), EYE[i]) for i in range(3))
            A = orientation(axes)
            T = product(product(A, T), transposed(A))
            if about is not None:
                d = sub(self.center, vector(about))
                T = tuple(tuple(T[i][j] - self.mass * (dot(d, d) * EYE[i][j] - d[i] * d[j]) for j in range(3))
                          for i in range(3))
            self.inertia = T


class Ground:
    name, dofs, center, x0, origin0, R0, mass = "ground", (), (0.0,) * 3, (0.0,) * 3, (0.0,) * 3, EYE, 0.0


class Marker:
    """Point (from the centre of mass) or direction of a body."""

    def __init__(self, model, body, world=None, local=None, point=True):
        self.body, self.point = body, point
        b = model.bodies[body]
        if local is not None:
            self.u = sub(vector(local), b.center) if point else unit(vector(local))
        else:
            self.u = back(b.R0, sub(vector(world), b.x0)) if point else back(b.R0, unit(vector(world)))

    def at(self, S):
        x, R = S[self.body]
        return add(x, rot(R, self.u)) if self.point else rot(R, self.u)

    def velocity(self, S, V):
        v, w = V[self.body]
        arm = cross(w, rot(S[self.body][1], self.u))
        return add(v, arm) if self.point else arm


# ---- joints ----

def ends(model, data, between, point=True):
    """Markers on both bodies of `at` or `axis`."""
    if isinstance(data, dict):
        return [Marker(model, b, local=data[k], point=point) for b, k in zip(between, ("first", "second"))]
    worlds = data if isinstance(data[0], list) else [data, data]
    return [Marker(model, b, world=w, point=point) for b, w in zip(between, worlds)]


class Joint:
    """rows(S, s, t): holonomic rows; rates(S, V, s, t): nonholonomic ones, affine in V. s: contact parameters."""

    def __init__(self, model, name, data):
        self.model, self.name, self.data, self.type = model, name, data, data["type"]
        self.planar = model.planar
        self.s = []
        self.turns = {}
        self.P = self.axis = None
        if "between" in data:
            self.bodies = list(data["between"])
            if "at" in data:
                self.P = ends(model, data["at"], self.bodies)
            self.make_axes(data)
        elif self.type == "equation":
            self.equation = Expression(data["equation"])
            self.bodies = self.named_bodies(data["equation"])
        else:
            self.others = [model.joints[j] for j in data.get("joints", [])]
            self.bodies = sorted({b for j in self.others for b in j.bodies})
            if self.type == "driver":
                self.of = Expression(data["of"])
                table = Table(data["table"]) if "table" in data else None
                self.given = (lambda _, t: table(t)) if table else Expression(data["is"])
                self.bodies = self.named_bodies(data["of"])
        for key in ("drive", "drive_angle", "drive_length"):
            if key in data:
                setattr(self, key, Expression(data[key]))
        getattr(self, "make_" + self.type, lambda: None)()

    def named_bodies(self, text):
        found = set()
        for q in QUANTITY.findall(text):
            kind, name = q.split(".", 1)
            name = name.rsplit(".", 1)[0]
            found.update([name] if kind == "body" else self.model.joints[name].bodies)
        return sorted(found)

    def rows_equation(self, S, s, t):
        return [] if self.data["rates"] else [self.equation(lambda name: self.model.position_quantity(name, S), t=t)]

    def rates_equation(self, S, V, s, t):
        point = Point(self.model, t, S, V, {}, {}, {})
        return [self.equation(point.quantity, t=t)] if self.data["rates"] else []

    def make_axes(self, data):
        model, bodies = self.model, self.bodies
        if self.planar and self.type == "revolute":
            self.axis = [Marker(model, b, local=(0, 0, 1), point=False) for b in bodies]
        elif "axis" in data:
            self.axis = ends(model, data["axis"], bodies, False)
        elif "axes" in data:
            self.axis = [Marker(model, b, world=a, point=False) for b, a in zip(bodies, data["axes"])]
        if self.type == "fixed":
            self.axis = [Marker(model, b, world=(1, 0, 0), point=False) for b in bodies]
        if self.axis:
            first = model.start()
            a = self.axis[0].at(first)
            u = across(a)
            if self.planar and self.type != "revolute":
                u = (-a[1], a[0], 0.0)
            self.u = [Marker(model, b, world=u, point=False) for b in bodies]
            self.w = Marker(model, bodies[0], world=cross(a, u), point=False)

    # -- parts of rows --

    def gap(self, S):
        return sub(self.P[1].at(S), self.P[0].at(S))

    def gap_along(self, S):
        """P2 - P1 along axis, u and w of the first body."""
        d = self.gap(S)
        return dot(self.axis[0].at(S), d), dot(self.u[0].at(S), d), dot(self.w.at(S), d)

    def parallel(self, S):
        """Components of a1 x a2 in the first body's axes across a1."""
        c = cross(self.axis[0].at(S), self.axis[1].at(S))
        return [dot(self.u[0].at(S), c), dot(self.w.at(S), c)]

    def angle(self, S, key="angle"):
        u1, u2, a, w = self.u[0].at(S), self.u[1].at(S), self.axis[0].at(S), self.w.at(S)
        if self.planar:
            w = cross((0, 0, 1), u1)
        return self.turned(angle_of(dot(w, u2), dot(u1, u2)), key)

    def turned(self, a, key):
        """a continued over full turns from its last real value."""
        last = self.turns.get(key, 0.0)
        a += 2 * math.pi * round((last - a.real) / (2 * math.pi))
        if not isinstance(a, complex):
            self.turns[key] = a
        return a

    def no_rotation(self, S):
        if self.planar:
            return [dot(self.u[0].at(S), cross((0, 0, 1), self.u[1].at(S)))]
        R1, R2 = (product(S[b][1], transposed(self.model.bodies[b].R0)) for b in self.bodies)
        c = [sum(R1[k][i] * R2[k][j] for k in range(3)) for i, j in ((1, 2), (2, 0), (0, 1))]
        return c

    # -- types: rows --

    def rows(self, S, s, t):
        return getattr(self, "rows_" + self.type)(S, s, t) + self.driven(S, t)

    def driven(self, S, t):
        out = []
        for key in ("drive", "drive_angle", "drive_length"):
            if hasattr(self, key):
                c = self.coordinates(S)
                name = key[6:] or next(iter(c))
                out.append(c[name] - getattr(self, key)(None, t=t))
        return out

    def rates(self, S, V, s, t):
        f = getattr(self, "rates_" + self.type, None)
        return f(S, V, s, t) if f else []

    def rows_revolute(self, S, s, t):
        return list(self.gap(S)[:2]) if self.planar else list(self.gap(S)) + self.parallel(S)

    def rows_spherical(self, S, s, t):
        return list(self.gap(S))

    def rows_fixed(self, S, s, t):
        return list(self.gap(S)[:2 if self.planar else 3]) + self.no_rotation(S)

    def rows_prismatic(self, S, s, t):
        _, y, z = self.gap_along(S)
        return ([y] if self.planar else [y, z]) + self.no_rotation(S)

    def rows_cylindrical(self, S, s, t):
        return list(self.gap_along(S)[1:]) + self.parallel(S)

    def rows_screw(self, S, s, t):
        x, y, z = self.gap_along(S)
        return [y, z] + self.parallel(S) + [x - self.data["pitch"] * self.angle(S) / (2 * math.pi)]

    def rows_universal(self, S, s, t):
        return list(self.gap(S)) + [dot(self.axis[0].at(S), self.axis[1].at(S))]

    def rows_planar(self, S, s, t):
        return [self.gap_along(S)[0]] + self.parallel(S)

    def rows_distance(self, S, s, t):
        d = self.gap(S)
        return [dot(d, d) ** 0.5 - self.L]

    def make_distance(self):
        self.L = self.data.get("length", norm(self.gap(self.model.start())))

    def make_revolute_spherical(self):
        d = self.gap(self.model.start())
        self.L, self.height = self.data.get("length", norm(d)), dot(self.axis[0].at(self.model.start()), d)

    def rows_revolute_spherical(self, S, s, t):
        d = self.gap(S)
        a = self.axis[0].at(S)
        return [dot(d, d) ** 0.5 - self.L, dot(a, d) - self.height]

    def rows_point_on_line(self, S, s, t):
        _, y, z = self.gap_along(S)
        return [y] if self.planar else [y, z]

    def rows_point_in_plane(self, S, s, t):
        return [self.gap_along(S)[0]]

    def rows_parallel_axes(self, S, s, t):
        return self.parallel(S)

    def rows_gear(self, S, s, t):
        a, b = (j.coordinates(S)["angle"] for j in self.others)
        return [b - self.data["ratio"] * a]

    def rows_rack_and_pinion(self, S, s, t):
        return [self.others[1].coordinates(S)["length"] - self.data["radius"] * self.others[0].coordinates(S)["angle"]]

    def rows_coupler(self, S, s, t):
        return [sum(f * next(iter(j.coordinates(S).values())) for f, j in zip(self.data["factors"], self.others))]

    def rows_driver(self, S, s, t):
        return [self.of(lambda name: self.model.position_quantity(name, S)) - self.given(None, t=t)]

    # -- rolling and sliding --

    def make_plane(self):
        plane, (first, second) = self.data["plane"], self.bodies
        self.O = Marker(self.model, first, world=plane["at"])
        self.n = Marker(self.model, first, world=plane["normal"], point=False)
        n = self.n.at(self.model.start())
        t1 = cross(n, (0, 0, 1)) if self.planar else across(n)
        self.t = [Marker(self.model, first, world=e, point=False) for e in (t1, cross(n, t1))]
        self.centre(second)

    def centre(self, body):
        at = self.data.get("at")
        self.C = Marker(self.model, body, world=at) if at else Marker(self.model, body, local=(0, 0, 0))
        self.P = [self.C, self.C]

    make_rolling_disc = make_rolling_sphere = make_plane

    def lowest(self, S):
        """Centre of the wheel to its point nearest to the plane."""
        n = self.n.at(S)
        if self.axis is None:
            return mul(-self.data["radius"], n)
        a = self.axis[1].at(S)
        down = sub(mul(dot(n, a), a), n)
        return mul(self.data["radius"] / dot(down, down) ** 0.5, down)

    def rows_rolling_disc(self, S, s, t):
        return [dot(self.n.at(S), sub(add(self.C.at(S), self.lowest(S)), self.O.at(S)))]

    rows_rolling_sphere = rows_rolling_disc

    def rates_rolling_disc(self, S, V, s, t):
        """Velocity of the wheel where it touches, less that of the plane's body there."""
        arm = self.lowest(S)
        touch = add(self.C.at(S), arm)
        v = add(self.C.velocity(S, V), cross(V[self.bodies[1]][1], arm))
        first = self.bodies[0]
        v = sub(v, add(V[first][0], cross(V[first][1], sub(touch, S[first][0]))))
        return [dot(e.at(S), v) for e in self.t[:1 if self.planar else 2]]

    rates_rolling_sphere = rates_rolling_disc

    def make_skate(self):
        if not self.planar:
            self.make_plane()
        else:
            self.centre(self.bodies[1])

    def rows_skate(self, S, s, t):
        return []

    def rates_skate(self, S, V, s, t):
        n = (0, 0, 1) if self.planar else self.n.at(S)
        first = self.bodies[0]
        v = sub(self.C.velocity(S, V), add(V[first][0], cross(V[first][1], sub(self.C.at(S), S[first][0]))))
        return [dot(cross(n, self.axis[1].at(S)), v)]

    # -- contacts --

    def carried(self, S, body, expressions, **names):
        b, (x, R) = self.model.bodies[body], S[body]
        c = tuple(e(None, **names) for e in expressions)
        return add(x, rot(R, sub(c + (0.0,) * (3 - len(c)), b.center)))

    def make_curve(self):
        start = self.data["start"]
        self.s = list(start) if isinstance(start, list) else [start]
        self.shape = [Expression(e) for e in self.data.get("curve", self.data.get("surface"))]
        self.centre(self.bodies[1])

    make_surface = make_curve

    def rows_curve(self, S, s, t):
        names = {"s": s[0]} if len(s) == 1 else {"s1": s[0], "s2": s[1]}
        d = sub(self.C.at(S), self.carried(S, self.bodies[0], self.shape, **names))
        return list(d[:2 if self.planar else 3])

    rows_surface = rows_curve

    def make_profile(self):
        self.s = list(self.data["start"])
        self.shape = [[Expression(e) for e in p] for p in self.data["profiles"]]
        self.P = [Marker(self.model, self.bodies[1], local=(0, 0, 0))] * 2

    def rows_profile(self, S, s, t):
        """Points meet, tangents (by differences of order 6) are parallel."""
        def place(k, ds=0.0):
            return self.carried(S, self.bodies[k], self.shape[k], **{"s%d" % (k + 1): s[k] + ds})
        d, tangent = sub(place(1), place(0)), []
        for k in range(2):
            terms = [mul(w, sub(place(k, j * 0.01), place(k, -j * 0.01))) for j, w in ((1, 75), (2, -15), (3, 5 / 3))]
            tangent.append(unit(add(add(terms[0], terms[1]), terms[2])))
        return [d[0], d[1], cross(tangent[0], tangent[1])[2]]

    # -- coordinates --

    def coordinates(self, S):
        kind = self.type
        if kind == "revolute" and len(self.model.bodies[self.bodies[1]].dofs) in (2, 3) and \
                self.model.bodies[self.bodies[1]].dofs != PLANAR:
            return {}
        if kind == "revolute":
            return {"angle": self.angle(S)}
        if kind == "prismatic":
            return {"length": self.gap_along(S)[0]}
        if kind in ("cylindrical", "screw"):
            return {"angle": self.angle(S), "length": self.gap_along(S)[0]}
        if kind == "planar":
            return {"angle": self.angle(S)}
        if kind == "universal":
            a1, a2 = self.axis[0].at(S), self.axis[1].at(S)
            start = self.model.start()
            A1, A2 = self.axis[0].at(start), self.axis[1].at(start)
            R1, R2 = (product(S[b][1], transposed(self.model.bodies[b].R0)) for b in self.bodies)
            return {"angle1": self.turned(angle_of(dot(cross(rot(R1, A2), a2), a1), dot(rot(R1, A2), a2)), "angle1"),
                    "angle2": self.turned(angle_of(dot(cross(a1, rot(R2, A1)), a2), dot(a1, rot(R2, A1))), "angle2")}
        if kind == "revolute_spherical":
            a = self.axis[0].at(S)
            start = self.model.start()
            d0 = back(self.model.bodies[self.bodies[0]].R0, self.gap(start))
            d0, d = rot(S[self.bodies[0]][1], d0), self.gap(S)
            d0, d = (sub(e, mul(dot(a, e), a)) for e in (d0, d))
            return {"angle": self.turned(angle_of(dot(cross(d0, d), a), dot(d0, d)), "angle")}
        return {}


# ---- forces ----

class Force:
    """wrenches(): force at and torque about the centre of mass by body; and powers and energies."""

    def __init__(self, model, name, data):
        self.model, self.name, self.data, self.type = model, name, data, data["type"]
        self.joint = model.joints[data["joint"]] if "joint" in data else None
        self.states = []  # (name, start)
        self.bodies = data.get("between") or ([data["body"]] if "body" in data else self.joint.bodies)
        self.ex = {k: Expression(data[k]) for k in ("command", "reference", "of", "law", "road") if k in data}
        if "table" in data and self.type != "tyre":
            table = Table(data["table"])
            self.ex["law"] = lambda _, rate, **y: table(*y.values())
        if "table" in data and self.type == "tyre":
            profile = Table(data["table"])
            self.ex["road"] = lambda _, x, y, t: profile(x)
        start = model.start()
        if self.type in ("spring", "actuator") and "between" in data:
            self.P = ends(model, data["at"], data["between"])
            self.rest = data.get("length", norm(sub(self.P[1].at(start), self.P[0].at(start))))
        if self.type == "torsion":
            self.rest = data.get("angle", 0.0)
            if "between" in data and not model.planar:
                a = unit(vector(data["axis"]))
                self.axis = Marker(model, self.bodies[0], world=a, point=False)
        if self.type in ("force", "tyre"):
            body = data["body"]
            self.at = Marker(model, body, world=data["at"]) if "at" in data else \
                Marker(model, body, local=data.get("local", (0, 0, 0)))
        if self.type in ("force", "torque"):
            c = data[self.type]
            self.components = [Expression(e) for e in (c if isinstance(c, list) else [c])]
        if self.type == "bushing":
            self.P = ends(model, data["at"], self.bodies)
            R = orientation(data.get("orientation"), model.planar)
            self.axes = [[Marker(model, b, world=e, point=False) for e in transposed(R)] for b in self.bodies]
        if self.type == "actuator":
            if "lag" in data:
                self.states.append("state")
            if data.get("ki"):
                self.states.append("integral")
            if data.get("filter"):
                self.states.append("filter")

    def coordinate(self, S):
        """What the force acts along."""
        if self.joint is not None:
            c = self.joint.coordinates(S)
            return c[self.data["coordinate"]] if "coordinate" in self.data else next(iter(c.values()))
        if self.type == "torsion":
            if self.model.planar:
                R1, R2 = (product(S[b][1], transposed(self.model.bodies[b].R0)) for b in self.bodies)
                return angle_of(R1[0][0] * R2[1][0] - R1[1][0] * R2[0][0], R1[0][0] * R2[0][0] + R1[1][0] * R2[1][0])
            R1, R2 = (product(S[b][1], transposed(self.model.bodies[b].R0)) for b in self.bodies)
            R = product(R2, transposed(R1))  # part of the relative quaternion along the axis
            q = (R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1])
            return 2 * angle_of(dot(self.axis.at(S), q), 1 + R[0][0] + R[1][1] + R[2][2])
        d = sub(self.P[1].at(S), self.P[0].at(S))
        return dot(d, d) ** 0.5

    def along(self, point, y, effort, out):
        """Generalised force of an effort along y(S), by virtual work."""
        for body in self.bodies:
            for k in self.model.bodies[body].dofs:
                e = EYE[k % 3]
                S = point.nudged(body, e if k < 3 else (0, 0, 0), e if k >= 3 else (0, 0, 0))
                y_k = y(S)
                out[body][k] += effort * (y_k.imag / H if isinstance(y_k, complex) else 0.0)

    def act(self, point, out, load=None):
        """Adds to out {body: [6]}; returns (potential, dissipated power, supplied power, {quantity: value},
        {state: rate})."""
        return getattr(self, "act_" + self.type)(point, out, load)

    def act_spring(self, point, out, _):
        d = self.data
        p = [m.at(point.S) for m in self.P]
        v = [m.velocity(point.S, point.V) for m in self.P]
        n, L = unit(sub(p[1], p[0])), norm(sub(p[1], p[0]))
        rate = dot(n, sub(v[1], v[0]))
        law = self.ex["law"](point.quantity, length=L, rate=rate) if "law" in self.ex else None
        elastic = law if law is not None else d.get("stiffness", 0.0) * (L - self.rest)
        tension = elastic + d.get("damping", 0.0) * rate
        for sign, m, at in ((1, self.P[0], p[0]), (-1, self.P[1], p[1])):
            point.push(out, m.body, at, mul(sign * tension, n))
        potential = 0.0 if law is not None else d.get("stiffness", 0.0) * (L - self.rest) ** 2 / 2
        return potential, (tension if law is not None else tension - elastic) * rate, 0.0, \
            {"length": L, "length_rate": rate, "force": tension}, {}

    def act_torsion(self, point, out, _):
        d = self.data
        y, rate = self.coordinate(point.S), point.rate(self.coordinate)
        law = self.ex["law"](point.quantity, angle=y, rate=rate) if "law" in self.ex else None
        elastic = law if law is not None else d.get("stiffness", 0.0) * (y - self.rest)
        torque = elastic + d.get("damping", 0.0) * rate
        self.along(point, self.coordinate, -torque, out)
        potential = 0.0 if law is not None else d.get("stiffness", 0.0) * (y - self.rest) ** 2 / 2
        return potential, (torque if law is not None else torque - elastic) * rate, 0.0, \
            {"angle": y, "angle_rate": rate, "torque": torque}, {}

    def act_force(self, point, out, _):
        body = self.data["body"]
        F = vector([c(point.quantity, t=point.t) for c in self.components])
        if self.data.get("axes") == "body":
            F = rot(point.S[body][1], F)
        point.push(out, body, self.at.at(point.S), F)
        return 0.0, 0.0, dot(F, self.at.velocity(point.S, point.V)), {}, {}

    def act_torque(self, point, out, _):
        c = [c(point.quantity, t=point.t) for c in self.components]
        T = (0.0, 0.0, c[0]) if self.model.planar else vector(c)
        if self.data.get("axes") == "body":
            T = rot(point.S[self.bodies[-1]][1], T)
        power = 0.0
        for sign, body in zip((1, -1), reversed(self.bodies)):
            for k in range(3):
                out[body][3 + k] += sign * T[k]
            power += sign * dot(T, point.V[body][1])
        return 0.0, 0.0, power, {}, {}

    def act_bushing(self, point, out, _):
        planar, n = self.model.planar, 2 if self.model.planar else 3

        def part(i):
            def y(S):
                a, b = ([m.at(S) for m in axes] for axes in self.axes)
                if i < n:
                    return dot(a[i], sub(self.P[1].at(S), self.P[0].at(S)))
                if planar:
                    return angle_of(dot(cross(a[0], b[0]), (0, 0, 1)), dot(a[0], b[0]))
                r = (0.0, 0.0, 0.0)
                for u, v in zip(a, b):
                    r = add(r, mul(0.5, cross(u, v)))
                return dot(a[i - n], r)
            return y
        potential = lost = 0.0
        for i, k in enumerate(self.data["stiffness"]):
            c = self.data.get("damping", [0] * 6)[i]
            y, rate = part(i)(point.S), point.rate(part(i))
            self.along(point, part(i), -k * y - c * rate, out)
            potential, lost = potential + k * y * y / 2, lost + c * rate * rate
        return potential, lost, 0.0, {}, {}

    def act_friction(self, point, out, load):
        d, rate = self.data, point.rate(self.coordinate)
        scale = 1.0
        if "coefficient" in d:
            scale = d.get("radius", 1.0) * (load or {}).get(self.name, 0.0)
        low = d.get("level", d.get("coefficient"))
        high = d.get("static", low)
        level = low + (high - low) * math.exp(-(rate / d.get("stribeck", 10 * d["slip"])) ** 2)
        force = scale * level * math.tanh(rate / d["slip"]) + d.get("viscous", 0.0) * rate
        self.along(point, self.coordinate, -force, out)
        return 0.0, force * rate, 0.0, {}, {}

    def act_tyre(self, point, out, _):
        d, p, v = self.data, self.at.at(point.S), self.at.velocity(point.S, point.V)
        up = 1 if self.model.planar else 2
        e = (1 + 0j) * H * 1j
        road = self.ex["road"] if "road" in self.ex else Expression("0")
        h = road(point.quantity, x=p[0] + e * v[0], y=p[1] + e * v[1], t=point.t + e)
        rate = (h.imag / H if isinstance(h, complex) else 0.0)
        h = h.real
        deflection, speed = d.get("radius", 0.0) + h - p[up], rate - v[up]
        F = d["stiffness"] * deflection + d.get("damping", 0.0) * speed
        if d.get("lift"):
            raise NotImplementedError
        point.push(out, self.data["body"], p, mul(F, EYE[up]))
        return d["stiffness"] * deflection ** 2 / 2, d.get("damping", 0.0) * speed ** 2, F * rate, \
            {"deflection": deflection, "force": F}, {}

    def act_actuator(self, point, out, _):
        d, y = self.data, self.coordinate(point.S)
        r = point.r[self.name] if self.states else {}
        rates, u = {}, 0.0
        if "command" in self.ex:
            u += self.ex["command"](point.quantity, t=point.t)
        if "reference" in self.ex:
            of = self.ex["of"](point.quantity, t=point.t) if "of" in self.ex else y
            e = self.ex["reference"](point.quantity, t=point.t) - of
            u += d.get("kp", 0.0) * e + d.get("ki", 0.0) * r.get("integral", 0.0)
            if "integral" in r:
                rates["integral"] = e
            if "filter" in r:
                rates["filter"] = (e - r["filter"]) / d["filter"]
                u += d["kd"] * rates["filter"]
            elif "kd" in d:
                wanted = self.ex["reference"](point.quantity, t=point.t + 1j * H)
                u += d["kd"] * ((wanted.imag / H if isinstance(wanted, complex) else 0.0) - point.rate(self.coordinate))
        if "limit" in d:
            u = d["limit"] * math.tanh(u / d["limit"])
        F = u
        if "lag" in d:
            F = r["state"]
            rates["state"] = (u - F) / d["lag"]
        self.along(point, self.coordinate, F, out)
        return 0.0, 0.0, F * point.rate(self.coordinate), {}, rates


# ---- a point of the motion ----

class Point:
    """Time, placements S and velocities V of all bodies, contact parameters s with rates, dynamic states r."""

    def __init__(self, model, t, S, V, s, ds, r):
        self.model, self.t, self.S, self.V, self.s, self.ds, self.r = model, t, S, V, s, ds, r

    def nudged(self, body, dx, w):
        S = dict(self.S)
        x, R = S[body]
        S[body] = (tuple(a + 1j * H * b for a, b in zip(x, dx)), nudge(R, w))
        return S

    def ahead(self, dt):
        """Placements after dt with constant velocities, and the same with a complex step more."""
        S, C = {}, {}
        for name, (x, R) in self.S.items():
            v, w = self.V[name]
            x, R = add(x, mul(dt, v)), product(rodrigues(mul(dt, w)), R)
            S[name] = (x, R)
            C[name] = (tuple(a + 1j * H * b for a, b in zip(x, v)), nudge(R, w))
        s = {j: [a + dt * b for a, b in zip(self.s[j], self.ds[j])] for j in self.s}
        sc = {j: [a + 1j * H * b for a, b in zip(s[j], self.ds[j])] for j in self.s}
        return S, C, s, sc

    def rate(self, y):
        v = y(self.ahead(0.0)[1])
        return v.imag / H if isinstance(v, complex) else 0.0

    def push(self, out, body, at, F):
        if body != "ground":
            T = cross(sub(at, self.S[body][0]), F)
            for k in range(3):
                out[body][k] += F[k]
                out[body][3 + k] += T[k]

    def quantity(self, name):
        kind, what, last = name.split(".", 1)[0], name.split(".", 1)[1].rsplit(".", 1)[0], name.rsplit(".", 1)[1]
        if kind == "body" and last in ("vx", "vy", "vz"):
            return self.model.origin_velocity(self, what)["xyz".index(last[1])]
        if kind == "body" and last in ("wx", "wy", "wz", "rate"):
            return self.V[what][1][2 if last == "rate" else "xyz".index(last[1])]
        if kind == "joint" and last.endswith("_rate"):
            return self.rate(lambda S: self.model.joints[what].coordinates(S)[last[:-5]])
        return self.model.position_quantity(name, self.S)


class Solution:
    """What a point's equations give."""


class Model:
    def __init__(self, data):
        self.data, self.planar = data, data.get("dimension", 3) == 2
        self.gravity = vector(data.get("gravity"))
        self.bodies = {"ground": Ground}
        for name, b in data["bodies"].items():
            self.bodies[name] = Body(name, b, self.planar)
        self.moving = [b for b in self.bodies.values() if b.dofs]
        self.joints = {}
        for name, j in data.get("joints", {}).items():
            self.joints[name] = Joint(self, name, j)
        for kind in ("holonomic", "nonholonomic"):
            for name, text in data.get(kind, {}).items():
                self.joints["=" + name] = Joint(self, "=" + name, {"type": "equation", "equation": text,
                                                                   "rates": kind == "nonholonomic"})
        self.forces = {name: Force(self, name, f) for name, f in data.get("forces", {}).items()}
        self.columns = {}
        n = 0
        for b in self.moving:
            self.columns[b.name] = n
            n += len(b.dofs)
        self.slip = {}
        for j in self.joints.values():
            if j.s:
                self.slip[j.name] = n
                n += len(j.s)
        self.n = n

    def start(self):
        return {name: (b.x0, b.R0) for name, b in self.bodies.items()}

    def position_quantity(self, name, S):
        kind, what, last = name.split(".", 1)[0], name.split(".", 1)[1].rsplit(".", 1)[0], name.rsplit(".", 1)[1]
        if kind == "joint":
            return self.joints[what].coordinates(S)[last]
        x, R = S[what]
        if last == "angle":
            return angle_of(R[1][0], R[0][0])
        return sub(x, rot(R, self.bodies[what].center))["xyz".index(last)]

    def origin_velocity(self, point, body):
        v, w = point.V[body]
        return sub(v, cross(w, rot(point.S[body][1], self.bodies[body].center)))

    # -- constraints --

    def constraints(self, p):
        """G (dense rows), right-hand side -(G' u ...), velocity residual, position residual, motion by itself, row owners."""
        G, gamma, rate, value, own, owner = [], [], [], [], [], []
        steps = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))
        h = 3e-3 / (10 + max([norm(w) for _, w in p.V.values()] + [norm(v) for v, _ in p.V.values()]))
        here, there = p.ahead(0.0), [(p.ahead(k * h), k * h, w / h) for k, w in steps]
        for j in self.joints.values():
            s = p.s.get(j.name, [])
            rows = j.rows(p.S, s, p.t)
            block = [[0.0] * self.n for _ in rows]
            for b in j.bodies:
                for i, k in enumerate(self.bodies[b].dofs):
                    e = EYE[k % 3]
                    S = p.nudged(b, e if k < 3 else (0, 0, 0), e if k >= 3 else (0, 0, 0))
                    for row, y in zip(block, j.rows(S, s, p.t)):
                        row[self.columns[b] + i] = y.imag / H if isinstance(y, complex) else 0.0
            for i in range(len(s)):
                moved = [a + (1j * H if k == i else 0) for k, a in enumerate(s)]
                for row, y in zip(block, j.rows(p.S, moved, p.t)):
                    row[self.slip[j.name] + i] = y.imag / H if isinstance(y, complex) else 0.0

            def first(c, dt, joint=j):
                return [y.imag / H if isinstance(y, complex) else 0.0
                        for y in joint.rows(c[1], c[3].get(joint.name, []), p.t + dt + 1j * H)]
            bend = [0.0] * len(rows)
            for c, dt, w in there:
                bend = [a + w * y for a, y in zip(bend, first(c, dt))]
            G += block
            gamma += [-a for a in bend]
            rate += first(here, 0.0)
            value += rows
            own += [y.imag / H if isinstance(y, complex) else 0.0 for y in j.rows(p.S, s, p.t + 1j * H)]
            owner += [j.name] * len(rows)
            zero = {b: ((0.0,) * 3, (0.0,) * 3) for b in self.bodies}
            base = j.rates(p.S, zero, s, p.t)
            if base:
                block = [[0.0] * self.n for _ in base]
                for b in j.bodies:
                    for i, k in enumerate(self.bodies[b].dofs):
                        e = EYE[k % 3]
                        V = {**zero, b: (e, (0.0,) * 3) if k < 3 else ((0.0,) * 3, e)}
                        for row, y, y0 in zip(block, j.rates(p.S, V, s, p.t), base):
                            row[self.columns[b] + i] = y - y0
                bend = [0.0] * len(base)
                for c, dt, w in there:
                    bend = [a + w * y for a, y in zip(bend, j.rates(c[0], p.V, s, p.t + dt))]
                G += block
                gamma += [-a for a in bend]
                rate += j.rates(p.S, p.V, s, p.t)
                value += [0.0] * len(base)
                own += base
                owner += [j.name] * len(base)
        return G, gamma, rate, value, own, owner

    def slip_rates(self, p):
        """ds from the velocity level."""
        if not self.slip:
            return
        for j in self.slip:
            p.ds[j] = [0.0] * len(p.s[j])
        G, _, rate, _, _, _ = self.constraints(p)
        cols = range(min(self.slip.values()), self.n)
        A = [[sum(row[a] * row[b] for row in G) for b in cols] for a in cols]
        b = [[-sum(row[a] * r for row, r in zip(G, rate))] for a in cols]
        found = [x[0] for x in solve(A, b)]
        for j, first in self.slip.items():
            p.ds[j] = found[first - cols[0]:first - cols[0] + len(p.s[j])]

    # -- equations of motion --

    def solve(self, p, chosen=None):
        out = Solution()
        G, gamma, out.rate, out.value, own, owner = self.constraints(p)
        out.chosen = chosen if chosen is not None else independent_rows(G)
        M = [[0.0] * self.n for _ in range(self.n)]
        gyro, out.kinetic, weight = [0.0] * self.n, 0.0, 0.0
        for b in self.moving:
            x, R = p.S[b.name]
            v, w = p.V[b.name]
            J = product(product(R, b.inertia), transposed(R))
            L = rot(J, w)
            g = tuple(mul(b.mass, self.gravity)) + mul(-1, cross(w, L))
            out.kinetic += (b.mass * dot(v, v) + dot(w, L)) / 2
            weight -= b.mass * dot(self.gravity, x)
            for i, k in enumerate(b.dofs):
                gyro[self.columns[b.name] + i] = g[k]
                for l, m in enumerate(b.dofs):
                    M[self.columns[b.name] + i][self.columns[b.name] + l] = \
                        (b.mass if k == m else 0.0) if k < 3 or m < 3 else J[k - 3][m - 3]
        loaded = [f for f in self.forces.values() if "coefficient" in f.data]
        load, n, m = {f.name: 0.0 for f in loaded}, self.n, len(out.chosen)
        A = [M[i] + [-G[r][i] for r in out.chosen] for i in range(n)]
        A += [G[r] + [0.0] * m for r in out.chosen]
        for _ in range(60 if loaded else 1):
            f = {b: [0.0] * 6 for b in self.bodies}
            out.potential, out.lost, out.supplied, out.named, out.states = weight, 0.0, 0.0, {}, {}
            for force in self.forces.values():
                e, lost, supplied, named, states = force.act(p, f, load)
                out.potential += e
                out.lost += lost
                out.supplied += supplied
                out.named[force.name], out.states[force.name] = named, states
            right = list(gyro)
            for b in self.moving:
                for i, k in enumerate(b.dofs):
                    right[self.columns[b.name] + i] += f[b.name][k]
            x = [a[0] for a in solve(A, [[a] for a in right] + [[gamma[r]] for r in out.chosen])]
            out.acceleration, out.multiplier = x[:n], [0.0] * len(G)
            for r, a in zip(out.chosen, x[n:]):
                out.multiplier[r] = a
            change = 0.0
            for force in loaded:
                F = self.reaction(p, G, owner, out.multiplier, force.joint)[0]
                a = force.joint.axis[0].at(p.S) if force.joint.type in ("prismatic", "cylindrical", "screw") else (0, 0, 0)
                F = norm(sub(F, mul(dot(a, F), a)))
                change = max(change, abs(F - load[force.name]) / (1 + abs(F)))
                load[force.name] = F
            if change < 1e-14:
                break
        out.supplied -= sum(a * b for a, b in zip(out.multiplier, own))
        out.G, out.owner = G, owner
        return out

    def reaction(self, p, G, owner, multiplier, joint):
        """Force on the second body and torque at the joint, world axes, of these multipliers."""
        second = joint.bodies[1]
        sign, body = (1, second) if second != "ground" else (-1, joint.bodies[0])
        w = [0.0] * 6
        for i, k in enumerate(self.bodies[body].dofs):
            w[k] = sign * sum(l * row[self.columns[body] + i] for row, o, l in zip(G, owner, multiplier) if o == joint.name)
        F, T = tuple(w[:3]), tuple(w[3:])
        at = joint.P[1].at(p.S) if joint.P else p.S[second][0]
        return F, sub(T, cross(sub(at, p.S[body][0]), F))

    def determined(self, p, found, joint):
        """Which of the six components all multipliers that solve the equations share."""
        worst = [0.0] * 6
        for null in dependencies(found.G, found.chosen):
            size = math.sqrt(sum(a * a for a in null))
            F, T = self.reaction(p, found.G, found.owner, [a / size for a in null], joint)
            worst = [max(a, abs(b)) for a, b in zip(worst, F + T)]
        return worst

    # -- integration --

    def pack(self, p, works=(0.0, 0.0)):
        y = []
        for b in self.moving:
            y += list(p.S[b.name][0]) + [a for row in p.S[b.name][1] for a in row] + \
                list(p.V[b.name][0]) + list(p.V[b.name][1])
        for j in self.slip:
            y += list(p.s[j]) + list(p.ds[j])
        for f in self.forces.values():
            y += [p.r[f.name][k] for k in f.states]
        return y + list(works)

    def unpack(self, t, y):
        S, V, s, ds, r, i = {"ground": ((0.0,) * 3, EYE)}, {"ground": ((0.0,) * 3,) * 2}, {}, {}, {}, 0
        for b in self.moving:
            z = y[i:i + 18]
            S[b.name] = (tuple(z[:3]), (tuple(z[3:6]), tuple(z[6:9]), tuple(z[9:12])))
            V[b.name] = (tuple(z[12:15]), tuple(z[15:18]))
            i += 18
        for j in self.slip:
            k = len(self.joints[j].s)
            s[j], ds[j] = list(y[i:i + k]), list(y[i + k:i + 2 * k])
            i += 2 * k
        for f in self.forces.values():
            r[f.name] = dict(zip(f.states, y[i:i + len(f.states)]))
            i += len(f.states)
        return Point(self, t, S, V, s, ds, r)

    def slope(self, t, y, chosen):
        p = self.unpack(t, y)
        found = self.solve(p, chosen)
        out = []
        for b in self.moving:
            v, w = p.V[b.name]
            R = p.S[b.name][1]
            a = [0.0] * 6
            for i, k in enumerate(b.dofs):
                a[k] = found.acceleration[self.columns[b.name] + i]
            turn = [cross(w, (R[0][j], R[1][j], R[2][j])) for j in range(3)]
            out += list(v) + [turn[j][i] for i in range(3) for j in range(3)] + a
        for j, first in self.slip.items():
            out += list(p.ds[j]) + found.acceleration[first:first + len(p.s[j])]
        for f in self.forces.values():
            out += [found.states[f.name][k] for k in f.states]
        return out + [found.lost, found.supplied]

    def integrate(self, p, t_end, tolerance=1e-10):
        """Extrapolated midpoint rule with steps that converge in at most 7 columns."""
        knots = [x for j in self.joints.values() for x, _ in j.data.get("table", [])]
        y, t, h = self.pack(p), p.t, (t_end - p.t) / 4
        chosen = self.solve(p).chosen
        while t < t_end - 1e-13:
            h = min(h, t_end - t, *(x - t for x in knots if x > t + 1e-13))
            f0, table, before = self.slope(t, y, chosen), [], 1.0
            for k in range(8):
                n = 2 * (k + 1)
                d = h / n
                a, b = y, [u + d * v for u, v in zip(y, f0)]
                for i in range(1, n):
                    a, b = b, [u + 2 * d * v for u, v in zip(a, self.slope(t + i * d, b, chosen))]
                row = [b]
                for j in range(k):
                    c = 1 / ((n / (2.0 * (k - j))) ** 2 - 1)
                    row.append([u + c * (u - v) for u, v in zip(row[j], table[k - 1][j])])
                table.append(row)
                if k > 1:
                    error = max(abs(u - v) / (1 + abs(u)) for u, v in zip(row[-1], row[-2]))
                    if error < tolerance and before < 1e3 * tolerance:
                        break
                    before = error
            else:
                h /= 2
                continue
            y, t = row[-1], t + h
            h *= 1.5 if k < 5 else 1.0
        return self.unpack(t, y), y[-2], y[-1]
