# SPDX-License-Identifier: MIT
"""trimesh's collision manager on this library: `from nearmiss.trimesh import CollisionManager`.

The interface is that of trimesh.collision, and trimesh itself is not needed: any object with `vertices` and `faces`
is a mesh. What differs: closed meshes are solids, so that one inside another touches it; each pair has one contact,
its depth and normal being those of the shortest way out found within a quarter of a second; the distance of meshes
that touch is 0.
"""
import collections
import hashlib

import numpy as np

from . import Error, PointSide, Shape, Verdict, World, collide, distance, penetration, side_of

__all__ = ["CollisionManager", "ContactData", "DistanceData", "scene_to_collision"]

EXTERNAL = "__external"
MAX_KEPT_SHAPES = 64


class ContactData:
    """One contact of two meshes."""

    def __init__(self, names, indices, point, normal, depth):
        self.names = set(names)
        self._indices = dict(zip(names, indices))
        self._point, self._normal, self._depth = point, normal, depth

    @property
    def point(self):
        """In world coordinates, in or on both meshes."""
        return self._point

    @property
    def normal(self):
        """Of unit length, from the first mesh to the second; zero where they only just touch."""
        return self._normal

    @property
    def depth(self):
        """Moving the second mesh along the normal by this separates the two."""
        return self._depth

    def index(self, name):
        """The face of that mesh which holds the contact; -1 where one mesh lies inside the other."""
        return self._indices[name]


class DistanceData:
    """The distance of two meshes, and where they are that near."""

    def __init__(self, names, indices, points, distance):
        self.names = set(names)
        self._indices, self._points = dict(zip(names, indices)), dict(zip(names, points))
        self._distance = distance

    @property
    def distance(self):
        return self._distance

    def index(self, name):
        """The face of that mesh which holds its point; -1 where one mesh lies inside the other."""
        return self._indices[name]

    def point(self, name):
        """The nearest point of that mesh, in world coordinates; one in both where one lies inside the other."""
        return self._points[name]


def _whole(faces):
    """Faces as whole numbers: a cast alone would cut off fractions."""
    given = np.asarray(faces)
    if given.dtype.kind not in "iufO" and given.size:
        raise Error("faces must be whole numbers")
    with np.errstate(invalid="ignore"):
        whole = np.ascontiguousarray(given, dtype=np.int64)
    if not np.array_equal(whole, given):
        raise Error("faces must be whole numbers")
    return whole


class _Solid:
    """A mesh ready to collide, and which faces it had before it was cleaned."""

    _kept = collections.OrderedDict()

    def __init__(self, vertices, faces):
        self.shape = Shape(vertices, faces)
        self._given = vertices, faces
        self._face_of = None

    @classmethod
    def of(cls, mesh):
        vertices = np.ascontiguousarray(mesh.vertices, dtype=np.float64)
        faces = _whole(mesh.faces)
        key = hashlib.sha256(vertices.tobytes() + faces.tobytes()).digest(), vertices.shape, faces.shape
        solid = cls._kept.pop(key, None) or cls(vertices.copy(), faces.copy())
        cls._kept[key] = solid
        while len(cls._kept) > MAX_KEPT_SHAPES:
            cls._kept.popitem(last=False)
        return solid

    def face_of(self, triangle):
        """The index in the mesh that was given: cleaning turns triangles and leaves some out."""
        if self._face_of is None:
            vertices, faces = self._given
            numbers = {}
            for corners, number in zip(vertices[faces], range(len(faces))):
                numbers.setdefault(self._key(corners), number)
            cleaned = self.shape.vertices[self.shape.faces]
            self._face_of = [numbers.get(self._key(corners), -1) for corners in cleaned]
        return self._face_of[triangle]

    @staticmethod
    def _key(corners):
        return tuple(sorted(map(tuple, (corners + 0.0).tolist())))


