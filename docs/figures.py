#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces the figures of the pages to the kept tables: README, docs/*.md of PAGES and docs/algorithms/*.md.

    docs/figures.py [--check]   fails if a figure differs from its table or has no source
    docs/figures.py --write     puts the present values of the tables into the pages, with as many decimals as before
    docs/figures.py --age [N]   fails if more than N commits since a table was made changed the sources that it measures

A comment below a paragraph or table holds the sources of the figures above it, up to the previous comment or heading:

    <!-- figures
    takes [1.8] µs instead of [58] = peers.csv mean_ns a=truck method="sphere-tree exact" / 1000; peers.csv ...
    -->

Each line has a phrase of the page that occurs once there, with the figures in brackets, and a source for each figure.
A source is an arithmetic expression of terms, with spaces around + - * / ( and ). A term is a number or

    [min|max|median|mean|sum|count|distinct] TABLE COLUMN FILTER...   FILTER: COLUMN=a|b, !=, <, >, <=, >=, ~ (regular expression)
    TABLE # KEY [OPTION]            a line of the table's head, or the value of an option in it

Without an aggregate, all rows that pass the filters must agree. Other sources, each for all figures of its line:

    source FILE "TEXT"              a constant of the program: the file contains the text
    paper                           a figure of a paper
    by hand COMMAND, COMMIT         measured without a kept table; the page has the conditions
    definition                      a limit, a setting, an aim or an example: not measured

