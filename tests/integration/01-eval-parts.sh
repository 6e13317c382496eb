#!/bin/bash
# make eval runs mixed.py, idioms.py and names.py of the evaluation data and prints one line each; WHAT selects, and what is not there is named.
. "$(dirname "$0")/../lib.sh"
mkdir -p "$W/eval/idioms" "$W/repos/o+r" "$W/path"
printf '#!/bin/sh\n' >"$W/path/ctags" && chmod +x "$W/path/ctags"
: >"$W/eval/run.py"
printf '# systems\ns\to/r#folder\n' >"$W/eval/mixed_systems.tsv"
for truth in one two; do echo '{"repo": "o/r", "commit": "c"}' >"$W/eval/$truth.jsonl"; done
cat >"$W/eval/mixed.py" <<'.'
import os, sys
print("3 repositories of 2 systems under /nowhere")
print("links of code 10, between unrelated systems 1 (10.0 %); confidence >= 0.5: 1, confidence >= 0.7: 0")
print("      1 o/r -> o/s")
for truth in sys.argv[2:4]:
    print(os.path.basename(truth), "link   P=1.000 R=0.900 F1=0.947 (tp 9 fp 0 fn 1)", "link-strict P=1.000 R=0.800 F1=0.889 (tp 8 fp 0 fn 2)")
.
printf '%s\n' 'print("| idiom | c |\nidioms: yes 3 part 1 no 0 wrong 0 of 4")' >"$W/eval/idioms.py"
printf '%s\n' 'print("class n=5\nALL names n=5 first 0.800 ten 1.000")' >"$W/eval/names.py"
eval_of() { WHAT=$1 PATH=$W/path:$PATH "$ROOT/tests/eval.sh" "$W/eval" "$W/repos" 2>&1; }
mixed="mixed: links of code 10, between unrelated systems 1 (10.0 %); confidence >= 0.5: 1, confidence >= 0.7: 0; link F1 by place/strict: one 0.947/0.889, two 0.947/0.889"
names="names: n=5 first 0.800 ten 1.000"
same "the three parts" "$(eval_of "mixed idioms names")" "$mixed
idioms: yes 3 part 1 no 0 wrong 0 of 4
$names"
same "one part" "$(eval_of names)" "$names"
ok "each part is one line, and WHAT selects"

mkdir "$W/eval/symbols"
echo '{"kind": "use", "repo": "o/r", "to_repo": "o/r"}' >"$W/eval/symbols/pair.jsonl"
echo 'import os, sys; print("pair", os.path.basename(sys.argv[1]))' >"$W/eval/symbols.py"
same "uses of libraries" "$(eval_of symbols | tr '\n' ' ')" "---- symbols pair pair.jsonl "
echo '{"kind": "use", "repo": "o/r", "to_repo": "o/lib"}' >"$W/eval/symbols/pair.jsonl"
same "without the library" "$(eval_of symbols | head -1)" "left out: pair.jsonl wants o/lib, which $W/repos does not hold"
ok "uses of libraries are judged where the libraries are"

echo 'import sys; print("what is wrong"); sys.exit(1)' >"$W/eval/idioms.py"
rc=0
eval_of idioms >"$W/out" || rc=$?
same "the exit status of a part that fails" "$rc $(tr '\n' ';' <"$W/out")" "1 what is wrong;idioms: failed;"
echo '{"repo": "o/gone", "commit": "c"}' >"$W/eval/two.jsonl"
same "without a labelled system" "$(eval_of "mixed names")" "left out: two.jsonl wants o/gone, which $W/repos does not hold
$names"
ok "a part that fails shows its output, and the mixture is only judged as a whole"
