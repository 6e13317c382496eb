// A hostile repository: its name, paths, code, docs, commit messages and errors are shown as plain text, and no script runs.
// Also awkward files: a binary one, a very long one, a very long line.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

const W = process.env.W;
const NAME = `"><img src=x onerror=pwn()>`;
const CORPUS = [
	`<script>pwn()</script>`,
	`"><svg onload=pwn()>`,
	`' onmouseover='pwn()' autofocus onfocus='pwn()`,
	`javascript:pwn()`,
	`</title></textarea></style><script>pwn()</script>`,
	"${pwn()}{{constructor.constructor('pwn()')()}}",
	`<iframe srcdoc="<script>parent.pwn()</script>">`,
	`<a href="javascript:pwn()">x</a><base href="//evil.example/"><meta http-equiv=refresh content="0;url=//evil.example">`,
	`\u202e<style>@import url(//evil.example)</style>&lt;img src=x onerror=pwn()&gt;`,
];
const PATHS = [`a/<script>pwn()<-script>.py`, `a/"onmouseover="pwn()".py`, `javascript:pwn().js`, `b & <b>/c'd "e"/__proto__.md`, `x?repo=y&path=z#L1.py`];

function hostile(folder) {
	mkdirSync(folder, { recursive: true });
	const write = (path, text) => (mkdirSync(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true }), writeFileSync(`${folder}/${path}`, text));
	const quoted = CORPUS.map((x) => JSON.stringify(x));
	for (const [i, p] of PATHS.entries()) write(p, p.endsWith(".md") ? `# ${CORPUS.join("\n# ")}\n` : `# ${CORPUS.join("\n# ")}\nhostilevalue${i} = [\n    ${quoted.join(",\n    ")},\n]\n`);
	write("doc.py", `def hostilefunction(a):\n    """${CORPUS.join("\n    ").replaceAll("\\", "")}"""\n    return hostilefunction(a)\n\n\nclass constructor:\n    def __proto__(self):\n        return hostilefunction("${"<img src=x onerror=pwn()>"}")\n`);
	write("page.html", `<!doctype html>\n<body onload="pwn()"><img src=x onerror="pwn()">${CORPUS.join("\n")}</body>\n`);
	write("picture.py", Buffer.from([0, 1, 2, 255, 0]));
	write("long.py", Array.from({ length: 30_000 }, (_, i) => (i % 100 ? `VALUE_${i + 1} = ${i + 1}` : `def long_${i + 1}():\n    return ${i}`)).slice(0, 29_000).join("\n"));
	write("wide.js", `const wide = "${"w".repeat(200_000)}";\nconst after = 1;\n`);
	write("empty.py", "");
	write("twice.py", "def lamp():\n    return 1\n\n\ndef both():\n    a = lamp()\n    return a + lamp()  # lamp\n");
	const git = (...args) => execFileSync("git", ["-C", folder, "-c", `user.name=${CORPUS[1]}`, "-c", "user.email=x@example.com", ...args], { stdio: "ignore" });
	git("init", "-q", "-b", "main");
	git("add", ".");
	git("commit", "-qm", CORPUS.join(" "));
}

