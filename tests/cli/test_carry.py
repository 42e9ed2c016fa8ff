"""Start velocities of bodies of which nothing is given: carried along joints, bushings and torsion springs."""
# SPDX-License-Identifier: BSD-3-Clause
from command import DONE, CommandTest, main

# a hull with an arm on a bushing and a wheel on the arm; HULL: how it moves, ARM: what is said of the arm
CAR = """\
crank: mechanism
parameters: {L: 1, m: 1}
bodies:
  hull: {mass: 1000*m, inertia: [300*m*L^2, 900*m*L^2, 900*m*L^2], position: [0, 0, 0.5*L], HULL}
  arm: {mass: 8*m, inertia: [0.1*m*L^2, 0.3*m*L^2, 0.3*m*L^2], position: [0.3*L, 0.6*L, 0.4*L]ARM}
  wheel: {mass: 20*m, inertia: [0.6*m*L^2, m*L^2, 0.6*m*L^2], position: [0.6*L, 0.7*L, 0.3*L]}
joints: {hub: {type: revolute, between: [arm, wheel], at: [0.6*L, 0.7*L, 0.3*L], axis: [0, 1, 0]}}
forces:
  mount: {type: bushing, between: [ENDS], at: [0, 0.6*L, 0.5*L], stiffness: [1e6, 1e6, 1e6, 1e3, 1e3, 1e3]}
simulate: {t_end: 0.0001, points: 1}
"""
# two shafts with a gear between them, a flywheel in a bearing of its own behind a torsion spring; WHEEL: what is said of it,
# TWIST: the spring, MORE: another force
TRAIN = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies:
  motor: {mass: 1, inertia: 0.1*L^2, position: [0, 0], rate: 100}
  shaft: {mass: 1, inertia: 0.1*L^2, position: [L, 0]}
  wheel: {mass: 9, inertia: 2*L^2, center: [0.1*L, 0.05*L], position: [L, 0]WHEEL}
joints:
  first: {type: revolute, between: [ground, motor], at: [0, 0]}
  second: {type: revolute, between: [ground, shaft], at: [L, 0]}
  third: {type: revolute, between: [ground, wheel], at: [L, 0]}
  gear: {type: gear, joints: [first, second], ratio: -2}
forces:
  twist: {type: torsion, between: [shaft, wheel], TWIST}
MORE
simulate: {t_end: 1e-9, points: 1}
"""
# a rotor in a frame that turns in the ground; JOINTS in either order
GIMBAL = """\
crank: mechanism
bodies:
  frame: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  rotor: {mass: 5, inertia: [2, 1, 1], position: [0, 0, 0], angular_velocity: [50, 0, 0]}
joints:
JOINTS
simulate: {t_end: 0.0001, points: 1}
"""
BEARINGS = ("  outer: {type: revolute, between: [ground, frame], at: [0, 0, 0], axis: [0.6, 0.8, 0]}\n",
            "  inner: {type: revolute, between: [frame, rotor], at: [0, 0, 0], axis: [1, 0, 0]}\n")
# a shaft whose centre of mass is beside its bearing in a block
BLOCK = """\
crank: mechanism
dimension: 2
bodies:
  block: {mass: 100, inertia: 10, position: [0, 0]}
  shaft: {mass: 10, inertia: 0.1, position: [0.2, 0.1], rate: 100}
joints: {main: {type: revolute, between: [block, shaft], at: [0.25, 0.1]}}
forces:
  mount: {type: bushing, between: [ground, block], at: [0, 0], stiffness: [1e6, 1e6, 1e3]}
simulate: {t_end: 1e-9, points: 1}
"""


# a double wishbone on bushings
WISHBONE = """\
crank: mechanism
bodies:
  chassis: {mass: 1000, inertia: [400, 1500, 1500], position: [0, 0, 0.5], velocity: [15, 0, 0]}
  lower: {mass: 7, inertia: [0.12, 0.08, 0.18], position: [0, 0.53, 0.2]ARM}
  upper: {mass: 3, inertia: [0.04, 0.03, 0.06], position: [0, 0.55, 0.5]ARM}
  upright: {mass: 15, inertia: [0.3, 0.3, 0.15], position: [0, 0.70, 0.3]}
  wheel: {mass: 20, inertia: [0.55, 0.95, 0.55], position: [0, 0.76, 0.3], angular_velocity: [0, 50, 0]WHEEL}
