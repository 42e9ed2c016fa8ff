"""crank run: rows, settings, files, and runs that stop early."""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import signal
import subprocess
import time

from command import BLOW_UP, DONE, FAILED, MODEL, PENDULUM, USAGE, CommandTest, main


RISE = """crank: equations
positions: {x: 0, y: 0}
velocities: {vx: {of: x, start: 1}, vy: {of: y, start: 0}}
mass: {diagonal: [1, 1]}
forces: [0, 0]
holonomic: {a: y, b: "if(x > 0.5, (x - 0.5)^4, 0)"}
simulate: {t_end: 2}
"""


# a wheel that rolls along a road at 1 m/s
TYRE = """\
crank: mechanism
dimension: 2
energy: true
bodies: {a: {mass: 1, inertia: 1, position: [0, 1], velocity: [1, 0]}}
forces: {s: {type: tyre, body: a, stiffness: 1000, damping: 20, lift: false, radius: 1, road: %s}}
simulate: {t_end: 150, rtol: 1e-8, atol: 1e-8, every: 0.05}
"""

PARALLEL_STEERING = """\
crank: mechanism
dimension: 2
bodies:
  frame: {mass: 10, inertia: 2, velocity: [1, 0], rate: 0}
  left:  {mass: 1, inertia: 0.1}
  right: {mass: 1, inertia: 0.1}
joints:
  pin_l: {type: revolute, between: [frame, left], at: {first: [1, 0.5], second: [0, 0]}, drive: "if(t < 0.5, 0, (t - 0.5)^2)"}
  pin_r: {type: revolute, between: [frame, right], at: {first: [1, -0.5], second: [0, 0]}, drive: "if(t < 0.5, 0, (t - 0.5)^2)"}
  rear:  {type: skate, between: [ground, frame], axis: {first: [1, 0], second: [1, 0]}}
  roll_l: {type: skate, between: [ground, left], axis: {first: [1, 0], second: [1, 0]}}
  roll_r: {type: skate, between: [ground, right], axis: {first: [1, 0], second: [1, 0]}}
simulate: {t_end: 2, points: 4}
"""


class Norms(CommandTest):
    def test_largest_error_is_not_made_less_by_unknowns_that_rest(self):
        """Nine points that rest beside an oscillator: the root mean square becomes less by sqrt(10) and steps longer; the largest error
        does not."""
        text = ("crank: equations\npositions: {x: 1%s}\nvelocities: {vx: {of: x}%s}\nmass: {diagonal: [1%s]}\nforces: [-x%s]\n"
                "simulate: {t_end: 30, rtol: 1e-6, atol: 1e-6}\n")
        alone = text % ("", "", "", "")
        beside = text % tuple("".join(form % ((i,) * form.count("%d")) for i in range(9))
                              for form in (", y%d: 0", ", w%d: {of: y%d}", ", 1", ", 0*y%d"))
        for method in ("psf-radau", "psf-bdf", "psf-sdirk415", "psf-rosenbrock", "ode-dopri5", "ode-adams"):
            steps = {}
            for norm in ("max", "rms"):
                for name, model in (("alone", alone), ("beside", beside)):
                    self.expect(DONE, "run", self.write(model), "--method", method, "--option", f"error_norm={norm}", "--quiet",
                                "--out", "a.csv", "--stats", "s.json")
                    steps[norm, name] = json.loads(self.read("s.json"))["steps"]
            self.assertEqual(steps["max", "alone"], steps["max", "beside"], (method, steps))
            if method != "ode-adams":  # its steps are as long as stability permits
                self.assertGreater(steps["rms", "alone"], 1.1 * steps["rms", "beside"], (method, steps))


