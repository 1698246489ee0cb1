# SPDX-License-Identifier: MIT
"""Time-critical collision detection with sphere trees."""
from ._core import *
from ._core import __version__
from ._robot import Robot, robot
