# SPDX-License-Identifier: MIT
"""What a stranger has after `pip install`: use_wheel.py ENVIRONMENT VERSION"""
import concurrent.futures
import importlib.metadata
import multiprocessing
import pathlib
import sys
import sysconfig

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


def check_contents(distribution):
    """Checks the tag of the wheel, and that it contains the package and nothing else."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    assert f"Tag: {tag}\n" in distribution.read_text("WHEEL"), distribution.read_text("WHEEL")
    files = {str(file) for file in distribution.files if file.parts[0] == "nearmiss" and "__pycache__" not in file.parts}
    assert files == {f"nearmiss/{name}" for name in (
        "__init__.py", "__init__.pyi", "_answers.py", "_explained.py", "_primitives.py", "_robot.py", "py.typed", "trimesh.py",
        "_core" + sysconfig.get_config_var("EXT_SUFFIX"))}, files
    others = {file.parts[0] for file in distribution.files} - {"nearmiss"}
    assert len(others) == 1 and others.pop().endswith(".dist-info"), others
    assert distribution.requires == ["numpy"], distribution.requires


if __name__ == "__main__":
    environment, version = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    package = pathlib.Path(nearmiss.__file__).resolve().parent
    assert environment in package.parents, package
    assert nearmiss.__version__ == version, nearmiss.__version__
    check_contents(importlib.metadata.distribution("nearmiss"))
    # Shapes travel to processes that have built nothing
    cube = nearmiss.Shape(CORNERS, SIDES)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        gaps = list(pool.map(gap, [cube] * 3, [2.25, 2.5, 3.0]))
    assert np.allclose(gaps, [0.25, 0.5, 1.0], atol=1e-6), gaps
    print("installed, and gaps of", *np.round(gaps, 6), "by version", nearmiss.__version__)
