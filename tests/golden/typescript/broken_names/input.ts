// A file in the middle of an edit: what cannot be parsed hides no name.
interface Port<T {
	arrive(ship: T): number;

enum Berth { Small,

export class Harbour implements Port<Ship> {
	arrive(ship: Ship): number {
		const place = this.berths[;
		if (ship.length > {

	leave(ship: Ship { }

type Pilots = {
