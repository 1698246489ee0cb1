# SPDX-License-Identifier: MIT
"""Whatever is thrown at the module is refused with an exception or answered; nothing ends the interpreter.

SEED=n and ROUNDS=n throw others, and more."""
import copy
import gc
import os
import threading
import warnings

import nearmiss
import numpy as np
import pytest

SEED, ROUNDS = int(os.environ.get("SEED", 1)), int(os.environ.get("ROUNDS", 400))
TYPES = ["f8", "f4", "f2", "g", "c16", "i1", "i8", "u8", "?", "O", "S3", "U2", "M8[s]", "m8[ns]", ">f8", ">i4", "V24",
         [("x", "f8"), ("y", "i4")]]
REFUSALS = (nearmiss.Error, TypeError, ValueError, IndexError, OverflowError, MemoryError, BufferError, SystemError)


def tetrahedron():
    return (np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float),
            np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]))


@pytest.fixture(scope="module")
def shape():
    return nearmiss.Shape(*tetrahedron(), levels=1)


class Thrower:
    """Arrays that are mostly unfit."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def choose(self, *values):
        return values[self.random.integers(len(values))]

    def numbers(self, shape):
        kind = self.random.integers(4)
        if kind == 0:
            return self.random.uniform(-3, 3, shape)
        if kind == 1:
            return self.random.integers(-3, 6, shape).astype(float)
        hostile = [np.nan, np.inf, -np.inf, 1e308, 1e160, 1e60, -1e60, 5e-324, -0.0, 2.0 ** 31, 2.0 ** 32, 2.0 ** 63, 1.0]
        return self.random.choice(hostile, shape)

    def sound(self, kind):
        if kind == "pose":
            pose = np.eye(4)
            pose[:3, 3] = self.random.uniform(-3, 3, 3)
            return pose
        if kind == "poses":
            return np.stack([self.sound("pose") for _ in range(self.random.integers(0, 5))] or [np.eye(4)])
        if kind == "motion":
            return self.random.uniform(-1, 1, (2, 3))
        return tetrahedron()[kind == "faces"].copy()

    def lay_out(self, array):
        """The same numbers, laid out in another way."""
        way = self.random.integers(9)
        if way == 0:
            return np.asfortranarray(array)
        if way == 1:
            wide = np.empty(array.shape + (3,), array.dtype)
            wide[..., 1] = array
            return wide[..., 1]
        if way == 2:
            return array[::-1][::-1] if array.ndim else array
        if way == 3:
            array = array.copy()
            array.flags.writeable = False
            return array
        if way == 4:
            raw = bytearray(array.nbytes + 1)
            odd = np.frombuffer(raw, "u1", array.nbytes, 1)
            odd[:] = np.ascontiguousarray(array).view("u1").reshape(-1)
            return odd.view(array.dtype).reshape(array.shape)  # not aligned
        if way == 5:
            return memoryview(np.ascontiguousarray(array)) if array.dtype.kind in "fiu" else array
        if way == 6:
            return array.tolist()
        if way == 7:
            owner = np.concatenate([array.ravel()] * 2)
            view = owner[array.size:].reshape(array.shape)
            del owner
            gc.collect()
            return view
        return array

    def array(self, kind):
        choice = self.random.integers(8)
        array = self.sound(kind)
        if choice == 0:
            return self.lay_out(array)
        if choice == 1:
            return self.lay_out(self.numbers(array.shape))
        if choice == 2:
            sizes = [0, 1, 2, 3, 4, 5, 16]
            return self.lay_out(self.numbers(tuple(self.choose(*sizes) for _ in range(self.random.integers(0, 5)))))
        if choice == 3:
            return self.choose(None, 3, -1.5, "text", b"bytes", [], [[]], {}, [[1], [2, 3]], object(), nearmiss, np.nan,
                               np.array(None), np.ma.masked, range(4), slice(3))
        if choice == 4:  # huge, of a few bytes
            return np.broadcast_to(np.float64(self.choose(0.0, 1.0, np.nan)),
                                   self.choose((2 ** 40, 4, 4), (2 ** 59, 3), (2 ** 30, 2 ** 30), (2 ** 62,)))
        if choice == 5:
            array[tuple(self.random.integers(0, n) for n in array.shape)] = self.numbers(())
            return self.lay_out(array)
        with np.errstate(all="ignore"):
            try:
                return self.lay_out(array.astype(self.choose(*TYPES)))
            except (TypeError, ValueError):
                return array.astype(object)

    def option(self, sound):
        return sound if self.random.random() < 0.8 else self.choose(-1, 0, 2 ** 31, 2 ** 70, np.nan, np.inf, "x", None, 1e9)


def entries(shape):
    """Name, and how an entry is called with whatever a thrower gives."""
    unmade = [nearmiss.Shape.__new__(nearmiss.Shape), copy.copy, None, 7]
    of = lambda t: shape if t.random.random() < 0.95 else t.choose(*unmade)
    short = lambda t: {"budget": t.option(0.001)}
    return {
        "collide": lambda t: nearmiss.collide(of(t), t.array("pose"), of(t), t.array("pose"), **short(t)),
        "collide_many": lambda t: nearmiss.collide_many(of(t), of(t), t.array("poses"), **short(t)),
        "distance": lambda t: nearmiss.distance(of(t), t.array("pose"), of(t), t.array("pose"), **short(t)),
        "penetration": lambda t: nearmiss.penetration(of(t), t.array("pose"), of(t), t.array("pose"), **short(t)),
        "contact_manifold": lambda t: nearmiss.contact_manifold(
            of(t), t.array("pose"), of(t), t.array("pose"), margin=t.option(0.01), max_points=t.option(4), **short(t)),
        "protrusion": lambda t: nearmiss.protrusion(of(t), t.array("pose"), of(t), t.array("pose"), **short(t)),
        "time_to_contact": lambda t: nearmiss.time_to_contact(
            of(t), t.array("pose"), t.array("motion"), of(t), t.array("pose"), t.array("motion"), budget=0.001,
            horizon=t.option(1.0), tolerance=t.option(1e-3)),
        "raycast": lambda t: nearmiss.raycast(
            of(t), t.array("pose"), t.array("vertices"), t.array("vertices"), ends=t.choose(None, t.option(1.0)),
            radius=t.option(0.1), **short(t)),
        "raycast of many": lambda t: nearmiss.raycast(
            [of(t)] * t.choose(1, 1, 2), t.sound("pose")[None], t.array("vertices"), t.array("vertices"), **short(t)),
        "nearest_point": lambda t: nearmiss.nearest_point(of(t), t.array("pose"), t.array("vertices"), reach=t.option(1.0),
                                              **short(t)),
        "side_of": lambda t: nearmiss.side_of(of(t), t.array("pose"), t.array("vertices"), **short(t)),
        "containing": lambda t: nearmiss.containing([of(t)], t.sound("pose")[None], t.array("vertices"), **short(t)),
        "Shape": lambda t: nearmiss.Shape(
            t.array("vertices"), t.array("faces"), weld=t.option(0.0), levels=t.choose(1, t.option(1)),
            boxes=t.option(None), inner=t.choose(2, None, -1, 2 ** 70), bsp=t.choose(False, True),
            builder=t.choose("octree", "variational", "oak", "")),
        "spheres": lambda t: of(t).spheres(t.option(0)),
    }


def entries_of_many(shape):
    """Those that share their work between threads."""
    options = lambda t: {"budget": t.option(0.001), "workers": t.option(2)}
    return {
        "collide_many": lambda t: nearmiss.collide_many(shape, shape, t.array("poses"), **options(t)),
        "distance_many": lambda t: nearmiss.distance_many(shape, shape, t.array("poses"), **options(t)),
        "raycast": lambda t: nearmiss.raycast(shape, t.array("pose"), t.array("vertices"), t.array("vertices"), **options(t)),
        "side_of": lambda t: nearmiss.side_of(shape, t.array("pose"), t.array("vertices"), **options(t)),
    }


def throw(seed, shape, rounds, of=entries):
    """How often each entry answered and refused."""
    thrower, told = Thrower(seed), {}
    for _ in range(rounds):
        for name, call in of(shape).items():
            tally = told.setdefault(name, [0, 0])
            try:
                answer = call(thrower)
            except REFUSALS:
                tally[1] += 1
            except AttributeError:  # of what is no shape
                tally[1] += 1
            else:
                tally[0] += 1
                for field in dir(answer):
                    try:
                        getattr(answer, field)
                    except REFUSALS:  # of what it was made without
                        pass
    return told


@pytest.fixture(scope="module", autouse=True)
def new_garbage_alone():
    """Collecting looks at what is made here, not at all of numpy and pytest again and again."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("of", [entries, entries_of_many])
