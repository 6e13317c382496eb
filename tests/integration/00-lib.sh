#!/bin/sh
# The test harness: it notices a test that fails or leaves a process behind. Concurrent runs have their own ports and folders.
. "$(dirname "$0")/../lib.sh"

mkdir "$W/t" "$W/t/tests"
cp "$ROOT/tests/lib.sh" "$W/t/tests/"
try() {
	printf '#!/bin/bash\n. "$(dirname "$0")/lib.sh"\n%s\n' "$1" >"$W/t/tests/x.sh"
	chmod +x "$W/t/tests/x.sh"
	env -u TEST_ID -u W TMPDIR="$W/t" "$W/t/tests/x.sh" >"$W/out" 2>&1
}

try 'ok fine' || fail "a test that passes is reported as failed"
if try 'fail bad'; then fail "a failed test is reported as passed"; fi
if try 'skip here'; then fail "a skipped test is reported as passed"; else same "status of skipped" $? 77; fi
if try 'false; ok unreached'; then fail "a failing command does not end the test"; fi
try 'start s sleep 100; kill -0 $(pid_of s)' || fail "a process of \`start\` outlives the test"
if try 'both() { p=$(_ours); [ "$(echo $p | wc -w)" = 2 ]; }
	(trap "" TERM; sleep 100 & sleep 100) & wait_for 20 both; slow=0'; then fail "a leftover process is not noticed"; fi
grep -q 'left running: [0-9]* sleep 100' "$W/out" || fail "the leftover process is not named: $(cat "$W/out")"
if try 'in_time 0 sleep 0.01'; then fail "in_time accepts a command that is always too slow"; fi
grep -q 'each of five times took more than 0 s' "$W/out" || fail "in_time does not say so: $(cat "$W/out")"
if try 'start s sleep 100; false'; then fail "in_time accepts a failed command"; fi
if grep 'left running' "$W/out"; then fail "processes of a failed test are not ended cleanly"; fi
ok "failures and leftover processes are noticed"
mkdir "$W/o"
printf '#!/bin/sh\n. "%s/t/tests/lib.sh"\n' "$W" >"$W/o/x.sh"
rc=0
timeout 60 sh "$W/o/x.sh" 2>/dev/null || rc=$?
same "status of a test outside of the tree" $rc 2

try 'stands() { grep -q "^State:.T" "/proc/$(pid_of d)/status"; }
	start d sh -c "kill -STOP \$\$"; wait_for 20 stands' || fail "a stopped process is not ended: $(cat "$W/out")"
ok "stopped processes are ended"
[ -z "$(ls "$W/t" | grep atoll)" ] || fail "folders are not removed: $(ls "$W/t")"
ok "nothing is left on disk"

# ---- run.sh: a signal that ends it ends its tests and their daemons
mkdir -p "$W/r/tests/unit" "$W/r/tests/fuzz" "$W/r/tests/integration" "$W/r/tests/multihost"
cp "$ROOT/tests/lib.sh" "$ROOT/tests/run.sh" "$W/r/tests/"
for i in 1 2; do
	cat >"$W/r/tests/integration/1$i-x.sh" <<END
#!/bin/bash
. "\$(dirname "\$0")/../lib.sh"
start daemon sleep 1000
cp "\$W/daemon.pid" "$W/daemon$i"
echo "\$W" >"$W/folder$i"
wait_for 1000 false
END
	chmod +x "$W/r/tests/integration/1$i-x.sh"
done
for how in group itself; do
	rm -f "$W"/daemon? "$W"/folder?
	env -u TEST_ID -u W -u TMPDIR -u ONLY -u JOBS -u LIMIT setsid "$W/r/tests/run.sh" >"$W/run.log" 2>&1 </dev/null &
	echo $! >"$W/run.pid"
	wait_for 20 test -s "$W/folder1" -a -s "$W/folder2"
	case $how in
	group) kill -TERM "-$(pid_of run)" ;;
	itself) kill -TERM "$(pid_of run)" ;;
	esac
	wait_for 20 gone "$(pid_of run)"
	for i in 1 2; do
		gone "$(cat "$W/daemon$i")" || fail "SIGTERM to the $how: a daemon is left"
		[ ! -e "$(cat "$W/folder$i")" ] || fail "SIGTERM to the $how: a folder is left"
	done
done
ok "SIGTERM to run.sh, or to its group, ends tests and daemons"

# ---- run.sh: a test that fails runs once more, alone
rm -f "$W"/r/tests/integration/*
script() {
	printf '#!/bin/bash\n. "$(dirname "$0")/../lib.sh"\n%s\n' "$2" >"$W/r/tests/integration/$1.sh"
	chmod +x "$W/r/tests/integration/$1.sh"
}
suite() { env -u TEST_ID -u W -u ONLY -u JOBS -u LIMIT TMPDIR="$W" B=build/x "$W/r/tests/run.sh" "$@" >"$W/out" 2>&1; }
once="[ -e \"$W/seen-\$(basename \"\$0\")\" ] || { : >\"$W/seen-\$(basename \"\$0\")\"; fail unlucky; }; ok"
script 11-unlucky "$once"
script 12-good 'ok good'
suite || fail "one flaky test fails the run: $(cat "$W/out")"
grep -q '^flaky: 11-unlucky ' "$W/out" || fail "the flaky test is not named: $(cat "$W/out")"
same "last line" "$(tail -n 1 "$W/out")" '2 passed, 0 failed'
grep -q 'FAIL: unlucky' "$W/r/build/flaky/11-unlucky.x.failed" || fail "the first output is not kept"
grep -q '^ok' "$W/r/build/flaky/11-unlucky.x.passed" || fail "the second output is not kept"
script 13-bad 'fail always'
if suite; then fail "a test that fails twice does not fail the run"; fi
same "last line" "$(tail -n 1 "$W/out")" '2 passed, 1 failed'
rm "$W/r/tests/integration/13-bad.sh" "$W"/seen-*
for i in 14 15 16; do script $i-unlucky "$once"; done
if suite; then fail "more than three flaky tests do not fail the run"; fi
same "last line" "$(tail -n 1 "$W/out")" '1 passed, 4 failed'
ok "a test that fails once is flaky, a test that fails twice has failed, more than three flaky tests fail the run"
rm "$W"/seen-*
if suite --flaky 4 11-unlucky; then fail "--flaky succeeds although one of four runs failed"; fi
grep -q '^11-unlucky: 1 of 4 failed (25 %)$' "$W/out" || fail "the failure rate is not printed: $(cat "$W/out")"
if suite --flaky 4 unlucky; then fail "--flaky accepts a part of a name"; fi
grep -q 'test `unlucky` does not exist' "$W/out" || fail "the missing test is not named: $(cat "$W/out")"
ok "--flaky prints how often a test fails"
