"""crank check and crank init: what they say of good, redundant and contradictory models."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import random

from command import DONE, MODEL, PENDULUM, USAGE, CommandTest, main

REDUNDANT = PENDULUM.replace("{length: x^2 + y^2 - L^2}",
                             "{length: x^2 + y^2 - L^2, again: 2*x^2 + 2*y^2 - 2*L^2}")

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
DOOR = """\
crank: mechanism
gravity: [0, 0, -9.81]
parameters: {offset: 0}
bodies:
  door: {mass: 20, shape: {box: [0.8, 0.04, 2]}, position: [0.4, 0, 1]}
joints:
  hinge1: {type: revolute, between: [ground, door], at: [0, 0, 0.3], axis: [0, 0, 1]}
  hinge2: {type: revolute, between: [ground, door], at: [0, 0, 1], axis: [0, 0, 1]}
  hinge3: {type: revolute, between: [ground, door], at: {first: [offset, 0, 1.7], second: [-0.4, 0, 0.7]}, axis: [0, 0, 1]}
simulate: {t_end: 1}
"""
ROD = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 0, position: [0, 0, -0.5]}
  bob: {mass: 1, shape: {sphere: 0.1}, position: [0, 0, -1]}
joints:
  top: {type: universal, between: [ground, rod], at: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0]]}
  end: {type: spherical, between: [rod, bob], at: [0, 0, -1]}
simulate: {t_end: 1}
"""


def hinged(friction, unit=1):
    """A door on two hinges, and a handle on it; lengths in the unit given."""
    return f"""\
crank: mechanism
gravity: [0, 0, {-9.81 / unit}]
bodies:
  door: {{mass: 20, shape: {{box: [{0.8 / unit}, {0.04 / unit}, {2 / unit}]}}, position: [{0.4 / unit}, 0, {1 / unit}]}}
  handle: {{mass: 0.3, shape: {{box: [{0.1 / unit}, {0.02 / unit}, {0.02 / unit}]}}, position: [{0.7 / unit}, 0, {1 / unit}]}}
joints:
  lower: {{type: revolute, between: [ground, door], at: [0, 0, {0.3 / unit}], axis: [0, 0, 1]}}
  upper: {{type: revolute, between: [ground, door], at: [0, 0, {1.7 / unit}], axis: [0, 0, 1]}}
  pivot: {{type: revolute, between: [door, handle], at: [{0.75 / unit}, 0, {1 / unit}], axis: [0, 1, 0]}}
forces:
  {friction}, coefficient: 0.3, radius: {0.01 / unit}, slip: 0.01}}
simulate: {{t_end: 0.01}}
"""


def four_bar(coupler=3, rocker=2.5, angles=(60, 20, 70), more=""):
    """Crank 1, ground 3.5, in the plane; bodies stand as they are put, points are given in their own axes."""
    lengths = {"crank": 1, "coupler": coupler, "rocker": rocker}
    start = [(0, 0), (math.cos(math.radians(angles[0])), math.sin(math.radians(angles[0]))), (3.5, 0)]
    text = "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
    for (name, length), (x, y), angle in zip(lengths.items(), start, angles):
        x += length/2*math.cos(math.radians(angle))
        y += length/2*math.sin(math.radians(angle))
        text += (f"  {name}: {{mass: 1, inertia: {length**2/12}, position: [{x}, {y}], angle: {angle} deg"
                 f"{more if name == 'crank' else ''}}}\n")
    return text + f"""\
joints:
  O: {{type: revolute, between: [ground, crank], at: {{first: [0, 0], second: [-0.5, 0]}}}}
  A: {{type: revolute, between: [crank, coupler], at: {{first: [0.5, 0], second: [{-coupler/2}, 0]}}}}
  B: {{type: revolute, between: [coupler, rocker], at: {{first: [{coupler/2}, 0], second: [{rocker/2}, 0]}}}}
  C: {{type: revolute, between: [rocker, ground], at: {{first: [{-rocker/2}, 0], second: [3.5, 0]}}}}
simulate: {{t_end: 1}}
"""


def car(unit, right):
    """Rear wheels and two front wheels as skates, 2 apart, 1 behind; the left one turns by t^2, the right one as told."""
    def at(x, y):
        return f"[{x / unit}, {y / unit}]"
    return f"""\
crank: mechanism
dimension: 2
let: {{left: 0.5*t^2}}
bodies:
  car: {{mass: 100, inertia: {50 / unit**2}, position: [0, 0], velocity: {at(1, 0)}}}
  l: {{mass: 1, inertia: {0.1 / unit**2}, position: {at(2, 0.5)}}}
  r: {{mass: 1, inertia: {0.1 / unit**2}, position: {at(2, -0.5)}}}
joints:
  king_l: {{type: revolute, between: [car, l], at: {at(2, 0.5)}, drive: left}}
  king_r: {{type: revolute, between: [car, r], at: {at(2, -0.5)}, drive: {right}}}
  rear: {{type: skate, between: [ground, car], at: [0, 0], axis: [1, 0]}}
  front_l: {{type: skate, between: [ground, l], at: {at(2, 0.5)}, axis: [1, 0]}}
  front_r: {{type: skate, between: [ground, r], at: {at(2, -0.5)}, axis: [1, 0]}}
simulate: {{t_end: 1}}
"""


