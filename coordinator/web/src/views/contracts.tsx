// Contracts: who calls whom, as a matrix and row by row.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRebuilt, useTool } from "../ask";
import { groups, repos, status } from "../live";
import { Age, Badge, Busy, Empty, Failure } from "../parts/basics";
import { CheckFilter, ChipFilter, SelectFilter, TextFilter } from "../parts/filters";
import { type Column, Table } from "../parts/table";
import { Call, contractId, type Contracts, Evidence, Missing, named, nameOf, Place, reasons, Sure, type Unresolved } from "../graph/contracts";
import { Link, path, query, setQuery, to } from "../router";
import { count, many, middle } from "../text";
import type { End } from "../types";

const PAGE = 60;
const SIDE = 24; // repositories on a side of the matrix, and with each more
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "ANY", "RPC", "SUBSCRIBE", "PUBLISH", "GRAPHQL"];
const KINDS = [
	{ value: "", text: "All" },
	{ value: "http", text: "HTTP" },
	{ value: "grpc", text: "gRPC" },
	{ value: "topic", text: "Topics" },
	{ value: "graphql", text: "GraphQL" },
];

/** A link to this view with some of its filters changed. */
const here = (more: Record<string, string | null>): string => to(path.value, { ...Object.fromEntries(query.value), cursor: null, ...more });

// ---- the matrix ----

interface Sums {
	consumers: [string, number][]; // most calls first
	producers: [string, number][];
	cells: Map<string, number>;
	open: Map<string, number>; // unresolved calls
	most: number;
}

function sum(answer: Contracts): Sums {
	const consumers = new Map<string, number>();
	const producers = new Map<string, number>();
	const cells = new Map<string, number>();
	const open = new Map<string, number>();
	const add = (m: Map<string, number>, k: string, n: number): void => void m.set(k, (m.get(k) ?? 0) + n);
	for (const p of answer.pairs ?? []) {
		add(consumers, p.consumer, p.calls);
		add(producers, p.producer, p.calls);
		add(cells, `${p.consumer}\n${p.producer}`, p.calls);
	}
	for (const r of answer.reasons ?? []) {
		add(open, r.consumer, r.calls);
		add(consumers, r.consumer, 0);
	}
	const sorted = (m: Map<string, number>): [string, number][] => [...m].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
	return { consumers: sorted(consumers), producers: sorted(producers), cells, open, most: Math.max(1, ...cells.values()) };
}

/** One of five shades; by orders, as few pairs have most of the calls. */
const shade = (n: number, most: number): string => `shade-${Math.min(5, 1 + Math.floor((5 * Math.log(n)) / Math.log(most + 1)))}`;

function Matrix({ sums }: { sums: Sums }): JSX.Element {
	const [side, setSide] = useState(SIDE);
	const rows = sums.consumers.slice(0, side);
	const columns = sums.producers.slice(0, side);
	const [consumer, producer] = [query.value.get("consumer"), query.value.get("producer")];
	const hidden = sums.consumers.length > side || sums.producers.length > side;
	const open = sums.open.size > 0;
	return (
		<section>
			<h2>Calls between repositories</h2>
			<div class="scroll" tabIndex={0} role="region" aria-label="Matrix of consumers and producers">
				<table class="matrix">
					<thead>
						<tr>
							<td class="corner">
								<span>calls ↓</span> <span>serves →</span>
							</td>
							{columns.map(([uri]) => (
								<th key={uri} scope="col">
									<Link href={here({ producer: producer === uri ? null : uri })} title={uri} aria-current={producer === uri ? "true" : undefined}>
										<span>{middle(nameOf(uri), 22)}</span>
									</Link>
								</th>
							))}
							{open && (
								<th scope="col" class="open">
									<span>unresolved</span>
								</th>
							)}
						</tr>
					</thead>
					<tbody>
						{rows.map(([uri]) => (
							<tr key={uri}>
								<th scope="row">
									<Link href={here({ consumer: consumer === uri ? null : uri })} title={uri} aria-current={consumer === uri ? "true" : undefined}>
										{middle(nameOf(uri), 30)}
									</Link>
								</th>
								{columns.map(([other]) => {
									const n = sums.cells.get(`${uri}\n${other}`);
									return (
										<td key={other} class={[uri === other && "own", n && shade(n, sums.most), consumer === uri && producer === other && "here"].filter(Boolean).join(" ")}>
											{n && (
												<Link href={here({ consumer: uri, producer: other, list: null, reason: null })} title={`${nameOf(uri)} calls ${nameOf(other)}: ${many(n, "contract")}`}>
													{count(n)}
												</Link>
											)}
										</td>
									);
								})}
								{open && (
									<td class="open">
										{sums.open.has(uri) && (
											<Link href={here({ consumer: uri, producer: null, list: "unresolved" })} title={`${nameOf(uri)}: unresolved calls`}>
												{count(sums.open.get(uri)!)}
											</Link>
										)}
									</td>
								)}
							</tr>
						))}
					</tbody>
				</table>
			</div>
			{hidden && (
				<p class="muted">
					The {many(rows.length, "consumer")} and {many(columns.length, "producer")} with most calls, of {count(sums.consumers.length)} and {count(sums.producers.length)}.{" "}
					<button type="button" onClick={() => setSide(side * 2)}>
						Show more
					</button>
				</p>
			)}
		</section>
	);
}

