# determinism.sh: after a commit the index that was brought along equals one made anew; sourced after lib.sh.
#   follow REPO N [EVERY]    the last N commits of its first-parent history, one after the other; every EVERYth (1) is compared
# The repository is read in place; HEAD of a clone of its own moves.

once() { atoll-shard --repo "$1" --data "$2" --once >"$W/once.out" 2>"$W/once.log" || fail "$1: $(cat "$W/once.log")"; }

follow() {
	_r=$W/follow _every=${3:-1}
	rm -rf "$_r" "$W/along"
	git clone -q --no-checkout --shared "$1" "$_r" 2>/dev/null || fail "clone $1"
	git -C "$_r" rev-list --first-parent --reverse HEAD | tail -n "$2" >"$W/commits"
	_i=0 _renewed=0 _compared=0
	while read -r _c; do
		git -C "$_r" update-ref --no-deref HEAD "$_c"
		once "$_r" "$W/along"
		if grep -q how=renewed "$W/once.log"; then _renewed=$((_renewed + 1)); fi
		_i=$((_i + 1))
		[ $((_i % _every)) -eq 0 ] || continue
		rm -rf "$W/anew"
		once "$_r" "$W/anew"
		_compared=$((_compared + 1))
		python3 "$ROOT/tests/same_index.py" "$W/along" "$W/anew" >"$W/difference" 2>&1 ||
			fail "commit $_c of $1, the ${_i}th of $2: $(cat "$W/difference")"
	done <"$W/commits"
}
