// Beside the picture: what is picked, in words.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRebuilt } from "../ask";
import { byUri } from "../live";
import { Badge, FileLink, Long, RepoLink } from "../parts/basics";
import { MoreRows, usePages } from "../parts/pages";
import { Link, setQuery, to } from "../router";
import { many, middle } from "../text";
import { Call, type Contract, contractId, type Contracts, Evidence, named, Place, Sure, nameOf } from "./contracts";
import { countsText, type Line, relations, relationText, type Spot } from "./model";

interface LinkRow {
	source_doc_path: string | null;
	source_line?: number;
	source_symbol: string | null;
	target_doc_path: string | null;
	target_line?: number;
	target_symbol: string | null;
	relation: string;
	confidence: number;
	evidence: string;
	package?: string;
	ecosystem?: string;
	range?: string;
	pinned?: string;
	count?: number;
}

/** The contracts of one line, both ends with file and line. */
function LineContracts({ line, wanted, sure }: { line: Line; wanted: ReadonlySet<string>; sure: number }): JSX.Element | null {
	const kinds = relations.filter((r) => r.kind && line.counts.has(r.name) && (!wanted.size || wanted.has(r.name))).map((r) => r.kind!);
	const pages = usePages<Contracts, Contract>(
		"contract_list",
		kinds.length ? { group: line.group, list: "contracts", consumer: line.source, producer: line.target, kinds, ...(sure ? { min_confidence: sure } : {}) } : null,
		useRebuilt([line.group]),
		(r) => ({ rows: r.contracts, next: r.next_cursor, total: r.totals.contracts }),
	);
	if (!kinds.length) return null;
	return (
		<>
			<ul class="contracts">
				{named(pages.rows, contractId).map(({ id, row: c }) => (
					<li key={id}>
						<div class="what">
							<Call method={c.method} path={c.path} /> <Sure value={c.confidence} ambiguous={c.ambiguous} />
						</div>
						<dl class="ends">
							<dt>calls</dt>
							<dd>
								<Place end={c.consumer} repo={false} />
							</dd>
							<dt>serves</dt>
							<dd>
								<Place end={c.producer} repo={false} />
							</dd>
						</dl>
						<Evidence clues={c.evidence} />
					</li>
				))}
			</ul>
			<MoreRows pages={pages} />
		</>
	);
}

/** Packages and documents of one line. */
function LineLinks({ line, wanted, sure }: { line: Line; wanted: ReadonlySet<string>; sure: number }): JSX.Element | null {
	const kept = relations.filter((r) => !r.kind && line.counts.has(r.name) && (!wanted.size || wanted.has(r.name))).map((r) => r.name);
	const pages = usePages<{ links: LinkRow[]; total: number; next_cursor?: string }, LinkRow>(
		"link_list",
		kept.length ? { group: line.group, source: line.source, target: line.target, relations: kept, ...(sure ? { min_confidence: sure } : {}) } : null,
		useRebuilt([line.group]),
		(r) => ({ rows: r.links, next: r.next_cursor, total: r.total }),
	);
	if (!kept.length) return null;
	return (
		<>
			<ul class="contracts">
				{pages.rows.map((l, i) => (
					<li key={i}>
						<div class="what">
							<span class="call">
								<b>{relationText(l.relation)}</b> <code>{middle(l.package ?? l.evidence, 60)}</code>
							</span>{" "}
							<Sure value={l.confidence} />
						</div>
						<dl class="ends">
							<dt>from</dt>
							<dd>{l.source_doc_path ? <FileLink uri={line.source} path={l.source_doc_path} {...(l.source_line ? { line: l.source_line } : {})} /> : "the repository"}</dd>
							<dt>to</dt>
							<dd>{l.target_doc_path ? <FileLink uri={line.target} path={l.target_doc_path} {...(l.target_line ? { line: l.target_line } : {})} /> : "the repository"}</dd>
						</dl>
						<small class="muted">{[l.evidence, l.ecosystem, l.range, l.pinned && `pinned ${l.pinned}`].filter(Boolean).join(" · ")}</small>
					</li>
				))}
			</ul>
			<MoreRows pages={pages} />
		</>
	);
}

