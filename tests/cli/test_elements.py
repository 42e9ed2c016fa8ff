"""Joints and forces as a file says them: axes in turned assemblies, what redundant teeth share, forces that read each
other, names in repeats, units."""
# SPDX-License-Identifier: BSD-3-Clause
import itertools
import json
import math
import os

from command import DONE, CommandTest, main

BRICARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models", "bricard", "bricard.yaml")

BUSHING3 = """\
crank: mechanism
bodies: {b: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 0]}}
forces: {s: {type: bushing, between: [ground, b], at: [0, 0, 0], %s stiffness: [1e3, 1e5, 1e4, 10, 10, 10]}}
"""
BUSHING2 = """\
crank: mechanism
dimension: 2
bodies: {b: {mass: 10, inertia: 1, position: [0, 0]}}
forces: {s: {type: bushing, between: [ground, b], at: [0, 0], %s stiffness: [1e3, 1e5, 10]}}
"""

PLANETS = """\
crank: mechanism
dimension: 2
parameters: {rs: 0.036, rp: 0.027, rr: rs + 2*rp, a: rs + rp, turn: %s}
bodies:
  sun:     {mass: 0.8, shape: {cylinder: [rs, 0.03]}, position: [0, 0]}
  ring:    {mass: 3, inertia: 3*(rr + 0.008)^2, position: [0, 0]}
  carrier: {mass: 2.5, inertia: 0.01, position: [0, 0]}
joints:
  sun_shaft:     {type: revolute, between: [ground, sun], at: [0, 0]}
  ring_bearing:  {type: revolute, between: [ground, ring], at: [0, 0]}
  carrier_shaft: {type: revolute, between: [ground, carrier], at: [0, 0]}
repeat:
  count: 3
  let: {"f{i}": turn + 2*pi*(i - 1)/3}
  bodies:
    planet{i}: {mass: 0.35, shape: {cylinder: [rp, 0.03]}, %s}
  joints:
    pin{i}:  {type: revolute, between: [carrier, "planet{i}"], at: {first: ["a*cos(f{i})", "a*sin(f{i})"], second: [0, 0]}}
    sp{i}:   {type: mesh, between: [sun, "planet{i}"], radii: [rs, rp]}
    pr{i}:   {type: mesh, between: ["planet{i}", ring], radii: [rp, -rr], flank: cw}
forces:
  motor: {type: torque, body: sun, torque: 40}
simulate: {t_end: 0.01, points: 4}
"""
PLACED = 'position: ["a*cos(f{i})", "a*sin(f{i})"]'

DOOR = """\
crank: mechanism
bodies: {door: {mass: 2, inertia: [1, 1.5, 2], center: [0.4, 0.1, 0.3], position: [0, 0, 0]}}
joints:
  low:  {type: revolute, between: [ground, door], at: [0, 0, 0], axis: [0, 0, 1]}
  high: {type: revolute, between: [ground, door], at: [0, 0, 1], axis: [0, 0, 1]}
  ball: {type: spherical, between: [ground, door], at: [0, 0, 1.5]}
forces: {push: {type: force, body: door, local: [0.7, 0.2, 0.6], force: [3, 5, -7], axes: body}}
"""

# an eccentric cam under a tappet with a flat face and a weak spring
FLOAT = """\
crank: mechanism
dimension: 2
parameters: {w: 300}
bodies:
  cam: {mass: 1, inertia: 1e-3, position: [0, 0]}
  tappet: {mass: 0.1, inertia: 1e-5, position: [0, 0.02]}
joints:
  shaft: {type: revolute, between: [ground, cam], at: {first: [0, 0], second: [0, 0]}, drive: w*t}
  guide: {type: prismatic, between: [ground, tappet], at: {first: [0, 0], second: [0, 0]}, axis: [0, 1]}
  face: {type: profile, between: %s, profiles: [%s], start: [%s]}
forces: {coil: {type: spring, joint: guide, stiffness: 100, length: 0}}
simulate: {t_end: 0.02, points: 20, rtol: 1e-9, atol: 1e-9}
"""


class Axes(CommandTest):
    def sag(self, part, dimension, turn):
        """How far a body yields along x of the world, in an assembly that is turned."""
        zero = "0, " * (dimension - 2) + "0"
        self.write(part, "part.yaml")
        names, rows = self.run_model(
            f"crank: mechanism\ndimension: {dimension}\ngravity: [9.81, {zero}]\n"
            f"assemblies: {{a: {{use: part.yaml, velocity: [0, {zero}], orientation: {turn}}}}}\n"
            "initial: {x: body.a.b.ax}\nsimulate: {t_end: 0.01, points: 1}\n")
        return rows[0][names.index("body.a.b.x")]

    def test_bushing_that_an_event_releases_lets_its_body_fly_and_turn(self):
        """A load on a turning arm: released at t = 1 it flies on a parabola, the balance of energy tells what was stored."""
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
energy: true
parameters: {hold: 1}
bodies:
  arm: {mass: 20, inertia: [1, 1, 1], position: [0, 0, 2]}
  load: {mass: 5, inertia: [0.1, 0.12, 0.08], position: [1, 0, 2]}
joints: {shaft: {type: revolute, between: [ground, arm], at: [0, 0, 2], axis: [0, 0, 1], drive: 3*t - 2*t^2}}
forces:
  grip: {type: bushing, between: [arm, load], at: [1, 0, 2], stiffness: [1e5, 1e5, 1e5, 1e3, 1e3, 1e3],
         damping: [300, 300, 300, 3, 3, 3], scale: %s}
