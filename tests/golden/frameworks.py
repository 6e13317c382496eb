#!/usr/bin/env python3
"""frameworks.py [--write README]: which frameworks' contracts the golden cases show, as a Markdown table.

A row is a framework of a language: the facts that its cases expect, and the cases, `across` those of several files.  With
--write the table replaces what stands between the two marks of README; without, it is printed.  Exit 1: nothing to replace.
"""
import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MARKS = ("<!-- frameworks.py -->\n", "<!-- end -->\n")
FACT = re.compile(r"(provides|consumes) (\S+) (\S.*?) (?:\d+-\d+|\S+:\d+)\b")


def facts_of(folder):
    for name in ("expected", "expected.contracts", "expected.edges"):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                yield from (m for m in map(FACT.match, f) if m)


def framework(fact):
    """The word after the path; a gRPC method has none where files are read together."""
    words = fact[3].split(" ")
    return "grpc" if fact[2] == "RPC" and len(words) == 1 else words[-1]


def rows():
    found = collections.defaultdict(lambda: [set(), set(), collections.Counter()])
    for language in sorted(os.listdir(HERE)):
        if not os.path.isdir(os.path.join(HERE, language)):
            continue
        for case in sorted(os.listdir(os.path.join(HERE, language))):
            folder = os.path.join(HERE, language, case)
            across = not os.path.exists(os.path.join(folder, "expected"))
            for m in facts_of(folder):
                alone, together, sides = found[framework(m), language]
                (together if across else alone).add(case)
                sides[m[1]] += 1
    return found


def table():
    lines = ["| framework | language | serves | calls | cases | across files |", "|-|-|-|-|-|-|"]
    for (framework, language), (alone, across, sides) in sorted(rows().items()):
        lines.append("| %s | %s | %s | %s | %s | %s |" % (framework, language, sides["provides"] or "", sides["consumes"] or "",
                                                        " ".join(sorted(alone)), " ".join(sorted(across))))
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:2] != ["--write"]:
        sys.stdout.write(table())
        return 0
    with open(sys.argv[2], encoding="utf-8") as f:
        text = f.read()
    head, mark, rest = text.partition(MARKS[0])
    _, end, tail = rest.partition(MARKS[1])
    if not mark or not end:
        print("frameworks.py: %s has no marks %r, %r" % (sys.argv[2], *MARKS), file=sys.stderr)
        return 1
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write(head + mark + table() + end + tail)
    return 0


if __name__ == "__main__":
    sys.exit(main())
