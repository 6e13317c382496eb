// Tokens: made, with the secret shown once, listed, revoked.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { setToken } from "../api";
import { type Asked, useTool } from "../ask";
import { listenAnew, may, status } from "../live";
import { Age, Badge, Busy, Copy, Empty, Failure } from "../parts/basics";
import { Confirm } from "../parts/confirm";
import { type Column, Table } from "../parts/table";
import { middle } from "../text";
import { type Doing, Field, fields, nameOf, Needs, Told, textBox, useDoing, words } from "./doing";

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
					{textBox("name", { required: true })}
				</Field>
				<Field label="Groups" hint="It sees only their members; separated by commas.">
					{textBox("groups", { placeholder: "all" })}
				</Field>
				<Field label="Repositories" hint="It also sees these, in addition to those of the groups.">
					{textBox("repos", { placeholder: "all" })}
				</Field>
				<Field label="At most">
					<select name="visibility">
						<option value="private">private: everything</option>
						<option value="internal">internal and public</option>
						<option value="public">public</option>
					</select>
				</Field>
				<Field label="Expires" hint="30d, 12h, 45m, a day (2027-01-31), or never.">
					{textBox("expires", { placeholder: "never" })}
				</Field>
				<label class="check">
					<input type="checkbox" name="read_only" />
					<span>It may not change anything</span>
				</label>
				{!status.value?.tokens && <p class="note warn">This is the first token: from now on every request needs one. It must be unlimited. This tab uses it from now on.</p>}
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
			{list.data.tokens.length ? <Table label="Tokens" rows={list.data.tokens} columns={columns} id={(t) => t.name} /> : <Empty title="No token yet">Every user of this machine may use this coordinator without a token.</Empty>}
			{gone && (
				<Confirm
					title={`Revoke ${middle(gone.name, 40)}?`}
					action="Revoke it"
					busy={d.busy}
					wrong={d.error?.message ?? null}
					onNo={() => ask(null)}
					onYes={() => void d.run("token_revoke", { name: gone.name }, () => `${gone.name} is revoked.`).then((done) => done && (ask(null), list.again()))}
				>
					<p>
						Whoever has it is shut out at once, its sessions and streams end. It was last used <Age at={gone.last_used_at ?? undefined} />. It cannot be taken back; a new token has another secret.
					</p>
				</Confirm>
			)}
		</>
	);
}

export function Tokens(): JSX.Element {
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
						The secret of {made.token.name} <span class="muted">is shown only this once</span>
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
