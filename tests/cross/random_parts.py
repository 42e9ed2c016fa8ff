"""Parts of random mechanisms: numbers, bodies that stand somewhere, joints between them as they stand."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import random

from independent.algebra import EYE, add, cross, dot, mul, rodrigues, sub, unit
from random_units import ACCELERATION, INERTIA, LENGTH, MASS, NONE, RATE, SPEED, TIME, Quantity, Text, plain, vector

STYLES = {"any": 55, "round": 28, "bare": 17}  # of numbers: how often
SPATIAL_JOINTS = {"revolute": 5, "spherical": 3, "universal": 2, "prismatic": 2, "cylindrical": 2, "planar": 1,
                  "fixed": 1, "screw": 1, "distance": 2, "revolute_spherical": 1, "point_on_line": 1,
                  "point_in_plane": 1, "parallel_axes": 1}
PLANAR_JOINTS = {"revolute": 5, "prismatic": 2, "distance": 2, "fixed": 1, "point_on_line": 1}
SPATIAL_ROWS = {"revolute": 5, "spherical": 3, "universal": 4, "prismatic": 5, "cylindrical": 4, "planar": 3,
                "fixed": 6, "screw": 5, "distance": 1, "revolute_spherical": 2, "point_on_line": 2, "point_in_plane": 1,
                "parallel_axes": 2}
PLANAR_ROWS = {"revolute": 2, "prismatic": 2, "distance": 1, "fixed": 3, "point_on_line": 1}
WITH_AXIS = {"revolute", "prismatic", "cylindrical", "planar", "screw", "revolute_spherical", "point_on_line",
             "point_in_plane", "parallel_axes"}
POINT_JOINTS = {"spherical", "distance", "point_on_line", "point_in_plane"}  # for bodies that do not turn


class Draw:
    """Random numbers that only depend on the seed, on every version of Python."""

    def __init__(self, seed):
        self.random = random.Random("crank mechanism %d" % seed).random

    def chance(self, p):
        return self.random() < p

    def pick(self, things):
        things = list(things)
        return things[int(self.random() * len(things))]

    def weighted(self, weights):
        x = self.random() * sum(weights.values())
        for thing, w in weights.items():
            x -= w
            if x < 0:
                return thing
        return thing

    def number(self, low, high):
        return round(low + (high - low) * self.random(), 3)

    def size(self, low, high):
        """Between low and high, evenly over orders of magnitude, three digits."""
        return float("%.3g" % (low * (high / low) ** self.random()))

    def whole(self, low, high):
        return low + int(self.random() * (high - low + 1))


class Parts:
    """The model so far: tree of quantities, and where its bodies stand."""

    def __init__(self, seed, classes):
        self.draw = d = Draw(seed)
        self.planar, self.style = d.chance(0.4), d.weighted(STYLES)
        self.round, self.bare = self.style != "any", self.style == "bare"
        self.kind = d.weighted(classes)
        self.n = 2 if self.planar else 3
        self.place, self.turn, self.count = {"ground": (0.0,) * 3}, {"ground": EYE}, 0
        self.free, self.moves = {}, {}  # freedoms by body, rows by joint
        self.tree = {"crank": "mechanism", "gravity": self.gravity(), "bodies": {}, "joints": {}, "forces": {},
                     "outputs": {}, "simulate": {"t_end": Quantity(0.5, TIME), "points": 10}}
        if self.planar:
            self.tree["dimension"] = 2

    # ---- numbers ----

    def gravity(self):
        d = self.draw
        if d.chance(0.5 if self.bare else 0.15):
            return vector([0.0] * self.n, ACCELERATION)
        if self.round or d.chance(0.5):
            return vector([0.0] * (self.n - 1) + [-9.81], ACCELERATION)
        return vector([d.number(-9, 9) for _ in range(self.n)], ACCELERATION)

    def vec(self, size=1.0):
        """In space, z = 0 in planar models."""
        d = self.draw
        if self.bare:
            v = [d.pick((0.0, 0.0, 0.0, 1.0, 0.5)) * size for _ in range(self.n)]
        elif self.round:
            v = [d.pick((0.0, 0.0, 0.5, 1.0, -0.5, -1.0)) * size for _ in range(self.n)]
        else:
            v = [d.number(-size, size) for _ in range(self.n)]
        return tuple(v) + (0.0,) * (3 - self.n)

    def axis(self):
        """A direction that is not short."""
        if self.round:
            return self.draw.pick(EYE[:self.n])
        while True:
            a = self.vec()
            if math.hypot(*a) > 0.3:
                return a

    def normal_to(self, a):
        while True:
            b = cross(a, self.axis() if not self.round else self.draw.pick(EYE))
            if math.sqrt(dot(b, b)) > 0.1 * math.sqrt(dot(a, a)):
                return b

    def cut(self, v, dimension=LENGTH):
        return vector(v[:self.n], dimension)

    def name(self, letter):
        self.count += 1
        return "%s%d" % (letter, self.count)

    # ---- bodies ----

    def orientation(self):
        """Key, its value, and the rotation."""
        d = self.draw
        if self.planar:
            a = d.pick((0.0, 0.0, 0.5, 1.0)) if self.round else d.number(-3, 3)
            return {"angle": a}, rodrigues((0, 0, a))
        if self.round and d.chance(0.6):
            return {}, EYE
        a, angle = self.axis(), d.pick((1.0, 0.5)) if self.round else d.number(-3, 3)
        return {"orientation": {"axis": list(a), "angle": angle}}, rodrigues(mul(angle, unit(a)))

    def mass(self):
        d = self.draw
        if self.kind == "weights":
            return d.size(1e-3, 1e3)
        return d.pick((1.0, 1.0, 2.0)) if self.round else d.size(0.3, 3)

    def inertia(self, mass):
        """Of a cloud of masses; round ones sometimes without inertia about an axis, as a rod has."""
        d = self.draw
        radius = d.size(0.15, 0.5)
        if self.planar:
            return Quantity(0.1 * mass if self.round else mass * radius ** 2, INERTIA)
        if self.round:
            J = d.pick(((0.1, 0.1, 0.1), (0.1, 0.1, 0.2), (0.3, 0.7, 1.0), (0.1, 0.2, 0.1)))
            J = (0.1, 0.1, 0.0) if d.chance(0.2 if self.bare else 0.1) else J
            return vector([mass * a for a in J], INERTIA)
        J = [[0.0] * 3 for _ in range(3)]
        for _ in range(5):
            p = [radius * d.number(-1, 1) for _ in range(3)]
            for i in range(3):
                for k in range(3):
                    J[i][k] += mass / 5 * ((dot(p, p) if i == k else 0.0) - p[i] * p[k])
        return [vector(row, INERTIA) for row in J]

    def body(self, at=None, pose=None, still=False, point=False, mass=None, center=True):
        """A new body; pose: keys and rotation of its orientation."""
        d, name = self.draw, self.name("b")
        at = self.vec() if at is None else at
        keys, R = pose or ({}, EYE) if point else pose or self.orientation()
        m = self.mass() if mass is None else mass
        b = {"type": "point"} if point else {}
        b["position"] = self.cut(at)
        if not (self.bare and d.chance(0.1)):
            b["mass"] = Quantity(m, MASS)
        if not point:
            b.update(inertia=self.inertia(m or 1.0), **keys)
            if center and d.chance(0.4):
                b["center"] = self.cut(self.vec(0.2))
        if not still and not (self.round and d.chance(0.75 if self.bare else 0.5)):
            b["velocity"] = self.cut(self.vec(1.5), SPEED)
            if not point and self.planar:
                b["rate"] = Quantity(d.pick((1.0, 2.0)) if self.round else d.number(-3, 3), RATE)
            elif not point:
                b["angular_velocity"] = self.cut(self.vec(3), RATE)
        self.tree["bodies"][name] = b
        self.place[name], self.turn[name] = at, R
        self.free[name] = (2 if point else 3) if self.planar else (3 if point else 6)
        return name

    def is_point(self, body):
        return body != "ground" and self.tree["bodies"][body].get("type") == "point"

    # ---- joints ----

    def freedom(self):
        return sum(self.free.values()) - sum(self.moves.values())

    def between_places(self, one, two):
        """A point somewhere near both bodies."""
        if self.is_point(two):
            return self.place[two]
        if self.is_point(one):
            return self.place[one]
        a, b = self.place[one], self.place[two]
        if self.round:
            return self.draw.pick((a, b, mul(0.5, add(a, b)), add(a, self.vec(0.5))))
        return add(add(a, mul(self.draw.number(0, 1), sub(b, a))), self.vec(0.4))

    def joint_type(self, one, two, most=9):
        """At random; most: rows that it may have at most."""
        rows = PLANAR_ROWS if self.planar else SPATIAL_ROWS
        weights = PLANAR_JOINTS if self.planar else SPATIAL_JOINTS
        point = self.is_point(one) or self.is_point(two)
        fit = {k: w for k, w in weights.items() if rows[k] <= most and (k in POINT_JOINTS or not point)}
        return self.draw.weighted(fit or {"distance": 1})

    def joint(self, kind, one, two, at=None, axis=None, **keys):
        """kind of joint between bodies, put where they stand."""
        d, name = self.draw, self.name("j")
        j = {"type": kind, "between": [one, two]}
        if kind in ("distance", "revolute_spherical"):
            ends = self.rod_ends(one, two)
            j["at"] = [self.cut(e) for e in ends]
        elif kind != "parallel_axes":
            j["at"] = self.cut(self.between_places(one, two) if at is None else at)
        if kind in WITH_AXIS and not (self.planar and kind == "revolute"):
            j["axis"] = self.cut(self.axis() if axis is None else axis, NONE)
        if kind == "revolute_spherical":  # the rod must not lie along its hinge
            rod = sub(ends[1], ends[0])
            if dot(cross(rod, plain(j["axis"])), cross(rod, plain(j["axis"]))) < 0.05 * dot(rod, rod):
                j["axis"] = self.cut(self.normal_to(rod), NONE)
        if kind == "universal":
            a = self.axis() if axis is None else axis
            j["axes"] = [vector(a, NONE), vector(self.normal_to(a), NONE)]
        if kind == "screw":
            j["pitch"] = Quantity(d.pick((0.5, 1.0)) if self.round else d.number(0.2, 2) * d.pick((1, -1)), LENGTH)
        j.update(keys)
        self.tree["joints"][name] = j
        self.moves[name] = (PLANAR_ROWS if self.planar else SPATIAL_ROWS).get(kind, 0)
        return name

    def rod_ends(self, one, two):
        d = self.draw
        for _ in range(50):
            ends = []
            for b in (one, two):
                near = self.place[b]
                ends.append(near if self.is_point(b) or d.chance(0.3) else add(near, self.vec(0.5)))
            rod = sub(ends[1], ends[0])
            if dot(rod, rod) > 0.04:
                return ends
        return [ends[0], add(ends[0], self.axis())] if not self.is_point(two) else [add(ends[1], self.axis()), ends[1]]

    def thin_rod(self):
        """Two bodies are tied by a rod along its own z, without inertia about itself: a cross at one end holds that, a ball is at
        the other."""
        one, two = "ground", self.draw.pick(self.place)
        while two == one or self.is_point(one) or self.is_point(two):
            one, two = self.draw.pick(self.place), self.draw.pick([b for b in self.place if b != "ground"])
        ends = self.rod_ends(one, two)
        along = sub(ends[1], ends[0])
        length, across = math.sqrt(dot(along, along)), cross((0.0, 0.0, 1.0), along)
        angle = math.acos(max(-1.0, min(1.0, along[2] / length)))
        across = across if dot(across, across) > 0.0 else EYE[0]
        pose = {"orientation": {"axis": list(across), "angle": angle}}, rodrigues(mul(angle, unit(across)))
        rod = self.body(mul(0.5, add(*ends)), pose, still=True, center=False)
        mass = self.mass()
        inertia = mass * length ** 2 / 12
        self.tree["bodies"][rod].update(mass=Quantity(mass, MASS), inertia=vector([inertia, inertia, 0.0], INERTIA))
        first = self.normal_to(along)
        axes = [vector(a, NONE) for a in (first, cross(along, first))]
        self.joint("universal", one, rod, at=ends[0], axis=first, axes=axes)
        self.joint("spherical", rod, two, at=ends[1])

    def chain_of_bodies(self, low=1, high=4, **keys):
        """A tree: every body hangs on the ground or an earlier one."""
        names = ["ground"]
        for _ in range(self.draw.whole(low, high)):
            parent = self.draw.pick(names) if self.draw.chance(0.4) else names[-1]
            at = add(self.place[parent], self.vec())
            if self.round and at in self.place.values():
                at = add(at, self.axis())
            names.append(self.body(at, **keys))
            self.joint(self.joint_type(parent, names[-1]), parent, names[-1])
        return names

    def close(self, names, keep=1):
        """A joint between two bodies of a tree that leaves `keep` freedoms, if there is one."""
        one = self.draw.pick(names)
        two = self.draw.pick([n for n in names if n != one])
        if two == "ground":
            one, two = two, one
        most = self.freedom() - keep
        if most < 1 and not self.draw.chance(0.1):
            return None
        return self.joint(self.joint_type(one, two, max(most, 1)), one, two)

    def joints_with(self, coordinate):
        types = {"angle": ("revolute",), "length": ("prismatic",)}[coordinate]
        return [n for n, j in self.tree["joints"].items() if j["type"] in types and
                not any(self.is_point(b) for b in j["between"])]

    def course(self, dimension, size=1.0):
        """A function of t that is zero at the start."""
        d = self.draw
        a = Quantity(d.number(0.2, 1) * size, dimension)
        w = Quantity(d.number(1, 6), RATE)
        per = lambda k: Quantity(d.number(-1, 1) * size, dimension[:2] + (dimension[2] - k,))
        return d.pick((Text(a, "*sin(", w, "*t)"), Text(a, "*(1 - cos(", w, "*t))"),
                       Text(per(1), "*t + ", per(2), "*t^2"), Text(per(1), "*t"),
                       Text(a, "*tanh(", w, "*t^2*", w, ")")))
