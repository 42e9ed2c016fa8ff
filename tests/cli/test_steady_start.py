"""Steady starts and rests behind torsion springs: what conditions on accelerations change, and what stays."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import DONE, MODEL, CommandTest, main

# an engine's block on mounts, an unbalanced crank, a flywheel behind a torsion spring
BLOCK = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
parameters: {sag: 0}
bodies:
  block: {mass: 60, inertia: 2.5, position: [0, -sag], center: [0, 0.05]}
  crank: {mass: 8, inertia: 0.02, center: [0.02, 0]}
  fly:   {mass: 12, inertia: 0.18}
joints:
  main: {type: revolute, between: [block, crank], at: {first: [0, 0], second: [0, 0]}}
  flyb: {type: revolute, between: [block, fly], at: {first: [0, 0], second: [0, 0]}}
forces:
  spring: {type: torsion, between: [crank, fly], stiffness: 20000, damping: 3}
  m1: {type: bushing, between: [ground, block], at: {first: [-0.25, 0], second: [-0.25, 0]}, stiffness: [1e5, 2e5, 0], damping: [300, 600, 0]}
  m2: {type: bushing, between: [ground, block], at: {first: [0.25, 0], second: [0.25, 0]}, stiffness: [1e5, 2e5, 0], damping: [300, 600, 0]}
initial:
  joints: {main: {angle: ANGLE, angle_rate: 0}}
  r1: body.block.ax
  r2: body.block.ay
  r3: body.block.angle_acceleration
simulate: {t_end: 1e-9, points: 1}
"""
# a gearbox on mounts whose carrier turns: its planet stands elsewhere than it is placed
HOUSING = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
parameters: {a: 0.0675, Tin: 40}
bodies:
  housing: {mass: 60, inertia: 2, position: [0, 0]}
  sun:     {mass: 1, inertia: 6e-4}
  carrier: {mass: 4, inertia: 0.018}
  planet:  {mass: 0.7, inertia: 5e-4, position: [a, 0]}
  ring:    {mass: 5, inertia: 0.06}
joints:
  sb: {type: revolute, between: [housing, sun], at: {first: [0, 0], second: [0, 0]}}
  cb: {type: revolute, between: [housing, carrier], at: {first: [0, 0], second: [0, 0]}}
  rb: {type: fixed, between: [housing, ring], at: {first: [0, 0], second: [0, 0]}}
  pin: {type: revolute, between: [carrier, planet], at: {first: [a, 0], second: [0, 0]}}
  sm: {type: mesh, between: [sun, planet], radii: [0.03, 0.0375]}
  rm: {type: mesh, between: [planet, ring], radii: [0.0375, -0.105], flank: cw}
forces:
  in: {type: torque, body: sun, torque: Tin}
  out: {type: torque, body: carrier, torque: -Tin*4.5}
  m1: {type: bushing, between: [ground, housing], at: {first: [-0.3, -0.1], second: [-0.3, -0.1]}, stiffness: [1e5, 2e5, 0], damping: [300, 600, 0]}
  m2: {type: bushing, between: [ground, housing], at: {first: [0.3, -0.1], second: [0.3, -0.1]}, stiffness: [1e5, 2e5, 0], damping: [300, 600, 0]}
initial:
  joints: {cb: {angle: 30 deg, angle_rate: 50}}
  r1: body.housing.ax
  r2: body.housing.ay
  r3: body.housing.angle_acceleration
outputs: {a1: body.housing.ax, a2: body.housing.ay, a3: body.housing.angle_acceleration}
simulate: {t_end: 1e-9, points: 1}
"""
# a motor, a shaft, a fan; DRIVE, LOAD: on the motor and on the fan
FAN = """\
crank: mechanism
dimension: 2
bodies:
  motor: {mass: 1, inertia: 0.02}
  fan:   {mass: 1, inertia: 0.35}
joints:
  mb: {type: revolute, between: [ground, motor], at: [0, 0]}
  fb: {type: revolute, between: [ground, fan], at: [0, 0]}
forces:
  shaft: {type: torsion, between: [motor, fan], stiffness: 2000, damping: DAMPING}
  drive: DRIVE
  load:  {type: torque, body: fan, torque: LOAD}
initial: {INITIALs1: body.motor.angle_acceleration, s2: body.fan.angle_acceleration}
simulate: {t_end: 1e-9, points: 1}
"""
GOVERNOR = "{type: actuator, joint: mb, reference: 60, of: joint.mb.angle_rate, kp: 0.5, ki: 2}"
MOTOR = "{type: torque, body: motor, torque: 40*(2 - body.motor.rate/300)}"
# the same through a planetary gear
PLANETARY = """\
crank: mechanism
dimension: 2
parameters: {a: 0.0675}
bodies:
  motor:   {mass: 5, inertia: 0.02}
  sun:     {mass: 1, inertia: 6e-4}
  carrier: {mass: 4, inertia: 0.018}
  planet:  {mass: 0.7, inertia: 5e-4, position: [a, 0]}
  fan:     {mass: 10, inertia: 0.35}
