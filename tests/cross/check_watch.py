"""Methods that do not see what goes wrong: auto goes on with its other part, forms of rows as they are warn or end.

    python3 check_watch.py CRANK MODELS

One line per check: ok or FAIL, what was compared. Ends with "N passed, N failed"; exit 1 if any failed. Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import re
import sys
import tempfile

from check_formulations import Checks
from random_mechanism import generate

FORMS = ("index1", "index2", "index3", "baumgarte", "ggl", "ude")
DIRECT = [form + "-" + integrator for form in FORMS for integrator in ("radau", "bdf", "sdirk2")]

# a rod without inertia about itself, which a cross holds: levers about the rod are rounding
THIN_ROD = """{crank: mechanism, gravity: [0, 0, -9.81], bodies: {rod: {position: [0.3, 0.25, 0.35], mass: 2, inertia: [0.2, 0.2, 0],
 orientation: {axis: [-0.25, 0.3, 0], angle: acos(0.35/sqrt(0.3^2 + 0.25^2 + 0.35^2))}},
 ball: {position: [0.6, 0.5, 0.9], mass: 1, inertia: [0.1, 0.12, 0.15]}},
 joints: {u: {type: universal, between: [ground, rod], at: [0, 0, 0], axes: [[0, 0.7, -0.5], [-0.37, 0.15, 0.21]]},
 b: {type: spherical, between: [rod, ball], at: [0.6, 0.5, 0.7]}}}
"""
# accelerations and forces of zero: nothing to measure increments by. No motion at all, with a redundant row; in
# equilibrium, where the iteration at a row fails.
AT_REST = """{crank: mechanism, dimension: 3, bodies: {b0: {position: [1, -0.0814, -0.3393],
 orientation: {axis: [0, 0.5, 1], angle: 1}, center: [1, 1, 0]}, b1: {mass: 1, inertia: [0.1, 0.1, 0]}},
 joints: {j0: {type: prismatic, between: [ground, b0], at: [1, 0.0, 0.0], axis: [1, 0, 0]},
 j1: {type: spherical, between: [ground, b1], at: [0, 1, 0]},
 c: {type: curve, between: [ground, b0], curve: ["0.5005+cos(s)-1", "-0.0814+sin(s)", "-0.3393+0.2*s"], start: 0}}}
"""
ROLLING = """{crank: mechanism, dimension: 3, gravity: [0, 0, 1], bodies: {b0: {}, b1: {position: [1, 0, -0.6303], mass: 1,
 inertia: [0.1, 0.1, 0.05], center: [-0.2, 0, 0]}},
 joints: {j0: {type: revolute, between: [ground, b0], at: [0, 0, -0.03], axis: [0, 0, 1]},
 j1: {type: revolute, between: [b0, b1], at: [1, 1, 1], axis: [0, 0, 1]},
 c: {type: rolling_disc, between: [ground, b1], radius: 0.3, axis: [0, 1, 0.0],
 plane: {at: [0, 0, -0.9303], normal: [0, 0, 1]}}},
 forces: {f2: {type: friction, joint: j1, slip: 1, coefficient: 1, radius: 1}}}
"""
# forces that are zero but for rounding, below the smallest normal number, with friction that depends on them
NO_FORCES = """{crank: mechanism, gravity: [0, 0, 0], bodies: {b2: {position: [-0.108114, 0.787209, -0.319907041294768], mass: 2,
 inertia: [0.2, 0.2, 0], center: [0.1, 0, 0.1]}, b3: {position: [0.391886, 0.787209, -0.319907041294768], mass: 2,
 inertia: [0.2, 0.2, 0], orientation: {axis: [1, 0, 0], angle: 1}}},
 joints: {c1: {type: surface, between: [ground, b2], at: [-0.408114, 0.637209, -0.319907041294768],
 surface: ["0.738*s1", "0.909*s2", "0.797*sin(s1)*cos(s2)"], start: [-0.553, 0.701]},
 j4: {type: revolute, between: [b2, b3], at: [0.141886, 0.787209, -0.319907041294768], axis: [1, 0, 0]}},
 forces: {f5: {type: spring, between: [ground, b2], at: [[0, 0, 0], [-0.108114, 0.787209, -0.319907041294768]], stiffness: 13.893},
 f6: {type: torsion, joint: j4, stiffness: 2.762, damping: 0.041},
 f7: {type: friction, joint: j4, slip: 0.215, coefficient: 0.151, radius: 0.1, static: 0.1963}}}
