#!/usr/bin/env python3
# What of Modelica is supported and what is refused: one small file a production of the grammar in
# tests/cross/modelica, whose first lines say which it is and what is expected:
#
#     // production: for-equation
#     // supported: what is to be said about it           // refused: a part of the message
#     // value: x[3] = 6                                   (of the last row)
#     // options: --library packages                       (of the command)
#     // exit: 1                                           (of what is refused in the run; else 3)
#
# docs/modelica.md is the table of these lines: --write makes it anew.
#
#     check_modelica.py CRANK [--write] [NAME]
# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import re
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent.parent
files = sorted((root / "tests/cross/modelica").glob("*.mo"))
failures = []


def header(path):
    entry = {"values": []}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("//! base"):
            continue
        match = re.match(r"// (production|supported|refused|value|options|exit): (.*)", line)
        if not match:
            break
        key, text = match.groups()
        if key == "value":
            entry["values"].append(text.rsplit(" = ", 1))
        else:
            entry[key] = text
    return entry


def run(crank, path, options):
    return subprocess.run([crank, "run", path.name, "--quiet", "--points", "4", *options], cwd=path.parent,
                          capture_output=True, text=True, check=False)


def check_values(path, entry, text):
    rows = list(csv.DictReader(io.StringIO(text)))
    for name, value in entry["values"]:
        got = float(rows[-1].get(name, "nan"))
        if not abs(got - float(value)) <= 1e-5 * (1 + abs(float(value))):
            failures.append(f"{path.name}: {name} is {got:g}, expected {value}")


def check(crank, path):
    entry = header(path)
    result = run(crank, path, entry.get("options", "").split())
    if "supported" in entry:
        if result.returncode != 0:
            failures.append(f"{path.name}: refused: {result.stderr.strip()}")
        else:
            check_values(path, entry, result.stdout)
    elif result.returncode != int(entry.get("exit", 3)):
        failures.append(f"{path.name}: exit {result.returncode}, expected {entry.get('exit', 3)} (refused)")
    elif entry["refused"] not in result.stderr or not re.search(r"\.mo:\d+:\d+[:)]", result.stderr):
        failures.append(f"{path.name}: expected a place and '{entry['refused']}', got: {result.stderr.strip()}")


def table():
    lines = ["# Modelica, production by production", "",
             "Made by `tests/cross/check_modelica.py`, which runs a file for each row (`tests/cross/modelica`). What is",
             "[refused](formats.md#modelica) is an error with construct, line and column.", ""]
    for kind, title, head in (("supported", "Supported", "how"), ("refused", "Refused", "message")):
        lines += [f"## {title}", "", f"| production | {head} | file |", "|---|---|---|"]
        for path in files:
            entry = header(path)
            if kind in entry:
                text = entry[kind].replace("|", "\\|")
                production = entry["production"].replace("|", "\\|")
                lines.append(f"| {production} | {text} | `{path.stem}` |")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def main():
    crank, names = str(Path(sys.argv[1]).resolve()), [a for a in sys.argv[2:] if a != "--write"]
    page = root / "docs/modelica.md"
    if "--write" in sys.argv:
        page.write_text(table(), encoding="utf-8")
    elif not names and (not page.exists() or page.read_text(encoding="utf-8") != table()):
        failures.append("docs/modelica.md is not what the files say; run check_modelica.py CRANK --write")
    for path in files:
        if not names or path.stem in names:
            check(crank, path)
    for text in failures:
        print(text)
    return 1 if failures else 0


sys.exit(main())
