"""Reference motions for the comparison with peers: CSV files of time, positions, velocities.

Pendulum and four-bars by Jacobi's elliptic functions: with the angle a from the lowest point, a'' = -w^2 sin a, a(0) = 0,
k = a'(0)/(2 w):  sin(a/2) = k sn(w t, k),  a' = 2 k w cn(w t, k). The others from reference.csv of their models.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import math
from decimal import Decimal, localcontext

PI = Decimal("3.141592653589793238462643383279502884197169399375105820974944")
POINTS = 10


def elliptic(u, k):
    """sn, cn, dn of a decimal u: the period is taken off in 50 digits, the rest by Landen's descent."""
    with localcontext() as context:
        context.prec = 50
        a, b = Decimal(1), (1 - k * k).sqrt()
        while abs(a - b) > Decimal("1e-45"):
            a, b = (a + b) / 2, (a * b).sqrt()
        period = 2 * PI / a  # 4 K
        u = u - period * (u / period).to_integral_value()
    u, modulus = float(u), float(k)
    a, c = [1.0], [modulus]
    b = math.sqrt(1 - modulus * modulus)
    for _ in range(7):  # converges quadratically
        a, c, b = a + [(a[-1] + b) / 2], c + [(a[-1] - b) / 2], math.sqrt(a[-1] * b)
    phase = 2 ** (len(a) - 1) * a[-1] * u
    for i in range(len(a) - 1, 0, -1):
        phase = (phase + math.asin(c[i] / a[i] * math.sin(phase))) / 2
    return math.sin(phase), math.cos(phase), math.sqrt(1 - (modulus * math.sin(phase)) ** 2)


def swing(square, rate, t):
    """Angle and rate of a'' = -square sin a at t, all decimal."""
    with localcontext() as context:
        context.prec = 50
        w = square.sqrt()
        k = rate / (2 * w)
        u = w * t
    sn, cn, _ = elliptic(u, k)
    return 2 * math.asin(float(k) * sn), 2 * float(k) * float(w) * cn


def pendulum(_size, t_end):
    names = ["x", "y", "vx", "vy"]
    rows = []
    for i in range(1, POINTS + 1):
        t = Decimal(str(t_end)) * i / POINTS
        angle, rate = swing(Decimal("13.75"), Decimal("5.24411510858424"), t)
        s, c = math.sin(angle), math.cos(angle)
        rows.append([float(t), s, -c, rate * c, rate * s])
    return names, rows


def four_bar_names(size):
    bodies = [f"upright{i // 2}" if i % 2 == 0 else f"cross{i // 2}" for i in range(2 * size + 1)]
    return ([f"body.{body}.{part}" for body in bodies for part in ("x", "y", "angle")]
            + [f"body.{body}.{part}" for body in bodies for part in ("vx", "vy", "rate")])


def four_bar_state(size, angle, rate):
    """Positions, velocities; uprights turned by angle from the vertical; bodies in the order of four_bar.c."""
    s, c = math.sin(angle), math.cos(angle)
    q, v = [], []
    for body in range(2 * size + 1):
        left = body // 2
        if body % 2 == 0:
            q += [left + s / 2, c / 2, math.pi / 2 - angle]
            v += [rate * c / 2, -rate * s / 2, -rate]
        else:
            q += [left + 0.5 + s, c, 0.0]
            v += [rate * c, -rate * s, 0.0]
    return q + v


def four_bar(size, t_end):
    """Hanging, with v0 = 4."""
    square = Decimal("9.81") * (Decimal(size + 1) / 2 + size) / (Decimal(size + 1) / 3 + size)
    rows = []
    for i in range(1, POINTS + 1):
        t = Decimal(str(t_end)) * i / POINTS
        angle, rate = swing(square, Decimal(4), t)
        rows.append([float(t)] + four_bar_state(size, angle, rate))
    return four_bar_names(size), rows


def upright_four_bar(path, size):
    """Standing, as in the model: the angle from the reference of the first upright's top, whose rows are less than a
    half turn apart."""
    with open(path, encoding="utf-8") as file:
        table = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    rows, last = [], 0.0
    for t, x, y, vx, vy in table:
        angle = math.atan2(x, y)
        angle += 2 * math.pi * round((last - angle) / (2 * math.pi))
        last = angle
        if t > 0 and abs(t - round(t)) < 1e-9:
            rows.append([t] + four_bar_state(size, angle, vx * y - vy * x))
    return four_bar_names(size), rows


