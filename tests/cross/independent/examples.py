"""Models made at random, each with what it is about."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import random

from .algebra import Expression, add, back, cross, dot, product, rodrigues, rot, sub, unit
from .bodies import orientation
from .model import Model


WITH_AXIS = ("revolute", "cylindrical", "planar", "screw", "revolute_spherical", "point_in_plane", "parallel_axes")


class Maker:
    """Random parts; the same for the same seed and set."""
    number_of_set = 0

    def __init__(self, seed, planar=False, **top):
        self.draw = random.Random("%s, set %d" % (seed, self.number_of_set))
        self.planar, self.n = planar, 2 if planar else 3
        self.data = {"crank": "mechanism", "bodies": {}, "joints": {}, "forces": {}, "outputs": {}, "energy": True,
                     "simulate": {"t_end": 0.2, "points": 2}, **top}
        if planar:
            self.data["dimension"] = 2
        if "gravity" not in self.data:
            self.data["gravity"] = self.vector(9)

    def number(self, low=-1.0, high=1.0):
        return round(self.draw.uniform(low, high), 3)

    def vector(self, size=1.0):
        return [self.number(-size, size) for _ in range(self.n)]

    def axis(self):
        while True:
            a = self.vector()
            if math.hypot(*a) > 0.3:
                return a

    def inertia(self):
        """A tensor that a cloud of five masses could have."""
        J = [[0.0] * 3 for _ in range(3)]
        for _ in range(5):
            p, m = [self.number(-0.4, 0.4) for _ in range(3)], self.number(0.2, 1)
            for i in range(3):
                for k in range(3):
                    J[i][k] += m * ((dot(p, p) if i == k else 0.0) - p[i] * p[k])
        return J

    def orientation(self):
        if self.draw.random() < 0.5:
            return [self.number() for _ in range(4)]
        return {"axis": self.axis(), "angle": self.number(-3, 3)}

    def body(self, name, **keys):
        b = {"position": self.vector()}
        if self.planar:
            b.update(angle=self.number(-3, 3), velocity=self.vector(3), rate=self.number(-5, 5),
                     mass=self.number(0.5, 2), inertia=self.number(0.05, 0.3), center=self.vector(0.3))
        else:
            b.update(orientation=self.orientation(), velocity=self.vector(3), angular_velocity=self.vector(6),
                     mass=self.number(0.5, 2), inertia=self.inertia(), center=self.vector(0.3))
        b.update(keys)
        b = {k: v for k, v in b.items() if v is not None}
        self.data["bodies"][name] = b
        for a in (("ax", "ay", "angle_acceleration") if self.planar else ("ax", "ay", "az", "dwx", "dwy", "dwz")):
            if b.get("type") != "point" or a[0] == "a" and a != "angle_acceleration":
                self.data["outputs"]["body_%s_%s" % (name, a)] = "body.%s.%s" % (name, a)
        return self

    def joint(self, name, kind, *between, **keys):
        j = {"type": kind}
        if between:
            j["between"] = list(between)
            if kind not in ("parallel_axes", "profile") and "plane" not in keys:
                rod = kind in ("distance", "revolute_spherical")
                j["at"] = [self.vector(), self.vector()] if rod else self.vector()
            if kind in ("prismatic", "point_on_line") or not self.planar and kind in WITH_AXIS:
                j["axis"] = self.axis()
            if kind == "universal":
                a = self.axis()
                b = cross(a, self.axis())
                j["axes"] = [a, list(b)]
        j.update(keys)
        self.data["joints"][name] = {k: v for k, v in j.items() if v is not None}
        return self

    def force(self, name, kind, **keys):
        self.data["forces"][name] = {"type": kind, **keys}
        return self


def chain(kind, planar=False, seed=0):
    """ground - a - b, the joint first and then between moving bodies, with the other order of bodies."""
    m = Maker("%s %s %d" % (kind, planar, seed + (4 if kind == "revolute_spherical" else 0)), planar)
    m.body("a").body("b")
    more = {"pitch": 0.7} if kind == "screw" else {}
    m.joint("j", kind, "ground", "a", **more).joint("k", kind, "b", "a", **more)
    if kind in ("fixed", "prismatic") and not planar:
        m.joint("j", "spherical", "ground", "a")
    return m


SPATIAL_JOINTS = ("revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "fixed", "screw",
                  "distance", "revolute_spherical", "point_on_line", "point_in_plane", "parallel_axes")
PLANAR_JOINTS = ("revolute", "prismatic", "fixed", "distance", "point_on_line")


def springs():
    m = Maker(1).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "spherical", "a", "b")
    m.force("s", "spring", between=["ground", "b"], at=[m.vector(2), m.vector()], stiffness=40, damping=1.5, length=0.4,
            preload=3)
    m.force("s0", "spring", between=["b", "a"], at=[m.vector(2), m.vector()], stiffness=20)
    m.force("law", "spring", between=["a", "b"], at={"first": m.vector(), "second": m.vector(2)},
            law="3*length^2 + 0.2*rate^3")
    m.force("t", "torsion", joint="j", stiffness=12, damping=0.4, angle=0.3)
    m.force("u", "torsion", between=["a", "b"], axis=m.axis(), stiffness=7, damping=0.2, preload=-0.6)
    m.force("v", "torsion", joint="j", law="2*sin(angle) + 0.1*rate")
    m.force("b", "bushing", between=["a", "b"], at=m.vector(), orientation=m.orientation(),
            stiffness=[10, 20, 30, 4, 5, 6], damping=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    m.force("c", "bushing", between=["b", "ground"], at={"first": m.vector(), "second": m.vector()},
            stiffness=[1, 2, 3, 4, 5, 6], preload=[2, -1, 0.5, 0.3, -0.2, 0.4])
    m.data["simulate"]["t_end"] = 0.15
    return m


def planar_springs():
    m = Maker(2, True).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "prismatic", "b", "a")
    m.force("s", "spring", between=["ground", "b"], at=[m.vector(2), m.vector()], stiffness=40, damping=1.5, length=0.4)
    m.force("u", "torsion", between=["b", "a"], stiffness=7, damping=0.2)
    m.force("w", "torsion", between=["ground", "b"], stiffness=3, angle=0.2)
    m.force("b", "bushing", between=["a", "ground"], at=m.vector(), orientation=0.7, stiffness=[10, 20, 3],
            damping=[0.5, 0.2, 0.3], preload=[1, 2, -0.4])
    m.force("f", "friction", joint="k", level=1.3, viscous=0.2, slip=0.5)
    m.force("p", "force", body="b", at=m.vector(), force=["2*sin(5*t)", "body.a.vx"], axes="body")
    m.force("q", "torque", between=["b", "a"], torque=["0.3*cos(3*t) + joint.j.angle_rate"])
    m.force("r", "tyre", body="a", local=m.vector(), stiffness=30, damping=0.8, radius=0.3, road="0.2*sin(3*x + t)",
            lift=False)
    return m


def forces():
    m = Maker(3).body("a").body("b").joint("j", "cylindrical", "ground", "a").joint("k", "universal", "a", "b")
    m.force("f", "force", body="b", at=m.vector(), force=["3*sin(4*t)", "joint.j.angle", "-body.a.vz"], axes="body")
    m.force("g", "force", body="a", local=m.vector(), force=["t", "2", "body.b.x*body.b.wx"])
    m.force("o", "force", body="a", force=["1", "2", "3"])
    m.force("p", "torque", body="a", torque=["1", "t^2", "joint.k.angle1"], axes="body")
    m.force("q", "torque", between=["a", "b"], torque=["joint.k.angle2_rate", "0.3", "sin(9*t)"])
    m.force("r", "torque", between=["b", "a"], torque=["0.2", "body.b.wy", "0.5"], axes="body")
    m.force("y", "tyre", body="b", at=m.vector(), stiffness=50, damping=2, radius=0.4, road="0.1*sin(2*x + 3*t)*cos(y)",
            smoothing=0.03)
    m.force("w", "friction", joint="j", coordinate="length", level=2, static=3, stribeck=0.4, slip=0.3, viscous=0.1)
    m.force("x", "friction", joint="k", coordinate="angle2", level=0.5, slip=0.5)
    m.force("z", "torsion", joint="k", coordinate="angle1", stiffness=3, damping=0.3)
    return m


def loads():
    """Friction under load: it depends on the reactions, which depend on it."""
    m = Maker(4).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "prismatic", "a", "b")
    m.force("f", "friction", joint="j", coefficient=0.15, radius=0.1, slip=0.5)
    m.force("g", "friction", joint="k", coefficient=0.1, static=0.14, slip=0.2, viscous=0.1)
    m.data["simulate"]["t_end"] = 0.15
    return m


def actuators():
    m = Maker(5).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "prismatic", "a", "b")
    m.force("c", "actuator", joint="j", command="3*sin(4*t)", lag=0.05, start=0.7, rotor=0.4)
    m.force("d", "actuator", joint="k", reference="0.2*sin(3*t)", kp=30, ki=20, kd=2, limit=15, saturation="smooth")
    m.force("e", "actuator", between=["ground", "b"], at=[m.vector(2), m.vector()], reference="1 + t", kp=5, kd=1,
            filter=0.1, lag=0.1)
    m.force("g", "actuator", joint="j", command="1", reference="t", of="body.b.x", kp=2)
    return m


def rotors():
    m = Maker(23).body("a").body("b").body("c")
    m.joint("j", "revolute", "ground", "a", rotor={"inertia": 0.003, "ratio": -20})
    m.joint("k", "cylindrical", "a", "b", rotor_angle=0.7, rotor_length={"inertia": 0.02, "ratio": 12})
    m.joint("l", "universal", "b", "c", rotor_angle1=0.3, rotor_angle2={"inertia": 0.1, "ratio": 2})
    m.force("e", "actuator", between=["ground", "c"], at=[m.vector(2), m.vector()], command="1", rotor=0.8)
    return m


def planar_rotors():
    m = Maker(24, True).body("a").body("b").joint("j", "revolute", "ground", "a", rotor=1.1)
    m.joint("k", "prismatic", "a", "b", rotor=2.5)
    return m


def drives():
    m = Maker(6).body("a").body("b").body("c")
    m.joint("j", "revolute", "ground", "a", drive="0.5*t + 2*t^2 + sin(3*t)")
    m.joint("k", "cylindrical", "a", "b", drive_angle="4*t^2", drive_length="-0.3*sin(2*t)")
    m.joint("l", "prismatic", "b", "c", drive="0.4*(1 - cos(5*t))")
    return m


def driver():
    m = Maker(7).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "revolute", "b", "a")
    m.joint("d", "driver", of="joint.j.angle + 0.5*joint.k.angle", **{"is": "0.3*t + t^2"})
    return m


def driven_body():
    m = Maker(8, True).body("a", position=[0.3, 0.2]).body("b").joint("j", "revolute", "a", "b")
    m.joint("d", "driver", of="body.a.x", **{"is": "0.3 + t + sin(t)"})
    m.joint("e", "driver", of="body.a.y*2", **{"is": "0.4 + t^2"})
    return m


def gears(planar=False):
    m = Maker(9, planar).body("a").body("b").body("c").body("d")
    m.joint("j", "revolute", "ground", "a").joint("k", "revolute", "a", "b").joint("l", "prismatic", "b", "c")
    m.joint("n", "revolute", "c", "d")
    m.joint("g", "gear", joints=["j", "k"], ratio=-1.7)
    m.joint("r", "rack_and_pinion", joints=["n", "l"], radius=0.3)
    m.joint("c", "coupler", joints=["j", "l", "n"], factors=[1.0, -2.0, 0.5])
    m.data["simulate"]["t_end"] = 0.25
    m.force("t", "torque", body="a", torque=["0.7"] if planar else ["3", "2", "1"])
    return m


def spin():
    """More than one turn, through a gear."""
    m = Maker(10).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "revolute", "ground", "b")
    m.joint("g", "gear", joints=["j", "k"], ratio=3)
    m.joint("d", "driver", of="joint.j.angle", **{"is": "14*t"})
    m.data["simulate"] = {"t_end": 0.6, "points": 12}
    return m


def screws():
    m = Maker(11).body("a").body("b").joint("j", "screw", "ground", "a", pitch=0.8)
    return m.joint("k", "screw", "b", "a", pitch=-1.3)


def disc(moving=False):
    m = Maker(12)
    n = m.axis()
    t = unit(cross(n, m.axis()))
    r, at = 0.6, m.vector()
    a = unit(add(t, [0.3 * x for x in unit(n)]))
    sigma = math.sqrt(1 - dot(unit(n), a) ** 2)
    m.body("w", position=[p + r * sigma * x for p, x in zip(at, unit(n))], center=None)
    first = "ground"
    if moving:
        m.body("p").joint("j", "revolute", "ground", "p")
        first = "p"
    m.joint("d", "rolling_disc", first, "w", radius=r, axis=list(a), plane={"at": at, "normal": n})
    m.force("f", "force", body="w", local=m.vector(0.3), force=["2", "1", "t"])
    return m


def sphere(moving=False):
    m = Maker(13)
    n, at, r = m.axis(), m.vector(), 0.4
    centre = [p + r * x for p, x in zip(at, unit(n))]
    m.body("w")
    first = "ground"
    if moving:
        m.body("p").joint("j", "revolute", "ground", "p")
        first = "p"
    m.joint("d", "rolling_sphere", first, "w", radius=r, at=centre, plane={"at": at, "normal": n})
    return m


def wheel():
    """Rolling in the plane, on a plank that swings."""
    m = Maker(14, True)
    n, at, r = unit(m.axis() + [0.0])[:2], m.vector(), 0.4
    m.body("p").body("w")
    m.joint("j", "revolute", "ground", "p")
    m.joint("d", "rolling_disc", "p", "w", radius=r, at=[p + r * x for p, x in zip(at, n)],
            plane={"at": at, "normal": list(n)})
    return m


def skate(planar=False):
    m = Maker(15, planar)
    m.body("p").body("b").joint("j", "revolute", "ground", "p")
    keys = {} if planar else {"plane": {"at": m.vector(), "normal": m.axis()}}
    m.joint("k", "skate", "p", "b", axis=m.axis(), at=m.vector(), **keys)
    return m


def curve(planar=False):
    m = Maker(16, planar).body("p").body("b").joint("j", "revolute", "ground", "p")
    s0, carrier = 0.4, m.data["bodies"]["p"]
    text = ["0.5*cos(s)", "0.8*sin(s)"] + ([] if planar else ["0.2*s^2"])
    local = [Expression(e)(None, s=s0) for e in text] + ([0.0] if planar else [])
    R = rodrigues((0, 0, carrier["angle"])) if planar else Model(m.data).bodies["p"].R0
    at = add(carrier["position"] + ([0.0] if planar else []), rot(R, local))
    m.joint("c", "curve", "p", "b", at=list(at[:m.n]), curve=text, start=s0)
    return m


def surface():
    m = Maker(17).body("p").body("b").joint("j", "revolute", "ground", "p")
    text, s0 = ["s1 + 0.1*s2^2", "s2", "0.3*sin(2*s1)*cos(s2)"], [0.3, -0.2]
    local = [Expression(e)(None, s1=s0[0], s2=s0[1]) for e in text]
    b = Model(m.data).bodies["p"]
    m.joint("c", "surface", "p", "b", at=list(add(b.origin0, rot(b.R0, local))), surface=text, start=s0)
    return m


def profile():
    """An ellipse on a curve with opposite curvature: start where tangents are parallel and points meet."""
    m = Maker(18, True).body("p")
    first, second, s0 = ["0.5*cos(s1)", "0.3*sin(s1)"], ["0.2*cos(s2)", "0.25*sin(s2)"], [0.7, 2.1]
    place = lambda e, k, d=0.0: [Expression(c)(None, **{"s%d" % (k + 1): s0[k] + d}) for c in e] + [0.0]
    tangent = lambda e, k: sub(place(e, k, 1e-4), place(e, k, -1e-4))
    angle = m.data["bodies"]["p"]["angle"]
    t1, t2 = tangent(first, 0), tangent(second, 1)
    other = angle + math.atan2(t1[1], t1[0]) - math.atan2(t2[1], t2[0]) + math.pi
    P = add(m.data["bodies"]["p"]["position"] + [0.0], rot(rodrigues((0, 0, angle)), place(first, 0)))
    o = sub(P, rot(rodrigues((0, 0, other)), place(second, 1)))
    m.body("b", angle=other, position=list(o[:2]))
    m.joint("j", "revolute", "ground", "p")
    m.joint("c", "profile", "p", "b", profiles=[first, second], start=s0)
    return m


def inertias():
    """Masses and inertias in every form."""
    m = Maker(19)
    about = m.vector(0.3)
    center = m.vector(0.3)
    J = m.inertia()
    d = sub(center, about)
    J = [[J[i][k] + 1.3 * ((dot(d, d) if i == k else 0.0) - d[i] * d[k]) for k in range(3)] for i in range(3)]
    m.body("a", mass=1.3, center=center, inertia={"about": about, "tensor": J})
    m.body("b", inertia={"axes": m.orientation(), "tensor": [0.2, 0.25, 0.3]})
    m.body("c", mass=None, inertia=None, density=900, shape={"cylinder": [0.1, 0.5]})
    m.body("d", mass=None, inertia=None, density=900, shape={"cone": [0.2, 0.5]})
    m.body("e", mass=None, inertia=None, density=90, shape={"capsule": [0.15, 0.5]})
    m.body("f", inertia=None, shape={"box": [0.3, 0.4, 0.7]})
    m.body("g", mass=None, inertia=None, density=90, shape={"sphere": 0.3})
    m.body("h", mass=None, inertia=None, density=2, shape={"rod": 0.9})
    for one, two in zip(("ground", "a", "b", "c", "d", "e", "f", "g"), "abcdefgh"):
        m.joint("j" + two, "universal" if two == "h" else "revolute", one, two)
    m.data["simulate"] = {"t_end": 0.1, "points": 2}
    return m


def planar_inertias():
    m = Maker(20, True)
    m.body("a", mass=1.3, inertia={"about": m.vector(0.2), "tensor": 1.5})
    m.body("b", mass=None, inertia=None, density=2, shape={"rod": 0.9})
    m.body("c", mass=None, inertia=None, density=20, shape={"box": [0.3, 0.5]})
    m.body("d", inertia=None, shape={"rod": 0.9})
    for one, two in zip(("ground", "a", "b", "c"), "abcd"):
        m.joint("j" + two, "revolute", one, two)
    return m


def points():
    m = Maker(21)
    point = {"type": "point", "inertia": None, "center": None, "orientation": None, "angular_velocity": None}
    m.body("a", **point).body("b", **point).body("c")
    m.joint("d", "distance", "ground", "a", at={"first": m.vector(), "second": [0, 0, 0]}, length=None)
    m.joint("e", "distance", "a", "b", at={"first": [0, 0, 0], "second": [0, 0, 0]})
    m.joint("f", "spherical", "c", "b", at=m.data["bodies"]["b"]["position"])
    m.joint("l", "point_in_plane", "ground", "b", at=m.data["bodies"]["b"]["position"])
    m.force("s", "spring", between=["a", "c"], at=[m.data["bodies"]["a"]["position"], m.vector()], stiffness=30,
            damping=1)
    m.force("f", "force", body="a", force=["1", "t", "body.b.vx"])
    return m


def planar_points():
    m = Maker(22, True)
    point = {"type": "point", "inertia": None, "center": None, "angle": None, "rate": None}
    m.body("a", **point).body("b", **point).body("c")
    m.joint("d", "distance", "ground", "a", at={"first": m.vector(), "second": [0, 0]})
    m.joint("f", "revolute", "c", "b", at=m.data["bodies"]["b"]["position"])
    m.joint("g", "point_on_line", "c", "a", at=m.data["bodies"]["a"]["position"])
    return m


def massless():
    """A rod without mass between two bodies, free of its spin by universal joints."""
    m = Maker(23).body("a").body("b")
    m.body("rod", mass=None, inertia=None)
    m.joint("i", "revolute", "ground", "a").joint("j", "spherical", "a", "rod").joint("k", "universal", "rod", "b")
    return m


def loop(seed=24):
    """A closed chain in space without redundancy: hinge, ball, ball, rod, and the rest."""
    m = Maker(seed).body("a").body("b").body("c")
    m.joint("i", "revolute", "ground", "a").joint("j", "spherical", "a", "b").joint("k", "universal", "b", "c")
    m.joint("l", "cylindrical", "c", "ground").joint("d", "distance", "a", "c")
    return m


def four_bar(seed=25):
    """Four hinges with parallel axes in any direction: 20 rows of rank 17, and a guide that repeats a hinge."""
    m = Maker(seed)
    a = m.axis()
    for name in "abc":
        m.body(name)
    for name, one, two in (("i", "ground", "a"), ("j", "a", "b"), ("k", "c", "b"), ("l", "c", "ground")):
        m.joint(name, "revolute", one, two, axis=a)
    m.joint("n", "parallel_axes", "ground", "b", axis=a)
    return m


def four_bar_joint_axes():
    m = four_bar(37)
    m.data["reactions"] = "joint"
    del m.data["joints"]["n"]
    return m


def door():
    """Two hinges on one axis and a third that is a ball."""
    m = Maker(26).body("a").body("b")
    a, p = m.axis(), m.vector()
    at = [[x + k * y for x, y in zip(p, a)] for k in range(3)]
    m.joint("h", "revolute", "ground", "a", at=at[0], axis=a).joint("i", "revolute", "ground", "a", at=at[1], axis=a)
    m.joint("s", "spherical", "ground", "a", at=at[2]).joint("k", "universal", "a", "b")
    return m


DOUBLED = (("revolute", "cylindrical"), ("revolute", "spherical"), ("prismatic", "parallel_axes"),
           ("planar", "point_in_plane"), ("fixed", "planar"), ("fixed", "revolute"), ("universal", "spherical"),
           ("cylindrical", "point_on_line"), ("screw", "cylindrical"), ("cylindrical", "screw"),
           ("prismatic", "cylindrical"))


def doubled(first, second):
    """Two joints in one place, of which one repeats rows of the other."""
    m = Maker("%s and %s" % (first, second)).body("a").body("b")
    m.joint("i", "universal", "ground", "a")
    m.joint("j", first, "a", "b", **({"pitch": 0.4} if first == "screw" else {}))
    at, axis = m.data["joints"]["j"]["at"], m.data["joints"]["j"].get("axis", m.axis())
    if second == "point_in_plane" or first == "fixed":
        at = m.vector() if first == "fixed" else at
    keys = {"at": at if second != "parallel_axes" else None, "axis": None if second == "spherical" else axis}
    m.joint("k", second, "b", "a", **keys, **({"pitch": 0.4} if second == "screw" else {}))
    m.data["simulate"] = {"t_end": 0.2, "points": 2}
    return m


def joint_axes():
    m = chain("revolute", seed=27)
    m.joint("u", "universal", "a", "c").body("c")
    m.data["reactions"] = "joint"
    return m


def planar_joint_axes():
    m = Maker(35, True).body("a").body("b").body("c")
    m.joint("i", "revolute", "ground", "a").joint("j", "prismatic", "a", "b").joint("k", "prismatic", "c", "a")
    m.data["reactions"] = "joint"
    return m


def local_ends():
    """Points in axes of the bodies, which stand somewhat apart: they are moved together at the start."""
    m = Maker(28).body("a").body("b")
    was = Model(m.data).bodies
    inside = lambda body, at: list(back(was[body].R0, sub(at, was[body].origin0)))
    turned = lambda body, a: list(back(was[body].R0, a))
    p, q, a, n = m.vector(), m.vector(), m.axis(), m.axis()
    m.joint("j", "spherical", "ground", "a", at={"first": p, "second": inside("a", p)})
    m.joint("k", "point_on_line", "a", "b", at={"first": inside("a", q), "second": inside("b", q)},
            axis={"first": turned("a", n), "second": m.axis()})
    m.joint("l", "parallel_axes", "b", "a", axis={"first": turned("b", a), "second": turned("a", a)})
    m.force("s", "spring", between=["ground", "b"], at={"first": m.vector(), "second": m.vector()},
            stiffness=30, length=1)
    for b in m.data["bodies"].values():
        b["position"] = [x + m.number(-0.02, 0.02) for x in b["position"]]
    return m


def equations():
    """Constraints that the user writes."""
    m = Maker(29).body("a").body("b").joint("j", "cylindrical", "ground", "a").joint("k", "spherical", "a", "b")
    x, y = (m.data["bodies"][c]["position"] for c in "ab")
    m.data["holonomic"] = {"h": "joint.j.length - 0.3*joint.j.angle^2 - 0.1*t",
                           "i": "body.b.x*body.b.z + 0.5*t^2 - (%r)" % (y[0] * y[2])}
    m.data["nonholonomic"] = {"n": "body.b.vx - 0.4*body.a.wx - (1 + t)*body.b.y*joint.j.angle_rate - 0.2*t"}
    return m


def tables():
    m = Maker(30).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "prismatic", "a", "b")
    pairs = lambda low, high, n: [[low + (high - low) * i / n, m.number()] for i in range(n + 1)]
    m.joint("d", "driver", of="joint.j.angle", table=[[-0.13, 0.02], [0.06, -0.01], [0.25, 0.3], [0.4, 0.2]])
    m.force("s", "spring", between=["ground", "b"], at=[m.vector(), m.vector()], table=pairs(0, 3, 5), damping=0.3)
    m.force("r", "tyre", body="b", stiffness=40, damping=1, table=pairs(-2, 2, 6), lift=False)
    m.data["simulate"] = {"t_end": 0.33, "points": 3}
    return m


def table_ways():
    """Every way between points with every way beyond them, arguments on both sides of the ends."""
    m = Maker(32).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "prismatic", "a", "b")
    ways = [(i, o) for i in ("spline", "monotone", "linear") for o in ("hold", "repeat", "extrapolate")]
    for n, (interpolation, outside) in enumerate(ways):
        points = [[x, m.number()] for x in (0.2, 0.5, 0.6, 1.1, 1.3)]
        points[-1][1] = points[0][1] if outside == "repeat" else points[-1][1]
        m.force("s%d" % n, "spring", between=["ground", "ab"[n % 2]], at=[m.vector(), m.vector()],
                table={"points": points, "interpolation": interpolation, "outside": outside})
    for n, outside in enumerate(("hold", "repeat")):
        points = [[-0.4, 0.1], [-0.3, 0.2], [0.0, 0.05], [0.1, 0.1]]
        m.force("r%d" % n, "tyre", body="b", stiffness=40, damping=1, lift=False,
                table={"points": points, "outside": outside})
    m.joint("d", "driver", of="joint.j.angle",
            table={"points": [[-0.02, 0.0], [0.1, 0.05], [0.15, 0.1], [0.25, 0.0]], "outside": "repeat"})
    m.data["simulate"] = {"t_end": 0.33, "points": 3}
    return m


def fixed_values():
    """Start values that are exact, of bodies whose centre of mass is not their origin and which must be turned."""
    m = Maker(31).body("a", fixed=["angular_velocity"]).body("b", free=True)
    m.body("c", fixed=["position", "velocity", "angular_velocity"]).body("d", fixed=["orientation", "velocity"])
    m.joint("j", "spherical", "ground", "a").joint("k", "revolute", "a", "b")
    m.joint("l", "parallel_axes", "ground", "c", axis={"first": m.axis(), "second": m.axis()})
    for name, key in (("c", "angular_velocity"), ("c", "velocity")):
        m.data["bodies"][name][key] = m.vector()
    one = m.data["joints"]["l"]["axis"]["first"]
    m.data["bodies"]["c"]["angular_velocity"] = [2 * a for a in one]  # about the common axis
    other = list(back(orientation(m.data["bodies"]["c"]["orientation"]), one))
    m.data["joints"]["l"]["axis"]["second"] = [a + m.number(-0.1, 0.1) for a in other]
    return m.joint("n", "point_in_plane", "ground", "d", at={"first": m.vector(), "second": m.vector()})


def bricard():
    """IFToMM's A04 until its axes have turned."""
    m = Maker(32, gravity=[0, -9.81, 0])
    still = {"orientation": None, "velocity": None, "angular_velocity": None, "inertia": None, "mass": 1}
    for i, (axis, at) in enumerate((([1, 0, 0], [0.5, 0, 0]), ([0, 1, 0], [1, -0.5, 0]), ([0, 0, 1], [1, -1, 0.5]),
                                    ([1, 0, 0], [0.5, -1, 1]), ([0, 1, 0], [0, -0.5, 1]))):
        m.body("b%d" % i, position=at, center=None, shape={"box": [1.0 if a else 0.1 for a in axis]}, **still)
    places = [[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]]
    axes = [[0, 1, 0], [0, 0, 1], [1, 0, 0]] * 2
    names = ["ground"] + ["b%d" % i for i in range(5)] + ["ground"]
    for i in range(6):
        m.joint("P%d" % i, "revolute", names[i], names[i + 1], at=places[i], axis=axes[i])
    m.data["simulate"] = {"t_end": 3, "points": 12}
    return m


