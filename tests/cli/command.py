"""What the tests of the command share: running it, models to run it on, reading its results.

    python3 test_run.py CRANK [-v] [TEST...]

Each test has a temporary directory of its own, in which it writes models and finds results.
Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import signal
import subprocess
import sys
import tempfile
import unittest

PENDULUM = """\
crank: equations
parameters: {m: 1, L: 1, grav: 13.75}
positions:  {x: {start: 1}, y: {start: 0}}
velocities: {vx: {of: x, start: 0}, vy: {of: y, start: 0}}
mass: [[m, 0], [0, m]]
forces: [0, -m*grav]
holonomic: {length: x^2 + y^2 - L^2}
outputs: {energy: m/2*(vx^2 + vy^2) + m*grav*y}
simulate: {t_end: 1}
"""
# r = 1/(1 - t): there is no solution beyond t = 1
BLOW_UP = """\
crank: equations
positions:  {x: {start: 0}}
velocities: {vx: {of: x, start: 0}}
mass: [[1]]
forces: [0]
dynamic: {r: {start: 1, rate: r^2}}
simulate: {t_end: 2}
"""
DONE, FAILED, USAGE, MODEL = 0, 1, 2, 3


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


class CommandTest(unittest.TestCase):
    crank = None

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name

    def path(self, name):
        return os.path.join(self.place, name)

    def write(self, text, name="model.yaml"):
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return name

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def environment(self):
        return dict(os.environ, HOME=self.place)

    def start(self, *arguments, **more):
        """The command as a process, in the test's directory."""
        return subprocess.Popen([self.crank, *map(str, arguments)], cwd=self.place,
                                env=self.environment(), stdin=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, **more)

    patience = 60  # s, of one command

    def call(self, *arguments, stdin=None):
        done = subprocess.run([self.crank, *map(str, arguments)], cwd=self.place, timeout=self.patience,
                              env=self.environment(), input=stdin, capture_output=True, check=False)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def expect(self, code, *arguments, says=()):
        """Runs the command, checks its exit status and that its messages contain each text."""
        result = self.call(*arguments)
        self.assertEqual(result.code, code, result.err + result.out)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, result.err)
        return result

    def run_model(self, text, *arguments):
        """Simulates quietly; names and rows of the result."""
        result = self.expect(DONE, "run", self.write(text), "--quiet", *arguments)
        self.assertEqual(result.err, "")
        return self.table(result.out)

    def table(self, text):
        """Names and rows of a CSV text, which must consist of complete lines."""
        self.assertTrue(text.endswith("\n"), text[-80:])
        lines = list(csv.reader(text.splitlines()))
        rows = [[float(value) for value in line] for line in lines[1:]]
        for row in rows:
            self.assertEqual(len(row), len(lines[0]))
        return lines[0], rows

    def bad_model(self, text, says):
        """A wrong model: exit 3, nothing on standard output, the message as expected."""
        result = self.expect(MODEL, "run", self.write(text), says=says)
        self.assertEqual(result.out, "")
        return result


def main():
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} CRANK [unittest arguments]")
    for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGHUP):  # what is ignored here is ignored by crank
        signal.signal(number, signal.SIG_DFL)
    CommandTest.crank = os.path.abspath(sys.argv.pop(1))
    unittest.main()
