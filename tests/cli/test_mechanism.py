"""Wrong mechanism files, one line each: exit status and what the message says; nothing is read and ignored."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import re

from command import DONE, FAILED, MODEL, USAGE, CommandTest, main

SPATIAL = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.5, 0, 0]}
  bar: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [1.5, 0, 0]}
joints:
  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
  elbow: {type: revolute, between: [rod, bar], at: [1, 0, 0], axis: [0, 1, 0]}
simulate: {t_end: 0.1}
"""
PLANAR = """\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1, position: [1, 0]}
joints:
  j: {type: revolute, between: [ground, a], at: [0, 0]}
  s: {type: prismatic, between: [a, b], at: [1, 0], axis: [1, 0]}
simulate: {t_end: 0.1}
"""
JOINTS = """\
crank: mechanism
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints:
  ball: {type: spherical, between: [ground, a], at: [0, 0, 0]}
  cylinder: {type: cylindrical, between: [a, b], at: [1, 0, 0], axis: [1, 0, 0]}
"""
DISC = """\
crank: mechanism
bodies:
  wheel: {mass: 1, shape: {cylinder: [1, 0.1]}, position: [0, 0, 1], orientation: {axis: [1, 0, 0], angle: 90 deg}}
joints:
  roll: {type: rolling_disc, between: [ground, wheel], radius: 1, axis: {first: [0, 0, 1], second: [0, 0, 1]},
         plane: {at: [0, 0, 0], normal: [0, 0, 1]}}
simulate: {t_end: 0.1}
"""
BAR = """\
crank: mechanism
dimension: 2
bodies: {a: {mass: 1, inertia: 1}}
"""
FREE = "crank: mechanism\nbodies: {a: {mass: 1, shape: {sphere: 1}}}\n"
SOLID = "mass: 1, inertia: [0.1, 0.1, 0.01]"
SPRING = "forces:\n  f: {type: spring, between: [ground, b], at: [[0, 0], [1, 0]], %s}\n"


def spatial(old, new):
    return change(SPATIAL, old, new)


def change(text, *pairs):
    for old, new in zip(pairs[::2], pairs[1::2]):
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def joint(text, base=PLANAR):
    return change(base, "joints:\n", f"joints:\n  new: {{{text}}}\n")


def force(text, base=PLANAR):
    return f"{base}forces:\n  f: {{{text}}}\n"


def output(text):
    return f"{PLANAR}outputs: {{y: {text}}}\n"


