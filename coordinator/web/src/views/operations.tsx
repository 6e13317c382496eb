// What can be done to the federation: jobs, repositories, groups, tokens; each as far as the token may.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, call, setToken, token } from "../api";
import { type Asked, useTool } from "../ask";
import { byUri, groups, listenAnew, live, may, queued, repos, running, status } from "../live";
import { Age, Badge, Busy, Copy, Empty, Failure, Long, RepoLink, type Tone } from "../parts/basics";
import { Confirm } from "../parts/confirm";
import { SelectFilter, TextFilter } from "../parts/filters";
import { type Column, Table } from "../parts/table";
import { Link, query, setQuery, to } from "../router";
import { count, many, middle, span } from "../text";
import type { Coverage, Group, Job, Repo } from "../types";

const nameOf = (uri: string): string => byUri.value.get(uri)?.name ?? uri;
const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

// ---- doing something ----

interface Doing {
	busy: boolean;
	error: ApiError | null;
	said: ComponentChildren;
	run: <T>(tool: string, args: object, done?: (answer: T) => ComponentChildren) => Promise<T | null>;
	forget: () => void;
}

/** Call a tool that changes something; what came of it is told by `Told`. */
function useDoing(): Doing {
	const [state, set] = useState<{ busy: boolean; error: ApiError | null; said: ComponentChildren }>({ busy: false, error: null, said: null });
	return {
		...state,
		forget: () => set({ busy: false, error: null, said: null }),
		run: async (tool, args, done) => {
			set({ busy: true, error: null, said: null });
			try {
				const answer = await call<never>(tool, args);
				set({ busy: false, error: null, said: done?.(answer) ?? null });
				return answer;
			} catch (e) {
				const error = e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) });
				set({ busy: false, error, said: null });
				return null;
			}
		},
	};
}

function Told({ d }: { d: Doing }): JSX.Element {
	return (
		<div role="status" class="told">
			{d.error && <Failure error={d.error} />}
			{d.said && <p class="note ok">{d.said}</p>}
		</div>
	);
}

/** Who lacks the right is told which one, in place of buttons that would fail. */
function Needs({ right, what }: { right: "write" | "govern"; what: string }): JSX.Element | null {
	if (may(right)) return null;
	return (
		<p class="note">
			{token() ? "This token" : "Who asks without a token"} may not {what}:{" "}
			{right === "govern" ? "that needs a token without limits (made without --group, --repo, --visibility and --read-only)." : "that needs a token that was not made with --read-only."}
		</p>
	);
}

function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }): JSX.Element {
	return (
		<label class="field">
			<span>{label}</span>
			{children}
			{hint && <small class="muted">{hint}</small>}
		</label>
	);
}

const text = (name: string, more: { placeholder?: string; required?: boolean } = {}): JSX.Element => <input type="text" name={name} autocomplete="off" spellcheck={false} {...more} />;

/** The fields of a form by name. */
function fields(e: Event): { get: (name: string) => string; on: (name: string) => boolean; reset: () => void } {
	e.preventDefault();
	const form = e.currentTarget as HTMLFormElement;
	const data = new FormData(form);
	return { get: (n) => String(data.get(n) ?? "").trim(), on: (n) => data.has(n), reset: () => form.reset() };
}

// ---- jobs ----

interface Event_ {
	at: string;
	state: string;
	phase?: string;
	done?: number;
	total?: number;
	code?: string;
	message?: string;
}

const jobTones: Record<string, Tone> = { done: "ok", failed: "bad", running: "accent", queued: "plain", cancel: "warn" };
const stateOf = (j: Job): string => (j.cancelled && j.state === "failed" ? "cancelled" : j.state);

function JobState({ j }: { j: Job }): JSX.Element {
	const now = running.value.find((r) => r.id === j.id) ?? j;
	const total = now.total ?? 0;
	return (
		<>
			<Badge tone={j.cancelled ? "warn" : (jobTones[j.state] ?? "plain")}>{j.cancelled && j.state === "running" ? "ends" : stateOf(j)}</Badge>
			{j.state === "running" && (
				<>
					<small>
						{now.phase} {total > 0 && `${count(now.done ?? 0)} of ${count(total)}`}
					</small>
					{total > 0 && <progress value={now.done ?? 0} max={total} aria-label={`${j.kind} ${j.repo_uri ?? j.group ?? ""}`} />}
				</>
			)}
			{j.message && (
				<small class={j.state === "failed" && !j.cancelled ? "wrong" : ""}>
					{j.code && `${j.code}: `}
					{j.message}
				</small>
			)}
			{j.state === "queued" && j.next_run && Date.parse(j.next_run) > Date.now() && <small>again in {span(Date.parse(j.next_run) - Date.now())}</small>}
			{j.state === "done" && j.note && <small>{j.note}</small>}
		</>
	);
}

