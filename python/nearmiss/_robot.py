# SPDX-License-Identifier: MIT
"""nearmiss.robot(): the links of a URDF file as shapes, posed by its joints."""
import pathlib
import time
import xml.etree.ElementTree as ElementTree

import numpy as np

from ._core import Error, Shape, Verdict, collide, distance

SECTORS, RINGS = 32, 8
MOVING = {"revolute", "continuous", "prismatic"}


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
    """The pose of <origin>: about the fixed axes x, y and z, in this order."""
    origin = element.find("origin")
    pose = np.eye(4)
    pose[:3, 3] = _numbers(origin, "xyz", 3, (0, 0, 0))
    for axis, angle in zip(np.eye(3), _numbers(origin, "rpy", 3, (0, 0, 0))):
        pose[:3, :3] = _turn(axis, angle) @ pose[:3, :3]
    return pose


def _turned(profile):
    """A closed surface of rings about z, each a distance from the axis and a height."""
    around = 2 * np.pi * np.arange(SECTORS) / SECTORS
    vertices = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in around]
    faces, last = [], (len(profile) - 1) * SECTORS
    for ring in range(0, last, SECTORS):
        for k in range(SECTORS):
            a, b = ring + k, ring + (k + 1) % SECTORS
            faces += [(a, b, b + SECTORS), (a, b + SECTORS, a + SECTORS)]
    for k in range(1, SECTORS - 1):
        faces += [(0, k + 1, k), (last, last + k, last + k + 1)]
    return np.array(vertices), np.array(faces)


OUTWARD = 1 / np.cos(np.pi / SECTORS)


def _cylinder(radius, length):
    return _turned([(OUTWARD * radius, -length / 2), (OUTWARD * radius, length / 2)])


def _capsule(radius, length):
    """Flat where the shape is round, and nowhere inside of it."""
    step = np.pi / (2 * RINGS)
    out = radius / np.cos(step / 2)
    angles = -np.pi / 2 + (np.arange(2 * RINGS) + 0.5) * step
    return _turned([(OUTWARD * out * np.cos(a), out * np.sin(a) + np.sign(a) * length / 2) for a in angles])


