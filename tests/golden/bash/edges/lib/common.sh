# Prints.
log() {
	echo "$*" >&2
}

compute() {
	echo $(($1 + $2))
}
