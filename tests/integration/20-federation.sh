#!/bin/bash
# The main use case: four repositories, one fused answer; contracts equal those labelled by hand.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
up --group shop "$W"/shop/*
ready shop 4
wait_for 30 grep -q '^MCP address' "$W/up.log"

# names by repo_uri, to compare with the labels
call group_status '{"group":"shop"}' >"$W/status"
name() { jq -r --arg u "$1" '.repos[] | select(.repo_uri == $u) | .name | split("/") | last | sub("-[0-9a-f]{6}$"; "")' "$W/status"; }
same "members" "$(for u in $(jq -r '.repos[].repo_uri' "$W/status"); do name "$u"; done | sort | tr '\n' ' ')" "catalog orders users web "
ok "four members with their names"

# ---- one ranked list over all of them ----
query() { call group_query "$(jq -n --arg q "$1" '{group: "shop", query: $q, limit: 10}')"; }
query "reserve stock" >"$W/q"
same "complete" "$(jq -c '[.complete, .coverage.members, .coverage.failed]' "$W/q")" '[true,4,[]]'
jq -e '.results | any(.path == "server.go" and .symbol and (.symbol | endswith("reserveStock")))' "$W/q" >/dev/null ||
	fail "reserveStock is among the first ten: $(jq -c '[.results[] | [.path, .symbol]]' "$W/q")"
jq -e '[.results[].repo_uri] | unique | length > 1' "$W/q" >/dev/null || fail "one answer does not combine several members"
jq -e '[.results[].rank] == [range(1; (.results | length) + 1)]' "$W/q" >/dev/null || fail "ranks do not count from 1"
jq -e '[.results[].score] | . == (sort | reverse)' "$W/q" >/dev/null || fail "scores do not descend"
ok "group_query ranks all members in one list"

# ---- contracts against the labels ----
call group_sync '{"group":"shop"}' | jq -e '.complete' >/dev/null || fail "group_sync is incomplete"
call group_contracts '{"group":"shop","limit":1000}' >"$W/contracts"
python3 - "$ROOT/tests/fixtures/expected-contracts.tsv" "$W/contracts" "$W/status" <<'PY' || fail "contracts differ from the labels"
import json, re, sys
labels, answer, status = sys.argv[1:]
answer = json.load(open(answer))
names = {r["repo_uri"]: re.sub("-[0-9a-f]{6}$", "", r["name"].split("/")[-1]) for r in json.load(open(status))["repos"]}
want, got = set(), set()
for line in open(labels):
    if line.startswith("#"):
        continue
    what, cr, cf, cs, method, path, pr, pf, ps = line.rstrip("\n").split("\t")
    if what == "call":
        want.add((what, cr, cf, cs, method, path, pr, pf))
    elif what == "idle":
        want.add((what, method, path, pr, pf))
    else:
        want.add((what, cr, cf, cs, method))
def last(symbol):
    return (symbol or "-").split(".")[-1]
for c in answer["contracts"]:
    k, p = c["consumer"], c["producer"]
    got.add(("call", names[k["repo_uri"]], k["file"], last(k.get("symbol")), c["method"], c["path"], names[p["repo_uri"]], p["file"]))
    if c["cross_repo"] != (k["repo_uri"] != p["repo_uri"]):
        print("cross_repo is wrong in", c)
        sys.exit(1)
for u in answer["unresolved"]:
    k = u["consumer"]
    got.add((u["reason"], names[k["repo_uri"]], k["file"], last(k.get("symbol")), k["method"]))
for p in answer["producers_without_consumers"]:
    p = p["producer"]
    got.add(("idle", p["method"], p["path"], names[p["repo_uri"]], p["file"]))
for row in sorted(want - got):
    print("missing:", row)
for row in sorted(got - want):
    print("unexpected:", row)
print(len(want & got), "of", len(want), "labels found,", len(got - want), "unexpected")
sys.exit(want != got)
PY
same "totals" "$(jq -c '[.totals.contracts, .totals.unresolved, .totals.producers_without_consumers]' "$W/contracts")" \
	"$(jq -c '[(.contracts | length), (.unresolved | length), (.producers_without_consumers | length)]' "$W/contracts")"
ok "every labelled call is found, and no others"

# The places of every contract exist: the line is in the file.
jq -r '.contracts[] | .consumer, .producer | [.repo_uri, .file, .line, .end_line] | @tsv' "$W/contracts" |
	while IFS="	" read -r uri file line end; do
	lines=$(wc -l <"$W/shop/$(name "$uri")/$file")
	[ "$line" -ge 1 ] && [ "$end" -ge "$line" ] && [ "$line" -le "$lines" ] || fail "$uri $file:$line-$end has $lines lines"
done
ok "the places of contracts exist"

# ---- links and idempotence ----
call group_cross_repo_links '{"group":"shop","limit":1000}' >"$W/links"
same "route links" "$(jq '[.links[] | select(.relation == "consumes_route")] | length' "$W/links")" \
	"$(jq '[.contracts[] | select(.cross_repo)] | length' "$W/contracts")"
call group_sync '{"group":"shop"}' | jq -e '.changed == false' >/dev/null || fail "a second sync changes something"
same "contracts after a second sync" "$(call group_contracts '{"group":"shop","limit":1000}' | jq -cS 'del(.took_ms, .synced_at)')" \
	"$(jq -cS 'del(.took_ms, .synced_at)' "$W/contracts")"
ok "links equal the cross-repository contracts; a second sync changes nothing"

# ---- pages: the same rows, in order ----
cursor= rows=0
while :; do
	call group_contracts "$(jq -n --arg c "$cursor" '{group: "shop", limit: 7} + if $c == "" then {} else {cursor: $c} end')" >"$W/page"
	rows=$((rows + $(jq '(.contracts | length) + (.unresolved | length) + (.producers_without_consumers | length)' "$W/page")))
	cursor=$(jq -r '.next_cursor // ""' "$W/page")
	[ -n "$cursor" ] || break
done
same "rows over all pages" "$rows" "$(jq '[.totals[]] | add' "$W/contracts")"
ok "pages contain every row once"

# ---- what the page asks: the same rows by other filters, each beside what jq finds in all of them ----
rows='(.contracts + .unresolved + .producers_without_consumers)'
found() {	# ARGS JQ: contract_list with these filters has the rows that JQ leaves of all, and their totals
	call contract_list "{\"group\":\"shop\",\"limit\":1000,$1}" >"$W/found"
	same "contract_list $1" "$(jq -cS "$rows" "$W/found")" "$(jq -cS "$2 | $rows" "$W/contracts")"
	same "totals of contract_list $1" "$(jq -c '[.totals[]]' "$W/found")" \
		"$(jq -c '[(.contracts | length), (.unresolved | length), (.producers_without_consumers | length)]' "$W/found")"
	same "pairs of contract_list $1" "$(jq '[.pairs[]?.calls] | add // 0' "$W/found")" "$(jq '.contracts | length' "$W/found")"
	same "reasons of contract_list $1" "$(jq '[.reasons[]?.calls] | add // 0' "$W/found")" "$(jq '.unresolved | length' "$W/found")"
}
users=$(jq -r '.repos[].repo_uri | select(test("users"))' "$W/status") web=$(jq -r '.repos[].repo_uri | select(test("web"))' "$W/status")
found '"method":"get"' 'def fits: . == "GET" or . == "ANY"; .contracts |= map(select(.method == "GET")) |
	.unresolved |= map(select(.consumer.method | fits)) | .producers_without_consumers |= map(select(.producer.method | fits))'
found '"list":"contracts"' '.unresolved = [] | .producers_without_consumers = []'
found '"list":"idle"' '.unresolved = [] | .contracts = []'
found '"reasons":["dynamic"]' '.contracts = [] | .producers_without_consumers = [] | .unresolved |= map(select(.reason == "dynamic"))'
found "\"consumer\":\"$web\"" ".producers_without_consumers = [] | (.contracts, .unresolved) |= map(select(.consumer.repo_uri == \"$web\"))"
found "\"consumer\":\"$web\",\"producer\":\"$users\"" \
	".producers_without_consumers = [] | .unresolved = [] |
		.contracts |= map(select(.consumer.repo_uri == \"$web\" and .producer.repo_uri == \"$users\"))"
found '"cross_repo":true' '.producers_without_consumers = [] | .unresolved = [] | .contracts |= map(select(.cross_repo))'
sure=$(jq '[.contracts[].confidence] | max' "$W/contracts")
[ "$(jq --argjson c "$sure" '[.contracts[] | select(.confidence < $c)] | length' "$W/contracts")" -gt 0 ] ||
	fail "all contracts are as sure"
found "\"min_confidence\":$sure" ".producers_without_consumers = [] | .unresolved = [] | .contracts |= map(select(.confidence >= $sure))"
call link_list "{\"group\":\"shop\",\"limit\":1000,\"source\":\"$web\",\"target\":\"$users\",\"relations\":[\"consumes_route\",\"depends_on\"]}" >"$W/found"
same "links between two" "$(jq -cS .links "$W/found")" \
	"$(jq -cS --arg s "$web" --arg t "$users" '[.links[] | select(.source_repo_uri == $s and .target_repo_uri == $t and
		(.relation | . == "consumes_route" or . == "depends_on"))]' "$W/links")"
jq -e '.total == (.links | length) and .total > 1' "$W/found" >/dev/null || fail "the links of web and users: $(jq -c .total "$W/found")"
same "links of repo_graph that are so sure" "$(call repo_graph "{\"group\":\"shop\",\"min_confidence\":$sure}" |
	jq '[.edges[].relations[].links] | add')" \
	"$(jq --argjson c "$sure" '[.links[] | select(.confidence >= $c and .source_doc_path)] | length' "$W/links")"
for bad in '"min_confidence":2' '"reasons":["bored"]' '"list":"all"' '"producer":"nobody"'; do
	atoll call contract_list "{\"group\":\"shop\",$bad}" >"$W/found" && fail "contract_list accepts $bad"
	jq -e '.error.code | . == "INVALID_INPUT" or . == "NOT_FOUND"' "$W/found" >/dev/null || fail "contract_list $bad: $(cat "$W/found")"
done
ok "contract_list, link_list and repo_graph: filters work"

# ---- the handles go round: each repo_uri is accepted by every tool that takes one ----
for uri in $(jq -r '.repos[].repo_uri' "$W/status"); do
	args=$(jq -n --arg u "$uri" '{repo_uri: $u, query: "healthz"}')
	call query "$args" >"$W/r"
	jq -e --arg u "$uri" '.freshness.repo_uri == $u and (.results | length > 0)' "$W/r" >/dev/null || fail "query $uri: $(cat "$W/r")"
	path=$(jq -r '.results[0].path' "$W/r")
	call search_code "$args" | jq -e --arg u "$uri" '(.results | length > 0) and ([.results[].repo_uri] | unique == [$u])' >/dev/null ||
		fail "search_code $uri"
	call ask_code "$args" | jq -e --arg u "$uri" '[.evidences[].repo_uri] | unique == [$u]' >/dev/null || fail "ask_code $uri"
	call search_code "$(jq -n --arg u "$uri" '{scope: {type: "repos", repos: [$u]}, query: "healthz"}')" >/dev/null
	call open_file "$(jq -n --arg u "$uri" --arg p "$path" '{repo_uri: $u, path: $p}')" >"$W/r"
	same "content of $uri $path" "$(jq -r .content "$W/r")" "$(cat "$W/shop/$(name "$uri")/$path")"
	call group_query "$(jq -n --arg u "$uri" '{group: "shop", query: "healthz", repos: [$u]}')" |
		jq -e --arg u "$uri" '[.results[].repo_uri] | unique == [$u]' >/dev/null || fail "group_query repos $uri"
	call group_contracts "$(jq -n --arg u "$uri" '{group: "shop", repo_uri: $u}')" >/dev/null
	call repo_analyze "$(jq -n --arg u "$uri" '{repo_uri: $u}')" | jq -e '.job | length > 0' >/dev/null || fail "repo_analyze $uri"
	call group_create "$(jq -n --arg u "$uri" '{group: "one", repos: [$u]}')" | jq -e --arg u "$uri" '.members == [$u]' >/dev/null ||
		fail "group_create $uri"
	call group_delete '{"group":"one"}' >/dev/null
done
ok "every tool accepts every repo_uri"

# ---- and what people type leads to the same repository ----
for typed in https://github.com/atoll-shop/web git@github.com:atoll-shop/web.git ssh://git@github.com/atoll-shop/web/ GitHub.com/atoll-shop/web.git; do
	same "$typed" "$(call query "$(jq -n --arg u "$typed" '{repo_uri: $u, query: "cart"}')" |
		jq -r .freshness.repo_uri)" github.com/atoll-shop/web
done
same "by name" "$(call query '{"repo":"web","query":"cart"}' | jq -r .freshness.repo_uri)" github.com/atoll-shop/web
same "uri wins" "$(call query '{"repo":"web","repo_uri":"github.com/atoll-shop/users","query":"x"}' |
	jq -r .freshness.repo_uri)" github.com/atoll-shop/users
ok "other spellings of a repository are accepted"

# ---- queries are text ----
for q in 'GET /api/users' 'get-user' 'a:b' 'NEAR(' 'a AND OR NOT' 'users"; DROP TABLE' "it's" 'ünïcödé' '-- x' 'a NEAR/2 b' '"reserve stock"' 'x*' 'col:users^2'; do
	call group_query "$(jq -n --arg q "$q" '{group: "shop", query: $q}')" >"$W/r"
	jq -e '.complete' "$W/r" >/dev/null || fail "query $q: $(cat "$W/r")"
	call query "$(jq -n --arg q "$q" '{repo: "web", query: $q}')" >/dev/null
done
# what holds no word is refused, not an error of the database, and the members are not blamed
for q in '' '"' "'" '*' '{}[]()^$' '   ' '😀'; do
	for t in '{group: "shop"}' '{repo: "web"}'; do
		tool=group_query
		[ "$t" = '{repo: "web"}' ] && tool=query
		rc=0
		"$BIN/atoll" call $tool "$(jq -n --arg q "$q" "$t + {query: \$q}")" >"$W/r" || rc=$?
		case "$rc $(jq -r '.error.code // "-"' "$W/r") $(jq -r '.complete' "$W/r")" in
		"3 INVALID_INPUT null" | "0 - true" | "0 - null") ;;
		*) fail "$tool $q: $(cat "$W/r")" ;;
		esac
	done
done
query "$(head -c 10000 /dev/zero | tr '\0' 'x' | sed 's/xxxxx/users /g')" >/dev/null
for q in users loadUsers load_users; do
	query "$q" | jq -e '.results | length > 0' >/dev/null || fail "no results for $q"
done
query "reserveStock" | jq -e '.results[0] | .path == "server.go" and (.symbol | endswith("reserveStock"))' >/dev/null ||
	fail "reserveStock comes first"
query "loadAccount" | jq -e '.results[0] | .path == "src/accounts.ts" and (.symbol | endswith("loadAccount"))' >/dev/null ||
	fail "loadAccount comes first"
query "stock alert" | jq -e '[.results[0:5][].path] | any(endswith("StockAlertController.java"))' >/dev/null ||
	fail "words of a compound name find it"
ok "queries are plain text"
