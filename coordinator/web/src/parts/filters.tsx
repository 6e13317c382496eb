// What narrows a view down; each keeps its value in the URL's query, under `name`.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { query, setQuery } from "../router";

const WAIT_MS = 150;

/** A box for words; `/` takes one there. */
export function TextFilter({ name, label, placeholder = label, wait = WAIT_MS }: { name: string; label: string; placeholder?: string; wait?: number }): JSX.Element {
	const value = query.value.get(name) ?? "";
	const [typed, type] = useState(value);
	const box = useRef<HTMLInputElement>(null);

	const sent = useRef(value);

	useEffect(() => {
		if (value === sent.current) return; // our own, and more may have been typed since
		sent.current = value;
		type(value);
	}, [value]);
	useEffect(() => {
		if (typed === sent.current) return undefined;
		const timer = setTimeout(() => {
			sent.current = typed;
			setQuery({ [name]: typed, cursor: null });
		}, wait);
		return () => clearTimeout(timer);
	}, [typed]);
	return <input ref={box} class="filter" type="search" data-slash aria-label={label} placeholder={placeholder} value={typed} onInput={(e) => type(e.currentTarget.value)} />;
}

export interface Option {
	value: string;
	text: string;
}

/** One of some; the first is what an absent parameter means. */
export function SelectFilter({ name, label, options }: { name: string; label: string; options: Option[] }): JSX.Element {
	const value = query.value.get(name) ?? options[0]?.value ?? "";
	return (
		<label class="select">
			<span>{label}</span>
			<select value={value} onChange={(e) => setQuery({ [name]: e.currentTarget.value === options[0]?.value ? null : e.currentTarget.value, cursor: null }, false)}>
				{options.map((o) => (
					<option key={o.value} value={o.value} selected={o.value === value}>
						{o.text}
					</option>
				))}
			</select>
		</label>
	);
}

/** Yes or no. */
export function CheckFilter({ name, label }: { name: string; label: string }): JSX.Element {
	return (
		<label class="check">
			<input type="checkbox" checked={query.value.get(name) === "1"} onChange={(e) => setQuery({ [name]: e.currentTarget.checked ? "1" : null, cursor: null }, false)} />
			<span>{label}</span>
		</label>
	);
}

/** Some that exclude each other, all in sight, with how many there are of each. */
export function ChipFilter({ name, label, options }: { name: string; label: string; options: (Option & { count?: number; tone?: string })[] }): JSX.Element {
	const value = query.value.get(name) ?? options[0]?.value ?? "";
	return (
		<div class="chips" role="group" aria-label={label}>
			{options.map((o, i) => (
				<button key={o.value} type="button" class={`chip ${o.tone ?? ""}`} aria-pressed={o.value === value} onClick={() => setQuery({ [name]: i ? o.value : null, cursor: null }, false)}>
					{o.text}
					{o.count !== undefined && <b>{o.count}</b>}
				</button>
			))}
		</div>
	);
}
