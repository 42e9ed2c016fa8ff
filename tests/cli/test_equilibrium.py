"""crank equilibrium: rest from rough starts, stability, start files; run --from."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import re

from command import DONE, FAILED, PENDULUM, USAGE, CommandTest, main

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")

CART = """\
crank: mechanism
dimension: 2
parameters: {L: 1, slope: 0}
gravity: [9.81*L*sin(slope), -9.81*L*cos(slope)]
bodies: {cart: {mass: 2, inertia: 0.1*L^2, position: [0.3*L, 0]}}
joints: {rail: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [1, 0]}}
"""
UPRIGHT = """\
crank: mechanism
dimension: 2
parameters: {L: 1, angle: 0}
gravity: [0, -9.81*L]
bodies:
  rod: {mass: 1, inertia: L^2/12, center: [L/2, 0], position: [0, 0], angle: angle}
joints: {pivot: {type: revolute, between: [ground, rod], at: [0, 0]}}
simulate: {t_end: 1}
"""
# boom and stick of an excavator on springs, whose work is counted, in any unit of length
BOOM = """\
crank: mechanism
dimension: 2
energy: true
parameters: {L: 1}
gravity: [0, -9.81*L]
bodies:
  boom:  {mass: 1500, inertia: 3800*L^2, center: [2.7*L, 0], position: [0, 0], angle: 70 deg}
  stick: {mass: 800, inertia: 700*L^2, center: [L, 0], position: [5.7*L*cos(70 deg), 5.7*L*sin(70 deg)], angle: 0}
joints:
  foot:  {type: revolute, between: [ground, boom], at: {first: [0, 0], second: [0, 0]}}
  elbow: {type: revolute, between: [boom, stick], at: {first: [5.7*L, 0], second: [0, 0]}}
forces:
  lift: {type: spring, between: [ground, boom], at: {first: [0.4*L, -0.4*L], second: [2.3*L, 0.6*L]}, law: 2e6*(length - 2.3*L) - 300e3*L}
  pull: {type: spring, between: [boom, stick], at: {first: [2.8*L, L], second: [-0.7*L, 0.25*L]}, law: 2e5*(length - 2.9*L) + 2e4*L}
"""
# a block on an incline, in any unit of length
INCLINE = """\
crank: mechanism
dimension: 2
parameters: {L: 1, tilt: 20 deg, mu: 0.5, rest: 0.5}
gravity: [0, -9.81*L]
bodies: {block: {mass: 2, inertia: 0.1*L^2, position: [0, 0], angle: tilt}}
joints: {plane: {type: prismatic, between: [ground, block], at: [0, 0], axis: [cos(tilt), sin(tilt)]}}
forces: {dry: {type: friction, joint: plane, coefficient: mu, static: rest, slip: 1e-4*L}}
simulate: {t_end: 1}
"""
# two arms: two frictions of other shapes share the torque of one hinge, beside a damper
ARMS = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
parameters: {low: 3}
bodies:
  rod: {mass: 1, inertia: 0.1, position: [0.5, 0]}
  tip: {mass: 0.5, inertia: 0.05, position: [1.5, 0]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
  elbow: {type: revolute, between: [rod, tip], at: [1, 0]}
forces:
  one: {type: friction, joint: pin, level: 7, slip: 1e-4}
  two: {type: friction, joint: pin, level: 5, static: 6, stribeck: 0.02, slip: 3e-3, viscous: 2}
  three: {type: friction, joint: elbow, level: low, slip: 1e-4}
  damper: {type: torsion, between: [ground, rod], damping: 5}
simulate: {t_end: 0.1}
"""
# a prestressed prism: three struts on balls, three cables above, three at the sides
PRISM = """\
crank: mechanism
parameters: {L: 1, k: 1000, top: 0.8*L, side: 0.9*L, R: L, S: 2.2*L}
bodies:
""" + "".join(
    "  s%d: {mass: 1, inertia: [0.4*L^2, 0.4*L^2, 0.01*L^2], center: [0, 0, S/2], position: [R*cos(%d*2*pi/3), R*sin(%d*2*pi/3), 0], "
    "orientation: {axis: [sin(%d*2*pi/3 - 0.4), -cos(%d*2*pi/3 - 0.4), 0], angle: 0.8}}\n" % (i, i, i, i, i)
    for i in range(3)) + "joints:\n" + "".join(
    "  foot%d: {type: spherical, between: [ground, s%d], at: {first: [R*cos(%d*2*pi/3), R*sin(%d*2*pi/3), 0], second: [0, 0, 0]}}\n"
    % (i, i, i, i) for i in range(3)) + "forces:\n" + "".join(
    "  top%d: {type: spring, between: [s%d, s%d], at: {first: [0, 0, S], second: [0, 0, S]}, law: k*(length - top)}\n"
    "  side%d: {type: spring, between: [ground, s%d], at: {first: [R*cos(%d*2*pi/3), R*sin(%d*2*pi/3), 0], second: [0, 0, S]}, law: k*(length - side)}\n"
    % (i, i, (i + 1) % 3, i, i, (i + 1) % 3, (i + 1) % 3) for i in range(3))

# a body on four tyres across a slope, in any unit of length; a wheel that is not turned
SLEDGE = """\
crank: mechanism
parameters: {L: 1, tilt: 10 deg, mu: 0.8, k: 0, stretch: 0.5*L}
gravity: [0, 9.81*L*sin(tilt), -9.81*L*cos(tilt)]
bodies:
  car: {mass: 1000, inertia: [300*L^2, 900*L^2, 1000*L^2], position: [0, 0, 0.5*L]}
forces:
  pull: {type: force, body: car, at: [0, 0, 0.02*L], force: ["k*(stretch - body.car.x)", 0, 0]}
""" + "".join("  t%d%d: {type: tyre, body: car, at: [%d*L, %g*L, 0.3*L], radius: 0.31*L, stiffness: 2e5, damping: 1000, axis: [0, 1, 0], "
              "friction: mu, cornering: 14, traction: 18, relaxation: 0.5*L}\n" % (i, j, 2*i - 1, 1.4*j - 0.7) for i in (0, 1) for j in (0, 1))
TYRES = ("t00", "t01", "t10", "t11")
# the same on wheels, of which those at the back have brakes; down the slope
CAR = SLEDGE.replace("[0, 9.81*L*sin(tilt),", "[9.81*L*sin(tilt), 0,").replace("k: 0", "k: 0, brake: 2000*L^2").replace("forces:\n", "".join(
    "  w%s: {mass: 20, inertia: [0.6*L^2, 1*L^2, 0.6*L^2], position: [%d*L, %g*L, 0.3*L]}\n" % (n, 2*int(n[1]) - 1, 1.4*int(n[2]) - 0.7)
    for n in TYRES) + "joints:\n" + "".join(
    "  j%s: {type: revolute, between: [car, w%s], at: [%d*L, %g*L, 0.3*L], axis: [0, 1, 0]}\n" % (n, n, 2*int(n[1]) - 1, 1.4*int(n[2]) - 0.7)
    for n in TYRES) + "forces:\n" + "".join("  b%s: {type: friction, joint: j%s, level: brake, slip: 1e-3}\n" % (n, n) for n in TYRES[:2]))
for n in TYRES:
    CAR = CAR.replace("  %s: {type: tyre, body: car" % n, "  %s: {type: tyre, body: w%s" % (n, n))


def chain(count, span=1.0, length=1.5, L=1.0):
    """Links of one length between two points of one height, roughly as a triangle."""
    link = length/count
    text = "crank: mechanism\ndimension: 2\ngravity: [0, %r]\nbodies:\n" % (-9.81*L)
    tilt = math.acos(span/length)
    x = y = 0.0
    for i in range(count):
        angle = -tilt if i < count/2 else tilt
        text += ("  b%d: {mass: %r, inertia: %r, center: [%r, 0], position: [%r, %r], angle: %r}\n"
                 % (i, 1/count, link**2*L**2/12/count, link*L/2, x*L, y*L, angle))
        x += link*math.cos(angle)
        y += link*math.sin(angle)
    text += "joints:\n  left: {type: revolute, between: [ground, b0], at: {first: [0, 0], second: [0, 0]}}\n"
    for i in range(1, count):
        text += ("  j%d: {type: revolute, between: [b%d, b%d], at: {first: [%r, 0], second: [0, 0]}}\n"
                 % (i, i - 1, i, link*L))
    text += ("  right: {type: revolute, between: [b%d, ground], at: {first: [%r, 0], second: [%r, 0]}}\n"
             % (count - 1, link*L, span*L))
    return text


