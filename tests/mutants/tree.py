"""The copy of the sources in which defects are planted, and its two builds.

`address`: the unit tests and fuzz corpora, with the address sanitizer, which also notices what is not freed.
`plain`: the programs for the scripts.  Both record which blocks run (coverage.c)."""
import os
import shutil
import subprocess

# $MUTANTS_ROOT: other sources, for the test of this tool
ROOT = os.environ.get("MUTANTS_ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "build", "mutants")
TREE = os.path.join(FOLDER, "tree")
SHARED = ("third_party", "web", "variables", "deps", "mcp", "page")    # made once, in the build folder of the sources
TRACE = "-fsanitize-coverage=trace-pc"
VARIANTS = {    # not inlined, as the block of a small function is then its caller's
    "address": ["CFLAGS=-O1 -g1 -fno-omit-frame-pointer -fno-inline " + TRACE, "SANFLAG=-fsanitize=address"],
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


def make(variant, targets, jobs=1):
    """Builds targets of build/VARIANT in the tree; the output and whether it worked."""
    folder = os.path.join("build", variant)
    recorder = os.path.join(folder, "coverage.o")
    if not os.path.exists(os.path.join(TREE, recorder)):
        os.makedirs(os.path.join(TREE, folder), exist_ok=True)
        subprocess.run(["cc", "-O1", "-c", "-o", recorder, "tests/mutants/coverage.c"], cwd=TREE, check=True)
    command = ["make", f"-j{jobs}", "BUILD=build", "B=" + folder, "HARDENED=", "HARDENED_LD="] + VARIANTS[variant]
    command += [f"LDFLAGS={recorder}{LINKER}", "-o", "build/web/built", "-o", "build/third_party/grammars.a", "-o", "build/deps"]
    done = subprocess.run(command + [os.path.join(folder, t) for t in targets], cwd=TREE, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    return done.returncode == 0, done.stdout


def code_of(variant, name):
    """What an object file holds without names and lines for debuggers."""
    bare = os.path.join(FOLDER, "bare.o")
    subprocess.run(["objcopy", "--strip-debug", os.path.join(TREE, "build", variant, name), bare], check=True)
    return read(bare)
