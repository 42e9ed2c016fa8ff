"""Machines: the six-axis robot, the tree of links, the passenger car, the rear axle on a stamp, the train
carriage; slip of tyres, a wheelset alone, turns of long steps.

    python3 check_machines.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with
"N passed, N failed"; exit 1 if any failed. PATTERN keeps the checks whose label contains it.
Needs Python 3 alone.

There are no references: what mechanics says of the whole is computed here from the columns of a run. Of the robot, the torques that its motion needs, by
Newton's and Euler's laws link by link; of the tree, the reaction of the ground by Newton's law of all links. Both hold at every
row, whatever the error of the motion: limits are rounding, 1e-9 of the largest value. A wheel that is led along a line has slips and forces
in closed form; limits there are 1000 tolerances.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import sys

from check_convergence import Checks, largest, tolerance
from check_mechanisms import check_structure

ROBOT, TREE, CAR = "six-axis-robot/six-axis-robot.yaml", "tree/tree.yaml", "passenger-car/passenger-car.yaml"
SLIP, STOP = (os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases", name) for name in ("tyre-slip.yaml", "tyre-stop.yaml"))
AXLE, TRAIN = "rear-axle/rear-axle.yaml", "train-carriage/train-carriage.yaml"
WHEELSET = os.path.join(os.path.dirname(SLIP), "wheelset.yaml")
TURNS = os.path.join(os.path.dirname(SLIP), "long-turns.yaml")
EXACT = 1e-9
GRAVITY = (0.0, 0.0, -9.81)
STRUCTURE = [
    (ROBOT, (r"\b6 degrees of freedom", r"loops +0 ")),
    (TREE, (r"\b30 degrees of freedom", r"loops +0 ")),
    (AXLE, (r"\b2 degrees of freedom", r"loops +3 ", r"redundant +none")),
    (TRAIN, (r"\b33 degrees of freedom", r"loops +4 ", r"redundant +none")),
    (CAR, (r"\b14 degrees of freedom", r"loops +8 ", r"redundant +none")),
]

# the robot where all angles are zero, as its file says: point and axis of each joint; of what it carries mass, centre of
# mass, moments of inertia; inertia of the rotor at the joint
A1, H, A2, D, A3, A4 = 0.26, 0.675, 0.68, 0.035, 0.67, 0.16
TOP = H + A2 + D
AXES = [
    ((0, 0, 0.4), (0, 0, 1), 60, (0.1, 0, 0.5), (1.2, 1.6, 1.6), 2.6e-3 * 120 ** 2),
    ((A1, 0, H), (0, 1, 0), 32, (A1, 0.12, H + A2 / 2), (1.9, 1.8, 0.25), 2.6e-3 * 120 ** 2),
    ((A1, 0, H + A2), (0, 1, 0), 25, (A1 + 0.08, -0.03, TOP), (0.25, 0.5, 0.45), 1.2e-3 * 100 ** 2),
    ((A1, 0, TOP), (1, 0, 0), 12, (A1 + 0.45, 0, TOP), (0.06, 0.55, 0.55), 2e-4 * 60 ** 2),
    ((A1 + A3, 0, TOP), (0, 1, 0), 4, (A1 + A3 + 0.03, 0, TOP), (0.012, 0.01, 0.012), 2e-4 * 60 ** 2),
    ((A1 + A3 + A4, 0, TOP), (1, 0, 0), 16, (A1 + A3 + A4 + 0.08, 0, TOP + 0.04), (0.12, 0.16, 0.16), 1e-4 * 50 ** 2),
]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(*vectors):
    return [math.fsum(c) for c in zip(*vectors)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def times(matrix, a):
    return [sum(x * y for x, y in zip(row, a)) for row in matrix]


def turned(matrix, axis, angle):
    """The columns of a rotation matrix, turned about an axis of a body that it has turned before: R exp(angle axis x)."""
    c, s = math.cos(angle), math.sin(angle)
    turn = [[c * (i == j) + (1 - c) * axis[i] * axis[j] for j in range(3)] for i in range(3)]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        turn[i][j] -= s * axis[k]
        turn[j][i] += s * axis[k]
    return [[sum(matrix[i][k] * turn[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def needed_torques(angles, rates, accelerations):
    """Of the motors: forwards the motion of the links, backwards forces and moments."""
    matrix = [[float(i == j) for j in range(3)] for i in range(3)]
    place, before = [0.0, 0.0, 0.0], (0.0, 0.0, 0.0)
    lift, w, dw = [-g for g in GRAVITY], [0.0] * 3, [0.0] * 3  # acceleration less that of gravity
    links = []
    for (at, axis, mass, centre, inertia, _), q, v, a in zip(AXES, angles, rates, accelerations):
        arm = times(matrix, sub(at, before))
        place, lift = add(place, arm), add(lift, cross(dw, arm), cross(w, cross(w, arm)))
        about = times(matrix, axis)
        dw = add(dw, [a * x for x in about], [v * x for x in cross(w, about)])
        w = add(w, [v * x for x in about])
        matrix, before = turned(matrix, axis, q), at
        out = times(matrix, sub(centre, at))
        force = [mass * x for x in add(lift, cross(dw, out), cross(w, cross(w, out)))]
        columns = list(zip(*matrix))
        spin, change = times(columns, w), times(columns, dw)
        moment = add([i * x for i, x in zip(inertia, change)], cross(spin, [i * x for i, x in zip(inertia, spin)]))
        links.append((place, about, add(place, out), force, times(matrix, moment)))
    found = []
    for k, (at, about, *_) in enumerate(links):
        moment = add(*(add(m, cross(sub(c, at), f)) for _, _, c, f, m in links[k:]))
        found.append(sum(x * y for x, y in zip(moment, about)) + AXES[k][5] * accelerations[k])
    return found


def check_robot(checks, coordinates):
    label = "%s %s" % (ROBOT, coordinates)
    run = checks.run(ROBOT, *tolerance(1e-8), "--coordinates", coordinates)
    if not run.reached(1):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    axes = range(1, 7)
    motion = zip(*(run.columns(*(name % i for i in axes))
                   for name in ("joint.axis%d.angle", "joint.axis%d.angle_rate", "acceleration%d")))
    torques = run.columns(*("force.motor%d.torque" % i for i in axes))
    needed = [needed_torques(*row) for row in motion]
    checks.limit(label, "torques off what the motion needs by",
                 largest(abs(a - b) for one, two in zip(torques, needed) for a, b in zip(one, two))
                 / largest(abs(a) for row in needed for a in row), EXACT)


def check_tree(checks, count, coordinates):
    label = "%s N=%d %s" % (TREE, count, coordinates)
    run = checks.run(TREE, *tolerance(1e-8), "--coordinates", coordinates, "--set", "N=%d" % count, "--t-end", "1")
    if not run.reached(1):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    rows = run.columns("needed_x", "needed_z", "joint.fork1.fx", "joint.fork1.fz")
    checks.limit(label, "reaction of the ground off Newton's law by",
                 largest(max(abs(a - c), abs(b - d)) for a, b, c, d in rows) / largest(abs(b) for _, b, _, _ in rows), EXACT)


def check_car_straight(checks):
    """Loads by the weight. Contact begins over 1e-3 of the heaviest weight over a tyre's stiffness: 3e-6 of a load."""
    label = "%s straight ahead" % CAR
    run = checks.run(CAR, *tolerance(1e-8), "--coordinates", "joint", "--set", "sweep=0", "--t-end", "1")
    if not run.reached(1):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    corner, rack, place = 6 + 15 + 20, 3, 1.3 - 0.13
    front = 9.81 * ((1250 * 1.4 + rack * (1.4 + place)) / 5.4 + corner)
    rear = 9.81 * ((1250 * 1.3 + rack * (1.3 - place)) / 5.4 + corner)
    rows = run.columns(*("force.tyre%d.force" % i for i in range(1, 5)))
    checks.limit(label, "loads of tyres off the weight by",
                 largest(abs(a / b - 1) for row in rows for a, b in zip(row, (front, front, rear, rear))), 1e-5)
    checks.limit(label, "way to the side", largest(abs(y) for (y,) in run.columns("body.chassis.y")), 1e-9)


