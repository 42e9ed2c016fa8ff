"""What the benches of [Neg98] share: its codes and what it printed, crank's methods, runs of the command.

One table says which methods are measured: those that crank has not are left out, so that a new one joins by itself.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5)
# method, the published code that it is, or whose formula it has, and what it is
METHODS = (
    ("ssp-trap", "SspTrap", "independent coordinates, trapezoidal rule"),
    ("infl-trap", "InflTrap", "descriptor form, trapezoidal rule"),
    ("infl-sdirk", "InflSDIRK", "descriptor form, SDIRK4/16"),
    ("for-sdirk", "ForSDIRK", "independent coordinates, SDIRK4/15"),
    ("for-rosen", "ForRosen", "independent coordinates, Rosenbrock-Nystroem"),
    ("partition-radau", None, "independent coordinates, Radau IIA"),
    ("partition-bdf", None, "independent coordinates, BDF"),
    ("tangent-plane-radau", None, "tangent plane, Radau IIA"),
    ("descriptor-hht", None, "descriptor form, HHT"),
    ("hht", None, "HHT-I3"),
    ("psf-trapezoidal", "SspTrap", "projected strangeness-free form, trapezoidal rule"),
    ("ggl-trapezoidal", "InflTrap", "Gear, Gupta, Leimkuhler, trapezoidal rule"),
    ("psf-sdirk415", "ForSDIRK", "projected strangeness-free form, SDIRK4/15"),
    ("psf-sdirk416", "InflSDIRK", "projected strangeness-free form, SDIRK4/16"),
    ("psf-rosenbrock", "ForRosen", "projected strangeness-free form, Rosenbrock"),
    ("psf-radau", None, "projected strangeness-free form, Radau IIA"),
    ("ggl-radau", None, "Gear, Gupta, Leimkuhler, Radau IIA"),
    ("ggl-bdf", None, "Gear, Gupta, Leimkuhler, BDF"),
    ("index2-radau", None, "index 2, Radau IIA"),
    ("index2-bdf", None, "index 2, BDF"),
    ("auto", None, "the default"),
)
EXPLICIT = ("ode-adams", "DEABM", "explicit Adams on independent accelerations")


def present(crank, table=METHODS):
    """The rows of the table whose methods this crank has."""
    text = subprocess.run([crank, "methods"], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^  (\S+)", text, re.M))
    return [row for row in table if row[0] in names]


def compare(crank, model, methods, tolerances, *arguments):
    """The JSON of crank compare, by (method, tolerance)."""
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "c.json"
        done = subprocess.run([crank, "compare", model, "--methods", ",".join(methods), "--tols",
                               ",".join("%g" % tolerance for tolerance in tolerances), "--json", path, "--quiet", *arguments],
                              capture_output=True, text=True, check=False)
        if not path.exists():
            raise SystemExit(done.stderr)
        found = json.loads(path.read_text(encoding="utf-8"))
    return found, {(run["method"], run["tolerance"]): run for run in found["runs"]}


def count_instructions(crank, model, method, tolerance, *arguments):
    """Of the steps of crank run, without set-up and rows."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=crank_run_step", crank, "run",
                           model, "--method", method, "--rtol", str(tolerance), "--atol", str(tolerance), "--quiet", "--out", "/dev/null",
                           *arguments], capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise SystemExit(done.stderr)
    return float(found.group(1))


def number(value):
    return "-" if value is None else "%.1e" % value


def print_table(head, rows):
    """A table in Markdown, with cells as wide as their columns."""
    widths = [max(len(str(line[i])) for line in [head, *rows]) for i in range(len(head))]
    for line in (head, ["-" * width for width in widths], *rows):
        print("| " + " | ".join(str(cell).ljust(width) for cell, width in zip(line, widths)) + " |", flush=True)
