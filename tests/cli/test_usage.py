"""Wrong command lines: exit 2 and a message that names the mistake and the remedy."""
# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import re
import shutil
import subprocess
import unittest

from command import DONE, MODEL, PENDULUM, USAGE, CommandTest, main

MANUAL = pathlib.Path(__file__).resolve().parents[2] / "docs" / "man"


class Usage(CommandTest):
    def test_without_a_command_it_points_to_the_help(self):
        self.expect(USAGE, says="crank --help")

    def test_help_lists_the_commands_on_standard_output(self):
        result = self.expect(DONE, "--help")
        for name in ("run", "check", "init", "plot", "methods", "options"):
            self.assertIn("crank " + name, result.out)

    def test_version_is_printed(self):
        self.assertRegex(self.expect(DONE, "--version").out, r"^crank \d+\.\d+\.\d+\n$")

    def test_misspelt_command_gets_a_suggestion(self):
        self.expect(USAGE, "rum", says="did you mean run")

    def test_help_of_run_lists_arguments_methods_and_options(self):
        result = self.expect(DONE, "run", "--help")
        for text in ("--every DT", "--set NAME=VALUE", "psf-radau", "geoms", "rtol", "on|off"):
            self.assertIn(text, result.out)
        self.assertEqual(self.expect(DONE, "help", "run").out, result.out)

    def test_methods_and_options_are_listed(self):
        self.assertIn("psf-radau", self.expect(DONE, "methods").out)
        self.assertIn("final_correction", self.expect(DONE, "options").out)

    def test_misspelt_argument_gets_a_suggestion(self):
        self.expect(USAGE, "run", "model.yaml", "--evry", "1", says=("--evry", "did you mean --every"))

    def test_missing_value_is_told(self):
        self.expect(USAGE, "run", "model.yaml", "--rtol", says="--rtol needs a value")

    def test_missing_model_is_told(self):
        self.expect(USAGE, "run", says="crank run MODEL")

    def test_tolerances_of_kinds_are_for_mechanisms(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--option", "atol_length=1e-3", says=("are for mechanisms", "atol_p"))

    def test_second_model_is_told(self):
        self.expect(USAGE, "run", "a.yaml", "b.yaml", says="one argument too many: b.yaml")

    def test_number_that_is_none_is_told(self):
        self.expect(USAGE, "run", "model.yaml", "--t-end", "soon", says="--t-end needs a number, not soon")
        self.expect(USAGE, "run", "model.yaml", "--t-end", "nan", says="--t-end needs a number")
        self.expect(USAGE, "run", "model.yaml", "--points", "1.5", says="--points needs a whole number")
        self.expect(USAGE, "run", "model.yaml", "--points", "0", says="--points needs a whole number")

    def test_kinds_of_rows_exclude_each_other(self):
        self.expect(USAGE, "run", "model.yaml", "--points", 5, "--steps", says="exclude each other")
        self.expect(USAGE, "run", "model.yaml", "--points", 5, "--every", 1, says="exclude each other")

    def test_interval_of_rows_must_be_positive(self):
        self.expect(USAGE, "run", "model.yaml", "--every", "-1", says="must be positive")

    def test_interval_of_rows_must_not_vanish(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--every", "1e-30", says="too many")

    def test_result_of_another_format_is_refused_with_the_known_ones(self):
        self.expect(USAGE, "run", "model.yaml", "--out", "a.txt", says=("a.txt", ".csv", ".h5", ".mat"))

    def test_statistics_of_another_format_are_refused(self):
        self.expect(USAGE, "run", "model.yaml", "--stats", "a.txt", says=("a.txt", ".json"))

    def test_rows_and_statistics_do_not_share_standard_output(self):
        self.expect(USAGE, "run", "model.yaml", "--stats", "-", says="standard output")

    def test_unknown_method_gets_a_suggestion(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--method", "psf-radua",
                    says=("psf-radua", "did you mean", "psf-radau"))

    def test_unknown_method_unlike_any_lists_the_known_ones(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--method", "euler",
                    says=("euler", "known are auto, psf-radau"))

    def test_what_a_method_refuses_is_the_command_lines_mistake_or_the_models(self):
        redundant = PENDULUM.replace("- L^2}", "- L^2, again: 2*x^2 + 2*y^2 - 2*L^2}")
        self.expect(USAGE, "run", self.write(redundant), "--option", "algebraic=lu", says="algebraic=svd")
        self.expect(USAGE, "run", self.write(redundant), "--method", "peom1-radau", says="peom1")
        for simulate in ("algebraic: lu", "method: peom1-radau"):
            text = redundant.replace("t_end: 1}", "t_end: 1, " + simulate + "}")
            self.expect(MODEL, "run", self.write(text))
            self.expect(MODEL, "run", self.write(text), "--option", "newton_max=9")
        # singular values are dense, and so is the elimination of a mass matrix that is not diagonal
        self.expect(USAGE, "run", self.write(redundant), "--option", "linear_algebra=sparse", "--option",
                    "algebraic=svd")
        slider = MANUAL.parents[1] / "models" / "slider-crank" / "slider-crank.yaml"
        self.expect(USAGE, "run", slider, "--option", "linear_algebra=sparse", says="sparse")

    def test_unknown_option_gets_a_suggestion(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--option", "safty=0.8",
                    says=("safty", "did you mean", "safety"))

    def test_option_out_of_range_names_the_range(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--rtol", "-1", says="rtol")
        self.expect(USAGE, "run", self.write(PENDULUM), "--option", "singular=jump", says="stop|pass")

    def test_setting_without_a_value_is_told(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--set", "L", says="must be NAME=VALUE")
        self.expect(USAGE, "run", self.write(PENDULUM), "--option", "=1", says="must be NAME=VALUE")

    def test_setting_of_an_unknown_name_is_told(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--set", "gravv=1", says="gravv")

    def test_end_time_before_the_start_is_told(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--t-end", "-1", says=("-1", "before the start time"))

    def test_pattern_that_matches_no_column_is_told(self):
        self.expect(USAGE, "run", self.write(PENDULUM), "--only", "enrgy",
                    says=("--only enrgy matches no column", "did you mean energy"))


class Manual(CommandTest):
    def test_manual_pages_name_every_argument(self):
        for command in ("run", "check", "init", "plot"):
            page = (MANUAL / f"crank-{command}.1").read_text(encoding="utf-8").replace("\\-", "-")
            shown = self.expect(DONE, command, "--help").out.split("\nMethods")[0]
            for name in re.findall(r"^  (--?[a-z-]+)", shown, re.MULTILINE):
                if name != "--help":
                    self.assertRegex(page, re.escape(name) + r"\b", f"{name} in the manual of {command}")

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_manual_pages_format_without_warnings(self):
        for page in sorted(MANUAL.glob("*.1")):
            done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", "-z", page], capture_output=True,
                                  check=False)
            self.assertEqual(done.stderr.decode(), "", page)


main()
