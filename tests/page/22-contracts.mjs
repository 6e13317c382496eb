// Contracts: matrix and rows match the coordinator's answers, with each filter; both ends link to their lines.
import { isDeepStrictEqual } from "node:util";

const rowsOf = (a) => a.contracts.length + a.unresolved.length + a.producers_without_consumers.length;
const code = (end) => `/code?${new URLSearchParams({ repo: end.repo_uri, path: end.file, line: end.line, ...(end.end_line !== end.line ? { end: end.end_line } : {}) })}`;
const table = (page) => page.getByRole("table", { name: "Contracts" });

/** The rows, once there are as many as the coordinator has. */
async function rows(t, page, args, query) {
	const want = await t.call("contract_list", { group: "shop", limit: 1000, ...args });
	await t.go(page, `/contracts?${query}`);
	const n = rowsOf(want);
	if (!n) return t.sees(page, "Nothing fits");
	const ends = [
		...want.contracts.flatMap((c) => [code(c.consumer), code(c.producer)]),
		...want.unresolved.flatMap((u) => [code(u.consumer), ...(u.candidates ?? []).map(code)]),
		...want.producers_without_consumers.map((p) => code(p.producer)),
	];
	const shown = (all) => all.map((a) => a.getAttribute("href"));
	await t.until(`the ends of ${query}`, async () => isDeepStrictEqual(await table(page).locator(".place > a.file").evaluateAll(shown), ends), 20_000).catch(async (e) => {
		t.same(`ends of ${query}`, await table(page).locator(".place > a.file").evaluateAll(shown), ends);
		throw e;
	});
	t.same(`rows of ${query}`, await table(page).locator("tbody tr").count(), n);
	return want;
}

export default async function (t) {
	const { repos } = await t.call("list_repos");
	const uri = (name) => repos.find((r) => r.repo_uri.includes(name)).repo_uri;
	const [web, users] = [uri("web"), uri("users")];
	const whole = await t.call("contract_list", { group: "shop", limit: 1000 });

	const page = await t.open("/contracts");
	await page.locator(".matrix").waitFor();
	const cells = await page.locator(".matrix tbody td:not(.open)").allTextContents();
	t.same("calls in the matrix", cells.filter(Boolean).reduce((n, s) => n + Number(s), 0), whole.totals.contracts);
	t.same("unresolved in the matrix", (await page.locator(".matrix tbody td.open").allTextContents()).filter(Boolean).reduce((n, s) => n + Number(s), 0), whole.totals.unresolved);
	await table(page).waitFor();
	await t.everywhere(page, "contracts");
	await rows(t, page, {}, "");
	t.ok("the matrix counts every contract, the table has every row, and both ends of each lead to the code");

	const n = whole.contracts.filter((c) => c.consumer.repo_uri === web && c.producer.repo_uri === users).length;
	await page.locator(`.matrix td a[title$="${n} contracts"]`).and(page.locator(`[href*="producer=${encodeURIComponent(users)}"]`)).and(page.locator(`[href*="consumer=${encodeURIComponent(web)}"]`)).click();
	await page.waitForFunction((n) => document.querySelectorAll(".contract-rows tbody tr").length === n && !document.querySelector(".stale"), n);
	t.same("rows of a cell", await table(page).locator("tbody tr").count(), n);
	t.ok("a cell shows its contracts");

	for (const [query, args] of [
		["list=contracts", { list: "contracts" }],
		["list=idle", { list: "idle" }],
		["list=unresolved", { list: "unresolved" }],
		["list=unresolved&reason=external", { list: "unresolved", reasons: ["external"] }],
		["reason=dynamic", { reasons: ["dynamic"] }],
		["method=POST", { method: "POST" }],
		["path=%2Forders", { path: "/orders" }],
		[`repo=${encodeURIComponent(users)}`, { repo_uri: users }],
		[`consumer=${encodeURIComponent(web)}`, { consumer: web }],
		[`producer=${encodeURIComponent(users)}`, { producer: users }],
		["confidence=0.9", { min_confidence: 0.9 }],
		["kind=grpc", { kinds: ["grpc"] }],
		["across=1", { cross_repo: true }],
		["path=%2Fnowhere", { path: "/nowhere" }],
	])
		await rows(t, page, args, query);
	t.ok("each filter shows what the coordinator finds by it");

	// the same by hand: what is chosen stands in the URL
	await page.goto(`${t.url}/contracts`);
	await page.getByLabel("Method").selectOption("POST");
	await page.getByLabel("Path", { exact: true }).fill("/orders");
	await page.getByLabel("Between repositories only").check();
	await page.getByRole("button", { name: /^Contracts/ }).click();
	await page.waitForURL((u) => u.search === "?method=POST&path=%2Forders&across=1&list=contracts" || u.searchParams.size === 4);
	t.same("the query", Object.fromEntries(new URL(page.url()).searchParams), { method: "POST", path: "/orders", across: "1", list: "contracts" });
	await page.getByRole("combobox", { name: "Repository" }).fill(repos.find((r) => r.repo_uri === users).name);
	await page.waitForURL((u) => u.searchParams.get("repo") === users);
	await page.getByRole("button", { name: /^touching/ }).click();
	await page.waitForURL((u) => !u.searchParams.has("repo"));
	t.ok("filters that are chosen stand in the URL");

	// ---- what is synced meanwhile comes by itself; what is open stays open ----
	await t.atoll("group", "create", "pair", web, users);
	await t.atoll("group", "sync", "pair");
	await page.goto(`${t.url}/contracts?group=pair&list=contracts`);
	await table(page).locator("summary").last().click();
	const open = () => page.evaluate(() => [...document.querySelectorAll("details.evidence[open]")].map((d) => d.closest("tr").innerText));
	const [before, few] = [await open(), await table(page).locator("tbody tr").count()];
	await t.atoll("group", "add", "pair", uri("orders"));
	await t.atoll("group", "sync", "pair");
	await page.waitForFunction((n) => document.querySelectorAll(".contract-rows tbody tr").length > n, few);
	t.same("all rows are there", await table(page).locator("tbody tr").count(), (await t.call("contract_list", { group: "pair", list: "contracts" })).contracts.length);
	t.same("the same evidence is open", await open(), before);
	await t.atoll("group", "delete", "pair");
	t.ok("the table and the matrix follow a sync");

	// ---- pages, by the coordinator's cursors ----
	const small = async (args) => JSON.parse(await t.atoll("call", "contract_list", JSON.stringify({ ...args, limit: Math.min(args.limit, 20) })).catch((e) => e.stdout));
	const many = await t.open("/contracts?list=contracts", { fake: { contract_list: small } });
	const seen = [];
	for (;;) {
		await many.waitForFunction(() => document.querySelector(".contract-rows") && !document.querySelector(".stale"));
		seen.push(...(await table(many).locator(".place > a.file").evaluateAll((all) => all.map((a) => a.getAttribute("href")))));
		const next = many.getByRole("button", { name: "Next page" });
		if (!(await next.count())) break;
		const before = await table(many).textContent();
		await next.click();
		await many.waitForFunction((b) => ![b, undefined].includes(document.querySelector(".contract-rows")?.textContent), before);
	}
	t.same("both ends of all pages", seen, whole.contracts.flatMap((c) => [code(c.consumer), code(c.producer)]));
	await t.go(many, "/contracts?cursor=AAAA");
	await t.sees(many, "INVALID_INPUT");
	await many.getByRole("button", { name: "Try again" }).click();
	await table(many).waitFor();
	t.ok("pages go on to the end; an old cursor is told and left");
}
