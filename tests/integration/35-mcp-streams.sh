#!/bin/bash
# MCP over event streams: sessions, progress, change notifications, cancelled requests; the same over atoll mcp.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop"
mv "$W/shop/catalog" "$W/later"
export ATOLL_TOOLS=all ATOLL_LOG_LEVEL=debug
search_ms=$((slow > 1 ? 12000 : 5000))	# a member is paused
up --group shop "$W"/shop/*
ready shop 3
hung=$(pgrep -P "$(pid_of up)" -x atoll-shard | head -n 1)
recorded
python3 "$ROOT/tests/mcp/all_methods.py" "$wire" github.com/atoll-shop/orders || fail "methods of all revisions failed"
ok "every method and every tool in every revision"
python3 "$ROOT/tests/mcp/streams.py" "$wire" "$BIN/atoll" "$W/later" "$hung" "$W/data/logs" $((search_ms / 1000)) || fail "streams failed"
ok "streams over HTTP"

cat >"$W/talk.py" <<'PY'
import json, os, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
def send(method, params, id=None):
    m = {"jsonrpc": "2.0", "method": method, "params": params}
    p.stdin.write(json.dumps(m if id is None else {**m, "id": id}).encode() + b"\n")
    p.stdin.flush()
def step(name):
    while not os.path.exists(f"{sys.argv[2]}/{name}"):
        time.sleep(0.1)
def until(want):
    while True:
        m = json.loads(p.stdout.readline())
        if want(m):
            return m
send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}}, 0)
until(lambda m: m.get("id") == 0)
send("resources/subscribe", {"uri": "atoll://groups"}, 9)
until(lambda m: m.get("id") == 9)
send("tools/call", {"name": "group_status", "arguments": {"group": "shop"}, "_meta": {"progressToken": "t"}}, 1)
until(lambda m: m.get("method") == "notifications/progress")
until(lambda m: m.get("id") == 1)
send("subscriptions/listen", {"notifications": {"resourcesListChanged": True}, "_meta": META}, "sub")
until(lambda m: m.get("method") == "notifications/subscriptions/acknowledged")
print("listens", flush=True)
until(lambda m: m.get("method") == "notifications/resources/list_changed")	# it may have, as its session was lost
step("restarted")		# the coordinator knows no session
send("ping", {}, 2)
assert until(lambda m: m.get("id") == 2)["result"] == {}
print("again", flush=True)
until(lambda m: m.get("method") == "notifications/resources/updated" and m["params"] == {"uri": "atoll://groups"})
p.stdin.close()
p.wait(30)
print("ok - atoll mcp tells progress and changes, and gets over a coordinator that was started again")
PY
recorded_stdio "$W/atoll"
start talk python3 "$W/talk.py" "$W/atoll" "$W"
said() { grep -q "$1" "$W/talk.log"; }
wait_for 20 said listens
coordinator=$(pgrep -P "$(pid_of up)" atoll-coord)
kill "$coordinator"		# `atoll up` starts it again
has_ended() { ! kill -0 "$coordinator"; }
wait_for 10 has_ended
wait_for 30 curl -fsS "$ATOLL_URL/readyz"
touch "$W/restarted"
wait_for 20 said again
# Only changes since the coordinator's first check are notified; it checks every two seconds after its start.
for i in 1 2 3 4 5; do
	atoll group create "other$i" users >/dev/null
	for _ in $(seq 50); do
		! said '^ok' || break 2
		sleep 0.1
	done
done
wait_for 10 said '^ok'
grep '^ok' "$W/talk.log"
