#!/usr/bin/env python3
"""compare.py CALLS.json INDEX.db ROOT [OUT]: CALLS edges of an index against what an oracle knows of the same commit.

Only files that both have count, test code included.  An edge goes from a callable (or a file's top level) to a definition,
however often it is called there; one of confidence 0.5 or more is right when the oracle has such a call.  A class and its
constructor are one target, declarations of one symbol (overloads) too.  Edges that only decorators make are not judged, nor those
where the oracle's symbol cannot be right.
What is wrong is `contradicted` when the oracle knows that name in that caller as something else, else `silent`: it has no
opinion there.  Prints counts; below OUT lists of what is wrong and what is missing, with the source lines."""
import json
import os
import re
import sqlite3
import sys
from collections import Counter, defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from edge_store import read_edges
from symbol_store import make_symbols

CALLS, SURE = "CALLS", 50
CALLABLE = ("function", "method", "constructor", "macro")


class Symbol:
    def __init__(self, row):
        self.id, self.file, self.name, self.qualified, self.kind, self.start, self.end, self.begin, self.stop, self.parent = row
        self.name = self.name.lstrip("#")


class Index:
    """What Atoll found."""

    def __init__(self, path):
        db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        make_symbols(db)
        self.files = dict(db.execute("select path, id from files"))
        self.paths = {v: k for k, v in self.files.items()}
        self.symbols, self.by_file, self.first = {}, defaultdict(list), {}
        for row in db.execute("select id, file, name, qualified, kind, start_line, end_line, start_byte, end_byte, parent"
                              " from symbols order by start_byte, id"):
            s = Symbol(row)
            self.symbols[s.id] = s
            self.by_file[s.file].append(s)
            self.first.setdefault((s.file, s.qualified, s.kind in CALLABLE), s.id)
        self.edges = [e for e in read_edges(db) if e[4] in self.symbols]

    def canonical(self, s):
        """Of the declarations of one symbol the first; a constructor stands for its class."""
        parent = self.symbols.get(s.parent)
        if parent and (s.kind == "constructor" or s.name in ("__init__", "constructor", parent.name)):
            s = parent
        return self.first[s.file, s.qualified, s.kind in CALLABLE]

    def find(self, path, line, name):
        """The definition that the oracle means, or None."""
        name = name.lstrip("#")
        near = [s for s in self.by_file.get(self.files.get(path), ()) if s.start <= line <= s.end]
        named = [s for s in near if s.name == name] or [s for s in near if s.start == line]
        return self.canonical(max(named, key=lambda s: (s.start, -s.end))) if named else None

    def caller(self, s):
        """The callable that is or holds a definition; 0: the file."""
        while s and s.kind not in CALLABLE:
            s = self.symbols.get(s.parent)
        return self.first[s.file, s.qualified, True] if s else 0

    def caller_at(self, path, byte):
        inside = [s for s in self.by_file.get(self.files.get(path), ())
                  if s.begin <= byte < s.stop and s.kind in CALLABLE]
        return self.caller(max(inside, key=lambda s: (s.begin, -s.stop)) if inside else None)


