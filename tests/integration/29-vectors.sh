#!/bin/bash
# Vectors: a paraphrase is found without a common word; only changed documents are embedded; crashes and failures lose nothing;
# members with different embedders are told apart.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"

coordinate m
well() {	# the coordinator asks this process, not the one before
	grep -q announce.done "$W/$1.log" || return 1
	_uri=$(rpc "$1" hello | jq -r .repo_uri)
	"$BIN/atoll" call query "{\"repo_uri\":\"$_uri\",\"query\":\"is it there\",\"mode\":\"lexical\"}" >/dev/null
}
shard() {
	serve "$@" --data "$W/d" --coordinator "ipc://$W/m.ipc"
	wait_for 20 well "$1"
}
status() { rpc "$1" status | jq -r ".$2 // empty"; }
status_is() { [ "$(status "$1" "$2")" = "$3" ]; }
complete() { status_is "$1" vectors complete; }
# embedded NAME: the number of vectors that each run of the shard's embedding child made
embedded() { sed -n 's/.* vectors\.done .* embedded=\([0-9]*\) .*/\1/p' "$W/$1.log" | tr '\n' ' '; }

# ---- no word in common with the question ----
git init -q -b main "$W/a"
mkdir "$W/a/src"
printf 'def sign_in(name, secret):\n    """Log a person in with a password."""\n    return name == secret\n' >"$W/a/src/one.py"
printf 'def draw_chart(values):\n    """Plot the values on a canvas."""\n    for v in values:\n        print(v * "#")\n' >"$W/a/src/two.py"
printf 'def remove_old(files):\n    """Delete expired files from the disk."""\n    for f in files:\n        f.unlink()\n' >"$W/a/src/three.py"
commit "$W/a" first
shard a "$W/a"
wait_for 20 complete a
same "how many" "$(status a vectors_done) $(status a documents) $(status a embedder)" "3 3 builtin:code-embed:256:1"
[ "$(stat -c %s "$(ls "$W"/d/*/vectors.bin)")" -lt 2560 ] || fail "three vectors and their commit take too much space"
joined() { [ "$(call list_repos | jq -r '.repos[0].vectors')" = complete ]; }
wait_for 10 joined
query() { call query "$(jq -nc --arg q "$1" --arg m "$2" '{query: $q, mode: $m} | if .mode == "" then del(.mode) else . end')" >"$W/r"; }
for q in "user authentication credentials:src/one.py" "cleanup stale documents:src/three.py"; do
	query "${q%:*}" lexical
	same "by words" "$(jq -c .results "$W/r")" "[]"
	for m in hybrid vector ""; do
		query "${q%:*}" "$m"
		same "${m:-default}: ${q%:*}" "$(jq -r '.results[0].path + " " + .results[0].sources[0]' "$W/r")" "${q#*:} vector"
	done
	same "the default" "$(jq -r .mode "$W/r")" hybrid
done
ok "a paraphrase that shares no word is found"

vector=$(python3 -c 'import json; print(json.dumps([1.0] + [0] * 255))')
call search_code "{\"query\":\"x\",\"mode\":\"vector\",\"minScore\":0.0001,\"vector\":$vector,\"topK\":3}" |
	jq -e '.mode == "vector" and all(.results[]; .score > 0 and .score <= 1)' >/dev/null || fail "a vector from the caller"
refused() {	# refused CODE TOOL JSON MESSAGE
	if atoll call "$2" "$3" >"$W/r"; then fail "$2 $3: $(cat "$W/r")"; fi
	jq -e --arg c "$1" --arg m "$4" '.error.code == $c and (.error.message | contains($m))' "$W/r" >/dev/null || fail "$2 $3: $(cat "$W/r")"
}
refused INVALID_INPUT search_code '{"query":"people","vector":[1,2,3]}' "3 numbers; builtin:code-embed:256:1 needs 256"
refused INVALID_INPUT search_code '{"query":"people","vector":{"a":1}}' "\`vector\`"
refused INVALID_INPUT search_code "{\"query\":\"people\",\"vector\":${vector/1.0/0}}" "all its numbers are 0"
refused INVALID_INPUT search_code "{\"query\":\"people\",\"vector\":${vector/1.0/1e300}}" "numbers that fit into a float"
ok "a vector from the caller is used, or refused because of its dimension"

# ---- only changed documents ----
cat >"$W/a/src/two.py" <<'PY'
def draw_chart(values):
    """Plot the values on paper."""
    for v in values:
        print(v * "#")


def wait(s):
    """Sleep for a while."""
    import time
    time.sleep(s)
PY
commit "$W/a" second
four() { status_is a vectors_done 4 && complete a; }
wait_for 20 four
same "embedded" "$(embedded a)" "3 2 "
rpc a sync '{"force":true}' >/dev/null	# a new index: its documents may be called otherwise
anew() { ls "$W"/d/*/index-3.db >/dev/null 2>&1 && [ "$(embedded a)" = "3 2 0 " ] && four; }
wait_for 20 anew
query "user authentication credentials" vector
same "in the new index" "$(jq -r '.results[0].path' "$W/r")" src/one.py
git -C "$W/a" rm -q src/one.py
commit "$W/a" third
gone_one() { (query "user authentication credentials" vector) && [ "$(jq -r '[.results[].path] | index("src/one.py")' "$W/r")" = null ]; }
wait_for 20 gone_one
wait_for 20 complete a
rows() { python3 -c 'import struct, sys
b, at, n = open(sys.argv[1], "rb").read(), 640, 0
while at < len(b):
    _, rows, size, _ = struct.unpack_from("<4Q", b, at)
    at += 64 + size
    n += rows
print(n)' "$(ls "$W"/d/*/vectors.bin)"; }
runs=$(embedded a | wc -w)
for i in 1 2 3 4 5 6 7 8; do
	sed -i "s/canvas.*\|paper.*/paper $i.\"\"\"/" "$W/a/src/two.py"
	commit "$W/a" "paper $i"
	newest() { [ "$(embedded a | wc -w)" = $((runs + i)) ] && complete a; }
	wait_for 20 newest
done
[ "$(rows)" -le 8 ] || fail "$(rows) rows for 3 documents"
query "plot on paper 8" vector
same "the newest" "$(jq -r '.results[0].name' "$W/r")" draw_chart
ok "only changed documents are embedded, also into a new index; vectors of removed documents are deleted"

# ---- damage, and a file of another program ----
stop a
f=$(ls "$W"/d/*/vectors.bin)
python3 - "$f" <<'END'
import sys
b = bytearray(open(sys.argv[1], "rb").read())
b[len(b) // 2] ^= 1
open(sys.argv[1], "wb").write(b)
END
shard a "$W/a"
wait_for 20 complete a
query "cleanup stale documents" vector
same "after damage" "$(jq -r '.results[0].path' "$W/r")" src/three.py
stop a
echo something else >"$f"
shard a "$W/a"
wait_for 20 complete a
same "all again" "$(embedded a | awk '{ print $NF }')" 3
ok "only the damaged part of a vector file is embedded again"

# ---- none ----
stop a
shard a "$W/a" --embedder none
same "none" "$(status a vectors) $(status a vectors_done)" "none "
query "cleanup stale documents" hybrid
jq -e '.results == [] or .without_vectors != null' "$W/r" >/dev/null || fail "without vectors: $(cat "$W/r")"
refused NO_INDEX query '{"query":"delete files","mode":"vector"}' "it has no embedder"
refused NO_INDEX search_code '{"query":"delete files","mode":"vector"}' "it has no embedder"
stop a
shard a "$W/a"
wait_for 20 complete a
mine=$ATOLL_URL
coordinate plain --embedder none --shard "ipc://$W/a.ipc"
there() { call list_repos | jq -e '.repos[0].health == "healthy"' >/dev/null; }
wait_for 10 there
query "delete files" ""
same "words" "$(jq -r '[.mode, .results[0].path] | tostring' "$W/r")" '["lexical","src/three.py"]'
refused INVALID_INPUT query '{"query":"delete files","mode":"vector"}' "needs an embedder"
ATOLL_URL=$mine
stop plain
ok "without an embedder lexical search continues"

# ---- an API: killed in the middle, it goes on; its failure is said; another embedder is told apart ----
start api "$(node_of_tests)" "$ROOT/tests/api/server.mjs"
wait_for 10 test -s "$W/api.log"
api=http://127.0.0.1:$(head -1 "$W/api.log")
git init -q -b main "$W/b"
for i in $(seq 10 29); do printf 'def step_%s(n):\n    """Step number %s."""\n    return n\n' "$i" "$i" >"$W/b/step_$i.py"; done
printf 'def last(n):\n    """behave slow"""\n    return n\n' >"$W/b/z.py"
commit "$W/b" first
http() { shard b "$W/b" --embedder http --embed-model tiny --embed-batch 4 --embed-timeout "$2" --embed-url "$api/$1"; }
http asked 60000
wait_for 20 status_is b vectors_done 20
same "it waits" "$(status b vectors) $(status b documents)" "building 21"
rpc b search '{"query":"step_17","limit":1}' | jq -e '.hits[0].symbol == "step_17"' >/dev/null || fail "lexical search fails"
stop b KILL
http 429 1500
why() { status b vectors_reason | grep -q '^RATE_LIMITED: .*127.0.0.1'; }
wait_for 30 why
same "what it has" "$(status b vectors) $(status b vectors_done)" "building 20"
stop b
http ok 60000
wait_for 20 complete b
same "embedded again" "$(embedded b | awk '{ print $NF }')" 1
same "asked for, each text" "$(curl -fsS "$api/seen" |
	jq '[.[] | select(.path | test("^/(asked|ok)/")) | .body.input[] | select(contains("step_"))] | length')" 20
ok "an interrupted run is resumed, an API out of quota is reported"

# ---- a file of more texts than requests fit into the time-out of one: each request has its own, and its answer is kept ----
stop b
for i in $(seq 24); do printf 'def stage_%s(n):\n    return n + %s\n\n\n' "$i" "$i"; done >"$W/b/stages.py"
commit "$W/b" stages
http late 1200
all_stages() { complete b && status_is b vectors_done 45; }
wait_for 30 all_stages
ok "a file with many texts is embedded in several requests"

atoll group create g a b >/dev/null
both() { call group_status '{"group":"g"}' |
	jq -e '[.repos[] | .vectors == "complete" and .health == "healthy"] == [true, true]' >/dev/null; }
wait_for 10 both
call group_query '{"group":"g","query":"number of expired files"}' >"$W/r"
jq -e '.complete and ([.results[].repo] | unique | length) == 2 and ([.coverage.notes[] | .code] == ["EMBEDDER_MISMATCH"])
	and (.coverage.notes[0].message | contains("http:tiny:64") and contains("builtin:code-embed:256"))' "$W/r" >/dev/null ||
		fail "mismatch: $(cat "$W/r")"
call group_query '{"group":"g","query":"number of expired files","mode":"vector"}' >"$W/r"
jq -e '(.complete | not) and .coverage.answered == 1 and [.coverage.failed[].code] == ["EMBEDDER_MISMATCH"] and .coverage.notes == null
	and ([.results[].repo] | unique | length) == 1' "$W/r" >/dev/null || fail "mode vector where one member has fitting vectors: $(cat "$W/r")"
refused EMBEDDER_MISMATCH group_query '{"group":"g","query":"number of files","mode":"vector","repos":["b"]}' "http:tiny:64"
ok "a member with another embedder answers lexically, and is named; by meaning it has failed"
stop b
shard b "$W/b"	# by option
now_builtin() { complete b && status_is b embedder "builtin:code-embed:256:1"; }
wait_for 20 now_builtin
[ "$(ls "$W"/d/*/index-*.db | wc -l)" = 2 ] || fail "the index was written again: $(ls "$W"/d/*)"
grep -q 'ingest.done' "$W/b.log" && fail "the index was built again"
call group_query '{"group":"g","query":"number of expired files"}' | jq -e '.coverage.notes == null' >/dev/null || fail "notes"
ok "another embedder replaces the vectors, and only them"
