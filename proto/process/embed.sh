#!/bin/sh
# embed.sh FILE...: print a C file that contains the files under their paths; built files under their paths below $BUILD.
echo '#include "proto/process/embedded.h"'
i=0
for f; do
	printf '__asm__(".section .rodata\\n.global f%d, e%d\\nf%d: .incbin \\"%s\\"\\ne%d: .byte 0\\n.previous\\n");\n' $i $i $i "$f" $i
	printf 'extern const char f%d[], e%d[];\n' $i $i
	i=$((i + 1))
done
echo 'const struct embedded embedded_files[] = {'
i=0
for f; do printf '\t{ "%s", f%d, e%d },\n' "${f#"${BUILD:-build}"/}" $i $i; i=$((i + 1)); done
echo '	{ 0, 0, 0 } };'
