"""Events of model files in the command: impacts, switched parameters, stops; results, summary, checkpoints."""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import os
import signal
import time

from command import DONE, FAILED, MODEL, CommandTest, main

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
BALL = os.path.join(MODELS, "bouncing-ball", "bouncing-ball.yaml")
STOP = os.path.join(MODELS, "pendulum-stop", "pendulum-stop.yaml")
HINGE = os.path.join(MODELS, "pendulum-stop", "pendulum-stop-mechanism.yaml")

# x = cos 2t; from t = 1 on with 4 times the stiffness
SPRING = """\
crank: equations
parameters: {k: 4, m: 1}
positions:  {x: {start: 1}}
velocities: {v: {of: x, start: 0}}
mass: [[m]]
forces: [-k*x]
invariants: {energy: m*v^2/2 + k*x^2/2}
events:
  switch: {when: t - 1, actions: {set: {k: 4*k}, message: stiffer}}
simulate: {t_end: 3, rtol: 1e-10, atol: 1e-10, points: 3}
"""
# a slider runs into a buffer on a spring, both on a rail
BUFFER = """\
crank: mechanism
dimension: 2
parameters: {e: 0.6}
bodies:
  slider: {mass: 2, inertia: 0.1, position: [0, 0], velocity: [3, 0]}
  buffer: {mass: 1, inertia: 0.1, position: [1, 0]}
joints:
  one: {type: prismatic, between: [ground, slider], at: [0, 0], axis: [1, 0]}
  two: {type: prismatic, between: [ground, buffer], at: [1, 0], axis: [1, 0]}
forces:
  spring: {type: spring, between: [buffer, ground], at: [[1, 0], [3, 0]], stiffness: 50, damping: 2}
energy: true
events:
  hit: {when: body.buffer.x - body.slider.x - 0.2, direction: falling, actions: {impact: e}}
outputs: {momentum: 2*body.slider.vx + body.buffer.vx}
simulate: {t_end: 0.68, rtol: 1e-9, atol: 1e-9, points: 20}
"""
PART = """\
crank: mechanism
dimension: 2
parameters: {load: 1, t_on: 1}
bodies: {b: {type: point, mass: 1}}
forces: {f: {type: force, body: b, force: [load, 0]}}
events: {on: {when: t - t_on, actions: {set: {load: 5*load}}}}
"""
WHOLE = """\
crank: mechanism
dimension: 2
assemblies:
  left: {use: part.yaml, parameters: {load: 2, t_on: 0.25}}
  right: {use: part.yaml, at: [1, 0], parameters: {t_on: 0.5}}
simulate: {t_end: 1, rtol: 1e-10, atol: 1e-10, points: 4}
"""


class EventsTest(CommandTest):
    def simulate(self, model, *arguments):
        """Names of columns with their values by row; what was said."""
        done = self.expect(DONE, "run", model, *arguments)
        header, rows = self.table(done.out)
        return {name: [row[i] for row in rows] for i, name in enumerate(header)}, done.err

    def at_events(self, columns):
        """Rows before and after each event: of those with equal times."""
        times = columns["time"]
        return [(i, i + 1) for i in range(len(times) - 1) if times[i] == times[i + 1]]

    def reference(self, *parts):
        with open(os.path.join(MODELS, *parts), encoding="ascii") as file:
            header, rows = self.table(file.read())
        return {name: [row[i] for row in rows] for i, name in enumerate(header)}


