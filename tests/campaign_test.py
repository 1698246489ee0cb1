#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the campaign itself: campaign_test.py BUILD_FOLDER

Bounds, pieces and shards by numbers; keeping, resuming and failing by a program that only says what it was called with; and
that every row names a test that is there.
"""
import fnmatch
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import campaign  # noqa: E402
import campaign_page  # noqa: E402
import kernels  # noqa: E402
import mutants  # noqa: E402
from campaign_table import COLUMNS, GOALS, ROWS, Goal, Need, Row  # noqa: E402
from kernels import KERNELS, occurrence, read_reasons  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
# Writes the report of a test of 70 cases; seed 3 fails where the word is "fails", and crashes where it is "crashes"
PROGRAM = """#!/usr/bin/env python3
import json, os, pathlib, sys
report = next(word for word in sys.argv if word.startswith("--gtest_output=json:")).split(":", 1)[1]
seed, kind = os.environ["NEARMISS_SEED"], sys.argv[1].split("=")[1]
with open(pathlib.Path(__file__).parent / "calls", "a") as calls:
    calls.write(f"{seed} {os.environ['NEARMISS_CAMPAIGN']}\\n")
if kind == "crashes" and seed == "3":
    os.abort()
test = {"result": "COMPLETED", "cases": "70"}
if kind == "fails" and seed == "3":
    test["failures"] = [{"failure": "one"}, {"failure": "two"}]
