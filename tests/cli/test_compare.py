"""crank compare: errors against references, costs, refusals and failures, drift, tables and pictures, mistakes."""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import json
import math
import os
import pty
import re
import select
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree

from command import BLOW_UP, DONE, FAILED, MODEL, PENDULUM, USAGE, CommandTest, main

# the same constraint twice: the multipliers are not unique
REDUNDANT = PENDULUM.replace("L^2}", "L^2, again: x^2 + y^2 - L^2}")
# uniform motion on a circle: all steps err alike, if increments that Newton leaves out, which rounding decides, are none of it
CIRCLE = """\
crank: equations
positions:  {x: {start: 1}, y: {start: 0}}
velocities: {vx: {of: x, start: 0}, vy: {of: y, start: 1}}
mass: [[1, 0], [0, 1]]
forces: [0, 0]
holonomic: {length: x^2 + y^2 - 1}
simulate: {t_end: 30, newton_tolerance: 1e-5}
"""
# two bodies on hinges: positions, velocities and reactions are columns of bodies and joints
MECHANISM = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  upper: {mass: 1, inertia: 0.1, position: [0.5, 0]}
  lower: {mass: 1, inertia: 0.1, position: [1.5, 0]}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0]}
  elbow: {type: revolute, between: [upper, lower], at: [1, 0]}
