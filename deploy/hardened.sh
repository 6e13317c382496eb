#!/bin/sh -e
# hardened.sh: the compiler's flags for code that reads what others have written, as far as this compiler ($CC, with $CFLAGS) and
# machine have them.
flags=-fPIE
try() { printf '#include <stdlib.h>\nint main(void) { return 0; }\n' | ${CC:-cc} -Werror ${CFLAGS:--O2} "$@" -x c -fsyntax-only - 2>/dev/null; }
for f in -fstack-protector-strong -fstack-clash-protection "-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2" -fcf-protection -mbranch-protection=standard; do
	! try $f || flags="$flags $f"
done
echo "$flags"
