#!/bin/bash
# The MCP endpoint, the API and the rest of HTTP with raw requests: what is refused, with which status and error.
. "$(dirname "$0")/../lib.sh"

refused() {
	if "$BIN/atoll-coordinator" --data "$W/never" --http "$1" --listen "ipc://$W/never.sock" >"$W/out" 2>&1; then
		fail "--http $1 is accepted"
	fi
	grep -q "$2" "$W/out" || fail "--http $1: $(cat "$W/out")"
}
refused 0.0.0.0:0 "no token"
refused "[::]:0" "no token"
refused 192.0.2.1:7700 "no token"
refused nonsense HOST:PORT
ok "without tokens only loopback addresses are served"

start coordinator "$BIN/atoll-coordinator" --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" \
	--ready-file "$W/url"
wait_for 10 test -s "$W/url"
URL=$(cat "$W/url")
refused "${URL#http://}" "cannot listen"
ok "a taken port is an error"

[ "$(curl -s -o "$W/ready" -w '%{http_code}' "$URL/readyz")" = 503 ] || fail "/readyz is ready without a repository"
grep -q 'no repository' "$W/ready" || fail "the reason is missing: $(cat "$W/ready")"
ok "not ready without a repository"

recorded "$URL"
python3 "$ROOT/tests/mcp/raw_requests.py" "$wire" || fail "raw requests failed"
ok "raw requests are answered as specified"

python3 "$ROOT/tests/mcp/many_clients.py" "$URL" 4 || fail "many clients failed"
threads=$(awk '/^Threads/ { print $2 }' "/proc/$(pid_of coordinator)/status")
[ "$threads" -lt 60 ] || fail "$threads threads"
few() { [ "$(ls "/proc/$(pid_of coordinator)/fd" | wc -l)" -lt 60 ]; }
wait_for 30 few
ok "many clients, including slow ones and ones that disconnect"

python3 - "$URL" <<'PY' || fail "a crowd of silent clients blocked others"
import select, socket, sys, time, urllib.request
from urllib.parse import urlsplit
url = urlsplit(sys.argv[1])
def silent(n):
    return [socket.create_connection((url.hostname, url.port)) for _ in range(n)]
def left(all, seconds, few=0):
    """How many are still connected after that time, or as soon as they are so few."""
    p = select.poll()
    for s in all:
        p.register(s, select.POLLRDHUP)
    end, gone = time.monotonic() + seconds, set()
    while len(all) - len(gone) > few and time.monotonic() < end:
        for fd, _ in p.poll(100):
            gone.add(fd)
            p.unregister(fd)
    return len(all) - len(gone)
few = silent(300)
assert left(few, 3) == 300, "silent ones may stay while there is room"
many = silent(100)
assert left(few + many, 60, 384) < 385, "but not when there are many"
assert urllib.request.urlopen(sys.argv[1] + "/healthz").status == 200
PY
ok "a crowd of silent clients makes room"

stop coordinator
ok "it exits on SIGTERM"
