# SPDX-License-Identifier: MIT
# The links of a crane for the truck's coupling plate: mast, boom, hook. The name of the output file chooses one.
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ship_model import Model, output_link
from ship_solids import Vector, arc, beam, box, lathe, rod, tube

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
TRIANGLES = {'mast': 448, 'boom': 996, 'hook': 252}
RISE = math.radians(37)  # of the boom in the middle of its range
LENGTH = 0.92


def mast(m):
    """Turns on the plate; the boom's hinge is at its top."""
    m.add(lathe([(0.120, -0.008), (0.120, 0.022), (0.100, 0.034)], 16, (0, 0, 0), Z), 'cast', 40)
    m.add_pair(beam((0.058, -0.045, 0.020), (0.040, 0.0, 0.395), 0.026, 0.060, up=Y), 'yellow', 10)
    m.add(beam((0, -0.075, 0.028), (0, -0.020, 0.330), 0.074, 0.040, up=Y), 'yellow', 10)
    m.add(box((0, -0.105, 0.080), (0.150, 0.080, 0.100), 0.012), 'frame', 10)
    m.add(lathe([(0.030, -0.066), (0.030, 0.066)], 10, (0, 0, 0.390), X, up=Z), 'steel', 40)
    m.add(lathe([(0.040, -0.050), (0.040, 0.050)], 12, (0, -0.030, 0.170), X, up=Z), 'rust', 40)


def boom(m):
    """A lattice that tapers towards a sheave."""
    along = Vector((0, math.cos(RISE), math.sin(RISE)))
    up = Vector((0, -math.sin(RISE), math.cos(RISE)))
    m.add(lathe([(0.034, -0.030), (0.034, 0.030)], 10, (0, 0, 0), X, up=Z), 'steel', 40)

    def chord(side, top, share):
        """A point of one of the four chords."""
        foot = Vector((side * 0.036, 0, 0)) + up * (top * 0.021)
        head = along * (LENGTH * 0.99) + Vector((side * 0.018, 0, 0)) + up * (top * 0.022)
        belly = along * (LENGTH * 0.4) + Vector((side * 0.030, 0, 0)) + up * (top * 0.046)
        return foot.lerp(belly, share / 0.4) if share < 0.4 else belly.lerp(head, (share - 0.4) / 0.6)

    for side in (-1, 1):
        for top in (-1, 1):
            m.add(tube([chord(side, top, 0.0), chord(side, top, 0.4), chord(side, top, 1.0)], 0.0085, 5, up=X), 'yellow', 60)
    bays = 7
    for k in range(bays):
        a, b = 0.06 + 0.88 * k / bays, 0.06 + 0.88 * (k + 1) / bays
        low = -1 if k % 2 else 1
        for side in (-1, 1):
            m.add(rod(chord(side, low, a), chord(side, -low, b), 0.0055, 4), 'yellow', 60)
        for top in (-1, 1):
            m.add(rod(chord(-1, top, b), chord(1, top, b), 0.0055, 4), 'yellow', 60)
    tip = along * LENGTH
    m.add(lathe([(0.034, -0.026), (0.034, 0.026)], 12, tip, X, up=Z), 'cast', 40)
    m.add(box(along * 0.02, (0.076, 0.090, 0.046)).rotated('X', math.degrees(RISE), along * 0.02), 'frame', 10)


def hook(m):
    """Hangs from the sheave by two ropes."""
    m.add(lathe([(0.014, -0.034), (0.014, 0.034)], 8, (0, 0, 0), X, up=Z), 'steel', 40)
    m.add_pair(rod((0.022, 0, 0.004), (0.022, 0, -0.260), 0.0065, 5), 'rubber', 60)
    m.add(box((0, 0, -0.285), (0.076, 0.050, 0.070), 0.010), 'red', 10)
    bow = arc((0, 0, -0.370), 0.036, Y, Z, 100, -150, 9)
    m.add(tube([(0, 0, -0.300)] + [tuple(p) for p in bow], 0.011, 6, up=X), 'steel', 60)


path, link = output_link()
m = Model('crane ' + link, TRIANGLES[link])
m.material('frame', '#6b7682', 0.45, 0.5)
m.material('rubber', '#505459', 0.0, 0.85)
m.material('steel', '#98a1aa', 0.8, 0.35)
m.material('cast', '#868b91', 0.5, 0.6)
m.material('red', '#b5483c', 0.1, 0.45)
m.material('yellow', '#d0a03c', 0.1, 0.5)
m.material('rust', '#8c6a55', 0.6, 0.6)
{'mast': mast, 'boom': boom, 'hook': hook}[link](m)
m.build(path)
