# SPDX-License-Identifier: MIT
"""The C functions from another language: by_ctypes.py LIBRARY. Two cubes, whose answers are known."""
import ctypes
import ctypes as c
import sys


class Pose(c.Structure):
    _fields_ = [("position", c.c_double * 3), ("rotation", c.c_double * 4)]


class Answer(c.Structure):
    _fields_ = [("verdict", c.c_int32), ("stage", c.c_int32), ("level", c.c_int32), ("can_refine", c.c_int32),
                ("separation_bound", c.c_double), ("sphere_a", c.c_double * 4), ("sphere_b", c.c_double * 4),
                ("triangle_a", c.c_uint32), ("triangle_b", c.c_uint32)]


class Bounds(c.Structure):
    _fields_ = [("lower", c.c_double), ("upper", c.c_double), ("point_a", c.c_double * 3),
                ("point_b", c.c_double * 3), ("triangle_a", c.c_uint32), ("triangle_b", c.c_uint32),
                ("can_refine", c.c_int32)]


class Found(c.Structure):
    _fields_ = [("a", c.c_uint32), ("b", c.c_uint32), ("answer", Answer)]


class Detection(c.Structure):
    _fields_ = [("pair_count", c.c_size_t), ("waiting_count", c.c_size_t), ("complete", c.c_int32)]


class Point(c.Structure):
    _fields_ = [("on_a", c.c_double * 3), ("on_b", c.c_double * 3), ("normal", c.c_double * 3), ("depth", c.c_double),
                ("id", c.c_uint64)]


class Contacts(c.Structure):
    _fields_ = [("pair_count", c.c_size_t), ("point_count", c.c_size_t), ("complete", c.c_int32)]


class PairContacts(c.Structure):
    _fields_ = [("a", c.c_uint32), ("b", c.c_uint32), ("first_point", c.c_size_t), ("point_count", c.c_size_t),
                ("depth_known", c.c_int32), ("can_refine", c.c_int32), ("sensed", c.c_int32)]


def at(x, y=0.0, z=0.0):
    return c.byref(Pose((x, y, z), (1, 0, 0, 0)))


library = ctypes.CDLL(sys.argv[1])
library.nearmiss_error.restype = library.nearmiss_version.restype = c.c_char_p
library.nearmiss_world_pairs.restype = c.c_size_t
library.nearmiss_world_contact_pairs.restype = library.nearmiss_world_contact_points.restype = c.c_size_t
library.nearmiss_unit_pose.restype = Pose
unit = library.nearmiss_unit_pose()
assert (*unit.position, *unit.rotation) == (0, 0, 0, 1, 0, 0, 0)
unlimited = c.c_double(-1.0)


def do(name, *arguments):
    status = getattr(library, "nearmiss_" + name)(*arguments)
    assert status == 0, (name, status, library.nearmiss_error())


assert library.nearmiss_c_version() // 100 == 3
corners = [v for i in range(8) for v in (-1 + 2 * (i & 1), -1 + (i & 2), -1 + (i & 4) // 2)]
triangles = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]
cube = c.c_void_p()
do("shape_make", (c.c_double * 24)(*corners), c.c_size_t(8), (c.c_uint32 * 36)(*triangles), c.c_size_t(12), None,
   c.byref(cube))

# The bytes hold all of it
size = c.c_size_t()
do("shape_write", cube, None, c.c_size_t(0), c.byref(size))
kept = c.create_string_buffer(size.value)
do("shape_write", cube, kept, size, c.byref(size))
again = c.c_void_p()
do("shape_read", kept, size, c.byref(again))

# A quarter apart, and a quarter into each other
bounds, answer = Bounds(), Answer()
do("distance", cube, at(0), again, at(2.25), unlimited, c.byref(bounds))
assert abs(bounds.lower - 0.25) < 1e-6 and abs(bounds.upper - 0.25) < 1e-6, (bounds.lower, bounds.upper)
for x, verdict in ((2.25, 0), (1.75, 2)):
    do("collide", cube, at(0), again, at(x), unlimited, c.byref(answer))
    assert answer.verdict == verdict, (x, answer.verdict)

# Five in a row: neighbours touch, until one is taken out
world, bodies = c.c_void_p(), [c.c_uint32() for _ in range(5)]
do("world_make", c.byref(world))
for i, body in enumerate(bodies):
    do("world_add", world, cube, at(1.9 * i, 0.1 * i), None, c.byref(body))
detection, pairs = Detection(), (Found * 8)()
do("world_collisions", world, unlimited, c.byref(detection))
assert detection.pair_count == 4 and detection.complete == 1, detection.pair_count
do("world_remove", world, bodies[2])
do("world_collisions", world, unlimited, c.byref(detection))
assert library.nearmiss_world_pairs(world, pairs, c.c_size_t(8)) == 2
assert [(p.a, p.b) for p in pairs[:2]] == [(bodies[0].value, bodies[1].value), (bodies[3].value, bodies[4].value)]

# Each of these pairs shares a side of 1.9 by 2, a tenth deep
contacts, touching, points = Contacts(), (PairContacts * 4)(), (Point * 16)()
do("world_contacts", world, c.c_double(0.01), c.c_size_t(4), unlimited, c.byref(contacts))
assert contacts.pair_count == 2 and contacts.point_count == 8 and contacts.complete == 1, contacts.point_count
library.nearmiss_world_contact_pairs(world, touching, c.c_size_t(4))
library.nearmiss_world_contact_points(world, points, c.c_size_t(16))
assert [(p.a, p.b, p.first_point, p.point_count) for p in touching[:2]] == [
    (bodies[0].value, bodies[1].value, 0, 4), (bodies[3].value, bodies[4].value, 4, 4)]
for point in points[:8]:
    assert abs(point.depth - 0.1) < 1e-9 and abs(point.normal[0] + 1.0) < 1e-9, (point.depth, point.normal[0])

# What cannot be answered says why
assert library.nearmiss_world_remove(world, bodies[2]) == 1
assert b"no body 3" in library.nearmiss_error(), library.nearmiss_error()
library.nearmiss_world_free(world)
library.nearmiss_shape_free(cube)
library.nearmiss_shape_free(again)
print("all as it must be, by version", library.nearmiss_version().decode())