events: {drop: {when: t - 0.3, actions: {set: {hold: 0}}}}
simulate: {t_end: 2, rtol: 1e-8, atol: 1e-8}
"""
        for method in ("auto", "psf-radau"):
            for coordinates in ("absolute", "joint"):
                result = self.expect(DONE, "run", self.write(text % "hold"), "--method", method, "--coordinates", coordinates,
                                     "--out", "a.csv")
                names, rows = self.table(self.read("a.csv"))
                column = {name: i for i, name in enumerate(names)}
                first = next(row for row in reversed(rows) if row[0] <= 0.3)  # after the event
                last = rows[-1]
                t = last[0] - first[0]
                for axis, pull in (("x", 0), ("y", 0), ("z", -9.81)):
                    way = first[column[f"body.load.v{axis}"]]*t + pull*t*t/2
                    self.assertAlmostEqual(last[column[f"body.load.{axis}"]], first[column[f"body.load.{axis}"]] + way, delta=1e-6)
                self.assertIn("changed by events by -0.0", result.err)
                self.assertLess(float(result.err.split("drift ")[1].split()[0]), 1e-5)
                self.assertGreater(max(abs(row[column["force.grip.rz"]]) for row in rows), 3.1)  # half a turn and more
        # a factor that depends on time and on the motion
        result = self.expect(DONE, "run", self.write(text % "1 + 0.5*sin(5*t) + 0.1*body.load.vx"), "--t-end", "0.2", "--out", "a.csv")
        self.assertLess(float(result.err.split("drift ")[1].split()[0]), 1e-5)

    def test_bushings_turn_with_their_assembly_whether_their_axes_are_given_or_not(self):
        wanted = 10 * 9.81 / 1e5  # its y is along x of the world
        about_z = "{axis: [0, 0, 1], angle: 90 deg}"
        for axes in ("", "orientation: [1, 0, 0, 0],"):
            self.assertAlmostEqual(self.sag(BUSHING3 % axes, 3, about_z), wanted, delta=1e-9)
        for axes in ("", "orientation: 0,"):
            self.assertAlmostEqual(self.sag(BUSHING2 % axes, 2, "90 deg"), wanted, delta=1e-9)


class Shares(CommandTest):
    def test_no_share_is_more_than_what_was_found(self):
        """Rounding led the search for the least share of Bricard's mechanism to 1e11 N in single rows; bodies weigh 30 N
        together, and the method's own multipliers reach 230 N."""
        self.expect(DONE, "run", BRICARD, "--quiet", "--points", "1000", "--out", "o.h5")
        for line in self.expect(DONE, "plot", "o.h5", "--list").out.splitlines():
            words = line.replace("N m", "N").split()
            if words[0].startswith("joint.P") and words[1] == "N":
                self.assertLess(max(abs(float(words[2])), abs(float(words[3]))), 300, line)

    def test_hinges_share_alike_however_the_door_is_turned(self):
        self.write(DOOR, "door.yaml")
        found = []
        for turn in ("{axis: [0, 0, 1], angle: 0}", "{axis: [1, 2, 3], angle: 0.7}", "{axis: [3, -1, 1], angle: 2}"):
            names, rows = self.run_model("crank: mechanism\nassemblies: {a: {use: door.yaml, orientation: %s}}\n"
                                         "simulate: {t_end: 0.01, points: 1}\n" % turn)
            value = dict(zip(names, rows[0]))
            found.append([math.hypot(*(value[f"joint.a.{joint}.{kind}{axis}"] for axis in "xyz"))
                          for joint in ("low", "high", "ball") for kind in "ft"])
        for other in found[1:]:
            for a, b in zip(found[0], other):
                self.assertAlmostEqual(a, b, delta=1e-9)
        self.assertGreater(min(found[0][0], found[0][2], found[0][4]), 1.0)

    def test_planets_share_alike_however_the_machine_is_turned(self):
        for turn in ("0", "0.5", "pi/2"):
            names, rows = self.run_model(PLANETS % (turn, PLACED))
            for row in rows:
                value = dict(zip(names, row))
                for pair in ("sp", "pr"):
                    effort = [value[f"joint.{pair}{i}.effort"] for i in (1, 2, 3)]
                    for i in range(3):  # conjugate gradients end at 1e-14 of all forces
                        self.assertAlmostEqual(effort[i], sum(effort)/3, delta=1e-9*abs(effort[i]))
                for bearing in ("sun_shaft", "ring_bearing", "carrier_shaft"):
                    for component in ("fx", "fy"):
                        self.assertAlmostEqual(value[f"joint.{bearing}.{component}"], 0.0, delta=1e-7)

    def test_rounding_is_not_told_as_a_load_that_teeth_pushed_before(self):
        text = (PLANETS % ("0", PLACED)).replace(", flank: cw", "")
        for first, told in (("-1e-15", False), ("-40", True)):
            err = self.expect(DONE, "run", self.write(text.replace("torque: 40", 'torque: "if(t < 0.004, %s, 40)"' % first))).err
            self.assertIn("its teeth pull", err)
            self.assertEqual("that they push" in err, told, err)

    def test_gears_mesh_where_pins_place_them_as_where_the_file_does(self):
        found = [self.run_model(PLANETS % ("0.5", place)) for place in (PLACED, "center: [0, 0]", "angle: 0")]
        self.assertEqual(*([row[names.index("body.planet2.x")] for row in rows] for names, rows in found[1:]))
        for one, other in zip(*([dict(zip(names, row)) for row in rows] for names, rows in found[:2])):  # columns in another order
            for name, value in one.items():
                if name.startswith(("body.", "joint.sp", "joint.pr")) and "unique" not in name:
                    self.assertAlmostEqual(value, other[name], delta=1e-9*max(1, abs(value)), msg=name)
        self.bad_model(PLANETS % ("0", "angle: 0, preferred: [position]"), 'joint "sp1": the centres of "sun" and "planet1" are 0 apart')
        self.bad_model((PLANETS % ("0", PLACED)).replace("-rr", "rr"), "an internal gear has a negative radius")

    def test_teeth_that_pull_are_told_once_with_the_other_flank(self):
        right = PLANETS % ("0", PLACED)
        for text, told in ((right, False), (right.replace(", flank: cw", ""), True), (right.replace("torque: 40", "torque: 0"), False)):
            result = self.expect(DONE, "run", self.write(text))
            self.assertEqual(result.err.count("its teeth pull"), told, result.err)
            self.assertEqual('joint "pr1"' in result.err and 'say "flank: cw"; likewise 2 more, "pr2", "pr3"' in result.err, told, result.err)
        # a start at which they pull for a moment is none
        text = right.replace("torque: 40", "'torque: \"40*if(t < 0.001, -1, 1)\"'"[1:-1])
        self.assertNotIn("its teeth pull", self.expect(DONE, "run", self.write(text)).err)

    def test_pitch_circles_that_do_not_touch_are_told(self):
        text = SPUR_FLAT
        for radius, told in (("0.027", False), ("0.03", False), ("0.01", True)):
            said = self.expect(DONE, "check", self.write(text % radius)).err
            self.assertEqual("teeth would press at" in said, told, said)
        self.assertIn("0.063 apart at the start, where the pitch circles touch at 0.046: teeth would press at 46.7 deg", said)  # acos(46/63 cos 20)

    def test_gears_start_anywhere_on_their_carrier(self):
        """The sun turns 1 + rr/rs = 3.5 times as far as the carrier; where free angles end it may be a whole number of teeth off."""
        for phi in (0, 0.3):
            for angle in (0.1, -0.1, 1, -1, 3, -3, 4):
                names, rows = self.run_model(EPICYCLE, "--set", "phi=%g" % phi, "--set", "angle=%g" % angle)
                value = dict(zip(names, rows[0]))
                self.assertAlmostEqual(value["body.carrier.angle"], angle, delta=1e-12)
                off = (value["body.sun.angle"] - 3.5*angle)/(2*math.pi*1.75)  # 24 + 18 teeth of the sun's 24
                self.assertAlmostEqual(off, round(off), delta=1e-10)
                if abs(angle) < math.pi:
                    self.assertEqual(round(off), 0)

    def test_push_of_outlines_is_the_force_of_the_follower_and_told_where_it_pulls(self):
        """y = 0.02 + 0.005 sin(w t): N = k y - m 0.005 w^2 sin(w t), whichever body is first and whichever way parameters run."""
        outline = ("[0.005 + 0.02*cos(%s), %s0.02*sin(%s)]", "[%s, 0]")
        for order in ("[cam, tappet]", "[tappet, cam]"):
            for turn in ("", "-"):
                for way in ("", "-"):
                    s = ("s1", "s2") if order.startswith("[cam") else ("s2", "s1")
                    lines = [outline[0] % (s[0], turn, s[0]), outline[1] % (way + s[1])]
                    starts = [turn + "90 deg", "0"]
                    if s[0] == "s2":
                        lines, starts = lines[::-1], starts[::-1]
                    text = FLOAT % (order, ", ".join(lines), ", ".join(starts))
                    for w, told in (("60", 0), ("300", 1)):
                        result = self.expect(DONE, "run", self.write(text), "--set", "w=" + w, "--quiet")
                        self.assertEqual(result.err.count("its outlines pull each other"), told, result.err)
                    names, rows = self.table(result.out)
                    for row in rows:
                        value = dict(zip(names, row))
                        lift = 0.005*math.sin(300*value["time"])
                        self.assertAlmostEqual(value["joint.face.push"], 100*(0.02 + lift) - 0.1*300**2*lift, delta=1e-6)

    def test_gear_whose_hinges_share_no_body_is_told(self):
        for first, told in (("ground", 1), ("carrier", 0), ("plate", 0)):
            result = self.expect(DONE, "run", self.write(
                "crank: mechanism\ndimension: 2\nbodies:\n  carrier: {mass: 1, inertia: 1}\n  plate: {mass: 1, inertia: 1}\n"
                "  sun: {mass: 1, inertia: 1}\n  planet: {mass: 1, inertia: 1, position: [1, 0]}\njoints:\n"
                "  shaft: {type: revolute, between: [ground, carrier], at: [0, 0]}\n"
                "  bolts: {type: fixed, between: [carrier, plate], at: [0, 0]}\n"
                f"  sun_on: {{type: revolute, between: [{first}, sun], at: [0, 0]}}\n"
                "  pin: {type: revolute, between: [carrier, planet], at: [1, 0]}\n"
                "  teeth: {type: gear, joints: [sun_on, pin], ratio: -1}\nsimulate: {t_end: 0.01, points: 1}\n"))
            self.assertEqual(result.err.count('gear "teeth": its hinges have no body in common'), told, result.err)


