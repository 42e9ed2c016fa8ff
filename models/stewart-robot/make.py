"""Writes a Stewart platform as a URDF file.

    python3 make.py          stewart.urdf beside this file

Six legs between a base and a platform, in pairs 120 degrees apart: a cross of two hinges on the base, a cylinder, a piston that a motor pushes, a ball at the
platform. The platform is free; all six balls close loops, by Drake's <drake:ball_constraint>. Pistons are at zero where the platform is level at half of their
way. Sizes and masses are ours, of a small motion base.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import pathlib

BASE, TOP, HEIGHT = 0.6, 0.45, 0.75  # radii of the balls' circles, height of the platform
LOW, HIGH = 12, 48  # half the angle between the two legs of a pair, deg
CYLINDER = 0.5


def box(mass, a, b, c):
    return [mass * s / 12 for s in (b * b + c * c, a * a + c * c, a * a + b * b)]


DARK, LIGHT, ACCENT = "0.23 0.27 0.31", "0.85 0.86 0.88", "0.91 0.47 0.17"


def visual(at, shape, colour):
    return (f'    <visual><origin xyz="{at}"/><geometry>{shape}</geometry>'
            f'<material name=""><color rgba="{colour} 1"/></material></visual>')


def body(name, mass, centre, inertia, shape, colour, more=()):
    at = " ".join(f"{x:g}" for x in centre)
    return [f'  <link name="{name}">',
            f'    <inertial><origin xyz="{at}"/><mass value="{mass:g}"/>'
            f'<inertia ixx="{inertia[0]!r}" iyy="{inertia[1]!r}" izz="{inertia[2]!r}" ixy="0" ixz="0" iyz="0"/></inertial>',
            visual(at, shape, colour), *more, "  </link>"]


def joint(name, kind, parent, child, xyz, rpy, axis, more=()):
    return [f'  <joint name="{name}" type="{kind}">', f'    <parent link="{parent}"/>', f'    <child link="{child}"/>',
            f'    <origin xyz="{" ".join(map(repr, xyz))}" rpy="{" ".join(map(repr, rpy))}"/>', f'    <axis xyz="{axis}"/>', *more, "  </joint>"]


def legs():
    """Feet on the base and balls on the platform."""
    for pair in range(3):
        for side in (-1, 1):
            one, other = (math.radians(120 * pair + side * half) for half in (LOW, HIGH))
            yield (BASE * math.cos(one), BASE * math.sin(one), 0.0), (TOP * math.cos(other), TOP * math.sin(other), 0.0)


def robot():
    lines = ['<?xml version="1.0"?>', "<!-- Written by make.py. -->", '<robot name="Stewart platform" xmlns:drake="http://drake.mit.edu">']
    lines += body("base", 50, (0, 0, -0.02), box(50, 1.2, 1.2, 0.04), f'<cylinder radius="{BASE + 0.05:g}" length="0.04"/>', LIGHT)
    lines += body("platform", 40, (0, 0, 0.02), box(40, 0.9, 0.9, 0.04), f'<cylinder radius="{TOP + 0.03:g}" length="0.04"/>', ACCENT)
    lines += joint("free", "floating", "base", "platform", (0, 0, HEIGHT), (0, 0, 0), "0 0 1")
    for number, (foot, ball) in enumerate(legs(), 1):
        way = (ball[0] - foot[0], ball[1] - foot[1], HEIGHT)
        length = math.sqrt(sum(x * x for x in way))
        # a cross: about x of the base by alpha, then about the new y by beta, takes z along the leg
        alpha, beta = math.atan2(-way[1], way[2]), math.asin(way[0] / length)
        lines += [f'  <link name="cross{number}">', visual("0 0 0", '<sphere radius="0.035"/>', DARK), "  </link>"]
        lines += body(f"cylinder{number}", 4, (0, 0, CYLINDER / 2), box(4, 0.06, 0.06, CYLINDER), f'<cylinder radius="0.03" length="{CYLINDER:g}"/>', DARK)
        lines += body(f"piston{number}", 2, (0, 0, -CYLINDER / 2), box(2, 0.03, 0.03, CYLINDER), f'<cylinder radius="0.015" length="{CYLINDER:g}"/>', LIGHT,
                      [visual("0 0 0", '<sphere radius="0.025"/>', DARK)])
        lines += joint(f"foot{number}_across", "continuous", "base", f"cross{number}", foot, (alpha, 0, 0), "1 0 0")
        lines += joint(f"foot{number}_along", "continuous", f"cross{number}", f"cylinder{number}", (0, 0, 0), (0, beta, 0), "0 1 0")
        lines += joint(f"leg{number}", "prismatic", f"cylinder{number}", f"piston{number}", (0, 0, length), (0, 0, 0), "0 0 1",
                       ['    <limit lower="-0.2" upper="0.2" effort="1500" velocity="0.8"/>', '    <dynamics damping="200"/>'])
        lines += ["  <drake:ball_constraint>", f'    <drake:ball_constraint_body_A name="piston{number}"/>', '    <drake:ball_constraint_p_AP value="0 0 0"/>',
                  '    <drake:ball_constraint_body_B name="platform"/>', f'    <drake:ball_constraint_p_BQ value="{" ".join(map(repr, ball))}"/>',
                  "  </drake:ball_constraint>"]
        lines += [f'  <transmission name="motor{number}_transmission">', "    <type>transmission_interface/SimpleTransmission</type>", f'    <joint name="leg{number}"/>',
                  f'    <actuator name="motor{number}"/>', "  </transmission>"]
    return lines + ["</robot>"]


if __name__ == "__main__":
    (pathlib.Path(__file__).resolve().parent / "stewart.urdf").write_text("\n".join(robot()) + "\n")
