"""Writes the humanoid as URDF and as MJCF.

    python3 make.py          humanoid.urdf, humanoid.xml beside this file

One table for both: 30 joints on a free pelvis, 1.7 m tall, 70 kg. Sizes, masses (shares of segments about as in tables of
anthropometry, rounded) and limits are ours. The inertia of a link is that of its box. Joints that share a place (hip, shoulder, wrist) have
small blocks between them. What is drawn: limbs as tubes with their joints, blocks as balls.
"""
# SPDX-License-Identifier: BSD-3-Clause
import pathlib

X, Y, Z = "1 0 0", "0 1 0", "0 0 1"
# joint, parent, child, place in the parent, axis, range, effort, mass, box, centre of mass
JOINTS = [
    ("waist_yaw", "pelvis", "waist", (0, 0, 0.1), Z, (-1.2, 1.2), 80, 1.0, (0.1, 0.1, 0.06), (0, 0, 0)),
    ("waist_pitch", "waist", "chest", (0, 0, 0.05), Y, (-0.4, 1.2), 200, 22.0, (0.2, 0.32, 0.44), (0, 0, 0.22)),
    ("neck_yaw", "chest", "neck", (0, 0, 0.46), Z, (-1.3, 1.3), 20, 0.8, (0.08, 0.08, 0.08), (0, 0, 0.02)),
    ("neck_pitch", "neck", "head", (0, 0, 0.06), Y, (-0.7, 0.7), 20, 4.2, (0.18, 0.15, 0.22), (0, 0, 0.11)),
]
for side, s in (("left", 1), ("right", -1)):
    JOINTS += [
        (f"{side}_shoulder_pitch", "chest", f"{side}_shoulder_1", (0, 0.2 * s, 0.4), Y, (-3, 1.5), 80, 0.5, (0.06, 0.06, 0.06), (0, 0, 0)),
        (f"{side}_shoulder_roll", f"{side}_shoulder_1", f"{side}_shoulder_2", (0, 0.02 * s, 0), X, (-2.5, 2.5), 80, 0.5, (0.06, 0.06, 0.06), (0, 0, 0)),
        (f"{side}_shoulder_yaw", f"{side}_shoulder_2", f"{side}_upper_arm", (0, 0.02 * s, -0.02), Z, (-1.6, 1.6), 60, 1.9, (0.08, 0.08, 0.26), (0, 0, -0.13)),
        (f"{side}_elbow", f"{side}_upper_arm", f"{side}_elbow_block", (0, 0, -0.28), Y, (-2.4, 0.2), 60, 0.3, (0.05, 0.05, 0.05), (0, 0, 0)),
        (f"{side}_forearm", f"{side}_elbow_block", f"{side}_forearm_link", (0, 0, -0.02), Z, (-1.6, 1.6), 20, 1.1, (0.06, 0.06, 0.22), (0, 0, -0.11)),
        (f"{side}_wrist_pitch", f"{side}_forearm_link", f"{side}_wrist", (0, 0, -0.23), Y, (-1.2, 1.2), 15, 0.1, (0.04, 0.04, 0.04), (0, 0, 0)),
        (f"{side}_wrist_roll", f"{side}_wrist", f"{side}_hand", (0, 0, -0.01), X, (-0.6, 0.6), 15, 0.45, (0.03, 0.08, 0.17), (0, 0, -0.08)),
        (f"{side}_hip_yaw", "pelvis", f"{side}_hip_1", (0, 0.09 * s, -0.06), Z, (-0.8, 0.8), 100, 0.6, (0.08, 0.08, 0.06), (0, 0, 0)),
        (f"{side}_hip_roll", f"{side}_hip_1", f"{side}_hip_2", (0, 0.01 * s, -0.03), X, (-0.8, 0.8), 150, 0.6, (0.08, 0.08, 0.06), (0, 0, 0)),
        (f"{side}_hip_pitch", f"{side}_hip_2", f"{side}_thigh", (0, 0, -0.02), Y, (-2, 0.8), 200, 7.0, (0.13, 0.13, 0.4), (0, 0, -0.19)),
        (f"{side}_knee", f"{side}_thigh", f"{side}_shank", (0, 0, -0.42), Y, (-0.1, 2.4), 200, 3.2, (0.1, 0.1, 0.38), (0, 0, -0.18)),
        (f"{side}_ankle_pitch", f"{side}_shank", f"{side}_ankle", (0, 0, -0.4), Y, (-0.9, 0.7), 120, 0.2, (0.05, 0.05, 0.05), (0, 0, 0)),
        (f"{side}_ankle_roll", f"{side}_ankle", f"{side}_foot", (0, 0, -0.02), X, (-0.5, 0.5), 80, 0.9, (0.24, 0.09, 0.06), (0.05, 0, -0.03)),
    ]
PELVIS = (9.7, (0.2, 0.3, 0.18), (0, 0, 0.02))
START = (0, 0, 0.98)


LIGHT, DARK, ACCENT = (0.88, 0.89, 0.91), (0.23, 0.27, 0.31), (0.91, 0.47, 0.17)


