// A file at the indexed commit: its lines, what is defined in it, and beside each line who calls it and what it calls.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, call, isAbort } from "../api";
import { type Asked, useTool } from "../ask";
import { byUri, repos, status } from "../live";
import { Age, Badge, Busy, Empty, Failure, FileLink, Long, RepoLink } from "../parts/basics";
import { TextFilter } from "../parts/filters";
import { forgeLink } from "../parts/forges";
import { grammarOf, highlighted, type Piece } from "../parts/highlight";
import { type Anchor, SourceLine } from "../parts/source";
import { type Column, Table } from "../parts/table";
import { go, Link, query, setQuery, to } from "../router";
import { count, many, middle } from "../text";
import type { Freshness, Repo } from "../types";

interface Text {
	repo: string;
	repo_uri: string;
	path: string;
	startLine: number;
	endLine: number;
	totalLines: number;
	content: string;
	truncated?: boolean;
	freshness: Freshness;
}

interface Symbol_ {
	id: string;
	name: string;
	qualified: string;
	kind: string;
	signature?: string;
	start_line: number;
	end_line: number;
	parent?: string;
	test?: boolean;
}

interface Related {
	id: string;
	qualified: string;
	kind: string;
	path: string;
	start_line: number;
	end_line: number;
	relation: string;
	confidence: number;
	reason?: string;
	at_line?: number;
	via: string;
	test?: boolean;
}

interface Crossing {
	at_line: number;
	at_end_line: number;
	end: { relation: "calls" | "called_by"; repo_uri: string; path: string; start_line: number; end_line: number; symbol?: string; contract: string; confidence: number; ambiguous?: boolean };
}

interface FileMap {
	path: string;
	language?: string;
	entries: { name: string; path: string; files?: number; language?: string; lines?: number }[];
	total_entries: number;
	symbols: Symbol_[];
	total: number;
	uses: Related[];
	total_uses: number;
	used_by: Related[];
	total_used_by: number;
	crossings: Crossing[];
	reasons: string[];
	freshness: Freshness;
}

const number = (name: string): number => Math.max(0, Math.floor(Number(query.value.get(name)))) || 0;

// ---- which repository ----

const columns: Column<Repo>[] = [
	{
		key: "name",
		title: "Repository",
		cell: (r) => (
			<>
				<RepoLink uri={r.repo_uri} name={r.name} />
				<small>
					<Long text={r.repo_uri} most={60} />
				</small>
			</>
		),
	},
	{ key: "files", title: "Files", number: true, cell: (r) => count(r.files) },
	{ key: "symbols", title: "Definitions", number: true, narrow: true, cell: (r) => count(r.symbols) },
	{ key: "indexed", title: "Indexed", cell: (r) => <Age at={r.freshness?.indexed_at} /> },
];

function Choose(): JSX.Element {
	const q = (query.value.get("q") ?? "").toLowerCase();
	const near = repos.value.filter((r) => !q || r.name.toLowerCase().includes(q) || r.repo_uri.toLowerCase().includes(q));
	return (
		<>
			<div class="head">
				<h1>Code</h1>
			</div>
			{repos.value.length === 0 ? (
				<Empty title="No repository yet" command="atoll repo add ~/src/web" />
			) : (
				<section>
					<div class="bar">
						<TextFilter name="q" label="Filter repositories" />
						<span class="muted">
							or <Link href="/search">search all of them</Link>
						</span>
					</div>
					{near.length ? <Table label="Repositories" rows={near} columns={columns} id={(r) => r.repo_uri} /> : <Empty title="None of them">No repository has that in its name.</Empty>}
				</section>
			)}
		</>
	);
}

// ---- where one is ----

function Crumbs({ uri, path }: { uri: string; path: string }): JSX.Element {
	const parts = path.split("/").filter(Boolean);
	return (
		<h1 class="crumbs">
			<RepoLink uri={uri} name={byUri.value.get(uri)?.name ?? uri} />
			{parts.map((p, i) => (
				<span key={i}>
					<span class="muted"> / </span>
					{i < parts.length - 1 ? (
						<Link href={to("/code", { repo: uri, path: `${parts.slice(0, i + 1).join("/")}/` })} title={p}>
							{middle(p, 32)}
						</Link>
					) : (
						<span title={p}>{middle(p, 56)}</span>
					)}
				</span>
			))}
		</h1>
	);
}

