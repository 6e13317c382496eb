#!/bin/bash
# Manifests and documents create links: five real repositories publish, depend and refer; a changed manifest changes its links.
. "$(dirname "$0")/../lib.sh"
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# commit REPO: commit everything in its folder
commit() { git -C "$W/src/$1" add -A && git -C "$W/src/$1" commit -qm "$1"; }
repo() {
	mkdir -p "$W/src/$1"
	git -C "$W/src/$1" init -q -b main
	git -C "$W/src/$1" remote add origin "https://github.com/acme/$1.git"
}
for r in ui web kit api base; do repo $r; done

# a monorepo of npm packages; its users, by name and by git; a Python library and its user; a Go module with the same name
mkdir -p "$W/src/ui/packages/icons" "$W/src/ui/packages/buttons"
printf '{"name": "root", "private": true, "workspaces": ["packages/*"]}\n' >"$W/src/ui/package.json"
printf '{\n "name": "@acme/icons",\n "version": "1.2.0"\n}\n' >"$W/src/ui/packages/icons/package.json"
printf '{\n "name": "@acme/buttons",\n "dependencies": {"@acme/icons": "^1"}\n}\n' >"$W/src/ui/packages/buttons/package.json"
printf '{"name": "web", "private": true,\n "dependencies": {\n  "@acme/buttons": "^2.1.0",\n  "kit": "github:acme/kit#v1",\n  "root": "1"\n }\n}\n' >"$W/src/web/package.json"
printf '# Web\n\nIcons are in [ui](https://github.com/acme/ui/tree/main/packages/icons), see\nhttps://www.npmjs.com/package/@acme/buttons\nand https://github.com/acme/api/blob/main/requirements.txt#L2\n' >"$W/src/web/README.md"
printf '{"name": "kit", "private": true}\n' >"$W/src/kit/package.json"
printf 'acme-base[x]>=1.4\nkit\n' >"$W/src/api/requirements.txt"
printf 'module github.com/acme/api\nrequire github.com/acme/kit v0.1.0\n' >"$W/src/api/go.mod"
printf '[project]\nname = "Acme_Base"\nversion = "1.5"\n' >"$W/src/base/pyproject.toml"
printf 'def load(path):\n    return _read(path)\n\n\ndef _read(path):\n    return open(path).read()\n' >"$W/src/base/acme_base.py"
printf 'def serve():\n    return 1\n' >"$W/src/api/serve.py"
for r in ui web kit api base; do commit $r; done
git -C "$W/src/ui" tag '@acme/buttons@2.1.4'
git -C "$W/src/kit" tag v0.1.0

