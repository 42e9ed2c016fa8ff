"""Values that a file leaves to the start: rest lengths and angles, lengths of rods, states of filters, untwisted bushings."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import DONE, MODEL, CommandTest, main

# an arm that only its hinge places
ARM = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies: {arm: {mass: 10, inertia: L^2PLACE}}
joints: {hinge: {type: revolute, between: [ground, arm], at: {first: [2*L, 5*L], second: [0, 0]}}}
forces: {s: {FORCE}}
simulate: {t_end: 1e-9, points: 1}
"""
SPATIAL = """\
crank: mechanism
bodies: {jib: {mass: 100, inertia: [1, 50, 50], center: [5, 0, 0]}}
joints: {heel: {type: revolute, between: [ground, jib], at: {first: [1, 0, 2], second: [0, 0, 0]}, axis: {first: [0, -1, 0], second: [0, -1, 0]}}}
forces: {FORCE}
INITIAL
simulate: {t_end: 1e-9, points: 1}
"""
# a boom on a cylinder of which only the boom has a place
CYLINDER = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  boom: {mass: 1000, inertia: 2000, center: [2, 0], position: [0, 0], angle: 40 deg}
  bore: {mass: 100, inertia: 10, center: [0.5, 0]}
  rod: {mass: 80, inertia: 10, center: [-0.5, 0]}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0], second: [0, 0]}}
  b1: {type: revolute, between: [ground, bore], at: {first: [0.7, -0.6], second: [0, 0]}}
  b2: {type: prismatic, between: [bore, rod], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}
  b3: {type: revolute, between: [rod, boom], at: {first: [0, 0], second: [2.5, 0.45]}}
INITIAL
forces: {FORCE}
simulate: {t_end: 1e-9, points: 1}
"""
# four bars; ROD: a further one
BARS = """\
crank: mechanism
dimension: 2
bodies:
  boom: {mass: 1000, inertia: 2000, center: [2, 0], position: [0, 0], angle: 40 deg}
  link: {mass: 80, inertia: 10}
  rock: {mass: 80, inertia: 10}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0], second: [0, 0]}}
  a: {type: revolute, between: [ground, rock], at: {first: [3, 0], second: [0, 0]}}
  b: {type: revolute, between: [rock, link], at: {first: [1, 0], second: [0, 0]}}
  c: {type: revolute, between: [link, boom], at: {first: [1.5, 0], second: [2.5, 0]}}