# ---- models in another form ----

def posed(data, R, at, name, planar=None):
    """The model as part `name` of another, turned by R (planar: by an angle) and moved to `at`."""
    n = 3 if planar is None else 2
    point = lambda p: list(add(at, rot(R, list(p) + [0.0] * (3 - n)))[:n])
    turn = lambda p: list(rot(R, list(p) + [0.0] * (3 - n))[:n])
    called = lambda b: b if b == "ground" else name + "." + b

    def moved(key, value, bodies):
        if isinstance(value, dict) and "first" in value:
            parts = []
            for part, body in zip(("first", "second"), bodies):
                f = (point if key == "at" else turn) if body == "ground" else list
                parts.append(f(value[part]))
            return dict(zip(("first", "second"), parts))
        if key == "plane":
            return {"at": point(value["at"]), "normal": turn(value["normal"])}
        if key in ("at", "position", "axis", "axes", "velocity", "angular_velocity") and value != "body":
            f = point if key in ("at", "position") else turn
            return [f(v) for v in value] if isinstance(value[0], list) else f(value)
        if key == "between":
            return [called(b) for b in value]
        if key == "joints":
            return [called(b) for b in value]
        if key in ("body", "joint"):
            return called(value)
        return value
    out = {k: v for k, v in data.items() if k not in ("bodies", "joints", "forces", "outputs")}
    for section in ("bodies", "joints", "forces"):
        out[section] = {}
        for key, item in data[section].items():
            new = {k: moved(k, v, item.get("between", ())) for k, v in item.items()}
            if section == "bodies" and planar is not None:
                new["angle"] = item.get("angle", 0.0) + planar
            elif section == "bodies" and item.get("type") != "point" or "orientation" in item:
                new["orientation"] = quaternion(product(R, orientation(item.get("orientation"))))
            out[section][name + "." + key] = new
    out["outputs"] = {n.replace("body_", "body_" + name + "_"): v.replace("body.", "body." + name + ".")
                      for n, v in data["outputs"].items()}
    return out


