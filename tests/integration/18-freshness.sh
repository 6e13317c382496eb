#!/bin/bash
# A commit is seen when it is made, not when the shard looks next: in working trees, linked ones and bare repositories.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
git -C "$W/a" worktree add -q -b other/branch "$W/linked"
git clone -q --bare "$W/a" "$W/bare.git" 2>/dev/null
git clone -q "$W/bare.git" "$W/clone" 2>/dev/null
for n in a linked bare.git; do	# polled once in ten minutes: what is seen sooner was watched
	serve "$n" "$W/$n" --data "$W/d-$n" --poll-ms 600000
done
at() { rpc "$1" health >"$W/health" && [ "$(json "$W/health" commit)" = "$2" ]; }
seen() { wait_for 20 at "$1" "$(git -C "$W/$1" rev-parse HEAD)"; }
line() { printf 'def line_%s():\n    return 1\n' "$2" >"$1/src/line$2.py"; }

line "$W/a" 1
commit "$W/a" one
seen a
git -C "$W/a" pack-refs --all
line "$W/a" 2
commit "$W/a" "two, on packed refs"
seen a
git -C "$W/a" checkout -q -b deep/er/branch
line "$W/a" 3
commit "$W/a" "three, in folders that are new"
seen a
git -C "$W/a" checkout -q --detach HEAD~1
seen a
git -C "$W/a" reset -q --hard HEAD~1
seen a
ok "commits, packed refs, new branches, a detached HEAD"

line "$W/linked" 4
commit "$W/linked" four
seen linked
line "$W/clone" 5
commit "$W/clone" five
git -C "$W/clone" push -q origin HEAD 2>/dev/null
seen bare.git
ok "a linked worktree, a push into a bare repository"

# what readers hold on to does not make the log grow
python3 -c 'import json
for i in range(200000): print(json.dumps({"query": "load users", "limit": 5}))' >"$W/loop"
for i in 1 2; do
	start "loop$i" sh -c 'exec "$0" --loop "$1" "$2" search >/dev/null 2>&1' "$TESTBIN/rpc" "$W/loop" "ipc://$W/linked.ipc"
done
for i in 10 11 12 13 14 15 16 17 18 19 20 21; do
	line "$W/linked" $i
	commit "$W/linked" "$i"
	seen linked
done
size=$(stat -c %s "$W"/d-linked/*/index-1.db-wal)
[ "$size" -lt 2000000 ] || fail "SQLite's log has $size bytes"
[ "$(grep -c how=renewed "$W/linked.log")" -ge 10 ] || fail "commits were indexed anew: $(grep -c how=renewed "$W/linked.log") renewed"
stop loop1
stop loop2
ok "the log stays small under readers: $size bytes"

rpc linked sync >"$W/out"
same "nothing to do" "$(json "$W/out" started)" False
for n in a linked bare.git; do stop "$n"; done
