// With a limited token: no view shows hidden repositories or a button that would fail, and the page says why.
const HIDDEN = /atoll-shop\/(orders|web)|catalog-[0-9a-f]{6}|f2ea99|private-club/;
const shown = "github.com/atoll-shop/users";

export default async function (t) {
	const admin = (await t.atoll("token", "create", "--name", "admin")).trim();
	process.env.ATOLL_TOKEN = admin;
	t.ends.push(async () => {
		await t.atoll("group", "delete", "private-club").catch(() => undefined);
		await t.atoll("repo", "set", shown, "--visibility", "private");
		for (const name of ["guest", "member", "admin"]) await t.atoll("token", "revoke", name).catch(() => undefined);
		delete process.env.ATOLL_TOKEN;
	});
	await t.atoll("repo", "set", shown, "--visibility", "public");
	await t.atoll("group", "create", "private-club", "atoll-shop/orders", "atoll-shop/web");
	const guest = (await t.atoll("token", "create", "--name", "guest", "--visibility", "public", "--read-only")).trim();

	const page = await t.open("/connect", { token: guest });
	const told = []; // whatever the coordinator says to it
	page.on("response", async (r) => told.push(r.url().includes("/api/") && !r.url().endsWith("/events") ? await r.text().catch(() => "") : ""));
	const looks = async (path, ready) => {
		await t.go(page, path);
		await ready();
		const text = (await page.locator("body").innerText()).replaceAll(path.includes("private-club") ? "`private-club`" : "\n", " "); // what was asked for is named
		t.check(`${path} shows what is hidden: ${HIDDEN.exec(text)?.[0]}`, !HIDDEN.test(text));
		for (const x of told.splice(0)) t.check(`${path} is told what is hidden: ${x.slice(Math.max(0, x.search(HIDDEN) - 300), x.search(HIDDEN) + 80)}`, path.includes("private-club") || !HIDDEN.test(x));
		return text;
	};
	const sees = (selector, hasText) => () => page.locator(selector, hasText ? { hasText } : {}).first().waitFor();
	await looks("/", sees("table.repos td", "atoll-shop/users"));
	t.same("repositories of the overview", await page.locator("table.repos tbody tr").count(), 1);
	await looks("/graph", sees(".canvas[data-state=still]"));
	await looks(`/graph?as=list&node=${encodeURIComponent(shown)}`, sees("aside.details"));
	await looks(`/graph?node=${encodeURIComponent("github.com/atoll-shop/club")}`, sees(".details", "Not in this graph"));
	await looks("/graph?group=private-club", sees(".failure", "NOT_FOUND"));
	await looks("/contracts", sees(".contract-rows td"));
	await looks("/search?q=orders", sees(".hit, .empty"));
	await looks("/search?q=orders&scope=all", sees(".failure", "is not permitted here"));
	await looks(`/search?q=profile&repo=${encodeURIComponent("github.com/atoll-shop/club")}`, sees(".failure", "NOT_FOUND"));
	await looks("/search?q=user&ask=1", sees(".said"));
	await looks("/code", sees("table.rows td"));
	await looks(`/code?repo=${encodeURIComponent(shown)}&path=users/app.py`, sees(".about h2"));
	await looks(`/code?repo=${encodeURIComponent("github.com/atoll-shop/club")}&path=a.py`, sees(".empty, .failure"));
	for (const [tab, title] of [["", "Repositories"], ["groups", "Groups"], ["jobs", "Jobs"], ["tokens", "Tokens"]]) {
		const text = await looks(`/operations?tab=${tab}`, async () => {
			await sees(".tabs [aria-current]", title)();
			await sees(".note", "This token may not")();
		});
		t.check(`what ${title} may not is said`, /This token may not/.test(text));
		t.same(`buttons of ${title} that would fail`, await page.locator("main").getByRole("button", { name: /Add|Analyze|Rebuild|Embed|Remove|Sync|Delete|Make|Cancel|Revoke|Take out/ }).count(), 0);
	}
	const text = await looks("/connect", sees(".copy"));
	t.check("it cannot make tokens", !/A new token/.test(text) && /yours, or one that/.test(text));
	t.ok("a token that sees one public repository, and may change nothing, in each view");

	// Who may write, but sees one group alone: what is offered works.
	const member = (await t.atoll("token", "create", "--name", "member", "--group", "private-club")).trim();
	const some = await t.open("/operations", { token: member });
	const row = (name) => some.locator("table.rows tbody tr", { hasText: name });
	await row("atoll-shop/orders").getByRole("button", { name: "Analyze" }).click();
	await some.locator(".told .note.ok").waitFor();
	t.same("its repositories", await some.locator("table.rows tbody tr").count(), 2);
	t.same("what it is not offered", await some.locator("main").getByRole("button", { name: /Add|Remove|Make|Delete/ }).count(), 0);
	await t.go(some, "/operations?tab=groups");
	await row("private-club").getByRole("button", { name: "Sync" }).click();
	await some.locator(".told .note.ok", { hasText: "private-club:" }).waitFor();
	t.check("nothing of others", !/users|catalog/.test(await some.locator("main").innerText()));
	t.ok("a token of one group may do what it is offered");
}
