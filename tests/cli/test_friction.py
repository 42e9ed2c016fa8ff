"""Friction that locks: it is named, with what to do, by every method, on the way and at the start."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import re

from command import DONE, FAILED, MODEL, CommandTest, main

METHODS = ("auto", "psf-radau", "psf-bdf", "peom1-radau", "index1-radau")


def ladder(mu, length=1.0, mass=1.0, time=1.0):
    """A hook that is lifted pulls a block along a guide by a rod: locked from mu tan(theta) = 1 on; theta is 0.3 at first."""
    return f"""\
crank: mechanism
dimension: 2
parameters: {{mu: {mu}, L: {length}, v: {0.5 * length / time}, m: {mass}}}
bodies:
  block: {{mass: m, inertia: m*L^2, position: [L*cos(0.3), 0]}}
  hook: {{mass: m, inertia: m*L^2, position: [0, L*sin(0.3)]}}
joints:
  guide: {{type: prismatic, between: [ground, block], at: [0, 0], axis: [1, 0]}}
  lift: {{type: prismatic, between: [ground, hook], at: [0, 0], axis: [0, 1], drive: v*t}}
  rod: {{type: distance, between: [hook, block], at: {{first: [0, 0], second: [0, 0]}}, length: L}}
forces:
  rub: {{type: friction, joint: guide, coefficient: mu, slip: 1e-3*v}}
simulate: {{t_end: 10*L/v}}
"""


def locked_at(mu):
    """When the ladder locks, in units of time."""
    return (math.sin(math.atan(1 / mu)) - math.sin(0.3)) / 0.5


# a driven four-bar that cannot turn further
FOUR_BAR = """\
crank: mechanism
dimension: 2
parameters: {mu: 0.1}
bodies:
  crank: {mass: 1, shape: {rod: 0.2}, position: [0, 0.1], angle: 90 deg}
  coupler: {mass: 1, shape: {rod: 0.3}, position: [0.15, 0.2], angle: 0}
  rocker: {mass: 1, inertia: 0.003, position: [0.325, 0.1], angle: 90 deg}
joints:
  O2: {type: revolute, between: [ground, crank], at: [0, 0], drive: 10*t}
  A: {type: revolute, between: [crank, coupler], at: [0, 0.2]}
  B: {type: revolute, between: [coupler, rocker], at: [0.3, 0.2]}
  O4: {type: revolute, between: [ground, rocker], at: [0.35, 0]}
forces:
  fB: {type: friction, joint: B, coefficient: mu, radius: 0.01, slip: 0.05}
simulate: {t_end: 1}
"""

# a Stephenson six-bar; all bearings rub, each with its own coefficient
SIX_BAR = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
parameters: {PARAMETERS}
bodies:
  crank: {mass: 0.8, shape: {rod: 0.1}, position: [0.05, 0], angle: 0}
  coupler: {mass: 2.5, inertia: 0.02, center: [0.14, 0.05], position: [0.05, 0.0866], angle: 20 deg}
  rocker: {mass: 1.5, shape: {rod: 0.2}, position: [0.3, 0.1], angle: 90 deg}
  link: {mass: 1.8, shape: {rod: 0.3}, position: [0.3, 0.3], angle: 0}
  output: {mass: 2, shape: {rod: 0.25}, position: [0.52, 0.2], angle: 100 deg}
joints:
  O2: {type: revolute, between: [ground, crank], at: {first: [0, 0], second: [-0.05, 0]}, drive: 31.4*t}
  A: {type: revolute, between: [crank, coupler], at: {first: [0.05, 0], second: [0, 0]}}
  B: {type: revolute, between: [coupler, rocker], at: {first: [0.28, 0], second: [0.1, 0]}}
  O4: {type: revolute, between: [ground, rocker], at: {first: [0.3, 0], second: [-0.1, 0]}}
  C: {type: revolute, between: [coupler, link], at: {first: [0.14, 0.15], second: [-0.15, 0]}}
  D: {type: revolute, between: [link, output], at: {first: [0.15, 0], second: [0.125, 0]}}
  O6: {type: revolute, between: [ground, output], at: {first: [0.55, 0.1], second: [-0.125, 0]}}
forces:
FORCES
simulate: {t_end: 0.4}
"""
BEARINGS = ("O2", "A", "B", "O4", "C", "D", "O6")


def six_bar(more=""):
    """The coefficient in the bearing named is a hundredth larger than in the others."""
    forces = "".join(f"  f{b}: {{type: friction, joint: {b}, coefficient: mu{b}, radius: 0.01, slip: 0.05}}\n" for b in BEARINGS)
    parameters = ", ".join(f"mu{b}: {0.101 if b == more else 0.1}" for b in BEARINGS)
    return SIX_BAR.replace("PARAMETERS", parameters).replace("FORCES\n", forces)

