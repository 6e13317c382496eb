#!/bin/bash
# On a terminal `atoll up` draws one line for each repository, which ends as ready, and writes nothing over its last words.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
ATOLL_URL=http://127.0.0.1:$(free_port)
export ATOLL_URL
start up script -qfc "$BIN/atoll up --data $W/data --http ${ATOLL_URL#http://} $W/shop/users $W/shop/catalog" "$W/screen"
said() { grep -q 'Running.' "$W/screen"; }
wait_for 40 said
sleep 2

# What the terminal shows in the end: `ESC[nA` goes n lines up, `ESC[K` clears one.
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
grep -q '^2 of 2 repositories ready' "$W/shown" || fail "the summary is gone: $(cat "$W/shown")"
same "last line" "$(grep -v '^$' "$W/shown" | tail -n 1)" "Running.  Ctrl-C stops everything; \`atoll status\` shows how it is."
ok "one line a repository, and the last words stay"
