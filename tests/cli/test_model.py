"""Wrong models: exit 3 and a message with file, line, column and the offending name."""
# SPDX-License-Identifier: BSD-3-Clause
import os

from command import DONE, FAILED, MODEL, PENDULUM, CommandTest, main


class WrongModel(CommandTest):
    def changed(self, old, new):
        self.assertIn(old, PENDULUM)
        return PENDULUM.replace(old, new)

    def test_message_begins_with_file_line_and_column(self):
        result = self.bad_model(self.changed("x^2 + y^2", "x^2 + z^2"), says='holonomic "length"')
        self.assertRegex(result.err, r"^model\.yaml:7:\d+: ")

    def test_unknown_key_is_told_with_a_suggestion(self):
        result = self.bad_model(self.changed("forces:", "force:"), says=("force", "forces"))
        self.assertRegex(result.err, r"^model\.yaml:6:\d+: ")

    def test_misspelt_name_gets_a_suggestion(self):
        self.bad_model(self.changed("-m*grav]", "-m*gravv]"), says=("model.yaml:6:", "gravv", "grav"))

    def test_wrong_shape_of_the_mass_matrix_is_told(self):
        self.bad_model(self.changed("[[m, 0], [0, m]]", "[[m, 0]]"), says=("model.yaml:5:", "mass"))

    def test_wrong_number_of_forces_is_told(self):
        self.bad_model(self.changed("[0, -m*grav]", "[0]"), says=("model.yaml:6:", "forces"))

    def test_missing_parameter_is_told(self):
        self.bad_model(self.changed("L: 1, ", ""), says=("model.yaml:7:", "L"))

    def test_cyclic_definition_is_told(self):
        self.bad_model(self.changed("{m: 1, L: 1", "{m: L, L: m"), says="model.yaml:2:")

    def test_nan_in_data_is_told(self):
        self.bad_model(self.changed("m: 1,", "m: .nan,"), says=("model.yaml:2:", "m"))

    def test_syntax_error_in_an_expression_is_told(self):
        self.bad_model(self.changed("x^2 + y^2 - L^2", "x^2 + * y^2"), says="model.yaml:7:")

    def test_syntax_error_in_yaml_is_told(self):
        self.bad_model(self.changed("[[m, 0]", "[[m, 0"), says="model.yaml:")

    def test_end_time_before_start_time_is_told(self):
        self.bad_model(self.changed("{t_end: 1}", "{t_start: 2, t_end: 1}"), says=("t_end", "before"))

    def test_unknown_method_is_told(self):
        self.bad_model(self.changed("{t_end: 1}", "{t_end: 1, method: psf-radua}"), says="psf-radau")

    def test_unknown_option_is_told_with_its_place(self):
        self.bad_model(self.changed("{t_end: 1}", "{t_end: 1, safty: 1}"), says=("model.yaml:9:", "safty"))

    def test_option_out_of_range_is_told_with_its_place(self):
        self.bad_model(self.changed("{t_end: 1}", "{t_end: 1, rtol: -1}"), says=("model.yaml:9:", "rtol"))

    def test_empty_file_is_told(self):
        self.bad_model("", says="model.yaml")

    def test_binary_file_is_told(self):
        self.bad_model(bytes(range(256)) * 8, says="model.yaml")

    def test_directory_is_told(self):
        os.mkdir(self.path("somewhere"))
        self.expect(MODEL, "run", "somewhere", says="somewhere")

    def test_missing_file_is_told(self):
        self.expect(MODEL, "run", "nowhere.yaml", says=("nowhere.yaml", "No such file"))

    def test_contradictory_constraints_are_told(self):
        text = self.changed("{length: x^2 + y^2 - L^2}", "{length: x^2 + y^2 - L^2, far: x^2 + y^2 - 4}")
        self.bad_model(text, says="model.yaml")

    def test_inconsistent_fixed_values_are_told(self):
        text = self.changed("{x: {start: 1}, y: {start: 0}}",
                            "{x: {start: 1, fixed: true}, y: {start: 1, fixed: true}}")
        self.bad_model(text, says="model.yaml")

    def test_singular_mass_that_leaves_the_motion_open_is_told(self):
        text = PENDULUM.replace("mass: [[m, 0], [0, m]]", "mass: [[0, 0], [0, 0]]")
        self.bad_model(text, says="model.yaml")

    def test_wrong_model_leaves_an_earlier_result_alone(self):
        self.write("time\n0\n", "result.csv")
        self.expect(MODEL, "run", self.write("crank: nonsense\n"), "--out", "result.csv")
        self.assertEqual(self.read("result.csv"), "time\n0\n")


main()
