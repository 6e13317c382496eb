#!/bin/bash
# Installed programs are hardened: PIE, full RELRO, no executable stack, stack protector, fortified calls, probes of large stack
# frames, landing pads for indirect calls.  So are the grammars, which parse untrusted files.
. "$(dirname "$0")/../lib.sh"

case $B in *release) ;; *) skip "only for release builds: sanitizers have their own flags" ;; esac
"$ROOT/deploy/install.sh" "$BIN" "$W/inst" /usr
cd "$W/inst/usr/bin"
programs="atoll atoll-coordinator atoll-shard"
same "programs" "$(ls | paste -sd' ')" "$programs"
machine=$(uname -m)
for p in $programs; do
	readelf -hW "$p" | grep -qE 'Type: +DYN' || fail "$p is not position-independent"
	readelf -lW "$p" >"$W/segments"
	readelf -dW "$p" >"$W/dynamic"
	grep -q GNU_RELRO "$W/segments" || fail "$p has no RELRO"
	grep -qE 'BIND_NOW|FLAGS_1.*NOW' "$W/dynamic" || fail "$p binds lazily: RELRO is not full"
	grep -qE 'GNU_STACK.* RW +0x' "$W/segments" || fail "$p has an executable stack: $(grep GNU_STACK "$W/segments")"
	if grep -qE 'LOAD.* RWE ' "$W/segments"; then fail "$p has memory that is writable and executable"; fi
	if grep -q TEXTREL "$W/dynamic"; then fail "$p has relocations in its code"; fi
	nm -D "$p" >"$W/symbols"
	grep -q __stack_chk_fail "$W/symbols" || fail "$p has no stack protector"
	[ "$(grep -cE '__[a-z_]+_chk' "$W/symbols")" -ge 5 ] || fail "$p calls few fortified functions: $(grep _chk "$W/symbols")"
done
ok "PIE, full RELRO, no executable stack, stack protector, fortified functions"

# Landing pads at functions; a probe for each page of a large frame.
case $machine in
x86_64) pad=endbr64 probe='or[ql] +\$0x0,.*%rsp' ;;
aarch64) pad='paciasp|bti' probe='str +xzr, \[sp' ;;
*) pad= ;;
esac
if [ -n "$pad" ] && [ -n "$(echo 'int f(void) { return 0; }' | cc -O2 $("$ROOT/deploy/hardened.sh") -x c -S -o - - | grep -E "$pad")" ]; then
	for p in $programs; do
		objdump -d --no-show-raw-insn "$p" >"$W/code"
		n=$(grep -cE "$pad" "$W/code")
		[ "$n" -ge 100 ] || fail "$p has $n landing pads"
	done
	n=$(grep -cE "$probe" "$W/code")	# of the shard, which is the last
	[ "$n" -ge 10 ] || fail "atoll-shard probes $n large frames"
	ok "control flow and stack probes"
else
	echo "landing pads are not looked at: the compiler has none for $machine"
fi

# Each grammar's object, not only some function of the program.
ar t "$ROOT/build/third_party/grammars.a" | grep -c parser.o >"$W/n"
mkdir "$W/objects"
(cd "$W/objects" && ar x "$ROOT/build/third_party/grammars.a")
for o in "$W"/objects/*.o; do
	readelf -SW "$o" | grep -q 'note.GNU-stack' || fail "$(basename "$o") has an executable stack"
	[ "$machine" != x86_64 ] || readelf -nW "$o" | grep -q IBT || fail "$(basename "$o") is without control flow protection"
done
ok "the grammars too: $(cat "$W/n") parsers"

if command -v hardening-check >/dev/null; then
	but=--nocfprotection	# of a machine without it; Debian 12's start files are without the mark, so no program of it has that
	if echo 'int main(void) { return 0; }' | cc -O2 -fcf-protection -x c -o "$W/plain" - 2>"$W/cc.log"; then
		! readelf -n "$W/plain" | grep -q IBT || but=
	fi
	for p in $programs; do hardening-check $but "$p" >"$W/out" 2>&1 || fail "hardening-check $p: $(cat "$W/out")"; done
	ok "hardening-check"
else
	echo "no hardening-check here (package devscripts): readelf has looked at the same"
fi
