// A question and its answer by ask_code: what a language model says, and the code that it rests on; without a model the code alone.
import type { ComponentChildren, JSX } from "preact";
import { ApiError } from "../api";
import { useTool } from "../ask";
import { Badge, Busy, Empty, Failure } from "../parts/basics";
import { wordsOf } from "../parts/highlight";
import { setQuery } from "../router";
import { many, span } from "../text";
import { Coverings, Result } from "./results";
import { asScope, type Scope } from "./scope";
import type { Evidence, Hit, Said } from "./types";

const place = (e: Evidence): string => `${e.repo} ${e.path}:${e.startLine}`;

/** To a piece of evidence below. */
function Cite({ n, all }: { n: number; all: Evidence[] }): JSX.Element {
	const e = all[n - 1];
	if (!e) return <>[{n}]</>; // it names what it was not given
	const show = (): void => {
		const at = document.getElementById(`evidence-${n}`);
		at?.scrollIntoView({ block: "center" });
		at?.querySelector<HTMLElement>(".open")?.focus();
	};
	return (
		<button type="button" class="cite" title={place(e)} aria-label={`Evidence ${n}: ${place(e)}`} onClick={show}>
			[{n}]
		</button>
	);
}

const MARKS = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;

/** Words with the few marks that models write: names of code, what is meant strongly, numbers of evidence. */
function marked(text: string, all: Evidence[]): ComponentChildren {
	const out: ComponentChildren[] = [];
	let at = 0;
	for (const m of text.matchAll(MARKS)) {
		out.push(text.slice(at, m.index));
		if (m[1]) out.push(<code>{m[1]}</code>);
		else if (m[2]) out.push(<b>{m[2]}</b>);
		else for (const n of m[3]!.split(",")) out.push(<Cite n={Number(n)} all={all} />);
		at = m.index + m[0].length;
	}
	return [...out, text.slice(at)];
}

function Words({ text, all }: { text: string; all: Evidence[] }): JSX.Element {
	// between each two lines of ``` stands code
	const parts = text.split(/^[ \t]*```[^\n]*$/m);
	return (
		<div class="said">
			{parts.map((p, i) =>
				i % 2 ? (
					<pre key={i} class="source" tabIndex={0}>
						<code>{p.replace(/^\n|\n$/g, "")}</code>
					</pre>
				) : (
					p
						.split(/\n\s*\n/)
						.filter((x) => x.trim())
						.map((x, k) => <p key={`${i} ${k}`}>{marked(x.trim(), all)}</p>)
				),
			)}
		</div>
	);
}

const hitOf = (e: Evidence, i: number): Hit => ({ ...e, rank: i + 1, start_line: e.startLine, end_line: e.endLine, snippet_start_line: e.startLine, sources: [] });

export function Asked({ q, scope }: { q: string; scope: Scope }): JSX.Element {
	const { data, error, busy, again } = useTool<Said>("ask_code", { query: q, scope: asScope(scope) });
	const words = wordsOf(q);
	const back = (
		<button type="button" class="quiet" onClick={() => setQuery({ ask: null }, false)}>
			All results
		</button>
	);
	if (error) return <Failure error={error} again={again} />;
	if (busy || !data) return <Busy what="Searching for sources and asking the model" />;
	return (
		<section aria-label="Answer">
			{data.answer !== null && (
				<div class="panel" role="status">
					<Words text={data.answer} all={data.evidences} />
					<p class="muted">
						by {data.meta.llmModel}, which has read {many(data.meta.contextsUsed, "piece")} of code, in {data.meta.elapsedMs < 1000 ? `${data.meta.elapsedMs} ms` : span(data.meta.elapsedMs)}; it may be wrong: what it rests on is below. {back}
					</p>
				</div>
			)}
			{data.failure && <Failure error={new ApiError({ ...data.failure, message: `No answer: ${data.failure.message}` })} again={again} />}
			{data.hint && data.evidences.length > 0 && (
				<p class="note">
					<Badge>no answer in prose</Badge> {data.hint}
				</p>
			)}
			<Coverings a={data} />
			{data.evidences.length ? (
				<>
					<h2>
						{data.answer === null ? "Sources for an answer" : "Sources"} {data.answer === null && back}
					</h2>
					<ol class="hits">
						{data.evidences.map((e, i) => (
							<Result key={i} h={hitOf(e, i)} words={words} number={i + 1} />
						))}
					</ol>
				</>
			) : (
				<Empty title="No sources found">{data.hint}</Empty>
			)}
			{!!data.similar?.length && (
				<section aria-label="Similar">
					<h2>Similar, but without the words of the question</h2>
					<ol class="hits">
						{data.similar.map((e, i) => (
							<Result key={i} h={hitOf(e, i)} words={words} />
						))}
					</ol>
				</section>
			)}
		</section>
	);
}