class _Placed:
    """A solid at a place."""

    def __init__(self, name, solid, pose):
        self.name, self.solid, self.pose = name, solid, pose

    def gap(self, other):
        """A lower bound on the distance, of bounding spheres."""
        apart = np.linalg.norm(self.pose[:3, 3] - other.pose[:3, 3])
        return apart - self.solid.shape.radius - other.solid.shape.radius

    def corners(self, triangle):
        shape = self.solid.shape
        return self.moved(shape.vertices[shape.faces[triangle]])

    def moved(self, points):
        return points @ self.pose[:3, :3].T + self.pose[:3, 3]

    def answer(self, other):
        return collide(self.solid.shape, self.pose, other.solid.shape, other.pose)

    def touches(self, other):
        return self.answer(other).verdict == Verdict.CONTACT

    def contact(self, other):
        answer = self.answer(other)
        way = penetration(self.solid.shape, self.pose, other.solid.shape, other.pose, budget=0.25)
        if answer.triangles is None:
            indices, point = (-1, -1), self.held_point(other)
        else:
            mine, its = answer.triangles
            indices = self.solid.face_of(mine), other.solid.face_of(its)
            point = _meeting_point(self.corners(mine), other.corners(its))
        return ContactData((self.name, other.name), indices, point, way.direction, way.upper)

    def held_point(self, other):
        """Where one holds the other, or a piece of it: a vertex of that."""
        for inner, outer in (self, other), (other, self):
            points = inner.moved(inner.solid.shape.vertices)
            held = np.flatnonzero(side_of(outer.solid.shape, outer.pose, points) == int(PointSide.INSIDE))
            if held.size:
                return points[held[0]]
        return self.moved(self.solid.shape.vertices[:1])[0]

    def distance(self, other):
        return distance(self.solid.shape, self.pose, other.solid.shape, other.pose)

    def distance_data(self, other, bounds):
        if bounds.triangles is None:
            indices, points = (-1, -1), (self.held_point(other),) * 2
        else:
            indices = self.solid.face_of(bounds.triangles[0]), other.solid.face_of(bounds.triangles[1])
            points = bounds.points
        return DistanceData((self.name, other.name), indices, points, bounds.upper)


def _crossings(corners, other):
    """Where the edges of one triangle pass through another."""
    normal = np.cross(other[1] - other[0], other[2] - other[0])
    heights = (corners - other[0]) @ normal
    for i in range(3):
        low, high = heights[i], heights[(i + 1) % 3]
        if (low < 0) == (high < 0) or low == high:
            continue
        point = corners[i] + (corners[(i + 1) % 3] - corners[i]) * (low / (low - high))
        sides = [np.dot(np.cross(other[(k + 1) % 3] - other[k], point - other[k]), normal) for k in range(3)]
        if min(sides) >= -1e-9 * np.dot(normal, normal):
            yield point


def _clipped(corners, other, normal):
    """What of a triangle lies above and below another, as corners of a polygon."""
    # Rounding must not cut off corners and edges that just touch
    slack = 1e-9 * np.dot(normal, normal)
    for k in range(3):
        inward = np.cross(normal, other[(k + 1) % 3] - other[k])
        heights = [np.dot(corner - other[k], inward) + slack for corner in corners]
        kept = []
        for i, (corner, high) in enumerate(zip(corners, heights)):
            before, low = corners[i - 1], heights[i - 1]
            if (low < 0) != (high < 0):
                kept.append(before + (corner - before) * (low / (low - high)))
            if high >= 0:
                kept.append(corner)
        corners = kept
    return corners


def _shared(corners, other):
    """Corners of what of a triangle lies above and below another, and how far from its plane each is."""
    normal = np.cross(other[1] - other[0], other[2] - other[0])
    length = np.linalg.norm(normal)
    if length > 0:
        for point in _clipped(corners, other, normal):
            yield point, abs(np.dot(point - other[0], normal)) / length


def _meeting_point(first, second):
    """The middle of what two triangles that meet have in common."""
    points = [*_crossings(first, second), *_crossings(second, first)]
    if points:
        return np.mean(points, axis=0)
    # They are coplanar, or only touch: use the part of each that lies in the other's plane
    shared = [*_shared(first, second), *_shared(second, first)]
    if shared:
        size = np.ptp(np.concatenate((first, second)), axis=0).max()
        most = min(height for _, height in shared) + 1e-9 * size
        return np.mean([point for point, height in shared if height <= most], axis=0)
    # For needles without area: a corner near both
    every = np.concatenate((first, second))
    return every[np.argmin(np.linalg.norm(every - every.mean(axis=0), axis=1))]


def _matrix(transform):
    matrix = np.eye(4) if transform is None else np.asarray(transform, dtype=np.float64)
    if matrix.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    return matrix.copy()


def _nearest(pairs):
    """The nearest of pairs of placed solids: the two, and their distance; None where there is no pair."""
    best = None
    for _, first, second in sorted(((a.gap(b), a, b) for a, b in pairs), key=lambda pair: pair[0]):
        if best and first.gap(second) > best[2].upper:
            break
        bounds = first.distance(second)
        if best is None or bounds.upper < best[2].upper:
            best = first, second, bounds
    return best


