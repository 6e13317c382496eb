#!/bin/bash
# atoll mcp: both eras over standard input and output; a slow call does not block others; it survives a coordinator restart.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
search_ms=$((3000 * slow))	# a member is paused
up --group shop "$W"/shop/*
ready shop 4
cat >"$W/talk.py" <<'PY'
import json, os, signal, socket, subprocess, sys, threading, time
from urllib.parse import urlsplit
from pause_process import pause
atoll, up, stopped, slow = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}

def state(task):
    """The letter of a process or thread; X when it is gone."""
    try:
        return open(f"/proc/{task}/stat").read().split(") ")[1][0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"

class Host:
    def __init__(self, **env):
        self.p = subprocess.Popen([atoll, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **env})
    def send(self, *messages):
        self.p.stdin.write(b"".join(json.dumps(m).encode() + b"\n" for m in messages))
        self.p.stdin.flush()
    def get(self):
        """The next answer; what changed meanwhile is told at any time."""
        while True:
            line = self.p.stdout.readline()
            assert line, "standard output ended"
            m = json.loads(line)
            if m.get("method") != "notifications/resources/list_changed":
                return m
    def ask(self, i, method, **params):
        self.send({"jsonrpc": "2.0", "id": i, "method": method, "params": params})
        answer = self.get()
        assert answer["id"] == i, answer
        return answer

# ---- legacy ----
h = Host()
a = h.ask(0, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"})
assert a["result"]["protocolVersion"] == "2025-06-18" and "tools" in a["result"]["capabilities"], a
h.send({"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": "list", "method": "tools/list"})
a = h.get()
assert a["id"] == "list" and "group_query" in [t["name"] for t in a["result"]["tools"]], a
a = h.ask(1, "tools/call", name="group_query", arguments={"group": "shop", "query": "reserve stock"})
assert not a["result"].get("isError") and a["result"]["structuredContent"]["complete"], a
a = h.ask(2, "tools/call", name="query", arguments={"query": "reserve stock"})
assert a["result"]["isError"] and a["result"]["structuredContent"]["error"]["code"] == "AMBIGUOUS_REPO", a
a = h.ask(3, "tools/call", name="no_such_tool", arguments={})
assert a["error"]["code"] == -32602, a
a = h.ask(4, "no/such/method")
assert a["error"]["code"] == -32601, a
print("ok - 2025-06-18")

# ---- modern, in the same process ----
a = h.ask(5, "server/discover", _meta=META)
assert a["result"]["supportedVersions"] == ["2026-07-28"], a
a = h.ask(6, "tools/call", name="group_query", arguments={"group": "shop", "query": "größe 😀 stock"}, _meta=META)
assert a["result"]["resultType"] == "complete" and a["result"]["structuredContent"]["complete"], a
print("ok - 2026-07-28")

# ---- bad input ----
h.p.stdin.write(b"{bad\n\n   \n[]\n")
h.p.stdin.flush()
codes = sorted(h.get()["error"]["code"] for _ in range(2))
assert codes == [-32700, -32600], codes
h.send({"jsonrpc": "2.0", "method": "notifications/whatever"}, {"jsonrpc": "2.0", "id": 7, "method": "ping"})
a = h.get()
assert a == {"jsonrpc": "2.0", "id": 7, "result": {}}, a
PING = b'{"jsonrpc":"2.0","id":7,"method":"ping"}'
for line in (PING + b"\r\n", b" \t" + PING + b" \n", PING.replace(b",", b" ,\r\t") + b"\n", b"\r\n\n" + PING + b"\n"):
    h.p.stdin.write(line)
    h.p.stdin.flush()
    a = h.get()
    assert a == {"jsonrpc": "2.0", "id": 7, "result": {}}, (line, a)
for line in (PING + b"\0x", b"\0" + PING, PING + PING, b"\xef\xbb\xbf" + PING, PING[:-2] + b'\xff"}', PING[:-1] + b',"id":8}', b"[" * 65 + b"]" * 65, PING[:-1], b'"'):
    h.p.stdin.write(line + b"\n")
    h.p.stdin.flush()
    a = h.get()
    assert a["error"]["code"] == -32700 and a.get("id") is None, (line, a)
for text in ("x" * 500000, "a\nb\u2028\\\"\U0001f600"):
    a = h.ask(8, "prompts/get", name=text)
    assert a["error"]["code"] == -32602, a
a = h.ask(9, "ping", x="x" * 2000000)
assert a["error"]["code"] == -32603 and "larger than" in a["error"]["message"], a
g = Host()
g.p.stdin.write(PING)       # the last line has no end
g.p.stdin.close()
assert g.get()["id"] == 7 and g.p.wait(30 * slow) == 0 and g.p.stdout.read() == b""
print("ok - bad input is answered, notifications are not; lines end as they will")

# ---- a slow call does not block the next one ----
pause(stopped)
h.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": {"name": "group_query", "arguments": {"group": "shop", "query": "reserve stock"}}})
time.sleep(0.1)
h.send({"jsonrpc": "2.0", "id": "fast", "method": "ping"})
first, second = h.get(), h.get()
os.kill(stopped, signal.SIGCONT)
assert (first["id"], second["id"]) == ("fast", "slow"), (first["id"], second["id"])
assert second["result"]["structuredContent"]["complete"] is False, second
print("ok - calls run side by side")

# ---- a cancelled call is not answered, and its connection is closed ----
for n in range(100):	# the member is known to be back: a call waits for it
    a = h.ask(100 + n, "tools/call", name="group_query", arguments={"group": "shop", "query": "reserve stock"})
    if a["result"]["structuredContent"]["complete"]:
        break
    time.sleep(0.1)
pause(stopped)
h.send({"jsonrpc": "2.0", "id": "vain", "method": "tools/call", "params": {"name": "group_query", "arguments": {"group": "shop", "query": "reserve stock"}}})
time.sleep(0.1)
h.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "vain", "reason": "enough"}})
time.sleep(3.5 * slow)		# its deadline is over
os.kill(stopped, signal.SIGCONT)
a = h.ask(10, "ping")
assert a["id"] == 10, a
print("ok - a cancelled call is not answered")

# ---- a connection that breaks in the middle of a stream ----
class Cutter:
    """An address in front of the coordinator; the first `cuts` connections that carry `mark` are cut behind it."""
    def __init__(self, url, mark, cuts):
        self.to, self.mark, self.cuts, self.done = urlsplit(url), mark, cuts, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()
    def accept(self):
        while True:
            one = self.listener.accept()[0]
            two = socket.create_connection((self.to.hostname, self.to.port))
            for a, b, looks in ((one, two, False), (two, one, True)):
                threading.Thread(target=self.carry, args=(a, b, looks), daemon=True).start()
    def carry(self, a, b, looks):
        try:
            while data := a.recv(65536):
                b.sendall(data)
                if looks and self.mark in data and self.done < self.cuts:
                    self.done += 1
                    break
        except OSError:
            pass
        for s in (a, b):
            try:
                s.shutdown(2)
            except OSError:
                pass

cutter = Cutter(os.environ["ATOLL_URL"], b"notifications/progress", 2)
g = Host(ATOLL_URL=cutter.url)
g.ask(0, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
pause(stopped)
g.send({"jsonrpc": "2.0", "id": "cut", "method": "tools/call", "params": {
    "name": "group_query", "arguments": {"group": "shop", "query": "reserve stock"}, "_meta": {"progressToken": 1}}})
steps = []
while (m := g.get()).get("method") == "notifications/progress":
    steps.append(m["params"]["progress"])
os.kill(stopped, signal.SIGCONT)
assert m["id"] == "cut" and "result" in m, m
assert steps == list(range(1, len(steps) + 1)), steps
assert cutter.done >= 1, "nothing was cut"
g.p.stdin.close()
g.p.wait(30 * slow)
print("ok - an answer whose connection breaks is gone on with")

# ---- many at once ----
h.send(*({"jsonrpc": "2.0", "id": i, "method": "ping"} for i in range(200)))
assert {h.get()["id"] for _ in range(200)} == set(range(200))
print("ok - 200 at once")

# ---- ends ----
for how in ("eof", signal.SIGTERM, signal.SIGINT):
    g = Host()
    g.ask(1, "ping")
    began = time.monotonic()
    g.p.stdin.close() if how == "eof" else g.p.send_signal(how)
    g.p.wait(30 * slow)
    assert time.monotonic() - began < 20 * slow, how
    assert g.p.stdout.read() == b"", "nothing else on standard output"
print("ok - EOF, SIGTERM and SIGINT end it at once")

# ---- without a coordinator ----
os.kill(up, signal.SIGTERM)
while state(up) not in "XZ":
    time.sleep(0.05)
h.send({"jsonrpc": "2.0", "id": 7, "result": {}}, {"jsonrpc": "2.0", "id": 1.5, "method": "ping"})
a = h.get()
assert a["error"]["code"] == -32603 and "id" not in a, a	# to the ping: a response is not answered, and 1.5 is no id
a = h.ask(8, "tools/list")
assert a["error"]["code"] == -32603 and "atoll up" in a["error"]["message"], a
h.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 8}})
a = h.ask(9, "ping")
assert a["id"] == 9 and a["error"]["code"] == -32603, a
h.p.stdin.close()
assert h.p.wait(30 * slow) == 0
print("ok - it outlives the coordinator and says what to do")
PY
recorded_stdio "$W/atoll"
python3 "$W/talk.py" "$W/atoll" "$(pid_of up)" "$(pgrep -P "$(pid_of up)" -x atoll-shard | head -n 1)" $slow || fail "atoll mcp failed"
