"""Steady starts of random drive trains: rotors on flexible shafts and gears between a motor and a load run as their power balances.

    python3 check_steady.py CRANK FIRST LAST

Each train has a motor whose torque falls with its speed and a load that grows with its own, a torsion spring or a gear between each rotor and
the next, and a condition for one acceleration of each group of rotors that gears tie together; every third gives the speed of the motor, whose
governor finds the torque. crank must find the speeds of the balance, springs twisted by what they carry, and say nothing. Exits with 1 if it does
not."""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

COMMAND, FIRST, LAST = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


class Train:
    def __init__(self, seed):
        r = random.Random("train%d" % seed)
        self.count = r.randint(2, 6)
        self.link = [r.choice(("torsion", "torsion", "gear")) for _ in range(self.count - 1)]
        self.stiffness = [10 ** r.uniform(2, 5) for _ in self.link]
        self.damping = [r.choice((0, 1e-3, 1e-1)) * k ** 0.5 for k in self.stiffness]
        self.ratio = [1.0 if l == "torsion" else r.choice((-1, 1)) * r.uniform(0.3, 3) for l in self.link]
        self.inertia = [10 ** r.uniform(-3, 0) for _ in range(self.count)]
        self.square, self.governed = r.random() < 0.5, seed % 3 == 0
        self.torque, self.idle = r.uniform(5, 50), r.uniform(20, 500)
        self.angle = r.choice((0, r.uniform(-3, 3)))
        self.whole = 1.0
        for ratio in self.ratio:
            self.whole *= ratio
        self.load = self.torque / (abs(self.whole) * (abs(self.whole) * self.idle) ** (2 if self.square else 1)) * r.uniform(0.2, 3)

    def loading(self, w):
        return self.load * w * (abs(w) if self.square else 1)

    def speed(self):
        """of the motor, at which its torque is that of the load; given if it is governed"""
        if self.governed:
            return 0.6 * self.idle
        low, high = 0.0, self.idle
        for _ in range(200):
            w = 0.5 * (low + high)
            low, high = (w, high) if self.torque * (1 - w / self.idle) > self.whole * self.loading(self.whole * w) else (low, w)
        return w

    def model(self):
        names = ["r%d" % i for i in range(self.count)]
        joints = {"b" + n: {"type": "revolute", "between": ["ground", n], "at": {"first": [i, 0], "second": [0, 0]}} for i, n in enumerate(names)}
        forces, initial = {}, {"s0": "body.r0.angle_acceleration"}
        for i, link in enumerate(self.link):
            if link == "gear":  # angle of the first is ratio times that of the second
                joints["g%d" % i] = {"type": "gear", "joints": ["br%d" % i, "br%d" % (i + 1)], "ratio": self.ratio[i]}
            else:
                forces["t%d" % i] = {"type": "torsion", "between": [names[i], names[i + 1]], "stiffness": self.stiffness[i], "damping": self.damping[i]}
                initial["s%d" % (i + 1)] = "body.r%d.angle_acceleration" % (i + 1)
        given = {"angle": self.angle} if self.angle else {}
        if self.governed:
            forces["motor"] = {"type": "actuator", "joint": "br0", "reference": self.speed(), "of": "joint.br0.angle_rate", "kp": 0.5, "ki": 2}
            given["angle_rate"] = self.speed()
        else:
            forces["motor"] = {"type": "torque", "body": "r0", "torque": "%r*(1 - body.r0.rate/%r)" % (self.torque, self.idle)}
        last = "body.r%d.rate" % (self.count - 1)
        forces["load"] = {"type": "torque", "body": names[-1], "torque": "-%r*%s%s" % (self.load, last, "*abs(%s)" % last if self.square else "")}
        if given:
            initial["joints"] = {"br0": given}
        return {"crank": "mechanism", "dimension": 2, "bodies": {n: {"mass": 1, "inertia": j} for n, j in zip(names, self.inertia)}, "joints": joints,
                "forces": forces, "initial": initial, "simulate": {"t_end": 1e-9, "points": 1}}


def check(seed, place):
    train, path = Train(seed), os.path.join(place, "train.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(train.model(), file)
    done = subprocess.run([COMMAND, "run", path, "--quiet"], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0 or done.stderr:
        return done.stderr.strip()[-300:]
    names, row = list(csv.reader(done.stdout.splitlines()))[:2]
    x = dict(zip(names, map(float, row)))
    w, torque = train.speed(), train.loading(train.whole * train.speed())
    for i in range(train.count):
        found = x["body.r%d.rate" % i]
        if abs(found - w) > 1e-8 * abs(w):
            return "body.r%d.rate = %r, not %r" % (i, found, w)
        w *= train.ratio[i] if i < len(train.ratio) else 1
    share = 1.0
    for i in range(train.count - 2, -1, -1):  # what springs carry, from the load on
        share *= train.ratio[i]
        if train.link[i] == "torsion" and abs(train.stiffness[i] * x["force.t%d.angle" % i] + share * torque) > 1e-7 * abs(share * torque):
            return "force.t%d.angle = %r, not %r" % (i, x["force.t%d.angle" % i], -share * torque / train.stiffness[i])
    return None


failures = 0
with tempfile.TemporaryDirectory() as place:
    for seed in range(FIRST, LAST + 1):
        wrong = check(seed, place)
        if wrong:
            failures += 1
            print("seed %d: %s" % (seed, wrong))
print("%d trains, %d failures" % (LAST - FIRST + 1, failures))
sys.exit(failures > 0)
