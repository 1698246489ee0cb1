# SPDX-License-Identifier: MIT
"""Time-critical collision detection with sphere trees."""
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar, Iterator, Optional, TypedDict, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

class Error(ValueError): ...

class _Enumeration:  # of pybind11, not an enum.Enum
    def __init__(self, value: int) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class Verdict(_Enumeration):
    SEPARATE: ClassVar[Verdict]
    POSSIBLE: ClassVar[Verdict]
    CONTACT: ClassVar[Verdict]
    __members__: ClassVar[dict[str, Verdict]]

class Stage(_Enumeration):
    BOUNDS: ClassVar[Stage]
    SPHERES: ClassVar[Stage]
    EXACT: ClassVar[Stage]
    __members__: ClassVar[dict[str, Stage]]

class SolidSide(_Enumeration):
    NONE: ClassVar[SolidSide]
    AS_WOUND: ClassVar[SolidSide]
    TURNED: ClassVar[SolidSide]
    __members__: ClassVar[dict[str, SolidSide]]

class PointSide(_Enumeration):
    OUTSIDE: ClassVar[PointSide]
    INSIDE: ClassVar[PointSide]
    ON_SURFACE: ClassVar[PointSide]
    UNKNOWN: ClassVar[PointSide]
    UNDECIDED: ClassVar[PointSide]
    __members__: ClassVar[dict[str, PointSide]]

class Certificate:
    covers: bool
    bounds: bool
    complaint: str

class MassProperties:
    volume: float
    centre: NDArray[np.float64]
    inertia: NDArray[np.float64]

class Shape:
    def __init__(self, vertices: ArrayLike, faces: ArrayLike, *, weld: float = 0.0, quality: str = "fast", builder: Optional[str] = None,
                 levels: int = 4, branching: int = 8, max_spheres: int = 0, boxes: Optional[float] = None,
                 inner: Optional[int] = None, bsp: bool = False, workers: int = 1,
                 progress: Optional[Callable[[int, float], None]] = None) -> None: ...
    @staticmethod
    def load(file: str | PathLike[str], *, radius: float = 0.0, quality: str = "fast", builder: Optional[str] = None, levels: int = 4,
             branching: int = 8, max_spheres: int = 0, boxes: Optional[float] = None, inner: Optional[int] = None,
             bsp: bool = False, workers: int = 1,
             progress: Optional[Callable[[int, float], None]] = None) -> Shape: ...
    def tightened(self, *, workers: int = 1,
                  progress: Optional[Callable[[int, float], None]] = None) -> Shape: ...
    @property
    def radius(self) -> float: ...
    @property
    def solid(self) -> bool: ...
    @property
    def solid_side(self) -> SolidSide: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.uint32]: ...
    @property
    def levels(self) -> int: ...
    def report(self) -> dict[str, float]: ...
    def mass_properties(self) -> MassProperties: ...
    def spheres(self, level: int = -1) -> NDArray[np.float64]: ...
    def check(self, *, progress: Optional[Callable[[int, float], None]] = None) -> Certificate: ...
    def scaled(self, factor: float) -> Shape: ...
    def refit(self, vertices: ArrayLike) -> Refit: ...
    def self_contacts(self) -> NDArray[np.uint32]: ...
    @staticmethod
    def read(file: str | PathLike[str]) -> Shape: ...
    def save(self, file: str | PathLike[str]) -> None: ...
    def save_tree(self, file: str | PathLike[str]) -> None: ...
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, state: bytes) -> None: ...

class MeshFaults:
    @property
    def solid(self) -> bool: ...
    @property
    def reasons(self) -> list[str]: ...
    @property
    def self_intersections(self) -> NDArray[np.uint32]: ...
    @property
    def boundary_edges(self) -> NDArray[np.uint32]: ...
    @property
    def non_manifold_edges(self) -> NDArray[np.uint32]: ...
    @property
    def misoriented_edges(self) -> NDArray[np.uint32]: ...
    @property
    def non_manifold_vertices(self) -> NDArray[np.uint32]: ...
    @property
    def degenerate_faces(self) -> NDArray[np.uint32]: ...
    @property
    def duplicate_faces(self) -> NDArray[np.uint32]: ...
    def report(self) -> dict[str, float]: ...

def check_mesh(vertices: ArrayLike, faces: ArrayLike, *, weld: float = 0.0, self_intersections: bool = True,
               workers: int = 1) -> MeshFaults: ...

