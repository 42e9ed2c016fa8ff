# crankmbs: what it gives is what the command gives, and whatever goes wrong leaves everything usable.
# SPDX-License-Identifier: BSD-3-Clause
import csv
import importlib.util
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import crankmbs

ROOT = Path(__file__).resolve().parents[3]
COMMAND = os.environ.get("CRANK", str(ROOT / "build" / "crank"))
PENDULUM = """
crank: equations
parameters: {m: 1, L: 1, grav: 9.81}
positions:  {x: {start: 1}, y: {start: 0}}
velocities: {vx: {of: x}, vy: {of: y}}
mass:       {diagonal: [m, m]}
forces:     [0, -m*grav]
holonomic:  {length: x^2 + y^2 - L^2}
simulate:   {t_end: 2, rtol: 1e-8, atol: 1e-8}
"""
# the spline goes below its first two points
SWING = """
crank: mechanism
dimension: 2
bodies: {cart: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0]}
  drive: {type: driver, of: joint.guide.length, table: [[0, 0], [1, 0], [2, 1], [3, -1], [4, 0], [5, 0]]}
simulate: {t_end: 1}
"""
# models of all kinds, with events, joint coordinates and redundancy, and how long they run; all: bindings/tests/check_models.py
MODELS = {
    "bouncing-ball/bouncing-ball.yaml": 1.0,
    "four-bar/four-bar.yaml": 0.2,
    "door-two-hinges/door-two-hinges.yaml": 0.2,
    "pendulum-dae/pendulum-dae.yaml": 0.2,
    "slider-crank/slider-crank.yaml": 0.1,
    "slider-crank/duplicated.yaml": 0.05,  # multipliers that are open at the start
    "rolling-disc/rolling-disc.yaml": 0.1,
    "truck/equations.yaml": 0.05,
    "six-axis-robot/six-axis-robot.yaml": 0.05,
    "parallelogram-arm/parallelogram-arm.urdf": 0.05,
}


def with_checksum(data):
    """A checkpoint's bytes and their FNV-1a hash behind them."""
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % 2**64
    return data + value.to_bytes(8, "little")


def pendulum(**more):
    return crankmbs.Model("pendulum.yaml", text=PENDULUM, **more)


def of_command(path, t_end, folder):
    out = os.path.join(folder, "out.csv")
    order = [COMMAND, "run", str(path), "--out", out, "--quiet"]
    done = subprocess.run(order + (["--t-end", repr(t_end)] if t_end else []), capture_output=True, text=True)
    if not os.path.exists(out):
        return done, None, None
    with open(out, newline="") as file:
        rows = list(csv.reader(file))
    return done, rows[0], [[float(cell) for cell in row] for row in rows[1:]]


class Results(unittest.TestCase):
    def check_equal(self, name, t_end):
        path = ROOT / "models" / name
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done, names, rows = of_command(path, t_end, folder)
            if done.returncode != 0:
                with self.assertRaises(crankmbs.Error, msg=name):
                    crankmbs.Model(path).simulate(t_end=t_end)
                return
            result = crankmbs.Model(path).simulate(t_end=t_end)
        shared = [(j, column) for j, column in enumerate(names) if column in result]
        self.assertEqual(len(rows), len(result), name)
        self.assertEqual(len(shared), len(result.columns), name)
        for j, column in shared:
            values = result[column]
            for i, row in enumerate(rows):
                same = row[j] == values[i] or (row[j] != row[j] and values[i] != values[i])
                self.assertTrue(same, f"{name}: {column}, row {i}: {row[j]!r} and {values[i]!r}")

    def test_results_equal_those_of_the_command_bit_for_bit(self):
        for name, t_end in MODELS.items():
            with self.subTest(model=name):
                self.check_equal(name, t_end)

    def test_columns_stay_when_their_result_is_gone(self):
        x = pendulum().simulate()["x"]
        self.assertEqual(x[0], 1.0)
        with self.assertRaises((TypeError, ValueError)):
            x[0] = 2.0

    def test_results_are_written_and_read_back(self):
        result = pendulum().simulate(points=10)
        with tempfile.TemporaryDirectory() as folder:
            for ending in (".csv", ".h5", ".mat"):
                path = os.path.join(folder, "result" + ending)
                result.save(path)
                again = crankmbs.read(path)
                self.assertEqual(list(again["x"]), list(result["x"]))

    def test_results_become_those_of_other_packages(self):
        result = pendulum().simulate(points=10)
        if importlib.util.find_spec("pandas"):
            frame = result.to_pandas()
            self.assertEqual((len(frame), frame.index.name, frame["x"].iloc[0]), (11, "time", 1.0))
        if importlib.util.find_spec("xarray"):
            data = result.to_xarray()
            self.assertEqual((data.sizes["time"], float(data["x"][0])), (11, 1.0))
        if importlib.util.find_spec("matplotlib"):
            import matplotlib
            matplotlib.use("agg")
            axes = result.plot("x", "y")
            self.assertEqual([len(line.get_xdata()) for line in axes.lines], [11, 11])
            with self.assertRaisesRegex(KeyError, "did you mean"):
                result.plot("xx")

    def test_a_result_shows_itself_as_its_page(self):
        text = pendulum().simulate(points=10)._repr_html_()
        self.assertTrue(text.startswith("<iframe srcdoc=") and "crank-index" in text or "page" in text, text[:200])

    def test_chosen_outputs_are_the_only_columns(self):
        self.assertEqual(pendulum().simulate(outputs=["y"]).columns, ["time", "y"])

    def test_rows_come_at_times_that_are_asked_for(self):
        result = pendulum().simulate(times=[0.5, 1.25])
        self.assertEqual(list(result.t), [0.5, 1.25])


