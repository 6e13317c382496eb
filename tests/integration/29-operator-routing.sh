#!/bin/bash
# Hosts and gateways declared by people: atoll.yaml in a repository, --routing of the coordinator. A bad file changes nothing,
# and the error names file, line and key.
. "$(dirname "$0")/../lib.sh"
commit() {	# commit REPO: all that is in the folder
	git -C "$1" add -A && git -C "$1" -c user.name=t -c user.email=t@example.com commit -qm change
}
for r in users web carts; do
	mkdir -p "$W/src/$r" && git init -q -b main "$W/src/$r"
done
printf '%s\n' "const express = require('express');" "const app = express();" "app.get('/list', (req, res) => res.json([]));" >"$W/src/users/app.js"
cp "$W/src/users/app.js" "$W/src/carts/app.js"
printf '%s\n' "fetch('https://accounts.example.com/list');" "fetch('/shop/list');" "fetch('http://ledger/list');" \
	"fetch('http://people/list');" >"$W/src/web/page.js"
printf '%s\n' "spring:" "  cloud:" "    consul:" "      discovery:" "        service-name: people" >"$W/src/users/application.yml"
mkdir "$W/src/carts/k8s"
printf '%s\n' "apiVersion: v1" "kind: Service" "metadata: {name: ledger}" "spec: {ports: [{port: 80}]}" >"$W/src/carts/k8s/service.yaml"
printf '%s\n' "services:" "  - name: accounts" "    hosts: [accounts.example.com]" >"$W/src/users/atoll.yaml"
printf '%s\n' "gateways:" "  - path: /shop/{*}" "    to: carts:80/{*}" >"$W/routing.yaml"
for r in users web carts; do commit "$W/src/$r"; done