const thing = (j: Job): JSX.Element => (j.repo_uri ? <RepoLink uri={j.repo_uri} name={nameOf(j.repo_uri)} /> : j.group ? <Link href={to("/", { group: j.group })}>{middle(j.group, 30)}</Link> : <span class="muted">all</span>);

const over = (j: Job): boolean => j.state === "done" || j.state === "failed";

/** Events tell only of jobs that run for long enough: as long as `what` goes on it is looked at again, a while after each answer. */
function useLooking(what: object | null, again: () => void): void {
	useEffect(() => {
		if (!what) return undefined;
		const timer = setTimeout(again, 1500);
		return () => clearTimeout(timer);
	}, [what]);
}

function JobLog({ id, beat }: { id: string; beat: string }): JSX.Element {
	const shown = useTool<Job & { log?: Event_[] }>("job_show", { id });
	const j = shown.data;
	useEffect(() => {
		if (j) shown.again();
	}, [beat]);
	useLooking(j && !over(j) ? j : null, shown.again);
	if (shown.error) return <Failure error={shown.error} />;
	if (!j) return <Busy />;
	const facts: [string, ComponentChildren][] = [
		["asked", <Age at={j.created_at} />],
		["because", j.reason],
		["by", j.caller ?? "somebody"],
		["began", <Age at={j.started_at} />],
		["ended", <Age at={j.ended_at} none="not yet" />],
		["failed tries", count(j.tries)],
		["waited for its shard", `${count(j.waits)} times`],
		["generation", j.generation ? count(j.generation) : "none yet"],
	];
	return (
		<section class="panel" aria-label={`Job ${id}`}>
			<div class="head">
				<h2>
					{j.kind} {thing(j)} <code class="muted">{j.id}</code>
				</h2>
				<button type="button" class="quiet" onClick={() => setQuery({ job: null }, false)}>
					Close
				</button>
			</div>
			<dl class="facts-of">
				{facts.map(([k, v]) => (
					<div key={k}>
						<dt>{k}</dt>
						<dd>{v}</dd>
					</div>
				))}
			</dl>
			<h3>Log</h3>
			<ol class="log">
				{(j.log ?? []).map((e, i) => (
					<li key={i}>
						<time dateTime={e.at} title={new Date(e.at).toLocaleString()}>
							{e.at.slice(11, 23)}
						</time>
						<Badge tone={jobTones[e.state] ?? "plain"}>{e.state}</Badge>
						<span>
							{e.phase} {!!e.total && `${count(e.done ?? 0)} of ${count(e.total)}`} {e.code && <b>{e.code}</b>} {e.message}
						</span>
					</li>
				))}
			</ol>
			{!j.log?.length && <p class="muted">This coordinator has seen nothing of it.</p>}
		</section>
	);
}

function took(j: Job): string {
	const ms = Date.parse(j.ended_at ?? new Date().toISOString()) - Date.parse(j.started_at!);
	return ms < 1000 ? `${Math.max(0, ms)} ms` : span(ms);
}

