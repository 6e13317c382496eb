#!/usr/bin/env python3
"""streams.py URL ATOLL REPO HUNG LOGS DEADLINE: event streams.

REPO is an unregistered git repository; HUNG the pid of a shard that may be paused; LOGS a folder; DEADLINE the deadline of searches
in seconds.  Each step prints `ok - …`; the first failure ends it.
"""
import glob
import http.client
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

from pause_process import pause

url, atoll, repo, hung = urlsplit(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
logs, DEADLINE = sys.argv[5], float(sys.argv[6])
META = "io.modelcontextprotocol/"
with open(f"/proc/{hung}/cmdline") as f:
    words = f.read().split("\0")
    HUNG = os.path.basename(words[words.index("--repo") + 1])     # its repository
MODERN = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}}
PATIENCE = 60


def connect(method, headers, message=None):
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
    h = {"Accept": "application/json, text/event-stream", **headers}
    if message is not None:
        h["Content-Type"] = "application/json"
    c.request(method, "/mcp", None if message is None else json.dumps(message), h)
    r = c.getresponse()
    r.connection = c
    return r


def request(method, params=None, id=1):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}}


class Stream:
    """Messages of an answer that is a stream, read on a thread; None at its end."""

    def __init__(self, response):
        assert response.status == 200 and response.getheader("Content-Type") == "text/event-stream", (response.status, response.headers)
        self.response, self.messages, self.passed = response, queue.Queue(), []
        self.ids, self.last, self.retry = [], None, None
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            for line in self.response:
                if line.startswith(b"id: "):
                    self.last = line[4:].strip().decode()
                    self.ids.append(self.last)
                if line.startswith(b"retry: "):
                    self.retry = int(line[7:])
                if line.startswith(b"data: ") and line[6:].strip():
                    self.messages.put(json.loads(line[6:]))
        except (OSError, http.client.HTTPException, AttributeError, ValueError):
            pass
        self.messages.put(None)

    def get(self, timeout=PATIENCE):
        return self.messages.get(timeout=timeout)

    def until(self, want):
        """The next message that is wanted; others wait for whoever wants them."""
        for m in self.passed:
            if want(m):
                self.passed.remove(m)
                return m
        while True:
            m = self.get()
            assert m is not None, "the stream ended"
            if want(m):
                return m
            self.passed.append(m)

    def quiet(self, seconds=5):
        """Until nothing has come for so long: the coordinator looks every two seconds."""
        try:
            while self.get(seconds) is not None:
                pass
        except queue.Empty:
            return
        raise AssertionError("the stream ended")

    def ends(self):
        """Whether it does; what comes before is passed over."""
        while self.get() is not None:
            pass
        return True

    def close(self):
        if self.response.connection.sock:
            self.response.connection.sock.shutdown(2)
        self.response.connection.close()


def modern(method, params, id=1):
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
    if "name" in params:
        headers["Mcp-Name"] = params["name"]
    return connect("POST", headers, request(method, {**params, "_meta": {**MODERN, **params.get("_meta", {})}}, id))


def body(response):
    return json.loads(response.read())


def initialize(version="2025-11-25"):
    r = connect("POST", {}, request("initialize", {"protocolVersion": version, "capabilities": {}}))
    assert body(r)["result"]["protocolVersion"] == version
    return {"Mcp-Session-Id": r.getheader("Mcp-Session-Id")}


def cli(*args):
    return subprocess.run([atoll, *args], check=True, capture_output=True, text=True).stdout


QUERY = {"group": "shop", "query": "reserve stock"}
CHANGED, UPDATED = "notifications/resources/list_changed", "notifications/resources/updated"


def call(name, arguments, id=1, **more):
    return request("tools/call", {"name": name, "arguments": arguments, **more}, id)


def cancel(session, id):
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}
    return connect("POST", session, message).status


def until(what, holds, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.02)


# ---- sessions ----

