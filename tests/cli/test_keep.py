"""What a file gives stays as it is given while guesses close the loops; machines stand on their mounts."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import re

from command import DONE, MODEL, CommandTest, main

# the bucket of a backhoe behind its rocker and link; the stick's and the bucket's angles are given, the rocker's is a guess. L: unit
BUCKET = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies:
  stick: {mass: 700, inertia: 700*L^2, angle: -75 deg, position: [0, 0]}
  bucket: {mass: 650, inertia: 150*L^2, angle: -130 deg, free: [position]}
  rocker: {mass: 60, inertia: 3*L^2, angle: GUESS deg, free: true}
  link: {mass: 70, inertia: 3*L^2}
joints:
  elbow: {type: revolute, between: [ground, stick], at: {first: [0, 0], second: [0, 0]}}
  wrist: {type: revolute, between: [stick, bucket], at: {first: [2.9*L, 0], second: [0, 0]}}
  pivot: {type: revolute, between: [stick, rocker], at: {first: [2.45*L, 0], second: [0, 0]}}
  tip: {type: revolute, between: [rocker, link], at: {first: [0.55*L, 0], second: [0, 0]}}
  lug: {type: revolute, between: [link, bucket], at: {first: [0.6*L, 0], second: [0.1*L, 0.4*L]}}
simulate: {t_end: 0.001, points: 1}
"""
# two geared shafts, the speed of one given, beside a link that is placed off its pins
BELT = """\
crank: mechanism
dimension: 2
bodies:
  motor: {mass: 30, inertia: 0.2, position: [3, 0], rate: 150}
  flywheel: {mass: 400, inertia: 60}
  arm: {mass: 5, inertia: 1, position: [0, 0], angle: 50 deg}
  link: {mass: 5, inertia: 1}
  slide: {mass: 5, inertia: 1, position: [2, 0], fixed: [position]}
joints:
  shaft: {type: revolute, between: [ground, motor], at: {first: [3, 0], second: [0, 0]}}
  axle: {type: revolute, between: [ground, flywheel], at: {first: [2, 0], second: [0, 0]}}
  belt: {type: gear, joints: [shaft, axle], ratio: 1/6}
  pin: {type: revolute, between: [ground, arm], at: {first: [0, 0], second: [0, 0]}}
  elbow: {type: revolute, between: [arm, link], at: {first: [1, 0], second: [0, 0]}}
  wrist: {type: revolute, between: [link, slide], at: {first: [1.5, 0], second: [0, 0]}}
  guide: {type: prismatic, between: [ground, slide], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}
simulate: {t_end: 0.001, points: 1}
"""
# an engine of two pistons on two mounts, of which nothing is given but BLOCK, and the angle and speed of its shaft
ENGINE = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies:
  block: {mass: 150, inertia: 4*L^2BLOCK}
  shaft: {mass: 25, inertia: 0.1*L^2SHAFT}
  valve: {mass: 0.1, inertia: 1e-5*L^2}
repeat:
  count: 2
  let: {"bank{i}": (60*i - 90) deg}
  bodies:
    rod{i}: {mass: 0.6, inertia: 0.001*L^2}
    piston{i}: {mass: 0.5, inertia: 0.001*L^2}
  joints:
    pin{i}: {type: revolute, between: [shaft, "rod{i}"], at: {first: ["0.043*L*cos(bank{i} + 90 deg)", "0.043*L*sin(bank{i} + 90 deg)"], second: [0, 0]}}
    gudgeon{i}: {type: revolute, between: ["rod{i}", "piston{i}"], at: {first: [0.15*L, 0], second: [0, 0]}}
    bore{i}: {type: prismatic, between: [block, "piston{i}"], at: {first: [0, 0], second: [0, 0]}, axis: {first: ["-sin(bank{i})", "cos(bank{i})"], second: ["-sin(bank{i})", "cos(bank{i})"]}}
