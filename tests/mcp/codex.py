#!/usr/bin/env python3
"""codex.py CODEX QUERY: lists the servers of ~/.codex/config.toml and calls group_list of each as Codex itself would, through its
app server, without a model.  Each step prints a line; the first failure ends it."""
import json, subprocess, sys

p = subprocess.Popen([sys.argv[1], "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
last = 0


def send(method, params=None, **more):
    p.stdin.write(json.dumps({"method": method, **({} if params is None else {"params": params}), **more}) + "\n")
    p.stdin.flush()


def ask(method, params):
    global last
    last += 1
    send(method, params, id=last)
    for line in p.stdout:
        m = json.loads(line)
        if m.get("id") == last and "method" not in m:
            assert "result" in m, m
            return m["result"]
    sys.exit(f"the app server ended at {method}")


ask("initialize", {"clientInfo": {"name": "hosts", "version": "1"}, "capabilities": {"experimentalApi": True}})
send("initialized")
servers = ask("mcpServerStatus/list", {})["data"]
thread = ask("thread/start", {})["thread"]["id"]
for s in servers:
    assert "group_list" in s["tools"], s
    got = ask("mcpServer/tool/call", {"threadId": thread, "server": s["name"], "tool": "group_query",
                                      "arguments": {"group": "shop", "query": sys.argv[2]}})
    assert not got.get("isError") and got["structuredContent"]["complete"], got
    print(f"{s['name']}: {len(s['tools'])} tools; group_query: {len(got['structuredContent']['results'])} results")
assert len(servers) == 2, servers
p.stdin.close()
p.wait(20)
