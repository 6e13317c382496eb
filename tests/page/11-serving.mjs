// How the page is served: names, content types, compression, caching, protection against scripts; and its size.
import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";

const BUDGET = 400 * 1024;

function ask(base, path, { method = "GET", headers = {} } = {}) {
	return new Promise((done, fail) => {
		const r = request(new URL(path, base), { method, headers }, (res) => {
			const parts = [];
			res.on("data", (p) => parts.push(p));
			res.on("end", () => done({ status: res.statusCode, headers: res.headers, body: Buffer.concat(parts) }));
		});
		r.on("error", fail);
		r.end();
	});
}

export default async function (t) {
	const get = (path, more) => ask(t.url, path, more);
	const zipped = { headers: { "Accept-Encoding": "br, gzip;q=0.8" } };
	const views = [...readFileSync(`${process.env.ROOT}/coordinator/web/src/views.ts`, "utf8").matchAll(/path: "([^"]+)"/g)].map((m) => m[1]);
	t.check("there are views", views.length >= 2);
	const index = await get("/");
	for (const path of [...views, "/?q=x", "/connect?host=Codex"]) {
		const r = await get(path);
		t.same(`status of ${path}`, r.status, 200);
		t.check(`${path} is the page`, r.body.equals(index.body));
		t.same("kind", r.headers["content-type"], "text/html; charset=utf-8");
	}
	t.ok("each view of views.ts has its path");

	const h = index.headers;
	const policy = h["content-security-policy"];
	for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]) t.check(`the policy has ${rule}`, policy.split("; ").includes(rule));
	t.check("nothing unsafe in it", !/unsafe|\*|https?:/.test(policy));
	t.same("more headers", [h["x-content-type-options"], h["x-frame-options"], h["referrer-policy"], h["cache-control"]], ["nosniff", "DENY", "no-referrer", "no-cache"]);
	t.check("no script and no style in the page itself", !/<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=/i.test(index.body.toString()));
	t.ok("headers");

	// Everything that the page can load, found in what it loads.
	const seen = new Set(["/", "/assets/licences.txt"]);
	let sum = 0;
	for (const path of seen) {
		const r = await get(path, zipped);
		const plain = await get(path);
		t.same(`${path}`, [r.status, plain.status, r.headers["content-encoding"], plain.headers["content-encoding"]], [200, 200, "gzip", undefined]);
		t.check(`${path} is the same, compressed or not`, gunzipSync(r.body).equals(plain.body));
		t.same(`${path} varies`, r.headers.vary, "Accept-Encoding");
		if (path.startsWith("/assets/")) t.same("kept", r.headers["cache-control"], "public, max-age=31536000, immutable");
		t.check("not the same tag", r.headers.etag && r.headers.etag !== plain.headers.etag);
		const again = await get(path, { headers: { "If-None-Match": plain.headers.etag } });
		t.same(`${path} is known`, [again.status, again.body.length, again.headers.etag], [304, 0, plain.headers.etag]);
		const head = await get(path, { method: "HEAD" });
		t.same(`HEAD ${path}`, [head.status, head.body.length, head.headers["content-length"]], [200, 0, String(plain.body.length)]);
		sum += r.body.length;
		for (const [, name] of plain.body.toString().matchAll(/[/"'.]([\w.-]+-[A-Z0-9]{8}\.(?:js|css|svg))/g)) seen.add(`/assets/${name}`);
	}
	t.check(`${seen.size} files have been found`, seen.size >= 6);
	t.check(`${sum} bytes gzipped of ${BUDGET}`, sum < BUDGET);
	t.same("who does not want gzip", (await get("/", { headers: { "Accept-Encoding": "gzip;q=0" } })).headers["content-encoding"], undefined);
	t.ok(`${seen.size} files, ${(sum / 1024).toFixed(0)} KB gzipped of ${BUDGET / 1024}`);

	for (const path of ["/nothing", "/assets/", "/assets/none.js", "/assets/../index.html", "/assets/..%2findex.html", "/assets/main.js.gz", "/index.html", "/graph/", "/api/v1", "/.well-known/openid-configuration"]) {
		const r = await get(path);
		t.same(`${path}`, [r.status, r.headers["content-type"], JSON.parse(r.body).error.code], [404, "application/json", "NOT_FOUND"]);
	}
	const post = await get("/", { method: "POST" });
	t.same("POST /", [post.status, post.headers.allow], [405, "GET"]);
	for (const headers of [{ Host: "evil.example" }, { Origin: "https://evil.example" }]) t.same(`${JSON.stringify(headers)}`, (await get("/", { headers })).status, 403);
	t.ok("what there is not is JSON, who may not ask is refused");
}
