#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A plant of pipes that does not fit the memory allowed to it: how long, how often read, how much
memory, planned and as listed, beside all of it in memory.

    tests/bench/resident.py build/nearmiss -o DIR
"""
import argparse
import json
import math
import pathlib
import random
import struct
import subprocess


def pipe(rng, around, along):
    """A bent pipe as binary STL: a closed tube about a random curve, its wall rippled."""
    phase = [rng.uniform(0, 2 * math.pi) for _ in range(6)]
    bend = [rng.uniform(0.15, 0.5) for _ in range(3)]
    ripple = rng.uniform(0.05, 0.2)

    def point(i, j):
        u, v = 2 * math.pi * i / along, 2 * math.pi * j / around
        centre = [math.cos(u) * (1 + bend[0] * math.cos(2 * u + phase[0])),
                  math.sin(u) * (1 + bend[1] * math.cos(3 * u + phase[1])),
                  bend[2] * math.sin(2 * u + phase[2])]
        r = 0.16 * (1 + ripple * math.sin(7 * u + phase[3]) * math.cos(3 * v + phase[4]))
        out = [math.cos(u), math.sin(u), 0.0]
        return [centre[k] + r * (math.cos(v) * out[k] + (math.sin(v) if k == 2 else 0.0)) for k in range(3)]

    grid = [[point(i, j) for j in range(around)] for i in range(along)]
    faces = []
    for i in range(along):
        for j in range(around):
            a, b = grid[i][j], grid[(i + 1) % along][j]
            c, d = grid[(i + 1) % along][(j + 1) % around], grid[i][(j + 1) % around]
            faces += [(a, b, c), (a, c, d)]
    data = bytearray(80) + struct.pack('<I', len(faces))
    for face in faces:
        data += struct.pack('<12fH', 0, 0, 0, *[x for corner in face for x in corner], 0)
    return bytes(data)


def write_plant(folder, shapes, around, along, seed):
    rng = random.Random(seed)
    side = max(1, round(shapes ** (1 / 3)))
    objects = []
    for n in range(shapes):
        (folder / f'pipe{n:03}.stl').write_bytes(pipe(rng, around, along))
        cell = (n % side, n // side % side, n // side // side)
        place = [2.1 * c + rng.uniform(-0.3, 0.3) for c in cell]
        turn = [rng.gauss(0, 1) for _ in range(4)]
        objects.append((n, place, turn))
    rng.shuffle(objects)  # as a designer would have added them
    text = 'version = 1\n'
    for n, place, turn in objects:
        text += f'[[objects]]\nname = "pipe {n}"\nmodel = "pipe{n:03}.stl"\nposition = {place}\nrotation = {turn}\n'
    (folder / 'plant.toml').write_text(text)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('program')
    arguments.add_argument('-o', '--output', dest='out', required=True, type=pathlib.Path)
    arguments.add_argument('--shapes', type=int, default=125)
    arguments.add_argument('--around', type=int, default=80)
    arguments.add_argument('--along', type=int, default=250)
    arguments.add_argument('--mb', type=float, nargs='+', default=[256.0])
    arguments.add_argument('--seed', type=int, default=1)
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if not (options.out / 'plant.toml').exists():
        write_plant(options.out, options.shapes, options.around, options.along, options.seed)

    rows, answers = [], set()
    runs = [('all in memory', [])]
    for mb in options.mb:
        for order in ('planned', 'given'):
            runs.append((f'{mb:g} MB, {order}', ['--resident-mb', str(mb), '--order', order]))
    for name, more in [('storing', [])] + runs:
        command = [options.program, 'interfere', str(options.out / 'plant.toml'), '--tree', 'octree', '--store',
                   str(options.out / 'store'), '-o', str(options.out / 'pairs.csv'), '--summary',
                   str(options.out / 'summary.json')] + more
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        if name == 'storing':
            continue
        answers.add((options.out / 'pairs.csv').read_text())
        rows.append((name, json.loads((options.out / 'summary.json').read_text())))
    keys = ['scene_mb', 'pairs', 'contacts', 'groups', 'reads', 'read_mb', 'most_mb', 'waits', 'resident_growth_mb',
            'seconds']
    table = ('# title: what touches among the pipes: all in memory, and in a limited memory in two orders\n'
             '# note: MB are MiB; growth is of the process while it compares\n# values: seconds\nrun,')
    table += ','.join(keys) + '\n'
    for name, figures in rows:
        table += name.replace(',', '') + ',' + ','.join(str(figures[key]) for key in keys) + '\n'
    (options.out / 'resident.csv').write_text(table)
    print(table, end='')
    print('the same pairs in all runs' if len(answers) == 1 else 'THE RUNS DIFFER')


main()
