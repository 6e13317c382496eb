#!/bin/bash
# Output for people uses short repository names; --json contains the handles.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop"
mkdir "$W/shop/catalog/node_modules"
ln -s server.go "$W/shop/catalog/alias.go"
printf 'left out\n' >"$W/shop/catalog/node_modules/a.js"
mkdir "$W/shop/catalog/dist"
printf 'left out\n' >"$W/shop/catalog/dist/$(printf 'an\033[31m\nname.js')"
mkdir "$W/shop/catalog/notes"
printf '# Levers\n\nPull the glimmering lever \033]0;owned\007 slowly, \302\2332J or not.\n' >"$W/shop/catalog/notes/$(printf 'le\033[31mver').md"
commit "$W/shop/catalog" "what is left out"
export GIT_SSH_COMMAND='printf "git@nowhere: \\033[1APermission denied (publickey).\\n" >&2; exit 255; :'	# what ssh says of a remote
search_ms=$((3000 * slow))	# a member is paused
up "$W/shop/web" "$W/shop/catalog" "$W/shop/orders"
ready default 3
catalog=$(atoll repo list --json | jq -r '.repos[] | select(.name | startswith("catalog-")) | .name')
[[ $catalog =~ ^catalog-[0-9a-f]{6}$ ]] || fail "name of catalog: $catalog"

wait_for 10 grep -qF "\`atoll status --url $ATOLL_URL\` shows the state." "$W/up.log"

atoll group sync default >/dev/null
for command in "status" "repo list" "group list" "group status default" "group query default where is the stock of a product kept" \
	"group contracts default" "group links default"; do
	# shellcheck disable=SC2086
	atoll $command >"$W/out" || fail "atoll $command"
	if grep -Eq 'local:[0-9a-f]{13}' "$W/out"; then fail "atoll $command: $(cat "$W/out")"; fi
	grep -q "$catalog" "$W/out" || fail "atoll $command does not name $catalog: $(cat "$W/out")"
	case $command in *query*) ;; *) grep -Eq '(^| )atoll-shop/orders( |$)' "$W/out" || fail "atoll $command does not name shop/orders" ;; esac
	# shellcheck disable=SC2086
	atoll $command --json >"$W/out"
	jq -e . "$W/out" >/dev/null || fail "atoll $command --json: $(cat "$W/out")"
	grep -Eq 'local:[0-9a-f]{64}' "$W/out" || fail "atoll $command --json: $(cat "$W/out")"
done
ok "names for people, handles for programs are printed"

atoll group links default >"$W/out"
grep -Eq '^atoll-shop/web src/[^ ]+:[0-9]+ .* consumes_route +atoll-shop/orders [^ ]+:[0-9]+ .* (GET|POST) /' "$W/out" ||
	fail "links: $(cat "$W/out")"
atoll group query default --languages go --repos catalog --path-prefix store/ --mode lexical stock >"$W/out"
same "only what is asked for" "$(sed -n 's/^ *[0-9]*\. \([^ ]*  [^/]*\).*/\1/p' "$W/out" | sort -u)" "catalog  store"
atoll group query default --path-prefix nowhere/ stock >"$W/out"
grep -q '^No file in .* begins with `nowhere/`' "$W/out" || fail "a path prefix without files: $(cat "$W/out")"
atoll group query default zzqqzz >"$W/out"
[ "$(head -n 1 "$W/out")" = "similar to the question, but without its words:" ] || fail "a word without matches: $(cat "$W/out")"
grep -q '^Nothing matches: ' "$W/out" || fail "a word without matches: $(cat "$W/out")"
atoll group query default stock >"$W/out"
if head -n 1 "$W/out" | grep -q '^similar to ' || grep -q '^Nothing matches' "$W/out"; then fail "a word with matches: $(cat "$W/out")"; fi
ok "a link shows both ends and its kind; what only resembles the question is apart"

