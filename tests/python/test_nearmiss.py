# SPDX-License-Identifier: MIT
"""The Python module against what numpy says itself."""
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time

import nearmiss
import numpy as np
import pytest
from meshes import CORNERS, SIDES, at, ball


@pytest.fixture(scope="module")
def cube():
    return nearmiss.Shape(CORNERS, SIDES, levels=2)


def test_loose_triangles_become_a_solid():
    loose = CORNERS[np.array(SIDES)].reshape(-1, 3)
    shape = nearmiss.Shape(loose, np.arange(36).reshape(-1, 3), levels=1)
    assert shape.solid
    assert shape.report()["welded_vertices"] == 28
    assert shape.report()["volume"] == pytest.approx(8.0)
    assert shape.vertices.shape == (8, 3) and shape.faces.shape == (12, 3)


def test_a_room_says_that_it_became_solid(cube, tmp_path):
    assert cube.solid_side == nearmiss.SolidSide.AS_WOUND
    inwards = np.array(SIDES)[:, ::-1]
    room = nearmiss.Shape(CORNERS, inwards, levels=1)
    assert room.solid_side == nearmiss.SolidSide.TURNED
    assert room.report()["faced_inwards"] and room.report()["turned_triangles"] == 12
    assert nearmiss.Shape(CORNERS, SIDES[1:], levels=1).solid_side == nearmiss.SolidSide.NONE
    obj = tmp_path / "room.obj"
    obj.write_text("".join("v %g %g %g\n" % tuple(p) for p in CORNERS) +
                   "".join("f %d %d %d\n" % tuple(f + 1) for f in inwards))
    with pytest.warns(UserWarning, match="inside out: its faces look at what they enclose"):
        loaded = nearmiss.Shape.load(obj, levels=1)
    assert loaded.solid_side == nearmiss.SolidSide.TURNED
    room.save(tmp_path / "room.shape")
    assert nearmiss.Shape.read(tmp_path / "room.shape").solid_side == nearmiss.SolidSide.TURNED


@pytest.mark.parametrize("builder", nearmiss.builders())
def test_every_builder_builds_what_has_a_size(builder):
    for size in (1e-14, 1e14):
        shape = nearmiss.Shape(CORNERS * size, SIDES, builder=builder, levels=1)
        proof = shape.check()
        assert proof.covers and proof.bounds and len(shape.spheres()) > 1
        assert nearmiss.collide(shape, at(0), shape, at(1.9 * size)).verdict == nearmiss.Verdict.CONTACT
        assert nearmiss.collide(shape, at(0), shape, at(2.1 * size)).verdict == nearmiss.Verdict.SEPARATE
    for size in (1e-16, 1e16, 1e20, 1e39, 1e60):
        with pytest.raises(nearmiss.Error, match="to 1e15"):
            nearmiss.Shape(CORNERS * size, SIDES, builder=builder, levels=1)


def test_spheres_cover_the_surface(cube):
    random = np.random.default_rng(1)
    points = random.uniform(-1, 1, (2000, 3))
    points[np.arange(2000), random.integers(0, 3, 2000)] = random.choice([-1.0, 1.0], 2000)
    for level in range(cube.levels + 1):
        spheres = cube.spheres(level)
        away = np.linalg.norm(points[:, None] - spheres[None, :, :3], axis=2) - spheres[None, :, 3]
        assert away.min(axis=1).max() <= 1e-9
    assert cube.spheres().shape == cube.spheres(cube.levels).shape
    with pytest.raises(IndexError):
        cube.spheres(cube.levels + 1)
    seen = []
    proof = cube.check(progress=seen.append)
    assert proof.covers and proof.bounds and proof.complaint == "" and all(0 <= part <= 1 for part in seen)


def test_pairs(cube):
    far = nearmiss.collide(cube, np.eye(4), cube, at(9))
    assert far.verdict == nearmiss.Verdict.SEPARATE and far.stage == nearmiss.Stage.BOUNDS and far.final
    near = nearmiss.collide(cube, np.eye(4), cube, at(2.001))
    assert near.verdict == nearmiss.Verdict.SEPARATE and near.final
    deep = nearmiss.collide(cube, np.eye(4), cube, at(1.5, 0.3))
    assert deep.verdict == nearmiss.Verdict.CONTACT and deep.bound == 0.0
    assert deep.spheres.shape == (2, 4)
    plain = nearmiss.Shape(CORNERS, SIDES, levels=2, boxes=0, inner=0)
    short = nearmiss.collide(plain, np.eye(4), plain, at(2.001), budget=0.0)
    assert short.verdict == nearmiss.Verdict.POSSIBLE and not short.final and short.bound >= 0.001
    assert short.between_solids


