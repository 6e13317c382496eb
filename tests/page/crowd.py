#!/usr/bin/env python3
"""
crowd.py DATA [REPOSITORIES LINKS]: the data folder of a coordinator that knows so many repositories (1,000) of one group, `crowd`, with about so many
links between them (5,000), none of which has a shard: the facts are those that their shards would have told last.  They stand in
clusters, as teams' repositories do, and some are used by all.  The first few are called, and say, what could script a page.
"""
import glob
import os
import random
import sqlite3
import struct
import sys

data = sys.argv[1]
members, links = int(sys.argv[2]) if len(sys.argv) > 2 else 1000, int(sys.argv[3]) if len(sys.argv) > 3 else 5000
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
rnd = random.Random(7)

HOSTILE = [
    "<img src=x onerror=window.hacked=1>",
    "\"><script>window.hacked=1</script>",
    "javascript:window.hacked=1",
    "{{constructor.constructor('window.hacked=1')()}}",
    "</title><svg onload=window.hacked=1>",
    "a name that is much longer than any column of a table has room for, and goes on, as generated names do, until somebody ends it somewhere about here",
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


TEAMS = max(1, members // 40)
team = [min(int(rnd.expovariate(3) * TEAMS), TEAMS - 1) if rnd.random() < 0.5 else rnd.randrange(TEAMS) for _ in range(members)]
by_team = [[i for i in range(members) if team[i] == t] for t in range(TEAMS)]
shared = rnd.sample(range(members), max(1, members // 50))      # what all use


def name(i):
    return f"acme/{HOSTILE[i]}" if i < len(HOSTILE) and members > 100 else f"team{team[i]:02}/service-{i:04}"


def uri(i):
    return f"git.example.com/{name(i)}"


def provided(i):
    a = {"side": "provides", "framework": "express", "symbol": HOSTILE[i] if i < len(HOSTILE) else f"Service{i}.handle"}
    same = [{**a, "kind": "http", "method": "GET", "path": f"/common{i // 2}/{{}}", "file": "src/common.js", "line": 7, "end_line": 9}] if i % 50 < 2 else []
    return same + [
        {**a, "kind": "http", "method": "GET", "path": f"/things{i}/{{}}", "file": f"src/routes/things{i}.js", "line": 12, "end_line": 20},
        {**a, "kind": "http", "method": "POST", "path": f"/things{i}", "file": f"src/routes/things{i}.js", "line": 24, "end_line": 40},
        {**a, "kind": "grpc", "method": "RPC", "path": f"shop.v1.Service{i}/Get", "framework": "grpc", "file": "src/grpc.js", "line": 8, "end_line": 8},
        {**a, "kind": "topic", "method": "SUBSCRIBE", "path": f"things.{i}", "framework": "kafka", "file": "src/topics.js", "line": 5, "end_line": 9},
        {**a, "kind": "http", "method": "GET", "path": "/healthz", "file": "src/health.js", "line": 3, "end_line": 5},
    ]


def consumed(j, line, k):
    a = {"side": "consumes", "symbol": f"call{k}", "file": f"src/clients/client{k % 7}.js", "line": line, "end_line": line + 2}
    kind = rnd.choices(("get", "post", "grpc", "topic"), (60, 20, 12, 8))[0]
    if kind == "grpc":
        return {**a, "kind": "grpc", "method": "RPC", "path": f"shop.v1.Service{j}/Get", "framework": "grpc"}
    if kind == "topic":
        return {**a, "kind": "topic", "method": "PUBLISH", "path": f"things.{j}", "framework": "kafka"}
    path = f"/things{j}/{{}}" if kind == "get" else f"/things{j}"
    sure = rnd.random() < 0.8       # else nothing but the path says who is meant
    return {**a, "kind": "http", "method": kind.upper(), "path": path, "framework": "axios", "raw": f"`http://svc{j}{path}`", **({"host": f"svc{j}"} if sure else {})}


calls = [[] for _ in range(members)]
pairs = set()
tries = 0
while len(pairs) < links and tries < links * 20 and members > 1:
    tries += 1
    i = rnd.randrange(members)
    r = rnd.random()
    j = rnd.choice(by_team[team[i]]) if r < 0.72 else rnd.choice(shared) if r < 0.9 else rnd.randrange(members)
    if i != j and (i, j) not in pairs:
        pairs.add((i, j))
        calls[i].append(consumed(j, 10 + 5 * len(calls[i]), len(calls[i])))

for i in range(members):        # and what leads nowhere
    a = {"side": "consumes", "kind": "http", "method": "GET", "framework": "axios", "symbol": "load", "file": "src/world.js", "end_line": 4}
    if i % 3 == 0:
        calls[i].append({**a, "path": "/v1/charges", "host": "api.payments.example.org", "line": 3})
    if i % 5 == 0:
        calls[i].append({**a, "path": "{}", "reason": "dynamic", "line": 9, "end_line": 9})
    if i % 7 == 0:
        calls[i].append({**a, "path": f"/gone{i}/list", "line": 14, "end_line": 14})
    if i % 50 == 9:             # two serve it
        calls[i].append({**a, "path": f"/common{(i - 9) // 2}/{{}}", "line": 22, "end_line": 22})
    if i < len(HOSTILE):
        calls[i].append({**a, "path": f"/{HOSTILE[i]}", "raw": HOSTILE[i], "symbol": HOSTILE[i], "file": f"src/{HOSTILE[i][:40]}.js", "line": 2})

os.makedirs(data, exist_ok=True)
db = sqlite3.connect(os.path.join(data, "registry.db"))
versions = sorted(glob.glob(os.path.join(root, "coordinator/schema/*.sql")))
for version in versions:
    db.executescript(open(version).read())
db.execute(f"pragma user_version = {len(versions)}")
db.execute("insert into groups (name, description) values ('crowd', 'many')")
for i in range(members):
    published = [{"side": "publishes", "ecosystem": "npm", "name": f"@acme/lib{i}", "range": "1.2.0", "file": "package.json", "line": 2}] if i in shared else []
    depends = [{"side": "depends", "ecosystem": "npm", "name": f"@acme/lib{j}", "range": "^1.0.0", "scope": "runtime", "file": "package.json", "line": 9 + k}
               for k, j in enumerate(rnd.sample(shared, min(2, len(shared)))) if j != i and i % 9 == 0]
    facts = provided(i) + calls[i]
    packages = published + depends
    body = {"facts": facts, "total": len(facts), "names": [f"svc{i}"], "packages": packages, "total_packages": len(packages)}
    db.execute("insert into repos (repo_uri, name, default_branch, visibility, added_at) values (?, ?, 'main', ?, '2026-11-01T00:00:00Z')",
               (uri(i), name(i), "public" if i % 2 else "private"))
    db.execute("insert into members (grp, repo_uri) values ('crowd', ?)", (uri(i),))
    db.execute("insert into facts (repo_uri, version, body) values (?, '1 c0ffee', ?)", (uri(i), pack(body)))
db.commit()
print(f"{members} repositories, {len(pairs)} pairs")
