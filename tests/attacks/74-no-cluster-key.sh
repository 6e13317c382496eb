#!/bin/bash
# No other user of the machine passes for a member: without a cluster key there is no port, only a private socket; with a key, an
# unauthenticated peer can neither announce a replica nor read a file or snapshot.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"
port=$(free_port)
make_repo "$W/a"

# refused WHAT PROGRAM ARG...: it does not start, and names the remedy
refused() {
	what=$1
	shift
	if timeout 60 "$@" >"$W/out" 2>&1; then fail "$what: it started"; fi
	grep -q 'code=INVALID_INPUT.*cluster' "$W/out" || fail "$what: $(cat "$W/out")"
}
shard=(atoll-shard --repo "$W/a" --data "$W/d")
coordinator=(atoll-coordinator --data "$W/m.d" --http 127.0.0.1:0)
for url in "tcp://127.0.0.1:$port" "tcp://localhost:$port" "tls+tcp://127.0.0.1:$port"; do
	refused "a shard at $url" "${shard[@]}" --listen "$url"
	refused "a shard of $url" "${shard[@]}" --coordinator "$url"
	refused "a probe of $url" atoll-shard --probe "$url"
	refused "a coordinator at $url" "${coordinator[@]}" --listen "$url"
	refused "a coordinator of $url" "${coordinator[@]}" --listen "ipc://$W/x.ipc" --shard "$url"
done
grep -q 'cluster-key-file' "$W/out" || fail "no remedy: $(cat "$W/out")"
ok "ports without a cluster key are refused at the start, with the remedy"
if ATOLL_CLUSTER_KEY=sesame timeout 60 "${shard[@]}" --listen tcp://0.0.0.0:$port >"$W/out" 2>&1; then fail "plain text beyond loopback is accepted"; fi
grep -q 'not encrypted' "$W/out" || fail "$(cat "$W/out")"
ok "plain text stays on loopback, even with a key"

mkdir -m 1777 "$W/everybody"
refused "a socket where anybody may put one" "${shard[@]}" --listen "ipc://$W/everybody/s.ipc"
refused "a coordinator that may be anybody" "${shard[@]}" --coordinator "ipc://$W/everybody/m.ipc"
ok "without a key no socket in a folder that everybody can write to"

# Without options: a socket in the runtime folder, which is made private even if it was not.
mkdir -p "$XDG_RUNTIME_DIR/atoll"
chmod 755 "$XDG_RUNTIME_DIR/atoll"
start m "${coordinator[@]}" --ready-file "$W/m.ready"
wait_for 20 test -s "$W/m.ready"
same "the runtime folder" "$(stat -c %a "$XDG_RUNTIME_DIR/atoll")" 700
same "the coordinator's socket" "$(stat -c %a "$XDG_RUNTIME_DIR/atoll/coordinator.ipc")" 600
grep -q 'listen.default.*coordinator.ipc.*cluster-key-file' "$W/m.log" || fail "the log does not name the socket: $(cat "$W/m.log")"
start s "${shard[@]}" --coordinator "ipc://$XDG_RUNTIME_DIR/atoll/coordinator.ipc"
ATOLL_URL=$(cat "$W/m.ready")
export ATOLL_URL
member() { "$BIN/atoll" call list_repos | jq -e '.repos[0].health == "healthy"'; }
wait_for 30 member
same "the shard's socket" "$(stat -c %a "$XDG_RUNTIME_DIR"/atoll/*-*.ipc)" 600
stop m KILL
start m "${coordinator[@]}" --ready-file "$W/m2.ready"
wait_for 20 test -s "$W/m2.ready"
ATOLL_URL=$(cat "$W/m2.ready")
wait_for 30 member
ok "a coordinator and a shard without options connect through a private socket, also after a kill"
stop m

# Another user, at a socket in an accessible folder.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -p "$W/open"
	chmod 755 "$W" "$W/open"
	start o "${shard[@]}" --data "$W/d2" --listen "ipc://$W/open/s.ipc"
	wait_for 20 atoll-shard --probe "ipc://$W/open/s.ipc"
	knock='import socket, sys
s = socket.socket(socket.AF_UNIX)
try:
    s.connect(sys.argv[1])
except PermissionError:
    print("refused")'
	same "nobody" "$(setpriv --reuid=65534 --regid=65534 --clear-groups python3 -IS -c "$knock" "$W/open/s.ipc")" refused
	stop o
	chmod 700 "$W"
	chown 65534 "$XDG_RUNTIME_DIR/atoll"
	start m "${coordinator[@]}" --ready-file "$W/m3.ready"
	wait_for 20 test -s "$W/m3.ready"
	grep -q 'listen.none.*not a folder of this user' "$W/m.log" || fail "a folder of another user: $(cat "$W/m.log")"
	stop m
	chown 0 "$XDG_RUNTIME_DIR/atoll"
	ok "another user may neither connect nor make the folder first"
fi
stop s

# With a key the port accepts connections of everybody on the machine, but answers only members.
export ATOLL_CLUSTER_KEY=sesame
members=$(free_port)
start m "${coordinator[@]}" --listen "tcp://127.0.0.1:$members" --ready-file "$W/m4.ready"
wait_for 20 test -s "$W/m4.ready"
ATOLL_URL=$(cat "$W/m4.ready")
start s "${shard[@]}" --listen "tcp://127.0.0.1:$port" --coordinator "tcp://127.0.0.1:$members"
wait_for 30 member
before=$(call list_repos | jq -c '[.total, .repos[0].replicas]')
stranger() {	# stranger NAME [ENV...]: messages of all RPCs, and none is more than refused
	url=$1
	shift
	env "$@" "$TESTBIN/frames" "$url" mutate $((1000 / slow)) 5 >"$W/out" 2>&1 || fail "$url: $(cat "$W/out")"
	grep -q ' FORBIDDEN=' "$W/out" && ! grep -qE ' ok=| NOT_FOUND=' "$W/out" || fail "an unauthenticated peer at $url gets an answer: $(cat "$W/out")"
}
stranger "tcp://127.0.0.1:$port" -u ATOLL_CLUSTER_KEY
stranger "tcp://127.0.0.1:$members" -u ATOLL_CLUSTER_KEY COORDINATOR=1
if ATOLL_CLUSTER_KEY=guess "$TESTBIN/rpc" "tcp://127.0.0.1:$port" file '{"path":"README.md","max_bytes":1000}' >"$W/out" 2>&1; then fail "a peer with another key can read files"; fi
grep -q FORBIDDEN "$W/out" || fail "$(cat "$W/out")"
"$TESTBIN/rpc" "tcp://127.0.0.1:$port" file '{"path":"README.md","max_bytes":1000}' >"$W/out" || fail "a member cannot read: $(cat "$W/out")"
same "the members" "$(call list_repos | jq -c '[.total, .repos[0].replicas]')" "$before"
ok "an unauthenticated peer at the ports of members can announce and read nothing"
