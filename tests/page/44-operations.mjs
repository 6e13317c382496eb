// Operations: changes to the federation, and undoing them; with a limited token, forbidden actions are not offered.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

const W = process.env.W;

function repository(folder) {
	mkdirSync(folder, { recursive: true });
	writeFileSync(`${folder}/lamp.py`, "def light_the_lamp():\n    return 1\n");
	const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { stdio: "ignore" });
	git("init", "-q", "-b", "main");
	git("add", ".");
	git("commit", "-qm", "a lamp");
}

async function repositories(t) {
	const page = await t.open("/operations");
	const row = (name) => page.locator("table.rows tbody tr", { hasText: name });
	await row("atoll-shop/users").waitFor();
	await t.everywhere(page, "operations");
	await row("atoll-shop/users").getByRole("button", { name: "Rebuild" }).click();
	const told = page.locator(".told .note");
	await told.waitFor();
	t.check("the reason is told", /forced/.test(await told.innerText()));
	await told.getByRole("link").click();
	await page.locator(".log li", { hasText: "done" }).waitFor();
	const states = await page.locator(".log .badge").allInnerTexts();
	t.check(`the log of the job: ${states}`, states[0] === "queued" && states.includes("running") && states.at(-1) === "done");
	await t.everywhere(page, "a job");
	await page.getByLabel("Kind").selectOption("build");
	await page.waitForFunction(() => [...document.querySelectorAll("table.rows tbody tr")].every((r) => r.textContent.startsWith("build")));
	await page.getByLabel("State").selectOption("failed");
	await t.sees(page, "No such job");
	t.ok("a rebuild is a job with a log");

	repository(`${W}/lamp`);
	await t.go(page, "/operations");
	await page.getByText("Add a repository").click();
	await page.locator("[name=source]").fill("not/absolute");
	await page.getByRole("button", { name: "Add", exact: true }).click();
	await page.locator(".told .failure").waitFor();
	await page.locator("[name=source]").fill(`${W}/lamp`);
	await page.getByRole("button", { name: "Add", exact: true }).click();
	await page.locator(".told .note").waitFor();
	const lamp = row("lamp-");
	await lamp.locator(".badge", { hasText: "ready" }).waitFor({});
	const name = (await lamp.locator("a").first().innerText()).trim();
	await lamp.getByRole("button", { name: "Embed" }).click();
	await page.locator(".told .note").waitFor();
	await lamp.getByLabel(`Who may see ${name}`).selectOption("public");
	await page.waitForFunction((n) => document.querySelector(".told .note")?.textContent.includes(`${n} is public`), name);
	t.same("it is public", (await t.call("list_repos", { repo: name })).repos[0].visibility, "public");
	await lamp.getByRole("button", { name: "Remove" }).click();
	const dialog = page.getByRole("dialog");
	t.check("what is lost is named", /its \d+ files? and \d+ definitions?/.test(await dialog.innerText()) && (await dialog.innerText()).includes(name));
	await t.axe(page, "the dialog");
	const yes = dialog.getByRole("button", { name: "Remove it" });
	t.check("not without its name", await yes.isDisabled());
	await page.keyboard.press("Escape");
	await dialog.waitFor({ state: "detached" });
	await lamp.getByRole("button", { name: "Remove" }).click();
	await dialog.getByRole("textbox").fill(name);
	await yes.click();
	await lamp.waitFor({ state: "detached" });
	t.same("it is gone", (await t.call("list_repos", {})).repos.filter((r) => r.name === name), []);
	t.ok("a repository is added, embedded, shown to all, removed");
}

async function groups(t) {
	const page = await t.open("/operations?tab=groups");
	const row = page.locator("table.rows tbody tr", { hasText: "evening" });
	await page.getByText("Make a group").click();
	await page.locator("[name=group]").fill("no good");
	await page.getByRole("button", { name: "Make it" }).click();
	await page.locator(".told .failure").waitFor();
	await page.locator("[name=group]").fill("evening");
	await page.locator("[name=description]").fill("What is open at night");
	await page.locator("[name=repos]").fill("atoll-shop/web, atoll-shop/users");
	await page.getByRole("button", { name: "Make it" }).click();
	await row.waitFor();
	await row.locator("summary").click();
	await row.getByLabel("Add to evening").fill("atoll-shop/orders");
	await row.getByRole("button", { name: "Add" }).click();
	await row.getByRole("button", { name: "Take out atoll-shop/orders of evening" }).click();
	await row.getByRole("button", { name: "Take out atoll-shop/orders of evening" }).waitFor({ state: "detached" });
	await row.getByRole("button", { name: "Sync" }).click();
	await page.waitForFunction(() => /evening: \d+ contract rows? and \d+ links? in/.test(document.querySelector(".told .note")?.textContent ?? ""));
	await t.everywhere(page, "groups");
	await row.getByRole("button", { name: "Delete" }).click();
	await page.getByRole("dialog").getByRole("textbox").fill("evening");
	await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
	await row.waitFor({ state: "detached" });
	t.same("it is gone", (await t.call("group_list", {})).groups.map((g) => g.name), ["shop"]);
	t.ok("a group is made, changed, synced, deleted");
}

