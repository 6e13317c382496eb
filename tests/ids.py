"""ids.py [--few N]: asks the federation at $ATOLL_URL for every id that its answers show, and fails if one is unknown or names
something else.  The answers are those of every tool that shows ids, for each repository; --few N: at most so many ids of a kind
and repository.  Prints the number of ids of each kind."""
import collections
import json
import os
import re
import sys
import urllib.error
import urllib.request

URL = os.environ["ATOLL_URL"]
FEW = int(sys.argv[2]) if sys.argv[1:2] == ["--few"] else 10**9
WORDS = ["main", "get", "build", "user", "release", "list"]


def call(tool, **args):
    request = urllib.request.Request(f"{URL}/api/v1/{tool}", json.dumps(args).encode(), {"Content-Type": "application/json"})
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as e:
        return json.load(e)


ids = collections.defaultdict(dict)	# (kind, repo_uri) -> {id: where it was shown}

names = collections.defaultdict(set)	# repo_uri -> names of all definitions


def note(kind, repo, value, where):
    if value and len(ids[kind, repo]) < FEW:
        ids[kind, repo].setdefault(value, where)


def collect(repo, tool, value, role=""):
    """Note what a part of an answer shows; `repo` is whose it is, `role` the name of the part."""
    if isinstance(value, list):
        for x in value:
            collect(repo, tool, x, role)
    if not isinstance(value, dict):
        return
    repo = value.get("repo_uri", repo)
    where = value.get("file") or value.get("path")
    for field in ("symbol", "handler"):
        if isinstance(value.get(field), str) and where:
            note("name", repo, (value[field], where), tool)
    if "start_line" in value and value.get("change") != "removed":
        note("symbol", repo, value.get("id"), tool)
        note("symbol", repo, value.get("via"), tool)
        note("file", repo, value["path"], tool)
    if "startLine" in value or "file" in value and "line" in value:
        note("file", repo, where, tool)
    if "method" in value and role in ("routes", "producer"):
        note("route", repo, (value["method"], value["path"]), tool)
    for name, x in value.items():
        collect(repo, tool, x, name)


def ask(tool, repo, **args):
    answer = call(tool, repo_uri=repo, **args)
    if "error" not in answer:
        collect(repo, tool, answer)
    return answer


def files_of(repo, folder=""):
    for entry in ask("file_map", repo, path=folder, limit=5000).get("entries", []):
        if "language" in entry or "lines" in entry:
            yield entry["path"]
        else:
            yield from files_of(repo, entry["path"])


def collect_all():
    repos = []
    cursor = None
    while True:
        page = call("list_repos", **({"cursor": cursor} if cursor else {}))
        repos += page["repos"]
        cursor = page.get("next_cursor")
        if not cursor:
            break
    for row in repos:
        repo = row["repo_uri"]
        note("repo", repo, repo, "list_repos")
        for path in files_of(repo):
            note("file", repo, path, "file_map")
            names[repo].update(y["name"] for y in ask("file_map", repo, path=path).get("symbols", []))
        for word in WORDS:
            ask("query", repo, query=word, limit=100)
            ask("search_code", repo, query=word)
        ask("route_map", repo, limit=500)
        ask("detect_changes", repo, limit=500)
        for name in list(ids["symbol", repo])[:300]:
            ask("context", repo, symbol=name, limit=50)
        for name in list(ids["symbol", repo])[:60]:
            ask("impact", repo, symbol=name)
            ask("signature", repo, symbol=name)
    for group in call("group_list").get("groups", []):
        for tool in ("group_contracts", "group_cross_repo_links", "group_status"):
            collect(None, tool, call(tool, group=group["name"]))
        for word in WORDS:
            collect(None, "group_query", call("group_query", group=group["name"], query=word, limit=100))
    for job in call("job_list").get("jobs", []):
        note("job", None, job["id"], "job_list")


bad = collections.defaultdict(list)


def check(kind, repo, value, where):
    if kind == "symbol":
        answer = call("context", repo_uri=repo, symbol=value)
        target = answer.get("target")
        right = target and target["id"] == value
    elif kind == "name":
        answer = call("context", repo_uri=repo, symbol=value[0], path=value[1])
        if "error" in answer:	# a route that is registered in another file than its handler
            answer = call("context", repo_uri=repo, symbol=value[0])
        right = "error" not in answer and (answer["target"] or answer["candidates"])
        right = right or not names[repo] & set(re.split(r"[.:#]+", value[0])[-1:])	# a handler of a library
    elif kind == "file":
        answer = call("open_file", repo_uri=repo, path=value, endLine=1)
        right = "error" not in answer and answer["path"] == value
    elif kind == "route":
        answer = call("api_impact", repo_uri=repo, route=value[1], method=value[0])
        right = "error" not in answer and any((r["method"], r["path"]) == value for r in answer["routes"])
    elif kind == "repo":
        answer = call("list_repos", repo_uri=value)
        right = [r["repo_uri"] for r in answer.get("repos", [])] == [value]
    else:
        answer = call("job_show", id=value)
        right = "error" not in answer
    if not right:
        bad[kind].append((repo, value, where, answer.get("error") or answer.get("target") or [c["id"] for c in answer.get("candidates", [])]))


collect_all()
totals = collections.Counter()
for (kind, repo), values in list(ids.items()):
    for value, where in values.items():
        check(kind, repo, value, where)
        totals[kind] += 1
print(*(f"{kind} {n}" for kind, n in sorted(totals.items())))
for kind, rows in bad.items():
    print(f"{len(rows)} of {totals[kind]} ids of kind {kind} cannot be asked for:")
    for row in rows[:int(os.environ.get("SHOW", "10"))]:
        print("  ", *(json.dumps(x)[:300] for x in row))
sys.exit(bool(bad))