PLANETS3 = """\
crank: mechanism
parameters: {rs: 0.036, rp: 0.027, rr: rs + 2*rp, a: rs + rp, c: cos(20 deg), s: sin(20 deg), h: %s}
bodies:
  sun:     {mass: 0.8, shape: {cylinder: [rs, 0.03]}, position: [0, 0, 0]}
  ring:    {mass: 3, inertia: [1, 1, 3*(rr + 0.008)^2], position: [0, 0, 0]}
  carrier: {mass: 2.5, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0]}
joints:
  sun_shaft:     {type: revolute, between: [ground, sun], at: [0, 0, 0], axis: [0, 0, 1]}
  ring_bearing:  {type: revolute, between: [ground, ring], at: [0, 0, 0], axis: [0, 0, 1]}
  carrier_shaft: {type: revolute, between: [ground, carrier], at: [0, 0, 0], axis: [0, 0, 1]}
repeat:
  count: 3
  let: {"x{i}": cos(2*pi*(i - 1)/3), "y{i}": sin(2*pi*(i - 1)/3)}
  bodies:
    planet{i}: {mass: 0.35, shape: {cylinder: [rp, 0.03]}, position: ["a*x{i}", "a*y{i}", 0]}
  joints:
    pin{i}:  {type: revolute, between: [carrier, "planet{i}"], at: ["a*x{i}", "a*y{i}", 0], axis: [0, 0, 1]}
    sp{i}:   {type: teeth, between: [sun, "planet{i}"], carrier: carrier, at: ["rs*x{i}", "rs*y{i}", 0], line: ["c*-y{i} + s*x{i}", "c*x{i} + s*y{i}", h]}
    pr{i}:   {type: teeth, between: ["planet{i}", ring], carrier: carrier, at: ["rr*x{i}", "rr*y{i}", 0], line: ["c*y{i} + s*x{i}", "c*-x{i} + s*y{i}", 0]}
forces:
  motor: {type: torque, body: sun, torque: [0, 0, 40]}
simulate: {t_end: 0.01, points: 4}
"""

BEVEL = """\
crank: mechanism
bodies:
  a: {mass: 2, inertia: [0.02, 0.02, 0.03], position: [0, 0, 0]}
  b: {mass: 1, inertia: [0.01, 0.006, 0.006], position: [0, 0, 0]}
joints:
  bear_a: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  bear_b: {type: revolute, between: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}
  teeth:  {type: teeth, between: [a, b], at: [0.3, 0, 0.1], line: [%s-0.1, %s0.9, %s-0.2]}
forces: {m: {type: torque, body: a, torque: [0, 0, 5]}}
simulate: {t_end: 1, points: 2}
"""

# two gears, of the second one the radius
SPUR_FLAT = """\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, inertia: 0.001, position: [0, 0]}
  b: {mass: 1, inertia: 0.001, position: [0.063, 0]}
joints:
  of_a: {type: revolute, between: [ground, a], at: [0, 0]}
  of_b: {type: revolute, between: [ground, b], at: [0.063, 0]}
  teeth: {type: mesh, between: [a, b], radii: [0.036, %s]}
"""
# a planet between a sun and a ring that is held, at phi where the file places it
EPICYCLE = """\
crank: mechanism
dimension: 2
parameters: {rs: 0.036, rp: 0.027, rr: 0.09, a: rs + rp, phi: 0, angle: 0}
bodies:
  sun:  {mass: 1.3, inertia: 8e-4, position: [0, 0], free: [angle]}
  carrier: {mass: 5, inertia: 0.02, position: [0, 0], free: [angle]}
  ring: {mass: 1.3, inertia: 8e-4, position: [0, 0]}
  planet: {mass: 0.7, inertia: 2.6e-4, position: [a*cos(phi), a*sin(phi)], free: [position, angle]}
joints:
  of_sun: {type: revolute, between: [ground, sun], at: [0, 0]}
  of_carrier: {type: revolute, between: [ground, carrier], at: [0, 0]}
  held: {type: fixed, between: [ground, ring], at: [0, 0]}
  pin: {type: revolute, between: [carrier, planet], at: [a*cos(phi), a*sin(phi)]}
  inner: {type: mesh, between: [sun, planet], radii: [rs, rp]}
  outer: {type: mesh, between: [planet, ring], radii: [rp, -rr], flank: cw}
initial: {joints: {of_carrier: {angle: angle}}}
simulate: {t_end: 1e-9, points: 1}
"""

