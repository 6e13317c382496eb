// Exact search: lines with all their matches, whatever characters they have; counts that narrow it down; its URL; keyboard only; more pages; what went wrong.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

const W = process.env.W;

/** A repository with texts that are not ASCII, or not even UTF-8, and with enough lines for three pages. */
function texts(folder) {
	mkdirSync(`${folder}/many`, { recursive: true });
	const write = (path, text) => writeFileSync(`${folder}/${path}`, text);
	write("odd.txt", "Größe 🦀🦀 needle 日本語 needle, ende\nnothing here\n");
	write("latin.txt", Buffer.from("na\xefve \xe9\xe8 needle caf\xe9 needle\n", "latin1"));
	write("both.txt", Buffer.concat([Buffer.from("really � "), Buffer.from([0xff]), Buffer.from(" needle\n")]));
	write("long.js", `${"é".repeat(3000)}needle${"ü".repeat(3000)}\n`);
	write("code.py", "def first():\n    a = 1\n    needle = a\n    b = 2\n    return needle\n\n\ndef second():\n    pass\n\n\n\n\nprint('x')\nneedle = 0\n");
	write("data.bin", Buffer.from([0, 1, 2]));
	for (const file of ["a", "b"]) write(`many/${file}.md`, Array.from({ length: 60 }, (_, i) => `row ${i + 1} of ${file}\n`).join(""));
	const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { stdio: "ignore" });
	git("init", "-q", "-b", "main");
	git("remote", "add", "origin", "https://github.com/atoll-texts/odd.git");
	git("add", ".");
	git("commit", "-qm", "texts");
}

