#!/bin/bash
# package_api: what a package exports, with the uses of each symbol by repository; who is not counted, and what the answer says then.
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

# ---- a library of two packages, one of them with a package inside and a test ----
repo lib
put lib/py/pyproject.toml <<<$'[project]\nname = "acme-lib"\nversion = "2.0"'
put lib/py/src/acme_lib/__init__.py <<<'from .engine import Engine'
put lib/py/src/acme_lib/engine.py <<'X'
class Wheel:
    def turn(self):
        return 1


class Engine:
    def __init__(self):
        self.wheel = Wheel()

    def start(self) -> Wheel:
        return self.wheel

    def _hidden(self):
        return 2


def idle(x):
    return x
X
put lib/py/tests/test_engine.py <<<$'from acme_lib import Engine\n\n\ndef test_start():\n    Engine().start()'
put lib/py/plugins/pyproject.toml <<<$'[project]\nname = "acme-plugins"\nversion = "1.0"'
put lib/py/plugins/acme_plugins.py <<<$'def plug():\n    return 1'
put lib/java/pom.xml <<<'<project><groupId>com.acme</groupId><artifactId>lib</artifactId><version>2</version></project>'
put lib/java/src/main/java/com/acme/lib/Base.java <<'X'
package com.acme.lib;

public abstract class Base<T> {
	public static final int LIMIT = 3;
	protected T convert(T value) { return value; }
	protected T unused(T value) { return value; }
	public void get(int x) { }
	public void get(String x) { }
}
X
commit lib

# user NAME: uses Engine (twice) and Engine.start
user() {
	repo "$1"
	put "$1/pyproject.toml" <<<$'[project]\nname = "'"$1"$'"\ndependencies = ["acme_lib>=2"]'
	put "$1/car.py" <<<$'from acme_lib import Engine\n\n\nclass Car(Engine):\n    def go(self):\n        return self.start().turn()'
	commit "$1"
}
user app
printf '\n\ndef guess(x):\n    return x.turn()\n' >>"$W/src/app/car.py"
put app/java/pom.xml <<<'<project><groupId>com.acme</groupId><artifactId>app</artifactId><version>1</version><dependencies><dependency><groupId>com.acme</groupId><artifactId>lib</artifactId><version>2</version></dependency></dependencies></project>'
put app/java/src/main/java/com/acme/app/Text.java <<'X'
package com.acme.app;

import com.acme.lib.Base;

class Text extends Base<String> {
	String upper(String s) { return convert(s); }
}
X
commit app
user dark
put dark/more.py <<<$'from acme_lib import Engine\n\n\ndef two():\n    Engine().start()\n    Engine().start()'
commit dark