json.dump({"testsuites": [{"testsuite": [test]}]}, open(report, "w"))
sys.exit("failures" in test)
"""


class Numbers(unittest.TestCase):
    def test_bound_is_the_rule_of_three(self):
        self.assertAlmostEqual(campaign.upper_bound(0, 1000), 2.9957e-3, places=6)
        # Tables of the Poisson distribution: 4.744 for one seen, 10.513 for five
        self.assertAlmostEqual(campaign.upper_bound(1, 1000), 4.7439e-3, places=6)
        self.assertAlmostEqual(campaign.upper_bound(5, 1000), 10.513e-3, places=6)
        self.assertEqual(campaign.upper_bound(0, 2), 1.0)
        # Of many the deviation of the distribution, and a half that it is cut by
        for wrong in (800, 1500):
            self.assertAlmostEqual(campaign.upper_bound(wrong, 10 ** 6) * 10 ** 6, wrong + 1.645 * math.sqrt(wrong) + 2, delta=2)

    def test_seeds_that_were_left_out_are_not_claimed(self):
        self.assertEqual([campaign.span_of(seeds) for seeds in ([7], [2, 1, 3], [91, 1, 5])], ["7", "1-3", "3 of 1-91"])

    def test_pieces_are_the_whole_and_their_seeds_differ(self):
        for row in ROWS:
            for tier, factor in zip(campaign.TIERS, row.factors):
                found = campaign.pieces(row, tier)
                self.assertAlmostEqual(sum(piece[1] for piece in found), factor, msg=row.name)
                self.assertEqual(len({seed for seed, _ in found}), len(found))
                self.assertNotIn(0, [seed for seed, _ in found])

    def test_shards_part_the_work(self):
        whole = campaign.work_items("release", None, (1, 1))
        self.assertGreater(len(whole), 1000)
        shards = [campaign.work_items("release", None, (k, 7)) for k in range(1, 8)]
        self.assertEqual(sorted((row.name, seed) for shard in shards for row, seed, _ in shard),
                         sorted((row.name, seed) for row, seed, _ in whole))
        self.assertLessEqual(max(map(len, shards)) - min(map(len, shards)), 1)


class Runs(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "program").write_text(PROGRAM)
        (self.folder / "program").chmod(0o755)

    def run_row(self, kind, *words, row=None, out=True):
        row = row or Row("R1", kind, "a promise", "program", kind, (0, 7, 70), 2)
        places = ["--build", str(self.folder), *(["-o", str(self.folder / "out")] if out else [])]
        campaign.stopped.clear()
        with mock.patch.object(campaign, "ROWS", (row,)), mock.patch("builtins.print"), \
                mock.patch.object(sys, "argv", ["campaign.py", "--tier", "night", "--as-built", *places, *words]):
            return campaign.main()

    def calls(self):
        file = self.folder / "calls"
        return sorted(file.read_text().splitlines()) if file.exists() else []

    def table(self):
        lines = (self.folder / "out" / "campaign.csv").read_text().splitlines()
        self.assertEqual(lines[0].split(","), COLUMNS)
        return dict(zip(COLUMNS, lines[1].split(",")))

    def test_each_piece_runs_once(self):
        self.assertEqual(self.run_row("works", "--shard", "2/2"), 0)
        self.assertEqual(self.calls(), ["2 2", "4 1"])
        self.assertEqual(self.run_row("works", "--jobs", "2"), 0)
        self.assertEqual(self.calls(), ["1 2", "2 2", "3 2", "4 1"])
        self.assertEqual(self.run_row("works"), 0)
        self.assertEqual(len(self.calls()), 4)
        line = self.table()
        self.assertEqual((line["seeds"], line["factor"], line["cases"], line["wrong"]), ("1-4", "7", "280", "0"))
        self.assertEqual(line["upper95"], f"{2.9957 / 280:.1e}")

    def test_figures_of_the_page_are_those_of_the_tier_of_which_most_was_run(self):
        self.assertEqual(self.run_row("works"), 0)
        folder = next((self.folder / "out").glob("*/works-2-1.json")).parent
        with mock.patch.object(campaign, "ROWS", (Row("R1", "works", "a promise", "program", "works", (0, 7, 70), 2),)):
            lines = campaign.best_lines(folder, "c")
            self.assertEqual([(line["tier"], line["factor"]) for line in lines], [("night", "7")])
            (folder / "works-1-4.json").unlink()
            lines = campaign.best_lines(folder, "c")
            self.assertEqual([(line["tier"], line["factor"]) for line in lines], [("night", "6")])
            for seed in (5, 6):
                shutil.copy(folder / "works-2-1.json", folder / f"works-2-{seed}.json")
            lines = campaign.best_lines(folder, "c")
            self.assertEqual([(line["tier"], line["factor"]) for line in lines], [("release", "10")])

    def test_what_fails_or_crashes_is_wrong(self):
        for kind, wrong in (("fails", "2"), ("crashes", "1")):
            self.assertEqual(self.run_row(kind), 1)
            self.assertEqual(self.table()["wrong"], wrong)
            self.assertEqual(len(list((self.folder / "out").glob(f"*/{kind}-2-3.log"))), 1)

    def test_rows_that_are_not_there_are_refused(self):
        with mock.patch("sys.stderr"):
            self.assertEqual(self.run_row("works", "--only", "nothing"), 2)
            self.assertEqual(self.run_row("works", "--tier", "commit"), 2, "a tier that tries nothing of them")
        self.assertEqual(self.calls(), [])

    def test_programs_that_are_not_there_are_nothing_wrong(self):
        (self.folder / "program").rename(self.folder / "elsewhere")
        self.assertEqual(self.run_row("works"), 2)
        command = Row("R9", "fuzz", "a promise", f"env A=1 {self.folder}/program", None, (0, 1, 1), 1, r"(\d+)")
        self.assertEqual(self.run_row("works", row=command), 2)
        self.assertEqual(list((self.folder / "out").glob("*/*.json")), [])

    def test_a_command_runs_again_once_its_program_is_another(self):
        (self.folder / "program").write_text(f"#!/bin/sh\necho x >> {self.folder}/calls\necho cases: 5\n")
        command = Row("R9", "fuzz", "a promise", f"env A=1 {self.folder}/program", None, (0, 1, 1), 1, r"cases: (\d+)")
        for wanted in (1, 1):
            self.assertEqual(self.run_row("works", row=command), 0)
            self.assertEqual(len(self.calls()), wanted)
        later = time.time() + 10
        os.utime(self.folder / "program", (later, later))
        self.assertEqual(self.run_row("works", row=command), 0)
        self.assertEqual((len(self.calls()), self.table()["cases"]), (2, "5"))

    def test_what_changed_sources_give_is_not_published(self):
        with mock.patch.object(campaign_page, "write_page", return_value=0) as write:
            with mock.patch.object(campaign, "commit_name", return_value="c-changed"), mock.patch("sys.stderr"):
                self.assertEqual(self.run_row("works", "--page"), 0)  # of what was there before
                write.assert_called_once_with([])
                self.assertEqual(self.run_row("works"), 0)
                self.assertEqual(self.run_row("works", "--page"), 2)
            with mock.patch.object(campaign, "commit_name", return_value="c"), mock.patch("sys.stderr"):
                self.assertEqual(self.run_row("works", "--page", "--of", "c-changed"), 2)
                self.assertEqual(write.call_count, 1)
                self.assertEqual(self.run_row("works"), 0)
                self.assertEqual(self.run_row("works", "--page"), 0)
        self.assertEqual([line["commit"] for line in write.call_args[0][0]], ["c"])

    def test_tests_that_count_nothing_are_no_cases(self):
        report = self.folder / "report.json"
        report.write_text('{"testsuites": [{"testsuite": [{"result": "COMPLETED", "cases": "70"}, {"result": "COMPLETED"}]}]}')
        self.assertEqual(campaign.counted(ROWS[0], report, ""), (70, 0, 0))

    def test_builds_keep_their_own_results(self):
        self.assertEqual(self.run_row("works", out=False), 0)
        self.assertEqual(len(list((self.folder / "campaign").glob("*/works-2-1.json"))), 1)


class Commits(unittest.TestCase):
    def test_new_files_are_a_change(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.object(kernels, "ROOT", pathlib.Path(name)):
            def git(*words):
                subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=name, check=True,
                               stdout=subprocess.DEVNULL)
            git("init", "-q")
            (kernels.ROOT / ".gitignore").write_text("build/\n")
            git("add", ".gitignore")
            git("commit", "-q", "-m", "first")
            for ignored in ("build", "docs"):
                (kernels.ROOT / ignored).mkdir()
                (kernels.ROOT / ignored / "file").touch()
            self.assertRegex(kernels.commit_name(), "^[0-9a-f]{12}$")
            (kernels.ROOT / "new.cpp").touch()
            self.assertRegex(kernels.commit_name(), "^[0-9a-f]{12}-changed$")


def sources_of(row):
    """The files of a row's program that hold tests of its filter."""
    folder, name = (campaign.ROOT / row.program).parent, pathlib.Path(row.program).name
    listed = re.search(rf"nearmiss_test\({name}\s[^)]*?SOURCES\s([^)]*)\)", (folder / "CMakeLists.txt").read_text())
    for file in filter(pathlib.Path.exists, (folder / word for word in listed[1].split())):
        tests = re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", file.read_text(), re.MULTILINE)
        if any(fnmatch.fnmatchcase(test, pattern) for suite, name in tests for pattern in row.filter.split(":")
               for test in (f"{suite}.{name}", f"of/{suite}.{name}/0")):
            yield file


