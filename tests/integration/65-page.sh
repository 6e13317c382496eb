#!/bin/bash
# The page in a browser: every case of tests/page, with one federation of the fixtures.  SHOTS=FOLDER takes screenshots instead
# (`make shots`).  PAGE_CASES="overview connect" runs only these.
. "$(dirname "$0")/../lib.sh"
[ "$slow" = 1 ] || skip "in a browser the sanitizers find nothing that other tests do not find"
modules=$(dirname "$B")/page/node_modules
[ -d "$modules" ] || fail "no playwright-core in $modules: make $(dirname "$modules")/installed"
[ -x "${CHROMIUM:=/usr/bin/chromium}" ] || skip "no chromium here"
export CHROMIUM

"$ROOT/tests/fixtures/make.sh" "$W/shop"
api_server
export ATOLL_LLM_URL="$api/asked" ATOLL_LLM_MODEL=tiny ATOLL_LLM_KEY_FILE="$W/key"
search_ms=5000	# a member is paused
up --group shop "$W"/shop/*
ready shop 4
call group_sync '{"group":"shop"}' >/dev/null

# Node searches modules beside the script; the browser's files are deleted with $W.
mkdir "$W/js" "$W/t"
cp "$ROOT"/tests/page/*.mjs "$W/js"
ln -s "$modules" "$W/js/node_modules"
# shellcheck disable=SC2086
TMPDIR="$W/t" "$(node_of_tests)" "$W/js/run.mjs" ${PAGE_CASES:-} || fail "the page failed"