def quaternion(R):
    """By the largest component."""
    d = [1 + R[0][0] + R[1][1] + R[2][2], 1 + R[0][0] - R[1][1] - R[2][2],
         1 - R[0][0] + R[1][1] - R[2][2], 1 - R[0][0] - R[1][1] + R[2][2]]
    k = d.index(max(d))
    u = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]]
    v = {(1, 2): R[0][1] + R[1][0], (1, 3): R[0][2] + R[2][0], (2, 3): R[1][2] + R[2][1]}
    q = [d[0] if k == 0 else u[k - 1]]
    q += [u[i - 1] if k == 0 else d[k] if i == k else v[min(i, k), max(i, k)] for i in (1, 2, 3)]
    n = math.sqrt(sum(a * a for a in q))
    return [a / n for a in q]


def assembly():
    """A part that is turned and moved; joints in world terms, local terms and to ground."""
    m = Maker(33).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "universal", "a", "b")
    m.joint("l", "distance", "ground", "b", at={"first": m.vector(), "second": m.vector()}, length=None)
    m.force("s", "spring", between=["ground", "b"], at=[m.vector(2), m.vector()], stiffness=30, damping=1)
    m.force("u", "torsion", between=["b", "ground"], axis=m.axis(), stiffness=5)
    m.force("f", "force", body="a", at=m.vector(), force=["1", "t", "2"], axes="body")
    m.force("c", "bushing", between=["b", "a"], at=m.vector(), orientation=m.orientation(),
            stiffness=[1, 2, 3, 4, 5, 6])
    turn, at = m.orientation(), m.vector()
    whole = posed(m.data, orientation(turn), at, "part")
    own = orientation(m.data["forces"]["c"]["orientation"])
    whole["forces"]["part.c"]["orientation"] = quaternion(product(orientation(turn), own))
    top = {k: v for k, v in whole.items() if k not in ("bodies", "joints", "forces")}
    top["assemblies"] = {"part": {"use": "part.json", "at": at, "orientation": turn}}
    part = {k: v for k, v in m.data.items() if k in ("crank", "bodies", "joints", "forces", "gravity")}
    top["outputs"] = {k.replace(".", "_"): v for k, v in whole["outputs"].items()}
    whole["outputs"] = top["outputs"]
    return whole, {"model.json": top, "part.json": part}


