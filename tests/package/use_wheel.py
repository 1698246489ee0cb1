# SPDX-License-Identifier: MIT
"""What a stranger has after `pip install`: use_wheel.py ENVIRONMENT VERSION"""
import concurrent.futures
import multiprocessing
import pathlib
import sys

import nearmiss
import nearmiss.trimesh
import numpy as np

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
SIDES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]]


def gap(shape, x):
    pose = np.eye(4)
    pose[0, 3] = x
    return nearmiss.distance(shape, np.eye(4), shape, pose).upper


if __name__ == "__main__":
    environment, version = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    package = pathlib.Path(nearmiss.__file__).resolve().parent
    assert environment in package.parents, package
    assert nearmiss.__version__ == version, nearmiss.__version__
    assert {"py.typed", "__init__.pyi", "trimesh.py", "_robot.py"} <= {file.name for file in package.iterdir()}
    # Shapes travel to processes that have built nothing
    cube = nearmiss.Shape(CORNERS, SIDES)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        gaps = list(pool.map(gap, [cube] * 3, [2.25, 2.5, 3.0]))
    assert np.allclose(gaps, [0.25, 0.5, 1.0], atol=1e-6), gaps
    print("installed, and gaps of", *np.round(gaps, 6), "by version", nearmiss.__version__)
