#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every header compiles alone, and headers that comments name are there:
check_headers.py COMPILE_COMMANDS MEMORY FOLDER...

Most of what a header costs is the standard library, over and over. So a few sets of foreign headers are
precompiled, and a header is compiled with the largest set of which it includes all itself: nothing
that it does not include is visible. For the same reason a header that another one includes is compiled
before it, in one run. The file MEMORY names what has passed, until it changes.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NAME = re.compile(r"\w[\w/]*\.h\b")
MAX_SETS = 8


class Compiler:
    """The compiler of a build, with its warnings and all the folders that its sources include from"""

    def __init__(self, compile_commands):
        self.options = []
        for entry in json.loads(compile_commands.read_text()):
            words = shlex.split(entry["command"])
            words = words[pathlib.Path(words[0]).name == "ccache":]
            if pathlib.Path(entry["file"]).suffix != ".c":
                self.program = words[0]
                self.learn(words, entry["directory"])
        self.version = subprocess.run([self.program, "--version"], capture_output=True, text=True).stdout

    def learn(self, words, directory):
        for at, word in enumerate(words):
            if word.startswith("-I"):
                option = "-I" + os.path.normpath(os.path.join(directory, word[2:]))
            elif word == "-isystem":
                option = "-isystem" + os.path.normpath(os.path.join(directory, words[at + 1]))
            # What this project defines differs between its targets, and is no business of headers
            elif word.startswith(("-std=", "-D", "-W")) and not word.startswith("-DNEARMISS"):
                option = word
            else:
                continue
            if option not in self.options and option != "-Winvalid-pch":
                self.options.append(option)

    def folders(self):
        return [option[2:] for option in self.options if option.startswith("-I")]

    def run(self, options, source=""):
        command = [self.program, *self.options, *options]
        return subprocess.run(command, input=source, capture_output=True, text=True)

    def files_of(self, name):
        """All that a foreign header includes, itself among them"""
        rule = self.run(["-x", "c++", "-M", "-"], f"#include <{name}>\n").stdout
        return frozenset(rule.replace("\\\n", " ").split()[1:])


class Headers:
    """What each header includes in the end: files of this project, and foreign names"""

    def __init__(self, folders, include_folders):
        self.paths = sorted(str(path) for folder in folders for path in folder.rglob("*.h"))
        self.texts = {path: pathlib.Path(path).read_text() for path in self.paths}
        self.include_folders = include_folders
        self.own, self.foreign = {}, {}
        for path in self.paths:
            self.close(path)

    def close(self, path):
        if path in self.own:
            return
        own, foreign = self.own.setdefault(path, {path}), self.foreign.setdefault(path, set())
        for name in INCLUDE.findall(self.texts[path]):
            file = self.resolved(path, name)
            if file:
                self.close(file)
                own |= self.own[file]
                foreign |= self.foreign[file]
            else:
                foreign.add(name)

    def resolved(self, path, name):
        for folder in [os.path.dirname(path), *self.include_folders]:
            file = os.path.normpath(os.path.join(folder, name))
            if file in self.texts:
                return file
        return None

    def missing_names(self):
        """Headers that comments name by the end of a path that no header has"""
        ends = {"/".join(parts[-n:]) for parts in (path.split("/") for path in self.paths) for n in range(1, len(parts))}
        for path in self.paths:
            for comment in COMMENT.finditer(self.texts[path]):
                for name in NAME.finditer(comment[0]):
                    if name[0] not in ends:
                        line = self.texts[path].count("\n", 0, comment.start() + name.start()) + 1
                        yield f"{path}:{line}: there is no header {name[0]}"

    def fingerprint(self, path, version):
        texts = [version, *(self.texts[file] for file in sorted(self.own[path]))]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()


