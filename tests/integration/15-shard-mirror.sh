#!/bin/sh
# A URL is mirrored: cloned, fetched on sync, its default branch followed. Only git receives the credentials.
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

# the remote disappears: the last index is served, and health says why it is not newer
stop http
rpc s sync >"$W/sync"
tells() { rpc s health >"$W/health" && [ "$(json "$W/health" code)" = UNAVAILABLE ]; }
wait_for 20 tells
unknown() { rpc s --stamp hello >"$W/out2" && [ "$(json "$W/out2" stamp behind)" = -1 ]; }
wait_for 10 unknown	# how far a remote is ahead that cannot be asked
same "status" "$(json "$W/health" status)" ready
rpc s search '{"query":"pushed","limit":1}' >"$W/out2"
same "still served" "$(json "$W/out2" hits 0 symbol)" pushed
cp "$W/health" "$W/health.kept"
stop s
ok "a remote that disappears leaves the last index"

# ---- ssh: a fake program for git to call; apart from the mirror, it may write only known_hosts ----
mkdir "$HOME/.ssh"
: >"$HOME/.ssh/known_hosts"
cat >"$W/ssh" <<SSH
#!/bin/sh
echo "\$*" >>"\$HOME/.ssh/known_hosts"
for last; do :; done
exec sh -c "\$last"
SSH
chmod +x "$W/ssh"
GIT_SSH_COMMAND="$W/ssh" GIT_SSH_VARIANT=ssh atoll-shard --repo "ssh://git@git.example.com$W/srv/r.git" --data "$W/d5" --once --json \
	>"$W/json" 2>"$W/log" || fail "ssh: $(tail -1 "$W/log")"
same "uri over ssh" "$(json "$W/json" repo_uri)" "git.example.com$W/srv/r"
same "commit over ssh" "$(json "$W/json" commit)" "$(git -C "$W/srv/r.git" rev-parse main)"
grep -q 'git@git.example.com git-upload-pack' "$HOME/.ssh/known_hosts" || fail "ssh arguments: $(cat "$HOME/.ssh/known_hosts")"
ok "ssh remotes"

# ---- limits, tokens by host, updates without a request ----
start http python3 "$ROOT/tests/fixtures/git_http.py" "$W/srv" "x-access-token:$token" "$W/port2" "$W/http.requests2"
wait_for 5 test -s "$W/port2"
port2=$(cat "$W/port2")
printf 'elsewhere wrong\n127.0.0.1:%s %s\n' "$port2" "$token" >"$W/tokens"
serve t "http://127.0.0.1:$port2/r.git" --data "$W/d3" --git-tokens-file "$W/tokens" --remote-poll-ms 300
rpc t --stamp hello >"$W/out4"
same "uri" "$(json "$W/out4" body repo_uri)" "127.0.0.1:$port2/r"
printf 'def polled():\n    pass\n' >"$W/a/src/polled.py"
commit "$W/a" polled
git -C "$W/a" push -q "$W/srv/r.git" HEAD:main
git -C "$W/srv/r.git" update-server-info
at_t() { rpc t health >"$W/health" && [ "$(json "$W/health" commit)" = "$1" ]; }
wait_for 10 at_t "$(git -C "$W/a" rev-parse HEAD)"
knows() { rpc t --stamp health >"$W/out4" && [ "$(jq -c '.stamp | [.behind, has("checked_at")]' "$W/out4")" = "$1" ]; }
wait_for 10 knows '[0,false]'
stop t
# nobody looks at the remote: that it was where the index is means nothing any more
serve t "http://127.0.0.1:$port2/r.git" --data "$W/d3" --git-tokens-file "$W/tokens" --remote-poll-ms 0
wait_for 10 knows '[-1,true]'
jq -e '.stamp.checked_at | test("^20.*Z$")' "$W/out4" >/dev/null || fail "when the remote was seen: $(cat "$W/out4")"
stop t
ok "tokens by host; the remote is polled; without polls the lag is unknown"

