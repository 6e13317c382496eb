#!/bin/bash
# Languages without a grammar: universal-ctags finds their symbols, one process per ingest; without it their files are plain
# text, and status says so.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

git init -q -b main "$W/a"
cd "$W/a"
for i in 1 2 3 4 5 6; do printf -- '-- Counts apples.\nlocal function apples_%d(n)\n  return n + 1\nend\n' $i >"count$i.lua"; done
printf 'syntax = "proto3";\nservice Orders {\n  rpc PlaceOrder(Order) returns (Order);\n}\nmessage Order {\n  string id = 1;\n}\n' >orders.proto
printf '# Guide\n\nHow it is used.\n\n## Picking apples\n\nOne\nby one,\nfrom the tree.\n' >guide.md
printf '<template><b/></template>\n<script setup lang="ts">\nfunction pick(n: number) {\n  return n\n}\n</script>\n' >Tree.vue
printf '{ "openapi": "3.0.0", "paths": { "/apples": { "get": { "operationId": "listApples" } } } }\n' >api.json
printf '{ "apples": 3 }\n' >data.json
cd /
commit "$W/a" first

kind() {
	rpc "$1" symbol "{\"symbol\":\"$2\",\"limit\":5}" >"$W/out" &&
		jq -r '[.. | objects | select(has("kind")) | "\(.kind) \(.start_line // .line)-\(.end_line)"] | unique | join(",")' "$W/out"
}
skipped() { rpc "$1" status >"$W/status" &&
	jq -r --arg r "$2" '[.skipped[]? | select(.name == $r) | "\(.files) \(.example)"] | join(",")' "$W/status"; }

mkdir "$W/once"
printf '#!/bin/sh\n/bin/mkdir %s/run.$$\nexec /usr/bin/ctags-universal "$@"\n' "$W/once" >"$W/once/ctags-universal"
chmod +x "$W/once/ctags-universal"
# The sandbox does not start scripts; attacks/86-sandbox.sh runs the real ctags in it.
PATH=$W/once:$PATH serve s "$W/a" --data "$W/d" --ingest-threads 1 --sandbox off
same "Lua" "$(kind s apples_3)" "function 2-4"
same "an rpc" "$(kind s PlaceOrder)" "method 3-3"
same "a section" "$(kind s 'Picking apples')" "section 5-9"
same "a script" "$(kind s pick)" "function 3-5"
same "an operation" "$(kind s listApples)" "function 1-1"
same "nothing is text for want of ctags" "$(skipped s 'definitions: no ctags')" ""
same "other JSON" "$(skipped s 'unknown type')" "1 data.json"
same "processes" "$(ls -d "$W"/once/run.* | wc -l)" 1
ok "symbols of every kind of file; ctags is started once"
stop s

mkdir "$W/none"
printf '#!/bin/sh\nexit 1\n' | tee "$W/none/ctags-universal" >"$W/none/ctags"
chmod +x "$W/none/ctags-universal" "$W/none/ctags"
PATH=$W/none:$PATH serve t "$W/a" --data "$W/e" --sandbox off
same "no symbol" "$(kind t apples_3 || true)" ""
same "a section needs none" "$(kind t 'Picking apples')" "section 5-9"
same "what is said" "$(skipped t 'definitions: no ctags')" "7 count1.lua"
rpc t search '{"query":"apples_3","limit":5}' >"$W/out"
grep -q '"count3.lua"' "$W/out" || fail "its text is not found: $(cat "$W/out")"
grep -q 'ctags.missing' "$W/t.log" || fail "the log does not name it"
ok "without ctags the files are plain text, counted and logged"
