# SPDX-License-Identifier: MIT
"""Shapes of primitives, their mass properties, and warnings of unknown depth."""
import subprocess
import sys
import warnings

import nearmiss
import numpy as np
import pytest

from meshes import CORNERS, SIDES, at, ball


def test_a_box_weighs_what_it_must():
    box = nearmiss.box([0.5, 1, 2], levels=1)
    assert box.solid and box.levels == 1
    mass = box.mass_properties()
    assert mass.volume == pytest.approx(8)
    assert mass.centre == pytest.approx(np.zeros(3))
    assert mass.inertia == pytest.approx(8 / 3 * np.diag([5, 4.25, 1.25]))
    assert isinstance(mass, nearmiss.MassProperties) and mass.inertia.shape == (3, 3)


def test_round_primitives_come_near_their_volumes():
    ball_volume = 4 / 3 * np.pi * 0.5**3
    for shape, volume in ((nearmiss.sphere(0.5, levels=1), ball_volume),
                          (nearmiss.capsule(0.5, 1, levels=1), ball_volume + 2 * np.pi * 0.25),
                          (nearmiss.cylinder(0.5, 1, levels=1), 2 * np.pi * 0.25)):
        assert shape.solid
        assert shape.mass_properties().volume == pytest.approx(volume, rel=0.02)
    assert len(nearmiss.sphere(1, 1, levels=1).faces) == 80
    assert len(nearmiss.cylinder(1, 1, 6, levels=1).vertices) == 12


def test_a_hull_holds_its_points():
    points, _ = ball(6, 8)
    hull = nearmiss.convex_hull(points, levels=1)
    assert hull.solid and hull.report()["volume"] == pytest.approx(hull.mass_properties().volume)
    assert (nearmiss.distance(hull, np.eye(4), nearmiss.box([0.01, 0.01, 0.01], levels=1), at(*points[9])).upper) == 0


def test_what_is_none_is_refused():
    for call, sentence in ((lambda: nearmiss.box([1, 0, 1]), "half extent along y is 0 m"),
                           (lambda: nearmiss.box([1, 1]), "three numbers"),
                           (lambda: nearmiss.sphere(np.nan), "the radius is nan m"),
                           (lambda: nearmiss.sphere(1, 9), "from 0 to 8"),
                           (lambda: nearmiss.capsule(1, -1), "half height is -1 m"),
                           (lambda: nearmiss.cylinder(1, 1, 2), "from 3 to 1024"),
                           (lambda: nearmiss.convex_hull(np.zeros((5, 3))), "in one plane"),
                           (lambda: nearmiss.Shape(CORNERS, SIDES[1:], levels=1).mass_properties(),
                            "not closed .3 boundary edges")):
        with pytest.raises(nearmiss.Error, match=sentence):
            call()
    with pytest.raises(TypeError):
        nearmiss.box([1, 1, 1], colour="red")


CROSSING = """
import warnings
import nearmiss, numpy as np
from meshes import CORNERS, SIDES, at
sheet = nearmiss.Shape(CORNERS[:4], SIDES[:2], levels=1)
unknown = []
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    for i in range(8):
        pose = at(0.1 * i)
        pose[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
        found = nearmiss.contact_manifold(sheet, np.eye(4), sheet, pose)
        unknown.append(not found.depth_known)
assert len(heard) == any(unknown), (len(heard), unknown)
assert all(w.category is UserWarning and "depth" in str(w.message) for w in heard)
"""


def test_a_process_is_warned_once_of_unknown_depth():
    import pathlib
    subprocess.run([sys.executable, "-c", CROSSING], check=True, cwd=pathlib.Path(__file__).parent)


def test_the_depth_of_solids_is_known():
    box = nearmiss.box([1, 1, 1], levels=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert nearmiss.contact_manifold(box, np.eye(4), box, at(1.9)).depth_known is True
