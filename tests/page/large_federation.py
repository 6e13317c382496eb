#!/usr/bin/env python3
"""
large_federation.py DATA [REPOSITORIES LINKS]: creates the data folder of a coordinator with this number of repositories (1,000) in one
group, `crowd`, and at most this number of links between them (5,100: of some 5,000 enough is known).  None has a shard: the facts are the last ones that their shards
would have sent.  Repositories form clusters, like those of teams, and some are used by all.  Names and texts of the first few could
inject scripts.
"""
import glob
import os
import random
import sqlite3
import struct
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
rnd = random.Random(7)

HOSTILE = [
    "<img src=x onerror=window.hacked=1>",
    "\"><script>window.hacked=1</script>",
    "javascript:window.hacked=1",
    "{{constructor.constructor('window.hacked=1')()}}",
    "</title><svg onload=window.hacked=1>",
    "a name that is much longer than any column of a table has room for, "
    "and goes on, as generated names do, until somebody ends it somewhere about here",
]


def pack(x):
    """msgpack, as much of it as facts need."""
    if x is None:
        return b"\xc0"
    if isinstance(x, int):
        return struct.pack("B", x) if x < 128 else b"\xce" + struct.pack(">I", x)
    if isinstance(x, str):
        b = x.encode()
        return b"\xdb" + struct.pack(">I", len(b)) + b
    if isinstance(x, list):
        return b"\xdd" + struct.pack(">I", len(x)) + b"".join(map(pack, x))
    return b"\xdf" + struct.pack(">I", len(x)) + b"".join(pack(k) + pack(v) for k, v in x.items())


