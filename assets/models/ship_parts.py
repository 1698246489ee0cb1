# SPDX-License-Identifier: MIT
# Shared Blender helpers for the ship models: solid primitives, exact union, triangle count fitting, export.
"""
Every part is a closed solid in Blender space: X right, Y towards the nose, Z up. The glTF exporter
turns that into X right, Y up, nose towards -Z. A model is the exact boolean union of its parts, so
each part has to dig into its neighbour; parts must not merely touch or share a plane.
"""
import heapq
import math
import sys

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector


# ---------------------------------------------------------------- solids

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


# ---------------------------------------------------------------- triangle mesh editing

class TriMesh:
    """Closed triangle mesh with a part number per triangle, edited one vertex at a time."""

    def __init__(self, verts, tris, parts):
        self.p = [tuple(float(np.float32(c)) for c in v) for v in verts]
        self.t = {i: tuple(t) for i, t in enumerate(tris)}
        self.part = dict(enumerate(parts))
        self.next = len(tris)
        self.around = {}
        for i, t in self.t.items():
            for v in t:
                self.around.setdefault(v, set()).add(i)

    def cross(self, a, b, c):
        pa, pb, pc = self.p[a], self.p[b], self.p[c]
        x1, y1, z1 = pb[0] - pa[0], pb[1] - pa[1], pb[2] - pa[2]
        x2, y2, z2 = pc[0] - pa[0], pc[1] - pa[1], pc[2] - pa[2]
        return (y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2)

    def normal(self, a, b, c):
        n = self.cross(a, b, c)
        m = math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2)
        return (n[0] / m, n[1] / m, n[2] / m) if m > 1e-14 else None

    def quality(self, a, b, c):
        """1 for an equilateral triangle, 0 for a degenerate one."""
        n = self.cross(a, b, c)
        s = self.dist2(a, b) + self.dist2(b, c) + self.dist2(c, a)
        return 2 * math.sqrt(3) * math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2) / s if s else 0

    def height(self, a, b, c):
        """Height over the longest side."""
        n = self.cross(a, b, c)
        s = max(self.dist2(a, b), self.dist2(b, c), self.dist2(c, a))
        return math.sqrt((n[0] ** 2 + n[1] ** 2 + n[2] ** 2) / s) if s else 0

    def dist2(self, a, b):
        return sum((x - y) ** 2 for x, y in zip(self.p[a], self.p[b]))

    def edges(self):
        out = set()
        for t in self.t.values():
            for k in range(3):
                a, b = t[k], t[(k + 1) % 3]
                out.add((a, b) if a < b else (b, a))
        return sorted(out)

    def neighbours(self, v):
        return {w for i in self.around[v] for w in self.t[i]} - {v}

    def remove(self, i):
        for v in self.t[i]:
            self.around[v].discard(i)
        del self.t[i], self.part[i]

    def insert(self, tri, part):
        i = self.next
        self.next += 1
        self.t[i] = tri
        self.part[i] = part
        for v in tri:
            self.around.setdefault(v, set()).add(i)

    def collapse_cost(self, v, u, loose=False):
        """
        Largest shape error of moving v onto its neighbour u, or None if that is not allowed.
        loose lets the borders between parts move.
        """
        shared = self.around[v] & self.around[u]
        if len(shared) != 2 or len(self.neighbours(v) & self.neighbours(u)) != 2:
            return None
        kinds = {0} if loose else {self.part[i] for i in self.around[v]}
        line = None
        if len(kinds) > 2:
            return None
        if len(kinds) == 2:
            if len({self.part[i] for i in shared}) != 2:
                return None
            rim = [w for w in self.neighbours(v)
                   if len({self.part[i] for i in self.around[v] & self.around[w]}) == 2]
            if len(rim) != 2:
                return None
            line = rim[0] if rim[1] == u else rim[1]
        cost = 0.0
        pu, pv = self.p[u], self.p[v]
        for i in self.around[v]:
            t = self.t[i]
            n = self.normal(*t)
            if n is None:
                continue
            cost = max(cost, abs(sum(n[k] * (pu[k] - pv[k]) for k in range(3))))
            if i in shared:
                continue
            moved = [u if w == v else w for w in t]
            m = self.normal(*moved)
            if m is None:
                return None
            d = n[0] * m[0] + n[1] * m[1] + n[2] * m[2]
            q = self.quality(*moved)
            if d < 0.7 or q < min(0.05, 0.7 * self.quality(*t)):
                return None
        if line is not None:
            c = self.cross(line, v, u)
            base = math.sqrt(self.dist2(line, u))
            if base == 0:
                return None
            cost = max(cost, math.sqrt(sum(x * x for x in c)) / base)
        return cost

    def collapse(self, v, u):
        for i in sorted(self.around[v]):
            t, part = self.t[i], self.part[i]
            self.remove(i)
            if u not in t:
                self.insert(tuple(u if w == v else w for w in t), part)

    def split(self, a, b):
        c = len(self.p)
        self.p.append(tuple(float(np.float32((x + y) / 2)) for x, y in zip(self.p[a], self.p[b])))
        for i in sorted(self.around[a] & self.around[b]):
            t, part = self.t[i], self.part[i]
            self.remove(i)
            self.insert(tuple(c if w == b else w for w in t), part)
            self.insert(tuple(c if w == a else w for w in t), part)

    def fold_caps(self, limit=4e-4):
        """Remove triangles whose tip lies almost on the opposite edge, by splitting the neighbour there."""
        for i in sorted(self.t):
            t = self.t.get(i)
            if t is None:
                continue
            k = max(range(3), key=lambda n: self.dist2(t[(n + 1) % 3], t[(n + 2) % 3]))
            c, x, y = t[k], t[(k + 1) % 3], t[(k + 2) % 3]
            if self.height(*t) > limit:
                continue
            j = (self.around[x] & self.around[y]) - {i}
            if len(j) != 1:
                continue
            j = j.pop()
            d = [w for w in self.t[j] if w not in (x, y)][0]
            if c in self.neighbours(d):
                continue
            ref, m0, m1 = self.normal(*self.t[j]), self.normal(c, x, d), self.normal(c, d, y)
            if None in (ref, m0, m1) or min(sum(p * q for p, q in zip(ref, m)) for m in (m0, m1)) < 0.95:
                continue
            if min(self.height(c, x, d), self.height(c, d, y)) < 2 * self.height(*t):
                continue
            part = self.part[j]
            self.remove(i)
            self.remove(j)
            self.insert((c, x, d), part)
            self.insert((c, d, y), part)

    def flip_slivers(self, below=0.2, flat=0.9999995):
        """Swap diagonals of flat quads of one part where the worse triangle gets better."""
        for _ in range(4):
            done = 0
            for a, b in self.edges():
                ids = self.around.get(a, set()) & self.around.get(b, set())
                if len(ids) != 2:
                    continue
                i, j = sorted(ids)
                if self.part[i] != self.part[j]:
                    continue
                t, s = self.t[i], self.t[j]
                worst = min(self.quality(*t), self.quality(*s))
                if worst > below:
                    continue
                k = [n for n in range(3) if t[n] not in (a, b)][0]
                c, x, y = t[k], t[(k + 1) % 3], t[(k + 2) % 3]
                d = [w for w in s if w not in (a, b)][0]
                if c in self.neighbours(d):
                    continue
                n0, n1 = self.normal(*t), self.normal(*s)
                m0, m1 = self.normal(c, x, d), self.normal(c, d, y)
                if None in (m0, m1):
                    continue
                ref = n0 if self.quality(*t) > self.quality(*s) else n1
                if min(sum(p * q for p, q in zip(ref, m)) for m in (m0, m1)) < flat:
                    continue
                if min(self.quality(c, x, d), self.quality(c, d, y)) <= worst * 1.05:
                    continue
                part = self.part[i]
                self.remove(i)
                self.remove(j)
                self.insert((c, x, d), part)
                self.insert((c, d, y), part)
                done += 1
            if not done:
                break

    def collapse_until(self, stop, limit, short=None, loose=False):
        """Collapse the cheapest edges until stop() holds; limit bounds the shape error, short the edge length."""
        heap = []

        def push(a, b):
            if short is not None and self.dist2(a, b) > short * short:
                return
            for v, u in ((a, b), (b, a)):
                c = self.collapse_cost(v, u, loose)
                if c is not None and c <= limit:
                    heapq.heappush(heap, (c + 1e-4 * math.sqrt(self.dist2(v, u)), v, u))

        for a, b in self.edges():
            push(a, b)
        worst = 0.0
        while heap and not stop():
            key, v, u = heapq.heappop(heap)
            if not self.around.get(v) or not self.around.get(u) or not (self.around[v] & self.around[u]):
                continue
            c = self.collapse_cost(v, u, loose)
            if c is None or c > limit:
                continue
            if c + 1e-4 * math.sqrt(self.dist2(v, u)) > key + 1e-9:
                heapq.heappush(heap, (c + 1e-4 * math.sqrt(self.dist2(v, u)), v, u))
                continue
            ring = sorted(self.neighbours(v))
            self.collapse(v, u)
            worst = max(worst, c)
            for w in ring:
                if w != u:
                    for x in sorted(self.neighbours(w)):
                        push(w, x)
        return worst

    def split_until(self, count):
        """Split the longest edges until the mesh has count triangles."""
        heap = [(-self.dist2(a, b), a, b) for a, b in self.edges()]
        heapq.heapify(heap)
        while len(self.t) < count:
            key, a, b = heapq.heappop(heap)
            if len(self.around[a] & self.around[b]) != 2:
                continue
            self.split(a, b)
            c = len(self.p) - 1
            for w in sorted(self.neighbours(c)):
                heapq.heappush(heap, (-self.dist2(c, w), c, w))

    def arrays(self):
        keys = sorted(self.t)
        used = sorted({v for k in keys for v in self.t[k]})
        index = {v: i for i, v in enumerate(used)}
        return ([self.p[v] for v in used], [tuple(index[v] for v in self.t[k]) for k in keys],
                [self.part[k] for k in keys])


