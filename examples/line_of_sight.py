# SPDX-License-Identifier: MIT
"""A scanner in a hall of pillars: what its beams meet first, how far a ball gets, and where points lie."""
import nearmiss
import numpy as np

corners = np.array([[x, y, z] for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-2.0, 2.0)])
sides = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]]
pillar = nearmiss.Shape(corners, sides)

# A hundred of them, 2 m apart
poses = np.tile(np.eye(4), (100, 1, 1))
poses[:, 0, 3], poses[:, 1, 3] = 2.0 * (np.arange(100) % 10), 2.0 * (np.arange(100) // 10)
hall = [pillar] * 100

angles = np.linspace(0.0, 2.0 * np.pi, 360, endpoint=False)
beams = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(360)])
scanner = np.tile([5.0, 5.0, 0.5], (360, 1))
seen = nearmiss.raycast(hall, poses, scanner, beams, ends=8.0)
print(f"{seen['hit'].sum()} of 360 beams meet {len(set(seen['bodies'][seen['hit']]))} pillars, "
      f"the nearest after {seen['t'].min():.3f} m")

# With 1 µs for each beam: nothing is met before `lower`, wherever time ran out
quick = nearmiss.raycast(hall, poses, scanner, beams, ends=8.0, budget=1e-6)
assert (quick["lower"] <= np.minimum(seen["t"], 8.0)).all()

# A ball that is too large for its aisle, and the places of two screws
drive = nearmiss.raycast(hall, poses, [[-3.0, 5.0, 0.0]], [[1.0, 0.0, 0.0]], ends=24.0, radius=0.9)
screws = [[4.1, 6.1, 0.3], [5.0, 5.0, 0.3]]
near = nearmiss.nearest_point(hall, poses, screws)
held = nearmiss.containing(hall, poses, screws)["containing"]
print(f"a ball of 0.9 m stops after {drive['t'][0]:.3f} m; the second screw is {near['upper'][1]:.3f} m from a pillar, "
      f"the first within pillar {held[0, 1]}")
