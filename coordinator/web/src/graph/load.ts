// The graphs of one group or of all, as one.
import { useEffect, useState } from "preact/hooks";
import { ApiError, call, isAbort } from "../api";
import type { GraphAnswer } from "./model";

/** Groups that are asked for when all are wanted; the rest is said. */
export const MOST_GROUPS = 24;
const AT_ONCE = 4;

export interface Loaded {
	answers: GraphAnswer[] | null; // of the last question that was answered
	key: string; // of that question
	error: ApiError | null;
	busy: boolean;
}

async function fetchAll(groups: string[], sure: number, stop: AbortSignal): Promise<GraphAnswer[]> {
	const answers: GraphAnswer[] = [];
	for (let i = 0; i < groups.length; i += AT_ONCE)
		answers.push(...(await Promise.all(groups.slice(i, i + AT_ONCE).map((group) => call<GraphAnswer>("repo_graph", sure ? { group, min_confidence: sure } : { group }, stop)))));
	return answers;
}

/** Ask for the graphs of these groups, links that are at least so sure; null: nothing to ask.  `round`: asks anew, quietly. */
export function useGraphs(groups: string[] | null, sure: number, round: string | number): Loaded {
	const key = groups && JSON.stringify([groups, sure]);
	const [state, set] = useState<Loaded>({ answers: null, key: "", error: null, busy: true });

	useEffect(() => {
		if (key === null) return undefined;
		const stop = new AbortController();
		set((s) => ({ ...s, busy: s.key !== key }));
		const [asked, least] = JSON.parse(key) as [string[], number];
		fetchAll(asked, least, stop.signal).then(
			(answers) => set({ answers, key, error: null, busy: false }),
			(e: unknown) => {
				if (isAbort(e)) return;
				const error = e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) });
				set((s) => ({ ...s, error, busy: false }));
			},
		);
		return () => stop.abort();
	}, [key, round]);
	return { ...state, busy: key !== null && state.busy };
}
