// Packages: what a package exports and who uses it; which package of a repository, filters, pages, what may be missing; links there.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { status } from "./fake_answers.mjs";

const W = process.env.W;
const lib = "github.com/atoll-shop/toolkit";
const app = "github.com/atoll-shop/garage";

function repository(name, files) {
	const folder = `${W}/packages/${name}`;
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
		writeFileSync(`${folder}/${path}`, text);
	}
	const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { stdio: "ignore" });
	git("init", "-q", "-b", "main");
	git("remote", "add", "origin", `https://github.com/atoll-shop/${name}.git`);
	git("add", ".");
	git("commit", "-qm", name);
	return folder;
}

const table = (page) => page.getByRole("table", { name: "Exported symbols" });
const symbols = (page) => table(page).locator("tbody td:first-child a.mono").allTextContents();
const shows = (t, page, what, want) => t.until(`${what}: ${want}`, async () => JSON.stringify(await symbols(page)) === JSON.stringify(want), 30_000);

export default async function (t) {
	const idle = Array.from({ length: 60 }, (_, i) => `def idle_${String(i).padStart(2, "0")}():\n    return ${i}\n`).join("\n\n");
	const folders = [
		repository("toolkit", {
			"py/pyproject.toml": '[project]\nname = "toolkit"\nversion = "2.0"\n',
			"py/src/toolkit.py": "class Engine:\n    def start(self):\n        return 1\n\n\nclass Wheel:\n    pass\n",
			"many/pyproject.toml": '[project]\nname = "toolkit-many"\nversion = "1.0"\n',
			"many/many.py": idle,
		}),
		repository("garage", {
			"pyproject.toml": '[project]\nname = "garage"\ndependencies = ["toolkit>=2"]\n',
			"car.py": "from toolkit import Engine\n\n\ndef go():\n    return Engine().start()\n",
		}),
	];
	for (const source of folders) await t.call("repo_add", { source, groups: ["parts"] });
	await t.until("they are indexed", async () => (await t.call("list_repos")).repos.filter((r) => [lib, app].includes(r.repo_uri) && r.status === "ready").length === 2);
	await t.atoll("group", "sync", "parts");

	const page = await t.open(`/code?repo=${lib}`);
	await page.getByRole("link", { name: "Who uses its packages" }).click();
	await page.getByRole("table", { name: "Packages" }).waitFor();
	t.same("the packages", await page.getByRole("table", { name: "Packages" }).locator("tbody td:first-child").allTextContents(), ["toolkit-many", "toolkit"]);
	await t.everywhere(page, "packages of a repository");
	await page.getByRole("link", { name: "toolkit", exact: true }).focus();
	await page.keyboard.press("Enter");
	await shows(t, page, "unused ones first", ["Wheel", "Engine.start", "Engine"]);
	t.same("the package is in the URL", Object.fromEntries(new URL(page.url()).searchParams), { repo: lib, ecosystem: "pypi", folder: "py" });
	await t.sees(page, "without known uses in other repositories");
	await t.sees(page, "these are all uses of the symbols below");
	t.same("how often, and by whom", await table(page).locator("tbody tr").evaluateAll((all) => all.map((r) => [...r.querySelectorAll("td")].slice(2).map((d) => d.innerText.trim()))), [["0", "nobody"], ["1", "atoll-shop/garage 1"], ["2", "atoll-shop/garage 2"]]);
	await t.everywhere(page, "symbols of a package");
	t.ok("a repository's packages, and each exported symbol of one with its users");

	await page.getByRole("searchbox", { name: "Symbol" }).focus();
	await page.keyboard.type("engine.");
	await shows(t, page, "by a text", ["Engine.start"]);
	await page.getByRole("searchbox", { name: "Symbol" }).fill("");
	await shows(t, page, "all again", ["Wheel", "Engine.start", "Engine"]);
	await page.getByLabel("Unused only").focus();
	await page.keyboard.press("Space");
	await shows(t, page, "unused ones", ["Wheel"]);
	await page.getByLabel("Kind").selectOption("macro");
	await t.sees(page, "Nothing fits");
	await page.getByRole("button", { name: "Clear the filters" }).click();
	await shows(t, page, "without filters", ["Wheel", "Engine.start", "Engine"]);
	await page.goBack();
	await t.sees(page, "Nothing fits");
	t.same("filters stand in the URL", [new URL(page.url()).searchParams.get("kind"), new URL(page.url()).searchParams.get("unused")], ["macro", "1"]);
	t.ok("filters by text, kind and use, with the keyboard alone");

	await t.go(page, `/packages?repo=${lib}&ecosystem=pypi&folder=py`);
	await page.getByRole("link", { name: "Engine", exact: true }).click();
	await page.waitForURL(/code\?.*toolkit\.py&line=1/);
	await page.locator(".about").getByRole("link", { name: /car\.py:5/ }).first().click();
	await page.waitForURL(/garage.*car\.py/);
	const word = page.locator("#L5 .way", { hasText: "start" });
	await word.waitFor();
	t.same("what is defined elsewhere", new URL(await word.evaluate((a) => a.href)).searchParams.get("repo"), lib);
	await word.focus();
	await page.keyboard.press("Enter");
	await page.waitForURL(/toolkit\.py&line=2/);
	t.ok("a symbol leads to its code, that to its uses, and a word of these back to its definition");

	await t.go(page, `/packages?repo=${lib}&ecosystem=pypi&folder=many`);
	await t.until("a page", async () => (await symbols(page)).length === 40);
	await page.getByRole("button", { name: "20 more" }).click();
	await t.until("all of them", async () => (await symbols(page)).length === 60);
	t.same("each once, in order", await symbols(page), Array.from({ length: 60 }, (_, i) => `idle_${String(i).padStart(2, "0")}`));
	t.ok("pages go on to the end");

	const answer = await t.call("package_api", { repo: lib, folder: "py" });
	const open = (fake) => t.open(`/packages?repo=${lib}&ecosystem=pypi&folder=py`, { fake: { package_api: fake } });
	let other = await open({ ...answer, complete: false, epistemic: "lower-bound", reasons: ["the uses in github.com/acme/gone are not known: no answer"], coverage: { members: 2, answered: 1, skipped: 0, stale: [], failed: [{ repo_uri: "github.com/acme/gone", code: "UNAVAILABLE", message: "no answer", elapsed_ms: 2 }] }, symbols: answer.symbols.map((s) => ({ ...s, unclear: 3, consumers: Array.from({ length: 9 }, (_, i) => ({ repo_uri: `git.example/user-${i}`, uses: 9 - i })) })) });
	await t.sees(other, "There may be more uses than shown.");
	await t.sees(other, "the uses in github.com/acme/gone are not known");
	t.check("unclear ones are told", (await table(other).innerText()).includes("3 unclear"));
	await other.locator("td summary", { hasText: "3 more" }).first().click();
	await other.getByRole("link", { name: "git.example/user-8" }).first().waitFor();
	await t.everywhere(other, "a lower bound");
	other = await open({ ...answer, symbols: [], total: 0, unused: 0 });
	await t.sees(other, "It exports nothing");
	other = await open({ error: { code: "SCHEMA_MISMATCH", message: "the shard of atoll-shop/toolkit is of an older version of atoll, which has no `exports`", hint: "Upgrade atoll on its host and restart the shard." } });
	await t.sees(other, "which has no `exports`");
	await t.sees(other, "Upgrade atoll on its host");
	let asked = 0;
	other = await open((args) => (args.cursor ? { error: { code: "INVALID_INPUT", message: "cursor: it is of another list" } } : { ...answer, total: 9 + asked++, next_cursor: "AAAA" }));
	await other.getByRole("button", { name: "6 more" }).click();
	await t.sees(other, "it is of another list");
	await other.getByRole("button", { name: "Try again" }).click();
	await shows(t, other, "from the beginning", ["Wheel", "Engine.start", "Engine"]);
	const none = await t.open("/packages");
	await none.getByRole("searchbox", { name: "Filter repositories" }).fill("toolkit");
	await none.getByRole("link", { name: "atoll-shop/toolkit" }).click();
	await none.getByRole("table", { name: "Packages" }).waitFor();
	await t.sees(await t.open("/packages", { fake: { status: status([]) } }), "No repository yet");
	t.ok("a lower bound with its reasons, nothing exported, an old shard, a list that has changed, no repository yet");

	for (const r of [lib, app]) await t.call("repo_remove", { repo_uri: r });
	await t.atoll("group", "delete", "parts").catch(() => undefined);
}
