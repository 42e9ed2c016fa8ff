"""crank inverse: efforts of a given motion, of trees and of loops, shared by more motors than needed, and fed back."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os

from command import DONE, FAILED, FAILED, MODEL, USAGE, CommandTest, main

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
ARM = os.path.join(MODELS, "parallelogram-arm", "dialects", "loop.urdf")
PENDULUM = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
parameters: {m: 2}
bodies: {rod: {mass: m, inertia: 0.3, center: [0, -0.5]}}
joints: {pin: {type: revolute, between: [ground, rod], at: {first: [0, 0], second: [0, 0]}}}
forces: {damper: {type: torsion, joint: pin, damping: 0.4}}
"""

# a table on three slides, of which the last also turns
SLIDES = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 3, inertia: [1, 1, 1], position: [0, 0, 0]}
  b: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}
  table: {mass: 1, inertia: [3, 3, 4], position: [0, 0, 0]}
joints:
  ax: {type: prismatic, between: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}
  by: {type: prismatic, between: [a, b], at: [0, 0, 0], axis: [0, 1, 0]}
  cz: {type: cylindrical, between: [b, table], at: [0, 0, 0], axis: [0, 0, 1]}
  pose: {type: free, between: [ground, table], at: [0, 0, 0]}
simulate: {t_end: 1}
"""


class Inverse(CommandTest):
    def columns(self, name):
        lines = [line.split(",") for line in self.read(name).splitlines()]
        return {key: [float(row[i]) for row in lines[1:]] for i, key in enumerate(lines[0])}

    def test_a_pendulum_needs_what_its_equation_says(self):
        self.write(PENDULUM)
        self.expect(DONE, "inverse", "model.yaml", "--drive", "pin=0.5*sin(2*t)", "--points", "20", "-o", "e.csv", "--set", "m=3")
        rows = self.columns("e.csv")
        for t, q, effort in zip(rows["time"], rows["joint.pin.angle"], rows["joint.pin.effort"]):
            self.assertAlmostEqual(q, 0.5 * math.sin(2 * t), delta=1e-14)
            wanted = (0.3 + 3 * 0.25) * -2 * math.sin(2 * t) + 0.4 * math.cos(2 * t) + 3 * 9.81 * 0.5 * math.sin(q)
            self.assertAlmostEqual(effort, wanted, delta=1e-12 * 20)

    def test_motion_of_a_body_and_of_coordinates_of_a_joint_needs_efforts_of_the_motors_that_are_named(self):
        """F = (3 + 2 + 1) x'', (2 + 1) y'', 1 (z'' + g), M = 4 yaw'', and the motion comes back by them."""
        self.write(SLIDES)
        for place in ("pose", "body.table"):
            self.expect(DONE, "inverse", "model.yaml", "--drive", f"{place}.x=sin(2*t)", "--drive", f"{place}.y=t^2", "--drive", f"{place}.z=cos(t)-1",
                        "--drive", "pose.yaw=t^3", "--motor", "ax", "--motor", "by", "--motor", "cz.length", "--motor", "cz.angle", "--points", "50",
                        "-o", "e.csv", "--replay", "replay.yaml")
            rows = self.columns("e.csv")
            for i, t in enumerate(rows["time"]):
                for name, wanted in (("ax.effort", -24*math.sin(2*t)), ("by.effort", 6), ("cz.effort_length", 9.81 - math.cos(t)), ("cz.effort_angle", 24*t)):
                    self.assertAlmostEqual(rows["joint." + name][i], wanted, delta=1e-10)
            self.expect(DONE, "run", "replay.yaml", "--quiet", "--points", "1", "--rtol", "1e-9", "--atol", "1e-9", "--out", "r.csv")
            end = {name: column[-1] for name, column in self.columns("r.csv").items()}
            for name, wanted in (("x", math.sin(2)), ("y", 1), ("z", math.cos(1) - 1), ("yaw", 1)):
                self.assertAlmostEqual(end["joint.pose." + name], wanted, delta=1e-4)  # splines through 50 rows, ends of second order
        self.expect(USAGE, "inverse", "model.yaml", "--drive", "body.table.x=t", says='"body.table.x" is no joint; name the joints that have motors by --motor')
        self.expect(USAGE, "inverse", "model.yaml", "--drive", "pose=t", says="is JOINT.COORDINATE")

    def test_efforts_end_with_their_rows(self):
        self.write("crank: mechanism\ndimension: 2\nbodies: {rotor: {mass: 1, inertia: 1}}\n"
                   "joints: {axle: {type: revolute, between: [ground, rotor], at: [0, 0]}}\nsimulate: {t_end: 10, every: 0.5}\n")
        self.expect(DONE, "inverse", "model.yaml", "--drive", "axle=sin(3*t)", "--t-end", "2", "--points", "100", "-o", "e.csv", "--replay", "replay.yaml")
        self.expect(DONE, "run", "replay.yaml", "--out", "r.csv", says="the efforts end here")
        rows = self.columns("r.csv")
        self.assertEqual(rows["time"][-1], 2)
        self.assertAlmostEqual(rows["joint.axle.angle"][-1], math.sin(6), delta=1e-3)

    def test_start_of_the_motion_is_told_in_the_words_of_the_command_line(self):
        """A rocker on a driven cylinder may stand on either side; too long a cylinder cannot be closed."""
        self.write("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  rocker: {mass: 5, inertia: 1, angle: 1, free: [angle]}\n"
                   "  barrel: {mass: 1, inertia: 0.1, angle: 0.7, free: [angle]}\n  rod: {mass: 1, inertia: 0.1}\njoints:\n"
                   "  pin: {type: revolute, between: [ground, rocker], at: {first: [0, 0], second: [0, 0]}}\n"
                   "  foot: {type: revolute, between: [ground, barrel], at: {first: [1, 0], second: [0, 0]}}\n"
                   "  stroke: {type: prismatic, between: [barrel, rod], at: {first: [0, 0], second: [0, 0]}, axis: [1, 0]}\n"
                   "  eye: {type: revolute, between: [rod, rocker], at: {first: [0, 0], second: [0.5, 0]}}\nsimulate: {t_end: 1}\n")
        done = self.expect(FAILED, "inverse", "model.yaml", "--drive", "stroke=3", "-o", "e.csv", says='--drive "stroke"')
        self.assertNotIn("drive_stroke", done.err)
        text = self.read("model.yaml").replace(", angle: 1, free: [angle]", "").replace(", angle: 0.7, free: [angle]", "")
        self.write(text)
        done = self.expect(DONE, "inverse", "model.yaml", "--drive", "stroke=1+0.1*t", "-o", "e.csv", says="can be assembled in another way")
        self.assertNotIn("drive_stroke", done.err)

    def replayed(self, model, *arguments):
        """How far a run by the efforts is from the motion of lift and turn."""
        self.expect(DONE, "inverse", model, "--drive", "lift=0.3*sin(3*t)", "--drive", "turn=t^2", "--replay", "replay.yaml", *arguments)
        self.expect(DONE, "run", "replay.yaml", "--quiet", "--rtol", "1e-10", "--atol", "1e-10", "--points", "10", "--out", "r.csv")
        rows = self.columns("r.csv")
        return max(max(abs(q - 0.3 * math.sin(3 * t)), abs(p - t * t))
                   for t, q, p in zip(rows["time"], rows["joint.lift.angle"], rows["joint.turn.angle"]))

    def test_efforts_of_a_loop_reproduce_the_motion(self):
        coarse, fine = self.replayed(ARM, "--points", "100"), self.replayed(ARM)
        self.assertLess(fine, 1e-8)  # a table of a thousand points; its ends are of second order
        self.assertGreater(coarse / fine, 50)

    def test_efforts_of_a_tree_reproduce_the_motion(self):
        with open(ARM, encoding="utf-8") as file:
            text = file.read()
        self.write(text[: text.index("  <loop")] + "</robot>\n", "tree.urdf")
        error = self.replayed("tree.urdf", "--drive", "rear=0.2*t", "--drive", "elbow=-0.3*sin(3*t)")
        self.assertLess(error, 1e-7)

    def test_more_motors_share_by_the_least_norm_and_it_is_said(self):
        self.expect(DONE, "inverse", ARM, "--drive", "lift=0.3*sin(3*t)", "--drive", "turn=t^2", "--points", "10", "-o", "one.csv")
        done = self.expect(DONE, "inverse", ARM, "--drive", "lift=0.3*sin(3*t)", "--drive", "turn=t^2", "--points", "10", "-o", "all.csv",
                           "--motor", "lift", "--motor", "rear", "--motor", "elbow", "--motor", "turn")
        self.assertIn("4 motors for 2 driven coordinates: their efforts are not unique, those of the least norm are given", done.err)
        one, shared = self.columns("one.csv"), self.columns("all.csv")
        # rods turn alike, the elbow against them: a third each
        for i, effort in enumerate(one["joint.lift.effort"]):
            for name, sign in (("lift", 1), ("rear", 1), ("elbow", -1)):
                self.assertAlmostEqual(shared[f"joint.{name}.effort"][i], sign * effort / 3, delta=1e-10)
            self.assertAlmostEqual(shared["joint.turn.effort"][i], one["joint.turn.effort"][i], delta=1e-10)
        self.assertLess(self.replayed(ARM, "--motor", "lift", "--motor", "rear", "--motor", "turn"), 1e-8)

    def test_motors_elsewhere(self):
        self.expect(DONE, "inverse", ARM, "--drive", "lift=0.3*sin(3*t)", "--drive", "turn=t^2", "--points", "10", "-o", "one.csv")
        self.expect(DONE, "inverse", ARM, "--drive", "lift=0.3*sin(3*t)", "--drive", "turn=t^2", "--points", "10", "-o", "rear.csv",
                    "--motor", "rear", "--motor", "turn")
        for x, y in zip(self.columns("one.csv")["joint.lift.effort"], self.columns("rear.csv")["joint.rear.effort"]):
            self.assertAlmostEqual(x, y, delta=1e-10)
        done = self.expect(FAILED, "inverse", ARM, "--drive", "lift=0.3*sin(3*t)", "--drive", "turn=t^2", "--motor", "turn")
        self.assertIn("the motors cannot move what is driven", done.err)

    def test_freedom_that_is_left_is_told(self):
        done = self.expect(DONE, "inverse", ARM, "--drive", "turn=t^2", "--points", "3")
        self.assertIn("degrees of freedom that are not driven: 1", done.err)
        self.assertEqual(len(done.out.splitlines()), 5)
        done = self.expect(FAILED, "inverse", ARM, "--drive", "turn=t^2", "--motor", "lift")
        self.assertIn("drive 1 coordinate more", done.err)

    def test_effort_is_never_shared_with_drives_of_the_file_unsaid(self):
        self.write(PENDULUM.replace("second: [0, 0]}}", "second: [0, 0]}, drive: t}"))
        for more in ([], ["--motor", "pin"]):
            self.expect(USAGE, "inverse", "model.yaml", "--drive", "pin=t", *more, says=['joint "pin" has a `drive` in the file', "leave that out"])
        self.write(PENDULUM.replace("second: [0, 0]}}", "second: [0, 0]}}, d: {type: driver, of: joint.pin.angle, is: t}"))
        self.expect(DONE, "inverse", "model.yaml", "--drive", "pin=t", "--points", "2", "--quiet", says='warning: the effort of joint "pin" is not unique')

    def test_servos_of_the_file_that_push_besides_are_told(self):
        self.write("""\
