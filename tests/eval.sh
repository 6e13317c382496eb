#!/bin/sh
# eval.sh EVAL REPOS: scores contracts and search on labelled real repositories.  EVAL contains run.py and the labels,
# REPOS the repositories (see EVAL/README.md).  WHAT="contracts calls search" selects the parts (calls: how many are understood); `questions`: tests/questions;
# `further`: tests/learn/questions.  MODES ("lexical vector hybrid") selects the modes.  Exits 2 if EVAL or REPOS is missing.
cd "$(dirname "$0")/.." || exit 2
eval=$1 repos=$2
if [ ! -f "$eval/run.py" ] || [ ! -d "$repos" ]; then
	echo "make eval EVAL=DIR REPOS=DIR: EVAL must hold run.py and the labels (*.jsonl), REPOS the labelled repositories;" >&2
	echo "got EVAL='$eval' REPOS='$repos'." >&2
	exit 2
fi
bin=$PWD/${B:-build/release}/bin

# present LABELS: whether all of its repositories are there
present() {
	for n in $(grep -o '"repo": *"[^"]*"' "$1" | cut -d'"' -f4 | sed 's/#.*//' | sort -u); do
		[ -d "$repos/$(echo "$n" | tr / +)" ] && continue
		[ "$(git -C "$repos/${n#*/}" rev-parse HEAD 2>/dev/null)" ] && continue
		echo "left out: $(basename "$1") wants $n, which $repos does not hold"
		return 1
	done
}

wanted() { case " ${WHAT:-contracts calls search} " in *" $1 "*) ;; *) return 1 ;; esac; }
rc=0 scored=0
for labels in "$eval"/*.jsonl; do
	case $(basename "$labels") in search_*) continue ;; esac
	wanted contracts || continue
	present "$labels" || continue
	scored=$((scored + 1))
	echo "---- contracts: $(basename "$labels" .jsonl)"
	python3 "$eval/run.py" contracts "$labels" --repos "$repos" --bin "$bin" || rc=1
done
set --
for labels in "$eval"/*.jsonl; do
	case $(basename "$labels") in search_*) continue ;; esac
	wanted calls || continue
	present "$labels" && set -- "$@" "$labels"
done
if [ $# -gt 0 ]; then
	scored=$((scored + 1))
	echo "---- calls"
	python3 tests/eval_calls.py "$eval" "$repos" "$bin" "$@" || rc=1
fi
set --
for labels in "$eval"/search_*.jsonl; do
	# search_sockshop has other commits of repositories than their own labels: one federation for itself
	[ "$(basename "$labels")" = search_sockshop.jsonl ] && continue
	wanted search || continue
	present "$labels" && set -- "$@" "$labels"
done
if [ $# -gt 0 ]; then
	scored=$((scored + 1))
	echo "---- search: $(for l; do basename "$l" .jsonl; done | tr '\n' ' ')"
	python3 tests/eval_modes.py "$eval" "$repos" "$bin" "$@" || rc=1
fi
if wanted search && [ -f "$eval/search_sockshop.jsonl" ] && present "$eval/search_sockshop.jsonl"; then
	echo "---- search: search_sockshop"
	python3 tests/eval_modes.py "$eval" "$repos" "$bin" "$eval/search_sockshop.jsonl" || rc=1
fi
# questions PART DIR: asked in words of our own (tests/README.md), one federation each
questions() {
	for labels in "$2"/*.jsonl; do
		wanted "$1" && present "$labels" || continue
		scored=$((scored + 1))
		echo "---- $1: $(basename "$labels" .jsonl)"
		python3 tests/eval_modes.py "$eval" "$repos" "$bin" "$labels" || rc=1
	done
}
questions questions tests/questions
questions further tests/learn/questions
[ $scored -gt 0 ] || { echo "none of the labelled repositories is in $repos" >&2; exit 2; }
exit $rc
