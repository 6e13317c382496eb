#!/bin/bash
# Every error code of err.def over MCP, in both eras, in a real situation: the exact envelope, and hints whose commands exist.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"

# The coordinator's embedder is an API that behaves as the question says; the shards use the built-in one.
export ATOLL_CLUSTER_KEY=sesame	# ports are for members alone
api_server
coordinate m --max-staleness 0 --embedder http --embed-model tiny --embed-url "$api/asked" --embed-key-file "$W/key"

declare -A more=()
shard() { start "$1" atoll-shard --repo "$W/$1" --data "$W/d-$1" --listen "ipc://$W/$1.ipc" --coordinator "ipc://$W/m.ipc" \
	--ingest-slots "$W/slots" ${more[$1]:-}; }
mkdir "$W/slots"
: >"$W/slots/0"
port=$(free_port) garbled=$(free_port)
start garble python3 "$ROOT/tests/mcp/garbling_proxy.py" "$garbled" "$port" file
for s in fresh stale damaged older down garbled new; do
	git init -q -b main "$W/$s"
	git -C "$W/$s" remote add origin "https://h.example/o/$s.git"
	printf 'def %s():\n    return 1\n' "$s" >"$W/$s/a.py"
	commit "$W/$s" first
	[ $s = fresh ] || more[$s]="--embedder none"
done
more[garbled]+=" --listen tcp://127.0.0.1:$port --advertise tcp://127.0.0.1:$garbled"
for s in fresh stale damaged older down garbled; do shard $s; done
answers_of() { "$BIN/atoll" call query "{\"repo\":\"$1\",\"query\":\"x\",\"mode\":\"lexical\"}"; }
for s in fresh stale damaged older down garbled; do wait_for 20 answers_of $s; done
vectors() { call list_repos '{"repo":"fresh"}' | jq -e '.repos[0].vectors == "complete"'; }
wait_for 20 vectors

# From now on no ingest gets a slot.
start holder python3 -c 'import fcntl, sys, time
f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); time.sleep(600)' "$W/slots/0"
wait_for 5 test -s "$W/holder.log"
commit_file() { printf '\n' >>"$W/$1/a.py" && commit "$W/$1" second; }
commit_file stale
stop damaged
stop older
index() { echo "$W/d-$1"/repo_*/"$(cat "$W/d-$1"/repo_*/CURRENT)"; }
python3 -c 'import os, sys
f = open(sys.argv[1], "r+b"); f.write(b"\x5a" * os.path.getsize(sys.argv[1]))' "$(index damaged)"
python3 -c 'import sqlite3, sys
d = sqlite3.connect(sys.argv[1]); d.execute("update meta set value = 999 where key = ?", ("schema",)); d.commit()' "$(index older)"
for s in damaged older new; do shard $s; done
stop down KILL
all_known() { call list_repos | jq -e '.total == 7'; }
wait_for 20 all_known
"$BIN/atoll" group create all fresh stale damaged older down garbled new >/dev/null
recorded
python3 "$ROOT/tests/mcp/errors.py" "$wire" "$BIN/atoll" "$ROOT/proto/base/err.def" || fail "error codes failed"
ok "every code, in both eras, with a helpful hint"

ATOLL_TOKEN=$("$BIN/atoll" token create --name admin)
export ATOLL_TOKEN
ATOLL_TOKEN=$("$BIN/atoll" token create --name reader --read-only)
python3 "$ROOT/tests/mcp/errors.py" "$wire" "$BIN/atoll" "$ROOT/proto/base/err.def" FORBIDDEN || fail "FORBIDDEN failed"
ok "FORBIDDEN because of the token"
