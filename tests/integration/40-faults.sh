#!/bin/bash
# Members that die, hang or return: each is named, the results of the others are complete, answers meet their deadline.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
url=ipc://$W/run/coordinator.sock
port=$(free_port)
export ATOLL_URL=http://127.0.0.1:$port
deadline=$((slow > 1 ? 8000 : 5000))	# of searches, ms: those who are well keep it on a busy machine
coordinator() {
	start coordinator "$BIN/atoll-coordinator" --data "$W/data" --http "127.0.0.1:$port" --listen "$url" --ready-share 75 \
		--search-deadline-ms "${1:-$deadline}"
	wait_for 20 answers
}
shard() { start "$1" "$BIN/atoll-shard" --repo "$W/shop/$1" --data "$W/data-$1" --listen "ipc://$W/run/$1.sock" --coordinator "$url"; }
coordinator
for s in web users catalog orders; do shard $s; done
listed() { [ "$("$BIN/atoll" call list_repos | jq .total)" = 4 ]; }
wait_for 20 listed
call group_create "$(call list_repos | jq -c '{group: "shop", repos: [.repos[].repo_uri]}')" >/dev/null
ready shop 4
ask() { "$BIN/atoll" call group_query '{"group":"shop","query":"healthz","limit":50}'; }
whole() { ask | jq -e '.complete and ([.results[].repo_uri] | unique | length == 4)'; }
wait_for 20 whole

# without MEMBER: coverage names only this member, the three others answered
without() {
	jq -e --arg u "$1" '.complete == false and .coverage.answered == 3 and .coverage.members == 4 and
		(.coverage.failed | length == 1) and .coverage.failed[0].repo_uri == $u and .coverage.failed[0].code == "UNAVAILABLE" and
		(.coverage.failed[0].message | length > 0) and ([.results[].repo_uri] | unique | length == 3)' "$2" >/dev/null
}

# ---- killed ----
best_in_users() { "$BIN/atoll" call group_query '{"group":"shop","query":"close an account, its orders go with it","kinds":["function","method"],"limit":100}'; }
places() { jq -c '[(.results + (.similar // []))[] | select(.repo_uri != "github.com/atoll-shop/users") | [.repo_uri, .path, .start_line, .score]]' "$1"; }
vectors() { call list_repos | jq -e 'all(.repos[]; .vectors == "complete")'; }
wait_for 20 vectors
best_in_users >"$W/whole"
jq -e '.results[0].repo_uri == "github.com/atoll-shop/users" and (.results | length) < 100 and any((.results + (.similar // []))[]; .sources == ["vector"])' "$W/whole" >/dev/null ||
	fail "whose hit is the best: $(jq -c '(.results | length), .results[0]' "$W/whole")"
kill -KILL "$(pid_of users)"
ask >"$W/r" || fail "a dead member fails the answer"
without github.com/atoll-shop/users "$W/r" || fail "users is not named, or others are missing: $(jq -c '{complete, coverage}' "$W/r")"
best_in_users >"$W/r"
same "order and scores of the others, when the member with the best hit is away" "$(places "$W/r")" "$(places "$W/whole")"
[ "$(jq '.results | length' "$W/r")" -gt 3 ] || fail "too few results to compare their order: $(places "$W/r")"
rc=0; "$BIN/atoll" call query '{"repo":"users","query":"x"}' >"$W/r" || rc=$?
same "a question to the dead one alone" "$rc $(jq -r .error.code "$W/r")" "3 UNAVAILABLE"
returned() {
	stop users KILL
	shard users
	wait_for 20 whole
}
in_time 5 returned
ok "a killed shard is named, and within 5 s of its return the answer is complete"

# ---- metrics, dashboard and alert rules ----
all_healthy() {
	curl -fsS "$ATOLL_URL/metrics" >"$W/metrics"
	[ "$(grep -c '^atoll_shard_health{.*health="healthy"} 1$' "$W/metrics")" = 4 ]
}
wait_for 20 all_healthy
python3 "$ROOT/tests/metrics.py" "$W/metrics" >"$W/wrong" 2>&1 || fail "metrics, dashboard and rules: $(cat "$W/wrong")"
ok "/metrics has every metric of the dashboard and the rules"

# ---- hung: 16 clients at once ----
python3 - "$ATOLL_URL" "$W/r" $slow "$(pid_of users)" $deadline <<'PY' || fail "calls with a hung member failed"
import json, sys, threading, time, urllib.request
from pause_process import pause
url, out, slow, users = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
deadline = int(sys.argv[5]) / 1000
def post(tool, args):
    r = urllib.request.Request(f"{url}/api/v1/{tool}", json.dumps(args).encode(), {"Content-Type": "application/json"})
    began = time.monotonic()
    return urllib.request.urlopen(r, timeout=60).read(), time.monotonic() - began
