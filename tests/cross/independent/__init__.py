"""A second simulator of mechanism models, made to check the first: slow, plain, by other formulas.

Bodies in maximal coordinates: centre of mass x, unit quaternion q, velocity x', angular velocity w in WORLD axes;
planar bodies and points are spatial ones with fewer freedoms. Contact parameters s are coordinates without mass.
Constraints are written as vector equations between points and axes of the two bodies (more rows than need be where that
is simplest); G comes from complex steps, (G u)' u from differences of complex steps along the motion with constant
velocities. Accelerations and multipliers solve

    M u' - G^T l = f,   G u' = -(G' u + ...)

with rows of G that depend on others left out. Integrated by extrapolation of the midpoint rule. Models are the same
mappings that crank reads as JSON; their expressions are evaluated as Python.
"""
# SPDX-License-Identifier: BSD-3-Clause
