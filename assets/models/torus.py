# SPDX-License-Identifier: MIT
# A ring of 400 triangles about the y axis, 1 m in radius, thin enough to hang in others of its kind.
import math

from loft import output_path, outward, write

AROUND, ACROSS = 20, 10
MIDDLE, TUBE = 0.85, 0.15


def point(i, k):
    u, v = 2 * math.pi * i / AROUND, 2 * math.pi * k / ACROSS
    r = MIDDLE + TUBE * math.cos(v)
    return r * math.cos(u), TUBE * math.sin(v), r * math.sin(u)


def index(i, k):
    return i % AROUND * ACROSS + k % ACROSS


points = [point(i, k) for i in range(AROUND) for k in range(ACROSS)]
triangles = []
for i in range(AROUND):
    for k in range(ACROSS):
        a, b, c, d = index(i, k), index(i + 1, k), index(i + 1, k + 1), index(i, k + 1)
        triangles += [(a, b, c), (a, c, d)]
# One segment in five is painted, so that a turn can be seen
write(output_path(), points, outward(points, triangles),
      [('enamel', '#4a90b8', 0.2, 0.35), ('band', '#e0c060', 0.2, 0.35)],
      lambda t: int(min(v // ACROSS for v in t) % 5 == 0))