crank: mechanism
gravity: [0, 0, -9.81]
bodies: {arm: {mass: 1, inertia: [0.01, 0.1, 0.1], center: [0.5, 0, 0]}}
joints: {p: {type: revolute, between: [ground, arm], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: [0, 1, 0]}}
forces: {servo: {type: actuator, joint: p, reference: 0.5, kp: 20}}
""")
        done = self.expect(DONE, "inverse", "model.yaml", "--drive", "p=0.3", "--t-end", 1, "--points", 2)
        self.assertIn('the servo "servo" of the file acts, too, by 4 at most', done.err)

    def test_model_goes_before_the_files_that_it_includes(self):
        self.write(PENDULUM + "title: arm\nenergy: true\nsimulate: {t_end: 5}\n", "arm.yaml")
        self.write("crank: mechanism\ndimension: 2\ninclude: [arm.yaml]\ntitle: mine\nenergy: false\ngravity: [0, -1]\nsimulate: {t_end: 2}\n")
        self.expect(DONE, "inverse", "model.yaml", "--drive", "pin=1", "--points", "1", "-o", "e.csv")
        rows = self.columns("e.csv")
        self.assertEqual(rows["time"], [0, 2])
        self.assertAlmostEqual(rows["joint.pin.effort"][1], 2*1*0.5*math.sin(1), delta=1e-9)

    def test_what_is_wrong_is_told(self):
        self.write(PENDULUM)
        self.assertIn("no motion is given", self.expect(USAGE, "inverse", "model.yaml").err)
        self.assertIn('no joint "pn"', self.expect(USAGE, "inverse", "model.yaml", "--drive", "pn=t").err)
        self.assertIn("wrong", self.expect(MODEL, "inverse", "model.yaml", "--drive", "pin=wrong + t").err)
        self.assertIn("nothing.yaml", self.expect(MODEL, "inverse", "nothing.yaml", "--drive", "pin=t").err)
        self.expect(FAILED, "inverse", "model.yaml", "--drive", "pin=t", "-o", "no/where.csv")


if __name__ == "__main__":
    main()
