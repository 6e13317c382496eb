#!/bin/bash
# A question that names a file, or a line of it, gets that first; a word with * matches every word with that prefix.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

python3 - "$W" <<'PY'
import os, sys
w = sys.argv[1]
def write(path, text):
    os.makedirs(os.path.dirname(w + "/" + path), exist_ok=True)
    open(w + "/" + path, "w").write(text)
write("web/src/shop/app.py", "import os\n\n\nclass App:\n    def run(self):\n        return 1\n\n    def stop(self):\n" +
    "".join(f"        step({i})\n" for i in range(300)) + "\n\ndef load_users():\n    return App()\n")
write("web/tests/app.py", "def test_app():\n    pass\n")
write("web/src/shop/users.py", "from shop.app import load_users\n\n\ndef load_user_by_id(i):\n    return load_users()[i]\n\n\ndef load(us):\n    return us\n")
write("api/src/main.go", 'package main\n\n// app py src shop: words of paths\nfunc app_src_shop_py() string {\n\treturn "src/shop/app.py app py"\n}\n')
write("api/src/app.pyx.txt", "app py src shop\n" * 5)
write("api/load.js", "function loadUsers() {\n  return [];\n}\n\nfunction unload() {\n  return 'usual load';\n}\n")
PY
for n in web api; do
	git init -q -b main "$W/$n"
	git -C "$W/$n" remote add origin "https://git.example.com/named/$n.git"
	commit "$W/$n" one
done
up --group g "$W/web" "$W/api"
ready g 2
vectors() { call group_status '{"group":"g"}' | jq -e 'all(.repos[]; .vectors == "complete")'; }
wait_for 30 vectors

first() { call group_query "$(jq -n --arg q "$1" '{group: "g", query: $q}')" >"$W/r"; jq -c '.results[0] | [.repo, .path, .symbol, .start_line]' "$W/r"; }
for q in src/shop/app.py ./src/shop/app.py /src/shop/app.py shop/app.py SRC/shop/App.py 'src/shop/app.py, please'; do
	case $q in *please*) continue ;; esac
	same "$q" "$(first "$q")" '["named/web","src/shop/app.py",null,1]'
done
jq -e '.results[0].sources | index("path")' "$W/r" >/dev/null || fail "sources: $(jq -c '.results[0]' "$W/r")"
same "code before tests" "$(first app.py)" '["named/web","src/shop/app.py",null,1]'
same "query" "$(call query '{"repo":"web","query":"src/shop/app.py"}' |
	jq -c '.results[0] | [.id, .name, .kind, .path, .start_line, .end_line]')" \
	"[\"src/shop/app.py\",\"app.py\",\"file\",\"src/shop/app.py\",1,$(wc -l <"$W/web/src/shop/app.py")]"
same "its file" "$(call query '{"repo":"web","query":"shop/app.py","granularity":"file"}' | jq -r '.results[0].path')" src/shop/app.py
same "search_code" "$(call search_code '{"repo":"web","query":"src/shop/app.py"}' | jq -r '.results[0].path')" src/shop/app.py
ok "a named file comes first"

# in quotes it is text like any other
for by in symbol file; do
	call group_query "$(jq -n --arg by $by '{group: "g", query: "\"src/shop/app.py\"", granularity: $by}')" >"$W/r"
	same "quoted, by $by" "$(jq -c '[(.results + (.similar // []))[] | [.repo, .path]]' "$W/r")" '[["named/api","src/main.go"]]'
	call group_query "$(jq -n --arg by $by '{group: "g", query: "\"words of paths\" app.py:5", granularity: $by}')" >"$W/r"
	same "a quote beside a line, by $by" "$(jq -c '[(.results + (.similar // []))[] | .path] | unique' "$W/r")" '["src/main.go"]'
done
ok "a quoted path finds the texts that hold it, not the file"

for q in app.py:5 src/shop/app.py:5 src/shop/app.py:5:9 src/shop/app.py:5-6 'src/shop/app.py#L5'; do
	same "$q" "$(first "$q")" '["named/web","src/shop/app.py","App.run",5]'
done
same "the definition" "$(first app.py:200)" '["named/web","src/shop/app.py","App.stop",8]'
jq -e '.results[0] | .snippet_start_line < 200 and .snippet_end_line > 200 and (.snippet | contains("step(191)"))' "$W/r" >/dev/null ||
	fail "the lines around: $(jq -c '.results[0]' "$W/r")"
line=$(grep -n 'def load_users' "$W/web/src/shop/app.py" | cut -d: -f1)
same "in a question" "$(first 'which function of src/shop/app.py loads the users')" "[\"named/web\",\"src/shop/app.py\",\"load_users\",$line]"
ok "a named line is shown with its definition"

# words that are no files do not disturb
for q in 'os.path' 'GET /src/shop' 'a::b' 'e.g. users' '1.2' 'http://x.example/app.py?x=1' 'x*' 'a*b' 'src/*.py'; do
	call group_query "$(jq -n --arg q "$q" '{group: "g", query: $q}')" >"$W/r"
	jq -e '.complete' "$W/r" >/dev/null || fail "$q: $(cat "$W/r")"
done
for q in '*' '**'; do
	if atoll call group_query "{\"group\":\"g\",\"query\":\"$q\"}" >"$W/r"; then fail "$q: $(cat "$W/r")"; fi
	same "$q" "$(jq -r .error.code "$W/r")" INVALID_INPUT
done

# ---- load_us*: names with that prefix, and no similar ones ----
for mode in lexical hybrid; do
	call group_query "{\"group\":\"g\",\"query\":\"load_us*\",\"mode\":\"$mode\"}" >"$W/r"
	same "load_us* $mode" "$(jq -c '[.results[].symbol] | .[0:2] | sort' "$W/r")" '["load_user_by_id","load_users"]'
	jq -e 'all(.results[]; .snippet | test("load_us"))' "$W/r" >/dev/null || fail "load_us*: $(jq -c '[.results[] | [.path, .symbol]]' "$W/r")"
done
same "in one repository" "$(call query '{"repo":"web","query":"load_us*"}' |
	jq -c '[.results[].name] | .[0:2] | sort')" '["load_user_by_id","load_users"]'
same "another case" "$(first 'loadUs*')" '["named/api","load.js","loadUsers",1]'
same "nothing" "$(call group_query '{"group":"g","query":"zebr*"}' | jq -c .results)" "[]"
same "with a word" "$(first 'load_us* id')" "$(first 'load_user_by_id')"
ok "a word with * matches all with that prefix"
