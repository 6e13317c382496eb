#!/bin/bash
# An installation from before the rules of SECURITY.md: open folders, a registry with the old schema, a mirror inside the index
# folder, a token without hosts, no cluster key.  It starts as far as is safe, serves its repositories, and names each remedy.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"

make_repo "$W/src"
git clone -q --bare "$W/src" "$W/srv/r.git"
up --group g "file://$W/srv/r.git"
ready g 1
uri=$(call list_repos '{}' | jq -r '.repos[0].repo_uri')
stop up

# ---- as an older release left it
python3 -IS - "$W/data/registry.db" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript("alter table sources drop column added_by;"
    "alter table groups drop column notes; alter table groups drop column rules; drop table link_bins;")
db.execute("pragma user_version = 10")
db.commit()
PY
index=$(ls -d "$W"/data/repo_????????????????)
mv "$index.mirror/mirror.git" "$index/mirror.git"
rmdir "$index.mirror"
chmod -R u=rwX,go=rX "$W/data"

unset ATOLL_URL
ATOLL_URL=http://127.0.0.1:$(free_port)
export ATOLL_URL
start up env -u ATOLL_URL ATOLL_GIT_TOKEN=a-token-without-hosts "$BIN/atoll" up --data "$W/data" --http "${ATOLL_URL#http://}"
wait_for 20 answers
ready g 1
call query "{\"repo_uri\":\"$uri\",\"query\":\"load users\"}" | jq -e '.results | length > 0' >/dev/null || fail "the old repository is not served"
call source_list '{}' | jq -e '[.sources[] | select(.added_by == null)] | length == 1' >/dev/null || fail "an old source is not marked as the operator's"
[ -d "$index.mirror/mirror.git" ] && [ ! -e "$index/mirror.git" ] || fail "the mirror has not moved: $(ls "$index" "$index.mirror")"
same "what others may read" "$(find "$W/data" -maxdepth 2 -perm /077)" ""
ok "an older data folder is served, made private and upgraded"

told() {
	"$BIN/atoll" doctor --json --data "$W/data" >"$W/doctor" || [ $? -eq 1 ] || return 1	# 1: it warns
	jq -e '[.checks[] | select(.check == "shard'"'"'s git-token" and .state == "warning" and (.remedy | contains("ATOLL_GIT_TOKEN_HOSTS")))] | length == 1' "$W/doctor"
}
wait_for 30 told
grep -q 'git.token_invalid .*ATOLL_GIT_TOKEN_HOSTS' "$W"/data/logs/*.log || fail "the log does not name the remedy"
ok "a token without hosts is never sent; doctor and log name the remedy"
stop up

# ---- the coordinator's former default without a key
start m atoll-coordinator --data "$W/m" --http 127.0.0.1:0 --ready-file "$W/ready"
wait_for 20 test -s "$W/ready"
grep -q 'listen.default .*url=ipc://.*cluster' "$W/m.log" || fail "the log does not name the remedy: $(cat "$W/m.log")"
stop m
ok "without a cluster key a coordinator starts on a socket, and says how to get a port"