def bisect(f, low, high):
    for _ in range(200):
        middle = (low + high)/2
        low, high = (middle, high) if f(low)*f(middle) > 0 else (low, middle)
    return (low + high)/2


def hang(count, span=1.0, length=1.5):
    """Joints of that chain: tan(angle) of link k is (k - (N - 1)/2)/h with h the horizontal force over the weight of a link."""
    link = length/count

    def angles(h):
        return [math.atan((k - (count - 1)/2)/h) for k in range(count)]
    h = bisect(lambda h: sum(link*math.cos(a) for a in angles(h)) - span, 1e-6, 1e6)
    points = [(0.0, 0.0)]
    for a in angles(h):
        points.append((points[-1][0] + link*math.cos(a), points[-1][1] + link*math.sin(a)))
    return points


def prism(k=1000.0, top=0.8, side=0.9, R=1.0, S=2.2):
    """Radius and twist of the prism's top where its energy has no slope, by Newton's method on differences."""
    def energy(r, twist):
        height2 = S*S - R*R - r*r + 2*R*r*math.cos(twist)
        cable = math.sqrt(R*R + r*r - 2*R*r*math.cos(twist - 2*math.pi/3) + height2)
        return (math.sqrt(3)*r - top)**2/2 + (cable - side)**2/2
    # without gravity; k is a factor of all
    z = [0.6, 2.6]
    h = 1e-4
    for _ in range(40):
        def e(a, b):
            return energy(z[0] + a*h, z[1] + b*h)
        g = [(e(1, 0) - e(-1, 0))/2/h, (e(0, 1) - e(0, -1))/2/h]
        a, b = (e(1, 0) - 2*e(0, 0) + e(-1, 0))/h/h, (e(0, 1) - 2*e(0, 0) + e(0, -1))/h/h
        c = (e(1, 1) - e(1, -1) - e(-1, 1) + e(-1, -1))/4/h/h
        d = a*b - c*c
        z = [z[0] - (b*g[0] - c*g[1])/d, z[1] - (a*g[1] - c*g[0])/d]
    return z
# a wheel on two wishbones in mm and t, whose track rod and damper spin freely
WISHBONES = """\
crank: mechanism
gravity: [0, 0, -9810]
parameters: {k: 42, c: 3.2, pre: -5000, kt: 220, bump: 0, light: 1e-6}
bodies:
  body: {mass: 0.36, inertia: [5e4, 6e4, 6e4], position: [0, 300, 500]}
  lower: {mass: 4.2e-3, inertia: [60, 70, 120], center: [0, 170, 0]}
  upper: {mass: 2.1e-3, inertia: [20, 30, 50], center: [0, 120, 10]}
  knuckle: {mass: 36e-3, inertia: [950, 1300, 950], position: [0, 750, 310], points: {wc: [0, 0, 0]}}
  rod: {mass: light, shape: {cylinder: [8, 290], along: [0.01, 0.29, -0.01]}}
  tube: {mass: light, shape: {cylinder: [25, 250]}, center: [0, 0, 125]}
  piston: {mass: light, shape: {cylinder: [10, 250]}, center: [0, 0, -125]}
joints:
  guide: {type: prismatic, between: [ground, body], at: [0, 300, 500], axis: [0, 0, 1]}
  lca: {type: revolute, between: [body, lower], at: {first: [-20, 80, -325], second: [0, 0, 0]}, axis: {first: [350, 0, 10], second: [350, 0, 10]}}
  uca: {type: revolute, between: [body, upper], at: {first: [-40, 140, -10], second: [0, 0, 0]}, axis: {first: [240, 0, 20], second: [240, 0, 20]}}
  lbj: {type: spherical, between: [lower, knuckle], at: {first: [20, 320, -5], second: [0, -50, -140]}}
  ubj: {type: spherical, between: [upper, knuckle], at: {first: [20, 230, 30], second: [-20, -80, 210]}}
  rack: {type: spherical, between: [body, rod], at: {first: [-140, 100, -260], second: [-5, -145, 5]}}
  tro: {type: spherical, between: [rod, knuckle], at: {first: [5, 145, -5], second: [-130, -60, -80]}}
  eye: {type: spherical, between: [lower, tube], at: {first: [20, 200, 15], second: [0, 0, 0]}}
  top: {type: spherical, between: [body, piston], at: {first: [0, 170, 100], second: [0, 0, 0]}}
  strut: {type: cylindrical, between: [tube, piston], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: {first: [0, 0, 1], second: [0, 0, 1]}}
forces:
  coil: {type: spring, joint: strut, coordinate: length, stiffness: k, damping: c, preload: pre, length: 424.5}
  wheel: {type: tyre, body: knuckle, radius: 310, stiffness: kt, damping: 0.1, road: bump}
"""

STRUT = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies:
  car:    {mass: 300, inertia: 50, position: [0, 0], velocity: [0, 0]}
  arm:    {mass: 6, inertia: 0.2, center: [0.2, 0], position: [0.3, 0.2]}
  wheel:  {mass: 30, inertia: 1, position: [0.7, 0.2]}
  rocker: {mass: 1, inertia: 0.01, position: [0.3, 0.6]}
joints:
  heave: {type: prismatic, between: [ground, car], at: [0, 0], axis: [0, 1]}
  ball:  {type: revolute, between: [arm, wheel], at: [0.7, 0.2]}
  upright: {type: distance, between: [car, wheel], at: [[0.3, 0.4], [0.7, 0.4]]}
  push:  {type: distance, between: [arm, rocker], at: [[0.6, 0.2], [0.4, 0.6]]}
  pivot: {type: revolute, between: [car, rocker], at: [0.3, 0.6]}
forces:
  coil:  {type: spring, between: [car, rocker], at: [[0, 0.7], [0.3, 0.7]], stiffness: 9e4, length: 0.36}
  tyre:  {type: tyre, body: wheel, stiffness: 2e5, damping: 100, radius: 0.2}
