#!/bin/bash
# The definitions that a change touches: ranges of commits, and diffs from the caller.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

r=$W/a
mkdir -p "$r/app" "$r/node_modules/x"
git init -q -b main "$r"
cat >"$r/app/store.py" <<'P'
import json


class Store:
    """Keeps things."""

    def load(self, key):
        return json.loads(self.read(key))

    # how it is read
    def read(self, key):
        with open(key) as f:
            return f.read()

    def drop(self, key):
        return None


def twice(x):
    return x + x


def gone(x):
    value = x * 3
    return value
P
printf 'from app.store import Store, gone, twice\n\n\ndef use():\n    return Store().load("k"), twice(1), gone(2)\n' >"$r/app/use.py"
printf 'export class Cart {\n  add(item: string) {\n    return item;\n  }\n}\n' >"$r/app/cart.ts"
printf '\000\001binary' >"$r/logo.png"
printf 'x\n' >"$r/node_modules/x/a.py"
printf 'old\n' >"$r/notes.txt"
commit "$r" first
first=$(git -C "$r" rev-parse HEAD)
git -C "$r" tag v1
mkdir "$r/späce dir"
python3 - "$r" <<'P'
import pathlib, sys
r = pathlib.Path(sys.argv[1])
p = r / "app/store.py"
s = p.read_text()
s = s.replace("# how it is read", "# how a key is read").replace("def drop(self, key):", "def forget(self, key):")
s = s.replace("return x + x", "return 2 * x")
s = s[:s.index("def gone")] + "def fresh(a, b):\n    return [a, b]\n"
p.write_text(s)
(r / "logo.png").write_bytes(b"\0\2other binary")
(r / "späce dir/ü.py").write_text("def ünï():\n    return 1\n")
(r / "node_modules/x/a.py").write_text("y\n")
P
git -C "$r" mv app/cart.ts app/basket.ts
git -C "$r" rm -q notes.txt
commit "$r" second
second=$(git -C "$r" rev-parse HEAD)
serve s "$r" --data "$W/d"
ask() { rpc s changes "$1" >"$W/out" || fail "changes $1: $(cat "$W/out")"; }
symbols='[.symbols[] | [.change, .id, .was // "", .start_line]]'

# ---- commits ----
ask '{"limit":50}'
is "base and head" '[.base, .head]' "[\"$first\",\"$second\"]"
is "files" '[.files[] | [.change, .path, .old_path // "", .binary // false]]' \
	'[["renamed","app/basket.ts","app/cart.ts",false],
	["changed","app/store.py","",false],
	["changed","logo.png","",true],
	["changed","node_modules/x/a.py","",false],
	["removed","notes.txt","",false],
	["added","späce dir/ü.py","",false]]'
is "symbols" "$symbols" \
	'[["changed","app/store.py#Store.read","",11],
	["renamed","app/store.py#Store.forget","Store.drop",15],
	["changed","app/store.py#twice","",19],
	["added","app/store.py#fresh","",23],
	["removed","app/store.py#gone","",23],
	["added","späce dir/ü.py#ünï","",1]]'
jq -e '.reasons | any(test("`gone` is removed and still named in 1 file, e.g. app/use.py"))' "$W/out" >/dev/null ||
	fail "who still uses what is gone: $(cat "$W/out")"
cp "$W/out" "$W/default"
for q in '"base":"v1","head":"main"' '"base":"HEAD~1"' "\"base\":\"${first:0:10}\",\"head\":\"$second\""; do
	ask "{$q,\"limit\":50}"
	cmp -s "$W/out" "$W/default" || fail "$q differs: $(cat "$W/out")"
done
ask '{"base":"main","head":"v1","limit":50}'
is "backwards" "$symbols" \
	'[["changed","app/store.py#Store.read","",11],
	["renamed","app/store.py#Store.drop","Store.forget",15],
	["changed","app/store.py#twice","",19],
	["removed","app/store.py#fresh","",23],
	["added","app/store.py#gone","",23],
	["removed","späce dir/ü.py#ünï","",1]]'
ask '{"head":"v1","limit":50}'
is "the first commit" '[.base, .total_files, ([.symbols[] | .change] | unique)]' '[null,6,["added"]]'
git -C "$r" checkout -q -b topic "$first"
printf '\n\ndef topic():\n    return 1\n' >>"$r/app/use.py"
commit "$r" third
git -C "$r" checkout -q main
ask '{"head":"topic","limit":50}'
is "a branch begins where it left the default one" "[.base, $symbols]" "[\"$first\",[[\"added\",\"app/use.py#topic\",\"\",8]]]"
ok "ranges of commits, whichever commit is indexed"

