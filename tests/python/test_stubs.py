# SPDX-License-Identifier: MIT
"""What the type stubs say is there, and nothing else."""
import ast
import inspect
import os
import pathlib
import subprocess
import sys

import nearmiss
import pytest

STUBS = ast.parse((pathlib.Path(nearmiss.__file__).parent / "__init__.pyi").read_text())
# TypedDicts: for checkers alone
PLAIN = {"Refinements", "Distances", "RayHits", "BodyRayHits", "NearestPoints", "BodyNearestPoints", "Containing"}
OF_PYTHON = {nearmiss.Robot}  # its objects alone have attributes


def parameters_said(function):
    """Returns the name, kind and default of each parameter of a stub."""
    arguments, kinds = function.args, inspect.Parameter
    plain = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
    said = [(a.arg, kinds.POSITIONAL_OR_KEYWORD, d) for a, d in zip(plain, defaults)]
    said += [(a.arg, kinds.KEYWORD_ONLY, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [(name, kind, kinds.empty if default is None else ast.literal_eval(default))
            for name, kind, default in said if name != "self"]


def parameters_of(value):
    assert inspect.isfunction(value), f"{value} has no signature"
    plain = inspect.signature(value).parameters.values()
    return [(p.name, p.kind, p.default) for p in plain if p.name != "self" and p.kind != p.VAR_KEYWORD]


def agree(said, there):
    """Compares parameters; a default of ... stands for any."""
    return [s[:2] for s in said] == [t[:2] for t in there] and all(
        t[2] is not inspect.Parameter.empty if s[2] is ... else s[2] == t[2] for s, t in zip(said, there))


def check_functions(body, owner):
    names = 0
    for entry in body:
        if isinstance(entry, ast.FunctionDef) and entry.name.startswith("__"):
            assert hasattr(owner, entry.name), (owner, entry.name)
        elif isinstance(entry, ast.FunctionDef):
            value = getattr(owner, entry.name)
            # Several signatures share one name, of which the module says less
            if not any(getattr(d, "id", "") in ("property", "overload") for d in entry.decorator_list):
                assert agree(parameters_said(entry), parameters_of(value)), (owner, entry.name)
            names += 1
        elif isinstance(entry, ast.AnnAssign):
            assert owner in OF_PYTHON or hasattr(owner, entry.target.id), (owner, entry.target.id)
            names += 1
    return names


def test_the_stubs_are_the_module():
    said = {entry.name: entry for entry in STUBS.body if isinstance(entry, (ast.ClassDef, ast.FunctionDef))}
    there = {name for name in dir(nearmiss) if not name.startswith("_") and name not in ("trimesh",)}
    assert there == {name for name in said if not name.startswith("_")} - PLAIN
    assert check_functions(STUBS.body, nearmiss) > 5


def test_enumerations_are_what_their_stubs_say():
    for kind in (nearmiss.Verdict, nearmiss.Stage, nearmiss.SolidSide, nearmiss.PointSide):
        for name, value in kind.__members__.items():
            assert kind(int(value)) == value and value.name == name and value.value == int(value) == hash(value)
            assert getattr(kind, name) == value and list(kind.__members__)[value] == name


def test_the_stubs_are_the_classes():
    checked = 0
    shared = {entry.name: entry for entry in STUBS.body
              if isinstance(entry, ast.ClassDef) and entry.name.startswith("_")}
    for entry in STUBS.body:
        if not isinstance(entry, ast.ClassDef) or entry.name in PLAIN or entry.name in shared:
            continue
        kind = getattr(nearmiss, entry.name)
        checked += check_functions(entry.body, kind)
        for base in entry.bases:
            # What stubs share is of no class of the module, and what else they promise is true
            if base.id in shared:
                check_functions(shared[base.id].body, kind)
            else:
                assert base.id in {each.__name__ for each in kind.__mro__}, (entry.name, base.id)
        public = {name for name in vars(kind) if not name.startswith("_")}
        said = {e.name for e in entry.body if isinstance(e, ast.FunctionDef)} | \
            {e.target.id for e in entry.body if isinstance(e, ast.AnnAssign)} | \
            {target.id for e in entry.body if isinstance(e, ast.Assign) for target in e.targets}
        assert public - {"name", "value"} <= said, (entry.name, public - said)
    assert checked > 40


PROGRAM = """
from concurrent.futures import ProcessPoolExecutor
import numpy as np
import nearmiss
from nearmiss.trimesh import CollisionManager, ContactData, scene_to_collision

def gap(shape: nearmiss.Shape, x: float) -> float:
    pose = np.eye(4)
    pose[0, 3] = x
    return nearmiss.distance(shape, np.eye(4), shape, pose, budget=1e-3).upper

class Mesh:
    vertices = np.zeros((3, 3))
    faces = np.array([[0, 1, 2]])

def shown(done: float) -> bool:
    print(f"{done:.0%}")
    return True

def main() -> None:
    cube = nearmiss.box([1, 1, 1], quality="none")
    made = [nearmiss.Shape(cube.vertices, cube.faces, progress=shown), nearmiss.Shape(Mesh()), nearmiss.Shape.from_trimesh(Mesh())]
    answer = nearmiss.collide(cube, np.eye(4), made[0], np.eye(4))
    if answer.touching is not False:
        print(answer.verdict.name, answer.triangles)
    touching = nearmiss.collide_many(cube, cube, np.tile(np.eye(4), (9, 1, 1)), workers=2)["verdict"] == int(nearmiss.Verdict.CONTACT)
    print(touching.sum(), nearmiss.distance_many(cube, cube, np.eye(4)[None])["points"].shape)
    hits = nearmiss.raycast([cube], [np.eye(4)], [0, 0, 5], [0, 0, -1])
    print(hits["t"] + 1, hits["bodies"])
    world = nearmiss.World()
    handles: list[int] = [world.add(cube), world.add(cube, sensor=True)]
    for a, b, known in world.collisions(budget=0.1):
        print(a + b, known.bound)
    for pair in world.contacts(margin=0.01):
        print(pair.points.on_a[0], pair.bodies[0], len(pair.points), handles)
    manager = CollisionManager()
    manager.add_object("one", Mesh(), np.eye(4))
    hit: bool = manager.in_collision_internal()
    found, names, data = manager.in_collision_single(Mesh(), return_names=True, return_data=True)
    contact: ContactData = data[0]
    distance: float = manager.min_distance_internal("one")
    least, pair_of_names = manager.min_distance_internal(return_names=True)
    print(hit, found, names, contact.point, distance, least, pair_of_names, scene_to_collision(object()))
    with ProcessPoolExecutor() as pool:
        print(list(pool.map(gap, [cube] * 3, [1.0, 2.0, 3.0])))

main()
"""


def test_mypy_accepts_a_program(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    package = pathlib.Path(nearmiss.__file__).parent
    run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "program.py", package / "trimesh.py"],
                         cwd=tmp_path, env={**os.environ, "MYPYPATH": str(package.parent)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
