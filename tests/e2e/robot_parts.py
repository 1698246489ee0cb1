# SPDX-License-Identifier: MIT
"""Links of robots as meshes and as primitives, files of meshes, and random points of their surfaces."""

import math
import struct

import numpy as np


def tube(path, radius, sides=24):
    """A closed tube along a path in the plane y = 0."""
    path = np.array(path, float)
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    side = np.array([0.0, 1.0, 0.0])
    points, faces = [], []
    for p, t in zip(path, along):
        up = np.cross(t, side)
        for k in range(sides):
            a = 2 * math.pi * k / sides
            points.append(p + radius * (math.cos(a) * up + math.sin(a) * side))
    for i in range(len(path) - 1):
        for k in range(sides):
            a, b = i * sides + k, i * sides + (k + 1) % sides
            faces += [(a, b, b + sides), (a, b + sides, a + sides)]
    first, last = len(points), len(points) + 1
    points += [path[0], path[-1]]
    end = (len(path) - 1) * sides
    for k in range(sides):
        faces += [(first, (k + 1) % sides, k), (last, end + k, end + (k + 1) % sides)]
    return np.array(points), outward(points, faces)


def lathe(profile, sides=32):
    """A solid of revolution about z, by (radius, z) from one end to the other."""
    points, faces = [(0.0, 0.0, profile[0][1]), (0.0, 0.0, profile[-1][1])], []
    for r, z in profile:
        points += [(r * math.cos(2 * math.pi * k / sides), r * math.sin(2 * math.pi * k / sides), z) for k in range(sides)]
    for k in range(sides):
        n = (k + 1) % sides
        faces += [(0, 2 + n, 2 + k), (1, 2 + (len(profile) - 1) * sides + k, 2 + (len(profile) - 1) * sides + n)]
        for i in range(len(profile) - 1):
            a, b = 2 + i * sides + k, 2 + i * sides + n
            faces += [(a, b, b + sides), (a, b + sides, a + sides)]
    return np.array(points), outward(points, faces)


def extruded(outline, triangles, low, high):
    """A prism along y of an outline in x and z that `triangles` fill."""
    n = len(outline)
    points = [(x, y, z) for y in (low, high) for x, z in outline]
    faces = [t for t in triangles] + [(a + n, c + n, b + n) for a, b, c in triangles]
    for k in range(n):
        m = (k + 1) % n
        faces += [(k, k + n, m + n), (k, m + n, m)]
    return np.array(points, float), outward(points, faces)


def outward(points, faces):
    """Faces with their corners the other way round, if the volume is below 0."""
    corners = np.array(points)[np.array(faces)]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()
    return [(a, c, b) for a, b, c in faces] if volume < 0 else list(faces)


def arm():
    """The links of an arm: name, points in metres, triangles."""
    yield "base", *lathe([(0.12, 0), (0.12, 0.02), (0.08, 0.05), (0.07, 0.14), (0.085, 0.16), (0.085, 0.2)])
    bend = [(0.09 * math.sin(a), 0, 0.09 - 0.09 * math.cos(a)) for a in np.linspace(0, math.pi / 2, 8)]
    yield "upper", *tube([(0.0, 0, 0.0 - 0.3 * (1 - s)) for s in np.linspace(0, 0.9, 5)] + bend, 0.045)
    yield "fore", *tube([(s, 0, 0.05 * math.sin(6 * s)) for s in np.linspace(0, 0.4, 20)], 0.03)
    yield "bracket", *extruded([(0, 0), (0.1, 0), (0.1, 0.02), (0.02, 0.02), (0.02, 0.12), (0, 0.12)],
                               [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)], -0.03, 0.03)
    yield "flange", *lathe([(0.02, 0), (0.05, 0), (0.05, 0.01), (0.03, 0.012), (0.03, 0.04), (0.012, 0.05)])
    yield "finger", *extruded([(0, 0), (0.02, 0), (0.022, 0.05), (0.012, 0.09), (0.004, 0.09), (0.01, 0.05)],
                              [(0, 1, 2), (0, 2, 5), (2, 3, 5), (3, 4, 5)], -0.008, 0.008)