atoll group contracts default >"$W/out"
grep -q '^CALLS OF .*UNRESOLVED$' "$W/out" && grep -Eq '^atoll-shop/web +.*[0-9]+ dynamic' "$W/out" || fail "matrix: $(cat "$W/out")"
for n in $(atoll group contracts default --json |
	jq -r '[.pairs[] | select(.consumer | endswith("/web"))] | group_by(.producer)[] | map(.calls) | add'); do
	grep -Eq "^atoll-shop/web .* $n( |\$)" "$W/out" || fail "$n calls in the row of web: $(cat "$W/out")"
done
atoll group contracts default --limit 3 >"$W/out"
grep -q '  called by  *atoll-shop/' "$W/out" && grep -q '^more: --cursor' "$W/out" || fail "rows: $(cat "$W/out")"
ok "a matrix of callers and callees, and its rows"

uri=$(atoll status | sed -n "s/^$catalog .*\(local:[0-9a-f]*\).*/\1/p")
call query "{\"repo_uri\":\"$uri\",\"query\":\"stock\"}" >/dev/null
ok "the short handle of the table is accepted"

# ---- what an index contains, and what it leaves out ----
atoll status "$catalog" --json >"$W/out"
same "left out" "$(jq -r '.skipped[] | select(.name == "symlink" or .name == "node_modules") | "\(.name) \(.files) \(.example)"' "$W/out" | sort)" \
	"$(printf 'node_modules 1 node_modules/a.js\nsymlink 1 alias.go')"
jq -e '.repo_uri == .freshness.repo_uri and ([.languages[].files] | add) == .files and
	.bytes > 1000 and .symbols > 10 and (.freshness.graph_hash | length) == 64' "$W/out" >/dev/null ||
	fail "counts: $(cat "$W/out")"
call repo_status "{\"repo\":\"$catalog\"}" >/dev/null
atoll status "$catalog" >"$W/out"
grep -Eq '^symlink +1 .*alias.go$' "$W/out" && grep -Eq '^go +[0-9]+ +[0-9.]+ KB$' "$W/out" || fail "atoll status $catalog: $(cat "$W/out")"
grep -qF 'dist/an\x1b[31m\nname.js' "$W/out" || fail "a name that moves the terminal: $(cat -v "$W/out")"
atoll group query default "glimmering lever" >"$W/out"
grep -qF 'notes/le\x1b[31mver.md' "$W/out" && grep -qF 'lever \x1b]0;owned\x07 slowly, \u009b2J or' "$W/out" ||
	fail "a text that moves the terminal: $(cat -v "$W/out")"
if atoll status nowhere >"$W/out" 2>&1; then fail "atoll status nowhere: $(cat "$W/out")"; fi
grep -q NOT_FOUND "$W/out" || fail "atoll status nowhere: $(cat "$W/out")"
ok "status shows what an index leaves out, and why"

pause "$(pgrep -P "$(pid_of up)" -f -- "$W/shop/catalog" | head -n 1)"
atoll group query default where is the stock of a product kept >"$W/out"
kill -CONT "$(pgrep -P "$(pid_of up)" -f -- "$W/shop/catalog" | head -n 1)"
grep -q "^  $catalog: UNAVAILABLE: " "$W/out" || fail "coverage: $(cat "$W/out")"
ok "coverage names the member"

# ---- what a new user types ----
call query '{"repo":"catalog","query":"stock"}' >/dev/null
mkdir "$W/other"
cp -r "$W/shop/catalog" "$W/other/catalog"
atoll repo add "$W/other/catalog/.git" >/dev/null
ready default 4
if atoll call query '{"repo":"catalog","query":"stock"}' >"$W/out"; then fail "two folders of one name: $(cat "$W/out")"; fi
same "which is which" "$(jq -r '.error.choices[].name' "$W/out" | grep -c '^catalog-')" 2
same "two folders of one name" "$(jq -c '[.error.code, .error.total_matches]' "$W/out")" '["AMBIGUOUS_REPO",2]'
call query "{\"repo\":\"$catalog\",\"query\":\"stock\"}" >/dev/null
ok "a local repository can be called by its folder's name; a path may end in .git"

other=$(atoll repo list --json | jq -r --arg name "$catalog" '.repos[] | select(.name | startswith("catalog-")) | .name | select(. != $name)')
asking=
for _ in $(seq 16); do	# of its readers some have it open when it goes
	"$BIN/atoll" call open_file "{\"repo\":\"$other\",\"path\":\"server.go\"}" >/dev/null &
	asking="$asking $!"
