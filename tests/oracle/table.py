#!/usr/bin/env python3
"""table.py REPOS.tab LISTS: the numbers that compare.py left, as a table in Markdown, with the sums of each language."""
import json
import sys
from collections import Counter


def row(name, n):
    def share(a, b):
        return "%.3f" % (a / b) if b else "-"
    print("| %s | %d | %d | %d | %d | %s | %s | %s |" % (
        name, n["files"], n["oracle"], n["edges"], n["unjudged"], share(n["right"], n["edges"]),
        share(n["right"], n["right"] + n["contradicted"]), share(n["found"], n["oracle"])))


sums = {}
print("| repository | files | calls of the oracle | edges | not judged | precision | precision where the oracle speaks | recall |")
print("|-|-|-|-|-|-|-|-|")
for line in open(sys.argv[1]):
    words = line.split()
    if not words or words[0].startswith("#"):
        continue
    try:
        with open("%s/%s/numbers.json" % (sys.argv[2], words[0].split("/")[1])) as f:
            numbers = Counter(json.load(f))
    except OSError:
        continue
    row(words[0], numbers)
    sums.setdefault(words[1], Counter()).update(numbers)
for language, n in sums.items():
    row("**%s**" % language, n)
