#!/bin/bash
# `make mutants` with a small program: a good test kills every defect, also a leak; a weak one does not; a seed draws the same defects.
. "$(dirname "$0")/../lib.sh"
mkdir -p "$W/project/proto" "$W/project/tests/unit/proto" "$W/project/tests/mutants"
cd "$W/project"
cp "$ROOT/tests/mutants/coverage.c" tests/mutants
cat >proto/limit.c <<'END'
#include <stdlib.h>
#include <string.h>
int limit(int n, int most);
int limit(int n, int most)
{
	char *copy = malloc(8);

	if (!copy)
		return -1;
	strcpy(copy, "limit");
	if (n > most)
		n = most;
	free(copy);
	return n;
}
END
test_program() { printf 'int limit(int, int);\nint main(void)\n{\n\t(void)limit(1, 2);\n\treturn %s;\n}\n' "$1" >tests/unit/proto/test_limit.c; }
cat >Makefile <<END
.SECONDARY:
\$(B)/%.o: %.c
	@mkdir -p \$(@D)
	cc -Wall -Werror \$(CFLAGS) \$(SANFLAG) -c -o \$@ \$<
\$(B)/tests/mutation_points:
	@mkdir -p \$(@D)
	cp $TESTBIN/mutation_points \$@
\$(B)/tests/test_%: \$(B)/tests/unit/proto/test_%.o \$(B)/proto/limit.o
	@mkdir -p \$(@D)
	cc \$(SANFLAG) -o \$@ \$^ \$(LDFLAGS)
END
git init -q .
printf 'build/\n' >.gitignore
mutants() { MUTANTS_ROOT=$W/project FILES=proto/limit.c "$ROOT/tests/mutants/mutants.py" >"$W/out" || fail "it failed: $(cat "$W/out")"; }
shown() { grep -E '^(killed|survived) ' "$W/out" | sed 's/ [0-9.]* s$//'; }

score() { tail -n 1 "$W/out" | grep -E '^[0-9]+ mutants: [0-9]+ killed, [0-9]+ survived, score [0-9]+ %$' || fail "$(cat "$W/out")"; }
trials() { wc -l <build/mutants/results/1.jsonl; }

test_program 'limit(3, 2) != 2'
SEED=1 N=4 mutants
shown >"$W/four"
SEED=1 N=1000 mutants
same "the first of a longer run" "$(shown | head -n 4)" "$(cat "$W/four")"
score | grep -qv ' 0 survived' || fail "a weak test kills everything: $(cat "$W/out")"
shown | grep -q '^killed .*limit.c:13 limit: cleanup: `free(copy);`.*test_limit' || fail "a leak is not noticed: $(cat "$W/out")"
shown >"$W/all"
before=$(trials)
SEED=1 N=1000 mutants
same "the same run once more" "$(shown)" "$(cat "$W/all")"
same "what it has tried" "$(trials)" "$before"
rm -r build/mutants/results
SEED=1 N=4 mutants
same "the same seed" "$(shown)" "$(cat "$W/four")"
ok "a weak test leaves survivors; a seed draws the same defects; what was tried is not tried again"

SEED=1 N=1000 mutants
weak=$(score)
test_program 'limit(3, 2) != 2 || limit(2, 2) != 2 || limit(1, 2) != 1 || limit(-7, 2) != -7'
SEED=1 AGAIN=1 N=1000 mutants
shown | grep -q '^killed' || fail "a better test kills none of the survivors: $(cat "$W/out")"
good=$(score)
ok "a weak test: $weak; then with a better one: $good"
