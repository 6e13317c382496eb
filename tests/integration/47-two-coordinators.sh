#!/bin/bash
# Two coordinators with one registry in etcd: each knows what the other was told, a job runs once, one takes over the work of the
# other when it dies, and queries work without etcd.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
. "$(dirname "$0")/../etcd.sh"
etcd_start
make_repo "$W/a"
make_repo "$W/b"
port1=$(free_port) port2=$(free_port)
one=http://127.0.0.1:$port1 two=http://127.0.0.1:$port2
lease=$((2000 * slow))
coordinator() {
	eval "_port=\$port$1"
	start "c$1" atoll-coordinator --data "$W/data$1" --http "127.0.0.1:$_port" --listen "ipc://$W/c$1.sock" --registry "etcd://$etcd/t" \
		--probe-interval-ms 300 --job-lease-ms "$lease" --sync-delay-ms 300 --search-deadline-ms $((3000 * slow)) --conformance
	ATOLL_URL=http://127.0.0.1:$_port
	export ATOLL_URL
	wait_for 20 answers
}
# The shard of a announces itself to both, that of b to the first alone.
shard() {
	start "$1" env ATOLL_COORDINATOR="$2" atoll-shard --repo "$W/$1" --data "$W/data" --listen "ipc://$W/$1.ipc" \
		--embedder none --ingest-slots "$W/slots"
}
at() { ATOLL_URL=$1 "$BIN/atoll" "${@:2}"; }
ask() { ATOLL_URL=$1 call "${@:2}"; }
repos() { ask "$1" list_repos | jq -r '[.repos[] | .name[:1] + " " + .health + " " + .status] | sort | join(", ")'; }
both_there() { [ "$(repos "$1")" = "a healthy ready, b healthy ready" ]; }
group_names() { ask "$1" group_list | jq -r '[.groups[] | .name + " " + (.members | length | tostring)] | join(", ")'; }
has_groups() { [ "$(group_names "$1")" = "$2" ]; }
mkdir "$W/slots"
: >"$W/slots/0"
coordinator 1
coordinator 2
shard a "ipc://$W/c1.sock,ipc://$W/c2.sock"
shard b "ipc://$W/c1.sock"
wait_for 20 both_there "$one"
wait_for 20 both_there "$two"
name() { ask "$one" list_repos | jq -r --arg n "$1" '.repos[] | select(.name | startswith($n)) | .name'; }
a=$(name a) b=$(name b)
ok "both coordinators know both repositories, also the one that was registered with only one"

# ---- groups ----
at "$two" group create shop "$a" "$b" >/dev/null
wait_for 10 has_groups "$one" "shop 2"
same "the group at the other" "$(ask "$one" group_query '{"group":"shop","query":"load_users"}' |
	jq -c '[.complete, .coverage.asked // (.hits | length > 0)] | .[0]')" true
rc=0; at "$one" group create shop "$a" >/dev/null 2>"$W/r" || rc=$?
same "a name that the other has given" "$rc $(grep -c INVALID_INPUT "$W/r")" "3 1"
# the same at the same time: one of them gets the error that it exists
for i in 1 2 3 4 5; do
	at "$one" group create "same$i" "$a" >/dev/null 2>&1 & first=$!
	at "$two" group create "same$i" "$b" >/dev/null 2>&1 & second=$!
	n=0
	wait $first && n=$((n + 1))
	wait $second && n=$((n + 1))
	same "group same$i is made" "$n" 1
	at "$one" group delete "same$i" >/dev/null
done
wait_for 10 has_groups "$two" "shop 2"
wait_for 10 has_groups "$one" "shop 2"
contracts() { ask "$1" group_contracts '{"group":"shop"}' | jq -e .complete; }
wait_for 20 contracts "$one"
wait_for 20 contracts "$two"
ok "groups are shared, and each coordinator has its own contracts"

# ---- a sequence that starts at one continues at the other ----
python3 "$ROOT/tests/mcp/two_coordinators.py" "$one" "$two" shop >"$W/r" 2>&1 || fail "a cursor, an input round or a session at the other coordinator: $(cat "$W/r")"
cat "$W/r"
ok "cursors and input rounds continue at the other coordinator, sessions start again"

