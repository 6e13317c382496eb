#!/bin/bash
# One federation in which each repository has another fault: every interface names its cause and number, and no answer that the
# fault could change is complete.  A fault is a row of the table and a function of tests/faults.py.  26-walk-deadline plays walks
# that run out of time.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

python3 -IS "$ROOT/tests/faults.py" "$W/r" || fail "the repositories could not be made"
cat >"$W/table" <<'END'
# name            effect   cause             number  example
whole             none     -                 0       -
missing-image     none     -                 0       -
missing           files    missing           1       lost.py
missing-folder    files    missing           1       sub/
corrupt-loose     files    corrupt           1       lost.py
corrupt-pack      files    corrupt           1       lost.py
blobless          files    partial-clone     4       kept.py
bad-name          files    bad-name          4       (no
bad-mode          files    bad-mode          2       device.py
duplicate-entry   files    duplicate-entry   2       kept.py
wrong-type        files    wrong-type        1       tree.py
malformed-folder  files    malformed-folder  1       /
too-deep          files    too-deep          1       deep/d/
shallow           history  shallow           1       -
too-large         limit    too-large         1       large.py
sha256            failed   named_by_SHA-256  -       -
no-head           failed   lacks_HEAD        -       -
no-objects        failed   is_missing        -       -
END
n=$(grep -vc '^#' "$W/table")
export ATOLL_EMBEDDER=none
up --group faults "$W"/r/*
all_in() {
	atoll call group_status '{"group":"faults"}' | jq -e --argjson n "$n" \
		'[.repos[] | select(.status == "failed" or (.status == "ready" and .contracts == "current"))] | length == $n' >/dev/null
}
wait_for 60 all_in
counted() { atoll call status '{}' | jq -e 'all(.repos[]; .phase != "count")' >/dev/null; }
wait_for 20 counted

told() {
	atoll status >"$W/status" && atoll group status faults >"$W/group_status" && curl -s "$ATOLL_URL/metrics" >"$W/metrics"
	atoll doctor >"$W/doctor" || true
}
told
python3 -IS "$ROOT/tests/fault_matrix.py" "$ATOLL_URL" faults "$W/table" "$W" >"$W/wrong" || fail "$(cat "$W/wrong")"
ok "$n repositories: API, MCP, status, doctor, metrics and the page's data name cause and number"

# What can be read again leaves the count when the repository is analyzed; the commit is the same.
name=$(atoll call list_repos '{"repo":"missing"}' | jq -r '.repos[0].name')
blob=$(git -C "$W/base" rev-parse HEAD:lost.py)
mkdir -p "$W/r/missing/.git/objects/${blob:0:2}"
cp "$W/base/.git/objects/${blob:0:2}/${blob:2}" "$W/r/missing/.git/objects/${blob:0:2}/"
atoll repo analyze "$name" --wait >/dev/null || fail "repo analyze"
call query "$(jq -nc --arg r "$name" '{repo: $r, query: "lost_one"}')" >"$W/out"
is "what was lost is found" '.results[0].path == "lost.py"' true
is "and the answer is complete" '[.complete, .coverage, .freshness.gaps]' '[true,null,null]'
ok "a repaired repository is whole after repo analyze"

# Somebody who may not see a damaged repository does not learn of it.
whole=$(atoll call list_repos '{"repo":"whole"}' | jq -r '.repos[0].name')
ATOLL_TOKEN=$(atoll token create --name admin 2>/dev/null)
export ATOLL_TOKEN
token=$(atoll token create --name outsider --repo "$whole" 2>/dev/null)
for tool in group_query group_contracts group_status; do
	arguments='{"group":"faults"}'
	[ $tool != group_query ] || arguments='{"group":"faults","query":"orders"}'
	ATOLL_TOKEN=$token atoll call $tool "$arguments" >"$W/out"
	is "$tool of an outsider" '[.complete, .coverage.members, (.coverage.partial // []), (.coverage.notes // [] | map(select(.code != "NO_INDEX")))]' '[true,1,[],[]]'
done
ok "hidden repositories' faults are hidden"
