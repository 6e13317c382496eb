#!/bin/bash
# Messages and HTTP requests in which fields, headers and bytes were changed at random end no process, and each is answered with what can
# be read: FRAMES messages to a shard and a coordinator, without a key and signed with one (so that they reach the handlers) in turn,
# and REQUESTS requests.  SEED repeats a run; TOOLS: where the senders are, which need no sanitizer.  `make soak`: 10,000,000 and
# 1,000,000 to sanitized programs.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"
frames=${FRAMES:-8000} requests=${REQUESTS:-3000} seed=${SEED:-$RANDOM}
if [ "${ATTACKS:-}" = long ]; then frames=${FRAMES:-300000} requests=${REQUESTS:-100000}; fi
TOOLS=${TOOLS:-$TESTBIN}
[ $slow -eq 1 ] || [ -n "${FRAMES:-}" ] || frames=$((frames / 2))
export ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=32"	# of what was freed, so that the processor's cache is of use
echo "seed $seed"

# A round: programs of its own, as mutated announcements are members that a coordinator dials ever after.
round=400000
messages() {	# messages COUNT SEED KEY
	rm -rf "$W/m.d" "$W/d" "$W/m.ready"
	if [ -n "$3" ]; then export ATOLL_CLUSTER_KEY=$3; else unset ATOLL_CLUSTER_KEY; fi
	coordinate m --log-level error --index-max-age 0
	start s atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/s.ipc" --log-level error --poll-ms 200
	wait_for 30 atoll-shard --probe "ipc://$W/s.ipc"
	"$TOOLS/frames" "ipc://$W/s.ipc" mutate $(($1 / 2)) "$2" >"$W/sent" 2>&1 || fail "a shard, seed $2: $(tail -c 6000 "$W/sent")"
	tail -n 1 "$W/sent"
	COORDINATOR=1 "$TOOLS/frames" "ipc://$W/m.ipc" mutate $(($1 - $1 / 2)) "$2" >"$W/sent" 2>&1 || fail "a coordinator, seed $2: $(tail -c 6000 "$W/sent")"
	tail -n 1 "$W/sent"
	! gone "$(pid_of s)" && ! gone "$(pid_of m)" || fail "a program has ended, seed $2"
	"$TOOLS/frames" "ipc://$W/s.ipc" raw 20 "$2" >"$W/sent" 2>&1 || fail "a shard hears no more, seed $2: $(cat "$W/sent")"
	call list_repos '{"limit":1}' >/dev/null
	stop s
	stop m
	! ls "$W"/sanitizer* >/dev/null 2>&1 || fail "a report, seed $2"
}

make_repo "$W/a"
sent=0 rounds=0
while [ $sent -lt "$frames" ]; do
	n=$((frames - sent < round ? frames - sent : round))
	[ "$frames" -ge $round ] || n=$(((frames + 1) / 2))	# a few are two rounds all the same
	key=
	[ $((rounds % 2)) -eq 0 ] || key=sesame
	messages $n $((seed + rounds)) "$key"
	sent=$((sent + n)) rounds=$((rounds + 1))
done
ok "$sent messages, half of them to a shard, half signed"

unset ATOLL_CLUSTER_KEY
rm -rf "$W/m.d" "$W/d" "$W/m.ready"
coordinate m --log-level error --calls-per-second 0 --index-max-age 0
start s atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/s.ipc" --coordinator "ipc://$W/m.ipc" --log-level error --poll-ms 200
member() { "$BIN/atoll" call list_repos | jq -e '.repos[0].health == "healthy"'; }
wait_for 30 member
"$BIN/atoll" group create all a >/dev/null
"$TOOLS/requests" "$ATOLL_URL" "$requests" "$seed" >"$W/sent" 2>&1 || fail "requests, seed $seed: $(tail -c 6000 "$W/sent")"
tail -n 1 "$W/sent"
! gone "$(pid_of s)" && ! gone "$(pid_of m)" || fail "a program has ended, seed $seed"
answers >/dev/null || fail "it answers no more"
ok "$requests requests"