def planar_assembly():
    """Two assemblies, one in the other; the outer one is turned and moved, too."""
    m = Maker(36, True).body("a").body("b").joint("j", "revolute", "ground", "a").joint("k", "prismatic", "a", "b")
    m.force("s", "spring", between=["ground", "b"], at=[m.vector(2), m.vector()], stiffness=30, damping=1)
    m.data["outputs"] = {}
    part = {k: v for k, v in m.data.items() if k in ("crank", "dimension", "bodies", "joints", "forces", "gravity")}
    pose = [(m.number(-3, 3), m.vector()) for _ in range(2)]
    use = [{"use": file, "at": at, "orientation": turn} for file, (turn, at) in zip(("inner.json", "part.json"), pose)]
    top = {k: v for k, v in m.data.items() if k not in ("bodies", "joints", "forces")}
    inner = {"crank": "mechanism", "dimension": 2, "assemblies": {"in": use[1]}}
    whole = m.data
    for name, (turn, at) in zip(("in", "out"), reversed(pose)):
        whole = posed(whole, rodrigues((0, 0, turn)), at + [0.0], name, turn)
    return whole, {"model.json": {**top, "assemblies": {"out": use[0]}}, "inner.json": inner, "part.json": part}


def repeated():
    """A chain of five by repeat."""
    m = Maker(34)
    m.data["outputs"] = {}
    link = {"mass": 1.0, "inertia": m.inertia(), "center": m.vector(0.1), "angular_velocity": m.vector(5)}
    axis = m.axis()
    for i in range(1, 6):
        m.data["bodies"]["link%d" % i] = {**link, "mass": 1.0 + i / 4, "position": [0.5 * i, 0.1 * i ** 2, 0]}
        m.joint("j%d" % i, "revolute", "link%d" % (i - 1) if i > 1 else "ground", "link%d" % i,
                at=[0.5 * i - 0.2, 0.1 * i, 0], axis=[axis[0], axis[1] + i, axis[2]])
        m.force("f%d" % i, "torsion", joint="j%d" % i, stiffness=2.0 * i, damping=0.1)
    body = {**link, "mass": "1 + i/4", "position": ["0.5*i", "0.1*i^2", 0]}
    at = {"type": "revolute", "at": ["0.5*i - 0.2", "0.1*i", 0], "axis": [axis[0], "%r + i" % axis[1], axis[2]]}
    short = {k: v for k, v in m.data.items() if k not in ("bodies", "joints", "forces")}
    short["parameters"] = {"n": 5}
    short["repeat"] = [{"count": "n", "bodies": {"link{i}": body},
                        "forces": {"f{i}": {"type": "torsion", "joint": "j{i}", "stiffness": "2*i", "damping": 0.1}}},
                       {"count": "n - 1", "from": 2, "joints": {"j{i}": {**at, "between": ["link{i-1}", "link{i}"]}}}]
    short["joints"] = {"j1": m.data["joints"]["j1"]}
    m.data["simulate"]["t_end"] = short["simulate"]["t_end"] = 0.2
    return m.data, {"model.json": short}


