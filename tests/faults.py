"""Makes repositories with one fault each: faults.py FOLDER.  Each is FOLDER/<name>, made from FOLDER/../base by git itself."""
import binascii
import os
import shutil
import subprocess
import sys

ENV = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com",
       "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com"}


def git(folder, *args, given=None):
    out = subprocess.run(["git", "-C", folder, *args], input=given, stdout=subprocess.PIPE, check=True, env=ENV).stdout
    return out.strip().decode()


def put(folder, path, text):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def make_base(folder):
    os.makedirs(folder)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "uploadpack.allowFilter", "true")
    for name in ("lost", "kept", "sub/one", "sub/two", "vendor/copied"):
        stem = name.rsplit("/", 1)[-1]
        put(folder, f"{name}.py", f'def {stem}_one():\n    """Orders are counted here, in {name}."""\n    return "{name}"\n')
    put(folder, "logo.jpg", "no picture, but nobody would index it")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    put(folder, "kept.py", 'def kept_one():\n    """Orders are counted here."""\n    return lost_one()\n')
    git(folder, "commit", "-q", "-a", "-m", "second")


def object_path(repo, name):
    oid = git(repo, "rev-parse", name)
    return os.path.join(repo, ".git/objects", oid[:2], oid[2:])


# ---- faults: each takes the folder of a copy of the base, whose objects are loose ----

def whole(repo):
    pass


def missing(repo):
    os.unlink(object_path(repo, "HEAD:lost.py"))


def missing_folder(repo):
    os.unlink(object_path(repo, "HEAD:sub"))


def missing_image(repo):
    os.unlink(object_path(repo, "HEAD:logo.jpg"))
    os.unlink(object_path(repo, "HEAD:vendor/copied.py"))


def corrupt_loose(repo):
    path = object_path(repo, "HEAD:lost.py")
    os.chmod(path, 0o600)
    with open(path, "r+b") as f:
        f.seek(8)
        f.write(b"\0" * 8)


def corrupt_pack(repo):
    git(repo, "repack", "-adq")
    pack = next(e.path for e in os.scandir(os.path.join(repo, ".git/objects/pack")) if e.name.endswith(".pack"))
    lost = git(repo, "rev-parse", "HEAD:lost.py")
    line = next(x for x in git(repo, "verify-pack", "-v", pack[:-5] + ".idx").splitlines() if x.startswith(lost))
    os.chmod(pack, 0o600)
    with open(pack, "r+b") as f:
        f.seek(int(line.split()[4]) + 4)	# behind its header
        f.write(b"\0" * 8)


def blobless(repo):
    clone(repo, "--filter=blob:none", "--no-checkout")


def shallow(repo):
    clone(repo, "--depth=1")


def clone(repo, *args):
    shutil.rmtree(repo)
    base = os.path.join(os.path.dirname(os.path.dirname(repo)), "base")
    git(os.path.dirname(repo), "clone", "-q", *args, f"file://{base}", repo)


def too_large(repo):
    put(repo, "large.py", "# filler\n" * 200000)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "large")


def too_deep(repo):
    tree = git(repo, "rev-parse", "HEAD:sub")
    for _ in range(202):
        tree = git(repo, "mktree", given=f"040000 tree {tree}\td\n".encode())
    entries = git(repo, "ls-tree", "HEAD") + f"\n040000 tree {tree}\tdeep\n"
    commit_tree(repo, git(repo, "mktree", given=entries.encode()))


def commit_tree(repo, tree):
    git(repo, "update-ref", "HEAD", git(repo, "commit-tree", "-p", "HEAD", "-m", "malformed", tree))


def add_entries(repo, entries, tail=b""):
    """Adds raw entries (mode, name, object) to the tree of HEAD, unchecked."""
    raw = b""
    for line in git(repo, "ls-tree", "HEAD").splitlines():
        head, name = line.split("\t")
        mode, _, oid = head.split()
        raw += mode.lstrip("0").encode() + b" " + name.encode() + b"\0" + binascii.unhexlify(oid)
    for mode, name, what in entries:
        raw += mode + b" " + name + b"\0" + binascii.unhexlify(git(repo, "rev-parse", f"HEAD:{what}"))
    commit_tree(repo, git(repo, "hash-object", "-t", "tree", "--literally", "-w", "--stdin", given=raw + tail))


def bad_name(repo):
    add_entries(repo, [(b"100644", b"..", "kept.py"), (b"40000", b".git", "sub"), (b"100644", b"", "kept.py"),
                       (b"100644", b"x/y.py", "kept.py")])


def bad_mode(repo):
    add_entries(repo, [(b"060000", b"device.py", "kept.py"), (b"9", b"nine.py", "kept.py")])


def duplicate_entry(repo):
    add_entries(repo, [(b"100644", b"kept.py", "lost.py"), (b"40000", b"lost.py", "sub")])


def wrong_type(repo):
    add_entries(repo, [(b"100644", b"tree.py", "sub")])


def malformed_folder(repo):
    add_entries(repo, [], tail=b"100644 cut.py\0short")


def sha256(repo):
    shutil.rmtree(repo)
    git(os.path.dirname(repo), "init", "-q", "--object-format=sha256", repo)
    put(repo, "kept.py", "def orders(): pass\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "other ids")


def no_head(repo):
    os.remove(os.path.join(repo, ".git/HEAD"))


def no_objects(repo):
    shutil.rmtree(os.path.join(repo, ".git/objects"))
    os.mkdir(os.path.join(repo, ".git/objects"))


def main():
    folder = os.path.abspath(sys.argv[1])
    base = os.path.join(os.path.dirname(folder), "base")
    make_base(base)
    os.makedirs(folder)
    for make in (whole, missing, missing_folder, missing_image, corrupt_loose, corrupt_pack, blobless, shallow, too_large,
                 too_deep, bad_name, bad_mode, duplicate_entry, wrong_type, malformed_folder,
                 sha256, no_head, no_objects):
        repo = os.path.join(folder, make.__name__.replace("_", "-"))
        shutil.copytree(base, repo)
        make(repo)


main()