function Jobs(): JSX.Element {
	const get = (n: string): string => query.value.get(n) ?? "";
	const d = useDoing();
	const list = useTool<{ jobs: Job[]; total: number; next_cursor?: string }>("job_list", { state: get("state") || undefined, kind: get("kind") || undefined, repo_uri: get("repo") || undefined, limit: 100 });
	// What runs and waits, as events tell it: when that changes the list is asked for again.
	const beat = `${running.value.map((j) => `${j.id}${j.phase ?? ""}`).join()} ${queued.value}`;
	useEffect(() => {
		if (list.data) list.again();
	}, [beat]);
	useLooking(list.data?.jobs.some((j) => !over(j)) ? list.data : null, list.again);
	const cancel = (j: Job): void => void d.run<Job>("job_cancel", { id: j.id }, (x) => `Job ${x.id} ${x.state === "running" ? "is told to end" : "is cancelled"}.`).then(list.again);
	const columns: Column<Job>[] = [
		{
			key: "kind",
			title: "Job",
			cell: (j) => (
				<>
					<Link href={to("/operations", { ...Object.fromEntries(query.value), job: j.id })} title={`job ${j.id}`}>
						{j.kind}
					</Link>
					<small>{j.reason}</small>
				</>
			),
		},
		{ key: "of", title: "Of", cell: thing },
		{ key: "state", title: "State", cell: (j) => <JobState j={j} /> },
		{ key: "tries", title: "Tries", number: true, narrow: true, cell: (j) => count(j.tries + (j.state === "queued" ? 0 : 1)) },
		{ key: "created", title: "Asked", cell: (j) => <Age at={j.created_at} /> },
		{ key: "took", title: "Took", narrow: true, cell: (j) => (j.started_at ? took(j) : <span class="muted">not begun</span>) },
		{
			key: "do",
			title: "",
			cell: (j) =>
				may("write") && (j.state === "queued" || j.state === "running") && !j.cancelled ? (
					<button type="button" disabled={d.busy} onClick={() => cancel(j)} aria-label={`Cancel ${j.kind} ${nameOf(j.repo_uri ?? j.group ?? "")}`}>
						Cancel
					</button>
				) : null,
		},
	];
	return (
		<>
			<div class="bar">
				<SelectFilter name="state" label="State" options={[{ value: "", text: "any" }, ...["queued", "running", "done", "failed"].map((v) => ({ value: v, text: v }))]} />
				<SelectFilter name="kind" label="Kind" options={[{ value: "", text: "any" }, ...["build", "update", "embed", "sync", "prune"].map((v) => ({ value: v, text: v }))]} />
				{get("repo") && (
					<button type="button" class="chip" aria-pressed="true" onClick={() => setQuery({ repo: null }, false)}>
						{nameOf(get("repo"))} ×
					</button>
				)}
				{list.data && <span class="muted">{many(list.data.total, "job")}</span>}
			</div>
			<Needs right="write" what="cancel jobs" />
			<Told d={d} />
			{get("job") && <JobLog key={get("job")} id={get("job")} beat={beat} />}
			{list.error ? <Failure error={list.error} again={list.again} /> : !list.data ? <Busy /> : list.data.jobs.length ? (
				<Table label="Jobs" rows={list.data.jobs} columns={columns} id={(j) => j.id} />
			) : (
				<Empty title="No such job">Nothing was done, or what was done is forgotten: two weeks after its end.</Empty>
			)}
			{list.data?.next_cursor && <p class="muted">The newest {count(list.data.jobs.length)} are shown; filters find the others.</p>}
		</>
	);
}

// ---- repositories ----

function AddRepo({ d }: { d: Doing }): JSX.Element {
	const add = async (e: Event): Promise<void> => {
		const f = fields(e);
		const groups = words(f.get("groups"));
		const done = await d.run("repo_add", { source: f.get("source"), groups: groups.length ? groups : undefined, host: f.get("host") || undefined }, () => "Registered. Its shard is started by the `atoll up` of its host; it appears here as soon as it has announced itself.");
		if (done) f.reset();
	};
	return (
		<details class="panel form">
			<summary>Add a repository</summary>
			<form onSubmit={(e) => void add(e)}>
				<Field label="Path or URL" hint="An absolute path on the host, or the URL of a remote.">
					{text("source", { required: true, placeholder: "https://github.com/org/orders.git" })}
				</Field>
				<Field label="Groups" hint="Names, separated by commas; those that are not there are made.">
					{text("groups", { placeholder: "shop" })}
				</Field>
				<Field label="Host" hint="Which machine runs its shard; empty: where the coordinator was started.">
					{text("host")}
				</Field>
				<button type="submit" class="main" disabled={d.busy}>
					Add
				</button>
			</form>
		</details>
	);
}

