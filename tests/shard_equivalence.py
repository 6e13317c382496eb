#!/usr/bin/env python3
"""shard_equivalence.py BIN WORK REPO...: real files spread over many shards rank as in one index (standard library only).

The source files of the repositories, at most FILES (1500), become one repository, and then, in WAYS (5) random ways, 2, 6, 20 and
60 repositories; each federation gets the same 200 lexical queries.  It must return the same places in the same order with the same
scores as the single repository; so must members with other names and the same files.  Three runs of all queries must return the
same bytes, except for the elapsed times.
"""
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

BIN, WORK, *REPOS = sys.argv[1:]
FILES, WAYS = int(os.environ.get("FILES", 1500)), int(os.environ.get("WAYS", 5))
COUNTS = [int(n) for n in os.environ.get("COUNTS", "2 6 20 60").split()]
SOURCE = re.compile(r"\.(py|js|ts|tsx|go|java|kt|c|cc|cpp|h|rs|rb|php|cs|md)$")
random.seed(11)


def git(repo, *args, **more):
    return subprocess.run(["git", "-C", repo, *args], check=True, stdout=subprocess.PIPE, **more).stdout


def real_files():
    """(path, text), as many of each repository."""
    out = []
    for repo in REPOS:
        paths = [p for p in git(repo, "ls-tree", "-r", "--name-only", "-z", "HEAD").decode("utf-8", "replace").split("\0")
                 if SOURCE.search(p)]
        name = os.path.basename(repo.removesuffix("/repo")).replace("+", "-")
        for p in random.sample(paths, min(len(paths), FILES // len(REPOS))):
            text = subprocess.run(["git", "-C", repo, "show", f"HEAD:{p}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            if 0 < len(text) < 200_000:
                out.append((f"{name}/{p}", text))
    return out


def make_questions(files):
    def words(n):
        text = random.choice(files)[1].decode("utf-8", "replace")
        all_words = re.findall(r"[A-Za-z]{3,}", text) or ["return"]
        at = random.randrange(len(all_words))
        return " ".join(all_words[at:at + n])

    def name():
        found = []
        while not found:
            found = re.findall(r"\b(?:def|func|function|class|struct|int|void|fn) \*?([A-Za-z_]\w{3,})",
                               random.choice(files)[1].decode("utf-8", "replace"))
        return random.choice(found)

    kinds = [lambda: words(1), name, lambda: words(3), lambda: f"how does the {words(1)} {words(2)} the {name()}?", lambda: words(8),
             lambda: f'"{words(2)}"', lambda: random.choice(["return", "error", "self", "name", "test", "get", "data"]), lambda: words(40)]
    return [kinds[i % len(kinds)]() for i in range(200)]


class Federation:
    def __init__(self, folder, parts, names):
        paths = []
        for i, part in enumerate(parts):
            repo = os.path.join(folder, names(i))
            for path, text in part:
                os.makedirs(os.path.dirname(os.path.join(repo, path)), exist_ok=True)
                with open(os.path.join(repo, path), "wb") as f:
                    f.write(text)
            os.makedirs(repo, exist_ok=True)
            git(repo, "init", "-q", "-b", "main")
            git(repo, "add", "-A", "-f")
            git(repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "all")
            paths.append(repo)
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{s.getsockname()[1]}"
        env = dict(os.environ, PATH=BIN + ":" + os.environ["PATH"], ATOLL_EMBEDDER="none")
        self.p = subprocess.Popen(["atoll", "up", "--data", os.path.join(folder, "data"), "--http", self.url[7:], "--group", "g", *paths],
                                  env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                  start_new_session=True)
        end = time.time() + 600
        while not self.ready(len(paths)):
            if time.time() > end or self.p.poll() is not None:
                self.stop()
                sys.exit("the federation did not come up")
            time.sleep(0.1)

    def call(self, tool, **args):
        req = urllib.request.Request(f"{self.url}/api/v1/{tool}", json.dumps(args).encode(), {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(req, timeout=60))

    def ready(self, n):
        try:
            repos = self.call("group_status", group="g")["repos"]
        except (OSError, KeyError):
            return False
        return len(repos) == n and all(r["status"] == "ready" for r in repos)

    def answer(self, question):
        answer = self.call("group_query", group="g", query=question, mode="lexical", limit=100)
        if not answer["complete"]:
            sys.exit(f"{question}: {answer['coverage']}")
        del answer["took_ms"]
        return answer

    def stop(self):
        if self.p.poll() is None:
            os.killpg(self.p.pid, signal.SIGTERM)
            self.p.wait(60)


def places(answer):
    return [(r["path"], r["start_line"], r["end_line"], r.get("symbol"), r["score"], r["sources"],
             sorted(p["path"] for p in r.get("also_in", [])))
            for r in answer["results"]]


def ask_all(parts, names=lambda i: f"r{i * 7919 % 997:03d}", runs=1):
    """Shards skipped and places, by question."""
    folder = os.path.join(WORK, "spread")
    shutil.rmtree(folder, ignore_errors=True)
    federation = Federation(folder, parts, names)
    try:
        answers = [federation.answer(q) for q in questions]
        skipped = sum(a.pop("coverage")["skipped"] for a in answers)    # more may be in the next run: sketches come one by one
        for run in range(1, runs):
            for q, a in zip(questions, answers):
                b = federation.answer(q)
                del b["coverage"]
                if json.dumps(a) != json.dumps(b):
                    sys.exit(f"another answer to `{q}` in run {run + 1}:\n{a['results'][:2]}\n{b['results'][:2]}")
        return skipped, [places(a) for a in answers]
    finally:
        federation.stop()
        shutil.rmtree(folder, ignore_errors=True)


def compare(what, parts, **more):
    skipped, many = ask_all(parts, **more)
    other = [i for i, (x, y) in enumerate(zip(one, many)) if x != y]
    if other:
        q = other[0]
        k = next(k for k in range(101) if one[q][k:k + 1] != many[q][k:k + 1])
        sys.exit(f"{len(other)} questions differ, {what}; `{questions[q]}` at {k}:\n{one[q][k:k + 2]}\n{many[q][k:k + 2]}")
    print(f"{what}: the same lists; {skipped / len(many):.1f} shards skipped a question", flush=True)


files = real_files()
questions = make_questions(files)
_, one = ask_all([files])
print(f"{len(files)} files of {len(REPOS)} repositories, "
      f"{sum(bool(v) for v in one)} of {len(questions)} questions find something", flush=True)
for way in range(WAYS):
    for n in COUNTS:
        parts = [[] for _ in range(n)]
        for f in files:     # every other way most are in one
            parts[0 if way % 2 and random.random() < 0.6 else random.randrange(n)].append(f)
        compare(f"way {way}, {n} shards", parts, runs=1 if way else 3)
        if n == 6:
            compare(f"way {way}, {n} shards of other names", parts, names=lambda i: f"other-{9 - i}")
