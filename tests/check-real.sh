#!/bin/bash
# check-real.sh REPOS: a federation over every repository below REPOS (four or more; `name`, `owner+name` or
# `owner+name/repo`, bare or not), asked what `git grep` knows the answer to.  Exit 2 when there are too few.
repos=${1:-}
found=()
for d in "$repos"/*/repo "$repos"/*/; do
	d=${d%/}
	[ -d "$d" ] && { [ -e "$d/.git" ] || [ -f "$d/HEAD" ]; } && found+=("$(cd "$d" && pwd)")
done
if [ ${#found[@]} -lt 4 ]; then
	echo "make check-real REPOS=DIR: DIR must hold at least four git repositories; '$repos' holds ${#found[@]}" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
# Repositories of another user are read all the same.
git config --global --add safe.directory '*'

began=$(date +%s%N)
export ALLOW_GLOBAL_SCOPE=true
up --group real "${found[@]}"
ready real ${#found[@]} 1200
ended=$(date +%s%N)
echo "${#found[@]} repositories indexed in $(((ended - began) / 1000000)) ms"
python3 "$here/check_real.py" "$BIN/atoll" real || fail "wrong answers"
