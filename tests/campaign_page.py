# SPDX-License-Identifier: MIT
"""Figures of the campaign in docs/reliability.csv, and the tables of docs/reliability.md made of them."""
import csv
import math
import pathlib
import sys

from campaign_table import COLUMNS, GOALS, ROWS, TIERS, pieces

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "reliability.csv"
PAGE = ROOT / "docs" / "reliability.md"


def read_table():
    if not TABLE.exists():
        return {}
    with open(TABLE, newline="", encoding="utf-8") as stream:
        return {line["row"]: line for line in csv.DictReader(stream)}


def merged(old, new):
    """The last run of each row; one of a smaller tier leaves the figures of a larger one, unless something was wrong."""
    lines = dict(old)
    for line in new:
        before = lines.get(line["row"])
        if before and TIERS.index(line["tier"]) < TIERS.index(before["tier"]) and not int(line["wrong"]):
            continue
        lines[line["row"]] = {key: str(value) for key, value in line.items()}
    return {row.name: lines[row.name] for row in ROWS if row.name in lines}


def number(count):
    return f"{int(count):,}"


def hours(seconds):
    seconds = float(seconds)
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min" if seconds >= 60 else f"{seconds:.0f} s"


def pieces_run(line, row):
    """Number of pieces that a line sums up."""
    return math.ceil(float(line["factor"]) / row.piece)


def part_text(row, line):
    """The tier, or how much of it was run."""
    count, whole = pieces_run(line, row), len(pieces(row, line["tier"]))
    return line["tier"] if count == whole else f"{count} of {whole} pieces of {line['tier']}"


def rows_text(lines):
    text = ["| goal | row | promise | wrong of cases | at most, 95 % | tier | seeds | day, commit | core time |",
            "|---|---|---|---|---|---|---|---|---|"]
    for row in ROWS:
        line = lines.get(row.name)
        figures = "not run yet | | | | |"
        if line:
            figures = (f"{number(line['wrong'])} of {number(line['cases'])} | {line['upper95']} | "
                       f"{part_text(row, line)} | {line['seeds']} | {line['day']}, {line['commit']} | {hours(line['seconds'])} |")
        text.append(f"| {row.goal} | `{row.name}` | {row.promise} | {figures}")
    return text


def shares_text(goal, lines):
    """What of the aims has been tried, where one is not reached."""
    def tried(need):
        return sum(int(line["cases"]) for line in lines if not need.rows or line["row"] in need.rows)

    if all(tried(need) >= need.cases for need in goal.needs):
        return []
    if not any(map(tried, goal.needs)):
        return ["no cases counted yet"]

    def share(need):
        # Two digits, 100 without an exponent
        return f"{float(f'{100 * min(tried(need) / need.cases, 1):.2g}'):g}"

    return [", ".join(f"{share(need)} % of the aim{' of ' + need.of if need.of else ''}" for need in goal.needs)]


def spans_text(lines):
    """How long readers were fuzzed: a sum of cases does not tell."""
    seconds = [float(line["seconds"]) for line in lines]
    return [f"{sum(s < 60 for s in seconds)} of {len(seconds)} readers for less than a minute"] if seconds else []


def goals_text(lines):
    text = ["| goal | promise | aim of a release | stands at | held by |", "|---|---|---|---|---|"]
    for goal in GOALS:
        mine = [lines[row.name] for row in ROWS if row.goal == goal.name and row.name in lines]
        cases, wrong = sum(int(line["cases"]) for line in mine), sum(int(line["wrong"]) for line in mine)
        stands = [f"{number(wrong)} wrong of {number(cases)} cases"] if mine else []
        stands += shares_text(goal, mine)
        stands += [goal.distance] if goal.distance else []
        partly = [row for row in ROWS if row.goal == goal.name and row.name in lines
                  and pieces_run(lines[row.name], row) < len(pieces(row, lines[row.name]["tier"]))]
        stands += [f"{len(partly)} of {len(mine)} rows ran only a part of their tier"] if partly else []
        stands += spans_text(mine) if goal.name == "R9" else []
        held = goal.held or f"`tests/campaign.py --tier night --only {goal.name}`"
        text.append(f"| {goal.name} | {goal.promise} | {goal.aim} | {'; '.join(stands) or 'met'} | {held} |")
    return text


def page_of(text, lines):
    """The page with its tables as the figures have them."""
    for name, made in (("goals", goals_text(lines)), ("rows", rows_text(lines))):
        first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(first)
        after = rest.partition(last)[2]
        text = before + first + "\n".join(made) + "\n" + last + after
    return text


def write_page(new):
    lines = merged(read_table(), new)
    with open(TABLE, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines.values())
    PAGE.write_text(page_of(PAGE.read_text(encoding="utf-8"), lines), encoding="utf-8")
    return 0


def check_page():
    """1 if the page is not what its figures say."""
    text = PAGE.read_text(encoding="utf-8")
    if page_of(text, read_table()) == text:
        return 0
    print("docs/reliability.md is not what docs/reliability.csv says: run tests/campaign.py --page", file=sys.stderr)
    return 1
