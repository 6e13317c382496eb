// run.mjs [PATTERN...]: runs the cases of this folder (NN-name.mjs) with the federation at ATOLL_URL, in one browser.  SHOTS=FOLDER takes the
// screenshots of screenshots.mjs instead, PAGE_BENCH=1 the measurements of bench.mjs.  A case is a file whose default export is
// `async (t) => …`; `t` is defined below.
import { chromium } from "playwright-core";
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { isDeepStrictEqual, promisify } from "node:util";

const here = new URL(".", import.meta.url);
const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", here), "utf8");
const url = process.env.ATOLL_URL;
const LIMIT_MS = 100_000; // a machine may have much else to do
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 780 }, small: { width: 760, height: 560 } };

class Failed extends Error {}
const fail = (message) => {
	throw new Failed(message);
};

/** What a page must never do, noted as it does. */
function guard(page, bad, base) {
	page.on("pageerror", (e) => bad.push(`an error of the page: ${e.stack ?? e}`));
	page.on("console", (m) => {
		if (/Content.Security.Policy/i.test(m.text())) bad.push(`a violation of the policy: ${m.text()}`);
	});
	page.on("request", (r) => {
		if (new URL(r.url()).origin !== new URL(base).origin && !r.url().startsWith("data:")) bad.push(`asks elsewhere: ${r.url()}`);
	});
	page.on("dialog", (d) => (bad.push(`a dialog: ${d.message()}`), d.dismiss()));
}

/** In the page: a stream of these events that stays open. */
function playEvents(text) {
	const real = window.fetch;
	window.fetch = (what, init) => {
		if (what !== "/api/v1/events") return real(what, init);
		const body = new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode(text + ":\n\n")) });
		return Promise.resolve(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
	};
}

/**
 * Where a page lives.  What is loaded is kept for the next page, and the browser has one process for all of them: to begin a context anew for each took more
 * than half of the time of all tests.  Nothing that tests look at is kept: the token is the tab's.
 */
const contexts = {};
async function contextOf(t, size, fresh) {
	const kind = size === "phone" ? "phone" : "desktop";
	if (!fresh && contexts[kind]) return contexts[kind];
	const context = await t.browser.newContext({ viewport: sizes[kind], deviceScaleFactor: 1, hasTouch: kind === "phone" });
	context.setDefaultTimeout(LIMIT_MS);
	await context.addInitScript(() => {
		addEventListener("securitypolicyviolation", (e) => console.error(`Content Security Policy: ${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`));
	});
	if (fresh) {
		t.contexts.push(context);
	} else {
		contexts[kind] = context;
		await (await context.newPage()).goto(`${url}/assets/licences.txt`); // the process of all others, which would end with the last of them
	}
	return context;
}

class Tester {
	constructor(browser, name) {
		Object.assign(this, { browser, name, url, bad: [], pages: [], contexts: [], ends: [], steps: 0, since: Date.now() });
	}

	/** One more thing is shown. */
	ok(what) {
		this.steps++;
		console.log(`ok - ${this.name}: ${what} (${((Date.now() - this.since) / 1000).toFixed(1)} s)`);
		this.since = Date.now();
	}
	fail(what) {
		fail(what);
	}
	check(what, holds) {
		if (!holds) fail(what);
	}
	same(what, got, want) {
		if (!isDeepStrictEqual(got, want)) fail(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
	}

	/** `atoll ARGS...`: what it prints. */
	async atoll(...args) {
		return (await promisify(execFile)("atoll", args, { env: process.env, maxBuffer: 64 << 20 })).stdout;
	}
	/** A tool, as ATOLL_TOKEN. */
	async call(tool, args = {}) {
		return JSON.parse(await this.atoll("call", tool, JSON.stringify(args)));
	}

	/** Pids of the programs of this test whose command line has these words. */
	pids(...words) {
		const ours = `XDG_RUNTIME_DIR=${process.env.XDG_RUNTIME_DIR}`;	// what `atoll up` passes on
		return readdirSync("/proc").filter((p) => {
			try {
				const line = readFileSync(`/proc/${p}/cmdline`, "utf8").replaceAll("\0", " ");
				return /^\d+$/.test(p) && words.every((w) => line.includes(w)) && readFileSync(`/proc/${p}/environ`, "utf8").split("\0").includes(ours);
			} catch {
				return false;
			}
		}).map(Number);
	}

	/** SIGSTOP; each of its threads stands still. */
	pause(pid) {
		execFileSync("python3", [`${process.env.ROOT}/tests/pause_process.py`, String(pid)]);
	}

	/** A coordinator alone, of its own: {url, pid, token (with one), stop(), start()}; it comes back at the same address.  `data`: a folder that is there. */
	async coordinator({ token = false, data } = {}) {
		const w = data ?? mkdtempSync(`${process.env.W}/co.`);
		const co = { url: "", token: "", stop: null, start: null };
		if (token) co.token = JSON.parse(execFileSync("atoll", ["token", "create", "--name", "admin", "--data", w, "--json"])).secret;
		let child;
		co.start = async () => {
			const ready = `${w}/url`;
			rmSync(ready, { force: true });
			child = spawn("atoll-coordinator", ["--data", w, "--http", co.url ? new URL(co.url).host : "127.0.0.1:0", "--listen", `ipc://${w}/m.sock`, "--ready-file", ready], { stdio: "ignore" });
			await this.until("the coordinator answers", () => existsSync(ready) && readFileSync(ready, "utf8").trim());
			co.url = readFileSync(ready, "utf8").trim();
		};
		co.stop = async (signal = "SIGTERM") => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const over = new Promise((done) => child.once("exit", done));
			child.kill(signal);
			await over;
		};
		await co.start();
		this.ends.push(() => co.stop("SIGKILL"));
		return co;
	}

