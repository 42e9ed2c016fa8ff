"""The corrector of ggl-bdf: ways to get its Jacobian and rules for renewing it."""
# SPDX-License-Identifier: BSD-3-Clause
import itertools
import json
import pathlib

from command import DONE, MODEL, USAGE, CommandTest, main

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
CHAIN = (MODELS / "driven-chain/driven-chain.yaml").read_text()
AXLE = (MODELS / "rear-axle/multi-link.yaml").read_text()
FORMALISMS = ("explicit", "residual")
SOURCES = ("analytic", "dense", "grouped", "estimated")

# two sledges between springs and dampers, pushed
LINEAR = """\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, inertia: 1, position: [1, 0]}
  b: {mass: 2, inertia: 1, position: [2, 0]}
joints:
  ja: {type: prismatic, between: [ground, a], at: [1, 0], axis: [1, 0]}
  jb: {type: prismatic, between: [a, b], at: [2, 0], axis: [1, 0]}
forces:
  sa: {type: spring, between: [ground, a], at: [[0, 0], [1, 0]], stiffness: 1000, damping: 5}
  sb: {type: spring, between: [a, b], at: [[1, 0], [2, 0]], stiffness: 2000, damping: 1}
  push: {type: force, body: b, force: [100*sin(3*t), 0]}
simulate: {t_end: 5, rtol: 1e-6, atol: 1e-8}
"""

# a sledge that runs into another one, both of them on slides of their own
LATER = """\
crank: mechanism
dimension: 2
bodies:
  a: {mass: 1, inertia: 1, position: [0, 0], velocity: [1, 0]}
  b: {mass: 2, inertia: 1, position: [2, 0]}
joints:
  ja: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}
  jb: {type: prismatic, between: [ground, b], at: [2, 0], axis: [1, 0]}
forces:
  bumper: {type: spring, between: [a, b], at: [[0, 0], [2, 0]], law: "if(length < 1, 1e5*(length - 1) + 300*rate, 0)"}
  ease: {type: spring, between: [ground, b], at: [[3, 0], [2, 0]], stiffness: 10, damping: 1}
simulate: {t_end: 3, rtol: 1e-6, atol: 1e-8}
"""

# a crank turned by a drive, with the loop closed by a slider
LOOP = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
energy: true
bodies:
  crank: {mass: 1, inertia: 0.1, position: [0.25, 0]}
  rod: {mass: 1, inertia: 0.2, position: [1, 0]}
  slider: {mass: 1, inertia: 1, position: [1.5, 0]}
joints:
  motor: {type: revolute, between: [ground, crank], at: [0, 0], drive: 2*t}
  knee: {type: revolute, between: [crank, rod], at: [0.5, 0]}
  pin: {type: revolute, between: [rod, slider], at: [1.5, 0]}
  guide: {type: prismatic, between: [ground, slider], at: [1.5, 0], axis: [1, 0]}
forces:
  s: {type: spring, between: [ground, slider], at: [[3, 0], [1.5, 0]], stiffness: 50, damping: 1}
simulate: {t_end: 3, rtol: 1e-6, atol: 1e-8}
"""


# a four-bar whose rod has no mass, in millimetres and milliseconds: multipliers of some ten, positions of a thousand
MILLIMETRES = """\
crank: mechanism
dimension: 2
gravity: [0, -0.00981]
bodies:
  crank: {mass: 2000, inertia: 2e8, position: [-500, 0], angle: 0.5, velocity: [-1.5, 0], rate: 0.001}
  rod: {position: [500, 0]}
  rocker: {mass: 1000, inertia: 1e8, position: [500, 1000], velocity: [1.5, -0.75], rate: 0.001}
joints:
  a: {type: revolute, between: [ground, crank], at: [-250, 0]}
  b: {type: revolute, between: [crank, rod], at: [-500, 0]}
  c: {type: revolute, between: [rod, rocker], at: [500, 1000]}
  d: {type: revolute, between: [ground, rocker], at: [250, 500]}
simulate: {t_end: 500}
"""

# a slide of length zero, closed through points a metre away: in millimetres rows g have the rounding of 1000, the slide a
# tolerance of its own size
FAR = """\
crank: mechanism
gravity: [0, 0, -9810]
bodies:
  sledge: {mass: 1.6, inertia: [43e3, 28e3, 33e3], position: [-312, 15, -196], velocity: [303, -833, 92]}
  load: {mass: 0.6, inertia: [23e3, 47e3, 37e3], position: [-249, -255, -747], orientation: {axis: [0.04, 0.3, 0], angle: 0.155}}
  arm: {mass: 0.7, inertia: [38e3, 35e3, 38e3], position: [-957, -796, 491], orientation: {axis: [-0.9, -0.5, 0.5], angle: 0.057}}
