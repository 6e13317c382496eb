#!/bin/bash
# Which repositories use which packages: tool, pages, filters, `atoll packages` and `atoll sbom`, over manifests of four ecosystems; a hidden repository is not in them.
. "$(dirname "$0")/../lib.sh"
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# write REPO FILE: a file from standard input
write() { mkdir -p "$(dirname "$W/src/$1/$2")" && cat >"$W/src/$1/$2"; }
commit() { git -C "$W/src/$1" add -A && git -C "$W/src/$1" commit -qm "$1"; }
repos="ui web api svc lib zqxvault"
for r in $repos; do
	mkdir -p "$W/src/$r"
	git -C "$W/src/$r" init -q -b main
	git -C "$W/src/$r" remote add origin "https://github.com/acme/$r.git"
done
# npm and Python: a library and its users; one range, one exact version, one from git, one that nobody publishes
write ui package.json <<<'{
 "name": "@acme/ui",
 "version": "3.1.0",
 "dependencies": {"lodash": "4.17.21"}
}'
write web package.json <<<'{
 "name": "web", "private": true,
 "dependencies": {
  "@acme/ui": "^3.0.0",
  "lodash": "^4.17.0",
  "kit": "github:other/kit#v1"
 },
 "devDependencies": {
  "jest": "29.7.0"
 }
}'
printf 'Acme_Base[fast]>=1.4\nrequests==2.31.0\n' | write api requirements.txt
printf '[project]\nname = "acme-base"\nversion = "1.5"\n' | write lib pyproject.toml
printf 'def load(path):\n    return path\n' | write lib acme_base.py
printf 'from acme_base import load\n\n\ndef serve():\n    return load("x")\n' | write api serve.py
# Go and Maven
printf 'module github.com/acme/svc\n\nrequire (\n\tgithub.com/BurntSushi/toml v1.3.2\n\tgolang.org/x/net v0.17.0 // indirect\n)\n' | write svc go.mod
write api pom.xml <<<'<project>
<groupId>org.acme</groupId><artifactId>api</artifactId><version>${revision}</version>
<dependencies>
<dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId><version>33.0.0-jre</version></dependency>
<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>[4.12,5)</version><scope>test</scope></dependency>
</dependencies>
</project>'
# the hidden one: it publishes what web needs, uses what others use, and has a package of its own
write zqxvault package.json <<<'{
 "name": "jest",
 "version": "1.0.0",
 "dependencies": {"lodash": "3.0.0", "zqxpad": "1.0.0", "@acme/ui": "1.0.0"}
}'
for r in $repos; do commit $r; done