class Check(CommandTest):
    def check(self, text, code=DONE):
        return self.expect(code, "check", self.write(text))

    def test_pendulum_is_fine(self):
        out = self.check(PENDULUM).out
        for text in ("2 positions, 2 velocities, 1 holonomic constraint", "1 degree of freedom",
                     "differentiation index 3", "consistent", "unique", "agree with differences",
                     "mass matrix regular: yes"):
            self.assertIn(text, out)
        self.assertRegex(out, r"verdict +fine")

    def test_redundant_constraint_is_named_and_is_no_error(self):
        out = self.check(REDUNDANT).out
        self.assertRegex(out, r'redundant +holonomic "(again|length)", follows from other constraints, above all from holonomic "(length|again)"')
        self.assertIn("not unique: lambda.length, lambda.again", out)
        self.assertIn("1 degree of freedom", out)
        self.assertIn("no differentiation index: redundant constraints leave multipliers undetermined", out)
        self.assertIn("strangeness index 2", out)

    def test_redundant_direction_is_the_one_that_joints_share_whatever_their_order(self):
        """Two balls hold an arm against each other along the line through both, (0.36, 0.02, -0.005) here."""
        text = """\
crank: mechanism
bodies: {arm: {mass: 4.5, inertia: [0.05, 0.06, 0.1], position: [0, 0.54, 0.2]}}
joints:
  %s: {type: spherical, between: [ground, arm], at: [0.14, 0.38, 0.200]}
  %s: {type: spherical, between: [ground, arm], at: [-0.22, 0.36, 0.205]}
simulate: {t_end: 1}
"""
        for names in (("front", "rear"), ("rear", "front")):
            out = self.check(text % names).out
            self.assertIn('redundant        joint "%s": translation along x repeats "%s"' % names[::-1], out)

    def test_formulas_of_another_kind_of_file_are_refused(self):
        self.expect(USAGE, "check", self.write(PENDULUM), "--formulas", says="--formulas is for `crank: dae` files")

    def test_the_assembled_position_is_looked_at_also_where_velocities_fail(self):
        text = four_bar(more=", fixed: [rate], rate: 1") + "nonholonomic: {still: body.rocker.rate, again: body.rocker.rate - 1}\n"
        out = self.check(text, MODEL).out
        self.assertRegex(out, r"freedom +1 degree of freedom in position")

    def test_friction_under_a_load_that_redundant_hinges_share_is_told_by_check_and_run_in_every_unit(self):
        says = ('warning: force "brake" depends on reactions of joint "lower" that redundant constraints leave open '
                '(joint "upper", translation along x', "leave out what is redundant", "`level` instead of a `coefficient`")
        for unit in (1, 1e-6, 1e3):
            for command in ("check", "run"):
                with self.subTest(unit=unit, command=command):
                    said = self.expect(DONE, command, self.write(hinged("brake: {type: friction, joint: lower", unit)),
                                       says=says).err
                    self.assertEqual(said.count("leave open"), 1)
        out = self.check(hinged("brake: {type: friction, joint: lower")).out
        self.assertRegex(out, r"verdict +fine, but for what is warned of")

    def test_friction_under_an_open_load_is_told_also_where_the_start_velocity_is_rounding(self):
        text = """crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies: {b: {position: [-1, 1], mass: 1, inertia: 0.1, angle: 0.5, velocity: [0.75, 0.75], rate: %s}}
joints:
  weld: {type: fixed, between: [ground, b], at: [-0.5, 0.5]}
  pin: {type: revolute, between: [ground, b], at: [-0.5, 0.5]}
forces: {brake: {type: friction, joint: pin, coefficient: 0.1, radius: 0.1, slip: 0.4}}
simulate: {t_end: 0.1}
"""
        for rate in ("0", "1"):
            self.expect(DONE, "run", self.write(text % rate), says='force "brake" depends on reactions of joint "pin"')

    def test_friction_under_a_load_that_is_unique_beside_redundant_hinges_is_not_told(self):
        result = self.check(hinged("brake: {type: friction, joint: pivot"))
        self.assertRegex(result.out, r'redundant +joint "upper"')
        self.assertNotIn("warning", result.err)
        self.assertRegex(result.out, r"verdict +fine\n")

    def test_friction_without_load_and_without_redundancy_is_not_told(self):
        shared = hinged("brake: {type: friction, joint: lower")
        for text in (shared.replace("coefficient: 0.3, radius: 0.01", "level: 0.1"), shared.replace("  upper:", "#")):
            self.assertNotIn("warning", self.check(text).err)

    def test_outputs_of_reactions_that_are_not_unique_are_told_by_check_and_run_in_every_unit(self):
        for unit in (1, 1e-6, 1e3):
            text = hinged("weight: {type: friction, joint: pivot", unit) + """\
outputs:
  share: joint.lower.fz
  bend: {value: "hypot(joint.upper.tx, joint.upper.ty)", unit: N m}
  all: joint.lower.fz + joint.upper.fz
  knob: joint.pivot.fz
  height: body.handle.z
"""
            for command in ("check", "run"):
                with self.subTest(unit=unit, command=command):
                    said = self.expect(DONE, command, self.write(text)).err
                    self.assertIn('warning: outputs "share", "bend" read reactions that redundant constraints leave open', said)
        self.assertNotIn("warning", self.check(hinged("weight: {type: friction, joint: pivot")
                                               + "outputs: {all: joint.lower.fz + joint.upper.fz}\n").err)

    def test_corners_of_tables_in_holonomic_constraints_are_told(self):
        equations = """\
crank: equations
tables: {s: {points: [[0, 0], [1, 0], [2, 0.1]], interpolation: %s}}
positions: {x: 0, y: 0}
velocities: {v: {of: x}, w: {of: y}}
mass: {diagonal: [1, 1]}
forces: [0, 0]
holonomic: {path: y - s(%s)}
"""
        mechanism = """\
crank: mechanism
dimension: 2
tables: {s: {points: [[0, 0], [1, 0], [2, 0.1]], interpolation: %s}}
bodies: {a: {mass: 1, inertia: 1}}
holonomic: {path: body.a.y - s(%s)}
"""
        for text, position in ((equations, "x"), (mechanism, "body.a.x")):
            says = 'warning: holonomic "path": the slope of table "s" jumps by 0.1 at '
            self.assertIn(says + "t = 1", self.check(text % ("linear", "t")).err)
            self.assertIn(says + "its point 1", self.check(text % ("linear", position)).err)
            self.assertIn('table "s" jumps', self.check(text % ("monotone", "t")).err)
            self.assertNotIn("jumps", self.check(text % ("monotone", position)).err)
            self.assertNotIn("jumps", self.check(text % ("spline", "t")).err)

    def test_variable_that_follows_an_open_load_is_told_by_its_own_name(self):
        text = hinged("brake: {type: friction, joint: lower") + "dynamic: {wear: {rate: force.brake.load}}\n"
        self.assertIn('force "brake", dynamic "wear" depend on reactions of joint "lower"', self.check(text).err)

    def test_open_loads_of_a_prescribed_motion_are_not_said_to_change_it(self):
        text = hinged("brake: {type: friction, joint: lower")
        self.assertIn("these, and what moves by them, are a matter of the method;", self.check(text).err)
        driven = text.replace("axis: [0, 0, 1]}", "axis: [0, 0, 1], drive: t}", 1).replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], drive: t}")
        self.assertIn("are a matter of the method, while the motion is prescribed;", self.check(driven).err)

    def test_equations_that_read_open_multipliers_are_told_and_unique_sums_of_them_are_not(self):
        for load, told in (("lambda.length", True), ("lambda.length + 2*lambda.again", False), ("x", False)):
            for treatment in ("eliminate", "carry"):
                with self.subTest(load=load, treatment=treatment):
                    text = REDUNDANT.replace("forces: [0", f"forces: [-0.1*vx*abs({load})")
                    self.assertNotEqual(text, REDUNDANT)
                    said = self.expect(DONE, "check", self.write(text), "--option", f"accelerations={treatment}").err
                    self.assertEqual("of vx depends on multipliers that redundant constraints leave open "
                                     '(holonomic "again")' in said, told, said)

    def test_contradiction_exits_3(self):
        text = REDUNDANT.replace("2*L^2}", "3*L^2}")
        self.check(text, MODEL)

    def test_open_motion_exits_3(self):
        text = PENDULUM.replace("mass: [[m, 0], [0, m]]", "mass: [[0, 0], [0, 0]]")
        result = self.check(text, MODEL)
        self.assertIn("model.yaml:5:1: mass: singular at the start", result.err)
        self.assertRegex(result.out, r"verdict +the motion is not determined")

    def test_inconsistent_start_is_told(self):
        result = self.expect(DONE, "check", self.write(PENDULUM), "--set", "x=1.01")
        self.assertIn("not consistent", result.out)
        self.assertIn("x moved most", result.out)

    def test_velocities_that_are_not_given_do_not_make_values_inconsistent(self):
        rod = """\
crank: mechanism
dimension: 2
bodies: {rod: {mass: 1, inertia: 1, position: [1, 0], angle: 0MORE}}
joints: {hinge: {type: revolute, between: [ground, rod], at: [0, 0], drive: 3*t}}
"""
        for more, said in (("", "consistent; those that are free have been computed"), (", rate: 3", "consistent; those that"),
                           (", velocity: [0, 1]", "not consistent: residuals 0, ")):
            name = self.write(rod.replace("MORE", more))
            self.assertIn("initial values   " + said, self.expect(DONE, "check", name).out)
            self.expect(DONE, "init", name, says="the given values are " + said.split(";")[0].split(":")[0].strip())

    def test_unused_definition_is_told(self):
        out = self.check(PENDULUM.replace("{m: 1,", "{m: 1, spare: 3,")).out
        self.assertRegex(out, r"unused +.*spare")

    def test_invariant_is_listed(self):
        out = self.check(PENDULUM.replace("outputs:", "invariants:")).out
        self.assertRegex(out, r"invariants +.*energy")

    def test_nonholonomic_constraint_is_counted(self):
        text = PENDULUM.replace("holonomic: {length: x^2 + y^2 - L^2}",
                                "nonholonomic: {straight: vx - vy}")
        out = self.expect(DONE, "check", self.write(text), "--set", "x=0").out
        self.assertIn("differentiation index 2", out)
        self.assertIn("strangeness index 1", out)
        self.assertIn("1 derivative of nonholonomic", out)

    def test_wrong_model_exits_3_with_its_place(self):
        self.expect(MODEL, "check", self.write(PENDULUM.replace("y^2 -", "q^2 -")), says="model.yaml:7:")


