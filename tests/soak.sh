#!/bin/bash
# make soak: SOAK_SECONDS (600) of queries to a federation of SOAK_MEMBERS (12), while shards are killed and paused, repositories
# get commits, members are re-indexed and the coordinator is killed once a minute.
# Before that, SOAK_KILLS (100) SIGKILLs while a shard writes its index (kills.sh) and SOAK_JOB_KILLS (50) while jobs run
# (job_kills.sh); and first of all, each file of each golden contract is edited, and 200 pushes arrive by webhooks (38-pushes).
# Every answer must be complete or name the missing members; memory must not grow without limit.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/shard.sh"
. "$(dirname "$0")/kills.sh"
seconds=${SOAK_SECONDS:-600} members=${SOAK_MEMBERS:-12}

(cd "$ROOT" && EDITS_EVERY=1 GOLDEN=tests/golden "$TESTBIN/test_contracts") >"$W/edits.log" 2>&1 || fail "an index that follows edits differs from a fresh one"
ok "edits of every file of the golden contracts"
PUSHES=200 REPOS=10 bash "$ROOT/tests/integration/38-pushes.sh" >"$W/pushes.log" 2>&1 || fail "pushes: $(cat "$W/pushes.log")"
ok "200 pushes over 10 repositories"
kills "${SOAK_KILLS:-100}" 2>"$W/killed"
ok "${SOAK_KILLS:-100} SIGKILLs of ingest children and shards: the last generation was served each time, and completed"
KILLS=${SOAK_JOB_KILLS:-50} bash "$ROOT/tests/integration/45-job-kills.sh" >"$W/job_kills.log" 2>&1 ||
	fail "jobs: $(grep -v Killed "$W/job_kills.log")"
ok "${SOAK_JOB_KILLS:-50} SIGKILLs of coordinator and shard while jobs ran: $(grep ' jobs, ' "$W/job_kills.log")"

for i in $(seq -w 1 "$members"); do
	git init -q -b main "$W/src/m$i"
	for f in $(seq 1 40); do
		printf 'def handler_%s_%s(order):\n    """Handle orders of member %s."""\n    return order + %s\n' "$i" "$f" "$i" "$f" >"$W/src/m$i/f$f.py"
	done
	git -C "$W/src/m$i" add -A
	git -C "$W/src/m$i" -c user.name=soak -c user.email=soak@example.com commit -qm one
done
up --group all "$W"/src/m*
ready all "$members" 120
shards() { pgrep -P "$(pid_of up)" -x atoll-shard; }
coordinator() { pgrep -P "$(pid_of up)" -f atoll-coordinator | head -n 1; }
rss() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status" 2>/dev/null || echo 0; }
victim() { shards | shuf -n 1; }
chaos() {
	case $((RANDOM % 5)) in
	0) kill -KILL "$(victim)" 2>/dev/null || true ;;
	1) p=$(victim); kill -STOP "$p" 2>/dev/null && { sleep 3; kill -CONT "$p" 2>/dev/null || true; } ;;
	2 | 3)
		d=$(ls -d "$W"/src/m* | shuf -n 1)
		echo "# $RANDOM" >>"$d/f1.py"
		git -C "$d" -c user.name=soak -c user.email=soak@example.com commit -qam more || true
		;;
	4) "$BIN/atoll" call group_sync '{"group":"all"}' >/dev/null 2>&1 || true ;;
	esac
}

end=$(($(date +%s) + seconds)) asked=0 partial=0 away=0 first=
next_kill=$(($(date +%s) + 60)) next_chaos=$(date +%s)
while [ "$(date +%s)" -lt "$end" ]; do
	now=$(date +%s)
	if [ "$now" -ge "$next_chaos" ]; then chaos & next_chaos=$((now + 4)); fi
	if [ "$now" -ge "$next_kill" ]; then kill -KILL "$(coordinator)" 2>/dev/null || true; next_kill=$((now + 60)); fi
	rc=0
	got=$("$BIN/atoll" call group_query "{\"group\":\"all\",\"query\":\"handler order $RANDOM\",\"limit\":50}" 2>"$W/err") || rc=$?
	asked=$((asked + 1))
	case $rc in
	0) echo "$got" | jq -e '(.results | length > 0) and (.complete == (.coverage.failed | length == 0))' >/dev/null ||
		fail "an answer that is neither whole nor says what is missing: $got"
	   echo "$got" | jq -e '.complete' >/dev/null || partial=$((partial + 1)) ;;
	1) away=$((away + 1)); sleep 0.2 ;;	# the coordinator was killed
	*) fail "group_query ended with $rc: $got $(cat "$W/err")" ;;
	esac
	[ "$asked" -ne 200 ] || first=$(rss "$(coordinator)")
done
wait_for 60 _ready all "$members"
last=$(rss "$(coordinator)")
ok "$asked queries: $partial named a missing member, $away met a killed coordinator; all members are back"
ok "coordinator RSS: ${first:-?} KB after 200 queries, $last KB at the end"
[ "$last" -lt $((200 * 1024)) ] || fail "the coordinator grew to $last KB"
[ "$away" -lt $((asked / 5)) ] || fail "the coordinator was away for $away of $asked queries"
