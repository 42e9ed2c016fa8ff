#!/usr/bin/env python3
"""Runs an example and compares what it prints with its .out file.

    compare.py EXPECTED DIGITS PROGRAM [ARGUMENT...]
    compare.py --write EXPECTED PROGRAM [ARGUMENT...]

Words must be equal. Reals (with a point or an exponent) may differ by 10^-DIGITS, relative to
their size or to 1; whole numbers, which count something, by a tenth or by 5.
"""
# SPDX-License-Identifier: BSD-3-Clause
import re
import subprocess
import sys

TOKEN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[^\s\d.+-]+|\S")


def near(actual, expected, digits):
    if actual == expected:
        return True
    try:
        a, e = float(actual), float(expected)
    except ValueError:
        return False
    if re.fullmatch(r"[-+]?\d+", expected):
        return abs(a - e) <= max(5.0, 0.1 * abs(e))
    return abs(a - e) <= 10.0**-digits * max(1.0, abs(e))


def main():
    write = sys.argv[1] == "--write"
    expected_path, rest = (sys.argv[2], sys.argv[3:]) if write else (sys.argv[1], sys.argv[3:])
    done = subprocess.run(rest, capture_output=True, text=True, check=False)
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        print(f"{rest[0]} ended with {done.returncode}")
        return 1
    if write:
        with open(expected_path, "w", encoding="utf-8") as file:
            file.write(done.stdout)
        return 0
    with open(expected_path, encoding="utf-8") as file:
        expected = file.read().splitlines()
    actual = done.stdout.splitlines()
    bad = []
    for number in range(max(len(actual), len(expected))):
        a = actual[number] if number < len(actual) else ""
        e = expected[number] if number < len(expected) else ""
        words, wanted = TOKEN.findall(a), TOKEN.findall(e)
        if len(words) != len(wanted) or not all(
            near(x, y, int(sys.argv[2])) for x, y in zip(words, wanted)
        ):
            bad.append(f"line {number + 1}:\n  is        {a}\n  should be {e}")
    print("\n".join(bad) or "as expected")
    return 1 if bad else 0


sys.exit(main())
