// The measurements of `make bench BENCH=page`: name, and run: async (t) => the printed value.
import { largeFederation } from "./large_federation.mjs";
import { repo, status } from "./fake_answers.mjs";

const many = status(Array.from({ length: 1000 }, (_, i) => repo(i)));

export default [
	{ name: "page: Overview painted, 4 repositories, ms (500)", run: (t) => t.paints("/", "table.repos td") },
	{ name: "page: Overview painted, 1,000 repositories, ms", run: (t) => t.paints("/", "table.repos td", { fake: { status: many } }) },
	{ name: "page: Graph in use, 1,000 repositories, 5,000 links, ms (2000)", run: async (t) => t.paints("/graph", ".canvas:not([data-state=empty])", { base: (await largeFederation(t)).base }) },
];
