# SPDX-License-Identifier: MIT
"""Contact manifolds, protrusion and penetration against what boxes and balls say themselves."""

import nearmiss
import numpy as np
import pytest

from meshes import CORNERS, SIDES, at, ball


@pytest.fixture(scope="module")
def box():
    return nearmiss.Shape(CORNERS, SIDES, levels=2)


def test_a_box_stands_on_four_corners(box):
    slab = nearmiss.Shape(CORNERS * [5, 5, 1], SIDES, levels=2)
    found = nearmiss.contact_manifold(box, at(0.3, -0.2, 1.95), slab, np.eye(4))
    assert found.final and len(found) == 4
    assert found.depths == pytest.approx(np.full(4, 0.05))
    assert found.normals == pytest.approx(np.tile([0, 0, 1.0], (4, 1)))
    assert found.on_a[:, 2] == pytest.approx(np.full(4, 0.95)) and found.on_b[:, 2] == pytest.approx(np.ones(4))
    corners = {(round(x, 6), round(y, 6)) for x, y, _ in found.on_a}
    assert corners == {(0.3 + x, -0.2 + y) for x in (-1, 1) for y in (-1, 1)}
    assert len(set(found.ids)) == 4 and found.ids.dtype == np.uint64
    # They keep their names when the box slides, sinks and is lifted within the margin
    for pose, depth in ((at(0.31, -0.2, 1.94), 0.06), (at(0.3, -0.25, 2.01), -0.01)):
        again = nearmiss.contact_manifold(box, pose, slab, np.eye(4), margin=0.02)
        assert set(again.ids) == set(found.ids)
        assert again.depths == pytest.approx(np.full(4, depth))
    assert len(nearmiss.contact_manifold(box, at(0, 0, 2.03), slab, np.eye(4), margin=0.02)) == 0
    assert len(nearmiss.contact_manifold(box, at(0.3, -0.2, 1.95), slab, np.eye(4), max_points=2)) == 2


def test_points_of_bumpy_balls_are_as_deep_as_they_say():
    shape = nearmiss.Shape(*ball(12, 16), levels=3)
    random = np.random.default_rng(3)
    touching = 0
    for _ in range(30):
        way = random.normal(size=3)
        pose = at(*(way / np.linalg.norm(way) * random.uniform(1.6, 2.3)))
        found = nearmiss.contact_manifold(shape, np.eye(4), shape, pose)
        assert found.final and (len(found) > 0) == (
            nearmiss.collide(shape, np.eye(4), shape, pose).verdict == nearmiss.Verdict.CONTACT)
        touching += len(found) > 0
        along = np.einsum("ij,ij->i", found.on_b - found.on_a, found.normals)
        assert along == pytest.approx(found.depths, abs=1e-9)
        assert np.linalg.norm(found.normals, axis=1) == pytest.approx(np.ones(len(found)))
        for where, points in ((np.eye(4), found.on_a), (pose, found.on_b)):
            if len(points):
                assert np.max(nearmiss.nearest_point(shape, where, points)["upper"]) < 1e-9
    assert 8 < touching < 30


def test_a_corner_in_a_box_protrudes(box):
    found = nearmiss.protrusion(box, np.eye(4), box, at(1.9, 1.7, 1.5))
    assert found.final and found.depth == pytest.approx(0.1)
    assert np.linalg.norm(found.points[0] - found.points[1]) == pytest.approx(0.1)
    pose = at(1.9, 1.7, 1.5) if found.of_b else np.eye(4)
    assert (pose @ np.append(box.vertices[found.vertex], 1.0))[:3] == pytest.approx(found.points[0])
    none = nearmiss.protrusion(box, np.eye(4), box, at(3))
    assert none.depth == 0.0 and none.vertex is None
    assert not nearmiss.protrusion(box, np.eye(4), box, at(1.9, 1.7, 1.5), budget=0.0).depth > 0.1 + 1e-9


def test_penetration_has_bounds_however_short_its_time():
    # A peg in a hole that is narrower by a hair's breadth
    parts = [(CORNERS * s + o, np.array(SIDES) + 8 * i) for i, (s, o) in enumerate(
        (([0.5, 2, 1], [-1.4999, 0, 0]), ([0.5, 2, 1], [1.4999, 0, 0]), ([2, 0.5, 1], [0, -1.5, 0])))]
    frame = nearmiss.Shape(np.vstack([v for v, _ in parts]), np.vstack([f for _, f in parts]), levels=1)
    peg = nearmiss.Shape(CORNERS, SIDES, levels=1)
    found = nearmiss.penetration(frame, np.eye(4), peg, at(0, 0.3, 0))
    assert found.lower <= found.upper
    none = nearmiss.penetration(frame, np.eye(4), peg, at(0, 0.3, 0), budget=0.0)
    assert not none.final and none.lower <= found.upper and found.lower <= none.upper


def test_what_is_refused(box):
    for margin in (-1.0, np.nan, np.inf):
        with pytest.raises(nearmiss.Error, match="margin"):
            nearmiss.contact_manifold(box, np.eye(4), box, at(1), margin=margin)
    with pytest.raises(nearmiss.Error, match="room for a point"):
        nearmiss.contact_manifold(box, np.eye(4), box, at(1), max_points=0)
    with pytest.raises((TypeError, OverflowError)):
        nearmiss.contact_manifold(box, np.eye(4), box, at(1), max_points=-1)
