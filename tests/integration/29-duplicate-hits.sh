#!/bin/bash
# Copies of a text are one hit that lists the other places; pages stay full and contain each hit once.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

python3 - "$W" <<'PY'
import os, sys
for n in "one", "two", "three", "four", "five":
    os.makedirs(sys.argv[1] + "/" + n + "/lib")
    if n != "five":         # forks
        with open(f"{sys.argv[1]}/{n}/lib/code.py", "w") as f:
            for i in range(150):
                f.write(f"def thing_{i}():\n    return 'thing {i}'\n\n\n")
    for path in ["lib/copied.py"] if n == "one" else ["a/b/elsewhere.py", "again.py"] if n == "five" else []:
        os.makedirs(os.path.dirname(f"{sys.argv[1]}/{n}/{path}"), exist_ok=True)
        with open(f"{sys.argv[1]}/{n}/{path}", "w") as f:
            f.write("# copied\n\ndef walrus():\n    return 'walrus'\n")
    with open(f"{sys.argv[1]}/{n}/own.py", "w") as f:
        f.write(f"def own_thing_of_{n}():\n    return 'thing'\n")
PY
for n in one two three four five; do
	git init -q -b main "$W/$n"
	git -C "$W/$n" remote add origin "https://git.example.com/forks/$n.git"
	commit "$W/$n" one
done
export ALLOW_GLOBAL_SCOPE=true
up --group g "$W"/one "$W"/two "$W"/three "$W"/four "$W"/five
ready g 5

ask() { call group_query "$(jq -nc --argjson a "${1:-{\}}" '{group: "g", query: "thing", mode: "lexical"} + $a')"; }
for limit in 1 7 20 50 100; do
	ask "{\"limit\":$limit}" >"$W/r"
	same "a page of $limit" "$(jq '.results | length' "$W/r")" $limit
	jq -e '[.results[] | select(.path == "lib/code.py") | (.also_in | length)] | all(. == 3)' "$W/r" >/dev/null ||
		fail "each copy is named: $(jq -c '[.results[] | [.repo, .path, .also_in]]' "$W/r")"
done
jq -e '[.results[] | select(.also_in)][0] | . as $h | .also_in | all(.repo_uri != $h.repo_uri or .path != $h.path)
	and all(.start_line == $h.start_line and .end_line == $h.end_line)' "$W/r" >/dev/null || fail "places: $(jq -c '.results[0]' "$W/r")"
jq -e '[.results[] | select(.also_in)][0].also_in | map(.repo_uri + " " + .path) | . == unique' "$W/r" >/dev/null || fail "the copy is a hit of its own too"
same "of a search_code" "$(call search_code '{"scope":{"type":"all"},"query":"thing","topK":40}' | jq '.results | length')" 40
same "one without copies" "$(ask '{"repos":["one"],"limit":100}' | jq '[.results[] | select(.also_in)] | length')" 0
same "copies under other paths" "$(ask '{"query":"walrus"}' |
	jq -c '[.results[] | [.repo, .path, .symbol, [(.also_in // [])[] | [.repo_uri, .path, .start_line, .end_line]]]]')" \
	'[["forks/five","a/b/elsewhere.py","walrus",[["git.example.com/forks/five","again.py",3,4],["git.example.com/forks/one","lib/copied.py",3,4]]]]'
ok "copies are one hit, and pages are full"

# ---- over all pages: each place once ----
for args in '{"limit":13}' '{"limit":30,"repos":["two","five"]}' '{"limit":9,"path_prefix":"lib/"}' '{"limit":5,"granularity":"file"}' \
	'{"limit":40,"fusion":"per_repo"}' '{"limit":17,"fusion":"weighted"}'; do
	cursor= rank=0
	: >"$W/places"
	while :; do
		ask "$(jq -c --arg c "$cursor" '. + if $c == "" then {} else {cursor: $c} end' <<<"$args")" >"$W/r"
		jq -e --argjson r $rank '[.results[].rank] == [range($r + 1; $r + 1 + (.results | length))]' "$W/r" >/dev/null || fail "ranks of $args"
		rank=$((rank + $(jq '.results | length' "$W/r")))
		jq -r '.results[] | (., (.also_in // [])[]) | "\(.repo_uri) \(.path) \(.start_line)"' "$W/r" >>"$W/places"
		[ "$(jq .total "$W/r")" -ge $rank ] || fail "total of $args: $(jq .total "$W/r") at $rank"
		cursor=$(jq -r '.next_cursor // ""' "$W/r")
		[ -n "$cursor" ] || break
		same "a page of $args" "$(jq '.results | length' "$W/r")" "$(jq .limit <<<"$args")"
	done
	same "all pages of $args" "$rank" "$(jq .total "$W/r")"
	[ -z "$(sort "$W/places" | uniq -d)" ] || fail "repeated in the pages of $args: $(sort "$W/places" | uniq -d | head -3)"
done
ok "pages contain each hit once"

# ---- cursors ----
refused() {
	if atoll call group_query "$(jq -nc --argjson a "$1" '{group: "g", query: "thing", mode: "lexical"} + $a')" >"$W/r"; then fail "$1: $(cat "$W/r")"; fi
	same "$1" "$(jq -c '[.error.code, .error.message]' "$W/r")" '["INVALID_INPUT","cursor expired, repeat the query"]'
}
cursor=$(ask '{"limit":10}' | jq -r .next_cursor)
same "another page size goes on" "$(ask "{\"limit\":3,\"cursor\":\"$cursor\"}" | jq -c '[.results[].rank]')" "[11,12,13]"
for other in '{"query":"things"}' '{"repos":["one"]}' '{"kinds":["function"]}' '{"languages":["python"]}' '{"path_prefix":"lib"}' '{"fusion":"rrf"}' \
	'{"granularity":"file"}'; do
	refused "$(jq -c --arg c "$cursor" '. + {limit: 10, cursor: $c}' <<<"$other")"
done
for bad in AAAA "x$cursor" "${cursor%?????}" "$(head -c 300 /dev/zero | tr '\0' A)" '../../etc'; do
	refused "$(jq -nc --arg c "$bad" '{limit: 10, cursor: $c}')"
done
before=$(ask '{"limit":10}')
commit_to() { printf 'def late_thing():\n    return "thing thing thing"\n' >"$W/$1/late.py"; commit "$W/$1" late; atoll repo analyze "$1" --wait 2>/dev/null; }
commit_to five
refused "$(jq -nc --arg c "$(jq -r .next_cursor <<<"$before")" '{limit: 10, cursor: $c}')"
ok "a cursor is valid only for its query and its indexes"