class WrongMechanism(CommandTest):
    """Each case: the model, then the texts that its message must contain."""

    def refuse(self, *cases):
        for text, *says in cases:
            with self.subTest(says=says):
                result = self.bad_model(text, says)
                self.assertEqual(result.err.count("\n"), 1, result.err)
                self.assertNotIn("nan", result.err)

    def accept(self, *cases):
        for text in cases:
            with self.subTest(text=text):
                self.run_model(text)

    # ---- bodies ----

    def test_body_is_refused(self):
        self.refuse(
            (spatial("mass: 1", "mass: -1"), "model.yaml:4:15:", 'body "rod"', "-1", "must not be negative"),
            (spatial("mass: 1", "mass: heavy"), "model.yaml:4:15:", '"heavy" is not defined'),
            (spatial("mass: 1", "mass: [1]"), "model.yaml:4:15:", "a list where a number is expected"),
            (spatial("mass: 1", "mass: t"), "model.yaml:4:15:", '"t" changes with time'),
            (spatial("mass: 1", "mas: 1"), 'model.yaml:4:9: body "rod": unknown key "mas"', '"mass"'),
            (spatial("mass: 1", "mass: 1, mass: 2"), '"mass" is given twice'),
            (spatial("mass: 1", "mass: 1e308"), "model.yaml:4:3:", "not finite"),
            (spatial("  bar:", "  rod:"), 'model.yaml:5:3: "rod" is given twice, first in line 4'),
            (spatial("  bar:", "  ground:"), "ground is the world"),
            (spatial("position: [0.5, 0, 0]", "position: [0.5, 0]"), "model.yaml:4:55:", "2 entries where 3"),
            (spatial("position: [0.5", "orientation: [0, 0, 0, 0], position: [0.5"), "the quaternion is zero"),
            (spatial("position: [0.5", "orientation: [1, 0, 0], position: [0.5"), "3 entries where 4"),
            (spatial("position: [0.5", "orientation: {axis: [0, 0, 0], angle: 1}, position: [0.5"), "axis is zero"),
            (spatial("position: [0.5", "fixed: [speed], position: [0.5"), '"speed" is not known', "velocity"),
            (spatial("position: [0.5", "fixed: true, free: [position], position: [0.5"), "at most one of"),
            (change(PLANAR, "position: [1, 0]", "position: [1, 0, 0]"), "model.yaml:5:38:", "3 entries where 2"),
            (change(PLANAR, "at: [0, 0]}", "at: [0, 0], axis: [0, 0, 1]}"), 'joint "j", axis: 3 entries where 2',
             "the model is planar; axes along z are left out"),
            (change(PLANAR, "position: [1, 0]", "orientation: [1, 0, 0, 0]"), 'unknown key "orientation"'),
            (FREE.replace("mass: 1, shape: {sphere: 1}", "type: point, mass: 1, shape: {sphere: 1}"), "for a point"),
            (FREE.replace("mass: 1, shape: {sphere: 1}", "type: point, mass: 1, fixed: [orientation]"), "for a point"),
        )

    def test_numbers_that_are_not_finite_are_refused(self):
        for value in (".nan", "nan", ".inf", "1e400", "1/0", "0/0", "log(-1)"):
            self.refuse((spatial("mass: 1", f"mass: {value}"), "model.yaml:4:15:", 'body "rod", mass', "not finite"))

    def test_inertia_is_refused(self):
        def inertia(text):
            return spatial(SOLID, f"mass: 1, {text}")
        self.refuse(
            (inertia("inertia: [0.1, 0.1, 1]"), "model.yaml:4:27:", 'body "rod"', "triangle inequality", "0.1 + 0.1 < 1"),
            (inertia("inertia: [-0.1, 0.1, 0.1]"), "principal moments", "must not be negative"),
            (inertia("inertia: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]"), "-1, 1, 3", "must not be negative"),
            (inertia("inertia: [[1, 2, 0], [0, 1, 0], [0, 0, 1]]"), "not symmetric: I_xy = 2 and I_yx = 0"),
            (inertia("inertia: {about: [9, 0, 0], tensor: [1, 1, 1]}"), "about the centre of mass", "-80"),
            (inertia("inertia: {about: [1e200, 0, 0], tensor: [1, 1, 1]}"), "not finite"),
            (inertia("inertia: {about: [1, 0, 0]}"), '"tensor" is missing'),
            (inertia("inertia: [1, 1]"), "[Ixx, Iyy, Izz]"),
            (inertia("position: [0, 0, 0]").replace(", position: [0.5, 0, 0]", "", 1), '"inertia" or "shape"', "point"),
            (inertia("shape: {sphere: 1}, inertia: [1, 1, 1]"), "one of them is enough"),
            (inertia("density: 2, shape: {sphere: 1}"), "one of them is enough"),
            (inertia("shape: {shpere: 1}"), 'unknown key "shpere"', '"sphere"'),
            (inertia("shape: {sphere: 1, rod: 1}"), "2 solids where one"),
            (inertia("shape: {sphere: -1}"), "must be positive"),
            (inertia("shape: {box: [1, 2]}"), "2 entries where 3"),
            (spatial(SOLID, "density: -2, shape: {sphere: 1}"), "density", "must not be negative"),
            (spatial(SOLID, "density: 2"), '"density" needs "shape"'),
            (change(BAR, "inertia: 1", "inertia: -1"), "must not be negative"),
            (change(BAR, "inertia: 1", "inertia: [1, 1, 1]"), "a list where a number"),
        )

    def test_massless_body_that_nothing_holds_is_named_with_its_direction(self):
        self.refuse((FREE.replace("mass: 1, shape: {sphere: 1}", ""), 'model.yaml:2:10: body "a"',
                     "translation along x is not determined", "give the body mass"))
        self.refuse((BAR + "forces: {f: {type: force, body: a, force: [1 + body.a.ax, 0]}}\n", "not determined"))

    # ---- the file ----

    def test_file_is_refused(self):
        self.refuse(
            ("crank: mechanism\n", "model.yaml:1:1: bodies: neither bodies nor dynamic variables"),
            ("crank: mechanism\nbodies:\n", "neither bodies nor dynamic variables"),
            ("crank: mechanism\nbodies: [a]\n", "model.yaml:2:9: bodies: a list where a mapping"),
            ("crank: mechanics\n", "model.yaml:1:8:", '"mechanism"'),
            (change(PLANAR, "dimension: 2", "dimension: 4"), "model.yaml:2:12: dimension: must be 2 or 3"),
            (spatial("gravity: [0, 0, -9.81]", "gravity: 9.81"), "model.yaml:2:10: gravity"),
            (FREE + "springs: {}\n", 'model.yaml:3:1: unknown key "springs"'),
            (FREE + FREE, "is given twice"),
            (FREE + "---\n" + FREE, "a second document"),
            ("crank: mechanism\nbodies:\n\ta: {mass: 1}\n", "model.yaml:3:1: YAML"),
            ("crank: mechanism\nbodies: &a {b: *a}\n", "contains itself"),
            ("crank: mechanism\nbodies: " + "[" * 100000, "nested more than 64 levels"),
            ("crank: mechanism\nbodies: {[a]: 1}\n", "a list as the key"),
            (b"crank: mechanism\nbodies: {a\xff: 1}\n", "not a text file in UTF-8"),
            (b"crank: mechanism\n\0", "zero bytes"),
            (FREE + "energy: maybe\n", "model.yaml:3:9: energy: must be true or false"),
            (FREE + "reactions: body\n", "known are world, joint"),
        )

    def test_names_are_refused(self):
        for name in ('a b', 'a.b', '1a', 'ä', '"a\\nb"', '"a,b"', "'a\"b'", '"}"', '""', '"%s%n"', '"\\e[31m"'):
            self.refuse((FREE.replace("{a:", f"{{{name}:"), "model.yaml:2:10: body", "not a name"),
                        (FREE + f"outputs: {{{name}: 1}}\n", "model.yaml:3:11: output", "not a name"),
                        (FREE + f"parameters: {{{name}: 1}}\n", "model.yaml:3:14: parameter", "not a name"))
        self.refuse((FREE.replace("{a:", '{"{":'), '"{" without "}"'),
                    (FREE + "outputs: {t: 1}\n", "reserved"),
                    (FREE + "parameters: {pi: 1}\n", "reserved"),
                    (FREE + "parameters: {p: 1}\noutputs: {p: 1}\n", "model.yaml:4:11:", "given twice, first in line 3"))

    def test_simulate_is_refused(self):
        self.refuse(
            (FREE + "simulate: {t_start: 2, t_end: 1}\n", "model.yaml:3:31: simulate: t_end = 1 lies before t_start"),
            (FREE + "simulate: {t_ned: 1}\n", '"t_ned"', '"t_end"'),
            (FREE + "simulate: {t_end: t}\n", '"t" changes with time'),
            (FREE + "simulate: {every: -1}\n", "model.yaml:3:19:", "must be positive"),
            (FREE + "simulate: {singular: maybe}\n", "model.yaml:3:", "stop|pass"),
            (FREE + "simulate: {method: geoms}\n", "model.yaml:3:20:", "mechanisms carry their accelerations"),
            (FREE + "simulate: {accelerations: eliminate}\n", "model.yaml:3:", "mechanisms carry their accelerations"),
        )

    def test_parameters_are_refused(self):
        self.refuse(
            (FREE + "parameters: {u: v, v: u}\n", "model.yaml:3:14:", "cyclic definition: u -> v -> u"),
            (FREE + "parameters: {u: w}\n", '"w" is not defined'),
            (FREE + "parameters: {u: 1/0}\n", "not finite"),
            (FREE + "parameters: {mass_1: 1, u: mass1}\n", 'did you mean "mass_1"?'),
            (FREE + "inputs: {u: body.a.x}\n", "changes with time"),
            (FREE + "parameters: {u: 1}\ninputs: {u: 1}\n", "given twice, first as a parameter in line 3"),
        )

    # ---- joints ----

    def test_joint_is_refused(self):
        self.refuse(
            (spatial("[rod, bar]", "[rod, bra]"), "model.yaml:8:42:", 'joint "elbow"', 'no body "bra"', '"bar"?'),
            (spatial("[rod, bar]", "[rod, wheel]"), 'no body "wheel"', "known are ground, rod, bar"),
            (spatial("[rod, bar]", "[rod, rod]"), "model.yaml:8:36:", 'both ends are on body "rod"', "two different"),
            (spatial("[rod, bar]", "[ground, ground]"), 'both ends are on body "ground"'),
            (spatial("[rod, bar]", "[rod]"), "1 entries where 2"),
            (spatial("between: [rod, bar], ", ""), 'model.yaml:8:3: joint "elbow": "between" is missing'),
            (spatial("axis: [0, 1, 0]", "axis: [0, 0, 0]"), "model.yaml:7:72:", 'joint "hinge"', "zero"),
            (spatial("axis: [0, 1, 0]", "axis: [0, 1 - 1, 0]"), "model.yaml:7:72:", "zero"),
            (spatial(", axis: [0, 1, 0]", ""), 'joint "hinge"', "`axis` is missing"),
            (spatial("axis:", "axes:"), 'unknown key "axes"', '"axis"'),
            (spatial("revolute", "revolut"), 'type "revolut" is not known', '"revolute"'),
            (spatial("type: revolute, ", ""), '"type" is missing'),
            (spatial("  elbow:", "  hinge:"), '"hinge" is given twice'),
            (change(PLANAR, "revolute", "spherical"), "for models of dimension 3 only"),
            (joint("type: gear, joints: [j, s], ratio: 2"), 'joint "s" (prismatic) has no coordinate "angle"', "length"),
            (joint("type: gear, joints: [ball, cylinder], ratio: 2", JOINTS), '"ball" (spherical) has no coordinate'),
            (joint("type: gear, joints: [j, j], ratio: 2"), "two different joints"),
            (joint("type: gear, joints: [jj, s], ratio: 2"), 'no joint "jj"', '"j"'),
            (joint("type: rack_and_pinion, joints: [j, s], radius: 0"), "must not be zero"),
            (joint("type: coupler, joints: [j, s], factors: [1]"), "each joint needs one"),
            (joint("type: coupler, joints: [ball], factors: [1]", JOINTS), "has no coordinate"),
            (joint("type: distance, between: [ground, a], at: [[0, 0], [0, 0]]"), "must be positive", "use revolute"),
            (joint("type: universal, between: [ground, b], at: [1, 0, 0], axes: [[1, 0, 0], [1, 1, 0]]", JOINTS),
             "must be perpendicular", "[0, 1, 0] is perpendicular"),
            (joint("type: universal, between: [ground, b], at: [1, 0, 0], axes: {first: [1, 0, 0], second: [2, 0, 0]}", JOINTS),
             "by two directions of the world"),
            (joint("type: skate, between: [ground, b], axis: [0, 0, 1], plane: {at: [0, 0, 0], normal: [0, 0, 1]}",
                   JOINTS), "normal to the plane"),
            (joint("type: curve, between: [ground, b], curve: [1, 0], start: 0"), "tangent vanishes"),
            (joint("type: curve, between: [ground, b], curve: [s, sqrt(s - 1)], start: 0"), "model.yaml:7:3:", "not finite"),
            (joint("type: profile, between: [ground, b], profiles: [[s1, 0], [s2]], start: [0, 0]"), "1 entries where 2"),
        )

    def test_drive_is_refused(self):
        driven = change(PLANAR, "at: [0, 0]}", "at: [0, 0], drive: t}")
        self.refuse(
            (joint("type: driver, of: joint.j.angle, is: 2*t", driven), 'joint "new"', 'joint "j"', "contradict"),
            (joint("type: driver, of: joint.j.angle, is: 2*t + 1", driven), "an angle of 1 rad"),
            (joint("type: driver, of: body.a.x, is: sin(t)"), 'joint "new"', 'joint "j"', "contradict"),
            (joint("type: driver, of: body.a.x, is: 1"), "stays open by 1"),
            (joint("type: driver, of: body.b.vx, is: t"), 'contains "body.b.vx", a velocity'),
            (joint("type: driver, of: t, is: t"), "contains no position"),
            (joint("type: driver, of: body.b.x"), "one of `is` and `table`"),
            (joint("type: driver, of: joint.new.angle, is: t"), "defined in a circle"),
            (change(PLANAR, "at: [0, 0]}", "at: [0, 0], drive: sqrt(t)}"), "model.yaml:7:3:", 'joint "j"', "not finite"),
        )
        for text in ("type: driver, of: joint.j.angle", "type: point_driver, body: b, along: [0, 1]"):
            text = joint(f"{text}, table: [[0, 0], [0.05, 0.1]]")
            self.expect(DONE, "run", self.write(text), says=('joint "new"', "goes from 0 to 0.05 only"))

    def test_rolling_disc_is_refused(self):
        self.refuse(
            (change(DISC, "angle: 90 deg", "angle: 0"), "model.yaml:5:", 'joint "roll"', "lies flat"),
            (change(DISC, "position: [0, 0, 1]", "position: [0, 0, -1]"), "height -1", "turn the normal"),
            (change(DISC, "position: [0, 0, 1]", "fixed: true, position: [0, 0, 5]"), "body.wheel.z", "contradicts"),
            (change(DISC, "position: [0, 0, 1]", "position: [0, 0, 5]"), 'body "wheel" would move by 4'),
            (change(DISC, "radius: 1", "radius: 0"), "must be positive"),
            (change(DISC, "normal: [0, 0, 1]", "normal: [0, 0, 0]"), "is zero"),
        )

    def test_rolling_disc_slightly_above_the_plane_is_put_down(self):
        names, rows = self.table(self.expect(DONE, "run", self.write(change(DISC, "position: [0, 0, 1]",
                                                                           "position: [0, 0, 1.2]"))).out)
        self.assertAlmostEqual(rows[0][names.index("body.wheel.z")], 1.0, 12)

    def test_loop_that_cannot_close_is_told_with_joint_and_distance(self):
        text = """\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, shape: {rod: 1}, position: [0, 0.5], angle: 90 deg}
  b: {mass: 1, shape: {rod: 1}, position: [0.5, 1]}
  c: {mass: 1, shape: {rod: 1}, position: [5, 0.5], angle: 90 deg}
joints:
  j1: {type: revolute, between: [ground, a], at: {first: [0, 0], second: [-0.5, 0]}}
  j2: {type: revolute, between: [a, b], at: {first: [0.5, 0], second: [-0.5, 0]}}
  j3: {type: revolute, between: [b, c], at: {first: [0.5, 0], second: [0.5, 0]}}
  j4: {type: revolute, between: [c, ground], at: {first: [-0.5, 0], second: [5, 0]}}
"""
        for command in ("run", "check", "init"):  # three links of length 1, the ends 5 apart
            self.expect(MODEL, command, self.write(text),
                        says=("model.yaml:10:3:", 'joint "j3" cannot be closed', "stays open by 2 "))

    def test_axes_that_cannot_align_are_told_with_joint_and_angle(self):
        text = """\
crank: mechanism
bodies:
  a: {mass: 1, shape: {box: [1, 1, 1]}, position: [0, 0, 0.5]}
  b: {mass: 1, shape: {box: [1, 1, 1]}, position: [0.5, 0, 1]}
joints:
  j1: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  j2: {type: revolute, between: [a, b], at: [0, 0, 1], axis: [0, 1, 0]}
  j3: {type: revolute, between: [b, ground], at: [1, 0, 1], axis: {first: [0, 1, 0], second: [0, 1, 1]}}
"""
        self.refuse((text, "model.yaml:", "cannot be closed", "an angle of 0.785 rad"),
                    (text.replace("second: [0, 1, 1]", "second: [0, -1, 0]"), "model.yaml:8:", "180 deg apart",
                     "reverse one of the axes"))

    def test_fixed_start_values_that_a_joint_contradicts_are_told(self):
        pin = "joints: {pin: {type: revolute, between: [ground, a], at: {first: [0, 0], second: [0, 0]}}}\n"
        self.refuse((change(BAR, "inertia: 1", "inertia: 1, position: [1, 0], fixed: true") + pin,
                     "model.yaml:3:10:", "body.a.x", 'joint "pin"', "preferred or free"),
                    (change(BAR, "inertia: 1", "inertia: 1, velocity: [1, 0], fixed: [velocity]") + pin, "body.a.vx"))

    def test_bodies_placed_nowhere_follow_those_that_are_given_and_leave_them_as_they_are(self):
        names, rows = self.run_model("""\
crank: mechanism
dimension: 2
bodies:
  crank: {mass: 1, shape: {rod: 1}, position: [0, 0.5], angle: 90 deg, rate: 10}
  coupler: {mass: 1, shape: {rod: 3}}
  rocker: {mass: 1, shape: {rod: 2}}
joints:
  A: {type: revolute, between: [ground, crank], at: [0, 0]}
  B: {type: revolute, between: [crank, coupler], at: {first: [0.5, 0], second: [-1.5, 0]}}
  C: {type: revolute, between: [coupler, rocker], at: {first: [1.5, 0], second: [1, 0]}}
  D: {type: revolute, between: [rocker, ground], at: {first: [-1, 0], second: [3, 0]}}
outputs: {end_x: body.rocker.x - cos(body.rocker.angle), end_y: body.rocker.y - sin(body.rocker.angle)}
simulate: {t_end: 0}
""")
        start = dict(zip(names, rows[0]))
        for name, value in (("body.crank.x", 0), ("body.crank.y", 0.5), ("body.crank.rate", 10),
                            ("body.crank.angle", 1.5707963267948966), ("body.crank.vx", -5)):
            self.assertEqual(float(start[name]), value, name)
        self.assertAlmostEqual(float(start["end_x"]), 3, delta=1e-12)
        self.assertAlmostEqual(float(start["end_y"]), 0, delta=1e-12)

    def test_disc_that_falls_flat_is_told_by_its_joint(self):
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies: {w: {mass: 1, shape: {cylinder: [0.3, 0.05]}, position: [0, 0, 0.3],
             orientation: {axis: [1, 0, 0], angle: 90 deg}, angular_velocity: [0.1, 0, 0]}}
