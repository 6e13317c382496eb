// What a package of a repository exports, and who in other repositories uses each part of it; unused parts first.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useRebuilt } from "../ask";
import { Missing, nameOf } from "../graph/contracts";
import { byUri, groups, repos, status } from "../live";
import { Badge, Busy, Empty, FileLink, Long, RepoLink } from "../parts/basics";
import { CheckFilter, SelectFilter, TextFilter } from "../parts/filters";
import { MoreRows, type Pages, usePages } from "../parts/pages";
import { type Column, Table } from "../parts/table";
import { go, Link, query, setQuery, to } from "../router";
import { count, many, middle } from "../text";
import type { Coverage, Repo } from "../types";

interface Package {
	ecosystem: string;
	name?: string;
	version?: string;
	folder?: string;
	problem?: string;
}

interface Exported {
	id: string;
	symbol: string;
	kind: string;
	signature?: string;
	path: string;
	line: number;
	end_line: number;
	uses: number;
	consumers: { repo_uri: string; uses: number }[];
	unclear?: number;
}

interface Api {
	repo_uri: string;
	package: Package | null;
	candidates: Package[];
	symbols: Exported[];
	total: number;
	unused: number;
	next_cursor?: string;
	epistemic?: "verdict" | "lower-bound";
	reasons: string[];
	coverage?: Coverage;
}

const KINDS = ["function", "method", "class", "interface", "trait", "struct", "enum", "type", "constant", "variable", "field", "module", "macro"];
const SHOWN = 6; // consumers of a symbol, before they are unfolded
const ROOT = "."; // as a folder in arguments

const titleOf = (p: Package): string => p.name ?? `${p.ecosystem} code of the repository`;

// ---- which repository, and which package ----

const repoColumns: Column<Repo>[] = [
	{
		key: "name",
		title: "Repository",
		cell: (r) => (
			<>
				<Link href={to("/packages", { repo: r.repo_uri })} title={r.repo_uri}>
					{middle(r.name, 40)}
				</Link>
				<small>
					<Long text={r.repo_uri} most={44} />
				</small>
			</>
		),
	},
	{ key: "symbols", title: "Definitions", number: true, cell: (r) => count(r.symbols) },
];

