# SPDX-License-Identifier: MIT
import nearmiss, numpy as np
ship = nearmiss.Shape.load("my.stl")
pose = np.eye(4); pose[0, 3] = 0.5
print(nearmiss.collide(ship, np.eye(4), ship, pose).verdict)
