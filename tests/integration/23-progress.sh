#!/bin/bash
# On a terminal `atoll up` draws one line per repository, which ends as ready, and does not overwrite its final message.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
ATOLL_URL=http://127.0.0.1:$(free_port)
export ATOLL_URL ATOLL_PROBE_INTERVAL_MS=100
start up script -qfc "$BIN/atoll up --data $W/data --http ${ATOLL_URL#http://} $W/shop/users $W/shop/catalog" "$W/screen"
said() { grep -q 'Running.' "$W/screen"; }
wait_for 30 said
sleep 2

# The final content of the terminal: `ESC[nA` moves n lines up, `ESC[K` clears a line.
python3 - "$W/screen" >"$W/shown" <<'P'
import re, sys
lines, at = [''], 0
for part in re.split(r'(\x1b\[\d*[AK]|\r?\n)', open(sys.argv[1]).read()):
    up = re.fullmatch(r'\x1b\[(\d*)A', part)
    if up:
        at -= int(up.group(1) or 1)
    elif part == '\x1b[K':
        lines[at] = ''
    elif part in ('\n', '\r\n'):
        at += 1
        if at == len(lines):
            lines.append('')
    else:
        lines[at] += part
print('\n'.join(lines))
P
same "lines of repositories" "$(grep -cE '^(atoll-shop/users|users|catalog).* (ready|starting|indexing)' "$W/shown")" 2
same "of them ready" "$(grep -cE '^(atoll-shop/users|catalog-[0-9a-f]{6}) +ready, [0-9]+ files' "$W/shown")" 2
grep -q '^2 of 2 repositories ready' "$W/shown" || fail "the summary was overwritten: $(cat "$W/shown")"
same "last line" "$(grep -v '^$' "$W/shown" | tail -n 1)" "Running.  Press Ctrl-C to stop everything; \`atoll status\` shows the state."
ok "one line per repository, and the final message remains"

# ---- an index that takes a while: files, MB/s, time left; standard output contains only the answer
python3 - "$W/large" $((100 / slow)) <<'P'
import os, sys
os.makedirs(sys.argv[1])
for i in range(600):
    with open(f"{sys.argv[1]}/m{i}.py", "w") as f:
        for k in range(int(sys.argv[2])):
            f.write(f"def function_{i}_{k}(a, b):\n    \"\"\"Adds {i} and {k}.\"\"\"\n    return a + b * {k} + {i}\n\n\n")
P
git init -q -b main "$W/large"
git -C "$W/large" add -A
git -C "$W/large" -c user.name=t -c user.email=t@example.com commit -qm large
bar='\[[#.]{24}\] [0-9]+/600 files [0-9]+\.[0-9] MB/s, [0-9]+:[0-9][0-9] left'
script -qfec "$BIN/atoll-shard --repo $W/large --data $W/d1 --once --json >$W/answer" "$W/screen" >/dev/null </dev/null ||
	fail "--once on a terminal: $(cat "$W/screen")"
grep -Eq "$bar" "$W/screen" || fail "no progress bar: $(tr '\r' '\n' <"$W/screen" | tail -n 5)"
jq -e '.files == 600' "$W/answer" >/dev/null || fail "standard output: $(cat "$W/answer")"
"$BIN/atoll-shard" --repo "$W/large" --data "$W/d2" --once --json >"$W/answer" 2>"$W/lines" || fail "--once"
grep -Eq '^large-[0-9a-f]{6}: indexing, [0-9]+ of 600 files, [0-9]+\.[0-9] MB/s, [0-9]+:[0-9][0-9] left$' "$W/lines" ||
	fail "plain lines: $(cat "$W/lines")"
if grep -q "$(printf '\033')" "$W/lines"; then fail "escape sequences without a terminal"; fi
jq -e '.files == 600' "$W/answer" >/dev/null || fail "standard output: $(cat "$W/answer")"
script -qfec "stty rows 5 cols 50; $BIN/atoll-shard --repo $W/large --data $W/d3 --once" "$W/screen" >/dev/null </dev/null || fail "a narrow terminal: $(cat "$W/screen")"
grep -Eq '\[[#.]{10}\] [0-9]+/600 files' "$W/screen" || fail "no progress bar on a narrow terminal: $(tr '\r' '\n' <"$W/screen" | tail -n 5)"
if sed "s/$(printf '\033')\[[0-9]*[AK]//g" "$W/screen" | tr '\r' '\n' | grep '/600 files' | grep -E '.{50}'; then fail "a line is wider than the terminal"; fi
script -qfec "TERM=dumb $BIN/atoll-shard --repo $W/shop/users --data $W/d4 --once" "$W/screen" >/dev/null </dev/null || fail "a dumb terminal: $(cat "$W/screen")"
if grep -q "$(printf '\033')" "$W/screen"; then fail "escape sequences on a dumb terminal"; fi
ok "--once: a progress bar on a terminal, lines elsewhere"

"$BIN/atoll" repo add "$W/large" >/dev/null
looked=0
seen() {	# the work of a second may be over between two looks at it
	looked=$((looked + 1))
	[ $((looked % 30)) != 0 ] || "$BIN/atoll" repo analyze large --force
	"$BIN/atoll" call status | jq -e '.repos[] | select(.name | startswith("large")) |
		.phase == "parse" and .total == 600 and .done <= 600 and .bytes_total > 1000000 and .bytes_done <= .bytes_total'
}
wait_for 120 seen	# four ingests, each of which may pass between two looks
listed() { "$BIN/atoll" call status | jq -e '.repos[] | select(.name | startswith("large")) | .status == "ready" and .health == "healthy"'; }
wait_for 30 listed
ok "status reports the progress to programs"
# again FUNCTION COMMAND...: repeat until the function succeeds, as short work may finish between two checks
again() {
	local shown=$1
	shift
	for _ in 1 2 3; do
		"$@" || fail "$*: $(cat "$W/screen" "$W/lines")"
		! "$shown" || break
	done
	jq -e .repo_uri "$W/answer" >/dev/null || fail "standard output: $(cat "$W/answer")"
	"$shown" || fail "not shown: $(tr '\r' '\n' <"$W/screen" | tail -n 5; cat "$W/lines")"
}
on_a_terminal() { script -qfec "$BIN/atoll repo analyze large --force --wait --json >$W/answer" "$W/screen" >/dev/null </dev/null; }
elsewhere() { "$BIN/atoll" repo analyze large --force --wait --json >"$W/answer" 2>"$W/lines"; }
bar() { grep -Eq '\[[#.]{24}\] [0-9]+/600 files' "$W/screen"; }
plain() { grep -Eq '^large-[0-9a-f]{6}: indexing, [0-9]+ of 600 files' "$W/lines"; }
again bar on_a_terminal
again plain elsewhere
ok "repo analyze --wait shows progress too"
