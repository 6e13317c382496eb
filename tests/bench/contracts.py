#!/usr/bin/env python3
"""contracts.py BIN WORK [MEMBERS]: group_sync and pages of group_contracts over a group of so many repositories (40).

Each serves 50 routes and makes 100 calls of others; `atoll up` serves them all.  Beside the pages stands the floor: the same
client, the same connection, /healthz.
"""
import random
import sys
import time

from small_federation import Federation, repository, say

bin_, work = sys.argv[1:3]
members = int(sys.argv[3]) if len(sys.argv) > 3 else 40
NOUNS = ["users", "orders", "items", "carts", "payments", "invoices", "teams", "tokens", "events", "reports"]


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


rnd = random.Random(7)
paths = [repository(f"{work}/svc{i}", f"https://bench.example.com/shop/svc{i}", {"server.js": server(i), "client.js": client(i, rnd)})
         for i in range(members)]
with Federation(bin_, work, paths) as federation:
    post, times = federation.post, federation.times
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
    connected = times(federation.healthz)
    say("/healthz on the same connection", connected)
    for name, args in (("first page of 50", {"limit": 50}), ("first page of 200", {}),
                       ("next page of 200", {"cursor": page["next_cursor"]}),
                       ("one repository, 50", {"limit": 50, "repo_uri": page["contracts"][0]["producer"]["repo_uri"]}),
                       ("a path, 50", {"limit": 50, "path": "users3x"})):
        say(f"group_contracts, {name}", times(lambda: post("group_contracts", dict(args, group="default"))))
    say("group_cross_repo_links, 50", times(lambda: post("group_cross_repo_links", {"group": "default", "limit": 50})))
