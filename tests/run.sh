#!/bin/bash
# run.sh [PATTERN...]: run the built tests, all or those whose name contains a PATTERN; the last line is the result.
# run.sh --flaky N NAME: run one test N times and print how often it failed.
#   ONLY="PATTERN..."   patterns in the environment;  B=build/address-undefined   the variant
#   WHOLE=1  also the tests that the variant skips (skip_sanitizers, skip_address, skip_thread)
#   JOBS=N   concurrent programs (processors + 4, as they often wait);  LIMIT=S   seconds for each (300)
# A PATTERN is searched in the path below tests/, so `attacks/` selects that folder.
# The result counts the cases of unit tests, and otherwise programs (fuzz corpora, integration tests, attacks).
# A program that fails runs once more, alone, after all others.  If it then passes, it counts as passed and is listed as
# `flaky:`; both outputs are kept in $FLAKY (build/flaky).  More than FLAKY_MOST (3) flaky programs fail the run.
cd "$(dirname "$0")/.." || exit 2
B=${B:-build/release}
export B
R=$(mktemp -d /tmp/atoll.XXXXXX) || exit 2	# not in TMPDIR, as socket paths must be short
export RECORDS=$R/records			# what tests record, checked after all have ended
trap '[ -n "${KEEP:-}" ] || rm -rf "$R"' EXIT
trap 'exit 130' INT TERM HUP
FLAKY=${FLAKY:-$(dirname "$B")/flaky}
flaky_most=${FLAKY_MOST:-3}
times=0
if [ "${1:-}" = --flaky ]; then
	times=$2
	set -- "$3"
	unset ONLY
fi
read -ra patterns <<<"$* ${ONLY:-}"
passed=0 failed=0 skipped=0

