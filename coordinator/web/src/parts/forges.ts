// Where a file of a hosted repository is on the web, at a commit: THE table of forges.  What no row knows has no link.
interface Forge {
	name: string;
	host: RegExp;
	file: (base: string, commit: string, path: string, from: number, to: number) => string;
}

const range = (from: number, to: number, head: string, between: string): string => (from ? `#${head}${from}${to > from ? `${between}${to}` : ""}` : "");

const forges: Forge[] = [
	{ name: "GitHub", host: /^(.*\.)?github\.[a-z.]+$/, file: (b, c, p, from, to) => `${b}/blob/${c}/${p}${range(from, to, "L", "-L")}` },
	{ name: "GitLab", host: /(^|\.)gitlab\./, file: (b, c, p, from, to) => `${b}/-/blob/${c}/${p}${range(from, to, "L", "-")}` },
	{ name: "Gitea", host: /(^|\.)(gitea|forgejo)\.|^codeberg\.org$/, file: (b, c, p, from, to) => `${b}/src/commit/${c}/${p}${range(from, to, "L", "-L")}` },
	{ name: "Bitbucket", host: /^bitbucket\.org$/, file: (b, c, p, from, to) => `${b}/src/${c}/${p}${range(from, to, "lines-", ":")}` },
	{ name: "sourcehut", host: /^git\.sr\.ht$/, file: (b, c, p, from, to) => `${b}/tree/${c}/item/${p}${range(from, to, "L", "-")}` },
];

/** The link to lines of a file (0: the whole file), or null: a repository of this machine, or of a host that is not known. */
export function forgeLink(uri: string, commit: string, path: string, from = 0, to = 0): { name: string; href: string } | null {
	const slash = uri.indexOf("/");
	if (uri.startsWith("local:") || slash < 1 || !/^[0-9a-f]{7,64}$/.test(commit)) return null;
	const host = uri.slice(0, slash);
	const forge = forges.find((f) => f.host.test(host.replace(/:\d+$/, "")));
	if (!forge || !/^[a-z0-9.-]+(:\d+)?$/.test(host)) return null;
	const quoted = (p: string): string => p.split("/").map(encodeURIComponent).join("/");
	return { name: forge.name, href: forge.file(`https://${host}/${quoted(uri.slice(slash + 1))}`, commit, quoted(path), from, to) };
}
