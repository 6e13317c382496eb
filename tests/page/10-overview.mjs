// Overview: what there is and how it is; it follows what happens, and says when it cannot.
export default async function (t) {
	const page = await t.open("/");
	await page.locator("table.repos tbody tr").nth(3).waitFor();
	t.same("repositories", await page.locator("table.repos tbody tr").count(), 4);
	await t.sees(page, "healthy");
	await t.axe(page, "overview");
	t.ok("four repositories");
}
