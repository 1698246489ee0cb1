#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the pages are true of the tree: README, CONTRIBUTING, CHANGELOG, packaging/README.md, docs/*.md and docs/algorithms/*.md.

Every link leads to a file or a heading, every path in backquotes exists, every code block that is a file of
examples/ is that file, every picture is made by a script, shown and small, every kept table is in
the list of docs/results.md, every experiment in that of docs/measuring.md, and every public header in docs/reference.md.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = "app|assets|cmake|collision|docs|engine|examples|packaging|python|shaders|tests|third_party"
SNIPPETS = {"README.md": {"cpp": "first_answer.cpp", "python": "first_answer.py"},
            "docs/hello.md": {"cmake": "hello/CMakeLists.txt", "cpp": "hello/main.cpp", "python": "hello/hello.py",
                              "toml": "hello/scene.toml"},
            "docs/physics.md": {"cpp": "stack_solver.h"}}
# Each of these pages begins with a program and what it prints
for program in sorted((ROOT / "examples/algorithms").glob("*.cpp")) + sorted((ROOT / "examples/algorithms").glob("*.sh")):
    SNIPPETS[f"docs/algorithms/{program.stem.replace('_', '-')}.md"] = {
        program.suffix[1:]: f"algorithms/{program.name}", "": f"algorithms/{program.stem}.txt"}
MAX_PICTURE = 400_000  # bytes
faults = []


def pages():
    found = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "packaging/README.md")]
    return found + sorted((ROOT / "docs").glob("*.md")) + sorted((ROOT / "docs/algorithms").glob("*.md"))


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def check_links(page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            faults.append(f"{page.relative_to(ROOT)}: {target} leads nowhere")
        elif anchor and anchor not in anchors(file):
            faults.append(f"{page.relative_to(ROOT)}: {name} has no heading for #{anchor}")


def check_paths(page, text, names):
    for quoted in re.findall(r"`([^`\n]+)`", text):
        for path in re.findall(rf"(?<![\w/.-])(?:{FOLDERS})/[\w./-]*\w", quoted):
            if not (ROOT / path).exists():
                faults.append(f"{page.relative_to(ROOT)}: there is no {path}")
        for header in re.findall(r"(?<![\w/.-])nearmiss/[\w/]+\.h", quoted):
            if not (ROOT / "collision/include" / header).exists():
                faults.append(f"{page.relative_to(ROOT)}: there is no {header}")
        if re.fullmatch(r"\w+\.(cpp|h)", quoted) and quoted not in names and quoted != "main.cpp":
            faults.append(f"{page.relative_to(ROOT)}: there is no {quoted}")


def check_experiments():
    table = (ROOT / "docs/measuring.md").read_text(encoding="utf-8").partition("| experiment |")[2].partition("\n\n")[0]
    listed = set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE))
    commands = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    known = set(re.findall(r"^## nearmiss lab ([\w-]+)$", commands, re.MULTILINE)) - {"all", "merge"}
    for name in sorted(listed ^ known):
        faults.append(f"docs/measuring.md: the table of experiments has {'no' if name in known else 'a strange'} {name}")


def check_snippets():
    for page, snippets in SNIPPETS.items():
        text = (ROOT / page).read_text(encoding="utf-8")
        for language, name in snippets.items():
            file = (ROOT / "examples" / name).read_text(encoding="utf-8")
            file = re.sub(r"\A(//|#) SPDX.*\n", "", file)
            if f"```{language}\n{file}```" not in text:
                faults.append(f"{page} does not show examples/{name} as it is")


def check_headers():
    text = (ROOT / "docs/reference.md").read_text(encoding="utf-8")
    include = ROOT / "collision/include"
    for header in sorted(include.rglob("*.h")):
        if header.parent.name != "detail" and f"`{header.relative_to(include)}`" not in text:
            faults.append(f"docs/reference.md does not list {header.relative_to(include)}")


def check_pictures(texts):
    shown = {name for text in texts for name in re.findall(r"images/([a-z0-9-]+\.(?:png|svg))", text)}
    images = ROOT / "docs/images"
    makers = "".join((images / maker).read_text(encoding="utf-8") for maker in ("make.sh", "diagrams.py"))
    for file in sorted((*images.glob("*.png"), *images.glob("*.svg"))):
        if file.name not in shown:
            faults.append(f"no page shows docs/images/{file.name}")
        if not re.search(rf'\n(scene|window) {file.stem} |/{file.name}|"{file.stem}": ', makers):
            faults.append(f"no script makes docs/images/{file.name}")
        if file.stat().st_size > MAX_PICTURE:
            faults.append(f"docs/images/{file.name} has more than {MAX_PICTURE} bytes")


def check_kept_tables(results):
    rows = results.partition("\n## Kept tables\n")[2].splitlines()
    listed = sorted(name for row in rows if row.startswith("| `") for name in re.findall(r"`(\w+\.csv)`", row.split(" | ")[0]))
    kept = sorted(table.name for table in (ROOT / "docs/measurements").glob("*.csv"))
    for name in sorted(set(listed) ^ set(kept)):
        faults.append(f"docs/results.md lists {name}, which is not kept" if name in listed else
                      f"docs/results.md does not list {name}")
    # A row in pieces begins with the name of a table elsewhere too
    for row in results.partition("\n## Kept tables\n")[0].splitlines():
        if re.match(r"\| `\w+\.csv` \|", row):
            faults.append(f"docs/results.md has a row without its finding: {row[:40]}")


def main():
    names = {file.name for folder in FOLDERS.split("|") for file in (ROOT / folder).rglob("*")}
    for page in pages():
        text = page.read_text(encoding="utf-8")
        check_links(page, text)
        check_paths(page, text, names)
    check_experiments()
    check_snippets()
    check_headers()
    check_pictures([page.read_text(encoding="utf-8") for page in pages()])
    check_kept_tables((ROOT / "docs/results.md").read_text(encoding="utf-8"))
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()
