// A line of source: its tokens, marks over them, and links out of it.
import type { ComponentChildren, JSX } from "preact";
import { Link } from "../router";
import type { Piece } from "./highlight";

export interface Anchor {
	name: string; // the word that is the link
	href: string;
	title: string;
}

/** Text with the words of `anchors` as links, each once. */
function linked(text: string, anchors: Anchor[]): ComponentChildren {
	for (const [i, a] of anchors.entries()) {
		const at = text.search(new RegExp(`(?<![\\p{L}\\p{N}_$])${a.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}_$])`, "u"));
		if (at < 0) continue;
		const rest = anchors.filter((_, k) => k !== i);
		return (
			<>
				{linked(text.slice(0, at), rest)}
				<Link class="way" href={a.href} title={a.title} tabIndex={-1}>
					{a.name}
				</Link>
				{linked(text.slice(at + a.name.length), rest)}
			</>
		);
	}
	return text;
}

/** Cut what lies in [from, to) of the line out of its pieces. */
function cut(pieces: Piece[], from: number, to: number): Piece[] {
	const out: Piece[] = [];
	let at = 0;
	for (const p of pieces) {
		const a = Math.max(from, at) - at;
		const b = Math.min(to, at + p.text.length) - at;
		if (a < b) out.push({ kind: p.kind, text: p.text.slice(a, b) });
		at += p.text.length;
	}
	return out;
}

const spans = (pieces: Piece[], anchors: Anchor[]): JSX.Element[] =>
	pieces.map((p, i) => (
		<span key={i} class={p.kind || undefined}>
			{anchors.length && p.kind !== "t-comment" && p.kind !== "t-string" ? linked(p.text, anchors) : p.text}
		</span>
	));

export function SourceLine({ pieces, marks = [], anchors = [] }: { pieces: Piece[]; marks?: [number, number][]; anchors?: Anchor[] }): JSX.Element {
	if (!marks.length) return <>{spans(pieces, anchors)}</>;
	const out: JSX.Element[] = [];
	let at = 0;
	for (const [from, to] of marks) {
		out.push(<span key={`${at}-`}>{spans(cut(pieces, at, from), anchors)}</span>, <mark key={from}>{spans(cut(pieces, from, to), [])}</mark>);
		at = to;
	}
	out.push(<span key="end">{spans(cut(pieces, at, Infinity), anchors)}</span>);
	return <>{out}</>;
}
