// What open_file and file_map answer; the fields are those of coordinator/records/tools.def.
import type { Freshness } from "../types";

export interface Text {
	repo: string;
	repo_uri: string;
	path: string;
	startLine: number;
	endLine: number;
	totalLines: number;
	content: string;
	truncated?: boolean;
	freshness: Freshness;
}

export interface Symbol_ {
	id: string;
	name: string;
	qualified: string;
	kind: string;
	signature?: string;
	start_line: number;
	end_line: number;
	parent?: string;
	test?: boolean;
}

export interface Related {
	id: string;
	qualified: string;
	kind: string;
	path: string;
	start_line: number;
	end_line: number;
	relation: string;
	confidence: number;
	reason?: string;
	at_line?: number;
	via: string;
	test?: boolean;
}

export interface Crossing {
	at_line: number;
	at_end_line: number;
	end: { relation: "calls" | "called_by" | "uses" | "used_by"; repo_uri: string; path: string; start_line: number; end_line: number; symbol?: string; contract: string; confidence: number; ambiguous?: boolean };
}

export interface FileMap {
	path: string;
	language?: string;
	entries: { name: string; path: string; files?: number; language?: string; lines?: number }[];
	total_entries: number;
	symbols: Symbol_[];
	total: number;
	uses: Related[];
	total_uses: number;
	used_by: Related[];
	total_used_by: number;
	crossings: Crossing[];
	reasons: string[];
	subject?: string; // of the message of the indexed commit
	freshness: Freshness;
}
