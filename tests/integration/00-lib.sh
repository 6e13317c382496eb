#!/bin/sh
# The harness itself: a test that leaves a process behind, or fails, is noticed; side by side runs have their own ports and folders.
. "$(dirname "$0")/../lib.sh"

mkdir "$W/t" "$W/t/tests"
cp "$ROOT/tests/lib.sh" "$W/t/tests/"
try() {
	printf '#!/bin/bash\n. "$(dirname "$0")/lib.sh"\n%s\n' "$1" >"$W/t/tests/x.sh"
	chmod +x "$W/t/tests/x.sh"
	env -u TEST_ID -u W TMPDIR="$W/t" "$W/t/tests/x.sh" >"$W/out" 2>&1
}

try 'ok fine' || fail "a good test is good"
if try 'fail bad'; then fail "a bad test is bad"; fi
if try 'skip here'; then fail "a skipped test is not good"; else same "status of skipped" $? 77; fi
if try 'false; ok unreached'; then fail "a command that fails ends the test"; fi
try 'start s sleep 100; kill -0 $(pid_of s)' || fail "what start started is ended"
if try '(trap "" TERM; sleep 100 & sleep 100) & slow=0; sleep 0.5'; then fail "a process left behind is noticed"; fi
grep -q 'left running: [0-9]* sleep 100' "$W/out" || fail "it is named: $(cat "$W/out")"
if try 'start s sleep 100; false'; then fail "a failed command"; fi
if grep 'left running' "$W/out"; then fail "what a failed test started is ended like that of a good one"; fi
ok "failures and leftovers are noticed"
mkdir "$W/o"
printf '#!/bin/sh\n. "%s/t/tests/lib.sh"\n' "$W" >"$W/o/x.sh"
rc=0
timeout 10 sh "$W/o/x.sh" 2>/dev/null || rc=$?
same "status of a test outside of the tree" $rc 2

try 'start d sh -c "trap \"\" STOP; kill -STOP \$\$"; sleep 0.2' || fail "a stopped process is ended: $(cat "$W/out")"
ok "stopped processes are ended"
[ -z "$(ls "$W/t" | grep atoll)" ] || fail "folders are removed: $(ls "$W/t")"
ok "nothing is left on disk"
