#!/bin/bash
# Data of unregistered repositories is deleted: at once with --delete-data, automatically after --keep-days. Served data stays.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
collections() { ls -d "$W"/data/repo_* 2>/dev/null | wc -l; }
up --group shop "$W/shop/orders" "$W/shop/users" "$W/shop/web"
ready shop 3
same "collections" "$(collections)" 3
disk=$(curl -fsS "$ATOLL_URL/metrics" | awk '/^atoll_disk_bytes\{what="index"/ { print $2 }')
[ "$disk" -gt 10000 ] || fail "atoll_disk_bytes: $disk"
mkdir -p "$W/data/repo_0123456789abcdef" "$W/data/repo_not_one_of_ours"
head -c 3000000 /dev/zero >"$W/data/repo_0123456789abcdef/index-1.db"
"$BIN/atoll" doctor --data "$W/data" >"$W/out" 2>&1 || true
grep -q 'unregistered data.*1 folders, 2 MB.*repo_0123456789abcdef' "$W/out" || fail "doctor: $(cat "$W/out")"
mkdir -p "$W/other/repo_0123456789abcdef"
head -c 3000000 /dev/zero >"$W/other/repo_0123456789abcdef/index-1.db"
"$BIN/atoll" doctor --data "$W/other" >"$W/out" 2>&1 || true
if grep -q 'unregistered data' "$W/out"; then fail "the data of another coordinator is reported: $(cat "$W/out")"; fi
"$BIN/atoll" repo remove atoll-shop/web --delete-data --data "$W/data" >"$W/out" 2>&1 || fail "remove: $(cat "$W/out")"
same "collections after one was deleted" "$(collections)" 4
if "$BIN/atoll" repo remove atoll-shop/users --delete-data --data "$W/elsewhere" >"$W/out" 2>&1; then fail "deleting missing data succeeds"; fi
grep -q 'there is no .*elsewhere' "$W/out" || fail "missing data: $(cat "$W/out")"
same "without the flag it stays" "$(collections)" 4
ok "--delete-data deletes a repository's data; doctor names unregistered data"
stop up
touch -d '10 days ago' "$W/data/repo_0123456789abcdef/index-1.db"
mkdir "$W/data/repo_fedcba9876543210"	# of a shard that is about to begin
up --keep-days 7
wait_for 30 grep -q 'deleted 2 MB of repositories' "$W/up.log"
[ ! -e "$W/data/repo_0123456789abcdef" ] || fail "old unregistered data was not deleted"
rmdir "$W/data/repo_fedcba9876543210" || fail "a new folder was deleted"
same "younger data, and what is not ours, stay" "$(collections)" 3
ok "old unregistered data is deleted"
