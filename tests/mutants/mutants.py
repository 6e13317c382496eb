#!/usr/bin/env python3
"""make mutants: plants small defects one at a time and tells which the tests notice.

  SEED=S       which defects (1); the same seed and sources draw the same ones
  N=100        how many
  FILES="..."  files or folders (coordinator shard proto)
  SINCE=REV    only lines that changed since that commit
  FUNCTIONS="..."  only in functions of these names
  AGAIN=1      only those of this seed that survived, once more, with today's tests
  UNITS=1      without scripts; a later run without it tries these against those that survived

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
MOST_UNITS, UNIT_SECONDS = 12, 90
MOST_SCRIPTS, SCRIPT_SECONDS = 6, 90
MOST_SANITIZED = 2                          # scripts with sanitized programs
SANITIZER_COST = 3                          # how much longer a script takes with sanitized programs
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

    def __init__(self, point, covering, commands):
        self.point = point
        self.covering = covering
        self.commands = commands
        self.path = os.path.join(tree.TREE, point.file)
        self.object = os.path.splitext(point.file)[0] + ".o"
        self.original = tree.read(self.path)
        self.written = os.stat(self.path).st_mtime_ns
        self.made = False       # make saw the defect, too
        self.said = ""

    def write(self, text):
        with open(self.path, "wb") as f:
            f.write(text)

    def restore(self):
        self.write(self.original)
        if self.made:
            tree.make("address", [self.object] + tree.archives("address"))
        else:
            os.utime(self.path, ns=(self.written, self.written))

    def code(self):
        """The code of the file as it stands in the tree, or None if it cannot be compiled."""
        planted = self.commands.compile(self.commands.object_of(self.point.file))
        return planted and tree.code_of(planted)

    def plant(self):
        made = self.commands.object_of(self.point.file)
        exists = os.path.exists(os.path.join(tree.TREE, made))      # not for the main file of a program
        before = tree.code_of(made) if exists else self.code()
        self.write(self.point.planted(self.original))
        code = self.code()
        if not code:
            raise NotPlanted("compiler")
        if code == before:
            raise NotPlanted("same code")

    def link(self, test):
        if not self.commands.link("tests/" + test.name, self.point.file, "build/planted/tests/" + test.name):
            raise RuntimeError(f"{test.name} cannot be linked with what is planted in {self.point.file}")

    def notices(self, test, others):
        """Whether the test fails or hangs; that counts when it is seen twice, as in tests/run.sh."""
        if others.ended:
            return False
        if not test.is_script:
            self.link(test)
        limit = 30 + 8 * self.covering.seconds(test) * (SANITIZER_COST if test.is_script and test.variant == "address" else 1)
        for _ in range(2):
            if others.ended:
                return False
            verdict, _, output = testing.run(test, limit, others=others, built="planted")
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

    def units(self):
        return limited([t for t in self.covering.of(self.point) if not t.is_script], MOST_UNITS, UNIT_SECONDS, self.covering)

    def scripts(self):
        """What is not freed is seen only by sanitized programs, which are slow."""
        tests = [t for t in self.covering.of(self.point) if t.is_script]
        if self.point.kind != "cleanup":
            return limited(tests, MOST_SCRIPTS, SCRIPT_SECONDS, self.covering)
        skipped = testing.skipped_by_sanitizers()
        tests = [t.sanitized() for t in tests if t.name not in skipped]
        return limited(tests, MOST_SANITIZED, SCRIPT_SECONDS / SANITIZER_COST, self.covering)

    def script_that_notices(self, scripts):
        if not scripts:
            return None
        self.made = True
        built, output = tree.make(scripts[0].variant, scripts[0].programs(), 2)
        if not built:
            raise RuntimeError(output[-2000:])
        return self.first_to_notice(scripts)

    def run(self, with_units, with_scripts):
        units = self.units() if with_units else []
        scripts = self.scripts() if with_scripts else []
        try:
            self.plant()
            killer = (self.first_to_notice(units) if units else None) or self.script_that_notices(scripts)
            return {"verdict": "killed" if killer else "survived", "by": killer, "tried": [t.name for t in units + scripts],
                    "scripts": with_scripts, "said": self.said}
        except NotPlanted as why:
            return {"verdict": "not counted", "by": str(why)}
        finally:
            self.restore()


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


def is_settled(known, options):
    """Whether a run like this one would try nothing new."""
    if not known or known["verdict"] != "survived":
        return bool(known) or options["again"]
    return not options["again"] and (options["units"] or known.get("scripts", True))


def one(point, results, covering, commands, options):
    """The verdict, from an earlier run if there is one."""
    known = results.known.get(point.name())
    if is_settled(known, options):
        if known and not options["again"]:
            tell(known)
        return known["verdict"] if known else "not counted"
    trial = Trial(point, covering, commands)
    began = time.time()
    result = trial.run(options["again"] or not known, not options["units"])
    result.update(shown=point.shown(trial.original), seconds=round(time.time() - began, 1))
    results.add(point.name(), result)
    tell(result)
    return result["verdict"]


def prepare(options):
    """The tree, its builds and the map; the points, the finder of tests, and how unit tests are made."""
    tree.update()
    tests = [t for t in testing.all_tests() if not (t.is_script and options["units"])]
    targets = {"address": {tree.LISTER}, "plain": set()}
    for test in tests:
        targets[test.variant].update(test.targets())
    for variant in targets:
        if not targets[variant]:
            continue
        say(f"building {variant}")
        built, output = tree.make(variant, sorted(targets[variant]), 2)
        if not built:
            sys.exit(output[-3000:])
    files = points.files_of(coverage.FOLDERS)
    all_points = points.list_points(files, os.path.join(tree.TREE, "build/address", tree.LISTER))
    known = coverage.update(tests, all_points, say)
    return all_points, coverage.Covering(tests, known), tree.Commands("address", targets["address"], files)


def main():
    options = {"seed": os.environ.get("SEED") or "1", "n": int(os.environ.get("N") or 100), "since": os.environ.get("SINCE"),
               "functions": (os.environ.get("FUNCTIONS") or "").split(),
               "again": bool(os.environ.get("AGAIN")), "units": bool(os.environ.get("UNITS")),
               "files": (os.environ.get("FILES") or " ".join(coverage.FOLDERS)).split()}
    os.makedirs(tree.FOLDER, exist_ok=True)
    alone = open(os.path.join(tree.FOLDER, "lock"), "w", encoding="utf-8")     # two runs would plant defects in one tree
    try:
        fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"another run uses {tree.FOLDER}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))     # the original is put back on the way out
    for ignored in (signal.SIGINT, signal.SIGQUIT):     # in a background job of a shell; tests of signals would fail
        signal.signal(ignored, signal.default_int_handler)
    all_points, covering, commands = prepare(options)
    results = Results(options["seed"])    # of other files, too: a mutant is named by its place and text
    count = {"killed": 0, "survived": 0}
    for point in drawn(all_points, options):
        if sum(count.values()) == options["n"]:
            break
        verdict = one(point, results, covering, commands, options)
        if verdict in count:
            count[verdict] += 1
    total = sum(count.values())
    say(f"{total} mutants: {count['killed']} killed, {count['survived']} survived, score {100 * count['killed'] // max(total, 1)} %")


if __name__ == "__main__":
    main()
