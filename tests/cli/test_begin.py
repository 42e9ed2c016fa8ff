"""Where the search for a start begins, and which start it ends in: cylinders the right way round, velocities by inertia."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os

from command import DONE, MODEL, CommandTest, main

# an arm on a column, lifted by a cylinder; nothing but the arm's angle is given. L: the unit of length, a: the whole turned
LIFT = """\
crank: mechanism
dimension: 2
parameters: {L: 1, a: 0}
bodies:
  column: {mass: 9, inertia: 9*L^2, angle: a, position: [0, 0], fixed: [position, angle]}
  arm: {mass: 5, inertia: 4*L^2, angle: a + 70 deg, free: [position]}
  barrel: {mass: 1, inertia: 0.1*L^2, center: [0.4*L, 0]}
  rod: {mass: 1, inertia: 0.1*L^2, center: [-0.4*L, 0]}
joints:
  foot: {type: fixed, between: [ground, column], at: [0, 0]}
  pin: {type: revolute, between: [column, arm], at: {first: [0, 2*L], second: [0, 0]}}
  low: {type: revolute, between: [column, barrel], at: {first: [FOOT], second: [0, 0]}}
  cyl: {type: prismatic, between: [barrel, rod], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}
  high: {type: revolute, between: [rod, arm], at: {first: [0, 0], second: [1.5*L, 0]}}
simulate: {t_end: 0.001, points: 1}
"""
# an eccentric cam behind a chain lifts a tappet of which nothing is given; touching where the file says, off by as much
CAM = """\
crank: mechanism
dimension: 2
parameters: {begin: 20 deg, off: 0 deg, L: 1}
gravity: [0, -9.81*L]
bodies:
  crank: {mass: 7, inertia: 0.011*L^2, position: [0, 0], angle: begin, rate: 100}
  cam: {mass: 1.1, inertia: 0.00022*L^2}
  tappet: {mass: 0.09, inertia: 2e-5*L^2}
joints:
  main: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [0, 0]}}
  camshaft: {type: revolute, between: [ground, cam], at: {first: [0.13*L, 0.22*L], second: [0, 0]}}
  chain: {type: gear, joints: [main, camshaft], ratio: 1/2}
  guide: {type: prismatic, between: [ground, tappet], at: {first: [0.13*L, 0.22*L], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}
  face: {type: profile, between: [cam, tappet], profiles: [[0.003*L + 0.02*L*cos(s1), 0.02*L*sin(s1)], FACE], start: [90 deg - begin/2 + off, SECOND]}
simulate: {t_end: 0.001, points: 1}
"""
# a slider crank at the angle of its drive, and apart from it a tappet, placed 0.36 mm off the cam
APART = """\
crank: mechanism
dimension: 2
bodies:
  crank: {mass: 7, inertia: 0.011, position: [0, 0], angle: 20 deg}
  rod: {mass: 0.42, inertia: 1e-3}
  piston: {mass: 0.45, inertia: 4e-4, angle: 45 deg, free: [position]}
  cam: {mass: 1.1, inertia: 2.2e-4, angle: 10 deg, free: [position]}
  tappet: {mass: 0.09, inertia: 2e-5, position: [0.13, 0.248]}
joints:
  main: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [0, 0]}}
  pin: {type: revolute, between: [crank, rod], at: {first: [0.03575, 0], second: [0, 0]}}
  gudgeon: {type: revolute, between: [rod, piston], at: {first: [0.129, 0], second: [0, 0]}}
  bore: {type: prismatic, between: [ground, piston], at: {first: [0, 0], second: [0, 0]}, axis: {first: [cos(45 deg), sin(45 deg)], second: [1, 0]}}
  camshaft: {type: revolute, between: [ground, cam], at: {first: [0.13, 0.22], second: [0, 0]}}
  chain: {type: gear, joints: [main, camshaft], ratio: 1/2}
  guide: {type: prismatic, between: [ground, tappet], at: {first: [0.13, 0.22], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}
  face: {type: profile, between: [cam, tappet], profiles: [[0.003 + 0.018*cos(s1), 0.018*sin(s1)], [0.010*cos(s2), 0.010*sin(s2)]], start: [80 deg, -90 deg]}
  turn: {type: driver, of: joint.main.angle, is: 20 deg + 300*t}
simulate: {t_end: 0.001, points: 1}
"""
# a platform on three legs, universal below and spherical above; twice as high as wide
PLATFORM = """\
crank: mechanism
parameters: {L: 1, s: 0.8660254037844386}
bodies:
  top: {mass: 1, inertia: [L^2, L^2, L^2], position: [0.3*L, 0, 2*L], orientation: {axis: [1, 2, 3], angle: 20 deg}, fixed: [position, orientation]}
""" + "".join("  %s%d: {mass: 1, inertia: [L^2, L^2, L^2]}\n" % (name, i) for i in range(3) for name in ("barrel", "rod")) + """\
joints:
""" + "".join("""\
  low%d: {type: universal, between: [ground, barrel%d], at: {first: [%s*L, %s*L, 0], second: [0, 0, 0]}, axes: {first: [0, 1, 0], second: [1, 0, 0]}}
  leg%d: {type: SLIDE, between: [barrel%d, rod%d], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: AXIS, second: AXIS}}
  high%d: {type: spherical, between: [rod%d, top], at: {first: [0, 0, 0], second: [%s*L/2, %s*L/2, 0]}}
""" % (i, i, x, y, i, i, i, i, i, x, y) for i, (x, y) in enumerate((("1", "0"), ("-0.5", "s"), ("-0.5", "-s")))) + """\
simulate: {t_end: 0.001, points: 1}
"""
# a block on mounts, a shaft in it with a rod and a piston; BLOCK, SHAFT: what is said of these two
ENGINE = """\
crank: mechanism
dimension: 2
parameters: {L: 1, m: 1, a: 0}
bodies:
  block: {mass: 90*m, inertia: 2*m*L^2, center: [0.1*L, 0.2*L]BLOCK}
  shaft: {mass: 20*m, inertia: 0.3*m*L^2SHAFT}
  rod: {mass: m, inertia: 0.01*m*L^2}
  piston: {mass: m, inertia: 0.01*m*L^2}
