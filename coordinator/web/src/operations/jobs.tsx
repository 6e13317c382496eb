// Jobs: what is done in the background, how far it is, what happened to each.
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useTool } from "../ask";
import { may, queued, running } from "../live";
import { Age, Badge, Busy, Empty, Failure, RepoLink, type Tone } from "../parts/basics";
import { SelectFilter } from "../parts/filters";
import { type Column, Table } from "../parts/table";
import { Link, query, setQuery, to } from "../router";
import { count, many, middle, span } from "../text";
import type { Job } from "../types";
import { nameOf, Needs, Told, useDoing } from "./doing";

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
			{!j.log?.length && <p class="muted">This coordinator has no information about it.</p>}
		</section>
	);
}

function took(j: Job): string {
	const ms = Date.parse(j.ended_at ?? new Date().toISOString()) - Date.parse(j.started_at!);
	return ms < 1000 ? `${Math.max(0, ms)} ms` : span(ms);
}

export function Jobs(): JSX.Element {
	const get = (n: string): string => query.value.get(n) ?? "";
	const d = useDoing();
	const list = useTool<{ jobs: Job[]; total: number; next_cursor?: string }>("job_list", { state: get("state") || undefined, kind: get("kind") || undefined, repo_uri: get("repo") || undefined, limit: 100 });
	// What runs and waits, as events tell it: when that changes the list is asked for again.
	const beat = `${running.value.map((j) => `${j.id}${j.phase ?? ""}`).join()} ${queued.value}`;
	useEffect(() => {
		if (list.data) list.again();
	}, [beat]);
	useLooking(list.data?.jobs.some((j) => !over(j)) ? list.data : null, list.again);
	const cancel = (j: Job): void => void d.run<Job>("job_cancel", { id: j.id }, (x) => `Job ${x.id} ${x.state === "running" ? "is being cancelled" : "is cancelled"}.`).then(list.again);
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
				<Empty title="No such job">There were no jobs, or they ended more than two weeks ago and are forgotten.</Empty>
			)}
			{list.data?.next_cursor && <p class="muted">The newest {count(list.data.jobs.length)} are shown; filters find the others.</p>}
		</>
	);
}
