# SPDX-License-Identifier: MIT
# An asteroid: a geodesic sphere with a lumpy radius and deep craters, closed, concave, facing outwards. Every vertex
# lies on its own ray from the origin, so the surface cannot cross itself. Nothing is random, so the same number always
# gives the same rock.
#   python3 assets/models/asteroid.py 1 >assets/models/asteroid_1.obj
import math
import sys

GOLDEN = (1 + 5 ** 0.5) / 2
PARTS = 6    # along an edge of the icosahedron: 20 * 6 * 6 triangles

# Per rock: mean radius in metres, half axes, lumps (direction, height), craters (direction, angular radius, depth)
ROCKS = {
    1: (2.0, (1.15, 0.85, 1.0), [((3, 1, 2), 0.16), ((-2, 3, -1), 0.12), ((0, -2, 3), 0.14)],
        [((1, 0.2, 0.3), 0.62, 0.45), ((-0.4, 1, 0.5), 0.45, 0.34), ((-0.6, -0.7, -0.8), 0.55, 0.40)]),
    2: (1.5, (0.9, 1.0, 1.25), [((1, -3, 1), 0.15), ((2, 2, -3), 0.13), ((-3, 0, 1), 0.12)],
        [((0.1, 0.9, -0.4), 0.66, 0.48), ((0.8, -0.5, 0.6), 0.50, 0.36), ((-1, 0.1, 0.4), 0.40, 0.30)]),
    3: (2.8, (1.0, 1.2, 0.8), [((-1, 2, 3), 0.14), ((3, -1, -2), 0.16), ((1, 1, 1), 0.10)],
        [((-0.2, 0.3, 1), 0.70, 0.46), ((0.9, 0.4, -0.3), 0.42, 0.32), ((-0.7, -0.6, 0.1), 0.48, 0.38),
         ((0.2, -1, -0.5), 0.36, 0.28)]),
}


def unit(v):
    size = math.sqrt(sum(x * x for x in v))
    return tuple(x / size for x in v)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def icosahedron():
    corners = []
    for a in (-1, 1):
        for b in (-GOLDEN, GOLDEN):
            corners += [(0.0, a, b), (a, b, 0.0), (b, 0.0, a)]
    faces = []
    for i in range(12):
        for j in range(i + 1, 12):
            for k in range(j + 1, 12):
                p, q, r = corners[i], corners[j], corners[k]
                if all(abs(math.dist(*pair) - 2) < 1e-9 for pair in ((p, q), (q, r), (r, p))):
                    u, v = [[y[n] - p[n] for n in range(3)] for y in (q, r)]
                    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
                    faces.append((p, q, r) if dot(normal, p) > 0 else (p, r, q))
    return faces


def sphere():
    """Directions and triangles of the geodesic sphere."""
    numbers, directions, triangles = {}, [], []

    def number(face, i, j):
        p = tuple(sum(w * c[n] for w, c in zip((PARTS - i - j, i, j), face)) / PARTS for n in range(3))
        key = tuple(round(x, 6) for x in p)
        if key not in numbers:
            numbers[key] = len(directions)
            directions.append(unit(p))
        return numbers[key]

    for face in icosahedron():
        for i in range(PARTS):
            for j in range(PARTS - i):
                triangles.append((number(face, i, j), number(face, i + 1, j), number(face, i, j + 1)))
                if i + j < PARTS - 1:
                    triangles.append((number(face, i + 1, j), number(face, i + 1, j + 1), number(face, i, j + 1)))
    return directions, triangles


def radius(direction, rock):
    mean, axes, lumps, craters = rock
    r = 1 / math.sqrt(sum((x / a) ** 2 for x, a in zip(direction, axes)))
    for way, height in lumps:
        r += height * math.sin(2.2 * dot(direction, way) + way[0])
    for way, wide, depth in craters:
        angle = math.acos(max(-1.0, min(1.0, dot(direction, unit(way))))) / wide
        if angle < 1:
            r -= depth * (1 - angle ** 4)          # a flat floor and a steep wall
        elif angle < 1.35:
            r += 0.09 * math.sin(math.pi * (angle - 1) / 0.35)    # the rim
    return mean * max(r, 0.35)


directions, triangles = sphere()
rock = ROCKS[int(sys.argv[1])]
print('# SPDX-License-Identifier: MIT')
print('mtllib asteroid.mtl')
print('usemtl rock')
for d in directions:
    print('v', *(f'{radius(d, rock) * x:.5f}' for x in d))
for t in triangles:
    print('f', *(i + 1 for i in t))
