#!/usr/bin/env python3
"""limits.py URL HUNG: limits for one caller and time limits for clients, of a coordinator that was started with

    --limit-local --calls-at-once 4 --calls-per-second 2 --calls-burst 10 --streams 2 --sessions 3 --session-idle-s 16
    --idle-timeout-ms 1500 --request-timeout-ms 1000 --answer-timeout-ms 1500 --conformance

HUNG is the pid of a shard that may be paused.  Each step prints `ok - ...`; the first failure ends it.
"""
import http.client
import json
import os
import select
import signal
import socket
import sys
import threading
import time
from urllib.parse import urlsplit

from pause_process import pause

url, hung = urlsplit(sys.argv[1]), int(sys.argv[2])
META = "io.modelcontextprotocol/"
MODERN = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}}
PATIENCE = 60
PER_SECOND, RETRY_MS = 2, 500      # what a slow client under sanitizers on a busy machine comes to as well
MANY_AGAIN = 4     # seconds after which seven or more may be asked


def send(method, path, body=None, headers={}):
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
    h = {"Accept": "application/json, text/event-stream", **headers}
    if body is not None:
        h["Content-Type"] = "application/json"
    c.request(method, path, None if body is None else json.dumps(body), h)
    r = c.getresponse()
    r.connection = c
    return r


def mcp(method, params={}, headers={}, id=1):
    return send("POST", "/mcp", {"jsonrpc": "2.0", "id": id, "method": method, "params": params}, headers)


def modern(method, params={}, id=1):
    return mcp(method, {**params, "_meta": MODERN}, {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}, id)


def metric(name, **labels):
    want = name + ("{" + ",".join(f'{k}="{v}"' for k, v in labels.items()) + "}" if labels else "") + " "
    for line in send("GET", "/metrics").read().decode().splitlines():
        if line.startswith(want):
            return float(line[len(want):])
    return 0


def until(what, true, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def rest():
    """A call over REST: its status, Retry-After and body."""
    r = send("POST", "/api/v1/group_list", {})
    return r.status, r.getheader("Retry-After"), json.loads(r.read())


def over_mcp(method, params):
    r = mcp(method, params)
    return r.status, json.loads(r.read())


# ---- calls per second ----

OF_PROMPT = {"type": "ref/prompt", "name": "x"}
REFUSED = {
    "tools/call": ("tools/call", {"name": "group_list", "arguments": {}}),
    "resources/read": ("resources/read", {"uri": "atoll://groups"}),
    "resources/list": ("resources/list", {}),
    "completion of a name": ("completion/complete", {"ref": OF_PROMPT, "argument": {"name": "group", "value": ""}}),
    "completion of a symbol": ("completion/complete", {"ref": OF_PROMPT, "argument": {"name": "symbol", "value": "o"},
                               "context": {"arguments": {"repo": "orders"}}}),
}


def burst(one, refused):
    """Calls until one is refused: how many were answered, and the refusal."""
    for n in range(2000):
        got = one()
        if refused(got):
            return n, got
    raise AssertionError("nobody is refused")


def refused_over_rest():
    began = time.monotonic()
    n, (status, after, body) = burst(rest, lambda r: r[0] != 200)
    error = body["error"]
    assert status == 429 and error["code"] == "RATE_LIMITED" and "Retry in" in error["hint"], body
    assert 1 <= error["retry_after_ms"] <= RETRY_MS and after == "1", (after, body)
    assert 10 <= n <= 11 + PER_SECOND * (time.monotonic() - began), n


def refused_over_mcp(name, method, params):
    _, (status, body) = burst(lambda: over_mcp(method, params), lambda r: "error" in r[1] or r[1]["result"].get("isError"))
    if method == "tools/call":
        error = body["result"]["structuredContent"]["error"]
        assert status == 200 and error["code"] == "RATE_LIMITED" and 1 <= error["retry_after_ms"] <= RETRY_MS, body
        assert body["result"]["content"][0]["text"].startswith("Error (RATE_LIMITED): "), body
    else:
        assert status == 200 and body["error"]["data"]["code"] == "RATE_LIMITED", (name, body)
        assert 1 <= body["error"]["data"]["retry_after_ms"] <= RETRY_MS and "RATE_LIMITED" in body["error"]["message"], body


def calls_per_second():
    refused_over_rest()
    for name, (method, params) in REFUSED.items():
        refused_over_mcp(name, method, params)
    status, listed = over_mcp("tools/list", {})
    assert status == 200 and listed["result"]["tools"], "what costs nothing is answered"
    time.sleep(MANY_AGAIN)
    assert rest()[0] == 200, "later it is answered"
    for name, (method, params) in REFUSED.items():
        status, body = over_mcp(method, params)
        assert status == 200 and not body["result"].get("isError"), (name, body)
    assert metric("atoll_refused_total", why="rate") == 6
    assert metric("atoll_requests_total", tool="group_list", outcome="RATE_LIMITED") >= 2
    print("ok - too many calls in a second are refused alike over REST, tools, resources and completion, and told when to come again")


def refusals_cost_little():
    burst(rest, lambda r: r[0] != 200)
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
    refused, began = 0, time.monotonic()
    while refused <= 50 and time.monotonic() < began + PATIENCE:
        try:
            c.request("POST", "/api/v1/query", '{"repo":"orders","query":"cancel"}', {"Content-Type": "application/json"})
            r = c.getresponse()
            r.read()
        except (OSError, http.client.HTTPException):    # this client was late with its next request: it begins a connection
            c.close()
            continue
        refused += r.status == 429
    c.close()
    took = time.monotonic() - began
    assert refused > 50, refused
    print(f"ok - {refused / took:.0f} refusals in a second")


# ---- calls at once ----

QUERY = {"repo": "orders", "query": "where are orders cancelled"}


def calls_at_once():
    time.sleep(MANY_AGAIN)
    pause(hung)
    answers, waiting = [], []

    def wait_for_shard(k):
        r = send("POST", "/api/v1/query", QUERY) if k % 2 else mcp("tools/call", {"name": "query", "arguments": QUERY})
        answers.append((r.status, json.loads(r.read())))

    for k in range(4):
        waiting.append(threading.Thread(target=wait_for_shard, args=(k,)))
        waiting[-1].start()
    until("four are under way", lambda: metric("atoll_limited", what="calls") == 4)
    status, after, body = rest()
    assert status == 429 and after == "1" and "running" in body["error"]["message"], (status, body)
    assert over_mcp(*REFUSED["tools/call"])[1]["result"]["isError"]
    os.kill(hung, signal.SIGCONT)
    for t in waiting:
        t.join()
    assert all(status == 200 for status, _ in answers), answers
    assert rest()[0] == 200
    until("none is under way", lambda: metric("atoll_limited", what="calls") == 0)
    assert metric("atoll_refused_total", why="at_once") == 2
    print("ok - so are too many at once, until one has ended")


# ---- streams and sessions ----

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}}


