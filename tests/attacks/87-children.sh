#!/bin/bash
# Each child of a shard has only what it needs: the fetching child has the network and git's token, and writes only the mirror; the
# parsing child has no secret; the embedding child has the embedder's key. The parsing child cannot write the mirror, whose
# configuration git obeys. status and doctor report the confinement.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

says=$("$TESTBIN/sandbox_probe" status)
echo "this machine: $says"
case $says in *"not active"*) skip "the kernel lacks a part of the sandbox: $says" ;; esac

make_repo "$W/a"
git clone -q --bare "$W/a" "$W/r.git"
secrets=(ATOLL_GIT_TOKEN=secret2 ATOLL_EMBED_KEY=secret3 ATOLL_CLUSTER_KEY=secret4secret4secret4 AWS_SECRET_ACCESS_KEY=secret5)
child_of() { ps -o pid=,args= --ppid "$(pid_of s)" | awk -v f="$1" 'index($0, f) { print $1 }'; }
confined() { child=$(child_of "$1") && [ -n "$child" ] && grep -q '^Seccomp:[[:space:]]*2' "/proc/$child/status" 2>/dev/null; }
its() { tr '\0' '\n' <"/proc/$child/environ" | grep -oE '(secret|pass)[1-9]' | sort -u | paste -sd,; }

# ---- the fetching child, held by a git that waits; what it may write
mkdir "$W/bin" "$W/beside"
mkfifo "$W/gate"
cat >"$W/bin/git" <<END
#!/bin/sh
cat "$W/gate" >/dev/null
touch "$W/beside/written" 2>/dev/null
exec $(command -v git) "\$@"
END
chmod +x "$W/bin/git"
start s env "${secrets[@]}" PATH="$W/bin:$PATH" ATOLL_SANDBOX=require \
	atoll-shard --repo "http://u:pass9@127.0.0.1:9/r.git" --data "$W/d" --listen "ipc://$W/s.ipc"
wait_for 20 confined --fetch
same "secrets of the child that fetches from a remote" "$(its)" pass9,secret2
stop s
start s env PATH="$W/bin:$PATH" ATOLL_SANDBOX=require \
	atoll-shard --repo "file://$W/r.git" --data "$W/d1" --listen "ipc://$W/s.ipc"
start feeder python3 -c 'import sys
while True:
	open(sys.argv[1], "w").close()' "$W/gate"
wait_for 30 atoll-shard --probe "ipc://$W/s.ipc"
stop feeder SIGKILL
[ ! -e "$W/beside/written" ] || fail "git wrote outside of the mirror"
ok "the fetching child is confined and has no other keys; git writes only the mirror"
stop s

# ---- a mirror at the place of an older release is moved; the parsing child cannot write it
old=$(ls -d "$W"/d1/repo_????????????????)
mv "$old.mirror/mirror.git" "$old/mirror.git"
atoll-shard --repo "file://$W/r.git" --data "$W/d1" --once >"$W/out" 2>&1 || fail "an old mirror: $(cat "$W/out")"
[ ! -e "$old/mirror.git" ] && [ -d "$old.mirror/mirror.git" ] || fail "the mirror was not moved"
"$TESTBIN/sandbox_probe" read="$old.mirror/mirror.git/HEAD" write="$old.mirror/mirror.git/config" create="$old.mirror/mirror.git/commondir" \
	create="$old.mirror/mirror.git/objects/info/alternates" folder="$old/mirror.git" --repo "file://$W/r.git" --data "$W/d1" >"$W/got"
same "of the mirror it may read, and nothing else" "$(sed 's/.*: //' "$W/got" | sort | uniq -c | tr -s ' ' | paste -sd,)" " 4 Permission denied, 1 reached"
ok "the parser reads the mirror and cannot write what git obeys"

# ---- the child that embeds, held by an API that does not answer
start api python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print(s.getsockname()[1], flush=True); time.sleep(600)'
wait_for 10 test -s "$W/api.log"
start s env "${secrets[@]}" ATOLL_SANDBOX=require atoll-shard --repo "$W/a" --data "$W/d2" --listen "ipc://$W/s.ipc" --embedder http \
	--embed-url "http://127.0.0.1:$(cat "$W/api.log")" --embed-model m
waits() { confined --ingest && tr '\0' '\n' <"/proc/$child/environ" | grep -q ATOLL_INGEST_VECTORS=true; }
wait_for 30 waits
same "secrets of the child that embeds" "$(its)" secret3
stop s
ok "the embedding child is confined and has only the embedder's key"

# ---- one that runs on: it closes the pipe to its parent, or leaves a process behind
case $B in
*release)
	cat >"$W/stay.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void stay(void)
{
	const char *ingest = getenv("ATOLL_INGEST"), *how = getenv("TZ");

	if (!ingest || strcmp(ingest, "true"))
		return;
	if (!strcmp(how, "leave") && fork())
		return;
	for (int fd = 3; fd < 100; fd++)
		close(fd);
	sleep(1000);
}
END
	cc -shared -fPIC -o "$W/stay.so" "$W/stay.c"
	start s env LD_PRELOAD="$W/stay.so" TZ=close atoll-shard --repo "$W/a" --data "$W/d3" --listen "ipc://$W/s.ipc" --embedder none
	wait_for 20 grep -q 'ingest.crashed.*killed by signal 9' "$W/s.log"
	stop s
	start s env LD_PRELOAD="$W/stay.so" TZ=leave atoll-shard --repo "$W/a" --data "$W/d4" --listen "ipc://$W/s.ipc" --embedder none
	wait_for 20 grep -q ingest.done "$W/s.log"
	ended() { ! grep -lz "^ATOLL_DATA=$W/d4" /proc/[0-9]*/environ >"$W/left" 2>/dev/null; }
	wait_for 20 ended
	stop s
	ok "a child that closes its pipe is ended, and so is what a child leaves behind"
	;;
*) echo "a sanitizer wants to be the first library: what a child leaves behind is not looked at" ;;
esac

# ---- what is said of it
doctor() {	# its status is 1 while anything else is wrong: what it says of this counts
	atoll doctor >"$W/out" || [ $? -eq 1 ] || return 1
	grep -qE "$1" "$W/out"
}
export ATOLL_SANDBOX=auto
up "$W/a"
wait_for 30 doctor "^ok +sandbox +$(printf %s "$says" | sed 's/[()]/\\&/g')"
call list_repos '{}' >"$W/repos"
atoll status "$(jq -r '.repos[0].name' "$W/repos")" >"$W/out" || fail "status: $(cat "$W/out")"
grep -qF "sandbox: $says" "$W/out" || fail "status: $(cat "$W/out")"
stop up
ATOLL_SANDBOX=off
up
wait_for 30 doctor '^warning +sandbox +1 of 1 repositories .*--sandbox is off'
stop up
ok "atoll status and atoll doctor report the parsers' confinement"