	/** Until it holds, at most so long. */
	async until(what, holds, ms = LIMIT_MS) {
		for (const end = Date.now() + ms; Date.now() < end; await new Promise((r) => setTimeout(r, 50))) {
			const v = await holds();
			if (v) return v;
		}
		return fail(`not within ${ms / 1000} s: ${what}`);
	}

	/** Builds of this federation wait, until what it returns is called. */
	hold() {
		const files = execFileSync("find", [process.env.XDG_RUNTIME_DIR, "-path", "*/slots/*"]).toString().trim().split("\n").filter(Boolean);
		if (!files.length) fail("no slots of builds");
		const held = files.map((f) => spawn("flock", ["-x", f, "sleep", "1200"], { stdio: "ignore", detached: true }));
		for (const f of files) while (spawnSync("flock", ["-n", f, "true"]).status === 0) execFileSync("sleep", ["0.05"]); // until it is
		const release = () => {
			for (const h of held.splice(0)) process.kill(-h.pid, "SIGKILL");
		};
		this.ends.push(release);
		return release;
	}

	/**
	 * A page at `path`; those of this test that are open already are closed, but with `beside`: true.  `size`: desktop | phone | small; `dark`; `token`: as entered before; `fake`: answers
	 * of tools, {tool: result | (args) => result}, instead of the coordinator's; `events`: what GET /api/v1/events tells, a list of objects; the first has the repositories and groups
	 * of fake.status, too; `fresh`: true: nothing is kept of what other pages have loaded.
	 */
	async open(path, { size = "desktop", dark = false, token, fake, events, base = url, beside = false, fresh = false } = {}) {
		if (!beside) await this.close();
		const page = await (await contextOf(this, size, fresh)).newPage();
		this.pages.push(page);
		guard(page, this.bad, base);
		if (size === "small") await this.size(page, size);
		if (dark) await page.emulateMedia({ colorScheme: "dark" });
		if (token) await page.addInitScript((t) => sessionStorage.setItem("atoll.token", t), token);
		if (events || fake?.status) {
			const { repos = [], groups = [] } = typeof fake?.status === "function" ? await fake.status({}) : (fake?.status ?? {});
			const told = [{ repos, groups, running: [], queued: 0, ...events?.[0] }, ...(events ?? []).slice(1)];
			await page.addInitScript(playEvents, told.map((e) => `data: ${JSON.stringify(e)}\n\n`).join(""));
		}
		for (const [tool, answer] of Object.entries(fake ?? {}))
			await page.route(`**/api/v1/${tool}`, async (r) => {
				const args = r.request().postDataJSON();
				const body = typeof answer === "function" ? await answer(args) : answer;
				await r.fulfill({ status: !body.error ? 200 : body.error.code === "FORBIDDEN" ? 401 : 400, json: body });
			});
		await page.goto(base + path);
		return page;
	}

	/** Another URL of a page that is there, as a link or the way back leads to it: without loading the page anew. */
	async go(page, path) {
		await page.evaluate((p) => (history.pushState(null, "", p), dispatchEvent(new PopStateEvent("popstate"))), path);
	}

	/** All pages of this test. */
	async close() {
		for (const p of this.pages.splice(0)) {
			if (p.isClosed()) continue;
			await p.unrouteAll({ behavior: "ignoreErrors" });
			await p.close();
		}
	}

	/** Wait for a text anywhere in the page. */
	async sees(page, text) {
		await page.getByText(text).first().waitFor({ state: "visible" });
	}