def sessions():
    """One that goes on."""
    session, other = initialize(), initialize()
    assert session != other
    assert body(connect("POST", session, request("ping")))["result"] == {}
    for id in ("0" * 32, "x", session["Mcp-Session-Id"][:-1]):
        assert connect("POST", {"Mcp-Session-Id": id}, request("ping")).status == 404
        assert connect("GET", {"Mcp-Session-Id": id}).status == 404
    assert connect("DELETE", other).status == 204
    assert connect("DELETE", other).status == 404 and connect("POST", other, request("ping")).status == 404
    for method in ("GET", "DELETE"):
        for version in ("1999-01-01", "2026-07-28", "x"):
            r = connect(method, {**session, "MCP-Protocol-Version": version})
            assert r.status == 400 and "initialize" in body(r)["error"]["hint"], (method, version, r.status)
    print("ok - a session is known until it ends")
    return session


# ---- progress ----

def told(token, send):
    s = Stream(send({"name": "group_status", "arguments": {"group": "shop"}, "_meta": {"progressToken": token}}))
    steps = []
    while (m := s.get())["jsonrpc"] and "method" in m:
        assert m["method"] == "notifications/progress" and m["params"]["progressToken"] == token, m
        steps.append(m["params"]["progress"])
    assert m["id"] == 5 and not m["result"]["isError"], m
    assert len(steps) >= 3 and steps == sorted(set(steps)), steps
    assert s.get() is None, "nothing follows the answer"


def progress(session):
    for token in ("a", 7):
        told(token, lambda params: connect("POST", session, request("tools/call", params, 5)))
        told(token, lambda params: modern("tools/call", params, 5))
    unasked = connect("POST", session, call("group_status", {"group": "shop"}))
    assert unasked.getheader("Content-Type") == "application/json"
    print("ok - progress is told to those who want to know")


# ---- what nobody asked for ----

WANT = {"notifications": {"resourcesListChanged": True, "toolsListChanged": True,
                          "resourceSubscriptions": ["atoll://group/shop/contracts", "atoll://group/none/status", "x:y"]}}


def newest_stream(session):
    """The stream of the session, and one that listens."""
    first = Stream(connect("GET", session))
    heard = Stream(connect("GET", session))
    assert first.get() is None, "a session has one stream, the newest"
    assert body(connect("POST", session, request("resources/subscribe", {"uri": "atoll://group/shop/status"})))["result"] == {}
    listens = Stream(modern("subscriptions/listen", WANT, "sub"))
    m = listens.get()
    assert m["method"] == "notifications/subscriptions/acknowledged", m
    assert m["params"]["_meta"][META + "subscriptionId"] == "sub", m
    assert m["params"]["notifications"] == {"resourcesListChanged": True, "resourceSubscriptions": ["atoll://group/shop/contracts"]}, m
    print("ok - the newest stream of a session counts; what is listened to is acknowledged, and no more")
    return heard, listens


def looked(heard, listens):
    """What had changed before the coordinator looked first is not told: until something is, and then nothing more."""
    for n in range(20):
        cli("group", "create", f"looked{n}", "users")
        try:
            while heard.get(4)["method"] != CHANGED:
                pass
            break
        except queue.Empty:
            continue
    heard.quiet()
    listens.quiet()


def what_changes(session, heard, listens):
    looked(heard, listens)
    cli("repo", "add", repo, "--group", "shop")
    heard.until(lambda m: m["method"] == CHANGED)
    m = listens.until(lambda m: m["method"] == CHANGED)
    assert m["params"]["_meta"][META + "subscriptionId"] == "sub", m
    m = heard.until(lambda m: m["method"] == UPDATED)
    assert m["params"] == {"uri": "atoll://group/shop/status"}, m
    m = listens.until(lambda m: m["method"] == UPDATED)
    assert m["params"]["uri"] == "atoll://group/shop/contracts" and m["params"]["_meta"][META + "subscriptionId"] == "sub", m
    print("ok - a repository that comes is told, and what it changes")

    assert body(connect("POST", session, request("resources/unsubscribe", {"uri": "atoll://group/shop/status"})))["result"] == {}
    listens.close()


