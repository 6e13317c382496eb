#!/bin/bash
# A repository whose ingest dies each time is no loop: the pauses grow, they and the cause survive restarts of the shard, status says what
# helps, and a new commit or somebody who asks tries again.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

case $B in *address* | *thread*) skip "no memory limit under sanitizers" ;; esac
make_repo "$W/a"
run() { start s atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/s.ipc" --poll-ms 200 --ingest-memory-mb "$1"; }
crashes() { awk 'NR == 1 { print $1 }' "$W"/d/*/crashes 2>/dev/null || echo 0; }
at_least() { [ "$(crashes)" -ge "$1" ]; }
given_up() { rpc s health >"$W/out" 2>&1 && [ "$(json "$W/out" code)" = INTERNAL ]; }

run 30		# so little that no ingest can begin
wait_for 30 at_least 3
wait_for 30 given_up
grep -q 'crash [0-9]* at commit .*next try .*atoll repo analyze' "$W/out" || fail "health does not say what helps: $(cat "$W/out")"
ok "health names cause, count, next try and remedy"

# ---- the pause, which each crash doubles, outlives the process
wait_for 60 at_least 4
stop s
n=$(crashes)
line=$(head -n 1 "$W"/d/*/crashes)
run 30
wait_for 30 given_up
same "what is known after a restart" "$(head -n 1 "$W"/d/*/crashes)" "$line"
python3 - "$line" <<'PY' || fail "the pause: $line"
import sys, time
times, running, until, commit = sys.argv[1].split()
left = int(until) / 1000 - time.time()
sys.exit(not (running == "0" and left < 0.5 * 2 ** int(times) * 1.3))
PY
started=$(grep -c 'ingest.crashed' "$W/s.log" || true)
same "ingests that the new process began before its time" "$started" 0
ok "a restart waits as long"

# ---- who asks, and a new commit, try at once
rpc s sync '{"force":true}' >/dev/null
wait_for 30 at_least $((n + 1))
ok "who asks tries at once"
printf 'x = 1\n' >"$W/a/src/new.py"
commit "$W/a" new
fresh() { [ "$(awk 'NR == 1 { print $4 }' "$W"/d/*/crashes 2>/dev/null)" = "$(git -C "$W/a" rev-parse HEAD)" ]; }
wait_for 30 fresh
[ "$(crashes)" -le 3 ] || fail "a new commit begins with $(crashes) crashes"
stop s
ok "a new commit begins anew"

run 4096
healthy() { rpc s health >"$W/out" 2>&1 && [ "$(json "$W/out" status)" = ready ] && [ "$(json "$W/out" code)" = None ]; }
wait_for 60 healthy
[ -z "$(ls "$W"/d/*/crashes 2>/dev/null)" ] || fail "a success forgets: $(cat "$W"/d/*/crashes)"
stop s
ok "an ingest that ends well forgets"
