// A file in the middle of an edit: what cannot be parsed hides no name.
package tide;

class Harbour implements Port {
	Ship arrive(Ship ship, int berth) {
		int place = berths[;
		if (ship.length() > {

	void leave(Ship ship) {
		for (int i = 0; i <
	}

	enum Berth {
