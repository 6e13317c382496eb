// The graph on a canvas: sigma over WebGL.  What it says in colours the list says in words.
import { EdgeCurvedArrowProgram } from "@sigma/edge-curve";
import Graph from "graphology";
import Sigma from "sigma";
import type { Settings } from "sigma/settings";
import { middle } from "../text";
import { colour } from "../theme";
import { aside, beside, extent, settle } from "./layout";
import { countsText, type Line, lineId, mainRelation, relations, type Spot } from "./model";

export const hasWebGL = (): boolean => {
	try {
		return !!document.createElement("canvas").getContext("webgl2");
	} catch {
		return false;
	}
};

export interface Picked {
	node?: string | undefined;
	edge?: { source: string; target: string } | undefined;
}

interface Shown {
	spots: Spot[];
	lines: Line[];
	places: Map<string, { x: number; y: number }>;
	sizes: Map<string, number>; // repositories in a cluster, when it is clusters that are shown
	byHealth: boolean; // what its colour says; else its cluster
}

const CLUSTERS = 10; // that have a colour of their own
const FEW = 24; // lines that are all labelled
const DENSE = 150; // lines from which on each is paler
const BEND = 0.2; // of a line whose way back is there, too: as a share of its length
const MANY = 1200; // lines that are not drawn while it moves
const NAMED = 40; // repositories up to which also those beside the point keep their names
const WIDEST = 1.7; // how much longer one side of the picture is made than the other, as its box is
const LABEL = "12px system-ui, sans-serif";

type Box = { left: number; right: number; y: number };

