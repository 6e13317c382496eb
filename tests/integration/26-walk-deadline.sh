#!/bin/bash
# A walk that runs out of time is a partial answer, nearest first, and goes on by cursor: impact, context, detect_changes and
# api_impact on an index of 60,000 files, which one transaction makes.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"
mkdir -p "$W/big" "$W/api"
git init -q -b main "$W/big"
printf 'import requests\n\n\ndef target(n):\n    return requests.get("http://api/things/" + str(n))\n\n\ndef one():\n    return 1\n' >"$W/big/target.py"
printf 'def user():\n    pass\n\n\ndef entry():\n    pass\n' >"$W/big/many.py"
commit "$W/big" first
sed -i 's/return requests/return  requests/; s/return 1/return 2/' "$W/big/target.py"
commit "$W/big" second
git init -q -b main "$W/api"
printf 'from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.route("/things/<n>")\ndef thing(n):\n    return n\n' >"$W/api/app.py"
commit "$W/api" first
up --group g "$W/big" "$W/api"
ready g 2
call group_sync '{"group":"g"}' >/dev/null
stop up

# 1,000 files use the target; the others must be read to know that they do not.
cat >"$W/grow.py" <<'P'
import glob, sqlite3, sys
from edge_store import write_edges
for name in glob.glob(sys.argv[1]):
    db = sqlite3.connect(name)
    row = db.execute("select id from files where path = 'many.py'").fetchone()
    if not row:
        continue
    (target,) = db.execute("select id from files where path = 'target.py'").fetchone()
    (data,) = db.execute("select data from definitions where file = ?", row).fetchone()
    files, edges = range(1000, 61000), {}
    db.executemany("insert into files(id, path, blob, language, size, lines, test, generated)"
                   " select ?, ?, blob, language, size, lines, test, generated from files where id = ?",
                   ((i, f"gen/f{i:05}.py", row[0]) for i in files))
    db.executemany("insert into definitions values (?, ?)", ((i, data) for i in files))
    contains, calls = 0, 4	# rows of kinds.def
    for i in files:
        edges[i] = [(1, contains, target, 1, 90, "test", 2)]
        if i % 60 == 0:
            edges[i] = [(1, calls, target, 1, 90, "test", 2), (2, calls, i, 1, 90, "test", 6), (0, calls, i, 2, 90, "test", 7)]
    write_edges(db, edges)
    db.commit()
    print("grown")
P
python3 "$W/grow.py" "$W/data/*/index-*.db" >"$W/grown"
same "the index has grown" "$(cat "$W/grown")" grown

# serve MS: a federation whose searches have MS milliseconds, and whose changes have four times as many
serve() {
	search_ms=$1
	export ATOLL_CONTRACTS_DEADLINE_MS=$((4 * $1))
	up --group g "$W/big" "$W/api"
	ready g 2
}
first_ms=$((120 * slow))
serve $first_ms

# page TOOL JSON: a page in $W/out; on a busy machine an answer may come too late, and is asked for again
asked() { "$BIN/atoll" call "$1" "$2" >"$W/out" 2>/dev/null; }
page() { wait_for 60 asked "$1" "$2"; }
# pages TOOL JSON FILTER: what FILTER gives of the page in $W/out and of all that follow, one item a line, in $W/items; $n pages
pages() {
	n=1
	jq -r "$3" "$W/out" >"$W/items"
	while jq -e '.next_cursor != null' "$W/out" >/dev/null; do
		[ $n -lt 100 ] || fail "$1 $2: no end of the pages"
		page "$1" "$(jq -c --arg c "$(jq -r .next_cursor "$W/out")" '. + {cursor: $c}' <<<"$2")"
		jq -r "$3" "$W/out" >>"$W/items"
		n=$((n + 1))
	done
}
items() { wc -l <"$W/items"; }
each_once() { same "$1: nothing twice" "$(sort "$W/items" | uniq -d | head -3)" ""; }
# halved TOOL JSON: the first page in $W/out, with half of the time, and half of that, until the time cuts it
halved() {
	if [ "$search_ms" != "$first_ms" ]; then
		stop up
		serve $first_ms
	fi
	page "$1" "$2"
	while ! jq -e '[.reasons[]? | select(contains("deadline"))] | length > 0' "$W/out" >/dev/null; do
		[ "$search_ms" -ge 10 ] || fail "$1: a whole answer in $search_ms ms"
		stop up
		serve $((search_ms / 2))
		page "$1" "$2"
	done
}
ended_early() {
	is "$1: a lower bound" .epistemic '"lower-bound"'
	is "$1: the reason" '[.reasons[] | select(contains("deadline"))] | length > 0' true
	is "$1: it goes on" '.next_cursor != null' true
}

halved impact '{"repo":"big","symbol":"target.py#target","limit":500}'
ended_early impact
is "impact: the levels that are whole" \
	'([.reasons[] | capture("up to depth (?<n>[0-9]+) are") | .n | tonumber][0] // 0) as $n | [.by_depth[] | select(.depth <= $n) | .total == 1000] | all' true
pages impact '{"repo":"big","symbol":"target.py#target","limit":500}' '.by_depth[] | .depth as $d | .affected[] | "\($d) \(.id)"'
each_once impact
same "impact: all levels" "$(cut -d ' ' -f 1 "$W/items" | sort | uniq -c | tr -s ' \n' ' ')" " 1000 1 1000 2 1000 3 "
is "impact: nothing is missing at the end" '[.reasons[] | select(startswith("deadline"))]' '[]'
is "impact: how many are affected" .reach.affected 3000
ok "impact answers in time and goes on by cursor ($n pages)"

page impact '{"repo":"big","symbol":"target.py#target","limit":5}'
cursor=$(jq -r .next_cursor "$W/out")
refused() {
	! asked impact "{\"repo\":\"big\",\"symbol\":\"one\",\"limit\":5,\"cursor\":\"$cursor\"}" || fail "a cursor fits another question"
	jq -e '.error.code == "INVALID_INPUT"' "$W/out" >/dev/null
}
wait_for 30 refused
ok "a cursor fits its question only"

halved context '{"repo":"big","symbol":"target.py#target","limit":200}'
ended_early context
pages context '{"repo":"big","symbol":"target.py#target","limit":200}' '.callers[].id'
each_once context
same "context: all callers" "$(items)" 1000
is "context: their number" '[.totals.callers, .epistemic]' '[1000,null]'
ok "context answers in time and goes on by cursor ($n pages)"

halved api_impact '{"repo":"api","route":"/things/{}"}'
ended_early api_impact
pages api_impact '{"repo":"api","route":"/things/{}"}' .affected
is "api_impact: all that depends on the caller" '[.affected, .next_cursor]' '[2000,null]'
ok "api_impact answers in time and goes on by cursor ($n pages)"

halved detect_changes '{"repo":"big"}'
ended_early detect_changes
pages detect_changes '{"repo":"big"}' '.symbols[].id'
each_once detect_changes
same "detect_changes: all definitions" "$(sort "$W/items" | tr '\n' ' ')" "target.py#one target.py#target "
is "detect_changes: how many depend on them" '[.reach.affected, .next_cursor]' '[3000,null]'
ok "detect_changes answers in time and goes on by cursor ($n pages)"
