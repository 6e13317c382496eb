#!/bin/bash
# The rows of the reference document's table "Fallback to full re-index", each as an `update` job, on a shallow mirror of a URL.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
make_repo "$W/a"
git clone -q --bare "$W/a" "$W/a.git"
port=$(free_port)
export ATOLL_URL=http://127.0.0.1:$port
start coordinator atoll-coordinator --data "$W/data" --http "127.0.0.1:$port" --listen "ipc://$W/c.sock" --probe-interval-ms 300
wait_for 20 answers
start shard atoll-shard --repo "file://$W/a.git" --data "$W/data" --listen "ipc://$W/shard.ipc" \
	--coordinator "ipc://$W/c.sock" --shallow --embedder none
is_ready() { call list_repos | jq -e '.repos[0].status == "ready"'; }
wait_for 20 is_ready
of() { call list_repos | jq -r ".repos[0].freshness.$1"; }

# update: index what has been pushed; sets $generation (before it) and $note (of the job)
update() {
	id=$(call jobs '{"kind":"update"}' | jq -r .job.id)
	ended() { call job_show "{\"id\":\"$id\"}" | jq -e .ended_at; }
	wait_for 30 ended
	call job_show "{\"id\":\"$id\"}" >"$W/job"
	same "state of the job" "$(jq -r .state "$W/job")" done
	note=$(jq -r .note "$W/job")
}
push() { git -C "$W/a" push -q "$@" "$W/a.git" HEAD:main; }
# fresh: the index equals a build from scratch
fresh() {
	rm -rf "$W/fresh"
	atoll-shard --repo "$W/a" --data "$W/fresh" --once --json --embedder none >"$W/json" 2>/dev/null || fail "the index differs from a fresh build"
	rpc shard --stamp health >"$W/stamp"
	same "$1: the index" "$(json "$W/stamp" stamp graph_hash)" "$(json "$W/json" graph_hash)"
	same "$1: the commit" "$(json "$W/stamp" stamp commit)" "$(git -C "$W/a" rev-parse HEAD)"
}
found() { call query "{\"query\":\"$1\"}" | jq --arg n "$1" '[.results[] | select(.name == $n)] | length'; }

# "base_sha not in shallow clone (force push, rebase)"
printf 'def after_rebase():\n    return 1\n' >"$W/a/src/rebased.py"
git -C "$W/a" add -A
git -C "$W/a" -c user.name=t -c user.email=t@example.com commit -q --amend -m rewritten --date=2026-02-02T00:00:00Z
push -f
update
fresh "force push"
same "force push: what came" "$(found after_rebase)" 1
ok "base_sha not in shallow clone (force push, rebase): indexed from scratch"

# "Diff returns non-zero exit code": the indexed commit can no longer be read
for m in "$W"/data/repo_*/mirror*; do [ ! -d "$m" ] || mirror=$m; done
[ -d "${mirror:-}" ] || fail "no mirror: $(ls "$W"/data/repo_*)"
rm -rf "$mirror"
printf 'def after_loss():\n    return 1\n' >"$W/a/src/lost.py"
commit "$W/a" "after the loss"
push
update
fresh "a lost mirror"
same "a lost mirror: what came" "$(found after_loss)" 1
ok "diff returns non-zero exit code: indexed from scratch"

# "Changed file list is empty"
before=$(of graph_hash)
update
same "no push: the note" "$note" "nothing to do: the head is indexed"
git -C "$W/a" -c user.name=t -c user.email=t@example.com commit -q --allow-empty -m empty
push
update
fresh "an empty commit"
same "an empty commit: the graph" "$(json "$W/stamp" stamp graph_hash)" "$before"
ok "changed file list is empty: no-op"

# "File deleted in push"
git -C "$W/a" rm -q src/lost.py
commit "$W/a" "a file less"
push
update
fresh "a deleted file"
same "a deleted file: what it held" "$(found after_loss)" 0
same "a deleted file: the others" "$(found after_rebase)" 1
ok "file deleted in push: its documents are removed and not created again"
