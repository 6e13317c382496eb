enum Verb {
	Get = 'GET',
	Post = 'POST'
}

class Base {
	#full(path: string) {
		return `/api/v2${path}`;
	}

	async call<T extends object>(verb: Verb, path: string, form: T, bare: boolean = false) {
		const url = bare ? path : this.#full(path);
		if (verb === Verb.Get) {
			return fetch(`${url}?${form}`, { method: Verb.Get });
		} else {
			return fetch(url, { method: verb });
		}
	}

	early(path: string, remove: boolean) {
		if (remove) {
			return fetch(this.#full(path), { method: 'DELETE' });
		}
		return fetch(this.#full(path), { method: 'PUT' });
	}
}

export class Parcels extends Base {
	list = () => this.call<object>(Verb.Get, '/parcels', {});
	create = () => this.call<object>(Verb.Post, '/parcels', {});
	health = () => this.call<object>(Verb.Get, '/health', {}, true);
	drop = () => this.early('/parcels/1', true);
	replace = () => this.early('/parcels/1', false);
	either = (remove: boolean) => this.early('/parcels/2', remove);
}
