"""Start positions behind torsion springs: what hangs there and of which nothing is given starts untwisted."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import DONE, CommandTest, main

# a motor geared to a shaft, wheels in bearings of their own behind it, a bob that hangs at the first; INITIAL: of joints
PLANE = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies:
  motor: {mass: 1, inertia: 0.1*L^2}
  shaft: {mass: 1, inertia: 0.1*L^2}
  wheel: {mass: 9, inertia: 2*L^2, center: [0.1*L, 0.05*L]WHEEL}
  bob: {mass: 1, inertia: 0.1*L^2}
  last: {mass: 3, inertia: L^2}
joints:
  first: {type: revolute, between: [ground, motor], at: {first: [0, 0], second: [0, 0]}}
  second: {type: revolute, between: [ground, shaft], at: {first: [3*L, 0], second: [0, 0]}}
  third: {type: revolute, between: [ground, wheel], at: {first: [3*L, 0], second: [0, 0]}}
  pin: {type: revolute, between: [wheel, bob], at: {first: [L, 0], second: [L, 0]}}
  fourth: {type: revolute, between: [ground, last], at: {first: [3*L, 0], second: [0, 0]}}
  gear: {type: gear, joints: [first, second], ratio: -2}
forces:
  far: {type: torsion, between: [wheel, last], stiffness: 50, damping: 1}
  near: {type: torsion, between: [shaft, wheel], TWIST}
MORE
initial: {joints: {INITIAL}}
simulate: {t_end: 1e-9, points: 1}
"""
# the same in space about an axis, the gear behind the spring; AXIS: of all hinges
SPACE = """\
crank: mechanism
parameters: {L: 1}
bodies:
  shaft: {mass: 1, inertia: [L^2, L^2, L^2]}
  wheel: {mass: 9, inertia: [L^2, L^2, L^2], center: [0.1*L, 0.05*L, 0]}
  load: {mass: 3, inertia: [L^2, L^2, L^2]}
joints:
  first: {type: revolute, between: [ground, shaft], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [AXIS], second: [AXIS]}}
  second: {type: revolute, between: [ground, wheel], at: {first: [L, L, 0], second: [0, L, 0]}, axis: {first: [AXIS], second: [AXIS]}}
  third: {type: revolute, between: [ground, load], at: {first: [3*L, 0, 0], second: [0, 0, 0]}, axis: {first: [AXIS], second: [AXIS]}}
  gear: {type: gear, joints: [second, third], ratio: -2}
forces:
  twist: {type: torsion, between: [wheel, shaft], axis: [AXIS], stiffness: 50}
initial: {joints: {first: {angle: 0.7, angle_rate: 3}}}
simulate: {t_end: 1e-9, points: 1}
"""


