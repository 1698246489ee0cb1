# SPDX-License-Identifier: MIT
"""Shapes of primitives and of meshes of other libraries."""
from ._core import Shape, _box_mesh, _capsule_mesh, _convex_hull_mesh, _cylinder_mesh, _sphere_mesh


def box(half_extents, **settings):
    """Builds a box about the origin. `half_extents` are half of the lengths of its sides: three numbers [m].

    Other settings are those of Shape().

    >>> nearmiss.box([1, 2, 0.5])
    Shape(12 faces, radius=2.291, solid=True)
    """
    return Shape(*_box_mesh(half_extents), **settings)


def sphere(radius, subdivisions=3, **settings):
    """Builds an icosahedron about the origin, subdivided 0 to 8 times, with its vertices on a sphere of this radius [m].

    Other settings are those of Shape().

    >>> len(nearmiss.sphere(0.5).faces)
    1280
    """
    return Shape(*_sphere_mesh(radius, subdivisions), **settings)


def capsule(radius, half_height, segments=32, **settings):
    """Builds a capsule along z, about the origin, inscribed in the round one.

    `radius` is that of the half spheres [m], `half_height` half of the length between their centres [m]. Other settings are
    those of Shape().

    >>> nearmiss.capsule(0.1, 0.5).solid
    True
    """
    return Shape(*_capsule_mesh(radius, half_height, segments), **settings)


def cylinder(radius, half_height, segments=32, **settings):
    """Builds a cylinder along z, about the origin, inscribed in the round one.

    `half_height` is half of its length [m]. Other settings are those of Shape().

    >>> nearmiss.cylinder(0.1, 0.5).solid
    True
    """
    return Shape(*_cylinder_mesh(radius, half_height, segments), **settings)


def convex_hull(points, **settings):
    """Builds the convex hull of points that do not all lie in one plane: an array (n, 3) [m].

    Other settings are those of Shape().

    >>> len(nearmiss.convex_hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]).faces)
    4
    """
    return Shape(*_convex_hull_mesh(points), **settings)


def from_trimesh(mesh, **settings):
    """Builds a shape from a mesh of trimesh, or any object with `vertices` and `faces`.

    Settings are those of Shape(); Shape(mesh) is the same.

    >>> nearmiss.Shape.from_trimesh(trimesh.load("bolt.stl"))
    """
    return Shape(mesh, **settings)


from_trimesh.__qualname__, from_trimesh.__module__ = "Shape.from_trimesh", "nearmiss"
Shape.from_trimesh = staticmethod(from_trimesh)
