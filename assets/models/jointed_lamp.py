# SPDX-License-Identifier: MIT
# The links of a desk lamp that moves: stand, lower arm, upper arm, head. The name of the output file chooses one.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lamp_parts import LOWER, UPPER, add_arm, add_hub, add_shade, add_stand, elbow, paint, shoulder, wrist
from ship_model import Model, output_link
from ship_solids import Vector

SIZE = 0.72
middle = Vector((0, -0.30, -0.10))  # the origin of the stand, so that the lamp reaches as little as can be


def stand(m):
    add_stand(m)
    add_hub(m, shoulder, LOWER, 0.085, 0.125)


def lower(m):
    add_arm(m, shoulder, elbow, LOWER)
    add_hub(m, elbow, UPPER, 0.080, 0.125)


def upper(m):
    add_arm(m, elbow, wrist, UPPER)
    add_hub(m, wrist, UPPER, 0.075, 0.110)


links = {'stand': (stand, middle, 142), 'lower': (lower, shoulder, 132), 'upper': (upper, elbow, 92),
         'head': (add_shade, wrist, 230)}
path, link = output_link()
add, origin, triangles = links[link]
m = Model('lamp ' + link, triangles)
paint(m)
add(m)
for solid, _ in m.solids:
    solid.verts = [(Vector(v) - origin) * SIZE for v in solid.verts]
m.build(path)
