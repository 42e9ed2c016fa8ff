"""Ctrl-C in Octave ends a run of crank at once.

    python3 test_interrupt.py OCTAVE FOLDER      the folder with crank's functions; run in the project's folder
"""
# SPDX-License-Identifier: BSD-3-Clause
import signal
import subprocess
import sys

PENDULUM = "'models/pendulum/pendulum.yaml'"
SCRIPT = f"""crank_run({PENDULUM}, 't_end', 0.1);
disp('begun'); fflush(stdout);
crank_run({PENDULUM}, 't_end', 1e9, 'points', 2);
disp('not interrupted');"""

process = subprocess.Popen([sys.argv[1], "--norc", "--path", sys.argv[2], "--eval", SCRIPT], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
said = process.stdout.readline()
try:
    process.communicate(timeout=1)  # it is under way
    sys.exit("it ended by itself")
except subprocess.TimeoutExpired:
    process.send_signal(signal.SIGINT)
try:
    rest, _ = process.communicate(timeout=60)
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit("Ctrl-C had no effect for a minute")
if said.strip() != "begun" or "not interrupted" in rest or process.returncode == 0:
    sys.exit(f"{said}{rest}ended with {process.returncode}")
