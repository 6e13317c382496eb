// What there is, how it is, and what is being done.
import type { JSX } from "preact";
import { failure, groups, live, queued, repos, running, status } from "../live";
import { Age, Badge, Busy, Empty, Failure, Long, RepoName, type Tone } from "../parts/basics";
import { ChipFilter, SelectFilter, TextFilter } from "../parts/filters";
import { type Column, Table } from "../parts/table";
import { Link, query, to } from "../router";
import { bytes, count, lacking, many, middle, span } from "../text";
import type { Job, Repo } from "../types";

/** In which states a repository is, for the filter; several may hold at once. */
const kinds: { value: string; text: string; tone?: string; is: (r: Repo) => boolean }[] = [
	{ value: "", text: "All", is: () => true },
	{ value: "down", text: "Down", tone: "bad", is: (r) => r.health === "down" },
	{ value: "degraded", text: "Degraded", tone: "warn", is: (r) => r.health === "degraded" },
	{ value: "failed", text: "Failed", tone: "bad", is: (r) => r.status === "failed" || !!r.indexing?.last_error },
	{ value: "behind", text: "Behind", tone: "warn", is: (r) => (r.freshness?.behind ?? 0) !== 0 },
	{ value: "partial", text: "Partial", tone: "warn", is: (r) => !!r.freshness?.gaps?.length },
	{ value: "building", text: "Building", is: (r) => r.status === "building" || r.status === "pending" },
];

const tones: Record<Repo["health"], Tone> = { healthy: "ok", degraded: "warn", down: "bad" };

/** What wants somebody's attention stands first. */
const weight = (r: Repo): number => (r.health === "down" ? 8 : 0) + (r.status === "failed" ? 4 : 0) + (r.health === "degraded" ? 2 : 0) + (r.conflict ? 1 : 0) + (r.status === "building" || r.status === "pending" ? 0.5 : 0) + (r.freshness?.behind ? 0.2 : 0);

function Health({ r }: { r: Repo }): JSX.Element {
	return (
		<>
			<Badge tone={tones[r.health]} dot>
				{r.health}
			</Badge>
			{r.health !== "healthy" && (
				<small>
					{r.reason}
					{r.since && (
						<>
							{r.reason && ", "}
							<Age at={r.since} />
						</>
					)}
				</small>
			)}
			{r.conflict && <small>conflict: {r.conflict}</small>}
		</>
	);
}

function behindText(n: number): string {
	return n < 0 ? "behind by an unknown number of commits" : `${many(n, "commit")} behind`;
}

