// Groups: made, changed, synced, deleted.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { groups, may, repos } from "../live";
import { Empty, RepoLink } from "../parts/basics";
import { Confirm } from "../parts/confirm";
import { type Column, Table } from "../parts/table";
import { Link, to } from "../router";
import { count, many, middle } from "../text";
import type { Coverage, Group } from "../types";
import { type Doing, Field, fields, nameOf, Needs, Told, textBox, useDoing, words } from "./doing";

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
							<button type="button" class="quiet" disabled={d.busy} aria-label={`Take out ${nameOf(m)} of ${g.name}`} onClick={() => void d.run("group_remove", { group: g.name, repos: [m] }, () => `${nameOf(m)} has left ${g.name}; it stays registered.`)}>
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

export function Groups(): JSX.Element {
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
							{textBox("group", { required: true })}
						</Field>
						<Field label="Description">{textBox("description")}</Field>
						<Field label="Repositories" hint="Names or URIs, separated by commas.">
							{textBox("repos")}
						</Field>
						<button type="submit" class="main" disabled={d.busy}>
							Make it
						</button>
					</form>
				</details>
			)}
			<Needs right="govern" what="change groups" />
			<Told d={d} />
			{groups.value.length ? <Table label="Groups" rows={groups.value} columns={columns} id={(g) => g.name} /> : <Empty title="No group yet" command="atoll group create shop web users orders">A group is a set of repositories that are searched together and whose contracts are matched.</Empty>}
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
					<p>This also removes:</p>
					<ul class="lost">
						<li>the contracts and links between its {many(gone.members.length, "member")}, which can be rebuilt by a new group of the same</li>
						{gone.description && <li>its description</li>}
						<li>the access of tokens that are limited to it</li>
					</ul>
					<p class="muted">The repositories and their indexes stay.</p>
				</Confirm>
			)}
		</>
	);
}
