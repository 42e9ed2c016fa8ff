"""Robots from URDF files: each element against the same mechanism written by hand, what is listed as not used, and files that are
wrong."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os

from command import DONE, MODEL, CommandTest, main

BODY = '<inertial><origin xyz="0 0 -0.2" rpy="0 0 0"/><mass value="2"/><inertia ixx="0.03" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
NEAR = 1e-9  # rtol and atol of the runs are 1e-10


def robot(*parts, name="r"):
    return f'<?xml version="1.0"?>\n<robot name="{name}">\n' + "\n".join(parts) + "\n</robot>\n"


def link(name, inside=BODY):
    return f'<link name="{name}">{inside}</link>'


def joint(name, kind, parent, child, inside=""):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


class Urdf(CommandTest):
    def rows(self, name, *arguments):
        self.expect(DONE, "run", name, "--quiet", "--rtol", "1e-10", "--atol", "1e-10", "--points", "20", "--out", "out.csv", *arguments)
        return self.columns("out.csv")

    def columns(self, name):
        lines = [line.split(",") for line in self.read(name).splitlines()]
        return {key: [float(row[i]) for row in lines[1:]] for i, key in enumerate(lines[0])}

    def same(self, urdf, yaml, columns, *arguments):
        """The robot moves as the mechanism written by hand."""
        self.write(urdf, "a.urdf")
        self.write("crank: mechanism\ngravity: [0, 0, -9.81]\nsimulate: {coordinates: joint}\n" + yaml, "b.yaml")
        one, other = self.rows("a.urdf", *arguments), self.rows("b.yaml", *arguments)
        for column in columns:
            for x, y in zip(one[column], other[column]):
                self.assertAlmostEqual(x, y, delta=NEAR * (1 + abs(y)), msg=column)
        return one

    def refused(self, text, *words, code=MODEL):
        self.write(text, "a.urdf")
        done = self.expect(code, "run", "a.urdf", "--quiet")
        for word in words:
            self.assertIn(word, done.err)

    # ---- elements ----

    def test_origins_and_inertials_are_turned(self):
        inertial = '<inertial><origin xyz="0.1 0 -0.2" rpy="0 0 1.5707963267948966"/><mass value="2"/>' \
                   '<inertia ixx="0.03" iyy="0.02" izz="0.015" ixy="0.001" ixz="0" iyz="0"/></inertial>'
        self.same(robot(link("base", ""), link("a", inertial), link("b"),
                        joint("one", "revolute", "base", "a", '<origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/>'),
                        joint("two", "continuous", "a", "b", '<origin xyz="0.3 0 0" rpy="0 1 0"/><axis xyz="0 1 0"/>')),
                  # at zero angles a is turned by 90 deg about x: its z is -y of the world; b by 1 rad about a's y, the world's z.
                  # the tensor of a, turned by 90 deg about its z, has xx and yy exchanged and xy with the other sign
                  "bodies:\n"
                  "  a: {mass: 2, inertia: [[0.02, -0.001, 0], [-0.001, 0.03, 0], [0, 0, 0.015]], center: [0.1, 0, -0.2], position: [0, 0, 1],\n"
                  "      orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
                  "  b: {mass: 2, inertia: [0.03, 0.02, 0.01], center: [0, 0, -0.2], position: [0.3, 0, 1],\n"
                  "      orientation: [cos(45 deg)*cos(1/2), sin(45 deg)*cos(1/2), cos(45 deg)*sin(1/2), sin(45 deg)*sin(1/2)]}\n"
                  "joints:\n"
                  "  one: {type: revolute, between: [ground, a], at: [0, 0, 1], axis: [0, -1, 0]}\n"
                  "  two: {type: revolute, between: [a, b], at: [0.3, 0, 1], axis: [0, 0, 1]}\n",
                  ["joint.one.angle", "joint.two.angle", "joint.two.angle_rate", "body.b.x", "body.b.z", "joint.one.fz", "joint.two.ty"])

    def test_prismatic_damping_friction_and_rotor(self):
        transmission = '<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="slide"/><actuator name="m">' \
                       "<mechanicalReduction>20</mechanicalReduction><rotorInertia>0.001</rotorInertia></actuator></transmission>"
        self.write(robot(link("base", ""), link("a"), transmission,
                         joint("slide", "prismatic", "base", "a", '<axis xyz="0 0 1"/><dynamics damping="3" friction="2"/>'
                               '<limit lower="-10" upper="10" effort="5" velocity="1"/>')), "a.urdf")
        rows = self.rows("a.urdf", "--set", "m_command=4")
        # 2.4 v' = -2*9.81 + 4 + 2 - 3 v, once friction slips
        self.write("crank: equations\npositions: {z: 0}\nvelocities: {v: {of: z}}\nmass: [[2.4]]\n"
                   "forces: [-2*9.81 + 4 - 2*tanh(v/1e-3) - 3*v]\n", "b.yaml")
        other = self.rows("b.yaml")
        for x, y in zip(rows["joint.slide.length"], other["z"]):
            self.assertAlmostEqual(x, y, delta=NEAR)
        # the motor's torque is limited by the joint's effort
        limited = self.rows("a.urdf", "--set", "m_command=40")
        self.assertAlmostEqual(limited["force.m.force"][-1], 5.0, delta=NEAR)

    def test_ends_of_a_range_push_back(self):
        self.write(robot(link("base", ""), link("a"), joint("slide", "prismatic", "base", "a",
                   '<axis xyz="0 0 1"/><limit lower="-0.1" upper="0.3" effort="50" velocity="2"/>')), "a.urdf")
        rows = self.rows("a.urdf", "--t-end", "20")
        # at rest the weight presses it into the stop: 50 N at a hundredth of the range
        self.assertAlmostEqual(rows["joint.slide.length"][-1], -0.1 - 2 * 9.81 * 0.004 / 50, delta=1e-6)
        self.assertAlmostEqual(rows["force.slide_stop.force"][-1], 2 * 9.81, delta=1e-3)

    def test_mimic_is_a_coupling_with_offset(self):
        rows = self.rows(self.write(robot(link("base", ""), link("a"), link("b"),
                         joint("one", "continuous", "base", "a", '<axis xyz="0 1 0"/>'),
                         joint("two", "continuous", "a", "b", '<origin xyz="0 0 -0.5"/><axis xyz="0 1 0"/>'
                               '<mimic joint="one" multiplier="-2" offset="0.3"/>')), "a.urdf"))
        self.assertGreater(max(abs(x) for x in rows["joint.one.angle"]), 0.01)
        for one, two in zip(rows["joint.one.angle"], rows["joint.two.angle"]):
            self.assertAlmostEqual(two, 0.3 - 2 * one, delta=1e-12)

    # ---- URDF+ and files that close loops, as other programs write them ----

    def test_coupling_ties_what_turns_both_links_against_the_one_that_carries_them(self):
        chain = [link("base", ""), link("a"), link("b"), link("c"),
                 joint("one", "continuous", "base", "a", '<origin rpy="0 0.4 0"/><axis xyz="0 1 0"/>').replace(">", ' independent="true">', 1),
                 joint("two", "continuous", "a", "b", '<origin xyz="0 0 -0.5"/><axis xyz="0 1 0"/>'),
                 joint("three", "continuous", "base", "c", '<origin xyz="0 1 0"/><axis xyz="0 1 0"/>').replace(">", ' independent="false">', 1)]
        tie = '<coupling name="gear"><predecessor link="c"/><{0} link="b"/><ratio value="-3"/></coupling>'
        for word in ("successor", "sucessor"):
            rows = self.rows(self.write(robot(*chain, tie.format(word)), "a.urdf"))
            self.assertGreater(max(abs(x) for x in rows["joint.three.angle"]), 0.01)
            for one, two, three in zip(*(rows[f"joint.{name}.angle"] for name in ("one", "two", "three"))):
                self.assertAlmostEqual(one + two, -3 * three, delta=1e-12)
        self.assertEqual(self.expect(DONE, "import", "a.urdf", "-o", "a.yaml").err, "")
        self.refused(robot(*chain, '<coupling><predecessor link="c"/><successor link="c"/></coupling>'), "a.urdf:10:", "do not move against each other")
        self.refused(robot(*chain, '<coupling><predecessor link="c"/></coupling>'), "<coupling> has no <successor>")

    def test_a_file_that_closes_loops_gives_joints_their_types(self):
        chain = [link("base", ""), link("a"), link("b"), link("end", ""), link("pole", ""),
                 joint("one", "continuous", "base", "a", '<axis xyz="0 1 0"/>'),
                 joint("two", "revolute", "a", "b", '<origin xyz="0 0 -0.4"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'),
                 joint("to_end", "fixed", "b", "end", '<origin xyz="0.3 0.1 0"/>'),
                 joint("to_pole", "fixed", "base", "pole", '<origin xyz="0.3 0.1 -0.4"/>')]
        self.write(robot(*chain), "a.urdf")
        # frames are links, or joints for the link behind them
        self.write("closed_loop: [[end, to_pole]]\ntype: [3d]\nname_mot: [one]\njoint_name: [two]\njoint_type: [UJOINT_ZY]\nodd: 1\n", "side.yaml")
        done = self.expect(DONE, "import", "a.urdf", "--loops", "side.yaml", "-o", "a.yaml")
        self.assertIn('joint "two": limits, damping and friction are left out', done.err)
        self.assertIn('side.yaml:6: "odd" is not used', done.err)
        text = self.read("a.yaml")
        self.assertIn("two: {type: universal, between: [a, b], at: {first: [0, 0, -0.4], second: [0, 0, 0]}, axes: {first: [0, 0, 1], second: [0, 1, 0]}}", text)
        self.assertIn("between: [end, pole]", text)
        rows = self.rows("a.yaml")
        self.assertLess(max(rows["residual.position"]), 1e-12)
        for kind, word in (("SPHERICAL", "two: {type: spherical"), ("FIXED", "two: {type: fixed"), ("CARDAN", "axes: {first: [1, 0, 0], second: [0, 1, 0]}")):
            self.write(f"closed_loop: []\njoint_name: [two]\njoint_type: [{kind}]\n", "side.yaml")
            self.assertIn(word, self.expect(DONE, "import", "a.urdf", "--loops", "side.yaml", "--quiet").out)
        for side, word in (("closed_loop: []\njoint_name: [two]\njoint_type: [ODD]\n", "side.yaml:3:14: joint_type"),
                           ("closed_loop: []\njoint_name: [two]\n", 'joint_type: there is none for "two"'),
                           ("closed_loop: [[end, none]]\n", 'there is no link or joint "none"'),
                           ("closed_loop: []\nname_mot: [to_end]\n", 'joint "to_end" has not one coordinate')):
            self.write(side, "side.yaml")
            self.assertIn(word, self.expect(MODEL, "import", "a.urdf", "--loops", "side.yaml").err)

    def test_floating_planar_and_world(self):
        rows = self.rows(self.write(robot(link("world", ""), link("a"), joint("free", "floating", "world", "a",
                                          '<origin xyz="1 2 3" rpy="0.2 0 0"/>')), "a.urdf"))
        self.assertAlmostEqual(rows["body.a.x"][-1], 1.0, delta=NEAR)
        self.assertAlmostEqual(rows["body.a.z"][-1], 3 - 9.81 / 2, delta=NEAR)
        rows = self.rows(self.write(robot(link("base", ""), link("a"), joint("glide", "planar", "base", "a",
                                          '<origin rpy="0 0.5 0"/><axis xyz="0 0 1"/>')), "a.urdf"))
        way = (rows["joint.glide.length1"][-1] ** 2 + rows["joint.glide.length2"][-1] ** 2) ** 0.5
        self.assertAlmostEqual(way, 9.81 / 2 * math.sin(0.5), delta=NEAR)

    # ---- what is not used ----

    def test_worlds_and_transmissions_that_only_other_programs_know_stop_nothing(self):
        """Gazebo declares no link world; a transmission may name a joint that is not there: other programs do not read them."""
        carried = joint("j", "continuous", "world", "a", '<axis xyz="0 1 0"/>')
        stray = '<transmission name="t"><type>SimpleTransmission</type><joint name="k"/><actuator name="m"/></transmission>'
        self.write(robot(link("world", ""), link("a"), carried), "plain.urdf")
        self.write(robot(link("a"), carried, stray), "a.urdf")
        told = self.expect(DONE, "import", "a.urdf").err
        self.assertIn('there is no link "world": the ground is meant', told)
        self.assertIn('a transmission is left out: there is no joint "k"', told)
        self.assertEqual(self.rows("a.urdf"), self.rows("plain.urdf"))

    def test_what_is_not_used_is_listed_with_its_line(self):
        self.write(robot(link("base", ""), link("a"),
                         joint("j-1", "continuous", "base", "a", '<axis xyz="0 3 0"/>\n<safety_controller k_velocity="1"/>'),
                         "<gazebo/>", "<surprise/>"), "a.urdf")
        done = self.expect(DONE, "import", "a.urdf", "-o", "a.yaml")
        for line in ('a.urdf:5: "j-1" is called j_1 here', "a.urdf:5: <axis>: the axis has length 3", "a.urdf:6: <safety_controller> in <joint>",
                     "a.urdf:7: <gazebo> in <robot> is not used", "a.urdf:8: <surprise> in <robot> is not used: not known"):
            self.assertIn(line, done.err)
        done = self.expect(MODEL, "import", "a.urdf", "--strict", "-o", "b.yaml")
        self.assertIn("a.urdf:6: <safety_controller>", done.err)  # what is called otherwise is not lost
        self.assertFalse(os.path.exists(self.path("b.yaml")))
        self.expect(DONE, "run", "a.yaml", "--quiet")

    def test_missing_and_foreign_meshes_are_named(self):
        visual = '<visual><geometry><mesh filename="package://p/m/a.dae"/></geometry></visual>' \
                 '<visual><geometry><mesh filename="package://p/m/b.stl"/></geometry></visual>'
        self.write(robot(link("base", ""), link("a", BODY + visual), joint("j", "continuous", "base", "a")), "a.urdf")
        done = self.expect(DONE, "run", "a.urdf")
        self.assertIn('a.urdf:4: a mesh ".dae" is not drawn: STL and OBJ are', done.err)
        self.assertIn('a.urdf:4: mesh "package://p/m/b.stl" is not drawn: there is no such file', done.err)

    def test_meshes_are_found_beside_the_file(self):
        os.makedirs(self.path("m"))
        self.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "m/b.obj")
        visual = '<visual><geometry><mesh filename="package://p/m/b.obj" scale="2 2 2"/></geometry></visual>'
        self.write(robot(link("base", ""), link("a", BODY + visual), joint("j", "continuous", "base", "a")), "a.urdf")
        done = self.expect(DONE, "import", "a.urdf")
        self.assertIn('{mesh: m/b.obj, scale: 2}', done.out)
        self.expect(DONE, "run", "a.urdf", "--quiet")

    def test_what_is_imported_runs_as_the_robot_does(self):
        self.write(robot(link("base", ""), link("a"), link("b"),
                         joint("one", "revolute", "base", "a", '<origin rpy="0.3 0.2 0.1"/><axis xyz="0 1 0"/>'
                               '<limit lower="-0.5" upper="0.5" effort="9" velocity="1"/><dynamics damping="0.1"/>'),
                         joint("two", "prismatic", "a", "b", '<axis xyz="1 0 0"/><dynamics friction="1"/>')), "a.urdf")
        self.expect(DONE, "import", "a.urdf", "-o", "a.yaml")
        self.assertEqual(self.rows("a.urdf"), self.rows("a.yaml"))
        self.expect(DONE, "import", "a.yaml", "-o", "b.yaml")
        self.assertEqual(self.read("a.yaml"), self.read("b.yaml"))

    def test_a_mechanism_includes_a_robot_and_closes_it(self):
        self.write(robot(link("base", ""), link("a"), joint("j", "continuous", "base", "a", '<axis xyz="0 1 0"/>')), "a.urdf")
        rows = self.rows(self.write("crank: mechanism\ninclude: [a.urdf]\nforces: {k: {type: torsion, joint: j, stiffness: 40, angle: 0.1}}\n"
                                    "initial: {joints: {j: {angle: 0.2}}}\n", "b.yaml"))
        self.assertAlmostEqual(rows["joint.j.angle"][0], 0.2, delta=1e-14)
        done = self.expect(MODEL, "run", self.write("crank: mechanism\ninclude: [c.urdf]\n", "b.yaml"), "--quiet")
        self.assertIn("c.urdf", done.err)
        self.write(robot(link("a", "<inertial/>")), "c.urdf")
        done = self.expect(MODEL, "run", "b.yaml", "--quiet")
        self.assertIn("c.urdf:3: link \"a\": <inertial> has no <mass>", done.err)

    # ---- files that are wrong ----

    def test_entity_bombs_are_refused(self):
        bomb = '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n<robot name="r">&b;</robot>\n'
        self.refused(bomb, "a.urdf:2:", "the file defines entities")

    def test_not_well_formed(self):
        self.refused("<robot><link></robot>", "a.urdf:1:", "XML: mismatched tag")
        self.refused("<robot>" * 300, "nested more than 256 levels deep")
        self.refused("<sdf/>", "a.urdf:1:", "<sdf>")
        self.refused("<robot/>", "<robot> has no <link>")

    def test_links_and_joints_that_do_not_fit(self):
        hinge = joint("j", "continuous", "base", "a")
        self.refused(robot(link("base"), link("a"), joint("j", "continuous", "base", "c")), "a.urdf:5:", 'there is no link "c"')
        self.refused(robot(link("base"), link("a"), joint("j", "continuous", "base", "a"), joint("k", "continuous", "a", "base")),
                     "go round in a circle")
        self.refused(robot(link("base"), link("a"), link("b"), hinge, joint("k", "fixed", "b", "b")), "connects a link with itself")
        self.refused(robot(link("base"), link("a"), link("b"), link("c"), hinge, joint("k", "fixed", "b", "c"), joint("l", "fixed", "c", "b")),
                     'link "b" is carried by itself')
        self.refused(robot(link("base"), link("a"), link("b"), hinge), "both hang on nothing")
        self.refused(robot(link("base"), link("a"), hinge, joint("k", "fixed", "base", "a")), 'link "a" hangs on two joints, "j" (line 5)')
        self.refused(robot(link("base"), link("a"), link("a"), hinge), "a.urdf:5:", "the name is there already")
        self.refused(robot(link("base"), link("a"), joint("j", "hinge", "base", "a")), 'has the type "hinge"')

    def test_numbers_that_do_not_fit(self):
        def hinge(inside, kind="revolute"):
            return robot(link("base"), link("a"), joint("j", kind, "base", "a", inside))
        self.refused(hinge('<axis xyz="0 0 0"/>'), "a.urdf:5:", "the axis is zero")
        self.refused(hinge('<axis xyz="0 1"/>'), "2 numbers where 3 are expected")
        self.refused(hinge('<axis xyz="0 1 x"/>'), '"x" is not a finite number')
        self.refused(hinge('<origin xyz="0 1 nan"/>'), '"nan" is not a finite number')
        self.refused(hinge('<limit lower="1" upper="0" effort="1" velocity="1"/>'), "lower, 1, is above upper, 0")
        self.refused(hinge('<mimic joint="none"/>'), 'there is no joint "none"')
        self.refused(hinge('<dynamics damping="-1"/>'), "below zero")

    def test_links_without_mass_are_told(self):
        self.refused(robot(link("base"), link("a", ""), joint("j", "continuous", "base", "a")), "a.urdf:5:",
                     'joint "j": nothing that it carries has mass')
        heavy = BODY.replace('ixx="0.03"', 'ixx="1"')
        self.refused(robot(link("base"), link("a", heavy), joint("j", "continuous", "base", "a")), "a.urdf:4:", "a: ")

    def test_huge_meshes_are_refused(self):
        with open(self.path("b.stl"), "wb") as file:
            file.truncate((64 << 20) + 1)
        visual = '<visual><geometry><mesh filename="b.stl"/></geometry></visual>'
        self.refused(robot(link("base", ""), link("a", BODY + visual), joint("j", "continuous", "base", "a")), "a.urdf:4:", "b.stl", "64 MiB")


if __name__ == "__main__":
    main()
