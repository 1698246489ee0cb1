# SPDX-License-Identifier: MIT
"""A collision manager with the interface of trimesh.collision: `from nearmiss.trimesh import CollisionManager`.

Does not need trimesh. A mesh is any object with `vertices` (n, 3) and `faces` (m, 3), such as a mesh or a primitive of trimesh.
Transforms are 4x4 matrices of rigid motions, lengths are in metres.

>>> manager = CollisionManager()
>>> manager.add_object("cube", nearmiss.box([1, 1, 1]))
>>> manager.min_distance_single(nearmiss.box([1, 1, 1]), away)
0.5

Differences from trimesh:

- A closed mesh is a solid, so a mesh inside another one touches it.
- Each pair has one contact. Its depth and normal are those of the shortest separating translation found within a quarter of a
  second. Meshes that only touch have their contact at a corner of the patch.
- The distance of meshes that overlap is minus that depth. Trimesh returns some negative number.
"""
from __future__ import annotations

import collections
import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import (DistanceBounds, Error, PointSide, Refinement, Shape, World, collide, contact_manifold, distance, nearest_point,
               penetration, side_of)

__all__ = ["CollisionManager", "ContactData", "DistanceData", "scene_to_collision"]

EXTERNAL = "__external"
MAX_KEPT_SHAPES = 64
CONTACT_BUDGET = 0.25  # seconds for the depth of a contact
DISTANCE_BUDGET = 1.0  # seconds for the depths of all overlapping pairs of one call
TOUCH = 1e-6  # overlap, relative to the size, up to which meshes only touch

Array = NDArray[np.float64]
Name = Any  # hashable


class Mesh(Protocol):
    """Any object with vertices and faces."""

    @property
    def vertices(self) -> Any: ...
    @property
    def faces(self) -> Any: ...


class ContactData:
    """One contact of two meshes."""

    def __init__(self, names: Iterable[Name], indices: Iterable[int], point: Array, normal: Array, depth: float) -> None:
        ordered = list(names)
        #: The names of both meshes; "__external" for a mesh that is not in a manager.
        self.names: set[Name] = set(ordered)
        self._indices: dict[Name, int] = dict(zip(ordered, indices))
        self._point, self._normal, self._depth = point, normal, depth

    def __repr__(self) -> str:
        return f"ContactData({sorted(map(str, self.names))}, point={np.round(self._point, 4).tolist()}, depth={self._depth:.4g})"

    @property
    def point(self) -> Array:
        """A point in or on both meshes: an array (3) [m], world frame."""
        return self._point

    @property
    def normal(self) -> Array:
        """Unit vector from the first mesh to the second: an array (3). Zero if they only just touch."""
        return self._normal

    @property
    def depth(self) -> float:
        """Moving the second mesh along the normal by this distance separates the two [m]."""
        return self._depth

    def index(self, name: Name) -> int:
        """Returns the face of that mesh that contains the contact; -1 if one mesh lies inside the other."""
        return self._indices[name]


class DistanceData:
    """The distance of two meshes, and their nearest points."""

    def __init__(self, names: Iterable[Name], indices: Iterable[int], points: Iterable[Array], distance: float) -> None:
        ordered = list(names)
        #: The names of both meshes; "__external" for a mesh that is not in a manager.
        self.names: set[Name] = set(ordered)
        self._indices: dict[Name, int] = dict(zip(ordered, indices))
        self._points: dict[Name, Array] = dict(zip(ordered, points))
        self._distance = distance

    def __repr__(self) -> str:
        return f"DistanceData({sorted(map(str, self.names))}, distance={self._distance:.4g})"

    @property
    def distance(self) -> float:
        """The distance [m]. Negative for meshes that overlap: minus their penetration depth."""
        return self._distance

    def index(self, name: Name) -> int:
        """Returns the face of that mesh that contains its point; -1 if one mesh lies inside the other."""
        return self._indices[name]

    def point(self, name: Name) -> Array:
        """Returns the nearest point of that mesh: an array (3) [m], world frame. For meshes that overlap, a point in both."""
        return self._points[name]


