# SPDX-License-Identifier: MIT
"""Judges trees by the files that they were built from, and by nothing that the program read.

Writes one solid in every way of writing a mesh, far from the origin, tiny, huge, with spikes,
needles and tiny parts, has the program build and export the tree of each file, and checks the
spheres against the triangles as this script wrote them: every level covers every triangle, and no
point of a sphere is farther from the surface than the sphere's bound says.

usage: files_are_covered.py PROGRAM FOLDER [CASE...]
"""

import json
import math
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np


def torus(n, m):
    points, quads = [], []
    for i in range(n):
        for j in range(m):
            a, b = 2 * math.pi * i / n, 2 * math.pi * j / m
            r = 1 + 0.4 * math.cos(b)
            points.append((r * math.cos(a), r * math.sin(a), 0.4 * math.sin(b)))
            quads.append((i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m,
                          i * m + (j + 1) % m))
    return np.array(points), quads


def prism(n):
    """Two polygons of n corners, every second one pulled in, and the walls between them."""
    points = [(r * math.cos(a), r * math.sin(a), z) for z in (0.0, 0.7) for r, a in
              ((1 if i % 2 else 0.6, 2 * math.pi * i / n) for i in range(n))]
    walls = [(i, (i + 1) % n, (i + 1) % n + n, i + n) for i in range(n)]
    return np.array(points), [tuple(range(n - 1, -1, -1)), tuple(range(n, 2 * n))] + walls


def split(faces):
    return [(f[0], f[k], f[k + 1]) for f in faces for k in range(1, len(f) - 1)]


def spiked(points, quads):
    """A spike with a foot of a ten-millionth, a needle in the air, and a part of a hundred-millionth."""
    faces = list(split(quads))
    points = list(map(tuple, points))

    def tetrahedron(corners):
        first = len(points)
        points.extend(corners)
        faces.extend((first + a, first + b, first + c)
                     for a, b, c in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)))

    e = 1e-7
    tetrahedron([(1.4, 0, 0), (1.4, e, 0), (1.4, 0, e), (3.1, 0.1, 0.2)])
    tetrahedron([(-2, -1, 1), (-2 + e, -1, 1), (-2, -1 + e, 1), (-2, -1, 2)])
    tetrahedron([(0, 0, 1 + 0), (1e-8, 0, 1), (0, 1e-8, 1), (0, 0, 1 + 1e-8)])
    return np.array(points), faces


def obj(points, faces):
    return "".join("v %.17g %.17g %.17g\n" % tuple(p) for p in points) + "".join(
        "f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces)


def off(points, faces):
    return "OFF\n%d %d 0\n" % (len(points), len(faces)) + "".join(
        "%.17g %.17g %.17g\n" % tuple(p) for p in points) + "".join(
        " ".join(map(str, (len(f), *f))) + "\n" for f in faces)


def stl(points, faces):
    text = "solid a\n"
    for f in split(faces):
        text += "facet normal 0 0 0\nouter loop\n"
        text += "".join("vertex %.17g %.17g %.17g\n" % tuple(points[i]) for i in f)
        text += "endloop\nendfacet\n"
    return text + "endsolid a\n"


def stl_binary(points, faces):
    triangles = split(faces)
    return b"\0" * 80 + struct.pack("<I", len(triangles)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *(x for i in f for x in points[i]), 0) for f in triangles)


def ply_head(form, number, points, faces, element="face"):
    return ("ply\nformat %s 1.0\nelement vertex %d\nproperty %s x\nproperty %s y\nproperty %s z\n"
            "element %s %d\nproperty list int int vertex_indices\nend_header\n"
            % (form, len(points), number, number, number, element, len(faces)))


def ply(points, faces, element="face"):
    return ply_head("ascii", "double", points, faces, element) + "".join(
        "%.17g %.17g %.17g\n" % tuple(p) for p in points) + "".join(
        " ".join(map(str, (len(f), *f))) + "\n" for f in faces)


