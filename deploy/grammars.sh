#!/bin/sh -e
# grammars.sh THIRD_PARTY GRAMMAR_FILE...: compile tree-sitter's core and the grammars into THIRD_PARTY/grammars.a.
# They are hardened as the programs are (hardened.sh), except for the floor of bench_index.
# A grammar file holds the grammar's folder under node_modules.  Sources are other people's: no warnings, no sanitizer.
# The core is changed as tree-sitter.patch says, and so are the grammars' lexers (parser.h); a scanner.patch
# beside a grammar file changes that grammar's scanner.
# grammars.sh --stock THIRD_PARTY GRAMMAR_FILE...: THIRD_PARTY/stock.o, core and grammars as they come, for the floor of bench_index.
stock=
[ "$1" != --stock ] || { stock=1; shift; }
tp=$1; shift
core=$tp/node_modules/tree-sitter/vendor/tree-sitter/lib
obj=$tp/${stock:+stock-}obj
hard=$(deploy/hardened.sh)
[ ! "$stock" ] || hard=
flags="-O2 -std=c11 -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -w $hard -I$core/include"
mkdir -p "$obj"
if [ ! "$stock" ]; then
	rm -rf "$tp/grammars.a" "$tp/core"
	cp -r "$core/src" "$tp/core"
	patch -s -p1 -d "$tp/core" < deploy/tree-sitter.patch
fi
{
	if [ "$stock" ]; then
		echo "cc $flags -I$core/src -c -o $obj/core.o $core/src/lib.c"
	else
		echo "cc $flags -I$tp/core -c -o $obj/core.o $tp/core/lib.c"
	fi
	for f; do
		dir=$tp/node_modules/$(cat "$f")/src
		name=$(basename "$(dirname "$f")")
		patch=$(dirname "$f")/scanner.patch
		if [ -f "$patch" ] && [ ! "$stock" ]; then
			rm -rf "$tp/$name"
			cp -r "$dir" "$tp/$name"
			patch -s -p1 -d "$tp/$name" < "$patch"
			dir=$tp/$name
		fi
		for part in parser scanner; do
			[ -f "$dir/$part.c" ] || continue
			include="-include deploy/$part.h"
			[ "$stock$part" != 1parser ] || include=
			echo "cc -O2 -std=c11 -w $hard $include -I$dir -c -o $obj/$name-$part.o $dir/$part.c"
		done
	done
} | xargs -P "$(nproc)" -I{} sh -c '{}'
if [ "$stock" ]; then
	ld -r -o "$tp/stock.o" "$obj"/*.o
else
	ar rcs "$tp/grammars.a" "$tp"/obj/*.o
fi