joints: {r: {type: rolling_disc, between: [ground, w], radius: 0.3, axis: [0, 1, 0],
             plane: {at: [0, 0, 0], normal: [0, 0, 1]}}}
simulate: {t_end: 10}
"""
        for kind in ("dense", "sparse"):
            self.expect(FAILED, "run", self.write(text), "--option", f"linear_algebra={kind}", "--out", "o.csv",
                        says=('stopped at t = 1.0042', 'joint "r"', "from a singular position: the wheel lies flat"))

    def test_a_driven_wheel_keeps_its_drive_and_others_roll(self):
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  hub: {mass: 300, inertia: [10, 10, 10], position: [0, 0, 0.28], velocity: [20, 0, 0]}
  w1: {mass: 20, inertia: [0.6, 1, 0.6], position: [0, 0.5, 0.28]}
  w2: {mass: 20, inertia: [0.6, 1, 0.6], position: [0, -0.5, 0.28]}
joints:
  keep: {type: prismatic, between: [ground, hub], at: [0, 0, 0.28], axis: [1, 0, 0]}
  a1: {type: revolute, between: [hub, w1], at: [0, 0.5, 0.28], axis: [0, 1, 0]}
  a2: {type: revolute, between: [hub, w2], at: [0, -0.5, 0.28], axis: [0, 1, 0], drive: 30*t}
forces:
"""
        text += "".join("  t%d: {type: tyre, body: w%d, stiffness: 2e5, damping: 300, radius: 0.29, axis: [0, 1, 0], friction: 1, cornering: 14, "
                        "traction: 18, relaxation: 0.4}\n" % (i, i) for i in (1, 2)) + "simulate: {t_end: 0.01, points: 1}\n"
        names, rows = self.table(self.expect(DONE, "run", self.write(text), "--quiet").out)
        self.assertAlmostEqual(rows[0][names.index("body.w1.wy")], 20/0.28, delta=1e-8)
        self.assertAlmostEqual(rows[0][names.index("body.w2.wy")], 30, delta=1e-8)

    def test_singular_position_is_told_by_the_joints_that_hold_each_other_there(self):
        """A slider that is driven to the dead centre of its crank; what swings beside it takes no part, wherever the file has it."""
        beside = "  a%d: {type: revolute, between: [ground, b%d], at: [2, 0]}\n"
        text = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 0.01, position: [0, 0], angle: 60 deg}
  rod: {mass: 1, inertia: 0.1}
  slider: {mass: 1, inertia: 0.1, position: [1.2, 0]}
  b1: {mass: 1, inertia: 0.1, position: [2, 0.5]}
  b2: {mass: 1, inertia: 0.1, position: [2, 0.5]}
