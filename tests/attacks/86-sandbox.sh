#!/bin/bash
# Code that a hostile file runs in an ingest child reaches only its repository, its index and ctags; a real ingest parses in this
# sandbox, and can still read every language.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

says=$("$TESTBIN/sandbox_probe" status)
echo "this machine: $says"
case $says in *landlock*ABI*) ;; *) skip "the kernel has no Landlock: nothing confines files here ($says)" ;; esac
case $says in *"not active"*) skip "the kernel lacks a part: $says" ;; esac
abi=${says#*ABI }
abi=${abi%%)*}

make_repo "$W/a"
make_repo "$W/other"
mkdir -p "$W/d" "$W/beside" "$HOME/.ssh"
echo key >"$HOME/.ssh/id"
echo none >"$W/beside/file"
start listening python3 -c 'import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
u = socket.socket(socket.AF_UNIX); u.bind(sys.argv[1]); u.listen()
print(s.getsockname()[1], flush=True); time.sleep(600)' "$W/socket"
wait_for 10 test -s "$W/listening.log"
port=$(cat "$W/listening.log")

tried() { "$TESTBIN/sandbox_probe" "$@" --repo "$W/a" --data "$W/d"; }
data=$W/d/$(tried --sandbox off && ls "$W/d" | grep -E '^repo_[0-9a-f]{16}$')