def check_car_circle(checks):
    """A neutral car: radius = wheelbase/angle, to second order of angles and of the share of centrifugal forces in loads."""
    label = "%s in a circle" % CAR
    run = checks.run(CAR, *tolerance(1e-6), "--coordinates", "joint", "--set", "sweep=0", "--set", "hold=0.006", "--set", "v=5",
                     "--t-end", "5")
    if not run.reached(5):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    row = run.row(-1)
    radius = math.hypot(row["body.chassis.vx"], row["body.chassis.vy"]) / row["body.chassis.wz"]
    angle = math.radians((row["steer_left"] + row["steer_right"]) / 2)
    checks.limit(label, "radius %.2f m off wheelbase/angle by" % radius, abs(radius * angle / 2.7 - 1), 1e-3)


def axle_response(w):
    """Amplitudes of heave and roll per amplitude of the stamp."""
    load = 4000 + 9.81 * (120 + 8) / 2
    k, dt, ks, ds, b, c = load / (0.02 * (1 + 0.02 / 0.05)) * (1 + 2 * 0.02 / 0.05), 150, 35e3, 2500, 0.5, 0.75
    push = k + 1j * w * dt
    heave = -w ** 2 * (120 + 2 / 3 * 8) + 2j * w * (ds + dt) + 2 * (ks + k)
    roll = -w ** 2 * (45 + 2 / 3 * 8 * b * b) + 2j * w * (ds * b * b + dt * c * c) + 2 * (ks * b * b + k * c * c)
    return push / heave, c * push / roll


