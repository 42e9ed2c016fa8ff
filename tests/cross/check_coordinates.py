"""Every mechanism in joint coordinates against the same run in absolute ones.

    python3 check_coordinates.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with "N passed, N failed"; exit 1
if any failed. PATTERN keeps the checks whose label contains it. Needs Python 3 alone.

Two runs that are accurate to the tolerance differ by as much as the motion multiplies errors: 1000 tolerances are
allowed of positions, velocities and forces, each beside the largest value of its kind (length, speed, force ...); of motions
that are sensitive as much as absolute coordinates alone differ between this tolerance and a hundredth of it, if that is more. Reactions are
compared where they are unique. Models that must be refused are at the end.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys

from check_convergence import Checks, tolerance

TOLERANCE = 1e-8
# model, methods, end
MODELS = [
    ("four-bar/four-bar.yaml", ("psf-radau",), 2),
    ("four-bar-3d/linkage.yaml", ("psf-radau", "ode-dopri8"), 1),
    ("slider-crank/mechanism.yaml", ("psf-radau", "ggl-bdf", "ode-dopri8"), 1),
    ("andrews-mechanism/andrews-mechanism.yaml", ("psf-radau", "ggl-bdf", "ode-dopri8"), 0.03),
    ("flyball-governor/flyball-governor.yaml", ("psf-radau", "ggl-bdf"), 0.5),
    ("bricard/bricard.yaml", ("psf-radau", "ode-dopri8"), 1),
    ("spinning-top/spinning-top.yaml", ("psf-radau", "ggl-bdf", "ode-dopri8"), 0.5),
    ("free-chain/free-chain.yaml", ("psf-radau", "ggl-bdf", "ode-dopri8"), 1),
    ("universal-pendulum/universal-pendulum.yaml", ("psf-radau", "ode-dopri8"), 1),
    ("door-three-hinges/door-three-hinges.yaml", ("psf-radau", "ode-dopri8"), 2),
    ("pendulum-stop/pendulum-stop-mechanism.yaml", ("psf-radau", "ode-dopri8"), 2),
    ("massless-coupler/spatial.yaml", ("psf-radau",), 1),
    ("gears-and-cam/gears-and-cam.yaml", ("psf-radau",), 0.5),
    ("bicycle/bicycle.yaml", ("psf-radau", "ode-dopri8"), 0.5),
    ("swashplate/swashplate.yaml", ("psf-radau",), 0.1),
    ("truck/truck.yaml", ("psf-radau", "ggl-bdf"), 1),
    ("six-axis-robot/six-axis-robot.yaml", ("psf-radau", "ode-dopri8"), 0.5),
    ("tree/tree.yaml", ("psf-radau",), 0.2),
    ("excavator/excavator.yaml", ("psf-radau", "ggl-bdf", "ode-dopri8"), 0.5),
    ("rear-axle/rear-axle.yaml", ("psf-radau", "ggl-bdf", "ode-dopri8"), 0.3),
    ("rear-axle/multi-link.yaml", ("psf-radau", "ggl-bdf"), 0.2),
    ("train-carriage/train-carriage.yaml", ("psf-radau",), 0.8),
    ("passenger-car/passenger-car.yaml", ("psf-radau",), 0.3),
]
REFUSED = [
    ("slider-crank/slider-crank.yaml", "only mechanisms have joints"),
    ("pendulum-dae/pendulum-dae.yaml", "only mechanisms have joints"),
]
# joints closed the wrong way round at the start are refused by name; absolute coordinates have them
WRONG_WAY = (os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases", "wrong-way-round.yaml"),
             'joint "hinge": its bodies stand the wrong way round')


# of a body beside a frame that moves
SIX = {**{a: "x" for a in "xyz"}, **{a + "_rate": "vx" for a in "xyz"},
       **{a + "_rate": "wy" for a in ("yaw", "roll", "pitch")}}


def kind_of(name):
    """columns of one kind, whose sizes belong together"""
    if name.startswith("joint.") and name.rsplit(".", 1)[-1] in ("fx", "fy", "fz", "tx", "ty", "tz"):
        return name.rsplit(".", 1)[-1][0]
    if name.startswith("joint.") and name.rsplit(".", 1)[-1] in SIX:
        return SIX[name.rsplit(".", 1)[-1]]
    if name.startswith("force.") and name.rsplit(".", 1)[-1] in ("force", "longitudinal", "lateral", "fx", "fy", "fz"):
        return "force"
    return name.rsplit(".", 1)[-1] if name.startswith("body.") or name.endswith(".power") else name


def compared(run, other):
    """largest difference of two runs beside the size of its kind, and the column"""
    names = [n for n in run.header if not n.startswith(("step.", "residual.")) and ".unique." not in n]
    sizes = {}
    for name in names:
        kind, (values,) = kind_of(name), zip(*run.columns(name))
        sizes[kind] = max(sizes.get(kind, 1e-3), *map(abs, values))
    worst = (0.0, "")
    for i in range(len(run.rows)):
        one, two = run.row(i), other.row(i)
        for name in names:
            head, _, tail = name.rpartition(".")
            if one.get(head + ".unique." + tail, 1.0) == 1.0:
                worst = max(worst, (abs(one[name] - two[name]) / sizes[kind_of(name)], name))
    return worst


def check(checks, model, method, t_end):
    label = "%s %s" % (model, method)
    if not checks.wanted(label):
        return
    arguments = ("--method", method, "--t-end", str(t_end), "--points", "20")
    absolute = checks.run(model, *tolerance(TOLERANCE), *arguments, "--coordinates", "absolute")
    joint = checks.run(model, *tolerance(TOLERANCE), *arguments, "--coordinates", "joint")
    if not (absolute.reached(t_end) and joint.reached(t_end)):
        checks.report(False, "%s: %s" % (label, joint.reason() if absolute.reached(t_end) else absolute.reason()))
        return
    if absolute.header != joint.header:
        checks.report(False, "%s: other columns" % label)
        return
    value, column = compared(absolute, joint)
    limit = 1000 * TOLERANCE
    if value > limit:  # a sensitive motion?
        finer = checks.run(model, *tolerance(TOLERANCE / 100), *arguments, "--coordinates", "absolute")
        limit = max(limit, 10 * compared(finer, absolute)[0])
    checks.report(value <= limit, "%s: %s differs by %.1e, at most %.1e" % (label, column, value, limit))


def check_elimination(checks):
    """A chain on balls, slender rods far from its first one: along the tree psf needs no search for pivots, and moves as with KLU."""
    label = "free-chain/free-chain.yaml N=24, psf-radau along the tree"
    if not checks.wanted(label):
        return
    arguments = ("--set", "N=24", "--method", "psf-radau", "--coordinates", "joint", "--t-end", "0.1", "--points", "5", *tolerance(1e-6))
    tree = checks.run("free-chain/free-chain.yaml", *arguments)
    other = checks.run("free-chain/free-chain.yaml", *arguments, "--option", "linear_algebra=klu")
    value, column = compared(tree, other)
    searches = [run.stats["pivot_searches"] for run in (tree, other)]
    checks.report(tree.reached(0.1) and other.reached(0.1) and value <= 1e-3 and searches[0] == 0 < searches[1],
                  "%s: %s differs by %.1e; %d and %d searches for pivots" % (label, column, value, *searches))


def main():
    checks = Checks(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "")
    for model, methods, t_end in MODELS:
        for method in methods:
            check(checks, model, method, t_end)
    check_elimination(checks)
    for model, reason in REFUSED:
        label = "%s is refused" % model
        if checks.wanted(label):
            run = checks.run(model, "--coordinates", "joint")
            checks.report(reason in run.reason(), "%s: %s" % (label, run.reason()[:100]))
    if checks.wanted("wrong way round"):
        model, reason = WRONG_WAY
        joint = checks.run(model, "--coordinates", "joint")
        absolute = checks.run(model, "--coordinates", "absolute")
        checks.report(joint.status in (2, 3) and reason in joint.reason() and absolute.reached(0.1),
                      "a joint closed the wrong way round is refused by name: %s" % joint.reason()[:160])
    checks.finish()


if __name__ == "__main__":
    main()
