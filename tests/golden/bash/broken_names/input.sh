#!/bin/sh
# A file in the middle of an edit: what cannot be parsed hides no name.
function arrive {
	if [[ $(length "$1") =~ (([0-9]+)\.([0-9]+) ]]
	then
		echo "${BASH_REMATCH[1]}

function leave {
	echo '
