"""The slider crank over [0, 10000] with psf-radau and with gmkssol.

    python3 check_long.py CRANK MODELS TOLERANCE...

For each method and each rtol = atol: the run reaches its end, all constraint levels hold on its
rows, and the values at t = 10, of a run that ends there, are those of the reference within
1000 tol. Output as that of check_convergence.py. Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys

from check_convergence import FACTOR, Checks, error_of, largest, reference_at, tolerance

MODEL = "slider-crank/slider-crank.yaml"
# values at t = 10 as printed for a prototype at 1e-11 and 1e-13, both equal to all these digits
PRINTED = {"lambda.slider": "-15.703748938", "v1": "-2.778782550", "v2": "0.827300180",
           "p1": "-2.6510555480", "p2": "-0.1576859027"}


def check_reference(checks, expected):
    for name, text in PRINTED.items():
        unit = 10.0 ** -len(text.split(".")[1])
        checks.limit("%s reference" % MODEL, "%s differs from the printed value by" % name,
                     abs(float(text) - expected[name]), unit)


def check_run(checks, method, tol, expected):
    label = "%s %s tol=%g" % (MODEL, method, tol)
    run = checks.run(MODEL, "--method", method, *tolerance(tol), "--t-end", "10", "--points", "1")
    if run.reached(10):
        end = run.row(-1)
        worst = largest(error_of(end[name], value) for name, value in expected.items())
        checks.limit(label, "t=10 off by", worst, FACTOR * tol)
    else:
        checks.report(False, "%s: t=10: %s" % (label, run.reason()))
    run = checks.run(MODEL, "--method", method, *tolerance(tol), "--t-end", "10000",
                     "--every", "9.7", timeout=7200)
    checks.report(run.reached(10000), "%s: [0, 10000] finishes, %s steps%s"
                  % (label, run.stats.get("steps"),
                     "" if run.reached(10000) else ": " + run.reason()))
    for level, limit in (("position", 1e-12), ("velocity", 1e-12), ("acceleration", 1e-10)):
        checks.limit(label, "%s residual of %d rows" % (level, len(run.rows)),
                     run.stats.get("max_residual_" + level, float("nan")), limit)


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    checks = Checks(sys.argv[1], sys.argv[2])
    expected = reference_at(checks, MODEL, 10)
    check_reference(checks, expected)
    for tol in sys.argv[3:]:
        for method in ("psf-radau", "gmkssol"):
            check_run(checks, method, float(tol), expected)
    checks.finish()


if __name__ == "__main__":
    main()
