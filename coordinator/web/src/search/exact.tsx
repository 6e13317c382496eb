// Exact search: every line that a query, a text or a regular expression matches, by repository and file, with counts that narrow it down.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Badge, Busy, Empty, Failure, FileLink, Long, RepoLink } from "../parts/basics";
import { CheckFilter, type Option, SelectFilter } from "../parts/filters";
import { grammarOf, highlighted } from "../parts/highlight";
import { MoreRows, type Pages, usePages } from "../parts/pages";
import { SourceLine } from "../parts/source";
import { Link, setQuery, to } from "../router";
import { bytes, count, many, middle } from "../text";
import { type FileOf, grouped, type Line, marksOf, type Passage, passagesOf, type RepoOf } from "./lines";
import { Clear, EntryFilter, LanguageFilter } from "./narrow";
import { Coverings } from "./results";
import { asScope, get, joined, type Scope, ScopeFilter, scopeOf } from "./scope";
import type { FoundFile, Grepped, LeftOut, Match } from "./types";

// ---- what is asked ----

const CONTEXT = "2"; // lines around a match, if nothing else is chosen

/** Whether a pattern has a capital letter that is no part of an escape such as \W. */
const hasCapital = (pattern: string): boolean => /\p{Lu}/u.test(get("as") === "re" ? pattern.replace(/\\./gsu, "") : pattern);

function ignoresCase(pattern: string): boolean {
	const chosen = get("case");
	return chosen ? chosen === "no" : !hasCapital(pattern);
}

/** What the box holds: a query, which says itself whether case matters, or a pattern, which is taken as it is, with its spaces. */
function sought(typed: string): object {
	if (!get("as")) return { query: typed };
	return { pattern: typed, fixed_strings: get("as") !== "re", ignore_case: ignoresCase(typed) };
}

/** The arguments of `grep`. */
function question(typed: string, scope: Scope): object {
	const globs = get("glob").split(/\s+/).filter(Boolean);
	return {
		...sought(typed),
		...(scope.group ? { group: scope.group } : { scope: asScope(scope) }),
		word: get("word") === "1",
		glob: globs.length ? globs : undefined,
		languages: get("lang") ? get("lang").split(",") : undefined,
		path_prefix: get("prefix") || undefined,
		context: Number(get("context") || CONTEXT),
	};
}

// ---- options ----

const meanings: Option[] = [
	{ value: "", text: "query" },
	{ value: "text", text: "text" },
	{ value: "re", text: "regular expression" },
];
const cases: Option[] = [
	{ value: "", text: "smart" },
	{ value: "yes", text: "matters" },
	{ value: "no", text: "ignored" },
];
const contexts: Option[] = [CONTEXT, "0", "1", "3", "5", "10"].map((n) => ({ value: n, text: n === "0" ? "none" : n }));

export function ExactFilters(): JSX.Element {
	return (
		<>
			<ScopeFilter />
			<LanguageFilter />
			<EntryFilter name="prefix" label="Path" />
			<EntryFilter name="glob" label="Files" placeholder="*.go !*_test.go" wide />
			<SelectFilter name="as" label="Typed as" options={meanings} />
			{get("as") && <SelectFilter name="case" label="Case" options={cases} />}
			<SelectFilter name="context" label="Lines around" options={contexts} />
			<CheckFilter name="word" label="Whole words" />
			<Clear names={["repo", "lang", "prefix", "glob", "case", "context", "as", "word"]} />
		</>
	);
}

export function ExactHelp(): JSX.Element {
	const example = (q: string): JSX.Element => (
		<li>
			<button type="button" class="quiet" onClick={() => setQuery({ q, as: null }, false)}>
				<code>{q}</code>
			</button>
		</li>
	);
	return (
		<Empty title="Find every line">
			<span class="muted">
				In all text files: words, <code>"texts"</code> and <code>/expressions/</code> that a file must all have; <code>or</code>, <code>-</code> for not, parentheses; <code>repo:</code> <code>file:</code> <code>lang:</code> <code>sym:</code> <code>case:yes</code>. <b>Typed as</b> takes it as one text or expression instead. Smart case: capitals matter if you type one. <kbd>/</kbd> goes to the box, <kbd>j</kbd> <kbd>k</kbd> or arrows from line to line, <kbd>Enter</kbd> opens.
			</span>
			<ul class="examples">
				{example("TODO")}
				{example('"get_user(" -file:test')}
				{example("/^(class|def) [a-z]/ lang:python")}
				{example("sym:order or /https?:\\/\\/[a-z0-9.-]+/")}
			</ul>
		</Empty>
	);
}

// ---- counts that are filters ----

interface Facet {
	key: string;
	text: string;
	lines: number;
	files: number;
	chosen: boolean;
	choose?: () => void; // nothing to choose: files in no known language
}