def shapes(name, box, centre):
    """What is drawn of a link: (kind, sizes, place, colour); sizes: of a box, radius and length, radius."""
    part = name.split("_", 1)[-1]
    if part in ("upper_arm", "forearm_link", "thigh", "shank"):
        colour = LIGHT if part in ("upper_arm", "thigh") else ACCENT
        return [("cylinder", (0.42 * box[0], 0.92 * box[2]), centre, colour), ("sphere", (0.5 * box[0],), (0, 0, 0), DARK)]
    if name == "head":
        return [("sphere", (0.105,), (0, 0, 0.12), LIGHT), ("box", (0.06, 0.13, 0.05), (0.075, 0, 0.13), DARK)]
    if name == "chest":
        return [("box", (0.17, 0.3, 0.26), (0, 0, 0.31), LIGHT), ("box", (0.13, 0.2, 0.18), (0, 0, 0.1), DARK), ("box", (0.02, 0.14, 0.06), (0.09, 0, 0.36), ACCENT)]
    if name == "pelvis":
        return [("box", (0.16, 0.26, 0.13), centre, LIGHT)]
    if part in ("hand", "foot"):
        return [("box", box, centre, DARK)]
    return [("sphere", (0.5 * max(box),), centre, DARK)]


def text(v):
    return " ".join(f"{x:g}" for x in v)


def moments(mass, box):
    a, b, c = box
    return mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12


def damping(effort):
    return effort / 100


def urdf_link(name, mass, box, centre):
    i = moments(mass, box)
    return [f'  <link name="{name}">', "    <inertial>", f'      <origin xyz="{text(centre)}"/>', f'      <mass value="{mass:g}"/>',
            f'      <inertia ixx="{i[0]!r}" iyy="{i[1]!r}" izz="{i[2]!r}" ixy="0" ixz="0" iyz="0"/>', "    </inertial>",
            *urdf_visuals(name, box, centre), "  </link>"]


def urdf_visuals(name, box, centre):
    lines = []
    for kind, size, at, colour in shapes(name, box, centre):
        given = {"box": f'size="{text(size)}"', "sphere": f'radius="{size[0]:g}"', "cylinder": f'radius="{size[0]:g}" length="{size[-1]:g}"'}[kind]
        lines += ["    <visual>", f'      <origin xyz="{text(at)}"/>', f"      <geometry><{kind} {given}/></geometry>",
                  f'      <material name=""><color rgba="{text(colour)} 1"/></material>', "    </visual>"]
    return lines


def urdf():
    lines = ['<?xml version="1.0"?>', "<!-- Written by make.py. -->", '<robot name="humanoid">', '  <link name="world"/>']
    lines += urdf_link("pelvis", *PELVIS)
    for joint in JOINTS:
        lines += urdf_link(joint[2], *joint[7:10])
    lines += ['  <joint name="root" type="floating">', '    <parent link="world"/>', '    <child link="pelvis"/>',
              f'    <origin xyz="{text(START)}"/>', "  </joint>"]
    for name, parent, child, place, axis, ends, effort, *_ in JOINTS:
        lines += [f'  <joint name="{name}" type="revolute">', f'    <parent link="{parent}"/>', f'    <child link="{child}"/>',
                  f'    <origin xyz="{text(place)}"/>', f'    <axis xyz="{axis}"/>',
                  f'    <limit lower="{ends[0]:g}" upper="{ends[1]:g}" effort="{effort:g}" velocity="6"/>',
                  f'    <dynamics damping="{damping(effort):g}"/>', "  </joint>"]
    return lines + ["</robot>"]


def mjcf_inside(name, mass, box, centre, pad):
    lines = [f'{pad}<inertial pos="{text(centre)}" mass="{mass:g}" diaginertia="{" ".join(map(repr, moments(mass, box)))}"/>']
    for kind, size, at, colour in shapes(name, box, centre):
        half = {"box": tuple(x / 2 for x in size), "sphere": size, "cylinder": (size[0], size[-1] / 2)}[kind]
        lines += [f'{pad}<geom type="{kind}" size="{text(half)}" pos="{text(at)}" rgba="{text(colour)} 1"/>']
    return lines


def mjcf_body(parent, pad):
    lines = []
    for name, on, child, place, axis, ends, effort, mass, box, centre in JOINTS:
        if on != parent:
            continue
        lines += [f'{pad}<body name="{child}" pos="{text(place)}">',
                  f'{pad}  <joint name="{name}" axis="{axis}" range="{ends[0]:g} {ends[1]:g}" damping="{damping(effort):g}"/>']
        lines += mjcf_inside(child, mass, box, centre, pad + "  ") + mjcf_body(child, pad + "  ") + [f"{pad}</body>"]
    return lines


def mjcf():
    lines = ["<!-- Written by make.py. -->", '<mujoco model="humanoid">', '  <compiler angle="radian" autolimits="true"/>', "  <default>",
             '    <geom contype="0" conaffinity="0"/>', "  </default>", "  <worldbody>", f'    <body name="pelvis" pos="{text(START)}">', '      <freejoint name="root"/>']
    lines += mjcf_inside("pelvis", *PELVIS, "      ") + mjcf_body("pelvis", "      ")
    return lines + ["    </body>", "  </worldbody>", "</mujoco>"]


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent
    (here / "humanoid.urdf").write_text("\n".join(urdf()) + "\n")
    (here / "humanoid.xml").write_text("\n".join(mjcf()) + "\n")
