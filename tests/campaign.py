#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the reliability campaign: every promise of docs/reliability.md against its oracle, over many seeds.

    tests/campaign.py --tier commit|night|release [--only NAME] [--jobs N] [--shard K/N] [--as-built] [-o DIR]
    tests/campaign.py --page [--of COMMIT] [-o DIR]

A row is split into pieces, each with a seed of its own; finished pieces are kept for each commit, and the
next call goes on from there; where a program was rebuilt, its pieces run again. Every call has the same pieces, so that
machines share them:

    parallel tests/campaign.py --tier night --as-built --shard {}/8 -o DIR ::: 1 2 3 4 5 6 7 8
    sbatch --array=1-64 --wrap 'tests/campaign.py --tier release --as-built --shard $SLURM_ARRAY_TASK_ID/64 -o DIR'

DIR/campaign.csv sums up what DIR holds of this commit. --page writes those rows into docs/reliability.csv and the page, but
never those of sources that differ from their commit. The exit code is 0 if nothing was wrong, 1 if something was, 2 if the campaign could not run, 130 if it was interrupted.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from campaign_table import COLUMNS, ROWS, TIERS, pieces  # noqa: E402
from kernels import commit_name  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 3600  # seconds that one piece may take
running = set()
stopped = threading.Event()


class CannotRun(Exception):
    """A program is missing: nothing is said of what it would have tried."""


def upper_bound(wrong, cases):
    """95 % upper bound of the rate of failure: the rate at which as few or fewer are seen once in twenty times. With none
    wrong that is 3 / cases."""
    if not cases:
        return math.nan
    low, high = 0.0, 10.0 + 4.0 * wrong
    for _ in range(100):
        middle = 0.5 * (low + high)
        # By logarithms: exp(-middle) alone is 0 from 746 on
        total = sum(math.exp(k * math.log(middle) - middle - math.lgamma(k + 1)) for k in range(wrong + 1))
        low, high = (middle, high) if total > 0.05 else (low, middle)
    return min(1.0, high / cases)


def work_items(tier, only, shard):
    items = [(row, *piece) for row in ROWS if not only or row.name in only for piece in pieces(row, tier)]
    return [item for k, item in enumerate(items) if k % shard[1] == shard[0] - 1]


def span_of(seeds):
    """ "3", "1-4", or "10 of 1-91" where there are others between."""
    seeds = sorted(seeds)
    whole = seeds[-1] - seeds[0] + 1
    ends = str(seeds[0]) if whole == 1 else f"{seeds[0]}-{seeds[-1]}"
    return ends if len(seeds) == whole else f"{len(seeds)} of {ends}"


def words_of(row, build, seed, factor, report, out):
    if row.filter is not None:
        return [str(build / row.program), f"--gtest_filter={row.filter}", "--gtest_brief=1", f"--gtest_output=json:{report}"]
    return [word.format(root=ROOT, seed=seed, seconds=int(60 * factor), out=out) for word in row.program.split()]


def counted(row, report, text):
    """Cases, failures and skipped tests of a piece: each test that draws some says in its properties how many."""
    if row.filter is None:
        found = [int(n) for n in re.findall(row.cases, text)]
        return (sum(found) if found else 0), 0, 0
    cases = wrong = skipped = 0
    for suite in json.loads(report.read_text(encoding="utf-8"))["testsuites"]:
        for test in suite["testsuite"]:
            skipped += test["result"] == "SKIPPED"
            wrong += len(test.get("failures", []))
            cases += int(test.get("cases", 0))
    return cases, wrong, skipped


def best_lines(folder, commit):
    """Of each row the sum over the tier of which most has been run, the smallest of equals: the pieces of a tier are those
    of a larger one too."""
    lines = {}
    for tier in TIERS:
        for line in summed(kept_results(folder, tier), tier, commit):
            before = lines.get(line["row"])
            if before is None or float(line["factor"]) > float(before["factor"]):
                lines[line["row"]] = line
    return list(lines.values())


def is_fresh(kept, program):
    """True if a result is there, and of the program as it is now."""
    return kept.exists() and (not program.exists() or kept.stat().st_mtime >= program.stat().st_mtime)


def ended(child):
    """What the child has said when it ends, its exit code, and the time of processors that it and its own children took."""
    def kill():
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    watch = threading.Timer(PATIENCE, kill)
    watch.start()
    with child.stdout as said:
        text = said.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if not watch.is_alive():
        text += f"\nended after {PATIENCE} s\n"
    watch.cancel()
    return text, child.returncode, usage.ru_utime + usage.ru_stime


def program_of(words):
    """The file that a command runs, which a word before it may call."""
    return next((file for file in map(pathlib.Path, words) if file.is_file()), pathlib.Path(words[0]))