joints:
  main: {type: revolute, between: [block, shaft], at: {first: [0, 0], second: [0, 0]}}
  seat: {type: prismatic, between: [block, valve], at: {first: [0, 0.4*L], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}
  face: {type: profile, between: [shaft, valve], profiles: [[0.005*L + 0.018*L*cos(s1), 0.018*L*sin(s1)], [-s2, 0]], start: [-90 deg, 0]}
forces:
  coil: {type: spring, joint: seat, stiffness: 500, length: 0}
  left: {type: bushing, between: [ground, block], at: {first: [0.7*L, 0.1*L], second: [-0.3*L, 0.1*L]}, stiffness: [2e5, 3e5, 0]}
  right: {type: bushing, between: [ground, block], at: {first: [1.3*L, 0.1*L], second: [0.3*L, 0.1*L]}, stiffness: [2e5, 3e5, 0]}
simulate: {t_end: 1e-6, points: 1}
"""
# a trolley on two tyres, the file places it AT; without that its axles are 0.2 under the road, whose height is `road`
TROLLEY = """\
crank: mechanism
dimension: 2
parameters: {L: 1, road: 0}
gravity: [0, -9.81*L]
bodies:
  chassis: {mass: 600, inertia: 300*L^2AT}
  front: {mass: 20, inertia: 1*L^2}
  rear: {mass: 20, inertia: 1*L^2}
joints:
  one: {type: revolute, between: [chassis, front], at: {first: [1*L, -0.2*L], second: [0, 0]}}
  two: {type: revolute, between: [chassis, rear], at: {first: [-1*L, -0.2*L], second: [0, 0]}}
forces:
  ahead: {type: tyre, body: front, radius: 0.3*L, stiffness: 2e5, damping: 2e3, road: road*L}
  behind: {type: tyre, body: rear, radius: 0.3*L, stiffness: 2e5, damping: 2e3, road: road*L}
simulate: {t_end: 0.01, points: 2}
"""


# a cylinder whose upper pin passes its lower one by 0.02 on the way from where the arm begins to the angle that is given
PASSED = """\
crank: mechanism
parameters: {L: 1}
bodies: {arm: {mass: 5, inertia: INERTIA}, barrel: {mass: 1, inertia: INERTIA}, rod: {mass: 1, inertia: INERTIA}}
joints:
  foot: {type: revolute, between: [ground, arm], at: {first: [0, 0, 0], second: [0, 0, 0]}, REVOLUTE}
  low: {type: LOW, between: [ground, barrel], at: {first: [0.02*L, 1*L, 0], second: [0, 0, 0]}, AT_LOW}
  cylinder: {type: prismatic, between: [barrel, rod], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [1, 0, 0], second: [1, 0, 0]}}
  high: {type: HIGH, between: [arm, rod], at: {first: [1*L, 0, 0], second: [0, 0, 0]}, AT_HIGH}
