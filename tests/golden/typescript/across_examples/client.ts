export class Client {
	constructor(private host: string) {}
	private get(path: string) {
		return fetch(`${this.host}/${path}`, { method: "GET" });
	}
	getTask(id: number) {
		return this.get(`tasks/${id}`);
	}
}
