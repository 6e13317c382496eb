#!/usr/bin/env python3
"""frameworks.py [--write PAGE | --lacking]: which frameworks' contracts the golden cases show, as a Markdown table.

A row is a framework of a language: the facts that its cases expect, and the cases: of one file (or document, beside the
code that answers it), `across` several, and look-alikes, of which nothing is expected and look_alikes.tsv says whose they are.  With --write the table replaces what
stands between the two marks of PAGE; without, it is printed.  --lacking prints the rows that lack one of the three.
Exit 1: nothing to replace; rows that lack something; a line of look_alikes.tsv without its case.
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


# Folders of formats, whose documents end so; of their facts those count that no language's own folder shows.
FORMATS = {"http": ("http", "rest"), "jmeter": ("jmx",), "openapi": ("json", "yaml", "yml"), "postman": ("json",),
           "protobuf": ("proto",), "routes": ("routes",), "serverless": ("json", "yaml", "yml")}
TABLES = {"routes.ts"}    # that name files, which answer
MANIFESTS = {"package.json", "requirements.txt", "pom.xml", "go.mod"}


def is_across(folder, language):
    """Whether a case is of several files; of a format, of several documents, or of one with more code than what answers it."""
    names = [n for _, _, names in os.walk(folder) for n in names if not n.startswith("expected") and n not in MANIFESTS | TABLES
             and (language in FORMATS or not n.endswith((".proto", ".graphql", ".graphqls", ".gql")))]
    documents = [n for n in names if n.endswith(FORMATS.get(language, ""))]
    return len(documents) > 1 or len(names) > 2


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
            across = is_across(folder, language)
            for m in facts_of(folder):
                alone, together, sides = found[framework(m), language]
                (together if across else alone).add(case)
                sides[m[1]] += 1
    for name, language in [key for key in found if key[1] in FORMATS]:
        if any(n == name and other != language and (other == name or other not in FORMATS) for n, other in found):
            del found[name, language]
    return found


def look_alikes():
    """{(framework, language): its cases}, by look_alikes.tsv: language, case, frameworks between blanks."""
    found = collections.defaultdict(set)
    with open(os.path.join(HERE, "look_alikes.tsv"), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            language, case, frameworks = line.rstrip("\n").split("\t")
            if not os.path.isdir(os.path.join(HERE, language, case)):
                sys.exit("look_alikes.tsv:%d: there is no folder %s/%s" % (number, language, case))
            for name in frameworks.split():
                found[name, language].add(case)
    return found


def table():
    lines = ["| framework | language | serves | calls | cases | across files | look-alikes |", "|-|-|-|-|-|-|-|"]
    alike = look_alikes()
    for key, (alone, across, sides) in sorted(rows().items()):
        lines.append("| %s | %s | %s | %s | %s | %s | %s |" % (*key, sides["provides"] or "", sides["consumes"] or "",
                                                             *(" ".join(sorted(c)) for c in (alone, across, alike[key]))))
    return "\n".join(lines) + "\n"


def lacking():
    """Prints each framework of which one of the three kinds of cases lacks; how many there are."""
    alike, count = look_alikes(), 0
    for key, (alone, across, _) in sorted(rows().items(), key=lambda row: row[0][::-1]):
        missing = [n for n, c in (("plain", alone), ("across", across), ("look-alike", alike[key])) if not c]
        if missing:
            print("%s %s: %s" % (key[1], key[0], ", ".join(missing)))
            count += 1
    return count


def main():
    if sys.argv[1:] == ["--lacking"]:
        return 1 if lacking() else 0
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
