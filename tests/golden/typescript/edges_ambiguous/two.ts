import fs from "fs";

export class Two {
	close() {}
}

export function run(x: any, close: () => void) {
	x.close();
	x.unique();
	close();
	fs.close();
}
