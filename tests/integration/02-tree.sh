#!/bin/bash
# No file of the tree contains a path of somebody's machine or the host of a package registry.
. "$(dirname "$0")/../lib.sh"

# Absolute paths of a home or work folder. A path after a variable such as `$W` is a folder of a test.
machine='(^|[^A-Za-z0-9_.})-])/(work|home/[a-z][a-z0-9_-]*|Users/[A-Za-z][A-Za-z0-9_-]*|root/\.[a-z]+)(/|$|[^A-Za-z0-9_-])'
# Hosts of registries and mirrors, and configuration lines that name one.
registry='registry\.(npmjs\.org|yarnpkg\.com)|files\.pythonhosted\.org|proxy\.golang\.org|(deb|snapshot)\.debian\.org|deb\.nodesource\.com'
registry="$registry|\"resolved\": *\"[h]ttp|index-[u]rl *=|GOPROXY=[h]ttp|artifactory\."

# strays DIR: such lines in the text files of a work tree, except for files that git ignores
strays() { git -c safe.directory='*' -C "$1" grep -nIE --untracked -e "$machine" -e "$registry"; }

# It finds planted lines, and no others.
git init -q "$W/planted"
cd "$W/planted" || exit 1
slash=/ equals==	# so that this file has none of them
folder=${slash}work${slash}x
cat >right.txt <<.
xmlns="http://www.w3.org/home/" \$W$folder f"{w}$folder" ./home/x app.get('/root/{}') /opt/x homework/ /workshop/
.
n=0
for line in "see ${slash}work/shared/x.md" "cd ${slash}home/ann/src" "\"${slash}Users/ann/x\"" "PATH=${slash}root/.cache" \
	"https://registry.npmjs${slash:+.}org/x" '"resolved": '"\"https://mirror.example/x\"" "index-url $equals https://mirror.example"; do
	n=$((n + 1))
	echo "$line" >"wrong$n.txt"
done
same "what is planted is found" "$(strays "$W/planted" | cut -d: -f1 | sort -u | tr '\n' ' ')" "$(ls wrong*.txt | sort | tr '\n' ' ')"
ok "planted paths and hosts are found, others are not"

cd "$ROOT" || exit 1
git -c safe.directory='*' rev-parse -q --git-dir >/dev/null 2>&1 || { ok "not a git work tree: nothing to check"; exit 0; }
if strays "$ROOT" >"$W/strays"; then fail "lines with a local path or a registry: $(head -n 20 "$W/strays")"; fi
ok "no file contains a local path or a registry"
