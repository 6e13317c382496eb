// What `make bench BENCH=page` measures: name, and run: async (t) => what is printed.
import { repo, status } from "./made.mjs";

const many = status(Array.from({ length: 1000 }, (_, i) => repo(i)));

export default [
	{ name: "page: Overview painted, 4 repositories, ms (500)", run: (t) => t.paints("/", "table.repos td") },
	{ name: "page: Overview painted, 1,000 repositories, ms", run: (t) => t.paints("/", "table.repos td", { fake: { status: many } }) },
];
