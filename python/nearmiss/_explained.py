# SPDX-License-Identifier: MIT
"""Gives functions of the extension module Python signatures, and errors that name the wrong argument.

The extension module refuses an argument with the list of its C++ overloads. Here, each function tries the call first, so
that only refused calls take longer.
"""
import ast
import inspect
import math
import numbers
import os

import numpy as np


def _is_numbers(value):
    try:
        array = np.asarray(value)
        return array.dtype.kind in "biufO" and np.asarray(array, dtype=float) is not None
    except (TypeError, ValueError, OverflowError, MemoryError):
        return False


def _is_whole(value):
    try:
        return not isinstance(value, float) and value.__index__() is not None
    except (AttributeError, TypeError):
        return False


def _is_handle(value):
    return _is_whole(value) and 0 <= value.__index__() < 1 << 32


def _is_count(value):
    return _is_whole(value) and 0 <= value.__index__() < 1 << 63


def _is_small(value):
    return _is_whole(value) and -(1 << 31) <= value.__index__() < 1 << 31


def _is_number(value):
    return isinstance(value, numbers.Real) or (_is_numbers(value) and np.ndim(value) == 0 and value is not None)


def _is_made(value, kind):
    """Returns false for an object whose constructor never ran."""
    if not isinstance(value, kind):
        return False
    try:
        value.radius
    except TypeError:
        return False
    return True


def _or_none(test):
    return lambda value: value is None or test(value)


def _expected(shape):
    """Returns for each name of an argument a test and what is expected."""
    a_shape = lambda value: _is_made(value, shape), "a nearmiss.Shape"
    pose = _is_numbers, "a 4x4 matrix of numbers"
    vectors = _is_numbers, "an array of numbers with three columns"
    motion = _is_numbers, "an array (2, 3) of numbers: linear and angular velocity"
    number = _is_number, "a number"
    small = _is_small, "a whole number"
    count = _is_count, "a whole number, 0 or more"
    bits = _or_none(_is_handle), "a whole number from 0 to 4294967295, or None"
    truth = lambda value: isinstance(value, (bool, np.bool_)), "True or False"
    text = lambda value: isinstance(value, str), "a string"
    called = lambda value: value is None or callable(value), "a function of one number, or None"
    path = lambda value: isinstance(value, (str, bytes, os.PathLike)), "a path"
    shapes = lambda value: isinstance(value, (list, tuple)) and all(_is_made(s, shape) for s in value), "a list of nearmiss.Shape"
    names = {"half_extents": (_is_numbers, "three numbers"), "subdivisions": small, "segments": small, "half_height": number,
             "packages": (lambda value: isinstance(value, (list, tuple)), "a list of paths"), "visual": truth}
    return names | {
        "a": a_shape, "b": a_shape, "shape": a_shape, "shapes": shapes, "pose": pose, "pose_a": pose, "pose_b": pose,
        "poses": (_is_numbers, "an array (n, 4, 4) of numbers"), "motion_a": motion, "motion_b": motion,
        "origins": vectors, "directions": vectors, "points": vectors, "vertices": vectors,
        "ends": (_or_none(_is_numbers), "a number, an array of numbers, or None"), "radius": number, "reach": number,
        "budget": (_or_none(_is_number), "a number of seconds, or None"), "margin": number, "horizon": number,
        "tolerance": number, "within": number, "factor": number, "weld": number,
        "boxes": (_or_none(_is_number), "a number, or None"), "max_points": count, "max_spheres": count,
        "inner": (_or_none(_is_count), "a whole number, 0 or more, or None"), "level": small, "levels": small, "branching": small,
        "workers": (_or_none(_is_small), "a whole number, or None"), "body": (_is_handle, "a handle of World.add()"),
        "ignore": (_or_none(_is_handle), "a handle of World.add(), or None"), "group": bits, "mask": bits, "assembly": bits,
        "importance": bits, "sensor": (_or_none(truth[0]), "True, False or None"), "bsp": truth, "self_intersections": truth,
        "quality": text, "builder": (_or_none(text[0]), "a string, or None"), "progress": called, "file": path,
    }


def _split(inside):
    """Splits the parameters of a signature at the commas outside of brackets."""
    parts, depth, begin = [], 0, 0
    for i, letter in enumerate(inside):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            parts.append(inside[begin:i])
            begin = i + 1
    return [part.strip() for part in [*parts, inside[begin:]] if part.strip()]


