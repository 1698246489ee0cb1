#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutates the kernels and counts which changes their tests notice.

    tests/mutants.py [--kernel NAME] [--sample N] [--seed S] [--minutes M] [-o DIR]

Each mutant is one small change of one line, compiled in a copy of the sources below DIR, with nothing built but the test
programs of its kernel. A mutant is killed if it does not compile, if a test fails, or if one takes ten times as long as usual.
What survives is equal to the original, or a test is missing: DIR/mutants-COMMIT.csv lists each with its line. A call goes on where
the last one of the same commit ended.
"""
import argparse
import csv
import dataclasses
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["kernel", "file", "line", "change", "result", "seconds", "text"]


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str
    files: tuple
    tests: tuple  # (program below the build folder, filter)


KERNELS = (
    Kernel("predicates", ("collision/geometry/exact_predicates.cpp", "collision/geometry/exact_arithmetic.h"),
           (("tests/geometry/exact_test", "*"),)),
    Kernel("bounds", ("collision/broad/space_time_bound.cpp", "collision/broad/small_linear_program.h"),
           (("tests/broad/space_time_bound_test", "*"), ("tests/methods/meeting_search_test", "*"))),
    Kernel("sweep", ("collision/broad/projection_sweep.cpp",), (("tests/methods/meeting_search_test", "*"),)),
    Kernel("driver", ("collision/broad/space_time_grid_broad_phase.cpp", "collision/broad/body_queue.cpp"),
           (("tests/broad/look_ahead_test", "*"), ("tests/methods/every_broad_phase_test", "*grid*"),
            ("tests/broad/grid_within_budget_test", "*"), ("tests/methods/unimportant_bodies_test", "*"))),
    Kernel("refinement", ("collision/refiner.cpp", "collision/refinement_order.cpp", "collision/pair_queue.cpp"),
           (("tests/narrow/detector_test", "*"), ("tests/narrow/refinement_order_test", "*"),
            ("tests/narrow/waiting_pairs_test", "*"))),
    Kernel("coverage", ("collision/spheres/coverage_chains.cpp", "collision/spheres/coverage_lemma.cpp"),
           (("tests/spheres/spheres_test", "BoundaryLemma.*:WholeLevels.*:SphereTree.*:EveryMeshMeasured.*:*edundan*"),
            ("tests/spheres/spheres_threads_test", "*"))),
    Kernel("files", ("collision/files/file_bytes.cpp", "collision/spheres/file_replacement.cpp"),
           (("tests/faults/file_faults_test", "*"), ("tests/spheres/spheres_threads_test", "FileReplacement.*"))),
)
# What stands on the left becomes what stands on the right; spaces keep templates and references out
CHANGES = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
           (" + ", " - "), (" - ", " + "), (" * ", " / "), (" && ", " || "), (" || ", " && "), ("std::min", "std::max"),
           ("std::max", "std::min"), ("++", "--"), (" += ", " -= "), (" -= ", " += "), ("0.5", "1.0"), ("1.0", "2.0"),
           ("true", "false"), ("false", "true"), ("(!", "("), ("return false", "return true"), ("break;", ";"),
           ("continue;", ";"), ("< 0", "> 0"), ("> 0", "< 0")]
NO_CODE = re.compile(r"^\s*(//|#|using |namespace |template|static_assert|\})|NEARMISS_ASSERT|NEARMISS_DEMAND|constexpr std::string")


def mutants_of(text):
    """(line from 1, change, text of the line) for every change of every line of code."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split("//")[0]
        if NO_CODE.search(code) or not code.strip():
            continue
        quoted = [match.span() for match in re.finditer(r'"(?:\\.|[^"\\])*"', code)]
        for old, new in CHANGES:
            for match in re.finditer(re.escape(old), code):
                at = match.start()
                if any(begin <= at < end for begin, end in quoted):
                    continue
                if old[0].isdigit() and (code[at - 1:at].isdigit() or code[match.end():match.end() + 1].isdigit()):
                    continue
                found.append((number, f"{old.strip()} to {new.strip()}", code[:at] + new + code[match.end():]))
        # A statement that is left out, where a whole line is one
        if re.match(r"^\s+[\w.\->\[\]()]+ [-+*/|&]?= [^;{]*;$", code) or re.match(r"^\s+\w[\w.\->]*\([^;{}]*\);$", code):
            found.append((number, "left out", ";"))
    return found


def copy_sources(folder):
    """The tracked files, as they are now."""
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for name in names:
        if not (ROOT / name).is_file() or name.startswith("docs/images"):
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / name).exists() or (ROOT / name).read_bytes() != (folder / name).read_bytes():
            shutil.copy2(ROOT / name, folder / name)


