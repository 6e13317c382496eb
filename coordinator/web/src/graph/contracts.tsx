// Rows of contracts as several views show them: both ends in the code view, and why the two fit.
import type { JSX } from "preact";
import { Badge, FileLink, Long } from "../parts/basics";
import { byUri } from "../live";
import { Link, to } from "../router";
import { lacking, middle } from "../text";
import type { Coverage, End } from "../types";

export interface Clue {
	repo_uri: string;
	file: string;
	line: number;
	text: string;
}

export interface Contract {
	kind: string;
	method: string;
	path: string;
	producer: End;
	consumer: End;
	cross_repo: boolean;
	ambiguous: boolean;
	confidence: number;
	scope: string | null;
	evidence: Clue[];
}

export interface Unresolved {
	id: string;
	kind: string;
	method: string;
	path: string;
	host: string | null;
	consumer: End;
	reason: string;
	missing?: string;
	candidates?: End[];
	scope: string | null;
}

export interface Idle {
	kind: string;
	producer: End;
}

export interface Contracts {
	group: string;
	contracts: Contract[];
	unresolved: Unresolved[];
	producers_without_consumers: Idle[];
	totals: { contracts: number; unresolved: number; producers_without_consumers: number };
	pairs?: { consumer: string; producer: string; kind: string; calls: number }[];
	reasons?: { consumer: string; reason: string; calls: number }[];
	next_cursor?: string;
	synced_at: string | null;
	coverage: Coverage;
	complete: boolean;
}

export const reasons: { name: string; text: string }[] = [
	{ name: "external", text: "leads out of the group" },
	{ name: "dynamic", text: "its address is known only at run time" },
	{ name: "no-producer", text: "no repository of the group serves it" },
	{ name: "ambiguous", text: "too many repositories could serve it" },
];

export const nameOf = (uri: string): string => byUri.value.get(uri)?.name ?? uri;

/** Rows by what they say, so that each stays the same one when there are others; equal ones are counted. */
export function named<T>(rows: T[], idOf: (row: T) => string): { id: string; row: T }[] {
	const times = new Map<string, number>();
	return rows.map((row) => {
		const id = idOf(row);
		const n = times.get(id) ?? 0;
		times.set(id, n + 1);
		return { id: n ? `${id} ${n}` : id, row };
	});
}

interface Ends {
	kind: string;
	method?: string | undefined;
	path?: string | undefined;
	consumer?: End | undefined;
	producer?: End | undefined;
}
export const contractId = (c: Ends): string => [c.kind, c.method, c.path, ...[c.consumer, c.producer].map((e) => e && `${e.repo_uri} ${e.file}:${e.line}`)].join(" ");

/** What is called: GET /users/{}. */
export function Call({ method, path }: { method: string | undefined; path: string | undefined }): JSX.Element {
	return (
		<span class="call">
			{method && <b>{method}</b>} <code title={path}>{path ? middle(path, 64) : "?"}</code>
		</span>
	);
}

export function Sure({ value, ambiguous }: { value: number; ambiguous?: boolean }): JSX.Element {
	return (
		<span class="sure">
			<meter min={0} max={1} low={0.5} high={0.8} optimum={1} value={value} aria-label="Confidence" title={`${Math.round(value * 100)} % sure`} />
			{Math.round(value * 100)} %
			{ambiguous && <Badge tone="warn" title="Several repositories match equally well">ambiguous</Badge>}
		</span>
	);
}

/** A repository, a line in it, and the function around that. */
export function Place({ end, repo = true }: { end: End; repo?: boolean }): JSX.Element {
	return (
		<span class="place">
			{repo && (
				<Link class="repo" href={to("/graph", { node: end.repo_uri })} title={end.repo_uri}>
					{middle(nameOf(end.repo_uri), 32)}
				</Link>
			)}
			<FileLink uri={end.repo_uri} path={end.file} line={end.line} end={end.end_line} most={repo ? 44 : 34} />
			{(end.symbol || end.framework) && (
				<small>
					{end.symbol && <Long text={end.symbol} most={40} />}
					{end.symbol && end.framework && " · "}
					{end.framework}
				</small>
			)}
		</span>
	);
}

/** Why both ends fit: each piece with the line that says it. */
export function Evidence({ clues }: { clues: Clue[] }): JSX.Element | null {
	if (!clues.length) return null;
	return (
		<details class="evidence">
			<summary>evidence</summary>
			<ul>
				{clues.map((c, i) => (
					<li key={i}>
						<code>{c.text}</code> <FileLink uri={c.repo_uri} path={c.file} line={c.line} most={36} /> <small>{middle(nameOf(c.repo_uri), 28)}</small>
					</li>
				))}
			</ul>
		</details>
	);
}

/** Whose facts are missing, or older than their repository. */
export function Missing({ coverage }: { coverage: Coverage }): JSX.Element | null {
	const { failed, stale } = coverage;
	const partial = coverage.partial ?? [];
	if (!failed.length && !stale.length && !partial.length) return null;
	return (
		<details class="note">
			<summary>
				{failed.length > 0 && <Badge tone="bad">{failed.length} missing</Badge>} {stale.length > 0 && <Badge tone="warn">{stale.length} behind</Badge>} {partial.length > 0 && <Badge tone="warn">{partial.length} partial</Badge>} This may not be all: of {coverage.members} repositories {coverage.answered} are in it as they are.
			</summary>
			<ul>
				{failed.slice(0, 20).map((f) => (
					<li key={f.repo_uri}>
						<Long text={nameOf(f.repo_uri)} /> <span class="muted">{f.code}: {f.message}</span>
					</li>
				))}
				{partial.slice(0, 20).map((p) => (
					<li key={`${p.repo_uri} ${p.cause}`}>
						<Long text={nameOf(p.repo_uri)} /> <span class="muted">lacks {lacking(p)}</span>
					</li>
				))}
				{stale.slice(0, 20).map((s) => (
					<li key={s.repo_uri}>
						<Long text={nameOf(s.repo_uri)} /> <span class="muted">{s.behind < 0 ? "behind by an unknown number of commits" : `${s.behind} commits behind`}</span>
					</li>
				))}
			</ul>
		</details>
	);
}
