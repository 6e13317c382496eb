#!/bin/bash
# Unusual files: each is searched, or left out and counted with its reason and an example.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

git init -q -b main "$W/a"
git -C "$W/a" config core.quotePath false
python3 - "$W/a" <<'PY'
import os, sys
root = sys.argv[1].encode()
def put(path, data):
    path = os.path.join(root, path if isinstance(path, bytes) else path.encode())
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
put("plain.py", "def plain_one():\n    return 1\n")
put("crlf.py", "def crlf_one():\r\n    \"\"\"Ends as on Windows.\"\"\"\r\n    return 1\r\n")
put("cr.md", "# old Mac\rwombat on one line\r")
put("utf16le.py", b"\xff\xfe" + "def utf16_little():\n    return 'größe'\n".encode("utf-16-le"))
put("utf16be.cs.md", b"\xfe\xff" + "# heading\n\nutf16_big € 😀\n".encode("utf-16-be"))
put("utf16raw.py", "def without_mark():\n    return 1\n".encode("utf-16-le"))
put("latin1.py", "# café naïve\ndef latin_one():\n    return 'straße'\n".encode("latin-1"))
put("bom.py", b"\xef\xbb\xbfdef bom_one():\n    return 1\n")
put("invalid.py", b"# caf\xc3\xa9 \xff\xfe\ndef invalid_one():\n    return '\x80'\n")
put("nul.py", b"def nul_early():\n    return '\0'\n")
put("nul_late.py", b"# filler filler\n" * 1000 + b"def nul_late():\n    return '\0'\n")
put("no_newline.py", "def unterminated():\n    return 1")
put("empty.py", "")
put("lfs.py", "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12345\n")
put("one_line.js", "var a=1;" * 20000 + "function one_line_end(){return 1}")
put("bundle.min.js", "function minified_one(){}")
put("big.py", "# " + "x" * 2000000 + "\n")
put("path with spaces/and 'quotes\" in.py", "def spaced_path():\n    return 1\n")
put("new\nline.py", "def newline_path():\n    return 1\n")
put("tab\tand\x01control.py", "def control_path():\n    return 1\n")
put(b"latin-\xe9.py", "def latin_path():\n    return 1\n")
put("größe/ünïcode.py", "def unicode_path():\n    return 1\n")
put("Case.py", "def upper_case_path():\n    return 1\n")
put("case.py", "def lower_case_path():\n    return 1\n")
put("--option.py", "def option_path():\n    return 1\n")
put(":(glob)x.py", "def magic_path():\n    return 1\n")
put("%n%s$(x)`y`.py", "def percent_path():\n    return 1\n")
put("d/" * 60 + "deep.py", "def deep_path():\n    return 1\n")
put("secret.txt", "a file outside of it: shibboleth\n")
os.rename(os.path.join(root, b"secret.txt"), os.path.join(root, b"..", b"outside.txt"))
os.symlink("../outside.txt", os.path.join(root, b"link.txt"))
os.symlink("/etc/passwd", os.path.join(root, b"passwd.py"))
os.symlink("plain.py", os.path.join(root, b"alias.py"))
os.mkdir(os.path.join(root, b"links"))
for name, target in (b"up", b".."), (b"out", b"../.."), (b"circle", b"circle"), (b"none", b"../nothing"):
    os.symlink(target, os.path.join(root, b"links", name))
PY
git init -q "$W/sub"
printf 'def in_submodule():\n    pass\n' >"$W/sub/s.py"
commit "$W/sub" sub
git -C "$W/a" -c protocol.file.allow=always submodule --quiet add "$W/sub" module
commit "$W/a" all
# a missing blob, as after a broken clone
printf 'def lost_one():\n    pass\n' >"$W/a/lost.py"
commit "$W/a" lost
blob=$(git -C "$W/a" rev-parse HEAD:lost.py)
rm -f "$W/a/.git/objects/${blob:0:2}/${blob:2}"

atoll-shard --repo "$W/a" --data "$W/d" --once >"$W/once" 2>"$W/log" || fail "--once: $(tail -n 2 "$W/log")"
serve s "$W/a" --data "$W/d"
rpc s status >"$W/status"
skipped() { jq -r --arg r "$1" '.skipped[] | select(.name == $r) | "\(.files) \(.example)"' "$W/status"; }
same "symlinks" "$(skipped symlink)" "7 alias.py"
same "submodules" "$(skipped submodule)" "1 module"
same "missing" "$(skipped missing)" "1 lost.py"
same "LFS pointers" "$(skipped lfs-pointer)" "1 lfs.py"
same "empty" "$(skipped empty)" "1 empty.py"
same "too large" "$(skipped 'too large')" "1 big.py"
same "minified" "$(skipped minified)" "1 bundle.min.js"
same "binary" "$(skipped binary)" "2 nul.py"
ok "every file that is left out is counted with its reason and an example"

first() { rpc s search "{\"query\":\"$1\",\"limit\":1}" | jq -r '.hits[0] | "\(.path) \(.symbol)"'; }
while read -r symbol path; do
	same "$symbol" "$(first "$symbol")" "$path $symbol"
