"""--method auto as a user meets it: it runs wherever one of its parts does, and stops where both do."""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import re

from command import DONE, FAILED, CommandTest, main

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = [os.path.join(HERE, "auto", name) for name in ("rest.yaml", "held-disc.yaml", "cam-at-rest.yaml")]
MODELS = os.path.join(HERE, "..", "..", "models")
PARTS = ("psf-radau", "ode-dopri8")


def freedoms(result):
    return re.findall(r"(-?\d+) degrees? of freedom", result.err)


class Auto(CommandTest):
    def positions(self, case, method):
        """Rows of what moves."""
        self.expect(DONE, "run", case, "--method", method, "--out", "o.csv")
        names, rows = self.table(self.read("o.csv"))
        self.assertEqual(len(rows), 201)
        kept = [i for i, name in enumerate(names) if name.startswith("body.")]
        self.assertGreater(len(kept), 3, names)
        return [[row[i] for i in kept] for row in rows]

    def test_it_runs_where_psf_radau_does_and_goes_the_same_way(self):
        """All three are at rest: whatever the method, nothing moves by more than rounding of lengths about 1."""
        for case in CASES:
            with self.subTest(case=case):
                auto, radau = (self.positions(case, method) for method in ("auto", "psf-radau"))
                for row, other in zip(auto, radau):
                    for value, wanted in zip(row, other):
                        self.assertAlmostEqual(value, wanted, delta=1e-12)

    def test_the_first_changes_are_told_and_all_are_counted(self):
        """A damper that is stiff for half of each period."""
        self.write("crank: equations\npositions: {x: 1, y: 0.5}\nvelocities: {vx: {of: x}, vy: {of: y}}\n"
                   "mass: [[1, 0], [0, 1]]\nlet: {c: 'if(sin(t) > 0, 0, 1e6)'}\n"
                   "forces: ['-100*x + 10*y - c*vx', '-150*y - 5*y^3']\nsimulate: {t_end: 200}\n")
        said = self.expect(DONE, "run", "model.yaml", "--out", "o.csv", "--stats", "o.json").err
        changes = json.loads(self.read("o.json"))["method_changes"]
        self.assertGreater(changes, 3)
        self.assertEqual(said.count("auto: "), 3)
        self.assertIn(f"; method changed {changes} times", said)

    def test_it_says_when_a_part_is_replaced_and_why(self):
        for case in CASES:
            alone = self.call("run", case, "--method", "ode-dopri8", "--out", "o.csv")
            result = self.expect(DONE, "run", case, "--method", "auto", "--out", "o.csv")
            self.assertEqual("ode-dopri8 cannot go on: " in result.err, alone.code == FAILED, result.err)

    def test_redundant_rows_that_are_kept_too_long_do_not_look_stiff(self):
        """Four of Bricard's five closing rows are independent; which ones changes on the way, at a quarter turn of P1."""
        path = os.path.join(MODELS, "bricard", "bricard.yaml")
        for tol in ("1e-4", "1e-6"):
            self.expect(DONE, "run", path, "--coordinates", "joint", "--rtol", tol, "--atol", tol, "--points", "1",
                        "--out", "o.csv", "--stats", "o.json")
            found = json.loads(self.read("o.json"))
            self.assertEqual(found["method_changes"], 0)
            self.assertLess(found["steps"], 50)

    def test_it_stops_at_a_singular_point_where_its_parts_stop(self):
        """x = exp(t)/2 reaches 1, where the equation says nothing, at t = ln 2."""
        path = os.path.join(MODELS, "varying-rank", "singular-point.yaml")
        for method in ("auto",) + PARTS:
            with self.subTest(method=method):
                result = self.expect(FAILED, "run", path, "--method", method, "--out", "o.csv",
                                     says=["singular point", "stopped at t = 0.693"])
                _, rows = self.table(self.read("o.csv"))
                self.assertLess(rows[-1][1], 1.0 + 1e-9)
                self.assertNotIn("passed", result.err)

    def test_accurate_steps_that_are_long_are_not_taken_for_bounded_by_stability(self):
        """At loose tolerances half of the rolling disc's steps look as if stability may bound them: one attempt of Radau, of at most
        10 iterations, shows that it does not, and the steps are those of the explicit method."""
        path = os.path.join(MODELS, "rolling-disc", "rolling-disc.yaml")
        for tolerance in ("1e-3", "1e-4"):
            found = []
            for method in ("auto", "ode-dopri8"):
                self.expect(DONE, "run", path, "--method", method, "--rtol", tolerance, "--atol", tolerance, "--out", "o.csv",
                            "--stats", "o.json")
                found.append((json.loads(self.read("o.json")), self.read("o.csv")))
            (auto, rows), (explicit, wanted) = found
            self.assertEqual(auto["steps"], explicit["steps"])
            self.assertEqual([row[1:4] for row in self.table(rows)[1]], [row[1:4] for row in self.table(wanted)[1]])
            self.assertGreater(auto["newton_iterations"], 0)
            self.assertLessEqual(auto["newton_iterations"], 10)

    def test_steps_that_stability_bounds_now_and_then_are_left_to_radau(self):
        """The quarter car on its tyre: steps are those of Radau once it is tried, be it in a trial that the run does not end."""
        path = os.path.join(MODELS, "quarter-car", "quarter-car.yaml")
        for tolerance in ("1e-4", "1e-5"):
            self.expect(DONE, "run", path, "--rtol", tolerance, "--atol", tolerance, "--out", "o.csv", "--t-end", 8, "--steps")
            names, rows = self.table(self.read("o.csv"))
            newton = [float(row[names.index("step.newton")]) for row in rows if float(row[0]) > 2.0]
            self.assertGreater(len(newton), 8)
            self.assertGreater(min(newton), 0)

    def test_it_counts_degrees_of_freedom_as_its_parts_do(self):
        models = [os.path.join(MODELS, name, name + ".yaml") for name in
                  ("slider-crank", "double-pendulum", "rolling-disc", "door-two-hinges", "iftomm-pendulum")]
        for path in CASES + models:
            with self.subTest(path=path):
                counts = [freedoms(self.call("run", path, "--method", method, "--t-end", "0.01", "--out", "o.csv"))
                          for method in ("auto", "psf-radau")]
                self.assertEqual(len(counts[0]), 1)
                self.assertEqual(counts[0], counts[1])


if __name__ == "__main__":
    main()
