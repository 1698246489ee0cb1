# SPDX-License-Identifier: MIT
"""Calls that meet others of the same objects, in signal handlers, callbacks and threads, and those that Python's end meets.

Each runs in a Python of its own, for what goes wrong ends that, or holds it up."""
import subprocess
import sys

import pytest

LIMIT = 60  # seconds
BEGIN = """
import os, signal, sys, threading, time
sys.path.insert(0, sys.argv[1])
import nearmiss
import numpy as np
from meshes import CORNERS, SIDES, at, ball

VERTICES, FACES = ball(36, 72)
FEWER, OF_FEWER = ball(24, 36)

def long_world():
    "A world whose collisions() take many seconds: open shells, each within others and near them everywhere."
    world = nearmiss.World()
    for group, size in ((1, 1.0), (2, 1.01)):
        shell = nearmiss.Shape(size * VERTICES, FACES[1:], weld=1e-9, builder="octree", levels=3)
        for _ in range(60):
            world.add(shell, group=group, mask=3 - group)
    return world
"""


def told(script, first=""):
    """What a script prints, which has to end well. `first` runs before the module is imported."""
    run = subprocess.run([sys.executable, "-c", first + BEGIN + script, __file__.rpartition("/")[0]], capture_output=True, text=True,
                         timeout=LIMIT)
    assert run.returncode == 0, run.stderr
    assert "terminate called" not in run.stderr
    return run.stdout.split("\n")


@pytest.mark.parametrize("ask", ["len(world)", "world.add(shell)"])
def test_a_signal_handler_is_refused_by_the_world_it_interrupts(ask):
    words = told(f"""
world, heard = long_world(), []
shell = world.shape(world.bodies[0])
def handler(*_):
    try:
        {ask}
    except nearmiss.Error as error:
        heard.append(str(error))
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.2)
world.collisions(budget=0.8)
print(len(heard), *heard)
print(len(world))
""")
    assert words[0].startswith("1 the world is being asked by this very thread") and words[1] == "120"


def test_what_a_signal_handler_raises_ends_the_call():
    words = told("""
world = long_world()
signal.signal(signal.SIGALRM, lambda *_: len(world))
signal.setitimer(signal.ITIMER_REAL, 0.2)
begin = time.monotonic()
try:
    world.collisions(budget=20)
except nearmiss.Error:
    print(time.monotonic() - begin < 10, len(world))
""")
    assert words[0] == "True 120"


def test_who_waits_for_a_world_hears_an_interrupt():
    words = told("""
world = long_world()
other = threading.Thread(target=world.collisions, kwargs={"budget": 2})
other.start()
time.sleep(0.2)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    print(len(world))
except KeyboardInterrupt:
    print(time.monotonic() - begin < 2, other.is_alive())
other.join()
print(len(world))
""")
    assert words[:2] == ["True True", "120"]


@pytest.mark.parametrize("work", [
    "nearmiss.Shape(VERTICES, FACES, weld=1e-9, quality='tight', levels=6, progress=lambda done: None)",
    "world.collisions()",
    "world.collisions(budget=1e-4), world.min_distance(budget=1e-4), world.pose(0)",
    "nearmiss.collide(small, at(0), small, at(1.9))",
    "nearmiss.raycast(small, at(0), np.zeros((100000, 3)), np.ones((100000, 3)))",
])
def test_python_ends_while_threads_work(work):
    words = told(f"""
world, small = long_world(), nearmiss.Shape(CORNERS, SIDES, builder="octree", levels=2)
def work():
    while True:
        {work}
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
print("end")
""")
    assert words[0] == "end"