class Impacts(EventsTest):
    def test_a_pendulum_loses_at_a_stop_what_its_restitution_says(self):
        exact = self.reference("pendulum-stop", "reference.csv")
        for model, method in ((STOP, "psf-radau"), (HINGE, "psf-radau"), (STOP, "psf-bdf"), (STOP, "dopri8"),
                              (STOP, "ggl-radau"), (STOP, "peom1-radau")):
            found, said = self.simulate(model, "--method", method)
            events = self.at_events(found)
            self.assertEqual(len(events), 8, (model, method))
            self.assertIn("events     stop 8", said)
            for k, (before, after) in enumerate(events):
                # e^2 to rounding: the impulse does not depend on the integration
                self.assertAlmostEqual(found["kinetic"][after] / found["kinetic"][before], 0.75**2, delta=1e-11)
                # tolerances of 1e-9 bound the local error; over some hundred steps less than 1000 times that
                self.assertAlmostEqual(found["time"][before], exact["time"][k], delta=1e-6, msg=method)
                self.assertAlmostEqual(found["kinetic"][before] / exact["kinetic"][k], 1, delta=1e-6, msg=method)

    def test_a_ball_follows_the_exact_motion_between_its_impacts(self):
        exact = self.reference("bouncing-ball", "reference.csv")
        found, _ = self.simulate(BALL, "--every", "0.25")
        for t, y, v in zip(exact["time"], exact["y"], exact["v"]):
            i = found["time"].index(t)
            self.assertAlmostEqual(found["y"][i], y, delta=1e-8)
            self.assertAlmostEqual(found["v"][i], v, delta=1e-8)

    def test_ten_thousand_elastic_impacts_do_not_drift(self):
        for method in ("psf-radau", "dopri8"):
            found, said = self.simulate(BALL, "--set", "e=1", "--t-end", "10000", "--every", "1000", "--method", method)
            self.assertIn("events     floor 10000", said)
            energy = found["energy"]
            # errors of 10000 flights that each have some units of the last place of 6.25 J
            self.assertLess(max(abs(x - 6.25) for x in energy), 1e-9)
            self.assertAlmostEqual(found["y"][-1], 1.35, delta=1e-9)
            self.assertEqual(said.count("impact from"), 11)
            self.assertIn("further events are only counted", said)

    def test_impacts_without_end_are_a_failure_with_their_time(self):
        said = self.expect(FAILED, "run", BALL, "--t-end", "5", "--out", "a.csv", "--stats", "a.json").err
        self.assertRegex(said, r'stopped at t = 4\.49999[0-9]+: event "floor" accumulates at t = 4\.5')
        self.assertEqual(json.loads(self.read("a.json"))["status"], "EEVENTS")

    def test_a_slider_hits_a_buffer_and_momentum_stays(self):
        self.write(BUFFER)
        found, said = self.simulate("model.yaml")
        events = self.at_events(found)
        self.assertGreaterEqual(len(events), 2)
        lost = 0.0
        for before, after in events:
            self.assertAlmostEqual(found["momentum"][before], found["momentum"][after], delta=1e-12)
            gap = [found["body.buffer.vx"][i] - found["body.slider.vx"][i] for i in (before, after)]
            self.assertAlmostEqual(gap[1], -0.6 * gap[0], delta=1e-12)
            # of masses 2 and 1: reduced mass 2/3
            lost += (1 - 0.36) * gap[0] ** 2 / 3
        # the balance of energy closes but for what the impacts took
        part = ("kinetic", "potential", "dissipated")
        total = [sum(found["energy." + name][i] for name in part) - found["energy.supplied"][i] for i in (0, -1)]
        self.assertAlmostEqual(total[0] - total[1], lost, delta=1e-6)
        self.assertRegex(said, r"balance 9 J at the start, changed by events by -[0-9.]+, drift [0-9.]+e-")

    def test_impacts_at_one_time_are_one_system(self):
        self.write("""\
crank: equations
positions: {x: 1, y: 2}
velocities: {vx: {of: x, start: -1, fixed: true}, vy: {of: y, start: -2, fixed: true}}
mass: [[2, 0.5], [0.5, 1]]
events:
  left:  {when: x, direction: falling, actions: {impact: 0.5}}
  below: {when: y, direction: falling, actions: {impact: 0.25}}
simulate: {t_end: 2, rtol: 1e-9, atol: 1e-9, points: 1}
""")
        for method in ("psf-radau", "psf-bdf", "dopri8", "adams"):
            found, said = self.simulate("model.yaml", "--method", method)
            self.assertIn("events     left 1, below 1", said)
            for name, exact in (("x", 0.5), ("y", 0.5), ("vx", 0.5), ("vy", 0.5)):
                self.assertAlmostEqual(found[name][-1], exact, delta=1e-12, msg=method)

    def test_a_ball_comes_to_rest_if_slow_impacts_do_not_spring_back(self):
        with open(BALL, encoding="utf-8") as file:
            self.write(file.read().replace("- impact: e", "- impact: if(v < -0.05, e, 0)\n"
                                           '      - set: {grav: "if(v < -0.05, grav, 0)"}'))
        for method in ("psf-radau", "psf-bdf", "dopri8", "adams"):
            found, said = self.simulate("model.yaml", "--method", method, "--t-end", "10")
            # speeds are 5 e^n: 0.058 at the 21st impact, 0.046 at the 22nd
            self.assertIn("events     floor 22", said)
            self.assertAlmostEqual(found["y"][-1], 0.1, delta=1e-12, msg=method)
            self.assertAlmostEqual(found["v"][-1], 0, delta=1e-15, msg=method)


