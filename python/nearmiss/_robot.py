# SPDX-License-Identifier: MIT
"""nearmiss.robot(): the links of a URDF file as shapes, posed by its joints."""
import collections
import functools
import itertools
import pathlib
import time
import xml.etree.ElementTree as ElementTree

import numpy as np

from ._core import Error, Shape, Verdict, _read_robot, collide, distance

MOVING = {"revolute", "continuous", "prismatic"}
KINDS = MOVING | {"fixed", "floating", "planar"}
# Above the numbers that users may choose, up to 65,535 in nearmiss.World
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
    """Returns the rotation about a unit vector."""
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


def _after(link, *poses):
    """Returns the product of poses. Raises an error that names `link` if it is not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        pose = functools.reduce(np.matmul, poses)
    if not np.isfinite(pose).all():
        raise Error(f'the pose of the link "{link}" is not finite')
    return pose


def _root(path):
    """Returns the root element of a file that the library has read."""
    try:
        return ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, LookupError, ValueError, RecursionError, OSError) as fault:
        raise Error(f'"{path}" cannot be read for its joints: {fault}') from fault


def _unit(axis):
    """Returns a vector of length 1, even if its square is out of range; 0 stays 0."""
    axis = axis / (np.abs(axis).max() or 1)
    return axis / (np.linalg.norm(axis) or 1)


def _repeated(names):
    return next((name for name, times in collections.Counter(names).items() if times > 1), None)


class Robot:
    """The links of a robot, with shapes that its joints move. Created by robot().

    name    the name of the robot
    links   names of all links
    joints  names of the joints that move independently
    limits  by name of a joint: (lower, upper) [rad or m]
    parts   list of (link, Shape, pose): a part of a link, with its pose (4, 4) in the frame of the link

    Positions of joints are in radians or metres, in a dict by name or in the order of `joints`; they may exceed the limits.
    Revolute, continuous and prismatic joints move; joints of other types are fixed. Round shapes are replaced by polyhedra
    around them, at most 1 % larger.

    >>> arm = nearmiss.robot("arm.urdf")
    >>> arm.collisions({"elbow": 2.1}, budget=1e-3)
    >>> arm.min_distance([0.0] * len(arm.joints))
    """

    def __init__(self, file, packages=(), visual=False, **settings):
        path = pathlib.Path(file)
        read = _read_robot(path, list(packages), visual)
        self.name, self.links = read["name"], read["links"]
        root = _root(path)
        # Two readers have read the file: they may interpret entities, encodings and namespaces
        # differently
        if [link.get("name") for link in root.findall("link")] != self.links:
            raise Error(f'"{path}": the names of its links are not plain UTF-8')
        self._read_joints(path, root.findall("joint"))
        self._find_near()
        self._ignored = collections.defaultdict(set)
        shapes = [Shape(vertices, faces, **settings) for vertices, faces in read["meshes"]]
        self.parts = [(link, shapes[mesh], pose) for link, mesh, pose in read["parts"]]

    def __repr__(self):
        return f"Robot({self.name!r}, {len(self.links)} links, {len(self.joints)} joints)"

    def _read_joints(self, path, joints):
        self._joints, self._mimic, self.limits = [], {}, {}
        for what, names in ("links", self.links), ("joints", [joint.get("name") for joint in joints]):
            if None in names:
                raise Error(f'"{path}": one of its {what} has no name')
            if (name := _repeated(names)) is not None:
                raise Error(f'"{path}": two {what} are named "{name}"')
        children, known = set(), set(self.links)
        for joint in joints:
            name, kind = joint.get("name"), joint.get("type")
            ends = [end.get("link") if end is not None else None for end in (joint.find("parent"), joint.find("child"))]
            if not known.issuperset(ends) or ends[1] in children:
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
        # Parents before children, regardless of the order in the file
        below = collections.defaultdict(list)
        for joint in self._joints:
            below[joint[2]].append(joint)
        reached, ordered = [link for link in self.links if link not in children], []
        for link in reached:
            ordered += below[link]
            reached += [joint[3] for joint in below[link]]
        if len(ordered) < len(joints):
            raise Error(f'"{path}": its joints form a ring')
        self._joints = ordered

    def _find_near(self):
        """Groups links that are fixed to each other, and lists which groups a joint connects. Pairs of links would be too
        many."""
        self._group = {link: number for number, link in enumerate(self.links)}
        for _, kind, parent, child, *_ in self._joints:
            if kind not in MOVING:
                self._group[child] = self._group[parent]
        self._near = {group: {group} for group in self._group.values()}
        for _, _, parent, child, *_ in self._joints:
            one, other = self._group[parent], self._group[child]
            self._near[one].add(other)
            self._near[other].add(one)

    def ignore(self, first, second):
        """Ignores a pair of links. Links that a joint connects, and links fixed to those, are ignored already."""
        for link in (first, second):
            if link not in self._group:
                raise Error(f'there is no link "{link}"')
        self._ignored[first].add(second)
        self._ignored[second].add(first)

    def poses(self, positions=None):
        """Returns a dict with the pose (4, 4) of each link, in the frame of the root. Omitted joints are at 0."""
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
            poses[child] = _after(child, poses[parent], origin, moved)
        return poses

    def _placed(self, positions):
        poses = self.poses(positions)
        return [(link, shape, _after(link, poses[link], origin)) for link, shape, origin in self.parts]

    def _gaps(self, placed):
        """Yields for each part the later parts that it may touch, and the distances of their bounding spheres."""
        groups = np.array([self._group[link] for link, *_ in placed])
        numbers = {link: number for number, link in enumerate(self.links)}
        links = np.array([numbers[link] for link, *_ in placed])
        places = np.array([pose[:3, 3] for _, _, pose in placed]).reshape(-1, 3)
        radii = np.array([shape.radius for _, shape, _ in placed])
        for i, (link, *_) in enumerate(placed):
            left_out = np.isin(groups[i + 1:], list(self._near[groups[i]]))
            if ignored := self._ignored.get(link):
                left_out |= np.isin(links[i + 1:], [numbers[name] for name in ignored])
            later = i + 1 + np.flatnonzero(~left_out)
            yield i, later, np.linalg.norm(places[later] - places[i], axis=1) - radii[i] - radii[later]

    def _pairs(self, placed, most):
        """Returns the pairs of parts whose bounding spheres are at most `most` apart, the nearest first: distance and two
        part numbers. All pairs of a robot might not fit into memory."""
        gaps, ones, others = [np.empty(0)], [np.empty(0, int)], [np.empty(0, int)]
        for i, later, gap in self._gaps(placed):
            near = gap <= most
            gaps.append(gap[near])
            ones.append(np.full(near.sum(), i))
            others.append(later[near])
        gaps, ones, others = map(np.concatenate, (gaps, ones, others))
        order = np.argsort(gaps, kind="stable")
        return zip(gaps[order], ones[order], others[order]), len(order)

    def collisions(self, positions=None, *, budget=None):
        """Finds links that touch: a list of (link, link, Refinement). `budget` is in seconds for all pairs."""
        if budget is not None and not 0 <= budget <= 1e6:
            raise Error("a budget must be 0 to 1e6 seconds")
        end = None if budget is None else time.perf_counter() + budget
        placed, found = self._placed(positions), []
        # Spheres that are apart by more than rounding prove that the parts are apart
        size = max((np.abs(pose[:3, 3]).sum() + shape.radius for _, shape, pose in placed), default=0.0)
        pairs, count = self._pairs(placed, 1e-6 * size)
        for number, (_, i, j) in enumerate(pairs):
            (a, one, here), (b, other, there) = placed[i], placed[j]
            share = None if end is None else max(0.0, end - time.perf_counter()) / (count - number)
            answer = collide(one, here, other, there, budget=share)
            if answer.verdict != Verdict.SEPARATE:
                found.append((a, b, answer))
        return found

    def min_distance(self, positions=None):
        """Finds the nearest links: (link, link, DistanceBounds), or None if there is no pair."""
        placed = self._placed(positions)
        first = min(((gap.min(), i, later[gap.argmin()]) for i, later, gap in self._gaps(placed) if gap.size),
                    default=None, key=lambda each: each[0])
        if first is None:
            return None
        (_, one, here), (_, other, there) = (placed[number] for number in first[1:])
        best, most = None, max(first[0], distance(one, here, other, there).upper)
        for gap, i, j in self._pairs(placed, most)[0]:
            (a, one, here), (b, other, there) = placed[i], placed[j]
            if best and (gap > best[2].upper or best[2].upper == 0):
                break
            bounds = distance(one, here, other, there)
            if best is None or bounds.upper < best[2].upper:
                best = a, b, bounds
        return best

    def add_to(self, world, positions=None, *, assembly=None, **traits):
        """Adds all parts to a World, and returns the list of their handles. They collide with other bodies only.

        Without an `assembly`, 0 to 65535, the robot gets a number of its own above these, so that robots collide with each
        other. `traits` are those of World.add().
        """
        bodies = []
        if assembly is None:
            assembly = next(_assemblies)
        elif not 0 <= assembly < 1 << 16:
            raise Error(f"assembly is {assembly}, but must be 0 to 65535: those above are robots' own")
        try:
            for _, shape, pose in self._placed(positions):
                bodies.append(world.add(shape, pose, **traits))
                world._move_to_assembly(bodies[-1], assembly)
        except BaseException:
            for body in bodies:
                world.remove(body)
            raise
        return bodies

    def move_in(self, world, bodies, positions=None):
        """Moves the bodies that add_to() returned. Moves none of them if a body or a pose is refused."""
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
    """Reads a URDF file and returns its Robot.

    packages  folders that contain the packages of package:// names
    visual    True: links without collision shapes get their visual shapes
    settings  those of Shape(), such as quality="none"

    >>> arm = nearmiss.robot("arm.urdf", packages=["/opt/ros/share"])
    """
    return Robot(file, packages, visual, **settings)
