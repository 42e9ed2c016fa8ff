"""Where mechanisms start: bodies without a place, `initial`, zeros of coordinates, turns, springs of no length, velocities
that follow from a few."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os

from command import DONE, FAILED, MODEL, CommandTest, main

LEG = """\
crank: mechanism
dimension: 2
parameters: {lift: 0.3}
bodies: {thigh: {mass: 1, inertia: 0.1}, shank: {mass: 1, inertia: 0.1}, foot: {mass: 1, inertia: 0.1}}
joints:
  hip: {type: revolute, between: [ground, thigh], at: {first: [0, 1], second: [0, 0]}}
  knee: {type: revolute, between: [thigh, shank], at: {first: [0.5, 0], second: [0, 0]}}
  slide: {type: prismatic, between: [shank, foot], at: {first: [0.4, 0], second: [0, 0]},
          axis: {first: [1, 0], second: [1, 0]}}
initial:
  joints: {knee: {angle: 30 deg, angle_rate: 2}, slide: {length: 0.1, length_rate: -1}, hip: {angle_rate: 0.5}}
  height: body.foot.y - 1 - lift
simulate: {t_end: 0.001, points: 1}
"""
CHAIN = """\
crank: mechanism
bodies:
  base: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 2, 3], angle: 50 deg}, position: [1, 2, 3], fixed: [position, orientation]}
  arm: {mass: 1, inertia: [1, 1, 1]}
  hand: {mass: 1, inertia: [1, 1, 1]}
joints:
  turn: {type: revolute, between: [base, arm], at: {first: [0.3, 0, 0], second: [0, 0.2, 0]},
         axis: {first: [0, 0, 1], second: [0, 0, 1]}}
  screwed: {type: cylindrical, between: [hand, arm], at: {first: [0, 0, 0.5], second: [0, 0.4, 0]},
            axis: {first: [1, 0, 0], second: [1, 0, 0]}}
initial: {joints: {turn: {angle: 400 deg, angle_rate: 3}, screwed: {angle: -20 deg, length: 0.25}}}
simulate: {t_end: 0.001, points: 1}
"""
# a boom luffed by a cylinder between the ground and its rod, planar and in space; strut: how barrel and rod are placed
CRANE2 = """\
crank: mechanism
dimension: 2
bodies:
  boom: {mass: 1, inertia: 1, position: [0, 0], angle: 50 deg}
  barrel: {mass: 1, inertia: 1}
  rod: {mass: 1, inertia: 1}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0], second: [0, 0]}}
  low: {type: revolute, between: [ground, barrel], at: {first: [2, -1.3], second: [0, 0]}}
  cyl: {type: prismatic, between: [barrel, rod], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}
  high: {type: revolute, between: [rod, boom], at: {first: [0, 0], second: [8, -0.5]}}
