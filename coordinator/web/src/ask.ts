// A question of a view: asked anew when its arguments change, the older one being called off.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call, isAbort } from "./api";
import { live } from "./live";

export interface Asked<T> {
	data: T | null; // of the last answer; kept while the next is under way
	error: ApiError | null;
	busy: boolean;
	again: () => void;
}

/** Call a tool with these arguments; null: nothing to ask.  A coordinator that is back is asked again. */
export function useTool<T>(tool: string, args: object | null): Asked<T> {
	const key = args && JSON.stringify(args);
	const [round, setRound] = useState(0);
	const [state, set] = useState<{ key: string | null; data: T | null; error: ApiError | null; busy: boolean }>({ key: null, data: null, error: null, busy: key !== null });
	const failed = useRef(false);
	const back = live.value.state === "live" && live.value.back ? live.value.since : 0;

	useEffect(() => {
		if (failed.current && back) setRound((n) => n + 1);
	}, [back]);
	useEffect(() => {
		if (key === null) {
			set({ key, data: null, error: null, busy: false });
			return undefined;
		}
		const stop = new AbortController();
		set((s) => ({ ...s, busy: true }));
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
	}, [tool, key, round]);
	return { data: state.data, error: state.error, busy: state.busy, again: () => setRound((n) => n + 1) };
}
