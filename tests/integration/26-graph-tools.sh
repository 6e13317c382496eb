#!/bin/bash
# context, impact, signature, file_map and detect_changes over a federation: a change in one repository affects callers in others.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
search_ms=$((3000 * slow))	# a member is paused
up --group shop "$W"/shop/*
ready shop 4
call group_sync '{"group":"shop"}' >/dev/null
tool() { call "$1" "$2" >"$W/out"; }
refused() {	# refused CODE TOOL JSON
	_rc=0
	"$BIN/atoll" call "$2" "$3" >"$W/out" 2>"$W/err" || _rc=$?
	same "exit code of $2 $3: $(cat "$W/out" "$W/err")" $_rc 3
	is "code of $2 $3" .error.code "\"$1\""
}
others='[.cross_repo[] | [.relation, (.repo_uri | split("/") | last | split(":") | first), .path, .symbol, .contract, .depth]] | sort'

# ---- context ----
tool context '{"repo":"users","symbol":"get_user"}'
is "target" '[.target.id, .target.signature, .total]' '["users/app.py#get_user","def get_user(user_id)",1]'
is "callees" '[.callees[].id] | contains(["users/store.py#UserStore.get", "users/store.py#User.public"])' true
is "routes" '[.routes[] | [.method, .path]]' '[["GET","/users/{}"]]'
is "who calls it elsewhere" "$others" \
	'[["called_by","local","neighbours.go","server.loadSeller","GET /users/{}",1],
	["called_by","orders","src/main/java/shop/orders/Neighbours.java","Neighbours.requireUser","GET /users/{}",1],
	["called_by","web","src/accounts.ts","loadAccount","GET /users/{}",1]]'
is "nothing is missing" '[.reasons, .freshness.behind]' '[[],0]'
tool context '{"repo":"web","symbol":"loadAccount"}'
is "whom it calls elsewhere" "$others" '[["calls","users","users/app.py","get_user","GET /users/{}",1]]'
is "what a handler calls is none" .routes '[]'
for id in $(jq -r '.callers[].id, .callees[].id, .uses[].id, .imports[].id' "$W/out"); do
	call context "{\"repo\":\"web\",\"symbol\":\"$id\"}" | jq -e --arg id "$id" '.target.id == $id' >/dev/null || fail "$id cannot be requested"
done
tool context '{"repo":"users","symbol":"digest"}'
is "tests" '[.tests[].path] | unique' '["tests/test_passwords.py"]'
ok "context combines the graph of one repository with the contracts of all"

# ---- impact ----
tool impact '{"repo":"users","symbol":"UserStore.get"}'
is "direct" '[.by_depth[0].affected[].id] | contains(["users/app.py#get_user"])' true
is "its routes, at the distance of their handlers" '[.routes[] | select(.path == "/users/{}" and .method == "GET") | .depth]' '[1]'
is "who calls these" '[.cross_repo[] | select(.contract == "GET /users/{}") | [.symbol, .depth]] | sort' \
	'[["Neighbours.requireUser",2],["loadAccount",2],["server.loadSeller",2]]'
is "repositories" '[.repos[] | select(.consumers > 0)] | length' 3
is "their number decides the risk" .risk '"CRITICAL"'
tool impact '{"repo":"users","symbol":"User","direction":"downstream","depth":1}'
is "no risk downstream" '[.risk, .direction]' '[null,null]'
tool impact '{"repo":"users","symbol":"healthz","depth":1}'
is "a handler nobody calls" '[.risk, (.routes | length)]' '["MEDIUM",1]'
ok "impact crosses repositories"

# ---- the graphs of other languages ----
tool impact '{"repo":"web","symbol":"loadAccount"}'
is "a handler without a name" '[.routes[] | [.method, .path, .depth]]' '[["GET","/api/accounts/{}",1]]'
tool impact '{"repo":"catalog","symbol":"Products.Get","depth":1}'
is "Go, from another package" '[.by_depth[0].affected[] | select(.test | not) | .id]' '["server.go#server.getProduct","server.go#server.productSeller"]'
is "its routes" '[.routes[] | [.path, .depth]]' '[["/products/{}",1],["/products/{}/seller",1]]'
tool context '{"repo":"orders","symbol":"OrderBook.add"}'
is "Java, by the type of a field" '[.callers[] | select(.test | not) | .id]' '["src/main/java/shop/orders/OrderController.java#OrderController.placeOrder"]'
tool context '{"repo":"catalog","symbol":"server.getProduct"}'
is "a handler that is passed on" '[.routes[] | [.method, .path, .depth // 0]]' '[["GET","/products/{}",0]]'
ok "calls are followed in Go, Java and TypeScript"

# ---- signature ----
tool signature '{"repo":"orders","symbol":"OrderController"}'
is "stub" '.stub | split("\n") | [first, .[3]]' '["public class OrderController {","    public OrderController(OrderBook book, Neighbours neighbours);"]'
tool signature '{"repo":"catalog","symbol":"server"}'
is "methods beside a Go type" '[.members[].name] | contains(["client", "routes", "getProduct"])' true
ok "signature outlines types of several languages"

# ---- file_map ----
tool file_map '{"repo":"users","path":"users/app.py"}'
is "who calls its routes, by line" '[.crossings[] | select(.at_line == 27) | [.end.relation, (.end.repo_uri | split("/") | last | split(":") | first), .end.contract]]' \
	'[["called_by","orders","GET /users/{}"],["called_by","web","GET /users/{}"],["called_by","local","GET /users/{}"]]'
is "whole" '[.reasons, .freshness.behind]' '[[],0]'
tool file_map '{"repo":"web","path":"src/accounts.ts"}'
is "whom its lines call" '[.crossings[] | select(.end.relation == "calls") | [.at_line, .end.path, .end.contract]] | contains([[18,"users/app.py","GET /users/{}"]])' true
tool file_map '{"repo":"web"}'
is "a folder" '[.entries[] | select(.files) | .name] | contains(["src"])' true
refused NOT_FOUND file_map '{"repo":"users","path":"none.py"}'
ok "file_map combines the lines of a file with the contracts of all"

# ---- detect_changes ----
sed -i 's/return {"id": self.id, "name": self.name, "email": self.email}/return {"id": self.id}/' "$W/shop/users/users/store.py"
git -C "$W/shop/users" diff >"$W/diff"
call detect_changes "$(jq -n --rawfile d "$W/diff" '{repo: "users", diff: $d}')" >"$W/out"
is "symbols" '[.symbols[] | [.change, .id]]' '[["changed","users/store.py#User.public"]]'
is "files" '[.files[] | [.path, .change, .added, .removed]]' '[["users/store.py","changed",1,1]]'
is "consumers elsewhere" '[.cross_repo[].contract] | unique | contains(["GET /users/{}"])' true
is "risk" '[.max_risk, .base, .head]' '["CRITICAL",null,null]'
refused INVALID_INPUT detect_changes '{"repo":"users","diff":"--- what"}'
refused INVALID_INPUT detect_changes '{"repo":"users","diff":""}'
refused INVALID_INPUT detect_changes '{"repo":"users","base":"nowhere"}'
refused INVALID_INPUT detect_changes '{"repo":"users","base":"HEAD","diff":"x"}'
ok "detect_changes lists the callers that an uncommitted change affects"

# ---- route_map, api_impact ----
tool route_map '{"repo":"users","route":"GET /users/42"}'
is "the one route, its handler and everybody who calls it" '[.total, .routes[0].path, (.routes[0].handler | split(".") | last), ([.routes[0].consumers[].symbol] | sort)]' \
	'[1,"/users/{}","get_user",["Neighbours.requireUser","loadAccount","server.loadSeller"]]'
tool route_map '{"repo":"users"}'
is "all routes, with those whom nobody calls" '[.total == (.routes | length), ([.routes[] | select(.consumers == [])] | length > 0), .reasons]' '[true,true,[]]'
all=$(jq -c '[.routes[] | [.method, .path]]' "$W/out")
tool route_map '{"repo":"users","limit":2}'
cursor=$(jq -r .next_cursor "$W/out") two=$(jq -c '[.routes[] | [.method, .path]]' "$W/out")
tool route_map "{\"repo\":\"users\",\"limit\":500,\"cursor\":\"$cursor\"}"
same "pages" "$(jq -c --argjson t "$two" '$t + [.routes[] | [.method, .path]]' "$W/out")" "$all"
tool route_map '{"repo":"web","route":"/api/products","method":"GET"}'
is "calls from within the repository" '[.routes[].consumers[].repo_uri] | unique' '["github.com/atoll-shop/web"]'
ok "route_map names the handler and the callers of each route"
tool api_impact '{"repo":"users","route":"/users/:id","method":"GET"}'
is "direct consumers" '[.consumers[] | select(.depth == 1) | .symbol] | sort' '["Neighbours.requireUser","loadAccount","server.loadSeller"]'
is "by way of others" '[.consumers[] | select(.depth > 1)] | length > 0' true
is "risk" '[.risk, .direct, ([.repos[] | select(.consumers > 0)] | length)]' '["CRITICAL",3,3]'
refused NOT_FOUND api_impact '{"repo":"users","route":"/no/such/route"}'
refused INVALID_INPUT api_impact '{"repo":"users"}'
refused AMBIGUOUS_REPO route_map '{}'
ok "api_impact follows a route to everything that depends on it"

# ---- what cannot be answered ----
for t in context impact signature; do
	refused AMBIGUOUS_REPO $t '{"symbol":"healthz"}'
	refused NOT_FOUND $t '{"repo":"users","symbol":"get_usr"}'
	jq -r .error.message "$W/out" | grep -qF '`get_user`' || fail "no similar name: $(cat "$W/out")"
	refused INVALID_INPUT $t '{"repo":"users"}'
	refused NOT_FOUND $t '{"repo":"nowhere","symbol":"x"}'
done
refused AMBIGUOUS_REPO detect_changes '{}'
tool owners '{"repo":"users","path":"users"}'
is "owners" '[.owners[0].name, .complete]' '["Atoll Shop",true]'
ok "errors name the problem"

# ---- a member that does not answer ----
shard_of() { for _p in $(_ours); do ! tr '\0' ' ' <"/proc/$_p/cmdline" | grep -q "^[^ ]*atoll-shard.*/shop/$1 " || echo "$_p"; done; }
web=$(shard_of web)
[ -n "$web" ] || fail "cannot find the shard of web"
echo "$web" >"$W/web.pid"
pause "$web"
tool impact '{"repo":"users","symbol":"UserStore.get"}'
is "it is a lower bound" .epistemic '"lower-bound"'
jq -e '.reasons | any(test("atoll-shop/web"))' "$W/out" >/dev/null || fail "the member that did not answer is not named: $(jq -c .reasons "$W/out")"
is "the others are there" '[.repos[] | select(.consumers > 0)] | length' 3
refused UNAVAILABLE context '{"repo":"web","symbol":"loadAccount"}'
kill -CONT "$web"
ok "an unreachable member is named"

# ---- tools on request ----
stop up
names() { curl -fsS "$ATOLL_URL/mcp" -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \
	-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | jq -r '.result.tools[].name' | tr '\n' ' '; }
start one "$BIN/atoll-coordinator" --data "$W/one" --http "${ATOLL_URL#http://}" --listen "ipc://$W/one.ipc" --tools query,owners
wait_for 20 answers
same "names" "$(names)" "query owners "
stop one
start all "$BIN/atoll-coordinator" --data "$W/one" --http "${ATOLL_URL#http://}" --listen "ipc://$W/all.ipc" --tools all
wait_for 20 answers
names | grep -q owners || fail "not all tools: $(names)"
stop all
rc=0
"$BIN/atoll-coordinator" --data "$W/one" --http 127.0.0.1:0 --listen "ipc://$W/bad.ipc" --tools query,repo_add >"$W/bad" 2>&1 || rc=$?
[ $rc -ne 0 ] && grep -q 'repo_add' "$W/bad" || fail "the unknown tool is not named: $(cat "$W/bad")"
ok "--tools selects what MCP offers"