joints:
  slide: {type: prismatic, between: [ground, sledge], at: [262, 67, -368], axis: [-0.303, 0.833, -0.092]}
  weld: {type: fixed, between: [sledge, load], at: [-188, -116, -823], tree: cut}
  hinge: {type: revolute, between: [sledge, arm], at: [-363, -243, -111], axis: [-0.939, -0.074, -0.509]}
  rod: {type: distance, between: [ground, load], at: [[45, -232, 371], [-521, -562, -980]]}
simulate: {t_end: 0.5}
"""

# a drive whose effort is no unknown where drives are inputs, read by an output and an event
PUSHED = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  rail: {mass: 1, inertia: 1, position: [2, 0]}
  a: {mass: 1, inertia: 0, position: [2, -1]}
joints:
  slide: {type: prismatic, between: [ground, rail], at: [2, 0], axis: [1, 0], drive: 0.3*sin(2*t)}
  pin: {type: revolute, between: [rail, a], at: [2, 0]}
outputs: {push: joint.slide.effort}
events: {hard: {when: joint.slide.effort - 1, actions: stop}}
simulate: {t_end: 5}
"""


class Corrector(CommandTest):
    def run_with(self, text, *arguments, name="model.yaml", **options):
        """Rows by column and counters of a run."""
        command = ["run", self.write(text, name), "--coordinates", "joint", "--method", "ggl-bdf", "--out", "a.csv",
                   "--stats", "a.json", "--quiet"]
        for option, value in options.items():
            command += ["--option", f"{option}={value}"]
        self.expect(DONE, *command, *arguments)
        names, rows = self.table(self.read("a.csv"))
        return dict(zip(names, zip(*rows))), json.loads(self.read("a.json"))

    def test_a_linear_model_takes_one_jacobian(self):
        for formalism, source in itertools.product(FORMALISMS, SOURCES):
            _, found = self.run_with(LINEAR, formalism=formalism, derivatives=source, jacobian="partitioned")
            self.assertEqual(found["jacobians"], 1, (formalism, source))
            self.assertGreater(found["jacobian_updates"], 3)
        _, full = self.run_with(LINEAR, derivatives="dense", jacobian="full")
        self.assertGreater(full["jacobians"], 5)
        self.assertEqual(full["jacobian_updates"], 0)

    def test_the_chain_takes_few_jacobians_with_the_extended_update(self):
        """The paper: 43 differenced Jacobians, and 6 with the update (26)."""
        _, full = self.run_with(CHAIN, derivatives="dense", jacobian="full", formalism="explicit")
        self.assertGreaterEqual(full["jacobians"], 20)
        self.assertEqual(full["matrix_entries"], 34 ** 2)  # 2 n_p: seventeen angles
        for source in SOURCES:
            _, found = self.run_with(CHAIN, derivatives=source, jacobian="extended")
            self.assertLessEqual(found["jacobians"], 7, source)
            self.assertGreater(found["jacobian_updates"], 0)

    def test_a_stamp_that_turns_stiff_links_needs_the_extended_update(self):
        """[AFF06, 3.3]: (24) alone is not successful, with (26) a third of the Jacobians will do. Over three tolerances, for
        rounding alone changes each count by a third."""
        for source in ("analytic", "dense", "grouped"):
            count = dict.fromkeys(("full", "partitioned", "extended"), 0)
            for rule, tolerance in itertools.product(count, (2e-4, 1e-4, 5e-5)):
                _, found = self.run_with(AXLE, "--rtol", str(tolerance), "--atol", str(tolerance), formalism="explicit",
                                         derivatives=source, jacobian=rule)
                count[rule] += found["jacobians"]
            self.assertGreater(3 * count["partitioned"], count["full"], (source, count))
            self.assertLessEqual(3 * count["extended"], min(count["full"], count["partitioned"]), (source, count))

    def test_all_ways_lead_to_the_same_motion(self):
        """To 1000 tolerances, as other methods in tests of models."""
        for text, end, columns in ((LINEAR, 5, ("body.a.x", "body.b.x")), (LOOP, 3, ("body.rod.angle", "body.slider.x"))):
            right, _ = self.run_with(text, rtol=1e-10, atol=1e-10)
            for formalism, source, rule in itertools.product(FORMALISMS, SOURCES, ("auto", "full", "partitioned", "extended")):
                if (formalism, rule) == ("residual", "extended"):
                    continue
                found, counters = self.run_with(text, formalism=formalism, derivatives=source, jacobian=rule)
                self.assertEqual(found["time"][-1], end)
                for column in columns:
                    self.assertAlmostEqual(found[column][-1], right[column][-1], delta=1e-3, msg=(formalism, source, rule))
                self.assertLess(counters["max_push"], 1e-5)  # metres and radians

    def test_drives_and_their_work_are_those_of_other_methods(self):
        right, _ = self.run_with(LOOP, rtol=1e-9, atol=1e-9)
        found, _ = self.run_with(LOOP, formalism="residual", rtol=1e-8, atol=1e-8)
        for column in ("energy.supplied", "energy.kinetic", "lambda.motor.drive of angle"):
            if column in right:
                size = max(map(abs, right[column]))
                for a, b in zip(found[column], right[column]):
                    self.assertAlmostEqual(a, b, delta=1e-5 * size, msg=column)

    def test_events_and_rows_know_efforts_of_drives_that_are_inputs(self):
        """Between steps, where rows are made by a step, and at their ends they were zero; events on them were looked for without end."""
        right, _ = self.run_with(PUSHED, "--method", "psf-radau", "--rtol", "1e-10", "--atol", "1e-10", "--points", 7)
        for formalism, rule in (("residual", "partitioned"), ("explicit", "extended")):
            found, _ = self.run_with(PUSHED, "--rtol", "1e-8", "--atol", "1e-8", "--points", 7, formalism=formalism, jacobian=rule)
            self.assertAlmostEqual(found["time"][-1], right["time"][-1], delta=1e-5)
            self.assertEqual(len(found["push"]), len(right["push"]))
            for a, b in zip(found["push"], right["push"]):
                self.assertAlmostEqual(a, b, delta=1e-4)  # 1000 tolerances of ten newtons

    def test_a_force_that_becomes_active_later_makes_the_pattern_grow(self):
        right, _ = self.run_with(LATER, derivatives="analytic", jacobian="full")
        for formalism, rule in itertools.product(FORMALISMS, ("full", "partitioned")):
            found, counters = self.run_with(LATER, formalism=formalism, derivatives="estimated", jacobian=rule)
            self.assertEqual(counters["pattern_updates"], 2, (formalism, rule))  # the start's, and one more
            self.assertEqual(found["time"][-1], 3)
            for column in ("body.a.x", "body.b.x"):
                self.assertAlmostEqual(found[column][-1], right[column][-1], delta=1e-3)

    def test_multipliers_of_index_2_do_not_keep_the_order_at_one(self):
        """psf-bdf, whose multipliers are of index 1, takes steps of the same formulas; order 1 takes 30 to 400 times as many."""
        for tolerance in ("1e-6", "1e-8"):
            at = ("--rtol", tolerance, "--atol", tolerance)
            _, psf = self.run_with(MILLIMETRES, *at, "--method", "psf-bdf")
            for method in ("ggl-bdf", "index2-bdf"):
                found, counters = self.run_with(MILLIMETRES, *at, "--method", method)
                self.assertEqual(found["time"][-1], 500)
                self.assertLess(counters["steps"], 10 * psf["steps"], (method, *at))

    def test_rounding_of_rows_is_no_failure_of_the_iteration(self):
        right, _ = self.run_with(FAR, "--coordinates", "absolute", "--method", "psf-radau", "--rtol", "1e-11", "--atol", "1e-11")
        found, counters = self.run_with(FAR, "--rtol", "1e-9", "--atol", "1e-9")
        self.assertEqual((found["time"][-1], counters["rejected_convergence"]), (0.5, 0))
        for column in ("body.sledge.y", "body.arm.z"):
            self.assertAlmostEqual(found[column][-1], right[column][-1], delta=1e-6 * 1000)  # 1000 tolerances of a metre

    def test_differences_count_as_in_the_paper(self):
        """n_y + 1 function calls a dense Jacobian, n_k + 1 a grouped one, but for the columns of eta."""
        for source in ("dense", "grouped"):
            _, found = self.run_with(LOOP, formalism="residual", derivatives=source, jacobian="full")
            self.assertEqual(found["difference_evaluations"], found["jacobians"] * (found["matrix_groups"] + 1))
        _, found = self.run_with(LOOP, formalism="residual", derivatives="analytic", jacobian="full")
        self.assertEqual(found["difference_evaluations"], 0)

    def test_the_same_motion_in_millimetres_takes_the_same_steps(self):
        small = CHAIN.replace("9.81", "9810").replace("L: 1,", "L: 1000,").replace("x: 2,", "x: 2000,").replace(
            "reach: 0.3", "reach: 300").replace("lift: 0.2", "lift: 200").replace("2*pi*0.05", "0.05")
        for source in ("dense", "estimated"):
            _, metres = self.run_with(CHAIN.replace("2*pi*0.05", "0.05"), derivatives=source, jacobian="extended")
            _, other = self.run_with(small, derivatives=source, jacobian="extended")
            for counter in ("steps", "evaluations", "jacobians", "jacobian_updates", "matrix_entries", "matrix_groups"):
                self.assertEqual(metres[counter], other[counter], (source, counter))

    def test_what_a_step_renewed_is_a_column(self):
        found, counters = self.run_with(CHAIN, "--steps", "--t-end", 20, derivatives="dense", jacobian="partitioned")
        self.assertEqual(found["step.jacobian"].count(1), counters["jacobian_updates"])
        self.assertLessEqual(found["step.jacobian"].count(2), counters["jacobians"])

    def test_patterns_and_groups_are_written_and_drawn(self):
        _, counters = self.run_with(LOOP, "--pattern", "p.csv", derivatives="grouped", jacobian="partitioned")
        names, rows = self.table(self.read("p.csv"))
        self.assertEqual(names, ["row", "column", "group"])
        self.assertEqual(len(rows), counters["matrix_entries"])
        self.assertEqual(max(row[2] for row in rows), counters["matrix_groups"])
        for group in range(1, counters["matrix_groups"] + 1):  # columns of a group share no row, but those of F_y'
            columns = {row[1] for row in rows if row[2] == group}
            self.assertGreaterEqual(len(columns), 1)
        self.expect(DONE, "plot", "p.csv", "--pattern", "-o", "p.svg")
        self.assertIn("by groups", self.read("p.svg"))
        self.expect(USAGE, "plot", "a.csv", "--pattern", "-o", "p.svg", says=["no column row", "crank run --pattern"])

    def test_a_limit_on_steps_of_one_jacobian(self):
        _, found = self.run_with(LINEAR, derivatives="dense", jacobian="partitioned", jacobian_steps=5)
        self.assertGreaterEqual(found["jacobians"], found["steps"] // 5)

    def test_what_does_not_go_together_is_refused_by_name(self):
        model = self.write(LOOP)
        self.expect(USAGE, "run", model, "--method", "ggl-bdf", "--option", "jacobian=extended", "--option",
                    "formalism=residual", says=["jacobian=extended", "formalism=explicit"])
        self.expect(USAGE, "run", model, "--method", "psf-bdf", "--option", "jacobian=full", says=["jacobian", "ggl"])
        self.expect(USAGE, "run", model, "--method", "ggl-radau", "--option", "derivatives=dense", says=["derivatives", "bdf"])

    def test_bodies_without_inertia_have_the_residual_formalism_alone(self):
        model = self.write(MILLIMETRES)
        for coordinates, what in (("joint", 'body "rod" has no inertia along its joint'), ("absolute", "the mass matrix is singular")):
            for option, instead in (("formalism=explicit", "use formalism=residual"), ("jacobian=extended", "use jacobian=partitioned")):
                self.expect(USAGE, "run", model, "--coordinates", coordinates, "--method", "ggl-bdf", "--option", option,
                            says=[option, what, instead])
            found, _ = self.run_with(MILLIMETRES, "--coordinates", coordinates, formalism="residual", jacobian="partitioned")
            self.assertEqual(found["time"][-1], 500)

    def test_absolute_coordinates_have_both_formalisms_too(self):
        right, _ = self.run_with(LOOP, rtol=1e-9, atol=1e-9)
        for formalism in FORMALISMS:
            found, _ = self.run_with(LOOP, "--coordinates", "absolute", formalism=formalism, derivatives="grouped",
                                     jacobian="partitioned")
            self.assertAlmostEqual(found["body.slider.x"][-1], right["body.slider.x"][-1], delta=1e-3)


if __name__ == "__main__":
    main()
