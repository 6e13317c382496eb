#!/bin/bash
# Why there is no link: one thing after another is broken in a repository, and MCP, the API and `atoll why` name the step that
# fails. The proposed line of atoll.yaml makes the link.
. "$(dirname "$0")/../lib.sh"
commit() {	# commit REPO: all that is in the folder
	git -C "$1" add -A && git -C "$1" -c user.name=t -c user.email=t@example.com commit -qm change
}
for r in users orders web lib broken; do
	mkdir -p "$W/src/$r" && git init -q -b main "$W/src/$r"
done
printf '%s\n' "const express = require('express');" "const app = express();" \
	"app.get('/accounts/:id', (req, res) => res.json({}));" "app.post('/accounts', (req, res) => res.json({}));" >"$W/src/users/app.js"
printf '%s\n' "const express = require('express');" "const app = express();" \
	"app.get('/orders/:id', (req, res) => res.json({}));" >"$W/src/orders/app.js"
page() { printf '%s\n' "export async function load(id) {" "	$1" "}" >"$W/src/web/page.js"; }
page 'return fetch(`http://users/accounts/${id}`);'
echo "module.exports = (a) => a + 1;" >"$W/src/lib/index.js"
cp "$W/src/orders/app.js" "$W/src/broken/app.js"
for r in users orders web lib broken; do commit "$W/src/$r"; done
find "$W/src/broken/.git/objects" -type f -delete	# it cannot be read, so it gets no index