def initialize():
    r = mcp("initialize", INITIALIZE)
    r.read()
    return {"Mcp-Session-Id": r.getheader("Mcp-Session-Id")}


def is_known(session):
    r = mcp("ping", {}, session)
    r.read()
    return r.status == 200


def streams(sessions):
    """The streams of the first two sessions, which go on."""
    listens = modern("subscriptions/listen", {"notifications": {"resourcesListChanged": True}})
    hears = send("GET", "/mcp", None, sessions[0])
    assert listens.status == 200 and hears.status == 200
    again = send("GET", "/mcp", None, sessions[0])     # its own place
    assert again.status == 200 and hears.read() is not None
    for r in (send("GET", "/mcp", None, sessions[1]), modern("subscriptions/listen", {"notifications": {}})):
        body = json.loads(r.read())
        assert r.status == 429 and r.getheader("Retry-After") == "1", (r.status, body)
        assert body["error"].get("code") == "RATE_LIMITED" or body["error"]["data"]["code"] == "RATE_LIMITED", body
    if listens.connection.sock:
        listens.connection.sock.shutdown(2)
    listens.close()
    listens.connection.close()
    until("a stream that is left gives its place back", lambda: metric("atoll_limited", what="streams") == 1)
    hears = send("GET", "/mcp", None, sessions[1])
    assert hears.status == 200 and metric("atoll_refused_total", why="streams") == 2
    print("ok - a caller has so many streams; one that is left gives its place back")
    return again, hears


def newest_sessions(sessions, stream):
    """One more, which ends the first."""
    assert all(is_known(s) for s in sessions)      # the first was used last longest ago
    sessions.append(initialize())
    assert [is_known(s) for s in sessions] == [False, True, True, True]
    assert stream.read() is not None, "its stream ends"
    print("ok - a caller has so many sessions, the newest")


# ---- clients that are slow ----

POST = f"POST /mcp HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: application/json\r\n"


