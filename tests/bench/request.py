#!/usr/bin/env python3
"""request.py BIN TESTBIN WORK: what a request of MCP costs over kept-alive HTTP.

Serves the shop by `atoll up` and asks as a host does, in a session, by 1, 16 and 64 connections.  Beside each stands the floor
(bench_echo.c): the same libmicrohttpd, the same message parsed, an answer of the same size.  Both take turns, a second each, so
that other work on the machine meets both.  Processor time of the servers says more than requests per second, which the client
shares; where they do not agree, the machine had not enough processors.
"""
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

bin_, testbin, work = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
ROUNDS, SECONDS = 3, "0.7"
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
    """Of one round: requests, seconds, p99 in ms, microseconds of processor time of the client and of each process."""
    done = subprocess.run([f"{testbin}/bench_http", str(port), str(connections), SECONDS, path, *pids], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench_http: status {done.returncode}")
    row = [int(x) for x in done.stdout.split()[1:]]
    return {"n": row[0], "s": row[1] / 1e6, "p99": row[3] / 1e3, "bytes": row[4], "client": row[5], "servers": row[6:]}


def summed(rounds):
    """Requests per second, p99, microseconds of processor time for a request: the client's and each server's."""
    n = sum(r["n"] for r in rounds)
    return (n / sum(r["s"] for r in rounds), statistics.median(r["p99"] for r in rounds), sum(r["client"] for r in rounds) / n,
            [sum(r["servers"][i] for r in rounds) / n for i in range(len(rounds[0]["servers"]))])


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
    rate, p99, client, used = summed(ours)
    floor_rate, floor_p99, _, floor_used = summed(floor)
    of_shard = f" and {sum(used[1:]):.0f} of the shard" if sum(used[1:]) > 1 else ""
    print(f"{name + f', {connections} connections':<30} {rate:6.0f}/s p99 {p99:5.2f} ms, echo {floor_rate:6.0f}/s p99 {floor_p99:5.2f} ms: "
          f"{rate / floor_rate:.2f}; processor {used[0]:.0f} µs{of_shard}, echo {floor_used[0]:.0f} µs: {floor_used[0] / used[0]:.2f}; "
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
                          env=dict(os.environ, ATOLL_EMBEDDER="none"), start_new_session=True)
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