ATOLL_TOOLS=all up --group shop "$W"/src/*
indexed() { [ "$(call group_status '{"group":"shop"}' | jq '[.repos[] | select(.status == "ready" and .health == "healthy")] | length')" = "$1" ]; }
wait_for 30 indexed 4
sync() { call group_sync '{"group":"shop"}' >/dev/null; }
sync
why() { call explain_link "$(jq -n --arg from web --arg to "$1" '{from: $from, to: $to} + ($ARGS.positional[0] // {})' --jsonargs "${@:2}")" >"$W/out"; }
uri_of() { call list_repos "{\"repo\":\"$1\"}" | jq -r '.repos[0].repo_uri'; }

# ---- a link ----
why users
is "it is linked" '[.linked, .step, .group, (.contracts | length), (.contracts[0].evidence | length > 0), .missing]' '[true,null,"shop",1,true,[]]'
is "its confidence" ".contracts[0].confidence > 0.9" true
"$BIN/atoll" why web users >"$W/text" || fail "atoll why: $(cat "$W/text")"
grep -q 'is linked to .* by 1 contract' "$W/text" || fail "atoll why: $(cat "$W/text")"
grep -q 'host users names' "$W/text" || fail "the evidence: $(cat "$W/text")"
ok "a link is shown with its evidence"

# ---- MCP ----
mcp() { curl -fsS "$ATOLL_URL/mcp" -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d "$1"; }
listed() { mcp '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | jq -r '.result.tools[].name'; }
listed | grep -qx explain_link || fail "tools/list: $(listed)"
mcp '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"explain_link","arguments":{"from":"web","to":"orders"}}}' |
	jq .result >"$W/out"
is "over MCP" '[.isError // false, .structuredContent.linked]' '[false,false]'
jq -e '.content[0].text | length > 20' "$W/out" >/dev/null || fail "no text for people: $(cat "$W/out")"

# ---- what is missing on either side ----
why lib
is "it serves nothing" '[.step, .problems[0].step]' '["no-routes","no-routes"]'
call explain_link '{"from":"lib","to":"users"}' >"$W/out"
is "it sends nothing" '.step' '"no-calls"'
call explain_link '{"from":"web","to":"users","method":"DELETE","path":"/nothing"}' >"$W/out"
is "no such call" '[.step, .linked]' '["no-calls",false]'
why broken
is "it is not indexed" '[.step, .complete]' '["not-indexed",false]'
ok "not-indexed, no-calls and no-routes"

# ---- one thing broken ----
# breaks STEP STATEMENT: after this call of web
breaks() {
	page "$2"
	commit "$W/src/web"
	"$BIN/atoll" repo analyze web --wait >/dev/null 2>&1 || fail "web is not indexed"
	sync
	why users
	is "$2" '[.linked, .step]' "[false,\"$1\"]"
	"$BIN/atoll" why web users >"$W/text" || fail "atoll why: $(cat "$W/text")"
	grep -q "^$1: " "$W/text" || fail "atoll why does not name $1: $(cat "$W/text")"
	"$BIN/atoll" why web users page.js:2 >"$W/text" || fail "atoll why of a place: $(cat "$W/text")"
	grep -q "^$1: " "$W/text" || fail "atoll why of a place does not name $1: $(cat "$W/text")"
}
breaks host 'return fetch(`http://usrs/accounts/${id}`);'
yaml=$(jq -r '.missing[0].candidates[0] | select(.route.path == "/accounts/{}") | .atoll_yaml' "$W/out")
same "whose atoll.yaml" "$(jq -r '.missing[0].candidates[0].atoll_yaml_of' "$W/out")" "$(uri_of users)"
breaks host 'return fetch(`https://api.example.com/accounts/${id}`);'
breaks host 'return fetch(`http://orders/accounts/${id}`);'
breaks method 'return fetch(`http://users/accounts/${id}`, { method: "DELETE" });'
breaks path 'return fetch(`http://users/acounts/${id}`);'
is "which segment" '.why | test("segment 1 of the path is `acounts`, that of the nearest route `accounts`")' true
breaks prefix 'return fetch(`http://users/a/b/c/d/accounts/${id}`);'
breaks computed-url 'return fetch(process.env.TARGET_OF_ALL);'
is "what is computed, and where" '.missing[0].candidates[0].at' '"page.js:2"'
breaks no-calls 'return id;'
ok "each broken thing is named, over the API and by atoll why"

# ---- the line of atoll.yaml ----
# joined REPO LINE: after this line in the repository's file
joined() {
	echo "$2" >"$W/src/$1/atoll.yaml"
	commit "$W/src/$1"
	"$BIN/atoll" repo analyze "$1" --wait >/dev/null 2>&1 || fail "$1 is not indexed"
	sync
	why users
	is "$2" '[.linked, .step, .contracts[0].producer.path]' '[true,null,"/accounts/{}"]'
}
page 'return fetch(`http://usrs/accounts/${id}`);'
commit "$W/src/web"
"$BIN/atoll" repo analyze web --wait >/dev/null 2>&1
joined users "$yaml"
git -C "$W/src/users" rm -q atoll.yaml && commit "$W/src/users"
"$BIN/atoll" repo analyze users --wait >/dev/null 2>&1
breaks path 'return fetch(`http://users/acounts/${id}`);'
same "whose atoll.yaml" "$(jq -r '.missing[0].candidates[0].atoll_yaml_of' "$W/out")" "$(uri_of web)"
joined web "$(jq -r '.missing[0].candidates[0].atoll_yaml' "$W/out")"
ok "the proposed line makes the link"

echo "not: [{to: users}]" >"$W/src/web/atoll.yaml"
breaks declared-not 'return fetch(`http://users/accounts/${id}`);'
is "where it is declared" '[.missing[0].candidates[0] | .at, .atoll_yaml]' '["atoll.yaml:1",null]'
ok "a declaration against the link is named"

# ---- what is refused ----
refused() {	# refused CODE ARGUMENTS
	"$BIN/atoll" call explain_link "$2" >"$W/out" 2>/dev/null && fail "$2 is answered: $(cat "$W/out")"
	is "$2" .error.code "\"$1\""
}
refused INVALID_INPUT '{"from":"web"}'
refused NOT_FOUND '{"from":"web","to":"nobody"}'
refused NOT_FOUND '{"from":"web","to":"users","group":"none"}'
call group_create '{"group":"alone","repos":["web"]}' >/dev/null
refused NOT_FOUND '{"from":"web","to":"users","group":"alone"}'
ok "questions that cannot be answered are refused"
