"""Places for defects, as tests/tools/mutation_points.c lists them, and which of them a seed picks."""
import dataclasses
import hashlib
import os
import random
import subprocess

from tree import ROOT, TREE

KINDS = ("drop", "negate", "off by one", "compare", "skip", "swap", "cleanup")
UNESCAPED = {"n": "\n", "t": "\t", "\\": "\\"}


@dataclasses.dataclass(frozen=True)
class Point:
    file: str
    line: int
    function: str
    function_line: int
    kind: str
    start: int
    end: int
    replacement: str

    def name(self):
        return hashlib.sha256(repr(dataclasses.astuple(self)).encode()).hexdigest()[:12]

    def planted(self, text):
        return text[:self.start] + self.replacement.encode() + text[self.end:]

    def shown(self, text):
        """One line for people: the place and what became of what."""
        was = " ".join(text[self.start:self.end].decode(errors="replace").split())
        return f"{self.file}:{self.line} {self.function}: {self.kind}: `{was}` -> `{' '.join(self.replacement.split())}`"


def unescape(text):
    parts = text.split("\\")
    out, i = parts[0], 1
    while i < len(parts):
        if parts[i] == "" and i + 1 < len(parts):       # an escaped backslash
            out += "\\" + parts[i + 1]
            i += 2
            continue
        out += UNESCAPED[parts[i][0]] + parts[i][1:]
        i += 1
    return out


def list_points(files, lister):
    """All points of these files."""
    if not files:
        return []
    leaks = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")     # it frees nothing at its end
    out = subprocess.run([lister] + sorted(files), cwd=TREE, check=True, capture_output=True, env=leaks).stdout.decode(errors="replace")
    points = []
    for row in out.splitlines():
        file, line, function, function_line, kind, start, end, replacement = row.split("\t")
        points.append(Point(file, int(line), function, int(function_line), kind, int(start), int(end), unescape(replacement)))
    return points


def files_of(paths):
    """The C files of the given files and folders."""
    found = []
    for path in paths:
        whole = os.path.join(TREE, path)
        if os.path.isfile(whole):
            found.append(path)
        for folder, _, names in os.walk(whole):
            found += [os.path.relpath(os.path.join(folder, n), TREE) for n in names if n.endswith(".c")]
    return sorted(set(found))


def changed_lines(since):
    """File -> lines that are new since a commit."""
    diff = subprocess.run(["git", "-C", ROOT, "diff", "-U0", since, "--", "*.c"], check=True, capture_output=True, text=True).stdout
    lines, file = {}, None
    for row in diff.splitlines():
        if row.startswith("+++ "):
            file = row[6:]
        elif row.startswith("@@") and file:
            start, _, count = row.split("+")[1].split(" ")[0].partition(",")
            lines.setdefault(file, set()).update(range(int(start), int(start) + int(count or 1)))
    return lines


def in_order(points, seed):
    """The order in which the seed draws: first the kind, each as likely as the others, then one of its points."""
    draw = random.Random(str(seed))
    by_kind = {k: [p for p in points if p.kind == k] for k in KINDS}
    for left in by_kind.values():
        draw.shuffle(left)
    while any(by_kind.values()):
        kind = draw.choice([k for k in KINDS if by_kind[k]])
        yield by_kind[kind].pop()