done
# shellcheck disable=SC2086
wait $asking || fail "a file"
mv "$W/other/catalog" "$W/other/moved"
away() { atoll doctor >"$W/out"; grep -Eq "^warning +repository $other .*NOT_FOUND: the repository is no longer at its path" "$W/out"; }
wait_for 20 away
atoll call query "{\"repo\":\"$other\",\"query\":\"stock\"}" | jq -e '.results | length > 3' >/dev/null || fail "a query fails without texts"
if atoll call open_file "{\"repo\":\"$other\",\"path\":\"server.go\"}" >"$W/out"; then fail "a file of a repository that was moved away is shown"; fi
jq -e '.error | .code == "NOT_FOUND" and (.message | test("no longer at its path") and (test("/") | not))' "$W/out" >/dev/null ||
	fail "open_file: $(cat "$W/out")"
mv "$W/other/moved" "$W/other/catalog"
back() { atoll status --json | jq -e --arg name "$other" '.repos[] | select(.name == $name) | .health == "healthy"' >/dev/null; }
wait_for 20 back
ok "a repository that was moved away: its index answers, and says why there is no text"

atoll call --help >"$W/out"
for tool in $(curl -fsS "$ATOLL_URL/api/v1/tools" | jq -r '.tools[].name'); do
	grep -q "^$tool " "$W/out" || fail "atoll call --help leaves out $tool"
	atoll call "$tool" --help | grep -q "^usage: atoll call $tool" || fail "atoll call $tool --help"
done
atoll call group_list --json | jq -e '.groups[0].name' >/dev/null || fail "atoll call with --json"
if atoll call nosuch >"$W/out"; then fail "an unknown tool is accepted"; fi
grep -q 'atoll call --help' "$W/out" || fail "the hint is wrong: $(cat "$W/out")"
# told STATUS TEXT COMMAND...: the command fails with this status and text
told() {
	local want=$1 text=$2 rc=0
	shift 2
	"$BIN/atoll" "$@" >"$W/out" 2>&1 || rc=$?
	[ "$rc" = "$want" ] && grep -qF -- "$text" "$W/out" || fail "atoll $*: status $rc: $(cat "$W/out")"
}
told 3 'no tool `contxt`; did you mean `context`?' call contxt '{}'
told 3 'repository `catlaog` does not exist; did you mean `catalog`' status catlaog
told 2 'unknown command `stauts`; did you mean `status`?' stauts
told 2 'unknown command `repo lst`; did you mean `repo list`, `repo set`?' repo lst
told 2 'unknown tool `contxt`; did you mean `context`?' call contxt --help
told 0 'atoll group links NAME' help group
told 2 'atoll group links NAME' group
told 3 'no such folder; if it is a remote, write https://nowhere.example.com/org/repo' repo add nowhere.example.com/org/repo
told 2 '--keep-days: -5 is less than -1' up --keep-days -5 --data "$W/never"
told 2 '/dev/null: it exists and is not a regular file' registry export /dev/null
[ -c /dev/null ] || fail "a device was replaced"
rc=0; atoll registry export - >/dev/full 2>"$W/out" || rc=$?
same "what could not be written" "$rc $(cat "$W/out")" "1 atoll: standard output: No space left on device"
if [ "$slow" = 1 ]; then	# sanitizers want to be loaded before stdbuf
	rc=0; stdbuf -oL "$BIN/atoll" registry export - >/dev/full 2>"$W/out" || rc=$?
	same "what could not be written, line by line" "$rc $(cat "$W/out")" "1 atoll: standard output: No space left on device"
fi
told 2 'unknown command `query`; did you mean `group query`?' query stock
told 2 'no option `--limt`; did you mean `--limit`?' group query default --limt 3 stock
grep -qF 'Run atoll group query --help to list the options.' "$W/out" || fail "a wrong option: $(cat "$W/out")"
told 0 'usage: atoll group query NAME WORDS...' help group query
told 0 'usage: atoll up' up -h
told 0 'usage: atoll call query' call query -h
told 0 'atoll up [PATH|URL]...' -h
told 0 'atoll 0.' version
told 2 '--url (ATOLL_URL): `localhost:7700`' status --url localhost:7700
told 2 'set it in the environment' status --token x
for program in atoll-coordinator atoll-shard; do
	if timeout 60 "$BIN/$program" --log-level loud --data "$W/none" >"$W/out" 2>&1; then fail "$program accepts any log level"; fi
	grep -qF -- '--log-level `loud`: use debug, info, warn or error' "$W/out" || fail "$program: $(cat "$W/out")"
