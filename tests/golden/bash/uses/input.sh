#!/usr/bin/env bash
source ./lib.sh
. "$DIR/common.sh"
start() {
	local x=$(compute "$1")
	log "a" | filter
	if check_it; then stop $x; fi
	"$cmd" run
	trap cleanup EXIT
	[[ $x == y ]] && lib::go
}
start "$@"
