"""What a model of size N costs as N grows, by counts that no other process on the machine changes.

    python3 check_scaling.py CRANK MODEL memory|instructions|start [METHOD]

MODEL: a script that writes a chain of N links as equations, or a model file with a parameter N, such as that of N
four-bar loops from bodies and joints.
memory: largest resident size of the command for N = 30, 300, 1000, 3000 (at least that of Python, which
starts it). Three times the size may take four times the memory: linear, with room for what the allocator
rounds up; a dense matrix would take nine.
start: instructions in joint coordinates before the first step, for N = 200 and 400. Along a chain every body moves with
every joint before it, so that matrices have N^2 entries; but nothing may decompose them: N^2.1 at most, N^3 takes over
from these sizes on if something does (it was N^2.7).
instructions: those of the accepted steps, and of everything before them, under valgrind's callgrind, for N = 100 and
1000. Their number may grow like N^1.15: linear, and the logarithm that a fill-reducing order may cost. Exit 77 where
there is no valgrind. Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile


def arguments(command, model, place, count, t_end):
    if model.endswith(".py"):
        path = os.path.join(place, "chain-%d.yaml" % count)
        with open(path, "wb") as out:
            subprocess.run([sys.executable, model, str(count), "--t-end", repr(t_end)], stdout=out, check=True)
        further = []
    else:
        path, further = model, ["--set", "N=%d" % count, "--t-end", repr(t_end), "--rtol", "1e-6", "--atol", "1e-6"]
    return [command, "run", path, "--option", "linear_algebra=sparse", "--points", "1", "--out",
            os.path.join(place, "out.csv"), "--stats", os.path.join(place, "stats.json"), *further,
            *(["--method", sys.argv[4]] if len(sys.argv) > 4 else [])]


def steps(place):
    with open(os.path.join(place, "stats.json"), encoding="utf-8") as text:
        return json.load(text)["steps"]


def resident_size(line):
    """Largest resident size of the process, in kB."""
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)  # pylint: disable=consider-using-with
    messages = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit("exit %d: %s" % (process.returncode, messages))
    return usage.ru_maxrss


def check_memory(command, model, place):
    sizes = {}
    for count in (30, 300, 1000, 3000):
        sizes[count] = resident_size(arguments(command, model, place, count, 0.05))
        print("N = %4d: %6d kB, %d steps" % (count, sizes[count], steps(place)))
    ratio = sizes[3000] / sizes[1000]
    print("from N = 1000 to 3000: %.2f times the memory, limit 4" % ratio)
    return ratio < 4


def instructions(line, *collect):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *collect, *line],
                          capture_output=True, text=True, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or collected is None or int(collected[1]) == 0:
        raise SystemExit("exit %d: %s" % (done.returncode, done.stderr[-2000:]))
    return int(collected[1])


def check_start(command, model, place):
    if shutil.which("valgrind") is None:
        print("no valgrind here: skipped")
        sys.exit(77)
    before = {}
    for count in (200, 400):
        line = [*arguments(command, model, place, count, 1e-4), "--coordinates", "joint"]
        before[count] = instructions(line) - instructions(line, "--toggle-collect=crank_integrator_step")
        print("N = %4d: %.3g instructions" % (count, before[count]))
    exponent = math.log2(before[400] / before[200])
    print("they grow like N^%.2f, limit 2.1" % exponent)
    return exponent < 2.1


def check_instructions(command, model, place):
    if shutil.which("valgrind") is None:
        print("no valgrind here: skipped")
        sys.exit(77)
    per_step, before = {}, {}
    for count in (100, 1000):
        line = arguments(command, model, place, count, 0.2)
        in_steps = instructions(line, "--toggle-collect=crank_integrator_step")
        per_step[count] = in_steps / steps(place)
        before[count] = instructions(line) - in_steps
        print("N = %4d: %.3g instructions a step, %d steps; %.3g besides"
              % (count, per_step[count], steps(place), before[count]))
    exponents = [math.log10(counts[1000] / counts[100]) for counts in (per_step, before)]
    print("they grow like N^%.2f and N^%.2f, limit 1.15" % tuple(exponents))
    return max(exponents) < 1.15


def main():
    kinds = {"memory": check_memory, "instructions": check_instructions, "start": check_start}
    if len(sys.argv) not in (4, 5) or sys.argv[3] not in kinds:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as place:
        fine = kinds[sys.argv[3]](sys.argv[1], sys.argv[2], place)
    sys.exit(0 if fine else 1)


main()
