#!/bin/bash
# SIGKILL at any instant, or a full disk, leaves the last generation; concurrent readers see one generation at a time.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
. "$(dirname "$0")/../kills.sh"

kills $((slow > 1 ? 6 : 10))
ok "SIGKILLs of ingest children and shards"

# ---- a full disk: it is reported, the published index stays and is served, and indexing continues once there is room
if ! unshare -m true 2>/dev/null; then skip "no mount namespaces: the full disk was not tried"; fi
cat >"$W/full.sh" <<'END'
. "$ROOT/tests/shard.sh"
mount -t tmpfs -o size=4m tmpfs "$W/small" || exit 77
atoll-shard --repo "$W/history" --data "$W/small" --once >"$W/out" 2>&1 || exit 1
head -c 100m /dev/zero >"$W/small/ballast" 2>/dev/null
atoll-shard --repo "$W/history" --data "$W/small" --listen "ipc://$W/f.ipc" --poll-ms 100 >"$W/full.log" 2>&1 &
echo $! >"$W/full.pid"
trap 'kill "$(cat "$W/full.pid")"; wait' EXIT
until atoll-shard --probe "ipc://$W/f.ipc" >/dev/null 2>&1; do sleep 0.1; done
echo ready >"$W/full.state"
while [ ! -e "$W/room" ]; do sleep 0.1; done
rm "$W/small/ballast"
while [ ! -e "$W/done" ]; do sleep 0.1; done
END
mkdir "$W/small"
start small unshare -m bash "$W/full.sh"
full_ready() { [ -e "$W/full.state" ] || gone "$(pid_of small)"; }
wait_for 30 full_ready
[ -e "$W/full.state" ] || skip "no tmpfs: the full disk was not tried ($(tail -n 1 "$W/small.log"))"
ask() { rpc f --stamp search '{"query":"load order","limit":1}' >"$W/stamp"; }
ask || fail "a search failed with a full disk: $(cat "$W/stamp")"
generation=$(json "$W/stamp" stamp generation)
for i in 1 2 3 4 5 6 7 8; do	# enough that no free page of the index takes it
	cp -r "$W/history/src" "$W/history/full$i"
done
commit "$W/history" "no room"
said() { rpc f health >"$W/out" && [ "$(json "$W/out" code)" = DB_ERROR ]; }
wait_for 20 said
grep -q 'disk is full\|No space left' "$W/out" || fail "the message does not name the full disk: $(cat "$W/out")"
ask || fail "a search failed after the full disk: $(cat "$W/stamp")"
same "generation with a full disk" "$(json "$W/stamp" stamp generation)" "$generation"
: >"$W/room"
caught_up() { ask && [ "$(json "$W/stamp" stamp commit)" = "$(git -C "$W/history" rev-parse HEAD)" ]; }
wait_for 90 caught_up	# pauses after failures double up to a minute
: >"$W/done"
wait_for 10 gone "$(pid_of small)"
ok "a full disk leaves the last generation and is reported"
