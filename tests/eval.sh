#!/bin/sh
# eval.sh EVAL REPOS: scores contracts and search on labelled real repositories.  EVAL contains run.py and the labels,
# REPOS the repositories (see EVAL/README.md).  WHAT="contracts calls search mixed idioms names symbols exact confidence" selects the parts:
# calls, how many are understood; mixed, links between unrelated systems in one federation with all labelled ones; idioms, ways of
# writing routes and calls; names, whether exact names are found (mixed, idioms and names: a line each); symbols, uses of libraries in other repositories; exact, whether exact search finds what ripgrep finds; confidence, whether links
# are as sure as they say; `questions`: tests/questions; `further`: tests/learn/questions.  MODES ("lexical vector hybrid") selects
# the modes.  Exits 2 if EVAL or REPOS is missing.
cd "$(dirname "$0")/.." || exit 2
eval=$1 repos=$2
if [ ! -f "$eval/run.py" ] || [ ! -d "$repos" ]; then
	echo "make eval EVAL=DIR REPOS=DIR: EVAL must hold run.py and the labels (*.jsonl), REPOS the labelled repositories;" >&2
	echo "got EVAL='$eval' REPOS='$repos'." >&2
	exit 2
fi
bin=$PWD/${B:-build/release}/bin

# named FILE: the repositories in labels, or in a table of systems
named() {
	case $1 in
	*.tsv) grep -v '^#' "$1" | cut -f2 ;;
	*) grep -oE '"(to_)?repo": *"[^"]*"' "$1" | cut -d'"' -f4 ;;
	esac | sed 's/#.*//' | sort -u
}

# present FILE: whether all repositories that it names are there
present() {
	for n in $(named "$1"); do
		[ -d "$repos/$(echo "$n" | tr / +)" ] && continue
		[ "$(git -C "$repos/${n#*/}" rev-parse HEAD 2>/dev/null)" ] && continue
		echo "left out: $(basename "$1") wants $n, which $repos does not hold"
		return 1
	done
}

wanted() { case " ${WHAT:-contracts calls search mixed idioms names symbols exact confidence} " in *" $1 "*) ;; *) return 1 ;; esac; }
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
# in_a_line PART FORM PROGRAM ARGUMENTS...: what awk's FORM makes of the program's output; all of it if the program fails
in_a_line() {
	part=$1 form=$2
	shift 2
	scored=$((scored + 1))
	if python3 "$@" >"$out" 2>&1; then
		printf '%s: ' "$part"
		awk "$form" "$out"
	else
		cat "$out"
		echo "$part: failed"
		rc=1
	fi
}

systems=$eval/mixed_systems.tsv
out=$(mktemp)
trap 'rm -f "$out"' EXIT
# the federation needs every labelled system: each is judged in the company of all others
if wanted mixed && [ -f "$systems" ] && present "$systems"; then
	set --
	complete=yes
	for labels in "$eval"/*.jsonl; do
		case $(basename "$labels") in search_*) continue ;; esac
		present "$labels" || complete=no
		set -- "$@" "$labels"
	done
	# shellcheck disable=SC2016
	[ $complete = yes ] && in_a_line mixed '
		/^links of code/ { line = $0 }
		sub(/\.jsonl$/, "", $1) {
			f1 = ""
			for (i = 2; i <= NF; i++)
				if (sub(/^F1=/, "", $i))
					f1 = f1 (f1 ? "/" : "") $i
			all = all (all ? ", " : "") $1 " " f1
		}
		END { print line "; link F1 by place/strict: " all }' \
		"$eval/mixed.py" "$systems" "$@" --repos "$repos" --bin "$bin"
fi
if wanted confidence && [ -f "$systems" ] && present "$systems"; then
	echo "---- confidence"
	scored=$((scored + 1))
	python3 tests/confidence/confidence.py show "$eval" "$repos" "$bin" "$PWD/${B:-build/release}/tests/match" || rc=1
fi
if wanted idioms && [ -d "$eval/idioms" ]; then
	in_a_line idioms 'sub(/^idioms: /, "") { print }' "$eval/idioms.py" --bin "$bin"
fi
if wanted names && ! command -v ctags >/dev/null; then
	echo "left out: names needs Universal Ctags, which is not installed"
elif wanted names && [ -f "$systems" ] && present "$systems"; then
	in_a_line names 'sub(/^ALL names /, "") { print }' "$eval/names.py" "$systems" --repos "$repos" --bin "$bin"
fi
set --
for labels in "$eval"/symbols/*.jsonl; do
	wanted symbols && [ -f "$labels" ] && present "$labels" && set -- "$@" "$labels"
done
if [ $# -gt 0 ]; then
	scored=$((scored + 1))
	echo "---- symbols"
	python3 "$eval/symbols.py" "$@" --repos "$repos" --bin "$bin" || rc=1
fi
if wanted exact && ! command -v rg >/dev/null; then
	echo "left out: exact needs ripgrep, which is not installed"
elif wanted exact && [ -f "$eval/exact_patterns.tsv" ] && [ -f "$systems" ] && present "$systems"; then
	echo "---- exact"
	scored=$((scored + 1))
	python3 "$eval/exact.py" "$eval/exact_patterns.tsv" "$systems" --repos "$repos" --bin "$bin" || rc=1
fi
questions questions tests/questions
questions further tests/learn/questions
[ $scored -gt 0 ] || { echo "none of the labelled repositories is in $repos" >&2; exit 2; }
exit $rc