export default async function (t) {
	texts(`${W}/texts/odd`);
	await t.call("repo_add", { source: `${W}/texts/odd`, groups: ["texts"] });

	// ---- from a ranked search to an exact one ----
	const page = await t.open("/search?q=orders");
	const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
	const matches = page.locator(".match");
	const settled = (p = page) => p.locator('section.found[aria-busy="false"]').waitFor();
	const shown = (want) => t.until(`${want} lines`, async () => (await matches.count()) === want && (await page.locator('section.found[aria-busy="false"]').count()) === 1);
	const places = (p) => p.locator(".match .open").evaluateAll((all) => all.map((a) => new URL(a.href).searchParams).map((q) => [q.get("repo"), q.get("path"), Number(q.get("line"))]));
	// the lines may be as many as those before, so their number alone says nothing
	const listed = (want) => t.until("the lines that grep finds", async () => JSON.stringify(await places(page)) === JSON.stringify(want.map((m) => [m.repo_uri, m.path, m.line])));
	const answer = await t.call("grep", { group: "shop", pattern: "orders", ignore_case: true, context: 2, limit: 40, fixed_strings: true });
	await page.getByRole("button", { name: "Exact" }).click();
	await settled();
	t.same("the mode is in the URL", asked(), { q: "orders", mode: "exact" });
	t.same("lines are those of grep, in its order", await places(page), answer.matches.map((m) => [m.repo_uri, m.path, m.line]));
	t.check("so is their number", (await page.getByRole("status").allInnerTexts()).some((x) => x.startsWith(`${answer.total} lines in ${answer.files_total} files in `)));
	t.same("each file once", await page.locator(".hit").count(), new Set(answer.matches.map((m) => `${m.repo_uri} ${m.path}`)).size);
	t.same("repositories are headings", await page.locator(".found h2 a").allTextContents(), [...new Set(answer.matches.map((m) => m.repo))]);
	const spans = answer.matches.reduce((n, m) => n + 1 + (m.more?.length ?? 0), 0);
	t.same("every match is marked", await page.locator("mark").count(), spans);
	t.check("as it is", (await page.locator("mark").allTextContents()).every((x) => /^orders$/i.test(x)));
	t.same("how many a file has", (await page.locator(".hit .badge").allTextContents()).reduce((n, x) => n + parseInt(x), 0), spans);
	const numbers = await page.locator(".hit").first().locator(".no").allTextContents();
	t.check("lines around them, each once", new Set(numbers).size === numbers.length && numbers.length > (await page.locator(".hit").first().locator(".match").count()));
	await t.everywhere(page, "exact search");
	t.ok("lines by repository and file, with context and marks");

	// ---- more pages ----
	const moreOf = page.locator("button.more");
	t.same("how many more there are", await moreOf.textContent(), `${answer.total - 40} more`);
	await moreOf.focus();
	await page.keyboard.press("Enter");
	await shown(Math.min(80, answer.total));
	t.same("the keyboard goes on with the first new line", await page.evaluate(() => [...document.querySelectorAll(".match .open")].indexOf(document.activeElement)), 40);
	const second = await t.call("grep", { group: "shop", pattern: "orders", ignore_case: true, context: 2, limit: 40, fixed_strings: true, cursor: answer.next_cursor });
	t.same("the next lines follow", await places(page), [...answer.matches, ...second.matches].map((m) => [m.repo_uri, m.path, m.line]));
	t.ok("more lines by cursor");

	// ---- counts that are filters ----
	const facets = async (label) => Object.fromEntries(await page.locator(".facet", { hasText: label }).getByRole("button").evaluateAll((all) => all.map((b) => [b.childNodes[0].textContent.trim(), Number(b.querySelector("b").textContent)])));
	t.same("counts by repository, of all pages", await facets("Repositories"), Object.fromEntries(answer.by_repo.map((r) => [r.repo, r.lines])));
	t.same("and by language", await facets("Languages"), Object.fromEntries(answer.by_language.map((l) => [l.language ?? "no known language", l.lines])));
	const repo = answer.by_repo.find((r) => r.repo === "atoll-shop/users");
	await page.getByRole("button", { name: /^atoll-shop\/users \d/ }).click();
	await shown(Math.min(40, repo.lines));
	t.same("a repository, in the URL", asked(), { q: "orders", mode: "exact", repo: repo.repo_uri });
	const python = (await facets("Languages")).python;
	await page.getByRole("button", { name: /^python \d/ }).click();
	await shown(Math.min(40, python));
	t.same("a language, in the URL", asked(), { q: "orders", mode: "exact", repo: repo.repo_uri, lang: "python" });
	await t.until("only that", async () => (await places(page)).every(([r, p]) => r === repo.repo_uri && p.endsWith(".py")));
	for (const name of [/^python \d/, /^atoll-shop\/users \d/]) {
		await page.getByRole("button", { name }).and(page.locator('[aria-pressed="true"]')).click();
		await settled();
	}
	await page.waitForFunction(() => !new URL(location.href).searchParams.has("repo"));
	await shown(40);
	t.ok("counts by repository and language narrow it down, and go again");

	// ---- options, and the URL that is shared ----
	await page.getByLabel("Search the code").fill("def [a-z]+_(user|order)s?");
	await page.getByLabel("Typed as").selectOption("text");
	await t.sees(page, "No line matches");
	await page.getByLabel("Typed as").selectOption("re");
	await page.locator(".match").first().waitFor();
	await page.getByLabel("Whole words").check();
	await page.getByLabel("Case").selectOption("yes");
	await page.getByLabel("Lines around").selectOption("0");
	await page.getByLabel("Files").fill("*.py !*test*");
	await page.getByLabel("Files").press("Enter");
	await page.getByLabel("Language").selectOption("python");
	const want = await t.call("grep", { group: "shop", pattern: "def [a-z]+_(user|order)s?", word: true, glob: ["*.py", "!*test*"], languages: ["python"], limit: 40 });
	t.check("there are some", want.total > 0);
	await listed(want.matches);
	t.same("all of it is in the URL", asked(), { q: "def [a-z]+_(user|order)s?", mode: "exact", as: "re", word: "1", case: "yes", context: "0", glob: "*.py !*test*", lang: "python" });
	t.same("without lines around", await page.locator(".line-of:not(.match)").count(), 0);
	const again = await t.open(page.url().slice(t.url.length), { beside: true });
	await again.locator(".match").first().waitFor();
	t.same("the URL can be shared", await places(again), await places(page));
	await page.getByRole("button", { name: "Clear" }).click();
	await page.waitForFunction(() => [...new URL(location.href).searchParams.keys()].sort().join() === "mode,q");
	t.ok("each option is in the URL");

	// ---- what is wrong with a pattern ----
	await t.go(page, "/search?mode=exact&as=re&q=users(");
	const failure = page.locator(".failure");
	await failure.filter({ hasText: "pattern" }).waitFor(); // the one before was about a query
	const said = await failure.innerText();
	t.check(`the error names the column: ${said}`, /INVALID_INPUT/.test(said) && /pattern/.test(said) && /\b6\b/.test(said));
	await t.axe(page, "an error of a pattern");
	await page.getByLabel("Search the code").fill("users()");
	await page.locator(".match").first().waitFor();
	t.same("which is gone with it", await failure.count(), 0);
	t.ok("a pattern that cannot be read is told, with its column");

	// ---- queries ----
	const query = "(order or user) lang:python -file:test";
	await t.go(page, `/search?mode=exact&q=${encodeURIComponent(query)}`);
	const asQuery = await t.call("grep", { group: "shop", query, limit: 40 });
	t.check("a query finds lines", asQuery.total > 0 && asQuery.matches.every((m) => m.path.endsWith(".py")));
	await listed(asQuery.matches);
	await t.go(page, "/search?mode=exact&q=order%20or");
	await failure.filter({ hasText: /query: column \d/ }).waitFor();
	t.same("an error names the column of a query", await failure.count(), 1);
	await t.go(page, "/search?mode=exact&q=lang:python");
	const files = await t.call("grep", { group: "shop", query: "lang:python", limit: 40 });
	await t.sees(page, `${files.files_total} files in`);
	await shown(files.files.length);
	t.ok("queries of texts and filters, and of filters alone, which list files");

	// ---- keyboard alone ----
	await page.getByLabel("Whole words").focus(); // nothing is typed there
	await page.keyboard.press("/");
	await page.keyboard.press("Control+a");
	await page.keyboard.type("user_id");
	await page.waitForFunction(() => [...document.querySelectorAll(".match mark")].some((m) => m.textContent === "user_id"));
	await settled();
	await page.keyboard.press("ArrowDown");
	const at = () => page.evaluate(() => [...document.querySelectorAll(".match")].findIndex((m) => m.contains(document.activeElement)));
	t.same("arrow down from the box", await at(), 0);
	for (const [key, to] of [["ArrowDown", 1], ["j", 2], ["k", 1], ["ArrowUp", 0]]) {
		await page.keyboard.press(key);
		t.same(`after ${key}`, await at(), to);
	}
	await page.keyboard.press("ArrowUp");
	t.same("up from the first line is the box", await page.evaluate(() => document.activeElement.type), "search");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowDown");
	const [, path, line] = (await places(page))[1];
	t.check("a screen reader says the line", (await page.evaluate(() => document.activeElement.getAttribute("aria-label"))).startsWith(`Line ${line}: `));
	await page.keyboard.press("Enter");
	await page.waitForURL(/\/code\?/);
	t.same("Enter opens that line", [new URL(page.url()).searchParams.get("path"), Number(new URL(page.url()).searchParams.get("line"))], [path, line]);
	await page.locator(".row.on").first().waitFor();
	t.ok("the keyboard is enough: / arrows j k Enter");

	// ---- characters ----
	await t.until("the texts are indexed", async () => (await t.call("list_repos", {})).repos.some((r) => r.name === "atoll-texts/odd" && r.status === "ready"));
	await t.go(page, "/search?group=texts&mode=exact&q=needle");
	await page.locator(".hit", { hasText: "odd.txt" }).waitFor();
	const lines = await page.locator(".match").evaluateAll((all) => all.map((x) => [new URL(x.querySelector(".open").href).searchParams.get("path"), x.querySelector("code").textContent, [...x.querySelectorAll("mark")].map((m) => m.textContent)]));
	const of = (path) => lines.filter(([p]) => p === path).map(([, text, marks]) => [text, marks]);
	t.same("beyond ASCII", of("odd.txt"), [["Größe 🦀🦀 needle 日本語 needle, ende", ["needle", "needle"]]]);
	t.same("bytes that are no UTF-8", of("latin.txt"), [["na�ve �� needle caf� needle", ["needle", "needle"]]]);
	t.same("beside the character that stands for them", of("both.txt"), [["really � � needle", ["needle"]]]);
	t.same("a line that is cut", of("long.js").map(([text, marks]) => [/^…é+needleü+$/.test(text), text.length < 2000, marks]), [[true, true, ["needle"]]]);
	t.same("the definitions around lines", await page.locator(".hit", { hasText: "code.py" }).locator(".around").allTextContents(), ["in first", "in needle"]);
	t.same("passages of a file", await page.locator(".hit", { hasText: "code.py" }).locator(".passage").evaluateAll((all) => all.map((p) => [...p.querySelectorAll(".no")].map((a) => Number(a.textContent)))), [[1, 2, 3, 4, 5, 6, 7], [13, 14, 15]]);
	t.same("files without a text", await page.locator("details", { hasText: "without a text to search" }).locator("li").allTextContents(), ["binary: 1 file, 3 B, e.g. data.bin"]);
	await t.size(page, "phone");
	await t.fits(page, "a long line on a phone");
	await t.size(page, "desktop");
	await t.go(page, "/search?group=texts&mode=exact&context=1&as=text&q=row ");
	await shown(40);
	for (const n of [80, 120]) {
		await page.locator("button.more").click();
		await shown(n);
	}
	t.same("no more", await page.locator("button.more").count(), 0);
	t.same("a file that goes on over pages is one", await page.locator(".hit").count(), 2);
	t.same("its lines too", await page.locator(".hit .passage").count(), 2);
	t.ok("marks are where the matches are, whatever the characters");

	// ---- what is missing ----
	const coverage = {
		members: 4, answered: 3, skipped: 0, stale: [], failed: [{ repo_uri: "github.com/atoll-shop/web", code: "NO_INDEX", message: "it is being rebuilt", elapsed_ms: 3 }],
		notes: [{ repo_uri: "github.com/atoll-shop/users", code: "DEADLINE", message: "give the pattern more letters in a row" }], left_out: [{ reason: "too large", files: 2, bytes: 3 << 20, example: "a/big.sql" }],
	};
	const many = Array.from({ length: 50 }, (_, i) => ({ repo: `r${i}`, repo_uri: `git.example/r${i}`, lines: 100 - i, files: 1 }));
	const lacking = await t.open("/search?mode=exact&q=x", { fake: { grep: { matches: answer.matches, total: 4000, files_total: 300, by_repo: many, repos_total: 73, by_language: [{ lines: 9, files: 1 }], languages_total: 1, complete: false, coverage, took_ms: 7 } } });
	await lacking.locator(".note.bad").waitFor();
	const told = await lacking.locator(".note.bad").innerText();
	t.check(`who did not answer, and who not completely: ${told}`, /3 of 4 repositories answered.*atoll-shop\/web ?NO_INDEX ?it is being rebuilt.*atoll-shop\/users ?DEADLINE ?give the pattern more letters/s.test(told) && !told.includes("meaning"));
	await t.sees(lacking, "not completely: there may be more");
	await lacking.getByText("61 more").click();
	await t.sees(lacking, "and 23 with fewer lines");
	await lacking.getByText("2 files without a text to search").click();
	await t.sees(lacking, "too large: 2 files, 3.0 MB, e.g. a/big.sql");
	t.check("no filter for no language", await lacking.getByRole("button", { name: /^no known language/ }).isDisabled());
	await t.axe(lacking, "an incomplete answer");
	t.ok("an incomplete answer says who and what is missing");
	await t.call("repo_remove", { repo_uri: "github.com/atoll-texts/odd" });
	await t.call("group_delete", { group: "texts" });
}
