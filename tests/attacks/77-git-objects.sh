#!/bin/bash
# git objects that stand for more than they weigh: folders that hold the same folder again and again, paths that are long or deep, small
# files that are differences to a large one, very many files, a very long commit message.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
. "$(dirname "$0")/../bombs.sh"

benign
bombs long_names deep_folders giant_name
[ -z "${ATTACKS:-}" ] || bombs deltas trees_of_trees wide_trees tiny_files huge_message large_blobs links

# ---- the same beside an index that is there: the bomb comes, and is asked about
make_repo "$W/a"
serve s "$W/a" --data "$W/d"
before=$(git -C "$W/a" rev-parse HEAD)
python3 "$ROOT/tests/bombs.py" empty_folders "$W/a"
indexed() { rpc s --stamp health >"$W/out" && [ "$(json "$W/out" stamp commit)" = "$(git -C "$W/a" rev-parse HEAD)" ]; }
wait_for 30 indexed
rpc s status | jq -e '.skipped[] | select(.name | startswith("folders: more than"))' >/dev/null || fail "not named: $(rpc s status)"
if rpc s changes "{\"base\":\"$before\",\"limit\":10}" >"$W/out" 2>&1; then fail "the bomb is compared: $(head -c 1000 "$W/out")"; fi
grep -q 'too many files' "$W/out" || fail "changes: $(cat "$W/out")"
kb=$(awk '/^VmHWM/ { print $2 }' "/proc/$(pid_of s)/status")
[ "$kb" -lt $((slow > 1 ? 900000 : 150000)) ] || fail "the serving process took $kb KB"
python3 "$ROOT/tests/bombs.py" file_after "$W/a"
wait_for 30 indexed
same "what stood beside it" "$(rpc s search '{"query":"load_users","limit":1}' | jq -r '.hits[0].path')" src/users.py
same "what came after the bomb" "$(rpc s search '{"query":"after_bomb","limit":1}' | jq -r '.hits[0].path')" after.py
stop s
ok "a shard that serves takes a bomb, and says that it cannot compare with it"
