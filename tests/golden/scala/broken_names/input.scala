// A file in the middle of an edit: what cannot be parsed hides no name.
package tide

class Harbour(berths: Int) extends Port {
	def arrive(ship: Ship): Int = {
		val place = berths[
		if (ship.length > {

	def leave(ship: Ship = {

object Pilots {
