"""Which tests run which lines: each test runs once and is not asked again until its own text changes.

A line is kept as its function and its distance from that function's name, so an edit elsewhere in the file changes nothing."""
import bisect
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import shutil
import subprocess
import tempfile

import testing
from tree import FOLDER, PROGRAMS, TREE

MAP = os.path.join(FOLDER, "coverage.json")
LIMIT = 900                 # seconds for one test while nothing is planted
AT_ONCE = 3                 # scripts wait more than they compute
FOLDERS = ("coordinator", "shard", "proto")


class Functions:
    """The functions of each file, by the line of their name."""

    def __init__(self, points):
        lines = collections.defaultdict(dict)
        for p in points:
            lines[p.file][p.function_line] = p.function
        self.starts = {f: sorted(of.items()) for f, of in lines.items()}

    def at(self, file, line):
        starts = self.starts.get(file, [])
        i = bisect.bisect_right(starts, (line, "\uffff")) - 1
        return (starts[i][1], line - starts[i][0]) if i >= 0 else None


def addresses(path):
    """The addresses of the calls that ran, from the bits of coverage.c."""
    with open(path, "rb") as f:
        data = f.read()
    found = []
    for block in range(0, len(data), 4096):
        part = data[block:block + 4096]
        if any(part):
            found += [(block + i) * 8 + bit for i, byte in enumerate(part) if byte for bit in range(8) if byte >> bit & 1]
    return found


class Symbols:
    """Source lines of addresses of the built programs."""

    def __init__(self):
        self.known = collections.defaultdict(dict)

    def lines(self, program, wanted):
        known = self.known[program]
        missing = [a for a in wanted if a not in known]
        if missing:
            text = "".join(f"{a - 1:#x}\n" for a in missing)    # the call, not what follows it
            out = subprocess.run(["addr2line", "-e", program], input=text, capture_output=True, text=True, check=True).stdout
            known.update(zip(missing, out.splitlines()))
        return {known[a] for a in wanted}


def source_line(text):
    """('shard/x.c', 12) of `/tree/shard/x.c:12`, or None if it is no source of the programs.  The tree may be that of another clone,
    where a compiler cache has the object from."""
    path, _, line = text.split(" ")[0].rpartition(":")
    path = path.rpartition("/build/mutants/tree/")[2]
    path = os.path.relpath(os.path.join(TREE, path), TREE)
    return (path, int(line)) if path.split("/")[0] in FOLDERS and line.isdigit() else None


def covered(test, maps, symbols, functions):
    covers = collections.defaultdict(lambda: collections.defaultdict(set))
    for path in glob.glob(os.path.join(maps, "*.ran")):
        name = os.path.basename(path)[:-len(".ran")]
        program = os.path.join(TREE, "build", test.variant, "bin" if name in PROGRAMS else "tests", name)
        if not os.path.exists(program):
            continue
        for text in symbols.lines(program, addresses(path)):
            at = source_line(text)
            function = at and functions.at(*at)
            if function:
                covers[at[0]][function[0]].add(function[1])
    return {f: {name: sorted(lines) for name, lines in of.items()} for f, of in covers.items()}


def record(test, functions, symbols):
    maps = tempfile.mkdtemp(prefix="maps.", dir=FOLDER)
    verdict, seconds, _ = testing.run(test, LIMIT, maps)
    if verdict == "failed":     # on a busy machine one may
        verdict, seconds, _ = testing.run(test, LIMIT, maps)
    covers = covered(test, maps, symbols if test.is_script else Symbols(), functions)
    shutil.rmtree(maps)
    return {"text": hashlib.sha256(test.text()).hexdigest(), "verdict": verdict, "seconds": round(seconds, 2), "covers": covers}


def load():
    try:
        with open(MAP, encoding="utf-8") as f:
            return json.load(f)
    except FileNotFoundError:
        return {}


def save(known):
    with open(MAP + ".new", "w", encoding="utf-8") as f:
        json.dump(known, f)
    os.rename(MAP + ".new", MAP)


def is_stale(entry, test):
    """Whether a test has to run: without an entry, with another text, or when it failed, which a busy machine may be the reason of."""
    if not entry or entry["verdict"] in ("failed", "hung"):
        return True
    return entry["text"] != hashlib.sha256(test.text()).hexdigest()


def update(tests, points, say):
    """The map for these tests; those that are missing, did not pass, or whose text changed run now.  What is done is kept when this is
    stopped."""
    known = load()
    stale = [t for t in tests if is_stale(known.get(t.name), t)]
    functions, symbols = Functions(points), Symbols()
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        running = {pool.submit(record, t, functions, symbols): t for t in stale}
        for i, done in enumerate(concurrent.futures.as_completed(running), 1):
            test = running[done]
            known[test.name] = done.result()
            say(f"covered {i}/{len(stale)}: {test.name} {known[test.name]['verdict']}, {known[test.name]['seconds']:.1f} s")
            if i % 10 == 0 or i == len(stale):
                save(known)
    return known


def distance(module, folder):
    """How many folders up from a module its tests are: 0 for its own, 1 for those of the module around it; 1 for what has no folder."""
    parts, of = module.split("/"), folder.split("/")
    shared = len(os.path.commonprefix([parts, of]))
    return len(parts) - shared if folder else 1


class Covering:
    """Finds the tests of a point."""

    def __init__(self, tests, known):
        self.tests = [t for t in tests if known.get(t.name, {}).get("verdict") == "passed"]
        self.known = known
        self.texts = {t.name: t.text().decode(errors="replace").lower() for t in self.tests}
        self.breadth = {t.name: sum(len(of) for of in known[t.name]["covers"].values()) for t in self.tests}

    def seconds(self, test):
        return self.known[test.name]["seconds"]

    def lines(self, test, point):
        return self.known[test.name]["covers"].get(point.file, {}).get(point.function, ())

    def mentions(self, test, words):
        """How much the text of the test speaks of these words."""
        return sum(min(self.texts[test.name].count(w), 5) for w in words)

    def of(self, point):
        """Those that run the block of the point, or if none is known to, its function: named for the module first, then those that
        speak of it and are cheap.  The first line of the block is the nearest one before the point that any test of the same build has
        run: another build has other blocks.  Tests of the nearest module come first: those that are far run much and look at little."""
        lines = {t.name: self.lines(t, point) for t in self.tests}
        nearest = {}
        for test in self.tests:
            before = [n for n in lines[test.name] if n <= point.line - point.function_line]
            nearest[test.variant] = max(before + [nearest.get(test.variant, -1)])
        found = [t for t in self.tests if lines[t.name] and (nearest[t.variant] < 0 or nearest[t.variant] in lines[t.name])]
        module = os.path.dirname(point.file)
        stem = os.path.splitext(os.path.basename(point.file))[0]
        words = {w for w in (stem + "_" + point.function).split("_") if len(w) > 3}

        def order(test):
            strict = 5 if "/attacks/" in test.source else 1     # these look at what must not happen, hardly at answers
            cost = strict * (1 + self.seconds(test)) * (1 + self.breadth[test.name] / 200) / (1 + self.mentions(test, words))
            return (test.is_script, test.name != "test_" + stem, distance(module, test.folder()), cost)
        return sorted(found, key=order)
