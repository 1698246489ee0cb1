#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How much longer trees of hard meshes take than those of usual ones: one table and one CSV file.

    tests/bench/hard_meshes.py build/nearmiss -o DIR [--runs 3] [--levels 4] [--meshes heap-2000 ...]

Heaps of triangles as large as the model, a cylinder of slivers and a star of spikes, each beside a
bumpy torus of as many triangles. The two are built one after the other, again and again, on one
thread; the least user CPU time of each counts, so that neighbours on the machine do little. Every
tree is proven by `tree check`.
"""
import argparse
import csv
import math
import os
import pathlib
import random
import struct
import subprocess


def heap(count):
    """Triangles as large as all of them together."""
    chosen = random.Random(1)
    point = lambda: tuple(chosen.uniform(-1, 1) for _ in range(3))
    return [(point(), point(), point()) for _ in range(count)]


def cylinder(count):
    """All of them slivers from end to end, or from the middle of an end to its rim."""
    around = count // 4
    rim = lambda i, z: (math.cos(2 * math.pi * (i % around) / around), math.sin(2 * math.pi * (i % around) / around), z)
    triangles = []
    for i in range(around):
        a, b, c, d = rim(i, -1), rim(i + 1, -1), rim(i + 1, 1), rim(i, 1)
        triangles += [(a, b, c), (a, c, d), ((0, 0, 1), d, c), ((0, 0, -1), b, a)]
    return triangles


def star(spikes):
    """A ball of long thin pyramids, of about four sides each."""
    stacks = max(4, int(math.sqrt(spikes / 2)))
    slices = spikes // stacks

    def at(i, j, radius):
        u, v = 2 * math.pi * (i % slices) / slices, math.pi * j / stacks
        return (radius * math.sin(v) * math.cos(u), radius * math.sin(v) * math.sin(u), radius * math.cos(v))

    triangles = []
    for i in range(slices):
        for j in range(stacks):
            foot = [at(i, j, 0.3), at(i + 1, j, 0.3), at(i + 1, j + 1, 0.3), at(i, j + 1, 0.3)]
            tip = at(i + 0.5, j + 0.5, 1.0)
            triangles += [(foot[(k + 1) % 4], foot[k], tip) for k in range(4) if foot[k] != foot[(k + 1) % 4]]
    return triangles


def torus(count):
    """A bumpy one of about `count` triangles."""
    around = int(math.sqrt(count))
    across = max(3, count // (2 * around))

    def at(i, j):
        u, v = 2 * math.pi * (i % around) / around, 2 * math.pi * (j % across) / across
        r = 0.35 + 0.05 * math.sin(7 * u) * math.cos(5 * v)
        return ((1 + r * math.cos(v)) * math.cos(u), (1 + r * math.cos(v)) * math.sin(u), r * math.sin(v))

    triangles = []
    for i in range(around):
        for j in range(across):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            triangles += [(a, b, c), (a, c, d)]
    return triangles


MESHES = {
    "heap-2000": lambda: heap(2000),
    "heap-20000": lambda: heap(20000),
    "cylinder-100000": lambda: cylinder(100000),
    "star-50000": lambda: star(50000),
}


def write(path, triangles):
    with open(path, "wb") as file:
        file.write(bytes(80) + struct.pack("<I", len(triangles)))
        for a, b, c in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0))


def user_seconds(program, mesh, tree, levels):
    """Of one build, the reading and checking of the mesh included."""
    process = subprocess.Popen(
        [program, "tree", "build", mesh, "-o", tree, "--levels", str(levels), "--jobs", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{mesh}: the build failed")
    return usage.ru_utime


def measure(options, name):
    triangles = MESHES[name]()
    meshes = {name: triangles, f"torus-{len(triangles)}": torus(len(triangles))}
    times = {}
    for mesh, some in meshes.items():
        write(options.out / f"{mesh}.stl", some)
        times[mesh] = []
    paths = {mesh: (options.out / f"{mesh}.stl", options.out / f"{mesh}.tree") for mesh in meshes}
    for _ in range(options.runs):
        for mesh, (stl, tree) in paths.items():
            times[mesh].append(user_seconds(options.program, stl, tree, options.levels))
    for stl, tree in paths.values():
        subprocess.run([options.program, "tree", "check", tree, stl], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    hard, usual = (min(some) for some in times.values())
    return {"mesh": name, "triangles": len(triangles), "user_s": round(hard, 2), "usual_user_s": round(usual, 2),
            "ratio": round(hard / usual, 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("-o", "--output", dest="out", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--levels", type=int, default=4)
    parser.add_argument("--meshes", nargs="+", choices=MESHES, default=list(MESHES))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    print(f"{'mesh':<16} {'triangles':>9} {'user s':>8} {'usual':>8} {'ratio':>6}")
    for name in options.meshes:
        row = measure(options, name)
        rows.append(row)
        print(f"{name:<16} {row['triangles']:9} {row['user_s']:8.2f} {row['usual_user_s']:8.2f} {row['ratio']:6.2f}",
              flush=True)
    with open(options.out / "hard_meshes.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
