#!/bin/bash
# Limits of a file (size, work, time, nesting) and of the ingest (memory, time) hold; what they cut off is counted.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
python3 - "$W/a" <<'PY'
import sys
def put(name, text):
    with open(f"{sys.argv[1]}/src/{name}", "w") as f:
        f.write(text)
put("quotes.js", '"' * 150000 + "\nfunction after_quotes() {}\n")
put("generics.java", "a<" * 100000)
put("nested.py", "def before_nesting():\n    return 1\n\nx = " + "[" * 5000 + "]" * 5000 + "\n")
put("braces.c", "int f(void)\n" + "{" * 5000 + "}" * 5000 + "\n")
put("parens.go", "package a\n\nvar x = " + "(" * 5000 + "1" + ")" * 5000 + "\n")
put("objects.ts", "const x = " + '{"a":' * 5000 + "1" + "}" * 5000 + ";\n")
put("data.py", "x = [" + "1, " * 300000 + "]\n")
with open(f"{sys.argv[1]}/src/vast.py", "w") as f:
    for i in range(100):
        f.write("# a line of a hundred bytes, of which there are very many in this file so that it is a large one\n" * 10486)
PY
commit "$W/a" limits

once() {	# once DATA ARG...: indexes it
	_d=$1
	shift
	atoll-shard --repo "$W/a" --data "$W/$_d" --once --json "$@" >"$W/json" 2>"$W/log" || fail "--once: $(tail -n 3 "$W/log")"
	if grep -q 'ingest.crashed\|quarantine.strike' "$W/log"; then fail "it crashed: $(cat "$W/log")"; fi
}
skips() {
	python3 - "$W/$1"/*/index-*.db <<'PY'
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    "select reason, files from skips where reason in ('parse effort', 'parse time', 'nesting', 'too large') order by 1")
print(*(f"{reason}={files}" for reason, files in rows))
PY
}
once d
same "what was cut short" "$(skips d)" "nesting=4 parse effort=2 too large=1"
hash=$(json "$W/json" graph_hash)
once d1 --ingest-threads 1
same "with one thread" "$(skips d1) $(json "$W/json" graph_hash)" "nesting=4 parse effort=2 too large=1 $hash"
ok "files that cost too much are counted, with any number of threads"

serve s "$W/a" --data "$W/d"
rpc s status | jq -e '.skipped[] | select(.name == "parse effort") | .example | test("src/(quotes.js|generics.java)")' >/dev/null || fail "there is no example"
same "their text is there" "$(rpc s search '{"query":"after_quotes","limit":1}' | jq -r '.hits[0].path')" src/quotes.js
same "what is beside deep nesting" "$(rpc s symbol '{"symbol":"before_nesting","limit":1}' | jq -r '.symbols[0].path')" src/nested.py
rpc s file '{"path":"src/vast.py","start_line":1,"end_line":1,"max_bytes":1000}' | jq -e '.content | startswith("# a line")' >/dev/null ||
	fail "a file of 100 MB can be read"
stop s
ok "such files are searched as text"

once d2 --file-timeout-ms 1
skips d2 | grep -q 'parse time=[1-9]' || fail "no file took a millisecond: $(skips d2)"
ok "time is a limit too"

# ---- the ingest: its time
for i in $(seq 40); do cp "$W/a/src/data.py" "$W/a/src/data$i.py"; echo "# $i" >>"$W/a/src/data$i.py"; done
commit "$W/a" much
start t atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/t.ipc" --ingest-seconds 0 --file-limit 200000000
said() { grep -q 'took longer than --ingest-seconds' "$W/t.log"; }
wait_for 20 said
rpc t search '{"query":"load_users","limit":1}' | jq -e '.hits[0].symbol == "load_users"' >/dev/null || fail "the last index is not served"
stop t
ok "an ingest that takes too long is stopped, and the last index is served"

# ---- and its memory: the child is killed, the shard is not
case $B in *address* | *thread*) ok "(no memory limit under sanitizers)"; exit 0 ;; esac
start m atoll-shard --repo "$W/a" --data "$W/d" --listen "ipc://$W/m.ipc" --ingest-memory-mb 200 --file-limit 200000000 --file-timeout-ms 0
said() { grep -q 'ingest.crashed' "$W/m.log"; }
wait_for 30 said
rpc m search '{"query":"load_users","limit":1}' | jq -e '.hits[0].symbol == "load_users"' >/dev/null || fail "the last index is not served"
kb=$(awk '/^VmHWM/ { print $2 }' "/proc/$(pid_of m)/status")
[ "$kb" -lt 100000 ] || fail "the serving process took $kb KB"
stop m
ok "an ingest that takes too much memory does not take the shard down"
