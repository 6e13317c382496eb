#!/bin/bash
# All kinds of repositories that git makes are indexed, or refused with an error that gives the reason.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
once() { atoll-shard --repo "$1" --data "$W/d" --once --json ${2:+"$2"} >"$W/json" 2>"$W/log" || fail "--once $1: $(tail -n 2 "$W/log")"; }
refused() {	# refused REPO TEXT: within a moment, with an error that says TEXT
	if timeout 60 atoll-shard --repo "$1" --data "$W/d" --once >"$W/json" 2>"$W/log"; then fail "$1 is accepted: $(cat "$W/json")"; fi
	grep -qiE "$2" "$W/log" || fail "$1: $(cat "$W/log")"
}
value() { json "$W/json" "$1"; }
skipped() {	# skipped REPO REASON: how many files the index of REPO leaves out for it
	serve q "$1" --data "$W/d"
	rpc q status | jq --arg r "$2" '[.skipped[] | select(.name == $r) | .files] | add // 0'
	stop q
}
once "$W/a"
hash=$(value graph_hash) commit=$(value commit)

# ---- where objects are stored
git clone -q --depth 1 "file://$W/a" "$W/shallow"
once "$W/shallow"
same "shallow clone" "$(value graph_hash)" "$hash"
git clone -q --shared "$W/a" "$W/shared"
once "$W/shared"
same "alternates" "$(value graph_hash)" "$hash"
git clone -q "$W/a" "$W/packed"
git -C "$W/packed" gc -q
git -C "$W/packed" pack-refs --all
once "$W/packed"
same "packed objects and refs" "$(value graph_hash)" "$hash"
git clone -q --bare "$W/a" "$W/bare"
git -C "$W/bare" worktree add -q --detach "$W/tree" main
once "$W/tree"
same "worktree of a bare repository" "$(value graph_hash)" "$hash"
git clone -q --separate-git-dir="$W/elsewhere" "$W/a" "$W/separate"
once "$W/separate"
same "separate git folder" "$(value graph_hash)" "$hash"
ok "shallow, alternates, packs, worktree of a bare one, separate git folder"

git -C "$W/a" config uploadpack.allowFilter true
git clone -q --filter=blob:none --no-checkout "file://$W/a" "$W/partial"
once "$W/partial"
same "files of a clone without blobs" "$(value files)" 0
same "they are counted, but for what is never indexed" "$(skipped "$W/partial" partial-clone)" 4
git clone -q --filter=blob:none "file://$W/a" "$W/filled"
serve q "$W/partial" --data "$W/d"
if rpc q file '{"path":"src/users.py","max_bytes":1000}' >"$W/json" 2>&1; then fail "a missing file: $(cat "$W/json")"; fi
grep -q 'UNAVAILABLE.*object.*is missing' "$W/json" || fail "a missing file: $(cat "$W/json")"
stop q
once "$W/filled"
same "a partial clone with what is checked out" "$(value graph_hash)" "$hash"
ok "partial clones: missing files are counted, nothing is fetched"

# ---- replace refs are ignored: the commit itself counts
git clone -q "$W/a" "$W/replaced"
printf 'def replacement():\n    pass\n' >"$W/replaced/other.py"
commit "$W/replaced" other
git -C "$W/replaced" replace "$commit" HEAD
git -C "$W/replaced" reset -q --hard HEAD~1 2>/dev/null || git -C "$W/replaced" --no-replace-objects reset -q --hard HEAD~1
git -C "$W/replaced" --no-replace-objects rev-parse HEAD >"$W/head"
once "$W/replaced"
same "the commit behind a replacement" "$(value commit)" "$(cat "$W/head")"
same "its graph is that of the true objects" "$(value graph_hash)" "$hash"
mkdir -p "$W/packed/.git/info"
echo "$commit" >"$W/packed/.git/info/grafts"
once "$W/packed" --force
same "grafts change no file" "$(value graph_hash)" "$hash"
ok "replace refs and grafts are ignored"

