// What stands beside each line: who calls what is defined on it, what it uses, which contracts it serves and calls.
import type { Piece } from "../parts/highlight";
import { NAME } from "../parts/source";
import type { Crossing, FileMap, Related, Symbol_ } from "./types";

export interface Beside {
	symbols: Symbol_[];
	callers: Related[]; // of what is defined on it
	uses: Related[];
	crossings: Crossing[];
}

export const isCall = (r: Related): boolean => r.relation === "CALLS";
export const lastWord = (qualified: string): string => qualified.split(/[.:#/]+/).pop() ?? "";
// Their names are nothing else near by; a field's may be a variable's.
const distinct = new Set(["function", "method", "constructor", "class", "interface", "trait", "struct", "enum", "type", "constant", "macro"]);

/** How source writes what is used: of a constructor its class. */
export const wordOf = (r: Related): string => (r.kind === "file" ? "" : r.kind === "constructor" ? (r.qualified.split(".").slice(-2)[0] ?? "") : lastWord(r.qualified));

/** What stands beside the lines of a file. */
export class Margins {
	private readonly at = new Map<number, Beside>();
	private readonly owner: string[] = []; // of a line: the innermost definition around it
	private readonly named = new Map<string, Map<string, Related>>(); // what a definition uses, by its word

	constructor(private readonly map: FileMap | null) {
		if (!map) return;
		const starts = new Map(map.symbols.map((s) => [s.id, s.start_line]));
		for (const s of map.symbols) {
			this.line(s.start_line).symbols.push(s);
			for (let n = s.start_line; n <= s.end_line; n++) this.owner[n] = s.id; // outer ones come first
		}
		for (const r of map.used_by) if (isCall(r) && starts.has(r.via)) this.line(starts.get(r.via)!).callers.push(r);
		for (const r of map.uses) {
			if (r.at_line) this.line(r.at_line).uses.push(r);
			if (!this.named.has(r.via)) this.named.set(r.via, new Map());
			if (distinct.has(r.kind)) this.named.get(r.via)!.set(wordOf(r), r);
		}
		for (const x of map.crossings) this.line(x.at_line).crossings.push(x);
	}

	private line(n: number): Beside {
		let b = this.at.get(n);
		if (!b) this.at.set(n, (b = { symbols: [], callers: [], uses: [], crossings: [] }));
		return b;
	}

	get(n: number): Beside | undefined {
		return this.at.get(n);
	}

	/** What a line uses: the index has the first line of a definition that does; later ones are known by the name. */
	uses(n: number, pieces: Piece[] | undefined): Related[] {
		const found = new Map((this.at.get(n)?.uses ?? []).map((r) => [r.id, r]));
		const near = this.named.get(this.owner[n] ?? "");
		for (const p of near?.size ? (pieces ?? []) : [])
			if (p.kind !== "t-comment" && p.kind !== "t-string")
				for (const [word] of p.text.matchAll(NAME)) {
					const r = near!.get(word);
					if (r && !(r.path === this.map?.path && n === r.start_line)) found.set(r.id, r);
				}
		return [...found.values()];
	}

}
