# SPDX-License-Identifier: MIT
# Desk lamp ship: weighted base, two jointed arms with spring rods, hollow shade with a bulb inside.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lamp_parts import LOWER, UPPER, add_arm, add_hub, add_shade, add_stand, elbow, paint, shoulder, wrist
from ship_model import Model, output_path

m = Model('lamp', 626)
paint(m)
add_stand(m)
for centre, turn, r, half in ((shoulder, LOWER, 0.085, 0.125), (elbow, UPPER, 0.080, 0.125), (wrist, UPPER, 0.075, 0.110)):
    add_hub(m, centre, turn, r, half)
for a, b, turn in ((shoulder, elbow, LOWER), (elbow, wrist, UPPER)):
    add_arm(m, a, b, turn)
add_shade(m)
m.build(output_path())
