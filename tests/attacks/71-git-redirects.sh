#!/bin/bash
# A git server cannot lead the credentials to another server: not by a redirect, by http-alternates or by a submodule.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
token=tok3n-that-is-not-for-you

make_repo "$W/a"
git clone -q --bare "$W/a" "$W/srv/r.git"
git -C "$W/srv/r.git" repack -qad
git -C "$W/srv/r.git" update-server-info
start mine python3 "$ROOT/tests/attacks/git_server.py" "$W" mine
start other python3 "$ROOT/tests/attacks/git_server.py" "$W" other
wait_for 10 test -s "$W/mine.port" -a -s "$W/other.port"
mine=127.0.0.1:$(cat "$W/mine.port")
other=127.0.0.1:$(cat "$W/other.port")
printf '%s %s\n' "$mine" $token >"$W/tokens"
# A git configuration that follows redirects does not change this for Atoll.
git config --global "http.http://$mine/.followRedirects" true
git config --global http.followRedirects true
git config --global submodule.recurse true

# index REPO: with a new shard; its log is in $W/log
runs=0
index() {
	runs=$((runs + 1))
	: >"$W/mine.requests"
	: >"$W/other.requests"
	atoll-shard --repo "$1" --data "${data:-$W/d$runs}" --once --json --git-tokens-file "$W/tokens" >"$W/json" 2>"$W/log"
}
unasked() {
	grep -q "$token" "$W/mine.requests" || fail "$1: the first server did not receive the token"
	[ ! -s "$W/other.requests" ] || fail "$1: another server received a request: $(head -1 "$W/other.requests")"
}

for repo in "http://$mine/r.git" "http://alice:$token@$mine/r.git"; do
	echo "/r.git http://$other/r.git" >"$W/mine.redirects"
	if index "$repo"; then fail "a redirect to another host is followed: $repo"; fi
	unasked "$repo"
	grep -q "redirects to http://$other/r.git" "$W/log" || fail "the error does not name the target: $(cat "$W/log")"
	echo "/r.git/info/refs http://127.0.0.1:1/x" >"$W/mine.redirects"
	if index "$repo"; then fail "a redirect to a closed port is followed: $repo"; fi
	unasked "$repo"
	echo "/r.git/info/refs file://$W/srv/r.git/info/refs" >"$W/mine.redirects"
	if index "$repo"; then fail "a redirect to a file is followed: $repo"; fi
	unasked "$repo"
	echo "/r.git/info/refs http://u:s3cret@$other/r.git/info/refs?key=s3cret" >"$W/mine.redirects"
	if index "$repo"; then fail "a redirect to another host is followed: $repo"; fi
	unasked "$repo"
	if grep -q "$token\|s3cret" "$W/log"; then fail "the log contains a secret: $(cat "$W/log")"; fi
	echo "/r.git/objects/ http://$other/r.git/objects/" >"$W/mine.redirects"
	if index "$repo"; then fail "a redirect of objects is followed: $repo"; fi
	unasked "$repo"
done
ok "a redirect to another server is not followed, and the error names its target"

rm "$W/mine.redirects"
data=$W/kept
index "http://$mine/r.git" || fail "a fetch failed: $(cat "$W/log")"
echo "/r.git http://$other/r.git" >"$W/mine.redirects"
printf 'def later():\n    pass\n' >"$W/a/src/later.py"
commit "$W/a" later
git -C "$W/a" push -q "$W/srv/r.git" HEAD:main
git -C "$W/srv/r.git" update-server-info
if index "http://$mine/r.git"; then fail "a later redirect is followed"; fi
unasked "a later redirect"
unset data
ok "a redirect at a later fetch is not followed either"

echo "/old.git/ http://$mine/r.git/" >"$W/mine.redirects"
index "http://$mine/old.git" || fail "a repository that was renamed: $(cat "$W/log")"
same "files of a repository that was renamed" "$(json "$W/json" files)" 5
unasked "renamed"
grep -q "git.redirected.*http://$mine/r.git" "$W/log" || fail "the log does not name the new address: $(cat "$W/log")"
echo "/old.git http://$mine/old.git" >"$W/mine.redirects"
if index "http://$mine/old.git"; then fail "a loop of redirects succeeded"; fi
[ "$(wc -l <"$W/mine.requests")" -lt 30 ] || fail "a loop of redirects is followed $(wc -l <"$W/mine.requests") times"
ok "a repository that was renamed on its own server is found, a redirect loop fails"

rm "$W/mine.redirects"
git clone -q --bare "$W/a" "$W/srv/thin.git"
mkdir -p "$W/srv/thin.git/objects/info"
echo "http://$other/r.git/objects" >"$W/srv/thin.git/objects/info/http-alternates"
cp "$W/srv/thin.git/objects/info/http-alternates" "$W/srv/thin.git/objects/info/alternates"
git -C "$W/srv/r.git" repack -qad
rm -rf "$W"/srv/thin.git/objects/pack "$W"/srv/thin.git/objects/??
(cd "$W/srv/thin.git" && printf '%s\trefs/heads/main\n' "$(git -C "$W/a" rev-parse HEAD)" >info/refs)
if index "http://$mine/thin.git"; then fail "objects of another server are fetched"; fi
unasked "alternates"
ok "alternates on another server are not fetched"

git -C "$W/a" -c protocol.file.allow=always submodule --quiet add "$W/srv/r.git" sub 2>"$W/submodule.log" || fail "submodule: $(cat "$W/submodule.log")"
git -C "$W/a" config -f .gitmodules submodule.sub.url "http://$other/r.git"
commit "$W/a" submodule
git clone -q --bare --no-recurse-submodules "$W/a" "$W/srv/with.git"
git -C "$W/srv/with.git" update-server-info
data=$W/with
index "http://$mine/with.git" || fail "a repository with a submodule: $(cat "$W/log")"
unasked "submodules, cloned"
index "http://$mine/with.git" || fail "a repository with a submodule: $(cat "$W/log")"
unasked "submodules, fetched"
ok "submodules are not fetched"
