// Search: hits and their repositories, each filter and its URL, keyboard only, members that did not answer.
export default async function (t) {
	const page = await t.open("/search?q=orders");
	const hits = page.locator(".hit");
	const n = (want) => t.until(`${want} results`, async () => (await hits.count()) === want);
	const settled = () => page.locator('section[aria-busy="false"] .hit').first().waitFor();
	const texts = (selector) => page.locator(selector).allTextContents();
	const asked = () => new URL(page.url()).searchParams;

	await settled();
	const answer = await t.call("group_query", { group: "shop", query: "orders" });
	t.same("the order is that of group_query", await page.locator(".hit .hit-head .open").evaluateAll((all) => all.map((a) => new URL(a.href).searchParams).map((p) => [p.get("repo"), p.get("path"), Number(p.get("line"))])), answer.results.map((r) => [r.repo_uri, r.path, r.start_line]));
	t.same("sources and scores", (await texts(".sources"))[0], answer.results[0].sources.join("") + answer.results[0].score.toFixed(3));
	t.check("words are marked", (await texts("mark")).every((m) => /orders?/i.test(m)) && (await page.locator("mark").count()) > 5);
	t.check("tokens are coloured", (await page.locator(".source .t-keyword").count()) > 3);
	t.same("the first line of a snippet", Number((await texts(".hit:first-child .no"))[0]), answer.results[0].snippet_start_line);
	await t.everywhere(page, "search");
	await page.locator("button.more").click();
	await n(40);
	t.ok("results with snippets, sources and scores, and more of them");

	// ---- what only resembles the question ----
	const odd = await t.open("/search?q=qxzvbnwq", { beside: true });
	await odd.locator('section[aria-label="Similar"] .hit').first().waitFor();
	t.same("no result", await odd.locator('section[aria-label="Results"] > ol .hit').count(), 0);
	t.check("and it says so", (await odd.getByText("Nothing fits").count()) === 1 && (await odd.getByText("No result in").count()) === 1);
	const before = await odd.locator(".hit").count();
	await odd.locator("button.more").click();
	await t.until("more similar ones", async () => (await odd.locator('section[aria-label="Similar"] .hit').count()) > before);
	t.ok("what only resembles the question is apart");

	// ---- filters ----
	await page.getByLabel("Kind").selectOption("method");
	await page.waitForFunction(() => [...document.querySelectorAll(".hit-head > .badge")].every((b) => b.textContent === "method"));
	t.same("kind, in the URL", asked().get("kind"), "method");
	await page.getByLabel("Kind").selectOption("");
	await page.getByLabel("Language").selectOption("python");
	await page.waitForFunction(() => document.querySelector(".hit") && [...document.querySelectorAll(".hit .file")].every((a) => /\.py/.test(a.title)));
	await page.getByLabel("Repository", { exact: true }).fill("atoll-shop/users");
	await page.waitForFunction(() => new URL(location.href).searchParams.get("repo") === "github.com/atoll-shop/users");
	await page.getByLabel("Language").selectOption("");
	await page.getByLabel("Path").fill("users/");
	await page.getByLabel("Path").press("Enter");
	await page.waitForFunction(() => document.querySelector(".hit") && [...document.querySelectorAll(".hit .file")].every((a) => a.title.startsWith("users/")));
	t.same("repositories", [...new Set(await texts(".hit-where > a:first-child"))], ["atoll-shop/users"]);
	await page.getByLabel("Match").selectOption("lexical");
	await page.waitForFunction(() => document.querySelector(".hit") && ![...document.querySelectorAll(".sources .badge")].some((b) => b.textContent === "vector"));
	await page.getByLabel("Each").selectOption("file");
	await page.waitForFunction(() => {
		const paths = [...document.querySelectorAll(".hit .file")].map((a) => a.title.split(":")[0]);
		return paths.length > 0 && new Set(paths).size === paths.length;
	});
	const url = page.url();
	t.same("all filters are in the URL", [...new URL(url).searchParams.keys()].sort(), ["by", "mode", "prefix", "q", "repo"]);
	const found = await texts(".hit .file");
	const again = await t.open(url.slice(t.url.length), { beside: true });
	await again.locator(".hit").first().waitFor();
	t.same("the URL can be shared", await again.locator(".hit .file").allTextContents(), found);
	await page.getByRole("button", { name: "Clear" }).click();
	await page.waitForFunction(() => new URL(location.href).search === "?q=orders");
	t.ok("each filter narrows, and is in the URL");

	// ---- where: a group, some repositories, all ----
	const uri = (name) => `github.com/atoll-shop/${name}`;
	const of = async (...names) => page.waitForFunction((want) => {
		const seen = new Set([...document.querySelectorAll('section[aria-busy="false"] .hit-where > a:first-child')].map((a) => a.textContent));
		return seen.size === want.length && want.every((n) => seen.has(n));
	}, names.map((n) => `atoll-shop/${n}`));
	for (const name of ["users", "web"]) await page.getByLabel("Repository", { exact: true }).fill(`atoll-shop/${name}`);
	await of("users", "web");
	t.same("several repositories, in the URL", asked().get("repo"), `${uri("users")},${uri("web")}`);
	const two = await t.call("scope_query", { query: "orders", scope: { type: "repos", repos: [uri("users"), uri("web")] } });
	t.same("as scope_query orders them", await page.locator(".hit .hit-head .open").evaluateAll((all) => all.map((a) => new URL(a.href).searchParams.get("path"))), [...two.results, ...(two.similar ?? [])].map((r) => r.path));
	await page.getByRole("button", { name: "Without atoll-shop/web" }).click();
	await of("users");
	await page.locator(".narrowing select").first().selectOption("all");
	await t.sees(page, "is not permitted here");
	t.check("what would permit it is said", (await page.locator(".failure").innerText()).includes("ALLOW_GLOBAL_SCOPE=true"));
	t.same("all, in the URL", Object.fromEntries(asked()), { q: "orders", scope: "all" });
	await page.locator(".narrowing select").first().selectOption({ label: "shop (4)" });
	await settled();
	t.ok("one repository, several, a group, or all where that is permitted");

	// ---- an answer in words ----
	await page.getByLabel("Search the code").fill("where are orders cancelled?");
	await page.getByRole("button", { name: "Ask" }).click();
	const said = page.getByRole("region", { name: "Answer" });
	await said.getByText(/^tiny read \d+ pieces, see \[1\]\.$/).waitFor();
	t.same("the question is in the URL", [asked().get("ask"), asked().get("q")], ["1", "where are orders cancelled?"]);
	const evidences = (await t.call("ask_code", { query: "where are orders cancelled?", scope: { type: "repos", repos: (await t.call("group_list")).groups[0].members } })).evidences;
	t.same("its evidence", await said.locator(".hit .open").evaluateAll((all) => all.map((a) => [new URL(a.href).searchParams.get("repo"), new URL(a.href).searchParams.get("path")])), evidences.map((e) => [e.repo_uri, e.path]));
	t.same("what it cites", await said.locator(".hit", { hasText: "cited" }).count(), evidences.filter((e) => e.cited).length);
	await said.getByRole("button", { name: /^Evidence 1:/ }).press("Enter");
	t.same("a citation leads to its evidence", await page.evaluate(() => document.activeElement.closest(".hit")?.id), "evidence-1");
	await page.keyboard.press("j");
	t.same("keys go on from there", await page.evaluate(() => document.activeElement.closest(".hit")?.id), "evidence-2");
	await t.axe(page, "an answer");
	await page.getByLabel("Search the code").fill("orders cancelled");
	await page.waitForURL((u) => u.search === "?group=shop&q=orders+cancelled" || !u.searchParams.has("ask"));
	await settled();
	t.ok("a question is answered with its evidence; another one is not asked by typing");

	const dumb = { answer: null, evidences: evidences.slice(0, 2), meta: { llmModel: null, contextsUsed: 0, elapsedMs: 3 }, coverage: answer.coverage, complete: true };
	const mute = await t.open("/search?q=x&ask=1", { beside: true, fake: { ask_code: ({ query }) => (query === "x" ? { ...dumb, hint: "No language model is configured. Start it with --llm-url." } : { ...dumb, failure: { code: "UNAVAILABLE", message: "it is away", hint: "Later." } }) } });
	await t.sees(mute, "Start it with --llm-url.");
	t.same("what an answer would rest on", await mute.locator(".hit").count(), 2);
	await mute.getByLabel("Search the code").fill("why");
	await mute.getByRole("button", { name: "Ask" }).click();
	await t.sees(mute, "No answer: it is away");
	t.same("its evidence is there all the same", await mute.locator(".hit").count(), 2);
	t.ok("without a model, or with one that fails, there is the evidence and why");

	// ---- keyboard alone ----
	await settled();
	await page.locator("main").focus();
	await page.keyboard.press("/");
	await page.keyboard.press("Control+a");
	await page.keyboard.type("get_user");
	await page.waitForFunction(() => /get_user/.test(document.querySelector(".hit .open")?.textContent ?? ""));
	await settled();
	await page.keyboard.press("ArrowDown");
	const at = () => page.evaluate(() => [...document.querySelectorAll(".hit")].findIndex((h) => h.contains(document.activeElement)));
	t.same("arrow down from the box", await at(), 0);
	for (const [key, want] of [["j", 1], ["ArrowDown", 2], ["k", 1], ["ArrowUp", 0]]) {
		await page.keyboard.press(key);
		t.same(`after ${key}`, await at(), want);
	}
	await page.keyboard.press("Enter");
	await page.waitForURL(/\/code\?.*line=/);
	await page.locator(".row.on").first().waitFor();
	t.ok("the keyboard is enough: / arrows j k Enter");

	// ---- who is missing ----
	const pids = t.pids("atoll-shard", "/shop/catalog");
	t.check("catalog's shard runs", pids.length > 0);
	for (const p of pids) t.pause(p);
	try {
		const partial = await t.open("/search?q=product%20stock%20of%20orders");
		await partial.locator(".note.bad").waitFor();
		t.check("the missing one is named with why", /3 of 4 repositories answered.*catalog-[0-9a-f]{6} ?UNAVAILABLE/s.test(await partial.locator(".note.bad").innerText()));
		t.check("the others have answered", (await partial.locator(".hit").count()) > 0);
		await t.axe(partial, "a partial answer");
	} finally {
		for (const p of pids) process.kill(p, "SIGCONT");
	}
	const stale = await t.open("/search?q=x", {
		fake: {
			group_query: {
				...answer, results: [], total: 0, without_vectors: "the embedder is away", complete: true,
				coverage: { members: 4, answered: 4, skipped: 0, failed: [], stale: [{ repo_uri: "github.com/atoll-shop/web", behind: 3 }, { repo_uri: "github.com/atoll-shop/users", behind: -1 }] },
			},
		},
	});
	await t.sees(stale, "Nothing fits");
	const told = await stale.locator(".note").allInnerTexts();
	t.check(`stale ones are told: ${told}`, told.some((x) => x.includes("atoll-shop/web 3 commits behind") && x.includes("unknown number")) && told.some((x) => x.includes("the embedder is away")));
	const lacking = await t.open("/search?q=x", {
		fake: {
			group_query: {
				...answer, results: [], total: 0, complete: false,
				coverage: {
					members: 4, answered: 4, skipped: 0, failed: [], stale: [], partial: [{ repo_uri: "github.com/atoll-shop/web", cause: "corrupt", number: 3, example: "src/a.py" }],
					notes: [{ repo_uri: "github.com/atoll-shop/web", code: "PARTIAL", message: "its index lacks 3 paths" }, { repo_uri: "github.com/atoll-shop/users", code: "LIMIT", message: "its index lacks 1 path (too-large)" }],
				},
			},
		},
	});
	await lacking.locator(".note.bad").waitFor();
	t.check("what cannot be read is named", /atoll-shop\/web ?unreadable ?3 corrupt, e\.g\. src\/a\.py/.test(await lacking.locator(".note.bad").innerText()));
	const rest = (await lacking.locator(".note:not(.bad)").allInnerTexts()).join("\n");
	t.check(`and what is left out: ${rest}`, rest.includes("atoll-shop/users its index lacks 1 path (too-large)") && !rest.includes("Not by meaning"));
	const failed = await t.open("/search?q=x", { fake: { group_query: { error: { code: "INVALID_INPUT", message: "`query`: too long", hint: "Shorten it." } } } });
	await t.sees(failed, "Shorten it.");
	t.ok("partial, stale and failed answers are shown as such");
}
