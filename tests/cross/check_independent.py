"""Mechanisms made at random, against a second simulator that shares no formulas with the first (independent/).

    python3 check_independent.py CRANK [all] [PATTERN]

Each model is run at rtol 1e-10. At rows of the result the second simulator takes positions and velocities from the row
and must find there: constraints of positions and velocities kept, the same accelerations, reactions, coordinates
of joints with rates, lengths and forces of springs, energies; the components of reactions that are marked unique
are those that redundant rows cannot shift. Then it integrates from the first row to the last: positions,
rotations, velocities, dissipated and supplied work.

One line per model: ok or FAIL, its name, the largest differences |x - y|/(1 + |x|) and where. Ends with
"N passed, N failed"; exit 1 if any failed. `all` runs every model, otherwise those that are quick. PATTERN keeps models
whose name contains it. Needs Python 3 alone.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import os
import sys
import tempfile

from check_convergence import Checks
from independent.algebra import EYE, Expression, add, cross, dependencies, dot, norm, of_quaternion, rodrigues, rot, sub
from independent.bodies import orientation
from independent.examples import models
from independent.model import Model, Point

LIMIT_POINT, LIMIT_RESIDUAL, LIMIT_END = 1e-7, 1e-11, 1e-6
POINTS_ONLY = ("bricard", "many turns", "tables", "ways of tables")  # not integrated by the second simulator, which takes too long


# ---- comparison ----

class Worst:
    def __init__(self):
        self.value, self.where = 0.0, "-"

    def note(self, found, expected, where):
        error = abs(found - expected) / (1 + abs(expected))
        if not (error <= self.value or math.isnan(self.value)):  # NaN counts and stays
            self.value, self.where = error, "%s %.9g, not %.9g" % (where, found, expected)


def point_of(model, row):
    S, V = {"ground": ((0.0,) * 3, EYE)}, {"ground": ((0.0,) * 3,) * 2}
    for b in model.moving:
        g = lambda c, b=b: row.get("body.%s.%s" % (b.name, c), 0.0)
        q = [row.get("body.%s.q%d" % (b.name, i), float(i == 0)) for i in range(4)]
        R = rodrigues((0, 0, g("angle"))) if model.planar else of_quaternion(q)
        w = (0.0, 0.0, g("rate")) if model.planar else (g("wx"), g("wy"), g("wz"))
        c = rot(R, b.center)
        S[b.name] = (add((g("x"), g("y"), g("z")), c), R)
        V[b.name] = (add((g("vx"), g("vy"), g("vz")), cross(w, c)), w)
    s = {}
    for j in model.slip:
        names = ["s"] if len(model.joints[j].s) == 1 else ["s1", "s2"]
        s[j] = [row["joint.%s.%s" % (j, n)] for n in names]
    r = {f.name: {k: row["force.%s.%s" % (f.name, k)] for k in f.states} for f in model.forces.values()}
    p = Point(model, row["time"], S, V, s, {}, r)
    model.slip_rates(p)
    return p


def accelerations(model, p, found):
    """Of origins, and angular ones, by name."""
    out = {}
    for b in model.moving:
        a = [0.0] * 6
        for i, k in enumerate(b.dofs):
            a[k] = found.acceleration[model.columns[b.name] + i]
        w, c = p.V[b.name][1], rot(p.S[b.name][1], b.center)
        linear = sub(sub(tuple(a[:3]), cross(tuple(a[3:]), c)), cross(w, cross(w, c)))
        for i in range(3):
            out["body.%s.a%s" % (b.name, "xyz"[i])] = linear[i]
            out["body.%s.dw%s" % (b.name, "xyz"[i])] = a[3 + i]
        out["body.%s.angle_acceleration" % b.name] = a[5]
    return out


def compare_row(model, row, worst, residual):
    p = point_of(model, row)
    for j in model.joints.values():
        j.turns = {name: row.get("joint.%s.%s" % (j.name, name), 0.0) for name in ("angle", "angle1", "angle2")}
        for name, value in j.coordinates(p.S).items():
            worst.note(row["joint.%s.%s" % (j.name, name)], value, "joint.%s.%s" % (j.name, name))
            rate = p.rate(lambda S, j=j, name=name: j.coordinates(S)[name])
            worst.note(row["joint.%s.%s_rate" % (j.name, name)], rate, "joint.%s.%s_rate" % (j.name, name))
        if j.type == "planar":
            lengths = [row["joint.%s.length%d" % (j.name, i)] for i in (1, 2)]
            worst.note(math.hypot(*lengths), math.hypot(*j.gap_along(p.S)[1:]), "joint.%s.length1, length2" % j.name)
    for f in model.forces.values():
        f.turn = row.get("force.%s.angle" % f.name, 0.0)
    found = model.solve(p)
    for v, r, o in zip(found.value, found.rate, found.owner):
        residual.note(v, 0.0, "position of " + o)
        residual.note(r, 0.0, "velocity of " + o)
    free = [[a / math.hypot(*null) for a in null] for null in dependencies(found.G, found.chosen)]
    for i, (owner, multiplier) in enumerate(zip(found.owner, found.multiplier)):
        shared = any(abs(null[i]) > 1e-6 for null in free)  # with redundant rows: any part of the effort will do
        if model.joints[owner].type != "equation" and not model.joints[owner].transmits and not shared:
            worst.note(row["joint.%s.effort" % owner], multiplier, "joint.%s.effort" % owner)
    for j in model.joints.values():
        if not j.transmits:
            continue
        if "joint.%s.fx" % j.name not in row:
            worst.note(math.nan, 0.0, "no column joint.%s.fx:" % j.name)
            continue
        F, T = model.reaction(p, found.G, found.owner, found.multiplier, j)
        free = model.open_reactions(p, found, j)
        if model.data.get("reactions") == "joint":
            compare_joint_axes(j, p, row, (F, T), free, worst)
            continue
        shift = [max([abs((f + t)[k]) for f, t in free] + [0.0]) for k in range(6)]
        for k, (c, value) in enumerate(zip(("fx", "fy", "fz", "tx", "ty", "tz"), F + T)):
            column = "joint.%s.%s" % (j.name, c)
            if column not in row:
                continue
            flag = row.get("joint.%s.unique.%s" % (j.name, c), 1.0)
            if not 1e-6 < shift[k] < 1e-3:  # else too near to tell
                worst.note(flag, float(shift[k] < 1e-5), column + " unique")
            if flag > 0.5:
                worst.note(row[column], value, column)
    for name, quantities in found.named.items():
        for q, value in quantities.items():
            worst.note(row["force.%s.%s" % (name, q)], value, "force.%s.%s" % (name, q))
    worst.note(row["energy.kinetic"], found.kinetic, "energy.kinetic")
    worst.note(row["energy.potential"], found.potential, "energy.potential")
    motion = accelerations(model, p, found)
    for name, text in model.data.get("outputs", {}).items():
        value = motion[text] if text in motion else Expression(text)(p.quantity, t=p.t)
        worst.note(row[name], value, "output " + name)
    return p


def compare_joint_axes(j, p, row, reaction, free, worst):
    """Along the joint's axis (z; planar: x) and as a whole; axes across it are a matter of choice."""
    name = "joint.%s." % j.name
    if j.planar:
        F, T = reaction
        f = [row[name + c] for c in ("fx", "fy", "tz")]
        if j.type == "prismatic":
            a = j.axis[1].at(p.S)
            worst.note(f[0], dot(a, F), name + "fx along the axis")
            worst.note(f[1], dot(cross((0, 0, 1), a), F), name + "fy across the axis")
        worst.note(math.hypot(*f[:2]), norm(F), name + "force")
        worst.note(f[2], T[2], name + "tz")
        return
    a = j.axis[1].at(p.S)
    for k, kind in enumerate("ft"):
        found, expected = [row[name + kind + c] for c in "xyz"], reaction[k]
        unique = [row.get(name + "unique." + kind + c, 1.0) > 0.5 for c in "xyz"]
        along = max([abs(dot(a, r[k])) for r in free] + [0.0])
        across = max([norm(cross(a, r[k])) for r in free] + [0.0])
        worst.note(unique[2], along < 1e-6, name + "unique." + kind + "z")
        worst.note(unique[0] and unique[1], across < 1e-6, name + "unique." + kind + "x or y")
        if unique[2]:
            worst.note(found[2], dot(a, expected), name + kind + "z along the axis")
        if unique[0] and unique[1]:
            worst.note(math.hypot(*found[:2]), norm(cross(a, expected)), name + kind + " across the axis")


