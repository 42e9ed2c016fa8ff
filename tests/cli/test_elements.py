"""Joints and forces as a file says them: axes in turned assemblies, what redundant teeth share, forces that read each
other, names in repeats, units."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from command import MODEL, CommandTest, main

BUSHING3 = """\
crank: mechanism
bodies: {b: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 0]}}
forces: {s: {type: bushing, between: [ground, b], at: [0, 0, 0], %s stiffness: [1e3, 1e5, 1e4, 10, 10, 10]}}
"""
BUSHING2 = """\
crank: mechanism
dimension: 2
bodies: {b: {mass: 10, inertia: 1, position: [0, 0]}}
forces: {s: {type: bushing, between: [ground, b], at: [0, 0], %s stiffness: [1e3, 1e5, 10]}}
"""


class Axes(CommandTest):
    def sag(self, part, dimension, turn):
        """How far a body yields along x of the world, in an assembly that is turned."""
        zero = "0, " * (dimension - 2) + "0"
        self.write(part, "part.yaml")
        names, rows = self.run_model(
            f"crank: mechanism\ndimension: {dimension}\ngravity: [9.81, {zero}]\n"
            f"assemblies: {{a: {{use: part.yaml, velocity: [0, {zero}], orientation: {turn}}}}}\n"
            "initial: {x: body.a.b.ax}\nsimulate: {t_end: 0.01, points: 1}\n")
        return rows[0][names.index("body.a.b.x")]

    def test_bushings_turn_with_their_assembly_whether_their_axes_are_given_or_not(self):
        wanted = 10 * 9.81 / 1e5  # its y is along x of the world
        about_z = "{axis: [0, 0, 1], angle: 90 deg}"
        for axes in ("", "orientation: [1, 0, 0, 0],"):
            self.assertAlmostEqual(self.sag(BUSHING3 % axes, 3, about_z), wanted, delta=1e-9)
        for axes in ("", "orientation: 0,"):
            self.assertAlmostEqual(self.sag(BUSHING2 % axes, 2, "90 deg"), wanted, delta=1e-9)


if __name__ == "__main__":
    main()
