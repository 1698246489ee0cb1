# SPDX-License-Identifier: MIT
"""nearmiss.trimesh: the interface of trimesh's collision manager, against brute force and, where it is here, trimesh."""
import copy
import itertools
import pickle
import sys
import types
import warnings

import nearmiss
import numpy as np
import pytest
from nearmiss.trimesh import CollisionManager, ContactData, DistanceData, _meeting_point, scene_to_collision
from meshes import CORNERS, SIDES, at, ball
from test_world import turned


def mesh(vertices, faces):
    return types.SimpleNamespace(vertices=np.asarray(vertices), faces=np.asarray(faces))


CUBE, BALL = mesh(CORNERS, SIDES), mesh(*ball(6, 8))
# Corners of their own for every face, a face of no area between, as files often have it
LOOSE = mesh(np.concatenate((CORNERS[np.array(SIDES)].reshape(-1, 3), CORNERS[[0, 0, 1]])),
             np.concatenate((np.arange(18).reshape(-1, 3), [[36, 37, 38]], np.arange(18, 36).reshape(-1, 3))))


SHAPES = {id(m): nearmiss.Shape(m.vertices, m.faces, builder="octree", levels=1) for m in (CUBE, BALL, LOOSE)}


def verdict(a, pose_a, b, pose_b):
    one, other = SHAPES[id(a)], SHAPES[id(b)]
    return nearmiss.collide(one, pose_a, other, pose_b).verdict == nearmiss.Verdict.CONTACT


def length(a, pose_a, b, pose_b):
    one, other = SHAPES[id(a)], SHAPES[id(b)]
    return nearmiss.distance(one, pose_a, other, pose_b).upper


def filled(seed, count, half):
    random, manager, model = np.random.default_rng(seed), CollisionManager(), {}
    for i in range(count):
        name, what, pose = f"part {i}", (CUBE, BALL, LOOSE)[i % 3], turned(random, half)
        manager.add_object(name, what, pose)
        model[name] = what, pose
    return random, manager, model


@pytest.mark.parametrize("seed", range(4))
def test_who_touches_whom(seed):
    random, manager, model = filled(seed, 9, 4)
    for name in list(model)[::2]:
        model[name] = model[name][0], turned(random, 4)
        manager.set_transform(name, model[name][1])
    expected = {tuple(sorted(pair)) for pair in itertools.combinations(model, 2)
                if verdict(*model[pair[0]], *model[pair[1]])}
    assert manager.in_collision_internal() is bool(expected)
    assert manager.in_collision_internal(return_names=True) == (bool(expected), expected)
    hit, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
    assert names == expected and {tuple(sorted(c.names)) for c in contacts} == expected

    pose = turned(random, 2)
    touched = {name for name, placed in model.items() if verdict(*placed, BALL, pose)}
    assert manager.in_collision_single(BALL, pose) is bool(touched)
    assert manager.in_collision_single(BALL, pose, return_names=True) == (bool(touched), touched)

    _, other, its = filled(seed + 50, 6, 4)
    pairs = {(a, b) for a in model for b in its if verdict(*model[a], *its[b])}
    assert manager.in_collision_other(other, return_names=True) == (bool(pairs), pairs)
    assert manager.in_collision_other(other) is bool(pairs)
    assert len(expected) + len(touched) + len(pairs) > 3

    manager.remove_object("part 0")
    assert manager.in_collision_internal(return_names=True)[1] == {p for p in expected if "part 0" not in p}


