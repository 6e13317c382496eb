export function get(url: string) {
	return url;
}

export const LIMIT = 3;
export enum Kind {
	A,
	B,
}
