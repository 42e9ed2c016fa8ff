#!/usr/bin/env python3
"""Checks scripts/renumber on a small tree and on a copy of ours.

    check_renumber.py
"""
# SPDX-License-Identifier: BSD-3-Clause
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent.parent

THEORY = """# Theory
Letters, see (1.2) and (1.1)-(1.7)
## 1 First
    a = b                       (1.2)   kinematic
    c = d                       (1.1)
Of (1.1), (1.2); its (1.2) and [HW96, (1.2)] are others, f(1.2) is a number.
    e = f                       (1.7)
All of (1.1)-(1.7), and to (1.7). Section 1.2 stays.
## 2 Second
    g = (1.1)
    %s
    h                          (2.30)
""" % "\n    ".join(f"x{i} = {i}                      (2.{i})" for i in range(10, 19))
NUMBERED = """# Theory
Letters, see (1.1) and (1.1)-(1.3)
## 1 First
    a = b                       (1.1)   kinematic
    c = d                       (1.2)
Of (1.2), (1.1); its (1.2) and [HW96, (1.2)] are others, f(1.2) is a number.
    e = f                       (1.3)
All of (1.1)-(1.3), and to (1.3). Section 1.2 stays.
## 2 Second
    g = (1.2)
    %s
    h                          (2.10)
""" % "\n    ".join(f"x{i} = {i}                       (2.{i - 9})" for i in range(10, 19))
SOURCE = """/* theory (1.2), (1.7), and theory
 * (1.1)-(1.2): [HW96, (1.2)]; theory (2.16) - (2.30) */
double x = f(1.2); /* (1.7) */
const char *text = "theory (1.7)";
"""
CITED = """/* theory (1.1), (1.3), and theory
 * (1.1)-(1.2): [HW96, (1.2)]; theory (2.7) - (2.10) */
double x = f(1.2); /* (1.3) */
const char *text = "theory (1.7)";
"""
DOCUMENT = "Theory (1.7), (1.2) and 2 (1.2) mm; [theory](theory.md#11-first), (1.7).\n"
DOCUMENT_CITED = "Theory (1.3), (1.1) and 2 (1.2) mm; [theory](theory.md#11-first), (1.3).\n"


def run(tree, script, *arguments):
    done = subprocess.run([sys.executable, tree / "scripts" / script, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout


def small_tree(tree):
    """What becomes of each kind of citation."""
    files = {"docs/theory.md": (THEORY, NUMBERED), "src/a.c": (SOURCE, CITED),
             "docs/manual.md": (DOCUMENT, DOCUMENT_CITED)}
    for name, (text, _) in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
    (tree / "scripts").mkdir()
    shutil.copy(root / "scripts/renumber", tree / "scripts")
    assert run(tree, "renumber", "--check")[0] == 1, "wrong numbers are not seen"
    code, said = run(tree, "renumber")
    assert code == 0, said
    for name, (_, wanted) in files.items():
        found = (tree / name).read_text(encoding="utf-8")
        assert found == wanted, f"{name} became\n{found}\ninstead of\n{wanted}"
    assert run(tree, "renumber", "--check")[0] == 0, "numbered anew they are not in order"
    (tree / "docs/theory.md").write_text(THEORY.replace("(1.7)\nAll", "(1.1)\nAll"), encoding="utf-8")
    code, said = run(tree, "renumber")
    assert code == 1 and "two equations have the number (1.1)" in said, said


def own_tree(tree):
    """All citations of ours lead to equations afterwards, and a second time changes nothing."""
    for name in ("include", "src", "tools", "examples", "bench", "tests", "docs", "models", "scripts",
                 "viewer", "cmake"):
        shutil.copytree(root / name, tree / name, ignore=shutil.ignore_patterns(
            "*.csv", "*.webp", "*.png", "*.svg", "*.h5", "build", "node_modules", "dist"))
    shutil.copy(root / "README.md", tree)
    code, said = run(tree, "renumber")
    assert code == 0, said
    code, said = run(tree, "citations")
    assert code == 0, said
    code, said = run(tree, "renumber", "--check")
    assert code == 0, said


for part in (small_tree, own_tree):
    with tempfile.TemporaryDirectory() as scratch:
        part(Path(scratch))
print("renumber: as it says")