joints:
  main: {type: revolute, between: [ENDS], at: {first: [0, 0], second: [0, 0]}}
  big: {type: revolute, between: [shaft, rod], at: {first: [0.05*L, 0], second: [0, 0]}}
  small: {type: revolute, between: [rod, piston], at: {first: [0.2*L, 0], second: [0, 0]}}
  bore: {type: prismatic, between: [block, piston], at: {first: [0, 0], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}
forces:
  left: {type: spring, between: [ground, block], at: {first: [-L, 0], second: [0, 0]}, stiffness: 1e4*m}
initial: {joints: {main: {angle_rate: 100}}}
simulate: {t_end: 0.0001, points: 1}
"""
SLIDER = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies:
  crank: {mass: 1, inertia: L^2}
  rod: {mass: 1, inertia: L^2}
  piston: {mass: 1, inertia: L^2}
joints:
  main: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [0, 0]}ANGLE}
  big: {type: revolute, between: [crank, rod], at: {first: [0.3*L, 0], second: [0, 0]}}
  small: {type: revolute, between: [rod, piston], at: {first: [L, 0], second: [0, 0]}}
  bore: {type: prismatic, between: [ground, piston], at: {first: [0, 0], second: [0, 0]}, axis: {first: AXIS, second: [1, 0]}}
simulate: {t_end: 0.001, points: 1}
"""


class Begin(CommandTest):
    def test_hinges_and_rods_do_not_start_the_wrong_way_round(self):
        """Forces in the cylinders are those of statics, found by virtual work in the plane of the arm."""
        case = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cross", "cases", "turned.yaml")
        for coordinates in ("absolute", "joint"):
            done = self.expect(DONE, "run", case, "--coordinates", coordinates, "--t-end", "0.01", "--points", "1")
            names, rows = self.table(done.out)
            for name, force in (("F_boom", 284.97554), ("F_stick", -66.83668), ("F_buck", -11.31039)):
                self.assertAlmostEqual(rows[0][names.index(name)], force, delta=1e-5)
            self.assertNotIn("wrong way round", done.err)

    def first(self, text, *arguments):
        names, rows = self.run_model(text, *arguments)
        return dict(zip(names, rows[0]))

    def test_cylinder_is_as_long_as_its_pins_are_apart_however_the_machine_is_turned_and_in_every_unit(self):
        for foot in ((0.7, 0.2), (-0.7, 0.2), (0.3, 3), (0, 2 - 1e-3)):
            way = (1.5*math.cos(math.radians(70)) - foot[0], 2 + 1.5*math.sin(math.radians(70)) - foot[1])
            text = LIFT.replace("FOOT", "%g*L, %g*L" % foot)
            for a in (-3.1, -2.3, -1.4, -0.5, 0, 0.35, 1.2, 2.1, 3.14159):
                for L in (1, 1e-3, 1e3):
                    with self.subTest(foot=foot, a=a, L=L):
                        x = self.first(text, "--set", "a=%g" % a, "--set", "L=%g" % L)
                        self.assertAlmostEqual(x["joint.cyl.length"]/L, math.hypot(*way), delta=1e-12)
                        # the barrel points at the arm's pin
                        self.assertAlmostEqual(math.remainder(x["body.barrel.angle"] - a - math.atan2(way[1], way[0]), math.tau), 0, delta=1e-12)

    def test_bodies_without_a_place_start_where_the_ends_of_their_bushing_coincide(self):
        """Arms on a chassis, at its ends; a wheel hangs on one by a joint. In the plane and in space, whichever body comes first."""
        for dimension, unit in ((2, 1), (3, 1), (3, 1000)):
            def vector(*x):
                return "[" + ", ".join("%.12g" % (unit*c) for c in x[:dimension]) + "]"
            turn = "inertia: %g" % unit**2 if dimension == 2 else "inertia: [%g, %g, %g]" % ((unit**2,)*3)
            for first in (True, False):
                ends = ("chassis, arm", vector(1, 0.4, -0.1), vector(-0.2, 0.1, 0.05))
                names, p, q = ends if first else ("arm, chassis", ends[2], ends[1])
                text = f"""\
crank: mechanism
dimension: {dimension}
bodies:
  chassis: {{mass: 100, {turn}, position: {vector(3, 2, 1)}}}
  arm: {{mass: 5, {turn}}}
  wheel: {{mass: 7, {turn}}}
joints:
  hub: {{type: revolute, between: [arm, wheel], at: {{first: {vector(0.5, 0, 0)}, second: {vector(0, 0, 0)}}}{"" if dimension == 2 else ", axis: {first: [0, 1, 0], second: [0, 1, 0]}"}}}
forces:
  bush: {{type: bushing, between: [{names}], at: {{first: {p}, second: {q}}}, stiffness: [{", ".join(["1e5"]*(3 if dimension == 2 else 6))}]}}
"""
                x = self.first(text + "simulate: {t_end: 0.001, points: 1}\n")
                with self.subTest(dimension=dimension, unit=unit, first=first):
                    for name, wanted in (("arm", (4.2, 2.3, 0.85)), ("wheel", (4.7, 2.3, 0.85))):
                        for c, value in list(zip("xyz", wanted))[:dimension]:
                            self.assertAlmostEqual(x["body.%s.%s" % (name, c)]/unit, value, delta=1e-14)
                    self.assertEqual(x["energy.potential"], 0)

    def test_cylinder_that_can_only_start_inside_out_is_named(self):
        """Its pins are 3 apart, its points 5 behind each other along its axis: -2, or -8 the other way round."""
        text = """\
crank: mechanism
dimension: 2
bodies: {boom: {mass: 9, inertia: 9, position: [0, 0], angle: 0}, barrel: {mass: 1, inertia: 1}, rod: {mass: 1, inertia: 1}}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0], second: [0, 0]}}
  low: {type: revolute, between: [ground, barrel], at: {first: [0, -4], second: [0, 0]}}
  cyl: {type: prismatic, between: [barrel, rod], at: {first: [0, 0], second: [-C, 0]}, axis: {first: [1, 0], second: [1, 0]}}
  high: {type: revolute, between: [rod, boom], at: {first: [0, 0], second: [0, -1]}}
simulate: {t_end: 0.001, points: 1}
"""
        for c, length in ((5, -2), (2, 1)):
            with self.subTest(length=length):
                result = self.expect(DONE, "run", self.write(text.replace("C", str(c))), "--quiet")
                if length > 0:
                    self.assertEqual(result.err, "")
                else:
                    self.assertIn('joint "cyl" starts inside out, its length is -2:', result.err)
                names, rows = self.table(result.out)
                self.assertAlmostEqual(dict(zip(names, rows[0]))["joint.cyl.length"], length, delta=1e-13)

    def test_cylinder_measured_from_its_mouth_to_the_end_of_its_piston_is_inside_out_only_where_one_has_passed_the_other(self):
        """Its pins are 3 apart. Mouth 2.5 above the barrel's pin, the piston's end c below the rod's: the length is 0.5 - c,
        the piston's end 3 - c above the barrel's pin. What is inside out is so in every unit, and for either order of the bodies."""
        text = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies: {boom: {mass: 9, inertia: 9*L^2, position: [0, 0], angle: 0}, barrel: {mass: 1, inertia: L^2}, rod: {mass: 1, inertia: L^2}}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0], second: [0, 0]}}
  low: {type: revolute, between: [ground, barrel], at: {first: [0, -4*L], second: [0, 0]}}
  cyl: {type: prismatic, between: BETWEEN}
  high: {type: revolute, between: [rod, boom], at: {first: [0, 0], second: [0, -L]}}