class Switches(EventsTest):
    def exact(self, t):
        if t <= 1:
            return math.cos(2 * t), -2 * math.sin(2 * t)
        x, v, s = math.cos(2), -2 * math.sin(2), 4 * (t - 1)
        return x * math.cos(s) + v / 4 * math.sin(s), v * math.cos(s) - 4 * x * math.sin(s)

    def test_a_parameter_switches_at_its_time(self):
        self.write(SPRING)
        for more in ((), ("--compile",), ("--method", "psf-bdf"), ("--method", "dopri8"), ("--method", "adams"),
                     ("--method", "peom1-radau"), ("--option", "accelerations=carry")):
            found, said = self.simulate("model.yaml", *more)
            self.assertIn('t = 1: event "switch": k = 16, stiffer', said)
            for t, x, v in zip(found["time"], found["x"], found["v"]):
                self.assertAlmostEqual(x, self.exact(t)[0], delta=1e-7, msg=more)
                self.assertAlmostEqual(v, self.exact(t)[1], delta=1e-6, msg=more)
            self.assertEqual(found["time"], [0, 1, 1, 2, 3])

    def test_a_mass_switches_for_every_method(self):
        """Nothing that a formulation keeps may be of the mass before. Exact: v = 4 t/10, then + 4 (t - 1)/40."""
        self.write("""\
crank: equations
parameters: {m: 2}
positions: {x: 0, y: 0}
velocities: {v: {of: x}, u: {of: y}}
mass: {diagonal: [m, m]}
forces: [4, 0]
holonomic: {slope: y - 2*x}
events: {load: {when: t - 1, actions: {set: {m: 8}}}}
simulate: {t_end: 2, rtol: 1e-8, atol: 1e-8, points: 2}
""")
        for method in ("psf-radau", "psf-bdf", "dopri8", "adams", "peom1-radau", "gmkssol", "ggl-bdf", "index1-radau",
                       "index3-bdf", "overdetermined-radau", "ude-radau", "baumgarte-bdf", "auto"):
            found, _ = self.simulate("model.yaml", "--method", method)
            self.assertAlmostEqual(found["v"][-1], 0.5, delta=1e-6, msg=method)
            self.assertAlmostEqual(found["x"][-1], 0.65, delta=1e-6, msg=method)

    def test_the_energy_is_held_at_its_value_after_the_switch(self):
        self.write(SPRING)
        _, said = self.simulate("model.yaml")
        self.assertRegex(said, r"invariants 1, drift at the end ([0-9.]+e-1[4-9]|0)\n")

    def test_each_assembly_switches_its_own_parameters(self):
        self.write(PART, "part.yaml")
        self.write(WHOLE)
        found, said = self.simulate("model.yaml")
        self.assertIn('t = 0.25: event "left.on": load = 10', said)
        self.assertIn('t = 0.5: event "right.on": load = 5', said)
        self.assertAlmostEqual(found["body.left.b.vx"][-1], 2 * 0.25 + 10 * 0.75, delta=1e-9)
        self.assertAlmostEqual(found["body.right.b.vx"][-1], 1 * 0.5 + 5 * 0.5, delta=1e-9)