# b beside a, or, as a ring, around it
SPUR = """\
crank: mechanism
parameters: {r1: 0.04, r2: 0.03, s: 1, e: 1}
bodies:
  a: {mass: 1, inertia: [0.001, 0.001, 0.001], position: [0, 0, 0]}
  b: {mass: 1, inertia: [0.001, 0.001, 0.001], position: [r1 + r2, 0, 0]}
joints:
  of_a: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  of_b: {type: revolute, between: [ground, b], at: [r1 + r2, 0, 0], axis: [0, 0, 1]}
  teeth: {type: teeth, between: [a, b], at: [r1, 0, 0], line: [e*tan(20 deg), s, 0.1]}
forces: {motor: {type: torque, body: a, torque: [0, 0, 5]}}
simulate: {t_end: 0.001, points: 4}
"""


class Teeth(CommandTest):
    def test_bevel_gears_turn_by_their_pitch_radii_and_load_their_bearings_along_the_line_of_action(self):
        length = math.sqrt(0.1**2 + 0.9**2 + 0.2**2)
        names, rows = self.run_model(BEVEL % ("", "", ""), "--rtol", "1e-9", "--atol", "1e-9")
        turn = 5/(0.03 + 0.01*3**2)  # the second wheel is three times as fast
        effort = 0.01*3*turn/0.1/(0.9/length)
        for row in rows:
            value = dict(zip(names, row))
            self.assertAlmostEqual(value["joint.bear_a.angle_rate"], turn*value["time"], delta=1e-6)
            self.assertAlmostEqual(value["joint.bear_b.angle_rate"], -3*turn*value["time"], delta=1e-6)
            self.assertAlmostEqual(value["joint.teeth.effort"], effort, delta=1e-6)
            for axis, n in zip("xyz", (-0.1, 0.9, -0.2)):
                self.assertAlmostEqual(value[f"joint.bear_b.f{axis}"], -effort*n/length, delta=1e-6)
                self.assertAlmostEqual(value[f"joint.bear_a.f{axis}"], effort*n/length, delta=1e-6)
        for signs, told in (("", "", ""), False), (("0.2", "-1.8+", "0.4"), False), (("", "-1.8+", ""), True), (("0.2", "", "0.4"), True):
            err = self.expect(DONE, "run", self.write(BEVEL % signs)).err  # line and -line are the same; what pushes apart counts
            self.assertEqual("its teeth pull" in err, told, err)

    def test_wheels_and_spheres_that_their_ground_would_have_to_pull_are_told_with_the_time(self):
        """A force that grows lifts each: the ground's push is m g - rate t, in any unit of length, absolute and joint coordinates."""
        lifts = {"ball": (2, 40), "disc": (2, 30), "car": (3, 0)}
        text = ("crank: mechanism\nparameters: {L: 1}\ngravity: [0, 0, -10*L]\nbodies:\n" + "".join(
            f"  {n}: {{mass: {m}, inertia: [0.1*L^2, 0.1*L^2, 0.1*L^2], position: [0, {3*i}*L, 0.3*L], velocity: [L, 0, 0]}}\n"
            for i, (n, (m, _)) in enumerate(lifts.items())) + "joints:\n"
            "  r: {type: rolling_sphere, between: [ground, ball], radius: 0.3*L, plane: {at: [0, 0, 0], normal: [0, 0, 2]}}\n"
            "  d: {type: rolling_disc, between: [ground, disc], axis: [0, 1, 0], radius: 0.3*L, plane: {at: [0, 0, 0], normal: [0, 0, 2]}}\n"
            "  c: {type: rolling_sphere, between: [ground, car], radius: 0.3*L, plane: {at: [0, 0, 0], normal: [0, 0, 2]}}\nforces:\n" + "".join(
                f"  {n}: {{type: force, body: {n}, force: [0, 0, {k}*t*L]}}\n" for n, (_, k) in lifts.items()) + "simulate: {t_end: 1, points: 10}\n")
        self.write(text)
        planar = ("crank: mechanism\ndimension: 2\nparameters: {L: 1}\ngravity: [0, -10*L]\n"
                  "bodies: {ball: {mass: 2, inertia: 0.1*L^2, position: [0, 0.3*L], velocity: [L, 0]}}\n"
                  "joints: {r: {type: rolling_disc, between: [ground, ball], radius: 0.3*L, plane: {at: [0, 0], normal: [0, 1]}}}\n"
                  "forces: {ball: {type: force, body: ball, force: [0, 40*t*L]}}\nsimulate: {t_end: 1, points: 10}\n")
        self.write(planar, "planar.yaml")
        for L in (1, 1e-3):
            for coordinates in ("absolute", "joint"):
                for model, joints in (("model.yaml", {"r": "ball", "d": "disc", "c": "car"}), ("planar.yaml", {"r": "ball"})):
                    result = self.expect(DONE, "run", model, "--set", "L=%g" % L, "--coordinates", coordinates)
                    names, rows = self.table(result.out)
                    for row in rows:
                        x = dict(zip(names, row))
                        for joint, body in joints.items():
                            mass, rate = lifts[body]
                            self.assertAlmostEqual(x["joint.%s.push" % joint]/L, 10*mass - rate*x["time"], delta=1e-9)
                    self.assertEqual(result.err.count('joint "r": at t = 0.6 its plane pulls the'), 1, result.err)
                    self.assertEqual(result.err.count('joint "d": at t = 0.7 its plane pulls the wheel'), int("d" in joints))
                    self.assertNotIn('joint "c"', result.err)

    def test_teeth_that_pull_wheels_together_are_told_whatever_the_sign_of_their_line(self):
        ring = SPUR.replace("r2: 0.03", "r2: -0.07")
        for text in (SPUR, ring):
            for between in ("a, b", "b, a"):
                for s, e in itertools.product((-1, 1), repeat=2):
                    self.write(text.replace("a, b", between))
                    result = self.expect(DONE, "run", "model.yaml", "--set", f"s={s}", "--set", f"e={e}")
                    names, rows = self.table(result.out)
                    pulls = dict(zip(names, rows[0]))["joint.of_b.fx"] > 0  # its bearing holds b back from a
                    self.assertEqual(result.err.count("not the one that pushes the wheels apart"), int(pulls), (between, s, e, result.err))

    def test_teeth_that_the_carrier_of_a_wheel_leaves_behind_are_told(self):
        """Without a `carrier` they stay in the ground, where the planets do not."""
        for text, told in ((PLANETS3 % "0.3", 0), ((PLANETS3 % "0.3").replace("carrier: carrier, ", ""), 6), (BEVEL % ("", "", ""), 0), (SPUR, 0)):
            for coordinates in ("absolute", "joint"):
                result = self.expect(DONE, "check", self.write(text), "--coordinates", coordinates)
                self.assertEqual(result.err.count('is fixed in "ground", since it has no `carrier`, but wheel "planet'), told, result.err)
                self.assertEqual(result.err.count('say "carrier: carrier"'), told)

    def test_planets_in_space_carry_what_planets_in_the_plane_do(self):
        flat = self.run_model(PLANETS % ("0", PLACED), "--rtol", "1e-9", "--atol", "1e-9")
        deep = self.run_model(PLANETS3 % "0", "--rtol", "1e-9", "--atol", "1e-9")
        for one, other in zip(*([dict(zip(names, row)) for row in rows] for names, rows in (flat, deep))):
            for name in [f"joint.pin{i}.f{x}" for i in (1, 2, 3) for x in "xy"] + [f"joint.pr{i}.effort" for i in (1, 2, 3)] + [
                    f"joint.{n}.angle_rate" for n in ("sun_shaft", "ring_bearing", "carrier_shaft", "pin1")]:
                wanted = -one[name] if "effort" in name else one[name]  # effort of a mesh is positive for ccw flanks
                self.assertAlmostEqual(other[name], wanted, delta=1e-5*max(1, abs(wanted)), msg=name)

    def test_helical_teeth_push_along_the_axes(self):
        names, rows = self.run_model(PLANETS3 % "0.3")
        value = dict(zip(names, rows[0]))
        self.assertAlmostEqual(value["joint.sun_shaft.fz"], 3*value["joint.sp1.effort"]*0.3/math.sqrt(1.09), delta=1e-6)
        self.assertGreater(value["joint.sp1.effort"], 1.0)


