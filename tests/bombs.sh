# bombs.sh: hostile repositories and what they may cost; sourced after lib.sh.
#   benign          measure a repository with only the benign file
#   bombs NAME...   index each bomb of bombs.py: the benign file is found, the limit that the bomb hits is named, and the ingest takes
#                   at most 30 s of processor time and 600 MB more than the benign one; much more with sanitizers

measured() { BOMB_SECONDS=$((100 * slow)) python3 "$ROOT/tests/bombs.py" measure "$BIN/atoll-shard" "$W" "$@"; }

benign() {
	measured none >"$W/benign.json"
	_least=$(jq .rss_kb "$W/benign.json")
}

bombs() {
	measured "$@" >"$W/bombs.json"
	while read -r _line; do
		_bomb=$(jq -r .bomb <<<"$_line")
		[ "$(jq .status <<<"$_line")" = 0 ] || fail "$_bomb: the ingest failed: $_line"
		[ "$(jq .benign <<<"$_line")" = true ] || fail "$_bomb: the benign file is not indexed: $_line"
		[ "$(jq .cpu <<<"$_line" | cut -d. -f1)" -le $((30 * slow)) ] || fail "$_bomb: takes too long: $_line"
		[ "$slow" -gt 1 ] || [ "$(jq .rss_kb <<<"$_line")" -le $((_least + 600 * 1024)) ] || fail "$_bomb: takes too much memory: $_line"
		jq -e '.limit as $l | $l == null or any(.left_out[]; .[0] | contains($l))' <<<"$_line" >/dev/null ||
			fail "$_bomb: nothing names its limit: $_line"
	done <"$W/bombs.json"
	same "bombs that were tried" "$(wc -l <"$W/bombs.json")" $#
	ok "$*: bounded, named, and the rest is indexed (at most $(jq -s 'map(.rss_kb) | max / 1024 | floor' "$W/bombs.json") MB, $(jq -s 'map(.cpu) | max' "$W/bombs.json") s of processor time)"
}