function Lost({ r }: { r: Repo }): JSX.Element {
	return (
		<>
			<p>
				<b>{r.name}</b> ({r.repo_uri}) is taken out of the federation. Lost are:
			</p>
			<ul class="lost">
				<li>
					its shard, which is stopped: nobody can ask for its {many(r.files, "file")} and {many(r.symbols, "definition")} any more
				</li>
				{r.groups.length > 0 && (
					<li>
						its place in {r.groups.length === 1 ? "the group" : "the groups"} {r.groups.join(", ")}, and there every contract and link from it and to it
					</li>
				)}
				<li>who may see it ({r.visibility}), and what is known of its index</li>
			</ul>
			<p class="muted">The repository itself stays as it is, and so do the files of its index on its host; <code>atoll repo remove --delete-data</code> deletes these.</p>
		</>
	);
}

function Repositories(): JSX.Element {
	const d = useDoing();
	const [gone, ask] = useState<Repo | null>(null);
	const q = (query.value.get("q") ?? "").toLowerCase();
	const shown = repos.value.filter((r) => !q || r.name.toLowerCase().includes(q) || r.repo_uri.toLowerCase().includes(q));
	const job = (a: { job: string | { id: string } | undefined; reason: string }): ComponentChildren => {
		const id = typeof a.job === "string" ? a.job : a.job?.id;
		return id ? (
			<>
				<Link href={to("/operations", { tab: "jobs", job: id })}>Job {id}</Link>: {a.reason}.
			</>
		) : (
			`Not needed: ${a.reason}.`
		);
	};
	const setVisibility = (r: Repo, visibility: string): void => void d.run("repo_visibility", { repo_uri: r.repo_uri, visibility }, () => `${r.name} is ${visibility} now.`);
	const columns: Column<Repo>[] = [
		{
			key: "name",
			title: "Repository",
			cell: (r) => (
				<>
					<RepoLink uri={r.repo_uri} name={r.name} />
					<small>
						<Long text={r.source ?? r.repo_uri} most={44} />
					</small>
				</>
			),
		},
		{
			key: "status",
			title: "Index",
			cell: (r) => (
				<>
					<Badge tone={r.status === "ready" ? "ok" : r.status === "failed" ? "bad" : "accent"}>{r.status}</Badge> <Age at={r.freshness?.indexed_at} none="" />
					{r.health !== "healthy" && <small class="wrong">{r.health}{r.reason && `: ${r.reason}`}</small>}
					{r.indexing?.last_error && <small class="wrong">{r.indexing.last_error}</small>}
				</>
			),
		},
		{ key: "vectors", title: "Vectors", narrow: true, cell: (r) => r.vectors },
		{
			key: "visibility",
			title: "Visible to",
			cell: (r) =>
				may("govern") ? (
					<select aria-label={`Who may see ${r.name}`} value={r.visibility} disabled={d.busy} onChange={(e) => setVisibility(r, e.currentTarget.value)}>
						{["private", "internal", "public"].map((v) => (
							<option key={v} value={v} selected={v === r.visibility}>
								{v}
							</option>
						))}
					</select>
				) : (
					r.visibility
				),
		},
		{
			key: "do",
			title: "",
			cell: (r) => (
				<span class="doings">
					{may("write") && (
						<>
							<button type="button" disabled={d.busy} title="Bring the index to the head" onClick={() => void d.run("repo_analyze", { repo_uri: r.repo_uri }, job)} aria-label={`Analyze ${r.name}`}>
								Analyze
							</button>
							<button type="button" disabled={d.busy} title="Index it wholly anew" onClick={() => void d.run("repo_analyze", { repo_uri: r.repo_uri, force: true }, job)} aria-label={`Rebuild ${r.name}`}>
								Rebuild
							</button>
							<button type="button" disabled={d.busy} title="Make the vectors that are missing" onClick={() => void d.run("jobs", { kind: "embed", repo_uri: r.repo_uri }, job)} aria-label={`Embed ${r.name}`}>
								Embed
							</button>
						</>
					)}
					{may("govern") && (
						<button type="button" class="danger" disabled={d.busy} onClick={() => ask(r)} aria-label={`Remove ${r.name}`}>
							Remove
						</button>
					)}
					<Link href={to("/operations", { tab: "jobs", repo: r.repo_uri })} aria-label={`Jobs of ${r.name}`}>
						Jobs
					</Link>
				</span>
			),
		},
	];
	return (
		<>
			{may("govern") && <AddRepo d={d} />}
			<Needs right="govern" what="add or remove repositories" />
			<Needs right="write" what="index repositories" />
			<Told d={d} />
			{repos.value.length === 0 ? (
				<Empty title="No repository yet" command="atoll repo add ~/src/web" />
			) : (
				<>
					<div class="bar">
						<TextFilter name="q" label="Filter repositories" />
						<span class="muted">{many(shown.length, "repository", "repositories")}</span>
					</div>
					{shown.length ? <Table label="Repositories" rows={shown} columns={columns} id={(r) => r.repo_uri} /> : <Empty title="None of them" />}
				</>
			)}
			{gone && (
				<Confirm
					title={`Remove ${middle(gone.name, 50)}?`}
					action="Remove it"
					type={gone.name}
					busy={d.busy}
					wrong={d.error?.message ?? null}
					onNo={() => ask(null)}
					onYes={() => void d.run("repo_remove", { repo_uri: gone.repo_uri }, () => `${gone.name} is removed.`).then((done) => done && ask(null))}
				>
					<Lost r={gone} />
				</Confirm>
			)}
		</>
	);
}

