#!/bin/bash
# Quoted text is in the lines of every hit; every snippet shows a line that matched; what only resembles a question is apart.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

# the repositories: our own sources, and a file whose text is in both
mkdir "$W/shards" "$W/coordinators"
cp -r "$ROOT/shard/search" "$ROOT/shard/vectors" "$W/shards/"
cp -r "$ROOT/coordinator/search" "$ROOT/coordinator/tools" "$W/coordinators/"
for n in shards coordinators; do
	printf 'def shared_by_both(value):\n    # a quince => in both\n    return value\n' >"$W/$n/shared.py"
	git init -q -b main "$W/$n"
	git -C "$W/$n" remote add origin "https://git.example.com/quoted/$n.git"
	commit "$W/$n" one
done
export ALLOW_GLOBAL_SCOPE=true
up --group g "$W/shards" "$W/coordinators"
ready g 2
vectors() { call group_status '{"group":"g"}' | jq -e 'all(.repos[]; .vectors == "complete")'; }
wait_for 30 vectors

cat >"$W/questions.py" <<'PY'
import glob, json, os, random, re, subprocess, sys, urllib.request
url, w, seed = os.environ["ATOLL_URL"], sys.argv[1], 11
random.seed(seed)

def call(tool, **args):
    r = urllib.request.Request(f"{url}/api/v1/{tool}", json.dumps(args).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(r, timeout=60) as f:
        return json.load(f)

def group(query, **args):
    a = call("group_query", group="g", query=query, limit=100, **args)
    assert a["complete"], (query, a["coverage"])
    assert [h["rank"] for h in a["results"] + a.get("similar", [])] == list(range(1, 1 + len(a["results"] + a.get("similar", [])))), query
    return a

files = {}
def lines(repo_uri, path, start, end):
    f = files.setdefault((repo_uri, path), open(f"{w}/{repo_uri.split('/')[-1]}/{path}", newline="").read().splitlines(True))
    return "".join(f[start - 1:end])

def places(h):
    yield h["repo_uri"], h["path"], h["start_line"], h["end_line"]
    for x in h.get("also_in", []):
        yield x["repo_uri"], x["path"], x["start_line"], x["end_line"]

def check_phrase(phrase, where=None, **args):
    a = group(f'"{phrase}"', **args)
    assert "similar" not in a, (phrase, a["similar"][0])
    for h in a["results"]:
        for p in places(h):
            assert phrase in lines(*p), (phrase, args, p)
        assert phrase in h["snippet"], (phrase, args, h)
    if where and len(a["results"]) < 100 and args.get("mode") != "vector":     # that finds no text that is far from it
        assert where in {p[1] for h in a["results"] for p in places(h)}, (phrase, args, where)
    return a

# ---- what stands somewhere is found, and only where it stands ----
sources = sorted(glob.glob(f"{w}/*/*/*.c") + glob.glob(f"{w}/*/*/*.md"))
asked = 0
for path in random.sample(sources, 30):
    line = random.choice([l for l in open(path) if re.search(r"\w.*\W.*\w", l) and '"' not in l]).strip()
    starts = [m.start() for m in re.finditer(r"(?<!\w)\w|(?<=[\w ])[^\w\s]", line)][:12]
    start = random.choice(starts)
    ends = [m.end() for m in re.finditer(r"\w(?!\w)|[^\w\s]", line) if start + 3 < m.end() <= start + 300]    # a snippet cuts lines of more than 400 bytes
    phrase = line[start:random.choice(ends)] if ends else ""
    if re.search(r"\w", phrase):
        check_phrase(phrase, path.split("/", len(w.split("/")) + 1)[-1], **random.choice([{}, {"granularity": "file"}, {"mode": "lexical"}, {"mode": "vector"}]))
        asked += 1
assert asked > 20, asked
for phrase in "of the", "the", "if (!", "s->", "return -1;", "&c->e)", "static int", "struct search_context *w":
    for args in {}, {"mode": "vector"}, {"granularity": "file"}, {"kinds": ["function"]}, {"path_prefix": "search/"}:
        a = check_phrase(phrase, **args)
        if args.get("kinds"):
            assert all(h["kind"] == "function" for h in a["results"]), phrase
        if "path_prefix" in args:
            assert all(h["path"].startswith("search/") for h in a["results"]), phrase
assert group('"STATIC INT"')["results"] == [] and "as it is written" in group('"static  int"')["hint"]
both = check_phrase("quince => in", "shared.py")["results"]
assert len(both) == 1 and len(both[0]["also_in"]) == 1, both
assert [h["path"] for h in check_phrase("=> in both")["results"]] == ["shared.py"]
over = group('"value):\n # a quince"')["results"]      # a line end stands for itself and the indentation
assert [h["path"] for h in over] == ["shared.py"] and "value):\n    # a quince" in over[0]["snippet"], over
beside = group('"=>" quince')["results"]               # no word in quotes: the words beside them find the texts
assert [h["path"] for h in beside] == ["shared.py"], beside
assert not group('"no such text anywhere" shared.py:2')["results"]
for h in group('"static int" search.h:20 shared.py:2')["results"]:      # files and lines beside a quote bring no others
    assert "static int" in lines(h["repo_uri"], h["path"], h["start_line"], h["end_line"]), h
for h in call("query", repo="quoted/shards", query='"struct search_context *"', limit=50)["results"]:
    assert "struct search_context *" in lines("shards", h["path"], h["start_line"], h["end_line"]), h
for h in call("search_code", query='"struct search_context *"', scope={"type": "all"}, topK=50)["results"]:
    assert "struct search_context *" in h["snippet"], h
print("phrases:", asked)

# ---- a line that matched is shown ----
def stems(text):
    return {x.lower() for x in re.findall(r"[A-Za-z][a-z]+|[A-Z]+|[0-9]+|\w+", text)} | {x.lower() for x in re.findall(r"\w+", text)}

def shows(question, h):
    words = [x for x in stems(question) if len(x) > 2]
    shown = stems(h["snippet"])
    return any(s.startswith(x[:max(3, len(x) - 3)]) or x.startswith(s) and len(s) > 3 for x in words for s in shown)

for question in "phrase cache", "excerpt_choose", "how are hits of members merged", "vector_scan threshold", "search_context", "drop irrelevant hits", "parse cursor":
    for h in group(question)["results"]:
        if "lexical" in h["sources"] or "symbol" in h["sources"]:
            name = (h.get("symbol") or "").split(".")[-1]
            in_lines = shows(question, dict(h, snippet=lines(*next(places(h)))))
            assert shows(question, h) or not in_lines, (question, h)
            assert "symbol" not in h["sources"] or not name or name in h["snippet"], (question, h)
PY
python3 "$W/questions.py" "$W" || fail "quoted text"
ok "quoted text is in every hit and its snippet, whatever the filters; snippets show what matched"

# ---- what only resembles the question ----
nothing() {	# nothing WHAT: no result, complete, something similar, and a reason
	jq -e '(.results // .evidences) == [] and (.similar | length) > 0 and (.complete // true) and (.hint | contains("Nothing matches") or contains("No evidence"))' \
		"$W/r" >/dev/null || fail "$1: $(cat "$W/r")"
}
call group_query '{"group":"g","query":"qxzvbnwq","limit":7}' >"$W/r"
nothing group_query
same "ranks of similar ones" "$(jq -c '[.similar[].rank]' "$W/r")" '[1,2,3,4,5,6,7]'
same "and more of them" "$(call group_query "$(jq -c '{group: "g", query: "qxzvbnwq", limit: 7, cursor: .next_cursor}' "$W/r")" |
	jq -c '[.results, [.similar[].rank]]')" '[[],[8,9,10,11,12,13,14]]'
