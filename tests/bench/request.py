#!/usr/bin/env python3
"""request.py BIN TESTBIN WORK: what a request of MCP costs over kept-alive HTTP.

Serves the shop by `atoll up` and asks as a host does, in a session, by 1, 16 and 64 connections.  Beside each stands the floor
(bench_echo.c): the same libmicrohttpd, the same message parsed, an answer of the same size.  Both take turns, a quarter of a second
each, and the best of nine rounds counts: other work on the machine only makes them slower.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

bin_, testbin, work = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
ROUNDS, SECONDS = 9, "0.25"
WHAT = (("tools/list", "tools/list", {}),
        ("group_list", "tools/call", {"name": "group_list", "arguments": {}}),
        ("open_file", "tools/call", {"name": "open_file", "arguments": {"repo": "users", "path": "users/store.py"}}))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def post(method, params, headers=(), id_=1000):
    body = json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}, separators=(",", ":"))
    request = urllib.request.Request(url + "/mcp", body.encode(), dict(headers, **ACCEPT))
    with urllib.request.urlopen(request) as r:
        return json.load(r), r.headers


def whole(path, method, params, headers):
    """An HTTP request as it goes over the wire."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1000, "method": method, "params": params}, separators=(",", ":"))
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines + [f"{k}: {v}" for k, v in dict(headers, **ACCEPT).items()]) + "\r\n\r\n" + body


def ready():
    try:
        rows = post("tools/call", {"name": "group_status", "arguments": {"group": "default"}})[0]["result"]["structuredContent"]["repos"]
        return len(rows) == 4 and all(r["status"] == "ready" for r in rows)
    except (OSError, KeyError):
        return False


def children(pid):
    """{pid: program} of the processes that `atoll up` supervises."""
    rows = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split("\n")
    return {r.split(None, 1)[0]: r.split(None, 1)[1] for r in rows if r.strip()}


def load(port, connections, path, pids):
    """Of one round: requests per second, p99 in ms, microseconds of processor time for a request: the client's, each process's."""
    done = subprocess.run([f"{testbin}/bench_http", str(port), str(connections), SECONDS, path, *pids], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench_http: status {done.returncode}")
    n, us, _, p99, size, client, *servers = [int(x) for x in done.stdout.split()[1:]]
    return {"rate": n / us * 1e6, "p99": p99 / 1e3, "bytes": size, "client": client / n, "servers": [x / n for x in servers]}


def measure(name, method, params, connections):
    ask, same = f"{work}/ask", f"{work}/same"
    with open(ask, "w") as f:
        f.write(whole("/mcp", method, params, SESSION))
    size = load(port, connections, ask, [])["bytes"]
    with open(same, "w") as f:
        f.write(whole(f"/{size}", method, params, SESSION))
    load(echo_port, connections, same, [])
    ours, floor = [], []
    for _ in range(ROUNDS):
        floor.append(load(echo_port, connections, same, [str(echo.pid)]))
        ours.append(load(port, connections, ask, [coordinator, *shards]))
    rate, echo_rate = (max(r["rate"] for r in v) for v in (ours, floor))
    p99, echo_p99, client = min(r["p99"] for r in ours), min(r["p99"] for r in floor), min(r["client"] for r in ours)
    used, shard, echo_used = (min(r["servers"][i] for r in v) for v, i in ((ours, 0), (ours, 1), (floor, 0)))
    of_shard = f" and {shard:.0f} of the shard" if shard > 1 else ""
    print(f"{name + f', {connections} connections':<30} {rate:6.0f}/s p99 {p99:5.2f} ms, echo {echo_rate:6.0f}/s p99 {echo_p99:5.2f} ms: "
          f"{rate / echo_rate:.2f}; processor {used:.0f} µs{of_shard}, echo {echo_used:.0f} µs: {echo_used / used:.2f}; "
          f"client {client:.0f} µs; {size} bytes", flush=True)


ACCEPT = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
os.makedirs(work, exist_ok=True)
subprocess.run([f"{here}/../fixtures/make.sh", f"{work}/shop"], check=True, stdout=subprocess.DEVNULL)
port = free_port()
url = f"http://127.0.0.1:{port}"
echo = subprocess.Popen([f"{testbin}/bench_echo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
echo_port = int(echo.stdout.readline())
with open(f"{work}/up.log", "w") as log:
    up = subprocess.Popen([f"{bin_}/atoll", "up", "--data", f"{work}/data", "--http", f"127.0.0.1:{port}"] +
                          [f"{work}/shop/{r}" for r in ("web", "users", "catalog", "orders")], stdout=log, stderr=log,
                          env=dict(os.environ, ATOLL_EMBEDDER="none"),
                          preexec_fn=os.setpgrp)    # a session more is a share more of processors
try:
    while not ready():
        if up.poll() is not None:
            sys.exit(f"atoll up ended; see {work}/up.log")
        time.sleep(.2)
    time.sleep(2)       # contracts
    made = children(up.pid)
    coordinator = next(p for p, a in made.items() if "atoll-coordinator" in a)
    shards = [p for p, a in made.items() if re.search(r"atoll-shard .*/users( |$)", a)]
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    SESSION = {"Mcp-Session-Id": post("initialize", hello)[1]["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-11-25"}
    for name, method, params in WHAT:
        answer = post(method, params, SESSION)[0]
        if "error" in answer or answer["result"].get("isError"):
            sys.exit(f"{name}: {answer}")
    for name, method, params in WHAT:
        for connections in (1, 16, 64):
            measure(name, method, params, connections)
finally:
    os.killpg(up.pid, signal.SIGTERM)
    up.wait(30)
    echo.stdin.close()
    echo.wait(10)
