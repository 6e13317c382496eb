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
# who gets no inotify any more has signals
git clone -q "$W/bare.git" "$W/few" 2>/dev/null
none='echo 0 >/proc/sys/user/max_inotify_instances'
watched="a few"
if unshare -Ur sh -c "$none" 2>/dev/null; then
	start few unshare -Ur sh -c "$none; exec \"\$@\"" sh atoll-shard --repo "$W/few" --data "$W/d-few" --listen "ipc://$W/few.ipc" --poll-ms 600000
	wait_for 20 atoll-shard --probe "ipc://$W/few.ipc"
else
	echo "  no user namespace here: a watch by signals is not tried"
	watched=a
fi
at() { rpc "$1" health >"$W/health" && [ "$(json "$W/health" commit)" = "$2" ]; }
seen() { wait_for 20 at "$1" "$(git -C "$W/$1" rev-parse HEAD)"; }
line() { printf 'def line_%s():\n    return 1\n' "$2" >"$1/src/line$2.py"; }

for n in $watched; do
	line "$W/$n" 1
	commit "$W/$n" one
	seen $n
	git -C "$W/$n" pack-refs --all
	line "$W/$n" 2
	commit "$W/$n" "two, on packed refs"
	seen $n
	git -C "$W/$n" checkout -q -b deep/er/branch
	line "$W/$n" 3
	commit "$W/$n" "three, in folders that are new"
	seen $n
	line "$W/$n" 3b
	commit "$W/$n" "and once more there"
	seen $n
	git -C "$W/$n" checkout -q --detach HEAD~1
	seen $n
	git -C "$W/$n" reset -q --hard HEAD~1
	seen $n
done
[ "$watched" = a ] || [ "$(find "/proc/$(pid_of few)/fd" -lname 'anon_inode:inotify' | wc -l)" = 0 ] || fail "the shard has an inotify"
ok "commits, packed refs, new branches, a detached HEAD; by inotify and by signals: $watched"

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

# another repository in the place of the one that is watched
serve swapped "$W/clone" --data "$W/d-swapped"
git clone -q "$W/bare.git" "$W/other" 2>/dev/null
line "$W/other" 6
commit "$W/other" six
mv "$W/clone" "$W/away"
mv "$W/other" "$W/clone"
at() { rpc swapped health >"$W/health" && [ "$(json "$W/health" commit)" = "$2" ]; }
wait_for 20 at swapped "$(git -C "$W/clone" rev-parse HEAD)"
line "$W/clone" 7
commit "$W/clone" seven
wait_for 20 at swapped "$(git -C "$W/clone" rev-parse HEAD)"
ok "a repository that takes the place of the one that was watched"
for n in $watched linked bare.git swapped; do stop "$n"; done
