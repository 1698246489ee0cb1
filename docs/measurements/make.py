#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures every kept table of this folder, of one clean commit, on an otherwise idle machine:

    docs/measurements/make.py [NAME ...]

builds the program and the benchmarks, runs the experiments and the comparisons with other libraries one after another,
and replaces the tables here by what they wrote. With names only those runs, and only their tables. Takes an hour; what an
interrupted call has measured is kept in the build folder, and the next call of the same commit goes on from there.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LARGEST = 48_000  # bytes; what is larger, as rows of single calls, is measured again sooner than it is read

LAB = "build/nearmiss"
BENCH = "build-bench/nearmiss-lab"
RUNS = {name: [LAB, "lab", name] for name in
        ("checks", "fig15", "profiles", "profiles1996", "projection", "triangles", "budget", "coherence", "x7", "turk")}
RUNS |= {"peers": [BENCH, "bench", "peers"], "peers_hard": [BENCH, "bench", "peers", "--hard", "--poses", "500"],
         "assemblies": [BENCH, "bench", "peers", "--assemblies", "--poses", "200", "--rounds", "1"],
         "assemblies_5": [BENCH, "bench", "peers", "--assemblies", "--levels", "5", "--poses", "100", "--rounds", "1"],
         "boxes": [BENCH, "bench", "boxes"], "scenes": [BENCH, "bench", "scenes"], "broad_phases": [BENCH, "bench", "broad"],
         "builds": [BENCH, "bench", "builds"],
         "contacts": [BENCH, "bench", "contacts"]}
RUNS |= {"libraries": [BENCH, "bench", "peers", "--all-peers", "--poses", "200", "--rounds", "1"],
         "volumes": [BENCH, "bench", "peers", "--volumes", "--poses", "500"],
         "resident": ["tests/bench/resident.py", LAB], "orders": ["tests/bench/orders.py", LAB]}
# Those that measure fit more than time come last
RUNS |= {name: [LAB, "lab", name] for name in ("fig14", "detectors", "bounds", "equal-spheres", "fit", "flat-sets")}
RUNS["flat-sets"] += [word for count in ("8", "16", "32", "64", "128") for word in ("--count", count)]
# Runs of one experiment with other settings keep their table under their own name
RENAMED = {(name, table): name for name, table in (("peers_hard", "peers"), ("assemblies", "peers"), ("assemblies_5", "peers"),
                                                   ("volumes", "peers"), ("libraries", "peers"), ("broad_phases", "broad"))}
SKIPPED = {("resident", "pairs")}  # what the run compares, rather than what it found


def run(words, **more):
    return subprocess.run(words, cwd=ROOT, check=True, **more)


def output(words):
    return run(words, stdout=subprocess.PIPE, text=True).stdout.strip()


def measured(name, words, folder):
    """The tables of one run, in a folder of their own."""
    out = folder / name
    done = out / "done"
    if not done.exists():
        shutil.rmtree(out, ignore_errors=True)
        began = time.monotonic()
        print(f"== {' '.join(words)}", flush=True)
        code = subprocess.run([*words, "-o", out], cwd=ROOT).returncode
        if code:
            print(f"{name}: exit code {code}, no table kept", flush=True)
            return []
        print(f"   {time.monotonic() - began:.0f} s", flush=True)
        done.touch()
    return sorted(out.glob("*.csv"))


def keep(table, name, words):
    """Copies a table, with what made it in its head."""
    if table.stat().st_size > LARGEST or (name, table.stem) in SKIPPED:
        return False
    lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
    head = [line for line in lines if line.startswith("# ")]
    have = {line.split(":")[0] for line in head}
    extra = [f"# commit: {COMMIT}\n", "# machine: two shared cores\n", f"# command: {' '.join(words)} -o DIR\n"]
    extra = [line for line in extra if line.split(":")[0] not in have]
    # A table that is no record begins with its commit
    first, then = (head, extra) if lines[0].startswith("# format") else (extra, head)
    kept = RENAMED.get((name, table.stem), table.stem).replace("-", "_")
    (HERE / f"{kept}.csv").write_text("".join(first + then + lines[len(head):]), encoding="utf-8")
    return True


def main(names):
    unknown = [name for name in names if name not in RUNS]
    if unknown:
        sys.exit(f"no such run: {', '.join(unknown)}; known: {', '.join(RUNS)}")
    if output(["git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs"]):
        sys.exit("the working tree has changes: commit them first, so that the tables name what they are of")
    run(["cmake", "--build", "build", "--target", "nearmiss", "nearmiss-lab"])
    if any(RUNS[name][0] == BENCH for name in names or RUNS):
        run(["cmake", "--preset", "bench"], stdout=subprocess.DEVNULL)
        run(["cmake", "--build", "build-bench", "--target", "nearmiss-lab"])
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"the load is {load:.1f}: other programs run, and every figure will be of the two together", flush=True)
    folder = ROOT / "build" / "measurements" / COMMIT
    tables = {name: measured(name, words, folder) for name, words in RUNS.items() if not names or name in names}
    if not names:
        for old in HERE.glob("*.csv"):
            old.unlink()
    for name, files in tables.items():
        for table in files:
            if not keep(table, name, RUNS[name]):
                print(f"{table.name} is not kept")
    print("docs/figures.py --write puts the new figures into the pages")


COMMIT = output(["git", "rev-parse", "--short=12", "HEAD"])
if __name__ == "__main__":
    main(sys.argv[1:])