# ---- jobs ----
job() { ask "$1" job_show "{\"id\":\"$2\"}" | jq -r "$3"; }
job_is() { [ "$(job "$1" "$2" "$3")" = "$4" ]; }
force() { ask "$1" jobs "{\"kind\":\"build\",\"repo\":\"$a\",\"force\":true}" | jq -r .job.id; }
hold
jobs=
for i in 1 2 3; do jobs="$jobs $(force "$one") $(force "$two")"; done
same "asked for six times at two places it is one job" "$(printf '%s\n' $jobs | sort -u | wc -l)" 1
j=${jobs##* }
release
wait_for 20 job_is "$one" "$j" .state done
wait_for 10 job_is "$two" "$j" .state done
same "it ran once" "$(forced)" 1
ok "a job that is requested at both runs once"

# Whoever has it dies in the middle of it.
hold
j=$(force "$one")
wait_for 20 job_is "$one" "$j" .state running
wait_for 20 job_is "$two" "$j" .state running
begun() { grep -q "job.run job=$j" "$W/c1.log" "$W/c2.log"; }
wait_for 10 begun
if grep -q "job.run job=$j" "$W/c1.log"; then dies=c1 url=$two n=1; else dies=c2 url=$one n=2; fi
stop "$dies" KILL
lives=c$((3 - n))
taken() { grep -q "job.run job=$j .*lost=1" "$W/$lives.log"; }
wait_for 30 taken
leads() { grep "registry.leader" "$W/$1.log"; }
wait_for 20 leads "$lives"
release
wait_for 20 job_is "$url" "$j" .state done
same "runs of it" "$(forced)" 2
coordinator "$n"
wait_for 20 both_there "$one"
wait_for 20 both_there "$two"
job_is "$one" "$j" .state done || fail "the restarted coordinator does not know that the job is done"
ok "the other coordinator takes over the job of the dead one, and it runs only once more"

# ---- without etcd ----
stop etcd-one KILL
at "$one" group create more "$a" >/dev/null 2>"$W/r" && fail "a group was made without etcd"
grep -q "UNAVAILABLE.*registry: etcd at $etcd does not answer" "$W/r" || fail "the error without etcd: $(cat "$W/r")"
for u in "$one" "$two"; do
	same "a question without etcd" "$(ask "$u" group_query '{"group":"shop","query":"load_users"}' | jq -c .complete)" true
	wait_for 20 contracts "$u"
	at "$u" group create more "$a" >/dev/null 2>"$W/r" && fail "a group was made without etcd"
	same "ready without etcd" "$(curl -s -o /dev/null -w '%{http_code}' "$u/readyz")" 200
done
stop c2
coordinator 2
same "who starts without etcd has its copy" "$(group_names "$two")" "shop 2"
etcd_start
made() { at "$two" group create more "$a"; }
wait_for 20 made
wait_for 10 has_groups "$one" "more 1, shop 2"
ok "without etcd queries are answered and nothing is written; then everything works again"

# ---- tokens, and repositories that go ----
token=$(at "$two" token create --name admin --json | jq -r .secret)
refused() { [ "$(curl -s -o /dev/null -w '%{http_code}' "$1/api/v1/tools")" = 401 ]; }
wait_for 10 refused "$one"
export ATOLL_TOKEN=$token
has_groups "$one" "more 1, shop 2" || fail "the token is unknown to the other coordinator"
other=$(at "$one" token create --name other --json | jq -r .secret)
opens() { [ "$(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $other" "$1/api/v1/tools")" = "$2" ]; }
wait_for 10 opens "$two" 200
at "$two" token revoke other >/dev/null
wait_for 10 opens "$one" 401
stop b
at "$two" repo remove "$b" >/dev/null
gone_at() { [ "$(repos "$1")" = "a healthy ready" ]; }
wait_for 10 gone_at "$one"
wait_for 10 has_groups "$one" "more 1, shop 1"
shard b "ipc://$W/c1.sock"
away() { grep -q 'member.refused repo=.* code=FORBIDDEN .*removed from this coordinator' "$W/$1.log"; }
wait_for 10 away c1
for u in "$one" "$two"; do
	case $(repos "$u") in *"b "*) fail "the removed repository is back: $(repos "$u")" ;; esac
done
stop b
ok "tokens, revocation and removal apply to both"

# ---- how it is, and moving it ----
now() { ask "$1" registry_status | jq -r "$2"; }
there() { [ "$(now "$1" '[.kind, .state, (.coordinators | length | tostring), ([.coordinators[] | select(.leads)] | length | tostring)] | join(" ")')" = "etcd ready 2 1" ]; }
wait_for 20 there "$one"	# who ended without etcd is there until its lease is over
wait_for 20 there "$two"
same "who leads, as both say" "$(now "$one" .leader)" "$(now "$two" .leader)"
curl -fsS -H "Authorization: Bearer $token" "$two/metrics" >"$W/metrics"
grep -q '^atoll_registry_ready{kind="etcd"} 1$' "$W/metrics" && grep -q '^atoll_registry_coordinators 2$' "$W/metrics" ||
	fail "metrics: $(grep registry "$W/metrics")"
at "$two" registry export "$W/export" 2>/dev/null
same "who may read the file" "$(stat -c %a "$W/export")" 600
grep -q "$token" "$W/export" && fail "the export contains a token"
grep -q '"table":"secrets"' "$W/export" && fail "the export contains a secret"
same "its own rows once more" "$(ask "$two" registry_import "$(ask "$one" registry_export | jq -c '{rows}')" |
	jq -c .)" '{"written":0,"left_out":[]}'
