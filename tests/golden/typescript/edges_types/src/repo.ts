export interface Finder {
	find(id: string): User | undefined;
}

export class User {
	touch(): void {}
}

export class Repo implements Finder {
	private users = new Map<string, User>();

	find(id: string): User | undefined {
		return this.load(id);
	}

	async load(id: string): Promise<User> {
		return new User();
	}
}