class Crowd:
    """Who is in which team, and whom all use."""

    def __init__(self, members):
        self.members = members
        self.teams = max(1, members // 40)
        self.team = [self.a_team() for _ in range(members)]
        self.by_team = [[i for i in range(members) if self.team[i] == t] for t in range(self.teams)]
        self.shared = rnd.sample(range(members), max(1, members // 50))

    def a_team(self):
        """Half of all are in the first few."""
        return min(int(rnd.expovariate(3) * self.teams), self.teams - 1) if rnd.random() < 0.5 else rnd.randrange(self.teams)

    def name(self, i):
        return f"acme/{HOSTILE[i]}" if i < len(HOSTILE) and self.members > 100 else f"team{self.team[i]:02}/service-{i:04}"

    def uri(self, i):
        return f"git.example.com/{self.name(i)}"

    def whom_calls(self, i):
        """Somebody of its team, mostly; else what all use, or anybody."""
        r = rnd.random()
        if r < 0.72:
            return rnd.choice(self.by_team[self.team[i]])
        return rnd.choice(self.shared) if r < 0.9 else rnd.randrange(self.members)

    def pairs(self, links):
        """(who calls, whom) so often, or as often as chance finds."""
        found = {}
        for _ in range(links * 20 if self.members > 1 else 0):
            if len(found) == links:
                break
            i = rnd.randrange(self.members)
            j = self.whom_calls(i)
            if i != j and (i, j) not in found:
                found[i, j] = True
                yield i, j


# ---- facts ----

def provided(i):
    a = {"side": "provides", "framework": "express", "symbol": HOSTILE[i] if i < len(HOSTILE) else f"Service{i}.handle"}
    http = {**a, "kind": "http", "method": "GET"}
    routes = f"src/routes/things{i}.js"
    same = {**http, "path": f"/common{i // 2}/shared/{{}}", "file": "src/common.js", "line": 7, "end_line": 9}
    return [same] * (i % 50 < 2) + [
        {**http, "path": f"/things{i}/{{}}", "file": routes, "line": 12, "end_line": 20},
        {**http, "method": "POST", "path": f"/things{i}", "file": routes, "line": 24, "end_line": 40},
        {**a, "kind": "grpc", "method": "RPC", "path": f"shop.v1.Service{i}/Get", "framework": "grpc",
         "file": "src/grpc.js", "line": 8, "end_line": 8},
        {**a, "kind": "topic", "method": "SUBSCRIBE", "path": f"things.{i}", "framework": "kafka",
         "file": "src/topics.js", "line": 5, "end_line": 9},
        {**http, "path": "/healthz", "file": "src/health.js", "line": 3, "end_line": 5},
    ]


def consumed(j, k):
    """The call of number k in its repository, to repository j."""
    line = 10 + 5 * k
    a = {"side": "consumes", "symbol": f"call{k}", "file": f"src/clients/client{k % 7}.js", "line": line, "end_line": line + 2}
    kind = rnd.choices(("get", "post", "grpc", "topic"), (60, 20, 12, 8))[0]
    if kind == "grpc":
        return {**a, "kind": "grpc", "method": "RPC", "path": f"shop.v1.Service{j}/Get", "framework": "grpc"}
    if kind == "topic":
        return {**a, "kind": "topic", "method": "PUBLISH", "path": f"things.{j}", "framework": "kafka"}
    path = f"/things{j}/{{}}" if kind == "get" else f"/things{j}"
    sure = rnd.random() < 0.8       # else nothing but the path says who is meant
    return {**a, "kind": "http", "method": kind.upper(), "path": path, "framework": "axios", "raw": f"`http://svc{j}{path}`",
            **({"host": f"svc{j}"} if sure else {})}


def in_vain(i):
    """Calls that lead nowhere, or to two."""
    a = {"side": "consumes", "kind": "http", "method": "GET", "framework": "axios", "symbol": "load", "file": "src/world.js", "end_line": 4}
    if i % 3 == 0:
        yield {**a, "path": "/v1/charges", "host": "api.payments.example.org", "line": 3}
    if i % 5 == 0:
        yield {**a, "path": "{}", "reason": "dynamic", "line": 9, "end_line": 9}
    if i % 7 == 0:
        yield {**a, "path": f"/gone{i}/list", "line": 14, "end_line": 14}
    if i % 50 == 9:             # two serve it
        yield {**a, "path": f"/common{(i - 9) // 2}/shared/{{}}", "line": 22, "end_line": 22}
    if i < len(HOSTILE):
        yield {**a, "path": f"/{HOSTILE[i]}", "raw": HOSTILE[i], "symbol": HOSTILE[i], "file": f"src/{HOSTILE[i][:40]}.js", "line": 2}


def packages(crowd, i):
    a = {"ecosystem": "npm", "file": "package.json"}
    if i in crowd.shared:
        yield {"side": "publishes", **a, "name": f"@acme/lib{i}", "range": "1.2.0", "line": 2}
    for k, j in enumerate(rnd.sample(crowd.shared, min(2, len(crowd.shared)))):
        if j != i and i % 9 == 0:
            yield {"side": "depends", **a, "name": f"@acme/lib{j}", "range": "^1.0.0", "scope": "runtime", "line": 9 + k}


# ---- the registry ----

def create(folder):
    os.makedirs(folder, exist_ok=True)
    db = sqlite3.connect(os.path.join(folder, "registry.db"))
    versions = sorted(glob.glob(os.path.join(ROOT, "coordinator/schema/*.sql")))
    for version in versions:
        with open(version) as f:
            db.executescript(f.read())
    db.execute(f"pragma user_version = {len(versions)}")
    db.execute("insert into groups (name, description) values ('crowd', 'many')")
    return db


def add(db, crowd, i, calls):
    facts, of_packages, uri = provided(i) + calls, list(packages(crowd, i)), crowd.uri(i)
    body = {"facts": facts, "total": len(facts), "names": [f"svc{i}"], "packages": of_packages, "total_packages": len(of_packages)}
    db.execute("insert into repos (repo_uri, name, default_branch, visibility, added_at) values (?, ?, 'main', ?, '2026-11-01T00:00:00Z')",
               (uri, crowd.name(i), "public" if i % 2 else "private"))
    db.execute("insert into members (grp, repo_uri) values ('crowd', ?)", (uri,))
    db.execute("insert into facts (repo_uri, version, body) values (?, '1 c0ffee', ?)", (uri, pack(body)))


def main():
    folder, *numbers = sys.argv[1:]
    members, links = map(int, numbers or (1000, 5100))
    crowd = Crowd(members)
    calls, pairs = [[] for _ in range(members)], 0
    for i, j in crowd.pairs(links):
        calls[i].append(consumed(j, len(calls[i])))
        pairs += 1
    db = create(folder)
    for i in range(members):
        add(db, crowd, i, [*calls[i], *in_vain(i)])
    db.commit()
    print(f"{members} repositories, {pairs} pairs")


main()
