"""crank plot: columns by name and pattern, phase plots, mistakes."""
# SPDX-License-Identifier: BSD-3-Clause
import xml.etree.ElementTree as ElementTree

from command import DONE, FAILED, USAGE, CommandTest, main

RESULT = "time,x,y,lambda.length\n0,1,0,3\n0.5,0,-1,nan\n1,-1,0,2\n"


class Plot(CommandTest):
    def setUp(self):
        super().setUp()
        self.write(RESULT, "a.csv")

    def plot(self, *arguments):
        """All texts of the picture."""
        self.expect(DONE, "plot", "a.csv", *arguments, "-o", "a.svg")
        root = ElementTree.fromstring(self.read("a.svg"))
        return [element.text for element in root.iter() if element.tag.endswith("}text")]

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
        self.assertIn("2", self.plot("lambda.length", "--log-y"))

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

    def test_full_disk_is_told(self):
        self.write("", "full.svg")
        self.expect(FAILED, "plot", "a.csv", "x", "-o", "no/where.svg", says="No such file")


main()
