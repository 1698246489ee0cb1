#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/commands.md from what the program says with --help.

    docs/commands.py build/nearmiss            writes it
    docs/commands.py build/nearmiss --check    fails if it differs from what would be written
"""
import os
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent / "commands.md"
HEAD = """# Commands

Written by `docs/commands.py`: examples first, then the `--help` of every command. `nearmiss` alone is `nearmiss fly`. Exit codes: 0 ok, 1 usage, 2 environment (display, OpenGL,
disk), 3 model, scene or record, 4 validation failed, 130 interrupted; a flight or a run that has begun ends with 0 then.

| example | does |
|---|---|
| `nearmiss fly --model truck` | flies among trucks; any OBJ, PLY, STL, OFF or glTF file will do |
| `nearmiss fly crowd` | flies among a thousand ships; `chase` has drones that hunt, `joints` ships with moving links, `slalom`, `escape`, `station` and `salvage` missions, `duel` a second player with a controller |
| `nearmiss fly fig21`, `nearmiss fly --as-published` | flies as the papers describe it |
| `nearmiss fly tori` | flies past a chain of rings; `shuttles` and `antenna` are the other scenes that the papers report |
| `nearmiss fly trucks --split bsp,sphere-tree:auto` | one flight by two methods side by side |
| `nearmiss fly mixed --headless --seconds 20 --video film.y4m` | makes a film, equal on every machine |
| `nearmiss run --seconds 10 --clock work` | simulates without a window, repeatable bit for bit |
| `nearmiss run --reference bsp --calls calls.csv` | times two methods on every pair, level by level |
| `nearmiss replay flight.session` | repeats a recorded flight to the last bit |
| `nearmiss tree build my.stl -o my.tree` | builds a tree of spheres around a model |
| `nearmiss tree check my.tree my.stl` | proves that it covers the model and that its bounds hold |
| `nearmiss tree sheet my.stl -o my.png` | draws the model and its spheres, level by level |
| `nearmiss mesh check part.stl` | lists triangles that intersect, open edges and what else keeps a file from being a solid |
| `nearmiss spheres link.stl -o link.yml --count 32 --format curobo` | covers a model with at most 32 spheres, for motion planners |
| `nearmiss robot arm.urdf -o spheres.urdf --count 32` | replaces a robot's collision shapes by spheres |
| `nearmiss robot arm.urdf -o arm.xrdf --format xrdf --total 128` | shares 128 spheres among all links, in a planner's format |
| `nearmiss spheres check arm.urdf arm.yml` | proves that somebody's spheres cover a robot, or says what they leave out: cuRobo's YAML, URDF, JSON, CSV |
| `nearmiss spheres check arm.urdf arm.yml --page arm.html` | the same as a page with pictures of every link |
| `nearmiss interfere plant.toml -o clashes.csv --bcf clashes.bcf --clearance 0.05` | sorts the clashes of a layout by class, for CAD and building models |
| `nearmiss interfere plant.toml --resident-mb 256` | the same in a layout larger than the memory allowed to it |
| `nearmiss report a.csv b.csv -o report.html` | draws records and tables, and compares runs |
| `nearmiss list` | names every model, scene and method, with its paper |
"""


def help_of(program, command):
    # A fixed width and nobody's folders, so that the page is the same everywhere
    clean = {**os.environ, "COLUMNS": "100", "HOME": "/home/you", "NO_COLOR": "1"}
    for name in [n for n in clean if n.startswith("XDG_")]:
        del clean[name]
    done = subprocess.run([program, *command, "--help"], env=clean, capture_output=True, text=True, check=True)
    return done.stdout.rstrip()


def shown(text):
    """Without the lines that all commands share."""
    text = re.sub(r"\n\nExit codes:.*", "", text, flags=re.DOTALL)
    text = re.sub(r"\n  -h,--help .*", "", text)
    return re.sub(r"\n\nOptions:(?=\n*\Z|\n\n)", "", text)


def subcommands(text):
    """Names of the lines below the heading of subcommands."""
    _, found, listed = text.partition("\nSubcommands:\n")
    return re.findall(r"^ {2}(\S+)", listed, re.MULTILINE) if found else []


def sections(program, command=()):
    text = help_of(program, command)
    yield f"## nearmiss {' '.join(command)}".rstrip() + f"\n\n```\n{shown(text)}\n```\n"
    for name in subcommands(text):
        yield from sections(program, (*command, name))


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    page = HEAD + "\n" + "\n".join(sections(program))
    if "--check" not in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page:
        sys.exit(f"docs/commands.md is not what the program says: run docs/commands.py {sys.argv[1]}")


if __name__ == "__main__":
    main()
