#!/bin/bash
# A generic variable meant for another program is not sent to our servers and does not authenticate anybody if we have a more
# specific one; `atoll doctor` names the variable in use, without its value.
. "$(dirname "$0")/../lib.sh"

mkdir "$W/repo"
git init -q "$W/repo"
printf 'def load_users(path):\n    return open(path).read()\n' >"$W/repo/users.py"
git -C "$W/repo" add .
git -C "$W/repo" -c user.name=t -c user.email=t@example.com commit -qm users

# A fake model that records the key that it gets.
cat >"$W/model.py" <<'PY'
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(sys.argv[1] + "/keys", "a") as f:
            f.write(f"{self.path} {self.headers.get('Authorization')}\n")
        if self.path.endswith("/embeddings"):
            inputs = body["input"] if isinstance(body["input"], list) else [body["input"]]
            answer = {"data": [{"index": i, "embedding": [1.0, 0.5, 0.25, 0.125]} for i in range(len(inputs))]}
        else:
            answer = {"choices": [{"message": {"role": "assistant", "content": "see [1]."}}]}
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], file=open(sys.argv[1] + "/model.port", "w"), flush=True)
server.serve_forever()
PY
start model python3 "$W/model.py" "$W"
wait_for 10 test -s "$W/model.port"
model=http://127.0.0.1:$(cat "$W/model.port")
echo secret-of-file >"$W/gitea"
chmod 600 "$W/gitea"

export OPENAI_API_KEY=secret-generic GITHUB_WEBHOOK_SECRET=secret-generic GITLAB_WEBHOOK_SECRET=secret-gitlab GITEA_WEBHOOK_SECRET=secret-generic
export ATOLL_LLM_KEY=secret-llm ATOLL_EMBED_KEY=secret-embed ATOLL_GITHUB_WEBHOOK_SECRET=secret-github ATOLL_GITEA_WEBHOOK_SECRET_FILE="$W/gitea"
export ATOLL_LLM_URL="$model/llm" ATOLL_LLM_MODEL=tiny ATOLL_EMBEDDER=http ATOLL_EMBED_URL="$model/embed" ATOLL_EMBED_MODEL=tiny
export GITHUB_TOKEN=secret-hub ATOLL_GIT_TOKEN=secret-git
up --group g "file://$W/repo"		# tokens of remotes reach the shards of URLs
unset OPENAI_API_KEY GITHUB_WEBHOOK_SECRET GITLAB_WEBHOOK_SECRET GITEA_WEBHOOK_SECRET ATOLL_LLM_KEY ATOLL_EMBED_KEY ATOLL_GITHUB_WEBHOOK_SECRET \
	ATOLL_GITEA_WEBHOOK_SECRET_FILE GITHUB_TOKEN ATOLL_GIT_TOKEN
ready g 1
call ask_code '{"query":"load users"}' >"$W/answer"
grep -q '^/llm/.* Bearer secret-llm$' "$W/keys" || fail "keys that the model got: $(cat "$W/keys")"
grep -q '^/embed/.* Bearer secret-embed$' "$W/keys" || fail "keys that the embedder got: $(cat "$W/keys")"
if grep secret-generic "$W/keys"; then fail "the key of other programs was sent"; fi
ok "OPENAI_API_KEY is not sent if there is a more specific key"

# hook FORGE SECRET: prints the status of a ping signed with it
hook() {
	_mac=$(printf '{"zen":"x"}' | openssl dgst -sha256 -hmac "$2" | sed 's/.* //')
	case $1 in
	github) curl -s -o /dev/null -w '%{http_code}' -H 'X-GitHub-Event: ping' -H "X-Hub-Signature-256: sha256=$_mac" -d '{"zen":"x"}' "$ATOLL_URL/webhooks/github" ;;
	gitea) curl -s -o /dev/null -w '%{http_code}' -H 'X-Gitea-Event: other' -H "X-Gitea-Signature: $_mac" -d '{"zen":"x"}' "$ATOLL_URL/webhooks/gitea" ;;
	gitlab) curl -s -o /dev/null -w '%{http_code}' -H 'X-Gitlab-Event: Other' -H "X-Gitlab-Token: $2" -d '{"zen":"x"}' "$ATOLL_URL/webhooks/gitlab" ;;
	esac
}
same "GitHub, the generic secret" "$(hook github secret-generic)" 401
same "Gitea, the generic secret" "$(hook gitea secret-generic)" 401
for pair in github:secret-github gitea:secret-of-file gitlab:secret-gitlab; do
	code=$(hook "${pair%%:*}" "${pair#*:}")
	case $code in 2??) ;; *) fail "${pair%%:*}, the specific secret: $code" ;; esac
done
ok "GITHUB_WEBHOOK_SECRET is not accepted if there is a more specific secret"

told() { "$BIN/atoll" doctor --json >"$W/doctor"; jq -e '[.checks[] | select(.check == "shard'"'"'s git-token")] | length == 1' "$W/doctor"; }
wait_for 20 told
from() { # from CHECK STATE DETAIL: doctor says so
	jq -e --arg c "$1" --arg s "$2" --arg d "$3" 'any(.checks[]; .check == $c and .state == $s and (.detail | startswith($d)))' "$W/doctor" >/dev/null ||
		fail "$1: want $2, $3; got $(jq -c --arg c "$1" '.checks[] | select(.check == $c)' "$W/doctor")"
}
from "coordinator's llm-key" ok "from ATOLL_LLM_KEY"
from "coordinator's embed-key" ok "from ATOLL_EMBED_KEY"
from "coordinator's github-webhook-secret" ok "from ATOLL_GITHUB_WEBHOOK_SECRET"
from "coordinator's gitlab-webhook-secret" ok "from GITLAB_WEBHOOK_SECRET"
from "coordinator's gitea-webhook-secret" ok "from ATOLL_GITEA_WEBHOOK_SECRET_FILE"
from "shard's embed-key" ok "from ATOLL_EMBED_KEY, for the shard of "
from "shard's github-token" ok "from GITHUB_TOKEN, for the shard of "
from "shard's git-token" warning "from ATOLL_GIT_TOKEN, for the shard of "
jq -e 'any(.checks[]; .check == "shard'"'"'s git-token" and (.remedy | contains("ATOLL_GIT_TOKEN_HOSTS")))' "$W/doctor" >/dev/null || fail "no remedy: $(cat "$W/doctor")"
"$BIN/atoll" doctor >"$W/doctor.txt"
call status >"$W/status"
for f in "$W/doctor" "$W/doctor.txt" "$W/status" "$W/data/logs"; do
	if grep -r secret-g "$f" || grep -rE 'secret-(llm|embed|hub|of-file)' "$f"; then fail "$f shows a value"; fi
done
ok "atoll doctor names the source of each secret"

limited=$("$BIN/atoll" token create --name admin 2>/dev/null)
limited=$(ATOLL_TOKEN=$limited "$BIN/atoll" token create --name agent --group g 2>/dev/null)
ATOLL_TOKEN=$limited "$BIN/atoll" call status >"$W/status"
jq -e '(.secrets // []) | length == 0' "$W/status" >/dev/null || fail "a limited token sees: $(jq -c .secrets "$W/status")"
ok "a limited token does not see them"
