#!/bin/bash
# Every id that an answer shows can be asked for, and names the same thing: fourteen repositories of many languages, one of them with
# names that are hard to take apart.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/tests/shard.sh"
for language in cpp csharp css_html elixir go java kotlin markdown python ruby rust typescript yaml_sql; do
	mkdir -p "$W/r/$language"
	git init -q -b main "$W/r/$language"
	for folder in ${language//_/ }; do
		[ -d "$ROOT/tests/golden/$folder" ] && cp -R "$ROOT/tests/golden/$folder" "$W/r/$language/"
	done
	find "$W/r/$language" -name 'expected*' -delete
	commit "$W/r/$language" first
done
python3 "$ROOT/tests/odd_names.py" "$W/r/odd"
git init -q -b main "$W/r/odd"
commit "$W/r/odd" first
up --group g "$W"/r/*
ready g "$(ls "$W/r" | wc -l)"
call group_sync '{"group":"g"}' >/dev/null
python3 "$ROOT/tests/ids.py" --few 8 >"$W/ids.log" || fail "$(cat "$W/ids.log")"
ok "every id can be asked for: $(cat "$W/ids.log")"

# ---- what is meant by a text that is no id ----
context() { call context "{\"repo\":\"odd\",\"symbol\":$1}" >"$W/out"; }
context '"Release 1.2.3.v1.0 \"quoted\" code"'
is "a qualified name with dots in it" '[.target.path, .target.name]' '["README.md","v1.0 \"quoted\" code"]'
context '"C# and F"'
is "a heading with #" .target.name '"C# and F"'
context '"a#b.md"'
is "a path with #" '[.target.kind, .target.id]' '["file","a#b.md"]'
context '"build"'
is "the path of a file that is also the name of functions" '[.target.kind, .target.id, (.total > 1)]' '["file","build",true]'
call context '{"repo":"odd","symbol":"build","kind":"function","path":"x.sh"}' >"$W/out"
is "the function" .target.id '"x.sh#build"'
ok "names may contain what separates names"
