# SPDX-License-Identifier: MIT
"""Two hostile numbers at once in whatever takes numbers: an exception that names one of them, or an answer without a NaN."""
import itertools
import os
import re

import nearmiss
import numpy as np
import pytest
from test_hostile_arrays import tetrahedron
from meshes import at

HOSTILE = [np.nan, np.inf, -np.inf, np.finfo(float).max, -np.finfo(float).max, 5e-324, -0.0, 0.0, -1.0, 0.5, 1e300, 1e60, -1e60]
if "NEARMISS_CAMPAIGN" not in os.environ:
    HOSTILE = [np.nan, np.inf, np.finfo(float).max, 0.0, -1.0, 0.5]
NAMES = {"here": "pose", "there": "pose", "poses": "pose", "motion": "motion|elocity", "origins": "origin.",
         "directions": "direction", "ends": "end is", "points": "point.", "vertices": "vert|coordinate|mesh"}
ANSWERS = (nearmiss.Refinement, nearmiss.DistanceBounds, nearmiss.PenetrationBounds, nearmiss.ContactManifold, nearmiss.Protrusion,
           nearmiss.ContactTime, nearmiss.Collisions, nearmiss.NearestBodies, nearmiss.Refit)
SHORT = 2e-5  # seconds


def asked(**more):
    there = at(0.5, 0.0, 0.25)
    there[:3, :3] = [[-0.28, 0, 0.96], [0, 1, 0], [-0.96, 0, -0.28]]
    return {"here": np.eye(4), "there": there, "budget": np.array(SHORT), **more}


def scalar(value):
    return np.array(float(value))


def doors(shape, world, bodies):
    """Name, the arguments at sound values, and the call; numbers are 0-dimensional."""
    several, still = [shape] * 2, np.zeros((2, 3))
    two = lambda a: np.stack([a["here"], a["there"]])
    budget = lambda a: {"budget": float(a["budget"])}
    rays = {"origins": np.array([[0.25, 0.5, 3.0]]), "directions": np.array([[0.0, 0.125, -1.0]]), "ends": np.array([9.0]),
            "radius": scalar(0.1)}
    points = {"points": np.array([[0.25, 0.5, 1.0]]), "reach": scalar(9)}

    def pair(function, **more):
        return asked(**more), lambda a: function(shape, a["here"], shape, a["there"], **budget(a),
                                                 **{name: float(a[name]) for name in more})

    def cast(shapes, poses):
        return lambda a: nearmiss.raycast(shapes, poses(a), a["origins"], a["directions"], ends=a["ends"],
                                          radius=float(a["radius"]), **budget(a))

    def place(a):
        world.set(bodies[0], a["here"])
        world.set(bodies[1], a["there"])
        return world.collisions(**budget(a)), world.min_distance(within=float(a["within"]), **budget(a))

    vertices, faces = tetrahedron()
    return {
        "collide": pair(nearmiss.collide),
        "distance": pair(nearmiss.distance),
        "penetration": pair(nearmiss.penetration),
        "protrusion": pair(nearmiss.protrusion),
        "contact_manifold": pair(nearmiss.contact_manifold, margin=scalar(0.01)),
        "collide_many": (asked(), lambda a: nearmiss.collide_many(shape, shape, two(a), **budget(a))),
        "distance_many": (asked(), lambda a: nearmiss.distance_many(shape, shape, two(a), **budget(a))),
        "time_to_contact": (
            asked(motion=still.copy(), horizon=scalar(2), tolerance=scalar(1e-3)),
            lambda a: nearmiss.time_to_contact(shape, a["here"], a["motion"], shape, a["there"], still, **budget(a),
                                               horizon=float(a["horizon"]), tolerance=float(a["tolerance"]))),
        "raycast": (asked(**rays), cast(shape, lambda a: a["here"])),
        "raycast of many": (asked(**rays), cast(several, two)),
        "nearest_point": (asked(**points), lambda a: nearmiss.nearest_point(shape, a["there"], a["points"], reach=float(a["reach"]),
                                                                **budget(a))),
        "nearest_point of many": (asked(**points), lambda a: nearmiss.nearest_point(several, two(a), a["points"], reach=float(a["reach"]),
                                                                        **budget(a))),
        "side_of": (asked(points=points["points"]), lambda a: nearmiss.side_of(shape, a["there"], a["points"], **budget(a))),
        "containing": (asked(points=points["points"]), lambda a: nearmiss.containing(several, two(a), a["points"], **budget(a))),
        "World": (asked(within=scalar(5)), place),
        "refit": ({"vertices": shape.vertices}, lambda a: shape.refit(a["vertices"])),
        "scaled": ({"factor": scalar(2)}, lambda a: shape.scaled(float(a["factor"]))),
        "Shape": ({"weld": scalar(0.1), "boxes": scalar(1), "vertices": vertices[:1]},
                  lambda a: nearmiss.Shape(np.vstack([a["vertices"], vertices[1:]]), faces, builder="octree", levels=1,
                                           weld=float(a["weld"]), boxes=float(a["boxes"]))),
    }


def numbers_in(answer):
    """All numbers of an answer, of what it consists of too."""
    if isinstance(answer, (float, np.ndarray)):
        yield np.asarray(answer)
    elif isinstance(answer, dict):
        for part in answer.values():
            yield from numbers_in(part)
    elif isinstance(answer, (tuple, list)):
        for part in answer:
            yield from numbers_in(part)
    elif isinstance(answer, ANSWERS):
        for name in dir(answer):
            if not name.startswith("_"):
                yield from numbers_in(getattr(answer, name))


@pytest.fixture(scope="module")
def doors_of_this():
    shape, world = nearmiss.Shape(*tetrahedron(), levels=1), nearmiss.World()
    bodies = [world.add(shape), world.add(shape)]
    return doors(shape, world, bodies), world, bodies


@pytest.mark.parametrize("name", ["collide", "distance", "penetration", "protrusion", "contact_manifold", "collide_many", "distance_many",
                                  "time_to_contact", "raycast", "raycast of many", "nearest_point", "nearest_point of many", "side_of",
                                  "containing", "World", "refit", "scaled", "Shape"])
def test_pairs_of_hostile_numbers(name, doors_of_this):
    every, world, bodies = doors_of_this
    arguments, call = every[name]
    # Of the last row of a matrix one that is 0 stands for all
    places = [(key, index) for key, array in arguments.items() for index in np.ndindex(array.shape)
              if not (array.shape == (4, 4) and index in ((3, 1), (3, 2)))]
    answered = refused = 0
    for first, second in itertools.combinations_with_replacement(places, 2):
        sound = [(key, index, arguments[key][index]) for key, index in (first, second)]
        for one, other in itertools.product(HOSTILE, HOSTILE):
            if first == second and not (one is other):
                continue
            arguments[first[0]][first[1]], arguments[second[0]][second[1]] = one, other
            try:
                answer = call(arguments)
            except (nearmiss.Error, ValueError) as refusal:
                refused += 1
                words = "|".join(NAMES.get(key, key) for key, _ in (first, second)).split("|")
                # That it is the ray or the point of this number says nothing of what is wrong with it
                said = re.sub(r"^(ray|point) \d+: ", "", str(refusal))
                assert any(word in said for word in words), (first, one, second, other, said)
            else:
                answered += 1
                for number in numbers_in(answer):
                    assert number.dtype.kind != "f" or not np.isnan(number).any(), (first, one, second, other, answer)
        for key, index, value in sound:
            arguments[key][index] = value
    assert answered and refused, (answered, refused)
    assert world.bodies == bodies
