// What the coordinator tells without being asked: repositories, groups and jobs as they change, and that it is gone or back.
import { batch, computed, signal } from "@preact/signals";
import { ApiError, call, lost, request, token } from "./api";
import type { Group, Job, Repo, Status } from "./types";

/** connecting: nothing is known yet; live: it is as shown; lost: it was so until `since`; denied: a token is needed. */
export type State = "connecting" | "live" | "lost" | "denied";

interface Live {
	state: State;
	since: number; // Date.now() of the state
	back: boolean; // it was lost before
}

export const live = signal<Live>({ state: "connecting", since: Date.now(), back: false });
/** The answer of `status`, without what changes all the time; null: not yet known. */
export const status = signal<Omit<Status, "repos" | "groups"> | null>(null);
/** By name. */
export const repos = signal<Repo[]>([]);
export const groups = signal<Group[]>([]);
/** Those that run, and how many wait. */
export const running = signal<Job[]>([]);
export const queued = signal(0);
/** Which contracts and links each group has: another text when they have been rebuilt. */
export const tables = signal<ReadonlyMap<string, string>>(new Map());
/** Why there is nothing to show, when the coordinator is there and refuses. */
export const failure = signal<ApiError | null>(null);

export const byUri = computed(() => new Map(repos.value.map((r) => [r.repo_uri, r])));
/** What the token may beside reading: "write", "govern" (repositories, groups, tokens). */
export const may = (right: string): boolean => status.value?.rights.includes(right) ?? false;

const SILENCE_MS = 40_000; // a sign of life comes every 15 s
const AGAIN_MS = [300, 500, 1000, 2000, 3000];

function become(state: State): void {
	const was = live.value;
	if (was.state !== state) live.value = { state, since: Date.now(), back: state === "live" && was.state === "lost" };
}

const sorted = (all: Iterable<Repo>): Repo[] => [...all].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

async function load(stop: AbortSignal): Promise<void> {
	const { repos: all, groups: sets, ...rest } = await call<Status>("status", {}, stop);
	batch(() => {
		status.value = rest;
		repos.value = sorted(all);
		groups.value = sets;
		failure.value = null;
	});
}

// ---- events ----

interface Told {
	repos?: Repo[];
	gone?: string[];
	groups?: Group[];
	running?: Job[];
	queued?: number;
	tables?: { group: string; version: string }[];
	more?: boolean; // too much has changed to be told
}

async function take(told: Told, first: boolean, stop: AbortSignal): Promise<void> {
	if (told.more) return load(stop);
	batch(() => {
		if (told.repos || told.gone || first) {
			const all = first ? new Map<string, Repo>() : new Map(byUri.value);
			for (const r of told.repos ?? []) all.set(r.repo_uri, r);
			for (const uri of told.gone ?? []) all.delete(uri);
			repos.value = sorted(all.values());
		}
		if (told.groups) groups.value = told.groups;
		if (told.running) running.value = told.running;
		if (told.queued !== undefined) queued.value = told.queued;
		if (told.tables) tables.value = new Map(told.tables.map((t) => [t.group, t.version]));
	});
}

/** The data of each event; null: a sign of life. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string | null> {
	const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
	let rest = "";
	try {
		for (;;) {
			const timer = setTimeout(() => void reader.cancel(), SILENCE_MS);
			const { value, done } = await reader.read();
			clearTimeout(timer);
			if (done) return;
			const blocks = (rest + value).split("\n\n");
			rest = blocks.pop()!;
			for (const b of blocks) {
				const data = b.split("\n").filter((l) => l.startsWith("data:")).map((l) => l.slice(5).trimStart());
				yield data.length ? data.join("\n") : null;
			}
		}
	} finally {
		await reader.cancel().catch(() => undefined);
	}
}

/** One stream, until it ends.  Its first event says all, again: `status` may have been asked before. */
async function listen(stop: AbortSignal): Promise<void> {
	const early = load(stop);
	early.catch(() => undefined);
	const r = await request("/api/v1/events", { headers: { Accept: "text/event-stream" }, signal: stop });
	await early;
	become("live");
	let first = true;
	for await (const data of events(r.body!)) {
		if (!data) continue;
		await take(JSON.parse(data) as Told, first, stop);
		first = false;
	}
	throw lost();
}

// ---- as long as somebody looks ----

let current: AbortController | null = null;

const pause = (ms: number, stop: AbortSignal): Promise<void> =>
	new Promise((done) => {
		const timer = setTimeout(done, ms);
		stop.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
	});

async function run(stop: AbortSignal): Promise<void> {
	for (let tries = 0; !stop.aborted; tries++) {
		try {
			await listen(stop);
		} catch (e) {
			if (stop.aborted) return;
			if (live.value.state === "live") tries = 0;
			if (e instanceof ApiError && (e.code === "FORBIDDEN" || e.code === "RATE_LIMITED")) {
				failure.value = e;
				become("denied");
				if (e.code === "FORBIDDEN") return; // until there is another token
			} else {
				become("lost");
			}
		}
		await pause(AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]!, stop);
	}
}

/** Listen anew: with another token, or after the page was hidden. */
export function listenAnew(): void {
	current?.abort();
	current = new AbortController();
	void run(current.signal);
}

export function startLive(): void {
	listenAnew();
	let with_ = token();
	document.addEventListener("visibilitychange", () => {
		if (document.hidden) {
			current?.abort(); // a page that nobody sees costs nothing
			current = null;
		} else if (!current || with_ !== token()) {
			listenAnew();
		}
		with_ = token();
	});
}