/** One colour with some of another: of many lines each is paler. */
function mix(a: string, b: string, share: number): string {
	const parts = (c: string): number[] => (c.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
	const [x, y] = [parts(a), parts(b)];
	return `rgb(${x.map((v, i) => Math.round(v * (1 - share) + (y[i] ?? v) * share)).join(", ")})`;
}

/** Colours, as the theme has them now. */
function palette(): { bg: string; fg: string; muted: string; line: string; faint: string; accent: string; ok: string; bad: string; warn: string; relation: Map<string, string>; pale: Map<string, string>; cluster: string[] } {
	const bg = colour("--bg");
	const relation = new Map(relations.map((r) => [r.name, colour(r.tone)]));
	return {
		bg,
		fg: colour("--fg"),
		muted: colour("--muted"),
		line: colour("--line"),
		faint: mix(colour("--line"), bg, 0.3),
		accent: colour("--accent"),
		ok: colour("--ok"),
		bad: colour("--bad"),
		warn: colour("--warn"),
		relation,
		pale: new Map([...relation].map(([k, c]) => [k, mix(c, bg, 0.6)])),
		cluster: Array.from({ length: CLUSTERS }, (_, i) => colour(`--cluster-${i + 1}`)),
	};
}

const HEALTH = { healthy: "ok", degraded: "warn", down: "bad" } as const;

export class Picture {
	private graph = new Graph({ type: "directed", multi: false });
	private readonly sigma: Sigma;
	private colours = palette();
	private picked: Picked = {};
	private over: string | undefined;
	private found: ReadonlySet<string> | null = null;
	private near = new Set<string>();
	private aim: string | undefined; // who was gone to, until somebody moves the picture: it has moved itself when all stand
	private lines = new Map<string, Line>();
	private many = false;
	private dense = false;
	private clusterOf = new Map<string, number>(); // neighbours of one cluster draw each other more
	private visible: Map<string, Line> | null = null; // null: all
	private named: Box[] = []; // where names stand in this frame, so that none is written over another
	private stop: () => void = () => {};
	private moves = false; // places are still looked for

	constructor(
		box: HTMLElement,
		private readonly pick: (p: Picked) => void,
		private readonly still: () => void,
	) {
		this.sigma = new Sigma(this.graph, box, this.settings());
		this.sigma.on("beforeRender", () => this.reserve());
		this.sigma.on("clickNode", ({ node }) => this.pick({ node }));
		this.sigma.on("clickEdge", ({ edge }) => this.pick({ edge: { source: this.graph.source(edge), target: this.graph.target(edge) } }));
		this.sigma.on("clickStage", () => this.pick({}));
		this.sigma.on("enterNode", ({ node }) => this.hover(node, box, true));
		this.sigma.on("leaveNode", () => this.hover(undefined, box, false));
		for (const e of ["wheelStage", "downStage"] as const) this.sigma.on(e, () => (this.aim = undefined));
		this.sigma.on("enterEdge", () => box.classList.add("over"));
		this.sigma.on("leaveEdge", () => box.classList.remove("over"));
	}

	private settings(): Partial<Settings> {
		return {
			allowInvalidContainer: true,
			defaultEdgeType: "arrow",
			edgeProgramClasses: { curved: EdgeCurvedArrowProgram },
			enableEdgeEvents: true,
			labelFont: "system-ui, sans-serif",
			labelSize: 12,
			labelColor: { color: this.colours.fg },
			edgeLabelFont: "system-ui, sans-serif",
			edgeLabelSize: 11,
			edgeLabelColor: { color: this.colours.muted },
			labelDensity: 0.5,
			labelGridCellSize: 150,
			labelRenderedSizeThreshold: 5,
			minEdgeThickness: 1,
			zIndex: true,
			stagePadding: 48,
			minCameraRatio: 0.02,
			maxCameraRatio: 4,
			defaultDrawNodeLabel: (c, data) => this.drawLabel(c, data as { x: number; y: number; size: number; label: string | null; dim?: boolean }),
			defaultDrawNodeHover: (c, data) => this.drawHover(c, data as { x: number; y: number; size: number; label: string | null }),
			nodeReducer: (node, data) => this.reduceNode(node, data),
			edgeReducer: (edge, data) => this.reduceEdge(edge, data),
		};
	}

	/** What is picked has its name in a frame, which no other name comes into. */
	private reserve(): void {
		const node = this.picked.node;
		const at = node && this.graph.hasNode(node) && this.onScreen(node);
		this.named = at ? [{ left: at.x, right: at.x + 24 + 8 * String(this.graph.getNodeAttribute(node, "label")).length, y: at.y }] : [];
	}

	/** A name beside its dot, where there is room for it; lines do not cross its letters. */
	private drawLabel(c: CanvasRenderingContext2D, d: { x: number; y: number; size: number; label: string | null; dim?: boolean }): void {
		if (!d.label) return;
		c.font = LABEL;
		const left = d.x + d.size + 4;
		const right = left + c.measureText(d.label).width;
		if (this.named.some((b) => b.left < right && left < b.right && Math.abs(b.y - d.y) < 15)) return;
		this.named.push({ left, right, y: d.y });
		c.lineWidth = 3;
		c.lineJoin = "round";
		c.strokeStyle = this.colours.bg;
		c.strokeText(d.label, left, d.y + 4);
		c.fillStyle = d.dim ? this.colours.muted : this.colours.fg;
		c.fillText(d.label, left, d.y + 4);
	}

	/** The label of what is pointed at, in the colours of the theme. */
	private drawHover(c: CanvasRenderingContext2D, d: { x: number; y: number; size: number; label: string | null }): void {
		if (!d.label) return;
		c.font = `600 ${LABEL}`;
		const width = c.measureText(d.label).width;
		c.fillStyle = this.colours.bg;
		c.strokeStyle = this.colours.line;
		c.beginPath();
		c.roundRect(d.x - d.size - 4, d.y - 12, d.size * 2 + width + 16, 24, 6);
		c.fill();
		c.stroke();
		c.fillStyle = this.colours.fg;
		c.fillText(d.label, d.x + d.size + 4, d.y + 4);
	}

	private hover(node: string | undefined, box: HTMLElement, on: boolean): void {
		this.over = node;
		box.classList.toggle("over", on);
		this.neighbours();
		this.sigma.scheduleRefresh();
	}

	/** Who stands beside what is picked or pointed at; empty: nobody is. */
	private neighbours(): void {
		this.near = new Set();
		const e = this.picked.edge;
		const at = this.over ?? this.picked.node;
		if (at && this.graph.hasNode(at)) {
			this.near.add(at);
			this.graph.forEachEdge(at, (id, _a, s, t) => {
				if (!this.visible || this.visible.has(id)) this.near.add(s).add(t);
			});
		} else if (e) {
			this.near.add(e.source).add(e.target);
		}
	}

	private reduceNode(node: string, data: Record<string, unknown>): Record<string, unknown> {
		const picked = this.picked.node === node;
		if (this.found ? this.found.has(node) : picked) return { ...data, forceLabel: true, highlighted: picked, zIndex: 2, color: this.found && !picked ? this.colours.accent : data.color };
		if (this.near.has(node)) return { ...data, forceLabel: this.near.size < 40, zIndex: 1 };
		if (this.near.size || this.found) return { ...data, color: this.colours.line, label: this.graph.order <= NAMED ? data.label : null, dim: true, zIndex: 0 };
		return data;
	}

	private reduceEdge(edge: string, data: Record<string, unknown>): Record<string, unknown> {
		const line = this.visible?.get(edge);
		if (this.visible && !line) return { ...data, hidden: true };
		const shown = line ? { ...data, ...this.lineLook(line) } : data;
		const source = this.graph.source(edge);
		const target = this.graph.target(edge);
		const e = this.picked.edge;
		if (e && e.source === source && e.target === target) return { ...shown, color: this.colours.accent, size: Math.max(4, (shown.size as number) + 2), zIndex: 3, forceLabel: true };
		const at = this.over ?? this.picked.node;
		if (at && (source === at || target === at)) return { ...shown, zIndex: 2 };
		if (this.near.size || this.found) return { ...shown, color: this.colours.faint, size: shown.type === "curved" ? 1.4 : 0.8, label: null, zIndex: 0 };
		return shown;
	}

	private lineLook(line: Line): { label: string; type: string; curvature: number; size: number; color: string; weight: number } {
		// two that would lie on each other go around; of many nobody sees that
		const curved = !this.many && this.lines.has(lineId(line.target, line.source));
		return {
			label: countsText(line),
			type: curved ? "curved" : "arrow",
			curvature: curved ? BEND : 0,
			size: 1.2 + Math.log2(line.total) * 0.7,
			color: (this.dense ? this.colours.pale : this.colours.relation).get(mainRelation(line)) ?? this.colours.muted,
			weight: (this.clusterOf.get(line.source) === this.clusterOf.get(line.target) ? 1 : 0.15) * (1 + Math.log2(line.total)),
		};
	}

	private spotLook(s: Spot, what: Shown, most: number): { label: string; size: number; color: string } {
		const n = what.sizes.get(s.uri);
		const size = n ? 5 + 3 * Math.sqrt(n) : (this.many ? 2.5 : 5) + 9 * Math.sqrt(s.rank / (most || 1));
		const color = what.byHealth ? this.colours[HEALTH[s.health ?? "healthy"]] : this.colours.cluster[s.cluster % CLUSTERS]!;
		const name = middle(s.name, 36);
		return { label: n && n > 1 ? `${name} +${n - 1}` : name, size, color };
	}

	private looks(what: Shown): { spot: (s: Spot) => object; line: (l: Line) => object } {
		const most = what.spots.reduce((x, s) => Math.max(x, s.rank), 0);
		return { spot: (s) => this.spotLook(s, what, most), line: (l) => this.lineLook(l) };
	}

	/** Other repositories: laid out anew. */
	show(what: Shown): void {
		this.aim = undefined;
		this.sigma.setCustomBBox(null);
		this.put(what, true);
		this.sigma.getCamera().setState(this.whole());
		this.settle();
	}

	/** The same, some of them with other links, or gone, or new: everybody stays where he is, and so does who looks. */
	update(what: Shown): void {
		if (this.draws(what)) {
			this.lines = new Map(what.lines.map((l) => [l.id, l]));
			return this.repaint(what);
		}
		if (this.moves) {
			this.put(what, true); // nobody has a place yet
			return this.settle();
		}
		this.sigma.setCustomBBox(this.sigma.getCustomBBox() ?? extent(this.graph)); // what sigma knows of it is not there until the next frame
		this.put({ ...what, places: beside(what, this.graph) });
	}

	/** Whether these repositories and lines are those of the picture. */
	private draws(what: Shown): boolean {
		const { order, size } = this.graph;
		return order === what.spots.length && size === what.lines.length && what.spots.every((s) => this.graph.hasNode(s.uri)) && what.lines.every((l) => this.graph.hasEdge(l.id));
	}

	private put(what: Shown, anew = false): void {
		this.stop();
		this.moves = false;
		this.many = what.lines.length > MANY;
		this.dense = what.lines.length > DENSE;
		this.lines = new Map(what.lines.map((l) => [l.id, l]));
		this.clusterOf = new Map(what.spots.map((s) => [s.uri, s.cluster]));
		// all at once: sigma hears of each change of the graph that it shows
		const graph = new Graph({ type: "directed", multi: false });
		const look = this.looks(what);
		for (const s of what.spots) graph.addNode(s.uri, { ...what.places.get(s.uri), ...look.spot(s) });
		for (const l of what.lines) graph.addEdgeWithKey(l.id, l.source, l.target, look.line(l));
		if (anew) aside(graph);
		this.graph = graph;
		this.near = new Set();
		this.sigma.setGraph(graph);
		this.sigma.setSetting("renderEdgeLabels", what.lines.length <= FEW && !what.sizes.size);
		this.sigma.setSetting("labelDensity", what.spots.length > NAMED ? 0.5 : NAMED); // of few all, where they fit
		this.sigma.setSetting("hideEdgesOnMove", this.many);
	}

	private settle(): void {
		const graph = this.graph;
		const moving = graph.copy();
		const [wide, high] = this.stretch();
		const seen = (): void => graph.updateEachNodeAttributes((n, data) => ({ ...data, x: (moving.getNodeAttribute(n, "x") as number) * wide, y: (moving.getNodeAttribute(n, "y") as number) * high }), { attributes: ["x", "y"] });
		seen();
		this.moves = true;
		this.stop = settle(moving, seen, () => (seen(), this.settled()));
	}

	/** What stands in a square is drawn as wide, or as high, as the box has room for. */
	private stretch(): [number, number] {
		const { width, height } = this.sigma.getDimensions();
		const much = (by: number): number => Math.min(Math.max(by, 1), WIDEST);
		return [much(width / height), much(height / width)];
	}

	private settled(): void {
		this.moves = false;
		this.sigma.refresh(); // at once: who is told that it is still asks where things are
		if (this.aim) this.lookAt(this.aim);
		this.still();
	}

	/** Of the lines only these, with these counts; null: all. */
	filter(lines: Line[] | null): void {
		this.visible = lines && new Map(lines.map((l) => [l.id, l]));
		this.neighbours();
		this.sigma.scheduleRefresh();
	}

	/** What is picked, and what was searched for (null: nothing was). */
	mark(picked: Picked, found: ReadonlySet<string> | null): void {
		this.picked = picked;
		this.found = found;
		this.neighbours();
		this.sigma.scheduleRefresh();
	}

	/** The theme is another one, or colours say something else. */
	repaint(what: Shown): void {
		this.colours = palette();
		this.sigma.refresh(); // until the next frame it knows nothing of a graph that it was just given, and cannot repaint its lines
		const look = this.looks(what);
		const spots = new Map(what.spots.map((s) => [s.uri, s]));
		this.graph.updateEachNodeAttributes((n, data) => ({ ...data, ...look.spot(spots.get(n)!) }), { attributes: ["color", "size", "label"] });
		this.graph.updateEachEdgeAttributes((e, data) => ({ ...data, ...look.line(this.lines.get(e)!) }), { attributes: ["color", "size", "label"] });
		this.sigma.setSetting("labelColor", { color: this.colours.fg });
		this.sigma.setSetting("edgeLabelColor", { color: this.colours.muted });
	}

	/** A view of all of it; names stand to the right of their dots, and want room where that is scarce. */
	private whole(): { x: number; y: number; ratio: number; angle: number } {
		return { x: 0.5, y: 0.5, ratio: this.sigma.getDimensions().width < 500 ? 1.35 : 1.05, angle: 0 };
	}

	/** Go to a repository. */
	lookAt(node: string): void {
		this.aim = node;
		this.sigma.refresh(); // until the next frame what was changed, or is to be painted anew, has its place in the graph, not in the picture
		const seen = this.onScreen(node);
		const { width, height } = this.sigma.getDimensions();
		if (this.graph.order <= NAMED && seen && seen.x > 0 && seen.x < width && seen.y > 0 && seen.y < height) return; // beside all that it uses
		const at = this.sigma.getNodeDisplayData(node);
		if (at) void this.sigma.getCamera().animate({ x: at.x, y: at.y, ratio: Math.min(this.sigma.getCamera().ratio, 0.4) }, { duration: 250 });
	}

	zoom(by: "in" | "out" | "all"): void {
		const camera = this.sigma.getCamera();
		this.aim = undefined;
		void (by === "in" ? camera.animatedZoom({ duration: 150 }) : by === "out" ? camera.animatedUnzoom({ duration: 150 }) : camera.animate(this.whole(), { duration: 200 }));
	}

	private onScreen(node: string): { x: number; y: number } | null {
		const d = this.sigma.getNodeDisplayData(node);
		return d ? this.sigma.framedGraphToViewport(d) : null;
	}

	/** Where a repository is on the screen, and the middle of a line: for tests that point at them. */
	whereIs(what: Picked): { x: number; y: number } | null {
		this.sigma.refresh(); // as in lookAt
		if (what.node) return this.onScreen(what.node);
		const a = what.edge && this.onScreen(what.edge.source);
		const b = what.edge && this.onScreen(what.edge.target);
		if (!a || !b) return null;
		const bend = (this.graph.getEdgeAttribute(lineId(what.edge!.source, what.edge!.target), "curvature") as number) / 2;
		return { x: (a.x + b.x) / 2 + (b.y - a.y) * bend, y: (a.y + b.y) / 2 - (b.x - a.x) * bend };
	}

	close(): void {
		this.stop();
		this.sigma.kill();
	}
}
