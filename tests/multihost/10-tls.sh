#!/bin/bash
# Two hosts (network namespaces): the coordinator on one, a shard on the other, with mutual TLS and a cluster key.
. "$(dirname "$0")/../lib.sh"

a=atoll-a-$$ b=atoll-b-$$
ip netns add "$a" 2>/dev/null || skip "no network namespaces here (not root?)"
ip netns add "$b"
trap '_was=$?; set +e; ip netns del "$a"; ip netns del "$b"; (exit $_was); _end' EXIT
ip link add "va$$" netns "$a" type veth peer name "vb$$" netns "$b"
ip -n "$a" addr add 10.77.0.1/24 dev "va$$"
ip -n "$b" addr add 10.77.0.2/24 dev "vb$$"
for n in "$a" "$b"; do ip -n "$n" link set lo up; done
ip -n "$a" link set "va$$" up
ip -n "$b" link set "vb$$" up

# A CA, a certificate for each host, and one of a foreign CA.
for ca in tls stranger; do atoll certs init "$W/$ca" >/dev/null; done
atoll certs issue "$W/tls" hosta,10.77.0.1 hostb,10.77.0.2 >/dev/null
atoll certs issue "$W/stranger" hostc >/dev/null
"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
tls() { echo --tls-ca "$W/tls/ca.pem" --tls-cert "$W/tls/$1.pem" --tls-key "$W/tls/$1.key"; }

start coordinator ip netns exec "$a" "$BIN/atoll-coordinator" --data "$W/coord" --http 127.0.0.1:7700 \
	--listen tls+tcp://10.77.0.1:7701 --cluster-key-file "$W/tls/cluster-key" $(tls hosta)
export ATOLL_URL=http://127.0.0.1:7700
on_a() { ip netns exec "$a" "$@"; }
wait_for 20 on_a curl -fsS -m 2 "$ATOLL_URL/healthz"

shard() {	# shard NAME REPO PORT KEYFILE TLS...
	local name=$1 repo=$2 port=$3 key=$4
	shift 4
	start "$name" ip netns exec "$b" "$BIN/atoll-shard" --repo "$W/shop/$repo" --data "$W/data-$name" \
		--listen "tls+tcp://10.77.0.2:$port" --coordinator tls+tcp://10.77.0.1:7701 --cluster-key-file "$key" "$@"
}
shard good users 7710 "$W/tls/cluster-key" $(tls hostb)
shard unkeyed orders 7711 "$W/stranger/cluster-key" $(tls hostb)
shard untrusted catalog 7712 "$W/tls/cluster-key" --tls-ca "$W/tls/ca.pem" --tls-cert "$W/stranger/hostc.pem" \
	--tls-key "$W/stranger/hostc.key"

members() { on_a "$BIN/atoll" call list_repos | jq -r '.repos[] | select(.health == "healthy" and .status == "ready") | .name'; }
joined() { [ "$(members | wc -l)" -ge 1 ]; }
wait_for 30 joined
on_a "$BIN/atoll" group create both "$(members | head -n 1)" >/dev/null || fail "group create failed"
whole() { on_a "$BIN/atoll" call group_query '{"group":"both","query":"users"}' | jq -e '.complete and (.results | length > 0)'; }
wait_for 20 whole
got=$(on_a "$BIN/atoll" call group_query '{"group":"both","query":"users"}') || fail "group_query: $got"
ok "a query works between hosts over mutual TLS"

file=$(echo "$got" | jq -c '{repo_uri: .results[0].repo_uri, path: .results[0].path}')
on_a "$BIN/atoll" call open_file "$file" | jq -e '.content | length > 0' >/dev/null || fail "open_file over TLS failed"
ok "open_file works between hosts"

wait_for 10 grep -q 'announce.failed.*FORBIDDEN.*cluster key' "$W/unkeyed.log"
wait_for 10 grep -q 'ingest.done' "$W/untrusted.log"
refused() { wait_for 20 grep -q "wire.refused peer=$2.*$3" "$W/$1.log"; }
refused coordinator 10.77.0.2: 'the cluster key is missing or wrong'
refused coordinator 10.77.0.2: 'its certificate (hostc, by Atoll CA'
refused unkeyed tls+tcp://10.77.0.1:7701 'cluster key is missing or wrong'
refused untrusted 10.77.0.1:7701 'it refuses this end: .*unknown ca'
# both ends say that both strangers have come and were turned away
same "members that were let in" "$(on_a "$BIN/atoll" call list_repos | jq .total)" 1
ip netns exec "$b" "$BIN/atoll-shard" --probe tcp://10.77.0.1:7701 2>&1 | grep -q 'tcp:// is not encrypted' ||
	fail "plain text between hosts is not refused"
on_a bash -c 'printf "GET / HTTP/1.0\r\n\r\n" >/dev/tcp/10.77.0.1/7701'
wait_for 10 grep -q 'wire.refused peer=10.77.0.1:.*does not speak TLS' "$W/coordinator.log"
[ "$(grep -c 'wire.refused' "$W/coordinator.log")" -le 8 ] ||
	fail "the log is flooded: $(grep -c 'wire.refused' "$W/coordinator.log") lines"
ok "a wrong cluster key, a foreign certificate and plain text are refused, and the logs of both ends say so"

# The other host disappears: the member is named, and returns with the connection.
ip -n "$b" link set "vb$$" down
named() { on_a "$BIN/atoll" call group_query '{"group":"both","query":"users"}' |
	jq -e '.complete == false and .coverage.failed[0].code == "UNAVAILABLE"'; }
wait_for 15 named
ok "a member behind a dead connection is named"
ip -n "$b" link set "vb$$" up
wait_for 30 whole
ok "it answers again when the connection is back"
