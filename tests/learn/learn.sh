#!/bin/sh
# learn.sh REPOS WORK NAME...: learns the rows of proto/text/word_weights.def from REPOS/NAME/repo, four per federation; run after `make`.
# Needs python3-numpy.  Do not use repositories on which rankings are evaluated.
# WORK keeps the intermediate results, so a run can be resumed: idx/ (indexes), d/ (their documents), q/ (questions), fed/ (the ranker's output).
set -e
cd "$(dirname "$0")/../.."
REPOS=$1 WORK=$2 B=${B:-build/release} TP=build/third_party
export REPOS WORK PYTHONDONTWRITEBYTECODE=1
shift 2
mkdir -p "$WORK/d" "$WORK/q" "$WORK/fed"
LIBS="-lgit2 -lpcre2-8 -lexpat -lprotobuf-c -lyaml -lcurl -ljansson -lmsgpackc -lssl -lcrypto -lsqlite3 -ldeflate -lnng -lpthread -lm"
# shellcheck disable=SC2086
cc -O3 -march=native -std=c11 -D_GNU_SOURCE -I. -o "$WORK/ranker" tests/learn/*.c "$B/embedded_shard.o" \
	-Wl,--start-group "$B/libshard.a" "$B/libproto.a" -Wl,--end-group $TP/grammars.a $LIBS
for n; do
	[ -s "$WORK/q/$n.jsonl" ] && continue
	"$B/bin/atoll-shard" --repo "$REPOS/$n/repo" --data "$WORK/idx/$n" --once --embedder none
	"$WORK/ranker" dump "$(dirname "$(find "$WORK/idx/$n" -name CURRENT)")" "$REPOS/$n/repo" "$WORK/d/$n" > "$WORK/d/$n.commit"
	python3 tests/learn/questions.py make "$n"
done
feds=
while [ $# -gt 0 ]; do
	fed=T$# four=
	for i in 1 2 3 4; do
		[ $# -gt 0 ] && four="$four $1" && shift
	done
	feds="$feds $fed"
	[ -s "$WORK/fed/$fed.out" ] && continue
	python3 tests/learn/questions.py federation $fed $four
	"$WORK/ranker" score "$WORK/fed/$fed.list" "$WORK/fed/$fed.tsv" "$WORK/fed/$fed.out"
done
python3 tests/learn/word_weights.py $feds
