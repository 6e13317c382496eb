#!/bin/sh
# A token adds sources on this machine or at a cloud's metadata service: they are refused before a connection is made, also when a
# name changes its address or a server redirects.  The test's own resolver refuses connections beyond loopback (fake_resolver.c).
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

# The files are named at compile time, as programs pass on LD_PRELOAD but no variables of a test.  It writes beside the mirror,
# so there is no sandbox.
cc -std=c11 -O1 -shared -fPIC "-DRESOLVER=\"$W/names\"" "-DCONNECTS=\"$W/connects\"" -o "$W/resolver.so" "$ROOT/tests/attacks/fake_resolver.c"
cat >"$W/names" <<'END'
meta.example.com 169.254.169.254
mapped.example.com ::ffff:169.254.169.254
inside.example.com 127.0.0.1
rebinds.example.com 203.0.113.7 127.0.0.1
pinned.example.com 203.0.113.7 203.0.113.7 127.0.0.1
once.example.com 203.0.113.7 127.0.0.1
ssh.example.com 203.0.113.8
git.example.com 203.0.113.9 127.0.0.1
END
: >"$W/connects"
shim="ATOLL_SANDBOX=off LD_PRELOAD=$W/resolver.so ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0"
# git does not get our LD_PRELOAD (environment.def): a wrapper sets it, so that nothing outside is dialled.
git=$(command -v git)
mkdir "$W/path"
cat >"$W/path/git" <<END
#!/bin/sh
exec env $shim "$git" "\$@"
END
chmod +x "$W/path/git"
PATH=$W/path:$PATH
# shimmed: each program that the test has started has the resolver
shimmed() {
	for p in $(pgrep -P "$(pid_of up)"); do
		tr '\0' '\n' <"/proc/$p/environ" | grep -q "^LD_PRELOAD=$W/resolver.so" || return 1
	done
}
for v in http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY; do unset $v; done
dialled() { grep -qx "$1" "$W/connects"; }

make_repo "$W/own"
make_repo "$W/other"
make_repo "$W/imported"
echo "operators-own-token-of-this-test" >"$W/bootstrap"
# a forge of this machine, which only the operator may name, and one that redirects to it
git clone -q --bare "$W/own" "$W/srv/r.git"
git -C "$W/srv/r.git" update-server-info
start http python3 "$ROOT/tests/fixtures/git_http.py" "$W/srv" : "$W/port" "$W/http.requests"
wait_for 5 test -s "$W/port"
port=$(cat "$W/port")
cat >"$W/redirect.py" <<'END'
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        open(sys.argv[3], "a").write(self.path + "\n")
        self.send_response(302)
        self.send_header("Location", sys.argv[1] + self.path)
        self.end_headers()
    def log_message(self, *args):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
open(sys.argv[2], "w").write(str(server.server_address[1]))
server.serve_forever()
END
start redirect python3 "$W/redirect.py" "http://127.0.0.1:$port" "$W/rport" "$W/redirected"
start meta python3 "$W/redirect.py" "http://169.254.169.254" "$W/mport" "$W/redirected"
wait_for 5 test -s "$W/rport"
wait_for 5 test -s "$W/mport"

export ATOLL_URL="http://127.0.0.1:$(free_port)"
# shellcheck disable=SC2086
start up env -u ATOLL_URL $shim ATOLL_BOOTSTRAP_TOKEN_FILE="$W/bootstrap" ATOLL_LLM_URL=http://meta.example.com ATOLL_LLM_MODEL=m \
	"$BIN/atoll" up --data "$W/data" --http "${ATOLL_URL#http://}" "$W/own"
wait_for 20 answers
shimmed || fail "a program runs without the resolver: it could dial other machines"
operator=$(cat "$W/bootstrap")
export ATOLL_TOKEN="$operator"
token=$(atoll token create --name writer)
is_ready() { atoll call source_list '{}' | jq -e --arg s "$1" '.sources[] | select(.source == $s and .repo_uri != null)' && ready default "$2"; }
atoll repo add "$W/other" >/dev/null
wait_for 30 is_ready "$W/other" 2
ok "the operator's local paths are served, from the command line and from the operator's token"

# ---- what a token may not name
export ATOLL_TOKEN="$token"
refused() {	# refused CODE SOURCE
	if atoll call repo_add "$(jq -n --arg s "$2" '{source: $s}')" >"$W/out" 2>&1; then fail "a token can add $2"; fi
	grep -q "$1" "$W/out" || fail "$2: $(cat "$W/out")"
}
while read -r code source; do
	refused "$code" "$source"
done <<END
FORBIDDEN http://127.0.0.1:$port/r.git
FORBIDDEN https://127.0.0.1:$port/r.git
FORBIDDEN https://2130706433/r.git
FORBIDDEN https://0x7f.1/r.git
FORBIDDEN https://[::ffff:127.0.0.1]/r.git
FORBIDDEN https://169.254.169.254/latest
FORBIDDEN https://metadata.google.internal/computeMetadata
FORBIDDEN https://meta.example.com/latest
FORBIDDEN https://mapped.example.com/latest
FORBIDDEN git@inside.example.com:o/r.git
FORBIDDEN file://$W/srv/r.git
FORBIDDEN $W/srv/r.git
INVALID_INPUT ext::sh -c id
INVALID_INPUT --upload-pack=id
INVALID_INPUT ssh://-oProxyCommand=id/x
END
atoll call source_list '{}' >"$W/out"
is "what was added" '.sources | length' 2
grep -q 'ATOLL_SOURCE_SCHEMES' "$W/out" && fail "an answer of the list has a hint"
refused ATOLL_SOURCE_SCHEMES "$W/srv/r.git"
ok "a token cannot add loopback, link-local or numeric addresses, metadata names, paths, files or helpers"