@pytest.mark.parametrize("seed", range(4))
def test_how_far_apart(seed):
    random, manager, model = filled(seed, 7, 14)
    by = {tuple(sorted(pair)): length(*model[pair[0]], *model[pair[1]]) for pair in itertools.combinations(model, 2)}
    least = min(by.values())
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert max(distance, 0) == pytest.approx(least, abs=1e-6) and by[names] == pytest.approx(least, abs=1e-6)
    assert manager.min_distance_internal() == distance and data.distance == distance and data.names == set(names)
    pose = turned(random, 14)
    to = {name: length(*placed, BALL, pose) for name, placed in model.items()}
    distance, name, data = manager.min_distance_single(BALL, pose, return_name=True, return_data=True)
    assert max(distance, 0) == pytest.approx(min(to.values()), abs=1e-6) == pytest.approx(to[name], abs=1e-6)
    assert data.names == {name, "__external"}
    if distance > 0:
        apart = np.linalg.norm(data.point(name) - data.point("__external"))
        assert apart == pytest.approx(distance, abs=1e-6)
        lies_in_face(data.point(name), *model[name], data.index(name))
        lies_in_face(data.point("__external"), BALL, pose, data.index("__external"))
    _, other, its = filled(seed + 50, 5, 14)
    distance, names = manager.min_distance_other(other, return_names=True)
    pairs = {(a, b): length(*model[a], *its[b]) for a in model for b in its}
    assert max(distance, 0) == pytest.approx(min(pairs.values()), abs=1e-6) == pytest.approx(pairs[names], abs=1e-6)


def lies_in_face(point, what, pose, index):
    a, b, c = what.vertices[what.faces[index]] @ pose[:3, :3].T + pose[:3, 3]
    normal = np.cross(b - a, c - a)
    if np.linalg.norm(normal) < 1e-12:
        return  # a needle at a pole
    assert abs(np.dot(point - a, normal)) <= 1e-6 * np.linalg.norm(normal)
    for p, q in ((a, b), (b, c), (c, a)):
        assert np.dot(np.cross(q - p, point - p), normal) >= -1e-6 * np.dot(normal, normal)


@pytest.mark.parametrize("seed", range(30))
def test_contacts_lie_on_both_and_part_them(seed):
    random = np.random.default_rng(seed)
    manager, model = CollisionManager(), {"one": (LOOSE, turned(random, 1)), "two": (BALL, turned(random, 1))}
    for name, placed in model.items():
        manager.add_object(name, *placed)
    hit, contacts = manager.in_collision_internal(return_data=True)
    if not hit:
        pytest.skip("these do not touch")
    contact, = contacts
    assert isinstance(contact, ContactData) and contact.names == {"one", "two"}
    if contact.index("one") >= 0:
        for name, placed in model.items():
            lies_in_face(contact.point, *placed, contact.index(name))
    assert np.linalg.norm(contact.normal) == pytest.approx(1)
    moved = model["two"][1].copy()
    moved[:3, 3] += contact.normal * (contact.depth + 1e-6)
    assert not verdict(*model["one"], model["two"][0], moved)


def test_contacts_of_faces_in_one_plane_lie_on_both():
    one, other, there = np.array([1, 1, 5]), np.array([3.5, 5, 1.5]), np.array([-0.5, 6, -1.5])
    manager = CollisionManager()
    manager.add_object("one", mesh(CORNERS * one, SIDES))
    hit, contacts = manager.in_collision_single(mesh(CORNERS * other + there, SIDES), return_data=True)
    assert hit
    assert np.all(np.abs(contacts[0].point) <= one + 1e-7) and np.all(np.abs(contacts[0].point - there) <= other + 1e-7)


@pytest.mark.parametrize("turn", [np.eye(3), [[0.36, 0.48, -0.8], [-0.8, 0.6, 0], [0.48, 0.64, 0.6]]])
def test_triangles_that_only_touch_meet_in_both(turn):
    floor = [[-5, -1, 0], [5, -1, 0], [5, 1, 0]]
    for other in ([[-1, -5, 0], [1, 5, 0], [-1, 5, 0]], [[0, 0, 0], [3, 0, 2], [-3, 1, 2]], [[4, 0, 0], [4, 9, 0], [4, 0, 5]],
                  [[5, -1, 0], [9, -1, 0], [9, -5, 0]], [[1, -1, 0], [3, -1, 0], [2, -4, 0]], [[5, 1, 0], [5, -1, 0], [8, 0, 0]]):
        pair = [mesh(np.array(corners) @ np.transpose(turn) + (7, 8, 9), [[0, 1, 2]]) for corners in (floor, other)]
        for first, second in (pair, pair[::-1]):
            point = _meeting_point(first.vertices, second.vertices)
            lies_in_face(point, first, np.eye(4), 0)
            lies_in_face(point, second, np.eye(4), 0)