done <<'END'
plain_one plain.py
crlf_one crlf.py
utf16_little utf16le.py
latin_one latin1.py
bom_one bom.py
invalid_one invalid.py
nul_late nul_late.py
unterminated no_newline.py
spaced_path path with spaces/and 'quotes" in.py
unicode_path größe/ünïcode.py
upper_case_path Case.py
lower_case_path case.py
option_path --option.py
magic_path :(glob)x.py
percent_path %n%s$(x)`y`.py
END
same "UTF-16 with the high byte first" "$(rpc s search '{"query":"utf16_big","limit":1}' | jq -r '.hits[0].path')" utf16be.cs.md
same "the end of a line of 160 KB" "$(rpc s symbol '{"symbol":"one_line_end","limit":1}' | jq -r '.symbols[0].path')" one_line.js
# a line that is longer than an answer is read on within the line
at=0
: >"$W/whole"
while :; do
	rpc s file "{\"path\":\"one_line.js\",\"start_line\":1,\"start_byte\":$at,\"max_bytes\":65536}" >"$W/part"
	jq -j .content "$W/part" >>"$W/whole"
	at=$(jq '.next_byte // 0' "$W/part")
	[ "$at" = 0 ] && break
	same "cut" "$(jq -c '[.truncated, .start_line, .end_line]' "$W/part")" '[true,1,1]'
done
same "the whole line" "$(sha256sum <"$W/whole")" "$(git -C "$W/a" show HEAD:one_line.js | sha256sum)"
rpc s file '{"path":"one_line.js","start_byte":160033,"max_bytes":9}' 2>&1 | grep -q 'start_byte: 160033 is beyond the' || fail "a byte beyond the line"
same "a line of UTF-16" "$(rpc s file '{"path":"utf16le.py","start_line":2,"end_line":2,"max_bytes":100}' |
	jq -r .content)" "    return 'größe'"
same "a line of Latin-1" "$(rpc s file '{"path":"latin1.py","start_line":1,"end_line":1,"max_bytes":100}' | jq -r .content)" "# café naïve"
same "the lines of CRLF" "$(rpc s symbol '{"symbol":"crlf_one","limit":1}' |
	jq -c '.symbols[0] | [.start_line, .end_line, .doc]')" '[1,3,"Ends as on Windows."]'
rpc s search '{"query":"wombat","limit":1}' | jq -e '.hits[0].path == "cr.md"' >/dev/null || fail "carriage returns as line ends"
same "a deep folder" "$(rpc s search '{"query":"deep_path","limit":1}' | jq -r '.hits[0].path | length')" $((60 * 2 + 7))
ok "a file is found whatever its encoding, line ends and name"

# names that could break JSON, logs and shells: every answer is valid and leads back to the file
for symbol in newline_path control_path latin_path; do
	rpc s search "{\"query\":\"$symbol\",\"limit\":1}" >"$W/out"
	jq -e --arg s $symbol '.hits[0].symbol == $s' "$W/out" >/dev/null || fail "$symbol: $(cat "$W/out")"
	jq -c '{path: .hits[0].path, max_bytes: 1000}' "$W/out" >"$W/ask"
	if [ $symbol != latin_path ]; then
		rpc s file "$(cat "$W/ask")" | jq -re .content | grep -q "def $symbol" || fail "the file of $symbol: $(cat "$W/ask")"
	fi
	jq -c '{spans: [.hits[0] | {blob, start_line, end_line}], max_bytes: 1000}' "$W/out" >"$W/ask"
	rpc s snippet "$(cat "$W/ask")" | jq -re '.snippets[0].text' | grep -q "def $symbol" || fail "the snippet of $symbol"
done
if rpc s search '{"query":"shibboleth","limit":5}' | jq -e '.hits | length > 0' >/dev/null; then fail "a symbolic link was followed"; fi
same "a link inside" "$(rpc s file '{"path":"alias.py","max_bytes":100}' | jq -r .path)" plain.py
same "through a folder" "$(rpc s file '{"path":"links/up/plain.py","max_bytes":100}' | jq -r .path)" plain.py
for p in passwd.py link.txt links/out/x; do
	if rpc s file "{\"path\":\"$p\",\"max_bytes\":100}" >"$W/out"; then fail "file $p: $(cat "$W/out")"; fi
	same "code of $p" "$(jq -r .error.code "$W/out")" INVALID_INPUT
	grep -q 'leads out of the repository' "$W/out" || fail "file $p: $(cat "$W/out")"
	if grep -q 'root:' "$W/out"; then fail "file $p"; fi
done
for p in module module/s.py links/circle links/none links/circle/x; do
	if rpc s file "{\"path\":\"$p\",\"max_bytes\":100}" >"$W/out"; then fail "file $p: $(cat "$W/out")"; fi
	same "code of $p" "$(jq -r .error.code "$W/out")" NOT_FOUND
done
if rpc s file '{"path":"lost.py","max_bytes":100}' >"$W/out"; then fail "a missing blob: $(cat "$W/out")"; fi
same "code of a lost blob, which a replica may have" "$(jq -r .error.code "$W/out")" UNAVAILABLE
[ "$(wc -l <"$W/log")" -eq "$(grep -Ec '^20|^a-[0-9a-f]{6}: indexing' "$W/log")" ] || fail "a path broke a line of the log"
stop s
ok "names with newlines and invalid UTF-8; links and submodules are not followed"
