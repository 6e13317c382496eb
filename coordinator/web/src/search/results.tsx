// What was found: each with its lines, by keyboard from one to the next; and who could not answer.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { isFree } from "../keys";
import { byUri } from "../live";
import { Badge, FileLink, Long, RepoLink } from "../parts/basics";
import { grammarOf, highlighted, marksIn } from "../parts/highlight";
import { SourceLine } from "../parts/source";
import { Link, to } from "../router";
import { count, lacking, many } from "../text";
import type { Covered, Hit } from "./types";

export const nameOf = (uri: string): string => byUri.value.get(uri)?.name ?? uri;

/** Who is missing, and why; what cannot be read; who answered from an old index. */
export function Coverings({ a }: { a: Covered }): JSX.Element {
	const c = a.coverage;
	const partial = c.partial ?? [];
	const notes = (c.notes ?? []).filter((n) => n.code !== "PARTIAL");
	const limits = notes.filter((n) => n.code === "LIMIT");
	const phrases = notes.filter((n) => n.code.startsWith("PHRASE_"));
	const stopped = notes.filter((n) => n.code === "DEADLINE");
	const meaning = notes.filter((n) => !["LIMIT", "DEADLINE"].includes(n.code) && !n.code.startsWith("PHRASE_"));
	return (
		<>
			{(!a.complete || c.failed.length > 0) && (
				<div class="note bad" role="alert">
					<p>
						<b>Partial answer:</b> {c.answered + c.skipped} of {many(c.members, "repository", "repositories")} answered{c.failed.length > 0 || !(phrases.length + stopped.length) ? "." : ", not all of them completely."}
					</p>
					<ul>
						{c.failed.map((f) => (
							<li key={f.repo_uri}>
								<RepoLink uri={f.repo_uri} name={nameOf(f.repo_uri)} /> <Badge tone="bad">{f.code}</Badge> {f.message} <span class="muted">after {count(f.elapsed_ms)} ms</span>
							</li>
						))}
						{stopped.map((n) => (
							<li key={n.repo_uri}>
								<RepoLink uri={n.repo_uri} name={nameOf(n.repo_uri)} /> <Badge tone="warn">{n.code}</Badge> {n.message}
							</li>
						))}
						{partial.map((p) => (
							<li key={`${p.repo_uri} ${p.cause}`}>
								<RepoLink uri={p.repo_uri} name={nameOf(p.repo_uri)} /> <Badge tone="warn">unreadable</Badge> {lacking(p)}
							</li>
						))}
					</ul>
				</div>
			)}
			{c.stale.length > 0 && (
				<p class="note warn">
					<b>Old index:</b>{" "}
					{c.stale.map((s, i) => (
						<span key={s.repo_uri}>
							{i > 0 && ", "}
							<RepoLink uri={s.repo_uri} name={nameOf(s.repo_uri)} /> {s.behind < 0 ? "behind by an unknown number of commits" : `${many(s.behind, "commit")} behind`}
						</span>
					))}
				</p>
			)}
			{a.without_vectors && <p class="note">Only by words: {a.without_vectors}.</p>}
			{limits.length > 0 && (
				<ul class="note">
					{limits.map((n) => (
						<li key={n.repo_uri}>
							<RepoLink uri={n.repo_uri} name={nameOf(n.repo_uri)} /> {n.message}
						</li>
					))}
				</ul>
			)}
			{phrases.map((n) => (
				<p key={n.repo_uri + n.code} class="note warn">
					<RepoLink uri={n.repo_uri} name={nameOf(n.repo_uri)} />: {n.message}
				</p>
			))}
			{meaning.length > 0 && (
				<p class="note">
					Not by meaning:{" "}
					{meaning.map((n, i) => (
						<span key={n.repo_uri} title={n.message}>
							{i > 0 && ", "}
							<RepoLink uri={n.repo_uri} name={nameOf(n.repo_uri)} /> ({n.code})
						</span>
					))}
				</p>
			)}
		</>
	);
}