simulate: {t_end: 0.001, points: 1}
"""
CRANE3 = """\
crank: mechanism
parameters: {eps: 0}
bodies:
  boom: {mass: 1, inertia: [1, 1, 1], position: [0, 0, eps], orientation: {axis: [0, 1, 0], angle: -50 deg}}
  barrel: {mass: 1, inertia: [1, 1, 1]}
  rod: {mass: 1, inertia: [1, 1, 1]}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
  low: {type: revolute, between: [ground, barrel], at: {first: [2, 0, -1.3], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
  cyl: {type: prismatic, between: [barrel, rod], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [1, 0, 0], second: [1, 0, 0]}}
  high: {type: spherical, between: [rod, boom], at: {first: [0, 0, 0], second: [8, 0, -0.5]}}
simulate: {t_end: 0.001, points: 1}
"""


def stroke_at(angle):
    """Of the cylinder, from the boom's angle: the distance of its pins."""
    x = 8*math.cos(angle) + 0.5*math.sin(angle) - 2
    y = 8*math.sin(angle) - 0.5*math.cos(angle) + 1.3
    return math.hypot(x, y)

# a six-bar leg of which only the crank is placed
SIX_BAR = """\
crank: mechanism
dimension: 2
bodies:
  crank: {mass: 0.3, inertia: 0.001, position: [0, 0], angle: 40 deg}
  coupler: {mass: 1, inertia: 0.01}
  lower: {mass: 0.3, inertia: 0.002}
  upper: {mass: 0.3, inertia: 0.002}
  leg: {mass: 1, inertia: 0.05}
joints:
  O: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [0, 0]}, drive: 40 deg - 4*t}
  M: {type: revolute, between: [crank, coupler], at: {first: [0.11, 0], second: [0, 0]}}
  A: {type: revolute, between: [ground, lower], at: {first: [-0.25, -0.13], second: [0, 0]}}
  C: {type: revolute, between: [lower, coupler], at: {first: [ROCKER, 0], second: [0.23, 0]}}
  B: {type: revolute, between: [ground, upper], at: {first: [-0.28, 0.26], second: [0, 0]}}
  E: {type: revolute, between: [upper, leg], at: {first: [0.21, 0], second: [0, 0]}}
  D: {type: revolute, between: [coupler, leg], at: {first: [0.43, -0.05], second: [0.35, 0]}}
"""


class Start(CommandTest):
    def first(self, text, *arguments):
        names, rows = self.run_model(text, *arguments)
        return dict(zip(names, rows[0]))

    def test_coordinates_of_joints_and_expressions_say_how_a_mechanism_starts(self):
        x = self.first(LEG)
        for name, value in (("joint.knee.angle", math.pi/6), ("joint.knee.angle_rate", 2), ("joint.slide.length", 0.1),
                            ("joint.slide.length_rate", -1), ("joint.hip.angle_rate", 0.5), ("body.foot.y", 1.3)):
            self.assertAlmostEqual(x[name], value, delta=1e-13, msg=name)
        h = x["joint.hip.angle"]  # 0.5 sin h + 0.5 sin(h + 30 deg) = 0.3
        self.assertAlmostEqual(0.5*math.sin(h) + 0.5*math.sin(h + math.pi/6), 0.3, delta=1e-13)

    def test_conditions_scale_with_the_unit_of_length(self):
        """The same in micrometres."""
        text = LEG
        for old, new in (("lift: 0.3", "lift: 3e5"), ("inertia: 0.1", "inertia: 1e11"), ("[0, 1]", "[0, 1e6]"), ("[0.5, 0]", "[5e5, 0]"),
                         ("[0.4, 0]", "[4e5, 0]"), ("length: 0.1", "length: 1e5"), ("length_rate: -1", "length_rate: -1e6"),
                         ("- 1 -", "- 1e6 -")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.assertAlmostEqual(self.first(text)["joint.hip.angle"], self.first(LEG)["joint.hip.angle"], delta=1e-12)

    def test_bodies_without_a_place_stand_in_space_as_their_joints_say_in_the_turn_that_is_given(self):
        x = self.first(CHAIN)
        self.assertAlmostEqual(x["joint.turn.angle"], math.radians(400), delta=1e-13)
        self.assertAlmostEqual(x["joint.turn.angle_rate"], 3, delta=1e-13)
        self.assertAlmostEqual(x["joint.screwed.angle"], math.radians(-20), delta=1e-13)
        self.assertAlmostEqual(x["joint.screwed.length"], 0.25, delta=1e-13)

    def test_coordinates_given_alone_need_no_iteration(self):
        """The walk along joints puts bodies where coordinates say; nothing but velocities moves then."""
        out = self.expect(DONE, "init", self.write(CHAIN)).out
        self.assertNotRegex(out, r"body\.(arm|hand)\.(x|y|z|q\d) ")

    def test_zero_of_a_coordinate_is_where_given_frames_coincide_else_where_the_file_places_bodies(self):
        for dimension, place, at, axis, value in (
                (2, "angle: 0.3", "{first: [0, 0], second: [0, 0]}", "", 0.3), (2, "angle: 0.3", "[0, 0]", "", 0),
                (3, "orientation: {axis: [0, 0, 1], angle: 0.3}", "[0, 0, 0]", ", axis: {first: [0, 0, 1], second: [0, 0, 1]}", 0.3),
                (3, "orientation: {axis: [0, 0, 1], angle: 0.3}", "[0, 0, 0]", ", axis: [0, 0, 1]", 0)):
            inertia = "1" if dimension == 2 else "[1, 1, 1]"
            text = (f"crank: mechanism\ndimension: {dimension}\nbodies: {{a: {{mass: 1, inertia: {inertia}, {place}}}}}\n"
                    f"joints: {{j: {{type: revolute, between: [ground, a], at: {at}{axis}}}}}\nsimulate: {{t_end: 0.001, points: 1}}\n")
            self.assertAlmostEqual(self.first(text)["joint.j.angle"], value, delta=1e-15)

    def test_placed_bodies_go_where_conditions_say_however_far(self):
        text = ("crank: mechanism\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1, position: [0, 0], angle: 0}}\n"
                "joints: {j: {type: revolute, between: [ground, a], at: {first: [0, 0], second: [1, 0]}}}\n"
                "initial: {joints: {j: {angle: 170 deg}}}\nsimulate: {t_end: 0.001, points: 1}\n")
        self.assertAlmostEqual(self.first(text)["body.a.angle"], math.radians(170), delta=1e-13)

    def test_assemblies_and_repeats_have_initial_sections(self):
        self.write(LEG.replace("simulate: {t_end: 0.001, points: 1}\n", ""), "leg.yaml")
        uses = "crank: mechanism\ndimension: 2\nassemblies: {left: {use: leg.yaml}}\n%ssimulate: {t_end: 0.001, points: 1}\n"
        x = self.first(uses % "")
        self.assertAlmostEqual(x["joint.left.knee.angle"], math.pi/6, delta=1e-13)
        self.expect(MODEL, "check", self.write(uses % "initial: {joints: {left.knee: {angle: 0}}}\n"),
                    says='"angle" is given twice, first in line 4 of the model file')
        x = self.first("crank: mechanism\ndimension: 2\nrepeat:\n  count: 2\n  bodies: {\"b{i}\": {mass: 1, inertia: 1}}\n"
                       "  joints: {\"j{i}\": {type: revolute, between: [ground, \"b{i}\"], at: {first: [0, 0], second: [1, 0]}}}\n"
                       "  initial: {joints: {\"j{i}\": {angle: i/10}}}\nsimulate: {t_end: 0.001, points: 1}\n")
        self.assertAlmostEqual(x["joint.j1.angle"], 0.1, delta=1e-14)
        self.assertAlmostEqual(x["joint.j2.angle"], 0.2, delta=1e-14)

    def test_wrong_conditions_are_refused_with_their_place(self):
        for old, new, *says in (
                ("angle_rate: 2", "angl: 2", "model.yaml:11:34: ", 'of type revolute has no coordinate "angl"; it has "angle"'),
                ("knee: {angle", "kne: {angle", "model.yaml:11:12: ", 'no joint has the name "kne"; did you mean "knee"?'),
                ("knee: {angle: 30 deg, angle_rate: 2}", "knee: 3", "where {coordinate: value} is expected"),
                ("angle: 30 deg, angle_rate", "angle_rate: 1, angle_rate", "angle_rate"),
                ("angle: 30 deg", "angle: body.thigh.angle", "model.yaml:11:"),
                ("body.foot.y - 1", "body.fot.y - 1", 'there is no body "fot"; did you mean "foot"?'),
                ("height:", "2height:", "not a name")):
            self.assertIn(old, LEG)
            self.expect(MODEL, "check", self.write(LEG.replace(old, new)), says=says)

    def test_conditions_that_cannot_be_reached_are_named_with_how_near_they_come(self):
        """The foot is at most 2 0.5 cos 15 deg above the hip, 1 + 0.966; asked for is 4."""
        said = self.expect(MODEL, "run", self.write(LEG.replace("lift: 0.3", "lift: 3")),
                           says=('model.yaml:12:11: initial condition "height": no state was found', "off by 2.75 there")).err
        near = float(said.split("comes as near as ")[1].split(";")[0])
        self.assertAlmostEqual(near, 3 - math.cos(math.radians(15)), delta=2.75/512)  # the shortest step

    def test_loop_that_cannot_close_is_told_with_the_least_gap_wherever_the_search_got_stuck(self):
        """The pin is 0.11 from the shaft at 40 deg; coupler and rocker, 0.23 + r, do not reach from there to the pivot."""
        reach = math.dist([0.11*math.cos(math.radians(40)), 0.11*math.sin(math.radians(40))], [-0.25, -0.13])
        for r in (0.14, 0.15, 0.155):
            said = self.expect(MODEL, "init", self.write(SIX_BAR.replace("ROCKER", str(r))), says="cannot be closed").err
            gap = float(said.split("stays open by ")[1].split(" ")[0])
            least = reach - 0.23 - r
            self.assertAlmostEqual(gap, least, delta=math.sqrt(1e-3)*least)  # 1e-3: the weight that moves the misfit there

    def test_a_stroke_within_a_loop_of_bodies_without_places_is_met_on_the_side_of_the_boom(self):
        """Its pins are apart by the stroke; 5.63 to 10.4 are possible. Also in millimetres."""
        small = CRANE2.replace("[2, -1.3]", "[2000, -1300]").replace("[8, -0.5]", "[8000, -500]").replace("inertia: 1,", "inertia: 1e6,")
        for name, text, unit in (("planar", CRANE2, 1), ("mm", small, 1000), ("space", CRANE3, 1)):
            for stroke in (6.5, 7.5, 7.93, 7.94, 8, 8.2, 9):
                x = self.first(text + "initial: {joints: {cyl: {length: %g}}}\n" % (stroke*unit))
                with self.subTest(model=name, stroke=stroke):
                    self.assertAlmostEqual(x["joint.cyl.length"]/unit, stroke, delta=1e-11)
                    angle = -2*math.atan2(x["body.boom.q2"], x["body.boom.q0"]) if text is CRANE3 else x["body.boom.angle"]
                    self.assertAlmostEqual(stroke_at(angle), stroke, delta=1e-11)
                    self.assertLess(abs(angle - math.radians(50)), 0.7)
        said = self.expect(MODEL, "init", self.write(CRANE2 + "initial: {joints: {cyl: {length: 11}}}\n")).err
        self.assertIn('initial condition "joint.cyl.length": no state was found in which it holds while all joints are closed', said)
        self.assertNotIn("no state satisfies", said)

    def test_a_stroke_is_met_by_the_shorter_way_where_nothing_is_placed(self):
        text = CRANE2.replace(", position: [0, 0], angle: 50 deg", "") + "initial: {joints: {cyl: {length: 8.2}}}\n"
        result = self.expect(DONE, "run", self.write(text), "--quiet")
        self.assertRegex(result.err, 'can be assembled in another way, too .*joint.cyl.length.*, in which body "boom" is turned by')
        names, rows = self.table(result.out)
        x = dict(zip(names, rows[0]))
        self.assertAlmostEqual(stroke_at(x["body.boom.angle"]), 8.2, delta=1e-11)
        self.assertTrue(0 < x["body.boom.angle"] < math.pi/2, x["body.boom.angle"])

    def test_a_placed_body_moves_no_farther_than_it_is_off_while_guesses_close_the_loop(self):
        """The boom's pin is off by eps, the strut is not placed. What moves is of the size of eps, at every one."""
        for eps in (0, 1e-10, 1e-8, 1e-7, 1e-5, 1e-3, 0.1):
            path = self.write(CRANE3)
            result = self.expect(DONE, "init", path, "--set", "eps=%g" % eps, "--all")
            self.assertNotIn("warning", result.err)
            change = {}
            for line in result.out.splitlines():
                word = line.split()
                if line.startswith("body.boom."):
                    change[word[0]] = abs(float(word[3]) - float(word[2])) if word[1].isalpha() else abs(float(word[2]) - float(word[1]))
            self.assertTrue(change)
            self.assertAlmostEqual(change["body.boom.z"], eps, delta=1e-12 + 1e-3*eps)
            for name, by in change.items():
                self.assertLessEqual(by, 1.01*eps + 1e-12, (eps, name))
        out = self.expect(DONE, "check", self.write(CRANE3), "--set", "eps=1e-3").out
        self.assertIn('corrected; body "boom" moved by 0.001; see crank init', out)  # placed bodies are named before guesses

    def test_guesses_that_moved_are_named_by_check_and_not_told_by_runs(self):
        aside = CRANE3.replace("[barrel, rod], at: {first: [0, 0, 0]", "[barrel, rod], at: {first: [0, 0, 0.1]")
        # its axis passes the pivot at 0.1, the pins are 7.93 apart: asin(0.1/7.93)
        self.assertIn('of guesses most: body "barrel" turned by 0.0126 rad; see crank init',
                      self.expect(DONE, "check", self.write(aside)).out)
        self.assertNotIn("start of body", self.expect(DONE, "run", self.write(aside), "--out", "x.csv").err)

    def test_dynamic_guesses_take_the_values_that_accelerations_and_reactions_ask_for(self):
        point = ("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: {a: {type: point, mass: 2, position: [0, 0], velocity: [0, 0], fixed: true}}\n"
                 "dynamic: {p: {start: 10%s, rate: 0}}\nforces: {m: {type: force, body: a, force: [0, p]}}\n"
                 "initial: {calm: body.a.ay}\nsimulate: {t_end: 0.001, points: 1}\n")
        arm = ("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
               "bodies: {arm: {mass: 2e4, inertia: 0.1, center: [1, 0], position: [0, 0], angle: 0, rate: 0, fixed: true}}\n"
               "joints: {h: {type: revolute, between: [ground, arm], at: [0, 0]}}\n"
               "dynamic: {p: {start: 3.9e6, free: true, rate: 0}}\nforces: {m: {type: torque, body: arm, torque: p*0.05}}\n"
               "initial: {calm: joint.h.fy - 0}\nsimulate: {t_end: 0.001, points: 1}\n")
        moment = ("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nbodies: {arm: {mass: 2, inertia: 0.1, center: [1, 0]}}\n"
                  "joints: {h: {type: revolute, between: [ground, arm], at: [0, 0]}}\ndynamic: {p: {start: 10, free: true, rate: 0}}\n"
                  "forces: {m: {type: actuator, joint: h, command: p}}\ninitial: {calm: joint.h.angle_acceleration}\n"
                  "simulate: {t_end: 0.001, points: 1}\n")
        self.assertAlmostEqual(self.first(point % ", free: true")["p"], 19.62, delta=1e-12)
        self.assertAlmostEqual(self.first(point % "")["p"], 19.62, delta=1e-12)  # preferred: since nothing else helps
        x = self.first(moment)
        self.assertAlmostEqual(x["p"], 19.62, delta=1e-11)
        self.assertEqual((x["body.arm.angle"], x["body.arm.rate"]), (0.0, 0.0))  # what need not move does not
        # about the hinge (m + I/1) a = p*0.05 - m g; the hinge carries nothing where a = -g, p*0.05 = -I g
        self.assertAlmostEqual(self.first(arm)["p"], -0.1*9.81/0.05, delta=3.9e6*1e-12)
        self.expect(MODEL, "init", self.write(point % ", fixed: true"), says="the fixed start value of p contradicts")

    def test_equations_files_have_accelerations_and_multipliers_in_conditions(self):
        x = self.first("crank: equations\npositions: {x: {start: 0, fixed: true}}\nvelocities: {v: {of: x, fixed: true}}\n"
                       "dynamic: {p: {start: 10, free: true, rate: 0}}\nmass: [[2]]\nforces: [p - 19.62]\n"
                       "initial: {calm: acceleration.v - 1}\nsimulate: {t_end: 0.001, points: 1}\n")
        self.assertAlmostEqual(x["p"], 21.62, delta=1e-12)
        for how in ("eliminate", "carry"):
            x = self.first("crank: equations\npositions: {x: {start: 1, fixed: true}, y: {start: 0, fixed: true}}\n"
                           "velocities: {vx: {of: x, fixed: true}, vy: {of: y, fixed: true}}\n"
                           "dynamic: {p: {start: 10, free: true, rate: 0}}\nmass: {diagonal: [2, 2]}\nforces: [p, -19.62]\n"
                           "holonomic: {len: x^2+y^2-1}\ninitial: {tension: lambda.len - 3}\n"
                           f"simulate: {{t_end: 0.001, points: 1, accelerations: {how}}}\n")
            self.assertAlmostEqual(x["p"], 6, delta=1e-12, msg=how)

    def test_a_mechanism_comes_to_rest_under_its_springs_by_an_acceleration_that_is_zero(self):
        """100 kg on 1e4 N/m from 1 above, without a length: 1e4 (1 - y) = 981 where the spring carries it."""
        x = self.first("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
                       "bodies: {a: {mass: 100, inertia: 1, position: [0, 0.5], velocity: [0, 0], fixed: [velocity]}}\n"
                       "joints: {g: {type: prismatic, between: [ground, a], at: [0, 0], axis: [0, 1]}}\n"
                       "forces: {s: {type: spring, between: [ground, a], at: {first: [0, 1], second: [0, 0]}, stiffness: 1e4, length: 0, damping: 500}}\n"
                       "initial: {rest: body.a.ay}\nsimulate: {t_end: 0.001, points: 1}\n")
        self.assertAlmostEqual(x["body.a.y"], 1 - 0.0981, delta=1e-12)
        self.assertEqual(x["body.a.vy"], 0.0)

    def test_fixed_velocities_that_a_joint_forbids_are_named_with_the_joint(self):
        """Although conditions on accelerations would let positions and velocities move, too."""
        self.expect(MODEL, "init", self.write(
            "crank: mechanism\ndimension: 2\nbodies:\n  a: {mass: 1, inertia: 1, position: [0, 0], velocity: [1, 0], rate: 0, fixed: true}\n"
            "  b: {mass: 1, inertia: 1, position: [0, 0], velocity: [0, 0], rate: 0, fixed: true}\n"
            "joints: {hub: {type: revolute, between: [a, b], at: [0, 0]}}\ninitial: {calm: body.a.ay}\n"),
            says=("the fixed start values of", 'joint "hub"', "velocity level"))

    def test_body_whose_place_is_given_in_part_is_blamed_for_a_far_start(self):
        """The tractor stands where the file says; the trailer at the origin, since its position is not given and not a guess."""
        text = """\
crank: mechanism
dimension: 2
parameters: {u: 1}
bodies:
  tractor: {mass: 3500, inertia: 4000*u^2, center: [0.9*u, 0], position: [0, 0], angle: 0}
  trailer: {mass: 5000, inertia: 9000*u^2, center: [0.4*u, 0], angle: 30 deg, preferred: [position]}
joints:
  hitch: {type: revolute, between: [tractor, trailer], at: {first: [-0.8*u, 0], second: [3.2*u, 0]}}
  rear: {type: skate, between: [ground, tractor], axis: [1, 0]}
  front: {type: skate, between: [ground, tractor], at: [2.4*u, 0], axis: [1, 0]}
"""
        for unit in (1, 1e3, 1e-6):  # at the hitch: (3.2 cos 30 + 0.8, 3.2 sin 30)
            gap = f"{math.hypot(3.2*math.cos(math.pi/6) + 0.8, 1.6)*unit:.3g}"
            self.expect(MODEL, "init", self.write(text), "--set", f"u={unit}", says=(
                f'model.yaml:6:3: the start values are far from what the joints ask for: joint "hitch" is open by {gap} there',
                'body "trailer", whose position is not given and counts as 0, since its angle is given, would move',
                "`free: [position]`"))
        self.expect(DONE, "init", self.write(text.replace("preferred: [position]", "free: [position]")))
        self.assertNotIn("counts as 0", self.expect(MODEL, "init", self.write(text), "--set", "body.trailer.x=0").err)

    def test_body_whose_angle_is_not_given_is_blamed_for_a_far_start(self):
        text = """\
crank: mechanism
dimension: 2
bodies: {rod: {mass: 1, inertia: 1, position: [0, -1]}}
joints:
  top: {type: revolute, between: [ground, rod], at: {first: [0, 0], second: [1, 0]}}
holonomic: {below: body.rod.x}
"""
        self.expect(MODEL, "init", self.write(text), says=(
            'body "rod", whose angle is not given and counts as 0, since its position is given, would', "`free: [angle]`"))
        self.expect(DONE, "init", self.write(text.replace("[0, -1]}", "[0, -1], free: [angle]}")))

    def test_drive_that_does_not_fit_the_start_is_blamed(self):
        """Legs that are driven by their lengths from end to end: 2 where the coordinate begins with 0."""
        legs = "".join(f"""\
  cylinder{i}: {{mass: 1, inertia: 1, position: [{x}, 0.5], angle: 90 deg}}
  rod{i}: {{mass: 1, inertia: 1, position: [{x}, 1.5], angle: 90 deg}}
""" for i, x in enumerate((-1, 1)))
        joints = "".join(f"""\
  foot{i}: {{type: revolute, between: [ground, cylinder{i}], at: [{x}, 0]}}
  leg{i}: {{type: prismatic, between: [cylinder{i}, rod{i}], at: [{x}, 1], axis: [0, 1], drive: offset + 0.1*t}}
  eye{i}: {{type: revolute, between: [rod{i}, table], at: [{x}, 2]}}
""" for i, x in enumerate((-1, 1)))
        text = ("crank: mechanism\ndimension: 2\nparameters: {offset: 2}\nbodies:\n  table: {mass: 1, inertia: 1, position: [0, 2], angle: 0}\n"
                f"{legs}joints:\n{joints}")
        said = self.expect(MODEL, "init", self.write(text), says=(
            'the drive of joint "leg1" (and 1 more) is off by 2 there', "change what it prescribes at t = 0", "not from end to end")).err
        self.assertTrue(said.startswith("model.yaml:15:3: "), said)
        self.expect(DONE, "init", self.write(text), "--set", "offset=0")

    def test_velocities_out_of_proportion_are_told_with_their_numbers_in_every_unit(self):
        """A slider crank near its dead centre: the slider's speed 1 makes the crank (1) turn with 1/((1 + 1/3) sin a) about."""
        for unit in (1, 1e6, 1e-3):
            for angle, told in ((0.003, True), (0.5, False)):
                text = (f"crank: mechanism\ndimension: 2\nbodies:\n  crank: {{mass: 1, inertia: {unit**2}, angle: {angle}, fixed: [angle]}}\n"
                        f"  rod: {{mass: 1, inertia: {unit**2}}}\n  slider: {{mass: 1, inertia: {unit**2}, velocity: [{unit}, 0], fixed: [velocity]}}\njoints:\n"
                        "  o: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [0, 0]}}\n"
                        f"  a: {{type: revolute, between: [crank, rod], at: {{first: [{unit}, 0], second: [0, 0]}}}}\n"
                        f"  b: {{type: revolute, between: [rod, slider], at: {{first: [{3*unit}, 0], second: [0, 0]}}}}\n"
                        "  s: {type: prismatic, between: [ground, slider], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}\n"
                        "simulate: {t_end: 1e-5, points: 1}\n")
                said = self.expect(DONE, "run", self.write(text), "--out", "x.csv").err
                with self.subTest(unit=unit, angle=angle):
                    self.assertEqual("times as large as those that they follow from" in said, told, said)
                    if told:
                        self.assertRegex(said, r'body "(crank|rod)" (moves|turns)')
                        self.assertRegex(said, r"turns with (250|83\.3) rad")

    def test_gears_of_any_ratio_are_no_velocities_out_of_proportion(self):
        text = ("crank: mechanism\ndimension: 2\nbodies:\n  slow: {mass: 1, inertia: 1, rate: 1, fixed: [rate]}\n  fast: {mass: 1, inertia: 1}\njoints:\n"
                "  a: {type: revolute, between: [ground, slow], at: [0, 0]}\n  b: {type: revolute, between: [ground, fast], at: [0, 0]}\n"
                "  g: {type: gear, joints: [a, b], ratio: 1000}\nsimulate: {t_end: 1e-3, points: 1}\n")
        result = self.expect(DONE, "run", self.write(text), "--out", "x.csv")
        self.assertNotIn("warning", result.err)
        names, rows = self.table(self.read("x.csv"))
        self.assertAlmostEqual(dict(zip(names, rows[0]))["body.fast.rate"], 1000, delta=1e-9)

    def test_long_chain_without_places_closes_or_is_told_open_soon(self):
        """60 links over a gap of half their length, and over one and a half times of it: the search for a way to close it takes
        steps whose cost grows with the number of links, not with its cube: 0.7 s of a processor, a cube takes 20 s."""
        count = 60
        text = "crank: mechanism\ndimension: 2\nbodies:\n"
        text += "".join(f"  b{i}: {{mass: 1, inertia: 0.1}}\n" for i in range(count)) + "joints:\n"
        for i in range(count):
            before, end = ("ground", 0) if i == 0 else (f"b{i - 1}", 1)
            text += f"  j{i}: {{type: revolute, between: [{before}, b{i}], at: {{first: [{end}, 0], second: [0, 0]}}}}\n"
        text += "  last: {type: revolute, between: [b59, ground], at: {first: [1, 0], second: [%g, 0]}}\n"
        text += "simulate: {t_end: 0.001, points: 1}\n"
        row = self.first(text % (0.5 * count))
        tip = row["body.b59.x"] + math.cos(row["body.b59.angle"])
        self.assertAlmostEqual(tip, 0.5 * count, delta=1e-10)
        spent = os.times()
        said = self.expect(MODEL, "run", self.write(text % (1.5 * count))).err
        now = os.times()
        self.assertIn("cannot be closed: it stays open by 30 while", said)
        self.assertLess(now.children_user - spent.children_user, 6)

    def test_bodies_of_an_assembly_start_as_one_where_their_loops_close(self):
        """v = V + W x (x - X), at the positions that were found, not at those that joints put them to."""
        self.write("crank: mechanism\ndimension: 2\n"
                   "bodies: {a: {mass: 1, inertia: 0.1}, b: {mass: 1, inertia: 0.1, position: [1, 0.3]}, "
                   "c: {mass: 1, inertia: 0.1, center: [0.2, 0.1], fixed: [velocity]}, p: {type: point, mass: 1, position: [0.2, 0.7]}}\n"
                   "joints:\n"
                   "  ab: {type: revolute, between: [a, b], at: {first: [0.6, 0], second: [-0.5, 0]}}\n"
                   "  bc: {type: revolute, between: [b, c], at: {first: [0.5, 0], second: [0, 0]}}\n"
                   "  ca: {type: distance, between: [c, a], at: {first: [0.7, 0], second: [-0.2, 0]}, length: 1.3}\n", "leg.yaml")
        self.write("crank: mechanism\ndimension: 2\n"
                   "assemblies: {in: {use: leg.yaml, at: [0, 2], orientation: 30 deg, velocity: [0, 1], rate: 0.5}}\n", "pair.yaml")
        x = self.first("crank: mechanism\ndimension: 2\nassemblies:\n"
                       "  left: {use: leg.yaml, at: [3, 1], velocity: [20, 0], rate: 2}\n"
                       "  right: {use: pair.yaml, at: [-3, 1], orientation: 90 deg, velocity: [20, 0], rate: 2}\n"
                       "simulate: {t_end: 0.001, points: 1}\n")
        self.assertGreater(abs(x["body.left.a.angle"]), 0.5)  # loops were open
        for body in "abcp":
            at = lambda what, of="left.", b=body: x["body.%s%s.%s" % (of, b, what)]
            self.assertAlmostEqual(at("vx"), 20 - 2*(at("y") - 1), delta=1e-13)
            self.assertAlmostEqual(at("vy"), 2*(at("x") - 3), delta=1e-13)
            inner = lambda what, b=body: x["body.right.in.%s.%s" % (b, what)]  # origin (-5, 1), velocity (-1, 0)
            self.assertAlmostEqual(inner("vx"), 20 - 2*(inner("y") - 1) - 1 - 0.5*(inner("y") - 1), delta=1e-13)
            self.assertAlmostEqual(inner("vy"), 2*(inner("x") + 3) + 0.5*(inner("x") + 5), delta=1e-13)
            if body != "p":
                self.assertAlmostEqual(at("rate"), 2, delta=1e-14)
                self.assertAlmostEqual(inner("rate"), 2.5, delta=1e-14)

    def test_spatial_assembly_starts_turning_where_its_loops_close(self):
        self.write("crank: mechanism\n"
                   "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}, b: {mass: 1, inertia: [1, 1, 1]}, "
                   "c: {mass: 1, inertia: [1, 1, 1], center: [0.2, 0.1, 0.3], fixed: [velocity, angular_velocity]}}\n"
                   "joints:\n"
                   "  ab: {type: spherical, between: [a, b], at: {first: [0.5, 0, 0], second: [0, 0, 0]}}\n"
                   "  bc: {type: revolute, between: [b, c], at: {first: [0, 0.8, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}\n"
                   "  ca: {type: spherical, between: [c, a], at: {first: [0, 0.7, 0.2], second: [-0.3, 0.2, 0]}}\n", "leg.yaml")
        x = self.first("crank: mechanism\nassemblies:\n"
                       "  leg: {use: leg.yaml, at: [3, 1, 2], orientation: {axis: [1, 2, 3], angle: 40 deg}, velocity: [20, 0, 1], "
                       "angular_velocity: [1, -2, 3]}\nsimulate: {t_end: 0.001, points: 1}\n")
        for body in "abc":
            p, v, w = ([x["body.leg.%s.%s" % (body, n)] for n in names]
                       for names in (("x", "y", "z"), ("vx", "vy", "vz"), ("wx", "wy", "wz")))
            r = [p[0] - 3, p[1] - 1, p[2] - 2]
            expected = (20 - 2*r[2] - 3*r[1], 3*r[0] - r[2], 1 + r[1] + 2*r[0])
            for i in range(3):
                self.assertAlmostEqual(v[i], expected[i], delta=1e-12, msg=body)
                self.assertAlmostEqual(w[i], (1, -2, 3)[i], delta=1e-12, msg=body)

    def test_wheels_of_an_assembly_that_starts_moving_roll(self):
        """`velocity` alone leaves how bodies turn to their joints."""
        self.write("crank: mechanism\ndimension: 2\n"
                   "bodies: {body: {mass: 10, inertia: 1, position: [0, 0.5]}, wheel: {mass: 1, inertia: 0.1, position: [0, 0.5]}}\n"
                   "joints: {hub: {type: revolute, between: [body, wheel], at: [0, 0.5]}, "
                   "road: {type: rolling_disc, between: [ground, wheel], radius: 0.5, plane: {at: [0, 0], normal: [0, 1]}}}\n", "car.yaml")
        x = self.first("crank: mechanism\ndimension: 2\nassemblies: {car: {use: car.yaml, velocity: [20, 0]}}\n"
                       "simulate: {t_end: 0.001, points: 1}\n")
        for name, value in (("body.vx", 20), ("body.rate", 0), ("wheel.vx", 20), ("wheel.rate", -40)):
            self.assertAlmostEqual(x["body.car." + name], value, delta=1e-12)

    def test_joint_that_fixed_velocities_turn_into_a_lock_is_named(self):
        """The wheel has to turn about the world's y axis, its carrier not at all: the hub holds the carrier's direction."""
        self.expect(MODEL, "init", self.write(
            "crank: mechanism\nbodies:\n"
            "  knuckle: {mass: 15, inertia: [0.3, 0.3, 0.2], position: [0, 0, 0], fixed: [position, velocity, angular_velocity]}\n"
            "  wheel: {mass: 20, inertia: [0.6, 1.1, 0.6], position: [0, 0.1, 0], angular_velocity: [0, 50, 0], fixed: [velocity, angular_velocity]}\n"
            "joints: {hub: {type: revolute, between: [knuckle, wheel], at: [0, 0.1, 0], axis: [0, 1, 0]}}\n"
            "forces: {mount: {type: bushing, between: [ground, knuckle], at: [0, 0, 0], stiffness: [1e5, 1e5, 1e5, 1e3, 1e3, 1e3]}, "
            "push: {type: torque, body: knuckle, torque: [0, 0, 20]}}\n"
            "initial: {rest: body.knuckle.dwz}\n"), says='all velocities in joint "hub" are fixed, so that it holds directions, too')

    def test_condition_on_one_joint_of_a_long_chain_costs_little(self):
        """What it depends on is found by moving many unknowns at once: 0.15 s of a processor, one by one 4 s."""
        text = ("crank: mechanism\nbodies: {b0: {mass: 1, inertia: [1, 1, 1]}}\n"
                "joints: {j0: {type: spherical, between: [ground, b0], at: {first: [0, 0, 0], second: [-0.5, 0, 0]}}}\n"
                "repeat: {count: 399, bodies: {'b{i}': {mass: 1, inertia: [1, 1, 1]}}, joints: {'j{i}': {type: revolute, "
                "between: ['b{i-1}', 'b{i}'], at: {first: [0.5, 0, 0], second: [-0.5, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}}}\n"
                "initial: {joints: {j7: {angle: 10 deg}}}\n")
        spent = os.times()
        self.expect(DONE, "init", self.write(text))
        now = os.times()
        self.assertLess(now.children_user - spent.children_user, 2)

    def test_drive_places_what_hangs_on_it(self):
        """A trolley without a place stands where its drive begins: a rope of 30 to a hook that is placed below it is taut there, and a
        condition that holds already changes nothing. Rope and hook far from each other were refused."""
        text = ("crank: mechanism\ndynamic: {q: {rate: 0}}\n"
                "bodies: {jib: {mass: 9, inertia: [1, 1, 1], center: [20, 0, 0]}, trolley: {mass: 4, inertia: [1, 1, 1]}, "
                "drum: {mass: 2, inertia: [1, 1, 1]}, hook: {type: point, mass: 1, position: [20, 0, 10]}}\n"
                "let: {fall: 'sqrt((body.trolley.x - body.hook.x)^2 + (body.trolley.y - body.hook.y)^2 + (body.trolley.z - body.hook.z)^2)'}\n"
                "joints:\n"
                "  slew: {type: revolute, between: [ground, jib], at: {first: [0, 0, 40], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}\n"
                "  rail: {type: prismatic, between: [jib, trolley], at: {first: [0, 0, 0], second: [0, 0, 0]}, "
                "axis: {first: [1, 0, 0], second: [1, 0, 0]}, drive: 20 + t^2}\n"
                "  shaft: {type: revolute, between: [jib, drum], at: {first: [-5, 0, 1], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}\n"
                "holonomic: {rope: 2*(fall - 30) + 0.3*joint.shaft.angle}\n"
                "initial:\n  joints: {slew: {angle: 0, angle_rate: 0}, shaft: {angle: 0, angle_rate: 0}}\n"
                "simulate: {t_end: 0.001, points: 1}\n")
        for more in ("", "  holds: q\n"):
            start = self.first(text.replace("simulate:", more + "simulate:"))
            for name, exact in (("body.trolley.x", 20), ("body.trolley.z", 40), ("body.hook.x", 20), ("body.hook.y", 0), ("body.hook.z", 10)):
                self.assertAlmostEqual(start[name], exact, delta=1e-9)

    def test_rest_is_sought_where_loops_are_closed(self):
        """A table on three servo legs with a limit (one crosses), not placed: weight and legs' forces balance at the given height but for the servos'
        give, m g/(2 kp). It was not found from where loops are open."""
        text = ("crank: mechanism\ndimension: 2\ngravity: [0, -10]\n"
                "bodies: {table: {mass: 100, inertia: 10, position: [0, 1.5], velocity: [0, 0], rate: 0, fixed: [velocity, rate]}}\n"
                "repeat:\n  count: 3\n  bodies:\n    low{i}: {mass: 0.001, inertia: 1e-6}\n    up{i}: {mass: 0.001, inertia: 1e-6}\n"
                "  joints:\n    foot{i}: {type: revolute, between: [ground, 'low{i}'], at: {first: ['if(i == 1, -1, 1)', 0], second: [0, 0]}}\n"
                "    leg{i}: {type: prismatic, between: ['low{i}', 'up{i}'], at: {first: [0, 0], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}\n"
                "    head{i}: {type: revolute, between: ['up{i}', table], at: {first: [0, 0], second: ['if(i == 3, 1, -1)', 0]}}\n"
                "  forces:\n    servo{i}: {type: actuator, joint: 'leg{i}', reference: 'if(i == 2, 2.5, 1.5)', kp: 1e6, kd: 1e4, limit: 5e3}\n"
                "  initial:\n    calm{i}: joint.leg{i}.length_acceleration\n"
                "simulate: {t_end: 0.0001, points: 1}\n")
        row = self.first(text)
        self.assertAlmostEqual(row["body.table.y"], 1.5 - 100*10/2/1e6, delta=1e-6)

    def test_driven_angle_begins_in_the_turn_of_its_drive(self):
        text = ("crank: mechanism\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                "joints: {j: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], drive: 7 + t}}\n"
                "simulate: {t_end: 0.001, points: 1}\n")
        for place in ("", ", position: [0, 0, 0]"):
            start = self.first(text.replace("1]}", "1]" + place + "}"))
            self.assertAlmostEqual(start["joint.j.angle"], 7, delta=1e-12)

    def test_angle_of_a_crank_does_not_choose_the_side_of_its_loop(self):
        """Rod and piston stand above the crank where its angle is zero, and stay there whichever way the angle is given: pistons are at
        r cos a + sqrt(l^2 - (r sin a)^2)."""
        text = ("crank: mechanism\ndimension: 2\nbodies: {crank: {mass: 1, inertia: 1}, rod: {mass: 1, inertia: 1}, piston: {mass: 1, inertia: 1}}\n"
                "joints:\n  main: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [0, 0]}}\n"
                "  big: {type: revolute, between: [crank, rod], at: {first: [0, 0.045], second: [0, 0]}}\n"
                "  small: {type: revolute, between: [rod, piston], at: {first: [0, 0.14], second: [0, 0]}}\n"
                "  bore: {type: prismatic, between: [ground, piston], at: {first: [0, 0], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}\n"
                "simulate: {t_end: 0.001, points: 1}\n")
        for degrees in (-170, -100, 30, 100, 170, 400):
            a = math.radians(degrees)
            exact = 0.045*math.cos(a) + math.sqrt(0.14**2 - (0.045*math.sin(a))**2)
            for start in (f"initial: {{joints: {{main: {{angle: {degrees} deg}}}}}}\n", f"initial: {{turn: joint.main.angle - {degrees} deg}}\n"):
                row = self.first(text + start)
                self.assertAlmostEqual(row["joint.main.angle"], a, delta=1e-9, msg=start)
                if degrees < 180 or "joints" in start:  # an expression does not say from which turn it is led there
                    self.assertAlmostEqual(row["joint.bore.length"], exact, delta=1e-9, msg=start)
            driven = self.first(text.replace("0]}}\n  big", f"0]}}, drive: {degrees} deg + t}}\n  big"))
            self.assertAlmostEqual(driven["joint.bore.length"], exact, delta=1e-9, msg=f"driven, {degrees}")

    def test_condition_that_a_drive_determines_is_refused_with_the_name_of_the_drive(self):
        driven = CRANE2.replace("axis: {first: [1, 0], second: [1, 0]}}", "axis: {first: [1, 0], second: [1, 0]}, drive: 8.2 + t}")
        self.assertNotEqual(driven, CRANE2)
        for start, name in (("joints: {foot: {angle: 80 deg}}", "joint.foot.angle"),
                            ("joints: {cyl: {length: 8}}", "joint.cyl.length"), ("c: body.boom.angle - 2", "c")):
            said = self.expect(MODEL, "init", self.write(driven + f"initial: {{{start}}}\n")).err
            self.assertIn(f'initial condition "{name}" contradicts the drive of joint "cyl", which determines it already', said)
        # the drive of a cart does not determine how far its pendulum may reach, which joints alone limit
        cart = ("crank: mechanism\ndimension: 2\nbodies: {cart: {mass: 1, inertia: 1}, bob: {mass: 1, inertia: 1}}\njoints:\n"
                "  rail: {type: prismatic, between: [ground, cart], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}, drive: 0.3 + t}\n"
                "  pin: {type: revolute, between: [cart, bob], at: {first: [0, 0], second: [0, 1]}}\n")
        said = self.expect(MODEL, "init", self.write(cart + "initial: {c: body.bob.x - 2}\n")).err
        self.assertIn("it comes as near as 0.7", said)
        said = self.expect(MODEL, "init", self.write(cart + "initial: {c: body.cart.y - 2}\n")).err
        self.assertIn('"c" contradicts the joints, which determine it already: it is off by 2 ', said)

    def test_condition_that_a_fixed_body_determines_is_refused_with_the_name_of_the_body(self):
        text = ("crank: mechanism\ndimension: 2\nbodies:\n  boom: {mass: 1000, inertia: 2000, center: [2, 0], position: [0, 0], angle: 40 deg%s}\n"
                "  bb: {mass: 100, inertia: 10, center: [0.5, 0]}\n  bp: {mass: 80, inertia: 10, center: [-0.5, 0]}\n"
                "  post: {mass: 1, inertia: 1, position: [9, 9], angle: 1, fixed: true}\njoints:\n"
                "  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0], second: [0, 0]}}\n"
                "  b1: {type: revolute, between: [ground, bb], at: {first: [0.7, -0.6], second: [0, 0]}}\n"
                "  b2: {type: prismatic, between: [bb, bp], at: {first: [0, 0], second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}\n"
                "  b3: {type: revolute, between: [bp, boom], at: {first: [0, 0], second: [2.5, 0.45]}}\ninitial: {joints: {b2: {length: 2.4}}}\n")
        said = self.expect(MODEL, "init", self.write(text % ", fixed: true")).err
        self.assertIn('"joint.b2.length" contradicts the fixed start values of body.boom, which determine it already: it is off by 0.31', said)
        self.assertIn("do not fix what it shall change", said)
        self.expect(DONE, "init", self.write(text % ""))

    def test_drive_at_a_dead_centre_is_named_and_the_row_there_left_out(self):
        """The boom's pin is sqrt(8^2 + 0.5^2) from its foot, the cylinder's sqrt(2^2 + 1.3^2): in line at 10.4010, reached by 10 + t at 0.4010."""
        text = CRANE2.replace("axis: {first: [1, 0], second: [1, 0]}}", "axis: {first: [1, 0], second: [1, 0]}, drive: 10 + t}").replace(
            "t_end: 0.001, points: 1", "t_end: 1, every: 0.01")
        for method in ("auto", "psf-radau", "ggl-bdf"):
            result = self.expect(FAILED, "run", self.write(text), "--method", method,
                                 says=("stopped at t = 0.400", 'the drive of joint "cyl" leads to a dead centre', "the last row is at t = 0.4;"))
            self.assertEqual(self.table(result.out)[1][-1][0], 0.4)

    def test_throw_behind_a_torsion_spring_turns_with_the_flywheel_and_leaves_the_block_at_rest(self):
        """With its rod as a rigid crankshaft would: the piston stands at its dead centre, the rod turns by -w r/l."""
        text = ("crank: mechanism\nparameters: {w: 300, r: 0.043, l: 0.143, D: 15}\nbodies:\n"
                "  block: {mass: 110, inertia: [4, 9, 8], position: [0, 0, 0]}\n"
                "  flywheel: {mass: 16, inertia: [0.16, 0.3, 0.3], position: [0.2, 0, 0], angular_velocity: [w, 0, 0]}\n"
                "  nose: {mass: 4, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0]}\n"
                "  rod: {mass: 0.6, inertia: [3e-3, 3e-3, 1e-4], center: [0, 0, 0.05], position: [0, 0, r]}\n"
                "  piston: {mass: 0.45, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, r + l]}\njoints:\n"
                "  main: {type: revolute, between: [block, flywheel], at: [0.2, 0, 0], axis: [1, 0, 0]}\n"
                "  front: {type: revolute, between: [block, nose], at: [0, 0, 0], axis: [1, 0, 0]}\n"
                "  big: {type: revolute, between: [nose, rod], at: [0, 0, r], axis: [1, 0, 0]}\n"
                "  small: {type: point_on_line, between: [piston, rod], at: [0, 0, r + l], axis: [1, 0, 0]}\n"
                "  guide: {type: prismatic, between: [block, piston], at: [0, 0, r + l], axis: [0, 0, 1]}\nforces:\n"
                "  twist: {type: torsion, between: [nose, flywheel], axis: [1, 0, 0], stiffness: 4e5, damping: D}\n"
                "  mount: {type: bushing, between: [ground, block], at: [0, 0, 0], stiffness: [1e5, 1e5, 1e5, 1e4, 1e4, 1e4]}\n"
                "simulate: {t_end: 1e-6, points: 1}\n")
        for damping in (0, 15):
            row = self.first(text.replace("D: 15", f"D: {damping}"))
            for name, exact in (("block", 0), ("flywheel", 300), ("nose", 300), ("rod", -300*0.043/0.143), ("piston", 0)):
                self.assertAlmostEqual(row[f"body.{name}.wx"], exact, delta=1e-9, msg=f"{name}, damping {damping}")

    def test_bodies_are_put_by_every_coordinate_of_universal_and_planar_joints(self):
        """Angles of a cross and lengths in a plane, from either body: nothing is left to search for, and angles keep their turn."""
        text = ("crank: mechanism\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  c: {mass: 1, inertia: [1, 1, 1]}\n  d: {mass: 1, inertia: [1, 1, 1]}\n"
                "  b: {mass: 1, inertia: [1, 1, 1], position: [0.3, 0.1, 0], orientation: {axis: [1, 1, 0], angle: 20 deg}}\njoints:\n"
                "  u: {type: universal, between: [ground, a], at: {first: [0.1, 0.2, 0.3], second: [0, 0, -0.5]}, axes: {first: [1, 0, 0], second: [0, 0.6, 0.8]}}\n"
                "  v: {type: universal, between: [c, b], at: {first: [0.1, 0.2, 0.3], second: [0, 0, -0.5]}, axes: {first: [1, 0, 0], second: [0, 0.6, 0.8]}}\n"
                "  p: {type: planar, between: [d, c], at: {first: [0.1, 0.2, 0.3], second: [0, 0, -0.5]}, axis: {first: [0, 1, 1], second: [1, 1, 0]}}\n"
                "initial:\n  joints:\n    u: {angle1: 40 deg, angle2: 400 deg}\n    v: {angle1: -100 deg, angle2: 20 deg}\n"
                "    p: {angle: 400 deg, length1: 0.2, length2: -0.3}\nsimulate: {t_end: 0.001, points: 1}\n")
        self.assertIn("nothing moved", self.expect(DONE, "init", self.write(text)).out)
        row = self.first(text)
        for name, exact in (("u.angle1", 40), ("u.angle2", 400), ("v.angle1", -100), ("v.angle2", 20), ("p.angle", 400)):
            self.assertAlmostEqual(row["joint." + name], math.radians(exact), delta=1e-14)
        self.assertAlmostEqual(row["joint.p.length1"], 0.2, delta=1e-15)
        self.assertAlmostEqual(row["joint.p.length2"], -0.3, delta=1e-15)

    def test_spring_may_start_with_no_length(self):
        """x'' = -4 (x - 1/2) - x'/10 along x, from x = 0 with x' = 1: exact but for the first moment, where it does not pull."""
        text = ("crank: mechanism\ndimension: 2\nbodies: {a: {type: point, mass: 1, velocity: [1, 0]}}\n"
                "forces: {f: {type: spring, between: [ground, a], at: [[0, 0], [0, 0]], stiffness: 4, length: 0.5, damping: 0.1}}\n"
                "simulate: {t_end: 1, points: 1, rtol: 1e-9, atol: 1e-9}\n")
        w = math.sqrt(4 - 0.05**2)
        exact = 0.5 + math.exp(-0.05)*(-0.5*math.cos(w) + (1 - 0.025)/w*math.sin(w))
        for method in ("psf-radau", "ode-dopri8", "psf-bdf"):
            names, rows = self.run_model(text, "--method", method)
            self.assertAlmostEqual(dict(zip(names, rows[-1]))["body.a.x"], exact, delta=1e-6)
        still = self.first(text.replace("velocity: [1, 0]", "velocity: [0, 0]"))
        self.assertTrue(all(math.isfinite(value) for value in still.values()))


if __name__ == "__main__":
    main()
