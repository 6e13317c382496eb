export abstract class Base<T> {
	abstract area(): number;

	show(): string {
		return String(this.area());
	}
}

export interface Named {
	name(): string;
}
