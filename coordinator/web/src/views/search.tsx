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
				placeholder="Words, a name, a path, or a question"
				value={typed}
				onInput={(e) => type(e.currentTarget.value)}
				onKeyDown={(e) => {
					if (e.key === "ArrowDown" && step(1)) e.preventDefault();
				}}
			/>
			<button type="submit" class="main">
				Search
			</button>
			<button type="button" aria-pressed={asks()} title="An answer in prose, with the code that supports it" disabled={!typed.trim()} onClick={() => put(true)}>
				Ask
			</button>
		</form>
	);
}

/** A text that is taken when it is entered. */
function PathFilter(): JSX.Element {
	const shown = get("prefix");
	const [typed, type] = useState(shown);
	useEffect(() => type(shown), [shown]);
	const put = (text: string): void => setQuery({ prefix: text }, false);
	return (
		<label class="select">
			<span>Path</span>
			<input
				type="text"
				placeholder="any"
				spellcheck={false}
				autocomplete="off"
				value={typed}
				onInput={(e) => {
					type(e.currentTarget.value);
					if (!e.currentTarget.value) put("");
				}}
				onChange={(e) => put(e.currentTarget.value)}
			/>
		</label>
	);
}

const options = (names: string): Option[] => [{ value: "", text: "any" }, ...names.split(" ").map((n) => ({ value: n, text: n }))];
// As proto/record/kinds.def and shard/lang/langs.def have them.
const kinds = options("function method constructor class interface trait struct enum type constant variable field module macro section");
const languages = options(
	"python javascript typescript tsx go java c cpp rust ruby csharp php kotlin swift scala elixir bash groovy dart haskell lua perl sql protobuf graphql markdown yaml toml json html vue css hcl dockerfile makefile",
);
const modes: Option[] = [
	{ value: "", text: "as it fits" },
	{ value: "hybrid", text: "words and meaning" },
	{ value: "lexical", text: "words" },
	{ value: "vector", text: "meaning" },
];

const narrowing = ["kind", "lang", "prefix", "mode", "by"];

/** An answer rests on what fits best in the whole scope. */
function Filters(): JSX.Element {
	const set = ["repo", ...(asks() ? [] : narrowing)].some((n) => get(n));
	return (
		<div class="bar narrowing">
			<ScopeFilter />
			{!asks() && (
				<>
					<SelectFilter name="lang" label="Language" options={languages} />
					<SelectFilter name="kind" label="Kind" options={kinds} />
					<PathFilter />
					<SelectFilter name="mode" label="Match" options={modes} />
					<SelectFilter name="by" label="Each" options={[{ value: "", text: "definition" }, { value: "file", text: "file" }]} />
				</>
			)}
			{set && (
				<button type="button" class="quiet" onClick={() => setQuery({ repo: null, ...Object.fromEntries(narrowing.map((n) => [n, null])) }, false)}>
					Clear
				</button>
			)}
		</div>
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
	const x = question();
	const scope = scopeOf();
	const q = get("q").trim();
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
			<Filters />
			{!q ? (
				<Help />
			) : !scope ? (
				<Empty title="No group yet" command="atoll group create shop web orders">
					Choose repositories, or make a group to search several at once.
				</Empty>
			) : asks() ? (
				<Asked q={q} scope={scope} />
			) : (
				x && <Found x={x} />
			)}
		</>
	);
}
