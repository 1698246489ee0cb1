# SPDX-License-Identifier: MIT
# Faucet ship: gooseneck spout with an open mouth, two cross handles on a plate, supply pipes below.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ship_model import Model, output_path
from ship_solids import arc, lathe, prism, rod, tube

m = Model('faucet', 1288)
m.material('chrome', '#b4bfca', 0.75, 0.22)
m.material('satin', '#7f8a98', 0.7, 0.45)
m.material('brass', '#c09a52', 0.8, 0.35)
m.material('ceramic', '#e4dfd2', 0.0, 0.25)
m.material('bore', '#3b434d', 0.3, 0.7)
m.material('hot', '#c8453c', 0.0, 0.35)
m.material('cold', '#3f76c4', 0.0, 0.35)

X = 0.47  # distance of the handles from the middle

# plate with rounded ends
right = [(p.x, p.y) for p in arc((X, 0, 0), 0.19, (1, 0, 0), (0, 1, 0), -90, 90, 5)]
left = [(-x, -y) for x, y in right]
m.add(prism(right + left, 0.075, (0, 0, 0.0375), (0, 0, 1), (0, 1, 0), bevel=0.022, one_side=True), 'chrome', 20)

# spout: collar, gooseneck, aerator with a real hole
m.add(lathe([(0.15, 0.03), (0.15, 0.10), (0.09, 0.15)], 10), ['chrome'], 40)
path = [(0, 0, 0.10)] + arc((0, 0.36, 0.50), 0.36, (0, -1, 0), (0, 0, 1), 0, 180, 7) + [(0, 0.72, 0.40)]
m.add(tube(path, 0.075, 10, up=(0, 1, 0)), 'chrome', 60)
m.add(lathe([(0.095, 0.43), (0.095, 0.27), (0.072, 0.27), (0.072, 0.37), (0, 0.37)], 10, (0, 0.72, 0), (0, 0, 1),
            up=(0, 1, 0), bands=[0, 0, 1, 1]), ['satin', 'bore'], 40)

# cross handles, hot on the left
tip = [(0.046, 0.15), (0.036, 0.215)]
for side, cap in ((-1, 'hot'), (1, 'cold')):
    x = side * X
    m.add(lathe([(0.125, 0.04), (0.072, 0.15), (0.088, 0.28), (0.088, 0.37)], 8,
                (x, 0, 0), up=(0, 1, 0)), 'chrome', 50)
    m.add(lathe([(0.055, 0.35), (0.045, 0.40)], 6, (x, 0, 0), up=(0, 1, 0)), cap, 50)
    for axis in ((1, 0, 0), (0, 1, 0)):
        m.add(lathe([(r, -h) for r, h in tip[::-1]] + [(0.020, 0)] + tip, 6, (x, 0, 0.325), axis, up=(0, 0, 1),
                    bands=[0, 1, 1, 0]), ['ceramic', 'chrome'], 62)

# supply pipes: nut, then down and backwards to a flared open end
m.add_pair(rod((X, 0, 0.03), (X, 0, -0.13), 0.10, 6), 'brass', 20)
pipe = [(X, 0, -0.10)] + arc((X, -0.22, -0.42), 0.22, (0, 1, 0), (0, 0, -1), 0, 84, 3) 
pipe += [(X - 0.04, -0.50, -0.66), (X - 0.06, -0.64, -0.675)]
m.add_pair(tube(pipe, 0.055, 7, up=(0, 1, 0), scale=[1] * 6 + [1.5], mouth=(0.8, 0.13, 0.5)), ['brass', 'bore'], 60)

# threaded shank below the spout, tied to both pipes
m.add(rod((0, 0, 0.03), (0, 0, -0.50), 0.06, 7, up=(0, 1, 0)), 'brass', 55)
m.add(lathe([(0.115, 0.03), (0.115, -0.10)], 6), 'satin', 30)
m.add(rod((-X, 0, -0.34), (X, 0, -0.34), 0.034, 6, up=(0, 0, 1)), 'satin', 62)

m.build(output_path())
