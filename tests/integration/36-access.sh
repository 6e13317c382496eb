#!/bin/bash
# Tokens: who needs one, what each may see and change, how they end; and where a coordinator may listen.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
up --group shop "$W/shop/orders" "$W/shop/users" "$W/shop/web"
ready shop 3

code() { curl -s -o "$W/body" -D "$W/head" -w '%{http_code}' -H "Authorization: $1" "$ATOLL_URL$2"; }	# code CREDENTIALS PATH
make_token() { "$BIN/atoll" token create "$@" 2>"$W/err" || fail "token create $*: $(cat "$W/err")"; }
refused() {	# refused CODE WORD COMMAND...
	_code=$1 _word=$2
	shift 2
	if "$BIN/atoll" "$@" >"$W/out" 2>&1; then fail "atoll $* is not refused"; fi
	grep -q "($_code)" "$W/out" && grep -q -- "$_word" "$W/out" || fail "atoll $*: $(cat "$W/out")"
}

# ---- the first token ----
refused INVALID_INPUT 'without limits' token create --name guest --read-only
refused INVALID_INPUT 'without limits' token create --name guest --repo web
refused INVALID_INPUT 'without limits' token create --name guest --group default
ADMIN=$(make_token --name admin)
[ "$(code "" /api/v1/tools)" = 401 ] && grep -qi '^WWW-Authenticate: Bearer' "$W/head" || fail "no token: $(cat "$W/head")"
refused FORBIDDEN 'a token is needed' status
[ "$(code "Basic YTpi" /metrics)" = 401 ] || fail "a password is accepted as a token"
[ "$(code "Bearer atoll_0000000000000000000000000000000000000000" /metrics)" = 401 ] && grep -q invalid_token "$W/head" ||
	fail "an unknown token"
[ "$(code "" /.well-known/oauth-protected-resource)" = 404 ] || fail "clients that probe for OAuth do not get 404"
[ "$(code "" /healthz)" = 200 ] || fail "/healthz requires a token"
[ "$(code "" /readyz)" = 200 ] && same "/readyz" "$(cat "$W/body")" '{"status":"ready"}'
[ "$(code "bearer  $ADMIN" /api/v1/tools)" = 200 ] || fail "the scheme's case or blanks matter"
export ATOLL_TOKEN=$ADMIN
"$BIN/atoll" status >"$W/out" || fail "status: $(cat "$W/out")"
grep -qE 'call caller=nobody via=http tool=[^ ]+ repos=- outcome=401 ms=0' "$W/data/logs/coordinator.log" ||
	fail "who may not ask is not in the log"
ok "once a token exists, every request needs one"

# ---- limited tokens ----
REPO=$(make_token --name repo --repo web)
refused NOT_FOUND 'group `part` does not exist' token create --name group --group part
"$BIN/atoll" group create part atoll-shop/orders >/dev/null
GROUP=$(make_token --name group --group part --read-only)
PUBLIC=$(make_token --name public --visibility public --expires 30d)
INTERNAL=$(make_token --name internal --visibility internal)
"$BIN/atoll" repo set atoll-shop/web --visibility public >/dev/null
"$BIN/atoll" repo set atoll-shop/users --visibility internal >/dev/null
sees() { ATOLL_TOKEN=$1 call list_repos '{}' | jq -r '[.repos[].name] | join(" ")'; }
same "by repository" "$(sees "$REPO")" "atoll-shop/web"
same "by group" "$(sees "$GROUP")" "atoll-shop/orders"
same "public" "$(sees "$PUBLIC")" "atoll-shop/web"
same "internal" "$(sees "$INTERNAL")" "atoll-shop/users atoll-shop/web"
same "without limits" "$(sees "$ADMIN")" "atoll-shop/orders atoll-shop/users atoll-shop/web"
"$BIN/atoll" group add part atoll-shop/users >/dev/null
same "the group has grown" "$(sees "$GROUP")" "atoll-shop/orders atoll-shop/users"
"$BIN/atoll" group remove part atoll-shop/orders >/dev/null
same "the group has shrunk" "$(sees "$GROUP")" "atoll-shop/users"
"$BIN/atoll" repo set atoll-shop/users --visibility private >/dev/null
same "private now" "$(sees "$INTERNAL")" "atoll-shop/web"
ok "a token sees its repositories, the members of its groups, and repositories of sufficient visibility"

