#!/bin/bash
# Each framework has a plain golden case, one over several files and a look-alike; coordinator/README.md lists them as they are.
. "$(dirname "$0")/../lib.sh"

python3 "$ROOT/tests/golden/frameworks.py" --lacking >"$W/lacking" || fail "these lack a case: $(cat "$W/lacking")"
ok "three cases for each framework"
cp "$ROOT/coordinator/README.md" "$W/README.md"
python3 "$ROOT/tests/golden/frameworks.py" --write "$W/README.md" || fail "the table cannot be written"
cmp -s "$ROOT/coordinator/README.md" "$W/README.md" || fail "the table in coordinator/README.md is not of now: make docs"
ok "the table of frameworks is of now"
