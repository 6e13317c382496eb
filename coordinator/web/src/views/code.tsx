// A file at the indexed commit: its lines, what is defined in it, and beside each line who calls it and what it calls.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ApiError } from "../api";
import { type Asked, useTool } from "../ask";
import { ALL, PIECE, ROW, useLines, useWindow } from "../code/lines";
import { type Beside, isCall, lastWord, Margins, wordOf } from "../code/margins";
import { Outline } from "../code/outline";
import { around, Panel } from "../code/panel";
import type { Crossing, FileMap, Related, Text } from "../code/types";
import { byUri, repos, status } from "../live";
import { Age, Badge, Busy, Empty, Failure, RepoLink, RepoName } from "../parts/basics";
import { TextFilter } from "../parts/filters";
import { forgeLink } from "../parts/forges";
import { type Anchor, SourceLine } from "../parts/source";
import { type Column, Table } from "../parts/table";
import { go, Link, query, setQuery, to } from "../router";
import { count, many, middle } from "../text";
import type { Freshness, Repo } from "../types";

const number = (name: string): number => Math.max(0, Math.floor(Number(query.value.get(name)))) || 0;

// ---- which repository ----

const columns: Column<Repo>[] = [
	{
		key: "name",
		title: "Repository",
		cell: (r) => <RepoName repo={r} />,
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
					{near.length ? <Table label="Repositories" rows={near} columns={columns} id={(r) => r.repo_uri} /> : <Empty title="None of them">No repository's name contains that.</Empty>}
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

function Stamp({ f, map, uri, path, from, end }: { f: Freshness; map: FileMap | null; uri: string; path: string; from: number; end: number }): JSX.Element {
	const subject = map?.freshness.commit === f.commit ? map.subject : undefined;
	const forge = path ? forgeLink(uri, f.commit, path, from, end) : null;
	return (
		<>
			<span class="muted" title={f.commit}>
				at <code>{f.commit.slice(0, 10)}</code>
				{subject && (
					<>
						{" "}
						<q title={subject}>{middle(subject, 48)}</q>
					</>
				)}
				, indexed <Age at={f.indexed_at} />
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
					{!map.path && <Link href={to("/packages", { repo: uri })}>Who uses its packages</Link>}
					<Stamp f={map.freshness} map={map} uri={uri} path="" from={0} end={0} />
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
			<p class="muted">The files in the index. Others, such as lock files, vendored and binary files, can be opened by their path.</p>
		</>
	);
}

// ---- the sheet ----

function Mark({ line, b, uses, href }: { line: number; b: Beside | undefined; uses: Related[]; href: string }): JSX.Element {
	const calls = uses.filter(isCall);
	if (!calls.length && !b?.callers.length && !b?.crossings.length) return <span class="beside" />;
	const said = [
		b?.callers.length && `${many(b.callers.length, "caller")} of ${b.symbols.map((s) => s.name).join(", ")}`,
		calls.length && `calls ${[...new Set(calls.map((c) => c.qualified))].join(", ")}`,
		b?.crossings.length && `${many(b.crossings.length, "link")}: ${[...new Set(b.crossings.map((x) => x.end.contract))].join(", ")}`,
	]
		.filter(Boolean)
		.join("; ");
	return (
		<Link class="beside" href={href} title={said} aria-label={`Line ${line}: ${said}`}>
			{!!b?.crossings.length && <b class="crosses">⇄</b>}
			{!!b?.callers.length && <span class="in">{b.callers.length}←</span>}
			{calls.length > 0 && <span class="out">→</span>}
		</Link>
	);
}

/** What a line names that is defined elsewhere, as links. */
function anchorsOf(uri: string, uses: Related[], crossings: Crossing[]): Map<string, Anchor> {
	const found = new Map<string, Anchor>();
	for (const { end: e } of crossings) {
		const word = e.relation === "uses" ? lastWord(e.symbol ?? "") : "";
		if (word) found.set(word, { href: to("/code", { repo: e.repo_uri, path: e.path, line: e.start_line, end: e.end_line > e.start_line ? e.end_line : undefined }), title: `${e.symbol} in ${e.repo_uri}` });
	}
	for (const r of uses) {
		const word = wordOf(r);
		if (word && !found.has(word)) found.set(word, { href: to("/code", { repo: uri, path: r.path, line: r.start_line }), title: `${r.kind} ${r.qualified}, ${r.path}:${r.start_line}` });
	}
	return found;
}

interface SheetProps {
	uri: string;
	path: string;
	lines: ReturnType<typeof useLines>;
	beside: Margins;
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
		const uses = beside.uses(n, pieces);
		rows.push(
			<div key={n} id={`L${n}`} class={`row${from && n >= from && n <= end ? " on" : ""}`}>
				<a class="no" href={href(n)} onClick={select(n)} aria-label={`Line ${n}`} tabIndex={-1}>
					{n}
				</a>
				<Mark line={n} b={b} uses={uses} href={href(n)} />
				<code>{pieces ? <SourceLine pieces={pieces} anchors={anchorsOf(uri, uses, b?.crossings ?? [])} /> : <span class="muted">…</span>}</code>
				{at.cut.has(n) && <Badge tone="warn">this line is truncated</Badge>}
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

// ---- a file ----

function NotShown({ uri, path, error, again }: { uri: string; path: string; error: ApiError; again: () => void }): JSX.Element {
	const repo = byUri.value.get(uri);
	const commit = repo?.freshness?.commit;
	const forge = commit ? forgeLink(uri, commit, path) : null;
	const binary = error.code === "INVALID_INPUT" && /binary file/.test(error.message);
	const older = error.code === "SCHEMA_MISMATCH";
	const title = binary ? "A binary file" : older ? "Its folders cannot be listed" : error.code === "NOT_FOUND" ? "There is no such file at the indexed commit" : error.code === "NO_INDEX" ? "This repository has no index yet" : "";
	return (
		<>
			<div class="head">
				<Crumbs uri={uri} path={path} />
			</div>
			{title ? (
				<Empty title={title}>
					{binary ? "It is not text, so there are no lines to show." : error.message}
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
				{older ? <Link href={to("/search", { repo: uri, by: "file" })}>Search {repo?.name ?? uri} for files</Link> : <Link href={to("/code", { repo: uri })}>All files of {repo?.name ?? uri}</Link>}
			</p>
		</>
	);
}

/** What is shown is of an index that another one has taken the place of since. */
function Newer({ uri, commit, again }: { uri: string; commit: string; again: () => void }): JSX.Element | null {
	const now = byUri.value.get(uri)?.freshness?.commit;
	if (!now || now === commit) return null;
	return (
		<p class="note" role="status">
			Another commit has been indexed since, <code>{now.slice(0, 10)}</code>.{" "}
			<button type="button" onClick={again}>
				Show it
			</button>
		</p>
	);
}

function File({ uri, path, text, map, again }: { uri: string; path: string; text: Text; map: Asked<FileMap>; again: () => void }): JSX.Element {
	const lines = useLines(uri, path, text);
	const from = number("line");
	const end = Math.max(from, number("end"));
	const known = map.data?.language ? map.data : null;
	const beside = useMemo(() => new Margins(known), [known]);
	const symbol = known && from ? around(known, from) : null;
	const total = lines.at.total || text.totalLines;
	useKeys(total);
	return (
		<>
			<div class="head">
				<Crumbs uri={uri} path={path} />
				<span class="bar">
					<span class="muted">
						{known?.language} {many(total, "line")}
					</span>
					<Stamp f={text.freshness} map={known} uri={uri} path={path} from={from} end={end} />
				</span>
			</div>
			<Newer uri={uri} commit={text.freshness.commit} again={again} />
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
						{known.symbols.length ? <Outline map={known} uri={uri} now={symbol} /> : <p class="muted">Nothing is defined in this file.</p>}
					</details>
				)}
				{total === 0 ? <Empty title="An empty file" /> : <Sheet uri={uri} path={path} lines={lines} beside={beside} from={from} end={end} />}
				{known && <Panel uri={uri} map={known} from={from} end={end} used={(n) => beside.uses(n, lines.at.lines[n - 1])} />}
			</div>
		</>
	);
}

/** j and k go from line to line; Escape leaves the line. */
function useKeys(total: number): void {
	useEffect(() => {
		const onKey = (e: KeyboardEvent): void => {
			const at = e.target as HTMLElement;
			if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return;
			const line = number("line"); // of now, which may not be shown yet
			const by = e.key === "j" ? 1 : e.key === "k" ? -1 : 0;
			if (by) setQuery({ line: Math.min(total, Math.max(1, line + by)), end: null });
			else if (e.key === "Escape" && line) setQuery({ line: null, end: null });
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, [total]);
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
	const again = (): void => (text.again(), late.again(), map.again());
	const same = (t: Text | null): Text | null => (t && t.path === path ? t : null);
	const got = same(text.data) ?? same(late.data);
	if (map.data && !map.data.language && map.data.path === path.replace(/\/$/, "")) return <Folder uri={uri} map={map.data} />;
	if (got) return <File key={`${uri} ${path}`} uri={uri} path={path} text={got} map={map.data?.path === path || !map.data ? map : { ...map, data: null }} again={again} />;
	const error = folder ? map.error : from > 1 && text.error?.code === "INVALID_INPUT" ? late.error : !map.busy ? text.error : null;
	if (error) return <NotShown uri={uri} path={path} error={error} again={again} />;
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
