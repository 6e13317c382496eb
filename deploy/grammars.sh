#!/bin/sh -e
# grammars.sh THIRD_PARTY GRAMMAR_FILE...: compile tree-sitter's core and the grammars into THIRD_PARTY/grammars.a.
# A grammar file holds the grammar's folder under node_modules.  Sources are other people's: no warnings, no sanitizer.
tp=$1; shift
core=$tp/node_modules/tree-sitter/vendor/tree-sitter/lib
mkdir -p "$tp/obj"
rm -f "$tp/grammars.a"
{
	echo "cc -O2 -std=c11 -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -w -I$core/include -I$core/src -c -o $tp/obj/core.o $core/src/lib.c"
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