"""
EQUILIBRIUM = """{crank: mechanism, dimension: 2, gravity: [0, -10], bodies: {b0: {inertia: 1},
 b1: {position: [0.6857, -0.2502], mass: 1, inertia: 0}, cam: {inertia: 1, position: [1.4857, -0.2502]}},
 joints: {j0: {type: revolute, between: [ground, b0], at: [0, 1]}, j1: {type: revolute, between: [ground, b1], at: [0, 0]},
 camhinge: {type: revolute, between: [ground, cam], at: [0, -0.2502]},
 c: {type: profile, between: [cam, b1], profiles: [["0.5*cos(s1)", "0.3*sin(s1)"], ["0.3*cos(s2)", "0.3*sin(s2)"]],
 start: [3, 0]}}}
"""
# a tenth of the way of the drive, in a step that may be long
MOVING = """{crank: equations, positions: {x: {start: 0}, y: {start: 1}}, velocities: {vx: {of: x, start: 1}, vy: {of: y}},
 mass: {diagonal: [1, 1]}, forces: [0, -9.81], holonomic: {drive: "x - sin(t) - if(t > %s, 0.1, 0)"},
 simulate: {t_end: 1}}
"""
JUMP = """{crank: equations, positions: {x: {start: 0}, y: {start: 0}}, velocities: {vx: {of: x}, vy: {of: y}},
 mass: {diagonal: [1, 2]}, forces: {vx: -x, vy: x - y}, holonomic: {drive: "x - if(t < 0.5, 0, 1)"},
 simulate: {t_end: 1, rtol: 1e-6, atol: 1e-6}}
"""


# A parallelogram of cranks of length 1 turns at a constant rate, as long as no force acts, from upright to the level position,
# where it could go on as an antiparallelogram. In the plane, and in space, where three of twenty rows are redundant.
PARALLELOGRAM = """{crank: mechanism, dimension: 2, bodies: {
 a: {mass: 1, inertia: 0.1, position: [0, 0.5], angle: 90 deg, rate: %(rate)g, velocity: [%(half)g, 0]},
 b: {mass: 1, inertia: 0.1, position: [%(middle)g, 1], velocity: [%(speed)g, 0]},
 c: {mass: 1, inertia: 0.1, position: [%(length)g, 0.5], angle: 90 deg, rate: %(rate)g, velocity: [%(half)g, 0]}},
 joints: {j1: {type: revolute, between: [ground, a], at: [0, 0]}, j2: {type: revolute, between: [a, b], at: [0, 1]},
 j3: {type: revolute, between: [b, c], at: [%(length)g, 1]}, j4: {type: revolute, between: [ground, c], at: [%(length)g, 0]}},
 simulate: {t_end: 1}}
"""
IN_SPACE = """{crank: mechanism, gravity: [0, 0, 0], bodies: {
 a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5], angular_velocity: [0, %(speed)g, 0], velocity: [%(half)g, 0, 0]},
 b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [%(middle)g, 0, 1], velocity: [%(speed)g, 0, 0]},
 c: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [%(length)g, 0, 0.5], angular_velocity: [0, %(speed)g, 0],
 velocity: [%(half)g, 0, 0]}},
 joints: {j1: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]},
 j2: {type: revolute, between: [a, b], at: [0, 0, 1], axis: [0, 1, 0]},
 j3: {type: revolute, between: [b, c], at: [%(length)g, 0, 1], axis: [0, 1, 0]},
 j4: {type: revolute, between: [ground, c], at: [%(length)g, 0, 0], axis: [0, 1, 0]}}, simulate: {t_end: 1}}
