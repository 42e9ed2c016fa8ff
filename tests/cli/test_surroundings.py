"""What surrounds the command: streams that are closed, signals that are ignored, limits on files, other runs that write the
same file, names that lead to one file."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import resource
import signal
import subprocess
import time

from command import DONE, FAILED, PENDULUM, USAGE, CommandTest, main

FORMATS = (("a.csv", "a.csv"), ("a.h5", "a.h5"), ("a.mat", "a.mat.rows"))  # and what is written during the run


class Surroundings(CommandTest):
    def setUp(self):
        super().setUp()
        self.write(PENDULUM)
        self.write("<title><!--crank:title--></title>\n<!--crank:data-->\n", "template.html")

    def environment(self):
        return dict(super().environment(), CRANK_PAGE=self.path("template.html"))


class Streams(Surroundings):
    def closed(self, numbers, *arguments):
        """The exit status of a command whose standard streams of these numbers are closed."""
        def close():
            for number in numbers:
                os.close(number)

        return subprocess.run([self.crank, *arguments], cwd=self.place, env=self.environment(), timeout=60,
                              stdin=subprocess.DEVNULL, preexec_fn=close, check=False).returncode

    def test_closed_streams_leave_results_alone(self):
        """A file must not get the number of a closed stream: messages would be written into it."""
        arguments = ("run", "model.yaml", "--stats", "a.json", "--html", "a.html", "--out")
        self.expect(DONE, *arguments, "whole.csv")
        page = self.read("a.html")
        for numbers in ((2,), (1, 2), (0, 1, 2)):
            self.assertEqual(self.closed(numbers, *arguments, "a.csv"), DONE)
            self.assertEqual(self.read("a.csv"), self.read("whole.csv"))
            self.assertEqual(self.read("a.html"), page)

    def test_closed_standard_output_is_a_failure(self):
        self.expect(DONE, "run", "model.yaml", "--out", "a.csv")
        for arguments in (("run", "model.yaml"), ("convert", "a.csv", "-"), ("view", "a.csv", "-o", "-"),
                          ("plot", "a.csv", "x", "-o", "-")):
            self.assertEqual(self.closed((1, 2), *arguments), FAILED, arguments)

    def test_a_reader_of_a_list_that_has_read_enough_is_not_told(self):
        self.expect(DONE, "run", "model.yaml", "--out", "a.csv")
        for arguments in (("init", "model.yaml", "--all"), ("check", "model.yaml"), ("schema",), ("methods",),
                          ("plot", "a.csv", "--list")):
            reader, writer = os.pipe()
            os.close(reader)
            process = self.start(*arguments, stdout=writer)
            os.close(writer)
            messages = process.communicate(timeout=60)[1].decode()
            self.assertNotIn("Broken pipe", messages, arguments)
            self.assertNotIn("standard output", messages, arguments)
            self.assertEqual(process.returncode, FAILED, arguments)

    def test_messages_follow_what_was_printed_before_them(self):
        with open(self.path("both.txt"), "wb") as both:
            done = subprocess.run([self.crank, "init", "model.yaml", "--set", "x=0.5"], cwd=self.place,
                                  env=self.environment(), timeout=60, stdout=both, stderr=both, check=False)
        self.assertEqual(done.returncode, DONE)
        text = self.read("both.txt")
        self.assertLess(text.index("consistent       change"), text.index("the given values are not consistent"))

    def test_closed_standard_input_is_a_failure(self):
        self.assertEqual(self.closed((0, 2), "convert", "-", "b.csv"), FAILED)


class Signals(Surroundings):
    def test_signals_that_the_caller_ignores_are_ignored(self):
        """As under nohup, or in the background of a script."""
        for number in (signal.SIGHUP, signal.SIGINT):
            process = self.start("run", "model.yaml", "--t-end", "300", "--every", "0.1", "--out", "a.csv",
                                 preexec_fn=lambda number=number: signal.signal(number, signal.SIG_IGN))
            while process.poll() is None:
                process.send_signal(number)
                time.sleep(0.01)
            said = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, DONE, said)
            self.assertEqual(len(self.table(self.read("a.csv"))[1]), 3001)


class Limits(Surroundings):
    def limited(self, size, *arguments):
        """Signals are as a shell leaves them: a file that grows too large sends one."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        process = self.start(*arguments, preexec_fn=limit)
        said = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, FAILED, said)
        return said

    def test_a_limit_on_the_size_of_files_is_told(self):
        for name, written in FORMATS:
            said = self.limited(20000, "run", "model.yaml", "--every", "0.0005", "--out", name)
            self.assertIn(written + ": cannot write: File too large", said)

    def test_a_page_that_does_not_fit_tells_the_reason(self):
        self.write("<title><!--crank:title--></title>\n" + "x" * 50000 + "<!--crank:data-->\n", "template.html")
        self.expect(DONE, "run", "model.yaml", "--out", "a.csv")
        said = self.limited(20000, "view", "a.csv", "-o", "a.html")
        self.assertIn("a.html: cannot write: File too large", said)
        self.assertEqual([name for name in os.listdir(self.place) if name.startswith("a.html")], [])

    def test_what_is_no_template_is_told_before_the_run(self):
        self.write("dear diary\n", "template.html")
        self.expect(FAILED, "run", "model.yaml", "--out", "a.csv", "--html", "a.html", says="is not the template of a page")
        self.assertFalse(os.path.exists(self.path("a.csv")))


