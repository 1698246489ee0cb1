# SPDX-License-Identifier: MIT
"""Many shapes made and dropped in any order by several threads: what was taken out of them lives on, and memory does not grow."""
import gc
import os
import pathlib
import random
import threading

import nearmiss
import numpy as np
import pytest
from meshes import CORNERS, SIDES, at, ball

ROUNDS = int(os.environ.get("ROUNDS", 50))
STATM = pathlib.Path("/proc/self/statm")
BALL = ball(8, 12)
MESHES = [(CORNERS, np.array(SIDES)), BALL, (BALL[0] * [1, 2, 0.5], BALL[1][1:])]


def made(kind):
    return nearmiss.Shape(*MESHES[kind], builder="octree", levels=3, bsp=kind == 0)


def told(shape, other, world):
    """What is asked of two shapes, none of which may be needed afterwards."""
    pose = at(0.7, 0.2)
    handles = [world.add(shape), world.add(other, pose)]
    manifold = nearmiss.contact_manifold(shape, np.eye(4), other, pose)
    found, nearest = world.collisions(), world.min_distance()
    answer = nearmiss.collide(shape, np.eye(4), other, pose)
    kept = [shape.vertices, shape.faces, shape.spheres(), answer.spheres, nearmiss.distance(shape, np.eye(4), other, pose).points,
            manifold.on_a, manifold.normals, manifold.ids, found.pairs - handles[0], found.sensed, nearest.distance.points,
            nearmiss.raycast([shape, other], [np.eye(4), pose], [[0, 0, 3.0]], [[0, 0, -1.0]])["points"]]
    return handles, [array[::-1] for array in kept]  # views


@pytest.fixture(scope="module")
def truth():
    """By the kinds of two shapes that nobody drops."""
    shapes = [made(kind) for kind in range(len(MESHES))]
    return {(a, b): [array.copy() for array in told(shapes[a], shapes[b], nearmiss.World())[1]]
            for a in range(len(shapes)) for b in range(len(shapes))}


def check(kept, truth):
    which, arrays = kept
    for array, expected in zip(arrays, truth[which]):
        assert np.array_equal(array, expected)


def work(seed, rounds, truth, shared, faults):
    dice, shapes, kept, worlds = random.Random(seed), [], [], []
    try:
        for _ in range(rounds):
            kind = dice.randrange(len(MESHES))
            make = dice.choice([lambda: made(kind), lambda: made(kind).scaled(1.0), lambda: shared[kind]])
            shapes.append((kind, make()))
            (a, one), (b, other) = dice.choice(shapes), shapes[-1]
            worlds.append(nearmiss.World())
            handles, arrays = told(one, other, worlds[-1])
            kept.append(((a, b), arrays))
            del one, other
            if dice.random() < 0.5:
                worlds[-1].remove(dice.choice(handles))
            for some, most in ((shapes, 6), (worlds, 4), (kept, 20)):
                if len(some) > most:
                    dropped = some.pop(dice.randrange(len(some)))
                    if some is kept:
                        check(dropped, truth)
        for some in kept:
            check(some, truth)
    except BaseException as fault:  # noqa: B902, whatever it is
        faults.append(fault)


def run(seed, rounds, truth, shared):
    faults = []
    threads = [threading.Thread(target=work, args=(seed + i, rounds, truth, shared, faults)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults[0]
    gc.collect()


def resident():
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not STATM.exists(), reason="/proc is missing")
def test_shapes_are_dropped_in_any_order_by_many_threads(truth):
    shared = [made(kind) for kind in range(len(MESHES))]
    for warm in range(3):
        run(100 * warm, ROUNDS // 5, truth, shared)
    before = resident()
    for again in range(3):
        run(1000 + 100 * again, ROUNDS, truth, shared)
    # Heaps of threads keep some; a leak of every shape would be more
    per_shape = sum(array.nbytes for array in (*MESHES[1], shared[1].spheres()))
    assert resident() - before < 4 * 3 * ROUNDS // 10 * per_shape + 2 ** 24
