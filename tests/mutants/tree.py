"""The copy of the sources in which defects are planted, and its two builds.

`address`: the unit tests and fuzz corpora, with the address sanitizer, which also notices what is not freed.
`plain`: the programs for the scripts.  Both record which blocks run (coverage.c)."""
import glob
import os
import shlex
import shutil
import subprocess

# $MUTANTS_ROOT: other sources, for the test of this tool
ROOT = os.environ.get("MUTANTS_ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "build", "mutants")
TREE = os.path.join(FOLDER, "tree")
SHARED = ("third_party", "web", "variables", "deps", "mcp", "page")    # made once, in the build folder of the sources
TRACE = "-fsanitize-coverage=trace-pc"
VARIANTS = {    # not inlined, as the block of a small function is then its caller's
    "address": ["CFLAGS=-O1 -g1 -fno-omit-frame-pointer -fno-inline " + TRACE, "SANFLAG=-fsanitize=address", "CHECKED=1"],
    "plain": ["CFLAGS=-O0 -g1 " + TRACE, "SANFLAG=", "CHECKED=1"],
}
PROGRAMS = ("atoll-shard", "atoll-coordinator", "atoll")
LISTER = "tests/mutation_points"
LINKER = " -fuse-ld=lld" if shutil.which("ld.lld") else ""


def listed_files():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "-co", "--exclude-standard"], check=True, capture_output=True)
    return {f for f in listed.stdout.decode().split("\0") if f and os.path.isfile(os.path.join(ROOT, f))}


def read(path):
    with open(path, "rb") as f:
        return f.read()


def copy_if_changed(name):
    source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
    if os.path.exists(target) and read(source) == read(target):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)


def update():
    """The tree as the sources are now; files that are equal keep their time, so that little is built again."""
    files = listed_files()
    for name in files:
        copy_if_changed(name)
    for folder, folders, names in os.walk(TREE):
        if folder == TREE:
            folders.remove("build") if "build" in folders else None
        for name in names:
            path = os.path.join(folder, name)
            if os.path.relpath(path, TREE) not in files:
                os.unlink(path)
    build = os.path.join(TREE, "build")
    os.makedirs(build, exist_ok=True)
    for name in SHARED:
        link = os.path.join(build, name)
        if not os.path.islink(link):
            os.symlink(os.path.join("..", "..", "..", name), link)


def make_command(variant, *options):
    folder = os.path.join("build", variant)
    command = ["make", *options, "BUILD=build", "B=" + folder, "HARDENED=", "HARDENED_LD="] + VARIANTS[variant]
    command += [f"LDFLAGS={os.path.join(folder, 'coverage.o')}{LINKER}"]
    return command + ["-o", "build/web/built", "-o", "build/third_party/grammars.a", "-o", "build/deps"]


def make(variant, targets, jobs=1):
    """Builds targets of build/VARIANT in the tree; the output and whether it worked."""
    folder = os.path.join("build", variant)
    recorder = os.path.join(folder, "coverage.o")
    if not os.path.exists(os.path.join(TREE, recorder)):
        os.makedirs(os.path.join(TREE, folder), exist_ok=True)
        subprocess.run(["cc", "-O1", "-c", "-o", recorder, "tests/mutants/coverage.c"], cwd=TREE, check=True)
    done = subprocess.run(make_command(variant, f"-j{jobs}") + [os.path.join(folder, t) for t in targets], cwd=TREE,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    return done.returncode == 0, done.stdout


def archives(variant):
    return [os.path.basename(path) for path in sorted(glob.glob(os.path.join(TREE, "build", variant, "lib*.a")))]


class Commands:
    """How each object and test is made, so that one is made without asking make about all the others."""

    def __init__(self, variant, programs, sources):
        self.folder = os.path.join("build", variant)
        command = make_command(variant, "-nB", "V=1") + sorted(os.path.join(self.folder, p) for p in programs)
        command += [self.object_of(s) for s in sources]
        said = subprocess.run(command, cwd=TREE, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        self.of = {}
        for line in said.splitlines():
            words = shlex.split(line) if " -o " in line else []
            if "-o" in words:
                self.of[words[words.index("-o") + 1]] = words

    def object_of(self, source):
        return os.path.join(self.folder, os.path.splitext(source)[0] + ".o")

    def compile(self, made):
        """Compiles the object `made` to the folder for planted ones; its path there, or None if that does not work."""
        target = planted(made)
        return target if run_command([target if w == made else w for w in self.of[made]]) else None

    def link(self, program, source, target):
        """Links a program to the file `target` with what is planted in `source`; whether that worked."""
        made = os.path.join(self.folder, program)
        words = [target if w == made else w for w in self.of[made]]
        including = [w for w in words if w.endswith(".o") and includes(w, source)]
        for unit in including:
            if not self.compile(unit):
                return False
        words = [planted(w) if w in including else w for w in words]
        if not including:       # what stands first is not taken from an archive
            words = [w for w in words if w != self.object_of(source)]
            words.insert(words.index("-o") + 2, planted(self.object_of(source)))
        return run_command(words)


def planted(made):
    return os.path.join("build", "planted", made.split(os.sep, 2)[2])


def includes(made, source):
    """Whether an object was compiled of a file that includes this C file."""
    try:
        needs = read(os.path.join(TREE, os.path.splitext(made)[0] + ".d")).decode().split()
    except FileNotFoundError:
        return False
    return source in needs


def run_command(words):
    os.makedirs(os.path.join(TREE, os.path.dirname(words[words.index("-o") + 1])), exist_ok=True)
    done = subprocess.run(words, cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=dict(os.environ, CCACHE_DISABLE="1"))    # nobody compiles this again
    return done.returncode == 0


def code_of(path):
    """What an object file holds without names and lines for debuggers."""
    bare = os.path.join(FOLDER, "bare.o")
    subprocess.run(["objcopy", "--strip-debug", os.path.join(TREE, path), bare], check=True)
    return read(bare)
