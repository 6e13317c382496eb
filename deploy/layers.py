#!/usr/bin/env python3
"""layers.py [ROOT]: whether includes follow deploy/layers.def.  Prints each violation; exits 1 when there is one."""
import ast
import collections
import os
import re
import sys

PROGRAMS = ("proto", "shard", "coordinator")
MOST = 45       # .c and .h files of a module
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)


def rules(path):
    """The rows of layers.def by their name, each a tuple of its strings."""
    found = collections.defaultdict(list)
    with open(path, encoding="utf-8") as f:
        for row in re.finditer(r'^(MODULE|ONLY|NEVER)(\(.*\))$', f.read(), re.M):
            found[row.group(1)].append(ast.literal_eval(row.group(2)))
    return found


def sources(root):
    """Path -> text of every C file of the programs; languages and the web page are data."""
    texts = {}
    for program in PROGRAMS:
        for folder, _, names in os.walk(os.path.join(root, program)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                if name.endswith((".c", ".h", ".def")) and not path.startswith("coordinator/web/"):
                    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
                        texts[path] = f.read()
    return texts


def below(path, prefix):
    return path == prefix or path.startswith(prefix.rstrip("/") + "/")


def check_modules(modules, texts, root):
    for module in modules:
        if not os.path.isdir(os.path.join(root, module)):
            yield f"{module} is a module of layers.def and not there"
    for path in sorted(texts):
        if os.path.dirname(path) not in modules:
            yield f"{path} is in no module: add its folder to deploy/layers.def"
    sizes = collections.Counter(os.path.dirname(p) for p in texts if p.endswith((".c", ".h")))
    for module, n in sorted(sizes.items()):
        if n > MOST:
            yield f"{module} holds {n} files: split it, {MOST} are the most"


def edges(texts, known):
    """(folder, folder it includes) -> the lines that say so."""
    found = collections.defaultdict(list)
    for path, text in sorted(texts.items()):
        for target in INCLUDE.findall(text):
            if os.path.dirname(target) in known and os.path.dirname(target) != os.path.dirname(path):
                found[os.path.dirname(path), os.path.dirname(target)].append(f"{path} includes {target}")
    return found


def check_order(modules, found):
    rank = {m: i for i, m in enumerate(modules)}
    for (here, there), lines in sorted(found.items()):
        if here in rank and there in rank and rank[there] > rank[here]:
            for line in lines:
                yield f"{line}, upward: {there} stands above {here} in deploy/layers.def"


def check_cycles(found):
    """The shortest of the cycles that share a folder; one that is mended may show the next."""
    after = collections.defaultdict(set)
    for here, there in found:
        after[here].add(there)
    ways = [[here] + way for here, there in sorted(found) if (way := shortest(after, there, here))]
    told = set()
    for way in sorted(ways, key=len):
        if not told & set(way):
            yield "cycle: " + " -> ".join(way)
        told |= set(way)


def shortest(after, start, end):
    ways = collections.deque([[start]])
    seen = {start}
    while ways:
        way = ways.popleft()
        if way[-1] == end:
            return way
        for step in sorted(after[way[-1]] - seen):
            seen.add(step)
            ways.append(way + [step])
    return None


def check_private(texts):
    for path, text in sorted(texts.items()):
        for target in INCLUDE.findall(text):
            if target.endswith("_internal.h") and os.path.dirname(target) != os.path.dirname(path):
                yield f"{path} includes {target}, which is private to its folder"


def check_never(nevers, texts):
    for folder, what, but in nevers:
        for path, text in sorted(texts.items()):
            if not below(path, folder):
                continue
            for target in INCLUDE.findall(text):
                if below(target, what) and not any(below(target, b) for b in but.split()):
                    yield f"{path} includes {target}: {folder} includes nothing of {what}" + (f" but {but}" if but else "")


def check_only(onlys, texts):
    for what, allowed in onlys:
        pattern = re.compile(what, re.M)
        for path, text in sorted(texts.items()):
            if path in allowed.split() or not path.endswith((".c", ".h")) or not pattern.search(text):
                continue
            for n, line in enumerate(text.split("\n"), 1):
                if pattern.search(line):
                    yield f"{path}:{n}: {line.strip()}: only in {allowed}"


def main(root):
    rows = rules(os.path.join(root, "deploy/layers.def"))
    modules = [path for path, _ in rows["MODULE"]]
    texts = sources(root)
    found = edges(texts, set(modules) | {os.path.dirname(p) for p in texts})
    violations = [
        *check_modules(modules, texts, root), *check_order(modules, found), *check_cycles(found), *check_private(texts),
        *check_never(rows["NEVER"], texts), *check_only(rows["ONLY"], texts),
    ]
    for line in violations:
        print("layers:", line)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")))