def box(half_extents: ArrayLike, **settings: Any) -> Shape: ...
def sphere(radius: float, subdivisions: int = 3, **settings: Any) -> Shape: ...
def capsule(radius: float, half_height: float, segments: int = 32, **settings: Any) -> Shape: ...
def cylinder(radius: float, half_height: float, segments: int = 32, **settings: Any) -> Shape: ...
def convex_hull(points: ArrayLike, **settings: Any) -> Shape: ...

class Refit:
    shape: Shape
    growth: float
    rebuild_pays: bool

class Refinement:
    verdict: Verdict
    stage: Stage
    level: int
    bound: float
    between_solids: bool
    estimate: float
    final: bool
    spheres: NDArray[np.float64]
    triangles: Optional[tuple[int, int]]

class Refinements(TypedDict):
    verdict: NDArray[np.int8]
    stage: NDArray[np.int8]
    level: NDArray[np.int32]
    bound: NDArray[np.float64]

class DistanceBounds:
    lower: float
    upper: float
    final: bool
    points: NDArray[np.float64]
    triangles: Optional[tuple[int, int]]

class PenetrationBounds:
    lower: float
    upper: float
    final: bool
    direction: NDArray[np.float64]

class ContactManifold:
    on_a: NDArray[np.float64]
    on_b: NDArray[np.float64]
    normals: NDArray[np.float64]
    depths: NDArray[np.float64]
    ids: NDArray[np.uint64]
    depth_known: bool
    can_refine: bool
    final: bool
    def __len__(self) -> int: ...

class ManifoldQuery:
    def __init__(self) -> None: ...
    def begin(self, a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, *, margin: float = 0.0,
              max_points: int = 4) -> None: ...
    def refine(self, *, budget: Optional[float] = None) -> ContactManifold: ...

class Protrusion:
    depth: float
    of_b: bool
    vertex: Optional[int]
    points: NDArray[np.float64]
    final: bool

class ContactTime:
    no_contact_before: float
    reached: bool
    final: bool

class RayHits(TypedDict):
    hit: NDArray[np.bool_]
    t: NDArray[np.float64]
    lower: NDArray[np.float64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    triangles: NDArray[np.int64]
    final: NDArray[np.bool_]

class BodyRayHits(RayHits):
    bodies: NDArray[np.int64]

class NearestPoints(TypedDict):
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    points: NDArray[np.float64]
    triangles: NDArray[np.int64]
    final: NDArray[np.bool_]

class BodyNearestPoints(NearestPoints):
    bodies: NDArray[np.int64]

class Containing(TypedDict):
    containing: NDArray[np.int64]
    final: NDArray[np.bool_]

def builders() -> list[str]: ...
def collide(a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, *,
            budget: Optional[float] = None) -> Refinement: ...
def collide_many(a: Shape, b: Shape, poses: ArrayLike, *, budget: Optional[float] = None) -> Refinements: ...
def distance(a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, *,
             budget: Optional[float] = None) -> DistanceBounds: ...
def penetration(a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, *,
                budget: Optional[float] = None) -> PenetrationBounds: ...
def prepare(shape: Shape) -> None: ...
def contact_manifold(a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, *, margin: float = 0.0,
                     max_points: int = 4, budget: Optional[float] = None) -> ContactManifold: ...
def protrusion(a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, *,
               budget: Optional[float] = None) -> Protrusion: ...
def time_to_contact(a: Shape, pose_a: ArrayLike, motion_a: ArrayLike, b: Shape, pose_b: ArrayLike,
                    motion_b: ArrayLike, *, horizon: float = 10.0, tolerance: float = 1e-4,
                    budget: Optional[float] = None) -> ContactTime: ...
@overload
def raycast(shape: Shape, pose: ArrayLike, origins: ArrayLike, directions: ArrayLike, *,
            ends: Optional[ArrayLike] = None, radius: float = 0.0, budget: Optional[float] = None) -> RayHits: ...
@overload
def raycast(shapes: Sequence[Shape], poses: ArrayLike, origins: ArrayLike, directions: ArrayLike, *,
            ends: Optional[ArrayLike] = None, radius: float = 0.0, budget: Optional[float] = None) -> BodyRayHits: ...
@overload
def nearest_point(shape: Shape, pose: ArrayLike, points: ArrayLike, *, reach: float = ...,
            budget: Optional[float] = None) -> NearestPoints: ...
@overload
def nearest_point(shapes: Sequence[Shape], poses: ArrayLike, points: ArrayLike, *, reach: float = ...,
            budget: Optional[float] = None) -> BodyNearestPoints: ...
def side_of(shape: Shape, pose: ArrayLike, points: ArrayLike, *,
            budget: Optional[float] = None) -> NDArray[np.int8]: ...
def containing(shapes: Sequence[Shape], poses: ArrayLike, points: ArrayLike, *,
            budget: Optional[float] = None) -> Containing: ...

class Collisions:
    pairs: NDArray[np.uint32]
    answers: list[Refinement]
    sensed: NDArray[np.bool_]
    waiting: NDArray[np.uint32]
    complete: bool
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[int, int, Refinement]]: ...