class Ranks(CommandTest):
    def test_a_rank_that_rises_stops_the_run(self):
        """b restricts nothing at first and would be violated from x = 0.5 on."""
        for kind in ("dense", "sparse"):
            self.expect(FAILED, "run", self.write(RISE), "--out", "a.csv", "--option", f"linear_algebra={kind}",
                        says=["the rank of the constraints changed", 'holonomic "b"'])
        self.expect(FAILED, "run", self.write(RISE), "--out", "a.csv", "--method", "gmkssol")

    def test_multipliers_of_equations_share_what_they_exert_in_every_row_of_every_method(self):
        """The second constraint is the first one, doubled: half of the force each."""
        text = ("crank: equations\npositions: {x: 1, y: 0}\nvelocities: {vx: {of: x}, vy: {of: y}}\nmass: {diagonal: [1, 1]}\n"
                "forces: [0, %s]\nholonomic: {a: x^2 + y^2 - 1, b: 2*(x^2 + y^2 - 1)}\nsimulate: {t_end: 1, points: 7}\n")
        for method in ("auto", "psf-radau", "psf-bdf", "gmkssol-radau", "overdetermined-radau", "ode-dopri8"):
            names, rows = self.run_model(text % "-9.81", "--method", method)
            for row in rows:
                value = dict(zip(names, row))
                self.assertAlmostEqual(value["lambda.a"], 2*value["lambda.b"], delta=1e-9, msg=method)
                force = 4*value["lambda.a"]  # 2 x (lambda.a + 2 lambda.b) along the rod
                self.assertAlmostEqual(force, value["vx"]**2 + value["vy"]**2 - 9.81*value["y"], delta=1e-4, msg=method)
        result = self.expect(DONE, "run", self.write(text % "-9.81 - 0.1*lambda.a*vy"), "--out", "a.csv")
        self.assertIn("warning", result.err)  # a force that reads one of them: as the method finds it

    def test_wheels_that_contradict_each_other_are_named_with_all_that_took_part(self):
        for method in ("auto", "psf-bdf"):
            self.expect(FAILED, "run", self.write(PARALLEL_STEERING), "--out", "a.csv", "--method", method,
                        says=['at the start joint "roll_r": sliding across the blade repeats "pin_l", "pin_r" and "roll_l"',
                              "contradict each other"])

    def test_contact_equations_that_are_singular_at_the_start_are_named(self):
        text = RISE.replace('holonomic: {a: y, b: "if(x > 0.5, (x - 0.5)^4, 0)"}',
                            "contact: {s: {start: 0, equation: x - s^2}}\nholonomic: {a: x + y}").replace("start: 1", "start: 0")
        for method in ("psf-radau", "peom1-radau"):
            self.expect(MODEL, "run", self.write(text), "--method", method,
                        says=["contact equations do not determine s", "start elsewhere"])

    def test_a_negative_mass_is_warned_of(self):
        text = PENDULUM.replace("mass: [[m, 0], [0, m]]", "mass: [[m, 0], [0, -m]]")
        self.assertNotEqual(text, PENDULUM)
        result = self.call("check", self.write(text))
        self.assertIn("mass: negative at the start, (vy, vy) is -1", result.err)

    def test_a_comparison_is_no_constraint(self):
        text = RISE.replace('"if(x > 0.5, (x - 0.5)^4, 0)"', '"x == 1"')
        self.expect(MODEL, "run", self.write(text), says=['holonomic "b"', "comparison", "left - right"])

    def test_an_equals_sign_is_explained(self):
        text = RISE.replace('"if(x > 0.5, (x - 0.5)^4, 0)"', '"x = 1"')
        self.expect(MODEL, "run", self.write(text), says=['holonomic "b"', "a - b for an equation"])