ATOLL_TOKEN=$REPO "$BIN/atoll" call query '{"repo":"atoll-shop/users","query":"x"}' >"$W/hidden" || true
ATOLL_TOKEN=$REPO "$BIN/atoll" call query '{"repo":"atoll-shop/xsers","query":"x"}' >"$W/unknown" || true
same "hidden is as unknown" "$(sed s/xsers/users/g "$W/unknown")" "$(cat "$W/hidden")"
grep -q NOT_FOUND "$W/hidden" || fail "not hidden: $(cat "$W/hidden")"
same "groups of a limited token" "$(ATOLL_TOKEN=$REPO call group_list '{}' |
	jq -c '[.groups[] | [.name, .members]]')" '[["shop",["github.com/atoll-shop/web"]]]'
ok "hidden repositories seem not to exist"

ATOLL_TOKEN=$GROUP refused FORBIDDEN 'is read-only' group sync part
ATOLL_TOKEN=$GROUP refused FORBIDDEN 'is read-only' repo analyze atoll-shop/users
ATOLL_TOKEN=$REPO refused FORBIDDEN 'limited' group create mine atoll-shop/web
ATOLL_TOKEN=$REPO refused FORBIDDEN 'limited' repo remove atoll-shop/web
ATOLL_TOKEN=$REPO refused FORBIDDEN 'limited' token list
ATOLL_TOKEN=$REPO refused FORBIDDEN 'limited' token create --name another
ATOLL_TOKEN=$REPO "$BIN/atoll" repo analyze atoll-shop/web >/dev/null || fail "its own repository may not be indexed"
refused INVALID_INPUT 'already exists' token create --name repo
refused INVALID_INPUT 'is not a valid name' token create --name 'a b'
refused INVALID_INPUT 'already exists' token create --name local
refused INVALID_INPUT 'expires' token create --name x --expires 2020-01-01
refused INVALID_INPUT 'expires' token create --name x --expires soon
refused NOT_FOUND 'no token' token revoke nobody
ok "tokens change only what they may"

# ---- the end of a token ----
python3 - "$ATOLL_URL" "$REPO" "$PUBLIC" "$BIN/atoll" <<'PY' || fail "sessions of tokens failed"
import json, os, subprocess, sys, urllib.error, urllib.request
url, mine, other, atoll = sys.argv[1:]
def ask(token, method, params=None, session=None, verb="POST", id=1):
    h = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token}
    if session:
        h |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
    body = json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}}).encode() if verb == "POST" else None
    return urllib.request.urlopen(urllib.request.Request(url + "/mcp", body, h, method=verb), timeout=30)
def status(*a, **k):
    try:
        return ask(*a, **k).status
    except urllib.error.HTTPError as e:
        return e.code
r = ask(mine, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
s = r.headers["Mcp-Session-Id"]
assert status(mine, "tools/list", session=s) == 200
assert status(other, "tools/list", session=s) == 404, "a session of another token"
assert status(other, None, session=s, verb="DELETE") == 404
stream = ask(mine, None, session=s, verb="GET")
subprocess.run([atoll, "token", "revoke", "repo"], check=True, stdout=subprocess.DEVNULL)
while stream.read(1):
    pass
assert status(mine, "tools/list", session=s) == 401, "after it was revoked"
PY
same "tokens" "$("$BIN/atoll" call token_list '{}' |
	jq -c '[.tokens[] | [.name, .visibility, .read_only, .expires_at != null, .last_used_at != null]]')" \
	'[["admin","private",false,false,true],["group","private",true,false,true],["internal","internal",false,false,true],["public","public",false,true,true]]'
ok "a session belongs to its token, and ends with it"

stop up
EXTRA=$("$BIN/atoll" token create --name extra --group shop --data "$W/data" 2>"$W/err") || fail "offline: $(cat "$W/err")"
same "kept when it was used" "$(python3 - "$W/data/registry.db" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("update tokens set expires_at = '2020-01-01T00:00:00.000Z' where name = 'public'")
db.commit()
print(db.execute("select last_used_at is not null from tokens where name = 'admin'").fetchone()[0])
PY
)" 1
up
wait_for 20 "$BIN/atoll" status
grep -q 'for clients that have a token' <(wait_for 30 grep -q 'MCP address' "$W/up.log"; cat "$W/up.log") ||
	fail "atoll up: $(cat "$W/up.log")"
