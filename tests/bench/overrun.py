#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far detection goes beyond its budget: ships and budgets crossed, one table and one CSV file.

    tests/bench/overrun.py build/nearmiss -o DIR [--frames 12000] [--frame-ms 5] [--broad space-time-grid]

Frames are paced (--realtime), so that between two of them others use the machine as in a flight.
Run it on an idle machine: `undisturbed` leaves out the frames in which another process took the
core, but what a neighbour does to caches and clock rates stays in.
"""
import argparse
import csv
import json
import pathlib
import subprocess

FIELDS = ["n", "p50", "p99", "p99_9", "max"]


def measure(program, out, options, ships, budget):
    summary = out / f"overrun-{ships}-{budget}.json"
    subprocess.run(
        [program, "run", "--model", options.model, "--drones", str(ships - 1), "--budget", str(budget),
         "--broad", options.broad, "--frames", str(options.frames), "--frame-ms", str(options.frame_ms),
         "--realtime", "--summary", str(summary)],
        check=True, stdout=subprocess.DEVNULL)
    found = json.loads(summary.read_text())
    row = {"ships": ships, "budget_us": budget}
    for series in ("overrun_us", "undisturbed_overrun_us"):
        for field in FIELDS:
            row[f"{series}_{field}"] = found["series"][series].get(field, "")
    for key in ("detections", "pairs_postponed", "ships_postponed", "longest_wait_detections",
                "collisions_late", "most_late_detections"):
        row[key] = found[key]
    row["worst"] = found["worst_overrun"]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("-o", "--out", type=pathlib.Path, required=True)
    parser.add_argument("--frames", type=int, default=12000)
    parser.add_argument("--frame-ms", type=float, default=5.0)
    parser.add_argument("--model", default="lamp")
    parser.add_argument("--broad", default="space-time-grid")
    parser.add_argument("--ships", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--budgets", type=int, nargs="+", default=[20, 100, 500])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    print(f"{'ships':>6} {'budget':>7} {'frames':>7} {'p50':>7} {'p99':>7} {'p99.9':>8} {'max':>8}  us, undisturbed max")
    for ships in options.ships:
        for budget in options.budgets:
            row = measure(options.program, options.out, options, ships, budget)
            rows.append(row)
            cells = [row[f"overrun_us_{field}"] for field in FIELDS]
            shown = [f"{cell:.1f}" if isinstance(cell, float) else str(cell) for cell in cells[1:]]
            print(f"{ships:6} {budget:7} {cells[0]:7} {shown[0]:>7} {shown[1]:>7} {shown[2]:>8} {shown[3]:>8}  "
                  f"{row['undisturbed_overrun_us_max']}")
    with open(options.out / "overrun.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