PARTS = {"position": ("x", "y", "z"), "velocity": ("vx", "vy", "vz"), "angular_velocity": ("wx", "wy", "wz"),
         "angle": ("angle",), "rate": ("rate",)}


def compare_fixed(data, row, worst):
    """Start values that the file calls exact; they are of the origin and in world axes."""
    for name, body in data["bodies"].items():
        for part in body.get("fixed", ()):
            if part == "orientation":
                R = of_quaternion([row["body.%s.q%d" % (name, i)] for i in range(4)])
                for found, expected in zip(R, orientation(body[part])):
                    for a, b in zip(found, expected):
                        worst.note(a, b, "fixed orientation of " + name)
                continue
            values = body[part] if isinstance(body[part], list) else [body[part]]
            for column, value in zip(PARTS[part], values):
                worst.note(row["body.%s.%s" % (name, column)], value, "fixed body.%s.%s" % (name, column))


def compare_end(model, start, row, worst):
    p, lost, supplied = model.integrate(start, row["time"])
    q = point_of(model, row)
    for b in model.moving:
        for i in range(3):
            where = "%s[%d] of %s at the end" % ("%s", i, b.name)
            worst.note(q.S[b.name][0][i], p.S[b.name][0][i], where % "x")
            worst.note(q.V[b.name][0][i], p.V[b.name][0][i], where % "v")
            worst.note(q.V[b.name][1][i], p.V[b.name][1][i], where % "w")
            for k in range(3 if len(b.dofs) > 2 and 5 in b.dofs else 0):
                worst.note(q.S[b.name][1][i][k], p.S[b.name][1][i][k], where % "R")
    for name, value in (("dissipated", lost), ("supplied", supplied)):
        if "energy." + name in row:
            worst.note(row["energy." + name], value, "energy." + name)


