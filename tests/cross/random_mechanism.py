"""Mechanisms at random, each decided by its seed alone.

    python3 random_mechanism.py SEED [UNITS|spatial]     prints the model file

Bodies are placed first, joints are then put between them where they stand: every loop closes at the start, whatever its
joints are. A seed draws a class (CLASSES: what the mechanism is about), the plane or space, and a style: numbers of any
size, or round ones with axes along those of the world, which make special positions, equal lengths and redundancy
likely, or bare ones: 0 and 1, mostly at rest, often without gravity, now and then without mass. Forces of all types are
drawn in addition. Most mechanisms are well posed; some are rigid, some start at singular positions, some have bodies
whose motion nothing determines: these must be refused, and that is to be right, too.

Numbers carry dimensions (random_units.py), sizes are of order one in SI units, the time is short against that in
which errors grow.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import sys

from independent.algebra import Expression, add, dot, mul, rodrigues, rot, sub, unit
from random_forces import Forces
from random_parts import WITH_AXIS
from random_units import (ACCELERATION, LENGTH, NONE, SI, SPEED, TIME, TWINS, Quantity, Text, has_spatial_twin, plain,
                          spatial, vector)

# class: how often
CLASSES = {"tree": 20, "loop": 20, "redundant": 8, "gears": 7, "drive": 9, "rolling": 9, "contact": 9, "stiff": 10,
           "points": 5, "flight": 6, "massless": 4, "stop": 5, "weights": 5, "equations": 4}


class Maker(Forces):
    """The mechanism of a seed: tree."""

    def __init__(self, seed):
        super().__init__(seed, CLASSES)
        d = self.draw
        getattr(self, "make_" + self.kind)()
        if d.chance(0.6) and self.kind not in ("flight", "stiff"):
            for _ in range(d.whole(1, 3)):
                self.any_force()
        if d.chance(0.25) and self.kind not in ("flight", "stop"):
            self.tree["energy"] = True
        moving = [b for b in self.tree["bodies"] if not self.is_point(b)]
        if d.chance(0.08) and moving and not self.planar and self.freedom() > 1:
            self.thin_rod()
        self.accelerations()

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
            not_its_own = key == "axis" and kind == "spherical" or key == "axes" and kind != "universal" or \
                key == "pitch" and kind != "screw"
            if key in j and not not_its_own:
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
            factors = [Quantity(d.pick((1.0, -1.0)) * d.number(0.5, 2), NONE if j in angles else (-1, 0, 0))
                       for j in used]
            g = {"type": "coupler", "joints": used, "factors": factors}
        self.tree["joints"][name] = g
        self.moves[name] = 1

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
        self.tree["bodies"][rod].pop("mass", None)
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

    def make_equations(self):
        """Constraints that are written as expressions, zero where the bodies stand."""
        d, names = self.draw, self.chain_of_bodies(1, 3)
        body = names[-1]
        x = ["body.%s.%s" % (body, c) for c in "xyz"[:self.n]]
        at = self.place[body][:self.n]
        c = [Quantity(d.number(0.5, 2), NONE) for _ in x]
        if d.chance(0.5) and self.freedom() > 1:
            plus = lambda parts: [piece for k, part in enumerate(parts) for piece in ([" + "] if k else []) + part]
            zero = Quantity(-sum(k.value * a * a for k, a in zip(c, at)), (2, 0, 0))
            text = Text(*plus([[k, "*%s^2" % q] for k, q in zip(c, x)]), " + ", zero)
            here = Quantity(-sum(k.value * a for k, a in zip(c, at)), LENGTH)
            slope = Text(*plus([[k, "*" + q] for k, q in zip(c, x)]), " + ", here, " + ",
                         *self.course(LENGTH, 0.3).pieces)
            self.tree["holonomic"] = {"h": text if zero.value < -0.05 and d.chance(0.6) else slope}
            self.moves["h"] = 1
        elif self.freedom() > 1:
            self.tree["nonholonomic"] = {"n": Text("body.%s.vx + " % body, Quantity(d.number(-1, 1), (-1, 0, 0)),
                                                   "*%s*body.%s.vy" % (x[1], body))}
            self.moves["n"] = 1

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
                                                      self.style, len(self.tree["bodies"]),
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
