// Numbers, times and names as people read them.
import { signal } from "@preact/signals";

/** Date.now(), anew every half minute: for ages. */
export const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 30_000);

const whole = new Intl.NumberFormat("en");
export const count = (n: number): string => whole.format(n);

/** 1 repository, 2 repositories. */
export const many = (n: number, one: string, more = `${one}s`): string => `${count(n)} ${n === 1 ? one : more}`;

const steps: [number, string][] = [
	[86_400, "d"],
	[3600, "h"],
	[60, "min"],
];

/** 3 d, 5 h, 12 min, 40 s. */
export function span(ms: number): string {
	const s = Math.max(0, Math.round(ms / 1000));
	for (const [n, unit] of steps) if (s >= n) return `${Math.floor(s / n)} ${unit}`;
	return `${s} s`;
}

/** What an index lacks: "3 corrupt, e.g. src/a.py". */
export const lacking = (g: { cause: string; number: number; example?: string }): string => `${count(g.number)} ${g.cause}${g.example ? `, e.g. ${g.example}` : ""}`;

export function bytes(n: number): string {
	for (const unit of ["B", "KB", "MB"]) {
		if (n < 1024) return `${n < 10 && unit !== "B" ? n.toFixed(1) : Math.round(n)} ${unit}`;
		n /= 1024;
	}
	return `${n.toFixed(1)} GB`;
}

/** The end of a path or URI stays, the middle goes. */
export function middle(s: string, most: number): string {
	if (s.length <= most) return s;
	const head = Math.ceil((most - 1) / 3);
	return `${s.slice(0, head)}…${s.slice(s.length - (most - 1 - head))}`;
}
