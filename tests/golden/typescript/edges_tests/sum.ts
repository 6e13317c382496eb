export const sum = (a: number, b: number) => a + b;
export class Total {
	add(n: number) {
		return sum(n, 1);
	}
}
