"""The dependency rule as a test: include_rule.py [ROOT]. Prints rooms, floors and arrows of each layer.

A layer includes itself and the layers below. A room is a folder of a layer; it includes itself and rooms of lower floors.
Public headers of the library belong to no room.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
if ROOT.is_file():
    ROOT = ROOT.parent.parent

# Lowest first; rooms of one floor do not include each other
FLOORS = {
    "collision": ("base c", "geometry", "files spheres broad", "builders", "shape", "narrow pair", "contact ray rivals", "world"),
    "engine": ("base flight", "model", "scene", "record", "game interference session", "page"),
    "app": ("options", "console", "report running", "fly", "tools", "lab command_line"),
}
MAX_ARROWS = {"collision": 42, "engine": 26, "app": 21}
# The programs themselves: the only sources in the root of a layer
ROOT_FILES = {"app": "main.cpp"}
# What a layer must never include, as the beginning of a name
FORBIDDEN = {
    "collision": "SDL|glad|GL/|imgui|assimp|engine/|app/|fly/|iostream|fmt/|toml|nlohmann|CLI",
    "engine": "SDL|glad|GL/|imgui|app/|fly/|CLI",
    "app": "assimp|Eigen/|unsupported/Eigen/",
}
PLACES = {"collision": ("collision",), "engine": ("engine/include", "engine/src"), "app": ("app",)}
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(layer, name):
    """The room of a name as it is included, such as geometry/gjk.h or engine/flight/world.h."""
    parts = name.removeprefix("engine/").split("/") if layer == "engine" else name.split("/")
    return parts[0] if len(parts) > 1 else ""


def files_of(layer):
    for place in PLACES[layer]:
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path, str(path.relative_to(ROOT / place))


def faults_of(layer, path, name, quoted):
    """Faults that do not depend on rooms."""
    if re.match(FORBIDDEN[layer], name):
        yield f"{layer} must not include it"
    if layer == "engine" and name.startswith("assimp") and not re.search(r"model/scene_(reader|frame)\.(cpp|h)$", str(path)):
        yield "only the reader of scenes includes assimp"
    if path.suffix == ".h" and re.match("(unsupported/)?Eigen/", name):
        yield "linear algebra stays in sources, so that no user of a header needs it"
    if "collision/include" in str(path):
        if quoted or ("/" in name and not re.match("(nearmiss|glm)/", name)):
            yield "a public header includes the standard library, GLM and public headers only"
    elif layer != "collision" and room_of("collision", name) in ROOMS["collision"] and quoted and not local(layer, path, name):
        yield "outside of its folder the library is known by its public headers only"
    if layer == "collision" and name.startswith("nearmiss/rivals") and not re.search("/rivals/|/nearmiss/rivals", str(path)):
        yield "the core knows nothing of the rival methods"


def local(layer, path, name):
    return any((ROOT / place / name).exists() for place in PLACES[layer]) or (path.parent / name).exists()


ROOMS = {layer: {room: floor for floor, rooms in enumerate(floors) for room in rooms.split()} for layer, floors in FLOORS.items()}


def main():
    faults = []
    for layer in PLACES:
        arrows = collections.Counter()
        for path, own in files_of(layer):
            here = room_of(layer, own)
            public = layer == "collision" and here == "include"
            if own == ROOT_FILES.get(layer):
                continue
            if layer in ROOMS and not public and here not in ROOMS[layer]:
                faults.append(f"{path}: {here or 'the root'} is no room of {layer}")
                continue
            for quote, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                for fault in faults_of(layer, path, name, quote == '"'):
                    faults.append(f"{path}: {name}: {fault}")
                there = room_of(layer, name)
                if layer not in ROOMS or public or there == here or there not in ROOMS[layer]:
                    continue
                if layer == "engine" and not name.startswith("engine/") and quote == "<":
                    continue
                if layer == "collision" and quote == "<":
                    continue
                arrows[here, there] += 1
                if ROOMS[layer][there] >= ROOMS[layer][here]:
                    faults.append(f"{path}: {name} runs back up")
        if layer in ROOMS:
            print(f"{layer}: {len(ROOMS[layer])} rooms on {len(FLOORS[layer])} floors, {len(arrows)} arrows")
            if len(arrows) > MAX_ARROWS[layer]:
                faults.append(f"{layer}: {len(arrows)} arrows between rooms, at most {MAX_ARROWS[layer]} are allowed")
            unused = {room for room in ROOMS[layer] if not any(room_of(layer, own) == room for _, own in files_of(layer))}
            faults.extend(f"{layer}: {room} is an empty room" for room in sorted(unused))
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
