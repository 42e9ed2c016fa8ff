"""crank run --checkpoint and crank resume: a run that was stopped goes on as if it had not been; what cannot be
continued is refused with the reason."""
# SPDX-License-Identifier: BSD-3-Clause
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import termios
import time

from command import BLOW_UP, DONE, FAILED, PENDULUM, USAGE, CommandTest, main

# a slider that is driven along a table, with a pendulum on it: the model is made of two files
DRIVEN = """crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0.1, position: [0, 0]}
  b: {mass: 1, inertia: 0.1, position: [1, 0]}
joints:
  rail: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}
  hinge: {type: revolute, between: [a, b], at: [0, 0]}
  drive: {type: driver, of: body.a.x, table: way.csv}
simulate: {t_end: 1000}
"""
WAY = "t,x\n0,0\n" + "".join(f"{i},{i % 3}\n" for i in range(3, 1003, 3))


class ResumeTest(CommandTest):
    ending = "csv"

    def setUp(self):
        super().setUp()
        self.write(PENDULUM)

    def stop(self, number=signal.SIGINT, *arguments, model="model.yaml", rows=20):
        """Starts a long run with checkpoints and stops it once it has written some; what it said. On a machine that is busy
        it may end before it is stopped: then once more."""
        for _ in range(50):
            process = self.start("run", model, "--every", "0.1", "--out", "a." + self.ending, "--stats", "a.json",
                                 "--checkpoint", "a.checkpoint", "--checkpoint-every", "0.02", *arguments)
            end = time.monotonic() + 30
            while time.monotonic() < end and process.poll() is None:
                if os.path.exists(self.path("a.checkpoint")) and (self.ending != "csv" or self.rows() > rows):
                    break
                time.sleep(0.003)
            process.send_signal(number)
            said = process.communicate(timeout=60)[1].decode()
            if process.returncode != DONE:
                break
            for name in ("a." + self.ending, "a.json", "a.html"):
                if os.path.exists(self.path(name)):
                    os.remove(self.path(name))
        self.assertEqual(process.returncode, FAILED if number != signal.SIGKILL else -number, said)
        return said

    def rows(self, name="a.csv"):
        try:
            return self.read(name).count("\n") - 1
        except FileNotFoundError:
            return -1

    def statistics(self, name):
        found = json.loads(self.read(name))
        del found["seconds"]
        return found

    def compare(self, *arguments, model="model.yaml"):
        """The result and the statistics are those of a run that was not stopped."""
        self.expect(DONE, "run", model, "--every", "0.1", "--out", "whole.csv", "--stats", "whole.json", *arguments)
        self.assertEqual(self.read("a.csv"), self.read("whole.csv"))
        self.assertEqual(self.statistics("a.json"), self.statistics("whole.json"))