"""


class Equilibrium(CommandTest):
    def rest(self, text, *arguments, says=()):
        """Names and values of the start file of a model's rest."""
        result = self.expect(DONE, "equilibrium", self.write(text) if "\n" in text else text,
                             "-o", "start.csv", *arguments, says=says)
        names, rows = self.table(self.read("start.csv"))
        return dict(zip(names, rows[0])), result

    def test_pendulum_hangs_and_a_run_from_its_start_file_stays_there(self):
        x, _ = self.rest(PENDULUM, says="stable equilibrium")
        self.assertAlmostEqual(x["x"], 0, delta=1e-12)
        self.assertAlmostEqual(x["y"], -1, delta=1e-12)
        names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--from", "start.csv", "--quiet").out)
        for row in rows:
            self.assertAlmostEqual(dict(zip(names, row))["x"], 0, delta=1e-12)

    def test_pendulum_upright_is_called_unstable_and_keeps_its_place_in_any_units(self):
        for L in (1, 1e-3, 1e3):
            x, _ = self.rest(UPRIGHT, "--set", "L=%g" % L, "--set", "angle=%r" % (math.pi/2),
                             says=["unstable equilibrium", 'falls along body "rod": rotation'])
            self.assertAlmostEqual(x["body.rod.angle"], math.pi/2, delta=1e-12)

    def test_rough_start_above_falls_to_the_rest_that_is_stable(self):
        for angle in (1.2, 1.6, 2.5, -3.0):
            x, _ = self.rest(UPRIGHT, "--set", "angle=%r" % angle, says=": stable equilibrium")
            self.assertAlmostEqual(math.cos(x["body.rod.angle"] + math.pi/2), 1, delta=1e-12)

    def test_rest_on_stiff_mounts_is_that_of_hinges_in_their_place(self):
        """Forces of 1e11 N/m times the size of the car hide the spring's; what is left of them must not move the car."""
        hinge = "joints:\n  mount: {type: revolute, between: [car, arm], at: [0.3, 0.2]}\n"
        mount = "forces:\n  mount: {type: bushing, between: [car, arm], at: [0.3, 0.2], stiffness: [k, k, 0]}\n"
        wanted, _ = self.rest(STRUT.replace("joints:\n", hinge), says=": stable equilibrium")
        text = STRUT.replace("forces:\n", mount).replace("bodies:\n", "parameters: {k: 1e11}\nbodies:\n")
        for k in ("1e9", "1e10", "1e11"):
            x, _ = self.rest(text, "--set", "k=" + k, says=": stable equilibrium")
            self.assertAlmostEqual(x["force.coil.length"], wanted["force.coil.length"], delta=5e-7)

    def test_wheels_behind_gears_turn_many_times_on_the_way_to_the_rest(self):
        """M g L cos(q) = 200 q of the arm, whose motor turns 120 times as far: more than half a turn from where it starts."""
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
parameters: {n: 120}
bodies:
  arm: {mass: 60, inertia: [2, 1.8, 1.5], center: [0.5, 0, 0]}
  motor: {mass: 3, inertia: [0.004, 2e-3, 0.004]}
joints:
  j: {type: revolute, between: [ground, arm], at: {first: [0, 0, 0.3], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
  h: {type: revolute, between: [ground, motor], at: {first: [0.1, 0.1, 0.1], second: [0, 0, 0]}, axis: {first: [0, 1, 0], second: [0, 1, 0]}}
  g: {type: gear, joints: [h, j], ratio: 1/n}
forces:
  s: {type: torsion, joint: j, stiffness: 200, angle: 0, damping: 300}
simulate: {t_end: 1e-9, points: 1}
"""
        q = 1.0
        for _ in range(60):
            q -= (200*q - 60*9.81*0.5*math.cos(q))/(200 + 60*9.81*0.5*math.sin(q))
        for coordinates in ("absolute", "joint"):
            self.rest(text, "--coordinates", coordinates, says="stable equilibrium")
            names, rows = self.run_model(text, "--from", "start.csv", "--coordinates", coordinates)
            x = dict(zip(names, rows[0]))
            self.assertAlmostEqual(x["joint.j.angle"], q, delta=1e-9)
            self.assertAlmostEqual(x["joint.h.angle"], 120*q, delta=1e-7)

    def test_drum_keeps_its_turns_where_the_search_begins_anew(self):
        """A winch on a servo, far from where it rests, and a load on a slack sling: Newton's method turns the drum and fails; the
        search downhill begins with the turns of the start, or the rope would be as many of them too long."""
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
parameters: {rope: 12, rd: 0.3, k: 4e5}
bodies:
  drum: {mass: 500, inertia: [30, 45, 30], position: [0, 0, 0]}
  hook: {type: point, mass: 250, position: [0, 0, -10], free: [position]}
  load: {type: point, mass: 3000, position: [0.3, 0.1, %s], free: [position]}
joints:
  winch: {type: revolute, between: [ground, drum], at: [0, 0, 0], axis: [0, 1, 0]}
holonomic:
  hoist: sqrt(body.hook.x^2 + body.hook.y^2 + body.hook.z^2) - rope - rd*joint.winch.angle
forces:
  motor: {type: actuator, joint: winch, reference: 0, kp: k, kd: 6e4}
  sling: {type: spring, between: [hook, load], at: {first: [0, 0, 0], second: [0, 0, 0]}, law: "if(length > 3, k*(length - 3) + 2000*rate, 0)"}
initial: {joints: {winch: {angle: %s deg}}}
simulate: {t_end: 1e-9, points: 1}
"""
        angle = 3250*9.81*0.3/4e5  # the servo gives way by it
        for z, turned in ((-12, -400), (-12, 300), (-4, 300), (-20, 2000)):
            for coordinates in ("absolute", "joint"):
                self.rest(text % (z, turned), "--coordinates", coordinates, says="stable equilibrium")
                names, rows = self.run_model(text % (z, turned), "--from", "start.csv", "--coordinates", coordinates)
                x = dict(zip(names, rows[0]))
                self.assertAlmostEqual(x["joint.winch.angle"], angle, delta=1e-9)
                self.assertAlmostEqual(x["body.hook.z"], -12 - 0.3*angle, delta=1e-9)

    def test_cart_on_a_plane_is_called_free_along_x_and_on_a_slope_has_no_rest(self):
        for L in (1, 1e-3):
            self.rest(CART, "--set", "L=%g" % L, says=["indifferent", 'nothing resists body "cart": translation along x'])
        self.expect(FAILED, "equilibrium", "model.yaml", "--set", "slope=0.1",
                    says='there is no equilibrium: nothing resists body "cart": translation along x, and forces pull')

    def test_treads_hold_a_body_on_a_slope_up_to_their_friction_and_it_creeps_as_fast_as_told(self):
        weight = 1000*9.81
        for L, coordinates in ((1, "absolute"), (1e3, "joint")):
            for tilt in (10, 38):  # atan(0.8) is 38.66 degrees
                at = ("--set", "L=%g" % L, "--set", "tilt=%r" % math.radians(tilt))
                x, result = self.rest(SLEDGE, *at, "--coordinates", coordinates, says='held: force "t00" holds ')
                # deflections are force/load relaxation/cornering: the same for all, and their sum holds the weight along the slope
                for n in TYRES:
                    self.assertAlmostEqual(x["force.%s.lateral_deflection" % n]/L, -math.tan(math.radians(tilt))*0.5/14, delta=1e-9)
                    self.assertAlmostEqual(x["force.%s.longitudinal" % n], 0, delta=1e-9*weight*L)
                self.assertAlmostEqual(sum(x["force.%s.lateral" % n] for n in TYRES)/L, -weight*math.sin(math.radians(tilt)), delta=1e-8*weight)
                slip = 1.3*math.tan(math.asin(math.tan(math.radians(tilt))/0.8)/1.3)*0.8/14
                speed = slip/math.sqrt(1 - slip**2)*0.01*math.sqrt(9.81*0.31)
                self.assertAlmostEqual(x["body.car.vy"]/L, speed, delta=1e-6*speed)
                self.assertIn("creeping at %.3g m/s" % (speed*L), result.err)
                names, rows = self.table(self.expect(DONE, "run", "model.yaml", *at, "--from", "start.csv", "--t-end", 4, "--points", 2,
                                                     "--coordinates", coordinates, "--quiet").out)
                way = rows[-1][names.index("body.car.y")] - rows[0][names.index("body.car.y")]
                self.assertAlmostEqual(way/L/4, speed, delta=0.01*speed)
        self.expect(FAILED, "equilibrium", "model.yaml", "--set", "tilt=39 deg",
                    says=['nothing resists body "car": translation along y', "slides: it would have to hold"])

    def test_treads_hold_only_where_there_is_no_rest_without_them(self):
        """On the flat a spring pulls as far as it pulls, as the tread gives way in a while."""
        for k in (0, 10):
            x, result = self.rest(SLEDGE, "--set", "tilt=0", "--set", "k=%g" % k, says="indifferent")
            self.assertAlmostEqual(x["body.car.x"], 0.5 if k else 0, delta=1e-9)
            self.assertNotIn("held", result.err)

    def test_treads_that_the_way_to_the_rest_overloads_slide_and_hold_anew(self):
        """The spring pulls with 50 kN at the start, the tyres can hold 7.8 kN."""
        x, _ = self.rest(SLEDGE, "--set", "k=1e5", "--set", "tilt=0.3", says='held: force "t00" holds ')
        forces = [(x["force.%s.longitudinal" % n], x["force.%s.lateral" % n], x["force.%s.force" % n]) for n in TYRES]
        self.assertGreater(x["body.car.x"], 0.5 - 0.8*9810/1e5)
        for along, across, load in forces:
            self.assertLess(math.hypot(along, across), 0.8*load)
        names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--set", "k=1e5", "--set", "tilt=0.3", "--from", "start.csv",
                                             "--t-end", 0.5, "--quiet").out)
        for row in rows:
            self.assertAlmostEqual(row[names.index("body.car.x")], x["body.car.x"], delta=1e-3)

    def test_brakes_and_treads_hold_a_car_together_or_the_one_that_cannot_is_named(self):
        for L, coordinates in ((1, "absolute"), (1e-3, "joint")):
            x, result = self.rest(CAR, "--set", "L=%g" % L, "--coordinates", coordinates, says=": stable equilibrium")
            pull = 1080*9.81*L*math.sin(math.radians(10))
            for n in TYRES[:2]:
                self.assertAlmostEqual(x["force.%s.longitudinal" % n]/pull, -0.5, delta=1e-9)
                self.assertIn('held: force "b%s" holds ' % n, result.err)
                self.assertIn('held: force "%s" holds ' % n, result.err)
            self.assertNotIn('held: force "t10"', result.err)  # it rolls
            names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--set", "L=%g" % L, "--from", "start.csv", "--t-end", 1,
                                                 "--coordinates", coordinates, "--points", 2, "--quiet").out)
            way = rows[-1][names.index("body.car.x")] - rows[0][names.index("body.car.x")]
            self.assertAlmostEqual(way, x["body.car.vx"], delta=0.02*x["body.car.vx"])
        self.expect(FAILED, "equilibrium", "model.yaml", "--set", "brake=100", says=["there is no equilibrium", 'force "bt0', "slides"])
        self.expect(FAILED, "equilibrium", "model.yaml", "--set", "mu=0.3", says=["there is no equilibrium", 'the tread of force "t0', "slides"])
        self.expect(FAILED, "equilibrium", "model.yaml", "--set", "brake=0", says="there is no equilibrium")

    def test_what_stays_where_it_is_put_is_named_where_a_controller_with_an_integral_holds_the_rest(self):
        """The integral is no function of displacements, so that stiffness does not tell and the linearised motion does."""
        text = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies: {cart: {mass: 3, inertia: 1, position: [0, 0]}, wheel: {mass: 1, inertia: 0.1, position: [0, 0]}}
