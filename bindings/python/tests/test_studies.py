# Equilibria, linearised motions, rollouts and sweeps from Python: the numbers of the command, and of one run after the other.
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import signal
import subprocess
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("numpy is not installed (Debian: python3-numpy)")

import crankmbs

ROOT = Path(__file__).resolve().parents[3]
COMMAND = os.environ.get("CRANK", str(ROOT / "build" / "crank"))
CAR = ROOT / "models" / "quarter-car" / "quarter-car.yaml"
SWING = """
crank: equations
parameters: {m: 1, L: 1, grav: 9.81}
positions:  {x: {start: 0.6}, y: {start: -0.8}}
velocities: {vx: {of: x}, vy: {of: y}}
mass:       {diagonal: [m, m]}
forces:     [0, -m*grav]
holonomic:  {length: x^2 + y^2 - L^2}
simulate:   {t_end: 2, rtol: 1e-8, atol: 1e-8}
"""


def command(*arguments):
    subprocess.run([COMMAND, *map(str, arguments), "--quiet"], check=True, capture_output=True)


class Points(unittest.TestCase):
    def test_an_equilibrium_is_that_of_the_command(self):
        rest = crankmbs.Model(CAR).equilibrium()
        self.assertEqual((rest.stability, rest.freedom, rest.free), ("stable", 2, []))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rest.csv"
            command("equilibrium", CAR, "-o", path)
            theirs = crankmbs.read(path)
            for name in rest.columns:
                self.assertLess(abs(rest[name] - theirs[name][0]), 1e-9 * (1 + abs(rest[name])), name)
        # by hand: the tyre carries both, the spring the body
        p = crankmbs.Model(CAR).parameters
        self.assertLess(abs(rest["body.body.y"] - rest["body.wheel.y"] - p["rest"] + p["m_body"] * p["grav"] / p["k"]), 1e-9)

    def test_no_equilibrium_says_why(self):
        m = crankmbs.Mechanism(dimension=2, gravity=[0, -9.81])
        m.body("ball", mass=1, inertia=1, position=[0, 0])
        model = m.model()
        with self.assertRaises(crankmbs.Error) as caught:
            model.equilibrium()
        self.assertEqual(caught.exception.status, "EINIT_CONVERGENCE")
        self.assertEqual(len(model.simulate(t_end=1, points=2)), 3)

    def test_a_linearised_motion_is_that_of_the_command(self):
        model = crankmbs.Model(CAR)
        linear = model.linearize(equilibrium=True, inputs=["speed"], outputs=["body.body.y", "body.wheel.y"])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "linear.json"
            command("linearize", CAR, "--equilibrium", "--input", "speed", "--output", "body.body.y", "--output", "body.wheel.y", "-o", path)
            theirs = json.loads(path.read_text())
        for name in "ABCD":
            np.testing.assert_array_equal(getattr(linear, name), np.array(theirs[name]).reshape(getattr(linear, name).shape))
        self.assertEqual((linear.A.shape, linear.B.shape, linear.C.shape, linear.D.shape), ((4, 4), (4, 1), (2, 4), (2, 1)))
        np.testing.assert_allclose(linear.A @ linear.modes, linear.modes * linear.eigenvalues, atol=1e-9)
        self.assertEqual(linear.leaders[0], "body.body.vy")

    def test_a_run_begins_at_a_row(self):
        model = crankmbs.Model("swing.yaml", text=SWING)
        result = model.simulate(points=10)
        with model.run() as run:
            run.begin_from(result, 1.0)
            self.assertEqual(run.time, 1.0)
            run.advance(2.0)
            self.assertLess(abs(run["x"] - result["x"][-1]), 1e-6)
        with model.run() as run:
            with self.assertRaisesRegex(crankmbs.Error, "column"):
                run.begin_from(crankmbs.Model(CAR).simulate(t_end=0.01))
            run.advance(1.0)

    def test_mistakes_are_named_and_leave_the_model_usable(self):
        model = crankmbs.Model(CAR)
        for text, given in (("nothing", {"inputs": ["nothing"]}), ("nowhere", {"outputs": ["nowhere"]})):
            with self.assertRaisesRegex(crankmbs.Error, text):
                model.linearize(**given)
        with self.assertRaisesRegex(KeyError, "did you mean"):
            model.equilibrium()["body.bodi.y"]
        with self.assertRaises(TypeError):
            model.linearize(inputs=[1])
        self.assertEqual(model.linearize().A.shape, (4, 4))