# ---- coming back ----

def resume(session, last):
    return connect("GET", {**session, "Last-Event-ID": last})


def slow(session, id):
    """A call that a stopped shard holds up for as long as the deadline of a search, with progress before."""
    return connect("POST", session, call("group_query", {"group": "shop", "query": "stock"}, id, _meta={"progressToken": "t"}))


def settled():
    """The new repository is as it will be: nothing more is to be told of it."""
    repos = json.loads(cli("call", "group_status", '{"group":"shop"}'))["repos"]
    return len(repos) == 4 and all(r["status"] == "ready" and r["health"] == "healthy" for r in repos)


def to_a_session(session, heard):
    end = time.monotonic() + PATIENCE
    while not settled() and time.monotonic() < end:
        time.sleep(0.2)
    heard.close()       # its client does not know what it misses
    time.sleep(1)
    keeps_looking = Stream(modern("subscriptions/listen", {"notifications": {"resourcesListChanged": True}}, "sub2"))
    keeps_looking.quiet()   # what has moved while nobody listened is told once
    cli("group", "create", "missed", "users")
    keeps_looking.until(lambda m: m["method"] == CHANGED)
    assert heard.ids[0].startswith("0-") and heard.retry == 500, "the first event says from where on"
    late = Stream(resume(session, heard.last))
    assert late.get()["method"] == CHANGED
    again = Stream(resume(session, heard.last))
    assert again.get()["method"] == CHANGED and late.ends(), "the newest stream of a session counts"
    fresh = Stream(resume(session, again.last))
    cli("group", "delete", "missed")
    fresh.until(lambda m: m["method"] == CHANGED)
    assert len(set(fresh.ids)) == len(fresh.ids) and heard.last not in fresh.ids, "nothing twice"
    keeps_looking.close()
    print("ok - who comes back to the stream of a session gets what was missed, and nothing twice")


def to_a_request(session, elsewhere, is_old):
    """A stream that breaks while the shard stands still; `elsewhere`: another session."""
    broken = Stream(slow(session, "broken"))
    first = broken.get()
    assert first["method"] == "notifications/progress", first
    assert broken.ids[0].endswith("-1" if is_old else "-0"), "2025-06-18 has no events without data"
    known = broken.ids[: 1 if is_old else 2]
    broken.close()
    time.sleep(0.6)     # it is noticed
    rest = Stream(resume(session, known[-1]))
    m = rest.until(lambda m: m.get("id") == "broken")
    assert m["result"]["structuredContent"]["coverage"]["failed"], "the shard was stopped"
    assert rest.get() is None and not set(rest.ids) & set(known), (rest.ids, known)
    twice = Stream(resume(session, known[0]))
    assert twice.until(lambda m: m.get("id") == "broken") == m and twice.get() is None, "the answer is kept for a while"
    for other in (elsewhere, initialize()):
        r = resume(other, f"{known[0].split('-')[0]}7-0")
        assert r.status == 400, "no stream of that session"
    assert resume({"Mcp-Session-Id": "0" * 32}, rest.last).status == 404


def is_whole(session):
    answer = body(connect("POST", session, call("group_query", {"group": "shop", "query": "stock"})))
    return answer["result"]["structuredContent"]["complete"]


def to_requests(session):
    old = initialize("2025-06-18")
    pause(hung)
    vain = Stream(slow(session, "vain"))
    vain.get()
    vain.close()
    assert cancel(session, "vain") == 202
    to_a_request(session, old, False)
    to_a_request(old, session, True)
    assert resume(session, vain.last).status == 400, "what was taken back is not kept"
    os.kill(hung, signal.SIGCONT)
    for bad in ("x", "1", "-1", "1-", "1-x", "99-0", "1-99999999999999999999", "0-0-0", "", "é"):
        r = resume(session, bad)
        assert r.status == 400 and "Last-Event-ID" in body(r)["error"]["message"], (bad, r.status)
    until("it is known to be there again", lambda: is_whole(session))
    print("ok - who comes back to a request gets the rest and the answer")


