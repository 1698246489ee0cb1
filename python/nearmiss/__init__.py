# SPDX-License-Identifier: MIT
"""Time-critical collision detection with sphere trees."""
from ._core import *
from ._core import __version__
from ._primitives import box, capsule, convex_hull, cylinder, sphere
from ._robot import Robot, robot
