#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/commands.md from what the program says with --help.

    docs/commands.py build/nearmiss            writes it
    docs/commands.py build/nearmiss --check    fails if it differs from what would be written
"""
import os
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent / "commands.md"
HEAD = """# Commands

Written by `docs/commands.py` from the program's `--help`. `nearmiss` alone is `nearmiss fly`.
"""


def help_of(program, command):
    # A fixed width and nobody's folders, so that the page is the same everywhere
    clean = {**os.environ, "COLUMNS": "100", "HOME": "/home/you", "NO_COLOR": "1"}
    for name in [n for n in clean if n.startswith("XDG_")]:
        del clean[name]
    done = subprocess.run([program, *command, "--help"], env=clean, capture_output=True, text=True, check=True)
    return done.stdout.rstrip()


def subcommands(text):
    """Names of the lines below the heading of subcommands."""
    _, found, listed = text.partition("\nSubcommands:\n")
    return re.findall(r"^ {2}(\S+)", listed, re.MULTILINE) if found else []


def sections(program, command=()):
    text = help_of(program, command)
    yield f"## nearmiss {' '.join(command)}".rstrip() + f"\n\n```\n{text}\n```\n"
    for name in subcommands(text):
        yield from sections(program, (*command, name))


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    page = HEAD + "\n" + "\n".join(sections(program))
    if "--check" not in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page:
        sys.exit(f"docs/commands.md is not what the program says: run docs/commands.py {sys.argv[1]}")


if __name__ == "__main__":
    main()
