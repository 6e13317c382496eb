#!/bin/bash
# The scope tools as their reference documents specify them: scopes, repo, the rules of open_file, the metadata of answers.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

for n in alpha beta gamma; do
	mkdir -p "$W/root/repo-$n/apps/indexer" "$W/root/repo-$n/docs"
	git init -q -b main "$W/root/repo-$n"
	git -C "$W/root/repo-$n" remote add origin "https://git.example.com/team/$n.git"
	printf 'def find_%s_store(name):\n    """Find a vector store by its name."""\n    return name\n' $n >"$W/root/repo-$n/apps/indexer/store.py"
	printf '# Store\n\nThe vector store of %s.\n' $n >"$W/root/repo-$n/docs/store.md"
	printf 'a\000b\n' >"$W/root/repo-$n/docs/picture.py"
	commit "$W/root/repo-$n" one
done
mkdir "$W/root/no-repository" "$W/single"
git init -q -b main "$W/single/own"
printf 'def find_own_store():\n    return 1\n' >"$W/single/own/own.py"
printf '%s\nend\n' "$(seq -s ' ' 20000)" >"$W/single/own/wide.txt"
commit "$W/single/own" one

# ---- repositories by folder: <CODEBASE_ROOT>/<repo>, and REPO_ROOT ----
export CODEBASE_ROOT="$W/root" REPO_ROOT="$W/single/own"
up --group g
ready g 4
unset CODEBASE_ROOT REPO_ROOT
same "repositories" "$(call list_repos | jq -c '[.repos[].repo_uri] | sort | map(sub("local:.*"; "local"))')" \
	'["git.example.com/team/alpha","git.example.com/team/beta","git.example.com/team/gamma","local"]'
