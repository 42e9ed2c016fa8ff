"""Ctrl-C in Octave ends a run of crank at once, of a model and of functions of the caller, and leaves everything usable.

    python3 test_interrupt.py OCTAVE FOLDER      the folder with crank's functions; run in the project's folder
"""
# SPDX-License-Identifier: BSD-3-Clause
import signal
import subprocess
import sys
import time

PENDULUM = "'models/pendulum/pendulum.yaml'"
LONG = {
    "a model": f"crank_run({PENDULUM}, 't_end', 1e9, 'points', 2);",
    "a function": "crank_solve(@(t, y) [y(2); -y(1)], [0 1e9], [0; 1]);",
    "equations of motion": "crank_solve(struct('f', @(t, p, v) -p), [0 1e9], [0; 1]);",
}
AFTER = f"r = crank_run({PENDULUM}, 't_end', 0.1); s = crank_solve(@(t, y) -y, [0 1], 1); printf('after %g %.4f\\n', r.t(end), s.y(end));"


def wait_for(process, word):
    while True:
        line = process.stdout.readline()
        if not line:
            sys.exit(f"it ended with {process.wait()} before it said {word}")
        if word in line:
            return line


def main(octave, folder):
    order = [octave, "--norc", "--no-history", "--no-line-editing", "--interactive", "--path", folder]
    process = subprocess.Popen(order, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
    for what, script in LONG.items():
        process.stdin.write(f"disp('begun'); fflush(stdout);\n{script} disp('not interrupted');\n")
        wait_for(process, "begun")
        time.sleep(0.7)  # it is under way
        process.send_signal(signal.SIGINT)
        process.stdin.write(f"{AFTER} fflush(stdout);\n")
        line = wait_for(process, "after")
        if "after 0.1 0.3679" not in line:
            sys.exit(f"Ctrl-C in {what}: {line}")
    process.stdin.write("exit\n")
    rest, _ = process.communicate(timeout=60)
    if "not interrupted" in rest:
        sys.exit(rest)
    print(f"{len(LONG)} passed, 0 failed")


main(*sys.argv[1:])