san=$PWD/tests
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export TSAN_OPTIONS=halt_on_error=1:suppressions=$san/tsan.supp LSAN_OPTIONS=suppressions=$san/lsan.supp:print_suppressions=0
case $(command -v python3) in */shims/*) PATH=$(dirname "$(python3 -c 'import sys; print(sys.executable)')"):$PATH ;; esac	# as lib.sh, once
limit=${LIMIT:-300}
case $B in *address* | *thread*) limit=$((limit * 3)) ;; esac

wanted() {
	local name
	if [ "$times" -gt 0 ]; then
		name=$(basename "$1") name=${name%.*}
		[ "$name" = "${patterns[0]}" ]
		return
	fi
	[ ${#patterns[@]} -eq 0 ] && return
	for p in "${patterns[@]}"; do [[ $1 == *"$p"* ]] && return; done
	return 1
}

# left_out NAME: whether this variant skips it; never if it was named on the command line
left_out() {
	local lists=()
	case $B in *address*) lists=(tests/skip_sanitizers tests/skip_address) ;; *thread*) lists=(tests/skip_sanitizers tests/skip_thread) ;; esac
	[ -z "${WHOLE:-}" ] && [ ${#patterns[@]} -eq 0 ] && [ ${#lists[@]} -gt 0 ] && grep -qhx "$1" "${lists[@]}"
}

# count LOG STATUS NAME SECONDS: add to the result, by TAP lines if there are any
count() {
	local good bad
	good=$(grep -c '^ok [0-9]' "$1")
	bad=$(grep -c '^not ok [0-9]' "$1")
	[ "$2" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
	[ "$2" -eq 0 ] && [ $((good + bad)) -eq 0 ] && good=1
	passed=$((passed + good)) failed=$((failed + bad))
	if [ "$bad" -eq 0 ]; then echo "ok    $3 ($good), $4 s"; else echo "FAIL  $3"; cat "$1"; fi
}

# limited LOG CMD...: run for at most $limit s.  `timeout` puts it into its own process group, so signals are passed on to it.
limited() {
	local log=$1 pid rc
	shift
	timeout -k 20 "$limit" "$@" >"$log" 2>&1 </dev/null &
	pid=$!
	trap 'kill -TERM $pid 2>/dev/null' INT TERM HUP
	wait $pid
	rc=$?
	while kill -0 $pid 2>/dev/null; do wait $pid; done	# a signal interrupted the first wait
	return $rc
}

# unit NAME CMD...: run one program; its log and status are counted after all have ended
unit() {
	local start=$SECONDS
	CMOCKA_MESSAGE_OUTPUT=TAP limited "$R/$1.log" "${@:2}"
	echo "$? $((SECONDS - start))" >"$R/$1.rc"
}

# one SCRIPT: run it; its status goes to NAME.rc and its output to NAME.log.
one() {
	local name start own rc
	name=$(basename "$1" .sh) start=$SECONDS
	own=$(mktemp -d "$R/XXX")
	[ "$name" != 65-page ] || limit=$((limit * 2))	# a browser, with five other tests running
	TMPDIR=$own limited "$R/$name.log" "$1"
	rc=$?
	rm -f "$own"/tsan.rodata.*	# left by ThreadSanitizer when a program is killed at its start
	if [ -z "${KEEP:-}" ] && [ -n "$(ls -A "$own")" ]; then
		echo "FAIL: left on disk: $(ls -A "$own")" >>"$R/$name.log"
		rc=1
	fi
	[ $rc -eq 124 ] && echo "FAIL: time limit of $limit s" >>"$R/$name.log"
	echo "$rc $((SECONDS - start))" >"$R/$name.rc"
	case $rc in
	0) echo "ok    $name, $((SECONDS - start)) s" ;;
	77) echo "skip  $name: $(grep '^skipped' "$R/$name.log" | tail -n 1)" ;;
	*) { echo "FAIL  $name"; sed 's/^/    /' "$R/$name.log"; } ;;
	esac
}

# run FILE: run the test program or script of this source file
run() {
	local name
	name=$(basename "$1") name=${name%.*}
	case $name in
	fuzz_*) unit "$name" "$B/tests/$name" "tests/fuzz/corpus/${name#fuzz_}" ;;
	test_*) unit "$name" "$B/tests/$name" ;;
	*) one "$1" ;;
	esac
}

# bad NAME: whether it failed
bad() {
	local rc
	read -r rc _ <"$R/$1.rc" || return 0
	[ "$rc" != 0 ] && [ "$rc" != 77 ]
}

# again FILE NAME: run a test that failed once more; if it passes now, both outputs are kept
again() {
	mv "$R/$2.log" "$R/$2.first"
	run "$1"
	bad "$2" && return
	mkdir -p "$FLAKY"
	cp "$R/$2.first" "$FLAKY/$2.$(basename "$B").failed"
	cp "$R/$2.log" "$FLAKY/$2.$(basename "$B").passed"
	flaky+=("$2")
}

# rate FILE: run it $times times and print how often it failed
rate() {
	local name i failures=0
	name=$(basename "$1") name=${name%.*}
	for i in $(seq "$times"); do
		run "$1"
		bad "$name" || continue
		failures=$((failures + 1))
		mkdir -p "$FLAKY"
		cp "$R/$name.log" "$FLAKY/$name.$(basename "$B").$i"
	done
	echo "$name: $failures of $times failed ($((100 * failures / times)) %)"
	[ "$failures" -eq 0 ] || echo "their output is in $FLAKY/$name.$(basename "$B").*"
	[ "$failures" -eq 0 ]
}

# room: wait until another job may start
room() {
	while [ "$(jobs -pr | wc -l)" -ge "${JOBS:-$(($(nproc) + 4))}" ]; do wait -n; done
}

stop_all() {
	trap '' INT TERM HUP
	# shellcheck disable=SC2046
	kill -TERM $(jobs -p) 2>/dev/null
	wait
	exit 130
}
trap stop_all INT TERM HUP

# Slow tests start first, so that the run does not wait for one of them at the end.
units=() scripts=() alone=() files=() flaky=()
for f in $(cat tests/run_first) $(find tests/unit -name 'test_*.c' | sort) tests/fuzz/fuzz_*.c tests/integration/[0-9]*.sh tests/attacks/[0-9]*.sh tests/multihost/[0-9]*.sh; do
	name=$(basename "$f") name=${name%.*}
	[ -f "$f" ] && wanted "${f#tests/}" || continue
	case " ${units[*]} ${scripts[*]} ${alone[*]} " in *" $name "* | *" $f "*) continue ;; esac
	! left_out "$name" || continue
	files+=("$f")
	! grep -qx "$name" tests/run_alone || { alone+=("$f"); continue; }
	case $f in *.c) units+=("$name") ;; *) scripts+=("$name") ;; esac
	[ "$times" -eq 0 ] || continue
	room
	run "$f" &
done
if [ "$times" -gt 0 ]; then
	[ ${#files[@]} -eq 1 ] || { echo "run.sh --flaky N NAME: test \`${patterns[0]}\` does not exist" >&2; exit 2; }
	rate "${files[0]}"
	exit
fi
wait
# Timing-sensitive tests run alone.
for f in "${alone[@]}"; do
	scripts+=("$(basename "$f" .sh)")
	run "$f"
done
failures=()
for f in "${files[@]}"; do
	name=$(basename "$f") name=${name%.*}
	! bad "$name" || failures+=("$f")
done
if [ ${#failures[@]} -le $((flaky_most * 3)) ]; then	# more failures are not flakiness
	for f in "${failures[@]}"; do
		name=$(basename "$f")
		again "$f" "${name%.*}"
	done
fi
for name in "${units[@]}"; do
	read -r rc seconds <"$R/$name.rc"
	count "$R/$name.log" "$rc" "$name" "$seconds"
done

if [ -n "$(ls -A "$RECORDS" 2>/dev/null)" ]; then
	scripts+=(records)
	one tests/mcp/records.sh
fi

for name in "${scripts[@]}"; do
	rc=
	[ ! -f "$R/$name.rc" ] || read -r rc _ <"$R/$name.rc"
	case $rc in
	0) passed=$((passed + 1)) ;;
	77) skipped=$((skipped + 1)) ;;
	*) failed=$((failed + 1)) ;;
	esac
done

for name in "${flaky[@]}"; do
	echo "flaky: $name failed once and passed when it ran again, alone; both outputs are in $FLAKY"
done
if [ ${#flaky[@]} -gt "$flaky_most" ]; then
	echo "FAIL: ${#flaky[@]} tests were flaky; the maximum is $flaky_most"
	failed=$((failed + ${#flaky[@]}))
	passed=$((passed - ${#flaky[@]}))
fi
line="$passed passed, $failed failed"
[ $skipped -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
