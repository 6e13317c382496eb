// Search: one box over a group, some repositories or all: what fits best, where it stands, and who could not answer; or an answer in words.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call, isAbort } from "../api";
import { repos, status } from "../live";
import { Busy, Empty, Failure } from "../parts/basics";
import { type Option, SelectFilter } from "../parts/filters";
import { wordsOf } from "../parts/highlight";
import { setQuery } from "../router";
import { count, many } from "../text";
import { Asked } from "../search/asked";
import { Exact, ExactFilters, ExactHelp } from "../search/exact";
import { Clear, EntryFilter, LanguageFilter, options } from "../search/narrow";
import { Coverings, Result, step, useKeys } from "../search/results";
import { asks, asScope, get, scopeOf, ScopeFilter } from "../search/scope";
import type { Answer, Hit } from "../search/types";

// ---- what is asked ----

interface Question {
	tool: string;
	args: Record<string, unknown>;
}

function question(): Question | null {
	const q = get("q").trim();
	const scope = scopeOf();
	if (!q || !scope || asks() || !status.value) return null; // groups are not known before
	const list = (name: string): string[] | undefined => (get(name) ? get(name).split(",") : undefined);
	const args = { query: q, limit: 20, mode: get("mode") || undefined, kinds: list("kind"), languages: list("lang"), path_prefix: get("prefix") || undefined, granularity: get("by") || undefined };
	return scope.group ? { tool: "group_query", args: { group: scope.group, ...args } } : { tool: "scope_query", args: { scope: asScope(scope), ...args } };
}

interface State {
	key: string | null;
	answer: Answer | null;
	error: ApiError | null;
	busy: boolean;
}

/** The pages so far, as one answer. */
function useSearch(x: Question | null): State & { more: () => void; again: () => void } {
	const key = x && JSON.stringify(x);
	const [state, set] = useState<State>({ key: null, answer: null, error: null, busy: false });
	const [round, next] = useState(0);
	const going = useRef<AbortController | null>(null);
	const run = (of: Question, before: Answer | null): void => {
		going.current?.abort();
		const stop = (going.current = new AbortController());
		set((s) => ({ ...s, busy: true, error: null }));
		call<Answer>(of.tool, { ...of.args, cursor: before?.next_cursor }, stop.signal).then(
			(a) => set({ key, answer: before ? { ...a, results: [...before.results, ...a.results], similar: [...(before.similar ?? []), ...(a.similar ?? [])] } : a, error: null, busy: false }),
			(e: unknown) => {
				if (isAbort(e)) return;
				const error = e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) });
				set((s) => ({ key, answer: s.key === key ? s.answer : null, error, busy: false }));
			},
		);
	};
	useEffect(() => {
		if (x) run(x, null);
		else set({ key: null, answer: null, error: null, busy: false });
		return () => going.current?.abort();
	}, [key, round]);
	return { ...state, more: () => x && state.answer && run(x, state.answer), again: () => next((n) => n + 1) };
}

// ---- the box and the filters ----

const isExact = (): boolean => get("mode") === "exact";

/** By what fits best, or every line that matches. */
function Kind(): JSX.Element {
	const one = (text: string, mode: string | null, title: string): JSX.Element => (
		<button type="button" class="chip" aria-pressed={isExact() === (mode !== null)} title={title} onClick={() => setQuery({ mode, ask: null }, false)}>
			{text}
		</button>
	);
	return (
		<div class="chips" role="group" aria-label="How to search">
			{one("Ranked", null, "What fits best, by words, names and meaning")}
			{one("Exact", "exact", "Every line that a query, a text or a regular expression matches")}
		</div>
	);
}

const WAIT_MS = 300;

function Box(): JSX.Element {
	const value = get("q");
	const [typed, type] = useState(value);
	const box = useRef<HTMLInputElement>(null);
	// what is typed is searched at once, but asked of a language model only when somebody says so
	const later = useRef(0);
	const put = (ask = false): void => {
		clearTimeout(later.current);
		setQuery({ q: typed, ask: ask ? "1" : null }, value !== "" && !ask);
	};
	useEffect(() => type(value), [value]);
	useEffect(() => {
		if (typed === value) return undefined;
		later.current = setTimeout(() => put(), WAIT_MS);
		return () => clearTimeout(later.current);
	}, [typed]);
	useEffect(() => {
		if (!value) box.current?.focus();
	}, []);
	return (
		<form
			class="ask"
			role="search"
			onSubmit={(e) => {
				e.preventDefault();
				put();
			}}
		>
			<input
				ref={box}
				type="search"
				class="filter"
				data-slash
				autocomplete="off"
				spellcheck={false}
				aria-label="Search the code"
				placeholder={isExact() ? "A query, a text, or a regular expression" : "Words, a name, a path, or a question"}
				value={typed}
				onInput={(e) => type(e.currentTarget.value)}
				onKeyDown={(e) => {
					if (e.key === "ArrowDown" && step(1)) e.preventDefault();
				}}
			/>
			<button type="submit" class="main">
				Search
			</button>
			{!isExact() && (
				<button type="button" aria-pressed={asks()} title="An answer in prose, with the code that supports it" disabled={!typed.trim()} onClick={() => put(true)}>
					Ask
				</button>
			)}
		</form>
	);
}