def check_axle(checks, frequency, coordinates):
    """Over the last half second; what does not belong to the frequency is of second order of the stroke, 1e-5/0.02 of the whole."""
    label = "%s at %g Hz, %s" % (AXLE, frequency, coordinates)
    run = checks.run(AXLE, *tolerance(1e-10), "--coordinates", coordinates, "--set", "A=1e-5", "--set", "f=%g" % frequency,
                     "--t-end", "2", "--every", "0.0025")
    if not run.reached(2):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    w, rows = 2 * math.pi * frequency, run.columns("time", "heave", "roll", "stamp_height")[-200:]
    waves = [complex(math.cos(w * t), -math.sin(w * t)) for t, *_ in rows]
    heave, roll, stamp = (sum(row[k] * wave for row, wave in zip(rows, waves)) for k in (1, 2, 3))
    for word, found, expected in zip(("heave", "roll"), (heave / stamp, roll / stamp), axle_response(w)):
        checks.limit(label, "%s %.4f of the stamp, off by" % (word, abs(found)), abs(found / expected - 1), 1e-3)


def check_wheelset(checks, curvature, coordinates):
    """At 0.5 m/s: crossings of its wave, half a length apart, about where it rolls round the curve; creep is of the order of
    forces of inertia over the load, v^2/(g r) times conicity, 1e-2, over Kalker's coefficient."""
    label = "wheelset in a curve of %g/m, %s" % (curvature, coordinates)
    run = checks.run(WHEELSET, "--coordinates", coordinates, "--set", "k=%r" % curvature)
    if not run.reached(40):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    r, b, cone = 0.46, 0.75, 0.15
    length = 2 * math.pi * math.sqrt(r * b / cone * (1 + r * cone / b))
    place = -r * b * curvature / cone
    rows = [(0.5 * t, y - place) for t, y in run.columns("time", "joint.wheelset.y")]
    zeros = [s + (v - s) * y / (y - z) for (s, y), (v, z) in zip(rows, rows[1:]) if y * z < 0]
    checks.limit(label, "%d crossings, half a wave of %.3f m apart but for" % (len(zeros), length),
                 largest(abs(2 * (z - a) / length - 1) for a, z in zip(zeros, zeros[1:])), 1e-3)


def check_train(checks, coordinates):
    """The weight on eight wheels; wheels keep to the rails and carry, the car goes over to the other track."""
    label = "%s %s" % (TRAIN, coordinates)
    run = checks.run(TRAIN, *tolerance(1e-6), "--coordinates", coordinates)
    if not run.reached(7):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    wheels = ["%s%d" % (side, i) for i in range(1, 5) for side in ("left", "right")]
    loads = run.columns(*("joint.%s.load" % w for w in wheels))
    load = 9.81 * (32000 + 2 * 2600 + 4 * 1800) / 8
    checks.limit(label, "loads at the start off the weight by", largest(abs(n / load - 1) for n in loads[0]), 1e-9)
    checks.report(all(n > 0.2 * load for row in loads for n in row), "%s: all wheels carry all the time, at least %.0f kN"
                  % (label, min(n for row in loads for n in row) / 1000))
    ways = run.columns(*("joint.%s.displacement" % w for w in wheels))
    checks.limit(label, "largest way out of a wheel beside the clearance", largest(abs(y) for row in ways for y in row) / 0.007, 1.2)
    checks.limit(label, "and at the end", largest(abs(y) for y in ways[-1]) / 0.007, 0.05)
    end = run.row(-1)
    checks.limit(label, "the car beside the other track at the end, m", abs(end["body.car.y"] - 4), 0.05)
    checks.limit(label, "its heading there", abs(2 * end["body.car.q3"]), 1e-3)


def check_turns(checks, method):
    """A parabola that explicit and implicit methods have exactly, in steps of hundreds of turns."""
    label = "turns of long steps, %s" % method
    run = checks.run(TURNS, "--coordinates", "joint", "--method", method)
    if not run.reached(100):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    rows = run.columns("time", "joint.hub.angle", "yaw", "joint.bearing.angle")
    checks.limit(label, "%d steps, angles off by" % run.stats["steps"],
                 largest(max(abs(a - 100 * t - 3 * t * t), abs(b - 130 * t - 2 * t * t), abs(c - 30 * t + t * t))
                         for t, a, b, c in rows), 1e-6)


