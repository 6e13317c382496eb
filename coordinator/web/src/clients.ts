// Clients and what to paste into each: rows of the table that `atoll up` has, too (coordinator/cli/data/clients.txt, put beside src by make).
import table from "../clients.txt";

export interface Client {
	name: string;
	where: string; // it goes
	note: string;
	/** The text; `secret`: a token, "" where none is needed. */
	text: (url: string, secret: string) => string;
}

/** The coordinator's address and the token put in; what is in [[ ]] is for who needs one. */
function filled(text: string, url: string, secret: string): string {
	const kept = text.replace(/\[\[(.*?)\]\]/g, secret ? "$1" : "");
	return kept.replace(/\{(url|token)\}/g, (_, hole) => (hole === "url" ? url : secret));
}

const pretty = (text: string): string => (text.startsWith("{") ? JSON.stringify(JSON.parse(text), null, 2) : text);

function clientOf(block: string): Client {
	const rows = block.split("\n").map((l) => [l.slice(0, l.indexOf(":")), l.slice(l.indexOf(":") + 1).trim()] as const);
	const all = (key: string): string[] => rows.filter(([k]) => k === key).map(([, v]) => v);
	const one = (key: string): string => all(key)[0] ?? "";
	return {
		name: one("client"),
		where: one("where"),
		note: one("note"),
		text: (url, secret) => [...(secret ? all("secret") : []), ...all("text")].map((t) => pretty(filled(t, url, secret))).join("\n"),
	};
}

export const clients: Client[] = table
	.split(/\n\n+/)
	.filter((b) => b.startsWith("client:"))
	.map((b) => clientOf(b.trim()));
