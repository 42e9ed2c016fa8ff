"""The equations of a model at a point of its motion, and the motion."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from .algebra import (EYE, H, add, angle_of, cross, dependencies, dot, independent_rows, mul, norm, nudge, product,
                      rodrigues, rot, solve, sub, transposed)
from .bodies import Body, Ground, vector
from .forces import Force
from .joints import Joint


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
        self.step = 3e-3  # of differences, times 1/(10 + fastest): (G u)' is the smoother the smaller that is

    def point(self, t, S, V):
        return Point(self, t, S, V, {}, {}, {})

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
        """G, right-hand side of G u' = ..., velocity and position residuals, what moves by itself, owners; by rows."""
        G, gamma, rate, value, own, owner = [], [], [], [], [], []
        steps = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))
        h = self.step / (10 + max([norm(w) for _, w in p.V.values()] + [norm(v) for v, _ in p.V.values()]))
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

    def rotors(self):
        """(bodies, coordinate as a function of S, inertia along it)."""
        for name, j in list(self.joints.items()) + list(self.forces.items()):
            for key, value in j.data.items():
                if not key.startswith("rotor"):
                    continue
                J, n = (value["inertia"], value.get("ratio", 1.0)) if isinstance(value, dict) else (value, 1.0)
                if name in self.forces:
                    yield j.bodies, j.coordinate, J * n * n
                    continue
                of = self.joints[j.data["joints"][0]] if "joints" in j.data else j
                which = key[6:] or None
                yield of.bodies, lambda S, of=of, which=which: \
                    (lambda c: c[which] if which else next(iter(c.values())))(of.coordinates(S)), J * n * n

    def add_rotors(self, p, M, right):
        """Their part of the mass matrix and of the forces; returns their kinetic energy."""
        kinetic = 0.0
        h = self.step / (10 + max([norm(w) for _, w in p.V.values()] + [norm(v) for v, _ in p.V.values()]))
        imaginary = lambda y: y.imag / H if isinstance(y, complex) else 0.0
        for bodies, y, J in self.rotors():
            A = [0.0] * self.n
            for b in bodies:
                for i, k in enumerate(self.bodies[b].dofs):
                    e = EYE[k % 3]
                    A[self.columns[b] + i] = imaginary(y(p.nudged(b, e if k < 3 else (0, 0, 0), e if k >= 3 else (0, 0, 0))))
            bend = sum(w / h * imaginary(y(p.ahead(k * h)[1]))
                       for k, w in ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12)))
            for i in range(self.n):
                right[i] -= J * bend * A[i]
                for l in range(self.n):
                    M[i][l] += J * A[i] * A[l]
            kinetic += J * p.rate(y) ** 2 / 2
        return kinetic

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
        out.kinetic += self.add_rotors(p, M, gyro)
        loaded = [f for f in self.forces.values() if "coefficient" in f.data]
        load, n, m = {f.name: 0.0 for f in loaded}, self.n, len(out.chosen)
        A = [M[i] + [-G[r][i] for r in out.chosen] for i in range(n)]
        A += [G[r] + [0.0] * m for r in out.chosen]
        out.gain, before = 0.0, 0.0  # what friction adds to the loads that cause it
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
            change, moved = 0.0, 0.0
            for force in loaded:
                F = self.reaction(p, G, owner, out.multiplier, force.joint)[0]
                slides = force.joint.type in ("prismatic", "cylindrical", "screw")
                a = force.joint.axis[0].at(p.S) if slides else (0, 0, 0)
                F = norm(sub(F, mul(dot(a, F), a)))
                change = max(change, abs(F - load[force.name]) / (1 + abs(F)))
                moved = max(moved, abs(F - load[force.name]))
                load[force.name] = F
            if change < 1e-14:
                break
            out.gain, before = moved / before if before else 0.0, moved
        out.supplied -= sum(a * b for a, b in zip(out.multiplier, own))
        out.G, out.owner = G, owner
        return out

    def reaction(self, p, G, owner, multiplier, joint):
        """Force on the second body and torque at the joint, world axes, of these multipliers."""
        second = joint.bodies[1]
        sign, body = (1, second) if second != "ground" else (-1, joint.bodies[0])
        w = [0.0] * 6
        for i, k in enumerate(self.bodies[body].dofs):
            column = self.columns[body] + i
            w[k] = sign * sum(l * row[column] for row, o, l in zip(G, owner, multiplier) if o == joint.name)
        F, T = tuple(w[:3]), tuple(w[3:])
        at = joint.P[1].at(p.S) if joint.P else p.S[second][0]
        return F, sub(T, cross(sub(at, p.S[body][0]), F))

    def open_reactions(self, p, found, joint):
        """Forces and torques of the joint that redundant rows can add without any effect on the motion."""
        out = []
        for null in dependencies(found.G, found.chosen):
            size = math.sqrt(sum(a * a for a in null))
            out.append(self.reaction(p, found.G, found.owner, [a / size for a in null], joint))
        return out

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

    def integrate(self, p, t_end, tolerance=1e-9):
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
