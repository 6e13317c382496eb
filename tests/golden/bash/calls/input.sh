#!/bin/sh
plain
plain "$(nested | piped)" `ticked`
if cond; then yes; elif other; then no; else last; fi
while loop; do body; done < <(subst)
for f in $(list); do each "$f"; done
case $(which_one) in a) arm;; esac
! negated && anded || ored
( subshell; ) &
{ group; }
VAR=1 with_env arg
out=$(captured)
arr=($(in_array))
"$dynamic" x
./script.sh
exec replaced
trap on_exit EXIT
[[ -n $(in_test) ]]
cat <<EOF
$(in_heredoc)
not_called
EOF
func() { inner; return; }
func 1 2
echo ${x:-$(in_default)} $((1 + $(in_math)))
