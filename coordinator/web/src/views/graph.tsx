// Graph: repositories as nodes, how they use each other as lines.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useRebuilt } from "../ask";
import { byUri, groups, live, repos, status } from "../live";
import { Busy, Empty, Failure } from "../parts/basics";
import { ChipFilter, SelectFilter } from "../parts/filters";
import { go, query, setQuery } from "../router";
import { count, many, middle } from "../text";
import { isDark } from "../theme";
import { EdgeDetails, NodeDetails } from "../graph/details";
import { cluster, plant } from "../graph/layout";
import { List } from "../graph/list";
import { type Loaded, MOST_GROUPS, useGraphs } from "../graph/load";
import { bundle, fits, type Line, lineId, linesOf, only, relations, type Spot, spotsOf } from "../graph/model";
import { hasWebGL, Picture } from "../graph/picture";

const LEAST = ["0.5", "0.8", "0.9", "1"];
const LARGE = 150; // repositories from which on clusters are offered

interface World {
	spots: Spot[];
	lines: Map<string, Line>;
	clusters: number;
}

/** All that is there, with its clusters: once for each answer. */
function useWorld(loaded: Loaded, all: boolean): World | null {
	const known = byUri.value;
	const [, set] = useState(0);
	const kept = useRef<{ said: string; world: World } | null>(null);
	// what lives changes all the time, what stands here only with other repositories or other health
	const key = useMemo(() => [...known.values()].map((r) => `${r.repo_uri} ${r.health}`).join("\n"), [known]);
	useEffect(() => set((n) => n + 1), [key]);
	// asked again, it mostly says the same; when that was is no part of the picture
	const answered = useMemo(() => loaded.answers && JSON.stringify(loaded.answers.map((a) => [a.group, a.repos, a.edges])), [loaded.answers]);
	if (!loaded.answers) return null;
	const said = `${all} ${answered} ${key}`;
	if (kept.current?.said !== said) {
		const spots = spotsOf(loaded.answers, known, all);
		const lines = linesOf(loaded.answers);
		kept.current = { said, world: { spots, lines, clusters: cluster(spots, [...lines.values()]) } };
	}
	return kept.current.world;
}

const set = (name: string): ReadonlySet<string> => new Set((query.value.get(name) ?? "").split(",").filter(Boolean));

/** Some of the relations; none is all. */
function RelationFilter({ lines }: { lines: Iterable<Line> }): JSX.Element {
	const wanted = set("relation");
	const sums = new Map<string, number>();
	for (const l of lines) for (const [r, n] of l.counts) sums.set(r, (sums.get(r) ?? 0) + n);
	const toggle = (name: string): void => {
		const next = new Set(wanted);
		if (!next.delete(name)) next.add(name);
		setQuery({ relation: [...next].join(",") }, false);
	};
	return (
		<div class="chips" role="group" aria-label="Relations">
			{relations
				.filter((r) => sums.has(r.name) || wanted.has(r.name))
				.map((r) => (
					<button key={r.name} type="button" class={`chip relation ${r.name}`} aria-pressed={wanted.has(r.name)} onClick={() => toggle(r.name)}>
						{r.text}
						<b>{count(sums.get(r.name) ?? 0)}</b>
					</button>
				))}
		</div>
	);
}

