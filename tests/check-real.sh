#!/bin/bash
# check-real.sh REPOS: a federation of all repositories below REPOS (at least four; `name`, `owner+name` or
# `owner+name/repo`, bare or not), compared with `git grep`.  Exits 2 if there are too few.
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
vectors() { call group_status '{"group":"real"}' | jq -e 'all(.repos[]; .vectors == "complete")' >/dev/null; }	# scores are of one scale when all have them
wait_for 1200 vectors
ended=$(date +%s%N)
echo "${#found[@]} repositories indexed in $(((ended - began) / 1000000)) ms"
python3 "$here/check_real.py" "$BIN/atoll" real || fail "wrong answers"

# Three histories: the index that follows COMMITS (50) of them equals one made anew after each.
. "$here/determinism.sh"
commits=${COMMITS:-50} followed=0
for d in "${found[@]}"; do
	n=$(git -C "$d" rev-list --first-parent --count HEAD 2>/dev/null || echo 0)
	if [ "$n" -le "$commits" ] || [ $followed -eq 3 ]; then continue; fi
	follow "$d" "$commits"
	anywhere
	followed=$((followed + 1))
	ok "$d: $commits commits, $_renewed followed, each equal to an index made anew, anywhere, with one thread or more"
done
[ $followed -eq 3 ] || echo "only $followed of the repositories have $commits commits: their histories are all that was followed"

# Spread over many shards, the same files are found as in one.
python3 "$here/shard_equivalence.py" "$BIN" "$W" "${found[@]:0:6}" || fail "an order that depends on how files are spread"
