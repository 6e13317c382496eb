#!/usr/bin/env python3
"""errors.py URL ATOLL ERR_DEF [CODE...]: each code of ERR_DEF by a tool of MCP in both eras, of the members that 38-mcp-errors.sh has made.  The envelope is exactly
the one of the reference, and each `atoll …` of the hint is a command with these options.  With CODEs and a token in ATOLL_TOKEN: what that may
not do."""
import json, os, re, subprocess, sys, time, urllib.request

url, atoll, codes = sys.argv[1], sys.argv[2], sys.argv[4:] or re.findall(r"^ERR\((\w+),", open(sys.argv[3]).read(), re.M)
token = os.environ.get("ATOLL_TOKEN")
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
PATIENCE_S = 30
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

if token:
    CASES = [("FORBIDDEN", "group_sync", {"group": "all"}, r"`reader` may only read")]


def ask(tool, arguments, modern):
    params = {"name": tool, "arguments": arguments, **({"_meta": META} if modern else {})}
    headers = {"Content-Type": "application/json", **({"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool} if modern else {})}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    return json.load(urllib.request.urlopen(urllib.request.Request(url + "/mcp", body, headers)))


def is_command(text):
    words = text.split()
    help = subprocess.run([atoll, *words[1:], "--help"], capture_output=True, text=True)
    named = [w for w in words if w.startswith("--") and w != "--help"]
    return help.returncode == 0 and all(w in help.stdout for w in named)


def check(code, tool, arguments, tells, modern):
    got = ask(tool, arguments, modern)
    result, where = got["result"], (code, tool, arguments, got)
    error = result["structuredContent"]["error"]
    message, hint = error["message"], error["hint"]
    text = f"Error ({code}): {message}\nHint: {hint}"
    want = {"code": code, "message": message, "hint": hint}
    if code == "RATE_LIMITED":
        assert error["retry_after_ms"] > 0, where
        want["retry_after_ms"] = error["retry_after_ms"]
    if code == "AMBIGUOUS_REPO":
        choices = [{"repo_uri": f"h.example/o/{n}", "default_branch": None if n == "new" else "main", "group": "all"} for n in ("damaged", "down", "fresh", "garbled", "new", "older", "stale")]
        want = {**want, "hint": "Retry with repo_uri=<one of above>", "error_code": code, "jsonrpc_code": -32602, "choices": choices, "total_matches": 7}
        assert all(c["repo_uri"] in result["content"][0]["text"] for c in choices), where
        assert result["content"][0]["text"].startswith(text), where
    else:
        assert result["content"] == [{"type": "text", "text": text}], where
        commands = re.findall(r"`(atoll[^`]*)`", hint)
        assert all(map(is_command, commands)), where
        helped[code] = helped.get(code) or commands
    assert result["structuredContent"] == {"error": want} and result["isError"] is True, (where, want)
    assert re.search(tells, message), where
    assert not re.search(r"(^|[\s`'\"(=]|ipc://)/\w", message + hint), ("a path of the server's disk", where)
    assert set(result) == {"content", "structuredContent", "isError"} | ({"resultType", "_meta"} if modern else set()), where


def is_said(code, tool, arguments):
    return ask(tool, arguments, False)["result"]["structuredContent"].get("error", {}).get("code") == code


assert {c[0] for c in CASES} == set(codes), set(codes) ^ {c[0] for c in CASES}
end = time.monotonic() + PATIENCE_S
failed, helped = 0, {"AMBIGUOUS_REPO": True}     # that one's remedy is an argument
for code, tool, arguments, tells in CASES:
    while not is_said(code, tool, arguments) and time.monotonic() < end:     # until the coordinator has noticed
        time.sleep(0.1)
    for modern in (False, True):
        try:
            check(code, tool, arguments, tells, modern)
        except (AssertionError, KeyError) as e:
            failed += 1
            print(f"FAIL {code}, {'2026-07-28' if modern else 'handshake'}: {e!r}")
# What the sources name anywhere, in hints that are not asked for here and in texts.
ROOT = os.path.join(os.path.dirname(os.path.abspath(sys.argv[3])), "../..")
SOURCES = [f"{folder}/{f}" for top in ("coordinator", "shard", "proto") for folder, _, names in os.walk(f"{ROOT}/{top}") for f in names if f.endswith((".c", ".def"))]
said = {c for f in SOURCES for c in re.findall(r"`(atoll [^`\n]*)`", open(f).read())}
assert len(said) > 20, said
for command in said if not token else ():
    if not is_command(command.replace("TOOL", "list_repos").replace("COMMAND", "status").replace("%s", "x")):
        failed += 1
        print(f"FAIL no such command: {command}")
for code in codes:
    if not helped.get(code):
        failed += 1
        print(f"FAIL {code}: no hint names a command")
print(f"{len(codes)} codes, {failed} failed")
sys.exit(failed > 0)
