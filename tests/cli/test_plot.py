"""crank plot: columns by name and pattern, panels, phase plots, histories, comparisons, gnuplot, mistakes."""
# SPDX-License-Identifier: BSD-3-Clause
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from command import DONE, FAILED, PENDULUM, USAGE, CommandTest, main

RESULT = "time,x,y,lambda.length\n0,1,0,3\n0.5,0,-1,nan\n1,-1,0,2\n"


WORK = """problem,method,rtol,error,seconds,steps
a,radau,1e-4,1e-3,0.1,10
a,radau,1e-6,1e-5,0.2,20
a,bdf,1e-4,2e-3,0.3,40
b,radau,1e-4,1e-2,0.1,10
b,bdf,1e-4,,,
b,bdf,1e-6,1e-4,0.5,90
"""
SCALING = "method,size,seconds\nsparse,1000,0.1\nsparse,10,0.001\nsparse,100,0.01\ndense,10,0.001\ndense,100,1\n"


class PlotTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write(RESULT, "a.csv")

    def picture(self, *arguments, says=()):
        """The elements of the picture."""
        self.expect(DONE, "plot", *arguments, "-o", "a.svg", says=says)
        return list(ElementTree.fromstring(self.read("a.svg")).iter())

    def texts(self, elements, kind=""):
        return ["".join(element.itertext()) for element in elements
                if element.tag.endswith("}text") and kind in element.get("class")]

    def frames(self, elements):
        return [element for element in elements if element.get("class") == "frame"]

    def plot(self, *arguments, says=()):
        """All texts of a picture of a.csv."""
        return self.texts(self.picture("a.csv", *arguments, says=says))


class Plot(PlotTest):
    def test_picture_is_well_formed_with_legend_and_title(self):
        texts = self.plot("x", "y", "--title", "a < b & c")
        for text in ("time", "x", "y", "a < b & c"):
            self.assertIn(text, texts)

    def test_patterns_choose_columns_but_not_the_horizontal_axis(self):
        texts = self.plot("*")
        self.assertIn("lambda.length", texts)
        self.assertEqual(texts.count("time"), 1)

    def test_phase_plot_has_the_column_as_horizontal_axis(self):
        self.assertNotIn("time", self.plot("y", "--x", "x", "--equal"))

    def test_logarithmic_axis_is_possible(self):
        self.assertIn("2.0", self.plot("lambda.length", "--log-y"))

    def test_result_from_standard_input_and_picture_on_standard_output(self):
        result = self.call("plot", "-", "x", "-o", "-", stdin=RESULT.encode())
        self.assertEqual(result.code, DONE, result.err)
        self.assertTrue(result.out.startswith("<svg"))

    def test_misspelt_column_gets_a_suggestion(self):
        self.expect(USAGE, "plot", "a.csv", "lambda.lenght", "-o", "a.svg", says="did you mean lambda.length")
        self.expect(USAGE, "plot", "a.csv", "x", "--x", "tim", "-o", "a.svg", says="did you mean time")

    def test_missing_picture_is_told(self):
        self.expect(USAGE, "plot", "a.csv", "x", says="-o FILE.svg")

    def test_other_formats_are_refused(self):
        self.expect(USAGE, "plot", "a.csv", "x", "-o", "a.png", says=".svg")

    def test_missing_result_is_told(self):
        self.expect(FAILED, "plot", "b.csv", "x", "-o", "a.svg", says=("b.csv", "No such file"))

    def test_damaged_result_is_told_with_its_place(self):
        self.write("time,x\n0,1\n1,two\n", "b.csv")
        self.expect(FAILED, "plot", "b.csv", "x", "-o", "a.svg", says="b.csv:3:3: column \"x\"")

    def test_cut_off_last_line_is_left_out_with_a_warning(self):
        self.write("time,x\n0,1\n1,2\n2,", "b.csv")
        self.expect(DONE, "plot", "b.csv", "x", "-o", "a.svg", says="cut off")

    def test_nothing_to_draw_is_told(self):
        self.write("time,x\n0,nan\n", "b.csv")
        self.expect(FAILED, "plot", "b.csv", "x", "-o", "a.svg", says="nothing to draw")

    def test_directory_that_is_not_there_and_full_disk_are_told(self):
        self.expect(FAILED, "plot", "a.csv", "x", "-o", "no/where.svg", says="No such file")
        self.expect(FAILED, "plot", "a.csv", "x", "--gnuplot", "/dev/full", says="No space left")

    def test_sizes_and_kinds_are_checked(self):
        self.expect(FAILED, "plot", "a.csv", "x", "--height", "50", "-o", "a.svg", says="no room")
        self.expect(USAGE, "plot", "a.csv", "x", "--draw", "dots", "-o", "a.svg", says="lines, points or both")
        self.expect(USAGE, "plot", "a.csv", "-o", "a.svg", says="no columns to draw")
        self.expect(FAILED, "plot", "a.csv", "x", "--equal", "--log-x", "-o", "a.svg", says="equal units")

    def test_size_is_as_asked_for(self):
        root = self.picture("a.csv", "x", "/", "y", "--width", "400", "--height", "500")[0]
        self.assertEqual((root.get("width"), root.get("height")), ("400", "500"))