def _whole(faces: ArrayLike) -> NDArray[np.int64]:
    """Returns faces as whole numbers: a cast alone would cut off fractions."""
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

    _kept: collections.OrderedDict[Any, _Solid] = collections.OrderedDict()

    def __init__(self, vertices: Array, faces: NDArray[np.int64]) -> None:
        self.shape = Shape(vertices, faces)
        self._given = vertices, faces
        self._face_of: Optional[list[int]] = None

    @classmethod
    def of(cls, mesh: Mesh, stretch: Optional[Array] = None) -> _Solid:
        """Returns the solid of a mesh whose vertices are multiplied by `stretch`. Reuses the shapes of equal meshes."""
        if not hasattr(mesh, "vertices") or not hasattr(mesh, "faces"):
            raise TypeError(f"mesh must have vertices and faces, but is of type {type(mesh).__name__}")
        vertices = np.ascontiguousarray(mesh.vertices, dtype=np.float64)
        faces = _whole(mesh.faces)
        if stretch is not None:
            vertices = np.ascontiguousarray(vertices @ stretch.T)
            if np.linalg.det(stretch) < 0:
                faces = np.ascontiguousarray(faces[:, ::-1])
        key = hashlib.sha256(vertices.tobytes() + faces.tobytes()).digest(), vertices.shape, faces.shape
        solid = cls._kept.pop(key, None) or cls(vertices.copy(), faces.copy())
        cls._kept[key] = solid
        while len(cls._kept) > MAX_KEPT_SHAPES:
            cls._kept.popitem(last=False)
        return solid

    def face_of(self, triangle: int) -> int:
        """Returns the face of the given mesh: cleaning turns triangles and leaves some out."""
        if self._face_of is None:
            vertices, faces = self._given
            numbers: dict[Any, int] = {}
            for number, corners in enumerate(vertices[faces]):
                numbers.setdefault(self._key(corners), number)
            cleaned = self.shape.vertices[self.shape.faces]
            self._face_of = [numbers.get(self._key(corners), -1) for corners in cleaned]
        return self._face_of[triangle]

    @staticmethod
    def _key(corners: Array) -> Any:
        return tuple(sorted(map(tuple, (corners + 0.0).tolist())))


class _Placed:
    """A solid in a pose."""

    def __init__(self, name: Name, solid: _Solid, pose: Array) -> None:
        self.name, self.solid, self.pose = name, solid, pose

    def __repr__(self) -> str:
        return f"<{self.name!r}: {self.solid.shape}>"

    def gap(self, other: _Placed) -> float:
        """Returns a lower bound on the distance, by bounding spheres."""
        apart = float(np.linalg.norm(self.pose[:3, 3] - other.pose[:3, 3]))
        return apart - self.solid.shape.radius - other.solid.shape.radius

    def corners(self, triangle: int) -> Array:
        shape = self.solid.shape
        return self.moved(shape.vertices[shape.faces[triangle]])

    def moved(self, points: Array) -> Array:
        moved: Array = points @ self.pose[:3, :3].T + self.pose[:3, 3]
        return moved

    def answer(self, other: _Placed) -> Refinement:
        return collide(self.solid.shape, self.pose, other.solid.shape, other.pose)

    def touches(self, other: _Placed) -> bool:
        return self.answer(other).touching is True

    def contact(self, other: _Placed) -> ContactData:
        answer = self.answer(other)
        way = penetration(self.solid.shape, self.pose, other.solid.shape, other.pose, budget=CONTACT_BUDGET)
        indices, point = self._contact_at(other, answer, way.upper)
        return ContactData((self.name, other.name), indices, point, way.direction, way.upper)

    def _contact_at(self, other: _Placed, answer: Refinement, depth: float) -> tuple[tuple[int, int], Array]:
        if depth <= self.touch(other):
            if found := self._corner(other):
                return found
        if answer.triangles is None:
            return (-1, -1), self.held_point(other)
        mine, its = answer.triangles
        return (self.solid.face_of(mine), other.solid.face_of(its)), _meeting_point(self.corners(mine), other.corners(its))

    def _corner(self, other: _Placed) -> Optional[tuple[tuple[int, int], Array]]:
        """Returns a corner of the patch in which two meshes touch, and the faces that contain it."""
        manifold = contact_manifold(self.solid.shape, self.pose, other.solid.shape, other.pose)
        tolerance = 2 * self.touch(other)
        for point in manifold.on_a:
            faces = []
            for placed in (self, other):
                near = nearest_point(placed.solid.shape, placed.pose, point, reach=tolerance)
                if near["triangles"] < 0:
                    break
                faces.append(placed.solid.face_of(int(near["triangles"])))
            if len(faces) == 2:
                return (faces[0], faces[1]), point
        return None

    def held_point(self, other: _Placed) -> Array:
        """Returns a vertex of the mesh, or piece of one, that the other contains."""
        for inner, outer in (self, other), (other, self):
            points = inner.moved(inner.solid.shape.vertices)
            held = np.flatnonzero(side_of(outer.solid.shape, outer.pose, points) == int(PointSide.INSIDE))
            if held.size:
                return np.asarray(points[held[0]])
        return np.asarray(self.moved(self.solid.shape.vertices[:1])[0])

    def distance(self, other: _Placed) -> DistanceBounds:
        return distance(self.solid.shape, self.pose, other.solid.shape, other.pose)

    def depth(self, other: _Placed, budget: float) -> float:
        """Returns the penetration depth, 0 if the two only touch."""
        depth = penetration(self.solid.shape, self.pose, other.solid.shape, other.pose, budget=budget).upper
        return depth if depth > self.touch(other) else 0.0

    def touch(self, other: _Placed) -> float:
        """Returns the overlap up to which the two only touch."""
        return TOUCH * min(self.solid.shape.radius, other.solid.shape.radius)

    def distance_data(self, other: _Placed, bounds: DistanceBounds, value: float) -> DistanceData:
        if bounds.triangles is None:
            point = self.held_point(other)
            return DistanceData((self.name, other.name), (-1, -1), (point, point), value)
        indices = self.solid.face_of(bounds.triangles[0]), other.solid.face_of(bounds.triangles[1])
        return DistanceData((self.name, other.name), indices, bounds.points, value)


