# SPDX-License-Identifier: MIT
"""The kernels, files on which every answer rests, and the tests that hold each: for mutants.py and coverage.py.

Both build in a copy of the sources, so that no file of the checkout is ever changed, and keep reasons in tables that name lines
by their text, since numbers of lines do not last.
"""
import csv
import dataclasses
import os
import pathlib
import resource
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A warning in a mutant is no error. One source is one unit, so that a change compiles one file. The standard library's assertions
# catch reads beyond a container, as the sanitizers would
CONFIGURE = ("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-w -D_GLIBCXX_ASSERTIONS", "-DNEARMISS_FAST_BUILD=OFF",
             "-DNEARMISS_BUILD_PYTHON=OFF", "-DNEARMISS_BUILD_EXAMPLES=OFF", "-DNEARMISS_BUILD_FLY=OFF")
MEMORY = 4 << 30  # bytes that a test may take


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str
    files: tuple
    tests: tuple  # (program below the build folder, filter), the cheapest first
    units: tuple = ()  # sources beside its own in which its headers are counted
    branches: bool = True  # every one must be taken


KERNELS = (
    Kernel("predicates", ("collision/geometry/exact_predicates.cpp", "collision/geometry/exact_arithmetic.h"),
           (("tests/geometry/exact_test", "InSphere.*:ExactCircumcentre.*:Orientation*:TrianglesMeet.TouchingCounts"),
            ("tests/geometry/exact_test", "ExactArithmetic.*:ExactTests.*:ExactVolume.*:TrianglesMeet*"))),
    Kernel("bounds", ("collision/broad/space_time_bound.cpp",),
           (("tests/broad/space_time_bound_test", "*"), ("tests/rivals/meeting_search_test", "*"))),
    Kernel("linear-program", ("collision/broad/small_linear_program.h",),
           (("tests/broad/space_time_bound_test", "*"), ("tests/rivals/meeting_search_test", "*")),
           units=("collision/broad/space_time_bound.cpp", "tests/broad/linear_program_test.cpp")),
    Kernel("sweep", ("collision/broad/projection_sweep.cpp", "collision/broad/bound_search.h"),
           (("tests/rivals/meeting_search_test", "*"), ("tests/broad/space_time_broad_phase_test", "*"),
            ("tests/rivals/published_space_time_test", "*"), ("tests/broad/look_ahead_test", "*"))),
    Kernel("driver", ("collision/broad/space_time_grid_broad_phase.cpp", "collision/broad/cell_plan.cpp", "collision/broad/kept_bounds.h",
                      "collision/broad/neighbour_search.h", "collision/broad/touch_forecast.h", "collision/broad/wrapped_grid.h",
                      "collision/broad/tick_calendar.h"),
           (("tests/broad/space_time_broad_phase_test", "*"), ("tests/rivals/every_broad_phase_test", "*grid*"),
            ("tests/broad/shared_broad_phase_test", "*"), ("tests/broad/grid_within_budget_test", "*"),
            ("tests/broad/look_ahead_test", "*"), ("tests/broad/detection_driver_test", "*"),
            ("tests/world/waiting_bodies_test", "*"))),
    Kernel("waiting-bodies", ("collision/broad/body_queue.cpp", "collision/broad/unimportant_last.cpp"),
           (("tests/broad/grid_within_budget_test", "*"), ("tests/rivals/unimportant_bodies_test", "*"),
            ("tests/world/waiting_bodies_test", "*"))),
    Kernel("refinement", ("collision/world/refiner.cpp", "collision/world/refinement_order.cpp", "collision/world/pair_queue.cpp"),
           (("tests/world/waiting_pairs_test", "*"), ("tests/world/refinement_order_test", "*"),
            ("tests/world/detector_test", "-*AllocatesNothing*"), ("tests/world/shared_work_test", "SharedWork.LeavesAWork*"),
            ("tests/world/waiting_bodies_test", "*"))),
    Kernel("coverage", ("collision/spheres/coverage_chains.cpp", "collision/spheres/coverage_lemma.cpp"),
           (("tests/spheres/spheres_test", "BoundaryLemma.*:OpenPoint.*:EnlargingCover.*:*EveryMeshMeasured*:Certificate*"),
            ("tests/spheres/spheres_test", "WholeLevels.TheCertificate*:*Redundancy*/octree:*Redundancy*/dag:*Redundancy*/medial"),
            ("tests/spheres/spheres_threads_test", "*EveryNodeBox*/octree:CoverageChains.*"))),
    Kernel("files", ("collision/files/file_bytes.cpp", "collision/base/file_replacement.cpp"),
           (("tests/files/read_file_test", "*"), ("tests/spheres/spheres_threads_test", "FileReplacement.*"),
            ("tests/faults/file_faults_test", "*")), branches=False),
)


def commit_name():
    """Of the sources as they are, "-changed" behind it where they differ from that commit: a new file is a change too."""
    def said(*words):
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    changed = said("status", "--porcelain", "--untracked-files=normal", "--", ".", ":!docs")
    return (said("rev-parse", "--short=12", "HEAD") or "unknown") + ("-changed" if changed else "")


def set_up(source):
    """A copy of the tracked files as they are now, configured; returns its build folder."""
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for name in names:
        if not (ROOT / name).is_file() or name.startswith("docs/images"):
            continue
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        # Without the old time, so that what has changed is built again
        if not (source / name).exists() or (ROOT / name).read_bytes() != (source / name).read_bytes():
            shutil.copy(ROOT / name, source / name)
    subprocess.run(["cmake", "-S", source, "-B", source / "build", "-G", "Ninja", *CONFIGURE], check=True,
                   stdout=subprocess.DEVNULL)
    return source / "build"


def builds(build, program, jobs=1):
    """True if a test program compiles."""
    return subprocess.run(["ninja", f"-j{jobs}", program], cwd=build, capture_output=True).returncode == 0


def run_test(program, chosen, seconds=None, environment=None):
    """How a test ends, "passes", "fails" or "takes too long", and the seconds of processor that it took."""
    words = [program, f"--gtest_filter={chosen}", "--gtest_brief=1", "--gtest_fail_fast"]

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))

    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    try:
        # By the clock only a test that sleeps takes that much longer
        done = subprocess.run(words, capture_output=True, cwd=program.parent, preexec_fn=limit,
                              timeout=20.0 * seconds if seconds else None, env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired:
        return "takes too long", used() - before
    late = seconds and used() - before > seconds
    return ("passes" if done.returncode == 0 else "takes too long" if late else "fails"), used() - before


def occurrence(lines, number):
    """Which of the lines of the same text, from 1, a line is; `number` is from 1."""
    return sum(line.strip() == lines[number - 1].strip() for line in lines[:number])


def read_reasons(name):
    with open(ROOT / "tests" / name, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def write_table(file, columns, lines):
    with open(file, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
