# SPDX-License-Identifier: MIT
import sys

import nearmiss
import numpy as np

a, b = (nearmiss.Shape.load(file) for file in sys.argv[1:3])
for step in range(6):
    above = np.eye(4)
    above[2, 3] = 0.5 - 0.1 * step
    found = nearmiss.collide(a, np.eye(4), b, above, budget=50e-3)
    gap = nearmiss.distance(a, np.eye(4), b, above)
    print(f"{above[2, 3]:.1f} m: {found.verdict.name.lower()}, distance {gap.upper:.3f} m")