class Rows(CommandTest):
    def test_columns_are_time_variables_multipliers_outputs(self):
        names, _ = self.run_model(PENDULUM)
        self.assertEqual(names[:7], ["time", "x", "y", "vx", "vy", "lambda.length", "energy"])

    def test_columns_of_the_run_follow_those_of_the_model(self):
        names, rows = self.run_model(PENDULUM, "--steps", "--method", "psf-radau")
        self.assertEqual(names[7:], ["step.size", "step.newton", "step.rejected", "step.error", "step.jacobian",
                                     "residual.position", "residual.velocity", "residual.acceleration"])
        self.assertEqual(rows[0][7:12], [0, 0, 0, 0, 0])
        for before, row in zip(rows, rows[1:]):
            self.assertAlmostEqual(row[7], row[0] - before[0], delta=1e-12)
            self.assertGreaterEqual(row[8], 1)
            self.assertLessEqual(row[10], 1)  # accepted

    def test_columns_of_steps_add_up_to_the_statistics(self):
        self.expect(DONE, "run", self.write(PENDULUM), "--steps", "--t-end", 5, "--out", "a.csv", "--stats", "a.json")
        names, rows = self.table(self.read("a.csv"))
        found = json.loads(self.read("a.json"))
        total = dict(zip(names, map(sum, zip(*rows))))
        self.assertEqual(total["step.newton"], found["newton_iterations"])
        self.assertEqual(total["step.rejected"], found["rejected_error"] + found["rejected_convergence"])
        for level in ("position", "velocity", "acceleration"):
            self.assertEqual(max(row[names.index("residual." + level)] for row in rows), found["max_residual_" + level])

    def test_rows_between_steps_carry_the_step_that_they_lie_in(self):
        names, rows = self.run_model(PENDULUM, "--every", 0.001)
        size = names.index("step.size")
        steps = {row[0]: row[7] for row in self.run_model(PENDULUM, "--steps")[1]}
        for row in rows[1:]:
            end = min(t for t in steps if t >= row[0])
            self.assertEqual(row[size], steps[end])

    def test_columns_of_the_run_are_chosen_by_pattern(self):
        self.assertEqual(self.run_model(PENDULUM, "--only", "step.size", "--only", "x")[0], ["time", "x", "step.size"])
        self.expect(USAGE, "run", self.write(PENDULUM), "--only", "step.sise", says="did you mean step.size")

    def test_default_is_200_intervals(self):
        _, rows = self.run_model(PENDULUM)
        self.assertEqual(len(rows), 201)
        self.assertEqual((rows[0][0], rows[100][0], rows[-1][0]), (0.0, 0.5, 1.0))

    def test_points_are_equal_intervals(self):
        _, rows = self.run_model(PENDULUM, "--points", 4)
        self.assertEqual([row[0] for row in rows], [0.0, 0.25, 0.5, 0.75, 1.0])

    def test_every_writes_the_end_also_where_it_does_not_divide(self):
        _, rows = self.run_model(PENDULUM, "--every", 0.3)
        self.assertEqual([row[0] for row in rows], [0.0, 0.3, 0.6, 0.3 * 3, 1.0])

    def test_every_that_divides_writes_the_end_once(self):
        _, rows = self.run_model(PENDULUM, "--every", 0.1)
        self.assertEqual(len(rows), 11)
        self.assertEqual(rows[-1][0], 1.0)

    def test_steps_writes_a_row_per_accepted_step(self):
        self.expect(DONE, "run", self.write(PENDULUM), "--steps", "--out", "a.csv", "--stats", "a.json")
        _, rows = self.table(self.read("a.csv"))
        times = [row[0] for row in rows]
        self.assertEqual(len(rows), 1 + json.loads(self.read("a.json"))["steps"])
        self.assertEqual(times, sorted(set(times)))
        self.assertEqual(times[-1], 1.0)

    def test_model_file_chooses_rows_and_the_command_line_overrides(self):
        text = PENDULUM.replace("{t_end: 1}", "{t_end: 1, points: 5}")
        self.assertEqual(len(self.run_model(text)[1]), 6)
        self.assertEqual(len(self.run_model(text, "--every", 0.5)[1]), 3)

    def test_end_time_on_the_command_line_overrides(self):
        _, rows = self.run_model(PENDULUM, "--t-end", 0.5, "--points", 2)
        self.assertEqual([row[0] for row in rows], [0.0, 0.25, 0.5])

    def test_end_time_equal_to_start_time_is_one_row(self):
        _, rows = self.run_model(PENDULUM, "--t-end", 0)
        self.assertEqual(len(rows), 1)

    def test_start_time_of_the_model_is_used(self):
        text = PENDULUM.replace("{t_end: 1}", "{t_start: 3, t_end: 4}")
        self.assertEqual([row[0] for row in self.run_model(text, "--points", 1)[1]], [3.0, 4.0])

    def test_only_keeps_matching_columns_in_their_order(self):
        names, rows = self.run_model(PENDULUM, "--only", "v*", "--only", "x")
        self.assertEqual(names, ["time", "x", "vx", "vy"])
        self.assertEqual(len(rows[0]), 4)

    def test_only_may_name_the_time_that_is_always_written(self):
        self.assertEqual(self.run_model(PENDULUM, "--only", "time", "--only", "x")[0], ["time", "x"])

    def test_rows_keep_constraint_and_energy(self):
        # round-off on the constraint; the energy to 1000 times the tolerance of 1e-6
        _, rows = self.run_model(PENDULUM, "--points", 50)
        for _, x, y, vx, vy, _, energy, *_ in rows:
            self.assertAlmostEqual(x * x + y * y, 1.0, delta=1e-12)
            self.assertAlmostEqual(x * vx + y * vy, 0.0, delta=1e-11)
            self.assertAlmostEqual(energy, 0.0, delta=1e-3)