class Continued(ResumeTest):
    def test_an_interrupted_run_says_how_to_continue_and_goes_on_bit_for_bit(self):
        said = self.stop(signal.SIGINT, "--t-end", "400")
        self.assertRegex(said, r"stopped at t = [0-9.e+]+: interrupted")
        self.assertIn("to continue: crank resume a.checkpoint", said)
        self.assertEqual(json.loads(self.read("a.json"))["status"], "EINTERRUPTED")
        stopped = json.loads(self.read("a.json"))["t_reached"]
        self.assertLess(stopped, 400)
        resumed = self.expect(DONE, "resume", "a.checkpoint", says="resuming model.yaml at t = ")
        self.assertIn("4001 rows", resumed.err)
        self.compare("--t-end", "400")

    def test_terminate_and_hangup_can_be_resumed_too(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.stop(number, "--t-end", "200")
            self.expect(DONE, "resume", "a.checkpoint")
            self.compare("--t-end", "200")
            os.remove(self.path("a.csv"))

    def test_the_row_of_the_stop_is_no_row_of_the_resumed_run(self):
        self.stop(signal.SIGINT, "--t-end", "400")
        last = self.table(self.read("a.csv"))[1][-1][0]
        self.assertEqual(last, json.loads(self.read("a.json"))["t_reached"])
        self.expect(DONE, "resume", "a.checkpoint", "--quiet")
        times = [row[0] for row in self.table(self.read("a.csv"))[1]]
        self.assertEqual(len(times), 4001)
        self.assertEqual(times, sorted(set(times)))

    def test_rows_of_steps_are_continued(self):
        arguments = ("run", "model.yaml", "--t-end", "600", "--steps")
        process = self.start(*arguments, "--out", "a.csv", "--checkpoint", "a.checkpoint", "--checkpoint-every", "0.02")
        while self.rows() < 20 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        self.expect(DONE, "resume", "a.checkpoint")
        self.expect(DONE, *arguments, "--out", "whole.csv")
        self.assertEqual(self.read("a.csv"), self.read("whole.csv"))

    def test_columns_settings_method_and_options_are_those_of_the_run(self):
        arguments = ("--t-end", "200", "--only", "x", "--only", "step.*", "--set", "grav=9.81", "--method", "geoms",
                     "--option", "h_max=0.05")
        self.stop(signal.SIGINT, *arguments)
        self.expect(DONE, "resume", "a.checkpoint")
        self.compare(*arguments)

    def test_a_model_of_several_files_is_continued_from_another_directory(self):
        self.write(WAY, "way.csv")
        self.write(DRIVEN)
        self.stop(signal.SIGINT, "--t-end", "30", rows=2)
        os.mkdir(self.path("elsewhere"))
        here = self.place
        self.place = self.path("elsewhere")
        self.expect(DONE, "resume", "../a.checkpoint", says=f"in {os.path.realpath(here)}")
        self.place = here
        self.compare("--t-end", "30")

    def test_a_checkpoint_that_was_moved_is_the_one_that_is_continued(self):
        self.stop(signal.SIGINT, "--t-end", "200")
        os.rename(self.path("a.checkpoint"), self.path("moved"))
        self.expect(DONE, "resume", "moved")
        self.compare("--t-end", "200")
        self.assertFalse(os.path.exists(self.path("moved")))
        self.assertFalse(os.path.exists(self.path("a.checkpoint")))

    def test_a_complete_run_removes_its_checkpoint(self):
        self.expect(DONE, "run", "model.yaml", "--out", "a.csv", "--checkpoint", "a.checkpoint")
        self.assertEqual(sorted(os.listdir(self.place)), ["a.csv", "model.yaml"])

    def test_what_a_kill_left_of_a_checkpoint_is_removed_with_it(self):
        self.stop(signal.SIGKILL, "--t-end", "200")
        self.write("half a checkpoint", "a.checkpoint.part")
        self.expect(DONE, "resume", "a.checkpoint")
        self.assertEqual(sorted(os.listdir(self.place)), ["a.csv", "a.json", "model.yaml"])

    def test_checkpoints_change_nothing_in_the_result(self):
        self.expect(DONE, "run", "model.yaml", "--out", "a.csv", "--every", "0.1", "--t-end", "5", "--stats", "a.json",
                    "--checkpoint", "a.checkpoint", "--checkpoint-every", "0")
        self.compare("--t-end", "5")

    def test_a_failure_keeps_the_checkpoint_and_comes_again(self):
        self.write(BLOW_UP)
        first = self.expect(FAILED, "run", "model.yaml", "--every", "0.1", "--out", "a.csv", "--stats", "a.json",
                            "--checkpoint", "a.checkpoint", "--checkpoint-every", "0", says="stopped at t = ")
        result, statistics = self.read("a.csv"), self.statistics("a.json")
        again = self.expect(FAILED, "resume", "a.checkpoint", says="stopped at t = ")
        stopped = [re.search("stopped at .*", text).group() for text in (first.err, again.err)]
        self.assertEqual(stopped[0], stopped[1])
        self.assertEqual(self.read("a.csv"), result)
        self.assertEqual(self.statistics("a.json"), statistics)

    def test_a_full_disk_stops_the_run_which_goes_on_when_there_is_room(self):
        """A limit on the size of files stands for the disk."""
        arguments = ("run", "model.yaml", "--every", "0.1", "--t-end", "300", "--out", "a.csv", "--stats", "a.json",
                     "--checkpoint", "a.checkpoint", "--checkpoint-every", "0.01")
        process = subprocess.Popen([self.crank, *arguments], cwd=self.place, env=self.environment(),
                                   stderr=subprocess.PIPE, restore_signals=False,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000)))
        said = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, FAILED, said)
        self.assertIn("a.csv: cannot write: File too large", said)
        self.assertIn("to continue once it can be written: crank resume a.checkpoint", said)
        self.table(self.read("a.csv"))
        self.expect(DONE, "resume", "a.checkpoint")
        self.compare("--t-end", "300")

    def test_the_page_of_a_resumed_run_is_that_of_the_whole(self):
        self.write("<title><!--crank:title--></title>\n<!--crank:data-->\n", "template.html")
        os.environ["CRANK_PAGE"] = self.path("template.html")
        self.addCleanup(os.environ.pop, "CRANK_PAGE")
        self.stop(signal.SIGINT, "--t-end", "200", "--html", "a.html")
        stopped = self.read("a.html")
        self.expect(DONE, "resume", "a.checkpoint", says="a.html (")
        self.compare("--t-end", "200", "--html", "whole.html")
        self.assertEqual(self.read("a.html"), self.read("whole.html"))
        self.assertNotEqual(self.read("a.html"), stopped)

    def test_results_of_other_formats_are_continued(self):
        for ending in ("h5", "mat"):
            self.ending = ending
            self.stop(signal.SIGTERM, "--t-end", "200")
            self.expect(DONE, "resume", "a.checkpoint", "--quiet")
            self.expect(DONE, "convert", "a." + ending, "a.csv", "--quiet")
            self.compare("--t-end", "200")
            os.remove(self.path("a.csv"))

    def test_quiet_says_nothing(self):
        self.stop(signal.SIGINT, "--t-end", "200")
        self.assertEqual(self.expect(DONE, "resume", "a.checkpoint", "--quiet").err, "")

    def test_the_start_time_alone_needs_no_checkpoint(self):
        self.expect(DONE, "run", "model.yaml", "--t-end", "0", "--out", "a.csv", "--checkpoint", "a.checkpoint")
        self.assertEqual(self.rows(), 1)