const FEW = 12; // that are in sight

function FacetChip({ f }: { f: Facet }): JSX.Element {
	const title = `${f.key}: ${many(f.lines, "line")} in ${many(f.files, "file")}`;
	return (
		<li>
			<button type="button" class="chip" aria-pressed={f.chosen} title={title} disabled={!f.choose} onClick={f.choose}>
				{middle(f.text, 36)} <b>{count(f.lines)}</b>
			</button>
		</li>
	);
}

/** `total`: how many there are, also of those that the answer does not name. */
function FacetRow({ label, facets, total }: { label: string; facets: Facet[]; total: number }): JSX.Element | null {
	if (!facets.length) return null;
	const chips = (some: Facet[]): JSX.Element => (
		<ul class="chips">
			{some.map((f) => (
				<FacetChip key={f.key} f={f} />
			))}
		</ul>
	);
	const rest = total - FEW;
	const unnamed = total - facets.length;
	return (
		<div class="facet">
			<h2>{label}</h2>
			{chips(facets.slice(0, FEW))}
			{rest > 0 && (
				<details>
					<summary>{count(rest)} more</summary>
					{chips(facets.slice(FEW))}
					{unnamed > 0 && <p class="muted">and {count(unnamed)} with fewer lines</p>}
				</details>
			)}
		</div>
	);
}

function Facets({ a }: { a: Grepped }): JSX.Element {
	const chosen = scopeOf()?.repos ?? [];
	const repos = (a.by_repo ?? []).map((r): Facet => {
		const on = get("repo") !== "" && chosen.includes(r.repo_uri);
		const rest = on ? chosen.filter((u) => u !== r.repo_uri) : [r.repo_uri];
		return { ...r, key: r.repo_uri, text: r.repo, chosen: on, choose: () => setQuery({ repo: joined(rest) }, false) };
	});
	const languages = (a.by_language ?? []).map((l): Facet => {
		const on = get("lang") === l.language;
		const name = l.language ?? "no known language";
		return { ...l, key: name, text: name, chosen: on, ...(l.language ? { choose: () => setQuery({ lang: on ? null : l.language }, false) } : {}) };
	});
	return (
		<div class="facets" role="group" aria-label="Narrow down">
			<FacetRow label="Repositories" facets={repos} total={a.repos_total ?? repos.length} />
			<FacetRow label="Languages" facets={languages} total={a.languages_total ?? languages.length} />
		</div>
	);
}

// ---- what was found ----

const MOST_SAID = 120; // characters of a line in the name of its link

function ShownLine({ line, uri, path, pieces }: { line: Line; uri: string; path: string; pieces: ReturnType<typeof highlighted>[number] }): JSX.Element {
	const { match, number } = line;
	const open = to("/code", { repo: uri, path, line: number });
	if (!match)
		return (
			<div class="line-of">
				<Link class="no" href={open} tabIndex={-1} aria-label={`Line ${number}`}>
					{number}
				</Link>
				<code>
					<SourceLine pieces={pieces} />
				</code>
			</div>
		);
	return (
		<div class="line-of match" data-step>
			<Link class="no open" href={open} aria-label={`Line ${number}: ${middle(match.text.trim(), MOST_SAID)}`}>
				{number}
			</Link>
			<code>
				{(match.text_column ?? 1) > 1 && <span class="muted">…</span>}
				<SourceLine pieces={pieces} marks={marksOf(match)} />
			</code>
		</div>
	);
}

/** The definitions around the matches of a passage. */
const symbolsOf = (p: Passage): string[] => [...new Set(p.flatMap((l) => l.match?.symbol ?? []))];

function ShownPassage({ p, uri, path }: { p: Passage; uri: string; path: string }): JSX.Element {
	const lines = highlighted(p.map((l) => l.text).join("\n"), grammarOf(path));
	const symbols = symbolsOf(p);
	return (
		<div class="passage">
			{symbols.length > 0 && (
				<p class="around muted" title={symbols.join("\n")}>
					in {middle(symbols.slice(0, 3).join(", "), 80)}
					{symbols.length > 3 && ` and ${symbols.length - 3} more`}
				</p>
			)}
			{p.map((line, i) => (
				<ShownLine key={line.number} line={line} uri={uri} path={path} pieces={lines[i]!} />
			))}
		</div>
	);
}

const matchesIn = (m: Match): number => 1 + (m.more?.length ?? 0);

function FileOfHits({ f, uri }: { f: FileOf; uri: string }): JSX.Element {
	const passages = useMemo(() => passagesOf(f.matches), [f.matches[0], f.matches.length]);
	const matches = f.matches.reduce((n, m) => n + matchesIn(m), 0);
	return (
		<li class="hit">
			<div class="hit-head">
				<FileLink uri={uri} path={f.path} line={f.matches[0]!.line} />
				<span class="sources">
					<Badge title="In the lines that are shown">{many(matches, "match", "matches")}</Badge>
				</span>
			</div>
			<div class="source exact">
				{passages.map((p) => (
					<ShownPassage key={p[0]!.number} p={p} uri={uri} path={f.path} />
				))}
			</div>
		</li>
	);
}