function Stamp({ f, uri, path, from, end }: { f: Freshness; uri: string; path: string; from: number; end: number }): JSX.Element {
	const forge = path ? forgeLink(uri, f.commit, path, from, end) : null;
	return (
		<>
			<span class="muted" title={f.commit}>
				at <code>{f.commit.slice(0, 10)}</code>, indexed <Age at={f.indexed_at} />
			</span>
			{f.behind !== 0 && <Badge tone="warn">{f.behind < 0 ? "behind by an unknown number of commits" : `${many(f.behind, "commit")} behind`}</Badge>}
			{forge && (
				<a href={forge.href} target="_blank" rel="noreferrer noopener">
					Open on {forge.name} ↗
				</a>
			)}
		</>
	);
}

// ---- a folder ----

function Folder({ uri, map }: { uri: string; map: FileMap }): JSX.Element {
	return (
		<>
			<div class="head">
				<Crumbs uri={uri} path={map.path} />
				<span class="bar">
					<Stamp f={map.freshness} uri={uri} path="" from={0} end={0} />
				</span>
			</div>
			{map.entries.length ? (
				<ul class="folder" aria-label="Files">
					{map.entries.map((e) => (
						<li key={e.path}>
							<Link href={to("/code", { repo: uri, path: e.files ? `${e.path}/` : e.path })} title={e.path}>
								<span aria-hidden="true" class="muted">
									{e.files ? "▸ " : "  "}
								</span>
								{middle(e.name, 60)}
								{e.files ? "/" : ""}
							</Link>
							<span class="muted">{e.files ? many(e.files, "file") : e.language}</span>
							<span class="muted number">{e.files ? "" : many(e.lines ?? 0, "line")}</span>
						</li>
					))}
				</ul>
			) : (
				<Empty title="No file of this repository is in the index" />
			)}
			{map.total_entries > map.entries.length && <p class="muted">and {count(map.total_entries - map.entries.length)} more</p>}
			<p class="muted">Files that are in the index. Others (lock files, vendored and binary ones) can be opened by their path.</p>
		</>
	);
}

// ---- the lines, piece by piece ----

const ROW = 20; // height of a line, as in code.css
const ALL = 1500; // files up to so many lines are shown whole
const AROUND = 120; // lines beside those in sight
const PIECE = 1000; // lines that are fetched at once

interface Loaded {
	total: number;
	freshness: Freshness | null;
	lines: (Piece[] | undefined)[]; // from 0
	cut: Set<number>; // lines of which there is more
}

/** The lines of a file as they are needed. */
function useLines(uri: string, path: string, first: Text | null): { at: Loaded; need: (from: number, to: number) => void; error: ApiError | null } {
	const [at, set] = useState<Loaded>({ total: 0, freshness: null, lines: [], cut: new Set() });
	const [error, fail] = useState<ApiError | null>(null);
	const asked = useRef(new Set<number>());
	const stop = useRef(new AbortController());
	const grammar = grammarOf(path);

	const put = (t: Text): void =>
		set((s) => {
			const fresh = s.freshness?.commit === t.freshness.commit ? s : { total: t.totalLines, freshness: t.freshness, lines: [], cut: new Set<number>() };
			const lines = [...fresh.lines];
			highlighted(t.content.replace(/\n$/, ""), grammar)
				.slice(0, t.endLine - t.startLine + 1)
				.forEach((l, i) => (lines[t.startLine - 1 + i] = l));
			const cut = new Set(fresh.cut);
			if (t.truncated && t.startLine === t.endLine) cut.add(t.endLine);
			return { total: t.totalLines, freshness: t.freshness, lines, cut };
		});
	useEffect(() => {
		asked.current = new Set();
		stop.current = new AbortController();
		set({ total: 0, freshness: null, lines: [], cut: new Set() });
		fail(null);
		return () => stop.current.abort();
	}, [uri, path]);
	useEffect(() => {
		if (first) put(first);
	}, [first]);

	const fetchFrom = async (from: number, end: number, signal: AbortSignal): Promise<void> => {
		for (let next = from; next <= end; ) {
			const t = await call<Text>("open_file", { repo_uri: uri, path, startLine: next, endLine: end }, signal);
			put(t);
			next = Math.max(t.endLine, next) + 1;
		}
	};
	const need = (from: number, end: number): void => {
		for (let k = Math.floor((from - 1) / PIECE); k * PIECE < Math.min(end, at.total); k++) {
			const a = k * PIECE + 1;
			const b = Math.min(at.total, a + PIECE - 1);
			let missing = a;
			while (missing <= b && at.lines[missing - 1]) missing++;
			if (missing > b || asked.current.has(k)) continue;
			asked.current.add(k);
			fetchFrom(missing, b, stop.current.signal).catch((e: unknown) => {
				if (isAbort(e)) return;
				asked.current.delete(k);
				fail(e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) }));
			});
		}
	};
	return { at, need, error };
}