joints:
  lift: {type: prismatic, between: [ground, cart], at: [0, 0], axis: [0, 1]}
  axle: {type: revolute, between: [cart, wheel], at: [0, 0]}
forces: {servo: {type: actuator, joint: lift, reference: 0, kp: 400, ki: 300, kd: 60}}
"""
        told = self.expect(DONE, "equilibrium", self.write(text)).err
        self.assertIn("indifferent equilibrium", told)
        self.assertEqual(told.count("nothing resists"), 1)
        self.assertIn("free: nothing resists body.wheel.angle", told)

    def test_dynamic_variable_that_cannot_rest_is_named(self):
        text = ("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nparameters: {ki: 1}\n"
                "dynamic: {idle: {start: 0, rate: ki*(1 - body.p.rate)}}\n"
                "bodies: {p: {mass: 1, inertia: 0.1, center: [0, -0.5], position: [0, 0], angle: 0.2}}\n"
                "joints: {h: {type: revolute, between: [ground, p], at: [0, 0]}}\nforces: {m: {type: torque, body: p, torque: 0.01*idle}}\n")
        name = self.write(text)
        self.expect(FAILED, "equilibrium", name, says='there is no equilibrium: "idle" does not rest, its rate is 1 where nothing moves')
        self.expect(DONE, "equilibrium", name, "--set", "ki=0", says="equilibrium, residual 0")

    def test_platform_that_nothing_holds_goes_away_and_spins_of_its_legs_are_named_where_springs_hold_it(self):
        def platform(held):
            bodies, joints, forces = ["top: {mass: 20, inertia: [2, 2, 4], position: [0, 0, 1]}"], [], []
            for i in range(3):
                angle = 2*math.pi*i/3
                foot, tip = [math.cos(angle), math.sin(angle), 0], [0.6*math.cos(angle + 1), 0.6*math.sin(angle + 1), 1]
                middle, way = [(a + b)/2 for a, b in zip(foot, tip)], [b - a for a, b in zip(foot, tip)]
                for name, other in (("low", foot), ("high", tip)):
                    place = [(a + b)/2 for a, b in zip(middle, other)]
                    bodies.append("%s%d: {mass: 1, inertia: [0.05, 0.05, 0.05], position: %r}" % (name, i, place))
                joints += ["foot%d: {type: spherical, between: [ground, low%d], at: %r}" % (i, i, foot),
                           "tip%d: {type: spherical, between: [high%d, top], at: %r}" % (i, i, tip),
                           "leg%d: {type: prismatic, between: [low%d, high%d], at: %r, axis: %r}" % (i, i, i, middle, way)]
            if held:
                forces = ["mount: {type: bushing, between: [ground, top], at: [0, 0, 1], stiffness: [1e4, 1e4, 1e4, 1e3, 1e3, 1e3]}"]
            return "crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n  %s\njoints:\n  %s\n%s" % (
                "\n  ".join(bodies), "\n  ".join(joints), "forces:\n  %s\n" % forces[0] if held else "")
        result = self.expect(DONE, "equilibrium", self.write(platform(True)))
        self.assertIn("indifferent", result.err)
        named = re.findall(r'free: nothing resists body "(?:low|high)(\d)": rotation about .*, with body "(?:low|high)(\d)"', result.err)
        self.assertEqual(sorted(a for a, b in named if a == b), ["0", "1", "2"], result.err)
        self.expect(FAILED, "equilibrium", self.write(platform(False)), says=["no equilibrium", "translation along z"])

    def test_hanging_chain_is_that_of_its_recursion_and_nears_the_catenary_by_the_square_of_its_links(self):
        a = bisect(lambda a: 2*a*math.sinh(1/(2*a)) - 1.5, 0.1, 10)
        sag = a*(math.cosh(1/(2*a)) - 1)
        off = []
        for count in (4, 8, 16):
            x, _ = self.rest(chain(count), says=": stable equilibrium")
            points = hang(count)
            for i in range(count):
                self.assertAlmostEqual(x["body.b%d.x" % i], points[i][0], delta=1e-10)
                self.assertAlmostEqual(x["body.b%d.y" % i], points[i][1], delta=1e-10)
            off.append(abs(-points[count//2][1] - sag))
        self.assertAlmostEqual(math.log2(off[0]/off[1]), 2, delta=0.15)
        self.assertAlmostEqual(math.log2(off[1]/off[2]), 2, delta=0.05)

    def test_chain_hangs_alike_in_millimetres(self):
        x, _ = self.rest(chain(6, L=1e3), says=": stable equilibrium")
        for i, point in enumerate(hang(6)[:6]):
            self.assertAlmostEqual(x["body.b%d.x" % i]/1e3, point[0], delta=1e-10)

    def test_machine_whose_work_is_counted_rests_alike_in_millimetres(self):
        self.write(BOOM)
        told = [self.expect(DONE, "equilibrium", "model.yaml", "--set", f"L={unit}", says="stable equilibrium").err for unit in ("1", "1000", "1e5")]
        for text in told:
            self.assertEqual(re.search(r"(\d+) steps", text).group(1), re.search(r"(\d+) steps", told[0]).group(1))

    def test_truck_and_quarter_car_at_rest_stay_there_to_the_tolerance(self):
        for name, names in (("truck", ["rear", "chassis", "cabin"]), ("quarter-car", ["body", "wheel"])):
            model = os.path.join(MODELS, name, name + ".yaml")
            start, _ = self.rest(model, says=": stable equilibrium")
            result = self.expect(DONE, "run", model, "--from", "start.csv", "--t-end", "0.3", "--rtol", "1e-8", "--atol", "1e-8", "--quiet")
            header, rows = self.table(result.out)
            columns = [c for c in header if c.startswith("body.") and c.split(".")[2] in ("y", "vy", "angle")]
            self.assertGreater(len(columns), 1)
            for row in rows[:len(rows)//4]:  # the road begins to rise later
                for c in columns:
                    self.assertAlmostEqual(row[header.index(c)], start[c], delta=1e-6)

    def test_door_on_three_hinges_hangs_low_with_its_reactions_marked(self):
        x, _ = self.rest(os.path.join(MODELS, "door-three-hinges", "door-three-hinges.yaml"), says=": stable equilibrium")
        self.assertAlmostEqual(math.sin(x["theta"]), 0, delta=1e-12)  # its centre as low as the lean allows
        self.assertEqual(x["joint.lower.unique.fz"], 0)
        up = [x["joint.%s.fz" % hinge] for hinge in ("lower", "middle", "upper")]
        self.assertAlmostEqual(abs(sum(up)), 25*9.81*math.cos(math.radians(20)), delta=1e-9)
        # of the least norm in which the force of hinge i counts s_i^2, theory (7.27): f_i is (a + b z_i)/s_i^2 along x, c/s_i^2 along z, and the
        # moments, which count alike, are equal
        self.assertAlmostEqual(up[0], up[2], delta=1e-9)
        self.assertGreater(abs(up[1]), abs(up[0]))  # nearer to the centre of mass, it counts less
        ratio = [x["joint.%s.fx" % hinge]/z for hinge, z in zip(("lower", "middle", "upper"), up)]
        self.assertAlmostEqual(ratio[1], (ratio[0] + ratio[2])/2, delta=1e-12)
        turn = [x["joint.%s.ty" % hinge] for hinge in ("lower", "middle", "upper")]
        self.assertAlmostEqual(turn[0], turn[1], delta=1e-9)
        self.assertAlmostEqual(turn[0], turn[2], delta=1e-9)

    def test_prestressed_tensegrity_prism_rests_where_its_energy_has_no_slope(self):
        r, twist = prism()
        for L in (1, 1e3):
            x, _ = self.rest(PRISM, "--set", "L=%g" % L, says=["indifferent", "rotation about"])  # struts spin on their balls
            q = [x["body.s0.q%d" % i] for i in range(4)]
            axis = [2*(q[1]*q[3] + q[0]*q[2]), 2*(q[2]*q[3] - q[0]*q[1]), 1 - 2*(q[1]**2 + q[2]**2)]
            top = [x["body.s0.x"]/L + 2.2*axis[0], x["body.s0.y"]/L + 2.2*axis[1]]
            self.assertAlmostEqual(math.hypot(*top), r, delta=1e-6)  # the reference is by differences
            self.assertAlmostEqual(math.cos(math.atan2(top[1], top[0]) - twist), 1, delta=1e-6)

    def test_block_below_its_friction_angle_is_held_and_a_run_from_there_creeps_as_fast_as_told(self):
        for L, tilt in ((1, 0.1), (1, 0.46), (1e3, 0.3), (1e-3, 0.3)):
            x, result = self.rest(INCLINE, "--set", "L=%g" % L, "--set", "tilt=%r" % tilt, says=': stable equilibrium, residual')
            speed = 1e-4*L*math.atanh(math.tan(tilt)/0.5)  # the law: mu N tanh(v/slip)
            self.assertIn('held: force "dry" holds %.4g of %.4g N, creeping at %.3g m/s'
                          % (2*9.81*L*math.sin(tilt), math.cos(tilt)*9.81*L, speed), result.err)
            self.assertAlmostEqual(x["joint.plane.length_rate"], -speed, delta=1e-9*speed)
            self.assertAlmostEqual(x["force.dry.force"], -2*9.81*L*math.sin(tilt), delta=1e-8*L)
            self.assertAlmostEqual(x["joint.plane.length"], 0, delta=1e-15*L)
            names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--set", "L=%g" % L, "--set", "tilt=%r" % tilt, "--from", "start.csv",
                                                 "--rtol", "1e-8", "--atol", "%g" % (1e-10*L), "--quiet").out)
            for row in rows:
                self.assertAlmostEqual(row[names.index("joint.plane.length")], -speed*row[0], delta=1e-8*L)
        x, _ = self.rest(INCLINE, "--set", "tilt=0", says="indifferent")  # friction is not needed

    def test_block_above_its_friction_angle_slides_and_that_is_said(self):
        tilt = math.atan(0.5)
        self.write(INCLINE)
        for above in (1e-6, 0.1):
            self.expect(FAILED, "equilibrium", "model.yaml", "--set", "tilt=%r" % (tilt + above),
                        says=["there is no equilibrium: nothing resists", 'force "dry" slides: it would have to hold', "N, and holds"])
        self.expect(DONE, "equilibrium", "model.yaml", "--set", "tilt=%r" % (tilt - 1e-6), says="held")
        # more friction at rest: held up to the peak of (0.5 + 0.2 exp(-(v/10 slip)^2)) tanh(v/slip)
        peak = max((0.5 + 0.2*math.exp(-(u/10)**2))*math.tanh(u) for u in [i*1e-4 for i in range(100000)])
        self.expect(DONE, "equilibrium", "model.yaml", "--set", "rest=0.7", "--set", "tilt=%r" % (math.atan(peak) - 1e-6), says="held")
        self.expect(FAILED, "equilibrium", "model.yaml", "--set", "rest=0.7", "--set", "tilt=%r" % (math.atan(peak) + 1e-6), says="slides")

    def test_frictions_that_share_a_hinge_creep_at_one_rate_with_all_that_damps_it(self):
        x, _ = self.rest(ARMS, says=['"one" holds', '"two" holds', '"three" holds'])
        u = -x["joint.pin.angle_rate"]
        needed = 9.81*(0.5 + 0.5*1.5)
        got = 7*math.tanh(u/1e-4) + (5 + math.exp(-(u/0.02)**2))*math.tanh(u/3e-3) + 7*u
        self.assertAlmostEqual(got, needed, delta=1e-7)
        self.assertAlmostEqual(3*math.tanh(-x["joint.elbow.angle_rate"]/1e-4), 0.5*9.81*0.5, delta=1e-7)
        names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--from", "start.csv", "--rtol", "1e-8", "--atol", "1e-10", "--quiet").out)
        self.assertAlmostEqual(rows[-1][names.index("joint.pin.angle")], -0.1*u, delta=1e-6*u + 1e-9)

    def test_friction_that_cannot_hold_lets_go_and_the_others_hold(self):
        x, _ = self.rest(ARMS, "--set", "low=2", says=['force "three" slides: it would have to hold 2.453 N m, and holds 2', '"one" holds'])
        self.assertAlmostEqual(x["body.tip.angle"], -math.pi/2, delta=1e-9)  # it hangs, and needs no friction
        self.assertAlmostEqual(x["force.three.torque"], 0, delta=1e-9)
        self.assertAlmostEqual(x["body.rod.angle"], 0, delta=1e-12)

    def test_follower_load_on_two_rods_is_stable_below_the_loads_of_ziegler_with_dampers_and_without(self):
        # masses 2 m, m, springs k, dampers b: flutter at (7/2 - sqrt(2)) k/l without dampers, at 41/28 k/l with equal ones
        text = """\
