# SPDX-License-Identifier: MIT
"""Many queries on several threads: the same results as one by one, errors by the lowest index, and interrupts."""
import os
import pathlib
import signal
import threading
import time

import nearmiss
import numpy as np
import pytest
from meshes import CORNERS, SIDES, at, ball
from test_world import turned

ONE = np.eye(4)


@pytest.fixture(scope="module")
def shapes():
    return nearmiss.box([1, 1, 1]), nearmiss.Shape(*ball(12, 16), levels=2)


def many_poses(count, seed=1):
    random = np.random.default_rng(seed)
    return np.array([turned(random, 2) for _ in range(count)])


def same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert np.array_equal(one[name], other[name]), name


@pytest.mark.parametrize("workers", [None, 1, 2, 7])
def test_results_do_not_depend_on_workers(workers, shapes):
    cube, bumpy = shapes
    poses = many_poses(3000)
    same(nearmiss.collide_many(cube, bumpy, poses, workers=workers), nearmiss.collide_many(cube, bumpy, poses, workers=1))
    same(nearmiss.distance_many(cube, bumpy, poses, workers=workers), nearmiss.distance_many(cube, bumpy, poses, workers=1))
    points, directions = np.random.default_rng(2).uniform(-2, 2, (2, 5000, 3))
    for one, where in ((bumpy, at(0.5)), ([cube, bumpy] * 5, many_poses(10))):
        same(nearmiss.raycast(one, where, points, directions, workers=workers),
             nearmiss.raycast(one, where, points, directions, workers=1))
        same(nearmiss.nearest_point(one, where, points, workers=workers), nearmiss.nearest_point(one, where, points, workers=1))
    assert np.array_equal(nearmiss.side_of(bumpy, ONE, points, workers=workers), nearmiss.side_of(bumpy, ONE, points, workers=1))
    same(nearmiss.containing([cube, bumpy] * 5, many_poses(10), points, workers=workers),
         nearmiss.containing([cube, bumpy] * 5, many_poses(10), points, workers=1))


@pytest.mark.parametrize("workers", [None, 2, 7])
def test_worlds_answer_on_all_workers(workers, shapes):
    world, random = nearmiss.World(), np.random.default_rng(3)
    bodies = [world.add(shape, turned(random, 6), sensor=i % 3 == 0, group=i % 2)
              for i, shape in enumerate(list(shapes) * 20)]
    # Handles are not the order of bodies
    for body in bodies[::4]:
        world.remove(body)
    spared = bodies[1]
    points, directions = random.uniform(-6, 6, (2, 6000, 3))
    for ask in (lambda **given: world.raycast(points, directions, ignore=spared, **given),
                lambda **given: world.raycast(points, directions, ends=2.0, radius=0.1, **given),
                lambda **given: world.nearest_point(points, ignore=spared, **given),
                lambda **given: world.nearest_point(points, reach=0.5, **given), lambda **given: world.containing(points, **given)):
        alone, shared = ask(workers=1), ask(workers=workers)
        same(alone, shared)
        named = alone.get("bodies", alone.get("containing", np.empty((0, 2)))[..., -1])
        assert set(named.tolist()) - {-1} <= set(world.bodies) and len(set(named.tolist())) > 5
    assert spared not in world.raycast(points, directions, ignore=spared, workers=workers)["bodies"]
    with pytest.raises(nearmiss.Error, match=f"^ray 0: there is no body {bodies[0]}"):
        world.raycast(points, directions, ignore=bodies[0], workers=workers)
    directions[4321] = 0
    with pytest.raises(nearmiss.Error, match="^ray 4321: the length of the direction"):
        world.raycast(points, directions, workers=workers)


def test_each_is_what_it_is_alone(shapes):
    cube, bumpy = shapes
    poses = many_poses(200)
    found, gaps = nearmiss.collide_many(cube, bumpy, poses), nearmiss.distance_many(cube, bumpy, poses)
    for i, pose in enumerate(poses):
        answer, gap = nearmiss.collide(cube, ONE, bumpy, pose), nearmiss.distance(cube, ONE, bumpy, pose)
        assert found["verdict"][i] == answer.verdict.value and found["bound"][i] == answer.bound
        assert found["stage"][i] == answer.stage.value and found["level"][i] == answer.level
        assert gaps["lower"][i] == gap.lower and gaps["upper"][i] == gap.upper and gaps["final"][i] == gap.final
        assert tuple(gaps["triangles"][i]) == (gap.triangles or (-1, -1))
        if gap.triangles:
            assert np.array_equal(gaps["points"][i], gap.points)
    assert 0.1 < (gaps["upper"] == 0).mean() < 0.9
    empty = nearmiss.distance_many(cube, bumpy, np.zeros((0, 4, 4)))
    assert empty["points"].shape == (0, 2, 3) and empty["triangles"].shape == (0, 2)


