#!/bin/bash
# Jobs: ten requests are one run, jobs survive the death of either side, they can be cancelled, and failures are reported.
# An ingest waits for a slot of its machine, so the test can hold builds for as long as it wants.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
make_repo "$W/a"
make_repo "$W/b"
mkdir "$W/slots"
: >"$W/slots/0"
url=ipc://$W/c.sock
port=$(free_port)
export ATOLL_URL=http://127.0.0.1:$port
coordinator() {
	start coordinator atoll-coordinator --data "$W/data" --http "127.0.0.1:$port" --listen "$url" --probe-interval-ms $((300 * slow)) \
		--job-lease-ms $((slow > 1 ? 8000 : 5000)) --job-backoff-ms $((slow > 1 ? 6000 : 3000)) --job-tries 2 "$@"
	wait_for 20 answers
}
shard() { start "$1" atoll-shard --repo "$W/$1" --data "$W/data" --listen "ipc://$W/$1.ipc" --coordinator "$url" \
	--ingest-slots "$W/slots" --embedder none; }
of() { call list_repos | jq -r --arg n "$1" ".repos[] | select(.name | startswith(\$n)) | $2"; }
is() { [ "$(of "$1" "$2")" = "$3" ]; }
job() { call job_show "{\"id\":\"$1\"}" | jq -r "$2"; }
job_is() { [ "$(job "$1" "$2")" = "$3" ]; }
force() { call repo_analyze "{\"repo\":\"$a\",\"force\":true}" | jq -r .job; }

coordinator
shard a
wait_for 20 is a- .status ready
a=$(of a- .name)

# ---- the rules ----
same "a fresh index" "$(call jobs "{\"kind\":\"build\",\"repo\":\"$a\"}" | jq -c '[.enqueued, .reason, .job]')" '[false,"fresh",null]'
rc=0; atoll call jobs "{\"kind\":\"bake\",\"repo\":\"$a\"}" >"$W/r" || rc=$?
same "an unknown kind" "$rc $(jq -r .error.code "$W/r")" "3 INVALID_INPUT"
rc=0; atoll jobs show nobody 2>"$W/r" || rc=$?
same "an unknown job" "$rc $(grep -c NOT_FOUND "$W/r")" "3 1"
hold
shard b
b_is_there() { [ -n "$(of b- .name)" ]; }
wait_for 20 b_is_there
rc=0; atoll call query "{\"repo\":\"$(of b- .name)\",\"query\":\"users\"}" >"$W/r" || rc=$?
same "a question to what was never indexed" "$rc $(jq -r .error.code "$W/r")" "3 NO_INDEX"
due() { of b- '.indexing.job | strings' | grep -q .; }
wait_for 20 due
first=$(of b- .indexing.job)
statuses() { of b- .status; of b- .indexing.status; call repo_status "{\"repo\":\"$(of b- .name)\"}" | jq -r .status; }
one_status() { [ "$(statuses | sort -u)" = building ]; }
wait_for 10 one_status
same "it is due by itself" "$(job "$first" '[.kind, .reason, .caller] | join(" ")')" "build never indexed schedule"
release
wait_for 20 job_is "$first" .state done
wait_for 10 is b- .indexing.status ready
"$BIN/atoll" jobs show "$first" >"$W/r"
same "what happened to it, in the terminal" "$(sed -n '3,$p' "$W/r" | awk '{print $2}' | uniq | paste -sd' ')" "queued running done"
ok "a repository without an index is built, a fresh one is not"

# ---- ten requests; the coordinator is killed in the middle ----
hold
generation=$(of a- .freshness.generation)
id=$(force)
wait_for 10 job_is "$id" .phase wait
jobs=$(echo "$id"; for i in $(seq 9); do force & done; wait)
kinds() { call job_list '{"limit":2}' | jq -c --arg ids "$jobs" '[.jobs[] | select(.id as $i | $ids | contains($i)) | .kind] | sort'; }
same "jobs of ten requests" "$(kinds)" '["build","update"]'	# the update behind it, as the head may have moved
same "no others" "$(echo "$jobs" | sort -u | wc -l)" 2
same "one more, unforced" "$(call jobs "{\"kind\":\"build\",\"repo\":\"$a\",\"force\":true}" |
	jq -c '[.enqueued, .reason]')" '[false,"running"]'
