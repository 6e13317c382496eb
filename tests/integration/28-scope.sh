#!/bin/bash
# The scope tools as their reference documents them: scopes, repo, open_file's rules, what the answers say of themselves.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

for n in alpha beta; do
	mkdir -p "$W/$n/apps/indexer" "$W/$n/docs"
	git init -q -b main "$W/$n"
	git -C "$W/$n" remote add origin "https://git.example.com/team/repo-$n.git"
	printf 'def find_%s_store(name):\n    """Find a vector store by its name."""\n    return name\n' $n >"$W/$n/apps/indexer/store.py"
	printf '# Store\n\nThe vector store of %s.\n' $n >"$W/$n/docs/store.md"
	printf 'a\000b\n' >"$W/$n/docs/picture.py"
	commit "$W/$n" one
done
up --group g "$W/alpha" "$W/beta"
ready g 2

refused() {	# refused CODE TOOL JSON: the envelope, in $W/r
	if atoll call "$2" "$3" >"$W/r"; then fail "$2 $3: $(cat "$W/r")"; fi
	same "code of $2 $3" "$(jq -r .error.code "$W/r")" "$1"
}

# ---- open_file: nothing but text of the repository ----
open() { jq -n --arg p "$1" '{repo: "repo-alpha", path: $p}'; }
for p in /etc/passwd //etc/passwd '\etc' '\\host\share' 'C:\Windows' C:/x c:x .. ../beta/docs/store.md docs/../../beta/docs/store.md 'docs\..\..\x' \
	'..\x' %2e%2e/x %2E%2E%2fx ..%2fx docs%2f..%2f..%2fx %252e%252e/x %2fetc/passwd %5c..%5cx docs/.. ''; do
	refused INVALID_INPUT open_file "$(open "$p")"
	grep -q '`path`' "$W/r" || fail "$p: the field is named: $(cat "$W/r")"
done
refused INVALID_INPUT open_file '{"repo":"repo-alpha","path":"docs/store.md\u0000.py"}'
refused INVALID_INPUT open_file "$(open docs/picture.py)"
grep -q 'binary' "$W/r" || fail "a binary file: $(cat "$W/r")"
refused INVALID_INPUT open_file "$(open docs)"
jq -e '.error.hint | test("store.md")' "$W/r" >/dev/null || fail "what is in a folder: $(cat "$W/r")"
refused NOT_FOUND open_file "$(open docs/stores.md)"
jq -e '.error.hint | test("docs/store.md")' "$W/r" >/dev/null || fail "a near path: $(cat "$W/r")"
refused INVALID_INPUT open_file '{"path":"docs/store.md"}'
refused INVALID_INPUT open_file '{"repo":"repo-alpha","path":"docs/store.md","startLine":3,"endLine":2}'
refused INVALID_INPUT open_file '{"repo":"repo-alpha","path":"docs/store.md","startLine":4}'
refused INVALID_INPUT open_file '{"repo":"repo-alpha","path":"docs/store.md","startLine":-1}'
for p in docs/store.md ./docs/store.md docs//store.md; do
	same "$p" "$(call open_file "$(open $p | jq -c '. + {startLine: 3, endLine: 99}')" | jq -c '[.repo, .repo_uri, .path, .startLine, .endLine, .totalLines, .content]')" \
		'["team/repo-alpha","git.example.com/team/repo-alpha","docs/store.md",3,3,3,"The vector store of alpha.\n"]'
done
ok "open_file opens text of its repository, and nothing else"