/** Which lines are in sight, and some more; all of a short file. */
function useWindow(total: number): { box: { current: HTMLDivElement | null }; from: number; to: number } {
	const box = useRef<HTMLDivElement>(null);
	const [seen, see] = useState({ from: 1, to: AROUND });
	useEffect(() => {
		if (total <= ALL) return undefined;
		let frame = 0;
		const look = (): void => {
			frame = 0;
			const top = box.current?.getBoundingClientRect().top ?? 0;
			const first = Math.max(1, Math.floor(-top / ROW) + 1);
			const from = Math.max(1, Math.floor((first - AROUND) / 40) * 40 + 1);
			const end = Math.min(total, from + 2 * AROUND + Math.ceil(innerHeight / ROW) + 40);
			see((s) => (s.from === from && s.to === end ? s : { from, to: end }));
		};
		const later = (): void => {
			frame ||= requestAnimationFrame(look);
		};
		look();
		addEventListener("scroll", later, { passive: true });
		addEventListener("resize", later);
		return () => {
			cancelAnimationFrame(frame);
			removeEventListener("scroll", later);
			removeEventListener("resize", later);
		};
	}, [total]);
	return total <= ALL ? { box, from: 1, to: total } : { box, ...seen };
}

// ---- what stands beside a line ----

interface Beside {
	symbols: Symbol_[];
	callers: Related[]; // of what is defined on it
	calls: Related[];
	crossings: Crossing[];
}

const isCall = (r: Related): boolean => r.relation === "CALLS";

function besides(map: FileMap | null): Map<number, Beside> {
	const all = new Map<number, Beside>();
	const at = (line: number): Beside => {
		let b = all.get(line);
		if (!b) all.set(line, (b = { symbols: [], callers: [], calls: [], crossings: [] }));
		return b;
	};
	if (!map) return all;
	const starts = new Map(map.symbols.map((s) => [s.id, s.start_line]));
	for (const s of map.symbols) at(s.start_line).symbols.push(s);
	for (const r of map.used_by) if (isCall(r) && starts.has(r.via)) at(starts.get(r.via)!).callers.push(r);
	for (const r of map.uses) if (r.at_line) at(r.at_line).calls.push(r);
	for (const x of map.crossings) at(x.at_line).crossings.push(x);
	return all;
}

function Mark({ line, b, href }: { line: number; b: Beside | undefined; href: string }): JSX.Element {
	const calls = b?.calls.filter(isCall).length ?? 0;
	if (!b || (!b.callers.length && !b.crossings.length && !calls)) return <span class="beside" />;
	const said = [
		b.callers.length && `${many(b.callers.length, "caller")} of ${b.symbols.map((s) => s.name).join(", ")}`,
		calls && `calls ${[...new Set(b.calls.filter(isCall).map((c) => c.qualified))].join(", ")}`,
		b.crossings.length && `${many(b.crossings.length, "contract")}: ${[...new Set(b.crossings.map((x) => x.end.contract))].join(", ")}`,
	]
		.filter(Boolean)
		.join("; ");
	return (
		<Link class="beside" href={href} title={said} aria-label={`Line ${line}: ${said}`}>
			{b.crossings.length > 0 && <b class="crosses">⇄</b>}
			{b.callers.length > 0 && <span class="in">{b.callers.length}←</span>}
			{calls > 0 && <span class="out">→</span>}
		</Link>
	);
}

