# SPDX-License-Identifier: MIT
"""conan create packaging/conan, in the root of the checkout."""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class NearmissConan(ConanFile):
    name = "nearmiss"
    description = "Time-critical collision detection with sphere trees"
    license = "MIT"
    topics = ("collision-detection", "robotics", "geometry")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}

    @property
    def _checkout(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._checkout, "CMakeLists.txt"))
        self.version = re.search(r"project\(nearmiss VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "collision/*", "docs/CMakeLists.txt", "docs/Doxyfile.in"):
            copy(self, pattern, self._checkout, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("glm/0.9.9.8", transitive_headers=True)
        self.requires("eigen/3.4.0", visible=False)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("nearmiss is built on Linux only")
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("APP", "TESTS", "EXAMPLES", "PYTHON"):
            toolchain.cache_variables[f"NEARMISS_BUILD_{part}"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # The package's own configuration names nearmiss::collision, nearmiss::rivals and nearmiss::c
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "nearmiss"))
        self.cpp_info.libs = ["nearmiss_rivals", "nearmiss_collision"]
        self.cpp_info.system_libs = ["m", "pthread"]
