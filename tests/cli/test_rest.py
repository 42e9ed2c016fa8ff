"""Initial conditions on accelerations, static equilibrium: the solution nearest to what the file gives."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import DONE, CommandTest, main

# a load in four slings below a hook on a rope, slack as the file places the hook; the load hangs 0.2 too low
CRANE = """\
crank: mechanism
gravity: [0, 0, -9.81*L]
parameters: {L: 1, k: 4e5, drop: 25*L, s: 2.5*L, a: 2*L, mh: 250, ml: 4000}
bodies:
  hook: {mass: mh, shape: {box: [0.4*L, 0.8*L, 0.6*L]}, position: [0, 0, -drop], velocity: [0, 0, 0], angular_velocity: [0, 0, 0], fixed: [velocity, angular_velocity]}
  load: {mass: ml, shape: {box: [a, a, 1.5*L]}, position: [0, 0, -drop - 3*L]}
joints:
  sling1: {type: distance, between: [hook, load], at: {first: [0, 0, 0], second: [a/2, a/2, 0.75*L]}, length: s}
  sling2: {type: distance, between: [hook, load], at: {first: [0, 0, 0], second: [-a/2, a/2, 0.75*L]}, length: s}
  sling3: {type: distance, between: [hook, load], at: {first: [0, 0, 0], second: [-a/2, -a/2, 0.75*L]}, length: s}
  sling4: {type: distance, between: [hook, load], at: {first: [0, 0, 0], second: [a/2, -a/2, 0.75*L]}, length: s}
forces:
  rope: {type: spring, between: [ground, hook], at: {first: [0, 0, 0], second: [0, 0, 0]}, law: "max(0, k*(length - drop))"}
initial: {rest: body.hook.az}
simulate: {t_end: 1e-9, points: 1}
"""
# a hull with a turning wheel on an arm in a bushing, both on springs
HULL = """\
crank: mechanism
gravity: [0, 0, -9.81]
parameters: {k: 1e5}
bodies:
  hull: {mass: 1000, inertia: [300, 900, 900], position: [0, 0, 0.5], velocity: [10, 0, 0], angular_velocity: [0, 0, 0], fixed: [velocity, angular_velocity]}
  arm: {mass: 8, inertia: [0.1, 0.3, 0.3], position: [0, 0.3, 0.5]}
  wheel: {mass: 20, inertia: [0.6, 1, 0.6], position: [0, 0.7, 0.5]}
joints: {hub: {type: revolute, between: [arm, wheel], at: [0, 0.7, 0.5], axis: [0, 1, 0]}}
forces:
  mount: {type: bushing, between: [hull, arm], at: [0, 0.3, 0.5], stiffness: [1e6, 1e6, 1e6, 1e4, 1e4, 1e4], damping: [1e3, 1e3, 1e3, 10, 10, 10]}
  tyre: {type: force, body: wheel, force: [0, 0, "k*(0.6 - body.wheel.z)"]}
  other: {type: force, body: hull, at: [0, -0.7, 0.5], force: [0, 0, "k*(0.6 - body.hull.z)"]}
initial:
  joints: {hub: {angle_rate: 33}}
  heave: body.hull.az
  roll: body.hull.dwx
simulate: {t_end: 1e-9, points: 1}
"""


class Rest(CommandTest):
    def test_load_hangs_below_its_hook_though_the_rope_is_slack_as_given(self):
        for L in (1, 1e-3):
            names, rows = self.run_model(CRANE, "--set", "L=%g" % L)
            x = dict(zip(names, rows[0]))
            hook = -25 - 4250*9.81*L/4e5/L
            self.assertAlmostEqual(x["body.hook.z"]/L, hook, delta=1e-9)
            self.assertAlmostEqual(x["body.load.z"]/L, hook - math.sqrt(2.5**2 - 2) - 0.75, delta=1e-9)
            for q in ("q1", "q2", "q3"):  # steps alone would turn it by 0.5
                self.assertAlmostEqual(x["body.load." + q], 0, delta=0.01)
            for name in ("vx", "vy", "vz", "wx", "wy", "wz"):
                self.assertEqual(x["body.load." + name], 0)

    def test_wheel_keeps_its_angle_and_its_speed_while_its_vehicle_comes_to_rest_on_its_springs(self):
        names, rows = self.run_model(HULL)
        x = dict(zip(names, rows[0]))
        self.assertAlmostEqual(x["joint.hub.angle"], 0, delta=1e-4)
        self.assertAlmostEqual(x["joint.hub.angle_rate"], 33, delta=1e-10)
        self.assertAlmostEqual(x["body.arm.wy"], 0, delta=1e-3)
        self.assertAlmostEqual(x["body.wheel.vx"], 10, delta=1e-2)

    def test_given_spin_stays_and_guesses_of_velocities_too_where_positions_can_balance_the_forces(self):
        """The drag of the axle turns the carrier on its mount; steps of all unknowns alike would slow the wheel to 37 and let the chassis fall."""
        names, rows = self.run_model("""\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  chassis: {mass: 400, inertia: 100, position: [0, 0.6], angle: 0}
  carrier: {mass: 30, inertia: 0.5, position: [0, 0.3]}
  wheel: {mass: 20, inertia: 1, position: [0, 0.3], rate: -50}
joints:
  guide: {type: prismatic, between: [ground, chassis], at: [0, 0.6], axis: [0, 1]}
  axle: {type: revolute, between: [carrier, wheel], at: [0, 0.3]}
forces:
  mount: {type: bushing, between: [chassis, carrier], at: [0, 0.3], stiffness: [4e5, 3e4, 1e4], damping: [1000, 1500, 50]}
  drag: {type: torsion, joint: axle, damping: 0.5}
  tyre: {type: spring, between: [ground, wheel], at: [[0, 0], [0, 0.3]], stiffness: 2e5, length: 0.31, damping: 100}
initial: {a: body.chassis.ay, b: body.carrier.ay, c: body.carrier.ax, d: body.carrier.angle_acceleration}
simulate: {t_end: 1e-9, points: 1}
""")
        x = dict(zip(names, rows[0]))
        drop = 450*9.81/2e5 - 0.01
        self.assertEqual((x["body.wheel.rate"], x["body.chassis.vy"], x["body.carrier.rate"]), (-50, 0, 0))
        self.assertAlmostEqual(x["body.carrier.angle"], -0.5*50/1e4, delta=1e-12)
        self.assertAlmostEqual(x["body.carrier.y"], 0.3 - drop, delta=1e-12)
        self.assertAlmostEqual(x["body.chassis.y"], 0.6 - drop - 400*9.81/3e4, delta=1e-12)

    def test_placed_body_that_conditions_turn_by_more_than_a_right_angle_is_named(self):
        text = """\
crank: mechanism
bodies:
  bar: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], velocity: [0, 0, 0], angular_velocity: [0, 0, 0], fixed: [velocity, angular_velocity]}
joints: {pin: {type: revolute, between: [ground, bar], at: [0, 0, 0], axis: [0, 1, 0]}}
forces: {coil: {type: torsion, joint: pin, stiffness: 1, angle: ANGLE deg}}
initial: {rest: joint.pin.angle_acceleration}
simulate: {t_end: 1e-9, points: 1}
"""
        done = self.expect(DONE, "init", self.write(text.replace("ANGLE", "170")))
        self.assertIn('body "bar" starts turned by 170 deg from where the file places it', done.err)
        self.assertNotIn("turned by 80", self.expect(DONE, "init", self.write(text.replace("ANGLE", "80"))).err)


if __name__ == "__main__":
    main()
