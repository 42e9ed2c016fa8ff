#!/usr/bin/env python3
"""Who finishes, and how well: the success tables and long runs of [Ste06, 5.3], repeated.

    python3 bench/published.py [--crank build/crank] [--part NAME]

One line a method: the exponents of rtol = atol at which it reaches the end, beside what was published. docs/published.md has the
table with reasons; tests/cross/check_formulations.py tests the statements that do not depend on luck. Takes some minutes.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
POWERS = {"slider": range(3, 13)}  # of the others 1 to 15
ALL = "3 to 15"
# part, model, end, published code, published exponents of tolerances that finish, method, options
SUCCESS = (
    ("slider", "slider-crank/slider-crank", 10000, "GEOMS(psfEoM)", ALL, "geoms", ()),
    ("slider", "slider-crank/slider-crank", 10000, "GEOMS(pEoM1)", "5 to 10", "peom1-radau", ()),
    ("slider", "slider-crank/slider-crank", 10000, "GMKSSOL", ALL, "gmkssol-radau", ()),
    ("slider", "slider-crank/slider-crank", 10000, "RADAU5(EoM1)", ALL, "index2-radau", ()),
    ("slider", "slider-crank/slider-crank", 10000, "RADAU5(GGL)", ALL, "ggl-radau", ()),
    ("slider", "slider-crank/slider-crank", 10000, "ODASSL", "3 to 6", "overdetermined-bdf", ()),
    ("slider", "slider-crank/slider-crank", 10000, "DASSL(EoM0)", "5", "index1-bdf", ()),
    ("academic", "academic/academic", 1.5, "GEOMS(psfEoM)", "1 to 15", "geoms", ()),
    ("academic", "academic/academic", 1.5, "ODASSL", "none", "overdetermined-bdf", ()),
    ("academic", "academic/academic", 1.5, "DASSL(EoM0)", "1 to 8", "index1-bdf", ()),
    ("academic", "academic/academic", 1.5, "RADAU5(EoM1)", "1 to 15", "index2-radau", ()),
    ("academic", "academic/academic", 1.5, "RADAU5(GGL)", "1 to 15", "ggl-radau", ()),
    ("singular", "academic/academic", 2, "GEOMS(psfEoM)", "1 to 12", "geoms", ()),
    ("singular", "academic/academic", 2, "GEOMS(psfEoM)", "1 to 12", "geoms", ("singular=pass",)),
    ("singular", "academic/academic", 2, "GEOMS(psfEoM)", "1 to 12", "geoms", ("singular=pass", "final_correction=on")),
    ("singular", "academic/academic", 2, "GEOMS(psfEoM)", "1 to 12", "psf-radau", ("singular=pass",)),
    ("singular", "academic/academic", 2, "GEOMS(pEoM1)", "6", "peom1-radau", ()),
    ("singular", "academic/academic", 2, "RADAU5(GGL)", "1 to 9, 11, 12, 14, 15", "ggl-radau", ()),
    ("singular", "academic/academic", 2, "RADAU5(GGL)", "1 to 9, 11, 12, 14, 15", "ggl-radau", ("singular_threshold=0",)),
    ("singular", "academic/academic", 2, "RADAU5(EoM1)", "none", "index2-radau", ()),
    ("singular", "academic/academic", 2, "ODASSL", "none", "overdetermined-bdf", ()),
    ("singular", "academic/academic", 2, "DASSL(EoM0)", "none", "index1-bdf", ()),
    ("truck", "truck/equations", 20, "GEOMS(psfEoM)", ALL, "geoms", ()),
    ("truck", "truck/equations", 20, "GMKSSOL", ALL, "gmkssol-radau", ()),
    ("truck", "truck/equations", 20, "RADAU5(GGL)", ALL, "ggl-radau", ()),
    ("truck", "truck/equations", 20, "DASSL(EoM0)", "3 to 10", "index1-bdf", ()),
    ("truck", "truck/equations", 20, "ODASSL", "3 to 8", "overdetermined-bdf", ()),
    ("half", "pendulum/pendulum", 1000, "HEDOP5", "9 to 15", "ode-herk5", ()),
    ("half", "pendulum/pendulum", 1000, "MHERK5", "6 to 15", "ode-herk5", ()),
)
ENERGY = (("GEOMS(psfEoM)", "very good", "geoms"), ("GEOMS(pEoM1)", "very good", "peom1-radau"),
          ("GMKSSOL", "very good", "gmkssol-radau"), ("RADAU5(EoM1)", "drifts visibly", "index2-radau"),
          ("RADAU5(GGL)", "drifts visibly", "ggl-radau"), ("RADAU5(EoM0)", "drifts visibly", "index1-radau"),
          ("ODASSL", "drifts visibly", "overdetermined-bdf"), ("DASSL(EoM0)", "drifts visibly", "index1-bdf"))
LOLLY = (("GEOMS(psfEoM)", "no dependence on beta", "geoms"), ("RADAU5(EoM0)", "cost explodes with beta", "index1-radau"),
         ("DASSL(EoM0)", "fails already for small beta", "index1-bdf"), ("RADAU5(EoM)", "never succeeds", "index3-radau"),
         ("HEDOP5", "no dependence on beta", "ode-herk5"))
RETURN = (("ODASSL", "about 1e-3", "overdetermined-bdf"), ("DASSL(EoM0)", "about 1e-1", "index1-bdf"), ("GEOMS(psfEoM)", "among the best", "geoms"),
          ("RADAU5(EoM1)", "among the best", "index2-radau"), ("GMKSSOL", "among the best", "gmkssol-radau"), ("RADAU5(GGL)", "good", "ggl-radau"))

BEST = (("RADAU5(EoM0)", "1e-4", "index1-radau"), ("RADAU5(EoM)", "1e-2", "index3-radau"),
        ("DASSL(EoM0)", "with the best", "index1-bdf"), ("GEOMS(psfEoM)", "best", "geoms"))


def run(crank, model, method, tolerance, end, *arguments):
    line = [crank, "run", ROOT / "models" / (model + ".yaml"), "--method", method, "--rtol", str(tolerance),
            "--atol", str(tolerance), "--t-end", str(end), "--points", "10", "--out", "/dev/null", *arguments]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def spans(powers):
    """3 4 5 7 as "3 to 5, 7"."""
    text = []
    for power in powers:
        if text and text[-1][1] == power - 1:
            text[-1][1] = power
        else:
            text.append([power, power])
    return ", ".join("%d" % a if a == b else "%d to %d" % (a, b) for a, b in text) or "none"


def success(crank, part):
    for name, model, end, code, published, method, options in SUCCESS:
        if part in (None, name):
            chosen = [word for option in options for word in ("--option", option)]
            done = [p for p in POWERS.get(name, range(1, 16)) if run(crank, model, method, 10.0 ** -p, end, *chosen).returncode == 0]
            print("| %s to %g | %s: %s | %s: %s |" % (model, end, code, published, " ".join((method,) + options), spans(done)),
                  flush=True)


def energy(crank):
    for code, published, method in ENERGY:
        said = run(crank, "pendulum/pendulum", method, 1e-7, 1000).stderr
        print("| pendulum to 1000 at 1e-7, energy | %s: %s | %s: varies by %s |"
              % (code, published, method, re.search(r"varied by ([0-9.e+-]+)", said).group(1)), flush=True)


def lolly(crank):
    for code, published, method in LOLLY:
        got = []
        for beta in (1, 4, 20, 140):
            done = run(crank, "lolly/lolly", method, 1e-8, 10, "--set", "beta=%d" % beta)
            steps = re.search(r"steps +([0-9]+)", done.stderr)
            got.append(steps.group(1) if done.returncode == 0 else "fails")
        print("| lolly, beta 1, 4, 20, 140 at 1e-8, steps | %s: %s | %s: %s |" % (code, published, method, ", ".join(got)),
              flush=True)


def returns(crank):
    """Of the pendulum with period 2, the smallest distance from its start after 1000 s that any tolerance gives."""
    for code, published, method in RETURN:
        errors = {}
        for power in range(3, 13):
            done = run(crank, "pendulum/pendulum", method, 10.0 ** -power, 1000, "--set", "grav=13.750371636040745", "--out", "-", "--points", "1")
            if done.returncode == 0:
                lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
                x = dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))
                errors[power] = max(abs(x["x"]), abs(x["y"] + 1), abs(x["vx"] - 5.24411510858424), abs(x["vy"]))
        power = min(errors, key=errors.get)
        print("| pendulum after 500 periods, best error | %s: %s | %s: %.0e, at 1e-%d |" % (code, published, method, errors[power], power), flush=True)


def best(crank):
    """Of the lolly with beta = 4, the smallest error of positions and velocities that any tolerance gives."""
    for code, published, method in BEST:
        table = subprocess.run([crank, "compare", ROOT / "models/lolly/lolly.yaml", "--set", "beta=4", "--t-end", "10",
                                "--methods", method, "--tols", "1e-4:1e-12"], capture_output=True, text=True, check=False).stdout
        errors = [max(float(word.lstrip("<")) for word in line.split()[1:3])
                  for line in table.splitlines() if re.match(r" +1e-[0-9]+ +[<0-9]", line)]
        print("| lolly, beta 4, best error of p, v | %s: %s | %s: %.0e |" % (code, published, method, min(errors)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crank", default=str(ROOT / "build/crank"))
    parser.add_argument("--part", choices=("slider", "academic", "singular", "truck", "half", "energy", "lolly", "best", "return"))
    arguments = parser.parse_args()
    success(arguments.crank, arguments.part)
    if arguments.part in (None, "energy"):
        energy(arguments.crank)
    if arguments.part in (None, "return"):
        returns(arguments.crank)
    if arguments.part in (None, "lolly"):
        lolly(arguments.crank)
    if arguments.part in (None, "best"):
        best(arguments.crank)


if __name__ == "__main__":
    main()
