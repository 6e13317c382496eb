#!/bin/bash
HERE=$(dirname "$0")
. "$HERE/lib/common.sh"
source ./lib/other.sh

main() {
	log "starting"
	result=$(compute 1 2)
	helper | filter_lines
	trap cleanup EXIT
}

helper() {
	echo "$1"
}

cleanup() { log bye; }

main "$@"
