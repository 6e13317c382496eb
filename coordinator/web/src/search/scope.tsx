// Where is searched: a group, some repositories, or all; it stands in the URL as group, repo (with commas) or scope=all.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { byUri, groups, repos, status } from "../live";
import { query, setQuery } from "../router";
import { many, middle } from "../text";

export const get = (name: string): string => query.value.get(name) ?? "";

/** An answer in words is wanted, not a list. */
export const asks = (): boolean => get("ask") === "1";

export interface Scope {
	group: string | null;
	repos: string[];
	all: boolean;
}

// A name may hold what separates them.
export const joined = (uris: string[]): string | null => uris.map((u) => u.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",") || null;
const parted = (text: string): string[] => text.split(",").filter(Boolean).map((u) => u.replaceAll("%2C", ",").replaceAll("%25", "%"));

/** As chosen; else the group `default`, the first one, the only repository, or all where that is permitted.  Null: nothing of it. */
export function scopeOf(): Scope | null {
	const some = parted(get("repo"));
	if (some.length) return { group: null, repos: some, all: false };
	if (get("scope") === "all") return { group: null, repos: [], all: true };
	const group = get("group") || (groups.value.find((g) => g.name === "default") ?? groups.value[0])?.name;
	if (group) return { group, repos: [], all: false };
	if (repos.value.length === 1) return { group: null, repos: [repos.value[0]!.repo_uri], all: false };
	return status.value?.global_scope ? { group: null, repos: [], all: true } : null;
}

/** As `scope` of a tool; a group is its members. */
export function asScope(s: Scope): object {
	if (s.all) return { type: "all" };
	const uris = s.group ? (groups.value.find((g) => g.name === s.group)?.members ?? []) : s.repos;
	return uris.length === 1 ? { type: "repo", repo: uris[0] } : { type: "repos", repos: uris };
}

const nameOf = (uri: string): string => byUri.value.get(uri)?.name ?? uri;

/** A box that takes one more repository. */
function AddRepo({ has }: { has: string[] }): JSX.Element {
	const [typed, type] = useState("");
	const members = groups.value.find((g) => g.name === get("group"))?.members;
	const near = repos.value.filter((r) => !has.includes(r.repo_uri) && (has.length > 0 || !members || members.includes(r.repo_uri)));
	const put = (text: string): void => {
		const found = near.find((r) => r.name === text || r.repo_uri === text);
		type(found ? "" : text);
		if (found) setQuery({ repo: joined([...has, found.repo_uri]), scope: null }, false);
	};
	return (
		<label class="select">
			<span>Repository</span>
			<input type="text" class="wide" list="values-repo" placeholder={has.length ? "one more" : "any"} spellcheck={false} autocomplete="off" value={typed} onInput={(e) => put(e.currentTarget.value)} />
			<datalist id="values-repo">
				{near.map((r) => (
					<option key={r.repo_uri} value={r.name} />
				))}
			</datalist>
		</label>
	);
}

const ALL = "all of them";

export function ScopeFilter(): JSX.Element {
	const s = scopeOf();
	const some = s?.repos ?? [];
	// a group may be called anything: values are their places
	const value = s?.all ? "all" : s?.group ? String(groups.value.findIndex((g) => g.name === s.group)) : "";
	const choose = (v: string): void => setQuery({ group: v === "all" || v === "" ? null : groups.value[Number(v)]!.name, scope: v === "all" ? "all" : null, repo: null }, false);
	return (
		<>
			<label class="select">
				<span>In</span>
				<select value={value} onChange={(e) => choose(e.currentTarget.value)}>
					{value === "" && (
						<option value="" selected>
							{some.length ? many(some.length, "repository", "repositories") : "choose"}
						</option>
					)}
					{value === "-1" && (
						<option value="-1" selected>
							{middle(s!.group!, 30)}
						</option>
					)}
					{groups.value.map((g, i) => (
						<option key={g.name} value={String(i)} selected={String(i) === value}>
							{middle(g.name, 30)} ({g.members.length})
						</option>
					))}
					<option value="all" selected={value === "all"}>
						{status.value?.global_scope ? `${ALL} (${repos.value.length})` : `${ALL}: not permitted here`}
					</option>
				</select>
			</label>
			<AddRepo has={some} />
			{some.map((uri) => (
				<button key={uri} type="button" class="chip" aria-pressed="true" title={uri} aria-label={`Without ${nameOf(uri)}`} onClick={() => setQuery({ repo: joined(some.filter((u) => u !== uri)) }, false)}>
					{middle(nameOf(uri), 30)} ✕
				</button>
			))}
		</>
	);
}
