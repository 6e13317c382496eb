@Injectable()
export class Users extends Repo<User> implements Finder, lib.Closeable {
	static readonly LIMIT = 3;
	@Input() name: string = defaults.name;
	private cache = new Map<string, User>();
	role?: Role;

	constructor(private http: Http, protected readonly log: Logger, plain: Plain) {
		super();
		this.late = plain.late();
	}

	get first(): User {
		return this.items[0];
	}
}

abstract class Shape {
	abstract area(unit: Unit): number;
}

interface Finder extends Reader<User>, Closeable {
	limit: number;
	find(id: Id): Promise<User | null>;
	on: (e: Event) => void;
}

enum Kind {
	A = Base.A,
	B,
}

const Mixed = class extends mix(Shape) {};
