// The URL is the state of a view: its path says which, its query how.
import { computed, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

const here = signal(location.pathname + location.search);
const url = computed(() => new URL(here.value, location.origin));

export const path = computed(() => url.value.pathname);
export const query = computed(() => url.value.searchParams);

const follow = (): void => {
	here.value = location.pathname + location.search;
};
addEventListener("popstate", follow);

/** Show another view, or the same with another query.  `replace`: without a step in the history. */
export function go(to: string, replace = false): void {
	if (to === here.value) return;
	history[replace ? "replaceState" : "pushState"](null, "", to);
	const other = new URL(to, location.origin).pathname !== path.value;
	follow();
	if (other && !replace) scrollTo(0, 0);
}

export type Query = Record<string, string | number | boolean | null | undefined>;

/** A URL of a view; what is empty is left out. */
export function to(view: string, q: Query = {}): string {
	const p = new URLSearchParams();
	for (const [k, v] of Object.entries(q)) if (v !== null && v !== undefined && v !== "" && v !== false) p.set(k, String(v));
	const s = p.toString();
	return s ? `${view}?${s}` : view;
}

/** Change some of the query; what is empty leaves it.  Typing in a filter is no step in the history: `replace`. */
export function setQuery(q: Query, replace = true): void {
	go(to(path.value, { ...Object.fromEntries(query.value), ...q }), replace);
}

interface LinkProps {
	href: string;
	children?: ComponentChildren;
	class?: string | undefined;
	title?: string | undefined;
	id?: string | undefined;
	tabIndex?: number | undefined;
	"aria-label"?: string | undefined;
	"aria-current"?: "page" | "true" | undefined;
}

/** A link within the page. */
export function Link({ href, children, ...rest }: LinkProps): JSX.Element {
	const onClick = (e: MouseEvent): void => {
		if (e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
		e.preventDefault();
		go(href);
	};
	return (
		<a {...rest} href={href} onClick={onClick}>
			{children}
		</a>
	);
}
