#!/bin/sh
# One shard alone: --once and its JSON, serving, --probe, one writer per data directory, a prompt exit.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
atoll-shard --repo "$W/a" --data "$W/d" --once >"$W/once" 2>"$W/once.log" || fail "--once: $(cat "$W/once.log")"
same "commit" "$(sed -n 's/^commit //p' "$W/once")" "$(git -C "$W/a" rev-parse HEAD)"
same "generation" "$(sed -n 's/^generation //p' "$W/once")" 1
same "files" "$(sed -n 's/^files //p' "$W/once")" 4
atoll-shard --repo "$W/a" --data "$W/d" --once --json >"$W/json" 2>/dev/null
same "nothing to do" "$(json "$W/json" changed)" False
same "same graph" "$(json "$W/json" graph_hash)" "$(sed -n 's/^graph_hash //p' "$W/once")"
same "same generation" "$(json "$W/json" generation)" 1
atoll-shard --repo "$W/a" --data "$W/d" --once --json --force >"$W/json" 2>/dev/null
same "forced generation" "$(json "$W/json" generation)" 2
same "forced graph" "$(json "$W/json" graph_hash)" "$(sed -n 's/^graph_hash //p' "$W/once")"
[ "$(ls "$W"/d/*/index-*.db | wc -l)" = 1 ] || fail "old generations remain: $(ls "$W"/d/*)"
ok "--once indexes, reports it, and does nothing the second time"

serve s "$W/a" --data "$W/d"
rpc s health >"$W/out"
same "status" "$(json "$W/out" status)" ready
if atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/t.ipc" 2>"$W/second.log"; then fail "a second shard opened the data directory"; fi
grep -q "pid $(pid_of s)" "$W/second.log" || fail "the pid is not named: $(cat "$W/second.log")"
if atoll-shard --repo "$W/a" --data "$W/d" --once 2>"$W/second.log"; then fail "--once ran beside a shard"; fi
if atoll-shard --nonsense 2>/dev/null; then fail "a bad option is accepted"; else same "exit of a bad option" $? 2; fi
ok "a second process on the data directory is refused, with the pid of the first"

[ "$(ls /proc/$(pid_of s)/task | wc -l)" -le 20 ] || fail "more than 20 threads: $(ls /proc/$(pid_of s)/task | wc -l)"
atoll-shard --probe "ipc://$W/s.ipc" >"$W/out" || fail "--probe fails for a serving shard"
grep -q '^ready ' "$W/out" || fail "output of --probe: $(cat "$W/out")"
began=$(date +%s%N)
stop s
[ $((($(date +%s%N) - began) / 1000000)) -lt $((20000 * slow)) ] || fail "SIGTERM took too long"
rc=0; atoll-shard --probe "ipc://$W/s.ipc" >"$W/out" 2>/dev/null || rc=$?
same "exit of --probe of nobody" "$rc" 1
ok "SIGTERM ends it at once; --probe reports its state"

atoll-shard --repo "$W/a" --data "$W/d" >"$W/default.log" 2>&1 &
echo $! >"$W/default.pid"
wait_for 20 grep -q 'shard.ready ' "$W/default.log"
url=$(sed -n 's/.* url=\([^ ]*\).*/\1/p' "$W/default.log")
wait_for 20 atoll-shard --probe "$url"
[ ${#url} -le 113 ] || fail "socket path too long: $url"
stop default KILL
atoll-shard --repo "$W/a" --data "$W/d" >"$W/default.log" 2>&1 &
echo $! >"$W/default.pid"
wait_for 20 atoll-shard --probe "$url"
stop default
[ ! -e "${url#ipc://}" ] || fail "the socket is left behind"
ok "the default address works, also after a SIGKILL"

# the lock's owner releases it a moment later, as a child of a killed shard does
mkfifo "$W/held"
for _ in 1 2 3 4 5; do		# it waits for a second: on a busy machine the moment may be longer
	flock -n "$(echo "$W"/d/*/lock)" sh -c "echo >'$W/held'; exec sleep 0.3" &
	read -r _ <"$W/held"
	rc=0
	atoll-shard --repo "$W/a" --data "$W/d" --once >"$W/out" 2>"$W/second.log" || rc=$?
	wait $!
	[ $rc != 0 ] || break
done
[ $rc = 0 ] || fail "a lock that is being released: $(cat "$W/second.log")"
ok "a shard waits for a lock that is being released"
