#!/bin/bash
# A shard notices a commit at once, not at its next poll: in working trees, linked worktrees and bare repositories.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
git -C "$W/a" worktree add -q -b other/branch "$W/linked"
git clone -q --bare "$W/a" "$W/bare.git" 2>/dev/null
git clone -q "$W/bare.git" "$W/clone" 2>/dev/null
for n in a linked bare.git; do	# polled once in ten minutes: what is seen sooner was watched
	serve "$n" "$W/$n" --data "$W/d-$n" --poll-ms 600000
done
# a shard that gets no inotify instance uses signals
none='echo 0 >/proc/sys/user/max_inotify_instances'
signalled() {	# NAME REPO
	start "$1" unshare -Ur sh -c "$none; exec \"\$@\"" sh atoll-shard --repo "$2" --data "$W/d-$1" --listen "ipc://$W/$1.ipc" --poll-ms 600000
	wait_for 20 atoll-shard --probe "ipc://$W/$1.ipc"
}
git clone -q "$W/bare.git" "$W/few" 2>/dev/null
watched="a few"
if unshare -Ur sh -c "$none" 2>/dev/null; then
	signalled few "$W/few"
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
[ "$watched" = a ] || [ "$(find "/proc/$(pid_of few)/fd" -lname 'anon_inode:inotify' | wc -l)" = 0 ] || fail "the shard has an inotify instance"
ok "commits, packed refs, new branches, a detached HEAD; by inotify and by signals: $watched"

line "$W/linked" 4
commit "$W/linked" four
seen linked
line "$W/clone" 5
commit "$W/clone" five
git -C "$W/clone" push -q origin HEAD 2>/dev/null
seen bare.git
ok "a linked worktree, a push into a bare repository"

# long-running readers do not make the log grow
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
[ "$(grep -c how=renewed "$W/linked.log")" -ge 10 ] || fail "commits were indexed from scratch: $(grep -c how=renewed "$W/linked.log") renewed"
stop loop1
stop loop2
ok "the log stays small while readers are active: $size bytes"

rpc linked sync >"$W/out"
same "nothing to do" "$(json "$W/out" started)" False

# another repository takes the place of the watched one: its folder or the one above is moved, or it is removed
other() {	# FOLDER NAME: a clone with a commit of its own
	mkdir -p "$1"
	git clone -q "$W/bare.git" "$1/repo" 2>/dev/null
	line "$1/repo" "$2"
	commit "$1/repo" "$2"
}
swapped() {	# NAME
	wait_for 20 grep -q vectors.done "$W/$1.log"
	p="$W/of-$1/up"
	at() { rpc "$1" health >"$W/health" && [ "$(json "$W/health" commit)" = "$(git -C "$p/repo" rev-parse HEAD)" ]; }
	wait_for 20 at "$1"
	other "$W/moved-$1" moved
	mv "$p/repo" "$W/of-$1/away"
	mv "$W/moved-$1/repo" "$p/repo"
	wait_for 20 at "$1"
	other "$W/of-$1/next" above
	mv "$p" "$W/of-$1/before"
	mv "$W/of-$1/next" "$p"
	wait_for 20 at "$1"
	rm -rf "$p/repo"
	other "$p" removed
	wait_for 20 at "$1"
	line "$p/repo" 8
	commit "$p/repo" eight
	wait_for 20 at "$1"
}
other "$W/of-inotify/up" 6
serve inotify "$W/of-inotify/up/repo" --data "$W/d-inotify" --poll-ms 600000
swapped inotify
stop inotify
if [ "$watched" != a ]; then
	other "$W/of-signals/up" 6
	signalled signals "$W/of-signals/up/repo"
	swapped signals
	stop signals
fi
ok "a repository that takes the place of the watched one is indexed"
for n in $watched linked bare.git; do stop "$n"; done
