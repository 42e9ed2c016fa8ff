"""crank export: mechanisms as URDF and MJCF, there and back again."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re

from command import DONE, MODEL, USAGE, CommandTest, main

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
ARMS = os.path.join(MODELS, "parallelogram-arm", "dialects")
# joints given by world points, from the second body to the first, with points beside the joints, and coordinates that are zero elsewhere
MIXED = """\
crank: mechanism
title: a <b> & "c"
gravity: [0, 0, -9.81]
bodies:
  post: {mass: 2, inertia: [0.1, 0.1, 0.05], position: [0, 0, 1], orientation: {axis: [0, 0, 1], angle: 30 deg}, center: [0.1, 0, 0]}
  arm: {mass: 1, inertia: [[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.025]], position: [0.3, 0.1, 1]}
  slider: {mass: 1, inertia: [0.01, 0.01, 0.01]}
joints:
  base: {type: revolute, between: [post, ground], at: [0, 0, 0.5], axis: [0, 1, 0]}
  elbow: {type: revolute, between: [post, arm], at: [0.2, 0.1, 1], axis: [1, 1, 0], rotor: {inertia: 0.001, ratio: 10}}
  rail: {type: prismatic, between: [arm, slider], at: {first: [0.1, 0, 0], second: [0, 0, 0.1]}, axis: {first: [1, 0, 0], second: [0, 0, 1]}}
  pair: {type: coupler, joints: [rail, elbow], factors: [2, 0.2]}
forces:
  damper: {type: torsion, joint: base, damping: 0.2}
  rub: {type: friction, joint: elbow, level: 0.1, slip: 1e-3}
  motor: {type: actuator, joint: elbow, command: 0, limit: 4}
