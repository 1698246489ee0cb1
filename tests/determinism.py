#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flies the same flights with every compiler, optimisation and machine, and compares their last states, bit for bit.

    tests/determinism.py --jobs 2 --programs build/nearmiss build-clang/nearmiss --table docs/determinism.csv
    tests/determinism.py --long build/nearmiss --add docs/determinism.csv
    tests/determinism.py --check build/nearmiss
    tests/determinism.py --check-module build-wasm/tests/portable_answers.wasm [--add docs/determinism.csv]

The first makes the table. It compiles the sources of a flight in every way of BUILDS and flies the three flights whose states
tests/engine/simulation_test.cpp holds: ships that meet, judged by brute force, and by sphere trees that are cut off at another
level in every frame. Debian's g++-aarch64-linux-gnu and g++-i686-linux-gnu compile for other machines, and qemu-user runs what
this machine cannot, or runs it as a machine with fewer instructions. Whole programs fly all built-in scenes, with several numbers
of workers, and within a budget on the work clock. What is missing is named and left out. The second adds flights of 100,000 frames,
which take an hour. The third flies the scenes once and compares their states with the table. The fourth
compares the hashes of shapes and answers that a module for WebAssembly computes in node with those in the table, which
tests/shape/portable_answers_test.cpp computes natively. Exit code 1: two states of one flight
differ.
"""
import argparse
import concurrent.futures
import csv
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs/determinism.csv"
TEST = ROOT / "tests/engine/simulation_test.cpp"
RECORDED = ROOT / "tests/support/portable_answers.h"
ANSWERS = ROOT / "tests/shape/portable_answers_test.cpp"  # trees and answers, in equal poses of several features
GTEST = pathlib.Path("/usr/src/googletest/googletest")
HEADERS = {"glm": "/usr/include/glm", "fmt": "/usr/include/fmt", "Eigen": "/usr/include/eigen3/Eigen"}  # for every machine the same
FLAGS = ["-std=c++20", "-ffp-contract=off", "-w", "-DEIGEN_MPL2_ONLY", "-DEIGEN_DONT_VECTORIZE", "-DEIGEN_DONT_PARALLELIZE",
         "-DFMT_HEADER_ONLY"]
FILTER = "--gtest_filter=Simulation.HasTheSameHashWithEveryCompilerAndMachine:Simulation.RepeatsToTheBitOnTheWorkClock:PortableAnswers.*"
COLUMNS = ["flight", "machine", "compiler", "options", "instructions", "workers", "state"]
SETS = {"avx2": ["-mavx2"], "avx512": ["-mavx512vl"]}
ALL = "all of this machine"
FEWER = (((), ALL), (("qemu-x86_64", "-cpu", "Haswell"), "AVX2"), (("qemu-x86_64", "-cpu", "Nehalem"), "SSE2"))
SCENES = sorted(file.stem for file in (ROOT / "assets/scenes").glob("*.toml"))
WORKERS = (1, 2, 4, 16)
FRAMES = 240
LONG_WORKERS = (1, 8, 32)
LONG_FRAMES = 100_000
LIMITED = " within 5 us of work"
BUDGETS = {"": ["--budget", "inf"], LIMITED: ["--budget", "5 us", "--clock", "work"]}


@dataclasses.dataclass(frozen=True)
class Build:
    name: str
    machine: str
    compiler: str
    options: tuple
    # (how the program is called, the instructions that it then finds)
    runs: tuple = (((), ALL),)


BUILDS = (
    Build("gcc-O0", "x86-64", "g++", ("-O0",)),
    Build("gcc-O1", "x86-64", "g++", ("-O1",)),
    Build("gcc-O2", "x86-64", "g++", ("-O2",), FEWER),
    Build("gcc-O3", "x86-64", "g++", ("-O3",)),
    Build("gcc-O3-native", "x86-64", "g++", ("-O3", "-march=native")),
    Build("clang-O0", "x86-64", "clang++", ("-O0",)),
    Build("clang-O2", "x86-64", "clang++", ("-O2",)),
    Build("clang-O3", "x86-64", "clang++", ("-O3",)),
    Build("clang-libc++", "x86-64", "clang++-16", ("-O2", "-stdlib=libc++")),
    Build("arm64-O2", "arm64", "aarch64-linux-gnu-g++", ("-O2", "-static"), ((("qemu-aarch64",), "Neon"),)),
    Build("i686-O2", "i686", "i686-linux-gnu-g++", ("-O2", "-static", "-msse2", "-mfpmath=sse"), (((), "SSE2"),)),
)


def units_of(build, folder):
    """(source, its own options): sources in batches of one room, the test, and its framework. A path of code that is compiled
    for several sets of instructions is a unit of its own."""
    rooms = [ROOT / "collision" / room
             for room in ("base", "geometry", "files", "spheres", "builders", "shape", "broad", "narrow", "pair", "contact", "ray", "world", "rivals")]
    units = []
    for room in [*rooms, ROOT / "engine/src/flight"]:
        files = sorted(room.glob("*.cpp"))
        kinds = {file: file.stem.rsplit("_", 1)[-1] for file in files}
        paths = {file.stem.removesuffix(f"_{kind}") for file, kind in kinds.items() if kind in SETS}
        alone = [file for file in files if file.stem.removesuffix(f"_{kinds[file]}") in paths or file.stem in paths]
        together = [file for file in files if file not in alone]
        for first in range(0, len(together), 12):
            batch = folder / f"{room.name}-{first}.cpp"
            batch.write_text("".join(f'#include "{file}"\n' for file in together[first:first + 12]), encoding="utf-8")
            units.append((batch, []))
        for file in alone:
            if kinds[file] not in SETS or build.machine == "x86-64":
                units.append((file, SETS.get(kinds[file], [])))
    return [*units, (TEST, []), (ANSWERS, []), (GTEST / "src/gtest-all.cc", []), (GTEST / "src/gtest_main.cc", [])]


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


def flights_of_the_test(build, out, jobs):
    if not shutil.which(build.compiler):
        print(f"{build.name}: {build.compiler} is missing")
        return
    recorded = " ".join(re.findall(r"\b\d{17,20}(?=u\b)", TEST.read_text(encoding="utf-8"))[:3])
    program = built(build, out / build.name, jobs)
    version = subprocess.run([build.compiler, "-dumpfullversion", "-dumpversion"], capture_output=True, text=True).stdout.split()[0]
    for call, instructions in build.runs:
        if call and not shutil.which(call[0]):
            print(f"{build.name}: {call[0]} is missing")
            continue
        done = subprocess.run([*call, program, FILTER, "--gtest_brief=1"], capture_output=True, text=True)
        same = done.returncode == 0 and "4 tests" in done.stdout
        if not same:
            print(done.stdout[-3000:] + done.stderr[-1000:])
        yield ["three of simulation_test", build.machine, f"{build.compiler} {version}", " ".join(build.options), instructions, 1,
               recorded if same else "others"]


def flown(program, scene, budget, frames, workers, profile, trees):
    words = [program, "run", scene, "--frames", str(frames), "--seed", "42", "--workers", str(workers), *BUDGETS[budget],
             "--profile", profile, *(["--cache-dir", trees] if trees else [])]
    done = subprocess.run(words, capture_output=True, text=True)
    state = re.search(r"^state (0x[0-9a-f]+)$", done.stdout, re.MULTILINE)
    return state[1] if state else f"exit code {done.returncode}: {done.stderr.strip()[:200]}"


def scenes_of(program, workers, trees):
    """Every scene without a limit by each number of workers, and once within a budget of counted work."""
    for scene in SCENES:
        for budget, count in [("", some) for some in workers] + [(LIMITED, 1)]:
            yield flight_of(program, scene, budget, FRAMES, count, trees)


def long_scenes_of(program, scenes, trees):
    for scene in scenes or SCENES:
        for count in LONG_WORKERS:
            yield flight_of(program, scene, "", LONG_FRAMES, count, trees)


def flight_of(program, scene, budget, frames, workers, trees):
    """A line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.csv"
        state = flown(program, scene, budget, frames, workers, profile, trees)
        head = ""
        if profile.exists():
            with open(profile, encoding="utf-8") as stream:
                head = stream.read(2000)
    built_by = re.search(r"^# build: nearmiss \S+, (.*)$", head, re.MULTILINE)
    flags = re.search(r"^# flags: *(.*)$", head, re.MULTILINE)
    length = f" of {frames} frames" if frames != FRAMES else ""
    return [scene + budget + length, "x86-64", built_by[1] if built_by else "?", flags[1] if flags else "?", ALL, workers, state]


