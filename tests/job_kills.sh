# job_kills.sh: kills a coordinator and shards while jobs run; sourced after lib.sh and shard.sh.
#   job_kills N      N times: request an update or a rebuild, and SIGKILL the coordinator or the shard at some instant.
#                    Shards do not follow commits by themselves, so only a job brings an index up to date.  At the end every
#                    accepted job is done, none holds a lease, and each index equals a fresh build.

_coordinator() {
	start coordinator atoll-coordinator --data "$W/data" --http "127.0.0.1:$_port" --listen "ipc://$W/c.sock" --probe-interval-ms 200 \
		--job-lease-ms $((400 * slow)) --job-backoff-ms 100 --job-tries 100 --sync-delay-ms 0
	wait_for 20 answers
}
_shard() {
	rm -f "$W/$1.ipc"
	start "$1" atoll-shard --repo "$W/$1" --data "$W/data" --listen "ipc://$W/$1.ipc" --coordinator "ipc://$W/c.sock" \
		--embedder none --poll-ms 0
}
_kill() {
	kill -KILL "$(pid_of "$1")"
	wait "$(pid_of "$1")" 2>/dev/null || true
}
_uri() { call list_repos | jq -r --arg n "$1-" '.repos[] | select(.name | startswith($n)) | .repo_uri'; }
_joined() { [ "$(call list_repos | jq '[.repos[] | select(.status == "ready")] | length')" = 2 ]; }
_ended() { [ "$(call job_list '{"limit":200}' | jq '[.jobs[] | select(.state == "queued" or .state == "running")] | length')" = 0 ]; }
_reached() { rpc "$1" health >/dev/null 2>&1; }
_hash() {
	rpc "$1" --stamp health >"$W/stamp" && python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["stamp"]["graph_hash"])' "$W/stamp"
}

job_kills() {
	_port=$(free_port)
	export ATOLL_URL=http://127.0.0.1:$_port
	make_repo "$W/one"
	make_repo "$W/two"
	_coordinator
	_shard one
	_shard two
	wait_for 30 _joined
	_one=$(_uri one)
	_two=$(_uri two)
	: >"$W/asked"
	_i=0
	while [ "$_i" -lt "$1" ]; do
		_i=$((_i + 1))
		_repo=one _u=$_one
		[ $((RANDOM % 2)) -eq 0 ] || _repo=two _u=$_two
		printf 'def made_%s():\n    return %s\n' "$_i" "$_i" >"$W/$_repo/src/made_$((_i % 5)).py"
		commit "$W/$_repo" "commit $_i"
		_force=false
		[ $((RANDOM % 3)) -ne 0 ] || _force=true
		call repo_analyze "{\"repo_uri\":\"$_u\",\"force\":$_force}" | jq -r .job >>"$W/asked"
		sleep "0.0$((RANDOM % 10))"
		_victim=$_repo
		[ $((RANDOM % 2)) -eq 0 ] || _victim=coordinator
		_kill $_victim
		[ $_victim = two ] || rpc two search '{"query":"load_users","limit":1}' >/dev/null || fail "the other index answers after kill $_i"
		case $_victim in coordinator) _coordinator ;; *) _shard $_victim ;; esac
		wait_for 20 _reached $_repo
		rpc $_repo search '{"query":"load_users","limit":1}' >"$W/r" 2>&1 || fail "an index answers after kill $_i of $_victim: $(cat "$W/r")"
	done
	wait_for 60 _ended
	call job_list '{"limit":200}' >"$W/jobs"
	while read -r _id; do
		jq -e --arg i "$_id" '.jobs[] | select(.id == $i) | .state == "done"' "$W/jobs" >/dev/null ||
			fail "job $_id: $(jq -c --arg i "$_id" '.jobs[] | select(.id == $i)' "$W/jobs")"
	done <"$W/asked"
	for _repo in one two; do
		atoll-shard --repo "$W/$_repo" --data "$W/fresh" --once --json --embedder none >"$W/json" 2>/dev/null || fail "a fresh build of $_repo"
		same "the index of $_repo" "$(_hash $_repo)" "$(json "$W/json" graph_hash)"
		atoll repo analyze "$(_uri $_repo)" --wait 2>"$W/r" || fail "no lock is left: $(cat "$W/r")"
	done
	echo "$(sort -u "$W/asked" | wc -l) jobs, $(jq '[.jobs[].lost] | add' "$W/jobs") times their coordinator was lost, $(jq '[.jobs[].waits] | add' "$W/jobs") times their shard"
}