class List(PlotTest):
    def columns(self, *arguments):
        """Lines of the list, as lists of words."""
        return [line.split() for line in self.expect(DONE, "plot", *arguments, "--list").out.splitlines()]

    def test_list_tells_names_and_ranges_and_leaves_out_what_is_not_finite(self):
        self.assertEqual(self.columns("a.csv"), [["name", "unit", "least", "greatest"], ["time", "-", "0", "1"],
                         ["x", "-", "-1", "1"], ["y", "-", "-1", "0"], ["lambda.length", "-", "2", "3"]])

    def test_list_has_units_and_descriptions_of_formats_that_keep_them(self):
        self.write(PENDULUM, "p.yaml")
        for result in ("a.h5", "a.mat"):
            self.expect(DONE, "run", "p.yaml", "--t-end", "0.1", "--out", result)
            listed = {words[0]: words[1:] for words in self.columns(result)}
            self.assertEqual(listed["time"][:3], ["s", "0", "0.1"], result)
            self.assertIn("residual.position", listed)

    def test_list_takes_names_patterns_and_standard_input(self):
        self.assertEqual([words[0] for words in self.columns("a.csv", "lambda.*", "x")], ["name", "x", "lambda.length"])
        result = self.call("plot", "-", "y", "--list", stdin=RESULT.encode())
        self.assertEqual((result.code, len(result.out.splitlines())), (DONE, 2), result.err)

    def test_list_tells_ranges_within_a_range_of_time(self):
        self.assertEqual(self.columns("a.csv", "--from", "0.4")[1:4],
                         [["time", "-", "0.5", "1"], ["x", "-", "-1", "0"], ["y", "-", "-1", "0"]])
        self.assertEqual(self.columns("a.csv", "x", "--from", "0", "--to", "0.5")[1], ["x", "-", "0", "1"])
        self.expect(USAGE, "plot", "a.csv", "--list", "--from", "2", says="no rows in the range")

    def test_columns_that_are_not_there_are_told_with_the_nearest_name(self):
        self.write("time,body.left.rod.x,body.bucket.x,body.bucket.y\n0,1,1,1\n", "b.csv")
        self.expect(USAGE, "plot", "b.csv", "body.left.rodd.x", "-o", "a.svg", says="did you mean body.left.rod.x")
        self.expect(USAGE, "plot", "b.csv", "body.bucket.xx", "-o", "a.svg", says="did you mean body.bucket.x")

    def test_column_without_finite_values_has_no_range(self):
        self.write("time,x\n0,nan\n", "b.csv")
        self.assertEqual(self.columns("b.csv", "x")[1], ["x", "-", "-", "-"])

    def test_mistakes_of_lists_are_told(self):
        self.expect(USAGE, "plot", "a.csv", "lambda.lenght", "--list", says="did you mean lambda.length")
        self.expect(FAILED, "plot", "b.csv", "--list", says=("b.csv", "No such file"))
        for option in (("-o", "a.svg"), ("--y-from", "0"), ("--history",), ("--width", "300")):
            self.expect(USAGE, "plot", "a.csv", "--list", *option, says="--list draws nothing")


