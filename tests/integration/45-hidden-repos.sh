#!/bin/bash
# Limited tokens: every answer has the same bytes as that of a federation without the hidden repositories.
. "$(dirname "$0")/../lib.sh"
case $B in *address* | *thread*) skip "test_hidden_members and test_scoped_tables check this in every variant" ;; esac

"$ROOT/tests/fixtures/hidden_repos.sh" "$W/r"

# federation NAME REPO...: start a federation of these repositories with groups; sets $url and $admin.
federation() {
	url=http://127.0.0.1:$(free_port)
	export ATOLL_URL=$url
	name=$1
	shift
	# There must be no automatic builds: a shard that starts slowly gets one, and this federation would have a job and a generation more than the other. Then it starts again, from nothing.
	for try in 1 2 3 4 5; do
		settle "$@"
		[ "$(call job_list '{"kind":"build"}' | jq .total)" != 0 ] || break
		[ $try != 5 ] || fail "automatic builds: $(call job_list)"
		stop "$name"
		rm -rf "${W:?}/$name"
	done
}

# settle REPO...: start the federation $name, and wait until it knows everything about itself.
settle() {
	export ATOLL_TOKEN=
	start "$name" env ATOLL_CALLS_PER_SECOND=0 ATOLL_INDEX_MAX_AGE=0 ATOLL_SEARCH_DEADLINE_MS=$((3000 * slow)) \
		"$BIN/atoll" up --data "$W/$name" --http "${url#http://}" --group all "$@"
	wait_for 20 answers
	ready all $#
	admin=$(call token_create '{"name":"admin"}' | jq -r .secret)
	export ATOLL_TOKEN=$admin
	call group_create '{"group":"seen","repos":["web","users","orders","docs"]}' >/dev/null
	call repo_visibility '{"repo":"users","visibility":"public"}' >/dev/null
	call repo_visibility '{"repo":"orders","visibility":"internal"}' >/dev/null
	call group_sync '{"group":"all"}' >/dev/null
	wait_for 20 settled
}

# Whether the coordinator knows everything about its federation: counts arrive with a later probe than the index.
settled() {
	atoll call list_repos '{"limit":50}' | jq -e '[.repos[] | select(.files == 0 or .phase or .vectors == "building" or .indexing.status == "pending")] | length == 0' &&
		[ "$(curl -sS -H "Authorization: Bearer $admin" "$url/metrics" | sed -n 's/^atoll_disk_bytes{what="vectors"} //p')" = "$(cat "$W/$name"/repo_*/vectors.bin | wc -c)" ]
}

# limited NAME JSON: create a token with that name in the current federation.
limited() { call token_create "$(jq -c --arg n "$1" '. + {name: $n}' <<<"$2")" | jq -r .secret; }

declare -A limits=(
	[repos]='{"repos":["web","users","orders","docs"]}'
	[group]='{"groups":["seen"]}'
	[some]='{"repos":["web","users"],"read_only":true}'
	[public]='{"groups":["seen"],"visibility":"public"}'
	[internal]='{"repos":["users","orders","web"],"visibility":"internal"}'
	[none]='{"repos":["web"],"visibility":"public"}'
)

federation less "$W/r/web" "$W/r/users" "$W/r/orders" "$W/r/docs"
call group_create '{"group":"mixed","repos":["web","users"]}' >/dev/null
declare -A less
for name in "${!limits[@]}"; do less[$name]=$(limited "$name" "${limits[$name]}"); done
less_url=$url