	/** Nothing that keeps people out who use other means than a mouse and eyes.  `options`: of axe.run. */
	async axe(page, what, options = {}) {
		if (await page.evaluate(() => !window.axe)) await page.evaluate(`${axe};0`); // evaluated as text: no script element, so the policy has nothing against it
		const { violations } = await page.evaluate((o) => window.axe.run(document, { resultTypes: ["violations"], ...o }), options);
		const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
		if (serious.length) fail(`axe, ${what}: ${serious.map((v) => `${v.id} (${v.help}): ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" | ")}`).join("\n")}`);
	}

	/** desktop | phone | small, of a page that is there. */
	async size(page, size) {
		await page.setViewportSize(sizes[size]);
	}

	/** fits() and axe() on a phone and a desktop, dark and light, as which it is left: colours are those of the desktop on the phone, the rest in the dark that of the light. */
	async everywhere(page, what) {
		for (const size of ["phone", "desktop"]) {
			await this.size(page, size);
			await this.fits(page, `${what}, ${size}`);
			if (size === "phone") await this.axe(page, `${what}, phone`, { rules: { "color-contrast": { enabled: false } } });
		}
		for (const colorScheme of ["dark", "light"]) {
			await page.emulateMedia({ colorScheme });
			await this.axe(page, `${what}, ${colorScheme}`, colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {});
		}
	}

	/** Nothing sticks out to the right. */
	async fits(page, what) {
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
		if (wide > 0) fail(`${what} is ${wide} pixels too wide`);
	}

	/** Milliseconds from the navigation until something that `selector` names is painted: of a browser that has nothing kept; the least of some tries, or
	 * the first that is soon `enough`: others may have the machine meanwhile. */
	async paints(path, selector, options = {}, { tries = 5, enough = 0 } = {}) {
		const all = [];
		for (let i = 0; i < tries && !(Math.min(...all) < enough); i++) {
			const page = await this.open("/assets/licences.txt", { ...options, fresh: true });
			await page.addInitScript((s) => {
				const look = () => document.querySelector(s) && (seen.disconnect(), requestAnimationFrame(() => setTimeout(() => (window.painted = performance.now()))));
				const seen = new MutationObserver(look);
				seen.observe(document, { childList: true, subtree: true });
			}, selector);
			await page.goto((options.base ?? url) + path);
			all.push(await (await page.waitForFunction(() => window.painted)).jsonValue());
			await this.close();
			for (const c of this.contexts.splice(0)) await c.close();
		}
		return Math.round(Math.min(...all));
	}

	async end() {
		await this.close().catch(() => undefined);
		for (const c of this.contexts) await c.close().catch(() => undefined);
		for (const e of this.ends) await e();
		if (this.bad.length) fail([...new Set(this.bad)].join("\n"));
		if (!this.steps) fail("it shows nothing");
	}
}

const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing", "--disable-gpu-rasterization", "--renderer-process-limit=1"],
});

async function cases(patterns) {
	let bad = 0;
	for (const file of readdirSync(here).filter((f) => /^\d.*\.mjs$/.test(f)).sort()) {
		if (patterns.length && !patterns.some((p) => file.includes(p))) continue;
		const began = Date.now();
		const t = new Tester(browser, file.replace(/\.mjs$/, ""));
		let error = null;
		try {
			await (await import(new URL(file, here).href)).default(t);
		} catch (e) {
			error = e;
		}
		try {
			await t.end();
		} catch (e) {
			error ??= e;
			if (error !== e) console.log(e.message);
		}
		if (error) {
			bad++;
			console.log(`FAIL: ${t.name}: ${error instanceof Failed ? error.message : error.stack}`);
		}
		console.log(`# ${t.name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
	}
	return bad;
}

async function shots(folder, patterns) {
	const { default: table } = await import(new URL("screenshots.mjs", here).href);
	mkdirSync(folder, { recursive: true });
	for (const { name, path, ready, before, options } of table) {
		if (patterns.length && !patterns.some((p) => name.includes(p))) continue;
		for (const size of ["desktop", "phone"])
			for (const dark of [false, true]) {
				const t = new Tester(browser, name);
				const page = await t.open(typeof path === "function" ? await path(t) : path, { size, dark, ...options });
				if (ready) await page.locator(ready).first().waitFor({ state: "visible" });
				if (before) await before(page, t);
				await page.waitForTimeout(250);
				await page.screenshot({ path: `${folder}/${name}-${dark ? "dark" : "light"}-${size}.png` });
				await t.close();
			}
	}
	console.log(`pictures are in ${folder}`);
	return 0;
}

/** One line for each row of bench.mjs. */
async function bench(patterns) {
	const { default: table } = await import(new URL("bench.mjs", here).href);
	for (const { name, run } of table) {
		if (patterns.length && !patterns.some((p) => name.includes(p))) continue;
		const t = new Tester(browser, name);
		t.ok = () => t.steps++;
		console.log(`bench ${name.padEnd(57)} ${await run(t)}`);
		t.ok();
		await t.end();
	}
	return 0;
}

const patterns = process.argv.slice(2);
const run = process.env.SHOTS ? shots(process.env.SHOTS, patterns) : process.env.PAGE_BENCH ? bench(patterns) : cases(patterns);
const bad = await run.finally(() => browser.close());
process.exit(bad ? 1 : 0);
