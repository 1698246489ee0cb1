# SPDX-License-Identifier: MIT
# A closed triangle mesh that is cleaned and brought to an exact count of triangles.
import heapq
import math

import numpy as np


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
