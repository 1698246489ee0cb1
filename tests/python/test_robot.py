# SPDX-License-Identifier: MIT
"""nearmiss.robot() against a planar arm whose answers are known."""
import pickle
import struct

import nearmiss
import numpy as np
import pytest
from meshes import CORNERS, SIDES, at

ARM = """<robot name="arm">
<link name="base"><collision><geometry><box size="0.3 0.2 0.2"/></geometry></collision></link>
<link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<link name="lower"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<link name="plate"><collision><origin xyz="0.05 0 0"/><geometry><box size="0.1 0.3 0.1"/></geometry></collision></link>
<link name="slider"><collision><origin xyz="0 0 0.7"/><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="plate"/><child link="slider"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 2"/>
  <limit lower="-3.2" upper="3.2" effort="1" velocity="1"/></joint>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><origin xyz="0.2 0 0"/>
  <axis xyz="0 0 1"/></joint>
<joint name="bolts" type="fixed"><parent link="lower"/><child link="plate"/><origin xyz="1 0 0"/></joint>
</robot>"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    return nearmiss.robot(tmp_path / "arm.urdf", builder="octree", levels=1)


def test_links_are_where_the_joints_put_them(arm):
    assert arm.name == "arm" and arm.links == ["base", "upper", "lower", "plate", "slider"]
    assert arm.joints == ["slide", "elbow", "shoulder"] and arm.limits["elbow"] == (-3.2, 3.2) and len(arm.parts) == 5
    random = np.random.default_rng(1)
    for _ in range(50):
        slide, elbow, shoulder = random.uniform(-3, 3, 3)
        for positions in ({"slide": slide, "elbow": elbow, "shoulder": shoulder}, [slide, elbow, shoulder]):
            poses = arm.poses(positions)
            joint = np.array([0.2 + np.cos(shoulder), np.sin(shoulder), 0])
            assert np.allclose(poses["lower"][:3, 3], joint)
            end = joint + [np.cos(shoulder + elbow), np.sin(shoulder + elbow), 0]
            assert np.allclose(poses["plate"][:3, 3], end) and np.allclose(poses["slider"][:3, 3], end + [0, 0, slide])
            assert np.allclose(poses["plate"][:3, 0], [np.cos(shoulder + elbow), np.sin(shoulder + elbow), 0])


def test_it_touches_itself_where_it_is_folded(arm):
    touching = lambda positions: {(a, b) for a, b, _ in arm.collisions(positions)}
    assert touching(None) == set()
    # Folded back by more than the links are wide, the plate meets the base; lower and upper are joined
    assert touching({"elbow": np.pi}) == {("base", "plate")}
    assert touching({"elbow": 2.6}) == set()
    (_, _, answer), = arm.collisions({"elbow": np.pi}, budget=1.0)
    assert answer.verdict == nearmiss.Verdict.CONTACT
    assert len(arm.collisions({"elbow": np.pi}, budget=0)) >= 1
    arm.ignore("base", "plate")
    assert touching({"elbow": np.pi}) == set()


def test_the_least_distance_is_that_of_the_boxes(arm):
    # The lower arm stands straight up at x = 1.2, its left side at 1.15; the base ends at 0.15
    a, b, bounds = arm.min_distance({"elbow": np.pi / 2})
    assert {a, b} == {"base", "lower"} and bounds.upper == pytest.approx(1.0, abs=1e-6)


def test_a_robot_in_a_world(arm):
    world = nearmiss.World()
    obstacle = world.add(nearmiss.Shape(CORNERS * 0.1, SIDES, levels=1), at(0.2, 1.5))
    bodies = arm.add_to(world)
    assert len(world.collisions()) == 0 and len(bodies) == 5
    arm.move_in(world, bodies, {"shoulder": np.pi / 2})
    pairs = world.collisions().pairs.tolist()
    assert pairs == [[obstacle, bodies[2]]]


def test_two_robots_meet_each_other(arm):
    world = nearmiss.World()
    first, second = arm.add_to(world), arm.add_to(world)
    pairs = {tuple(pair) for pair in world.collisions().pairs.tolist()}
    assert set(zip(first, second)) <= pairs and all((a in first) != (b in first) for a, b in pairs)
    # Of one assembly they are one robot
    both = nearmiss.World()
    arm.add_to(both, assembly=3), arm.add_to(both, assembly=3)
    assert len(both.collisions()) == 0


def test_assemblies_of_ones_own_are_none_of_robots(arm):
    world = nearmiss.World()
    body = world.add(arm.parts[0][1], assembly=65535)
    for ask in (lambda: world.add(arm.parts[0][1], assembly=65536), lambda: world.set(body, assembly=2**32 - 1),
                lambda: arm.add_to(world, assembly=65536), lambda: arm.add_to(world, assembly=-1)):
        with pytest.raises(nearmiss.Error, match="must be 0 to 65535: those above are robots' own"):
            ask()
    assert world.bodies == [body]


def test_pairs_are_those_of_all_parts(tmp_path):
    """Those that touch and those that are nearest, among all that are not ignored."""
    random = np.random.default_rng(5)
    for count in (1, 2, 12):
        links = "".join(f"""<link name="l{i}"><collision><geometry><box size="{0.2 + 0.02 * i} 0.3 0.2"/></geometry>
            </collision></link>""" for i in range(count))
        joints = "".join(f"""<joint name="j{i}" type="{'fixed' if i % 3 == 0 else 'continuous'}">
            <parent link="l{i // 2}"/><child link="l{i}"/><origin xyz="0.5 0.1 0"/><axis xyz="0 0 1"/></joint>"""
                         for i in range(1, count))
        (tmp_path / "t.urdf").write_text(f'<robot name="t">{links}{joints}</robot>')
        robot = nearmiss.robot(tmp_path / "t.urdf", builder="octree", levels=1)
        if count == 12:
            robot.ignore("l5", "l11")
        near = {frozenset((f"l{i}", f"l{i // 2}")) for i in range(1, count)}
        fixed = {frozenset((f"l{i}", f"l{i // 2}")) for i in range(3, count, 3)}
        group = lambda link: next((group(parent) for parent in robot.links if frozenset((link, parent)) in fixed
                                   and int(parent[1:]) < int(link[1:])), link)
        counted = lambda a, b: group(a) != group(b) and {a, b} != {"l5", "l11"} and not any(
            {group(x) for x in pair} == {group(a), group(b)} for pair in near)
        touched = 0
        for _ in range(20):
            positions = random.uniform(-np.pi, np.pi, len(robot.joints))
            poses = robot.poses(positions)
            pairs = [(a, b, x, y, poses[a] @ p, poses[b] @ q) for i, (a, x, p) in enumerate(robot.parts)
                     for b, y, q in robot.parts[i + 1:] if counted(a, b)]
            touching = {(a, b) for a, b, x, y, p, q in pairs
                        if nearmiss.collide(x, p, y, q).verdict != nearmiss.Verdict.SEPARATE}
            assert {(a, b) for a, b, _ in robot.collisions(positions)} == touching
            touched += len(touching)
            nearest = min((nearmiss.distance(x, p, y, q).upper for _, _, x, y, p, q in pairs), default=None)
            found = robot.min_distance(positions)
            assert (found is None) == (nearest is None) and (found is None or found[2].upper == nearest)
    assert touched > 20


def test_links_are_not_paired_in_advance(tmp_path):
    """A chain from its end, all of it fixed: in time and memory that grow with the links alone."""
    count = 1000
    links = "".join(f'<link name="l{i}"/>' for i in range(count))
    joints = "".join(f'<joint name="j{i}" type="fixed"><parent link="l{i - 1}"/><child link="l{i}"/></joint>'
                     for i in range(count - 1, 0, -1))
    (tmp_path / "c.urdf").write_text(f'<robot name="c">{links}{joints}</robot>')
    chain = nearmiss.robot(tmp_path / "c.urdf")
    assert chain.collisions() == [] and chain.min_distance() is None
    kept = sum(len(each) for held in vars(chain).values() if isinstance(held, dict)
               for each in held.values() if isinstance(each, set))
    assert kept + sum(len(held) for held in vars(chain).values() if hasattr(held, "__len__")) < 20 * count


def test_meshes_are_scaled_mirrored_and_found_in_packages(tmp_path):
    (tmp_path / "parts" / "meshes").mkdir(parents=True)
    triangles = (CORNERS + [1, 1, 1])[np.array(SIDES)]
    data = b"\0" * 80 + struct.pack("<I", len(triangles))
    for corners in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *corners.ravel(), 0)
    (tmp_path / "parts" / "meshes" / "cube.stl").write_bytes(data)
    (tmp_path / "m.urdf").write_text("""<robot name="m"><link name="a"><collision><geometry>
      <mesh filename="package://parts/meshes/cube.stl" scale="0.5 -0.25 1"/></geometry></collision></link>
      <link name="b"><visual><geometry><mesh filename="parts/meshes/cube.stl"/></geometry></visual></link></robot>""")
    robot = nearmiss.robot(tmp_path / "m.urdf", visual=True, builder="octree", levels=1)
    (_, scaled, _), (_, plain, _) = robot.parts
    assert scaled.solid_side == plain.solid_side == nearmiss.SolidSide.AS_WOUND
    assert np.allclose((scaled.vertices.min(0), scaled.vertices.max(0)), ([0, -0.5, 0], [1, 0, 2]))
    assert np.allclose((plain.vertices.min(0), plain.vertices.max(0)), ([0, 0, 0], [2, 2, 2]))
    assert len(nearmiss.robot(tmp_path / "m.urdf", builder="octree", levels=1).parts) == 1


def test_what_is_wrong_with_a_mesh_is_said(tmp_path):
    inwards = (CORNERS + [1, 1, 1])[np.array(SIDES)[:, ::-1]]
    data = b"\0" * 80 + struct.pack("<I", len(inwards))
    for corners in inwards:
        data += struct.pack("<12fH", 0, 0, 0, *corners.ravel(), 0)
    (tmp_path / "room.stl").write_bytes(data)
    (tmp_path / "w.urdf").write_text("""<robot name="w"><link name="a"><collision><geometry>
      <mesh filename="room.stl" scale="-1 1 1"/></geometry></collision></link></robot>""")
    with pytest.warns(UserWarning, match="room.stl.* inside out: its faces look at what they enclose"):
        (_, room, _), = nearmiss.robot(tmp_path / "w.urdf", builder="octree", levels=1).parts
    assert room.solid and room.solid_side == nearmiss.SolidSide.TURNED
    assert room.report()["volume"] == pytest.approx(8.0)


def test_round_shapes_are_held(tmp_path):
    (tmp_path / "r.urdf").write_text("""<robot name="r"><link name="a">
      <collision><geometry><cylinder radius="0.3" length="1"/></geometry></collision>
      <collision><geometry><capsule radius="0.3" length="1"/></geometry></collision>
      <collision><geometry><sphere radius="0.3"/></geometry></collision></link></robot>""")
    robot = nearmiss.robot(tmp_path / "r.urdf", builder="octree", levels=1)
    cylinder, capsule, sphere = (shape for _, shape, _ in robot.parts)
    dot = nearmiss.Shape(CORNERS * 1e-4, SIDES, levels=1)
    for angle in np.linspace(0, 2 * np.pi, 37):
        rim = 0.2999 * np.array([np.cos(angle), np.sin(angle)])
        for shape, height in ((cylinder, 0.4998), (cylinder, 0), (capsule, 0.5), (sphere, 0)):
            assert shape.solid
            assert nearmiss.collide(shape, np.eye(4), dot, at(*rim, height)).verdict == nearmiss.Verdict.CONTACT
            assert nearmiss.collide(shape, np.eye(4), dot, at(*rim * 1.02, height)).verdict == nearmiss.Verdict.SEPARATE
    assert nearmiss.collide(capsule, np.eye(4), dot, at(0, 0, 0.7999)).verdict == nearmiss.Verdict.CONTACT


def test_joints_that_follow_others(tmp_path):
    (tmp_path / "g.urdf").write_text("""<robot name="g"><link name="palm"/><link name="l"/><link name="r"/>
      <joint name="right" type="prismatic"><parent link="palm"/><child link="r"/><axis xyz="0 1 0"/>
        <mimic joint="left" multiplier="-2" offset="0.1"/></joint>
      <joint name="left" type="prismatic"><parent link="palm"/><child link="l"/><axis xyz="0 1 0"/></joint></robot>""")
    gripper = nearmiss.robot(tmp_path / "g.urdf")
    assert gripper.joints == ["left"]
    poses = gripper.poses([0.3])
    assert poses["l"][1, 3] == pytest.approx(0.3) and poses["r"][1, 3] == pytest.approx(-0.5)
    assert gripper.collisions() == [] and gripper.min_distance() is None


@pytest.mark.parametrize("change, sentence", [
    (("<robot name", "<model name"), "is not valid XML"),
    (('size="0.3 0.2 0.2"', 'size="0.3 0.2"'), 'line 2: size of <box> is "0.3 0.2", not three numbers above 0'),
    (('size="0.3 0.2 0.2"', 'size="0.3 0 0.2"'), "not three numbers above 0"),
    (('<sphere radius="0.05"/>', '<cone radius="1"/>'), "<cone> is not a geometry"),
    (('<sphere radius="0.05"/>', '<mesh filename="gone.stl"/>'), 'names the mesh "gone.stl"'),
    (('<sphere radius="0.05"/>', ""), "has no geometry"),
    (('<parent link="plate"/>', '<parent link="gone"/>'), "does not join two links"),
    (('<parent link="base"/>', '<parent link="slider"/>'), "form a ring"),
    (('<axis xyz="0 0 2"/>', '<axis xyz="0 0 0"/>'), "axis"),
    (('<axis xyz="0 0 2"/>', '<axis xyz="0 0 0"/><mimic joint="bolts"/>'), "axis"),
    (('<axis xyz="0 0 2"/>', '<mimic joint="bolts"/>'), "does not move of its own"),
    (('<joint name="elbow"', '<joint name="slide"'), 'two joints are named "slide"'),
    (('<joint name="elbow"', '<joint'), "one of its joints has no name"),
    (('type="revolute"', 'type="Revolute"'), 'the joint "elbow" is of the type "Revolute"'),
    (('type="fixed"', ""), 'the joint "bolts" is of the type "None"'),
    (('<origin xyz="1 0 0"/><axis', '<origin quat_xyzw="0 0 0 0"/><axis'), "quat_xyzw of <origin>"),
    (('<origin xyz="1 0 0"/><axis', '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/><axis'), "both rpy and quat_xyzw"),
    (('<link name="upper">', '<link name="lower">'), 'two links are named "lower"'),
    (('<robot name="arm">', '<robot name="arm" xmlns="urn:arm">'), "the names of its links"),
])
def test_mistakes_are_named(change, sentence, tmp_path):
    (tmp_path / "bad.urdf").write_text(ARM.replace(*change))
    with pytest.raises(nearmiss.Error, match=sentence):
        nearmiss.robot(tmp_path / "bad.urdf", builder="octree", levels=1)


@pytest.mark.parametrize("text", [
    ARM.replace('name="slide"', 'name="&gone;"').encode(),
    ARM.encode() + b"<robot/>",
    ARM.encode("utf-16"),
    b'<?xml version="1.0" encoding="oak-8"?>' + ARM.encode(),
    b'<?xml version="1.0" encoding="utf-32"?>' + ARM.encode(),
    ARM.encode().replace(b'"upper"', b'"upp\xe9r"'),
    b'<?xml version="1.0" encoding="latin-1"?>' + ARM.encode().replace(b'"upper"', b'"upp\xe9r"'),
    b"<!DOCTYPE robot [<!ENTITY u 'upper'>]>" + ARM.encode().replace(b'"upper"', b'"&u;"'),
], ids=["undefined entity", "two roots", "utf-16", "unknown encoding", "other encoding", "no utf-8", "latin-1", "entity"])
def test_files_that_are_no_xml_for_one_of_two_readers(text, tmp_path):
    (tmp_path / "bad.urdf").write_bytes(text)
    with pytest.raises(nearmiss.Error, match="bad.urdf"):
        nearmiss.robot(tmp_path / "bad.urdf", builder="no builder: shapes come last")


def test_a_refused_robot_leaves_the_world_as_it_was(arm):
    world = nearmiss.World()
    bodies = arm.add_to(world)
    before = [world.pose(body) for body in bodies]
    # The slider, the last part, is then out of range
    far = {"slide": 1e61, "shoulder": 0.5}
    with pytest.raises(nearmiss.Error):
        arm.add_to(world, far)
    assert world.bodies == bodies
    spare = world.add(arm.parts[0][1])
    world.remove(spare)
    for given, positions in ((bodies, far), (bodies[:-1] + [spare], {"shoulder": 0.5}), (bodies[:-1], {"shoulder": 0.5}),
                             (bodies + bodies[:1], {"shoulder": 0.5})):
        with pytest.raises(ValueError):
            arm.move_in(world, given, positions)
        for body, pose in zip(bodies, before):
            assert world.pose(body) == pytest.approx(pose, abs=1e-12)


def test_numbers_out_of_range(arm, tmp_path):
    for budget in (-1, np.nan, -np.inf, np.inf, 2e6):
        with pytest.raises(nearmiss.Error, match="a budget must be 0 to 1e6 seconds"):
            arm.collisions(budget=budget)
    # An axis counts whatever its length is
    for size in ("1e200", "1e-200", "1.7e308"):
        (tmp_path / "axis.urdf").write_text(ARM.replace('<axis xyz="0 0 2"/>', f'<axis xyz="0 0 {size}"/>'))
        long = nearmiss.robot(tmp_path / "axis.urdf", builder="octree", levels=1)
        assert np.allclose(long.poses({"elbow": 0.5})["plate"], arm.poses({"elbow": 0.5})["plate"])
    for factor, shift in (("1e308", "0"), ("-1e308", "0"), ("1e300", "1.7e308")):
        (tmp_path / "mimic.urdf").write_text(ARM.replace(
            '<axis xyz="0 0 2"/>', f'<axis xyz="0 0 2"/><mimic joint="slide" multiplier="{factor}" offset="{shift}"/>'))
        follower = nearmiss.robot(tmp_path / "mimic.urdf", builder="octree", levels=1)
        with pytest.raises(nearmiss.Error, match='position of "elbow", which follows "slide", is not finite'):
            follower.poses({"slide": 1e8})


def test_poses_beyond_all_numbers_are_refused(tmp_path):
    links = "".join(f'<link name="{name}"><collision><origin xyz="{x} 0 0"/><geometry><sphere radius="1"/></geometry>'
                    "</collision></link>" for name, x in (("base", 0), ("one", 0), ("two", 0), ("far", 1e15)))
    joints = "".join(f'<joint name="{child} moves" type="prismatic"><parent link="{parent}"/><child link="{child}"/></joint>'
                     for parent, child in (("base", "one"), ("one", "two"), ("one", "far")))
    (tmp_path / "slides.urdf").write_text(f'<robot name="slides">{links}{joints}</robot>')
    slides, world = nearmiss.robot(tmp_path / "slides.urdf", builder="octree", levels=1), nearmiss.World()
    bodies = slides.add_to(world)
    for positions, link in (([1e308, 1e308, 0], "two"), ([1e308, -1e308, 1e308], "far"), ([-1.7e308, -1.7e308, 0], "two")):
        for call in (slides.poses, slides.collisions, slides.min_distance, lambda p: slides.move_in(world, bodies, p)):
            with pytest.raises(nearmiss.Error, match=f'the pose of the link "{link}" is not finite'):
                call(positions)
    assert slides.collisions([0, 5, 0]) == [] and slides.collisions([0, 1, 0])[0][:2] == ("base", "two")


def test_positions_that_are_none(arm, tmp_path):
    for positions in ({"gone": 1}, {"bolts": 1}, {"elbow": np.nan}, [1, 2], [1, 2, 3, 4]):
        with pytest.raises(ValueError):
            arm.poses(positions)
    with pytest.raises(nearmiss.Error, match="no link"):
        arm.ignore("base", "gone")
    with pytest.raises(nearmiss.Error, match="there is no file"):
        nearmiss.robot(tmp_path / "gone.urdf")


def test_origins_turn_about_fixed_axes(tmp_path):
    (tmp_path / "o.urdf").write_text("""<robot name="o"><link name="a"/><link name="b"/>
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="1 2 3" rpy="0.3 -0.5 0.7"/></joint>
      </robot>""")
    (sx, sy, sz), (cx, cy, cz) = np.sin([0.3, -0.5, 0.7]), np.cos([0.3, -0.5, 0.7])
    turn = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]]) @ [[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]] @ \
        [[1, 0, 0], [0, cx, -sx], [0, sx, cx]]
    pose = nearmiss.robot(tmp_path / "o.urdf").poses()["b"]
    assert np.allclose(pose[:3, :3], turn) and np.allclose(pose[:3, 3], (1, 2, 3))


def test_origins_may_be_quaternions(tmp_path):
    for turn in 'rpy="0.3 -0.5 0.7"', 'quat_xyzw="{:.17g} {:.17g} {:.17g} {:.17g}"':
        (sx, sy, sz), (cx, cy, cz) = np.sin([0.15, -0.25, 0.35]), np.cos([0.15, -0.25, 0.35])
        # Of another length than 1
        turn = turn.format(*3 * np.array([sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz,
                                          cx * cy * sz - sx * sy * cz, cx * cy * cz + sx * sy * sz]))
        (tmp_path / "q.urdf").write_text(f"""<robot name="q"><link name="a"/>
          <link name="b"><collision><origin {turn}/><geometry><box size="1 2 3"/></geometry></collision></link>
          <joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="1 2 3" {turn}/></joint></robot>""")
        robot = nearmiss.robot(tmp_path / "q.urdf", builder="octree", levels=1)
        poses = robot.poses()["b"], robot.parts[0][2]
        expected = poses if turn.startswith("rpy") else expected
        assert np.allclose(poses, expected) and np.allclose(poses[0][:3, :3], poses[1][:3, :3])


def test_a_robot_is_described_and_pickled(arm):
    assert repr(arm) == "Robot('arm', 5 links, 3 joints)"
    again = pickle.loads(pickle.dumps(arm))
    assert again.links == arm.links and [(a, b) for a, b, _ in again.collisions([0, 3, 0])] == \
        [(a, b) for a, b, _ in arm.collisions([0, 3, 0])]
