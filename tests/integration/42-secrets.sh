#!/bin/bash
# A password in a remote URL appears in no answer, log, file or command line.
. "$(dirname "$0")/../lib.sh"
secret=hunter2hunter2
"$ROOT/tests/fixtures/make.sh" "$W/shop"
git -C "$W/shop/users" remote set-url origin "https://alice:$secret@github.com/atoll-shop/users.git"
nobody=$(free_port)
up --group shop "$W/shop/users" "https://alice:$secret@127.0.0.1:$nobody/acme/api.git"
ready shop 1
"$BIN/atoll" repo add "https://bob:$secret@127.0.0.1:$nobody/acme/other.git" >"$W/out.add" 2>&1 || true
tried() { grep -q "ingest.failed repo=acme/$1 " "$W"/data/logs/*.log && grep -q "^acme/$1: failed" "$W/up.log"; }	# with the address
wait_for 20 tried api
wait_for 20 tried other

{
	for tool in status list_repos source_list group_list; do call $tool; done
	call query '{"repo":"users","query":"alice"}'
	call group_query '{"group":"shop","query":"login password"}'
	call group_status '{"group":"shop"}'
	call query "{\"repo_uri\":\"https://alice:$secret@github.com/atoll-shop/users.git\",\"query\":\"login\"}"
	"$BIN/atoll" call query "{\"repo_uri\":\"https://alice:$secret@github.com/atoll-shop/nothere.git\",\"query\":\"login\"}" || true
	"$BIN/atoll" status
	"$BIN/atoll" repo list
	"$BIN/atoll" doctor || true
	curl -fsS "$ATOLL_URL/metrics"
} >"$W/out.answers" 2>&1
same "identity" "$(call query '{"repo":"users","query":"x"}' | jq -r .freshness.repo_uri)" github.com/atoll-shop/users

for p in $(_ours); do
	[ "$p" = "$(pid_of up)" ] && continue	# its own command line is what the user typed
	{ tr '\0' ' ' <"/proc/$p/cmdline"; } 2>/dev/null || true	# one that ended meanwhile shows nothing
	echo
done >"$W/out.argv"
if grep -rFl "$secret" "$W" --include='*' 2>/dev/null | grep -v "^$W/shop/"; then fail "the password is in these files"; fi
grep -q 'github.com/atoll-shop/users' "$W/out.answers" || fail "no answer names the repository"
ok "credentials appear nowhere"
