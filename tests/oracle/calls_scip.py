#!/usr/bin/env python3
"""calls_scip.py INDEX.scip ROOT: the call sites that a SCIP index knows, as JSON for compare.py.

A site is an occurrence of a symbol with an opening parenthesis after it (type arguments, ?. and ! may stand between)
that is not a definition and not in a decorator.  Its targets are the definitions of that symbol in the repository, when
it is a function, method or class: by its descriptor, or, for variables and locals, by the text of the definition."""
import json
import os
import re
import sys
from collections import defaultdict

import scip

FUNCTION_VALUE = re.compile(r"\s*(?::[^=;]*?)?=\s*(?:async\b\s*)?(?:function\b|(?:<[^=;{}]*?>\s*)?\([^;{}]*?\)\s*(?::[^=;]*?)?=>|[\w$]+\s*=>)")


class Source:
    """The text of a file; columns of SCIP are UTF-16 units."""

    def __init__(self, root, path):
        with open("%s/%s" % (root, path), encoding="utf-8", errors="replace", newline="") as f:
            self.text = f.read()
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def offset(self, line, column):
        text = self.lines[line]
        if not text.isascii():
            column = len(text.encode("utf-16-le")[:2 * column].decode("utf-16-le", "replace"))
        return self.starts[line] + column

    def span(self, o):
        if o.end_line >= len(self.lines):
            return 0, 0
        return self.offset(o.line, o.start), self.offset(o.end_line, o.end)


def closing(text, i):
    """Behind the type arguments that begin at i, or -1."""
    depth = 0
    for j in range(i, min(len(text), i + 2000)):
        c = text[j]
        if c == "<":
            depth += 1
        elif c == ">" and text[j - 1] != "=":
            depth -= 1
            if depth == 0:
                return j + 1
        elif c == ";":
            return -1
    return -1


def called(text, i, typescript):
    """Whether what ends at i is called."""
    m = re.compile(r"\s*" if typescript else r"[ \t]*").match(text, i)
    i = m.end()
    if typescript:
        i += text.startswith("!", i) and not text.startswith("!=", i)
        if text.startswith("?.", i):
            i += 2
        if text.startswith("<", i):
            i = closing(text, i)
            if i < 0:
                return False
    return text.startswith("(", i)


def decorator(source, o, start):
    before = source.text[source.starts[o.line]:start]
    return re.fullmatch(r"\s*(?:.*\s)?@[\w.]*", before) is not None and "=" not in before


def callable_at(source, o, end):
    """Whether a variable or local that is defined here is a function or class."""
    before = source.text[source.starts[o.line]:source.span(o)[0]]
    if re.search(r"\b(?:def|class|function)\s*\*?\s*$", before):
        return True
    return bool(re.search(r"\b(?:const|let|var)\s+$", before) and FUNCTION_VALUE.match(source.text, end))


NAME = re.compile(r"(?:`([^`]*)`|([\w$+-]+))(?:#|\.|\([^()]*\)\.)$")


def plausible(source, symbol, text):
    """Whether a symbol can be what stands there: by its name, as a constructor, or by an alias of this file.  scip-python
    gives the first name of a star import to all that come by it."""
    m = NAME.search(symbol)
    name = (m.group(1) or m.group(2)).lstrip("#") if m else text
    if symbol.startswith("local ") or name in (text.lstrip("#"), "<constructor>", "__init__"):
        return True
    return bool(re.search(r"\b%s\s+as\s+%s\b|\bimport\s+(type\s+)?%s\b[^;\n]*\bfrom\b" % tuple(
        re.escape(x) for x in (name, text, text)), source.text))


def descriptor(symbol):
    """function | class | other: by the last descriptor of a global symbol."""
    if symbol.endswith(")."):
        return "function"
    if symbol.endswith("#"):
        return "class"
    return "other"


MODULE = re.compile(r"(scip-python .*? )`?([\w.]+)`?/(.*)", re.S)


def importable(root, symbol):
    """scip-python names a definition by its path (src.flask.app) and its uses by how they import it (flask.app):
    the names without leading folders that are no packages."""
    m = MODULE.fullmatch(symbol)
    parts = m.group(2).split(".") if m else []
    folder = root
    for i in range(1, len(parts)):
        folder += "/" + parts[i - 1]
        if os.path.exists(folder + "/__init__.py"):
            break
        rest = ".".join(parts[i:])
        yield "%s%s/%s" % (m.group(1), "`%s`" % rest if "." in rest else rest, m.group(3))


def main():
    index, root = sys.argv[1:]
    typescript = None
    files, definitions = {}, defaultdict(set)
    documents = list(scip.documents(index))
    sources = {}
    for d in documents:
        try:
            sources[d.path] = sources.get(d.path) or Source(root, d.path)
        except OSError:
            continue
        source = sources[d.path]
        for o in d.occurrences:
            if not o.roles & scip.DEFINITION or o.symbol.endswith("/") or o.symbol.endswith(":"):
                continue
            start, end = source.span(o)
            name = source.text[start:end]
            local = o.symbol.startswith("local ")
            kind = "other" if local else descriptor(o.symbol)
            if kind == "other" and callable_at(source, o, end):
                kind = "function"
            if kind != "other" and name:
                for symbol in [o.symbol, *importable(root, o.symbol)]:
                    definitions[(d.path if local else "", symbol)].add((d.path, o.line + 1, name))
    for d in documents:
        if d.path not in sources:
            continue
        typescript = not d.path.endswith(".py")
        source, sites = sources[d.path], defaultdict(set)
        for o in d.occurrences:
            start, end = source.span(o)
            if o.roles & scip.DEFINITION or start >= end or not called(source.text, end, typescript):
                continue
            if decorator(source, o, start) or not plausible(source, o.symbol, source.text[start:end]):
                continue
            before = source.text[max(0, start - 60):start].split("\n")[-1]
            site = (o.line + 1, o.start, source.text[start:end], before)
            sites[site] |= definitions.get((d.path if o.symbol.startswith("local ") else "", o.symbol), set())
        out = files.setdefault(d.path, {"skipped": [], "sites": {}})
        for site, targets in sites.items():
            key = json.dumps(site[:2])
            was = out["sites"].get(key)
            out["sites"][key] = [*site, sorted(targets | {tuple(t) for t in (was[4] if was else [])})]
    for out in files.values():
        out["sites"] = sorted(out["sites"].values())
    json.dump({"oracle": index, "files": files}, sys.stdout)


main()
