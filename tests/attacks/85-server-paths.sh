#!/bin/bash
# Limited tokens do not see the server's paths: in every tool, resource and error, with repositories that fail.
. "$(dirname "$0")/../lib.sh"

canary=zqplace
mkdir "$W/$canary"
"$ROOT/tests/fixtures/hidden_repos.sh" "$W/r"
mv "$W/r/web" "$W/r/users" "$W/r/docs" "$W/$canary/"
cp -R "$W/$canary/docs" "$W/$canary/broken"
git -C "$W/$canary/broken" remote set-url origin https://git.example/acme/broken.git
ATOLL_URL=http://127.0.0.1:$(free_port)
export ATOLL_URL
start up env -u ATOLL_URL ATOLL_CALLS_PER_SECOND=0 ATOLL_ALLOW_GLOBAL_SCOPE=true ATOLL_TOOLS=all ATOLL_JOB_TRIES=1 XDG_RUNTIME_DIR="$W/run" \
	"$BIN/atoll" up --data "$W/$canary/data" --http "${ATOLL_URL#http://}" --group all "$W/$canary/web" "$W/$canary/users" "$W/$canary/broken"
wait_for 20 answers
ready all 3
# its source is gone and its data cannot be written: its job fails, and the error contains the path
mv "$W/$canary/broken" "$W/$canary/gone"
call repo_analyze '{"repo":"broken","force":true}' >"$W/out"
failed() { "$BIN/atoll" call job_list '{"repo":"broken"}' | jq -e '[.jobs[] | select(.message)] | length > 0'; }
wait_for 30 failed

token() { call token_create "$1" | jq -r .secret; }
admin=$(token '{"name":"admin"}')
export ATOLL_TOKEN=$admin
tokens=(admin="$admin" repos="$(token '{"name":"repos","repos":["web","users","broken"]}')" group="$(token '{"name":"group","groups":["all"]}')"
	reader="$(token '{"name":"reader","read_only":true}')" public="$(token '{"name":"public","groups":["all"],"visibility":"public"}')")
python3 "$ROOT/tests/attacks/server_paths.py" "$ATOLL_URL" "$canary" "${tokens[@]}" >"$W/out" 2>&1 || fail "$(cat "$W/out")"
ok "limited tokens do not see the server's paths: $(tr '\n' ';' <"$W/out")"
