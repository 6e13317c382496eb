// Repositories: added, indexed, shown to more or fewer, removed.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { may, repos } from "../live";
import { Age, Badge, Empty, RepoName } from "../parts/basics";
import { Confirm } from "../parts/confirm";
import { TextFilter } from "../parts/filters";
import { type Column, Table } from "../parts/table";
import { Link, query, to } from "../router";
import { many, middle } from "../text";
import type { Repo } from "../types";
import { type Doing, Field, fields, Needs, Told, textBox, useDoing, words } from "./doing";

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
					{textBox("source", { required: true, placeholder: "https://github.com/org/orders.git" })}
				</Field>
				<Field label="Groups" hint="Names, separated by commas; groups that do not exist are created.">
					{textBox("groups", { placeholder: "shop" })}
				</Field>
				<Field label="Host" hint="The machine that runs its shard; empty: the coordinator's machine.">
					{textBox("host")}
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
				<b>{r.name}</b> ({r.repo_uri}) is removed. This also removes:
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

export function Repositories(): JSX.Element {
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
			cell: (r) => <RepoName repo={r} below={r.source ?? r.repo_uri} />,
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
							<button type="button" disabled={d.busy} title="Update the index to the head" onClick={() => void d.run("repo_analyze", { repo_uri: r.repo_uri }, job)} aria-label={`Analyze ${r.name}`}>
								Analyze
							</button>
							<button type="button" disabled={d.busy} title="Rebuild the whole index" onClick={() => void d.run("repo_analyze", { repo_uri: r.repo_uri, force: true }, job)} aria-label={`Rebuild ${r.name}`}>
								Rebuild
							</button>
							<button type="button" disabled={d.busy} title="Compute the missing vectors" onClick={() => void d.run("jobs", { kind: "embed", repo_uri: r.repo_uri }, job)} aria-label={`Embed ${r.name}`}>
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