class Rollouts(unittest.TestCase):
    model = crankmbs.Model("swing.yaml", text=SWING, vary=["grav"])

    def test_runs_are_those_made_one_by_one_whatever_the_threads(self):
        values = np.linspace(1, 20, 12)
        first = crankmbs.rollout(self.model, {"grav": values}, threads=1, points=20)
        second = crankmbs.rollout(self.model, [{"grav": value} for value in values], threads=4, points=20, outputs=["x", "y"])
        self.assertEqual(first["x"].shape, (12, 21))
        self.assertEqual(second.columns, ["x", "y"])
        self.assertTrue(first.success.all())
        np.testing.assert_array_equal(first["x"], second["x"])
        for i in (0, 11):
            with self.model.run() as run:
                run.set("grav", values[i])
                one = run.record(points=20)
            np.testing.assert_array_equal(one["x"], first["x"][i])
            np.testing.assert_array_equal(one.t, first.t)

    def test_a_run_that_fails_is_a_result(self):
        model = crankmbs.Model(ROOT / "models/slider-crank/singular.yaml")
        name = next(iter(model.parameters))
        given = model.parameters[name]
        found = crankmbs.rollout(model, {name: [given, given]}, points=10, outputs=[model.columns[0]])
        self.assertEqual(found.status, ["ESINGULAR"] * 2)
        self.assertIn("singular position", found.messages[0])
        self.assertTrue(np.isnan(found[model.columns[0]][:, -1]).all() and np.isfinite(found[model.columns[0]][:, 0]).all())

    def test_mistakes(self):
        with self.assertRaisesRegex(crankmbs.Error, "grvt"):
            crankmbs.rollout(self.model, {"grvt": [1, 2]})
        for wrong in ({"grav": [[1, 2]]}, {"grav": [1, 2], "m": [1]}, {}, {"grav": 3}, {"grav": [1, float("nan")]}):
            with self.assertRaisesRegex(ValueError, "params"):
                crankmbs.rollout(self.model, wrong)
        with self.assertRaisesRegex(KeyError, "no column"):
            crankmbs.rollout(self.model, {"grav": [1]}, outputs=["xx"])
        with self.assertRaisesRegex(crankmbs.Error, "rtoll"):
            crankmbs.rollout(self.model, {"grav": [1]}, rtoll=1)
        with self.assertRaisesRegex(TypeError, "a crankmbs.Model, not str"):
            crankmbs.rollout("swing.yaml", {"grav": [1]})
        with self.assertRaisesRegex(ValueError, "points and times"):
            crankmbs.rollout(self.model, {"grav": [1]}, points=2, times=[0, 1])
        self.assertEqual(crankmbs.rollout(self.model, {"grav": [1]}, points=2, outputs="x").columns, ["x"])
        with self.assertRaisesRegex(crankmbs.Error, "threads"):
            crankmbs.rollout(self.model, {"grav": [1]}, threads=-1)
        self.assertEqual(len(crankmbs.rollout(self.model, {"grav": [1, 2]}, points=2)), 2)

    def test_ctrl_c_ends_all_threads(self):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            crankmbs.rollout(self.model, {"grav": [1, 2, 3]}, threads=2, t_end=1e9, points=1)
        timer.cancel()
        self.assertEqual(len(crankmbs.rollout(self.model, {"grav": [1, 2]}, points=2)), 2)


class Sweeps(unittest.TestCase):
    def test_a_sweep_is_that_of_the_command_byte_for_byte(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = Path(folder) / "ours.nc", Path(folder) / "theirs.nc"
            study = crankmbs.sweep(CAR, {"k": (20000, 24000, 3), "d": [1500, 1600]}, out=ours, t_end=0.2, points=4,
                                   final=["body.body.y"], maximum=["body.body.vy"], columns=["body.wheel.y"], threads=2)
            command("sweep", CAR, "--sweep", "k=20000:24000:3", "--sweep", "d=1500,1600", "--t-end", 0.2, "--points", 4,
                    "--final", "body.body.y", "--maximum", "body.body.vy", "--columns", "body.wheel.y", "-o", theirs)
            self.assertEqual(ours.read_bytes(), theirs.read_bytes())
            again = crankmbs.read_study(theirs)
        self.assertEqual(len(study), 6)
        self.assertEqual(study.factors, ["k", "d"])
        self.assertEqual(set(study["k"]), {20000, 22000, 24000})
        self.assertEqual(set(study.status), {0})
        self.assertEqual(study.course("body.wheel.y").shape, (6, 5))
        np.testing.assert_array_equal(study.course("body.wheel.y"), again.course("body.wheel.y"))

    def test_shards_make_one_study(self):
        model = crankmbs.Model(CAR, set={"m_body": 300})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "study.nc"
            given = dict(out=path, sample="latin", count=4, seed=7, t_end=0.1, points=2, final=["body.body.y"])
            with self.assertRaisesRegex(ValueError, "give out"):
                crankmbs.sweep(model, {"k": (20000, 24000)}, shard=(1, 2), **{**given, "out": None})
            self.assertIsNone(crankmbs.sweep(model, {"k": (20000, 24000)}, shard=(1, 2), **given))
            study = crankmbs.sweep(model, {"k": (20000, 24000)}, shard=(2, 2), **given)
            self.assertEqual(len(study), 4)
            with self.assertRaises(crankmbs.Error):  # a page needs its template, and a folder that is there
                study.page(Path(folder) / "nowhere" / "page.html")
        self.assertEqual(len(crankmbs.sweep(model, {"k": [20000]}, t_end=0.1, points=2)), 1)  # without a file of one's own

    def test_mistakes(self):
        with self.assertRaisesRegex(crankmbs.Error, "stiffness"):
            crankmbs.sweep(CAR, {"stiffness": [1, 2]}, t_end=0.1)
        with self.assertRaisesRegex(crankmbs.Error, "nowhere"):
            crankmbs.sweep(CAR, {"k": [1, 2]}, t_end=0.1, final=["nowhere"])
        with self.assertRaisesRegex(ValueError, "time_limit is -1"):
            crankmbs.sweep(CAR, {"k": [1, 2]}, t_end=0.1, time_limit=-1)
        with self.assertRaisesRegex(crankmbs.Error, "none.yaml"):
            crankmbs.sweep("none.yaml", {"k": [1, 2]})
        with self.assertRaisesRegex(ValueError, "rollout"):
            crankmbs.sweep(crankmbs.Model("a", text=SWING), {"grav": [1, 2]})
        with self.assertRaises(crankmbs.Error):
            crankmbs.sweep(CAR)  # no study file
        self.assertEqual(len(crankmbs.sweep(CAR, {"k": [20000]}, t_end=0.1, points=2)), 1)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
