"""Robots from MJCF files: compiler settings, defaults, joints, geoms, equalities, actuators, includes, and files that are wrong."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import DONE, MODEL, CommandTest, main

INERTIAL = '<inertial pos="0 0 -0.2" mass="2" diaginertia="0.03 0.02 0.01"/>'
NEAR = 1e-9


def mjcf(world, more="", compiler='angle="radian"'):
    return f'<mujoco model="m">\n<compiler {compiler}/>\n<worldbody>{world}</worldbody>\n{more}\n</mujoco>\n'


class Mjcf(CommandTest):
    def rows(self, name, *arguments):
        self.expect(DONE, "run", name, "--quiet", "--rtol", "1e-10", "--atol", "1e-10", "--points", "20", "--out", "out.csv", *arguments)
        lines = [line.split(",") for line in self.read("out.csv").splitlines()]
        return {key: [float(row[i]) for row in lines[1:]] for i, key in enumerate(lines[0])}

    def same(self, one, other, columns):
        """Two files move alike."""
        a, b = self.rows(self.write(one, "a.xml")), self.rows(self.write(other, "b.xml" if other.startswith("<") else "b.yaml"))
        for column in columns:
            for x, y in zip(a[column], b[column]):
                self.assertAlmostEqual(x, y, delta=NEAR * (1 + abs(y)), msg=column)
        return a

    def near(self, one, other):
        for x, y in zip(one, other):
            self.assertAlmostEqual(x, y, delta=NEAR * (1 + abs(y)))

    def tree(self, text):
        return self.expect(DONE, "import", self.write(text, "a.xml")).out

    def refused(self, text, *words):
        done = self.expect(MODEL, "run", self.write(text, "a.xml"), "--quiet")
        for word in words:
            self.assertIn(word, done.err)

    # ---- values ----

    def test_angles_orientations_and_coordinates_say_the_same(self):
        def body(where, joint='<joint name="j" axis="0 1 0" pos="0 0 0.1"/>', inertial=INERTIAL):
            return f'<body name="b" pos="1 0 2" {where}>{joint}{inertial}</body>'
        radian = mjcf(body('euler="0.3 0 0"'))
        columns = ["joint.j.angle", "body.b.x", "body.b.y", "body.b.z"]
        degrees = 0.3 * 180 / math.pi
        self.same(radian, mjcf(body(f'euler="{degrees!r} 0 0"'), compiler='angle="degree"'), columns)
        self.same(radian, mjcf(body(f'quat="{math.cos(0.15)!r} {math.sin(0.15)!r} 0 0"')), columns)
        self.same(radian, mjcf(body('axisangle="2 0 0 0.3"')), columns)
        self.same(radian, mjcf(body(f'xyaxes="1 0 0 0 {math.cos(0.3)!r} {math.sin(0.3)!r}"')), columns)
        self.same(radian, mjcf(body(f'zaxis="0 {-math.sin(0.3)!r} {math.cos(0.3)!r}"')), columns)
        # in the world: axis and points turned by 0.3 about x and moved to (1, 0, 2)
        c, s = math.cos(0.3), math.sin(0.3)
        world = mjcf(body('euler="0.3 0 0"', f'<joint name="j" axis="0 {c!r} {s!r}" pos="1 {-0.1 * s!r} {2 + 0.1 * c!r}"/>',
                          f'<inertial pos="1 {0.2 * s!r} {2 - 0.2 * c!r}" euler="0.3 0 0" mass="2" diaginertia="0.03 0.02 0.01"/>'),
                     compiler='angle="radian" coordinate="global"')
        self.same(radian, world, columns)

    def test_euler_sequences(self):
        one = mjcf(f'<body name="b" euler="0.1 0.2 0.3"><joint name="j" axis="1 0 0"/>{INERTIAL}</body>')
        other = mjcf(f'<body name="b" euler="0.3 0.2 0.1"><joint name="j" axis="1 0 0"/>{INERTIAL}</body>', compiler='angle="radian" eulerseq="ZYX"')
        self.same(one, other, ["joint.j.angle", "body.b.q1", "body.b.q2", "body.b.q3"])  # x, y', z'' is Z, Y, X about fixed axes

    def test_defaults_and_classes(self):
        defaults = '<default><joint damping="1" axis="0 1 0"/><default class="soft"><joint damping="2"/><default class="softer"><joint stiffness="3"/>' \
                   "</default></default></default>"
        text = mjcf(f'<body name="a"><joint name="p"/>{INERTIAL}<body name="b" childclass="soft"><joint name="q"/>{INERTIAL}'
                    f'<body name="c"><joint name="r" class="softer" damping="4"/>{INERTIAL}</body></body></body>', defaults)
        out = self.tree(text)
        self.assertIn("p_damper: {type: torsion, joint: p, damping: 1}", out)
        self.assertIn("q_damper: {type: torsion, joint: q, damping: 2}", out)
        self.assertIn("r_spring: {type: torsion, joint: r, stiffness: 3, angle: 0, damping: 4}", out)
        self.assertEqual(out.count("second: [0, 1, 0]"), 3)

    # ---- bodies ----

    def test_meshes_weigh_what_they_enclose(self):
        """A brick of 2 by 4 by 6, its middle at (1, 0, 0), in all the ways a mesh can say so."""
        corners = [[x, y, z] for x in (0, 2) for y in (-2, 2) for z in (-3, 3)]
        faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
        vertex = " ".join(f"{x} {y} {z}" for x, y, z in corners)
        face = " ".join(f"{a} {b} {c}" for a, b, c in faces)
        self.write("".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces), "brick.obj")
        self.write("".join(f"v {x} {y} {z}\n" for x, y, z in corners), "points.obj")
        joint = '<joint name="j" axis="0 1 0"/>'

        def robot(mesh, geom='density="3"', where=""):
            return mjcf(f'<body name="b">{joint}<geom type="mesh" mesh="m" {geom} {where}/></body>', f'<asset><mesh name="m" {mesh}/></asset>')
        columns = ["joint.j.angle", "joint.j.fx", "joint.j.fz"]
        brick = mjcf(f'<body name="b">{joint}<geom type="box" size="1 2 3" pos="1 0 0" density="3"/></body>')
        self.same(brick, robot('file="brick.obj"'), columns)
        self.same(brick, robot('file="points.obj"'), columns)  # their hull
        self.same(brick, robot(f'vertex="{vertex}" face="{face}"'), columns)
        self.same(brick, robot(f'vertex="{vertex} 1 0.5 0.5 0 1 0"'), columns)  # one within, one on a face
        self.same(brick, robot('file="brick.obj"', 'mass="144"'), columns)
        self.same(brick, robot('file="brick.obj"', where=f'pos="2 0 0" euler="0 0 {math.pi!r}"'), columns)
        self.same(brick, robot('file="brick.obj" refpos="1 0 0" refquat="0.5 0.5 0.5 0.5"', where='pos="1 0 0" quat="0.5 0.5 0.5 0.5"'), columns)
        half = mjcf(f'<body name="b">{joint}<geom type="box" size="0.5 2 3" pos="-0.5 0 0" density="3"/></body>')
        self.same(half, robot('file="brick.obj" scale="-0.5 1 1"'), columns)  # turned inside out by its scale
        # a shell: six sides of 2 by 4, 4 by 6 and 2 by 6, of 3 for each unit of area
        for text in robot('file="brick.obj" inertia="shell"'), robot('file="brick.obj"', 'density="3" shellinertia="true"'):
            self.assertAlmostEqual(float(self.tree(text).split("mass: ")[1].split()[0].rstrip(",")), 3 * 88, delta=1e-9)

    def test_what_a_mesh_weighs_is_not_guessed(self):
        def robot(mesh, geom="", more=""):
            return mjcf(f'<body name="b"><joint name="j"/>{more}<geom type="sphere" size="0.1"/><geom type="mesh" mesh="m" {geom}/></body>', f'<asset><mesh name="m" {mesh}/></asset>')
        self.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n", "sheet.obj")
        self.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", "open.obj")
        self.refused(robot('file="none.stl"'), "none.stl", "what the body weighs is not known", "<inertial>")
        self.refused(robot('file="sheet.obj"'), "its mesh has no volume")
        self.refused(robot('vertex="0 0 0 1 0 0 0 1 0 1 1 0"'), "its mesh has no volume")
        self.refused(robot('vertex="0 0 0 1 0"'), "no triples")
        self.refused(robot('vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 4"'), "4 is no number of a vertex")
        self.refused(robot(""), "neither a file nor vertices")
        for text in robot('file="none.stl"', 'mass="0"'), robot('file="none.stl"', more=INERTIAL):
            self.expect(DONE, "run", self.write(text, "a.xml"), "--quiet", "--out", "out.csv")
        grouped = robot('file="none.stl"', 'group="2"').replace("<compiler ", '<compiler inertiagrouprange="0 1" ')
        self.expect(DONE, "run", self.write(grouped, "a.xml"), "--quiet", "--out", "out.csv")
        self.assertIn("the mesh is not closed", self.expect(DONE, "import", self.write(robot('file="open.obj"'), "a.xml")).err)

    def test_geoms_weigh_what_solids_weigh(self):
        solids = {'type="sphere" size="0.1"': ("sphere: 0.1", 4 / 3 * math.pi * 1e-3),
                  'type="box" size="0.1 0.2 0.3"': ("box: [0.2, 0.4, 0.6]", 0.048),
                  'type="cylinder" size="0.1 0.2"': ("cylinder: [0.1, 0.4]", math.pi * 0.01 * 0.4),
                  'type="capsule" size="0.1 0.2"': ("capsule: [0.1, 0.4]", math.pi * 0.01 * 0.4 + 4 / 3 * math.pi * 1e-3)}
        for size, (shape, volume) in solids.items():
            geom = mjcf(f'<body name="b"><joint name="j" axis="1 0 0" pos="0.1 0.3 0.2"/><joint name="k" axis="0 1 0"/><joint name="l" axis="0 0 1"/>'
                        f'<geom {size} density="500" pos="0.2 0 0.1" euler="0.4 0 0"/></body>')
            # the reader's own solids, turned and moved by hand
            yaml = "crank: mechanism\ngravity: [0, 0, -9.81]\nsimulate: {coordinates: joint}\nbodies:\n  p: {mass: 0}\n  q: {mass: 0}\n" \
                   f"  b: {{density: 500, shape: {{{shape}}}, position: [0.2, 0, 0.1], orientation: {{axis: [1, 0, 0], angle: 0.4}}}}\n" \
                   "joints:\n  j: {type: revolute, between: [ground, p], at: [0.1, 0.3, 0.2], axis: [1, 0, 0]}\n" \
                   "  k: {type: revolute, between: [p, q], at: [0, 0, 0], axis: [0, 1, 0]}\n  l: {type: revolute, between: [q, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
            self.same(geom, yaml, ["joint.j.angle", "joint.k.angle", "joint.l.angle"])
            mass = float(self.tree(geom).split("mass: ")[1].split(",")[0].split("\n")[0])
            self.assertAlmostEqual(mass, 500 * volume, delta=1e-12 * mass)

    def test_fromto_frames_and_several_geoms(self):
        one = mjcf('<body name="b"><joint name="j" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 0.4 0 0"/><geom type="sphere" size="0.1" pos="0.4 0.1 0" mass="3"/></body>')
        other = mjcf('<body name="b"><joint name="j" axis="0 1 0"/><frame pos="0.2 0 0" euler="0 1.5707963267948966 0"><geom type="capsule" size="0.05 0.2"/></frame>'
                     '<frame pos="0.4 0 0"><frame pos="0 0.1 0"><geom type="sphere" size="0.1" mass="3"/></frame></frame></body>')
        self.same(one, other, ["joint.j.angle", "joint.j.ty", "joint.j.tx", "joint.j.fz"])

    def test_slide_ball_and_free(self):
        rows = self.rows(self.write(mjcf(f'<body name="a"><freejoint/>{INERTIAL}</body><body name="b"><joint name="s" type="slide" axis="0 0 2"/>{INERTIAL}</body>'
                                         f'<body name="c" pos="3 0 0" euler="0.5 0 0"><joint name="ball" type="ball"/>{INERTIAL}</body>'), "a.xml"))
        self.assertAlmostEqual(rows["body.a.z"][-1], -9.81 / 2, delta=NEAR)
        self.assertAlmostEqual(rows["joint.s.length"][-1], -9.81 / 2, delta=NEAR)
        self.assertAlmostEqual(rows["energy.kinetic"][-1] + rows["energy.potential"][-1], rows["energy.potential"][0], delta=1e-8)
        self.assertGreater(abs(rows["body.c.wx"][-1]), 0.1)

    def test_reference_range_and_spring(self):
        done = self.expect(DONE, "import", self.write(mjcf(f'<body name="b"><joint name="j" axis="0 1 0" ref="30" range="0 90" stiffness="5" springref="60"/>{INERTIAL}</body>',
                                                           compiler='angle="degree"'), "a.xml"))
        self.assertIn("a.xml:3: joint \"j\": its coordinate is zero where the file places bodies, not 30", done.err)
        self.assertIn(f"angle: {math.pi / 6:.12f}"[:18], done.out)
        self.assertIn(f"lower: {-math.pi / 6:.12f}"[:18], done.out)
        out = self.tree(mjcf(f'<body name="b"><joint name="j" range="0 1"/>{INERTIAL}</body>', compiler='angle="radian" autolimits="false"'))
        self.assertNotIn("stop", out)

    def test_no_defaults_apply_to_freejoint(self):
        defaults = '<default><joint damping="1" type="slide" pos="0 0 1" range="0 1"/></default>'
        body = f'<body name="a"><freejoint/>{INERTIAL}</body><body name="b"><joint name="s"/>{INERTIAL}</body>'
        done = self.expect(DONE, "import", self.write(mjcf(body, defaults), "a.xml"))
        self.assertNotIn("damping", done.err)
        self.assertIn("damping, stiffness, frictionloss and armature of ball and free joints are not used",
                      self.expect(DONE, "import", self.write(mjcf(body.replace("<freejoint/>", '<joint type="free"/>'), defaults), "a.xml")).err)

    # ---- ties ----

    CHAIN = f'<body name="a"><joint name="p" axis="0 1 0"/>{INERTIAL}<body name="b" pos="0 0 -0.4"><joint name="q" axis="0 1 0"/>{INERTIAL}</body></body>'

    def test_weld_and_joint_equality_are_hard(self):
        rows = self.rows(self.write(mjcf(self.CHAIN.replace('<body name="a">', '<body name="a" euler="0 1 0">'),
                                         '<equality><weld body1="a" body2="b"/></equality>'), "a.xml"))
        self.assertLess(max(map(abs, rows["joint.q.angle"])), 1e-12)
        rows = self.rows(self.write(mjcf(self.CHAIN.replace('<body name="a">', '<body name="a" euler="0 1 0">'),
                                         '<equality><joint joint1="q" joint2="p" polycoef="0.2 -0.5"/></equality>'), "a.xml"))
        self.assertGreater(max(map(abs, rows["joint.p.angle_rate"])), 0.1)
        for p, q in zip(rows["joint.p.angle"], rows["joint.q.angle"]):
            self.assertAlmostEqual(q, 0.2 - 0.5 * p, delta=1e-12)
        rows = self.rows(self.write(mjcf(self.CHAIN.replace('<body name="a">', '<body name="a" euler="0 1 0">'),
                                         '<equality><joint joint1="q" joint2="p" polycoef="0.2 -0.5 0.3 -2e-1 0.1"/></equality>'), "a.xml"))
        self.assertGreater(max(map(abs, rows["joint.p.angle_rate"])), 0.1)
        for p, q in zip(rows["joint.p.angle"], rows["joint.q.angle"]):
            self.assertAlmostEqual(q, 0.2 - 0.5*p + 0.3*p**2 - 0.2*p**3 + 0.1*p**4, delta=1e-12)

    def test_two_connects_are_a_hinge(self):
        text = mjcf(self.CHAIN, '<equality>\n<connect body1="b" anchor="0 0 -0.3"/>\n<connect body1="b" anchor="0 0.2 -0.3"/></equality>')
        done = self.expect(DONE, "import", self.write(text, "a.xml"))
        self.assertIn("a.xml:6: \"connect_1\" and \"connect_2\" connect the same bodies, six rows of rank five: they are one hinge", done.err)
        self.assertEqual(done.out.count("type: revolute"), 3)
        single = self.tree(mjcf(self.CHAIN, '<equality><connect body1="b" anchor="0 0 -0.3"/></equality>'))
        self.assertIn("type: spherical", single)

    def test_sites_are_connected_wherever_they_start(self):
        # the same four-bar linkage by anchors where it is closed, and by sites from a pose where it is open
        bar = '<body name="a"><joint name="p" axis="0 1 0"/>{0}<body name="b" pos="0 0 -0.5"><joint name="q" axis="0 1 0"/>{0}{1}</body></body>'
        world = '<site name="far" pos="0.4 0 -0.6"/><site name="far2" pos="0.4 0.1 -0.6"/>' + bar.format(
            INERTIAL, '<frame pos="0.1 0 0"><site name="end" pos="0.3 0 -0.1"/></frame><site name="end2" pos="0.4 0.1 -0.1" rgba="1 0 0 1"/>')
        anchored = mjcf(world, '<equality><connect name="pin" body1="b" anchor="0.4 0 -0.1"/></equality>')
        self.same(anchored, mjcf(world, '<equality><connect name="pin" site1="end" site2="far"/></equality>'),
                  ["joint.p.angle", "joint.q.angle", "joint.p.angle_rate"])
        open_pose = world.replace('pos="0.4 0 -0.6"', 'pos="0.5 0 -0.5"').replace('pos="0.4 0.1 -0.6"', 'pos="0.5 0.1 -0.5"')
        rows = self.rows(self.write(mjcf(open_pose, '<equality><connect site1="end" site2="far"/></equality>'), "a.xml"))
        self.assertLess(max(rows["residual.position"]), 1e-12)
        self.assertGreater(max(map(abs, rows["joint.p.angle"])), 0.01)
        # two of them are a hinge where points are as far apart in both bodies, a weld keeps axes
        done = self.expect(DONE, "import", self.write(mjcf(open_pose, '<equality><connect name="one" site1="end" site2="far"/>'
                                                           '<connect site1="end2" site2="far2"/></equality>'), "a.xml"))
        self.assertIn("they are one hinge here", done.err)
        self.assertLess(max(self.rows("a.xml")["residual.position"]), 1e-12)
        self.assertNotIn("<site>", done.err)
        weld = self.tree(mjcf(open_pose, '<equality><weld name="w" site1="end" site2="far"/></equality>'))
        self.assertIn("w: {type: fixed, between: [b, ground], at: {first: [0.4, 0, -0.1], second: [0.5, 0, -0.5]}", weld)
        self.refused(mjcf(world, '<equality><connect site1="end" site2="none"/></equality>'), "a.xml:4:", 'there is no site "none"')
        self.refused(mjcf(world, "<equality><weld/></equality>"), "it needs body1, or site1 and site2")

    def test_motors_and_servos(self):
        # 0.02 + 2*0.04 about y; gear 3, control 0.5 of at most 1
        body = f'<body name="a"><joint name="p" axis="0 1 0"/>{INERTIAL}</body>'
        flat = mjcf(body, '<option gravity="0 0 0"/><actuator><motor name="m" joint="p" gear="3" ctrlrange="-1 1"/></actuator>')
        rows = self.rows(self.write(flat, "a.xml"), "--set", "m_command=0.5")
        self.assertAlmostEqual(rows["joint.p.angle"][-1], 1.5 / 0.1 / 2, delta=1e-8)
        rows = self.rows(self.write(flat, "a.xml"), "--set", "m_command=5")
        self.assertAlmostEqual(rows["joint.p.angle"][-1], 3 / 0.1 / 2, delta=1e-8)
        servo = mjcf(body, '<option gravity="0 0 0"/><actuator><position name="m" joint="p" kp="10"/></actuator>')
        rows = self.rows(self.write(servo, "a.xml"), "--set", "m_command=0.3")
        self.assertAlmostEqual(rows["joint.p.angle"][-1], 0.3 * (1 - math.cos(10)), delta=1e-7)
        # the same as <general>, damped: MuJoCo before 3.0 has no other way
        damped = servo.replace('kp="10"', 'kp="10" kv="0.5"')
        general = damped.replace("<position", '<general biastype="affine"').replace('kp="10" kv="0.5"', 'gainprm="10" biasprm="0 -10 -0.5"')
        one, other = (self.rows(self.write(text, "a.xml"), "--set", "m_command=0.3") for text in (damped, general))
        self.assertEqual(one["joint.p.angle"], other["joint.p.angle"])
        self.assertGreater(abs(one["joint.p.angle"][-1] - rows["joint.p.angle"][-1]), 0.01)
        self.assertEqual(self.rows(self.write(flat.replace("<motor", '<general gainprm="2"').replace('gear="3"', 'gear="1.5"'), "a.xml"),
                                   "--set", "m_command=0.5"), self.rows(self.write(flat, "a.xml"), "--set", "m_command=0.5"))
        # a servo by velocities; the same as <general>, as mechanism, and written again: 0.1 w' = 2 (u - w)
        speed = servo.replace("<position", "<velocity").replace('kp="10"', 'kv="2"')
        rows = self.rows(self.write(speed, "a.xml"), "--set", "m_command=0.3")
        self.assertAlmostEqual(rows["joint.p.angle_rate"][1], 0.3 * (1 - math.exp(-1)), delta=1e-8)  # at 0.05 s
        general = speed.replace("<velocity", '<general biastype="affine"').replace('kv="2"', 'gainprm="2" biasprm="0 0 -2"')
        self.assertEqual(self.rows(self.write(general, "a.xml"), "--set", "m_command=0.3"), rows)
        self.expect(DONE, "import", self.write(speed, "a.xml"), "-o", "a.yaml")
        self.expect(DONE, "export", "a.yaml", "-o", "b.xml")
        self.assertIn('<velocity name="m" joint="p" kv="2"/>', self.read("b.xml"))
        # through a gear: the servo follows 4 q, and its force is 4 times as large at the joint
        for text, factor in ((servo, 16), (speed, 16)):
            geared = text.replace('joint="p"', 'joint="p" gear="4"')
            plain = text.replace('kp="10"', f'kp="{10 * factor}"').replace('kv="2"', f'kv="{2 * factor}"')
            one = self.rows(self.write(geared, "a.xml"), "--set", "m_command=1.2")["joint.p.angle"]
            other = self.rows(self.write(plain, "a.xml"), "--set", "m_command=0.3")["joint.p.angle"]
            self.assertAlmostEqual(one[-1], other[-1], delta=1e-8)
        bounded = self.rows(self.write(servo.replace("kp=", 'ctrlrange="-1 0.3" kp='), "a.xml"), "--set", "m_command=7")
        self.assertAlmostEqual(bounded["joint.p.angle"][-1], 0.3 * (1 - math.cos(10)), delta=1e-7)
        self.refused(speed.replace('kv="2"', 'kv="-1"'), "a.xml:4:", "its gain must be above zero")
        for odd in ('gaintype="muscle"', 'biastype="muscle"', 'dyntype="integrator"'):
            done = self.expect(DONE, "import", self.write(servo.replace("<position", f"<general {odd}").replace('kp="10"', ""), "a.xml"))
            self.assertIn("a.xml:4: <general> in <actuator> is not used", done.err)

    def test_forces_of_an_actuator_are_bounded_before_its_gear(self):
        body = f'<body name="a"><joint name="p" axis="0 1 0"/>{INERTIAL}</body>'
        flat = mjcf(body, '<option gravity="0 0 0"/><actuator><general name="m" joint="p" gear="3" gainprm="2" forcerange="-1 1"/></actuator>')
        rows = self.rows(self.write(flat, "a.xml"), "--set", "m_command=5")
        self.assertAlmostEqual(rows["joint.p.angle"][-1], 3 / 0.1 / 2, delta=1e-8)

    def test_actuators_with_a_bias_and_ranges_that_are_not_symmetric(self):
        # 0.1 q'' = 3 (2 u + 0.1 - 4 (3 q) - 0.5 (3 q')), within -0.2 and 0.6; ref: the file's q begins at 0.1
        body = f'<body name="a"><joint name="p" axis="0 1 0" ref="0.1"/>{INERTIAL}</body>'
        flat = mjcf(body, '<option gravity="0 0 0"/><actuator><general name="m" joint="p" gear="3" biastype="affine" gainprm="2" biasprm="0.1 -4 -0.5"/></actuator>')
        law = "0.1 + 2*m_command - 12*(joint.p.angle + 0.1) - 1.5*joint.p.angle_rate"

        def rows(text, command):
            return self.rows(self.write(text, "a.xml"), "--set", f"m_command={command}")["joint.p.angle"]

        def ours(command, law):
            tree = self.expect(DONE, "import", self.write(mjcf(body, '<option gravity="0 0 0"/>'), "a.xml")).out
            self.write(tree + f"inputs: {{m_command: {command}}}\nforces: {{m: {{type: actuator, joint: p, command: '3*({law})'}}}}\n", "b.yaml")
            return self.rows("b.yaml")["joint.p.angle"]

        self.near(rows(flat, 0.7), ours(0.7, law))
        ranges = flat.replace('gear="3"', 'gear="3" ctrlrange="-1 0.5" forcerange="-0.2 0.6"')
        self.near(rows(ranges, 0.7), ours(0.5, f"min(max({law}, -0.2), 0.6)"))
        # the control is followed with a time constant
        for filter in ("filter", "filterexact"):
            slow = flat.replace('gear="3"', f'gear="3" dyntype="{filter}" dynprm="0.2"')
            self.near(rows(slow, 0.7), ours(0.7, law.replace("m_command", "m_command*(1 - exp(-t/0.2))")))
        late = mjcf(body, '<option gravity="0 0 0"/><actuator><position name="m" joint="p" kp="10" kv="1" timeconst="0.2"/></actuator>')
        self.near(rows(late, 0.7), ours(0.7, "(10*(m_command*(1 - exp(-t/0.2)) - joint.p.angle - 0.1) - joint.p.angle_rate)/3"))
        # a servo counts as the file does: it holds what the file calls 0.1
        servo = mjcf(body, '<option gravity="0 0 0"/><actuator><position name="m" joint="p" kp="10"/></actuator>')
        self.assertLess(max(map(abs, rows(servo, 0.1))), 1e-12)

    def test_fixed_tendons_sum_up_coordinates(self):
        body = "".join(f'<body name="{b}"><joint name="{j}" axis="0 1 0" {more}/>{INERTIAL}</body>'
                       for b, j, more in (("a", "p", 'ref="0.2"'), ("b", "q", 'springref="0.3"')))
        fixed = '<tendon><fixed name="sum" MORE><joint joint="p" coef="0.5"/><joint joint="q" coef="-2"/></fixed></tendon>'
        flat = '<option gravity="0 0 0"/>'

        def rows(more, *arguments):
            return self.rows(self.write(mjcf(body, flat + more), "a.xml"), *arguments)

        def ours(forces):
            tree = self.expect(DONE, "import", self.write(mjcf(body, flat), "a.xml")).out
            self.write(tree + forces, "b.yaml")
            return self.rows("b.yaml")

        def pulled(force):
            return ours("let: {L: '0.5*joint.p.angle - 2*joint.q.angle', R: '0.5*joint.p.angle_rate - 2*joint.q.angle_rate', "
                        f"F: '{force}'}}\nforces: {{f: {{type: actuator, joint: p, command: '0.5*F'}}, g: {{type: actuator, joint: q, command: '-2*F'}}}}\n")

        columns = ["joint.p.angle", "joint.q.angle"]
        # at rest where the joints' springs are, 0.5*(0 - 0.2) - 2*0.3; at 1 in the file's coordinates, 1 - 0.1 here; with slack
        for more, force in (('stiffness="4"', "-4*(L + 0.7)"), ('stiffness="4" damping="0.3" springlength="1"', "-4*(L - 0.9) - 0.3*R"),
                            ('stiffness="4" springlength="0.15 1"', "-4*(max(L - 0.9, 0) + min(L - 0.05, 0))")):
            one, other = rows(fixed.replace("MORE", more)), pulled(force)
            for column in columns:
                self.assertGreater(max(map(abs, one[column])), 1e-3)
                self.near(one[column], other[column])
        plain = fixed.replace("MORE", "")
        for actuator, force in (('<motor name="m" tendon="sum" gear="3" ctrlrange="-1 0.5"/>', "3*0.5"),
                                ('<position name="m" tendon="sum" gear="3" kp="2" kv="0.1"/>', "3*(2*(0.7 - 3*(L + 0.1)) - 0.1*3*R)")):
            one, other = rows(f"{plain}<actuator>{actuator}</actuator>", "--set", "m_command=0.7"), pulled(force)
            for column in columns:
                self.assertGreater(max(map(abs, one[column])), 1e-3)
                self.near(one[column], other[column])
        push = '<actuator><motor name="m" joint="p"/></actuator>'
        tied = rows(f'{plain}<equality><tendon tendon1="sum" polycoef="0.1 1 0 0 0"/></equality>{push}', "--set", "m_command=0.3")
        self.near([0.5 * p - 2 * q for p, q in zip(*(tied[c] for c in columns))], [0.1] * len(tied["joint.p.angle"]))
        both = plain.replace("</tendon>", '<fixed name="other"><joint joint="q" coef="1"/></fixed></tendon>')
        tied = rows(f'{both}<equality><tendon tendon1="sum" tendon2="other" polycoef="0 1 3 0 0"/></equality>{push}', "--set", "m_command=0.3")
        self.near([0.5 * p - 2 * q for p, q in zip(*(tied[c] for c in columns))], [q + 3 * q * q for q in tied["joint.q.angle"]])
        self.refused(mjcf(body, '<actuator><motor tendon="none"/></actuator>'), "a.xml:4:", 'there is no fixed tendon "none"')
        self.refused(mjcf(body, '<tendon><fixed name="x"/></tendon>'), "a.xml:4:", "it has no joint")
        self.refused(mjcf(body, '<tendon><fixed name="x"><joint joint="r" coef="1"/></fixed></tendon>'), "a.xml:4:", '"r"')

    # ---- settings of the whole file ----

    def test_what_flags_disable_is_as_if_it_were_not_there(self):
        joint = '<joint name="p" axis="0 1 0" damping="0.3" stiffness="2" springref="0.2" frictionloss="0.1" range="-0.1 0.1" limited="true"/>'
        tie, motor = '<joint joint1="q" joint2="p"/>', '<motor name="m" joint="p"/>'
        world = f'<body name="a">{joint}{INERTIAL}</body><body name="b"><joint name="q" axis="0 1 0"/>{INERTIAL}</body>'
        whole = mjcf(world, f'<option gravity="1 0 -9"/><equality>{tie}</equality><actuator>{motor}</actuator>')
        friction, limits = ' frictionloss="0.1"', ' range="-0.1 0.1" limited="true"'
        damping, spring = ' damping="0.3"', ' stiffness="2" springref="0.2"'
        cases = {"gravity": [], "limit": [limits], "frictionloss": [friction], "passive": [damping, spring], "spring": [spring],
                 "damper": [damping], "equality": [tie], "actuation": [motor], "constraint": [limits, friction, tie]}
        for flag, gone in cases.items():
            plain = whole.replace("1 0 -9", "0 0 0") if flag == "gravity" else whole
            for part in gone:
                self.assertIn(part, plain)
                plain = plain.replace(part, "")
            off, on = (whole.replace('-9"/>', f'-9"><flag {flag}="{word}"/></option>') for word in ("disable", "enable"))
            self.assertEqual(self.tree(off), self.tree(plain), flag)
            self.assertEqual(self.tree(on), self.tree(whole), flag)
        limited = mjcf(f'<body name="a"><joint name="p" axis="0 1 0"/>{INERTIAL}</body>', '<option gravity="0 0 0"><flag clampctrl="disable"/></option>'
                       '<actuator><motor name="m" joint="p" ctrlrange="-1 1"/></actuator>')
        self.assertAlmostEqual(self.rows(self.write(limited, "a.xml"), "--set", "m_command=5")["joint.p.angle"][-1], 25, delta=1e-7)

    def test_bounds_of_masses_and_inertias(self):
        def robot(inertia, mass, more="", compiler=""):
            body = f'<body name="b"><joint name="j" axis="1 2 3"/><inertial pos="0.3 0.1 0" mass="{mass}" {inertia}/></body>'
            return mjcf(body + more, compiler='angle="radian" ' + compiler)

        columns = ["joint.j.angle", "body.b.x"]
        bounds = 'boundmass="3" boundinertia="0.02"'
        self.same(robot('diaginertia="0.03 0.02 0.011"', 2, compiler=bounds), robot('diaginertia="0.03 0.02 0.02"', 3), columns)
        # axes that are turned by 90 degrees, as a full tensor; turned by 45 degrees about z
        self.same(robot('fullinertia="0.015 0.02 0.03 0 0 0"', 2, compiler=bounds), robot('diaginertia="0.02 0.02 0.03"', 3), columns)
        self.same(robot('fullinertia="0.035 0.035 0.05 0.025 0 0"', 3, compiler=bounds), robot('fullinertia="0.04 0.04 0.05 0.02 0 0"', 3), columns)
        # no body has such moments: their mean; others stay
        self.same(robot('diaginertia="0.1 0.02 0.03"', 2, compiler='balanceinertia="true"'), robot('diaginertia="0.05 0.05 0.05"', 2), columns)
        self.same(robot('diaginertia="0.05 0.02 0.03"', 2, compiler='balanceinertia="true"'), robot('diaginertia="0.05 0.02 0.03"', 2), columns)
        # all of them together weigh 10, and bodies that hang on several joints count once
        two = f'<body name="c"><joint name="k"/><joint name="l" axis="0 1 0"/>{INERTIAL}</body>'
        scaled = two.replace('mass="2"', 'mass="5"').replace("0.03 0.02 0.01", "0.075 0.05 0.025")
        self.same(robot('diaginertia="0.03 0.02 0.01"', 2, two, 'settotalmass="10"'), robot('diaginertia="0.075 0.05 0.025"', 5, scaled), columns + ["body.c.x"])
        self.same(robot('diaginertia="0.03 0.02 0.01"', 2, compiler='settotalmass="-1"'), robot('diaginertia="0.03 0.02 0.01"', 2), columns)

    # ---- files ----

    def test_includes(self):
        self.write(f'<mujocoinclude><body name="b"><joint name="j" axis="0 1 0"/>{INERTIAL}</body></mujocoinclude>', "part.xml")
        rows = self.rows(self.write(mjcf('<include file="part.xml"/>'), "a.xml"))
        self.assertIn("joint.j.angle", rows)
        self.write(mjcf('<include file="a.xml"/>'), "a.xml")
        self.refused(mjcf('<include file="a.xml"/>'), "or one that includes itself")
        self.refused(mjcf('<include file="none.xml"/>'), "a.xml:3:", "none.xml")
        self.write("<mujoco>" + "<frame>" * 200 + '<include file="part.xml"/>' + "</frame>" * 200 + "</mujoco>", "part.xml")
        self.refused(mjcf('<include file="part.xml"/>'), "nested more than 256 levels deep")
        self.write('<mujoco><body name="b"><joint type="odd"/></body></mujoco>', "part.xml")
        self.refused(mjcf('<include file="part.xml"/>'), "part.xml:1:", 'type "odd"')

    def test_what_is_not_used_is_listed(self):
        done = self.expect(DONE, "import", self.write(mjcf(f'<light/><body name="b"><joint name="j"/>{INERTIAL}<site name="s"/></body>',
                                                           "<sensor/><tendon><spatial/></tendon><actuator><muscle/></actuator>"), "a.xml"))
        for line in ("a.xml:3: <light> in <worldbody>", "a.xml:3: <site> in <body>", "a.xml:4: <sensor> in <mujoco>", "a.xml:4: <spatial>", "a.xml:4: <muscle>"):
            self.assertIn(line, done.err)
        self.expect(MODEL, "import", "a.xml", "--strict")
        done = self.expect(DONE, "import", self.write(mjcf(self.CHAIN, '<option timestep="0.01" integrator="RK4"/>\n<equality>\n'
                                                           '<joint joint1="p" joint2="q" solref="0.1 1" solimp="0.9 0.9 0.01"/></equality>'), "a.xml"), "--strict")
        self.assertIn("a.xml:4: <option>: timestep and integrator are MuJoCo's", done.err)
        self.assertIn("a.xml:6: <joint>: it is hard here, solref and solimp have no meaning", done.err)

    def test_files_that_are_wrong(self):
        self.refused("<mujoco/>", "there is no body")
        self.refused(mjcf('<body name="b"><joint name="j"/></body>'), "a.xml:3:", "nothing that it carries has mass")
        self.refused(mjcf('<body name="b"><joint axis="0 0 0"/></body>'), "the axis is zero")
        self.refused(mjcf('<body name="b"><geom type="box" size="1 0 1"/></body>'), "3 positive numbers")
        self.refused(mjcf('<body name="b"><geom type="mesh" mesh="m"/></body>'), 'there is no mesh "m"')
        self.refused(mjcf('<body name="b" quat="0 0 0 0"/>'), "it is zero")
        for element in "composite", "flexcomp", "replicate":
            self.refused(mjcf(f'<body name="b"><joint/>{INERTIAL}<{element} count="3 1 1"/></body>'), f"<{element}>: it makes bodies that are not read")
        self.refused(mjcf(self.CHAIN + self.CHAIN), "the name is there already")
        self.refused(mjcf(self.CHAIN, '<equality><connect body1="c"/></equality>'), 'there is no link "c"')
        self.refused(mjcf(self.CHAIN, '<actuator><motor joint="z"/></actuator>'), 'there is no joint "z"')
        self.refused(mjcf(self.CHAIN, compiler='eulerseq="abc"'), "eulerseq")


if __name__ == "__main__":
    main()
