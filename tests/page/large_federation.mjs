// Starts a coordinator with the thousand repositories of large_federation.py, none with a shard.  Returns {base, call(tool, args)}.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export async function largeFederation(t) {
	const data = `${process.env.W}/crowd.${process.hrtime.bigint()}`;
	await promisify(execFile)("python3", [`${process.env.ROOT}/tests/page/large_federation.py`, data]);
	const co = await t.coordinator({ data });
	const call = async (tool, args) => (await fetch(`${co.url}/api/v1/${tool}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(args) })).json();
	await call("repo_graph", { group: "crowd" }); // which makes the tables
	return { base: co.url, call };
}