def test_what_is_inside_touches():
    manager = CollisionManager()
    manager.add_object("room", mesh(CORNERS * 9, SIDES))
    hit, names, contacts = manager.in_collision_single(CUBE, at(3), return_names=True, return_data=True)
    assert hit and names == {"room"} and contacts[0].index("room") == -1 and contacts[0].names == {"room", "__external"}
    assert np.all(np.abs(contacts[0].point - (3, 0, 0)) <= 1 + 1e-9)
    # The way out of the room is 9 + 1 - 3 long
    assert manager.min_distance_single(CUBE, at(3)) == pytest.approx(-7, rel=0.05)


@pytest.mark.parametrize("place, half", [((1, 1, 1), 1), ((1.5, 0, 0), 1), ((2, 0, 0), 1), ((0, 0, 0.2), 9)])
def test_nearest_points_of_what_touches_lie_in_both(place, half):
    manager = CollisionManager()
    manager.add_object("cube", mesh(CORNERS * half, SIDES))
    distance, data = manager.min_distance_single(CUBE, at(*place), return_data=True)
    depth = min(half + 1 - abs(x) for x in place)
    assert distance == data.distance == pytest.approx(-depth, rel=0.05, abs=1e-9)
    for name in "cube", "__external":
        assert np.all(np.abs(data.point(name)) <= half + 1e-9)
        assert np.all(np.abs(data.point(name) - place) <= 1 + 1e-9)


def test_what_is_inside_is_so_wherever_its_frame_is():
    manager = CollisionManager()
    manager.add_object("room", mesh(CORNERS * 9, SIDES))
    hit, contacts = manager.in_collision_single(mesh(CORNERS + (100, 0, 0), SIDES), at(-100), return_data=True)
    assert hit and np.all(np.abs(contacts[0].point) <= 1 + 1e-9)
    # Of two pieces one is inside
    corners = np.concatenate((CORNERS + (100, 0, 0), CORNERS))
    two = mesh(corners, np.concatenate((SIDES, np.array(SIDES) + len(CORNERS))))
    hit, contacts = manager.in_collision_single(two, np.eye(4), return_data=True)
    assert hit and np.all(np.abs(contacts[0].point) <= 1 + 1e-9)


class Body:
    """A stand-in for a mesh of trimesh, or for one of its primitives, which place their own vertices."""

    def __init__(self, vertices, faces, transform=None):
        transform = np.eye(4) if transform is None else np.asarray(transform)
        self.vertices = np.asarray(vertices) @ transform[:3, :3].T + transform[:3, 3]
        self.faces = np.asarray(faces)


class Path:
    """A stand-in for geometry without faces."""

    vertices = np.zeros((4, 3))


class Scene:
    """A stand-in for a scene of trimesh: geometry by name, and a graph of nodes with a transform and a name."""

    class Graph:
        def __init__(self):
            self.nodes_geometry, self.nodes = [], {}

        def __getitem__(self, node):
            return self.nodes[node]

    def __init__(self, **geometry):
        self.geometry, self.graph = geometry, self.Graph()

    def place(self, node, name, transform):
        self.graph.nodes_geometry.append(node)
        self.graph.nodes[node] = np.asarray(transform, dtype=float), name
        return self


UNIT = Body(CORNERS / 2, SIDES)


def test_the_calls_of_a_user_of_trimesh():
    """Unit cubes that come and go, as with trimesh's manager."""
    right, left = at(5), at(-5)
    manager = CollisionManager()
    manager.add_object("cube0", UNIT)
    manager.add_object("cube1", UNIT, right)
    assert manager.in_collision_single(UNIT) is True
    hit, names, data = manager.in_collision_single(UNIT, right, return_names=True, return_data=True)
    assert hit is True and names == {"cube1"} and data and all("cube1" in contact.names for contact in data)
    assert manager.in_collision_single(UNIT, left, return_names=True, return_data=True) == (False, set(), [])
    assert manager.in_collision_internal(return_names=True, return_data=True) == (False, set(), [])
    manager.add_object("cube2", UNIT, right)
    hit, names, data = manager.in_collision_internal(return_names=True, return_data=True)
    assert hit is True and names == {("cube1", "cube2")} and {*data[0].names} == {"cube1", "cube2"}
    manager.set_transform("cube2", left)
    assert manager.in_collision_internal() is False
    manager.set_transform("cube2", transform=right)
    manager.remove_object("cube1")
    assert manager.in_collision_internal(return_names=True) == (False, set())
    other = CollisionManager()
    other.add_object(name="cube3", mesh=UNIT, transform=right)
    other.add_object("cube4", UNIT, left)
    hit, names, data = manager.in_collision_other(other, return_names=True, return_data=True)
    assert hit is True and names == {("cube2", "cube3")} and len(data) >= 1
    assert other.in_collision_other(manager, return_names=True)[1] == {("cube3", "cube2")}


