// build.mjs: makes site/ of src/, beside itself: hashed names, split by view, each file also as gzip.  No file asks anything of another server.
import { build } from "esbuild";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";

const BUDGET = 400 * 1024; // of all files as gzip
const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const site = join(here, "site");

await rm(site, { recursive: true, force: true });
await mkdir(join(site, "assets"), { recursive: true });
const made = await build({
	absWorkingDir: here,
	entryPoints: ["src/main.tsx", "src/style.css", "src/icon.svg"],
	outdir: "site/assets",
	entryNames: "[name]-[hash]",
	chunkNames: "[name]-[hash]",
	loader: { ".svg": "copy", ".txt": "text" },
	bundle: true,
	splitting: true,
	format: "esm",
	minify: true,
	metafile: true,
	target: ["es2022", "chrome123", "firefox121"],
	supported: { "inline-style": true },
	jsx: "automatic",
	jsxImportSource: "preact",
	legalComments: "none",
	logLevel: "warning",
});

// The name that an entry has got.
const named = (entry) => {
	const found = Object.entries(made.metafile.outputs).find(([, o]) => o.entryPoint === entry || (Object.keys(o.inputs).length === 1 && o.inputs[entry]));
	if (!found) throw new Error(`${entry} was not built`);
	return basename(found[0]);
};
const main = Object.entries(made.metafile.outputs).find(([, o]) => o.entryPoint === "src/main.tsx");
const early = main[1].imports.filter((i) => i.kind === "import-statement").map((i) => `<link rel="modulepreload" href="/assets/${basename(i.path)}">`);
const html = (await readFile(join(here, "src/index.html"), "utf8"))
	.replace("{main}", `/assets/${named("src/main.tsx")}`)
	.replace("{style}", `/assets/${named("src/style.css")}`)
	.replace("{icon}", `/assets/${named("src/icon.svg")}`)
	.replace("{early}", early.join(""));
await writeFile(join(site, "index.html"), html);

// Whose work is in it, with their licences.
const packages = new Set(Object.keys(made.metafile.inputs).map((p) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(p)?.[1]).filter(Boolean));
let licences = "";
for (const name of [...packages].sort()) {
	const folder = join(here, "node_modules", name);
	const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	const file = (await readdir(folder)).find((f) => /^licen[sc]e/i.test(f));
	licences += `${name} ${version} (${license})\n\n${file ? (await readFile(join(folder, file), "utf8")).trim() : ""}\n\n----\n\n`;
}
await writeFile(join(site, "assets/licences.txt"), licences);

let sum = 0;
for (const f of ["index.html", ...(await readdir(join(site, "assets"))).map((f) => `assets/${f}`)]) {
	const zipped = gzipSync(await readFile(join(site, f)), { level: 9 });
	await writeFile(join(site, `${f}.gz`), zipped);
	sum += zipped.length;
}
console.log(`the page: ${(sum / 1024).toFixed(0)} KB gzipped of ${BUDGET / 1024}`);
if (sum > BUDGET) {
	for (const [f, o] of Object.entries(made.metafile.outputs).sort((a, b) => b[1].bytes - a[1].bytes)) console.error(`${o.bytes} ${f}`);
	process.exit(1);
}
