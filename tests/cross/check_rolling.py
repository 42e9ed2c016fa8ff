"""Rolling and sliding without slip: disc, wheel, bicycle, skate, sleigh.

    python3 check_rolling.py CRANK MODELS [PATTERN]

One line per check: ok or FAIL, the model, what was compared, value and limit. Ends with
"N passed, N failed"; exit 1 if any failed. PATTERN keeps the checks whose label contains it.
Needs Python 3 alone.

Limits of errors are what is asked for; tolerances are so much tighter that errors, which fall with them, are about a tenth of
the limits: a change of rounding then does not reach them. The eigenvalues of the bicycle
come from the small motion after a roll rate of 1e-4: samples z = (roll, steer and their rates) obey z(t + dt) = E z(t),
E by least squares, eigenvalues log(eig E)/dt; terms of second order are below 1e-6 of it.
"""
# SPDX-License-Identifier: BSD-3-Clause
import cmath
import math
import sys

from check_convergence import SLOPE, Checks, largest, read_csv, tolerance
from check_mechanisms import Series, check_residuals, check_series, energy_error

DISC, WHEEL, BICYCLE = "rolling-disc/rolling-disc.yaml", "rolling-wheel/rolling-wheel.yaml", "bicycle/bicycle.yaml"
SERIES = [
    Series(DISC, tol=1e-11, limit=1e-6),
    Series(WHEEL, tol=1e-11, limit=1e-7),
    Series("skate/skate.yaml", tol=1e-9, limit=1e-6),
    Series("chaplygin-sleigh/chaplygin-sleigh.yaml", tol=1e-9, limit=1e-6),
]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def slip(row, axis, radius):
    """Velocity of the point of contact and error of the height, from place, axis and velocities of a disc."""
    s = math.sqrt(axis[0] ** 2 + axis[1] ** 2)
    rho = [radius * axis[2] * axis[0] / s, radius * axis[2] * axis[1] / s, -radius * s]
    v = [a + b for a, b in zip([row["v" + c] for c in "xyz"], cross([row["w" + c] for c in "xyz"], rho))]
    return largest(abs(a) for a in v), abs(row["z"] + rho[2])


def check_disc(checks):
    if checks.wanted(DISC + " steady"):
        run = checks.run(DISC, *tolerance(1e-9))
        if not run.reached(20):
            checks.report(False, "%s steady: %s" % (DISC, run.reason()))
            return
        names = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"]
        rows = [dict(zip(names, row)) for row in run.columns(*("body.disc." + a for a in names))]
        axes = run.columns("ax", "ay", "az")
        tilt = largest(abs(axis[2] - 0.5) for axis in axes)
        checks.limit(DISC + " steady", "tilt changes by", tilt, 1e-6)
        spin = [sum(row["w" + c] * a for c, a in zip("xyz", axis)) for row, axis in zip(rows, axes)]
        checks.limit(DISC + " steady", "spin changes by", largest(abs(a - spin[0]) for a in spin), 1e-6)
        slips = [slip(row, axis, 0.5) for row, axis in zip(rows, axes)]
        checks.limit(DISC + " steady", "slip", largest(a for a, _ in slips), 1e-13)
        checks.limit(DISC + " steady", "height off the plane", largest(a for _, a in slips), 1e-13)
    if checks.wanted(DISC + " energy"):
        check_energy_slope(checks, DISC, "--set", "wobble=1")


def check_energy_slope(checks, model, *further):
    """The energy error falls with the tolerance."""
    points = []
    for exponent in range(4, 11):
        run = checks.run(model, *tolerance(10.0**-exponent), "--t-end", "10", *further)
        if not run.reached(10):
            checks.report(False, "%s energy: %s" % (model, run.reason()))
            return
        points.append((-exponent, math.log10(max(energy_error(run), 1e-16))))
        check_residuals(checks, "%s rtol=1e-%d" % (model, exponent), run)
    x, y = zip(*points)
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in points) / sum((a - mean_x) ** 2 for a in x)
    checks.report(slope >= SLOPE, "%s energy: errors 10^(%s), slope %.2f, at least %.2f"
                  % (model, " ".join("%.1f" % b for b in y), slope, SLOPE))


