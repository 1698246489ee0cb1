# SPDX-License-Identifier: MIT
"""The recipes of packaging/ are true of the tree, as far as this can be said without their tools: check_recipes.py ROOT"""
import ast
import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(sys.argv[1])
PACKAGING = ROOT / "packaging"
CMAKE = (ROOT / "CMakeLists.txt").read_text()
VERSION = re.search(r"project\(nearmiss VERSION ([0-9.]+)", CMAKE)[1]
OPTIONS = set(re.findall(r"option\((NEARMISS_\w+)", CMAKE))
# What find_package() and pkg-config look for, and what each manager calls it
NAMES = {"glm": ("glm",) * 3, "Eigen3": ("eigen3", "eigen", "eigen")}
ENGINE = {"fmt": "fmt", "assimp": "assimp", "tinyobjloader": "tinyobjloader", "tomlplusplus": "tomlplusplus",
          "nlohmann_json": "nlohmann_json", "metis": "metis", "libzstd": "zstd", "libxxhash": "xxhash"}
faults = []


def need(true, fault):
    if not true:
        faults.append(fault)


def found_in(file):
    text = (ROOT / file).read_text()
    return set(re.findall(r"^ *find_package\((\w+)", text, re.MULTILINE)) - {"Python", "pybind11", "Threads", "PkgConfig"}


needed = found_in("collision/CMakeLists.txt")
need(needed == set(NAMES), f"the library looks for {sorted(needed)}; are the recipes told?")

port = PACKAGING / "vcpkg" / "nearmiss"
manifest = json.loads((port / "vcpkg.json").read_text())
need(manifest["version"] == VERSION, "vcpkg.json has another version")
listed = {entry if isinstance(entry, str) else entry["name"] for entry in manifest["dependencies"]}
need({names[0] for names in NAMES.values()} <= listed, "vcpkg.json lacks a library")
portfile = (port / "portfile.cmake").read_text()
need(set(re.findall(r"-D(NEARMISS_\w+)", portfile)) <= OPTIONS, "portfile.cmake sets an option that there is not")
source = re.search(r"\$\{CMAKE_CURRENT_LIST_DIR\}/([./]+)\"", portfile)[1]
need((port / source).resolve() == ROOT.resolve(), "portfile.cmake does not find the checkout")

conan = (PACKAGING / "conan" / "conanfile.py").read_text()
tree = ast.parse(conan)
need(any(isinstance(node, ast.ClassDef) for node in tree.body), "conanfile.py has no class")
required = {name.split("/")[0] for name in re.findall(r"requires\(\"([^\"]+)\"", conan)}
need({names[1] for names in NAMES.values()} <= required, "conanfile.py lacks a library")
parts = re.search(r"for part in \(([^)]*)\)", conan)[1]
need({f"NEARMISS_BUILD_{part}" for part in re.findall(r'"(\w+)"', parts)} <= OPTIONS, "conanfile.py sets an unknown option")
for pattern in re.findall(r'"([\w/.]+(?:/\*)?)"', re.search(r"for pattern in \((.*?)\):", conan, re.DOTALL)[1]):
    need((ROOT / pattern.removesuffix("/*")).exists(), f"conanfile.py exports {pattern}, which there is not")
# A build of what it exports asks for no other folder
folders = set(re.findall(r"add_subdirectory\((\w+)\)", CMAKE))
need("collision" in folders and "docs" in folders, "CMakeLists.txt has other folders than conanfile.py expects")

conda = (PACKAGING / "conda-forge" / "meta.yaml").read_text()
need(f'version = "{VERSION}"' in conda, "meta.yaml has another version")
entries = set(re.findall(r"^\s+- ([\w-]+)$", conda, re.MULTILINE))
need({names[2] for names in NAMES.values()} <= entries, "meta.yaml lacks a library")
engine = (ROOT / "engine" / "CMakeLists.txt").read_text()
for looked_for, name in ENGINE.items():
    need(looked_for in engine, f"engine does not look for {looked_for} any more")
    need(name in entries, f"meta.yaml lacks {name}")
# The Python module is built of these, too
for folder in ("engine", "app/tools/robot"):
    for name in found_in(f"{folder}/CMakeLists.txt") - set(NAMES):
        need(ENGINE.get(name, name) in entries, f"meta.yaml lacks {name}")
for script in re.findall(r"script: (\S+)", conda):
    need((PACKAGING / "conda-forge" / script).exists(), f"meta.yaml names {script}, which there is not")
presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
need("library" in presets, "build_library.sh uses a preset that there is not")

print(*faults, sep="\n")
absent = [tool for tool in ("vcpkg", "conan", "conda") if not shutil.which(tool)]
if absent:
    print("NOT TESTED with", *absent, "themselves, which are not installed")
print(f"recipes of version {VERSION}: {len(faults)} faults")
sys.exit(bool(faults))
