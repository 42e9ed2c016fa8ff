"""Forces."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from .algebra import (EYE, H, Expression, Table, add, angle_of, cross, dot, mul, norm, product, rot, sub, to_quaternion,
                      transposed, unit)
from .bodies import Marker, ends, orientation, vector


def above_zero(x, eps):
    """The smooth positive part of x, and its derivative."""
    r = math.sqrt(x * x + eps * eps)
    return (x + r) / 2, (1 + x / r) / 2


def rotation_vector(R):
    """Angle times axis of a rotation by less than half a turn, from its quaternion."""
    q = to_quaternion(R)
    q = q if q[0].real >= 0 else tuple(-c for c in q)
    square = dot(q[1:], q[1:])
    if square == 0:
        return mul(2 / q[0], q[1:])
    sine = square ** 0.5
    return mul(2 * angle_of(sine, q[0]) / sine, q[1:])


class Force:
    """wrenches(): force at and torque about the centre of mass by body; and powers and energies."""

    def __init__(self, model, name, data):
        self.model, self.name, self.data, self.type = model, name, data, data["type"]
        self.joint = model.joints[data["joint"]] if "joint" in data else None
        self.states = []  # (name, start)
        self.turn = 0.0  # near which an angle between bodies is found
        self.bodies = data.get("between") or ([data["body"]] if "body" in data else self.joint.bodies)
        self.ex = {k: Expression(data[k]) for k in ("command", "reference", "of", "law", "road") if k in data}
        if "table" in data and self.type != "tyre":
            table = Table(data["table"], "monotone", "hold")
            self.ex["law"] = lambda _, rate, **y: table(*y.values())
        if "table" in data and self.type == "tyre":
            profile = Table(data["table"], "monotone", "hold")
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
            if data.get("filter") and data.get("kd"):
                self.states.append("filter")

    def counted(self, a):
        """a with the full turns that bring it next to self.turn."""
        return a + 2 * math.pi * round((self.turn - a.real) / (2 * math.pi))

    def relative(self, S):
        R1, R2 = (product(S[b][1], transposed(self.model.bodies[b].R0)) for b in self.bodies)
        return product(R2, transposed(R1))

    def regular(self, S):
        """1, and 0 at a pole: a half turn across the axis of a torsional spring between bodies, half a turn of a bushing."""
        if self.type == "bushing" and not self.model.planar:
            turns = any(self.data["stiffness"][3:]) or any(self.data.get("damping", ())[3:]) or \
                any(self.data.get("preload", ())[3:])
            return abs(to_quaternion(self.relative(S))[0]) if turns else 1.0
        if self.type != "torsion" or self.joint is not None or self.model.planar:
            return 1.0
        q = to_quaternion(self.relative(S))
        return math.hypot(q[0], dot(self.axis.at(S), q[1:]))

    def coordinate(self, S):
        """What the force acts along."""
        if self.joint is not None:
            c = self.joint.coordinates(S)
            return c[self.data["coordinate"]] if "coordinate" in self.data else next(iter(c.values()))
        if self.type == "torsion":
            if self.model.planar:
                R1, R2 = (product(S[b][1], transposed(self.model.bodies[b].R0)) for b in self.bodies)
                return self.counted(angle_of(R1[0][0] * R2[1][0] - R1[1][0] * R2[0][0],
                                             R1[0][0] * R2[0][0] + R1[1][0] * R2[1][0]))
            q = to_quaternion(self.relative(S))  # its part along the axis
            return self.counted(2 * angle_of(dot(self.axis.at(S), q[1:]), q[0]))
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

    def stored(self, stretch):
        return self.data.get("stiffness", 0.0) * stretch ** 2 / 2 + self.data.get("preload", 0.0) * stretch

    def act_spring(self, point, out, _):
        d = self.data
        p = [m.at(point.S) for m in self.P]
        v = [m.velocity(point.S, point.V) for m in self.P]
        n, L = unit(sub(p[1], p[0])), norm(sub(p[1], p[0]))
        rate = dot(n, sub(v[1], v[0]))
        law = self.ex["law"](point.quantity, length=L, rate=rate) if "law" in self.ex else None
        elastic = law if law is not None else d.get("stiffness", 0.0) * (L - self.rest) + d.get("preload", 0.0)
        tension = elastic + d.get("damping", 0.0) * rate
        for sign, m, at in ((1, self.P[0], p[0]), (-1, self.P[1], p[1])):
            point.push(out, m.body, at, mul(sign * tension, n))
        potential = 0.0 if law is not None else self.stored(L - self.rest)
        return potential, (tension if law is not None else tension - elastic) * rate, 0.0, \
            {"length": L, "length_rate": rate, "force": tension}, {}

    def act_torsion(self, point, out, _):
        d = self.data
        y, rate = self.coordinate(point.S), point.rate(self.coordinate)
        law = self.ex["law"](point.quantity, angle=y, rate=rate) if "law" in self.ex else None
        elastic = law if law is not None else d.get("stiffness", 0.0) * (y - self.rest) + d.get("preload", 0.0)
        torque = elastic + d.get("damping", 0.0) * rate
        self.along(point, self.coordinate, -torque, out)
        potential = 0.0 if law is not None else self.stored(y - self.rest)
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
                    return self.counted(angle_of(dot(cross(a[0], b[0]), (0, 0, 1)), dot(a[0], b[0])))
                return rotation_vector([[dot(u, v) for v in b] for u in a])[i - n]
            return y
        potential = lost = 0.0
        named = {}
        for i, k in enumerate(self.data["stiffness"]):
            c, f = (self.data.get(key, [0] * 6)[i] for key in ("damping", "preload"))
            y, rate = part(i)(point.S), point.rate(part(i))
            self.along(point, part(i), f - k * y - c * rate, out)
            potential, lost = potential + k * y * y / 2 - f * y, lost + c * rate * rate
            named[(("x", "y", "angle") if planar else ("x", "y", "z", "rx", "ry", "rz"))[i]] = y
        return potential, lost, 0.0, named, {}

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
        pressed, sink = deflection, speed
        if d.get("lift", True):
            pressed, share = above_zero(deflection, d["smoothing"])
            sink = share * speed
        F = d["stiffness"] * pressed + d.get("damping", 0.0) * sink
        if d.get("lift", True) and d.get("damping", 0.0):  # without, k p is never negative: no corner, nothing to round
            F = above_zero(F, 2e-3 * d["stiffness"] * pressed)[0]
        point.push(out, self.data["body"], p, mul(F, EYE[up]))
        lost = F * speed - d["stiffness"] * pressed * sink
        return d["stiffness"] * pressed ** 2 / 2, lost, F * rate, {"deflection": deflection, "force": F}, {}

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
        if d.get("saturation") == "smooth":
            u = d["limit"] * math.tanh(u / d["limit"])
        elif "limit" in d:
            u = max(-d["limit"], min(u, d["limit"]))
        F = u
        if "lag" in d:
            F = r["state"]
            rates["state"] = (u - F) / d["lag"]
        self.along(point, self.coordinate, F, out)
        return 0.0, 0.0, F * point.rate(self.coordinate), {}, rates
