#!/bin/bash
# Work that nobody waits for any more is stopped: the shard hears of a client that left, and of a deadline that passed.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop"
start orders atoll-shard --repo "$W/shop/orders" --data "$W/d" --listen "ipc://$W/orders.sock" --readers 1
wait_for 20 atoll-shard --probe "ipc://$W/orders.sock"
serve() {
	start coordinator atoll-coordinator --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" \
		--shard "ipc://$W/orders.sock" --ready-file "$W/url" --search-deadline-ms "$1" --probe-interval-ms 60000 --log-level debug
	wait_for 10 test -s "$W/url"
	ATOLL_URL=$(cat "$W/url")
	export ATOLL_URL
	wait_for 30 curl -fsS "$ATOLL_URL/readyz"
}
cancels() { [ "$(grep -c "rpc.cancel .*$2" "$W/orders.log")" -ge "$1" ]; }

serve 60000
halt "$(pid_of orders)"
asking=
for i in $(seq 30); do
	curl -s -m 1 -H 'Content-Type: application/json' -d '{"repo":"orders","query":"where are orders cancelled '"$i"'"}' \
		"$ATOLL_URL/api/v1/query" >/dev/null &
	asking="$asking $!"
	curl -s -m 1 -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{
		"name":"query","arguments":{"repo":"orders","query":"where are orders paid"}}}' "$ATOLL_URL/mcp" >/dev/null &
	asking="$asking $!"
done
for p in $asking; do
	rc=0
	wait "$p" || rc=$?
	same "a client that leaves after a second" $rc 28
done
noticed() { [ "$(grep -c 'call.left' "$W/coordinator.log")" = 60 ]; }
wait_for 10 noticed
kill -CONT "$(pid_of orders)"
gone_calls() { [ "$(grep -c 'call.fail .*whoever asked has gone' "$W/coordinator.log")" = 60 ]; }
wait_for 10 gone_calls
asked=$(grep -c 'tool=query repos=github.com/atoll-shop/orders outcome=UNAVAILABLE' "$W/coordinator.log")
[ "$asked" -gt 30 ] || fail "only $asked had begun"	# on a busy machine some are left before
wait_for 10 cancels "$asked" found=
cancels 1 found=1 || fail "all cancels came too late: $(grep -c rpc.cancel "$W/orders.log")"
call query '{"repo":"orders","query":"cancel"}' >"$W/out"
jq -e '.results | length > 0' "$W/out" >/dev/null || fail "afterwards: $(cat "$W/out")"
ok "clients that leave take their work with them"

stop coordinator
rm "$W/url"
serve 500
before=$(grep -c rpc.cancel "$W/orders.log")
halt "$(pid_of orders)"
if atoll call query '{"repo":"orders","query":"cancel"}' >"$W/out"; then fail "an answer without a shard"; fi
kill -CONT "$(pid_of orders)"
wait_for 10 cancels $((before + 1)) found=
ok "so does a deadline"
