#!/usr/bin/env python3
"""contracts.py BIN WORK [MEMBERS]: group_sync and pages of group_contracts over a group of so many repositories (40).

Each serves 50 routes and makes 100 calls of others; `atoll up` serves them all.  Beside the pages stands the floor: the same
client, the same connection, /healthz.
"""
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import time

bin_, work = sys.argv[1:3]
members = int(sys.argv[3]) if len(sys.argv) > 3 else 40
NOUNS = ["users", "orders", "items", "carts", "payments", "invoices", "teams", "tokens", "events", "reports"]


def say(what, value):
    print(f"{what:<58} {value}", flush=True)


def noun(i, k):
    return f"{NOUNS[k % 10]}{i}x{k // 10}"


def server(i):
    lines = ["const express = require('express')", "const app = express()"]
    for k in range(25):
        lines += [f"app.get('/{noun(i, k)}/:id', (req, res) => res.json({{}}))", f"app.post('/{noun(i, k)}', (req, res) => res.json({{}}))"]
    return "\n".join(lines + ["app.listen(8080)", ""])


def client(i, rnd):
    lines = ["const axios = require('axios')"]
    for k in range(100):
        j, n = rnd.randrange(members), rnd.randrange(30)     # some of what is called is not served
        lines += [f"async function call{k}(id) {{", f"  return axios.get('http://svc{j}:8080/{noun(j, n)}/' + id)", "}"]
    return "\n".join(lines + [""])


def make(path, i, rnd):
    os.makedirs(path)
    for name, text in (("server.js", server(i)), ("client.js", client(i, rnd))):
        with open(os.path.join(path, name), "w") as f:
            f.write(text)
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "all of it"],
                    ["remote", "add", "origin", f"https://bench.example.com/shop/svc{i}"]):
        subprocess.run(["git", "-C", path, "-c", "user.name=bench", "-c", "user.email=bench@example.com"] + command, check=True)
    return path


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def post(tool, args):
    connection.request("POST", f"/api/v1/{tool}", json.dumps(args), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        sys.exit(f"{tool}: {answer.status} {body[:300]}")
    return json.loads(body)


def times(ask, n=200):
    spent = []
    for _ in range(n):
        began = time.perf_counter()
        ask()
        spent.append((time.perf_counter() - began) * 1000)
    spent.sort()
    return f"p50 {statistics.median(spent):.2f} ms, p99 {spent[int(n * .99)]:.2f} ms"


def healthz():
    connection.request("GET", "/healthz")
    connection.getresponse().read()


def ready():
    try:
        healthz()
        got = post("group_status", {"group": "default"})["repos"]
        return len(got) == members and all(r["status"] == "ready" for r in got)
    except (OSError, http.client.HTTPException):
        connection.close()
        return False


rnd = random.Random(7)
paths = [make(f"{work}/svc{i}", i, rnd) for i in range(members)]
port = free_port()
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
with open(f"{work}/up.log", "w") as log:
    up = subprocess.Popen([f"{bin_}/atoll", "up", "--data", f"{work}/data", "--http", f"127.0.0.1:{port}"] + paths, stdout=log, stderr=log,
                          env=dict(os.environ, ATOLL_EMBEDDER="none"), start_new_session=True)
try:
    while not ready():
        if up.poll() is not None:
            sys.exit(f"atoll up ended; see {work}/up.log")
        time.sleep(.1)
    began = time.perf_counter()
    done = post("group_sync", {"group": "default"})
    say(f"group_sync, {members} members, facts perhaps at hand",
        f"{(time.perf_counter() - began) * 1000:.0f} ms, {done['contracts_written']} rows, {done['links_written']} links")
    began = time.perf_counter()
    done = post("group_sync", {"group": "default"})
    say("group_sync again, nothing changed", f"{(time.perf_counter() - began) * 1000:.0f} ms, changed: {done['changed']}")
    page = post("group_contracts", {"group": "default"})
    say("rows: calls, unresolved, routes without a caller",
        "{contracts}, {unresolved}, {producers_without_consumers}".format(**page["totals"]))
    connected = times(healthz)
    say("/healthz on the same connection", connected)
    for name, args in (("first page of 50", {"limit": 50}), ("first page of 200", {}),
                       ("next page of 200", {"cursor": page["next_cursor"]}),
                       ("one repository, 50", {"limit": 50, "repo_uri": page["contracts"][0]["producer"]["repo_uri"]}),
                       ("a path, 50", {"limit": 50, "path": "users3x"})):
        say(f"group_contracts, {name}", times(lambda: post("group_contracts", dict(args, group="default"))))
    say("group_cross_repo_links, 50", times(lambda: post("group_cross_repo_links", {"group": "default", "limit": 50})))
finally:
    os.killpg(up.pid, signal.SIGTERM)
    up.wait(30)
