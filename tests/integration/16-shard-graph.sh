#!/bin/bash
# A shard's answers about a definition (context, impact, signature) and a file (file_map), over edges that this test inserts.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

r=$W/a
mkdir -p "$r/app" "$r/tests" "$r/other"
git init -q -b main "$r"
cat >"$r/app/base.py" <<'P'
class Base:
    """What all stores have."""

    def load(self, key):
        raise NotImplementedError


class Store(Base):
    def __init__(self, path):
        self.path = path

    @property
    def name(self):
        return self.path

    def load(self, key):
        return helper(key)


def helper(key):
    return ping(key)


def ping(key):
    return pong(key) if key else None


def pong(key):
    return ping(key - 1)
P
printf '# Store\n\nKeeps things.\n\n## Deep water\n\nNo code is called so.\n' >"$r/README.md"
cat >"$r/app/main.py" <<'P'
from app.base import Store


def run(args):
    store = Store("x")
    return show(store)


def show(store):
    return store.load(1)
P
printf 'from app.base import helper\n\n\nprint("only imports it")\n' >"$r/app/imports.py"
printf 'def run(plan):\n    return plan\n\n\ndef dynamic(x):\n    return getattr(x, "go")().helper(2)\n' >"$r/other/run.py"
printf 'from app.base import helper\n\n\ndef test_helper():\n    assert helper(1) is None\n' >"$r/tests/test_base.py"
for i in $(seq 40); do printf "def f%d():\n    return target()\n\n\n" $i; done >"$r/other/many.py"
printf 'def target():\n    return 1\n' >"$r/other/target.py"
mkdir "$r/späce dir"
printf 'def odd():\n    return 1\n' >"$r/späce dir/ü#1.py"
commit "$r" first
atoll-shard --repo "$r" --data "$W/d" --once >/dev/null 2>&1
index=$(ls "$W"/d/*/index-*.db)
{
	cat <<'P'
app/base.py#Store.load CALLS app/base.py#helper 90 17
app/base.py#helper CALLS app/base.py#ping 90 21
app/base.py#ping CALLS app/base.py#pong 90 25
app/base.py#pong CALLS app/base.py#ping 90 29
app/base.py#Store EXTENDS app/base.py#Base 90 8
app/base.py#Store.load OVERRIDES app/base.py#Base.load 90 16
app/main.py#run CALLS app/base.py#Store.__init__ 95 5
app/main.py#run CALLS app/main.py#show 90 6
app/main.py#run CALLS app/main.py#show 90 6
app/main.py#show CALLS app/base.py#Base.load 85 10
app/main.py IMPORTS app/base.py#Store 95 1
app/imports.py IMPORTS app/base.py#helper 95 1
tests/test_base.py IMPORTS app/base.py#helper 95 1
tests/test_base.py#test_helper CALLS app/base.py#helper 95 5
tests/test_base.py#test_helper TESTS app/base.py#helper 95 5
other/run.py#dynamic CALLS app/base.py#Store.load 30 6
P
	for i in $(seq 40); do echo "other/many.py#f$i CALLS other/target.py#target 90 $((i * 4 - 2))"; done
} | python3 "$ROOT/tests/set_edges.py" "$index"
serve s "$r" --data "$W/d"
ask() { rpc s "$1" "$2" >"$W/out" || fail "$1 $2: $(cat "$W/out")"; }
context() { ask context "{\"symbol\":\"$1\",\"limit\":${2:-20}}"; }
impact() { ask impact "{\"symbol\":\"$1\",\"depth\":${2:-3},\"min_confidence\":0.5,\"limit\":50${3:-}}"; }

# ---- context ----
context helper
is "target" '[.target.id, .target.signature, .target.start_line]' '["app/base.py#helper","def helper(key)",20]'
is "callers, tests last" '[.callers[] | [.id, .at_line, .confidence, .reason]]' \
	'[["app/base.py#Store.load",17,0.9,"test"],["tests/test_base.py#test_helper",5,0.95,"test"]]'
is "callees" '[.callees[].id]' '["app/base.py#ping"]'
is "tests once" '[.tests[] | [.id, .relation]]' '[["tests/test_base.py#test_helper","TESTS"]]'
is "importers" '[.imported_by[].id]' '["app/imports.py","tests/test_base.py"]'
is "owners without addresses" '[.owners[] | [.relation, .name, .share, .commits]]' '[["OWNED_BY","t",1,1]]'
context Store
is "members" '[.members[] | [.qualified, .relation]]' \
	'[["Store.__init__","HAS_METHOD"],["Store.path","CONTAINS"],["Store.name","HAS_METHOD"],["Store.load","HAS_METHOD"]]'
is "who makes one calls its type" '[.callers[].id]' '["app/main.py#run"]'
is "bases" '[.implements[] | [.id, .relation]]' '[["app/base.py#Base","EXTENDS"]]'
context Base.load
is "who overrides" '[.implemented_by[] | [.id, .relation]]' '[["app/base.py#Store.load","OVERRIDES"]]'
context show
is "one caller twice" '[.callers[] | [.id, .times]]' '[["app/main.py#run",2]]'
context target 7
is "lists are cut, totals are not" '[(.callers | length), .totals.callers]' '[7,40]'
is "the first by path and line" '[.callers[].qualified]' '["f1","f2","f3","f4","f5","f6","f7"]'
context app/main.py
is "a file" '[.target.kind, [.members[] | [.qualified, .relation]], [.imports[].id]]' '["file",[["run","DEFINES"],["show","DEFINES"]],["app/base.py#Store"]]'
ok "context lists the neighbours of a definition, limited and in order"

# ---- several definitions, no definition ----
context run
is "candidates" '[.target, .total, [.candidates[].id]]' '[null,2,["app/main.py#run","other/run.py#run"]]'
impact run
is "candidates of impact" '[.target, [.candidates[].id], .by_depth]' '[null,["app/main.py#run","other/run.py#run"],[]]'
for q in '"symbol":"other/run.py#run"' '"symbol":"run","path":"other"' '"symbol":"run","path":"other/run.py"'; do
	ask context "{$q,\"limit\":5}"
	is "$q" .target.id '"other/run.py#run"'
done
for q in Store.load Store::load 'Store#load' 'Store->load()' app/base.py#Store.load; do
	context "$q"
	is "$q" .target.id '"app/base.py#Store.load"'
done
context Store
is "a class, not the heading of its name" .target.id '"app/base.py#Store"'
context README.md#Store
is "a heading by its id" '[.target.id, .target.kind]' '["README.md#Store","section"]'
context 'Deep water'
is "a heading that no code is called like" .target.kind '"section"'
context 'späce dir/ü#1.py#odd'
is "an id with a hash in its path" '[.target.path, .target.qualified]' '["späce dir/ü#1.py","odd"]'
context 'späce dir/ü#1.py'
is "the file itself" '[.target.kind, .members[0].id]' '["file","späce dir/ü#1.py#odd"]'
missing() {	# missing JSON NEAR...
	_q=$1
	shift
	for rpc in context impact signature; do
		_more=
		[ $rpc != impact ] || _more=',"depth":1,"min_confidence":0'
		if rpc s $rpc "{$_q,\"limit\":5$_more}" >"$W/out"; then fail "$rpc $_q: $(cat "$W/out")"; fi
		is "code of $rpc $_q" .error.code '"NOT_FOUND"'
		for near; do jq -r .error.message "$W/out" | grep -qF "$near" || fail "$rpc $_q names $near: $(cat "$W/out")"; done
	done
}
missing '"symbol":"helpr"' '`helper`'
missing '"symbol":"load_helper"' '`helper`' 'load'
missing '"symbol":"helper","path":"other"' 'app/base.py#helper'
missing '"symbol":"helper","kind":"class"' 'app/base.py#helper'
missing '"symbol":"no/such/file.py"' no/such/file.py
if rpc s context '{"symbol":"","limit":5}' >"$W/out"; then fail "an empty name is accepted"; fi
is "an empty name" .error.code '"INVALID_INPUT"'
ok "several matches are candidates; a missing name is NOT_FOUND with similar names"

# ---- impact ----
impact pong
is "a cycle ends" '[.by_depth[] | [.depth, [.affected[] | [.id, .via, .at_line]]]]' \
	'[[1, [["app/base.py#ping","app/base.py#pong",25]]],
	[2, [["app/base.py#helper","app/base.py#ping",21]]],
	[3, [["app/imports.py","app/base.py#helper",1],
		["app/base.py#Store.load","app/base.py#helper",17],
		["tests/test_base.py#test_helper","app/base.py#helper",5]]]]'
is "counts" .reach '{"affected":4,"direct":1,"tests":1,"files":3}'
jq -e '.reasons | any(test("beyond depth 3"))' "$W/out" >/dev/null || fail "the answer does not say that there is more: $(cat "$W/out")"
impact pong 10
is "to the end" '[.by_depth[3, 4, 5].affected[]?.id]' '["app/base.py#Base.load","app/main.py#show","app/main.py#run"]'
jq -e '.reasons | any(test("1 edge was below confidence 0.50"))' "$W/out" >/dev/null || fail "weak edges are not counted: $(cat "$W/out")"
jq -e '.reasons | all(test("beyond") | not)' "$W/out" >/dev/null || fail "the answer does not say that nothing follows: $(cat "$W/out")"
impact helper 1
jq -e '.reasons | any(test("in 1 file `helper` is called and nothing resolves it, e.g. other/run.py"))' "$W/out" >/dev/null || fail "unresolved calls: $(cat "$W/out")"
impact Store 1
is "a type with what it holds" '[.by_depth[0].affected[].id]' '["app/main.py#run","app/base.py#Base.load"]'
impact run 2 ',"path":"app","downstream":true'
is "downstream" '[.by_depth[] | [.affected[].id]]' '[["app/base.py#Store.__init__","app/main.py#show"],["app/base.py#Base.load"]]'
impact other/target.py#target 1
is "by path and line" '[.by_depth[0].total, .by_depth[0].affected[39].qualified]' '[40,"f40"]'
is "a verdict has no reasons" .reasons '[]'
impact app/base.py 1
is "a file with what it defines" '[.target.kind, [.by_depth[0].affected[].id]]' \
	'["file",["app/imports.py","app/main.py#run","app/main.py#show","tests/test_base.py#test_helper"]]'
ask impact '{"spots":[{"path":"app/base.py","line":29},{"path":"other/target.py","line":2}],"depth":1,"min_confidence":0.5,"limit":2}'
is "by lines" '[.target, .reach.affected]' '[null,41]'
for q in '"symbol":"run","depth":0' '"symbol":"run","depth":11' '"depth":1' '"symbol":"run","depth":1,"spots":[{"path":"a","line":1}]'; do
	if rpc s impact "{$q,\"min_confidence\":0,\"limit\":1}" >"$W/out"; then fail "impact $q"; fi
	is "impact $q" .error.code '"INVALID_INPUT"'
done
ok "impact is breadth first, stops in cycles, and reports what it cannot know"

# ---- signature ----
ask signature '{"symbol":"Store","limit":20}'
is "stub" .stub '"class Store(Base):\n    def __init__(self, path): ...\n    path\n    def name(self): ...\n    def load(self, key): ...\n"'
is "members" '[.total, [.members[].name]]' '[4,["__init__","path","name","load"]]'
ask signature '{"symbol":"app/main.py","limit":20}'
is "of a file" .stub '"def run(args)\ndef show(store)\n"'
ok "signature outlines without bodies"

# ---- file_map ----
ask file_map '{"path":"app/main.py","limit":20}'
is "definitions" '[.language, .total, [.symbols[] | [.id, .kind, .start_line, .end_line, .signature]]]' \
	'["python",2,[["app/main.py#run","function",4,6,"def run(args)"],["app/main.py#show","function",9,10,"def show(store)"]]]'
is "what its lines use, each once" '[.total_uses, [.uses[] | [.at_line, .relation, .id, .via]]]' \
	'[4, [[1,"IMPORTS","app/base.py#Store","app/main.py"],
		[5,"CALLS","app/base.py#Store.__init__","app/main.py#run"],
		[6,"CALLS","app/main.py#show","app/main.py#run"],
		[10,"CALLS","app/base.py#Base.load","app/main.py#show"]]]'
is "who uses it, within it too" '[.used_by[] | [.at_line, .id, .via]]' '[[6,"app/main.py#run","app/main.py#show"]]'
ask file_map '{"path":"app/base.py","limit":3}'
is "members have their parents" '[.symbols[] | [.qualified, .parent]]' '[["Base",null],["Base.load","Base"],["Store",null]]'
is "lists are cut, totals are not" '[(.symbols | length), .total, (.uses | length), .total_uses, (.used_by | length), .total_used_by]' \
	'[3,10,3,6,3,13]'
ask file_map '{"path":"app/base.py","limit":100}'
is "tests use it last" '[.used_by[] | .test // false] | . == sort' true
ask file_map '{"path":"","limit":20}'
is "the root: folders first" '[.language, .total_entries, [.entries[] | [.name, .files, .language]]]' \
	'[null,5,[["app",3,null],["other",3,null],["späce dir",1,null],["tests",1,null],["README.md",null,"markdown"]]]'
for q in app app/; do
	ask file_map "{\"path\":\"$q\",\"limit\":2}"
	is "folder $q" '[.path, .total_entries, [.entries[] | [.path, .language, .lines]]]' \
		'["app",3,[["app/base.py","python",29],["app/imports.py","python",4]]]'
done
ask file_map '{"path":"späce dir/ü#1.py","limit":20}'
is "an odd path" '[.symbols[].name]' '["odd"]'
for q in ap app/base nothing.py ..; do
	if rpc s file_map "{\"path\":\"$q\",\"limit\":5}" >"$W/out"; then fail "file_map of $q"; fi
	is "file_map of $q" .error.code '"NOT_FOUND"'
done
ok "file_map lists a file's definitions, each line's neighbours, and folders"

ask owners '{"path":"app/","limit":5}'
is "owners of a folder" '[.owners[0].name, .complete, .looked_at]' '["t",true,1]'
if rpc s owners '{"path":"nothing","limit":5}' >"$W/out"; then fail "owners of a missing path"; fi
is "owners of nothing" .error.code '"NOT_FOUND"'
if grep -q '@' "$W/out"; then fail "an email address is shown"; fi
ok "owners come from the history"