class Runs(unittest.TestCase):
    def test_steps_lead_to_the_end(self):
        with pendulum().run() as run:
            while not run.finished:
                run.step()
            self.assertEqual(run.time, 2.0)
            self.assertLess(abs(run["x"] ** 2 + run["y"] ** 2 - 1.0), 1e-12)
            self.assertEqual(len(run.state), 5)

    def test_a_loaded_checkpoint_goes_on_bit_for_bit(self):
        model = pendulum()
        with model.run() as run:
            run.advance(0.7)
            data = run.save()
            run.advance(2.0)
            x = run["x"]
        with model.run() as other:
            other.load(data)
            other.advance(2.0)
            self.assertEqual(other["x"], x)

    def test_parameters_are_set_by_name(self):
        model = pendulum(vary=["grav"])
        one = model.simulate(set={"grav": 1.62})["y"][-1]
        with model.run() as run:
            run.set("grav", 1.62)
            run.advance(2.0)
            self.assertEqual(run["y"], one)

    def test_a_closed_run_says_so(self):
        run = pendulum().run()
        run.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            run.step()

    def test_threads_share_a_model(self):
        model, found = pendulum(), []
        work = [threading.Thread(target=lambda: found.append(model.simulate()["x"][-1])) for _ in range(4)]
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        self.assertEqual(len(set(found)), 1)
        self.assertEqual(len(found), 4)

    def test_two_models_are_read_at_once_each_waiting_for_the_other(self):
        # in what the library calls on its way, its warnings: neither could go on if one held the interpreter
        meeting, made = threading.Barrier(2, timeout=60), []

        def wait(*ignored, **also):
            meeting.wait()
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = wait
            work = [threading.Thread(target=lambda: made.append(crankmbs.Model("swing.yaml", text=SWING))) for _ in range(2)]
            for thread in work:
                thread.start()
            for thread in work:
                thread.join()
        self.assertEqual(len(made), 2)

    def test_ctrl_c_ends_a_run_and_leaves_the_model_usable(self):
        model = pendulum()
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            model.simulate(t_end=1e9, points=2)
        timer.cancel()
        self.assertEqual(len(model.simulate(points=4)), 5)


class Models(unittest.TestCase):
    def test_models_are_pickled(self):
        model = pickle.loads(pickle.dumps(pendulum(set={"grav": 1.62})))
        self.assertEqual(model.parameters["grav"], 1.62)

    def test_a_mechanism_is_built_in_python(self):
        m = crankmbs.Mechanism(dimension=2, gravity=[0, -9.81])
        m.body("rod", mass=1, inertia=1 / 12, position=[0.5, 0])
        m.joint("pin", "revolute", between=["ground", "rod"], at=[0, 0])
        model = pickle.loads(pickle.dumps(m.model()))
        result = model.simulate(t_end=1, points=10, rtol=1e-9, atol=1e-9)
        for angle, rate in zip(result["joint.pin.angle"], result["joint.pin.angle_rate"]):
            # energy, from rest and level: m L^2/3 omega^2/2 = -m g L/2 sin(angle)
            self.assertLess(abs(rate**2 / 6 + 9.81 / 2 * math.sin(angle)), 1e-7)


class Documents(unittest.TestCase):
    def test_everything_public_says_what_it_is(self):
        for name in crankmbs.__all__:
            thing = getattr(crankmbs, name)
            self.assertTrue(thing.__doc__, name)
            for part, value in vars(thing).items() if isinstance(thing, type) else ():
                if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                    self.assertTrue(value.__doc__, f"{name}.{part}")

    def test_programs_of_the_manual_run(self):
        text = (ROOT / "docs" / "python.md").read_text()
        programs = [part.split("```")[0] for part in text.split("```python\n")[1:]]
        self.assertEqual(len(programs), 6)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "models", os.path.join(folder, "models"))
            whole = "".join(programs).replace("t_end=10", "t_end=0.1")
            if importlib.util.find_spec("matplotlib") is None:
                whole = whole.replace(programs[0].split("\n")[5], "").replace(programs[0].split("\n")[6], "")
            if not (Path(crankmbs.__file__).parent / "page.html").exists():  # made by `make python`
                whole = whole.replace('result.page("four-bar.html")\n', "")
            environment = {**os.environ, "MPLBACKEND": "agg", "MPLCONFIGDIR": folder}
            subprocess.run([sys.executable, "-c", whole], check=True, cwd=folder, stdout=subprocess.DEVNULL, env=environment)


