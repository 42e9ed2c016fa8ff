"""A run gives the same bits on every processor that multiplies and adds in one operation (FMA), and the same motion on others.

    python3 check_processors.py CRANK MODELS

Runs of all kinds (dense, sparse, redundant, DAE, mechanism, circuit; explicit, multistep, Radau, auto, published ones) as on other
processors: the C library is told to leave out what newer ones have (GLIBC_TUNABLES; harmless where it is not glibc). glibc's sin,
exp and others ask for FMA and AVX2 together, so both stay. valgrind and qemu-x86_64, if installed, are processors of their
own. Compared are rows, statistics but for seconds, and checkpoints but for seconds, byte by byte.
Without FMA, where sin, exp and others round differently, the motion agrees within 10 times the tolerance (columns about steps and
residuals are rounding, or say how close to it).
Nothing chooses its loops by processor: no such library is linked (OPENBLAS_CORETYPE would change it), the command has no
indirect functions and no instruction that asks what the processor is. One line per check; exit 1 if any failed. Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOL = 1e-8
RUNS = [  # model, method, end
    ("pendulum/pendulum", "geoms", 2),
    ("andrews/andrews", "psf-radau", 0.01),
    ("andrews/andrews", "gmkssol", 0.01),
    ("andrews/andrews", "psf-bdf", 0.005),
    ("andrews-mechanism/andrews-mechanism", "ode-adams", 0.01),
    ("chain/chain-10", "gmkssol", 0.1),
    ("chain-100/chain-100", "psf-radau", 0.02),
    ("pendulum-dae/pendulum-dae", "psf-radau", 2),
    ("circuits/index2", "psf-radau", 0.01),
    ("four-bar/four-bar", "psf-radau", 0.3),
    ("bricard/bricard", "ode-dopri8", 5),
    ("door-three-hinges/door-three-hinges", "psf-radau", 0.5),
    ("truck/truck", "overdetermined-radau", 0.3),
    ("elastic-slider-crank/elastic-slider-crank", "psf-bdf", 0.002),
    ("flyball-governor/flyball-governor", "auto", 0.2),
]


def without(*names):
    return {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + ",".join("-" + name for name in names)}


SAME = [without("AVX512F", "AVX512VL", "AVX512BW", "AVX512DQ", "AVX512CD"),
        without("AVX512F", "AVX512VL", "ERMS", "FSRM", "BMI2", "SSE4_1", "SSE4_2", "SSSE3", "AVX_Fast_Unaligned_Load"),
        {"OPENBLAS_CORETYPE": "Prescott"}]
WITHOUT_FMA = [without("FMA", "FMA4"), without("AVX2", "FMA4", "AVX512F")]
EMULATORS = [("valgrind", "-q", "--tool=none"), ("qemu-x86_64", "-cpu", "Haswell"), ("qemu-x86_64", "-cpu", "EPYC")]


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
    """Without what is told about steps."""
    names, *lines = csv.reader(io.StringIO(text.decode()))
    motion = [i for i, name in enumerate(names) if not name.startswith(("step.", "residual."))]
    return [[float(line[i]) for i in motion] for line in lines]


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


def check_emulators(c):
    run = ("andrews/andrews", "psf-radau", 0.001)
    here = c.outcome(run, {})
    for emulator in EMULATORS:
        if shutil.which(emulator[0]) is not None:
            c.report(c.outcome(run, {}, emulator) == here, "%s %s: same rows and statistics under %s"
                     % (*run[:2], " ".join(emulator)))


def output(*command):
    """Of a tool that may be missing."""
    if shutil.which(command[0]) is None:
        return None
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def check_dispatch(c):
    linked, symbols, code = output("ldd", c.crank), output("nm", c.crank), output("objdump", "-d", c.crank)
    if linked:
        found = [name for name in ("blas", "lapack", "mkl", "gomp", "pthread") if name in linked.lower()]
        c.report(not found, "libraries that choose their loops by processor or start threads: %s" % (found or "none"))
    if symbols:
        found = [line.split()[-1] for line in symbols.splitlines() if line.split()[-2] in ("i", "I")]
        c.report(not found, "indirect functions: %s" % (found or "none"))
    if code:
        found = sorted(set(re.findall(r"\t(cpuid|xgetbv)\b", code)))
        c.report(not found, "instructions that ask for the processor: %s" % (found or "none"))


def main():
    with tempfile.TemporaryDirectory() as place:
        c = Checks(sys.argv[1], sys.argv[2], place)
        check_dispatch(c)
        for run in RUNS:
            check_run(c, run)
        check_emulators(c)
        print("%d passed, %d failed" % (c.passed, c.failed))
        return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
