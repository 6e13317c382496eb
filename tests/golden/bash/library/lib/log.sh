log_info() { _log info "$@"; }
_log() { echo "$@" >&2; }