PLOUGH = """\
crank: mechanism
dimension: 2
bodies:
  tractor: {mass: 3800, inertia: 4000, velocity: [2, 0], rate: 0.3}
  dolly:   {mass: 400, inertia: 200}
joints:
  hitch: {type: revolute, between: [tractor, dolly], at: {first: [-0.7, 0], second: [0, 0]}}
  rear:  {type: skate, between: [ground, tractor], axis: {first: [1, 0], second: [1, 0]}}
  wheel: {type: skate, between: [ground, dolly], at: %s, axis: {first: [1, 0], second: [1, 0]}}
outputs: {across: body.dolly.vy*cos(body.dolly.angle) - body.dolly.vx*sin(body.dolly.angle) - 1.8*body.dolly.rate}
simulate: {t_end: 0.1, points: 1}
"""

CARRIAGE = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  frame: {mass: 50, inertia: [5, 5, 5], position: [0, 0, 0.3], velocity: [1, 0, 0], angular_velocity: [0, 0, 0], fixed: true}
  wheel: {mass: 2, inertia: [0.1, 0.1, 0.2]}
joints:
  level: {type: planar, between: [ground, frame], at: [0, 0, 0.3], axis: [0, 0, 1]}
  axle:  {type: revolute, between: [frame, wheel], at: {first: [0, 0.5, 0], second: [0, 0, 0.1]}, axis: {first: [0, 1, 0], second: [0, 0, 1]}}
  roll:  {type: rolling_disc, between: [ground, wheel], radius: 0.3, at: {first: [0, 0, 0], second: [0, 0, 0.1]},
          axis: {first: [0, 1, 0], second: [0, 0, 1]}, plane: {at: [0, 0, 0], normal: [0, 0, 1]}}
simulate: {t_end: 1, points: 1}
"""


class Points(CommandTest):
    def test_a_skate_has_its_point_in_the_axes_of_a_body_that_joints_place(self):
        names, rows = self.run_model(PLOUGH % "{first: [0, 0], second: [-1.8, 0]}")
        self.assertAlmostEqual(rows[0][names.index("body.dolly.x")], -0.7, 12)
        for row in rows:  # the blade's point does not move across it
            self.assertAlmostEqual(row[names.index("across")], 0.0, delta=1e-9)

    def test_world_points_of_bodies_that_joints_put_elsewhere_are_told(self):
        self.assertNotIn("world points", self.expect(DONE, "run", self.write(PLOUGH % "{first: [0, 0], second: [-1.8, 0]}")).err)
        told = self.expect(DONE, "run", self.write(PLOUGH % "[-2.5, 0]")).err
        self.assertIn('joint "wheel", `at`: body "dolly" has no position in the file', told)
        self.assertIn("this one 0.7 away", told)
        base = ("crank: mechanism\ndimension: 2\nbodies: {arm: {mass: 1, inertia: 1}}\n"
                "joints: {pin: {type: revolute, between: [ground, arm], at: %s}}\n"
                "forces: {s: {type: spring, between: [ground, arm], at: [[1, 1], [1, 0]], stiffness: 1}}\n%s")
        for at, initial, count in (("[0, 0]", "", 0), ("{first: [3, 0], second: [0, 0]}", "", 1),
                                   ("[0, 0]", "initial: {joints: {pin: {angle: 30 deg}}}\n", 0)):  # moved on purpose
            self.assertEqual(self.expect(DONE, "run", self.write(base % (at, initial))).err.count("world points"), count)

    def test_a_wheel_that_its_axle_places_rolls_about_a_point_of_its_own(self):
        names, rows = self.run_model(CARRIAGE)
        first, last = (dict(zip(names, row)) for row in rows)
        self.assertAlmostEqual(first["body.wheel.z"], 0.3, 9)
        self.assertAlmostEqual(abs(first["joint.axle.angle_rate"]), 1/0.3, 9)
        self.assertAlmostEqual(abs(last["joint.axle.angle"] - first["joint.axle.angle"]), 1/0.3, delta=1e-5)

    def test_a_driven_point_is_given_in_body_axes(self):
        names, rows = self.run_model(
            "crank: mechanism\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1, position: [3, 1], angle: 90 deg, points: {tip: [2, 1]}}}\n"
            "joints: {d: {type: point_driver, body: b, local: [2, 1], path: [2 + t, 3]}}\nsimulate: {t_end: 1, points: 1}\n")
        for row in rows:
            value = dict(zip(names, row))
            self.assertAlmostEqual(value["body.b.tip.x"], 2 + value["time"], delta=1e-9)
            self.assertAlmostEqual(value["body.b.tip.vx"], 1.0, delta=1e-9)
            self.assertAlmostEqual(value["body.b.tip.y"], 3.0, delta=1e-9)

    def test_points_of_bodies_are_columns_with_units_and_names_of_their_own(self):
        text = "crank: mechanism\nbodies: {rod: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 2], points: {tip: [1, 0, 0]}}}\n"
        self.expect(DONE, "run", self.write(text), "--quiet", "--out", "result.h5")
        listed = [line.split()[:2] for line in self.expect(DONE, "plot", "result.h5", "--list").out.splitlines()]
        for name, unit in (("x", "m"), ("y", "m"), ("z", "m"), ("vx", "m/s"), ("vy", "m/s"), ("vz", "m/s")):
            self.assertIn([f"body.rod.tip.{name}", unit], listed)
        names, rows = self.run_model(text)
        self.assertAlmostEqual(rows[0][names.index("body.rod.tip.vy")], 2.0, 12)
        self.write("crank: mechanism\nbodies: {tip: {type: point, mass: 1}}\n", "part.yaml")
        self.bad_model(text + "assemblies: {rod: {use: part.yaml}}\n", ('body "rod", points: "tip"', 'body "rod.tip"'))


class Stops(CommandTest):
    def test_stop_stores_what_its_stiffness_takes_and_loses_what_its_damping_does(self):
        text = """\
