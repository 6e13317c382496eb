#!/usr/bin/env python3
"""errors.py URL ATOLL ERR_DEF [CODE...]: causes each code of ERR_DEF with an MCP tool, in both eras, with the members of 38-mcp-errors.sh.

The envelope must be exactly that of the reference, and each `atoll …` in the hint a command with these options.  With CODEs and a
token in ATOLL_TOKEN: checks what that token may not do.
"""
import json
import os
import re
import subprocess
import sys
import time
import urllib.request

url, atoll, err_def, *codes = sys.argv[1:]
ROOT = os.path.join(os.path.dirname(os.path.abspath(err_def)), "../..")
token = os.environ.get("ATOLL_TOKEN")
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
PATIENCE_S = 120        # for all of them
MEMBERS = ("damaged", "down", "fresh", "garbled", "new", "older", "stale")
# Code, tool and arguments, and what the message tells.
CASES = [
    ("STALENESS", "query", {"repo": "stale", "query": "x"}, r"o/stale is 1 commit behind"),
    ("INVALID_INPUT", "list_repos", {"limit": 0}, r"`?limit`?: 0"),
    ("INVALID_INPUT", "open_file", {"repo": "fresh", "path": "../x"}, r"path"),
    ("NOT_FOUND", "context", {"repo": "fresh", "symbol": "no_such"}, r"no_such"),
    ("NOT_FOUND", "query", {"repo": "frehs", "query": "x"}, r"frehs"),
    ("NOT_FOUND", "group_status", {"group": "none"}, r"none"),
    ("DB_ERROR", "query", {"repo": "damaged", "query": "x"}, r""),
    ("SCHEMA_MISMATCH", "query", {"repo": "older", "query": "x"}, r"schema 999"),
    ("RATE_LIMITED", "query", {"repo": "fresh", "query": "well behave 429", "mode": "vector"}, r"429"),
    ("INTERNAL", "open_file", {"repo": "garbled", "path": "a.py"}, r"cannot be read"),
    ("NO_INDEX", "query", {"repo": "new", "query": "x"}, r""),
    ("AMBIGUOUS_REPO", "query", {"query": "x"}, r"7 repositories"),
    ("EMBEDDER_MISMATCH", "query", {"repo": "fresh", "query": "x", "mode": "vector"}, r"http:tiny:64"),
    ("FORBIDDEN", "search_code", {"scope": {"type": "all"}, "query": "x"}, r"all"),
    ("UNAVAILABLE", "query", {"repo": "down", "query": "x"}, r"down"),
]
OF_TOKEN = [("FORBIDDEN", "group_sync", {"group": "all"}, r"`reader` is read-only")]


def ask(tool, arguments, modern):
    params, headers = {"name": tool, "arguments": arguments}, {"Content-Type": "application/json"}
    if modern:
        params["_meta"] = META
        headers.update({"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool})
    if token:
        headers["Authorization"] = f"Bearer {token}"
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    return json.load(urllib.request.urlopen(urllib.request.Request(url + "/mcp", body, headers)))


def is_command(text):
    words = text.split()
    help = subprocess.run([atoll, *words[1:], "--help"], capture_output=True, text=True)
    named = [w for w in words if w.startswith("--") and w != "--help"]
    return help.returncode == 0 and all(w in help.stdout for w in named)


# ---- one answer ----

def wanted(code, error):
    """The error as it is to be, but for its words."""
    want = {"code": code, "message": error["message"], "hint": error["hint"]}
    if code == "RATE_LIMITED":
        want["retry_after_ms"] = max(1, error["retry_after_ms"])
    if code == "AMBIGUOUS_REPO":
        choices = [{"repo_uri": f"h.example/o/{name}", "default_branch": None if name == "new" else "main", "group": "all"}
                   for name in MEMBERS]
        want.update({"hint": "Retry with repo_uri=<one of above>", "error_code": code, "jsonrpc_code": -32602,
                     "choices": choices, "total_matches": len(MEMBERS)})
    return want


def check_text(code, content, want):
    text = f"Error ({code}): {want['message']}\nHint: {want['hint']}"
    if code == "AMBIGUOUS_REPO":
        assert content[0]["text"].startswith(text), content
        assert all(c["repo_uri"] in content[0]["text"] for c in want["choices"]), content
    else:
        assert content == [{"type": "text", "text": text}], content


def check(code, tool, arguments, tells, modern):
    """The commands of its hint."""
    got = ask(tool, arguments, modern)
    result, where = got["result"], (code, tool, arguments, got)
    error = result["structuredContent"]["error"]
    want = wanted(code, error)
    assert result["structuredContent"] == {"error": want} and result["isError"] is True, (where, want)
    check_text(code, result["content"], want)
    commands = re.findall(r"`(atoll[^`]*)`", error["hint"])
    assert all(map(is_command, commands)), where
    assert re.search(tells, error["message"]), where
    assert not re.search(r"(^|[\s`'\"(=]|ipc://)/\w", error["message"] + error["hint"]), ("a path of the server's disk", where)
    assert set(result) == {"content", "structuredContent", "isError"} | ({"resultType", "_meta"} if modern else set()), where
    return commands


# ---- all of them ----

def wait_until_said(code, tool, arguments, end):
    """Until the coordinator has noticed."""
    while ask(tool, arguments, False)["result"]["structuredContent"].get("error", {}).get("code") != code and time.monotonic() < end:
        time.sleep(0.1)


def check_all(cases):
    """What is wrong; and which codes' hints name a command."""
    wrong, helped, end = [], {"AMBIGUOUS_REPO"}, time.monotonic() + PATIENCE_S     # that one's remedy is an argument
    for code, tool, arguments, tells in cases:
        wait_until_said(code, tool, arguments, end)
        for modern in (False, True):
            try:
                if check(code, tool, arguments, tells, modern):
                    helped.add(code)
            except (AssertionError, KeyError) as e:
                wrong.append(f"{code}, {'2026-07-28' if modern else 'handshake'}: {e!r}")
    return wrong, helped


def commands_of_sources():
    """What the sources name anywhere, in hints that are not asked for here and in texts."""
    said = set()
    for top in ("coordinator", "shard", "proto"):
        for folder, _, names in os.walk(f"{ROOT}/{top}"):
            for name in names:
                if name.endswith((".c", ".def")):
                    with open(f"{folder}/{name}") as f:
                        said.update(re.findall(r"`(atoll [^`\n]*)`", f.read()))
    assert len(said) > 20, said
    return said


def main():
    with open(err_def) as f:
        expected = codes or re.findall(r"^ERR\((\w+),", f.read(), re.M)
    cases = OF_TOKEN if token else CASES
    assert {c[0] for c in cases} == set(expected), set(expected) ^ {c[0] for c in cases}
    wrong, helped = check_all(cases)
    for command in [] if token else commands_of_sources():
        if not is_command(command.replace("TOOL", "list_repos").replace("COMMAND", "status").replace("%s", "x")):
            wrong.append(f"no such command: {command}")
    wrong += [f"{code}: no hint names a command" for code in expected if code not in helped]
    for text in wrong:
        print(f"FAIL {text}")
    print(f"{len(expected)} codes, {len(wrong)} failed")
    sys.exit(bool(wrong))


main()