const pickNode = (node: string): void => setQuery({ node, from: null, to: null }, false);
const pickLine = (l: Line): void => setQuery({ from: l.source, to: l.target, node: null }, false);

export function EdgeDetails({ line, back, wanted, sure }: { line: Line; back: Line | undefined; wanted: ReadonlySet<string>; sure: number }): JSX.Element {
	return (
		<>
			<h2>
				<button type="button" class="name" onClick={() => pickNode(line.source)} title={line.source}>
					{middle(nameOf(line.source), 30)}
				</button>{" "}
				<span aria-label="to">→</span>{" "}
				<button type="button" class="name" onClick={() => pickNode(line.target)} title={line.target}>
					{middle(nameOf(line.target), 30)}
				</button>
			</h2>
			<p class="muted">
				{countsText(line)}
				{back && (
					<>
						{" · "}
						<button type="button" class="link" onClick={() => pickLine(back)}>
							the way back: {countsText(back)}
						</button>
					</>
				)}
			</p>
			<LineContracts line={line} wanted={wanted} sure={sure} />
			<LineLinks line={line} wanted={wanted} sure={sure} />
		</>
	);
}

const SIDE = 30;

function Side({ title, lines, other }: { title: string; lines: Line[]; other: (l: Line) => string }): JSX.Element {
	const [all, setAll] = useState(false);
	const sorted = [...lines].sort((a, b) => b.total - a.total || (other(a) < other(b) ? -1 : 1));
	return (
		<section class="side">
			<h3>
				{title} <span class="muted">{lines.length}</span>
			</h3>
			{!lines.length && <p class="muted">No known callers.</p>}
			<ul>
				{(all ? sorted : sorted.slice(0, SIDE)).map((l) => (
					<li key={l.id}>
						<button type="button" class="row" onClick={() => pickLine(l)}>
							<Long text={nameOf(other(l))} most={34} />
							<span class="muted">{countsText(l)}</span>
						</button>
					</li>
				))}
			</ul>
			{sorted.length > SIDE && !all && (
				<button type="button" class="more" onClick={() => setAll(true)}>
					{sorted.length - SIDE} more
				</button>
			)}
		</section>
	);
}

export function NodeDetails({ spot, lines, members }: { spot: Spot; lines: Line[]; members: Spot[] | null }): JSX.Element {
	const repo = byUri.value.get(spot.uri);
	const group = repo?.groups[0];
	return (
		<>
			<h2>
				<RepoLink uri={spot.uri} name={spot.name} />
			</h2>
			<p class="facts-line">
				{repo && (
					<Badge dot tone={repo.health === "healthy" ? "ok" : repo.health === "down" ? "bad" : "warn"} title={repo.reason}>
						{repo.health}
					</Badge>
				)}
				{spot.cycle && (
					<Badge tone="warn" title="It depends on itself through others">
						in a cycle
					</Badge>
				)}
				{repo?.groups.map((g) => (
					<Badge key={g}>{middle(g, 24)}</Badge>
				))}
			</p>
			<p class="muted mono">
				<Long text={spot.uri} most={52} />
			</p>
			{members && members.length > 1 && (
				<p>
					<button type="button" onClick={() => setQuery({ cluster: spot.uri, level: null, node: null }, false)}>
						Show the {many(members.length, "repository", "repositories")} of this cluster
					</button>
				</p>
			)}
			{group && (
				<p>
					<Link href={to("/contracts", { group, repo: spot.uri })}>Its contracts</Link> · <Link href={to("/contracts", { group, repo: spot.uri, list: "unresolved" })}>its unresolved calls</Link> · <Link href={to("/packages", { repo: spot.uri })}>who uses its packages</Link>
				</p>
			)}
			<Side title="Depends on" lines={lines.filter((l) => l.source === spot.uri)} other={(l) => l.target} />
			<Side title="Used by" lines={lines.filter((l) => l.target === spot.uri)} other={(l) => l.source} />
		</>
	);
}
