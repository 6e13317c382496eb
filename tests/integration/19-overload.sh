#!/bin/sh
# A shard that is asked more than it can do: what finds no room is refused at once, nothing hangs, and health is answered.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
serve s "$W/a" --data "$W/d" --readers 1 --queue 4
ask='{"symbol":"load_users","limit":3}'
rpc s symbol "$ask" >"$W/out" || fail "symbol: $(cat "$W/out")"

refused=0
for _ in $(seq 20); do		# who sends them may be slower than who answers
	"$TESTBIN/rpc" --at-once 400 "ipc://$W/s.ipc" symbol "$ask" >"$W/tally"
	ok_n=$(sed -n 's/^ok //p' "$W/tally")
	now=$(sed -n 's/^RATE_LIMITED //p' "$W/tally")
	[ "${ok_n:-0}" -gt 0 ] || fail "none is answered: $(cat "$W/tally")"
	same "each got an answer" $((ok_n + ${now:-0})) 400
	refused=$((refused + ${now:-0}))
	[ $refused = 0 ] || break
done
[ $refused -gt 0 ] || fail "none is refused: $(cat "$W/tally")"
rpc s health >"$W/out" || fail "health: $(cat "$W/out")"
same "refusals are counted" "$(json "$W/out" refused)" "$refused"
idle() { rpc s health >"$W/out" && [ "$(json "$W/out" queued)" = None ]; }
wait_for 20 idle
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