class Refused(ResumeTest):
    def test_arguments_of_checkpoints_are_checked(self):
        for says, *arguments in (
                ("rows on standard output cannot be continued", "--checkpoint", "c"),
                ("rows on standard output cannot be continued", "--checkpoint", "c", "--out", "-"),
                ("rows on /dev/null cannot be continued", "--checkpoint", "c", "--out", "/dev/null"),
                ("--checkpoint-every needs --checkpoint", "--checkpoint-every", "3"),
                ("must not be negative", "--checkpoint", "c", "--checkpoint-every", "-1", "--out", "a.csv"),
                ("needs a number", "--checkpoint", "c", "--checkpoint-every", "nan", "--out", "a.csv"),
                ("uses this file already", "--checkpoint", "a.csv", "--out", "a.csv"),
                ("uses this file already", "--checkpoint", "model.yaml", "--out", "a.csv"),
                ("needs the name of a file", "--checkpoint", "-", "--out", "a.csv"),
                ("exclude each other", "--checkpoint", "c", "--out", "a.csv", "--watch", "--html", "a.html")):
            self.expect(USAGE, "run", "model.yaml", *arguments, says=says)
        self.assertEqual(os.listdir(self.place), ["model.yaml"])

    def test_a_checkpoint_replaces_no_other_file_and_leaves_the_earlier_result(self):
        self.write("keep\n", "a.csv")
        self.write("dear diary\n", "diary")
        os.mkdir(self.path("directory"))
        for place, says in (("diary", "exists and is no checkpoint"), ("directory", "exists and is no checkpoint"),
                            ("/dev/full", "exists and is no checkpoint"), ("no/where", "No such file or directory")):
            self.expect(FAILED, "run", "model.yaml", "--out", "a.csv", "--checkpoint", place, says=(place, says))
        self.assertEqual(self.read("a.csv"), "keep\n")
        self.assertEqual(self.read("diary"), "dear diary\n")

    def test_a_place_that_goes_away_is_warned_of_and_the_run_goes_on(self):
        os.mkdir(self.path("place"))
        process = self.start("run", "model.yaml", "--t-end", "4000", "--every", "1", "--out", "a.csv", "--checkpoint",
                             "place/c", "--checkpoint-every", "0.01")
        while self.rows() < 20 and process.poll() is None:
            time.sleep(0.01)
        os.rename(self.path("place"), self.path("gone"))
        said = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, DONE, said)
        self.assertEqual(said.count("warning: place/c: cannot write: No such file or directory; the checkpoint before stays"),
                         1, said)
        self.assertEqual(self.rows(), 4001)

    def test_a_result_that_was_changed_in_an_early_row_is_not_continued(self):
        self.stop(signal.SIGINT, "--t-end", "2000")
        lines = self.read("a.csv").split("\n")
        for row in (1, 7):
            changed = list(lines)
            changed[row] = re.sub(r"\d(?=,[^,]*$)", lambda digit: str(9 - int(digit.group())), changed[row])
            self.write("\n".join(changed), "a.csv")
            self.expect(FAILED, "resume", "a.checkpoint", says=("a.csv", "are not those that the run wrote"))
        self.write("\n".join(lines), "a.csv")
        self.expect(DONE, "resume", "a.checkpoint")

    def test_what_is_no_checkpoint_is_refused(self):
        os.mkdir(self.path("directory"))
        self.write(b"", "empty")
        self.write(bytes(range(256)) * 10, "binary")
        os.mkfifo(self.path("pipe"))
        for name, says in (("missing", "No such file or directory; a run that has ended has none"), ("directory", "is not a file"), ("pipe", "is not a file"),
                           ("empty", "is no checkpoint"), ("binary", "is no checkpoint"), ("model.yaml", "is no checkpoint")):
            self.expect(FAILED, "resume", name, says=(name, says))
        self.expect(USAGE, "resume", says="crank resume CHECKPOINT")
        self.expect(USAGE, "resume", "a", "b", says="one argument too many")

    def test_a_damaged_checkpoint_is_refused_and_the_result_left_alone(self):
        self.stop(signal.SIGINT, "--t-end", "400")
        result = self.read("a.csv")
        with open(self.path("a.checkpoint"), "rb") as file:
            good = file.read()
        for length in (16, 17, 20, 33, 40, len(good) // 2, len(good) - 9, len(good) - 8, len(good) - 1):
            self.write(good[:length], "cut")
            self.expect(FAILED, "resume", "cut", says=("cut", "no checkpoint" if length < 17 else "cut off"))
        self.write(good + b"\0", "cut")
        self.expect(FAILED, "resume", "cut", says="cut off")
        for place in range(0, len(good), len(good) // 60):
            bad = bytearray(good)
            bad[place] ^= 0x10
            self.write(bytes(bad), "bad")
            said = self.expect(FAILED, "resume", "bad", says="bad: ").err
            self.assertRegex(said, "damaged|cut off|no checkpoint|another version")
        self.assertEqual(self.read("a.csv"), result)
        self.expect(DONE, "resume", "a.checkpoint")

    def forge(self, old, new):
        """The checkpoint with some bytes replaced by as many others, and the sum that fits (FNV-1a)."""
        with open(self.path("a.checkpoint"), "rb") as file:
            data = file.read()[:-8]
        self.assertEqual(len(old), len(new))
        self.assertIn(old, data)
        data = data.replace(old, new, 1)
        total = 0xcbf29ce484222325
        for byte in data:
            total = (total ^ byte) * 0x100000001b3 % 2 ** 64
        self.write(data + struct.pack("=Q", total), "forged")

    def test_another_version_of_crank_is_refused(self):
        self.stop(signal.SIGINT, "--t-end", "400")
        version = self.expect(DONE, "--version").out.split()[1].encode()
        self.forge(version, b"9" + version[1:])
        self.expect(FAILED, "resume", "forged", says=("is of crank 9", "start the run anew"))

    def test_another_build_of_crank_is_warned_of(self):
        self.stop(signal.SIGINT, "--t-end", "200")
        with open(self.crank, "rb") as file:
            self.write(file.read() + b"another", "crank")
        os.chmod(self.path("crank"), 0o755)
        self.crank = self.path("crank")
        self.expect(DONE, "resume", "a.checkpoint", "--quiet", says="warning: this crank was built otherwise")
        self.compare("--t-end", "200")

    def test_an_argument_that_this_crank_does_not_know_is_refused(self):
        self.stop(signal.SIGINT, "--t-end", "400")
        self.forge(b"--every", b"--never")
        self.expect(USAGE, "resume", "forged", says="--never")

    def test_a_changed_model_is_refused_by_name(self):
        self.write(WAY, "way.csv")
        self.write(DRIVEN)
        self.stop(signal.SIGINT, rows=2)
        result = self.read("a.csv")
        for name in ("model.yaml", "way.csv"):
            text = self.read(name)
            self.write(text + "\n", name)
            self.expect(FAILED, "resume", "a.checkpoint", says=(name, "has changed since the run began"))
            self.write(text.replace("1", "2", 1), name)
            self.expect(FAILED, "resume", "a.checkpoint", says=(name, "has changed since the run began"))
            os.remove(self.path(name))
            self.expect(FAILED, "resume", "a.checkpoint", says=(name, "No such file or directory"))
            self.write(text, name)
        self.assertEqual(self.read("a.csv"), result)

    def test_a_result_that_does_not_fit_is_refused(self):
        self.stop(signal.SIGINT, "--t-end", "400")
        result = self.read("a.csv")
        self.write("\n".join(result.split("\n")[:5]) + "\n", "a.csv")
        self.expect(FAILED, "resume", "a.checkpoint", says="a.csv")
        self.write(result.replace("time,x,", "time,z,"), "a.csv")
        self.assertNotEqual(self.call("resume", "a.checkpoint").code, DONE)
        os.remove(self.path("a.csv"))
        self.expect(FAILED, "resume", "a.checkpoint", says=("a.csv", "No such file or directory"))
        self.write(result, "a.csv")
        self.expect(DONE, "resume", "a.checkpoint")
        self.compare("--t-end", "400")

    def test_a_directory_that_is_gone_is_told(self):
        os.mkdir(self.path("place"))
        os.rename(self.path("model.yaml"), self.path("place/model.yaml"))
        top, self.place = self.place, self.path("place")
        self.stop(signal.SIGINT, "--t-end", "400")
        self.place = top
        os.rename(self.path("place"), self.path("moved"))
        self.expect(FAILED, "resume", "moved/a.checkpoint", says=("place, where the run was started", "No such file"))


class Terminal(CommandTest):
    """Standard error is a terminal of a given width."""

    def watch(self, width, *arguments, seconds=1.0):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        command = [self.crank, "run", self.write(PENDULUM), "--t-end", "1e7", "--every", "0.5", "--out", "a.csv",
                   *arguments]
        pid = os.fork()
        if pid == 0:
            try:
                os.chdir(self.place)
                os.dup2(follower, 2)
                os.execve(command[0], command, self.environment())
            finally:
                os._exit(127)
        os.close(follower)
        said, end = b"", None
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([leader], [], [], 0.05)[0]:
                try:
                    piece = os.read(leader, 65536)
                except OSError:  # the other side is closed
                    break
                said += piece
            if end is None and b"\r" in said:
                end = time.monotonic() + seconds
            if end is not None and time.monotonic() > end:
                os.kill(pid, signal.SIGINT)
                end = float("inf")
        os.close(leader)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return code, said.decode()

    def test_progress_shows_bar_time_step_rows_and_time_to_go(self):
        code, said = self.watch(100)
        self.assertEqual(code, FAILED)
        self.assertRegex(said, r"\r\x1b\[K\[=*> *\] 0% t [0-9.e+]+ of 1e\+07 s step [0-9.e-]+ s [0-9]+ rows [0-9.]+ (s|min|h|days) to go")
        self.assertRegex(said, r"\r\x1b\[K(crank: )?.*stopped at t = [0-9.e+]+: interrupted")

    def test_progress_fits_narrow_terminals(self):
        for width in (60, 40, 24, 12):
            _, said = self.watch(width, seconds=0.3)
            lines = [text for text in re.split(r"\r\x1b\[K", said)[1:] if "%" in text.split("\n")[0]]
            self.assertTrue(lines, said)
            for line in lines:
                line = line.split("crank:")[0]
                self.assertLess(len(line), width, line)
                self.assertIn("0%", line)

    def test_quiet_draws_nothing(self):
        leader, follower = pty.openpty()
        process = self.start_with(follower, "run", self.write(PENDULUM), "--t-end", "100", "--out", "a.csv", "--quiet")
        os.close(follower)
        self.assertEqual(process.wait(timeout=60), DONE)
        self.assertFalse(select.select([leader], [], [], 0)[0] and self.drain(leader))
        os.close(leader)

    def start_with(self, terminal, *arguments):
        return subprocess.Popen([self.crank, *arguments], cwd=self.place, env=self.environment(), stderr=terminal)

    def drain(self, leader):
        try:
            return os.read(leader, 65536)
        except OSError:
            return b""


main()
