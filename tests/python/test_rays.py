# SPDX-License-Identifier: MIT
"""Rays, moved balls and points against what numpy says of all triangles."""
import pathlib
import subprocess
import sys

import nearmiss
import numpy as np
import pytest
from meshes import CORNERS, SIDES, ball

ONE = np.eye(4)


@pytest.fixture(scope="module")
def cube():
    return nearmiss.Shape(CORNERS, SIDES, builder="octree", levels=1)


@pytest.fixture(scope="module")
def bumpy():
    return nearmiss.Shape(*ball(12, 16), builder="octree", levels=1)


def first_of_all(shape, origins, directions):
    """By Moeller and Trumbore, every ray against every triangle."""
    a, b, c = shape.vertices[shape.faces].transpose(1, 0, 2)
    across = np.cross(directions[:, None], c - a)
    determinant = np.sum((b - a) * across, axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        to = origins[:, None] - a
        u = np.sum(to * across, axis=2) / determinant
        turned = np.cross(to, b - a)
        v = np.sum(directions[:, None] * turned, axis=2) / determinant
        t = np.sum((c - a) * turned, axis=2) / determinant
        met = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
    return np.where(met, t, np.inf).min(axis=1)


def test_rays_agree_with_all_triangles(bumpy):
    random = np.random.default_rng(1)
    origins = random.uniform(-2, 2, (3000, 3))
    directions = random.uniform(-0.8, 0.8, (3000, 3)) - origins
    truth = first_of_all(bumpy, origins, directions)
    found = nearmiss.raycast(bumpy, ONE, origins, directions)
    assert 0.3 < np.isfinite(truth).mean() < 0.98
    assert np.array_equal(found["hit"], np.isfinite(truth)) and found["final"].all()
    hit = found["hit"]
    assert found["t"][hit] == pytest.approx(truth[hit], rel=1e-9)
    assert np.isinf(found["t"][~hit]).all() and (found["triangles"][~hit] == -1).all()
    assert (found["lower"] <= found["t"]).all()
    assert found["points"][hit] == pytest.approx((origins + found["t"][:, None] * directions)[hit], abs=1e-9)
    corners = bumpy.vertices[bumpy.faces[found["triangles"][hit]]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    assert found["normals"][hit] == pytest.approx(normals, abs=1e-6)
    # Segments: the far half is cut off
    short = nearmiss.raycast(bumpy, ONE, origins, directions, ends=0.5 * np.where(hit, truth, 1.0))
    assert not short["hit"][hit & (truth > 0)].any()
    assert nearmiss.raycast(bumpy, ONE, origins, directions, ends=np.inf)["t"] == pytest.approx(found["t"])


def test_balls_and_poses(cube):
    pose = np.eye(4)
    pose[:3, 3] = 10, 0, 0
    found = nearmiss.raycast(cube, pose, [[20, 0.2, 0.1]], [[-1, 0, 0]], radius=0.5)
    assert found["t"][0] == pytest.approx(8.5) and found["normals"][0] == pytest.approx([1, 0, 0])
    assert found["points"][0] == pytest.approx([11, 0.2, 0.1])
    past = nearmiss.raycast(cube, pose, [[20, 1.3, 0.1], [20, 1.6, 0.1]], [[-1, 0, 0]] * 2, radius=0.5)
    assert past["hit"].tolist() == [True, False] and past["t"][0] == pytest.approx(9 - 0.4)


def test_points(cube, bumpy):
    random = np.random.default_rng(2)
    points = random.uniform(-2, 2, (2000, 3))
    outside = np.linalg.norm(np.maximum(np.abs(points) - 1, 0), axis=1)
    truth = np.where(outside > 0, outside, 1 - np.abs(points).max(axis=1))
    found = nearmiss.nearest_point(cube, ONE, points)
    assert found["upper"] == pytest.approx(truth) and found["lower"] == pytest.approx(truth, abs=1e-6)
    assert np.linalg.norm(found["points"] - points, axis=1) == pytest.approx(truth)
    some = nearmiss.nearest_point(cube, ONE, points, reach=0.3)
    assert np.array_equal(some["triangles"] >= 0, truth <= 0.3)
    sides = nearmiss.side_of(cube, ONE, points)
    assert np.array_equal(sides == nearmiss.PointSide.INSIDE.value, outside == 0)
    assert nearmiss.side_of(cube, ONE, [[1, 0, 0], [1, 1, 1]]).tolist() == [2, 2]
    sheet = nearmiss.Shape(CORNERS, SIDES[1:], builder="octree", levels=1)
    assert nearmiss.side_of(sheet, ONE, [[0, 0, 0]]).tolist() == [nearmiss.PointSide.UNKNOWN.value]


def test_many_shapes_agree_with_each(cube, bumpy):
    random = np.random.default_rng(4)
    shapes = [cube, bumpy] * 10
    poses = np.tile(ONE, (20, 1, 1))
    poses[:, :3, 3] = random.uniform(-8, 8, (20, 3))
    points = random.uniform(-8, 8, (400, 3))
    directions = random.uniform(-1, 1, (400, 3))
    each = np.array([nearmiss.raycast(s, p, points, directions)["t"] for s, p in zip(shapes, poses)])
    found = nearmiss.raycast(shapes, poses, points, directions)
    assert np.array_equal(found["t"], each.min(axis=0)) and 0.2 < found["hit"].mean() < 0.95
    assert np.array_equal(found["bodies"], np.where(found["hit"], each.argmin(axis=0), -1))
    each = np.array([nearmiss.nearest_point(s, p, points)["upper"] for s, p in zip(shapes, poses)])
    near = nearmiss.nearest_point(shapes, poses, points)
    assert np.array_equal(near["upper"], each.min(axis=0)) and np.array_equal(near["bodies"], each.argmin(axis=0))
    sides = np.array([nearmiss.side_of(s, p, points) for s, p in zip(shapes, poses)])
    held = nearmiss.containing(shapes, poses, points)
    assert held["final"].all() and len(held["containing"]) > 5
    assert np.array_equal(held["containing"], np.argwhere(((sides == 1) | (sides == 2)).T))
    with pytest.raises(nearmiss.Error, match="a pose for each shape"):
        nearmiss.raycast(shapes, poses[:3], points, directions)
    with pytest.raises(nearmiss.Error, match="ray 0: the length of the direction"):
        nearmiss.raycast(shapes, poses, points, 0 * directions)
    assert not nearmiss.raycast([], np.zeros((0, 4, 4)), points, directions)["hit"].any()


def test_budgets_give_bounds(bumpy):
    random = np.random.default_rng(3)
    origins = random.uniform(-2, 2, (500, 3))
    whole = nearmiss.raycast(bumpy, ONE, origins, -origins)
    short = nearmiss.raycast(bumpy, ONE, origins, -origins, budget=0.0)
    assert not short["final"].all()
    assert (short["lower"] <= whole["t"]).all() and (short["t"] >= whole["t"]).all()
    near, soon = nearmiss.nearest_point(bumpy, ONE, origins), nearmiss.nearest_point(bumpy, ONE, origins, budget=0.0)
    assert not soon["final"].all()
    assert (soon["lower"] <= near["upper"]).all() and (soon["upper"] >= near["upper"]).all()


def test_no_rays_at_all(cube):
    assert len(nearmiss.raycast(cube, ONE, np.zeros((0, 3)), np.zeros((0, 3)))["t"]) == 0
    assert len(nearmiss.side_of(cube, ONE, np.zeros((0, 3)))) == 0


def test_refusals(cube):
    for origins, directions, more, words in (
            ([[0, 0, np.nan]], [[1, 0, 0]], {}, "ray 0: origin.z is nan, but must be finite"),
            ([[0, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]], {}, "ray 1: the length of the direction is 0"),
            ([[0, 0, 0]], [[1, 0, 0]], {"ends": -1.0}, "end is -1, but must be 0 or more"),
            ([[0, 0, 0]], [[1, 0, 0]], {"radius": -1.0}, "radius is -1"),
            ([[0, 0, 0]], [[1, 0, 0]], {"ends": [1.0, 2.0]}, "one for each ray"),
            ([[0, 0, 0]], [[1, 0, 0]] * 2, {}, "a direction for each origin"),
            ([0, 0], [[1, 0, 0]], {}, "three columns"),
            ([[0, 0, 0]], [[1, 0, 0]], {"budget": -1.0}, "budget")):
        with pytest.raises(nearmiss.Error, match=words):
            nearmiss.raycast(cube, ONE, origins, directions, **more)
    with pytest.raises(nearmiss.Error, match="reach is -1"):
        nearmiss.nearest_point(cube, ONE, [[0, 0, 0]], reach=-1)
    with pytest.raises(nearmiss.Error, match="at most 1e60 in size"):
        nearmiss.side_of(cube, ONE, [[0, 1e61, 0]])
    with pytest.raises(nearmiss.Error, match="rigid"):
        nearmiss.nearest_point(cube, 2 * ONE, [[0, 0, 0]])


def test_example():
    example = pathlib.Path(__file__).parents[2] / "examples" / "line_of_sight.py"
    told = subprocess.run([sys.executable, example], capture_output=True, text=True, check=True).stdout
    assert "of 360 beams meet" in told and "stops after 2.388 m" in told and "within pillar 32" in told
