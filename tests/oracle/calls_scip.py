#!/usr/bin/env python3
"""calls_scip.py INDEX.scip ROOT: the call sites that a SCIP index knows, as JSON for compare.py.

A site is an occurrence of a symbol with an opening parenthesis after it (type arguments, ?. and ! may stand between)
that is not a definition; those in decorators, those whose symbol has another name than what stands
there, and those of a symbol of this package that is defined nowhere (an export that is passed on, a module that was not
found) are marked: by them nobody is judged.  Its targets are the definitions of that symbol in the repository, when
it is a function, method or class: by its descriptor, or, for variables and locals, by the text of the definition."""
import json
import os
import re
import sys
from collections import defaultdict

import scip


class Source:
    """The text of a file; columns of SCIP are UTF-16 units."""

    def __init__(self, root, path):
        with open("%s/%s" % (root, path), encoding="utf-8", errors="replace", newline="") as f:
            self.text = f.read()
        self.lines = self.text.split("\n")
        self.starts, self.bytes = [0], [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
            self.bytes.append(self.bytes[-1] + len(line.encode()) + 1)

    def offset(self, line, column):
        text = self.lines[line]
        if not text.isascii():
            column = len(text.encode("utf-16-le")[:2 * column].decode("utf-16-le", "replace"))
        return self.starts[line] + column

    def byte(self, line, start):
        return self.bytes[line] + len(self.text[self.starts[line]:start].encode())

    def span(self, o):
        if o.end_line >= len(self.lines):
            return 0, 0
        return self.offset(o.line, o.start), self.offset(o.end_line, o.end)


PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
SPACE = re.compile(r"(?:\s|//[^\n]*\n|/\*.*?\*/)*", re.S)
LONGEST = 4000


def closing(text, i):
    """Behind the brackets that open at i, or -1."""
    stack = []
    for j in range(i, min(len(text), i + LONGEST)):
        c = text[j]
        if c in PAIRS and not (c == "<" and text[j + 1:j + 2] in ("=", " ")):
            stack.append(PAIRS[c])
        elif stack and c == stack[-1] and not (c == ">" and text[j - 1] == "="):
            stack.pop()
            if not stack:
                return j + 1
        elif c == ";" and "}" not in stack:
            return -1
    return -1


def space(text, i):
    return SPACE.match(text, i).end()


def past_type(text, i, ends):
    """Where a type annotation that begins at i ends, before one of `ends`; -1: it does not."""
    while i < len(text):
        i = space(text, i)
        if text.startswith("=>", i) and "=>" not in ends:
            i += 2
        elif any(text.startswith(e, i) for e in ends):
            return i
        elif text[i:i + 1] in PAIRS:
            i = closing(text, i)
            if i < 0:
                return -1
        elif text[i:i + 1] in ("", ";", ")", "}"):
            return -1
        else:
            i += 1
    return -1


def function_value(text, i):
    """Whether `[: type] = function…` or an arrow function follows at i, in TypeScript."""
    i = space(text, i)
    i = space(text, i + text.startswith(("!", "?"), i))
    if text.startswith(":", i):
        i = past_type(text, i + 1, ("=",))
    if i < 0 or not text.startswith("=", i) or text.startswith(("=>", "=="), i):
        return False
    i = space(text, i + 1)
    if re.compile(r"(async\s+)?function\b|(async\s+)?[\w$]+\s*=>").match(text, i):
        return True
    m = re.compile(r"async\b\s*").match(text, i)
    i = m.end() if m else i
    if text.startswith("<", i):
        i = space(text, closing(text, i)) if closing(text, i) > 0 else len(text)
    if not text.startswith("(", i) or closing(text, i) < 0:
        return False
    i = space(text, closing(text, i))
    if text.startswith(":", i):
        i = past_type(text, i + 1, ("=>", "\n\n"))
    return i > 0 and text.startswith("=>", i)


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


HEAD = re.compile(r"(?:.*[{,])?\s*(?:(?:async|get|set|static|public|private|protected|override)\s+)*\*?\s*")


def method(text, i, before):
    """Whether what ends at i, after `before`, is the name of a method in an object literal, `name(…) {`: a definition."""
    i = text.find("(", i)
    i = closing(text, i) if HEAD.fullmatch(before) else -1
    if i < 0:
        return False
    i = space(text, i)
    if text.startswith(":", i):
        i = past_type(text, i + 1, ("{",))
    return i > 0 and text.startswith("{", i)


def package(symbol):
    return " ".join(symbol.split(" ")[:4])


def decorator(source, o, start):
    before = source.text[source.starts[o.line]:start]
    return re.fullmatch(r"\s*(?:.*\s)?@[\w.]*", before) is not None and "=" not in before


def callable_at(source, o, end):
    """Whether a variable or local that is defined here is a function or class."""
    before = source.text[source.starts[o.line]:source.span(o)[0]]
    if re.search(r"\b(?:def|class|function)\s*\*?\s*$", before):
        return True
    member = re.match(r"\s*(?:(?:public|private|protected|static|readonly|override|declare)\s+)*$", before)
    return bool(re.search(r"\b(?:const|let|var)\s+$", before) or member) and function_value(source.text, end)


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


class Known:
    """What the whole index defines."""

    def __init__(self):
        self.targets = defaultdict(set)     # of (path of a local, symbol): path, line and name of each function, method and class
        self.symbols, self.packages = set(), set()

    def add(self, root, path, source, o):
        start, end = source.span(o)
        name = source.text[start:end]
        symbols = [o.symbol, *importable(root, o.symbol)]
        self.symbols |= {path + o.symbol, *symbols}
        self.packages.add(package(o.symbol))
        kind = "other" if is_local(o) else descriptor(o.symbol)
        if not name or (kind == "other" and not callable_at(source, o, end)):
            return
        for symbol in symbols:
            self.targets[scope(path, o), symbol].add((path, o.line + 1, name))

    def lacks(self, path, o):
        """Whether it is a symbol of this package that is defined nowhere."""
        return scope(path, o) + o.symbol not in self.symbols and (is_local(o) or package(o.symbol) in self.packages)


def is_local(o):
    return o.symbol.startswith("local ")


def scope(path, o):
    """Where the symbol has one meaning: "" is everywhere."""
    return path if is_local(o) else ""


def defines(o):
    """Whether it is a definition of something in a file: not of a namespace, nor what SCIP calls meta."""
    return o.roles & scip.DEFINITION and not o.symbol.endswith(("/", ":"))


def is_call(source, o, before, typescript):
    start, end = source.span(o)
    if o.roles & scip.DEFINITION or start >= end or not called(source.text, end, typescript):
        return False
    if re.search(r"\b(?:def|class|function)\s+$", before):   # a declaration again: overloads, setters
        return False
    return not (typescript and method(source.text, end, before))


def sites_of(path, occurrences, source, known):
    """(line, byte, text, what stands before, whether nobody is judged by it) of each call site, and its targets."""
    sites = defaultdict(set)
    for o in occurrences:
        start, end = source.span(o)
        before, text = source.text[max(0, start - 60):start].split("\n")[-1], source.text[start:end]
        if not is_call(source, o, before, not path.endswith(".py")):
            continue
        odd = not plausible(source, o.symbol, text) or known.lacks(path, o)
        site = o.line + 1, source.byte(o.line, start), text, before, odd or decorator(source, o, start)
        sites[site] |= set() if odd else known.targets.get((scope(path, o), o.symbol), set())
    return sites


def merge(by_byte, sites):
    """Several occurrences may begin at one byte: the last says what stands there, all what is meant."""
    for site, targets in sites.items():
        was = by_byte.get(site[1])
        by_byte[site[1]] = [*site, sorted(targets | {tuple(t) for t in (was[5] if was else [])})]


def read_sources(root, documents):
    """Of the files that are there."""
    sources = {}
    for d in documents:
        try:
            sources[d.path] = sources.get(d.path) or Source(root, d.path)
        except OSError:
            continue
    return sources


def main():
    index, root = sys.argv[1:]
    documents = list(scip.documents(index))
    sources = read_sources(root, documents)
    documents = [d for d in documents if d.path in sources]
    known, sites = Known(), defaultdict(dict)
    for d in documents:
        for o in filter(defines, d.occurrences):
            known.add(root, d.path, sources[d.path], o)
    for d in documents:
        merge(sites[d.path], sites_of(d.path, d.occurrences, sources[d.path], known))
    files = {path: {"skipped": [], "sites": [site for _, site in sorted(of.items())]} for path, of in sites.items()}
    json.dump({"oracle": index, "files": files}, sys.stdout)


main()