export default async function (t) {
	const folder = `${W}/hostile/${NAME}`;
	hostile(folder);
	await t.call("repo_add", { source: folder, groups: ["hostile"] });
	let repo;
	for (let i = 0; i < 200 && repo?.status !== "ready"; i++) {
		repo = (await t.call("list_repos", {})).repos.find((r) => r.source?.includes("onerror"));
		if (repo?.status !== "ready") await new Promise((done) => setTimeout(done, 200));
	}
	t.check("it is indexed", repo?.status === "ready");
	const uri = encodeURIComponent(repo.repo_uri);

	// One page for all of the coordinator's own answers; played ones have a page each, after it.
	const own = await t.open("/connect");
	await own.addInitScript(() => (window.pwn = () => (window.pwned = true)));
	const open = async (path, options) => {
		const page = options ? await t.open(path, options) : own;
		if (options) await page.evaluate(() => (window.pwn = () => (window.pwned = true)));
		else await page.goto(t.url + path);
		return page;
	};
	const harmless = async (page, what) => {
		const found = await page.evaluate(() => {
			// hover and focus whatever there is: handlers would run
			for (const e of document.querySelectorAll("main *")) for (const type of ["mouseover", "mouseenter", "focus"]) e.dispatchEvent(new Event(type, { bubbles: type === "mouseover" }));
			const bad = [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on") || a.name === "srcdoc" || (["href", "src", "action"].includes(a.name) && /^\s*(javascript|data:text)/i.test(a.value))));
			const alien = [...document.querySelectorAll("main img, main iframe, main script, main style, main base, main meta, main svg:not([aria-hidden])")];
			return [window.pwned ?? false, bad.map((e) => e.outerHTML.slice(0, 100)), alien.map((e) => e.outerHTML.slice(0, 100))];
		});
		t.same(what, found, [false, [], []]);
	};

	for (const [i, path] of PATHS.entries()) {
		const page = await open(`/code?repo=${uri}&path=${encodeURIComponent(path)}`);
		await page.locator(".row").first().waitFor();
		const text = (await page.locator(".row code").allTextContents()).join("\n");
		t.check(`the text of ${path} is as it is`, CORPUS.every((x) => text.includes(x)));
		await page.locator(".head q").waitFor();
		t.same("and the message of its commit", await page.locator(".head q").getAttribute("title"), CORPUS.join(" ").replaceAll(/\s+/g, " ").slice(0, 200));
		t.check("so is its name", (await page.locator(".crumbs").innerText()).includes(path.split("/").pop().slice(0, 20)));
		await harmless(page, `harm from ${path}`);
		if (i === 0) {
			await page.locator(".crumbs a").first().click();
			await page.locator(".folder").waitFor();
			await harmless(page, "harm from its folder");
		}
	}
	for (const path of ["doc.py&line=1&end=10", "page.html"]) {
		const page = await open(`/code?repo=${uri}&path=${path}`);
		await page.locator(".row .t-name, .row .t-string").first().waitFor();
		await page.locator(".about h2").waitFor();
		await harmless(page, `harm from ${path}`);
	}
	t.ok("hostile paths, code and docs are text");

	for (const q of ["hostilefunction", "script pwn onerror", ...CORPUS.slice(0, 3)]) {
		const page = await open(`/search?group=hostile&q=${encodeURIComponent(q)}`);
		await page.locator(".hit, .empty").first().waitFor();
		await harmless(page, `harm from the search ${q}`);
	}
	for (const path of ["/", "/operations", "/operations?tab=groups", `/operations?tab=jobs&repo=${uri}`, "/code"]) {
		const page = await open(path);
		await page.getByText("onerror").first().waitFor({ state: "attached" });
		await harmless(page, `harm from its name at ${path}`);
	}
	const all = CORPUS.join(" ");
	const error = { error: { code: all, message: all, hint: all } };
	const coverage = { members: 2, answered: 1, skipped: 0, failed: [{ repo_uri: all, code: all, message: all, elapsed_ms: 1 }], stale: [{ repo_uri: all, behind: 2 }], partial: [{ repo_uri: all, cause: all, number: 1, example: all }], notes: [{ repo_uri: all, code: all, message: all }] };
	const hit = { rank: 1, repo_uri: all, repo: all, path: all, start_line: 1, end_line: 2, symbol: all, kind: all, snippet: CORPUS.join("\n"), score: 1, sources: [all], also_in: [{ repo_uri: all, path: all, start_line: 1, end_line: 1 }] };
	const fakes = [
		["/search?q=x", { group_query: error }],
		["/search?q=x&repo=y", { scope_query: { scope: { type: all, repos: [all] }, results: [hit], coverage, complete: false, took_ms: 1, mode: all, without_vectors: all, total: 1 } }],
		["/search?q=x&ask=1", { ask_code: { answer: `${all} [1] \`${all}\` **${CORPUS[0]}**\n\`\`\`\n${all}\n\`\`\``, evidences: [{ repo: all, repo_uri: all, score: 1, path: all, startLine: 1, endLine: 2, snippet: all, symbol: all, cited: true }], meta: { llmModel: all, contextsUsed: 1, elapsedMs: 1 }, coverage, complete: false } }],
		["/search?q=x&ask=1", { ask_code: { answer: null, hint: all, failure: error.error, evidences: [hit].map((h) => ({ ...h, startLine: 1, endLine: 1 })), meta: { llmModel: null, contextsUsed: 0, elapsedMs: 1 }, coverage, complete: false } }],
		["/search?mode=exact&q=x", { grep: error }],
		["/search?mode=exact&q=x", { grep: { matches: [{ repo: all, repo_uri: all, path: all, line: 2, column: 1, length: 4, text: all, before: [all], after: [all], symbol: all }], total: 1, files_total: 1, by_repo: [{ repo: all, repo_uri: all, lines: 1, files: 1 }], by_language: [{ language: all, lines: 1, files: 1 }], coverage: { ...coverage, left_out: [{ reason: all, files: 1, bytes: 1, example: all }] }, complete: false, took_ms: 1 } }],
		["/code?repo=x&path=y", { open_file: error, file_map: error }],
		["/operations?tab=jobs&job=1", { job_list: error, job_show: { id: all, kind: all, key: all, state: "failed", cancelled: false, reason: all, caller: all, tries: 1, waits: 0, lost: 0, created_at: "2026-11-22T10:00:00Z", code: all, message: all, log: [{ at: "2026-11-22T10:00:00Z", state: all, code: all, message: all }] } }],
		["/operations?tab=tokens", { token_list: { tokens: [{ name: all, groups: [all], repos: [all], visibility: "public", read_only: true, created_at: "2026-11-22T10:00:00Z", expires_at: null, last_used_at: null }] } }],
	];
	for (const path of [`/code?repo=${encodeURIComponent(all)}&path=${encodeURIComponent(all)}&line=${encodeURIComponent(all)}`, `/search?q=${encodeURIComponent(all)}&group=${encodeURIComponent(all)}&repo=${encodeURIComponent(all)}&kind=${encodeURIComponent(all)}`, `/operations?tab=${encodeURIComponent(all)}&job=__proto__`]) {
		const page = await open(path);
		await page.locator("main h1, main .empty, main .failure").first().waitFor();
		await harmless(page, `harm from the URL ${path.slice(0, 30)}`);
	}
	for (const [path, fake] of fakes) {
		const page = await open(path, { fake });
		await page.getByText("pwn()").first().waitFor();
		await harmless(page, `harm from an answer at ${path}`);
	}
	t.ok("so are names, errors, answers and URLs");

	const page = await t.open(`/code?repo=${uri}&path=picture.py`);
	await t.sees(page, "A binary file");
	await page.goto(`${t.url}/code?repo=${uri}&path=twice.py&line=7`);
	await page.locator(".about", { hasText: "Calls" }).waitFor();
	t.same("a name that is used again is a link again, but not in a comment", await page.locator(".way").evaluateAll((all) => all.map((a) => a.closest(".row").id)), ["L6", "L7"]);
	await page.goto(`${t.url}/code?repo=${uri}&path=empty.py`);
	await t.sees(page, "An empty file");
	await page.goto(`${t.url}/code?repo=${uri}&path=wide.js`);
	await t.sees(page, "this line is truncated");
	await page.locator("#L2", { hasText: "const after = 1" }).waitFor();
	await t.fits(page, "a very long line");
	await page.goto(`${t.url}/code?repo=${uri}&path=long.py&line=20000`);
	await page.locator("#L20000.on", { hasText: /=|def|return/ }).waitFor();
	t.check("of a long file only some lines are there", (await page.locator(".row").count()) < 600);
	const file = await t.call("open_file", { repo_uri: repo.repo_uri, path: "long.py", startLine: 20000, endLine: 20000 });
	t.same("the right one", await page.locator("#L20000 code").innerText(), file.content.trimEnd());
	await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
	await page.locator(`#L${file.totalLines} code`, { hasText: /=|return/ }).waitFor();
	await page.evaluate(() => scrollTo(0, 0));
	await page.locator("#L1 code", { hasText: "def long_1" }).waitFor();
	await t.fits(page, "a long file");
	t.ok("binary, empty, wide and long files");

	await t.call("repo_remove", { repo_uri: repo.repo_uri });
	await t.call("group_delete", { group: "hostile" });
}