def test_distances_as_a_user_of_trimesh_gets_them():
    manager, other = CollisionManager(), CollisionManager()
    manager.add_object("cube0", UNIT)
    assert manager.min_distance_internal() == np.inf
    assert manager.min_distance_single(UNIT, at(5)) == pytest.approx(4)
    assert manager.min_distance_single(UNIT) == pytest.approx(-1)
    assert manager.min_distance_single(UNIT, at(0.75)) == pytest.approx(-0.25)
    assert manager.min_distance_single(UNIT, at(1)) == 0
    manager.add_object("cube1", UNIT, at(5))
    manager.add_object("cube2", UNIT, at(0, 8))
    distance, name, data = manager.min_distance_single(UNIT, at(8), return_name=True, return_data=True)
    assert (distance, name) == (pytest.approx(2), "cube1") and isinstance(data, DistanceData) and data.distance == distance
    assert data.names == {"cube1", "__external"} and data.point("cube1")[0] == pytest.approx(5.5)
    assert data.point("__external")[0] == pytest.approx(7.5) and data.index("cube1") >= 0
    assert manager.min_distance_internal(return_names=True) == (pytest.approx(4), ("cube0", "cube1"))
    # Only pairs with the object of this name
    assert manager.min_distance_internal("cube2") == pytest.approx(7)
    distance, names, data = manager.min_distance_internal(name="cube2", return_names=True, return_data=True)
    assert (distance, names) == (pytest.approx(7), ("cube0", "cube2")) and data.names == {"cube0", "cube2"}
    with pytest.raises(ValueError, match="cube9 not in collision manager!"):
        manager.min_distance_internal(name="cube9")
    # The deepest of the pairs that overlap
    manager.set_transform("cube1", at(0.75))
    manager.set_transform("cube2", at(0, 0.25))
    assert manager.min_distance_internal(return_names=True) == (pytest.approx(-0.75), ("cube0", "cube2"))
    assert manager.min_distance_internal(name="cube1", return_names=True)[0] == pytest.approx(-0.25)
    other.add_object("cube3", UNIT, at(20))
    other.add_object("cube4", UNIT, at(-4, 0.25))
    assert manager.min_distance_other(other) == pytest.approx(3)
    distance, names, data = manager.min_distance_other(other, return_names=True, return_data=True)
    assert names[1] == "cube4" and data.names == set(names) and data.distance == pytest.approx(3)
    other.set_transform("cube4", at(-0.5, -0.5))
    distance, names, data = manager.min_distance_other(other, return_names=True, return_data=True)
    assert (distance, names) == (pytest.approx(-0.5), ("cube0", "cube4"))
    assert np.all(np.abs(data.point("cube0")) <= 0.5 + 1e-9) and np.all(np.abs(data.point("cube4") + (0.5, 0.5, 0)) <= 0.5 + 1e-9)
    assert CollisionManager().min_distance_other(other, return_names=True, return_data=True) == (np.inf, None, None)


@pytest.mark.parametrize("shift, patch", [
    ((1, 0, 0), [(0.5, y, z) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]),
    ((1, 0.25, 0.5), [(0.5, y, z) for y in (-0.25, 0.5) for z in (0, 0.5)]),
    ((0, 0, -1), [(x, y, -0.5) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]),
    ((1, 1, 0), [(0.5, 0.5, z) for z in (-0.5, 0.5)]),
    ((1, 1, 1), [(0.5, 0.5, 0.5)])])
