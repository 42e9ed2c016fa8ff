"""Runs that are killed at random moments, 100 times: what was written can be read and is the beginning of the whole
result; resumed, also after further kills, the result is the same to the last bit.

The moments are fractions, from a fixed seed, of the processor's time that an undisturbed run takes, and the run's own
processor's time rings: a kill falls on the same part of the work however busy the machine is. Wherever it falls, what is
checked must hold.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import random
import resource
import signal

from command import DONE, PENDULUM, CommandTest, main

# a four-bar that swings on a spring with a little damping, with the balance of energies
MECHANISM = """crank: mechanism
dimension: 2
gravity: [0, -9.81]
energy: true
bodies:
  crank: {mass: 1, inertia: 0.1, position: [0, 0.5], angle: pi/2}
  rod: {mass: 1, inertia: 0.4, position: [1, 1]}
  rocker: {mass: 1, inertia: 0.1, position: [2, 0.5], angle: pi/2}
joints:
  a: {type: revolute, between: [ground, crank], at: [0, 0]}
  b: {type: revolute, between: [crank, rod], at: [0, 1]}
  c: {type: revolute, between: [rod, rocker], at: [2, 1]}
  d: {type: revolute, between: [rocker, ground], at: [2, 0]}
forces:
  s: {type: spring, between: [ground, rod], at: [[1.6, 3], [1, 1]], stiffness: 20, length: 1, damping: 0.01}
"""


class KillTest(CommandTest):
    name = "a.csv"  # of the result
    left = "a.csv"  # of what a killed run leaves
    arguments = ("--t-end", "400", "--every", "0.1")
    model = PENDULUM
    kills = 25

    def prepare(self):
        """The whole result as CSV, its statistics, and the processor's time of a run with checkpoints."""
        self.write(self.model)
        self.expect(DONE, "run", "model.yaml", "--quiet", *self.arguments, "--out", "whole" + self.name[1:],
                    "--stats", "whole.json")
        whole = self.values("whole" + self.name[1:])
        began = self.processor_time()
        self.expect(DONE, *self.begin())
        return whole, self.statistics("whole.json"), self.processor_time() - began

    def processor_time(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def begin(self):
        return ("run", "model.yaml", "--quiet", *self.arguments, "--out", self.name, "--stats", "a.json",
                "--checkpoint", "a.checkpoint", "--checkpoint-every", "0.005")

    def statistics(self, name):
        found = json.loads(self.read(name))
        del found["seconds"]
        return found

    def values(self, name):
        """A result as CSV, which has as many digits as its numbers."""
        if name.endswith(".csv"):
            return self.read(name)
        self.expect(DONE, "convert", name, "values.csv", "--quiet")
        return self.read("values.csv")

    def killed(self, seconds, *arguments):
        """Runs the command, which ends at once, as by SIGKILL, after some of its processor's time; false if it came to its
        end before."""
        process = self.start(*arguments, preexec_fn=lambda: signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-6)))
        said = process.communicate(timeout=60)[1]
        self.assertIn(process.returncode, (DONE, -signal.SIGPROF), said)
        return process.returncode != DONE

    def check_left(self, whole):
        """What a killed run leaves, once it has a checkpoint, is the beginning of the whole result; read by crank, it
        ends in a complete row. (Of CSV, the kill may cut what the system was taking over at the moment.)"""
        left = self.left if os.path.exists(self.path(self.left)) else self.name  # killed behind the last row
        if left.endswith(".csv"):
            text = self.read(left)
            self.assertTrue(whole.startswith(text), f"{len(text)} characters are not the beginning of the result")
        self.expect(DONE, "convert", left, "left.csv", "--quiet")
        text = self.read("left.csv")
        self.assertTrue(whole.startswith(text), f"{len(text)} characters are not the beginning of the result")
        self.assertTrue(text.endswith("\n") and text.count("\n") > 1, "the last row is not complete")

    def check_whole(self, whole, statistics):
        self.assertTrue(self.values(self.name) == whole, "the resumed result differs")
        self.assertEqual(self.statistics("a.json"), statistics)
        self.assertFalse(os.path.exists(self.path("a.checkpoint")))

    def test_killed_runs_are_complete_to_their_last_row_and_resume_bit_for_bit(self):
        whole, statistics, seconds = self.prepare()
        moment = random.Random(4)
        kills, resumed = 0, 0

        fresh = 0
        while kills < self.kills:
            command = self.begin()
            fresh += 1
            for name in (self.name, self.left, "a.json", "a.checkpoint"):
                if os.path.exists(self.path(name)):
                    os.remove(self.path(name))
            ended = False
            while kills < self.kills and not ended:
                # kills before the first checkpoint show little: about one in four
                least = 0.3 if command[0] == "run" and fresh % 4 != 0 else 0.0
                ended = not self.killed(moment.uniform(least, 0.6) * seconds, *command)
                kills += 0 if ended else 1
                if os.path.exists(self.path("a.checkpoint")):
                    self.check_left(whole)
                    command = ("resume", "a.checkpoint", "--quiet")
                    resumed += 1
                elif command[0] == "resume":
                    ended = True  # killed behind its last act, which is to remove the checkpoint
            if os.path.exists(self.path("a.checkpoint")):
                self.expect(DONE, *command)
                ended = True
            if ended:  # otherwise it was killed before its first checkpoint
                self.check_whole(whole, statistics)
        self.assertGreater(resumed, self.kills // 2)


class Csv(KillTest):
    pass


class Hdf5(KillTest):
    name = left = "a.h5"


class Mat(KillTest):
    name, left = "a.mat", "a.mat.rows"


class Dense(KillTest):
    model, arguments, kills = MECHANISM, ("--t-end", "400", "--every", "0.2"), 13


class Sparse(KillTest):
    model, arguments, kills = MECHANISM, ("--t-end", "400", "--steps", "--option", "linear_algebra=sparse"), 12


del KillTest
main()
