#!/bin/bash
# atoll up --join: another host runs shards for a remote coordinator over mutual TLS, and follows its part of the registry.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
atoll certs init "$W/tls" >/dev/null
atoll certs issue "$W/tls" a b >/dev/null
tls() { echo --tls-ca "$W/tls/ca.pem" --tls-cert "$W/tls/$1.pem" --tls-key "$W/tls/$1.key" --cluster-key-file "$W/tls/cluster-key"; }
shards_of() { pgrep -P "$(pid_of "$1")" -x atoll-shard; }
count_of() { [ "$(shards_of "$1" | wc -l)" = "$2" ]; }
answered() { "$BIN/atoll" call group_query '{"group":"default","query":"healthz","limit":50}' | jq -c '[.complete, ([.results[].repo_uri] | unique | length)]'; }
is() { [ "$(answered)" = "$1" ]; }
members=$(free_port) first=$(free_port)

# shellcheck disable=SC2046
up $(tls a) --listen "tls+tcp://127.0.0.1:$members" "$W/shop/web"
ready default 1
join() {	# join NAME [ARG...]: host b
	local name=$1
	shift
	# shellcheck disable=SC2046
	start "$name" "$BIN/atoll" up --join "$ATOLL_URL" --host b --data "$W/b" --ports "$first" --copy-index $(tls b) "$@"
}
"$BIN/atoll" up --join "$ATOLL_URL" --host b --data "$W/b" "$W/shop/users" >"$W/out" 2>&1 && fail "a host without certificates may join"
grep -q -e '--tls-ca is missing' "$W/out" || fail "the message does not name what is missing: $(cat "$W/out")"
join b "$W/shop/users" "$W/shop/orders"
ready default 3
wait_for 20 is '[true,3]'
wait_for 20 grep -q "^2 of 2 repositories of host b ready, for the coordinator at $ATOLL_URL; shards announce themselves to tls+tcp://127.0.0.1:$members" "$W/b.log"
grep -qE "users: tls\+tcp://127.0.0.1:$(sed -n 's/^users.* //p' "$W/b/ports")\$" "$W/b.log" || fail "the addresses of its shards: $(cat "$W/b.log")"
count_of b 2 && count_of up 1 || fail "a host runs shards of the other"
ok "the second host's shards answer over TLS, and it reports what it did"

"$BIN/atoll" repo add --host b "$W/shop/catalog" >/dev/null
ready default 4
count_of b 3 || fail "the host does not run its part of the registry"
port=$(sed -n 's/^catalog.* //p' "$W/b/ports")
"$BIN/atoll" repo remove catalog >/dev/null
wait_for 10 count_of b 2
"$BIN/atoll" repo add --host b "$W/shop/web" >/dev/null	# what a runs already
wait_for 20 count_of b 3
clear=$("$BIN/atoll" call source_list | jq -r '.sources[] | select(.source | endswith("web")) | .host')
same "hosts of web" "$clear" ",b"
ports=$(sort "$W/b/ports")
same "the port of what was removed is used again" "$(sed -n 's/^web.* //p' <<<"$ports")" "$port"
count_of up 1 || fail "host a still runs it"
ok "repo add --host and repo remove take effect; two hosts may run one repository"

