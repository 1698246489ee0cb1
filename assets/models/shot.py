# SPDX-License-Identifier: MIT
# What the user's ship shoots: a regular icosahedron about the origin, 0.2 m in radius, facing outwards.
#   python3 assets/models/shot.py >assets/models/shot.obj
import itertools

GOLDEN = (1 + 5 ** 0.5) / 2
SCALE = 0.2 / (1 + GOLDEN ** 2) ** 0.5

corners = []
for a, b in itertools.product((-SCALE, SCALE), (-GOLDEN * SCALE, GOLDEN * SCALE)):
    corners += [(0.0, a, b), (a, b, 0.0), (b, 0.0, a)]


def edge(p, q):
    return abs(sum((p[k] - q[k]) ** 2 for k in range(3)) - 4 * SCALE ** 2) < 1e-9


def outward(p, q, r):
    u, v = [[y[k] - p[k] for k in range(3)] for y in (q, r)]
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return sum(normal[k] * p[k] for k in range(3)) > 0


print('# SPDX-License-Identifier: MIT')
for corner in corners:
    print('v', *(f'{x:.6f}' for x in corner))
for i, j, k in itertools.combinations(range(12), 3):
    p, q, r = corners[i], corners[j], corners[k]
    if edge(p, q) and edge(q, r) and edge(r, p):
        print('f', i + 1, *((j + 1, k + 1) if outward(p, q, r) else (k + 1, j + 1)))
