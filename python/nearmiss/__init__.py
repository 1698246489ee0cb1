# SPDX-License-Identifier: MIT
"""Time-critical collision detection of triangle meshes, on NumPy arrays.

A first example: a box above another one, and whether they touch.

>>> import nearmiss, numpy as np
>>> cube, above = nearmiss.box([1, 1, 1]), np.eye(4)
>>> above[2, 3] = 2.5                         # half a metre between them
>>> answer = nearmiss.collide(cube, np.eye(4), cube, above, budget=50e-6)
>>> answer.touching
False
>>> nearmiss.distance(cube, np.eye(4), cube, above).upper
0.5

The most used functions and classes:

Shape(vertices, faces)   build a shape from arrays, or Shape(mesh); Shape.load(file) reads a file
box(half_extents)        build a primitive; also sphere, capsule, cylinder and convex_hull
collide                  test two shapes, within a time budget
collide_many             test two shapes in many poses, on all cores
distance                 bounds on the distance, and the nearest points
penetration              the shortest translation that separates two shapes
contact_manifold         contact points for a rigid-body solver
raycast                  the first hits of rays or moving balls
nearest_point            the nearest surface points; side_of tells inside from outside
World                    many bodies by handle: collisions, contacts, distances, rays
robot(file)              the links of a URDF file, posed by its joints

Conventions: lengths are in metres, times in seconds. A pose is a 4x4 matrix of a rigid motion. A budget is the time that a
query may take; when it runs out, the query returns its best answer so far, and `final` is False. Bounds always hold.
Answers can be compared with == and pickled. An answer has no truth value: use `answer.touching` instead of `if answer`.
Failures raise nearmiss.Error, a ValueError, and arguments of a wrong type a TypeError; both name the argument. All queries
release the interpreter lock, and Ctrl-C interrupts them.

nearmiss.trimesh has a collision manager with the interface of trimesh.collision.
"""
try:
    from . import _core
except ImportError as _absent:
    raise ImportError(f"nearmiss lacks its compiled module, or it was built for another Python: {_absent}. "
                      "docs/getting.md says how to build and install it") from _absent
from ._explained import explain_module

explain_module(_core)

from ._core import *  # noqa: E402
from ._core import __version__  # noqa: E402
from ._primitives import box, capsule, convex_hull, cylinder, sphere  # noqa: E402
from ._robot import Robot, robot  # noqa: E402

__all__ = [
    "Shape", "box", "sphere", "capsule", "cylinder", "convex_hull",
    "collide", "collide_many", "distance", "distance_many", "penetration", "contact_manifold", "ManifoldQuery", "protrusion",
    "time_to_contact", "raycast", "nearest_point", "side_of", "containing", "World", "Robot", "robot",
    "check_mesh", "prepare", "builders",
    "Refinement", "DistanceBounds", "PenetrationBounds", "ContactManifold", "Protrusion", "ContactTime",
    "Collisions", "Contacts", "PairContacts", "NearestBodies", "MeshFaults", "MassProperties", "Refit", "Certificate",
    "Verdict", "Stage", "SolidSide", "PointSide", "Error",
]
# Classes and functions report the module in which users find them, also in pickles
for _name in __all__:
    globals()[_name].__module__ = "nearmiss"
del explain_module, _name