function ChooseRepo(): JSX.Element {
	const q = (query.value.get("q") ?? "").toLowerCase();
	const near = repos.value.filter((r) => !q || r.name.toLowerCase().includes(q) || r.repo_uri.toLowerCase().includes(q));
	return (
		<>
			<div class="head">
				<h1>Packages</h1>
			</div>
			{repos.value.length === 0 ? (
				<Empty title="No repository yet" command="atoll repo add ~/src/web" />
			) : (
				<section>
					<p class="muted">What the packages of a repository export, and which other repositories use it.</p>
					<div class="bar">
						<TextFilter name="q" label="Filter repositories" />
					</div>
					{near.length ? <Table label="Repositories" rows={near} columns={repoColumns} id={(r) => r.repo_uri} /> : <Empty title="None of them">No repository's name contains that.</Empty>}
				</section>
			)}
		</>
	);
}

const packageColumns = (repo: string): Column<Package>[] => [
	{
		key: "name",
		title: "Package",
		cell: (p) => <Link href={to("/packages", { repo, ecosystem: p.ecosystem, folder: p.folder ?? ROOT })}>{middle(titleOf(p), 56)}</Link>,
	},
	{ key: "ecosystem", title: "Ecosystem", cell: (p) => p.ecosystem },
	{ key: "version", title: "Version", narrow: true, cell: (p) => p.version },
	{ key: "folder", title: "Folder", cell: (p) => <Long text={p.folder ?? "the root"} most={40} /> },
];

// ---- its symbols ----

function UsedBy({ s }: { s: Exported }): JSX.Element {
	const row = (c: { repo_uri: string; uses: number }): JSX.Element => (
		<li key={c.repo_uri}>
			<RepoLink uri={c.repo_uri} name={nameOf(c.repo_uri)} most={30} /> <span class="muted">{count(c.uses)}</span>
		</li>
	);
	if (!s.consumers.length) return <span class="muted">nobody</span>;
	return (
		<>
			<ul>{s.consumers.slice(0, SHOWN).map(row)}</ul>
			{s.consumers.length > SHOWN && (
				<details>
					<summary>{count(s.consumers.length - SHOWN)} more</summary>
					<ul>{s.consumers.slice(SHOWN).map(row)}</ul>
				</details>
			)}
		</>
	);
}

const symbolColumns = (repo: string): Column<Exported>[] => [
	{
		key: "symbol",
		title: "Symbol",
		cell: (s) => (
			<>
				<Link class="mono" href={to("/code", { repo, path: s.path, line: s.line, end: s.end_line !== s.line ? s.end_line : undefined })} title={s.signature ?? s.symbol}>
					{middle(s.symbol, 56)}
				</Link>
				<small>
					<FileLink uri={repo} path={s.path} line={s.line} end={s.end_line} most={48} />
				</small>
			</>
		),
	},
	{ key: "kind", title: "Kind", cell: (s) => s.kind },
	{
		key: "uses",
		title: "Uses",
		number: true,
		cell: (s) => (
			<>
				{count(s.uses)}
				{s.unclear && <small title="References by this name whose receiver is not known: any of them may be a use">{count(s.unclear)} unclear</small>}
			</>
		),
	},
	{ key: "consumers", title: "Used by", cell: (s) => <UsedBy s={s} /> },
];

/** Whether these are all uses, and otherwise why not. */
function Trust({ answer }: { answer: Api }): JSX.Element {
	if (answer.epistemic === "verdict") return <p class="muted">All repositories that need this package were asked: these are all uses of the symbols below.</p>;
	return (
		<div class="note">
			<Badge tone="warn">lower bound</Badge> There may be more uses than shown.
			<ul>
				{answer.reasons.map((r) => (
					<li key={r}>{r}</li>
				))}
			</ul>
		</div>
	);
}

function Symbols({ repo, pages }: { repo: string; pages: Pages<Api, Exported> }): JSX.Element {
	const answer = pages.answer!;
	const q = query.value;
	const filtered = ["name", "kind", "unused"].some((k) => q.get(k));
	if (!pages.rows.length && !pages.error)
		return filtered ? (
			<Empty title="Nothing fits">
				No exported symbol is like that.{" "}
				<button type="button" onClick={() => setQuery({ name: null, kind: null, unused: null }, false)}>
					Clear the filters
				</button>
			</Empty>
		) : (
			<Empty title="It exports nothing">No definition of this package can be named by other repositories.</Empty>
		);
	return (
		<>
			<p role="status">
				{many(answer.total, "symbol")}, <b>{count(answer.unused)}</b> without known uses in other repositories
			</p>
			<Table label="Exported symbols" class="api-rows" rows={pages.rows} columns={symbolColumns(repo)} id={(s) => `${s.id} ${s.line} ${s.kind}`} piece={1000} />
			<MoreRows pages={pages} />
		</>
	);
}

function Heading({ repo, answer }: { repo: string; answer: Api | null }): JSX.Element {
	const p = answer?.package;
	return (
		<div class="head">
			<h1 class="crumbs">
				<RepoLink uri={repo} name={nameOf(repo)} />
				{p && (
					<>
						<span class="muted"> / </span>
						<Long text={titleOf(p)} most={48} />
					</>
				)}
			</h1>
			{p && (
				<span class="bar">
					<Badge>{p.ecosystem}</Badge>
					{p.version && <span class="muted">{middle(p.version, 30)}</span>}
					{p.folder && (
						<Link href={to("/code", { repo, path: `${p.folder}/` })} title={p.folder}>
							{middle(p.folder, 40)}/
						</Link>
					)}
					{query.value.get("ecosystem") && <Link href={to("/packages", { repo })}>Other packages</Link>}
				</span>
			)}
		</div>
	);
}

function OfRepo({ repo }: { repo: string }): JSX.Element {
	const q = query.value;
	const own = groups.value.filter((g) => g.members.includes(repo)).map((g) => g.name);
	const some = (name: string): object => (q.get(name) ? { [name]: q.get(name) } : {});
	const args = { repo_uri: repo, ...some("package"), ...some("ecosystem"), ...some("folder"), ...some("group"), ...some("name"), ...some("kind"), ...(q.get("unused") ? { unused: true } : {}) };
	const pages = usePages<Api, Exported>("package_api", args, useRebuilt(own), (r) => ({ rows: r.symbols, next: r.next_cursor, total: r.total }));
	const answer = pages.answer;
	if (answer && !answer.package)
		return (
			<>
				<Heading repo={repo} answer={answer} />
				<p>This repository publishes {many(answer.candidates.length, "package")}. Choose one:</p>
				<Table label="Packages" rows={answer.candidates} columns={packageColumns(repo)} id={(p) => `${p.ecosystem} ${p.folder ?? ""}`} />
			</>
		);
	return (
		<>
			<Heading repo={repo} answer={answer} />
			<div class="bar">
				<TextFilter name="name" label="Symbol" placeholder="Symbol" wait={300} />
				<SelectFilter name="kind" label="Kind" options={[{ value: "", text: "Any" }, ...KINDS.map((k) => ({ value: k, text: k }))]} />
				{own.length > 1 && <SelectFilter name="group" label="Group" options={[{ value: "", text: "All of its groups" }, ...own.map((g) => ({ value: g, text: middle(g, 28) }))]} />}
				<CheckFilter name="unused" label="Unused only" />
			</div>
			{answer?.coverage && <Missing coverage={answer.coverage} />}
			{answer && pages.rows.length > 0 && <Trust answer={answer} />}
			{answer ? <Symbols repo={repo} pages={pages} /> : <MoreRows pages={pages} />}
		</>
	);
}

export default function View(): JSX.Element {
	const repo = query.value.get("repo") ?? "";
	const known = byUri.value.get(repo) ?? repos.value.find((r) => r.name === repo);
	useEffect(() => {
		// a name is as good as the handle
		if (known && known.repo_uri !== repo) go(to("/packages", { ...Object.fromEntries(query.value), repo: known.repo_uri }), true);
	}, [known, repo]);
	if (!status.value) return <Busy />;
	if (!repo) return <ChooseRepo />;
	return <OfRepo key={repo} repo={known?.repo_uri ?? repo} />;
}
