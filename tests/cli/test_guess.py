"""Guesses of places choose how loops close, and nothing that is given moves for them."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import DONE, MODEL, CommandTest, main

# a rocker whose pin is guessed; circles of radius 2 about (0, 1) and 1.5 about (2, 0) meet at two points
FOUR_BAR = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies:
  a: {mass: 1, inertia: 0.1*L^2, position: [0, 0], angle: 90 deg}
  b: {mass: 1, inertia: 0.1*L^2}
  c: {mass: 1, inertia: 0.1*L^2, position: [PLACE], free: true}
joints:
  A: {type: revolute, between: [ground, a], at: {first: [0, 0], second: [0, 0]}}
  B: {type: revolute, between: [a, b], at: {first: [L, 0], second: [0, 0]}}
  C: {type: revolute, between: [b, c], at: {first: [2*L, 0], second: [0, 0]}}
  D: {type: revolute, between: [c, ground], at: {first: [1.5*L, 0], second: [2*L, 0]}}
simulate: {t_end: 1e-9, points: 1}
"""
# five links between a frame and a knuckle, of which only a rough place is known
LINKS = """\
crank: mechanism
bodies:
  frame: {mass: 400, inertia: [50, 50, 50], position: [0, 0, 0.5]}
  knuckle: {mass: 30, inertia: [0.6, 0.8, 0.5], position: [0, 0.75, 0.3], free: true}
  l1: {mass: 1, shape: {cylinder: [0.01, 0.4]}}
  l2: {mass: 1, shape: {cylinder: [0.01, 0.4]}}
  l3: {mass: 1, shape: {cylinder: [0.01, 0.3]}}
  l4: {mass: 1, shape: {cylinder: [0.01, 0.3]}}
  l5: {mass: 1, shape: {cylinder: [0.01, 0.38]}}
joints:
  heave: {type: prismatic, between: [ground, frame], at: [0, 0, 0.5], axis: [0, 0, 1]}
  a1: {type: spherical, between: [frame, l1], at: {first: [0.2, 0.33, -0.3], second: [0, 0, -0.2]}}
  a2: {type: spherical, between: [frame, l2], at: {first: [-0.2, 0.33, -0.3], second: [0, 0, -0.2]}}
  a3: {type: spherical, between: [frame, l3], at: {first: [0.15, 0.4, 0.0], second: [0, 0, -0.15]}}
  a4: {type: spherical, between: [frame, l4], at: {first: [-0.15, 0.4, 0.0], second: [0, 0, -0.15]}}
  a5: {type: spherical, between: [frame, l5], at: {first: [-0.12, 0.34, -0.2], second: [0, 0, -0.19]}}
  b1: {type: spherical, between: [l1, knuckle], at: {first: [0, 0, 0.2], second: [0.03, -0.03, -0.12]}}
  b2: {type: spherical, between: [l2, knuckle], at: {first: [0, 0, 0.2], second: [-0.03, -0.03, -0.12]}}
  b3: {type: spherical, between: [l3, knuckle], at: {first: [0, 0, 0.15], second: [0.03, -0.06, 0.18]}}
  b4: {type: spherical, between: [l4, knuckle], at: {first: [0, 0, 0.15], second: [-0.03, -0.06, 0.18]}}
  b5: {type: spherical, between: [l5, knuckle], at: {first: [0, 0, 0.19], second: [-0.12, -0.04, 0]}}
simulate: {t_end: 1e-9, points: 1}
"""
# two hinges and a rod; guesses that are far off, from where the hinges close with their axes the wrong way round
FAR = """\
crank: mechanism
parameters: {L: 1}
bodies:
  a: {mass: 1, inertia: [1*L^2, 1*L^2, 1*L^2], position: [-2.1*L, 0.7*L, -0.8*L], orientation: [0.2619, 0.8538, -0.3373, 0.2976], free: true}
  b: {mass: 1, inertia: [1*L^2, 1*L^2, 1*L^2], position: [0.8*L, -0.1*L, -1.6*L], orientation: [0.677, 0.2475, 0.5867, -0.3692], free: true}
joints:
  A: {type: revolute, between: [ground, a], at: {first: [0.1866*L, -0.6951*L, 0.2725*L], second: [1.1348*L, -0.2562*L, -0.2468*L]}, axis: {first: [0, 1, 0], second: [-0.4207, 0.8976, -0.1315]}}
  B: {type: revolute, between: [a, b], at: {first: [-0.2571*L, 0.288*L, -0.5423*L], second: [-0.0634*L, 1.3016*L, -0.4136*L]}, axis: {first: [1, 0, 0], second: [-0.9149, -0.399, 0.0603]}}
  C: {type: distance, between: [b, ground], at: {first: [-0.3435*L, -0.1709*L, 0.2642*L], second: [0.2599*L, 1.3554*L, 0.4579*L]}, length: 0.5979*L}
simulate: {t_end: 1e-9, points: 1}
"""
# the file says how the last of three bodies is turned, which sliders and welds say of the others
LEG = """\
crank: mechanism
bodies:
  barrel: {mass: 1, inertia: [1, 1, 1]}
  rod: {mass: 1, inertia: [1, 1, 1]}
  cap: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 2, 0.5], angle: TURN deg}, fixed: [orientation], free: [position]}
joints:
  low: {type: spherical, between: [ground, barrel], at: {first: [1, 2, 3], second: [0, 0, 0]}}
  slide: {type: prismatic, between: [barrel, rod], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}, drive: 1.5}
  weld: {type: fixed, between: [rod, cap], at: {first: [0, 0, 1], second: [0, 0, 0]}}
simulate: {t_end: 1e-9, points: 1}
"""
# six driven legs of length 1.4 under a platform, above or below the base
HEXAPOD = """\
crank: mechanism
parameters: {Rb: 1.2, Rp: 0.7, db: 10 deg, dp: 50 deg, z: 1.2}
bodies:
  platform: {mass: 400, inertia: [40, 40, 70], position: [0, 0, z], free: true}
repeat:
  count: 6
  let:
    "b{i}": "floor((i+1)/2)*120 deg + (2*(i - 2*floor(i/2)) - 1)*db"
    "p{i}": "floor((i+1)/2)*120 deg + (2*(i - 2*floor(i/2)) - 1)*dp"
  bodies:
    cyl{i}: {mass: 8, shape: {cylinder: [0.03, 0.8]}, center: [0, 0, 0.4]}
    rod{i}: {mass: 4, shape: {cylinder: [0.015, 0.8]}, center: [0, 0, -0.4]}
  joints:
    base{i}: {type: universal, between: [ground, "cyl{i}"], at: {first: ["Rb*cos(b{i})", "Rb*sin(b{i})", 0], second: [0, 0, 0]},
              axes: {first: [1, 0, 0], second: [0, 1, 0]}}
    leg{i}: {type: prismatic, between: ["cyl{i}", "rod{i}"], at: {first: [0, 0, 0], second: [0, 0, 0]},
             axis: {first: [0, 0, 1], second: [0, 0, 1]}, drive: 1.4 + 0.1*t^2}
    top{i}: {type: spherical, between: ["rod{i}", platform], at: {first: [0, 0, 0], second: ["Rp*cos(p{i})", "Rp*sin(p{i})", 0]}}
simulate: {t_end: 1e-9, points: 1}
"""
# a hull that floats, with a crank and a rocker of which angles are read off a sketch
HULL = """\
crank: mechanism
dimension: 2
bodies:
  hull: {mass: 20, inertia: 2, position: [0.1, 0.95], angle: 5 deg}
  crank: {mass: 1, inertia: 0.01, angle: 40 deg, free: true}
  rod: {mass: 1, inertia: 0.01, angle: 160 deg, free: true}
  rocker: {mass: 1, inertia: 0.01, angle: 60 deg, free: true}
joints:
  axle: {type: revolute, between: [hull, crank], at: {first: [0, 0], second: [0, 0]}}
  pin: {type: revolute, between: [crank, rod], at: {first: [0.15, 0], second: [0, 0]}}
  knee: {type: revolute, between: [rod, rocker], at: {first: [0.5, 0], second: [0.41, 0]}}
  pivot: {type: revolute, between: [hull, rocker], at: {first: [-0.38, -0.08], second: [0, 0]}}
simulate: {t_end: 1e-9, points: 1}
"""
# a hoop that stands beside its plane and has to be moved before it rolls, with a bob
HOOP = """\
crank: mechanism
parameters: {R: 0.3, slope: 5 deg}
bodies:
  hoop: {mass: 2, inertia: [0.09, 0.18, 0.09], position: [0, 0, R], angular_velocity: [0, 6, 0.3]}
  bob: {mass: 1, shape: {sphere: 0.05}}
joints:
  roll: {type: rolling_disc, between: [ground, hoop], radius: R, axis: {first: [0, 1, 0], second: [0, 1, 0]},
         plane: {at: [0, 0, 0], normal: ["-sin(slope)", 0, "cos(slope)"]}}
  hang: {type: revolute, between: [hoop, bob], at: {first: [0, 0, 0], second: [0, 0, 0.15]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
simulate: {t_end: 1e-9, points: 1}
"""