// ---- groups ----

interface Synced {
	contracts_written: number;
	links_written: number;
	changed: boolean;
	complete: boolean;
	coverage: Coverage;
	took_ms: number;
}

function synced(s: Synced): string {
	const failed = s.coverage.failed.map((f) => `${nameOf(f.repo_uri)} (${f.message})`).join(", ");
	return `${many(s.contracts_written, "contract row")} and ${many(s.links_written, "link")} in ${count(s.took_ms)} ms, ${s.changed ? "changed" : "the same as before"}.${failed ? ` With their last good facts: ${failed}.` : ""}`;
}

function Members({ g, d }: { g: Group; d: Doing }): JSX.Element {
	const others = repos.value.filter((r) => !g.members.includes(r.repo_uri));
	const add = async (e: Event): Promise<void> => {
		const f = fields(e);
		if (await d.run("group_add", { group: g.name, repos: [f.get("repo")] }, () => `${f.get("repo")} has joined ${g.name}.`)) f.reset();
	};
	return (
		<details>
			<summary>{many(g.members.length, "member")}</summary>
			<ul class="members">
				{g.members.map((m) => (
					<li key={m}>
						<RepoLink uri={m} name={nameOf(m)} />
						{may("govern") && (
							<button type="button" class="quiet" disabled={d.busy} aria-label={`Take out ${nameOf(m)} of ${g.name}`} onClick={() => void d.run("group_remove", { group: g.name, repos: [m] }, () => `${nameOf(m)} has left ${g.name}; it stays in the federation.`)}>
								Take out
							</button>
						)}
					</li>
				))}
			</ul>
			{may("govern") && others.length > 0 && (
				<form class="line" onSubmit={(e) => void add(e)}>
					<input type="text" name="repo" required list={`others-${g.name}`} aria-label={`Add to ${g.name}`} placeholder="Repository" autocomplete="off" spellcheck={false} />
					<datalist id={`others-${g.name}`}>
						{others.map((r) => (
							<option key={r.repo_uri} value={r.name} />
						))}
					</datalist>
					<button type="submit" disabled={d.busy}>
						Add
					</button>
				</form>
			)}
		</details>
	);
}