# ---- taking back ----

def logged(event):
    """
    How often the logs of all programs name it: a shard says rpc.cancel when it is told that nobody waits any more, the coordinator
    call.abandoned (debug) when it has told so.
    """
    return sum(open(f).read().count(f" {event} ") for f in glob.glob(f"{logs}/*.log"))


def under_way():
    """Requests that the coordinator waits for, of the shard that may be hung."""
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
    c.request("GET", "/metrics")
    row = re.search(rf'^atoll_shard_in_flight_requests{{repo="[^"]*/{HUNG}",.*}} (\d+)$', c.getresponse().read().decode(), re.M)
    return int(row[1])


def stops(what, ask, leave):
    """Ask what the hung shard has to answer as well, and leave it: the shard hears of that before its deadline."""
    for _ in range(3):      # a machine may be busy for as long as that
        told, left = logged("rpc.cancel"), logged("call.abandoned")
        until(f"{what}: nothing else is asked", lambda: not under_way())
        pause(hung)
        end = time.monotonic() + DEADLINE
        asked = ask()
        until(f"{what}: the shard is asked", under_way)
        leave(asked)
        while logged("call.abandoned") == left and time.monotonic() < end:
            time.sleep(0.05)
        in_time = logged("call.abandoned") > left
        os.kill(hung, signal.SIGCONT)
        until(f"{what}: the shard is told", lambda: logged("rpc.cancel") > told)
        if in_time:
            return
    raise AssertionError(f"{what}: it is waited for")


def stream_of(send):
    s = Stream(send({"name": "group_query", "arguments": QUERY, "_meta": {"progressToken": "t"}}))
    assert s.get()["method"] == "notifications/progress"
    return s


def pending(path, message, headers={}):
    """A request whose answer is one piece, on its way."""
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
    c.request("POST", path, json.dumps(message), {"Content-Type": "application/json", **headers})
    return c


def who_leaves(session):
    query, leave = call("group_query", QUERY), http.client.HTTPConnection.close
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "group_query"}
    third = initialize()
    stops("2026-07-28, a stream", lambda: stream_of(lambda p: modern("tools/call", p)), Stream.close)
    stops("2026-07-28, one answer", lambda: pending("/mcp", call("group_query", QUERY, _meta=MODERN), headers), leave)
    stops("2025-11-25, a stream", lambda: stream_of(lambda p: connect("POST", {}, request("tools/call", p))), Stream.close)
    stops("REST", lambda: pending("/api/v1/group_query", QUERY), leave)
    stops("a session that ends", lambda: pending("/mcp", query, third), lambda c: connect("DELETE", third).read())
    stops("notifications/cancelled", lambda: pending("/mcp", call("group_query", QUERY, "x"), session), lambda c: cancel(session, "x"))
    print("ok - a shard stops when the client leaves or takes back: streams and single answers, both eras, REST, sessions")


def no_answer(session):
    """Of a request that is taken back."""
    pause(hung)
    got, query = queue.Queue(), call("group_query", QUERY, "vain")
    threading.Thread(target=lambda: got.put(connect("POST", session, query)), daemon=True).start()
    until("it is there", under_way)
    assert connect("POST", session, query).status == 400, "one id, two requests"
    assert cancel(session, "vain") == 202
    assert Stream(got.get(timeout=PATIENCE)).get() is None, "no answer"
    os.kill(hung, signal.SIGCONT)
    assert cancel(session, "vain") == 202, "what is unknown is ignored"
    print("ok - a request that is taken back is not answered")


def main():
    session = sessions()
    progress(session)
    heard, listens = newest_stream(session)
    what_changes(session, heard, listens)
    to_a_session(session, heard)
    to_requests(session)
    heard = Stream(connect("GET", session))
    who_leaves(session)
    no_answer(session)
    assert connect("DELETE", session).status == 204 and heard.ends()
    print("ok - a stream ends with its session")


main()
