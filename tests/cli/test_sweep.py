"""crank sweep: studies in threads, shards and pieces give one file; failures are recorded; bad input is told.

    python3 test_sweep.py CRANK [COUNT]        COUNT: members of the quarter-car study, 60 if not given
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from command import BLOW_UP, DONE, FAILED, MODEL, PENDULUM, USAGE, CommandTest, main

COUNT = int(sys.argv.pop(2)) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 60
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
STUDY = """\
crank: study
model: model.yaml
vary:
  grav: {from: 5, to: 15, count: 3}
  L: [1, 1.5]
outputs: {final: [x], minimum: [x], maximum: [x], integral: [energy], columns: [y]}
simulate: {t_end: 1, points: 20, rtol: 1e-8, atol: 1e-8}
"""
# fails, never ends or is done
MIXED = """\
crank: equations
parameters: {kind: 0}
positions:  {x: {start: 0}}
velocities: {vx: {of: x, start: 1}}
mass: [[1]]
forces: [0]
dynamic: {r: {start: 1, rate: "if(kind > 1.5, 0, if(kind > 0.5, r^2, 0))"}, s: {start: 0, rate: "if(kind > 1.5, 1e6*cos(1e9*t), 0)"}}
events: {far: {when: "x - 1.5 - kind*100", direction: rising, actions: [stop]}}
simulate: {t_end: 2, method: ode-dopri5, max_steps: 1000000000}
"""


class Sweep(CommandTest):
    patience = 60 + COUNT

    def dump(self, name, *variables):
        """Values of variables of a netCDF file, by ncdump."""
        if shutil.which("ncdump") is None:
            self.skipTest("ncdump (netcdf-bin) is not installed")
        text = subprocess.run(["ncdump", "-p", "9,17", "-v", ",".join(variables), self.path(name)], capture_output=True, check=True, text=True).stdout
        data = text[text.index("\ndata:"):]
        result = {}
        for name, body in re.findall(r"^ (\S+) =\s*(.*?) ;$", data, re.S | re.M):
            if '"' in body or body.strip() == "_":
                result[name] = re.findall(r'"((?:[^"\\]|\\.)*)"|(_)', body)
                result[name] = [a for a, _ in result[name]]
            else:
                result[name] = [math.nan if v.strip() in ("_", "NaN") else float(v) for v in body.split(",")]
        return result

    def test_members_of_a_study_become_a_table_that_plots(self):
        self.write(PENDULUM)
        self.write(STUDY, "study.yaml")
        self.expect(DONE, "sweep", "study.yaml", "-o", "s.nc", "--quiet")
        names, rows = self.table(self.expect(DONE, "convert", "s.nc", "-").out)
        self.assertEqual(names[:3], ["run", "grav", "L"])
        self.assertEqual([row[1:3] for row in rows], [[g, L] for g in (5, 10, 15) for L in (1, 1.5)])
        self.assertEqual([row[names.index("status")] for row in rows], [0]*6)
        for name in ("x.final", "x.minimum", "x.maximum", "energy.integral"):
            self.assertEqual([row[names.index(name)] for row in rows], self.dump("s.nc", name)[name])
        self.expect(DONE, "convert", "s.nc", "s.csv", "--only", "grav", "--only", "*.final")
        self.expect(DONE, "plot", "s.csv", "x.final", "--x", "grav", "-o", "s.svg")
        self.expect(FAILED, "plot", "s.nc", "--list", says="crank convert a table")

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_study_file_gives_what_single_runs_give(self):
        self.write(PENDULUM)
        self.write(STUDY, "study.yaml")
        self.expect(DONE, "sweep", "study.yaml", "-o", "a.nc", says=["6 members", "0 failed"])
        names = ("grav", "L", "status", "rows", "x.final", "x.minimum", "x.maximum", "energy.integral", "y")
        got = self.dump("a.nc", *names)
        self.assertEqual(got["status"], [0.0]*6)
        self.assertEqual(got["grav"], [5, 5, 10, 10, 15, 15])
        for i in range(6):
            header, rows = self.table(self.expect(DONE, "run", "model.yaml", "--quiet", "--points", 20, "--rtol", "1e-8", "--atol", "1e-8",
                                                  "--set", "grav=%r" % got["grav"][i], "--set", "L=%r" % got["L"][i]).out)
            column = {name: [row[j] for row in rows] for j, name in enumerate(header)}
            self.assertEqual(got["x.final"][i], column["x"][-1])
            self.assertEqual(got["x.minimum"][i], min(column["x"]))
            self.assertEqual(got["x.maximum"][i], max(column["x"]))
            self.assertEqual(got["y"][21*i:21*i + 21], column["y"])
            e = column["energy"]
            self.assertAlmostEqual(got["energy.integral"][i], sum((a + b)/2*0.05 for a, b in zip(e, e[1:])), delta=1e-12)

    def quarter_car(self, out, *more, t_end=1):
        return ["sweep", os.path.join(MODELS, "quarter-car", "quarter-car.yaml"), "--sweep", "k=15000:30000", "--sweep", "d=500:3000", "--sweep",
                "m_body=250:400", "--sample", "sobol", "--count", COUNT, "--maximum", "body.body.y", "--columns", "body.body.y", "--points", 10,
                "--t-end", t_end, "-o", out, *more]

    def test_threads_shards_and_pieces_give_one_file_bit_for_bit(self):
        self.expect(DONE, *self.quarter_car("one.nc", "--threads", 1))
        one = self.bytes("one.nc")
        self.expect(DONE, *self.quarter_car("two.nc", "--threads", 2))
        self.assertEqual(one, self.bytes("two.nc"))
        for i in (2, 1, 3):
            self.expect(DONE, *self.quarter_car("three.nc", "--shard", "%d/3" % i))
        self.assertEqual(one, self.bytes("three.nc"))
        self.assertEqual([f for f in os.listdir(self.place) if ".log" in f], [])

    def mpi(self, ranks, *arguments):
        """The same command under MPI, as a process; None: not installed."""
        program = os.path.join(os.path.dirname(self.crank), "crank-mpi")
        if shutil.which("mpirun") is None or not os.path.exists(program):
            return None
        return subprocess.Popen(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), program, *map(str, arguments)], cwd=self.place,
                                env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def kill_rank(self, process, rank, log):
        """Kills a rank once its log has members; False: it was done before."""
        while process.poll() is None and (not os.path.exists(log) or os.path.getsize(log) < 1000):
            time.sleep(0.001)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout.split()
        for child in children:
            try:
                with open("/proc/%s/environ" % child, "rb") as file:
                    own = b"OMPI_COMM_WORLD_RANK=%d" % rank in file.read().split(b"\0")
                if own:
                    os.kill(int(child), signal.SIGKILL)
            except OSError:
                continue  # it is gone
        process.communicate()
        return process.returncode != 0

    def test_four_ranks_one_killed_and_continued_give_the_same_file(self):
        t_end = 1
        while True:  # until a rank has died in the middle
            process = self.mpi(4, *self.quarter_car("four.nc", t_end=t_end))
            if process is None:
                self.skipTest("MPI is not installed")
            if self.kill_rank(process, 1, self.path("four.nc.log-2-of-4")):
                break
            self.assertLess(t_end, 1000, "no rank could be killed")
            t_end *= 8
        self.assertFalse(os.path.exists(self.path("four.nc")), "nothing was left to do")
        again = self.mpi(4, *self.quarter_car("four.nc", t_end=t_end))
        _, err = again.communicate()
        self.assertEqual(again.returncode, 0, err)
        self.assertRegex(err.decode(), r"\b[1-9]\d* of them done before")
        self.expect(DONE, *self.quarter_car("one.nc", t_end=t_end))
        self.assertEqual(self.bytes("one.nc"), self.bytes("four.nc"))

    def kill_often(self, t_end):
        """Ten times begun and killed; how often it was killed in the middle."""
        log = self.path("two.nc.log-1-of-1")
        kills, size = 0, 0
        for attempt in range(10):
            process = self.start(*self.quarter_car("two.nc", "--threads", 1, "--quiet", t_end=t_end))
            wanted = size + (attempt % 3 + 1)*COUNT//60*250
            while process.poll() is None and (not os.path.exists(log) or os.path.getsize(log) < wanted):
                time.sleep(0.002)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += process.returncode == -signal.SIGKILL
            if os.path.exists(log):
                self.assertGreaterEqual(os.path.getsize(log), size)
                size = os.path.getsize(log)
        return kills

    def test_killed_ten_times_and_continued_it_loses_and_repeats_nothing(self):
        t_end = 1
        while self.kill_often(t_end) < 10:
            for name in os.listdir(self.place):
                if name.startswith("two.nc"):
                    os.remove(self.path(name))
            self.assertLess(t_end, 1000, "it could not be killed ten times")
            t_end *= 8
        self.expect(DONE, *self.quarter_car("one.nc", t_end=t_end))
        result = self.call(*self.quarter_car("two.nc", t_end=t_end))
        self.assertEqual(result.code, DONE, result.err)
        self.assertRegex(result.err, r"\b[1-9]\d* of them done before")
        self.assertEqual(self.bytes("one.nc"), self.bytes("two.nc"))

    def test_member_that_fails_and_one_that_never_ends_are_recorded_and_hold_up_nobody(self):
        self.write(MIXED)
        self.expect(DONE, "sweep", "model.yaml", "--sweep", "kind=0,1,2,0.1", "--final", "x", "--columns", "x", "--points", 4, "--time-limit", 0.5,
                    "-o", "a.nc", says=["1 failed, 1 slow"])
        got = self.dump("a.nc", "status", "rows", "reason", "x.final", "x")
        self.assertEqual(got["status"], [1, 2, 3, 0])
        self.assertEqual(got["rows"][0], 4)  # stopped by its event at 1.5: rows at 0, 0.5, 1, 1.5
        self.assertAlmostEqual(got["x.final"][0], 1.5, delta=1e-9)
        self.assertIn("stopped by an event", got["reason"][0])
        self.assertTrue(math.isnan(got["x.final"][1]) and math.isnan(got["x.final"][2]))
        self.assertIn("0.5 s", got["reason"][2])
        self.assertTrue(math.isnan(got["x"][4]))

    def test_points_are_those_of_scipy_and_fill_every_part_of_a_latin_hypercube(self):
        self.write(PENDULUM)
        points = ["sweep", "model.yaml", "--sweep", "grav=1:2", "--sweep", "L=1:3", "--count", 16, "--t-end", 0.01, "--final", "x"]
        self.expect(DONE, *points, "--sample", "sobol", "-o", "a.nc")
        self.expect(DONE, *points, "--sample", "latin", "--seed", 5, "-o", "b.nc")
        latin = self.dump("b.nc", "grav", "L")
        for unit in ([v - 1 for v in latin["grav"]], [(v - 1)/2 for v in latin["L"]]):
            self.assertEqual(sorted(math.floor(16*u) for u in unit), list(range(16)))
        try:
            from scipy.stats import qmc
        except ImportError:
            self.skipTest("scipy is not installed")
        got = self.dump("a.nc", "grav", "L")
        for i, (u, v) in enumerate(qmc.Sobol(2, scramble=False).random(16)):
            self.assertEqual((got["grav"][i], got["L"][i]), (1 + u, 1 + 2*v))
        ours = [[g - 1, (l - 1)/2] for g, l in zip(latin["grav"], latin["L"])]
        typical = sorted(qmc.discrepancy(qmc.LatinHypercube(2, seed=k).random(16)) for k in range(50))
        self.assertLess(qmc.discrepancy(ours), 2*typical[-1])  # as evenly as one of scipy's

    def test_shards_come_from_job_arrays_unless_given(self):
        self.write(PENDULUM)
        before = dict(os.environ)
        os.environ.update(SLURM_ARRAY_TASK_ID="7", SLURM_ARRAY_TASK_MIN="5", SLURM_ARRAY_TASK_COUNT="3", SLURM_ARRAY_TASK_STEP="1")
        try:
            self.expect(DONE, "sweep", "model.yaml", "--sweep", "grav=1:2:6", "--final", "x", "-o", "a.nc", says="2 members")
        finally:
            os.environ.clear()
            os.environ.update(before)
        self.assertTrue(os.path.exists(self.path("a.nc.log-3-of-3")))
        self.expect(DONE, "sweep", "model.yaml", "--sweep", "grav=1:2:6", "--final", "x", "-o", "a.nc", "--merge", says="some not run")
        self.assertEqual(self.dump("a.nc", "status")["status"], [-1, -1, 0, -1, -1, 0])

    def test_bad_input_is_told_and_nothing_is_lost(self):
        self.write(PENDULUM)
        self.write(STUDY.replace("model.yaml", "none.yaml"), "none-study.yaml")
        self.write("crank: study\nmodel: model.yaml\n", "empty.yaml")
        self.write(STUDY.replace("from: 5", "from: .nan"), "nan.yaml")
        self.write(STUDY.replace("grav:", "gravity:"), "unknown.yaml")
        self.write(STUDY.replace("final: [x]", "final: [xx]"), "column.yaml")
        self.write(STUDY.replace("outputs:", "output:"), "key.yaml")
        for name, code, says in (("none-study.yaml", (MODEL,), "none.yaml"), ("empty.yaml", (USAGE,), "empty"), ("nan.yaml", (MODEL,), "nan.yaml:4"),
                                 ("unknown.yaml", (USAGE,), "gravity"), ("column.yaml", (USAGE,), "xx"), ("key.yaml", (MODEL,), "outputs")):
            result = self.call("sweep", name, "-o", "a.nc")
            self.assertIn(result.code, code, name + result.err)
            self.assertIn(says, result.err)
            self.assertFalse(os.path.exists(self.path("a.nc")))
        self.expect(FAILED, "sweep", "model.yaml", "--sweep", "grav=1:2:2", "-o", "no/such/a.nc", says="no/such/a.nc")
        self.expect(USAGE, "sweep", "model.yaml", "--sweep", "grav=1:2:2", says="-o FILE.nc")
        for shard in ("0/3", "4/3", "1", "x/y"):
            self.expect(USAGE, "sweep", "model.yaml", "--sweep", "grav=1:2:2", "-o", "a.nc", "--shard", shard, says="1 <= I <= N")
        # the log of another study is not taken, nor spoilt
        self.expect(DONE, "sweep", "model.yaml", "--sweep", "grav=1:2:4", "-o", "b.nc", "--shard", "1/2")
        before = self.bytes("b.nc.log-1-of-2")
        self.expect(FAILED, "sweep", "model.yaml", "--sweep", "grav=1:3:4", "-o", "b.nc", says="another study")
        self.expect(FAILED, "sweep", "model.yaml", "--sweep", "grav=1:3:4", "-o", "b.nc", "--shard", "1/2", says="another study")
        # nor that of the same study of a model that was changed since
        with open(self.path("model.yaml"), "a", encoding="utf-8") as file:
            file.write("# changed\n")
        self.expect(FAILED, "sweep", "model.yaml", "--sweep", "grav=1:2:4", "-o", "b.nc", says="another study")
        self.assertEqual(before, self.bytes("b.nc.log-1-of-2"))

    def test_xarray_and_octave_read_names_numbers_and_reasons(self):
        self.write(MIXED)
        self.expect(DONE, "sweep", "model.yaml", "--sweep", "kind=0,1", "--final", "x", "--columns", "x", "--points", 4, "-o", "a.nc")
        xarray = ("import xarray; d = xarray.open_dataset('a.nc'); print(d['reason'].values[0], d['status'].values[1], "
                  "round(float(d['x'][0, 1]), 9), d['x'].dims, 'kind' in d.coords)")
        octave = "pkg load netcdf; r = ncread('a.nc', 'reason')'; x = ncread('a.nc', 'x'); printf('%s %d %g\\n', r(1, :), ncread('a.nc', 'status')(2), x(2, 1));"
        plain = "s = load('-hdf5', 'a.nc', 'kind', 'status', 'x'); printf('%d %d %g %d\\n', s.status, s.x(2, 1), numel(s.kind));"
        tried = 0
        for words, known, text, wanted in ((["/usr/bin/python3", "-c"], "import xarray, netCDF4", xarray, "stopped by an event at t = 1.5 2 0.5 ('run', 'time') True"),
                                           (["octave-cli", "--no-init-file", "--eval"], "pkg load netcdf", octave, "stopped by an event at t = 1.5"),
                                           (["octave-cli", "--no-init-file", "--eval"], "1;", plain, "1 2 0.5 2")):
            try:
                if subprocess.run([*words, known], capture_output=True, check=False).returncode != 0:
                    continue
            except OSError:
                continue
            out = subprocess.run([*words, text], capture_output=True, check=True, text=True, cwd=self.place).stdout
            self.assertIn(wanted, out)
            tried += 1
        if tried == 0:
            self.skipTest("neither xarray with netCDF4 nor Octave's netcdf is installed")

    def test_page_of_a_study_is_written_and_what_is_for_single_runs_is_refused(self):
        self.write(PENDULUM)
        self.write(STUDY, "study.yaml")
        self.expect(DONE, "sweep", "study.yaml", "-o", "a.nc", "--html", "a.html", says="page with 6 members")
        self.expect(DONE, "view", "a.nc", "-o", "b.html", says="page with 6 members")
        self.assertEqual(self.bytes("a.html"), self.bytes("b.html"))
        self.expect(USAGE, "view", "a.nc", "--picture", 0, "-o", "b.svg", says="is a study of many runs")
        self.expect(USAGE, "sweep", "study.yaml", "-o", "a.nc", "--html", "a.txt", says="a.txt")
        self.expect(USAGE, "sweep", "study.yaml", "-o", "a.nc", "--count", 5, says="--sample")

    def test_failing_model_is_recorded_member_by_member(self):
        self.write(BLOW_UP)
        self.expect(DONE, "sweep", "model.yaml", "--sweep", "r=0.1,1", "--final", "r", "-o", "a.nc", says="1 failed")


if __name__ == "__main__":
    main()
