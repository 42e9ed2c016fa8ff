"""crank: dae files through the command: analysis in words, runs against exact solutions, refusals."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import re
import signal
import time

from command import DONE, FAILED, MODEL, USAGE, CommandTest, main

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
PENDULUM = os.path.join(MODELS, "pendulum-dae", "pendulum-dae.yaml")


def model(*names):
    return os.path.join(MODELS, *names)


def circuit1(t):
    """V = 5 sin(w t) through R = 1000 into C = 1e-6: e2 = a sin + b cos - b exp(-t/RC)."""
    w, tau = 100*math.pi, 1e-3
    a, b = 5/(1 + (w*tau)**2), -5*w*tau/(1 + (w*tau)**2)
    e1 = 5*math.sin(w*t)
    e2 = a*math.sin(w*t) + b*math.cos(w*t) - b*math.exp(-t/tau)
    return {"e1": e1, "e2": e2, "i": (e2 - e1)/1000}


def circuit2(t):
    """L i' + R i = V sin(w t), i(0) = 0; the source also charges the capacitor beside it."""
    w, R, L, C = 100*math.pi, 10, 0.05, 1e-5
    z = R**2 + (w*L)**2
    i = 5*(R*math.sin(w*t) - w*L*math.cos(w*t) + w*L*math.exp(-R/L*t))/z
    e1 = 5*math.sin(w*t)
    return {"e1": e1, "e2": e1 - R*i, "iL": i, "iV": -i - C*5*w*math.cos(w*t)}


def crane(t):
    """The load's path x = 2 + 2 tanh(t - 5) by its derivatives; z/g = 10/9.81."""
    y = math.tanh(t - 5)
    x2, x4 = -4*y*(1 - y*y), 16*y*(2 - 3*y*y)*(1 - y*y)
    x, xt = 2 + 2*y, 2 + 2*y + x2*10/9.81
    r = math.hypot(x - xt, 10)
    return {"x": x, "z": 10, "xt": xt, "r": r, "tension": 98.1*r, "force": 1000*(x2 + x4*10/9.81) + 100*x2}


EXACT = {
    ("crane", "crane.yaml"): crane,
    ("circuits", "index1.yaml"): circuit1,
    ("circuits", "index2.yaml"): circuit2,
    ("overdetermined-circle", "overdetermined-circle.yaml"):
        lambda t: {"x": math.cos(t), "y": math.sin(t), "z": math.exp(-t)},
    ("varying-rank", "varying-rank.yaml"): lambda t: {"x1": math.exp(t), "x2": 1, "x3": 1},
    ("time-varying-dae", "time-varying-dae.yaml"):
        lambda t: {"x": t*(math.exp(-t) - math.cos(t)) + math.sin(t), "y": math.exp(-t) - math.cos(t),
                   "z": -math.exp(-t) - math.sin(t), "rate": -math.exp(-t) + math.sin(t)},
    ("car", "car.yaml"):
        lambda t: {"x": 4*math.sin(t/2), "y": 4 - 4*math.cos(t/2), "heading": t/2, "speed": 2, "turn": 0.5},
    ("car", "path.yaml"):
        lambda t: {"x": t, "y": math.sin(t), "heading": math.atan(math.cos(t)), "speed": math.hypot(1, math.cos(t)),
                   "turn": -math.sin(t)/(1 + math.cos(t)**2)},
}