const lastWord = (qualified: string): string => qualified.split(/[.:#/]+/).pop() ?? "";

/** What a line names that is defined elsewhere, as links. */
function anchorsOf(uri: string, b: Beside | undefined): Anchor[] {
	const found = new Map<string, Anchor>();
	for (const r of b?.calls ?? []) {
		const words = [lastWord(r.qualified), r.qualified.split(".").slice(-2)[0] ?? ""];
		const name = r.kind === "constructor" ? words[1]! : words[0]!;
		if (r.kind !== "file" && name && !found.has(name)) found.set(name, { name, href: to("/code", { repo: uri, path: r.path, line: r.start_line }), title: `${r.kind} ${r.qualified}, ${r.path}:${r.start_line}` });
	}
	return [...found.values()];
}

interface SheetProps {
	uri: string;
	path: string;
	lines: ReturnType<typeof useLines>;
	beside: Map<number, Beside>;
	from: number;
	end: number;
}

function Sheet({ uri, path, lines, beside, from, end }: SheetProps): JSX.Element {
	const { at, need } = lines;
	const w = useWindow(at.total);
	const known = at.total > 0;
	const windowed = at.total > ALL;
	useEffect(() => {
		if (known) need(w.from, w.to);
	}, [w.from, w.to, known, at.lines]);
	// To the line that was asked for, when the file is there, and when another one is asked for from elsewhere.
	useLayoutEffect(() => {
		if (!known || !from || !w.box.current) return;
		const top = w.box.current.getBoundingClientRect().top + scrollY + (from - 1) * ROW;
		if (top < scrollY + 60 || top > scrollY + innerHeight - 80) scrollTo(0, Math.max(0, top - innerHeight / 3));
	}, [known, from, path, uri]);
	const href = (n: number): string => to("/code", { repo: uri, path, line: n });
	const select = (n: number) => (e: MouseEvent): void => {
		if (e.ctrlKey || e.metaKey) return;
		e.preventDefault();
		if (e.shiftKey && from) setQuery({ line: Math.min(from, n), end: Math.max(from, n) }, false);
		else setQuery({ line: n, end: null }, false);
	};
	const rows: JSX.Element[] = [];
	for (let n = w.from; n <= Math.min(w.to, at.total); n++) {
		const pieces = at.lines[n - 1];
		const b = beside.get(n);
		rows.push(
			<div key={n} id={`L${n}`} class={`row${from && n >= from && n <= end ? " on" : ""}`}>
				<a class="no" href={href(n)} onClick={select(n)} aria-label={`Line ${n}`} tabIndex={-1}>
					{n}
				</a>
				<Mark line={n} b={b} href={href(n)} />
				<code>{pieces ? <SourceLine pieces={pieces} anchors={anchorsOf(uri, b)} /> : <span class="muted">…</span>}</code>
				{at.cut.has(n) && <Badge tone="warn">this line is longer than what is shown</Badge>}
			</div>,
		);
	}
	// Heights are set on the element itself: no style attribute is written.
	return (
		<div class="sheet" tabIndex={0} role="region" aria-label={`Lines of ${path}`}>
			<div ref={w.box} class="rows-of" style={windowed ? { height: `${at.total * ROW}px` } : undefined}>
				<div class="seen" style={windowed ? { transform: `translateY(${(w.from - 1) * ROW}px)` } : undefined}>
					{rows}
				</div>
			</div>
		</div>
	);
}

// ---- the outline ----

function Outline({ map, uri, now }: { map: FileMap; uri: string; now: Symbol_ | null }): JSX.Element {
	const [q, filter] = useState("");
	const depth = (s: Symbol_): number => (s.parent ? s.parent.split(".").length : 0);
	const shown = map.symbols.filter((s) => !q || s.qualified.toLowerCase().includes(q.toLowerCase()));
	const callers = new Map<string, number>();
	for (const r of map.used_by) if (isCall(r)) callers.set(r.via, (callers.get(r.via) ?? 0) + 1);
	return (
		<div class="outline" role="navigation" aria-label="Outline">
			{map.symbols.length > 12 && <input type="search" class="filter" aria-label="Filter the outline" placeholder="Filter the outline" value={q} onInput={(e) => filter(e.currentTarget.value)} />}
			<ul>
				{shown.slice(0, 1000).map((s) => (
					<li key={`${s.id} ${s.start_line}`} class={`deep-${Math.min(depth(s), 4)}`}>
						<Link href={to("/code", { repo: uri, path: map.path, line: s.start_line, end: s.end_line > s.start_line ? s.end_line : undefined })} title={`${s.kind} ${s.signature ?? s.qualified}`} aria-current={s === now ? "true" : undefined}>
							<span class={`kind k-${s.kind}`} aria-hidden="true">
								{s.kind[0]}
							</span>
							<span class="name">{s.name}</span>
							{callers.has(s.id) && <small class="muted">{callers.get(s.id)}←</small>}
						</Link>
					</li>
				))}
			</ul>
			{map.total > map.symbols.length && <p class="muted">{count(map.total - map.symbols.length)} more definitions</p>}
		</div>
	);
}

// ---- what is beside the chosen lines ----

function Some<T>({ title, all, row, most = 30 }: { title: string; all: T[]; row: (x: T) => ComponentChildren; most?: number }): JSX.Element | null {
	const [open, show] = useState(false);
	if (!all.length) return null;
	return (
		<section class="some">
			<h3>
				{title} <span class="muted">{count(all.length)}</span>
			</h3>
			<ul>
				{(open ? all : all.slice(0, most)).map((x, i) => (
					<li key={i}>{row(x)}</li>
				))}
			</ul>
			{!open && all.length > most && (
				<button type="button" class="quiet" onClick={() => show(true)}>
					{count(all.length - most)} more
				</button>
			)}
		</section>
	);
}

function Way({ uri, r, line, own }: { uri: string; r: Related; line: number; own: string }): JSX.Element {
	return (
		<>
			<Link class="name" href={to("/code", { repo: uri, path: r.path, line })} title={`${r.kind} ${r.qualified}, ${r.path}:${line}${r.reason ? `, by ${r.reason}` : ""}`}>
				{middle(r.kind === "file" ? r.path : r.qualified, 38)}
			</Link>
			<small class="muted" title={r.path}>
				{r.path === own ? `line ${line}` : `${middle(r.path, 34)}:${line}`}
				{r.test ? " · test" : ""}
				{r.confidence < 0.7 && ` · ${Math.round(r.confidence * 100)} %`}
			</small>
		</>
	);
}

const once = (all: Related[], key: (r: Related) => string): Related[] => [...new Map(all.map((r) => [key(r), r])).values()];

function Crossed({ x }: { x: Crossing }): JSX.Element {
	return (
		<>
			<code class="contract" title={x.end.contract}>
				{middle(x.end.contract, 44)}
			</code>
			<small>
				<span class="muted">{x.end.relation === "calls" ? "served by " : "called by "}</span>
				<RepoLink uri={x.end.repo_uri} name={byUri.value.get(x.end.repo_uri)?.name ?? x.end.repo_uri} most={26} />
			</small>
			<small>
				<FileLink uri={x.end.repo_uri} path={x.end.path} line={x.end.start_line} most={34} />
				{x.end.symbol && <span class="muted"> {middle(x.end.symbol, 26)}</span>}
				{x.end.confidence < 1 && <span class="muted"> · {Math.round(x.end.confidence * 100)} %</span>}
			</small>
		</>
	);
}

/** The innermost definition around a line. */
function around(map: FileMap, line: number): Symbol_ | null {
	let best: Symbol_ | null = null;
	for (const s of map.symbols) if (s.start_line <= line && line <= s.end_line && (!best || s.end_line - s.start_line <= best.end_line - best.start_line)) best = s;
	return best;
}

function Panel({ uri, map, from, end }: { uri: string; map: FileMap; from: number; end: number }): JSX.Element {
	const symbol = from ? around(map, from) : null;
	const whole = symbol !== null && from === symbol.start_line;
	const inside = (n: number | undefined): boolean => {
		const a = whole ? symbol.start_line : from;
		const b = whole ? symbol.end_line : end;
		return !from || (n !== undefined && n >= a && n <= b);
	};
	const ids = new Set(symbol ? [symbol.id, ...map.symbols.filter((s) => s.kind === "constructor" && s.parent === symbol.qualified).map((s) => s.id)] : []);
	const into = map.used_by.filter((r) => (symbol ? ids.has(r.via) : !from && r.path !== map.path));
	const outOf = map.uses.filter((r) => inside(r.at_line) && (from !== 0 || r.relation === "IMPORTS"));
	const by = (r: Related): string => `${r.id} ${r.at_line ?? 0}`;
	const callers = once(into.filter(isCall), by);
	const named = once(into.filter((r) => !isCall(r)), by);
	const calls = once(outOf.filter(isCall), (r) => r.id);
	const uses = once(outOf.filter((r) => !isCall(r)), (r) => r.id);
	const crossings = map.crossings.filter((x) => inside(x.at_line));
	const nothing = !callers.length && !named.length && !calls.length && !uses.length && !crossings.length;
	return (
		<aside class={`about${from ? " chosen" : ""}`} aria-label="Callers and callees" tabIndex={0}>
			<h2>
				{symbol ? (
					<>
						<Badge>{symbol.kind}</Badge> <Long text={symbol.qualified} most={34} />
					</>
				) : from ? (
					`Line ${from}${end > from ? `–${end}` : ""}`
				) : (
					"This file"
				)}
			</h2>
			{symbol?.signature && <code class="signature">{symbol.signature}</code>}
			{symbol && !whole && (
				<p class="muted">
					{end > from ? `Lines ${from}–${end}` : `Line ${from}`} of it; callers are those of{" "}
					<Link href={to("/code", { repo: uri, path: map.path, line: symbol.start_line, end: symbol.end_line > symbol.start_line ? symbol.end_line : undefined })}>all of it</Link>.
				</p>
			)}
			<Some title="Contracts" all={crossings} row={(x) => <Crossed x={x} />} />
			<Some title={from ? "Callers" : "Called from other files"} all={callers} row={(r) => <Way uri={uri} r={r} line={r.at_line ?? r.start_line} own={map.path} />} />
			<Some title="Calls" all={calls} row={(r) => <Way uri={uri} r={r} line={r.start_line} own={map.path} />} />
			<Some title={from ? "Named by" : "Named in other files"} all={named} row={(r) => <Way uri={uri} r={r} line={r.at_line ?? r.start_line} own={map.path} />} most={10} />
			<Some title={from ? "Names" : "Imports"} all={uses} row={(r) => <Way uri={uri} r={r} line={r.start_line} own={map.path} />} most={10} />
			{nothing && <p class="muted">{symbol ? "Nothing in the index calls it, and it calls nothing that the index knows." : "The index knows of nothing that it uses or that uses it."}</p>}
			{!from && <p class="muted">Choose a line to see who calls it and what it calls.</p>}
			{map.total_used_by > map.used_by.length && <p class="muted">The first {count(map.used_by.length)} of {count(map.total_used_by)} uses are shown.</p>}
			{map.reasons.map((r) => (
				<p key={r} class="muted">
					{r}
				</p>
			))}
		</aside>
	);
}

// ---- a file ----

function NotShown({ uri, path, error, again }: { uri: string; path: string; error: ApiError; again: () => void }): JSX.Element {
	const repo = byUri.value.get(uri);
	const commit = repo?.freshness?.commit;
	const forge = commit ? forgeLink(uri, commit, path) : null;
	const binary = error.code === "INVALID_INPUT" && /binary file/.test(error.message);
	const title = binary ? "A binary file" : error.code === "NOT_FOUND" ? "There is no such file at the indexed commit" : error.code === "NO_INDEX" ? "This repository has no index yet" : "";
	return (
		<>
			<div class="head">
				<Crumbs uri={uri} path={path} />
			</div>
			{title ? (
				<Empty title={title}>
					{binary ? "Its bytes are no text, so there are no lines to show." : error.message}
					{error.hint && !binary && <span class="muted"> {error.hint}</span>}
					{forge && binary && (
						<a href={forge.href} target="_blank" rel="noreferrer noopener">
							{" "}
							Open on {forge.name} ↗
						</a>
					)}
				</Empty>
			) : (
				<Failure error={error} again={again} />
			)}
			<p>
				<Link href={to("/code", { repo: uri })}>All files of {repo?.name ?? uri}</Link>
			</p>
		</>
	);
}

function File({ uri, path, text, map }: { uri: string; path: string; text: Text; map: Asked<FileMap> }): JSX.Element {
	const lines = useLines(uri, path, text);
	const from = number("line");
	const end = Math.max(from, number("end"));
	const known = map.data?.language ? map.data : null;
	const beside = useMemo(() => besides(known), [known]);
	const symbol = known && from ? around(known, from) : null;
	const total = lines.at.total || text.totalLines;
	useKeys(total, from);
	return (
		<>
			<div class="head">
				<Crumbs uri={uri} path={path} />
				<span class="bar">
					<span class="muted">
						{known?.language} {many(total, "line")}
					</span>
					<Stamp f={text.freshness} uri={uri} path={path} from={from} end={end} />
				</span>
			</div>
			{lines.error && <Failure error={lines.error} />}
			{from > total && total > 0 && <p class="note warn">There is no line {count(from)}: the file has {many(total, "line")} at this commit.</p>}
			{map.error && map.error.code !== "NOT_FOUND" && <p class="note warn">Without outline and callers: {map.error.message}</p>}
			{map.error?.code === "NOT_FOUND" && <p class="note">This file is not in the index, so it has no outline and no callers.</p>}
			<div class={`file-view${known ? "" : " alone"}`}>
				{known && (
					<details class="outline-box" open={matchMedia("(min-width: 1100px)").matches}>
						<summary>
							Outline <span class="muted">{count(known.total)}</span>
						</summary>
						{known.symbols.length ? <Outline map={known} uri={uri} now={symbol} /> : <p class="muted">Nothing is defined here.</p>}
					</details>
				)}
				{total === 0 ? <Empty title="An empty file" /> : <Sheet uri={uri} path={path} lines={lines} beside={beside} from={from} end={end} />}
				{known && <Panel uri={uri} map={known} from={from} end={end} />}
			</div>
		</>
	);
}

/** j and k go from line to line; Escape leaves the line. */
function useKeys(total: number, line: number): void {
	useEffect(() => {
		const onKey = (e: KeyboardEvent): void => {
			const at = e.target as HTMLElement;
			if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return;
			const by = e.key === "j" ? 1 : e.key === "k" ? -1 : 0;
			if (by) setQuery({ line: Math.min(total, Math.max(1, line + by)), end: null });
			else if (e.key === "Escape" && line) setQuery({ line: null, end: null });
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, [total, line]);
}

function Open({ uri, path }: { uri: string; path: string }): JSX.Element {
	const folder = path === "" || path.endsWith("/");
	const line = number("line");
	const start = useRef({ at: "", from: 1 });
	// The piece that holds the line is fetched first; another line of the same file fetches nothing.
	if (start.current.at !== `${uri} ${path}`) start.current = { at: `${uri} ${path}`, from: Math.floor(Math.max(0, line - 1) / PIECE) * PIECE + 1 };
	const from = start.current.from;
	const text = useTool<Text>("open_file", folder ? null : { repo_uri: uri, path, startLine: from > 1 ? from : 0, endLine: from + PIECE - 1 });
	const late = useTool<Text>("open_file", folder || from === 1 || text.error?.code !== "INVALID_INPUT" ? null : { repo_uri: uri, path, endLine: PIECE });
	const map = useTool<FileMap>("file_map", { repo_uri: uri, path: path.replace(/\/$/, "") });
	const same = (t: Text | null): Text | null => (t && t.path === path ? t : null);
	const got = same(text.data) ?? same(late.data);
	if (map.data && !map.data.language && map.data.path === path.replace(/\/$/, "")) return <Folder uri={uri} map={map.data} />;
	if (got) return <File key={`${uri} ${path}`} uri={uri} path={path} text={got} map={map.data?.path === path || !map.data ? map : { ...map, data: null }} />;
	const error = folder ? map.error : from > 1 && text.error?.code === "INVALID_INPUT" ? late.error : !map.busy ? text.error : null;
	if (error) return <NotShown uri={uri} path={path} error={error} again={() => (text.again(), map.again())} />;
	return <Busy />;
}

export default function View(): JSX.Element {
	const repo = query.value.get("repo") ?? "";
	const path = query.value.get("path") ?? "";
	const known = byUri.value.get(repo) ?? repos.value.find((r) => r.name === repo);
	useEffect(() => {
		if (path) document.title = `${path.slice(path.lastIndexOf("/") + 1) || path} · Atoll`;
	}, [path]);
	useEffect(() => {
		// a name is as good as the handle
		if (known && known.repo_uri !== repo) go(to("/code", { ...Object.fromEntries(query.value), repo: known.repo_uri }), true);
	}, [known, repo]);
	if (!status.value) return <Busy />;
	if (!repo) return <Choose />;
	return <Open uri={known?.repo_uri ?? repo} path={path} />;
}
