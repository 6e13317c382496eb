#!/bin/sh -e
# fuzz.sh [ENTRY...]: build the fuzzers with clang in build/fuzz and run each for FUZZ_SECONDS (30) from its corpus.
# What is found stays in build/fuzz/ENTRY/; a crash ends the run with its file's name.
cd "$(dirname "$0")/../.."
out=${BUILD:-build}/fuzz
tp=${BUILD:-build}/third_party
made="build/release/embedded_all.c build/release/generated/shard/graph/scip/scip.pb-c.c"
make -s "$tp/grammars.a" $made
mkdir -p "$out"
flags="-g -O1 -std=c11 -D_GNU_SOURCE -w -I. -isystem build/release/generated -isystem $tp/node_modules/tree-sitter/vendor/tree-sitter/lib/include -isystem $tp/core"
# Without the command line: it has its own copy of the tools' record tables.
sources=$(find proto shard coordinator -path coordinator/cli -prune -o -name '*.c' ! -name main.c -print)
newest=$(find proto shard coordinator -name '*.h' -o -name '*.def' | xargs ls -t | sed -n 1p)
for source in $sources $made; do
	object=$out/$(printf %s "$source" | tr / _ | sed 's/c$/o/')
	{ [ "$object" -nt "$source" ] && [ "$object" -nt "$newest" ]; } ||
		echo "$(command -v ccache) clang $flags -fsanitize=fuzzer-no-link,address -c -o $object $source"
done | xargs -r -P "$(nproc)" -I{} sh -c '{}'
rm -f "$out/all.a"
ar rcs "$out/all.a" $(for source in $sources $made; do
	printf '%s/%s ' "$out" "$(printf %s "$source" | tr / _ | sed 's/c$/o/')"; done)
for fuzzer in tests/fuzz/fuzz_*.c; do
	name=$(basename "$fuzzer" .c)
	entry=${name#fuzz_}
	[ $# -eq 0 ] || case " $* " in *" $entry "*) ;; *) continue ;; esac
	clang $flags -fsanitize=fuzzer,address -o "$out/$name" "$fuzzer" "$out/all.a" "$tp/grammars.a" -lgit2 -lpcre2-8 -lexpat -lyaml -lprotobuf-c \
		-lmicrohttpd -lcurl -ljansson -lmsgpackc -lssl -lcrypto -lsqlite3 -ldeflate -lnng -lcmocka -lpthread -lm
	mkdir -p "$out/$entry" "tests/fuzz/corpus/$entry"
	echo "fuzz: $entry for ${FUZZ_SECONDS:-30} s"
	dict=tests/fuzz/$entry.dict
	"$out/$name" ${FUZZ_FLAGS:-} $([ ! -f "$dict" ] || echo "-dict=$dict") -max_total_time="${FUZZ_SECONDS:-30}" -rss_limit_mb=2048 -timeout=60 -max_len=65536 -verbosity=0 \
		-print_final_stats=1 -artifact_prefix="$out/$entry-" "$out/$entry" "tests/fuzz/corpus/$entry"
done
