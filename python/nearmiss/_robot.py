# SPDX-License-Identifier: MIT
"""nearmiss.robot(): the links of a URDF file as shapes, posed by its joints."""
import collections
import itertools
import pathlib
import time
import xml.etree.ElementTree as ElementTree

import numpy as np

from ._core import Error, Shape, Verdict, _read_robot, collide, distance

MOVING = {"revolute", "continuous", "prismatic"}
KINDS = MOVING | {"fixed", "floating", "planar"}
# Beyond those that are chosen by hand
_assemblies = itertools.count(1 << 16)


def _numbers(element, name, count, otherwise):
    text = element.get(name) if element is not None else None
    if text is None:
        return np.array(otherwise, dtype=float)
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        values = np.array([np.nan])
    if len(values) != count or not np.isfinite(values).all():
        raise Error(f'{name} of <{element.tag}> is "{text}", not {count} numbers')
    return values


def _turn(axis, angle):
    """The rotation about a unit vector."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def _origin(element):
    """The pose of <origin>: about the fixed axes x, y and z, in this order, or by the quaternion of URDF 1.1."""
    origin = element.find("origin")
    pose = np.eye(4)
    pose[:3, 3] = _numbers(origin, "xyz", 3, (0, 0, 0))
    turn = _unit(_numbers(origin, "quat_xyzw", 4, (0, 0, 0, 1)))
    if origin is not None and {"quat_xyzw", "rpy"} <= set(origin.keys()):
        raise Error("<origin> has both rpy and quat_xyzw")
    if not turn.any():
        raise Error("quat_xyzw of <origin> must be four numbers that are not all 0")
    pose[:3, :3] = _turn(_unit(turn[:3]), 2 * np.arctan2(np.linalg.norm(turn[:3]), turn[3]))
    for axis, angle in zip(np.eye(3), _numbers(origin, "rpy", 3, (0, 0, 0))):
        pose[:3, :3] = _turn(axis, angle) @ pose[:3, :3]
    return pose


def _root(path):
    """The first element of a file that the library has read."""
    try:
        return ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, LookupError, ValueError, RecursionError, OSError) as fault:
        raise Error(f'"{path}" cannot be read for its joints: {fault}') from fault


def _unit(axis):
    """Of length 1, whose square may be out of range; 0 stays 0."""
    axis = axis / (np.abs(axis).max() or 1)
    return axis / (np.linalg.norm(axis) or 1)


def _repeated(names):
    return next((name for name, times in collections.Counter(names).items() if times > 1), None)


class Robot:
    """The links of a robot, each of shapes that joints move. Made by nearmiss.robot().

    Joints turn or slide as revolute, continuous and prismatic ones do, beyond their limits too; those of other types are
    fixed. Round shapes are polyhedra around them, at most 1 % larger.
    """

    def __init__(self, file, packages=(), visual=False, **settings):
        path = pathlib.Path(file)
        read = _read_robot(path, list(packages), visual)
        self.name, self.links = read["name"], read["links"]
        root = _root(path)
        # Two readers have read the file: entities, encodings and namespaces may mean different things to them
        if [link.get("name") for link in root.findall("link")] != self.links:
            raise Error(f'"{path}": the names of its links are not plain UTF-8')
        self._read_joints(path, root.findall("joint"))
        self._ignored = self._always_near()
        shapes = [Shape(vertices, faces, **settings) for vertices, faces in read["meshes"]]
        self.parts = [(link, shapes[mesh], pose) for link, mesh, pose in read["parts"]]

    def _read_joints(self, path, joints):
        self._joints, self._mimic, self.limits = [], {}, {}
        for what, names in ("links", self.links), ("joints", [joint.get("name") for joint in joints]):
            if None in names:
                raise Error(f'"{path}": one of its {what} has no name')
            if (name := _repeated(names)) is not None:
                raise Error(f'"{path}": two {what} are named "{name}"')
        children = set()
        for joint in joints:
            name, kind = joint.get("name"), joint.get("type")
            ends = [end.get("link") if end is not None else None for end in (joint.find("parent"), joint.find("child"))]
            if not set(ends) <= set(self.links) or ends[1] in children:
                raise Error(f'"{path}": the joint "{name}" does not join two links, or its child has another parent')
            children.add(ends[1])
            if kind not in KINDS:
                raise Error(f'"{path}": the joint "{name}" is of the type "{kind}", which a URDF has not')
            axis = _unit(_numbers(joint.find("axis"), "xyz", 3, (1, 0, 0)))
            if kind in MOVING and not axis.any():
                raise Error(f'"{path}": the axis of the joint "{name}" is 0')
            self._joints.append((name, kind, *ends, _origin(joint), axis))
            mimic, limit = joint.find("mimic"), joint.find("limit")
            if mimic is not None:
                factor, shift = _numbers(mimic, "multiplier", 1, (1,))[0], _numbers(mimic, "offset", 1, (0,))[0]
                self._mimic[name] = mimic.get("joint"), float(factor), float(shift)
            if limit is not None and kind in ("revolute", "prismatic"):
                self.limits[name] = tuple(_numbers(limit, key, 1, (0,))[0] for key in ("lower", "upper"))
        self.joints = [name for name, kind, *_ in self._joints if kind in MOVING and name not in self._mimic]
        moving = {name for name, kind, *_ in self._joints if kind in MOVING}
        for name, (other, _, _) in self._mimic.items():
            if other not in moving or other in self._mimic:
                raise Error(f'"{path}": the joint "{name}" follows "{other}", which does not move of its own')
        # Parents before children, whatever the order of the file
        known, waiting, ordered = set(self.links) - children, list(self._joints), []
        while waiting:
            ready = [joint for joint in waiting if joint[2] in known]
            if not ready:
                raise Error(f'"{path}": its joints form a ring')
            known |= {joint[3] for joint in ready}
            ordered += ready
            waiting = [joint for joint in waiting if joint[3] not in known]
        self._joints = ordered

    def _always_near(self):
        """Links that are fixed to each other, and those that a joint holds together."""
        group = {link: link for link in self.links}
        for _, kind, parent, child, *_ in self._joints:
            group[child] = child if kind in MOVING else group[parent]
        near = {frozenset((group[parent], group[child])) for _, _, parent, child, *_ in self._joints}
        near |= {frozenset((each,)) for each in group.values()}
        return {frozenset((a, b)) for a in self.links for b in self.links if frozenset((group[a], group[b])) in near}

    def ignore(self, first, second):
        """Leaves out a pair of links. Those that a joint joins, and what is fixed to them, are left out already."""
        for link in (first, second):
            if link not in self.links:
                raise Error(f'there is no link "{link}"')
        self._ignored.add(frozenset((first, second)))

    def poses(self, positions=None):
        """Of each link, in the frame of the root; `positions` by name of joint or in the order of `joints`."""
        values = dict.fromkeys(self.joints, 0.0)
        if positions is not None:
            given = positions if hasattr(positions, "keys") else dict(zip(self.joints, positions, strict=True))
            for name in given.keys():
                if name not in values:
                    raise Error(f'there is no joint "{name}" that moves of its own')
                values[name] = float(given[name])
                if not np.isfinite(values[name]):
                    raise Error(f'the position of "{name}" is not finite')
        for name, (other, factor, shift) in self._mimic.items():
            values[name] = factor * values[other] + shift
            if not np.isfinite(values[name]):
                raise Error(f'the position of "{name}", which follows "{other}", is not finite')
        poses = {link: np.eye(4) for link in self.links}
        for name, kind, parent, child, origin, axis in self._joints:
            moved = np.eye(4)
            if kind == "prismatic":
                moved[:3, 3] = values[name] * axis
            elif kind in MOVING:
                moved[:3, :3] = _turn(axis, values[name])
            poses[child] = poses[parent] @ origin @ moved
        return poses

    def _placed(self, positions):
        poses = self.poses(positions)
        return [(link, shape, poses[link] @ origin) for link, shape, origin in self.parts]

    def _pairs(self, positions):
        """Pairs of parts that may touch, with the distance of their bounding spheres, the nearest first."""
        placed = self._placed(positions)
        pairs = []
        for i, (a, one, here) in enumerate(placed):
            for b, other, there in placed[i + 1:]:
                if frozenset((a, b)) not in self._ignored:
                    gap = np.linalg.norm(here[:3, 3] - there[:3, 3]) - one.radius - other.radius
                    pairs.append((gap, (a, one, here), (b, other, there)))
        return sorted(pairs, key=lambda pair: pair[0])

    def collisions(self, positions=None, *, budget=None):
        """Links that touch each other, as (link, link, answer); `budget` in seconds for all of them."""
        if budget is not None and not 0 <= budget <= 1e6:
            raise Error("a budget must be 0 to 1e6 seconds")
        end = None if budget is None else time.perf_counter() + budget
        pairs, found = self._pairs(positions), []
        for number, (_, (a, one, here), (b, other, there)) in enumerate(pairs):
            share = None if end is None else max(0.0, end - time.perf_counter()) / (len(pairs) - number)
            answer = collide(one, here, other, there, budget=share)
            if answer.verdict != Verdict.SEPARATE:
                found.append((a, b, answer))
        return found

    def min_distance(self, positions=None):
        """The links that are nearest to each other, as (link, link, distance); None without a pair."""
        best = None
        for gap, (a, one, here), (b, other, there) in self._pairs(positions):
            if best and gap > best[2].upper:
                break
            bounds = distance(one, here, other, there)
            if best is None or bounds.upper < best[2].upper:
                best = a, b, bounds
        return best

    def add_to(self, world, positions=None, *, assembly=None, **traits):
        """Adds all parts to a nearmiss.World, which then asks only how they meet others; returns their bodies. Without
        an `assembly` they have one of their own, so that two robots meet each other."""
        bodies = []
        if assembly is None:
            assembly = next(_assemblies)
        try:
            for _, shape, pose in self._placed(positions):
                bodies.append(world.add(shape, pose, assembly=assembly, **traits))
        except BaseException:
            for body in bodies:
                world.remove(body)
            raise
        return bodies

    def move_in(self, world, bodies, positions=None):
        """Moves what add_to() added: all of it, or nothing where a body or a pose is refused."""
        moves = list(zip(bodies, (pose for _, _, pose in self._placed(positions)), strict=True))
        before = [(body, world.pose(body)) for body, _ in moves]
        try:
            for body, pose in moves:
                world.set(body, pose)
        except BaseException:
            for body, pose in before:
                world.set(body, pose)
            raise


def robot(file, packages=(), visual=False, **settings):
    """The robot of a URDF file. `packages`: folders with the packages of package:// names; `visual`: links without
    collision shapes have their visual ones; the rest is for Shape, `levels=3` say."""
    return Robot(file, packages, visual, **settings)
