// Connect: text to paste, and a token for it.  Sign-in: the token is entered, kept for the tab, and sent only as a header.

async function pastes(t) {
	const page = await t.open("/connect");
	await t.sees(page, `claude mcp add --transport http atoll ${t.url}/mcp`);
	for (const [host, text] of [["Codex", `codex mcp add atoll --url ${t.url}/mcp`], ["Gemini CLI", `gemini mcp add --transport http atoll ${t.url}/mcp`], ["Cursor", '"mcpServers"'], ["VS Code", '"type": "http"'], ["OpenCode", '"oauth": false']]) {
		await page.getByRole("button", { name: host, exact: true }).click();
		await t.sees(page, text);
		if (text.startsWith('"')) JSON.parse(await page.getByRole("region", { name: "Client" }).locator("pre").textContent());
	}
	t.check("the client stands in the URL", page.url().endsWith("/connect?host=OpenCode"));
	await page.reload();
	await t.sees(page, '"oauth": false');
	await t.everywhere(page, "connect");
	t.ok("what to paste into six clients");
}

/** Every request of the page, to look for the token in. */
function wires(page, secret) {
	const told = [];
	page.on("request", (r) => {
		if (r.url().includes(secret) || (r.postData() ?? "").includes(secret)) told.push(`${r.method()} ${r.url()}`);
	});
	return told;
}

async function asks(t) {
	const co = await t.coordinator({ token: true });
	const page = await t.open("/connect", { base: co.url });
	const told = wires(page, co.token);
	await t.sees(page, "Who are you?");
	t.check("nothing is shown without one", !(await page.content()).includes("atoll 0."));
	await t.axe(page, "the token entry");
	await page.getByLabel("Token", { exact: true }).fill("atoll_wrong");
	await page.keyboard.press("Enter");
	await t.sees(page, "This token is not valid");
	await page.getByLabel("Token", { exact: true }).fill(co.token);
	await page.keyboard.press("Enter");
	await t.sees(page, "Bearer <token>");
	t.same("it is in no URL or body", told, []);
	t.same("where it is kept", await page.evaluate(() => [JSON.stringify(localStorage).includes("atoll_"), Object.keys(sessionStorage), document.cookie]), [false, ["atoll.token"], ""]);
	await page.reload();
	await t.sees(page, "Bearer <token>");
	t.ok("a token: asked for, refused, taken, kept for the tab");

	await page.getByRole("textbox", { name: "Name" }).fill("laptop");
	await page.getByRole("button", { name: "Make it" }).click();
	const region = page.getByRole("status", { name: "The new token" });
	const secret = (await region.locator("pre").textContent()).trim();
	t.check("a token is made", /^atoll_[0-9a-f]{40}$/.test(secret));
	await t.sees(page, `Bearer ${secret}`);
	await t.axe(page, "a new token");
	const answer = await fetch(`${co.url}/api/v1/status`, { method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${secret}` }, body: "{}" });
	t.same("it opens the coordinator", answer.status, 200);
	t.same("and may only read", (await answer.json()).rights, []);
	await page.getByRole("textbox", { name: "Name" }).fill("laptop");
	await page.getByRole("button", { name: "Make it" }).click();
	await page.getByRole("alert").getByText("INVALID_INPUT").waitFor();
	t.ok("a token is made and stands in the lines; a name that is taken is refused");

	await page.goto(`${co.url}/`);
	await t.sees(page, "No repository yet");
	await page.evaluate((s) => sessionStorage.setItem("atoll.token", s), secret);
	await page.goto(`${co.url}/connect`);
	await t.sees(page, "Bearer <token>");
	t.same("who may not make one is not asked to", await page.getByRole("form", { name: "New token" }).count(), 0);
	const revoked = await fetch(`${co.url}/api/v1/token_revoke`, { method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${co.token}` }, body: '{"name":"laptop"}' });
	t.same("revoked", revoked.status, 200);
	await t.sees(page, "This token is not valid");
	t.ok("a revoked token ends what it opened");
}

async function first(t) {
	const co = await t.coordinator();
	const page = await t.open("/connect", { base: co.url });
	const other = await t.open("/", { base: co.url, beside: true });
	await t.sees(other, "No repository yet");
	await t.sees(page, "After the first token is created, every request needs one");
	await page.getByRole("textbox", { name: "Name" }).fill("first");
	await page.getByRole("button", { name: "Make it" }).click();
	await page.getByRole("status", { name: "The new token" }).waitFor();
	await t.until("this page goes on with one of its own", () => page.locator(".state.live").count());
	await t.sees(other, "Who are you?");
	t.ok("the first token: this page goes on, others are asked");
}

export default async function (t) {
	await pastes(t);
	await asks(t);
	await first(t);
}