def ask_16():
    """What 16 clients at once are told, each with its time; and the times of /healthz meanwhile."""
    answers, health = [], []
    def client():
        answers.append(post("group_query", {"group": "shop", "query": "healthz", "limit": 50}))
    threads = [threading.Thread(target=client) for _ in range(16)]
    for t in threads:
        t.start()
    while any(t.is_alive() for t in threads):
        began = time.monotonic()
        urllib.request.urlopen(url + "/healthz", timeout=60).read()
        health.append(time.monotonic() - began)
        time.sleep(0.02)
    return answers, sorted(health)
# The baseline: how long it takes on this machine, with its present load, when no member hangs.
answers, health = ask_16()
usual, usual_health = max(t for _, t in answers), health[-1]
pause(users)
answers, health = ask_16()
bad = []
# Most keep the deadline; one may meet a busy moment, but waits for no second deadline.
times = sorted(t for _, t in answers)
if times[len(times) // 2] > deadline * 1.1 + 3 * usual or times[-1] > deadline * 2 * slow:
    bad.append(f"answers after {times}, usually {usual:.3f}")
if health[len(health) // 2] > 0.25 * slow + usual_health or health[-1] > deadline * slow:
    bad.append(f"/healthz took {health[len(health) // 2]:.3f} s, the slowest {health[-1]:.3f} s")
for body, took in answers:
    a = json.loads(body)
    if a["complete"] or [f["repo_uri"] for f in a["coverage"]["failed"]] != ["github.com/atoll-shop/users"]:
        bad.append(f"coverage {a['coverage']}")
    if len({r["repo_uri"] for r in a["results"]}) != 3:
        bad.append(f"of the others: {sorted({r['repo_uri'] for r in a['results']})}, {len(a['results'])} results, {a['coverage']}")
open(out, "wb").write(answers[0][0])
print(f"16 answers, the slowest after {max(t for _, t in answers):.3f} s; {len(health)} × /healthz, the slowest {max(health) * 1000:.1f} ms")
print("\n".join(bad[:5]))
sys.exit(bool(bad) or len(answers) != 16)
PY
without github.com/atoll-shop/users "$W/r" || fail "the hung member is not named: $(jq -c .coverage "$W/r")"
jq -e '.coverage.failed[0].elapsed_ms | . >= 0 and . <= 2 * '$deadline "$W/r" >/dev/null || fail "elapsed time: $(jq -c .coverage "$W/r")"
ok "a hung member costs no more than the deadline, and /healthz answers meanwhile"

# A member known to be down fails at once.
down() { "$BIN/atoll" call group_status '{"group":"shop"}' |
	jq -e '.repos[] | select(.repo_uri == "github.com/atoll-shop/users") | .health == "down"'; }
wait_for 20 down
call group_status '{"group":"shop"}' | jq -e '.repos[] | select(.repo_uri == "github.com/atoll-shop/users") | .staleness_lag_commits == -1 and (.checked_at | test("Z$"))' >/dev/null ||
	fail "the lag of a member that is down: $(call group_status '{"group":"shop"}')"
call list_repos | jq -e '[.repos[] | select(.repo_uri == "github.com/atoll-shop/users").freshness.behind] == [-1]' >/dev/null || fail "the same in list_repos"
took=$(for _ in 1 2 3; do
	began=$(date +%s%N)
	ask >"$W/r"
	echo $((($(date +%s%N) - began) / 1000000))
done | sort -n | head -n 1)
[ "$took" -lt $((1000 * slow)) ] || fail "a member that is known to be down costs $took ms"
without github.com/atoll-shop/users "$W/r" || fail "it is no longer named"
kill -CONT "$(pid_of users)"
wait_for 20 whole
ok "a member that is known to be down costs no time, and answers again when it runs"

# ---- contracts keep the last good facts of a member that is away ----
call group_sync '{"group":"shop"}' | jq -e .complete >/dev/null || fail "group_sync failed"
call group_contracts '{"group":"shop","limit":1000}' | jq -cS '[.contracts, .totals]' >"$W/before"
stop orders KILL
call group_sync '{"group":"shop"}' >"$W/r"
jq -e '.complete == false and .coverage.failed[0].repo_uri == "github.com/atoll-shop/orders"' "$W/r" >/dev/null ||
	fail "the absent member is named: $(cat "$W/r")"
same "contracts without it" "$(call group_contracts '{"group":"shop","limit":1000}' | jq -cS '[.contracts, .totals]')" "$(cat "$W/before")"
pause "$(pid_of web)"
call group_sync '{"group":"shop"}' >"$W/r"
kill -CONT "$(pid_of web)"
jq -e '[.coverage.failed[].repo_uri] | sort == ["github.com/atoll-shop/orders", "github.com/atoll-shop/web"]' "$W/r" >/dev/null || fail "the hung member is not named: $(cat "$W/r")"
same "contracts without both" "$(call group_contracts '{"group":"shop","limit":1000}' |
	jq -cS '[.contracts, .totals]')" "$(cat "$W/before")"
same "whose are not of now" "$(call group_status '{"group":"shop"}' |
	jq -c '[.contracts_current, ([.repos[].contracts] | unique)]')" '[true,["current"]]'
