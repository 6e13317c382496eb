#!/bin/bash
# Three hosts, two coordinators, repositories on one or two of them: what clients see during failures (run.py).
# All scenarios take ten minutes (make test-multihost, MULTIHOST=whole); by default only the short ones run.
. "$(dirname "$0")/../lib.sh"
case $B in *address* | *thread*) skip "only in the release variant: it depends on time" ;; esac
command -v unshare >/dev/null && [ "$(id -u)" = 0 ] || skip "no network namespaces here (not root?)"
export MULTIHOST_PREFIX="mh$$"
trap '_was=$?; set +e; for n in $(ip netns list | grep -o "^$MULTIHOST_PREFIX-[a-z]*"); do ip netns del "$n"; done; (exit $_was); _end' EXIT
args=(--short)
[ "${MULTIHOST:-}" = whole ] && args=(--keep-going)

rc=0
# shellcheck disable=SC2086
python3 "$ROOT/tests/multihost/run.py" "$BIN" "$W" "$MULTIHOST_PREFIX" "${args[@]}" ${SCENARIOS:-} || rc=$?
exit $rc
