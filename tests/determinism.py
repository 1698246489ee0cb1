#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds flights with every compiler, optimisation and machine that is there, and compares their last states, bit for bit.

    tests/determinism.py [--only NAME] [--jobs N] [-o DIR] [--table FILE]

The states are those that tests/engine/simulation_test.cpp holds: three flights of ships that meet, one judged by brute force, two by
sphere trees that are cut off at another level in every frame. Compilers of other machines are those of Debian's
g++-aarch64-linux-gnu and g++-i686-linux-gnu, and qemu-user runs what this machine cannot, or as a machine with fewer instructions.
What is missing is named and left out. FILE gets a line for each run. The exit code is 1 if a state differs.
"""
import argparse
import concurrent.futures
import csv
import dataclasses
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GTEST = pathlib.Path("/usr/src/googletest/googletest")
HEADERS = {"glm": "/usr/include/glm", "fmt": "/usr/include/fmt", "Eigen": "/usr/include/eigen3/Eigen"}  # the same files for every machine
FLAGS = ["-std=c++20", "-ffp-contract=off", "-w", "-DEIGEN_MPL2_ONLY", "-DEIGEN_DONT_VECTORIZE", "-DEIGEN_DONT_PARALLELIZE",
         "-DFMT_HEADER_ONLY"]
FILTER = "--gtest_filter=Simulation.HasTheSameHashWithEveryCompilerAndMachine:Simulation.RepeatsToTheBitOnTheWorkClock"
COLUMNS = ["name", "machine", "compiler", "options", "instructions", "same"]
SETS = {"avx2": ["-mavx2"], "avx512": ["-mavx512vl"]}


@dataclasses.dataclass(frozen=True)
class Build:
    name: str
    machine: str
    compiler: str
    options: tuple
    # (how the program is called, the instructions that it then finds)
    runs: tuple = (((), "all of this machine"),)


FEWER = (((), "all of this machine"), (("qemu-x86_64", "-cpu", "Haswell"), "AVX2"), (("qemu-x86_64", "-cpu", "Nehalem"), "SSE2"))
BUILDS = (
    Build("gcc-O0", "x86-64", "g++", ("-O0",)),
    Build("gcc-O1", "x86-64", "g++", ("-O1",)),
    Build("gcc-O2", "x86-64", "g++", ("-O2",), FEWER),
    Build("gcc-O3", "x86-64", "g++", ("-O3",)),
    Build("gcc-O3-native", "x86-64", "g++", ("-O3", "-march=native")),
    Build("clang-O0", "x86-64", "clang++", ("-O0",)),
    Build("clang-O2", "x86-64", "clang++", ("-O2",)),
    Build("clang-O3", "x86-64", "clang++", ("-O3",)),
    Build("arm64-O2", "arm64", "aarch64-linux-gnu-g++", ("-O2", "-static"), ((("qemu-aarch64",), "Neon"),)),
    Build("i686-O2", "i686", "i686-linux-gnu-g++", ("-O2", "-static", "-msse2", "-mfpmath=sse"), (((), "SSE2"),)),
)


def sources():
    """Those of a flight, in batches of one room. Where a path of code is compiled for several sets of instructions, it is a
    unit of its own."""
    rooms = [ROOT / "collision" / room for room in ("", "geometry", "spheres", "builders", "broad", "narrow", "query", "files",
                                                    "methods")]
    batches, alone = [], []
    for room in [*rooms, ROOT / "engine/src/flight"]:
        files = sorted(room.glob("*.cpp"))
        alone += [file for file in files if file.stem.startswith(("pair_search", "motion_lanes"))]
        together = [file for file in files if file not in alone]
        batches += [together[first:first + 12] for first in range(0, len(together), 12)]
    return batches, alone


def units_of(build, folder):
    """(source, its own options): sources in batches, the paths of code, the test and its framework."""
    batches, alone = sources()
    units = []
    for number, files in enumerate(batches):
        batch = folder / f"batch-{number}.cpp"
        batch.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
        units.append((batch, []))
    for file in alone:
        kind = file.stem.rsplit("_", 1)[-1]
        if kind not in SETS or build.machine == "x86-64":
            units.append((file, SETS.get(kind, [])))
    units.append((ROOT / "tests/engine/simulation_test.cpp", []))
    return units + [(GTEST / "src/gtest-all.cc", []), (GTEST / "src/gtest_main.cc", [])]


def compile_one(build, folder, unit, own):
    known = [f"-DNEARMISS_HAS_{name.upper()}" for name in SETS] if build.machine == "x86-64" else []
    places = [ROOT / "collision/include", ROOT / "collision", ROOT / "engine/include", ROOT / "engine/src", ROOT / "tests",
              folder / "include", GTEST / "include", GTEST]
    made = folder / f"{unit.stem}.o"
    words = [build.compiler, *FLAGS, *build.options, *own, *known, *[f"-I{place}" for place in places], "-c", unit, "-o", made]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{build.name}: {unit.name} does not compile\n{done.stderr[:4000]}")
    return made


def built(build, folder, jobs):
    (folder / "include").mkdir(parents=True, exist_ok=True)
    for name, place in HEADERS.items():
        link = folder / "include" / name
        if not link.exists():
            link.symlink_to(place)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = list(pool.map(lambda unit: compile_one(build, folder, *unit), units_of(build, folder)))
    program = folder / "simulation"
    subprocess.run([build.compiler, *build.options, *objects, "-o", program, "-pthread"], check=True)
    return program


def lines_of(build, out, jobs):
    if not shutil.which(build.compiler):
        print(f"{build.name}: {build.compiler} is missing")
        return
    program = built(build, out / build.name, jobs)
    for call, instructions in build.runs:
        if call and not shutil.which(call[0]):
            print(f"{build.name}: {call[0]} is missing")
            continue
        done = subprocess.run([*call, program, FILTER, "--gtest_brief=1"], capture_output=True, text=True)
        same = done.returncode == 0 and "2 tests" in done.stdout
        print(f"{build.name}, {instructions}: {'same' if same else 'DIFFERENT'}", flush=True)
        if not same:
            print(done.stdout[-3000:] + done.stderr[-1000:])
        version = subprocess.run([build.compiler, "-dumpfullversion", "-dumpversion"], capture_output=True, text=True)
        yield dict(zip(COLUMNS, [build.name, build.machine, f"{build.compiler} {version.stdout.split()[0]}",
                                 " ".join(build.options), instructions, "yes" if same else "no"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=[build.name for build in BUILDS])
    parser.add_argument("--jobs", type=int, default=1, help="compilers at once")
    parser.add_argument("-o", "--out", type=pathlib.Path, default=ROOT / "build-determinism", metavar="DIR")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    if not GTEST.is_dir():
        sys.exit(f"{GTEST} is missing: apt install googletest")
    lines = []
    for build in BUILDS:
        if not options.only or build.name in options.only:
            lines += lines_of(build, options.out.resolve(), options.jobs)
    same = sum(line["same"] == "yes" for line in lines)
    print(f"{same} of {len(lines)} runs end in the same states")
    if options.table:
        with open(options.table, "w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
    return 0 if lines and same == len(lines) else 1


if __name__ == "__main__":
    sys.exit(main())
