# SPDX-License-Identifier: MIT
"""Shapes of primitives, about the origin; settings are those of Shape."""
from ._core import Shape, _box_mesh, _capsule_mesh, _convex_hull_mesh, _cylinder_mesh, _sphere_mesh


def box(half_extents, **settings):
    """A box; `half_extents` are half of the lengths of its sides."""
    return Shape(*_box_mesh(half_extents), **settings)


def sphere(radius, subdivisions=3, **settings):
    """An icosahedron, subdivided 0 to 8 times, with its vertices on the sphere."""
    return Shape(*_sphere_mesh(radius, subdivisions), **settings)


def capsule(radius, half_height, segments=32, **settings):
    """Along z; `half_height` is half of the length between its half spheres. Inscribed."""
    return Shape(*_capsule_mesh(radius, half_height, segments), **settings)


def cylinder(radius, half_height, segments=32, **settings):
    """Along z; `half_height` is half of its length. Inscribed."""
    return Shape(*_cylinder_mesh(radius, half_height, segments), **settings)


def convex_hull(points, **settings):
    """The convex hull of an array of points, three columns, that do not all lie in one plane."""
    return Shape(*_convex_hull_mesh(points), **settings)