joints:
  mb: {type: revolute, between: [ground, motor], at: {first: [0, 0], second: [0, 0]}}
  cb: {type: revolute, between: [ground, carrier], at: {first: [0, 0], second: [0, 0]}}
  sc: {type: revolute, between: [carrier, sun], at: {first: [0, 0], second: [0, 0]}}
  pin: {type: revolute, between: [carrier, planet], at: {first: [a, 0], second: [0, 0]}}
  sm: {type: mesh, between: [sun, planet], radii: [0.03, 0.0375]}
  rm: {type: mesh, between: [planet, ground], radii: [0.0375, -0.105], flank: cw}
  fb: {type: revolute, between: [ground, fan], at: {first: [0, 0], second: [0, 0]}}
forces:
  in: {type: torsion, between: [motor, sun], stiffness: 2000, damping: 0.5}
  out: {type: torsion, between: [carrier, fan], stiffness: 8000, damping: 2}
  drive: {type: torque, body: motor, torque: 40*(2 - body.motor.rate/300)}
  load: {type: torque, body: fan, torque: -0.02*body.fan.rate*abs(body.fan.rate)}
initial: {s1: body.motor.angle_acceleration, s2: body.fan.angle_acceleration, s3: body.carrier.angle_acceleration}
simulate: {t_end: 1e-9, points: 1}
"""
# a motor, a flexible shaft through a coupling, a fan in a block on a mount; the motor is out of balance
ON_MOUNT = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  block: {mass: 60, inertia: [2, 2.5, 3], position: [0, 0, 0]}
  motor: {mass: 1, inertia: [0.02, 0.02, 0.02], center: [0, 0.001, 0]}
  sun:   {mass: 1, inertia: [0.01, 0.01, 0.01]}
  fan:   {mass: 1, inertia: [0.35, 0.2, 0.2]}
joints:
  mb: {type: revolute, between: [block, motor], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [1, 0, 0], second: [1, 0, 0]}}
  fb: {type: revolute, between: [block, fan], at: {first: [1, 0, 0], second: [0, 0, 0]}, axis: {first: [1, 0, 0], second: [1, 0, 0]}}
  sb: {type: revolute, between: [block, sun], at: {first: [0.5, 0, 0], second: [0, 0, 0]}, axis: {first: [1, 0, 0], second: [1, 0, 0]}}
forces:
  shaft: {type: torsion, between: [motor, sun], axis: [1, 0, 0], stiffness: 2000, damping: 0.5}
  shaft2: {type: torsion, between: [sun, fan], axis: [1, 0, 0], stiffness: 3000, damping: 0.5}
  drive: {type: torque, between: [block, motor], torque: [40*(2 - joint.mb.angle_rate/300), 0, 0]}
  load:  {type: torque, between: [block, fan], torque: [-0.02*joint.fb.angle_rate*abs(joint.fb.angle_rate), 0, 0]}
  mount: {type: bushing, between: [ground, block], at: [0.4, 0, -0.2], stiffness: [1e5, 1e5, 1e5, 1e4, 1e4, 1e4], damping: [100, 100, 100, 10, 10, 10]}
initial:
  joints: {mb: {angle: 1}}
  s1: joint.mb.angle_acceleration
  s2: joint.fb.angle_acceleration
  s3: joint.sb.angle_acceleration
  b1: body.block.ax
  b2: body.block.ay
  b3: body.block.az
  b4: body.block.domega_x
  b5: body.block.domega_y
  b6: body.block.domega_z
simulate: {t_end: 1e-9, points: 1}
"""
# two motions that are given in a gear, a motor behind a spring at the third
RING = """\
crank: mechanism
dimension: 2
bodies:
  motor:   {mass: 1, inertia: 1}
  sun:     {mass: 1, inertia: 1}
  carrier: {mass: 1, inertia: 1}
  ring:    {mass: 1, inertia: 1}
  fan:     {mass: 1, inertia: 1}
joints:
  mb: {type: revolute, between: [ground, motor], at: [0, 0]}
  cb: {type: revolute, between: [ground, carrier], at: [0, 0]}
  sc: {type: revolute, between: [carrier, sun], at: [0, 0]}
  rc: {type: revolute, between: [carrier, ring], at: [0, 0]}
  rb: {type: revolute, between: [ground, ring], at: [0, 0]}
  fb: {type: revolute, between: [ground, fan], at: [0, 0]}
  set: {type: gear, joints: [sc, rc], ratio: -2/7}
forces:
SPRINGS
initial: {joints: {mb: {angle_rate: 300}, rb: {angle_rate: RATE}}}
simulate: {t_end: 1e-9, points: 1}
"""
SPRINGS = ["  s1: {type: torsion, between: [motor, sun], stiffness: 100}", "  s2: {type: torsion, between: [fan, carrier], stiffness: 100}"]
# a drum on a shaft that is held, a load on its rope; DRUM, SPRING: more of them
WINCH = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  shaft: {mass: 1, inertia: 0.01}
  drum:  {mass: 30, inertia: 0.3DRUM}
  load:  {mass: 50, inertia: 1, position: [0.15, -2]}