def _default(text):
    return math.inf if text == "inf" else ast.literal_eval(text)


def _signature(line):
    """Reads a line that pybind11 writes, such as "collide(a: nearmiss.Shape, *, budget: Optional[float] = None) -> X"."""
    parameters, kind = [], inspect.Parameter.POSITIONAL_OR_KEYWORD
    for part in _split(line[line.index("(") + 1:line.rindex(") ->")]):
        if part == "*":
            kind = inspect.Parameter.KEYWORD_ONLY
            continue
        name, _, default = part.partition(" = ")
        parameters.append(inspect.Parameter(name.partition(":")[0], kind,
                                            default=_default(default) if default else inspect.Parameter.empty))
    return inspect.Signature(parameters)


def _signatures(doc):
    """Returns all signatures of a function, and its description."""
    first, _, rest = doc.partition("\n")
    if not rest.lstrip().startswith("Overloaded function."):
        return [_signature(first)], rest.strip("\n")
    lines = rest.split("\n")
    starts = [i for i, line in enumerate(lines) if line[:1].isdigit() and ". " in line and ") ->" in line]
    description = "\n".join(lines[starts[0] + 1:starts[1]] if len(starts) > 1 else lines[starts[0] + 1:])
    return [_signature(lines[i].partition(". ")[2]) for i in starts], description.strip("\n")


def _said(value):
    """Describes a value that was refused, in a few words."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    if value is None or isinstance(value, (int, float, str, bytes)):
        words = repr(value)
        return words if len(words) < 40 else type(value).__name__
    return type(value).__name__


def _reason(name, signatures, expected, arguments, keywords):
    """Returns the sentence of the TypeError for a refused call."""
    fits = [s for s in signatures if "shapes" in s.parameters and (
        "shapes" in keywords or (arguments and isinstance(arguments[0], (list, tuple))))]
    signature = fits[0] if fits else signatures[0]
    try:
        bound = signature.bind(*arguments, **keywords)
    except TypeError as error:
        return f"{name}(): {error}"
    for argument, value in bound.arguments.items():
        test, words = expected.get(argument, (lambda value: True, ""))
        if not test(value):
            if type(value).__module__ == "nearmiss":
                unmade = " that was never initialised" if words == f"a nearmiss.{type(value).__name__}" else ""
                return f"{name}(): {argument} must be {words}, not a {type(value).__name__}{unmade}"
            return f"{name}(): {argument} must be {words}, not {_said(value)}"
    return f"{name}(): an argument has the wrong type, or an object was never initialised"


def explained(function, name, owner, expected):
    """Returns the function with a signature, and with errors that name the wrong argument."""
    signatures, description = _signatures(function.__doc__)

    def call(*arguments, **keywords):
        try:
            return function(*arguments, **keywords)
        except TypeError as error:
            # Other errors come from inside the call, such as from a callback
            if "incompatible" not in str(error) or "The following argument types are supported" not in str(error):
                raise
            reason = _reason(name, signatures, expected, arguments, keywords)
        raise TypeError(reason)

    call.__name__ = function.__name__
    call.__qualname__ = f"{owner}.{function.__name__}" if owner else function.__name__
    call.__module__ = "nearmiss"
    call.__doc__ = description or None
    call.__signature__ = signatures[0]
    return call


def explain_module(core):
    """Replaces the functions of the extension module, and the methods of its classes."""
    expected = _expected(core.Shape)
    for name, value in list(vars(core).items()):
        if name.startswith("__") or isinstance(value, type):
            continue
        if callable(value):
            setattr(core, name, explained(value, name.lstrip("_").removesuffix("_mesh"), None, expected))
    for kind in [value for value in vars(core).values() if isinstance(value, type) and not issubclass(value, Exception)]:
        if "__members__" in vars(kind):
            continue  # an enumeration
        for name, value in list(vars(kind).items()):
            called = f"{kind.__name__}.{name}" if name != "__init__" else kind.__name__
            if name.startswith("_") and name != "__init__":
                continue
            if isinstance(value, staticmethod):
                setattr(kind, name, staticmethod(explained(value.__func__, called, kind.__name__, expected)))
            elif callable(value) and (value.__doc__ or "").startswith(f"{name}(self"):
                setattr(kind, name, explained(value, called, kind.__name__, expected))
