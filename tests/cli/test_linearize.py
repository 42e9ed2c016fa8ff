"""crank linearize: eigenvalues against closed forms and published matrices, in all coordinates; A, B, C, D; formats."""
# SPDX-License-Identifier: BSD-3-Clause
import cmath
import csv
import json
import math
import os
import re

from command import DONE, FAILED, MODEL, PENDULUM, USAGE, CommandTest, main

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
DISC = """\
crank: mechanism
parameters: {spin: 3, r: 0.5, m: 2}
gravity: [0, 0, -9.81]
bodies:
  disc: {mass: m, inertia: [m*r^2/4, m*r^2/2, m*r^2/4], position: [0, 0, r], velocity: [spin*r, 0, 0], angular_velocity: [0, spin, 0]}
joints:
  floor: {type: rolling_disc, between: [ground, disc], radius: r, axis: [0, 1, 0], plane: {at: [0, 0, 0], normal: [0, 0, 1]}}
"""
# the same leaning over by `lean` about its heading, turning: components in its plane (up), along its axle (roll)
TURNING = """\
crank: mechanism
parameters: {lean: 0.3, up: 1, roll: 1, r: 0.5, m: 2}
gravity: [0, 0, -9.81]
bodies:
  disc:
    mass: m
    inertia: [m*r^2/4, m*r^2/2, m*r^2/4]
    position: [0, -r*sin(lean), r*cos(lean)]
    orientation: {axis: [1, 0, 0], angle: lean}
    velocity: [-roll*r, 0, 0]
    angular_velocity: [0, -up*sin(lean) - roll*cos(lean), up*cos(lean) - roll*sin(lean)]
joints:
  floor: {type: rolling_disc, between: [ground, disc], radius: r, axis: [0, cos(lean), sin(lean)], plane: {at: [0, 0, 0], normal: [0, 0, 1]}}
"""
# two rods with springs and dampers about a bent rest, starts as parameters
RODS = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
parameters: {a1: 0.3, a2: -0.5, w1: 0, w2: 0}
bodies:
  one: {mass: 1, inertia: 0.1, center: [0.5, 0], position: [0, 0], angle: a1, rate: w1}
  two: {mass: 0.7, inertia: 0.05, center: [0.4, 0], position: [cos(a1), sin(a1)], angle: a1 + a2, velocity: [-w1*sin(a1), w1*cos(a1)], rate: w1 + w2}
joints:
  low: {type: revolute, between: [ground, one], at: {first: [0, 0], second: [0, 0]}}
  high: {type: revolute, between: [one, two], at: {first: [1, 0], second: [0, 0]}}
forces:
  s1: {type: torsion, between: [ground, one], law: 40*(body.one.angle - 0.6) + 0.8*rate}
  s2: {type: torsion, between: [one, two], law: 15*(body.two.angle - body.one.angle + 0.4) + 0.3*rate}
"""
# a plane loop on a base that turns freely; its plane is turned by a
LEG = """\
crank: mechanism
gravity: [0, 0, -9.81]
parameters: {a: 0, c: cos(a), s: sin(a)}
bodies:
  base: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 0]}
  up: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [0.1*c, 0.1*s, -0.25]}
  lo: {mass: 0.7, inertia: [0.02, 0.02, 0.02], position: [0.1*c, 0.1*s, -0.75]}
  rocker: {mass: 0.2, inertia: [0.004, 0.004, 0.004], position: [0.3*c, 0.3*s, -0.1]}
  link: {mass: 0.1, inertia: [0.002, 0.002, 0.002], position: [0.3*c, 0.3*s, -0.4]}
joints:
  turn: {type: revolute, between: [ground, base], at: [0, 0, 0], axis: [0, 0, 1]}
  hip: {type: revolute, between: [base, up], at: [0.1*c, 0.1*s, 0], axis: [-s, c, 0]}
  knee: {type: revolute, between: [up, lo], at: [0.1*c, 0.1*s, -0.5], axis: [-s, c, 0]}
  p: {type: revolute, between: [up, rocker], at: [0.2*c, 0.2*s, -0.1], axis: [-s, c, 0]}
  q: {type: revolute, between: [rocker, link], at: [0.4*c, 0.4*s, -0.1], axis: [-s, c, 0]}
  r: {type: revolute, between: [link, lo], at: [0.3*c, 0.3*s, -0.6], axis: [-s, c, 0]}
forces:
  k: {type: torsion, joint: knee, stiffness: 300, damping: 2}
simulate: {t_end: 0.05}
"""
# a mass on a spring and a damper, pushed
PUSHED = """\
crank: equations
parameters: {m: 2, k: 18, d: 0.4, push: 0}
positions:  {x: {start: 0.1}}
velocities: {v: {of: x, start: 0}}
mass: [[m]]
forces: [push - k*x - d*v]
outputs: {spring: k*x + 3*push}
"""
# a four-bar on springs
FOUR_BAR = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  left: {mass: 1, inertia: 0.1, center: [0.5, 0], position: [0, 0], angle: 1.2}
  top: {mass: 2, inertia: 0.3, center: [0.75, 0], position: [0.36, 0.93], angle: 0.1}
  right: {mass: 1, inertia: 0.1, center: [0.55, 0], position: [2, 0], angle: 1.7}
joints:
  a: {type: revolute, between: [ground, left], at: {first: [0, 0], second: [0, 0]}}
  b: {type: revolute, between: [left, top], at: {first: [1, 0], second: [0, 0]}}
  c: {type: revolute, between: [top, right], at: {first: [1.5, 0], second: [1.1, 0]}}
  d: {type: revolute, between: [ground, right], at: {first: [2, 0], second: [0, 0]}}
forces:
  coil: {type: torsion, between: [ground, left], stiffness: 200, angle: 1.2}
"""


