# SPDX-License-Identifier: MIT
"""What the type stubs say is there, and nothing else."""
import ast
import inspect
import pathlib
import re

import nearmiss

STUBS = ast.parse((pathlib.Path(nearmiss.__file__).parent / "__init__.pyi").read_text())
# TypedDicts: for checkers alone
PLAIN = {"Refinements", "RayHits", "BodyRayHits", "NearestPoints", "BodyNearestPoints", "Containing"}
OF_PYTHON = {nearmiss.Robot}  # its objects alone have attributes


def parameters_said(function):
    arguments = function.args
    return [a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs if a.arg != "self"]


def parameters_of(value):
    if inspect.isfunction(value):
        plain = inspect.signature(value).parameters.values()
        return [p.name for p in plain if p.name != "self" and p.kind != p.VAR_KEYWORD]
    signature = value.__doc__.split("\n")[0]
    inside = signature[signature.index("("):signature.rindex("->")]
    return [name for name in re.findall(r"(\w+): ", inside) if name not in ("self", "arg0")]


def check_functions(body, owner):
    names = 0
    for entry in body:
        if isinstance(entry, ast.FunctionDef) and entry.name.startswith("__"):
            assert hasattr(owner, entry.name), (owner, entry.name)
        elif isinstance(entry, ast.FunctionDef):
            value = getattr(owner, entry.name)
            # Several signatures share one name, of which the module says less
            if not any(getattr(d, "id", "") in ("property", "overload") for d in entry.decorator_list):
                assert parameters_said(entry) == parameters_of(value), (owner, entry.name)
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
