#!/bin/bash
# Commit subjects and test names help to find the files that they describe. They depend only on the served commit and its
# history, not on how the shard reached that commit.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"

coordinate m
shard() {	# NAME DATA
	start "$1" atoll-shard --repo "$W/r" --data "$W/$2" --listen "ipc://$W/$1.ipc" --coordinator "ipc://$W/m.ipc" --poll-ms 200
}
at_head() {
	call list_repos >"$W/l"
	jq -e --arg c "$(git -C "$W/r" rev-parse HEAD)" '.repos[0] | .freshness.commit == $c and .vectors == "complete" and .health == "healthy"' "$W/l" >/dev/null
}
question="refuse visitors who come too often"
answer() {	# files in order, and all scores
	wait_for 20 at_head
	call query "$(jq -nc --arg q "$question" '{query: $q, limit: 10}')" | jq -c '[.results[] | [.path, .score]]' >"$W/$1"
}
score() { jq -r --arg p "$2" 'map(select(.[0] == $p))[0][1]' "$W/$1"; }
more() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) > float(sys.argv[2]) + 0.05)' "$1" "$2" ||
	fail "$3: $1 is not more than $2"; }

git init -q -b main "$W/r"
for n in bucket chart parser socket; do
	printf 'def step_%s(visitors):\n    return visitors + 1\n' $n >"$W/r/$n.py"
done
commit "$W/r" "$question, at the beginning"	# the first commit says nothing: it has all there was
shard a d1
answer none

echo >>"$W/r/bucket.py"
commit "$W/r" "Refuse visitors that come too often"
answer one
same "what its commit says" "$(jq -r '.[0][0]' "$W/one")" bucket.py
more "$(score one bucket.py)" "$(score none bucket.py)" "bucket.py, of which its commit speaks"
same "a file of which none speaks" "$(score one chart.py)" "$(score none chart.py)"

for n in bucket chart parser socket; do
	echo >>"$W/r/$n.py"
done
commit "$W/r" "Refuse visitors who come too often, everywhere"
answer wide
same "a commit of four files speaks of none" "$(cat "$W/wide")" "$(cat "$W/one")"

git -C "$W/r" checkout -q -b side HEAD~1
printf '\n\n' >>"$W/r/parser.py"
commit "$W/r" "Draw"
git -C "$W/r" checkout -q main
answer wide
git -C "$W/r" -c user.name=t -c user.email=t@example.com merge -q -X theirs -m "Refuse visitors who come too often: merged" side
answer merged
same "a merge speaks of nothing" "$(score merged socket.py)" "$(score wide socket.py)"
ok "a commit's subject describes the few files that it changed; the first commit, large ones and merges are ignored"

# A commit with four files is ignored, the names in a test file are not.
mkdir -p "$W/r/tests"
printf 'def test_refuses_visitors_that_come_too_often():\n    assert True\n' >"$W/r/tests/test_chart.py"
printf 'def test_draws():\n    assert True\n' >"$W/r/tests/test_socket.py"
printf 'def test_refuses_visitors_that_come_too_often():\n    assert True\n' >"$W/r/tests/test_all.py"
echo '# Notes' >"$W/r/NOTES.md"
commit "$W/r" "More"
answer tested
more "$(score tested chart.py)" "$(score tested socket.py)" "chart.py, of which its tests speak, not that they are some"
ok "tests describe the file that they are named after"

stop a
rm -rf "$W"/d1/*/told.db "$W"/d1/*/vectors.bin
echo "no database" >"$(dirname "$W"/d1/*/CURRENT)/told.db"
shard a d1
answer kept
same "without what was kept" "$(cat "$W/kept")" "$(cat "$W/tested")"
head -c 15 "$(dirname "$W"/d1/*/CURRENT)/told.db" | grep -q "SQLite format 3" || fail "a damaged cache is not written again"
stop a
shard b d2
answer anew
same "an index made anew" "$(cat "$W/anew")" "$(cat "$W/tested")"
ok "incremental and full builds agree, also when the cache is lost"

git -C "$W/r" reset -q --hard "$(git -C "$W/r" rev-list --max-parents=0 HEAD)"
answer back
same "history that is gone" "$(cat "$W/back")" "$(cat "$W/none")"
stop b
stop m
ok "subjects of commits that are no longer in the history are forgotten"
