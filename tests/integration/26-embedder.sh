#!/bin/bash
# Vectors from an API: it embeds documents and questions; if it fails, lexical search continues and the answer gives the reason.
. "$(dirname "$0")/../lib.sh"

mkdir "$W/repo"
cd "$W/repo"
git init -q .
printf 'def load_users(path):\n    """Read all accounts of a file."""\n    return open(path).read()\n' >users.py
printf 'def draw_chart(values):\n    return [v * 2 for v in values]\n' >chart.py
git add .
git -c user.name=t -c user.email=t@t commit -qm users

cd "$ROOT"
api_server
search_ms=$((3000 * slow))	# what is slow takes it all
export ATOLL_EMBEDDER=http ATOLL_EMBED_MODEL=tiny ATOLL_EMBED_KEY_FILE="$W/key" ATOLL_EMBED_QUERY_PREFIX="find: " ATOLL_EMBED_DOCUMENT_PREFIX="code: "

state() { call group_status '{"group":"g"}' | jq -r ".repos[0].$1 // empty"; }
state_is() { [[ $(state "$1") == *"$2"* ]]; }
# search QUESTION [MODE]: the answer in $W/answer
search() { "$BIN/atoll" call search_code "$(jq -n --arg q "$1" --arg m "${2:-hybrid}" '{query: $q, mode: $m}')" >"$W/answer" 2>&1 || true; }
field() { jq -r "$1" "$W/answer"; }

# Another dimension than the index has: no vectors, but lexical search works.
export ATOLL_EMBED_URL="$api/wrong-dimension" ATOLL_EMBED_DIMENSION=64
up --group g "$W/repo"
ready g 1
wait_for 20 state_is vectors_reason EMBEDDER_MISMATCH
state_is vectors_reason "65 numbers, not 64" || fail "the reason is wrong: $(state vectors_reason)"
search "load users"
same "words" "$(field '.results[0].path')" users.py
field .without_vectors | grep -q '^EMBEDDER_MISMATCH: .*127.0.0.1.* 65 numbers, not 64' || fail "the answer does not give the reason: $(cat "$W/answer")"
search "load users" vector
grep -q EMBEDDER_MISMATCH "$W/answer" || fail "mode vector: $(cat "$W/answer")"
ok "shard and coordinator refuse another dimension"
job() { call job_show "{\"id\":\"$embed\"}" | jq -r "$1"; }
job_is() { [[ $(job "$1") == *"$2"* ]]; }
embed=$(call jobs '{"kind":"embed"}' | jq -r .job.id)
wait_for 20 job_is '[.state, .code, .message] | join(" ")' "queued EMBEDDER_MISMATCH"
told() { atoll "$@" >"$W/out" && grep -q "$why EMBEDDER_MISMATCH: " "$W/out"; }
why='^vectors [a-z]*:' wait_for 20 told status "$(call list_repos | jq -r '.repos[0].name')"
why='^warning .*searches find it only by words:' wait_for 20 told doctor --data "$W/data"
why='^Found only by words:' told group query g load users || fail "atoll group query: $(cat "$W/out")"
stop up

export ATOLL_EMBED_URL="$api/asked"	# behaves as a question says, well for documents
unset ATOLL_EMBED_DIMENSION
up --group g "$W/repo"
ready g 1
wait_for 20 state_is vectors complete
wait_for 20 job_is '[.state, .note] | join(" ")' "done every document has its vector"
search "accounts of a file" vector
same "by meaning" "$(field '[.results[0].path, .without_vectors] | tostring')" '["users.py",null]'
curl -fsS "$api/seen" >"$W/seen"
jq -e 'map(select(.path | startswith("/asked/"))) | all(.authorization == "Bearer sesame" and .path == "/asked/v1/embeddings" and .body.model == "tiny")
	and (map(.body.input[]) | any(startswith("code: ") and contains("load_users")) and any(. == "find: accounts of a file"))' "$W/seen" >/dev/null ||
	fail "requests: $(jq -c . "$W/seen")"
ok "documents and questions have their prefixes, and the API gets its key"

# failing BEHAVIOUR CODE TEXT: lexical search continues, vector search fails
failing() {
	search "load users behave $1"
	same "$1: words" "$(field '.results[0].path')" users.py
	field .without_vectors | grep -q "^$2: .*$3" || fail "$1: $(cat "$W/answer")"
	search "load users behave $1" vector
	grep -q "$2" "$W/answer" || fail "$1, mode vector: $(cat "$W/answer")"
}
failing 429-long RATE_LIMITED "127.0.0.1.*for 300 s.*429"
curl -s -D "$W/headers" -H 'Content-Type: application/json' -d '{"query":"behave 429-long","mode":"vector"}' "$ATOLL_URL/api/v1/search_code" >"$W/answer"
same "the API's Retry-After" "$(field .error.retry_after_ms) $(tr -d '\r' <"$W/headers" | sed -n 's/^[Rr]etry-[Aa]fter: //p')" "300000 300"
failing 500 UNAVAILABLE "HTTP 500"
failing slow UNAVAILABLE "127.0.0.1"
failing malformed UNAVAILABLE "not a list of vectors"
failing truncated UNAVAILABLE "127.0.0.1"
failing wrong-dimension EMBEDDER_MISMATCH "65 numbers, not 64"
failing nan UNAVAILABLE "not a number"
stop api
failing gone UNAVAILABLE "127.0.0.1"
if grep -rqs sesame "$W/data" "$W/up.log" "$W/answer"; then fail "the key is in a file"; fi
ok "with an API that is down, slow, wrong or out of quota, lexical search continues"

# ---- an API that is too slow to say within a question how alike unrelated texts are ----
stop up
: >"$W/data/logs/coordinator.log"
api_server
search_ms=1000
export ATOLL_EMBED_URL="$api/late"
up --group g "$W/repo"
ready g 1
measured() { search "accounts of a file" && grep -q 'search\.threshold ' "$W"/data/logs/coordinator.log; }
wait_for 20 measured
ok "with a slow API, matches by meaning are known from a later question on"
