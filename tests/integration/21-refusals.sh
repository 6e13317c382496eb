#!/bin/bash
# A request that cannot be answered is refused with a code, similar names and a helpful hint, never with an empty answer.
. "$(dirname "$0")/../lib.sh"
refused() {	# refused CODE TOOL JSON: the envelope, in $W/r
	_code=$1
	shift
	_rc=0
	"$BIN/atoll" call "$@" >"$W/r" 2>"$W/r.err" || _rc=$?
	same "exit code of $*: $(cat "$W/r" "$W/r.err")" $_rc 3
	same "code of $*" "$(jq -r .error.code "$W/r")" "$_code"
	jq -e '(.error.message | length > 0) and (.error.hint | length > 0)' "$W/r" >/dev/null || fail "message and hint of $*: $(cat "$W/r")"
}

# ---- no repositories yet ----
up
wait_for 20 grep -q '^MCP address' "$W/up.log"
refused NO_INDEX query '{"query":"x"}'
jq -e '.error.hint | test("atoll (up|repo add)")' "$W/r" >/dev/null || fail "the hint does not name the command: $(cat "$W/r")"
same "list_repos" "$(call list_repos | jq -c '[.repos, .total]')" '[[],0]'
ok "no repositories: NO_INDEX, with the command that helps"

# ---- four members ----
"$ROOT/tests/fixtures/make.sh" "$W/shop"
"$BIN/atoll" repo add "$W"/shop/* --group shop >/dev/null
ready shop 4

refused NOT_FOUND group_query '{"group":"shopp","query":"x"}'
grep -q '\bshop\b' "$W/r" || fail "no similar group is named: $(cat "$W/r")"
refused NOT_FOUND query '{"repo":"atoll-shop/ordres","query":"x"}'
grep -q 'atoll-shop/orders' "$W/r" || fail "no similar repository is named: $(cat "$W/r")"
refused NOT_FOUND open_file '{"repo":"web","path":"src/nope.ts"}'
refused NOT_FOUND search_code '{"scope":{"type":"repos","repos":["web","nothere"]},"query":"x"}'
grep -q nothere "$W/r" || fail "the unknown name is not named"
refused INVALID_INPUT search_code '{"scope":{"type":"repos","repos":[]},"query":"x"}'
refused INVALID_INPUT query '{"repo":"web"}'
grep -q query "$W/r" || fail "the missing argument is not named: $(cat "$W/r")"
refused INVALID_INPUT query '{"repo":"web","query":"x","limit":100000}'
refused INVALID_INPUT query '{"repo":"web","query":"x","nonsense":1}'
refused INVALID_INPUT open_file '{"repo":"web","path":"../users/README.md"}'
refused INVALID_INPUT group_query '{"group":"shop","query":"x","cursor":"garbage"}'
refused FORBIDDEN search_code '{"scope":{"type":"all"},"query":"x"}'
ok "errors name unknown names and wrong arguments"

# ---- several repositories, no choice ----
refused AMBIGUOUS_REPO query '{"query":"x"}'
jq -e '.error | .error_code == "AMBIGUOUS_REPO" and .jsonrpc_code == -32602 and .total_matches == 4 and (.choices | length == 4) and
	(.hint == "Retry with repo_uri=<one of above>") and all(.choices[]; .default_branch == "main" and .group == "shop")' "$W/r" >/dev/null ||
	fail "the envelope: $(cat "$W/r")"
for uri in $(jq -r '.error.choices[].repo_uri' "$W/r"); do
	call query "$(jq -n --arg u "$uri" '{repo_uri: $u, query: "healthz"}')" | jq -e '.results | length > 0' >/dev/null ||
		fail "retry with $uri"
done
ok "AMBIGUOUS_REPO lists choices that work"

# ---- two clones that are both called api ----
for org in red blue; do
	cp -R "$W/shop/users" "$W/$org-api"
	git -C "$W/$org-api" remote set-url origin "https://github.com/$org/api.git"
	printf 'def only_in_%s():\n    return 1\n' "$org" >"$W/$org-api/only.py"
	git -C "$W/$org-api" add -A
	git -C "$W/$org-api" -c user.name=t -c user.email=t@example.com commit -qm "$org"
	"$BIN/atoll" repo add "$W/$org-api" --group apis >/dev/null
done
ready apis 2
refused AMBIGUOUS_REPO query '{"repo":"api","query":"x"}'
same "choices" "$(jq -r '.error.choices[].repo_uri' "$W/r" | sort | tr '\n' ' ')" "github.com/blue/api github.com/red/api "
for org in red blue; do
	call query "{\"repo\":\"$org/api\",\"query\":\"only_in_$org\"}" |
		jq -e --arg n "only_in_$org" '.results[0].name == $n' >/dev/null || fail "$org/api"
	call open_file "{\"repo_uri\":\"github.com/$org/api\",\"path\":\"only.py\"}" |
		jq -e --arg n "only_in_$org" '.content | contains($n)' >/dev/null ||
		fail "open_file in $org/api"
done
same "places on disk" "$(ls "$W/data" | grep -c '^repo_')" 6
ok "two clones called api do not collide"

# ---- the command line's own refusals ----
rc=0; "$BIN/atoll" group query 2>/dev/null || rc=$?; same "usage" $rc 2
rc=0; "$BIN/atoll" call list_repos '{' 2>/dev/null || rc=$?; same "no JSON" $rc 2
rc=0; "$BIN/atoll" group query nothere x >"$W/out" 2>"$W/r" || rc=$?; same "tool error" $rc 3
same "standard output of a failure" "$(cat "$W/out")" ""
grep -q '^Error (NOT_FOUND)' "$W/r" || fail "the error code is not printed: $(cat "$W/r")"
rc=0; "$BIN/atoll" group query nothere x --json >"$W/r" 2>/dev/null || rc=$?; same "tool error" $rc 3
same "envelope" "$(jq -r .error.code "$W/r")" NOT_FOUND
rc=0; ATOLL_URL=http://127.0.0.1:1 "$BIN/atoll" status 2>/dev/null || rc=$?; same "nobody there" $rc 1
ok "exit codes of the command line"
