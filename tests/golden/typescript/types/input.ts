type Id = string | number;
type Handler<T extends Base> = (req: Request, res: T) => Promise<void>;
type Keys = keyof Shape;
type Rows = models.Row[];

declare function load(id: Id): Promise<readonly Row[]>;

export const table: Record<Id, Handler<any>> = {};

function is(x: unknown): x is User {
	return (x as User).id !== undefined;
}

function all<T>(list: Array<Partial<T>>, type: typeof table): Map<string, T[]> | undefined {
	return undefined;
}

let pair: [Left, Right], maybe: null | Maybe, both: A & B;