# One host stops it, the other continues; a host that does not run it, and the last one, are not affected.
hosts_of() { curl -fsS "$ATOLL_URL/metrics" | sed -n "s/^atoll_shard_health{.*shop.$1.*host=\"\([^\"]*\)\".*} 1\$/\1/p" | sort | paste -sd' '; }
shards_on() { curl -fsS "$ATOLL_URL/metrics" | sed -n "s/^atoll_shard_health{.*shop.$1.*host=\"\([^\"]*\)\".*/\1/p" | sort -u | paste -sd' '; }	# as healthy as they may be
here=$(uname -n)
both() { [ "$(hosts_of web)" = "$(printf '%s\n' b "$here" | sort | paste -sd' ')" ]; }
wait_for 20 both
copied() { grep -hq 'copy.done what=copy ' "$W"/b/logs/web-*.log; }
wait_for 20 copied
refusal() { "$BIN/atoll" call repo_remove "$1" 2>&1 | jq -r '.error.code'; }
same "a host that does not run it" "$(refusal '{"repo":"web","host":"c"}')" NOT_FOUND
same "the last host" "$(refusal '{"repo":"users","host":"b"}')" INVALID_INPUT
"$BIN/atoll" repo remove --host b web >"$W/out" || fail "repo remove --host: $(cat "$W/out")"
grep -qx "still served by $here" "$W/out" || fail "hosts of the repository: $(cat "$W/out")"
same "its shards, at once" "$(shards_on web)" "$here"
same "an answer meanwhile" "$(answered)" '[true,3]'
wait_for 10 count_of b 2
same "its shards later" "$(shards_on web)" "$here"
count_of up 1 || fail "host a still runs it"
same "hosts of its source" "$("$BIN/atoll" call source_list | jq -r '.sources[] | select(.source | endswith("web")) | .host')" null
same "its group" "$("$BIN/atoll" call group_list | jq -c '[.groups[] | select(.name == "default") | .members | length]')" '[3]'
"$BIN/atoll" repo add --host b "$W/shop/web" >/dev/null
wait_for 20 both
"$BIN/atoll" repo remove --host "$here" web >/dev/null || fail "repo remove --host fails for the coordinator's own host"
wait_for 10 count_of up 0
wait_for 20 is '[true,3]'
same "hosts of its source" "$("$BIN/atoll" call source_list | jq -r '.sources[] | select(.source | endswith("web")) | .host')" b
"$BIN/atoll" repo add "$W/shop/web" >/dev/null
wait_for 20 both
ok "an index is copied from the other host; repo remove --host removes a repository from one host, but not from the last one"

doctor() {
	"$BIN/atoll" doctor --json --data "$W/data" | jq -r '.checks[] | select(.check | startswith("certificate")) |
		"\(.check | ltrimstr("certificate ")) \(.state)"' | tr '\n' ';'
}
same "certificates by the doctor" "$(doctor)" "tls-ca ok;tls-cert ok;"
atoll certs issue "$W/tls" a --renew --days 5 >/dev/null
same "a certificate that ends soon" "$(doctor)" "tls-ca ok;tls-cert warning;"
left=$(curl -fsS "$ATOLL_URL/metrics" | awk '/^atoll_certificate_end_timestamp_seconds.*"tls-cert"/ {print int(($2 - systime()) / 86400)}')
{ [ "$left" -ge 3 ] && [ "$left" -le 5 ]; } || fail "days by /metrics: $left"
ok "certificates that expire soon are reported"

# The first host's shard of web stops: the other one answers.
pause "$(pid_of up)"
kill -KILL "$(shards_of up)"
wait_for 20 is '[true,3]'
kill -CONT "$(pid_of up)"
kill -KILL "$(pgrep -P "$(pid_of up)" -f atoll-coordinator)"
wait_for 30 is '[true,3]'
ok "it outlives the coordinator, and replaces a shard of the other host"

kids=$(shards_of b)
stop b INT
for p in $kids; do gone "$p" || fail "a shard outlives its host"; done
ok "Ctrl-C stops its shards"

token=$("$BIN/atoll" token create --name admin)
"$BIN/atoll" up --join "$ATOLL_URL" --host b --data "$W/b" >"$W/out" 2>&1 && fail "a host without a token may join"
grep -qi 'token' "$W/out" || fail "the message does not ask for a token: $(cat "$W/out")"
export ATOLL_TOKEN=$token
"$BIN/atoll" repo remove --host b web >/dev/null	# while it is away
left() { ls -d "$W"/b/repo_* | wc -l; }
same "folders of users, orders, web and catalog" "$(left)" 4
join again --keep-days 0
wait_for 20 is '[true,3]'
same "ports after another start" "$(grep -v ^web "$W/b/ports" | sort)" "$(echo "$ports" | grep -v ^web)"
few() { [ "$(left)" = 2 ]; }
wait_for 20 few
ok "with tokens, joining requires one; shards keep their ports; data of removed repositories is finally deleted"
