// A fake company: repositories of several teams and the links between them, the same each time.
import { repo, status } from "./fake_answers.mjs";

const teams = ["accounts", "billing", "catalog", "checkout", "delivery", "fraud", "growth", "identity", "messaging", "platform", "pricing", "reporting", "search", "support", "warehouse", "web"];
const parts = ["api", "worker", "gateway", "events", "ledger", "rules", "admin", "exports", "importer", "cache", "notifier", "sdk"];
const relations = ["consumes_route", "consumes_route", "consumes_route", "calls_rpc", "publishes_to", "depends_on_package"];

let seed = 11;
const chance = () => ((seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff);
const of = (list) => list[Math.floor(chance() * list.length)];

export const repos = teams.flatMap((team, t) => parts.map((part, p) => repo(t * parts.length + p, { name: `${team}/${part}`, groups: ["company", team], ...(t === 3 && p === 2 ? { health: "down", reason: "no answer for 9 s" } : {}) })));

const edges = new Map();
for (let i = 0; i < 620; i++) {
	const source = of(repos);
	const team = source.groups[1];
	const target = chance() < 0.74 ? of(repos.filter((r) => r.groups[1] === team)) : of(repos.filter((r) => /^(platform|identity|messaging)\//.test(r.name) || chance() < 0.06));
	if (source === target) continue;
	const key = `${source.repo_uri} ${target.repo_uri}`;
	const edge = edges.get(key) ?? { source: source.repo_uri, target: target.repo_uri, depends: true, relations: [] };
	const relation = of(relations);
	if (!edge.relations.some((r) => r.relation === relation)) edge.relations.push({ relation, links: 1 + Math.floor(chance() * chance() * 14) });
	edges.set(key, edge);
}

/** Answers of tools, for t.open. */
export const fake = {
	status: status(repos),
	repo_graph: ({ group }) => {
		const here = new Set(repos.filter((r) => r.groups.includes(group)).map((r) => r.repo_uri));
		const kept = [...edges.values()].filter((e) => here.has(e.source) && here.has(e.target));
		const nodes = repos.filter((r) => here.has(r.repo_uri)).map((r) => {
			const needed_by = kept.filter((e) => e.target === r.repo_uri).length;
			return { repo_uri: r.repo_uri, name: r.name, depends_on: kept.filter((e) => e.source === r.repo_uri).length, needed_by, rank: needed_by / kept.length };
		});
		return { group, repos: nodes, edges: kept, cycles: [], synced_at: new Date().toISOString(), complete: true, took_ms: 3, coverage: { members: nodes.length, answered: nodes.length, skipped: 0, failed: [], stale: [] } };
	},
};
