"""A run gives the same bits on every processor that multiplies and adds in one operation (FMA), and the same motion on others.

    python3 check_processors.py CRANK MODELS

Ten models, dense, sparse, redundant, as DAE, stiff or not, run as on other processors: the C library is told to leave
out what newer ones have (GLIBC_TUNABLES; harmless where it is not glibc), and valgrind, if installed, is a processor of its own.
Compared are rows, statistics but for seconds, and checkpoints but for seconds, byte by byte; and without FMA, where
sin, exp and others round differently, rows to 10 times the tolerance. No library that chooses its loops by processor may be
linked; if OpenBLAS were, OPENBLAS_CORETYPE would change the bits. One line per check; exit 1 if any failed.
Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOL = 1e-8
RUNS = [  # model, method, end
    ("pendulum/pendulum", "geoms", 2),
    ("andrews/andrews", "psf-radau", 0.01),
    ("andrews/andrews", "gmkssol", 0.01),
    ("chain/chain-10", "gmkssol", 0.1),
    ("chain/chain-10", "psf-radau", 0.1),
    ("pendulum-dae/pendulum-dae", "psf-radau", 2),
    ("circuits/index2", "psf-radau", 0.01),
    ("four-bar/four-bar", "psf-radau", 0.3),
    ("bricard/bricard", "psf-radau", 3),
    ("door-three-hinges/door-three-hinges", "psf-radau", 0.5),
    ("truck/truck", "overdetermined-radau", 0.3),
    ("elastic-slider-crank/elastic-slider-crank", "psf-bdf", 0.003),
    ("flyball-governor/flyball-governor", "auto", 0.2),
]
SAME = [{"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD"},
        {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-ERMS,-FSRM,-BMI2,-AVX_Fast_Unaligned_Load"},
        {"OPENBLAS_CORETYPE": "Haswell"}, {"OPENBLAS_CORETYPE": "Prescott"}]
WITHOUT_FMA = [{"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA"}, {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2"}]


class Checks:
    def __init__(self, crank, models, place):
        self.crank, self.models, self.place = os.path.abspath(crank), pathlib.Path(models).resolve(), place
        self.passed = self.failed = 0

    def report(self, good, text):
        print(("ok   " if good else "FAIL ") + text, flush=True)
        self.passed, self.failed = self.passed + good, self.failed + (not good)

    def command(self, run, arguments, environment, before=()):
        model, method, end = run
        line = [*before, self.crank, "run", str(self.models / (model + ".yaml")), "--method", method, "--t-end", str(end),
                "--rtol", str(TOL), "--atol", str(TOL), "--points", "20", "--quiet", "--out", "a.csv", *arguments]
        plain = {key: value for key, value in os.environ.items() if key not in ("GLIBC_TUNABLES", "OPENBLAS_CORETYPE")}
        return subprocess.run(line, cwd=self.place, env={**plain, **environment}, capture_output=True, check=False)

    def read(self, name):
        return (pathlib.Path(self.place) / name).read_bytes()

    def outcome(self, run, environment, before=()):
        """Exit status, rows, statistics without seconds."""
        done = self.command(run, ("--stats", "a.json"), environment, before)
        statistics = json.loads(self.read("a.json"))
        return done.returncode, self.read("a.csv"), {k: v for k, v in statistics.items() if "seconds" not in k}

    def checkpoint(self, run, environment):
        """Of a run that ends after a few steps."""
        self.command(run, ("--checkpoint", "a.checkpoint", "--option", "max_steps=8"), environment)
        found = self.read("a.checkpoint")
        os.remove(os.path.join(self.place, "a.checkpoint"))
        return found


def alike(one, others):
    """Where checkpoints of the same run on the same processor differ, and eight bytes around, are seconds."""
    time = set()
    for other in others:
        if len(other) != len(one):
            return None
        for i, (a, b) in enumerate(zip(one, other)):
            if a != b:
                time.update(range(i - 8, i + 9))
    return bytes(a for i, a in enumerate(one) if i not in time), time


def rows(text):
    lines = list(csv.reader(io.StringIO(text.decode())))
    return [[float(value) for value in line] for line in lines[1:]]


def difference(one, other):
    """Largest difference of rows, beside each column's largest value or one."""
    columns = list(zip(zip(*one), zip(*other)))
    return max(max(abs(a - b) for a, b in zip(p, q)) / max(1.0, max(map(abs, p))) for p, q in columns)


def check_run(c, run):
    label = "%s %s" % run[:2]
    here = c.outcome(run, {})
    c.report(here[0] == 0, "%s: exit status %d" % (label, here[0]))
    saved = c.checkpoint(run, {})
    found = alike(saved, [c.checkpoint(run, {}) for _ in range(3)])
    c.report(found is not None and len(found[1]) < 200, "%s: checkpoints of equal runs differ in seconds alone" % label)
    for environment in SAME:
        there, name = c.outcome(run, environment), " ".join("%s=%s" % pair for pair in environment.items())
        c.report(there == here, "%s: same rows and statistics with %s" % (label, name))
        if found is not None:
            other = c.checkpoint(run, environment)
            equal = len(other) == len(saved) and bytes(a for i, a in enumerate(other) if i not in found[1]) == found[0]
            c.report(equal, "%s: same checkpoint with %s" % (label, name))
    for environment in WITHOUT_FMA:
        there, name = c.outcome(run, environment), " ".join("%s=%s" % pair for pair in environment.items())
        apart = difference(rows(here[1]), rows(there[1])) if there[0] == here[0] else float("inf")
        c.report(apart <= 10 * TOL, "%s: rows differ by %.1e with %s, at most %.0e" % (label, apart, name, 10 * TOL))


def check_valgrind(c):
    if shutil.which("valgrind") is None:
        return
    run = ("pendulum/pendulum", "psf-radau", 0.3)
    here, there = c.outcome(run, {}), c.outcome(run, {}, ("valgrind", "-q", "--tool=none"))
    c.report(there == here, "%s %s: same rows and statistics under valgrind" % run[:2])


def check_libraries(c):
    if shutil.which("ldd") is None:
        return
    linked = subprocess.run(["ldd", c.crank], capture_output=True, text=True, check=False).stdout.lower()
    c.report("blas" not in linked and "lapack" not in linked and "mkl" not in linked,
             "no library that chooses its loops by processor is linked")


def main():
    with tempfile.TemporaryDirectory() as place:
        c = Checks(sys.argv[1], sys.argv[2], place)
        check_libraries(c)
        for run in RUNS:
            check_run(c, run)
        check_valgrind(c)
        print("%d passed, %d failed" % (c.passed, c.failed))
        return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