for repo in repo-alpha alpha team/alpha; do
	same "by $repo" "$(call open_file "{\"repo\":\"$repo\",\"path\":\"docs/store.md\",\"startLine\":3}" | jq -c '[.repo, .content]')" \
		"[\"$repo\",\"The vector store of alpha.\\n\"]"
done
same "by its repo_uri" "$(call open_file '{"repo_uri":"git.example.com/team/alpha","path":"docs/store.md"}' | jq -c '[.repo, .repo_uri]')" '["team/alpha","git.example.com/team/alpha"]'
same "by its repo_uri as repo" "$(call open_file '{"repo":"https://git.example.com/team/alpha.git","path":"docs/store.md"}' | jq -c '[.repo, .repo_uri]')" '["team/alpha","git.example.com/team/alpha"]'
same "REPO_ROOT" "$(call open_file '{"repo":"own","path":"own.py","endLine":1}' | jq -r .content)" "def find_own_store():"
ok "repositories can be called by their folders too"

# ---- a folder that becomes a repository, and one that is put into CODEBASE_ROOT later ----
printf 'def late():\n    return 1\n' >"$W/root/no-repository/late.py"
git init -q -b main "$W/root/no-repository"
git -C "$W/root/no-repository" remote add origin https://git.example.com/team/late.git
git init -q -b main "$W/single/moved"
printf 'def moved():\n    return 1\n' >"$W/single/moved/moved.py"
git -C "$W/single/moved" remote add origin https://git.example.com/team/moved.git
commit "$W/single/moved" one
mv "$W/single/moved" "$W/root/moved"
joined() { call group_status '{"group":"g"}' | jq -e "[.repos[] | select(.status == \"ready\") | .name] | index(\"$1\")"; }
wait_for 30 joined team/moved
joined team/late && fail "a repository without a commit has joined"
commit "$W/root/no-repository" one
wait_for 30 joined team/late
for r in late moved; do call repo_remove "{\"repo\":\"$r\"}" >/dev/null; done
ok "repositories that are put into CODEBASE_ROOT join"

call open_file '{"repo":"own","path":"wide.txt"}' >"$W/first"
same "a long line" "$(jq -c '[.endLine, .totalLines, .truncated, .nextByte]' "$W/first")" "[1,2,true,65536]"
call open_file "$(jq -c '{repo: "own", path, startLine: .endLine, startByte: .nextByte}' "$W/first")" >"$W/rest"
same "its rest" "$(jq -j .content "$W/first" "$W/rest" | sha256sum)" "$(sha256sum <"$W/single/own/wide.txt")"
same "and no more" "$(jq -c '[.startLine, .endLine, .truncated, .nextByte]' "$W/rest")" "[1,2,null,null]"
ok "open_file reads on within a line"

call group_status '{"group":"g"}' >"$W/r"
jq -e '.repos[] | select(.name == "team/alpha") | .skipped | any(.files == 1 and .example == "docs/picture.py")' "$W/r" >/dev/null || fail "what the index leaves out: $(jq -c '[.repos[].skipped]' "$W/r")"
ok "agents see what an index leaves out"

refused() {	# refused CODE TOOL JSON: the envelope, in $W/r
	if atoll call "$2" "$3" >"$W/r"; then fail "$2 $3: $(cat "$W/r")"; fi
	same "code of $2 $3" "$(jq -r .error.code "$W/r")" "$1"
}

# ---- open_file: only text of the repository ----
open() { jq -n --arg p "$1" '{repo: "repo-alpha", path: $p}'; }
for p in /etc/passwd //etc/passwd '\etc' '\\host\share' 'C:\Windows' C:/x c:x .. ../repo-beta/docs/store.md docs/../../repo-beta/docs/store.md 'docs\..\..\x' \
	'..\x' %2e%2e/x %2E%2E%2fx ..%2fx docs%2f..%2f..%2fx %252e%252e/x %2fetc/passwd %5c..%5cx docs/.. ''; do
	refused INVALID_INPUT open_file "$(open "$p")"
	grep -q '`path`' "$W/r" || fail "$p: the field is not named: $(cat "$W/r")"
done
refused INVALID_INPUT open_file '{"repo":"repo-alpha","path":"docs/store.md\u0000.py"}'
refused INVALID_INPUT open_file "$(open docs/picture.py)"
grep -q 'binary' "$W/r" || fail "a binary file: $(cat "$W/r")"
refused INVALID_INPUT open_file "$(open docs)"
jq -e '.error.hint | test("store.md")' "$W/r" >/dev/null || fail "the error does not list the folder: $(cat "$W/r")"
refused NOT_FOUND open_file "$(open docs/stores.md)"
jq -e '.error.hint | test("docs/store.md")' "$W/r" >/dev/null || fail "no similar path: $(cat "$W/r")"
refused INVALID_INPUT open_file '{"path":"docs/store.md"}'
refused INVALID_INPUT open_file '{"repo":"repo-alpha","path":"docs/store.md","startLine":3,"endLine":2}'
refused INVALID_INPUT open_file '{"repo":"repo-alpha","path":"docs/store.md","startLine":4}'
refused INVALID_INPUT open_file '{"repo":"repo-alpha","path":"docs/store.md","startLine":-1}'
for p in docs/store.md ./docs/store.md docs//store.md; do
	same "$p" "$(call open_file "$(open $p | jq -c '. + {startLine: 3, endLine: 99}')" |
		jq -c '[.repo, .repo_uri, .path, .startLine, .endLine, .totalLines, .content]')" \
		'["repo-alpha","git.example.com/team/alpha","docs/store.md",3,3,3,"The vector store of alpha.\n"]'
done
ok "open_file opens only text of its repository"

# ---- scope: of three types; it wins over repo ----
search() { call search_code "$1" >"$W/r"; }
search '{"scope":{"type":"repo","repo":"repo-alpha"},"query":"find store"}'
same "one" "$(jq -c '[.meta.scope, ([.results[].repo] | unique), .meta.topK, .meta.pathPrefix]' "$W/r")" \
	'[{"type":"repo","repos":["repo-alpha"]},["repo-alpha"],8,null]'
same "the same by repo" "$(call search_code '{"repo":"repo-alpha","query":"find store"}' |
	jq -cS 'del(.took_ms)')" "$(jq -cS 'del(.took_ms)' "$W/r")"
same "collection" "$(jq -r .meta.collection "$W/r")" "$(call list_repos | jq -r '.repos[] | select(.name == "team/alpha").collection')"
search '{"scope":{"type":"repos","repos":["gamma","git@git.example.com:team/alpha.git","alpha"]},"repo":"no-such","query":"find store","topK":3}'
same "two" "$(jq -c '[.meta.scope, ([.results[].repo] | unique), .meta.topK, (.results | length)]' "$W/r")" \
	'[{"type":"repos","repos":["alpha","gamma"]},["alpha","gamma"],3,3]'