make_repo "$W/b"
head -c 3000000 /dev/urandom >"$W/b/big.bin"
commit "$W/b" big
refuses() {	# refuses WORD OPTION...
	_word=$1
	shift
	if atoll-shard --data "$W/d4" --once "$@" >"$W/out5" 2>&1; then fail "$* is not refused"; fi
	grep -q -- "$_word" "$W/out5" || fail "$*: $(cat "$W/out5")"
}
refuses 'larger than 2 MB' --repo "file://$W/b" --mirror-limit-mb 2
[ -z "$(find "$W/d4" -size +1000k)" ] || fail "data that exceeded the limit remains: $(find "$W/d4" -size +1000k)"
atoll-shard --repo "file://$W/b" --data "$W/d4" --once --mirror-limit-mb 20 >"$W/out5" 2>&1 || fail "the size limit was not reported: $(cat "$W/out5")"
# a remote that reports progress without a pause while it sends
mkdir "$W/talks"
cat >"$W/talks/git" <<'END'
#!/bin/sh
for to in "$@"; do :; done
mkdir -p "$to"
yes 'remote: wait' >&2 &
for i in $(seq 600); do		# half a minute and more, if nobody ends it
	head -c 100000 /dev/zero >>"$to/pack"
	echo "$i" >>"$to/../talked"	# it may write nowhere else
	sleep 0.05
done
kill $!
END
chmod +x "$W/talks/git"
PATH="$W/talks:$PATH" refuses 'larger than 2 MB' --repo "http://127.0.0.1:1/talks.git" --mirror-limit-mb 2
[ "$(cat "$W"/d4/*.mirror/talked | wc -l)" -lt 600 ] || fail "an oversized fetch was not stopped early"
mkdir -p "$W/srv/acme"
echo '{"size": 900000}' >"$W/srv/acme/huge"
refuses 'has 879 MB, and --mirror-limit-mb is 500' --repo https://github.com/acme/huge \
	--forge-api "http://x-access-token:$token@127.0.0.1:$port2/"
long=http://127.0.0.1:$port2/an-organisation-with-a-long-name/a-repository-with-a-long-name-as-well-so-that-the-remedy-must-not-be-cut.git
refuses 'no token is configured for this host: set ATOLL_GIT_TOKENS_FILE (GITHUB_TOKEN is only for GitHub)' --repo "$long"
ATOLL_GIT_TOKEN=wrong ATOLL_GIT_TOKEN_HOSTS=127.0.0.1:$port2 refuses 'refuses the token for this host: see GITHUB_TOKEN and ATOLL_GIT_TOKENS_FILE' --repo "$long"
ATOLL_GIT_TOKEN=$token ATOLL_GIT_TOKEN_HOSTS=127.0.0.1:$port2 refuses 'repository not found; if it is private' --repo "http://127.0.0.1:$port2/absent.git"
ATOLL_GIT_TOKEN=$token refuses 'ATOLL_GIT_TOKEN is not used: set ATOLL_GIT_TOKEN_HOSTS' --repo "http://127.0.0.1:$port2/r.git"
ATOLL_GIT_TOKEN=$token ATOLL_GIT_TOKEN_HOSTS=127.0.0.1:$port2 atoll-shard --data "$W/d6" --once --repo "http://127.0.0.1:$port2/r.git" >"$W/out5" 2>&1 ||
	fail "a token with its host: $(cat "$W/out5")"
stop http
ok "oversized repositories are refused, by the size that the forge reports or during the fetch"

if ATOLL_GIT_TOKEN=$token atoll-shard --repo "http://127.0.0.1:1/x.git" --data "$W/d" --once >"$W/out3" 2>&1; then fail "an unreachable server is accepted"; fi
if grep -rqa "$token" "$W/d" "$W/s.log" "$W/out" "$W/out3" "$W/health.kept" "$W/log"; then
	fail "the token came through: $(grep -rla "$token" "$W/d" "$W/s.log" "$W/out" "$W/out3" "$W/health.kept")"
fi
basic=$(printf 'x-access-token:%s' "$token" | base64)
if grep -rqa "$basic" "$W/d" "$W/s.log"; then fail "the header was sent"; fi
grep -q '^ok /r.git' "$W/http.requests" || fail "the server received no token"
ok "only the server receives the token; no file, log, answer or argument contains it"
