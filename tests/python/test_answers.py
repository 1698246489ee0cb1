# SPDX-License-Identifier: MIT
"""Answers as values: no truth value, comparison, descriptions, pickles and documentation."""
import concurrent.futures
import copy
import doctest
import io
import multiprocessing
import pickle
import pydoc

import nearmiss
import numpy as np
import pytest
from meshes import CORNERS, SIDES, at, ball

ONE = np.eye(4)


def made(x):
    """Returns an answer of each class, of bodies x metres apart."""
    cube, bumpy = nearmiss.box([1, 1, 1]), nearmiss.Shape(*ball(8, 10), levels=1)
    world = nearmiss.World()
    world.add(cube), world.add(bumpy, at(x))
    query = cube, ONE, bumpy, at(x)
    manifold = nearmiss.contact_manifold(*query, margin=0.1)
    contacts = world.contacts(margin=0.5)
    return {
        "Refinement": nearmiss.collide(*query), "DistanceBounds": nearmiss.distance(*query),
        "PenetrationBounds": nearmiss.penetration(*query, budget=0.01), "ContactManifold": manifold,
        "Protrusion": nearmiss.protrusion(*query), "Collisions": world.collisions(), "Contacts": contacts,
        "PairContacts": next(iter(contacts), None), "NearestBodies": world.min_distance(),
        "ContactTime": nearmiss.time_to_contact(cube, ONE, np.zeros((2, 3)), bumpy, at(x + 1), [[-1, 0, 0], [0, 0, 0]]),
        "MassProperties": cube.scaled(x).mass_properties(), "Certificate": bumpy.check(),
        "MeshFaults": nearmiss.check_mesh(CORNERS, np.array(SIDES)[:-1] if x > 1.5 else SIDES)}


@pytest.fixture(scope="module")
def answers():
    return made(1.5), made(2.0)


def fields(answer):
    values = {name: getattr(answer, name) for name in dir(answer) if not name.startswith("_")}
    return {name: value for name, value in values.items() if not callable(value)}


def equal(one, other):
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    return one == other


def test_an_answer_has_no_truth_value(answers):
    use = {"Refinement": r"\.touching", "DistanceBounds": r"\.touching", "PenetrationBounds": r"\.upper", "Protrusion": r"\.depth",
           "ContactTime": r"\.reached", "NearestBodies": r"\.bodies", "PairContacts": r"\.points", "MeshFaults": r"\.solid",
           "MassProperties": r"\.volume", "Certificate": r"\.covers"}
    for name, word in use.items():
        with pytest.raises(TypeError, match=f"the truth value of a {name} is ambiguous: use .*{word}"):
            bool(answers[0][name])
    refit = nearmiss.box([1, 1, 1]).refit(CORNERS)
    with pytest.raises(TypeError, match=r"\.rebuild_pays"):
        bool(refit)
    for value in (nearmiss.Verdict.CONTACT, nearmiss.Verdict.SEPARATE, nearmiss.Stage.EXACT, nearmiss.SolidSide.NONE,
                  nearmiss.PointSide.INSIDE):
        with pytest.raises(TypeError, match=f"the truth value of a {type(value).__name__} is ambiguous: use == "):
            bool(value)
    # Containers are true if they are not empty
    for name in "ContactManifold", "Collisions", "Contacts":
        assert bool(answers[0][name]) is (len(answers[0][name]) > 0)
    assert not nearmiss.World().contacts() and not nearmiss.World().collisions()


def test_touching_is_true_false_or_unknown():
    cube = nearmiss.Shape(CORNERS, SIDES, levels=2, boxes=0, inner=0)
    for x, touching in ((1.5, True), (2.0, True), (2.001, False), (9, False)):
        assert nearmiss.collide(cube, ONE, cube, at(x)).touching is touching
        bounds = nearmiss.distance(cube, ONE, cube, at(x))
        assert bounds.touching is touching and bounds.is_within(10) is True
    assert nearmiss.collide(cube, ONE, cube, at(2.001), budget=0.0).touching is None
    apart = nearmiss.distance(cube, ONE, cube, at(3))
    assert apart.is_within(0.5) is False and apart.is_within(1.5) is True
    with pytest.raises(nearmiss.Error, match="tolerance"):
        apart.is_within(np.nan)


def test_answers_are_compared_by_value(answers):
    again = made(1.5)
    for name, answer in answers[0].items():
        assert answer == again[name] and not answer != again[name], name
        assert answer != answers[1][name] or name == "Certificate", name
        assert answer != 1 and answer != "x" and not answer == None  # noqa: E711
        with pytest.raises(TypeError):
            hash(answer)


