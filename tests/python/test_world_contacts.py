# SPDX-License-Identifier: MIT
"""Contacts, rays and points of a nearmiss.World against each pair and each body on its own."""
import subprocess
import sys

import nearmiss
import numpy as np
import pytest
from meshes import CORNERS, SIDES, at, ball
from test_world import turned


@pytest.fixture(scope="module")
def shapes():
    # Sphere trees are not needed
    return [nearmiss.Shape(CORNERS, SIDES, builder=""), nearmiss.Shape(*ball(8, 10), builder="")]


def same(found, truth):
    return all(np.array_equal(getattr(found, name), getattr(truth, name))
               for name in ("on_a", "on_b", "normals", "depths", "ids", "depth_known", "can_refine"))


@pytest.mark.parametrize("seed", range(4))
def test_contacts_are_those_of_each_pair(seed, shapes):
    random, world, model = np.random.default_rng(seed), nearmiss.World(), {}
    for i in range(12):
        body = (shapes[i % 2], turned(random, 3), bool(i % 5 == 0))
        model[world.add(body[0], body[1], sensor=body[2])] = body
    found = world.contacts(margin=0.05, max_points=3)
    assert found.complete
    expected = {}
    for a in model:
        for b in model:
            if a < b and not (model[a][2] and model[b][2]):
                truth = nearmiss.contact_manifold(model[a][0], model[a][1], model[b][0], model[b][1], margin=0.05,
                                                  max_points=3)
                if len(truth):
                    expected[a, b] = truth
    assert [pair.bodies for pair in found] == sorted(expected) and len(expected) > 5
    for pair in found:
        assert same(pair.points, expected[pair.bodies]) and not pair.can_refine
        assert pair.depth_known == expected[pair.bodies].depth_known
        assert pair.sensed == (model[pair.bodies[0]][2] or model[pair.bodies[1]][2])
    # The same as arrays
    assert found.pairs.tolist() == [list(pair) for pair in sorted(expected)] and len(found) == len(expected)
    assert found.counts.tolist() == [len(pair.points) for pair in found]
    assert np.array_equal(found.all_points.depths, np.concatenate([pair.points.depths for pair in found]))
    # An answer stays what it was
    for body in model:
        world.remove(body)
    assert len(world.contacts()) == 0 and same(next(iter(found)).points, expected[found.pairs[0][0], found.pairs[0][1]])


def test_ids_stay_and_a_short_budget_loses_nothing(shapes):
    world = nearmiss.World()
    bodies = [world.add(shapes[0], at(0, 0, 1.999 * i)) for i in range(6)]
    first = world.contacts(margin=0.01)
    assert len(first) == 5 and all(len(pair.points) == 4 for pair in first)
    for step in range(1, 4):
        for i, body in enumerate(bodies):
            world.set(body, at(0.25 * step, 0, 1.999 * i))
        hasty = world.contacts(margin=0.01, budget=0.0)
        assert len(hasty) == 5 and not hasty.complete
        for pair, before in zip(hasty, first):
            assert pair.points.depths == pytest.approx(before.points.depths) or pair.points.can_refine
        again = world.contacts(margin=0.01)
        assert again.complete
        for pair, before in zip(again, first):
            assert sorted(pair.points.ids) == sorted(before.points.ids)


def test_rays_and_points_find_their_bodies(shapes):
    random, world, model = np.random.default_rng(9), nearmiss.World(), {}
    for i in range(10):
        body = (shapes[i % 2], turned(random, 4))
        model[world.add(*body)] = body
    handles = np.array(sorted(model))
    bodies, poses = [model[h][0] for h in handles], np.array([model[h][1] for h in handles])
    origins = random.normal(size=(200, 3))
    origins *= 9 / np.linalg.norm(origins, axis=1)[:, None]
    directions = random.uniform(-3, 3, (200, 3)) - origins
    found, truth = world.raycast(origins, directions), nearmiss.raycast(bodies, poses, origins, directions)
    assert np.array_equal(found["t"], truth["t"]) and 20 < found["hit"].sum() < 195
    named = np.where(truth["bodies"] < 0, -1, handles[truth["bodies"]])
    assert np.array_equal(found["bodies"], named)
    some = int(named[named > 0][0])
    assert not (world.raycast(origins, directions, ignore=some)["bodies"] == some).any()
    points = random.uniform(-4, 4, (100, 3))
    nearest, known = world.nearest_point(points), nearmiss.nearest_point(bodies, poses, points)
    assert np.array_equal(nearest["upper"], known["upper"])
    assert np.array_equal(nearest["bodies"], handles[known["bodies"]])
    held = nearmiss.containing(bodies, poses, points)["containing"]
    assert len(held) > 3
    assert np.array_equal(world.containing(points)["containing"], np.column_stack([held[:, 0], handles[held[:, 1]]]))
    # They follow the bodies
    for handle in model:
        world.set(handle, model[handle][1] @ at(100))
    assert not world.raycast(origins, directions, ends=1.0)["hit"].any()
    world.remove(some)
    with pytest.raises(nearmiss.Error, match=f"no body {some}"):
        world.raycast(origins, directions, ignore=some)


def test_bodies_without_sphere_trees_are_detected(shapes):
    world = nearmiss.World()
    a, b = world.add(shapes[0]), world.add(shapes[1], at(1.5))
    world.add(shapes[0], at(30))
    assert world.collisions().pairs.tolist() == [[a, b]]


def test_a_query_goes_on_and_remembers(shapes):
    query = nearmiss.ManifoldQuery()
    with pytest.raises(nearmiss.Error, match="begin"):
        query.refine()
    nearmiss.prepare(shapes[0])
    query.begin(shapes[0], np.eye(4), shapes[0], at(0, 0, 1.999), margin=0.01)
    query.refine(budget=0.0)
    found = query.refine()
    assert found.final and found.depth_known and not found.can_refine and len(found) == 4
    assert same(found, nearmiss.contact_manifold(shapes[0], np.eye(4), shapes[0], at(0, 0, 1.999), margin=0.01))
    with pytest.raises(nearmiss.Error, match="margin"):
        query.begin(shapes[0], np.eye(4), shapes[0], np.eye(4), margin=-1.0)
    assert same(query.refine(), found)
    query.begin(shapes[0], np.eye(4), shapes[0], at(0.25, 0, 1.999), margin=0.01)
    assert len(query.refine()) == 4


def test_what_cannot_be_answered_says_why(shapes):
    world = nearmiss.World()
    world.add(shapes[0])
    for settings, word in (({"margin": np.nan}, "margin"), ({"margin": -1.0}, "margin"), ({"margin": np.inf}, "margin"),
                           ({"max_points": 0}, "room"), ({"budget": -1.0}, "budget")):
        with pytest.raises(nearmiss.Error, match=word):
            world.contacts(**settings)
    with pytest.raises(nearmiss.Error, match="ray 0: origin.y is nan"):
        world.raycast([[0, np.nan, 0]], [[1, 0, 0]])
    with pytest.raises(nearmiss.Error, match="point 1"):
        world.nearest_point([[0, 0, 0], [np.inf, 0, 0]])
    with pytest.raises(nearmiss.Error, match="three columns"):
        world.containing([[0, 0]])
    for kind in (nearmiss.ManifoldQuery, nearmiss.Contacts, nearmiss.PairContacts):
        with pytest.raises(TypeError):
            next(iter([*kind.__new__(kind)])) if kind is nearmiss.Contacts else kind.refine(kind.__new__(kind)) \
                if kind is nearmiss.ManifoldQuery else kind.bodies.__get__(kind.__new__(kind))