# ---------------------------------------------------------------- model

class Model:
    def __init__(self, name, triangles):
        self.name = name
        self.triangles = triangles
        self.materials = {}
        self.parts = []    # (material name, smoothing angle) of each part number
        self.solids = []   # (Solid, part number of each band)
        bpy.ops.wm.read_factory_settings(use_empty=True)

    def material(self, name, colour, metallic=0.0, roughness=0.5, emission=None):
        """colour and emission are '#rrggbb' in sRGB."""
        mat = bpy.data.materials.new(name)
        mat.use_nodes = True
        mat.use_backface_culling = True  # exported as single-sided
        node = mat.node_tree.nodes['Principled BSDF']
        node.inputs['Base Color'].default_value = _linear(colour)
        node.inputs['Metallic'].default_value = metallic
        node.inputs['Roughness'].default_value = roughness
        if emission:
            node.inputs['Emission'].default_value = _linear(emission)
            node.inputs['Emission Strength'].default_value = 1.0
        self.materials[name] = mat

    def add(self, solid, materials, smooth=40.0):
        """Add a solid. materials names one material, or one per band; edges sharper than smooth stay sharp."""
        if isinstance(materials, str):
            materials = [materials]
        first = len(self.parts)
        for m in materials:
            self.parts.append((m, smooth))
        self.solids.append((solid, [first + b for b in range(len(materials))]))

    def add_pair(self, solid, materials, smooth=40.0):
        """Add a solid and its mirror image."""
        self.add(solid, materials, smooth)
        self.add(solid.mirrored(), materials, smooth)

    def _union(self):
        tags = [bpy.data.materials.new('part%04d' % i) for i in range(len(self.parts))]
        rest = bpy.data.collections.new('rest')
        bpy.context.scene.collection.children.link(rest)
        first = None
        for solid, numbers in self.solids:
            mesh = bpy.data.meshes.new('solid')
            mesh.from_pydata([tuple(v) for v in solid.verts], [], solid.faces)
            for tag in tags:
                mesh.materials.append(tag)
            for poly, band in zip(mesh.polygons, solid.bands):
                poly.material_index = numbers[band]
            obj = bpy.data.objects.new('solid', mesh)
            if first is None:
                first = obj
                bpy.context.scene.collection.objects.link(obj)
            else:
                rest.objects.link(obj)
        if len(self.solids) > 1:
            mod = first.modifiers.new('union', 'BOOLEAN')
            mod.operation = 'UNION'
            mod.solver = 'EXACT'
            mod.operand_type = 'COLLECTION'
            mod.collection = rest
        graph = bpy.context.evaluated_depsgraph_get()
        mesh = bpy.data.meshes.new_from_object(first.evaluated_get(graph))
        bm = bmesh.new()
        bm.from_mesh(mesh)
        for obj in [first] + list(rest.objects):
            bpy.data.objects.remove(obj)
        bpy.data.collections.remove(rest)
        for tag in tags:
            bpy.data.materials.remove(tag)
        return bm

    def build(self, path, short=0.004, tolerance=0.0015, fit_tolerance=0.01):
        bm = self._union()
        bmesh.ops.remove_doubles(bm, verts=bm.verts[:], dist=1e-6)
        bmesh.ops.triangulate(bm, faces=bm.faces[:], quad_method='BEAUTY', ngon_method='BEAUTY')
        bm.verts.index_update()
        tri = TriMesh([v.co for v in bm.verts], [[v.index for v in f.verts] for f in bm.faces],
                      [f.material_index for f in bm.faces])
        bm.free()
        raw = len(tri.t)
        # drop vertices that carry no shape, then tiny edges, then bad triangles
        tri.collapse_until(lambda: False, 2e-6)
        tri.flip_slivers()
        flat = len(tri.t)
        tri.collapse_until(lambda: False, tolerance, short)
        tri.collapse_until(lambda: False, tolerance, short / 2, loose=True)
        tri.fold_caps()
        tri.flip_slivers()
        clean = len(tri.t)
        worst = tri.collapse_until(lambda: len(tri.t) <= self.triangles, fit_tolerance)
        tri.fold_caps()
        tri.flip_slivers()
        fitted = len(tri.t)
        tri.split_until(self.triangles)
        print('%s: union %d, flat merged %d, short edges %d, collapsed %d (error %.4f), final %d triangles' %
              (self.name, raw, flat, clean, fitted, worst, len(tri.t)))
        self._export(path, *tri.arrays())

    def _export(self, path, verts, tris, parts):
        mesh = bpy.data.meshes.new(self.name)
        mesh.from_pydata(verts, [], tris)
        slots = sorted({self.parts[p][0] for p in parts}, key=list(self.materials).index)
        for name in slots:
            mesh.materials.append(self.materials[name])
        for poly, p in zip(mesh.polygons, parts):
            poly.material_index = slots.index(self.parts[p][0])
            poly.use_smooth = True
        # an edge is sharp between two parts, or where a part bends by more than its smoothing angle
        bm = bmesh.new()
        bm.from_mesh(mesh)
        bm.faces.ensure_lookup_table()
        for e in bm.edges:
            a, b = e.link_faces
            pa, pb = parts[a.index], parts[b.index]
            e.smooth = pa == pb and e.calc_face_angle(0.0) <= math.radians(self.parts[pa][1])
        bm.to_mesh(mesh)
        bm.free()
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = math.pi
        obj = bpy.data.objects.new(self.name, mesh)
        bpy.context.scene.collection.objects.link(obj)
        bpy.ops.export_scene.gltf(filepath=path, export_format='GLB', export_texcoords=False, export_normals=True,
                                  export_materials='EXPORT', export_colors=False, export_animations=False,
                                  export_skins=False, export_morph=False, export_cameras=False, export_lights=False,
                                  export_yup=True)


def _linear(colour):
    out = []
    for i in (1, 3, 5):
        c = int(colour[i:i + 2], 16) / 255
        out.append(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
    return (*out, 1.0)


def output_path():
    """The path after '--' on the Blender command line."""
    if '--' not in sys.argv or sys.argv.index('--') + 1 >= len(sys.argv):
        sys.exit('usage: blender -b --factory-startup --python SCRIPT.py -- OUT.glb')
    return sys.argv[sys.argv.index('--') + 1]
