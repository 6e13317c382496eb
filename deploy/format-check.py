#!/usr/bin/env python3
"""format-check.py [BASE]: whether changed lines of C have the style of .clang-format; prints a diff of those that have not.

BASE: the commit that changes are counted from; without, where this branch left origin/main, else the parent of HEAD.
Blanks inside a line may align a table or a comment.  `/* clang-format off */` and `/* clang-format on */` enclose
lines that clang-format misreads.  Exit 0: they have, or clang-format is not installed; 1: they have not.
"""
import difflib
import re
import shutil
import subprocess
import sys


def git(*args):
    done = subprocess.run(("git",) + args, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def base():
    head, fork = git("rev-parse", "HEAD"), git("merge-base", "HEAD", "origin/main")
    changed = git("status", "--porcelain", "--untracked-files=no")
    return fork if fork and (fork != head or changed) else git("rev-parse", "HEAD~")


def changed_lines(start):
    """{file: [(first, last)]} of C sources, by the hunks of git diff."""
    found, path = {}, None
    for line in git("diff", "-U0", "--diff-filter=ACMR", start, "--", "*.c", "*.h").splitlines():
        if line.startswith("+++ "):
            path = line[6:]
        hunk = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
        if hunk and hunk[2] != "0":
            first = int(hunk[1])
            found.setdefault(path, []).append((first, first + int(hunk[2] or 1) - 1))
    return found


def loose(line):
    """A line without the blanks that may align something: before comments, in tables, inside braces."""
    rest = line.lstrip(" \t")
    return line[:len(line) - len(rest)] + re.sub(r"(?<={) | (?=})", "", re.sub(r"[ \t]+", " ", rest)).rstrip()


def wrong(path, ranges):
    with open(path, encoding="utf-8") as f:
        now = f.read()
    lines = ["--lines=%d:%d" % r for r in ranges]
    then = subprocess.run(["clang-format", *lines, path], capture_output=True, text=True, check=True).stdout
    a, b = ([loose(line) for line in text.split("\n")] for text in (now, then))
    return list(difflib.unified_diff(a, b, path, path + " (clang-format)", n=0, lineterm=""))


def main():
    if not shutil.which("clang-format"):
        print("format-check: clang-format is not installed (apt-get install clang-format): nothing is checked")
        return 0
    bad = 0
    for path, ranges in sorted(changed_lines(sys.argv[1] if sys.argv[1:] else base()).items()):
        diff = wrong(path, ranges)
        bad += bool(diff)
        print("\n".join(diff), end="\n" if diff else "")
    return 1 if bad else 0


sys.exit(main())