crank: equations
parameters: {P: 1, b: 0}
positions:  {q1: {start: 0}, q2: {start: 0}}
velocities: {u1: {of: q1, start: 0}, u2: {of: q2, start: 0}}
mass: [[3, 1], [1, 1]]
forces: [-(2 - P)*q1 - (P - 1)*q2 - 2*b*u1 + b*u2, q1 - q2 + b*u1 - b*u2]
"""
        for load, damper in ((3.5 - math.sqrt(2), 0), (41/28, 1e-3), (41/28, 1e-2)):
            load *= 1 + damper**2*(28/41)/2  # to second order in b: P = 41/28 + b^2/2
            self.rest(text, "--set", "b=%r" % damper, "--set", "P=%r" % (0.999*load), says=": stable")
            self.rest(text, "--set", "b=%r" % damper, "--set", "P=%r" % (1.001*load), says=[": unstable"] + ["a mode that grows"]*(damper > 0))

    def test_rest_that_a_force_along_the_velocity_excites_is_called_unstable(self):
        text = UPRIGHT.replace("simulate:", "forces: {push: {type: torsion, between: [ground, rod], law: -0.1*rate*L^2}}\nsimulate:")
        for L in (1, 1e3):
            self.rest(text, "--set", "L=%g" % L, says=["unstable", "a mode that grows by exp(0.15 t), mostly body.rod"])

    def test_light_rods_that_spin_freely_make_no_rest_unstable(self):
        self.write(WISHBONES)
        for mass in ("1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"):
            result = self.expect(DONE, "equilibrium", "model.yaml", "--set", f"light={mass}", says="indifferent equilibrium")
            self.assertIn('nothing resists body "tube"', result.err)

    def test_what_nothing_resists_is_named_where_a_body_turns_round_and_round(self):
        """A wheel with a torque that may roll; a jib in a wind that turns along, on which a trolley and a load hang."""
        self.write("""\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  cart: {mass: 100, inertia: [10, 10, 10], position: [0, 0, 0.3]}
  wheel: {mass: 10, inertia: [0.3, 0.5, 0.3], position: [0, 0, 0.3]}
