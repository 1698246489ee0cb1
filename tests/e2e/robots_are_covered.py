# SPDX-License-Identifier: MIT
"""Judges the spheres of whole robots by the files that they were fitted to, and by nothing that the program read.

Writes 14 robots, URDF with STL, OBJ and Collada meshes and MJCF, in metres, centimetres, millimetres and inches, with
every up-axis, turned, mirrored, of bare primitives and of several shapes per link; has `robot` cover them; and looks for
points of the links' surfaces, as this script placed them, that no sphere holds. Prints time per link and memory.

usage: robots_are_covered.py PROGRAM FOLDER [--points N] [--count N] [ROBOT...]
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import robot_parts as parts


def turned(axis, angle):
    """The matrix of a turn about an axis of the frame, x, y or z."""
    c, s = math.cos(angle), math.sin(angle)
    i, j = ((1, 2), (2, 0), (0, 1))["xyz".index(axis)]
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def euler(sequence, angles):
    """MuJoCo's: lower case turns about the axes that turn along, upper case about fixed ones."""
    matrix = np.eye(3)
    for axis, angle in zip(sequence, angles):
        turn = turned(axis.lower(), angle)
        matrix = matrix @ turn if axis.islower() else turn @ matrix
    return matrix


class Robot:
    """The text of a robot file, and the surfaces of its links as (sampler, map to the link's frame)."""

    def __init__(self, folder, name):
        self.folder, self.name, self.links, self.text = folder, name, {}, []

    def add(self, link, sampler, scale=(1, 1, 1), turn=None, at=(0, 0, 0)):
        turn = np.eye(3) if turn is None else turn
        scale, at = np.array(scale, float), np.array(at, float)
        self.links.setdefault(link, []).append((sampler, lambda p: (p * scale) @ turn.T + at))

    def points(self, link, random, count):
        shapes = self.links[link]
        return np.vstack([place(sample(random, count // len(shapes) + 1)) for sample, place in shapes])


def urdf(folder, name, write, unit=1.0, mirror=False, told=1.0, **how):
    """An arm of meshes: `unit` of the file's numbers in metres, of which the file tells `told` itself."""
    robot = Robot(folder, name)
    robot.text = ['<robot name="%s">' % name]
    scale = np.full(3, unit / told)
    if mirror:
        scale[1] = -scale[1]
    for k, (link, points, faces) in enumerate(parts.arm()):
        rpy, at = (0.3 * k, -0.2 * k, 0.5 * k), (0.05 * k, -0.02, 0.1)
        file = "%s_%s%s" % (name, link, how.get("suffix", ""))
        own = write(folder / file, points / unit, faces, **{k: v for k, v in how.items() if k != "suffix"})
        turn = turned("z", rpy[2]) @ turned("y", rpy[1]) @ turned("x", rpy[0])
        robot.add(link, parts.surface(own, faces), scale * told, turn, at)
        robot.text.append('<link name="%s"><collision><origin xyz="%.17g %.17g %.17g" rpy="%.17g %.17g %.17g"/><geometry>'
                          '<mesh filename="%s" scale="%.17g %.17g %.17g"/></geometry></collision></link>'
                          % (link, *at, *rpy, file, *scale))
    robot.text.append("</robot>")
    return robot


def urdf_primitives(folder, name):
    robot = Robot(folder, name)
    robot.text = ['<robot name="%s">' % name]
    for k, (kind, size, sampler) in enumerate(parts.primitives()):
        attributes = {"box": 'size="%.17g %.17g %.17g"', "cylinder": 'radius="%.17g" length="%.17g"',
                      "capsule": 'radius="%.17g" length="%.17g"', "sphere": 'radius="%.17g"'}.get(kind)
        if attributes is None:
            continue
        rpy, at, link = (0.4, 0.3 * k, -0.7), (0.01 * k, 0.2, -0.3), "%s%d" % (kind, k)
        robot.add(link, sampler, turn=turned("z", rpy[2]) @ turned("y", rpy[1]) @ turned("x", rpy[0]), at=at)
        robot.text.append('<link name="%s"><collision><origin xyz="%.17g %.17g %.17g" rpy="%.17g %.17g %.17g"/><geometry>'
                          "<%s %s/></geometry></collision></link>" % (link, *at, *rpy, kind, attributes % size))
    robot.text.append("</robot>")
    return robot


def mjcf(folder, name, write, suffix, sequence, degrees, scale):
    """An arm of meshes, scaled by axis, each beside a capsule of the same body."""
    robot = Robot(folder, name)
    assets, bodies = [], []
    for k, (link, points, faces) in enumerate(parts.arm()):
        file = "%s_%s%s" % (name, link, suffix)
        own = write(folder / file, points / np.array(scale), faces)
        angles, at = (0.3 * k, 0.5, -0.4), (0.1, 0.02 * k, -0.05)
        robot.add(link, parts.surface(own, faces), scale, euler(sequence, angles), at)
        robot.add(link, parts.capsule(0.02, 0.1), at=(0, 0, 0.05))
        told = [math.degrees(a) for a in angles] if degrees else angles
        assets.append('<mesh name="%s" file="%s" scale="%.17g %.17g %.17g"/>' % (link, file, *scale))
        bodies.append('<body name="%s" pos="0 0 0.1"><geom type="mesh" mesh="%s" pos="%.17g %.17g %.17g" '
                      'euler="%.17g %.17g %.17g"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.1"/>'
                      % (link, link, *at, *told))
    robot.text = ['<mujoco model="%s"><compiler angle="%s" eulerseq="%s"/><asset>' % (
        name, "degree" if degrees else "radian", sequence), *assets, "</asset><worldbody>", *bodies,
        "</body>" * len(bodies), "</worldbody></mujoco>"]
    return robot


def mjcf_primitives(folder, name):
    """Primitives by default classes, by quaternions and in nested frames."""
    robot = Robot(folder, name)
    bodies = []
    for k, (kind, size, sampler) in enumerate(parts.primitives()):
        half = [0.5 * s for s in size] if kind == "box" else size
        if kind in ("cylinder", "capsule"):
            half = size[0], 0.5 * size[1]
        link, angle, at = "%s%d" % (kind, k), 0.4 * k + 0.2, (0.1, -0.2, 0.05 * k)
        # A frame turned about z around a geom that is turned about x
        robot.add(link, sampler, turn=turned("z", 0.5) @ turned("x", angle), at=turned("z", 0.5) @ np.array(at))
        bodies.append('<body name="%s"><frame quat="%.17g 0 0 %.17g"><geom class="c" type="%s" size="%s" pos="%.17g %.17g '
                      '%.17g" axisangle="1 0 0 %.17g"/></frame></body>'
                      % (link, math.cos(0.25), math.sin(0.25), kind, " ".join("%.17g" % s for s in half), *at, angle))
    robot.text = ['<mujoco model="%s"><compiler angle="radian"/><default><default class="c"><geom contype="1"/></default>'
                  "</default><worldbody>" % name, *bodies, "</worldbody></mujoco>"]
    return robot


ROBOTS = {
    "stl_metres": lambda f, n: urdf(f, n, parts.stl_binary, suffix=".stl"),
    "stl_millimetres": lambda f, n: urdf(f, n, parts.stl_binary, 0.001, suffix=".stl"),
    "stl_text": lambda f, n: urdf(f, n, parts.stl_text, 0.01, suffix=".stl"),
    "obj_centimetres": lambda f, n: urdf(f, n, parts.obj, 0.01, suffix=".obj"),
    "obj_mirrored": lambda f, n: urdf(f, n, parts.obj, 0.001, True, suffix=".obj"),
    "dae_x_up": lambda f, n: urdf(f, n, parts.collada, suffix=".dae", axis="X_UP"),
    "dae_y_up_cm": lambda f, n: urdf(f, n, parts.collada, 0.01, told=0.01, suffix=".dae", axis="Y_UP", metres=0.01),
    "dae_z_up_mm": lambda f, n: urdf(f, n, parts.collada, 0.001, told=0.001, suffix=".dae", axis="Z_UP", metres=0.001),
    "dae_inches": lambda f, n: urdf(f, n, parts.collada, 0.0508, True, told=0.0254, suffix=".dae", axis="Z_UP", metres=0.0254),
    "primitives": urdf_primitives,
    "mjcf_degrees": lambda f, n: mjcf(f, n, parts.obj, ".obj", "xyz", True, (1, 1, 1)),
    "mjcf_radians": lambda f, n: mjcf(f, n, parts.stl_binary, ".stl", "zYx", False, (0.001, 0.001, 0.001)),
    "mjcf_mirrored": lambda f, n: mjcf(f, n, parts.obj, ".obj", "XYZ", True, (-0.01, 0.01, 0.02)),
    "mjcf_primitives": mjcf_primitives,
}


def covered(program, robot, file, count):
    """The robot as JSON, seconds of each link as it was told, of all cores together, and the largest memory in MB."""
    out = file.with_suffix(".json")
    with subprocess.Popen([program, "robot", file, "-o", out, "--format", "json", "--count", str(count)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        last, seconds = time.monotonic(), []
        for line in child.stdout:
            now = time.monotonic()
            if line.split(" ")[0] in robot.links:
                seconds.append(now - last)
            last = now
        told = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        print("%s: %s" % (robot.name, told.strip()))
        return None, [], 0.0, 0.0
    return json.loads(out.read_text()), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def outside(points, spheres, share=1.0):
    """How far each point is from the spheres, of which `share` of the radius counts."""
    worst = np.full(len(points), np.inf)
    for sphere in spheres:
        away = np.sqrt(((points - np.array(sphere["center"])) ** 2).sum(1)) - share * sphere["radius"]
        worst = np.minimum(worst, away)
    return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--points", type=int, default=20_000, help="of a robot")
    parser.add_argument("--count", type=int, default=32, help="spheres of a link, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("robots", nargs="*")
    options = parser.parse_intermixed_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(options.seed)
    faults, points, seconds, memory, cores, noticed = 0, 0, [], 0.0, 0.0, 0
    for name in options.robots or ROBOTS:
        robot = ROBOTS[name](options.folder, name)
        file = options.folder / (name + (".xml" if name.startswith("mjcf") else ".urdf"))
        file.write_text("\n".join(robot.text))
        found, times, core, used = covered(options.program, robot, file, options.count)
        spheres = {link["name"]: link["spheres"] for link in found["links"]} if found else {}
        if set(spheres) != set(robot.links):
            print("%-16s has spheres on other links" % name)
            faults += 1
            continue
        judged = bare = 0
        for link, own in spheres.items():
            on = robot.points(link, random, options.points // len(spheres) + 1)
            size = np.abs(on).max()
            away = outside(on, own)
            judged += len(on)
            bare += int((away > 1e-12 * size).sum())
            # A judge that never objects is none
            noticed += bool((outside(on[:5000], own, 0.97) > 0).any())
        print("%-16s %d links, %3d spheres, %7d points: %d outside; %5.1f s, slowest link %.1f s, %5.1f core s, %4.0f MB"
              % (name, len(spheres), sum(map(len, spheres.values())), judged, bare, sum(times), max(times, default=0), core,
                 used), flush=True)
        faults, points, memory, cores = faults + bare, points + judged, max(memory, used), cores + core
        seconds += times
    print("%d points of %d links: %d outside; %.2f s per link in the median, %.1f s at most, %.2f core s in the mean; at most "
          "%.0f MB" % (points, len(seconds), faults, np.median(seconds or [0]), max(seconds, default=0),
                       cores / max(len(seconds), 1), memory))
    if noticed < 0.9 * len(seconds):
        print("spheres 3 %% smaller leave nothing outside on %d links: this judges nothing" % (len(seconds) - noticed))
    return 0 if faults == 0 and noticed >= 0.9 * len(seconds) > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
