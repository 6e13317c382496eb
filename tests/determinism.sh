# determinism.sh: an incrementally updated index equals a full rebuild after each commit; sourced after lib.sh.
#   follow REPO N [EVERY]    index the last N commits of its first-parent history in turn; compare every EVERYth (1)
#   anywhere                 index the last of them at another path, with and without a remote, with one thread and with several
# The repository is read in place; only HEAD of a clone moves.

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
		python3 "$ROOT/tests/compare_indexes.py" "$W/along" "$W/anew" >"$W/difference" 2>&1 ||
			fail "commit $_c of $1, the ${_i}th of $2: $(cat "$W/difference")"
	done <"$W/commits"
}

graph() { sed -n 's/^graph_hash //p' "$W/once.out"; }

whole() {	# edges and keys as they are stored, not only what they say
	python3 - "$1" <<'END'
import glob, hashlib, sqlite3, sys
db = sqlite3.connect(sorted(glob.glob(sys.argv[1] + "/**/index-*.db", recursive=True))[-1])
tables = "select file, data from edges order by file", "select file, keys from uses order by file", "select * from incoming order by 1, 2"
rows = [db.execute(t).fetchall() for t in tables]
assert all(rows), "a table is empty"
print(hashlib.sha256(repr(rows).encode()).hexdigest())
END
}

anywhere() {
	_to="$W/else where.git"
	rm -rf "$_to"
	once "$W/follow" "$W/along"
	_want=$(graph)
	git clone -q --bare "$W/follow" "$_to" 2>/dev/null || fail "clone of $W/follow"
	git -C "$_to" update-ref --no-deref HEAD "$(git -C "$W/follow" rev-parse HEAD)"
	git -C "$_to" remote remove origin
	for _threads in 1 2 5; do
		rm -rf "$W/other"
		ATOLL_INGEST_THREADS=$_threads once "$_to" "$W/other"
		same "graph_hash with $_threads threads" "$(graph)" "$_want"
		[ $_threads = 1 ] && _one=$(whole "$W/other")
		same "edges with $_threads threads, byte for byte" "$(whole "$W/other")" "$_one"
	done
	git -C "$_to" remote add origin https://git.example.com/shop/else.git
	rm -rf "$W/other"
	once "$_to" "$W/other"
	same "graph_hash with a remote" "$(graph)" "$_want"
}