def report(lines):
    states = {}
    for line in lines:
        states.setdefault(line[0], set()).add(line[-1])
    different = {flight: sorted(found) for flight, found in states.items() if len(found) > 1}
    for flight, found in different.items():
        print(f"{flight} ends in {len(found)} states: {', '.join(found)}")
    print(f"{len(lines)} runs of {len(states)} flights, {len(different)} of them with more than one last state")
    return 0 if lines and not different else 1


def check(program, trees):
    if not TABLE.exists():
        sys.exit(f"{TABLE} is missing: --table makes it")
    with open(TABLE, newline="", encoding="utf-8") as stream:
        head, *kept = csv.reader(stream)
    flown_now = list(scenes_of(program, (2,), trees))
    wanted = {line[0] for line in flown_now} | {build.machine for build in BUILDS}
    missing = wanted - {word for line in kept for word in line[:2]}
    if head != COLUMNS or missing:
        sys.exit(f"{TABLE} is out of date: --table makes it; missing: {', '.join(sorted(missing)) or 'columns'}")
    return report(kept + flown_now)


MODULE_SCRIPT = """
const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1])), imports = {};
for (const each of WebAssembly.Module.imports(module)) (imports[each.module] ??= {})[each.name] = () => 8;
const all = new WebAssembly.Instance(module, imports).exports;
all._initialize();
console.log(Array.from({ length: all.portable_count() }, (_, i) => BigInt.asUintN(64, all.portable_found(i))).join(" "));
"""
ANSWERS_FLIGHT = "shapes and answers of portable_answers_test"