simulate: {t_end: 0.001, points: 1}
"""
        ends = ("[barrel, rod], at: {first: [2.5*L, 0], second: [-C*L, 0]}, axis: {first: [1, 0], second: [1, 0]}",
                "[rod, barrel], at: {first: [-C*L, 0], second: [2.5*L, 0]}, axis: {first: [-1, 0], second: [-1, 0]}")
        for c, wrong in ((2.5, False), (2.9, False), (3.1, True)):
            for between in ends:
                for L in (1, 1000):
                    with self.subTest(c=c, between=between[:13], L=L):
                        path = self.write(text.replace("BETWEEN", between).replace("C*L", "%g*L" % c))
                        result = self.expect(DONE, "run", path, "--set", "L=%g" % L, "--quiet")
                        (self.assertIn if wrong else self.assertNotIn)('joint "cyl" starts inside out', result.err)
                        names, rows = self.table(result.out)
                        self.assertAlmostEqual(dict(zip(names, rows[0]))["joint.cyl.length"]/L, 0.5 - c, delta=1e-12)

    def test_legs_of_a_platform_point_at_it_whatever_their_own_axis_is(self):
        for slide in ("prismatic", "cylindrical"):
            for axis in ("[0, 0, 1]", "[0, 1, 0]", "[0, 0, -1]", "[0, 0.6, -0.8]"):
                for L in (1, 1e-3):
                    with self.subTest(slide=slide, axis=axis, L=L):
                        x = self.first(PLATFORM.replace("SLIDE", slide).replace("AXIS", axis), "--set", "L=%g" % L)
                        for i in range(3):
                            self.assertGreater(x["joint.leg%d.length" % i]/L, 1)

    def test_cylinder_whose_axis_points_from_the_rod_to_the_barrel_is_positive_as_it_is_measured(self):
        """Its sliding point is beyond the arm's pin: 5 L less the pins' distance from there."""
        text = LIFT.replace("FOOT", "0.7*L, 0.2*L").replace("second: [0, 0]}, axis", "second: [5*L, 0]}, axis")
        way = math.hypot(1.5*math.cos(math.radians(70)) - 0.7, 1.8 + 1.5*math.sin(math.radians(70)))
        self.assertAlmostEqual(self.first(text)["joint.cyl.length"], way + 5, delta=1e-12)
        text = LIFT.replace("FOOT", "0.7*L, 0.2*L").replace("second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}",
                                                            "second: [-5*L, 0]}, axis: {first: [-1, 0], second: [-1, 0]}")
        self.assertAlmostEqual(self.first(text)["joint.cyl.length"], 5 + way, delta=1e-12)

    def test_piston_that_has_no_place_is_on_the_positive_side_of_its_bore(self):
        for axis in ("[1, 0]", "[0, 1]", "[-1, 0]", "[0.6, -0.8]"):
            for L in (1, 1e-3):
                with self.subTest(axis=axis, L=L):
                    length = self.first(SLIDER.replace("AXIS", axis).replace("ANGLE", ""), "--set", "L=%g" % L)["joint.bore.length"]
                    self.assertGreater(length/L, 0.69)

    def test_sliding_joints_of_closed_loops_stay_at_zero(self):
        """Two guides of one body: it may slide, and nothing asks it to."""
        text = """\