def check_model(checks, name, data, parts=None, integrate=True):
    """data: for the second simulator; parts: {file: data} for crank, if it reads the model in another form."""
    files = parts or {"model.json": data}
    with tempfile.TemporaryDirectory() as place:
        for file, content in files.items():
            with open(os.path.join(place, file), "w", encoding="utf-8") as out:
                json.dump(content, out)
        run = checks.run(os.path.join(place, "model.json"), "--rtol", "1e-10", "--atol", "1e-10")
    if not run.reached(data["simulate"]["t_end"]):
        checks.report(False, "%s: %s" % (name, run.reason()))
        return
    model, worst, residual, end = Model(data), Worst(), Worst(), Worst()
    compare_fixed(data, run.row(0), worst)
    for i in range(len(run.rows)):
        compare_row(model, run.row(i), worst, residual)
    if integrate:
        for j in model.joints.values():
            j.turns = {}
        compare_end(model, point_of(model, run.row(0)), run.row(-1), end)
    good = worst.value <= LIMIT_POINT and residual.value <= LIMIT_RESIDUAL and end.value <= LIMIT_END
    text = "%s: rows off by %.0e" % (name, worst.value)
    text += "" if worst.value <= LIMIT_POINT else " (%s)" % worst.where
    text += ", residuals %.0e" % residual.value
    text += "" if residual.value <= LIMIT_RESIDUAL else " (%s)" % residual.where
    text += ", end %.0e" % end.value if integrate else ""
    text += "" if end.value <= LIMIT_END else " (%s)" % end.where
    checks.report(good, text)


def main():
    if len(sys.argv) not in (2, 3, 4):
        raise SystemExit(__doc__)
    everything = sys.argv[2:3] == ["all"]
    checks = Checks(sys.argv[1], "", sys.argv[-1] if len(sys.argv) > 2 and sys.argv[-1] != "all" else "")
    for name, make, quick in models():
        if checks.wanted(name) and (quick or everything):
            made = make()
            data, parts = made if isinstance(made, tuple) else (made.data, None)
            check_model(checks, name, data, parts, name not in POINTS_ONLY)
    checks.finish()


if __name__ == "__main__":
    main()
