// A line of source: its tokens, marks over them, and links out of it.
import type { ComponentChildren, JSX } from "preact";
import { Link } from "../router";
import type { Piece } from "./highlight";

/** Where a word of the source leads. */
export interface Anchor {
	href: string;
	title: string;
}

export const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Text with the names that are among `anchors` as links. */
function linked(text: string, anchors: Map<string, Anchor>): ComponentChildren {
	const out: ComponentChildren[] = [];
	let at = 0;
	for (const m of text.matchAll(NAME)) {
		const a = anchors.get(m[0]);
		if (!a) continue;
		out.push(
			text.slice(at, m.index),
			<Link class="way" href={a.href} title={a.title} tabIndex={-1}>
				{m[0]}
			</Link>,
		);
		at = m.index + m[0].length;
	}
	return at ? [...out, text.slice(at)] : text;
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

const none = new Map<string, Anchor>();

const spans = (pieces: Piece[], anchors: Map<string, Anchor>): JSX.Element[] =>
	pieces.map((p, i) => (
		<span key={i} class={p.kind || undefined}>
			{anchors.size && p.kind !== "t-comment" && p.kind !== "t-string" ? linked(p.text, anchors) : p.text}
		</span>
	));

export function SourceLine({ pieces, marks = [], anchors = none }: { pieces: Piece[]; marks?: [number, number][]; anchors?: Map<string, Anchor> }): JSX.Element {
	if (!marks.length) return <>{spans(pieces, anchors)}</>;
	const out: JSX.Element[] = [];
	let at = 0;
	for (const [from, to] of marks) {
		out.push(<span key={`${at}-`}>{spans(cut(pieces, at, from), anchors)}</span>, <mark key={from}>{spans(cut(pieces, from, to), none)}</mark>);
		at = to;
	}
	out.push(<span key="end">{spans(cut(pieces, at, Infinity), anchors)}</span>);
	return <>{out}</>;
}
