#!/usr/bin/env python3
"""make mutants: plants small defects one at a time and tells which the tests notice.

  SEED=S       which defects (1); the same seed and sources draw the same ones
  N=100        how many
  FILES="..."  files or folders (coordinator shard proto)
  SINCE=REV    only lines that changed since that commit
  FUNCTIONS="..."  only in functions of these names
  AGAIN=1      only those of this seed that survived, once more, with today's tests

README.md beside this file says how it works.  The last line is `N mutants: K killed, S survived, score P %`."""
import concurrent.futures
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
BATCH = 5                                   # tests that are linked before they run
AT_ONCE = {"address": 2, "plain": 3}        # tests that run at the same time; scripts wait more than they compute
SAID = 600                                  # how much of what a failed test said is kept


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


class NotPlanted(Exception):
    """The compiler notices the defect or makes the same code of it, so it is none for the tests."""


class Trial:
    """One mutant."""

    def __init__(self, point, covering):
        self.point = point
        self.covering = covering
        self.path = os.path.join(tree.TREE, point.file)
        self.object = os.path.splitext(point.file)[0] + ".o"
        self.original = tree.read(self.path)
        self.said = ""

    def write(self, text):
        with open(self.path, "wb") as f:
            f.write(text)

    def compiled(self):
        """The code of the file as it is now."""
        if not tree.make("address", [self.object])[0]:
            raise NotPlanted("compiler")
        return tree.code_of("address", self.object)

    def plant(self):
        before = self.compiled()
        self.write(self.point.planted(self.original))
        if self.compiled() == before:
            raise NotPlanted("same code")

    def notices(self, test, others):
        """Whether the test fails or hangs; that counts when it is seen twice, as in tests/run.sh."""
        limit = 30 + 8 * self.covering.seconds(test) * (SANITIZER_COST if test.is_script and test.variant == "address" else 1)
        for _ in range(2):
            if others.ended:
                return False
            verdict, _, output = testing.run(test, limit, others=others)
            if others.ended or verdict not in ("failed", "hung"):
                return False
        self.said = f"{verdict}: {output[-SAID:]}"
        return True

    def first_to_notice(self, tests):
        """The test that fails first; it ends the others."""
        others = testing.Others()
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE[tests[0].variant]) as pool:
            running = {pool.submit(self.notices, test, others): test for test in tests}
            try:
                for done in concurrent.futures.as_completed(running):
                    if done.result():
                        return running[done].name
            finally:
                others.end()
        return None

    def killer(self, tests):
        for i in range(0, len(tests), BATCH):
            batch = tests[i:i + BATCH]
            built, output = tree.make(batch[0].variant, sorted({t for test in batch for t in test.programs()}), 2)
            if not built and not tree.make(batch[0].variant, [self.object])[0]:
                raise NotPlanted("compiler")
            if not built:
                raise RuntimeError(output[-2000:])
            killer = self.first_to_notice(batch)
            if killer:
                return killer
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
        return {"verdict": "killed" if killer else "survived", "by": killer, "tried": tried, "said": self.said}

    def run(self):
        try:
            self.plant()
            return self.verdict()
        except NotPlanted as why:
            return {"verdict": "not counted", "by": str(why)}
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