federation whole "$W"/r/*
call group_create '{"group":"mixed","repos":["web","zqxvault","users"]}' >/dev/null
call group_create '{"group":"zqxdark","repos":["zqxvault","zqxshadow"]}' >/dev/null
call group_contracts '{"group":"all","limit":200}' >"$W/all.json"
jq -e '[.contracts[] | select(.producer.repo_uri + .consumer.repo_uri | contains("zqx"))] | length >= 6' "$W/all.json" >/dev/null ||
	fail "the hidden ones have too little to do with the others: $(jq -c .contracts "$W/all.json")"
jq -e '[.contracts[] | select((.producer.repo_uri + .consumer.repo_uri | contains("zqx") | not) and (.evidence | tostring | contains("zqx")))] | length >= 1' \
	"$W/all.json" >/dev/null || fail "a hidden gateway is in the evidence of others: $(jq -c .contracts "$W/all.json")"
[ "$slow" = 1 ] || limits=([group]=${limits[group]} [public]=${limits[public]})	# it takes long with sanitizers
pairs=()
for name in "${!limits[@]}"; do pairs+=("$name=$(limited "$name" "${limits[$name]}")=${less[$name]}"); done
ok "two federations, one of them without the hidden repositories"

HIDDEN_JOB=$(call jobs '{"kind":"update","repo":"zqxvault"}' | jq -r .job.id)
export HIDDEN_JOB
job_over() { call job_show "{\"id\":\"$HIDDEN_JOB\"}" | jq -e '.state == "done"'; }
wait_for 20 job_over
python3 "$ROOT/tests/access.py" "$url" "$less_url" "${pairs[@]}" >"$W/access" || fail "$(cut -c 1-1000 "$W/access" | head -n 60; tail -n 1 "$W/access")"
ok "$(tail -n 1 "$W/access")"

# ---- hidden repositories change ----

token=${pairs[0]#*=}
token=${token%%=*}
mcp() { curl -sS -m 60 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' "$@" "$url/mcp"; }
hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":
	{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}'
session=$(mcp -D - -o "$W/hello" -d "$hello" |
	tr -d '\r' | sed -n 's/^[Mm]cp-[Ss]ession-[Ii]d: //p')
[ -n "$session" ] || fail "no session: $(cat "$W/hello")"
for uri in group/all/contracts group/mixed/status groups repo/git.example%2Facme%2Fweb/routes; do
	mcp -H "Mcp-Session-Id: $session" -d "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"atoll://$uri\"}}" >/dev/null
done
start stream curl -sSN -H "Authorization: Bearer $token" -H 'Accept: text/event-stream' -H "Mcp-Session-Id: $session" "$url/mcp"

start page curl -sSN -H "Authorization: Bearer $token" "$url/api/v1/events"

events() { grep '^data: {' "$W/stream.log" | wc -l; }
pause=$((slow > 1 ? 6 : 3))	# longer than it takes until whoever listens is told, here of what has moved before
for _ in 1 2 3 4 5 6 7 8; do
	before=$(events)
	sleep "$pause"
	if [ "$before" -gt 0 ] && [ "$before" = "$(events)" ]; then break; fi
done

# moved REPO: a commit there is indexed and in the contracts of `all`.
moved() {
	printf '\n\n@app.get("/users/moved")\ndef moved():\n    return requests.get("http://users:8000/users/9").text\n' >>"$2"
	git -C "$W/r/$1" -c user.name=zqx -c user.email=zqx@zqx.example commit -qam "$1: moved"
	call repo_analyze "{\"repo\":\"acme/$1\"}" >/dev/null
	wait_for 30 indexed "$1"
	call group_sync '{"group":"all"}' >/dev/null
}
indexed() { call list_repos "{\"repo\":\"acme/$1\"}" | jq -e --arg c "$(git -C "$W/r/$1" rev-parse HEAD)" '.repos[0].freshness.commit == $c'; }

# On a machine with much else to do somebody who is seen may be late meanwhile, which is told: then once more.
flaps() { grep ' member.health ' "$W/whole/logs/coordinator.log" | wc -l; }
page() { grep '^data' "$W/page.log" | wc -l; }
for try in 1 2 3; do
	before=$(events) shown=$(page) healthy=$(flaps)
	moved zqxvault "$W/r/zqxvault/zqxsrc/zqxledger.py"
	[ $try != 1 ] || call group_remove '{"group":"mixed","repos":["zqxvault"]}' >/dev/null
	call group_create "{\"group\":\"zqxdarker$try\",\"repos\":[\"zqxshadow\"]}" >/dev/null
	sleep "$pause"
	[ "$(flaps)" != "$healthy" ] || break
done
same "what is told of what is hidden" "$(events)" "$before"
grep -q '^data: {"repos":' "$W/page.log" || fail "the page is not notified: $(cat "$W/page.log")"
! grep -q zqx "$W/page.log" || fail "the page is notified about hidden repositories: $(cut -c 1-1000 "$W/page.log")"
same "what the page is told of what is hidden" "$(page)" "$shown"
python3 "$ROOT/tests/access.py" "$url" "$less_url" "${pairs[0]}" >"$W/access" || fail "$(cut -c 1-1000 "$W/access" | head -n 60; tail -n 1 "$W/access")"
ok "changes of hidden repositories are not visible: $(tail -n 1 "$W/access")"

moved web "$W/r/web/client.js"
told() { grep '^data: {' "$W/stream.log" | tail -n "+$((before + 1))" | grep -q group/all/contracts; }
wait_for 20 told
shown() { grep '^data' "$W/page.log" | grep '"repos":' | grep -q "$(git -C "$W/r/web" rev-parse HEAD)"; }
wait_for 20 shown
ok "changes of visible repositories are notified"