def ply_binary(points, faces, order="<"):
    form = "binary_little_endian" if order == "<" else "binary_big_endian"
    return ply_head(form, "double", points, faces).encode() + b"".join(
        struct.pack(order + "3d", *p) for p in points) + b"".join(
        struct.pack(order + "i%di" % len(f), len(f), *f) for f in faces)


def ply_strips(n, m):
    """The torus as one list of strips with breaks between them."""
    points, _ = torus(n, m)
    strip = []
    for i in range(n):
        for j in range(m + 1):
            strip += [i * m + j % m, (i + 1) % n * m + j % m]
        strip.append(-1)
    return ply(points, [strip], "tristrips")


def gltf_fans(folder, n):
    """A cone of two fans, in a binary buffer beside the JSON."""
    rim = [(math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n), 0) for i in range(n)]
    points = np.array([(0, 0, 1.5), (0, 0, 0), *rim], dtype=np.float32)
    around = [2 + i % n for i in range(n + 1)]
    fans = [[0, *around], [1, *reversed(around)]]
    data = points.tobytes() + b"".join(struct.pack("<%dH" % len(f), *f) for f in fans)
    (folder / "fans.bin").write_bytes(data)
    views, accessors = [{"buffer": 0, "byteOffset": 0, "byteLength": points.nbytes}], [
        {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3",
         "min": points.min(0).tolist(), "max": points.max(0).tolist()}]
    at = points.nbytes
    for k, fan in enumerate(fans):
        views.append({"buffer": 0, "byteOffset": at, "byteLength": 2 * len(fan)})
        accessors.append({"bufferView": k + 1, "componentType": 5123, "count": len(fan),
                          "type": "SCALAR"})
        at += 2 * len(fan)
    text = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": k + 1, "mode": 6}
                                   for k in range(2)]}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"uri": "fans.bin", "byteLength": len(data)}]})
    faces = [(f[0], f[k], f[k + 1]) for f in fans for k in range(1, len(f) - 1)]
    return text, points.astype(float), faces


def cases(folder):
    """Name, text or bytes of the file, and its triangles."""
    points, quads = torus(12, 8)
    single = points.astype(np.float32).astype(float)

    def corners(points, faces):
        return np.array([[points[i] for i in f] for f in split(faces)])

    yield "quads.obj", obj(points, quads), corners(points, quads)
    yield "quads.off", off(points, quads), corners(points, quads)
    yield "quads.ply", ply(points, quads), corners(points, quads)
    yield "text.stl", stl(points, quads), corners(points, quads)
    yield "binary.stl", stl_binary(single, quads), corners(single, quads)
    yield "binary.ply", ply_binary(points, quads), corners(points, quads)
    yield "big_endian.ply", ply_binary(points, quads, ">"), corners(points, quads)
    yield "strips.ply", ply_strips(12, 8), corners(points, quads)
    text, own, faces = gltf_fans(folder, 24)
    yield "fans.gltf", text, corners(own, faces)
    # A fan would leave such a polygon: judge by what fills it, the triangles about its middle
    own, faces = prism(16)
    inside = []
    for f in faces:
        middle = np.mean([own[i] for i in f], axis=0)
        inside += [(own[f[k]], own[(f[(k + 1) % len(f)])], middle) for k in range(len(f))]
    for name, write in (("polygons.obj", obj), ("polygons.off", off), ("polygons.ply", ply)):
        yield name, write(own, faces), np.array(inside)
    for power, kind, write in ((4, "obj", obj), (5, "stl", stl), (6, "off", off), (7, "ply", ply),
                               (7, "obj", obj)):
        moved = points + 10.0 ** power
        yield "offset%d.%s" % (power, kind), write(moved, quads), corners(moved, quads)
    for power, kind, write in ((-9, "obj", obj), (-6, "ply", ply_binary), (6, "off", off),
                               (9, "stl", stl)):
        scaled = points * 10.0 ** power
        yield "scale%d.%s" % (power, kind), write(scaled, quads), corners(scaled, quads)
    own, faces = spiked(points, quads)
    for kind, write in (("obj", obj), ("ply", ply_binary), ("stl", stl), ("off", off)):
        yield "spikes." + kind, write(own, faces), corners(own, faces)