# ---- what it adds by other ways: a row that is imported, a machine that is named; `atoll up` runs it under the rules of tokens
atoll call registry_import "$(jq -n --arg s "$W/imported" '{rows: [{table: "sources", row: {source: $s, host: null, repo_uri: null}} | tojson]}')" >/dev/null
atoll call repo_add '{"source":"https://rebinds.example.com/o/r.git"}' >/dev/null
atoll call repo_add '{"source":"https://pinned.example.com/o/p.git"}' >/dev/null
atoll call source_list '{}' >"$W/out"
is "who added them" '[.sources[] | select(.added_by == "writer")] | length' 3
fails() {	# fails NAME WORDS
	atoll call status '{}' >"$W/out"
	jq -r '.repos[] | "\(.name) \(.status) \(.reason)"' "$W/out" | grep -q "$1.* failed .*$2"
}
wait_for 30 fails imported 'a token may not add a path'
wait_for 30 fails o/r 'an address that is loopback, which ATOLL_ALLOW_LOCAL_SOURCES'
wait_for 30 dialled 203.0.113.7
wait_for 30 fails o/p 'an address that is loopback'		# the next time it is asked
ok "a source that a token added is checked at each fetch"

own="local:$(printf %s "$W/own" | sha256sum | cut -c1-64)"
# it answers with what it has found, and says why without the model
"$BIN/atoll" call ask_code '{"repo_uri":"'"$own"'","query":"load users"}' >"$W/out" 2>&1 || fail "ask_code: $(cat "$W/out")"
grep -q 'link-local.*ATOLL_ALLOW_LINK_LOCAL' "$W/out" || fail "ask_code: $(cat "$W/out")"
ok "the language model is not dialled at a link-local address"

# the operator's word admits it
ATOLL_TOKEN="$operator" atoll repo add "$W/imported" >/dev/null
atoll call source_list '{}' | jq -e --arg s "$W/imported" '.sources[] | select(.source == $s) | .added_by == null' >/dev/null || fail "the source is no longer marked as the token's"
stop up

# ---- a shard alone: the address that was looked at is the one that git dials, and nobody is followed elsewhere
once() {	# once WORDS REPO OPTION...: it fails, and says so
	_words=$1 _repo=$2
	shift 2
	rm -rf "$W/d"
	# shellcheck disable=SC2086
	if env $shim atoll-shard --from-token --repo "$_repo" --data "$W/d" --once "$@" >"$W/out" 2>&1; then fail "$_repo is fetched"; fi
	grep -q -- "$_words" "$W/out" || fail "$_repo: $(cat "$W/out")"
}
: >"$W/connects"
once 'UNAVAILABLE' https://once.example.com/o/r.git
dialled 203.0.113.7 || fail "git dialled $(cat "$W/connects")"
same "questions for the name" "$(wc -c <"$W/names.once.example.com")" 1
once 'UNAVAILABLE' git://git.example.com/o/r.git
dialled 203.0.113.9 || fail "git:// dialled $(cat "$W/connects")"
printf '#!/bin/sh\necho "$*" >>"%s/ssh.log"\nexit 1\n' "$W" >"$W/ssh"
chmod +x "$W/ssh"
GIT_SSH_COMMAND="$W/ssh" GIT_SSH_VARIANT=ssh once 'UNAVAILABLE' ssh://git@ssh.example.com/o/r.git
grep -q -- '-oHostName=203.0.113.8 -oHostKeyAlias=ssh.example.com' "$W/ssh.log" || fail "ssh: $(cat "$W/ssh.log")"
once 'FORBIDDEN' "http://127.0.0.1:$port/r.git"
: >"$W/http.requests"
for from in rport mport; do
	once 'UNAVAILABLE' "http://127.0.0.1:$(cat "$W/$from")/r.git" --source-schemes http --allow-local-sources
done
[ -s "$W/redirected" ] || fail "the redirecting server received no request"
[ ! -s "$W/http.requests" ] || fail "a redirect is followed: $(cat "$W/http.requests")"
rm -rf "$W/d"
# shellcheck disable=SC2086
env $shim atoll-shard --from-token --repo "http://127.0.0.1:$port/r.git" --data "$W/d" --once --source-schemes http --allow-local-sources \
	>"$W/out" 2>&1 || fail "the options do not permit it: $(tail -1 "$W/out")"
# shellcheck disable=SC2086
env $shim ATOLL_GIT_HTTP=true atoll-shard --repo "http://inside.example.com:$port/r.git" --data "$W/d" --once >"$W/out" 2>&1 || fail "the operator's source is refused: $(tail -1 "$W/out")"
ok "git connects to the checked address over https, git:// and ssh; redirects are not followed"

# ---- the embedder
# shellcheck disable=SC2086
start e env $shim atoll-shard --repo "$W/own" --listen "ipc://$W/e.ipc" --data "$W/e" --embedder http --embed-url http://mapped.example.com/v1 --embed-model m
why() { rpc e health >"$W/health" && grep -q 'link-local.*ATOLL_ALLOW_LINK_LOCAL' "$W/health"; }
wait_for 30 why
stop e
if grep -q '169\.254' "$W/connects"; then fail "a link-local address was dialled"; fi
ok "the embedder is not dialled at a link-local address; no such address was ever dialled"