jq -e '.meta.collection | test("^repo_[0-9a-f]{16},repo_[0-9a-f]{16}$")' "$W/r" >/dev/null || fail "collections: $(jq -c .meta "$W/r")"
jq -e 'all(.results[]; .score > 0 and .score <= 1 and .startLine >= 1 and .endLine >= .startLine and (.snippet | length > 0))' "$W/r" >/dev/null ||
	fail "results: $(cat "$W/r")"
jq -e ".results[0].score > 0.5" "$W/r" >/dev/null || fail "the score of the best hit: $(cat "$W/r")"
call search_code '{"repo":"repo-alpha","query":"find store","mode":"lexical"}' | jq -e ".results[0].score == 1" >/dev/null ||
	fail "by words the best has score 1"
call ask_code '{"scope":{"type":"repos","repos":["alpha","beta"]},"query":"find store","topK":5,"minScore":0.25}' >"$W/r"
same "ask" "$(jq -c '[.meta.scope, .meta.topK, .meta.minScore, ([.evidences[].repo] | unique)]' "$W/r")" \
	'[{"type":"repos","repos":["alpha","beta"]},5,0.25,["alpha","beta"]]'
jq -e '.meta | has("llmModel") and has("totalMatches") and has("contextsUsed") and has("elapsedMs") and has("collection")' "$W/r" >/dev/null ||
	fail "meta: $(jq -c .meta "$W/r")"
ok "scopes of one and of several repositories"

for t in search_code ask_code; do
	refused FORBIDDEN $t '{"scope":{"type":"all"},"query":"store"}'
	jq -e '.error.hint | test("ALLOW_GLOBAL_SCOPE=true")' "$W/r" >/dev/null || fail "the hint: $(cat "$W/r")"
	refused INVALID_INPUT $t '{"scope":{"type":"repos","repos":[]},"query":"store"}'
	refused INVALID_INPUT $t '{"scope":{"type":"repos"},"repo":"alpha","query":"store"}'
	refused INVALID_INPUT $t '{"scope":{"type":"repo"},"repo":"alpha","query":"store"}'
	refused INVALID_INPUT $t '{"scope":{"type":"some","repo":"alpha"},"query":"store"}'
	grep -q 'repo.*repos.*all' "$W/r" || fail "the types are not named: $(cat "$W/r")"
	refused INVALID_INPUT $t '{"scope":{"repo":"alpha"},"query":"store"}'
	refused NOT_FOUND $t '{"scope":{"type":"repos","repos":["alpha","alpah"]},"query":"store"}'
	grep -q 'alpah.*team/alpha' "$W/r" || fail "the unknown repository and a similar one are not named: $(cat "$W/r")"
	refused AMBIGUOUS_REPO $t '{"query":"store"}'
	for n in -0.1 1.5; do
		refused INVALID_INPUT $t "{\"repo\":\"alpha\",\"query\":\"store\",\"minScore\":$n}"
		grep -q '`minScore`' "$W/r" || fail "minScore is not named: $(cat "$W/r")"
	done
done
ok "invalid scopes are refused"

# ---- filters apply before the page is cut ----
for p in docs/ ./docs/ /docs; do
	search "{\"repo\":\"alpha\",\"query\":\"store\",\"topK\":1,\"pathPrefix\":\"$p\"}"
	same "pathPrefix $p" "$(jq -c '[.results[].path, .meta.pathPrefix]' "$W/r")" "[\"docs/store.md\",\"$p\"]"
done
same "a prefix of no file is told" "$(for t in 'search_code {"repo":"alpha","query":"store","pathPrefix":"/nothing"}' 'query {"repo":"alpha","query":"store","path_prefix":"nothing/"}' 'group_query {"group":"g","query":"store","path_prefix":"nothing"}'; do
	call ${t%% *} "${t#* }" | jq -c '[(.results | length), (.hint // "" | test("begins with `nothing"))]'; done | sort -u)" "[0,true]"
