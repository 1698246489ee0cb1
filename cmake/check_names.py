#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No two files define the same qualified name: check_names.py FOLDER...

Types and functions with linkage, in every .h and .cpp below the folders. Two definitions of one
name are undefined behaviour where they meet in a program, and no linker says so of types, templates
and inline functions. What an anonymous namespace holds, or `static` keeps, may repeat.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|&&|[{}()\[\];:,<>=&*~!]|[^\s\w]|\d[\w.']*")
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE)
ATTRIBUTE = re.compile(r"\[\[[^\]]*\]\]|\balignas\s*\([^()]*\)")
KINDS = {"struct", "class", "union", "enum"}
# Replaces other sources in the module for WebAssembly and never meets them
STAND_INS = {"without_files.cpp"}
CLOSING = {"(": ")", "[": "]", "{": "}"}


def tokens_of(text):
    """(token, line) of the code alone"""
    for kind in (NOT_CODE, ATTRIBUTE):
        text = kind.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    line, place = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", place, match.start())
        place = match.start()
        yield match.group(), line


def past_brackets(tokens, at):
    """The place after the bracket that closes the one at `at`"""
    open_ones = []
    while at < len(tokens):
        token = tokens[at][0]
        if token in CLOSING:
            open_ones.append(CLOSING[token])
        elif open_ones and token == open_ones[-1]:
            open_ones.pop()
            if not open_ones:
                return at + 1
        at += 1
    return at


def without_template_head(words):
    """The declaration after `template <...>`, its parameters named by their order"""
    names = {}
    while words[:1] == ["template"]:
        depth = 0
        for at, word in enumerate(words[1:], 1):
            depth += {"<": 1, ">": -1}.get(word, 0)
            if depth == 1 and words[at + 1] in (",", ">", "="):
                names.setdefault(word, f"T{len(names)}")
            if depth == 0:
                words = words[at + 1:]
                break
        else:
            return []
        if words[:1] == ["requires"]:  # as far as this reader goes
            return []
    return [names.get(word, word) for word in words]


def first_at_top(words, wanted):
    """The place of `wanted` outside of brackets and template arguments, or -1"""
    depth = 0
    for at, word in enumerate(words):
        if depth == 0 and word == wanted and words[at - 1:at] != ["operator"]:
            return at
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(word, 0)
        depth = max(depth, 0)
    return -1


def parameters(words):
    """The types between a function's brackets, without names and default values"""
    types, current, depth = [], [], 0
    for word in words + [","]:
        if word == "," and depth == 0:
            if "=" in current:
                current = current[:current.index("=")]
            named = len(current) > 1 and re.match(r"[A-Za-z_]", current[-1])
            if named and current[-2] not in ("::", "const", "typename", "struct", "unsigned"):
                current.pop()
            types.append(" ".join(current))
            current = []
            continue
        depth += {"(": 1, "<": 1, "[": 1, ")": -1, ">": -1, "]": -1}.get(word, 0)
        current.append(word)
    return ", ".join(types)


def name_of(words):
    """(kind, name) that a declaration before a `{` defines, or None"""
    words = without_template_head(words)
    if not words or "static" in words or "friend" in words:
        return None
    bracket = first_at_top(words, "(")
    if words[0] in KINDS and bracket < 0:
        end = first_at_top(words, ":")
        head = [word for word in (words if end < 0 else words[:end]) if word != "final"]
        head = [word for word in head[1:] if word not in KINDS]
        return ("type", "".join(head)) if head else None
    equals = first_at_top(words, "=")
    if bracket <= 0 or 0 <= equals < bracket:
        return None
    # Back from the bracket over the qualified name
    start = bracket
    if "operator" in words[:bracket + 1]:
        start = words.index("operator")
        if words[start + 1] == "(":
            bracket = start + 3
    else:
        start -= 1
    depth = 0
    while start > 0 and (words[start - 1] in ("::", "~") or words[start] == "::" or depth):
        start -= 1
        depth += {">": 1, "<": -1}.get(words[start], 0)
        if words[start] == ">" and words[start - 1] != "::" and depth == 0:
            break
    close = past_brackets([(word, 0) for word in words], bracket) - 1
    constant = " const" if "const" in words[close:] else ""
    name = "".join(words[start:bracket])
    return ("function", f"{name}({parameters(words[bracket + 1:close])}){constant}")


def definitions(text):
    """(kind, qualified name, line) of all that the text defines with linkage"""
    tokens = list(tokens_of(text))
    spaces, at, begin = [], 0, 0
    while at < len(tokens):
        token = tokens[at][0]
        words = [word for word, _ in tokens[begin:at]]
        if token == "(" or token == "[":
            at = past_brackets(tokens, at)
            continue
        if token == ";":
            begin = at + 1
        elif token == "}":
            if spaces:
                spaces.pop()
            begin = at + 1
        elif token == "{":
            if "namespace" in words[:2]:
                spaces.append("".join(words[words.index("namespace") + 1:]) or None)
                begin = at + 1
            elif words == ["extern"]:
                spaces.append("")
                begin = at + 1
            elif in_initializer(words):
                at = past_brackets(tokens, at)
                continue
            else:
                found = name_of(words)
                if found and None not in spaces:
                    path = [space for space in spaces if space] + [found[1]]
                    yield found[0], "::".join(path), tokens[begin][1]
                at = past_brackets(tokens, at)
                # A type's declaration ends at the semicolon, a function's here
                if not found or found[0] == "function":
                    begin = at if not found or at >= len(tokens) or tokens[at][0] != ";" else at + 1
                continue
        at += 1


def in_initializer(words):
    """True if a `{` after these words initialises a member before a constructor's body"""
    bracket = first_at_top(words, "(")
    if bracket < 0 or words[0] in KINDS:
        return False
    close = past_brackets([(word, 0) for word in words], bracket)
    return first_at_top(words[close:], ":") >= 0 and words[-1] not in (")", "}")


def main(folders):
    homes = {}
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix in (".h", ".cpp") and path.name not in STAND_INS:
                for kind, name, line in definitions(path.read_text()):
                    if name.startswith("main("):  # each program has its own
                        continue
                    homes.setdefault((kind, name), {}).setdefault(path, line)
    shared = {key: where for key, where in homes.items() if len(where) > 1}
    for (kind, name), where in sorted(shared.items()):
        print(f"{kind} {name} is defined in", *(f"{path}:{line}" for path, line in where.items()))
    print(f"{len(homes)} names, {len(shared)} of them defined in more than one file")
    return 1 if shared or not homes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
