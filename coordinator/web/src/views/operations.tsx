// What can be done to the federation: jobs, repositories, groups, tokens; each as far as the token may.
import type { JSX } from "preact";
import { live, queued, running, status } from "../live";
import { Badge, Busy } from "../parts/basics";
import { Link, query, to } from "../router";
import { count } from "../text";
import { Groups } from "../operations/groups";
import { Jobs } from "../operations/jobs";
import { Repositories } from "../operations/repositories";
import { Tokens } from "../operations/tokens";

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
				{live.value.state === "lost" && <Badge tone="bad">not available while the coordinator is unreachable</Badge>}
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