class Settings(CommandTest):
    def test_set_changes_a_parameter(self):
        _, rows = self.run_model(PENDULUM, "--set", "L=2", "--set", "x=2", "--points", 1)
        self.assertAlmostEqual(rows[1][1] ** 2 + rows[1][2] ** 2, 4.0, delta=1e-12)

    def test_set_changes_a_start_value(self):
        _, rows = self.run_model(PENDULUM, "--set", "vy=-1", "--points", 1)
        self.assertEqual(rows[0][4], -1.0)

    def test_tighter_tolerance_takes_more_steps(self):
        loose = self.run_model(PENDULUM, "--steps")[1]
        tight = self.run_model(PENDULUM, "--steps", "--rtol", "1e-10", "--atol", "1e-10")[1]
        self.assertGreater(len(tight), len(loose))

    def test_command_line_goes_before_the_model_file(self):
        text = PENDULUM.replace("{t_end: 1}", "{t_end: 1, rtol: 1e-10, atol: 1e-10}")
        tight = self.run_model(text, "--steps")[1]
        loose = self.run_model(text, "--steps", "--rtol", "1e-6", "--atol", "1e-6")[1]
        self.assertEqual(loose, self.run_model(PENDULUM, "--steps")[1])
        self.assertGreater(len(tight), len(loose))

    def test_options_reach_the_method(self):
        _, rows = self.run_model(PENDULUM, "--steps", "--option", "h_max=0.01")
        steps = [b[0] - a[0] for a, b in zip(rows, rows[1:])]
        self.assertLessEqual(max(steps), 0.01 * (1 + 1e-9))

    def test_method_of_the_model_file_is_used_unless_the_command_line_names_one(self):
        text = PENDULUM.replace("{t_end: 1}", "{t_end: 1, method: geoms}")
        self.expect(DONE, "run", self.write(text), "--out", "a.csv", "--stats", "a.json")
        self.assertEqual(json.loads(self.read("a.json"))["method"], "geoms")
        self.expect(DONE, "run", self.write(text), "--method", "psf-radau", "--out", "a.csv",
                    "--stats", "a.json")
        self.assertEqual(json.loads(self.read("a.json"))["method"], "psf-radau")

    def test_options_of_the_file_go_before_those_of_the_method(self):
        # geoms turns the final correction off; then position residuals are above round-off
        text = PENDULUM.replace("{t_end: 1}", "{t_end: 1, method: geoms, final_correction: on}")
        worst = []
        for model in (text, text.replace(", final_correction: on", "")):
            self.expect(DONE, "run", self.write(model), "--out", "a.csv", "--stats", "a.json")
            worst.append(json.loads(self.read("a.json"))["max_residual_acceleration"])
        self.assertLess(worst[0], 1e-10)
        self.assertGreater(worst[1], worst[0])


