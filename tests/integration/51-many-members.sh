#!/bin/bash
# Forty tiny members: each can rank first and each can be in the answer, whatever its name.
. "$(dirname "$0")/../lib.sh"
n=40
words=()
for i in $(seq -w 1 $n); do
	mkdir -p "$W/src/m$i"
	word="zebra$(printf '%s' "$i" | sha256sum | tr -dc a-f | head -c 8)"
	words+=("$word")
	printf 'def load_%s(order):\n    """Load the common thing of member %s."""\n    return order\n' "$word" "$i" >"$W/src/m$i/main.py"
	# the common word alone differs in weight: the last by name says it most
	[ "$i" = $n ] && printf 'def lighthouse():\n    """lighthouse lighthouse lighthouse"""\n    return "lighthouse"\n' >>"$W/src/m$i/main.py"
	[ "$i" = 01 ] && printf '\n# A long text that mentions a lighthouse once, among many other words that matter here.\n' >>"$W/src/m$i/main.py"
	(
		cd "$W/src/m$i"
		git init -q -b main
		git add -A
		git -c user.name=t -c user.email=t@example.com commit -qm one
		git remote add origin "https://git.example.com/many/m$i.git"
	)
done
ulimit -Sn 64		# less than that many members need: the programs take what the system allows
up --group all "$W"/src/*
ready all $n 120
for pid in "$(pid_of up)" $(pgrep -P "$(pid_of up)"); do
	awk '/^Max open files/ { exit $4 != $5 }' "/proc/$pid/limits" || gone "$pid" ||
		fail "$(tr '\0' ' ' <"/proc/$pid/cmdline"): $(cat "/proc/$pid/limits")"
done
ok "programs open as many files as the system allows"

for i in $(seq $n); do
	want=git.example.com/many/m$(printf %02d "$i")
	got=$(call group_query "{\"group\":\"all\",\"query\":\"${words[$((i - 1))]}\",\"limit\":1}" | jq -r '.results[0].repo_uri')
	same "the only one that has ${words[$((i - 1))]}" "$got" "$want"
done
ok "each of $n members can rank first"

call group_query '{"group":"all","query":"common thing","limit":100}' >"$W/r"
same "members in one answer" "$(jq '[.results[].repo_uri] | unique | length' "$W/r")" $n
same "coverage" "$(jq -c '[.complete, .coverage.members, (.coverage.answered + .coverage.skipped)]' "$W/r")" "[true,$n,$n]"
same "the strongest comes first, though last by name" \
	"$(call group_query '{"group":"all","query":"lighthouse"}' | jq -r '.results[0].repo_uri')" git.example.com/many/m$n
ok "one answer can contain all members; the order does not depend on names"

# pages of 7 contain the same results in the same order
call group_query '{"group":"all","query":"common thing","limit":40}' | jq -r '.results[] | .repo_uri + " " + .path' >"$W/whole"
cursor= ; : >"$W/paged"
while [ "$(wc -l <"$W/paged")" -lt 40 ]; do
	call group_query "$(jq -n --arg c "$cursor" '{group: "all", query: "common thing", limit: 7} + if $c == "" then {} else {cursor: $c} end')" >"$W/r"
	jq -r '.results[] | .repo_uri + " " + .path' "$W/r" >>"$W/paged"
	cursor=$(jq -r '.next_cursor // ""' "$W/r")
	[ -n "$cursor" ] || break
done
same "pages" "$(head -n 40 "$W/paged")" "$(cat "$W/whole")"
ok "pages continue the ranking"


"$BIN/atoll" call query '{"query":"x"}' | jq -e '.error | (.choices | length == 10) and .total_matches == 40' >/dev/null ||
	fail "at most 10 choices, all counted"
ok "an error lists at most ten choices"
