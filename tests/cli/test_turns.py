"""Angles in space that others tell start in the turn that these tell, however far that is, and runs go on from there."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import CommandTest, main

# a wheel, whatever is tied to it, in bearings about an axis that is none of the world's; L: the unit of length
HEAD = """\
crank: mechanism
parameters: {L: 1, ang: 150 deg}
bodies:
  crank: {mass: 2, inertia: [0.01*L^2, 0.02*L^2, 0.02*L^2]PLACE}
  shaft: {mass: 1, inertia: [0.001*L^2, 0.002*L^2, 0.002*L^2]}
  slide: {mass: 1, inertia: [0.001*L^2, 0.002*L^2, 0.002*L^2]}
joints:
  main: {type: revolute, between: [ground, crank], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [AXIS], second: [AXIS]}DRIVE}
  bearing: {type: revolute, between: [ground, shaft], at: {first: [0, 0.1*L, 0], second: [0, 0, 0]}, axis: {first: [AXIS], second: [AXIS]}}
  guide: {type: prismatic, between: [ground, slide], at: {first: [0, 0.3*L, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}
"""
TAIL = "simulate: {t_end: 0.1, points: 1}\n"
# a spindle in a bearing and its nut in a guide; the nut is driven
SPINDLE = """\
crank: mechanism
bodies:
  nut: {mass: 1, inertia: [0.001, 0.002, 0.002]}
  spindle: {mass: 1, inertia: [0.001, 0.002, 0.002]}
joints:
  bearing: {type: revolute, between: [ground, spindle], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}
  thread: {type: screw, between: [spindle, nut], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}, pitch: 0.01}
  guide: {type: prismatic, between: [ground, nut], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}, drive: 0.303 + 0.1*t}
simulate: {t_end: 0.5, points: 1}
"""
# a load below a drum of radius 0.5 by its rope, 20 long where the drum is at zero
DRUM = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  drum: {mass: 1, inertia: [1, 1, 1]}
  load: {type: point, mass: 8, position: [0, 0, -13]}
joints:
  winch: {type: revolute, between: [ground, drum], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
holonomic: {rope: sqrt(body.load.x^2 + body.load.y^2 + body.load.z^2) + 0.5*joint.winch.angle - 20}
simulate: {t_end: 0.1, points: 1}
"""