class Files(CommandTest):
    def test_without_out_rows_are_on_standard_output_and_messages_on_standard_error(self):
        result = self.expect(DONE, "run", self.write(PENDULUM), says="auto")
        self.assertEqual(len(self.table(result.out)[1]), 201)

    def test_out_writes_the_same_as_standard_output(self):
        result = self.expect(DONE, "run", self.write(PENDULUM))
        quiet = self.expect(DONE, "run", self.write(PENDULUM), "--out", "a.csv", says=("201 rows", "a.csv ("))
        self.assertEqual(self.read("a.csv"), result.out)
        self.assertEqual(quiet.out, "")

    def test_numbers_have_17_digits(self):
        _, rows = self.run_model(PENDULUM, "--points", 3)
        text = self.expect(DONE, "run", self.write(PENDULUM), "--points", 3, "--quiet").out
        self.assertIn("%.17g" % rows[1][1], text)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.expect(DONE, "run", self.write(PENDULUM), "--quiet").err, "")

    def test_progress_is_not_drawn_when_standard_error_is_no_terminal(self):
        result = self.expect(DONE, "run", self.write(PENDULUM), "--t-end", 100)
        self.assertNotIn("\r", result.err)

    def test_statistics_hold_what_the_manual_lists(self):
        self.expect(DONE, "run", self.write(PENDULUM), "--out", "a.csv", "--stats", "a.json")
        found = json.loads(self.read("a.json"))
        for name in ("steps", "attempts", "rejected_error", "rejected_convergence", "evaluations",
                     "mass_evaluations", "jacobians", "predecompositions", "factorizations", "solves",
                     "newton_iterations", "selector_updates", "seconds"):
            self.assertIn(name, found)
        self.assertEqual((found["model"], found["method"], found["status"]), ("model.yaml", "auto", "OK"))
        self.assertEqual((found["t_start"], found["t_end"], found["t_reached"]), (0, 1, 1))
        self.assertEqual(found["rows"], 201)
        self.assertGreater(found["steps"], 0)
        for level in ("position", "velocity", "acceleration"):
            self.assertLess(found["max_residual_" + level], 1e-10)

    def test_summary_tells_what_was_done(self):
        said = self.expect(DONE, "run", self.write(PENDULUM), "--out", "a.csv", "--stats", "a.json").err
        found = json.loads(self.read("a.json"))
        lines = said.splitlines()
        self.assertEqual(lines[0], "crank: model (auto)")
        self.assertEqual(lines[1], "  model      equations of 5 unknowns, 1 constraint, 1 degree of freedom")
        self.assertRegex(lines[2], r"^  time       0 to 1 s, 201 rows; took [0-9.e-]+ s \([0-9.e+]+ x real time\)$")
        rejected = found["rejected_error"] + found["rejected_convergence"]
        self.assertEqual(lines[3], f"  steps      {found['steps']}, {rejected} rejected; {found['newton_iterations']} Newton "
                                   f"iterations, {found['jacobians']} Jacobians")
        self.assertRegex(lines[4], r"^  energy     [0-9.e-]+ at the start, [0-9.e-]+ at the end, varied by [0-9.e-]+$")
        self.assertRegex(lines[5], r"^  residuals  position [0-9.e-]+, velocity [0-9.e-]+, acceleration [0-9.e-]+$")
        self.assertRegex(lines[6], r"^  written    a.csv \([0-9]+ kB\), a.json \([0-9.]+ (k)?B\)$")
        self.assertEqual(len(lines), 7)
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_summary_of_a_stopped_run_tells_how_far_it_came(self):
        said = self.expect(FAILED, "run", self.write(BLOW_UP), "--out", "a.csv", says="stopped at").err
        self.assertRegex(said, r"time       0 to (1|0\.99[0-9]*|1\.00[0-9]*) s of 2 s, ")

    def test_a_drift_of_the_balance_that_the_tolerance_does_not_explain_is_told(self):
        # a pulse of the spring's force that is not known to be narrow: steps pass it, rows between them do not; as a function that
        # is known to be flat far away it is met
        unseen = self.write(TYRE % "0.5*cos((x - 103.33)/60)^2000000", "unseen.yaml")
        seen = self.write(TYRE % "0.5*exp(-((x - 103.33)/0.06)^2)", "seen.yaml")
        for method in ("auto", "psf-radau", "psf-bdf", "psf-sdirk2", "ode-dopri8", "ode-dopri5", "ode-adams", "ggl-radau",
                       "index2-radau"):
            with self.subTest(method=method):
                self.assertIn("does not explain", self.expect(DONE, "run", unseen, "--method", method, "--out", "a.csv").err)
                self.assertNotIn("does not explain", self.expect(DONE, "run", seen, "--method", method, "--out", "b.csv").err)

    def test_auto_meets_a_pulse_or_tells_that_it_may_have_passed_one(self):
        for place in (77.7, 100.0, 103.33):
            path = self.write(TYRE % f"0.5*cos((x - {place})/60)^2000000")
            told = "does not explain" in self.expect(DONE, "run", path, "--out", "a.csv").err
            self.expect(DONE, "run", path, "--method", "psf-radau", "--option", "h_max=0.02", "--out", "b.csv")
            found, right = (max(row[names.index("body.a.y")] for row in rows)
                            for names, rows in (self.table(self.read(name)) for name in ("a.csv", "b.csv")))
            self.assertGreater(right, 1.5)
            self.assertNotEqual(told, abs(found - right) < 1e-5, (place, found, right))  # a thousand times the tolerance

    def test_summary_tells_the_balance_of_energy_of_mechanisms_and_the_drift_of_invariants(self):
        said = self.expect(DONE, "run", self.write("""\
crank: mechanism
energy: true
dimension: 2
gravity: [0, -10]
bodies: {rod: {mass: 1, inertia: 1, position: [1, 0]}}
joints: {hinge: {type: revolute, between: [ground, rod], at: [0, 0]}}
simulate: {t_end: 1}
"""), "--out", "a.csv").err
        self.assertIn("mechanism of 1 body, 1 joint, 1 degree of freedom", said)
        self.assertRegex(said, r"energy     balance [0-9.e-]+.* at the start, drift [0-9.e-]+")
        said = self.expect(DONE, "run", self.write(PENDULUM + "invariants: {total: m/2*(vx^2 + vy^2) + m*grav*y}\n"),
                           "--out", "a.csv").err
        drift = float(said.split("invariants 1, drift at the end ")[1].split()[0])
        self.assertLess(drift, 1e-12)  # enforced in every step: round-off of numbers of size 14

    def test_warnings_are_counted(self):
        said = self.expect(DONE, "run", self.write(PENDULUM.replace("energy: ", "bad: sqrt(y - 1), energy: ")), "--out",
                           "a.csv", says="rows hold values that are not finite, first in column bad").err
        self.assertIn("  warnings   1", said)

    def test_moved_initial_values_are_told(self):
        self.expect(DONE, "run", self.write(PENDULUM), "--set", "x=1.01", "--out", "a.csv",
                    says="initial value of x moved from 1.01 to 1")
        self.expect(DONE, "run", self.write("""\
crank: mechanism
dimension: 2
bodies: {rod: {mass: 1, inertia: 1, center: [0.1, 0], position: [0.2, 0], rate: 1}}
joints: {hinge: {type: revolute, between: [ground, rod], at: {first: [0, 0], second: [-1, 0]}}}
""", "rod.yaml"), "--set", "body.rod.x=0.9", "--set", "body.rod.vx=1", "--out", "a.csv",
                    says=('start of body "rod" moved by 0.1', "start velocities changed"))

    def test_only_what_visibly_moved_is_told(self):
        """Turned about its centre of mass: not moved by 1e-17. Also in micrometres."""
        for size in (1.0, 1e-6):
            said = self.expect(DONE, "run", self.write(f"""\
crank: mechanism
dimension: 2
bodies: {{rod: {{mass: 1, inertia: {size**2}, position: [{size}, 0], angle: 0.3}}}}
joints:
  hinge: {{type: revolute, between: [ground, rod], at: [{size}, 0]}}
  turn: {{type: driver, of: body.rod.angle, is: 0.1*t}}
""", "rod.yaml"), "--out", "a.csv").err
            self.assertIn('start of body "rod" turned by 0.3 rad\n', said)

    def test_degrees_of_freedom_are_told_of_large_models(self):
        count = 160  # 12 unknowns a link
        text = "crank: mechanism\ndimension: 2\nbodies:\n" + "".join(
            f"  b{i}: {{mass: 1, inertia: 1, position: [{i}, 0]}}\n" for i in range(count)) + "joints:\n" + "".join(
            f"  j{i}: {{type: revolute, between: [{f'b{i - 1}' if i else 'ground'}, b{i}], at: [{i}, 0]}}\n" for i in range(count))
        self.expect(DONE, "run", self.write(text, "chain.yaml"), "--t-end", "0.001", "--points", "1", "--out", "a.csv",
                    says=f"mechanism of {count} bodies, {count} joints, {count} degrees of freedom")

    def test_constraints_by_expressions_are_no_joints(self):
        text = """\
crank: mechanism
dimension: 2
bodies: {a: {mass: 1, inertia: 1}}
joints: {j: {type: revolute, between: [ground, a], at: [0, 0]}}
holonomic: {hold: body.a.angle - t}
"""
        self.expect(DONE, "run", self.write(text), "--t-end", "0.001", "--points", "1", "--out", "a.csv",
                    says="mechanism of 1 body, 1 joint, 1 constraint by expressions, 0 degrees of freedom")

    def test_joint_that_restricts_positions_and_velocities_is_one_joint(self):
        text = """\
crank: mechanism
bodies:
  a: {mass: 1, inertia: [1, 2, 1], position: [0, 0, 1], angular_velocity: [0, 1, 0]}
  b: {mass: 1, inertia: [1, 2, 1], position: [3, 0, 1]}
joints:
  one: {type: rolling_disc, between: [ground, a], radius: 1, axis: [0, 1, 0], plane: {at: [0, 0, 0], normal: [0, 0, 1]}}
  two: {type: rolling_disc, between: [ground, b], radius: 1, axis: [0, 1, 0], plane: {at: [0, 0, 0], normal: [0, 0, 1]}}
"""
        self.expect(DONE, "run", self.write(text), "--t-end", "0.001", "--points", "1", "--out", "a.csv",
                    says="mechanism of 2 bodies, 2 joints, 6 degrees of freedom")

    def test_known_methods_are_listed_by_whole_names(self):
        said = self.expect(USAGE, "run", self.write(PENDULUM), "--method", "rk4").err
        self.assertRegex(said, r"known are auto, .*[a-z0-9]-[a-z0-9]+ and \d+ more\n")

    def test_title_is_told_whole(self):
        title = "Crane with a load on a rope of many links, hoisted while the bridge starts and stops again"
        said = self.expect(DONE, "run", self.write(f"title: {title}\n" + PENDULUM), "--out", "a.csv").err
        self.assertEqual(said.splitlines()[0], f"crank: {title} (auto)")

    def test_unwritable_result_is_told(self):
        self.expect(FAILED, "run", self.write(PENDULUM), "--out", "no/where.csv",
                    says=("no/where.csv", "No such file or directory"))

    def test_unwritable_statistics_are_told(self):
        self.expect(FAILED, "run", self.write(PENDULUM), "--out", "a.csv", "--stats", "no/where.json",
                    says=("no/where.json", "No such file or directory"))

    def test_unwritable_statistics_leave_an_earlier_result_alone(self):
        self.write("time\n0\n", "keep.csv")
        self.expect(FAILED, "run", self.write(PENDULUM), "--out", "keep.csv", "--stats", "no/where.json")
        self.assertEqual(self.read("keep.csv"), "time\n0\n")

    def test_unwritable_result_leaves_earlier_statistics_alone(self):
        self.write("{}\n", "keep.json")
        self.expect(FAILED, "run", self.write(PENDULUM), "--out", "no/where.csv", "--stats", "keep.json")
        self.assertEqual(self.read("keep.json"), "{}\n")
        self.expect(FAILED, "run", self.write(PENDULUM), "--out", "no/where.csv", "--stats", "new.json")
        self.assertFalse(os.path.exists(self.path("new.json")))

    def test_full_disk_is_told(self):
        self.expect(FAILED, "run", self.write(PENDULUM), "--out", "/dev/full",
                    says=("/dev/full", "No space left on device"))
        os.symlink("/dev/full", self.path("full.csv"))
        self.expect(FAILED, "run", self.write(PENDULUM), "--out", "full.csv", says="No space left on device")

    def test_full_disk_at_standard_output_is_told(self):
        with open("/dev/full", "wb") as full:
            process = self.start("run", self.write(PENDULUM), stdout=full)
            messages = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, FAILED)
        self.assertIn("standard output: cannot write: No space left on device", messages)

    def test_closed_pipe_is_told(self):
        reader, writer = os.pipe()
        os.close(reader)
        process = self.start("run", self.write(PENDULUM), stdout=writer)
        os.close(writer)
        messages = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, FAILED)
        self.assertIn("Broken pipe", messages)

    def test_compiled_model_gives_the_same_rows(self):
        plain = self.run_model(PENDULUM, "--points", 10)[1]
        compiled = self.run_model(PENDULUM, "--points", 10, "--compile")[1]
        # other rounding in every operation: the tolerance of the run and no more
        for a, b in zip(plain, compiled):
            for u, v in zip(a, b):
                self.assertAlmostEqual(u, v, delta=1e-4 * (1 + abs(u)))


