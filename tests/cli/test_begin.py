"""Where the search for a start begins, and which start it ends in: cylinders the right way round, velocities by inertia."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import CommandTest, main

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


if __name__ == "__main__":
    main()
