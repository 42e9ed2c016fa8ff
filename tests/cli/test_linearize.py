"""crank linearize: eigenvalues against closed forms and published matrices, in all coordinates; A, B, C, D; formats."""
# SPDX-License-Identifier: BSD-3-Clause
import cmath
import csv
import json
import math
import os
import re

from command import DONE, FAILED, PENDULUM, USAGE, CommandTest, main

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
        _, rows = self.table(self.expect(DONE, "linearize", self.write(text), "--modes", 20, "--quiet").out)
        self.assertEqual(len(rows), 20)
        for k, zero in enumerate((2.404825557695773, 5.520078110286311, 8.653727912911013)):  # of J0
            self.assertAlmostEqual(abs(rows[2*k][1]), zero/2*math.sqrt(0.981), delta=1e-5*zero)
        # the same ones as those of the matrices
        _, few = self.table(self.expect(DONE, "linearize", "model.yaml", "--set", "N=20", "--modes", 6, "--quiet").out)
        whole = self.linear("model.yaml", "--set", "N=20")["modes"]
        for row, mode in zip(few, whole):
            self.assertAlmostEqual(row[1], mode["imag"], delta=1e-8)

    def test_motion_that_is_not_steady_is_told(self):
        self.write(PENDULUM)
        self.expect(DONE, "linearize", "model.yaml", says="not steady")

    def test_unknown_names_and_formats_are_told(self):
        self.write(PENDULUM)
        self.expect(USAGE, "linearize", "model.yaml", "--output", "z", says="no column z")
        self.expect(USAGE, "linearize", "model.yaml", "--input", "foo", says="foo")
        self.expect(USAGE, "linearize", "model.yaml", "-o", "a.txt", says=".json")
        self.expect(FAILED, "linearize", "model.yaml", "-o", "no/such/a.json", says="no/such")

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