class Runs(EventsTest):
    def test_a_relay_with_two_thresholds_switches_at_exact_times(self):
        self.write("""\
crank: equations
parameters: {on: 1}
positions: {x: 0}
velocities: {v: {of: x}}
mass: [[1]]
forces: [0]
dynamic: {T: {start: 0, rate: (40*on - T)/10}}
events:
  hot:  {when: T - 21, direction: rising, actions: {set: {on: 0}}}
  cold: {when: T - 19, direction: falling, actions: {set: {on: 1}}}
simulate: {t_end: 60, rtol: 1e-9, atol: 1e-9, points: 1}
""")
        # 40 (1 - exp(-t/10)) = 21, then 10 log(21/19) from one threshold to the other in both directions
        exact = [10 * math.log(40 / 19) + k * 10 * math.log(21 / 19) for k in range(53)]
        for method in ("psf-radau", "psf-bdf", "dopri8", "adams"):
            found, said = self.simulate("model.yaml", "--method", method)
            self.assertIn("events     hot 27, cold 26", said)
            times = [found["time"][before] for before, _ in self.at_events(found)]
            self.assertEqual(len(times), len(exact), method)
            # T, about 20 here, changes by about 2 in 1 s: errors of 1e-9 20 a step in some ten steps between events
            for k, t in enumerate(times):
                self.assertAlmostEqual(t, exact[k], delta=(k + 1) * 2e-7, msg=method)

    def test_what_methods_leave_of_constraints_is_no_contradiction(self):
        # turned round with all its velocities; by symmetry from 30 degrees to the horizontal and back again and again
        self.write("""\
crank: equations
parameters: {n: 0}
positions: {x: {start: 1, fixed: true}, y: 0}
velocities: {vx: {of: x}, vy: {of: y, fixed: true}}
mass: {diagonal: [2, 2]}
forces: {vy: -20}
holonomic: {length: x^2 + y^2 - 1}
events:
  turn: {when: x - 0.5, direction: falling, actions: {reset: {vx: -vx, vy: -vy}, set: {n: n + 1}}}
simulate: {t_end: 5, rtol: 1e-4, atol: 1e-4, points: 1}
""")
        for method in ("psf-radau", "ggl-bdf", "index1-bdf", "index2-radau", "index3-bdf", "ude-bdf"):
            _, said = self.simulate("model.yaml", "--method", method)
            self.assertIn("events     turn 5", said, method)

    def test_an_event_can_end_the_run(self):
        self.write(SPRING.replace("actions: {set: {k: 4*k}, message: stiffer}", "actions: [message: enough, stop]"))
        done = self.expect(DONE, "run", "model.yaml", "--out", "a.csv", "--stats", "a.json")
        self.assertIn('t = 1: event "switch": enough, stop', done.err)
        self.assertIn("events     switch 1; stopped at t = 1", done.err)
        self.assertIn("0 to 1 s of 3 s", done.err)
        self.assertEqual([row[0] for row in self.table(self.read("a.csv"))[1]], [0, 1])
        stats = json.loads(self.read("a.json"))
        self.assertEqual((stats["status"], stats["t_reached"], stats["events"]), ("OK", 1, 1))

    def test_an_event_without_actions_is_noted(self):
        self.write(SPRING.replace("{when: t - 1, actions: {set: {k: 4*k}, message: stiffer}}",
                                  "{when: v, direction: rising}"))
        found, said = self.simulate("model.yaml", "--points", "1")
        self.assertEqual(len(found["time"]), 3)
        self.assertAlmostEqual(found["time"][1], math.pi / 2, delta=1e-9)
        self.assertRegex(said, r't = 1\.57079632[0-9]: event "switch"\n')

    def test_check_lists_events_with_their_values_at_the_start(self):
        done = self.expect(DONE, "check", BALL)
        self.assertRegex(done.out, r"events +floor \(falling\): 1\.25 at the start\n")

    def test_results_with_two_rows_at_one_time_can_be_read_plotted_and_converted(self):
        for ending in ("csv", "h5", "mat"):
            name = "a." + ending
            self.expect(DONE, "run", BALL, "--out", name)
            self.expect(DONE, "plot", name, "y", "v", "-o", ending + ".svg")
            self.expect(DONE, "convert", name, ending + "_copy.csv")
            self.assertEqual(self.read(ending + "_copy.csv"), self.read("a.csv"))

    def test_methods_are_compared_on_a_model_with_events(self):
        done = self.expect(DONE, "compare", BALL, "--tols", "1e-6", "--methods", "psf-radau,psf-bdf,dopri8")
        self.assertIn("2 columns compared", done.out)
        self.expect(DONE, "run", BALL, "--out", "a.csv")
        self.expect(DONE, "compare", BALL, "--tols", "1e-6", "--methods", "psf-radau", "--reference", "a.csv")

    def test_a_comparison_says_that_an_event_ends_the_run(self):
        self.write(SPRING.replace("{set: {k: 4*k}, message: stiffer}", "stop"))
        done = self.call("compare", "model.yaml", "--tols", "1e-6", "--methods", "psf-radau")
        self.assertNotEqual(done.code, DONE)
        self.assertIn('event "switch": stop ends the run at t = 1; compare with --t-end before it', done.out + done.err)

    def test_a_contradiction_names_the_event(self):
        self.write(SPRING.replace("positions:  {x: {start: 1}}", "positions: {x: {start: 1}, y: {start: 1}}")
                   .replace("velocities: {v: {of: x, start: 0}}", "velocities: {v: {of: x}, u: {of: y}}")
                   .replace("mass: [[m]]", "mass: {diagonal: [m, m]}").replace("forces: [-k*x]", "forces: [-k*x, 0]")
                   .replace("invariants: {energy: m*v^2/2 + k*x^2/2}", "holonomic: {same: x - y}")
                   .replace("{set: {k: 4*k}, message: stiffer}", "{reset: {v: 1, u: 2}}"))
        self.expect(FAILED, "run", "model.yaml", says=[
            'stopped at t = 1: event "switch" at t = 1: constraints, or other prescriptions, do not let'])

    def test_a_mistake_is_refused_with_its_place(self):
        self.write(SPRING.replace("set: {k: 4*k}", "set: {kk: 4*k}"))
        self.expect(MODEL, "run", "model.yaml",
                    says=['model.yaml:9:41: event "switch", set: "kk" is no parameter; did you mean "k"?'])


