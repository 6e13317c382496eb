// The graph in words, for keyboards, readers, and machines without WebGL: the same repositories and links, which can be picked alike.
import type { JSX } from "preact";
import { Badge } from "../parts/basics";
import { type Column, Table } from "../parts/table";
import { setQuery } from "../router";
import { middle } from "../text";
import { nameOf } from "./contracts";
import { countsText, type Line, type Spot } from "./model";

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const spotColumns: Column<Spot>[] = [
	{
		key: "name",
		title: "Repository",
		sort: (a, b) => text(a.name, b.name),
		cell: (s) => (
			<button type="button" class="name" title={s.uri} onClick={() => setQuery({ node: s.uri, from: null, to: null }, false)}>
				{middle(s.name, 44)}
			</button>
		),
	},
	{ key: "needed", title: "Used by", number: true, sort: (a, b) => a.neededBy - b.neededBy, cell: (s) => s.neededBy },
	{ key: "needs", title: "Depends on", number: true, sort: (a, b) => a.dependsOn - b.dependsOn, cell: (s) => s.dependsOn },
	{ key: "cycle", title: "Cycle", cell: (s) => s.cycle && <Badge tone="warn">in a cycle</Badge> },
];

const lineColumns: Column<Line>[] = [
	{
		key: "link",
		title: "Link",
		sort: (a, b) => text(nameOf(a.source), nameOf(b.source)) || text(nameOf(a.target), nameOf(b.target)),
		cell: (l) => (
			<button type="button" class="name" title={`${l.source} → ${l.target}`} onClick={() => setQuery({ from: l.source, to: l.target, node: null }, false)}>
				{middle(nameOf(l.source), 30)} → {middle(nameOf(l.target), 30)}
			</button>
		),
	},
	{ key: "links", title: "Links", number: true, sort: (a, b) => a.total - b.total, cell: (l) => l.total },
	{ key: "kinds", title: "Of which", cell: (l) => <span class="muted">{countsText(l)}</span> },
];

export function List({ spots, lines }: { spots: Spot[]; lines: Line[] }): JSX.Element {
	return (
		<div class="lists">
			<section>
				<h2>
					Repositories <span class="muted">{spots.length}</span>
				</h2>
				<Table label="Repositories" rows={spots} columns={spotColumns} id={(s) => s.uri} />
			</section>
			<section>
				<h2>
					Links <span class="muted">{lines.length}</span>
				</h2>
				<Table label="Links" rows={lines} columns={lineColumns} id={(l) => l.id} />
			</section>
		</div>
	);
}