@pytest.mark.parametrize("ask", [
    "(nearmiss.collide_many(small, small, poses)['verdict'] != int(nearmiss.Verdict.CONTACT)).sum()",
    "(nearmiss.side_of(small, at(0), points) != int(nearmiss.PointSide.INSIDE)).sum()",
])
def test_what_python_did_not_wait_for_is_no_answer(ask):
    words = told(f"""
small = nearmiss.Shape(CORNERS, SIDES, builder="octree", levels=2)
poses, points = np.tile(at(0.5), (500000, 1, 1)), np.tile([0.5, 0.4, 0.3], (500000, 1))
begun = threading.Event()
def work():
    begun.set()
    try:
        print({ask}, "wrong")
    except nearmiss.Error as error:
        print(error)
thread = threading.Thread(target=work, daemon=True)
thread.start()
begun.wait()
time.sleep(0.1)
""", first="""
import atexit
atexit.register(lambda: thread.join())  # what is registered first comes last
""")
    assert words[0] in ("Python is ending: there was no time for all", "0 wrong")


@pytest.mark.parametrize("last", ["stop.set(), thread.join()", "lock.acquire()"])
def test_what_ends_with_python_may_wait_for_threads(last):
    words = told("""
world, small = long_world(), nearmiss.Shape(CORNERS, SIDES, builder="octree", levels=2)
def work():
    while not stop.is_set():
        with lock:
            nearmiss.collide(small, at(0), small, at(0.2))
            world.collisions(budget=1e-4)
thread = threading.Thread(target=work, daemon=True)
thread.start()
time.sleep(0.3)
""", first=f"""
import atexit, threading
stop, lock = threading.Event(), threading.Lock()
def end():
    {last}
    print(nearmiss.collide(small, at(0), small, at(0.2)).verdict.name)
atexit.register(end)  # what is registered first comes last
""")
    assert words[0] == "CONTACT"


def test_the_thread_that_ends_python_may_go_on():
    words = told("""
import atexit
world = nearmiss.World()
atexit._run_exitfuncs()  # the rest comes after that of the module, as what was registered before its import does
body = world.add(nearmiss.Shape(CORNERS, SIDES, levels=1))
print(body in world, nearmiss.collide(world.shape(body), at(0), world.shape(body), at(1)).verdict.name)
""")
    assert words[0] == "True CONTACT"


def test_a_child_that_was_forked_ends_at_once():
    words = told("""
world = long_world()
threading.Thread(target=world.collisions, daemon=True).start()
time.sleep(0.3)
begin = time.monotonic()
child = os.fork()
if child == 0:
    sys.exit(0)
_, status = os.waitpid(child, 0)
print(status, time.monotonic() - begin < 5)
""")
    assert words[0] == "0 True"


def test_a_shape_is_made_once():
    words = told("""
shape, entered = nearmiss.Shape.__new__(nearmiss.Shape), []
def again(done):
    if not entered:
        entered.append(True)
        shape.__init__(CORNERS, SIDES, builder="octree", levels=1)
try:
    shape.__init__(FEWER, OF_FEWER, weld=1e-9, quality="tight", levels=2, progress=again)
except nearmiss.Error as error:
    print(error)
print(len(shape.faces))
del shape
shape, refused = nearmiss.Shape.__new__(nearmiss.Shape), []
def make():
    try:
        shape.__init__(FEWER, OF_FEWER, weld=1e-9, quality="tight", levels=2)
    except nearmiss.Error as error:
        refused.append(str(error))
threads = [threading.Thread(target=make) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(set(refused), len(shape.faces) > 1000)
del shape
""")
    assert words[:3] == ["this shape is made already", "12", "{'this shape is made already'} True"]


def test_a_shape_is_not_made_over_a_pickle():
    words = told("""
state = nearmiss.Shape(CORNERS, SIDES, builder="octree", levels=1).__getstate__()
shape, entered = nearmiss.Shape.__new__(nearmiss.Shape), []
def again(done):
    if not entered:
        entered.append(True)
        shape.__setstate__(state)
try:
    shape.__init__(FEWER, OF_FEWER, weld=1e-9, quality="tight", levels=2, progress=again)
except nearmiss.Error as error:
    print(error, len(shape.faces))
""")
    assert words[0] == "this shape is made already 12"
