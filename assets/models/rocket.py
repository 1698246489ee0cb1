# SPDX-License-Identifier: MIT
# Rocket ship: slender body, hollow nozzle, thin fins, two side boosters held off the body by struts.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ship_model import Model, output_path
from ship_solids import blade, lathe, rod

m = Model('rocket', 1420)
m.material('hull', '#b9bfc6', 0.25, 0.4)
m.material('red', '#b8443a', 0.1, 0.4)
m.material('dark', '#4c545f', 0.5, 0.45)
m.material('steel', '#98a1aa', 0.85, 0.3)
m.material('glass', '#5fa3b8', 0.1, 0.12)
m.material('ember', '#5a3a30', 0.2, 0.6, emission='#7a3414')
m.material('glow', '#f08a3c', 0.0, 0.6, emission='#ff8a30')

NOSE = (0, 1, 0)
UP = (0, 0, 1)

# body, from the tip backwards
body = [(0, 1.0), (0.055, 0.87), (0.105, 0.70), (0.145, 0.47), (0.158, 0.22), (0.158, -0.30), (0.158, -0.36),
        (0.125, -0.66)]
m.add(lathe(body, 16, axis=NOSE, up=UP, bands=[0, 0, 1, 1, 1, 0, 1]), ['red', 'hull'], 35)
m.add(lathe([(0.016, 0.90), (0.016, 1.10), (0, 1.16)], 5, axis=NOSE, up=UP), 'steel', 80)

# main nozzle with a glowing inside
bell = [(0.085, -0.62), (0.07, -0.70), (0.11, -0.80), (0.145, -0.98), (0.130, -0.98), (0.092, -0.80), (0.05, -0.72)]
m.add(lathe(bell, 12, axis=NOSE, up=UP, bands=[0, 0, 0, 0, 1, 2]), ['dark', 'ember', 'glow'], 50)

# fins on the diagonals, small canards at the nose
fin = [(0.09, -0.25), (0.09, -0.62), (0.40, -0.92), (0.47, -0.95), (0.47, -0.78), (0.36, -0.56)]
canard = [(0.10, 0.62), (0.10, 0.46), (0.26, 0.40), (0.26, 0.47)]
for turn in (45, 135, 225, 315):
    m.add(blade(fin, 0.030, 0.020).rotated('Y', turn), 'red', 10)
for turn in (0, 180):
    m.add(blade(canard, 0.024, 0.014).rotated('Y', turn), 'red', 10)

# gimbal rods between the tail and the bell
for turn in (45, 135, 225, 315):
    m.add(rod((0, -0.60, 0.105), (0, -0.86, 0.115), 0.012, 4).rotated('Y', turn), 'steel', 10)

# portholes: raised rim, sunk glass
for y, top in ((0.50, 0.158), (0.32, 0.168)):
    m.add(lathe([(0.052, 0.05), (0.052, top), (0.038, top), (0.036, top - 0.01)], 8, (0, y, 0), UP, up=NOSE,
                bands=[0, 0, 0, 1]), ['steel', 'glass'], 30)

# side boosters and their struts
X = 0.33
booster = [(0, 0.22), (0.036, 0.14), (0.062, 0.02), (0.062, -0.52), (0.035, -0.60), (0.066, -0.74), (0.054, -0.74),
           (0.026, -0.62)]
m.add_pair(lathe(booster, 10, (X, 0, 0), NOSE, up=UP, bands=[0, 0, 1, 2, 2, 2, 3, 4]),
           ['red', 'hull', 'dark', 'ember', 'glow'], 45)
for y in (-0.02, -0.44):
    for side in (-1, 1):
        m.add_pair(rod((0.10, y, side * 0.075), (X, y, side * 0.02), 0.013, 5), 'steel', 80)
m.add_pair(rod((0.10, -0.30, 0), (X, -0.06, 0), 0.013, 5), 'steel', 80)

m.build(output_path())
