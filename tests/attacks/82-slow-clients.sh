#!/bin/bash
# Hundreds of clients that send heads, bodies or TLS greetings a byte at a time, or nothing: probes and calls are answered meanwhile.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
start orders atoll-shard --repo "$W/shop/orders" --data "$W/d" --listen "ipc://$W/orders.sock"
atoll certs init "$W/certs" >/dev/null && atoll certs issue "$W/certs" localhost >/dev/null

coordinator() {	# coordinator OPTION...
	rm -f "$W/url"
	start coordinator atoll-coordinator --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" --shard "ipc://$W/orders.sock" \
		--ready-file "$W/url" --search-deadline-ms 60000 "$@"
	wait_for 10 test -s "$W/url"
	ATOLL_URL=$(sed 's/127.0.0.1/localhost/' "$W/url")
	export ATOLL_URL
}
get() { curl -fsS -m $((2 * slow)) --cacert "$W/certs/ca.pem" "$@"; }
ask() { get -sS -w "%{time_connect} %{time_starttransfer} %{time_total} %{size_upload}" -H 'Content-Type: application/json' -d '{"repo":"orders","query":"order"}' "$ATOLL_URL/api/v1/query"; }

attacked() {	# attacked KIND N
	local good=0 calls=0 i
	start attack python3 "$ROOT/tests/attacks/trickle.py" "${ATOLL_URL##*:}" "$2" "$1"
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
ok "who does not finish a request makes room for who does"

# ---- all that this machine may have are calls that are worked on ----
kill -STOP "$(pid_of orders)"
start calls python3 "$ROOT/tests/attacks/hold.py" "${ATOLL_URL##*:}" 400
wait_for 20 grep -q sent "$W/calls.log"
code() { curl -s -o /dev/null -m $((2 * slow)) -w '%{http_code}' "$@"; }
full() { same "a call beyond the bound" "$(code -d '{}' "$ATOLL_URL/api/v1/group_list")" 503; }
wait_for 10 full
for path in healthz readyz metrics; do
	case $(code "$ATOLL_URL/$path") in 200 | 503) ;; *) fail "/$path while all slots are taken" ;; esac
done
same healthz "$(get "$ATOLL_URL/healthz")" '{"status":"ok"}'
kill -CONT "$(pid_of orders)"
wait_for 30 gone "$(pid_of calls)"
grep -qE ' ([1-9]|1[0-6]) x 503$' "$W/calls.log" && ! grep -q nothing "$W/calls.log" || fail "calls: $(tail -n 1 "$W/calls.log")"
get "$ATOLL_URL/metrics" | grep -q '^atoll_refused_total{why="room"} [1-9]' || fail "they are counted"
get -D "$W/head" -o /dev/null "$ATOLL_URL/healthz"
if grep -i strict-transport "$W/head"; then fail "HSTS without TLS"; fi
stop coordinator
ok "probes have slots of their own"

coordinator --head-timeout-ms 1000
python3 "$ROOT/tests/attacks/heads.py" "${ATOLL_URL##*:}" >"$W/out" 2>&1 || fail "heads: $(cat "$W/out")"
stop coordinator
ok "the head of a request has a deadline: $(tr '\n' ' ' <"$W/out")"

coordinator --http-cert "$W/certs/localhost.pem" --http-key "$W/certs/localhost.key" --head-timeout-ms 1000
wait_for 30 get "$ATOLL_URL/readyz"
attacked hello 680
for path in healthz api/v1/tools nonsense ""; do
	curl -sS -o /dev/null --cacert "$W/certs/ca.pem" -D "$W/head" "$ATOLL_URL/$path"
	age=$(sed -n 's/^strict-transport-security: max-age=\([0-9]*\).*/\1/Ip' "$W/head")
	[ "${age:-0}" -ge 15768000 ] || fail "HSTS of /$path: $(cat "$W/head")"
done
start attack python3 "$ROOT/tests/attacks/trickle.py" "${ATOLL_URL##*:}" 3 hello
slow_ones() { get "$ATOLL_URL/metrics" | grep -qE '^atoll_refused_total\{why="slow"\} ([3-9]|[0-9]{2})'; }
wait_for 10 slow_ones
stop attack
ok "over TLS too, whose greetings count, and browsers are told to keep to it"
