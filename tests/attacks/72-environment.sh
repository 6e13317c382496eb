#!/bin/bash
# Programs that Atoll starts get only what they need of its environment, and no secrets: git, whose peer a URL selects, and ctags,
# which reads files of any committer.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
printf 'sub shout {\n}\n' >"$W/a/src/shout.pl"		# a language that ctags reads
commit "$W/a" perl
git clone -q --bare "$W/a" "$W/srv/r.git"

# Wrappers that record their environment and then execute the real program.
mkdir "$W/bin"
for name in git ctags-universal ctags; do
	real=$(command -v $name) || continue
	cat >"$W/bin/$name" <<SH
#!/bin/sh
tr '\0' '\n' </proc/self/environ >"$W/env.$name.\$\$"
exec $real "\$@"
SH
	chmod +x "$W/bin/$name"
done
PATH=$W/bin:$PATH
export ATOLL_SANDBOX=off	# where they write is not allowed, nor a ctags that is a script

leaking=()
for name in OPENAI_API_KEY AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GITHUB_TOKEN GH_TOKEN GITHUB_WEBHOOK_SECRET GITLAB_WEBHOOK_SECRET NPM_TOKEN \
	DATABASE_URL ATOLL_GIT_TOKEN ATOLL_EMBED_KEY ATOLL_LLM_KEY ATOLL_REGISTRY_PASSWORD ATOLL_GITHUB_WEBHOOK_SECRET SOMETHING_ELSE \
	GIT_TRACE GIT_TRACE_CURL GIT_DIR GIT_WORK_TREE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_INDEX_FILE GIT_NAMESPACE \
	GIT_EXTERNAL_DIFF GIT_TEMPLATE_DIR PYTHONSTARTUP; do
	leaking+=("$name=leak-$name")
done
clean() { # clean PROGRAM FILES...
	_program=$1
	shift
	[ -e "$1" ] || fail "$_program was not started"
	if grep -h 'leak-' "$@"; then fail "$_program got this"; fi
}

export SSH_AUTH_SOCK="$W/agent" https_proxy=http://127.0.0.1:1 no_proxy=127.0.0.1 GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=operator
indexed=true
env "${leaking[@]}" ATOLL_GIT_TOKEN_HOSTS=git.example.com atoll-shard --repo "file://$W/srv/r.git" --data "$W/d" --once --json >"$W/json" 2>"$W/log" ||
	indexed=false
clean git "$W"/env.git.*
$indexed || fail "file://: $(cat "$W/log")"
same "files" "$(json "$W/json" files)" 5
for want in HOME="$HOME" SSH_AUTH_SOCK="$W/agent" https_proxy=http://127.0.0.1:1 no_proxy=127.0.0.1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=operator \
	GIT_TERMINAL_PROMPT=0 LC_ALL=C GIT_ALLOW_PROTOCOL=https:ssh:git:file; do
	for f in "$W"/env.git.*; do grep -qxF "$want" "$f" || fail "git has no $want: $(cat "$f")"; done
done
ok "git gets what it needs, and nothing else"
if command -v ctags >/dev/null; then
	clean ctags "$W"/env.ctags*
	ok "ctags too"
fi

# The command line inspects repositories with git.
rm -f "$W"/env.*
if env "${leaking[@]}" ATOLL_URL=http://127.0.0.1:1 "$BIN/atoll" doctor --data "$W/data" >"$W/out" 2>&1; then
	fail "doctor finds nothing wrong where no coordinator answers: $(cat "$W/out")"
fi
clean "git, started by atoll doctor" "$W"/env.git.*
rm -f "$W"/env.*
start leaking env "${leaking[@]}" "$BIN/atoll" up --data "$W/data" --http "127.0.0.1:$(free_port)" "$W/a" "file://$W/srv/r.git"
mirrored() { ls "$W"/data/*/CURRENT "$W"/data/*/mirror.git; }
wait_for 20 mirrored
stop leaking
clean "git, started by atoll up" "$W"/env.git.*
ok "so do the programs that the command line starts"

# A scheme that runs a program or is not encrypted is refused before git starts.
rm -f "$W"/env.*
for url in "ext::sh -c touch% $W/ran% ://" "fd::17://" "http://git.example.com/r.git" "ftp://127.0.0.1/r.git" "http://127.0.0.1.example.com/r.git" \
	"http://localhost.example.com/r.git" "http://127.0.0.1@git.example.com/r.git"; do
	if atoll-shard --repo "$url" --data "$W/d3" --once >"$W/out" 2>"$W/log"; then fail "$url is fetched"; fi
	if ls "$W"/env.git.* >/dev/null 2>&1; then fail "$url: git was started: $(cat "$W/log")"; fi
	[ ! -e "$W/ran" ] || fail "$url ran a program"
	grep -q 'https://' "$W/log" || fail "$url: the error does not name the remedy: $(cat "$W/log")"
done
ok "schemes other than https, ssh and git are refused, as is http to another machine"