class Table(unittest.TestCase):
    def test_names_are_unique_and_goals_are_there(self):
        self.assertEqual(len({row.name for row in ROWS}), len(ROWS))
        goals = {goal.name for goal in GOALS}
        self.assertEqual({row.goal for row in ROWS} - goals, set())
        held = {row.goal for row in ROWS} | {goal.name for goal in GOALS if goal.held}
        self.assertEqual(goals - held, set(), "goals that nothing holds")

    def test_pieces_try_other_cases(self):
        """Where no seed chooses the cases, a second piece would count the same again."""
        for row in ROWS:
            if row.filter is None or all(len(campaign.pieces(row, tier)) < 2 for tier in campaign.TIERS):
                continue
            counting = [(file, text) for file in sources_of(row)
                        if re.search(r"\bcases\(|reportCases\(", text := file.read_text())]
            self.assertTrue(counting, f"{row.name}: no file counts its cases")
            for file, text in counting:
                self.assertRegex(text, r"\bRandom\b|campaignSeed|support/random\.h|oracle/", f"{row.name}: {file}")

    def test_rows_name_tests_that_are_there(self):
        looked_at = 0
        for row in ROWS:
            program = BUILD / row.program
            if row.filter is None or not program.exists():
                continue
            for one in row.filter.split(":"):
                found = subprocess.run([program, f"--gtest_filter={one}", "--gtest_list_tests"], capture_output=True, text=True)
                self.assertIn("\n  ", found.stdout, f"{row.name}: no test {one}")
            looked_at += 1
        self.assertGreater(looked_at, 5)

    def test_seeds_that_are_claimed_are_those_that_were_run(self):
        pieces = {row.name: row.piece for row in ROWS}
        for name, line in campaign_page.read_table().items():
            count, _, span = line["seeds"].rpartition(" of ")
            first, _, last = span.partition("-")
            claimed = int(count or int(last or first) - int(first) + 1)
            self.assertEqual(claimed, math.ceil(float(line["factor"]) / pieces[name]), name)

    def test_page_is_what_its_figures_say(self):
        self.assertEqual(campaign_page.check_page(), 0)

    def test_aims_are_shared_by_what_they_need(self):
        needs = (Need(200, "discs", ("a",)), Need(1000, "balls", ("b", "c")))
        goal = Goal("R0", "", "", needs)

        def shares(**cases):
            return campaign_page.shares_text(goal, [{"row": row, "cases": str(count)} for row, count in cases.items()])

        self.assertEqual(shares(), ["no cases counted yet"])
        self.assertEqual(shares(a=50), ["25 % of the aim of discs, 0 % of the aim of balls"])
        self.assertEqual(shares(a=500, b=100, c=20), ["100 % of the aim of discs, 12 % of the aim of balls"])
        self.assertEqual(shares(a=200, b=600, c=400), [])

    def test_larger_tiers_keep_their_figures(self):
        night = dict.fromkeys(COLUMNS, "1") | {"row": ROWS[0].name, "tier": "night", "wrong": "0"}
        commit = night | {"tier": "commit"}
        self.assertEqual(campaign_page.merged({ROWS[0].name: night}, [commit])[ROWS[0].name]["tier"], "night")
        self.assertEqual(campaign_page.merged({ROWS[0].name: night}, [commit | {"wrong": 1}])[ROWS[0].name]["tier"], "commit")
        self.assertEqual(campaign_page.merged({}, [commit]), {ROWS[0].name: commit})