call query '{"repo":"quoted/shards","query":"qxzvbnwq"}' >"$W/r"
nothing query
call search_code '{"scope":{"type":"all"},"query":"qxzvbnwq"}' >"$W/r"
nothing search_code
call ask_code '{"scope":{"type":"all"},"query":"qxzvbnwq"}' >"$W/r"
nothing ask_code
call scope_query '{"scope":{"type":"all"},"query":"qxzvbnwq"}' >"$W/r"
nothing scope_query
curl -fsS -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \
	-d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"group_query","arguments":{"group":"g","query":"qxzvbnwq"}}}' "$ATOLL_URL/mcp" >"$W/mcp"
jq '.result.structuredContent' "$W/mcp" >"$W/r"
nothing "over MCP"
jq -r '.result.content[0].text' "$W/mcp" | grep -q similar || fail "text over MCP: $(cat "$W/mcp")"
atoll group query g qxzvbnwq >"$W/r"
[ "$(head -n 1 "$W/r")" = "similar to the question, but without its words:" ] || fail "atoll group query: $(head -n 3 "$W/r")"
same "in mode vector nothing is apart" "$(call group_query '{"group":"g","query":"qxzvbnwq","mode":"vector"}' | jq -c '[(.results | length) > 0, .similar]')" '[true,null]'
same "in mode lexical nothing is similar" "$(call group_query '{"group":"g","query":"qxzvbnwq","mode":"lexical"}' | jq -c '[.results, .similar, .total]')" '[[],null,0]'
ok "a word that is nowhere has no match, and what is nearest is apart, everywhere"

# results come first on every page, and no page loses or repeats a hit
call group_query '{"group":"g","query":"quince","limit":60}' >"$W/all"
jq -e '(.results | length) > 0 and (.similar | length) > 0' "$W/all" >/dev/null || fail "a word of few: $(jq -c '[.total, (.results | length)]' "$W/all")"
cursor= ; : >"$W/pages"
while :; do
	call group_query "$(jq -nc --arg c "$cursor" '{group: "g", query: "quince", limit: 9} + if $c == "" then {} else {cursor: $c} end')" >"$W/r"
	jq -r '(.results[] | "r \(.rank) \(.path):\(.start_line)"), ((.similar // [])[] | "s \(.rank) \(.path):\(.start_line)")' "$W/r" >>"$W/pages"
	cursor=$(jq -r '.next_cursor // ""' "$W/r")
	[ -n "$cursor" ] && [ "$(wc -l <"$W/pages")" -lt 60 ] || break
done
same "pages" "$(head -n 60 "$W/pages")" "$(jq -r '(.results[] | "r \(.rank) \(.path):\(.start_line)"), ((.similar // [])[] | "s \(.rank) \(.path):\(.start_line)")' "$W/all" | head -n 60)"
ok "pages go through results, then similar ones"
