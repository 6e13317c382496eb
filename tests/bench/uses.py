#!/usr/bin/env python3
"""uses.py BIN WORK [USERS]: a library and so many repositories (40) whose code uses it.

How long `context` of a function takes that all of them use, beside one that nobody uses; and how long it takes from a commit that
changes its signature until the answers of all of them are about the new one, beside a commit that changes a body.
"""
import sys
import time

from small_federation import Federation, git, repository, say

bin_, work = sys.argv[1:3]
users = int(sys.argv[3]) if len(sys.argv) > 3 else 40
LIBRARY = """package lib

type Client struct{ base string }

func New(base string) *Client { return &Client{base} }

func (c *Client) Get(path string) string { return c.base + path }

func (c *Client) Unused() int { return 1 }
"""
USER = """package user

import "bench.example.com/acme/lib"

func Load%d() string {
	c := lib.New("x")
	return c.Get("a") + c.Get("b")
}
"""


def files(i):
    return {"go.mod": f"module bench.example.com/acme/user{i}\nrequire bench.example.com/acme/lib v1.0.0\n", "user.go": USER % i}


def commit(change):
    """Commit a change of the library; the milliseconds until all users are resolved against it."""
    with open(f"{work}/lib/lib.go", "w") as f:
        f.write(change(LIBRARY))
    git(f"{work}/lib", "commit", "-qam", "changed")
    began = time.perf_counter()
    head = None
    while head != "new":
        status = federation.post("group_status", {"group": "default"})
        commits = {r["repo_uri"].rsplit("/", 1)[1]: r["commit"] for r in status["repos"]}
        head = "new" if commits["lib"] != before["lib"] else None
    federation.post("group_sync", {"group": "default"})
    spent = (time.perf_counter() - began) * 1000
    before.update(commits)
    return f"{spent:.0f} ms"


def context(symbol):
    return federation.post("context", {"repo_uri": "bench.example.com/acme/lib", "symbol": symbol})


paths = [repository(f"{work}/lib", "https://bench.example.com/acme/lib", {"go.mod": "module bench.example.com/acme/lib\n", "lib.go": LIBRARY})]
paths += [repository(f"{work}/user{i}", f"https://bench.example.com/acme/user{i}", files(i)) for i in range(users)]
with Federation(bin_, work, paths) as federation:
    began = time.perf_counter()
    federation.post("group_sync", {"group": "default"})
    say(f"group_sync, a library and {users} users", f"{(time.perf_counter() - began) * 1000:.0f} ms")
    before = {r["repo_uri"].rsplit("/", 1)[1]: r["commit"] for r in federation.post("group_status", {"group": "default"})["repos"]}
    answer = context("Client.Get")
    say("uses of the method, of so many repositories", f"{len(answer['cross_repo'])}, {len({e['repo_uri'] for e in answer['cross_repo']})}")
    say("/healthz on the same connection", federation.times(federation.healthz))
    say("context of what all use", federation.times(lambda: context("Client.Get")))
    say("context of what nobody uses", federation.times(lambda: context("Client.Unused")))
    say("commit of a body to the end of group_sync", commit(lambda text: text.replace("return 1", "return 2")))
    say("commit of a signature to the end of group_sync",
        commit(lambda text: text.replace("Get(path string)", "Get(path string, more ...string)")))