def test_flush_boxes_touch_at_a_corner_of_the_patch(shift, patch):
    manager = CollisionManager()
    manager.add_object("one", UNIT)
    manager.add_object("two", UNIT, at(*shift))
    hit, contacts = manager.in_collision_internal(return_data=True)
    contact, = contacts
    assert hit and contact.depth == pytest.approx(0, abs=1e-6)
    assert any(np.allclose(contact.point, corner) for corner in patch)
    lies_in_face(contact.point, UNIT, np.eye(4), contact.index("one"))
    lies_in_face(contact.point, UNIT, at(*shift), contact.index("two"))


def test_primitives_and_scenes_with_transforms():
    ball_at = turned(np.random.default_rng(3), 2)
    placed = Body(CORNERS / 2, SIDES, at(3, 1))  # a primitive with a transform of its own
    scene = Scene(cube=UNIT, placed=placed, path=Path())
    scene.place("still", "cube", np.eye(4)).place("moved", "placed", at(-2)).place("line", "path", at(0))
    scene.place("wide", "cube", np.diag([6.0, 1, 1, 1]) @ at(0, 4)).place("mirrored", "placed", np.diag([-1.0, 1, 1, 1]))
    scene.place("turned", "cube", ball_at @ np.diag([0.5, 0.5, 2, 1]))
    manager, objects = scene_to_collision(scene)
    assert set(objects) == {"still", "moved", "wide", "mirrored", "turned"}
    expected = {}
    for node in objects:
        transform, name = scene.graph[node]
        geometry = scene.geometry[name]
        corners = geometry.vertices @ transform[:3, :3].T + transform[:3, 3]
        faces = geometry.faces if np.linalg.det(transform[:3, :3]) > 0 else geometry.faces[:, ::-1]
        expected[node] = nearmiss.Shape(corners, faces)
        assert expected[node].solid
    one = np.eye(4)
    pairs = {tuple(sorted(pair)) for pair in itertools.combinations(expected, 2)
             if nearmiss.collide(expected[pair[0]], one, expected[pair[1]], one).touching}
    assert manager.in_collision_internal(return_names=True) == (bool(pairs), pairs)
    for node, shape in expected.items():
        away = nearmiss.distance(shape, one, nearmiss.Shape(UNIT), at(0, 0, 7)).upper
        alone = CollisionManager()
        alone._add(node, objects[node].solid, objects[node].pose)
        assert alone.min_distance_single(UNIT, at(0, 0, 7)) == pytest.approx(away)
    # A node that was scaled keeps its size when it moves
    manager.set_transform("wide", at(0, 50))
    assert manager.min_distance_single(UNIT, at(5, 50)) == pytest.approx(5 - 0.5 - 3)
    flat = Scene(cube=UNIT).place("flat", "cube", np.diag([1.0, 1, 0, 1]))
    with pytest.raises(ValueError, match="flattens"):
        scene_to_collision(flat)


def test_many_spheres_of_a_scene():
    random = np.random.default_rng(5)
    scene, round_ = Scene(ball=BALL), {}
    for i in range(60):
        round_[f"ball {i}"] = at(*random.uniform(-6, 6, 3))
        scene.place(f"ball {i}", "ball", round_[f"ball {i}"])
    manager, objects = scene_to_collision(scene)
    hit, names = manager.in_collision_internal(return_names=True)
    assert hit is True and names == {tuple(sorted(pair)) for pair in itertools.combinations(round_, 2)
                                     if verdict(BALL, round_[pair[0]], BALL, round_[pair[1]])}
    distance, deepest = manager.min_distance_internal(return_names=True)
    assert distance < 0 and deepest in names
    with pytest.raises(TypeError, match="mesh must have vertices and faces, but is of type Path"):
        manager.add_object("path", Path())


def test_a_pickled_manager_answers_the_same():
    _, manager, model = filled(5, 9, 3)
    for again in pickle.loads(pickle.dumps(manager)), copy.deepcopy(manager):
        assert again.in_collision_internal(return_names=True) == manager.in_collision_internal(return_names=True)
        assert again.min_distance_internal("part 3") == pytest.approx(manager.min_distance_internal("part 3"), rel=0.05)
        # It is a manager of its own
        again.remove_object("part 0")
        again.set_transform("part 1", at(100))
        assert len(again.in_collision_single(BALL, at(100), return_names=True)[1]) == 1
        assert manager.in_collision_single(BALL, at(100)) is False
    assert len(manager.in_collision_internal(return_names=True)[1]) > 1


