// Overview: repositories and their state; it updates live, and says when it cannot.
import { execFileSync } from "node:child_process";
import { freshness, hostile, repo, status } from "./fake_answers.mjs";

const row = (page, name) => page.locator("table.repos tbody tr", { hasText: name });

async function shows(t) {
	const page = await t.open("/");
	await row(page, "atoll-shop/web").waitFor();
	t.same("repositories", await page.locator("table.repos tbody tr").count(), 4);
	await t.until("all are healthy", async () => (await page.getByText("healthy", { exact: true }).count()) === 4);
	await t.until("the connection state is shown", async () => (await page.locator(".state").textContent()) === "live");
	await t.everywhere(page, "overview");
	t.ok("four repositories, healthy, on phone and desktop, light and dark");

	await page.getByRole("searchbox", { name: "Filter repositories" }).fill("orders");
	await t.until("one is left", async () => (await page.locator("table.repos tbody tr").count()) === 1);
	t.check("the filter stands in the URL", page.url().endsWith("/?q=orders"));
	await t.go(page, "/?q=nothing-such");
	await t.sees(page, "None of them");
	await page.goto(`${t.url}/?group=shop`);
	await row(page, "atoll-shop/web").waitFor();
	t.same("the group of the URL", await page.getByRole("combobox", { name: "Group" }).inputValue(), "shop");
	await page.getByRole("button", { name: "Symbols" }).click();
	await t.until("sorted by symbols", async () => (await page.locator("table.repos tbody td.number").nth(1).textContent()) === "53");
	t.ok("filters and order, from and in the URL");
}

async function isQuick(t) {
	const ms = await t.paints("/", "table.repos td", {}, { tries: 20, enough: 500 });
	t.check(`the first rows are painted after ${ms} ms, and 500 are allowed`, ms < 500);
	t.ok(`painted after ${ms} ms`);
}

