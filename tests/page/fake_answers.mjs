// Fake answers, for what a small federation does not have: many repositories, hostile names.

export const freshness = (i, more = {}) => ({ repo_uri: "", commit: i.toString(16).padStart(40, "c0ffee"), generation: 1, graph_hash: "0".repeat(64), indexed_at: new Date(Date.now() - i * 60_000).toISOString(), behind: 0, ...more });

/** A row of list_repos. */
export const repo = (i, more = {}) => {
	const name = more.name ?? `org/service-${String(i).padStart(4, "0")}`;
	const repo_uri = more.repo_uri ?? `git.example/${name}`;
	return {
		name, repo_uri, default_branch: "main", groups: [`team-${i % 12}`], visibility: "private", status: "ready", health: "healthy", files: 10 + i, symbols: 100 + 7 * i, vectors: "complete",
		collection: "repo_0", freshness: freshness(i, { repo_uri }), ...more,
	};
};

/** A row of job_list. */
export const job = (i, more = {}) => ({
	id: i.toString(16).padStart(16, "0"), kind: "build", key: "", state: "running", cancelled: false, reason: "asked", tries: 0, waits: 0, lost: 0, created_at: new Date().toISOString(), ...more,
});

/** An answer of `status` with these repositories; the groups are those that they name. */
export const status = (repos, more = {}) => ({
	version: "0.1.0", uptime_ms: 1000, http: "", membership: "", requests: 0, failures: 0, tokens: false, rights: ["write", "govern"], repos,
	groups: [...new Set(repos.flatMap((r) => r.groups))].sort().map((name) => ({ name, members: repos.filter((r) => r.groups.includes(name)).map((r) => r.repo_uri) })),
	...more,
});

/** Texts that would script a page that takes them for anything but text; each would call `pwned`. */
export const hostile = [
	"<img src=x onerror=pwned(1)>",
	"<script>pwned(2)</script>",
	'"><svg/onload=pwned(3)>',
	"javascript:pwned(4)",
	"' onmouseover='pwned(5)",
	"{{constructor.constructor('pwned(6)')()}}",
	"</title></style></textarea><script>pwned(7)</script>",
	"\u202Egpj.exe\u202C <iframe srcdoc='<script>parent.pwned(8)</script>'>",
	"<a href=data:text/html,<script>pwned(9)</script>>x</a>",
	"%3Cscript%3Epwned(10)%3C/script%3E",
];
