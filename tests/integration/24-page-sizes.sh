#!/bin/bash
# Page sizes, limits, expiring cursors and names in any spelling, with real daemons.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

for i in 1 2 3; do
	mkdir -p "$W/r$i"
	git init -q -b main "$W/r$i"
	git -C "$W/r$i" remote add origin "https://git.example.com/sizes/r$i.git"
done
printf 'def load_users():\n    return []\n' >"$W/r1/snake.py"
printf 'export function loadUsers() {\n  return [];\n}\n' >"$W/r2/camel.js"
printf 'class UserService:\n    pass\n' >"$W/r3/type.py"
# thirty routes and their callers: sixty hits
python3 - "$W" <<'PY'
import sys
w = sys.argv[1]
with open(w + "/r1/server.js", "w") as f:
    f.write("const app = require('express')();\n")
    for i in range(30):
        f.write(f"app.get('/thing{i}', (req, res) => res.send('thing'));\n")
with open(w + "/r2/client.py", "w") as f:
    f.write("import requests\n")
    for i in range(30):
        f.write(f"\n\ndef call_thing_{i}():\n    return requests.get('http://r1/thing{i}')\n")
with open(w + "/r3/things.py", "w") as f:
    for i in range(120):
        f.write(f"\n\ndef make_thing_{i}():\n    return 'thing'\n")
with open(w + "/r3/long.txt", "w") as f:
    for i in range(6000):
        f.write(f"line {i} of a file that is longer than what one call may answer\n")
PY
for i in 1 2 3; do commit "$W/r$i" one; done
up --group g "$W"/r?
ready g 3
call group_sync '{"group":"g"}' >/dev/null

refused() {	# refused TOOL JSON: INVALID_INPUT, in $W/r
	if atoll call "$1" "$2" >"$W/r"; then fail "$1 $2: $(cat "$W/r")"; fi
	same "code of $1 $2" "$(jq -r .error.code "$W/r")" INVALID_INPUT
}
# size TOOL ARGUMENTS LIMIT LIST DEFAULT LARGEST
size() {
	same "default page of $1" "$(call "$1" "$2" | jq "$4 | length")" "$5"
	for n in 0 $(($6 + 1)) -1 1.5 '"x"'; do
		refused "$1" "$(jq -c --argjson n "$n" ".$3 = \$n" <<<"$2")"
		grep -q "\`$3\`" "$W/r" || fail "$1 names $3: $(cat "$W/r")"
	done
	call "$1" "$(jq -c ".$3 = $6" <<<"$2")" >/dev/null
	same "page of 3 of $1" "$(call "$1" "$(jq -c ".$3 = 3" <<<"$2")" | jq "$4 | length")" 3
}
size search_code '{"repo":"r3","query":"thing"}' topK .results 8 100
size ask_code '{"repo":"r3","query":"thing"}' topK .evidences 8 50
size query '{"repo":"r3","query":"thing"}' limit .results 10 100
size group_query '{"group":"g","query":"thing"}' limit .results 20 100
size list_repos '{}' limit .repos 3 200
size group_contracts '{"group":"g"}' limit .contracts 30 1000
size group_cross_repo_links '{"group":"g","relation":"consumes_route"}' limit .links 30 1000
ok "page sizes and their limits"

# ---- a file in parts of at most 64 KiB, whole lines ----
from=1 pieces=0
: >"$W/whole"
while call open_file "{\"repo\":\"r3\",\"path\":\"long.txt\",\"startLine\":$from}" >"$W/r"; do
	jq -rj .content "$W/r" >"$W/piece"
	[ "$(wc -c <"$W/piece")" -le 65536 ] || fail "a part of $(wc -c <"$W/piece") bytes"
	cat "$W/piece" >>"$W/whole"
	pieces=$((pieces + 1))
	from=$(($(jq .endLine "$W/r") + 1))
	[ "$from" -le "$(jq .totalLines "$W/r")" ] || break
done
cmp "$W/whole" "$W/r3/long.txt" || fail "the parts do not add up to the file"
[ $pieces -gt 1 ] || fail "the whole file in one call: $(wc -c <"$W/whole") bytes"
ok "a long file comes in $pieces parts"

# ---- one word finds every spelling, in every member ----
call group_query '{"group":"g","query":"users","limit":10}' >"$W/r"
for path in snake.py camel.js type.py; do
	jq -e --arg p $path 'any(.results[]; .path == $p)' "$W/r" >/dev/null || fail "users does not find $path: $(cat "$W/r")"
done
same "types too" "$(call group_query '{"group":"g","query":"users","kinds":["class"]}' | jq -c '[.results[].symbol]')" '["UserService"]'
same "user service" "$(call group_query '{"group":"g","query":"user service"}' | jq -r '.results[0].symbol')" UserService
for q in load_users loadUsers 'load users' LoadUsers LOAD_USERS; do
	call group_query "$(jq -n --arg q "$q" '{group: "g", query: $q, limit: 3}')" >"$W/r"
	jq -e '[.results[].path] | index("camel.js") and index("snake.py")' "$W/r" >/dev/null || fail "$q: $(cat "$W/r")"
done
ok "names in any spelling"

# ---- cursors expire with their index ----
declare -A args=([list_repos]='{"limit":1}' [query]='{"repo":"r3","query":"thing","limit":3}' [group_query]='{"group":"g","query":"thing","limit":3}'
	[group_contracts]='{"group":"g","limit":3}' [group_cross_repo_links]='{"group":"g","limit":3}')
declare -A cursor
for tool in "${!args[@]}"; do
	cursor[$tool]=$(call "$tool" "${args[$tool]}" | jq -r .next_cursor)
	call "$tool" "$(jq -c --arg c "${cursor[$tool]}" '.cursor = $c' <<<"${args[$tool]}")" >"$W/r" || fail "no next page of $tool"
	refused "$tool" "$(jq -c '.cursor = "AAAA"' <<<"${args[$tool]}")"
done
printf 'const app = require("express")();\napp.get("/thing30", (req, res) => res.send("thing"));\n' >"$W/r3/more.js"
commit "$W/r3" two
atoll repo analyze r3 --wait 2>/dev/null
call group_sync '{"group":"g"}' >/dev/null
for tool in query group_query group_contracts group_cross_repo_links; do
	refused "$tool" "$(jq -c --arg c "${cursor[$tool]}" '.cursor = $c' <<<"${args[$tool]}")"
	jq -e '.error.message == "cursor expired, repeat the query"' "$W/r" >/dev/null || fail "cursor of $tool: $(cat "$W/r")"
done
ok "a cursor expires with the index"
