#!/usr/bin/env python3
"""make mutants: plants small defects one at a time and tells which the tests notice.

  SEED=S       which defects (1); the same seed and sources draw the same ones
  N=100        how many
  FILES="..."  files or folders (coordinator shard proto)
  SINCE=REV    only lines that changed since that commit
  FUNCTIONS="..."  only in functions of these names
  AGAIN=1      only those of this seed that survived, once more, with today's tests

README.md beside this file says how it works.  The last line is `N mutants: K killed, S survived, score P %`."""
import fcntl
import json
import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import coverage     # noqa: E402
import points       # noqa: E402
import testing      # noqa: E402
import tree         # noqa: E402

# What one mutant may cost: so many tests, of so many seconds in all when nothing is planted.
MOST_UNITS, UNIT_SECONDS = 10, 45
MOST_SCRIPTS, SCRIPT_SECONDS = 5, 60
MOST_SANITIZED = 2                          # scripts with sanitized programs
SANITIZER_COST = 3                          # how much longer a script takes with sanitized programs
BATCH = 5                                   # unit tests that are linked before they run


def say(text):
    print(text, flush=True)


def limited(tests, most, seconds, covering):
    chosen, left = [], seconds
    for test in tests:
        if len(chosen) == most:
            break
        if chosen and covering.seconds(test) > left:
            continue
        chosen.append(test)
        left -= covering.seconds(test)
    return chosen


class NotCompiled(Exception):
    """The compiler notices the defect, so it is none for the tests."""


class Trial:
    """One mutant."""

    def __init__(self, point, covering):
        self.point = point
        self.covering = covering
        self.path = os.path.join(tree.TREE, point.file)
        self.original = tree.read(self.path)

    def write(self, text):
        with open(self.path, "wb") as f:
            f.write(text)

    def compiles(self, variant):
        return tree.make(variant, [os.path.splitext(self.point.file)[0] + ".o"])[0]

    def notices(self, test):
        """Whether the test fails; a failure counts when it is seen twice, as in tests/run.sh, and an endless run at once."""
        limit = 30 + 8 * self.covering.seconds(test) * (SANITIZER_COST if test.is_script and test.variant == "address" else 1)
        verdict = testing.run(test, limit)[0]
        if verdict == "failed":
            verdict = testing.run(test, limit)[0]
        return verdict in ("failed", "hung")

    def killer(self, tests):
        for i in range(0, len(tests), BATCH):
            batch = tests[i:i + BATCH]
            built, output = tree.make(batch[0].variant, sorted({t for test in batch for t in test.targets()}), 2)
            if not built and not self.compiles(batch[0].variant):
                raise NotCompiled
            if not built:
                raise RuntimeError(output[-2000:])
            for test in batch:
                if self.notices(test):
                    return test.name
        return None

    def scripts(self, tests):
        """What is not freed is seen only by sanitized programs, which are slow."""
        if self.point.kind != "cleanup":
            return limited(tests, MOST_SCRIPTS, SCRIPT_SECONDS, self.covering)
        skipped = testing.skipped_by_sanitizers()
        tests = [t.sanitized() for t in tests if t.name not in skipped]
        return limited(tests, MOST_SANITIZED, SCRIPT_SECONDS / SANITIZER_COST, self.covering)

    def verdict(self):
        tests = self.covering.of(self.point)
        units = limited([t for t in tests if not t.is_script], MOST_UNITS, UNIT_SECONDS, self.covering)
        scripts = self.scripts([t for t in tests if t.is_script])
        killer = self.killer(units) or self.killer(scripts)
        tried = [t.name for t in units + scripts]
        if not tried and not self.compiles("plain"):
            raise NotCompiled
        return {"verdict": "killed" if killer else "survived", "by": killer, "tried": tried}

    def run(self):
        self.write(self.point.planted(self.original))
        try:
            return self.verdict()
        except NotCompiled:
            return {"verdict": "not counted", "by": "compiler"}
        finally:
            self.write(self.original)


class Results:
    """What is known of each mutant, a line each, in a file that a later run reads."""

    def __init__(self, seed):
        folder = os.path.join(tree.FOLDER, "results")
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, f"{seed}.jsonl")
        self.known = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as f:
                self.known = {r["name"]: r for r in map(json.loads, f)}

    def add(self, name, result):
        self.known[name] = dict(result, name=name)
        with open(self.path, "a", encoding="utf-8") as f:
            f.write(json.dumps(self.known[name]) + "\n")


def drawn(all_points, options):
    wanted = set(points.files_of(options["files"]))
    chosen = [p for p in all_points if p.file in wanted]
    if options["since"]:
        lines = points.changed_lines(options["since"])
        chosen = [p for p in chosen if p.line in lines.get(p.file, ())]
    if options["functions"]:
        chosen = [p for p in chosen if p.function in options["functions"]]
    return points.in_order(chosen, options["seed"])


def tell(result):
    if result["verdict"] != "not counted":
        by = result["by"] or " ".join(result["tried"]) or "no test runs it"
        say(f"{result['verdict']:9}{result['shown']}  [{by}] {result['seconds']} s")


def one(point, results, covering, again):
    """The verdict, from an earlier run if there is one."""
    known = results.known.get(point.name())
    if known and not (again and known["verdict"] == "survived"):
        if not again:
            tell(known)
        return known["verdict"]
    if again and not known:
        return "not counted"
    trial = Trial(point, covering)
    began = time.time()
    result = trial.run()
    result.update(shown=point.shown(trial.original), seconds=round(time.time() - began, 1))
    results.add(point.name(), result)
    tell(result)
    return result["verdict"]


def prepare(options):
    """The tree, its builds and the map; the points and the finder of tests."""
    tree.update()
    tests = testing.all_tests()
    for variant in tree.VARIANTS:
        say(f"building {variant}")
        targets = sorted({t for test in tests if test.variant == variant for t in test.targets()})
        targets += [tree.LISTER] if variant == "plain" and tree.LISTER not in targets else []
        built, output = tree.make(variant, targets, 2)
        if not built:
            sys.exit(output[-3000:])
    all_points = points.list_points(points.files_of(coverage.FOLDERS), os.path.join(tree.TREE, "build/plain", tree.LISTER))
    known = coverage.update(tests, all_points, say)
    return all_points, coverage.Covering(tests, known)


def main():
    options = {"seed": os.environ.get("SEED") or "1", "n": int(os.environ.get("N") or 100), "since": os.environ.get("SINCE"),
               "functions": (os.environ.get("FUNCTIONS") or "").split(),
               "files": (os.environ.get("FILES") or " ".join(coverage.FOLDERS)).split()}
    again = bool(os.environ.get("AGAIN"))
    os.nice(10)
    os.makedirs(tree.FOLDER, exist_ok=True)
    alone = open(os.path.join(tree.FOLDER, "lock"), "w", encoding="utf-8")     # two runs would plant defects in one tree
    try:
        fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"another run uses {tree.FOLDER}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))     # the original is put back on the way out
    all_points, covering = prepare(options)
    results = Results(options["seed"])    # of other files, too: a mutant is named by its place and text
    count = {"killed": 0, "survived": 0}
    for point in drawn(all_points, options):
        if sum(count.values()) == options["n"]:
            break
        verdict = one(point, results, covering, again)
        if verdict in count:
            count[verdict] += 1
    total = sum(count.values())
    say(f"{total} mutants: {count['killed']} killed, {count['survived']} survived, score {100 * count['killed'] // max(total, 1)} %")


if __name__ == "__main__":
    main()
