#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutates the kernels and counts which changes their tests notice.

    tests/mutants.py [--kernel NAME] [--sample N] [--seed S] [--minutes M] [--again TABLE] [--keep] [-o DIR]

Each mutant is one small change of one line, compiled in a copy of the sources below DIR, with nothing built but the test
programs of its kernel. A mutant is killed if a test fails or takes several times as long as usual. What does not compile is no
mutant: another is drawn in its place. What survives is named in tests/equal_mutants.csv, as equal to the original or as
changing nothing but its speed, each with a reason; or a test is missing. DIR/mutants-COMMIT.csv lists each with its line, and
a call goes on where the last one of the same commit ended, unless sources have changed since. --again tries what survived in an
earlier table, and takes over the rest of it; --keep writes the sums to docs/mutants.csv.
"""
import argparse
import collections
import csv
import pathlib
import random
import re
import subprocess
import sys
import time

from kernels import KERNELS, ROOT, builds, commit_name, occurrence, read_reasons, run_test, set_up, write_table

COLUMNS = ["kernel", "file", "line", "change", "result", "seconds", "text"]
KEPT = ["kernel", "mutants", "killed", "equal", "only speed", "survived", "commit", "seed"]
REASONS = "equal_mutants.csv"
NO_MUTANT = "does not compile"
# What stands on the left becomes what stands on the right; spaces keep templates and references out
CHANGES = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
           (" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" && ", " || "), (" || ", " && "),
           ("std::min(", "std::max("), ("std::max(", "std::min("), ("std::abs(", "("), ("std::fabs(", "("), ("++", "--"),
           (" += ", " -= "), (" -= ", " += "), ("0.5", "1.0"), ("1.0", "2.0"), ("true", "false"), ("false", "true"),
           ("(!", "("), ("break;", ";"), ("continue;", ";"), ("< 0", "> 0"), ("> 0", "< 0")]
# Nor are assertions, which release builds leave out, and hints of what will be read
NO_CODE = re.compile(r"^\s*(//|#|using |namespace |template|static_assert|\})|NEARMISS_ASSERT|NEARMISS_DEMAND|= default|"
                     r"constexpr std::string|prefetch\(|\.reserve\(")


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


class Trial:
    """One mutant after the other in the copy of the sources."""

    def __init__(self, source):
        self.source, self.build, self.usual = source, set_up(source), {}

    def measure(self, kernels):
        """How long the tests take without any mutant."""
        for kernel in kernels:
            for program, chosen in kernel.tests:
                if not builds(self.build, program, jobs=2):
                    sys.exit(f"{program} does not compile")
                how, seconds = run_test(self.build / program, chosen)
                if how != "passes":
                    sys.exit(f"{program} fails without any mutant")
                self.usual[program, chosen] = seconds

    def verdict(self, kernel):
        """How the mutant that lies there ends: "killed by PROGRAM", NO_MUTANT or "survived"."""
        for program, chosen in kernel.tests:
            if not builds(self.build, program):
                return NO_MUTANT
            how, _ = run_test(self.build / program, chosen, 2.0 + 4.0 * self.usual[program, chosen])
            if how != "passes":
                return f"killed {'by the clock of' if how == 'takes too long' else 'by'} {pathlib.Path(program).name}"
        return "survived"

    def tried(self, kernel, file, number, change, text):
        start = time.monotonic()
        original = (ROOT / file).read_text()
        mutated = original.splitlines(keepends=True)
        mutated[number - 1] = text + "\n"
        try:
            (self.source / file).write_text("".join(mutated))
            result = self.verdict(kernel)
        finally:
            (self.source / file).write_text(original)
        return dict(zip(COLUMNS, [kernel.name, file, str(number), change, result, f"{time.monotonic() - start:.1f}", text]))


def drawn(kernel, seed):
    """All mutants of a kernel, in an order that is the same for the same seed."""
    mutants = [(file, *mutant) for file in kernel.files for mutant in mutants_of((ROOT / file).read_text())]
    random.Random(f"{seed} {kernel.name}").shuffle(mutants)
    return mutants


def identity(line):
    return line["file"], line["line"], line["change"], line["text"]


def taken_over(table):
    """The lines of an earlier table whose line of code is there still, with its number of now: what was decided, and what
    survived, as mutants to be tried again."""
    commit = table.stem.removeprefix("mutants-")
    if commit.endswith("-changed"):
        sys.exit(f"{table} is of changed sources, whose lines cannot be found again")
    then, now = {}, {}
    for kernel in KERNELS:
        for file in kernel.files:
            shown = subprocess.run(["git", "show", f"{commit}:{file}"], cwd=ROOT, capture_output=True, text=True)
            then[file] = shown.stdout.splitlines()
            text = (ROOT / file).read_text()
            lines = text.splitlines()
            for number, change, becomes in mutants_of(text):
                now[file, lines[number - 1].strip(), occurrence(lines, number), change, becomes] = kernel, number
    decided, survivors = [], []
    with open(table, newline="") as stream:
        for line in csv.DictReader(stream):
            number = int(line["line"])
            if number > len(then[line["file"]]):
                continue
            place = then[line["file"]][number - 1].strip(), occurrence(then[line["file"]], number)
            kernel, number = now.get((line["file"], *place, line["change"], line["text"]), (None, 0))
            if not kernel:
                continue
            if line["result"] == "survived":
                survivors.append((kernel, (line["file"], number, line["change"], line["text"])))
            else:
                decided.append({**line, "kernel": kernel.name, "line": str(number)})
    return decided, survivors


def excused(lines):
    """By identity of a survivor: "equal" or "only speed"."""
    reasons = {(r["file"], r["line"], r["occurrence"], r["becomes"]): r["kind"] for r in read_reasons(REASONS)}
    found = {}
    for line in lines:
        text = (ROOT / line["file"]).read_text().splitlines()
        number = int(line["line"])
        kind = reasons.get((line["file"], text[number - 1].strip(), str(occurrence(text, number)), line["text"].strip()))
        if kind and line["result"] == "survived":
            found[identity(line)] = kind
    return found


def summary(lines, commit, seed):
    """Sums by kernel, and of all; prints them, and what survived without a reason."""
    kinds, sums = excused(lines), []
    for name in [kernel.name for kernel in KERNELS] + ["all"]:
        mine = [line for line in lines if name in (line["kernel"], "all") and line["result"] != NO_MUTANT]
        count = collections.Counter(kinds.get(identity(line), line["result"].split()[0]) for line in mine)
        if mine:
            sums.append(dict(zip(KEPT, [name, len(mine), count["killed"], count["equal"], count["only speed"],
                                        count["survived"], commit, seed])))
            print(f"{name:15} {count['killed']} of {len(mine)} killed, {count['equal']} equal, {count['only speed']} change only "
                  f"the speed: {count['killed'] / max(1, count['killed'] + count['survived']):.1%} of the others")
    for line in lines:
        if line["result"] == "survived" and identity(line) not in kinds:
            print(f"survived: {line['file']}:{line['line']}: {line['change']}: {line['text'].strip()}")
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", choices=[kernel.name for kernel in KERNELS])
    parser.add_argument("--sample", type=int, default=35, help="mutants of each kernel; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begins no mutant after that")
    parser.add_argument("--again", type=pathlib.Path, metavar="TABLE")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("-o", "--output", dest="out", type=pathlib.Path, default=ROOT / "build-mutants", metavar="DIR")
    options = parser.parse_args()
    kernels = [kernel for kernel in KERNELS if not options.kernel or kernel.name in options.kernel]
    began = time.monotonic()
    options.out.mkdir(parents=True, exist_ok=True)
    commit = commit_name()
    table = options.out / f"mutants-{commit}.csv"
    survivors = []
    if options.again:
        decided, survivors = taken_over(options.again)
        write_table(table, COLUMNS, decided)
    elif commit.endswith("-changed"):
        table.unlink(missing_ok=True)  # of other changes
    lines = list(csv.DictReader(table.open(newline=""))) if table.exists() else []
    trial = Trial(options.out / "source")
    trial.measure(kernels)
    done = {identity(line) for line in lines}
    with table.open("a", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        if not lines:
            writer.writeheader()
        for kernel in kernels:
            have = sum(line["kernel"] == kernel.name and line["result"] != NO_MUTANT for line in lines)
            first = [mutant for of, mutant in survivors if of is kernel]
            for file, number, change, text in first + [one for one in drawn(kernel, options.seed) if one not in first]:
                if options.sample and have >= options.sample or time.monotonic() - began > 60.0 * options.minutes:
                    break
                if (file, str(number), change, text) in done:
                    continue
                line = trial.tried(kernel, file, number, change, text)
                writer.writerow(line)
                stream.flush()
                lines.append(line)
                have += line["result"] != NO_MUTANT
    sums = summary(lines, commit, options.seed)
    if options.keep:
        write_table(ROOT / "docs" / "mutants.csv", KEPT, sums)


if __name__ == "__main__":
    main()
