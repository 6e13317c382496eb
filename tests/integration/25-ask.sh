#!/bin/sh
# ask_code with a language model: its answer, its limits, its absence; the key goes to it alone.
. "$(dirname "$0")/../lib.sh"

cat >"$W/model.py" <<'PY'
import http.server, json, sys
class H(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][1]["content"]
        asked = text.split("\n")[0]
        status = 429 if "open" in asked else 500 if "path" in asked else 200
        seen = "%s key=%s evidence=%s path=%s" % (body["model"], self.headers["Authorization"], "[1] " in text, self.path)
        out = json.dumps({"choices": [{"message": {"content": seen + " [1]"}}]}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)
    def log_message(self, *a): pass
s = http.server.HTTPServer(("127.0.0.1", 0), H)
open(sys.argv[1], "w").write(str(s.server_port))
s.serve_forever()
PY
start model python3 "$W/model.py" "$W/port"
wait_for 10 test -s "$W/port"
mkdir "$W/repo"
cd "$W/repo"
git init -q .
printf 'def load_users(path):\n    return open(path).read()\n' >users.py
git add .
git -c user.name=t -c user.email=t@t commit -qm users
export ATOLL_LLM_URL="http://127.0.0.1:$(cat "$W/port")/v1" ATOLL_LLM_MODEL=tiny OPENAI_API_KEY=sesame
up --group g "$W/repo"
ready g 1

ask() { "$BIN/atoll" call ask_code "{\"query\":\"$1\"}" || true; }
a=$(ask "load users")
same "answer" "$(jq -r .answer <<EOT
$a
EOT
)" "tiny key=Bearer sesame evidence=True path=/v1/chat/completions [1]"
same "model" "$(printf "%s" "$a" | jq -r .meta.llmModel)" tiny
same "evidence" "$(printf "%s" "$a" | jq -r '.evidences[0].path')" users.py
ok "the model answers from evidence"
same "429" "$(ask 'load users open' | jq -r '.code // .error.code')" RATE_LIMITED
same "500" "$(ask 'load users path' | jq -r '.code // .error.code')" UNAVAILABLE
ok "its failures are errors"
stop model
a=$(ask "load users")
same "gone" "$(printf "%s" "$a" | jq -r '.code // .error.code')" UNAVAILABLE
printf "%s" "$a" | grep -q '127.0.0.1' || fail "the endpoint is named: $a"
if grep -rq sesame "$W/data" "$W/up.log"; then fail "the key is in a file"; fi
ok "a model that is gone is named, without its key"