ROD
simulate: {t_end: 1e-9, points: 1}
"""
# a load on a rope below a trolley that INITIAL places
ROPE = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
parameters: {drift: 0}
bodies:
  trolley: {mass: 500, inertia: 10}
  load: {type: point, mass: 2000, LOAD}
joints:
  rail: {type: prismatic, between: [ground, trolley], at: {first: [0, 12], second: [0, 0]}, axis: [1, 0], drive: 2 + drift}
  JOINT
FORCES
simulate: {t_end: 1, points: 10}
"""
SERVO = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies: {load: {mass: 100, inertia: 1}}
joints: {cyl: {type: prismatic, between: [ground, load], at: {first: [0, 0], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}}
forces: {servo: {type: actuator, joint: cyl, reference: 2, kp: 1e5, kd: 1e4, filter: 0.01, MORE}}
initial: {INITIAL}
simulate: {t_end: 0.5, points: 10}
"""
HOOK = """\
crank: mechanism
dimension: 2
bodies:
  jib: {mass: 6000, inertia: 1e5, position: [1, 0], angle: 45 deg, points: {tip: [40, 0]}}
  hook: {type: point, mass: 4000PLACE}
joints:
  heel: {type: revolute, between: [ground, jib], at: {first: [1, 0], second: [0, 0]}}
  hoist: {type: driver, of: 2*fall, is: 40 - 0.4*t}
let: {fall: "hypot(body.jib.tip.x - body.hook.x, body.jib.tip.y - body.hook.y)"}
simulate: {t_end: 1e-9, points: 1}
"""
MOUNTS = """\
crank: mechanism
parameters: {yaw: 40 deg}
bodies:
  chassis: {mass: 1000, inertia: [500, 500, 500], position: [0, 0, 0.5], orientation: {axis: [0.1, 0.2, 1], angle: yaw}}
  engine: {mass: 100, inertia: [5, 5, 5]}
joints: {JOINT}
forces: {FORCES}
simulate: {t_end: 0.1, points: 2}
"""


class StartValues(CommandTest):
    def begin(self, text, *more):
        names, rows = self.run_model(text, *more)
        return dict(zip(names, rows[0]))

    def both(self, text, *more):
        return [self.begin(text, "--coordinates", kind, *more) for kind in ("absolute", "joint")]

    def test_spring_without_a_length_is_free_of_force_where_a_hinge_puts_its_body(self):
        force = "type: spring, between: [ground, arm], at: {first: [2*L, 4*L], second: [L, 0]}, stiffness: 1000"
        for L in (1, 1e-3):
            for x in self.both(ARM.replace("PLACE", "").replace("FORCE", force), "--set", "L=%g" % L):
                self.assertAlmostEqual(x["force.s.length"], math.sqrt(2)*L, delta=1e-12*L)
                self.assertEqual(x["force.s.force"], 0)
            for x in self.both(ARM.replace("PLACE", "").replace("FORCE", force + ", preload: 500"), "--set", "L=%g" % L):
                self.assertEqual(x["force.s.force"], 500)

    def test_place_that_the_file_gives_is_no_other_start_than_the_one_of_the_hinge(self):
        force = "type: spring, between: [ground, arm], at: {first: [2*L, 4*L], second: [L, 0]}, stiffness: 1000"
        placed = self.begin(ARM.replace("PLACE", ", position: [2*L, 5*L]").replace("FORCE", force))
        self.assertEqual(placed, self.begin(ARM.replace("PLACE", "").replace("FORCE", force)))

    def test_springs_in_space_are_free_of_force_where_a_coordinate_puts_their_body(self):
        force = ("pendant: {type: spring, between: [ground, jib], at: {first: [-2, 0, 8], second: [10, 0, 0]}, stiffness: 1e5}, "
                 "turn: {type: torsion, joint: heel, stiffness: 100}, twist: {type: torsion, between: [ground, jib], axis: [0, 1, 0], stiffness: 100}")
        for initial in ("", "initial: {joints: {heel: {angle: 400 deg}}}"):
            for x in self.both(SPATIAL.replace("FORCE", force).replace("INITIAL", initial)):
                self.assertAlmostEqual(x["force.pendant.force"], 0, delta=1e-8)
                self.assertAlmostEqual(x["force.turn.torque"], 0, delta=1e-10)
                self.assertAlmostEqual(x["force.twist.torque"], 0, delta=1e-10)

    def test_springs_within_a_loop_are_free_of_force_where_it_closes(self):
        force = ("oil: {type: spring, joint: b2, stiffness: 1e6}, pin: {type: torsion, joint: b3, stiffness: 1e6}, "
                 "stay: {type: spring, between: [ground, boom], at: {first: [0, 1], second: [1, 0]}, stiffness: 1e6}, "
                 "turn: {type: torsion, between: [bore, boom], stiffness: 1e6}")
        for initial in ("", "initial: {joints: {b2: {length: 2.4}}}", "initial: {high: body.boom.angle - 0.5}"):
            for x in self.both(CYLINDER.replace("FORCE", force).replace("INITIAL", initial)):
                for name in ("oil.force", "pin.torque", "stay.force", "turn.torque"):
                    self.assertAlmostEqual(x["force." + name], 0, delta=1e-8)

    def test_spring_sags_from_where_it_is_free_of_force_under_a_condition_on_accelerations(self):
        text = CYLINDER.replace("FORCE", "oil: {type: spring, joint: b2, stiffness: 1e8}").replace("INITIAL", "initial: {rest: body.boom.angle_acceleration}")
        free = self.begin(CYLINDER.replace("FORCE", "oil: {type: spring, joint: b2, stiffness: 1e8}").replace("INITIAL", ""))
        for x in self.both(text):
            self.assertLess(x["force.oil.force"], -1e4)
            self.assertAlmostEqual(x["joint.b2.length"] - free["joint.b2.length"], x["force.oil.force"]/1e8, delta=1e-12)

    def test_condition_on_the_force_of_a_spring_without_a_length_stretches_it(self):
        text = CYLINDER.replace("FORCE", "oil: {type: spring, joint: b2, stiffness: 1e8}").replace("INITIAL", "initial: {pulled: force.oil.force + 2e4}")
        free = self.begin(CYLINDER.replace("FORCE", "oil: {type: spring, joint: b2, stiffness: 1e8}").replace("INITIAL", ""))
        x = self.begin(text)
        self.assertAlmostEqual(x["force.oil.force"], -2e4, delta=1e-4)
        self.assertAlmostEqual(x["joint.b2.length"] - free["joint.b2.length"], -2e-4, delta=1e-10)

    def test_rod_without_a_length_changes_nothing_of_the_start(self):
        rod = "  s: {type: distance, between: [ground, rock], at: {first: [3, -1], second: [1, 0]}}"
        free = self.begin(BARS.replace("ROD\n", ""))
        for x in self.both(BARS.replace("ROD", rod)):
            for name in ("body.rock.angle", "body.link.angle", "body.boom.angle"):
                self.assertAlmostEqual(x[name], free[name], delta=1e-9)

    def test_warnings_of_a_start_at_which_a_rod_measures_itself_are_told_once(self):
        """The body on the hinge is placed first, for the rod's length, and all are searched again from there."""
        result = self.expect(DONE, "init", self.write("""\
crank: mechanism
bodies:
  fr: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [0, 0, 3]}
  sp: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  a: {mass: 1, inertia: [1, 1, 1], position: [2.01, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, a], at: {first: [2, 0, 0], second: [0, 0, 0]}, axis: [0, 0, 1]}
  ball: {type: spherical, between: [ground, sp], at: [1, 0, 0]}
  free: {type: free, between: [ground, fr], at: {first: [0, 0, 0], second: [0, 0, 0]}, hold_z: true}
  gap: {type: distance, between: [a, ground], at: {first: [0, 0.5, 0], second: [3, 0.5, 0]}}
forces:
  c: {type: bushing, between: [sp, fr], at: [0, 0, 0], stiffness: [50, 60, 70, 1, 2, 3], turned: {axis: [0, 1, 0], angle: 20 deg}}
simulate: {t_end: 0.001, points: 1}
"""))
        self.assertEqual(result.err.count('body "sp" starts at rest'), 1, result.err)

    def test_rope_without_a_length_is_as_long_as_it_is_where_its_trolley_is_driven_to(self):
        rope = "rope: {type: distance, between: [trolley, load], at: {first: [0, 0], second: [0, 0]}}"
        text = ROPE.replace("JOINT", rope).replace("FORCES\n", "").replace("LOAD", "position: [2, 3]")
        for kind in ("absolute", "joint"):
            names, rows = self.run_model(text, "--coordinates", kind)
            for row in rows:
                x = dict(zip(names, row))
                self.assertAlmostEqual(math.hypot(x["body.trolley.x"] - x["body.load.x"], x["body.trolley.y"] - x["body.load.y"]), 9, delta=1e-6)
                self.assertAlmostEqual(x["body.load.y"], 3, delta=1e-6)

    def test_rope_without_a_length_to_a_body_that_is_nowhere_is_refused_with_its_name(self):
        rope = "rope: {type: distance, between: [trolley, load], at: {first: [0, 0], second: [0, 0]}}"
        self.expect(MODEL, "run", self.write(ROPE.replace("JOINT", rope).replace("FORCES\n", "").replace("LOAD", "")),
                    says=('joint "rope"', '"length" is not given', 'body "load"'))

    def test_run_that_is_continued_keeps_the_rest_length_of_its_beginning(self):
        spring = "forces: {rope: {type: spring, between: [trolley, load], at: {first: [0, 0], second: [0, 0]}, stiffness: 1e5, damping: 1e3}}"
        text = ROPE.replace("  JOINT\n", "").replace("FORCES", spring).replace("LOAD", "position: [2, 3]")
        names, whole = self.run_model(text)
        self.expect(DONE, "run", self.write(text), "--quiet", "--out", "first.csv", "--t-end", "0.5")
        done = self.expect(DONE, "run", "model.yaml", "--quiet", "--from", "first.csv", "--t-end", "1")
        last = dict(zip(*[line.split(",") for line in (done.out.splitlines()[0], done.out.splitlines()[-1])]))
        for name, value in zip(names, whole[-1]):
            if not name.startswith(("energy", "step")):
                self.assertAlmostEqual(float(last[name]), value, delta=1e-4*(1 + abs(value)), msg=name)
        self.assertEqual(dict(zip(names, whole[0]))["force.rope.force"], 0)

    def test_parameters_that_vary_take_their_rest_lengths_along(self):
        spring = "forces: {rope: {type: spring, between: [trolley, load], at: {first: [0, 0], second: [0, 0]}, stiffness: 1e5}}"
        self.write(ROPE.replace("  JOINT\n", "").replace("FORCES", spring).replace("LOAD", "position: [2, 3]"))
        for drift in (0, 4):
            x = self.begin(self.read("model.yaml"), "--set", "drift=%g" % drift)
            self.assertAlmostEqual(x["force.rope.length"], math.hypot(9, drift), delta=1e-12)
            self.assertEqual(x["force.rope.force"], 0)

    def test_filter_begins_at_the_error_of_the_start_that_is_found(self):
        for more, initial in (("ki: 1e5, limit: 5000", "joints: {cyl: {length: 2}}, rest: joint.cyl.length_acceleration"),
                              ("ki: 1e5", "joints: {cyl: {length: 1.9}}, rest: joint.cyl.length_acceleration"),
                              ("limit: 1e9", "rest: joint.cyl.length_acceleration")):  # without integral: the load sags
            for kind in ("absolute", "joint"):
                names, rows = self.run_model(SERVO.replace("MORE", more).replace("INITIAL", initial), "--coordinates", kind)
                x = dict(zip(names, rows[0]))
                self.assertAlmostEqual(x["force.servo.filter"], x["force.servo.error"], delta=1e-12)
                self.assertAlmostEqual(x["force.servo.force"], 981, delta=1e-6)
                if "ki" not in more:  # it stays where it is, in balance
                    self.assertAlmostEqual(x["force.servo.error"], 981/1e5, delta=1e-12)
                    self.assertAlmostEqual(dict(zip(names, rows[-1]))["joint.cyl.length"], x["joint.cyl.length"], delta=1e-9)

    def test_filter_that_a_condition_gives_begins_there(self):
        for value in (0, 0.3):
            x = self.begin(SERVO.replace("MORE", "limit: 5000").replace("INITIAL", "joints: {cyl: {length: 1.5}}, z: force.servo.filter - %g" % value))
            self.assertEqual(x["force.servo.filter"], value)
            self.assertAlmostEqual(x["joint.cyl.length"], 1.5, delta=1e-12)

    def test_dynamic_variable_that_shall_be_zero_is_no_condition_on_positions(self):
        text = CYLINDER.replace("FORCE", "oil: {type: actuator, joint: b2, reference: 2.4, kp: 1e7, kd: 3e5, filter: 0.005, limit: 8e5}")
        for more in ("", "joints: {b2: {length: 2.4}}, "):
            x = self.begin(text.replace("INITIAL", "initial: {%sz: force.oil.filter}" % more))
            self.assertAlmostEqual(x["force.oil.filter"], 0, delta=1e-12)
        text = text.replace("INITIAL", "dynamic: {p: {start: 5e6, rate: -p}}\ninitial: {joints: {b2: {length: 2.4}}, none: p}")
        self.assertAlmostEqual(self.begin(text)["p"], 0, delta=1e-5)

    def test_hook_without_a_place_on_a_rope_that_a_driver_winds_is_told(self):
        done = self.expect(DONE, "check", self.write(HOOK.replace("PLACE", "")), says=('body "hook" has no position', 'joint "hoist"', '"jib"'))
        done = self.expect(DONE, "check", self.write(HOOK.replace("PLACE", ", position: [29, 10]")))
        self.assertNotIn("has no position", done.err)

    def test_body_on_bushings_starts_untwisted_in_any_pose_of_its_carrier(self):
        stiff = "stiffness: [1e6, 1e6, 1e6, 1e5, 1e5, 1e5]"
        one = "b1: {type: bushing, between: [chassis, engine], at: {first: [1.2, 0.4, 0], second: [0, 0, 0]}, TURNED, %s}" % stiff
        two = one + ", b2: {type: bushing, between: [chassis, engine], at: {first: [1.0, 0.4, 0], second: [-0.2, 0, 0]}, TURNED, %s}" % stiff
        tie = "tie: {type: distance, between: [chassis, engine], at: {first: [1.1, 0.4, 0], second: [-0.1, 0.3, 0]}, length: 0.3}"
        for forces, joint in ((one, ""), (two, ""), (two, tie)):
            for turned, back in (("[1, 0, 0, 0]", 0), ("{axis: [0, 0, 1], angle: 0.5}", 0.5)):
                if back and (forces != one or joint):
                    continue
                text = MOUNTS.replace("FORCES", forces).replace("TURNED", "turned: " + turned).replace("JOINT", joint)
                x = self.begin(text)
                for name in x:
                    if name.startswith("force.b") and name.rsplit(".", 1)[1] in ("x", "y", "z", "rx", "ry", "rz"):
                        self.assertAlmostEqual(x[name], 0, delta=1e-12, msg=name)

    def test_force_that_starts_beyond_its_limit_is_told_with_both_numbers(self):
        text = """\
crank: mechanism
dimension: 2
bodies: {a: {mass: 1, inertia: 0.1, position: [0, 0], velocity: [0, 0], fixed: true}}
joints: {s: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}}
forces:
  m: {type: actuator, joint: s, reference: 0, kp: 100, limit: 10, lag: 0.1START}
  w: {type: force, body: a, force: [LOAD, 0]}
INITIALsimulate: {t_end: 0.01}
"""
        rest = "initial: {rest: body.a.ax}\n"
        cases = ((", start: 50", "0", "", 'force "m" starts at 50, beyond its `limit` of 10, and fades to what that allows within its `lag` of 0.1 s'),
                 ("", "40", rest, 'force "m" starts at -40, beyond its `limit` of 10'),
                 (", start: 10", "0", "", ""), ("", "10", rest, ""))
        for start, load, initial, told in cases:
            for kind in ("absolute", "joint"):
                path = self.write(text.replace("START", start).replace("LOAD", load).replace("INITIAL", initial))
                said = self.expect(DONE, "run", path, "--quiet", "--coordinates", kind, "--out", path + ".csv").err
                self.assertIn(told, said)
                self.assertEqual("beyond its `limit`" in said, told != "")


if __name__ == "__main__":
    main()