def models():
    """(name, maker's function, quick)"""
    out = [("%s, spatial" % kind, lambda kind=kind: chain(kind), True) for kind in SPATIAL_JOINTS]
    out += [("%s, planar" % kind, lambda kind=kind: chain(kind, True), True) for kind in PLANAR_JOINTS]
    out += [("%s, spatial, %d" % (kind, seed), lambda kind=kind, seed=seed: chain(kind, False, seed), False)
            for kind in SPATIAL_JOINTS for seed in (1, 2, 3)]
    out += [("springs", springs, True), ("planar springs", planar_springs, True), ("forces", forces, True),
            ("friction under load", loads, True), ("actuators", actuators, True), ("rotors", rotors, True),
            ("planar rotors", planar_rotors, True), ("drives", drives, True),
            ("driver of two angles", driver, True), ("driven body", driven_body, True), ("gears", gears, True),
            ("planar gears", lambda: gears(True), True), ("many turns", spin, True), ("screws", screws, True),
            ("disc", disc, True), ("disc on a moving plane", lambda: disc(True), True), ("sphere", sphere, True),
            ("sphere on a moving plane", lambda: sphere(True), True), ("wheel", wheel, True), ("skate", skate, True),
            ("planar skate", lambda: skate(True), True), ("curve", curve, True),
            ("planar curve", lambda: curve(True), True), ("surface", surface, True), ("profile", profile, True),
            ("inertias", inertias, True),
            ("planar inertias", planar_inertias, True), ("points", points, True),
            ("planar points", planar_points, True), ("massless", massless, True), ("loop", loop, True),
            ("four bars, redundant", four_bar, True),
            ("four bars, joint axes", four_bar_joint_axes, True), ("door", door, True),
            ("joint axes", joint_axes, True), ("planar joint axes", planar_joint_axes, True),
            ("local ends", local_ends, True),
            ("equations", equations, True), ("tables", tables, True), ("ways of tables", table_ways, True), ("fixed values", fixed_values, True),
            ("assembly", assembly, True), ("planar assemblies", planar_assembly, True), ("repeat", repeated, True),
            ("bricard", bricard, True)]
    out += [("%s and %s" % pair, lambda pair=pair: doubled(*pair), i in (0, 4)) for i, pair in enumerate(DOUBLED)]
    out += [("loop %d" % seed, lambda seed=seed: loop(seed), False) for seed in (101, 102, 103)]
    out += [("four bars %d" % seed, lambda seed=seed: four_bar(seed), False) for seed in (111, 112, 113)]
    return out
