#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clashes in BIM Collaboration Format, read by programs that share no code with ours: bcf_is_read.py PROGRAM FOLDER"""
import math
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

CUBE = "".join(f"v {x} {y} {z}\n" for z in (-1, 1) for y in (-1, 1) for x in (-1, 1))
FACES = ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6")
GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Name, position: a pair of each class but clear
OBJECTS = (("wall <a> & \"b\"", 0), ("röhre", 1.5), ("first", 10), ("second", 10), ("low", 20), ("high", 22),
           ("near", 30), ("far", 32.04), ("alone", 50))
EXPECTED = {("wall <a> & \"b\"", "röhre"): "protruding", ("first", "second"): "duplicate", ("low", "high"): "touching",
            ("near", "far"): "within clearance"}


def vector(element):
    return [float(element.find(axis).text) for axis in "XYZ"]


def run(program, folder, *words):
    done = subprocess.run([program, "interfere", "plant.toml", "--tree", "octree", "--store", "store", "--clearance", "0.05",
                           *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def check_topic(archive, guid):
    markup = ElementTree.fromstring(archive.read(f"{guid}/markup.bcf"))
    topic = markup.find("Topic")
    assert topic.get("Guid") == guid and topic.get("TopicType") == "Clash" and topic.get("TopicStatus") == "Open"
    # In the order of the schema
    assert [child.tag for child in topic] == ["Title", "Labels", "CreationDate", "CreationAuthor", "Description"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", topic.find("CreationDate").text)
    assert topic.find("Title").text.startswith(topic.find("Labels").text + ": ")
    seen = markup.find("Viewpoints")
    assert seen.find("Viewpoint").text == "viewpoint.bcfv"
    view = ElementTree.fromstring(archive.read(f"{guid}/viewpoint.bcfv"))
    assert view.tag == "VisualizationInfo" and view.get("Guid") == seen.get("Guid") and GUID.fullmatch(seen.get("Guid"))
    assert [child.tag for child in view] == ["Components", "PerspectiveCamera"]
    names = tuple(tool.text for tool in view.iter("AuthoringToolId"))
    for name in names:
        assert name in topic.find("Title").text and name in topic.find("Description").text
    camera = view.find("PerspectiveCamera")
    assert [child.tag for child in camera] == ["CameraViewPoint", "CameraDirection", "CameraUpVector", "FieldOfView"]
    eye, direction, up = (vector(camera.find(tag)) for tag in ("CameraViewPoint", "CameraDirection", "CameraUpVector"))
    assert abs(math.hypot(*direction) - 1) < 1e-6 and abs(math.hypot(*up) - 1) < 1e-6
    assert abs(sum(a * b for a, b in zip(direction, up))) < 1e-6 and up[2] > 0
    assert 45 <= float(camera.find("FieldOfView").text) <= 60
    return names, topic.find("Labels").text, eye, direction


def looks_at(eye, direction, point):
    away = [p - e for p, e in zip(point, eye)]
    length = math.hypot(*away)
    return length > 1 and sum(a * d for a, d in zip(away, direction)) > length * (1 - 1e-6)


def main():
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "cube.obj").write_text(CUBE + "".join(f"f {face}\n" for face in FACES))
    layout = "version = 1\n" + "".join(
        f"[[objects]]\nname = '{name}'\nmodel = \"cube.obj\"\nposition = [{x}, 0, 0]\n" for name, x in OBJECTS)
    (folder / "plant.toml").write_text(layout, encoding="utf-8")
    run(program, folder, "--bcf", "a.bcf", "-o", "a.csv")
    with zipfile.ZipFile(folder / "a.bcf") as archive:
        assert archive.testzip() is None
        assert archive.infolist()[0].date_time[0] >= 2024
        version = ElementTree.fromstring(archive.read("bcf.version"))
        assert version.tag == "Version" and version.get("VersionId") == "2.1"
        guids = sorted({name.split("/")[0] for name in archive.namelist()} - {"bcf.version"})
        assert len(archive.namelist()) == 1 + 2 * len(guids) and all(GUID.fullmatch(guid) for guid in guids)
        topics = [check_topic(archive, guid) for guid in guids]
    assert {names: kind for names, kind, _, _ in topics} == EXPECTED, topics
    # The camera looks at the point in the table
    rows = [line.split(",") for line in (folder / "a.csv").read_text(encoding="utf-8").splitlines()[1:]]
    assert len(rows) == len(topics)
    for row in rows:
        point = [float(cell) for cell in row[-3:]]
        eye, direction = next((eye, direction) for names, _, eye, direction in topics
                              if names[1] == row[1])
        assert looks_at(eye, direction, point), row
    # The same topics again, and fewer where fewer are asked for
    run(program, folder, "--bcf", "b.bcf", "--classes", "touching,duplicate")
    with zipfile.ZipFile(folder / "b.bcf") as archive:
        fewer = {name.split("/")[0] for name in archive.namelist()} - {"bcf.version"}
    assert len(fewer) == 2 and fewer < set(guids)
    print(f"{len(topics)} topics")


main()