joints:
  upright: {type: planar, between: [ground, cart], at: [0, 0, 0.3], axis: [0, 1, 0]}
  level: {type: parallel_axes, between: [ground, cart], axis: [1, 0, 0]}
  hub: {type: revolute, between: [cart, wheel], at: [0, 0, 0.3], axis: [0, 1, 0]}
forces:
  gas: {type: torque, between: [cart, wheel], torque: [0, 300, 0]}
  tyre: {type: tyre, body: wheel, radius: 0.3, stiffness: 2e5, damping: 100, axis: [0, 1, 0], friction: 1, cornering: 16, traction: 20, relaxation: 0.4}
""")
        self.expect(FAILED, "equilibrium", "model.yaml", says='there is no equilibrium: nothing resists body "wheel": rotation about y')
        self.write("""\
crank: mechanism
gravity: [0, 0, -9.81]
bodies:
  jib: {mass: 14000, inertia: [1e5, 3e6, 3e6], center: [3, 0, 0.5], position: [0, 0, 40]}
  trolley: {mass: 400, inertia: [50, 50, 50], position: [25, 0, 40]}
  load: {type: point, mass: 3000, position: [25, 0, 25]}
joints:
  slew: {type: revolute, between: [ground, jib], at: [0, 0, 40], axis: [0, 0, 1]}
  rail: {type: prismatic, between: [jib, trolley], at: [25, 0, 40], axis: [1, 0, 0], drive: 0}
  rope: {type: distance, between: [trolley, load], at: [[25, 0, 40], [25, 0, 25]]}
forces:
  wind: {type: force, body: jib, local: [15, 0, 0], axes: body, force: [0, -500, 0]}
""")
        result = self.expect(FAILED, "equilibrium", "model.yaml", says="there is no equilibrium: nothing resists")
        self.assertIn("rotation about z", result.err)
        self.assertIn('body "jib"', result.err)

    def test_soft_spring_that_is_wound_for_many_turns_has_a_rest(self):
        """Twelve turns against 1 N m/rad: each takes less of the torque that is left."""
        self.write("""\
crank: mechanism
dimension: 2
bodies: {drum: {mass: 1, inertia: 1, position: [0, 0]}}
joints: {axle: {type: revolute, between: [ground, drum], at: [0, 0]}}
forces:
  spring: {type: torsion, joint: axle, law: 60*tanh(angle/60) + 0.001*angle}
  pull: {type: torque, body: drum, torque: 50}
""")
        self.expect(DONE, "equilibrium", "model.yaml", says="stable equilibrium")

    def test_bodies_that_turned_far_are_named_and_wheels_that_rolled_are_not(self):
        text = """\
crank: mechanism
gravity: [0, 0, -9.81]
bodies: {rod: {mass: 1, inertia: INERTIA, position: [0, 0, 0], orientation: {axis: [0, 1, 0], angle: 0.3}, center: CENTER}}
joints: {pin: {type: revolute, between: [ground, rod], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: [0, 1, 0]}}
"""
        self.write(text.replace("INERTIA", "[0.1, 0.1, 0.01]").replace("CENTER", "[0, 0, 1]"))
        self.expect(DONE, "equilibrium", "model.yaml", says='turned far from where it began: body "rod" by 162.8 deg')
        self.write(text.replace("INERTIA", "[0.1, 0.2, 0.1]").replace("CENTER", "[0, 0, 1e-3]"))
        self.assertNotIn("turned far", self.expect(DONE, "equilibrium", "model.yaml", says="stable").err)
        self.write(text.replace("INERTIA", "[0.1, 0.1, 0.01]").replace("CENTER", "[0, 0, -1]"))
        self.assertNotIn("turned far", self.expect(DONE, "equilibrium", "model.yaml", says="stable").err)

    def test_symmetric_inertia_makes_no_wheel_of_a_rocker_or_a_pendulum(self):
        """The axis counts only where the body may spin about it beside its centre of mass; that of a ball, about its axle. The rod hangs at its dead centre."""
        text = """\
crank: mechanism
gravity: [0, 0, -G]
parameters: {L: 1}
bodies:
  rocker: {mass: 1, inertia: ["J1*L^2", "J2*L^2", "0.1*L^2"], position: [0, 0, 0], orientation: {axis: [0, 1, 0], angle: 0.3}, center: [0, 0, "C*L"]}
WEIGHT
joints:
  pin: {type: revolute, between: [ground, rocker], at: {first: [0, 0, 0], second: [0, 0, 0]}, axis: [0, 1, 0]}
