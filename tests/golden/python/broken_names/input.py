# A file in the middle of an edit: what cannot be parsed hides no name.
class Harbour(Port:
	def arrive(self, ship):
		place = berths[

	def leave(self, ship:
		return (

class Pilot
