// The screenshots of `make shots`, each light and dark, for desktop and phone: build/shots/NAME-light-desktop.png.
//   path: of the page, or async (t) => path; ready: a selector to wait for; before: async (page, t), runs first; options: of t.open
import { fake as company } from "./fake_graph.mjs";
import { freshness, job, repo, status } from "./fake_answers.mjs";

const minutes = (n) => new Date(Date.now() - n * 60_000).toISOString();
const troubled = [
	repo(1, { name: "payments/ledger", groups: ["payments", "core"], health: "down", reason: "no answer for 9 s: the connection is there", since: minutes(14) }),
	repo(2, { name: "payments/checkout-web", groups: ["payments"], status: "building", phase: "parse", done: 812, total: 2400, bytes_done: 9e6, bytes_total: 31e6, freshness: freshness(300, { behind: 3 }) }),
	repo(3, { name: "platform/authentication-and-authorization-gateway-for-internal-services", groups: ["platform", "core", "security-reviewed-services"], freshness: freshness(4000, { behind: 12 }) }),
	repo(4, { name: "platform/metrics", groups: ["platform"], health: "degraded", reason: "suspected: 1.6 s without an answer", since: minutes(1) }),
	repo(5, { name: "search/indexer", groups: ["search"], status: "failed", indexing: { status: "failed", last_error: "UNAVAILABLE: git fetch: could not read from remote repository" }, freshness: freshness(9000) }),
	repo(6, { name: "search/frontend", groups: ["search"], status: "pending", freshness: undefined, files: 0, symbols: 0, vectors: "none", reason: "waits for a slot" }),
	...Array.from({ length: 30 }, (_, i) => repo(10 + i, { groups: [["core", "platform", "search"][i % 3]] })),
];
const running = [
	job(1, { kind: "build", repo_uri: troubled[1].repo_uri, phase: "parse", done: 812, total: 2400 }),
	job(2, { kind: "embed", repo_uri: troubled[8].repo_uri, phase: "embed", done: 70, total: 100 }),
	job(3, { kind: "sync", group: "payments", phase: "facts" }),
];

export default [
	{ name: "overview", path: "/", ready: "table.repos td" },
	{ name: "graph", path: "/graph", ready: ".canvas[data-state=still]" },
	{
		name: "graph-line",
		path: async (t) => {
			const { edges } = await t.call("repo_graph", { group: "shop" });
			const most = edges.sort((a, b) => b.relations[0].links - a.relations[0].links)[0];
			return `/graph?${new URLSearchParams({ from: most.source, to: most.target })}`;
		},
		ready: ".contracts > li",
		before: (page) => page.locator(".canvas[data-state=still]").waitFor(),
	},
	{ name: "graph-company", path: "/graph", ready: ".canvas[data-state=still]", options: { fake: company } },
	{ name: "graph-company-node", path: "/graph?node=git.example%2Fidentity%2Fapi", ready: ".canvas[data-state=still]", options: { fake: company } },
	{ name: "graph-company-clusters", path: "/graph?level=clusters", ready: ".canvas[data-state=still]", options: { fake: company } },
	{ name: "graph-list", path: "/graph?as=list", ready: ".lists td" },
	{ name: "contracts", path: "/contracts", ready: ".contract-rows td" },
	{ name: "contracts-unresolved", path: "/contracts?list=unresolved", ready: ".contract-rows td" },
	{ name: "packages", path: "/packages?repo=github.com/atoll-shop/users", ready: "table.rows td" },
	{ name: "overview-troubled", path: "/", ready: "table.repos td", options: { fake: { status: status(troubled) }, events: [{ running, queued: 7 }] } },
	{ name: "overview-empty", path: "/", ready: ".empty", options: { fake: { status: status([]) } } },
	{ name: "connect", path: "/connect", ready: ".copy" },
	{ name: "connect-token", path: "/connect?host=Cursor", ready: ".copy", options: { fake: { status: status([], { tokens: true }), token_create: { token: { name: "laptop", groups: ["core"], read_only: true, expires_at: minutes(-43200) }, secret: `atoll_${"0123456789".repeat(4)}` } } },
		before: async (page) => (await page.getByRole("textbox", { name: "Name" }).fill("laptop"), await page.getByRole("button", { name: "Make it" }).click(), await page.getByText("made", { exact: true }).waitFor()) },
	{ name: "token", path: "/", ready: ".token", options: { fake: { status: { error: { code: "FORBIDDEN", message: "a token is needed here" } } } } },
	{ name: "lost", path: "/", ready: "table.repos td", options: { fresh: true }, before: async (page) => (await page.context().setOffline(true), await page.evaluate(() => { for (const hidden of [true, false]) { Object.defineProperty(document, "hidden", { value: hidden, configurable: true }); document.dispatchEvent(new Event("visibilitychange")); } }), await page.locator(".banner.bad").waitFor()) },
	{ name: "search", path: "/search?q=stock", ready: ".hit" },
	{ name: "search-answer", path: "/search?q=where+are+orders+cancelled%3F&ask=1", ready: ".said" },
	{ name: "search-exact", path: "/search?q=orders&mode=exact", ready: ".match" },
	{ name: "search-exact-empty", path: "/search?mode=exact", ready: ".examples" },
	{ name: "search-empty", path: "/search", ready: ".examples" },
	{ name: "code", path: async (t) => `/code?repo=github.com/atoll-shop/users&path=users/app.py&line=27&end=33`, ready: ".about section" },
	{ name: "code-folder", path: "/code?repo=github.com/atoll-shop/web&path=src/", ready: ".folder" },
	{ name: "operations", path: "/operations", ready: "table.rows" },
	{ name: "operations-jobs", path: "/operations?tab=jobs", ready: "table.rows", before: async (page) => page.locator("table.rows a").first().click().then(() => page.locator(".log li").first().waitFor()) },
	{ name: "operations-groups", path: "/operations?tab=groups", ready: "table.rows", before: (page) => page.locator("td summary").first().click() },
	{ name: "operations-remove", path: "/operations", ready: "table.rows", before: (page) => page.getByRole("button", { name: /^Remove/ }).first().click() },
	{ name: "operations-tokens", path: "/operations?tab=tokens", ready: ".empty", before: (page) => page.locator(".form summary").click() },
];