# a block on an incline and a disc, held, let go and braked again by events, in any unit of length and time
APPLIED = """\
crank: mechanism
dimension: 2
parameters: {L: 1, T: 1, tilt: 20 deg, mu: 0.5, press: 1, grip: 1}
gravity: [0, -9.81*L/T^2]
bodies:
  block: {mass: 2, inertia: 0.1*L^2, position: [0, 0], angle: tilt}
  disc: {mass: 2, inertia: 0.5*L^2, position: [3*L, 0], rate: 20/T}
joints:
  plane: {type: prismatic, between: [ground, block], at: [0, 0], axis: [cos(tilt), sin(tilt)]}
  axle: {type: revolute, between: [ground, disc], at: [3*L, 0]}
forces:
  dry: {type: friction, joint: plane, coefficient: mu, slip: 1e-5*L/T, scale: press}
  brake: {type: friction, joint: axle, level: 3*L^2/T^2, viscous: 0.2*L^2/T, slip: 1e-5/T, scale: grip}
events:
  off: {when: t - 0.3*T, actions: {set: {press: 0, grip: 2}}}
  on: {when: t - 0.6*T, actions: {set: {press: 1, grip: 0}}}
  again: {when: t - 0.9*T, actions: {set: {grip: 4}}}
simulate: {t_end: 2.5*T, points: 25, rtol: 1e-8, atol: 1e-8}
"""


def slide(t):
    """Way and speed of that block: it falls freely from 0.3 to 0.6, and is braked from there."""
    fall, brake = 9.81*math.sin(math.radians(20)), 9.81*(0.5*math.cos(math.radians(20)) - math.sin(math.radians(20)))
    free, after = min(max(t - 0.3, 0), 0.3), min(max(t - 0.6, 0), fall*0.3/brake)
    return -fall*free**2/2 - fall*0.3*after + brake*after**2/2, -fall*free + brake*after


def spin(t):
    """Rate of that disc: I w' = -scale (3 + 0.2 w) until it stands."""
    w = 20.0
    for begin, end, scale in ((0, 0.3, 1), (0.3, 0.6, 2), (0.9, 9, 4)):
        w = max((w + 15)*math.exp(-0.4*scale*max(min(t, end) - begin, 0)) - 15, 0)
    return w


class Applied(CommandTest):
    def test_friction_that_events_apply_is_that_of_exact_solutions_by_every_method_in_any_unit(self):
        """Smooth friction is off by its slip, and where it sticks creeps at part of it."""
        self.write(APPLIED)
        for method in ("auto", "psf-radau", "index2-radau", "ggl-bdf"):
            for L, T, coordinates in ((1, 1, "absolute"), (1e3, 1, "joint"), (1e-2, 1e-3, "absolute"), (1e-2, 1e-3, "joint")):
                result = self.expect(DONE, "run", "model.yaml", "--method", method, "--coordinates", coordinates, "--quiet",
                                     "--set", "L=%g" % L, "--set", "T=%g" % T)
                names, rows = self.table(result.out)
                for row in rows:
                    x = dict(zip(names, row))
                    t = x["time"]/T
                    way, speed = slide(t)
                    self.assertAlmostEqual(x["joint.plane.length"]/L, way, delta=5e-5)
                    self.assertAlmostEqual(x["joint.plane.length_rate"]*T/L, speed, delta=5e-5)
                    self.assertAlmostEqual(x["body.disc.rate"]*T, spin(t), delta=5e-5)

    def test_equilibrium_knows_how_much_friction_is_applied(self):
        self.write(APPLIED.replace(", rate: 20/T", ""))
        says = "holds %.4g of %.4g N" % (2*9.81*math.sin(math.radians(20)), 0.8*9.81*math.cos(math.radians(20)))
        self.expect(DONE, "equilibrium", "model.yaml", "--set", "press=0.8", says=[says, "creeping at"])
        self.expect(FAILED, "equilibrium", "model.yaml", "--set", "press=0.7", says='force "dry" slides')
        self.expect(FAILED, "equilibrium", "model.yaml", "--set", "press=0", says="nothing resists")