done
told 2 'check for problems and suggest' doctor all
same "the usage of a command without arguments" "$(head -n 1 "$W/out")" "usage: atoll doctor"
told 1 '/nowhere/ca.pem: No such file' certs issue /nowhere a
grep -q 'atoll certs init /nowhere' "$W/out" || fail "no CA: $(cat "$W/out")"
told 1 '--codebase-root (CODEBASE_ROOT) /proc/atoll: ' up --codebase-root /proc/atoll
mkdir "$W/lost"
echo garbage >"$W/lost/registry.db"
told 1 'registry.db: file is not a database' up --data "$W/lost" --http 127.0.0.1:0 "$W/shop/web"
grep -q 'restore registry.db from a backup' "$W/out" || fail "a lost registry: $(cat "$W/out")"
told 1 'nowhere: no such folder' up "$W/nowhere"
grep -qF 'Name a folder that contains one, or a URL' "$W/out" || fail "no repository: $(cat "$W/out")"
: >"$W/file"
for d in "$W/file" /proc/atoll; do
	if atoll up --data "$d" --http 127.0.0.1:0 "$W/shop/web" 2>"$W/out"; then fail "$d is accepted as a data folder"; fi
	grep -q "cannot write to the folder $d: " "$W/out" && grep -q -- '--data DIR' "$W/out" || fail "--data $d: $(cat "$W/out")"
done
if atoll up --data "$W/second" --http "${ATOLL_URL#http://}" "$W/shop/web" 2>"$W/out"; then fail "a taken port"; fi
same "nothing before the reason" "$(head -n 1 "$W/out" | cut -d: -f1-2)" "atoll: the coordinator does not start"
grep -q "^atoll: the coordinator does not start: cannot listen on ${ATOLL_URL#http://}: Address already in use$" "$W/out" &&
	grep -q '^Pass another address with --http' "$W/out" || fail "a taken port: $(cat "$W/out")"
if atoll call open_file '{"repo":"web","path":"README.md","startLine":5000}' >"$W/out"; then fail "line 5000"; fi
jq -e '.error | .code == "INVALID_INPUT" and (.message | test("5000 is beyond the [0-9]+ lines of .*README.md"))' "$W/out" >/dev/null ||
	fail "line 5000: $(cat "$W/out")"
ok "errors name the remedy"

# ---- an index that cannot be written ----
git init -q "$W/blocked"
printf 'def x():\n    pass\n' >"$W/blocked/x.py"
commit "$W/blocked" x
folder=$W/data/repo_$(printf 'local:%s' "$(printf %s "$W/blocked" | sha256sum | cut -c1-64)" | sha256sum | cut -c1-16)
mkdir -p "$folder"
if mount -t tmpfs -o size=64k tmpfs "$folder" 2>/dev/null; then
	atoll repo add "$W/blocked" >/dev/null
	told() { grep -q '^blocked-.*: failed: DB_ERROR: .*disk is full' "$W/up.log"; }
	rc=0
	(wait_for 30 told) || rc=$?
	umount -l "$folder"
	[ $rc = 0 ] || fail "a full disk: $(cat "$W/up.log")"
	atoll repo remove "$W/blocked" >/dev/null
	ok "a full disk is told"
fi