same "made offline" "$(sees "$EXTRA")" "atoll-shop/orders atoll-shop/users atoll-shop/web"
[ "$(code "Bearer $PUBLIC" /api/v1/tools)" = 401 ] && grep -q 'has expired' "$W/body" || fail "expired: $(cat "$W/body")"
"$BIN/atoll" token list --data "$W/data" >"$W/out" 2>&1 && fail "two coordinators run on one folder"
grep -q 'omit --data' "$W/out" || fail "two coordinators: $(cat "$W/out")"
for secret in "$ADMIN" "$GROUP" "$EXTRA" "$REPO"; do
	if grep -rlF "$secret" "$W/data" "$W"/*.log; then fail "a token is in these files"; fi
	for p in $(_ours); do ! tr '\0' ' ' <"/proc/$p/cmdline" 2>/dev/null | grep -qF "$secret" || fail "a token is on a command line"; done
done
stop up
ok "tokens are stored as hashes, can be created offline, and expire"

# ---- beyond this machine ----
serve() { start out "$BIN/atoll-coordinator" --data "$W/out.data" --listen "ipc://$W/o.sock" --ready-file "$W/out.url" "$@"; }
says() {	# says WORD OPTION...: it does not start, and says so
	_word=$1
	shift
	if "$BIN/atoll-coordinator" --data "$W/out.data" --listen "ipc://$W/o.sock" "$@" >"$W/out" 2>&1; then fail "$* is accepted"; fi
	grep -q -- "$_word" "$W/out" || fail "$*: $(cat "$W/out")"
}
port=$(free_port)
head -c 20 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$W/first"
says 'no token' --http "127.0.0.1:$port" --behind-proxy
says 'TLS' --http "0.0.0.0:$port" --bootstrap-token-file "$W/first"
echo short >"$W/short"
says 'at least 20' --http "127.0.0.1:$port" --bootstrap-token-file "$W/short"
says 'go together' --http "127.0.0.1:$port" --http-cert "$W/cert.pem"
says 'http-cert' --http "127.0.0.1:$port" --http-cert "$W/nothing.pem" --http-key "$W/nothing.pem"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$W/key.pem" -out "$W/cert.pem" -days 2 -subj /CN=localhost \
	-addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' 2>/dev/null
serve --http "0.0.0.0:$port" --bootstrap-token-file "$W/first" --http-cert "$W/cert.pem" --http-key "$W/key.pem"
wait_for 10 test -s "$W/out.url"
same "address" "$(cat "$W/out.url")" "https://0.0.0.0:$port"
ATOLL_TOKEN=$(cat "$W/first") "$BIN/atoll" status --url "https://localhost:$port" --ca "$W/cert.pem" >"$W/out" ||
	fail "over TLS: $(cat "$W/out")"
ATOLL_TOKEN=$(cat "$W/first") "$BIN/atoll" status --url "https://localhost:$port" >"$W/out" 2>&1 &&
	fail "an unknown certificate is accepted"
grep -q -- '--ca FILE (ATOLL_CA)' "$W/out" || fail "an unknown certificate: $(cat "$W/out")"
"$BIN/atoll" status --url "http://localhost:$port" >"$W/out" 2>&1 && fail "http is answered on an https port"
grep -q 'expects https://' "$W/out" || fail "http on an https port: $(cat "$W/out")"
[ "$(curl -sk -o /dev/null -w '%{http_code}' "https://127.0.0.1:$port/api/v1/tools")" = 401 ] || fail "a request without a token is answered over TLS"
python3 - "$port" <<'PY' || fail "connections of one address are not limited"
import select, socket, sys, time
all = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(220)]    # 128, and 64 for probes
for _ in range(300):        # until as many as must be have been hung up on
    time.sleep(0.1)
    gone = [s for s in all if select.select([s], [], [], 0)[0]]
    if len(gone) >= 28:
        break
time.sleep(0.5)
gone = [s for s in all if select.select([s], [], [], 0)[0]]
assert 28 <= len(gone) <= 36, f"of 220 connections {len(gone)} are refused"
PY
stop out
rm "$W/out.url"
serve --http "0.0.0.0:$port" --behind-proxy --allow-host atoll.example.com --bootstrap-token-file "$W/first"
wait_for 10 test -s "$W/out.url"
named() { curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(cat "$W/first")" -H "Host: $1" ${2:+-H "Origin: $2"} "http://127.0.0.1:$port/api/v1/tools"; }
same "its name" "$(named atoll.example.com)" 200
same "a re-bound name" "$(named evil.example.com)" 403
same "its own page" "$(named atoll.example.com https://atoll.example.com)" 200
same "another page" "$(named atoll.example.com https://evil.example.com)" 403
ok "beyond loopback only with tokens and TLS, and only under configured names"