class Locks(CommandTest):
    def stop(self, method, text, *more):
        said = self.expect(FAILED, "run", self.write(text), "--method", method, "--out", "o.csv", *more, says="stopped at").err
        return next(line for line in said.splitlines() if "stopped at" in line)

    def gain(self, said):
        return float(re.search(r"by a gain of ([0-9.]+)", said).group(1))

    def test_block_locks_where_the_angle_of_friction_says_by_every_method(self):
        for method in METHODS:
            said = self.stop(method, ladder(1))
            self.assertIn('force "rub" locks at t = ', said)
            self.assertIn("`coefficient`", said)
            self.assertNotIn("rtol", said)
            # methods that do not keep accelerations at every step (peom1, index1) see it within their tolerance
            self.assertAlmostEqual(float(said.split("locks at t = ")[1].split(":")[0]), locked_at(1), delta=1e-5)
            self.assertAlmostEqual(self.gain(said), 1, delta=0.02)

    def test_methods_that_lead_across_name_the_lock_behind_it(self):
        """Their multipliers have turned round there, or are no loads any more: those without friction tell."""
        for text in (ladder(1), FOUR_BAR):
            for method in ("ggl-radau", "ggl-bdf", "ggl-sdirk2", "index2-radau", "index2-bdf", "index2-sdirk2", "index3-radau", "index3-bdf"):
                said = self.stop(method, text)
                self.assertRegex(said, 'force "(rub|fB)" locks at t = ')
                self.assertGreater(self.gain(said), 0.98)

    def test_lock_does_not_depend_on_units(self):
        for length, mass, time in ((1e3, 1, 1), (1e-3, 1e-3, 1), (1e6, 1e-3, 1e3), (1e-3, 1e3, 1 / 3600)):
            said = self.stop("psf-radau", ladder(1, length, mass, time))
            self.assertAlmostEqual(float(said.split("locks at t = ")[1].split(":")[0]) / time, locked_at(1), delta=1e-8)

    def test_lock_at_the_start_is_told_with_its_gain(self):
        for mu in (3.3, 4, 40):
            said = self.expect(MODEL, "run", self.write(ladder(mu)), "--out", "o.csv", says='force "rub" locks at t = 0').err
            self.assertAlmostEqual(self.gain(said), mu * math.tan(0.3), delta=1e-3 * mu)
        self.expect(MODEL, "init", self.write(FOUR_BAR), "--set", "mu=20", says='force "fB" locks at t = 0')

    def test_loads_are_found_at_the_start_also_where_zero_is_a_minimum_of_the_residual(self):
        """The least residual next to loads of zero is there, from about mu = 4 on; mu = 14 locks."""
        for mu in (3, 4, 8, 12):
            names, rows = self.run_model(FOUR_BAR, "--set", f"mu={mu}", "--t-end", "0.001")
            row = dict(zip(names, rows[0]))
            load = math.hypot(row["joint.B.fx"], row["joint.B.fy"])
            self.assertAlmostEqual(row["force.fB.load"] / load, 1, delta=1e-9)
            self.assertAlmostEqual(row["force.fB.torque"] / (mu * 0.01 * load), 1, delta=1e-9)

    def test_friction_of_the_joint_that_locks_is_named(self):
        """Before the dead centre, where G is regular; of seven bearings those that take part."""
        for method in METHODS[:3]:
            for mu in (0.03, 0.1, 1):
                self.assertIn('force "fB" locks at t = ', self.stop(method, FOUR_BAR, "--set", f"mu={mu}"))
        more = FOUR_BAR.replace("  fB:", "  f2: {type: friction, joint: O2, coefficient: mu, radius: 0.01, slip: 0.05}\n  fB:")
        said = self.stop("psf-radau", more)
        self.assertIn('force "fB" locks at t = ', said)
        self.assertNotIn("f2", said)

    def test_frictions_are_named_in_the_order_in_which_they_shift_the_lock(self):
        """The gain is 1 at the lock: its derivative by the logarithm of a coefficient shifts the time in proportion."""
        said = self.stop("psf-radau", six_bar())
        named = re.findall(r'force "f(\w+)"', said)
        self.assertIn(" lock together at t = ", said)
        time = float(re.search(r"lock together at t = ([0-9.]+)", said).group(1))
        shift = {b: time - float(re.search(r"lock together at t = ([0-9.]+)", self.stop("psf-radau", six_bar(b))).group(1))
                 for b in BEARINGS}
        order = sorted(BEARINGS, key=lambda b: -shift[b])
        self.assertEqual(named, order[:len(named)])
        # a tenth of the largest part is worth naming, of three at most
        self.assertEqual(len(named), min(3, sum(shift[b] > 0.1*shift[order[0]] for b in BEARINGS)))

    def test_dead_centre_without_friction_under_load_tells_the_number_that_decided(self):
        text = FOUR_BAR.replace("coefficient: mu, radius: 0.01", "level: 0.1")
        for method in METHODS[:3]:
            said = self.stop(method, text)
            self.assertIn("singular position", said)
            self.assertLess(float(re.search(r"smallest pivot ([0-9.e-]+) of its largest value, singular_threshold 0.001", said)
                                  .group(1)), 1e-3)


main()