class Linearize(CommandTest):
    def linear(self, model, *arguments):
        self.expect(DONE, "linearize", self.write(model) if "\n" in model else model, "-o", "a.json", *arguments)
        return json.loads(self.read("a.json"))

    def eigenvalues(self, model, *arguments):
        return [complex(m["real"], m["imag"]) for m in self.linear(model, *arguments)["modes"]]

    def test_input_of_a_drive_acts_by_its_rates_whatever_the_coordinates(self):
        """A wheel that a drive turns by u on a base with a torsion spring: base/u = -Ia s^2/((Ib + Ia) s^2 + c s + k)."""
        self.write("""\
crank: mechanism
dimension: 2
inputs: {u: 0.2}
bodies:
  base:  {mass: 1, inertia: 2}
  wheel: {mass: 1, inertia: 1}
joints:
  pivot: {type: revolute, between: [ground, base], at: [0, 0]}
  motor: {type: revolute, between: [base, wheel], at: [0, 0], drive: u}
forces:
  k: {type: torsion, joint: pivot, stiffness: 12, damping: 0.6}
outputs: {theta: body.base.angle}
""")
        s = 3j
        for coordinates in ("absolute", "joint"):
            self.expect(DONE, "linearize", "model.yaml", "--coordinates", coordinates, "--input", "u", "--output", "theta", "-o", "a.json", "--quiet")
            a = json.loads(self.read("a.json"))
            self.assertEqual(a["inputs"], ["u", "u'", "u''"])
            b = [sum(row[i]*s**i for i in range(3)) for row in a["B"]]
            (p, q), (r, v) = [[(s if i == j else 0) - a["A"][i][j] for j in range(2)] for i in range(2)]
            x = [(v*b[0] - q*b[1])/(p*v - q*r), (p*b[1] - r*b[0])/(p*v - q*r)]
            theta = sum(c*y for c, y in zip(a["C"][0], x)) + sum(a["D"][0][i]*s**i for i in range(3))
            self.assertLess(abs(theta + s*s/(3*s*s + 0.6*s + 12)), 1e-9)

    def test_inputs_are_taken_about_their_values_and_parameters_of_constraints_are_refused(self):
        text = """\
crank: mechanism
dimension: 2
parameters: {L: 1}
inputs: {u: 5}
bodies: {b: {mass: 1, inertia: 1}, tip: {type: point, mass: 1, position: [1, 0]}}
joints:
  h: {type: revolute, between: [ground, b], at: [0, 0]}
  rod: {type: distance, between: [ground, tip], at: {first: [0, 0], second: [0, 0]}, length: L}
forces: {m: {type: torque, body: b, torque: u^3}}
"""
        self.write(text)
        self.expect(DONE, "linearize", "model.yaml", "--input", "u", "-o", "a.json", "--quiet")
        a = json.loads(self.read("a.json"))
        self.assertEqual(a["inputs"], ["u"])
        self.assertLess(abs(a["B"][a["states"].index("body.b.rate")][0] - 75), 1e-6)
        self.expect(USAGE, "linearize", "model.yaml", "--input", "L", "--quiet", says=["input L", 'under "inputs:"'])

    def test_benchmark_bicycle_has_the_eigenvalues_of_the_published_matrices_at_all_speeds_in_both_coordinates(self):
        with open(os.path.join(MODELS, "bicycle", "eigenvalues.csv"), encoding="utf-8") as file:
            table = [[float(v) for v in row] for row in list(csv.reader(file))[1:]]
        wanted = [row for row in table if row[0] in (1, 3, 5, 7.5, 10)]
        self.assertGreaterEqual(len(wanted), 4)
        for row in wanted:
            for coordinates in ("absolute", "joint"):
                got = self.eigenvalues(os.path.join(MODELS, "bicycle", "bicycle.yaml"), "--set", "speed=%r" % row[0], "--set", "roll_rate=0",
                                       "--coordinates", coordinates)
                for k in range(4):
                    value = complex(row[1 + 2*k], row[2 + 2*k])
                    self.assertLess(min(abs(g - value) for g in got), 1e-10*max(1, abs(value)), (row[0], coordinates, value))

    def test_rolling_disc_is_stable_above_its_critical_speed(self):
        # thin disc: lambda^2 = 4/5 g/r - 12/5 spin^2, zero at spin^2 = g/(3 r)
        critical = math.sqrt(9.81/1.5)
        for spin in (0.5*critical, 0.99*critical, 1.01*critical, 3*critical):
            value = cmath.sqrt(0.8*9.81/0.5 - 2.4*spin**2)
            for coordinates in ("absolute", "joint"):
                got = self.eigenvalues(DISC, "--set", "spin=%r" % spin, "--coordinates", coordinates)
                for wanted in (value, -value):
                    self.assertLess(min(abs(g - wanted) for g in got), 1e-10*max(1, abs(value)))
                self.assertEqual(sum(abs(g) > 1e-5 for g in got), 2)

    def test_disc_that_turns_steadily_leaning_has_the_eigenvalues_of_its_closed_form_and_falls_below_its_critical_turn(self):
        # thin disc, u = up, w = roll, t = tan(lean): 5 lean'' = 4 g/r sin(lean) - 6 u w - u^2 t, u' = (2 w + u t) lean', w' = 2/3 u lean'
        g, r = 9.81, 0.5

        def motion(lean, u):
            """roll of the steady turn, and the square of its eigenvalue"""
            t = math.tan(lean)
            w = (4*g/r*math.sin(lean) - u*u*t)/(6*u) if lean else 0.0
            grows = 4*g/r*math.cos(lean) - 6*(2*w + u*t)*w - 4*u*u - 2*u*t*(2*w + u*t) - (u/math.cos(lean))**2
            return w, grows/5
        critical = math.sqrt(4*g/(5*r))  # spinning upright on the spot: u^2 = 4 g/(5 r)
        self.assertAlmostEqual(motion(0, critical)[1], 0, delta=1e-12)
        cases = [(0, 0.9*critical), (0, 1.1*critical)]
        low, high = 3.0, 12.0  # leaning: the turn at which it changes
        self.assertLess(motion(0.3, low)[1]*motion(0.3, high)[1], 0)
        for _ in range(60):
            middle = (low + high)/2
            low, high = (middle, high) if motion(0.3, low)[1]*motion(0.3, middle)[1] > 0 else (low, middle)
        for lean, u in cases + [(0.3, 0.95*low), (0.3, 1.05*low), (-0.6, 4.0)]:
            w, square = motion(lean, u)
            got = self.eigenvalues(TURNING, "--set", "lean=%r" % lean, "--set", "up=%r" % u, "--set", "roll=%r" % w)
            for wanted in (cmath.sqrt(square), -cmath.sqrt(square)):
                self.assertLess(min(abs(g - wanted) for g in got), 1e-7*max(1, abs(wanted)), (lean, u, got))

    def test_elastic_rod_of_the_slider_crank_at_rest_bends_as_a_beam_on_two_pins_does(self):
        got = self.eigenvalues(os.path.join(MODELS, "elastic-slider-crank", "elastic-slider-crank.yaml"), "--set", "Omega=0", "--equilibrium")
        for k in (1, 2):
            wanted = (k*math.pi/0.3)**2*math.sqrt(2e11*0.008**2/12/7870)
            self.assertLess(min(abs(abs(g) - wanted) for g in got), 1e-6*wanted, (k, wanted, got))

    def test_matrix_is_that_of_differences_of_runs(self):
        x = self.linear(RODS, "--equilibrium", "--coordinates", "joint")
        rest = self.expect(DONE, "equilibrium", "model.yaml", "-o", "rest.csv")
        self.assertIn("stable", rest.err)
        names, rows = self.table(self.read("rest.csv"))
        row = dict(zip(names, rows[0]))

        def state(row):
            one, two = [[row["body.%s.%s" % (b, q)] for q in ("angle", "rate")] for b in ("one", "two")]
            return [one[0], two[0] - one[0], one[1], two[1] - one[1]]
        n, T, h = 4, 0.1, 1e-3
        self.assertEqual(x["states"], ["joint.low.coordinate", "joint.high.coordinate", "joint.low.rate", "joint.high.rate"])
        A = [list(r) for r in x["A"]]
        # exp(A T) by its series
        power = [[float(i == j) for j in range(n)] for i in range(n)]
        total = [list(r) for r in power]
        for k in range(1, 40):
            power = [[sum(power[i][q]*A[q][j] for q in range(n))*T/k for j in range(n)] for i in range(n)]
            total = [[total[i][j] + power[i][j] for j in range(n)] for i in range(n)]
        start = state(row)
        for j in range(n):
            ends = []
            for sign in (1, -1):
                at = list(start)
                at[j] += sign*h
                sets = [a for name, v in zip(("a1", "a2", "w1", "w2"), at) for a in ("--set", "%s=%r" % (name, v))]
                head, table = self.table(self.expect(DONE, "run", "model.yaml", "--t-end", T, "--points", 1, "--rtol", "1e-11", "--atol", "1e-12",
                                                     "--quiet", *sets).out)
                ends.append(state(dict(zip(head, table[-1]))))
            for i in range(n):
                slope = (ends[0][i] - ends[1][i])/2/h
                self.assertAlmostEqual(slope, total[i][j], delta=1e-5*max(1, abs(slope)), msg=str((i, j)))

    def test_quarter_car_has_the_roots_of_its_own_matrices(self):
        got = self.eigenvalues(os.path.join(MODELS, "quarter-car", "quarter-car.yaml"), "--equilibrium")
        m, M, k, d, kt, dt = 40.0, 320.0, 22000.0, 1600.0, 200000.0, 120.0
        self.assertEqual(len(got), 4)
        for s in got:
            body, wheel = M*s*s + d*s + k, m*s*s + (d + dt)*s + k + kt
            self.assertLess(abs(body*wheel - (d*s + k)**2), 1e-10*abs(body*wheel) + 1e-10*abs(d*s + k)**2)

    def test_matrices_of_a_pushed_mass_are_those_of_its_equation(self):
        x = self.linear(PUSHED, "--input", "push", "--output", "spring", "--output", "x")
        self.assertEqual(x["states"], ["x", "v"])
        for got, wanted in ((x["A"], [[0, 1], [-9, -0.2]]), (x["B"], [[0], [0.5]]), (x["C"], [[18, 0], [1, 0]]), (x["D"], [[3], [0]])):
            for row, other in zip(got, wanted):
                for a, b in zip(row, other):
                    self.assertAlmostEqual(a, b, delta=1e-9)
        mode = x["modes"][0]
        self.assertAlmostEqual(mode["frequency"], 3/(2*math.pi), delta=1e-12)
        self.assertAlmostEqual(mode["damping"], 0.1/3, delta=1e-12)

    def test_four_bar_swings_as_its_stiffness_says_in_both_coordinates_and_units(self):
        for coordinates in ("absolute", "joint"):
            got = self.eigenvalues(FOUR_BAR, "--equilibrium", "--coordinates", coordinates)
            self.assertEqual(len(got), 2)
            result = self.expect(DONE, "equilibrium", "model.yaml")  # by the reduced stiffness, another way
            softest = float(re.search(r"softest\s+(\S+) Hz", result.err).group(1))
            self.assertAlmostEqual(abs(got[0])/2/math.pi, softest, delta=1e-5*softest)
            self.assertAlmostEqual(got[0].real, 0, delta=1e-9)

    def test_plane_loop_turned_by_little_moves_and_swings_as_one_that_is_not_in_joint_coordinates(self):
        """Of the three components of its closure along axes of the world one is then a small multiple of another."""
        straight = self.eigenvalues(LEG, "--equilibrium", "--coordinates", "absolute")[2:]  # the first two: free
        for angle in ("0", "2e-9", "2e-8", "1e-7", "1e-6", "1e-5", "1e-4", "1e-3"):
            self.expect(DONE, "run", "model.yaml", "--set", "a=" + angle, "--coordinates", "joint")
            got = self.eigenvalues(LEG, "--set", "a=" + angle, "--equilibrium", "--coordinates", "joint")
            self.assertEqual(len(got), 6, angle)
            for one, other in zip(got[2:], straight):
                self.assertAlmostEqual(one, other, delta=1e-6*abs(other), msg=angle)

    def test_small_swing_of_a_run_has_the_frequency_of_the_mode(self):
        rest = self.linear(FOUR_BAR, "--equilibrium")
        period = 1/rest["modes"][0]["frequency"]
        self.expect(DONE, "equilibrium", "model.yaml", "-o", "rest.csv")
        names, rows = self.table(self.read("rest.csv"))
        row = dict(zip(names, rows[0]))
        row["body.left.rate"] = 1e-4  # the others follow
        with open(self.path("pushed.csv"), "w", encoding="utf-8") as file:
            file.write(",".join(names) + "\n" + ",".join("%.17g" % row[n] for n in names) + "\n")
        names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--from", "pushed.csv", "--t-end", "%.17g" % period, "--points", 4,
                                             "--rtol", "1e-10", "--atol", "1e-12", "--quiet").out)
        angle = [r[names.index("body.left.angle")] for r in rows]
        self.assertAlmostEqual(angle[4], angle[0], delta=1e-3*abs(angle[1] - angle[0]))
        self.assertAlmostEqual(angle[1] - angle[0], angle[0] - angle[3], delta=1e-3*abs(angle[1] - angle[0]))

    def test_general_dae_and_equations_of_the_pendulum_agree(self):
        for name in ("pendulum", "pendulum-dae"):
            got = self.eigenvalues(os.path.join(MODELS, name, name + ".yaml"), "--equilibrium")
            self.assertEqual(len(got), 2)
            self.assertLess(abs(got[0] - 1j*math.sqrt(13.75)), 1e-9)

    def test_slowest_modes_of_a_thousand_links_are_those_of_the_hanging_chain(self):
        text = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