def kinds_def():
    """Name of each number in edges.kind: order of the EDGE rows."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(here + "/../../proto/record/kinds.def") as f:
        return re.findall(r"^EDGE\((\w+),", f.read(), re.M)


def form(before):
    """How the callee is reached."""
    m = re.search(r"(\S*?)(\??\.|->|::)\s*$", before)
    if not m:
        return "new name()" if re.search(r"\bnew\s+$", before) else "name()"
    receiver = re.split(r"[\s(\[{,=!;:&|+*/<>~-]", m.group(1))[-1] if not m.group(1).endswith((")", "]")) else m.group(1)
    if receiver in ("self", "this", "cls"):
        return "self.name()"
    if before.rstrip(" .").endswith("super()") or receiver == "super":
        return "super.name()"
    if receiver.endswith(")"):
        return "f().name()"
    if receiver.startswith(("self.", "this.")):
        return "self.a.name()"
    return "a.b.name()" if "." in receiver else "a.name()" if receiver else "?.name()"


class Comparison:
    def __init__(self, oracle, index, root):
        self.index, self.root, self.lines = index, root, {}
        self.kinds = kinds_def()
        self.files = {p: f for p, f in oracle["files"].items() if p in index.files}
        self.read_sites()
        self.read_edges()

    def read_sites(self):
        """Of each caller: what it calls (one edge for each set of declarations), and the names that the oracle knows in it."""
        self.sites, self.known, self.optional, self.doubtful = {}, defaultdict(set), set(), set()
        for path, f in self.files.items():
            for line, byte, name, before, unjudged, targets in f["sites"]:
                caller = path, self.index.caller_at(path, byte)
                ids = frozenset(self.index.find(*t) for t in targets)
                if unjudged:
                    self.optional.add((*caller, name.lstrip("#")))
                    self.doubtful.add((path, line))
                    continue
                self.known[caller].add(name.lstrip("#"))
                if targets:
                    key = (*caller, ids if None not in ids else frozenset(tuple(t) for t in targets))
                    self.sites.setdefault(key, (line, name, before, ids, sorted(targets)[0]))

    def read_edges(self):
        skipped = {p: set(f["skipped"]) for p, f in self.files.items()}
        self.edges, self.faint, self.other = {}, defaultdict(set), defaultdict(set)
        for file, source, line, _, target, confidence, reason, kind in self.index.edges:
            path = self.index.paths[file]
            if path not in self.files or line in skipped[path]:
                continue
            caller = path, self.index.caller(self.index.symbols.get(source))
            target = self.index.canonical(self.index.symbols[target])
            if self.kinds[kind] != CALLS:
                self.other[caller].add(target)
            elif confidence < SURE:
                self.faint[caller].add(target)
            else:
                self.edges.setdefault((*caller, target), (reason, confidence, line))

    def judge(self):
        wanted, self.found = defaultdict(set), defaultdict(set)
        for (path, caller, _), site in self.sites.items():
            wanted[path, caller] |= site[3]
        unjudged = [k for k in self.edges if k[2] not in wanted[k[:2]] and self.is_unjudged(k)]
        self.unjudged = len(unjudged)
        for key in unjudged:
            del self.edges[key]
        for path, caller, target in self.edges:
            self.found[path, caller].add(target)
        self.right = {k for k in self.edges if k[2] in wanted[k[:2]]}
        self.missed = {k: v for k, v in self.sites.items() if not v[3] & self.found[k[:2]]}
        self.hit = len(self.sites) - len(self.missed)

    def is_unjudged(self, key):
        """Whether it can be of a site that is not judged: by its name, or by another one, where its own does not stand."""
        name, line = self.index.symbols[key[2]].name, self.edges[key][2]
        return (*key[:2], name) in self.optional or (
            (key[0], line) in self.doubtful and not re.search(r"\b%s\b" % re.escape(name), self.text(key[0], line)))

    def why_wrong(self, key):
        return "contradicted" if self.index.symbols[key[2]].name in self.known[key[:2]] else "silent"

    def why_missed(self, key):
        _, name, _, ids, _ = self.sites[key]
        caller, ids = key[:2], ids - {None}
        if not ids:
            return "the target is no symbol of the index"
        if ids & self.faint[caller]:
            return "found below 0.5"
        if any(ids & self.found[c] for c in self.found if c[0] == key[0] and c != caller):
            return "other callers of the file have it"
        names = {self.index.symbols[t].name for t in self.found[caller]}
        if name.lstrip("#") in names:
            return "another target"
        return "an edge of another kind" if ids & self.other[caller] else "nothing"

    def text(self, path, line):
        if path not in self.lines:
            with open(self.root + "/" + path, encoding="utf-8", errors="replace") as f:
                self.lines[path] = f.read().split("\n")
        return self.lines[path][line - 1].strip()[:160] if line <= len(self.lines[path]) else ""

    def describe(self, target):
        if target is None:
            return "?"
        s = self.index.symbols[target]
        return "%s:%d %s %s" % (self.index.paths[s.file], s.start, s.kind, s.name)


def write_lists(c, out):
    os.makedirs(out, exist_ok=True)
    with open(out + "/wrong", "w") as f:
        for key in sorted(set(c.edges) - c.right):
            reason, confidence, line = c.edges[key]
            f.write("%s\t%s %d\t%s:%d\t-> %s\t| %s\n" % (c.why_wrong(key), reason, confidence, key[0], line,
                                                        c.describe(key[2]), c.text(key[0], line)))
    with open(out + "/missing", "w") as f:
        for key, (line, name, before, _, at) in sorted(c.missed.items(), key=lambda x: (x[0][0], x[1][0], x[1][1])):
            f.write("%s\t%s\t%s:%d\t-> %s:%d %s\t| %s\n" % (c.why_missed(key), form(before), key[0], line, *at,
                                                          c.text(key[0], line)))


def share(a, b):
    return "%.3f" % (a / b) if b else "-"


def report(c, name):
    wrong = set(c.edges) - c.right
    contradicted = {k for k in wrong if c.why_wrong(k) == "contradicted"}
    print("%-12s files %d  oracle %d  edges %d (not judged %d)  right %d  wrong %d (contradicted %d)  precision %s (where the oracle"
          " speaks %s)  recall %s" % (name, len(c.files), len(c.sites), len(c.edges), c.unjudged, len(c.right), len(wrong),
                                      len(contradicted), share(len(c.right), len(c.edges)),
                                      share(len(c.right), len(c.right) + len(contradicted)),
                                      share(c.hit, len(c.sites))))
    by_reason = defaultdict(Counter)
    for k, (reason, _, _) in c.edges.items():
        by_reason[reason]["right" if k in c.right else "contradicted" if k in contradicted else "silent"] += 1
    for reason, n in sorted(by_reason.items(), key=lambda x: -sum(x[1].values())):
        print("    %-14s right %5d  contradicted %4d  silent %4d" % (reason, n["right"], n["contradicted"], n["silent"]))
    missed = Counter((c.why_missed(k), form(c.sites[k][2])) for k in c.missed)
    for (why, how), n in missed.most_common(8):
        print("    missing %5d  %-40s %s" % (n, why, how))


def main():
    calls, db, root = sys.argv[1:4]
    with open(calls) as f:
        oracle = json.load(f)
    c = Comparison(oracle, Index(db), root)
    c.judge()
    report(c, os.path.basename(root))
    if len(sys.argv) > 4:
        write_lists(c, sys.argv[4])
        with open(sys.argv[4] + "/numbers.json", "w") as f:
            wrong = set(c.edges) - c.right
            contradicted = sum(c.why_wrong(k) == "contradicted" for k in wrong)
            json.dump({"files": len(c.files), "oracle": len(c.sites), "found": c.hit, "edges": len(c.edges),
                       "unjudged": c.unjudged,
                       "right": len(c.right), "contradicted": contradicted}, f)


main()