joints:
""" + beside % (1, 1) + """\
  shaft: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [0, 0]}}
  pin: {type: revolute, between: [crank, rod], at: {first: [0.4, 0], second: [0, 0]}}
  end: {type: revolute, between: [rod, slider], at: {first: [1, 0], second: [0, 0]}}
  guide: {type: prismatic, between: [ground, slider], at: {first: [0, 0], second: [0, 0]}, axis: [1, 0]}
  push: {type: driver, of: body.slider.x, is: 1.14 + 0.2*t}
""" + beside % (2, 2) + "simulate: {t_end: 3}\n"
        for method, coordinates in (("auto", "absolute"), ("psf-radau", "absolute"), ("index2-radau", "absolute"), ("auto", "joint")):
            with self.subTest(method=method, coordinates=coordinates):
                err = self.expect(FAILED, "run", self.write(text), "--method", method, "--coordinates", coordinates, "--quiet").err
                named = err.split("drops at ")[1].split("(")[0]
                self.assertIn('"push"', named)
                self.assertNotIn('"a1"', named)
                self.assertNotIn('"a2"', named)

    def test_constraints_by_expressions_that_lose_rank_are_not_called_joints(self):
        text = """\
crank: mechanism
dimension: 2
bodies: {a: {type: point, mass: 1, position: [1, 0]}}
holonomic: {ring: body.a.x^2 + body.a.y^2 - 1, lead: body.a.y - t}
simulate: {t_end: 2}
"""
        err = self.expect(FAILED, "run", self.write(text), "--quiet").err
        named = err.split("drops at ")[1].split("(")[0]
        self.assertIn('holonomic "', named)
        self.assertNotIn("joint", named)

    def test_level_four_bar_is_a_singular_start(self):
        text = """\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, shape: {rod: 1}, position: [0.5, 0]}
  b: {mass: 1, shape: {rod: 1}, position: [1.5, 0]}
  c: {mass: 1, shape: {rod: 1}, position: [1.5, 0]}
joints:
  j1: {type: revolute, between: [ground, a], at: [0, 0]}
  j2: {type: revolute, between: [a, b], at: [1, 0]}
  j3: {type: revolute, between: [b, c], at: [2, 0]}
  j4: {type: revolute, between: [c, ground], at: [1, 0]}
"""
        self.refuse((text, "singular position", 'joint "j', "start elsewhere"))
        result = self.expect(MODEL, "check", self.write(text))
        self.assertIn("the start is a singular position", result.out)

    # ---- constraints and variables ----

    def test_constraint_is_refused(self):
        def holonomic(text):
            return f"{PLANAR}holonomic: {{c: {text}}}\n"

        def nonholonomic(text):
            return f"{PLANAR}nonholonomic: {{c: {text}}}\n"
        self.refuse(
            (holonomic("body.b.vx"), "model.yaml:10:", 'holonomic "c"', 'contains "body.b.vx", a velocity', "nonholonomic"),
            (holonomic("joint.j.angle_rate"), 'contains "joint.j.angle_rate", a velocity'),
            (holonomic("body.b.ax"), 'contains "body.b.ax", an acceleration'),
            (holonomic("0"), "contains no position"),
            (holonomic("body.b.x = 1"), "write a - b"),
            (holonomic("body.b.x == 1"), "a comparison is no constraint"),
            (holonomic("log(body.a.x)"), "model.yaml:10:", 'holonomic "c"', "not finite"),
            (holonomic("boddy.a.x"), 'did you mean "body.a.x"?'),
            (BAR + "holonomic: {p: body.a.x, q: body.a.x - 1}\n", 'holonomic "q" cannot be closed', "by 1 "),
            (nonholonomic("body.b.x"), "contains no velocity"),
            (nonholonomic("body.b.vx^2"), "not affine"),
            (nonholonomic("body.b.ax"), 'contains "body.b.ax", an acceleration'),
            (nonholonomic("body.a.vx - 1"), 'nonholonomic "c"', 'joint "j"', "contradict"),
        )

    def test_variable_is_refused(self):
        self.refuse(
            (PLANAR + "dynamic: {r: {start: 1}}\n", 'dynamic "r": "rate" is missing'),
            (PLANAR + "dynamic: {r: {rate: 1/r}}\n", "model.yaml:10:", "not finite"),
            (PLANAR + "dynamic: {r: {rate: 1, fixed: true, free: true}}\n", "at most one of"),
            (PLANAR + "dynamic: {r: {rate: 1}}\nauxiliary: {r: {equation: r}}\n", "given twice"),
            (PLANAR + "auxiliary: {w: {equation: w^2 + 1}}\n", 'auxiliary "w" cannot be satisfied'),
            (PLANAR + "auxiliary: {w: {start: 1}}\n", '"equation" is missing'),
        )

    def test_expression_is_refused(self):
        self.refuse(
            (output("body.c.x"), 'model.yaml:10:14: output "y": there is no body "c"', "known are a, b"),
            (output("body.a.xx"), 'no quantity "xx"', 'did you mean "x"?'),
            (output("body.a.z"), 'no quantity "z"', "it has x, y, angle"),
            (output("q") + "let:\n  q: 3*w\n  w: 2*body.a.rpm\n", 'model.yaml:13:6: let "w": body "a" has no quantity "rpm"'),
            (output("body.a"), "names no quantity"),
            (output("j.angle"), '"j.angle" is not defined; did you mean "joint.j.angle"?'),
            (output("b.tip.x"), '"b.tip.x" is not defined; did you mean "body.b.tip.x"?'),
            (output("joint.j.length"), 'joint "j" has no quantity "length"',
             "it has angle, angle_rate, angle_acceleration, fx, fy, tz"),
            (output("joint.j.fz"), 'joint "j" has no quantity "fz"; it has angle'),
            (output("joint.j.angle_accel"), 'it has angle, angle_rate, angle_acceleration'),
            (output("joint.j.angle_accelration"), 'did you mean "angle_acceleration"?'),
            (output("body.a.tip.x"), "none of its `points` has this name"),
            (output("30 + 10 deg"), "30 stands in a sum with an angle in degrees", "write 30 deg"),
            (output("30 kg"), 'before "kg"'),
            (output("sinn(1)"), '"sinn"', '"sin"'),
            (output("[1, 2]"), "a list where an expression"),
            (output("'body.b{1/2}.x'"), "{1/2} is 0.5, no whole number"),
            (output("'body.b{0/0}.x'"), "{0/0} is not finite"),
            (output("(" * 3000 + "1" + ")" * 3000), "nested deeper"),
            (output('"a\\0b"'), "zero character"),
        )

    # ---- forces ----

    def test_force_is_refused(self):
        self.refuse(
            (force("type: force, body: a, force: [1]"), "model.yaml:11:", 'force "f"', "1 components where 2"),
            (force("type: force, body: a, force: [1/body.a.x, 0]"), "model.yaml:11:3:", 'force "f"', "not finite"),
            (force("type: force, body: ground, force: [1, 0]"), "no effect"),
            (force("type: force, body: a, force: [0, 0], axes: wrold"), '"world"'),
            (force("type: force, body: a, force: [force.f.force, 0]"), "in a circle"),
            (force("type: spring, between: [ground, a], at: [[1, 0], [0, 0]]"), '"stiffness", "law", "table"'),
            (force("type: spring, between: [ground, a], at: [[1, 0], [0, 0]], law: lenght"), '"length"'),
            (force("type: spring, between: [ground, a], at: [[1, 0], [0, 0]], law: length, length: 2"), "only for"),
            (force("type: torsion, joint: ball, stiffness: 1", JOINTS), '"ball" (spherical) has no coordinate'),
            (force("type: torsion, joint: s, stiffness: 1"), "not an angle"),
            (force("type: friction, joint: ball, level: 1, slip: 0.1", JOINTS), '"ball" (spherical) has no coordinate'),
            (force("type: friction, joint: cylinder, level: 1, slip: 0.1", JOINTS), '"angle", "length"', "chooses one"),
            (force("type: friction, joint: cylinder, coordinate: angle1, level: 1, slip: 0.1", JOINTS),
             'no coordinate "angle1"', 'it has "angle", "length"'),
            (force("type: friction, joint: j, level: 1, slip: 0"), "more than zero"),
            (force("type: bushing, between: [a, b], at: [0, 0], stiffness: [1, 2]"), "2 entries where 3"),
            (force("type: bushing, between: [a, b], at: [0, 0], stiffness: [1, 2, 3], orientation: [1, 0, 0, 0]"),
             "a list where an angle is expected"),
            (force("type: torque, body: a, torque: [1], axes: body"), '"axes" is only for models of dimension 3'),
            (force("type: tyre, body: a, stiffness: 1, lift: false, smoothing: 1"), "lift: true"),
            (force("type: actuator, joint: j, command: 1, kp: 2"), '"reference"'),
            (force("type: actuator, joint: j, kp: 2, reference: boom.csv"), '"boom.csv" is not defined\n'),
        )

    def test_rotors_move_alike_in_all_units(self):
        said = []
        for L, M, T in ((1, 1, 1), (1000.0, 1e3, 1e3), (1e-3, 1e-3, 1 / 3600), (1e6, 1, 1e3)):
            J, F = M * L * L, M * L / T**2
            model = self.write(f"""crank: mechanism
