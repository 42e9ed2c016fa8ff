"""Joints: vector equations between points and axes of two bodies, and what couples coordinates."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from .algebra import (EYE, QUANTITY, Expression, Table, across, add, angle_of, back, cross, dot, mul, norm, product,
                      rot, sub, transposed, unit)
from .bodies import PLANAR, Marker, ends, vector


def perpendicular(a):
    """By the rule for frames that are given: the part across a of the next axis after the one nearest to a, or of the one
    after that if it is more at right angles."""
    nearest = max(range(3), key=lambda i: (abs(a[i]), -i))
    k = (nearest + 1) % 3
    k = (k + 1) % 3 if abs(a[(k + 1) % 3]) < abs(a[k]) else k
    return unit(sub(EYE[k], mul(a[k], a)))


def turned(u, a, b):
    """u, turned by the shortest turn that leads a to b."""
    n, c = cross(a, b), dot(a, b)
    if c < -1 + 1e-9:
        raise ValueError("axes that are opposite have no shortest turn")
    return add(add(mul(c, u), cross(n, u)), mul(dot(n, u) / (1 + c), n))


class Joint:
    """rows(S, s, t): holonomic rows; rates(S, V, s, t): nonholonomic ones, affine in V. s: contact parameters."""

    def __init__(self, model, name, data):
        self.model, self.name, self.data, self.type = model, name, data, data["type"]
        self.planar = model.planar
        self.s = []
        self.turns = {}
        self.P = self.axis = self.frames = None
        self.transmits = "between" in data or self.type == "point_driver"  # a force and a torque, on its second body
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
            if self.type == "point_driver":
                self.bodies, self.path = ["ground", data["body"]], [Expression(e) for e in data["path"]]
                self.centre(data["body"])
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
        return [self.equation(self.model.point(t, S, V).quantity, t=t)] if self.data["rates"] else []

    def make_axes(self, data):
        model, bodies = self.model, self.bodies
        if self.planar and self.type == "revolute":
            self.axis = [Marker(model, b, local=(0, 0, 1), point=False) for b in bodies]
        elif "axis" in data:
            self.axis = ends(model, data["axis"], bodies, False)
        elif "axes" in data:
            self.axis = ends(model, data["axes"], bodies, False) if isinstance(data["axes"], dict) else \
                [Marker(model, b, world=a, point=False) for b, a in zip(bodies, data["axes"])]
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
            self.frames = self.given_frames(data)
            if self.frames:
                self.u = [Marker(model, b, local=f[1], point=False) for b, f in zip(bodies, self.frames)]
                self.w = Marker(model, bodies[0], local=cross(*self.frames[0]), point=False)

    def given_frames(self, data):
        """Axis and one across it in both bodies where the file gives frames that coincide at zero; None: as bodies stand."""
        placed = all(self.model.bodies[b].placed for b in self.bodies)
        axis = data.get("axis")
        if self.type == "fixed" and placed:
            return None
        if self.type == "prismatic" and placed and not self.planar and isinstance(axis, dict):
            return self.standing_frames()
        if self.type == "fixed" or self.planar and self.type == "revolute":
            axis = {"first": (1, 0, 0), "second": (1, 0, 0)} if isinstance(data["at"], dict) else None
        if not isinstance(axis, dict):
            return None
        axes = [unit(vector(axis[k])) for k in ("first", "second")]
        if self.planar and self.type == "revolute":
            return [((0, 0, 1), a) for a in axes]
        if self.planar:
            return [(a, (-a[1], a[0], 0.0)) for a in axes]
        u = perpendicular(axes[0])
        u = [u, turned(u, *axes)]
        return list(zip(axes, u))

    def standing_frames(self):
        """Axes come together, but about them the bodies stay as the file places them: u of the first body at the start, and
        what is nearest to it across the axis of the second."""
        start = self.model.start()
        a, b = (m.at(start) for m in self.axis)
        u = perpendicular(a)
        across_b = unit(sub(u, mul(dot(u, b), b)))
        R = [self.model.bodies[n].R0 for n in self.bodies]
        return [(back(R[0], a), back(R[0], u)), (back(R[1], b), back(R[1], across_b))]

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
        if self.frames and not self.planar:
            (a, u), (b, v) = ([rot(S[n][1], e) for e in f] for n, f in zip(self.bodies, self.frames))
            one, two = (a, u, cross(a, u)), (b, v, cross(b, v))
            return [dot(one[i], two[j]) for i, j in ((1, 0), (2, 0), (1, 2))]
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

    def rows_point_driver(self, S, s, t):
        return [a - e(None, t=t) for a, e in zip(self.C.at(S), self.path)]

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

    def upright(self, S):
        """Sine of the angle between the axis of a disc and the plane's normal: lying flat, it touches everywhere."""
        if self.type != "rolling_disc" or self.planar:
            return 1.0
        across = cross(self.n.at(S), self.axis[1].at(S))
        return dot(across, across) ** 0.5

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
        if kind == "skate" and not self.planar:
            return {"height": dot(self.n.at(S), sub(self.C.at(S), self.O.at(S)))}
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