def test_many_poses_agree_with_boxes(cube):
    random = np.random.default_rng(2)
    shifts = random.uniform(-3, 3, (3000, 3))
    poses = np.tile(np.eye(4), (3000, 1, 1))
    poses[:, :3, 3] = shifts
    found = nearmiss.collide_many(cube, cube, poses)
    truth = np.all(np.abs(shifts) <= 2, axis=1)
    assert 0.1 < truth.mean() < 0.9
    assert np.array_equal(found["verdict"] == 2, truth)
    assert np.array_equal(found["verdict"] == 0, ~truth)


def test_other_threads_run_meanwhile(cube):
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    poses = np.tile(at(1.99, 1.99, 1.9), (30000, 1, 1))
    other = threading.Thread(target=count)
    other.start()
    # If the call held the interpreter, the other thread could count only just before and just after it
    most, end = 0, time.monotonic() + 30
    while most <= 3 and time.monotonic() < end:
        before = counted[0]
        nearmiss.collide_many(cube, cube, poses)
        most = max(most, counted[0] - before)
    done.set()
    other.join()
    assert most > 3


def test_refusals(cube):
    with pytest.raises(nearmiss.Error, match="no triangle"):
        nearmiss.Shape(np.zeros((0, 3)), np.zeros((0, 3), int))
    with pytest.raises(nearmiss.Error, match="names vertex 9"):
        nearmiss.Shape(CORNERS, [[0, 1, 9]])
    with pytest.raises(nearmiss.Error, match="three columns"):
        nearmiss.Shape(CORNERS[:, :2], SIDES)
    with pytest.raises(nearmiss.Error, match="oak"):
        nearmiss.Shape(CORNERS, SIDES, builder="oak")
    with pytest.raises(nearmiss.Error, match="rigid"):
        nearmiss.collide(cube, 2 * np.eye(4), cube, np.eye(4))
    for row in ([5, 0, 0, 1], [0, 0, 1e-5, 1], [0, 0, 0, 2], [0, 0, 0, 0], [0, np.nan, 0, 1], [0, 0, 0, np.nan]):
        pose = np.eye(4)
        pose[3] = row
        for call in (lambda: nearmiss.collide(cube, np.eye(4), cube, pose), lambda: nearmiss.World().add(cube, pose),
                     lambda: nearmiss.collide_many(cube, cube, pose[None])):
            with pytest.raises(nearmiss.Error, match="its last row is not 0 0 0 1"):
                call()
    with pytest.raises(nearmiss.Error, match="finite"):
        nearmiss.collide(cube, at(np.nan), cube, np.eye(4))
    with pytest.raises(nearmiss.Error, match="budget"):
        nearmiss.collide(cube, np.eye(4), cube, np.eye(4), budget=-1)
    with pytest.raises(nearmiss.Error):
        nearmiss.Shape.load("no such file.obj")
    for radius in (np.nan, np.inf, -np.inf, -1.0):
        with pytest.raises(nearmiss.Error, match="radius must be 0 or more"):
            nearmiss.Shape.load("no such file.obj", radius=radius)


def test_names_that_are_no_utf8_are_told(tmp_path):
    odd = tmp_path / os.fsdecode(b"odd\xff.obj")
    with pytest.raises(nearmiss.Error, match=r"odd\\xff\.obj"):
        nearmiss.Shape.load(odd)
    odd.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
                   + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in SIDES[1:]))
    with pytest.warns(UserWarning, match=r"odd\\xff"):
        nearmiss.Shape.load(odd, levels=1)


def test_files(tmp_path, cube):
    obj = tmp_path / "cube.obj"
    obj.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
                   + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in SIDES))
    loaded = nearmiss.Shape.load(obj, levels=2)
    assert loaded.solid and loaded.radius == pytest.approx(np.sqrt(3))
    loaded.save(tmp_path / "cube.shape")
    again = nearmiss.Shape.read(tmp_path / "cube.shape")
    assert np.array_equal(again.spheres(), loaded.spheres()) and again.report() == loaded.report()
    with pytest.raises(nearmiss.Error, match="cannot open"):
        nearmiss.Shape.read(tmp_path / "no such file")


def test_the_program_reads_saved_trees(tmp_path):
    obj, tree = tmp_path / "cube.obj", tmp_path / "cube.tree"
    obj.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
                   + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in SIDES))
    nearmiss.Shape.load(obj, levels=2, radius=1.0).save_tree(tree)
    program = os.environ.get("NEARMISS_PROGRAM") or pytest.skip("the program is not built")
    told = subprocess.run([program, "tree", "info", tree], capture_output=True, text=True, check=True).stdout
    assert "builder sah" in told
    subprocess.run([program, "tree", "check", tree, obj], capture_output=True, check=True)


