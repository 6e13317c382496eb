#!/bin/bash
# Rows of the reference document that are not about jobs (see 44-jobs and 46-fallback-table for those): collection names, file
# filter, extensions, chunk size, k and threshold.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
mkdir -p "$W/a"
python3 - "$W/a" <<'PY'
import os, sys
root = sys.argv[1]
def put(path, text):
    os.makedirs(os.path.dirname(f"{root}/{path}") or root, exist_ok=True)
    open(f"{root}/{path}", "wb").write(text if isinstance(text, bytes) else text.encode())
for path in ["main.py", "node_modules/x/index.py", "dist/out.py", "a/dist/out.py", "__pycache__/c.py", ".hidden/h.py", ".dot.py"]:
    put(path, "def f():\n    return 1\n")
put("web/app.js", "function app() { return 1; }\n")
put("web/app.min.js", "function app(){return 1}\n")
put("web/app.min.css", "a{b:c}\n")
put("web/app.ts", "export function typed(): number { return 1; }\n")
put("svc/main.go", "package main\n\nfunc serve() int { return 1 }\n")
put("svc/Main.java", "class Main { int run() { return 1; } }\n")
put("data.bin", bytes(range(256)) * 8)
put("binary.py", b"x = 1\n" + bytes(range(256)) * 8)
put("long.py", "def long_one():\n" + "".join(f"    step_{i} = compute_the_thing({i})\n" for i in range(200)))
put("many.py", "".join(f"def thing_{i}(value):\n    \"\"\"Handle thing {i}.\"\"\"\n    return value + {i}\n\n\n" for i in range(30)))
PY
git init -q -b main "$W/a"
git -C "$W/a" remote add origin git@github.com:owner/repo.git
git -C "$W/a" add -A -f
commit "$W/a" all
git init -q -b main "$W/b"
git -C "$W/b" remote add origin https://github.com/owner/other-repo/
echo 'x = 1' >"$W/b/x.py"
commit "$W/b" one
up --group g "$W/a" "$W/b"
ready g 2
vectors() { call list_repos | jq -e '[.repos[] | select(.vectors == "complete")] | length == 2'; }
wait_for 30 vectors

# ---- 3. Collection Naming Convention (the hashes of design.md)
same "collections" "$(call list_repos | jq -c '[.repos[] | .collection] | sort')" '["repo_d7606d02f5e08d7c","repo_d95e6ef02e1f4579"]'
for url in https://github.com/owner/repo https://github.com/owner/repo/ https://github.com/owner/repo.git; do
	same "$url" "$(call list_repos "{\"repo_uri\":\"$url\"}" | jq -r '.repos[].collection')" repo_d7606d02f5e08d7c
done
ok "collection_name: the same for a URL with and without slash and .git; different for another repository"

# ---- 6. File Filter, Supported Languages
indexed=$(python3 - "$W"/data/repo_d7606d02f5e08d7c/index-*.db <<'PY'
import sqlite3, sys
print(*[r[0] for r in sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute("select path from files order by path")], sep="\n")
PY
)
in_index() { echo "$indexed" | grep -qx "$1"; }
for f in main.py web/app.js web/app.ts svc/main.go svc/Main.java; do in_index $f ||
	fail "SUPPORTED_EXTENSIONS: $f is indexed: $indexed"; done
for f in node_modules/x/index.py dist/out.py a/dist/out.py __pycache__/c.py; do ! in_index $f || fail "EXCLUDE_DIRS: $f"; done
! in_index .hidden/h.py || fail "hidden directories are indexed"
in_index .dot.py || fail "a hidden source file is not indexed"
for f in web/app.min.js web/app.min.css; do ! in_index $f || fail "EXCLUDE_FILENAME_PATTERNS: $f"; done
for f in data.bin binary.py; do ! in_index $f || fail "binary files: $f"; done
ok "_should_index: extensions, excluded and hidden folders, minified and binary files"

# ---- 6. Language-Aware Chunking
call search_code '{"repo":"owner/repo","query":"long_one compute_the_thing"}' >"$W/r"
jq -e '.results[0].path == "long.py" and ([.results[].snippet | length] | max) <= 1000' "$W/r" >/dev/null ||
	fail "chunk_size: $(jq -c '[.results[] | [.path, (.snippet | length)]]' "$W/r")"
ok "chunk_size=1000: no hit has a longer text"

# ---- 5. codebase_retriever Instantiation
same "k" "$(call search_code '{"repo":"owner/repo","query":"thing"}' | jq '.results | length')" 8
far='"repo":"owner/repo","query":"rotate the certificates of the mail server","mode":"vector","topK":100'
call search_code "{$far}" >"$W/near"
call search_code "{$far,\"minScore\":0.01}" >"$W/all"
jq -e '[.results[].score] | all(. >= 0.3)' "$W/near" >/dev/null || fail "score_threshold: $(jq -c '[.results[].score]' "$W/near")"
jq -e '[.results[].score] | any(. < 0.3)' "$W/all" >/dev/null || fail "no score is below the threshold: $(jq -c '[.results[].score]' "$W/all")"
ok "k=8, score_threshold=0.3"
