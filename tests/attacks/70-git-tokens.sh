#!/bin/bash
# A git token is sent only to its own hosts, never to a host that only looks similar because of its path, port or longer name.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
token=tok3n-that-is-not-for-you

make_repo "$W/a"
git clone -q --bare "$W/a" "$W/srv/r.git"
git -C "$W/srv/r.git" repack -qad
git -C "$W/srv/r.git" update-server-info
mkdir -p "$W/srv/x.ghe.com" "$W/srv/github.com" "$W/srv/acme"
ln -s ../r.git "$W/srv/x.ghe.com/r.git"
ln -s ../r.git "$W/srv/github.com/r.git"
echo '{"size": 900000}' >"$W/srv/acme/huge"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
	-keyout "$W/key.pem" -out "$W/cert.pem" 2>"$W/openssl.log" || fail "openssl: $(cat "$W/openssl.log")"
start tls python3 "$ROOT/tests/attacks/git_server.py" "$W" tls "$W/cert.pem" "$W/key.pem"
start plain python3 "$ROOT/tests/attacks/git_server.py" "$W" plain
wait_for 10 test -s "$W/tls.port" -a -s "$W/plain.port"
tls=localhost:$(cat "$W/tls.port")
plain=127.0.0.1:$(cat "$W/plain.port")
export GIT_SSL_CAINFO="$W/cert.pem"

# index REPO [VARIABLE=VALUE...]: a new shard fetches and indexes it.  Its log is in $W/log.
runs=0
index() {
	_repo=$1
	shift
	runs=$((runs + 1))
	: >"$W/tls.requests"
	: >"$W/plain.requests"
	env "$@" atoll-shard --repo "$_repo" --data "$W/d$runs" --once >"$W/out" 2>"$W/log"
}
fetched() { index "$@" || fail "$*: $(cat "$W/log")"; }
kept() { # kept WHAT: nobody has got a token
	[ -s "$W/tls.requests" ] || [ -s "$W/plain.requests" ] || fail "$1: no server received a request"
	if grep -h " x-access-token\|Bearer\|$token" "$W/tls.requests" "$W/plain.requests"; then fail "$1: the token was sent"; fi
}
sent() { grep -q "x-access-token:$token\$" "$W/tls.requests" "$W/plain.requests" || fail "$1: the token was not sent"; }

long() { [ "${ATTACKS:-}" != long ] || echo "$@"; }	# the rest of a list: tests/unit/shard/git/test_git_token.c has them all
for path in x.ghe.com/r.git $(long r.git github.com/r.git); do
	fetched "https://$tls/$path" GITHUB_TOKEN=$token
	kept "GITHUB_TOKEN, https://HOST/$path"
done
fetched "https://$tls/r.git" GITHUB_TOKEN=$token ATOLL_GIT_TOKEN=other ATOLL_GIT_TOKEN_HOSTS=git.example.com
kept "GITHUB_TOKEN beside another token"
ok "GITHUB_TOKEN stays with GitHub"

fetched "https://$tls/r.git" ATOLL_GIT_TOKEN=$token
kept "ATOLL_GIT_TOKEN without hosts"
grep -q 'ATOLL_GIT_TOKEN_HOSTS' "$W/log" || fail "the log does not name the remedy: $(cat "$W/log")"
ok "a token without hosts is not sent, and the log names the remedy"

for hosts in localhost,git.example.com $(long localhost "x$tls" "${tls}0" "*.$tls" '*.localhost' "git.example.com/$tls"); do
	fetched "https://$tls/r.git" ATOLL_GIT_TOKEN=$token "ATOLL_GIT_TOKEN_HOSTS=$hosts"
	kept "a token for $hosts"
done
printf 'localhost %s\nx%s %s\n' $token "$tls" $token >"$W/tokens"
fetched "https://$tls/r.git" "ATOLL_GIT_TOKENS_FILE=$W/tokens"
kept "a file of tokens for others"
for hosts in "git.example.com,LOCALHOST:${tls#*:}" $(long "$tls"); do
	fetched "https://$tls/r.git" ATOLL_GIT_TOKEN=$token "ATOLL_GIT_TOKEN_HOSTS=$hosts" GITHUB_TOKEN=other
	sent "a token for $hosts"
done
printf 'git.example.com other\n%s %s\n' "$tls" $token >"$W/tokens"
fetched "https://$tls/r.git" "ATOLL_GIT_TOKENS_FILE=$W/tokens" GITHUB_TOKEN=other
sent "a file of tokens"
ok "hosts are compared as host names, with their ports"

# The address of GitHub's API is an option; setting it does not make another host GitHub's.
asked() { # asked [VARIABLE=VALUE...]: of a repository that is too large to be cloned
	if index https://github.com/acme/huge "ATOLL_FORGE_API=http://$plain/" "$@"; then fail "it is not refused"; fi
	grep -q 'has 879 MB' "$W/log" || fail "$*: $(cat "$W/log")"
}
asked GITHUB_TOKEN=$token
kept "GITHUB_TOKEN, API at another host"
asked ATOLL_GIT_TOKEN=$token ATOLL_GIT_TOKEN_HOSTS=github.com
kept "a token for github.com, API at another host"
asked ATOLL_GIT_TOKEN=$token "ATOLL_GIT_TOKEN_HOSTS=$plain"
grep -q "Bearer $token" "$W/plain.requests" || fail "the named API did not get the token"
ok "an API at another host gets a token only if the token names it"