# ---- a second clone, and repositories that cannot be had ----
cp -r "$W/shop/web" "$W/other/web"
atoll repo add "$W/other/web" >/dev/null
atoll repo add git@nowhere:org/secret.git >/dev/null
atoll repo add "http://127.0.0.1:1/org/of-a-long-name-that-fills-the-line-on-which-the-failure-is-told/bad.git" >/dev/null
told() { grep -q '/bad: failed: .*git clone' "$W/up.log"; }
wait_for 20 told
failures() { cat "$W"/data/logs/bad*.log | grep -c ingest.failed; }
before=$(failures)
told() { grep -q '/secret: failed: .*git clone git@nowhere:org/secret.git: git@nowhere: \\x1b\[1APermission denied (publickey).$' "$W/up.log"; }
wait_for 20 told
doctor() {	# between two attempts of the shard
	atoll doctor >"$W/out" || true
	grep -q '^failed .*/bad .*git clone.*; fix the cause, then run `atoll repo analyze ' "$W/out"
}
wait_for 20 doctor
told() { grep -q '^web-.*: failed: .*serves atoll-shop/web .*Clones of one repository are one: leave this one out' "$W/up.log"; }
wait_for 20 told
more() { [ "$(failures)" -gt "$before" ]; }
wait_for 20 more	# it has failed again, and other things were told since
[ -z "$(uniq -d "$W/up.log")" ] || fail "reported more than once: $(cat "$W/up.log")"
atoll repo remove "$W/other/web" >/dev/null
ok "a failure is reported once, with its reason"

git init -q --object-format=sha256 "$W/other-hash"
printf 'def x():\n    pass\n' >"$W/other-hash/x.py"
commit "$W/other-hash" x
atoll repo add "$W/other-hash" >/dev/null
told() { grep -q '^other-hash.*: failed: .*its objects are named by SHA-256' "$W/up.log"; }
wait_for 20 told
git clone -q "$W/shop/web" "$W/no-head"
git -C "$W/no-head" remote remove origin
mv "$W/no-head/.git/HEAD" "$W/saved-head"
git clone -q "$W/shop/web" "$W/no-objects"
git -C "$W/no-objects" remote remove origin
mv "$W/no-objects/.git/objects" "$W/saved-objects"
mkdir "$W/no-objects/.git/objects"
atoll repo add "$W/no-head" "$W/no-objects" >/dev/null
state() {	# NAME STATUS REASON: in group_status and, while it has failed, in coverage and doctor
	atoll call group_status '{"group":"default"}' >"$W/out" || return 1
	jq -e --arg n "$1" --arg s "$2" --arg r "$3" '[.repos[] | select((.name | startswith($n))
		and .status == $s and ((.reason // "") | test($r)))] | length == 1' "$W/out" >/dev/null || return 1
	[ "$2" = failed ] || return 0
	atoll call group_query '{"group":"default","query":"stock"}' >"$W/out" || return 1
	jq -e --arg r "$3" '(.complete | not) and ([.coverage.failed[] | select(.code == "NO_INDEX"
		and (.message | test($r)))] | length >= 1)' "$W/out" >/dev/null || return 1
	atoll doctor >"$W/out" || true
	grep -q "^failed *repository $1.*$3" "$W/out"
}
wait_for 20 state other-hash failed 'its objects are named by SHA-256'
wait_for 20 state no-head failed 'its git folder lacks HEAD'
wait_for 20 state no-objects failed 'object [0-9a-f]* is missing'
mv "$W/saved-head" "$W/no-head/.git/HEAD"
rmdir "$W/no-objects/.git/objects"
mv "$W/saved-objects" "$W/no-objects/.git/objects"
wait_for 20 state no-head ready ''
wait_for 20 state no-objects ready ''
env -u ATOLL_DATA HOME="$W/nowhere" "$BIN/atoll" doctor >"$W/out" || true
grep -Eq "^ok +data folder +$(realpath "$W/data")$" "$W/out" || fail "doctor looks at another data folder: $(cat "$W/out")"
for program in atoll-coordinator atoll-shard; do
	grep -Eq "^ok +$program +/[^ ]*/$program, .*[0-9]" "$W/out" || fail "doctor does not find $program: $(cat "$W/out")"
done
grep -Eq '^ok +git +git version [0-9]' "$W/out" || fail "doctor does not find git: $(cat "$W/out")"
if grep -Evq '^(ok|warning|failed) +' "$W/out"; then fail "a line of doctor without a state: $(cat "$W/out")"; fi
ok "a repository that cannot be read is a member that has failed, with its reason, until it can be read"
