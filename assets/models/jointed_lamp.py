# SPDX-License-Identifier: MIT
# The links of a desk lamp that moves: stand, lower arm, upper arm, head. The name of the output file chooses one.
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ship_model import Model, output_path
from ship_solids import Vector, beam, lathe

SIZE = 0.72
LOWER, UPPER, HEAD = 115, 43, -29
TRIANGLES = {'stand': 142, 'lower': 132, 'upper': 92, 'head': 230}


def direction(degrees):
    """Unit vector in the Y-Z plane, measured from the nose upwards."""
    t = math.radians(degrees)
    return Vector((0, math.cos(t), math.sin(t)))


shoulder = Vector((0, -0.30, -0.70))
elbow = shoulder + direction(LOWER) * 0.84
wrist = elbow + direction(UPPER) * 0.92
middle = Vector((0, -0.30, -0.10))  # the origin of the stand, so that the lamp reaches as little as can be
origin = {'stand': middle, 'lower': shoulder, 'upper': elbow, 'head': wrist}


def hub(m, centre, turn, r, half):
    """Ten-sided, and bars leave it at multiples of 36 degrees, square to a flat."""
    m.add(lathe([(r, -half), (r, half)], 10, centre, (1, 0, 0), up=direction(turn)), 'iron', 40)


def arm(m, a, b, springs):
    """A bar in the middle, a rod on either side."""
    m.add(beam(a, b, 0.062, 0.042, up=(0, 0, 1)), 'enamel')
    for side in (-1, 1):
        m.add(lathe(springs + [(0.013, (b - a).length)], 5, a + Vector((side * 0.085, 0, 0)), b - a), 'steel', 80)


def stand(m):
    m.add(lathe([(0.43, 0.0), (0.40, 0.085), (0.13, 0.15)], 15, (0, -0.27, -0.98)), ['enamel'], 30)
    m.add(beam(shoulder + direction(LOWER + 144) * 0.20, shoulder, 0.10, 0.045, up=(0, 1, 0)), 'iron')
    hub(m, shoulder, LOWER, 0.085, 0.125)


def lower(m):
    arm(m, shoulder, elbow, [(0.022, 0), (0.022, 0.46), (0.013, 0.49)])
    hub(m, elbow, UPPER, 0.080, 0.125)


def upper(m):
    arm(m, elbow, wrist, [(0.013, 0)])
    hub(m, wrist, UPPER, 0.075, 0.110)


def head(m):
    """A thin bell with a real inside, and a bulb."""
    d = direction(HEAD)
    m.add(beam(wrist, wrist + d * 0.17, 0.09, 0.045), 'iron')
    outer = [(0.10, 0.12), (0.255, 0.26), (0.42, 0.56)]
    inner = [(0.395, 0.56), (0.235, 0.285), (0.095, 0.185)]
    m.add(lathe(outer + inner + [(0, 0.185)], 14, wrist, d, bands=[0, 0, 0, 1, 1, 1]), ['enamel', 'reflector'], 50)
    m.add(lathe([(0.055, 0.15), (0.055, 0.24), (0.105, 0.34), (0, 0.43)], 8, wrist, d,
                bands=[0, 1, 1]), ['iron', 'bulb'], 60)


path = output_path()
link = os.path.splitext(os.path.basename(path))[0].split('_')[-1]
m = Model('lamp ' + link, TRIANGLES[link])
m.material('enamel', '#c4483a', 0.1, 0.35)
m.material('reflector', '#d8d2c2', 0.0, 0.45)
m.material('steel', '#9aa3ab', 0.9, 0.3)
m.material('iron', '#5b6470', 0.6, 0.5)
m.material('bulb', '#ffe2a8', 0.0, 0.3, emission='#ffcf80')
{'stand': stand, 'lower': lower, 'upper': upper, 'head': head}[link](m)
for solid, _ in m.solids:
    solid.verts = [(Vector(v) - origin[link]) * SIZE for v in solid.verts]
m.build(path)
