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
        self.bad_model(self.changed("{m: 1, L: 1", "{m: L, L: m"),
                       says=("model.yaml:2:14:", "cyclic definition: m -> L -> m"))

    def test_nan_in_data_is_told(self):
        self.bad_model(self.changed("m: 1,", "m: .nan,"), says=("model.yaml:2:", "m"))

    def test_syntax_error_in_an_expression_is_told(self):
        self.bad_model(self.changed("x^2 + y^2 - L^2", "x^2 + * y^2"), says="model.yaml:7:")

    def test_syntax_error_in_yaml_is_told(self):
        self.bad_model(self.changed("[[m, 0]", "[[m, 0"), says="model.yaml:")

    def test_place_in_an_included_file_is_told_with_that_file(self):
        self.write("crank: mechanism\nbodies: {rod: {mas: 1}}\n", "part.yaml")
        result = self.bad_model("crank: mechanism\ninclude: [part.yaml]\n", says=('body "rod"', "mas", "mass"))
        self.assertRegex(result.err, r"^part\.yaml:2:\d+: ")

    def test_end_time_before_start_time_is_told(self):
        self.bad_model(self.changed("{t_end: 1}", "{t_start: 2, t_end: 1}"),
                       says="model.yaml:9:31: simulate: t_end = 1 lies before t_start = 2")
        self.bad_model(self.changed("{t_end: 1}", "{t_start: 2}"), says=("t_end", "before", "give t_end"))

    def test_unknown_method_is_told(self):
        self.bad_model(self.changed("{t_end: 1}", "{t_end: 1, method: psf-radua}"),
                       says=("model.yaml:9:30:", "did you mean", "psf-radau"))
        self.bad_model(self.changed("{t_end: 1}", "{t_end: 1, method: euler}"),
                       says=("model.yaml:9:30:", '"euler"', "known are auto, psf-radau"))

    def test_unknown_group_of_atol_is_told_with_the_known_ones(self):
        self.bad_model(self.changed("{t_end: 1}", "{t_end: 1, atol: {q: 1}}"),
                       says=('model.yaml:9:29: simulate, atol: unknown key "q"', "known are p, v, r, w, s, lambda, mu"))

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
        self.bad_model(text, says=('model.yaml:7:13: holonomic "length"', '"far"', "contradict each other",
                                   "change or remove one of them"))

    def test_inconsistent_fixed_values_are_told(self):
        text = self.changed("{x: {start: 1}, y: {start: 0}}",
                            "{x: {start: 1, fixed: true}, y: {start: 1, fixed: true}}")
        self.bad_model(text, says=("model.yaml:3:14: the fixed start values of x and y contradict",
                                   'holonomic "length"', "make one of them preferred or free"))

    def singular_mass(self, text, velocity):
        self.bad_model(text, says=(f"model.yaml:5:1: mass: singular at the start (row {velocity})",
                                   f"do not determine the acceleration of {velocity}",
                                   f"give {velocity} a mass or a constraint"))

    def test_singular_mass_that_leaves_the_motion_open_is_told(self):
        self.singular_mass(self.changed("[[m, 0], [0, m]]", "[[0, 0], [0, 0]]"), "vy")

    def test_mass_that_a_parameter_makes_zero_is_told(self):
        self.singular_mass(self.changed("{m: 1,", "{m: 0,"), "vy")

    def test_mass_that_is_singular_only_at_the_start_is_told(self):
        text = self.changed("[[m, 0], [0, m]]", "[[m*x, 0], [0, m]]")
        start = ("{x: {start: 1}, y: {start: 0}}", "{x: {start: 0}, y: {start: -1}}")
        self.singular_mass(text.replace(*start), "vx")
        free = text.replace("holonomic: {length: x^2 + y^2 - L^2}\n", "").replace("L: 1, ", "")
        self.singular_mass(free.replace(*start), "vx")

    def test_singular_mass_is_told_also_of_large_models(self):
        # beyond the size up to which singular values are computed: 201 positions, velocities and
        # accelerations, 200 constraints; every constraint fixes a massless body but the last has none
        n = 201
        names = range(n)
        text = ("crank: equations\npositions: {" + ", ".join(f"x{i}: 0" for i in names) + "}\n"
                "velocities: {" + ", ".join(f"v{i}: {{of: x{i}}}" for i in names) + "}\n\n"
                "mass: {diagonal: [" + ", ".join("0" for i in names) + "]}\n"
                "forces: [" + ", ".join("1" for i in names) + "]\n"
                "holonomic: {" + ", ".join(f"g{i}: x{i}" for i in range(n - 1)) + "}\n")
        self.singular_mass(text, "v200")
        # and with a redundant constraint, which leaves multipliers open but no acceleration
        whole = text.replace("g0: x0", "g0: x0, again: 2*x0, g200: x200")
        self.expect(DONE, "check", self.write(whole))

    def test_singular_mass_that_the_constraints_make_up_for_is_accepted(self):
        text = self.changed("[[m, 0], [0, m]]", "[[0, 0], [0, m]]")
        start = ("{x: {start: 1}, y: {start: 0}}", "{x: {start: 0.6}, y: {start: -0.8}}")
        self.expect(DONE, "run", self.write(text.replace(*start)), "--t-end", "0.01")

    def test_tiny_masses_are_no_singular_mass(self):
        self.expect(DONE, "init", self.write(self.changed("{m: 1,", "{m: 1e-15,")), "--option",
                    "accelerations=carry")

    def test_mass_that_cannot_be_eliminated_is_told_with_its_place(self):
        text = self.changed("[[m, 0], [0, m]]", "[[0, 0], [0, m]]")
        self.bad_model(text.replace("{t_end: 1}", "{t_end: 1, accelerations: eliminate}"),
                       says=("model.yaml:5:1: mass: singular", "accelerations: carry"))

    def test_force_that_is_not_finite_is_blamed_and_not_the_constraint_that_contains_it(self):
        result = self.bad_model(self.changed("-m*grav]", "sqrt(x - 2)]"),
                                says=("model.yaml:6:", "dynamic equation of vy (its force): not finite"))
        self.assertNotIn("holonomic", result.err)

    def test_derivative_of_a_force_that_is_not_finite_is_blamed(self):
        result = self.bad_model(self.changed("-m*grav]", "sqrt(x - 1)]"),
                                says=("model.yaml:6:", "dynamic equation of vy (its force), derivative"))
        self.assertNotIn("holonomic", result.err)

    def test_constraint_that_is_not_finite_is_blamed(self):
        self.bad_model(self.changed("x^2 + y^2 - L^2", "sqrt(x - 2)"), says=("model.yaml:7:", 'holonomic "length"'))

    def test_initial_condition_that_cannot_be_met_is_told_with_its_place(self):
        self.bad_model(self.changed("outputs:", "initial: {fast: exp(vy)}\noutputs:"), says="model.yaml:")

    def test_wrong_model_leaves_an_earlier_result_alone(self):
        self.write("time\n0\n", "result.csv")
        self.expect(MODEL, "run", self.write("crank: nonsense\n"), "--out", "result.csv")
        self.assertEqual(self.read("result.csv"), "time\n0\n")


main()