async function follows(t) {
	const page = await t.open("/");
	await row(page, "atoll-shop/users").waitFor();
	const release = t.hold();
	const git = (...args) => execFileSync("git", ["-C", `${process.env.W}/shop/users`, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);
	git("commit", "-q", "--allow-empty", "-m", "one more");
	await row(page, "atoll-shop/users").getByText("1 commit behind").waitFor();
	await page.getByRole("link", { name: /behind their branches/ }).getByText("1", { exact: true }).waitFor();
	await page.getByRole("region", { name: "Jobs" }).locator("progress").first().waitFor();
	t.ok("a stale one, and that it is being built");
	release();
	const head = git("rev-parse", "--short=8", "HEAD").toString().trim();
	await row(page, "atoll-shop/users").getByText(head).waitFor();
	await page.getByRole("region", { name: "Jobs" }).waitFor({ state: "detached" });
	t.ok("the new index, without a reload");
}

async function dies(t) {
	const page = await t.open("/?state=");
	await row(page, "atoll-shop/orders").waitFor();
	const [shard] = t.pids("atoll-shard", "/shop/orders");
	t.pause(shard);
	try {
		await row(page, "atoll-shop/orders").getByText("down", { exact: true }).waitFor();
		await row(page, "atoll-shop/orders").locator("small", { hasText: "ago" }).waitFor(); // why, and since when
		await page.getByRole("button", { name: "Down 1" }).click();
		await t.until("only that one is left", async () => (await page.locator("table.repos tbody tr").count()) === 1);
		await t.axe(page, "a dead shard");
		t.ok("a dead shard, why and since when");
	} finally {
		process.kill(shard, "SIGCONT");
	}
	await page.goto(t.url);
	await row(page, "atoll-shop/orders").getByText("healthy", { exact: true }).waitFor();
	t.ok("and that it is back");
}

async function isLost(t) {
	const page = await t.open("/");
	await row(page, "atoll-shop/web").waitFor();
	// Both may be over before one looks.
	await page.evaluate(() => {
		window.told = {};
		new MutationObserver(() => {
			if (document.querySelector(".banner.bad[role=alert]")?.textContent.includes("has been unreachable since")) window.told.lost = document.querySelectorAll("table.repos tbody tr").length;
			if (document.querySelector(".banner.ok")?.textContent === "The coordinator is back.") window.told.back = true;
		}).observe(document.body, { childList: true, subtree: true });
	});
	const [pid] = t.pids("atoll-coordinator", process.env.W + "/data");
	process.kill(pid, "SIGSTOP"); // so that it is not back at once
	process.kill(pid, "SIGKILL");
	await t.until("it is told that it is lost, what was known is still shown, and that it is back", () => page.evaluate(() => window.told.lost === 4 && window.told.back));
	await row(page, "atoll-shop/web").getByText("healthy", { exact: true }).waitFor();
	await t.until("the state is live", async () => (await page.locator(".state").textContent()) === "live");
	t.ok("a lost coordinator, and that it is back");
}

async function isEmpty(t) {
	const co = await t.coordinator();
	const page = await t.open("/", { base: co.url });
	await t.sees(page, "No repository yet");
	await t.sees(page, "atoll repo add");
	await t.everywhere(page, "an empty registry");
	t.ok("an empty registry says what fills it");
}

async function holdsMany(t) {
	const all = Array.from({ length: 1000 }, (_, i) => repo(i, i === 77 ? { health: "down", reason: "no answer for 9 s", since: new Date().toISOString() } : i === 999 ? { atoll_yaml: "atoll.yaml:2: no such key", vectors_reason: "UNAVAILABLE: no embedder", freshness: freshness(999, { gaps: [{ cause: "shallow", number: 1 }, { cause: "too-large", number: 2, example: "big.sql" }] }) } : {}));
	const page = await t.open("/", { fake: { status: status(all) } });
	await row(page, "org/service-0000").waitFor();
	t.check("what is down stands first", (await page.locator("table.repos tbody tr").first().textContent()).includes("service-0077"));
	t.check("not all rows at once", (await page.locator("table.repos tbody tr").count()) <= 200);
	await page.getByRole("searchbox").fill("service-0999");
	await t.until("found", async () => (await page.locator("table.repos tbody tr").count()) === 1);
	const told = await row(page, "service-0999").textContent();
	t.check("what is wrong with a healthy one is told", told.includes("atoll.yaml:2: no such key") && told.includes("found only by words: UNAVAILABLE: no embedder"));
	t.check("and what its index lacks", told.includes("lacks 1 shallow") && told.includes("lacks 2 too-large, e.g. big.sql"));
	await page.getByRole("searchbox").fill("");
	await t.until("all again", async () => (await page.locator("table.repos tbody tr").count()) > 50);
	await t.until("the last row comes into sight", async () => {
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
		return (await page.locator("table.repos tbody tr").count()) === 1000;
	});
	t.ok("1,000 repositories");
}

async function takesNames(t) {
	const all = hostile.map((h, i) => repo(i, { name: h, repo_uri: `git.example/${h}`, groups: [h], health: "down", reason: h, since: h, conflict: h, atoll_yaml: h, vectors_reason: h, freshness: freshness(i, { gaps: [{ cause: h, number: 1, example: h }] }), status: "failed", indexing: { status: "failed", last_error: h } }));
	all.push(repo(50, { name: `${"very/".repeat(30)}long`, groups: ["g".repeat(200)] }));
	const page = await t.open("/", { fake: { status: status(all) } });
	for (const size of ["phone", "desktop"]) {
		await t.size(page, size);
		await page.evaluate(() => (window.pwned = (n) => (window.scripted = n)));
		await row(page, "<script>pwned(2)</script>").first().waitFor();
		await page.waitForTimeout(300);
		t.same("scripted by", await page.evaluate(() => window.scripted), undefined);
		t.same("elements out of names", await page.locator("main img, main iframe, main script").count(), 0);
		await t.fits(page, `overview with long names, ${size}`);
	}
	t.ok("names that would script it, and long ones");
}

async function byKeys(t) {
	const page = await t.open("/");
	await row(page, "atoll-shop/web").waitFor();
	await page.keyboard.press("Tab");
	t.same("first is the way past the frame", await page.evaluate(() => document.activeElement.textContent), "To the content");
	await page.keyboard.press("Enter");
	t.same("it leads to the content", await page.evaluate(() => document.activeElement.id), "main");
	await page.keyboard.press("/");
	await page.keyboard.type("catalog");
	await t.until("filtered", async () => page.url().endsWith("/?q=catalog") && (await page.locator("table.repos tbody tr").count()) === 1);
	for (let i = 0; i < 20 && !(await page.evaluate(() => document.activeElement.matches("table.repos a"))); i++) await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await t.until(`the repository is opened, from ${await page.evaluate(() => document.activeElement.outerHTML)}`, () => page.url().includes("/code?repo="));
	await page.goBack();
	await t.until("and back", () => page.url().endsWith("/?q=catalog"));
	t.ok("by keyboard alone");
}

export default async function (t) {
	await shows(t);
	await isQuick(t);
	await byKeys(t);
	await follows(t);
	await dies(t);
	await isEmpty(t);
	await holdsMany(t);
	await takesNames(t);
	await isLost(t);
}
