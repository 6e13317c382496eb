// Rows in columns; on a narrow screen each row is a card.  Many rows are shown piece by piece.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { query, setQuery } from "../router";
import { count } from "../text";

export interface Column<T> {
	key: string;
	title: string;
	cell: (row: T) => ComponentChildren;
	number?: boolean; // to the right, digits below digits
	sort?: (a: T, b: T) => number; // its title sorts by it: ?sort=key, ?sort=-key
	narrow?: boolean; // left out on narrow screens
}

interface Props<T> {
	label: string;
	rows: T[];
	columns: Column<T>[];
	id: (row: T) => string;
	piece?: number; // rows that are shown at first, and with each more
	class?: string;
}

function Head<T>({ c, sort }: { c: Column<T>; sort: string }): JSX.Element {
	const up = sort === c.key;
	const down = sort === `-${c.key}`;
	const cls = [c.number && "number", c.narrow && "narrow"].filter(Boolean).join(" ");
	if (!c.sort)
		return (
			<th scope="col" class={cls}>
				{c.title}
			</th>
		);
	return (
		<th scope="col" class={cls} aria-sort={up ? "ascending" : down ? "descending" : "none"}>
			<button type="button" onClick={() => setQuery({ sort: up ? `-${c.key}` : down ? null : c.key })}>
				{c.title}
				<span aria-hidden="true">{up ? " ↑" : down ? " ↓" : ""}</span>
			</button>
		</th>
	);
}

/** More rows when the end comes into sight, or by its button. */
function More({ left, more }: { left: number; more: () => void }): JSX.Element {
	const end = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		const seen = new IntersectionObserver((e) => e.some((x) => x.isIntersecting) && more(), { rootMargin: "600px" });
		seen.observe(end.current!);
		return () => seen.disconnect();
	});
	return (
		<button ref={end} type="button" class="more" onClick={more}>
			{count(left)} more
		</button>
	);
}

export function Table<T>({ label, rows, columns, id, piece = 60, class: cls = "" }: Props<T>): JSX.Element {
	const [shown, show] = useState(piece);
	const sort = query.value.get("sort") ?? "";
	const by = columns.find((c) => c.key === sort.replace(/^-/, ""))?.sort;
	const sorted = by ? [...rows].sort((a, b) => (sort.startsWith("-") ? by(b, a) : by(a, b))) : rows;
	return (
		<>
			<table class={`rows ${cls}`} aria-label={label}>
				<thead>
					<tr>
						{columns.map((c) => (
							<Head key={c.key} c={c} sort={sort} />
						))}
					</tr>
				</thead>
				<tbody>
					{sorted.slice(0, shown).map((r) => (
						<tr key={id(r)}>
							{columns.map((c) => (
								<td key={c.key} class={[c.number && "number", c.narrow && "narrow"].filter(Boolean).join(" ")} data-title={c.title}>
									{c.cell(r)}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
			{sorted.length > shown && <More left={sorted.length - shown} more={() => show(shown + piece * 2)} />}
		</>
	);
}