def _crossings(corners: Array, other: Array) -> Iterator[Array]:
    """Yields the points at which the edges of one triangle pass through another."""
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


def _clipped(corners: Sequence[Array] | Array, other: Array, normal: Array) -> Sequence[Array] | Array:
    """Returns the part of a triangle above and below another, as corners of a polygon."""
    # Rounding must not cut off corners and edges that just touch
    slack = 1e-9 * np.dot(normal, normal)
    for k in range(3):
        inward = np.cross(normal, other[(k + 1) % 3] - other[k])
        heights = [np.dot(corner - other[k], inward) + slack for corner in corners]
        kept: list[Array] = []
        for i, (corner, high) in enumerate(zip(corners, heights)):
            before, low = corners[i - 1], heights[i - 1]
            if (low < 0) != (high < 0):
                kept.append(before + (corner - before) * (low / (low - high)))
            if high >= 0:
                kept.append(corner)
        corners = kept
    return corners


def _shared(corners: Array, other: Array) -> Iterator[tuple[Array, float]]:
    """Yields the corners of the part of a triangle above and below another, and their distances from its plane."""
    normal = np.cross(other[1] - other[0], other[2] - other[0])
    length = np.linalg.norm(normal)
    if length > 0:
        for point in _clipped(corners, other, normal):
            yield point, float(abs(np.dot(point - other[0], normal)) / length)


def _meeting_point(first: Array, second: Array) -> Array:
    """Returns the middle of the intersection of two triangles."""
    points = [*_crossings(first, second), *_crossings(second, first)]
    if points:
        return np.asarray(np.mean(points, axis=0))
    # They are coplanar, or only touch: use the part of each that lies in the other's plane
    shared = [*_shared(first, second), *_shared(second, first)]
    if shared:
        size = np.ptp(np.concatenate((first, second)), axis=0).max()
        most = min(height for _, height in shared) + 1e-9 * size
        return np.asarray(np.mean([point for point, height in shared if height <= most], axis=0))
    # For needles without area: a corner near both
    every = np.concatenate((first, second))
    return np.asarray(every[np.argmin(np.linalg.norm(every - every.mean(axis=0), axis=1))])


def _matrix(transform: Optional[ArrayLike]) -> Array:
    matrix = np.eye(4) if transform is None else np.asarray(transform, dtype=np.float64)
    if matrix.shape != (4, 4):
        raise ValueError(f"transform must be a 4x4 matrix, not an array of shape {matrix.shape}")
    return matrix.copy()


