// What to paste into each client, with this address and, for who may make one, a new token.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, call, setToken, token } from "../api";
import { clients } from "../clients";
import { groups, listenAnew, live, may, status } from "../live";
import { Badge, Busy, Copy, Failure } from "../parts/basics";
import { query, setQuery } from "../router";

const HOLE = "<token>";

interface Made {
	token: { name: string; groups: string[]; read_only: boolean; expires_at: string | null };
	secret: string;
}

/** A token of a client's own: by default one that reads, and nothing else. */
function Maker({ made }: { made: (m: Made) => void }): JSX.Element {
	const [busy, work] = useState(false);
	const [error, fail] = useState<ApiError | null>(null);
	const first = !status.value!.tokens;

	const submit = async (form: HTMLFormElement): Promise<void> => {
		const f = new FormData(form);
		const group = String(f.get("group") ?? "");
		const expires = String(f.get("expires") ?? "");
		work(true);
		fail(null);
		try {
			// The first token ends access without one: what this page asks with must govern it still.
			if (first) {
				const own = await call<Made>("token_create", { name: `page-${Date.now().toString(36)}` });
				setToken(own.secret);
			}
			made(await call<Made>("token_create", { name: f.get("name"), read_only: f.get("write") !== "on", ...(group && { groups: [group] }), ...(expires && { expires }) }));
		} catch (e) {
			fail(e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) }));
		}
		if (first) listenAnew();
		work(false);
	};
	return (
		<form
			class="panel"
			aria-label="New token"
			onSubmit={(e) => {
				e.preventDefault();
				void submit(e.currentTarget);
			}}
		>
			<h2>A new token</h2>
			{first && (
				<p class="muted">
					There are no tokens yet: every user of this machine may do everything. <b>After the first token is created, every request needs one</b>, including this page and <code>atoll</code>; the page creates one for this tab.
				</p>
			)}
			<div class="bar">
				<label class="select">
					<span>Name</span>
					<input type="text" name="name" required pattern="[A-Za-z0-9_.\-]{1,64}" maxLength={64} autocomplete="off" placeholder="laptop" title="letters, digits, _ - . (at most 64)" />
				</label>
				<label class="select">
					<span>Sees</span>
					<select name="group">
						<option value="">all repositories</option>
						{groups.value.map((g) => (
							<option key={g.name} value={g.name}>
								group {g.name}
							</option>
						))}
					</select>
				</label>
				<label class="select">
					<span>Ends</span>
					<select name="expires">
						<option value="">never</option>
						<option value="90d">in 90 days</option>
						<option value="30d">in 30 days</option>
						<option value="24h">in a day</option>
					</select>
				</label>
				<label class="check">
					<input type="checkbox" name="write" />
					<span>may also change things</span>
				</label>
				<button type="submit" class="main" disabled={busy}>
					Make it
				</button>
			</div>
			{error && <Failure error={error} />}
		</form>
	);
}

export default function View(): JSX.Element {
	const [made, make] = useState<Made | null>(null);
	if (!status.value) return live.value.state === "lost" ? <p class="muted">Waiting for the coordinator.</p> : <Busy />;
	const url = location.origin;
	const secret = made?.secret ?? (status.value.tokens ? HOLE : "");
	const wanted = query.value.get("host") ?? clients[0]!.name;
	const client = clients.find((c) => c.name === wanted) ?? clients[0]!;

	return (
		<>
			<div class="head">
				<h1>Connect</h1>
				<span class="muted">Coding agents ask over MCP; these lines add this coordinator to them.</span>
			</div>
			<section>
				<h2>Address</h2>
				<Copy text={`${url}/mcp`} />
			</section>
			<section aria-label="Client">
				<div class="chips" role="group" aria-label="Client">
					{clients.map((c) => (
						<button key={c.name} type="button" class="chip" aria-pressed={c === client} onClick={() => setQuery({ host: c === clients[0] ? null : c.name }, false)}>
							{c.name}
						</button>
					))}
				</div>
				<p class="muted">
					{client.name}: {client.where}
				</p>
				<Copy key={client.name} text={client.text(url, secret)} />
				{client.note && secret && <p class="muted">{client.note}</p>}
				{secret === HOLE && (
					<p class="muted">
						Put a token in the place of <code>{HOLE}</code>
						{may("govern") ? "; one can be made below." : token() ? ": yours, or one that whoever runs this coordinator makes for you." : "."}
					</p>
				)}
			</section>
			{made && (
				<section class="panel" aria-label="The new token" role="status">
					<h2>
						{made.token.name} <Badge tone="ok">made</Badge>
					</h2>
					<p>The lines above contain it. Copy it now: it is shown only once.</p>
					<Copy text={made.secret} />
					<p class="muted">
						{made.token.read_only ? "It may read" : "It may read and change"} {made.token.groups.length ? `the members of ${made.token.groups.join(", ")}` : "all repositories"}
						{made.token.expires_at ? `, until ${new Date(made.token.expires_at).toLocaleDateString()}.` : "; it does not end by itself."} <code>atoll token revoke {made.token.name}</code> ends it.
					</p>
				</section>
			)}
			{may("govern") && <Maker made={make} />}
		</>
	);
}