def run_piece(item, build, out):
    """Runs one piece and keeps its result as a file, unless a former call did."""
    row, seed, factor = item
    kept = out / f"{row.name}-{factor:g}-{seed}.json"
    if is_fresh(kept, program_of(words_of(row, build, seed, factor, "report.json", out))):
        return json.loads(kept.read_text(encoding="utf-8"))
    if stopped.is_set():
        return None
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        surroundings = os.environ | {"NEARMISS_CAMPAIGN": f"{factor:g}", "NEARMISS_SEED": str(seed)}
        words = words_of(row, build, seed, factor, report, out)
        try:
            child = subprocess.Popen(words, cwd=folder, env=surroundings, text=True, errors="replace",
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as fault:
            raise CannotRun(f"cannot run {words[0]} ({fault.strerror}): build it first") from fault
        running.add(child)
        text, code, seconds = ended(child)
        running.discard(child)
        if stopped.is_set():
            return None
        if row.filter is None and code in (126, 127):  # of env, which could not run it
            raise CannotRun(f"cannot run {row.name}: {text.strip()}: build it first")
        try:
            cases, wrong, skipped = counted(row, report, text)
        except (OSError, ValueError):
            cases, wrong, skipped = 0, 0, 0
    result = {"row": row.name, "seed": seed, "factor": factor, "cases": cases, "skipped": skipped,
              "wrong": max(wrong, int(code != 0)), "seconds": round(seconds, 3)}
    if result["wrong"]:
        (out / f"{kept.stem}.log").write_text(text, encoding="utf-8")
        print(f"{row.name}: {result['wrong']} wrong, see {out / kept.stem}.log; again by\n  NEARMISS_CAMPAIGN={factor:g} "
              f"NEARMISS_SEED={seed} {shlex.join(words if row.filter is None else words[:2])}", flush=True)
    whole = out / f".{kept.name}.{os.getpid()}"
    whole.write_text(json.dumps(result), encoding="utf-8")
    whole.rename(kept)
    return result


def day_of(commit):
    """The day of a commit, or nothing for one that is not known here."""
    said = subprocess.run(["git", "show", "-s", "--format=%cs", commit], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return said.stdout.strip() if said.returncode == 0 else ""


def summed(results, tier, commit):
    """One line per row of the table, over all of its pieces."""
    lines = []
    for row in ROWS:
        mine = [result for result in results if result["row"] == row.name]
        if not mine:
            continue
        cases, wrong = sum(r["cases"] for r in mine), sum(r["wrong"] for r in mine)
        lines.append(dict(zip(COLUMNS, [
            row.goal, row.name, day_of(commit), commit, tier, span_of([r["seed"] for r in mine]), f"{sum(r['factor'] for r in mine):g}", cases, wrong,
            f"{upper_bound(wrong, cases):.1e}", f"{sum(r['seconds'] for r in mine):.1f}"])))
    return lines


def write_table(file, lines):
    with open(file, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def kept_results(folder, tier):
    """Results of all pieces of a tier that have been run."""
    wanted = {f"{row.name}-{factor:g}-{seed}.json" for row in ROWS for seed, factor in pieces(row, tier)}
    return [json.loads((folder / name).read_text(encoding="utf-8")) for name in sorted(wanted) if (folder / name).exists()]


def build_programs(build, rows):
    names = sorted({pathlib.Path(row.program).name for row in rows if row.filter is not None})
    return not names or subprocess.run(["cmake", "--build", build, "--target", *names], stdout=sys.stderr).returncode == 0


def interrupt(*_):
    stopped.set()
    for child in list(running):
        try:
            os.killpg(child.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass


def shard_of(text):
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f'"{text}" is not K/N with 1 <= K <= N')
    return int(found[1]), int(found[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tier", choices=TIERS, default="commit")
    parser.add_argument("--only", action="append", metavar="NAME", help="a row, or a goal such as R2; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="pieces at once")
    parser.add_argument("--shard", type=shard_of, default=(1, 1), metavar="K/N", help="every Nth piece, from the Kth on")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="the build folder")
    parser.add_argument("--as-built", action="store_true", help="build nothing before")
    parser.add_argument("-o", "--output", dest="out", type=pathlib.Path, metavar="DIR", help="default: campaign, in the build folder")
    parser.add_argument("--list", action="store_true", help="list the rows with their factors")
    parser.add_argument("--of", metavar="COMMIT", help="with --page: results of that commit, not of this one")
    parser.add_argument("--page", action="store_true", help="write docs/reliability.csv and the page from DIR")
    options = parser.parse_args()
    if options.list:
        for row in ROWS:
            print(f"{row.goal:4} {row.name:26} {' '.join(f'{f:>9,g}' for f in row.factors)}  {row.promise}")
        return 0
    chosen = [row for row in ROWS if not options.only or row.name in options.only or row.goal in options.only]
    if not chosen:
        print(f"no row {' or '.join(options.only)}; see --list", file=sys.stderr)
        return 2
    commit = options.of if options.page and options.of else commit_name()
    # What another build has tried says nothing of this one; and pieces run in folders of their own
    options.out = (options.out or options.build / "campaign").resolve()
    folder = options.out / commit
    folder.mkdir(parents=True, exist_ok=True)
    if options.page:
        import campaign_page
        lines = best_lines(folder, commit)
        if lines and commit.endswith("-changed"):
            print(f"{folder} holds results of changed sources, which nobody could repeat", file=sys.stderr)
            return 2
        return campaign_page.write_page(lines)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    items = work_items(options.tier, {row.name for row in chosen}, options.shard)
    if not items and options.shard == (1, 1):
        print(f"the tier {options.tier} has no piece of these rows; see --list", file=sys.stderr)
        return 2
    if not options.as_built and not build_programs(options.build, chosen):
        return 2
    results = []
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        try:
            for result in pool.map(lambda item: run_piece(item, options.build.resolve(), folder), items):
                if result:
                    results.append(result)
        except CannotRun as fault:
            interrupt()
            print(fault, file=sys.stderr)
            return 2
    lines = summed(kept_results(folder, options.tier), options.tier, commit)
    write_table(options.out / "campaign.csv", lines)
    cases, wrong = sum(r["cases"] for r in results), sum(r["wrong"] for r in results)
    print(f"{len(results)} of {len(items)} pieces, {cases:,} cases, {wrong} wrong; {options.out / 'campaign.csv'}")
    if stopped.is_set():
        return 130
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
