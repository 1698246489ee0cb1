#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The measurements that are kept beside the documents, as text tables and as figures.

    tests/bench/show_measurements.py docs/measurements          every file as an aligned table
    tests/bench/show_measurements.py docs/measurements -o DIR   and one SVG chart a file

A file begins with comment lines, `# commit:`, `# machine:` and `# command:`. It may have others:

    # title:   what the file measures; else the file's name
    # note:    what a reader must know besides
    # values:  the columns that were measured; `;` begins an axis of its own, `,` does not; else
               every column of numbers but the first
    # x:       the column along which lines are drawn; else bars are

Then come the names of the columns and the rows. A number may be a fraction, such as 1/4. Rows with
a column `unit` share an axis with the rows of the same unit.
"""
import argparse
import csv
import dataclasses
import html
import math
import pathlib
import sys

NEEDED = ("commit", "machine", "command")
INK, FAINT, FILL = "#222", "#ccc", "#5b7fa3"
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2")
CHARACTER, LINE = 6.8, 18  # of the type in the figures, pixels


def number(cell):
    """What a cell says, or None where it says no number."""
    top, slash, bottom = cell.partition("/")
    try:
        value = float(top) / float(bottom) if slash else float(top)
        return value if math.isfinite(value) else None
    except (ValueError, ZeroDivisionError):
        return None


@dataclasses.dataclass
class Measurement:
    name: str
    about: dict   # the comment lines: a list of texts a key
    columns: list
    rows: list    # of texts

    @property
    def title(self):
        return self.about.get("title", [self.name])[0]

    def axes(self):
        """Lists of columns of values; those of one list share an axis."""
        if "values" in self.about:
            return [[c.strip() for c in part.split(",")] for part in self.about["values"][0].split(";")]
        numeric = [c for i, c in enumerate(self.columns) if i > 0 and c != self.along() and all(
            number(row[i]) is not None or not row[i] for row in self.rows)]
        return [numeric] if numeric else []

    def along(self):
        return self.about["x"][0] if "x" in self.about else None

    def cell(self, row, column):
        return row[self.columns.index(column)]


def read(path):
    """Raises ValueError, in a sentence, where the file is not of this form."""
    about, body = {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            key, _, text = line[1:].partition(":")
            about.setdefault(key.strip(), []).append(text.strip())
        elif line.strip():
            body.append(line)
    for key in NEEDED:
        if not about.get(key, [""])[0]:
            raise ValueError(f"{path}: there is no line `# {key}:`")
    table = list(csv.reader(body))
    if len(table) < 2:
        raise ValueError(f"{path}: there are no rows")
    found = Measurement(path.stem, about, table[0], table[1:])
    for row in found.rows:
        if len(row) != len(found.columns):
            raise ValueError(f"{path}: {','.join(row)} has {len(row)} cells, not {len(found.columns)}")
    if not found.axes():
        raise ValueError(f"{path}: no column has numbers")
    for column in [c for axis in found.axes() for c in axis] + ([found.along()] if found.along() else []):
        if column not in found.columns:
            raise ValueError(f"{path}: there is no column {column}")
    return found


def text_table(found):
    lines = [found.name + ("" if found.title == found.name else f": {found.title}")]
    for key in (*NEEDED, "note"):
        lines += [f"  {key + ':':<9}{text}" for text in found.about.get(key, [])]
    lines.append("")
    cells = list(zip(found.columns, *found.rows))
    widths = [max(map(len, column)) for column in cells]
    right = [all(number(cell) is not None or not cell for cell in column[1:]) for column in cells]
    for i, row in enumerate([found.columns, *found.rows]):
        shown = (f"{c:>{w}}" if r else f"{c:<{w}}" for c, w, r in zip(row, widths, right))
        lines.append(("  " + "  ".join(shown)).rstrip())
        if i == 0:
            lines.append("  " + "  ".join("-" * w for w in widths))
    return "\n".join(lines)


def ticks(most):
    """Round numbers from 0 to at least `most`, four to eight of them."""
    if most <= 0:
        return [0.0, 1.0]
    rough = most / 5
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough)
    return [step * i for i in range(math.ceil(most / step - 1e-9) + 1)]


def decades(least, most):
    low, high = math.floor(math.log10(least)), math.ceil(math.log10(most))
    return [10.0**i for i in range(low, max(high, low + 1) + 1)]


class Drawing:
    def __init__(self):
        self.parts = []

    def line(self, x1, y1, x2, y2, colour=INK, dash="", width=1.0):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                          f'stroke-width="{width}"{dashed}/>')

    def text(self, x, y, words, anchor="start", extra=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{html.escape(words)}</text>')

    def bar(self, x, y, width, height, hollow):
        fill = "white" if hollow else FILL
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" '
                          f'stroke="{INK}"/>')

    def marker(self, kind, x, y):
        """Told apart by form."""
        forms = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"']
        for corners in ([(-4, -4), (4, -4), (4, 4), (-4, 4)], [(0, -5), (5, 4), (-5, 4)],
                        [(0, -6), (6, 0), (0, 6), (-6, 0)], [(0, 5), (5, -4), (-5, -4)],
                        [(-5, -1.5), (5, -1.5), (5, 1.5), (-5, 1.5)]):
            forms.append('<polygon points="' + " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in corners) + '"')
        self.parts.append(f'{forms[kind % len(forms)]} fill="white" stroke="{INK}" stroke-width="1.5"/>')

    def svg(self, found, width, height):
        width = max(width, 40 + CHARACTER * 1.25 * len(found.title))
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
                f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="12" fill="{INK}">\n'
                f'<title>{html.escape(found.title)}</title>\n'
                f'<desc>commit {html.escape(found.about["commit"][0])}, {html.escape(found.about["machine"][0])}: '
                f'{html.escape(found.about["command"][0])}</desc>\n'
                '<rect width="100%" height="100%" fill="white"/>')
        title = f'<text x="16" y="26" font-size="15" font-weight="bold">{html.escape(found.title)}</text>'
        return "\n".join([head, title, *self.parts, "</svg>"]) + "\n"


def label(found, row, without):
    """What the row is about: its cells without what was measured, numbers with their column."""
    named = [f"{c} {cell}" if number(cell) is not None else cell
             for c, cell in zip(found.columns, row) if cell and c not in without]
    return ", ".join(named) or found.name


def panels_of_bars(found):
    """Of each axis: its name, and its bars as (label, column or nothing, text, value, hollow)."""
    axes = found.axes()
    measured = [c for axis in axes for c in axis]
    units = list(dict.fromkeys(found.cell(r, "unit") for r in found.rows)) if "unit" in found.columns else [None]
    for axis in axes:
        for unit in units:
            bars = []
            for row in found.rows:
                if unit is not None and found.cell(row, "unit") != unit:
                    continue
                of_row = [(c, found.cell(row, c)) for c in axis if number(found.cell(row, c)) is not None]
                for i, (column, cell) in enumerate(of_row):
                    bars.append((label(found, row, [*measured, "unit"]) if i == 0 else "",
                                 column if len(axis) > 1 else "", cell, number(cell), axis.index(column) % 2 == 1))
            if bars:
                yield unit if unit is not None else ", ".join(axis), bars


def bar_chart(found):
    drawing = Drawing()
    panels = list(panels_of_bars(found))
    left = 32 + CHARACTER * max(len(bar[0]) for _, bars in panels for bar in bars)
    right = 24 + CHARACTER * max(len(f"{bar[2]} {bar[1]}") for _, bars in panels for bar in bars)
    long, y = 420, 44
    for name, bars in panels:
        # An axis begins at 0, or below where a value is
        least = min(0.0, *(bar[3] for bar in bars))
        marks = ticks(max(-least, *(bar[3] for bar in bars)))
        marks = sorted({-m for m in marks} | set(marks)) if least < 0 else marks
        at = lambda v: left + long * (v - marks[0]) / (marks[-1] - marks[0])
        bottom = y + LINE * len(bars) + 4
        for mark in marks:
            drawing.line(at(mark), y, at(mark), bottom, FAINT)
            drawing.text(at(mark), bottom + 15, f"{mark:.10g}", "middle")
        for i, (words, column, cell, value, hollow) in enumerate(bars):
            top = y + LINE * i + 4
            drawing.bar(min(at(0), at(value)), top, abs(at(value) - at(0)), LINE - 5, hollow)
            drawing.text(left - 8, top + 11, words, "end")
            drawing.text(max(at(0), at(value)) + 5, top + 11, f"{cell} {column}".strip())
        drawing.line(at(0), y, at(0), bottom)
        drawing.line(left, bottom, left + long, bottom)
        drawing.text(left + long / 2, bottom + 32, name, "middle", ' font-weight="bold"')
        y = bottom + 52
    return drawing.svg(found, left + long + right, y)


def scale(values, start, length):
    """Marks and a place for each value: by powers of ten where values span two of them."""
    if min(values) > 0 and max(values) / min(values) >= 100:
        marks = decades(min(values), max(values))
        low, high = math.log10(marks[0]), math.log10(marks[-1])
        return marks, (lambda v: start + length * (math.log10(v) - low) / (high - low)), True
    marks = ticks(max(values))
    if min(values) < 0:
        marks = ticks(max(map(abs, values)))
        marks = sorted({-m for m in marks} | set(marks))
    return marks, (lambda v: start + length * (v - marks[0]) / (marks[-1] - marks[0])), False


def line_chart(found):
    drawing = Drawing()
    along, axis = found.along(), [c for axis in found.axes() for c in axis]
    series = {}
    for row in found.rows:
        x = number(found.cell(row, along))
        for column in axis:
            y = number(found.cell(row, column))
            if x is None or y is None:
                continue
            name = label(found, row, [*axis, along])
            name = name if len(axis) == 1 else f"{name}, {column}"
            series.setdefault(name, []).append((x, y, found.cell(row, column)))
    left, top, wide, high = 84, 66, 460, 320
    points = [p for some in series.values() for p in some]
    across, place_x, log_x = scale([p[0] for p in points], left, wide)
    up, place_y, log_y = scale([p[1] for p in points], top + high, -high)
    for mark in across:
        drawing.line(place_x(mark), top, place_x(mark), top + high, FAINT)
        drawing.text(place_x(mark), top + high + 17, f"{mark:.10g}", "middle")
    for mark in up:
        drawing.line(left, place_y(mark), left + wide, place_y(mark), FAINT)
        drawing.text(left - 8, place_y(mark) + 4, f"{mark:.10g}", "end")
    drawing.line(left, top + high, left + wide, top + high)
    drawing.line(left, top, left, top + high)
    powers = " (powers of ten)"
    drawing.text(left + wide / 2, top + high + 40, along + powers * log_x, "middle", ' font-weight="bold"')
    drawing.text(left - 8, top - 12, ", ".join(axis) + powers * log_y, "start", ' font-weight="bold"')
    for i, (name, some) in enumerate(series.items()):
        some.sort()
        for a, b in zip(some, some[1:]):
            drawing.line(place_x(a[0]), place_y(a[1]), place_x(b[0]), place_y(b[1]), INK, DASHES[i % len(DASHES)], 1.5)
        for x, y, cell in some:
            drawing.marker(i, place_x(x), place_y(y))
            drawing.text(place_x(x) + 8, place_y(y) - 6, cell, "start", ' font-size="10"')
        if len(series) == 1:
            break
        beside = top + 14 + 22 * i
        drawing.line(left + wide + 44, beside, left + wide + 84, beside, INK, DASHES[i % len(DASHES)], 1.5)
        drawing.marker(i, left + wide + 64, beside)
        drawing.text(left + wide + 92, beside + 4, name)
    right = 108 + CHARACTER * max(map(len, series)) if len(series) > 1 else 60
    return drawing.svg(found, left + wide + right, max(top + high + 60, top + 30 + 22 * len(series)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="a folder of measurements, or one file")
    parser.add_argument("-o", "--out", type=pathlib.Path, help="the folder for the figures")
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.csv")) if options.folder.is_dir() else [options.folder]
    if not paths:
        raise SystemExit(f"{options.folder}: there are no measurements")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    faults = 0
    for path in paths:
        try:
            found = read(path)
        except (OSError, UnicodeDecodeError, ValueError) as error:
            print(error, file=sys.stderr)
            faults += 1
            continue
        print(text_table(found) + "\n")
        if options.out:
            chart = line_chart if found.along() else bar_chart
            (options.out / f"{path.stem}.svg").write_text(chart(found), encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # Whoever reads has read enough
        sys.exit(0)
