"""Generates questions from repositories, and the input of the ranker (offline_ranker.h): see learn.sh.

questions.py make NAME...           writes the questions of each repository to WORK/q/NAME.jsonl, from WORK/d/NAME.docs and its history
questions.py federation FED NAME... writes the ranker's input for a federation of them: WORK/fed/FED.list and .tsv; the wanted files: .json

Types: `untold`, the first sentence of a doc comment that is removed from the index, `verbatim`, with the comment in it; `second`, the
second sentence, with all but the first removed (comments.py); `commit`, `testdesc` (history.py).
"""
import collections
import glob
import json
import os
import random
import re
import sys

import comments
import history
from source import WORK, documents, head, read_lines

LONGEST_TERMS, LONGEST_TEXT = 60000, 20000      # of a line that the ranker reads


def once(asked):
    """Without those that were asked already."""
    seen = set()
    for q in asked:
        key = q["type"], q["query"].lower()
        if key not in seen:
            seen.add(key)
            yield q


def make(repo):
    rnd, commit, docs = random.Random(repo), head(repo), documents(repo)
    files = {d["path"] for d in docs}
    asked = [*comments.questions(docs, rnd), *history.of_commits(repo, commit, files, rnd), *history.of_tests(repo, commit, files, rnd)]
    made = [{**q, "repo": repo} for q in once(asked)]
    with open(f"{WORK}/q/{repo}.jsonl", "w", encoding="utf8") as f:
        f.writelines(json.dumps(q) + "\n" for q in made)
    print(repo, collections.Counter(q["type"] for q in made), flush=True)


# ---- a federation ----

def data_folder(repo):
    return os.path.dirname(glob.glob(f"{WORK}/idx/{repo}/**/CURRENT", recursive=True)[0])


def taken_out(q, docs):
    """The three fields of a line that say what the index is to lack: offline_ranker.h."""
    if q["type"] not in ("untold", "second"):
        return "0", "", ""
    terms, text = comments.taken_out(docs[q["target"]], q["type"])
    listed = ",".join(f"{term}:{weight}" for term, weight in terms.items() if not {",", ":"} & set(term))
    text = text[:LONGEST_TEXT].replace("\t", " ").replace("\r", " ").replace("\n", "\x01")
    return str(q["target"]), listed[:LONGEST_TERMS], text


def asked_of(repo, first_file):
    """What is asked of a member: its lines for the ranker, what is wanted; and how many files it has."""
    docs = documents(repo)
    files = {d["path"]: first_file + d["file"] for d in docs}
    by_text = {d["text"]: d for d in docs}
    lines, asked = [], []
    for q in read_lines(f"{WORK}/q/{repo}.jsonl"):
        query = re.sub(r"\s+", " ", q["query"])
        lines.append([str(int(q["type"] == "testdesc")), *taken_out(q, by_text), query])
        asked.append({"query": query, "type": q["type"], "repo": repo, "want": [(repo, path) for path in q["answers"]],
                      "files": [files[path] for path in q["answers"] if path in files]})
    return lines, asked, max(d["file"] for d in docs) + 1


def federation(name, repos):
    base = f"{WORK}/fed/{name}"
    lines, asked, files = [], [], 0
    for repo in repos:
        its_lines, its_asked, its_files = asked_of(repo, files)
        lines += its_lines
        asked += its_asked
        files += its_files
    with open(f"{base}.list", "w", encoding="utf8") as f:
        f.writelines(f"{data_folder(repo)}\t{WORK}/d/{repo}\n" for repo in repos)
    with open(f"{base}.tsv", "w", encoding="utf8") as f:
        f.writelines("\t".join([str(i), *line]) + "\n" for i, line in enumerate(lines))
    with open(f"{base}.json", "w", encoding="utf8") as f:
        json.dump(asked, f)
    print(name, len(asked), collections.Counter(q["type"] for q in asked), sum(not q["files"] for q in asked), "without files")


def main():
    command, *names = sys.argv[1:]
    if command == "federation":
        federation(names[0], names[1:])
    else:
        for name in names:
            make(name)


if __name__ == "__main__":
    main()
