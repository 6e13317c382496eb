#!/bin/sh
# Damage and crashes: an index that is corrupt or has another schema is replaced by a new one, an older one answers until then; SIGKILL at any time leaves the
# last generation; a file that crashes the ingest is quarantined and the rest is indexed.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
generation() { rpc "$1" health >"$W/health" && json "$W/health" generation; }
at_least() { g=$(generation "$1") && [ "$g" != None ] && [ "$g" -ge "$2" ]; }

# ---- damage found at the start
serve s "$W/a" --data "$W/d"
stop s
index=$(echo "$W"/d/*/index-1.db)
python3 -c 'import sys
f = open(sys.argv[1], "r+b"); f.seek(4096); f.write(b"\x5a" * 20000)' "$index"
serve s "$W/a" --data "$W/d"
wait_for 10 at_least s 2
[ -e "$index.corrupt" ] || fail "the corrupt index was not moved away: $(ls "$W"/d/*)"
rpc s search '{"query":"users","limit":3}' >"$W/out" || fail "search after the rebuild: $(cat "$W/out")"
grep -q 'index.unusable' "$W/s.log" || fail "not logged"
ok "an index that is corrupt at the start is moved away and rebuilt"

# ---- damage while the shard runs
index=$(echo "$W"/d/*/index-2.db)
embedded() { [ "$(grep -c 'vectors.done.* generation=2 ' "$W/s.log")" -ge 1 ]; }
wait_for 20 embedded		# nobody but a question looks into the index any more
let_go() { ! ls -l "/proc/$(pid_of s)/fd" | grep -q "$index"; }
wait_for 20 let_go
python3 -c 'import sys, os
f = open(sys.argv[1], "r+b"); n = os.path.getsize(sys.argv[1]); f.seek(0); f.write(b"\x5a" * n)' "$index"
if rpc s search '{"query":"users","limit":3}' >"$W/out"; then fail "a search in a damaged index succeeded: $(cat "$W/out")"; fi
same "code" "$(json "$W/out" error code)" DB_ERROR
wait_for 10 at_least s 3
rpc s search '{"query":"users","limit":3}' >"$W/out" || fail "search after the rebuild: $(cat "$W/out")"
stop s
ok "an index that is damaged while it serves answers DB_ERROR and is rebuilt"

# ---- another schema
python3 -c 'import sqlite3, sys
d = sqlite3.connect(sys.argv[1]); d.execute("update meta set value = 999 where key = ?", ("schema",)); d.commit()' "$W"/d/*/index-3.db
mkdir "$W/slots"
: >"$W/slots/0"
start s atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/s.ipc" --ingest-slots "$W/slots"
wait_for 10 at_least s 4
grep -q SCHEMA_MISMATCH "$W/s.log" || fail "not logged: $(cat "$W/s.log")"
stop s
ok "an index with another schema is rebuilt"

# ---- slots: while all are taken the shard waits and reports it
hold
printf 'def late():\n    pass\n' >"$W/a/src/late.py"
commit "$W/a" late
serve s "$W/a" --data "$W/d" --ingest-slots "$W/slots"
waits() { rpc s health >"$W/out" && [ "$(json "$W/out" phase)" = wait ]; }
wait_for 5 waits
same "generation while it waits" "$(generation s)" 4
behind() { rpc s --stamp health >"$W/out" && [ "$(json "$W/out" stamp behind)" = 1 ]; }
wait_for 20 behind
release
wait_for 10 at_least s 5
stop s
ok "ingests of a host share slots"

# ---- an index of the program before this one answers until it is rebuilt
index=$(ls -t "$W"/d/*/index-*.db | head -1)
python3 -c 'import sqlite3, sys
d = sqlite3.connect(sys.argv[1])
for key, value in ("schema", 19), ("extractor", 28):
    d.execute("update meta set value = ? where key = ?", (value, key))
for table in "texts", "text_data", "no_texts", "text_segments", "grams":
    d.execute("drop table " + table)
d.commit()' "$index"
hold
serve s "$W/a" --data "$W/d" --ingest-slots "$W/slots"
wait_for 5 waits
rpc s search '{"query":"load_users","limit":3}' >"$W/out" || fail "search in an older index: $(cat "$W/out")"
same "what it finds" "$(json "$W/out" hits 0 symbol)" load_users
rpc s contracts '{"limit":10}' >"$W/out" || fail "contracts of an older index: $(cat "$W/out")"
if rpc s grep '{"pattern":"late","limit":3}' >"$W/out"; then fail "an index without texts was searched: $(cat "$W/out")"; fi
same "why not" "$(json "$W/out" error code)" NO_INDEX
release
wait_for 20 at_least s 6
rpc s grep '{"pattern":"late","limit":3}' >"$W/out" || fail "grep after the rebuild: $(cat "$W/out")"
same "its texts" "$(json "$W/out" lines 0 path)" src/late.py
stop s
ok "an older index answers while it is rebuilt, but for what it does not have"

# ---- SIGKILL of the shard at any time around an ingest
i=0
while [ $i -lt 400 ]; do
	python3 -c 'import sys
n = int(sys.argv[1])
print("\n".join("def function_%d_%d(a, b):\n    return a + b * %d\n" % (n, i, i) for i in range(120)))' $i >"$W/a/src/m$i.py"
	i=$((i + 40))
done
commit "$W/a" many
for seconds in 0.02 0.04 0.06 0.08 0.1 0.2 0.3 0.4; do
	start s atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/s.ipc" --poll-ms 200
	sleep $seconds
	stop s KILL
done
serve s "$W/a" --data "$W/d"
rpc s search '{"query":"load_users","limit":3}' >"$W/out" || fail "after SIGKILL: $(cat "$W/out")"
wait_for 20 at_least s 7
rpc s search '{"query":"function_40_7","limit":3}' >"$W/out"
same "the new commit" "$(json "$W/out" hits 0 path)" src/m40.py
stop s
[ -z "$(ls "$W"/d/*/*.tmp 2>/dev/null)" ] || fail "half-written files remain: $(ls "$W"/d/*)"
ok "SIGKILL before, during or after an ingest leaves the last generation"

# ---- a greedy file
case $B in *address* | *thread*) ok "(no memory limit under sanitizers)"; exit 0 ;; esac
python3 -c 'print("x = [" + "[1, " * 400000 + "]" * 400000 + "]")' >"$W/a/src/greedy.py"
python3 -c 'print("x = [" + "1, " * 6000000 + "]")' >"$W/a/src/vast.py"
commit "$W/a" greedy
atoll-shard --repo "$W/a" --data "$W/d3" --once --ingest-memory-mb 400 --file-limit 100000000 --file-timeout-ms 0 >"$W/out" 2>"$W/log" ||
	fail "--once with a greedy file: $(tail -3 "$W/log")"
grep -q 'quarantine.strike.*\(vast\|greedy\).py' "$W/log" || fail "no crash was recorded: $(cat "$W/log")"
grep -q 'ingest.crashed' "$W/log" || fail "nothing crashed"
serve s "$W/a" --data "$W/d3"
rpc s status >"$W/out"
grep -q '"quarantined":\[.*py' "$W/out" || fail "status: $(cat "$W/out")"
grep -q '{"name":"quarantined","files":[12]' "$W/out" || fail "skipped: $(cat "$W/out")"
rpc s search '{"query":"load_users","limit":3}' >"$W/out"
same "the rest is indexed" "$(json "$W/out" hits 0 symbol)" load_users
stop s
ok "a file that crashes the ingest twice is quarantined, the rest is indexed"
