#!/bin/bash
# Every framework has a plain golden case, one with several files and a look-alike. shard/lang/FRAMEWORKS.md is up to date.
. "$(dirname "$0")/../lib.sh"

python3 "$ROOT/tests/golden/frameworks.py" --lacking >"$W/lacking" || fail "frameworks without a case: $(cat "$W/lacking")"
ok "three cases for each framework"
cp "$ROOT/shard/lang/FRAMEWORKS.md" "$W/FRAMEWORKS.md"
python3 "$ROOT/tests/golden/frameworks.py" --write "$W/FRAMEWORKS.md" || fail "cannot write the table"
cmp -s "$ROOT/shard/lang/FRAMEWORKS.md" "$W/FRAMEWORKS.md" || fail "shard/lang/FRAMEWORKS.md is out of date; run make docs"
ok "the table of frameworks is up to date"

# At least twelve golden cases with edges for each of eleven languages.
for l in python "javascript" "typescript tsx" go java c cpp rust ruby csharp php; do
	n=0 edges=0
	for d in $l; do
		n=$((n + $(find "$ROOT/tests/golden/$d" -mindepth 1 -maxdepth 1 -type d | wc -l)))
		edges=$((edges + $(find "$ROOT/tests/golden/$d" -name expected.edges -o -name expected.graph | wc -l)))
	done
	[ "$n" -ge 12 ] && [ "$edges" -ge 12 ] || fail "$l: $n golden cases, $edges of them with edges; at least twelve are required"
done
ok "twelve golden cases with edges for each of eleven languages"