def surface(points, faces):
    """Draws points of triangles: evenly by area, along edges and at corners."""
    corners = points[np.array(faces)]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)

    def draw(random, count):
        shares = random.dirichlet((1.0, 1.0, 1.0), count)
        shares[: count // 5, 0] = 0.0
        shares /= shares.sum(1)[:, None]
        shares[: min(count // 10, len(corners))] = (0.0, 1.0, 0.0)
        of = random.choice(len(corners), count, p=areas / areas.sum())
        of[: len(corners)] = np.arange(count)[: len(corners)] % len(corners)
        return np.einsum("ij,ijk->ik", shares, corners[of])

    return draw


def directions(random, count):
    way = random.normal(size=(count, 3))
    return way / np.linalg.norm(way, axis=1)[:, None]


def box(size):
    def draw(random, count):
        points = random.uniform(-1, 1, (count, 3))
        points[np.arange(count), random.integers(0, 3, count)] = random.choice((-1.0, 1.0), count)
        points[: count // 10] = np.sign(points[: count // 10])
        return 0.5 * np.array(size) * points
    return draw


def cylinder(radius, length):
    def draw(random, count):
        around = random.uniform(0, 2 * math.pi, count)
        reach, height = np.sqrt(random.uniform(0, 1, count)), random.uniform(-1, 1, count)
        side, rim = random.random(count) < 0.5, random.random(count) < 0.1
        reach[side | rim] = 1.0
        height[~side | rim] = np.sign(height[~side | rim])
        return np.stack((radius * reach * np.cos(around), radius * reach * np.sin(around), length / 2 * height), 1)
    return draw


def capsule(radius, length):
    def draw(random, count):
        points = radius * directions(random, count)
        side = random.random(count) < 0.5
        points[side, :2] *= radius / np.linalg.norm(points[side, :2], axis=1)[:, None]
        points[side, 2] = random.uniform(-length / 2, length / 2, side.sum())
        points[~side, 2] += np.copysign(length / 2, points[~side, 2])
        return points
    return draw


def ellipsoid(half):
    return lambda random, count: np.array(half) * directions(random, count)


def primitives():
    """Kind, size as URDF has it or half axes, and points of the surface about the own origin."""
    for size in ((0.1, 0.2, 0.6), (0.3, 0.3, 0.02)):
        yield "box", size, box(size)
    for size in ((0.05, 0.4), (0.2, 0.05)):
        yield "cylinder", size, cylinder(*size)
    yield "capsule", (0.04, 0.3), capsule(0.04, 0.3)
    yield "sphere", (0.07,), ellipsoid((0.07,) * 3)
    yield "ellipsoid", (0.05, 0.1, 0.2), ellipsoid((0.05, 0.1, 0.2))


# Files of meshes; each returns the points as the file holds them

def obj(file, points, faces):
    file.write_text("".join("v %.17g %.17g %.17g\n" % tuple(p) for p in points) +
                    "".join("f %d %d %d\n" % tuple(i + 1 for i in f) for f in faces))
    return points


def stl_binary(file, points, faces):
    points = points.astype(np.float32)
    file.write_bytes(b"\0" * 80 + struct.pack("<I", len(faces)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *(x for i in f for x in points[i]), 0) for f in faces))
    return points.astype(float)


def stl_text(file, points, faces):
    file.write_text("solid a\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join("vertex %.17g %.17g %.17g\n" % tuple(points[i]) for i in f) +
        "endloop\nendfacet\n" for f in faces) + "endsolid a\n")
    return points


def collada(file, points, faces, axis="Z_UP", metres=1.0):
    numbers = " ".join("%.17g" % x for p in points for x in p)
    corners = " ".join(str(i) for f in faces for i in f)
    file.write_text('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
                    f'<asset><unit name="own" meter="{metres}"/><up_axis>{axis}</up_axis></asset>'
                    '<library_geometries><geometry id="g"><mesh><source id="p">'
                    f'<float_array id="a" count="{3 * len(points)}">{numbers}</float_array><technique_common>'
                    f'<accessor source="#a" count="{len(points)}" stride="3"><param name="X" type="float"/>'
                    '<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>'
                    '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
                    f'<triangles count="{len(faces)}"><input semantic="VERTEX" source="#v" offset="0"/><p>{corners}</p>'
                    '</triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node>'
                    '<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>'
                    '<scene><instance_visual_scene url="#s"/></scene></COLLADA>')
    return points
