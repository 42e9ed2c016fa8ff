"""Writes the delta robot as a URDF file.

    python3 make.py          delta.urdf beside this file

Three arms on the base, 120 degrees apart, each with a rod on a cross (two hinges at each end) to the platform. At zero the arms are
horizontal. The first leg carries the platform, the others close their loops by <loop>. Sizes and masses are ours, of a small robot for pick and place.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import pathlib

BASE, ARM, ROD, PLATFORM = 0.15, 0.25, 0.5, 0.05
OUT = BASE + ARM - PLATFORM
DOWN = math.sqrt(ROD * ROD - OUT * OUT)
PITCH = math.atan2(-OUT, -DOWN)  # of the rod's z axis, from the elbow to the platform


DARK, LIGHT, ACCENT = "0.23 0.27 0.31", "0.85 0.86 0.88", "0.91 0.47 0.17"


def visual(at, shape, colour):
    return (f'    <visual><origin xyz="{at}"/><geometry>{shape}</geometry>'
            f'<material name=""><color rgba="{colour} 1"/></material></visual>')


def body(name, mass=0.0, centre=(0, 0, 0), box=None, drawn=(), colour=ACCENT):
    if not mass:  # a cross
        return [f'  <link name="{name}">', visual("0 0 0", '<sphere radius="0.014"/>', DARK), "  </link>"]
    a, b, c = box
    i = [mass * s / 12 for s in (b * b + c * c, a * a + c * c, a * a + b * b)]
    at = " ".join(f"{x:g}" for x in centre)
    return [f'  <link name="{name}">',
            f'    <inertial><origin xyz="{at}"/><mass value="{mass:g}"/><inertia ixx="{i[0]!r}" iyy="{i[1]!r}" izz="{i[2]!r}" ixy="0" ixz="0" iyz="0"/></inertial>',
            *(drawn or [visual(at, f'<box size="{" ".join(f"{x:g}" for x in box)}"/>', colour)]), "  </link>"]


def hinge(name, parent, child, xyz, rpy, axis, more=()):
    return [f'  <joint name="{name}" type="continuous">', f'    <parent link="{parent}"/>', f'    <child link="{child}"/>',
            f'    <origin xyz="{" ".join(map(repr, xyz))}" rpy="{" ".join(map(repr, rpy))}"/>', f'    <axis xyz="{axis}"/>', *more, "  </joint>"]


def robot():
    lines = ['<?xml version="1.0"?>', "<!-- Written by make.py. -->", '<robot name="delta robot">', '  <link name="base">',
             visual("0 0 0.035", '<cylinder radius="0.17" length="0.02"/>', LIGHT)]
    for leg in (1, 2, 3):  # motors
        phi = 2 * math.pi * (leg - 1) / 3
        lines += [f'    <visual><origin xyz="{BASE * math.cos(phi):g} {BASE * math.sin(phi):g} 0" rpy="1.5707963 0 {phi:g}"/><geometry><cylinder radius="0.025" length="0.07"/></geometry>'
                  f'<material name=""><color rgba="{DARK} 1"/></material></visual>']
    lines += ["  </link>"]
    lines += body("platform", 0.3, (-PLATFORM, 0, -0.01), (0.1, 0.1, 0.02),
                  [visual(f"{-PLATFORM:g} 0 -0.008", '<cylinder radius="0.05" length="0.014"/>', LIGHT), visual(f"{-PLATFORM:g} 0 -0.04", '<cylinder radius="0.012" length="0.06"/>', DARK)])
    for leg in (1, 2, 3):
        lines += body(f"arm{leg}", 0.6, (ARM / 2, 0, 0), (ARM, 0.03, 0.03)) + body(f"elbow{leg}")
        lines += body(f"rod{leg}", 0.15, (0, 0, ROD / 2), (0.012, 0.012, ROD), colour=LIGHT) + body(f"wrist{leg}")
    for leg in (1, 2, 3):
        phi = 2 * math.pi * (leg - 1) / 3
        c, s = math.cos(phi), math.sin(phi)
        lines += hinge(f"shoulder{leg}", "base", f"arm{leg}", (BASE * c, BASE * s, 0.0), (0.0, 0.0, phi), "0 1 0",
                       ['    <limit effort="15" velocity="10" lower="0" upper="0"/>', '    <dynamics damping="0.02"/>'])
        lines += hinge(f"elbow{leg}_across", f"arm{leg}", f"elbow{leg}", (ARM, 0, 0), (0.0, PITCH, 0.0), "0 1 0", ['    <dynamics damping="0.002"/>'])
        lines += hinge(f"elbow{leg}_along", f"elbow{leg}", f"rod{leg}", (0, 0, 0), (0, 0, 0), "1 0 0")
        lines += hinge(f"wrist{leg}_along", f"rod{leg}", f"wrist{leg}", (0, 0, ROD), (0, 0, 0), "1 0 0")
        if leg == 1:
            lines += hinge("wrist1_across", "wrist1", "platform", (0, 0, 0), (0.0, -PITCH, 0.0), "0 1 0")
        else:
            lines += [f'  <loop name="wrist{leg}_across" type="continuous">',
                      f'    <predecessor link="wrist{leg}"><origin xyz="0 0 0" rpy="0 {-PITCH!r} 0"/></predecessor>',
                      f'    <successor link="platform"><origin xyz="{PLATFORM * c - PLATFORM!r} {PLATFORM * s!r} 0" rpy="0 0 {phi!r}"/></successor>',
                      '    <axis xyz="0 1 0"/>', "  </loop>"]
        lines += [f'  <transmission name="motor{leg}_transmission">', "    <type>transmission_interface/SimpleTransmission</type>", f'    <joint name="shoulder{leg}"/>',
                  f'    <actuator name="motor{leg}"><mechanicalReduction>10</mechanicalReduction><rotorInertia>2e-5</rotorInertia></actuator>', "  </transmission>"]
    return lines + ["</robot>"]


if __name__ == "__main__":
    (pathlib.Path(__file__).resolve().parent / "delta.urdf").write_text("\n".join(robot()) + "\n")
