#!/bin/sh
# A URL is mirrored: cloned, fetched on sync, its default branch followed; credentials reach git and nothing else.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
git clone -q --bare "$W/a" "$W/srv/r.git"
git -C "$W/srv/r.git" update-server-info
token=tok3nsecret
start http python3 "$ROOT/tests/fixtures/git_http.py" "$W/srv" "x-access-token:$token" "$W/port" "$W/http.requests"
wait_for 5 test -s "$W/port"
port=$(cat "$W/port")

atoll-shard --repo "file://$W/srv/r.git" --data "$W/d" --once --json >"$W/json" 2>"$W/log" || fail "file://: $(tail -1 "$W/log")"
same "files" "$(json "$W/json" files)" 4
same "uri of file://" "$(json "$W/json" repo_uri)" "local:$(printf %s "$W/srv/r.git" | sha256sum | cut -c1-64)"
hash=$(json "$W/json" graph_hash)
atoll-shard --repo "file://$W/srv/r.git" --data "$W/d2" --once --json --shallow >"$W/json" 2>"$W/log"
same "graph of a shallow mirror" "$(json "$W/json" graph_hash)" "$hash"
ok "file:// is mirrored, also shallow"

serve s "http://x-access-token:$token@127.0.0.1:$port/r.git" --data "$W/d"
rpc s --stamp hello >"$W/out"
same "uri" "$(json "$W/out" body repo_uri)" "127.0.0.1:$port/r"
same "source" "$(json "$W/out" body source)" "http://127.0.0.1:$port/r.git"
same "graph" "$(json "$W/out" stamp graph_hash)" "$hash"
printf 'def pushed():\n    pass\n' >"$W/a/src/pushed.py"
commit "$W/a" pushed
git -C "$W/a" push -q "$W/srv/r.git" HEAD:main
git -C "$W/srv/r.git" update-server-info
rpc s sync >"$W/sync"
same "sync of a URL" "$(json "$W/sync" started)" True
at() { rpc s health >"$W/health" && [ "$(json "$W/health" commit)" = "$1" ]; }
wait_for 10 at "$(git -C "$W/a" rev-parse HEAD)"
tr '\0' ' ' <"/proc/$(pid_of s)/cmdline" >>"$W/out"
ok "a sync fetches"

# the remote goes away: the last index is served, and health says why it is not newer
stop http
rpc s sync >"$W/sync"
tells() { rpc s health >"$W/health" && [ "$(json "$W/health" code)" = UNAVAILABLE ]; }
wait_for 20 tells
same "status" "$(json "$W/health" status)" ready
rpc s search '{"query":"pushed","limit":1}' >"$W/out2"
same "still served" "$(json "$W/out2" hits 0 symbol)" pushed
cp "$W/health" "$W/health.kept"
stop s
ok "a remote that is gone leaves the last index"

if ATOLL_GIT_TOKEN=$token atoll-shard --repo "http://127.0.0.1:1/x.git" --data "$W/d" --once >"$W/out3" 2>&1; then fail "nobody there"; fi
if grep -rqa "$token" "$W/d" "$W/s.log" "$W/out" "$W/out3" "$W/health.kept" "$W/log"; then
	fail "the token came through: $(grep -rla "$token" "$W/d" "$W/s.log" "$W/out" "$W/out3" "$W/health.kept")"
fi
basic=$(printf 'x-access-token:%s' "$token" | base64)
if grep -rqa "$basic" "$W/d" "$W/s.log"; then fail "the header came through"; fi
grep -q '^ok /r.git' "$W/http.requests" || fail "the server saw no token"
ok "the token reaches the server and no file, log, answer or argument"