same "metadata" "$(of a- '[.status, .indexing.status] | join(" ")')" "ready building"
call query "{\"repo\":\"$a\",\"query\":\"load_users\"}" | jq -e '.results | length > 0' >/dev/null || fail "the old index does not answer meanwhile"
kill -KILL "$(pid_of coordinator)"
wait_for 20 gone "$(pid_of coordinator)"
coordinator
lost() { [ "$(job "$id" '[.state, .lost] | join(" ")')" = "running 1" ]; }
wait_for 30 lost
release
wait_for 20 job_is "$id" .state done
same "its generation" "$(job "$id" .generation)" $((generation + 1))
same "builds of the shard" "$(forced)" 1
ok "ten requests are one build, which survives a killed coordinator"

# ---- the shard is killed in the middle ----
hold
id=$(force)
wait_for 10 job_is "$id" .phase wait
stop a KILL
rm -f "$W/a.ipc"
waits() { [ "$(job "$id" '[.state, .code] | join(" ")')" = "queued UNAVAILABLE" ]; }
wait_for 20 waits
listed() { atoll jobs list --state queued | grep -q "$id.*UNAVAILABLE"; }
wait_for 10 listed	# it is tried every now and then
shard a
release
wait_for 30 job_is "$id" .state done
wait_for 10 is a- .freshness.generation $((generation + 2))
same "tries" "$(job "$id" .tries)" 0
ok "a job waits for a shard that is down"

# ---- cancel ----
hold
id=$(force)
wait_for 10 job_is "$id" .phase wait
atoll jobs cancel "$id" >/dev/null || fail "cancelling failed"
wait_for 10 job_is "$id" '[.state, .cancelled] | tostring' '["failed",true]'
wait_for 10 grep -q "ingest.stopped .*$id" "$W/a.log"	# the shard was told
release
rc=0; atoll jobs cancel "$id" 2>"$W/r" || rc=$?
same "a second time" "$rc $(grep -c INVALID_INPUT "$W/r")" "3 1"
atoll repo analyze "$a" --wait 2>"$W/r" || fail "repo analyze after cancelling: $(cat "$W/r")"
grep -q 'nothing to do' "$W/r" || fail "the head was indexed nevertheless: $(cat "$W/r")"
same "generation" "$(of a- .freshness.generation)" $((generation + 2))
ok "cancelling reaches the shard, and the old index stays"

# ---- failures ----
mv "$W/a/.git" "$W/a/gone"
rc=0; atoll repo analyze "$a" --force --wait 2>"$W/r" || rc=$?
same "analyze of a repository that is gone" "$rc" 3
grep -q 'is retried at' "$W/r" || fail "the next attempt is not announced: $(cat "$W/r")"
id=$(call job_list '{"kind":"build","limit":1}' | jq -r '.jobs[0].id')
wait_for 20 job_is "$id" '[.state, .tries] | tostring' '["failed",2]'
atoll jobs list --state failed | grep -q "$id" || fail "the list of failed jobs is wrong"
same "metadata" "$(of a- .indexing.status)" failed
of a- .indexing.last_error | grep -q . || fail "the last error is missing"
atoll status | grep -q "$a .*next attempt at" || fail "status does not show the failure: $(atoll status)"
of a- .indexing.next_run | grep -q . || fail "the next run is missing"
call query "{\"repo\":\"$a\",\"query\":\"load_users\"}" | jq -e '.results | length > 0' >/dev/null || fail "the old index does not answer"
mv "$W/a/gone" "$W/a/.git"
atoll repo analyze "$a" --force --wait 2>"$W/r" || fail "after the repository is back: $(cat "$W/r")"
same "metadata" "$(of a- .indexing.status)" ready
none_left() { [ "$(call job_list | jq '[.jobs[] | select(.state == "queued" or .state == "running")] | length')" = 0 ]; }
wait_for 20 none_left		# also the update behind it
curl -fsS "$ATOLL_URL/metrics" >"$W/metrics"
grep -q '^atoll_jobs_ended_total{outcome="failed"} 1$' "$W/metrics" || fail "metrics: $(grep atoll_jobs "$W/metrics")"
ok "a failed job is retried, then reported, and the old index answers"

# ---- what is old is looked at by itself ----
stop coordinator
coordinator --index-max-age 2
old() {
	call job_list '{"kind":"build"}' | jq -e '.jobs[] | select(.reason == "old" and .caller == "schedule" and
		.state == "done" and .note == "nothing to do: the head is indexed")'
}
wait_for 30 old
same "jobs that a stop lost" "$(call job_list | jq '[.jobs[].lost] | add')" 1
ok "an old index is rebuilt automatically, and one at its head is left alone"
