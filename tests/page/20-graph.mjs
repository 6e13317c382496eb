// Graph: every repository and link of the federation, each filter, both ends of each contract; by mouse, by keyboard, and without WebGL.
const still = ".canvas[data-state=still]";

/** Where the middle of a line, or a repository, is in the window. */
async function point(page, what) {
	const box = await page.locator(".canvas").boundingBox();
	const at = await page.evaluate((w) => window.atollPicture.whereIs(w), what);
	return { x: box.x + at.x, y: box.y + at.y };
}

const total = (graph, keep = () => true) => graph.edges.flatMap((e) => e.relations).filter(keep).reduce((n, r) => n + r.links, 0);

/** What the head says: repositories and links. */
async function says(t, page, repositories, links) {
	await t.sees(page, new RegExp(`^${repositories} repositor(y|ies), ${links} links?`));
}

export default async function (t) {
	const { repos } = await t.call("list_repos");
	const uri = (name) => repos.find((r) => r.repo_uri.includes(name)).repo_uri;
	const whole = await t.call("repo_graph", { group: "shop" });
	const [web, users, orders] = ["web", "users", "orders"].map(uri);

	const page = await t.open("/graph");
	await page.locator(still).waitFor();
	await says(t, page, 4, total(whole));
	t.same("the picture says what it is", await page.locator(".canvas").getAttribute("aria-label"), `4 repositories, ${whole.edges.length} lines between them; the list says the same`);
	await t.axe(page, "the picture");
	t.ok("four repositories and their links");

	// where they stand does not depend on when one looks
	const places = () => page.evaluate((all) => all.map((node) => window.atollPicture.whereIs({ node })), repos.map((r) => r.repo_uri));
	const first = await places();
	await page.reload();
	await page.locator(still).waitFor();
	t.same("places after a reload", await places(), first);
	t.ok("everything stands where it stood");

	// ---- a line, by the mouse ----
	const at = await point(page, { edge: { source: web, target: users } });
	await page.mouse.move(at.x, at.y);
	await page.mouse.click(at.x, at.y);
	const details = page.locator("aside.details");
	await details.waitFor();
	const [from, to] = await page.evaluate(() => ["from", "to"].map((k) => new URLSearchParams(location.search).get(k)));
	t.check("a click picks a line between the two", [from, to].sort().join() === [web, users].sort().join());
	const want = await t.call("contract_list", { group: "shop", consumer: from, producer: to, list: "contracts" });
	await details.locator(".contracts > li").nth(want.contracts.length - 1).waitFor();
	t.same("contracts of the line", await details.locator(".contracts > li").count(), want.totals.contracts);
	const code = (end) => `/code?${new URLSearchParams({ repo: end.repo_uri, path: end.file, line: end.line, ...(end.end_line !== end.line ? { end: end.end_line } : {}) })}`;
	t.same(
		"both ends lead to the code",
		await details.locator(".ends a.file").evaluateAll((all) => all.map((a) => a.getAttribute("href"))),
		want.contracts.flatMap((c) => [code(c.consumer), code(c.producer)]),
	);
	await details.locator(".evidence summary").first().click();
	await t.sees(details, want.contracts[0].evidence[0].text);
	t.same("evidence leads to the code", await details.locator(".evidence a.file").first().getAttribute("href"), code({ ...want.contracts[0].evidence[0], end_line: want.contracts[0].evidence[0].line }));
	await t.everywhere(page, "a line");
	t.ok("a click on a line shows its contracts, with file, line and evidence of both sides");

	const node = await point(page, { node: orders });
	await page.mouse.click(node.x, node.y);
	await details.getByText("Used by").waitFor();
	t.same("who is picked", await page.evaluate(() => new URLSearchParams(location.search).get("node")), orders);
	t.same("who needs orders", await details.locator(".side").nth(1).locator("li").count(), whole.edges.filter((e) => e.target === orders).length);
	await page.goBack();
	await details.locator(".contracts > li").first().waitFor();
	t.ok("a click on a repository shows who uses it; back goes back");

	// ---- filters: each is in the URL, and says the same when that is opened elsewhere ----
	await t.go(page, "/graph");
	await page.getByRole("button", { name: /^HTTP/ }).click();
	await page.waitForURL((u) => u.search === "?relation=consumes_route");
	const shared = await t.open("/graph?relation=depends_on_package", { beside: true });
	await says(t, page, 4, total(whole, (r) => r.relation === "consumes_route"));
	await says(t, shared, 4, total(whole, (r) => r.relation === "depends_on_package"));
	t.same("the chip is pressed there", await shared.getByRole("button", { name: /^packages/ }).getAttribute("aria-pressed"), "true");
	t.ok("relations are kept in the URL");

	await t.atoll("group", "create", "pair", web, users);
	await t.atoll("group", "sync", "pair");
	const pair = await t.call("repo_graph", { group: "pair" });
	await shared.goto(`${t.url}/graph?group=pair`);
	await says(t, shared, 2, total(pair));
	t.ok("a group shows its members alone");

	// ---- what is synced meanwhile comes by itself, and nobody moves for it ----
	await shared.locator(still).waitFor();
	await shared.getByRole("button", { name: "Nearer" }).click();
	await shared.waitForFunction(() => !window.atollPicture.sigma.getCamera().isAnimated());
	await shared.getByRole("searchbox", { name: "Find a repository" }).focus();
	const [stood, query] = [await Promise.all([web, users].map((node) => point(shared, { node }))), new URL(shared.url()).search];
	await t.atoll("group", "add", "pair", orders);
	await t.atoll("group", "sync", "pair");
	await says(t, shared, 3, total(await t.call("repo_graph", { group: "pair" })));
	t.same("who was there stands where he stood", await Promise.all([web, users].map((node) => point(shared, { node }))), stood);
	t.same("the query and the focus", [new URL(shared.url()).search, await shared.evaluate(() => document.activeElement.getAttribute("aria-label"))], [query, "Find a repository"]);
	await t.atoll("group", "delete", "pair");
	t.ok("the graph follows a sync, and nothing in it moves");

	// ---- finding, and by keyboard alone ----
	await t.go(page, "/graph");
	await page.locator(still).waitFor();
	await page.keyboard.press("/");
	await page.keyboard.type("users");
	await page.keyboard.press("Enter");
	await details.getByText("Used by").waitFor();
	t.same("who was found", await page.evaluate(() => new URLSearchParams(location.search).get("node")), users);
	t.ok("a repository is found by typing");

	const list = page;
	await t.go(list, "/graph?as=list");
	await list.getByRole("table", { name: "Links" }).waitFor();
	await t.until("all links, and no others, are in the list", async () => (await list.getByRole("table", { name: "Links" }).locator("tbody tr").count()) === whole.edges.length); // the group that is gone may not have gone from the page
	await list.getByRole("table", { name: "Links" }).locator("tbody button").first().focus();
	await list.keyboard.press("Enter");
	await list.locator("aside.details .contracts > li").first().waitFor();
	await list.getByRole("button", { name: "Close" }).focus();
	await list.keyboard.press("Enter");
	await list.locator("aside.details").waitFor({ state: "detached" });
	await t.axe(list, "the list");
	t.ok("the list says and does the same by keyboard");

	const blind = await t.open("/connect");
	await blind.addInitScript(() => {
		const real = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
			return kind.startsWith("webgl") ? null : real.call(this, kind, ...more);
		};
	});
	await blind.goto(`${t.url}/graph`);
	await t.sees(blind, "no WebGL");
	t.same("repositories in the list", await blind.getByRole("table", { name: "Repositories" }).locator("tbody tr").count(), 4);
	t.ok("without WebGL the list is shown, and says so");

	// ---- a phone; nothing there ----
	const phone = await t.open(`/graph?${new URLSearchParams({ from: web, to: users })}`, { size: "phone", dark: true });
	await phone.locator(still).waitFor();
	await phone.locator(".contracts > li").first().waitFor();
	await t.fits(phone, "the graph on a phone");
	const nobody = { version: "0", uptime_ms: 1, http: "", membership: "", requests: 0, failures: 0, tokens: false, rights: [], repos: [], groups: [] };
	const empty = await t.open("/graph", { fake: { status: nobody }, events: [] });
	await t.sees(empty, "No repositories yet");
	t.ok("it fits a phone, and says what would fill it");
}
