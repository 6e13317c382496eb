"""make_history.py DIR COMMITS [SEED]: makes a repository of several languages whose history has every kind of change.

Adds, edits, deletes, renames, moved folders, modes, symbolic links, copies, binary, empty and large files, files that become
folders, changes of language for the same text, lock files, changed ignore rules.  The same arguments make the same commits.
"""
import json
import os
import random
import shutil
import subprocess
import sys

root, commits, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
rng = random.Random(seed)
WORDS = "load save order user stock price basket invoice".split()
NAMES = [f"{a}_{b}" for a in WORDS[:4] for b in WORDS]	# few, so that what one file uses others define


def git(*args):
    env = dict(os.environ, GIT_AUTHOR_DATE="2026-01-01T00:00:00Z", GIT_COMMITTER_DATE="2026-01-01T00:00:00Z")
    return subprocess.run(["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "gc.auto=0", *args],
                          check=True, env=env, capture_output=True, text=True).stdout


def name():
    return rng.choice(NAMES)


def others(ext):
    return [f for f in files() if f.endswith(ext)]


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def python():
    out = [f"from {os.path.dirname(p).replace('/', '.')}.{stem(p)} import {name()}, {name()}\n" for p in sample(others(".py"), 2)
           if os.path.dirname(p)]
    base = rng.choice(["", "(Base)", "(Store)"])
    out.append(f"class {rng.choice(['Base', 'Store', 'Orders'])}{base}:\n    \"\"\"Keeps {name()}.\"\"\"\n\n"
               + "".join(f"    def {name()}(self, n):\n        return self.{name()}(n) + {name()}(n)\n\n" for _ in range(3)))
    out += [f"def {name()}(x):\n    \"\"\"Do {name()} well.\"\"\"\n    return {name()}({name()}(x), {rng.randrange(99)})\n\n"
            for _ in range(4)]
    if rng.random() < .5:
        out.append(f"@app.route('/{name()}/<id>')\ndef {name()}(id):\n    return requests.get('/api/{name()}')\n")
    return "\n".join(out)


def javascript():
    out = [f"import {{ {name()} }} from './{stem(p)}';\n" for p in sample(others(".js") + others(".ts"), 2)]
    out += [f"export function {name()}(a, b) {{\n  return {name()}(a) + {name()}(b) + {rng.randrange(99)};\n}}\n" for _ in range(4)]
    out.append(f"class Cart extends Basket {{\n  {name()}() {{ return this.{name()}(fetch('/api/{name()}')); }}\n}}\n")
    return "\n".join(out)


def go():
    return "package shop\n\nimport \"fmt\"\n\ntype Store struct{ n int }\n\n" + "\n".join(
        f"func (s *Store) {name().title().replace('_', '')}(n int) int {{\n\tfmt.Println({rng.randrange(99)})\n"
        f"\treturn {name()}(n)\n}}\n\nfunc {name()}(n int) int {{ return {name()}(n) }}\n" for _ in range(3))


def java():
    return f"package shop.{rng.choice(WORDS)};\n\nimport shop.stock.Store;\n\npublic class Store implements Base {{\n" + "\n".join(
        f"  public int {name()}(int n) {{ return {name()}(n) + new Store().{name()}({rng.randrange(99)}); }}" for _ in range(4)) + "\n}\n"


def c():
    return "#include \"store.h\"\n\n" + "\n".join(
        f"/* {name()} of it. */\nint {name()}(int n)\n{{\n\treturn {name()}(n) + {rng.randrange(99)};\n}}\n" for _ in range(4))


def markdown():
    return "\n\n".join(f"# {name()}\n\nHow to {name()} and `{name()}` {rng.randrange(99)}." for _ in range(3)) + "\n"


def shell():
    return f"#!/bin/{rng.choice(['sh', 'bash'])}\n{name()}() {{\n  {name()} {rng.randrange(99)}\n}}\n{name()}\n"


MAKERS = {".py": python, ".js": javascript, ".ts": javascript, ".go": go, ".java": java, ".c": c, ".h": c, ".md": markdown, "": shell}


def files():
    return sorted(os.path.relpath(os.path.join(d, f), root) for d, dirs, fs in os.walk(root) if ".git" not in d.split("/")
                  for f in fs if not f.startswith(".") and not os.path.islink(os.path.join(d, f)))


def sample(v, n):
    return rng.sample(v, min(n, len(v)))


def write(path, text):
    full = os.path.join(root, path)
    if os.path.isdir(full):
        return
    try:
        os.makedirs(os.path.dirname(full), exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return
    with open(full, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())


def read(path):
    with open(os.path.join(root, path), "rb") as f:
        return f.read()


def some():
    return rng.choice(files())


def add():
    ext = rng.choice(list(MAKERS))
    folder = rng.choice(["src", "src/shop", "lib", "tests", "vendor", "docs", "a b", "src/shop/deep/er"])
    write(f"{folder}/{name()}{rng.randrange(3)}{ext}", MAKERS[ext]())


def edit():
    path = some()
    lines = read(path).split(b"\n")
    i = rng.randrange(len(lines))
    lines[i:i + rng.randrange(3)] = [rng.choice([b"", b"# note", lines[rng.randrange(len(lines))]])]
    write(path, b"\n".join(lines))


def rewrite():
    path = some()
    write(path, MAKERS.get(os.path.splitext(path)[1], markdown)())


def substitute():
    path, old, new = some(), name().encode(), name().encode()
    write(path, read(path).replace(old, new))


def delete():
    if len(files()) > 12:
        os.unlink(os.path.join(root, some()))


def rename():
    path = some()
    new = f"{os.path.dirname(path)}/{name()}{rng.randrange(3)}{os.path.splitext(path)[1]}".lstrip("/")
    if not os.path.exists(os.path.join(root, new)):
        os.rename(os.path.join(root, path), os.path.join(root, new))


def other_language():
    path = some()
    new = os.path.splitext(path)[0] + rng.choice(list(MAKERS))
    if not os.path.exists(os.path.join(root, new)):
        os.rename(os.path.join(root, path), os.path.join(root, new))


def move_folder():
    old, new = rng.choice(["src/shop", "lib", "docs"]), "lib" + str(rng.randrange(4))
    if os.path.isdir(os.path.join(root, old)) and not os.path.exists(os.path.join(root, new)):
        shutil.move(os.path.join(root, old), os.path.join(root, new))


def mode():
    path = os.path.join(root, some())
    os.chmod(path, os.stat(path).st_mode ^ 0o111)


def copy():
    write(f"src/copy{rng.randrange(5)}{os.path.splitext(x := some())[1]}", read(x))


def odd():
    write(f"src/odd{rng.randrange(4)}.py", rng.choice([b"", b"\0\1binary", b"x = 1\r\ny = 2\r\n", b"name = '\xff\xfe'\n",
                                                     b"# big\n" * 200000, b"def late():\n    return early()\n"]))


def link():
    path = os.path.join(root, f"src/link{rng.randrange(3)}.py")
    if os.path.lexists(path):
        os.unlink(path)
    elif os.path.isdir(os.path.dirname(path)):
        os.symlink("store.py", path)


def file_or_folder():
    path = os.path.join(root, "src/both.py")
    if os.path.isdir(path):
        shutil.rmtree(path)
        write("src/both.py", python())
    else:
        if os.path.exists(path):
            os.unlink(path)
        write("src/both.py/inner.py", python())


def packages():
    """A manifest, or a lock file, which may be gone again."""
    folder, versions = rng.choice(["", "lib/", "src/shop/"]), {name(): rng.randrange(9) for _ in range(3)}
    path = folder + rng.choice(["package.json", "yarn.lock", "package-lock.json"])
    if os.path.exists(os.path.join(root, path)) and rng.random() < .2:
        os.unlink(os.path.join(root, path))
    elif path.endswith("package.json"):
        write(path, json.dumps({"name": name(), "dependencies": {k: f"^{v}" for k, v in versions.items()}}, indent=1))
    elif path.endswith("yarn.lock"):
        write(path, "".join(f'{k}@^{v}:\n  version "{v}.1.0"\n\n' for k, v in versions.items()))
    else:
        write(path, json.dumps({"packages": {f"node_modules/{k}": {"version": f"{v}.2.0"} for k, v in versions.items()}}))


def rules():
    if rng.random() < .5:
        write(".atollignore", rng.choice(["docs/\n", "*.md\n", "src/shop/deep\n!*.go\n", ""]))
    else:
        write(rng.choice(["", "src/"]) + ".gitattributes", rng.choice(
            ["*.js linguist-generated\n", "lib/** linguist-vendored\n", "*.py -linguist-generated\n"]))


OFTEN = [add, edit, edit, rewrite, substitute, substitute, rename, delete, mode, copy, odd, packages]
RARELY = [other_language, move_folder, link, file_or_folder, rules]

os.makedirs(root)
git("init", "-q", "-b", "main", ".")
for _ in range(30):
    add()
for _ in range(commits):
    for _ in range(rng.randrange(1, 5)):
        (rng.choice(OFTEN) if rng.random() < .8 else rng.choice(RARELY))()
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "change")