joints:
  sb:   {type: revolute, between: [ground, shaft], at: [0, 0], drive: 0}
  db:   {type: revolute, between: [ground, drum], at: [0, 0]}
  lift: {type: prismatic, between: [ground, load], at: {first: [0.15, ZERO], second: [0, 0]}, axis: [0, 1]}
  rope: {type: rack_and_pinion, joints: [db, lift], radius: 0.15}
forces:
  coup: {type: torsion, between: [shaft, drum], stiffness: 4000, damping: 20SPRING}
INITIAL
simulate: {t_end: 1e-9, points: 1}
"""


class SteadyStart(CommandTest):
    def begin(self, text, *more):
        """the first row by name, and what was warned of"""
        done = self.expect(DONE, "run", self.write(text), *more)
        names, rows = self.table(done.out)
        return dict(zip(names, rows[0])), done.err

    def quiet(self, text, *more):
        x, said = self.begin(text, *more)
        self.assertNotIn("warning", said)
        return x

    def near(self, x, delta=1e-8, **of):
        for name, value in of.items():
            name = name.replace("__", ".")
            self.assertAlmostEqual(x[name], value, delta=delta*max(1, abs(value)), msg=name)

    def test_rest_is_sought_where_no_spring_is_twisted(self):
        """The crank stands upright, its weight over the middle of the block: 80 kg sag by 785/4e5."""
        for sag in (0, 80*9.81/4e5):
            x = self.quiet(BLOCK.replace("ANGLE", "90 deg"), "--set", "sag=%.17g" % sag)
            self.near(x, body__block__x=0, body__block__y=-80*9.81/4e5, body__block__angle=0, body__fly__rate=0, body__crank__rate=0,
                      body__fly__angle=math.pi/2, body__block__vx=0, body__block__vy=0, force__spring__angle=0)

    def test_velocities_turn_along_with_bodies_that_conditions_turn(self):
        """The planet's velocity is another one where the housing has tilted; the housing rests all the same."""
        x = self.quiet(HOUSING)
        self.near(x, body__housing__vx=0, body__housing__vy=0, body__housing__rate=0, joint__cb__angle_rate=50, joint__sb__angle_rate=225,
                  joint__cb__angle=math.pi/6)
        self.near(x, 1e-6, a1=0, a2=0, a3=0)

    def test_conditions_on_accelerations_leave_the_speed_that_a_spring_hands_on(self):
        """At 60 rad/s the fan takes 72 N m: from the governor 2*36, through the shaft 2000*0.036."""
        for damping in ("0", "0.5"):
            for initial in ("joints: {mb: {angle_rate: 60}}, ", "joints: {mb: {angle_rate: 60}}, r: force.shaft.angle_rate, "):
                text = FAN.replace("DRIVE", GOVERNOR).replace("LOAD", "-1.2*body.fan.rate").replace("INITIAL", initial)
                with self.subTest(damping=damping, initial=initial):
                    x = self.quiet(text.replace("DAMPING", damping))
                    self.near(x, body__motor__rate=60, body__fan__rate=60, force__shaft__angle=-0.036, force__drive__integral=36)

    def test_speeds_that_nothing_gives_change_together_with_what_springs_connect(self):
        """40 (2 - w/300) = 0.02 w^2 = 1.2 w at w = 60; the relative rate may be asked for as well."""
        for damping in ("0", "0.5"):
            for load, speed in (("-0.02*body.fan.rate*abs(body.fan.rate)", 60), ("-1.2*body.fan.rate", 60)):
                for initial in ("", "r: force.shaft.angle_rate, "):
                    text = FAN.replace("DRIVE", MOTOR).replace("LOAD", load).replace("INITIAL", initial).replace("DAMPING", damping)
                    with self.subTest(damping=damping, load=load, initial=initial):
                        x = self.quiet(text)
                        self.near(x, body__motor__rate=speed, body__fan__rate=speed, force__shaft__angle=-0.036, force__shaft__angle_rate=0)

    def test_shaft_that_a_given_speed_winds_is_named(self):
        text = FAN.replace("DRIVE", MOTOR).replace("LOAD", "-0.02*body.fan.rate*abs(body.fan.rate)").replace("INITIAL", "").replace("DAMPING", "0.5")
        x, said = self.begin(text.replace("inertia: 0.35", "inertia: 0.35, position: [0, 0], rate: 20"))
        self.near(x, body__fan__rate=20)
        self.assertIn('force "shaft" is being wound', said)

    def test_a_condition_for_each_speed_finds_the_steady_motion_of_a_gear_between_flexible_shafts(self):
        """4.5^2 times (80/4.5 - 0.1333 w) drives the fan at w, which takes 0.02 w^2."""
        w = (math.sqrt(2.7**2 + 4*0.02*360) - 2.7)/0.04
        x = self.quiet(PLANETARY)
        self.near(x, 1e-7, body__motor__rate=4.5*w, body__sun__rate=4.5*w, body__carrier__rate=w, body__fan__rate=w, force__in__angle_rate=0,
                  force__out__angle=-0.02*w**2/8000)

    def test_a_block_on_mounts_does_not_turn_backwards_instead_of_its_motor(self):
        """Its mount gives by some hundredths of a radian, so that directions turn; speeds are those on a bench but for a weight out of balance."""
        x = self.quiet(ON_MOUNT)
        self.near(x, body__block__vx=0, body__block__vy=0, body__block__vz=0, body__block__wx=0, body__block__wy=0, body__block__wz=0)
        self.near(x, joint__mb__angle_rate=x["joint.fb.angle_rate"], joint__sb__angle_rate=x["joint.fb.angle_rate"], joint__mb__angle=1)
        self.near(x, 1e-3, joint__mb__angle_rate=60, force__shaft__angle=-0.036, force__shaft2__angle=-0.024)

    def test_steady_starts_are_steady_for_linearize(self):
        text = FAN.replace("DRIVE", MOTOR).replace("LOAD", "-1.2*body.fan.rate").replace("DAMPING", "0.5")
        for initial in ("", "r: force.shaft.angle_rate, "):
            done = self.expect(DONE, "linearize", self.write(text.replace("INITIAL", initial)))
            self.assertNotIn("steady", done.err)

    def test_rates_of_joints_determine_what_a_spring_turns_in_a_gear(self):
        """(sun - carrier) 2/7 = carrier - ring, with the sun at 300; the fan behind the carrier turns along."""
        for springs in (SPRINGS, SPRINGS[::-1]):
            for ring in (0, 20):
                with self.subTest(ring=ring, springs=springs[0]):
                    x = self.quiet(RING.replace("SPRINGS", "\n".join(springs)).replace("RATE", str(ring)))
                    carrier = (2*300 + 7*ring)/9
                    self.near(x, body__motor__rate=300, body__sun__rate=300, body__ring__rate=ring, body__carrier__rate=carrier,
                              body__fan__rate=carrier)

    def test_spring_that_the_assembly_winds_is_named_with_the_body(self):
        winch = WINCH.replace("ZERO", "0")
        def with_(text=winch, drum="", spring="", initial=""):
            return text.replace("DRUM", drum).replace("SPRING", spring).replace("INITIAL\n", initial)
        own = "initial: {joints: {lift: {length: -2}}}\n"
        for text in (with_(), with_(initial=own)): # without an angle it rests where it starts
            self.near(self.quiet(text), force__coup__angle=-40/3, force__coup__torque=0)
        winch = winch.replace("stiffness: 4000, damping: 20", "law: 4000*angle + 20*rate")
        for text in (with_(winch), with_(winch, initial=own)):
            x, said = self.begin(text)
            self.near(x, force__coup__angle=-40/3, force__coup__torque=-4000*40/3)
            self.assertIn('force "coup" starts twisted by -13.3 rad: joints turn body "drum"', said)
        for text in (with_(spring=", angle: -40/3"), with_(WINCH.replace("ZERO", "-2")), with_(initial="initial: {joints: {db: {angle: -40/3}}}\n"),
                     with_(initial="initial: {w: force.coup.angle + 40/3}\n")):
            self.quiet(text)

    def test_conditions_that_oppose_each_other_are_named_without_balances_of_forces(self):
        text = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies: {crank: {mass: 8, inertia: 0.02, center: [0.02, 0]}}
joints: {main: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [0, 0]}}}
initial:
  joints: {main: {angle: 60 deg, angle_rate: 0}}
  r5: body.crank.angle_acceleration
"""
        said = self.expect(MODEL, "init", self.write(text), says='initial condition "joint.main.angle" and initial condition "r5"').err
        self.assertNotIn("dynamic equation", said)
        self.assertNotIn("angle_rate", said)


if __name__ == "__main__":
    main()