"""

# A bead runs round a sphere of radius r at constant speed, along the great circle that passes the pole of longitude and latitude
# at about the angle given, at a quarter of a turn.
BEAD = """{crank: mechanism, gravity: [0, 0, 0],
 bodies: {p: {type: point, mass: 2, position: [%(r)g, 0, 0], velocity: [0, %(r)g*%(angle)g, %(r)g]}},
 joints: {j: {type: surface, between: [ground, p], start: [0, 0],
 surface: ["%(r)g*cos(s1)*cos(s2)", "%(r)g*sin(s1)*cos(s2)", "%(r)g*sin(s2)"]}}, simulate: {t_end: 3}}
"""


def run_text(c, text, method, *arguments, tolerance=1e-6):
    with tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "model.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        kept, c.models = c.models, place
        result = c.run("model", method, tolerance, *arguments)
        c.models = kept
    return result


def check_auto(c):
    for name, text in (("at rest", AT_REST), ("rolling", ROLLING), ("in equilibrium", EQUILIBRIUM)):
        for rows in (("--points", "200"), ("--steps",)):
            status, said, got = run_text(c, text, "auto", *rows)
            _, _, other = run_text(c, text, "psf-radau", "--points", "1")
            worst = max(abs(got[-1][key] - value) / (1 + abs(value)) for key, value in other[-1].items()
                        if key.startswith("body.")) if got else 1
            c.report(status == 0 and got[-1]["time"] == 1 and worst < 1e-6,
                     "%s, auto, %s: finishes, %.1e from psf-radau" % (name, rows[0], worst))
            c.report("degree" in said, "%s, auto: tells degrees of freedom" % name)


def check_no_forces(c):
    for method in ("ode-dopri8", "ode-dopri5", "ode-adams", "auto", "psf-radau"):
        status, _, rows = run_text(c, NO_FORCES, method, "--points", "1")
        c.report(status == 0 and rows[-1]["time"] == 1 and abs(rows[-1]["body.b3.x"] - 0.391886) < 1e-12,
                 "at rest without forces, %s: stays there" % method)


def check_thin_rod(c):
    _, _, expected = run_text(c, THIN_ROD, "psf-radau", "--points", "1", tolerance=1e-8)
    for method in ("ode-dopri8", "ode-dopri5", "ode-herk5", "ode-adams", "auto"):
        status, _, rows = run_text(c, THIN_ROD, method, "--points", "1", "--option", "max_steps=2000", tolerance=1e-8)
        worst = max(abs(rows[-1][key] - value) / (1 + abs(value)) for key, value in expected[-1].items()
                    if key.startswith("body.")) if status == 0 else 1
        c.report(worst < 1e-6, "thin rod on a cross, %s: %.1e from psf-radau" % (method, worst))


def check_auto_stops(c):
    for model, t in (("varying-rank/singular-point", 0.693147), ("slider-crank/singular", 1.013884)):
        for tolerance in (1e-4, 1e-6, 1e-8):
            status, said, _ = c.run(model, "auto", tolerance)
            found = re.search(r"stopped at t = ([0-9.]+)", said)
            stopped = float(found.group(1).rstrip(".")) if found else 0
            c.report(status == 1 and "singular po" in said and abs(stopped - t) < 5e-3 and "of freedom" in said,
                     "%s, auto at %g: stops at t = %.6f" % (model, tolerance, stopped))


TURNS = ((3.1, 0.7), (5.77, 1.9), (8.69, 1.1), (13.21, 0.6), (15.71, 2.3), (18.49, 1.37))


def turning(speed, length):
    return {"rate": -speed, "speed": speed, "half": speed / 2, "length": length, "middle": length / 2}


def check_passages(c):
    """singular: pass tells every level position, also those that steps were long enough to lead across, and stays a
    parallelogram, whose rate is constant: rates of antiparallelograms vary by as much as they are."""
    for name, text, rate in (("in the plane", PARALLELOGRAM, "body.a.rate"), ("in space", IN_SPACE, "body.a.wy")):
        for tolerance in (1e-2, 1e-4, 1e-6, 1e-8):
            wrong = []
            for speed, length in TURNS:
                status, said, rows = run_text(c, text % turning(speed, length), "psf-radau", "--points", "10", "--option",
                                              "singular=pass", tolerance=tolerance)
                found, due = said.count("singular position passed"), int((speed - math.pi / 2) / math.pi) + 1
                off = abs(abs(rows[-1][rate]) - speed) / speed if rows else 1.0
                if status or found != due or off > 0.01:
                    wrong.append((speed, found, due, off))
            c.report(not wrong, "parallelogram %s at %g: all level positions passed %s" % (name, tolerance, wrong))


def check_within_steps(c):
    """Whatever the length of steps, none leads across a singular position unseen: all methods stop at a right angle, but for five
    times the threshold of pivots (1e-3), which the step that finds it may have as its length, and errors of the motion."""
    for name, text in (("in the plane", PARALLELOGRAM), ("in space", IN_SPACE)):
        for method in ("psf-radau", "psf-bdf", "overdetermined-radau", "ode-dopri8", "ode-dopri5", "ode-adams", "auto"):
            missed, off = [], 0.0
            for tolerance in (1e-2, 1e-4, 1e-6, 1e-8):
                for speed, length in TURNS:
                    status, said, rows = run_text(c, text % turning(speed, length), method, "--steps", tolerance=tolerance)
                    where = re.search(r"passed at t = ([0-9.e-]+[0-9])", said)
                    t = float(where.group(1)) if where else rows[-1]["time"]
                    angle = abs(speed * t - math.pi / 2)
                    good = status == 1 and "the rank of the constraints drops at joint" in said
                    missed += [] if good and angle < 5e-3 + 3 * tolerance else [(tolerance, speed, angle)]
                    off = max(off, angle)
            c.report(not missed, "parallelogram %s, %s: stops at all tolerances, at most %.1e beside %s" %
                     (name, method, off, missed))


def check_poles_of_charts(c):
    """Close by the pole of a surface's parameters, at ten times the threshold, a motion goes on, in any unit of length; across it the
    parameters have no way to go, and all methods stop in time."""
    for method in ("psf-radau", "psf-bdf", "psf-sdirk2", "ggl-radau", "index2-radau", "ode-dopri8", "auto"):
        for r in (1, 1e3, 1e-6):
            _, _, rows = run_text(c, BEAD % {"r": r, "angle": 0.01}, method, "--atol", repr(1e-8 * r), tolerance=1e-8)
            v = math.hypot(1, 0.01)
            off = max(abs(rows[-1]["body.p.x"] / r - math.cos(3 * v)), abs(rows[-1]["body.p.z"] / r - math.sin(3 * v) / v))
            c.report(rows[-1]["time"] == 3 and off < 1e-4, "bead past a pole, %s, r = %g: off by %.1e" % (method, r, off))
            _, said, rows = run_text(c, BEAD % {"r": r, "angle": 0}, method, "--atol", repr(1e-8 * r), tolerance=1e-8)
            before = math.pi / 2 - rows[-1]["time"]
            c.report("singular position" in said and 0 < before < 2e-3,
                     "bead across a pole, %s, r = %g: stops %.1e before it" % (method, r, before))


def check_singular(c):
    """Every form ends near the singular position (those whose steps are long some steps behind: BDF looks at least once in 20,
    the life of a matrix) or, where drift has led it aside (ude, index1), has warned."""
    for model, t, end in (("slider-crank/singular", 1.013884, "2"), ("academic/academic", 1.570796, "2")):
        for method in DIRECT:
            status, said, rows = c.run(model, method, 1e-6, "--t-end", end, "--steps")
            behind = sum(row["time"] > t for row in rows)
            near = abs(rows[-1]["time"] - t) < 0.25 or (method.endswith("bdf") and 0 < behind <= 20)
            ended = status == 1 and "singular position" in said and near
            c.report(ended or (method.startswith("ude") and "is violated" in said),
                     "%s, %s: ends at t = %.4f" % (model, method, rows[-1]["time"]))


def check_rounding(c):
    """Methods of low order come as near as others to positions where velocities have no bound (947: a drive that cannot go on) or
    constraints none (531757: a wheel that lies flat): what rounding makes of short steps does not end them before."""
    for seed, t in ((947, 0.18069299), (531757, 0.4952704)):
        for method in ("ggl-sdirk2", "ggl-radau", "ggl-bdf", "index2-bdf", "index2-sdirk2"):
            status, said, _ = run_text(c, generate(seed), method, tolerance=1e-8)
            found = re.search(r"stopped at t = ([0-9.]+): .*singular position", said)
            before = t - float(found.group(1)) if found else math.nan
            c.report(status == 1 and abs(before) < 1e-4,
                     "seed %d, %s: stops %.1e before the singular position" % (seed, method, before))


def check_last_step(c):
    """What the last step leads across ends a run, too: nothing but the end lies behind it."""
    for method in ("index2-radau", "index3-radau", "ggl-radau", "index2-bdf"):
        status, said, rows = c.run("slider-crank/singular", method, 1e-3, "--t-end", "1.0143", "--steps")
        c.report(status == 1 and bool(re.search(r"stopped at .*singular position", said)) and rows[-1]["time"] == 1.0143 and
                 rows[-2]["time"] < 1.0138, "singular position in the last step, %s: ends the run" % method)


def check_warnings(c):
    """Warned of where the motion is wrong, not where it is right."""
    _, said, _ = c.run("pendulum/pendulum", "index3-bdf", 1e-6)
    c.report(said.count("is violated by") == 1, "pendulum, index3-bdf: one warning")
    _, said, _ = c.run("andrews/andrews", "index3-bdf", 1e-6)  # velocities off by 0.08
    c.report(said.count("is violated by") == 1, "andrews, index3-bdf: one warning")
    for model in ("pendulum/pendulum", "chain/chain-10", "skateboard/skateboard", "andrews/andrews", "academic/academic",
                  "truck/equations"):
        for method in ("index2-radau", "index2-bdf", "ggl-radau", "ggl-bdf", "baumgarte-radau", "index1-radau"):
            status, said, _ = c.run(model, method, 1e-6)
            c.report(status == 0 and "is violated" not in said, "%s, %s: no warning" % (model, method))


def check_jumps(c):
    for method in DIRECT:
        status, said, rows = run_text(c, JUMP, method, "--option", "h_max=0.01")
        c.report(status == 1 and "not continuous" in said and rows[-1]["time"] < 0.62,
                 "drive that jumps, %s: ends at t = %.4f" % (method, rows[-1]["time"]))
    for method in DIRECT:
        status, said, rows = run_text(c, MOVING % "0.5123", method, "--steps")
        c.report(status == 1 and bool(re.search(r"stopped at .*not continuous", said)),
                 "moving drive that jumps, %s: ends at t = %.4f" % (method, rows[-1]["time"]))
        status, said, rows = run_text(c, MOVING % "2", method, "--steps")
        c.report(status == 0 and "not continuous" not in said, "moving drive that does not, %s: runs" % method)
        text = MOVING.replace("if(t > %s, 0.1, 0)", "max(0, t - 0.5123)")
        status, said, rows = run_text(c, text, method, "--steps")
        c.report("not continuous" not in said, "drive with a kink, %s: does not jump" % method)


def main():
    c = Checks(sys.argv[1], sys.argv[2])
    for check in (check_auto, check_no_forces, check_thin_rod, check_auto_stops, check_within_steps, check_passages,
                  check_poles_of_charts, check_singular, check_rounding, check_last_step, check_warnings, check_jumps):
        check(c)
    print("%d passed, %d failed" % (c.passed, c.failed))
    return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