class PairContacts:
    bodies: tuple[int, int]
    points: ContactManifold
    depth_known: bool
    can_refine: bool
    sensed: bool

class Contacts:
    pairs: NDArray[np.uint32]
    counts: NDArray[np.int64]
    all_points: ContactManifold
    complete: bool
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[PairContacts]: ...

class NearestBodies:
    bodies: Optional[tuple[int, int]]
    distance: DistanceBounds

class World:
    def __init__(self) -> None: ...
    def add(self, shape: Shape, pose: Optional[ArrayLike] = None, *, group: Optional[int] = None,
            mask: Optional[int] = None, assembly: Optional[int] = None, importance: Optional[int] = None,
            sensor: Optional[bool] = None) -> int: ...
    def set(self, body: int, pose: Optional[ArrayLike] = None, *, group: Optional[int] = None,
            mask: Optional[int] = None, assembly: Optional[int] = None, importance: Optional[int] = None,
            sensor: Optional[bool] = None) -> None: ...
    def remove(self, body: int) -> None: ...
    def __len__(self) -> int: ...
    def __contains__(self, body: object) -> bool: ...
    @property
    def bodies(self) -> list[int]: ...
    def shape(self, body: int) -> Shape: ...
    def pose(self, body: int) -> NDArray[np.float64]: ...
    def collisions(self, *, budget: Optional[float] = None) -> Collisions: ...
    def min_distance(self, *, within: float = ..., budget: Optional[float] = None) -> NearestBodies: ...
    def contacts(self, *, margin: float = 0.0, max_points: int = 4, budget: Optional[float] = None) -> Contacts: ...
    def raycast(self, origins: ArrayLike, directions: ArrayLike, *, ends: Optional[ArrayLike] = None,
                radius: float = 0.0, ignore: Optional[int] = None, budget: Optional[float] = None) -> BodyRayHits: ...
    def nearest_point(self, points: ArrayLike, *, reach: float = ..., ignore: Optional[int] = None,
                budget: Optional[float] = None) -> BodyNearestPoints: ...
    def containing(self, points: ArrayLike, *, budget: Optional[float] = None) -> Containing: ...

class Robot:
    name: str
    links: list[str]
    joints: list[str]
    limits: dict[str, tuple[float, float]]
    parts: list[tuple[str, Shape, NDArray[np.float64]]]
    def __init__(self, file: str | PathLike[str], packages: Sequence[str | PathLike[str]] = (), visual: bool = False,
                 **settings: object) -> None: ...
    def ignore(self, first: str, second: str) -> None: ...
    def poses(self, positions: Optional[Mapping[str, float] | Sequence[float]] = None) -> dict[str, NDArray[np.float64]]: ...
    def collisions(self, positions: Optional[Mapping[str, float] | Sequence[float]] = None, *,
                   budget: Optional[float] = None) -> list[tuple[str, str, Refinement]]: ...
    def min_distance(self, positions: Optional[Mapping[str, float] | Sequence[float]] = None
                     ) -> Optional[tuple[str, str, DistanceBounds]]: ...
    def add_to(self, world: World, positions: Optional[Mapping[str, float] | Sequence[float]] = None, *,
               assembly: Optional[int] = None, **traits: int) -> list[int]: ...
    def move_in(self, world: World, bodies: Sequence[int],
                positions: Optional[Mapping[str, float] | Sequence[float]] = None) -> None: ...

def robot(file: str | PathLike[str], packages: Sequence[str | PathLike[str]] = (), visual: bool = False,
          **settings: object) -> Robot: ...
