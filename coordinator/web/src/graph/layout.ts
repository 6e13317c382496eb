// Where repositories stand.  The same repositories and links always stand the same: no chance, and no clock, is in it.
import type Graph from "graphology";
import louvain from "graphology-communities-louvain";
import forceAtlas2 from "graphology-layout-forceatlas2";
import type { Line, Spot } from "./model";
import { UndirectedGraph } from "graphology";

/** Chance that is always the same (mulberry32). */
function chance(seed: number): () => number {
	return () => {
		seed = (seed + 0x6d2b79f5) | 0;
		let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

/** Give each spot its cluster (Louvain; Blondel et al., 2008), the largest first; who has no links is in the last. */
export function cluster(spots: Spot[], lines: Line[]): number {
	const g = new UndirectedGraph<object, { weight: number }>();
	for (const s of spots) g.addNode(s.uri);
	for (const l of lines) {
		if (!g.hasNode(l.source) || !g.hasNode(l.target) || l.source === l.target) continue;
		g.updateEdge(l.source, l.target, (e) => ({ weight: (e.weight ?? 0) + 1 + Math.log2(l.total) }));
	}
	const found = g.size ? louvain(g, { rng: chance(7), getEdgeWeight: "weight" }) : {};
	const sizes = new Map<number, number>();
	const alone = -1;
	const of = (s: Spot): number => (g.degree(s.uri) ? (found[s.uri] ?? alone) : alone);
	for (const s of spots) sizes.set(of(s), (sizes.get(of(s)) ?? 0) + 1);
	const order = [...sizes.keys()].sort((a, b) => Number(a === alone) - Number(b === alone) || sizes.get(b)! - sizes.get(a)! || a - b);
	const place = new Map(order.map((c, i) => [c, i]));
	for (const s of spots) s.cluster = place.get(of(s))!;
	return order.length;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const GAP = 9; // between two that stand beside each other

/** Where the middles of the clusters stand: those that use each other near, none on another. */
function middles(sizes: number[], lines: Line[], of: Map<string, number>): { x: number; y: number }[] {
	const g = new UndirectedGraph();
	let taken = 0;
	sizes.forEach((n, c) => {
		const far = c ? 2 * GAP * Math.sqrt((taken += n)) : 0;
		g.addNode(c, { x: far * Math.cos(c * GOLDEN), y: far * Math.sin(c * GOLDEN), size: GAP * Math.sqrt(n) + GAP });
	});
	for (const l of lines) {
		const from = of.get(l.source);
		const to = of.get(l.target);
		if (from === undefined || to === undefined || from === to) continue;
		g.updateEdge(from, to, (e) => ({ weight: ((e.weight as number | undefined) ?? 0) + 1 }));
	}
	if (g.size) forceAtlas2.assign(g, { iterations: 200, settings: { ...forceAtlas2.inferSettings(g), adjustSizes: true, edgeWeightInfluence: 0.5, scalingRatio: 40 } });
	return sizes.map((_, c) => ({ x: g.getNodeAttribute(c, "x") as number, y: g.getNodeAttribute(c, "y") as number }));
}

/** Each cluster as a sunflower: near to what comes of it, and good to look at from the first moment. */
export function plant(spots: Spot[], lines: Line[]): Map<string, { x: number; y: number }> {
	const clusters = new Map<number, Spot[]>();
	for (const s of spots) clusters.get(s.cluster)?.push(s) ?? clusters.set(s.cluster, [s]);
	const ordered = [...clusters].sort((a, b) => a[0] - b[0]).map(([, members]) => members);
	const of = new Map(ordered.flatMap((members, c) => members.map((s) => [s.uri, c] as const)));
	const at = middles(ordered.map((m) => m.length), lines, of);
	const places = new Map<string, { x: number; y: number }>();
	ordered.forEach((members, c) => members.forEach((s, i) => places.set(s.uri, { x: at[c]!.x + GAP * Math.sqrt(i) * Math.cos(i * GOLDEN), y: at[c]!.y + GAP * Math.sqrt(i) * Math.sin(i * GOLDEN) })));
	return places;
}

/** From where to where they stand. */
export function extent(graph: Graph): { x: [number, number]; y: [number, number] } {
	const of = (k: "x" | "y"): [number, number] => {
		const all = graph.mapNodes((_, data) => data[k] as number);
		return [all.reduce((a, b) => Math.min(a, b), Infinity), all.reduce((a, b) => Math.max(a, b), -Infinity)];
	};
	return graph.order ? { x: of("x"), y: of("y") } : { x: [0, 1], y: [0, 1] };
}

/** Where these stand when others of them stand already: there; who is new stands beside those that he is linked with. */
export function beside(what: { spots: Spot[]; lines: Line[]; places: Map<string, { x: number; y: number }> }, old: Graph): Map<string, { x: number; y: number }> {
	const at = (uri: string): { x: number; y: number } | undefined => (old.hasNode(uri) ? { x: old.getNodeAttribute(uri, "x") as number, y: old.getNodeAttribute(uri, "y") as number } : undefined);
	const near = new Map<string, { x: number; y: number }[]>();
	for (const l of what.lines)
		for (const [who, other] of [[l.source, at(l.target)], [l.target, at(l.source)]] as const) if (other && !old.hasNode(who)) near.get(who)?.push(other) ?? near.set(who, [other]);
	const places = new Map<string, { x: number; y: number }>();
	what.spots.forEach((s, i) => {
		const those = near.get(s.uri) ?? [];
		const mean = (k: "x" | "y"): number => those.reduce((sum, p) => sum + p[k], 0) / those.length;
		const aside = { x: GAP * Math.cos(i * GOLDEN), y: GAP * Math.sin(i * GOLDEN) };
		places.set(s.uri, at(s.uri) ?? (those.length ? { x: mean("x") + aside.x, y: mean("y") + aside.y } : what.places.get(s.uri)!));
	});
	return places;
}

/** Who has no links has no place among those who do: they stand in rows below. */
export function aside(graph: Graph): void {
	const alone: string[] = [];
	let [left, right, bottom] = [Infinity, -Infinity, Infinity];
	graph.forEachNode((n, { x, y }) => {
		if (!graph.degree(n)) return void alone.push(n);
		left = Math.min(left, x as number);
		right = Math.max(right, x as number);
		bottom = Math.min(bottom, y as number);
	});
	if (!alone.length || alone.length === graph.order) return;
	const columns = Math.max(12, Math.ceil(Math.sqrt(alone.length * 4)));
	const step = (right - left || 1) / columns;
	alone.forEach((n, i) => graph.mergeNodeAttributes(n, { x: left + step * ((i % columns) + 0.5), y: bottom - step * (1.5 + Math.floor(i / columns)), fixed: true }));
}

/** So many steps at once, always, as each begins without the speed of the one before: time may not decide where things stand. */
const STEPS = 6;
const SLICE_MS = 10;
const SEEN_MS = 600; // between two pictures of many; to paint them takes as long as to move them
const LARGE = 300;

/**
 * ForceAtlas2 (Jacomy et al., 2014) in slices between frames, so that the page answers meanwhile.  No view draws `graph` itself; `seen`
 * is called after some slices, `done` in the end.  Returns how to stop it.
 */
export function settle(graph: Graph, seen: () => void, done: () => void): () => void {
	const n = graph.order;
	const settings = { ...forceAtlas2.inferSettings(n), barnesHutOptimize: n > LARGE };
	let left = n < 3 || !graph.size ? 0 : n > LARGE ? 48 : 240;
	let frame = 0;
	let painted = performance.now();
	const slice = (): void => {
		const end = performance.now() + SLICE_MS;
		do {
			if (left <= 0) return done();
			forceAtlas2.assign(graph, { iterations: STEPS, settings, getEdgeWeight: "weight" });
			aside(graph);
			left -= STEPS;
		} while (performance.now() < end);
		if (n <= LARGE || performance.now() - painted > SEEN_MS) {
			seen();
			painted = performance.now();
		}
		frame = requestAnimationFrame(slice);
	};
	frame = requestAnimationFrame(slice);
	return () => cancelAnimationFrame(frame);
}