def _rigid(transform: ArrayLike) -> tuple[Array, Optional[Array]]:
    """Splits a transform into a rigid one and a matrix for vertices before it; None if it is rigid already."""
    matrix = _matrix(transform)
    linear = matrix[:3, :3].copy()
    if np.allclose(linear.T @ linear, np.eye(3), rtol=0, atol=1e-9) and np.linalg.det(linear) > 0:
        return matrix, None
    u, sizes, vt = np.linalg.svd(linear)
    if not sizes.min() > 0:
        raise ValueError("transform flattens the mesh")
    if np.linalg.det(u @ vt) < 0:
        u[:, 2] *= -1
    turn = u @ vt
    matrix[:3, :3] = turn
    return matrix, np.asarray(turn.T @ linear)


Pair = tuple[_Placed, _Placed]


def _nearest(pairs: Iterable[Pair]) -> Optional[tuple[_Placed, _Placed, DistanceBounds, float]]:
    """Returns the nearest two of these pairs, their bounds and their distance; the deepest if some overlap."""
    best: Optional[tuple[_Placed, _Placed, DistanceBounds]] = None
    overlapping: list[tuple[_Placed, _Placed, DistanceBounds]] = []
    for gap, first, second in sorted(((a.gap(b), a, b) for a, b in pairs), key=lambda pair: pair[0]):
        if best and gap > best[2].upper:
            break
        bounds = first.distance(second)
        if bounds.upper == 0:
            overlapping.append((first, second, bounds))
        if best is None or bounds.upper < best[2].upper:
            best = first, second, bounds
    if best is None:
        return None
    if not overlapping:
        return (*best, best[2].upper)
    budget = min(CONTACT_BUDGET, DISTANCE_BUDGET / len(overlapping))
    depths = [first.depth(second, budget) for first, second, _ in overlapping]
    deepest = int(np.argmax(depths))
    return (*overlapping[deepest], 0.0 - depths[deepest])


def _with(result: Any, *wanted: tuple[Any, bool]) -> Any:
    extras = [value for value, want in wanted if want]
    return (result, *extras) if extras else result


