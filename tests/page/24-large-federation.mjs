// A thousand repositories with five thousand links, some with names that could inject scripts.
import { largeFederation } from "./large_federation.mjs";

const still = ".canvas[data-state=still]";

const total = (g) => g.edges.flatMap((e) => e.relations).reduce((n, r) => n + r.links, 0);
const number = (n) => new Intl.NumberFormat("en").format(n);

async function looks(t, { base, call }) {
	const graph = await call("repo_graph", { group: "crowd" });
	t.check(`${graph.repos.length} repositories, ${total(graph)} links`, graph.repos.length === 1000 && total(graph) >= 5000);

	const page = await t.open("/graph", { base, size: "small" }); // software paints it here
	await t.sees(page, `1,000 repositories, ${number(total(graph))} links`);
	await page.locator(".canvas:not([data-state=empty])").waitFor();

	// while places are found the page answers: a box takes what is typed
	await page.getByRole("searchbox", { name: "Find a repository" }).fill("img src=x onerror");
	await page.keyboard.press("Enter");
	await page.locator("aside.details").getByText("Used by").waitFor();
	await page.locator(still).waitFor();
	const picked = graph.repos.find((r) => r.name.includes("<img src=x onerror"));
	t.same("who was found", new URL(page.url()).searchParams.get("node"), picked.repo_uri);
	await page
		.waitForFunction((node) => {
			const at = window.atollPicture.whereIs({ node });
			const { width, height } = document.querySelector(".canvas").getBoundingClientRect();
			return Math.abs(at.x - width / 2) < 40 && Math.abs(at.y - height / 2) < 40;
		}, picked.repo_uri)
		.catch(() => t.fail("it does not come into the middle of the picture"));
	await harmless(t, page);
	t.ok("a thousand repositories, of which one is found and gone to, its name being text");

	for (const c of ["0.8", "1"]) {
		const sure = await call("repo_graph", { group: "crowd", min_confidence: Number(c) });
		t.check(`some are less sure than ${c}`, total(sure) < total(graph));
		await t.go(page, `/graph?as=list&confidence=${c}`);
		await t.sees(page, `1,000 repositories, ${number(total(sure))} link`);
	}
	t.ok("links that are not so sure are left out");

	const head = graph.repos[0].repo_uri; // the highest rank is the head of its cluster
	await t.go(page, `/graph?${new URLSearchParams({ level: "clusters", node: head })}`);
	await page.locator(still).waitFor();
	const clusters = Number((await page.locator(".head").textContent()).match(/([\d,]+) clusters/)[1]);
	t.check(`${clusters} clusters`, clusters > 5 && clusters < 100);
	await page.getByRole("button", { name: /^Show the \d+ repositories of this cluster/ }).click();
	await page.locator(still).waitFor();
	const inside = Number((await page.locator(".head").textContent()).match(/([\d,]+) repositories/)[1]);
	t.check(`${inside} repositories in a cluster`, inside > 5 && inside < 400);
	t.ok("clusters, and what is in one");
}

async function harmless(t, page) {
	t.check("nothing of it ran", !(await page.evaluate(() => window.hacked)));
	t.same("nothing of it is an element", await page.locator("img, main svg, main script, a[href^='javascript']").count(), 0);
}

async function words(t, { base, call }) {
	const page = await t.open("/graph?as=list", { base });
	await page.getByRole("table", { name: "Repositories" }).waitFor();
	await t.size(page, "phone");
	await t.fits(page, "the list of a thousand");
	await t.size(page, "desktop");
	const hostile = (await call("list_repos", { limit: 200 })).repos.filter((r) => /^acme\//.test(r.name));
	t.check("some have hostile names", hostile.length >= 5);
	for (const r of hostile.slice(0, 3)) {
		await t.go(page, `/graph?${new URLSearchParams({ node: r.repo_uri, as: "list" })}`);
		const details = page.locator("aside.details");
		await details.getByText("Used by").waitFor();
		await details.getByText("its unresolved calls").click();
		await page.getByRole("table", { name: "Contracts" }).locator("tbody tr").first().waitFor();
		await t.go(page, `/contracts?${new URLSearchParams({ consumer: r.repo_uri })}`);
		await page.getByRole("table", { name: "Contracts" }).locator("tbody tr").first().waitFor();
		await harmless(t, page);
	}
	t.ok("names, paths, symbols and code that could script the page do not");

	await t.go(page, "/contracts");
	await t.until("24 consumers at first", async () => (await page.locator(".matrix tbody tr").count()) === 24);
	await page.getByRole("button", { name: "Show more" }).click();
	await t.until("48 consumers then", async () => (await page.locator(".matrix tbody tr").count()) === 48);
	await t.sees(page, "missing");
	await page.getByRole("button", { name: "Next page" }).click();
	await page.waitForURL((u) => u.searchParams.has("cursor"));
	await page.locator(".stale").waitFor({ state: "detached" });
	t.ok("a matrix of a thousand is shown piece by piece, rows by pages");
}

export default async function (t) {
	const many = await largeFederation(t);
	await looks(t, many);
	await words(t, many);
}