def test_errors_are_those_of_trimesh():
    manager = CollisionManager()
    with pytest.raises(ValueError, match="absent not in collision manager!"):
        manager.remove_object("absent")
    with pytest.raises(ValueError, match="absent not in collision manager!"):
        manager.set_transform("absent", np.eye(4))
    for wrong in (np.eye(3), np.eye(4) * 2):
        with pytest.raises(ValueError):
            manager.add_object("wrong", CUBE, wrong)
    manager.add_object("one", CUBE)
    with pytest.raises(ValueError):
        manager.set_transform("one", np.full((4, 4), np.nan))
    assert not manager.in_collision_internal() and manager.min_distance_internal() == np.inf
    assert manager.in_collision_single(CUBE, at(1))
    # The same name again replaces it
    manager.add_object("one", CUBE, at(50))
    assert not manager.in_collision_single(CUBE, at(1))
    assert CollisionManager().min_distance_single(CUBE, return_name=True, return_data=True) == (np.inf, None, None)


def test_what_is_refused_leaves_nothing():
    manager = CollisionManager()
    manager.add_object("one", CUBE)
    with pytest.raises(TypeError):
        manager.add_object(["no", "name"], CUBE)
    assert not manager.in_collision_internal()
    faces = np.array(SIDES)
    for wrong in (faces + 0.9, np.where(faces == 3, np.nan, faces), faces.astype(str), faces > 0,
                  faces.astype(object) + 0.5):
        with pytest.raises(nearmiss.Error, match="whole numbers"):
            manager.add_object("two", mesh(CORNERS, wrong))
        with pytest.raises(nearmiss.Error, match="whole numbers"):
            manager.in_collision_single(mesh(CORNERS, wrong))
    assert not manager.in_collision_internal()
    for sound in (faces.astype(float), faces.astype(object), faces.astype(np.uint8), faces.tolist()):
        assert manager.in_collision_single(mesh(CORNERS, sound), at(1))


def test_a_scene_becomes_a_manager():
    class Graph(dict):
        nodes_geometry = ["left", "right"]
    scene = types.SimpleNamespace(geometry={"cube": CUBE}, graph=Graph(left=(at(0), "cube"), right=(at(1.5), "cube")))
    manager, objects = scene_to_collision(scene)
    assert set(objects) == {"left", "right"}
    assert manager.in_collision_internal(return_names=True) == (True, {("left", "right")})


def test_trimesh_is_not_needed():
    assert "trimesh" not in sys.modules


def test_beside_trimesh():
    try:
        import trimesh
        import trimesh.collision
        theirs = trimesh.collision.CollisionManager()
    except Exception as absent:
        warnings.warn(f"NOT TESTED beside trimesh: {absent!r} (pip install trimesh python-fcl)")
        pytest.skip("trimesh or python-fcl is not installed")
    ours, random = CollisionManager(), np.random.default_rng(1)
    for i in range(12):
        what, pose = trimesh.Trimesh(*((CORNERS, SIDES) if i % 2 else ball(6, 8))), turned(random, 5)
        for manager in (ours, theirs):
            manager.add_object(f"part {i}", what, pose)
    assert ours.in_collision_internal(return_names=True) == theirs.in_collision_internal(return_names=True)
    probe = trimesh.Trimesh(CORNERS, SIDES)
    for _ in range(40):
        pose = turned(random, 9)
        assert ours.in_collision_single(probe, pose, True) == theirs.in_collision_single(probe, pose, True)
        far = theirs.min_distance_single(probe, pose)
        near = ours.min_distance_single(probe, pose)
        assert max(near, 0) == pytest.approx(max(far, 0), abs=1e-3) and (near < -1e-3) <= (far < 0)


def test_the_nearest_is_not_the_one_of_the_nearest_sphere():
    # The sphere around the bar holds all of the probe, but the cube is nearer
    manager = CollisionManager()
    manager.add_object("bar", mesh(CORNERS * (10, 0.1, 0.1), SIDES), at(0, 4))
    manager.add_object("cube", CUBE, at(0, -3))
    distance, name = manager.min_distance_single(mesh(CORNERS * 0.1, SIDES), return_name=True)
    assert name == "cube" and distance == pytest.approx(1.9, abs=1e-6)