function Groups(): JSX.Element {
	const d = useDoing();
	const [gone, ask] = useState<Group | null>(null);
	const make = async (e: Event): Promise<void> => {
		const f = fields(e);
		const members = words(f.get("repos"));
		if (await d.run("group_create", { group: f.get("group"), description: f.get("description") || undefined, repos: members.length ? members : undefined }, () => `The group ${f.get("group")} is made.`)) f.reset();
	};
	const columns: Column<Group>[] = [
		{
			key: "name",
			title: "Group",
			cell: (g) => (
				<>
					<Link href={to("/", { group: g.name })} title={g.name}>
						{middle(g.name, 40)}
					</Link>
					{g.description && <small>{g.description}</small>}
				</>
			),
		},
		{ key: "members", title: "Members", cell: (g) => <Members g={g} d={d} /> },
		{
			key: "do",
			title: "",
			cell: (g) => (
				<span class="doings">
					{may("write") && (
						<button type="button" disabled={d.busy} aria-label={`Sync ${g.name}`} title="Rebuild contracts and links" onClick={() => void d.run<Synced>("group_sync", { group: g.name }, (s) => `${g.name}: ${synced(s)}`)}>
							{d.busy ? "…" : "Sync"}
						</button>
					)}
					{may("govern") && (
						<button type="button" class="danger" disabled={d.busy} aria-label={`Delete ${g.name}`} onClick={() => ask(g)}>
							Delete
						</button>
					)}
				</span>
			),
		},
	];
	return (
		<>
			{may("govern") && (
				<details class="panel form">
					<summary>Make a group</summary>
					<form onSubmit={(e) => void make(e)}>
						<Field label="Name" hint="Letters, digits, _ - and dots; at most 64.">
							{text("group", { required: true })}
						</Field>
						<Field label="Description">{text("description")}</Field>
						<Field label="Repositories" hint="Names or URIs, separated by commas.">
							{text("repos")}
						</Field>
						<button type="submit" class="main" disabled={d.busy}>
							Make it
						</button>
					</form>
				</details>
			)}
			<Needs right="govern" what="change groups" />
			<Told d={d} />
			{groups.value.length ? <Table label="Groups" rows={groups.value} columns={columns} id={(g) => g.name} /> : <Empty title="No group yet" command="atoll group create shop web users orders">A group is what is searched together, and whose contracts are matched.</Empty>}
			{gone && (
				<Confirm
					title={`Delete the group ${middle(gone.name, 40)}?`}
					action="Delete it"
					type={gone.name}
					busy={d.busy}
					wrong={d.error?.message ?? null}
					onNo={() => ask(null)}
					onYes={() => void d.run("group_delete", { group: gone.name }, () => `The group ${gone.name} is deleted.`).then((done) => done && ask(null))}
				>
					<p>Lost are:</p>
					<ul class="lost">
						<li>the contracts and links between its {many(gone.members.length, "member")}, which can be rebuilt by a new group of the same</li>
						{gone.description && <li>its description</li>}
						<li>what tokens limited to it may see by it</li>
					</ul>
					<p class="muted">The repositories and their indexes stay.</p>
				</Confirm>
			)}
		</>
	);
}

// ---- tokens ----

interface TokenRow {
	name: string;
	groups: string[];
	repos: string[];
	visibility: string;
	read_only: boolean;
	created_at: string;
	expires_at: string | null;
	last_used_at: string | null;
}

interface Made {
	token: TokenRow;
	secret: string;
}

function limits(t: TokenRow): ComponentChildren {
	const all = [t.groups.length && `groups ${t.groups.join(", ")}`, t.repos.length && `repositories ${t.repos.map(nameOf).join(", ")}`, t.visibility !== "private" && `what is ${t.visibility}${t.visibility === "internal" ? " or public" : ""}`].filter(Boolean);
	return all.length ? all.join("; ") : "all repositories";
}

function NewToken({ d, made }: { d: Doing; made: (m: Made) => void }): JSX.Element {
	const make = async (e: Event): Promise<void> => {
		const f = fields(e);
		const list = (n: string): string[] | undefined => (words(f.get(n)).length ? words(f.get(n)) : undefined);
		const first = !status.value?.tokens;
		const m = await d.run<Made>("token_create", { name: f.get("name"), groups: list("groups"), repos: list("repos"), visibility: f.get("visibility"), read_only: f.on("read_only"), expires: f.get("expires") || undefined });
		if (!m) return;
		f.reset();
		if (first) {
			setToken(m.secret); // from now on every request needs one, this page's too
			listenAnew();
		}
		made(m);
	};
	return (
		<details class="panel form">
			<summary>Make a token</summary>
			<form onSubmit={(e) => void make(e)}>
				<Field label="Name" hint="For logs: letters, digits, _ - and dots.">
					{text("name", { required: true })}
				</Field>
				<Field label="Groups" hint="It sees only their members; separated by commas.">
					{text("groups", { placeholder: "all" })}
				</Field>
				<Field label="Repositories" hint="It sees only these, beside those of the groups.">
					{text("repos", { placeholder: "all" })}
				</Field>
				<Field label="At most">
					<select name="visibility">
						<option value="private">private: everything</option>
						<option value="internal">internal and public</option>
						<option value="public">public</option>
					</select>
				</Field>
				<Field label="Expires" hint="30d, 12h, 45m, a day (2027-01-31), or never.">
					{text("expires", { placeholder: "never" })}
				</Field>
				<label class="check">
					<input type="checkbox" name="read_only" />
					<span>It may change nothing</span>
				</label>
				{!status.value?.tokens && <p class="note warn">This is the first one: from then on every request needs a token. It must be without limits. This tab goes on with it.</p>}
				<button type="submit" class="main" disabled={d.busy}>
					Make it
				</button>
			</form>
		</details>
	);
}

