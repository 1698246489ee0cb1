#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the lines and branches of the kernels that their tests reach.

    tests/coverage.py [--kernel NAME] [--keep] [-o DIR]

Test programs are built in a copy of the sources below DIR, and linked once more with the files of their kernel as gcov counts
them: without optimisation, and before all other objects, so that inline functions are those that count. Branches that only an
exception takes are left out. Whatever no test reaches has a reason in tests/unreached_branches.csv, or the call fails; --keep
writes the sums to docs/coverage.csv.
"""
import argparse
import collections
import gzip
import json
import pathlib
import shlex
import shutil
import subprocess
import sys

from kernels import KERNELS, ROOT, builds, commit_name, occurrence, read_reasons, run_test, set_up, write_table

KEPT = ["kernel", "lines", "reached", "branches", "taken", "explained", "commit"]
REASONS = "unreached_branches.csv"
COUNTED = ["-O0", "-g", "--coverage", "-fprofile-abs-path"]


def compiled(kernel, source, build, folder):
    """The objects of a kernel's sources, as gcov counts them."""
    commands = {pathlib.Path(entry["file"]): entry for entry in json.loads((build / "compile_commands.json").read_text())}
    objects = []
    for file in [*kernel.files, *kernel.units]:
        if not file.endswith(".cpp"):
            continue  # a header is counted where it is included
        entry = commands[source / file]
        words = shlex.split(entry["command"])
        objects.append(folder / (pathlib.Path(file).name + ".o"))
        words[words.index("-o") + 1] = str(objects[-1])
        subprocess.run(words + COUNTED, cwd=entry["directory"], check=True)
    return objects


def linked(build, program, objects, folder):
    """The program with those objects before all others."""
    if not builds(build, program, jobs=2):
        sys.exit(f"{program} does not compile")
    commands = subprocess.run(["ninja", "-t", "commands", program], cwd=build, capture_output=True, text=True, check=True).stdout
    words = shlex.split(commands.splitlines()[-1].split("&&")[1])
    made = folder / pathlib.Path(program).name
    words[words.index("-o") + 1] = str(made)
    names = {file.name for file in objects}
    others = [word for word in words[1:] if pathlib.Path(word).name not in names]
    subprocess.run([words[0], *map(str, objects), *others, "--coverage"], cwd=build, check=True)
    return made


def counts_of(kernel, source, folder):
    """By file: how often each line ran, and by line the branches, each True if taken. Instances of a template are one."""
    lines = {file: collections.Counter() for file in kernel.files}
    branches = {file: {} for file in kernel.files}
    names = {str(source / file): file for file in kernel.files}
    for notes in sorted(folder.glob("*.gcno")):
        subprocess.run(["gcov", "--json-format", "--branch-probabilities", notes.name], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        with gzip.open(folder / (notes.name.removesuffix(".gcno") + ".gcov.json.gz"), "rt") as stream:
            report = json.load(stream)
        for part in report["files"]:
            file = names.get(str(pathlib.Path(report["current_working_directory"], part["file"]).resolve()))
            if not file:
                continue
            starts = {f["name"]: (f["start_line"], f["start_column"]) for f in part["functions"]}
            for line in part["lines"]:
                number = line["line_number"]
                lines[file][number] += line["count"]
                taken = [branch["count"] > 0 for branch in line["branches"] if not branch["throw"]]
                before = branches[file].setdefault(number, {}).setdefault(starts.get(line.get("function_name")), [])
                before += [False] * (len(taken) - len(before))
                for i, one in enumerate(taken):
                    before[i] = before[i] or one
    flat = {file: {number: [one for group in groups.values() for one in group] for number, groups in of.items()}
            for file, of in branches.items()}
    return lines, flat


def explained(reasons, file, text, number, missing):
    """How many of the branches of a line that are missing have a reason."""
    place = file, text[number - 1].strip(), str(occurrence(text, number))
    return min(missing, sum(int(r["branches"]) for r in reasons if (r["file"], r["line"], r["occurrence"]) == place))


def judged(kernel, lines, branches, reasons):
    """The sums of a kernel, and the places that want a test: (file, line, text)."""
    sums, places = collections.Counter(), []
    for file in kernel.files:
        text = (ROOT / file).read_text().splitlines()
        sums["lines"] += len(lines[file])
        sums["reached"] += sum(count > 0 for count in lines[file].values())
        for number, taken in sorted(branches[file].items()):
            missing = taken.count(False)
            has = explained(reasons, file, text, number, missing)
            sums["branches"] += len(taken)
            sums["taken"] += len(taken) - missing
            sums["explained"] += has
            if missing > has:
                places.append((file, number, f"{missing - has} of {len(taken)}: {text[number - 1].strip()}"))
    return sums, places


def counted(kernel, source, build, folder):
    """Runs the tests of a kernel; its lines and branches."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    objects = compiled(kernel, source, build, folder)
    for program, chosen in kernel.tests:
        how, _ = run_test(linked(build, program, objects, folder), chosen)
        if how != "passes":
            sys.exit(f"{program} {how}")
    return counts_of(kernel, source, folder)


def main():
    kernels = [kernel for kernel in KERNELS if kernel.branches]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", choices=[kernel.name for kernel in kernels])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("-o", "--output", dest="out", type=pathlib.Path, default=ROOT / "build-coverage", metavar="DIR")
    options = parser.parse_args()
    source = options.out.resolve() / "source"
    source.mkdir(parents=True, exist_ok=True)
    build = set_up(source)
    reasons, table, open_places = read_reasons(REASONS), [], []
    total = collections.Counter()
    for kernel in kernels:
        if options.kernel and kernel.name not in options.kernel:
            continue
        sums, places = judged(kernel, *counted(kernel, source, build, options.out.resolve() / kernel.name), reasons)
        table.append({"kernel": kernel.name, **sums, "commit": commit_name()})
        total += sums
        open_places += places
        print(f"{kernel.name:15} {sums['reached']} of {sums['lines']} lines, {sums['taken']} of {sums['branches']} branches, "
              f"{sums['explained']} explained", flush=True)
    for file, number, text in open_places:
        print(f"{file}:{number}: {text}")
    if options.keep:
        table.append({"kernel": "all", **total, "commit": commit_name()})
        write_table(ROOT / "docs" / "coverage.csv", KEPT, [{key: line.get(key, 0) for key in KEPT} for line in table])
    return 1 if open_places else 0


if __name__ == "__main__":
    sys.exit(main())
