#!/usr/bin/env python3
"""Checks the manual and the README against the command.

    check_manual.py CRANK

Every option and its default, every method and every status must stand in docs/manual.md, and
nothing else may. Every line of a ```sh block that begins with `crank` or `build/crank` is run, in
a scratch directory that sees models/; "# exit N" at its end is the expected status, 0 without.
The indented block after <!-- sample: COMMAND --> must stand in what that command says, on standard
error or standard output, up to numbers and line breaks; a line of three dots stands for what is
left out. <!-- sample: COMMAND; with OLD => NEW --> runs it on a model file in which OLD, which
occurs there once, is replaced by NEW (\\n: a line break).
Every ```yaml block that is a whole model is checked by `crank check`; after <!-- file: NAME --> it
must be docs/tutorial/NAME, which commands find as NAME.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent
command = os.path.abspath(sys.argv[1])
manual = (root / "docs/manual.md").read_text(encoding="utf-8")
failures = []


def output(*arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True, check=True).stdout


def section(title):
    """The text of a section, up to the next heading of the same or a higher level."""
    start = manual.index(f"\n## {title}\n")
    end = manual.find("\n## ", start + 4)
    return manual[start : end if end >= 0 else None]


def compare(what, known, written):
    for name in sorted(set(known) - set(written)):
        failures.append(f"docs/manual.md: {what} {name} is missing")
    for name in sorted(set(written) - set(known)):
        failures.append(f"docs/manual.md: there is no {what} {name}")


def check_options():
    known = dict(re.findall(r"^  (\S+) .*\n +.*default (\S+)$", output("options"), re.M))
    written = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", section("Options"), re.M))
    compare("option", known, written)
    for name in known.keys() & written.keys():
        if known[name] != written[name]:
            failures.append(f"docs/manual.md: default of {name} is {known[name]}")
    owners = dict(re.findall(r"^  (\S+) .*\n +.*default \S+\n +of (.*)$", output("options"), re.M))
    written = dict(re.findall(r"^\| `(\w+)` \|.*\| (\w[^|]*) \|$", owner_tables(), re.M))
    for name in sorted(owners.keys() | written.keys()):
        if owners.get(name) != written.get(name):
            failures.append(f"docs/manual.md: {name} is an option of {owners.get(name, 'all')}")


def owner_tables():
    """The tables of options with a column for those that have them."""
    tables = section("Options").split("\n### ")
    return "\n".join(table for table in tables if "| meaning | of |" in table)


def check_keys():
    """The tables of keys and the JSON Schema are what the command makes of its own tables."""
    for name, arguments in (("crank.schema.json", ()), ("mechanism_keys.md", ("--reference",))):
        if (root / "docs" / name).read_text(encoding="utf-8") != output("schema", *arguments):
            failures.append(f"docs/{name}: differs from `crank schema {' '.join(arguments)}`")


def check_methods():
    known = re.findall(r"^  (\S+)", output("methods"), re.M)
    rows = re.findall(r"^\| (`[^|]*) \|", section("Methods"), re.M)
    compare("method", known, [name for row in rows for name in re.findall(r"`([^`]+)`", row)])


def check_statuses():
    header = (root / "include/crank/base.h").read_text(encoding="utf-8")
    known = re.findall(r"^    X\((\w+), -?\d+,", header, re.M)
    written = re.findall(r"^\| ([A-Z_]+) \|", section("When it fails"), re.M)
    compare("status", [name for name in known if name != "OK"], written)


def environment(scratch):
    """What commands are run with: where the page is not built, a template of its own."""
    if (Path(command).parent / "viewer/page.html").exists():
        return None
    template = Path(scratch) / "template.html"
    template.write_text("<title><!--crank:title--></title>\n<!--crank:data-->\n", encoding="utf-8")
    return {**os.environ, "CRANK_PAGE": str(template)}


def run_line(path, line, scratch):
    """Runs "crank ... # exit N" in scratch; what it said on standard error and standard output."""
    expected = re.search(r"# exit (\d)$", line)
    words = shlex.split(line, comments=True)
    done = subprocess.run([command, *words[1:]], cwd=scratch, env=environment(scratch),
                          capture_output=True, text=True, check=False)
    if done.returncode != (int(expected.group(1)) if expected else 0):
        failures.append(f"{path}: {line}: exit {done.returncode}\n{done.stderr}")
    return done.stderr, done.stdout


def run_changed(path, line, change, scratch):
    """Runs a command on its model file with a change: the mistake that a sample shows."""
    model = Path(scratch) / shlex.split(line)[2]
    right = model.read_text(encoding="utf-8")
    old, new = (text.replace("\\n", "\n") for text in change.split(" => "))
    if right.count(old) != 1:
        failures.append(f"{path}: {model.name} has {right.count(old)} times {old}")
    model.write_text(right.replace(old, new), encoding="utf-8")
    said = run_line(path, line, scratch)
    model.write_text(right, encoding="utf-8")
    return said


def place_files(path, text, scratch):
    """Puts the tutorial's files into scratch; the document must show them as they are."""
    shown = re.findall(r"^<!-- file: (\S+) -->\n\n```yaml\n(.*?)^```", text, re.M | re.S)
    for name, block in shown:
        if (root / "docs/tutorial" / name).read_text(encoding="utf-8") != block:
            failures.append(f"{path}: {name} differs from docs/tutorial/{name}")
        (Path(scratch) / name).write_text(block, encoding="utf-8")


def check_commands(path):
    text = (root / path).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        os.symlink(root / "models", Path(scratch) / "models")
        place_files(path, text, scratch)
        for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
            for line in block.splitlines():
                words = shlex.split(line, comments=True)
                if words and words[0] in ("crank", "build/crank"):
                    run_line(path, line, scratch)
        samples = re.findall(r"^<!-- sample: (.*) -->\n\n((?:    .*\n)+)", text, re.M)
        for command_line, sample in samples:
            line, _, change = command_line.partition("; with ")
            said = (run_changed(path, line, change, scratch) if change
                    else run_line(path, line, scratch))
            if not any(agrees(sample, part) for part in said):
                failures.append(f"{path}: {command_line} says\n{''.join(said)}and not\n{sample}")


def agrees(sample, said):
    """Whether the pieces of a sample, between lines of three dots, were said in this order."""
    pieces = [re.escape(shape(piece)) for piece in re.split(r"^ *\.\.\.$", sample, flags=re.M)]
    return re.search(".*".join(pieces), shape(said)) is not None


def shape(text):
    """A text without line breaks, indentation and numbers."""
    text = re.sub(r"(?<![\w-])[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "#", text)
    return " ".join(text.split())


def check_models(path):
    text = (root / path).read_text(encoding="utf-8")
    for block in re.findall(r"^```yaml\n(crank:.*?)^```", text, re.M | re.S):
        with tempfile.TemporaryDirectory() as scratch:
            model = Path(scratch) / "model.yaml"
            model.write_text(block, encoding="utf-8")
            done = subprocess.run([command, "check", str(model)], capture_output=True, text=True,
                                  check=False)
            if done.returncode != 0:
                failures.append(f"{path}: a model: exit {done.returncode}\n{done.stderr}")


check_options()
check_keys()
check_methods()
check_statuses()
for document in ("docs/manual.md", "README.md"):
    check_commands(document)
for document in ("docs/formats.md", "docs/manual.md", "README.md"):
    check_models(document)
print("\n".join(failures) or "the manual agrees with the command")
sys.exit(1 if failures else 0)
