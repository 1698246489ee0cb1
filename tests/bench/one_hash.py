#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks if a flight depends on the methods that detect its contacts: one hash a scene, or not.

    tests/bench/one_hash.py build/nearmiss -o DIR [--seconds 400] [--jobs 1] [--scenes ...]

Every scene is flown without a limit of time by every exact narrow phase, every broad phase and,
for sphere trees, every builder; the last line of each run is its state hash.
"""
import argparse
import concurrent.futures
import csv
import pathlib
import re
import subprocess
import sys


def names(program, what):
    text = subprocess.run([program, "list", what], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in text.splitlines() if line.strip()]


def fly(program, seconds, cell):
    scene, narrow, broad, tree = cell
    command = [program, "run", "--scene", scene, "--seconds", str(seconds), "--budget", "inf", "--clock", "work",
               "--narrow", narrow, "--broad", broad, "--jobs", "1"] + (["--tree", tree] if tree else [])
    done = subprocess.run(command, capture_output=True, text=True)
    last = done.stdout.strip().splitlines()[-1] if done.returncode == 0 else done.stderr.strip()
    found = re.fullmatch(r"state (0x[0-9a-f]+)", last)
    return found.group(1) if found else f"failed: {last}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("-o", "--output", dest="out", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=400.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--scenes", nargs="+", default=["lamps", "mixed", "trucks", "fig21"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    broad, trees = names(options.program, "broad"), names(options.program, "trees")
    cells = []
    for scene in options.scenes:
        for narrow in names(options.program, "narrow"):
            for tree in trees if narrow == "sphere-tree" else [""]:
                cells += [(scene, narrow, each, tree) for each in broad]
    hashes = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = pool.map(lambda cell: fly(options.program, options.seconds, cell), cells)
        with open(options.out / "one_hash.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["scene", "narrow", "broad", "tree", "state"])
            for cell, state in zip(cells, found):
                writer.writerow([*cell, state])
                file.flush()
                hashes.setdefault(cell[0], {}).setdefault(state, []).append(cell)
    several = False
    for scene, states in hashes.items():
        several |= len(states) > 1
        print(f"{scene}: {sum(map(len, states.values()))} flights, {len(states)} hash"
              f"{'es' if len(states) > 1 else ''}")
        for state, which in sorted(states.items(), key=lambda each: len(each[1])):
            print(f"  {state}: {len(which)}" + (f", {which[:3]}" if len(states) > 1 else ""))
    return 1 if several else 0


if __name__ == "__main__":
    sys.exit(main())
