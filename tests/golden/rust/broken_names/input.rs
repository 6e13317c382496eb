// A file in the middle of an edit: what cannot be parsed hides no name.
struct Harbour {
	berths: usize,

impl Harbour {
	fn arrive(&self, ship: Ship) -> usize {
		let place = self.berths[
		if ship.length > {

	fn leave(&self, ship: Ship {

enum Berth {