class Coupled(CommandTest):
    def begin(self, text, *more):
        """the first row by name, and what was warned of"""
        done = self.expect(DONE, "run", self.write(text), *more)
        names, rows = self.table(done.out)
        return dict(zip(names, rows[0])), done.err

    def plane(self, *more, initial="first: {angle: 1, angle_rate: 10}", twist="stiffness: 100", wheel="", force=""):
        text = PLANE.replace("INITIAL", initial).replace("TWIST", twist).replace("WHEEL", wheel).replace("MORE\n", force)
        return self.begin(text, *more)

    def check(self, x, **angles):
        for name, value in angles.items():
            self.assertAlmostEqual(x["body.%s.angle" % name], value, delta=1e-9, msg=name)

    def test_wheels_behind_a_geared_shaft_start_untwisted_in_all_units_and_coordinates(self):
        for L in (1, 1e-3):
            for coordinates in ("absolute", "joint"):
                with self.subTest(L=L, coordinates=coordinates):
                    x, said = self.plane("--set", "L=%g" % L, "--coordinates", coordinates)
                    self.check(x, motor=1, shaft=-2, wheel=-2, last=-2, bob=-2)
                    self.assertAlmostEqual(x["joint.pin.angle"], 0, delta=1e-9)
                    self.assertAlmostEqual(x["body.wheel.x"], 3*L, delta=1e-9*L)
                    for name, rate in (("motor", 10), ("shaft", -20), ("wheel", -20), ("last", -20)):
                        self.assertAlmostEqual(x["body.%s.rate" % name], rate, delta=1e-8)
                    self.assertAlmostEqual(x["force.near.torque"], 0, delta=1e-7)
                    self.assertNotIn("warning", said)

    def test_an_angle_of_several_turns_takes_the_wheel_along(self):
        x, _ = self.plane(initial="second: {angle: 20}")
        self.check(x, motor=-10, shaft=20, wheel=20, last=20)

    def test_the_preload_that_the_file_gives_stays(self):
        x, _ = self.plane(twist="stiffness: 100, angle: 0.2")
        self.check(x, shaft=-2, wheel=-2)
        self.assertAlmostEqual(x["force.near.torque"], -20, delta=1e-7)

    def test_what_is_given_of_a_wheel_stays_and_so_do_guesses_of_it(self):
        for wheel, initial in ((", angle: 0.3, free: [position]", ""), (", angle: 0.3, free: true", ""), ("", ", third: {angle: 0.3}")):
            with self.subTest(wheel=wheel, initial=initial):
                x, said = self.plane(wheel=wheel, initial="first: {angle: 1}" + initial)
                self.check(x, motor=1, shaft=-2, wheel=0.3, last=0.3 if initial else 0)
                self.assertNotIn("warning", said)

    def test_dampers_twist_nothing_and_nothing_given_leaves_all_at_zero(self):
        self.check(self.plane(twist="damping: 3")[0], shaft=-2, wheel=0, last=0)
        self.check(self.plane(initial="")[0], motor=0, shaft=0, wheel=0, last=0)

    def test_wheel_that_another_spring_holds_to_the_ground_stays_and_is_named(self):
        x, said = self.plane(twist="stiffness: 100, angle: 0", force="  stop: {type: torsion, joint: third, stiffness: 3}\n")
        self.check(x, shaft=-2, wheel=0, last=0)
        self.assertIn('force "near" starts twisted by 2 rad', said)
        self.assertIn('force "stop"', said)

    def test_springs_without_an_angle_rest_where_the_wheel_stays(self):
        x, said = self.plane(force="  stop: {type: torsion, joint: third, stiffness: 3}\n")
        self.check(x, shaft=-2, wheel=0, last=0)
        for name in ("near", "far", "stop"):
            self.assertAlmostEqual(x["force.%s.torque" % name], 0, delta=1e-9)
        self.assertNotIn("warning", said)

    def test_shaft_of_a_planetary_gear_turns_with_its_load_and_the_sun_follows(self):
        text = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies:
  sun: {mass: 0.5, inertia: 2e-4*L^2}
  carrier: {mass: 3, inertia: 4e-3*L^2}
  ring: {mass: 2, inertia: 8e-3*L^2}
  load: {mass: 60, inertia: 1.5*L^2}
joints:
  shaft: {type: revolute, between: [ground, carrier], at: {first: [0, 0], second: [0, 0]}}
  sun_on: {type: revolute, between: [carrier, sun], at: {first: [0, 0], second: [0, 0]}}
  ring_on: {type: revolute, between: [carrier, ring], at: {first: [0, 0], second: [0, 0]}}
  ring_housing: {type: revolute, between: [ground, ring], at: {first: [0, 0], second: [0, 0]}}
  mesh: {type: gear, joints: [sun_on, ring_on], ratio: -0.4}
  bearing: {type: revolute, between: [ground, load], at: {first: [0.2*L, 0], second: [0, 0]}}
forces:
  out: {type: torsion, between: [carrier, load], stiffness: 4000, damping: 2}
initial: {joints: {bearing: {angle: 400 deg}, ring_housing: {angle: 10 deg}}}
simulate: {t_end: 1e-9, points: 1}
"""
        for L in (1, 1e3):
            x, said = self.begin(text, "--set", "L=%g" % L)
            self.check(x, carrier=math.radians(400), load=math.radians(400), ring=math.radians(10), sun=math.radians(400 + 390/0.4))
            self.assertAlmostEqual(x["force.out.angle"], 0, delta=1e-9)
            self.assertNotIn("warning", said)

    def test_what_is_geared_behind_the_spring_goes_along_in_space(self):
        for axis in ("0, 0, 1", "1, 2, 2"):
            for L in (1, 1e3):
                with self.subTest(axis=axis, L=L):
                    x, said = self.begin(SPACE.replace("AXIS", axis), "--set", "L=%g" % L)
                    for name, value in (("joint.first.angle", 0.7), ("joint.second.angle", 0.7), ("joint.third.angle", -1.4),
                                        ("force.twist.angle", 0), ("joint.second.angle_rate", 3), ("joint.third.angle_rate", -6)):
                        self.assertAlmostEqual(x[name], value, delta=1e-8, msg=name)
                    self.assertNotIn("warning", said)


if __name__ == "__main__":
    main()
