#!/bin/sh
# make bench: speed and memory, each number beside a floor or a peer measured in the same run.
#   BENCH="index vectors freshness growth push contracts uses http federation page scale"   which parts (all but scale)
#   BENCH_SOURCES="DIR ..."                 git repositories or folders of real code (default: what a Debian machine has)
#   BENCH_TREES=DIR                         of trees.sh; LINUX=1 with the kernel
#   BENCH_SCALE="1000:ipc 1000:tls"      shards and transport
#   BENCH_GROWTH=30000                      files of the larger repository of `growth`
#   BENCH_QUERIES=100                       questions of `federation` (default: 500)
#   BENCH_FEDERATIONS="40x2000 250x200 1000x10"     repositories x files of each
set -e
cd "$(dirname "$0")/../.."
BIN=$PWD/$B/bin T=$PWD/$B/tests
W=$(mktemp -d /tmp/atoll-bench-XXXXXX)
trap 'rm -rf "$W"' EXIT
trap 'exit 130' INT TERM
say() { printf '%-58s %s\n' "$1" "$2"; }

# Whole trees, each beside its floor and ctags.
TREES=${BENCH_TREES:-$BUILD/bench-trees}
index() {
	if tests/bench/trees.sh "$TREES" >"$W/trees.log" 2>&1; then
		python3 tests/bench/index.py "$BIN" "$T" "$TREES"
	else
		say "index: no trees (packages unreachable)" "$(tail -1 "$W/trees.log")"
	fi
}

vectors() {
	if [ -d "$TREES/python" ] || tests/bench/trees.sh "$TREES" >"$W/trees.log" 2>&1; then
		"$T/bench_vectors" "$TREES/python"
	else
		say "vectors: no trees (packages unreachable)" "$(tail -1 "$W/trees.log")"
	fi
}

freshness() {
	mkdir "$W/latency"
	python3 tests/bench/latency.py "$BIN/atoll-shard" "$T/rpc" "$W/latency" >"$W/latency.out" || cat "$W/latency.out"
	say "one changed line, commit to answer, ms" "$(sed -n 1p "$W/latency.out")"
	say "a sync with nothing to do, ms" "$(sed -n 2p "$W/latency.out")"
	rm -rf "$W/latency"
}

growth() {
	mkdir "$W/growth"
	python3 tests/bench/growth.py "$BIN" "$W/growth"
	rm -rf "$W/growth"
}

push() {
	mkdir "$W/push"
	say "a push, webhook to answer, p50 / p99, ms" "$(python3 tests/bench/push.py "$BIN" "$W/push" | tail -1)"
	rm -rf "$W/push"
}

contracts() {
	"$T/bench_match"
	mkdir "$W/contracts"
	python3 tests/bench/contracts.py "$BIN" "$W/contracts"
	rm -rf "$W/contracts"
}

uses() {
	mkdir "$W/uses"
	python3 tests/bench/uses.py "$BIN" "$W/uses"
	rm -rf "$W/uses"
}

http() {
	python3 tests/bench/request.py "$BIN" "$T" "$W/http"
	rm -rf "$W/http"
}

federation() {
	if [ -z "$BENCH_SOURCES" ]; then
		for d in /usr/lib/python3* /usr/include /usr/lib/node_modules /usr/lib/google-cloud-sdk "$HOME/.pyenv/versions"; do
			[ -d "$d" ] && BENCH_SOURCES="$BENCH_SOURCES $d"
		done
	fi
	for shape in ${BENCH_FEDERATIONS:-40x2000 250x200 1000x10}; do
		# shellcheck disable=SC2086
		python3 tests/bench/federation.py "$BIN" "$T" "$W/$shape" "$shape" $BENCH_SOURCES
		rm -rf "$W/$shape"
	done
}

# One folder for all, so that a repository is indexed once.  Paths of sockets are short.
scale() {
	for shape in ${BENCH_SCALE:-1000:ipc 1000:tls}; do
		nice python3 tests/bench/scale.py "$BIN" "$T" "$W/scale" "${shape%:*}" "${shape#*:}"
	done
}

# In a browser: what people wait for.
page() {
	PAGE_BENCH=1 tests/integration/65-page.sh >"$W/page.out" 2>&1 || tail -5 "$W/page.out"
	sed -n 's/^bench //p' "$W/page.out"
}

for part in ${BENCH:-index vectors freshness growth push contracts uses http federation page}; do
	"$part"
done
