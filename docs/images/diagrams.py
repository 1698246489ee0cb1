#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the diagrams of docs/algorithms/, those of figures from docs/measurements/.

    docs/images/diagrams.py           writes the SVG files beside this script
    docs/images/diagrams.py --check   fails if one of them differs from what would be written
"""
import csv
import html
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
MEASUREMENTS = HERE.parent / "measurements"
INK, GREY, PALE = "#222222", "#8a8a8a", "#dfe6ee"
BLUE, RUST = "#2f6690", "#b5531c"
DASHES = ("", "7 4", "2 3", "10 3 2 3", "1 5")


class Picture:
    """Shapes in pixels, y downward."""

    def __init__(self, width, height):
        self.size, self.parts = (width, height), []

    def add(self, tag, text=None, **attributes):
        pairs = "".join(f' {k.rstrip("_").replace("_", "-")}="{html.escape(str(v))}"' for k, v in attributes.items())
        self.parts.append(f"<{tag}{pairs}/>" if text is None else f"<{tag}{pairs}>{html.escape(text)}</{tag}>")

    def line(self, x1, y1, x2, y2, stroke=INK, width=1.5, dash=""):
        more = {"stroke_dasharray": dash} if dash else {}
        self.add("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", stroke=stroke,
                 stroke_width=width, **more)

    def path(self, points, stroke=INK, width=2, dash="", fill="none", closed=False):
        d = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points) + (" Z" if closed else "")
        more = {"stroke_dasharray": dash} if dash else {}
        self.add("path", d=d, stroke=stroke, stroke_width=width, fill=fill, **more)

    def box(self, x, y, width, height, fill=PALE, stroke=INK, dash=""):
        more = {"stroke_dasharray": dash} if dash else {}
        self.add("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{width:.1f}", height=f"{height:.1f}", fill=fill,
                 stroke=stroke, **more)

    def dot(self, x, y, radius=4, fill=INK):
        self.add("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=radius, fill=fill)

    def words(self, x, y, text, anchor="start", size=14, fill=INK, weight="normal"):
        self.add("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, font_size=size, fill=fill,
                 font_weight=weight)

    def svg(self):
        width, height = self.size
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                f'height="{height}" font-family="DejaVu Sans, Verdana, sans-serif">\n'
                f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def rows(name):
    with open(MEASUREMENTS / name, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def space_time_bound():
    p = Picture(900, 430)
    left, right, bottom, top = 80, 860, 370, 30
    p.line(left, bottom, right, bottom)
    p.line(left, bottom, left, top)
    p.words(right, bottom + 24, "time", "end")
    p.words(left - 12, top + 12, "position", "end")
    p.words(left, bottom + 24, "now", "middle")
    end = 560  # of both bounds

    def body(y0, y1, reach, name, plane):
        """One body: its path without acceleration, its horn, and the trapezoid around it."""
        steps = [i / 40 for i in range(41)]
        x = lambda t: left + t * (end - left)
        y = lambda t: y0 + t * (y1 - y0)
        trapezoid = [(x(0), y(0) - 12), (x(1), y(1) - reach - 12), (x(1), y(1) + reach + 12), (x(0), y(0) + 12)]
        p.path(trapezoid, BLUE, 2, fill=PALE, closed=True)
        if plane:
            p.path([(x(0), y(0) + 14), (x(1), y(1) + 14), trapezoid[2], trapezoid[3]], BLUE, 1, "2 3", "#ffffff", True)
        horn = [12 + reach * t * t for t in steps]
        p.path([(x(t), y(t) - h) for t, h in zip(steps, horn)], INK, 2)
        p.path([(x(t), y(t) + h) for t, h in zip(steps, horn)], INK, 2)
        p.path([(x(t), y(t)) for t in steps], GREY, 1.5, "2 4")
        if plane:
            p.path([(x(t), y(t) + 14) for t in steps], RUST, 2.5, "9 5")
        p.words(left + 8, y(0) + (34 if plane else -20), name)

    body(310, 255, 95, "body A", True)
    body(80, 130, 75, "body B", False)
    meet = left + 206 / 275 * (end - left)  # of the facing sides
    p.line(meet, bottom, meet, 14, INK, 1.5, "4 4")
    p.words(meet + 8, 24, "the bounds first meet")
    p.words((left + meet) / 2, bottom + 24, "no contact before this time", "middle", weight="bold")
    p.line(end, bottom - 6, end, bottom + 6)
    p.words(end, bottom + 24, "bounds expire", "middle")
    for i, (dash, stroke, text) in enumerate((("2 4", GREY, "path without acceleration"),
                                              ("", INK, "horn: what a body can reach"),
                                              ("", BLUE, "hyper-trapezoid around it (straight sides)"),
                                              ("9 5", RUST, "cutting plane: A stays above it"))):
        y = 120 + 30 * i
        p.line(590, y - 5, 625, y - 5, stroke, 2.5, dash)
        p.words(632, y, text, size=12)
    return p


def refinement():
    p = Picture(900, 300)
    left, unit = 160, 45
    p.words(20, 32, "broad phase", size=13)
    p.box(left - 30, 18, 60, 22, "#ffffff")
    order = [(0, "1", 1.0), (1, "1", 1.0), (2, "1", 1.0), (0, "2", 1.6), (1, "2", 1.4), (2, "2", 1.8),
             (0, "3", 2.2), (1, "3", 2.0)]
    for pair in range(3):
        y = 62 + 54 * pair
        p.words(20, y + 24, f"pair {pair + 1}", size=13)
        p.line(left + 30, y + 38, 860, y + 38, GREY, 0.8)
    x = left + 34
    for i, (pair, level, cost) in enumerate(order):
        y, width, last = 62 + 54 * pair, unit * cost, i == len(order) - 1
        p.box(x, y, width, 36, "#ffffff" if last else PALE, INK, "4 3" if last else "")
        p.words(x + width / 2, y + 23, f"L{level}", "middle", 13)
        for quantum in range(1, int(cost * 4)):
            p.line(x + quantum * width / int(cost * 4), y + 30, x + quantum * width / int(cost * 4), y + 36, GREY, 1)
        x += width + 3
    budget = x - 0.45 * unit * 2
    p.line(budget, 14, budget, 236, RUST, 2.5)
    p.words(budget + 8, 26, "budget spent", fill=RUST)
    p.line(left - 30, 236, 860, 236)
    p.words(860, 256, "time", "end")
    p.words(20, 284, "Answers: pair 1 at level 3, pairs 2 and 3 at level 2. The step in dashes was interrupted and does not "
            "count; ticks are quanta.", size=12)
    return p


def distance_bounds():
    p = Picture(900, 330)
    left, right, bottom, top = 80, 640, 270, 30
    p.line(left, bottom, right, bottom)
    p.line(left, bottom, left, top)
    p.words(right, bottom + 24, "work", "end")
    p.words(left - 12, top + 12, "distance", "end", 13)
    steps = [i / 12 for i in range(13)]
    true = 150
    upper = [true - 105 * math.exp(-5.5 * s) for s in steps]
    lower = [true + 108 * math.exp(-3.2 * s) for s in steps]
    upper[-1] = lower[-1] = true
    x = lambda s: left + s * (right - left - 40)
    stairs = lambda ys: [q for a, b, y in zip(steps, steps[1:], ys) for q in ((x(a), y), (x(b), y))] + [(x(1), true)]
    p.path(stairs(upper) + stairs(lower)[::-1], "none", 0, fill=PALE, closed=True)
    p.path(stairs(upper), INK, 2.5)
    p.path(stairs(lower), BLUE, 2.5, "8 4")
    p.line(left, true, right, true, GREY, 1.2, "2 4")
    p.words(right + 10, true + 5, "true distance")
    p.words(x(0.22), upper[2] - 12, "upper bound: the closest triangles found so far", size=13)
    p.words(x(0.22), lower[2] + 34, "lower bound: the nearest pair not yet divided", size=13, fill=BLUE)
    p.line(x(0.84), top + 30, x(0.84), bottom, RUST, 2)
    p.words(x(0.84) + 8, top + 44, "the budget may end anywhere", fill=RUST, size=13)
    p.words(20, 318, "A diagram, not a measurement.", size=11, fill=GREY)
    return p


def rivals():
    table = [r for r in rows("volumes.csv")
             if r["a"] == r["b"] == "truck" and r["method"].endswith((" exact", "OBBRSS"))]
    found = sorted((float(r["mean_ns"]) / 1000.0, r["method"].removesuffix(" exact")) for r in table)
    left, right, top, row = 170, 800, 40, 27
    p = Picture(900, top + row * len(found) + 60)
    x = lambda us: left + (math.log10(us)) / 4.0 * (right - left)
    for power in range(5):
        p.line(x(10**power), top - 8, x(10**power), top + row * len(found), GREY, 0.8)
        p.words(x(10**power), top - 14, f"{10**power:,} µs", "middle", 12)
    for i, (us, method) in enumerate(found):
        y = top + row * i
        ours = method == "sphere-tree"
        p.box(left, y + 4, x(us) - left, row - 8, BLUE if ours else PALE)
        p.words(left - 8, y + 18, method, "end", 13, weight="bold" if ours else "normal")
        p.words(x(us) + 6, y + 18, f"{us:,.1f} µs" if us < 100 else f"{us:,.0f} µs", size=12)
    p.words(20, top + row * len(found) + 26, f"Mean time of an exact answer for two trucks in {table[0]['poses']} poses, cold caches; logarithmic. "
            "From docs/measurements/volumes.csv.", size=12)
    return p


def flat_sets():
    ways = {"grid": "grid of balls", "greedy": "greedy", "divided-tree": "one level of a tree", "one-level": "a tree of one level",
            "flat-set": "flat set (nearmiss spheres)"}
    table = rows("flat_sets.csv")
    counts = sorted({int(r["most"]) for r in table})
    left, right, bottom, top = 90, 600, 330, 30
    p = Picture(900, 415)
    x = lambda n: left + math.log2(n / counts[0]) / math.log2(counts[-1] / counts[0]) * (right - left)
    y = lambda share: bottom - (math.log10(share) + 1.5) / 3.0 * (bottom - top)
    for share in (0.1, 1.0, 10.0):
        p.line(left, y(share), right, y(share), GREY, 0.8)
        p.words(left - 8, y(share) + 5, f"{100 * share:,.0f} %", "end", 12)
    for n in counts:
        p.words(x(n), bottom + 20, str(n), "middle", 12)
    p.line(left, bottom, right, bottom)
    p.words((left + right) / 2, bottom + 42, "spheres at most", "middle", 13)
    labels = []
    for i, (way, name) in enumerate(ways.items()):
        medians = [statistics.median(float(r["outside_share"]) for r in table if r["way"] == way and int(r["most"]) == n)
                   for n in counts]
        ours = way == "flat-set"
        p.path([(x(n), y(m)) for n, m in zip(counts, medians)], BLUE if ours else INK, 3 if ours else 1.6, DASHES[i % 5] if not ours else "")
        for n, m in zip(counts, medians):
            p.dot(x(n), y(m), 5 if ours else 3, BLUE if ours else INK)
        labels.append([y(medians[-1]) + 5, f"{name}: {100 * medians[-1]:.0f} %", ours])
    labels.sort()
    for above, label in zip(labels, labels[1:]):
        label[0] = max(label[0], above[0] + 18)
    for at, text, ours in labels:
        p.words(right + 14, at, text, size=13, weight="bold" if ours else "normal", fill=BLUE if ours else INK)
    p.words(20, 402, "Volume of the union outside a link, of the link's volume; median of ten links; logarithmic. "
            "From docs/measurements/flat_sets.csv.", size=12)
    return p


def frame():
    p = Picture(900, 190)
    parts = (("controls", 80, "#ffffff"), ("motion", 90, "#ffffff"), ("detect", 80, PALE), ("respond", 80, "#ffffff"),
             ("detect", 80, PALE), ("respond", 80, "#ffffff"), ("draw", 170, "#ffffff"), ("slack", 130, "none"))
    x = 30
    for name, width, fill in parts:
        p.box(x, 60, width, 44, fill, INK, "5 4" if name == "slack" else "")
        p.words(x + width / 2, 87, name, "middle", 13)
        x += width + 4
    p.line(x, 40, x, 124, RUST, 2.5)
    p.words(x - 6, 34, "target time", "end", fill=RUST)
    first = 30 + 80 + 90 + 8
    p.line(first, 120, first + 332, 120, BLUE, 2)
    p.words(first + 166, 140, "at each instant that the driver names", "middle", 12, BLUE)
    p.words(30, 176, "The budget of detection is the target less the expected time of everything else.", size=12)
    return p


PICTURES = {"space-time-bound": space_time_bound, "refinement": refinement, "distance-bounds": distance_bounds,
            "rivals": rivals, "flat-sets": flat_sets, "frame": frame}


def main():
    stale = []
    for name, draw in PICTURES.items():
        file, text = HERE / f"{name}.svg", draw().svg()
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(str(file))
    if stale:
        sys.exit("run docs/images/diagrams.py; it would change " + ", ".join(stale))


if __name__ == "__main__":
    main()