shard orders
wait_for 20 whole
ok "members that are down or hang keep their last good facts"

# ---- the coordinator is killed ----
before=$(call group_list | jq -cS .)
kill -KILL "$(pid_of coordinator)"
wait_for 20 gone "$(pid_of coordinator)"
coordinator
same "groups" "$(call group_list | jq -cS .)" "$before"
wait_for 20 whole
same "contracts" "$(call group_contracts '{"group":"shop","limit":1000}' | jq -cS '[.contracts, .totals]')" "$(cat "$W/before")"
ok "a killed coordinator has its registry and tables when it restarts, and the shards join again"

# ---- and finds everybody within 2 s: those that it knew, and, on another disk, those that announce themselves ----
found_within() {	# from being ready to the last shard that answered, in ms
	python3 - "$W/coordinator.log" <<'PY'
import datetime, sys
when = {}
for line in open(sys.argv[1]):
    at = lambda: datetime.datetime.fromisoformat(line.split(" ", 1)[0].rstrip("Z"))
    if " coordinator.ready " in line:
        began = at()
    elif " member.health " in line and ("health=healthy" in line or "health=degraded" in line):
        when.setdefault(line.split("repo=")[1].split()[0], at())
print(round((max(when.values()) - began).total_seconds() * 1000) if len(when) == 4 else f"{len(when)} of 4")
PY
}
found() { [ "$(found_within)" -lt 1000000 ]; }
met() { [ "$("$BIN/atoll" call list_repos | jq '[.repos[] | select(.health == "healthy")] | length')" = 4 ]; }
for data in data elsewhere; do
	for try in 1 2 3 4 5 6; do	# the machine may have much else to do
		kill -KILL "$(pid_of coordinator)"
		wait_for 20 gone "$(pid_of coordinator)"
		[ $data = data ] || rm -rf "${W:?}/$data"
		sleep 2		# long enough for who dials to have become patient
		start coordinator "$BIN/atoll-coordinator" --data "$W/$data" --http "127.0.0.1:$port" --listen "$url"
		wait_for 20 met
		wait_for 20 found	# its log comes after what it tells of
		took=$(found_within)
		[ "$took" -gt $((2000 * slow)) ] || break
	done
	[ "$took" -le $((2000 * slow)) ] || fail "shards were found after $took ms by a coordinator on $data: $(cat "$W/coordinator.log")"
	echo "$data: all found after $took ms, try $try"
done
stop coordinator
coordinator
wait_for 20 whole
ok "a restarted coordinator finds all shards within 2 s, even with an empty registry"

# ---- a second shard of a repository: a replica, also when it only lags; other content is a conflict, and never answers ----
cp -r "$W/shop/users" "$W/users2"
commit() { echo "def $2(): pass" >>"$1/added.py"; git -C "$1" add -A; git -C "$1" -c user.name=a -c user.email=a@example.com commit -qm "$2"; }
start users2 "$BIN/atoll-shard" --repo "$W/users2" --data "$W/data-users2" --replica second \
	--listen "ipc://$W/run/users2.sock" --coordinator "$url"
users() { "$BIN/atoll" call group_status '{"group":"shop"}' |
	jq -e ".repos[] | select(.repo_uri == \"github.com/atoll-shop/users\") | $1"; }
wait_for 20 users '.conflict == null and ([.shards[].health] == ["healthy", "healthy"]) and (.shards[0].commit == .shards[1].commit)'
commit "$W/users2" zebra_ahead
wait_for 20 users '.conflict == null and ([.shards[].health] == ["healthy", "healthy"]) and (.shards[0].commit != .shards[1].commit)'
commit "$W/users2" zebra_further	# once this is known, what the first commit means has been decided
further=$(git -C "$W/users2" rev-parse HEAD)
wait_for 20 users "any(.shards[]; .commit == \"$further\")"
users '.conflict == null' >/dev/null || fail "a shard that only lags is in conflict: $(users .)"
ok "a shard with the same history is a replica, however far it lags"
commit "$W/shop/users" giraffe_here
wait_for 20 users '(.conflict | test("second: other content")) and .health == "healthy" and ([.shards[].conflict] == [false, true])'
finds() { "$BIN/atoll" call query "{\"repo\":\"users\",\"query\":\"$1\"}" >"$W/r" && grep -q "def $1" "$W/r"; }
wait_for 20 finds giraffe_here
for i in 1 2 3 4 5 6 7 8; do
	! finds zebra_ahead || fail "a shard in conflict answers"