const MOST_LINES = 14;

function Snippet({ h, words }: { h: Hit; words: string[] }): JSX.Element {
	const text = h.snippet.replace(/\n$/, "");
	const lines = highlighted(text, grammarOf(h.path));
	const raw = text.split("\n");
	const first = h.snippet_start_line ?? h.start_line;
	const open = (line: number): string => to("/code", { repo: h.repo_uri, path: h.path, line });
	return (
		<pre class="source" tabIndex={-1}>
			{lines.slice(0, MOST_LINES).map((pieces, i) => (
				<div key={i} class="line-of">
					<Link class="no" href={open(first + i)} tabIndex={-1} aria-label={`Line ${first + i}`}>
						{first + i}
					</Link>
					<code>
						<SourceLine pieces={pieces} marks={marksIn(raw[i] ?? "", words)} />
					</code>
				</div>
			))}
		</pre>
	);
}

/** `number`: it is a piece of evidence that an answer names so. */
export function Result({ h, words, number }: { h: Hit; words: string[]; number?: number }): JSX.Element {
	return (
		<li class="hit" data-step id={number ? `evidence-${number}` : undefined}>
			<div class="hit-head">
				{number && <b class="number">[{number}]</b>}
				<Link
					class="open"
					href={to("/code", { repo: h.repo_uri, path: h.path, line: h.start_line, end: h.end_line > h.start_line ? h.end_line : undefined })}
					title={`${h.path}:${h.start_line}`}
				>
					{h.symbol ? <Long text={h.symbol} most={60} /> : <Long text={h.path.slice(h.path.lastIndexOf("/") + 1)} most={60} />}
				</Link>
				{h.kind && <Badge>{h.kind}</Badge>}
				{h.cited && <Badge tone="ok">cited</Badge>}
				<span class="sources">
					{h.sources.map((s) => (
						<Badge key={s} tone="accent">
							{s}
						</Badge>
					))}
					<span class="muted" title="Score: higher is better">
						{h.score.toFixed(3)}
					</span>
				</span>
			</div>
			<div class="hit-where">
				<RepoLink uri={h.repo_uri} name={h.repo} /> <span class="muted">›</span> <FileLink uri={h.repo_uri} path={h.path} line={h.start_line} />
				{!!h.also_in?.length && (
					<details>
						<summary>also in {many(h.also_in.length, "place")}</summary>
						<ul>
							{h.also_in.map((p) => (
								<li key={p.repo_uri + p.path}>
									<RepoLink uri={p.repo_uri} name={nameOf(p.repo_uri)} /> <FileLink uri={p.repo_uri} path={p.path} line={p.start_line} />
								</li>
							))}
						</ul>
					</details>
				)}
			</div>
			{h.snippet && <Snippet h={h} words={words} />}
		</li>
	);
}

/** Take the focus to the next result, or the one before; whether there is one. */
export function step(by: number): boolean {
	const all = [...document.querySelectorAll<HTMLElement>("[data-step]")];
	const here = document.activeElement ?? document.body;
	const at = all.findLastIndex((x) => x === here || x.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING);
	const back = all[at]?.contains(here) ? at - 1 : at; // from what stands between two results to the one above
	const next = all[by > 0 ? at + 1 : back];
	const goal = next?.querySelector<HTMLElement>(".open") ?? (by > 0 ? document.querySelector<HTMLElement>("button.more") : null);
	goal?.focus();
	next?.scrollIntoView({ block: "nearest" });
	return !!goal;
}

const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

export function useKeys(): void {
	useEffect(() => {
		const onKey = (e: KeyboardEvent): void => {
			if (!Object.hasOwn(steps, e.key) || !isFree(e)) return;
			if (step(steps[e.key]!)) e.preventDefault();
			else if (steps[e.key]! < 0) document.querySelector<HTMLElement>(".ask input")?.focus();
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, []);
}
