#!/bin/sh
# Repositories of other users are refused, as are objects that a repository borrows from another user in any way.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

# refused PATH WORDS OPTION...: it is not indexed, and the error contains the words
refused() {
	_path=$1 _words=$2
	shift 2
	rm -rf "$W/refused"
	if atoll-shard --repo "$_path" --data "$W/refused" --once "$@" >"$W/out" 2>&1; then fail "$_path is read: $(cat "$W/out")"; fi
	grep -q 'FORBIDDEN' "$W/out" || fail "$_path: refused for another reason: $(cat "$W/out")"
	grep -q -- "$_words" "$W/out" || fail "$_path: the error lacks $_words: $(cat "$W/out")"
	if grep -rqa SECRET "$W/refused"; then fail "$_path: the secret was indexed"; fi
}
read_well() {
	_path=$1
	shift
	rm -rf "$W/well"
	atoll-shard --repo "$_path" --data "$W/well" --once "$@" >"$W/out" 2>&1 || fail "$_path is refused: $(tail -1 "$W/out")"
}

make_repo "$W/private"
printf 'SECRET = "SECRET"\n' >"$W/private/src/secret.py"
commit "$W/private" secret
secret=$(git -C "$W/private" rev-parse HEAD)

# ---- a user's own repositories work as before
git clone -q --shared "$W/private" "$W/shares"
git clone -q --shared "$W/shares" "$W/shares2"
git -C "$W/private" worktree add -q --detach "$W/tree"
git clone -q --bare "$W/private" "$W/bare.git"
git -c protocol.file.allow=always -C "$W/shares" submodule --quiet add "$W/private" part
for r in shares shares2 tree bare.git shares/part private/.git; do read_well "$W/$r"; done
echo ../../../private/.git/objects >"$W/shares/.git/objects/info/alternates"
read_well "$W/shares"
ok "a user's own repositories may share objects, and be worktrees, submodules and bare"

# ---- our mirror borrows nothing
read_well "file://$W/bare.git"
mirror=$(echo "$W"/well/repo_*/mirror.git)
echo "$W/private/.git/objects" >"$mirror/objects/info/alternates"
if atoll-shard --repo "file://$W/bare.git" --data "$W/well" --once --force >"$W/out" 2>&1; then fail "a mirror with alternates is read"; fi
grep -q 'a mirror must not borrow' "$W/out" || fail "a mirror with alternates: $(cat "$W/out")"
ok "a mirror with alternates is refused"

[ "$(id -u)" = 0 ] || { ok "not root: cannot create files of other users"; exit 0; }

# ---- a repository of another user
cp -r "$W/private" "$W/theirs"
chown -R nobody "$W/theirs"
refused "$W/theirs" 'theirs belongs to `nobody`.*ATOLL_SAFE_DIRECTORY'
refused "$W/theirs" 'belongs to' --safe-directory "$W"		# it alone is no repository of theirs
refused "file://$W/theirs" 'belongs to'
read_well "$W/theirs" --safe-directory "$W/theirs"
read_well "$W/theirs" --safe-directory "$W/*"
read_well "$W/theirs" --safe-directory '*'
ATOLL_SAFE_DIRECTORY="$W/other,$W/theirs" read_well "$W/theirs"
SUDO_UID=$(id -u nobody) read_well "$W/theirs"
git config --global safe.directory "$W/theirs"
read_well "$W/theirs"
refused "$W/theirs" 'belongs to' --safe-directory ''		# forgets those before it, as git has it
git config --global --unset safe.directory
git -C "$W/private" -c safe.directory="$W/theirs" config safe.directory "$W/theirs"
git config -f "$W/theirs/.git/config" safe.directory '*'
refused "$W/theirs" 'belongs to'				# its own configuration admits nobody
ok "another user's repository is refused, until it is named as safe"

# a part of it belongs to another user
cp -r "$W/private" "$W/partly"
chown -R nobody "$W/partly/.git"
refused "$W/partly" 'partly/.git belongs to'
mkdir "$W/link"
echo "gitdir: $W/theirs/.git" >"$W/link/.git"
refused "$W/link" 'theirs/.git belongs to'
ok "working tree, .git file and git directory are each checked"

