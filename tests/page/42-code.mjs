// Code: a file with its lines, outline, callers, callees and its link to the forge.
const users = "github.com/atoll-shop/users";

export default async function (t) {
	const page = await t.open(`/code?repo=${users}&path=users/app.py`);
	await page.locator(".about h2").waitFor();
	const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
	const file = await t.call("open_file", { repo_uri: users, path: "users/app.py" });
	t.same("the text is the file's", (await page.locator(".row code").allTextContents()).join("\n"), file.content.replace(/\n$/, ""));
	t.check("with tokens", (await page.locator(".row .t-keyword").count()) > 10 && (await page.locator(".row .t-string").count()) > 10);
	t.same("the outline", (await page.locator(".outline .name").allTextContents()).slice(0, 4), ["app", "store", "list_users", "create_user"]);
	await t.until("the file's contracts, without a line chosen", async () => (await page.locator(".about .contract").allTextContents()).includes("GET /users/{}"));

	await page.locator(".outline").getByText("get_user", { exact: true }).click();
	await page.waitForURL(/line=27&end=33/);
	await t.until("its lines are chosen", async () => (await page.locator(".row.on").count()) === 7);
	const about = page.locator(".about");
	await about.locator(".some").first().waitFor();
	await t.everywhere(page, "lines of a file");
	await t.until("what it calls", async () => (await about.innerText()).includes("UserStore.get"));
	t.same("who calls its route", await about.locator(".some").first().locator("a").evaluateAll((all) => all.map((a) => new URL(a.href).searchParams.get("repo"))).then((x) => [...new Set(x)].filter((r) => !r.startsWith("local:"))), ["github.com/atoll-shop/orders", "github.com/atoll-shop/web"]);
	const forge = page.getByRole("link", { name: "Open on GitHub" });
	t.same("the forge, at the indexed commit", await forge.getAttribute("href"), `https://${users}/blob/${file.freshness.commit}/users/app.py#L27-L33`);
	t.check("which learns nothing", /noreferrer/.test((await forge.getAttribute("rel")) ?? ""));
	await about.getByRole("link", { name: /accounts\.ts/ }).click();
	await page.waitForURL(/atoll-shop%2Fweb.*accounts\.ts/);
	await page.locator(".row.on").waitFor();
	t.check("the other end is in sight", await page.locator(".row.on").evaluate((r) => r.getBoundingClientRect().top > 0 && r.getBoundingClientRect().bottom < innerHeight));
	await page.goBack();
	await page.waitForURL(/users%2Fapp\.py|users\/app\.py/);
	t.ok("a file with outline, callees, and callers over repositories");

	await page.locator("#L30 .way", { hasText: "get" }).click();
	await page.waitForURL(/store\.py/);
	await page.locator(".row.on").first().waitFor();
	await t.until("a name leads to its definition", async () => /def get/.test(await page.locator(".row.on").first().innerText()));
	await t.until("which says who calls it", async () => (await page.locator(".about").innerText()).includes("get_user"));
	await page.locator("#L3 .no").click();
	await page.waitForURL(/line=3$/);
	await page.locator("#L5 .no").click({ modifiers: ["Shift"] });
	await page.waitForURL(/line=3&end=5/);
	await page.locator("main").focus();
	await page.locator("#L5.on").waitFor();
	await page.keyboard.press("j");
	await page.waitForURL(/line=4$/);
	await page.locator("#L4.on").waitFor(); // keys go on from what is shown
	await page.keyboard.press("k");
	await page.waitForURL(/line=3$/);
	await page.locator("#L3.on").waitFor();
	await page.keyboard.press("Escape");
	await page.waitForURL(/store\.py$/);
	t.ok("names, line numbers and keys lead from line to line");

	await page.locator(".crumbs a").last().click();
	await page.locator(".folder").waitFor();
	t.same("a folder", await page.locator(".folder a").allInnerTexts().then((x) => x.map((s) => s.trim())), ["__init__.py", "app.py", "neighbours.py", "passwords.py", "store.py"]);
	await page.locator(".crumbs a").first().click();
	await page.locator(".folder", { hasText: "README.md" }).waitFor();
	t.same("folders come first", (await page.locator(".folder a").allInnerTexts()).map((s) => s.replace(/[^\w./]/g, "")).slice(0, 3), ["deploy/", "tests/", "users/"]);
	t.same("the repository is in the URL", asked().repo, users);
	await t.axe(page, "a folder");

	const local = (await t.call("list_repos", {})).repos.find((r) => r.repo_uri.startsWith("local:"));
	const named = await t.open(`/code?repo=${local.name}&path=main.go`, { beside: true });
	await named.locator(".row").first().waitFor();
	t.same("a name is as good as the handle", new URL(named.url()).searchParams.get("repo"), local.repo_uri);
	t.same("no forge for a repository of this machine", await named.getByText("Open on").count(), 0);
	for (const [path, text] of [["users/none.py", "There is no such file"], ["../../etc/passwd", "is not a path inside"]]) {
		await t.go(page, `/code?repo=${users}&path=${encodeURIComponent(path)}`);
		await t.sees(page, text);
	}
	await t.go(page, `/code?repo=${users}&path=users/app.py&line=5000`);
	await t.sees(page, "There is no line 5,000");
	await t.go(page, "/code?repo=github.com/nobody/none&path=x.py");
	await page.locator(".empty, .failure").first().waitFor();
	await t.go(page, "/code");
	await page.getByRole("link", { name: "atoll-shop/web" }).waitFor();
	const status = await t.call("status");
	status.repos.find((r) => r.repo_uri === users).freshness.commit = "feed".repeat(10);
	const late = await t.open(`/code?repo=${users}&path=users/app.py`, { fake: { status } });
	await t.sees(late, "Another commit has been indexed since, feedfeedfe.");
	const asked_again = late.waitForRequest((r) => r.url().endsWith("/open_file"));
	await late.getByRole("button", { name: "Show it" }).click();
	await asked_again;
	t.ok("a newer index is told, and shown when it is wanted");

	const older = { error: { code: "SCHEMA_MISMATCH", message: "the shard of atoll-shop/users is of an older version of atoll, which has no `file_map`", hint: "Upgrade atoll on its host." } };
	const old = await t.open(`/code?repo=${users}&path=users/app.py`, { fake: { file_map: older } });
	await t.sees(old, "Without outline and callers: the shard of atoll-shop/users is of an older version");
	t.same("its lines are there", await old.locator(".row").count(), file.totalLines);
	await old.locator(".crumbs a").first().click();
	await t.sees(old, "Upgrade atoll on its host.");
	await old.getByRole("link", { name: "Search atoll-shop/users for files" }).click();
	await old.waitForURL((u) => u.pathname === "/search" && u.searchParams.get("repo") === users);
	t.ok("folders, local repositories, what is not there, and a shard that is too old");

}
