# SPDX-License-Identifier: MIT
"""What is tested with, for scripts without pytest too."""
import numpy as np

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
SIDES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]]


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def ball(rings, sides):
    vertices, faces = [], []
    for i in range(rings + 1):
        for j in range(sides):
            polar, around = np.pi * i / rings, 2 * np.pi * j / sides
            r = 1 + 0.2 * np.sin(5 * polar) * np.cos(4 * around)
            vertices.append([r * np.sin(polar) * np.cos(around), r * np.sin(polar) * np.sin(around), r * np.cos(polar)])
    for i in range(rings):
        for j in range(sides):
            a, b = i * sides + j, i * sides + (j + 1) % sides
            faces += [[a, a + sides, b + sides], [a, b + sides, b]]
    return np.array(vertices), np.array(faces)