def wheel_energy(row):
    """Of place, quaternion and angular velocity of the wheel, which rolls."""
    (q0, q1, q2, q3), w = row[3:7], row[7:10]
    axle = [2 * (q1 * q2 - q0 * q3), 1 - 2 * (q1 * q1 + q3 * q3), 2 * (q2 * q3 + q0 * q1)]
    s = math.hypot(*axle[:2])
    v = cross([0.3 * axle[2] * axle[0] / s, 0.3 * axle[2] * axle[1] / s, -0.3 * s], w)
    spin = sum(a * b for a, b in zip(axle, w))
    kinetic = (2 * sum(a * a for a in v) + 0.12 * sum(a * a for a in w) + (0.06 - 0.12) * spin**2) / 2
    return kinetic + 2 * 9.80665 * 0.3 * s


def check_published_wheel(checks):
    """The published series is not exact: its energy changes. Until 1.5 s it is good to 4e-5. What is found here are its errors,
    to three digits and more (crank's own are below 1e-7, see SERIES): they do not depend on rounding."""
    label = WHEEL + " published"
    if not checks.wanted(label):
        return
    header, rows = read_csv(checks.path("rolling-wheel/published.csv"))
    run = checks.run(WHEEL, *tolerance(1e-10), "--t-end", "4", "--points", str(len(rows) - 1))
    if not run.reached(4):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    names = header[1:7]  # place and quaternion
    path = 0.0
    found = run.columns("time", *names)
    last = found[0]
    worst, absolute, relative = 0.0, 0.0, 0.0
    for row, expected in zip(found, rows):
        path += math.hypot(row[1] - last[1], row[2] - last[2])
        last = row
        sign = 1 if sum(a * b for a, b in zip(row[3:], expected[3:])) > 0 else -1
        errors = [abs(a - b) for a, b in zip(row[1:3], expected[1:3])]
        errors += [abs(a - sign * b) for a, b in zip(row[3:], expected[3:7])]
        if row[0] <= 1.5 + 1e-9:
            worst = largest((worst, *errors))
        absolute = largest((absolute, *errors))
        relative = largest((relative, largest(errors) / (1 + path)))
    checks.limit(label, "place and quaternion until 1.5 s off by", worst, 1e-4)
    checks.limit(label, "until 4 s off by", absolute, 1e-3)
    energies = [wheel_energy(row) for row in rows]
    checks.limit(label, "energy of the published rows, %.3g J, changes by" % energies[0],
                 largest(abs(a - energies[0]) for a in energies), 3e-4)
    checks.limit(label, "until 4 s, relative to the path, off by", relative, 1e-4)


def least_squares(z, right):
    """E with right = z E^T by modified Gram-Schmidt; z, right: rows of 4."""
    n = 4
    q = [[row[j] for row in z] for j in range(n)]
    r = [[0.0] * n for _ in range(n)]
    for j in range(n):
        for _ in range(2):  # twice is enough
            for i in range(j):
                c = sum(a * b for a, b in zip(q[i], q[j]))
                r[i][j] += c
                q[j] = [b - c * a for a, b in zip(q[i], q[j])]
        r[j][j] = math.sqrt(sum(a * a for a in q[j]))
        q[j] = [a / r[j][j] for a in q[j]]
    result = []
    for k in range(n):
        b = [sum(a * row[k] for a, row in zip(q[i], right)) for i in range(n)]
        x = [0.0] * n
        for i in range(n - 1, -1, -1):
            x[i] = (b[i] - sum(r[i][j] * x[j] for j in range(i + 1, n))) / r[i][i]
        result.append(x)
    return result


def eigenvalues(matrix):
    """Roots of the characteristic polynomial (Faddeev-LeVerrier, Durand-Kerner)."""
    n = len(matrix)
    coefficients, power = [1.0], [[float(i == j) for j in range(n)] for i in range(n)]
    for k in range(1, n + 1):
        product = [[sum(matrix[i][m] * power[m][j] for m in range(n)) for j in range(n)] for i in range(n)]
        c = -sum(product[i][i] for i in range(n)) / k
        coefficients.append(c)
        power = [[product[i][j] + (c if i == j else 0) for j in range(n)] for i in range(n)]
    roots = [(0.4 + 0.9j) ** i for i in range(n)]
    for _ in range(500):
        for i in range(n):
            value = 0
            for c in coefficients:
                value = value * roots[i] + c
            for j in range(n):
                if j != i:
                    value /= roots[i] - roots[j]
            roots[i] -= value
    return roots


