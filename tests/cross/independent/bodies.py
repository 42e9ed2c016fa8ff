"""Bodies, and points and directions fixed in them."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from .algebra import (EYE, add, back, cross, dot, mul, of_quaternion, product, rodrigues, rot, sub, transposed, unit)

SPATIAL, PLANAR, POINT, PLANAR_POINT = (0, 1, 2, 3, 4, 5), (0, 1, 5), (0, 1, 2), (0, 1)


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
        self.placed = any(key in data for key in ("position", "angle", "orientation")) and data.get("free") is not True
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
    placed = True


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


def ends(model, data, between, point=True):
    """Markers on both bodies of `at` or `axis`."""
    if isinstance(data, dict):
        return [Marker(model, b, local=data[k], point=point) for b, k in zip(between, ("first", "second"))]
    worlds = data if isinstance(data[0], list) else [data, data]
    return [Marker(model, b, world=w, point=point) for b, w in zip(between, worlds)]
