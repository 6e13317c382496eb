#!/bin/bash
# ask_code with a language model: answers, streams, failures that keep the evidence, no model; only the model gets the key.
. "$(dirname "$0")/../lib.sh"

export ATOLL_EMBEDDER=none	# words alone find the evidence
mkdir "$W/repo"
cd "$W/repo"
git init -q .
printf 'def load_users(path):\n    return open(path).read()\n' >users.py
printf 'def save_users(path, users):\n    open(path, "w").write(users)\n' >store.py
{
	echo 'def migrate_ledger(rows):'
	for i in $(seq 60); do printf '    rows = step_%d(rows, "a step that takes its time")\n' "$i"; done
	echo '    return rows'
} >ledger.py
git add .
git -c user.name=t -c user.email=t@t commit -qm users

cd "$ROOT"
api_server

# ask WORDS: the answer to a question, which says how the model behaves
ask() { call ask_code "$(jq -n --arg q "load users $1" '{query: $q}')" >"$W/answer"; }
field() { jq -r "$1" "$W/answer"; }

up --group g "$W/repo"
ready g 1
ask ""
same "no model" "$(field '[.answer, .meta.llmModel, .failure] | tostring')" '[null,null,null]'
same "its evidence" "$(field '.evidences[0].path')" users.py
field .hint | grep -q -e '--llm-url' || fail "the hint does not say how to configure a model"
call ask_code '{"query":"zebra xylophone"}' >"$W/answer"
same "nothing found either" "$(field '[.answer, (.evidences | length)] | tostring')" '[null,0]'
field .hint | grep -q 'No evidence was found.*--llm-url' || fail "the hint does not name both ways: $(field .hint)"
ok "without a model the answer has evidence and says how to configure one"
stop up

export ATOLL_LLM_URL="$api/asked" ATOLL_LLM_MODEL=tiny ATOLL_LLM_KEY_FILE="$W/key" ATOLL_LLM_TIMEOUT=$((slow > 1 ? 15000 : 6000))
up --group g "$W/repo"
ready g 1
ask ""
same "answer" "$(field .answer)" "tiny read $(field .meta.contextsUsed) pieces, see [1]."
same "model" "$(field .meta.llmModel)" tiny
same "cited" "$(field '[.evidences[] | .cited // false] | tostring')" "$(field '[range(.evidences | length) | . == 0] | tostring')"
curl -fsS "$api/seen" >"$W/seen"
jq -e 'last | .authorization == "Bearer sesame" and .path == "/asked/v1/chat/completions" and .body.model == "tiny" and .body.messages[0].role == "system"' "$W/seen" >/dev/null ||
	fail "the request: $(cat "$W/seen")"
jq -r 'last | .body.messages[1].content' "$W/seen" >"$W/prompt"
grep -qx '\[1\] repo-[0-9a-f]* users.py lines 1-2' "$W/prompt" || fail "path and lines: $(cat "$W/prompt")"
grep -qx '2|     return open(path).read()' "$W/prompt" || fail "numbered lines: $(cat "$W/prompt")"
call ask_code '{"query":"migrate_ledger"}' >"$W/answer"
[ "$(field '.evidences[0].snippet | length')" -le 1000 ] || fail "the reply shows too much: $(field '.evidences[0]')"
curl -fsS "$api/seen" | jq -r 'last | .body.messages[1].content' | grep -qx '62|     return rows' || fail "the model does not get the whole text"
curl -fsS "$api/seen" >"$W/seen"
call ask_code '{"query":"zebra xylophone"}' >"$W/answer"
same "nothing found" "$(field '[.answer, (.evidences | length)] | tostring')" '[null,0]'
same "nobody asked" "$(curl -fsS "$api/seen" | jq length)" "$(jq length "$W/seen")"
ok "the model answers from evidence, and is not called without any"

# A failure keeps the evidence.  failing BEHAVIOUR CODE TEXT
failing() {
	ask "behave $1"
	same "$1" "$(field '[.answer, .failure.code] | tostring')" "[null,\"$2\"]"
	same "$1: evidence" "$(field '.evidences[0].path')" users.py
	field .failure.message | grep -q "$3" || fail "$1: $(field .failure.message)"
	[ -n "$(field .failure.hint)" ] || fail "$1: no hint"
}
failing 429-long RATE_LIMITED "127.0.0.1.*for 300 s.*429"
same "the model's Retry-After" "$(field .failure.retry_after_ms)" 300000
failing 500 UNAVAILABLE "127.0.0.1.*HTTP 500"
failing slow UNAVAILABLE "127.0.0.1"
failing malformed UNAVAILABLE "invalid JSON"
failing truncated UNAVAILABLE "127.0.0.1"
failing empty UNAVAILABLE "no text"
failing stream-error UNAVAILABLE "an error"
ok "failures have their codes, and the evidence remains"

ask "behave stream"
field .answer | grep -q '^naïve tiny read .* pieces, see \[1\]\.$' || fail "stream: $(field .answer)"
ask "behave 429-once"
field .answer | grep -q 'see \[1\]' || fail "not retried: $(cat "$W/answer")"
same "of a whole answer nothing more" "$(field '.hint // empty')" ""
ask "behave length"
field '[.answer, .hint] | join(" ")' | grep -q 'see \[1\].*token limit' || fail "cut off by the model: $(cat "$W/answer")"
ok "a stream is assembled; a temporary refusal is retried; a truncated answer is marked as such"

# The caller is gone, so the coordinator does not wait for the model, although no timeout would end the call.
stop up
unset ATOLL_LLM_TIMEOUT
up --group g "$W/repo"
ready g 1
curl -s -H 'Content-Type: application/json' -d '{"query":"load users behave slow to who leaves"}' \
	"$ATOLL_URL/api/v1/ask_code" >"$W/answer" &
asking=$!
slowly() { curl -fsS "$api/seen" | jq -e "last | ${1:-} (.body.messages[1].content | contains(\"to who leaves\"))"; }
wait_for 20 slowly
kill $asking
[ ! -s "$W/answer" ] || fail "the coordinator waited for the model: $(cat "$W/answer")"
wait_for 20 slowly ".left and"
ok "an abandoned question ends its call to the model"

stop api
ask ""
same "gone" "$(field '[.answer, .failure.code, .evidences[0].path] | tostring')" '[null,"UNAVAILABLE","users.py"]'
stop up
if grep -rq sesame "$W/data" "$W/up.log"; then fail "the key is in a file"; fi
ok "an unreachable model is named, without its key"
