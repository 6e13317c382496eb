#!/bin/bash
# Does things.
. ./lib.sh

readonly MAX=3
export PATH=/x
name="$1"

# Starts it.
# $1: the process
start() {
	local pid=$1
	x=$(compute "$pid")
	inner() { :; }
}

function stop { kill "$1" && wait; }
lib::log-line() { echo "$*"; }
_private() (
	cd /tmp
)
test_start() { start 1; }
declare -A map=([a]=1)
map[b]=2
start "$@"