def wheel_forces(alpha, ratio, t):
    """Of cases/tyre-slip.yaml: slips along and across, the forces."""
    v, h, slow, mu, load = 20.0, 0.28, 0.5, 0.9, 2e5 * 0.02
    ahead, across, rolled = v * math.cos(alpha), v * math.sin(alpha), ratio * v * math.cos(alpha)
    speed = math.sqrt((ahead ** 2 + rolled ** 2 + (ahead - rolled) ** 2) / 2 + across ** 2 + slow ** 2)
    slips = [-(ahead - rolled) / speed, -across / speed]
    size = math.hypot(slips[0] * 18 / mu, slips[1] * 12 / mu)
    phi = math.sin(1.4 * math.atan(size / 1.4)) / size if size > 0 else 1.0
    along, aside = (load * c * s * phi * (1 - math.exp(-speed * t / (way * phi))) for c, s, way in ((18, slips[0], 0.2), (12, slips[1], 0.5)))
    return (*slips, along, aside, h * along, -(along * math.cos(alpha) + aside * math.sin(alpha)))


def check_slip(checks, alpha, ratio, coordinates):
    label = "tyre at %g rad, rolling %g times as fast, %s" % (alpha, ratio, coordinates)
    run = checks.run(SLIP, "--coordinates", coordinates, "--set", "alpha=%r" % alpha, "--set", "ratio=%r" % ratio)
    if not run.reached(0.1):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    names = ["time"] + ["force.tyre." + n for n in ("longitudinal_slip", "lateral_slip", "longitudinal", "lateral")]
    rows = run.columns(*names, "joint.axle.effort", "joint.way.effort")
    sizes = (1, 1, 4e3, 4e3, 4e3, 4e3)
    # tread comes into contact over 1e-6 of the load, rounded off: 6e-10 of it
    checks.limit(label, "slips, forces, torque of the axle off by",
                 largest(abs(a - b) / s for t, *row in rows for a, b, s in zip(row, wheel_forces(alpha, ratio, t), sizes)), 1e-7)


def check_stop(checks, heading):
    """cases/tyre-stop.yaml: friction takes mu g off the speed, then the tread, mu sigma/c long, swings the block by what it stores."""
    label = "tyre that skids to a stop at %g rad" % heading
    run = checks.run(STOP, "--set", "heading=%r" % heading)
    if not run.reached(4):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    mu, g, sigma, c, v = 1, 9.81, 0.5, 20, 15
    rows = run.columns("time", "body.block.x", "body.block.vx", "energy.dissipated")
    longest, springs = max(x for _, x, _, _ in rows), mu * sigma / c
    # the block's weight holds the slide, too; C = 1: sin(atan(c/mu)) of mu; the force comes one deflection late
    way = v * v / (2 * mu * g) * 401 / 400 * math.hypot(c, mu) / c + springs
    checks.limit(label, "way beside %.3f m, in deflections of the tread" % way, abs(longest - way) / springs, 0.05)
    late = [row for row in rows if row[0] > 1.7]
    checks.limit(label, "swings later by, in deflections", (longest - min(x for _, x, _, _ in late)) / springs, 2)
    checks.limit(label, "at a speed, over what the tread stores", largest(abs(s) for _, _, s, _ in late) / (mu * math.sqrt(g * sigma / c)), 1)
    back = max(a[3] - z[3] for i, a in enumerate(rows) for z in rows[i + 1:])
    checks.limit(label, "energy that comes back, over what it stores", back / (0.5 * mu * 400 * g * springs), 1)


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    checks = Checks(*sys.argv[1:])
    jobs = [("%s check" % item[0], check_structure, item) for item in STRUCTURE]
    for coordinates in ("absolute", "joint"):
        jobs.append((ROBOT, check_robot, (coordinates,)))
        jobs += [(TREE, check_tree, (count, coordinates)) for count in (1, 15)]
        jobs += [("tyre", check_slip, (alpha, ratio, coordinates))
                 for alpha, ratio in ((0.05, 1.0), (0.0, 1.1), (0.0, 0.0), (-0.1, 0.9), (0.0, 3.0), (1.5, 0.5))]
    jobs += [("tyre", check_stop, (heading,)) for heading in (0.0, 0.6, 0.5 * math.pi)]
    jobs += [(AXLE, check_axle, case) for case in ((4, "absolute"), (10, "joint"), (24, "joint"))]
    jobs += [("wheelset", check_wheelset, case) for case in ((1e-9, "absolute"), (1e-3, "joint"), (-2e-3, "joint"))]
    jobs.append((TRAIN, check_train, ("joint",)))
    jobs += [("turns", check_turns, (method,)) for method in ("ode-dopri8", "psf-radau", "ggl-bdf", "auto")]
    jobs += [(CAR, check_car_straight, ()), (CAR, check_car_circle, ())]
    for label, check, arguments in jobs:
        if checks.wanted(label):
            check(checks, *arguments)
    checks.finish()


if __name__ == "__main__":
    main()
