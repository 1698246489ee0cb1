#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits spheres that surely cover a robot's link, and asks how close it may come to itself."""
import sys

import nearmiss
import numpy as np


def tapered_bar(sides=16):
    profile = [(0.0, 0.06), (0.08, 0.06), (0.1, 0.03), (0.4, 0.03), (0.42, 0.05), (0.5, 0.05)]
    turn = 2 * np.pi * np.arange(sides) / sides
    rings = [np.column_stack((r * np.cos(turn), r * np.sin(turn), np.full(sides, z))) for z, r in profile]
    at = lambda i, j: i * sides + j % sides
    faces = [f for i in range(len(profile) - 1) for j in range(sides)
             for f in ([at(i, j), at(i, j + 1), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i + 1, j)])]
    last = len(profile) - 1
    faces += [[at(0, 0), at(0, j + 1), at(0, j)] for j in range(1, sides - 1)]
    faces += [[at(last, 0), at(last, j), at(last, j + 1)] for j in range(1, sides - 1)]
    return np.vstack(rings), np.array(faces)


# A mesh file of one's own: link = nearmiss.Shape.load("link.stl", max_spheres=40)
link = nearmiss.Shape(*tapered_bar(), levels=2, max_spheres=40)
spheres = link.spheres()
assert link.check().covers
print(f"{len(link.faces)} triangles, {len(spheres)} spheres that cover them")
np.savetxt(sys.stdout, spheres[:5], fmt="%.4f", header="x y z radius")

poses = np.tile(np.eye(4), (1000, 1, 1))
poses[:, :3, 3] = np.random.default_rng(1).uniform(-0.3, 0.3, (1000, 3))
answers = nearmiss.collide_many(link, link, poses, budget=20e-6)
for verdict in nearmiss.Verdict.__members__.values():
    print(f"{verdict.name.lower():9} {np.count_nonzero(answers['verdict'] == int(verdict))}")
