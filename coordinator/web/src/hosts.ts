// Clients and what to paste for each.  A new one is a row.  What it says of headers was tried with the clients that tests/mcp/hosts.sh names.

export interface Host {
	name: string;
	how: string; // where it goes
	/** The text; `secret`: a token, "" where none is needed. */
	text: (url: string, secret: string) => string;
	note?: string;
}

const json = (v: unknown): string => JSON.stringify(v, null, 2);
const headers = (secret: string): object => (secret ? { headers: { Authorization: `Bearer ${secret}` } } : {});
/** In single quotes for a shell. */
const quoted = (s: string): string => `'${s.replaceAll("'", "'\\''")}'`;
const header = (secret: string): string => (secret ? ` --header ${quoted(`Authorization: Bearer ${secret}`)}` : "");

export const hosts: Host[] = [
	{ name: "Claude Code", how: "in a terminal", text: (u, s) => `claude mcp add --transport http atoll ${u}${header(s)}` },
	{
		name: "Codex",
		how: "in a terminal",
		text: (u, s) => (s ? `export ATOLL_TOKEN=${quoted(s)}\ncodex mcp add atoll --url ${u} --bearer-token-env-var ATOLL_TOKEN` : `codex mcp add atoll --url ${u}`),
		note: "Codex reads the token from the environment each time it starts.",
	},
	{ name: "Gemini CLI", how: "in a terminal", text: (u, s) => `gemini mcp add --transport http${header(s)} atoll ${u}` },
	{ name: "Cursor", how: ".cursor/mcp.json in the project, or ~/.cursor/mcp.json", text: (u, s) => json({ mcpServers: { atoll: { url: u, ...headers(s) } } }) },
	{ name: "VS Code", how: ".vscode/mcp.json in the project", text: (u, s) => json({ servers: { atoll: { type: "http", url: u, ...headers(s) } } }) },
	{ name: "OpenCode", how: "opencode.json in the project, or ~/.config/opencode/opencode.json", text: (u, s) => json({ mcp: { atoll: { type: "remote", url: u, ...headers(s), oauth: false } } }) },
	{
		name: "A client that starts a program",
		how: "as its command, with this environment; `atoll` must be installed there",
		text: (u, s) => json({ command: "atoll", args: ["mcp"], env: { ATOLL_URL: u.replace(/\/mcp$/, ""), ...(s ? { ATOLL_TOKEN: s } : {}) } }),
	},
	{ name: "The command line", how: "in a terminal", text: (u, s) => `export ATOLL_URL=${u.replace(/\/mcp$/, "")}${s ? `\nexport ATOLL_TOKEN=${quoted(s)}` : ""}\natoll status` },
	{
		name: "Anything that speaks HTTP",
		how: "each tool is a POST; GET /api/v1/tools lists them with their schemas",
		text: (u, s) => `curl -H 'Content-Type: application/json'${s ? ` -H ${quoted(`Authorization: Bearer ${s}`)}` : ""} -d '{}' ${u.replace(/\/mcp$/, "")}/api/v1/list_repos`,
	},
];
