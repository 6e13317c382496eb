#!/bin/bash
# Hundreds of clients send headers, bodies or TLS handshakes one byte at a time, or nothing: probes and calls are still answered.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
start orders atoll-shard --repo "$W/shop/orders" --data "$W/d" --listen "ipc://$W/orders.sock"
atoll certs init "$W/certs" >/dev/null && atoll certs issue "$W/certs" localhost >/dev/null

coordinator() {	# coordinator OPTION...
	rm -f "$W/url"
	start coordinator atoll-coordinator --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" --shard "ipc://$W/orders.sock" \
		--ready-file "$W/url" "$@"
	wait_for 10 test -s "$W/url"
	ATOLL_URL=$(sed 's/127.0.0.1/localhost/' "$W/url")
	export ATOLL_URL
}
get() { curl -fsS -m $((2 * slow)) --cacert "$W/certs/ca.pem" "$@"; }
ask() { get -H 'Content-Type: application/json' -d '{"repo":"orders","query":"order"}' "$ATOLL_URL/api/v1/query"; }

attacked() {	# attacked KIND N
	local good=0 calls=0 i
	start attack python3 "$ROOT/tests/attacks/slow_clients.py" "${ATOLL_URL##*:}" "$2" "$1"
	wait_for 10 grep -q open "$W/attack.log"
	for i in $(seq 15); do
		[ "$(get "$ATOLL_URL/healthz" 2>"$W/why")" = '{"status":"ok"}' ] && good=$((good + 1))
		[ $((i % 5)) -ne 0 ] || { ask >"$W/out" 2>&1 && calls=$((calls + 1)) || echo "call: $(cat "$W/out")"; }
		[ $good -eq $i ] || fail "probe $i: $(cat "$W/why")"
		[ -z "${ATTACKS:-}" ] || sleep 1
	done
	stop attack
	echo "$2 clients, $1: $good of 15 probes and $calls of 3 calls answered, $(tail -n 1 "$W/attack.log")"
	[ $good -eq 15 ] && [ $calls -eq 3 ] || fail "probes or calls were not answered"
}

coordinator
wait_for 30 get "$ATOLL_URL/readyz"
attacked head 680
[ -z "${ATTACKS:-}" ] || attacked silent 680
[ -z "${ATTACKS:-}" ] || attacked body 680
ok "connections that do not finish a request are closed for others"

get -D "$W/head" -o /dev/null "$ATOLL_URL/healthz"
if grep -i strict-transport "$W/head"; then fail "HSTS is sent without TLS"; fi
stop coordinator

coordinator --head-timeout-ms 1000
python3 "$ROOT/tests/attacks/slow_headers.py" "${ATOLL_URL##*:}" >"$W/out" 2>&1 || fail "headers: $(cat "$W/out")"
stop coordinator
ok "the headers of a request have a deadline: $(tr '\n' ' ' <"$W/out")"

coordinator --http-cert "$W/certs/localhost.pem" --http-key "$W/certs/localhost.key" --head-timeout-ms 1000
wait_for 30 get "$ATOLL_URL/readyz"
attacked hello 680
for path in healthz api/v1/tools nonsense ""; do
	curl -sS -o /dev/null --cacert "$W/certs/ca.pem" -D "$W/head" "$ATOLL_URL/$path"
	age=$(sed -n 's/^strict-transport-security: max-age=\([0-9]*\).*/\1/Ip' "$W/head")
	[ "${age:-0}" -ge 15768000 ] || fail "HSTS of /$path: $(cat "$W/head")"
done
start attack python3 "$ROOT/tests/attacks/slow_clients.py" "${ATOLL_URL##*:}" 3 hello
slow_ones() { get "$ATOLL_URL/metrics" | grep -qE '^atoll_refused_total\{why="slow"\} ([3-9]|[0-9]{2})'; }
wait_for 10 slow_ones
stop attack
ok "the same over TLS, including the handshake, and browsers get HSTS"
stop coordinator

# ---- all connections of an address are in use by running requests ----
head -c 20 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$W/token"
coordinator --http 0.0.0.0:0 --http-cert "$W/certs/localhost.pem" --http-key "$W/certs/localhost.key" --bootstrap-token-file "$W/token" \
	--connections-per-address 20 --streams 64
ATOLL_URL=https://localhost:${ATOLL_URL##*:}
start streams python3 "$ROOT/tests/attacks/hold_streams.py" "${ATOLL_URL##*:}" "$W/certs/ca.pem" "$(cat "$W/token")" 30
wait_for 20 test -s "$W/streams.log"
same "streams" "$(cat "$W/streams.log")" "20 x 200 10 x 503"
code() { curl -s -o /dev/null --cacert "$W/certs/ca.pem" -H "Authorization: Bearer $(cat "$W/token")" -w '%{http_code}' "$@"; }
list() { code -H 'Content-Type: application/json' -d '{}' "$ATOLL_URL/api/v1/group_list"; }
same "a call beyond the bound" "$(list)" 503
for path in healthz readyz metrics; do same "/$path while all slots are taken" "$(code "$ATOLL_URL/$path")" 200; done
curl -s --cacert "$W/certs/ca.pem" -H "Authorization: Bearer $(cat "$W/token")" "$ATOLL_URL/metrics" |
	grep -q '^atoll_refused_total{why="room"} [1-9][0-9]' || fail "the streams are not counted"
stop streams KILL
again() { [ "$(list)" = 200 ]; }
wait_for 10 again
ok "probes have reserved slots, and a client that disconnects frees its slot"
