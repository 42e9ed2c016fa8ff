"""Machines with loops at random that random_assembly.py does not build, each decided by its seed alone.

    python3 random_loops.py SEED     prints the model file

Loops in space with all joints (screws, universal joints, points on lines), hexapods on one another, whose legs are rods or cylinders that
are driven, planar linkages in space, whose hinges are redundant; masses and lengths of any unit. True poses are drawn first and
joints close there. Places of bodies are left out, or guesses of them are rough or far off, or orientations are given and
positions free, or joints have their true coordinates from drives.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import random
import sys

from independent.algebra import EYE, add, back, cross, mul, norm, of_quaternion, product, rodrigues, rot, sub, to_quaternion, unit
from independent.model import Model

ROWS = {"spherical": 3, "universal": 4, "cylindrical": 4, "screw": 5, "revolute": 5, "prismatic": 5, "point_on_line": 2, "planar": 3,
        "parallel_axes": 2, "distance": 1}
STYLES = ("nowhere", "nowhere", "rough", "far", "angles", "driven")


class Loops:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.size, self.mass = 10 ** r.choice((0, 0, -3, 3)), 10 ** r.choice((0, 0, -3, 3))
        self.style = r.choice(STYLES)
        self.R, self.x = {"ground": EYE}, {"ground": (0.0, 0.0, 0.0)}
        self.joints, self.given, self.planar = {}, {}, False
        self.kind = r.choice(("chain", "chain", "chain", "hexapod", "hexapods", "linkage"))
        getattr(self, self.kind)()
        self.names = [n for n in self.x if n != "ground"]
        if self.style == "driven":
            self.drive()

    # -- numbers --

    def vector(self, size=1.0):
        return tuple(self.random.uniform(-size, size) * self.size for _ in range(3))

    def direction(self):
        r = self.random
        return r.choice(EYE) if r.random() < 0.5 else unit([r.gauss(0, 1) for _ in range(3)])

    def orientation(self, most=math.pi):
        return rodrigues(mul(self.random.uniform(0, most), unit([self.random.gauss(0, 1) for _ in range(3)])))

    # -- parts: all points and directions are of the world --

    def place(self, name, x, R):
        self.x[name], self.R[name] = x, R

    def local(self, body, point):
        return list(back(self.R[body], sub(point, self.x[body])))

    def join(self, kind, one, two, at, along=None, second=None, **more):
        """second: another end on the second body."""
        joint = {"type": kind, "between": [one, two]}
        if at is not None:
            joint["at"] = {"first": self.local(one, at), "second": self.local(two, second or at)}
        if kind == "universal":
            joint["axes"] = self.cross(one, two, along)
        elif along is not None:
            joint["axis"] = {"first": list(back(self.R[one], along)), "second": list(back(self.R[two], along))}
        name = "j%d" % len(self.joints)
        self.joints[name] = {**joint, **more}
        if kind == "screw":
            self.start_screw(name)
        return name

    def cross(self, one, two, along):
        """Arms of a cross: the first along a direction, the second across it now and where the axes of the bodies are parallel."""
        first = back(self.R[one], along)
        across = cross(first, back(self.R[two], along))
        return {"first": list(first), "second": list(unit(across if norm(across) > 1e-3 else cross(first, EYE[min(range(3), key=lambda i: abs(first[i]))])))}

    def start_screw(self, name):
        """Its first point is moved along the axis to where the pitch has it."""
        joint = self.joints[name]
        joint["pitch"] = self.random.choice((-1, 1)) * self.random.uniform(0.02, 0.3) * self.size
        c = self.coordinates(name)
        off = c["length"] - joint["pitch"] * c["angle"] / (2 * math.pi)
        joint["at"]["first"] = list(add(joint["at"]["first"], mul(off, joint["axis"]["first"])))

    def coordinates(self, name):
        """True coordinates of a joint, by the second simulator."""
        model = Model({"crank": "mechanism", "bodies": {n: {"mass": 1, "inertia": [1, 1, 1]} for n in self.x if n != "ground"},
                       "joints": {name: self.joints[name]}})
        return model.joints[name].coordinates({n: (self.x[n], self.R[n]) for n in self.x})

    # -- machines --

    def chain(self):
        """A tree of bodies by any joints, then one to three joints that close it."""
        r, names = self.random, ["ground"]
        for i in range(r.randint(2, 6)):
            parent = names[-1] if r.random() < 0.75 else r.choice(names)
            kind = r.choice(("revolute",) * 4 + ("universal",) * 3 + ("spherical",) * 2 + ("cylindrical", "screw", "prismatic", "planar"))
            at, along = add(self.x[parent], self.vector()), rot(self.R[parent], self.direction())
            self.place("b%d" % i, add(at, self.vector()), self.R[parent] if kind == "prismatic" else self.orientation())
            slid = {"cylindrical": along, "screw": along, "prismatic": along}.get(kind)
            second = None if slid is None else add(at, mul(r.uniform(-1, 1) * self.size, slid))
            self.join(kind, parent, "b%d" % i, at, None if kind == "spherical" else along, second)
            names.append("b%d" % i)
        for _ in range(r.choice((1, 1, 2, 3))):
            one, two = r.sample(names, 2)
            free = 6 * (len(names) - 1) - sum(ROWS[j["type"]] for j in self.joints.values())
            joined = any({one, two} == set(j["between"]) for j in self.joints.values())
            kind = r.choice(sorted(k for k in ROWS if k != "prismatic" and ROWS[k] < free) or ["parallel_axes"])
            if joined or free <= ROWS[kind] or self.left(one, two) < ROWS[kind]:  # what would close by luck alone
                continue
            at, along = add(self.x[one], self.vector()), self.direction()
            if kind == "distance":
                other = add(at, self.vector())
                self.join(kind, one, two, at, None, other, length=norm(sub(other, at)))
            else:
                self.join(kind, one, two, None if kind == "parallel_axes" else at, None if kind == "spherical" else along)

    def left(self, one, two):
        """Freedoms of two bodies against each other along the tree, less what loops in between take."""
        tree = {j["between"][1]: (j["between"][0], 6 - ROWS[j["type"]]) for j in list(self.joints.values())[:len(self.x) - 1]}

        def path(a, b):  # bodies by whose joints they differ
            ways = []
            for body in (a, b):
                ways.append(set())
                while body != "ground":
                    ways[-1].add(body)
                    body = tree[body][0]
            return ways[0] ^ ways[1]

        here = path(one, two)
        loops = [j for j in list(self.joints.values())[len(self.x) - 1:] if path(*j["between"]) <= here]
        return sum(tree[b][1] for b in here) - sum(ROWS[j["type"]] for j in loops)

    def hexapod(self, count=1):
        """Plates on one another, each on six legs."""
        r, base, center, R = self.random, "ground", (0.0, 0.0, 0.0), EYE
        legs = r.choice(("distance", "prismatic", "cylindrical"))
        for k in range(count):
            up, wide, narrow = r.uniform(0.8, 1.5), r.uniform(0.8, 1.2), r.uniform(0.4, 0.7)
            center = add(center, rot(R, mul(self.size, (r.uniform(-0.2, 0.2), r.uniform(-0.2, 0.2), up))))
            before, R = R, product(R, self.orientation(0.4))
            plate = "plate%d" % k
            self.place(plate, center, R)
            for i in range(6):
                a, b = (math.radians(120 * (j // 2) + turn + s * (1 if j % 2 else -1)) for j, turn, s in ((i, 0, 15), (i + 1, -60, 15)))
                p = add(self.x[base], rot(before, mul(self.size, (wide * math.cos(a), wide * math.sin(a), 0))))
                q = add(center, rot(R, mul(self.size, (narrow * math.cos(b), narrow * math.sin(b), 0))))
                self.leg(legs, "%d%d" % (k, i), base, plate, p, q)
            base = plate

    def hexapods(self):
        self.hexapod(2)

    def leg(self, kind, name, base, plate, p, q):
        length, r = norm(sub(q, p)), self.random
        if kind == "distance":
            self.join("distance", base, plate, p, None, q, length=length)
            return None
        along, f = unit(sub(q, p)), self.direction()
        u = rot(self.R[base], f)
        if norm(cross(u, along)) < 0.3:
            return self.leg(kind, name, base, plate, p, q)
        u = unit(cross(cross(along, u), along))
        f = back(self.R[base], u)
        g = unit(cross(f, EYE[min(range(3), key=lambda i: abs(f[i]))]))
        # arms of the cross: u, and w across it and the leg, which are f and g where axes are parallel
        w = cross(along, u)
        R = product(tuple(zip(u, w, along)), (f, g, cross(f, g)))
        low, high = "low" + name, "high" + name
        self.place(low, p, R)
        self.place(high, q, R)
        slide = list(back(R, along))
        self.joints["u" + name] = {"type": "universal", "between": [base, low], "at": {"first": self.local(base, p), "second": [0.0] * 3},
                                   "axes": {"first": list(f), "second": list(g)}}
        self.joints["s" + name] = {"type": kind, "between": [low, high], "at": {"first": [0.0] * 3, "second": [0.0] * 3},
                                   "axis": {"first": slide, "second": slide}}
        self.joints["t" + name] = {"type": "spherical", "between": [high, plate], "at": {"first": [0.0] * 3, "second": self.local(plate, q)}}
        self.joints["s" + name].update({"drive_length" if kind == "cylindrical" else "drive": "%.15g + 0.1*t" % length} if r.random() < 0.8 else {})
        return None

    def linkage(self):
        """A plane in space in which links turn by hinges, all with parallel axes: closed twice, redundant."""
        r, frame = self.random, self.orientation()
        axis, points = rot(frame, (0.0, 0.0, 1.0)), {}
        flat = lambda: rot(frame, mul(self.size, (r.uniform(-1, 1), r.uniform(-1, 1), 0.0)))
        names = ["ground"]
        for i in range(r.choice((3, 3, 5))):
            parent = names[-1]
            at = flat()
            self.place("b%d" % i, add(at, mul(0.3, flat())), product(rodrigues(mul(r.uniform(-3, 3), axis)), self.orientation(0.0) if r.random() < 0.5 else frame))
            self.join("revolute", parent, "b%d" % i, at, axis)
            names.append("b%d" % i)
        self.join("revolute", names[-1], "ground", flat(), axis)
        if len(names) == 6:
            self.join("revolute", names[2], names[4], flat(), axis) if r.random() < 0.3 else \
                self.join("point_on_line", names[2], names[4], flat(), axis)

    # -- what is given --

    def drive(self):
        """One to two joints of the tree have their true coordinates."""
        for name in self.random.sample(sorted(self.joints), min(len(self.joints), self.random.choice((1, 2)))):
            joint = self.joints[name]
            keys = {"revolute": ("drive", "angle"), "prismatic": ("drive", "length"), "cylindrical": ("drive_length", "length")}.get(joint["type"])
            if keys and keys[0] not in joint:
                joint[keys[0]] = "%.17g" % self.coordinates(name)[keys[1]]

    def body(self, name):
        r = self.random
        b = {"mass": self.mass, "inertia": [self.mass * self.size ** 2] * 3}
        x, R, place = self.x[name], self.R[name], {}
        if self.style in ("rough", "far"):
            off, turn = (0.2, 0.3) if self.style == "rough" else (3.0, math.pi)
            place = {"position": list(add(x, self.vector(off))), "orientation": list(to_quaternion(product(self.orientation(turn), R))), "free": True}
        elif self.style == "angles" and r.random() < 0.6:
            place = {"orientation": list(to_quaternion(R)), "fixed": ["orientation"], "free": ["position"]}
        return {**b, **place}

    def tree(self):
        return {"crank": "mechanism", "dimension": 3, "bodies": {n: self.body(n) for n in self.names}, "joints": self.joints}


def main():
    print(json.dumps(Loops(int(sys.argv[1])).tree(), indent=1))


if __name__ == "__main__":
    main()
