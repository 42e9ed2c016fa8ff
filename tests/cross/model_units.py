"""Mechanism files in other units: read, rewritten by the dimension of each key, written.

Parameters stay as they are, in the units of the file. A value of dimension d becomes (value)*factor_d, and what has a
dimension inside expressions, t and quantities such as `body.rod.x`, becomes (t/factor). So every number that crank
meets is in the new units, whatever parameters mean. Outputs keep their units.

What has no entry in the tables below raises Unwritable: a new kind of key in a model needs a line here.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import re

from random_units import (ACCELERATION, DAMPING, FORCE, INERTIA, LENGTH, MASS, NONE, RATE, SPEED, STIFFNESS, TIME, TORQUE,
                          TURN_DAMPING, factor)


class Unwritable(Exception):
    pass


# ---- the part of YAML that the models use ----

def read_model(path):
    """Mappings, lists and scalars of a file; scalars are texts but for true and false."""
    with open(path, encoding="utf-8") as text:
        return Reader(text.read().split("\n")).block(0)


def without_comment(line):
    quote = None
    for i, c in enumerate(line):
        if quote is None and c == "#" and (i == 0 or line[i - 1] in " \t"):
            return line[:i].rstrip()
        if c in "\"'" and quote in (None, c):
            quote = None if quote == c else c
    return line.rstrip()


def scalar(text):
    text = text.strip()
    if text[:1] in ("\"", "'") and text[-1:] == text[:1]:
        return text[1:-1]
    return {"true": True, "false": False}.get(text, text)


class Reader:
    def __init__(self, lines):
        lines = [without_comment(line) for line in lines]
        self.lines, self.at = [line for line in lines if line.strip()], 0

    def indent(self):
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        return len(line) - len(line.lstrip()) if line else -1

    def block(self, least):
        """What begins at this line, indented by `least` at the least."""
        indent = self.indent()
        if indent < least:
            raise Unwritable("an empty value")
        if self.lines[self.at].lstrip().startswith("- "):
            return self.items(indent)
        if re.match(r"\s*(\"[^\"]*\"|[^\s:\"'\[{]+):(\s|$)", self.lines[self.at]):
            return self.mapping(indent)
        return self.value(self.next_text(), indent - 1)

    def next_text(self):
        self.at += 1
        return self.lines[self.at - 1].strip()

    def items(self, indent):
        found = []
        while self.indent() == indent and self.lines[self.at].lstrip().startswith("- "):
            line = self.lines[self.at]
            self.lines[self.at] = line[:indent] + " " + line[indent + 1:]  # "- a: 1" is a block that is indented further
            found.append(self.block(indent + 1))
        return found

    def mapping(self, indent):
        found = {}
        while self.indent() == indent:
            key, rest = re.match(r"(\"[^\"]*\"|[^\s:\"'\[{]+):(?:\s+(.*))?$", self.next_text()).groups()
            found[scalar(key)] = self.value(rest, indent) if rest else self.block(indent + 1)
        return found

    def value(self, text, indent):
        if text in (">", ">-"):
            text = ""
            while self.indent() > indent:
                text += " " + self.next_text()
            return text.strip()
        while text[0] in "[{" and text.count("[") + text.count("{") > text.count("]") + text.count("}"):
            text += " " + self.next_text()
        value, rest = flow(text) if text[0] in "[{" else (scalar(text), "")
        if rest.strip():
            raise Unwritable("behind a value: %s" % rest)
        return value


def flow(text):
    """A value in braces or brackets, or a scalar inside such, and what is behind it."""
    text = text.lstrip()
    if text[0] == "[":
        found, text = [], text[1:].lstrip()
        while text[0] != "]":
            item, text = flow(text)
            found.append(item)
            text = text.lstrip().removeprefix(",").lstrip()
        return found, text[1:]
    if text[0] == "{":
        found, text = {}, text[1:].lstrip()
        while text[0] != "}":
            key, text = re.match(r"(\"[^\"]*\"|[^\s:,]+):\s*(.*)$", text, re.S).groups()
            found[scalar(key)], text = flow(text)
            text = text.lstrip().removeprefix(",").lstrip()
        return found, text[1:]
    end = re.match(r"\"[^\"]*\"|'[^']*'|[^,\]}]*", text).end()
    return scalar(text[:end]), text[end:]


# ---- dimensions ----

BODY = {"mass": MASS, "center": LENGTH, "shape": LENGTH, "position": LENGTH, "orientation": NONE, "angle": NONE,
        "velocity": SPEED, "angular_velocity": RATE, "rate": RATE, "about": LENGTH, "axes": NONE, "tensor": INERTIA, "points": LENGTH}
KEPT = {"type", "between", "tree", "joints", "joint", "body", "fixed", "preferred", "free", "coordinate", "lift", "saturation",
        "hold_x", "hold_y", "hold_z"}
JOINT = {"at": LENGTH, "axis": NONE, "axes": NONE, "normal": NONE, "pitch": LENGTH, "length": LENGTH, "radius": LENGTH,
         "ratio": NONE, "curve": LENGTH, "surface": LENGTH, "profiles": LENGTH, "path": LENGTH, "start": NONE, "along": LENGTH,
         "height": LENGTH, "conicity": NONE, "clearance": LENGTH, "flange": NONE, "smoothing": LENGTH, "friction": NONE,
         "creep": NONE, "slow": SPEED}
# of a bushing in space: along and about its axes
BUSHING = {"stiffness": (STIFFNESS, TORQUE), "damping": (DAMPING, TURN_DAMPING), "preload": (FORCE, TORQUE)}
DRIVE = {"revolute": NONE, "prismatic": LENGTH}
FORCES = {
    "force": {"at": LENGTH, "local": LENGTH, "force": FORCE},
    "torque": {"torque": TORQUE},
    "spring": {"at": LENGTH, "stiffness": STIFFNESS, "damping": DAMPING, "length": LENGTH, "law": FORCE, "preload": FORCE},
    "torsion": {"axis": NONE, "stiffness": TORQUE, "damping": TURN_DAMPING, "angle": NONE, "law": TORQUE, "preload": TORQUE},
    "actuator": {"reference": NONE, "kp": TORQUE, "kd": TURN_DAMPING},  # of angles
    "tyre": {"at": LENGTH, "local": LENGTH, "stiffness": STIFFNESS, "damping": DAMPING, "radius": LENGTH, "road": LENGTH,
             "smoothing": LENGTH, "axis": NONE, "friction": NONE, "cornering": NONE, "traction": NONE, "relaxation": LENGTH,
             "traction_relaxation": LENGTH, "shape": NONE, "slow": SPEED}}
SLIDING = {"reference": LENGTH, "kp": STIFFNESS, "kd": DAMPING}  # an actuator of lengths
# names that stand for quantities in expressions of a type of force
LOCAL = {"spring": {"length": LENGTH, "rate": SPEED}, "torsion": {"angle": NONE, "rate": RATE},
         "tyre": {"x": LENGTH, "y": LENGTH}}
LAST = {"x": LENGTH, "y": LENGTH, "z": LENGTH, "vx": SPEED, "vy": SPEED, "vz": SPEED, "wx": RATE, "wy": RATE, "wz": RATE,
        "rate": RATE, "angle": NONE, "angle_rate": RATE, "length": LENGTH, "length_rate": SPEED, "q0": NONE, "q1": NONE,
        "q2": NONE, "q3": NONE, "angle1": NONE, "angle2": NONE, "angle1_rate": RATE, "angle2_rate": RATE,
        "omega_x": RATE, "omega_y": RATE, "omega_z": RATE, "yaw": NONE, "pitch": NONE, "roll": NONE,
        "ax": ACCELERATION, "ay": ACCELERATION, "az": ACCELERATION,
        "angle_acceleration": (0, 0, -2)}
SIMULATE = {"t_start": TIME, "t_end": TIME, "every": TIME, "h_start": TIME, "h_max": TIME}
TOLERANCES = {"rtol", "atol"}
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:\.(?:[A-Za-z_0-9]|\{[^}]*\})+)*|[0-9.]+(?:[eE][-+]?[0-9]+)?")


class Rewriter:
    """A model file, and those it uses, into the folder `place`."""

    def __init__(self, folder, place, units):
        self.folder, self.place, self.units, self.slides = folder, place, units, set()

    def model(self, tree):
        out = {}
        self.slides |= {name for name, j in tree.get("joints", {}).items() if j["type"] == "prismatic"}
        for key, value in tree.items():
            section = getattr(self, "section_" + key, None)
            if key in ("crank", "title", "dimension", "parameters", "energy", "reactions", "count", "index", "from"):
                out[key] = value
            elif key == "gravity":
                out[key] = self.scaled(value, ACCELERATION)
            elif key == "repeat":
                out[key] = [self.model(part) for part in (value if isinstance(value, list) else [value])]
            elif section is not None:
                out[key] = section(value)
            elif key != "view":
                raise Unwritable("section %s" % key)
        return out

    # values

    def scaled(self, value, dimension, local=()):
        """All scalars inside."""
        if isinstance(value, dict):
            return {k: self.scaled(v, dimension, local) for k, v in value.items()}
        if isinstance(value, list):
            return [self.scaled(v, dimension, local) for v in value]
        text, size = self.inside(value, local), factor(dimension, self.units)
        if size == 1.0:
            return text
        if text.endswith(" deg"):
            raise Unwritable("degrees of a quantity that is no angle: %s" % text)
        return "(%s)*%r" % (text, size)

    def inside(self, text, local=()):
        """The expression in the units of the file, of quantities in the new ones."""
        local = {"t": TIME, **dict(local)}

        def replaced(found):
            name = found.group()
            if name[0].isdigit() or name[0] == "." or "." not in name and name not in local:
                return name
            last = name.rsplit(".", 1)[-1]
            if name not in local and last not in LAST:
                raise Unwritable("quantity %s" % name)
            size = factor(local[name] if name in local else LAST[last], self.units)
            return name if size == 1.0 else "(%s/%r)" % (name, size)

        return NAME.sub(replaced, str(text))

    def table(self, value, dimensions):
        if isinstance(value, str):
            with open(os.path.join(self.folder, value), encoding="utf-8", newline="") as text:
                value = [row for row in csv.reader(line for line in text if re.match(r"\s*[-+.\d]", line))]
        return [[float(a) * factor(d, self.units) for a, d in zip(row, dimensions)] for row in value]

    # sections

    def section_bodies(self, bodies):
        return {name: self.body(b) for name, b in bodies.items()}

    def body(self, b):
        out = {}
        for key, value in b.items():
            if key == "density":
                out[key] = self.scaled(value, density(b["shape"]))
            elif key == "inertia":
                out[key] = self.body(value) if isinstance(value, dict) else self.scaled(value, INERTIA)
            elif key in KEPT:
                out[key] = value
            else:
                out[key] = self.scaled(value, dimension_of(BODY, key, "body"))
        return out

    def section_joints(self, joints):
        return {name: self.joint(j) for name, j in joints.items()}

    def joint(self, j):
        out = {}
        for key, value in j.items():
            if key in KEPT or key == "of":
                out[key] = value
            elif key == "rotor":
                out[key] = {k: self.scaled(v, INERTIA if k == "inertia" else NONE) for k, v in value.items()}
            elif key == "plane":
                out[key] = self.joint(value)
            elif key == "drive":
                out[key] = self.scaled(value, DRIVE[j["type"]])
            elif key == "is":
                out[key] = self.scaled(value, driven(j))
            elif key == "table":
                out[key] = self.table(value, (TIME, driven(j)))
            elif key == "path" and j["type"] == "track":
                out[key] = self.scaled(value, LENGTH, {"s": LENGTH})
            else:
                out[key] = self.scaled(value, dimension_of(JOINT, key, "joint"))
        return out

    def section_forces(self, forces):
        return {name: self.force(f) for name, f in forces.items()}

    def force(self, f):
        kind = f["type"]
        if kind == "bushing":
            return {key: [self.scaled(v, BUSHING[key][i // 3]) for i, v in enumerate(value)] if key in BUSHING else
                    self.scaled(value, LENGTH) if key == "at" else value for key, value in f.items()}
        if kind not in FORCES:
            raise Unwritable("force of type %s" % kind)
        table = SLIDING if kind == "actuator" and f.get("joint") in self.slides else FORCES[kind]
        return {key: value if key in KEPT else
                self.scaled(value, dimension_of(table, key, kind), LOCAL.get(kind, {}) if key in ("law", "road") else ())
                for key, value in f.items()}

    def section_assemblies(self, assemblies):
        out = {}
        for name, a in assemblies.items():
            used = self.model(read_model(os.path.join(self.folder, a["use"])))
            write_model(used, os.path.join(self.place, a["use"]))
            out[name] = {k: self.scaled(v, LENGTH) if k == "at" else v for k, v in a.items()}
        return out

    def section_events(self, events):
        out = {}
        for name, event in events.items():
            actions = event.get("actions", {})
            if not isinstance(actions, dict) or set(actions) - {"impact"}:
                raise Unwritable("actions of event %s" % name)
            out[name] = {**event, "when": self.inside(event["when"])}
        return out

    def section_outputs(self, outputs):
        return {name: self.inside(value["value"] if isinstance(value, dict) else value)
                for name, value in outputs.items()}

    section_let = section_inputs = section_outputs

    def section_initial(self, initial):
        """Of joints numbers by what they are; else expressions that are zero, of whatever unit."""
        return {name: {joint: {k: self.scaled(v, LAST[k]) for k, v in rates.items()} for joint, rates in value.items()}
                if name == "joints" else self.inside(value) for name, value in initial.items()}

    def section_simulate(self, settings):
        return {k: self.scaled(v, SIMULATE[k]) if k in SIMULATE else v for k, v in settings.items() if k not in TOLERANCES}


def dimension_of(table, key, where):
    if key not in table:
        raise Unwritable("key %s of a %s" % (key, where))
    return table[key]


def density(shape):
    """Mass per length of rods, per area of planar boxes, else per volume."""
    lengths = 1 if "rod" in shape else 2 if len(shape.get("box", ())) == 2 else 3
    return -lengths, 1, 0


def driven(joint):
    """Dimension of what a driver prescribes."""
    last = joint.get("of", "").rsplit(".", 1)
    if joint["type"] != "driver" or len(last) < 2 or not NAME.fullmatch(joint["of"]) or last[1] not in LAST:
        raise Unwritable("driven: %s" % joint.get("of", joint["type"]))
    return LAST[last[1]]


def written(value):
    """As YAML in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{%s}" % ", ".join("\"%s\": %s" % (k, written(v)) for k, v in value.items())
    if isinstance(value, list):
        return "[%s]" % ", ".join(written(v) for v in value)
    return "\"%s\"" % value if isinstance(value, str) else repr(value)


def write_model(tree, path):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines("%s: %s\n" % (k, written(v)) for k, v in tree.items())


def read_whole(path):
    """The model with what it includes, whose sections are as if they were written in it."""
    tree = read_model(path)
    files = tree.pop("include", [])
    for name in files if isinstance(files, list) else [files]:
        for key, value in read_whole(os.path.join(os.path.dirname(path), name)).items():
            if key == "repeat":
                tree[key] = value + tree.get(key, [])
            elif isinstance(value, dict) and key not in ("simulate", "view"):
                tree[key] = {**value, **tree.get(key, {})}
            else:
                tree.setdefault(key, value)
    return tree


def rewrite(path, place, units):
    """The model in other units, in `place`, by its own name; returns its path."""
    tree = read_whole(path)
    tree["simulate"] = {"t_end": "1", **tree.get("simulate", {})}  # what crank takes if nothing is said
    tree = Rewriter(os.path.dirname(path), place, units).model(tree)
    new = os.path.join(place, os.path.basename(path))
    write_model(tree, new)
    return new
