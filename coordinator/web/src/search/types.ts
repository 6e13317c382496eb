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
	coverage: Coverage & { left_out?: LeftOut[] };
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

// ---- exact search ----

export interface Span {
	column: number; // the first byte in the line, from 1
	length: number; // bytes
}

/** A line with a match.  What counts bytes counts those of the line in the file. */
export interface Match extends Span {
	repo: string;
	repo_uri: string;
	path: string;
	line: number;
	more?: Span[];
	text: string;
	text_column?: number; // where `text` begins in a line that is cut
	replaced?: Span[]; // bytes for each of which the text has U+FFFD
	before?: string[];
	after?: string[];
	symbol?: string;
}

export interface Counted {
	lines: number;
	files: number;
}

export interface LeftOut {
	reason: string;
	files: number;
	bytes: number;
	example: string;
}

/** A file that a query finds without asking for lines. */
export interface FoundFile {
	repo: string;
	repo_uri: string;
	path: string;
	matches: number;
}

export interface Grepped extends Covered {
	matches?: Match[];
	files?: FoundFile[];
	total: number;
	files_total: number;
	by_repo?: (Counted & { repo: string; repo_uri: string })[];
	repos_total?: number;
	by_language?: (Counted & { language?: string })[];
	languages_total?: number;
	next_cursor?: string;
	took_ms: number;
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