class CheckMechanism(CommandTest):
    def check(self, text, code=DONE, *arguments):
        return self.expect(code, "check", self.write(text), *arguments)

    def model(self, name, *arguments):
        return self.expect(DONE, "check", os.path.join(MODELS, name), *arguments).out

    def test_hinges_of_a_door_repeat_the_first(self):
        out = self.check(DOOR).out
        self.assertIn("1 body, 7 positions, 6 velocities, 15 holonomic constraints", out)
        self.assertIn("1 degree of freedom in position, 1 in velocity", out)
        self.assertRegex(out, r"loops +2 independent loops")
        self.assertIn("5 of 15 holonomic", out)
        for hinge in ("hinge2", "hinge3"):
            for row in ("translation along x", "translation along y", "translation along z",
                        "rotation about x", "rotation about y"):
                self.assertIn(f'joint "{hinge}": {row} repeats "hinge1"\n', out)
        self.assertIn("consistent: they agree with what they repeat", out)
        for hinge in ("hinge1", "hinge2", "hinge3"):
            self.assertRegex(out, f'not unique: joint "{hinge}": .*translation along z')
        self.assertRegex(out, r"verdict +fine")

    def test_redundancy_and_open_reactions_are_the_same_in_joint_coordinates(self):
        def told(name, coordinates):
            out = self.expect(DONE, "check", name, "--coordinates", coordinates).out
            return out[out.index("\nredundant"):out.index("\nindex")]

        names = [self.write(DOOR), os.path.join(MODELS, "four-bar-3d", "four-bar-3d.yaml"),
                 os.path.join(MODELS, "tree", "tree.yaml")]
        for name in names:
            with self.subTest(name=name):
                self.assertEqual(told(name, "joint"), told(name, "absolute"))
        self.assertRegex(told(names[0], "joint"), 'not unique: joint "hinge1": .*translation along z')

    def test_hinge_out_of_line_contradicts_with_its_place(self):
        result = self.check(DOOR, MODEL, "--set", "offset=0.01")
        self.assertIn('model.yaml:9:3: joint "hinge3" cannot be closed: it stays open by 0.01 while', result.err)
        self.assertIn("NOT consistent", result.out)
        self.assertRegex(result.out, r"verdict +the constraints contradict each other")

    def test_body_without_mass_between_two_joints(self):
        out = self.check(ROD).out
        self.assertRegex(out, r'without mass +body "rod" has no mass\n')
        self.assertIn("the joints determine how they move", out)
        self.assertRegex(out, r"verdict +fine")

    def test_undetermined_direction_is_named(self):
        text = ROD.replace("universal", "spherical").replace(", axes: [[1, 0, 0], [0, 1, 0]]", "")
        result = self.check(text, MODEL)
        self.assertIn('model.yaml:4:3: body "rod": rotation about z is not determined', result.err)
        self.assertRegex(result.out, r'not determined +body "rod": rotation about z\n')
        self.assertRegex(result.out, r"verdict +the motion is not determined")

    def test_power_of_a_damper_at_rest_is_no_wrong_derivative(self):
        """Its square is rounding, and so are its derivatives and the differences of them, in every unit of length."""
        for unit in (1, 1e-3, 1e3):
            damper = f"""\
crank: mechanism
gravity: [0, 0, {-9.81/unit}]
bodies:
  a: {{mass: 3, inertia: [{1/unit**2}, {2/unit**2}, {3/unit**2}], position: [{0.1/unit}, {0.2/unit}, {0.3/unit}],
      velocity: [{1e-16/unit}, {2e-16/unit}, {-3e-16/unit}], angular_velocity: [1.0e-16, 0, 2.0e-16]}}
forces:
  f: {{type: spring, between: [ground, a], at: [[{1/unit}, {0.3/unit}, {0.7/unit}], [{0.13/unit}, {0.37/unit}, {0.45/unit}]],
      damping: 4000, law: 0}}
energy: true
simulate: {{t_end: 0.1}}
"""
            self.assertIn("agree with differences to rounding", self.check(damper).out)

    def test_power_of_a_loaded_wheel_at_rest_is_no_wrong_derivative(self):
        """What it is made of, load times rate, vanishes at the point, but not beside it, where the rest is a difference."""
        for length in (1e-6, 1e-3, 2e-3, 1, 3, 1e3):
            wheel = f"""\
crank: mechanism
dimension: 2
gravity: [0, {-9.81/length}]
bodies: {{wheel: {{mass: 360, inertia: {1/length**2}, position: [0, {(0.3 - 360*9.81/2e5)/length}], velocity: [{10/length}, 0]}}}}
forces: {{tyre: {{type: tyre, body: wheel, stiffness: 2e5, damping: 120, radius: {0.3/length}, lift: false}}}}
energy: true
simulate: {{t_end: 0.1}}
"""
            self.assertIn("agree with differences to rounding", self.check(wheel).out, length)

    def test_power_that_is_even_in_an_angle_is_no_wrong_derivative(self):
        """Its central difference is exactly the zero that is given, in a row that is made of nothing at the point."""
        for speed in (1, 100, 3.6e5):
            coupling = f"""\
crank: mechanism
bodies:
  wheel: {{mass: 4, inertia: [0.01, 0.01, 0.02], position: [0, 0, -0.2], angular_velocity: [0, 0, {speed}], fixed: [angular_velocity]}}
  plate: {{mass: 1, inertia: [1e-4, 1e-4, 2e-4], position: [0, 0, 0], angular_velocity: [0, 0, {speed}], fixed: [angular_velocity]}}
joints:
  bearing: {{type: revolute, between: [ground, wheel], at: [0, 0, -0.2], axis: [0, 0, 1]}}
  shaft: {{type: revolute, between: [ground, plate], at: [0, 0, 0], axis: [0, 0, 1]}}
forces: {{coupling: {{type: torsion, between: [wheel, plate], axis: [0, 0, 1], stiffness: {5e3*speed**2/1e4}, damping: {2*speed/100}}}}}
energy: true
simulate: {{t_end: 0.1}}
"""
            self.assertIn("agree with differences to rounding", self.check(coupling).out, speed)

    def test_light_part_that_touches_a_stiff_one_is_no_wrong_derivative(self):
        """The slope is that of one side, and the other side's is 1e9 times what else the row has."""
        for mass in (1e-3, 1, 1e-6):
            shoe = f"""\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies: {{shoe: {{mass: {mass}, inertia: {1e-5*mass}, position: [0.3, 0.25], velocity: [0, 0], angle: 0}}}}
joints: {{guide: {{type: prismatic, between: [ground, shoe], at: [0.3, 0.25], axis: [0, 1]}}}}
forces: {{touch: {{type: spring, joint: guide, law: "if(length < 0, min(0, 1e6*length + 100*rate), 0)"}}}}
simulate: {{t_end: 0.1}}
"""
            self.assertIn("agree with differences to rounding", self.check(shoe).out, mass)

    def test_torque_that_holds_a_brake_is_determined_by_the_motion(self):
        """Its equation has an acceleration and not the torque itself."""
        brake = """\
crank: mechanism
dimension: 2
parameters: {lock: 1}
bodies: {drum: {mass: 1, inertia: 0.5, position: [0, 0], rate: 0}}
joints: {axle: {type: revolute, between: [ground, drum], at: [0, 0]}}
auxiliary: {T: {unit: N m, equation: "if(lock > 0.5, body.drum.angle_acceleration, T)"}}
forces: {motor: {type: torque, body: drum, torque: 7}, brake: {type: torque, body: drum, torque: T}}
events: {release: {when: t - 0.5, actions: {set: {lock: 0}}}}
simulate: {t_end: 1}
"""
        for coordinates in ("absolute", "joint"):
            out = self.expect(DONE, "check", self.write(brake), "--coordinates", coordinates).out
            self.assertIn("auxiliary equations determine w: yes", out)
            self.assertRegex(out, r"verdict +fine")
        rows = brake.replace("torque: T}", "torque: 0}")  # nothing that T is in
        self.assertRegex(self.expect(MODEL, "check", self.write(rows)).out, r"verdict +the motion is not determined")

    def test_rod_that_turns_about_itself_is_named_at_every_inclination(self):
        """Its lever about the ball is rounding, or nothing at all."""
        for angle in (0, 10, 30, 45, 60, 90, 120, 180):
            rod = f"""\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  tie: {{mass: 1, shape: {{rod: 1}}, position: [0.5*sin({angle}*pi/180), 0, 0.5*cos({angle}*pi/180)],
        orientation: {{axis: [0, 1, 0], angle: {angle} deg}}}}
joints:
  ball: {{type: spherical, between: [ground, tie], at: [0, 0, 0]}}
simulate: {{t_end: 0.2}}
"""
            for command in ("init", "run"):
                self.expect(MODEL, command, self.write(rod), *(("--out", "o.csv") if command == "run" else ()),
                            says=('model.yaml:4:3: body "tie": rotation about ', "neither mass nor joints resist it"))
            out = self.expect(MODEL, "check", self.write(rod), says="neither mass nor joints resist it").out
            self.assertIn("mass and constraints together determine the motion: NO", out)
            self.assertIn('not determined   body "tie": rotation about ', out)
            self.assertIn("verdict          the motion is not determined", out)
            self.assertNotIn("the joints determine how they move", out)

    def test_rod_between_two_balls_is_named_in_all_units(self):
        """Far from the origin its levers are rounding of large numbers; a ball beside its axis holds it."""
        def tie(unit, far, beside):
            return f"""\
crank: mechanism
gravity: [0, 0, {-9.81 * unit}]
parameters: {{L: {unit}, x: {far * unit}, e: {beside * unit}}}
bodies:
  block: {{mass: 1, inertia: [L^2, L^2, L^2], position: [x + L, 0, 0]}}
  tie: {{mass: 1, shape: {{rod: L}}, position: [x + 0.5*L, 0, 0], orientation: {{axis: [0, 1, 0], angle: 90 deg}}}}
joints:
  guide: {{type: prismatic, between: [ground, block], at: [x + L, 0, 0], axis: [0, 0, 1]}}
  left: {{type: spherical, between: [ground, tie], at: [x, 0, 0]}}
  right: {{type: point_on_line, between: [block, tie], at: [x + L, e, 0], axis: [1, 0, 0]}}
simulate: {{t_end: 0.2}}
"""
        for unit in (1, 1e-6, 1e6):
            for far in (0, 3, 300):
                out = self.expect(MODEL, "check", self.write(tie(unit, far, 0)), says='body "tie": rotation about x').out
                self.assertIn("together determine the motion: NO", out)
                out = self.expect(DONE, "check", self.write(tie(unit, far, 1e-3))).out
                self.assertIn("together determine the motion: yes", out)

    def test_unused_parameter_is_told(self):
        out = self.check(DOOR.replace("{offset: 0}", "{offset: 0, spare: 3}")).out
        self.assertRegex(out, r"unused +.*spare")

    def test_unused_table_is_told_and_one_that_is_called_is_not(self):
        for text, name in ((DOOR, "mechanism"), (PENDULUM, "equations")):
            with self.subTest(name):
                tables = "tables: {spare: [[0, 0], [1, 1]], other: [[0, 0], [1, 1]]}\nlet: {used: other(t)}\n"
                out = self.check(text + tables).out
                self.assertIn('table "spare"', out)
                self.assertNotIn('table "other"', out)

    def test_spatial_four_bar_turned_at_random(self):
        numbers = random.Random(5)
        for turn in ([1, 0, 0, 0], *([numbers.gauss(0, 1) for _ in range(4)] for _ in range(5))):
            settings = [argument for i, q in enumerate(turn) for argument in ("--set", f"q{i}={q}")]
            out = self.model("four-bar-3d/four-bar-3d.yaml", *settings)
            self.assertIn("17 of 20 holonomic", out)
            self.assertRegex(out, r"loops +1 independent loop\n")
            self.assertEqual(out.count('joint "bar.C": '), 4)  # three rows, and their reactions
            self.assertEqual(out.count(' repeats "bar.O", "bar.A" and "bar.B"'), 3)

    def test_redundancy_that_stays_where_drives_lead_is_told(self):
        driven = DOOR.replace("simulate", "  turn: {type: driver, of: joint.hinge1.angle, is: t^3}\nsimulate")
        out = self.check(driven).out
        self.assertRegex(out, r"consistent: they agree with what they repeat, also where drives lead \(at t = 0\.\d+\)")
        self.assertRegex(out, r"verdict +fine\n")
        self.assertNotIn("drives", self.check(DOOR).out)

    def test_wheels_that_steer_in_parallel_lock_in_curves_and_those_that_meet_in_a_point_do_not(self):
        for unit in (1, 1e-3):
            for right, code in (("left", MODEL), ("atan(tan(left)/(1 + tan(left)/2))", DONE)):
                with self.subTest(unit=unit, right=right):
                    out = self.check(car(unit, right), code).out
                    self.assertRegex(out, r'redundant +joint "front_r": sliding across the blade repeats')
                    if code == MODEL:
                        self.assertIn("NOT consistent where drives lead: independent of what they repeat (at t = ", out)
                        self.assertRegex(out, r"verdict +redundant constraints contradict each other or lock once drives move")
                    else:
                        self.assertIn("also where drives lead", out)
                        self.assertRegex(out, r"verdict +fine\n")

    def test_velocity_constraints_close_no_loop(self):
        for arguments in ((), ("--option", "coordinates=joint")):
            out = self.check(car(1, "left"), MODEL, *arguments).out
            self.assertRegex(out, r"loops +0 independent loops")

    def test_drives_that_begin_in_a_singular_position_are_named_also_if_they_begin_gently(self):
        """A stretched arm of two bars whose tip is to come nearer, with vanishing speed and acceleration at first."""
        out = self.check("crank: mechanism\ndimension: 2\nbodies:\n"
                         "  a: {mass: 1, inertia: 0.1, position: [0.5, 0]}\n  b: {mass: 1, inertia: 0.1, position: [1.5, 0]}\n"
                         "joints:\n  o: {type: revolute, between: [ground, a], at: [0, 0]}\n"
                         "  p: {type: revolute, between: [a, b], at: [1, 0]}\n"
                         "  x: {type: driver, of: 'body.b.x + 0.5*cos(body.b.angle)', is: 2 - t^4}\n"
                         "  y: {type: driver, of: 'body.b.y + 0.5*sin(body.b.angle)', is: 0}\n", MODEL).out
        self.assertRegex(out, r"verdict +(the start is a singular position|redundant constraints contradict|the drives cannot)")

    def test_what_cannot_move_is_told(self):
        frame = four_bar().replace("simulate", "  D: {type: fixed, between: [ground, crank], at: [0, 0]}\nsimulate")
        out = self.check(frame).out
        self.assertRegex(out, r"verdict +fine, but mind:\n +nothing can move: there is no degree of freedom, and no drive\n +\(rods side by side")
        self.expect(DONE, "run", self.write(frame), "--out", "still.csv", says="nothing can move: there is no degree of freedom")
        driven = four_bar().replace("simulate", "  D: {type: driver, of: joint.O.angle, is: 60 deg + t}\nsimulate")
        self.assertRegex(self.check(driven).out, r"verdict +fine\n")
        rail = ("crank: mechanism\ndimension: 2\nbodies: {cart: {mass: 1, inertia: 1}}\njoints: {rail: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
                "nonholonomic: {speed: body.cart.vx - %s}\n")
        for speed, told in ("3", False), ("1e-3", False), ("0", True):
            self.assertEqual("nothing can move" in self.check(rail % speed).out, told)

    def test_loops_that_rounded_numbers_keep_from_closing_are_told_what_to_write(self):
        """Two hinges of a door, one of them off by little, and by much."""
        door = ("crank: mechanism\nbodies: {door: {mass: 20, shape: {box: [0.8, 0.04, 2]}, position: [0.4, 0, 1]}}\njoints:\n"
                "  low: {type: revolute, between: [ground, door], at: {first: [0, 0, 0.2], second: [-0.4, 0, -0.8]}, axis: [0, 0, 1]}\n"
                "  high: {type: revolute, between: [ground, door], at: {first: [0, 0, 1.8], second: [-0.4, %s, 0.8]}, axis: [0, 0, 1]}\n")
        for off, told in ("0.0001", True), ("0.05", False):
            said = self.check(door % off, MODEL)
            self.assertIn("stays open by " + off, said.err)
            self.assertEqual("sqrt(3)/2, not 0.866" in said.err, told)

    def test_given_velocities_that_joints_do_not_permit_are_told(self):
        slider = ("crank: mechanism\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1, position: [0, 0], velocity: [%s], rate: %s}}\n"
                  "joints: {g: {type: prismatic, between: [ground, b], at: [0, 0], axis: [0, 1]}}\n")
        for velocity, rate, told in (("0, 2", 0, None), ("0.5, 2", 0, None), ("15, 0", 0, "body.b.vx starts at 0, the file gives 15"),
                                     ("0, 2", 3, "body.b.rate starts at 0, the file gives 3")):
            with self.subTest(velocity=velocity, rate=rate):
                out = self.check(slider % (velocity, rate)).out
                if told is None:
                    self.assertRegex(out, r"verdict +fine\n")
                else:
                    self.assertRegex(out, r"verdict +fine, but mind:\n +" + told)

    def test_placed_bodies_that_conditions_move_far_are_told(self):
        text = four_bar() + "initial: {joints: {O: {angle: %s deg}}}\n"
        self.assertRegex(self.check(text % 65).out, r"verdict +fine\n")
        out = self.check(text % 110).out
        self.assertRegex(out, r'verdict +fine, but mind:\n +body "crank" starts \S+ away and turned by 50 deg from where the '
                              r"file puts it\n")

    def test_works_of_the_energy_balance_are_no_dynamic_variables(self):
        out = self.check(DOOR + "energy: true\nforces: {d: {type: torsion, joint: hinge1, damping: 1}}\n"
                                "dynamic: {heat: {rate: 1}}\n").out
        self.assertIn("1 dynamic variable, 1 integral of work", out)

    def test_bricard_has_one_redundant_row(self):
        out = self.model("bricard/bricard.yaml")
        self.assertIn("29 of 30 holonomic", out)
        self.assertIn("1 degree of freedom in position, 1 in velocity", out)
        self.assertRegex(out, r'redundant +joint "P6": rotation about \S+ repeats "P1", "P2", "P3", "P4" and "P5"\n')

    def test_large_mechanism_is_examined_in_little_time(self):
        out = self.model("four-bar/four-bar.yaml", "--set", "N=2000")  # 60 s are the limit
        self.assertRegex(out, r"loops +2000 independent loops")
        self.assertIn("1 degree of freedom in position", out)
        self.assertIn("agree with differences", out)