def check_module(module, table):
    """The hashes of a module in node, beside those that native builds are tested against."""
    recorded = " ".join(re.findall(r"\b\d{16,20}(?=u\b)", RECORDED.read_text(encoding="utf-8").split("recordedShapes", 1)[1]))
    done = subprocess.run(["node", "-e", MODULE_SCRIPT, module], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{module} does not run in node\n{done.stderr[:2000]}")
    native = [ANSWERS_FLIGHT, "x86-64", "g++ 12.2.0", "-O2", ALL, 1, recorded]
    line = [ANSWERS_FLIGHT, "wasm32", "clang++-16 16.0.6", "-O2 -msimd128", "simd128", 1, done.stdout.strip()]
    if table:
        with open(table, "a", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerows([native, line])
    with open(TABLE, newline="", encoding="utf-8") as stream:
        kept = [each for each in csv.reader(stream) if each[0] == ANSWERS_FLIGHT]
    if not any(each[1] == "wasm32" for each in kept):
        sys.exit(f"{TABLE} has no line of a module: --add makes it")
    return report([*kept, native, line])


def add_long(program, scenes, trees, table):
    """Each flight is kept as it ends."""
    lines = []
    for line in long_scenes_of(program, scenes, trees):
        print(*line, sep=", ", flush=True)
        lines.append(line)
        if table:
            with open(table, "a", newline="", encoding="utf-8") as stream:
                csv.writer(stream, lineterminator="\n").writerow(line)
    return report(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", type=pathlib.Path, metavar="PROGRAM", help="fly the scenes and compare with the table")
    parser.add_argument("--check-module", type=pathlib.Path, metavar="WASM", help="compare its answers with the table")
    parser.add_argument("--only", action="append", choices=[build.name for build in BUILDS])
    parser.add_argument("--programs", nargs="*", type=pathlib.Path, default=[], metavar="PROGRAM")
    parser.add_argument("--long", type=pathlib.Path, metavar="PROGRAM", help="fly 100,000 frames of the scenes, and nothing else")
    parser.add_argument("--scene", action="append", choices=SCENES, help="of --long; all if none is named")
    parser.add_argument("--add", type=pathlib.Path, metavar="FILE", help="the table that lines of --long and --check-module are added to")
    parser.add_argument("--cache-dir", type=pathlib.Path, metavar="DIR", help="where programs keep their trees")
    parser.add_argument("--jobs", type=int, default=1, help="compilers at once")
    parser.add_argument("-o", "--output", dest="out", type=pathlib.Path, default=ROOT / "build-determinism", metavar="DIR")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    if options.check:
        return check(options.check, options.cache_dir)
    if options.check_module:
        return check_module(options.check_module, options.add)
    if options.long:
        return add_long(options.long.resolve(), options.scene, options.cache_dir, options.add)
    if not GTEST.is_dir():
        sys.exit(f"{GTEST} is missing: apt install googletest")
    lines = []
    for build in BUILDS:
        if not options.only or build.name in options.only:
            for line in flights_of_the_test(build, options.out.resolve(), options.jobs):
                print(*line, sep=", ", flush=True)
                lines.append(line)
    for program in options.programs:
        lines += scenes_of(program.resolve(), WORKERS, options.cache_dir)
    if options.table:
        with open(options.table, "w", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *lines])
    return report(lines)


if __name__ == "__main__":
    sys.exit(main())
