#!/bin/bash
# The index of a member is damaged while contracts are built: the member is named, new facts of others are included, its own last
# good facts are kept, and once it has rebuilt its index it is a normal member again.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
url=ipc://$W/run/coordinator.sock
port=$(free_port)
export ATOLL_URL=http://127.0.0.1:$port
start coordinator "$BIN/atoll-coordinator" --data "$W/data" --http "127.0.0.1:$port" --listen "$url" --sync-delay-ms 0 --search-deadline-ms $((3000 * slow))
wait_for 20 answers
for s in web users catalog orders; do
	start "$s" "$BIN/atoll-shard" --repo "$W/shop/$s" --data "$W/data-$s" --listen "ipc://$W/run/$s.sock" --coordinator "$url"
done
listed() { [ "$("$BIN/atoll" call list_repos | jq .total)" = 4 ]; }
wait_for 20 listed
call group_create "$(call list_repos | jq -c '{group: "shop", repos: [.repos[].repo_uri]}')" >/dev/null
ready shop 4
call group_sync '{"group":"shop"}' | jq -e .complete >/dev/null || fail "the first sync failed"
rows() { call group_contracts "{\"group\":\"shop\",\"repo_uri\":\"github.com/atoll-shop/$1\",\"limit\":1000}" |
	jq -cS '[.contracts, .producers_without_consumers]'; }

# ---- both members have new indexes; that of orders is damaged before its facts are requested
route() {	# SERVICE FILE TEXT
	printf '%s' "$3" >"$W/shop/$1/$2"
	git -C "$W/shop/$1" add -A
	git -C "$W/shop/$1" -c user.name=t -c user.email=t@example.com commit -qm "a route"
}
generation() { call group_status '{"group":"shop"}' | jq --arg r "/$1" '.repos[] | select(.repo_uri | endswith($r)) | .generation'; }
moved() { [ "$(generation "$1")" -gt "$2" ]; }
users=$(generation users) orders=$(generation orders)
route users late.py 'from flask import Flask

app = Flask(__name__)


@app.get("/late-users")
def late():
    return {}
'
route orders src/main/java/shop/orders/LateController.java 'package shop.orders;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LateController {
    @GetMapping("/late-orders")
    String late() { return ""; }
}
'
wait_for 20 moved users "$users"
wait_for 20 moved orders "$orders"
orders=$(generation orders)
index=$(echo "$W"/data-orders/repo_*/"$(cat "$W"/data-orders/repo_*/CURRENT)")
embedded() { call list_repos | jq -e 'all(.repos[]; .vectors == "complete")'; }
wait_for 30 embedded		# nobody but a question looks into the index any more
let_go() { ! ls -l "/proc/$(pid_of orders)/fd" | grep -q "$index"; }
wait_for 20 let_go
before=$(rows orders)
grep -q /orders <<<"$before" || fail "contracts of orders: $before"
python3 -c 'import os, sys
f = open(sys.argv[1], "r+b"); f.write(b"\x5a" * os.path.getsize(sys.argv[1]))' "$index"
call group_sync '{"group":"shop"}' >"$W/r"
jq -e '.complete == false and (.coverage.failed | length == 1) and .coverage.failed[0].repo_uri == "github.com/atoll-shop/orders" and
	.coverage.failed[0].code == "DB_ERROR" and (.coverage.failed[0].message | length > 0)' "$W/r" >/dev/null ||
		fail "orders is named: $(cat "$W/r")"
rows users | grep -q /late-users || fail "new facts of the others are missing: $(rows users)"
same "what was known of the damaged one" "$(rows orders)" "$before"
ok "a damaged member is named and keeps its last good facts; new facts of the others are included"

# ---- it rebuilds its index
wait_for 30 moved orders "$orders"
synced() { call group_sync '{"group":"shop"}' | jq -e .complete >/dev/null; }
wait_for 20 synced
rows orders | grep -q /late-orders || fail "its new route is missing: $(rows orders)"
ok "after it has rebuilt its index, its facts are up to date"