/** A box that finds repositories of the picture; Enter goes to the first. */
function Find({ spots, show }: { spots: Spot[]; show: (s: Spot) => void }): JSX.Element {
	const words = query.value.get("q") ?? "";
	const [open, setOpen] = useState(false);
	const found = words ? spots.filter((s) => fits(s, words)) : [];
	const choose = (s: Spot): void => {
		setOpen(false);
		show(s);
	};
	return (
		<div class="find" onFocusOut={(e) => !e.currentTarget.contains(e.relatedTarget as Node | null) && setOpen(false)}>
			<input
				class="filter"
				type="search"
				data-slash
				aria-label="Find a repository"
				placeholder="Find a repository"
				value={words}
				onFocus={() => setOpen(true)}
				onInput={(e) => (setOpen(true), setQuery({ q: e.currentTarget.value }))}
				onKeyDown={(e) => {
					if (e.key === "Enter" && found[0]) choose(found[0]);
					if (e.key === "Escape") setOpen(false);
				}}
			/>
			{words && open && (
				<ul class="found" aria-label="Repositories found">
					{found.slice(0, 10).map((s) => (
						<li key={s.uri}>
							<button type="button" class="row" title={s.uri} onClick={() => choose(s)}>
								{middle(s.name, 44)}
							</button>
						</li>
					))}
					<li class="muted" role="status">
						{found.length > 10 ? `${count(found.length - 10)} more` : found.length ? many(found.length, "repository", "repositories") : "No repository has this name."}
					</li>
				</ul>
			)}
		</div>
	);
}

interface CanvasProps {
	of: string; // which part of the world: of the same one what is new comes into the picture, another one is a picture of its own
	spots: Spot[];
	lines: Line[];
	sizes: Map<string, number>;
	byHealth: boolean;
	shown: Line[] | null;
	node: string | undefined;
	edge: { source: string; target: string } | undefined;
	found: ReadonlySet<string> | null;
}

/** What one of the page's tests asks, to point where things are. */
declare global {
	interface Window {
		atollPicture?: Picture | undefined;
	}
}

function Canvas(props: CanvasProps): JSX.Element {
	const box = useRef<HTMLDivElement>(null);
	const picture = useRef<Picture | null>(null);
	// empty: nothing is painted yet; moving: places are still looked for; still: everything has its place
	const [state, setState] = useState<"empty" | "moving" | "still">("empty");
	const dark = isDark();
	const places = useMemo(() => plant(props.spots, props.lines), [props.spots, props.lines]);
	const what = { spots: props.spots, lines: props.lines, sizes: props.sizes, byHealth: props.byHealth, places };

	useEffect(() => {
		const p = new Picture(
			box.current!,
			(x) => setQuery({ node: x.node, from: x.edge?.source, to: x.edge?.target }, false),
			() => setState("still"),
		);
		picture.current = p;
		window.atollPicture = p;
		return () => {
			window.atollPicture = undefined;
			picture.current = null;
			p.close();
		};
	}, []);
	const painted = useRef({ of: "", look: "" });
	useEffect(() => {
		const news = painted.current.of === props.of;
		painted.current.of = props.of;
		if (news) return picture.current!.update(what);
		setState("empty");
		picture.current!.show(what);
		// once it is painted, and the page answers
		const frame = requestAnimationFrame(() => setTimeout(() => setState((s) => (s === "empty" ? "moving" : s))));
		return () => cancelAnimationFrame(frame);
	}, [props.spots, props.lines]);
	useEffect(() => picture.current!.filter(props.shown), [props.spots, props.lines, props.shown]);
	useEffect(() => picture.current!.mark({ node: props.node, edge: props.edge }, props.found), [props.spots, props.lines, props.node, props.edge?.source, props.edge?.target, props.found]);
	useEffect(() => {
		if (props.node) picture.current!.lookAt(props.node);
	}, [props.of, props.node]);
	useEffect(() => {
		const look = `${dark} ${props.byHealth}`;
		if (painted.current.look && painted.current.look !== look) picture.current!.repaint(what);
		painted.current.look = look;
	}, [dark, props.byHealth]);
	return (
		<div class="stage">
			<div ref={box} class="canvas" role="img" aria-label={`${many(props.spots.length, "repository", "repositories")}, ${many(props.lines.length, "line")} between them; the list says the same`} data-state={state} />
			<div class="zoom" role="group" aria-label="Zoom">
				<button type="button" aria-label="Nearer" onClick={() => picture.current?.zoom("in")}>
					+
				</button>
				<button type="button" aria-label="Farther" onClick={() => picture.current?.zoom("out")}>
					−
				</button>
				<button type="button" aria-label="All of it" onClick={() => picture.current?.zoom("all")}>
					⤢
				</button>
			</div>
			{state === "moving" && <span class="settling muted">finding places…</span>}
		</div>
	);
}

