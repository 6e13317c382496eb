#!/bin/sh
# The index follows the repository while queries run: no query fails or mixes generations.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

make_repo "$W/a"
value() { printf 'def marker_%s():\n    """Marks the state."""\n    return %s\n' "$1" "$1" >"$W/a/src/marker.py"; commit "$W/a" "marker $1"; }
value 1
serve s "$W/a" --data "$W/d"
at() { rpc s health >"$W/health" && [ "$(json "$W/health" commit)" = "$1" ]; }

python3 -c 'import json
for i in range(1000): print(json.dumps({"query": "marks the state of marker", "limit": 2}))' >"$W/loop"
start loop sh -c 'until [ -e "$1.enough" ]; do "$0" --stamp --loop "$1" "$2" search 2>/dev/null; done >"$1.out"' \
	"$TESTBIN/rpc" "$W/loop" "ipc://$W/s.ipc"
wait_for 20 test -s "$W/loop.out"	# what comes now is seen by those who ask
for i in 2 3 4; do
	value $i
	wait_for 20 at "$(git -C "$W/a" rev-parse HEAD)"
done
touch "$W/loop.enough"
wait_for 30 gone "$(pid_of loop)"
python3 - "$W/loop.out" <<'END' || fail "queries failed during the ingests"
import json, sys
marker, generations, n = {}, [], 0
for line in open(sys.argv[1]):
    a = json.loads(line)
    assert "error" not in a, a
    n += 1
    g = a["stamp"]["generation"]
    names = [h["symbol"] for h in a["body"]["hits"] if h.get("symbol", "").startswith("marker_")]
    assert names == ["marker_%d" % g], (g, names)
    if not generations or generations[-1] != g:
        generations.append(g)
assert n >= 1000 and n % 1000 == 0, n
print(n, "queries over the generations", generations)
assert generations == sorted(generations) and len(generations) >= 2, generations
END
ok "queries over several generations, each answered from one"

behind() { rpc "$1" --stamp health >"$W/out" && [ "$(json "$W/out" stamp behind)" = "$2" ]; }
wait_for 20 behind s 0
rpc s sync >"$W/out"
same "nothing to sync" "$(json "$W/out" started)" False
rpc s sync '{"force":true}' >"$W/out"
same "forced" "$(json "$W/out" started)" True
grown() { rpc s health >"$W/health" && [ "$(json "$W/health" generation)" -ge 5 ]; }
wait_for 10 grown
ok "sync"

# history is rewritten: the indexed commit is no longer an ancestor
git -C "$W/a" checkout -q --orphan other
commit "$W/a" "another history"
head=$(git -C "$W/a" rev-parse HEAD)
wait_for 10 at "$head"
git -C "$W/a" checkout -q --detach main~2
wait_for 10 at "$(git -C "$W/a" rev-parse main~2)"
rpc s search '{"query":"marker_2","limit":1}' >"$W/out"
same "the detached commit" "$(json "$W/out" hits 0 symbol)" marker_2
wait_for 20 behind s 2	# the default branch
stop s
serve s "$W/a" --data "$W/d" --poll-ms 0
serve other "$W/a" --data "$W/d-other"	# this one watches: what it has seen, the first one could have seen
git -C "$W/a" checkout -q main
seen() { rpc other health >"$W/health" && [ "$(json "$W/health" commit)" = "$(git -C "$W/a" rev-parse main)" ]; }
wait_for 20 seen
stop other
at "$(git -C "$W/a" rev-parse main~2)" || fail "--poll-ms 0 still watches the repository"
rpc s sync >"$W/out"
same "head of sync" "$(json "$W/out" head)" "$(git -C "$W/a" rev-parse main)"
wait_for 10 at "$(git -C "$W/a" rev-parse main)"
stop s
ok "rewritten history, detached HEAD, updates by sync alone"

# a clone: its default branch is its remote's as last fetched; commits on top of it are not behind
git clone -q "$W/a" "$W/Clone"
git -C "$W/Clone" checkout -q -b feature
printf 'def mine():\n    pass\n' >"$W/Clone/mine.py"
commit "$W/Clone" mine
serve c "$W/Clone" --data "$W/d"
wait_for 20 behind c 0
value 5
value 6
git -C "$W/Clone" fetch -q
wait_for 20 behind c 2
git -C "$W/Clone" -c user.name=t -c user.email=t@example.com merge -q -m merge origin/main
wait_for 20 behind c 0
rpc c contracts '{"limit":1}' >"$W/out"
same "the name that others call it by" "$(json "$W/out" names)" "['Clone']"
stop c
git -C "$W/Clone" remote set-url origin https://git.example.com/shop/accounts.git
serve c "$W/Clone" --data "$W/d"
rpc c contracts '{"limit":1}' >"$W/out"
same "the name of a hosted one" "$(json "$W/out" names)" "['accounts']"
mkdir -p "$W/Clone/src/test"
printf 'spring:\n  application:\n    name: ledger\nserver:\n  port: 8095\n' >"$W/Clone/application.yml"
printf 'server:\n  port: 8096\n' >"$W/Clone/src/test/application.yml"
commit "$W/Clone" settings
named() { rpc c contracts '{"limit":1}' >"$W/out" && [ "$(json "$W/out" names)" = "[':8095', 'accounts', 'ledger']" ]; }
wait_for 10 named
stop c
ok "\`behind\` counts up to the default branch; the service name"

# no commit yet
git init -q "$W/empty"
start e atoll-shard --repo "$W/empty" --data "$W/d" --listen "ipc://$W/e.ipc" --poll-ms 200
failed() { rpc e health >"$W/out" && [ "$(json "$W/out" status)" = failed ]; }
wait_for 10 failed
if rpc e search '{"query":"x","limit":1}' >"$W/out"; then fail "a search without an index succeeded"; fi
same "code" "$(json "$W/out" error code)" NO_INDEX
printf 'def first():\n    pass\n' >"$W/empty/a.py"
commit "$W/empty" first
wait_for 10 atoll-shard --probe "ipc://$W/e.ipc"
stop e
ok "a repository without commits answers NO_INDEX until it has one"
