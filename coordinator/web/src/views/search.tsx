// One box over a group or one repository: what fits best, where it stands, and who could not answer.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call, isAbort } from "../api";
import { byUri, groups, repos, status } from "../live";
import { Badge, Busy, Empty, Failure, FileLink, Long, RepoLink } from "../parts/basics";
import { type Option, SelectFilter } from "../parts/filters";
import { grammarOf, highlighted, marksIn, wordsOf } from "../parts/highlight";
import { SourceLine } from "../parts/source";
import { Link, query, setQuery, to } from "../router";
import { count, many, middle } from "../text";
import type { Coverage } from "../types";

interface Hit {
	rank: number;
	repo_uri: string;
	repo: string;
	path: string;
	start_line: number;
	end_line: number;
	symbol?: string;
	kind?: string;
	snippet_start_line?: number;
	snippet_end_line?: number;
	snippet: string;
	score: number;
	sources: string[];
	also_in?: { repo_uri: string; path: string; start_line: number; end_line: number }[];
}

interface Answer {
	results: Hit[];
	coverage: Coverage;
	complete: boolean;
	took_ms: number;
	mode: string;
	without_vectors?: string;
	next_cursor?: string;
	total: number;
}

/** As search_code answers. */
interface Plain extends Omit<Answer, "results" | "total"> {
	results: { repo: string; repo_uri: string; score: number; path: string; startLine: number; endLine: number; snippet: string; symbol?: string }[];
}

// ---- what is asked ----

const get = (name: string): string => query.value.get(name) ?? "";

/** The group that is asked: as chosen, else one that holds the repository, else the first. */
function scopeOf(): { group: string | null; repo: string } {
	const repo = get("repo");
	const named = get("group");
	if (named) return { group: named, repo };
	const own = repo ? byUri.value.get(repo)?.groups[0] : undefined;
	return { group: repo ? (own ?? null) : (groups.value.find((g) => g.name === "default") ?? groups.value[0])?.name ?? null, repo };
}

interface Question {
	tool: string;
	args: Record<string, unknown>;
}

function question(): Question | null {
	const q = get("q").trim();
	const { group, repo } = scopeOf();
	const mode = get("mode") || undefined;
	if (!q || (!group && !repo) || !status.value) return null; // groups are not known before
	if (!group) return { tool: "search_code", args: { repo_uri: repo, query: q, topK: 30, pathPrefix: get("prefix") || undefined, mode } };
	const list = (name: string): string[] | undefined => (get(name) ? get(name).split(",") : undefined);
	return {
		tool: "group_query",
		args: {
			group, query: q, limit: 20, mode, kinds: list("kind"), languages: list("lang"), path_prefix: get("prefix") || undefined,
			granularity: get("by") || undefined, repos: repo ? [repo] : undefined,
		},
	};
}

const fromPlain = (p: Plain): Answer => ({
	...p,
	total: p.results.length,
	results: p.results.map((r, i) => ({ ...r, rank: i + 1, start_line: r.startLine, end_line: r.endLine, snippet_start_line: r.startLine, sources: [] })),
});