class Panels(PlotTest):
    def test_slash_starts_a_panel_below(self):
        elements = self.picture("a.csv", "x", "/", "y", "lambda.*")
        frames = self.frames(elements)
        self.assertEqual(len(frames), 2)
        self.assertEqual(frames[0].get("x"), frames[1].get("x"))
        self.assertEqual(self.texts(elements, "y-label"), ["x"])
        self.assertEqual(self.texts(elements, "legend"), ["y", "lambda.length"])
        self.assertEqual(self.texts(elements, "x-label"), ["time"])

    def test_slash_log_starts_a_panel_with_a_logarithmic_axis(self):
        self.write("time,x,r\n0,1,1e-12\n1,2,1e-2\n", "b.csv")
        elements = self.picture("b.csv", "x", "/log", "r")
        self.assertIn("10\u22126", self.texts(elements))
        self.assertEqual(len([e for e in elements if e.get("class") == "minor"]), 1)

    def test_names_are_drawn_in_the_order_given_once_each(self):
        elements = self.picture("a.csv", "y", "x", "y")
        self.assertEqual(self.texts(elements, "legend"), ["y", "x"])

    def test_panel_without_names_is_told(self):
        for names in (["x", "/"], ["x", "/", "/log", "y"], ["/"]):
            self.expect(USAGE, "plot", "a.csv", *names, "-o", "a.svg", says="a panel without names")

    def test_times_choose_rows_also_of_phase_plots(self):
        elements = self.picture("a.csv", "y", "--x", "x", "--from", "0.5")
        description = [e.text for e in elements if e.tag.endswith("}desc")][0]
        low, high = map(float, re.search(r"from (\S+) to (\S+)\.$", description).groups())
        self.assertTrue(-1.1 < low < -1 and 0 < high < 0.1)  # x from -1 to 0 and room for points
        self.expect(USAGE, "plot", "a.csv", "y", "--from", "2", "-o", "a.svg", says="time goes from 0 to 1")

    def test_vertical_range_is_as_asked_for(self):
        elements = self.picture("a.csv", "x", "--y-from", "-4", "--y-to", "4")
        self.assertIn("between -4 and 4", [e.text for e in elements if e.tag.endswith("}desc")][0])
        self.expect(FAILED, "plot", "a.csv", "x", "--y-from", "4", "--y-to", "-4", "-o", "a.svg",
                    says="cannot go from 4 to -4")

    def test_negative_values_on_a_logarithmic_axis_are_told(self):
        self.plot("x", "--log-y", says="1 negative values of x")

    def test_another_result_is_drawn_beside_it(self):
        self.write("time,x\n0,2\n1,2\n", "b.csv")
        elements = self.picture("a.csv", "x", "--with", "b.csv")
        self.assertEqual(self.texts(elements, "legend"), ["a", "b"])
        elements = self.picture("a.csv", "x", "y", "--with", "b.csv", says="b.csv has no column y")
        self.assertEqual(self.texts(elements, "legend"), ["x, a", "x, b", "y, a"])
        self.expect(FAILED, "plot", "a.csv", "x", "--with", "c.csv", "-o", "a.svg", says="c.csv")

    def test_results_with_the_same_name_are_told_apart_by_their_paths(self):
        elements = self.picture("a.csv", "x", "--with", self.path("a.csv"))
        self.assertEqual(len(set(self.texts(elements, "legend"))), 2)

    def test_units_stand_at_the_axes(self):
        self.write(PENDULUM)
        self.expect(DONE, "run", "model.yaml", "--out", "a.mat", "--quiet")
        self.assertIn("time [s]", self.texts(self.picture("a.mat", "x"), "x-label"))

    def test_units_of_outputs_stand_at_the_axes(self):
        self.write("crank: equations\ndynamic: {x: {rate: 1}}\noutputs: {power: {value: 2*x, unit: kW}}\n")
        self.expect(DONE, "run", "model.yaml", "--out", "a.h5", "--quiet")
        self.assertIn("power [kW]", self.texts(self.picture("a.h5", "power"), "y-label"))


class History(PlotTest):
    def setUp(self):
        super().setUp()
        self.write(PENDULUM)
        self.expect(DONE, "run", "model.yaml", "--out", "run.csv", "--quiet")

    def test_history_has_four_panels_of_the_steps(self):
        elements = self.picture("run.csv", "--history")
        self.assertEqual(self.texts(elements, "y-label"),
                         ["step size [s]", "Newton iterations", "rejected attempts", "error / tolerance"])
        # the first row, which no step leads to, is not drawn as a step of size zero
        self.assertEqual([e for e in elements if "strip" in e.get("class", "")
                          and float(e.get("y")) < float(self.frames(elements)[1].get("y"))], [])

    def test_residuals_stand_below_names_and_history(self):
        elements = self.picture("run.csv", "x", "--history", "--residuals")
        self.assertEqual(len(self.frames(elements)), 6)
        self.assertEqual(self.texts(elements, "legend"),
                         ["residual.position", "residual.velocity", "residual.acceleration"])

    def test_zero_residuals_are_shown_as_such(self):
        self.write("time,residual.position,residual.velocity,residual.acceleration\n0,0,0,0\n1,1e-9,0,1e-3\n",
                   "b.csv")
        elements = self.picture("b.csv", "--residuals")
        self.assertIn("0", self.texts(elements))
        self.assertEqual(len([e for e in elements if "strip" in e.get("class", "")]), 1)

    def test_result_without_these_columns_gets_the_remedy(self):
        self.expect(USAGE, "plot", "a.csv", "--history", "-o", "a.svg",
                    says=("a.csv has no column step.size", "--only 'step.*'"))
        self.expect(USAGE, "plot", "a.csv", "--residuals", "-o", "a.svg", says="residual.position")