ROD
"""
        weight = '  weight: {mass: 30, inertia: ["L^2", "L^2", "L^2"], position: ["0.3*L", 0, "-2*L"]}'
        rod = """\
  guide: {type: prismatic, between: [ground, weight], at: ["0.3*L", 0, "-2*L"], axis: [0, 0, 1]}
  rod: {type: distance, between: [rocker, weight], at: {first: [0, 0, "0.5*L"], second: [0, 0, 0]}}"""
        cases = (("0.1", "0.2", 1e-3, "", False), ("0.1", "0.1", 1e-3, "", False),  # wheels, hardly out of balance
                 ("0.1", "0.2", 0.5, "", True), ("0.1", "0.1", 0.5, "", True),  # pendulums
                 ("0.1", "0.2", 1e-3, rod, True), ("0.1", "0.1", 1e-3, rod, True))  # rockers
        for first, second, center, joint, named in cases:
            for L, g in ((1, 9.81), (1e3, 9810)):
                with self.subTest(inertia=(first, second), center=center, rod=joint != "", L=L):
                    self.write(text.replace("J1", first).replace("J2", second).replace("C*L", "%g*L" % center).replace("-G]", "-%g]" % g)
                               .replace("WEIGHT\n", weight + "\n" if joint else "").replace("ROD\n", joint + "\n" if joint else ""))
                    said = self.expect(DONE, "equilibrium", "model.yaml", "--set", "L=%g" % L).err
                    self.assertEqual('turned far from where it began: body "rocker"' in said, named, said)

    def test_rest_of_a_middling_model_is_judged_with_its_dampers_and_if_not_the_reason_is_told(self):
        """A follower load at the tip of a chain of twenty links, 440 unknowns, flutters; four rigid ropes hang straight in a singular position."""
        links = 20
        text = "crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n"
        for i in range(links):
            text += f"  b{i}: {{mass: 1, inertia: [0.1, 0.2, 0.1], position: [0, 0, {-i - 0.5}]}}\n"
        text += "joints:\n"
        for i in range(links):
            text += f"  j{i}: {{type: spherical, between: [{'ground' if i == 0 else f'b{i - 1}'}, b{i}], at: [0, 0, {-i}]}}\n"
        self.write(text)
        self.assertNotIn("stiffness alone", self.expect(DONE, "equilibrium", "model.yaml", says="and 14 more free directions").err)
        text = "crank: mechanism\ngravity: [0, 0, -9.81]\nbodies: {box: {mass: 100, inertia: [10, 10, 10], position: [0, 0, 0]}}\njoints:\n"
        for i, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
            text += f"  r{i}: {{type: distance, between: [ground, box], at: [[{x}, {y}, 5], [{x}, {y}, 1]]}}\n"
        self.write(text)
        result = self.expect(DONE, "equilibrium", "model.yaml", says="stability is that of stiffness alone")
        self.assertIn("singular position", result.err)
        self.assertIn("let it yield", result.err)
        self.assertIn("let it yield", self.call("run", "model.yaml", "-o", "a.csv").err)

    def test_general_daes_are_judged_too(self):
        self.rest(os.path.join(MODELS, "pendulum-dae", "pendulum-dae.yaml"), says=": stable")
        self.rest("crank: dae\nvariables: {x: 1}\nequations: [x' = x - x^3]\n", says=": stable")
        self.rest("crank: dae\nvariables: {x: 0}\nequations: [x' = x - x^3]\n", says=": unstable")
        self.rest("crank: dae\nvariables: {x: 0, y: 2}\nequations: [x' = -x, y' = x]\n", says=": indifferent")

    def test_roads_and_references_stand_still_as_drives_do(self):
        # each leads the lower end of a spring with a damper up at 0.5 m/s; all hang and stand alike
        for force, drive in (
            ("{type: tyre, body: block, stiffness: 1000, damping: 100, lift: false, road: 0.1*sin(5*t)}", ""),
            ("{type: tyre, body: block, stiffness: 1000, damping: 100, smoothing: 1e-9, road: 0.1*sin(5*t)}", ""),
            ("{type: actuator, joint: guide, reference: 0.1*sin(5*t), kp: 1000, kd: 100}", ""),
            ("{type: spring, between: [pad, block], at: {first: [0, -1], second: [0, 0]}, stiffness: 1000, damping: 100, length: 1}", "0.1*sin(5*t)"),
        ):
            pad = ["", "", ""] if not drive else [
                "  pad: {mass: 1, inertia: 1, position: [0, 0]}\n",
                "  lead: {type: prismatic, between: [ground, pad], at: {first: [0, 0], second: [0, 0]}, axis: [0, 1], drive: %s}\n" % drive, ""]
            self.write("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  block: {mass: 10, inertia: 1, position: [0, 0]}\n" + pad[0]
                       + "joints:\n  guide: {type: prismatic, between: [ground, block], at: {first: [0, 0], second: [0, 0]}, axis: [0, 1]}\n" + pad[1]
                       + "forces:\n  hold: %s\noutputs: {ay: body.block.ay}\nsimulate: {t_end: 0.01, points: 1}\n" % force)
            for coordinates in ("absolute", "joint"):
                self.expect(DONE, "equilibrium", "model.yaml", "--coordinates", coordinates, "-o", "rest.csv", says="stable equilibrium")
                rest = self.table(self.read("rest.csv"))
                self.assertAlmostEqual(rest[1][0][rest[0].index("body.block.y")], -0.0981, delta=1e-7, msg=force)
                result = self.expect(DONE, "linearize", "model.yaml", "--equilibrium", "--coordinates", coordinates)
                self.assertIn("8.66", result.out)
                # where the run goes on, the damper feels the rate of 0.5 m/s: 5 m/s^2
                result = self.expect(DONE, "run", "model.yaml", "--from", "rest.csv", "--coordinates", coordinates)
                names, rows = self.table(result.out)
                self.assertAlmostEqual(rows[0][names.index("ay")], 5, delta=1e-5, msg=force)

    def test_start_file_cannot_be_written_and_unknown_endings_are_told(self):
        self.write(PENDULUM)
        self.expect(FAILED, "equilibrium", "model.yaml", "-o", "no/such/start.csv", says="no/such/start.csv")
        self.expect(USAGE, "equilibrium", "model.yaml", "-o", "start.txt", says="start.txt")
        self.expect(USAGE, "equilibrium", says="")


class From(CommandTest):
    def test_a_vehicle_sets_off_from_its_rest_with_the_velocities_of_the_file(self):
        """A wheel on its tyre and a body on its spring: heights are those of the rest, speeds as --set and the joints give them."""
        self.write("crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nparameters: {v: 3}\nbodies:\n"
                   "  wheel: {mass: 40, inertia: 1, position: [0, 0.4], velocity: [v, 0], rate: 0}\n  body: {mass: 300, inertia: 1, position: [0, 1]}\njoints:\n"
                   "  upright: {type: driver, of: body.body.angle, is: 0}\n"
                   "  strut: {type: prismatic, between: [wheel, body], at: {first: [0, 0], second: [0, 0]}, axis: {first: [0, 1], second: [0, 1]}}\nforces:\n"
                   "  spring: {type: spring, joint: strut, stiffness: 2e4, length: 0.6, damping: 1e3}\n"
                   "  tyre: {type: tyre, body: wheel, stiffness: 2e5, radius: 0.3}\nsimulate: {t_end: 1, points: 4, rtol: 1e-9, atol: 1e-9}\n")
        self.expect(DONE, "equilibrium", "model.yaml", "-o", "rest.csv")
        low = 0.3 - 340*9.81/2e5
        for more, v in (((), 3), (("--set", "v=7"), 7), (("--set", "body.wheel.vx=20", "--set", "body.body.vx=20"), 20)):
            for coordinates in ("absolute", "joint"):
                names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--positions-from", "rest.csv", *more, "--coordinates", coordinates, "--quiet").out)
                for row in rows:
                    value = dict(zip(names, row))
                    self.assertAlmostEqual(value["body.wheel.y"], low, delta=1e-6)  # with 1e-3 of the deflection over which contact begins
                    self.assertAlmostEqual(value["body.body.y"], low + 0.6 - 300*9.81/2e4, delta=1e-6)
                    self.assertAlmostEqual(value["body.body.x"], v*value["time"], delta=1e-6)
                    self.assertAlmostEqual(value["body.body.vx"], v, delta=1e-7)
        self.expect(USAGE, "run", "model.yaml", "--positions-from", "rest.csv", "--set", "body.wheel.y=1",
                    says='start value "body.wheel.y" is set to 1, but all other start values are those of the row; parameters and velocities can be set')
        self.expect(USAGE, "run", "model.yaml", "--positions-from", "rest.csv", "--from", "rest.csv", says="exclude each other")
        self.expect(USAGE, "run", "model.yaml", "--positions-from", "none.csv", says="--positions-from none.csv")

    def test_wheels_on_tyres_roll_at_the_positions_of_the_rest_from_which_a_vehicle_sets_off(self):
        """Tyres that are not deflected at the file's own start stand on z < 0.3 at rest: omega = v/z. What the file or a drive gives stays."""
        wheels = (("w1", ""), ("w2", ", angular_velocity: [0, 3, 0]"), ("w3", ""))
        self.write("crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n"
                   "  sled: {mass: 50, inertia: [10, 10, 10], position: [0, 0, 0.3]}\n  hub: {mass: 300, inertia: [10, 10, 10], position: [0, 0, 0.3]}\n"
                   + "".join("  %s: {mass: 20, inertia: [0.6, 1, 0.6], position: [0, %d, 0.3]%s}\n" % (w, i, given) for i, (w, given) in enumerate(wheels))
                   + "joints:\n  along: {type: prismatic, between: [ground, sled], at: [0, 0, 0.3], axis: [1, 0, 0]}\n"
                   "  up: {type: prismatic, between: [sled, hub], at: [0, 0, 0.3], axis: [0, 0, 1]}\n"
                   + "".join("  a%s: {type: revolute, between: [hub, %s], at: [0, %d, 0.3], axis: [0, 1, 0]%s}\n" % (w, w, i, ", drive: 5*t" if w == "w3" else "")
                             for i, (w, _) in enumerate(wheels))
                   + "forces:\n"
                   + "".join("  t%s: {type: tyre, body: %s, stiffness: 1e5, damping: 300, radius: 0.3, axis: [0, 1, 0], friction: 1, cornering: 14, "
                             "traction: 18, relaxation: 0.4}\n" % (w, w) for w, _ in wheels) + "simulate: {t_end: 0.01, points: 1}\n")
        self.expect(DONE, "equilibrium", "model.yaml", "-o", "rest.csv")
        for coordinates in ("absolute", "joint"):
            for v in (20, -5, 0):
                with self.subTest(coordinates=coordinates, v=v):
                    names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--positions-from", "rest.csv", "--set", "body.hub.vx=%g" % v,
                                                         "--coordinates", coordinates, "--quiet").out)
                    first = dict(zip(names, rows[0]))
                    self.assertAlmostEqual(first["body.w1.z"], 0.3 - 360*9.81/3e5, delta=1e-6)
                    self.assertAlmostEqual(first["body.hub.vx"], v, delta=1e-12)
                    self.assertAlmostEqual(first["body.w1.wy"], v/first["body.w1.z"], delta=1e-9)
                    self.assertAlmostEqual(first["force.tw1.longitudinal_slip"], 0, delta=1e-9)
                    self.assertAlmostEqual(first["body.w2.wy"], 3, delta=1e-9)
                    self.assertAlmostEqual(first["body.w3.wy"], 5, delta=1e-9)

    def test_run_from_a_row_goes_on_as_the_run_that_wrote_it_in_all_formats(self):
        self.write(UPRIGHT.replace("angle: 0", "angle: 0.3"))
        whole = self.table(self.expect(DONE, "run", "model.yaml", "--quiet", "--points", 4, "--rtol", "1e-10", "--atol", "1e-10").out)
        for name in ("half.csv", "half.h5", "half.mat"):
            self.expect(DONE, "run", "model.yaml", "--quiet", "--points", 4, "--rtol", "1e-10", "--atol", "1e-10", "-o", name)
            for coordinates in ("absolute", "joint"):
                names, rows = self.table(self.expect(DONE, "run", "model.yaml", "--from", name + "@0.5", "--quiet", "--points", 2, "--rtol", "1e-10",
                                                     "--atol", "1e-10", "--coordinates", coordinates).out)
                self.assertEqual([row[0] for row in rows], [0.5, 0.75, 1.0])
                for row, other in zip(rows, whole[1][2:]):
                    for c in ("body.rod.angle", "body.rod.rate"):
                        self.assertAlmostEqual(row[names.index(c)], other[whole[0].index(c)], delta=1e-8)

    def test_runs_that_begin_at_a_row_count_turns_on_from_there(self):
        # of the line of centres of a mesh, which has no column; of hinges in space, by gears and by springs; of a spring between bodies
        planet = ("crank: mechanism\ndimension: 2\nparameters: {r: 0.063}\nbodies:\n  sun: {mass: 1, inertia: 0.001, position: [0, 0], rate: 5}\n"
                  "  carrier: {mass: 1, inertia: 0.01, position: [0, 0], rate: 1}\n  planet: {mass: 1, inertia: 0.001, position: [r, 0]}\njoints:\n"
                  "  s: {type: revolute, between: [ground, sun], at: [0, 0]}\n  c: {type: revolute, between: [ground, carrier], at: [0, 0]}\n"
                  "  p: {type: revolute, between: [carrier, planet], at: [r, 0]}\n  mesh: {type: mesh, between: [sun, planet], radii: [0.036, 0.027]}\n")
        ring = planet.replace("radii: [0.036, 0.027]", "radii: [0.036, -0.099]")
        wheels = ("crank: mechanism\nbodies:\n  a: {mass: 1, inertia: [0.001, 0.001, 0.001], position: [0, 0, 0], angular_velocity: [0, 0, 5]}\n"
                  "  b: {mass: 1, inertia: [0.001, 0.001, 0.001], position: [0.1, 0, 0]}\njoints:\n"
                  "  of_a: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                  "  of_b: {type: revolute, between: [ground, b], at: [0.1, 0, 0], axis: [0, 0, 1]}\n"
                  "  gear: {type: gear, joints: [of_a, of_b], ratio: 1.3}\nforces:\n  coil: {type: torsion, joint: of_a, stiffness: 1e-4}\n"
                  "  other: {type: torsion, between: [ground, b], axis: [0, 0, 1], stiffness: 1e-4}\n")
        for text in (planet, ring, wheels):
            self.write(text + "simulate: {t_end: 12, every: 2, rtol: 1e-9, atol: 1e-9}\n")
            for first, then in ("absolute", "joint"), ("joint", "absolute"):
                self.expect(DONE, "run", "model.yaml", "--coordinates", first, "-o", "whole.csv")
                names, rows = self.table(self.read("whole.csv"))
                for t in (4, 10):
                    result = self.expect(DONE, "run", "model.yaml", "--coordinates", then, "--from", f"whole.csv@{t}")
                    self.assertNotIn("turned by", result.err)
                    again = [dict(zip(*pair)) for pair in ((self.table(result.out)[0], self.table(result.out)[1][-1]), (names, rows[-1]))]
                    for name in again[1]:
                        if name.startswith("body.") and name[5:].split(".")[1] not in ("q0", "q1", "q2", "q3") or name == "energy.potential":
                            self.assertAlmostEqual(again[0][name], again[1][name], delta=1e-5*max(1, abs(again[1][name])), msg=name)
                self.expect(DONE, "linearize", "model.yaml", "--from", "whole.csv@10", "--quiet")

    def test_row_nearest_to_the_time_is_told_and_the_last_one_is_taken_without_it(self):
        self.write(PENDULUM)
        self.expect(DONE, "run", "model.yaml", "--quiet", "--points", 4, "-o", "a.csv")
        result = self.expect(DONE, "run", "model.yaml", "--from", "a.csv@0.6", "--t-end", 2, says="the row nearest to t = 0.6 is at 0.5")
        self.assertEqual(self.table(result.out)[1][0][0], 0.5)
        result = self.expect(DONE, "run", "model.yaml", "--from", "a.csv", "--t-end", 2)
        self.assertEqual(self.table(result.out)[1][0][0], 1.0)

    def test_results_of_another_model_are_refused_with_the_column_that_is_missing(self):
        self.write(PENDULUM)
        self.expect(DONE, "run", "model.yaml", "--quiet", "-o", "a.h5")
        self.write(UPRIGHT, "rod.yaml")
        self.expect(USAGE, "run", "rod.yaml", "--from", "a.h5", says=['no result of model "rod", but of "model"', "body.rod.x"])
        self.expect(USAGE, "run", "rod.yaml", "--from", "none.csv", says="none.csv")
        self.expect(USAGE, "equilibrium", "rod.yaml", "--from", "a.h5", says="body.rod.x")

    def test_start_values_beside_a_row_are_refused_and_parameters_are_not(self):
        self.write(PENDULUM)
        self.expect(DONE, "run", "model.yaml", "--quiet", "-o", "a.csv")
        for name in ("vx", "vx.start"):
            self.expect(USAGE, "run", "model.yaml", "--from", "a.csv", "--set", name + "=2", "--quiet", says=[name, "those of the row"])
        self.expect(DONE, "run", "model.yaml", "--from", "a.csv", "--set", "grav=2", "--quiet")

    def test_equilibrium_begins_at_a_row(self):
        self.write(UPRIGHT)
        self.expect(DONE, "run", "model.yaml", "--quiet", "-o", "a.csv")
        self.expect(DONE, "equilibrium", "model.yaml", "--from", "a.csv@0.2", says="stable")


if __name__ == "__main__":
    main()