export ATOLL_ROUTING="$W/routing.yaml"
export ATOLL_SYNC_DELAY_MS=0	# no sync but those below: one in between would find what they are to find
up --group shop "$W"/src/*
ready shop 3
links() {
	call group_contracts '{"group":"shop"}' | jq -r '.contracts[] | "\(.consumer.line) \(.producer.repo_uri)"' >"$W/links"
	for r in users web carts; do
		u=$(call group_status '{"group":"shop"}' | jq -r --arg r "$r" '.repos[] | select(.name | test("(^|/)" + $r + "(-|$)")) | .repo_uri')
		sed -i "s|$u|$r|" "$W/links"
	done
	sort "$W/links" | tr '\n' ';'
}
call group_sync '{"group":"shop"}' >/dev/null
same "links" "$(links)" "1 users;2 carts;3 carts;4 users;"
call group_contracts '{"group":"shop"}' |
	jq -e --arg f "$W/routing.yaml" 'any(.contracts[].evidence[]; .file == $f and .line == 2)' >/dev/null ||
	fail "the evidence names the file and the line"
ok "a host in atoll.yaml, a name in Consul and a gateway of the coordinator lead to the services behind them"

printf '%s\n' "gateways:" "  - path: shop" "    to: carts" >"$W/routing.yaml"
"$BIN/atoll" call group_sync '{"group":"shop"}' >"$W/r" 2>&1 && fail "a bad table is not refused: $(cat "$W/r")"
grep -qF "routing.yaml:2: \`gateways[0].path\`" "$W/r" || fail "file, line and key are not named: $(cat "$W/r")"
same "links after a bad table" "$(links)" "1 users;2 carts;3 carts;4 users;"
printf '%s\n' "repositories: []" >"$W/routing.yaml"
ok "a bad table is refused and changes nothing"

printf '%s\n' "services:" "  - name: accounts" "    host: accounts.example.com" >"$W/src/users/atoll.yaml"
commit "$W/src/users"
fault() { call group_status '{"group":"shop"}' | jq -r '.repos[].atoll_yaml // empty'; }
wait_for 20 eval '[ -n "$(fault)" ]'
case "$(fault)" in
"atoll.yaml:3: \`services[0].host\`: no such key"*) ;;
*) fail "file, line and key are not named: $(fault)" ;;
esac
for command in "status" "group status shop" "doctor"; do
	# shellcheck disable=SC2086
	rc=0
	"$BIN/atoll" $command >"$W/out" || rc=$?
	same "the status of atoll $command" $rc 0
	grep -q 'users-.*atoll.yaml:3: `services\[0\].host`: no such key' "$W/out" || fail "atoll $command: $(cat "$W/out")"
done
printf '%s\n' "services:" "  - name: accounts" "    hosts: [accounts.example.com]" >"$W/src/users/atoll.yaml"
commit "$W/src/users"
wait_for 20 eval '[ -z "$(fault)" ]'
ok "a bad atoll.yaml is named with line and key, until it is fixed"

printf '%s\n' "not:" "  - {host: accounts.example.com, to: users}" "  - {host: ledger, to: nobody}" >"$W/src/web/atoll.yaml"
printf '%s\n' "links:" "  - {from: web, path: /shop/list, to: users}" "  - {from: web, path: /none, to: carts}" "  - {from: nowhere, path: /list, to: carts}" >"$W/routing.yaml"
commit "$W/src/web"
wrong() { call group_status '{"group":"shop"}' | jq -r '[.declarations[] | "\(.line) \(.text)"] | sort | join(";")'; }
wait_for 20 eval 'call group_sync "{\"group\":\"shop\"}" | jq -e ".complete and (.declarations | length) == 3" >/dev/null'
same "links with declarations" "$(links)" "2 users;3 carts;4 users;"
case "$(wrong)" in
"3 \`links\` leads nowhere: carts serves no ANY /none;"*";3 \`not\` names no repository of the group: \`nobody\`;"*";4 \`from\` names no repository: \`nowhere\`;"*) ;;
*) fail "what is wrong with declarations is not named: $(wrong)" ;;
esac
for command in "group status shop" "doctor"; do
	# shellcheck disable=SC2086
	"$BIN/atoll" $command >"$W/out"
	grep -q 'atoll.yaml:3: `not` names no repository of the group: `nobody`' "$W/out" || fail "atoll $command: $(cat "$W/out")"
done
rm "$W/src/web/atoll.yaml"
printf '%s\n' "gateways:" "  - {path: '/shop/{*}', to: 'carts/{*}'}" >"$W/routing.yaml"
commit "$W/src/web"
wait_for 20 eval 'call group_sync "{\"group\":\"shop\"}" | jq -e ".complete and (has(\"declarations\") | not)" >/dev/null'
same "links without them" "$(links)" "1 users;2 carts;3 carts;4 users;"
ok "declared calls count, and what is wrong with declarations is named"

# the tables as if other rules had made them, and a link that today's do not make
python3 -c 'import sqlite3, sys
d = sqlite3.connect(sys.argv[1]); d.execute("update groups set rules = 0"); d.commit()' "$W/data/registry.db"
printf '%s\n' "not:" "  - {from: web, path: /shop/list, to: carts}" >"$W/routing.yaml"
for _ in 1 2; do call group_sync '{"group":"shop"}' >"$W/synced"; done
jq -e 'has("departed") | not' "$W/synced" >/dev/null || fail "links that left are listed again: $(cat "$W/synced")"
grep 'sync\.departed' "$W/data/logs/coordinator.log" >"$W/departed"
same "lines of the log about links that left" "$(sed 's/.*\(sync\.departed[a-z_]*\) .*/\1/' "$W/departed" | tr '\n' ';')" "sync.departed;sync.departed_link;"
grep -q ' links=1 .*before=0$' "$W/departed" && grep -q ' path=/shop/list ' "$W/departed" || fail "not what left: $(cat "$W/departed")"
ok "links that an older program's rules made, and today's do not, are listed once"

printf '%s\n' "gateways: {" >"$W/routing.yaml"
"$BIN/atoll-coordinator" --data "$W/other" --http 127.0.0.1:0 --listen "ipc://$W/m" \
	--routing "$W/routing.yaml" >"$W/r" 2>&1 && fail "a coordinator starts with a bad table"
grep -q "routing.yaml: line " "$W/r" || fail "the reason is missing: $(cat "$W/r")"
ok "a coordinator does not start with a bad table"
