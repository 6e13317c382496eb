"""check_real.py ATOLL GROUP: compares a running federation with git grep.

From each member it takes definitions whose name is defined once and not in any other member; `query`, `group_query` and
`search_code` must find each at its place, and `open_file` must return the lines that git has.
"""
import json
import random
import re
import subprocess
import sys
import time

ATOLL, GROUP = sys.argv[1:]
PER_REPO = 8
DEFINITION = {
    "py": r"^(?:def|class) ([A-Za-z_]\w{7,})",
    "go": r"^func (?:\([^)]*\) )?([A-Za-z_]\w{7,})\(",
    "js": r"^(?:export )?(?:async )?(?:function|class) ([A-Za-z_]\w{7,})",
    "ts": r"^(?:export )?(?:async )?(?:function|class) ([A-Za-z_]\w{7,})",
    "java": r"^(?:public )?(?:class|interface) ([A-Za-z_]\w{7,})",
}
LEFT_OUT = re.compile(r"(^|/)(\.[^/]+|node_modules|dist|vendor|third_party|build|__pycache__)/|\.min\.|_pb2|\.pb\.")


def git(repo, *args):
    out = subprocess.run(["git", "-C", repo, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return out.stdout.decode(errors="replace")


def call(tool, **args):
    began = time.monotonic()
    out = subprocess.run([ATOLL, "call", tool, json.dumps(args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    times.setdefault(tool, []).append((time.monotonic() - began) * 1000)
    if out.returncode:
        sys.exit(f"{tool} {args}: exit {out.returncode}: {out.stdout.decode()[:400]}{out.stderr.decode()[:400]}")
    return json.loads(out.stdout)


def definitions(repo):
    """Where each name is defined, as far as the patterns see: name -> [(path, line)]."""
    seen = {}
    for ext, pattern in DEFINITION.items():
        for line in git(repo, "grep", "-nP", pattern, "HEAD", "--", f"*.{ext}").splitlines():
            _, path, number, text = line.split(":", 3)
            if not LEFT_OUT.search(path):
                seen.setdefault(re.search(pattern, text).group(1), []).append((path, int(number)))
    return seen


def among(results, path, line, name, start="start_line", end="end_line", repo=None):
    """Whether one of the results is the definition: by its lines, or by its name where the lines are a snippet's."""
    return any(r["path"] == path and (repo is None or r["repo_uri"] == repo) and
               (r[start] <= line + 1 and line - 1 <= r[end] or r.get("symbol", "").split(".")[-1] == name)
               for r in results)


times, bad, asked = {}, [], 0
random.seed(1)
repos = call("list_repos", group=GROUP, limit=200)["repos"]
for repo in repos:
    uri, source = repo["repo_uri"], repo["source"]
    known = sorted((p, n, name) for name, places in definitions(source).items() if len(places) == 1 for p, n in places)
    random.shuffle(known)
    others = [r["source"] for r in repos if r is not repo]
    picked = []
    for place in known:
        if len(picked) == PER_REPO:
            break
        if not any(git(o, "grep", "-lwF", place[2], "HEAD") for o in others):
            picked.append(place)
    for path, line, name in picked:
        asked += 1
        if not among(call("query", repo_uri=uri, query=name, limit=5)["results"], path, line, name):
            bad.append(f"query {uri} {name}: not {path}:{line}")
        answer = call("group_query", group=GROUP, query=name, limit=10)
        if not answer["complete"]:
            bad.append(f"group_query {name}: incomplete: {answer['coverage']}")
        if not among(answer["results"], path, line, name, repo=uri):
            bad.append(f"group_query {name}: not {uri} {path}:{line}")
        answer = call("search_code", repo_uri=uri, query=name, topK=5)
        if not among(answer["results"], path, line, name, "startLine", "endLine"):
            bad.append(f"search_code {uri} {name}: not {path}:{line}")
        want = git(source, "show", f"{repo['freshness']['commit']}:{path}").split("\n")[line - 1:line + 2]
        got = call("open_file", repo_uri=uri, path=path, startLine=line, endLine=line + 2)["content"].rstrip("\n").split("\n")
        if [w.rstrip("\r") for w in got] != [w.rstrip("\r") for w in want[:len(got)]]:
            bad.append(f"open_file {uri} {path}:{line}: {got} is not {want}")
    print(f"{uri}: {repo['files']} files, {repo['symbols']} symbols, {len(picked)} of {len(known)} definitions asked for")

for tool, ms in sorted(times.items()):
    ms.sort()
    print(f"{tool}: {len(ms)} calls, median {ms[len(ms) // 2]:.1f} ms, longest {ms[-1]:.1f} ms, process start included")
print("\n".join(bad))
print(f"{asked} definitions, {len(bad)} wrong answers")
sys.exit(1 if bad or not asked else 0)
