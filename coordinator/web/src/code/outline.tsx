// What a file defines, in its order; the one around the chosen line stays in sight.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link, to } from "../router";
import { count } from "../text";
import { isCall } from "./margins";
import type { FileMap, Symbol_ } from "./types";

export function Outline({ map, uri, now }: { map: FileMap; uri: string; now: Symbol_ | null }): JSX.Element {
	const [q, filter] = useState("");
	const list = useRef<HTMLUListElement>(null);
	useEffect(() => {
		// the one around the line stays in sight; only the outline moves
		const box = list.current?.closest<HTMLElement>(".outline-box");
		const at = list.current?.querySelector<HTMLElement>("[aria-current]");
		if (!box || !at) return;
		const by = at.getBoundingClientRect().top - box.getBoundingClientRect().top;
		if (by < 40 || by > box.clientHeight - 30) box.scrollTop += by - box.clientHeight / 2;
	}, [now]);
	const depth = (s: Symbol_): number => (s.parent ? s.parent.split(".").length : 0);
	const shown = map.symbols.filter((s) => !q || s.qualified.toLowerCase().includes(q.toLowerCase()));
	const callers = new Map<string, number>();
	for (const r of map.used_by) if (isCall(r)) callers.set(r.via, (callers.get(r.via) ?? 0) + 1);
	return (
		<div class="outline" role="navigation" aria-label="Outline">
			{map.symbols.length > 12 && <input type="search" class="filter" aria-label="Filter the outline" placeholder="Filter the outline" value={q} onInput={(e) => filter(e.currentTarget.value)} />}
			<ul ref={list}>
				{shown.slice(0, 1000).map((s) => (
					<li key={`${s.id} ${s.start_line}`} class={`deep-${Math.min(depth(s), 4)}`}>
						<Link href={to("/code", { repo: uri, path: map.path, line: s.start_line, end: s.end_line > s.start_line ? s.end_line : undefined })} title={`${s.kind} ${s.signature ?? s.qualified}`} aria-current={s === now ? "true" : undefined}>
							<span class={`kind k-${s.kind}`} aria-hidden="true">
								{s.kind[0]}
							</span>
							<span class="name">{s.name}</span>
							{callers.has(s.id) && <small class="muted">{callers.get(s.id)}←</small>}
						</Link>
					</li>
				))}
			</ul>
			{map.total > map.symbols.length && <p class="muted">{count(map.total - map.symbols.length)} more definitions</p>}
		</div>
	);
}