# ---- diffs ----
diff_of() { jq -n --rawfile d "$1" '{diff: $d, limit: 50}' >"$W/q"; ask "$(cat "$W/q")"; }
python3 - "$r" <<'P'
import pathlib, sys
r = pathlib.Path(sys.argv[1])
p = r / "app/store.py"
p.write_text(p.read_text().replace("    def load(self, key):\n", "    def load(self, key):\n        key = str(key)\n"))
(r / "new file.py").write_text("def brand_new():\n    pass\n")
(r / "app/use.py").unlink()
P
git -C "$r" add -A
git -C "$r" diff --cached >"$W/diff"
diff_of "$W/diff"
is "symbols of a diff" "$symbols" \
	'[["changed","app/store.py#Store.load","",7],["removed","app/use.py#use","",4],["added","new file.py#brand_new","",1]]'
is "no commits" '[.base, .head]' '[null,null]'
git -C "$r" diff --cached -U0 >"$W/diff"
diff_of "$W/diff"
is "without context" '.total_symbols' 3
git -C "$r" diff --cached --no-prefix >"$W/diff"
diff_of "$W/diff"
is "without prefixes" '.total_symbols' 3
grep -vE '^(diff|index|new|deleted)' "$W/diff" >"$W/bare"
diff_of "$W/bare"
is "of other programs" '.total_symbols' 3
git -C "$r" reset -q --hard
git -C "$r" mv app/basket.ts app/cart.ts
chmod +x "$r/app/use.py"
git -C "$r" diff HEAD -M >"$W/diff"
diff_of "$W/diff"
is "files without lines" '[.files[] | [.change, .path]]' '[["renamed","app/cart.ts"],["changed","app/use.py"]]'
git -C "$r" reset -q --hard
bad() {
	jq -n --arg d "$1" '{diff: $d, limit: 5}' >"$W/q"
	if rpc s changes "$(cat "$W/q")" >"$W/out"; then fail "accepted: $1"; fi
	is "code of: $1" .error.code '"INVALID_INPUT"'
	jq -r .error.message "$W/out" | grep -q "$2" || fail "the message lacks $2: $(cat "$W/out")"
}
bad 'hello' 'not a unified diff'
bad "$(sed 's/json.loads/json.other/' <<<'diff --git a/app/store.py b/app/store.py
--- a/app/store.py
+++ b/app/store.py
@@ -8,1 +8,1 @@
-        return json.loads(nothing)
+        return 1')" 'line 8 of app/store.py'
bad 'diff --git a/nowhere.py b/nowhere.py
--- a/nowhere.py
+++ b/nowhere.py
@@ -1,1 +1,1 @@
-a
+b' nowhere.py
for q in '"base":"nope"' '"head":"nope"' '"base":"--all"' '"head":""' ; do
	[ "$q" != '"head":""' ] || continue
	if rpc s changes "{$q,\"limit\":5}" >"$W/out"; then fail "$q"; fi
	is "code of $q" .error.code '"INVALID_INPUT"'
	jq -r .error.message "$W/out" | grep -qE 'nope|--all' || fail "$q is named: $(cat "$W/out")"
done
ok "diffs from the caller; text that is no diff, or fits no file, is refused with its name"

# ---- large ones ----
python3 -c 'for i in range(3000): print(f"def f{i}():\n    return {i}\n")' >"$r/big.py"
mkdir "$r/many"
for i in $(seq 450); do printf 'def g%d():\n    return %d\n' "$i" "$i" >"$r/many/f$i.py"; done
commit "$r" large
ask '{"base":"HEAD~1","head":"HEAD","limit":10}'
is "bounded" '[(.symbols | length), (.files | length), .total_files]' '[10,10,451]'
[ "$(jq .total_symbols "$W/out")" -gt 3000 ] || fail "not all symbols are counted: $(jq .total_symbols "$W/out")"
jq -e '.reasons | any(test("files were too many"))' "$W/out" >/dev/null || fail "the answer does not say what was left out: $(jq -c .reasons "$W/out")"
ok "large changes are limited, and say so"
stop s
