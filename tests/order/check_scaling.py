"""What a chain of N links costs as N grows, by counts that no other process on the machine changes.

    python3 check_scaling.py CRANK MAKE_CHAIN memory|instructions

memory: largest resident size of the command for N = 30, 300, 1000, 3000 (at least that of Python, which
starts it). Three times the links may take four times the memory: linear, with room for what the allocator
rounds up; a dense matrix would take nine.
instructions: those of the accepted steps under valgrind's callgrind, for N = 100 and 1000. Their number per
step may grow like N^1.15: linear, and the logarithm that a fill-reducing order may cost. Exit 77 where there
is no valgrind. Needs Python 3 alone.
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


def make_model(make_chain, place, count, t_end):
    path = os.path.join(place, "chain-%d.yaml" % count)
    with open(path, "wb") as out:
        subprocess.run([sys.executable, make_chain, str(count), "--t-end", repr(t_end)], stdout=out,
                       check=True)
    return path


def arguments(command, model, place):
    return [command, "run", model, "--option", "linear_algebra=sparse", "--points", "1", "--out",
            os.path.join(place, "out.csv"), "--stats", os.path.join(place, "stats.json")]


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


def check_memory(command, make_chain, place):
    sizes = {}
    for count in (30, 300, 1000, 3000):
        sizes[count] = resident_size(arguments(command, make_model(make_chain, place, count, 0.05), place))
        print("N = %4d: %6d kB, %d steps" % (count, sizes[count], steps(place)))
    ratio = sizes[3000] / sizes[1000]
    print("from N = 1000 to 3000: %.2f times the memory, limit 4" % ratio)
    return ratio < 4


def check_instructions(command, make_chain, place):
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        print("no valgrind here: skipped")
        sys.exit(77)
    per_step = {}
    for count in (100, 1000):
        model = make_model(make_chain, place, count, 0.2)
        done = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null",
                               "--toggle-collect=crank_integrator_step", *arguments(command, model, place)],
                              capture_output=True, text=True, check=False)
        collected = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or collected is None or int(collected[1]) == 0:
            raise SystemExit("exit %d: %s" % (done.returncode, done.stderr[-2000:]))
        per_step[count] = int(collected[1]) / steps(place)
        print("N = %4d: %.3g instructions a step, %d steps" % (count, per_step[count], steps(place)))
    exponent = math.log10(per_step[1000] / per_step[100])
    print("they grow like N^%.2f, limit 1.15" % exponent)
    return exponent < 1.15


def main():
    kinds = {"memory": check_memory, "instructions": check_instructions}
    if len(sys.argv) != 4 or sys.argv[3] not in kinds:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as place:
        fine = kinds[sys.argv[3]](sys.argv[1], sys.argv[2], place)
    sys.exit(0 if fine else 1)


main()
