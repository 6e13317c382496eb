import { Client } from "../client";

export function show() {
	return new Client("http://localhost:7700").getTask(17);
}