joints:
  low: {type: spherical, between: [lower, upright], at: [0, 0.7, 0.2]}
  high: {type: spherical, between: [upper, upright], at: [0, 0.7, 0.5]}
  hub: {type: revolute, between: [upright, wheel], at: [0, 0.76, 0.3], axis: [0, 1, 0]}
forces:
  a: {type: bushing, between: [chassis, lower], at: [0.18, 0.35, 0.2], stiffness: [1e6, 4e6, 4e6, 300, 2000, 2000]}
  b: {type: bushing, between: [chassis, lower], at: [-0.18, 0.35, 0.2], stiffness: [1e6, 4e6, 4e6, 300, 2000, 2000]}
  c: {type: bushing, between: [chassis, upper], at: [0.12, 0.42, 0.5], stiffness: [1e6, 4e6, 4e6, 300, 2000, 2000]}
  d: {type: bushing, between: [chassis, upper], at: [-0.12, 0.42, 0.5], stiffness: [1e6, 4e6, 4e6, 300, 2000, 2000]}
simulate: {t_end: 1e-9, points: 1}
"""

# a sun that only the teeth of three planets hold, and a rotor behind a torsion spring or a damper; CARRIER, ROTOR: their rates, LAW: of the spring
SUN = """\
crank: mechanism
dimension: 2
parameters: {rs: 0.024, rp: 0.018, rr: rs + 2*rp, r: rs + rp}
bodies:
  carrier: {mass: 5, inertia: 0.02, position: [0, 0]CARRIER}
  sun:     {mass: 1, inertia: 0.001, position: [0, 0]}
  rotor:   {mass: 3, inertia: 0.05, position: [0, 0]ROTOR}
repeat:
  count: 3
  let: {"a{i}": i*120 deg}
  bodies:
    p{i}: {mass: 0.5, inertia: 0.0003, position: ["r*cos(a{i})", "r*sin(a{i})"]}
  joints:
    pin{i}: {type: revolute, between: [carrier, "p{i}"], at: ["r*cos(a{i})", "r*sin(a{i})"]}
    sm{i}: {type: mesh, between: [sun, "p{i}"], radii: [rs, rp]}
    rm{i}: {type: mesh, between: ["p{i}", ground], radii: [rp, -rr]}
joints:
  shaft:   {type: revolute, between: [ground, carrier], at: [0, 0]}
  bearing: {type: revolute, between: [ground, rotor], at: [0, 0]}
forces:
  coupling: {type: torsion, between: [rotor, sun], LAW}
simulate: {t_end: 1e-9, points: 1}
"""
# a motor behind a torsion spring, a carrier whose rate is given; the ring follows
PLANETARY = """\
crank: mechanism
dimension: 2
bodies:
  motor:  {mass: 12, inertia: 0.05, position: [0, 0], rate: 150}
  sun:    {mass: 1, inertia: 0.001, position: [0, 0]}
  planet: {mass: 1, inertia: 0.001, position: [0.063, 0]}
  ring:   {mass: 1, inertia: 0.01, position: [0, 0]}
  carrier: {mass: 1, inertia: 0.01, position: [0, 0], rate: RATE}
joints:
  bm: {type: revolute, between: [ground, motor], at: [0, 0]}
  bs: {type: revolute, between: [ground, sun], at: [0, 0]}
  br: {type: revolute, between: [ground, ring], at: [0, 0]}
  bc: {type: revolute, between: [ground, carrier], at: [0, 0]}
  pin: {type: revolute, between: [carrier, planet], at: [0.063, 0]}
  sp: {type: mesh, between: [sun, planet], radii: [0.036, 0.027]}
  pr: {type: mesh, between: [planet, ring], radii: [0.027, -0.09], flank: cw}
