// Tools of the coordinator.  The token is kept for this tab alone, and goes nowhere but into the header Authorization.
import { signal } from "@preact/signals";

const KEY = "atoll.token";

const stored = (): string => {
	try {
		return sessionStorage.getItem(KEY) ?? "";
	} catch {
		return "";
	}
};

const held = signal(stored());

/** Which one the page asks with; "": none. */
export const token = (): string => held.value;

/** The coordinator wants a token, or another one: why. */
export const refused = signal<string | null>(null);

export function setToken(t: string): void {
	held.value = t;
	try {
		if (t) sessionStorage.setItem(KEY, t);
		else sessionStorage.removeItem(KEY);
	} catch {
		// it holds until the page is closed
	}
	refused.value = null;
}

export interface Problem {
	code: string;
	message: string;
	hint?: string;
	retry_after_ms?: number;
	choices?: { repo_uri: string; default_branch: string | null; group: string | null; name?: string }[];
}

/** What went wrong, in the coordinator's words; LOST: it cannot be reached. */
export class ApiError extends Error {
	readonly code: string;
	readonly hint: string;
	constructor(readonly problem: Problem) {
		super(problem.message);
		this.code = problem.code;
		this.hint = problem.hint ?? "";
	}
}

export const lost = (): ApiError =>
	new ApiError({ code: "LOST", message: "The coordinator is unreachable.", hint: "The page continues as soon as it is back." });

export const isAbort = (e: unknown): boolean => e instanceof DOMException && e.name === "AbortError";

/** A request with the token; ApiError unless it is answered with 2xx. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
	const headers = new Headers(init.headers);
	if (held.value) headers.set("Authorization", `Bearer ${held.value}`);
	let r: Response;
	try {
		r = await fetch(path, { ...init, headers, cache: "no-store", credentials: "omit", redirect: "error" });
	} catch (e) {
		throw isAbort(e) ? e : lost();
	}
	if (r.ok) return r;
	const body: { error?: Problem } = await r.json().catch(() => ({}));
	const problem = body.error ?? { code: "INTERNAL", message: `The coordinator answered ${r.status}.` };
	if (r.status === 401) refused.value = problem.message;
	throw new ApiError(problem);
}

/** Call a tool.  Fails with ApiError, or AbortError when `signal` says so. */
export async function call<T>(tool: string, args: object = {}, signal?: AbortSignal): Promise<T> {
	const r = await request(`/api/v1/${encodeURIComponent(tool)}`, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(args),
		signal: signal ?? null,
	});
	try {
		return (await r.json()) as T;
	} catch (e) {
		throw isAbort(e) ? e : lost();
	}
}
