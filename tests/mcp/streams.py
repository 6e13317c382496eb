#!/usr/bin/env python3
"""streams.py URL ATOLL REPO HUNG LOGS DEADLINE: what comes as events.  REPO is a git repository that belongs to nothing yet; HUNG is the pid of a
shard that may be stopped; LOGS a folder, DEADLINE of searches in seconds.  Each step prints `ok - …`; the first that is not so ends it."""
import glob, http.client, json, os, queue, re, signal, subprocess, sys, threading, time
from urllib.parse import urlsplit

from halt import halt

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
        self.response, self.messages, self.passed, self.ids, self.last, self.retry = response, queue.Queue(), [], [], None, None
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
        self.response.connection.sock and self.response.connection.sock.shutdown(2)
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


# ---- sessions ----
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

# ---- progress ----
for token in ("a", 7):
    for send in (lambda p: connect("POST", session, request("tools/call", p, 5)), lambda p: modern("tools/call", p, 5)):
        s = Stream(send({"name": "group_status", "arguments": {"group": "shop"}, "_meta": {"progressToken": token}}))
        steps = []
        while (m := s.get())["jsonrpc"] and "method" in m:
            assert m["method"] == "notifications/progress" and m["params"]["progressToken"] == token, m
            steps.append(m["params"]["progress"])
        assert m["id"] == 5 and not m["result"]["isError"], m
        assert len(steps) >= 3 and steps == sorted(set(steps)), steps
        assert s.get() is None, "nothing follows the answer"
assert connect("POST", session, request("tools/call", {"name": "group_status", "arguments": {"group": "shop"}})).getheader("Content-Type") == "application/json"
print("ok - progress is told to those who want to know")

# ---- what nobody asked for ----
first = Stream(connect("GET", session))
heard = Stream(connect("GET", session))
assert first.get() is None, "a session has one stream, the newest"
assert body(connect("POST", session, request("resources/subscribe", {"uri": "atoll://group/shop/status"})))["result"] == {}
WANT = {"notifications": {"resourcesListChanged": True, "toolsListChanged": True,
                          "resourceSubscriptions": ["atoll://group/shop/contracts", "atoll://group/none/status", "x:y"]}}
listens = Stream(modern("subscriptions/listen", WANT, "sub"))
m = listens.get()
assert m["method"] == "notifications/subscriptions/acknowledged", m
assert m["params"]["_meta"][META + "subscriptionId"] == "sub", m
assert m["params"]["notifications"] == {"resourcesListChanged": True, "resourceSubscriptions": ["atoll://group/shop/contracts"]}, m
print("ok - the newest stream of a session counts; what is listened to is acknowledged, and no more")

time.sleep(3)		# the coordinator has looked once
cli("repo", "add", repo, "--group", "shop")
changed = "notifications/resources/list_changed"
heard.until(lambda m: m["method"] == changed)
m = listens.until(lambda m: m["method"] == changed)
assert m["params"]["_meta"][META + "subscriptionId"] == "sub", m
updated = "notifications/resources/updated"
m = heard.until(lambda m: m["method"] == updated)
assert m["params"] == {"uri": "atoll://group/shop/status"}, m
m = listens.until(lambda m: m["method"] == updated)
assert m["params"]["uri"] == "atoll://group/shop/contracts" and m["params"]["_meta"][META + "subscriptionId"] == "sub", m
print("ok - a repository that comes is told, and what it changes")

assert body(connect("POST", session, request("resources/unsubscribe", {"uri": "atoll://group/shop/status"})))["result"] == {}
listens.close()

# ---- coming back ----
def resume(session, last):
    return connect("GET", {**session, "Last-Event-ID": last})


def slow(session, id, token=True):
    """A call that a stopped shard holds up for as long as the deadline of a search, with progress before."""
    meta = {"_meta": {"progressToken": "t"}} if token else {}
    return connect("POST", session, request("tools/call", {"name": "group_query", "arguments": {"group": "shop", "query": "stock"}, **meta}, id))


def settled():
    """The new repository is as it will be: nothing more is to be told of it."""
    repos = json.loads(cli("call", "group_status", '{"group":"shop"}'))["repos"]
    return len(repos) == 4 and all(r["status"] == "ready" and r["health"] == "healthy" for r in repos)


end = time.monotonic() + PATIENCE
while not settled() and time.monotonic() < end:
    time.sleep(0.2)
heard.close()		# its client does not know what it misses
time.sleep(1)
keeps_looking = Stream(modern("subscriptions/listen", {"notifications": {"resourcesListChanged": True}}, "sub2"))
keeps_looking.quiet()	# what has moved while nobody listened is told once
cli("group", "create", "missed", "users")
keeps_looking.until(lambda m: m["method"] == changed)
assert heard.ids[0].startswith("0-") and heard.retry == 500, "the first event says from where on"
late = Stream(resume(session, heard.last))
assert late.get(5)["method"] == changed
again = Stream(resume(session, heard.last))
assert again.get(5)["method"] == changed and late.ends(), "the newest stream of a session counts"
fresh = Stream(resume(session, again.last))
cli("group", "delete", "missed")
fresh.until(lambda m: m["method"] == changed)
assert len(set(fresh.ids)) == len(fresh.ids) and heard.last not in fresh.ids, "nothing twice"
keeps_looking.close()
print("ok - who comes back to the stream of a session gets what was missed, and nothing twice")