done
"$BIN/atoll" doctor --data "$W/data" | grep -q 'warning.*conflict: second: other content' ||
	fail "doctor: $("$BIN/atoll" doctor --data "$W/data")"
curl -fsS "$ATOLL_URL/metrics" | grep -q '^atoll_shard_conflict{repo="github.com/atoll-shop/users",replica="second",.*} 1$' || fail "the metrics do not show the conflict"
git -C "$W/users2" fetch -q "$W/shop/users" && git -C "$W/users2" reset -q --hard FETCH_HEAD
wait_for 20 users '.conflict == null and ([.shards[].conflict] == [false, false]) and (.shards[0].commit == .shards[1].commit)'
ok "a shard with other content is listed but not queried, until it has the same history"

# ---- one of two stands still: the other one is asked as well, before anybody has noticed ----
answered_second() { curl -fsS "$ATOLL_URL/metrics" | sed -n 's/^atoll_hedges_total{what="won"} //p'; }
before=$(answered_second)
for which in users2 users; do
	pause "$(pid_of $which)"
	for i in 1 2 3 4 5 6; do
		ask >"$W/r"
		jq -e '.complete and ([.results[].repo_uri] | unique | length == 4) and all(.results[]; .snippet != "")' "$W/r" >/dev/null ||
			fail "$which of two stands still: $(jq -c '{complete, coverage, took_ms, results: [.results[] | {repo_uri, snippet}]}' "$W/r")"
	done
	kill -CONT "$(pid_of $which)"
	wait_for 20 users '[.shards[].health] == ["healthy", "healthy"]'
done
[ "$(answered_second)" -gt "$before" ] || fail "no hedged request was sent: $(curl -fsS "$ATOLL_URL/metrics" | grep hedges)"
ok "a hung replica does not fail an answer"
call repo_analyze '{"repo":"users","force":true}' >/dev/null
forced_at_both() { grep -q 'ingest.done .*how=forced' "$W/users.log" && grep -q 'ingest.done .*how=forced' "$W/users2.log"; }
wait_for 20 forced_at_both
wait_for 20 users '[.shards[].health] == ["healthy", "healthy"]'
stop users2
ok "a job reaches all shards of a repository"

# ---- a coordinator that ends says so to those whom it cannot answer any more: no member is to blame ----
stop coordinator
coordinator 60000	# the deadline is not over before it ends
wait_for 20 whole
pause "$(pid_of users)"
curl -s -m 60 -w '\n%{http_code}' -d '{"group":"shop","query":"healthz"}' -H 'Content-Type: application/json' \
	"$ATOLL_URL/api/v1/group_query" >"$W/r" &
asking=$!
is_asked() { curl -fsS "$ATOLL_URL/metrics" |
	grep -q '^atoll_asked_requests [1-9]'; }	# by a question: a sync of the contracts may ask it, too
wait_for 10 is_asked
stop coordinator
wait $asking || fail "waiting clients get no answer when the coordinator stops: $(cat "$W/r")"
same "what is said at the end" "$(tail -n 1 "$W/r") $(head -n 1 "$W/r" |
	jq -r '.error | "\(.code) \(.message)"')" "503 UNAVAILABLE the coordinator is shutting down"
kill -CONT "$(pid_of users)"
coordinator
wait_for 20 whole
ok "a coordinator that stops does not blame its members"

# ---- all away: every one is named ----
wait_for 20 curl -fsS "$ATOLL_URL/readyz"
for s in web users catalog orders; do stop $s KILL; done
ask >"$W/r"
jq -e '.complete == false and (.coverage.failed | length == 4) and .results == []' "$W/r" >/dev/null || fail "not all members are named: $(cat "$W/r")"
unready() { curl -s "$ATOLL_URL/readyz" | grep -q '"0 of 4 repositories have a shard that answers, --ready-share is 75"'; }
wait_for 10 unready
same "/readyz with --ready-share" "$(curl -s -o /dev/null -w '%{http_code}' "$ATOLL_URL/readyz")" 503
ok "when no member answers, all are named"