// As proto/record/kinds.def has them.
const kinds = options("function method constructor class interface trait struct enum type constant variable field module macro section");
const modes: Option[] = [
	{ value: "", text: "as it fits" },
	{ value: "hybrid", text: "words and meaning" },
	{ value: "lexical", text: "words" },
	{ value: "vector", text: "meaning" },
];

const narrowing = ["kind", "lang", "prefix", "mode", "by"];

/** An answer rests on what fits best in the whole scope. */
function RankedFilters(): JSX.Element {
	return (
		<>
			<ScopeFilter />
			{!asks() && (
				<>
					<LanguageFilter />
					<SelectFilter name="kind" label="Kind" options={kinds} />
					<EntryFilter name="prefix" label="Path" />
					<SelectFilter name="mode" label="Match" options={modes} />
					<SelectFilter name="by" label="Each" options={[{ value: "", text: "definition" }, { value: "file", text: "file" }]} />
				</>
			)}
			<Clear names={["repo", ...(asks() ? [] : narrowing)]} />
		</>
	);
}

// ---- what was found ----

function Nothing({ a }: { a: Answer }): JSX.Element {
	return (
		<Empty title="Nothing fits">
			{a.complete ? "No repository that was asked contains it. " : "No repository that answered contains it. "}
			{a.hint && `${a.hint} `}
			Fewer filters, other words, or <code>begin*</code> for words that begin so may help.
		</Empty>
	);
}

function Hits({ hits, words }: { hits: Hit[]; words: string[] }): JSX.Element {
	return (
		<ol class="hits">
			{hits.map((h) => (
				<Result key={`${h.repo_uri} ${h.path} ${h.start_line} ${h.symbol ?? ""}`} h={h} words={words} />
			))}
		</ol>
	);
}

function Help(): JSX.Element {
	if (isExact()) return <ExactHelp />;
	const example = (q: string): JSX.Element => (
		<li>
			<button type="button" class="quiet" onClick={() => setQuery({ q }, false)}>
				<code>{q}</code>
			</button>
		</li>
	);
	return (
		<Empty title="Ask for words, names, paths or meaning">
			<span class="muted">
				<kbd>/</kbd> goes to the box, <kbd>j</kbd> <kbd>k</kbd> or arrows from result to result, <kbd>Enter</kbd> opens. <b>Ask</b> answers a question in words.
			</span>
			<ul class="examples">
				{example("where are orders cancelled")}
				{example("load_us*")}
				{example('"exact words"')}
				{example("src/app.py")}
			</ul>
		</Empty>
	);
}

function Found({ x }: { x: Question }): JSX.Element {
	const { answer, error, busy, more, again } = useSearch(x);
	const words = wordsOf(get("q"));
	const similar = answer?.similar ?? [];
	return (
		<>
			{error && <Failure error={error} again={again} />}
			{answer && (
				<section aria-label="Results" aria-busy={busy}>
					<p class="muted" role="status">
						{answer.results.length ? many(answer.total, "result") : "No result"} in {count(answer.took_ms)} ms, {modes.find((m) => m.value === answer.mode)?.text ?? answer.mode}; {many(answer.coverage.answered, "repository", "repositories")} answered
						{answer.coverage.skipped > 0 && `, ${count(answer.coverage.skipped)} cannot contain it`}
						{busy && " · searching…"}
					</p>
					<Coverings a={answer} />
					{answer.results.length ? <Hits hits={answer.results} words={words} /> : <Nothing a={answer} />}
					{similar.length > 0 && (
						<section aria-label="Similar">
							<h2>Similar, but without the words of the question</h2>
							<Hits hits={similar} words={words} />
						</section>
					)}
					{answer.next_cursor && (
						<button type="button" class="more" disabled={busy} onClick={more}>
							{count(answer.total - answer.results.length - similar.length)} more
						</button>
					)}
				</section>
			)}
			{!answer && busy && <Busy what="Searching" />}
		</>
	);
}

export default function View(): JSX.Element {
	const exact = isExact();
	const x = exact ? null : question();
	const scope = scopeOf();
	const q = exact ? get("q") : get("q").trim(); // spaces of a pattern count
	useKeys();
	if (!status.value) return <Busy />;
	if (!repos.value.length)
		return (
			<Empty title="Nothing to search yet" command="atoll repo add ~/src/web">
				Add a repository first.
			</Empty>
		);
	return (
		<>
			<h1 class="unseen">Search</h1>
			<Box />
			<div class="bar narrowing">
				<Kind />
				{exact ? <ExactFilters /> : <RankedFilters />}
			</div>
			{!q ? (
				<Help />
			) : !scope ? (
				<Empty title="No group yet" command="atoll group create shop web orders">
					Choose repositories, or make a group to search several at once.
				</Empty>
			) : exact ? (
				<Exact typed={q} scope={scope} />
			) : asks() ? (
				<Asked q={q} scope={scope} />
			) : (
				x && <Found x={x} />
			)}
		</>
	);
}
