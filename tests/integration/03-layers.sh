#!/bin/bash
# make layers: the tree follows deploy/layers.def, and every kind of violation is found.
. "$(dirname "$0")/../lib.sh"

python3 "$ROOT/deploy/layers.py" "$ROOT" >"$W/out" || fail "the tree does not follow deploy/layers.def: $(cat "$W/out")"
ok "the tree follows deploy/layers.def"

mkdir -p "$W/tree/deploy"
cp -R "$ROOT/proto" "$ROOT/shard" "$ROOT/coordinator" "$W/tree/"
cp "$ROOT/deploy/layers.def" "$W/tree/deploy/"

# planted WHAT FILE LINE MESSAGE: append the line to the file (which may be new); layers.py must fail with the message
planted() {
	local file=$W/tree/$2
	mkdir -p "$(dirname "$file")"
	[ ! -f "$file" ] || cp "$file" "$W/before"
	printf '%s\n' "$3" >>"$file"
	! python3 "$ROOT/deploy/layers.py" "$W/tree" >"$W/out" || fail "$1 is not found"
	grep -qF "$4" "$W/out" || fail "$1: $(cat "$W/out")"
	if [ -f "$W/before" ]; then mv "$W/before" "$file"; else rm "$file"; fi
	ok "$1 is found"
}

planted "an include that goes upward" shard/git/repo.c '#include "shard/search/excerpt.h"' \
	'shard/git/repo.c includes shard/search/excerpt.h, upward: shard/search stands above shard/git'
planted "a cycle between folders" shard/facts/facts.h '#include "shard/graph/graph_hash.h"' \
	'cycle: shard/facts -> shard/graph -> shard/facts'
planted "a private header that another folder includes" shard/search/excerpt.c '#include "shard/git/repo_internal.h"' \
	'shard/search/excerpt.c includes shard/git/repo_internal.h, which is private to its folder'
planted "a file outside of any module" shard/newcomer/x.c 'int x;' \
	'shard/newcomer/x.c is in no module'
planted "a program that includes the other" coordinator/jobs/jobs.c '#include "shard/git/repo.h"' \
	'coordinator/jobs/jobs.c includes shard/git/repo.h: coordinator includes nothing of shard'
planted "a client that includes the server" coordinator/cli/base/cli.h '#include "coordinator/calls/call.h"' \
	'coordinator/cli/base/cli.h includes coordinator/calls/call.h: coordinator/cli includes nothing of coordinator but'
planted "a second includer of a library" coordinator/jobs/jobs.c '#include <sqlite3.h>' \
	'#include <sqlite3.h>: only in proto/db/db_internal.h'
