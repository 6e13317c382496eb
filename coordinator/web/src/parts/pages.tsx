// Rows of a list of the coordinator, page after page.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call, isAbort } from "../api";
import { many } from "../text";
import { Busy, Failure } from "./basics";

interface Page<T> {
	rows: T[];
	next?: string | undefined;
	total: number;
}

export interface Pages<R, T> extends Page<T> {
	answer: R | null; // the last one
	error: ApiError | null;
	busy: boolean;
	more: () => void;
	again: () => void; // from the first page
}

const PAGE = 40;
const MOST = 1000; // rows in an answer

/** null: nothing to ask.  As many rows are asked for again when `rebuilt` is another number, quietly. */
export function usePages<R, T>(tool: string, args: object | null, rebuilt: number, pageOf: (r: R) => Page<T>): Pages<R, T> {
	const key = args && JSON.stringify(args);
	const [state, set] = useState<Page<T> & { answer: R | null; error: ApiError | null; busy: boolean }>({ rows: [], total: 0, answer: null, error: null, busy: true });
	const last = useRef<string | null>(null);
	const going = useRef<AbortController | null>(null);
	const ask = (limit: number, before: Page<T> | null): void => {
		going.current?.abort();
		const stop = (going.current = new AbortController());
		call<R>(tool, { ...(JSON.parse(key!) as object), limit, ...(before ? { cursor: before.next } : {}) }, stop.signal).then(
			(answer) => {
				const page = pageOf(answer);
				set({ ...page, rows: [...(before?.rows ?? []), ...page.rows], answer, error: null, busy: false });
			},
			(e: unknown) => {
				if (!isAbort(e)) set((s) => ({ ...s, busy: false, error: e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) }) }));
			},
		);
	};
	const start = (): void => {
		set({ rows: [], total: 0, answer: null, error: null, busy: true });
		ask(PAGE, null);
	};
	useEffect(() => {
		const same = last.current === key;
		last.current = key;
		if (key === null) return undefined;
		if (same) ask(Math.min(MOST, Math.max(PAGE, state.rows.length)), null);
		else start();
		return () => going.current?.abort();
	}, [tool, key, rebuilt]);
	const more = (): void => {
		set({ ...state, busy: true });
		ask(PAGE, state);
	};
	return { ...state, busy: key !== null && state.busy, more, again: start };
}

/** What is below the rows: the way to the next ones. */
export function MoreRows<R, T>({ pages }: { pages: Pages<R, T> }): JSX.Element | null {
	if (pages.error) return <Failure error={pages.error} again={pages.again} />;
	if (pages.busy) return <Busy />;
	if (!pages.next) return null;
	return (
		<button type="button" class="more" onClick={pages.more}>
			{many(pages.total - pages.rows.length, "more", "more")}
		</button>
	);
}