class Analysis(CommandTest):
    def check(self, text, code=DONE):
        return self.expect(code, "check", self.write(text))

    def test_the_pendulum_has_index_three_and_its_hidden_constraints_are_shown(self):
        out = self.expect(DONE, "check", PENDULUM).out
        for text in ("5 equations of 5 variables",
                     'level 0, stated: 0 = x^2 + y^2 - 1 (equation "length")',
                     'level 1, hidden: 0 = -2*x*vx - 2*y*vy (from equation "length", by differentiating once)',
                     "level 2, hidden: 0 = ", "by differentiating twice",
                     "2 differential, 3 algebraic, 0 undetermined", "2 start values can be chosen, 3 follow",
                     "differentiation index 3", "strangeness index 2", "redundant        none",
                     "lambda moved from 20 to 20.6253716 (it was a guess)", "verdict          fine"):
            self.assertIn(text, out)

    def test_indices_and_counts_of_the_models(self):
        for names, index, strangeness, components in (
                (("circuits", "index1.yaml"), "differentiation index 1", 0, "1 differential, 2 algebraic"),
                (("circuits", "index2.yaml"), "differentiation index 2", 1, "1 differential, 3 algebraic"),
                (("varying-rank", "varying-rank.yaml"), "differentiation index 2", 1, "1 differential, 2 algebraic"),
                (("time-varying-dae", "time-varying-dae.yaml"), "differentiation index 2", 1,
                 "1 differential, 2 algebraic"),
                (("overdetermined-circle", "overdetermined-circle.yaml"), "no differentiation index", 1,
                 "1 differential, 2 algebraic"),
                (("car", "path.yaml"), "differentiation index 3", 2, "0 differential, 5 algebraic"),
                (("crane", "crane.yaml"), "differentiation index 5", 4, "0 differential, 9 algebraic")):
            out = self.expect(DONE, "check", model(*names)).out
            self.assertIn(index, out)
            self.assertIn(f"strangeness index {strangeness}", out)
            self.assertIn(components, out)

    def test_formulas_show_ranks_selected_equations_and_the_underlying_ode(self):
        out = self.expect(DONE, "check", PENDULUM, "--formulas").out
        for text in ("numbers          level 0: rank E = 4, r = 4, a = 1, d = 3", "level 1: rank E = 4, r = 4, a = 2, d = 2",
                     "level 2: rank E = 4, r = 5, a = 3, d = 2", "level 3: rank E = 5, r = 5, a = 3, d = 2",
                     "(a, d, v) = (3, 2, 0), u = 0, of the derivative array of level 2",
                     'selected         vx\' = -2*x*lambda', 'equation "length", level 0)', "underlying ODE   x' = vx\n",
                     "vy' = -13.75 - 2*y*lambda\n"):
            self.assertIn(text, out)
        out = self.expect(DONE, "check", model("overdetermined-circle", "overdetermined-circle.yaml"), "--formulas").out
        self.assertIn("(a, d, v) = (2, 1, 3), u = 0", out)
        self.assertNotIn("underlying", self.expect(DONE, "check", PENDULUM).out)

    def test_the_underlying_ode_is_the_motion_that_a_run_finds(self):
        """Rates by the formulas against those of the exact solutions, by differences (h^4, here 1e-12)."""
        for names in (("circuits", "index1.yaml"), ("circuits", "index2.yaml"), ("time-varying-dae", "time-varying-dae.yaml"),
                      ("overdetermined-circle", "overdetermined-circle.yaml"), ("varying-rank", "varying-rank.yaml"),
                      ("car", "path.yaml")):
            out = self.expect(DONE, "check", model(*names), "--formulas").out
            rates = dict(re.findall(r"(?:underlying ODE|\s{14})   (\w+)' = (.*)\n", out[out.index("underlying ODE"):]))
            exact, t, h = EXACT[names], 0.3, 1e-3
            self.assertLess(0, len(rates))
            for name, formula in rates.items():
                rate = (8*(exact(t + h)[name] - exact(t - h)[name]) - exact(t + 2*h)[name] + exact(t - 2*h)[name])/(12*h)
                found = eval(formula.replace("^", "**"), vars(math), {**exact(t), "t": t})
                self.assertAlmostEqual(found, rate, delta=1e-3*max(1, abs(rate)), msg=name)

    def test_redundant_equations_are_named(self):
        out = self.expect(DONE, "check", model("overdetermined-circle", "overdetermined-circle.yaml")).out
        self.assertIn('equation "tangent" follows from the others', out)
        self.assertEqual(out.count("follows from the others"), 3)

    def test_what_must_be_prescribed_is_told_by_check_and_run(self):
        text = "crank: dae\nvariables: {x: 1, u: 0}\nequations: [\"x' = u\"]\n"
        result = self.check(text, MODEL)
        self.assertIn('"u" is left open by the equations and must be prescribed', result.out)
        self.assertIn("verdict          no motion follows from this", result.out)
        self.assertIn('"prescribe: {u: sin(t)}"', result.err)
        result = self.expect(MODEL, "run", "model.yaml", "--out", "r.csv")
        self.assertIn('"u" must be prescribed', result.err)
        self.assertFalse(os.path.exists(self.path("r.csv")))
        self.expect(DONE, "run", self.write(text + "prescribe: {u: sin(t)}\n"), "--out", "r.csv")

    def test_contradictions_and_singular_starts_have_exit_status_3(self):
        result = self.check("crank: dae\nvariables: {x: 1}\nequations: {a: \"x' = 1\", b: \"x = 0\"}\n", MODEL)
        self.assertIn("contradicts the others", result.out)
        result = self.check("crank: dae\nvariables: {x: 1}\nequations: [\"(x - 1)*x' = (x - 1)*x\"]\n", MODEL)
        self.assertIn("the rank of the leading matrix is 0 there and 1 nearby", result.out)
        result = self.check("crank: dae\nvariables: {x: 1}\nequations: [\"x'^2 = 1\"]\n", MODEL)
        self.assertIn("model.yaml:3:13: equation 1: not linear in the derivative x'", result.err)
        self.assertEqual(result.out, "")
        self.expect(MODEL, "check", "missing.yaml")
        self.expect(USAGE, "check", PENDULUM, "--set", "nobody=1")

    def test_derivatives_that_cancel_give_a_combined_constraint(self):
        out = self.check("crank: dae\nvariables: {x: 1, y: 1}\nequations: [\"x' - y' = x\", \"y' - x' = 1 - 2*y\"]\n").out
        self.assertIn("level 0, combined: 0 = ", out)
        self.assertIn("(equation 2 with others)", out)

    def test_start_values_that_are_far_off_are_named(self):
        for start in ("1e10", "{start: 1e10, nominal: 1}"):
            text = f"crank: dae\nvariables: {{x: {start}, y: 0.5}}\nequations: [\"y' = -y\", \"x^2 + y^2 = 1\"]\n"
            self.assertIn('"x" started far off, at 1e+10, and was moved to 0.866025', self.check(text, MODEL).err)

    def test_init_moves_as_little_as_needed_and_tells_it(self):
        result = self.expect(DONE, "init", PENDULUM)
        self.assertIn("lambda", result.out)
        self.assertNotIn("vx  ", result.out)
        self.assertIn("the given values are consistent", result.err)
        result = self.expect(DONE, "init", PENDULUM, "--set", "x=0.5")
        self.assertIn("not consistent", result.err)