function Index({ r }: { r: Repo }): JSX.Element {
	const f = r.freshness;
	return (
		<>
			{f ? <Age at={f.indexed_at} /> : <span class="muted">no index yet</span>}{" "}
			{f && (
				<code class="muted" title={f.commit}>
					{f.commit.slice(0, 8)}
				</code>
			)}{" "}
			{r.status !== "ready" && <Badge tone={r.status === "failed" ? "bad" : "accent"}>{r.status}</Badge>}
			{f && f.behind !== 0 && <Badge tone="warn">{behindText(f.behind)}</Badge>}
			{r.status !== "ready" && r.health === "healthy" && r.reason && <small>{r.reason}</small>}
			{r.indexing?.last_error && <small>{r.indexing.last_error}</small>}
			{r.atoll_yaml && <small>{r.atoll_yaml}</small>}
			{f?.gaps?.map((g) => (
				<small key={g.cause} class="gap">
					lacks {lacking(g)}
				</small>
			))}
			{r.vectors_reason && <small>found only by words: {r.vectors_reason}</small>}
		</>
	);
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const columns: Column<Repo>[] = [
	{
		key: "name",
		title: "Repository",
		sort: (a, b) => text(a.name, b.name),
		cell: (r) => <RepoName repo={r} />,
	},
	{
		key: "groups",
		title: "Groups",
		cell: (r) => (
			<span class="groups">
				{r.groups.map((g) => (
					<Link key={g} href={to("/", { group: g })} title={g}>
						{middle(g, 24)}
					</Link>
				))}
			</span>
		),
	},
	{ key: "health", title: "Health", sort: (a, b) => weight(b) - weight(a), cell: (r) => <Health r={r} /> },
	{ key: "index", title: "Indexed", sort: (a, b) => text(b.freshness?.indexed_at ?? "", a.freshness?.indexed_at ?? ""), cell: (r) => <Index r={r} /> },
	{ key: "files", title: "Files", number: true, narrow: true, sort: (a, b) => b.files - a.files, cell: (r) => count(r.files) },
	{ key: "symbols", title: "Symbols", number: true, narrow: true, sort: (a, b) => b.symbols - a.symbols, cell: (r) => count(r.symbols) },
	{ key: "vectors", title: "Vectors", narrow: true, cell: (r) => <span class={r.vectors === "complete" ? "" : "muted"}>{r.vectors}</span> },
];

/** A job and how far it is; of an index being built the shard's own numbers. */
function Progress({ job, repo }: { job: Job; repo: Repo | undefined }): JSX.Element {
	const done = job.done || repo?.done || 0;
	const total = job.total || repo?.total || 0;
	const what = repo?.name ?? job.repo_uri ?? job.group ?? "";
	const phase = job.phase ?? repo?.phase ?? "";
	return (
		<li>
			<span>
				<b>{job.kind}</b> <Long text={what} most={30} />
			</span>
			<span class="muted">
				{phase} {total > 0 && `${count(done)} of ${count(total)}`}
				{!!repo?.bytes_total && ` · ${bytes(repo.bytes_total)}`}
			</span>
			{total > 0 ? <progress value={done} max={total} aria-label={`${job.kind} ${what}`} /> : <progress aria-label={`${job.kind} ${what}`} />}
		</li>
	);
}

function Jobs({ all }: { all: Repo[] }): JSX.Element | null {
	const uris = new Map(all.map((r) => [r.repo_uri, r]));
	// What a shard does by itself, before there is a job for it, is shown as well.
	const worked = new Set(running.value.map((j) => j.repo_uri));
	const own: Job[] = all
		.filter((r) => r.status !== "failed" && r.phase && r.phase !== "count" && !worked.has(r.repo_uri))
		.map((r) => ({ id: r.repo_uri, kind: "index", key: "", repo_uri: r.repo_uri, state: "running", cancelled: false, reason: "", tries: 0, waits: 0, lost: 0, created_at: "" }));
	const jobs = [...running.value, ...own];
	if (!jobs.length && !queued.value) return null;
	return (
		<section class="panel" aria-label="Jobs">
			<h2>
				{jobs.length ? `${many(jobs.length, "job")} running` : "Jobs"}
				{queued.value > 0 && <span class="muted"> · {count(queued.value)} queued</span>}
			</h2>
			<ul class="jobs">
				{jobs.slice(0, 12).map((j) => (
					<Progress key={j.id} job={j} repo={j.repo_uri ? uris.get(j.repo_uri) : undefined} />
				))}
			</ul>
			{jobs.length > 12 && <p class="muted">and {jobs.length - 12} more</p>}
		</section>
	);
}

function Facts({ all }: { all: Repo[] }): JSX.Element {
	const n = (kind: string): number => all.filter(kinds.find((k) => k.value === kind)!.is).length;
	const away = n("down") + n("degraded");
	const behind = n("behind");
	const latest = all.reduce((at, r) => (r.freshness && r.freshness.indexed_at > at ? r.freshness.indexed_at : at), "");
	return (
		<div class="facts">
			<Link class="fact" href={to("/")}>
				<b>{count(all.length)}</b>
				<span>{all.length === 1 ? "repository" : "repositories"}, in {many(groups.value.length, "group")}</span>
			</Link>
			<Link class="fact" href={to("/", { state: n("down") || !away ? "down" : "degraded" })}>
				<b class={n("down") ? "bad" : away ? "warn" : ""}>{count(away)}</b>
				<span>{away ? `not healthy: ${n("down")} down, ${n("degraded")} degraded` : "not healthy"}</span>
			</Link>
			<Link class="fact" href={to("/", { state: "behind" })}>
				<b class={behind ? "warn" : ""}>{count(behind)}</b>
				<span>behind their branches</span>
			</Link>
			<div class="fact">
				<b>{count(all.reduce((s, r) => s + r.symbols, 0))}</b>
				<span>definitions in {count(all.reduce((s, r) => s + r.files, 0))} files</span>
			</div>
			<div class="fact">
				<b>{latest ? span(Date.now() - Date.parse(latest)) : "never"}</b>
				<span>{latest ? "since the last index" : "indexed"}</span>
			</div>
		</div>
	);
}

function Nothing(): JSX.Element {
	return (
		<Empty title="No repository yet" command={["atoll repo add ~/src/web", "atoll repo add https://github.com/org/orders.git", "atoll group create shop web orders"]}>
			Add some from a terminal on this machine; they appear here as they are indexed.
		</Empty>
	);
}

export default function View(): JSX.Element {
	const all = repos.value;
	const q = (query.value.get("q") ?? "").toLowerCase();
	const group = query.value.get("group") ?? "";
	const state = kinds.find((k) => k.value === query.value.get("state")) ?? kinds[0]!;

	if (!status.value) return failure.value ? <Failure error={failure.value} /> : live.value.state === "lost" ? <Empty title="The coordinator is unreachable" command="atoll up PATH..." /> : <Busy />;
	const near = all.filter((r) => (!group || r.groups.includes(group)) && (!q || r.name.toLowerCase().includes(q) || r.repo_uri.toLowerCase().includes(q)));
	const shown = near.filter(state.is).sort((a, b) => weight(b) - weight(a) || text(a.name, b.name));
	return (
		<>
			<div class="head">
				<h1>Overview</h1>
				<span class="muted">atoll {status.value.version}</span>
			</div>
			{all.length === 0 ? (
				<Nothing />
			) : (
				<>
					<Facts all={all} />
					<Jobs all={all} />
					<section>
						<div class="bar">
							<TextFilter name="q" label="Filter repositories" />
							{groups.value.length > 0 && (
								<SelectFilter name="group" label="Group" options={[{ value: "", text: "all" }, ...groups.value.map((g) => ({ value: g.name, text: `${middle(g.name, 30)} (${g.members.length})` }))]} />
							)}
							{near.some((r) => kinds.some((k) => k.value && k.is(r))) || state.value ? <ChipFilter
								name="state"
								label="State"
								options={kinds.map((k) => ({ value: k.value, text: k.text, count: near.filter(k.is).length, tone: near.some(k.is) ? (k.tone ?? "") : "" })).filter((k) => !k.value || k.count || k.value === state.value)}
							/> : null}
						</div>
						{group && groups.value.find((g) => g.name === group)?.description && <p class="muted">{groups.value.find((g) => g.name === group)!.description}</p>}
						{shown.length ? <Table label="Repositories" class="repos" rows={shown} columns={columns} id={(r) => r.repo_uri} /> : <Empty title="None of them">
							No repository fits these filters. <Link href="/">Show all</Link>
						</Empty>}
					</section>
				</>
			)}
		</>
	);
}