simulate: {t_end: 0.2}
"""
PULSE = """\
crank: equations
positions: {x: {start: 0}, y: {start: 1}, z: {start: 0}}
velocities: {vx: {of: x, start: 1}, vy: {of: y, start: 0}, vz: {of: z, start: 0}}
mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
forces: [0, '-1e4*y - 200*vy + 1e4*cos((x - 100)/60)^2000000', y]
simulate: {t_end: 150}
"""


# x = cos t and y = 2 sin t, in the same group
SWINGS = """\
crank: equations
positions: {x: {start: 1}, y: {start: 0}}
velocities: {vx: {of: x, start: 0}, vy: {of: y, start: 2}}
mass: [[1, 0], [0, 1]]
forces: [-x, -y]
simulate: {t_end: 6}
"""


class CompareTest(CommandTest):
    def compare(self, model, *arguments, code=DONE, says=()):
        """Standard output, and the rows of the CSV table as dictionaries."""
        if os.path.exists(self.path("table.csv")):
            os.unlink(self.path("table.csv"))
        result = self.expect(code, "compare", self.write(model), *arguments, "--csv", "table.csv", says=says)
        return result.out, list(csv.DictReader(self.read("table.csv").splitlines()))

    def rows(self, table, **wanted):
        return [row for row in table if all(row[name] == value for name, value in wanted.items())]

    def values(self, table, column, **wanted):
        return [float(row[column]) for row in self.rows(table, **wanted)]

    def blocks(self, text):
        """The table on standard output: lines of cells, by method."""
        lines = text[text.index("\n\n") + 2:].splitlines()
        found, method = {}, None
        for line in lines[2:]:
            if not line.startswith(" "):
                method = line
                found[method] = []
            else:
                found[method].append(line.split())
        return lines[1].split(), found


class Errors(CompareTest):
    def test_errors_fall_with_the_tolerance_in_every_group(self):
        _, table = self.compare(PENDULUM, "--methods", "psf-radau,gmkssol", "--tols", "1e-3:1e-7")
        self.assertEqual({row["variable"] for row in table}, {"position", "velocity", "multiplier"})
        self.assertEqual(self.values(table, "rtol", method="gmkssol", variable="velocity"),
                         [1e-3, 1e-4, 1e-5, 1e-6, 1e-7])
        for method in ("psf-radau", "gmkssol"):
            for variable in ("position", "velocity", "multiplier"):
                errors = self.values(table, "error", method=method, variable=variable)
                self.assertLess(errors[4], 1e-2 * errors[0])  # four decades of the tolerance
                self.assertLess(errors[4], 1e-4)
                self.assertGreater(errors[0], 1e-7)  # it is an error, not zero

    def test_table_on_standard_output_says_what_the_file_says(self):
        text, table = self.compare(PENDULUM, "--methods", "psf-radau,geoms", "--tols", "1e-4,1e-6")
        heading, blocks = self.blocks(text)
        self.assertEqual(heading, "tol pos vel mult steps rej evals Jac fact Newton time pos vel acc".split())
        self.assertEqual(list(blocks), ["psf-radau", "geoms"])
        for method, lines in blocks.items():
            self.assertEqual([line[0] for line in lines], ["1e-04", "1e-06"])
            written = self.rows(table, method=method, variable="velocity")
            for line, row in zip(lines, written):
                self.assertEqual(len(line), len(heading))
                self.assertAlmostEqual(float(line[2]), float(row["error"]), delta=0.06 * float(row["error"]))
                self.assertEqual([line[i] for i in (4, 6, 7, 8, 9)],
                                 [row[name] for name in ("steps", "evaluations", "jacobians", "factorizations",
                                                         "newton_iterations")])
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_fastest_run_has_ratio_one(self):
        _, table = self.compare(PENDULUM, "--methods", "psf-radau,geoms", "--tols", "1e-3,1e-6", "--repeat", "2")
        self.assertEqual(min(self.values(table, "ratio")), 1.0)

    def test_tolerances_of_the_file_do_not_count_nor_do_those_by_kinds(self):
        text = ("crank: mechanism\ngravity: [0, 0, -9.81]\n"
                "bodies: {b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}}\n"
                "joints: {j: {type: revolute, between: [ground, b], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
                "simulate: {t_end: 1%s}\n")
        loose = ", atol: {length: 100, angle: 100, speed: 100, spin: 100, force: 100, torque: 100}"
        steps = [self.values(self.compare(text % atol, "--methods", "psf-radau", "--tols", "1e-4,1e-6")[1], "steps")
                 for atol in ("", loose)]
        self.assertEqual(steps[0], steps[1])

    def test_reference_is_checked_by_a_second_method(self):
        text, _ = self.compare(PENDULUM, "--methods", "peom1-radau", "--tols", "1e-5")
        agrees = re.search(r"^reference +psf-radau at (\S+); (\S+) at \S+ agrees to position (\S+),", text, re.M)
        self.assertEqual(float(agrees.group(1)), 1e-9)
        self.assertNotEqual(agrees.group(2), "psf-radau")
        self.assertLess(float(agrees.group(3)), 1e-6)

    def test_methods_that_end_elsewhere_are_named_and_confirm_nothing(self):
        # a pulse of a thousandth of the run, as a power that is not known to be narrow: long steps pass it, those that stability
        # bounds do not
        text, _ = self.compare(PULSE, "--methods", "psf-radau,ode-dopri8", "--tols", "1e-4,1e-6")
        text = " ".join(text.split())
        self.assertRegex(text, r"reference psf-radau at \S+; .* NOT CONFIRMED: ode-dopri8 at \S+ ends elsewhere, by \d")
        self.assertRegex(text, r"disagree 1 method does not come nearer to the reference as the tolerance falls: ode-dopri8 \(")

    def test_methods_that_agree_are_not_said_to_disagree(self):
        text, _ = self.compare(PENDULUM, "--methods", "psf-radau,psf-bdf,ode-dopri8,index1-bdf", "--tols", "1e-4,1e-6,1e-8")
        self.assertNotIn("NOT CONFIRMED", text)
        self.assertNotIn("disagree", text)

    def test_errors_below_the_agreement_of_references_are_marked(self):
        # the reference is the very run that is compared: its error cannot be told
        text, table = self.compare(PENDULUM, "--methods", "psf-radau", "--tols", "1e-12", "--t-end", "0.2")
        _, blocks = self.blocks(text)
        self.assertEqual([cell[0] for cell in blocks["psf-radau"][0][1:4]], ["<", "<", "<"])
        self.assertIn("errors marked < (3) are not resolved", text)
        self.assertEqual({row["resolved"] for row in table}, {"no"})
        agreement = float(re.search(r"agrees to position ([^\s,]+)", " ".join(text.split())).group(1))
        self.assertAlmostEqual(self.values(table, "error", variable="position")[0], agreement, delta=0.6 * agreement)

    def test_points_give_the_largest_error_on_the_way(self):
        run = ("--methods", "psf-radau", "--tols", "1e-4")
        _, end = self.compare(PENDULUM, *run)
        text, way = self.compare(PENDULUM, *run, "--points", "40")
        self.assertIn("at 40 points", text)
        for variable in ("position", "velocity", "multiplier"):
            self.assertGreaterEqual(self.values(way, "error", variable=variable)[0],
                                    0.999 * self.values(end, "error", variable=variable)[0])

    def test_columns_are_chosen_by_pattern(self):
        text, table = self.compare(PENDULUM, "--methods", "psf-radau", "--tols", "1e-4", "--only", "v*",
                                   "--only", "energy")
        self.assertIn("3 columns compared", text)
        self.assertEqual([row["variable"] for row in table], ["velocity", "other"])

    def test_bodies_and_reactions_of_mechanisms_are_compared(self):
        text, table = self.compare(MECHANISM, "--methods", "psf-radau,geoms", "--tols", "1e-6")
        self.assertIn("18 columns compared", text)  # 2 bodies x (3 + 3), 2 joints x 3
        for variable in ("position", "velocity", "multiplier"):
            self.assertLess(self.values(table, "error", method="psf-radau", variable=variable)[0], 1e-3)
        self.assertIn("refused\n  geoms:", text)


class Details(CompareTest):
    """Errors at accepted steps, and what they come to, against an exact solution."""

    RUN = ("--methods", "psf-radau", "--tols", "1e-3", "--only", "x", "--only", "y")

    def exact(self, name="exact.csv", every=0.01):
        times = [k * every for k in range(round(6 / every) + 1)]
        self.write("time,x,y\n" + "".join(f"{t!r},{math.cos(t)!r},{2 * math.sin(t)!r}\n" for t in times), name)
        return name

    def steps(self):
        """Times and |x - X|, |y - Y| at the accepted steps, from a run with a row per step."""
        self.expect(DONE, "run", self.write(SWINGS), "--method", "psf-radau", "--rtol", "1e-3", "--atol", "1e-3",
                    "--steps", "--quiet", "--out", "steps.csv")
        rows = list(csv.DictReader(line for line in self.read("steps.csv").splitlines() if not line.startswith("#")))
        time = next(name for name in rows[0] if name.startswith("time"))
        found = [(float(row[time]), float(row["x"]), float(row["y"])) for row in rows[1:]]
        return [(t, abs(x - math.cos(t)), abs(y - 2 * math.sin(t))) for t, x, y in found]

    def check_details(self, row, errors, sizes, column):
        n, worst = len(errors), max(range(len(errors)), key=errors.__getitem__)
        squares = sum(e * e for e in errors)
        self.assertEqual(int(row["error_points"]), n)
        self.assertEqual(row["error_column"], column)
        for name, value in (("error_largest", errors[worst]), ("error_relative", errors[worst] / sizes[worst]),
                            ("error_mean", math.sqrt(squares) / n), ("error_rms", math.sqrt(squares / n))):
            # six digits are written; the cubic is off by 3/128 h^4 times the fourth derivative, 2, at most: 5e-10
            self.assertAlmostEqual(float(row[name]), value, delta=2e-6 * value + 1e-9, msg=name)
        return worst

    def test_errors_at_steps_are_those_of_the_exact_solution(self):
        text, table = self.compare(SWINGS, *self.RUN, "--at-steps", "--reference", self.exact())
        steps = self.steps()
        errors = [max(step[1:]) for step in steps]
        worst = max(steps, key=lambda step: max(step[1:]))
        column = "x" if worst[1] > worst[2] else "y"
        sizes = [abs(math.cos(t)) if a > b else abs(2 * math.sin(t)) for t, a, b in steps]
        at = self.check_details(table[0], errors, sizes, column)
        self.assertAlmostEqual(float(table[0]["error_time"]), steps[at][0], delta=1e-12)
        scaled = max(max(a / (1 + abs(math.cos(t))), b / (1 + abs(2 * math.sin(t)))) for t, a, b in steps)
        self.assertAlmostEqual(float(table[0]["error"]), scaled, delta=2e-6 * scaled + 1e-9)
        self.assertRegex(text, rf"psf-radau +1e-03 +position +{column} +{len(steps)} ")

    def test_root_mean_square_over_columns(self):
        _, table = self.compare(SWINGS, *self.RUN, "--at-steps", "--norm", "rms", "--reference", self.exact())
        steps = self.steps()
        errors = [math.sqrt((a * a + b * b) / 2) for _, a, b in steps]
        sizes = [math.sqrt((math.cos(t) ** 2 + 4 * math.sin(t) ** 2) / 2) for t, _, _ in steps]
        self.check_details(table[0], errors, sizes, "")

    def test_json_says_what_the_table_says(self):
        _, table = self.compare(SWINGS, *self.RUN, "--at-steps", "--reference", self.exact(), "--json", "c.json")
        found = json.loads(self.read("c.json"))
        self.assertEqual((found["at"], found["norm"], found["t_end"], found["reference"]["by"]), ("steps", "max", 6, "exact.csv"))
        run = found["runs"][0]
        self.assertEqual((run["method"], run["tolerance"], run["status"]), ("psf-radau", 1e-3, "OK"))
        self.assertEqual(run["statistics"]["steps"], int(table[0]["steps"]))
        error = run["errors"]["position"]
        for name in ("largest", "relative", "mean", "rms", "points", "time"):
            self.assertAlmostEqual(error[name], float(table[0][f"error_{name}"]), delta=1e-5 * error[name])
        self.assertEqual(error["column"], table[0]["error_column"])

    def test_made_reference_is_interpolated_where_it_moves_fast(self):
        # a damper takes vy from 2 to x = 1 within some 1e-6 s: points between the reference's steps, not equal intervals, see it
        stiff = SWINGS.replace("[-x, -y]", "[-x, '-1e6*(vy - x)']")
        text, table = self.compare(stiff, "--methods", "psf-radau", "--tols", "1e-4", "--at-steps", "--t-end", "1")
        off = float(re.search(r"which are off by position \S+ velocity (\S+)", " ".join(text.split())).group(1))
        self.assertLess(off, 1e-6)
        self.assertLess(self.values(table, "error", variable="velocity")[0], 1e-2)

    def test_errors_that_the_cubics_cannot_tell_are_marked(self):
        text, table = self.compare(SWINGS, "--methods", "psf-radau", "--tols", "1e-9", "--only", "x", "--at-steps", "--reference",
                                   self.exact(every=0.1))
        # twice h^4/24 |cos|, over 1 + |cos|, in the first interval; told at 3 h, where the cosine is less and further derivatives count
        self.assertAlmostEqual(self.values(table, "error")[0], 1e-4 / 24, delta=0.1 * 1e-4 / 24)
        self.assertEqual(table[0]["resolved"], "no")
        self.assertIn("or cubics are off by", " ".join(text.split()))

    def test_details_at_points(self):
        text, table = self.compare(SWINGS, *self.RUN, "--points", "20", "--errors")
        self.assertEqual(table[0]["error_points"], "20")
        self.assertIn("errors in detail", text)
        plain, _ = self.compare(SWINGS, *self.RUN)
        self.assertNotIn("errors in detail", plain)

    def test_mistakes_are_told(self):
        model = self.write(SWINGS)
        self.expect(USAGE, "compare", model, "--norm", "mean", says="must be max or rms")
        self.expect(USAGE, "compare", model, "--at-steps", "--points", "3", says="one or the other")
        self.write("time,x,y\n0,1,0\n1,1,0\n6,1,0\n", "few.csv")
        self.expect(USAGE, "compare", model, "--at-steps", "--reference", "few.csv", says="four rows at least")


class References(CompareTest):
    def reference(self, name, *arguments):
        self.expect(DONE, "run", self.write(PENDULUM), "--rtol", "1e-12", "--atol", "1e-12", "--quiet",
                    "--out", name, *arguments)
        return name

    def test_result_of_any_format_is_a_reference(self):
        for name in ("ref.csv", "ref.h5", "ref.mat"):
            self.reference(name)
            text, table = self.compare(PENDULUM, "--methods", "psf-radau", "--tols", "1e-3:1e-6",
                                       "--reference", name)
            self.assertIn(f"reference  {name}; its accuracy is not known", text)
            errors = self.values(table, "error", variable="position")
            self.assertTrue(0.0 < errors[3] < 1e-2 * errors[0], errors)

    def test_end_time_is_that_of_the_reference(self):
        name = self.reference("ref.csv", "--t-end", "0.7")
        text, table = self.compare(PENDULUM, "--methods", "psf-radau", "--tols", "1e-6", "--reference", name)
        self.assertIn("0 to 0.7 s", text)
        self.assertLess(self.values(table, "error", variable="position")[0], 1e-4)

    def test_row_at_the_end_time_is_taken(self):
        name = self.reference("ref.csv", "--every", "0.25")
        _, table = self.compare(PENDULUM, "--methods", "psf-radau", "--tols", "1e-6", "--reference", name,
                                "--t-end", "0.5")
        self.assertLess(self.values(table, "error", variable="position")[0], 1e-4)
        self.assertEqual(self.values(table, "t_reached")[0], 0.5)
        self.expect(USAGE, "compare", "model.yaml", "--reference", name, "--t-end", "0.6",
                    says="has no row at --t-end 0.6")

    def test_all_rows_are_taken_with_points(self):
        name = self.reference("ref.csv", "--every", "0.25")
        text, _ = self.compare(PENDULUM, "--methods", "psf-radau", "--tols", "1e-6", "--reference", name,
                               "--points", "1000")
        self.assertIn("at 4 points", text)

    def test_columns_that_the_reference_lacks_are_told(self):
        name = self.reference("ref.csv", "--only", "x", "--only", "v*")
        text, table = self.compare(PENDULUM, "--methods", "psf-radau", "--tols", "1e-6", "--reference", name)
        self.assertIn("it lacks 2 of 5 columns, such as y", text)
        self.assertEqual(self.rows(table, variable="multiplier")[0]["error"], "")
        self.assertLess(self.values(table, "error", variable="velocity")[0], 1e-4)

    def test_wrong_references_are_refused(self):
        model = self.write(PENDULUM)
        self.expect(FAILED, "compare", model, "--reference", "none.csv", says="none.csv")
        self.write("time,a,b\n0,1,2\n1,1,2\n", "other.csv")
        self.expect(USAGE, "compare", model, "--reference", "other.csv", says="has none of the columns")
        self.write("time,x\n0,1\n", "start.csv")
        self.expect(USAGE, "compare", model, "--reference", "start.csv", says="no row after the start time 0")
        self.write("time,x\n0,1\n1,2\n0.5,1\n", "back.csv")
        self.expect(FAILED, "compare", model, "--reference", "back.csv", says="row 3: time does not rise")


class Failures(CompareTest):
    def test_refused_methods_are_listed_with_their_reason(self):
        text, table = self.compare(REDUNDANT, "--methods", "psf-radau,peom1-radau", "--tols", "1e-4,1e-6")
        self.assertRegex(text, r"refused\n  peom1-radau:\n    peom1 needs independent constraints")
        row = self.rows(table, method="peom1-radau", variable="position")
        self.assertEqual(len(row), 1)
        self.assertEqual([row[0][name] for name in ("rtol", "error", "ratio", "steps", "status")],
                         ["", "", "", "", "EREFUSED"])
        self.assertIn("independent", row[0]["message"])

    def test_multipliers_that_are_not_unique_are_left_out(self):
        text, table = self.compare(REDUNDANT, "--methods", "psf-radau", "--tols", "1e-4")
        self.assertRegex(text, r"left out +2 multipliers or reactions that are not unique, such as lambda\.length")
        self.assertEqual({row["variable"] for row in table}, {"position", "velocity"})
        self.expect(USAGE, "compare", "model.yaml", "--only", "lambda.*", says="are not unique")

    def test_runs_that_fail_are_listed_and_others_go_on(self):
        text, table = self.compare(PENDULUM, "--methods", "psf-radau,peom1-radau", "--tols", "1e-8,1e-2",
                                   "--option", "max_steps=20")
        self.assertEqual(len(re.findall(r"  1e-08 stopped at t = 0\.\d+ after \d+ steps: .*max_steps", text)), 2)
        failed = self.rows(table, method="psf-radau", variable="position", rtol="1e-08")[0]
        self.assertEqual((failed["error"], failed["ratio"], failed["status"]), ("", "", "EMAX_STEPS"))
        self.assertTrue(0.0 < float(failed["t_reached"]) < 1.0)
        for method in ("psf-radau", "peom1-radau"):
            self.assertGreater(self.values(table, "error", method=method, variable="position", rtol="1e-02")[0], 0.0)

    def test_exit_status_tells_that_no_run_reached_the_end(self):
        self.compare(PENDULUM, "--methods", "psf-radau", "--tols", "1e-8", "--option", "max_steps=20", code=FAILED,
                     says="no run reached the end time")

    def test_model_that_no_method_integrates_has_no_reference(self):
        self.expect(FAILED, "compare", self.write(BLOW_UP), "--tols", "1e-3", "--methods", "psf-radau",
                    says=("no reference by psf-radau", "no method makes a reference"))

    def test_all_methods_are_compared_by_default(self):
        listed = re.findall(r"^  (\S+) +(.*)$", self.expect(DONE, "methods").out, re.M)
        names = {name for name, _ in listed}
        own = {name for name, help in listed if re.split("[,:]", help)[0] not in names}  # others are second names of these
        text, table = self.compare(PENDULUM, "--tols", "1e-4", "--t-end", "0.1")
        self.assertEqual({row["method"] for row in table}, own)
        for name in own:
            self.assertRegex(text, rf"(?m)(^ *|, ){re.escape(name)}\b")


class Drift(CompareTest):
    def test_drift_of_constraints_and_its_growth_are_told(self):
        if "index1-radau" not in self.expect(DONE, "methods").out:
            self.skipTest("there is no method that drifts")
        text, table = self.compare(CIRCLE, "--methods", "psf-radau,index1-radau", "--tols", "1e-6")
        self.assertLess(self.values(table, "max_residual_position", method="psf-radau")[0], 1e-14)
        self.assertGreater(self.values(table, "max_residual_position", method="index1-radau")[0], 1e-9)
        self.assertEqual(self.rows(table, method="psf-radau")[0]["growth_position"], "")
        growth = self.values(table, "growth_position", method="index1-radau")[0]
        self.assertTrue(0.5 < growth < 2.5, growth)  # errors of steps add up: at least as t, at most as t^2
        self.assertRegex(text, r"  drift at 1e-06: position grows as t\^\d")


class Pictures(CompareTest):
    def texts(self, name):
        elements = ElementTree.fromstring(self.read(name)).iter()
        return ["".join(e.itertext()) for e in elements if e.tag.endswith("}text")]

    def test_pictures_show_work_and_drift_of_every_method(self):
        self.compare(PENDULUM, "--methods", "psf-radau,geoms", "--tols", "1e-3:1e-5", "--plot", "w.svg",
                     "--drift", "d.svg")
        work, drift = self.texts("w.svg"), self.texts("d.svg")
        for text in ("model", "psf-radau", "geoms", "ratio, position", "ratio, velocity", "ratio, multiplier", "error"):
            self.assertIn(text, work)
        for text in ("psf-radau", "geoms", "position", "velocity", "acceleration",
                     "model: residuals of the constraints, tolerance 1e-04"):
            self.assertIn(text, drift)

    def test_pictures_of_all_methods_show_the_best_eight(self):
        """The table has them all."""
        said = self.expect(DONE, "compare", self.write(PENDULUM), "--tols", "1e-4", "--t-end", "0.1", "--repeat", "1",
                           "--csv", "c.csv", "--plot", "w.svg", "--drift", "d.svg",
                           says="the pictures show 8 of").err
        names = set(re.findall(r"(?m)^[^,\n]*,([^,\n]+),", self.read("c.csv"))) - {"method"}
        self.assertGreater(len(names), 24, said)
        for picture in ("w.svg", "d.svg"):
            shown = names & set(self.texts(picture))
            self.assertEqual(len(shown), 8, shown)

    def test_drift_needs_constraints(self):
        self.expect(USAGE, "compare", self.write(BLOW_UP), "--t-end", "0.5", "--drift", "d.svg", says="has no constraints")
        text, _ = self.compare(BLOW_UP, "--t-end", "0.5", "--methods", "psf-radau", "--tols", "1e-4")
        self.assertEqual(self.blocks(text)[0], "tol pos vel other steps rej evals Jac fact Newton time".split())

    def test_table_is_drawn_by_plot(self):
        self.compare(REDUNDANT, "--methods", "psf-radau,peom1-radau", "--tols", "1e-3:1e-5")
        self.expect(DONE, "plot", "table.csv", "evaluations", "--work-precision", "-o", "e.svg")
        texts = self.texts("e.svg")
        self.assertIn("evaluations, position", texts)
        self.assertIn("1e-04", texts)


class Mistakes(CompareTest):
    def test_methods_must_be_known_and_named_once(self):
        model = self.write(PENDULUM)
        self.expect(USAGE, "compare", model, "--methods", "psf-rado", says='did you mean "psf-radau"')
        self.expect(USAGE, "compare", model, "--methods", "qqqqqq", says="crank methods lists them")
        self.expect(USAGE, "compare", model, "--methods", "geoms,geoms", says="geoms is named twice")
        for methods in ("", ",", "geoms,"):
            self.expect(USAGE, "compare", model, "--methods", methods, says="names with commas")

    def test_tolerances_must_be_a_list_or_a_range(self):
        model = self.write(PENDULUM)
        for tols in ("", "abc", "1e-3,", "1e-3:", ":1e-3", "1e-3:1e-5:1e-7", "1e-3,1e-4:1e-6", "0", "-1e-3", "nan", "2"):
            result = self.expect(USAGE, "compare", model, f"--tols={tols}", says="--tols")
            self.assertEqual(result.out, "")
        self.expect(USAGE, "compare", model, "--option", "rtol=1e-4", says="given by --tols")

    def test_ranges_go_by_powers_of_ten_in_both_directions(self):
        run = ("--methods", "psf-radau", "--t-end", "0.1")
        for tols, values in (("1e-5:1e-3", [1e-5, 1e-4, 1e-3]), ("3e-3:1e-5", [3e-3, 3e-4, 3e-5]), ("1e-4", [1e-4])):
            _, table = self.compare(PENDULUM, *run, "--tols", tols)
            self.assertEqual(self.values(table, "rtol", variable="position"), values)

    def test_model_and_times_are_checked(self):
        self.expect(MODEL, "compare", "none.yaml", says="none.yaml")
        self.expect(MODEL, "compare", self.write("crank: equations\npositions: 3\n"), says="model.yaml:2")
        model = self.write(PENDULUM)
        self.expect(USAGE, "compare", model, "--t-end", "-1", says="must lie after the start time")
        self.expect(USAGE, "compare", model, "--only", "vxx", says="did you mean vx")
        self.expect(USAGE, "compare", model, "--set", "masss=1", says="masss")
        self.expect(USAGE, "compare", model, "--points", "1000000000", says="take fewer")
        self.expect(USAGE, "compare", model, "--option", "safty=1", says="safty")
        self.expect(USAGE, "compare", says="crank compare MODEL")

    def test_files_that_cannot_be_written_are_told_before_the_runs(self):
        model = self.write(PENDULUM)
        os.mkdir(self.path("folder.csv"))
        for option, name, code, says in (
                ("--csv", "none/t.csv", FAILED, "none/t.csv: cannot write"),
                ("--csv", "folder.csv", FAILED, "folder.csv: cannot write"),
                ("--plot", "none/t.svg", FAILED, "none/t.svg: cannot write"),
                ("--csv", "t.txt", USAGE, "the format is .csv"),
                ("--drift", "t.png", USAGE, "the format is .svg"),
                ("--csv", "-", USAGE, "needs a file")):
            result = self.expect(code, "compare", model, option, name, says=says)
            self.assertEqual(result.out, "")
        self.expect(USAGE, "compare", model, "--plot", "a.svg", "--drift", "a.svg", says="two pictures")
        self.expect(FAILED, "compare", model, "--methods", "psf-radau", "--tols", "1e-3", "--csv", "/dev/full",
                    says="/dev/full: cannot write")

    def test_no_input_is_overwritten(self):
        self.write("time,x\n0,1\n1,1\n", "ref.csv")
        self.expect(USAGE, "compare", self.write(PENDULUM), "--reference", "ref.csv", "--csv", "ref.csv",
                    says="the comparison reads this file")
        self.assertEqual(self.read("ref.csv"), "time,x\n0,1\n1,1\n")


class Interruption(CompareTest):
    def test_signal_keeps_the_runs_that_are_finished(self):
        self.write("time,x\n0,1\n100000,1\n", "ref.csv")  # nothing is to be made first
        model = self.write(PENDULUM)
        terminal, end = pty.openpty()
        self.addCleanup(os.close, terminal)
        process = subprocess.Popen([self.crank, "compare", model, "--methods", "psf-radau", "--reference", "ref.csv",
                                    "--tols", "1e-1,1e-14", "--repeat", "1", "--csv", "table.csv", "--option",
                                    "h_max=1", "--option", "max_steps=0", "--set", "grav=0.001"],
                                   cwd=self.place, env=self.environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=end)
        os.close(end)
        shown, until = b"", time.monotonic() + 60
        while b"run 2 of 2" not in shown and time.monotonic() < until:
            if select.select([terminal], [], [], 1.0)[0]:
                shown += os.read(terminal, 65536)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=60)[0].decode()
        shown += os.read(terminal, 65536)
        self.assertEqual(process.returncode, FAILED, shown)
        self.assertIn(b"interrupted: 1 of 2 runs are finished", shown)
        _, blocks = self.blocks(out)
        self.assertEqual([line[0] for line in blocks["psf-radau"]], ["1e-01"])
        table = list(csv.DictReader(self.read("table.csv").splitlines()))
        self.assertEqual({row["rtol"] for row in table}, {"1e-01"})


main()
