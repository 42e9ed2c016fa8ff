"""Mechanisms at random, each decided by its seed alone.

    python3 random_mechanism.py SEED [UNITS|spatial]     prints the model file

Bodies are placed first, joints are then put between them where they stand: every loop closes at the start, whatever its
joints are. A seed draws a class (CLASSES: what the mechanism is about), the plane or space, and a style: numbers of any
size, or round ones with axes along those of the world, which make special positions, equal lengths, rest and
redundancy likely. Forces of all types are drawn in addition. Most mechanisms are well posed; some are rigid, some start at
singular positions, some have bodies whose motion nothing determines: these must be refused, and that is to be right, too.

Numbers carry dimensions (random_units.py), sizes are of order one in SI units, the time is short against that in
which errors grow.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import random
import sys

from independent.algebra import EYE, Expression, add, cross, dot, mul, rodrigues, rot, sub, unit
from random_units import (ACCELERATION, DAMPING, FORCE, INERTIA, LENGTH, MASS, NONE, RATE, SI, SPEED, SPIN_UP, STIFFNESS,
                          TIME, TORQUE, TURN_DAMPING, TWINS, Quantity, Text, has_spatial_twin, plain, spatial, vector)

# class: how often
CLASSES = {"tree": 20, "loop": 20, "redundant": 8, "gears": 7, "drive": 9, "rolling": 9, "contact": 9, "stiff": 10,
           "points": 5, "flight": 5, "massless": 4, "stop": 5, "weights": 5}
SPATIAL_JOINTS = {"revolute": 5, "spherical": 3, "universal": 2, "prismatic": 2, "cylindrical": 2, "planar": 1, "fixed": 1,
                  "screw": 1, "distance": 2, "revolute_spherical": 1, "point_on_line": 1, "point_in_plane": 1,
                  "parallel_axes": 1}
PLANAR_JOINTS = {"revolute": 5, "prismatic": 2, "distance": 2, "fixed": 1, "point_on_line": 1}
SPATIAL_ROWS = {"revolute": 5, "spherical": 3, "universal": 4, "prismatic": 5, "cylindrical": 4, "planar": 3, "fixed": 6,
                "screw": 5, "distance": 1, "revolute_spherical": 2, "point_on_line": 2, "point_in_plane": 1,
                "parallel_axes": 2}
PLANAR_ROWS = {"revolute": 2, "prismatic": 2, "distance": 1, "fixed": 3, "point_on_line": 1}
WITH_AXIS = {"revolute", "prismatic", "cylindrical", "planar", "screw", "revolute_spherical", "point_on_line",
             "point_in_plane", "parallel_axes"}
POINT_JOINTS = {"spherical", "distance", "point_on_line", "point_in_plane"}  # for bodies that do not turn
TURNS = {"revolute", "cylindrical"}
FORCES = {"spring": 4, "torsion": 3, "bushing": 2, "friction": 3, "tyre": 1, "actuator": 3, "force": 2, "torque": 2}


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


class Maker:
    """The model so far: tree of quantities, and where its bodies stand."""

    def __init__(self, seed):
        self.draw = d = Draw(seed)
        self.planar, self.round = d.chance(0.4), d.chance(0.4)
        self.kind = d.weighted(CLASSES)
        self.n = 2 if self.planar else 3
        self.place, self.turn, self.free, self.count = {"ground": (0.0,) * 3}, {"ground": EYE}, {}, 0
        self.moves = {}  # what joints leave: rows by joint
        self.tree = {"crank": "mechanism", "gravity": self.gravity(), "bodies": {}, "joints": {}, "forces": {},
                     "outputs": {}, "simulate": {"t_end": Quantity(0.5, TIME), "points": 10}}
        if self.planar:
            self.tree["dimension"] = 2
        getattr(self, "make_" + self.kind)()
        if d.chance(0.6) and self.kind not in ("flight", "stiff"):
            for _ in range(d.whole(1, 3)):
                self.any_force()
        if d.chance(0.25) and self.kind not in ("flight", "stop"):
            self.tree["energy"] = True
        self.accelerations()

    # ---- numbers ----

    def gravity(self):
        d = self.draw
        if d.chance(0.15):
            return vector([0.0] * self.n, ACCELERATION)
        if self.round or d.chance(0.5):
            return vector([0.0] * (self.n - 1) + [-9.81], ACCELERATION)
        return vector([d.number(-9, 9) for _ in range(self.n)], ACCELERATION)

    def vec(self, size=1.0):
        """In space, z = 0 in planar models."""
        d = self.draw
        if self.round:
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
            J = (0.1, 0.1, 0.0) if d.chance(0.1) else J
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
        b.update(mass=Quantity(m, MASS), position=self.cut(at))
        if not point:
            b.update(inertia=self.inertia(m), **keys)
            if center and d.chance(0.4):
                b["center"] = self.cut(self.vec(0.2))
        if not still and not (self.round and d.chance(0.5)):
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

    # ---- classes ----

    def make_tree(self):
        self.chain_of_bodies()

    def make_loop(self):
        names = self.chain_of_bodies(2, 5)
        for _ in range(self.draw.whole(1, 2)):
            self.close(names)

    def make_weights(self):
        names = self.chain_of_bodies(2, 4)
        if self.draw.chance(0.5):
            self.close(names)

    def make_flight(self):
        """Nothing holds it, often without forces: joints transmit nothing, or only what the spin asks for."""
        d = self.draw
        if d.chance(0.5):
            self.tree["gravity"] = vector([0.0] * self.n, ACCELERATION)
        together = d.chance(0.5)
        names = [self.body(still=together)]
        for _ in range(d.whole(1, 3)):
            names.append(self.body(add(self.place[names[-1]], add(self.axis(), self.vec(0.3))), still=together))
            self.joint(self.joint_type(names[-2], names[-1]), names[-2], names[-1])
        if together:
            v = self.cut(self.vec(2), SPEED)
            for n in names:
                self.tree["bodies"][n]["velocity"] = v

    def make_points(self):
        d = self.draw
        names = ["ground"]
        for _ in range(d.whole(2, 5)):
            parent = names[-1] if d.chance(0.7) else d.pick(names)
            at = add(self.place[parent], add(self.axis(), self.vec(0.3)))
            names.append(self.body(at, point=d.chance(0.7)))
            kind = self.joint_type(parent, names[-1])
            kind = "distance" if kind == "spherical" and self.is_point(parent) and self.is_point(names[-1]) else kind
            self.joint(kind, parent, names[-1])
        if d.chance(0.4):
            self.close(names)

    def make_redundant(self):
        """Linkages of parallel hinges in space, doors, joints that repeat others."""
        d = self.draw
        which = d.pick(("linkage", "door", "doubled", "doubled"))
        if self.planar or which == "doubled":
            names = self.chain_of_bodies(1, 3)
            for _ in range(d.whole(1, 2)):
                self.double(d.pick(list(self.tree["joints"])))
            if d.chance(0.4):
                self.close(names)
            return
        a = self.axis()
        if which == "door":
            b, p = self.body(), self.vec()
            for k in range(d.whole(2, 3)):
                self.joint("revolute" if k < 2 else "spherical", "ground", b, at=add(p, mul(0.5 * k, a)), axis=a)
            self.moves = dict.fromkeys(self.moves, 0)
            if d.chance(0.5):
                self.joint("universal", b, self.body(add(self.place[b], self.vec())))
            return
        names = ["ground"] + [self.body() for _ in range(d.whole(3, 4))]
        for one, two in zip(names, names[1:] + ["ground"]):
            self.joint("revolute", *((one, two) if two != "ground" else (two, one)), axis=a)
        if d.chance(0.3):
            self.joint("parallel_axes", "ground", d.pick(names[1:]), axis=a)

    def double(self, name):
        """Another joint where one is, with some or all of its rows once more."""
        j = self.tree["joints"][name]
        weaker = {"revolute": ("revolute", "spherical", "cylindrical"), "prismatic": ("prismatic", "cylindrical"),
                  "cylindrical": ("cylindrical", "point_on_line"), "fixed": ("fixed", "revolute", "planar"),
                  "universal": ("universal", "spherical"), "planar": ("planar", "point_in_plane"),
                  "screw": ("cylindrical", "screw")}
        weaker = {"revolute": ("revolute",), "prismatic": ("prismatic", "point_on_line"),
                  "fixed": ("fixed", "revolute", "prismatic")} if self.planar else weaker
        kind = self.draw.pick(weaker.get(j["type"], (j["type"],)))
        new = {"type": kind, "between": list(j["between"])}
        for key in ("at", "axis", "axes", "pitch"):
            if key in j and not (key == "axis" and kind == "spherical" or key == "axes" and kind != "universal"):
                new[key] = j[key]
        if kind in WITH_AXIS and "axis" not in new and not (self.planar and kind == "revolute"):
            new["axis"] = self.cut(self.axis(), NONE)
        self.tree["joints"][self.name("j")] = new

    def make_gears(self):
        d = self.draw
        names = ["ground"]
        for _ in range(d.whole(2, 4)):
            parent = names[-1] if d.chance(0.5) else "ground"
            names.append(self.body(add(self.place[parent], self.vec())))
            self.joint("prismatic" if d.chance(0.3) else "revolute", parent, names[-1])
        angles, lengths = self.joints_with("angle"), self.joints_with("length")
        for _ in range(d.whole(1, 2)):
            if self.freedom() < 2:
                break
            self.gear(angles, lengths)

    def gear(self, angles, lengths):
        d, name = self.draw, self.name("g")
        ratio = d.pick((-1.0, 2.0, 1.0)) if self.round else d.number(0.3, 2) * d.pick((-1, 1))
        if len(angles) > 1 and d.chance(0.5):
            one = d.pick(angles)
            g = {"type": "gear", "joints": [one, d.pick([a for a in angles if a != one])], "ratio": ratio}
        elif angles and lengths and d.chance(0.7):
            g = {"type": "rack_and_pinion", "joints": [d.pick(angles), d.pick(lengths)],
                 "radius": Quantity(ratio, LENGTH)}
        else:
            used = (angles + lengths)[:3]
            # factors of lengths are per length: the sum has no dimension
            factors = [Quantity(d.pick((1.0, -1.0)) * d.number(0.5, 2), NONE if j in angles else (-1, 0, 0)) for j in used]
            g = {"type": "coupler", "joints": used, "factors": factors}
        self.tree["joints"][name] = g
        self.moves[name] = 1

    def course(self, dimension, size=1.0):
        """A function of t that is zero at the start."""
        d = self.draw
        a = Quantity(d.number(0.2, 1) * size, dimension)
        w = Quantity(d.number(1, 6), RATE)
        per = lambda k: Quantity(d.number(-1, 1) * size, dimension[:2] + (dimension[2] - k,))
        return d.pick((Text(a, "*sin(", w, "*t)"), Text(a, "*(1 - cos(", w, "*t))"), Text(per(1), "*t + ", per(2), "*t^2"),
                       Text(per(1), "*t"), Text(a, "*tanh(", w, "*t^2*", w, ")")))

    def make_drive(self):
        d = self.draw
        names = self.chain_of_bodies(1, 4)
        for _ in range(d.whole(1, 2)):
            if self.freedom() >= 1:
                self.drive(names)
        if d.chance(0.4):
            self.close(names)

    def drive(self, names):
        d = self.draw
        keys = {"revolute": ("drive",), "prismatic": ("drive",), "cylindrical": ("drive_angle", "drive_length")}
        fit = [(n, k) for n, j in self.tree["joints"].items() for k in keys.get(j["type"], ()) if k not in j]
        how = d.pick(("joint", "joint", "driver", "place", "path", "table"))
        if how == "joint" and fit:
            name, key = d.pick(fit)
            long = key == "drive_length" or self.tree["joints"][name]["type"] == "prismatic"
            self.tree["joints"][name][key] = self.course(LENGTH if long else NONE)
            self.moves[name] += 1
            return
        name, body = self.name("d"), names[-1]
        at = plain(self.tree["bodies"][body]["position"])
        free = self.joints_with("angle")
        if how in ("driver", "table") and free:
            j = {"type": "driver", "of": "joint.%s.angle" % d.pick(free)}
            if how == "table":
                j["table"] = [[Quantity(t, TIME), v] for t, v in
                              zip((0.0, 0.13, 0.37, 0.7), [0.0] + [d.number(-0.4, 0.4) for _ in range(3)])]
            else:
                j["is"] = self.course(NONE)
        elif how == "path" and self.freedom() > self.n and not self.is_point(body):
            j = {"type": "point_driver", "body": body,
                 "path": [Text(Quantity(a, LENGTH), " + ", *self.course(LENGTH, 0.4).pieces) for a in at]}
        else:
            k = d.whole(0, self.n - 1)
            j = {"type": "driver", "of": "body.%s.%s" % (body, "xyz"[k]),
                 "is": Text(Quantity(at[k], LENGTH), " + ", *self.course(LENGTH, 0.4).pieces)}
        self.tree["joints"][name] = j
        self.moves[name] = self.n if "path" in j else 1

    def make_massless(self):
        """A coupler without mass between two others; its own turning is held."""
        d = self.draw
        a = self.body()
        rod = self.body(add(self.place[a], self.axis()), still=True, mass=0.0, center=False)
        self.tree["bodies"][rod].pop("inertia")
        self.tree["bodies"][rod].pop("mass")
        b = self.body(add(self.place[rod], self.axis()))
        self.joint("revolute", "ground", a)
        ends = [self.place[a], self.place[b]]
        if self.planar:
            self.joint("revolute", a, rod, at=ends[0])
            self.joint("revolute", rod, b, at=ends[1])
            self.joint("prismatic" if d.chance(0.5) else "revolute", "ground", b)
            return
        across = self.normal_to(sub(ends[1], ends[0]))
        self.joint("spherical", a, rod, at=ends[0])
        # the cross holds the spin about the line between the ends
        self.joint("universal", rod, b, at=ends[1], axis=across)
        if d.chance(0.5):
            self.joint(d.pick(("revolute", "cylindrical", "prismatic")), "ground", b)

    # ---- rolling and contact ----

    def carrier(self):
        """Ground, or a body that swings."""
        if self.draw.chance(0.6):
            return "ground"
        b = self.body()
        self.joint("revolute", "ground", b)
        return b

    def make_rolling(self):
        d, first = self.draw, self.carrier()
        name, at, n = self.name("r"), self.vec(), unit(self.axis())
        radius = 0.5 if self.round else d.number(0.2, 0.8)
        kind = d.pick(("rolling_disc", "rolling_disc", "skate") if self.planar else
                      ("rolling_disc", "rolling_disc", "rolling_sphere", "skate"))
        plane = {"at": self.cut(at), "normal": self.cut(n, NONE)}
        j = {"type": kind, "between": [first, None]}
        if kind == "skate":
            body = self.body()
            j.update(axis=self.cut(self.axis() if self.planar else self.normal_to(n), NONE),
                     at=self.cut(add(self.place[body], self.vec(0.2))))
            if not self.planar:
                j["plane"] = plane
        else:
            lift = 1.0
            if kind == "rolling_disc" and not self.planar:
                a = unit(self.normal_to(n))
                if not (self.round and d.chance(0.5)):
                    a = unit(add(a, mul(d.number(-0.5, 0.5), n)))
                lift = math.sqrt(1 - dot(n, a) ** 2)
                j["axis"] = list(a)
            body = self.body(add(at, mul(radius * lift, n)), center=False)
            j.update(radius=Quantity(radius, LENGTH), plane=plane)
        j["between"][1] = body
        self.tree["joints"][name] = j
        self.moves[name] = 1 if kind == "skate" else 2 if self.planar else 3
        if d.chance(0.4):
            self.joint(self.joint_type(body, "ground"), body, self.body(add(self.place[body], self.vec())))

    def make_contact(self):
        d, first = self.draw, self.carrier()
        self.contact_on(first, d.pick(("curve", "curve", "profile") if self.planar else ("curve", "surface")))
        if d.chance(0.3):
            last = list(self.place)[-1]
            self.joint(self.joint_type(last, "ground"), last, self.body(add(self.place[last], self.vec())))

    def contact_on(self, first, kind):
        if kind == "profile":
            self.profile(first)
            return
        d, name = self.draw, self.name("c")
        a, b, c = (Quantity(d.number(0.4, 1), LENGTH) for _ in range(3))
        start = d.number(0.2, 1.2) * d.pick((1, -1))
        if kind == "curve":
            text = d.pick(([Text(a, "*cos(s)"), Text(b, "*sin(s)"), Text(c, "*s")],
                           [Text(a, "*s"), Text(b, "*s^2"), Text(c, "*sin(s)")],
                           [Text(a, "*s"), Text(b, "*cos(2*s)"), Text(c, "*s^3")]))[:self.n]
            values, starts = {"s": start}, start
        else:
            text = d.pick(([Text(a, "*s1"), Text(b, "*s2"), Text(c, "*sin(s1)*cos(s2)")],
                           [Text(a, "*cos(s1)*cos(s2)"), Text(b, "*sin(s1)*cos(s2)"), Text(c, "*sin(s2)")],
                           [Text(a, "*s1"), Text(b, "*s2"), Text(c, "*(s1^2 - s2^2)")]))
            values = {"s1": start, "s2": d.number(-0.8, 0.8)}
            starts = list(values.values())
        local = [float(Expression(e.inside(SI))(None, **values)) for e in text] + [0.0] * (3 - self.n)
        at = add(self.place[first], rot(self.turn[first], local))
        point = d.chance(0.3)
        body = self.body(at if point else add(at, self.vec(0.3)), point=point)
        self.tree["joints"][name] = {"type": kind, "between": [first, body], "at": self.cut(at), kind: text,
                                     "start": starts}
        self.moves[name] = 1

    def profile(self, first):
        """Two ellipses that touch where their tangents are parallel, from outside."""
        d, name = self.draw, self.name("c")
        size = [[d.number(0.3, 0.6), d.number(0.3, 0.6)] for _ in range(2)]
        s = [d.number(-3, 3), d.number(-3, 3)]
        point = [(p * math.cos(a), q * math.sin(a), 0.0) for (p, q), a in zip(size, s)]
        slope = [math.atan2(q * math.cos(a), -p * math.sin(a)) for (p, q), a in zip(size, s)]
        first_angle = math.atan2(self.turn[first][1][0], self.turn[first][0][0])
        angle = first_angle + slope[0] - slope[1] + math.pi
        touch = add(self.place[first], rot(self.turn[first], point[0]))
        R = rodrigues((0, 0, angle))
        body = self.body(sub(touch, rot(R, point[1])), pose=({"angle": angle}, R))
        texts = [[Text(Quantity(p, LENGTH), "*cos(s%d)" % k), Text(Quantity(q, LENGTH), "*sin(s%d)" % k)]
                 for k, (p, q) in zip((1, 2), size)]
        self.tree["joints"][name] = {"type": "profile", "between": [first, body], "profiles": texts, "start": s}
        self.moves[name] = 1

    def make_stop(self):
        """Impacts between bodies and walls, and parameters that change on the way."""
        d = self.draw
        names = self.chain_of_bodies(1, 3)
        body = names[-1]
        k = d.whole(0, self.n - 1)
        b = self.tree["bodies"][body]
        at = plain(b["position"])[k]
        b["velocity"] = self.cut([-1.5 if i == k else 0.0 for i in range(3)], SPEED)
        wall = Quantity(at - d.number(0.05, 0.3), LENGTH)
        self.tree["events"] = {"wall": {"when": Text("body.%s.%s - " % (body, "xyz"[k]), wall), "direction": "falling",
                                        "actions": {"impact": d.number(0.4, 1)}}}

    # ---- forces ----

    def make_stiff(self):
        """Bodies on stiff bushings and springs, small slip, fast lags."""
        d = self.draw
        names = ["ground"]
        for _ in range(d.whole(1, 3)):
            parent = d.pick(names)
            names.append(self.body(add(self.place[parent], self.vec()), still=d.chance(0.5)))
            if d.chance(0.6):
                self.bushing([parent, names[-1]], d.size(1e3, 1e6), d.pick((0.0, 0.02, 1.0)))
            else:
                self.joint(self.joint_type(parent, names[-1]), parent, names[-1])
        for _ in range(d.whole(1, 2)):
            how = d.pick(("spring", "friction", "actuator", "torsion"))
            getattr(self, how)(stiff=d.size(1e2, 1e4))
        self.tree["simulate"]["t_end"] = Quantity(0.2, TIME)

    def any_force(self):
        getattr(self, self.draw.weighted(FORCES))()

    def add_force(self, kind, keys):
        self.tree["forces"][self.name("f")] = {"type": kind, **keys}

    def pair(self, turning=False):
        """Two bodies, of which the second is not the ground."""
        names = [n for n in self.place if not (turning and self.is_point(n))]
        moving = [n for n in names if n != "ground"]
        if not moving:
            return None
        two = self.draw.pick(moving)
        return [self.draw.pick([n for n in names if n != two]), two]

    def spring(self, stiff=1.0):
        d, pair = self.draw, self.pair()
        keys = {"between": pair, "at": [self.cut(e) for e in self.rod_ends(*pair)]}
        k, c = Quantity(d.number(5, 60) * stiff, STIFFNESS), Quantity(d.number(0, 3) * math.sqrt(stiff), DAMPING)
        if d.chance(0.2) and stiff == 1.0:
            keys["law"] = Text(k, "*(length - ", Quantity(d.number(0.3, 1), LENGTH), ") + ", c, "*rate + ",
                               Quantity(d.number(0, 1), (-2, 1, 1)), "*rate^3")
        else:
            keys.update(stiffness=k)
            if d.chance(0.6):
                keys["damping"] = c
            if d.chance(0.5) and stiff == 1.0:
                keys["length"] = Quantity(d.number(0.2, 1), LENGTH)
        self.add_force("spring", keys)

    def torsion(self, stiff=1.0):
        d = self.draw
        joints, pair = self.joints_with("angle"), self.pair(turning=True)
        if joints and d.chance(0.6):
            keys = {"joint": d.pick(joints)}
        elif pair:
            keys = {"between": pair}
            if not self.planar:
                keys["axis"] = vector(self.axis(), NONE)
        else:
            return
        keys["stiffness"] = Quantity(d.number(1, 10) * stiff, TORQUE)
        if d.chance(0.6):
            keys["damping"] = Quantity(d.number(0, 1) * math.sqrt(stiff), TURN_DAMPING)
        if d.chance(0.4) and stiff == 1.0:
            keys["angle"] = d.number(-0.5, 0.5)
        if d.chance(0.2) and stiff == 1.0:
            keys = {k: v for k, v in keys.items() if k in ("joint", "between", "axis")}
            keys["law"] = Text(Quantity(d.number(1, 10), TORQUE), "*sin(angle) + ",
                               Quantity(d.number(0, 1), TURN_DAMPING), "*rate")
        self.add_force("torsion", keys)

    def bushing(self, pair=None, stiffness=None, share=None):
        """share: damping of the critical one, for masses of order 1."""
        d, pair = self.draw, pair or self.pair(turning=True)
        if not pair:
            return
        k = stiffness or d.number(10, 50)
        at = self.between_places(*pair)
        turns = [0.1 * k * d.number(0.5, 1) for _ in range(1 if self.planar else 3)]
        lines = [k * d.number(0.5, 1) for _ in range(self.n)]
        keys = {"between": pair, "at": self.cut(at), "stiffness": vector(lines, STIFFNESS) + vector(turns, TORQUE)}
        share = d.number(0, 0.2) if share is None else share
        if share:
            keys["damping"] = vector([2 * share * math.sqrt(a) for a in lines], DAMPING) + \
                vector([0.2 * share * math.sqrt(a) for a in turns], TURN_DAMPING)
        if d.chance(0.4):
            pose = self.orientation()[0]
            if pose:
                keys["orientation"] = list(pose.values())[0]
        self.add_force("bushing", keys)

    def sliding_joint(self):
        """A joint of one coordinate, and whether that is an angle."""
        angles = self.joints_with("angle")
        both = angles + self.joints_with("length")
        joint = self.draw.pick(both) if both else None
        return joint, joint in angles

    def friction(self, stiff=1.0):
        d = self.draw
        joint, turns = self.sliding_joint()
        if not joint:
            return
        keys = {"joint": joint, "slip": Quantity(d.number(0.1, 0.5) / stiff ** 0.5, RATE if turns else SPEED)}
        if d.chance(0.3):
            keys["coefficient"] = d.number(0.02, 0.2)
            if turns:
                keys["radius"] = Quantity(0.1, LENGTH)
            low, dimension = keys["coefficient"], NONE
        else:
            low, dimension = d.number(0.2, 2), TORQUE if turns else FORCE
            keys["level"] = Quantity(low, dimension)
        if d.chance(0.3):
            keys["static"] = Quantity(1.3 * low, dimension)
        if d.chance(0.5):
            keys["viscous"] = Quantity(d.number(0, 0.5), TURN_DAMPING if turns else DAMPING)
        self.add_force("friction", keys)

    def tyre(self):
        d = self.draw
        body = self.pair()[1]
        amplitude, wave, w = Quantity(d.number(0, 0.2), LENGTH), Quantity(d.number(1, 3), (-1, 0, 0)), \
            Quantity(d.number(0, 3), RATE)
        keys = {"body": body, "stiffness": Quantity(d.number(20, 80), STIFFNESS), "radius": Quantity(0.4, LENGTH),
                "road": Text(amplitude, "*sin(", wave, "*x + ", w, "*t)")}
        if d.chance(0.6):
            keys["damping"] = Quantity(d.number(0, 2), DAMPING)
        if d.chance(0.4):
            keys.update(lift=True, smoothing=Quantity(d.number(0.01, 0.05), LENGTH))
        self.add_force("tyre", keys)

    def actuator(self, stiff=1.0):
        d = self.draw
        joint, turns = self.sliding_joint()
        keys, kind, size = {"joint": joint}, TORQUE if turns else FORCE, NONE if turns else LENGTH
        if not joint or d.chance(0.2):
            pair = self.pair()
            keys = {"between": pair, "at": [self.cut(e) for e in self.rod_ends(*pair)]}
            kind, size = FORCE, LENGTH
        gain = lambda high, time: Quantity(d.number(0, high), (kind[0] - size[0], 1, -2 + time))
        if d.chance(0.4) or "between" in keys:
            keys["command"] = self.course(kind, 3.0)
        else:
            keys.update(reference=self.course(size, 0.5), kp=gain(20, 0))
            if d.chance(0.4):
                keys["ki"] = gain(10, -1)
            if d.chance(0.4):
                keys["kd"] = gain(2, 1)
                if d.chance(0.5):
                    keys["filter"] = Quantity(d.number(0.05, 0.2), TIME)
        if d.chance(0.4):
            keys["limit"] = Quantity(d.number(2, 10), kind)
        if d.chance(0.4) or stiff > 1.0:
            keys["lag"] = Quantity(d.number(0.05, 0.2) / stiff, TIME)
        self.add_force("actuator", keys)

    def force(self):
        d, body = self.draw, self.pair()[1]
        parts = []
        for k in range(self.n):
            constant = Text(Quantity(d.number(-3, 3), FORCE))
            drag = Text(Quantity(-d.number(0, 1), DAMPING), "*body.%s.v%s" % (body, "xyz"[k]))
            parts.append(d.pick((constant, drag, self.course(FORCE, 3.0))))
        keys = {"body": body, "force": parts}
        if not self.is_point(body) and d.chance(0.5):
            keys["local"] = self.cut(self.vec(0.3))
            if d.chance(0.5):
                keys["axes"] = "body"
        self.add_force("force", keys)

    def torque(self):
        d, pair = self.draw, self.pair(turning=True)
        if not pair:
            return
        keys = {"between": pair} if d.chance(0.5) else {"body": pair[1]}
        about = (("rate", 1),) if self.planar else (("wx", 1), ("wy", 1), ("wz", 1))
        parts = [d.pick((Text(Quantity(d.number(-1, 1), TORQUE)), self.course(TORQUE),
                         Text(Quantity(-d.number(0, 1), TURN_DAMPING), "*body.%s.%s" % (pair[1], w)))) for w, _ in about]
        keys["torque"] = parts[0] if self.planar else parts
        if not self.planar and d.chance(0.3):
            keys["axes"] = "body"
        self.add_force("torque", keys)

    # ---- the whole ----

    def accelerations(self):
        for name in self.tree["bodies"]:
            turning = () if self.is_point(name) else ("angle_acceleration",) if self.planar else ("dwx", "dwy", "dwz")
            for a in ("ax", "ay", "az")[:self.n] + turning:
                self.tree["outputs"]["%s_%s" % (name, a)] = "body.%s.%s" % (name, a)

    def description(self):
        parts = {}
        for section in ("joints", "forces"):
            for p in self.tree[section].values():
                parts[p["type"]] = parts.get(p["type"], 0) + 1
        what = ", ".join(k if n == 1 else "%d %s" % (n, k) for k, n in parts.items())
        return "%s, %s, %s numbers: %d bodies, %s" % (self.kind, "planar" if self.planar else "spatial",
                                                      "round" if self.round else "any", len(self.tree["bodies"]),
                                                      what or "free")


def written(data, title):
    """Model file, a line for each body, joint and force."""
    lines = ["# " + title]
    for key, value in data.items():
        if isinstance(value, dict) and key != "simulate":
            lines += ["%s:" % key if value else "%s: {}" % key]
            lines += ["  %s: %s" % (name, json.dumps(part)) for name, part in value.items()]
        else:
            lines.append("%s: %s" % (key, json.dumps(value)))
    return "\n".join(lines) + "\n"


def generate(seed, units=SI, in_space=False):
    """Text of the model file of this seed."""
    maker = Maker(seed)
    tree = spatial(maker.tree) if in_space else maker.tree
    return written(plain(tree, units), "seed %d: %s" % (seed, maker.description()))


def main():
    if len(sys.argv) not in (2, 3) or len(sys.argv) == 3 and sys.argv[2] not in [*TWINS, "spatial"]:
        raise SystemExit(__doc__ + "\nUNITS: " + "; ".join(TWINS))
    twin = sys.argv[2] if len(sys.argv) == 3 else ""
    in_space = twin == "spatial"
    if in_space and not (Maker(int(sys.argv[1])).planar and has_spatial_twin(Maker(int(sys.argv[1])).tree)):
        raise SystemExit("this mechanism cannot be written as a spatial one")
    print(generate(int(sys.argv[1]), TWINS.get(twin, SI), in_space), end="")


if __name__ == "__main__":
    main()
