#!/bin/bash
# What cannot be read of a repository stays counted over restarts and commits until it can be read; a mirror gets it again from
# its remote by itself, but does not ask the remote again and again.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make() {
	git init -q -b main "$1"
	printf 'def alpha():\n    pass\n' >"$1/a.py"
	printf 'def beta():\n    pass\n' >"$1/b.py"
	commit "$1" one
}
object() {	# REPO NAME
	_id=$(git -C "$1" rev-parse "$2")
	_dir=$(git -C "$1" rev-parse --absolute-git-dir)
	printf '%s\n' "$_dir/objects/${_id:0:2}/${_id:2}"
}
gaps() { rpc "$1" --stamp health | jq -c '[.stamp.gaps // [] | .[] | [.cause, .number, .example]]'; }
lacks() { [ "$(gaps "$1")" = "$2" ]; }
at() { rpc "$1" health | jq -e --arg c "$(git -C "$2" rev-parse HEAD)" '.commit == $c' >/dev/null; }

make "$W/a"
first=$(git -C "$W/a" rev-parse HEAD)
printf 'def gamma():\n    pass\n' >"$W/a/c.py"
commit "$W/a" two
second=$(git -C "$W/a" rev-parse HEAD)
git -C "$W/a" update-ref refs/heads/main "$first"
mv "$(object "$W/a" HEAD:b.py)" "$W/b.object"
serve a "$W/a" --data "$W/da" --embedder none
same "a missing file" "$(gaps a)" '[["missing",1,"b.py"]]'
stop a
serve a "$W/a" --data "$W/da" --embedder none
same "after a restart" "$(gaps a)" '[["missing",1,"b.py"]]'
! grep -q ingest.done "$W/a.log" || fail "the restart indexed again"
git -C "$W/a" update-ref refs/heads/main "$second"
wait_for 10 at a "$W/a"
same "after a commit" "$(gaps a)" '[["missing",1,"b.py"]]'
rpc a sync '{}' | jq -e '.started' >/dev/null || fail "a sync does not try again"
mv "$W/b.object" "$(object "$W/a" HEAD:b.py)"
rpc a sync '{}' >/dev/null
wait_for 10 lacks a '[]'
same "it is found" "$(rpc a search '{"query":"beta","limit":1}' | jq -r '.hits[0].path')" b.py
rpc a sync '{}' | jq -e '.started | not' >/dev/null || fail "a whole index is built again"
stop a
ok "counted over restarts and commits, until it can be read"

git clone -q --depth 1 "file://$W/a" "$W/s"
serve s "$W/s" --data "$W/ds" --embedder none
same "a shallow clone" "$(gaps s)" '[["shallow",1,null]]'
rpc s sync '{}' | jq -e '.started | not' >/dev/null || fail "a clone that is still shallow is built again"
git -C "$W/s" fetch -q --unshallow
rpc s sync '{}' >/dev/null
wait_for 10 lacks s '[]'
stop s
ok "a history that was completed is whole after a sync"

make "$W/b"
serve b "file://$W/b" --data "$W/db" --embedder none --remote-poll-ms 0
mirror=$(echo "$W"/db/*.mirror/mirror.git)
for pack in "$mirror"/objects/pack/*.pack; do mv "$pack" "$W/pack"; done
rm -f "$mirror"/objects/pack/*
git -C "$mirror" unpack-objects -q <"$W/pack"
repaired() { [ "$(grep -c "mirror.repaired.*how=$1" "$W/b.log")" -ge 1 ] && lacks b '[]' && rpc b search '{"query":"beta","limit":1}' | jq -e '.hits[0].path == "b.py"' >/dev/null; }
rm -f "$(object "$mirror" HEAD:b.py)"
rpc b sync '{"force":true}' >/dev/null
wait_for 20 repaired refetch
ok "a mirror fetches missing objects again"
bad=$(object "$mirror" HEAD:b.py)
chmod u+w "$bad"
printf damaged >"$bad"
rpc b sync '{"force":true}' >/dev/null
wait_for 20 repaired clone
ok "damaged ones lead to a new clone"

mirror=$(echo "$W"/db/*.mirror/mirror.git)
for pack in "$mirror"/objects/pack/*.pack; do mv "$pack" "$W/pack"; done
rm -f "$mirror"/objects/pack/*
git -C "$mirror" unpack-objects -q <"$W/pack"
rm -f "$(object "$mirror" HEAD:b.py)" "$(object "$W/b" HEAD:b.py)"	# the remote has lost it, too
ends() { rpc b health | jq -e --argjson n "$1" '.ended >= $n' >/dev/null; }
rpc b sync '{"force":true}' >/dev/null
failed() { grep -q mirror.repair_failed "$W/b.log"; }
wait_for 20 failed
wait_for 20 lacks b '[["missing",1,"b.py"]]'
number=$(rpc b sync '{}' | jq .ingest)
wait_for 20 ends "$number"
same "attempts" "$(grep -c mirror.repair_failed "$W/b.log") $(cut -d' ' -f1 "$W"/db/repo_*/repairs)" "1 1"
ok "a remote that cannot help is not asked again at once"