class Init(CommandTest):
    def test_consistent_values_stay(self):
        result = self.expect(DONE, "init", self.write(PENDULUM))
        for line in result.out.splitlines():
            self.assertFalse(line.startswith(("x ", "y ", "vx ", "vy ")), line)

    def test_rough_values_move_by_the_smallest_change(self):
        result = self.expect(DONE, "init", self.write(PENDULUM), "--set", "x=1.5", "--set", "y=0")
        line = [line.split() for line in result.out.splitlines() if line.startswith("x ")][0]
        self.assertEqual(line[:3], ["x", "preferred", "1.5"])
        self.assertAlmostEqual(float(line[3]), 1.0, delta=1e-12)
        self.assertAlmostEqual(float(line[4]), -0.5, delta=1e-4)

    def test_all_lists_everything(self):
        out = self.expect(DONE, "init", self.write(PENDULUM), "--all").out
        self.assertEqual([line.split()[0] for line in out.splitlines()[1:]],
                         ["lambda.length", "vx", "vy", "x", "y"])

    def test_contradictory_fixed_values_exit_3(self):
        text = PENDULUM.replace("{x: {start: 1}, y: {start: 0}}",
                                "{x: {start: 1, fixed: true}, y: {start: 1, fixed: true}}")
        self.expect(MODEL, "init", self.write(text), says=("model.yaml:3:14:", "fixed start values of x and y"))

    def constraint(self, text):
        """One free position and one constraint on it."""
        return self.write("crank: equations\npositions: {x: {start: 1, free: true}}\n"
                          f"velocities: {{vx: {{of: x}}}}\nmass: [[1]]\nforces: [0]\nholonomic: {{a: {text}}}\n")

    def test_free_value_far_from_the_constraint_is_not_called_consistent(self):
        name = self.constraint("atan(x) + 0.0001*x - 3")
        self.expect(DONE, "init", name, says="the given values are not consistent")
        self.assertIn("not consistent", self.expect(DONE, "check", name).out)

    def test_multipliers_alone_do_not_make_values_inconsistent(self):
        self.expect(DONE, "init", self.write(PENDULUM.replace("start: 1}, y: {start: 0", "start: 0}, y: {start: -1")),
                    says="the given values are consistent")

    def test_root_at_infinity_is_no_root(self):
        for text in ("exp(x)", "1/x", "exp(-x^2)", "1/(1 + x^2)"):
            self.expect(MODEL, "init", self.constraint(text),
                        says=("model.yaml:6:13: no consistent initial values", 'holonomic "a"', "x runs away"))

    def test_multiple_root_is_a_root(self):
        # the residual 1e-12 is reached at a distance of its third root
        out = self.expect(DONE, "init", self.constraint("(x - 0.25)^3")).out
        self.assertAlmostEqual(float(out.splitlines()[-1].split()[3]), 0.25, delta=1e-3)