def uncovered(triangles, centres, radii):
    """Triangles of which a part is in no sphere: halved at their longest edge until each part lies
    in one sphere as a whole, because a ball is convex."""
    origin = centres.mean(0)
    centres = centres - origin
    squares = radii * radii
    faults = 0
    for triangle in triangles - origin:
        open_, tries = [triangle], 0
        while open_ and tries < 4000:
            tries += 1
            t = open_.pop()
            # The program's spheres hold the surface with no slack to spare for this script's own sums
            away = ((t[:, None, :] - centres) ** 2).sum(2) <= squares * (1 + 1e-14)
            if away.all(0).any():
                continue
            if not away.any(1).all():
                break
            edges = [((t[k] - t[(k + 1) % 3]) ** 2).sum() for k in range(3)]
            k = int(np.argmax(edges))
            a, b, c = t[k], t[(k + 1) % 3], t[(k + 2) % 3]
            middle = (a + b) / 2
            open_ += [np.array((a, middle, c)), np.array((middle, b, c))]
        else:
            faults += bool(open_)
            continue
        faults += 1
    return faults


def distances(points, triangles):
    """From each point to the nearest triangle."""
    best = np.full(len(points), np.inf)
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    for p, q in ((a, b), (b, c), (c, a)):
        along = q - p
        square = np.maximum((along * along).sum(1), 1e-300)
        t = np.clip(((points[:, None] - p) * along).sum(2) / square, 0, 1)
        nearest = p + t[..., None] * along
        best = np.minimum(best, np.sqrt(((points[:, None] - nearest) ** 2).sum(2)).min(1))
    normal = np.cross(b - a, c - a)
    length = np.sqrt((normal * normal).sum(1))
    whole = length > 1e-300
    a, b, c, normal = a[whole], b[whole], c[whole], normal[whole] / length[whole][:, None]
    height = ((points[:, None] - a) * normal).sum(2)
    foot = points[:, None] - height[..., None] * normal
    inside = np.ones(height.shape, bool)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (np.cross(q - p, foot - p) * normal).sum(2) >= 0
    plane = np.where(inside, np.abs(height), np.inf)
    return np.minimum(best, plane.min(1))


def small_bounds(level, triangles, directions):
    """Spheres that have a point farther from the surface than their bound."""
    faults = 0
    origin = triangles.reshape(-1, 3).mean(0)
    own = triangles - origin
    for sphere in level:
        centre = np.array(sphere["center"]) - origin
        points = np.vstack((centre, centre + sphere["radius"] * directions))
        # Of points that lie within the ball by this script's own rounding too
        points = centre + (points - centre) * (1 - 1e-12)
        faults += distances(points, own).max() > sphere["h"] * (1 + 1e-9)
    return faults


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    directions = random.normal(size=(24, 3))
    directions /= np.sqrt((directions * directions).sum(1))[:, None]
    faults = judged = 0
    for name, content, triangles in cases(folder):
        if len(sys.argv) > 3 and name not in sys.argv[3:]:
            continue
        file = folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        tree, listing = folder / (name + ".tree"), folder / (name + ".json")
        for command in (("build", file, "-o", tree, "--levels", "2", "--spheres", "60"),
                        ("export", tree, "--model", file, "--format", "json", "-o", listing)):
            done = subprocess.run([program, "tree", *map(str, command)], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                print("%s: %s" % (name, done.stderr.strip()))
                faults += 1
                break
        else:
            levels = [level["spheres"] for level in json.loads(listing.read_text())["levels"]]
            bare = low = spheres = 0
            for level in levels:
                bare += uncovered(triangles, np.array([s["center"] for s in level]),
                                  np.array([s["radius"] for s in level]))
                low += small_bounds(level, triangles, directions)
                spheres += len(level)
            judged += 1
            faults += bare + low
            print("%-16s %5d triangles %4d spheres: %d uncovered, %d bounds too small"
                  % (name, len(triangles), spheres, bare, low))
    print("%d files judged, %d faults" % (judged, faults))
    return 0 if faults == 0 and judged > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