# ---- what it needs
needs=(thread read="$W/a/.git/HEAD" create="$data/index-1.db.tmp" write="$data/index-1.db.tmp")
if command -v ctags-universal >/dev/null; then needs+=(ctags=x.lua); else echo "no universal-ctags here"; fi
tried "${needs[@]}" >"$W/got"
same "of these it reaches" "$(grep -c ': reached$' "$W/got")" ${#needs[@]}
ok "it can read its repository, write its index, start ctags and threads"

# ---- what it must not reach
attacks=(
	read=/etc/passwd read="$HOME/.ssh/id" read="$W/other/.git/HEAD" read="$W/a/src" read="$W/beside/file"
	write="$W/a/.git/config" write="$W/beside/file" create="$W/beside/new" create="$W/a/.git/hooks/x" folder="$data/mirror.git"
	link="$data/CURRENT" mode="$W/beside/file" owner="$W/beside/file" times="$W/beside/file"
	connect="$port" unix="$W/socket" inet datagrams run=/bin/sh run="$(command -v bash)"
	memory environment limit namespace_child mount keys memory_file shared survive privileges group session
)
case $B in *address* | *thread*) echo "a sanitizer traces its own process" ;; *) attacks+=(trace) ;; esac
if [ "$abi" -ge 6 ]; then attacks+=(signal); else echo "Landlock ABI $abi does not confine signals"; fi
attacks+=(namespace)	# the last: where it gets through, the rest would be tried from inside
mkdir -p "$W/a/.git/hooks"
tried "${attacks[@]}" >"$W/got"
if grep -vE ': (Operation not permitted|Permission denied)$' "$W/got"; then fail "an attack succeeded"; fi
same "attacks" "$(wc -l <"$W/got")" ${#attacks[@]}
tried rings bpf faults loader="$(readelf -l "$BIN/atoll-shard" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')" >"$W/got" 2>/dev/null	# some machines refuse them to everybody
if grep ': reached$' "$W/got"; then fail "an attack succeeded"; fi
ok "no foreign files, sockets or programs, no access or signals to other processes, no namespaces, no new privileges"
if [ "$(id -u)" = 0 ]; then
	tried "${attacks[@]}" --sandbox off >"$W/got"
	if grep -v ': reached$' "$W/got"; then fail "an attack fails without the sandbox, so it proves nothing"; fi
	rm -rf "$W/beside/new" "$W/a/.git/hooks/x" "$data/mirror.git" "$data/CURRENT"
	ok "each of them gets through without a sandbox"
fi

# ---- a real ingest, held while it reads an index that --scip names: a pipe
mkfifo "$W/scip"
start s env GITHUB_TOKEN=ghp_secret1 OPENAI_API_KEY=secret2 ATOLL_CLUSTER_KEY=secret3secret3secret3 AWS_SECRET_ACCESS_KEY=secret4 \
	ATOLL_GIT_TOKEN=secret5 atoll-shard --repo "$W/a" --data "$W/d1" --listen "ipc://$W/s.ipc" --scip "$W/scip" --sandbox require
child_of() { ps -o pid=,args= --ppid "$1" | awk '/--ingest/ { print $1 }'; }
held() { child=$(child_of "$(pid_of s)") && [ -n "$child" ] && [ -r "/proc/$child/status" ] && grep -q '^Seccomp:[[:space:]]*2' "/proc/$child/status"; }
wait_for 20 held
value() { sed -n "s/^$1:[[:space:]]*//p" "/proc/$child/status"; }
same "no_new_privs" "$(value NoNewPrivs)" 1
caps=$(value CapEff)	# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
same "powers of root that it keeps" $((0x$caps & ~6)) 0
if tr '\0' '\n' <"/proc/$child/environ" | grep -E 'secret[1-5]'; then fail "a secret is in the environment of the ingest child"; fi
start feeder python3 -c 'import sys
while True:
	open(sys.argv[1], "w").close()' "$W/scip"
wait_for 30 grep -q ingest.done "$W/s.log"
stop feeder SIGKILL
stop s
ok "a real ingest: seccomp, no new privileges, no secrets in its environment"

# ---- each language, by grammar and by ctags, and the files that others parse
mkdir "$W/all"
git init -q -b main "$W/all"
last=
for d in "$ROOT"/tests/golden/*/*/; do
	[ -n "${ATTACKS-}" ] || [ "$last" != "$(dirname "$d")" ] || continue	# in short one of each language
	last=$(dirname "$d")
	to=$W/all/$(basename "$(dirname "$d")")/$(basename "$d")
	mkdir -p "$to"
	find "$d" -maxdepth 1 -type f ! -name expected -exec cp {} "$to" \;
done
for i in lua hs ml pl r jl; do printf -- '-- a\nlocal function apples(n)\n  return n + 1\nend\n' >"$W/all/x.$i"; done
commit "$W/all" all
atoll-shard --repo "$W/all" --data "$W/caged" --once --json --sandbox require >"$W/in.json" 2>"$W/in.log" || fail "in the sandbox: $(tail -1 "$W/in.log")"
atoll-shard --repo "$W/all" --data "$W/free" --once --json --sandbox off >"$W/out.json" 2>"$W/out.log" || fail "without the sandbox: $(tail -1 "$W/out.log")"
same "graph_hash in and out of the sandbox" "$(json "$W/in.json" graph_hash)" "$(json "$W/out.json" graph_hash)"
[ "$(json "$W/in.json" files)" -gt 50 ] || fail "too few files: $(cat "$W/in.json")"
if grep -qE 'sandbox|ctags' "$W/in.log"; then fail "it logs: $(grep -E 'sandbox|ctags' "$W/in.log")"; fi
ok "all golden files and those of ctags: the same graph_hash, $(json "$W/in.json" files) files"

# ---- texts that are not in the index are parsed in one, too
mkfifo "$W/texts"
atoll-shard --outline --sandbox require <"$W/texts" >/dev/null & outline=$!
exec 7>"$W/texts"
confined() { grep -q '^Seccomp:[[:space:]]*2' "/proc/$outline/status"; }
wait_for 10 confined
exec 7>&-
wait $outline || fail "outline failed: $?"
ok "the child that parses on demand is confined"

# ---- a kernel that lacks a part
for part in landlock seccomp; do
	if "$TESTBIN/without_sandbox" $part atoll-shard --repo "$W/a" --data "$W/d2" --once --sandbox require >"$W/out" 2>&1; then fail "require permits indexing without $part"; fi
	grep -q "the kernel has no $part" "$W/out" || fail "require: $(cat "$W/out")"
	grep -q -- '--sandbox auto' "$W/out" || fail "no remedy: $(cat "$W/out")"
	"$TESTBIN/without_sandbox" $part atoll-shard --repo "$W/a" --data "$W/d-$part" --once >"$W/out" 2>&1 || fail "auto without $part: $(cat "$W/out")"
done
if atoll-shard --repo "$W/a" --data "$W/d2" --once --sandbox perhaps >"$W/out" 2>&1; then fail "an unknown mode is accepted"; fi
ok "require refuses to index without a part, auto continues without it"