def test_pickled_answers_are_the_same(answers):
    for answer in [*answers[0].values(), *answers[1].values()]:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(answer, protocol))
            assert type(again) is type(answer) and again == answer
        for again in (copy.copy(answer), copy.deepcopy(answer)):
            assert again == answer and again is not answer
        for name, value in fields(answer).items():
            assert equal(getattr(again, name), value), name
    refit = nearmiss.box([1, 1, 1]).refit(1.5 * CORNERS)
    again = pickle.loads(pickle.dumps(refit))
    assert np.array_equal(again.shape.vertices, refit.shape.vertices) and again.growth == refit.growth
    for value in nearmiss.Verdict.__members__.values():
        assert pickle.loads(pickle.dumps(value)) == value
    for wrong in ((), (1, 2), None, "x", ("x",) * 15, tuple(range(15)), ([],) * 7):
        for kind in (nearmiss.Refinement, nearmiss.ContactManifold, nearmiss.DistanceBounds):
            with pytest.raises((nearmiss.Error, TypeError, RuntimeError)):
                kind._restored(wrong)
    for thing, instead in ((nearmiss.World(), "world.shape"), (nearmiss.ManifoldQuery(), "ContactManifold that refine")):
        for ask in pickle.dumps, copy.copy, copy.deepcopy:
            with pytest.raises(TypeError, match=f"^a {type(thing).__name__} cannot be pickled, .* pickle .*{instead}"):
                ask(thing)


def ask(x):
    return made(x)


def test_answers_come_from_other_processes(answers):
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found, = pool.map(ask, [1.5])
        gap = pool.submit(nearmiss.distance, nearmiss.box([1, 1, 1]), ONE, nearmiss.box([1, 1, 1]), at(3)).result()
    assert found == answers[0] and gap.upper == pytest.approx(1)


def test_descriptions_show_what_matters():
    cube, world = nearmiss.box([1, 1, 1]), nearmiss.World()
    world.add(cube), world.add(cube, at(0, 0, 1.99))
    for thing, words in ((cube, "Shape(12 faces, radius=1.732, solid=True)"), (world, "World(2 bodies)"),
                         (nearmiss.distance(cube, ONE, cube, at(2.5)), "DistanceBounds(lower=0.5, upper=0.5, final=True)"),
                         (nearmiss.contact_manifold(cube, at(0, 0, 1.99), cube, ONE),
                          "ContactManifold(4 points, deepest=0.01, final=True)"),
                         (world.collisions(), "Collisions(1 pairs, 0 waiting, complete=True)"),
                         (world.contacts(), "Contacts(1 pairs, 4 points, complete=True)"),
                         (next(iter(world.contacts())), "PairContacts(bodies=(1, 2), 4 points, sensed=False)"),
                         (world.min_distance(), "NearestBodies(bodies=(1, 2), distance=0)"),
                         (nearmiss.World().min_distance(), "NearestBodies(bodies=None, distance=inf)"),
                         (cube.mass_properties(), "MassProperties(volume=8, centre=[0, 0, 0])"),
                         (nearmiss.check_mesh(CORNERS, SIDES[1:]), "MeshFaults(solid=False, not closed (3 boundary edges))")):
        assert repr(thing) == words
    assert repr(nearmiss.collide(cube, ONE, cube, at(9))) == "Refinement(SEPARATE, stage=BOUNDS, level=0, bound=inf, final=True)"
    assert repr(nearmiss.Refinement.__new__(nearmiss.Refinement)) == "<Refinement that was never initialised>"
    assert repr(nearmiss.Shape.__new__(nearmiss.Shape)) == "<Shape that was never initialised>"


def test_the_manual_is_complete():
    """Everything public is explained, and the examples are true."""
    cube, away, into, above, beside = nearmiss.box([1, 1, 1]), at(2.5), at(1.5, 1.25, 1.75), at(0, 0, 1.99), at(1.5)
    names = {"nearmiss": nearmiss, "np": np, "cube": cube, "away": away, "into": into, "above": above, "beside": beside}
    placeholders = ("pose_a, b, pose_b, budget=50e-6)\n", ".load(", "trimesh.load", "if answer.touching", "arm.", "nearmiss.robot(")
    examined = 0
    for name in ["nearmiss", *nearmiss.__all__]:
        thing = names.get(name) or getattr(nearmiss, name)
        things = [(name, thing)]
        if isinstance(thing, type) and name != "Error" and not hasattr(thing, "__members__"):
            things += [(f"{name}.{part}", value) for part, value in vars(thing).items() if not part.startswith("_")]
        for called, each in things:
            assert called == "Error" or (each.__doc__ or "").strip(), called
            assert "numpy.ndarray[" not in (each.__doc__ or ""), called
            examples = [e for e in doctest.DocTestParser().get_examples(each.__doc__ or "")
                        if not any(words in e.source for words in placeholders)]
            test, report = doctest.DocTest(examples, dict(names), called, None, None, None), io.StringIO()
            doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.write)
            assert report.getvalue() == ""
            examined += len(examples)
    assert examined > 30
    manual = pydoc.plain(pydoc.render_doc(nearmiss))
    for words in ("A first example", "collide(a, pose_a, b, pose_b, *, budget=None)", "load(file, *, radius=0.0"):
        assert words in manual
    assert set(nearmiss.__all__) == {name for name in dir(nearmiss) if not name.startswith("_") and name != "trimesh"}
