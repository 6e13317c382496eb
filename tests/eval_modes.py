#!/usr/bin/env python3
"""eval_modes.py EVAL REPOS BIN LABELS...: runs labelled questions in each mode (MODES, default "lexical vector hybrid") with EVAL/run.py.

Prints the output of run.py for each mode, then MRR@10 by file, per type and mode, compared with plain BM25 over whole files of the
same checkouts with terms split as in code; then the answers that rank higher, and lower, in hybrid than in lexical mode (standard
library only).
"""
import collections
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

EVAL, REPOS, BIN, *LABELS = sys.argv[1:]
MODES = os.environ.get("MODES", "lexical vector hybrid").split()
STOP = set("a an and are as at be by can do does for from how i in is it its "
           "me my of on or so that the there this to was what when where which who why with".split())
MOST = 1 << 20      # bytes of a file that is read


def load(path):
    with open(path) as f:
        return [json.loads(line) for line in f if line.strip()]


def run_mode(mode, work):
    """What run.py found: {id: results}."""
    print(f"---- mode {mode}", flush=True)
    done = subprocess.run([sys.executable, os.path.join(EVAL, "run.py"), "search", *LABELS, "--repos", REPOS, "--bin", BIN, "--mode", mode,
                           "--work", work, "--keep"])
    if done.returncode:
        sys.exit(done.returncode)
    return {o["id"]: o["results"] for o in load(os.path.join(work, "pred.jsonl"))}


def rank(question, results):
    """Of the first file that answers, by distinct files; None: it is not there."""
    want = {(a["repo"], a["path"]) for a in question["answers"]}
    files = list(dict.fromkeys((r["repo"], r["path"]) for r in results))
    return next((i for i, f in enumerate(files, 1) if f in want), None)


# ---- the baseline ----

def terms(text):
    for word in re.findall(r"\w+", text):
        parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+", word)
        yield word.lower()
        if len(parts) > 1:
            yield from (p.lower() for p in parts)


def url_of(name):
    """As run.py calls a repository, or a folder of one that plays the role of a repository."""
    repo, _, folder = name.partition("#")
    return f"https://github.com/{repo}" + (f"-{folder.replace('/', '-')}" if folder else "")


def checkouts(work, names):
    """(name in the labels, folder) of what run.py laid out."""
    by_url, folders = {url_of(n): n for n in names}, os.path.join(work, "repos")
    for folder in sorted(os.listdir(folders)):
        at = os.path.join(folders, folder)
        url = subprocess.run(["git", "-C", at, "remote", "get-url", "origin"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        yield by_url[url], at


def whole_files(work, names):
    for name, folder in checkouts(work, names):
        listed = subprocess.run(["git", "-C", folder, "ls-files", "-z"], stdout=subprocess.PIPE,
                                check=True).stdout.decode("utf-8", "replace")
        for path in filter(None, listed.split("\0")):
            at = os.path.join(folder, path)
            if not os.path.isfile(at) or os.path.islink(at) or os.path.getsize(at) > MOST:
                continue
            with open(at, "rb") as f:
                text = f.read()
            if b"\0" not in text[:8192]:
                yield (name, path), collections.Counter(terms(path + "\n" + text.decode("utf-8", "replace")))


def baseline(work, questions, k1=1.2, b=0.75):
    names = {a["repo"] for q in questions for a in q["answers"]}
    files = list(whole_files(work, names))
    lengths = [sum(c.values()) for _, c in files]
    average = sum(lengths) / max(1, len(lengths))
    postings = collections.defaultdict(list)
    for i, (_, counts) in enumerate(files):
        for t, n in counts.items():
            postings[t].append((i, n))
    found = {}
    for q in questions:
        scores = collections.Counter()
        for t in set(terms(q["query"])) - STOP:
            idf = math.log(1 + (len(files) - len(postings[t]) + 0.5) / (len(postings[t]) + 0.5))
            for i, n in postings[t]:
                scores[i] += idf * n * (k1 + 1) / (n + k1 * (1 - b + b * lengths[i] / average))
        best = sorted(scores, key=lambda i: (-scores[i], files[i][0]))[:10]
        found[q["id"]] = [{"repo": files[i][0][0], "path": files[i][0][1]} for i in best]
    return found


# ---- the tables ----

def mrr(questions, found):
    ranks = [rank(q, found.get(q["id"], [])) for q in questions]
    return sum(1 / r for r in ranks if r and r <= 10) / max(1, len(ranks))


def table(questions, columns):
    print("---- MRR@10 by file")
    print(f"{'':12} {'n':>4} " + " ".join(f"{name:>15}" for name in columns))
    types = sorted({q["type"] for q in questions})
    for kind in ["all", *types]:
        some = [q for q in questions if kind in ("all", q["type"])]
        print(f"{kind:12} {len(some):4} " + " ".join(f"{mrr(some, found):15.3f}" for found in columns.values()))


def compare(questions, lexical, hybrid):
    """Wins and losses, question by question."""
    sides = {"earlier": [], "later": []}
    for q in questions:
        before, after = rank(q, lexical.get(q["id"], [])), rank(q, hybrid.get(q["id"], []))
        if before != after:
            sides["earlier" if (after or 999) < (before or 999) else "later"].append((q, before, after))
    by_type = collections.defaultdict(lambda: [0, 0])
    for i, side in enumerate(sides.values()):
        for q, _, _ in side:
            by_type[q["type"]][i] += 1
    same = len(questions) - sum(map(len, sides.values()))
    print(f"---- hybrid against lexical: {len(sides['earlier'])} answers earlier, {len(sides['later'])} later, {same} as before ("
          + ", ".join(f"{t} {w}:{l}" for t, (w, l) in sorted(by_type.items())) + ")")
    for name, side in sides.items():
        for q, before, after in side:
            print(f"{name:8} {before or '-':>4} -> {after or '-':<4} {q['type']:12} {q['id']:16} {q['query'][:90]}")


def main():
    work, found = tempfile.mkdtemp(prefix="atoll-eval-"), {}
    try:
        for mode in MODES:
            shutil.rmtree(work, ignore_errors=True)
            found[mode] = run_mode(mode, work)
        questions = load(os.path.join(work, "truth.jsonl"))
        table(questions, {"whole-file BM25": baseline(work, questions), **found})
        if "lexical" in found and "hybrid" in found:
            compare(questions, found["lexical"], found["hybrid"])
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()
