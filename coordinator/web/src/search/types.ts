// What scope_query, group_query and ask_code answer; the fields are those of coordinator/records/tools.def.
import type { Problem } from "../api";
import type { Coverage } from "../types";

export interface Hit {
	rank: number;
	repo_uri: string;
	repo: string;
	path: string;
	start_line: number;
	end_line: number;
	symbol?: string | undefined;
	kind?: string;
	snippet_start_line?: number;
	snippet_end_line?: number;
	snippet: string;
	score: number;
	sources: string[];
	also_in?: { repo_uri: string; path: string; start_line: number; end_line: number }[];
	cited?: boolean;
}

/** What both say of who answered. */
export interface Covered {
	coverage: Coverage;
	complete: boolean;
	without_vectors?: string;
}

export interface Answer extends Covered {
	results: Hit[];
	/** What only resembles the question; after the results. */
	similar?: Hit[];
	hint?: string;
	took_ms: number;
	mode: string;
	next_cursor?: string;
	total: number;
}

export interface Evidence {
	repo: string;
	repo_uri: string;
	score: number;
	path: string;
	startLine: number;
	endLine: number;
	snippet: string;
	symbol?: string;
	cited?: boolean;
}

export interface Said extends Covered {
	answer: string | null;
	hint?: string;
	failure?: Problem;
	evidences: Evidence[];
	similar?: Evidence[];
	meta: { llmModel: string | null; contextsUsed: number; elapsedMs: number };
}