crank: mechanism
dimension: 2
energy: true
gravity: [0, -10]
bodies: {b: {mass: 2, inertia: 0.1, position: [0, 1]}}
joints: {g: {type: prismatic, between: [ground, b], at: [0, 1], axis: [0, 1]}}
forces: {s: {type: stop, joint: g, lower: -0.5, upper: 3, stiffness: 1e4, damping: %g}}
simulate: {t_end: 1, every: 0.01, rtol: 1e-9, atol: 1e-9}
"""
        for damping in (0, 0.1):
            names, rows = self.run_model(text % damping)
            for row in rows:
                x = dict(zip(names, row))
                stored = 1e4/2*max(0, -0.5 - x["joint.g.length"])**2
                self.assertAlmostEqual(x["energy.potential"], 20*x["body.b.y"] + stored, delta=1e-10)
                self.assertAlmostEqual(x["energy.kinetic"] + x["energy.potential"] + x["energy.dissipated"], 20, delta=1e-5)
            self.assertEqual(x["energy.dissipated"] > 1, damping > 0)


class Tables(CommandTest):
    def test_acceleration_of_a_drive_jumps_between_steps(self):
        """At the points of a monotone table: no method steps across, takes a side for the other or creeps there."""
        text = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
tables: {lane: {points: [[0, 0], [1, 0], [1.5, 1], [2.5, -1], [3, 0], [4, 0]], interpolation: monotone, outside: hold}}
bodies:
  post: {mass: 5, inertia: 1, position: [0, 0]}
  bob: {mass: 1, inertia: 0.1, position: [0.5, -0.5]}
joints:
  turn: {type: revolute, between: [ground, post], at: [0, 0], drive: 0.5*lane(t)}
  pin:  {type: revolute, between: [post, bob], at: [0.5, 0]}
simulate: {t_end: 4, every: 0.1}
"""
        names, exact = self.run_model(text, "--method", "psf-radau", "--rtol", "1e-11", "--atol", "1e-11")
        angle = names.index("joint.pin.angle")
        for method, tolerance in (("psf-radau", 1e-8), ("peom1-radau", 1e-8), ("ode-dopri8", 1e-10), ("ode-dopri5", 1e-9), ("ode-herk5", 1e-9), ("auto", 1e-8), ("psf-bdf", 1e-7)):
            self.write(text)
            done = self.expect(DONE, "run", "model.yaml", "--method", method, "--rtol", str(tolerance), "--atol", str(tolerance), "--stats", "s.json")
            with open(os.path.join(self.place, "s.json"), encoding="utf-8") as file:
                stats = json.load(file)
            self.assertLess(stats["rejected_error"] + stats["rejected_convergence"], 20, method)
            for row, right in zip(self.table(done.out)[1], exact):
                self.assertAlmostEqual(row[angle], right[angle], delta=stats["steps"]*tolerance, msg=method)


class Conditions(CommandTest):
    def test_a_body_that_would_only_turn_is_not_told_to_move_by_rounding(self):
        result = self.bad_model(
            "crank: mechanism\nbodies:\n  hub: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 1]}\n"
            "  w: {mass: 10, shape: {cylinder: [0.5, 0.2]}, position: [0, 1, 1], orientation: {axis: [1, 0, 0], angle: -90 deg}}\n"
            "joints:\n  g: {type: fixed, between: [ground, hub], at: [0, 0, 1]}\n"
            "  b: {type: revolute, between: [hub, w], at: {first: [0, 1, 0], second: [0, 0, 0]},"
            " axis: {first: [0, 1, 0], second: [0, 0, 1]}, drive: t + 90 deg}\n", 'body "w" would turn by 1.57 rad (90 deg)')
        self.assertNotIn("e-", result.err)

    def test_more_conditions_than_degrees_of_freedom_are_told_by_their_numbers(self):
        """A four-bar with two angles given for its one freedom."""
        text = ("crank: mechanism\ndimension: 2\nbodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1}\n"
                "  c: {mass: 1, inertia: 1}\njoints:\n"
                "  j1: {type: revolute, between: [ground, a], at: {first: [0, 0], second: [0, 0]}}\n"
                "  j2: {type: revolute, between: [a, b], at: {first: [1, 0], second: [0, 0]}}\n"
                "  j3: {type: revolute, between: [b, c], at: {first: [3, 0], second: [2, 0]}}\n"
                "  j4: {type: revolute, between: [ground, c], at: {first: [3, 0], second: [0, 0]}}\n"
                "initial: {joints: {%s}}\n")
        self.run_model(text % "j1: {angle: 60 deg}")
        self.bad_model(text % "j1: {angle: 60 deg}, j4: {angle: 10 deg}",
                       "2 conditions on positions are given where the joints leave 1 degree of freedom")