def _box(size):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size / 2
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6],
             [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return corners, np.array(faces)


class _Reader:
    """Turns <geometry> elements into shapes; equal meshes of one scale share theirs."""

    def __init__(self, file, packages, settings):
        self.file, self.settings, self.loaded = file, settings, {}
        self.packages = [*map(pathlib.Path, packages), *file.resolve().parents]

    def shape(self, geometry):
        kinds = list(geometry) if geometry is not None else []
        if not kinds:
            raise Error("a shape has no geometry")
        element = kinds[0]
        if element.tag == "mesh":
            return self.mesh(element)
        if element.tag == "box":
            return Shape(*_box(self.positive(element, "size", 3)), **self.settings)
        if element.tag == "sphere":
            return Shape(*_capsule(self.positive(element, "radius", 1)[0], 0.0), **self.settings)
        if element.tag in ("cylinder", "capsule"):
            made = _cylinder if element.tag == "cylinder" else _capsule
            radius, length = (self.positive(element, name, 1)[0] for name in ("radius", "length"))
            return Shape(*made(radius, length), **self.settings)
        raise Error(f"<{element.tag}> is no geometry of a URDF")

    @staticmethod
    def positive(element, name, count):
        values = _numbers(element, name, count, (0,) * count)
        if not (values > 0).all():
            raise Error(f"{name} of <{element.tag}> is not above 0")
        return values

    def mesh(self, element):
        scale = _numbers(element, "scale", 3, (1, 1, 1))
        if not scale.all():
            raise Error("the scale of <mesh> is 0")
        file = self.found(element.get("filename") or "")
        key = str(file), tuple(scale)
        if key not in self.loaded:
            if (scale == 1).all():
                self.loaded[key] = Shape.load(file, **self.settings)
            else:
                plain = Shape.load(file, builder="octree", levels=1)
                # A mirror turns what was outside inside
                faces = plain.faces if scale.prod() > 0 else plain.faces[:, ::-1]
                self.loaded[key] = Shape(plain.vertices * scale, faces, **self.settings)
        return self.loaded[key]

    def found(self, name):
        if name.startswith("package://"):
            inside = pathlib.PurePosixPath(name.removeprefix("package://"))
            package, rest = inside.parts[0], pathlib.Path(*inside.parts[1:])
            tried = [folder / package / rest for folder in self.packages]
            tried += [folder / rest for folder in self.packages if folder.name == package]
        else:
            tried = [self.file.parent / name.removeprefix("file://")]
        for file in tried:
            if file.is_file():
                return file
        raise Error(f'"{self.file}" names the mesh "{name}", which is not there')


class Robot:
    """The links of a robot, each of shapes that joints move. Made by nearmiss.robot().

    Joints turn or slide as revolute, continuous and prismatic ones do, beyond their limits too; those of other types are
    fixed. Round shapes are polyhedra around them, at most 1 % larger.
    """

    def __init__(self, file, packages=(), visual=False, **settings):
        path = pathlib.Path(file)
        try:
            root = ElementTree.parse(path).getroot()
        except OSError as fault:
            raise Error(f'cannot read "{path}": {fault.strerror}') from None
        except ElementTree.ParseError as fault:
            raise Error(f'"{path}" is no XML: {fault}') from None
        if root.tag != "robot":
            raise Error(f'"{path}" is no URDF: its root is <{root.tag}>')
        self.name = root.get("name", path.stem)
        self.links = [link.get("name") for link in root.findall("link")]
        reader = _Reader(path, packages, settings)
        self.parts = []
        for link in root.findall("link"):
            shapes = link.findall("collision") or (link.findall("visual") if visual else [])
            for shape in shapes:
                try:
                    made = reader.shape(shape.find("geometry"))
                    self.parts.append((link.get("name"), made, _origin(shape)))
                except Error as fault:
                    raise Error(f'link "{link.get("name")}": {fault}') from None
        self._read_joints(path, root.findall("joint"))
        self._ignored = self._always_near()

    def _read_joints(self, path, joints):
        self._joints, self._mimic, self.limits = [], {}, {}
        children = set()
        for joint in joints:
            name, kind = joint.get("name"), joint.get("type")
            ends = [end.get("link") if end is not None else None for end in (joint.find("parent"), joint.find("child"))]
            if not set(ends) <= set(self.links) or ends[1] in children:
                raise Error(f'"{path}": the joint "{name}" does not join two links, or its child has another parent')
            children.add(ends[1])
            axis = _numbers(joint.find("axis"), "xyz", 3, (1, 0, 0))
            size = np.linalg.norm(axis)
            if kind in MOVING and size == 0:
                raise Error(f'"{path}": the axis of the joint "{name}" is 0')
            self._joints.append((name, kind, *ends, _origin(joint), axis / (size or 1)))
            mimic, limit = joint.find("mimic"), joint.find("limit")
            if mimic is not None:
                factor, shift = _numbers(mimic, "multiplier", 1, (1,))[0], _numbers(mimic, "offset", 1, (0,))[0]
                self._mimic[name] = mimic.get("joint"), factor, shift
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

    def add_to(self, world, positions=None, *, assembly=1, **traits):
        """Adds all parts to a nearmiss.World, which then asks only how they meet others; returns their bodies."""
        return [world.add(shape, pose, assembly=assembly, **traits) for _, shape, pose in self._placed(positions)]

    def move_in(self, world, bodies, positions=None):
        """Moves what add_to() added."""
        for body, (_, _, pose) in zip(bodies, self._placed(positions), strict=True):
            world.set(body, pose)


def robot(file, packages=(), visual=False, **settings):
    """The robot of a URDF file. `packages`: folders with the packages of package:// names; `visual`: links without
    collision shapes have their visual ones; the rest is for Shape, `levels=3` say."""
    return Robot(file, packages, visual, **settings)