// ---- the table ----

interface Row {
	id: string;
	kind: string;
	method: string | undefined;
	path: string | undefined;
	consumer?: End;
	producer?: End;
	about: JSX.Element | null; // instead of a producer, or below it
	sure?: JSX.Element;
}

function Why({ call }: { call: Unresolved }): JSX.Element {
	const { reason, missing, candidates, host } = call;
	return (
		<>
			<Badge tone={reason === "external" ? "plain" : "warn"}>{reason}</Badge> <small>{missing ?? reasons.find((r) => r.name === reason)?.text}</small>
			{host && <small>{middle(host, 48)}</small>}
			{candidates && candidates.length > 0 && (
				<details class="evidence">
					<summary>{many(candidates.length, "candidate")}</summary>
					<ul>
						{candidates.map((c, i) => (
							<li key={i}>
								<Place end={c} />
							</li>
						))}
					</ul>
				</details>
			)}
		</>
	);
}

function rowsOf(answer: Contracts): Row[] {
	const rows: Omit<Row, "id">[] = [
		...answer.contracts.map((c) => ({ kind: c.kind, method: c.method, path: c.path, consumer: c.consumer, producer: c.producer, about: <Evidence clues={c.evidence} />, sure: <Sure value={c.confidence} ambiguous={c.ambiguous} /> })),
		...answer.unresolved.map((u) => ({ kind: u.kind, method: u.method, path: u.path, consumer: u.consumer, about: <Why call={u} /> })),
		...answer.producers_without_consumers.map((p) => ({ kind: p.kind, method: p.producer.method, path: p.producer.path, producer: p.producer, about: null })),
	];
	return named(rows, contractId).map(({ id, row }) => ({ ...row, id }));
}

const columns: Column<Row>[] = [
	{
		key: "call",
		title: "Contract",
		cell: (r) => (
			<>
				<Call method={r.method} path={r.path} /> <small>{r.kind}</small>
			</>
		),
	},
	{ key: "consumer", title: "Called by", cell: (r) => (r.consumer ? <Place end={r.consumer} /> : <span class="muted">no known caller</span>) },
	{
		key: "producer",
		title: "Served by",
		cell: (r) => (
			<>
				{r.producer && <Place end={r.producer} />}
				{r.about}
			</>
		),
	},
	{ key: "sure", title: "Confidence", cell: (r) => r.sure },
];

/** The filters that narrow to one repository at an end, to be taken back. */
function Narrowed(): JSX.Element | null {
	const set = [
		["consumer", "called by"],
		["producer", "served by"],
		["repo", "touching"],
	].filter(([k]) => query.value.get(k!));
	if (!set.length) return null;
	return (
		<div class="chips">
			{set.map(([k, text]) => (
				<button key={k} type="button" class="chip" aria-pressed="true" title={query.value.get(k!)!} onClick={() => setQuery({ [k!]: null, cursor: null }, false)}>
					{text} {middle(nameOf(query.value.get(k!)!), 28)} ✕
				</button>
			))}
		</div>
	);
}

/** A repository by typing: names are offered, what is none is not taken. */
function RepoFilter({ members }: { members: ReadonlySet<string> }): JSX.Element {
	const all = repos.value.filter((r) => members.has(r.repo_uri));
	const take = (typed: string): void => {
		const found = all.find((r) => r.repo_uri === typed) ?? all.find((r) => r.name === typed);
		if (found) setQuery({ repo: found.repo_uri, cursor: null }, false);
	};
	return (
		<>
			<input class="filter" type="search" list="members" aria-label="Repository" placeholder="Repository" value={query.value.get("repo") ? nameOf(query.value.get("repo")!) : ""} onInput={(e) => (e.currentTarget.value ? take(e.currentTarget.value) : setQuery({ repo: null, cursor: null }, false))} />
			<datalist id="members">
				{all.map((r) => (
					<option key={r.repo_uri} value={r.name}>
						{r.repo_uri}
					</option>
				))}
			</datalist>
		</>
	);
}

function Rows({ answer, busy }: { answer: Contracts; busy: boolean }): JSX.Element {
	const rows = rowsOf(answer);
	const cursor = query.value.get("cursor");
	if (!rows.length)
		return (
			<Empty title="Nothing fits">
				No contract of this group is like that. <Link href={to("/contracts", { group: query.value.get("group") })}>Clear all filters</Link>
			</Empty>
		);
	return (
		<div class={busy ? "stale" : ""}>
			<Table label="Contracts" class="contract-rows" rows={rows} columns={columns} id={(r) => r.id} piece={PAGE} />
			<div class="pages">
				{cursor && (
					<button type="button" onClick={() => setQuery({ cursor: null }, false)}>
						First page
					</button>
				)}
				{answer.next_cursor && (
					<button type="button" class="next" onClick={() => (setQuery({ cursor: answer.next_cursor! }, false), scrollTo(0, 0))}>
						Next page
					</button>
				)}
			</div>
		</div>
	);
}