# ---- heads
git clone -q "$W/a" "$W/tags"
git -C "$W/tags" tag v1
git -C "$W/tags" checkout -q --detach v1
git -C "$W/tags" branch -q -D main
git -C "$W/tags" remote remove origin
once "$W/tags"
same "only tags, detached" "$(value graph_hash)" "$hash"
git clone -q "$W/a" "$W/lost"
git -C "$W/lost" symbolic-ref HEAD refs/heads/nowhere
refused "$W/lost" 'HEAD.*refs/heads/nowhere|nowhere'
git init -q "$W/empty"
refused "$W/empty" 'does not point to a commit'
mkdir "$W/nothing"
refused "$W/nothing" 'not a git repository'
refused "$W/notthere" 'not a git repository|No such file'
ok "only tags; a HEAD on a missing branch, no commits and no repository are clear errors"

# ---- formats that libgit2 cannot read
git init -q --object-format=sha256 "$W/other-hash"
printf 'def x():\n    pass\n' >"$W/other-hash/x.py"
commit "$W/other-hash" x
refused "$W/other-hash" 'cannot be read: its objects are named by SHA-256: .*objectformat.* hint=.*SHA-1'
if git init -q --ref-format=reftable "$W/reftable" 2>/dev/null; then
	commit "$W/reftable" x
	refused "$W/reftable" 'cannot be read: .*refstorage'
fi
git init -q "$W/future"
printf 'def x():\n    pass\n' >"$W/future/x.py"
commit "$W/future" x
git -C "$W/future" config core.repositoryFormatVersion 1
git -C "$W/future" config extensions.fromTheFuture true
refused "$W/future" 'cannot be read: .*extensions.fromthefuture'
ok "the error names a format that cannot be read"

# ---- owners, and leftovers of other programs
if [ "$(id -u)" = 0 ]; then
	cp -r "$W/a" "$W/foreign"
	chown -R 12345:12345 "$W/foreign"
	refused "$W/foreign" 'foreign belongs to uid 12345.*ATOLL_SAFE_DIRECTORY'
	once "$W/foreign" "--safe-directory=$W/foreign"
	same "a repository of somebody else" "$(value graph_hash)" "$hash"
fi
: >"$W/a/.git/index.lock"
: >"$W/a/.git/HEAD.lock"
once "$W/a" --force
same "locks of a git that died" "$(value graph_hash)" "$hash"
rm "$W/a/.git/index.lock" "$W/a/.git/HEAD.lock"
chmod -R a-w "$W/shared"
once "$W/shared" --force
chmod -R u+w "$W/shared"
same "a repository that is read-only" "$(value graph_hash)" "$hash"
ok "other owners, locks left behind, read-only"

# ---- a branch that is forced to other history
serve s "$W/a" --data "$W/d"
at() { rpc s health >"$W/health" && [ "$(json "$W/health" commit)" = "$1" ]; }
for i in 1 2 3; do
	git -C "$W/a" checkout -q --orphan "side$i"
	printf 'def side_%s():\n    pass\n' "$i" >"$W/a/side.py"
	commit "$W/a" "side $i"
	git -C "$W/a" branch -q -f main HEAD
	git -C "$W/a" checkout -q main
	wait_for 20 at "$(git -C "$W/a" rev-parse main)"
	same "what is found after push --force $i" "$(rpc s search "{\"query\":\"side_$i\",\"limit\":1}" | jq -r '.hits[0].symbol')" "side_$i"
done
git -C "$W/a" reflog expire --expire=now --all
git -C "$W/a" gc -q --prune=now
same "after the old objects are gone" "$(rpc s search '{"query":"side_3","limit":1}' | jq -r '.hits[0].symbol')" side_3
same "status" "$(rpc s health | jq -r .status)" ready
git -C "$W/a" update-ref -d HEAD
headless() { rpc s status | jq -e '(.head // "") == ""' >/dev/null; }
wait_for 20 headless
same "HEAD without a commit: the repository is in its place" "$(rpc s health | jq -r '[.status, .code // ""] | join(" ")')" "ready "
stop s
ok "a forced push, and a gc of the old commits"