class InitMechanism(CommandTest):
    def moved(self, out):
        """Bodies of the first table: distance and angle."""
        lines = [line for line in out.splitlines() if line.startswith('body "')]
        return {line.split('"')[1]: [float(x) for x in line.split('"')[2].split()[:2]] for line in lines}

    def found(self, out):
        """Names of the second table: consistent values."""
        lines = [line.split() for line in out.splitlines() if line.startswith("body.")]
        return {line[0]: float(line[2]) for line in lines}

    def test_roughly_placed_four_bar_is_assembled(self):
        out = self.expect(DONE, "init", self.write(four_bar()), says="the given values are not consistent").out
        moved, x = self.moved(out), self.found(out)
        self.assertEqual(set(moved), {"crank", "coupler", "rocker"})
        for distance, angle in moved.values():
            self.assertLess(distance, 0.7)
            self.assertLess(angle, 0.6)
        ends = {name: [(x[f"body.{name}.x"] + side*length/2*math.cos(x[f"body.{name}.angle"]),
                        x[f"body.{name}.y"] + side*length/2*math.sin(x[f"body.{name}.angle"])) for side in (-1, 1)]
                for name, length in (("crank", 1), ("coupler", 3), ("rocker", 2.5))}
        for one, other in (((0, 0), ends["crank"][0]), (ends["crank"][1], ends["coupler"][0]),
                           (ends["coupler"][1], ends["rocker"][1]), (ends["rocker"][0], (3.5, 0))):
            self.assertLess(math.dist(one, other), 1e-14)

    def test_fixed_body_stays(self):
        out = self.expect(DONE, "init", self.write(four_bar(more=", fixed: [position, angle]"))).out
        self.assertEqual(set(self.moved(out)), {"coupler", "rocker"})

    def test_links_too_short_say_at_which_joint_and_by_how_much(self):
        self.expect(MODEL, "init", self.write(four_bar(coupler=1, rocker=1.2)),
                    says=('model.yaml:1', 'joint "', "cannot be closed: it stays open by 0.3 while the other joints are closed"))

    def test_driver_that_asks_for_what_the_loop_cannot_do_is_named(self):
        """A boom lifted by a cylinder whose whole length, 2.9, is prescribed instead of what it changes by."""
        self.expect(MODEL, "init", self.write("""\
crank: mechanism
dimension: 2
bodies:
  boom: {mass: 1500, inertia: 3500, position: [2.3, 3.2]}
  barrel: {mass: 100, inertia: 15, position: [1.05, 1.7]}
  rod: {mass: 60, inertia: 10, position: [1.85, 2.7]}
joints:
  foot: {type: revolute, between: [ground, boom], at: [0, 1.6]}
  base: {type: revolute, between: [ground, barrel], at: [0.6, 1.0]}
  eye: {type: revolute, between: [boom, rod], at: [2.3, 3.4]}
  cylinder: {type: prismatic, between: [barrel, rod], at: [1.45, 2.2], axis: [1.7, 2.4]}
  lift: {type: driver, of: joint.cylinder.length, is: 2.9 + t}
simulate: {t_end: 1}
"""), says=("cannot be closed", 'change what joint "lift" prescribes (without it all joints close'))
        driver = "  d: {type: driver, of: joint.O.angle, is: t}\nsimulate:"
        result = self.expect(MODEL, "init", self.write(four_bar(coupler=1, rocker=1.2).replace("simulate:", driver)))
        self.assertNotIn("prescribes", result.err)  # links too short: the driver is not to blame

    def test_consistent_mechanism_stays(self):
        out = self.expect(DONE, "init", self.write(DOOR), says="the given values are consistent").out
        self.assertIn("no body moved", out)
        self.assertIn("nothing moved", out)

    def test_far_start_is_refused(self):
        self.expect(MODEL, "init", self.write(four_bar(angles=(60, -120, 70))),
                    says=("far from what the joints ask for", "closer start"))


main()
