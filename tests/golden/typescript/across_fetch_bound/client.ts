import { VERSION } from './version';

export class Base {
	#url: string;
	#send = fetch.bind(globalThis);
	private other: typeof fetch;

	constructor(base: string, options: Options) {
		this.#url = `${base}/api/${VERSION}`;
		this.other = options.fetch ?? fetch;
	}

	protected get(path: string) {
		return this.#send(`${this.#url}${path}`, { method: 'GET' });
	}

	protected drop(path: string) {
		return this.other(`${this.#url}${path}`, { method: 'DELETE' });
	}
}

export class Parcels extends Base {
	list() {
		return this.get('/parcels');
	}

	remove(id: number) {
		return this.drop(`/parcels/${id}`);
	}
}

export const status = () => window.fetch('/status');
