// What is beside the chosen lines: contracts, uses in other repositories, callers, callees.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { byUri } from "../live";
import { Badge, FileLink, Long, RepoLink } from "../parts/basics";
import { Link, to } from "../router";
import { count, middle } from "../text";
import { isCall } from "./margins";
import type { Crossing, FileMap, Related, Symbol_ } from "./types";

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

const relations: Record<Crossing["end"]["relation"], string> = { calls: "served by ", called_by: "called by ", uses: "defined in ", used_by: "used by " };

function Crossed({ x }: { x: Crossing }): JSX.Element {
	return (
		<>
			<code class="contract" title={x.end.contract}>
				{middle(x.end.contract, 44)}
			</code>
			<small>
				<span class="muted">{relations[x.end.relation]}</span>
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
export function around(map: FileMap, line: number): Symbol_ | null {
	let best: Symbol_ | null = null;
	for (const s of map.symbols) if (s.start_line <= line && line <= s.end_line && (!best || s.end_line - s.start_line <= best.end_line - best.start_line)) best = s;
	return best;
}

export function Panel({ uri, map, from, end, used }: { uri: string; map: FileMap; from: number; end: number; used: (line: number) => Related[] }): JSX.Element {
	const symbol = from ? around(map, from) : null;
	const whole = symbol !== null && from === symbol.start_line;
	const inside = (n: number | undefined): boolean => {
		const a = whole ? symbol.start_line : from;
		const b = whole ? symbol.end_line : end;
		return !from || (n !== undefined && n >= a && n <= b);
	};
	const ids = new Set(symbol ? [symbol.id, ...map.symbols.filter((s) => s.kind === "constructor" && s.parent === symbol.qualified).map((s) => s.id)] : []);
	const into = map.used_by.filter((r) => (symbol ? ids.has(r.via) : !from && r.path !== map.path));
	const few = from && !whole ? Array.from({ length: Math.min(end - from + 1, 200) }, (_, i) => used(from + i)).flat() : null;
	const outOf = few ?? map.uses.filter((r) => inside(r.at_line) && (from !== 0 || r.relation === "IMPORTS"));
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
			<Some title="Across repositories" all={crossings} row={(x) => <Crossed x={x} />} />
			<Some title={from ? "Callers" : "Called from other files"} all={callers} row={(r) => <Way uri={uri} r={r} line={r.at_line ?? r.start_line} own={map.path} />} />
			<Some title="Calls" all={calls} row={(r) => <Way uri={uri} r={r} line={r.start_line} own={map.path} />} />
			<Some title={from ? "Named by" : "Named in other files"} all={named} row={(r) => <Way uri={uri} r={r} line={r.at_line ?? r.start_line} own={map.path} />} most={10} />
			<Some title={from ? "Names" : "Imports"} all={uses} row={(r) => <Way uri={uri} r={r} line={r.start_line} own={map.path} />} most={10} />
			{nothing && <p class="muted">{symbol ? "Nothing in the index calls it, and it calls nothing in the index." : "Nothing in the index uses it, and it uses nothing in the index."}</p>}
			{!from && <p class="muted">Select a line to see its callers and callees.</p>}
			{map.total_used_by > map.used_by.length && <p class="muted">The first {count(map.used_by.length)} of {count(map.total_used_by)} uses are shown.</p>}
			{map.reasons.map((r) => (
				<p key={r} class="muted">
					{r}
				</p>
			))}
		</aside>
	);
}
