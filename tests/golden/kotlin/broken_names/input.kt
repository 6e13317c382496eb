// A file in the middle of an edit: what cannot be parsed hides no name.
package tide

class Harbour(val berths: Int {
	fun arrive(ship: Ship): Int {
		val place = berths[
		if (ship.length > {

	fun leave(ship: Ship) = (

object Pilots {
