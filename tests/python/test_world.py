# SPDX-License-Identifier: MIT
"""nearmiss.World against every pair on its own, and shapes that are pickled."""
import copy
import pickle
import threading

import nearmiss
import numpy as np
import pytest
from meshes import CORNERS, SIDES, at, ball


def turned(random, half):
    quaternion = random.normal(size=4)
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    pose = np.eye(4)
    pose[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    pose[:3, 3] = random.uniform(-half, half, 3)
    return pose


@pytest.fixture(scope="module")
def shapes():
    vertices, faces = ball(6, 8)
    return [nearmiss.Shape(CORNERS, SIDES, levels=2), nearmiss.Shape(vertices, faces, builder="octree", levels=2)]


@pytest.mark.parametrize("seed", range(6))
def test_a_world_finds_what_every_pair_finds(seed, shapes):
    random, world, model = np.random.default_rng(seed), nearmiss.World(), {}
    touching = 0
    for step in range(80):
        what = random.integers(6)
        if what < 3 or len(model) < 4:
            body = (shapes[random.integers(2)], turned(random, 5), *map(int, random.integers(1, 4, 2)))
            handle = world.add(body[0], body[1], group=body[2], mask=body[3])
            assert handle not in model
            model[handle] = body
        elif what == 3:
            handle = int(random.choice(list(model)))
            world.remove(handle)
            assert handle not in world
            del model[handle]
        else:
            handle = int(random.choice(list(model)))
            pose = turned(random, 5)
            world.set(handle, pose)
            assert np.allclose(world.pose(handle), pose)
            model[handle] = (model[handle][0], pose, *model[handle][2:])
        if step % 8:
            continue
        expected, least = [], np.inf
        for a, (one, here, group, mask) in sorted(model.items()):
            for b, (other, there, its_group, its_mask) in sorted(model.items()):
                if a < b and group & its_mask and its_group & mask:
                    if nearmiss.collide(one, here, other, there).verdict == nearmiss.Verdict.CONTACT:
                        expected.append((a, b))
                    least = min(least, nearmiss.distance(one, here, other, there).upper)
        found = world.collisions()
        assert [(a, b) for a, b, answer in found if answer.final] == expected
        assert found.pairs.tolist() == [list(pair) for pair in expected] and len(found) == len(found.answers)
        assert found.complete and len(found.waiting) == 0
        nearest = world.min_distance()
        assert nearest.distance.upper == pytest.approx(least, abs=1e-6) or (nearest.bodies is None and least == np.inf)
        touching += len(expected)
    assert world.bodies == sorted(model) and len(world) == len(model)
    assert touching > 10


def test_pairs_wait_when_time_runs_out(shapes):
    world, random = nearmiss.World(), np.random.default_rng(1)
    for _ in range(40):
        world.add(shapes[1], turned(random, 1), importance=0)
    hasty = world.collisions(budget=0)
    assert not hasty.complete and len(hasty.waiting) > 100
    assert hasty.waiting.shape[1] == 2 and len(world.collisions()) > 500


def test_what_a_world_refuses(shapes):
    world = nearmiss.World()
    handle = world.add(shapes[0])
    skewed = np.eye(4)
    skewed[0, 1] = 0.5
    for wrong in (lambda: world.add(shapes[0], skewed), lambda: world.set(handle, skewed),
                  lambda: world.set(99, np.eye(4)), lambda: world.remove(99), lambda: world.pose(99),
                  lambda: world.shape(99), lambda: world.min_distance(within=-1), lambda: world.collisions(budget=-1),
                  lambda: world.min_distance(within=np.nan)):
        with pytest.raises(nearmiss.Error):
            wrong()
    for wrong in (lambda: world.add(None), lambda: world.add(shapes[0], group=-1), lambda: world.add(shapes[0], mask=2 ** 32),
                  lambda: world.remove(-1), lambda: world.set("x"), lambda: nearmiss.World.__new__(nearmiss.World).bodies,
                  lambda: nearmiss.Collisions().pairs):
        with pytest.raises(TypeError):
            wrong()
    # Of what is no handle Python's containers say that it is not in them
    for other in (-1, 2 ** 40, 0.5, "x", None, [handle]):
        assert other not in world
    assert handle in world and np.int64(handle) in world
    assert world.bodies == [handle] and np.array_equal(world.pose(handle), np.eye(4))
    assert world.min_distance().bodies is None
    assert world.shape(handle).faces.shape == (12, 3)


def test_many_threads_share_a_world(shapes):
    world, random = nearmiss.World(), np.random.default_rng(2)
    stay = [world.add(shapes[0], at(1.5 * i)) for i in range(6)]
    faults = []

    def work(number):
        try:
            for i in range(60):
                mine = world.add(shapes[1], at(100 * number, 5 * i))
                found = {tuple(pair) for pair in world.collisions().pairs.tolist()}
                assert {(a, b) for a, b in zip(stay, stay[1:])} <= found
                world.set(mine, at(100 * number, -5 * i))
                world.min_distance(within=0.5)
                world.remove(mine)
        except BaseException as fault:
            faults.append(fault)
    threads = [threading.Thread(target=work, args=(number + 1,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults and world.bodies == stay


def test_sensors_notice_and_do_not_count_for_distances(shapes):
    world = nearmiss.World()
    door, guest, far = world.add(shapes[0], sensor=True), world.add(shapes[0], at(1.5)), world.add(shapes[0], at(9))
    other = world.add(shapes[0], at(0.5), sensor=True)
    found = world.collisions()
    assert found.pairs.tolist() == [[door, guest], [guest, other]] and found.sensed.tolist() == [True, True]
    assert world.min_distance().bodies == (guest, far)
    world.set(door, sensor=False)
    found = world.collisions()
    assert found.pairs.tolist() == [[door, guest], [door, other], [guest, other]]
    assert found.sensed.tolist() == [False, True, True]
    world.set(door, group=1)
    assert world.collisions().sensed.tolist() == [False, True, True]
    with pytest.raises(TypeError):
        world.add(shapes[0], sensor="yes")


def test_shapes_of_other_sizes_need_no_other_build(shapes):
    for shape in shapes:
        twice = shape.scaled(2)
        assert np.array_equal(twice.vertices, 2 * shape.vertices)
        assert np.array_equal(twice.spheres(), 2 * shape.spheres())
        assert shape.scaled(0.3).check().covers
        moved = shape.vertices + 0.02 * np.sin(7 * shape.vertices[:, ::-1])
        refitted = shape.refit(moved)
        assert np.array_equal(refitted.shape.vertices, moved) and refitted.shape.check().covers
        assert 0.9 < refitted.growth < 2 and not refitted.rebuild_pays
        assert len(refitted.shape.self_contacts()) == 0
        for wrong in (0, -1, np.nan, np.inf):
            with pytest.raises(nearmiss.Error, match="factor must be above 0"):
                shape.scaled(wrong)
        for wrong in (moved[1:], moved[:, :2], moved * np.nan):
            with pytest.raises(nearmiss.Error):
                shape.refit(wrong)


def test_a_shape_that_deforms_meets_itself(shapes):
    ball = shapes[1]
    crossed = ball.vertices.copy()
    crossed[crossed[:, 2] > 0.6 * ball.radius, 2] -= 2.5 * ball.radius
    moved = ball.refit(crossed).shape
    expected = nearmiss.check_mesh(moved.vertices, moved.faces).self_intersections
    assert len(expected) > 0
    assert sorted(map(tuple, moved.self_contacts())) == sorted(map(tuple, expected))


def test_pickled_shapes_are_the_same(shapes):
    for shape in shapes:
        for again in (pickle.loads(pickle.dumps(shape)), copy.copy(shape), copy.deepcopy(shape)):
            assert np.array_equal(again.vertices, shape.vertices) and np.array_equal(again.faces, shape.faces)
            assert np.array_equal(again.spheres(), shape.spheres()) and again.solid_side == shape.solid_side
            pose = at(1.7, 0.3)
            one, two = (nearmiss.collide(s, np.eye(4), s, pose) for s in (shape, again))
            assert (one.verdict, one.level, one.bound) == (two.verdict, two.level, two.bound)
    bytes_ = bytearray(shapes[0].__getstate__())
    bytes_[200] ^= 1
    for damaged in (bytes(bytes_), b"", bytes(bytes_[:40])):
        with pytest.raises(nearmiss.Error):
            nearmiss.Shape.__new__(nearmiss.Shape).__setstate__(damaged)


def test_names_of_classes_and_the_version():
    assert nearmiss.Shape.__module__ == nearmiss.World.__module__ == nearmiss.Error.__module__ == "nearmiss"
    assert nearmiss.__version__.count(".") == 2
