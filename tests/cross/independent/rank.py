"""What the constraints of a model allow at its start: ranks, and whether velocities, accelerations and a motion exist.

The columns of G are scaled by a length, so that turning and moving count alike. All bases come from orthogonalisation
with pivoting; what is below TINY of the largest is dependent.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import random

from .algebra import add, cross, mul, norm, product, rodrigues, rot, solve, sub
from .model import Point

TINY = 1e-7


def dots(a, b):
    return sum(x * y for x, y in zip(a, b))


def basis(rows, start=()):
    """Orthonormal vectors that span `rows` beyond `start`, largest first, and their pivots."""
    left = [list(r) for r in rows]
    for e in start:
        for row in left:
            for _ in range(2):
                c = dots(row, e)
                row[:] = [a - c * b for a, b in zip(row, e)]
    found, pivots, largest = [], [], max([math.sqrt(dots(r, r)) for r in rows] + [0.0])
    while left:
        row = max(left, key=lambda r: dots(r, r))
        size = math.sqrt(dots(row, row))
        if size <= TINY * largest or size == 0.0:
            break
        left.remove(row)
        e = [a / size for a in row]
        found.append(e)
        pivots.append(size)
        for row in left:
            for _ in range(2):
                c = dots(row, e)
                row[:] = [a - c * b for a, b in zip(row, e)]
    return found, pivots


def null_space(rows, n):
    span = basis(rows)[0]
    return basis([[float(i == k) for k in range(n)] for i in range(n)], span)[0]


def weakest(rows, beside=None):
    """Smallest pivot of independent rows over the largest, or over the largest of rows elsewhere: a single one may vanish."""
    pivots = basis(rows)[1]
    return min(pivots) / max(basis(beside)[1] if beside else pivots) if pivots else 1.0


def unsolved(rows, right):
    """How far `rows` x = right is from having a solution, relative to the size of right."""
    size = max([abs(a) for a in right] + [0.0])
    if size == 0.0 or not rows:
        return 0.0
    columns = [list(c) for c in zip(*rows)]
    rest = list(right)
    for e in basis(columns)[0]:
        c = dots(rest, e)
        rest = [a - c * b for a, b in zip(rest, e)]
    return max(abs(a) for a in rest) / (1 + size)


def shortest(rows, right, n):
    """The shortest x of n numbers with `rows` x = right as far as that is possible."""
    span = basis(rows)[0]
    if not span:
        return [0.0] * n
    small = [[dots(r, e) for e in span] for r in rows]
    normal = [[dots([s[i] for s in small], [s[k] for s in small]) for k in range(len(span))] for i in range(len(span))]
    y = solve(normal, [[dots([s[i] for s in small], right)] for i in range(len(span))])
    return [sum(c[0] * e[k] for c, e in zip(y, span)) for k in range(n)]


class Start:
    """The model where its file places it; velocities are the nearest to those given that the constraints allow."""

    def __init__(self, model):
        self.model = model
        s = {j: list(model.joints[j].s) for j in model.slip}
        ds = {j: [0.0] * len(a) for j, a in s.items()}
        V = {b.name: self.given_velocity(b) for b in model.moving}
        V["ground"] = ((0.0,) * 3,) * 2
        r = {f.name: {k: 0.0 for k in f.states} for f in model.forces.values()}
        self.point = Point(model, 0.0, model.start(), V, s, ds, r)
        self.scale = [1.0] * model.n
        size = max([norm(b.x0) for b in model.moving] + [1.0])
        for b in model.moving:
            for i, k in enumerate(b.dofs):
                self.scale[model.columns[b.name] + i] = 1.0 if k >= 3 else size
        self.G, _, rate, self.value, self.own, _ = model.constraints(self.point)
        self.rows = self.scaled(self.G)
        self.move_velocities(shortest(self.rows, [-a for a in rate], model.n))
        self.velocity = unsolved(self.rows, [-a for a in self.own])
        _, self.gamma, self.rate, _, _, _ = model.constraints(self.point)
        self.acceleration = unsolved(self.rows, self.gamma)

    def given_velocity(self, b):
        data = self.model.data["bodies"][b.name]
        v = tuple(data.get("velocity", ())) + (0.0,) * (3 - len(data.get("velocity", ())))
        w = (0.0, 0.0, data.get("rate", 0.0)) if self.model.planar else tuple(data.get("angular_velocity", (0.0,) * 3))
        return add(v, cross(w, sub(b.x0, b.origin0))), w

    def scaled(self, G):
        return [[a * s for a, s in zip(row, self.scale)] for row in G]

    def parts(self, u):
        """Of each body the moving and turning part of u, of each contact its parameters."""
        u = [a * s for a, s in zip(u, self.scale)]
        for b in self.model.moving:
            d = [0.0] * 6
            for i, k in enumerate(b.dofs):
                d[k] = u[self.model.columns[b.name] + i]
            yield b.name, tuple(d[:3]), tuple(d[3:])
        for j, first in self.model.slip.items():
            yield j, u[first:first + len(self.point.s[j])], None

    def move_velocities(self, u):
        p = self.point
        for name, a, b in self.parts(u):
            if b is None:
                p.ds[name] = [x + y for x, y in zip(p.ds[name], a)]
            else:
                p.V[name] = (add(p.V[name][0], a), add(p.V[name][1], b))

    def moved(self, point, u):
        S, s = dict(point.S), dict(point.s)
        for name, a, b in self.parts(u):
            if b is None:
                s[name] = [x + y for x, y in zip(s[name], a)]
            else:
                x, R = S[name]
                S[name] = (add(x, a), product(rodrigues(b), R))
        return Point(self.model, 0.0, S, point.V, s, point.ds, point.r)

    def rank(self):
        return len(basis(self.rows)[0])

    def nearby(self, distance=0.02):
        """The rank at a consistent position that a random admissible displacement leads to; None: none was found."""
        draw = random.Random(1)
        free = null_space(self.rows, self.model.n)
        if not free:
            return self.rank()
        u = [0.0] * self.model.n
        for e in free:
            c = draw.uniform(-1, 1)
            u = [a + c * b for a, b in zip(u, e)]
        size = math.sqrt(dots(u, u))
        p = self.moved(self.point, [distance * a / size for a in u])
        for _ in range(30):
            G, _, _, value, _, _ = self.model.constraints(p)
            if max([abs(a) for a in value] + [0.0]) < 1e-13:
                return len(basis(self.scaled(G))[0])
            p = self.moved(p, shortest(self.scaled(G), [-a for a in value], self.model.n))
        return None

    def touches(self, ways=(0.1, 0.05, 0.025)):
        """Are rows that depend on others open where these hold beside the start, by a power of the way? Then they leave fewer
        motions than their gradients say."""
        draw = random.Random(3)
        kept, span = [], []
        for i, row in enumerate(self.rows):
            more = basis([row], span)[0]
            if more and basis([row], span)[1][0] > TINY * math.sqrt(dots(row, row)):
                kept.append(i)
                span += more
        free = null_space(self.rows, self.model.n)
        if not free or len(kept) == len(self.rows):
            return False
        u = [0.0] * self.model.n
        for e in free:
            c = draw.choice((-1, 1)) * draw.uniform(0.5, 1)
            u = [a + c * b for a, b in zip(u, e)]
        size, open_by = math.sqrt(dots(u, u)), []
        for way in ways:
            p = self.moved(self.point, [way * a / size for a in u])
            for _ in range(30):
                G, _, _, value, _, _ = self.model.constraints(p)
                if max([abs(value[i]) for i in kept] + [0.0]) < 1e-14:
                    break
                p = self.moved(p, shortest([self.scaled(G)[i] for i in kept], [-value[i] for i in kept], self.model.n))
            else:
                return False
            open_by.append(max(abs(a) for i, a in enumerate(value) if i not in kept))
        return open_by[0] > 1e-11 and all(2 ** -9 < b / a < 2 ** -1.5 for a, b in zip(open_by, open_by[1:]))

    def shaky(self):
        """Is there a velocity that the constraints allow here and no acceleration goes with? Then they touch without
        crossing, as at a dead centre. What drives contradict does not depend on velocities: what these add to the right
        side is looked at alone."""
        draw = random.Random(2)
        p, V, ds = self.point, dict(self.point.V), dict(self.point.ds)
        u = [0.0] * self.model.n
        for e in null_space(self.rows, self.model.n):
            c = draw.uniform(-1, 1)
            u = [a + c * b for a, b in zip(u, e)]
        self.move_velocities(u)
        bent = [a - b for a, b in zip(self.model.constraints(p)[1], self.gamma)]
        p.V, p.ds = V, ds
        return unsolved(self.rows, bent) > 1e-6

    def inertia(self, rows, S):
        """Rows of the mass matrix as the freedoms that `rows` leave see it, at placements S."""
        model, free = self.model, null_space(rows, self.model.n)
        pushed = []
        for e in free:
            row = [0.0] * model.n
            for name, a, b in self.parts(e):
                if b is None:
                    continue
                body, R = model.bodies[name], S[name][1]
                J = product(product(R, body.inertia), tuple(zip(*R)))
                f = mul(body.mass, a) + rot(J, b)
                for i, k in enumerate(body.dofs):
                    row[model.columns[name] + i] = f[k] * self.scale[model.columns[name] + i]
            pushed.append(row)
        return [[dots(p, e) for e in free] for p in pushed]

    def undetermined(self):
        """Freedoms that neither mass nor constraints resist."""
        seen, all_rows = self.inertia(self.rows, self.point.S), self.inertia([], self.point.S)
        largest = max([math.sqrt(dots(r, r)) for r in all_rows] + [0.0])
        return len(seen) - sum(size > TINY * largest for size in basis(seen)[1])
