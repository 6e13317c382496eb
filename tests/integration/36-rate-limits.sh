#!/bin/bash
# Limits for one caller, time limits for clients, and the log line of each call.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop"
start orders atoll-shard --repo "$W/shop/orders" --data "$W/d" --listen "ipc://$W/orders.sock"
start coordinator atoll-coordinator --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" --shard "ipc://$W/orders.sock" \
	--ready-file "$W/url" --search-deadline-ms 60000 --probe-interval-ms 1000 --sync-delay-ms 0 --limit-local --calls-at-once 4 \
	--calls-per-second 2 --calls-burst 10 --streams 2 --sessions 3 --session-idle-s 16 --idle-timeout-ms 1500 \
	--request-timeout-ms 1000 --answer-timeout-ms 1500 --conformance
wait_for 10 test -s "$W/url"
ATOLL_URL=$(cat "$W/url")
export ATOLL_URL
wait_for 30 curl -fsS "$ATOLL_URL/readyz"
python3 "$ROOT/tests/mcp/limits.py" "$ATOLL_URL" "$(pid_of orders)" || fail "limits failed"

python3 "$ROOT/tests/page/events.py" "$ATOLL_URL" >"$W/out" 2>&1 || fail "events of the page: $(cat "$W/out")"
if grep ' info .* tool=live .*outcome=ok' "$W/coordinator.log"; then fail "requests that come every second fill the log"; fi
start page curl -sSN "$ATOLL_URL/api/v1/events"	# who still listens when it stops
ok "events of the page: $(cat "$W/out")"

# ---- the log ----
sleep 4		# whoever asked for events has asked a lot
call query '{"repo":"orders","query":"a password of mine"}' >/dev/null
"$BIN/atoll" call query '{"repo":"hunter2","query":"x"}' >/dev/null 2>&1 && fail "an unknown repository is accepted"
"$BIN/atoll" call open_file '{"repo":"orders","path":"hunter2","nonsense":"hunter2"}' >/dev/null 2>&1 && fail "an unknown argument is accepted"
line() { grep -E "info coordinator call req=[0-9a-f]{16} caller=local via=$1 tool=$2 repos=$3 outcome=$4 ms=[0-9]+\$" "$W/coordinator.log"; }
orders='[^ ]*/orders'
line api query "$orders" ok >/dev/null || fail "a call is not logged: $(tail -n 4 "$W/coordinator.log")"
line api query - NOT_FOUND >/dev/null || fail "a failed call is not logged"
line api open_file - INVALID_INPUT >/dev/null || fail "a call with wrong arguments is not logged"
line mcp query "$orders" ok >/dev/null || fail "a call over MCP is not logged"
line "(api|mcp)" group_list - ok >/dev/null || fail "a call without repositories is not logged"
line resource group_list - ok >/dev/null || fail "a resource is not logged"
line completion query "$orders" ok >/dev/null || fail "a completion is not logged"
grep -E 'call caller=local via=mcp tool=(resources/list|completion/complete) repos=- outcome=ok ms=[0-9]+$' "$W/coordinator.log" >/dev/null ||
	fail "methods that are no tools"
n=$(grep -c 'outcome=RATE_LIMITED' "$W/coordinator.log")
all=$(curl -fsS "$ATOLL_URL/metrics" | sed -n 's/^atoll_refused_total{why="rate"} //p')
[ "$n" -lt $((all / 2)) ] || fail "$n lines of $all refusals"
grep -qE 'outcome=RATE_LIMITED ms=[0-9]+ calls=([2-9]|[1-9][0-9])' "$W/coordinator.log" || fail "refusals are not logged together"
if grep -E 'hunter2|password|cancelled' "$W/coordinator.log"; then fail "the log contains a question"; fi
ok "each call has a log line, without its question"

# ---- one caller does not affect another ----
ATOLL_TOKEN=$("$BIN/atoll" token create --name admin)
export ATOLL_TOKEN
ann=$("$BIN/atoll" token create --name ann --read-only)
bob=$("$BIN/atoll" token create --name bob --repo orders)
list() { curl -s -o "$W/body" -w '%{http_code}' -H "Authorization: Bearer $1" -H 'Content-Type: application/json' -d '{}' "$ATOLL_URL/api/v1/list_repos"; }
# all on one connection: with a process for each, a busy machine would need longer than the limit
codes=" $(for _ in $(seq 40); do echo "url = $ATOLL_URL/api/v1/list_repos"; echo 'output = /dev/null'; done |
	curl -s -w '%{http_code} ' -H "Authorization: Bearer $ann" -H 'Content-Type: application/json' -d '{}' -K -)"
case $codes in *" 200 429"*) ;; *) fail "ann: $codes" ;; esac
same "bob is not ann" "$(list "$bob")" 200
for _ in $(seq 30); do echo "url = $ATOLL_URL/api/v1/list_repos"; echo 'output = /dev/null'; done |
	curl -s -H 'Authorization: Bearer atoll_0000000000000000000000000000000000000000' -H 'Content-Type: application/json' -d '{}' -K -
says() { curl -s -H "Authorization: Bearer $1" "$ATOLL_URL/metrics"; }
says "$ATOLL_TOKEN" | grep -q '^atoll_refused_total{why="unknown"} 30$' ||
	fail "wrong tokens are counted: $(says "$ATOLL_TOKEN" | grep refused)"
if says "$bob" | grep -E 'refused|request'; then fail "bob learns what others asked"; fi
grep -q 'caller=ann via=api tool=list_repos repos=- outcome=RATE_LIMITED' "$W/coordinator.log" || fail "ann is not in the log"
grep -q 'caller=bob via=api tool=list_repos repos=- outcome=ok' "$W/coordinator.log" || fail "bob is not in the log"
n=$(grep -c 'caller=nobody via=http tool=/api/v1/\* repos=- outcome=401' "$W/coordinator.log")	# one in a second
[ "$n" -ge 1 ] && [ "$n" -lt 20 ] || fail "30 wrong tokens have $n lines in the log"
for secret in "$ATOLL_TOKEN" "$ann" "$bob"; do
	if grep -F "$secret" "$W/coordinator.log"; then fail "the log contains a token"; fi
done
ok "calls of one caller do not count for another"
same "a stream without a token, since there are tokens" "$(curl -s -o "$W/body" -w '%{http_code}' "$ATOLL_URL/api/v1/events")" 401
wait_for 10 gone "$(pid_of page)"
start page curl -sSN -H "Authorization: Bearer $bob" "$ATOLL_URL/api/v1/events"
wait_for 10 grep -q '^data: {"repos":' "$W/page.log"
stop coordinator
ok "the page's event stream ends when its token does, and when the coordinator stops"
