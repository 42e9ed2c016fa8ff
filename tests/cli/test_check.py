"""crank check and crank init: what they say of good, redundant and contradictory models."""
# SPDX-License-Identifier: BSD-3-Clause
from command import DONE, MODEL, PENDULUM, CommandTest, main

REDUNDANT = PENDULUM.replace("{length: x^2 + y^2 - L^2}",
                             "{length: x^2 + y^2 - L^2, again: 2*x^2 + 2*y^2 - 2*L^2}")


class Check(CommandTest):
    def check(self, text, code=DONE):
        return self.expect(code, "check", self.write(text))

    def test_pendulum_is_fine(self):
        out = self.check(PENDULUM).out
        for text in ("2 positions, 2 velocities, 1 holonomic constraint", "1 degree of freedom",
                     "differentiation index 3", "consistent", "unique", "agree with differences",
                     "mass matrix regular: yes"):
            self.assertIn(text, out)
        self.assertRegex(out, r"verdict +fine")

    def test_redundant_constraint_is_named_and_is_no_error(self):
        out = self.check(REDUNDANT).out
        self.assertRegex(out, r'redundant +holonomic "(again|length)", follows from other constraints, above all from holonomic "(length|again)"')
        self.assertIn("not unique: lambda.length, lambda.again", out)
        self.assertIn("1 degree of freedom", out)

    def test_contradiction_exits_3(self):
        text = REDUNDANT.replace("2*L^2}", "3*L^2}")
        self.check(text, MODEL)

    def test_open_motion_exits_3(self):
        text = PENDULUM.replace("mass: [[m, 0], [0, m]]", "mass: [[0, 0], [0, 0]]")
        result = self.check(text, MODEL)
        self.assertIn("model.yaml:5:1: mass: singular at the start", result.err)
        self.assertRegex(result.out, r"verdict +the motion is not determined")

    def test_inconsistent_start_is_told(self):
        result = self.expect(DONE, "check", self.write(PENDULUM), "--set", "x=1.01")
        self.assertIn("not consistent", result.out)
        self.assertIn("x moved most", result.out)

    def test_unused_definition_is_told(self):
        out = self.check(PENDULUM.replace("{m: 1,", "{m: 1, spare: 3,")).out
        self.assertRegex(out, r"unused +.*spare")

    def test_invariant_is_listed(self):
        out = self.check(PENDULUM.replace("outputs:", "invariants:")).out
        self.assertRegex(out, r"invariants +.*energy")

    def test_nonholonomic_constraint_is_counted(self):
        text = PENDULUM.replace("holonomic: {length: x^2 + y^2 - L^2}",
                                "nonholonomic: {straight: vx - vy}")
        out = self.expect(DONE, "check", self.write(text), "--set", "x=0").out
        self.assertIn("differentiation index 2", out)
        self.assertIn("1 derivative of nonholonomic", out)

    def test_wrong_model_exits_3_with_its_place(self):
        self.expect(MODEL, "check", self.write(PENDULUM.replace("y^2 -", "q^2 -")), says="model.yaml:7:")


class Init(CommandTest):
    def test_consistent_values_stay(self):
        result = self.expect(DONE, "init", self.write(PENDULUM))
        for line in result.out.splitlines():
            self.assertFalse(line.startswith(("x ", "y ", "vx ", "vy ")), line)

    def test_rough_values_move_by_the_smallest_change(self):
        result = self.expect(DONE, "init", self.write(PENDULUM), "--set", "x=1.5", "--set", "y=0")
        line = [line.split() for line in result.out.splitlines() if line.startswith("x ")][0]
        self.assertEqual(line[:3], ["x", "preferred", "1.5"])
        self.assertAlmostEqual(float(line[3]), 1.0, delta=1e-12)
        self.assertAlmostEqual(float(line[4]), -0.5, delta=1e-4)

    def test_all_lists_everything(self):
        out = self.expect(DONE, "init", self.write(PENDULUM), "--all").out
        self.assertEqual([line.split()[0] for line in out.splitlines()[1:]],
                         ["lambda.length", "vx", "vy", "x", "y"])

    def test_contradictory_fixed_values_exit_3(self):
        text = PENDULUM.replace("{x: {start: 1}, y: {start: 0}}",
                                "{x: {start: 1, fixed: true}, y: {start: 1, fixed: true}}")
        self.expect(MODEL, "init", self.write(text), says=("model.yaml:3:14:", "fixed start values of x and y"))

    def constraint(self, text):
        """One free position and one constraint on it."""
        return self.write("crank: equations\npositions: {x: {start: 1, free: true}}\n"
                          f"velocities: {{vx: {{of: x}}}}\nmass: [[1]]\nforces: [0]\nholonomic: {{a: {text}}}\n")

    def test_free_value_far_from_the_constraint_is_not_called_consistent(self):
        name = self.constraint("atan(x) + 0.0001*x - 3")
        self.expect(DONE, "init", name, says="the given values are not consistent")
        self.assertIn("not consistent", self.expect(DONE, "check", name).out)

    def test_multipliers_alone_do_not_make_values_inconsistent(self):
        self.expect(DONE, "init", self.write(PENDULUM.replace("start: 1}, y: {start: 0", "start: 0}, y: {start: -1")),
                    says="the given values are consistent")

    def test_root_at_infinity_is_no_root(self):
        for text in ("exp(x)", "1/x", "exp(-x^2)", "1/(1 + x^2)"):
            self.expect(MODEL, "init", self.constraint(text),
                        says=("model.yaml:6:13: no consistent initial values", 'holonomic "a"', "x runs away"))

    def test_multiple_root_is_a_root(self):
        # the residual 1e-12 is reached at a distance of its third root
        out = self.expect(DONE, "init", self.constraint("(x - 0.25)^3")).out
        self.assertAlmostEqual(float(out.splitlines()[-1].split()[3]), 0.25, delta=1e-3)


main()
