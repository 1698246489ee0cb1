# SPDX-License-Identifier: MIT
# Closed solids that ships are put together from: lathes, prisms, rods, sweeps.
"""
Blender space: X right, Y towards the nose, Z up. A model is the exact boolean union of its solids,
so each has to dig into its neighbour; solids must not merely touch or share a plane.
"""
import math

import bmesh
from mathutils import Matrix, Vector


class Solid:
    """Vertices, polygons (wound outwards) and a band number per polygon, used to vary the material."""

    def __init__(self, verts, faces, bands=None):
        self.verts = [Vector(v) for v in verts]
        self.faces = [list(f) for f in faces]
        self.bands = list(bands) if bands else [0] * len(self.faces)
        if self._volume() < 0:
            self._flip()

    def _volume(self):
        vol = 0.0
        for f in self.faces:
            a = self.verts[f[0]]
            for i in range(1, len(f) - 1):
                vol += a.dot(self.verts[f[i]].cross(self.verts[f[i + 1]]))
        return vol

    def _flip(self):
        self.faces = [f[::-1] for f in self.faces]

    def transformed(self, matrix):
        return Solid([matrix @ v for v in self.verts], self.faces, self.bands)

    def moved(self, x, y, z):
        return self.transformed(Matrix.Translation((x, y, z)))

    def rotated(self, axis, degrees, pivot=(0, 0, 0)):
        p = Matrix.Translation(pivot)
        return self.transformed(p @ Matrix.Rotation(math.radians(degrees), 4, axis) @ p.inverted())

    def mirrored(self):
        """Mirror image across the X = 0 plane."""
        return self.transformed(Matrix.Scale(-1, 4, (1, 0, 0)))


def _frame(axis, up=None):
    w = Vector(axis).normalized()
    if up is None:
        up = Vector((0, 0, 1)) if abs(w.z) < 0.9 else Vector((0, 1, 0))
    u = Vector(up) - w * w.dot(Vector(up))
    u.normalize()
    return u, w.cross(u), w


def _skin(rings, closed=False, bands=None):
    """
    Join rings of points; a ring of one point is a pole, other open ends get a flat cap.
    bands has a number per segment, and may have one more for the far cap.
    """
    verts, index = [], []
    for ring in rings:
        index.append(list(range(len(verts), len(verts) + len(ring))))
        verts += ring
    faces, tags = [], []
    pairs = list(zip(index, index[1:] + index[:1]))
    if not closed:
        pairs.pop()
    for seg, (a, b) in enumerate(pairs):
        n = max(len(a), len(b))
        for i in range(n):
            j = (i + 1) % n
            if len(a) == 1:
                faces.append([a[0], b[j], b[i]])
            elif len(b) == 1:
                faces.append([a[i], a[j], b[0]])
            else:
                faces.append([a[i], a[j], b[j], b[i]])
            tags.append(bands[seg] if bands else 0)
    if not closed:
        if len(index[0]) > 1:
            faces.append(index[0][::-1])
            tags.append(bands[0] if bands else 0)
        if len(index[-1]) > 1:
            faces.append(index[-1])
            tags.append(bands[-1] if bands else 0)
    return Solid(verts, faces, tags)


def lathe(profile, n, origin=(0, 0, 0), axis=(0, 0, 1), up=None, closed=False, bands=None, phase=0.5):
    """Turn (radius, height) points around an axis. phase is in steps of one side: 0.5 puts a flat at up."""
    u, v, w = _frame(axis, up)
    o = Vector(origin)
    rings = []
    for r, h in profile:
        if r == 0:
            rings.append([o + w * h])
            continue
        ring = []
        for i in range(n):
            t = 2 * math.pi * (i + phase) / n
            ring.append(o + w * h + (u * math.cos(t) + v * math.sin(t)) * r)
        rings.append(ring)
    return _skin(rings, closed, bands)


def rod(p0, p1, r, n, up=None):
    """Straight bar with n sides from p0 to p1."""
    p0, p1 = Vector(p0), Vector(p1)
    return lathe([(r, 0), (r, (p1 - p0).length)], n, p0, p1 - p0, up)


def sweep(path, section, up=None, closed=False, scale=None, mouth=None):
    """
    Sweep a planar section [(a, b)] along a path with a twist-free frame and mitred corners.
    mouth=(rim ratio, depth, floor ratio) hollows the far end; the inside is band 1.
    """
    pts = [Vector(p) for p in path]
    n = len(pts)
    dirs = []
    for i in range(n):
        if closed:
            d = (pts[(i + 1) % n] - pts[i]).normalized() + (pts[i] - pts[i - 1]).normalized()
        else:
            d = Vector((0, 0, 0))
            if i + 1 < n:
                d += (pts[i + 1] - pts[i]).normalized()
            if i > 0:
                d += (pts[i] - pts[i - 1]).normalized()
        dirs.append(d.normalized())
    u, v, w = _frame(dirs[0], up)
    rings = []
    for i in range(n):
        if i:
            q = dirs[i - 1].rotation_difference(dirs[i])
            u = q @ u
        u = (u - dirs[i] * u.dot(dirs[i])).normalized()
        v = dirs[i].cross(u)
        k = scale[i] if scale else 1.0
        # widen the ring in the bend direction so that the swept bar keeps its thickness
        seg = pts[(i + 1) % n] - pts[i] if (closed or i + 1 < n) else pts[i] - pts[i - 1]
        seg.normalize()
        c = max(0.5, seg.dot(dirs[i]))
        bend = seg - dirs[i] * seg.dot(dirs[i])
        ring = []
        for a, b in section:
            p = (u * a + v * b) * k
            if bend.length > 1e-6:
                e = bend.normalized()
                p += e * p.dot(e) * (1 / c - 1)
            ring.append(pts[i] + p)
        rings.append(ring)
    if not mouth:
        return _skin(rings, closed)
    rim, depth, floor = mouth
    for ratio, back in ((rim, 0.0), (floor, depth)):
        rings.append([pts[-1] + (p - pts[-1]) * ratio - dirs[-1] * back for p in rings[n - 1]])
    return _skin(rings, bands=[0] * (n - 1) + [0, 1])


