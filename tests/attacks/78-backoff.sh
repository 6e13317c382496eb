#!/bin/bash
# A repository whose ingest always crashes does not cause an endless loop: the pauses grow, they and the cause survive restarts of
# the shard, status names the remedy, and a new commit or a request tries again.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

case $B in *address* | *thread*) skip "the library that crashes ingests does not work with sanitizers" ;; esac
make_repo "$W/a"
# Simulates a file that crashes the parser: while $W/deadly exists, each ingest child dies of a signal.
cat >"$W/deadly.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void die(void)
{
	char line[4096] = "";
	FILE *f = fopen("/proc/self/cmdline", "r");
	size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;

	if (f)
		fclose(f);
	if (n && memmem(line, n, "--ingest", 9) && !access(DEADLY, F_OK))
		abort();
}
END
cc -D_GNU_SOURCE "-DDEADLY=\"$W/deadly\"" -shared -fPIC -o "$W/deadly.so" "$W/deadly.c"
run() { start s env LD_PRELOAD="$W/deadly.so" atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/s.ipc" --poll-ms 200; }
crashes() { awk 'NR == 1 { print $1 }' "$W"/d/*/crashes 2>/dev/null || echo 0; }
at_least() { [ "$(crashes)" -ge "$1" ]; }
given_up() { rpc s health >"$W/out" 2>&1 && [ "$(json "$W/out" code)" = INTERNAL ]; }

touch "$W/deadly"
run
wait_for 30 at_least 3
wait_for 30 given_up
grep -q 'crash [0-9]* at commit .*next try .*atoll repo analyze' "$W/out" || fail "health does not name the remedy: $(cat "$W/out")"
ok "health names cause, count, next attempt and remedy"

# ---- the pause, which each crash doubles, outlives the process
wait_for 30 at_least 4
stop s
n=$(crashes)
line=$(head -n 1 "$W"/d/*/crashes)
run
wait_for 30 given_up
same "what is known after a restart" "$(head -n 1 "$W"/d/*/crashes)" "$line"
python3 - "$line" <<'PY' || fail "the pause: $line"
import sys, time
times, running, until, commit = sys.argv[1].split()
left = int(until) / 1000 - time.time()
sys.exit(not (running == "0" and left < 0.5 * 2 ** int(times) * 1.3))
PY
started=$(awk '/ingest.crashed/ { n++ } END { print n + 0 }' "$W/s.log")
same "ingests that the new process began before its time" "$started" 0
ok "a restarted shard waits as long"

# ---- who asks, and a new commit, try at once
rpc s sync '{"force":true}' >/dev/null
wait_for 30 at_least $((n + 1))
ok "a request tries at once"
printf 'x = 1\n' >"$W/a/src/new.py"
commit "$W/a" new
fresh() { [ "$(awk 'NR == 1 { print $4 }' "$W"/d/*/crashes 2>/dev/null)" = "$(git -C "$W/a" rev-parse HEAD)" ]; }
wait_for 30 fresh
[ "$(crashes)" -le 3 ] || fail "a new commit starts with $(crashes) crashes"
stop s
ok "a new commit starts at zero crashes"

rm "$W/deadly"
run
healthy() { rpc s health >"$W/out" 2>&1 && [ "$(json "$W/out" status)" = ready ] && [ "$(json "$W/out" code)" = None ]; }
wait_for 30 healthy
[ -z "$(ls "$W"/d/*/crashes 2>/dev/null)" ] || fail "the crashes are still recorded after a success: $(cat "$W"/d/*/crashes)"
stop s
ok "a successful ingest clears the crashes"
