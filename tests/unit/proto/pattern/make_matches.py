#!/usr/bin/env python3
"""make_matches.py FILE: fill in the last column of matches.tsv with what `rg` (ripgrep 13) finds; needs rg in the PATH."""
import json
import subprocess
import sys
import tempfile

FLAGS = {"F": "--fixed-strings", "i": "--ignore-case", "w": "--word-regexp", "m": "--multiline"}


def plain(text):
    """The bytes that the escapes \\n, \\t, \\\\ and \\xNN of a text stand for."""
    return text.encode("utf-8").decode("latin-1").encode("latin-1").decode("unicode_escape").encode("latin-1")


def spans(flags, pattern, text):
    """The matches of rg that are not empty, as `start-end`, with a space between two."""
    with tempfile.NamedTemporaryFile() as f:
        f.write(text)
        f.flush()
        options = [FLAGS[c] for c in flags if c in FLAGS]
        found = subprocess.run(
            ["rg", "--no-config", "--json", "--text", "--encoding", "none", *options, "-e", pattern, f.name],
            capture_output=True, check=False)
    if found.returncode == 2:
        sys.exit(f"{pattern}: {found.stderr.decode()}")
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    return " ".join(
        f"{row['data']['absolute_offset'] + s['start']}-{row['data']['absolute_offset'] + s['end']}"
        for row in rows if row["type"] == "match"
        for s in row["data"]["submatches"] if s["end"] > s["start"])


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    with open(path, "w", encoding="utf-8") as f:
        for line in lines:
            if line.startswith("#"):
                f.write(line + "\n")
                continue
            flags, pattern, text = line.split("\t")[:3]
            f.write("\t".join([flags, pattern, text, spans(flags, pattern, plain(text))]) + "\n")


main()
