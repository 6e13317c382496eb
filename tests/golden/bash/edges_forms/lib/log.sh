log() { printf '%s\n' "$*"; }
function die { log "$@"; exit 1; }
with-dash() { log x; }
_in_subshell() ( log sub )