BY_JOINTS = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies: {a: {mass: 1, inertia: 0.1*L^2}, b: {mass: 1, inertia: 0.1*L^2}, c: {mass: 1, inertia: 0.1*L^2}}
joints:
  p: {type: revolute, between: [ground, a], at: {first: [0, 0], second: [0, 0]}}
  q: {type: revolute, between: [a, b], at: {first: [L, 0], second: [0, 0]}}
  r: {type: revolute, between: [ground, c], at: {first: [3*L, 0], second: [0, 0]}}
  s: {type: revolute, between: [b, c], at: {first: [3*L, 0], second: [2*L, 0]}}
initial: {joints: {p: {angle: 60 deg}, r: {angle: GUESS, free: true}}}
simulate: {t_end: 1e-9, points: 1}
"""


class Guess(CommandTest):
    def first(self, text, *arguments):
        names, rows = self.run_model(text, *arguments)
        return dict(zip(names, rows[0]))

    def test_position_that_is_given_as_a_guess_chooses_the_side_of_a_loop_in_every_unit(self):
        """P = M + h n on the line through both points: at a = (|d|^2 + 2^2 - 1.5^2)/(2 |d|) from (0, 1), h^2 = 4 - a^2."""
        d = math.sqrt(5)
        a = (5 + 4 - 2.25)/(2*d)
        h = math.sqrt(4 - a*a)
        for place, side in (("0.7*L, -0.9*L", -1), ("L, -0.5*L", -1), ("2*L, L", 1), ("1.8*L, 1.6*L", 1)):
            for unit in ("1", "1000", "1e-3"):
                x = self.first(FOUR_BAR.replace("PLACE", place), "--set", "L=" + unit)
                self.assertAlmostEqual(x["body.c.x"]/float(unit), (a*2 + side*h*1)/d, delta=1e-9)
                self.assertAlmostEqual(x["body.c.y"]/float(unit), 1 + (-a + side*h*2)/d, delta=1e-9)
                self.assertEqual(x["body.a.angle"], math.pi/2)  # given: it does not move

    def test_coordinate_of_a_joint_that_is_given_as_a_guess_chooses_the_side_of_a_loop(self):
        """P has the distances 3L from (cos 60, sin 60) L and 2L from (3L, 0)."""
        A, D = (0.5, math.sqrt(3)/2), (3, 0)
        d = math.dist(A, D)
        a = (d*d + 4 - 9)/(2*d)
        h = math.sqrt(4 - a*a)
        n = ((A[0] - D[0])/d, (A[1] - D[1])/d)
        angles = [math.atan2(a*n[1] + side*h*n[0], a*n[0] - side*h*n[1]) for side in (-1, 1)]
        for guess, angle in ((100, angles[0]), (60, angles[0]), (150, angles[0]), (-100, angles[1]), (-60, angles[1])):
            for unit in ("1", "1000", "1e-3"):
                x = self.first(BY_JOINTS.replace("GUESS", "%d deg" % guess), "--set", "L=" + unit)
                self.assertAlmostEqual(x["joint.r.angle"], angle, delta=1e-9)
                self.assertAlmostEqual(x["joint.p.angle"], math.pi/3, delta=1e-9)

    def test_guesses_of_coordinates_hold_where_nothing_closes_and_of_rates_there_are_none(self):
        open_ = BY_JOINTS.replace("GUESS", "0.3").replace("  s:", "  #:")
        x = self.first(open_)
        self.assertEqual([x["joint.r.angle"], x["joint.p.angle"]], [0.3, math.pi/3])
        self.expect(MODEL, "check", self.write(open_.replace("angle: 0.3", "angle_rate: 0.3")),
                    says=('joint "r"', '"angle_rate" cannot be a guess', "only angles and lengths"))
        self.expect(MODEL, "check", self.write(open_.replace("angle: 0.3, ", "")), says=('joint "r"', "says nothing"))

    def test_body_that_links_hold_starts_near_its_guess_and_what_is_placed_does_not_move(self):
        x = self.first(LINKS)
        self.assertEqual([x["body.frame." + axis] for axis in "xyz"], [0, 0, 0.5])
        self.assertLess(math.dist([x["body.knuckle." + axis] for axis in "xyz"], [0, 0.75, 0.3]), 0.05)

    def test_platform_is_assembled_above_or_below_its_base_as_it_is_guessed_and_nothing_is_undecided(self):
        span = 1.4**2 - 1.2**2 - 0.7**2 + 2*1.2*0.7*math.cos(math.radians(40))  # of leg and radii, 40 deg apart
        for z in (1.2, 1.1, -1.1):
            done = self.expect(DONE, "run", self.write(HEXAPOD), "--set", "z=%g" % z, "--only", "body.platform.?")
            self.assertNotIn("another way", done.err)
            self.assertAlmostEqual(self.table(done.out)[1][0][3], math.copysign(math.sqrt(span), z), delta=1e-9)

    def test_guesses_do_not_move_what_is_placed(self):
        x = self.first(HULL)
        self.assertEqual([x["body.hull.x"], x["body.hull.y"], x["body.hull.angle"]], [0.1, 0.95, 5*math.pi/180])
        self.assertLess(abs(x["body.rocker.angle"] - math.radians(60)), 0.6)

    def test_search_begins_without_guesses_that_lead_nowhere_and_says_so(self):
        unplaced = "\n".join(line.split(", position:")[0] + "}" if "free: true" in line else line for line in FAR.splitlines()) + "\n"
        for L in ("1", "1e-3"):
            done = self.expect(DONE, "run", self.write(FAR), "--quiet", "--set", "L=" + L)
            self.assertIn("from the guesses of where bodies are (`free: true`) no way was found", done.err)
            names, rows = self.table(done.out)
            x, plain = dict(zip(names, rows[0])), self.first(unplaced, "--set", "L=" + L)
            for name in ("body.b.x", "body.b.y", "body.b.z"):
                self.assertAlmostEqual(x[name]/float(L), plain[name]/float(L), delta=1e-9)
        apart = self.expect(MODEL, "run", self.write(FAR.replace("length: 0.5979*L", "length: 9*L"))).err
        self.assertNotIn("no way was found", apart)

    def test_guesses_that_are_turned_too_far_do_not_turn_joints_round(self):
        """A hinge and a slider behind a ball joint, guessed nearly upside down."""
        text = """\
