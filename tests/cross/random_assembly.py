"""Mechanisms at random whose bodies are placed nowhere, in part or badly, each decided by its seed alone.

    python3 random_assembly.py SEED     prints the model file

True poses are drawn first; joints are given by `first` and `second` in the axes of their bodies such that they close at the
true poses, so that every mechanism can be assembled. Then places are left out, kept in part, or disturbed.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import random
import sys

from independent.algebra import EYE, add, back, mul, of_quaternion, rodrigues, rot, sub, to_quaternion, unit


class Assembly:
    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.planar = r.random() < 0.5
        self.n = 2 if self.planar else 3
        self.style = r.choice(("nowhere", "nowhere", "first", "angles", "badly"))
        self.R, self.x = {"ground": EYE}, {"ground": (0.0, 0.0, 0.0)}
        self.angle = {"ground": 0.0}
        self.joints, self.size = {}, 10 ** r.choice((0, 0, -3, 3))
        names = ["ground"]
        for i in range(r.randint(2, 5)):
            parent = names[-1] if r.random() < 0.7 else r.choice(names)
            names.append("b%d" % i)
            self.attach(parent, names[-1])
        for _ in range(r.choice((0, 1, 1, 2))):
            self.close(names)
        self.names = names[1:]

    # -- numbers --

    def vector(self, size=1.0):
        v = [self.random.uniform(-size, size) * self.size for _ in range(self.n)]
        return tuple(v) + (0.0,) * (3 - self.n)

    def direction(self):
        r = self.random
        if self.planar:
            a = r.choice((0.0, math.pi / 2, r.uniform(-3, 3)))
            return (math.cos(a), math.sin(a), 0.0)
        return r.choice(EYE) if r.random() < 0.5 else unit([r.gauss(0, 1) for _ in range(3)])

    def cut(self, v):
        return [float(a) for a in v[:self.n]]

    # -- joints --

    def orient(self, body):
        if self.planar:
            self.angle[body] = self.random.uniform(-math.pi, math.pi)
            self.R[body] = rodrigues((0, 0, self.angle[body]))
        else:
            self.R[body] = of_quaternion([self.random.gauss(0, 1) for _ in range(4)])

    def attach(self, parent, body):
        r = self.random
        kinds = ("revolute",) * 6 + ("prismatic",) * 2 if self.planar else \
            ("revolute",) * 5 + ("spherical",) * 3 + ("cylindrical",) * 2 + ("prismatic",)
        kind, first, second, a = r.choice(kinds), self.vector(), self.vector(), self.direction()
        at = add(self.x[parent], rot(self.R[parent], first))
        joint = {"type": kind, "between": [parent, body], "at": {"first": self.cut(first), "second": self.cut(second)}}
        self.orient(body)
        if kind == "prismatic":
            self.R[body], self.angle[body] = self.R[parent], self.angle.get(parent, 0.0)
        along = rot(self.R[parent], a)
        if kind in ("prismatic", "cylindrical"):
            at = add(at, mul(r.uniform(-1, 1) * self.size, along))
        if kind != "spherical" and not (self.planar and kind == "revolute"):
            joint["axis"] = {"first": self.cut(a), "second": self.cut(back(self.R[body], along))}
        self.x[body] = sub(at, rot(self.R[body], second))
        self.joints["j%d" % len(self.joints)] = joint

    def close(self, names):
        """A joint between two bodies where they truly are."""
        r = self.random
        one, two = r.sample(names, 2) if len(names) > 2 else names[:2]
        kind = r.choice(("revolute", "revolute", "distance") if self.planar else
                        ("spherical", "spherical", "distance", "point_in_plane", "cylindrical", "revolute"))
        at, along = add(self.x[one], self.vector()), self.direction()
        joint = {"type": kind, "between": [one, two]}
        ends = [back(self.R[b], sub(at, self.x[b])) for b in (one, two)]
        if kind == "distance":
            other = add(at, self.vector())
            ends[1] = back(self.R[two], sub(other, self.x[two]))
            joint["length"] = math.dist(at, other)
        joint["at"] = dict(zip(("first", "second"), map(self.cut, ends)))
        if kind in ("point_in_plane", "cylindrical") or kind == "revolute" and not self.planar:
            joint["axis"] = {k: self.cut(back(self.R[b], along)) for k, b in zip(("first", "second"), (one, two))}
        self.joints["j%d" % len(self.joints)] = joint

    # -- bodies --

    def body(self, name):
        r, place = self.random, {}
        i = self.size ** 2
        b = {"mass": 1.0, "inertia": i if self.planar else [i, i, i]}
        if self.style == "first" and name == "b0":
            place = {"position": self.cut(self.x[name])}
            place.update({"angle": self.angle[name]} if self.planar else {"orientation": list(to_quaternion(self.R[name]))})
        if self.style == "angles" and r.random() < 0.6:
            place = {"angle": self.angle[name]} if self.planar else {"orientation": list(to_quaternion(self.R[name]))}
            part = "angle" if self.planar else "orientation"
            place.update({"fixed": [part], "free": ["position"]})
        if self.style == "badly":
            place = {"position": self.cut(add(self.x[name], self.vector(0.1)))}
            if self.planar:
                place["angle"] = self.angle[name] + r.uniform(-0.15, 0.15)
            else:
                turn = rodrigues([r.uniform(-0.1, 0.1) for _ in range(3)])
                R = [[sum(turn[i][k] * self.R[name][k][j] for k in range(3)) for j in range(3)] for i in range(3)]
                place["orientation"] = list(to_quaternion(R))
        return {**b, **place}

    def tree(self):
        return {"crank": "mechanism", "dimension": self.n, "bodies": {n: self.body(n) for n in self.names}, "joints": self.joints}


def main():
    print(json.dumps(Assembly(int(sys.argv[1])).tree(), indent=1))


if __name__ == "__main__":
    main()