up --group g "$W"/src/*
ready g 3
call group_sync '{"group":"g"}' >/dev/null
api() { call package_api "$(jq -nc --argjson x "${1:-{\}}" '{repo: "lib", package: "acme-lib"} + $x')" >"$W/out"; }
rows='[.symbols[] | [.symbol, .uses, [.consumers[] | [(.repo_uri | split("/") | last), .uses]]]]'

# ---- which package ----
call package_api '{"repo":"lib"}' >"$W/out"
is "several packages" '[.package, .symbols, [.candidates[] | [.ecosystem, .name, .version, .folder]]]' \
	'[null,[],[["maven","com.acme:lib","2","java"],["pypi","acme-lib","2.0","py"],["pypi","acme-plugins","1.0","py/plugins"]]]'
call package_api '{"repo":"lib","folder":"py/plugins"}' >"$W/out"
is "one by its folder; the outer one's users do not count" "[.package.name, .total, .unused, $rows]" '["acme-plugins",1,1,[["plug",0,[]]]]'
"$BIN/atoll" call package_api '{"repo":"lib","package":"nope"}' >"$W/out" 2>&1 && fail "a package that does not exist: $(cat "$W/out")"
grep -q 'publishes no such package' "$W/out" || fail "what is wrong: $(cat "$W/out")"
"$BIN/atoll" call package_api '{"repo":"lib","package":"acme-lib","group":"other"}' >"$W/out" 2>&1 && fail "a group that does not exist"
grep -q 'NOT_FOUND' "$W/out" || fail "what is wrong: $(cat "$W/out")"
ok "a package is found by name, ecosystem or folder; without them, or with the wrong ones, the answer tells which there are"

# ---- its symbols ----
want='[["Wheel",0,[]],["Engine.wheel",0,[]],["idle",0,[]],["Wheel.turn",2,[["app",1],["dark",1]]],["Engine.start",4,[["dark",3],["app",1]]],["Engine",7,[["dark",5],["app",2]]]]'
api
is "unused first, then fewest uses; neither constructors, nor private methods, tests or inner packages" "$rows" "$want"
is "their places" '[.symbols[] | select(.symbol == "Engine.start") | [.id, .kind, .signature, .path, .line, .end_line]]' \
	'[["py/src/acme_lib/engine.py#Engine.start","method","def start(self) -> Wheel","py/src/acme_lib/engine.py",10,11]]'
is "the package, and how many there are" '[.package.version, .package.folder, .total, .unused, .complete, .coverage.answered]' '["2.0","py",6,3,true,2]'
is "an unclear reference may be a use" '[.epistemic, [.symbols[] | select(.unclear) | [.symbol, .unclear]], (.reasons | map(contains("acme/app has references by names of these symbols")))]' '["lower-bound",[["Wheel.turn",1]],[true]]'
api '{"kind":"class"}'
is "by kind, about which all is known" "[$rows, .total, .unused, .epistemic, .reasons]" '[[["Wheel",0,[]],["Engine",7,[["dark",5],["app",2]]]],2,1,"verdict",[]]'
api '{"name":"ENGINE."}'
is "by a text, in any case" '[[.symbols[].symbol], .total, .unused]' '[["Engine.wheel","Engine.start"],2,1]'
api '{"unused":true}'
is "only unused ones" '[[.symbols[].symbol], .total, .unused]' '[["Wheel","Engine.wheel","idle"],3,3]'
api '{"kind":"macro"}'
is "none" '[.symbols, .total, .unused, .package.name]' '[[],0,0,"acme-lib"]'
call package_api '{"repo":"lib","ecosystem":"maven"}' >"$W/out"
is "a protected method that others use; overloads" "$rows" '[["Base.LIMIT",0,[]],["Base.get",0,[]],["Base.get",0,[]],["Base.convert",1,[["app",1]]],["Base",2,[["app",2]]]]'
ok "each exported symbol has its uses by repository, unused ones first"

# ---- pages ----
pages() {
	local c=
	while :; do
		api "$(jq -nc --arg c "$c" '{limit: 1} + if $c == "" then {} else {cursor: $c} end')"
		jq -c "$rows[]" "$W/out"
		c=$(jq -r '.next_cursor // ""' "$W/out")
		[ -n "$c" ] || break
	done
}
same "pages" "$(pages | jq -sc .)" "$want"
api '{"limit":1}'
cursor=$(jq -r .next_cursor "$W/out")
"$BIN/atoll" call package_api "$(jq -nc --arg c "$cursor" '{repo: "lib", package: "acme-lib", kind: "class", cursor: $c}')" >"$W/out" 2>&1 && fail "a cursor of another list"
grep -q INVALID_INPUT "$W/out" || fail "a cursor of another list: $(cat "$W/out")"
ok "pages are parts of the same list, and their cursors fit no other"

# ---- groups ----
call group_create "$(jq -nc '{group: "few", repos: ["lib", "app"]}')" >/dev/null
call group_sync '{"group":"few"}' >/dev/null
api '{"group":"few"}'
is "the uses in a group" '[.symbols[] | select(.symbol == "Engine") | [.uses, (.consumers | length)]]' '[[2,1]]'
call group_delete '{"group":"few"}' >/dev/null
ok "with a group, only its members count"

# ---- who may not be seen ----
admin=$(call token_create '{"name":"admin"}' | jq -r .secret)
export ATOLL_TOKEN=$admin
ATOLL_TOKEN=$(call token_create '{"name":"seen","repos":["lib","app"]}' | jq -r .secret)
api '{"kind":"class"}'
is "a hidden user is not counted" "[$rows, .coverage.members]" '[[["Wheel",0,[]],["Engine",2,[["app",2]]]],1]'
grep -q dark "$W/out" && fail "a hidden repository is named: $(cat "$W/out")"
is "and nothing is certain" '[.epistemic, .reasons]' '["lower-bound",["only the repositories that you may see were asked"]]'
ATOLL_TOKEN=$admin
ok "a token that does not see a user gets a lower bound, without its name"

# ---- who is down ----
pid=$(pgrep -P "$(pid_of up)" -f "atoll-shard --repo $W/src/dark ")
[ -n "$pid" ] || fail "no shard of dark"
pause "$pid"
down() { api '{"kind":"class"}'; jq -e '.complete == false' "$W/out"; }
wait_for 20 down
is "what is known is there" "[$rows, .epistemic, (.coverage.failed | map(.repo_uri))]" '[[["Wheel",0,[]],["Engine",2,[["app",2]]]],"lower-bound",["github.com/acme/dark"]]'
is "and why it may be more" '.reasons | map(startswith("the uses in github.com/acme/dark are not known"))' '[true]'
kill -CONT "$pid"
up_again() { api '{"kind":"class"}'; jq -e '.epistemic == "verdict"' "$W/out"; }
wait_for 20 up_again
ok "a user that cannot be asked makes a lower bound, which names it"
