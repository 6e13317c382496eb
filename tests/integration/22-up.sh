#!/bin/bash
# atoll up: follows the registry, survives crashes, refuses a second instance, leaves nothing behind.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
mkdir "$W/norepo" "$W/nocommit"
git init -q "$W/nocommit"
shards() { pgrep -P "$(pid_of up)" -x atoll-shard | sort; }
shard_of() { pgrep -P "$(pid_of up)" -f "atoll-shard --repo $W/shop/$1 "; }
members() { "$BIN/atoll" call group_query '{"group":"default","query":"healthz","limit":50}' |
	jq -c '[.complete, ([.results[].repo_uri] | unique | length)]'; }
is() { [ "$(members)" = "$1" ]; }

# ---- bad paths are named and skipped ----
up "$W/shop/web" "$W/shop/users" "$W/nothere" "$W/norepo" "$W/nocommit"
ready default 2
for p in nothere norepo nocommit; do grep -q "left out: $W/$p: " "$W/up.log" || fail "$p is not named: $(cat "$W/up.log")"; done
wait_for 30 grep -q '^MCP address: '"$ATOLL_URL/mcp" "$W/up.log"
wait_for 10 grep -q "^Page:  *$ATOLL_URL/\$" "$W/up.log"
grep -q '^2 of 2 repositories ready: [1-9]' "$W/up.log" || fail "no summary: $(cat "$W/up.log")"
for host in 'claude mcp add --transport http atoll ' 'codex mcp add' 'Cursor .*mcpServers' 'VS Code .*servers'; do
	grep -q "$host.*$ATOLL_URL/mcp" "$W/up.log" || fail "no line for $host"
done
rc=0; "$BIN/atoll" up --data "$W/other" --http 127.0.0.1:0 "$W/norepo" "$W/nothere" >"$W/bad.out" 2>"$W/bad" || rc=$?
same "exit code when nothing could start" $rc 1
ok "bad paths are named and do not stop the others"

# ---- other users cannot read its files ----
same "mode of the key" "$(stat -c %a "$W/data/cluster.key")" 600
run=$(ls -d "$XDG_RUNTIME_DIR"/atoll-*)
same "mode of the runtime folder" "$(stat -c %a "$run")" 700
if tr '\0' ' ' <"/proc/$(shard_of web)/cmdline" | grep -qF "$(cat "$W/data/cluster.key")"; then fail "the key is in argv"; fi
ok "key and sockets are private"

# ---- a second instance is refused and does not disturb the first ----
rc=0; "$BIN/atoll" up --data "$W/data" --http 127.0.0.1:0 "$W/shop/web" >/dev/null 2>"$W/second" || rc=$?
same "exit code of a second up" $rc 1
grep -q "another .atoll up. (process $(pid_of up)) runs on $W/data" "$W/second" || fail "the message does not say so: $(cat "$W/second")"
same "sockets of the first" "$(ls "$run" | grep -c '\.sock$')" 3
ok "a second up is refused"

# ---- repo add and repo remove take effect ----
"$BIN/atoll" repo add "$W/shop/orders" >/dev/null
ready default 3
wait_for 10 is '[true,3]'
"$BIN/atoll" repo remove orders >/dev/null
no_orders() { ! shard_of orders && is '[true,2]'; }
wait_for 10 no_orders
(cd "$W/shop/orders/src" && "$BIN/atoll" repo add . >/dev/null)
ready default 3
"$BIN/atoll" repo remove "$W/shop/orders" >/dev/null
wait_for 10 no_orders
ok "repo add starts a shard, repo remove stops it"

# ---- a crashed shard is back within 5 seconds ----
again() { [ -n "$(shard_of users)" ] && is '[true,2]'; }
killed() {
	kill -KILL "$(shard_of users)"
	wait_for 20 again
}
in_time 5 killed
ok "a killed shard answers again within 5 s"

# ---- the coordinator dies: registry intact, shards join again, on the same address ----
before=$(call list_repos | jq -cS '[.repos[] | {name, repo_uri, groups}]')
old=$(shards)
kill -KILL "$(pgrep -P "$(pid_of up)" -f atoll-coordinator)"
wait_for 20 answers
wait_for 20 is '[true,2]'
same "registry after the coordinator's death" "$(call list_repos | jq -cS '[.repos[] | {name, repo_uri, groups}]')" "$before"
same "shards kept running" "$(shards)" "$old"
ok "a killed coordinator comes back with its registry, and the shards join again"

# ---- SIGTERM ends everything ----
all="$(pgrep -P "$(pid_of up)") $(pid_of up)"
stop up TERM
for p in $all; do gone "$p" || fail "process $p is left over"; done
[ ! -e "$run" ] || fail "the runtime folder is left over: $(ls "$run")"
ok "SIGTERM ends all processes and clears the runtime folder"

# ---- without PATH it goes on with what it knows; SIGINT ends it too ----
up
ready default 2 20
wait_for 10 is '[true,2]'
all="$(pgrep -P "$(pid_of up)") $(pid_of up)"
kill -INT "$(pid_of up)" 2>/dev/null
for p in $all; do wait_for 10 gone "$p"; done
ok "without paths it continues with the registered repositories"

# ---- killed, it takes its children along ----
up
ready default 2 20
all=$(pgrep -P "$(pid_of up)")
kill -KILL "$(pid_of up)"
for p in $all; do wait_for 10 gone "$p"; done
up
ready default 2 20
ok "SIGKILL ends the children too, and a new start works"