export default function ContractsView(): JSX.Element {
	const q = query.value;
	const group = q.get("group") ?? groups.value[0]?.name ?? null;
	const members = new Set(groups.value.find((g) => g.name === group)?.members ?? []);
	const kind = q.get("kind");
	const sure = Number(q.get("confidence") ?? 0) || 0;
	const list = q.get("list");
	const reason = q.get("reason");
	// what the matrix counts, too
	const common = {
		group,
		...(kind ? { kinds: [kind] } : {}),
		...(q.get("repo") ? { repo_uri: q.get("repo") } : {}),
		...(q.get("method") ? { method: q.get("method") } : {}),
		...(q.get("path") ? { path: q.get("path") } : {}),
		...(sure ? { min_confidence: sure } : {}),
		...(q.get("across") ? { cross_repo: true } : {}),
	};
	const narrowed = {
		...common,
		...(q.get("consumer") ? { consumer: q.get("consumer") } : {}),
		...(q.get("producer") ? { producer: q.get("producer") } : {}),
	};
	const known = status.value !== null && group !== null;
	const rebuilt = useRebuilt(group === null ? [] : [group]);
	const whole = useTool<Contracts>("contract_list", known ? { ...common, limit: 1 } : null, rebuilt);
	const counts = useTool<Contracts>("contract_list", known ? { ...narrowed, limit: 1 } : null, rebuilt);
	const page = useTool<Contracts>(
		"contract_list",
		known ? { ...narrowed, ...(list ? { list } : {}), ...(reason ? { list: "unresolved", reasons: [reason] } : {}), limit: PAGE, ...(q.get("cursor") ? { cursor: q.get("cursor") } : {}) } : null,
		rebuilt,
	);

	if (status.value === null) return <Busy />;
	if (group === null)
		return (
			<Empty title="No group yet" command="atoll group create NAME REPO...">
				Contracts are found between the members of a group.
			</Empty>
		);
	const totals = counts.data?.totals;
	const byReason = new Map<string, number>();
	for (const r of counts.data?.reasons ?? []) byReason.set(r.reason, (byReason.get(r.reason) ?? 0) + r.calls);
	const sums = whole.data && sum(whole.data);
	return (
		<>
			<div class="head">
				<h1>Contracts</h1>
				{page.data && (
					<span class="muted">
						found <Age at={page.data.synced_at ?? undefined} />
					</span>
				)}
			</div>
			<div class="bar">
				<SelectFilter name="group" label="Group" options={groups.value.map((g) => ({ value: g.name, text: middle(g.name, 28) }))} />
				<RepoFilter members={members} />
				<TextFilter name="path" label="Path" placeholder="Path, as /users" />
				<SelectFilter name="method" label="Method" options={[{ value: "", text: "Any" }, ...METHODS.map((m) => ({ value: m, text: m }))]} />
				<SelectFilter name="confidence" label="Confidence" options={[{ value: "", text: "Any" }, ...["0.5", "0.8", "0.9", "1"].map((v) => ({ value: v, text: v === "1" ? "100 %" : `${Number(v) * 100} % or more` }))]} />
				<SelectFilter name="kind" label="Kind" options={KINDS} />
				<CheckFilter name="across" label="Between repositories only" />
			</div>
			{whole.error && !page.error && <Failure error={whole.error} again={whole.again} />}
			{sums && (sums.consumers.length > 0 || sums.producers.length > 0) && <Matrix sums={sums} />}
			<section>
				<div class="bar">
					<ChipFilter
						name="list"
						label="Lists"
						options={[
							{ value: "", text: "All", ...(totals ? { count: totals.contracts + totals.unresolved + totals.producers_without_consumers } : {}) },
							{ value: "contracts", text: "Contracts", ...(totals ? { count: totals.contracts } : {}) },
							{ value: "unresolved", text: "Unresolved", ...(totals ? { count: totals.unresolved, tone: totals.unresolved ? "warn" : "" } : {}) },
							{ value: "idle", text: "Without callers", ...(totals ? { count: totals.producers_without_consumers } : {}) },
						]}
					/>
					{(list === "unresolved" || reason) && <ChipFilter name="reason" label="Reasons" options={[{ value: "", text: "Any reason" }, ...reasons.filter((r) => byReason.has(r.name) || reason === r.name).map((r) => ({ value: r.name, text: r.name, count: byReason.get(r.name) ?? 0 }))]} />}
					<Narrowed />
				</div>
				{page.data && <Missing coverage={page.data.coverage} />}
				{page.error && page.data && q.get("cursor") ? (
					<p class="note" role="status">
						The contracts have been rebuilt since this page of them was made.{" "}
						<button type="button" onClick={() => setQuery({ cursor: null })}>
							To the first page
						</button>
					</p>
				) : (
					page.error && <Failure error={page.error} again={q.get("cursor") ? () => setQuery({ cursor: null }) : page.again} />
				)}
				{page.error && !page.data ? null : page.data ? <Rows answer={page.data} busy={page.busy} /> : <Busy />}
			</section>
		</>
	);
}
