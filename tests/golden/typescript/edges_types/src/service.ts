import { Repo, type Finder, type User } from "./repo";

export class Service {
	constructor(private readonly repo: Repo, private finder: Finder) {}

	async run(user: User, { id }: Options) {
		(await this.repo.load(id)).touch();
		this.finder.find(id)?.touch();
		user.touch();
		const all: User[] = [];
		for (const each of all) each.touch();
	}
}

interface Options {
	id: string;
}