def test_arrays_of_all_kinds(of, shape):
    told = throw(SEED, shape, ROUNDS, of)
    for name, (answered, refused) in told.items():
        assert answered > ROUNDS // 100 and refused > ROUNDS // 20, (name, answered, refused)


def test_arrays_from_many_threads(shape):
    failures = []

    def work(seed):
        try:
            throw(seed, shape, ROUNDS // 8)
        except BaseException as failure:  # noqa: B902, whatever it is
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(SEED + 100 + i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_arrays_that_others_write_and_free_meanwhile(shape):
    poses = np.tile(np.eye(4), (4000, 1, 1))
    vertices, faces = (np.tile(part, (300, 1)) for part in tetrahedron())
    done = threading.Event()

    def spoil():
        random = np.random.default_rng(SEED)
        while not done.is_set():
            poses[random.integers(4000), random.integers(4), random.integers(4)] = random.choice([np.nan, 1e300, 0, 1])
            faces[random.integers(1200), 1] = random.choice([-1, 2 ** 40, 1, 2])
            poses[:] = np.eye(4)
            faces[:, 1] = 1

    other = threading.Thread(target=spoil)
    other.start()
    answered = 0
    try:
        for _ in range(ROUNDS // 20):
            for call in (lambda: nearmiss.collide_many(shape, shape, poses),
                         lambda: nearmiss.Shape(vertices, faces, builder="octree", levels=1)):
                try:
                    call()
                    answered += 1
                except REFUSALS:
                    pass
    finally:
        done.set()
        other.join()
    assert answered

    # An array whose memory is taken away, and one whose owner is gone
    owner = np.tile(np.eye(4), (60000, 1, 1))

    def free():
        owner.resize((1,), refcheck=False)

    timer = threading.Timer(0.01, free)
    timer.start()
    try:
        nearmiss.collide_many(shape, shape, owner)
    except REFUSALS:  # freed before the call began
        pass
    timer.join()
    view = np.tile(np.eye(4), (10, 1, 1))[2:5]
    gc.collect()
    assert len(nearmiss.collide_many(shape, shape, view)["verdict"]) == 3


@pytest.mark.parametrize("kind", [kind for kind in vars(nearmiss).values() if type(kind) is type(nearmiss.Shape)])
def test_objects_that_were_never_made(kind, shape):
    unmade = kind.__new__(kind)
    for name in dir(kind):
        if name.startswith("_") and name not in ("__len__", "__iter__", "__int__", "__index__", "__hash__", "__getstate__", "__reduce__",
                                             "__bool__"):
            continue
        # What all have, what a class lacks, and the values of an enumeration, are no questions to the object
        if getattr(kind, name) is None or getattr(kind, name) is getattr(object, name, None) or isinstance(getattr(kind, name), kind):
            continue
        with pytest.raises(TypeError):
            value = getattr(unmade, name)
            if callable(value):
                value()
            pytest.fail(f"{name} answered")
    if kind is nearmiss.Shape:
        for first, second in ((unmade, shape), (shape, unmade)):
            with pytest.raises(TypeError):
                nearmiss.collide(first, np.eye(4), second, np.eye(4))
        # A copy is made
        assert nearmiss.collide(copy.copy(shape), np.eye(4), shape, np.eye(4)).final

        class Sub(nearmiss.Shape):
            def __init__(self):
                pass

        with pytest.raises(TypeError):
            Sub()


def test_poses_and_motions_out_of_range(shape):
    far = np.eye(4)
    far[0, 3] = 1e160
    still, wild = np.zeros((2, 3)), np.full((2, 3), 1e200)
    for name, call in (
            ("pose_b", lambda: nearmiss.collide(shape, np.eye(4), shape, far)),
            ("pose 0", lambda: nearmiss.collide_many(shape, shape, far[None])),
            ("pose_a", lambda: nearmiss.distance(shape, far, shape, np.eye(4))),
            ("pose_a", lambda: nearmiss.penetration(shape, far, shape, np.eye(4))),
            ("pose_a", lambda: nearmiss.contact_manifold(shape, far, shape, np.eye(4))),
            ("pose_a", lambda: nearmiss.ManifoldQuery().begin(shape, far, shape, np.eye(4))),
            ("pose_a", lambda: nearmiss.protrusion(shape, far, shape, np.eye(4))),
            ("pose", lambda: nearmiss.raycast(shape, far, [[0, 0, 0]], [[1, 0, 0]])),
            ("pose", lambda: nearmiss.nearest_point(shape, far, [[0, 0, 0]])),
            ("pose", lambda: nearmiss.side_of(shape, far, [[0, 0, 0]])),
            ("pose", lambda: nearmiss.World().add(shape, far)),
            ("pose_a", lambda: nearmiss.time_to_contact(shape, far, still, shape, np.eye(4), still))):
        with pytest.raises(nearmiss.Error, match=rf"^{name}: position.x is 1e\+160, but must be at most 1e60 in size$"):
            call()
    with pytest.raises(nearmiss.Error, match="^motion_b: velocity.x is 1e\\+200, but must be at most 1e60 in size$"):
        nearmiss.time_to_contact(shape, np.eye(4), still, shape, np.eye(4), wild)
    far[0, 3] = np.nan
    with pytest.raises(nearmiss.Error, match="^pose_b: position.x is nan, but must be finite$"):
        nearmiss.distance(shape, np.eye(4), shape, far)
    far[0, 3] = 1e60
    assert nearmiss.distance(shape, np.eye(4), shape, far).upper == pytest.approx(1e60)