Every other number in digits is a fault, except in code, links, headings, HTML comments, the generated table of the
campaign, names (H96, Fig. 14, §9.1, C++20, level 4, Debian 12, commits), powers of ten, years, and the aims of the campaign.
"""
import collections
import csv
import decimal
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = (ROOT / "docs/measurements", ROOT / "docs")
PAGES = ["README.md", "docs/results.md", "docs/reliability.md", "docs/physics.md", "docs/measuring.md"]
MOST_COMMITS = 400
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split() + [""] * 7 + ["twenty"]
AGGREGATES = {"min": min, "max": max, "median": statistics.median, "mean": statistics.mean, "sum": sum,
              "count": len, "distinct": lambda cells: len(set(cells))}
OPERATORS = ("+", "-", "*", "/", "(", ")", "")
NUMBER = r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?(?![\w⁻])"
COMMENT = re.compile(r"^<!-- figures\b(.*?)-->", re.DOTALL | re.MULTILINE)
NOT_FIGURES = re.compile(r"|".join((
    r"^```.*?^```$", r"<!--(?! rows).*?-->", r"<!-- rows -->.*?<!-- end of rows -->", r"^#+ .*?$", r"!\[[^\]]*\]", r"`[^`\n]+`",
    r"\]\([^)]*\)", r"§[\d.]+", r"Figs?\. \d+(?:(?:, | and | to )\d+)*", r"[Ll]evels? \d(?:(?:, | and | to )\d)*",
    r"(?:C\+\+|Debian |OpenGL |g\+\+ |clang )[\d.]+", r"\b[0-9a-f]{12}\b", r"\b(?:19|20)\d\d\b",
    r"^\| R\d+[a-c]? \|[^|]*\|[^|]*\|", r"\d+ wrong of [\d,]+ cases", r"[\d.]+ % of the aim",
    r"\d+ of \d+ rows ran only a part", r"\d+ of \d+ readers for less than a minute")), re.DOTALL | re.MULTILINE)
tables = {}


class Fault(Exception):
    pass


def table(name):
    """The lines of the head as (key, value), and the rows."""
    if name not in tables:
        file = next((folder / name for folder in TABLES if (folder / name).exists()), None)
        if not file:
            raise Fault(f"there is no table {name}")
        lines = file.read_text(encoding="utf-8").splitlines()
        head = [line[2:].partition(": ")[::2] for line in lines if line.startswith("# ")]
        tables[name] = head, list(csv.DictReader(line for line in lines if not line.startswith("# ")))
    return tables[name]


def passes(row, condition):
    column, sign, wanted = re.fullmatch(r"([\w. ]+?)(!=|<=|>=|=|<|>|~)(.*)", condition).groups()
    if column not in row:
        raise Fault(f"there is no column {column}")
    cell = row[column]
    if sign in "!==":
        return (cell in wanted.split("|")) == (sign == "=")
    if sign == "~":
        return re.search(wanted, cell) is not None
    if not cell:
        return False
    return {"<": float(cell) < float(wanted), ">": float(cell) > float(wanted),
            "<=": float(cell) <= float(wanted), ">=": float(cell) >= float(wanted)}[sign]


def term(words):
    if len(words) == 1:
        return float(words[0])
    aggregate = words.pop(0) if words[0] in AGGREGATES else None
    if len(words) < 2:
        raise Fault("a term needs a table and a column")
    name, column, *conditions = words
    head, rows = table(name)
    if column == "#":
        texts = [f" {text} ".partition(f" {conditions[1]} " if len(conditions) > 1 else " ")[2] for key, text in head
                 if key == conditions[0]]
        values = re.findall(r"\d+(?:\.\d+)?", " ".join(texts))
        if not values:
            raise Fault(f"the head of {name} has no {' '.join(conditions)}")
        return AGGREGATES[aggregate](list(map(float, values))) if aggregate else float(values[0])
    if column not in rows[0]:
        raise Fault(f"{name} has no column {column}")
    cells = [row[column] for row in rows if all(passes(row, condition) for condition in conditions)]
    if not cells and aggregate != "count":
        raise Fault(f"{name} has no row with {' '.join(conditions)}")
    if aggregate in ("count", "distinct"):
        return AGGREGATES[aggregate](cells)
    if "" in cells:
        raise Fault(f"{name} has an empty cell in {column} with {' '.join(conditions)}")
    if not aggregate and len(set(cells)) > 1:
        raise Fault(f"{len(cells)} rows of {name} differ in {column}: add an aggregate or a filter")
    return AGGREGATES[aggregate](list(map(float, cells))) if aggregate else float(cells[0])


def value(source):
    """Evaluates a source, or returns None if it is not one of numbers."""
    if source.split(" ")[0] in ("paper", "by", "definition"):
        return None
    words = shlex.split(source)
    if words[0] == "source":
        if " ".join(words[2:]) not in (ROOT / words[1]).read_text(encoding="utf-8"):
            raise Fault(f"{words[1]} does not contain {' '.join(words[2:])}")
        return None
    expression, part = "", []
    for word in [*words, ""]:
        if word not in OPERATORS:
            part.append(word)
            continue
        expression, part = expression + (repr(term(part)) if part else "") + word, []
    return eval(expression)  # of numbers and operators only


def written(number, like):
    """A number with as many decimals as another one in the text."""
    if like.lower() in WORDS:
        word = WORDS[round(number)] if round(number) < len(WORDS) else ""
        return (word.capitalize() if like[0].isupper() else word) or f"{round(number):,}"
    if "e" in like:
        return f"{number:.{len(like.partition('e')[0].partition('.')[2])}e}".replace("e-0", "e-").replace("e+0", "e")
    decimals = len(like.partition(".")[2])
    exact = decimal.Decimal(f"{number:.10g}").quantize(decimal.Decimal(1).scaleb(-decimals), decimal.ROUND_HALF_UP)
    return f"{'+' if like[0] == '+' else ''}{exact:,}" if exact >= 0 else f"{exact:,}".replace("-", "−")


class Entry:
    """A line of a comment: its phrase in the page, and what stands there by the tables."""

    def __init__(self, text, begin, above):
        line = text[begin:].partition("\n")[0].partition("-->")[0]
        phrase, sign, sources = line.partition(" = ")
        self.at = (begin, begin + len(phrase))
        if not sign:
            raise Fault(f"no \" = \" in \"{line.strip()}\"")
        pieces = [r"\s+".join(map(re.escape, re.split(r"\s+", piece))) for piece in re.split(r"\[([^\]]*)\]", phrase.strip())]
        # As it is in the comment, or else with other figures
        for figure in (lambda piece: f"({piece})", lambda piece: r"([+−]?\w[\w.,]*\b)"):
            pattern = "".join(figure(piece) if index % 2 else piece for index, piece in enumerate(pieces))
            found = list(re.compile(pattern).finditer(text, *above))
            if found:
                break
        if len(found) != 1 or len(pieces) < 3:
            raise Fault(f"\"{phrase.strip()}\" occurs {len(found)} times above, but must once")
        self.span = found[0].span()
        self.figures = [found[0].span(group + 1) for group in range(len(pieces) // 2)]
        self.sources = sources.strip().split("; ")
        self.stale = re.findall(r"\[([^\]]*)\]", phrase) != [text[a:b] for a, b in self.figures]
        if len(self.sources) == 1 and value(self.sources[0]) is None:
            self.sources *= len(self.figures)
        if len(self.sources) != len(self.figures):
            raise Fault(f"{len(self.figures)} figures, but {len(self.sources)} sources in \"{line.strip()}\"")

    def phrase(self, text, edits):
        """The phrase of the page after the edits, with its figures in brackets."""
        result, position = "", self.span[0]
        spans = {span: True for span in self.figures} | {(a, b): False for a, b, _ in edits if self.span[0] <= a < self.span[1]
                                                          and (a, b) not in self.figures}
        for (a, b), mine in sorted(spans.items()):
            new = next((new for edit_a, _, new in edits if edit_a == a), text[a:b])
            result, position = result + text[position:a] + (f"[{new}]" if mine else new), b
        return re.sub(r"\s+", " ", result + text[position:self.span[1]])


def entries_of(text, faults):
    ends = sorted(found.end() for found in re.finditer(COMMENT.pattern + r"|^#+ .*$", text, re.DOTALL | re.MULTILINE))
    for comment in COMMENT.finditer(text):
        above = (max((end for end in ends if end <= comment.start()), default=0), comment.start())
        for line in re.finditer(r"\S[^\n]*", comment.group(1)):
            begin = comment.start(1) + line.start()
            try:
                yield Entry(text, begin, above)
            except (Fault, ValueError, AttributeError, KeyError) as fault:
                faults.append((text.count("\n", 0, begin) + 1, str(fault)))


def look(page, write):
    """Checks or corrects one page. Returns the faults, the number of figures of each kind, and those measured by hand."""
    text = page.read_text(encoding="utf-8")
    faults, edits, hand, kinds = [], [], [], collections.Counter()
    entries = list(entries_of(text, faults))
    seen = NOT_FIGURES.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    for entry in entries:
        line = text.count("\n", 0, entry.span[0]) + 1
        if entry.stale:
            faults.append((line, f"other figures in the text than in \"{text[slice(*entry.at)].strip()}\""))
        for (a, b), source in zip(entry.figures, entry.sources):
            seen = seen[:a] + " " * (b - a) + seen[b:]
            try:
                number = value(source)
            except (Fault, ValueError, OSError) as fault:
                faults.append((line, f"{text[a:b]}: {fault}"))
                continue
            kinds["from tables" if number is not None else source.split(" ")[0]] += 1
            hand += [(line, text[a:b])] if source.startswith("by hand") else []
            if number is not None and written(number, text[a:b]) != text[a:b]:
                edits.append((a, b, written(number, text[a:b])))
                faults.append((line, f"{text[a:b]} in the text, but {number:.6g} by {source}"))
    for found in re.finditer(NUMBER, seen):
        faults.append((seen.count("\n", 0, found.start()) + 1, f"{found.group()} has no source"))
    if write and (edits or any(entry.stale for entry in entries)):
        changes = edits + [(*entry.at, entry.phrase(text, edits)) for entry in entries]
        for a, b, new in sorted(changes, reverse=True):
            text = text[:a] + new + text[b:]
        page.write_text(text, encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {len(edits)} figures replaced")
        if page.name == "reliability.md":
            print("change them in tests/campaign_table.py too if they are of its goals")
        return look(page, False)
    return [f"{page.relative_to(ROOT)}:{line}: {fault}" for line, fault in sorted(faults)], kinds, hand


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def check_ages(most):
    """Counts the commits since each table was made that changed what it measures."""
    if not (ROOT / ".git").exists() or git("rev-parse", "--is-shallow-repository") != "false":
        print("no history here: the age of the tables is not checked")
        return []
    groups = tomllib.loads((TABLES[0] / "sources.toml").read_text(encoding="utf-8"))
    formerly = groups.pop("formerly", [])
    folders = {f"{name}.csv": group["sources"] for group in groups.values() for name in group["tables"]}
    kept = {file.name for file in TABLES[0].glob("*.csv")}
    faults = [f"docs/measurements/sources.toml: {name} is {'not kept' if name in folders else 'missing'}"
              for name in sorted(kept ^ set(folders))]
    faults += [f"docs/measurements/sources.toml: there is no {folder}" for folder in sorted(set().union(*folders.values()))
               if not (ROOT / folder).exists()]
    for name in sorted(kept & set(folders)):
        commit = dict(table(name)[0]).get("commit")
        count = git("rev-list", "--count", f"{commit}..HEAD", "--", *folders[name], *formerly)
        print(f"{name}: {count or 'unknown'} commits since {commit}")
        if count is None:
            faults.append(f"docs/measurements/{name}: its commit {commit} is not in the history")
        elif int(count) > most:
            faults.append(f"docs/measurements/{name}: {count} commits since {commit} changed what it measures, more than {most}: "
                          "make it again with docs/measurements/make.py")
    return faults


def main(words):
    if words and words[0] not in ("--check", "--write", "--age"):
        sys.exit(__doc__)
    if words and words[0] == "--age":
        faults = check_ages(int(words[1]) if len(words) > 1 else MOST_COMMITS)
        sys.exit("\n".join(faults) if faults else 0)
    faults, kinds, hand = [], collections.Counter(), []
    for page in [ROOT / name for name in PAGES] + sorted((ROOT / "docs/algorithms").glob("*.md")):
        more, count, by_hand = look(page, words[:1] == ["--write"])
        faults, kinds = faults + more, kinds + count
        hand += [f"{page.relative_to(ROOT)}:{line}: {figure}" for line, figure in by_hand]
    print(f"{kinds['from tables']} figures from tables, {kinds['source']} constants of sources, {kinds['definition']} definitions, "
          f"{kinds['paper']} of papers, {len(hand)} measured by hand:", *hand, sep="\n  ")
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