function Legend({ byHealth }: { byHealth: boolean }): JSX.Element {
	return (
		<p class="legend muted">
			A dot is a repository: the larger, the more rests on it; its colour is {byHealth ? "health: green, degraded, or red if down" : "cluster: repositories that use each other most"}. A line goes from who uses to what is used, the thicker the more often. Pick either to see why.
		</p>
	);
}

/** What no group has, or nobody has yet. */
function Nothing(): JSX.Element {
	if (!repos.value.length)
		return (
			<Empty title="No repositories yet" command="atoll repo add PATH|URL">
				The graph shows who calls whom once repositories are indexed.
			</Empty>
		);
	return (
		<Empty title="No group yet" command="atoll group create NAME REPO...">
			Links are found between the members of a group.
		</Empty>
	);
}

export default function GraphView(): JSX.Element {
	const q = query.value;
	const chosen = q.get("group") ?? "";
	const asked = chosen ? [chosen] : groups.value.slice(0, MOST_GROUPS).map((g) => g.name);
	const sure = Number(q.get("confidence") ?? 0) || 0;
	const round = `${live.value.back ? live.value.since : 0} ${useRebuilt(asked)}`;
	const known = status.value !== null;
	const whole = useGraphs(known ? asked : null, 0, round);
	const surer = useGraphs(known && sure ? asked : null, sure, round);
	const world = useWorld(whole, !chosen);
	const [gl] = useState(hasWebGL);
	const wanted = useMemo(() => set("relation"), [q.get("relation")]);

	// what stands in the picture: all, one cluster of it, or clusters
	const inside = q.get("cluster");
	const level = q.get("level") === "clusters" && !inside ? "clusters" : "repositories";
	const base = useMemo(() => {
		if (!world) return null;
		let spots = world.spots;
		const at = inside && spots.find((s) => s.uri === inside);
		if (at) spots = spots.filter((s) => s.cluster === at.cluster);
		const here = new Set(spots.map((s) => s.uri));
		const lines = [...world.lines.values()].filter((l) => here.has(l.source) && here.has(l.target));
		return level === "clusters" ? bundle(spots, lines) : { spots, lines, sizes: new Map<string, number>() };
	}, [world, inside, level]);
	const sureLines = useMemo(() => (sure && surer.answers ? linesOf(surer.answers) : null), [sure, surer.answers]);
	const shown = useMemo(() => {
		if (!base || !world) return null;
		if (!sureLines && !wanted.size) return null;
		if (level === "clusters") return only(bundle(world.spots, [...(sureLines ?? world.lines).values()]).lines, wanted);
		return only(sureLines ? base.lines.flatMap((l) => sureLines.get(l.id) ?? []) : base.lines, wanted);
	}, [base, world, sureLines, wanted, level]);
	const words = q.get("q") ?? "";
	const found = useMemo(() => (words && base ? new Set(base.spots.filter((s) => fits(s, words)).map((s) => s.uri)) : null), [words, base]);

	if (!known) return <Busy />;
	if (!groups.value.length) return <Nothing />;
	if (whole.error && !whole.answers) return <Failure error={whole.error} />;
	if (!base || !world) return <Busy what="Loading the graph" />;

	const lines = shown ?? base.lines;
	const node = q.get("node") ?? undefined;
	const spot = node ? base.spots.find((s) => s.uri === node) : undefined;
	const [from, target] = [q.get("from"), q.get("to")];
	const line = from && target ? lines.find((l) => l.id === lineId(from, target)) : undefined;
	const colours = [{ value: "health", text: "Health" }, { value: "cluster", text: "Clusters" }];
	if (world.spots.length >= LARGE) colours.reverse(); // the first is the usual one
	const byHealth = (q.get("colour") ?? colours[0]!.value) === "health";
	const asList = !gl || q.get("as") === "list";
	const listed = found ? { spots: base.spots.filter((s) => found.has(s.uri)), lines: lines.filter((l) => found.has(l.source) || found.has(l.target)) } : { spots: base.spots, lines };
	const error = whole.error ?? surer.error;

	return (
		<>
			<div class="head">
				<h1>Graph</h1>
				<span class="muted">
					{many(base.spots.length, level === "clusters" ? "cluster" : "repository", level === "clusters" ? "clusters" : "repositories")}, {many(lines.reduce((n, l) => n + l.total, 0), "link")}
					{!chosen && groups.value.length > MOST_GROUPS && ` of the first ${MOST_GROUPS} of ${groups.value.length} groups`}
					{whole.answers?.some((a) => !a.complete) && " · not all members' current facts are in it"}
				</span>
			</div>
			<div class="bar">
				<Find spots={base.spots} show={(s) => setQuery({ node: s.uri, from: null, to: null }, false)} />
				<SelectFilter name="group" label="Group" options={[{ value: "", text: "All" }, ...groups.value.map((g) => ({ value: g.name, text: middle(g.name, 28) }))]} />
				<SelectFilter name="confidence" label="Confidence" options={[{ value: "", text: "Any" }, ...LEAST.map((v) => ({ value: v, text: v === "1" ? "100 %" : `${Number(v) * 100} % or more` }))]} />
				<RelationFilter lines={(sureLines ?? world.lines).values()} />
				{gl && <ChipFilter name="as" label="Shown as" options={[{ value: "", text: "Picture" }, { value: "list", text: "List" }]} />}
				{!asList && <SelectFilter name="colour" label="Colours" options={colours} />}
				{world.spots.length >= LARGE && !inside && <ChipFilter name="level" label="Detail" options={[{ value: "", text: "Repositories" }, { value: "clusters", text: "Clusters", count: world.clusters }]} />}
				{inside && (
					<button type="button" class="chip" aria-pressed="true" onClick={() => setQuery({ cluster: null }, false)}>
						One cluster ✕
					</button>
				)}
			</div>
			{!gl && (
				<p class="note" role="status">
					This browser has no WebGL, so the graph is shown as a list.
				</p>
			)}
			{error && <Failure error={error} />}
			<div class="graph">
				{asList ? <List {...listed} /> : <Canvas of={JSON.stringify([chosen, inside, level])} spots={base.spots} lines={base.lines} sizes={base.sizes} byHealth={byHealth} shown={shown} node={node} edge={line && { source: line.source, target: line.target }} found={found} />}
				{(spot || line) && (
					<aside class="panel details" aria-label="Details" tabIndex={0}>
						<button type="button" class="quiet close" aria-label="Close" onClick={() => setQuery({ node: null, from: null, to: null }, false)}>
							✕
						</button>
						{line && level !== "clusters" ? (
							<EdgeDetails line={line} back={lines.find((l) => l.id === lineId(line.target, line.source))} wanted={wanted} sure={sure} />
						) : spot ? (
							<NodeDetails spot={spot} lines={lines} members={level === "clusters" ? world.spots.filter((s) => s.cluster === spot.cluster) : null} />
						) : (
							line && (
								<>
									<h2>Between two clusters</h2>
									<p class="muted">{many(line.total, "link")}. Pick a cluster to see its repositories.</p>
								</>
							)
						)}
					</aside>
				)}
				{(from || node) && !spot && !line && !whole.busy && !surer.busy && (
					<aside class="panel details" aria-label="Details">
						<p>Not in this graph with the current filters.</p>
						<button type="button" onClick={() => go("/graph")}>
							Show all
						</button>
					</aside>
				)}
			</div>
			{!asList && <Legend byHealth={byHealth} />}
		</>
	);
}
