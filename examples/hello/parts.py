#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes two STL files to try things with, plate.stl and bolt.stl, in metres: parts.py [FOLDER]"""
import math
import pathlib
import sys

folder = pathlib.Path(*sys.argv[1:2])


def write(name, triangles):
    with open(folder / name, "w", encoding="ascii") as file:
        print("solid part", file=file)
        for corners in triangles:
            print("facet normal 0 0 0\nouter loop", file=file)
            for corner in corners:
                print("vertex", *(f"{c:.9g}" for c in corner), file=file)
            print("endloop\nendfacet", file=file)
        print("endsolid part", file=file)


def prism(sides, radius, low, high):
    """A closed prism about the z axis, outside up."""
    ring = [(radius * math.cos(2 * math.pi * (i + 0.5) / sides), radius * math.sin(2 * math.pi * (i + 0.5) / sides))
            for i in range(sides)]
    for i, (p, q) in enumerate(zip(ring, ring[1:] + ring[:1])):
        yield (*p, low), (*q, low), (*q, high)
        yield (*p, low), (*q, high), (*p, high)
        if 0 < i < sides - 1:
            yield (*ring[0], high), (*p, high), (*q, high)
            yield (*ring[0], low), (*q, low), (*p, low)


folder.mkdir(parents=True, exist_ok=True)
write("plate.stl", prism(4, 0.5, -0.02, 0.02))
write("bolt.stl", prism(32, 0.05, -0.2, 0.2))