function TokenTable({ list, d }: { list: Asked<{ tokens: TokenRow[] }>; d: Doing }): JSX.Element {
	const [gone, ask] = useState<TokenRow | null>(null);
	const columns: Column<TokenRow>[] = [
		{ key: "name", title: "Token", cell: (t) => <b>{middle(t.name, 40)}</b> },
		{
			key: "limits",
			title: "Sees",
			cell: (t) => (
				<>
					{limits(t)} {t.read_only && <Badge>read only</Badge>}
				</>
			),
		},
		{ key: "created", title: "Made", cell: (t) => <Age at={t.created_at} /> },
		{ key: "used", title: "Last used", cell: (t) => <Age at={t.last_used_at ?? undefined} /> },
		{ key: "expires", title: "Expires", cell: (t) => (t.expires_at ? new Date(t.expires_at).toLocaleString() : <span class="muted">never</span>) },
		{
			key: "do",
			title: "",
			cell: (t) => (
				<button type="button" class="danger" disabled={d.busy} onClick={() => ask(t)} aria-label={`Revoke ${t.name}`}>
					Revoke
				</button>
			),
		},
	];
	if (list.error) return <Failure error={list.error} again={list.again} />;
	if (!list.data) return <Busy />;
	return (
		<>
			{list.data.tokens.length ? <Table label="Tokens" rows={list.data.tokens} columns={columns} id={(t) => t.name} /> : <Empty title="No token yet">Whoever reaches this coordinator, from this machine alone, may ask for everything.</Empty>}
			{gone && (
				<Confirm
					title={`Revoke ${middle(gone.name, 40)}?`}
					action="Revoke it"
					busy={d.busy}
					wrong={d.error?.message ?? null}
					onNo={() => ask(null)}
					onYes={() => void d.run("token_revoke", { name: gone.name }, () => `${gone.name} opens nothing any more.`).then((done) => done && (ask(null), list.again()))}
				>
					<p>
						Whoever has it is shut out at once, its sessions and streams end. It was last used <Age at={gone.last_used_at ?? undefined} />. It cannot be taken back; a new token has another secret.
					</p>
				</Confirm>
			)}
		</>
	);
}

function Tokens(): JSX.Element {
	const d = useDoing();
	const [made, show] = useState<Made | null>(null);
	const list = useTool<{ tokens: TokenRow[] }>("token_list", may("govern") ? {} : null);
	if (!may("govern")) return <Needs right="govern" what="see or change tokens" />;
	return (
		<>
			<NewToken d={d} made={(m) => (show(m), list.again())} />
			{made && (
				<section class="panel" aria-label="The new token">
					<h2>
						The secret of {made.token.name} <span class="muted">is shown this once</span>
					</h2>
					<Copy text={made.secret} label="Copy it" />
					<button type="button" onClick={() => show(null)}>
						I have it
					</button>
				</section>
			)}
			<Told d={d} />
			<TokenTable list={list} d={d} />
		</>
	);
}

// ---- the view ----

const tabs: { value: string; title: string; body: () => JSX.Element; mark?: () => number }[] = [
	{ value: "", title: "Repositories", body: Repositories },
	{ value: "groups", title: "Groups", body: Groups },
	{ value: "jobs", title: "Jobs", body: Jobs, mark: () => running.value.length + queued.value },
	{ value: "tokens", title: "Tokens", body: Tokens },
];

export default function View(): JSX.Element {
	const tab = tabs.find((t) => t.value === (query.value.get("tab") ?? "")) ?? tabs[0]!;
	if (!status.value) return <Busy />;
	return (
		<>
			<div class="head">
				<h1>Operations</h1>
				{live.value.state === "lost" && <Badge tone="bad">nothing can be done while the coordinator is lost</Badge>}
			</div>
			<ul class="tabs">
				{tabs.map((t) => (
					<li key={t.value}>
						<Link href={to("/operations", { tab: t.value })} aria-current={t === tab ? "page" : undefined}>
							{t.title}
							{!!t.mark?.() && <b> {count(t.mark())}</b>}
						</Link>
					</li>
				))}
			</ul>
			<tab.body key={tab.value} />
		</>
	);
}