def _with(result, *wanted):
    extras = [value for value, want in wanted if want]
    return (result, *extras) if extras else result


class CollisionManager:
    """Meshes by name, each at its place."""

    def __init__(self):
        self._world, self._placed, self._bodies, self._names = World(), {}, {}, {}

    def add_object(self, name, mesh, transform=None):
        """Adds a mesh, or replaces the one of that name."""
        hash(name)  # refused before anything is added
        matrix, solid = _matrix(transform), _Solid.of(mesh)
        body = self._world.add(solid.shape, matrix)
        if name in self._placed:
            self.remove_object(name)
        self._placed[name] = _Placed(name, solid, matrix)
        self._bodies[name], self._names[body] = body, name
        return self._placed[name]

    def remove_object(self, name):
        self._need(name)
        body = self._bodies[name]
        self._world.remove(body)
        del self._bodies[name], self._placed[name], self._names[body]

    def set_transform(self, name, transform):
        self._need(name)
        matrix = _matrix(transform)
        self._world.set(self._bodies[name], matrix)
        self._placed[name].pose = matrix

    def in_collision_single(self, mesh, transform=None, return_names=False, return_data=False):
        """Whether a mesh touches any object; with the names of these, and with contacts."""
        other = _Placed(EXTERNAL, _Solid.of(mesh), _matrix(transform))
        return self._touching([(placed, other) for placed in self._placed.values()],
                              lambda a, b: a.name, return_names, return_data)

    def in_collision_internal(self, return_names=False, return_data=False):
        """Whether two objects touch; with pairs of names, and with contacts."""
        found = [(self._placed[self._names[a]], self._placed[self._names[b]])
                 for a, b in self._world.collisions().pairs.tolist()]
        contacts = [a.contact(b) for a, b in found] if return_data else []
        names = {tuple(sorted((a.name, b.name))) for a, b in found}
        return _with(bool(found), (names, return_names), (contacts, return_data))

    def in_collision_other(self, other_manager, return_names=False, return_data=False):
        """Whether an object touches one of another manager; names are pairs of ours and the other's."""
        pairs = [(a, b) for a in self._placed.values() for b in other_manager._placed.values()]
        return self._touching(pairs, lambda a, b: (a.name, b.name), return_names, return_data)

    def min_distance_single(self, mesh, transform=None, return_name=False, return_data=False):
        """The least distance of a mesh and any object; with that one's name, and with the points."""
        other = _Placed(EXTERNAL, _Solid.of(mesh), _matrix(transform))
        return self._nearest([(placed, other) for placed in self._placed.values()],
                             lambda a, b: a.name, return_name, return_data)

    def min_distance_internal(self, return_names=False, return_data=False):
        """The least distance of two objects; with their names, and with the points."""
        bodies = self._world.min_distance().bodies
        pairs = [tuple(self._placed[self._names[body]] for body in bodies)] if bodies else []
        return self._nearest(pairs, lambda a, b: tuple(sorted((a.name, b.name))), return_names, return_data)

    def min_distance_other(self, other_manager, return_names=False, return_data=False):
        """The least distance of an object and one of another manager."""
        pairs = [(a, b) for a in self._placed.values() for b in other_manager._placed.values()]
        return self._nearest(pairs, lambda a, b: (a.name, b.name), return_names, return_data)

    def _need(self, name):
        if name not in self._placed:
            raise ValueError(f"{name} not in collision manager!")

    def _touching(self, pairs, name_of, return_names, return_data):
        touching = ((a, b) for a, b in pairs if a.touches(b))
        if not (return_names or return_data):
            return next(touching, None) is not None
        found = list(touching)
        contacts = [a.contact(b) for a, b in found] if return_data else []
        return _with(bool(found), ({name_of(a, b) for a, b in found}, return_names), (contacts, return_data))

    def _nearest(self, pairs, name_of, return_names, return_data):
        best = _nearest(pairs)
        if best is None:
            return _with(np.inf, (None, return_names), (None, return_data))
        first, second, bounds = best
        data = first.distance_data(second, bounds)
        return _with(bounds.upper, (name_of(first, second), return_names), (data, return_data))


def scene_to_collision(scene):
    """A manager of all meshes of a trimesh scene, by node, and what add_object() returned for each."""
    manager, objects = CollisionManager(), {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects
