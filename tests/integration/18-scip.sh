#!/bin/bash
# A SCIP index, in the repository or by option, confirms, adds and contradicts edges, in incremental and full builds alike; a
# broken or outdated one does no harm.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

mkdir -p "$W/r"
git init -q -b main "$W/r"
cat >"$W/r/shapes.py" <<'END'
class Shape:
    def area(self):
        return 0


class Box(Shape):
    def area(self):
        return 4


class Sum:
    def total(self):
        return 0
END
cat >"$W/r/use.py" <<'END'
import shapes


def measure(thing):
    return thing.area()


def elsewhere(thing):
    return thing.total()
END
cat >"$W/r/other.py" <<'END'
def other():
    return 1
END
cat >"$W/r/late.txt" <<'END'
def late(thing):
    return thing.area()
END
sed 's/late.txt/late.py/' >"$W/description" <<'END'
tool scip-test
document shapes.py
def 1 Shape ~shapes/Shape#
def 2 area ~shapes/Shape#area().
def 6 Box ~shapes/Box#
use 6 Shape ~shapes/Shape#
def 7 area ~shapes/Box#area().
rel ~shapes/Box#area(). to ~shapes/Shape#area().
def 12 total ~shapes/Sum#total().
document use.py
def 4 measure ~use/measure().
use 5 thing local 1
use 5 area ~shapes/Box#area().
def 8 elsewhere ~use/elsewhere().
use 9 total scip-test pkg numpy 1 array/total().
document late.py
def 1 late ~late/late().
use 2 area ~shapes/Box#area().
END
cp "$W/r/late.txt" "$W/r/late.py"
"$ROOT/tests/fixtures/scip.py" "$W/r" "$W/index.scip" <"$W/description"
rm "$W/r/late.py"
commit "$W/r" first

# index DATA ARG...: index the head into DATA; writes its graph_hash to $W/hash
index() {
	_d=$1
	shift
	atoll-shard --once --json --repo "$W/r" --data "$_d" "$@" >"$W/out" 2>"$W/log" || fail "index: $(cat "$W/log")"
	json "$W/out" graph_hash >"$W/hash"
}
# edge DATA FROM KIND TO: confidence and reason, or nothing
edge() {
	python3 - "$@" <<'END'
import glob, re, sqlite3, sys
data, source, kind, target = sys.argv[1:]
kinds = re.findall(r"^EDGE\((\w+),", open(__import__("os").environ["ROOT"] + "/proto/record/kinds.def").read(), re.M)
db = sqlite3.connect(max(glob.glob(data + "/*/index-*.db"), key=lambda p: int(re.findall(r"\d+", p)[-1])))
sys.path.insert(0, __import__("os").environ["ROOT"] + "/tests")
from edge_store import read_edges
from symbol_store import make_symbols
make_symbols(db)
names = dict(db.execute("select id, qualified from symbols"))
for file, s, line, target_file, t, confidence, reason, k in read_edges(db):
    if (names.get(s), k, names.get(t)) == (source, kinds.index(kind), target):
        print(confidence, reason)
END
}
# fresh WHAT ARG...: the incrementally updated index in $W/d equals a full rebuild
fresh() {
	_what=$1
	shift
	index "$W/d" "$@"
	mv "$W/hash" "$W/renewed"
	grep -q 'how=renewed' "$W/log" || fail "$_what: not indexed incrementally: $(cat "$W/log")"
	rm -rf "$W/fresh"
	index "$W/fresh" "$@"
	same "$_what" "$(cat "$W/renewed")" "$(cat "$W/hash")"
}

index "$W/d"
own=$(cat "$W/hash")
guess=$(edge "$W/d" measure CALLS Box.area)
[ "${guess%% *}" -le 30 ] || fail "a name alone gives '$guess'"
[ -n "$(edge "$W/d" elsewhere CALLS Sum.total)" ] || fail "there is no guess to contradict"

cp "$W/index.scip" "$W/r/index.scip"
commit "$W/r" "an index"
index "$W/d"
grep -q 'SCIP index changed' "$W/log" || fail "a new SCIP index caused a build: $(cat "$W/log")"
known() {
	same "$1: raised" "$(edge "$2" measure CALLS Box.area)" "100 scip:scip-test"
	same "$1: overrides" "$(edge "$2" Box.area OVERRIDES Shape.area)" "100 scip:scip-test"
	same "$1: extends" "$(edge "$2" Box EXTENDS Shape)" "100 scip:scip-test"
	for _t in Shape.area Sum.total; do
		_s=measure
		[ $_t = Shape.area ] || _s=elsewhere
		_e=$(edge "$2" $_s CALLS $_t)
		case $_e in *contradicted) ;; *) fail "$1: $_s to $_t is '$_e'" ;; esac
		[ "${_e%% *}" -le 20 ] || fail "$1: $_s to $_t is '$_e'"
	done
}
known "committed" "$W/d"
python3 - "$W/d" <<'END' || fail "a SCIP index that is used counts as a skipped file"
import glob, re, sqlite3, sys
db = sqlite3.connect(max(glob.glob(sys.argv[1] + "/*/index-*.db"), key=lambda p: int(re.findall(r"\d+", p)[-1])))
assert not db.execute("select 1 from skipped where path = 'index.scip'").fetchall()
END
ok "a committed SCIP index confirms, adds and contradicts edges"

# the same SCIP index as the oracle of tests/oracle
python3 "$ROOT/tests/oracle/calls_scip.py" "$W/index.scip" "$W/r" >"$W/calls.json"
python3 "$ROOT/tests/oracle/compare.py" "$W/calls.json" "$W"/d/*/index-*.db "$W/r" "$W/lists" >"$W/out"
grep -q 'oracle 1  edges 1 (not judged 0)  right 1  wrong 0' "$W/out" || fail "compared with itself: $(cat "$W/out")"
git -C "$W/r" checkout -q HEAD~1
index "$W/before"
git -C "$W/r" checkout -q main
python3 "$ROOT/tests/oracle/compare.py" "$W/calls.json" "$W"/before/*/index-*.db "$W/r" "$W/lists" >"$W/out"
grep -q 'missing *1  found below 0.5' "$W/out" || fail "a guess: $(cat "$W/out")"
grep -q 'use.py:5.*shapes.py:7 area.*thing.area' "$W/lists/missing" || fail "list: $(cat "$W/lists/missing")"
ok "call edges are compared with an oracle"

printf 'def other():\n    return 2\n' >"$W/r/other.py"
commit "$W/r" "another file"
fresh "another file changed"
known "another file" "$W/d"
cp "$W/r/late.txt" "$W/r/late.py"
commit "$W/r" "a file that the index knew"
fresh "a file came that the index knew"
same "its edge" "$(edge "$W/d" late CALLS Box.area)" "100 scip:scip-test"
cp "$W/r/shapes.py" "$W/shapes.py"
sed -i '1i # moved' "$W/r/shapes.py"
commit "$W/r" "the target moved"
fresh "the target moved"
case $(edge "$W/d" measure CALLS Box.area) in *scip*) fail "an outdated definition is trusted" ;; esac
cp "$W/shapes.py" "$W/r/shapes.py"
commit "$W/r" "the target is back"
fresh "the target is back"
known "back" "$W/d"
sed -i '1i # moved' "$W/r/use.py"
commit "$W/r" "the caller moved"
fresh "the caller moved"
case $(edge "$W/d" measure CALLS Box.area) in *scip*) fail "an outdated reference is trusted" ;; esac
sed -i '1d' "$W/r/use.py"
git -C "$W/r" rm -q shapes.py
commit "$W/r" "the target is gone"
fresh "the target is gone"
cp "$W/shapes.py" "$W/r/shapes.py"
commit "$W/r" "and there again"
fresh "the target is there again"
known "there again" "$W/d"
ok "incremental and full builds agree; outdated entries are not trusted"

for broken in head tail; do
	$broken -c 200 "$W/index.scip" >"$W/r/index.scip"
	commit "$W/r" "broken: $broken"
	index "$W/d"
	serve s "$W/r" --data "$W/d"
	rpc s status >"$W/status"
	stop s
	grep -q '"broken SCIP index"' "$W/status" || fail "$broken: not counted: $(cat "$W/status")"
	same "$broken: own edges" "$(edge "$W/d" measure CALLS Box.area)" "$guess"
done
ok "a broken SCIP index is skipped and counted"

git -C "$W/r" rm -q index.scip late.py
printf 'def other():\n    return 1\n' >"$W/r/other.py"
commit "$W/r" "without"
index "$W/d"
same "without" "$(cat "$W/hash")" "$own"
index "$W/d" --scip "$W/index.scip"
known "--scip" "$W/d"
rm -rf "$W/fresh"
ATOLL_SCIP=$W/index.scip index "$W/fresh"
known "ATOLL_SCIP" "$W/fresh"
index "$W/d" --scip "$W/none.scip"
same "no such file" "$(edge "$W/d" measure CALLS Box.area)" "$guess"
printf 'def other():\n    return 3\n' >"$W/r/other.py"
commit "$W/r" "another file again"
rm -rf "$W/d"
git -C "$W/r" checkout -q HEAD~1
index "$W/d" --scip "$W/index.scip"
git -C "$W/r" checkout -q main
fresh "with --scip" --scip "$W/index.scip"
known "--scip, renewed" "$W/d"
ok "a SCIP index by option"
