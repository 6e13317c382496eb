#!/bin/sh
# A second shard of a repository copies its first index from another shard: completely, after any kill, or not at all.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
python3 -c 'import sys
for n in range(40):
    with open("%s/src/m%d.py" % (sys.argv[1], n), "w") as f:
        for i in range(100):
            f.write("def function_%d_%d(alpha_%d, beta_%d):\n    return alpha_%d + beta_%d * %d\n\n" % (n, i, i, n, i, n, i))' "$W/a"
commit "$W/a" many
start coordinator atoll-coordinator --data "$W/data" --http 127.0.0.1:0 --listen "ipc://$W/m.sock" --ready-file "$W/url" \
	--probe-interval-ms 300
wait_for 10 test -s "$W/url"
ATOLL_URL=$(cat "$W/url")
export ATOLL_URL
serve one "$W/a" --data "$W/one" --coordinator "ipc://$W/m.sock" --replica one
healthy() { [ "$("$BIN/atoll" call list_repos | jq -r '.repos[0].health')" = healthy ]; }
wait_for 20 healthy
wait_for 30 grep -q 'vectors.done' "$W/one.log"
hash() { rpc "$1" --stamp health >"$W/health" && json "$W/health" stamp graph_hash; }
two() { start two atoll-shard --repo "$W/a" --data "$W/two" --listen "ipc://$W/two.ipc" --poll-ms 200 \
	--coordinator "ipc://$W/m.sock" --replica two --copy-index "$@"; }
serves() { atoll-shard --probe "ipc://$W/two.ipc"; }
commits() { [ "$(hash two)" = "$(hash one)" ]; }

two
wait_for 20 serves
grep -q 'copy.done' "$W/two.log" || fail "the index was not copied: $(cat "$W/two.log")"
! grep -q 'ingest.done.*none to begin with' "$W/two.log" || fail "the index was built, not copied: $(cat "$W/two.log")"
same "graph_hash" "$(hash two)" "$(hash one)"
rpc two search '{"query":"function_7_7","limit":3}' >"$W/out"
same "it answers" "$(json "$W/out" hits 0 path)" src/m7.py
embedded() { sed -n 's/.*vectors\.done.* have=\([0-9]*\) embedded=\([0-9]*\) .*/\1 \2/p' "$W/$1.log" | head -1; }
vectors() { [ -n "$(embedded two)" ]; }
all=$(embedded one)
wait_for 20 vectors
grep -q 'copy.done what=copy-vectors' "$W/two.log" || fail "vectors were not copied: $(cat "$W/two.log")"
same "vectors, and those of its own making" "$(embedded two)" "${all% *} 0"
printf 'def later():\n    pass\n' >"$W/a/src/later.py"
commit "$W/a" later
later() { rpc two symbol '{"symbol":"later","limit":1}' >"$W/out" && [ "$(json "$W/out" total)" = 1 ]; }
wait_for 20 later
wait_for 20 commits
ingested() { grep -q 'ingest.done' "$W/two.log"; }
wait_for 20 ingested		# the line is written when what it tells of is served already
grep -q 'ingest.done.*how=renewed' "$W/two.log" || fail "indexing does not continue from the copy: $(cat "$W/two.log")"
ok "a second shard copies the index and vectors, and continues from there"

# an interrupted copy is resumed; a damaged part of it is discarded
stop two
snapshot=$(ls "$W"/one/*/snapshot-*.db | tail -1)
vectors=$(ls "$W"/one/*/snapshot-*.vectors | tail -1)
folder=$(dirname "$(ls "$W"/two/*/CURRENT)")
for damaged in no yes; do
	rm -f "$folder"/index-* "$folder/CURRENT" "$folder"/copy* "$folder/vectors.bin"
	head -c 300000 "$snapshot" >"$folder/copy.part"
	head -c 300000 "$vectors" >"$folder/copy-vectors.part"
	cut -d' ' -f1 "$snapshot.sum" >"$folder/copy.from"
	cut -d' ' -f1 "$vectors.sum" >"$folder/copy-vectors.from"
	for f in copy.part copy-vectors.part; do
		[ $damaged = no ] || printf 'damage' | dd of="$folder/$f" bs=1 seek=200000 conv=notrunc 2>/dev/null
	done
	two
	wait_for 20 serves
	wait_for 20 commits
	wait_for 30 vectors
	for what in copy copy-vectors; do
		grep -q "copy.resumed what=$what .*offset=300000" "$W/two.log" || fail "$damaged: the copy started again: $(cat "$W/two.log")"
		if [ $damaged = no ]; then
			grep -q "copy.done what=$what " "$W/two.log" || fail "not copied: $(cat "$W/two.log")"
		else
			grep -q "copy.failed what=$what .*does not match its checksum" "$W/two.log" || fail "damage was not detected: $(cat "$W/two.log")"
		fi
	done
	stop two
	[ -z "$(ls "$folder"/copy* 2>/dev/null)" ] || fail "left over: $(ls "$folder")"
done
ok "an interrupted copy is resumed; a damaged one is not published"

rm -rf "$W/two"
for seconds in 0.02 0.05 0.08 0.12 0.16 0.2; do
	two
	sleep $seconds
	stop two KILL
done
two
wait_for 20 serves
wait_for 20 commits
rpc two search '{"query":"later","limit":3}' >"$W/out"
same "after kills" "$(json "$W/out" hits 0 path)" src/later.py
stop two
ok "killed at any instant, it ends with the same index"

rm -rf "$W/two"
two --file-limit 2000000 --embedder http --embed-url http://127.0.0.1:9 --embed-model other
wait_for 20 serves
wait_for 10 grep -q 'copy.failed what=copy-vectors .*EMBEDDER_MISMATCH' "$W/two.log"
grep -q 'copy.failed.*it indexes with other settings' "$W/two.log" || fail "not refused: $(cat "$W/two.log")"
wait_for 20 grep -q 'ingest.done.*none to begin with' "$W/two.log"
stop two
stop one
stop coordinator
ok "an index of another version or setting is not copied but built"
