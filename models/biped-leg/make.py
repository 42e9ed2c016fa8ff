"""Writes the leg as URDF, with two choices of the joints that close its loops.

    python3 make.py          swing/leg.urdf, swing/leg-other-cuts.urdf beside this file

One table of bodies and hinges, all about y, as they stand at zero; sizes and masses are ours, of a leg of 0.9 m. The knee is moved by a
crank on the thigh and a rod to the shank, the ankle by another crank and a rod to the foot, which passes the knee: a loop around the other one.
"""
# SPDX-License-Identifier: BSD-3-Clause
import pathlib

# body: mass, centre of mass at zero (x, z; y in the plane), box
BODIES = {
    "thigh": (6.0, (0, -0.2), (0.12, 0.1, 0.4)),
    "shank": (3.0, (0, -0.6), (0.08, 0.08, 0.36)),
    "foot": (1.0, (0.06, -0.86), (0.24, 0.09, 0.06)),
    "knee_crank": (0.3, (-0.03, -0.15), (0.07, 0.02, 0.03)),
    "knee_rod": (0.25, (-0.06, -0.285), (0.02, 0.02, 0.27)),
    "ankle_crank": (0.3, (0.03, -0.15), (0.07, 0.02, 0.03)),
    "ankle_rod": (0.4, (0.06, -0.485), (0.02, 0.02, 0.67)),
}
# hinge: bodies, place (x, z), range or None, effort, damping, friction
HINGES = {
    "hip": ("pelvis", "thigh", (0, 0), (-1.5, 1.0), 120, 0.5, 0),
    "knee": ("thigh", "shank", (0, -0.42), (-0.2, 1.2), 0, 0.2, 0.3),
    "ankle": ("shank", "foot", (0, -0.82), (-0.8, 0.8), 0, 0.1, 0.2),
    "knee_motor": ("thigh", "knee_crank", (0, -0.15), None, 60, 0.1, 0),
    "knee_crank_pin": ("knee_crank", "knee_rod", (-0.06, -0.15), None, 0, 0.01, 0),
    "knee_pin": ("knee_rod", "shank", (-0.06, -0.42), (-1.3, 0.4), 0, 0.02, 0.1),
    "ankle_motor": ("thigh", "ankle_crank", (0, -0.15), None, 40, 0.1, 0),
    "ankle_crank_pin": ("ankle_crank", "ankle_rod", (0.06, -0.15), None, 0, 0.01, 0),
    "ankle_pin": ("ankle_rod", "foot", (0.06, -0.82), None, 0, 0.02, 0.1),
}
MOTORS = {"hip": (2e-4, 80), "knee_motor": (1e-4, 50), "ankle_motor": (1e-4, 50)}
CUTS = {"leg": ("knee_pin", "ankle_pin"), "leg-other-cuts": ("knee", "ankle")}


DARK, LIGHT, ACCENT, STEEL = "0.23 0.27 0.31", "0.88 0.89 0.91", "0.91 0.47 0.17", "0.55 0.6 0.66"
# what is drawn: shape, sizes, place at zero (x, y, z), colour; about y where it turns. Plates of the thigh leave room for cranks and rods
SHAPES = {
    "pelvis": [("box", (0.14, 0.2, 0.07), (0, 0, 0.075), DARK), ("pin", (0.035, 0.16), (0, 0, 0), DARK)],
    "thigh": [("box", (0.07, 0.012, 0.4), (0, y, -0.21), LIGHT) for y in (-0.045, 0.045)]
             + [("pin", (0.045, 0.014), (0, y, z), LIGHT) for y in (-0.045, 0.045) for z in (0, -0.42)] + [("pin", (0.03, 0.12), (0, 0, -0.15), DARK)],
    "shank": [("box", (0.05, 0.05, 0.36), (0, 0, -0.61), ACCENT), ("pin", (0.04, 0.07), (0, 0, -0.42), ACCENT), ("box", (0.06, 0.02, 0.03), (-0.03, 0, -0.42), ACCENT),
              ("pin", (0.03, 0.06), (0, 0, -0.82), DARK)],
    "foot": [("box", (0.24, 0.09, 0.025), (0.06, 0, -0.877), DARK), ("box", (0.09, 0.05, 0.045), (0.03, 0, -0.845), LIGHT)],
    "knee_crank": [("box", (0.075, 0.012, 0.025), (-0.03, 0.02, -0.15), STEEL)],
    "knee_rod": [("box", (0.014, 0.014, 0.27), (-0.06, 0, -0.285), STEEL)],
    "ankle_crank": [("box", (0.075, 0.012, 0.025), (0.03, -0.02, -0.15), STEEL)],
    "ankle_rod": [("box", (0.014, 0.014, 0.67), (0.06, 0, -0.485), STEEL)],
}


