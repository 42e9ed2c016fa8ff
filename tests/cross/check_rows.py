"""Rows between steps are as accurate as steps, for every method on every model.

    python3 check_rows.py ROWS_ERROR MODELS [all] [TOLERANCE ...] [PATTERN]

Each run is compared with one by psf-radau at a thousandth of its tolerance, at the ends of its steps and at five places
within each (rows_error.c). Of each kind of unknown (positions, velocities, multipliers, ...; forces, torques, speeds among
the outputs of mechanisms) the largest error between steps is at most LIMIT times the larger of that at steps and the
tolerance. Energies and outputs without a unit are printed but not judged: steps may keep them better than the unknowns
that they are made of. One line per run: ok or FAIL, model, method, tolerance, the worst ratio with its column and time;
then the worst of each method. Ends with "N passed, N failed"; exit 1 if any failed. Methods that refuse a model are left
out, those that fail on the way are listed. Without `all`: a choice of models, at one tolerance, a stiff one at three. sdirk2, of order 2, runs at 1e-10
for the part of the time in which it takes as many steps as at 1e-8 in the whole (time_of). Other tolerances are 1e-N.
PATTERN keeps the runs whose label contains it. Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import concurrent.futures
import os
import subprocess
import sys

LIMIT = 10
REFUSED = 3  # exit status
REFERENCE = "psf-radau"
CORRECTED = ["auto", "psf-radau", "psf-bdf", "peom1-radau", "peom1-bdf", "gmkssol-radau", "gmkssol-bdf",
             "overdetermined-radau", "overdetermined-bdf", "psf-sdirk2", "psf-sdirk415", "psf-sdirk416", "psf-rosenbrock", "psf-trapezoidal", "partition-trapezoidal", "partition-sdirk415", "partition-rosenbrock", "partition-bdf", "partition-radau", "descriptor-sdirk416", "tangent-plane-sdirk415", "tangent-plane-rosenbrock", "tangent-plane-bdf", "peom1-sdirk2", "gmkssol-sdirk2",
             "overdetermined-sdirk2", "ode-dopri8", "ode-dopri5", "ode-adams", "ode-herk5"]
# these do not correct points; geoms has no correction either, and rows of the polynomial alone: it is left out
UNCORRECTED = [form + "-" + method for form in ("ggl", "index1", "index2", "index3", "baumgarte", "ude")
               for method in ("radau", "bdf", "sdirk2")]
NOT_JUDGED = ("J", "W", "-")
HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "rows")
TWICE = os.path.join(HERE, "cases", "twice.yaml")
# model: end time
CHOICE = {
    "academic/academic.yaml": 1.5, "andrews/andrews.yaml": 0.01, "chain/chain-10.yaml": 0.5,
    "chaplygin-sleigh/chaplygin-sleigh.yaml": 3, "circuits/index1.yaml": 0.02, "double-pendulum/double-pendulum.yaml": 1,
    "flyball-governor/flyball-governor.yaml": 0.1, "pendulum-stop/pendulum-stop.yaml": 2, "quarter-car/quarter-car.yaml": 1,
    "skate/skate.yaml": 3, "skateboard/skateboard.yaml": 2, "slider-crank/slider-crank.yaml": 2, "truck/equations.yaml": 1,
    "varying-rank/varying-rank.yaml": 2,
    os.path.join(CASES, "friction-block.yaml"): 5, os.path.join(CASES, "dense.yaml"): 2, TWICE: 2,
}
FURTHER = {
    "andrews-mechanism/andrews-mechanism.yaml": 0.03, "bicycle/bicycle.yaml": 1, "bouncing-ball/bouncing-ball.yaml": 2,
    "bricard/bricard.yaml": 1, "car/car.yaml": 5, "car/path.yaml": 3, "circuits/index2.yaml": 0.02, "crane/crane.yaml": 5,
    "door-three-hinges/door-three-hinges.yaml": 2, "door-two-hinges/door-two-hinges.yaml": 2,
    "elastic-slider-crank/elastic-slider-crank.yaml": 0.02, "four-bar-3d/four-bar-3d.yaml": 1,
    "four-joint/four-joint.yaml": 2, "gears-and-cam/gears-and-cam.yaml": 1, "iftomm-pendulum/iftomm-pendulum.yaml": 3,
    "inclined-skate/inclined-skate.yaml": 3, "lolly/lolly.yaml": 3, "massless-coupler/massless-coupler.yaml": 3,
    "overdetermined-circle/overdetermined-circle.yaml": 3, "pendulum-dae/pendulum-dae.yaml": 3,
    "pendulum-stop/pendulum-stop-mechanism.yaml": 4, "pendulum/pendulum.yaml": 3, "rolling-disc/rolling-disc.yaml": 2,
    "rolling-wheel/rolling-wheel.yaml": 2, "slider-crank/mechanism.yaml": 3,
    "spatial-slider-crank/spatial-slider-crank.yaml": 1, "time-varying-dae/time-varying-dae.yaml": 3,
    "truck/truck.yaml": 1, "spinning-top/spinning-top.yaml": 0.1, "gyroscope-loop/gyroscope-loop.yaml": 0.05,
    "free-chain/free-chain.yaml": 0.5, "universal-pendulum/universal-pendulum.yaml": 1,
    "stewart-platform/stewart-platform.yaml": 0.5, "swashplate/swashplate.yaml": 0.05,
    "six-axis-robot/six-axis-robot.yaml": 0.5, "tree/tree.yaml": 0.2, "passenger-car/passenger-car.yaml": 0.5,
    "rear-axle/rear-axle.yaml": 0.3, "train-carriage/train-carriage.yaml": 0.5, "negrut-pendulum/negrut-pendulum.yaml": 2,
}
# steps of two radians: multipliers that singular values determine are not in the error test
OPTIONS = {TWICE: ["linear_algebra=dense"]}
SHORT, LONG = ("1e-6",), ("1e-4", "1e-6", "1e-8", "1e-10")
# at more tolerances, by implicit methods: where the step that rests on a stiff force falls differs from one to the next
OFTEN = {os.path.join(CASES, "friction-block.yaml"): ("1e-4", "1e-5")}
# Errors of a step of sdirk2, of order 2, are h^3: below this tolerance it runs for as many steps as there
SDIRK2_WHOLE, SDIRK2_ORDER = 1e-8, 2
MOST_STEPS = "max_steps=50000"  # a run that needs more is listed as failed


def time_of(t_end, method, tolerance):
    """Rows are a matter of single steps: what a step of sdirk2 must show it shows in as many of them at any tolerance."""
    if not method.endswith("sdirk2"):
        return t_end
    return t_end * min(1.0, float(tolerance) / SDIRK2_WHOLE) ** (1 / (SDIRK2_ORDER + 1))


def measure(program, path, method, tolerance, t_end, options):
    """Ratios by kind, the worst first: (ratio, kind, at steps, between, column, time); or a message, "" if refused."""
    line = [program, path, method, tolerance, REFERENCE, repr(t_end), MOST_STEPS, *options]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode == REFUSED:
        return None, ""
    if done.returncode != 0:
        return None, done.stderr.strip().replace("\n", " | ")
    found = []
    for text in done.stdout.splitlines():
        fields = text.split("\t")
        if len(fields) == 5:
            at_steps, between = float(fields[1]), float(fields[2])
            found.append((between / max(at_steps, float(tolerance)), fields[0], at_steps, between, fields[3], fields[4]))
    return sorted(found, reverse=True), ""


def main():
    arguments = sys.argv[1:]
    program, models = arguments[:2]
    whole = "all" in arguments[2:]
    tolerances = [a for a in arguments[2:] if a.startswith("1e-")] or (LONG if whole else SHORT)
    pattern = next((a for a in arguments[2:] if a != "all" and a not in tolerances), "")
    chosen = {**CHOICE, **FURTHER} if whole else CHOICE
    jobs = [(model, method, tolerance) for tolerance in tolerances for model in chosen
            for method in CORRECTED + UNCORRECTED if pattern in "%s %s" % (model, method)]
    jobs += [(model, method, tolerance) for model, often in OFTEN.items() for tolerance in often if tolerance not in tolerances
             for method in CORRECTED + UNCORRECTED if not method.startswith("ode-") and pattern in "%s %s" % (model, method)]

    def run(job):
        model, method, tolerance = job
        t_end = time_of(chosen[model], method, tolerance)
        return measure(program, os.path.join(models, model), method, tolerance, t_end, OPTIONS.get(model, []))

    passed = failed = refused = 0
    worst = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (model, method, tolerance), (found, message) in zip(jobs, pool.map(run, jobs)):
            label = "%s by %s at %s" % (os.path.join(*model.split(os.sep)[-2:]), method, tolerance)
            if found is None:
                refused += message == ""
                if message != "":
                    print("     %s: %s" % (label, message[-160:]), flush=True)
                continue
            judged = [ratio for ratio in found if ratio[1] not in NOT_JUDGED]
            ratio, kind, at_steps, between, column, when = judged[0] if judged else (0.0, "", 0.0, 0.0, "none", "0")
            good = ratio <= LIMIT
            print("%-4s %s: %.2g (%s; steps %.1e, rows %.1e, %s at %s)" %
                  ("ok" if good else "FAIL", label, ratio, kind, at_steps, between, column, when), flush=True)
            passed += good
            failed += not good
            if ratio >= worst.get(method, (-1.0,))[0]:
                worst[method] = (ratio, label)
    for method, (ratio, label) in sorted(worst.items()):
        print("worst of %-22s %.2g, %s" % (method, ratio, label))
    print("%d refused" % refused)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


main()