crank: mechanism
dimension: 2
bodies: {rail: {mass: 1, inertia: 1, position: [0.2, 0.1], angle: 0.3, fixed: [position, angle]}, sledge: {mass: 1, inertia: 1}}
joints:
  left: {type: prismatic, between: [rail, sledge], at: {first: [0, 0], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}
  right: {type: prismatic, between: [rail, sledge], at: {first: [1, 0], second: [1, 0]}, axis: {first: [0, 1], second: [0, 1]}}
simulate: {t_end: 0.001, points: 1}
"""
        x = self.first(text)
        self.assertAlmostEqual(x["joint.left.length"], 0, delta=1e-15)
        self.assertAlmostEqual(x["joint.right.length"], 0, delta=1e-15)

    def test_rod_between_ball_joints_turns_to_where_it_is_held_and_nothing_else_moves(self):
        """A tie rod that the file leaves along the wrong axis; arm and rack are where it fits."""
        text = """\
crank: mechanism
bodies:
  rack: {mass: 3, inertia: [0.1, 0.01, 0.1]}
  arm: {mass: 4, inertia: [0.06, 0.06, 0.12]}
  rod: {mass: 0.8, shape: {cylinder: [0.008, 0.31]}}
joints:
  bar: {type: prismatic, between: [ground, rack], at: {first: [0, 0.4, 0], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
  hinge: {type: revolute, between: [ground, arm], at: {first: [0.2, 0.71, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}
  inner: {type: universal, between: [rack, rod], at: {first: [0, 0, 0], second: [0, 0, -0.155]}, axes: {first: [1, 0, 0], second: [0, 1, 0]}}
  outer: {type: spherical, between: [rod, arm], at: {first: [0, 0, 0.155], second: [-0.2, 0, 0]}}
simulate: {t_end: 0.0001, points: 1}
"""
        x = self.first(text)
        for name in ("joint.bar.length", "joint.hinge.angle"):
            self.assertAlmostEqual(x[name], 0, delta=1e-13)
        self.assertAlmostEqual(x["body.rod.y"], 0.555, delta=1e-13)

    def test_wheels_that_their_joints_place_roll_from_there(self):
        """Neither a place nor an orientation is given: what stands on the origin, lying flat, is a guess."""
        text = """\
crank: mechanism
bodies:
  car: {mass: 100, inertia: [10, 10, 10], position: [0, 0, 0.5], velocity: [3, 0, 0], angular_velocity: [0, 0, 0]}
""" + "".join("  w%d: {mass: 10, shape: {cylinder: [0.5, 0.2]}}\n" % i for i in range(3)) + "joints:\n" + "".join("""\
  hub%d: {type: revolute, between: [car, w%d], at: {first: [%s, 0], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 0, 1]}}
  road%d: {type: rolling_disc, between: [ground, w%d], radius: 0.5, axis: {first: [0, 1, 0], second: [0, 0, 1]}, plane: {at: [0, 0, 0], normal: [0, 0, 1]}}
""" % (i, i, at, i, i) for i, at in enumerate(("1, 0.7", "-1, 0.6", "-1, -0.6"))) + "simulate: {t_end: 0.1, points: 1}\n"
        x = self.first(text)
        for i in range(3):
            self.assertAlmostEqual(x["body.w%d.z" % i], 0.5, delta=1e-13)
            self.assertAlmostEqual(x["body.w%d.wy" % i], 6, delta=1e-12)

    def test_wheelset_rolls_where_nothing_gives_how_it_turns(self):
        """Left and right by different radii: each creeps by half of the difference."""
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  frame: {mass: 0, inertia: [0, 0, 0]}
  set: {mass: 1.2, inertia: [0.6, 0.1, 0.6]SPIN}
joints:
  lead: {type: track, body: frame, path: [s, 0], along: 5*t}
  axle: {type: free, between: [frame, set], at: {first: [0, 0, 0.5], second: [0, 0, 0]}, hold_x: true}
  left: {type: wheel_rail, between: [frame, set], at: {first: [0, 0.75, 0], second: [0, 0.75, 0]}, radius: 0.5, conicity: 0.1, clearance: 0.008, friction: 0.4, creep: [130, 130]}
  right: {type: wheel_rail, between: [frame, set], at: {first: [0, -0.75, 0], second: [0, -0.75, 0]}, radius: 0.5, conicity: 0.1, clearance: 0.008, friction: 0.4, creep: [130, 130]}
initial: {joints: {axle: {y: 2e-3, yaw: 0, pitch: 0}}}
simulate: {t_end: 1e-9, points: 1}
"""
        x = self.first(text.replace("SPIN", ""))
        self.assertAlmostEqual(x["body.set.wy"], 10, delta=1e-3)
        self.assertAlmostEqual(x["joint.left.longitudinal"] + x["joint.right.longitudinal"], 0, delta=1e-3)
        self.assertLess(abs(x["joint.left.longitudinal"]), 0.4)
        x = self.first(text.replace("SPIN", ", angular_velocity: [0, 0, 0]"))
        self.assertAlmostEqual(x["body.set.wy"], 0, delta=1e-9)

    def test_body_of_which_the_orientation_alone_is_given_is_placed_along_its_joints(self):
        """A trailer at its hitch, wherever the car stands; what hangs on the car does not move."""
        text = """\
crank: mechanism
parameters: {L: 1}
bodies:
  chassis: {mass: 1200, inertia: [400*L^2, 1600*L^2, 1800*L^2], position: [3*L, 0, 0.55*L]}
  trailer: {mass: 600, inertia: [200*L^2, 600*L^2, 700*L^2], orientation: {axis: [0, 0, 1], angle: 25 deg}}
  hub: {mass: 15, inertia: [0.3*L^2, 0.3*L^2, 0.3*L^2]}
  knuckle: {mass: 10, inertia: [0.2*L^2, 0.2*L^2, 0.2*L^2]}
  wheel: {mass: 10, inertia: [0.2*L^2, 0.2*L^2, 0.2*L^2]}
joints:
  hitch: {type: spherical, between: [chassis, trailer], at: {first: [-2.4*L, 0, -0.1*L], second: [2.2*L, 0, 0]}}
  spin: {type: revolute, between: [trailer, wheel], at: {first: [-0.2*L, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
  slide: {type: prismatic, between: [chassis, hub], at: {first: [1.2*L, -0.75*L, -0.25*L], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}
  king: {type: revolute, between: [hub, knuckle], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}, drive: 0.1*t}
simulate: {t_end: 1e-9, points: 1}
"""
        c, s = math.cos(math.radians(25)), math.sin(math.radians(25))
        for L in (1, 1e3):
            x = self.first(text, "--set", "L=%g" % L)
            for name, place in (("chassis", (3, 0, 0.55)), ("trailer", (0.6 - 2.2*c, -2.2*s, 0.45)), ("wheel", (0.6 - 2.4*c, -2.4*s, 0.45)),
                                ("hub", (4.2, -0.75, 0.3)), ("knuckle", (4.2, -0.75, 0.3))):
                for axis, value in zip("xyz", place):
                    self.assertAlmostEqual(x["body.%s.%s" % (name, axis)], value*L, delta=1e-9*L, msg=name)
            self.assertAlmostEqual(abs(x["body.knuckle.q0"]), 1, delta=1e-12)

    def test_point_of_the_world_in_a_body_that_joints_put_elsewhere_is_told(self):
        text = """\
crank: mechanism
dimension: 2
bodies: {tractor: {mass: 3800, inertia: 4000, position: [0, 0]}, dolly: {mass: 400, inertia: 200}}
joints:
  hitch: {type: revolute, between: [tractor, dolly], at: {first: [-0.7, 0], second: [0, 0]}}
  rear: {type: skate, between: [ground, tractor], axis: {first: [1, 0], second: [1, 0]}}
  blade: {type: skate, between: [ground, dolly], at: AT, axis: {first: [1, 0], second: [1, 0]}}
simulate: {t_end: 0.001, points: 1}
"""
        told = 'joint "blade", `at`: body "dolly" has no position in the file'
        said = self.expect(DONE, "run", self.write(text.replace("AT", "[-2.5, 0]")), "--out", "x.csv").err
        self.assertIn(told, said)
        said = self.expect(DONE, "run", self.write(text.replace("AT", "{first: [0, 0], second: [-1.8, 0]}")), "--out", "x.csv").err
        self.assertNotIn(told, said)

    def test_bars_that_lie_across_their_joints_are_told_and_others_not(self):
        text = """\
crank: mechanism
bodies: {bar: {mass: 1, shape: {SHAPE}, center: CENTER}}
joints: {hinge: {type: revolute, between: [ground, bar], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: [0, 1, 0]}}
"""
        told = 'body "bar": its %s lies across its joints'
        for solid, name in (("rod: 1", "rod"), ("cylinder: [0.01, 1]", "cylinder"), ("rod: 1000", "rod")):
            length = 1000 if "1000" in solid else 1
            def said(along, center):
                model = text.replace("SHAPE", solid + along).replace("CENTER", "[%s]" % ", ".join(str(length * c) for c in center))
                return self.expect(DONE, "check", self.write(model)).err
            self.assertIn(told % name, said("", (0.5, 0, 0)))
            self.assertIn('"along: [1, 0, 0]"', said("", (0.5, 0, 0)))
            for along, center in ((", along: [1, 0, 0]", (0.5, 0, 0)), ("", (0, 0, -0.5)), ("", (0.1, 0, 0)), (", along: [1, 1, 0]", (0.3, 0.3, 0))):
                self.assertNotIn("across", said(along, center))
        for solid in ("cylinder: [0.3, 1]", "box: [0.1, 0.1, 1]"):
            self.assertNotIn("across", self.expect(DONE, "check", self.write(text.replace("SHAPE", solid).replace("CENTER", "[0.5, 0, 0]"))).err)

    def test_direction_of_a_solid_without_an_axis_is_refused(self):
        text = "crank: mechanism\nbodies: {a: {mass: 1, shape: {SHAPE}}}\n"
        self.assertIn("a box has no axis", self.expect(MODEL, "check", self.write(text.replace("SHAPE", "box: [1, 1, 1], along: [1, 0, 0]"))).err)
        self.assertIn("0 solids where one is expected", self.expect(MODEL, "check", self.write(text.replace("SHAPE", "along: [1, 0, 0]"))).err)

    def test_hinge_of_the_world_between_two_bodies_that_joints_carry_away_is_told(self):
        text = """\
crank: mechanism
bodies: {upper: {mass: 12000, inertia: [15000, 25000, 30000]PLACE}, boom: {mass: 2500, inertia: [200, 30000, 30000], center: [6, 0, 0]}}
joints:
  slew: {type: revolute, between: [ground, upper], at: {first: [0, 0, 1.5], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: AXIS}}
  foot: {type: revolute, between: [upper, boom], at: [-0.5, 0, 2.5], axis: [0, -1, 0]}
"""
        straight = text.replace("AXIS", "[0, 0, 1]")
        said = self.expect(DONE, "check", self.write(straight.replace("PLACE", ""))).err
        self.assertEqual(said.count("warning"), 1)
        self.assertIn('joint "foot", `at`: body "upper" has no position in the file', said)
        self.assertIn("and this one 1.5 away", said)
        self.assertNotIn("warning", self.expect(DONE, "check", self.write(straight.replace("PLACE", ", position: [0, 0, 1.5]"))).err)
        said = self.expect(DONE, "check", self.write(text.replace("AXIS", "[0, 1, 0]").replace("PLACE", ""))).err
        self.assertIn('joint "foot", `axis`: body "upper" has no place in the file', said)
        self.assertRegex(said, "and this one by [0-9.]+ deg")

    def test_load_on_a_rope_is_no_other_way_to_assemble_a_crane(self):
        text = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  boom: {mass: 2500, inertia: 30000, center: [6, 0]}
  tube: {mass: 250, inertia: 60}
  rod:  {mass: 150, inertia: 40}
  load: {type: point, mass: 2000}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [-0.5, 2.5], second: [0, 0]}}
  cyl_foot: {type: revolute, between: [ground, tube], at: {first: [1.2, 1.7], second: [0, 0]}}
  cylinder: {type: prismatic, between: [tube, rod], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}, drive: 2.73}
  cyl_head: {type: revolute, between: [boom, rod], at: {first: [3.5, -0.3], second: [0, 0]}}
  rope: {type: distance, between: [boom, load], at: {first: [12, 0], second: [0, 0]}, length: 6}
"""
        self.assertNotIn("another way", self.expect(DONE, "check", self.write(text)).err)

    def test_body_that_only_a_spring_or_a_rope_ties_to_a_placed_one_is_told(self):
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  boom: {mass: 2500, inertia: [200, 30000, 30000]}
  hook: {mass: 100, inertia: [2, 2, 2]PLACE}
  load: {mass: 2000, inertia: [300, 300, 300]}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0, 9], second: [0, 0, 0]}, axis: [0, -1, 0]}
  sling: {type: spherical, between: [hook, load], at: {first: [0, 0, 0], second: [0, 0, 1.5]}}
"""
        end = ", between: [FROM, hook], at: {first: [12, 0, 0], second: [0, 0, 0]}, "
        spring = "forces:\n  rope: {type: spring" + end + "stiffness: 1e5, length: 4}\n"
        rope = "  rope: {type: distance" + end + "length: 4}\n"
        told = 'body "load" has no position in the file, and no joint or bushing says where it stands'
        written = text + "holonomic:\n  rope: sqrt(" + " + ".join(f"(body.hook.{x} - body.FROM.tip.{x})^2" for x in "xyz") + ") - 4\n"
        written = written.replace("30000, 30000]}", "30000, 30000], points: {tip: [12, 0, 0]}}").replace("FROM", "boom")
        said = self.expect(DONE, "check", self.write(written.replace("PLACE", ""))).err
        self.assertIn(told, said)
        self.assertIn('constraint "rope" ties "hook" to "boom"', said)
        self.assertNotIn(told, self.expect(DONE, "check", self.write(written.replace("PLACE", ", position: [12, 0, 5]"))).err)
        for tie, kind in ((spring, "force"), (rope, "joint")):
            said = self.expect(DONE, "check", self.write((text + tie).replace("PLACE", "").replace("FROM", "boom"))).err
            self.assertIn(told, said)
            self.assertIn(kind + ' "rope" ties "hook" to "boom"', said)
            for place, other in ((", position: [12, 0, 5]", "boom"), (", position: [12, 0, 5], free: true", "boom"), ("", "ground")):
                said = self.expect(DONE, "check", self.write((text + tie).replace("PLACE", place).replace("FROM", other))).err
                self.assertNotIn(told, said)

    def test_skate_whose_point_is_given_in_its_body_leaves_the_tractrix(self):
        """A trailer of length d behind a hitch that is pulled along a line from 90 degrees: tan(angle/2) = exp(-s/d)."""
        text = """\
crank: mechanism
dimension: 2
bodies: {trailer: {mass: 1, inertia: 1, position: [0, 0], angle: 90 deg}}
joints:
  pull: {type: point_driver, body: trailer, along: [1, 0], is: t}
  line: {type: point_driver, body: trailer, along: [0, 1], is: 0}
  blade: {type: skate, between: [ground, trailer], at: {first: [0, 0], second: [-1.8, 0]}, axis: {first: [1, 0], second: [1, 0]}}
simulate: {t_end: 3, points: 3}
"""
        names, rows = self.run_model(text, "--rtol", "1e-10", "--atol", "1e-10")
        self.assertAlmostEqual(rows[-1][names.index("body.trailer.angle")], 2*math.atan(math.exp(-3/1.8)), delta=1e-8)

    def test_guess_that_moves_the_zero_of_a_hinge_is_told(self):
        """Parallel axes, or an axis in each body: it does not, and nothing is said."""
        text = """\
crank: mechanism
bodies:
  thigh: {mass: 7, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}
  shank: {mass: 3, inertia: [0.05, 0.05, 0.05], orientation: {axis: [0, 1, 0], angle: GUESS deg}, free: [position, orientation]}
joints:
  hip:  {type: fixed, between: [ground, thigh], at: [0, 0, 0]}
  knee: {type: revolute, between: [thigh, shank], at: {first: [0.4, 0, 0], second: [0, 0, 0]}, axis: AXIS}
initial: {joints: {knee: {angle: 30 deg}}}
"""
        both = "{first: [0, 1, 0], second: [0, 1, 0]}"
        for guess, axis, told in (("25", "[0, 1, 0]", True), ("0", "[0, 1, 0]", False), ("25", both, False)):
            done = self.expect(DONE, "check", self.write(text.replace("GUESS", guess).replace("AXIS", axis)))
            self.assertEqual('joint "knee": its angle is zero where the guess' in done.err, told)

    def test_teeth_meet_on_every_side_of_a_gear(self):
        """Where a file is a little off: the line of centres may point to where atan2 jumps."""
        for side, off in ((-1, 1e-6), (-1, -1e-6), (1, 1e-6), (1, -1e-6)):
            x = self.first("""\
crank: mechanism
dimension: 2
bodies:
  g1: {mass: 1.3, inertia: 8e-4, position: [0, 0]}
  g2: {mass: 0.7, inertia: 2.6e-4, position: [%g, 0]}
joints:
  h1: {type: revolute, between: [ground, g1], at: [0, 0]}
  h2: {type: revolute, between: [ground, g2], at: {first: [%g, %g], second: [0, 0]}}
  teeth: {type: mesh, between: [g1, g2], radii: [0.036, 0.027]}
simulate: {t_end: 1e-9, points: 1}
""" % (0.063*side, 0.063*side, off))
            self.assertAlmostEqual(0.036*x["body.g1.angle"] + 0.027*x["body.g2.angle"], side*off, delta=1e-11)  # the teeth roll off psi

    def test_zero_of_a_hinge_with_an_axis_in_each_body_is_where_the_shortest_turn_makes_them_one(self):
        text = """\
crank: mechanism
bodies:
  hub: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 1]}
  w: {mass: 10, shape: {cylinder: [0.5, 0.2]}, position: [0, 1, 1], orientation: {axis: [1, 0, 0], angle: -90 deg}}
joints:
  g: {type: fixed, between: [ground, hub], at: [0, 0, 1]}
  b: {type: TYPE, between: [hub, w], at: {first: [0, 1, 0], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 0, 1]}}
simulate: {t_end: 0.0001, points: 1}
"""
        for kind in ("revolute", "cylindrical"):
            for first, second, turn in (("[0, 1, 0]", "[0, 0, 1]", "axis: [1, 0, 0], angle: -90 deg"), ("[1, 0, 0]", "[0, 0, 1]", "axis: [0, 1, 0], angle: 90 deg"),
                                        ("[0.6, 0, 0.8]", "[0, 0, 1]", "axis: [0, 1, 0], angle: asin(0.6)"), ("[0, 0, 1]", "[0, 0, 1]", "axis: [0, 1, 0], angle: 0")):
                placed = text.replace("TYPE", kind).replace("axis: {first: [0, 1, 0], second: [0, 0, 1]}", "axis: {first: %s, second: %s}" % (first, second)) \
                    .replace("axis: [1, 0, 0], angle: -90 deg", turn)
                self.assertAlmostEqual(self.first(placed)["joint.b.angle"], 0, delta=1e-15)
                # and the same of a body that the joint places, so that the zero does not depend on who does
                q = [[self.first(t)["body.w.q%d" % i] for i in range(4)]
                     for t in (placed, placed.replace(", position: [0, 1, 1], orientation: {%s}" % turn, ""))]
                self.assertAlmostEqual(abs(sum(a*b for a, b in zip(*q))), 1, delta=1e-14)

    def test_block_of_an_engine_whose_shaft_is_given_its_speed_stays_at_rest(self):
        """Nothing asks it to move. Placed or not, whichever body of the joint comes first, in all units."""
        for block in (", position: [0, 0], angle: 0.4", ""):
            for shaft in ("", ", position: [0, 0], angle: 1"):
                for ends, sign in (("block, shaft", 1), ("shaft, block", -1)):
                    text = ENGINE.replace("BLOCK", block).replace("SHAFT", shaft).replace("ENDS", ends)
                    for L, m in ((1, 1), (1e3, 1e-3)):
                        with self.subTest(block=block, shaft=shaft, ends=ends, L=L):
                            x = self.first(text, "--set", "L=%g" % L, "--set", "m=%g" % m)
                            for name in ("vx", "vy", "rate"):
                                self.assertEqual(x["body.block." + name], 0)
                            self.assertAlmostEqual(x["body.shaft.rate"], sign*100, delta=1e-11)

    def test_body_that_is_driven_at_a_point_moves_along_and_carries_what_hangs_on_it(self):
        text = """\
crank: mechanism
dimension: 2
bodies:
  car: {mass: 350, inertia: 40, center: [0, 0.5], position: [0, 0]}
  arm: {mass: 5, inertia: 1}
  wheel: {mass: 20, inertia: 1}
joints:
  push: {type: point_driver, body: car, along: [1, 0], is: 10*t}
  hinge: {type: revolute, between: [car, arm], at: {first: [1, 0.3], second: [0, 0]}}
  hub: {type: revolute, between: [arm, wheel], at: {first: [0.4, 0], second: [0, 0]}}
simulate: {t_end: 0.0001, points: 1}
"""
        x = self.first(text)
        for body in ("car", "arm", "wheel"):
            self.assertAlmostEqual(x["body.%s.vx" % body], 10, delta=1e-13)
            self.assertAlmostEqual(x["body.%s.vy" % body], 0, delta=1e-13)
            self.assertAlmostEqual(x["body.%s.rate" % body], 0, delta=1e-13)

    def test_body_moves_as_after_a_blow_where_moving_along_does_not_do(self):
        """Two of its points have different velocities along one line: the rest is what an impulse there and a couple do. In
        space with a full inertia tensor: the velocity of a point away from the centre, and no turning about the blow."""
        text = """\
crank: mechanism
parameters: {L: 1, m: 1}
bodies:
  stone: {mass: 3*m, inertia: [[2*m*L^2, 0.3*m*L^2, 0.1*m*L^2], [0.3*m*L^2, 1.5*m*L^2, -0.2*m*L^2], [0.1*m*L^2, -0.2*m*L^2, 1*m*L^2]],
          position: [0, 0, 0], orientation: {axis: [1, 2, -1], angle: 0.7}}
initial:
  one: body.stone.vx - 2*L
  spin: body.stone.wx - 0.5*body.stone.wy - 3
simulate: {t_end: 0.0001, points: 1}
"""
        # omega minimises omega^T J omega with c.omega = 3: omega = 3 J^-1 c/(c.J^-1 c), J in world axes
        n = [1/math.sqrt(6), 2/math.sqrt(6), -1/math.sqrt(6)]
        s, c = math.sin(0.7), math.cos(0.7)
        K = [[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]]
        R = [[(c if i == j else 0) + s*K[i][j] + (1 - c)*n[i]*n[j] for j in range(3)] for i in range(3)]
        J = [[2, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1]]
        W = [[sum(R[i][k]*J[k][l]*R[j][l] for k in range(3) for l in range(3)) for j in range(3)] for i in range(3)]
        C = [1, -0.5, 0]

        def det(A):
            return sum(A[0][i]*(A[1][(i + 1) % 3]*A[2][(i + 2) % 3] - A[1][(i + 2) % 3]*A[2][(i + 1) % 3]) for i in range(3))
        y = [det([[C[i] if j == k else W[i][j] for j in range(3)] for i in range(3)])/det(W) for k in range(3)]
        scale = 3/sum(a*b for a, b in zip(C, y))
        for L, m in ((1, 1), (1e-3, 1e3)):
            with self.subTest(L=L):
                x = self.first(text, "--set", "L=%g" % L, "--set", "m=%g" % m)
                for k, name in enumerate(("wx", "wy", "wz")):
                    self.assertAlmostEqual(x["body.stone." + name], scale*y[k], delta=1e-5)  # parts without mass count 1e-6
                self.assertAlmostEqual(x["body.stone.vx"]/L, 2, delta=1e-12)
                self.assertAlmostEqual(x["body.stone.vy"]/L, 0, delta=1e-12)

    def test_rate_of_a_hub_turns_the_wheel_of_an_assembly_that_moves_and_not_its_arm(self):
        """The arm hangs on bushings, and is lighter than the wheel."""
        self.write("""\
crank: mechanism
bodies:
  hull: {mass: 1000, inertia: [300, 900, 900], position: [0, 0, 0.5]}
  arm: {mass: 8, inertia: [0.1, 0.3, 0.3], position: [0.3, 0.6, 0.4]}
  wheel: {mass: 20, inertia: [0.6, 1, 0.6], position: [0.6, 0.7, 0.3]}
joints: {hub: {type: revolute, between: [arm, wheel], at: [0.6, 0.7, 0.3], axis: [0, 1, 0]}}
forces: {mount: {type: bushing, between: [hull, arm], at: [0, 0.6, 0.5], stiffness: [1e6, 1e6, 1e6, 1e3, 1e3, 1e3]}}
initial: {joints: {hub: {angle_rate: 60}}}
""", "car.yaml")
        x = self.first("crank: mechanism\nassemblies: {car: {use: car.yaml, velocity: [20, 0, 0], angular_velocity: [0, 0, 0.3]}}\n"
                       "simulate: {t_end: 0.0001, points: 1}\n")
        for body, spin in (("hull", 0), ("arm", 0), ("wheel", 60)):
            self.assertAlmostEqual(x["body.car.%s.wy" % body], spin, delta=1e-12)
            self.assertAlmostEqual(x["body.car.%s.wz" % body], 0.3, delta=1e-13)

    def test_angle_that_is_given_as_a_guess_chooses_the_side_of_a_loop(self):
        for angle in (50, -50, 130, -130):
            x = self.first("""\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, inertia: 1, angle: %d deg, free: [position, angle]}
  b: {mass: 1, inertia: 1}
joints:
  left: {type: revolute, between: [ground, a], at: {first: [0, 0], second: [0, 0]}}
  right: {type: revolute, between: [ground, b], at: {first: [%g, 0], second: [0, 0]}}
  top: {type: revolute, between: [a, b], at: {first: [1, 0], second: [1, 0]}}
simulate: {t_end: 1e-9, points: 1}
""" % (angle, math.copysign(1.5, 90 - abs(angle))))
            right = math.acos(math.copysign(0.75, 90 - abs(angle)))
            self.assertAlmostEqual(x["body.a.angle"], math.copysign(right, angle), delta=1e-12)

    def test_coil_between_bodies_without_a_place_starts_in_the_nearest_turn_of_its_joint(self):
        """Each body in its own nearest turn would wind the coil by -209 deg; without one nothing tells the turns of the joint."""
        text = """\
crank: mechanism
dimension: 2
bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, c: {mass: 1, inertia: 1}}
joints:
  foot: {type: revolute, between: [ground, a], at: {first: [0, 0], second: [0, 0]}}
  knee: {type: revolute, between: [a, b], at: {first: [1, 0], second: [0, 0]}}
  foot2: {type: revolute, between: [ground, c], at: {first: [-1.2, 0.2], second: [0, 0]}}
  top: {type: revolute, between: [b, c], at: {first: [1.1, 0], second: [0, 1]}}
forces: {coil: {type: torsion, joint: knee, stiffness: STIFFNESS}}
initial: {joints: {foot: {angle: 139 deg}}}
simulate: {t_end: 1e-9, points: 1}
"""
        for stiffness, turns in (("1", 0), ("0", 1)):
            names, rows = self.run_model(text.replace("STIFFNESS", stiffness))
            x = dict(zip(names, rows[0]))
            self.assertAlmostEqual(x["joint.knee.angle"], 2.62870369466106 - turns*2*math.pi, delta=1e-12)
            self.assertLess(abs(x["body.b.angle"] - 2*math.pi*(1 - turns)), math.pi)

    def test_condition_that_cannot_hold_beside_the_others_is_named(self):
        """Not the one that is farther off at first, which can."""
        done = self.expect(MODEL, "init", self.write("""\
crank: mechanism
dimension: 2
bodies:
  slide: {mass: 1, inertia: 1}
  bar: {mass: 1, inertia: 1}
joints:
  rail: {type: prismatic, between: [ground, slide], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}
  pin: {type: revolute, between: [ground, bar], at: {first: [0, 0], second: [-1, 0]}}
initial:
  far: body.slide.x - 100
  high: body.bar.y - 1.5
"""))
        self.assertIn('initial condition "high": no state was found', done.err)
        self.assertIn("the other conditions hold, it is off by", done.err)

    def test_contacts_close_on_the_side_that_the_file_says_however_far_bodies_turn_before(self):
        """Axis of the cam to its outline, upwards: 0.003 sin(angle) + 0.02 to a flat tappet; a roller of radius 0.01 touches
        on the line of both centres."""
        flat, roller = CAM.replace("FACE", "[-s2, 0]").replace("SECOND", "0"), CAM.replace(
            "FACE", "[0.01*L*cos(s2), 0.01*L*sin(s2)]").replace("SECOND", "-90 deg")
        for cycles, off, unit in ((1, 0, 1), (1000, 0, 1), (0, -57, 1), (0, 80, 1), (1, 57, 1), (0, 57, 1e-3)):
            names, rows = self.run_model(flat, "--set", "begin=20 deg + %d*720 deg" % cycles, "--set", "off=%g deg" % off, "--set", "L=%g" % unit)
            length = dict(zip(names, rows[0]))["joint.guide.length"]
            with self.subTest(cycles=cycles, off=off, unit=unit):
                self.assertAlmostEqual(length/unit, 0.02 + 0.003*math.sin(math.radians(10)), delta=1e-9)
        x, y = 0.003*math.cos(math.radians(10)), 0.003*math.sin(math.radians(10))
        for cycles, off in ((1, 0), (0, 70)):
            names, rows = self.run_model(roller, "--set", "begin=20 deg + %d*720 deg" % cycles, "--set", "off=%g deg" % off)
            with self.subTest(roller=cycles, off=off):
                self.assertAlmostEqual(dict(zip(names, rows[0]))["joint.guide.length"], y + math.sqrt(0.03**2 - x**2), delta=1e-9)

    def test_what_moves_elsewhere_makes_no_loop_undecided(self):
        self.assertNotIn("another way", self.expect(DONE, "init", self.write(APART)).err)


if __name__ == "__main__":
    main()
