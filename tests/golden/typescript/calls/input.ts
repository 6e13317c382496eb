import { open, type Store } from "./store";
import * as api from "./api";

export async function run(store: Store, done: (e: Error) => void, ...rest: string[]) {
	const users = await store.users().all();
	done(null!);
	(await open("x"))?.find(1);
	users[0]!.touch(...rest);
	api.v1.get<User>("/x", handler);
	new api.Client(open).start();
	(store as Cached).flush();
	rest.map((name) => load(name));
	`a`.trim();
	tag`x${run}`;
	return import("./late");
}

class Server extends Base {
	#secret = make();

	constructor(private readonly repo: Repo) {
		super(repo);
		this.#secret.hide();
	}

	serve = () => this.repo.find(Server.LIMIT);

	stop() {
		super.stop();
		this.log?.("x");
		setTimeout(this.serve, 1);
	}
}