class Runs(CommandTest):
    def rows(self, path, *arguments):
        self.expect(DONE, "run", path, "--out", "r.csv", *arguments)
        return self.table(self.read("r.csv"))

    def test_models_follow_their_exact_solutions(self):
        for names, exact in EXACT.items():
            for method in ("psf-radau", "psf-bdf", "ode-dopri8"):
                columns, rows = self.rows(model(*names), "--method", method, "--rtol", "1e-9", "--atol", "1e-11")
                worst = 0.0
                for row in rows:
                    for name, value in exact(row[0]).items():
                        worst = max(worst, abs(row[columns.index(name)] - value)/(1 + abs(value)))
                self.assertLess(worst, 2e-6, f"{names} {method}")
                self.assertGreater(len(rows), 50)

    def test_hidden_constraints_hold_to_round_off(self):
        for method in ("psf-radau", "psf-bdf", "ode-dopri8", "overdetermined-radau", "overdetermined-bdf"):
            columns, rows = self.rows(PENDULUM, "--method", method)
            for level in range(3):
                column = columns.index(f"residual.level{level}")
                self.assertLess(max(row[column] for row in rows), 1e-12, f"{method}, level {level}")

    def test_two_routes_to_the_pendulum_agree(self):
        """The DAE of five equations, and the mechanism's equations with one constraint: different formulations, unknowns
        and reductions; errors at rtol 1e-10 are below 1e-7."""
        tight = ("--rtol", "1e-10", "--atol", "1e-10", "--t-end", "3")
        columns, rows = self.rows(PENDULUM, *tight)
        others, reference = self.rows(model("pendulum", "pendulum.yaml"), *tight)
        self.assertEqual(len(rows), len(reference))
        for row, other in zip(rows, reference):
            for name, twin in (("x", "x"), ("y", "y"), ("vx", "vx"), ("vy", "vy"), ("lambda", "lambda.length"),
                               ("energy", "energy")):
                self.assertAlmostEqual(row[columns.index(name)], other[others.index(twin)], delta=1e-6)

    def test_a_run_ends_at_a_singular_point_with_the_reason(self):
        result = self.expect(FAILED, "run", model("varying-rank", "singular-point.yaml"), "--out", "r.csv")
        self.assertIn("a singular point at or before t = 0.6931", result.err)
        self.assertAlmostEqual(self.table(self.read("r.csv"))[1][-1][0], math.log(2), delta=1e-9)  # the row where it stopped
        self.assertIn('do not determine the derivative of "x"', result.err)

    def test_methods_without_a_meaning_are_refused(self):
        for method in ("peom1-radau", "ggl-bdf", "index1-radau", "baumgarte-radau", "gmkssol"):
            result = self.expect(USAGE, "run", PENDULUM, "--out", "r.csv", "--method", method)
            self.assertIn("general DAE", result.err)
        self.assertIn("cannot be compiled",
                      self.expect(USAGE, "run", PENDULUM, "--out", "r.csv", "--compile").err)
        self.expect(USAGE, "run", PENDULUM, "--out", "r.csv", "--option", "singular=pass")

    def test_summary_comparison_and_plot_speak_of_levels(self):
        result = self.expect(DONE, "run", PENDULUM, "--out", "r.csv")
        self.assertIn("dae of 5 unknowns, 3 constraints, 2 degrees of freedom", result.err)
        self.assertIn("residuals  level 0", result.err)
        self.expect(DONE, "plot", "r.csv", "x", "--residuals", "-o", "r.svg")
        result = self.expect(DONE, "compare", PENDULUM, "--methods", "psf-radau,psf-bdf", "--tols", "1e-4:1e-5",
                             "--t-end", "1")
        self.assertIn("lev 0", result.out)
        self.assertNotIn("pos", result.out)

    def test_a_resumed_run_has_the_bits_of_one_that_was_never_stopped(self):
        arguments = ("run", PENDULUM, "--t-end", "400", "--every", "0.1", "--rtol", "1e-9", "--quiet")
        self.expect(DONE, *arguments, "--out", "whole.csv")
        process = self.start(*arguments, "--out", "part.csv", "--checkpoint", "c", "--checkpoint-every", "0.01")
        while process.poll() is None and not os.path.exists(self.path("c")):
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILED, said)
        self.assertLess(len(self.read("part.csv")), len(self.read("whole.csv")))
        self.expect(DONE, "resume", "c", "--quiet")
        self.assertEqual(self.read("part.csv"), self.read("whole.csv"))

    def test_events_reset_variables_and_stop(self):
        """y = 1 - g t^2/2 hits the floor at sqrt(2/g), bounces with 0.8; switched by a variable that is constant."""
        text = """\
crank: dae
parameters: {g: 9.81}
variables: {y: 1, v: 0, bounces: 0}
equations: ["y' = v", "v' = -g", "bounces' = 0"]
events:
  floor: {when: y, direction: falling, actions: {reset: {v: -0.8*v, bounces: bounces + 1}}}
  end: {when: t - 2.5, actions: stop}
simulate: {t_end: 10, rtol: 1e-9, atol: 1e-9}
"""
        for method in ("psf-radau", "psf-bdf", "ode-dopri8"):
            columns, rows = self.run_events(text, method)
            self.assertAlmostEqual(rows[-1][0], 2.5, delta=1e-9)
            first = math.sqrt(2/9.81)
            t, v = first, 0.8*9.81*first
            while t + 2*v/9.81 < 2.5:
                t, v = t + 2*v/9.81, 0.8*v
            rest = 2.5 - t
            self.assertEqual(rows[-1][columns.index("bounces")], 4)
            self.assertAlmostEqual(rows[-1][columns.index("y")], v*rest - 9.81*rest**2/2, delta=1e-6)

    def run_events(self, text, method):
        self.expect(DONE, "run", self.write(text), "--method", method, "--out", "r.csv")
        return self.table(self.read("r.csv"))

    def test_constraints_may_be_stated_twice(self):
        """The pendulum's length once more, times two, and the hidden constraint of level 1 openly."""
        with open(PENDULUM, encoding="utf-8") as file:
            text = file.read().replace("outputs:", "  - twice: 2*x^2 + 2*y^2 = 2*L^2\n  - tangent: x*vx + y*vy = 0\noutputs:")
        columns, reference = self.rows(PENDULUM, "--t-end", "2", "--rtol", "1e-9", "--atol", "1e-9")
        for method in ("psf-radau", "psf-bdf", "ode-dopri8"):
            self.expect(DONE, "run", self.write(text), "--t-end", "2", "--rtol", "1e-9", "--atol", "1e-9", "--method",
                        method, "--out", "r.csv")
            columns, rows = self.table(self.read("r.csv"))
            for name in ("x", "y", "vx", "vy", "lambda"):
                column = columns.index(name)
                self.assertAlmostEqual(rows[-1][column], reference[-1][column], delta=1e-5)

    def test_a_reset_may_lead_across_a_singular_point(self):
        """x x' = -1 has x = sqrt(1 - 2 t), and behind x = 0, from -2 sqrt(0.4) on, x^2 = 1.6 - 2 (t - 0.3)."""
        text = """\
crank: dae
variables: {x: 1}
equations: ["x*x' = -1"]
events: {flip: {when: t - 0.3, actions: {reset: {x: -2*x}}}}
simulate: {t_end: 0.8, rtol: 1e-8, atol: 1e-8}
"""
        for method in ("psf-radau", "psf-bdf", "ode-dopri8"):
            columns, rows = self.run_events(text, method)
            self.assertAlmostEqual(rows[-1][columns.index("x")], -math.sqrt(0.6), delta=1e-5)

    def test_stiffness_that_sets_in_later_is_no_obstacle(self):
        """x' = 1e6 t (cos t - x) - sin t: implicit steps do not feel it if the Jacobian has it, though it is zero at t = 0."""
        text = """\
crank: dae
variables: {x: 1}
equations: ["x' = 1e6*t*(cos(t) - x) - sin(t)"]
simulate: {t_end: 10, rtol: 1e-6, atol: 1e-6, max_steps: 1000}
"""
        for method in ("psf-radau", "psf-bdf"):
            columns, rows = self.run_events(text, method)
            self.assertAlmostEqual(rows[-1][columns.index("x")], math.cos(10), delta=1e-5)

    def test_a_reset_that_breaks_a_constraint_is_refused(self):
        with open(PENDULUM, encoding="utf-8") as file:
            text = file.read()
        event = "events: {wall: {when: x - 0.3, direction: rising, actions: {reset: {%s}}}}\n"
        result = self.expect(FAILED, "run", self.write(text + event % "vx: -vx"), "--out", "r.csv")
        self.assertIn('hidden constraint (level 1) of equation "length"', result.err)
        self.expect(DONE, "run", self.write(text + event % "vx: -vx, vy: -vy"), "--out", "r.csv")
        columns, rows = self.table(self.read("r.csv"))
        self.assertLess(max(row[columns.index("x")] for row in rows), 0.3 + 1e-6)
        self.assertLess(max(row[columns.index("residual.level2")] for row in rows), 1e-12)
        for action, says in (("set: {m: 2}", "parameters are numbers"), ("impact: 1", "an impact is for mechanisms"),
                             ("reset: {m: 2}", "not a variable")):
            event = f"events: {{wall: {{when: x - 0.3, actions: {{{action}}}}}}}\n"
            self.assertIn(says, self.expect(MODEL, "run", self.write(text + event), "--out", "r.csv").err)

    def test_the_schema_knows_the_kind(self):
        out = self.expect(DONE, "schema").out
        self.assertIn('"dae"', out)
        self.assertIn('"prescribe"', out)


if __name__ == "__main__":
    main()
