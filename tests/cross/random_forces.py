"""Forces of random mechanisms, of all types."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from random_parts import Parts
from random_units import (DAMPING, FORCE, LENGTH, NONE, RATE, SPEED, STIFFNESS, TIME, TORQUE, TURN_DAMPING, Quantity,
                          Text, vector)

FORCES = {"spring": 4, "torsion": 3, "bushing": 2, "friction": 3, "tyre": 1, "actuator": 3, "force": 2, "torque": 2}



class Forces(Parts):
    def any_force(self):
        getattr(self, self.draw.weighted(FORCES))()

    def add_force(self, kind, keys):
        self.tree["forces"][self.name("f")] = {"type": kind, **keys}

    def pair(self, turning=False):
        """Two bodies, of which the second is not the ground."""
        names = [n for n in self.place if not (turning and self.is_point(n))]
        moving = [n for n in names if n != "ground"]
        if not moving:
            return None
        two = self.draw.pick(moving)
        return [self.draw.pick([n for n in names if n != two]), two]

    def spring(self, stiff=1.0):
        d, pair = self.draw, self.pair()
        keys = {"between": pair, "at": [self.cut(e) for e in self.rod_ends(*pair)]}
        k, c = Quantity(d.number(5, 60) * stiff, STIFFNESS), Quantity(d.number(0, 3) * math.sqrt(stiff), DAMPING)
        if d.chance(0.2) and stiff == 1.0:
            keys["law"] = Text(k, "*(length - ", Quantity(d.number(0.3, 1), LENGTH), ") + ", c, "*rate + ",
                               Quantity(d.number(0, 1), (-2, 1, 1)), "*rate^3")
        else:
            keys.update(stiffness=k)
            if d.chance(0.6):
                keys["damping"] = c
            if d.chance(0.5) and stiff == 1.0:
                keys["length"] = Quantity(d.number(0.2, 1), LENGTH)
        self.add_force("spring", keys)

    def torsion(self, stiff=1.0):
        d = self.draw
        joints, pair = self.joints_with("angle"), self.pair(turning=True)
        if joints and d.chance(0.6):
            keys = {"joint": d.pick(joints)}
        elif pair:
            keys = {"between": pair}
            if not self.planar:
                keys["axis"] = vector(self.axis(), NONE)
        else:
            return
        keys["stiffness"] = Quantity(d.number(1, 10) * stiff, TORQUE)
        if d.chance(0.6):
            keys["damping"] = Quantity(d.number(0, 1) * math.sqrt(stiff), TURN_DAMPING)
        if d.chance(0.4) and stiff == 1.0:
            keys["angle"] = d.number(-0.5, 0.5)
        if d.chance(0.2) and stiff == 1.0:
            keys = {k: v for k, v in keys.items() if k in ("joint", "between", "axis")}
            keys["law"] = Text(Quantity(d.number(1, 10), TORQUE), "*sin(angle) + ",
                               Quantity(d.number(0, 1), TURN_DAMPING), "*rate")
        self.add_force("torsion", keys)

    def bushing(self, pair=None, stiffness=None, share=None):
        """share: damping of the critical one, for masses of order 1."""
        d, pair = self.draw, pair or self.pair(turning=True)
        if not pair:
            return
        k = stiffness or d.number(10, 50)
        at = self.between_places(*pair)
        turns = [0.1 * k * d.number(0.5, 1) for _ in range(1 if self.planar else 3)]
        lines = [k * d.number(0.5, 1) for _ in range(self.n)]
        keys = {"between": pair, "at": self.cut(at), "stiffness": vector(lines, STIFFNESS) + vector(turns, TORQUE)}
        share = d.number(0, 0.2) if share is None else share
        if share:
            keys["damping"] = vector([2 * share * math.sqrt(a) for a in lines], DAMPING) + \
                vector([0.2 * share * math.sqrt(a) for a in turns], TURN_DAMPING)
        if d.chance(0.4):
            pose = self.orientation()[0]
            if pose:
                keys["orientation"] = list(pose.values())[0]
        self.add_force("bushing", keys)

    def sliding_joint(self):
        """A joint of one coordinate, and whether that is an angle."""
        angles = self.joints_with("angle")
        both = angles + self.joints_with("length")
        joint = self.draw.pick(both) if both else None
        return joint, joint in angles

    def friction(self, stiff=1.0):
        d = self.draw
        joint, turns = self.sliding_joint()
        if not joint:
            return
        keys = {"joint": joint, "slip": Quantity(d.number(0.1, 0.5) / stiff ** 0.5, RATE if turns else SPEED)}
        if d.chance(0.3):
            keys["coefficient"] = d.number(0.02, 0.2)
            if turns:
                keys["radius"] = Quantity(0.1, LENGTH)
            low, dimension = keys["coefficient"], NONE
        else:
            low, dimension = d.number(0.2, 2), TORQUE if turns else FORCE
            keys["level"] = Quantity(low, dimension)
        if d.chance(0.3):
            keys["static"] = Quantity(1.3 * low, dimension)
        if d.chance(0.5):
            keys["viscous"] = Quantity(d.number(0, 0.5), TURN_DAMPING if turns else DAMPING)
        self.add_force("friction", keys)

    def tyre(self):
        d = self.draw
        body = self.pair()[1]
        amplitude, wave, w = Quantity(d.number(0, 0.2), LENGTH), Quantity(d.number(1, 3), (-1, 0, 0)), \
            Quantity(d.number(0, 3), RATE)
        keys = {"body": body, "stiffness": Quantity(d.number(20, 80), STIFFNESS), "radius": Quantity(0.4, LENGTH),
                "road": Text(amplitude, "*sin(", wave, "*x + ", w, "*t)")}
        if d.chance(0.6):
            keys["damping"] = Quantity(d.number(0, 2), DAMPING)
        if d.chance(0.4):
            keys.update(lift=True, smoothing=Quantity(d.number(0.01, 0.05), LENGTH))
        else:
            keys["lift"] = False
        self.add_force("tyre", keys)

    def actuator(self, stiff=1.0):
        d = self.draw
        joint, turns = self.sliding_joint()
        keys, kind, size = {"joint": joint}, TORQUE if turns else FORCE, NONE if turns else LENGTH
        if not joint or d.chance(0.2):
            pair = self.pair()
            keys = {"between": pair, "at": [self.cut(e) for e in self.rod_ends(*pair)]}
            kind, size = FORCE, LENGTH
        gain = lambda high, time: Quantity(d.number(0, high), (kind[0] - size[0], 1, -2 + time))
        if d.chance(0.4) or "between" in keys:
            keys["command"] = self.course(kind, 3.0)
        else:
            keys.update(reference=self.course(size, 0.5), kp=gain(20, 0))
            if d.chance(0.4):
                keys["ki"] = gain(10, -1)
            if d.chance(0.4):
                keys["kd"] = gain(2, 1)
                if d.chance(0.5):
                    keys["filter"] = Quantity(d.number(0.05, 0.2), TIME)
        if d.chance(0.4):
            keys.update(limit=Quantity(d.number(2, 10), kind), saturation="smooth")
        if d.chance(0.4) or stiff > 1.0:
            keys["lag"] = Quantity(d.number(0.05, 0.2) / stiff, TIME)
        self.add_force("actuator", keys)

    def force(self):
        d, body = self.draw, self.pair()[1]
        parts = []
        for k in range(self.n):
            constant = Text(Quantity(d.number(-3, 3), FORCE))
            drag = Text(Quantity(-d.number(0, 1), DAMPING), "*body.%s.v%s" % (body, "xyz"[k]))
            parts.append(d.pick((constant, drag, self.course(FORCE, 3.0))))
        keys = {"body": body, "force": parts}
        if not self.is_point(body) and d.chance(0.5):
            keys["local"] = self.cut(self.vec(0.3))
            if d.chance(0.5):
                keys["axes"] = "body"
        self.add_force("force", keys)

    def torque(self):
        d, pair = self.draw, self.pair(turning=True)
        if not pair:
            return
        keys = {"between": pair} if d.chance(0.5) else {"body": pair[1]}
        about = ("rate",) if self.planar else ("wx", "wy", "wz")
        parts = [d.pick((Text(Quantity(d.number(-1, 1), TORQUE)), self.course(TORQUE),
                         Text(Quantity(-d.number(0, 1), TURN_DAMPING), "*body.%s.%s" % (pair[1], w)))) for w in about]
        keys["torque"] = parts[0] if self.planar else parts
        if not self.planar and d.chance(0.3):
            keys["axes"] = "body"
        self.add_force("torque", keys)
