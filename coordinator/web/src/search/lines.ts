// From the matches of an answer of `grep` to the lines that are shown: where spans are in them, and which lines belong together.
import type { Match, Span } from "./types";

/** How many bytes a character takes in UTF-8. */
function bytesOf(character: number): number {
	if (character < 0x80) return 1;
	if (character < 0x800) return 2;
	return character < 0x10000 ? 3 : 4;
}

/** For each byte of the line's part that is shown, by its column, where its character begins in the string. */
function places(m: Match): Map<number, number> {
	const replaced = new Set((m.replaced ?? []).flatMap((r) => Array.from({ length: r.length }, (_, i) => r.column + i)));
	const at = new Map<number, number>();
	let column = m.text_column || 1;
	for (let i = 0; i < m.text.length; ) {
		const character = m.text.codePointAt(i)!;
		const bytes = replaced.has(column) ? 1 : bytesOf(character);
		for (let b = 0; b < bytes; b++) at.set(column++, i);
		i += character < 0x10000 ? 1 : 2;
	}
	return at;
}

/** The matches of a line as [from, to) of its text, in order; what is empty or not shown has none. */
export function marksOf(m: Match): [number, number][] {
	const spans: Span[] = [{ column: m.column, length: m.length }, ...(m.more ?? [])];
	const first = m.text_column || 1;
	const at = places(m);
	const place = (column: number): number => (column < first ? 0 : (at.get(column) ?? m.text.length));
	return spans.map((s): [number, number] => [place(s.column), place(s.column + s.length)]).filter(([from, to]) => from < to);
}

/** A line of a file; `match`: what matches in it, else it stands around such lines. */
export interface Line {
	number: number;
	text: string;
	match?: Match;
}

function linesAround(m: Match): Line[] {
	const before = m.before ?? [];
	return [
		...before.map((text, i) => ({ number: m.line - before.length + i, text })),
		...(m.after ?? []).map((text, i) => ({ number: m.line + 1 + i, text })),
	];
}

/** Lines that follow each other. */
export type Passage = Line[];

/** The lines of matches of one file, each once. */
export function passagesOf(matches: Match[]): Passage[] {
	const lines = new Map<number, Line>();
	for (const line of matches.flatMap(linesAround)) lines.set(line.number, line);
	for (const match of matches) lines.set(match.line, { number: match.line, text: match.text, match });
	const passages: Passage[] = [];
	let last = NaN;
	for (const line of [...lines.values()].sort((a, b) => a.number - b.number)) {
		if (line.number !== last + 1) passages.push([]);
		passages[passages.length - 1]!.push(line);
		last = line.number;
	}
	return passages;
}

export interface FileOf {
	path: string;
	matches: Match[];
}

export interface RepoOf {
	repo_uri: string;
	repo: string;
	files: FileOf[];
}

/** Matches, which are in order, by repository and file. */
export function grouped(matches: Match[]): RepoOf[] {
	const repos: RepoOf[] = [];
	for (const m of matches) {
		if (repos.at(-1)?.repo_uri !== m.repo_uri) repos.push({ repo_uri: m.repo_uri, repo: m.repo, files: [] });
		const { files } = repos.at(-1)!;
		if (files.at(-1)?.path !== m.path) files.push({ path: m.path, matches: [] });
		files.at(-1)!.matches.push(m);
	}
	return repos;
}
