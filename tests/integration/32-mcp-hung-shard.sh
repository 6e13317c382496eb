#!/bin/bash
# Clients that wait for a hung shard do not block /healthz, other tools or the shutdown.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop"
deadline=$((slow > 1 ? 30000 : 20000))
for s in users orders; do
	start "$s" "$BIN/atoll-shard" --repo "$W/shop/$s" --data "$W/data-$s" --listen "ipc://$W/$s.sock"
done
for s in users orders; do wait_for 30 "$BIN/atoll-shard" --probe "ipc://$W/$s.sock"; done
start coordinator "$BIN/atoll-coordinator" --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" \
	--shard "ipc://$W/users.sock" --shard "ipc://$W/orders.sock" --ready-file "$W/url" \
	--search-deadline-ms $deadline --probe-interval-ms 60000	# it is asked, not probed, when it hangs
wait_for 10 test -s "$W/url"
ATOLL_URL=$(cat "$W/url")
export ATOLL_URL
wait_for 30 curl -fsS "$ATOLL_URL/readyz"
call group_create '{"group":"shop","repos":["users","orders"]}' >/dev/null
ready shop 2

pause "$(pid_of orders)"
ask() {
	curl -sS -m 60 -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":'"$1"',"method":"tools/call",
		"params":{"name":"group_query","arguments":{"group":"shop","query":"order"}}}' "$ATOLL_URL/mcp" >"$W/answer.$1"
}
# The number of requests that it has not answered.
waits() { [ "$(curl -fsS "$ATOLL_URL/metrics" | sed -n 's|^atoll_shard_in_flight_requests{repo="[^"]*/orders".*} ||p')" -ge "$1" ]; }
asking=
for i in $(seq 16); do
	ask "$i" &
	asking="$asking $!"
done
# The third fastest of five, as the machine may be busy for a moment; blocked calls would all take the rest of the deadline.
third() {
	for _ in 1 2 3 4 5; do
		t0=$(date +%s%N)
		"$@" >/dev/null || fail "$*"
		echo $((($(date +%s%N) - t0) / 1000000))
	done | sort -n | sed -n 3p
}
wait_for 15 waits 16
ms=$(third curl -fsS -m 60 "$ATOLL_URL/healthz")
[ "$ms" -lt $((2000 * slow)) ] || fail "healthz took $ms ms"
ms=$(third call group_list)
[ "$ms" -lt $((2000 * slow)) ] || fail "group_list took $ms ms"
[ ! -s "$W/answer.1" ] || fail "the clients did not wait: $(cat "$W/answer.1")"
ok "16 waiting clients block nothing"

# shellcheck disable=SC2086
wait $asking
for i in $(seq 16); do
	jq -e '.result.structuredContent | .complete == false and .coverage.answered == 1 and
		(.coverage.failed | length) == 1 and .coverage.failed[0].code == "UNAVAILABLE"' "$W/answer.$i" >/dev/null ||
		fail "answer $i: $(cat "$W/answer.$i")"
	jq -re '.result.content[0].text' "$W/answer.$i" | grep -q '^complete: no$' || fail "text of answer $i"
done
ok "each answer has the results of the other shard, and the reason for the missing ones"

# A shard that left so many requests unanswered is skipped for a while, so it answers once and then hangs again.
kill -CONT "$(pid_of orders)"
whole() { "$BIN/atoll" call group_query '{"group":"shop","query":"order"}' | jq -e .complete; }
wait_for 20 whole
pause "$(pid_of orders)"
ask 17 &
waiting=$!
questions() { curl -fsS "$ATOLL_URL/metrics" | grep -q '^atoll_asked_requests [1-9]'; }
wait_for 10 questions
began=$(date +%s)
stop coordinator
took=$(($(date +%s) - began))
[ $took -lt $((deadline / 1000 - 5)) ] || fail "it exited after $took s, as if it had waited for the deadline"
wait $waiting
jq -e '.error.code == "UNAVAILABLE" or .result.isError or .result.structuredContent.complete == false' "$W/answer.17" \
	>/dev/null || fail "the answer at shutdown: $(cat "$W/answer.17")"
ok "the shutdown is prompt, and waiting clients get an answer"
kill -CONT "$(pid_of orders)"
