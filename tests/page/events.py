#!/usr/bin/env python3
"""
events.py URL: checks GET /api/v1/events for a caller who may have two streams: first everything, then only changes, including rebuilt
contracts; a released slot can be used again.  36-rate-limits runs it, so that the sanitizers check it too.
"""
import http.client
import json
import sys
import time
import urllib.parse

at = urllib.parse.urlparse(sys.argv[1]).netloc


class Stream:
    def __init__(self):
        self.c = http.client.HTTPConnection(at, timeout=30)
        self.c.request("GET", "/api/v1/events")
        self.r = self.c.getresponse()

    def next(self):
        while True:
            line = self.r.readline().decode()
            assert line, "the stream has ended"
            if line.startswith("data: "):
                return json.loads(line[6:])

    def until(self, holds):
        for end in iter(lambda: time.monotonic() + 30, None):
            while time.monotonic() < end:
                event = self.next()
                if holds(event):
                    return event
            sys.exit("it is not told")

    def close(self):
        self.r.close()
        self.c.close()


def call(tool, args):
    for _ in range(30):
        c = http.client.HTTPConnection(at, timeout=30)
        c.request("POST", "/api/v1/" + tool, json.dumps(args), {"Content-Type": "application/json"})
        r = c.getresponse()
        said = json.loads(r.read())
        if r.status != 429:
            assert r.status == 200, said
            return said
        time.sleep(0.3)
    sys.exit("no turn for " + tool)


def opened():
    """A stream: where somebody else has just left, that is noticed in a moment."""
    for _ in range(100):
        s = Stream()
        if s.r.status == 200:
            return s
        s.close()
        time.sleep(0.2)
    sys.exit("no place for a stream")


one, two = opened(), opened()
assert (one.r.status, one.r.getheader("Content-Type")) == (200, "text/event-stream"), one.r.status
first = one.until(lambda e: "repos" in e)
assert set(first) == {"repos", "groups", "running", "queued", "tables"}, first
assert [r["name"] for r in first["repos"]] == [r["name"] for r in call("live", {})["repos"]]
third = Stream()
assert third.r.status == 429 and third.r.getheader("Retry-After"), third.r.status
third.close()

call("group_create", {"group": "heard", "repos": [first["repos"][0]["repo_uri"]]})
for s in (one, two):
    e = s.until(lambda e: any(g["name"] == "heard" for g in e.get("groups", [])))
    if s is one:    # nothing but what has moved: the group, and the repository that it holds now
        assert set(e) <= {"groups", "repos", "tables"}, e
version = lambda e: [t["version"] for t in e.get("tables", []) if t["group"] == "heard"]
unsynced = version({"tables": call("live", {})["tables"]})
call("group_sync", {"group": "heard"})
for s in (one, two):
    synced = version(s.until(lambda e: version(e) not in ([], unsynced)))
    assert synced == version({"tables": call("live", {})["tables"]}), synced
call("group_delete", {"group": "heard"})
one.until(lambda e: "groups" in e and not any(g["name"] == "heard" for g in e["groups"]))

two.close()
assert "repos" in opened().next(), "a place that is given up"
print("two streams, what moves, and a place that is given up")
