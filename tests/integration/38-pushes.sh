#!/bin/bash
# A git server over HTTP, with one private repository, and two forges that send push events: PUSHES (20) of them to REPOS (6)
# repositories, with force pushes, deleted branches, empty commits, renames, a repository that disappears, wrong signatures and
# repeated deliveries. At the end every index equals a fresh build, every job has ended, and the credential appears nowhere.
. "$(dirname "$0")/../lib.sh"
lighttpd=$(command -v lighttpd || ls /usr/sbin/lighttpd) || fail "no lighttpd: deploy/install-deps.sh"
secret=hunter2hunter2hunter2 password=sesame4sesame4sesame
port=$(free_port)
mkdir -p "$W/srv/acme"
echo "x-access-token:$password" >"$W/users"
cat >"$W/lighttpd.conf" <<CONF
server.modules = ("mod_auth", "mod_authn_file", "mod_alias", "mod_setenv", "mod_cgi")
server.document-root = "$W/srv"
server.bind = "127.0.0.1"
server.port = $port
server.errorlog = "$W/lighttpd.log"
alias.url = ("/git" => "/usr/lib/git-core/git-http-backend")
cgi.assign = ("" => "")
setenv.set-environment = ("GIT_PROJECT_ROOT" => "$W/srv", "GIT_HTTP_EXPORT_ALL" => "1", "PATH" => "/usr/bin:/bin", "HOME" => "$W/home", "GIT_CONFIG_NOSYSTEM" => "1")
auth.backend = "plain"
auth.backend.plain.userfile = "$W/users"
\$HTTP["url"] =~ "^/git/acme/private" { auth.require = ("" => ("method" => "basic", "realm" => "git", "require" => "valid-user")) }
CONF
start lighttpd "$lighttpd" -D -f "$W/lighttpd.conf"
echo "127.0.0.1:$port $password" >"$W/tokens"
echo "$secret" >"$W/secret"
[ "$slow" = 1 ] || { PUSHES=${PUSHES:-10} REPOS=${REPOS:-4}; }	# sanitizers
export GITHUB_WEBHOOK_SECRET=$secret ATOLL_GITLAB_WEBHOOK_SECRET_FILE="$W/secret" ATOLL_GIT_TOKENS_FILE="$W/tokens"
export ATOLL_JOB_BACKOFF_MS=200 ATOLL_JOB_TRIES=3 ATOLL_PUSH_DELAY_MS=${PUSH_DELAY_MS:-100}
python3 "$ROOT/tests/tools/pushes.py" make "$W" "${REPOS:-6}" || fail "cannot create the repositories"
served() { git ls-remote -q "http://127.0.0.1:$port/git/acme/r1.git" HEAD; }
wait_for 10 served
[ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/git/acme/private.git/info/refs?service=git-upload-pack")" = 401 ] || fail "the private repository needs no password"
up --group acme $(for r in "$W"/srv/acme/*.git; do echo "http://127.0.0.1:$port/git/acme/$(basename "$r")"; done)
unset GITHUB_WEBHOOK_SECRET ATOLL_GITLAB_WEBHOOK_SECRET_FILE ATOLL_GIT_TOKENS_FILE
ready acme "${REPOS:-6}"
python3 "$ROOT/tests/tools/pushes.py" push "$W" "${PUSHES:-20}" "$ATOLL_URL" "$BIN" "$port" "$secret" "${SEED:-1}" || fail "pushes failed"
ok "after ${PUSHES:-20} pushes every index equals a fresh build, and every job has ended"

{
	for tool in status job_list source_list group_list; do call $tool; done
	curl -fsS "$ATOLL_URL/metrics"
	"$BIN/atoll" doctor || true
} >"$W/out.answers" 2>&1
for p in $(_ours); do { tr '\0' ' ' <"/proc/$p/cmdline"; } 2>/dev/null || true; done >"$W/out.argv"
basic=$(printf 'x-access-token:%s' "$password" | base64)
if grep -rlaF -e "$password" -e "$basic" "$W/data" "$W"/out.* "$W"/*.log; then fail "the credential is in these files"; fi
grep -q 'acme/private' "$W/out.answers" || fail "the private repository is not served"
ok "the credential of the private repository appears nowhere"
