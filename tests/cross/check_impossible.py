"""Mechanisms with one wrong dimension, so that they cannot be assembled: what is named belongs to the loop that is wrong.

    python3 check_impossible.py CRANK FIRST LAST [-v]

Machines with several loops, in the plane and in space, of random dimensions: an excavator, a six-bar, two slider cranks on one shaft,
a wishbone suspension, a platform on six legs, two spatial four-bars on one shaft. One rod of each is too short, or one cylinder has
a length or a drive that cannot be. Bodies are placed nowhere, roughly, or by guesses. The joint (or the condition) that is named must be one of those
of which each, left out, lets all others close; no other joint may be named anywhere in the message as one that cannot be closed.
Exits with 1 if anything fails.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import random
import re
import subprocess
import sys
import tempfile

COMMAND, FIRST, LAST = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
VERBOSE = "-v" in sys.argv


class Machine:
    """Bodies at true places (which close but for what is wrong); joints by points of these."""

    def __init__(self, rng, planar):
        self.rng, self.planar = rng, planar
        self.bodies, self.joints, self.initial = {}, [], []
        self.wrong, self.gap = set(), None

    def body(self, name, origin=(0, 0, 0), turn=0.0, axis=(0, 0, 1)):
        self.bodies[name] = (origin, turn, axis)

    def joint(self, name, kind, first, second, at1, at2, more=""):
        n = 2 if self.planar else 3
        cut = lambda u: "[" + ", ".join("%.9g" % a for a in (tuple(u) + (0.0,))[:n]) + "]"
        self.joints.append("  %s: {type: %s, between: [%s, %s], at: {first: %s, second: %s}%s}" % (name, kind, first, second, cut(at1), cut(at2), more))

    def pin(self, name, first, second, at1, at2):
        more = "" if self.planar else ", axis: {first: [0, 0, 1], second: [0, 0, 1]}"
        self.joint(name, "revolute", first, second, at1, at2, more)

    def ball(self, name, first, second, at1, at2):
        self.joint(name, "spherical", first, second, at1, at2)

    def text(self, style):
        u = self.rng.gauss
        lines = ["crank: mechanism", "dimension: %d" % (2 if self.planar else 3), "bodies:"]
        for name, (origin, turn, axis) in self.bodies.items():
            place = ""
            if style != "nowhere":
                o = [a + u(0, 0.02) for a in origin]
                place = ", position: [%s]" % ", ".join("%.5g" % a for a in o[:2 if self.planar else 3])
                place += ", angle: %.5g" % (turn + u(0, 0.03)) if self.planar else ", orientation: {axis: [%g, %g, %g], angle: %.5g}" % (*axis, turn + u(0, 0.03))
                place += ", free: true" if style == "guesses" else ""
            lines.append("  %s: {mass: 1, inertia: %s%s}" % (name, "0.1" if self.planar else "[0.1, 0.1, 0.1]", place))
        lines += ["joints:"] + self.joints
        if self.initial:
            lines.append("initial: {joints: {%s}}" % ", ".join(self.initial))
        return "\n".join(lines) + "\nsimulate: {t_end: 0.1}\n"


def at(p, angle, u):
    c, s = math.cos(angle), math.sin(angle)
    return p[0] + c*u[0] - s*u[1], p[1] + s*u[0] + c*u[1]


def direction(p, q):
    return math.atan2(q[1] - p[1], q[0] - p[0])


def rod(m, name, first, p1, second, p2, a, b, length, style):
    """Between points p1 of first and p2 of second, which are at a and b: a rod of this length, or a cylinder that is as long."""
    turn = direction(a, b)
    if style == "rod":
        m.body(name, a, turn)
        m.pin(name + "_low", first, name, p1, (0, 0))
        m.pin(name + "_high", name, second, (length, 0), p2)
        return {name + "_low", name + "_high"}
    m.body(name + "_barrel", a, turn)
    m.body(name + "_piston", b, turn)
    m.pin(name + "_low", first, name + "_barrel", p1, (0, 0))
    more = ", axis: {first: [1, 0], second: [1, 0]}" + (", drive: %.9g" % length if style == "drive" else "")
    m.joint(name, "prismatic", name + "_barrel", name + "_piston", (0, 0), (0, 0), more)
    m.pin(name + "_high", name + "_piston", second, (0, 0), p2)
    if style == "condition":
        m.initial.append("%s: {length: %.9g}" % (name, length))
    return {name, name + "_low", name + "_high"}


def excavator(rng):
    m, u = Machine(rng, True), rng.uniform
    foot, boom, stick = (0, u(1.2, 1.8)), u(4.5, 6.5), u(2.2, 3.5)
    pins = [(u(0.5, 1), u(0.8, 1.3)), (u(2, 3), u(0, 0.8)), (u(2.5, 3.5), u(0.6, 1.2)), (-u(0.5, 0.9), u(0, 0.4)), (u(0.2, 0.6), u(0.3, 0.6))]
    rocker_pin, rocker, link, ear = (stick - u(0.35, 0.5), 0), u(0.5, 0.7), u(0.5, 0.7), (u(0.1, 0.2), u(0.35, 0.5))
    a0 = math.radians(u(10, 50))
    a1 = a0 - math.radians(u(50, 120))
    a2 = a1 - math.radians(u(20, 80))
    elbow = at(foot, a0, (boom, 0))
    wrist, r = at(elbow, a1, (stick, 0)), at(elbow, a1, rocker_pin)
    e = at(wrist, a2, ear)
    d = math.dist(r, e)
    along = (rocker**2 - link**2 + d*d)/(2*d)
    if rocker**2 - along**2 < 0.15**2:
        return excavator(rng)
    head = max((at(r, direction(r, e), (along, s*math.sqrt(rocker**2 - along**2))) for s in (1, -1)), key=lambda p: at((0, 0), -a1, (p[0] - r[0], p[1] - r[1]))[1])
    m.body("boom", foot, a0)
    m.body("stick", elbow, a1)
    m.body("bucket", wrist, a2)
    m.body("rocker", r, direction(r, head))
    wrong = rng.choice(("one", "two", "three", "link"))
    style = rng.choice(("rod", "condition", "drive"))
    m.pin("foot", "ground", "boom", foot, (0, 0))
    m.pin("elbow", "boom", "stick", (boom, 0), (0, 0))
    m.pin("wrist", "stick", "bucket", (stick, 0), (0, 0))
    m.pin("rocker", "stick", "rocker", rocker_pin, (0, 0))
    p = [pins[0], at(foot, a0, pins[1]), at(foot, a0, pins[2]), at(elbow, a1, pins[3]), at(elbow, a1, pins[4])]
    cylinders = (("one", "ground", pins[0], "boom", pins[1], p[0], p[1], foot, {"foot"}),
                 ("two", "boom", pins[2], "stick", pins[3], p[2], p[3], elbow, {"elbow"}),
                 ("three", "stick", pins[4], "rocker", (rocker, 0), p[4], head, r, {"rocker"}))
    for name, first, p1, second, p2, a, b, hinge, others in cylinders:
        length = math.dist(a, b)
        reach = math.dist(a, hinge), math.dist(b, hinge)
        if name == wrong:
            short = abs(reach[0] - reach[1])
            length = u(0.3, 0.7)*short if rng.random() < 0.5 and short > 0.2 else u(1.2, 1.5)*sum(reach)
        own = rod(m, name, first, p1, second, p2, a, b, length, style if name == wrong or style == "rod" else rng.choice((style, "free")))
        if name == wrong:
            m.wrong = own | others
    # the link closes the loop of rocker and bucket
    if wrong == "link":
        short = d - rocker - math.dist(e, wrist)  # the bucket may turn
        far = math.dist(r, wrist) + math.dist(e, wrist) + rocker
        m.wrong = {"link_low", "link_high", "wrist", "rocker"}
        own = rod(m, "link", "rocker", (rocker, 0), "bucket", ear, head, e, u(1.3, 1.6)*far, "rod")
    else:
        rod(m, "link", "rocker", (rocker, 0), "bucket", ear, head, e, math.dist(head, e), "rod")
    return m


def six_bar(rng):
    """A crank, two four-bars in a row; a rod of one of them is too short or too long."""
    m, u = Machine(rng, True), rng.uniform
    wrong = rng.choice((1, 2))
    feet = [(0, 0), (u(3, 4), u(-0.5, 0.5)), (u(6, 7), u(-0.5, 0.5))]
    arms, angles = [u(0.5, 1), u(1, 1.5), u(1, 1.5)], [math.radians(u(60, 120)) for _ in range(3)]
    tips = [at(f, a, (r, 0)) for f, a, r in zip(feet, angles, arms)]
    for i in range(3):
        m.body("arm%d" % i, feet[i], angles[i])
        m.pin("foot%d" % i, "ground", "arm%d" % i, feet[i], (0, 0))
    for i in (1, 2):
        length = math.dist(tips[i - 1], tips[i])
        if i == wrong:
            base = math.dist(feet[i - 1], feet[i])
            short = base - arms[i - 1] - arms[i]
            length = u(0.3, 0.7)*short if rng.random() < 0.5 and short > 0.2 else u(1.2, 1.5)*(base + arms[i - 1] + arms[i])
        own = rod(m, "rod%d" % i, "arm%d" % (i - 1), (arms[i - 1], 0), "arm%d" % i, (arms[i], 0), tips[i - 1], tips[i], length, "rod")
        if i == wrong:
            m.wrong = own | {"foot%d" % (i - 1), "foot%d" % i}
    return m


def engine(rng):
    """Cranks on one shaft, each with a rod and a piston; the line of one piston is farther away than its rod reaches."""
    m, u = Machine(rng, True), rng.uniform
    turn, count = math.radians(u(0, 360)), rng.choice((2, 3))
    m.body("shaft", (0, 0), turn)
    m.pin("bearing", "ground", "shaft", (0, 0), (0, 0))
    wrong = rng.randrange(count)
    for i in range(count):
        throw, rod_length, phase = u(0.3, 0.5), u(1, 1.5), math.radians(360*i/count)
        pin = at((0, 0), phase, (throw, 0))
        tip = at((0, 0), turn + phase, (throw, 0))
        line = u(-0.2, 0.2)
        piston = (tip[0] + math.sqrt(rod_length**2 - (tip[1] - line)**2), line)
        m.body("rod%d" % i, tip, direction(tip, piston))
        m.body("piston%d" % i, piston, 0.0)
        m.pin("big%d" % i, "shaft", "rod%d" % i, pin, (0, 0))
        m.pin("small%d" % i, "rod%d" % i, "piston%d" % i, (rod_length, 0), (0, 0))
        off = line + (throw + rod_length)*u(1.3, 1.6)*rng.choice((-1, 1)) if i == wrong else line
        m.joint("liner%d" % i, "prismatic", "ground", "piston%d" % i, (0, off), (0, 0), ", axis: {first: [1, 0], second: [1, 0]}")
        if i == wrong:
            m.wrong = {"big%d" % i, "small%d" % i, "liner%d" % i, "bearing"}
    return m


def spatial_four_bars(rng):
    """A shaft that moves two rockers by rods with balls; one rod is too short."""
    m, u = Machine(rng, False), rng.uniform
    m.body("shaft", (0, 0, 0), u(0, 6))
    m.pin("bearing", "ground", "shaft", (0, 0, 0), (0, 0, 0))
    wrong = rng.choice((0, 1))
    for i in (0, 1):
        throw, arm = u(0.2, 0.4), u(0.6, 0.9)
        foot = (u(1.5, 2), u(-0.5, 0.5), (1 - 2*i)*u(0.5, 1))
        # rockers turn about an axis of their own, across that of the shaft
        m.body("rocker%d" % i, foot, 90.0*math.pi/180, (1, 0, 0))
        m.joint("foot%d" % i, "revolute", "ground", "rocker%d" % i, foot, (0, 0, 0), ", axis: {first: [0, -1, 0], second: [0, 0, 1]}")
        distance = math.dist(foot, (0, 0, 0))
        length = distance if i != wrong else u(0.2, 0.5)*(distance - arm - throw) if rng.random() < 0.5 else u(1.3, 1.6)*(distance + arm + throw)
        m.body("rod%d" % i, (0, 0, 0), 0.0)
        m.joint("low%d" % i, "universal", "shaft", "rod%d" % i, (throw, 0, 0), (0, 0, 0), ", axes: {first: [0, 0, 1], second: [0, 1, 0]}")
        m.ball("high%d" % i, "rod%d" % i, "rocker%d" % i, (length, 0, 0), (arm, 0, 0))
        if i == wrong:
            m.wrong = {"bearing", "low%d" % i, "high%d" % i, "foot%d" % i}
    return m


def suspension(rng):
    """Two wishbones, a carrier, a tie rod of `distance`; the rod or the carrier is wrong."""
    m, u = Machine(rng, False), rng.uniform
    low, up = u(0.35, 0.45), u(0.25, 0.32)
    high = u(0.2, 0.3)
    m.body("lower", (0, 0.3, 0), 0.0)
    m.body("upper", (0, 0.3 + u(0, 0.1), high), 0.0)
    m.body("carrier", (0, 0.3 + low, 0), 0.0)
    upper_foot = m.bodies["upper"][0]
    m.joint("lower_pivot", "revolute", "ground", "lower", (0, 0.3, 0), (0, 0, 0), ", axis: {first: [1, 0, 0], second: [1, 0, 0]}")
    m.joint("upper_pivot", "revolute", "ground", "upper", upper_foot, (0, 0, 0), ", axis: {first: [1, 0, 0], second: [1, 0, 0]}")
    m.ball("lower_ball", "lower", "carrier", (0, low, 0), (0, 0, 0))
    wrong = rng.choice(("carrier", "tie"))
    base = math.dist(upper_foot, (0, 0.3, 0))
    height = (base + low + up)*u(1.2, 1.5) if wrong == "carrier" else math.dist((0, 0.3 + low, 0), (0, upper_foot[1] + up, high))
    m.ball("upper_ball", "upper", "carrier", (0, up, 0), (0, 0, height))
    arm = (u(0.1, 0.15), 0, 0.1)
    rack = (u(0.1, 0.2), u(0.3, 0.35), 0.1)
    # the ball of the tie rod stays within a ball about the lower pivot
    reach = math.dist(rack, (0, 0.3, 0)) + low + math.hypot(*arm)
    length = reach*u(1.2, 1.5) if wrong == "tie" else math.dist((arm[0], 0.3 + low, 0.1), rack)
    m.joint("tie", "distance", "ground", "carrier", rack, arm, ", length: %.9g" % length)
    m.wrong = {"tie", "lower_ball", "lower_pivot"} if wrong == "tie" else {"lower_ball", "upper_ball", "lower_pivot", "upper_pivot"}
    return m


def platform(rng):
    """Six legs; one is far too long for the others."""
    m, u = Machine(rng, False), rng.uniform
    m.body("plate", (0, 0, 1), 0.0)
    wrong = rng.randrange(6)
    for i in range(6):
        a, b = math.radians(120*(i//2) + (20 if i % 2 else -20)), math.radians(120*((i + 1)//2) - 60 + (20 if (i + 1) % 2 else -20))
        p, q = (1.0*math.cos(a), 1.0*math.sin(a), 0.0), (0.6*math.cos(b), 0.6*math.sin(b), 0.0)
        length = math.dist(p, (q[0], q[1], 1.0))*u(0.95, 1.05)
        length *= u(3, 4) if i == wrong else 1.0
        m.joint("leg%d" % i, "distance", "ground", "plate", p, q, ", length: %.9g" % length)
    m.wrong = {"leg%d" % wrong}
    return m


MACHINES = (excavator, excavator, six_bar, engine, spatial_four_bars, suspension, platform)


def judge(m, text, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([COMMAND, "init", path], capture_output=True, text=True, check=False, timeout=300)
    message = done.stderr.strip()
    if done.returncode == 0:
        return "it was assembled", message
    named = re.findall(r'(?:joint "|joint\.)(\w+)', message)
    if "open by" not in message and "off by" not in message:
        return "no gap is told", message
    if not named:
        return "nothing is named", message
    wrong = [n for n in named if n not in m.wrong]
    if wrong:
        return "%s named, none but %s cannot close" % (wrong, sorted(m.wrong)), message
    return None, message


def main():
    failures = count = 0
    with tempfile.TemporaryDirectory() as place:
        for seed in range(FIRST, LAST + 1):
            rng = random.Random(seed)
            m = MACHINES[seed % len(MACHINES)](rng)
            style = rng.choice(("nowhere", "roughly", "guesses"))
            path = os.path.join(place, "m.yaml")
            text = m.text(style)
            if VERBOSE and FIRST == LAST:
                print(text)
            problem, message = judge(m, text, path)
            count += 1
            if problem:
                failures += 1
                print("FAIL seed %d, %s, %s: %s" % (seed, MACHINES[seed % len(MACHINES)].__name__, style, problem))
            if problem or VERBOSE:
                print("    " + message[-600:])
    print("%d machines, %d failures" % (count, failures))
    sys.exit(failures > 0)


main()
