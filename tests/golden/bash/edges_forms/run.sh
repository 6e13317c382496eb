#!/usr/bin/env bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/log.sh"

build() { log b; }
count() { echo 1; }
one() { :; }
cleanup() { log bye; }
trap cleanup EXIT

substituted() { x=$(build "$1") || die "no"; }
quoted() { log "$(count)"; }
piped() { count | build; }
condition() { if build; then with-dash; elif ! count; then one; fi; }
loop() { while read -r l; do one; done < <(count); for f in $(build); do one; done; }
branches() { case $1 in a) one ;; *) count & ;; esac; }
grouped() { (one); { count; }; time build; }
here_document() {
	cat <<EOF
$(count)
EOF
}
not_calls() { echo build; local one=1; "$1" one; printf 'count'; }
[ $# -eq 0 ] || build
