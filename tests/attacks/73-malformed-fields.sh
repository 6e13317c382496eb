#!/bin/bash
# One message ends no process: each RPC of shard and coordinator with each of its fields absent, nil, of each other type and of the largest
# size is answered, and a missing one is named; messages that are nothing but tiny objects take no memory.  Long: with
# 4 MiB in a field, and every answer of a shard bent so for the coordinator (test_malformed_replies, whose short form is a unit test).
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"
long() { [ "${ATTACKS:-}" = long ]; }
frames=$TESTBIN/frames size=20000
! long || size=4194304

make_repo "$W/a"
serve s "$W/a" --data "$W/d"
coordinate m
ends=$(pid_of s)
"$frames" "ipc://$W/s.ipc" fields $size >"$W/out" 2>&1 || fail "a shard: $(tail -c 3000 "$W/out")"
ok "a shard: $(cat "$W/out")"
COORDINATOR=1 "$frames" "ipc://$W/m.ipc" fields $size >"$W/out" 2>&1 || fail "a coordinator: $(tail -c 3000 "$W/out")"
ok "a coordinator: $(cat "$W/out")"

# What an audit found first: `peers {}` ended the coordinator, `file {}` a shard.
rpc s file '{"path":"README.md","max_bytes":1000}' >"$W/out" || fail "a file after that: $(cat "$W/out")"
call list_repos >/dev/null
same "the shard" "$(pid_of s)" "$ends"
! gone "$ends" || fail "the shard has ended"
! gone "$(pid_of m)" || fail "the coordinator has ended"
ok "both live, and answer questions"

# Seven megabytes of empty lists would be 170 MB of msgpack's objects.
peak() { awk '/^VmHWM/ { print $2 }' "/proc/$(pid_of "$1")/status"; }
for p in s m; do
	before=$(peak $p)
	"$frames" "ipc://$W/$p.ipc" flood 4 7000000 >"$W/out" 2>&1 || fail "$p: $(cat "$W/out")"
	grown=$((($(peak $p) - before) / 1024))
	[ $slow -gt 1 ] || [ $grown -lt 64 ] || fail "$p grew by $grown MB"
done
ok "messages of 7 MB of empty lists and maps are refused before they take memory"
"$frames" "ipc://$W/s.ipc" raw $((100 / slow)) 3 >"$W/out" 2>&1 && "$frames" "ipc://$W/m.ipc" raw $((100 / slow)) 4 >>"$W/out" 2>&1 || fail "$(cat "$W/out")"
ok "connections that speak something else"
long || exit 0
ATTACKS=long "$TESTBIN/test_malformed_replies" >"$W/out" 2>&1 || fail "answers: $(tail -c 3000 "$W/out")"
ok "$(grep -o '[0-9]* answers that were bent' "$W/out"): the coordinator lives and answers"
