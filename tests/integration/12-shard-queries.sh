#!/bin/sh
# Queries are plain text: expected results are found; filters, snippets, symbols, files and contracts work.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
serve s "$W/a" --data "$W/d"
ask() { rpc s search "$(python3 -c 'import json, sys; print(json.dumps({"query": sys.argv[1], "limit": 20}))' "$1")"; }

for q in 'GET /api/users' 'get-user' 'a:b' 'NEAR(' 'name:users' '{name} : x' 'users"' 'users*' '-x users' 'AND OR NOT' \
	'users AND' '"load users' '😀 users' "it's" 'a^2' 'x + y' '(users' "'; drop table files; --" 'the how is'; do
	ask "$q" >"$W/out" || fail "query '$q': $(cat "$W/out")"
done
for q in '' '   ' '"' '*' '""' '()' '-' '...'; do
	if ask "$q" >"$W/out"; then fail "query '$q' gave $(cat "$W/out")"; fi
	same "code of '$q'" "$(json "$W/out" error code)" INVALID_INPUT
done
long=$(python3 -c 'print(" ".join("word%d users" % i for i in range(900)))')
ask "$long" >"$W/out" || fail "a query of 10 KB: $(cat "$W/out")"
[ "$(json "$W/out" total)" -gt 0 ] || fail "a query of 10 KB finds nothing"
ok "queries are plain text, whatever they contain"

ask users >"$W/out"
for want in loadUsers load_users UserService; do
	grep -q "\"symbol\":\"$want\"" "$W/out" || fail "users does not find $want: $(cat "$W/out")"
done
ask LOADUSERS >"$W/out"
grep -q '"symbol":"load_users"' "$W/out" || fail "names by their letters are not found: $(cat "$W/out")"
ask load_users >"$W/out"
same "the exact name first" "$(json "$W/out" hits 0 symbol)" load_users
same "its score" "$(python3 -c 'import json,sys; print(int(max(h.get("exact",0) for h in json.load(open(sys.argv[1]))["hits"])))' "$W/out")" 9
ask 'how are load_users called by others' >"$W/out"
same "its score in a sentence" "$(python3 -c 'import json,sys; print(max(h.get("exact",0) for h in json.load(open(sys.argv[1]))["hits"]))' "$W/out")" 3
ask 'UserService.load_users' >"$W/out"
same "a qualified name" "$(json "$W/out" hits 0 qualified)" UserService.load_users
ask '"people from the database"' >"$W/out"
same "a phrase" "$(json "$W/out" hits 0 symbol)" load_users
ask '"database the from people"' >"$W/out"
same "a phrase in another order" "$(json "$W/out" hits)" "[]"
ask '"loadUsers load_users"' >"$W/out"
same "names of a phrase that nothing says" "$(json "$W/out" hits)" "[]"
ask 'load_users_*' >"$W/out"
same "a name that does not begin so" "$(json "$W/out" hits)" "[]"
ask '"people from the database" src/users.js' >"$W/out"
same "a phrase that the file does not say" "$(python3 -c 'import json,sys; print({h["path"] for h in json.load(open(sys.argv[1]))["hits"]})' "$W/out")" "{'src/users.py'}"
ask 'module exports' >"$W/out"
if grep -q node_modules "$W/out"; then fail "node_modules is indexed"; fi
ok "names in any spelling, qualified names and phrases are found"

tests() { ask "$1" | jq -r '[.hits[] | select(.test and .lexical).lexical * 1000 | round / 1000] | sort | map(tostring) | join(" ")'; }
few=$(tests 'test users') many=$(tests 'test users zqx zqy zqz')	# what nothing holds adds nothing
[ -n "$few" ] || fail "tests are not found"
same "tests count twice when few words ask for them" "$(python3 -c 'import sys
few, many = sys.argv[1].split(), sys.argv[2].split()
print(len(few) == len(many) and all(abs(float(x) / float(y) - 2) < 0.01 for x, y in zip(few, many)))' "$few" "$many")" True
ok "tests rank lower unless the query asks for them"

filter() { rpc s search "{\"query\":\"users\",\"limit\":20,$1}" >"$W/out"; }
filter '"languages":["javascript"]'
same "languages" "$(python3 -c 'import json,sys; print({h["language"] for h in json.load(open(sys.argv[1]))["hits"]})' "$W/out")" "{'javascript'}"
filter '"kinds":["class"]'
same "kinds" "$(python3 -c 'import json,sys; print({h["kind"] for h in json.load(open(sys.argv[1]))["hits"]})' "$W/out")" "{'class'}"
filter '"path_prefix":"tests/"'
same "path_prefix" "$(python3 -c 'import json,sys; print({h["path"] for h in json.load(open(sys.argv[1]))["hits"]})' "$W/out")" "{'tests/test_users.py'}"
filter '"granularity":"file"'
python3 -c 'import json,sys
p = [h["path"] for h in json.load(open(sys.argv[1]))["hits"]]
assert len(p) == len(set(p)) >= 3, p' "$W/out" || fail "several hits for one file"
filter '"path_prefix":"x%_"'
same "a prefix is no pattern" "$(json "$W/out" hits)" "[]"
ok "filters"

