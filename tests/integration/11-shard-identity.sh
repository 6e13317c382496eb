#!/bin/sh
# repo_uri of real repositories, with and without remotes; the same graph_hash for every clone; credentials never leak.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

secret=hunter2secret
make_repo "$W/a"
once() { atoll-shard --repo "$1" --data "$W/d" --once --json >"$W/json" 2>>"$W/logs" || fail "--once $1: $(tail -1 "$W/logs")"; }
uri() { once "$1" && json "$W/json" repo_uri; }
sha() { printf %s "$1" | sha256sum | cut -c1-64; }

same "no remote" "$(uri "$W/a")" "local:$(sha "$W/a")"
same "name" "$(json "$W/json" name)" "a-$(sha "$W/a" | cut -c1-6)"
hash=$(json "$W/json" graph_hash)
while read -r remote want; do
	git -C "$W/a" remote remove origin 2>/dev/null || true
	git -C "$W/a" remote add origin "$remote"
	same "$remote" "$(uri "$W/a")" "$want"
	same "graph of $remote" "$(json "$W/json" graph_hash)" "$hash"
done <<END
https://user:$secret@GitHub.com/Org/Repo.git github.com/Org/Repo
git@github.com:org/repo.git github.com/org/repo
ssh://git:$secret@h.example.com:2222/org/sub/repo.git h.example.com:2222/org/sub/repo
https://$secret@host.com:443/a/b.git/ host.com/a/b
file:///srv/git/repo.git local:$(sha "$W/a")
END
git -C "$W/a" remote remove origin
git -C "$W/a" remote add zeta https://example.com/zeta/z
git -C "$W/a" remote add beta "https://u:$secret@example.com/beta/b"
same "first remote by name" "$(uri "$W/a")" example.com/beta/b
git -C "$W/a" remote add origin gh:org/short
git -C "$W/a" config url.https://github.com/.insteadOf gh:
same "insteadOf" "$(uri "$W/a")" github.com/org/short
git -C "$W/a" remote remove origin
ok "repo_uri of real remotes"

# the collection is the one in the reference document, for every spelling of the URL
git -C "$W/a" remote add origin git@github.com:owner/repo.git
once "$W/a"
[ -d "$W/d/repo_d7606d02f5e08d7c" ] || fail "collection: $(ls "$W/d")"

git clone -q --bare "$W/a" "$W/bare.git"
git clone -q "$W/a" "$W/b"
git -C "$W/b" remote remove origin
git -C "$W/a" worktree add -q --detach "$W/tree"
for r in "$W/bare.git" "$W/b" "$W/tree"; do
	once "$r"
	same "graph_hash of $r" "$(json "$W/json" graph_hash)" "$hash"
done
same "worktree's uri" "$(json "$W/json" repo_uri)" github.com/owner/repo
git -C "$W/b" checkout -q --detach HEAD
once "$W/b"
printf 'def other():\n    pass\n' >"$W/b/src/other.py"
commit "$W/b" more
printf 'dirty' >"$W/b/src/dirty.py"
once "$W/b"
[ "$(json "$W/json" graph_hash)" != "$hash" ] || fail "a different commit has the same graph_hash"
same "files, without the working tree's" "$(json "$W/json" files)" 5
ok "bare, clone, worktree, detached: the same graph_hash; another commit: a different one"

# a shard serves it, with the secret in its own command line
git -C "$W/a" remote set-url origin "https://user:$secret@github.com/owner/repo.git"
serve s "$W/a" --data "$W/d2" --log-level debug --coordinator "ipc://u:$secret@$W/nobody"
for r in health status hello sync; do rpc s --stamp $r >>"$W/answers"; done
rpc s --stamp contracts '{"limit":9}' >>"$W/answers"
rpc s --stamp search '{"query":"users","limit":9}' >>"$W/answers"
tr '\0' ' ' <"/proc/$(pid_of s)/cmdline" >>"$W/answers"
stop s
if grep -rqa "$secret" "$W/d" "$W/d2" "$W/logs" "$W/s.log" "$W/json" "$W/answers"; then
	fail "a credential came through: $(grep -rla "$secret" "$W/d" "$W/d2" "$W/logs" "$W/s.log" "$W/answers")"
fi
grep -q '"repo_uri":"github.com/owner/repo"' "$W/answers" || fail "a credential is in the answers: $(cat "$W/answers")"
ok "credentials of remotes are not in any index, log or answer"
