#!/bin/sh -e
# docs.sh: write the references that the tables hold into build/docs, as Markdown: options, tools, wire protocol, errors.
# The table in shard/lang/FRAMEWORKS.md comes from the golden cases.
cd "$(dirname "$0")/.."
bin=${B:-build/release}/bin
out=${BUILD:-build}/docs
mkdir -p "$out"

{
	echo "# Options"
	for p in atoll-shard atoll-coordinator atoll; do
		printf '\n## %s\n\n```\n' "$p"
		"$bin/$p" --help
		printf '```\n'
	done
} >"$out/options.md"

{
	printf '# Tools\n\nEach is called over MCP or as `atoll call TOOL JSON`.\n'
	sed -n 's/^TOOL(\([a-z_]*\), .*/\1/p' coordinator/records/tools.def | while read -r tool; do
		printf '\n## %s\n\n```\n' "$tool"
		"$bin/atoll" call "$tool" --help
		printf '```\n'
	done
} >"$out/tools.md"

# The rows FIELD|SUB|LIST(record, type, name, RULE, "text") of each record.
records() {
	awk '
	/^RECORD\(/ { gsub(/^RECORD\(|\).*/, ""); printf "\n### %s\n", $0; n = 0 }
	/^(FIELD|SUB|LIST) *\(/ {
		if (!n++) print "\n| field | type | rule | |\n|-|-|-|-|"
		list = /^LIST/ ? "list of " : ""
		sub(/^[A-Z]+ *\([a-z_]+, */, "")
		type = $0; sub(/,.*/, "", type); sub(/^[a-zA-Z0-9_]+, */, "")
		name = $0; sub(/,.*/, "", name); sub(/^[a-zA-Z0-9_]+, */, "")
		text = $0; sub(/"\)$/, "", text); sub(/.*"/, "", text)
		rule = $0; sub(/, *"[^"]*"\)$/, "", rule)
		gsub(/\|/, "\\|", rule); gsub(/\|/, "\\|", text)
		printf "| `%s` | %s%s | %s | %s |\n", name, list, type, rule, text
	}' "$1"
}

{
	printf '# Wire protocol\n\nMessagePack maps keyed by field name, in the envelopes `request` and `reply`; see proto/wire/PROTOCOL.md.\n'
	printf '\n## RPCs\n\n| name | request | response | |\n|-|-|-|-|\n'
	sed -n 's/^RPC(\([a-z_]*\), *\([a-z_]*\), *\([a-z_]*\), *[a-z]*, *"\(.*\)")$/| `\1` | \2 | \3 | \4 |/p' proto/record/schema.def
	printf '\n## Records\n'
	records proto/record/schema.def
} >"$out/wire.md"

{
	printf '# Errors\n\n| code | HTTP | meaning | what helps |\n|-|-|-|-|\n'
	sed -n 's/^ERR(\([A-Z_]*\), *\([0-9]*\), *"\([^"]*\)", *"\(.*\)")$/| `\1` | \2 | \3 | \4 |/p' proto/base/err.def
} >"$out/errors.md"
python3 tests/golden/frameworks.py --write shard/lang/FRAMEWORKS.md
ls "$out"/*.md
