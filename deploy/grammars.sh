#!/bin/sh -e
# grammars.sh THIRD_PARTY GRAMMAR_FILE...: compile tree-sitter's core and the grammars into THIRD_PARTY/grammars.a.
# A grammar file holds the grammar's folder under node_modules.  Sources are other people's: no warnings, no sanitizer.
# Compiling a query walks the grammar for patterns that can never match and for steps that cannot fail, which took up to 50 ms
# for a framework and tells next_match nothing: the copy of the core stops that walk at once, as it does where it is too long.
tp=$1; shift
core=$tp/node_modules/tree-sitter/vendor/tree-sitter/lib
mkdir -p "$tp/obj"
rm -rf "$tp/grammars.a" "$tp/core"
cp -r "$core/src" "$tp/core"
sed -i 's/^\(#define MAX_ANALYSIS_ITERATION_COUNT\) 256$/\1 0/' "$tp/core/query.c"
grep -q '^#define MAX_ANALYSIS_ITERATION_COUNT 0$' "$tp/core/query.c"
{
	echo "cc -O2 -std=c11 -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -w -I$core/include -I$tp/core -c -o $tp/obj/core.o $tp/core/lib.c"
	for f; do
		dir=$tp/node_modules/$(cat "$f")/src
		name=$(basename "$(dirname "$f")")
		for part in parser scanner; do
			[ -f "$dir/$part.c" ] || continue
			before=
			[ $part = parser ] || before="-include deploy/scanner.h"
			echo "cc -O2 -std=c11 -w $before -I$dir -c -o $tp/obj/$name-$part.o $dir/$part.c"
		done
	done
} | xargs -P "$(nproc)" -I{} sh -c '{}'
ar rcs "$tp/grammars.a" "$tp"/obj/*.o
