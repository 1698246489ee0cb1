# SPDX-License-Identifier: MIT
"""examples/clearance_map.py: the same map from one core, from all, and from a cluster."""
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys

import nearmiss
import numpy as np
import pytest

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "clearance_map.py"


def run(*arguments):
    return subprocess.run([sys.executable, EXAMPLE, *map(str, arguments)], capture_output=True, text=True)


def told_map(on, file, side=30, turns=20):
    told = run("--on", on, "--side", side, "--turns", turns, "-o", file)
    assert told.returncode == 0, told.stderr
    assert f"{turns * side * side} poses in " in told.stdout and f"{file} holds the map" in told.stdout
    return np.load(file)


@pytest.fixture()
def example(monkeypatch):
    # Workers get the search path of this process
    monkeypatch.syspath_prepend(str(EXAMPLE.parent))
    import clearance_map
    return clearance_map


def test_the_map_is_that_of_single_poses(example, tmp_path):
    found = told_map(1, tmp_path / "one.npy")
    assert found.shape == (20, 30, 30) and np.array_equal(found, told_map("cores", tmp_path / "cores.npy"))
    around, part = example.fixtures(), example.hook()
    assert part.solid and around.solid
    for heading, row, column in np.random.default_rng(1).integers((20, 30, 30), size=(40, 3)):
        pose, angle = np.eye(4), 2 * np.pi * heading / 20
        pose[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        pose[:2, 3] = (np.array([column, row]) + 0.5) * 0.2 - 3
        alone = nearmiss.distance(around, np.eye(4), part, pose).upper
        assert found[heading, row, column] == pytest.approx(alone, abs=1e-9)
    assert 0.1 < (found == 0).mean() < 0.9 and found.max() > 0.3


def test_a_cluster_draws_the_same_map(tmp_path):
    pytest.importorskip("distributed", reason="NOT TESTED: Dask (Debian: python3-distributed)")
    assert np.array_equal(told_map(1, tmp_path / "one.npy"), told_map("cluster:2", tmp_path / "cluster.npy"))


def blocks_of_page(language):
    page = (EXAMPLE.parents[1] / "docs" / "many-machines.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_script_of_the_page_draws_the_same_map(tmp_path):
    """With a stand-in for srun that starts two workers."""
    pytest.importorskip("distributed", reason="NOT TESTED: Dask (Debian: python3-distributed)")
    tools = {"srun": 'for i in 1 2; do "$@" & done; wait', "python3": f'exec {sys.executable} "$@"'}
    for name, does in tools.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "examples").symlink_to(EXAMPLE.parent)
    script, = blocks_of_page("sh")
    small = script.replace("clearance_map.py", "clearance_map.py --side 30 --turns 20")
    assert small != script
    job = subprocess.Popen(["sh", "-c", small], cwd=tmp_path, env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        told = job.stdout.readline() + job.stdout.readline()
    finally:
        os.killpg(job.pid, signal.SIGKILL)  # as Slurm ends what a job has started
    assert "map.npy holds the map" in told, told + job.stderr.read()
    assert np.array_equal(np.load(tmp_path / "map.npy"), told_map(1, tmp_path / "one.npy"))


def test_shapes_are_built_on_a_cluster(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="NOT TESTED: Dask (Debian: python3-distributed)")
    subprocess.run([sys.executable, EXAMPLE.parent / "hello" / "parts.py"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    program, = blocks_of_page("python")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        names = {"__name__": "__main__"}
        exec(program.replace("tcp://head:8786", cluster.scheduler_address), names)
    plate, bolt = names["shapes"]
    assert plate.check().covers and bolt.check().covers
    assert np.array_equal(bolt.spheres(), nearmiss.Shape.load("bolt.stl", quality="tight").spheres())


def test_shapes_travel_once_per_worker(example, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="NOT TESTED: Dask (Debian: python3-distributed)")
    around, part = example.fixtures(), example.hook()
    monkeypatch.setattr(example, "BLOCK", 100)
    sent, pack, done = [], nearmiss.Shape.__getstate__, []

    def counted(shape):
        sent.append(shape)
        return pack(shape)

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            client.wait_for_workers(2)
            monkeypatch.setattr(nearmiss.Shape, "__getstate__", counted)
            maps = []
            for side in 20, 80:  # 4 and 64 tasks
                sent.clear()
                maps.append(example.map_on(client, around, part, side, 1, done.append))
                # Two shapes, packed at most once for each worker and once to name them
                assert 2 <= len(sent) <= 6
    for side, found in zip((20, 80), maps):
        assert np.array_equal(found, example.map_here(around, part, side, 1, 1, lambda share: None))
    assert done[-1] == 1 and len(done) == 4 + 64


@pytest.mark.parametrize("arguments, words", [
    (("--on", "moon"), 'argument --on: "moon" is not cores, a number of cores, cluster:N'),
    (("--on", "cluster:0"), 'argument --on: "cluster:0" is not'),
    (("--on", "0"), 'argument --on: "0" is not'),
    (("--side", "-3"), 'argument --side: "-3" is not a whole number above 0'),
    (("--turns", "two"), 'argument --turns: "two" is not a whole number above 0')])
def test_wrong_arguments_are_named(arguments, words):
    told = run(*arguments)
    assert told.returncode == 2 and words in told.stderr


def test_an_absent_scheduler_is_named():
    pytest.importorskip("distributed", reason="NOT TESTED: Dask (Debian: python3-distributed)")
    program = (f"import sys; sys.path.insert(0, {str(EXAMPLE.parent)!r}); import dask, clearance_map\n"
               "dask.config.set({'distributed.comm.timeouts.connect': '1s'})\n"
               "sys.argv = ['clearance_map.py', '--on', 'tcp://127.0.0.1:9', '--side', '2']\nclearance_map.main()")
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.returncode == 1 and "cannot reach tcp://127.0.0.1:9: " in told.stderr


def test_answers_and_shapes_survive_the_way(example):
    around = example.fixtures()
    again = pickle.loads(pickle.dumps(around))
    assert np.array_equal(example.clearances(again, example.hook(), 0, 50, 10, 1), example.clearances(around, example.hook(), 0, 50, 10, 1))