class Names(CommandTest):
    def test_forces_may_read_each_others_lengths_in_any_order(self):
        """A rope over a pulley at x = 1: its tension follows from both lengths."""
        law = {"rope": "100*(length + force.leg.length - 1.5) + 2*(rate + force.leg.length_rate)", "leg": "force.rope.force"}
        ends = {"rope": "between: [ground, a], at: [[1, 0], [0, 0]]", "leg": "between: [ground, b], at: [[1, 0], [3, 0]]"}
        found = []
        for order in (("rope", "leg"), ("leg", "rope")):
            forces = "".join(f'  {name}: {{type: spring, {ends[name]}, law: "{law[name]}"}}\n' for name in order)
            names, rows = self.run_model(
                "crank: mechanism\ndimension: 2\nbodies:\n  a: {type: point, mass: 2, position: [0, 0], velocity: [-1, 0]}\n"
                "  b: {type: point, mass: 2, position: [3, 0], velocity: [3, 0]}\nforces:\n" + forces +
                "simulate: {t_end: 0.01, points: 1}\n")
            value = dict(zip(names, rows[0]))
            found.append([value["force.rope.force"], value["force.leg.force"]])
        for force in found[0] + found[1]:
            self.assertAlmostEqual(force, 100*(1 + 2 - 1.5) + 2*(1 + 3), delta=1e-10)
        self.bad_model("crank: mechanism\ndimension: 2\nbodies: {a: {type: point, mass: 2, position: [0, 0]}}\nforces:\n"
                       "  p: {type: spring, between: [ground, a], at: [[1, 0], [0, 0]], law: force.q.force}\n"
                       "  q: {type: spring, between: [ground, a], at: [[2, 0], [0, 0]], law: force.p.force}\n", "in a circle")

    def test_names_that_a_repeat_gives_again_are_told_with_its_index(self):
        head = "crank: mechanism\nrepeat: {count: 2, %s}\n"
        self.bad_model(head % "let: {f: 2*i}", ('model.yaml:2:26: let "f": the repeat gives this name more than once', '"f{i}"'))
        self.bad_model(head % 'index: k, repeat: {count: 2, index: n, bodies: {"b{n}": {type: point, mass: 1}}}', '"b{n}{k}"')
        self.bad_model("crank: mechanism\nparameters: {f: 1}\n" + "repeat: {count: 2, let: {f: 2*i}}\n", "is given twice")

    def test_the_file_that_is_run_goes_before_those_it_includes(self):
        self.write("crank: mechanism\ntitle: part\ngravity: [0, 0, -1]\nsimulate: {t_end: 2, points: 1}\n"
                   "bodies: {b: {type: point, mass: 1, velocity: [0, 0, 0]}}\n", "part.yaml")
        self.write("crank: mechanism\ntitle: other\n", "other.yaml")
        head = "crank: mechanism\ninclude: [part.yaml]\n"
        for own, title, end, fall in (("", "part", 2, 2), ("title: own\nsimulate: {t_end: 4, points: 1}\n", "own", 4, 8)):
            result = self.expect(DONE, "run", self.write(head + own), "--out", "result.csv")
            self.assertIn(f"crank: {title} (", result.err)
            names, rows = self.table(self.read("result.csv"))
            self.assertEqual(rows[-1][0], end)
            self.assertAlmostEqual(rows[-1][names.index("body.b.z")], -fall, delta=1e-6)
        self.bad_model("crank: mechanism\ninclude: [part.yaml, other.yaml]\n", '"title" is given twice, first in line 2 of')

    def test_intermediate_results_that_nothing_uses_are_told_in_all_kinds_of_files(self):
        for text in ("crank: mechanism\nlet: {spare: 3, used: 2}\nbodies: {b: {type: point, mass: used}}\n",
                     "crank: equations\nlet: {spare: 3, used: 2}\npositions: {x: 1}\nvelocities: {v: {of: x}}\nmass: [[used]]\n",
                     "crank: dae\nlet: {spare: 3, used: 2}\nvariables: {x: 1}\nequations: [\"x' = used\"]\n"):
            result = self.expect(DONE, "run", self.write(text))
            self.assertEqual(result.err.count('warning: let "spare", line 2: nothing uses it'), 1, result.err)
            self.assertNotIn('"used"', result.err)

    def test_conditions_on_accelerations_change_controllers_before_bodies(self):
        """A block of 100 kg that a servo holds: 981 N."""
        block = ("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: {b: {mass: 100, inertia: 1, position: [0, 1]}}\n"
                 "joints: {g: {type: prismatic, between: [ground, b], at: {first: [0, 0], second: [0, 0]}, axis: [0, 1]}}\n"
                 "forces: {s: {type: actuator, joint: g, reference: 1, kp: 1e5, kd: 1e3%s}}\n"
                 "initial: {calm: body.b.ay}\nsimulate: {t_end: 0.1, points: 1}\n")
        for more, name, value in ((", ki: 1e5", "integral", 981/1e5), (", ki: 1e5, limit: 5000", "integral", 981/1e5),
                                  (", lag: 0.1", "state", 981)):
            with self.subTest(more=more):
                names, rows = self.run_model(block % more)
                first = dict(zip(names, rows[0]))
                self.assertAlmostEqual(first["body.b.y"], 1, delta=1e-12)
                self.assertAlmostEqual(first["body.b.vy"], 0, delta=1e-12)
                self.assertAlmostEqual(first["force.s." + name], value, delta=1e-9*value)

    def test_the_integral_of_a_controller_starts_where_a_condition_says(self):
        names, rows = self.run_model(
            "crank: mechanism\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1, position: [0, 0], velocity: [0, 0]}}\n"
            "joints: {g: {type: prismatic, between: [ground, b], at: [0, 0], axis: [1, 0]}}\n"
            "forces: {m: {type: actuator, joint: g, reference: 1, kp: 3, ki: 2}}\n"
            "initial: {i0: force.m.integral - 0.3}\nsimulate: {t_end: 0.1, points: 1}\n")
        self.assertAlmostEqual(rows[0][names.index("force.m.force")], 3*1 + 2*0.3, 12)


UNITS = """\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, inertia: 1, position: [0, 0]}
  b: {mass: 1, inertia: 1, position: [3, 0]}
  c: {mass: 1, inertia: 1, position: [6, 0]}
joints:
  pin: {type: revolute, between: [ground, a], at: [0, 0], drive: t^2, rotor: 1}
  pin_b: {type: revolute, between: [ground, b], at: [3, 0]}
  slot: {type: prismatic, between: [ground, c], at: [6, 0], axis: [1, 0], rotor: 1}
  teeth: {type: mesh, between: [a, b], radii: [1, 2]}
  ratio: {type: gear, joints: [pin, pin_b], ratio: -0.5}
  rack: {type: rack_and_pinion, joints: [pin, slot], radius: 1}
  own: {type: driver, of: 2*body.c.y, is: 0}
forces:
  motor: {type: actuator, joint: pin, command: 1}
  ram: {type: actuator, joint: slot, command: 1, lag: 0.1}
simulate: {t_end: 0.01, points: 1}
"""