def ngon(r, n, phase=0.5):
    return [(r * math.cos(2 * math.pi * (i + phase) / n), r * math.sin(2 * math.pi * (i + phase) / n))
            for i in range(n)]


def tube(path, r, n, up=None, closed=False, scale=None, phase=0.5, mouth=None):
    return sweep(path, ngon(r, n, phase), up, closed, scale, mouth)


def arc(centre, radius, u, v, a0, a1, steps):
    """Points on a circle arc in the plane of u and v, angles in degrees."""
    centre, u, v = Vector(centre), Vector(u).normalized(), Vector(v).normalized()
    out = []
    for i in range(steps + 1):
        t = math.radians(a0 + (a1 - a0) * i / steps)
        out.append(centre + (u * math.cos(t) + v * math.sin(t)) * radius)
    return out


def prism(outline, depth, origin=(0, 0, 0), axis=(1, 0, 0), up=(0, 0, 1), bevel=0.0, one_side=False):
    """
    Extrude an outline [(a, b)] by depth along axis, centred on origin; b runs along up, a along the cross
    product of up and axis. bevel cuts the outline's edges on both ends, or only on the far one.
    """
    w = Vector(axis).normalized()
    v = Vector(up).normalized()
    u = v.cross(w)
    o = Vector(origin)
    h = depth / 2

    def ring(points, z):
        return [o + u * a + v * b + w * z for a, b in points]

    if not bevel:
        return _skin([ring(outline, -h), ring(outline, h)])
    inner = inset(outline, bevel)
    if one_side:
        return _skin([ring(outline, -h), ring(outline, h - bevel), ring(inner, h)])
    return _skin([ring(inner, -h), ring(outline, -h + bevel), ring(outline, h - bevel), ring(inner, h)])


def blade(outline, thickness, edge, origin=(0, 0, 0), axis=(0, 0, 1), up=(0, 1, 0)):
    """Flat fin with sharp edges: the outline lies in the middle plane, both faces are inset by edge."""
    w, v = Vector(axis).normalized(), Vector(up).normalized()
    u = v.cross(w)
    o = Vector(origin)
    inner = inset(outline, edge)
    rings = [(inner, -thickness / 2), (outline, 0), (inner, thickness / 2)]
    return _skin([[o + u * a + v * b + w * z for a, b in pts] for pts, z in rings])


def inset(outline, d):
    """Offset a simple polygon inwards by d."""
    n = len(outline)
    area = sum(outline[i][0] * outline[(i + 1) % n][1] - outline[(i + 1) % n][0] * outline[i][1] for i in range(n))
    s = 1 if area > 0 else -1
    out = []
    for i in range(n):
        p, a, b = (Vector(outline[k]) for k in (i, i - 1, (i + 1) % n))
        e0, e1 = (p - a).normalized(), (b - p).normalized()
        n0, n1 = Vector((-e0.y, e0.x)) * s, Vector((-e1.y, e1.x)) * s
        m = n0 + n1
        out.append(tuple(p + m * (d / (1 + n0.dot(n1)))))
    return out


def box(centre, size, bevel=0.0):
    """Axis-aligned box; bevel cuts all edges."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.0)
    for v in bm.verts:
        v.co = Vector(a * b for a, b in zip(v.co, size))
    if bevel:
        bmesh.ops.bevel(bm, geom=bm.edges[:], offset=bevel, segments=1, profile=0.5, affect='EDGES')
    c = Vector(centre)
    bm.verts.index_update()
    s = Solid([v.co + c for v in bm.verts], [[v.index for v in f.verts] for f in bm.faces])
    bm.free()
    return s


def beam(p0, p1, width, height, up=(0, 0, 1), bevel=0.0):
    """Rectangular bar from p0 to p1; height is measured along up."""
    h, w = height / 2, width / 2
    if bevel:
        b = bevel
        sec = [(h, -w + b), (h, w - b), (h - b, w), (-h + b, w), (-h, w - b), (-h, -w + b), (-h + b, -w), (h - b, -w)]
    else:
        sec = [(h, -w), (h, w), (-h, w), (-h, -w)]
    return sweep([p0, p1], sec, up)


def ball(centre, r, n, rings):
    prof = [(0, -r)]
    for i in range(1, rings + 1):
        t = math.pi * i / (rings + 1)
        prof.append((r * math.sin(t), -r * math.cos(t)))
    prof.append((0, r))
    return lathe(prof, n, centre)
