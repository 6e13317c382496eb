#!/bin/bash
# No message crashes a process: each RPC of shard and coordinator, with each field absent, nil, of every other type and of the
# largest size, is answered, and a missing field is named; messages of many tiny objects use no memory.  In full: with 4 MiB in a
# field, and with every answer of a shard malformed in this way (test_malformed_replies, whose short form is a unit test).
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"
long() { [ "${ATTACKS:-}" = long ]; }
frames=$TESTBIN/frames size=20000
! long || size=4194304

make_repo "$W/a"
serve s "$W/a" --data "$W/d"
coordinate m
ends=$(pid_of s)
"$frames" "ipc://$W/s.ipc" fields $size >"$W/out" 2>&1 || fail "shard: $(tail -c 3000 "$W/out")"
ok "shard: $(cat "$W/out")"
COORDINATOR=1 "$frames" "ipc://$W/m.ipc" fields $size >"$W/out" 2>&1 || fail "coordinator: $(tail -c 3000 "$W/out")"
ok "coordinator: $(cat "$W/out")"

# Regressions: `peers {}` crashed the coordinator, `file {}` a shard.
rpc s file '{"path":"README.md","max_bytes":1000}' >"$W/out" || fail "a file cannot be read afterwards: $(cat "$W/out")"
call list_repos >/dev/null
same "the shard" "$(pid_of s)" "$ends"
! gone "$ends" || fail "the shard has exited"
! gone "$(pid_of m)" || fail "the coordinator has exited"
ok "both are running and answer requests"

# Seven megabytes of empty lists would be 170 MB of msgpack objects.
peak() { awk '/^VmHWM/ { print $2 }' "/proc/$(pid_of "$1")/status"; }
for p in s m; do
	before=$(peak $p)
	"$frames" "ipc://$W/$p.ipc" flood 4 7000000 >"$W/out" 2>&1 || fail "$p: $(cat "$W/out")"
	grown=$((($(peak $p) - before) / 1024))
	[ $slow -gt 1 ] || [ $grown -lt 64 ] || fail "$p grew by $grown MB"
done
ok "messages with 7 MB of empty lists and maps are refused before they use memory"
"$frames" "ipc://$W/s.ipc" raw $((100 / slow)) 3 >"$W/out" 2>&1 && "$frames" "ipc://$W/m.ipc" raw $((100 / slow)) 4 >>"$W/out" 2>&1 || fail "$(cat "$W/out")"
ok "connections with another protocol"
long || exit 0
ATTACKS=long "$TESTBIN/test_malformed_replies" >"$W/out" 2>&1 || fail "answers: $(tail -c 3000 "$W/out")"
ok "$(grep -o '[0-9]* answers that were bent' "$W/out"): the coordinator is running and answers"