forces: {shaft: {type: torsion, between: [motor, sun], stiffness: 8000, damping: 4}}
simulate: {t_end: 1e-9, points: 1}
"""


class Carry(CommandTest):
    def begin(self, text, *more):
        """the first row by name, and what was warned of"""
        done = self.expect(DONE, "run", self.write(text), *more)
        names, rows = self.table(done.out)
        return dict(zip(names, rows[0])), done.err

    def velocities(self, x, body):
        return [x["body.%s.%s" % (body, name)] for name in ("vx", "vy", "vz", "wx", "wy", "wz")]

    def test_bodies_on_bushings_start_with_what_carries_them(self):
        """As one rigid body, whichever body comes first, in all units; nothing is warned of."""
        for ends in ("hull, arm", "arm, hull"):
            for L, m in ((1, 1), (1e3, 1e-3)):
                with self.subTest(ends=ends, L=L):
                    text = CAR.replace("HULL", "velocity: [10*L, 0, 0], angular_velocity: [0, 0, 0.3]").replace("ARM", "").replace("ENDS", ends)
                    x, said = self.begin(text, "--set", "L=%g" % L, "--set", "m=%g" % m)
                    self.assertNotIn("warning", said)
                    for body, place in (("hull", (0, 0)), ("arm", (0.3, 0.6)), ("wheel", (0.6, 0.7))):
                        for value, right in zip(self.velocities(x, body), ((10 - 0.3*place[1])*L, 0.3*place[0]*L, 0, 0, 0, 0.3)):
                            self.assertAlmostEqual(value, right, delta=1e-12*max(1, L))

    def test_driven_rack_turns_the_knuckle_and_leaves_the_arm_at_rest_on_the_bushing_to_a_car(self):
        """As with the bushing on the ground, whichever end comes first; the knuckle turns about its ball."""
        for mount in ("ground, arm", "car, arm", "arm, car"):
            for L in (1, 1e3):
                with self.subTest(mount=mount, L=L):
                    x, said = self.begin("""\
crank: mechanism
dimension: 2
parameters: {L: 1}
bodies:
  car: {mass: 100, inertia: 10*L^2, position: [0, 0]}
  arm: {mass: 1, inertia: 0.01*L^2, position: [0.5*L, 0]}
  knuckle: {mass: 1, inertia: 0.01*L^2, position: [L, 0]}
  rack: {mass: 1, inertia: 0.01*L^2, position: [0.5*L, 0.1*L]}
joints:
  heave: {type: prismatic, between: [ground, car], at: [0, 0], axis: [0, 1]}
  ball: {type: revolute, between: [arm, knuckle], at: [L, 0]}
  guide: {type: prismatic, between: [car, rack], at: [0.5*L, 0.1*L], axis: [1, 0], drive: L*t}
  rod: {type: distance, between: [rack, knuckle], at: [[0.5*L, 0.1*L], [L, 0.1*L]]}
forces:
  mount: {type: bushing, between: [MOUNT], at: [0, 0], stiffness: [1e6, 1e6, 1e3*L^2]}