# a registry in a file takes it, and gives the same back
"$BIN/atoll" registry import "$W/export" --data "$W/file" >"$W/r" || fail "import failed: $(cat "$W/r")"
"$BIN/atoll" registry export "$W/again" --data "$W/file" 2>/dev/null
same "there and back" "$(tail -n +2 "$W/again")" "$(tail -n +2 "$W/export")"
same "once more nothing is written" "$("$BIN/atoll" registry import "$W/export" \
	--data "$W/file")" "$(($(wc -l <"$W/export") - 1)) rows read, 0 written, 0 left out"
start c3 atoll-coordinator --data "$W/file" --http 127.0.0.1:0 --ready-file "$W/three" --listen "ipc://$W/c3.sock"
wait_for 20 test -s "$W/three"
three=$(cat "$W/three")
same "groups of the file" "$(group_names "$three")" "more 1, shop 1"
wait_for 10 gone_at "$three"
stop c3
printf '{"atoll_registry":1,}\n{"table":"members","row":{"grp":"none","repo_uri":"none"}}\n' >"$W/odd"
rc=0; "$BIN/atoll" registry import "$W/odd" --data "$W/file" >"$W/r" 2>&1 || rc=$?
same "a row without its parents" "$rc $(grep -c '^left out: members/none/none' "$W/r")" "3 1"
ok "status, metrics, export and import"

# ---- a file that is another registry's ----
stop c2
rc=0; "$BIN/atoll-coordinator" --data "$W/data2" --http 127.0.0.1:0 --listen "ipc://$W/x.sock" >"$W/r" 2>&1 || rc=$?
same "a copy without its registry" "$rc $(grep -c 'copy of a registry in etcd' "$W/r")" "1 1"
rc=0; "$BIN/atoll-coordinator" --data "$W/data2" --http 127.0.0.1:0 --listen "ipc://$W/x.sock" \
	--registry "etcd://$etcd/u" >"$W/r" 2>&1 || rc=$?
same "a copy with another registry" "$rc $(grep -c 'is a copy of a' "$W/r")" "1 1"
ok "a copy of the registry is not mistaken for the original"

# ---- another etcd at the same address ----
stop etcd-one KILL
rm -rf "$W/etcd-one"
etcd_start
warned() { now "$one" '.state + " " + (.message // "")' | grep -q '^away .*is a copy of a registry that no longer exists'; }
wait_for 20 warned
same "what is known stays" "$(group_names "$one")" "more 1, shop 1"
at "$one" group create late "$a" >/dev/null 2>"$W/r" && fail "a group was made in another etcd"
same "nothing is there" "$(ETCDCTL_API=3 etcdctl --endpoints "$etcd" get --prefix / --keys-only | grep -vc '^$')" 0
stop c1
ok "an etcd that lost its data does not remove anything"

# ---- etcd with users ----
ctl() { ETCDCTL_API=3 etcdctl --endpoints "$etcd" "$@" >/dev/null; }
echo secret >"$W/password"
port3=$(free_port)
unset ATOLL_TOKEN
ctl user add root:root && ctl user add atoll:secret && ctl role add atoll && ctl role grant-permission atoll --prefix=true readwrite /t/ &&
	ctl user grant-role atoll atoll && ctl user grant-role root root && ctl auth enable
rc=0; "$BIN/atoll-coordinator" --data "$W/data3" --http 127.0.0.1:0 --listen "ipc://$W/x.sock" \
	--registry "etcd://$etcd/t" >"$W/r" 2>&1 || rc=$?
same "without a user" "$rc $(grep -c 'registry-user' "$W/r")" "1 1"
export ATOLL_REGISTRY_USER=atoll ATOLL_REGISTRY_PASSWORD_FILE=$W/password
coordinator 3
call group_create '{"group":"users"}' >/dev/null
ok "an etcd with users"