class Comparisons(PlotTest):
    def test_work_and_precision_has_a_panel_for_each_problem(self):
        self.write(WORK, "w.csv")
        elements = self.picture("w.csv", "--work-precision")
        self.assertEqual(self.texts(elements, "y-label"), ["a: seconds", "b: seconds"])
        self.assertEqual(self.texts(elements, "legend"), ["radau", "bdf", "radau", "bdf"])
        self.assertEqual(self.texts(elements, "x-label"), ["error"])
        self.assertIn("1e-6", self.texts(elements, "note"))
        colours = {e.get("class") for e in elements if (e.get("class") or "").startswith("c")}
        self.assertEqual(colours, {"c0", "c1"})  # a method looks the same everywhere

    def test_costs_are_chosen_by_name(self):
        self.write(WORK, "w.csv")
        elements = self.picture("w.csv", "steps", "seconds", "--work-precision")
        self.assertEqual(self.texts(elements, "y-label"), ["a: steps", "b: steps", "a: seconds", "b: seconds"])

    def test_scaling_tells_exponents(self):
        self.write(SCALING, "s.csv")
        elements = self.picture("s.csv", "--scaling")
        self.assertEqual(self.texts(elements, "legend"), ["sparse, exponent 1.00", "dense, exponent 3.00"])
        self.assertEqual(len([e for e in elements if e.get("class") == "guide"]), 2)

    def test_missing_columns_and_bad_numbers_are_told(self):
        self.write(SCALING, "s.csv")
        self.expect(USAGE, "plot", "s.csv", "--work-precision", "-o", "a.svg", says="no column error")
        self.expect(USAGE, "plot", "s.csv", "second", "--scaling", "-o", "a.svg", says="did you mean seconds")
        self.expect(USAGE, "plot", "a.csv", "--scaling", "-o", "a.svg", says="no column method")
        self.write("method,size,seconds\na,1,fast\n", "b.csv")
        self.expect(FAILED, "plot", "b.csv", "--scaling", "-o", "a.svg", says="row 1: seconds is fast")
        self.write("method,size,seconds\na,1\n", "b.csv")
        self.expect(FAILED, "plot", "b.csv", "--scaling", "-o", "a.svg", says="b.csv:2")
        self.write(b"\x00\xff", "b.csv")
        self.expect(FAILED, "plot", "b.csv", "--scaling", "-o", "a.svg", says="zero byte")

    def test_options_of_results_are_refused(self):
        self.write(SCALING, "s.csv")
        for option in (["--from", "1"], ["--history"], ["--x", "size"], ["--with", "a.csv"]):
            self.expect(USAGE, "plot", "s.csv", "--scaling", *option, "-o", "a.svg", says="not for tables of methods")
        self.expect(USAGE, "plot", "s.csv", "--scaling", "--work-precision", "-o", "a.svg", says="two pictures")


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Gnuplot(PlotTest):
    def draw(self, *arguments):
        """Runs the script; the picture that gnuplot writes."""
        self.expect(DONE, "plot", *arguments, "--gnuplot", "a.gp")
        done = subprocess.run(["gnuplot", "a.gp"], cwd=self.place, capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))
        return self.read("a.gnuplot.svg")

    def test_script_draws_panels_with_hostile_texts(self):
        picture = self.draw("a.csv", "x", "/log", "lambda.length", "--title", "it's `date` {/a_b}")
        ElementTree.fromstring(picture)
        for text in ("it's `date` {/a_b}", "lambda.length", "time"):
            self.assertIn(text, picture)

    def test_script_draws_comparisons_and_histories(self):
        self.write(WORK, "w.csv")
        self.assertIn("a: seconds", self.draw("w.csv", "--work-precision"))
        self.write("time,residual.position,residual.velocity,residual.acceleration\n0,0,0,0\n1,1e-9,0,1e-3\n",
                   "b.csv")
        self.assertIn("residual.velocity", self.draw("b.csv", "--residuals"))


main()
