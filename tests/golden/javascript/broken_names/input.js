// A file in the middle of an edit: what cannot be parsed hides no name.
class Harbour extends Port {
	arrive(ship, berth) {
		const place = berths[;
		if (ship.length > {
	}

function countShips(ships {
	let total = (

const pilots = [ {