export ATOLL_SYNC_DELAY_MS=600000	# nobody but the tool fetches the facts
up --group shop "$W"/src/*
ready shop 6

# rows FILE: each declaration as a line
rows() {
	jq -r '.packages[] | . as $p | (.declarations[] | [$p.ecosystem, $p.name, (.repo_uri | split("/") | last), .file, .line, .range, .version, .scope,
		((.publishers // []) | map(split("/") | last) | join("+"))] | map(. // "-" | if . == "" then "-" else . end) | join(" ")),
		(if $p.total == 0 then "\($p.ecosystem) \($p.name) only published" else empty end)'
}
call packages '{"group":"shop"}' >"$W/out"
same "declarations" "$(rows <"$W/out")" "go github.com/BurntSushi/toml svc go.mod 4 v1.3.2 v1.3.2 runtime -
go github.com/acme/svc only published
go golang.org/x/net svc go.mod 5 v0.17.0 v0.17.0 indirect -
maven com.google.guava:guava api pom.xml 4 33.0.0-jre 33.0.0-jre runtime -
maven junit:junit api pom.xml 5 [4.12,5) - test -
maven org.acme:api only published
npm @acme/ui web package.json 4 ^3.0.0 - runtime ui
npm @acme/ui zqxvault package.json 4 1.0.0 1.0.0 runtime ui
npm jest web package.json 9 29.7.0 29.7.0 dev zqxvault
npm kit web package.json 6 github:other/kit#v1 - runtime -
npm lodash ui package.json 4 4.17.21 4.17.21 runtime -
npm lodash web package.json 5 ^4.17.0 - runtime -
npm lodash zqxvault package.json 4 3.0.0 3.0.0 runtime -
npm web only published
npm zqxpad zqxvault package.json 4 1.0.0 1.0.0 runtime -
pypi Acme_Base api requirements.txt 1 >=1.4 - runtime lib
pypi requests api requirements.txt 2 ==2.31.0 2.31.0 runtime -"
is "lodash" '.packages[] | select(.name == "lodash") | [.purl, .repositories, .ranges, .total]' '["pkg:npm/lodash",3,3,3]'
is "who publishes @acme/ui" '.packages[] | select(.name == "@acme/ui") | .publishers | map([.repo_uri, .version, .purl, .file, .line])' \
	'[["github.com/acme/ui","3.1.0","pkg:npm/%40acme/ui@3.1.0","package.json",2]]'
is "totals" '[.total, .total_packages, .total_external, .complete, .coverage.answered, (.repositories | length)]' '[17,14,8,true,6,6]'
# a busy shard may resolve its uses only at the next sync
used() {
	call group_sync '{"group":"shop"}' >/dev/null
	call packages '{"group":"shop"}' | jq -e '[.packages[].declarations[] | select(.uses > 0) | .repo_uri, .publishers] == ["github.com/acme/api", ["github.com/acme/lib"]]'
}
wait_for 30 used
ok "declarations, versions, publishers, uses and package URLs"

for limit in 1 2 5 1000; do
	same "pages of $limit" "$(c=; while :; do
		call packages "$(jq -n --arg c "$c" --argjson n "$limit" '{group: "shop", limit: $n} + if $c == "" then {} else {cursor: $c} end')" >"$W/page"
		rows <"$W/page"
		c=$(jq -r '.next_cursor // ""' "$W/page")
		[ -n "$c" ] || break
	done)" "$(rows <"$W/out")"
done
count() { call packages "$1" | jq -c '[.total, .total_packages, .total_external]'; }
same "external" "$(count '{"group":"shop","external":true}')" '[10,8,8]'
same "an ecosystem" "$(count '{"group":"shop","ecosystem":"npm"}')" '[9,6,3]'
same "a name" "$(count '{"group":"shop","name":"LODA"}')" '[3,1,1]'
same "a repository" "$(count '{"repo":"web"}')" '[5,5,2]'
same "a repository in the group" "$(count '{"repo_uri":"github.com/acme/web","group":"shop","external":true}')" '[2,2,2]'
ok "pages and filters"

# ---- a lock file of web: what it chose is the version ----
write web pnpm-lock.yaml <<<"lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      '@acme/ui': {specifier: ^3.0.0, version: 3.0.2(react@18.2.0)}
      lodash: {specifier: ^4.17.0, version: 4.17.20}
      kit: {specifier: github:other/kit#v1, version: https://codeload.example.org/other/kit/tar.gz/abc}"
commit web
call repo_analyze '{"repo":"web"}' >/dev/null
chosen() {
	call group_sync '{"group":"shop"}' >/dev/null
	call packages '{"repo":"web"}' >"$W/out"
	[ "$(rows <"$W/out" | grep '^npm lodash')" = "npm lodash web package.json 5 ^4.17.0 4.17.20 runtime -" ]
}
wait_for 30 chosen
is "what was chosen" '[.packages[].declarations[] | [.version, .pinned, .purl]]' '[["3.0.2",true,"pkg:npm/%40acme/ui@3.0.2"],["29.7.0",null,"pkg:npm/jest@29.7.0"],[null,null,null],["4.17.20",true,"pkg:npm/lodash@4.17.20"]]'
ok "a lock file says which version was chosen"

# ---- the command line ----
atoll packages --group shop --ecosystem npm >"$W/text"
grep -qE '^npm @acme/ui +\^3\.0\.0 at 3\.0\.2 +acme/web package\.json:4 +published by acme/ui' "$W/text" || fail "atoll packages: $(cat "$W/text")"
grep -qE '^npm jest +29\.7\.0 \(dev\) +acme/web package\.json:9' "$W/text" || fail "atoll packages: $(cat "$W/text")"
atoll packages "$W/src/web" --external >"$W/text"
grep -qx '2 declarations, 2 packages, 2 of them external' "$W/text" || fail "atoll packages REPO: $(cat "$W/text")"

# bom ARGUMENT...: a bill of materials, which must be well-formed
bom() { atoll sbom "$@" >"$W/out" && python3 "$ROOT/tests/cyclonedx.py" <"$W/out" || fail "atoll sbom $*: $(cat "$W/out")"; }
bom web
is "its subject" '.metadata.component | [.type, ."bom-ref", .name]' '["application","github.com/acme/web","acme/web"]'
is "components" '[.components[] | [."bom-ref", .version, .scope, .purl]]' '[["pkg:npm/%40acme/ui@3.0.2","3.0.2","required","pkg:npm/%40acme/ui@3.0.2"],
	["pkg:npm/jest@29.7.0","29.7.0","excluded","pkg:npm/jest@29.7.0"],["pkg:npm/kit from github.com/other/kit",null,"required",null],
	["pkg:npm/lodash@4.17.20","4.17.20","required","pkg:npm/lodash@4.17.20"]]'
is "where from" '.components[2].externalReferences' '[{"type":"vcs","url":"https://github.com/other/kit"}]'
is "where declared" '.components[1].evidence.occurrences' '[{"location":"package.json","line":9,"additionalContext":"github.com/acme/web"}]'
is "dependencies" '.dependencies[] | [.ref, (.dependsOn | length)]' '["github.com/acme/web",4]'
bom --group shop
is "of the group" '[(.components | length), .metadata.component."bom-ref"]' '[20,"group:shop"]'
is "versions of lodash" '[.components[] | select(.name == "lodash") | ."bom-ref"]' '["pkg:npm/lodash@4.17.21","pkg:npm/lodash@4.17.20","pkg:npm/lodash@3.0.0"]'
is "from a package to its repository" '.dependencies[] | select(.ref == "pkg:npm/%40acme/ui@3.0.2").dependsOn' '["github.com/acme/ui"]'
is "a module with capitals" '[.components[].purl | select(. and test("toml"))]' '["pkg:golang/github.com/burntsushi/toml@v1.3.2"]'
first=$(jq -r .serialNumber "$W/out")
bom --group shop
[ "$first" != "$(jq -r .serialNumber "$W/out")" ] || fail "the serial number is that of an earlier bill"
ok "bills of materials of a repository and of the group are well-formed"

# the checker finds faults
for filter in '.components[0]."bom-ref" = .components[1]."bom-ref"' '.components[0].purl = "pkg:npm/@acme/ui"' '.components[0].typo = 1' \
	'.dependencies[0].dependsOn += ["nobody"]' 'del(.components[0].name)' '.serialNumber = "1"' '.components[0].scope = "some"' '.metadata.timestamp = "today"'; do
	jq "$filter" "$W/out" | python3 "$ROOT/tests/cyclonedx.py" >/dev/null && fail "the checker accepts $filter"
done
ok "the checker rejects faulty bills"

# ---- who may not see a member ----
token=$(atoll token create --name admin)
seen=$(for r in ui web api svc lib; do printf -- '--repo github.com/acme/%s ' $r; done)
guest=$(ATOLL_TOKEN=$token atoll token create --name guest $seen)
export ATOLL_TOKEN=$guest
call packages '{"group":"shop"}' >"$W/out"
same "the guest's declarations" "$(rows <"$W/out" | grep -E '^npm (jest|lodash|@acme/ui)')" "npm @acme/ui web package.json 4 ^3.0.0 3.0.2 runtime ui
npm jest web package.json 9 29.7.0 29.7.0 dev -
npm lodash ui package.json 4 4.17.21 4.17.21 runtime -
npm lodash web package.json 5 ^4.17.0 4.17.20 runtime -"
is "counts" '[.total, .total_packages, .total_external, .coverage.members, (.packages[] | select(.name == "lodash") | .repositories)]' '[14,13,8,5,2]'
atoll sbom --group shop >"$W/bill"
atoll packages --group shop >"$W/text"
for f in out bill text; do grep -qi zqx "$W/$f" && fail "$f names the hidden repository: $(cat "$W/$f")"; done
atoll packages zqxvault >"$W/text" 2>&1 && fail "the guest sees it: $(cat "$W/text")"
atoll packages nobody >"$W/other" 2>&1 && fail "nobody exists"
same "what is hidden is missing" "$(sed 's/zqxvault/nobody/g' "$W/text")" "$(cat "$W/other")"
ok "a hidden repository is in no row, count or bill"
