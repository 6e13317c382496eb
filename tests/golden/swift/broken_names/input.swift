// A file in the middle of an edit: what cannot be parsed hides no name.
class Harbour: Port {
	func arrive(ship: Ship) -> Int {
		let place = berths[
		if ship.length > {

	func leave(ship: Ship {

struct Berth {
