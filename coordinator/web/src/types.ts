// Rows of answers that several views show; the fields are those of coordinator/records/tools.def.

export interface Freshness {
	repo_uri: string;
	commit: string;
	generation: number;
	graph_hash: string;
	indexed_at: string;
	behind: number; // commits; -1: unknown
	gaps?: Gap[];
}

/** What an index lacks of its repository, by cause. */
export interface Gap {
	cause: string;
	number: number;
	example?: string;
}

export interface IndexState {
	status: string;
	checked_at?: string;
	last_error?: string;
	next_run?: string;
	job?: string;
}

export interface Repo {
	name: string;
	repo_uri: string;
	default_branch: string | null;
	groups: string[];
	visibility: "public" | "internal" | "private";
	status: "pending" | "building" | "ready" | "failed";
	health: "healthy" | "degraded" | "down";
	reason?: string;
	since?: string;
	conflict?: string;
	files: number;
	symbols: number;
	vectors: "none" | "building" | "complete";
	vectors_reason?: string;
	atoll_yaml?: string;
	done?: number;
	total?: number;
	phase?: string;
	bytes_done?: number;
	bytes_total?: number;
	source?: string;
	freshness?: Freshness;
	indexing?: IndexState;
}

export interface Group {
	name: string;
	description?: string;
	members: string[];
}

export interface Job {
	id: string;
	kind: string;
	key: string;
	repo_uri?: string;
	group?: string;
	state: "queued" | "running" | "done" | "failed";
	cancelled: boolean;
	reason: string;
	caller?: string;
	phase?: string;
	done?: number;
	total?: number;
	tries: number;
	waits: number;
	lost: number;
	created_at: string;
	started_at?: string;
	ended_at?: string;
	next_run?: string;
	generation?: number;
	note?: string;
	code?: string;
	message?: string;
}

export interface Coverage {
	members: number;
	answered: number;
	skipped: number;
	failed: { repo_uri: string; code: string; message: string; elapsed_ms: number }[];
	stale: { repo_uri: string; behind: number }[];
	partial?: ({ repo_uri: string } & Gap)[];
	notes?: { repo_uri: string; code: string; message: string }[];
}

/** One end of a contract. */
export interface End {
	repo_uri: string;
	file: string;
	line: number;
	end_line: number;
	symbol?: string;
	method?: string;
	path?: string;
	framework?: string;
}

export interface Status {
	version: string;
	uptime_ms: number;
	http: string;
	membership: string;
	requests: number;
	failures: number;
	tokens: boolean;
	rights: string[];
	global_scope: boolean;
	repos: Repo[];
	groups: Group[];
}