function RepoOfHits({ r, a }: { r: RepoOf; a: Grepped }): JSX.Element {
	const all = a.by_repo?.find((x) => x.repo_uri === r.repo_uri);
	return (
		<section aria-label={r.repo}>
			<h2>
				<RepoLink uri={r.repo_uri} name={r.repo} /> {all && <span class="muted">{`${many(all.lines, "line")} in ${many(all.files, "file")}`}</span>}
			</h2>
			<ol class="hits">
				{r.files.map((f) => (
					<FileOfHits key={f.path} f={f} uri={r.repo_uri} />
				))}
			</ol>
		</section>
	);
}

// ---- what was not searched ----

function LeftOutFiles({ all }: { all: LeftOut[] }): JSX.Element | null {
	const files = all.reduce((n, x) => n + x.files, 0);
	if (!files) return null;
	return (
		<details class="muted">
			<summary>{many(files, "file")} without a text to search</summary>
			<ul>
				{all.map((x) => (
					<li key={x.reason}>
						{x.reason}: {many(x.files, "file")}, {bytes(x.bytes)}, e.g. <Long text={x.example} />
					</li>
				))}
			</ul>
		</details>
	);
}

/** What a query finds that asks for no lines. */
function FilesOnly({ files }: { files: FoundFile[] }): JSX.Element {
	return (
		<ul class="hits">
			{files.map((f) => (
				<li key={`${f.repo_uri} ${f.path}`} class="match">
					<RepoLink uri={f.repo_uri} name={f.repo} /> <FileLink uri={f.repo_uri} path={f.path} />
				</li>
			))}
		</ul>
	);
}

function Summary({ a, busy }: { a: Grepped; busy: boolean }): JSX.Element {
	const lines = `${many(a.total, "line")} in ${many(a.files_total, "file")}`;
	const files = a.files ? many(a.files_total, "file") : "No line";
	const found = a.total ? lines : files;
	return (
		<p class="muted" role="status">
			{found} in {count(a.took_ms)} ms; {many(a.coverage.answered, "repository", "repositories")} answered
			{!a.complete && ", not completely: there may be more"}
			{busy && " · searching…"}
		</p>
	);
}

function Nothing({ a }: { a: Grepped }): JSX.Element {
	return (
		<Empty title="No line matches">
			{a.complete ? "Every text file that was asked for was searched. " : "What was searched does not contain it. "}
			{get("as") === "text" && "The text is taken as it is. "}
			Fewer filters, or case that does not matter, may help.
		</Empty>
	);
}

/** What is shown while the next answer is on its way is the last one. */
function useLast(pages: Pages<Grepped, Found>): Pages<Grepped, Found> {
	const last = useRef(pages);
	if (!pages.busy || pages.answer) last.current = pages;
	return last.current;
}

/** Who has loaded more by keyboard goes on with the first new line. */
function useFirstNew(rows: number): void {
	const before = useRef(rows);
	useEffect(() => {
		const opens = document.querySelectorAll<HTMLElement>(".match .open");
		if (before.current && rows > before.current && document.activeElement === document.body) opens[before.current]?.focus();
		before.current = rows;
	}, [rows]);
}

type Found = Match | FoundFile;
const isFile = (row: Found): row is FoundFile => !("line" in row);

const pageOf = (a: Grepped): { rows: Found[]; next?: string | undefined; total: number } => ({ rows: a.matches ?? a.files ?? [], next: a.next_cursor, total: a.files ? a.files_total : a.total });

export function Exact({ typed, scope }: { typed: string; scope: Scope }): JSX.Element {
	const pages = usePages<Grepped, Found>("grep", question(typed, scope), 0, pageOf);
	const { answer, rows, error } = useLast(pages);
	useFirstNew(rows.length);
	if (!answer) return error ? <Failure error={error} again={pages.again} /> : <Busy what="Searching" />;
	return (
		<section class="found" aria-label="Results" aria-busy={pages.busy}>
			<Summary a={answer} busy={pages.busy} />
			<Facets a={answer} />
			<Coverings a={answer} />
			<LeftOutFiles all={answer.coverage.left_out ?? []} />
			{grouped(rows.filter((r): r is Match => !isFile(r))).map((r) => (
				<RepoOfHits key={r.repo_uri} r={r} a={answer} />
			))}
			<FilesOnly files={rows.filter(isFile)} />
			{!rows.length && <Nothing a={answer} />}
			<MoreRows pages={pages} />
		</section>
	);
}
