import { fetchIt, LIMIT, Kind } from "./core";
import * as core from "./core/index";

export function run(kind: Kind = Kind.A) {
	fetchIt(String(LIMIT));
	return core.get("x");
}
