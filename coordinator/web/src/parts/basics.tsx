// Small parts that every view is made of.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Link, to } from "../router";
import { middle, now, span } from "../text";
import type { Repo } from "../types";

export type Tone = "ok" | "warn" | "bad" | "accent" | "plain";

/** A word in a frame; `dot`: a light before it. */
export function Badge({ tone = "plain", dot, title, children }: { tone?: Tone; dot?: boolean; title?: string | undefined; children: ComponentChildren }): JSX.Element {
	return (
		<span class={`badge ${tone}${dot ? " dot" : ""}`} title={title}>
			{children}
		</span>
	);
}

/** How long ago, with the time itself as title. */
export function Age({ at, none = "never" }: { at: string | undefined; none?: string }): JSX.Element {
	if (!at) return <span class="muted">{none}</span>;
	return (
		<time dateTime={at} title={new Date(at).toLocaleString()}>
			{span(now.value - Date.parse(at))} ago
		</time>
	);
}

/** A long name: the middle goes, all of it is the title.  `most`: characters. */
export function Long({ text, most = 48 }: { text: string; most?: number }): JSX.Element {
	return <span title={text}>{middle(text, most)}</span>;
}

/** Text to copy, in a frame with a button. */
export function Copy({ text, label = "Copy" }: { text: string; label?: string }): JSX.Element {
	const [said, say] = useState("");
	const copy = (): void => {
		const fail = (): void => say("Select it and copy it manually");
		if (!navigator.clipboard) return fail(); // not over plain http from elsewhere
		navigator.clipboard.writeText(text).then(() => (say("Copied"), setTimeout(() => say(""), 1500)), fail);
	};
	return (
		<div class="copy">
			<pre tabIndex={0}>
				<code>{text}</code>
			</pre>
			<button type="button" onClick={copy}>
				{said || label}
			</button>
			<span class="unseen" role="status">
				{said}
			</span>
		</div>
	);
}

/** Nothing is here, and what would fill it; `command`: what to type. */
export function Empty({ title, children, command }: { title: string; children?: ComponentChildren; command?: string | string[] }): JSX.Element {
	return (
		<div class="empty">
			<h2>{title}</h2>
			{children && <p>{children}</p>}
			{(typeof command === "string" ? [command] : (command ?? [])).map((c) => (
				<Copy key={c} text={c} />
			))}
		</div>
	);
}

/** What went wrong, and what helps. */
export function Failure({ error, again }: { error: ApiError; again?: () => void }): JSX.Element {
	return (
		<div class="failure" role="alert">
			<p>
				<Badge tone="bad">{error.code}</Badge> {error.message}
			</p>
			{error.hint && <p class="muted">{error.hint}</p>}
			{again && (
				<button type="button" onClick={again}>
					Try again
				</button>
			)}
		</div>
	);
}

/** Something is on its way. */
export function Busy({ what = "Loading" }: { what?: string }): JSX.Element {
	return (
		<p class="busy muted" role="status">
			{what}…
		</p>
	);
}

/** A repository by its name, to its files. */
export function RepoLink({ uri, name, most = 40 }: { uri: string; name?: string; most?: number }): JSX.Element {
	const text = name ?? uri;
	return (
		<Link href={to("/code", { repo: uri })} title={uri}>
			{middle(text, most)}
		</Link>
	);
}

/** A repository as the first column of a table: what it is called, and below that what tells it from others. */
export function RepoName({ repo, below = repo.repo_uri }: { repo: Repo; below?: string }): JSX.Element {
	return (
		<>
			<RepoLink uri={repo.repo_uri} name={repo.name} />
			<small>
				<Long text={below} most={44} />
			</small>
		</>
	);
}

/** A line of a file, in the code view.  `at`: the commit that it is meant at. */
export function FileLink({ uri, path, line, end, most = 56 }: { uri: string; path: string; line?: number; end?: number; most?: number }): JSX.Element {
	const text = line ? `${middle(path, most)}:${line}` : middle(path, most);
	return (
		<Link class="file" href={to("/code", { repo: uri, path, line, end: end && end !== line ? end : undefined })} title={line ? `${path}:${line}` : path}>
			{text}
		</Link>
	);
}
