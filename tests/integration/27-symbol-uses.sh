#!/bin/bash
# A library and everybody who uses it are one graph: uses of its definitions in other repositories, in five languages; who is asked, and
# what an answer says if somebody cannot be.
. "$(dirname "$0")/../lib.sh"
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

commit() { git -C "$W/src/$1" add -A && git -C "$W/src/$1" commit -qm "$1"; }
repo() {
	mkdir -p "$W/src/$1"
	git -C "$W/src/$1" init -q -b main
	git -C "$W/src/$1" remote add origin "https://github.com/acme/$1.git"
}
# put REPO/PATH: write standard input
put() { mkdir -p "$(dirname "$W/src/$1")" && cat >"$W/src/$1"; }

# ---- a library of five languages ----
repo lib
put lib/go/go.mod <<<'module example.com/acme/lib'
put lib/go/shape.go <<'X'
package lib

const Max = 3

type Shape struct{ Name string }

func New(name string) *Shape { return &Shape{name} }

func (s *Shape) Area() int { return helper() }

func helper() int { return 1 }
X
put lib/js/package.json <<<'{"name": "@acme/lib", "version": "2.0.0", "main": "src/index.ts"}'
put lib/js/src/index.ts <<<'export { Client } from "./client"'
put lib/js/src/client.ts <<'X'
export class Reply {
	text(): string { return "" }
}
export class Client {
	get(path: string): Reply { return new Reply() }
}
X
put lib/py/pyproject.toml <<<$'[project]\nname = "acme-lib"\nversion = "2.0"'
put lib/py/src/acme_lib/__init__.py <<<'from .engine import Engine'
put lib/py/src/acme_lib/engine.py <<'X'
class Wheel:
    def turn(self):
        return 1


class Engine:
    def start(self) -> Wheel:
        return Wheel()
X
put lib/java/pom.xml <<<'<project><groupId>com.acme</groupId><artifactId>lib</artifactId><version>2</version></project>'
put lib/java/src/main/java/com/acme/lib/Base.java <<'X'
package com.acme.lib;

public abstract class Base<T> {
	public static final int LIMIT = 3;
	protected T convert(T value) { return value; }
}
X
put lib/c/include/acme.h <<<$'#define ACME_MAX 3\nstruct acme { int size; };\nint acme_open(struct acme *);'
put lib/c/src/acme.c <<<$'#include "acme.h"\nint acme_open(struct acme *a) { return a->size; }'
commit lib

# ---- its user, which has namesakes of its own; and a user of that ----
repo app
put app/go/go.mod <<<$'module example.com/acme/app\nrequire example.com/acme/lib v2.0.0'
put app/go/main.go <<'X'
package app

import shapes "example.com/acme/lib"

type own struct{}

func (own) Area() int { return shapes.Max }

func Draw(o own) int {
	s := shapes.New("a")
	return s.Area() + o.Area()
}
X
put app/js/package.json <<<'{"name": "@acme/app", "dependencies": {"@acme/lib": "^2.0.0"}}'
put app/js/page.ts <<'X'
import { Client as Http } from "@acme/lib"

export function load(): string {
	const http = new Http()
	return http.get("/").text()
}
X
put app/js/yarn.lock <<<$'"@acme/lib@^2.0.0":\n  version "2.0.9"'
put app/py/pyproject.toml <<<$'[project]\nname = "acme-app"\ndependencies = ["acme_lib>=2"]'
put app/py/car.py <<'X'
from acme_lib import Engine


class Car(Engine):
    def go(self):
        return self.start().turn()
X
put app/java/pom.xml <<<'<project><groupId>com.acme</groupId><artifactId>app</artifactId><version>1</version><dependencies><dependency><groupId>com.acme</groupId><artifactId>lib</artifactId><version>2</version></dependency></dependencies></project>'
put app/java/src/main/java/com/acme/app/Text.java <<'X'
package com.acme.app;

import com.acme.lib.Base;

class Text extends Base<String> {
	String upper(String s) { return convert(s) + LIMIT; }
}
X
put app/c/main.c <<<$'#include <acme.h>\nint run(void) { struct acme a; return acme_open(&a) + ACME_MAX; }'
commit app

repo top
put top/go.mod <<<$'module example.com/acme/top\nrequire example.com/acme/app v1.0.0'
put top/top.go <<<$'package top\n\nimport "example.com/acme/app"\n\nfunc Show() int { return app.Draw(nil) }'
commit top
repo stranger
put stranger/main.go <<<$'package main\n\ntype Shape struct{}\n\nfunc (Shape) Area() int { return 1 }\n\nfunc main() { Shape{}.Area() }'
commit stranger

