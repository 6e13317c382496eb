#!/bin/bash
# The text of each hit equals open_file's text of its lines: the best lines of a long text, with any line ends.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

mkdir "$W/r"
git init -q -b main "$W/r"
python3 - "$W/r" <<'PY'
import sys
w = sys.argv[1]
def body(eol, call):
    lines = ["def handle_everything%s(request):" % call]
    lines += ["    step_%d(request)" % i for i in range(2, 401)]
    lines[298:303] = ["", "    # a full cache forgets its oldest key", "    if cache.full():", "        cache.forget(cache.oldest())", ""]
    return eol.join(lines) + eol
open(w + "/unix.py", "w", newline="").write(body("\n", "_unix"))
open(w + "/dos.py", "w", newline="").write(body("\r\n", "_dos"))
open(w + "/last.py", "w").write("def no_newline_at_the_end():\n    return 'oldest key of a cache'")
open(w + "/long.js", "w").write("function packed() {\n  return [" + ",".join("'part%d'" % i for i in range(900)) + ",'oldest_cache_key'," +
    ",".join("'more%d'" % i for i in range(900)) + "];\n}\n")
open(w + "/notes.md", "w").write("# Notes\n\n" + "".join("Paragraph %d is about nothing.\n\n" % i for i in range(300)) +
    "The oldest key leaves a full cache first.\n\n" + "".join("Paragraph %d is about nothing.\n\n" % i for i in range(300)))
PY
commit "$W/r" one
up --group g "$W/r"
ready g 1

Q="which is the oldest key that leaves a full cache"
call search_code "$(jq -n --arg q "$Q" '{query: $q, topK: 50}')" >"$W/found"
call group_query "$(jq -n --arg q "$Q" '{group: "g", query: $q, limit: 50}')" |
	jq '{results: [.results[] | select(.snippet != "") | {repo_uri, path, startLine: .snippet_start_line, endLine: .snippet_end_line, snippet}]}' >"$W/group"
call ask_code "$(jq -n --arg q "$Q" '{query: $q, topK: 50}')" | jq '{results: .evidences}' >"$W/asked"
for f in found group asked; do
	python3 - "$W/$f" "$BIN/atoll" <<'PY' || fail "$f"
import json, subprocess, sys
hits = json.load(open(sys.argv[1]))["results"]
assert {h["path"] for h in hits} == {"unix.py", "dos.py", "last.py", "long.js", "notes.md"}, hits
for h in hits:
    opened = json.loads(subprocess.check_output([sys.argv[2], "call", "open_file",
        json.dumps({k: h[k] for k in ("repo_uri", "path", "startLine", "endLine")})]))
    assert len(h["snippet"].encode()) <= 1000, h
    if h["path"] == "long.js" and "…" in h["snippet"]:      # a line that no reader wants whole
        assert "oldest_cache_key" in h["snippet"] and opened["content"].count("\n") == h["snippet"].count("\n"), h
    else:
        assert opened["content"] == h["snippet"], (h, opened)
    assert (opened["startLine"], opened["endLine"]) == (h["startLine"], h["endLine"]), (h, opened)
best = {h["path"]: h for h in reversed(hits)}
for path in "unix.py", "dos.py":
    assert "cache.forget(cache.oldest())" in best[path]["snippet"] and best[path]["startLine"] > 250, best[path]
assert "oldest key leaves" in best["notes.md"]["snippet"] and best["notes.md"]["startLine"] > 500, best["notes.md"]
assert "\r\n" in best["dos.py"]["snippet"]
PY
done
ok "snippets are the best lines, and equal open_file's text"

# output for people has no characters that a terminal would act on
curl -fsS -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d "$(jq -n --arg q "$Q" \
	'{jsonrpc: "2.0", id: 1, method: "tools/call", params: {name: "search_code", arguments: {query: $q, topK: 50}}}')" "$ATOLL_URL/mcp" >"$W/r.json"
jq -re '.result.content[0].text' "$W/r.json" >"$W/text"
[ "$(wc -c <"$W/text")" -le 10240 ] || fail "text of $(wc -c <"$W/text") bytes"
if grep -q "$(printf '\r')" "$W/text"; then fail "carriage returns in the text"; fi
grep -q 'cache.forget(cache.oldest())' "$W/text" || fail "no snippet in the text: $(cat "$W/text")"
ok "also in output for people"
