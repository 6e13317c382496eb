// What narrows both searches down, the ranked and the exact one; all of it is in the URL.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Option, SelectFilter } from "../parts/filters";
import { setQuery } from "../router";
import { get } from "./scope";

/** A text that is taken when it is entered, or emptied. */
export function EntryFilter({ name, label, placeholder = "any", wide = false }: { name: string; label: string; placeholder?: string; wide?: boolean }): JSX.Element {
	const shown = get(name);
	const [typed, type] = useState(shown);
	useEffect(() => type(shown), [shown]);
	const put = (text: string): void => setQuery({ [name]: text }, false);
	return (
		<label class="select">
			<span>{label}</span>
			<input
				type="text"
				class={wide ? "wide" : undefined}
				placeholder={placeholder}
				spellcheck={false}
				autocomplete="off"
				value={typed}
				onInput={(e) => {
					type(e.currentTarget.value);
					if (!e.currentTarget.value) put("");
				}}
				onChange={(e) => put(e.currentTarget.value)}
			/>
		</label>
	);
}

export const options = (names: string): Option[] => [{ value: "", text: "any" }, ...names.split(" ").map((n) => ({ value: n, text: n }))];

// As shard/lang/langs.def has them.
const languages = options(
	"python javascript typescript tsx go java c cpp rust ruby csharp php kotlin swift scala elixir bash groovy dart haskell lua perl sql protobuf graphql markdown yaml toml json html vue css hcl dockerfile makefile",
);

export function LanguageFilter(): JSX.Element {
	const chosen = get("lang");
	const known = languages.some((l) => l.value === chosen);
	return <SelectFilter name="lang" label="Language" options={known ? languages : [...languages, { value: chosen, text: chosen }]} />;
}

/** Takes these out of the URL. */
export function Clear({ names }: { names: string[] }): JSX.Element | null {
	if (!names.some((n) => get(n))) return null;
	return (
		<button type="button" class="quiet" onClick={() => setQuery(Object.fromEntries(names.map((n) => [n, null])), false)}>
			Clear
		</button>
	);
}