def build(source, programs):
    """True if the programs compile."""
    words = ["cmake", "--build", source / "build", "--target", *[pathlib.Path(p).name for p in programs]]
    return subprocess.run(words, capture_output=True).returncode == 0


def verdict(source, kernel, limits):
    """How the mutant that lies there ends: "killed by PROGRAM", or "survived"."""
    programs = [program for program, _ in kernel.tests]
    if not build(source, programs):
        return "killed by the compiler"
    for program, chosen in kernel.tests:
        words = [source / "build" / program, f"--gtest_filter={chosen}", "--gtest_brief=1", "--gtest_fail_fast"]
        try:
            done = subprocess.run(words, capture_output=True, timeout=limits[program], cwd=source / "build")
        except subprocess.TimeoutExpired:
            return f"killed by the clock of {pathlib.Path(program).name}"
        if done.returncode:
            return f"killed by {pathlib.Path(program).name}"
    return "survived"


def set_up(source, kernels):
    """Builds the copy, and returns how long each test may take."""
    source.mkdir(parents=True, exist_ok=True)
    copy_sources(source)
    subprocess.run(["cmake", "-S", source, "-B", source / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DNEARMISS_FAST_BUILD=OFF", "-DNEARMISS_BUILD_PYTHON=OFF", "-DNEARMISS_BUILD_EXAMPLES=OFF",
                    "-DNEARMISS_BUILD_FLY=OFF"], check=True, stdout=subprocess.DEVNULL)
    limits = {}
    for kernel in kernels:
        if not build(source, [program for program, _ in kernel.tests]):
            sys.exit(f"the tests of {kernel.name} do not compile")
        for program, chosen in kernel.tests:
            began = time.monotonic()
            if subprocess.run([source / "build" / program, f"--gtest_filter={chosen}", "--gtest_brief=1"],
                              capture_output=True, cwd=source / "build").returncode:
                sys.exit(f"{program} fails without any mutant")
            limits[program] = 10.0 + 10.0 * (time.monotonic() - began)
    return limits


def drawn(kernels, sample, seed):
    """The mutants to try, the same for the same seed; `sample` of each kernel, all where it is 0."""
    tried = []
    for kernel in kernels:
        mutants = [(kernel, file, *mutant) for file in kernel.files for mutant in mutants_of((ROOT / file).read_text())]
        random.Random(f"{seed} {kernel.name}").shuffle(mutants)
        tried += mutants[:sample] if sample else mutants
    return tried


def summary(lines):
    for kernel in KERNELS:
        mine = [line for line in lines if line["kernel"] == kernel.name]
        if mine:
            killed = sum(line["result"] != "survived" for line in mine)
            print(f"{kernel.name:12} {killed} of {len(mine)} killed, {killed / len(mine):.1%}")
    for line in lines:
        if line["result"] == "survived":
            print(f"survived: {line['file']}:{line['line']}: {line['change']}: {line['text'].strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", choices=[kernel.name for kernel in KERNELS])
    parser.add_argument("--sample", type=int, default=20, help="mutants of each kernel; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begins no mutant after that")
    parser.add_argument("-o", "--out", type=pathlib.Path, default=ROOT / "build-mutants", metavar="DIR")
    options = parser.parse_args()
    kernels = [kernel for kernel in KERNELS if not options.kernel or kernel.name in options.kernel]
    began = time.monotonic()
    source = options.out / "source"
    commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    table = options.out / f"mutants-{commit}.csv"
    limits = set_up(source, kernels)
    lines = list(csv.DictReader(table.open(newline=""))) if table.exists() else []
    have = {(line["file"], line["line"], line["text"]) for line in lines}
    with table.open("a", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        if not lines:
            writer.writeheader()
        for kernel, file, number, change, text in drawn(kernels, options.sample, options.seed):
            if (file, str(number), text) in have:
                continue
            if time.monotonic() - began > 60.0 * options.minutes:
                break
            start = time.monotonic()
            original = (ROOT / file).read_text()
            mutated = original.splitlines(keepends=True)
            mutated[number - 1] = text + "\n"
            try:
                (source / file).write_text("".join(mutated))
                result = verdict(source, kernel, limits)
            finally:
                (source / file).write_text(original)
            line = dict(zip(COLUMNS, [kernel.name, file, str(number), change, result, f"{time.monotonic() - start:.1f}", text]))
            writer.writerow(line)
            stream.flush()
            lines.append(line)
    summary(lines)


if __name__ == "__main__":
    main()