def check_eigenvalues(checks, expected):
    """expected: speed, then four eigenvalues as real and imaginary parts."""
    speed = expected[0]
    label = "%s eigenvalues at %g m/s" % (BICYCLE, speed)
    if not checks.wanted(label):
        return
    step, t_end = 0.02, 0.6
    run = checks.run(BICYCLE, "--rtol", "1e-10", "--atol", "1e-13", "--set", "speed=%g" % speed, "--set",
                     "roll_rate=1e-4", "--t-end", repr(t_end), "--points", str(round(t_end / step)))
    if not run.reached(t_end):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    z = run.columns("roll", "joint.steer.angle", "roll_rate_now", "joint.steer.angle_rate")
    found = [cmath.log(root) / step for root in eigenvalues(least_squares(z[:-1], z[1:]))]
    published = [complex(expected[i], expected[i + 1]) for i in (1, 3, 5, 7)]
    worst, texts = 0.0, []
    for value in published:
        nearest = min(found, key=lambda a, b=value: abs(a - b))
        found.remove(nearest)
        worst = largest((worst, abs(nearest - value) / abs(value)))
        texts.append("%.4f%+.4fi" % (nearest.real, nearest.imag))
    checks.report(worst <= 5e-4, "%s: %s, off by %.1e, limit 5e-04" % (label, " ".join(texts), worst))


def check_bicycle(checks):
    _, table = read_csv(checks.path("bicycle/eigenvalues.csv"))
    for row in table:
        if row[0] in (1, 2, 3, 4, 5, 6, 8, 10):
            check_eigenvalues(checks, row)
    # weave speed 4.292, capsize speed 6.024: speed, roll rate, end, what happens
    for speed, rate, t_end, what in ((2, 0.05, 6, "falls"), (3, 0.05, 6, "falls"), (4, 0.05, 12, "swings grow"),
                                     (4.6, 0.5, 20, "recovers"), (5.5, 0.05, 20, "recovers"),
                                     (8, 0.05, 20, "leans into a turn")):
        label = "%s %g m/s, roll rate %g" % (BICYCLE, speed, rate)
        if checks.wanted(label):
            check_ride(checks, label, speed, rate, t_end, what)


def check_ride(checks, label, speed, rate, t_end, what):
    """A bicycle that falls ends where its wheels lie flat, which is a singular position."""
    run = checks.run(BICYCLE, *tolerance(1e-8), "--set", "speed=%g" % speed, "--set", "roll_rate=%g" % rate,
                     "--t-end", repr(t_end), "--every", "0.02")
    if not run.rows or (what != "falls" and not run.reached(t_end)):
        checks.report(False, "%s: %s" % (label, run.reason()))
        return
    rows = run.columns("time", "roll")
    first = largest(abs(roll) for t, roll in rows if t <= 2)
    last = largest(abs(roll) for t, roll in rows if t >= rows[-1][0] - 2)
    good = {"falls": last > 1.5, "swings grow": 0.5 > last > 5 * first, "recovers": last < 0.05 * first,
            "leans into a turn": 0.5 > last > 2 * first}
    checks.report(good[what], "%s: %s, roll %.3g in the first 2 s, %.3g in the 2 s before %.3g"
                  % (label, what, first, last, rows[-1][0]))
    checks.limit(label, "energy changes by", energy_error(run), 1e-5)
    if what == "falls":
        checks.report(run.status == 1 and "singular position" in run.message,
                      "%s: lies at the end, a singular position: exit %d" % (label, run.status))
    else:
        check_residuals(checks, label, run)


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    checks = Checks(*sys.argv[1:])
    for case in SERIES:
        if checks.wanted(case.label()):
            check_series(checks, case)
    for part in (check_disc, check_published_wheel, check_bicycle):
        part(checks)
    checks.finish()


if __name__ == "__main__":
    main()