class Units(CommandTest):
    def test_forces_along_coordinates_have_the_unit_of_these(self):
        self.expect(DONE, "run", self.write(UNITS), "--quiet", "--out", "result.h5")
        found = {}
        for line in self.expect(DONE, "plot", "result.h5", "--list").out.splitlines():
            words = line.split()
            found[words[0]] = " ".join(words[1:3]) if words[1:3] == ["N", "m"] else words[1]
        for name, unit in (("joint.pin.effort", "N m"), ("joint.pin.rotor_effort", "N m"), ("joint.slot.rotor_effort", "N"),
                           ("joint.teeth.effort", "N"), ("joint.teeth.separation", "N"), ("joint.ratio.effort", "N m"),
                           ("joint.rack.effort", "N"), ("joint.own.effort", "-"), ("force.motor.command", "N m"),
                           ("force.ram.command", "N"), ("force.motor.value", "N m"), ("force.ram.state", "N")):
            self.assertEqual(found[name], unit, name)

    def test_coordinates_of_free_joints_have_units(self):
        self.expect(DONE, "run", self.write("crank: mechanism\nbodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
                                            "joints: {pose: {type: free, between: [ground, a], at: [0, 0, 0]}}\n"
                                            "simulate: {t_end: 1e-3, points: 1}\n"), "--quiet", "--out", "result.h5")
        found = {line.split()[0]: line.split()[1] for line in self.expect(DONE, "plot", "result.h5", "--list").out.splitlines()}
        for name, unit in [(n, "m") for n in "xyz"] + [(n, "rad") for n in ("yaw", "roll", "pitch")]:
            self.assertEqual(found["joint.pose." + name], unit)
            self.assertEqual(found["joint.pose." + name + "_rate"], unit + "/s")

    def test_efforts_of_drivers_and_forces_of_tyres_have_units_and_descriptions(self):
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  hull: {mass: 400, inertia: [50, 50, 50], position: [0, 0, 0.3], velocity: [5, 0, 0]}
  wheel: {mass: 20, inertia: [0.5, 1, 0.5], position: [0, 0, 0.3]}
joints:
  level: {type: planar, between: [ground, hull], at: [0, 0, 0.3], axis: [0, 1, 0]}
  axle: {type: revolute, between: [hull, wheel], at: [0, 0, 0.3], axis: [0, 1, 0]}
  spin: {type: driver, of: joint.axle.angle, is: 10*t}
  way: {type: driver, of: body.hull.x, is: 5*t}
  sum: {type: driver, of: body.hull.pitch + 0.001*body.hull.z, is: 0.0003}
forces:
  tyre: {type: tyre, body: wheel, radius: 0.31, stiffness: 2e5, damping: 200, axis: [0, 1, 0], friction: 1, cornering: 14, traction: 18, relaxation: 0.5}
simulate: {t_end: 0.01, points: 2}
"""
        self.expect(DONE, "run", self.write(text), "--quiet", "--out", "result.h5")
        lines = {line.split()[0]: line for line in self.expect(DONE, "plot", "result.h5", "--list").out.splitlines()}
        for name, unit in (("joint.spin.effort", "N m"), ("joint.way.effort", "N"), ("joint.sum.effort", "-"),
                           ("force.tyre.longitudinal", "N"), ("force.tyre.lateral", "N"), ("force.tyre.lateral_slip", "1"),
                           ("force.tyre.lateral_deflection", "m")):
            self.assertRegex(lines[name], r"^\S+ +%s  +\S+ +\S+  \w+" % unit, name)


class Turned(CommandTest):
    """`turned`, `stop`, springs along joints, couplers with an offset: what robots are made of."""

    MODEL = """\
crank: mechanism
bodies: {a: {mass: 1, inertia: [1, 2, 2.5]}, b: {mass: 1, inertia: [1, 2, 2.5]}}
joints:
  one: {type: %s, between: [ground, a], at: %s, %s}
"""
    ENDS = "{first: [0, 0, 1], second: [0, 0, 0]}"

    def test_turned_needs_frames_of_both_bodies_and_one_axis(self):
        turn = "turned: {axis: [0, 0, 1], angle: 90 deg}"
        self.bad_model(self.MODEL % ("revolute", "[0, 0, 1]", "axis: [1, 0, 0], " + turn), "points and axes by `first` and `second`")
        self.bad_model(self.MODEL % ("revolute", self.ENDS, "axis: {first: [1, 0, 0], second: [1, 0, 0]}, " + turn), "not one axis where the second body is turned")
        names, rows = self.run_model(self.MODEL % ("revolute", self.ENDS, "axis: {first: [1, 0, 0], second: [0, -1, 0]}, " + turn) +
                                     "initial: {joints: {one: {angle: 0}}}\nsimulate: {t_end: 0.1}\n")
        first = dict(zip(names, rows[0]))
        self.assertAlmostEqual(abs(first["body.a.q3"]), math.sqrt(0.5), delta=1e-14)  # a quarter of a turn about z where the angle is zero

    def test_turned_is_not_turned_with_an_assembly(self):
        part = self.MODEL % ("fixed", self.ENDS, "turned: {axis: [0, 0, 1], angle: 90 deg}")
        self.write(part.replace("[ground, a]", "[b, a]").replace("b: {mass: 1,", "b: {mass: 1, position: [0, 0, 0],"), "part.yaml")
        names, rows = self.run_model("crank: mechanism\nassemblies: {p: {use: part.yaml, orientation: {axis: [0, 1, 0], angle: 1}}}\nsimulate: {t_end: 0.1}\n")
        first = dict(zip(names, rows[0]))
        half = math.sqrt(0.5)
        for name, value in zip("0123", (math.cos(0.5) * half, math.sin(0.5) * half, math.sin(0.5) * half, math.cos(0.5) * half)):
            self.assertAlmostEqual(abs(first[f"body.p.a.q{name}"]), value, delta=1e-12)

    def test_stops_and_springs_that_do_not_fit_are_told(self):
        hinge = self.MODEL % ("revolute", self.ENDS, "axis: {first: [1, 0, 0], second: [1, 0, 0]}")
        self.bad_model(hinge + "forces: {s: {type: stop, joint: one, stiffness: 1}}\n", "one of \"lower\", \"upper\" is missing")
        self.bad_model(hinge + "forces: {s: {type: stop, joint: one, stiffness: 1, lower: 2, upper: 1}}\n", "lower is 2, above upper, 1")
        self.bad_model(hinge + "forces: {s: {type: spring, joint: one, stiffness: 1}}\n", "its coordinate is an angle")
        self.bad_model(hinge + "forces: {s: {type: spring, joint: one, at: [[0, 0, 0], [1, 0, 0]], stiffness: 1}}\n", "\"at\" is only for \"between\"")

    def test_a_stop_begins_at_zero_and_never_pulls(self):
        slider = self.MODEL % ("prismatic", self.ENDS, "axis: {first: [0, 0, 1], second: [0, 0, 1]}")
        names, rows = self.run_model(slider + "gravity: [0, 0, -9.81]\nforces: {s: {type: stop, joint: one, lower: -0.5, stiffness: 1e4, damping: 2}}\n"
                                     "simulate: {t_end: 1, rtol: 1e-9, atol: 1e-9}\n")
        z, v, force = (names.index(name) for name in ("joint.one.length", "joint.one.length_rate", "force.s.force"))
        self.assertGreater(max(row[force] for row in rows), 100)
        for row in rows:
            depth = max(-0.5 - row[z], 0.0)
            self.assertAlmostEqual(row[force], 1e4 * depth * max(1 - 2 * row[v], 0.0), delta=1e-6)


if __name__ == "__main__":
    main()
