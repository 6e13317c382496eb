#!/bin/bash
# An incrementally updated index equals a full rebuild, in every table and every answer, at any path and with any remote.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
. "$(dirname "$0")/../determinism.sh"

commits=$((slow > 1 ? 20 : 40))
python3 "$ROOT/tests/make_history.py" "$W/history" $commits "${SEED:-1}" || fail "make_history failed"
follow "$W/history" $commits $((slow > 1 ? 2 : 1))
[ $_renewed -ge $((commits / 2)) ] || fail "only $_renewed of $commits commits were indexed incrementally, the others from scratch"
ok "$commits commits, $_renewed indexed incrementally, $_compared of them compared with a full rebuild"

# every RPC gives the same answer, except for the generation, the time and the repository's name
serve along "$W/follow" --data "$W/along" --poll-ms 0
serve anew "$W/follow" --data "$W/anew" --poll-ms 0
embedded() { rpc "$1" status | jq -e '.vectors == "complete" and .embedder != ""'; }
wait_for 30 embedded along
wait_for 30 embedded anew
python3 - >"$W/questions" <<'END'
import json
words = "load save order user stock price basket invoice".split()
for w in words:
    for v in words:
        print("search", json.dumps({"query": f"{w} {v}", "limit": 10}))
        print("search", json.dumps({"query": f"how to {w}_{v}", "limit": 5, "granularity": "file"}))
        print("symbol", json.dumps({"symbol": f"{w}_{v}", "limit": 50}))
        print("context", json.dumps({"symbol": f"{w}_{v}"}))
        print("impact", json.dumps({"symbol": f"{w}_{v}"}))
print("search", json.dumps({"query": "note", "limit": 200}))
for after in (0, 3, 6):
    print("contracts", json.dumps({"after": after, "limit": 3}))
print("status", "{}")
END
ask() {
	sed -n "s/^$2 //p" "$W/questions" >"$W/$2.in"
	"$TESTBIN/rpc" --loop "$W/$2.in" "ipc://$W/$1.ipc" "$2" 2>/dev/null |
		sed 's/"\(ingest_ms\|index_bytes\|vectors_bytes\|vectors_done\)":[0-9]*,\{0,1\}//g; s/"vectors":"[a-z]*",\{0,1\}//' >"$W/$1.$2"
}
for rpc in search symbol context impact contracts status; do
	ask along $rpc
	ask anew $rpc
	[ -s "$W/along.$rpc" ] || fail "$rpc: no answers"
	cmp -s "$W/along.$rpc" "$W/anew.$rpc" || fail "$rpc: $(diff "$W/along.$rpc" "$W/anew.$rpc" | cut -c 1-400 | head -4)"
done
stop along
stop anew
ok "$(cat "$W"/*.in | wc -l) answers are the same"

anywhere
ok "graph_hash belongs to the commit"