def test_example():
    example = pathlib.Path(__file__).parents[2] / "examples" / "robot_link.py"
    told = subprocess.run([sys.executable, example], capture_output=True, text=True, check=True).stdout
    assert "spheres that cover them" in told and "contact" in told


def test_a_package_without_its_module_says_so(tmp_path):
    shutil.copytree(pathlib.Path(nearmiss.__file__).parent, tmp_path / "nearmiss", ignore=shutil.ignore_patterns("_core*"))
    told = subprocess.run([sys.executable, "-c", "import nearmiss"], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert told.returncode == 1 and "ImportError: nearmiss lacks its compiled module, or it was built for another" in told.stderr


def test_wrongly_wound_triangles_are_turned():
    faces = np.array(SIDES)
    faces[3] = faces[3][::-1]
    shape = nearmiss.Shape(CORNERS, faces, levels=1)
    assert shape.solid and shape.report()["turned_triangles"] == 1


def test_progress_and_interrupt():
    seen = []
    nearmiss.Shape(*ball(12, 16), weld=1e-9, quality="tight", levels=2, progress=seen.append)
    assert seen == sorted(seen) and 0 <= seen[0] and seen[-1] == 1
    vertices, faces = ball(60, 120)
    seen.clear()

    def cancel(done):
        seen.append(done)
        return len(seen) < 3

    begin = time.monotonic()
    with pytest.raises(nearmiss.Error, match="^cancelled, because progress returned False$"):
        nearmiss.Shape(vertices, faces, weld=1e-9, quality="tight", levels=6, progress=cancel)
    assert len(seen) == 3 and time.monotonic() - begin < 20

    class Stop(Exception):
        pass

    def stop(done):
        raise Stop

    with pytest.raises(Stop):
        nearmiss.Shape(vertices, faces, weld=1e-9, quality="tight", levels=5, progress=stop)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        nearmiss.Shape(vertices, faces, weld=1e-9, quality="tight", levels=6)


@pytest.mark.parametrize("call", ["collide_many", "time_to_contact"])
def test_long_calls_hear_an_interrupt(call, cube):
    """Each would take minutes, or would never end."""
    still, spin = np.zeros((2, 3)), [[0, 0, 0], [0, 1e3, 0]]
    if call == "collide_many":
        # Open, so that one surface may lie in the other, near it everywhere
        vertices, faces = ball(60, 120)
        inner, outer = (nearmiss.Shape(scale * vertices, faces[1:], weld=1e-9, builder="octree", levels=3)
                        for scale in (1.0, 1.01))
        poses = np.tile(np.eye(4), (200000, 1, 1))

    def work():
        if call == "collide_many":
            nearmiss.collide_many(outer, inner, poses)
        else:
            nearmiss.time_to_contact(cube, np.eye(4), still, cube, at(3.2), spin, horizon=1e6, budget=1e3)

    begin = time.monotonic()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - begin < 20


def needles(count):
    """Long thin triangles across a ball, whose boxes all overlap: to find which meet takes the square of their number."""
    random = np.random.default_rng(5)
    ends = random.normal(size=(2, count, 3))
    ends /= np.linalg.norm(ends, axis=2)[:, :, None]
    third = ends[1] + 1e-5 * random.normal(size=(count, 3))
    return np.stack([*ends, third], axis=1).reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


@pytest.fixture(scope="module")
def hair():
    return nearmiss.Shape(*needles(6000), builder="octree", levels=1)


@pytest.fixture(scope="module")
def soup():
    """Triangles through each other, of which many meet every sphere."""
    random = np.random.default_rng(3)
    corners = random.uniform(-1, 1, (1000, 1, 3)) + random.uniform(-1, 1, (1000, 3, 3))
    return nearmiss.Shape(corners.reshape(-1, 3), np.arange(3000).reshape(-1, 3), builder="octree", levels=3)


@pytest.mark.parametrize("call", ["scaled", "read", "pickle", "check"])
def test_what_checks_a_mesh_hears_signals(call, hair, soup, tmp_path):
    """Again and again while it is at work: a handler that runs once the call has returned runs once."""
    class Stop(Exception):
        pass

    hair.save(tmp_path / "hair.shape")
    state, heard = pickle.dumps(hair), []
    work = {"scaled": lambda: hair.scaled(2),
            "read": lambda: nearmiss.Shape.read(tmp_path / "hair.shape"), "pickle": lambda: pickle.loads(state),
            "check": soup.check}[call]

    def handle(number, frame):
        heard.append(number)
        if len(heard) == 2:
            raise Stop

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        with pytest.raises(Stop):
            work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("kind", ["c16", "M8[s]", "m8[s]", "U3", "S3"])
def test_arrays_of_no_numbers_are_refused(kind, cube):
    pose = np.eye(4).astype("i8").astype(kind)
    with pytest.raises(TypeError):
        nearmiss.collide(cube, np.eye(4), cube, pose)
    with pytest.raises(TypeError):
        nearmiss.Shape(pose[:, :3], [[0, 1, 2]])
    # Whatever holds whole numbers or numbers at large is one
    for fit in ("f4", "i2", "?", "O", ">f8"):
        assert nearmiss.collide(cube, np.eye(4), cube, np.eye(4).astype(fit)).final


def test_what_is_refused_is_named(cube):
    poses = np.tile(np.eye(4), (9, 1, 1))
    poses[7, 0, 1] = 0.5
    with pytest.raises(nearmiss.Error, match="pose 7: .*scaled or skewed"):
        nearmiss.collide_many(cube, cube, poses)
    for face in (np.array([[0, 1, 2 ** 64 - 1]], "u8"), [[0.0, 1.0, 1e300]]):
        with pytest.raises(nearmiss.Error, match="below 2\\^53"):
            nearmiss.Shape(CORNERS, face)


def test_distances_and_times(cube):
    random = np.random.default_rng(7)
    for _ in range(50):
        gap = random.uniform(-3.5, 3.5, 3)
        between = np.maximum(np.abs(gap) - 2.0, 0.0)
        found = nearmiss.distance(cube, np.eye(4), cube, at(*gap))
        assert found.final and found.lower <= found.upper
        assert found.upper == pytest.approx(np.linalg.norm(between), abs=1e-9)
        if found.upper > 0:
            assert np.linalg.norm(found.points[0] - found.points[1]) == pytest.approx(found.upper)
            assert np.max(np.abs(found.points[0])) == pytest.approx(1.0)
            assert nearmiss.penetration(cube, np.eye(4), cube, at(*gap)).upper == 0.0
        else:
            depth = nearmiss.penetration(cube, np.eye(4), cube, at(*gap))
            assert depth.lower <= np.min(2.0 - np.abs(gap)) + 1e-9
            assert depth.upper == pytest.approx(np.min(2.0 - np.abs(gap)), abs=1e-6)
            parted = gap + (depth.upper + 1e-6) * depth.direction
            assert nearmiss.distance(cube, np.eye(4), cube, at(*parted)).upper > 0.0
    # A hook in the other's notch: apart, though the hulls are not
    hooks = [nearmiss.Shape(size * np.vstack([CORNERS * [1, 0.1, 0.5] - [0, 0.9 * side, 0],
                                              CORNERS * [0.1, 0.7, 0.5] - [0.9 * side, 0, 0]]),
                            np.vstack([SIDES, np.array(SIDES) + 8]), levels=2) for side, size in ((1, 1), (-1, 0.5))]
    assert nearmiss.distance(hooks[0], np.eye(4), hooks[1], at(-0.25, -0.25)).lower > 0.04
    apart = nearmiss.penetration(hooks[0], np.eye(4), hooks[1], at(-0.25, -0.25))
    assert apart.upper == 0.0 and apart.lower == 0.0 and apart.final
    still, coming = np.zeros((2, 3)), [[-2.0, 0, 0], [0, 0, 0]]
    when = nearmiss.time_to_contact(cube, np.eye(4), still, cube, at(5), coming, tolerance=1e-6)
    assert when.reached and when.no_contact_before == pytest.approx(1.5, abs=1e-5)
    never = nearmiss.time_to_contact(cube, np.eye(4), still, cube, at(5, 3), coming, horizon=9.0)
    assert never.final and not never.reached and never.no_contact_before == 9.0
    with pytest.raises(nearmiss.Error, match="two rows"):
        nearmiss.time_to_contact(cube, np.eye(4), [0, 0, 0], cube, at(5), coming)
    with pytest.raises(nearmiss.Error, match="above 0"):
        nearmiss.time_to_contact(cube, np.eye(4), still, cube, at(5), coming, tolerance=0.0)
    with pytest.raises(nearmiss.Error, match="an infinite horizon needs a budget"):
        nearmiss.time_to_contact(cube, np.eye(4), still, cube, at(5), coming, horizon=np.inf)
    soon = nearmiss.time_to_contact(cube, np.eye(4), still, cube, at(5), coming, horizon=np.inf, budget=1)
    assert soon.reached and soon.no_contact_before == pytest.approx(1.5, abs=1e-3)
    assert nearmiss.time_to_contact(cube, np.eye(4), still, cube, at(5), coming, tolerance=np.inf).reached
