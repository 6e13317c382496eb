#!/bin/bash
# The commands of deploy/README.md for new certificates, a new cluster key, a new CA, and a backup, while queries continue.
. "$(dirname "$0")/../lib.sh"
case $B in *address* | *thread*) skip "test_wire_tls and test_wire_proof check this in every variant" ;; esac
"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
cd "$W"
atoll certs init certs >/dev/null
atoll certs issue certs a.example.com,10.0.0.1 b.example.com >/dev/null
push() {	# to the "hosts" a and b, each file by a rename
	local host file
	for host in a b; do
		mkdir -p "$W/$host"
		for file in ca.pem cluster-key $host.example.com.pem $host.example.com.key; do
			cp "certs/$file" "$W/$host/.new" && mv "$W/$host/.new" "$W/$host/$file"
		done
	done
}
push
tls() { echo --tls-ca "$W/$1/ca.pem" --tls-cert "$W/$1/$1.example.com.pem" --tls-key "$W/$1/$1.example.com.key" \
	--cluster-key-file "$W/$1/cluster-key"; }
http=$(free_port) members=$(free_port)
export ATOLL_URL=http://127.0.0.1:$http
coordinator() {
	# shellcheck disable=SC2046
	start coordinator "$BIN/atoll-coordinator" --data "$W/coord" --http "127.0.0.1:$http" --listen "tls+tcp://127.0.0.1:$members" \
		--search-deadline-ms 20000 $(tls a)	# each question is to be answered whole, on a busy machine too
	wait_for 20 answers
}
one=$(free_port) two=$(free_port)
shard() {	# shard NAME PORT: two of one repository, on host b
	# shellcheck disable=SC2046
	start "$1" "$BIN/atoll-shard" --repo "$W/shop/users" --data "$W/data-$1" --replica "$1" --listen "tls+tcp://127.0.0.1:$2" \
		--coordinator "tls+tcp://127.0.0.1:$members" $(tls b)
}
coordinator
shard one "$one"
shard two "$two"
listed() { "$BIN/atoll" repo list --json | jq -e '.repos | length == 1 and .[0].status == "ready"'; }
wait_for 30 listed
atoll group create g "$("$BIN/atoll" repo list --json | jq -r '.repos[0].name')" >/dev/null
ready g 1

cat >"$W/ask.sh" <<'END'
while [ ! -f "$1/enough" ]; do
	curl -s -m 60 -d '{"group":"g","query":"users"}' -H 'Content-Type: application/json' "$2/api/v1/group_query" >"$1/answer"
	jq -e '.complete and (.results | length > 0)' "$1/answer" >/dev/null 2>&1 && echo ok || { date +%T.%N; cat "$1/answer"; }
	sleep 0.1
done
END
start ask bash "$W/ask.sh" "$W" "$ATOLL_URL"

healthy() { curl -s "$ATOLL_URL/metrics" | grep -c '^atoll_shard_health{.*health="healthy".* 1$'; }
both() { [ "$(healthy)" = 2 ]; }
wait_for 20 both
recipe() {	# recipe NAME: run its lines, one after the other
	local line n=0
	while IFS= read -r line; do
		eval "$line" >"$W/out" 2>&1 || fail "$1: $line: $(cat "$W/out")"
		n=$((n + 1))
		sleep 2.2
	done < <(awk -v name="<!-- run: $1 -->" '$0 == name { on = 1; next } on && /^    / { print substr($0, 5); any = 1; next } on && any { exit }' "$ROOT/deploy/README.md")
	[ $n -gt 0 ] || fail "deploy/README.md has no lines for $1"
}
before() { openssl x509 -in "b/b.example.com.pem" -noout -serial -issuer; }
serial=$(before)
recipe certificate
[ "$(before)" != "$serial" ] || fail "b has its old certificate"
key=$(cat b/cluster-key)
recipe key
{ [ "$(wc -l <b/cluster-key)" = 1 ] && [ "$(cat b/cluster-key)" != "$key" ]; } || fail "b has its old key"
issuer=$(openssl x509 -in a/ca.pem -noout -subject)
recipe ca
[ "$(grep -c BEGIN a/ca.pem)" = 1 ] && [ "$(openssl x509 -in a/ca.pem -noout -subject)" != "$issuer" ] || fail "a trusts its old CA"
wait_for 10 both

# New connections use the new files: each shard restarts in turn, once both are healthy, so that one always answers.
for s in "two $two" "one $one"; do
	stop "${s% *}"
	# shellcheck disable=SC2086
	shard $s
	wait_for 30 both
done
asked=$(wc -l <ask.log)
many() { [ "$(wc -l <ask.log)" -ge $((asked + 10)) ]; }
wait_for 20 many
touch enough
wait_for 10 gone "$(pid_of ask)"
failed=$(grep -v '^ok' ask.log | wc -l)
[ "$failed" = 0 ] || fail "of $(wc -l <ask.log) questions some failed: $(grep -v '^ok' ask.log | head -c 2000)"
answered() { "$BIN/atoll" call group_query '{"group":"g","query":"users"}' | jq -e '.complete and (.results | length > 0)'; }
wait_for 10 answered
grep -q 'wire.refused' one.log two.log coordinator.log && fail "a peer was refused: $(grep -h wire.refused ./*.log | head -5)"
ok "certificates, cluster key and CA change without a restart and without a failed query"

mkdir old && cp certs/a.example.com.* certs/ca.pem old
printf '%s\n' "$key" >old/cluster-key
"$BIN/atoll-shard" --probe "tls+tcp://127.0.0.1:$one" --tls-ca a/ca.pem --tls-cert a/a.example.com.pem \
	--tls-key a/a.example.com.key --cluster-key-file old/cluster-key >"$W/out" 2>&1 &&
	fail "the old cluster key still opens"
grep -q 'cluster key' "$W/out" || fail "the refusal of the old key gives no reason: $(cat "$W/out")"
ok "the old key is no longer accepted"

if command -v sqlite3 >/dev/null; then
	sqlite3 coord/registry.db ".backup registry.bak"
	atoll group delete g >/dev/null
	stop coordinator
	rm -f coord/registry.db-wal coord/registry.db-shm
	mv registry.bak coord/registry.db
	coordinator
	ready g 1
	ok "a backup of the registry, put back, has the group again"
fi