simulate: {t_end: 1e-9, points: 1}
""".replace("MOUNT", mount), "--set", "L=%g" % L)
                    self.assertNotIn("warning", said)
                    for name, right in (("car.vy", 0), ("arm.vx", 0), ("arm.vy", 0), ("arm.rate", 0), ("rack.vx", L), ("knuckle.rate", -10)):
                        self.assertAlmostEqual(x["body." + name], right, delta=1e-9*max(1, L), msg=name)

    def test_wheel_with_a_given_spin_does_not_turn_the_arms_on_bushings(self):
        for arm in ("", ", angular_velocity: [0, 0, 0]"):
            for wheel in ("", ", velocity: [15, 0, 0]"):
                with self.subTest(arm=arm, wheel=wheel):
                    x, said = self.begin(WISHBONE.replace("ARM", arm).replace("WHEEL", wheel))
                    self.assertNotIn("warning", said)
                    for body in ("chassis", "lower", "upper", "upright", "wheel"):
                        for value, right in zip(self.velocities(x, body), (15, 0, 0, 0, 50 if body == "wheel" else 0, 0)):
                            self.assertAlmostEqual(value, right, delta=1e-12)

    def test_velocities_that_are_given_stay_and_what_hangs_on_them_follows(self):
        text = CAR.replace("HULL", "velocity: [10, 0, 0]").replace("ARM", ", velocity: [0, 0, 0], angular_velocity: [0, 0, 0]").replace("ENDS", "hull, arm")
        x, said = self.begin(text)
        self.assertEqual(self.velocities(x, "arm") + self.velocities(x, "wheel"), [0]*12)
        self.assertNotIn("warning", said)

    def test_load_on_a_rope_moves_along_with_the_boom_that_turns(self):
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  boom: {mass: 10, inertia: [1, 1, 1]}
  load: {type: point, mass: 5, position: [2, 0, 1.5]MORE}
joints:
  slew: {type: revolute, between: [ground, boom], at: {first: [0, 0, 3], second: [0, 0, 0]}, axis: [0, 0, 1]DRIVE}
  rope: {type: distance, between: [boom, load], at: {first: [2, 0, 0], second: [0, 0, 0]}, length: 1.5}
TAG
START
simulate: {t_end: 1e-6, points: 1}
"""
        driven = (", drive: 0.5*t", ""), ("", "initial: {joints: {slew: {angle_rate: 0.5}}}")
        tag = "  tag: {type: distance, between: [ground, load], at: {first: [4, 0, 1.5], second: [0, 0, 0]}}"
        for drive, start in driven:  # the rope alone; a rope to the ground besides; a velocity that is given
            for more, line, vy in (("", "", 1), ("", tag, 0), (", velocity: [0, 0, 0]", "", 0)):
                whole = text.replace("DRIVE", drive).replace("START", start).replace("MORE", more).replace("TAG", line)
                names, rows = self.run_model(whole.replace("\n\n", "\n"))
                x = dict(zip(names, rows[0]))
                self.assertAlmostEqual(x["body.load.vy"], vy, delta=1e-12, msg=(drive, more, line))
                self.assertAlmostEqual(x["body.load.vx"], 0, delta=1e-12)
                self.assertAlmostEqual(x["body.boom.wz"], 0.5, delta=1e-12)

    def test_upright_on_five_rods_moves_along_with_its_chassis(self):
        rods = ((0.2, 0.3, 0.2, 0.02, 0.7, 0.2), (-0.2, 0.3, 0.2, -0.02, 0.7, 0.2), (0.15, 0.4, 0.5, 0.02, 0.65, 0.5),
                (-0.15, 0.4, 0.5, -0.02, 0.65, 0.5), (-0.14, 0.35, 0.25, -0.14, 0.7, 0.25))
        text = ("crank: mechanism\nbodies:\n  chassis: {mass: 1000, inertia: [300, 900, 900], position: [0, 0, 0.5], velocity: [20, 0, 0], "
                "angular_velocity: [0, 0, 0.3]}\n  upright: {mass: 14, inertia: [0.3, 0.25, 0.15], position: [0, 0.75, 0.3]}\njoints:\n"
                + "".join("  r%d: {type: distance, between: [chassis, upright], at: [[%g, %g, %g], [%g, %g, %g]]}\n" % ((i, ) + r)
                          for i, r in enumerate(rods)) + "simulate: {t_end: 1e-6, points: 1}\n")
        names, rows = self.run_model(text)
        x = dict(zip(names, rows[0]))
        for name, value in (("vx", 20 - 0.3*0.75), ("vy", 0), ("vz", 0), ("wx", 0), ("wy", 0), ("wz", 0.3)):
            self.assertAlmostEqual(x["body.upright." + name], value, delta=1e-9, msg=name)

    def test_bushing_that_holds_less_than_half_the_freedoms_carries_nothing(self):
        text = CAR.replace("HULL", "velocity: [10, 0, 0]").replace("ARM", "").replace("ENDS", "hull, arm").replace("1e6, 1e6, 1e6, 1e3, 1e3, 1e3", "0, 0, 1e6, 0, 0, 0")
        self.assertEqual(self.velocities(self.begin(text)[0], "arm"), [0]*6)

    def test_body_that_bushings_hold_to_the_ground_and_to_a_moving_one_is_named(self):
        text = CAR.replace("HULL", "velocity: [10, 0, 0]").replace("ARM", "").replace("ENDS", "hull, arm").replace(
            "simulate", "  pole: {type: bushing, between: [ground, arm], at: [0, 0.6, 0.5], stiffness: [1e6, 1e6, 1e6, 1e3, 1e3, 1e3]}\nsimulate")
        x, said = self.begin(text)
        self.assertEqual(self.velocities(x, "arm"), [0]*6)
        self.assertIn('body "arm" starts at rest', said)
        self.assertIn('force "mount" connects it to body "hull", which moves with a speed of 10', said)

    def test_flywheel_behind_a_torsion_spring_turns_with_its_shaft(self):
        """Its centre of mass lies beside its axis, so that the bearing moves it; the shaft's speed follows from a gear."""
        for twist in ("stiffness: 6e4, damping: 8", "law: 6e4*angle + 8*rate", "table: [[-1, -6e4], [1, 6e4]]"):
            for L in (1, 1e-3):
                with self.subTest(twist=twist, L=L):
                    x, said = self.begin(TRAIN.replace("WHEEL", "").replace("TWIST", twist).replace("MORE", ""), "--set", "L=%g" % L)
                    self.assertAlmostEqual(abs(x["body.shaft.rate"]), 200, delta=1e-10)
                    self.assertAlmostEqual(x["body.wheel.rate"], x["body.shaft.rate"], delta=1e-10)
                    self.assertAlmostEqual(x["body.wheel.vx"], 0, delta=1e-11*L)  # of its origin, on the axis
                    self.assertNotIn("warning", said)

    def test_dampers_and_given_rates_leave_a_flywheel_at_rest(self):
        for wheel, twist in (("", "damping: 8"), ("", "law: 8*rate"), (", rate: 0", "stiffness: 6e4")):
            with self.subTest(wheel=wheel, twist=twist):
                x, said = self.begin(TRAIN.replace("WHEEL", wheel).replace("TWIST", twist).replace("MORE", ""))
                self.assertAlmostEqual(x["body.wheel.rate"], 0, delta=1e-20)
                self.assertNotIn("warning", said)

    def test_flywheel_that_springs_hold_to_the_ground_as_well_is_named(self):
        text = TRAIN.replace("WHEEL", "").replace("TWIST", "stiffness: 6e4").replace("MORE", "  stop: {type: torsion, between: [ground, wheel], stiffness: 1e4}")
        x, said = self.begin(text)
        self.assertAlmostEqual(x["body.wheel.rate"], 0, delta=1e-20)
        self.assertIn('body "wheel" starts at rest', said)
        self.assertIn("turns with a rate of 200", said)

    def test_rotor_behind_a_floating_sun_turns_with_it_and_carries_nothing(self):
        """1 + rr/rs = 3.5. A damper leaves the rotor at rest, and what its rate is is no matter for the sun."""
        for carrier, rotor, law, rates in ((", rate: 10", "", "stiffness: 1000", (10, 35, 35)), ("", ", rate: 35", "stiffness: 1000", (10, 35, 35)),
                                           (", rate: 10", "", "damping: 2", (10, 35, 0)), (", rate: 10", ", rate: 7", "damping: 2", (10, 35, 7))):
            with self.subTest(carrier=carrier, rotor=rotor, law=law):
                x, _ = self.begin(SUN.replace("CARRIER", carrier).replace("ROTOR", rotor).replace("LAW", law))
                for body, rate in zip(("carrier", "sun", "rotor"), rates):
                    self.assertAlmostEqual(x["body.%s.rate" % body], rate, delta=1e-10)

    def test_given_rate_stays_where_what_springs_turn_is_geared_to_it(self):
        """Willis: with the carrier as frame the ring turns by -0.036/0.09 of the sun. A small rate that is given is no dead centre."""
        for rate in (0, 1e-4, 1):
            x, said = self.begin(PLANETARY.replace("RATE", "%g" % rate))
            self.assertAlmostEqual(x["body.carrier.rate"], rate, delta=1e-10)
            self.assertAlmostEqual(x["body.sun.rate"], 150, delta=1e-10)
            self.assertAlmostEqual(x["body.ring.rate"], rate - 0.4*(150 - rate), delta=1e-9)
            self.assertNotIn("dead centre", said)

    def test_spring_changes_no_rate_that_is_given(self):
        """A shaft geared to a motor of given rate, and a wheel of another one behind a spring: all stay."""
        x, _ = self.begin(TRAIN.replace("WHEEL", ", rate: 50").replace("TWIST", "stiffness: 6e4").replace("MORE\n", ""))
        for body, rate in (("motor", 100), ("shaft", -200), ("wheel", 50)):
            self.assertAlmostEqual(x["body.%s.rate" % body], rate, delta=1e-10)

    def test_ring_on_a_crank_turns_with_it_to_rounding(self):
        """Also where the loop of a slider crank must be closed for the given rate."""
        x, _ = self.begin("""\
crank: mechanism
dimension: 2
bodies:
  crank:  {mass: 6, inertia: 0.02, position: [0, 0], angle: 20 deg, rate: 100}
  ring:   {mass: 2, inertia: 0.01, position: [0, 0]}
  rod:    {mass: 0.6, inertia: 0.001}
  piston: {mass: 0.5, inertia: 0.001}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0]}
  front: {type: revolute, between: [crank, ring], at: [0, 0]}
  pin: {type: revolute, between: [crank, rod], at: {first: [0.04, 0], second: [0, 0]}}
  gudgeon: {type: revolute, between: [rod, piston], at: {first: [0.14, 0], second: [0, 0]}}
  bore: {type: prismatic, between: [ground, piston], at: {first: [0, 0], second: [0, 0]}, axis: [1, 0]}
simulate: {t_end: 1e-9, points: 1}
""")
        self.assertEqual(x["body.crank.rate"], 100)
        self.assertAlmostEqual(x["joint.front.angle_rate"], 0, delta=1e-12)

    def test_rotor_does_not_carry_the_frame_that_it_turns_in(self):
        for joints in (BEARINGS, BEARINGS[::-1]):
            x, _ = self.begin(GIMBAL.replace("JOINTS\n", "".join(joints)))
            self.assertEqual(self.velocities(x, "frame"), [0]*6)
            self.assertEqual(self.velocities(x, "rotor"), [0, 0, 0, 50, 0, 0])

    def test_block_on_mounts_stays_at_rest_where_its_shaft_runs_out_of_centre(self):
        x, _ = self.begin(BLOCK)
        for name in ("vx", "vy", "rate"):
            self.assertAlmostEqual(x["body.block." + name], 0, delta=1e-14)
        self.assertAlmostEqual(x["body.shaft.rate"], 100, delta=1e-12)
        self.assertAlmostEqual(x["body.shaft.vy"], -5, delta=1e-12)  # its bearing is 0.05 beside it

    def test_given_velocities_that_are_consistent_stay_to_the_bit(self):
        """A crossbar of which only the translation is given, between bars that turn."""
        x, _ = self.begin("""\
crank: mechanism
dimension: 2
bodies:
  left: {mass: 1, inertia: 1, position: [0, 0.5], angle: 90 deg, velocity: [0.5, 0], rate: -1}
  right: {mass: 1, inertia: 1, position: [1, 0.5], angle: 90 deg, velocity: [0.5, 0], rate: -1}
  cross: {mass: 1, inertia: 1, position: [0.5, 1], velocity: [1, 0]}
joints:
  a: {type: revolute, between: [ground, left], at: [0, 0]}
  b: {type: revolute, between: [left, cross], at: [0, 1]}
  c: {type: revolute, between: [cross, right], at: [1, 1]}
  d: {type: revolute, between: [ground, right], at: [1, 0]}
simulate: {t_end: 1e-9, points: 1}
""")
        self.assertEqual([x["body.left.rate"], x["body.cross.vx"], x["body.cross.rate"]], [-1, 1, 0])


if __name__ == "__main__":
    main()
