#!/bin/sh
# A shard that is asked more than it can do: what finds no room is refused at once, nothing hangs, and health is answered.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
serve s "$W/a" --data "$W/d" --readers 1 --queue 4
ask='{"symbol":"load_users","limit":3}'
rpc s symbol "$ask" >"$W/out" || fail "symbol: $(cat "$W/out")"

"$TESTBIN/rpc" --at-once 400 "ipc://$W/s.ipc" symbol "$ask" >"$W/tally"
ok_n=$(sed -n 's/^ok //p' "$W/tally")
refused=$(sed -n 's/^RATE_LIMITED //p' "$W/tally")
[ "${ok_n:-0}" -gt 0 ] && [ "${refused:-0}" -gt 0 ] || fail "some are answered, some refused: $(cat "$W/tally")"
same "each got an answer" $((ok_n + refused)) 400
rpc s health >"$W/out" || fail "health: $(cat "$W/out")"
same "refusals are counted" "$(json "$W/out" refused)" "$refused"
same "nothing waits" "$(json "$W/out" queued)" None
ok "of 400 requests at once what finds no room is refused, and counted"

# While its one reader is busy and its queue is full there is still a way in for health.
( for _ in 1 2 3; do "$TESTBIN/rpc" --at-once 400 "ipc://$W/s.ipc" symbol "$ask"; done >"$W/load" ) &
load=$!
n=0
while kill -0 $load 2>/dev/null; do
	rpc s health >"$W/out" || fail "health under load: $(cat "$W/out")"
	n=$((n + 1))
	sleep 0.05
done
[ $n -gt 0 ] || fail "the load was over before health was asked"
ok "health is answered while it is asked too much"
stop s