# ---- a repository of another user that is named, and borrows what only we may read
chmod 700 "$W/private"
theirs() {	# one that is named; its HEAD is the commit with the secret, its objects are not there
	rm -rf "$W/mallory"
	git init -q -b main "$W/mallory"
	echo "$secret" >"$W/mallory/.git/refs/heads/main"
}
borrows() {	# borrows WORDS OPTION...
	_borrowed=$1
	shift
	chown -R -h nobody "$W/mallory"
	refused "$W/mallory" "$_borrowed" --safe-directory '*' "$@"
	[ "${ATTACKS:-}" != long ] || refused "$W/mallory" "$_borrowed" --safe-directory "$W/mallory" "$@"
}
theirs
echo "$W/private/.git/objects" >"$W/mallory/.git/objects/info/alternates"
borrows 'alternates leads to .*private/.git/objects, which belongs to `root`'
read_well "$W/mallory" --safe-directory "$W/mallory" --safe-directory "$W/private"
theirs
echo "../../../private/.git/objects" >"$W/mallory/.git/objects/info/alternates"
borrows 'alternates leads to .*private'
theirs
mkdir -p "$W/mallory/step/info"
echo "$W/private/.git/objects" >"$W/mallory/step/info/alternates"
printf '# two steps\n%s\n' "$W/mallory/step" >"$W/mallory/.git/objects/info/alternates"
borrows 'alternates leads to .*private'
theirs
echo "$W/mallory/.git/objects" >"$W/mallory/.git/objects/info/alternates"
borrows 'alternates are too deep'
theirs
rm -r "$W/mallory/.git/objects"
ln -s "$W/private/.git/objects" "$W/mallory/.git/objects"
borrows 'link `objects` leads to'
theirs
rmdir "$W"/mallory/.git/objects/*
for d in "$W"/private/.git/objects/*; do ln -s "$d" "$W/mallory/.git/objects/"; done
borrows 'leads to .*private'
theirs
(cd "$W/private/.git/objects" && find . -type f) | while read -r f; do
	mkdir -p "$W/mallory/.git/objects/$(dirname "$f")"
	ln -s "$W/private/.git/objects/$f" "$W/mallory/.git/objects/$f"
done
borrows 'leads to .*private'
theirs
cp -r "$W/private" "$W/packed"
git -C "$W/packed" gc -q
ln -s "$W"/packed/.git/objects/pack/* "$W/mallory/.git/objects/pack/"
borrows 'leads to .*packed'
theirs
rm -r "$W/mallory/.git"
echo "gitdir: $W/private/.git" >"$W/mallory/.git"
borrows '.git leads to .*private/.git, which'
theirs
rm -r "$W/mallory/.git"
ln -s "$W/private/.git" "$W/mallory/.git"
borrows '.git leads to .*private/.git, which'
theirs
rm -r "$W/mallory/.git/objects" "$W/mallory/.git/refs"
echo "$W/private/.git" >"$W/mallory/.git/commondir"
borrows 'common directory leads to .*private/.git, which'
ok "alternates, links and git directories of another user are refused, however they are reached"

# core.worktree and include.path name files of somebody else: neither counts
theirs
rm "$W/mallory/.git/refs/heads/main"
git -C "$W/mallory" -c user.name=t -c user.email=t@example.com commit -q --allow-empty -m own
git -C "$W/mallory" config core.worktree "$W/private"
printf '[remote "origin"]\n\turl = https://example.com/org/SECRET\n' >"$W/settings"
git -C "$W/mallory" config include.path "$W/settings"
chown -R -h nobody "$W/mallory"
rm -rf "$W/well"
atoll-shard --repo "$W/mallory" --data "$W/well" --once --json --safe-directory "$W/mallory" >"$W/json" 2>"$W/log" || fail "core.worktree: $(tail -1 "$W/log")"
same "what is read" "$(json "$W/json" files)" 0
same "who it is" "$(json "$W/json" repo_uri)" "local:$(printf %s "$W/mallory" | sha256sum | cut -c1-64)"
ok "core.worktree and include.path are not followed"

# ---- a shard of one that is refused: it is there, says why, and serves nothing, also what it had; admitted, it comes by itself
read_well "$W/theirs" --safe-directory "$W/theirs"
coordinate c
start s atoll-shard --repo "$W/theirs" --data "$W/well" --listen "ipc://$W/s.ipc" --coordinator "ipc://$W/c.ipc"
says() { rpc s health >"$W/health" && [ "$(json "$W/health" code)" = FORBIDDEN ] && [ "$(json "$W/health" status)" = failed ]; }
wait_for 20 says
told() { atoll doctor >"$W/out"; grep -q 'failed .*theirs.*belongs to.*ATOLL_SAFE_DIRECTORY' "$W/out"; }
wait_for 20 told
atoll status >"$W/out"
grep -q 'belongs to.*ATOLL_SAFE_DIRECTORY' "$W/out" || fail "status: $(cat "$W/out")"
if rpc s search '{"query":"SECRET","limit":1}' >"$W/out" 2>&1; then fail "a refused repository is served: $(cat "$W/out")"; fi
grep -q 'may not read the repository.*the operator must admit' "$W/out" || fail "the error of a search: $(cat "$W/out")"
git config --global safe.directory "$W/theirs"
rpc s sync >"$W/out"
well() { rpc s health >"$W/health" && [ "$(json "$W/health" status)" = ready ]; }
wait_for 20 well
ok "its shard gives the reason, and serves it once it is named as safe"
