# SPDX-License-Identifier: MIT
"""Faults of meshes as arrays: intersecting faces, open edges."""
import numpy as np
import pytest

import nearmiss
from meshes import CORNERS, SIDES

FACES = np.array(SIDES)


def test_a_cube_has_no_faults():
    found = nearmiss.check_mesh(CORNERS, FACES)
    assert found.solid and found.reasons == []
    assert found.self_intersections.shape == found.boundary_edges.shape == (0, 2)
    assert found.non_manifold_vertices.shape == (0,)
    assert found.report()["volume"] == pytest.approx(8.0)


def test_open_edges_are_those_of_the_face_that_is_missing():
    found = nearmiss.check_mesh(CORNERS, FACES[1:])
    assert not found.solid and found.reasons == ["not closed (3 boundary edges)"]
    a, b, c = sorted(SIDES[0])
    assert sorted(map(tuple, found.boundary_edges)) == [(a, b), (a, c), (b, c)]


def test_numbers_are_those_of_the_arrays_given():
    # Without shared vertices, a face without area and a duplicate in between
    loose = CORNERS[FACES].reshape(-1, 3)
    faces = np.arange(len(loose)).reshape(-1, 3)
    faces = np.concatenate([[[0, 0, 1]], faces[:1], faces[:1], faces[1:]])
    found = nearmiss.check_mesh(loose, faces)
    assert found.solid
    assert list(found.degenerate_faces) == [0] and list(found.duplicate_faces) == [2]
    found = nearmiss.check_mesh(loose, faces[:-1])
    assert set(found.boundary_edges.ravel()) <= set(faces[3:-1].ravel()) | set(faces[1])
    assert len(found.boundary_edges) == 3


def test_two_cubes_that_overlap_intersect():
    vertices = np.concatenate([CORNERS, CORNERS + 0.5])
    faces = np.concatenate([FACES, FACES + 8])
    found = nearmiss.check_mesh(vertices, faces, workers=2)
    pairs = found.self_intersections
    assert len(pairs) == found.report()["self_intersections"] > 0
    assert (pairs[:, 0] < 12).all() and (pairs[:, 1] >= 12).all()
    assert pairs.dtype == np.uint32 and (np.lexsort((pairs[:, 1], pairs[:, 0])) == np.arange(len(pairs))).all()
    assert len(nearmiss.check_mesh(vertices, faces, self_intersections=False).self_intersections) == 0


def test_an_edge_of_three_faces_and_one_run_twice_are_told():
    fin = np.concatenate([FACES, [[0, 1, 8]]])
    found = nearmiss.check_mesh(np.concatenate([CORNERS, [[-3.0, -3, 0]]]), fin)
    assert found.non_manifold_edges.tolist() == [[0, 1]]
    turned = FACES.copy()
    turned[0] = turned[0, ::-1]
    assert len(nearmiss.check_mesh(CORNERS, turned).misoriented_edges) == 3


@pytest.mark.parametrize("vertices, faces, settings, words", [
    (CORNERS, [[0, 1, 9]], {}, "face 0 names vertex 9"),
    (CORNERS, np.zeros((0, 3), int), {}, "the mesh has no triangle"),
    (np.full((3, 3), np.nan), [[0, 1, 2]], {}, "vertex 0: x is nan"),
    (CORNERS, FACES, {"weld": -1.0}, "the distance for welding is -1"),
    (CORNERS, [[0, 1]], {}, "three columns"),
])
def test_what_is_no_mesh_is_refused_with_a_sentence(vertices, faces, settings, words):
    with pytest.raises(nearmiss.Error, match=words):
        nearmiss.check_mesh(vertices, faces, **settings)
