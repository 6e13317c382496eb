#!/bin/sh -e
# grammars.sh THIRD_PARTY GRAMMAR_FILE...: compile tree-sitter's core and the grammars into THIRD_PARTY/grammars.a.
# A grammar file holds the grammar's folder under node_modules.  Sources are other people's: no warnings, no sanitizer.
# The core is changed as tree-sitter.patch says; stock-core.o is as it comes, for the floor of bench_index.
tp=$1; shift
core=$tp/node_modules/tree-sitter/vendor/tree-sitter/lib
mkdir -p "$tp/obj"
rm -rf "$tp/grammars.a" "$tp/core"
cp -r "$core/src" "$tp/core"
patch -s -p1 -d "$tp/core" < deploy/tree-sitter.patch
{
	echo "cc -O2 -std=c11 -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -w -I$core/include -I$tp/core -c -o $tp/obj/core.o $tp/core/lib.c"
	echo "cc -O2 -std=c11 -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -w -I$core/include -I$core/src -c -o $tp/stock-core.o $core/src/lib.c"
	for f; do
		dir=$tp/node_modules/$(cat "$f")/src
		name=$(basename "$(dirname "$f")")
		for part in parser scanner; do
			[ -f "$dir/$part.c" ] || continue
			echo "cc -O2 -std=c11 -w -include deploy/$part.h -I$dir -c -o $tp/obj/$name-$part.o $dir/$part.c"
		done
	done
} | xargs -P "$(nproc)" -I{} sh -c '{}'
ar rcs "$tp/grammars.a" "$tp"/obj/*.o
