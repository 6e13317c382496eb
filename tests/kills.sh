# kills.sh: kills processes while they write; sourced after lib.sh and shard.sh.
#   kills N      N times: a commit (or a rebuild) starts, and SIGKILL hits the ingest child or the shard; afterwards the published
#                index is served and passes its checks, and the commit is finally indexed

kills_repo() {
	python3 "$ROOT/tests/make_history.py" "$W/history" 12 7 || fail "make_history"
	for _i in 1 2 3 4 5 6 7 8; do	# enough to be caught at it
		mkdir -p "$W/history/more$_i"
		cp "$W"/history/src/*.* "$W/history/more$_i/" 2>/dev/null || true
	done
	commit "$W/history" more
}

# The stamp of an answer that read the index: generation and commit.
stamp() {
	rpc k --stamp search '{"query":"load order","limit":1}' >"$W/stamp" &&
		echo "$(json "$W/stamp" stamp generation) $(json "$W/stamp" stamp commit)"
}
serves() { stamp >/dev/null; }
indexed() { [ "$(stamp | cut -d ' ' -f 2)" = "$1" ]; }
# The last ingest is over and a file that a kill was blamed on is forgiven: else two kills would put it in quarantine.
settled() {
	rpc k health >"$W/health" && [ "$(json "$W/health" phase)" = None ] && ! grep -q . "$W"/d/*/quarantine 2>/dev/null
}

check_index() {
	python3 "$ROOT/tests/compare_indexes.py" "$W/d" >"$W/difference" 2>&1 || fail "the index after kill $1: $(cat "$W/difference")"
}

# kill_in WHO COMMAND...: run it, and SIGKILL the ingest child that it brings (WHO child), or the shard, at some instant of the
# child's life.  Says whom it hit.
kill_in() {
	python3 - "$(pid_of k)" "$@" <<'END'
import os, random, signal, subprocess, sys, time
shard, who, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
def child():
    with open(f"/proc/{shard}/task/{shard}/children") as f:
        return int((f.read().split() or [0])[0])
began = subprocess.Popen(command, stdout=subprocess.DEVNULL)
end = time.time() + 5
while not child() and time.time() < end:
    time.sleep(0.001)
time.sleep(random.choice([0, 0.003, 0.03, 0.3]) * random.random())
victim = child() if who == "child" else shard
try:
    if victim:
        os.kill(victim, signal.SIGKILL)
        print(who)
except ProcessLookupError:      # it has ended meanwhile
    pass
began.wait()
END
}

kills() {
	kills_repo
	serve k "$W/history" --data "$W/d" --poll-ms 100
	_hit=0
	_i=0
	while [ "$_i" -lt "$1" ] || { [ "$_hit" -lt $(($1 / 2)) ] && [ "$_i" -lt $((4 * $1)) ]; }; do
		_i=$((_i + 1))
		_before=$(stamp | cut -d ' ' -f 1)
		_who=child
		[ $((RANDOM % 2)) -eq 0 ] || _who=shard
		printf 'def kill_%s(order):\n    return load_order(order) + %s\n' "$_i" "$_i" >"$W/history/src/kill$((_i % 5)).py"
		git -C "$W/history" add -A
		if [ $((_i % 3)) -eq 0 ]; then
			_got=$(kill_in $_who "$TESTBIN/rpc" "ipc://$W/k.ipc" sync '{"force":true}')
			commit "$W/history" "kill $_i"
		else
			_got=$(kill_in $_who git -C "$W/history" -c user.name=t -c user.email=t@example.com commit -qm "kill $_i")
		fi
		if [ -n "$_got" ]; then _hit=$((_hit + 1)); fi
		if [ "$_got" = shard ]; then
			wait_for 10 gone "$(pid_of k)"
			serve k "$W/history" --data "$W/d" --poll-ms 100
		fi
		_after=$(stamp | cut -d ' ' -f 1)
		[ "$_after" -ge "$_before" ] || fail "kill $_i: generation $_before was served, then $_after"
		wait_for 30 indexed "$(git -C "$W/history" rev-parse HEAD)"
		wait_for 30 settled
		check_index "$_i"
	done
	stop k
	[ "$_hit" -ge $(($1 / 2)) ] || fail "only $_hit of $_i kills hit anything"
	rm -rf "$W/anew"
	atoll-shard --repo "$W/history" --data "$W/anew" --once >"$W/out" 2>"$W/once.log" || fail "anew: $(cat "$W/once.log")"
	python3 "$ROOT/tests/compare_indexes.py" "$W/d" "$W/anew" >"$W/difference" 2>&1 || fail "after the kills: $(cat "$W/difference")"
}