def from_table(path, count, t_end):
    """count positions and as many velocities at POINTS times of a model's reference, up to t_end."""
    with open(path, encoding="utf-8") as file:
        table = list(csv.reader(file))
    names = table[0][1:2 * count + 1]
    rows = [[float(cell) for cell in row[:2 * count + 1]] for row in table[1:]]
    rows = [row for row in rows if 0 < row[0] <= t_end * (1 + 1e-9)]
    step = max(1, len(rows) // POINTS)
    return names, rows[::-1][::step][:POINTS][::-1]


def governor(path, t_end):
    """psi, s and the balls as seen from their hinges, from psi, alpha, s of the model's reference."""
    _, rows = from_table(path, 3, t_end)
    names = ["psi", "s", "x1", "z1", "x2", "z2", "psi_dot", "s_dot", "vx1", "vz1", "vx2", "vz2"]
    made = []
    for t, psi, alpha, s, psi_rate, alpha_rate, s_rate in rows:
        sine, cosine = math.sin(alpha), math.cos(alpha)
        made.append([t, psi, s] + 2 * [cosine, -sine] + [psi_rate, s_rate]
                    + 2 * [-sine * alpha_rate, -cosine * alpha_rate])
    return names, made


def swashplate(path, t_end):
    """Flywheel and plate from the model's reference, the pistons where the plate has them: z = -r cos(a - q)."""
    reach = 0.05 * math.tan(math.pi / 9)
    names = ["wheel", "plate", "z1", "z2", "z3", "wheel_d", "plate_d", "vz1", "vz2", "vz3"]
    made = []
    for t, wheel, plate, wheel_rate, plate_rate in from_table(path, 2, t_end)[1]:
        angles = [2 * math.pi * i / 3 - plate for i in (1, 2, 0)]
        made.append([t, wheel, plate] + [-reach * math.cos(a) for a in angles] + [wheel_rate, plate_rate]
                    + [-reach * math.sin(a) * plate_rate for a in angles])
    return names, made


def universal(path, t_end):
    """Table of one body, as spatial_table has it, from the angles of the joint: the plate is turned by alpha about x, then
    by beta about its own y; its angular velocity is alpha' e_x + beta' times that axis."""
    length, made = 0.4, []
    for t, alpha, beta, alpha_rate, beta_rate in from_table(path, 2, t_end)[1]:
        q = product([math.cos(alpha / 2), math.sin(alpha / 2), 0.0, 0.0],
                    [math.cos(beta / 2), 0.0, math.sin(beta / 2), 0.0])
        centre = turn(q, [0.0, 0.0, -length])
        w = [alpha_rate, beta_rate * math.cos(alpha), beta_rate * math.sin(alpha)]
        v = [w[1] * centre[2] - w[2] * centre[1], w[2] * centre[0] - w[0] * centre[2],
             w[0] * centre[1] - w[1] * centre[0]]
        made.append([t] + centre + q + v + w)
    names = ["x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz"]
    return ["body.plate." + name for name in names], made


def spatial(table, bodies):
    """Bodies in space from a table of x, y, z, q0 ... q3, vx, vy, vz, wx, wy, wz: velocities as crank has them among its
    unknowns, angular velocities in axes of the body."""
    names, rows = table
    heads = [name[:-1] for name in names[::13]]  # body.NAME.
    made = []
    for row in rows:
        positions, velocities = [], []
        for body in range(bodies):
            part = row[1 + 13 * body:14 + 13 * body]
            positions += part[:7]
            velocities += part[7:10] + turn_back(part[3:7], part[10:])
        made.append([row[0]] + positions + velocities)
    positions = [head + name for head in heads for name in ("x", "y", "z", "q0", "q1", "q2", "q3")]
    rates = [head + name for head in heads for name in ("vx", "vy", "vz", "omega_x", "omega_y", "omega_z")]
    return positions + rates, made


def spatial_rates(table, bodies):
    """The same for the peers, whose velocities are the rates of the positions: q' = (0, w) q / 2."""
    names, rows = table
    made = []
    for row in rows:
        positions, velocities = [], []
        for body in range(bodies):
            part = row[1 + 13 * body:14 + 13 * body]
            positions += part[:7]
            velocities += part[7:10] + [a / 2 for a in product([0.0] + part[10:], part[3:7])]
        made.append([row[0]] + positions + velocities)
    places = [names[13 * body + i] for body in range(bodies) for i in range(7)]
    return places + [name + "_rate" for name in places], made


def spatial_table(path, bodies, t_end):
    with open(path, encoding="utf-8") as file:
        table = list(csv.reader(file))
    if len(table[0]) != 1 + 13 * bodies:
        raise SystemExit(f"{path}: not of {bodies} bodies")
    rows = [[float(cell) for cell in row] for row in table[1:]]
    rows = [row for row in rows if 0 < row[0] <= t_end * (1 + 1e-9)]
    step = max(1, len(rows) // POINTS)
    return table[0][1:], rows[::-1][::step][:POINTS][::-1]


def product(a, b):
    """Of quaternions."""
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


def turn_back(q, a):
    """A vector of the world in axes of the body."""
    conjugate = [q[0], -q[1], -q[2], -q[3]]
    return product(product(conjugate, [0.0] + a), q)[1:]


def turn(q, a):
    """A vector of the body in axes of the world."""
    return product(product(q, [0.0] + a), [q[0], -q[1], -q[2], -q[3]])[1:]


def write(path, names, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(["time"] + names) + "\n")
        for row in rows:
            file.write(",".join(f"{value:.17g}" for value in row) + "\n")