gravity: [0, 0, {-9.81 * L / T**2!r}]
bodies:
  a: {{mass: {M!r}, inertia: [{0.1 * J!r}, {0.2 * J!r}, {0.3 * J!r}], position: [{0.5 * L!r}, 0, 0]}}
  b: {{mass: {2 * M!r}, inertia: [{0.2 * J!r}, {0.1 * J!r}, {0.15 * J!r}], position: [{1.2 * L!r}, 0, {0.1 * L!r}]}}
joints:
  h: {{type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], rotor: {{inertia: {0.03 * J!r}, ratio: 8}}}}
  k: {{type: cylindrical, between: [a, b], at: [{L!r}, 0, 0], axis: [1, 2, 0], rotor_angle: {0.2 * J!r}, rotor_length: {5 * M!r}}}
simulate:
  t_end: {2 * T!r}
  atol: {{length: {1e-6 * L!r}, angle: 1e-6, speed: {1e-6 * L / T!r}, spin: {1e-6 / T!r}, force: {1e-6 * F!r}, torque: {1e-6 * F * L!r}}}
""")
            for method in ("psf-radau", "psf-bdf", "ode-dopri8"):
                said.append(re.search("steps .*", self.expect(DONE, "run", model, "--method", method, "--out", "a.csv").err)[0])
        self.assertEqual(said, said[:3] * 4)

    def test_drive_that_jumps_on_the_way_stops_the_run_and_one_with_a_kink_does_not(self):
        hinge = FREE + ("joints: {j: {type: revolute, between: [ground, a], at: [1, 0, 0], axis: [0, 0, 1], "
                        'drive: "%s"}}\n')
        self.write(hinge % "if(t < 0.05, 0, 1)")
        self.expect(FAILED, "run", "model.yaml", "--out", "o.csv", says="not continuous")
        self.accept(hinge % "max(0, t - 0.05)")

    def test_force_that_is_not_finite_on_the_way_stops_the_run(self):
        text = force("type: force, body: b, force: [log(0.05 - t), 0]")
        self.expect(FAILED, "run", self.write(text), says='force "f": a value is not finite')

    def test_torsional_spring_at_its_pole_ends_a_run_by_name_whatever_the_method(self):
        # It swings by half a turn across the spring's axis, to which the damper leads it in finite time. Not by ude, whose
        # quaternions lose their norm next to the pole, of which it warns.
        self.write(change(FREE, "shape: {sphere: 1}", "inertia: [1, 1.2, 0.9], angular_velocity: [3, 0.5, 0.2]") +
                   "forces:\n  f: {type: torsion, between: [ground, a], axis: [0, 0, 1], stiffness: 1, damping: 1}\n"
                   "simulate: {t_end: 3}\n")
        for method in ("psf-radau", "ggl-radau", "auto", "psf-bdf", "ggl-bdf", "index1-radau", "psf-sdirk2"):
            for tol in ("1e-3", "1e-6", "1e-9"):
                with self.subTest(method=method, tol=tol):
                    said = self.expect(FAILED, "run", "model.yaml", "--method", method, "--rtol", tol, "--atol", tol,
                                       "--out", "a.csv").err
                    self.assertRegex(said, r'stopped at t = 1\.0\d+: force "f": at t = 1\.0\d+ the motion '
                                           r'(reaches|is led across) half a turn across its axis, where its angle has no value')
                    self.assertNotIn("loosen", said)

    def test_rotor_with_inertia_about_its_axis_alone_needs_a_bearing(self):
        rotor = ("crank: mechanism\nbodies: {r: {mass: 1, inertia: [0.02, 0, 0]}}\n"
                 "joints: {b: {type: %s, between: [ground, r], at: [0, 0, 0]%s}}\n")
        self.accept(rotor % ("revolute", ", axis: [1, 0, 0]"))
        self.expect(MODEL, "run", self.write(rotor % ("spherical", "")), "--out", "o.csv",
                    says='body "r": rotation about y is not determined')

    def test_bushing_that_turns_by_half_a_turn_is_named_by_every_method(self):
        self.write(change(FREE, "shape: {sphere: 1}", "inertia: [1, 1.5, 2], angular_velocity: [6, 0.3, -0.2]") +
                   "forces:\n  f: {type: bushing, between: [ground, a], at: [0.1, 0, 0], "
                   "stiffness: [100, 80, 120, 3, 4, 5]}\n"
                   "simulate: {t_end: 3, rtol: 1e-6, atol: 1e-6}\n")
        for method in ("psf-radau", "peom1-radau", "psf-bdf", "ggl-bdf", "psf-sdirk2", "ode-dopri8", "ode-dopri5", "ode-adams",
                       "auto"):
            with self.subTest(method=method):
                said = self.expect(FAILED, "run", "model.yaml", "--method", method, "--out", "a.csv").err
                self.assertRegex(said, r'stopped at t = 0\.\d+: force "f": .* half a turn of its ends against each other')

    def test_a_wheel_that_cannot_turn_is_warned_of(self):
        text = ("crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n  hub: {mass: 20, inertia: [1, 1, 1], position: [0, 0, 0.3]}\n"
                "joints:\n  post: {type: %s, between: [ground, hub], at: [0, 0, 0.3], axis: [0, 1, 0]}\nforces:\n"
                "  t: {type: tyre, body: hub, radius: 0.3, stiffness: 2e5, axis: [0, 1, 0], friction: 1, cornering: 14, %srelaxation: 0.5}\n")
        warning = 'force "t": body "hub" has no hinge to turn as a wheel'
        self.expect(DONE, "check", self.write(text % ("prismatic", "traction: 18, ")), says=warning)
        for kind, traction in (("revolute", "traction: 18, "), ("prismatic", "")):
            self.assertNotIn(warning, self.expect(DONE, "check", self.write(text % (kind, traction))).err)

    def test_a_tyre_on_what_carries_the_wheel_is_warned_of(self):
        """The knuckle has the wheel's hinge, too, but other joints hold it; a wheel with a disc, or a frame on one wheel, is none."""
        def model(tyre_on, post="prismatic", more=""):
            return ("crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n  knuckle: {mass: 20, inertia: [1, 1, 1], position: [0, 0, 0.3]}\n"
                    "  wheel: {mass: 20, inertia: [0.6, 1, 0.6], position: [0, 0, 0.3]}\n  disc: {mass: 5, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.3]}\njoints:\n"
                    f"  post: {{type: {post}, between: [ground, knuckle], at: [0, 0, 0.3], axis: [0, 0, 1]}}\n"
                    "  hub: {type: revolute, between: [knuckle, wheel], at: [0, 0, 0.3], axis: [0, 1, 0]}\n"
                    f"  bolts: {{type: fixed, between: [wheel, disc], at: [0, 0, 0.3]}}\nforces:\n  t: {{type: tyre, body: {tyre_on}, radius: 0.3, stiffness: 2e5, "
                    "axis: [0, 1, 0], friction: 1, cornering: 14, traction: 18, relaxation: 0.5}\n")
        warning = 'force "t": body "knuckle" is held by other joints and does not turn as a wheel, which is locked then; "body: wheel"'
        self.expect(DONE, "check", self.write(model("knuckle")), says=warning)
        self.assertNotIn("turn as a wheel", self.expect(DONE, "check", self.write(model("wheel"))).err)

    def test_a_damper_of_zero_is_a_damper(self):
        for d, end in (("0", 10), ("1", 10*math.exp(-1))):
            names, rows = self.run_model("crank: mechanism\ndimension: 2\nparameters: {d: 1}\nbodies: {wheel: {mass: 1, inertia: 1, position: [0, 0], rate: 10}}\n"
                                         "joints: {hub: {type: revolute, between: [ground, wheel], at: [0, 0]}}\n"
                                         "forces: {drag: {type: torsion, joint: hub, damping: d}}\nsimulate: {t_end: 1, points: 1}\n",
                                         "--set", "d=" + d, "--rtol", "1e-10", "--atol", "1e-10")
            self.assertAlmostEqual(rows[-1][names.index("body.wheel.rate")], end, delta=1e-8)

    WHEEL = ("crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  hub: {mass: 300, inertia: [10, 10, 10], position: [0, 0, 0.3], velocity: [8, 0, 0]}\n"
             "  wheel: {mass: 20, inertia: [0.6, 1, 0.6], position: [0, 0, 0.3]%s}\n"
             "joints:\n  keep: {type: parallel_axes, between: [ground, hub], axis: [0, 1, 0]}\n"
             "  axle: {type: revolute, between: [hub, wheel], at: [0, 0, 0.3], axis: [0, 1, 0]%s}\nforces:\n"
             "  t: {type: tyre, body: wheel, radius: 0.32, stiffness: 2e5, axis: %s, friction: 1, cornering: 14, traction: 18, relaxation: 0.5}\n"
             "  hold: {type: torsion, between: [ground, hub], axis: [0, 1, 0], stiffness: 1e5, damping: 1e3}\n"
             "simulate: {t_end: 0.01, points: 2}\n")

    def test_wheels_on_tyres_start_rolling_where_nothing_gives_their_spin(self):
        for spin, drive, rate in (("", "", 8/0.3), (", angular_velocity: [0, 3, 0]", "", 3), (", angular_velocity: [0, 0, 0]", "", 0), ("", ", drive: 5*t", 5)):
            for coordinates in ("absolute", "joint"):
                names, rows = self.run_model(self.WHEEL % (spin, drive, "[0, 1, 0]"), "--coordinates", coordinates)
                first = dict(zip(names, rows[0]))
                self.assertAlmostEqual(first["body.wheel.wy"], rate, delta=1e-9)
                self.assertAlmostEqual(first["body.hub.vx"], 8, delta=1e-12)
                self.assertAlmostEqual(first["body.hub.wy"], 0, delta=1e-12)

    def test_a_tyre_across_the_hinge_of_its_wheel_is_warned_of(self):
        warning = 'force "t": its axis is 90 degrees off that of joint "axle", about which body "wheel" turns'
        self.expect(DONE, "check", self.write(self.WHEEL % ("", "", "[1, 0, 0]")), says=warning)
        for axis in ("[0, 1, 0]", "[0, -1, 0.02]"):
            self.assertNotIn("degrees off", self.expect(DONE, "check", self.write(self.WHEEL % ("", "", axis))).err)

    def test_drives_are_told_of_the_times_that_a_run_needs(self):
        text = ("crank: mechanism\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}}\njoints:\n"
                "  h: {type: revolute, between: [ground, a], at: [0, 0]}\n"
                "  lead: {type: driver, of: joint.h.angle, table: [[0, 0], [0.5, 0.2], [1, 0]]}\nsimulate: {t_end: 2}\n")
        said = self.expect(DONE, "run", self.write(text), "--out", "a.csv").err
        self.assertEqual(said.count('joint "lead": at t = '), 1)
        self.assertNotIn("table", self.expect(DONE, "run", "model.yaml", "--out", "a.csv", "--t-end", "1").err)

    def test_what_is_outside_a_table_is_told_once_or_ends_the_run(self):
        wheel = ("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: {w: {mass: 10, inertia: 1, position: [0, 0.299], velocity: [10, 0]}}\n"
                 "forces:\n  f: {type: tyre, body: w, stiffness: 1e5, damping: 300, radius: 0.3, table: {points: "
                 "[[0, 0], [0.5, 0], [0.6, 0.01], [1, 0]]%s}}\nsimulate: {t_end: 0.2}\n")
        for method in ("psf-radau", "psf-bdf", "ode-dopri8", "auto"):
            with self.subTest(method=method):
                arguments = ("--method", method, "--out", "a.csv")
                said = self.expect(DONE, "run", self.write(wheel % ""), *arguments).err
                self.assertEqual(said.count('force "f": at t = '), 1)
                self.assertIn("goes from 0 to 1 only; beyond its ends the last value holds", said)
                said = self.expect(DONE, "run", self.write(wheel % ", outside: hold"), *arguments).err
                self.assertNotIn("table", said)
                said = self.expect(FAILED, "run", self.write(wheel % ", outside: error"), *arguments).err
                self.assertRegex(said, r'stopped at t = 0\.(1|09999\d*): force "f": no step succeeds at t = \S+, where its '
                                       r'table ends: it is asked for (1|0\.9999\d*), goes from 0 to 1, and says')

    def test_named_tables_that_are_left_are_told_of_in_all_kinds_of_files(self):
        texts = ("crank: equations\npositions: {x: 0}\nvelocities: {v: {of: x, start: 1}}\nmass: [[1]]\nforces: [grip(x)]\n",
                 "crank: equations\ninputs: {u: 0}\npositions: {x: 0}\nvelocities: {v: {of: x, start: 1}}\nmass: [[1]]\n"
                 "forces: [u]\noutputs: {pull: grip(x)}\n",
                 "crank: dae\nvariables: {x: 0, v: 1}\nequations: [\"x' = v\", \"v' = grip(x)\"]\n",
                 "crank: mechanism\ndimension: 2\nbodies: {a: {type: point, mass: 1, velocity: [1, 0]}}\n"
                 "forces: {f: {type: force, body: a, force: [grip(body.a.x), 0]}}\n",
                 "crank: mechanism\ndimension: 2\nbodies: {a: {type: point, mass: 1, velocity: [1, 0]}, "
                 "b: {type: point, mass: 1, velocity: [1, 0]}}\nforces: {f: {type: force, body: a, force: [grip(body.a.x), 0]}, "
                 "g: {type: force, body: b, force: [grip(body.b.x), 0]}}\n")
        table = "tables: {grip: {points: [[-1, 0], [0.5, 0]]%s}}\nsimulate: {t_end: 1}\n"
        for text in texts:
            for method in ("psf-radau", "psf-bdf", "ode-dopri8"):
                with self.subTest(text=text, method=method):
                    arguments = ("--method", method, "--out", "a.csv")
                    said = self.expect(DONE, "run", self.write(text + table % ""), *arguments).err
                    self.assertEqual(said.count('table "grip": at t = '), 1)
                    self.assertIn("goes from -1 to 0.5 only; beyond its ends the last value holds", said)
                    said = self.expect(DONE, "run", self.write(text + table % ", outside: hold"), *arguments).err
                    self.assertNotIn("table", said)
                    said = self.expect(DONE, "run", self.write(text + table % ""), *arguments, "--t-end", "0.4").err
                    self.assertNotIn("table", said)
                    if "outputs" in text:
                        continue
                    said = self.expect(FAILED, "run", self.write(text + table % ", outside: error"), *arguments).err
                    self.assertRegex(said, r'table "grip": no step succeeds at t = (0\.5|0\.4999\d*), where its table ends: '
                                           r'it is asked for (0\.5|0\.4999\d*), goes from -1 to 0\.5, and says')
        compiled = self.expect(DONE, "run", self.write(texts[0] + table % ""), "--compile", "--out", "a.csv").err
        self.assertEqual(compiled.count('table "grip": at t = '), 1)

    def test_redundant_constraints_share_alike_in_every_row_of_every_method(self):
        """Two equal gears: each has half of -10 cos(t)."""
        gears = ("crank: mechanism\ndimension: 2\nbodies:\n  a: {mass: 1, inertia: 0.1}\n"
                 "  b: {mass: 1, inertia: 0.4, position: [0.3, 0]}\njoints:\n"
                 "  ha: {type: revolute, between: [ground, a], at: [0, 0]}\n"
                 "  hb: {type: revolute, between: [ground, b], at: [0.3, 0]}\n"
                 "  g1: {type: gear, joints: [ha, hb], ratio: -0.5}\n  g2: {type: gear, joints: [ha, hb], ratio: -0.5}\n"
                 "forces: {motor: {type: torque, body: a, torque: 10*cos(t)}}\nsimulate: {t_end: 1, rtol: 1e-8, atol: 1e-8}\n")
        methods = [line.split()[0] for line in self.expect(DONE, "methods").out.splitlines() if line.strip()]
        ran = 0
        for method in methods:
            result = self.call("run", self.write(gears), "--method", method, "--points", "20", "--out", "a.csv")
            if result.code == DONE:
                ran += 1
                names, rows = self.table(self.read("a.csv"))
                for row in (dict(zip(names, values)) for values in rows):
                    for gear in ("g1", "g2"):
                        self.assertAlmostEqual(row[f"joint.{gear}.effort"], -5 * math.cos(row["time"]), delta=1e-5,
                                               msg=f"{method}, {gear}, t = {row['time']}")
        self.assertGreater(ran, 12)

    def test_spline_that_swings_out_of_its_data_is_told(self):
        bump = "{points: [[0, 0], [5, 0], [5.1, 0.05], [5.4, 0.05], [5.5, 0], [20, 0]]%s}"
        said = self.expect(DONE, "check", self.write(PLANAR + SPRING % f"table: {bump % ', interpolation: spline'}")).err
        self.assertIn('force "f", table, line 11: between its points [5.5, 0] and [20, 0] the spline goes from -', said)
        said = self.expect(DONE, "check", self.write(PLANAR + SPRING % f"table: {bump % ''}")).err
        self.assertNotIn("between its points", said)

    def test_drive_that_does_not_rest_where_its_table_does_is_told(self):
        text = ("crank: mechanism\ndimension: 2\nbodies: {rack: {mass: 3, inertia: 1}}\njoints:\n"
                "  guide: {type: prismatic, between: [ground, rack], at: [0, 0], axis: [1, 0], drive: 0}\n"
                "simulate: {t_end: 5, points: 10}\n").replace(", drive: 0", "")
        text = text.replace("simulate", "  steer: {type: driver, of: joint.guide.length, table: {points: [[0, 0], [1, 0], [2, 0.02], "
                                        "[3, -0.02], [4, 0], [5, 0]]MORE}}\nsimulate")
        result = self.expect(DONE, "run", self.write(text.replace("MORE", "")), "--out", "a.csv")
        self.assertIn('joint "steer", table, line 6: between its points [0, 0] and [1, 0] the spline goes from -0.00', result.err)
        result = self.expect(DONE, "run", self.write(text.replace("MORE", ", interpolation: monotone")), "--out", "a.csv")
        self.assertNotIn("between its points", result.err)
        names, rows = self.table(self.read("a.csv"))
        for row in rows[:3]:  # it rests
            self.assertAlmostEqual(row[names.index("joint.guide.length")], 0, delta=1e-12)

    def test_tables_are_called_in_all_kinds_of_files(self):
        tables = ("tables:\n  pull: [[-1, -5], [0, 0], [0.5, 1], [1, 8]]\n"
                  "  push: {points: [[0, 0], [1, 2], [2, 0]], outside: repeat}\n"
                  "simulate: {t_end: 3, points: 6, rtol: 1e-9, atol: 1e-9}\n")
        law = '"push(t) - pull(%s) - 0.1*%s"'
        texts = ("crank: equations\npositions: {x: 0.1}\nvelocities: {v: {of: x}}\nmass: [[1]]\nforces: [%s]\n"
                 % law % ("x", "v"),
                 "crank: equations\ninputs: {u: push(t)}\npositions: {x: 0.1}\nvelocities: {v: {of: x}}\nmass: [[1]]\n"
                 "forces: [u - pull(x) - 0.1*v]\n",
                 "crank: dae\nvariables: {x: 0.1, v: 0}\nequations: [\"x' = v\", \"v' = %s\"]\n"
                 % (law % ("x", "v"))[1:-1],
                 "crank: mechanism\ndimension: 2\nbodies: {a: {type: point, mass: 1, position: [0.1, 0]}}\n"
                 "forces: {f: {type: force, body: a, force: [%s, 0]}}\n" % law % ("body.a.x", "body.a.vx"))
        ends = []
        for text in texts:
            self.expect(DONE, "run", self.write(text + tables), "--out", "a.csv")
            with open(self.path("a.csv"), encoding="utf-8") as rows:
                ends.append(float(rows.read().splitlines()[-1].split(",")[1]))
        for end in ends:
            self.assertAlmostEqual(end, ends[0], delta=1e-6)
        self.assertGreater(abs(ends[0]), 0.1)

    def test_named_table_is_refused(self):
        start = "crank: equations\npositions: {x: 0.1}\nvelocities: {v: {of: x}}\nmass: [[1]]\n"
        self.refuse(
            (start + "forces: [pul(x)]\ntables: {pull: [[0, 1], [1, 2]]}\n", "model.yaml:5:10:", 'function "pul"'),
            (start + "forces: [\"pull(x, 1)\"]\ntables: {pull: [[0, 1], [1, 2]]}\n", "takes 1 argument, not 2"),
            (start + "forces: [1]\ntables: {pull: [[0, 1], [0, 2]]}\n", "model.yaml:6:25:", 'table "pull": row 2: the first'),
            (start + "forces: [1]\ntables: {pull: [[0, k], [1, 2]]}\nparameters: {k: 1}\n", "a number is expected"),
            (start + "forces: [1]\ntables: {sin: [[0, 1], [1, 2]]}\n", 'the name "sin" is reserved'),
            (start + "forces: [1]\ntables: {x: [[0, 1], [1, 2]]}\n", 'the name "x" is already taken'),
            (start + "forces: [1]\ntables: {f: {file: no.csv}}\n", "model.yaml:6:20:", "no.csv", "No such file"),
            (PLANAR + "tables: {body: [[0, 1], [1, 2]]}\n", 'table "body": the name is reserved'),
            (PLANAR + "tables: {p: [[0, p(1)], [1, 2]]}\n", 'table "p"', "its points are defined by itself"),
        )

    def test_table_is_refused(self):
        for table, *says in (
                ("[[0, 0], [2, 1], [1, 3]]", "row 3: the first column must rise, and 1 follows 2"),
                ("[[0, 0], [1, 1], [1, 3]]", "1 follows 1"), ("[[0, 0]]", "at least 2"), ("[]", "at least 2"),
                ("[[0, .nan], [1, 1]]", "not finite"), ("[[0, 1, 2], [1, 1, 2]]", "3 entries where 2"),
                ("[[0, t], [1, 1]]", "changes with time"), ("no.csv", "no.csv", "No such file"), (".", "regular file")):
            self.refuse((PLANAR + SPRING % f"table: {table}", "model.yaml:11:", 'force "f", table', *says))

    def test_table_of_a_file_is_refused(self):
        for content, *says in (
                ("0,0\n2,1\n1,1\n", "row 3: the first column must rise"), ("0,0\n1,nan\n", "row 2", "not finite"),
                ("", "at least 2"), ("x,y\n", "at least 2"), ("0,0,0\n1,1,1\n", "two columns"),
                ("0\n1\n", "two columns"), ("0,0\n1,x\n", '"x" is not a number'),
                ("0,O\n1,1\n2,2\n", '"O" is not a number'), ("l,0\n1,1\n2,2\n", '"l" is not a number'),
                (bytes(range(256)), "not a text file")):
            self.write(content, "data.csv")
            self.refuse((PLANAR + SPRING % "table: data.csv", "model.yaml:11:", "data.csv", *says))
        for content in ("x,y\n0,0\n1,1\n", "\ufeff0,0\r\n1,1\r\n2,2\r\n", "# x y\n0 0\n\n1 1\n"):
            self.write(content, "data.csv")
            self.accept(PLANAR + SPRING % "table: data.csv")

    # ---- other files and repeats ----

    def test_include_and_assembly_are_refused(self):
        self.write("crank: mechanism\ninclude: [model.yaml]\n", "cycle.yaml")
        self.write("crank: mechanism\nassemblies: {k: {use: model.yaml}}\n", "uses.yaml")
        self.write("crank: equations\n", "other.yaml")
        self.write("crank: mechanism\ndimension: 2\n", "flat.yaml")
        self.write(FREE + "parameters: {p: 1}\n", "free.yaml")
        self.write("crank: mechanism\nbodies: {a: {mass: -1}}\n", "bad.yaml")
        self.write(BAR + "holonomic: {p: body.a.x, q: body.a.x - 1}\n", "open.yaml")
        self.write(BAR + "holonomic: {p: log(body.a.x)}\n", "domain.yaml")
        self.refuse(
            (FREE + "include: [no.yaml]\n", "model.yaml:3:11:", "no.yaml", "No such file"),
            (FREE + "include: [model.yaml]\n", "includes itself"),
            (FREE + "include: [cycle.yaml]\n", "cycle.yaml:2:11:", "includes itself"),
            (FREE + "include: [other.yaml]\n", "other.yaml:1:8:", "crank: mechanism"),
            (FREE + "include: [flat.yaml]\n", "flat.yaml:2:12:", "the model has dimension 3"),
            (FREE + "include: [free.yaml]\n", "free.yaml:2:10:", "given twice, first in line 2 of the model file"),
            (FREE + "include: [/dev/zero]\n", "not a regular file"),
            ("crank: mechanism\ninclude: [bad.yaml]\n", "bad.yaml:2:20:", "must not be negative"),
            ("crank: mechanism\ndimension: 2\ninclude: [open.yaml]\n", "open.yaml:4:26:", "cannot be closed"),
            ("crank: mechanism\ndimension: 2\ninclude: [domain.yaml]\n", "domain.yaml:4:16:", "not finite"),
            (FREE + "assemblies: {l: {use: model.yaml}}\n", "uses itself"),
            (FREE + "assemblies: {l: {use: uses.yaml}}\n", "uses.yaml:2:23:", "uses itself"),
            (FREE + "assemblies: {l: {at: [0, 0, 0]}}\n", '"use" is missing'),
            (FREE + "assemblies: {l: {use: flat.yaml}}\n", "flat.yaml:2:12:", "the model has dimension 3"),
            (FREE + "assemblies: {l: {use: free.yaml, parameters: {q: 1}}}\n", 'free.yaml has no parameter "q"'),
            (FREE + "assemblies: {l: {use: bad.yaml}}\n", "bad.yaml:2:20:", 'body "l.a"'),
            (FREE + "assemblies: {l: {use: free.yaml}}\n"
             "joints: {j: {type: spherical, between: [ground, l.b], at: [0, 0, 0]}}\n", 'no body "l.b"', '"l.a"'),
        )

    def test_repeat_is_refused(self):
        def repeat(text):
            return f'{FREE}repeat: {{{text}, bodies: {{"b{{i}}": {{mass: 1, shape: {{sphere: 1}}}}}}}}\n'
        self.refuse(
            (repeat("count: -1"), "model.yaml:3:17:", "-1, must be from 0"),
            (repeat("count: 1e9"), "must be from 0"),
            (repeat("count: 1e300"), "too large"),
            (repeat("count: 2.5"), "must be a whole number"),
            (repeat("count: 3 deg"), "must be a whole number"),
            (repeat("count: n"), '"n" is not defined'),
            (repeat("from: 1"), '"count" is missing'),
            (repeat("count: 2, index: k"), '"i" is not defined'),
            (repeat("count: 2, index: t"), "reserved"),
            (repeat("count: 2, gravity: [0, 0, 0]"), 'unknown key "gravity"'),
            (repeat("count: 2") + "parameters: {i: 1}\n", '"i" is already in use'),
            (repeat("count: 2").replace("b{i}", "b"), "more than once"),
            (repeat("count: 2, from: 0").replace("mass: 1, shape: {sphere: 1}}}}", "mass: 1/i, shape: {sphere: 1}}}}"),
             'body "b0", mass', "not finite"),
        )
        self.accept(repeat("count: 0"))

    # ---- the command line ----

    def test_result_must_not_replace_a_table_of_the_model(self):
        self.write("t,x\n0,0\n1,1\n", "table.csv")
        self.write(FREE + "joints: {d: {type: driver, of: body.a.x, table: table.csv}}\n")
        self.expect(USAGE, "run", "model.yaml", "--out", "table.csv", says=("table.csv", "choose another name"))
        self.assertEqual(self.read("table.csv"), "t,x\n0,0\n1,1\n")

    def test_compiled_mechanism_moves_as_it_does_otherwise(self):
        self.write(PLANAR)
        run = ("run", "model.yaml", "--coordinates", "joint", "--method", "ode-dopri8", "--points", "5")
        plain = self.table(self.expect(DONE, *run).out)
        compiled = self.expect(DONE, *run, "--compile", says="not compiled: ")
        names, rows = self.table(compiled.out)
        self.assertEqual(names, plain[0])
        for row, other in zip(rows, plain[1]):
            for name, value, wanted in zip(names, row, other):
                if not name.startswith(("step.", "residual.")):
                    self.assertAlmostEqual(value, wanted, delta=1e-9 * max(1, abs(wanted)), msg=name)

    def test_command_line_is_refused(self):
        self.write(PLANAR)
        for code, arguments, says in (
                (USAGE, ("--set", "q=1"), '"q"'), (USAGE, ("--set", "body.a.x=nan"), "not finite"),
                (USAGE, ("--only", "joint.j.angel"), "joint.j.angle"), (USAGE, ("--method", "geoms"), "accelerations"),
                (USAGE, ("--option", "accelerations=eliminate"), "accelerations"),
                (USAGE, ("--compile",), "compiled in joint coordinates"), (FAILED, ("--out", "no/where.csv"), "No such file"),
                (FAILED, ("--out", "/dev/full"), "No space")):
            with self.subTest(arguments=arguments):
                self.expect(code, "run", "model.yaml", *arguments, says=says)


if __name__ == "__main__":
    main()
