#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far detection goes beyond its budget: ships and budgets crossed, one table and one CSV file.

    tests/bench/overrun.py build/nearmiss -o DIR [--bound 10000] [--most-frames 400000] [--realtime]

Each cell is flown on the wall clock and on the work clock, in enough frames that `--bound` of them
end by the budget, or `--most-frames`. The work clock says what the program does beyond its budget,
the same on every machine. The wall clock adds what the machine does: `floor` is how far a loop
that only reads the clock goes beyond the same length of time, measured before and after each cell.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import time

FIELDS = ["p50", "p99", "p99_9", "max"]


def percentile(values, share):
    return values[max(0, math.ceil(share * len(values)) - 1)]


def spin(microseconds, windows):
    """How far each of so many windows of spinning went beyond its length, in microseconds."""
    beyond = []
    for _ in range(windows):
        start = time.perf_counter_ns()
        end = start + microseconds * 1000
        now = start
        while now < end:
            now = time.perf_counter_ns()
        beyond.append((now - end) / 1000.0)
    return beyond


def fly(options, out, clock, ships, budget, frames):
    summary = out / f"overrun-{ships}-{budget}-{clock}.json"
    pace = ["--realtime"] if options.realtime and clock == "wall" else []
    subprocess.run(
        [options.program, "run", "--model", options.model, "--drones", str(ships - 1), "--budget", str(budget),
         "--broad", options.broad, "--clock", clock, "--frames", str(frames), "--frame-ms", str(options.frame_ms),
         "--summary", str(summary), *pace], check=True, stdout=subprocess.DEVNULL)
    return json.loads(summary.read_text())


def measure(options, out, clock, ships, budget):
    # Fly longer until enough frames were bound by the budget: a seed's flight goes on as it began
    frames = 2 * options.bound
    while True:
        found = fly(options, out, clock, ships, budget, min(frames, options.most_frames))
        bound = found["series"]["overrun_us"]["n"]
        if bound >= options.bound or frames >= options.most_frames:
            break
        frames = int(frames * max(1.5, min(20.0, 1.3 * options.bound / max(bound, 1))))
    row = {"ships": ships, "budget_us": budget, "clock": clock, "frames": found["frames"], "bound": bound}
    row.update({field: found["series"]["overrun_us"].get(field, "") for field in FIELDS})
    for key in ("detections", "pairs_postponed", "longest_wait_detections", "collisions_late",
                "most_late_detections"):
        row[key] = found[key]
    row["worst"] = found["worst_overrun"]
    return row


def shown(row):
    return [f"{row[f]:.1f}" if isinstance(row[f], float) else str(row[f] or "-") for f in FIELDS]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("-o", "--output", dest="out", type=pathlib.Path, required=True)
    parser.add_argument("--bound", type=int, default=10000)
    parser.add_argument("--most-frames", type=int, default=400000)
    parser.add_argument("--frame-ms", type=float, default=5.0)
    parser.add_argument("--realtime", action="store_true", help="pace the frames on the wall clock")
    parser.add_argument("--model", default="lamp")
    parser.add_argument("--broad", default="space-time-grid")
    parser.add_argument("--clocks", nargs="+", default=["wall", "work"])
    parser.add_argument("--ships", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--budgets", type=int, nargs="+", default=[20, 100, 500])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    print(f"{'ships':>6} {'budget':>7} {'clock':>6} {'bound':>7} {'p50':>7} {'p99':>7} {'p99.9':>8} {'max':>8}  us")
    for ships in options.ships:
        for budget in options.budgets:
            floor = spin(budget, 5000)
            for clock in options.clocks:
                row = measure(options, options.out, clock, ships, budget)
                rows.append(row)
                cells = shown(row)
                print(f"{ships:6} {budget:7} {clock:>6} {row['bound']:7} {cells[0]:>7} {cells[1]:>7} {cells[2]:>8} "
                      f"{cells[3]:>8}", flush=True)
            if "wall" not in options.clocks:
                continue
            floor = sorted(floor + spin(budget, 5000))
            row = {"ships": ships, "budget_us": budget, "clock": "floor", "bound": len(floor), "max": floor[-1]}
            row.update({f: percentile(floor, s) for f, s in (("p50", 0.5), ("p99", 0.99), ("p99_9", 0.999))})
            rows.append(row)
            cells = shown(row)
            print(f"{ships:6} {budget:7} {'floor':>6} {row['bound']:7} {cells[0]:>7} {cells[1]:>7} {cells[2]:>8} "
                  f"{cells[3]:>8}", flush=True)
    with open(options.out / "overrun.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[-2].keys() if len(rows) > 1 else rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
