#!/bin/sh
# An overloaded shard: requests without a free slot are refused at once, nothing hangs, and health is answered.
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
	[ "${ok_n:-0}" -gt 0 ] || fail "no request was answered: $(cat "$W/tally")"
	same "each got an answer" $((ok_n + ${now:-0})) 400
	refused=$((refused + ${now:-0}))
	[ $refused = 0 ] || break
done
[ $refused -gt 0 ] || fail "no request was refused: $(cat "$W/tally")"
rpc s health >"$W/out" || fail "health: $(cat "$W/out")"
same "refusals are counted" "$(json "$W/out" refused)" "$refused"
idle() { rpc s health >"$W/out" && [ "$(json "$W/out" queued)" = None ]; }
wait_for 20 idle
ok "of 400 concurrent requests, those without a free slot are refused and counted"

# While its only reader is busy and its queue is full, health is still answered.
( for _ in 1 2 3; do "$TESTBIN/rpc" --at-once 400 "ipc://$W/s.ipc" symbol "$ask"; done >"$W/load" ) &
load=$!
n=0
while kill -0 $load 2>/dev/null; do
	rpc s health >"$W/out" || fail "health under load: $(cat "$W/out")"
	n=$((n + 1))
	sleep 0.05
done
[ $n -gt 0 ] || fail "the load ended before health was requested"
ok "health is answered under overload"
stop s
