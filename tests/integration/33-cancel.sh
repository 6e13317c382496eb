#!/bin/bash
# Abandoned work is stopped: the shard is notified when a client disconnects and when a deadline passes.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop"
# A phrase that needs hundreds of texts costs a shard 15 ms, so sixty of them are not finished before the cancellations arrive.
for i in $(seq 400); do
	printf 'def cancel_%s(order):\n    # where an order was cancelled or paid: orders are cancelled where they were paid\n    return order\n' $i >"$W/shop/orders/c$i.py"
done
commit "$W/shop/orders" many
start orders atoll-shard --repo "$W/shop/orders" --data "$W/d" --listen "ipc://$W/orders.sock" --readers 1 --embedder none
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
asked() { curl -fsS "$ATOLL_URL/metrics" | grep -q "^atoll_shard_in_flight_requests{.*} $1\$"; }
logged() { [ "$(grep -c "$2" "$W/coordinator.log")" = "$1" ]; }

# Sixty queries to a paused shard; the clients disconnect; then the shard receives everything at once.
pause "$(pid_of orders)"
asking=
for i in $(seq 30); do
	curl -s -m 60 -H 'Content-Type: application/json' -d '{"repo":"orders","query":"\"where are orders\" \"cancelled orders\" '"$i"'"}' \
		"$ATOLL_URL/api/v1/query" >/dev/null &
	asking="$asking $!"
	curl -s -m 60 -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{
		"name":"query","arguments":{"repo":"orders","query":"\"where are orders\" paid"}}}' "$ATOLL_URL/mcp" >/dev/null &
	asking="$asking $!"
done
wait_for 20 asked 60
# shellcheck disable=SC2086
kill $asking
wait_for 10 logged 60 'call.abandoned'
kill -CONT "$(pid_of orders)"
wait_for 10 logged 60 'call.failed .*the client has gone'
wait_for 10 logged 60 'tool=query repos=github.com/atoll-shop/orders outcome=UNAVAILABLE'
wait_for 10 cancels 60 found=
cancels 1 found=1 || fail "all cancellations came too late: $(grep -c rpc.cancel "$W/orders.log")"
call query '{"repo":"orders","query":"cancel"}' >"$W/out"
jq -e '.results | length > 0' "$W/out" >/dev/null || fail "the shard does not answer afterwards: $(cat "$W/out")"
ok "the work of clients that disconnect is cancelled"

stop coordinator
rm "$W/url"
serve 500
before=$(grep -c rpc.cancel "$W/orders.log")
pause "$(pid_of orders)"
if atoll call query '{"repo":"orders","query":"cancel"}' >"$W/out"; then fail "a query succeeded without its shard"; fi
kill -CONT "$(pid_of orders)"
wait_for 10 cancels $((before + 1)) found=
ok "a deadline cancels the work too"