parameters: {N: 1000, L: 10/N}
joints: {hook: {type: revolute, between: [ground, link1], at: [0, 0]}}
repeat:
  - {count: N, index: i, bodies: {"link{i}": {mass: 1/N, shape: {rod: L}, position: [0, -(i - 1/2)*L], angle: -pi/2}}}
  - {count: N - 1, index: i, joints: {"pin{i}": {type: revolute, between: ["link{i}", "link{i+1}"], at: [0, -i*L]}}}
"""
        self.expect(DONE, "linearize", self.write(text), "--modes", 20, "-o", "m.csv")
        _, rows = self.table(self.read("m.csv"))
        self.assertEqual(len(rows), 20)
        for k, zero in enumerate((2.404825557695773, 5.520078110286311, 8.653727912911013)):  # of J0
            self.assertAlmostEqual(abs(rows[2*k][1]), zero/2*math.sqrt(0.981), delta=1e-5*zero)
        # the same ones as those of the matrices
        self.expect(DONE, "linearize", "model.yaml", "--set", "N=20", "--modes", 6, "-o", "m.csv")
        _, few = self.table(self.read("m.csv"))
        whole = self.linear("model.yaml", "--set", "N=20")["modes"]
        for row, mode in zip(few, whole):
            self.assertAlmostEqual(row[1], mode["imag"], delta=1e-8)

    def few(self, text, count, *arguments):
        self.expect(DONE, "linearize", self.write(text) if "\n" in text else text, "--modes", count, "-o", "m.csv", *arguments)
        _, rows = self.table(self.read("m.csv"))
        return [complex(row[0], row[1]) for row in rows]

    def test_slowest_modes_are_those_of_the_matrices_multiple_free_gyroscopic_nonholonomic_and_redundant_ones(self):
        same = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
repeat:
  - {count: 20, index: i, bodies: {"rod{i}": {mass: 1, shape: {rod: 1}, position: [i, -1/2], angle: -pi/2}},
     joints: {"pin{i}": {type: revolute, between: [ground, "rod{i}"], at: [i, 0]}}}
"""
        free = """\
crank: mechanism
repeat:
  - {count: 5, index: i, bodies: {"b{i}": {mass: 1, inertia: [0.1, 0.2, 0.3], position: [i, 0, 0]}}}
  - {count: 4, index: i, forces: {"s{i}": {type: spring, between: ["b{i}", "b{i+1}"], at: {first: [0, 0, 0], second: [0, 0, 0]}, stiffness: 100, length: 1}}}
"""
        tops = """\
crank: mechanism
gravity: [0, 0, -9.81]
repeat:
  - {count: 5, index: i, bodies: {"top{i}": {mass: 1, inertia: [0.02, 0.02, 0.01], position: [i, 0, 0.3], angular_velocity: [0, 0, 60 + 5*i]}},
     joints: {"tip{i}": {type: spherical, between: [ground, "top{i}"], at: [i, 0, 0]}}}
"""
        def model(name):
            return os.path.join(MODELS, name, name + ".yaml")
        for text, count, exact, arguments in ((same, 10, 1e-9, ()), (free, 60, 1e-5, ()), (tops, 20, 1e-5, ()), (model("truck"), 8, 1e-8, ("--equilibrium",)),
                                              (model("bicycle"), 8, 1e-5, ("--set", "speed=5", "--set", "roll_rate=0")),
                                              (model("four-bar-3d"), 2, 1e-8, ("--equilibrium",)), (model("door-three-hinges"), 2, 1e-8, ("--equilibrium",))):
            got, left = self.few(text, count, *arguments), self.eigenvalues(text, *arguments)
            self.assertEqual(len(got), count)
            for value in got:
                nearest = min(left, key=lambda z: abs(z - value))
                left.remove(nearest)
                self.assertLess(abs(nearest - value), exact*max(1, abs(value)), (text, value))
            largest = max(abs(z) for z in got)
            self.assertTrue(all(abs(z) > (1 - exact)*largest - exact for z in left), (largest, left))

    def test_bodies_that_are_welded_have_no_modes_and_one_stiff_hinge_beside_them_has_two(self):
        def model(count, closed, stiffness):
            turned = [(i*0.7 % 1 + 0.1, i*0.3 % 1, i*0.9 % 1 - 0.5, 0.4*i) for i in range(count)]
            bodies = ["  b%d: {mass: %g, inertia: [1, 1.5, 2], position: [%g, %g, %g], orientation: {axis: [%g, %g, %g], angle: %g}}"
                      % (i, 1 + i % 3, i*x, i*y, i*z, x, y, z, angle) for i, (x, y, z, angle) in enumerate(turned)]
            joints = ["  j%d: {type: fixed, between: [%s, b%d], at: [%g, 0.3, 0.2]}" % (i, "b%d" % (i - 1) if i else "ground", i, i)
                      for i in range(count)] + ["  close: {type: fixed, between: [ground, b%d], at: [1, 1, 1]}" % (count - 1)]*closed
            hinge = ["  rotor: {mass: 1, inertia: [2, 2, 2], position: [0, 0, 0]}"]*bool(stiffness)
            pin = ["  pin: {type: revolute, between: [b0, rotor], at: [0, 0, 0], axis: [0, 0, 1]}"]*bool(stiffness)
            force = ["forces:", "  s: {type: torsion, joint: pin, stiffness: %r}" % stiffness]*bool(stiffness)
            return "\n".join(["crank: mechanism", "gravity: [0, 0, -9.81]", "bodies:", *bodies, *hinge, "joints:", *joints, *pin, *force, ""])
        for count in (1, 3, 20):
            for closed in (0, 1):
                self.write(model(count, closed, 0))
                for coordinates in ("absolute", "joint"):
                    self.expect(MODEL, "linearize", "model.yaml", "--modes", 3, "--coordinates", coordinates, says="nothing moves")
                for stiffness in (2e2, 2e6, 2e10):  # of a rotor with inertia 2
                    got = self.few(model(count, closed, stiffness), 4)
                    self.assertEqual(len(got), 2, got)
                    wanted = math.sqrt(stiffness/2)
                    for value in got:
                        self.assertLess(abs(abs(value.imag) - wanted), 1e-6*wanted, (count, closed, value))
                        self.assertLess(abs(value.real), 1e-6*wanted)

    def test_singular_position_is_not_linearised(self):
        self.write("""\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, inertia: 0.1, position: [0.5, 0]}
  b: {mass: 1, inertia: 0.1, position: [2, 0]}
  c: {mass: 1, inertia: 0.1, position: [2.5, 0]}
joints:
  j1: {type: revolute, between: [ground, a], at: [0, 0]}
  j2: {type: revolute, between: [a, b], at: [1, 0]}
  j3: {type: revolute, between: [b, c], at: [3, 0]}
  j4: {type: revolute, between: [ground, c], at: [2, 0]}
""")
        for more in ((), ("--modes", 2)):
            self.expect(MODEL, "linearize", "model.yaml", *more, says=["singular position", '"j4"'])

    def test_slowest_modes_need_a_steady_motion(self):
        result = self.call("linearize", os.path.join(MODELS, "double-pendulum", "double-pendulum.yaml"), "--modes", 4)
        self.assertNotEqual(result.code, DONE)
        self.assertIn("--equilibrium", result.err)

    def test_modes_are_written_as_a_motion_that_a_page_can_show(self):
        x = self.linear(os.path.join(MODELS, "quarter-car", "quarter-car.yaml"), "--equilibrium", "--motion", "m.csv", "--output", "body.body.y",
                        "--output", "body.wheel.y")
        names, rows = self.table(self.read("m.csv"))
        self.assertEqual(len(rows), 2*60)  # two modes, each swings twice
        for k, mode in ((0, x["modes"][0]), (1, x["modes"][2])):
            part = rows[60*k:60*k + 60]
            self.assertAlmostEqual(part[0][names.index("mode.frequency")], mode["frequency"], delta=1e-9)
            self.assertAlmostEqual(part[0][names.index("mode.damping")], mode["damping"], delta=1e-9)
            span = []
            for c in ("body.body.y", "body.wheel.y"):
                values = [r[names.index(c)] for r in part]
                span.append(max(values) - min(values))
                for a, b in zip(values[:30], values[30:]):
                    self.assertAlmostEqual(a, b, delta=1e-12)
            self.assertEqual(span[0] > span[1], k == 0)  # the body sways, the wheel hops
        self.expect(USAGE, "linearize", "a.yaml", "--motion", "m.txt", says="m.txt")

    def test_arms_of_any_size_and_mass_have_the_modes_of_their_stiffness_and_feel_inputs_that_are_zero(self):
        """An arm on a hinge: (J + m L^2) a'' = -k a - c a' + L f(u), where f bends over by u = L. Micrometres and picograms, too."""
        for coordinates in ("absolute", "joint"):
            for length, mass in ((1e-6, 1e-15), (1.0, 1.0), (1e4, 1e9)):
                inertia = mass * length ** 2
                self.write(f"""\
crank: mechanism
dimension: 2
gravity: [0, 0]
parameters: {{L: {length}, u: 0}}
bodies:
  arm: {{mass: {mass}, inertia: {inertia}, position: [L, 0], angle: 0}}
joints:
  hinge: {{type: revolute, between: [ground, arm], at: [0, 0]}}
forces:
  spring: {{type: torsion, joint: hinge, stiffness: {1e9 * inertia}, damping: {1e5 * inertia}}}
  push: {{type: force, body: arm, at: [L, 0], force: [0, "{mass * length}*sinh(u/L)"]}}
""")
                self.expect(DONE, "linearize", "model.yaml", "--coordinates", coordinates, "--input", "u", "-o", "l.json")
                found = json.loads(self.read("l.json"))
                real = sorted(mode["real"] for mode in found["modes"])
                for value, wanted in zip(real, (-25000 - 12500 * 0.8 ** 0.5, -25000 + 12500 * 0.8 ** 0.5)):
                    self.assertAlmostEqual(value / wanted, 1.0, delta=1e-6)
                pushed = max(abs(b[0]) for b in found["B"])
                wanted = [1 / (2 * length), 1 / 2]  # of the angle, of what moves across
                self.assertLess(min(abs(pushed / w - 1) for w in wanted), 1e-6)

    def test_motion_that_is_not_steady_is_told(self):
        self.write(PENDULUM)
        self.expect(DONE, "linearize", "model.yaml", says="the motion is not steady here: vy changes, by forces of -13.8")
        # a cart at its rest, whose load still flows; what nothing depends on may change
        text = """\
crank: mechanism
dimension: 2
energy: true
bodies: {cart: {mass: 2, inertia: 1, position: [0.5, 0]}}
joints: {rail: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0]}}
dynamic: {flow: {start: START, rate: 2 - flow}, clock: {start: 0, rate: 1}}
forces: {push: {type: force, body: cart, force: [3*flow - 12*body.cart.x, 0]}}
"""
        self.write(text.replace("START", "2"))
        self.assertNotIn("not steady", self.expect(DONE, "linearize", "model.yaml").err)
        self.write(text.replace("START", "2.1").replace("0.5, 0", "0.525, 0"))
        self.expect(DONE, "linearize", "model.yaml", says="not steady here: flow changes by -0.1 per second")
        self.write(text.replace("START", "2").replace("0.5, 0", "0.6, 0"))
        self.expect(DONE, "linearize", "model.yaml", says="not steady here: body.cart.vx changes by -0.6 per second")

    def test_eigenvalues_go_over_without_a_jump_from_a_steady_to_an_unsteady_motion(self):
        """A wheel that spins in a frame on two springs, and a bearing that slows it down: (I s^2 + c s + k1)(I s^2 + c s + k2) + (H s)^2 = 0."""
        text = """\
crank: mechanism
gravity: [0, 0, 0]
parameters: {d: 1e-9}
bodies:
  frame: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 0]}
  wheel: {mass: 18, inertia: [0.65, 1.1, 0.65], position: [0, 0.75, 0], angular_velocity: [0, 60, 0]}
joints:
  roll: {type: universal, between: [ground, frame], at: [0, 0, 0], axes: [[1, 0, 0], [0, 0, 1]]}
  hub: {type: revolute, between: [frame, wheel], at: [0, 0.75, 0], axis: [0, 1, 0]}
forces:
  kr: {type: torsion, joint: roll, coordinate: angle1, stiffness: 1e4, damping: 20}
  ks: {type: torsion, joint: roll, coordinate: angle2, stiffness: 2e4, damping: 20}
  drag: {type: torsion, joint: hub, damping: d}
"""
        inertia, spin = 1 + 0.65 + 18*0.75**2, 1.1*60
        for drag in (1e-12, 1e-6, 1e-5, 1e-3, 1):
            both = []
            for coordinates in ("absolute", "joint"):
                l = self.linear(text, "--set", f"d={drag}", "--coordinates", coordinates)
                swinging = [complex(m["real"], m["imag"]) for m in l["modes"] if abs(m["imag"]) > 1]
                self.assertEqual(len(swinging), 4)
                for s in swinging:
                    value = (inertia*s*s + 20*s + 1e4)*(inertia*s*s + 20*s + 2e4) + (spin*s)**2
                    self.assertLess(abs(value), (1e-8 + 1e-2*drag)*abs(inertia*s*s)**2, msg=f"{drag} {coordinates}")  # its torque tilts along
                both.append(swinging)
            for a, b in zip(*both):
                self.assertLess(abs(a - b), 1e-9*abs(b), msg=drag)
        self.write(text)
        result = self.expect(DONE, "linearize", "model.yaml", "--set", "d=1e-3", says="not steady here: body.wheel.omega_y changes by -0.0545 per second")
        self.assertIn("--from", result.err)
        self.assertNotIn("not steady", self.expect(DONE, "linearize", "model.yaml").err)

    def test_motion_whose_accelerations_vanish_for_a_moment_alone_is_not_steady(self):
        """Two rotors that turn apart wind a shaft, just now untwisted; turning together, or with a drive, they do not."""
        text = """\
crank: mechanism
dimension: 2
parameters: {wa: 10, wb: 0}
bodies: {a: {mass: 1, inertia: 1, position: [0, 0], rate: wa}, b: {mass: 1, inertia: 1, position: [0, 0], rate: wb}}
joints: {ja: {type: revolute, between: [ground, a], at: [0, 0]DRIVE}, jb: {type: revolute, between: [ground, b], at: [0, 0]}}
forces: {shaft: {type: torsion, between: [a, b], law: 100*sin(angle)}}
"""
        for coordinates in ("absolute", "joint"):
            for drive in ("", ", drive: wa*t"):
                self.write(text.replace("DRIVE", drive))
                for apart, told in ((0, True), (10 - 1e-3, True), (10, False)):
                    result = self.expect(DONE, "linearize", "model.yaml", "--set", f"wb={apart}", "--coordinates", coordinates)
                    self.assertEqual("not steady" in result.err, told, msg=f"{coordinates} {drive} {apart} {result.err}")
                    self.assertEqual("the rate of" in result.err, told)

    def test_velocities_that_are_nothing_make_no_turn(self):
        """A rotor at a steady speed, whose centre is said to move by what rounding leaves."""
        text = """\
crank: mechanism
dimension: 2
bodies: {a: {mass: 1, inertia: 1, position: [0, 0], rate: 60, velocity: [SPEED, 0]}, b: {mass: 1, inertia: 1, position: [0, 0]}}
forces:
  pull: {type: spring, between: [ground, a], at: {first: [0, 1], second: [0, 0]}, law: 0}
  push: {type: force, body: a, force: [0, PULL]}
"""
        for speed, pull in ((1e-154, 1e-154), (1e-9, 1e-8), (0, 0)):
            self.write(text.replace("SPEED", str(speed)).replace("PULL", str(pull)))
            result = self.expect(DONE, "linearize", "model.yaml", "-o", "a.json")
            self.assertNotIn("not steady", result.err)
            for m in json.loads(self.read("a.json"))["modes"]:
                self.assertEqual(abs(complex(m["real"], m["imag"])), 0)

    def test_steps_of_inputs_follow_from_the_rows_on_which_they_act(self):
        """Not from energies, which may consist of the input alone; nor from its value, if rounding swallows that."""
        for L in (1, 1e-3, 1e3):
            self.write(f"""\
crank: mechanism
dimension: 2
energy: true
parameters: {{L: {L}, zero: 0, tiny: 1e-14, gain: 0}}
bodies: {{cart: {{mass: 2, inertia: L^2, position: [0, 0], velocity: [0.3*L, 0]}}}}
joints: {{rail: {{type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0]}}}}
forces:
  push: {{type: force, body: cart, force: [(zero + tiny + gain*body.cart.vx)*L, 0]}}
  coil: {{type: spring, joint: rail, stiffness: 300, length: L}}
""")
            self.expect(DONE, "linearize", "model.yaml", "--input", "zero", "--input", "tiny", "--input", "gain", "-o", "l.json")
            for found, wanted in zip(json.loads(self.read("l.json"))["B"][1], (0.5*L, 0.5*L, 0.15*L*L)):
                self.assertAlmostEqual(found/wanted, 1, delta=1e-10)
        # equations, too: a voltage in units of which a thousandth is far too much
        self.write("crank: equations\nparameters: {u: 0}\npositions: {x: {start: 0}}\nvelocities: {v: {of: x, start: 0}}\n"
                   "mass: [[1]]\nforces: [-x - v + sin(1e9*u)]\n")
        self.expect(DONE, "linearize", "model.yaml", "--input", "u", "-o", "l.json")
        self.assertAlmostEqual(json.loads(self.read("l.json"))["B"][1][0]/1e9, 1, delta=1e-9)

    def test_tyre_that_is_about_to_lift_off_has_the_derivatives_of_its_spring(self):
        """Deflected by m g/k, 49 um to 49 mm: B = k/m, c/m (c: at v = 0), D = k, c, and the road is the opposite of the wheel."""
        for mass in (1, 10, 30, 1000):
            for radius in (0.3, 30):  # places are rounded: eps 30 m, beside 49 um
                l = self.linear(f"""\
crank: mechanism
gravity: [0, 0, -9.81]
inputs: {{post: 0}}
bodies: {{wheel: {{mass: {mass}, inertia: [0.1, 0.1, 0.1], position: [0, 0, {radius}]}}}}
joints: {{g: {{type: prismatic, between: [ground, wheel], at: [0, 0, {radius}], axis: [0, 0, 1]}}}}
forces: {{tyre: {{type: tyre, body: wheel, radius: {radius}, stiffness: 2e5, damping: 100, road: post}}}}
""", "--equilibrium", "--input", "post", "--output", "force.tyre.force")
                k, c = -l["A"][1][0], -l["A"][1][1]
                self.assertEqual(l["inputs"], ["post", "post'"])
                self.assertAlmostEqual(k*mass/2e5, 1, delta=1e-5)
                for got, want in ((l["B"][1], (k, c)), (l["D"][0], (k*mass, c*mass)), (l["C"][0], (-k*mass, -c*mass))):
                    for a, b in zip(got, want):
                        self.assertAlmostEqual(a/b, 1, delta=1e-8, msg=f"{mass} {radius} {l}")

    def test_stop_that_is_just_touched_has_no_derivative_and_that_is_told(self):
        text = """\
crank: equations
parameters: {u: 0, gap: 0}
positions:  {x: {start: 0}}
velocities: {v: {of: x, start: 0}}
mass: [[1]]
forces: ["-x + 7*max(u - gap, 0) + 2*sin(1000*u)"]
outputs: {touch: "5*max(x - gap, 0)"}
"""
        self.write(text)
        result = self.expect(DONE, "linearize", "model.yaml", "--input", "u", "--output", "touch", "-o", "a.json", says="no derivative")
        self.assertIn("v by u: 2007 to the one side, 2000 to the other", result.err)
        l = self.linear(text, "--input", "u", "--output", "touch", "--set", "gap=1e-6")
        self.assertAlmostEqual(l["B"][1][0], 2000, delta=1e-5)
        self.assertEqual(l["C"][0][0], 0)
        l = self.linear(text, "--input", "u", "--output", "touch", "--set", "gap=-1e-6")
        self.assertAlmostEqual(l["B"][1][0], 2007, delta=1e-5)
        self.assertAlmostEqual(l["C"][0][0], 5, delta=1e-8)

    def test_corner_of_a_law_in_the_matrix_itself_is_told_in_all_units(self):
        """A stop that is just touched: 10 rad/s to the one side, 20 to the other; beside it there is one answer."""
        for unit, stiffness in ((1, 100), (1e-3, 100), (1e3, 1e7)):
            for gap, told in ((0, True), (1e-3, False), (-1e-3, False)):
                result = self.expect(DONE, "linearize", self.write(f"""\
crank: mechanism
dimension: 2
gravity: [0, 0]
bodies: {{a: {{mass: 1, inertia: {unit**-2}, position: [0, 0]}}}}
joints: {{j: {{type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}}}}
forces:
  s: {{type: spring, joint: j, stiffness: {stiffness}, length: 0}}
  e: {{type: stop, joint: j, upper: {gap/unit}, stiffness: {3*stiffness}}}
"""))
                self.assertEqual(f"A, with its eigenvalues, is that of one side: body.a.vx by body.a.x: {3*stiffness:.4g} to the one side" in result.err,
                                 told, (unit, gap, result.err))

    def test_a_rest_is_steady_whatever_drives_do_later(self):
        """A drive that begins with its third derivative stands still at the rest."""
        for drive in ("5 + t^2", "5 + t^3", "5 + sin(t)"):
            self.write(f"""\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies: {{trolley: {{mass: 80, inertia: 3}}, bob: {{mass: 5, inertia: 0.1}}}}
joints:
  rail: {{type: prismatic, between: [ground, trolley], at: {{first: [0, 0], second: [0, 0]}}, axis: [1, 0], drive: {drive}}}
  pin: {{type: revolute, between: [trolley, bob], at: {{first: [0, 0], second: [0, 1]}}}}
""")
            self.assertNotIn("steady", self.expect(DONE, "linearize", "model.yaml", "--equilibrium").err)
        self.write((self.read("model.yaml")).replace("5 + sin(t)", "5 + t^3"))
        self.expect(DONE, "linearize", "model.yaml", says="not steady")

    def test_few_modes_are_listed_as_all_are_with_what_they_are_mostly_in(self):
        for model in (os.path.join(MODELS, "quarter-car", "quarter-car.yaml"), self.write(RODS)):
            for coordinates in ("absolute", "joint"):
                whole = self.expect(DONE, "linearize", model, "--equilibrium", "--coordinates", coordinates).out.splitlines()
                few = self.expect(DONE, "linearize", model, "--equilibrium", "--coordinates", coordinates, "--modes", 4).out.splitlines()
                self.assertEqual(few[0], whole[0])
                self.assertEqual([line.split()[2:] for line in few[1:]], [line.split()[2:] for line in whole[1:]])

    def test_springs_of_a_cylindrical_joint_mean_its_length_and_torsion_springs_its_angle(self):
        text = """\
crank: mechanism
gravity: [0, 0, 0]
bodies: {a: {mass: 1, inertia: [3, 3, 4], position: [0, 0, 0]}}
joints: {j: {type: JOINT, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}
forces: {s: {type: FORCE, joint: j, stiffness: 100}}
"""
        for force, frequency in (("spring", 10), ("torsion", 5)):
            self.write(text.replace("FORCE", force).replace("JOINT", "cylindrical"))
            self.assertAlmostEqual(abs(self.eigenvalues("model.yaml")[-1]), frequency, delta=1e-9)
        self.write(text.replace("FORCE", "torsion").replace("JOINT", "planar"))
        self.assertAlmostEqual(abs(self.eigenvalues("model.yaml")[-1]), 5, delta=1e-9)
        self.write(text.replace("FORCE", "spring").replace("JOINT", "planar"))
        self.expect(MODEL, "linearize", "model.yaml", says="has several coordinates")

    def test_unknown_names_and_formats_are_told(self):
        self.write(PENDULUM)
        self.expect(USAGE, "linearize", "model.yaml", "--output", "z", says="no column z")
        self.expect(USAGE, "linearize", "model.yaml", "--input", "foo", says="foo")
        self.expect(USAGE, "linearize", "model.yaml", "-o", "a.txt", says=".json")
        self.expect(FAILED, "linearize", "model.yaml", "-o", "no/such/a.json", says="no/such")
        self.expect(USAGE, "linearize", "model.yaml", "--html", "a.txt", says=".html")
        self.expect(USAGE, "linearize", "model.yaml", "--html", "a.html", "--modes", 2, says="--html")

    def test_modes_are_named_by_the_body_that_moves_not_by_small_parts_that_turn_along(self):
        # a heavy plate on a light crank that turns fast with it: energy is the plate's
        text = """\
crank: mechanism
dimension: 2
gravity: [0, 0]
bodies:
  crank: {mass: 0.01, inertia: 1e-6, position: [0, 0], angle: pi/2}
  plate: {mass: 100, inertia: 5, position: [0, 0.01]}
joints:
  pin: {type: revolute, between: [ground, crank], at: [0, 0]}
  slide: {type: prismatic, between: [ground, plate], at: [0, 0.01], axis: [1, 0]}
  slot: {type: point_on_line, between: [plate, crank], at: {first: [0, 0], second: [0.01, 0]}, axis: [0, 1]}
forces: {coil: {type: torsion, between: [ground, crank], stiffness: 1}}
"""
        for coordinates in ("absolute", "joint"):
            for mode in self.linear(text, "--coordinates", coordinates)["modes"]:
                self.assertIn(mode["mostly"], ("body.plate.vx", "joint.slide.rate"))

    def test_eigenvalues_go_to_csv_and_matrices_to_mat(self):
        self.write(PENDULUM)
        self.expect(DONE, "linearize", "model.yaml", "--equilibrium", "-o", "a.csv")
        names, rows = self.table(self.read("a.csv"))
        self.assertEqual(names, ["real", "imag", "frequency", "damping"])
        self.assertAlmostEqual(rows[0][1], math.sqrt(13.75), delta=1e-9)
        self.expect(DONE, "linearize", "model.yaml", "--equilibrium", "-o", "a.mat")
        with open(self.path("a.mat"), "rb") as file:
            data = file.read()
        self.assertEqual(data[:22], bytes([0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]) + b"A\0")


if __name__ == "__main__":
    main()