up --group g "$W"/src/*
ready g 4
call group_sync '{"group":"g"}' >/dev/null
uses() { call group_cross_repo_links "$(jq -nc --argjson x "${1:-{\}}" '{group: "g", relation: "uses_symbol", detail: "each", limit: 1000} + $x')"; }
rows() { jq -r '.links[] | [(.source_repo_uri | split("/") | last) + ":" + .source_doc_path + ":" + (.source_line | tostring), .symbol, .target_doc_path + ":" + (.target_line | tostring)] | join(" ")'; }
want="app:c/main.c:2 ACME_MAX c/include/acme.h:1
app:c/main.c:2 acme c/include/acme.h:2
app:c/main.c:2 acme_open c/src/acme.c:2
app:go/main.go:7 Max go/shape.go:3
app:go/main.go:10 New go/shape.go:7
app:go/main.go:11 Shape.Area go/shape.go:9
app:java/src/main/java/com/acme/app/Text.java:3 Base java/src/main/java/com/acme/lib/Base.java:3
app:java/src/main/java/com/acme/app/Text.java:5 Base java/src/main/java/com/acme/lib/Base.java:3
app:java/src/main/java/com/acme/app/Text.java:6 Base.LIMIT java/src/main/java/com/acme/lib/Base.java:4
app:java/src/main/java/com/acme/app/Text.java:6 Base.convert java/src/main/java/com/acme/lib/Base.java:5
app:js/page.ts:1 Client js/src/client.ts:4
app:js/page.ts:4 Client js/src/client.ts:4
app:js/page.ts:5 Client.get js/src/client.ts:5
app:js/page.ts:5 Reply.text js/src/client.ts:2
app:py/car.py:1 Engine py/src/acme_lib/engine.py:6
app:py/car.py:4 Engine py/src/acme_lib/engine.py:6
app:py/car.py:6 Engine.start py/src/acme_lib/engine.py:7
app:py/car.py:6 Wheel.turn py/src/acme_lib/engine.py:2
top:top.go:5 Draw go/main.go:9"
same "the uses" "$(uses | rows)" "$want"
same "of one repository" "$(uses '{"repo_uri":"github.com/acme/top"}' | jq -c '[.total, .complete]')" '[1,true]'
same "pages" "$(c=; while :; do
	uses "$(jq -nc --arg c "$c" '{limit: 4} + if $c == "" then {} else {cursor: $c} end')" >"$W/page"
	rows <"$W/page"
	c=$(jq -r '.next_cursor // ""' "$W/page")
	[ -n "$c" ] || break
done)" "$want"
same "a row for each definition" "$(call group_cross_repo_links '{"group":"g","relation":"uses_symbol"}' | jq -c '[.total, ([.links[].count] | add)]')" '[16,19]'
same "pairs" "$(call repo_graph '{"group":"g"}' | jq -c '[.edges[] | [(.source, .target | split("/") | last), (.relations[] | select(.relation == "uses_symbol") | .links)]]')" '[["app","lib",18],["top","app",1]]'
same "versions: required, chosen, and published now" "$(uses | jq -c '[.links[] | [.ecosystem, .package, .range, .pinned, .version]] | unique | map(select(.[0] == "npm" or .[0] == "pypi"))')" '[["npm","@acme/lib","^2.0.0","2.0.9","2.0.0"],["pypi","acme_lib",">=2",null,"2.0"]]'
ok "the uses of five languages, by place and by definition"

# ---- the tools ----
ends() { jq -c '[.cross_repo[] | [.relation, (.repo_uri | split("/") | last), .path, .start_line, .symbol, .depth]]'; }
call context '{"repo":"lib","symbol":"Shape.Area"}' >"$W/out"
same "who uses a method" "$(ends <"$W/out")" '[["used_by","app","go/main.go",11,"go/main.go#Draw",1]]'
is "nothing is unknown" '[.epistemic, .reasons]' '[null,[]]'
call file_map '{"repo":"app","path":"js/page.ts"}' >"$W/out"
is "nothing of a file is unknown" '[.reasons, (.crossings | map(.end.symbol // .to.symbol // "") | length)]' '[[],4]'
call context '{"repo":"app","symbol":"load"}' >"$W/out"
same "what a function uses" "$(ends <"$W/out")" '[["uses","lib","js/src/client.ts",2,"js/src/client.ts#Reply.text",1],["uses","lib","js/src/client.ts",4,"js/src/client.ts#Client",1],["uses","lib","js/src/client.ts",5,"js/src/client.ts#Client.get",1]]'
call impact '{"repo":"lib","symbol":"helper","depth":5}' >"$W/out"
same "a function within the library, to the user of a user" "$(ends <"$W/out")" '[["used_by","app","go/main.go",11,"go/main.go#Draw",2],["used_by","top","top.go",5,"top.go#Show",3]]'
is "all was asked" '[.epistemic, .reasons, [.repos[].repo_uri]]' '["verdict",[],["github.com/acme/app","github.com/acme/top"]]'
call find_references '{"repo":"lib","symbol":"Shape","limit":2}' >"$W/out"
is "its own repository first" '[.references[] | [.repo_uri, .path, .line]] + [.total]' '[["github.com/acme/lib","go/shape.go",7],["github.com/acme/lib","go/shape.go",7],3]'
call find_references '{"repo":"lib","symbol":"Base"}' >"$W/out"
is "then others" '[.references[] | [.path, .line, .kind]] + [.epistemic]' '[["java/src/main/java/com/acme/app/Text.java",3,"IMPORTS"],["java/src/main/java/com/acme/app/Text.java",5,"EXTENDS"],"verdict"]'
same "its pages" "$(call find_references "$(jq -nc --arg c "$(call find_references '{"repo":"lib","symbol":"Base","limit":1}' | jq -r .next_cursor)" '{repo: "lib", symbol: "Base", limit: 1, cursor: $c}')" | jq -c '[[.references[].line], .next_cursor]')" '[[5],null]'
ok "context, impact and find_references follow uses, through a library to its users' users"

# ---- a change of a signature ----
sed -i 's/func (s \*Shape) Area() int/func (s *Shape) Area(unit string) int/' "$W/src/lib/go/shape.go"
call detect_changes "$(jq -n --arg d "$(git -C "$W/src/lib" diff)" '{repo: "lib", diff: $d}')" >"$W/out"
same "whom a change breaks" "$(ends <"$W/out")" '[["used_by","app","go/main.go",11,"go/main.go#Draw",1],["used_by","top","top.go",5,"top.go#Show",2]]'
git -C "$W/src/lib" checkout -q .
ok "detect_changes names the users of a changed method"

# ---- a body moves nobody; an interface does ----
resolved() { cat "$W"/data/repo_*/uses.db | sha256sum; }	# a file that nobody has written to
before=$(resolved)
sed -i 's/return 1 }/return 2 }/' "$W/src/lib/go/shape.go"
commit lib
new() { [ "$(call group_status '{"group":"g"}' | jq -r '[.repos[] | select(.repo_uri | endswith("/lib")) | .commit] | first')" = "$(git -C "$W/src/lib" rev-parse HEAD)" ]; }
wait_for 20 new
call group_sync '{"group":"g"}' >/dev/null
same "the uses of others are as they were" "$(resolved)" "$before"
sed -i 's/func New(name string)/func Make(name string)/' "$W/src/lib/go/shape.go"
commit lib
wait_for 20 new
call group_sync '{"group":"g"}' >/dev/null
same "what is gone is not used, nor what it returned" "$(uses | rows | grep -c 'go/shape.go')" 1
same "the code that needs it is named, with its version" "$(uses | jq -c '[.links[] | select(.gone_at_head) | [.source_doc_path, .source_line, .symbol, .target_doc_path, .range]]')" '[["go/main.go",10,"New","go","v2.0.0"]]'
git -C "$W/src/lib" revert --no-edit -n HEAD && commit lib
wait_for 20 new
call group_sync '{"group":"g"}' >/dev/null
same "and comes back" "$(uses | rows)" "$want"
ok "a changed body moves no other shard; a changed interface is resolved again"