same "no word is none of its business" "$(call query '{"repo":"alpha","query":"store","path_prefix":"docs","kinds":["macro"]}' | jq -c '[(.results | length), .hint]')" "[0,null]"
same "none" "$(call search_code '{"repo":"alpha","query":"store","pathPrefix":"nothing/"}' | jq -c .results)" "[]"
search '{"repo":"alpha","query":"find_alpha_store","minScore":1,"mode":"lexical"}'
same "minScore" "$(jq -c '[.results[].path]' "$W/r")" '["apps/indexer/store.py"]'
for m in lexical vector hybrid; do
	everything="\"scope\":{\"type\":\"repos\",\"repos\":[\"alpha\",\"beta\"]},\"query\":\"how is the store found\",\"mode\":\"$m\",\"topK\":100"
	search "{$everything,\"minScore\":0.0001}"
	jq -e '[.results[].score] | length > 2 and . == (sort | reverse) and .[0] > .[-1]' "$W/r" >/dev/null || fail "$m: not in the order of the scores: $(jq -c '[.results[].score]' "$W/r")"
	n=$(jq '.results | length' "$W/r") least=$(jq '.results[0].score' "$W/r")
	search "{$everything,\"minScore\":$least}"
	jq -e --argjson n "$n" --argjson least "$least" '(.results | length > 0 and length < $n and all(.score >= $least))
		and .meta.minScore == $least and .meta.droppedByMinScore == $n - (.results | length)' "$W/r" >/dev/null || fail "$m: minScore $least of $n: $(cat "$W/r")"
done
call group_query '{"group":"g","query":"store","languages":["markdown"],"limit":3}' >"$W/r"
same "languages" "$(jq -c '[.results[].path] | unique' "$W/r")" '["docs/store.md"]'
same "as many as asked for" "$(jq '.results | length' "$W/r")" 3
call group_query '{"group":"g","query":"store","kinds":["function"],"path_prefix":"./apps","repos":["beta","gamma"],"languages":["python"]}' >"$W/r"
same "all filters" "$(jq -c '[.results[] | [.repo, .symbol]] | sort' "$W/r")" '[["beta","find_beta_store"],["gamma","find_gamma_store"]]'
call group_query '{"group":"g","query":"store","granularity":"file"}' >"$W/r"
same "files" "$(jq -c '[.results[] | .repo + " " + .path] | [length, (unique | length)]' "$W/r")" '[7,7]'
same "query: languages and prefix" "$(call query '{"repo":"alpha","query":"store","languages":["markdown"],"path_prefix":"docs"}' | jq -c '[.results[].path] | unique')" \
	'["docs/store.md"]'
for f in '"kinds":["functoin"]' '"languages":["pyton"]' '"granularity":"line"' '"fusion":"best"' '"mode":"magic"'; do
	refused INVALID_INPUT group_query "{\"group\":\"g\",\"query\":\"store\",$f}"
	field=$(cut -d'"' -f2 <<<"$f") value=$(cut -d'"' -f4 <<<"$f")
	jq -e --arg f "\`$field\`" --arg v "$value" '.error.message | contains($f) and contains($v)' "$W/r" >/dev/null || fail "$f: $(cat "$W/r")"
	case $field in
	kinds) grep -q 'function, ' "$W/r" ;;
	languages) grep -q 'markdown' "$W/r" && grep -q python "$W/r" ;;
	granularity) grep -q 'symbol.*file' "$W/r" ;;
	fusion) grep -q 'rrf.*weighted.*per_repo' "$W/r" ;;
	mode) grep -q 'lexical.*hybrid' "$W/r" ;;
	esac || fail "$f: the valid values are not named: $(cat "$W/r")"
done
refused INVALID_INPUT query '{"repo":"alpha","query":"store","languages":["pyton"]}'
refused NOT_FOUND group_query '{"group":"g","query":"store","repos":["alpah"]}'
ok "filters are checked and applied before the page is cut"

# ---- scope all: only with exactly `true` ----
forbidden() {	# forbidden VALUE: yes or no
	rm -f "$W/url"
	start alone env ALLOW_GLOBAL_SCOPE="$1" "$BIN/atoll-coordinator" --data "$W/alone" --http 127.0.0.1:0 \
		--listen "ipc://$W/alone.sock" --ready-file "$W/url"
	wait_for 10 test -s "$W/url"
	ATOLL_URL=$(cat "$W/url") "$BIN/atoll" call search_code '{"scope":{"type":"all"},"query":"x"}' >"$W/r" || true
	stop alone
	same "ALLOW_GLOBAL_SCOPE=$1" "$(jq -r .error.code "$W/r")" "$2"
}
for v in '' 1 yes TRUE false nonsense; do forbidden "$v" FORBIDDEN; done
forbidden true NO_INDEX		# it has no repository
ok "only the word true permits scope all"