up --group shop "$W"/src/*
ready shop 5
call group_sync '{"group":"shop"}' >"$W/sync"
jq -e '.complete and .links_written > 0' "$W/sync" >/dev/null || fail "not synced: $(cat "$W/sync")"
links() { call group_cross_repo_links "$(jq -n --arg r "$1" '{group: "shop", limit: 1000} + if $r == "" then {} else {relation: $r} end')"; }
lines() {
	links "$1" | jq -r '.links[] | [(.source_repo_uri, .target_repo_uri | split("/") | last), .source_doc_path, .source_line, .target_doc_path,
		.ecosystem, .package, .range, .scope, .count, .confidence] | map(. // "-") | join(" ")'
}
same "packages" "$(lines depends_on_package)" "api kit go.mod 2 - go github.com/acme/kit v0.1.0 runtime - 1
api base requirements.txt 1 pyproject.toml pypi acme-base >=1.4 runtime - 1
web ui package.json 3 packages/buttons/package.json npm @acme/buttons ^2.1.0 runtime - 1
web kit package.json 4 package.json npm kit github:acme/kit#v1 runtime - 1"
same "documents" "$(lines references_doc)" "web ui README.md 3 packages/buttons/package.json - - - - 2 1
web api README.md 5 requirements.txt - - - - 1 1"
same "the line of a document's link" "$(links references_doc | jq -c '[.links[] | select(.target_doc_path == "requirements.txt") | .target_line, .target_repo_uri]')" '[2,"github.com/acme/api"]'
ok "exactly the dependencies on members are links"

same "whole repositories" "$(links depends_on |
	jq -r '.links[] | [.source_repo_uri, .target_repo_uri | split("/") | last] | join(">")' | tr '\n' ' ')" \
	"api>base api>kit web>kit web>ui "
same "of one repository" "$(call group_cross_repo_links '{"group":"shop","repo_uri":"github.com/acme/kit","relation":"depends_on_package"}' | jq -r .total)" 2
call group_sync '{"group":"shop"}' | jq -e '.changed == false' >/dev/null || fail "a second sync changes something"
same "pages" "$(c=; while :; do
	call group_cross_repo_links "$(jq -n --arg c "$c" '{group: "shop", limit: 2} + if $c == "" then {} else {cursor: $c} end')" >"$W/page"
	jq -c '.links[]' "$W/page"
	c=$(jq -r '.next_cursor // ""' "$W/page")
	[ -n "$c" ] || break
done)" "$(links "" | jq -c '.links[]')"
ok "repositories, filters, pages; a second sync changes nothing"

# ---- who needs a package may use what it exports: 27-symbol-uses has who does ----
trust() { call "$1" "$2" | jq -c '[.epistemic, .reasons, .cross_repo]'; }
same "nobody uses it" "$(trust impact '{"repo":"base","symbol":"load"}')" '["verdict",[],[]]'
same "its context" "$(trust context '{"repo":"base","symbol":"load"}')" '[null,[],[]]'
same "what it depends on" "$(trust impact '{"repo":"base","symbol":"load","direction":"downstream"}')" '["verdict",[],[]]'
same "where nobody needs a package" "$(trust impact '{"repo":"api","symbol":"serve"}')" '["verdict",[],[]]'
ok "a repository that needs a package and uses nothing of it was asked"

# ---- the graph ----
call repo_graph '{"group":"shop","owners":true}' >"$W/graph"
same "ranks" "$(jq -r '[.repos[] | (.name | split("/") | last) + " " + (.needed_by | tostring) + "/" + (.depends_on | tostring)] | join(" ")' "$W/graph")" \
	"kit 2/0 base 1/0 ui 1/0 api 0/2 web 0/2"
same "owners" "$(jq -r '[.repos[].owners[0].name] | unique | join(" ")' "$W/graph")" A
same "an edge" "$(jq -c '.edges[] | select((.source | endswith("web")) and (.target | endswith("ui"))) | [.depends, [.relations[] | [.relation, .links]]]' "$W/graph")" \
	'[true,[["depends_on_package",1],["references_doc",1]]]'
same "over HTTP" "$(curl -fsS "$ATOLL_URL/api/v1/graph?group=shop" | jq -cS '[.edges, .cycles]')" "$(jq -cS '[.edges, .cycles]' "$W/graph")"
same "another group" "$(curl -sS -o /dev/null -w '%{http_code}' "$ATOLL_URL/api/v1/graph?group=none%22")" 404
atoll group graph shop >"$W/shown"
grep -qE '^acme/web .*acme/kit \(1\), acme/ui \(2\)' "$W/shown" || fail "group graph: $(cat "$W/shown")"
ok "repo_graph, GET /api/v1/graph and \`atoll group graph\` agree"

# ---- lock files pin versions; a commit that changes only one of them is an incremental update ----
pins() { links depends_on_package | jq -r '.links[] | [(.source_repo_uri, .target_repo_uri | split("/") | last), .range, .pinned // "-"] | join(" ")'; }
# lock VERSION: the lock file of web, which also has a copy for another package
lock() {
	jq -n --arg v "$1" '{lockfileVersion: 3, packages: {"": {name: "web"}, "node_modules/@acme/buttons": {version: $v},
		"node_modules/other/node_modules/@acme/buttons": {version: "1.0.0"}}}' >"$W/src/web/package-lock.json"
	commit web
	call repo_analyze '{"repo":"web"}' >/dev/null
}
is_pinned() {
	call group_sync '{"group":"shop"}' >/dev/null
	[ "$(pins | grep "web ui")" = "web ui ^2.1.0 $1" ]
}
same "without lock files" "$(pins)" "api kit v0.1.0 v0.1.0
api base >=1.4 -
web ui ^2.1.0 -
web kit github:acme/kit#v1 -"
lock 2.1.4
wait_for 30 is_pinned 2.1.4
same "the tags of these versions" "$(links depends_on_package | jq -c '[.links[].tag]')" '["v0.1.0",null,"@acme/buttons@2.1.4",null]'
same "the others" "$(pins | grep -v 'web ui')" "api kit v0.1.0 v0.1.0
api base >=1.4 -
web kit github:acme/kit#v1 -"
lock 2.3.0
wait_for 30 is_pinned 2.3.0
grep -q 'ingest.done repo=acme/web .*how=renewed' "$W"/data/logs/*.log || fail "web was indexed from scratch"
same "no part of the search" "$(call search_code '{"query":"lockfileVersion","scope":{"type":"repos","repos":["web"]}}' | jq -c '[.results[].path | select(test("lock"))]')" '[]'
same "what is said of it" "$(call group_status '{"group":"shop"}' | jq -c '[.repos[] | select(.repo_uri | endswith("web")) | .skipped[] | [.name, .files]]')" '[["lockfile, packages only",1]]'
git -C "$W/src/web" rm -q package-lock.json
commit web
call repo_analyze '{"repo":"web"}' >/dev/null
wait_for 30 is_pinned -
ok "a lock file pins versions, also when only it changes, until it is gone"

# ---- a manifest changes; the links of others remain ----
printf '{"name": "web", "private": true,\n "dependencies": { "@acme/icons": "1.x" }\n}\n' >"$W/src/web/package.json"
commit web
call repo_analyze '{"repo":"web"}' >/dev/null
changed() {
	call group_sync '{"group":"shop"}' >/dev/null
	[ "$(lines depends_on_package | grep '^web')" = "web ui package.json 2 packages/icons/package.json npm @acme/icons 1.x runtime - 1" ]
}
wait_for 30 changed
same "the others" "$(lines depends_on_package | grep -c '^api')" 2
ok "a changed manifest changes only its own links"

# ---- an unrelated repository joins: no link disappears ----
before=$(lines "")
repo stranger
printf '{"name": "stranger", "dependencies": {"left-pad": "1"}}\n' >"$W/src/stranger/package.json"
commit stranger
call repo_add "$(jq -n --arg s "$W/src/stranger" '{source: $s, groups: ["shop"]}')" >/dev/null
ready shop 6
call group_sync '{"group":"shop"}' >/dev/null
same "with a stranger" "$(lines "")" "$before"
ok "an unrelated repository removes no link"