old = initialize("2025-06-18")
halt(hung)
vain = Stream(slow(session, "vain"))
vain.get()
vain.close()
assert connect("POST", session, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "vain"}}).status == 202
for s in (session, old):
    broken = Stream(slow(s, "broken"))
    first = broken.get()
    assert first["method"] == "notifications/progress", first
    assert broken.ids[0].endswith("-0" if s is session else "-1"), "2025-06-18 has no events without data"
    known = broken.ids[: 2 if s is session else 1]
    broken.close()
    time.sleep(0.6)     # it is noticed
    rest = Stream(resume(s, known[-1]))
    m = rest.until(lambda m: m.get("id") == "broken")
    assert m["result"]["structuredContent"]["coverage"]["failed"], "the shard was stopped"
    assert rest.get() is None and not set(rest.ids) & set(known), (rest.ids, known)
    twice = Stream(resume(s, known[0]))
    assert twice.until(lambda m: m.get("id") == "broken") == m and twice.get() is None, "the answer is kept for a while"
    for other in (old if s is session else session, initialize()):
        r = resume(other, f"{known[0].split('-')[0]}7-0")
        assert r.status == 400, "no stream of that session"
    assert resume({"Mcp-Session-Id": "0" * 32}, rest.last).status == 404
assert resume(session, vain.last).status == 400, "what was taken back is not kept"
os.kill(hung, signal.SIGCONT)
for bad in ("x", "1", "-1", "1-", "1-x", "99-0", "1-99999999999999999999", "0-0-0", "", "é"):
    r = resume(session, bad)
    assert r.status == 400 and "Last-Event-ID" in body(r)["error"]["message"], (bad, r.status)
while not body(connect("POST", session, request("tools/call", {"name": "group_query", "arguments": {"group": "shop", "query": "stock"}})))[
        "result"]["structuredContent"]["complete"]:
    time.sleep(0.2)     # until it is known to be there again
heard = Stream(connect("GET", session))
print("ok - who comes back to a request gets the rest and the answer")

# ---- taking back ----
def told_to_stop():
    """How often shards were told that nobody waits any more."""
    return sum(open(f).read().count("rpc.cancel") for f in glob.glob(f"{logs}/*.log"))


def under_way():
    """Requests that the coordinator waits for, of the shard that may be hung."""
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
    c.request("GET", "/metrics")
    row = re.search(rf'^atoll_shard_in_flight_requests{{repo="[^"]*/{HUNG}",.*}} (\d+)$', c.getresponse().read().decode(), re.M)
    return int(row[1])


def until(what, holds, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def stops(what, ask, leave):
    """Ask what the hung shard has to answer as well, and leave it: the shard hears of that long before its deadline."""
    before = told_to_stop()
    until(f"{what}: nothing else is asked", lambda: not under_way())
    halt(hung)
    asked = ask()
    until(f"{what}: the shard is asked", under_way)
    leave(asked)
    time.sleep(0.8)     # the coordinator looks four times a second who has left
    os.kill(hung, signal.SIGCONT)
    until(f"{what}: the shard works on", lambda: told_to_stop() > before, DEADLINE / 2)


def stream_of(send):
    s = Stream(send({"name": "group_query", "arguments": {"group": "shop", "query": "reserve stock"}, "_meta": {"progressToken": "t"}}))
    assert s.get()["method"] == "notifications/progress"
    return s


def pending(path, message, headers={}):
    """A request whose answer is one piece, on its way."""
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
    c.request("POST", path, json.dumps(message), {"Content-Type": "application/json", **headers})
    return c


QUERY = {"group": "shop", "query": "reserve stock"}
stops("2026-07-28, a stream", lambda: stream_of(lambda p: modern("tools/call", p)), Stream.close)
stops("2026-07-28, one answer", lambda: pending("/mcp", request("tools/call", {"name": "group_query", "arguments": QUERY, "_meta": MODERN}), {
    "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "group_query"}), lambda c: c.close())
stops("2025-11-25, a stream", lambda: stream_of(lambda p: connect("POST", {}, request("tools/call", p))), Stream.close)
stops("REST", lambda: pending("/api/v1/group_query", QUERY), lambda c: c.close())
third = initialize()
stops("a session that ends", lambda: pending("/mcp", request("tools/call", {"name": "group_query", "arguments": QUERY}), third),
      lambda c: connect("DELETE", third).read())
stops("notifications/cancelled", lambda: pending("/mcp", request("tools/call", {"name": "group_query", "arguments": QUERY}, "x"), session),
      lambda c: connect("POST", session, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "x"}}).read())
print("ok - a shard stops when the client leaves or takes back: streams and single answers, both eras, REST, sessions")

halt(hung)
got = queue.Queue()
call = request("tools/call", {"name": "group_query", "arguments": {"group": "shop", "query": "reserve stock"}}, "vain")
threading.Thread(target=lambda: got.put(connect("POST", session, call)), daemon=True).start()
until("it is there", under_way)
assert connect("POST", session, {**call}).status == 400, "one id, two requests"
cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "vain"}}
assert connect("POST", session, cancel).status == 202
s = Stream(got.get(timeout=PATIENCE))
assert s.get() is None, "no answer"
os.kill(hung, signal.SIGCONT)
assert connect("POST", session, cancel).status == 202, "what is unknown is ignored"
print("ok - a request that is taken back is not answered")

assert connect("DELETE", session).status == 204
while heard.get() is not None:
    pass
print("ok - a stream ends with its session")