def test_the_lowest_index_is_refused(shapes):
    cube, bumpy = shapes
    poses = many_poses(30000)
    poses[[7777, 7778, 20000, 29999], 0, 1] = 5.0
    for workers in (1, 2, 5):
        for ask in nearmiss.collide_many, nearmiss.distance_many:
            with pytest.raises(nearmiss.Error, match="^pose 7777: .*scaled or skewed"):
                ask(cube, bumpy, poses, workers=workers)
        directions = np.ones((30000, 3))
        directions[[11111, 12345]] = 0
        with pytest.raises(nearmiss.Error, match="^ray 11111: the length of the direction"):
            nearmiss.raycast(bumpy, ONE, np.zeros((30000, 3)), directions, workers=workers)
    for workers in (0, -1, 2000):
        with pytest.raises(nearmiss.Error, match=f"workers is {workers}, but must be 1 to 1024, or None"):
            nearmiss.collide_many(cube, bumpy, poses, workers=workers)


def test_an_interrupt_ends_all_workers():
    # Open surfaces, one inside the other and near it everywhere: each comparison takes long
    vertices, faces = ball(60, 120)
    inner, outer = (nearmiss.Shape(scale * vertices, faces[1:], weld=1e-9, builder="octree", levels=3) for scale in (1.0, 1.01))
    before, begin = threading.active_count(), time.monotonic()
    threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        nearmiss.collide_many(outer, inner, np.tile(ONE, (200000, 1, 1)), workers=3)
    assert time.monotonic() - begin < 20
    assert threading.active_count() <= before


def test_budgets_hold_on_each_worker(shapes):
    cube, bumpy = shapes
    poses = many_poses(2000)
    full, short = (nearmiss.distance_many(bumpy, bumpy, poses, budget=budget, workers=2) for budget in (None, 0.0))
    assert full["final"].all() and not short["final"].all()
    assert (short["lower"] <= full["upper"]).all() and (short["upper"] >= full["lower"]).all()


def test_one_ray_gives_one_hit(shapes):
    cube, _ = shapes
    world = nearmiss.World()
    body = world.add(cube)
    for found in (nearmiss.raycast(cube, ONE, [5, 0.25, 0.5], [-1, 0, 0]), world.raycast([5, 0.25, 0.5], [-1, 0, 0]),
                  nearmiss.raycast([cube], [ONE], [5, 0.25, 0.5], [-1, 0, 0], ends=9)):
        assert found["hit"] and found["t"] == 4 and found["lower"] <= 4 and found["triangles"] >= 0 and found["final"]
        assert found["points"] == pytest.approx([1, 0.25, 0.5]) and found["normals"] == pytest.approx([1, 0, 0])
        assert np.ndim(found["t"]) == 0 and found["points"].shape == (3,)
    assert found["bodies"] == 0 and world.raycast([5, 0, 0], [-1, 0, 0])["bodies"] == body
    # One origin for many directions, and one direction for many origins
    fan = nearmiss.raycast(cube, ONE, [5, 0, 0], [[-1, 0, 0], [1, 0, 0]])
    assert fan["t"].tolist() == [4, np.inf]
    assert nearmiss.raycast(cube, ONE, [[5, 0, 0], [6, 0, 0], [7, 3, 0]], [-1, 0, 0])["t"].tolist() == [4, 5, np.inf]
    for near in (nearmiss.nearest_point(cube, ONE, [4, 0, 0]), world.nearest_point([4, 0, 0])):
        assert near["upper"] == pytest.approx(3) and near["points"] == pytest.approx([1, 0, 0])
    assert nearmiss.side_of(cube, ONE, [0, 0, 0]) == nearmiss.PointSide.INSIDE.value
    assert nearmiss.containing([cube], [ONE], [0, 0, 0])["containing"].tolist() == [[0, 0]]
    assert world.containing([0, 0, 0])["containing"].tolist() == [[0, body]]


class Mesh:
    def __init__(self, vertices, faces):
        self.vertices, self.faces = np.asarray(vertices), np.asarray(faces)


def test_a_mesh_of_another_library_is_a_shape():
    for shape in (nearmiss.Shape(Mesh(CORNERS, SIDES)), nearmiss.Shape.from_trimesh(Mesh(CORNERS, SIDES), quality="none"),
                  nearmiss.Shape(nearmiss.Shape(CORNERS, SIDES)), nearmiss.Shape(Mesh(CORNERS.tolist(), SIDES), levels=1)):
        assert shape.solid and np.array_equal(shape.vertices, CORNERS) and np.array_equal(shape.faces, SIDES)
    with pytest.raises(nearmiss.Error, match="names vertex 9"):
        nearmiss.Shape(Mesh(CORNERS, [[0, 1, 9]]))
    for wrong in (CORNERS, None, "bolt.stl", 3):
        with pytest.raises(TypeError, match="Shape\\(\\) needs vertices and faces, or one mesh that has both, not "):
            nearmiss.Shape(wrong)
    for file in "bolt.stl", pathlib.Path("bolt.stl"):
        with pytest.raises(TypeError, match=r"not \w+ alone. To read a file, use Shape.load\(\)$"):
            nearmiss.Shape(file)
    scene = Mesh(CORNERS, SIDES)
    del scene.faces
    scene.graph = {}
    with pytest.raises(TypeError, match="For a scene, use nearmiss.trimesh.scene_to_collision"):
        nearmiss.Shape(scene)
    with pytest.raises(TypeError, match="vertices must be an array of numbers, not str"):
        nearmiss.Shape("text", SIDES)