async function ask(x: Question, cursor: string | undefined, stop: AbortSignal): Promise<Answer> {
	if (x.tool === "search_code") return fromPlain(await call<Plain>(x.tool, x.args, stop));
	return call<Answer>(x.tool, { ...x.args, cursor }, stop);
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
		ask(of, before?.next_cursor, stop.signal).then(
			(a) => set({ key, answer: before ? { ...a, results: [...before.results, ...a.results] } : a, error: null, busy: false }),
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
	const put = (): void => setQuery({ q: typed }, value !== "");
	useEffect(() => type(value), [value]);
	useEffect(() => {
		if (typed === value) return undefined;
		const timer = setTimeout(put, WAIT_MS);
		return () => clearTimeout(timer);
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
		</form>
	);
}

/** A text that is taken when it is entered, with what may be meant. */
function NamedFilter({ name, label, values, shown, wide }: { name: string; label: string; values?: Option[]; shown: string; wide?: boolean }): JSX.Element {
	const [typed, type] = useState(shown);
	useEffect(() => type(shown), [shown]);
	const put = (text: string): void => {
		const found = values?.find((v) => v.text === text || v.value === text);
		if (values && text && !found) return;
		setQuery({ [name]: found?.value ?? text }, false);
	};
	return (
		<label class="select">
			<span>{label}</span>
			<input
				type="text"
				class={wide ? "wide" : ""}
				list={values ? `values-${name}` : undefined}
				placeholder="any"
				spellcheck={false}
				autocomplete="off"
				value={typed}
				onInput={(e) => {
					type(e.currentTarget.value);
					if (!e.currentTarget.value || values?.some((v) => v.text === e.currentTarget.value)) put(e.currentTarget.value);
				}}
				onChange={(e) => put(e.currentTarget.value)}
			/>
			{values && (
				<datalist id={`values-${name}`}>
					{values.map((v) => (
						<option key={v.value} value={v.text} />
					))}
				</datalist>
			)}
		</label>
	);
}

const options = (names: string): Option[] => [{ value: "", text: "any" }, ...names.split(" ").map((n) => ({ value: n, text: n }))];
// As proto/kinds.def and shard/lang/langs.def have them.
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

function Filters({ plain }: { plain: boolean }): JSX.Element {
	const { group, repo } = scopeOf();
	const members = groups.value.find((g) => g.name === group)?.members;
	const near = repos.value.filter((r) => !members || members.includes(r.repo_uri));
	const set = ["kind", "lang", "repo", "prefix", "mode", "by"].some((n) => get(n));
	return (
		<div class="bar narrowing">
			{groups.value.length > 0 && (
				<label class="select">
					<span>Group</span>
					<select value={group ?? ""} onChange={(e) => setQuery({ group: e.currentTarget.value, repo: null }, false)}>
						{!group && <option value="">none</option>}
						{groups.value.map((g) => (
							<option key={g.name} value={g.name} selected={g.name === group}>
								{middle(g.name, 30)} ({g.members.length})
							</option>
						))}
					</select>
				</label>
			)}
			<NamedFilter name="repo" label="Repository" shown={byUri.value.get(repo)?.name ?? repo} values={near.map((r) => ({ value: r.repo_uri, text: r.name }))} wide />
			{!plain && <SelectFilter name="lang" label="Language" options={languages} />}
			{!plain && <SelectFilter name="kind" label="Kind" options={kinds} />}
			<NamedFilter name="prefix" label="Path" shown={get("prefix")} />
			<SelectFilter name="mode" label="Match" options={modes} />
			{!plain && <SelectFilter name="by" label="Each" options={[{ value: "", text: "definition" }, { value: "file", text: "file" }]} />}
			{set && (
				<button type="button" class="quiet" onClick={() => setQuery({ kind: null, lang: null, repo: null, prefix: null, mode: null, by: null }, false)}>
					Clear
				</button>
			)}
		</div>
	);
}

// ---- the answer ----

const nameOf = (uri: string): string => byUri.value.get(uri)?.name ?? uri;

/** Who is missing, and why; who answered from an old index. */
function Coverings({ a }: { a: Answer }): JSX.Element {
	const c = a.coverage;
	return (
		<>
			{(!a.complete || c.failed.length > 0) && (
				<div class="note bad" role="alert">
					<p>
						<b>Partial answer:</b> {c.answered + c.skipped} of {many(c.members, "repository", "repositories")} answered.
					</p>
					<ul>
						{c.failed.map((f) => (
							<li key={f.repo_uri}>
								<RepoLink uri={f.repo_uri} name={nameOf(f.repo_uri)} /> <Badge tone="bad">{f.code}</Badge> {f.message} <span class="muted">after {count(f.elapsed_ms)} ms</span>
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
			{a.without_vectors && <p class="note">By words alone: {a.without_vectors}.</p>}
			{!!c.notes?.length && (
				<p class="note">
					Not by meaning:{" "}
					{c.notes.map((n, i) => (
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

function Result({ h, words }: { h: Hit; words: string[] }): JSX.Element {
	return (
		<li class="hit">
			<div class="hit-head">
				<Link
					class="open"
					href={to("/code", { repo: h.repo_uri, path: h.path, line: h.start_line, end: h.end_line > h.start_line ? h.end_line : undefined })}
					title={`${h.path}:${h.start_line}`}
				>
					{h.symbol ? <Long text={h.symbol} most={60} /> : <Long text={h.path.slice(h.path.lastIndexOf("/") + 1)} most={60} />}
				</Link>
				{h.kind && <Badge>{h.kind}</Badge>}
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
function step(by: number): boolean {
	const all = [...document.querySelectorAll<HTMLElement>(".hit .open")];
	const at = all.findIndex((x) => x === document.activeElement || x.closest(".hit")?.contains(document.activeElement));
	const next = all[at < 0 ? (by > 0 ? 0 : -1) : at + by];
	next?.focus();
	next?.closest(".hit")?.scrollIntoView({ block: "nearest" });
	return !!next;
}

const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

function useKeys(): void {
	useEffect(() => {
		const onKey = (e: KeyboardEvent): void => {
			const at = e.target as HTMLElement;
			if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(at.tagName) || !Object.hasOwn(steps, e.key)) return;
			if (step(steps[e.key]!)) e.preventDefault();
			else if (steps[e.key]! < 0) document.querySelector<HTMLElement>(".ask input")?.focus();
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, []);
}

function Nothing({ a }: { a: Answer }): JSX.Element {
	return (
		<Empty title="Nothing fits">
			{a.complete ? "No repository that was asked has it. " : "No repository that answered has it. "}
			Fewer filters, other words, or <code>begin*</code> for words that begin so may help.
		</Empty>
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
				<kbd>/</kbd> goes to the box, <kbd>j</kbd> <kbd>k</kbd> or arrows from result to result, <kbd>Enter</kbd> opens.
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

export default function View(): JSX.Element {
	const x = question();
	const { answer, error, busy, more, again } = useSearch(x);
	const words = wordsOf(get("q"));
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
			<Filters plain={x?.tool === "search_code"} />
			{error && <Failure error={error} again={again} />}
			{!x && !error && (get("q") && !scopeOf().group ? <Empty title="No group yet" command="atoll group create shop web orders">Choose a repository, or make a group to search several at once.</Empty> : <Help />)}
			{x && answer && (
				<section aria-label="Results" aria-busy={busy}>
					<p class="muted" role="status">
						{answer.total ? many(answer.total, "result") : "No result"} in {count(answer.took_ms)} ms, {modes.find((m) => m.value === answer.mode)?.text ?? answer.mode}; {many(answer.coverage.answered, "repository", "repositories")} answered
						{answer.coverage.skipped > 0 && `, ${count(answer.coverage.skipped)} cannot hold it`}
						{busy && " · searching…"}
					</p>
					<Coverings a={answer} />
					{answer.results.length ? (
						<ol class="hits">
							{answer.results.map((h) => (
								<Result key={`${h.repo_uri} ${h.path} ${h.start_line} ${h.symbol ?? ""}`} h={h} words={words} />
							))}
						</ol>
					) : (
						<Nothing a={answer} />
					)}
					{answer.next_cursor && (
						<button type="button" class="more" disabled={busy} onClick={more}>
							{count(answer.total - answer.results.length)} more
						</button>
					)}
				</section>
			)}
			{x && !answer && busy && <Busy what="Searching" />}
		</>
	);
}
