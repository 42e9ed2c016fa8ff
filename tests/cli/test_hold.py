"""What a start holds: conditions that share variables, servos at rest, wheels and rods that turn by themselves, values that jump there."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import DONE, CommandTest, main

# a block held against its weight of 1000 N by FORCE
BLOCK = """\
crank: mechanism
dimension: 2
gravity: [0, -10]
bodies: {block: {mass: 100, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, block], at: {first: [0, 0], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}}
FORCE
initial:
  joints: {guide: {length: 0, length_rate: 0}}
  calm: joint.guide.length_acceleration
  HOLD
simulate: {t_end: 0.1, points: 1}
"""
VARIABLES = """\
dynamic:
  F: {free: true, rate: (2e4*I - F)/0.02}
  I: {free: true, rate: -body.block.y}
forces: {lift: {type: force, body: block, force: [0, F]}}
outputs: {out_F: F, out_I: I}"""
SERVO = "forces: {servo: {type: actuator, joint: guide, reference: 0, kp: 4e4, kd: 4000, ki: 2e4, lag: 0.02MORE}}"
DRIVEN = """\
crank: mechanism
dimension: 2
parameters: {T: 1}
bodies: {arm: {mass: 2, inertia: 3, position: [0, 0]}}
joints: {h: {type: revolute, between: [ground, arm], at: [0, 0], drive: "DRIVE"}}
outputs: {acc: body.arm.angle_acceleration}
simulate: {t_end: 2, every: 0.5}
"""
# the same by formulas, of mass 2
FORMULAS = """\
crank: equations
parameters: {T: 1}
positions: {x: 0}
velocities: {v: {of: x}}
mass: [[2]]
forces: [0]
holonomic: {drive: "x - (DRIVE)"}
outputs: {acc: acceleration.v, push: -lambda.drive}
simulate: {t_end: 2, every: 0.5}
"""
CORNER = """\
crank: mechanism
title: Double wishbone corner 2 (SI), bodies along their joints
gravity: [0, 0, -9.81]
energy: true
parameters: {k: 60e3, c: 3000, kt: 2e5, R0: 0.329, v: 15, tilt: 3 deg}
bodies:
  chassis: {mass: 350, inertia: [20, 30, 30], center: [-0.05, 0.1, 0.5], position: [0, 0, 0], velocity: [0, 0, 0], fixed: [velocity]}
  lower:   {mass: 8, inertia: [0.12, 0.08, 0.18], center: [0.02, 0.165, -0.01], orientation: {axis: [1, 0, 0], angle: -5 deg}, free: [position, orientation]}
  upper:   {mass: 4, inertia: [0.03, 0.02, 0.05], center: [0, 0.115, 0.01], orientation: {axis: [1, 0, 0], angle: 5 deg}, free: true}
  upright: {mass: 12, position: [0, 0.73, 0.31],  inertia: [0.15, 0.12, 0.06]}
  wheel:   {mass: 20, position: [0, 0.76, 0.31],  shape: {cylinder: [0.31, 0.2], along: [0, 1, 0]}}
  tie:     {mass: 1, shape: {cylinder: [0.008, 0.31], along: [0, 1, 0]}, center: [0, 0.155, 0]}