simulate: {coordinates: joint, t_end: 0.3}
"""


class Export(CommandTest):
    def columns(self, name):
        self.expect(DONE, "run", name, "--quiet", "--rtol", "1e-12", "--atol", "1e-12", "--t-end", "0.3", "--points", "20", "--out", "r.csv")
        lines = [line.split(",") for line in self.read("r.csv").splitlines()]
        return {key: [float(row[i]) for row in lines[1:]] for i, key in enumerate(lines[0])}

    def same(self, model, robot, coordinates):
        self.expect(DONE, "export", model, "-o", robot)
        one, other = self.columns(model), self.columns(robot)
        for name in coordinates:
            for x, y in zip(one[name], other[name]):
                self.assertAlmostEqual(x, y, delta=1e-9 * (1 + abs(x)), msg=f"{robot} {name}")
        return one

    def test_a_mechanism_moves_alike_in_both_formats(self):
        self.write(MIXED)
        coordinates = [f"joint.{j}" for j in ("base.angle", "base.angle_rate", "elbow.angle", "elbow.angle_rate", "rail.length")]
        for robot in ("a.urdf", "a.xml"):
            rows = self.same("model.yaml", robot, coordinates)
        self.assertGreater(abs(rows["joint.base.angle"][-1]), 0.05)
        self.assertGreater(abs(rows["joint.elbow.angle_rate"][-1]), 0.05)
        self.assertIn('name="a &lt;b> &amp; &quot;c&quot;"', self.read("a.urdf"))

    def test_there_and_back_gives_the_same_file(self):
        for name, ending in (("loop.urdf", "urdf"), ("arm.xml", "xml")):
            self.expect(DONE, "import", os.path.join(ARMS, name), "-o", "one.yaml", "--quiet")
            self.expect(DONE, "export", "one.yaml", "-o", f"two.{ending}")
            self.expect(DONE, "import", f"two.{ending}", "-o", "three.yaml", "--quiet")
            one, three = self.columns("one.yaml"), self.columns("three.yaml")
            self.assertEqual([c for c in one if c.startswith(("joint", "body", "force"))], [c for c in three if c.startswith(("joint", "body", "force"))])
            for column in one:
                if column.startswith(("joint.", "body.")) and "unique" not in column:
                    for x, y in zip(one[column], three[column]):
                        self.assertAlmostEqual(x, y, delta=1e-9 * (1 + abs(x)), msg=column)

    def test_a_stop_without_damping_and_a_motor_without_a_stop_have_no_limit_of_velocity(self):
        """Zero would be read as a joint that cannot move, and by crank as damping."""
        stop = "  stop: {type: stop, joint: base, lower: -0.5, upper: 0.5, stiffness: 1000, damping: D}\n"
        for damping, velocities in (("0", {"1e+09"}), ("0.25", {"1e+09", "4"})):
            self.write(MIXED.replace("simulate:", stop.replace("D", damping) + "simulate:"))
            self.expect(DONE, "export", "model.yaml", "-o", "a.urdf")
            self.assertEqual(set(re.findall(r'velocity="([^"]*)"', self.read("a.urdf"))), velocities)

    def test_what_is_lost_is_listed(self):
        self.write(MIXED + "outputs: {x: body.arm.x}\n")
        done = self.expect(DONE, "export", "model.yaml", "-o", "a.urdf")
        self.assertIn("model.yaml: outputs are left out", done.err)
        done = self.expect(MODEL, "export", "model.yaml", "-o", "b.urdf", "--strict")
        self.assertFalse(os.path.exists(self.path("b.urdf")))
        self.write(MIXED.replace("[0, 0, -9.81]", "[0, 0, -1.62]").replace("  rub:", "  push: {type: force, body: arm, force: [1, 0, 0]}\n  rub:"))
        done = self.expect(DONE, "export", "model.yaml", "-o", "a.urdf")
        self.assertIn("gravity is left out", done.err)
        self.assertIn('model.yaml:15: force "push" (force) is left out', done.err)

    def test_ends_of_ranges_that_mjcf_cannot_say_are_listed(self):
        stop = "  end: {type: stop, joint: base, lower: -1, upper: 1, stiffness: 123, damping: 2}\n"
        self.write(MIXED.replace("  rub:", stop + "  rub:"))
        done = self.expect(DONE, "export", "model.yaml", "-o", "a.xml")
        self.assertIn('joint "base": stiffness and damping of its stop are left out', done.err)
        self.expect(DONE, "import", "a.xml", "-o", "b.yaml")  # and what its reader takes instead is the same again
        self.assertNotIn("stop", self.expect(DONE, "export", "b.yaml", "-o", "b.xml").err)

    def test_rotor_of_a_motor_moves_with_its_joint(self):
        for rotor in ("", ", rotor: {inertia: 0.001, ratio: 10}"):
            self.write(MIXED.replace("axis: [1, 1, 0], rotor: {inertia: 0.001, ratio: 10}", "axis: [1, 1, 0]" + rotor)
                       .replace("limit: 4}", "limit: 4, rotor: {inertia: 0.002, ratio: 20}}"))
            for robot in ("a.urdf", "a.xml"):
                self.same("model.yaml", robot, ["joint.base.angle", "joint.elbow.angle", "joint.elbow.angle_rate"])

    def test_a_spring_rests_where_the_joint_starts_or_is_left_out(self):
        coil = "  coil: {type: torsion, joint: base, stiffness: 3}\n"
        self.write(MIXED.replace("  rub:", coil + "  rub:"))  # angles of world directions count from the start
        self.same("model.yaml", "a.xml", ["joint.base.angle", "joint.elbow.angle"])
        self.write(MIXED.replace("  rub:", coil + "  rub:").replace("simulate:", "initial: {joints: {base: {angle: 0.3}}}\nsimulate:"))
        done = self.expect(DONE, "export", "model.yaml", "-o", "a.xml")
        self.assertIn('model.yaml:15: force "coil": its stiffness, at rest where the joint starts, which is not known here', done.err)
        self.assertNotIn("stiffness", self.read("a.xml"))

    def test_parts_of_forces_that_are_lost_are_listed(self):
        for given, wanted, said in (
                ("level: 0.1", "level: 0.1, static: 0.2", 'force "rub": its `static` level is left out'),
                ("level: 0.1", "level: 0.1, scale: 1 - t", 'force "rub": its `scale` is left out'),
                ("command: 0", "command: sin(t)", 'force "motor": its `command` is an input there, the expression is left out'),
                ("command: 0", "reference: 0.1*t, kp: 5", 'force "motor": its `reference` is an input there'),
                ("command: 0", "reference: 0.1, kp: 5, kd: 1, filter: 0.1", "the `filter` of its rate is left out"),
                ("command: 0", "reference: 0.1, command: 2, kp: 5", "its `command` beside the controller is left out"),
                ("command: 0", "command: 0, kd: 2", "its `kd` without `kp` is left out"),
                ("limit: 4", "limit: 4, saturation: smooth", "how smoothly its limit is reached is left out")):
            self.write(MIXED.replace(given, wanted))
            for robot in ("a.urdf", "a.xml"):
                done = self.expect(DONE, "export", "model.yaml", "-o", robot)
                self.assertIn(said, done.err)
                self.assertNotIn("(friction) is left out", done.err)

    def test_poses_and_velocities_of_the_start_are_listed_where_they_are_lost(self):
        """By frames of joints alone coordinates are zero elsewhere than where bodies are placed; by world points they are zero there."""
        boom = ("crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n  boom: {mass: 18, inertia: [2, 48, 48], position: [0, 0, 1]%s}\njoints:\n"
                "  foot: {type: revolute, between: [ground, boom], at: %s, axis: %s}\n")
        ends = ("{first: [0, 0, 1], second: [0, 0, 0]}", "{first: [0, -1, 0], second: [0, -1, 0]}")
        turned = ", orientation: {axis: [0, -1, 0], angle: 40 deg}"
        for more, place, told in ((turned, ends, "where it starts is left out"), ("", ends, None), (turned, ("[0, 0, 1]", "[0, -1, 0]"), None),
                                  (", angular_velocity: [0, 2, 0]", ends, "its start velocity is left out"),
                                  (turned + ", angular_velocity: [0, 2, 0]", ends, "where and how fast it starts are left out")):
            self.write(boom % (more, *place))
            for kind in ("urdf", "xml"):
                done = self.expect(MODEL if told else DONE, "export", "model.yaml", "-o", "boom." + kind, "--strict")
                self.assertEqual(done.err, f'model.yaml:4: body "boom": {told}; a robot starts at rest where its coordinates are zero\n' if told else "")

    def test_what_cannot_be_exported_is_told(self):
        self.write("crank: mechanism\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}}\n")
        self.assertIn("planar", self.expect(MODEL, "export", "model.yaml", "-o", "a.urdf").err)
        self.assertIn("needs -o ROBOT.urdf", self.expect(USAGE, "export", "model.yaml", "-o", "a.txt").err)
        self.write("crank: dae\nvariables: {x: 1}\nequations: [\"x' = -x\"]\n")
        self.assertIn("a robot is a mechanism", self.expect(MODEL, "export", "model.yaml", "-o", "a.urdf").err)


if __name__ == "__main__":
    main()
