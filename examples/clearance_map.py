#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Maps the clearance of a moving part among fixtures, over a grid of positions and headings.

    clearance_map.py                          on all cores of this machine
    clearance_map.py --on 1                   on one core
    clearance_map.py --on cluster:4           on a Dask cluster of four processes on this machine
    clearance_map.py --on tcp://head:8786     on the cluster of that scheduler, or of the file of dask-scheduler --scheduler-file

The map is the same on each. --side 1000 --turns 10 asks for ten million poses.
"""
import argparse
import contextlib
import os
import sys
import time

import nearmiss
import numpy as np

REACH = 3.0  # the map extends this far from its centre along each axis [m]
BLOCK = 1 << 14  # poses of one task


def fixtures():
    """Returns twelve posts and a wall with a gap, as one shape."""
    post, wall = nearmiss.cylinder(0.15, 1.0, segments=24, quality="none"), nearmiss.box([1.2, 0.05, 1.0], quality="none")
    places = np.array([(x, y) for y in (-2.0, 1.0, 2.2) for x in (-2.4, -0.8, 0.8, 2.4)])
    places += np.random.default_rng(7).uniform(-0.4, 0.4, places.shape)
    parts = [(post, (x, y, 0)) for x, y in places] + [(wall, (x, 0, 0)) for x in (-1.9, 1.1)]
    counts = np.cumsum([0] + [len(part.vertices) for part, _ in parts])
    return nearmiss.Shape(np.concatenate([part.vertices + place for part, place in parts]),
                          np.concatenate([part.faces + first for (part, _), first in zip(parts, counts)]))


def hook():
    """Returns a bent bar: a closed outline, extruded along z."""
    outline = np.array([(-0.4, -0.1), (0.4, -0.1), (0.4, 0.4), (0.2, 0.4), (0.2, 0.1), (-0.4, 0.1)])
    fans = np.array([(0, 1, 4), (1, 2, 4), (2, 3, 4), (0, 4, 5)])
    n = len(outline)
    vertices = np.array([(*corner, z) for z in (-0.05, 0.05) for corner in outline])
    sides = [(i, (i + 1) % n, (i + 1) % n + n) for i in range(n)] + [(i, (i + 1) % n + n, i + n) for i in range(n)]
    return nearmiss.Shape(vertices, np.concatenate((fans[:, ::-1], fans + n, sides)))


def poses_of(first, last, side, turns):
    """Returns the poses `first` to `last` of a map: headings, then rows, then columns."""
    heading, cell = np.divmod(np.arange(first, last), side * side)
    row, column = np.divmod(cell, side)
    angle, step = 2 * np.pi * heading / turns, 2 * REACH / side
    poses = np.zeros((last - first, 4, 4))
    poses[:, 0, 0] = poses[:, 1, 1] = np.cos(angle)
    poses[:, 1, 0] = np.sin(angle)
    poses[:, 0, 1] = -poses[:, 1, 0]
    poses[:, 2, 2] = poses[:, 3, 3] = 1
    poses[:, 0, 3], poses[:, 1, 3] = (column + 0.5) * step - REACH, (row + 0.5) * step - REACH
    return poses


def clearances(around, part, first, last, side, turns, workers=1):
    """Returns the clearance of each of these poses [m], 0 where the part touches."""
    return nearmiss.distance_many(around, part, poses_of(first, last, side, turns), workers=workers)["upper"]


def blocks_of(count):
    return [(first, min(first + BLOCK, count)) for first in range(0, count, BLOCK)]


def map_here(around, part, side, turns, workers, progress):
    """Computes the map in this process."""
    clearance = np.empty(turns * side * side)
    for first, last in blocks_of(len(clearance)):
        clearance[first:last] = clearances(around, part, first, last, side, turns, workers)
        progress(last / len(clearance))
    return clearance


def map_on(client, around, part, side, turns, progress):
    """Computes the map on a Dask cluster. Shapes are sent to each worker once, poses are made there."""
    from distributed import as_completed

    clearance = np.empty(turns * side * side)
    shapes = client.scatter([around, part], broadcast=True)
    blocks = blocks_of(len(clearance))
    tasks = {client.submit(clearances, *shapes, *block, side, turns, pure=False): block for block in blocks}
    done = 0
    for task, found in as_completed(list(tasks), with_results=True):
        first, last = tasks.pop(task)
        clearance[first:last] = found
        done += last - first
        progress(done / len(clearance))
    return clearance


def is_scheduler(on):
    return on.startswith(("tcp://", "tls://")) or on.endswith(".json")


@contextlib.contextmanager
def connected(on):
    """Yields a client of the cluster that the argument --on names."""
    from distributed import Client, LocalCluster
    if on.endswith(".json"):
        with Client(scheduler_file=on) as client:
            yield client
    elif is_scheduler(on):
        with Client(on) as client:
            yield client
    else:
        number = int(on.partition(":")[2])
        with LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            client.wait_for_workers(number)
            yield client


def compute(on, around, part, side, turns, progress):
    """Computes the map where the argument --on says. Returns it and the seconds that it took."""
    if not is_scheduler(on) and not on.startswith("cluster:"):
        begin = time.monotonic()
        return map_here(around, part, side, turns, None if on == "cores" else int(on), progress), time.monotonic() - begin
    with connected(on) as client:
        begin = time.monotonic()
        return map_on(client, around, part, side, turns, progress), time.monotonic() - begin


def place(text):
    """Checks the argument --on."""
    kind, _, number = text.rpartition("cluster:")
    if text != "cores" and not is_scheduler(text) and not (kind == "" and number.isdigit() and int(number) > 0):
        raise argparse.ArgumentTypeError(
            f'"{text}" is not cores, a number of cores, cluster:N, or the tcp:// address or the .json file of a scheduler')
    return text


def above_zero(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number above 0')
    return int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--on", type=place, default="cores", metavar="WHERE",
                        help="cores, a number of cores, cluster:N for N processes, or the address or file of a Dask scheduler")
    parser.add_argument("--side", type=above_zero, default=250, help="positions along each side of the map")
    parser.add_argument("--turns", type=above_zero, default=16, help="headings at each position")
    parser.add_argument("-o", "--output", help="file.npy: the map, an array (turns, side, side) [m]")
    given = parser.parse_args()

    def progress(share):
        if sys.stderr.isatty():
            print(f"\r{share:4.0%}", end="" if share < 1 else "\n", file=sys.stderr, flush=True)

    try:
        found, seconds = compute(given.on, fixtures(), hook(), given.side, given.turns, progress)
    except ImportError as absent:
        sys.exit(f"{absent}: a cluster needs Dask (on Debian: apt install python3-distributed)")
    except nearmiss.Error as failure:
        sys.exit(str(failure))
    except OSError as failure:
        sys.exit(f"cannot reach {given.on}: {failure}")
    found = found.reshape(given.turns, given.side, given.side)
    touching = (found == 0).mean()
    print(f"{found.size} poses in {seconds:.2f} s: {touching:.1%} touch, the others are {found.mean() / (1 - touching):.3f} m clear"
          f" on average, {found.max():.3f} m at most")
    if given.output:
        # A run that is interrupted leaves no file that looks whole
        with open(given.output + ".partial", "wb") as file:
            np.save(file, found)
        os.replace(given.output + ".partial", given.output)
        print(f"{given.output} holds the map")


if __name__ == "__main__":
    main()
