"""Numbers with dimensions, so that a mechanism can be written in any consistent units, and planar ones as spatial.

A model is a tree of mappings and lists whose numbers are Quantity(value, (length, mass, time)) with the exponents of
its dimension, whose expressions are Text: pieces, of which some are quantities. `plain` makes numbers and texts of
them in given units: Units(l, m, t) are the numbers that stand for one metre, kilogram, second.
"""
# SPDX-License-Identifier: BSD-3-Clause
import collections

NONE, LENGTH, TIME, MASS = (0, 0, 0), (1, 0, 0), (0, 0, 1), (0, 1, 0)
SPEED, RATE, ACCELERATION, SPIN_UP = (1, 0, -1), (0, 0, -1), (1, 0, -2), (0, 0, -2)
INERTIA, FORCE, TORQUE = (2, 1, 0), (1, 1, -2), (2, 1, -2)
STIFFNESS, DAMPING, TURN_DAMPING = (0, 1, -2), (0, 1, -1), (2, 1, -1)

Units = collections.namedtuple("Units", "l m t")
SI = Units(1.0, 1.0, 1.0)
TWINS = {"mm": Units(1e3, 1.0, 1.0), "um": Units(1e6, 1.0, 1.0), "km": Units(1e-3, 1.0, 1.0),
         "t": Units(1.0, 1e-3, 1.0), "h": Units(1.0, 1.0, 1 / 3600), "ms": Units(1.0, 1.0, 1e3),
         "mm, t": Units(1e3, 1e-3, 1.0), "mm, g, ms": Units(1e3, 1e3, 1e3)}


class Quantity:
    def __init__(self, value, dimension):
        self.value, self.dimension = float(value), dimension

    def inside(self, units):
        l, m, t = self.dimension
        return self.value * units.l ** l * units.m ** m * units.t ** t


class Text:
    """An expression of pieces; quantities among them are written as numbers."""

    def __init__(self, *pieces):
        self.pieces = pieces

    def inside(self, units):
        return "".join(p if isinstance(p, str) else "(%r)" % p.inside(units) for p in self.pieces)


def vector(values, dimension):
    return [Quantity(v, dimension) for v in values]


def factor(dimension, units):
    return Quantity(1.0, dimension).inside(units)


def plain(tree, units=SI):
    """The model as crank reads it."""
    if isinstance(tree, (Quantity, Text)):
        return tree.inside(units)
    if isinstance(tree, dict):
        return {k: plain(v, units) for k, v in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [plain(v, units) for v in tree]
    return tree


# ---- a planar model as a spatial one ----

NO_TWIN = {"profile", "tyre"}  # planar models only; upwards is y in the plane and z in space


def has_spatial_twin(tree):
    parts = list(tree["joints"].values()) + list(tree["forces"].values())
    return all(p["type"] not in NO_TWIN and "coefficient" not in p for p in parts) and \
        "angle" not in str([plain(p.get("of", "")) for p in parts if p["type"] == "driver" and
                            "body" in str(plain(p.get("of", "")))])


def raised(values, dimension=LENGTH):
    return list(values) + [Quantity(0.0, dimension)]


def raised_places(at):
    """`at` of a joint or force: a point, two points, or {first, second}."""
    if isinstance(at, dict):
        return {k: raised(v) for k, v in at.items()}
    return [raised(a) for a in at] if isinstance(at[0], list) else raised(at)


def spatial(tree):
    """The planar model with all bodies held in the plane z = 0."""
    out = {k: v for k, v in tree.items() if k not in ("dimension", "bodies", "joints", "forces", "outputs")}
    out["gravity"] = raised(tree["gravity"], ACCELERATION)
    out["bodies"], out["joints"], out["forces"] = {}, {}, {}
    for name, b in tree["bodies"].items():
        out["bodies"][name] = spatial_body(b)
    for name, j in tree["joints"].items():
        out["joints"][name] = spatial_joint(j)
    for name, b in tree["bodies"].items():
        place = raised(b["position"])
        flat = "point_in_plane" if b.get("type") == "point" else "planar"
        out["joints"]["flat_" + name] = {"type": flat, "between": ["ground", name], "at": place, "axis": [0, 0, 1]}
    for name, f in tree["forces"].items():
        out["forces"].update(spatial_force(name, f))
    out["outputs"] = {k: Text(v.replace("angle_acceleration", "dwz")) for k, v in tree["outputs"].items()}
    return out


def spatial_body(b):
    new = {k: v for k, v in b.items() if k not in ("angle", "rate")}
    for key, dimension in (("position", LENGTH), ("velocity", SPEED), ("center", LENGTH)):
        if key in new:
            new[key] = raised(new[key], dimension)
    if "angle" in b:
        new["orientation"] = {"axis": [0, 0, 1], "angle": b["angle"]}
    if "rate" in b:
        new["angular_velocity"] = [Quantity(0, RATE), Quantity(0, RATE), b["rate"]]
    if "inertia" in b:
        new["inertia"] = [b["inertia"]] * 3
    return new


def spatial_joint(j):
    new = dict(j)
    if "at" in j:
        new["at"] = raised_places(j["at"])
    if "axis" in j:
        new["axis"] = raised(j["axis"], NONE)
    if j["type"] in ("revolute", "rolling_disc"):
        new["axis"] = [0, 0, 1]
    if "plane" in j:
        new["plane"] = {"at": raised(j["plane"]["at"]), "normal": raised(j["plane"]["normal"], NONE)}
    if j["type"] == "skate":
        new["plane"] = {"at": vector((0, 0, 0), LENGTH), "normal": [0, 0, 1]}
    if "curve" in j:
        new["curve"] = list(j["curve"]) + ["0"]
    if "path" in j:
        new["path"] = list(j["path"]) + ["0"]
    return new


def spatial_force(name, f):
    new = dict(f)
    if "at" in f:
        new["at"] = raised_places(f["at"])
    if f["type"] == "force":
        new["force"] = list(f["force"]) + ["0"]
        if "local" in f:
            new["local"] = raised(f["local"])
    if f["type"] == "torque":
        new["torque"] = ["0", "0", Text(*[p.replace(".rate", ".wz") if isinstance(p, str) else p
                                          for p in f["torque"].pieces])]
    if f["type"] == "torsion" and "between" in f:
        new["axis"] = [0, 0, 1]
    if f["type"] != "bushing":
        return {name: new}
    # about z a planar bushing is a torsional spring, a spatial one follows the sine
    turn = {"type": "torsion", "between": f["between"], "axis": [0, 0, 1], "stiffness": f["stiffness"][2]}
    none = {"stiffness": [Quantity(0, STIFFNESS)] + [Quantity(0, TORQUE)] * 3,
            "damping": [Quantity(0, DAMPING)] + [Quantity(0, TURN_DAMPING)] * 3}
    for key in ("stiffness", "damping"):
        if key in f:
            new[key] = list(f[key][:2]) + none[key]
            turn[key] = f[key][2]
    if "orientation" in f:
        new["orientation"] = {"axis": [0, 0, 1], "angle": f["orientation"]}
    return {name: new, name + "_turn": turn}