class Mutants(unittest.TestCase):
    def test_each_is_one_change_of_a_line_of_code(self):
        text = '// a < b\n  if (a < b && !c) x += 1.0;\n  say("a < b");\n  std::vector<int> v;\n  first = second;\n  sort(v);\n'
        found = mutants.mutants_of(text)
        self.assertIn((2, "< to <=", "  if (a <= b && !c) x += 1.0;"), found)
        self.assertIn((2, "&& to ||", "  if (a < b || !c) x += 1.0;"), found)
        self.assertIn((2, "1.0 to 2.0", "  if (a < b && !c) x += 2.0;"), found)
        self.assertIn((5, "left out", ";"), found)
        self.assertIn((6, "left out", ";"), found)
        self.assertEqual([m for m in found if m[0] in (1, 4)], [], "comments and templates are no code")
        self.assertEqual([m for m in found if m[0] == 3 and m[1] != "left out"], [], "nor are texts")

    def test_every_kernel_is_there_and_can_be_changed(self):
        for kernel in KERNELS:
            for file in kernel.files:
                self.assertGreater(len(mutants.mutants_of((campaign.ROOT / file).read_text())), 10, file)
            self.assertEqual(mutants.drawn(kernel, 1), mutants.drawn(kernel, 1))
            self.assertNotEqual(mutants.drawn(kernel, 1), mutants.drawn(kernel, 2))

    def test_tables_of_changed_sources_are_not_taken_over(self):
        with self.assertRaises(SystemExit):
            mutants.taken_over(pathlib.Path("mutants-abc-changed.csv"))

    def test_reasons_name_mutants_that_are_there(self):
        for reason in read_reasons(mutants.REASONS):
            lines = (campaign.ROOT / reason["file"]).read_text().splitlines()
            found = [text.strip() for number, _, text in mutants.mutants_of("\n".join(lines))
                     if lines[number - 1].strip() == reason["line"] and str(occurrence(lines, number)) == reason["occurrence"]]
            self.assertIn(reason["becomes"], found, reason)
            self.assertIn(reason["kind"], ("equal", "only speed"))
            self.assertGreater(len(reason["reason"]), 20, reason)

    def test_survivors_are_missing_tests_unless_there_is_a_reason(self):
        reason = read_reasons(mutants.REASONS)[0]
        lines = (campaign.ROOT / reason["file"]).read_text().splitlines()
        number = next(n for n in range(1, len(lines) + 1)
                      if lines[n - 1].strip() == reason["line"] and str(occurrence(lines, n)) == reason["occurrence"])
        kernel = next(kernel.name for kernel in KERNELS if reason["file"] in kernel.files)
        line = dict.fromkeys(mutants.COLUMNS, "") | {"kernel": kernel, "file": reason["file"], "line": str(number)}
        excused, missing, killed = (line | {"result": result, "text": text} for result, text in (
            ("survived", reason["becomes"]), ("survived", "another();"), ("killed by some_test", "more();")))
        none = line | {"result": mutants.NO_MUTANT, "text": "less();"}
        with mock.patch("builtins.print"):
            sums = mutants.summary([excused, missing, killed, none], "commit", 1)[-1]
        self.assertEqual([sums["mutants"], sums["killed"], sums[reason["kind"]], sums["survived"]], [3, 1, 1, 1])


if __name__ == "__main__":
    unittest.main()
