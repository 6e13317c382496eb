// A question of a view: asked anew when its arguments change, the older one being called off.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call, isAbort } from "./api";
import { live, tables } from "./live";

export interface Asked<T> {
	data: T | null; // of the last answer; kept while the next is under way
	error: ApiError | null;
	busy: boolean;
	again: () => void;
}

/** A number that is another one when contracts and links of these groups have been rebuilt while they are shown. */
export function useRebuilt(groups: string[]): number {
	const now = tables.value;
	const seen = useRef<ReadonlyMap<string, string | undefined>>(new Map());
	const [n, set] = useState(0);
	const key = JSON.stringify(groups);
	useEffect(() => {
		const was = seen.current;
		const is = new Map((JSON.parse(key) as string[]).map((g) => [g, now.get(g)]));
		seen.current = is;
		// what was not known before is no news
		if ([...is].some(([g, v]) => v !== undefined && was.get(g) !== undefined && was.get(g) !== v)) set((x) => x + 1);
	}, [now, key]);
	return n;
}

/**
 * Call a tool with these arguments; null: nothing to ask.  A coordinator that is back is asked again; so is one when `rebuilt` is another
 * number, but quietly: what is shown stays as it is until there is something newer.
 */
export function useTool<T>(tool: string, args: object | null, rebuilt = 0): Asked<T> {
	const key = args && JSON.stringify(args);
	const [round, setRound] = useState(0);
	const [state, set] = useState<{ key: string | null; data: T | null; error: ApiError | null; busy: boolean }>({ key: null, data: null, error: null, busy: key !== null });
	const failed = useRef(false);
	const last = useRef("");
	const back = live.value.state === "live" && live.value.back ? live.value.since : 0;

	useEffect(() => {
		if (failed.current && back) setRound((n) => n + 1);
	}, [back]);
	useEffect(() => {
		const quiet = last.current === `${tool} ${key} ${round}`;
		last.current = `${tool} ${key} ${round}`;
		if (key === null) {
			set({ key, data: null, error: null, busy: false });
			return undefined;
		}
		const stop = new AbortController();
		if (!quiet) set((s) => ({ ...s, busy: true }));
		call<T>(tool, JSON.parse(key) as object, stop.signal).then(
			(data) => {
				failed.current = false;
				set({ key, data, error: null, busy: false });
			},
			(e: unknown) => {
				if (isAbort(e)) return;
				failed.current = true;
				const error = e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) });
				set((s) => ({ key, data: s.key === key ? s.data : null, error, busy: false }));
			},
		);
		return () => stop.abort();
	}, [tool, key, round, rebuilt]);
	return { data: state.data, error: state.error, busy: state.busy, again: () => setRound((n) => n + 1) };
}
