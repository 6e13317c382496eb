// The lines of a file, fetched piece by piece as they come into sight.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call, isAbort } from "../api";
import { grammarOf, highlighted, type Piece } from "../parts/highlight";
import type { Freshness } from "../types";
import type { Text } from "./types";

export const ROW = 20; // height of a line, as in code.css
export const ALL = 1500; // files up to so many lines are shown whole
const AROUND = 120; // lines beside those in sight
export const PIECE = 1000; // lines that are fetched at once

export interface Loaded {
	total: number;
	freshness: Freshness | null;
	lines: (Piece[] | undefined)[]; // from 0
	cut: Set<number>; // lines of which there is more
}

/** The lines of a file as they are needed. */
export function useLines(uri: string, path: string, first: Text | null): { at: Loaded; need: (from: number, to: number) => void; error: ApiError | null } {
	const [at, set] = useState<Loaded>({ total: 0, freshness: null, lines: [], cut: new Set() });
	const [error, fail] = useState<ApiError | null>(null);
	const asked = useRef(new Set<number>());
	const stop = useRef(new AbortController());
	const grammar = grammarOf(path);

	const put = (t: Text): void =>
		set((s) => {
			const fresh = s.freshness?.commit === t.freshness.commit ? s : { total: t.totalLines, freshness: t.freshness, lines: [], cut: new Set<number>() };
			const lines = [...fresh.lines];
			highlighted(t.content.replace(/\n$/, ""), grammar)
				.slice(0, t.endLine - t.startLine + 1)
				.forEach((l, i) => (lines[t.startLine - 1 + i] = l));
			const cut = new Set(fresh.cut);
			if (t.truncated && t.startLine === t.endLine) cut.add(t.endLine);
			return { total: t.totalLines, freshness: t.freshness, lines, cut };
		});
	useEffect(() => {
		asked.current = new Set();
		stop.current = new AbortController();
		set({ total: 0, freshness: null, lines: [], cut: new Set() });
		fail(null);
		return () => stop.current.abort();
	}, [uri, path]);
	useEffect(() => {
		if (first) put(first);
	}, [first]);

	const fetchFrom = async (from: number, end: number, signal: AbortSignal): Promise<void> => {
		for (let next = from; next <= end; ) {
			const t = await call<Text>("open_file", { repo_uri: uri, path, startLine: next, endLine: end }, signal);
			put(t);
			next = Math.max(t.endLine, next) + 1;
		}
	};
	const need = (from: number, end: number): void => {
		for (let k = Math.floor((from - 1) / PIECE); k * PIECE < Math.min(end, at.total); k++) {
			const a = k * PIECE + 1;
			const b = Math.min(at.total, a + PIECE - 1);
			let missing = a;
			while (missing <= b && at.lines[missing - 1]) missing++;
			if (missing > b || asked.current.has(k)) continue;
			asked.current.add(k);
			fetchFrom(missing, b, stop.current.signal).catch((e: unknown) => {
				if (isAbort(e)) return;
				asked.current.delete(k);
				fail(e instanceof ApiError ? e : new ApiError({ code: "INTERNAL", message: String(e) }));
			});
		}
	};
	return { at, need, error };
}

/** Which lines are in sight, and some more; all of a short file. */
export function useWindow(total: number): { box: { current: HTMLDivElement | null }; from: number; to: number } {
	const box = useRef<HTMLDivElement>(null);
	const [seen, see] = useState({ from: 1, to: AROUND });
	useEffect(() => {
		if (total <= ALL) return undefined;
		let frame = 0;
		const look = (): void => {
			frame = 0;
			const top = box.current?.getBoundingClientRect().top ?? 0;
			const first = Math.max(1, Math.floor(-top / ROW) + 1);
			const from = Math.max(1, Math.floor((first - AROUND) / 40) * 40 + 1);
			const end = Math.min(total, from + 2 * AROUND + Math.ceil(innerHeight / ROW) + 40);
			see((s) => (s.from === from && s.to === end ? s : { from, to: end }));
		};
		const later = (): void => {
			frame ||= requestAnimationFrame(look);
		};
		look();
		addEventListener("scroll", later, { passive: true });
		addEventListener("resize", later);
		return () => {
			cancelAnimationFrame(frame);
			removeEventListener("scroll", later);
			removeEventListener("resize", later);
		};
	}, [total]);
	return total <= ALL ? { box, from: 1, to: total } : { box, ...seen };
}
