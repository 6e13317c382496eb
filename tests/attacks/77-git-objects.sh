#!/bin/bash
# git objects that expand to far more than their size: folders that contain the same folder again and again, long or deep paths,
# small deltas of a large file, very many files, a very long commit message.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
. "$(dirname "$0")/../bombs.sh"

benign
bombs long_names deep_folders giant_name
[ -z "${ATTACKS:-}" ] || bombs deltas trees_of_trees wide_trees tiny_files huge_message large_blobs links

# ---- the same with an existing index: the bomb is pushed, then requested
make_repo "$W/a"
serve s "$W/a" --data "$W/d"
before=$(git -C "$W/a" rev-parse HEAD)
python3 "$ROOT/tests/bombs.py" empty_folders "$W/a"
indexed() { rpc s --stamp health >"$W/out" && [ "$(json "$W/out" stamp commit)" = "$(git -C "$W/a" rev-parse HEAD)" ]; }
wait_for 30 indexed
rpc s status | jq -e '.skipped[] | select(.name | startswith("folders: more than"))' >/dev/null || fail "the bomb is not named: $(rpc s status)"
if rpc s changes "{\"base\":\"$before\",\"limit\":10}" >"$W/out" 2>&1; then fail "the bomb was compared: $(head -c 1000 "$W/out")"; fi
grep -q 'too many files' "$W/out" || fail "changes: $(cat "$W/out")"
kb=$(awk '/^VmHWM/ { print $2 }' "/proc/$(pid_of s)/status")
[ "$kb" -lt $((slow > 1 ? 900000 : 150000)) ] || fail "the serving process took $kb KB"
python3 "$ROOT/tests/bombs.py" file_after "$W/a"
wait_for 30 indexed
same "what stood beside it" "$(rpc s search '{"query":"load_users","limit":1}' | jq -r '.hits[0].path')" src/users.py
same "what came after the bomb" "$(rpc s search '{"query":"after_bomb","limit":1}' | jq -r '.hits[0].path')" after.py
stop s
ok "a serving shard survives a bomb, and says that it cannot compare with it"
