#!/bin/sh
# make bench: speed and memory, each number beside a floor or a peer measured in the same run.
#   BENCH_SOURCES="DIR ..."  git repositories or folders of real code (default: what a Debian machine has)
#   BENCH_TREES=DIR          of trees.sh; LINUX=1 with the kernel
#   BENCH_FILES=2000         files a repository      BENCH_SHARDS="1 8 40"  sizes of the groups
set -e
cd "$(dirname "$0")/../.."
BIN=$PWD/$B/bin T=$PWD/$B/tests
FILES=${BENCH_FILES:-2000} SHARDS=${BENCH_SHARDS:-1 8 40}
most=$(printf '%s\n' $SHARDS | sort -n | tail -1)
if [ -z "$BENCH_SOURCES" ]; then
	for d in /usr/lib/python3* /usr/include /usr/lib/node_modules /usr/lib/google-cloud-sdk /root/.pyenv/versions; do
		[ -d "$d" ] && BENCH_SOURCES="$BENCH_SOURCES $d"
	done
fi
W=$(mktemp -d /tmp/atoll-bench-XXXXXX)
up=
finish() {
	[ -z "$up" ] || { kill "$up" 2>/dev/null; wait "$up" 2>/dev/null; }
	rm -rf "$W"
}
trap finish EXIT
trap 'exit 130' INT TERM
say() { printf '%-46s %s\n' "$1" "$2"; }
seconds() { awk "BEGIN { printf \"%.2f\", ($2 - $1) / 1e9 }"; }
now() { date +%s%N; }
# pss PID: kilobytes
pss() { awk '/^Pss:/ { print $2 }' "/proc/$1/smaps_rollup"; }

say "corpus" "$(python3 tests/bench/corpus.py "$W/src" "$most" "$FILES" $BENCH_SOURCES)"

# ---- index whole trees, each beside its floor and ctags ----
if TREES=${BENCH_TREES:-$BUILD/bench-trees} && tests/bench/trees.sh "$TREES" >"$W/trees.log" 2>&1; then
	python3 tests/bench/index.py "$BIN" "$T" "$TREES"
else
	say "index: no trees (packages unreachable)" "$(tail -1 "$W/trees.log")"
fi

# ---- freshness ----
mkdir "$W/latency"
python3 "$(dirname "$0")/latency.py" "$BIN/atoll-shard" "$T/rpc" "$W/latency" >"$W/latency.out" || cat "$W/latency.out"
say "one changed line, commit to answer, ms" "$(sed -n 1p "$W/latency.out")"
say "a sync with nothing to do, ms" "$(sed -n 2p "$W/latency.out")"

# ---- the federation ----
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export ATOLL_URL=http://127.0.0.1:$port
t0=$(now)
"$BIN/atoll" up --data "$W/data" --http "127.0.0.1:$port" --group all "$W"/src/r?? >"$W/up.out" 2>"$W/up.log" &
up=$!
ready() { curl -sf "$ATOLL_URL/readyz" >/dev/null; }
n=0
until ready; do
	kill -0 "$up" 2>/dev/null || { cat "$W/up.log"; exit 1; }
	n=$((n + 1)); [ $n -lt 3600 ] || { tail -5 "$W/up.log"; exit 1; }
	sleep 0.5
done
say "index $most repositories, wall" "$(seconds "$t0" "$(now)") s, $(nproc) cores"
sleep 5
shard_pids=$(pgrep -P "$up" -x atoll-shard | tr '\n' ' ')
coord_pid=$(pgrep -P "$up" -f atoll-coordinator | head -1)
for p in $shard_pids; do pss "$p"; done | sort -n >"$W/pss"
say "PSS of an idle shard, MB" "$(awk '{ v[NR] = $1 } END { printf "median %.1f, largest %.1f (%d shards)", v[int((NR + 1) / 2)] / 1024, v[NR] / 1024, NR }' "$W/pss")"
say "PSS of the coordinator, MB" "$(awk "BEGIN { printf \"%.1f; %.0f KB a shard\", $(pss "$coord_pid") / 1024, $(pss "$coord_pid") / $most }")"

for k in $SHARDS; do
	members=$("$BIN/atoll" call group_status '{"group":"all"}' |
		python3 -c "import json,sys; print(' '.join(r['repo_uri'] for r in json.load(sys.stdin)['repos'][:$k]))")
	"$BIN/atoll" group create "g$k" $members >/dev/null
	python3 -c "import json,sys
for q in open('$W/src/queries.txt'):
    print(json.dumps({'group': 'g$k', 'query': q.strip()}))" >"$W/q$k"
	set -- $("$T/bench_fanout" "$k" 500)
	floor50=$3 floor99=$4
	set -- $("$T/bench_query" "$ATOLL_URL" group_query "$W/q$k")
	say "nng fan-out floor, $k processes, ms" "$(awk "BEGIN { printf \"p50 %.2f p99 %.2f\", $floor50/1e3, $floor99/1e3 }")"
	say "group_query, $k shards, $2 queries, ms" "$(awk "BEGIN { printf \"p50 %.2f p99 %.2f; %.1f x the floor; incomplete %d, failed %d\", $3/1e3, $4/1e3, $3/$floor50, $5, $6 }")"
done
for p in $shard_pids; do pss "$p"; done | sort -n >"$W/pss"
say "PSS of a shard after the queries, MB" "$(awk '{ v[NR] = $1 } END { printf "median %.1f, largest %.1f", v[int((NR + 1) / 2)] / 1024, v[NR] / 1024 }' "$W/pss")"
say "PSS of the coordinator after the queries, MB" "$(awk "BEGIN { printf \"%.1f\", $(pss "$coord_pid") / 1024 }")"