class CollisionManager:
    """Meshes by name, each with a transform.

    Names are hashable; all transforms are 4x4 matrices, None for the identity. Functions return one value, or a tuple with names
    and data if `return_names` and `return_data` ask for them. Can be copied and pickled.
    """

    def __init__(self) -> None:
        self._world = World()
        self._placed: dict[Name, _Placed] = {}
        self._bodies: dict[Name, int] = {}
        self._names: dict[int, Name] = {}

    def __repr__(self) -> str:
        return f"CollisionManager({len(self._placed)} objects)"

    def __reduce__(self) -> tuple[Any, ...]:
        return CollisionManager, (), list(self._placed.values())

    def __setstate__(self, placed: list[_Placed]) -> None:
        for each in placed:
            self._add(each.name, each.solid, each.pose)

    def add_object(self, name: Hashable, mesh: Mesh, transform: Optional[ArrayLike] = None) -> object:
        """Adds a mesh, or replaces the mesh of that name."""
        return self._add(name, _Solid.of(mesh), _matrix(transform))

    def _add(self, name: Name, solid: _Solid, matrix: Array) -> _Placed:
        hash(name)  # refused before anything is added
        body = self._world.add(solid.shape, matrix)
        if name in self._placed:
            self.remove_object(name)
        self._placed[name] = _Placed(name, solid, matrix)
        self._bodies[name], self._names[body] = body, name
        return self._placed[name]

    def remove_object(self, name: Hashable) -> None:
        """Removes a mesh."""
        self._need(name)
        body = self._bodies[name]
        self._world.remove(body)
        del self._bodies[name], self._placed[name], self._names[body]

    def set_transform(self, name: Hashable, transform: ArrayLike) -> None:
        """Moves a mesh."""
        self._need(name)
        matrix = _matrix(transform)
        self._world.set(self._bodies[name], matrix)
        self._placed[name].pose = matrix

    def in_collision_single(self, mesh: Mesh, transform: Optional[ArrayLike] = None, return_names: bool = False,
                            return_data: bool = False) -> Any:
        """Returns whether a mesh touches any object; with the set of their names, and a list of ContactData."""
        other = _Placed(EXTERNAL, _Solid.of(mesh), _matrix(transform))
        return self._touching([(placed, other) for placed in self._placed.values()],
                              lambda a, b: a.name, return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns whether two objects touch; with the set of pairs of names, and a list of ContactData."""
        found = self._internal_pairs()
        contacts = [a.contact(b) for a, b in found] if return_data else []
        names = {tuple(sorted((a.name, b.name))) for a, b in found}
        return _with(bool(found), (names, return_names), (contacts, return_data))

    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns whether an object touches one of another manager; names are pairs (ours, theirs)."""
        return self._touching(self._pairs_with(other_manager), lambda a, b: (a.name, b.name), return_names, return_data)

    def min_distance_single(self, mesh: Mesh, transform: Optional[ArrayLike] = None, return_name: bool = False,
                            return_data: bool = False) -> Any:
        """Returns the minimum distance of a mesh and any object [m], negative if they overlap; with the object's name, and
        DistanceData."""
        other = _Placed(EXTERNAL, _Solid.of(mesh), _matrix(transform))
        return self._nearest([(placed, other) for placed in self._placed.values()],
                             lambda a, b: a.name, return_name, return_data)

    def min_distance_internal(self, name: Optional[Hashable] = None, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns the minimum distance of two objects [m], negative if they overlap; with the pair of their names, and
        DistanceData. With a `name`, only pairs with this object count."""
        if name is not None:
            self._need(name)
            pairs = [(self._placed[name], placed) for other, placed in self._placed.items() if other != name]
        else:
            nearest = self._world.min_distance()
            if nearest.bodies is None:
                pairs = []
            elif nearest.distance.upper > 0:
                first, second = (self._placed[self._names[body]] for body in nearest.bodies)
                pairs = [(first, second)]
            else:
                pairs = self._internal_pairs()
        return self._nearest(pairs, lambda a, b: tuple(sorted((a.name, b.name))), return_names, return_data)

    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns the minimum distance of an object and one of another manager [m], negative if they overlap; names are
        (ours, theirs)."""
        return self._nearest(self._pairs_with(other_manager), lambda a, b: (a.name, b.name), return_names, return_data)

    def _need(self, name: Name) -> None:
        if name not in self._placed:
            raise ValueError(f"{name} not in collision manager!")

    def _internal_pairs(self) -> list[Pair]:
        """Returns all pairs of objects that touch."""
        return [(self._placed[self._names[a]], self._placed[self._names[b]])
                for a, b in self._world.collisions().pairs.tolist()]

    def _pairs_with(self, other: CollisionManager) -> list[Pair]:
        return [(a, b) for a in self._placed.values() for b in other._placed.values()]

    def _touching(self, pairs: Iterable[Pair], name_of: Callable[[_Placed, _Placed], Name], return_names: bool,
                  return_data: bool) -> Any:
        touching = ((a, b) for a, b in pairs if a.touches(b))
        if not (return_names or return_data):
            return next(touching, None) is not None
        found = list(touching)
        contacts = [a.contact(b) for a, b in found] if return_data else []
        return _with(bool(found), ({name_of(a, b) for a, b in found}, return_names), (contacts, return_data))

    def _nearest(self, pairs: Iterable[Pair], name_of: Callable[[_Placed, _Placed], Name], return_names: bool,
                 return_data: bool) -> Any:
        best = _nearest(pairs)
        if best is None:
            return _with(np.inf, (None, return_names), (None, return_data))
        first, second, bounds, value = best
        data = first.distance_data(second, bounds, value) if return_data else None
        return _with(value, (name_of(first, second), return_names), (data, return_data))


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Name, object]]:
    """Builds a manager of all meshes of a trimesh scene, by the names of their nodes.

    Returns the manager, and by node what add_object() returned. Nodes whose transform scales, skews or mirrors get a mesh of
    their own; set_transform() then takes the rigid part. Geometry without faces, such as paths and points, is left out.

    >>> manager, objects = scene_to_collision(scene)
    >>> manager.in_collision_internal(return_names=True)
    """
    manager = CollisionManager()
    objects: dict[Name, object] = {}
    geometries: Mapping[Any, Any] = scene.geometry
    for node in scene.graph.nodes_geometry:
        transform, name = scene.graph[node]
        mesh = geometries[name]
        if not hasattr(mesh, "faces"):
            continue
        matrix, stretch = _rigid(transform)
        objects[node] = manager._add(node, _Solid.of(mesh, stretch), matrix)
    return manager, objects