class ForeignSets:
    """Sets of foreign headers worth precompiling"""

    def __init__(self, foreign, compiler, pool):
        names = sorted(set().union(*foreign))
        self.files = dict(zip(names, pool.map(compiler.files_of, names)))
        sizes = {file: os.path.getsize(file) for some in self.files.values() for file in some}
        self.sets = []
        wanted = [self.files_of(some) for some in foreign]
        candidates = sorted(set(map(frozenset, foreign)), key=sorted)
        weights = {some: sum(sizes[file] for file in self.files_of(some)) for some in candidates}
        best = [0] * len(wanted)
        for _ in range(MAX_SETS):
            def saved(some):
                files = self.files_of(some)
                gains = (weights[some] - old for old, all in zip(best, wanted) if files <= all)
                return sum(gain for gain in gains if gain > 0)
            chosen = max(candidates, key=saved, default=None)
            # To precompile costs as much as two headers save
            if not chosen or saved(chosen) < 3 * weights[chosen]:
                break
            self.sets.append((weights[chosen], chosen))
            files = self.files_of(chosen)
            best = [max(old, weights[chosen]) if files <= all else old for old, all in zip(best, wanted)]
        self.sets.sort(key=lambda weighed: -weighed[0])

    def files_of(self, names):
        return frozenset().union(*(self.files[name] for name in names))

    def precompile(self, folder, compiler, pool):
        def made(number):
            source = "".join(f"#include <{name}>\n" for name in sorted(self.sets[number][1]))
            header = folder / f"set_{number}.h"
            header.write_text(source)
            return compiler.run(["-x", "c++-header", str(header), "-o", f"{header}.gch"]).returncode == 0
        good = list(pool.map(made, range(len(self.sets))))
        self.sets = [(self.files_of(some), folder / f"set_{number}.h")
                     for number, (_, some) in enumerate(self.sets) if good[number]]

    def for_header(self, foreign):
        files = self.files_of(foreign)
        return next((header for some, header in self.sets if some <= files), None)


def chains_of(paths, includes):
    """As few chains as cover the headers, each header one that the next of its chain includes"""
    after = {path: [other for other in paths if other != path and includes(other, path)] for path in paths}
    before = {}

    def joined(path, tried):
        for other in after[path]:
            if other not in tried:
                tried.add(other)
                if other not in before or joined(before[other], tried):
                    before[other] = path
                    return True
        return False
    inner = {path for path in paths if joined(path, set())}
    for path in paths:
        if path in inner:
            continue
        chain = [path]
        while chain[0] in before:
            chain.insert(0, before[chain[0]])
        yield chain


def main(compile_commands, memory, *folders):
    compiler, memory = Compiler(pathlib.Path(compile_commands)), pathlib.Path(memory)
    headers = Headers([pathlib.Path(folder).resolve() for folder in folders], compiler.folders())
    passed = set(json.loads(memory.read_text())) if memory.exists() else set()
    prints = {path: headers.fingerprint(path, compiler.version) for path in headers.paths}
    changed = [path for path in headers.paths if prints[path] not in passed]
    with (concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool,
          tempfile.TemporaryDirectory(dir=memory.parent) as folder):
        sets = ForeignSets([headers.foreign[path] for path in changed] or [set()], compiler, pool)
        sets.precompile(pathlib.Path(folder), compiler, pool)

        first = {path: sets.for_header(headers.foreign[path]) for path in changed}
        chains = chains_of(changed, lambda path, other: other in headers.own[path] and
                           first[path] == first[other])

        def errors_of(chain):
            files = [first[chain[0]], *chain]
            source = "".join(f'#include "{file}"\n' for file in files if file)
            answer = compiler.run(["-x", "c++", "-fsyntax-only", "-"], source)
            if answer.returncode == 0:
                return {}
            if len(chain) == 1:
                return {chain[0]: answer.stderr}
            return {path: text for path in chain for path, text in errors_of([path]).items()}
        errors = {path: text for found in pool.map(errors_of, chains) for path, text in found.items()}
    faulty = set(errors)
    memory.write_text(json.dumps(sorted(prints[path] for path in headers.paths if path not in faulty)))
    missing = list(headers.missing_names())
    print(*errors.values(), *missing, sep="\n")
    print(f"{len(headers.paths)} headers, {len(changed)} of them new, {len(faulty)} do not compile alone, "
          f"{len(missing)} are named and missing")
    return 1 if faulty or missing or not headers.paths else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