def visuals(name, origin):
    lines = []
    for kind, size, (x, y, z), colour in SHAPES[name]:
        at = text((x - origin[0], y, z - origin[1]))
        shape = f'<box size="{text(size)}"/>' if kind == "box" else f'<cylinder radius="{size[0]:g}" length="{size[1]:g}"/>'
        turn = "" if kind == "box" else ' rpy="1.5707963267948966 0 0"'
        lines += [f'    <visual><origin xyz="{at}"{turn}/><geometry>{shape}</geometry><material name=""><color rgba="{colour} 1"/></material></visual>']
    return lines


def text(v):
    return " ".join(f"{x:.12g}" for x in v)


def ahead(x, z, origin):
    return (x - origin[0], 0, z - origin[1])


def inertial(mass, centre, box, origin):
    a, b, c = box
    moments = [mass * s / 12 for s in (b * b + c * c, a * a + c * c, a * a + b * b)]
    at = text(ahead(*centre, origin))
    return [f"    <inertial><origin xyz=\"{at}\"/><mass value=\"{mass:g}\"/><inertia ixx=\"{moments[0]!r}\" iyy=\"{moments[1]!r}\" "
            f"izz=\"{moments[2]!r}\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"]


def leg(cuts):
    carrier = {child: place for name, (_, child, place, *_) in HINGES.items() if name not in cuts}
    carrier["pelvis"] = (0, 0)
    lines = ['<?xml version="1.0"?>', "<!-- Written by make.py. -->", '<robot name="biped leg">', '  <link name="pelvis">', *visuals("pelvis", (0, 0)), "  </link>"]
    for name, (mass, centre, box) in BODIES.items():
        lines += [f'  <link name="{name}">'] + inertial(mass, centre, box, carrier[name]) + visuals(name, carrier[name]) + ["  </link>"]
    for name, (parent, child, place, ends, effort, damping, friction) in HINGES.items():
        tag, kind = ("loop", "revolute") if name in cuts else ("joint", "revolute" if ends else "continuous")
        kind = kind if ends else "continuous"
        lines += [f'  <{tag} name="{name}" type="{kind}">']
        if tag == "loop":
            lines += [f'    <predecessor link="{parent}"><origin xyz="{text(ahead(*place, carrier[parent]))}"/></predecessor>',
                      f'    <successor link="{child}"><origin xyz="{text(ahead(*place, carrier[child]))}"/></successor>']
        else:
            lines += [f'    <parent link="{parent}"/>', f'    <child link="{child}"/>', f'    <origin xyz="{text(ahead(*place, carrier[parent]))}"/>']
        lines += ['    <axis xyz="0 1 0"/>']
        if ends or effort:
            low, high = ends or (0, 0)
            lines += [f'    <limit lower="{low:g}" upper="{high:g}" effort="{effort or 20:g}" velocity="5"/>']
        lines += [f'    <dynamics damping="{damping:g}" friction="{friction:g}"/>', f"  </{tag}>"]
    for name, (inertia, ratio) in MOTORS.items():
        lines += [f'  <transmission name="{name}_transmission">', "    <type>transmission_interface/SimpleTransmission</type>", f'    <joint name="{name}"/>',
                  f'    <actuator name="{name}_drive"><mechanicalReduction>{ratio:g}</mechanicalReduction><rotorInertia>{inertia:g}</rotorInertia></actuator>',
                  "  </transmission>"]
    return lines + ["</robot>"]


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent / "swing"
    for name, cuts in CUTS.items():
        (here / f"{name}.urdf").write_text("\n".join(leg(cuts)) + "\n")
        (here / f"{name}.yaml").write_text(f"""\
# The leg swings: servos with effort limits follow a path, for 10 s. {'Loops are closed at the pins of the rods.' if name == 'leg' else 'Loops are closed at knee and ankle.'}
crank: mechanism
title: Biped leg
include: [{name}.urdf]
inputs:
  swing: 0.5*sin(3*t)
  bend: 0.35*(1 - cos(3*t))
  tread: 0.2*sin(6*t)
forces:
  hip_servo: {{type: actuator, joint: hip, reference: swing, kp: 900, kd: 60, limit: 60}}
  knee_servo: {{type: actuator, joint: knee_motor, reference: bend, kp: 300, kd: 20, limit: 30}}
  ankle_servo: {{type: actuator, joint: ankle_motor, reference: tread, kp: 150, kd: 8, limit: 15}}
simulate: {{t_end: 10, every: 0.05, coordinates: joint}}
""")
