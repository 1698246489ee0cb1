# SPDX-License-Identifier: MIT
"""Builds the wheel: CMake builds and installs the Python package, setuptools packs it.

NEARMISS_BUILD_DIR names a configured build folder to take it from, instead of a new one.
"""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = os.environ.get("NEARMISS_BUILD_DIR")
        if not folder:
            folder = str(pathlib.Path(self.build_temp).resolve() / "cmake")
            self.cmake("--preset", "python", "-S", str(ROOT), "-B", folder, f"-DPython_EXECUTABLE={sys.executable}",
                       "-DNEARMISS_PYTHON_REQUIRED=ON", *self.pybind11())
        self.cmake("--build", folder, "--target", "nearmiss_python")
        # Where the folder would install it is of no matter: a wheel has the package at its root
        staged = pathlib.Path(self.build_temp).resolve() / "staged"
        self.cmake("--install", folder, "--component", "python", "--prefix", str(staged))
        package = next(staged.rglob("nearmiss/__init__.py")).parent
        self.copy_tree(str(package), str(pathlib.Path(self.get_ext_fullpath(extension.name)).parent))

    @staticmethod
    def pybind11():
        """Returns the option that finds pybind11 among the packages of this interpreter; none if it is elsewhere."""
        try:
            import pybind11
            return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]
        except (ImportError, AttributeError):
            return []

    @staticmethod
    def cmake(*arguments):
        subprocess.run(["cmake", *arguments], check=True, cwd=ROOT)


version = re.search(r"project\(nearmiss VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
# Beside the folder that CMake builds in
BUILD = ROOT / "build-wheel"
BUILD.mkdir(exist_ok=True)
setup(version=version, packages=[], ext_modules=[Extension("nearmiss._core", [])],
      options={"build": {"build_base": str(BUILD)}, "egg_info": {"egg_base": str(BUILD)}},
      cmdclass={"build_ext": CMakeBuild})