ask 'load people' >"$W/out"
blob=$(json "$W/out" hits 0 blob)
spans="[{\"blob\":\"$blob\",\"start_line\":4,\"end_line\":9},{\"blob\":\"$(printf '%040d' 7)\",\"start_line\":1,\"end_line\":2}]"
rpc s snippet "{\"spans\":$spans,\"query\":\"database\",\"max_bytes\":60}" >"$W/out"
same "the best lines" "$(json "$W/out" snippets 0 start_line)" 8
same "a blob that is gone" "$(json "$W/out" snippets 1 text)" ""
rpc s symbol '{"symbol":"UserService::load_users","limit":5}' >"$W/out"
same "symbol" "$(json "$W/out" symbols 0 id)" "src/users.py#UserService.load_users"
rpc s symbol '{"symbol":"src/users.py#UserService","limit":5}' >"$W/out"
same "symbol by id" "$(json "$W/out" symbols 0 doc)" "Keeps the accounts of people."
rpc s file '{"path":"src/users.js","start_line":2,"end_line":2,"max_bytes":1000}' >"$W/out"
same "a line of a file" "$(json "$W/out" content)" '  return fetch("/api/users");'
rpc s file '{"path":"src/users.py","max_bytes":30}' >"$W/out"
same "cut at a line" "$(json "$W/out" truncated) $(json "$W/out" end_line)" "True 3"
for p in ../a/src/users.js src/../src/users.js /etc/passwd nothing src/nothing src/users.js/x ''; do
	if rpc s file "{\"path\":\"$p\",\"max_bytes\":10}" >"$W/out"; then fail "file $p"; fi
	same "code of file $p" "$(json "$W/out" error code)" NOT_FOUND
done
for p in src src/ . ./; do
	if rpc s file "{\"path\":\"$p\",\"max_bytes\":10}" >"$W/out"; then fail "file $p"; fi
	same "code of file $p" "$(json "$W/out" error code)" INVALID_INPUT
done
grep -q "It contains: README.md" "$W/out" || fail "the error does not list the folder: $(cat "$W/out")"
for p in ./src/users.js src//users.js ././src/./users.js; do
	same "path of $p" "$(rpc s file "{\"path\":\"$p\",\"max_bytes\":1000}" | jq -r .path)" src/users.js
done
if rpc s file '{"path":"src/users.js","start_line":99,"max_bytes":10}' >"$W/out"; then fail "line 99"; fi
same "code of line 99" "$(json "$W/out" error code)" INVALID_INPUT
rpc s contracts '{"limit":10}' >"$W/out"
same "contracts" "$(json "$W/out" facts 0 path) $(json "$W/out" facts 0 file):$(json "$W/out" facts 0 line)" "/api/users src/users.js:2"
ok "snippets, symbols, files, contracts"

python3 -c 'import json
for i in range(300): print(json.dumps({"query": "users load %d people database" % i, "limit": 20}))' >"$W/loop"
"$TESTBIN/rpc" --loop "$W/loop" "ipc://$W/s.ipc" search >/dev/null 2>"$W/times" || fail "300 queries in a row failed"
"$TESTBIN/rpc" "ipc://$W/s.ipc" cancel '{"req":"nobody"}' >"$W/out"
same "cancel of nothing" "$(json "$W/out" found)" False
stop s
ok "many queries"

# Definitions without a document are read once for a file, not once for each document in it.
git init -q -b main "$W/long"
python3 -c 'for i in range(10000): print(f"def alpha_{i}(beta):\n    return alpha(beta, {i})\n\nA_{i} = 1")' >"$W/long/a.py"
commit "$W/long" one
serve l "$W/long" --data "$W/dl" --embedder none
used() { awk '{ print $14 + $15 }' "/proc/$(pid_of l)/stat"; }
before=$(used)
rpc l search '{"query":"alpha beta","limit":20,"kinds":["function"]}' >"$W/out"
[ "$(($(used) - before))" -lt $((80 * slow)) ] || fail "a filter of kinds takes $(($(used) - before)) ticks"
same "hits" "$(jq '.hits | length' "$W/out")" 20
stop l
ok "a filter of kinds in a long file"