class OneFile(Surroundings):
    def test_two_outputs_do_not_share_a_file(self):
        for one, other, link in (("--out", "--html", "a.html"), ("--out", "--stats", "a.json")):
            self.write("keep\n", "a.csv")
            os.symlink("a.csv", self.path(link))
            self.expect(USAGE, "run", "model.yaml", one, "a.csv", other, link, says="are the same file")
            self.assertEqual(self.read("a.csv"), "keep\n")

    def test_a_checkpoint_is_none_of_the_files_that_a_run_writes_for_a_time(self):
        for out, place in (("a.mat", "a.mat.rows"), ("a.mat", "a.mat.part"), ("a.h5", "a.h5.part")):
            self.expect(USAGE, "run", "model.yaml", "--out", out, "--checkpoint", place, says="uses this file already")
        self.assertEqual(sorted(os.listdir(self.place)), ["model.yaml", "template.html"])


class OneWriter(Surroundings):
    def begin(self, name):
        """A long run that has written some checkpoints, the last beyond its first row."""
        process = self.start("run", "model.yaml", "--t-end", "1e7", "--every", "0.5", "--out", name, "--checkpoint",
                             "a.checkpoint", "--checkpoint-every", "0.05")
        seen = set()
        while len(seen) < 4 and process.poll() is None:
            if os.path.exists(self.path("a.checkpoint")):
                seen.add(os.stat(self.path("a.checkpoint")).st_mtime_ns)
            time.sleep(0.01)
        self.assertIsNone(process.poll())
        return process

    def test_a_result_that_is_being_written_is_not_written_by_another_run(self):
        for name, written in FORMATS:
            process = self.begin(name)
            try:
                for arguments in (("resume", "a.checkpoint"), ("run", "model.yaml", "--out", name)):
                    self.expect(FAILED, *arguments, says=(written, "another process has it open"))
                self.assertIsNone(process.poll())
            finally:
                process.send_signal(signal.SIGINT)
                said = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, FAILED, said)
            self.expect(DONE, "convert", name, "left.csv")
            times = [row[0] for row in self.table(self.read("left.csv"))[1]]
            self.assertEqual(times[:-1], [0.5 * i for i in range(len(times) - 1)])
            os.remove(self.path("a.checkpoint"))

    def test_the_result_of_another_run_is_not_continued(self):
        """It has as many rows and the same columns, but not the same values."""
        for name, _ in FORMATS:
            process = self.begin(name)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
            self.expect(DONE, "run", "model.yaml", "--set", "grav=9", "--t-end", "400", "--every", "0.01", "--out", name)
            before = self.content(name)
            self.expect(FAILED, "resume", "a.checkpoint", says=(name, "are not those that the run wrote"))
            self.assertEqual(self.content(name), before)
            self.assertFalse(os.path.exists(self.path(name + ".rows")))

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()


main()