initial: {joints: {foot: {angle: 150 deg}}}
simulate: {t_end: 0.001, points: 1}
"""
AXES = {"revolute": "axis: {first: [0, 0, 1], second: [0, 0, 1]}", "universal": "axes: {first: [0, 0, 1], second: [0, 1, 0]}", "spherical": "tree: keep"}


class Keep(CommandTest):
    def first(self, text, *arguments):
        result = self.expect(DONE, "run", self.write(text), "--quiet", *arguments)
        names, rows = self.table(result.out)
        return dict(zip(names, rows[0])), result.err

    def test_given_angles_stay_to_the_bit_where_a_guess_with_an_angle_closes_the_loop(self):
        """The rocker's angle in the stick: the lug seen from its pivot, and the law of cosines."""
        turn = math.radians(-55)
        x, y = 0.45 + 0.1*math.cos(turn) - 0.4*math.sin(turn), 0.1*math.sin(turn) + 0.4*math.cos(turn)
        d = math.hypot(x, y)
        half = math.acos((0.55**2 + d*d - 0.6**2)/(2*0.55*d))
        for guess, side in ((-20, 1), (-30, 1), (0, 1), (-50, 1), (-110, -1), (-130, -1)):
            for L in ("1", "1000"):
                with self.subTest(guess=guess, L=L):
                    v, told = self.first(BUCKET.replace("GUESS", str(guess)), "--set", "L=" + L)
                    self.assertEqual(v["body.stick.angle"], math.radians(-75))
                    self.assertEqual(v["body.bucket.angle"], math.radians(-130))
                    self.assertAlmostEqual(v["body.rocker.angle"], math.radians(-75) + math.atan2(y, x) + side*half, delta=1e-11)
                    self.assertEqual(told, "")

    def test_body_placed_too_far_off_is_named_with_its_turn_where_loops_close_without_its_place(self):
        """The rocker's drive says where the bucket is; placed elsewhere it is far off, though all joints can be closed."""
        driven = BUCKET.replace("at: {first: [2.45*L, 0], second: [0, 0]}", "at: {first: [2.45*L, 0], second: [0, 0]}, drive: 54.85 deg")
        driven = driven.replace("GUESS", "-20").replace("position: [0, 0]}", "position: [0, 0], fixed: true}")
        closed, _ = self.first(driven)
        self.assertAlmostEqual(math.degrees(closed["body.bucket.angle"]), -130, delta=0.2)
        for angle in (-50, 140, -220):
            turn = abs((angle - math.degrees(closed["body.bucket.angle"]) + 180) % 360 - 180)
            with self.subTest(angle=angle):
                err = self.expect(MODEL, "run", self.write(driven.replace("angle: -130 deg", "angle: %d deg" % angle))).err
                self.assertIn("the start values are far from what the joints ask for", err)
                self.assertIn('body "bucket" would', err)
                self.assertIn("(%.0f deg)" % turn, err)

    def test_given_speed_stays_to_the_bit_where_a_given_angle_must_change(self):
        """The arm is 1 long, the link 1.5, and the slide is fixed 2 away: the arm's angle follows, 46.57 deg."""
        v, _ = self.first(BELT)
        self.assertAlmostEqual(v["body.arm.angle"], math.acos((1 + 4 - 1.5**2)/4), delta=1e-12)
        self.assertEqual(v["body.motor.rate"], 150)
        self.assertAlmostEqual(v["body.flywheel.rate"], 25, delta=1e-14)

    def test_engine_stands_on_its_mounts_and_pistons_in_their_bores_whatever_is_given_of_its_shaft(self):
        shafts = (", angle: 20 deg, free: [position], rate: 100", ", angle: 200 deg, free: [position]", "")
        for block in ("", ", position: [1*L, 0]"):
            for shaft in shafts:
                for L in ("1", "1000"):
                    with self.subTest(block=block, shaft=shaft, L=L):
                        v, told = self.first(ENGINE.replace("BLOCK", block).replace("SHAFT", shaft), "--set", "L=" + L)
                        unit = float(L)
                        self.assertAlmostEqual(v["body.block.x"]/unit, 1, delta=1e-12)
                        self.assertAlmostEqual(v["body.block.y"]/unit, 0, delta=1e-12)
                        self.assertAlmostEqual(v["body.block.angle"], 0, delta=1e-12)
                        for bore in "12":
                            self.assertGreater(v["joint.bore%s.length" % bore]/unit, 0.1)
                        self.assertNotIn("inside out", told)

    def test_cylinder_whose_pins_pass_each_other_on_the_way_does_not_start_inside_out(self):
        space = PASSED.replace("INERTIA", "[1*L^2, 1*L^2, 1*L^2]").replace("REVOLUTE", AXES["revolute"])
        texts = {"plane": space.replace("joints:", "dimension: 2\njoints:", 1).replace("[1*L^2, 1*L^2, 1*L^2]", "1*L^2").replace(", " + AXES["revolute"], "")
                 .replace("LOW, b", "revolute, b").replace("HIGH, b", "revolute, b").replace(", AT_LOW", "").replace(", AT_HIGH", "").replace(", 0]", "]")}
        for low, high in (("revolute", "revolute"), ("revolute", "spherical"), ("universal", "spherical"), ("spherical", "universal")):
            at = space.replace("AT_LOW", AXES[low]).replace("AT_HIGH", AXES[high])
            texts[low + ", " + high] = at.replace("LOW", low).replace("HIGH", high)
        tip = math.cos(5*math.pi/6), math.sin(5*math.pi/6)
        for name, text in texts.items():
            for L in (1, 1e-3):
                with self.subTest(joints=name, L=L):
                    v, told = self.first(text, "--set", "L=%g" % L)
                    self.assertNotIn("inside out", told)
                    self.assertAlmostEqual(v["joint.cylinder.length"]/L, math.hypot(tip[0] - 0.02, tip[1] - 1), delta=1e-12)

    def test_block_at_rest_is_no_motion_that_its_frame_would_have_to_follow(self):
        """Beside the speed of the shaft that of the block is rounding: its frame rests as well, and nothing is told."""
        frame = ENGINE.replace("BLOCK", "").replace("SHAFT", ", angle: 20 deg, free: [position], rate: 100")
        frame = frame.replace("[ground, block]", "[frame, block]").replace("bodies:\n  block", "bodies:\n  frame: {mass: 500, inertia: 100*L^2}\n  block")
        frame = frame.replace("joints:\n  main", "joints:\n  weld: {type: fixed, between: [ground, frame], at: {first: [2*L, 1*L], second: [0, 0]}}\n  main")
        for L in ("1", "1000"):
            with self.subTest(L=L):
                v, told = self.first(frame, "--set", "L=" + L)
                self.assertAlmostEqual(v["body.block.x"]/float(L), 3, delta=1e-12)
                self.assertEqual(told, "")

    def test_mounts_of_a_block_that_joints_put_elsewhere_are_told(self):
        """A shaft hinged on the ground leads to the block, off its mounts by the distance that the file says (and a turn)."""
        for L in ("1", "1000"):
            for block, off, told_once in (("", 0.2, True), ("", 0.002, False), (", position: [1*L, 0], free: true", 0.2, False)):
                text = ENGINE.replace("BLOCK", block).replace("SHAFT", "").replace(
                    "joints:\n  main", "joints:\n  bench: {type: revolute, between: [ground, shaft], at: {first: [%g*L, 0], second: [0, 0]}}\n  main" % (1 + off))
                with self.subTest(L=L, block=block, off=off):
                    v, told = self.first(text, "--set", "L=" + L)
                    self.assertAlmostEqual(v["body.block.x"]/float(L), 1 + off, delta=1e-12)
                    apart = re.findall(r'the ends of force "left" \(and 1 more\) start (\S+) apart: body "block" has no position', told)
                    self.assertEqual(len(apart), 1 if told_once else 0)
                    for gap in apart:
                        self.assertAlmostEqual(float(gap)/float(L), off, delta=0.1*off)

    def test_mounts_that_are_released_at_the_start_expect_nothing(self):
        text = """\
crank: mechanism
dimension: 2
parameters: {hold: 1}
bodies: {cart: {mass: 3, inertia: 1}, ball: {mass: 1, inertia: 1, position: [5, 0], free: [position]}}
joints:
  rail: {type: prismatic, between: [ground, cart], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}
  slot: {type: prismatic, between: [cart, ball], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}
forces: {latch: {type: bushing, between: [ground, cart], at: {first: [0, 0], second: [0, 0]}, stiffness: [1, 0, 0]SCALE}}
initial: {s: body.ball.x - body.cart.x - 5.5}
simulate: {t_end: 1e-9, points: 1}
"""
        for scale, hold, told_once in (("", "1", True), (", scale: hold", "1", True), (", scale: 1", "0", True), (", scale: hold", "0", False)):
            with self.subTest(scale=scale, hold=hold):
                _, told = self.first(text.replace("SCALE", scale), "--set", "hold=" + hold)
                self.assertEqual('the ends of force "latch" start 0.5 apart' in told, told_once)

    def test_wheels_that_start_under_the_road_are_told_once(self):
        for L in ("1", "1000"):
            for at, road, depth in (("", 0, 0.2), ("", -0.3, 0), (", position: [0, 0.5*L]", 0, 0), (", position: [0, 0.5*L]", 0.5, 0.2)):
                with self.subTest(L=L, at=at, road=road):
                    _, told = self.first(TROLLEY.replace("AT", at), "--set", "L=" + L, "--set", "road=%g" % road)
                    self.assertEqual(told.count("under the road"), 1 if depth > 0 else 0)
                    if depth > 0:
                        self.assertIn('force "ahead" (and 1 more): at t = 0 the centre of the wheel is %.4g under' % (depth*float(L)), told)


if __name__ == "__main__":
    main()