joints:
  heave:   {type: prismatic, between: [ground, chassis], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}
  low_in:  {type: revolute, between: [chassis, lower], at: {first: [-0.025, 0.355, 0.225], second: [0, 0, 0]}, axis: {first: [1, 0, 0], second: [1, 0, 0]}}
  up_in:   {type: revolute, between: [chassis, upper], at: {first: [-0.025, 0.455, 0.475], second: [0, 0, 0]}, axis: {first: [1, 0, 0], second: [1, 0, 0]}}
  low_out: {type: spherical, between: [lower, upright], at: {first: [0.03, 0.365, -0.025], second: [0.005, -0.01, -0.11]}}
  up_out:  {type: spherical, between: [upper, upright], at: {first: [0.01, 0.225, 0.025], second: [-0.015, -0.05, 0.19]}}
  hub:     {type: revolute, between: [upright, wheel], at: {first: [0, 0.03, 0], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
  tie_in:  {type: universal, between: [chassis, tie], at: {first: [-0.12, 0.38, 0.26], second: [0, 0, 0]}, axes: {first: [1, 0, 0], second: [0, 0, 1]}}
  tie_out: {type: spherical, between: [upright, tie], at: {first: [-0.14, -0.04, -0.06], second: [0, 0.311, 0]}}
forces:
  strut: {type: spring, between: [chassis, lower], at: {first: [0, 0.48, 0.56], second: [0.025, 0.245, -0.01]}, stiffness: k, damping: c, length: 0.41}
  tyre: {type: tyre, body: wheel, radius: R0, stiffness: kt, damping: 100, road: "0.05*exp(-((v*t - 6)/0.15)^2)"}
initial:
  calm1: body.chassis.az
  calm2: body.wheel.az
simulate: {t_end: 2, every: 0.005, rtol: 1e-8, atol: 1e-8}
"""
STEERED = """\
crank: mechanism
title: Double wishbone corner, front left (mm, kg, ms, kN)
gravity: [0, 0, -9.81e-3]
energy: true
parameters:
  v: 15              
  k: 0.06            
  c: 3               
  free_length: 410
  kt: 0.2            
  R0: 329
  hump: 50           
  where: 6000
  width: 600
  steer: 0           
  z0: 0
tables:
  bump: [[0, 0], [1, 0.5], [2, 1], [3, 0.5], [4, 0]]
bodies:
  carriage: {mass: 10, inertia: [1e6, 1e6, 1e6], position: [0, 0, 0], velocity: [v, 0, 0]}
  chassis:  {mass: 350, inertia: [2e7, 3e7, 3e7], center: [-50, 100, 500], position: [0, 0, z0]}
  lower:    {mass: 8, inertia: [1.2e5, 0.8e5, 1.8e5], center: [0, 520, 213]}
  upper:    {mass: 4, inertia: [3e4, 2e4, 5e4], center: [-20, 570, 485]}
  upright:  {mass: 12, inertia: [1.5e5, 1.2e5, 0.6e5], position: [0, 730, 310]}
  wheel:    {mass: 20, inertia: [5e5, 9e5, 5e5], position: [0, 760, 310], angular_velocity: [0, v/310, 0]}
  rack:     {mass: 3, inertia: [3e4, 1e3, 3e4], position: [-120, 380, 260]}
  tie:      {mass: 1, shape: {cylinder: [8, 310]}, center: [0, 0, 155]}
joints:
  road_way: {type: prismatic, between: [ground, carriage], at: [0, 0, 0], axis: [1, 0, 0], drive: v*t}
  heave:    {type: prismatic, between: [carriage, chassis], at: [0, 0, 0], axis: [0, 0, 1]}
  low_in:   {type: revolute, between: [chassis, lower], at: [-25, 355, 225], axis: [350, -10, -10]}
  up_in:    {type: revolute, between: [chassis, upper], at: [-25, 455, 475], axis: [250, -10, 10]}
  low_out:  {type: spherical, between: [lower, upright], at: [5, 720, 200]}
  up_out:   {type: spherical, between: [upper, upright], at: [-15, 680, 500]}
  hub:      {type: revolute, between: [upright, wheel], at: [0, 760, 310], axis: [0, 1, 0]}
  gearbox:  {type: prismatic, between: [chassis, rack], at: [-120, 380, 260], axis: [0, 1, 0], drive: steer*(1 - cos(2*pi*t/800))/2}
  tie_in:   {type: universal, between: [rack, tie], at: {first: [0, 0, 0], second: [0, 0, 0]}, axes: {first: [1, 0, 0], second: [0, 1, 0]}}
  tie_out:  {type: spherical, between: [upright, tie], at: {first: [-140, -40, -60], second: [0, 0, sqrt(20^2 + 310^2 + 10^2)]}}
forces:
  coil: {type: spring, between: [chassis, lower], at: [[0, 480, 560], [0, 600, 215]], stiffness: k, length: free_length}
  damper: {type: spring, between: [chassis, lower], at: [[0, 480, 560], [0, 600, 215]], stiffness: 0, damping: c}
  tyre: {type: tyre, body: wheel, radius: R0, stiffness: kt, damping: 0.1, axis: [0, 1, 0], friction: 1, cornering: 14, traction: 18, relaxation: 400,
         road: "hump*bump((x - where)/width*4)"}
outputs:
  toe: {value: "atan2(body.upright.r21, body.upright.r11)*180/pi", unit: deg}
  camber: {value: "atan2(body.upright.r32, body.upright.r22)*180/pi", unit: deg}
  travel: body.wheel.z - body.chassis.z - 310
simulate: {t_end: 2000, every: 5, rtol: 1e-7, atol: 1e-7}
initial: {joints: {heave: {length: -76}}}
"""
CROSS = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies: {leg: {mass: 1, inertia: [1, 1, 1], center: [0, 0, -1]}}
joints:
  u: {type: universal, between: [ground, leg], at: {first: [0, 0, 0], second: [0, 0, 0]}, axes: {first: [cos(30 deg), sin(30 deg), 0], second: SECOND}}
initial: {joints: {u: {angle1: 0.3, angle2: 0.2}}}
simulate: {t_end: 1, points: 4, rtol: 1e-10, atol: 1e-10}
"""


class Hold(CommandTest):
    def rows(self, text, *arguments):
        names, rows = self.run_model(text, *arguments)
        return [dict(zip(names, row)) for row in rows]

    def test_conditions_between_dynamic_variables_hold_beside_one_on_an_acceleration(self):
        """F = 1000 N carries the block, I = F/2e4: of the two only F is in the equation of the acceleration."""
        for hold in ("hold: 2e4*I - F", "hold: F - 2e4*I - 0*body.block.y"):
            for coordinates in ("absolute", "joint"):
                for row in self.rows(BLOCK.replace("FORCE", VARIABLES).replace("HOLD", hold), "--coordinates", coordinates):
                    self.assertAlmostEqual(row["out_F"], 1000, delta=1e-6)
                    self.assertAlmostEqual(row["out_I"], 0.05, delta=1e-10)

    def test_conditions_between_integral_and_force_of_a_servo_hold(self):
        for hold in ("2e4*force.servo.integral - force.servo.state", "force.servo.command - force.servo.force"):
            text = BLOCK.replace("FORCE", SERVO.replace("MORE", "")).replace("HOLD", "hold: " + hold)
            for row in self.rows(text):
                self.assertAlmostEqual(row["force.servo.state"], 1000, delta=1e-6)
                self.assertAlmostEqual(row["force.servo.integral"], 0.05, delta=1e-10)

    def test_servo_behind_a_lag_starts_at_rest(self):
        """Its integral is where its command is the force that the start has found, also behind a limit; it stays a guess of the file otherwise."""
        for more, integral in (("", 0.05), (", command: 400", 0.03), (", limit: 1500", 0.05), (", filter: 0.1", 0.05),
                               (", limit: 1500, saturation: smooth", 1500*math.atanh(1/1.5)/2e4)):
            text = BLOCK.replace("FORCE", SERVO.replace("MORE", more)).replace("  HOLD\n", "")
            for coordinates in ("absolute", "joint"):
                for row in self.rows(text, "--coordinates", coordinates):
                    self.assertAlmostEqual(row["force.servo.force"], 1000, delta=1e-6, msg=more)
                    self.assertAlmostEqual(row["force.servo.integral"], integral, delta=1e-10, msg=more)
                    self.assertAlmostEqual(row["body.block.y"], 0, delta=1e-12, msg=more)
        unasked = self.rows(text.replace("  calm: joint.guide.length_acceleration\n", ""))[0]
        self.assertEqual((unasked["force.servo.state"], unasked["force.servo.integral"]), (0, 0))
        given = self.rows(text.replace("  calm", "  i0: force.servo.integral - 0.3\n  calm"))[0]
        self.assertAlmostEqual(given["force.servo.integral"], 0.3, delta=1e-12)

    def test_first_row_shows_what_holds_behind_a_jump_at_the_start(self):
        for drive in ("clamp(t, 0, T)^2", "max(t, 0)^2", "if(t <= 0, 0, t^2)", "if(t < 0, 0, t^2)", "if(t > 0, t^2, 0)"):
            for coordinates in ("absolute", "joint"):
                row = self.rows(DRIVEN.replace("DRIVE", drive), "--coordinates", coordinates)[0]
                self.assertAlmostEqual(row["acc"], 2, delta=1e-9, msg=drive)
                self.assertAlmostEqual(row["joint.h.effort"], 6, delta=1e-9, msg=drive)
            row = self.rows(FORMULAS.replace("DRIVE", drive))[0]
            self.assertAlmostEqual(row["acc"], 2, delta=1e-9, msg=drive)
            self.assertAlmostEqual(abs(row["push"]), 4, delta=1e-9, msg=drive)
        late = DRIVEN.replace("DRIVE", "clamp(t - 3, 0, T)^2").replace("{t_end", "{t_start: 3, t_end").replace("t_end: 2", "t_end: 5")
        self.assertAlmostEqual(self.rows(late)[0]["acc"], 2, delta=1e-9)

    def test_wheel_that_nothing_turns_does_not_turn_for_conditions_on_accelerations(self):
        """Its axle tilts with the upright; about the axle it stays as it is in space (it had turned by 0.04 rad, by 0.03 where it is not placed)."""
        unplaced = CORNER.replace("position: [0, 0.73, 0.31],  ", "").replace("position: [0, 0.76, 0.31],  ", "")
        for text in (CORNER, unplaced):
            names, rows = self.table(self.expect(DONE, "run", self.write(text), "--t-end", "1e-3", "--points", "1").out)
            row = dict(zip(names, rows[0]))
            self.assertLess(abs(2*row["body.wheel.q2"]), 3e-4)
            self.assertAlmostEqual(row["joint.hub.angle"], -2*row["body.upright.q2"], delta=3e-4)
            self.assertLess(abs(row["body.chassis.az"]) if "body.chassis.az" in row else 0, 1e-9)

    def test_rod_that_is_turned_about_its_own_length_is_no_other_way_of_assembling(self):
        """A tie rod between a universal and a spherical joint stands in two ways, which nothing tells apart but its own inertia."""
        self.assertNotIn("another way", self.expect(DONE, "init", self.write(STEERED)).err)
        bent = STEERED.replace("tie:      {mass: 1, shape: {cylinder: [8, 310]}, center: [0, 0, 155]}",
                               "tie:      {mass: 1, inertia: [8000, 8000, 100], center: [60, 0, 155]}")
        self.assertNotEqual(bent, STEERED)
        self.assertIn("another way", self.expect(DONE, "init", self.write(bent)).err)

    def test_axes_of_a_universal_joint_need_be_perpendicular_in_the_mechanism_only(self):
        """Axes of the leg turned by 30 deg about its length, of which neither centre nor inertia know: the same motion."""
        expected = self.rows(CROSS.replace("SECOND", "[-sin(30 deg), cos(30 deg), 0]"))
        for coordinates in ("absolute", "joint"):
            found = self.rows(CROSS.replace("SECOND", "[0, 1, 0]"), "--coordinates", coordinates)
            for one, other in zip(expected, found):
                for name in ("joint.u.angle1", "joint.u.angle2", "joint.u.fx", "joint.u.fy", "joint.u.fz", "energy.potential"):
                    self.assertAlmostEqual(one[name], other[name], delta=1e-7, msg=name)


if __name__ == "__main__":
    main()
