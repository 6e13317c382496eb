#!/usr/bin/env python3
"""compare.py CALLS.json INDEX.db ROOT [OUT]: CALLS edges of an index against what an oracle knows of the same commit.

Only files that both have count, test code included.  An edge of confidence 0.5 or more is right when the oracle has a
call on that line to that definition (a class and its constructor are one target, declarations of one symbol too).
What is wrong is `contradicted` when the oracle knows that name on that line as something else, else `silent`: it has no
opinion there.  Prints counts; below OUT lists of what is wrong and what is missing, with the source lines."""
import json
import os
import re
import sqlite3
import sys
from collections import Counter, defaultdict

CALLS, SURE = "CALLS", 50


class Symbol:
    def __init__(self, row):
        self.id, self.file, self.name, self.kind, self.start, self.end, self.parent = row
        self.name = self.name.lstrip("#")


class Index:
    """What Atoll found."""

    def __init__(self, path):
        db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        self.files = dict(db.execute("select path, id from files"))
        self.paths = {v: k for k, v in self.files.items()}
        self.symbols, self.by_file = {}, defaultdict(list)
        for row in db.execute("select id, file, name, kind, start_line, end_line, parent from symbols"):
            s = Symbol(row)
            self.symbols[s.id] = s
            self.by_file[s.file].append(s)
        self.edges = [e for e in db.execute("select file, line, target, confidence, reason, kind from edges")
                      if e[2] in self.symbols]

    def canonical(self, s):
        """A constructor stands for its class."""
        parent = self.symbols.get(s.parent)
        if parent and (s.kind == "constructor" or s.name in ("__init__", "constructor", parent.name)):
            return parent.id
        return s.id

    def find(self, path, line, name):
        """The definition that the oracle means, or None."""
        name = name.lstrip("#")
        near = [s for s in self.by_file.get(self.files.get(path), ()) if s.start <= line <= s.end]
        named = [s for s in near if s.name == name] or [s for s in near if s.start == line]
        return self.canonical(max(named, key=lambda s: (s.start, -s.end))) if named else None


def kinds_def():
    """Name of each number in edges.kind: order of the EDGE rows."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(here + "/../../proto/kinds.def") as f:
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
        self.sites, self.known = {}, defaultdict(lambda: defaultdict(set))
        for path, f in self.files.items():
            for line, column, name, before, targets in f["sites"]:
                self.known[path, line][name.lstrip("#")] |= {tuple(t) for t in targets}
                ids = frozenset(self.index.find(*t) for t in targets)
                if targets:
                    key = path, line, frozenset(tuple(t) for t in targets)
                    self.sites.setdefault(key, (name, before, ids))

    def read_edges(self):
        skipped = {p: set(f["skipped"]) for p, f in self.files.items()}
        self.edges, self.faint, self.other = {}, defaultdict(set), defaultdict(set)
        for file, line, target, confidence, reason, kind in self.index.edges:
            path = self.index.paths[file]
            if path not in self.files or line in skipped[path]:
                continue
            target = self.index.canonical(self.index.symbols[target])
            if self.kinds[kind] != CALLS:
                self.other[path, line].add(target)
            elif confidence < SURE:
                self.faint[path, line].add(target)
            else:
                self.edges.setdefault((path, line, target), (reason, confidence))

    def judge(self):
        wanted, found = defaultdict(set), defaultdict(set)
        for (path, line, _), (_, _, ids) in self.sites.items():
            wanted[path, line] |= ids
        for path, line, target in self.edges:
            found[path, line].add(target)
        self.right = {k for k in self.edges if k[2] in wanted[k[0], k[1]]}
        self.missed = {k: v for k, v in self.sites.items() if not v[2] & found[k[0], k[1]]}
        self.hit = len(self.sites) - len(self.missed)
        self.found = found

    def why_wrong(self, key):
        path, line, target = key
        name = self.index.symbols[target].name
        return "contradicted" if name in self.known[path, line] else "silent"

    def why_missed(self, key):
        (path, line, _), (name, _, ids) = key, self.sites[key]
        ids = ids - {None}
        names = {self.index.symbols[t].name for t in self.found[path, line]}
        if not ids:
            return "the target is no symbol of the index"
        if ids & self.faint[path, line]:
            return "found below 0.5"
        if ids & self.other[path, line]:
            return "an edge of another kind"
        if any(ids & self.found[path, n] for n in range(line - 3, line + 4)):
            return "on another line"
        return "another target" if name.lstrip("#") in names else "nothing"

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
            reason, confidence = c.edges[key]
            f.write("%s\t%s %d\t%s:%d\t-> %s\t| %s\n" % (c.why_wrong(key), reason, confidence, key[0], key[1],
                                                        c.describe(key[2]), c.text(key[0], key[1])))
    with open(out + "/missing", "w") as f:
        for key in sorted(c.missed, key=lambda k: (k[0], k[1])):
            name, before, _ = c.sites[key]
            at = sorted(key[2])[0]
            f.write("%s\t%s\t%s:%d\t-> %s:%d %s\t| %s\n" % (c.why_missed(key), form(before), key[0], key[1], *at,
                                                          c.text(key[0], key[1])))


def share(a, b):
    return "%.3f" % (a / b) if b else "-"


def report(c, name):
    wrong = set(c.edges) - c.right
    contradicted = {k for k in wrong if c.why_wrong(k) == "contradicted"}
    print("%-12s files %d  oracle %d  edges %d  right %d  wrong %d (contradicted %d)  precision %s (where the oracle"
          " speaks %s)  recall %s" % (name, len(c.files), len(c.sites), len(c.edges), len(c.right), len(wrong),
                                      len(contradicted), share(len(c.right), len(c.edges)),
                                      share(len(c.right), len(c.right) + len(contradicted)),
                                      share(c.hit, len(c.sites))))
    by_reason = defaultdict(Counter)
    for k, (reason, _) in c.edges.items():
        by_reason[reason]["right" if k in c.right else "contradicted" if k in contradicted else "silent"] += 1
    for reason, n in sorted(by_reason.items(), key=lambda x: -sum(x[1].values())):
        print("    %-14s right %5d  contradicted %4d  silent %4d" % (reason, n["right"], n["contradicted"], n["silent"]))
    missed = Counter((c.why_missed(k), form(c.sites[k][1])) for k in c.missed)
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
                       "right": len(c.right), "contradicted": contradicted}, f)


main()