# ---- who cannot be asked ----
printf '\n// more\n' >>"$W/src/app/go/main.go"
commit app
moved() { [ "$(call impact '{"repo":"lib","symbol":"Shape.Area"}' | jq -r .epistemic)" = "$1" ]; }
call group_sync '{"group":"g"}' >/dev/null
wait_for 20 moved verdict
# lost TOOL ARGUMENTS CONDITION: `atoll up` may sync once more after a commit, and then they are there again
lost() {
	rm -f "$W"/data/repo_*/uses.db
	call "$1" "$2" >"$W/out"
	jq -e "$3" <"$W/out"
}
unknown='.reasons | map(contains("github.com/acme/app are not known")) | any'
own='.reasons | map(contains("what github.com/acme/app uses of github.com/acme/lib is not known")) | any'
wait_for 20 lost impact '{"repo":"lib","symbol":"Shape.Area"}' "(.epistemic == \"lower-bound\") and ($unknown)"
wait_for 20 lost context '{"repo":"app","symbol":"load"}' "(.epistemic == \"lower-bound\") and ($own)"
wait_for 20 lost file_map '{"repo":"app","path":"js/page.ts"}' "$own"
wait_for 20 lost file_map '{"repo":"lib","path":"go/shape.go"}' "$unknown"
call group_sync '{"group":"g"}' >/dev/null
same "they are made again" "$(uses | rows)" "$want"
ok "uses that are lost make answers lower bounds, and group_sync makes them again"

# ---- who may not be seen ----
ATOLL_TOKEN=$(call token_create '{"name":"admin"}' | jq -r .secret)
export ATOLL_TOKEN
ATOLL_TOKEN=$(call token_create '{"name":"seen","repos":["lib"]}' | jq -r .secret)
call impact '{"repo":"lib","symbol":"Shape.Area"}' >"$W/out"
is "nobody is named" '[.cross_repo, .repos]' '[[],[]]'
grep -q acme/app "$W/out" && fail "a hidden repository is named: $(cat "$W/out")"
is "and nothing is certain" '.epistemic' '"lower-bound"'
ok "a token that sees the library alone hears of no user, and that there may be some"