class Turns(CommandTest):
    def coordinates(self, text, names, *arguments):
        """Of the first row, and of the last one."""
        columns, rows = self.run_model(text, *arguments)
        return [[row[columns.index(name)] for name in names] for row in (rows[0], rows[-1])]

    def model(self, joints, initial="", axis="1, 0, 0", place="", drive=""):
        return (HEAD.replace("AXIS", axis).replace("PLACE", place).replace("DRIVE", drive) + joints
                + (f"initial: {{{initial}}}\n" if initial else "") + TAIL)

    def expect_start(self, text, wanted, *arguments):
        for kind in ("absolute", "joint"):
            first, _ = self.coordinates(text, list(wanted), "--coordinates", kind, *arguments)
            for name, value, found in zip(wanted, wanted.values(), first):
                self.assertAlmostEqual(found, value, delta=1e-8 * (1 + abs(value)), msg=f"{name}, {kind} {arguments}")

    def test_wheels_that_are_geared_start_in_the_turns_of_the_one_that_is_given_in_every_unit(self):
        for ratio in (1, 2, -3.7, 0.3):
            gear = f"  gear: {{type: gear, joints: [main, bearing], ratio: {ratio}}}\n  rack: {{type: rack_and_pinion, joints: [bearing, guide], radius: 0.1*L}}\n"
            for angle in (91, 150, 180, 181, 400, -1000):
                a = math.radians(angle)
                wanted = {"joint.main.angle": a, "joint.bearing.angle": ratio * a, "joint.guide.length": 0.1 * ratio * a}
                for unit in (1, 1e3) if angle == 150 else (1,):
                    self.expect_start(self.model(gear, "joints: {main: {angle: ang}}", "1, 2, 0.5"),
                                      dict(wanted, **{"joint.guide.length": wanted["joint.guide.length"] * unit}),
                                      "--set", f"ang={angle} deg", "--set", f"L={unit}")
            self.expect_start(self.model(gear, drive=", drive: ang + t"), {"joint.bearing.angle": ratio * math.radians(150)})
            self.expect_start(self.model(gear, "turns: joint.main.angle - 14"), {"joint.bearing.angle": ratio * 14})

    def test_pinion_starts_in_the_turn_of_its_rack_and_a_screw_in_that_of_its_length(self):
        rack = self.model("  rack: {type: rack_and_pinion, joints: [main, guide], radius: 0.1}\n", "joints: {guide: {length: 1}}")
        self.expect_start(rack, {"joint.main.angle": 10, "joint.guide.length": 1})
        screw = self.model("", "joints: {guide: {length: 0.2}}").replace("type: prismatic", "type: screw").replace(
            "0, 1]}}\n", "0, 1]}, pitch: 0.05}\n")
        self.expect_start(screw, {"joint.guide.angle": 8 * math.pi, "joint.guide.length": 0.2})

    def test_coupler_of_three_coordinates_tells_the_turns_of_the_third(self):
        joints = "  sum: {type: coupler, joints: [main, bearing, guide], factors: [2, -0.7, 10], offset: 3}\n"
        self.expect_start(self.model(joints, "joints: {main: {angle: 8}, guide: {length: 2}}"),
                          {"joint.bearing.angle": (16 + 20 - 3) / 0.7})

    def test_wheel_that_the_file_turns_stays_and_its_partner_follows(self):
        place = ", position: [0, 0, 0], orientation: {axis: [1, 0, 0], angle: 100 deg}"
        self.expect_start(self.model("  gear: {type: gear, joints: [main, bearing], ratio: 2}\n", place=place),
                          {"joint.main.angle": math.radians(100), "joint.bearing.angle": math.radians(200)})

    def test_spindle_of_a_nut_that_is_driven_starts_in_its_turn_and_goes_on_from_there(self):
        for kind in ("absolute", "joint"):
            first, last = self.coordinates(SPINDLE, ["joint.thread.angle", "joint.thread.length"], "--coordinates", kind)
            for (angle, length), wanted in ((first, 0.303), (last, 0.353)):
                self.assertAlmostEqual(length, wanted, delta=1e-9)
                self.assertAlmostEqual(angle, 2 * math.pi * wanted / 0.01, delta=1e-6)

    def test_drum_starts_with_as_many_turns_as_its_rope_asks_for(self):
        self.expect_start(DRUM, {"joint.winch.angle": 14, "body.load.z": -13})

    def test_springs_in_plane_loops_start_wound_by_no_whole_turns_as_in_space(self):
        """a four-bar at 350 degrees; gamma of the hinge between coupler and rocker, which began at -8.9"""
        joints = []
        for name, ends, first, second in (("A", "ground, a", 0, 0), ("B", "a, b", 1, 0), ("C", "b, c", 2, 0), ("D", "ground, c", 2, 1.5)):
            joints.append("  %s: {type: revolute, between: [%s], at: {first: [%g, 0Z], second: [%g, 0Z]}AXIS}\n" % (name, ends, first, second))
        bodies = "".join("  %s: {mass: 1, inertia: INERTIA%s}\n" % (name, ", position: [2.1, 1.5Z], free: true" if name == "c" else "") for name in "abc")
        text = "crank: mechanism\nDIMENSION\nbodies:\n" + bodies + "joints:\n" + "".join(joints) + \
            "forces: {coil: {type: torsion, joint: C, stiffness: 10, angle: 0}}\ninitial: {joints: {A: {angle: 350 deg}}}\n" + TAIL
        plane = text.replace("Z", "").replace("AXIS", "").replace("INERTIA", "0.1").replace("DIMENSION", "dimension: 2")
        space = text.replace("Z", ", 0").replace("AXIS", ", axis: {first: [0, 0, 1], second: [0, 0, 1]}").replace(
            "INERTIA", "[0.1, 0.1, 0.1]").replace("DIMENSION", "gravity: [0, 0, 0]")
        names = ["joint.A.angle", "joint.C.angle"]
        for model in (plane, space):
            for kind in ("absolute", "joint"):
                first = self.coordinates(model, names, "--coordinates", kind)[0]
                self.assertAlmostEqual(first[0], math.radians(350), delta=1e-9)
                self.assertAlmostEqual(first[1], -2.6157, delta=1e-4)


if __name__ == "__main__":
    main()