crank: mechanism
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], orientation: {axis: [1, 0.2, 0], angle: 160 deg}, free: true}
  b: {mass: 1, inertia: [1, 1, 1], position: [0, 1, 2], free: true}
  c: {mass: 1, inertia: [1, 1, 1], position: [0, 1, 3], orientation: {axis: [0.3, 1, 0], angle: -150 deg}, free: true}
joints:
  hinge: {type: revolute, between: [ground, a], at: {first: [0, 0, 1], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}
  ball: {type: spherical, between: [a, b], at: {first: [1, 0, 0], second: [0, 0, 0]}}
  slide: {type: prismatic, between: [b, c], at: {first: [0, 0, 1], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}
simulate: {t_end: 1e-9, points: 1}
"""
        x = self.first(text)
        z = lambda q: (2*(q[1]*q[3] + q[0]*q[2]), 2*(q[2]*q[3] - q[0]*q[1]), q[0]**2 - q[1]**2 - q[2]**2 + q[3]**2)
        a, b, c = (z([x["body.%s.q%d" % (body, i)] for i in range(4)]) for body in "abc")
        self.assertAlmostEqual(a[2], 1, delta=1e-12)
        self.assertAlmostEqual(sum(i*j for i, j in zip(b, c)), 1, delta=1e-12)

    def test_orientation_that_is_given_holds_for_what_slides_along_it_or_is_welded_to_it(self):
        for turn in (20, 120, 170):
            half, length = math.radians(turn)/2, math.sqrt(1 + 4 + 0.25)
            q = [math.cos(half), *(math.sin(half)*a/length for a in (1, 2, 0.5))]
            x = self.first(LEG.replace("TURN", str(turn)))
            z = (2*(q[1]*q[3] + q[0]*q[2]), 2*(q[2]*q[3] - q[0]*q[1]), 1 - 2*(q[1]**2 + q[2]**2))
            for body, along in (("barrel", 0), ("rod", 1.5), ("cap", 2.5)):
                for i, c in enumerate("xyz"):
                    self.assertAlmostEqual(x["body.%s.%s" % (body, c)], (1, 2, 3)[i] + along*z[i], delta=1e-12)
                self.assertAlmostEqual(abs(sum(a*x["body.%s.q%d" % (body, i)] for i, a in enumerate(q))), 1, delta=1e-12)

    def test_velocities_that_are_given_stay_where_positions_had_to_be_corrected(self):
        x = self.first(HOOP)
        for name, value in (("wx", 0), ("wy", 6), ("wz", 0.3)):
            self.assertAlmostEqual(x["body.hoop." + name], value, delta=1e-14)
            self.assertAlmostEqual(x["body.bob." + name], value, delta=1e-14)
        self.assertNotEqual(x["body.hoop.z"], 0.3)

    def test_guess_behind_free_joints_counts_whatever_is_driven_elsewhere(self):
        text = """\
crank: mechanism
dimension: 2
bodies:
  t: {mass: 1, inertia: 0.1}
  a: {mass: 1, inertia: 0.1}
  b: {mass: 1, inertia: 0.1, position: [0.8, -0.6], free: [position]}
joints:
  s: {type: prismatic, between: [ground, t], at: {first: [0, 0], second: [0, 0]}, axis: [1, 0]DRIVE}
  p: {type: revolute, between: [t, a], at: {first: [0, 0], second: [0, 0]}}
  q: {type: revolute, between: [a, b], at: {first: [1, 0], second: [0, 0]}}
INITIALsimulate: {t_end: 1e-9, points: 1}
"""
        for drive, initial in (("", ""), (", drive: 0.2*t", ""), ("", "initial: {joints: {s: {length: 0}}}\n")):
            x = self.first(text.replace("DRIVE", drive).replace("INITIAL", initial))
            self.assertAlmostEqual(x["body.b.x"], 0.8, delta=1e-9)
            self.assertAlmostEqual(x["body.b.y"], -0.6, delta=1e-9)
        x = self.first(text.replace("DRIVE", "").replace("INITIAL", "initial: {joints: {s: {length: 0.1}, p: {angle: 0}, q: {angle: 0}}}\n"))
        self.assertAlmostEqual(x["body.b.x"], 1.1, delta=1e-9)  # nothing is left to guess

    def test_closer_guess_is_asked_for_where_there_is_one(self):
        text = FOUR_BAR.replace("PLACE", "1.35*L, 0.33*L").replace("simulate", "initial: {joints: {A: {angle: 90 deg}}}\nsimulate")
        for place, advice in ((", position: [1.35*L, 0.33*L], free: true", "give it a closer angle or position"),
                              ("", "give it an angle or a position, or a guess of one (`free: true`)")):
            said = self.expect(DONE, "init", self.write(text.replace(", position: [1.35*L, 0.33*L], free: true", place))).err
            if place or "another way" in said:
                self.assertIn(advice, said)

    def test_body_of_which_a_place_alone_is_known_is_turned_as_its_joints_meet_there(self):
        """rods of length 2: their centres of mass are elsewhere; nothing that is given moves where it fits"""
        text = """\
crank: mechanism
dimension: 2
bodies:
  rod: {mass: 1, inertia: 0.1, center: [0.5, 0], position: [1, 0], FREE}
  slider: {mass: 1, inertia: 0.1, position: [1, HEIGHT], FREE}
joints:
  pin: {type: revolute, between: [ground, rod], at: {first: [1, 0], second: [0, 0]}}
  eye: {type: revolute, between: [rod, slider], at: {first: [2, 0], second: [0, 0]}}
simulate: {t_end: 1e-9, points: 1}
"""
        for free, height, up in (("free: [angle]", 2, 1), ("free: [angle]", -2, -1), ("free: true", 1.9, 1), ("free: true", -1.9, -1)):
            x = self.first(text.replace("FREE", free).replace("HEIGHT", "%g" % height))
            for name, value in (("rod.x", 1), ("rod.y", 0), ("rod.angle", up*math.pi/2), ("slider.x", 1), ("slider.y", 2*up)):
                self.assertAlmostEqual(x["body." + name], value, delta=1e-9)

    def test_place_that_is_given_holds_with_the_angle_of_a_hinge_wherever_the_centre_of_mass_is(self):
        text = """\
crank: mechanism
DIMENSION
bodies:
  rod: {mass: 1, inertia: INERTIA, center: CENTRE, position: PLACE, free: [FREE]}
joints:
  pin: {type: revolute, between: [ground, rod], at: {first: PLACE, second: ORIGIN}AXIS}
initial: {joints: {pin: {angle: 90 deg}}}
simulate: {t_end: 1e-9, points: 1}
"""
        plane = {"DIMENSION": "dimension: 2", "INERTIA": "0.1", "CENTRE": "[0.5, 0]", "PLACE": "[1, 0]", "ORIGIN": "[0, 0]", "AXIS": "", "FREE": "angle"}
        space = {"DIMENSION": "gravity: [0, 0, 0]", "INERTIA": "[0.1, 0.1, 0.1]", "CENTRE": "[0.5, 0, 0]", "PLACE": "[1, 0, 0]", "ORIGIN": "[0, 0, 0]",
                 "AXIS": ", axis: {first: [0, 0, 1], second: [0, 0, 1]}", "FREE": "orientation"}
        for kind in (plane, space):
            mine = text
            for name, value in kind.items():
                mine = mine.replace(name, value)
            x = self.first(mine)
            for name, value in (("body.rod.x", 1), ("body.rod.y", 0), ("joint.pin.angle", math.pi/2)):
                self.assertAlmostEqual(x[name], value, delta=1e-12)

    def test_place_on_a_rope_is_the_nearest_wherever_the_way_to_it_led(self):
        """a boom is led up by 60 degrees; what hangs at its end comes to the rope from right below"""
        text = """\
crank: mechanism
bodies:
  boom: {mass: 4000, inertia: [200, 120000, 120000], center: [8, 0, 0], points: {tip: [20, 0, 0]}}
  hook: {type: point, mass: 250, position: [10, 0, -3]}
joints:
  foot: {type: revolute, between: [ground, boom], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
  rope: {type: distance, between: [boom, hook], at: {first: [20, 0, 0], second: [0, 0, 0]}, length: 21}
initial: {joints: {foot: {angle: -60 deg}}}
simulate: {t_end: 1e-9, points: 1}
"""
        x = self.first(text)
        self.assertAlmostEqual(x["body.hook.x"], 10, delta=1e-5)
        self.assertAlmostEqual(x["body.hook.z"], 20*math.sin(math.pi/3) - 21, delta=1e-5)


if __name__ == "__main__":
    main()