class Pages(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("<title><!--crank:title--></title>\n<!--crank:data-->\n", "template.html")
        os.mkdir(self.path("tmp"))

    def environment(self):
        return dict(super().environment(), CRANK_PAGE=self.path("template.html"), TMPDIR=self.path("tmp"))

    def index(self, name):
        return json.loads(self.read(name).split('id="crank-index">')[1].split("</script>")[0])

    def test_html_writes_a_page_of_all_rows_and_leaves_nothing_else(self):
        result = self.expect(DONE, "run", self.write(PENDULUM), "--html", "a.html", says="a.html (")
        self.assertEqual(result.out, "")
        found = self.index("a.html")
        self.assertEqual(found["result_rows"], 201)
        self.assertEqual([column["name"] for column in found["columns"]][:3], ["time", "x", "y"])
        self.assertEqual(sorted(os.listdir(self.place)), ["a.html", "model.yaml", "template.html", "tmp"])
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_html_and_out_hold_the_same_columns(self):
        for name in ("a.csv", "a.h5", "a.mat"):
            self.expect(DONE, "run", self.write(PENDULUM), "--html", "a.html", "--out", name, says=("a.html (", name))
            self.assertEqual(len(self.index("a.html")["columns"]), 15)
            unit = self.index("a.html")["columns"][7]["unit"]  # of step.size; CSV has no units
            self.assertEqual(unit, "s" if name != "a.csv" else "")

    def test_a_run_that_stops_leaves_a_page_too(self):
        self.expect(FAILED, "run", self.write(BLOW_UP), "--html", "a.html", says="stopped at")
        self.assertGreater(self.index("a.html")["result_rows"], 50)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_statistics_may_go_to_standard_output_beside_a_page(self):
        result = self.expect(DONE, "run", self.write(PENDULUM), "--html", "a.html", "--stats", "-")
        self.assertEqual(json.loads(result.out)["rows"], 201)

    def test_places_where_no_page_can_be_are_refused_before_the_run(self):
        self.write("keep\n", "a.csv")
        for code, says, *arguments in ((USAGE, "--html needs a file", "--html", "-"),
                                       (USAGE, "reads the result again", "--html", "a.html", "--out", "-"),
                                       (USAGE, "reads the result again", "--html", "a.html", "--out", "/dev/null"),
                                       (USAGE, "a.txt", "--html", "a.txt"),
                                       (USAGE, "say --html FILE.html", "--watch"),
                                       (FAILED, "No such file or directory", "--html", "no/where.html", "--out", "a.csv")):
            self.expect(code, "run", self.write(PENDULUM), *arguments, says=says)
        self.assertEqual(self.read("a.csv"), "keep\n")

    def test_no_output_replaces_the_model(self):
        for option, name in (("--out", "model.csv"), ("--stats", "model.json"), ("--html", "model.html")):
            self.write(PENDULUM, name)
            self.expect(USAGE, "run", name, option, name, says="the model is made of this file")
            self.assertEqual(self.read(name), PENDULUM)


class Stopped(CommandTest):
    def test_failure_keeps_what_was_computed_and_says_where_it_stopped(self):
        result = self.expect(FAILED, "run", self.write(BLOW_UP), "--every", 0.1, "--out", "a.csv",
                             "--stats", "a.json", says="stopped at t = ")
        names, rows = self.table(self.read("a.csv"))
        found = json.loads(self.read("a.json"))
        self.assertGreaterEqual(len(rows), 10)
        # the end is reached up to the error of the pole's place, some multiple of rtol = 1e-6
        self.assertAlmostEqual(rows[-1][0], 1.0, delta=1e-4)
        self.assertEqual(rows[-1][0], found["t_reached"])
        self.assertNotEqual(found["status"], "OK")
        self.assertIn(found["message"], result.err)
        self.assertAlmostEqual(rows[5][names.index("r")], 2.0, delta=2e-3)

    def interrupt(self, number, text=PENDULUM):
        process = self.start("run", self.write(text), "--t-end", "1e9", "--every", "0.01", "--out",
                             "a.csv", "--stats", "a.json")
        end = time.monotonic() + 30
        while time.monotonic() < end and process.poll() is None:
            if os.path.exists(self.path("a.csv")) and os.path.getsize(self.path("a.csv")) > 2000:
                break
            time.sleep(0.02)
        process.send_signal(number)
        messages = process.communicate(timeout=60)[1].decode()
        return process.returncode, messages

    def test_interrupt_keeps_complete_lines_and_exits_1(self):
        code, messages = self.interrupt(signal.SIGINT)
        self.assertEqual(code, FAILED, messages)
        self.assertRegex(messages, r"stopped at t = [0-9.e+]+: interrupted")
        _, rows = self.table(self.read("a.csv"))
        found = json.loads(self.read("a.json"))
        self.assertGreater(len(rows), 1)
        self.assertEqual(found["status"], "EINTERRUPTED")
        self.assertEqual(found["rows"], len(rows))
        self.assertEqual(found["t_reached"], rows[-1][0])

    def test_terminate_keeps_complete_lines_and_exits_1(self):
        code, messages = self.interrupt(signal.SIGTERM)
        self.assertEqual(code, FAILED, messages)
        self.table(self.read("a.csv"))

    def test_hangup_keeps_complete_lines_and_exits_1(self):
        code, messages = self.interrupt(signal.SIGHUP)
        self.assertEqual(code, FAILED, messages)
        self.table(self.read("a.csv"))
        self.assertEqual(json.loads(self.read("a.json"))["status"], "EINTERRUPTED")

    def test_interrupt_before_the_first_step_exits_1_and_says_so(self):
        os.mkfifo(self.path("model.yaml"))  # nobody writes: the model is being read until the signal comes
        self.write("time\n0\n", "a.csv")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("run", "model.yaml", "--out", "a.csv", "--stats", "a.json")
            self.wait_for_handler(process.pid, number)
            process.send_signal(number)
            messages = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, FAILED, messages)
            self.assertEqual(messages, "crank: interrupted before the first step\n")
            found = json.loads(self.read("a.json"))
            self.assertEqual((found["status"], found["rows"]), ("EINTERRUPTED", 0))
            self.assertEqual(self.read("a.csv"), "time\n0\n")

    def test_interrupt_while_compiling_exits_1_and_says_so(self):
        self.write(f"#!/bin/sh\necho > '{self.path('compiling')}'\nsleep 1\nexit 1\n", "cc")
        os.chmod(self.path("cc"), 0o755)
        environment = dict(self.environment(), PATH=self.place + ":/usr/bin:/bin")
        text = PENDULUM.replace("13.75", f"13.{time.time_ns()}")  # not compiled before
        process = subprocess.Popen([self.crank, "run", self.write(text), "--compile", "--stats", "a.json",
                                    "--out", "a.csv"], cwd=self.place, env=environment, stderr=subprocess.PIPE)
        end = time.monotonic() + 30
        while time.monotonic() < end and not os.path.exists(self.path("compiling")):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        messages = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, FAILED, messages)
        self.assertIn("interrupted before the first step", messages)
        self.assertEqual(json.loads(self.read("a.json"))["status"], "EINTERRUPTED")

    def wait_for_handler(self, pid, number):
        """Until the process catches the signal, where /proc tells; else for a while."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                with open(f"/proc/{pid}/status", encoding="ascii") as file:
                    caught = [line for line in file if line.startswith("SigCgt")]
                if caught and int(caught[0].split()[1], 16) >> (number - 1) & 1:
                    break
            except OSError:
                time.sleep(0.5)
                break
            time.sleep(0.01)
        time.sleep(0.05)

    def test_limit_on_steps_and_steps_that_shrink_name_a_remedy(self):
        self.expect(FAILED, "run", self.write(PENDULUM), "--option", "max_steps=3", says="; raise max_steps")
        for method in ("psf-radau", "psf-bdf", "auto", "index1-bdf"):
            self.expect(FAILED, "run", self.write(BLOW_UP), "--method", method,
                        says=("r has no bound there", "look at the model there with --steps, or loosen rtol and atol"))

    def test_killed_run_leaves_complete_lines_and_statistics_that_say_so(self):
        code, _ = self.interrupt(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        text = self.read("a.csv")
        self.table(text[:text.rindex("\n") + 1])
        self.assertEqual(json.loads(self.read("a.json"))["status"], "EINTERRUPTED")


main()
