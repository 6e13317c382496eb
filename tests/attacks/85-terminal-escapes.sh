#!/bin/bash
# Escape sequences, line breaks, bidirectional controls and invalid UTF-8 in every name that a repository can set are shown
# harmlessly, in terminal output and in logs.
. "$(dirname "$0")/../lib.sh"

esc=$'\033[31m' rlo=$'\u202e' csi=$'\u009b31m' bad=$'\xff\xfe' bell=$'\a' line=$'\nINJECTED line' lri=$'\u2066'
repo="$W/zq${rlo}repo"		# a control character in a source is refused
mkdir -p "$repo/dir${lri}x"
cd "$repo"
git init -q -b "main${rlo}${csi}"
export GIT_AUTHOR_NAME="Ann${esc}${rlo}${csi}" GIT_AUTHOR_EMAIL="ann${lri}@example.com" GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=c@example.com
printf 'def zqorder():\n\t"""zqorder %s %s %s"""\n\treturn "%s"\n' "$esc" "$rlo" "$bell" "$csi" >"a${esc}${rlo}.py"
printf 'import a\n\ndef zqcaller():\n\treturn zqorder()\n' >"b${line}.py"
printf '# Heading %s %s zqorder\n\ntext %s\n' "$esc" "$rlo" "$csi" >"dir${lri}x/c${csi}.md"
printf 'def zqraw(): pass\n' >"d${bad}.py"
printf '%s\n' "routes: [$esc" >atoll.yaml
printf 'from flask import Flask\napp = Flask(__name__)\n@app.get("/zq%s%s")\ndef zqroute(): pass\n' "$esc" "$rlo" >routes.py
git add -A
git commit -qm "subject ${esc}${rlo}${csi} zqorder"
git remote add origin "https://git.example/acme/zq${rlo}repo.git"
cd "$W"

ATOLL_URL=http://127.0.0.1:$(free_port)
export ATOLL_URL
start up env -u ATOLL_URL OWN=1 python3 "$ROOT/tests/attacks/terminal.py" "$BIN/atoll" up --data "$W/data" --http "${ATOLL_URL#http://}" "$repo"
wait_for 20 answers
ready default 1
name=$("$BIN/atoll" repo list --json | jq -r '.repos[0].repo_uri')
n=0
shown() {	# shown ARGS...
	python3 "$ROOT/tests/attacks/terminal.py" "$BIN/atoll" "$@" >"$W/out" 2>&1 || fail "atoll $*: $(tail -n 1 "$W/out")"
	! grep -qE '[^\\]\\nINJECTED' "$W/out" || fail "atoll $*: a name starts a line: $(cat "$W/out")"
	n=$((n + 1))
}
shown status
shown status "$name"
shown repo list
shown group list
shown group status default
shown group query default "zqorder"
grep -q 'u202e' "$W/out" || fail "it is not found: $(cat "$W/out")"
shown group query default "zqorder" --json
shown group contracts default
shown group links default
shown group graph default
shown jobs list
shown doctor --data "$W/data"
shown "no${rlo}such"
shown call query "no${esc}such"
shown call context "{\"repo\":\"$name\",\"symbol\":\"zqorder\"}"
shown call owners "{\"repo\":\"$name\",\"path\":\"\"}"
grep -q 'u202e' "$W/out" || fail "the author is not shown: $(cat "$W/out")"
shown call file_map "{\"repo\":\"$name\",\"path\":\"\"}"
shown call open_file "{\"repo\":\"$name\",\"path\":\"routes.py\"}"
for tool in list_repos group_list live; do
	shown call $tool '{}'
	"$BIN/atoll" call $tool '{}' | jq -e . >/dev/null || fail "$tool does not print JSON"
done
ok "$n commands print nothing that a terminal interprets"

"$BIN/atoll" call file_map "{\"repo\":\"$name\",\"path\":\"\"}" | jq -r '.. | .path? // empty' | grep -qF "$rlo" || fail "JSON does not contain the name unchanged"
kill "$(pid_of up)"
wait "$(pid_of up)" || fail "atoll up: $(tail -n 1 "$W/up.log")"
for log in "$W"/data/logs/*.log; do
	if LC_ALL=C.UTF-8 grep -anP '[\x{0}-\x{8}\x{b}-\x{1f}\x{7f}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]' "$log"; then fail "$log"; fi
	if grep -n '^INJECTED' "$log"; then fail "a name starts a line of $log"; fi
	iconv -f utf-8 -t utf-8 "$log" >/dev/null || fail "$log is not UTF-8"
done
ok "nor do the progress of atoll up and the logs"
