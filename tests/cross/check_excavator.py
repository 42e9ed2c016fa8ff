"""Excavators of random dimensions: their cylinders and links close on the side that the guesses say.

    python3 check_excavator.py CRANK FIRST LAST

Boom, stick and bucket, each moved by a cylinder of barrel and rod, the bucket by way of a rocker and a link. The lengths of the
cylinders are given, and of boom, stick and bucket nothing, rough angles as guesses, rough angles, or rough places; or the
angles of the joints are. No cylinder may have a negative length. With rough places bodies must stand as those that the lengths were made
from; with rough angles in the nearest of all ways in which the loops close, which are worked out here one by one (two for each cylinder and two for the
bucket's links; of ways that are alike within a tenth any: a rocker may turn by 70 degrees where the bucket turns by ten). With nothing, or with the angles of the joints, they must stand as they were made, or it must be told
(how the rocker stands is open). Exits with 1 if anything fails.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import random
import subprocess
import sys
import tempfile

COMMAND, FIRST, LAST = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
MAIN = ("boom", "stick", "bucket")
MASSES = {"boom": (1500, 4000), "stick": (800, 900), "bucket": (600, 200), "rocker": (40, 2), "link": (30, 2), "barrel1": (80, 8), "rod1": (60, 6),
          "barrel2": (80, 8), "rod2": (60, 6), "barrel3": (60, 6), "rod3": (40, 4)}


def at(p, angle, u):
    c, s = math.cos(angle), math.sin(angle)
    return p[0] + c*u[0] - s*u[1], p[1] + s*u[0] + c*u[1]


def direction(p, q):
    return math.atan2(q[1] - p[1], q[0] - p[0])


def turns(pin, end, u, length):
    """Angles of a body with its origin at pin, whose point u is that far from the end."""
    d, r = math.dist(pin, end), math.hypot(*u)
    cosine = (r*r + d*d - length*length)/(2*r*d)
    return [direction(pin, end) + side*math.acos(cosine) - math.atan2(u[1], u[0]) for side in (1, -1)] if abs(cosine) <= 1 else []


def lever(p, q, o):
    return abs((q[0] - p[0])*(o[1] - p[1]) - (q[1] - p[1])*(o[0] - p[0]))/math.dist(p, q)


class Excavator:
    """Its dimensions, and how its bodies stand: place {name: (origin, angle)}."""

    def __init__(self, rng):
        while not self.make(rng.uniform):
            pass

    def make(self, u):
        self.foot, self.boom, self.stick = (0, u(1.2, 1.8)), u(4.5, 6.5), u(2.2, 3.5)
        self.pins = [(u(0.5, 1), u(0.8, 1.3)), (u(2, 3), u(0, 0.8)), (u(2.5, 3.5), u(0.6, 1.2)), (-u(0.5, 0.9), u(0, 0.4)), (u(0.2, 0.6), u(0.3, 0.6))]
        self.rocker_pin, self.rocker, self.link, self.ear = (self.stick - u(0.35, 0.5), u(0, 0.05)), u(0.5, 0.7), u(0.5, 0.7), (u(0.1, 0.2), u(0.35, 0.5))
        angle = math.radians(u(10, 50))
        angles = [angle, angle - math.radians(u(50, 120))]
        angles.append(angles[1] - math.radians(u(20, 80)))
        elbow = at(self.foot, angles[0], (self.boom, 0))
        wrist = at(elbow, angles[1], (self.stick, 0))
        pin = [self.pins[0], at(self.foot, angles[0], self.pins[1]), at(self.foot, angles[0], self.pins[2]), at(elbow, angles[1], self.pins[3]),
               at(elbow, angles[1], self.pins[4])]
        r, ear = at(elbow, angles[1], self.rocker_pin), at(wrist, angles[2], self.ear)
        d = math.dist(r, ear)
        along = (self.rocker**2 - self.link**2 + d*d)/(2*d)
        if self.rocker**2 - along**2 < 0.125**2:
            return False
        heads = [at(r, direction(r, ear), (along, side*math.sqrt(self.rocker**2 - along**2))) for side in (1, -1)]
        head = max(heads, key=lambda p: at((0, 0), -angles[1], (p[0] - r[0], p[1] - r[1]))[1])
        self.length = [math.dist(pin[0], pin[1]), math.dist(pin[2], pin[3]), math.dist(pin[4], head)]
        levers = (lever(pin[0], pin[1], self.foot), lever(pin[2], pin[3], elbow), lever(pin[4], head, r))
        ends = ((pin[0], pin[1]), (pin[2], pin[3]), (pin[4], head))
        self.place = {"boom": (self.foot, angles[0]), "stick": (elbow, angles[1]), "bucket": (wrist, angles[2]), "rocker": (r, direction(r, head)),
                      "link": (head, direction(head, ear))}
        for i, (p, q) in enumerate(ends, 1):
            self.place.update({"barrel%d" % i: (p, direction(p, q)), "rod%d" % i: (q, direction(p, q))})
        self.angle = angles
        return min(levers) > 0.12 and min(self.length) > 0.7

    def ways(self):
        """Angles of boom, stick, bucket and rocker in all ways to close the loops."""
        for boom in turns(self.foot, self.pins[0], self.pins[1], self.length[0]):
            for stick in turns((self.boom, 0), self.pins[2], self.pins[3], self.length[1]):
                for rocker in turns(self.rocker_pin, self.pins[4], (self.rocker, 0), self.length[2]):
                    head = at(self.rocker_pin, rocker, (self.rocker, 0))
                    for bucket in turns((self.stick, 0), head, self.ear, self.link):
                        yield {"boom": boom, "stick": boom + stick, "bucket": boom + stick + bucket, "rocker": boom + stick + rocker}

    def text(self, given, initial):
        lines = ["crank: mechanism", "dimension: 2", "gravity: [0, -9.81]", "bodies:"]
        lines += ["  %s: {mass: %g, inertia: %g%s}" % (n, *MASSES[n], given.get(n, "")) for n in MASSES]
        lines.append("joints:")

        def pin(name, first, second, p, q):
            lines.append("  %s: {type: revolute, between: [%s, %s], at: {first: [%.9g, %.9g], second: [%.9g, %.9g]}}" % (name, first, second, *p, *q))

        pin("foot", "ground", "boom", self.foot, (0, 0))
        pin("elbow", "boom", "stick", (self.boom, 0), (0, 0))
        pin("wrist", "stick", "bucket", (self.stick, 0), (0, 0))
        pin("rocker", "stick", "rocker", self.rocker_pin, (0, 0))
        pin("head", "rocker", "link", (self.rocker, 0), (0, 0))
        pin("ear", "link", "bucket", (self.link, 0), self.ear)
        ends = (("ground", self.pins[0], "boom", self.pins[1]), ("boom", self.pins[2], "stick", self.pins[3]),
                ("stick", self.pins[4], "rocker", (self.rocker, 0)))
        for i, (a, p, b, q) in enumerate(ends, 1):
            pin("low%d" % i, a, "barrel%d" % i, p, (0, 0))
            lines.append("  cylinder%d: {type: prismatic, between: [barrel%d, rod%d], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}"
                         % (i, i, i))
            pin("high%d" % i, "rod%d" % i, b, (0, 0), q)
        lines += ["initial: {joints: {%s}}" % initial, "simulate: {t_end: 0.1}", ""]
        return "\n".join(lines)


def starts(made, rng):
    """Name, what is given of bodies, of joints; does that tell the sides apart?"""
    def rough(name, sigma, more):
        return ", angle: %.5g%s" % (made.place[name][1] + rng.gauss(0, sigma), more)

    def placed(name):
        p = made.place[name][0]
        return ", position: [%.5g, %.5g]%s" % (p[0] + rng.gauss(0, 0.05), p[1] + rng.gauss(0, 0.05), rough(name, 0.03, ""))

    lengths = ", ".join("cylinder%d: {length: %.9g}" % (i, made.length[i - 1]) for i in (1, 2, 3))
    a = made.angle
    angles = "foot: {angle: %.9g}, elbow: {angle: %.9g}, wrist: {angle: %.9g}" % (a[0], a[1] - a[0], a[2] - a[1])
    yield "nothing", {}, lengths, False
    yield "guesses", {n: rough(n, 0.1, ", free: true") for n in MAIN}, lengths, True
    yield "angles", {n: rough(n, 0.1, ", free: [position]") for n in MAIN}, lengths, True
    yield "places", {n: placed(n) for n in MASSES}, lengths, True
    yield "joints", {}, angles, False


def read(text):
    x = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) > 2 and words[0].startswith("body."):
            x[words[0][5:]] = float(words[2])
    return x


def check(made, given, initial, decided, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(made.text(given, initial))
    done = subprocess.run([COMMAND, "init", "--all", path], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0:
        return done.stderr.strip()[-300:]
    x = read(done.stdout)
    for i in "123":
        p, q = (x["barrel%s.x" % i], x["barrel%s.y" % i]), (x["rod%s.x" % i], x["rod%s.y" % i])
        if at((0, 0), -x["barrel%s.angle" % i], (q[0] - p[0], q[1] - p[1]))[0] <= 0:
            return "cylinder%s has a negative length" % i
    rough = {n: float(given[n].split("angle: ")[1].split(",")[0]) for n in given}
    if decided and "barrel1" not in given:
        def far(way):
            return math.sqrt(sum(math.remainder(way[n] - rough[n], 2*math.pi)**2 for n in rough))

        def stands(way):
            return max(abs(math.remainder(x[n + ".angle"] - way[n], 2*math.pi)) for n in way) < 1e-4

        ways = sorted(made.ways(), key=far)
        here = [way for way in ways if stands(way)]
        return None if here and far(here[0])*0.9 <= far(ways[0]) else "it stands %s from what is given, another way is %.3g rad" % (
            "%.3g rad" % far(here[0]) if here else "in no way that is known", far(ways[0]))
    off = {n: abs(math.remainder(x[n + ".angle"] - made.place[n][1], 2*math.pi)) for n in MASSES}
    worst = max(off, key=off.get)
    told = "can be assembled in another way" in done.stderr
    return None if off[worst] < 1e-4 or (told and not decided) else "%s is turned by %.0f deg from where it should be%s" % (
        worst, math.degrees(off[worst]), ", told" if told else "")


def main():
    failures = count = 0
    with tempfile.TemporaryDirectory() as place:
        for seed in range(FIRST, LAST + 1):
            rng = random.Random(seed)
            made = Excavator(rng)
            for name, given, initial, decided in starts(made, rng):
                count += 1
                wrong = check(made, given, initial, decided, os.path.join(place, "%s.yaml" % name))
                if wrong:
                    failures += 1
                    print("FAIL seed %d, %s: %s" % (seed, name, wrong))
    print("%d starts, %d failures" % (count, failures))
    sys.exit(failures > 0)


main()