class Mistakes(unittest.TestCase):
    def fails(self, text, status, action):
        with self.assertRaisesRegex(crankmbs.Error, text) as caught:
            action()
        self.assertEqual(caught.exception.status, status)
        self.assertIsInstance(pickle.loads(pickle.dumps(caught.exception)), crankmbs.Error)
        return caught.exception

    def test_each_mistake_has_its_message_and_place(self):
        model = pendulum()
        self.fails("none.yaml", "EFILE", lambda: crankmbs.Model("none.yaml"))
        wrong = self.fails("forces", "EMODEL", lambda: crankmbs.Model("p", text=PENDULUM.replace("[0, -m*grav]", "[0]")))
        self.assertGreater(wrong.line, 0)
        self.fails("qq", "EMODEL", lambda: model.simulate(set={"qq": 1}))
        self.fails("rtoll", "EARG", lambda: model.simulate(rtoll=1))
        self.fails("no-such", "EARG", lambda: model.simulate(method="no-such"))
        with self.assertRaisesRegex(KeyError, 'did you mean "x"'):
            model.simulate()["xx"]
        with self.assertRaises(ValueError):
            model.simulate(set={"grav": float("nan")})
        with self.assertRaises(TypeError):
            model.simulate(set={"grav": object()})
        for times in ([[0, 1]], ["a"], [1, None]):
            with self.assertRaises((TypeError, ValueError)):
                model.simulate(times=times)
        self.fails("times", "EARG", lambda: model.simulate(times=[1, 0.5]))
        with self.assertRaisesRegex(KeyError, "did you mean"):
            model.simulate(outputs=["xx"])
        with model.run() as run:
            run.advance(1.0)
            self.fails("cannot go back", "EARG", lambda: run.advance(0.5))
            run.advance(2.0)
        with model.run() as run:
            good = run.save()
            self.fails("", "EFILE", lambda: run.load(b"nonsense"))
            self.fails("", "EFILE", lambda: run.load(good[:-9]))
            run.advance(2.0)
        with model.run() as run:
            version = crankmbs.__version__.encode()
            self.assertIn(version, good)
            other = with_checksum(good[:-8].replace(version, b"9.9.9"))
            self.fails("version", "EFILE", lambda: run.load(other))
            self.fails("", "EFILE", lambda: crankmbs.Model(ROOT / "models/four-bar/four-bar.yaml").run().load(good))
            run.load(good)
            run.advance(2.0)
        self.fails("equation", "EMODEL", lambda: crankmbs.Model("p", text=PENDULUM.replace("crank: equations", "crank: equations2")))
        self.assertEqual(len(model.simulate(points=4)), 5)

    def test_numbers_that_say_nothing_are_refused_and_one_name_may_stand_alone(self):
        model = pendulum()
        for text, given in (("t_end is nan", {"t_end": float("nan")}), ("points is 0", {"points": 0}), ("points is 2.5", {"points": 2.5}),
                            ("every is -1", {"every": -1}), ("exclude each other", {"every": 0.1, "points": 3})):
            with self.assertRaisesRegex(ValueError, text):
                model.simulate(**given)
        with self.assertRaisesRegex(TypeError, "settings are a dict"):
            model.simulate(set=["grav"])
        with self.assertRaisesRegex(TypeError, "outputs: a name is str"):
            model.simulate(outputs=[1])
        with model.run() as run:
            with self.assertRaisesRegex(ValueError, "nan"):
                run.advance(float("nan"))
            run.advance(100)
            self.assertTrue(run.finished and run.time == run.end)
        self.assertEqual(model.simulate(points=4, outputs="x").columns, ["time", "x"])

    def test_a_run_that_fails_keeps_its_rows(self):
        model = crankmbs.Model(ROOT / "models/slider-crank/singular.yaml")
        error = self.fails("singular position", "ESINGULAR", model.simulate)
        self.assertGreater(len(error.result), 10)

    def test_warnings_of_the_library_are_warnings_of_python(self):
        with self.assertWarnsRegex(crankmbs.CrankWarning, "spline"):
            crankmbs.Model("swing.yaml", text=SWING)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(crankmbs.CrankWarning):
                crankmbs.Model("swing.yaml", text=SWING)



if __name__ == "__main__":
    unittest.main()
