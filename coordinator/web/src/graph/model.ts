// What the graph shows: repositories, and how many links of which kind there are between each two.  Pure.
import type { Repo } from "../types";

export interface RepoNode {
	repo_uri: string;
	name: string;
	depends_on: number;
	needed_by: number;
	rank: number;
	cycle?: number;
}

export interface RepoEdge {
	source: string;
	target: string;
	depends: boolean;
	relations: { relation: string; links: number }[];
}

/** The answer of `repo_graph`. */
export interface GraphAnswer {
	group: string;
	repos: RepoNode[];
	edges: RepoEdge[];
	cycles: { repos: string[] }[];
	synced_at: string | null;
	complete: boolean;
}

/** The kinds of links, in the order in which they are told; `tone`: a colour of style.css. */
export const relations: { name: string; text: string; tone: string; kind?: string }[] = [
	{ name: "consumes_route", text: "HTTP", tone: "--series-1", kind: "http" },
	{ name: "calls_rpc", text: "gRPC", tone: "--series-2", kind: "grpc" },
	{ name: "publishes_to", text: "topics", tone: "--series-3", kind: "topic" },
	{ name: "queries_field", text: "GraphQL", tone: "--series-4", kind: "graphql" },
	{ name: "depends_on_package", text: "packages", tone: "--series-5" },
	{ name: "uses_symbol", text: "uses", tone: "--series-7" },
	{ name: "references_doc", text: "documents", tone: "--series-6" },
];

export const relationText = (name: string): string => relations.find((r) => r.name === name)?.text ?? name;

/** One repository in the picture. */
export interface Spot {
	uri: string;
	name: string;
	rank: number;
	dependsOn: number;
	neededBy: number;
	cycle: boolean;
	cluster: number; // which of the clusters, the largest first
	health: Repo["health"] | undefined;
}

/** All links from one repository to another. */
export interface Line {
	id: string;
	source: string;
	target: string;
	group: string; // one that holds both
	counts: Map<string, number>; // by relation
	total: number;
}

export const lineId = (source: string, target: string): string => `${source}\n${target}`;

/** Links of several groups as one: what two groups both have is there once. */
export function linesOf(answers: GraphAnswer[]): Map<string, Line> {
	const lines = new Map<string, Line>();
	for (const a of answers)
		for (const e of a.edges) {
			const id = lineId(e.source, e.target);
			let line = lines.get(id);
			if (!line) lines.set(id, (line = { id, source: e.source, target: e.target, group: a.group, counts: new Map(), total: 0 }));
			for (const r of e.relations) line.counts.set(r.relation, Math.max(line.counts.get(r.relation) ?? 0, r.links));
		}
	for (const line of lines.values()) line.total = [...line.counts.values()].reduce((x, y) => x + y, 0);
	return lines;
}

/** The lines with these relations alone; empty: all. */
export function only(lines: Iterable<Line>, wanted: ReadonlySet<string>): Line[] {
	const out: Line[] = [];
	for (const line of lines) {
		if (!wanted.size) {
			out.push(line);
			continue;
		}
		const counts = new Map([...line.counts].filter(([r]) => wanted.has(r)));
		const total = [...counts.values()].reduce((x, y) => x + y, 0);
		if (total) out.push({ ...line, counts, total });
	}
	return out;
}

/** The relation that most of its links have. */
export function mainRelation(line: Line): string {
	let best = "";
	let most = -1;
	for (const r of relations) {
		const n = line.counts.get(r.name) ?? 0;
		if (n > most) {
			best = r.name;
			most = n;
		}
	}
	return best;
}

export const countsText = (line: Line): string =>
	relations
		.filter((r) => line.counts.has(r.name))
		.map((r) => `${line.counts.get(r.name)} ${r.text}`)
		.join(", ");

/** Repositories of several groups, the highest rank first.  What is in no answer, but known, has no links. */
export function spotsOf(answers: GraphAnswer[], known: ReadonlyMap<string, Repo>, all: boolean): Spot[] {
	const spots = new Map<string, Spot>();
	const add = (n: RepoNode): void => {
		const was = spots.get(n.repo_uri);
		if (was && was.neededBy + was.dependsOn >= n.needed_by + n.depends_on) return;
		spots.set(n.repo_uri, {
			uri: n.repo_uri,
			name: n.name,
			rank: n.rank,
			dependsOn: n.depends_on,
			neededBy: n.needed_by,
			cycle: n.cycle !== undefined,
			cluster: 0,
			health: known.get(n.repo_uri)?.health,
		});
	};
	for (const a of answers) a.repos.forEach(add);
	if (all) for (const r of known.values()) if (!spots.has(r.repo_uri)) add({ repo_uri: r.repo_uri, name: r.name, depends_on: 0, needed_by: 0, rank: 0 });
	return [...spots.values()].sort((a, b) => b.rank - a.rank || (a.uri < b.uri ? -1 : 1));
}

/** What people type to find a repository: every word is in its name or address. */
export function fits(spot: Spot, words: string): boolean {
	const text = `${spot.name} ${spot.uri}`.toLowerCase();
	return words
		.toLowerCase()
		.split(/\s+/)
		.every((w) => text.includes(w));
}

/** Clusters as the nodes of a graph of their own; each is named after the repository in it that most rests on. */
export function bundle(spots: Spot[], lines: Line[]): { spots: Spot[]; lines: Line[]; sizes: Map<string, number> } {
	const head = new Map<number, Spot>();
	const of = new Map<string, Spot>();
	const sizes = new Map<string, number>();
	for (const s of spots) {
		// the highest rank comes first
		const h = head.get(s.cluster) ?? { ...s, neededBy: 0, dependsOn: 0, health: undefined };
		head.set(s.cluster, h);
		of.set(s.uri, h);
		sizes.set(h.uri, (sizes.get(h.uri) ?? 0) + 1);
	}
	const sums = new Map<string, Line>();
	for (const line of lines) {
		const from = of.get(line.source);
		const to = of.get(line.target);
		if (!from || !to || from === to) continue;
		const id = lineId(from.uri, to.uri);
		let sum = sums.get(id);
		if (!sum) {
			sums.set(id, (sum = { id, source: from.uri, target: to.uri, group: line.group, counts: new Map(), total: 0 }));
			from.dependsOn++;
			to.neededBy++;
		}
		for (const [r, n] of line.counts) sum.counts.set(r, (sum.counts.get(r) ?? 0) + n);
		sum.total += line.total;
	}
	return { spots: [...head.values()], lines: [...sums.values()], sizes };
}