@pytest.mark.parametrize("call, words", [
    (lambda s: nearmiss.collide(s, ONE, s), r"collide\(\): missing a required argument: 'pose_b'"),
    (lambda s: nearmiss.collide(s, ONE, s, ONE, bugdet=1), r"collide\(\): got an unexpected keyword argument 'bugdet'"),
    (lambda s: nearmiss.collide(s, ONE, s, ONE, 0.1), r"collide\(\): too many positional arguments"),
    (lambda s: nearmiss.collide(CORNERS, ONE, s, ONE), r"collide\(\): a must be a nearmiss.Shape, not an array of float64"),
    (lambda s: nearmiss.collide(s, ONE, None, ONE), r"collide\(\): b must be a nearmiss.Shape, not None"),
    (lambda s: nearmiss.collide(s, "x", s, ONE), r"collide\(\): pose_a must be a 4x4 matrix of numbers, not 'x'"),
    (lambda s: nearmiss.distance(s, ONE, s, ONE, budget="soon"), r"distance\(\): budget must be a number of seconds, or None, not 'soon'"),
    (lambda s: nearmiss.distance_many(s, s, [[1], [2, 3]]), r"distance_many\(\): poses must be an array \(n, 4, 4\) of numbers, not list"),
    (lambda s: nearmiss.raycast([s, 3], [ONE], [0, 0, 0], [1, 0, 0]), r"raycast\(\): shapes must be a list of nearmiss.Shape, not list"),
    (lambda s: nearmiss.raycast(s, ONE, [0, 0, 0], [1, 0, 0], workers=1.5), r"raycast\(\): workers must be a whole number, or None, not 1.5"),
    (lambda s: nearmiss.World().add(s, group=-1), r"World.add\(\): group must be a whole number from 0 to 4294967295, or None, not -1"),
    (lambda s: nearmiss.World().set("x"), r"World.set\(\): body must be a handle of World.add\(\), not 'x'"),
    (lambda s: nearmiss.World().add(nearmiss.Shape.__new__(nearmiss.Shape)),
     r"World.add\(\): shape must be a nearmiss.Shape, not a Shape that was never initialised"),
    (lambda s: nearmiss.Shape(CORNERS, SIDES, levels="deep"), r"Shape\(\): levels must be a whole number, not 'deep'"),
    (lambda s: nearmiss.Shape(CORNERS, SIDES, progress=3), r"Shape\(\): progress must be a function of one number, or None, not 3"),
    (lambda s: nearmiss.Shape.load(7), r"Shape.load\(\): file must be a path, not 7"),
    (lambda s: s.scaled("big"), r"Shape.scaled\(\): factor must be a number, not 'big'"),
    (lambda s: s.refit(["x"]), r"Shape.refit\(\): vertices must be an array of numbers with three columns, not list"),
    (lambda s: nearmiss.box("x"), r"box\(\): half_extents must be three numbers, not 'x'"),
    (lambda s: nearmiss.sphere("x"), r"sphere\(\): radius must be a number, not 'x'"),
])
def test_a_wrong_argument_is_named(call, words, shapes):
    with pytest.raises(TypeError, match=f"^{words}$"):
        call(shapes[0])


@pytest.mark.parametrize("call, words", [
    (lambda s: nearmiss.collide(s, ONE[:3], s, ONE), r"pose_a: a pose must be a 4x4 matrix, not an array of shape \(3, 4\)"),
    (lambda s: nearmiss.collide_many(s, s, ONE), r"poses must be an array of 4x4 matrices, not one of shape \(4, 4\)"),
    (lambda s: nearmiss.raycast(s, ONE, [0, 0], [1, 0, 0]), r"origins must be an array of three columns, .* not an array of shape \(2,\)"),
    (lambda s: nearmiss.Shape(CORNERS.T, SIDES), r"vertices must be an array of three columns, not one of shape \(3, 8\)"),
    (lambda s: nearmiss.raycast([s], np.zeros((0, 4, 4)), [0, 0, 0], [1, 0, 0]), "a pose for each shape, but there are 0 poses and 1 shapes"),
])
def test_a_wrong_shape_is_shown(call, words, shapes):
    with pytest.raises(nearmiss.Error, match=words):
        call(shapes[0])


def test_an_error_of_a_callback_stays():
    def progress(done):
        raise TypeError("incompatible with me")

    with pytest.raises(TypeError, match="^incompatible with me$"):
        nearmiss.Shape(CORNERS, SIDES, progress=progress)
