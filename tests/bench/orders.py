#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The worst bound of the contacts that begin in a frame, by the order of refinement.

    tests/bench/orders.py build/nearmiss -o DIR

Flies 200 drones whose budget is counted work, so that every machine writes the same table.
"""
import argparse
import csv
import pathlib
import statistics
import subprocess

ORDERS = ["in-turn", "largest-bound", "closing-speed", "visibility", "eccentricity"]


def fly(program, model, order, profile):
    """The rows of a flight's profile."""
    subprocess.run([program, "run", "--scene", "lamps", "--model", model, "--drones", "200", "--seconds", "20",
                    "--clock", "work", "--budget", "60", "--order", order, "--profile", str(profile)],
                   check=True, stdout=subprocess.DEVNULL)
    with open(profile, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def measure(program, model, order, profile):
    rows = fly(program, model, order, profile)
    began = [row for row in rows if sum(int(row[f"coll_l{level}"]) for level in range(1, 6))]
    worst = sorted(float(row["bound_max"]) for row in began)
    return [model, order, sum(int(row["exhausted"]) for row in rows), len(worst),
            f"{statistics.mean(worst):.4f}", f"{worst[int(0.95 * (len(worst) - 1))]:.4f}"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("-o", "--output", dest="out", required=True, type=pathlib.Path)
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    profile = options.out / "profile.tmp"
    rows = [measure(options.program, model, order, profile) for model in ("lamp", "truck") for order in ORDERS]
    profile.unlink()
    head = ["title: worst bound of the contacts that begin in a frame, by the order of refinement",
            "note: metres; flights differ as soon as an answer does, so that a few per cent mean nothing",
            "values: worst_bound_mean_m",
            "columns: frames_exhausted: frames that ran out of their work; frames_with_new_contacts: in which a contact "
            "began; worst_bound_mean_m: mean over these of the greatest separation bound; worst_bound_p95_m: its 95th "
            "percentile"]
    table = "".join(f"# {line}\n" for line in head)
    table += "model,order,frames_exhausted,frames_with_new_contacts,worst_bound_mean_m,worst_bound_p95_m\n"
    table += "".join(",".join(map(str, row)) + "\n" for row in rows)
    (options.out / "orders.csv").write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main()
