# shard.sh: shared by tests of single shards; sourced after lib.sh.
#   make_repo DIR            a small repository with a commit
#   commit DIR MESSAGE       commit everything in its working tree
#   serve NAME REPO ARG...   a shard at ipc://$W/NAME.ipc, log in $W/NAME.log; returns when it serves an index
#   coordinate NAME ARG...   a coordinator at ipc://$W/NAME.ipc, data in $W/NAME.d, log in $W/NAME.log; sets ATOLL_URL
#   rpc NAME [--stamp] RPC [JSON] send it an RPC (tests/tools/rpc.c)
#   json FILE PATH           a value, e.g. `json out hits 0 path`, as printed by Python

commit() {
	git -C "$1" add -A
	git -C "$1" -c user.name=t -c user.email=t@example.com commit -q -m "$2" --date=2026-01-01T00:00:00Z
}

make_repo() {
	mkdir -p "$1/src" "$1/tests" "$1/node_modules/x"
	git init -q -b main "$1"
	printf 'import json\n\n\nclass UserService:\n    """Keeps the accounts of people."""\n\n    def load_users(self, limit):\n        """Load people from the database."""\n        return json.loads("[]")[:limit]\n\n\ndef greet(name):\n    return "hello " + name\n' >"$1/src/users.py"
	printf 'export function loadUsers() {\n  return fetch("/api/users");\n}\n\nexport const LIMIT = 10;\n' >"$1/src/users.js"
	printf 'from src.users import UserService\n\n\ndef test_load_users():\n    assert UserService().load_users(1) == []\n' >"$1/tests/test_users.py"
	printf '# Users\n\nHow accounts are kept.\n' >"$1/README.md"
	printf 'module.exports = 1;\n' >"$1/node_modules/x/index.js"
	commit "$1" first
}

serve() {
	_n=$1 _r=$2
	shift 2
	start "$_n" atoll-shard --repo "$_r" --listen "ipc://$W/$_n.ipc" --poll-ms 200 "$@"
	wait_for 20 atoll-shard --probe "ipc://$W/$_n.ipc"
}

coordinate() {
	_n=$1
	shift
	start "$_n" atoll-coordinator --data "$W/$_n.d" --http 127.0.0.1:0 --listen "ipc://$W/$_n.ipc" --ready-file "$W/$_n.ready" \
		--probe-interval-ms 200 --search-deadline-ms $((10000 * slow)) "$@"
	wait_for 10 test -s "$W/$_n.ready"
	ATOLL_URL=$(cat "$W/$_n.ready")
	export ATOLL_URL
}

rpc() {
	_n=$1 _o=
	shift
	[ "$1" != --stamp ] || { _o=$1; shift; }
	"$TESTBIN/rpc" $_o "ipc://$W/$_n.ipc" "$@"
}

json() {
	_f=$1
	shift
	python3 -IS -c 'import json, sys
v = json.load(open(sys.argv[1]))
for k in sys.argv[2:]:
    v = v[int(k)] if isinstance(v, list) else v.get(k)
print(v)' "$_f" "$@"
}

# An ingest waits for a slot of its machine: hold takes the one in $W/slots, so that builds wait until release.
hold() {
	rm -f "$W/holder.log"		# the previous one contains `held` too
	start holder python3 -c 'import fcntl, sys, time
f = open(sys.argv[1])
fcntl.flock(f, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(600)' "$W/slots/0"
	wait_for 10 grep -q held "$W/holder.log"
}
release() { stop holder KILL; }

# The number of forced builds in the log a.log.
forced() { grep 'ingest.done .*how=forced' "$W/a.log" | wc -l; }
