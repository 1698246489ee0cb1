#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a public header as Doxygen reads it.

The first comment becomes the description of the file, and the file joins the group of its folder (reference.dox).
In nearmiss_c.h, each comment becomes a documentation comment of the declaration below it or on its line.
"""
import pathlib
import re
import sys


def main():
    header = pathlib.Path(sys.argv[1])
    lines = header.read_text(encoding="utf-8").splitlines()
    group = {"advanced": "advanced", "rivals": "rivals"}.get(header.parent.name, "core")
    # In place of the licence, so that warnings name the right line
    about = f"@file {'' if header.parent.name == 'nearmiss' else header.parent.name + '/'}{header.name} @ingroup {group}"
    if lines[0].startswith("//"):
        lines[0] = f"/// {about}"
    else:
        lines = [re.sub(r"^(\s*)/\* ", r"\1/** ", re.sub(r"(\S.*)/\* ", r"\1/**< ", line)) for line in lines]
        lines[0] = f"/** {about}"
        lines[1] = lines[1].replace("/**", "", 1)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
