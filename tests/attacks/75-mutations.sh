#!/bin/bash
# Messages and HTTP requests with random changes of fields, headers and bytes crash no process, and each gets a readable answer:
# FRAMES messages to a shard and a coordinator, alternately without a key and signed with one (so that they reach the handlers),
# and REQUESTS requests.  SEED repeats a run; TOOLS is the folder of the sending programs, which need no sanitizer.  `make soak`
# sends 10,000,000 and 1,000,000 to sanitized programs.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"
frames=${FRAMES:-8000} requests=${REQUESTS:-3000} seed=${SEED:-$RANDOM}
if [ "${ATTACKS:-}" = long ]; then frames=${FRAMES:-300000} requests=${REQUESTS:-100000}; fi
TOOLS=${TOOLS:-$TESTBIN}
[ $slow -eq 1 ] || [ -n "${FRAMES:-}" ] || frames=$((frames / 2))
export ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=32"	# of what was freed, so that the processor's cache is of use
echo "seed $seed"

# Each round starts new programs, as a coordinator keeps dialling the members of mutated announcements.
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
	! gone "$(pid_of s)" && ! gone "$(pid_of m)" || fail "a program has exited, seed $2"
	"$TOOLS/frames" "ipc://$W/s.ipc" raw 20 "$2" >"$W/sent" 2>&1 || fail "a shard does not answer any more, seed $2: $(cat "$W/sent")"
	call list_repos '{"limit":1}' >/dev/null
	stop s
	stop m
	! ls "$W"/sanitizer* >/dev/null 2>&1 || fail "a sanitizer report, seed $2"
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
! gone "$(pid_of s)" && ! gone "$(pid_of m)" || fail "a program has exited, seed $seed"
answers >/dev/null || fail "it does not answer any more"
ok "$requests requests"
