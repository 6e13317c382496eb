"""The tests of the tree: their names, how one runs, how long it may take."""
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from tree import PROGRAMS, TREE, read

SANITIZER = {
    "ASAN_OPTIONS": "detect_leaks=1",
    "LSAN_OPTIONS": f"suppressions={TREE}/tests/lsan.supp:print_suppressions=0",
}
NEVER = ("06-mutants", "20-hosts", "65-page", "16-determinism", "02-tree", "03-layers", "04-documents", "60-packaging", "61-manifests", "86-sandbox",
         "88-hardening")     # of this tool, of the machine, of the tree's text, or of the browser


class Test:
    """A unit test, the corpus of a fuzzer, or a script."""

    def __init__(self, source):
        self.source = source
        self.name = os.path.splitext(os.path.basename(source))[0]
        self.is_script = source.endswith(".sh")
        self.variant = "plain" if self.is_script else "address"

    def sanitized(self):
        """The same script with the programs that tell what is not freed."""
        other = Test(self.source)
        other.variant = "address"
        return other

    def programs(self):
        """Those that a defect is linked into."""
        return ["bin/" + p for p in PROGRAMS] if self.is_script else ["tests/" + self.name]

    def targets(self):
        """All that it runs."""
        tools = glob.glob(os.path.join(TREE, "tests/tools/*.c")) if self.is_script else []
        return self.programs() + ["tests/" + os.path.splitext(os.path.basename(t))[0] for t in sorted(tools)]

    def command(self, folder="address"):
        """How it is called; a unit test is that of build/FOLDER."""
        if self.is_script:
            return [os.path.join(TREE, self.source)]
        program = os.path.join(TREE, "build", folder, "tests", self.name)
        return [program, "tests/fuzz/corpus/" + self.name[len("fuzz_"):]] if self.name.startswith("fuzz_") else [program]

    def text(self):
        return read(os.path.join(TREE, self.source))

    def folder(self):
        """The module that a unit test is named for."""
        return os.path.relpath(os.path.dirname(self.source), "tests/unit") if self.source.startswith("tests/unit/") else ""


def skipped_by_sanitizers():
    lists = glob.glob(os.path.join(TREE, "tests/skip_sanitizers")) + glob.glob(os.path.join(TREE, "tests/skip_address"))
    return {name for path in lists for name in read(path).decode().split()}


def all_tests():
    found = glob.glob("tests/unit/**/test_*.c", root_dir=TREE, recursive=True) + glob.glob("tests/fuzz/fuzz_*.c", root_dir=TREE)
    for folder in ("integration", "attacks"):
        found += glob.glob(f"tests/{folder}/[0-9]*.sh", root_dir=TREE)
    tests = [Test(f) for f in sorted(found)]
    return [t for t in tests if t.name not in NEVER and not t.name.endswith("_coordinator")]


def environment(test, folder, maps):
    env = dict(os.environ, **SANITIZER, B="build/" + test.variant, CMOCKA_MESSAGE_OUTPUT="TAP")
    env.pop("RECORDS", None)
    env["TMPDIR" if test.is_script else "XDG_RUNTIME_DIR"] = folder
    if maps:
        env["COVERAGE_MAPS"] = maps
    return env


class Others:
    """Tests that run at the same time, for the one that ends them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.ended = False

    def start(self, *args, **options):
        with self.lock:
            process = subprocess.Popen(*args, **options)
            if self.ended:
                process.terminate()
            self.running.add(process)
            return process

    def done(self, process):
        with self.lock:
            self.running.discard(process)

    def end(self):
        """Ends those that run, and those that would run next."""
        with self.lock:
            self.ended = True
            running = list(self.running)
        for process in running:
            stop(process)


def run(test, limit, maps=None, others=None, built="address"):
    """`passed`, `failed`, `skipped` or `hung`; how long it took; its output.  Only processes of the test are stopped."""
    others = others or Others()
    folder = tempfile.mkdtemp(prefix="atoll.", dir="/tmp")    # not in TMPDIR, as socket paths must be short
    began = time.time()
    with open(os.path.join(folder, "log"), "w+b") as log:
        process = others.start(test.command(built), cwd=TREE, env=environment(test, folder, maps), stdin=subprocess.DEVNULL, stdout=log,
                               stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = process.wait(limit)
            verdict = {0: "passed", 77: "skipped"}.get(code, "failed")
        except subprocess.TimeoutExpired:
            verdict = "hung"
            stop(process)
        except BaseException:       # this run is ended
            stop(process)
            raise
        finally:
            others.done(process)
        log.seek(0)
        output = log.read()
    took = time.time() - began
    shutil.rmtree(folder, ignore_errors=True)
    return verdict, took, output.decode(errors="replace")


def stop(process):
    """First as run.sh does, so that a script ends its daemons; then the whole process group."""
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