class Resumed(EventsTest):
    """Switched parameters, held invariants and the functions' signs are part of a checkpoint."""

    MODEL = SPRING.replace("switch: {when: t - 1, actions: {set: {k: 4*k}, message: stiffer}}",
                           "wall: {when: x + 0.5, actions: {impact: 1}}\n"
                           "  turn: {when: v, direction: falling, actions: {set: {k: 20 - k}}}")

    def check(self, model, *more):
        self.write(model)
        arguments = ("run", "model.yaml", "--t-end", "3000", "--every", "0.5", *more)
        self.expect(DONE, *arguments, "--out", "whole.csv", "--stats", "whole.json")
        process = self.start(*arguments, "--out", "a.csv", "--stats", "a.json", "--checkpoint", "a.checkpoint",
                             "--checkpoint-every", "0.01")
        end = time.monotonic() + 30
        while time.monotonic() < end and process.poll() is None:
            if os.path.exists(self.path("a.checkpoint")) and os.path.getsize(self.path("a.csv")) > 20000:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("the run was over before it could be stopped")
        done = self.expect(DONE, "resume", "a.checkpoint")
        self.assertEqual(self.read("a.csv"), self.read("whole.csv"))
        found, expected = json.loads(self.read("a.json")), json.loads(self.read("whole.json"))
        self.assertEqual(found["events"], expected["events"])
        return done.err

    def test_equations_go_on_bit_for_bit(self):
        self.assertRegex(self.check(self.MODEL), r"events     wall [0-9]+, turn [0-9]+\n")

    def test_a_mechanism_goes_on_bit_for_bit(self):
        self.check("""\
crank: mechanism
dimension: 2
gravity: [0, -10]
parameters: {push: 1}
bodies: {b: {type: point, mass: 1, position: [0, 1]}}
forces: {f: {type: force, body: b, force: [push, 0]}}
events:
  floor: {when: body.b.y, direction: falling, actions: [impact: 1, set: {push: -push}]}
simulate: {t_end: 3, rtol: 1e-8, atol: 1e-8}
""")


class Switched(CommandTest):
    def test_frequent_event_does_not_hide_a_rare_one(self):
        self.write("crank: mechanism\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1, rate: 1}}\njoints: {j: {type: revolute, between: [ground, a], at: [0, 0]}}\n"
                   "events:\n  often: {when: sin(20*t), actions: {message: tick}}\n  rare: {when: t - 4.55, actions: {message: there it is}}\n"
                   "simulate: {t_end: 5}\n")
        said = self.expect(DONE, "run", "model.yaml", "-o", "r.csv").err
        self.assertEqual((said.count("tick"), said.count("there it is")), (11, 1))

    def test_event_that_switches_a_constraint_is_named(self):
        text = ("crank: mechanism\ndimension: 2\nparameters: {press: %s}\nbodies:\n  a: {mass: 1, inertia: 1, position: [0, 0], rate: 3}\n"
                "  b: {mass: 1, inertia: 2, position: [0, 0], rate: 3}\njoints:\n  of_a: {type: revolute, between: [ground, a], at: [0, 0]}\n"
                "  of_b: {type: revolute, between: [ground, b], at: [0, 0]}\nnonholonomic: {dog: press*(body.a.rate - body.b.rate)}\n"
                "events:\n  other: {when: t - 0.2, actions: {message: no}}\n  jaw: {when: t - 0.5, actions: {set: {press: %s}}}\nsimulate: {t_end: 1}\n")
        for before, after in ("1", "0"), ("0", "1"):
            self.write(text % (before, after))
            self.expect(FAILED, "run", "model.yaml", "-o", "r.csv", says='by event "jaw": events may not switch constraints on or off')


if __name__ == "__main__":
    main()