async function cancelling(t) {
	const job = { id: "0123456789abcdef", kind: "build", key: "build:x", repo_uri: "github.com/atoll-shop/web", state: "running", cancelled: false, reason: "asked", tries: 1, waits: 0, lost: 0, created_at: "2026-11-22T10:00:00Z", started_at: "2026-11-22T10:00:01Z", phase: "parse", done: 3, total: 12, code: "UNAVAILABLE", message: "the shard was away" };
	const asked = [];
	const page = await t.open("/operations?tab=jobs", {
		fake: { job_list: () => ({ jobs: [{ ...job, cancelled: asked.length > 0 }], total: 1 }), job_cancel: (a) => (asked.push(a), { ...job, cancelled: true }) },
	});
	await t.sees(page, "3 of 12");
	await t.sees(page, "the shard was away");
	t.same("progress", await page.locator("table progress").getAttribute("value"), "3");
	await page.getByRole("button", { name: "Cancel build atoll-shop/web" }).click();
	await t.sees(page, "is being cancelled");
	t.same("what is cancelled", asked, [{ id: job.id }]);
	await page.getByRole("button", { name: /^Cancel/ }).waitFor({ state: "detached" });
	t.ok("a running job is shown as far as it is, and cancelled");
}

/** A coordinator of its own: with the first token every request needs one. */
async function tokens(t) {
	const { url: base } = await t.coordinator();
	const page = await t.open("/operations?tab=tokens", { base });
	await t.sees(page, "No token yet");
	const make = async (name, more) => {
		await page.getByText("Make a token").first().click();
		await page.locator("form [name=name]").fill(name);
		await more?.();
		await page.getByRole("button", { name: "Make it" }).click();
		const box = page.getByRole("region", { name: "The new token" });
		await box.getByText(name).waitFor();
		const secret = await box.locator("pre").innerText();
		await box.getByRole("button", { name: "I have it" }).click();
		await box.waitFor({ state: "detached" });
		await page.getByText("Make a token").first().click();
		return secret.trim();
	};
	const admin = await make("admin");
	await page.getByRole("button", { name: "Revoke admin" }).waitFor();
	t.same("without it nothing is answered", (await fetch(`${base}/api/v1/status`, { method: "POST", body: "{}" })).status, 401);
	t.check("a secret is shown once", !(await page.content()).includes(admin));
	t.check("and is in no URL", !page.url().includes(admin));
	await t.everywhere(page, "tokens");
	const reader = await make("reader", () => page.locator("[name=read_only]").check());
	await page.locator("tr", { hasText: "reader" }).getByText("read only").waitFor();
	t.ok("the first token shuts the others out, and this tab goes on with it");

	for (const [tab, needs] of [["", 2], ["groups", 1], ["tokens", 1], ["jobs", 1]]) {
		const less = await t.open(`/operations?tab=${tab}`, { base, token: reader, beside: true });
		await less.locator(".note").first().waitFor();
		t.same(`${tab || "repositories"}: the right that is needed is told`, await less.locator(".note", { hasText: "may not" }).count(), needs);
		t.same(`${tab || "repositories"}: no button that would fail`, await less.getByRole("button", { name: /^(Add|Remove|Rebuild|Sync|Delete|Make|Revoke)/ }).count(), 0);
		await less.close();
	}
	await page.getByRole("button", { name: "Revoke reader" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Revoke it" }).click();
	await t.sees(page, "reader is revoked");
	t.same("it does not", (await fetch(`${base}/api/v1/status`, { method: "POST", body: "{}", headers: { Authorization: `Bearer ${reader}` } })).status, 401);
	t.ok("a token that may less sees no buttons, and is revoked");
}

export default async function (t) {
	await repositories(t);
	await groups(t);
	await cancelling(t);
	await tokens(t);
}
