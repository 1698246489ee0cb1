# SPDX-License-Identifier: MIT
# What the desk lamps are made of: their measures, paints, hubs, arms and shade.
import math

from ship_solids import Vector, beam, lathe

# Joint hubs are ten-sided and the bars leave them at multiples of 36 degrees, square to a flat.
LOWER, UPPER, HEAD = 115, 43, -29


def direction(degrees):
    """Unit vector in the Y-Z plane, measured from the nose upwards."""
    t = math.radians(degrees)
    return Vector((0, math.cos(t), math.sin(t)))


shoulder = Vector((0, -0.30, -0.70))
elbow = shoulder + direction(LOWER) * 0.84
wrist = elbow + direction(UPPER) * 0.92

# the thick spring body on the lower arm only
springs = {LOWER: [(0.022, 0), (0.022, 0.46), (0.013, 0.49)], UPPER: [(0.013, 0)]}


def paint(m):
    m.material('enamel', '#c4483a', 0.1, 0.35)
    m.material('reflector', '#d8d2c2', 0.0, 0.45)
    m.material('steel', '#9aa3ab', 0.9, 0.3)
    m.material('iron', '#5b6470', 0.6, 0.5)
    m.material('bulb', '#ffe2a8', 0.0, 0.3, emission='#ffcf80')


def add_stand(m):
    """Base and stem."""
    m.add(lathe([(0.43, 0.0), (0.40, 0.085), (0.13, 0.15)], 15, (0, -0.27, -0.98)), ['enamel'], 30)
    m.add(beam(shoulder + direction(LOWER + 144) * 0.20, shoulder, 0.10, 0.045, up=(0, 1, 0)), 'iron')


def add_hub(m, centre, turn, r, half):
    m.add(lathe([(r, -half), (r, half)], 10, centre, (1, 0, 0), up=direction(turn)), 'iron', 40)


def add_arm(m, a, b, turn):
    """A bar in the middle, a rod on either side."""
    m.add(beam(a, b, 0.062, 0.042, up=(0, 0, 1)), 'enamel')
    rod_profile = springs[turn] + [(0.013, (b - a).length)]
    for side in (-1, 1):
        m.add(lathe(rod_profile, 5, a + Vector((side * 0.085, 0, 0)), b - a), 'steel', 80)


def add_shade(m):
    """A thin bell with a real inside, and a bulb."""
    d = direction(HEAD)
    m.add(beam(wrist, wrist + d * 0.17, 0.09, 0.045), 'iron')
    outer = [(0.10, 0.12), (0.255, 0.26), (0.42, 0.56)]
    inner = [(0.395, 0.56), (0.235, 0.285), (0.095, 0.185)]
    m.add(lathe(outer + inner + [(0, 0.185)], 14, wrist, d, bands=[0, 0, 0, 1, 1, 1]), ['enamel', 'reflector'], 50)
    m.add(lathe([(0.055, 0.15), (0.055, 0.24), (0.105, 0.34), (0, 0.43)], 8, wrist, d,
                bands=[0, 1, 1]), ['iron', 'bulb'], 60)
