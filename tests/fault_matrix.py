"""Checks a federation with one fault per repository: fault_matrix.py URL GROUP TABLE FOLDER.

TABLE has a line for each repository: name, effect, cause, number and example ('-': none).  The effect says what must follow:
    none      nothing is said about it, and its answers are complete
    files     degraded; every answer that depends on its files is incomplete, and names cause and number
    history   healthy; only answers about its history are incomplete, others have a note
    limit     healthy and complete; a note names what is left out
    failed    a member that could not be taken in: its reason holds CAUSE, and no answer of the group is complete
FOLDER has what the command line printed: status, group_status, doctor, and the metrics.
Prints one line for each cell that is wrong."""
import json
import sys
import urllib.error
import urllib.request

url, group, table, folder = sys.argv[1:5]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
wrong = []


def post(path, body, headers):
    try:
        return json.load(urllib.request.urlopen(urllib.request.Request(
            url + path, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})))
    except urllib.error.HTTPError as e:
        return json.load(e)


def api(tool, **arguments):
    return post(f"/api/v1/{tool}", arguments, {})


def mcp(tool, **arguments):
    params = {"name": tool, "arguments": arguments, "_meta": META}
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
    return post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers)["result"]


def check(row, cell, good, got):
    if not good:
        wrong.append(f"{row}: {cell}: {json.dumps(got)[:600]}")


def printed(name):
    with open(f"{folder}/{name}", encoding="utf-8") as f:
        return f.read().splitlines()


def line_of(name, repo):
    return " ".join(line for line in printed(name) if f"{repo}-" in line)


status = {r["name"].rsplit("-", 1)[0]: r for r in api("group_status", group=group)["repos"]}
listed = {r["name"].rsplit("-", 1)[0]: r for r in api("status")["repos"]}	# what the page's Overview shows
asked = {"api": api("group_query", group=group, query="orders"),
         "mcp": mcp("group_query", group=group, query="orders")["structuredContent"]}
contracts = mcp("group_contracts", group=group)["structuredContent"]
metrics = "\n".join(printed("metrics"))


def partial(answer, uri):
    rows = answer.get("coverage", {}).get("partial", [])
    return [{k: v for k, v in p.items() if k != "repo_uri"} for p in rows if p["repo_uri"] == uri]


def notes(answer, uri, code):
    return [n["message"] for n in answer.get("coverage", {}).get("notes", []) if n["repo_uri"] == uri and n["code"] == code]


def check_failed(name, cause):
    row, uri, cause = status[name], status[name]["repo_uri"], cause.replace("_", " ")
    for where, state in (("group_status", row), ("page", listed[name])):
        check(name, where, state["status"] == "failed" and cause in state.get("reason", ""), state)
    for how, answer in {**asked, "group_contracts": contracts}.items():
        failed = [f for f in answer["coverage"]["failed"] if f["repo_uri"] == uri]
        check(name, how, len(failed) == 1 and failed[0]["code"] == "NO_INDEX" and not answer["complete"], answer["coverage"])
    for command in ("status", "doctor"):
        check(name, f"atoll {command}", "failed" in line_of(command, name) and cause in line_of(command, name), line_of(command, name))


def check_row(name, effect, cause, number, example):
    if effect == "failed":
        check_failed(name, cause)
        return
    row, uri = status[name], status[name]["repo_uri"]
    gap = {"cause": cause, "number": int(number), **({"example": example} if example != "-" else {})}
    gaps = [] if effect == "none" else [gap]
    short = lambda found: [{**g, **({"example": g["example"][:len(example)]} if "example" in g else {})} for g in found]
    same = lambda found, want: short(found) == want
    check(name, "group_status", same(row.get("gaps", []), gaps), row)
    check(name, "health", row["health"] == ("degraded" if effect == "files" else "healthy"), row)
    check(name, "page", same(listed[name]["freshness"].get("gaps", []), gaps), listed[name])
    code = gaps if effect == "files" else []
    for how, answer in asked.items():
        check(name, f"group_query, {how}", same(partial(answer, uri), code), answer["coverage"])
        noted = bool(notes(answer, uri, "LIMIT" if effect == "limit" else "PARTIAL"))
        check(name, f"notes, {how}", noted == (effect != "none"), answer["coverage"])
    check(name, "group_contracts", same(partial(contracts, uri), code), contracts["coverage"])
    one = api("group_query", group=group, query="orders", repos=[uri])
    check(name, "complete, one member", one["complete"] == (not code), one)
    query = mcp("query", repo_uri=uri, query="orders")["structuredContent"]
    check(name, "query", query["complete"] == (not code) and same(partial(query, uri), code), query)
    owners = api("owners", repo_uri=uri, path="kept.py")
    if "error" not in owners:
        check(name, "owners", same(partial(owners, uri), gaps if effect == "history" else []), owners)
    impact = api("impact", repo_uri=uri, symbol="kept.py")
    if "error" not in impact:
        check(name, "impact", impact["complete"] == (not code) and same(partial(impact, uri), code), impact)
    lost = mcp("context", repo_uri=uri, symbol="nothing_of_this_name")
    check(name, "a name that is not found", (cause in json.dumps(lost)) == (effect == "files"), lost)
    check_printed(name, effect, cause, number)


def check_printed(name, effect, cause, number):
    said = effect != "none"
    for command in ("status", "group_status", "doctor"):
        line = line_of(command, name)
        check(name, f"atoll {command}", line and ((cause if said else "lacks") in line) == said, line)
    doctor = [x for x in printed("doctor") if f"{name}-" in x and x.startswith("warning")]
    check(name, "doctor's state", bool(doctor) == (effect in ("files", "history")), doctor)
    check(name, "metrics", (f'cause="{cause}"}} {number}' in metrics) == said, metrics if said else "")


with open(table, encoding="utf-8") as f:
    rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
for fields in rows:
    check_row(*fields)
check("all", "complete", not asked["api"]["complete"] and not contracts["complete"], asked["api"]["coverage"])
opened = api("open_file", repo_uri=status["missing"]["repo_uri"], path="kept.py")
check("missing", "open_file of another file", "lost_one" in opened.get("content", ""), opened)
opened = api("open_file", repo_uri=status["missing"]["repo_uri"], path="lost.py")
check("missing", "open_file", opened.get("error", {}).get("code") == "UNAVAILABLE" and "missing" in opened["error"]["message"], opened)
changes = api("detect_changes", repo_uri=status["missing-image"]["repo_uri"],
              diff="--- a/logo.jpg\n+++ b/logo.jpg\n@@ -1 +1 @@\n-x\n+y\n")
check("missing-image", "detect_changes", not [r for r in changes.get("reasons", ["?"]) if "logo.jpg" in r or "lacks" in r], changes)
print("\n".join(wrong))
sys.exit(bool(wrong))
