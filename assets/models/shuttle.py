# SPDX-License-Identifier: MIT
# A space shuttle of 528 triangles: a fuselage with a delta wing and a fin, lofted through 11 sections of 24 points.
import math

from loft import loft, output_path, write

# z, radius of the fuselage, half span of the wing (0: none), height of the fin (0: none); the nose points to -z
SECTIONS = [(-0.93, 0.06, 0.00, 0.00), (-0.84, 0.11, 0.00, 0.00), (-0.70, 0.15, 0.00, 0.00), (-0.50, 0.17, 0.22, 0.00),
            (-0.25, 0.17, 0.30, 0.00), (0.05, 0.17, 0.40, 0.00), (0.28, 0.17, 0.62, 0.00), (0.45, 0.17, 0.74, 0.00),
            (0.58, 0.17, 0.76, 0.34), (0.72, 0.16, 0.76, 0.56), (0.82, 0.13, 0.20, 0.60)]
POINTS = 24
TOP, RIGHT, LEFT = 6, 22, 14  # points of the fin, 90 degrees, and of the wing's tips, 30 below the sides


def section(z, radius, span, fin):
    """Star-shaped about the axis, so that the loft cannot cut itself."""
    ring = []
    for i in range(POINTS):
        angle = 2 * math.pi * i / POINTS
        x, y = radius * math.cos(angle), radius * math.sin(angle)
        if i in (RIGHT, LEFT) and span > radius:
            x = math.copysign(span, x)
            y = -0.55 * radius
        if i == TOP and fin > radius:
            y = fin
        if span > radius:
            y = max(y, -0.75 * radius)  # a flat belly between the wings
        ring.append((x, y, z))
    return ring


points, triangles = loft([section(*s) for s in SECTIONS], (0.0, 0.0, -1.0), (0.0, 0.0, 0.86))
middle = {t: [sum(points[v][c] for v in t) / 3 for c in range(3)] for t in triangles}


def material(t):
    x, y, z = middle[t]
    return 2 if z > 0.8 else 1 if y < -0.06 or z < -0.9 else 0


write(output_path(), points, triangles,
      [('tiles', '#e6e4dc', 0.0, 0.5), ('belly', '#3a4048', 0.1, 0.6), ('nozzles', '#8a6a4a', 0.7, 0.4)], material, 30.0)