def connect(window=None):
    s = socket.socket()
    if window:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    s.settimeout(PATIENCE)
    s.connect((url.hostname, url.port))
    return s


def hung_up_on(s, drip=None):
    """Seconds until the server hangs up on a client that sends a byte now and then."""
    began = time.monotonic()
    p = select.poll()
    p.register(s, select.POLLRDHUP | select.POLLHUP | select.POLLERR)
    while not p.poll(100):
        took = time.monotonic() - began
        assert took < 20, "nobody hangs up"
        if drip:
            try:
                s.send(drip)
            except OSError:
                pass
    s.close()
    return time.monotonic() - began


def count_slow():
    return metric("atoll_refused_total", why="slow")


def drip(times, what, head, byte, least):
    s = connect()
    s.sendall(head)
    took = hung_up_on(s, byte)
    times[what] = took > least - 0.3 and took


def slow_senders():
    before, times, threads = count_slow(), {}, []
    for row in (("in the first line", b"POST /m", b"c", 1.5),
                ("in a header", POST.encode() + b"X: ", b"a", 1),
                ("in the body", POST.encode() + b"Content-Length: 4000\r\n\r\n{", b" ", 1),
                ("in a chunk", POST.encode() + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n", 1),
                ("with nothing", b"", None, 1.5)):
        threads.append(threading.Thread(target=drip, args=(times, *row)))
        threads[-1].start()
    for t in threads:
        t.join()
    assert len(times) == 5 and all(times.values()), times
    assert count_slow() == before + 3
    print("ok - who sends a byte at a time is hung up on: first line, headers, body, chunks; so is who sends nothing")


def of_megabytes():
    """A request whose answer is a stream of them."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": "x" * 800000}}}).encode()
    return POST.encode() + b"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def slow_readers():
    before = count_slow()
    s = connect(4096)       # the whole list of tools, 100 times, and nothing of it is read
    s.setblocking(False)
    try:
        while s.send(f"GET /api/v1/tools HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode() * 100):
            pass
    except OSError:
        pass
    hung_up_on(s)
    until("a slow reader is counted", lambda: count_slow() == before + 1)
    s = connect(4096)       # a stream of megabytes
    s.sendall(of_megabytes())
    hung_up_on(s)
    until("so is one of a stream", lambda: count_slow() == before + 2)
    s = connect()
    s.sendall(of_megabytes())
    got = b""
    while got.count(b"\r\n0\r\n\r\n") + got.count(b'"result"') < 1:
        piece = s.recv(1 << 16)
        assert piece, "a reader that is quick has it all"
        got += piece
    s.close()
    assert count_slow() == before + 2
    print("ok - who does not read is hung up on: answers, streams")


def idle_sessions(sessions, stream):
    for _ in range(5):
        time.sleep(18.5)     # the coordinator looks every two seconds
        if not is_known(sessions[3]):
            break
    else:
        raise AssertionError("an idle session lives on")
    assert is_known(sessions[1]) and not stream.closed, "one with a stream is not idle"
    print("ok - idle sessions end")


def sizes():
    status, body = over_mcp("ping", {"x": "y" * (1 << 20)})
    assert status == 413 and body["error"]["code"] == "INVALID_INPUT", body
    s = connect()
    many = b"".join(b"X-%d: %s\r\n" % (i, b"v" * 1000) for i in range(60))
    s.sendall(f"GET /healthz HTTP/1.1\r\nHost: {url.netloc}\r\n".encode() + many + b"\r\n")
    assert s.recv(12) in (b"HTTP/1.1 431", b"HTTP/1.1 413"), "too many headers"
    s.close()
    deep = send("POST", "/api/v1/group_list", json.loads("[" * 63 + "]" * 63))
    assert deep.status == 400
    r = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
    r.request("POST", "/api/v1/group_list", '{"a":' + "[" * 64 + "]" * 64 + "}", {"Content-Type": "application/json"})
    r = r.getresponse()
    assert r.status == 400 and json.loads(r.read())["error"]["code"] == "INVALID_INPUT"
    assert metric("atoll_refused_total", why="body") == 1
    print("ok - bodies, headers and depth are bounded")


def main():
    calls_per_second()
    refusals_cost_little()
    calls_at_once()
    time.sleep(1)
    sessions = [initialize() for _ in range(3)]
    first, second = streams(sessions)
    newest_sessions(sessions, first)
    slow_senders()
    slow_readers()
    idle_sessions(sessions, second)
    sizes()


main()
